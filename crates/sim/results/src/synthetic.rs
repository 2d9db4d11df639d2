//! Made-up records for tests and for visual checks of a report: plausible in shape, not the outcome
//! of any model.

use philae_units::{
    Bytes, ClassId, EndpointId, GroupId, JobId, LinkRate, Picoseconds, PortId, PortIndex, RankId, SwitchId,
};

use crate::counter::{CounterName, CounterPlace, CounterRow};
use crate::fault::{DiscardCause, DiscardRow, FailureRow, FaultRow, PacketEngineRow};
use crate::histogram::Histogram;
use crate::open_messages::OpenMessages;
use crate::record::{
    ClassSample, CongestionKind, CongestionRow, FlowRow, IterationRow, JobInfo, LinkRole, MessageKind, MessageRow,
    PortInfo, PortSample, RunRecord, RunStatus, SwitchTotals, TelemetryRow,
};

/// A repeatable sequence of numbers (splitmix64).
struct Sequence(u64);

impl Sequence {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    fn below(&mut self, limit: u64) -> u64 {
        self.next() % limit
    }
}

/// A run in which nothing happened.
#[must_use]
pub fn empty_record() -> RunRecord {
    RunRecord {
        status: RunStatus::Completed,
        simulated: Picoseconds::ZERO,
        measured_from: Picoseconds::ZERO,
        events: 0,
        packet_hops: 0,
        packets_injected: 0,
        packets_delivered: 0,
        packets_discarded: 0,
        discards: vec![DiscardRow {
            port: PortIndex(0),
            cause: DiscardCause::LinkDown,
            packets: 7,
            bytes: Bytes(14_700),
        }],
        faults: vec![FaultRow {
            fault: 0,
            began: Picoseconds::from_micros(20),
            ended: None,
            kind: "link_down".to_owned(),
            element: "switch 0 port 0".to_owned(),
            packets_discarded: 7,
            bytes_discarded: Bytes(14_700),
            frames_replayed: 0,
            felt_until: Some(Picoseconds::from_micros(21)),
        }],
        failures: vec![FailureRow {
            job: JobId(0),
            source: RankId(0),
            destination: RankId(1),
            bytes: Bytes(4_096),
            issued: Picoseconds::from_micros(19),
            failed: Picoseconds::from_micros(40),
        }],
        retry_totals: crate::fault::RetryTotals::default(),
        packet_engine: vec![PacketEngineRow {
            what: "counter",
            stage: String::new(),
            table: String::new(),
            name: "seen".to_owned(),
            packets: 3,
        }],
        edge_links: Vec::new(),
        digest: 0,
        model_bytes_peak: 0,
        sample_interval: Picoseconds::from_micros(10),
        jobs: Vec::new(),
        classes: Vec::new(),
        port_info: Vec::new(),
        ports_by_role: [0; 3],
        messages: Vec::new(),
        iterations: Vec::new(),
        open_iterations: Vec::new(),
        activities: Vec::new(),
        activities_left_out: 0,
        ports: Vec::new(),
        class_samples: Vec::new(),
        flows: Vec::new(),
        congestion: Vec::new(),
        congestion_counts: Vec::new(),
        switches: Vec::new(),
        packet_latency: Vec::new(),
        message_latency: Vec::new(),
        telemetry: Vec::new(),
        explained: Vec::new(),
        blockers: Vec::new(),
        telemetry_packets: 0,
        counters: Vec::new(),
        rates: None,
        captures: Vec::new(),
    }
}

