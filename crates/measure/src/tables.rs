//! The tables of a result: what each row and column is.

use std::fmt::Write as _;
use std::path::Path;

use crate::error::MeasureError;
use crate::names::Names;
use crate::record::{ClassSample, CongestionRow, FlowRow, IterationRow, MessageRow, PortSample, RunRecord, SwitchRow};
use crate::table::{AnyTable, ColumnInfo, Table, columns};

static MESSAGES: Table<MessageRow> = Table {
    name: "messages",
    about: "One row per completed message (of the jobs whose messages the scenario asks for).",
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

static ITERATIONS: Table<IterationRow> = Table {
    name: "iterations",
    about: "One row per iteration and rank, where the program counts iterations.",
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

static PORTS: Table<PortSample> = Table {
    name: "ports",
    about: "One row per output port and sampling interval in which something happened there.",
    rows: |record| &record.ports,
    columns: columns! {
        Integer time_ps: "Simulated time at which the interval begins." => |row, names| u64::from(row.interval) * names.record().sample_interval.0;
        Integer interval_ps: "Length of the interval; the last one of a run may be shorter." => |row, names| interval_length_ps(names.record(), row.interval);
        Id switch: "Switch, counted over the whole system." => |row, names| names.port(row.port).map(|info| info.switch.0);
        Id group: "Group of the switch." => |row, names| names.port(row.port).map(|info| info.group.0);
        Id port: "Port number on the switch." => |row, names| names.port(row.port).map(|info| u32::from(info.port.0));
        Id port_index: "Port, counted over the whole system." => |row, _| row.port.0;
        Text role: "`edge` (to a NIC), `local` (within a group) or `global` (between groups)." => |row, names| names.port(row.port).map(|info| info.role.as_str());
        Text peer: "What the port is connected to." => |row, names| names.port(row.port).map(|info| info.peer.as_str());
        Integer rate_mbps: "Rate of one direction, in 10^6 bit/s." => |row, names| names.port(row.port).map(|info| u64::from(info.rate.0));
        Integer bytes: "Bytes put on the wire, headers included." => |row, _| row.bytes.0;
        Integer packets: "Packets whose transmission began." => |row, _| u64::from(row.packets);
        Real utilisation: "Bytes over what the link could have carried in the interval, 0 to 1." => |row, names| utilisation(names, row);
        Integer queued_bytes_max: "Largest request queue seen." => |row, _| row.queued_bytes_max.0;
        Integer stalled_ps: "Time for which something waited and nothing could be sent for want of credits." => |row, _| row.stalled.0;
    },
};

static FLOWS: Table<FlowRow> = Table {
    name: "flows",
    about: "One row per flow (endpoint pair and class) over the whole run.",
    rows: |record| &record.flows,
    columns: columns! {
        Id source_endpoint: "Sending endpoint." => |row, _| row.source.0;
        Id destination_endpoint: "Receiving endpoint." => |row, _| row.destination.0;
        Text class: "Traffic class, by its name in the scenario." => |row, names| names.class(row.class);
        Text job: "Job whose traffic it was." => |row, names| names.job(row.job);
        Integer packets: "Packets delivered." => |row, _| row.packets;
        Integer bytes: "Payload delivered." => |row, _| row.bytes.0;
        Integer latency_min_ps: "Smallest NIC-to-NIC latency of a packet; null where none was delivered." => |row, _| (row.packets > 0).then_some(row.latency_min.0);
        Real latency_mean_ps: "Mean NIC-to-NIC latency of its packets; null where none was delivered." => |row, _| (row.packets > 0).then(|| row.latency_sum.0 as f64 / row.packets as f64);
        Integer latency_max_ps: "Largest NIC-to-NIC latency of a packet; null where none was delivered." => |row, _| (row.packets > 0).then_some(row.latency_max.0);
    },
};

static CLASSES: Table<ClassSample> = Table {
    name: "classes",
    about: "One row per job, traffic class and sampling interval in which something was delivered.",
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

static SWITCHES: Table<SwitchRow> = Table {
    name: "switches",
    about: "One row per switch that forwarded anything, over the whole run.",
    rows: |record| &record.switches,
    columns: columns! {
        Id switch: "Switch, counted over the whole system." => |row, _| row.switch.0;
        Id group: "Its group." => |row, _| row.group.0;
        Integer packets: "Packets forwarded." => |row, _| row.packets;
        Integer bytes: "Bytes forwarded, headers included." => |row, _| row.bytes.0;
        Integer buffered_bytes_max: "Largest sum of its input buffers' occupancy." => |row, _| row.buffered_bytes_max.0;
    },
};

static CONGESTION: Table<CongestionRow> = Table {
    name: "congestion",
    about: "One row per congestion event, in time order. Kinds that can happen per packet are sampled; manifest.json counts all.",
    rows: |record| &record.congestion,
    columns: columns! {
        Integer time_ps: "Simulated time." => |row, _| row.time.0;
        Text kind: "`endpoint_onset`, `endpoint_end`, `flow_held`, `flow_released`, `pause_start`, `pause_end`, `marked` or `discarded`." => |row, _| row.kind.as_str();
        Id switch: "Switch of the port where it happened." => |row, names| names.port(row.port).map(|info| info.switch.0);
        Id group: "Group of the switch." => |row, names| names.port(row.port).map(|info| info.group.0);
        Id port: "Port number on the switch." => |row, names| names.port(row.port).map(|info| u32::from(info.port.0));
        Id port_index: "Port, counted over the whole system." => |row, _| row.port.0;
        Text role: "`edge`, `local` or `global`." => |row, names| names.port(row.port).map(|info| info.role.as_str());
        Text peer: "What the port is connected to." => |row, names| names.port(row.port).map(|info| info.peer.as_str());
        Id source_endpoint: "Sending endpoint, where a flow is concerned, else null." => |row, _| row.source.map(|endpoint| endpoint.0);
        Id destination_endpoint: "Receiving endpoint, where a flow is concerned, else null." => |row, _| row.destination.map(|endpoint| endpoint.0);
        Integer value: "Bytes for `endpoint_onset`, `pause_start`, `marked`, `discarded`; Mb/s for `flow_held` (0: the law has no rate); picoseconds for `endpoint_end`, `flow_released`, `pause_end`." => |row, _| row.value;
    },
};

static TABLES: [&dyn AnyTable; 7] = [&MESSAGES, &ITERATIONS, &PORTS, &FLOWS, &CLASSES, &SWITCHES, &CONGESTION];

/// Length of an interval in picoseconds: the last one ends with the run.
fn interval_length_ps(record: &RunRecord, interval: u32) -> u64 {
    let start = u64::from(interval) * record.sample_interval.0;
    record.sample_interval.0.min(record.simulated.0.saturating_sub(start))
}

fn utilisation(names: &Names<'_>, row: &PortSample) -> Option<f64> {
    let rate = names.port(row.port)?.rate;
    crate::utilisation::share(row.bytes.0, rate, interval_length_ps(names.record(), row.interval))
}

/// One table of a result, for documentation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableInfo {
    /// Name of the file without `.parquet`.
    pub name: &'static str,
    /// What a row is.
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

/// What every table and column is, as Markdown: the text of the documentation's schema page.
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

/// Writes every table into `folder`, which exists. Returns the file names with their numbers of rows.
///
/// # Errors
/// When a file cannot be written, or a value is too large for its column.
pub fn write_tables(record: &RunRecord, folder: &Path) -> Result<Vec<(String, u64)>, MeasureError> {
    let names = Names::new(record);
    TABLES.iter().map(|table| Ok((format!("{}.parquet", table.name()), table.write(&names, folder)?))).collect()
}
