//! The tables of a result: the meaning of each row and column.

use std::fmt::Write as _;
use std::path::Path;
use std::sync::atomic::AtomicBool;

use crate::columns::ColumnTable;
use crate::counter::CounterRow;
use crate::error::MeasureError;
use crate::explain::{BlockerRow, PartRow};
use crate::fault::{DiscardRow, FailureRow, FaultRow, PacketEngineRow};
use crate::names::RowNames;
use crate::record::{
    ClassSample, CongestionRow, EdgeLinkRow, FlowRow, IterationRow, MessageRow, PortSample, RunRecord, SwitchTotals,
    TelemetryRow,
};
use crate::table::{AnyTable, ColumnInfo, RecordTable, columns};

static MESSAGES: RecordTable<MessageRow> = RecordTable {
    name: "messages",
    about: "One row per completed message (of the jobs whose messages the scenario records).",
    rows: |record| &record.messages,
    columns: columns! {
        Text job: "Job of both ranks, by its name in the scenario." => |row, names| names.job(row.job);
        Id source_rank: "Rank that issued the operation: sender of a send, origin of a put or get." => |row, _| row.source.0;
        Id destination_rank: "The other rank." => |row, _| row.destination.0;
        Text kind: "`eager`, `rendezvous`, `put`, `get`, `amo`, or `local` (within a node, never on the fabric)." => |row, _| row.kind.as_str();
        Text class: "Traffic class, by its name in the scenario." => |row, names| names.class(row.class);
        Integer bytes: "Payload." => |row, _| row.bytes.0;
        Integer issued_ps: "Simulated time at which the rank issued it." => |row, _| row.issued.0;
        Integer delivered_ps: "Simulated time at which all of it had arrived." => |row, _| row.delivered.0;
        Integer latency_ps: "`delivered_ps - issued_ps`." => |row, _| row.delivered.saturating_sub(row.issued).0;
    },
};

static ITERATIONS: RecordTable<IterationRow> = RecordTable {
    name: "iterations",
    about: "One row per iteration and rank, if the program counts iterations.",
    rows: |record| &record.iterations,
    columns: columns! {
        Text job: "Job, by its name in the scenario." => |row, names| names.job(row.job);
        Id rank: "Rank." => |row, _| row.rank.0;
        Id iteration: "Iteration, counted by the program." => |row, _| row.iteration;
        Integer start_ps: "Simulated time at which the rank began it." => |row, _| row.start.0;
        Integer end_ps: "Simulated time at which the rank ended it." => |row, _| row.end.0;
        Integer duration_ps: "`end_ps - start_ps`." => |row, _| row.end.saturating_sub(row.start).0;
    },
};

static PORTS: RecordTable<PortSample> = RecordTable {
    name: "ports",
    about: "One row per output port and sampling interval in which the port was active.",
    rows: |record| &record.ports,
    columns: columns! {
        Integer time_ps: "Simulated time at which the interval begins." => |row, names| u64::from(row.interval) * names.record().sample_interval.0;
        Integer interval_ps: "Length of the interval; the last one of a run may be shorter." => |row, names| interval_length_ps(names.record(), row.interval);
        Id switch: "Switch, counted over the whole system." => |row, names| names.port(row.port).map(|info| info.switch.0);
        Id group: "Group of the switch." => |row, names| names.port(row.port).map(|info| info.group.0);
        Id port: "Port number on the switch." => |row, names| names.port(row.port).map(|info| u32::from(info.port.0));
        Id port_index: "Port, counted over the whole system." => |row, _| row.port.0;
        Text role: "`edge` (to a NIC), `local` (within a group) or `global` (between groups)." => |row, names| names.port(row.port).map(|info| info.role.as_str());
        Text peer: "Device at the other end of the port." => |row, names| names.port(row.port).map(|info| info.peer.as_str());
        Integer rate_mbps: "Rate of one direction, in 10^6 bit/s." => |row, names| names.port(row.port).map(|info| u64::from(info.rate.0));
        Integer bytes: "Bytes put on the wire, headers included." => |row, _| row.bytes.0;
        Integer packets: "Packets whose transmission began." => |row, _| u64::from(row.packets);
        Real utilisation: "Bytes as a share of the link's capacity in the interval, 0 to 1." => |row, names| utilisation(names, row);
        Integer queued_bytes_max: "Largest request queue seen." => |row, _| row.queued_bytes_max.0;
        Integer stalled_ps: "Time for which packets waited and none could be sent because credits were missing." => |row, _| row.stalled.0;
    },
};