/// One job, one message, one edge port.
#[must_use]
pub fn one_port_record() -> RunRecord {
    let message = MessageRow {
        job: JobId(0),
        source: RankId(0),
        destination: RankId(1),
        bytes: Bytes(4_096),
        kind: MessageKind::Eager,
        class: ClassId(0),
        issued: Picoseconds::ZERO,
        delivered: Picoseconds::from_nanos(2_100),
    };
    RunRecord {
        simulated: Picoseconds::from_nanos(2_500),
        events: 12,
        packet_hops: 1,
        packets_injected: 1,
        packets_delivered: 1,
        digest: 0xfeed,
        jobs: vec![JobInfo {
            name: "ping".to_owned(),
            ranks: 2,
            nodes: 2,
            workload: "one message of 4 KiB".to_owned(),
            finished: Some(message.delivered),
            delivered: message.bytes,
            iterations: None,
            warm_up_iterations: 0,
            messages_issued: 0,
            messages_open: OpenMessages::default(),
            received: None,
            offered: None,
        }],
        classes: vec!["default".to_owned()],
        port_info: vec![port_info(0, 0, 0, LinkRole::Edge, "endpoint 1 (node 1 NIC 0)".to_owned())],
        ports_by_role: [1, 0, 0],
        messages: vec![message],
        ports: vec![sample(0, 0, 4_160)],
        class_samples: vec![ClassSample {
            interval: 0,
            job: JobId(0),
            class: ClassId(0),
            bytes: Bytes(4_096),
            packets: 1,
        }],
        packet_latency: vec![[1_300].into_iter().collect()],
        message_latency: vec![[2_100].into_iter().collect()],
        ..empty_record()
    }
}

fn port_info(switch: u32, group: u32, port: u8, role: LinkRole, peer: String) -> PortInfo {
    PortInfo {
        index: PortIndex(switch * 64 + u32::from(port)),
        switch: SwitchId(switch),
        group: GroupId(group),
        port: PortId(port),
        role,
        peer,
        rate: LinkRate::from_gbps(200),
    }
}

fn sample(interval: u32, port: u32, bytes: u64) -> PortSample {
    PortSample {
        interval,
        port: PortIndex(port),
        bytes: Bytes(bytes),
        packets: (bytes / 4_160).max(1) as u32,
        queued_bytes_max: Bytes(bytes / 3),
        stalled: Picoseconds(bytes / 2),
    }
}

const GROUPS: u32 = 6;
const SWITCHES_PER_GROUP: u32 = 4;
const PORTS_PER_ROLE: u32 = 3;
/// Bytes that a 200 Gb/s link carries in one interval of 10 µs.
const INTERVAL_BYTES: u64 = 250_000;

/// A victim, an aggressor and a storage job on a small dragonfly, over `intervals` intervals of 10
/// µs each.
#[must_use]
pub fn record(seed: u64, intervals: u32) -> RunRecord {
    let mut sequence = Sequence(seed);
    let mut record = empty_record();
    record.simulated = Picoseconds::from_micros(u64::from(intervals) * 10);
    record.measured_from = Picoseconds::from_micros(u64::from(intervals));
    record.digest = sequence.next();
    record.model_bytes_peak = 181_403_648;
    record.classes = ["low_latency", "bulk_data"].map(str::to_owned).to_vec();
    let jobs = [
        ("victim", "alltoall 128 KiB", 64),
        ("aggressor", "incast 8 MiB, 48 to 1", 49),
        ("storage", "random reads 1 MiB", 16),
    ];
    record.jobs = jobs
        .map(|(name, workload, ranks)| JobInfo {
            name: name.to_owned(),
            ranks,
            nodes: ranks / 2,
            workload: workload.to_owned(),
            finished: (name == "victim").then_some(record.simulated),
            delivered: Bytes::ZERO,
            iterations: None,
            warm_up_iterations: 0,
            messages_issued: 0,
            messages_open: OpenMessages::default(),
            received: None,
            offered: None,
        })
        .to_vec();
    add_ports(&mut record, &mut sequence, intervals);
    add_traffic(&mut record, &mut sequence, intervals);
    add_messages(&mut record, &mut sequence);
    add_congestion(&mut record, &mut sequence);
    add_observed(&mut record, &mut sequence);
    record
}