static FLOWS: RecordTable<FlowRow> = RecordTable {
    name: "flows",
    about: "One row per flow (endpoint pair and class) over the whole run.",
    rows: |record| &record.flows,
    columns: columns! {
        Id source_endpoint: "Sending endpoint." => |row, _| row.source.0;
        Id destination_endpoint: "Receiving endpoint." => |row, _| row.destination.0;
        Text class: "Traffic class, by its name in the scenario." => |row, names| names.class(row.class);
        Text job: "Job of the traffic." => |row, names| names.job(row.job);
        Integer packets: "Packets delivered." => |row, _| row.packets;
        Integer bytes: "Payload delivered." => |row, _| row.bytes.0;
        Integer latency_min_ps: "Smallest NIC-to-NIC latency of a packet; null if none was delivered." => |row, _| (row.packets > 0).then_some(row.latency_min.0);
        Real latency_mean_ps: "Mean NIC-to-NIC latency of its packets; null if none was delivered." => |row, _| (row.packets > 0).then(|| row.latency_sum.0 as f64 / row.packets as f64);
        Integer latency_max_ps: "Largest NIC-to-NIC latency of a packet; null if none was delivered." => |row, _| (row.packets > 0).then_some(row.latency_max.0);
        Integer first_issued_ps: "When the first of its messages that arrived was issued." => |row, _| row.first_issued.0;
        Integer last_delivered_ps: "When the last of them had arrived." => |row, _| row.last_delivered.0;
    },
};

static CLASSES: RecordTable<ClassSample> = RecordTable {
    name: "classes",
    about: "One row per job, traffic class and sampling interval with a delivery.",
    rows: |record| &record.class_samples,
    columns: columns! {
        Integer time_ps: "Simulated time at which the interval begins." => |row, names| u64::from(row.interval) * names.record().sample_interval.0;
        Integer interval_ps: "Length of the interval; the last one of a run may be shorter." => |row, names| interval_length_ps(names.record(), row.interval);
        Text job: "Job, by its name in the scenario." => |row, names| names.job(row.job);
        Text class: "Traffic class, by its name in the scenario." => |row, names| names.class(row.class);
        Integer bytes: "Payload delivered." => |row, _| row.bytes.0;
        Integer packets: "Packets delivered." => |row, _| u64::from(row.packets);
    },
};

static SWITCHES: RecordTable<SwitchTotals> = RecordTable {
    name: "switches",
    about: "One row per switch that forwarded a packet, over the whole run.",
    rows: |record| &record.switches,
    columns: columns! {
        Id switch: "Switch, counted over the whole system." => |row, _| row.switch.0;
        Id group: "Its group." => |row, _| row.group.0;
        Integer packets: "Packets forwarded." => |row, _| row.packets;
        Integer bytes: "Bytes forwarded, headers included." => |row, _| row.bytes.0;
        Integer buffered_bytes_max: "Largest sum of its input buffers' occupancy." => |row, _| row.buffered_bytes_max.0;
    },
};

static CONGESTION: RecordTable<CongestionRow> = RecordTable {
    name: "congestion",
    about: "One row per congestion event, in time order. Kinds that can happen per packet are sampled; manifest.json counts all.",
    rows: |record| &record.congestion,
    columns: columns! {
        Integer time_ps: "Simulated time." => |row, _| row.time.0;
        Text kind: "`endpoint_onset`, `endpoint_end`, `flow_held`, `flow_released`, `pause_start`, `pause_end`, `marked`, `discarded` or `flow_moved`." => |row, _| row.kind.as_str();
        Id switch: "Switch of the event's port." => |row, names| names.port(row.port).map(|info| info.switch.0);
        Id group: "Group of the switch." => |row, names| names.port(row.port).map(|info| info.group.0);
        Id port: "Port number on the switch." => |row, names| names.port(row.port).map(|info| u32::from(info.port.0));
        Id port_index: "Port, counted over the whole system." => |row, _| row.port.0;
        Text role: "`edge`, `local` or `global`." => |row, names| names.port(row.port).map(|info| info.role.as_str());
        Text peer: "Device at the other end of the port." => |row, names| names.port(row.port).map(|info| info.peer.as_str());
        Id source_endpoint: "Sending endpoint, for events of a flow, otherwise null." => |row, _| row.source.map(|endpoint| endpoint.0);
        Id destination_endpoint: "Receiving endpoint, for events of a flow, otherwise null." => |row, _| row.destination.map(|endpoint| endpoint.0);
        Integer value: "Bytes for `endpoint_onset`, `pause_start`, `marked`, `discarded`, `flow_moved`; Mb/s for `flow_held` (0: the law has no rate); picoseconds for `endpoint_end`, `flow_released`, `pause_end`." => |row, _| row.value;
    },
};

static FAULTS: RecordTable<FaultRow> = RecordTable {
    name: "faults",
    about: "One row per fault, in order of beginning, with its losses.",
    rows: |record| &record.faults,
    columns: columns! {
        Id fault: "Number, counted from 0." => |row, _| row.fault;
        Text kind: "`link_down`, `lanes_lost (n)`, `switch_down`, `nic_down` or `nic_pause`." => |row, _| row.kind.as_str();
        Text element: "The failed component." => |row, _| row.element.as_str();
        Integer began_ps: "Simulated time at which it began." => |row, _| row.began.0;
        Integer ended_ps: "Simulated time at which it ended; null if it lasted until the end of the run." => |row, _| row.ended.map(|time| time.0);
        Integer packets_discarded: "Packets discarded because of it." => |row, _| row.packets_discarded;
        Integer bytes_discarded: "Their bytes, headers included." => |row, _| row.bytes_discarded.0;
        Integer frames_replayed: "Frames that the link replayed because of it." => |row, _| row.frames_replayed;
        Integer felt_until_ps: "Simulated time of the last of these; null if there was none." => |row, _| row.felt_until.map(|time| time.0);
    },
};

static DISCARDS: RecordTable<DiscardRow> = RecordTable {
    name: "discards",
    about: "One row per port and cause of discards.",
    rows: |record| &record.discards,
    columns: columns! {
        Id switch: "Switch of the port, counted over the whole system." => |row, names| names.port(row.port).map(|info| info.switch.0);
        Id group: "Group of the switch." => |row, names| names.port(row.port).map(|info| info.group.0);
        Id port: "Port number on the switch." => |row, names| names.port(row.port).map(|info| u32::from(info.port.0));
        Id port_index: "Port, counted over the whole system." => |row, _| row.port.0;
        Text cause: "`link_down`, `switch_down`, `nic_down`, `no_route`, `lossy_class`, `pause_guard`, `access_list`, `vni_mismatch` or `uncorrected_frame`." => |row, _| row.cause.name();
        Integer packets: "Packets." => |row, _| row.packets;
        Integer bytes: "Their bytes, headers included." => |row, _| row.bytes.0;
    },
};

static FAILURES: RecordTable<FailureRow> = RecordTable {
    name: "failures",
    about: "One row per failed operation: its NIC reached the retry limit for a packet.",
    rows: |record| &record.failures,
    columns: columns! {
        Text job: "Job of both ranks, by its name in the scenario." => |row, names| names.job(row.job);
        Id source_rank: "Rank whose NIC sent the packet." => |row, _| row.source.0;
        Id destination_rank: "Rank of the target." => |row, _| row.destination.0;
        Integer bytes: "Payload of the operation." => |row, _| row.bytes.0;
        Integer issued_ps: "Simulated time at which it was issued." => |row, _| row.issued.0;
        Integer failed_ps: "Simulated time at which it was given up." => |row, _| row.failed.0;
    },
};

static PACKET_ENGINE: RecordTable<PacketEngineRow> = RecordTable {
    name: "packet_engine",
    about: "One row per count of the packet engine, over all switches; empty if the scenario has none.",
    rows: |record| &record.packet_engine,
    columns: columns! {
        Text what: "`counter`, `entry`, `missed` (no entry of the table matched) or `denied`." => |row, _| row.what;
        Text stage: "`ingress` or `egress`, for counts of a table." => |row, _| row.stage.as_str();
        Text table: "Table, for counts of one." => |row, _| row.table.as_str();
        Text name: "Name of the counter, number of the entry, or cause of the denial." => |row, _| row.name.as_str();
        Integer packets: "Packets." => |row, _| row.packets;
    },
};