fn add_ports(record: &mut RunRecord, sequence: &mut Sequence, intervals: u32) {
    for switch in 0..GROUPS * SWITCHES_PER_GROUP {
        let group = switch / SWITCHES_PER_GROUP;
        for role in LinkRole::ALL {
            for number in 0..PORTS_PER_ROLE {
                let port = (role.index() as u32 * 16 + number) as u8;
                let peer = match role {
                    LinkRole::Edge => {
                        format!("endpoint {} (node {} NIC 0)", switch * 16 + number, switch * 16 + number)
                    }
                    LinkRole::Local => {
                        format!("group {group} switch {} port {port}", (switch + number + 1) % SWITCHES_PER_GROUP)
                    }
                    LinkRole::Global => format!(
                        "group {} switch {number} port {port}",
                        (group + 1 + (switch + number) % (GROUPS - 1)) % GROUPS
                    ),
                };
                record.port_info.push(port_info(switch, group, port, role, peer));
            }
        }
    }
    record.ports_by_role =
        [GROUPS * SWITCHES_PER_GROUP * 16, GROUPS * SWITCHES_PER_GROUP * 3, GROUPS * SWITCHES_PER_GROUP * 4]
            .map(u64::from);
    let weights: Vec<u64> = record.port_info.iter().map(|_| 1 + sequence.below(90)).collect();
    for interval in 0..intervals {
        for (info, weight) in record.port_info.iter().zip(&weights) {
            let wave = 30 + u64::from(interval * 13 % intervals.max(1)) * 40 / u64::from(intervals.max(1));
            let bytes = INTERVAL_BYTES * weight * wave * (50 + sequence.below(50)) / 1_000_000;
            record.ports.push(sample(interval, info.index.0, bytes));
        }
    }
    record.switches = (0..GROUPS * SWITCHES_PER_GROUP)
        .map(|switch| SwitchTotals {
            switch: SwitchId(switch),
            group: GroupId(switch / SWITCHES_PER_GROUP),
            packets: 10_000 + sequence.below(90_000),
            bytes: Bytes(40_000_000 + sequence.below(1 << 28)),
            buffered_bytes_max: Bytes(sequence.below(1 << 22)),
        })
        .collect();
}

fn add_traffic(record: &mut RunRecord, sequence: &mut Sequence, intervals: u32) {
    for interval in 0..intervals {
        for (job, class, peak) in [(0, 0, 900_000), (1, 1, 3_200_000), (2, 1, 700_000)] {
            let ramp = if job == 1 { u64::from(interval.abs_diff(intervals / 2) < intervals / 4) } else { 1 };
            let bytes = ramp * (peak / 2 + sequence.below(peak / 2));
            if bytes > 0 {
                let packets = (bytes / 4_096) as u32;
                record.class_samples.push(ClassSample {
                    interval,
                    job: JobId(job),
                    class: ClassId(class),
                    bytes: Bytes(bytes),
                    packets,
                });
            }
        }
    }
    record.packets_delivered = record.class_samples.iter().map(|sample| u64::from(sample.packets)).sum();
    record.packets_injected = record.packets_delivered + 37;
    record.packet_hops = record.packets_delivered * 3;
    record.events = record.packet_hops * 3;
    for flow in 0..400_u32 {
        let packets = 10 + sequence.below(2_000);
        record.flows.push(FlowRow {
            source: EndpointId(flow % 97),
            destination: EndpointId(flow * 7 % 89),
            class: ClassId((flow % 2) as u8),
            job: JobId((flow % 3) as u16),
            packets,
            bytes: Bytes(packets * 4_096),
            latency_sum: Picoseconds::from_nanos(packets * 2_400),
            latency_min: Picoseconds::from_nanos(1_100),
            latency_max: Picoseconds::from_nanos(9_000 + sequence.below(100_000)),
            first_issued: Picoseconds::from_nanos(u64::from(flow) * 10),
            last_delivered: record.simulated,
        });
    }
}