static EDGE_LINKS: RecordTable<EdgeLinkRow> = RecordTable {
    name: "edge_links",
    about: "One row per edge link, with the settings that its ends agreed on; empty if no endpoint is a third-party one.",
    rows: |record| &record.edge_links,
    columns: columns! {
        Id switch: "Switch." => |row, names| names.port(row.port).map(|info| info.switch.0);
        Id port: "Port number on the switch." => |row, names| names.port(row.port).map(|info| u32::from(info.port.0));
        Id port_index: "Port, counted over the whole system." => |row, _| row.port.0;
        Id endpoint: "Endpoint at the other end." => |row, _| row.endpoint.0;
        Text kind: "`system` (the system's own NIC) or `third_party`." => |row, _| if row.third_party { "third_party" } else { "system" };
        Integer rate_mbps: "Rate of one direction, in 10^6 bit/s." => |row, _| u64::from(row.rate_mbps);
        Text agreed: "Capabilities that a third-party endpoint and its port agreed on, or `standard Ethernet`; empty for the system's own NICs, which have them in their parameters." => |row, _| row.agreed.as_str();
        Text withheld: "Capabilities of both ends that are not used, with the missing condition." => |row, _| row.withheld.as_str();
        Integer frame_min_bytes: "Least frame." => |row, _| u64::from(row.frame_min_bytes);
        Integer nic_gap_bytes: "Gap after each frame of the NIC." => |row, _| u64::from(row.nic_gap_bytes);
        Integer switch_gap_bytes: "Gap after each frame of the switch." => |row, _| u64::from(row.switch_gap_bytes);
        Text retry: "`link` if the link sends damaged frames again, otherwise `none`." => |row, _| if row.retry { "link" } else { "none" };
        Text hold: "Flow control of the NIC when the switch's buffer fills: `pause`, `credits` or `none`." => |row, _| row.hold;
    },
};

static COUNTERS: RecordTable<CounterRow> = RecordTable {
    name: "counters",
    about: "One row per port or NIC, counter and class over the whole run, for counters above zero.",
    rows: |record| &record.counters,
    columns: columns! {
        Text place: "`port` (of a switch) or `nic`." => |row, _| row.place.as_str();
        Id endpoint: "Endpoint of a NIC, otherwise null." => |row, _| row.place.endpoint();
        Id switch: "Switch of the port; for a NIC, of the port that it is connected to. The same for the next columns." => |row, names| names.port(row.port).map(|info| info.switch.0);
        Id group: "Group of the switch." => |row, names| names.port(row.port).map(|info| info.group.0);
        Id port: "Port number on the switch." => |row, names| names.port(row.port).map(|info| u32::from(info.port.0));
        Id port_index: "Port, counted over the whole system." => |row, _| row.port.0;
        Text role: "`edge`, `local` or `global`." => |row, names| names.port(row.port).map(|info| info.role.as_str());
        Text peer: "Device at the other end of the port." => |row, names| names.port(row.port).map(|info| info.peer.as_str());
        Text counter: "Name of the counter." => |row, _| row.name.as_str();
        Text class: "Traffic class, by its name in the scenario, for counters by class, otherwise null." => |row, names| row.class.and_then(|class| names.class(class));
        Text unit: "`packets`, `bytes`, `events` or `ps`." => |row, _| row.name.unit().as_str();
        Integer value: "How much." => |row, _| row.value;
    },
};

static TELEMETRY: RecordTable<TelemetryRow> = RecordTable {
    name: "telemetry",
    about: "One row per sampled packet and switch on its path, in order of delivery.",
    rows: |record| &record.telemetry,
    columns: columns! {
        Id source_endpoint: "Sending endpoint." => |row, _| row.source.0;
        Id destination_endpoint: "Receiving endpoint." => |row, _| row.destination.0;
        Integer packet: "Number of the packet among those of its NIC, from 0." => |row, _| row.number;
        Text class: "Traffic class, by its name in the scenario." => |row, names| names.class(row.class);
        Integer bytes: "Bytes on a link, headers included." => |row, _| u64::from(row.bytes);
        Integer injected_ps: "Simulated time at which its first bit left its NIC." => |row, _| row.injected.0;
        Integer delivered_ps: "Simulated time at which its last bit reached the other NIC." => |row, _| row.delivered.0;
        Id hop: "Index of the switch on its path, from 0." => |row, _| u32::from(row.hop);
        Id switch: "Switch, counted over the whole system." => |row, names| names.port(row.output).map(|info| info.switch.0);
        Id group: "Its group." => |row, names| names.port(row.output).map(|info| info.group.0);
        Id input_port: "Number of its input port." => |row, names| names.port(row.input).map(|info| u32::from(info.port.0));
        Id output_port: "Number of its output port." => |row, names| names.port(row.output).map(|info| u32::from(info.port.0));
        Id output_index: "That port, counted over the whole system." => |row, _| row.output.0;
        Text role: "Role of the output: `edge`, `local` or `global`." => |row, names| names.port(row.output).map(|info| info.role.as_str());
        Integer queued_bytes: "Bytes that waited for the output when the packet asked for it." => |row, _| u64::from(row.queued_bytes);
        Integer arrived_ps: "Simulated time at which its header was ready in the switch." => |row, _| row.arrived.0;
        Integer requested_ps: "Simulated time at which it asked for the output; later than `arrived_ps` if its flow was held at the ingress." => |row, _| row.requested.0;
        Integer departed_ps: "Simulated time at which it began to leave." => |row, _| row.departed.0;
        Integer queued_ps: "`departed_ps - requested_ps`." => |row, _| row.departed.saturating_sub(row.requested).0;
    },
};

static EXPLAINED: RecordTable<PartRow> = RecordTable {
    name: "explained",
    about: "One row per part of an explained message's time, in order along its path. The parts add up to its latency.",
    rows: |record| &record.explained,
    columns: columns! {
        Id message: "Number of the message among those explained, from 0." => |row, _| row.message.number;
        Text job: "Job of both ranks, by its name in the scenario." => |row, names| names.job(row.message.job);
        Id source_rank: "Rank that issued the operation." => |row, _| row.message.source.0;
        Id destination_rank: "The other rank." => |row, _| row.message.destination.0;
        Text kind: "As in `messages`." => |row, _| row.message.kind.as_str();
        Integer bytes: "Payload of the message." => |row, _| row.message.bytes.0;
        Integer issued_ps: "Simulated time at which the rank issued it." => |row, _| row.message.issued.0;
        Integer delivered_ps: "Simulated time at which all of it had arrived." => |row, _| row.message.delivered.0;
        Id part: "Index of this part, from 0." => |row, _| row.number;
        Text spent_on: "`host`, `nic`, `bus`, `memory`, `nic_queue`, `window`, `pause`, `serialisation`, `propagation`, `switch`, `queueing`, `credit`, `flow_queue`, `held`, `class`, `link_retry`, `retry` or `receiver`." => |row, _| row.part.as_str();
        Id switch: "Switch, for parts in a switch." => |row, names| row.port.and_then(|port| names.port(port)).map(|info| info.switch.0);
        Id port: "Port number on it." => |row, names| row.port.and_then(|port| names.port(port)).map(|info| u32::from(info.port.0));
        Id port_index: "That port, counted over the whole system." => |row, _| row.port.map(|port| port.0);
        Id endpoint: "Endpoint, for parts of a NIC." => |row, _| row.endpoint.map(|endpoint| endpoint.0);
        Integer time_ps: "How long." => |row, _| row.time.0;
        Integer queued_bytes: "Bytes that waited for the output when the packet asked for it." => |row, _| u64::from(row.queued_bytes);
    },
};

static BLOCKERS: RecordTable<BlockerRow> = RecordTable {
    name: "blockers",
    about: "One row per flow that delayed an explained message in one part of its time.",
    rows: |record| &record.blockers,
    columns: columns! {
        Id message: "Number of the message, as in `explained`." => |row, _| row.message;
        Id part: "Number of the part, as in `explained`." => |row, _| row.part;
        Text job: "The flow's job, by its name in the scenario." => |row, names| names.job(row.job);
        Id source_endpoint: "Sending endpoint." => |row, _| row.source.0;
        Id destination_endpoint: "Receiving endpoint." => |row, _| row.destination.0;
        Text class: "Traffic class, by its name in the scenario." => |row, names| names.class(row.class);
        Integer bytes: "Its bytes that were sent before the message, or that filled the buffer or the share that the message waited for." => |row, _| row.bytes.0;
        Integer time_ps: "Its share of the time, proportional to its share of those bytes." => |row, _| row.time.0;
        Id own_flow: "1 if it is the message's own flow, otherwise 0." => |row, _| u32::from(row.own);
    },
};