fn add_messages(record: &mut RunRecord, sequence: &mut Sequence) {
    let last = record.simulated.0;
    record.message_latency = vec![Histogram::new(); 3];
    record.packet_latency = vec![Histogram::new(); 2];
    for _ in 0..6_000 {
        let job = sequence.below(3) as u16;
        let tail = if sequence.below(50) == 0 { 40 } else { 1 };
        let latency =
            (1_500_000 + sequence.below(3_000_000) + sequence.below(2_000_000)) * tail * [1, 20, 6][usize::from(job)];
        let issued = Picoseconds(sequence.below(last.max(1)));
        record.message_latency[usize::from(job)].record(latency / 1_000);
        record.packet_latency[usize::from(job.min(1))].record(1_000 + sequence.below(900) * tail);
        let kind = if job == 0 { MessageKind::Rendezvous } else { MessageKind::Put };
        let destination = RankId(sequence.below(32) as u32);
        let (bytes, class) = (Bytes::from_kib(128), ClassId(job.min(1) as u8));
        let delivered = issued + Picoseconds(latency);
        record.messages.push(MessageRow {
            job: JobId(job),
            source: RankId(0),
            destination,
            bytes,
            kind,
            class,
            issued,
            delivered,
        });
    }
    for iteration in 0..12_u32 {
        for rank in 0..64_u32 {
            let start = Picoseconds(last / 12 * u64::from(iteration) + sequence.below(500_000));
            let end = start + Picoseconds(last / 14 + sequence.below(last / 100 + 1));
            record.iterations.push(IterationRow { job: JobId(0), rank: RankId(rank), iteration, start, end });
        }
    }
}

fn add_observed(record: &mut RunRecord, sequence: &mut Sequence) {
    let ports: Vec<PortIndex> = record.port_info.iter().map(|info| info.index).collect();
    for (&port, name) in ports.iter().zip(CounterName::all()) {
        let (place, value) = (CounterPlace::Port(port), 1 + sequence.below(1 << 40));
        record.counters.push(CounterRow { place, port, name, class: Some(ClassId(0)), value });
    }
    if let Some(&port) = ports.first() {
        let place = CounterPlace::Nic(EndpointId(3));
        record.counters.push(CounterRow { place, port, name: CounterName::Retries, class: None, value: 5 });
    }
    record.telemetry_packets = 40;
    for packet in 0..30_u32 {
        let injected = u64::from(packet) * 1_000_000;
        let mut time = injected;
        for hop in 0..3_u8 {
            let arrived = time + 350_000;
            let requested = arrived + if hop == 0 { sequence.below(2_000_000) } else { 0 };
            let departed = requested + sequence.below(4) * 100_000;
            time = departed;
            let port = |at: usize| ports.get(at % ports.len().max(1)).copied().unwrap_or(PortIndex(0));
            record.telemetry.push(TelemetryRow {
                source: EndpointId(packet % 7),
                destination: EndpointId(50),
                number: u64::from(packet) * 16,
                class: ClassId(0),
                bytes: 2_085,
                injected: Picoseconds(injected),
                delivered: Picoseconds(injected + 5_000_000),
                hop,
                input: port(packet as usize),
                output: port(usize::from(hop) * 3 + 1),
                queued_bytes: sequence.below(100_000) as u32,
                arrived: Picoseconds(arrived),
                requested: Picoseconds(requested),
                departed: Picoseconds(departed),
            });
        }
    }
}

fn add_congestion(record: &mut RunRecord, sequence: &mut Sequence) {
    let last = record.simulated.0;
    let mut times: Vec<u64> = (0..900).map(|_| last / 4 + sequence.below(last / 2 + 1)).collect();
    times.sort_unstable();
    for time in times {
        let kind = CongestionKind::ALL[(sequence.below(12) as usize).min(5)];
        record.congestion.push(CongestionRow {
            time: Picoseconds(time),
            kind,
            port: PortIndex(64 * sequence.below(5) as u32),
            source: Some(EndpointId(sequence.below(97) as u32)),
            destination: Some(EndpointId(3)),
            value: 1_000 + sequence.below(200_000),
        });
    }
    for kind in CongestionKind::ALL {
        let count = record.congestion.iter().filter(|event| event.kind == kind).count() as u64;
        if count > 0 {
            record.congestion_counts.push((kind, count * 3));
        }
    }
}