static TABLES: [&dyn AnyTable; 16] = [
    &MESSAGES,
    &ITERATIONS,
    &PORTS,
    &FLOWS,
    &CLASSES,
    &SWITCHES,
    &CONGESTION,
    &FAULTS,
    &DISCARDS,
    &FAILURES,
    &PACKET_ENGINE,
    &EDGE_LINKS,
    &COUNTERS,
    &TELEMETRY,
    &EXPLAINED,
    &BLOCKERS,
];

/// Length of an interval in picoseconds: the last one ends with the run.
fn interval_length_ps(record: &RunRecord, interval: u32) -> u64 {
    let start = u64::from(interval) * record.sample_interval.0;
    record.sample_interval.0.min(record.simulated.0.saturating_sub(start))
}

fn utilisation(names: &RowNames<'_>, row: &PortSample) -> Option<f64> {
    let rate = names.port(row.port)?.rate;
    crate::utilisation::interval_share(row.bytes.0, rate, interval_length_ps(names.record(), row.interval))
}

/// One table of a result, for documentation.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct TableInfo {
    /// Name of the file without `.parquet`.
    pub name: &'static str,
    /// The meaning of a row.
    pub about: &'static str,
    /// Columns, in order.
    pub columns: Vec<ColumnInfo>,
}

/// Every table of a result, in the order in which they are written.
#[must_use]
pub fn tables() -> Vec<TableInfo> {
    let describe =
        |table: &&dyn AnyTable| TableInfo { name: table.name(), about: table.about(), columns: table.column_info() };
    TABLES.iter().map(describe).collect()
}

/// The meaning of every table and column, as Markdown: the text of the documentation's schema page.
#[must_use]
pub fn schema_text() -> String {
    let mut text = String::from(
        "# Tables of a result\n\nParquet, Snappy-compressed. Times are simulated picoseconds from the start of the run; \
         `_ps` is picoseconds, `bytes` is bytes, `_mbps` is 10^6 bit/s.\n",
    );
    for table in tables() {
        let _ = write!(
            text,
            "\n## {}.parquet\n\n{}\n\n| column | type | meaning |\n|---|---|---|\n",
            table.name, table.about
        );
        for column in table.columns {
            let _ = writeln!(text, "| `{}` | {} | {} |", column.name, column.kind, column.about);
        }
    }
    text
}

/// One table of a record, in memory; nothing where no table has this name.
#[must_use]
pub fn collect_table(record: &RunRecord, name: &str) -> Option<Result<ColumnTable, MeasureError>> {
    TABLES.iter().find(|table| table.name() == name).map(|table| table.collect(&RowNames::new(record)))
}

/// The meaning of a column of a result's tables; none if there is no such column.
pub(crate) fn column_about(table: &str, column: &str) -> Option<&'static str> {
    let table = TABLES.iter().find(|found| found.name() == table)?;
    table.column_info().iter().find(|found| found.name == column).map(|found| found.about)
}

/// Writes every table into `folder`, which exists. Returns the file names with their numbers of
/// rows.
///
/// # Errors
/// When a file cannot be written, or a value is too large for its column.
pub fn write_tables(record: &RunRecord, folder: &Path) -> Result<Vec<(String, u64)>, MeasureError> {
    write_each_table(record, folder, &AtomicBool::new(false)).map(|(file, rows)| Ok((file, rows?))).collect()
}

/// Writes every table separately, those with few rows first: returns the file's name, and its
/// number of rows or the error. None is written once `stop` is set.
pub(crate) fn write_each_table<'r>(
    record: &'r RunRecord,
    folder: &'r Path,
    stop: &'r AtomicBool,
) -> impl Iterator<Item = (String, Result<u64, MeasureError>)> + 'r {
    let names = RowNames::new(record);
    let mut tables = TABLES;
    tables.sort_by_key(|table| table.rows(record));
    tables.into_iter().map(move |table| (format!("{}.parquet", table.name()), table.write(&names, folder, stop)))
}
