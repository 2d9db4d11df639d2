//! Combines what the partitions recorded.

use std::collections::BTreeMap;

use philae_results::Histogram;
use philae_results::fault::RetryTotals;
use philae_results::open_messages::OpenMessages;
use philae_results::record::{
    CaptureCount, CongestionKind, JobInfo, OfferedLoad, OpenIteration, PortInfo, ReceivedTotals, RunRecord, RunStatus,
    ScheduleTotals, SwitchTotals, TelemetryRow,
};
use philae_topology::Topology;
use philae_units::{Bytes, JobId, Picoseconds, PortIndex, RankId, SwitchId};

use crate::model::ports;
use crate::observe::counters::Counters;
use crate::observe::recorder::{Recorder, iteration_order, message_order};
use crate::observe::row_counts::CONGESTION_ROWS_PER_KIND;
use crate::partition::Partition;

/// Data of a job for the record.
#[derive(Clone, Debug)]
pub struct JobMeta {
    pub name: String,
    /// Workload, for people.
    pub workload: String,
    pub ranks: u32,
    pub nodes: u32,
    /// Iterations that its ranks count; endless if `None`.
    pub iterations: Option<u32>,
    /// Payload that each rank offers by a schedule, in Gb/s.
    pub offered_gbps: Option<f64>,
}

/// The record of a run. Captures and open iterations come from all processes already.
pub fn build_record(
    mut partitions: Vec<Partition>,
    jobs: &[JobMeta],
    status: RunStatus,
    simulated: Picoseconds,
    (captures, open_iterations): (Vec<CaptureCount>, Vec<OpenIteration>),
    model_bytes_peak: u64,
) -> RunRecord {
    // Partitions of pods and of cores alternate, but ports are reported in order.
    partitions.sort_by_key(|partition| partition.layout.port_base);
    for partition in &mut partitions {
        for slot in 0..partition.switch.outputs.len() {
            let port = partition.port_in(slot);
            let (output, wire) = (&mut partition.switch.outputs[slot], &partition.switch.wires[slot]);
            partition.record.recorder.close_last((slot, port), (output, wire), simulated.0);
        }
        partition.record.recorder.close_classes();
        partition.close_counters(simulated.0);
    }
    let shared = std::sync::Arc::clone(&partitions[0].shared);
    let topology = shared.topology();
    let sum = |count: fn(&Partition) -> u64| partitions.iter().map(count).sum::<u64>();
    let mut digest = philae_engine::Digest::default();
    partitions.iter().for_each(|partition| digest.merge(partition.clock.digest));
    let mut record = RunRecord {
        status,
        simulated,
        measured_from: shared.options.warm_up,
        events: sum(|partition| partition.clock.events),
        packet_hops: sum(|partition| partition.transit.hops),
        packets_injected: sum(|partition| partition.transit.injected),
        packets_delivered: sum(|partition| partition.transit.delivered),
        packets_discarded: sum(|partition| partition.transit.discarded),
        discards: Vec::new(),
        faults: Vec::new(),
        failures: Vec::new(),
        retry_totals: retry_totals(&partitions),
        packet_engine: Vec::new(),
        edge_links: Vec::new(),
        digest: digest.value(),
        model_bytes_peak,
        sample_interval: shared.options.records.sample_interval,
        jobs: Vec::new(),
        classes: shared.config.classes.names(),
        port_info: Vec::new(),
        ports_by_role: ports::ports_by_role(topology),
        messages: Vec::new(),
        iterations: Vec::new(),
        open_iterations,
        activities: Vec::new(),
        activities_left_out: 0,
        ports: Vec::new(),
        class_samples: Vec::new(),
        flows: Vec::new(),
        congestion: Vec::new(),
        congestion_counts: Vec::new(),
        switches: Vec::new(),
        packet_latency: vec![Histogram::default(); shared.config.classes.len()],
        message_latency: vec![Histogram::default(); jobs.len()],
        telemetry: Vec::new(),
        telemetry_packets: sum(|partition| partition.record.recorder.sampled_packets),
        counters: Vec::new(),
        explained: Vec::new(),
        blockers: Vec::new(),
        rates: None,
        captures,
    };
    crate::observe::losses::fill(&mut record, &partitions);
    let mut counters = Counters::default();
    for partition in &partitions {
        if let Some(explainer) = &partition.record.observer.explainer {
            (record.explained, record.blockers) = explainer.rows(&shared);
        }
        switches_of(partition, topology, &mut record.switches);
        counters.merge(&partition.record.recorder.counters);
    }
    crate::observe::losses::count(&mut counters, &partitions);
    record.counters = counters.rows(|endpoint| topology.endpoint(endpoint).port);
    // The rows of a long run may need the room that its packets had.
    let recorders: Vec<Recorder> = partitions.into_iter().map(|partition| partition.record.recorder).collect();
    let mut counts: BTreeMap<CongestionKind, u64> = BTreeMap::new();
    let mut finished = vec![(0_u32, 0_u64, 0_u64); jobs.len()];
    let (mut issued, mut early) = (vec![0_u64; jobs.len()], vec![0_u32; jobs.len()]);
    let mut open = vec![OpenMessages::default(); jobs.len()];
    let mut received = vec![ReceivedTotals::default(); jobs.len()];
    let mut schedules = vec![ScheduleTotals::default(); jobs.len()];
    for recorder in recorders {
        issued.iter_mut().zip(recorder.issued_messages()).for_each(|(total, part)| *total += part);
        received.iter_mut().zip(recorder.received_totals()).for_each(|(total, part)| total.add(part));
        early.iter_mut().zip(recorder.early_iterations()).for_each(|(most, part)| *most = (*part).max(*most));
        gather(&mut record.messages, recorder.rows.messages);
        gather(&mut record.iterations, recorder.rows.iterations);
        if let Some(activities) = recorder.rows.activities {
            activities.finish(simulated.0, &mut record);
        }
        gather(&mut record.ports, recorder.rows.ports);
        gather(&mut record.class_samples, recorder.rows.class_samples);
        record.flows.extend(recorder.rows.flows.into_values());
        gather(&mut record.congestion, recorder.rows.congestion);
        gather(&mut record.failures, recorder.rows.failures);
        gather(&mut record.telemetry, recorder.rows.telemetry);
        for (kind, count) in recorder.rows.congestion_counts.into_counts() {
            *counts.entry(kind).or_insert(0) += count;
        }
        for (total, part) in record.packet_latency.iter_mut().zip(&recorder.packet_latency) {
            total.merge(part);
        }
        for (total, part) in record.message_latency.iter_mut().zip(&recorder.message_latency) {
            total.merge(part);
        }
        for ((total, part), bytes) in finished.iter_mut().zip(&recorder.finished).zip(&recorder.delivered_bytes) {
            *total = (total.0 + part.0, total.1.max(part.1), total.2 + bytes);
        }
        open.iter_mut().zip(&recorder.open).for_each(|(total, part)| total.merge(part));
        schedules.iter_mut().zip(&recorder.schedules).for_each(|(total, part)| total.add(part));
    }
    record.congestion_counts = counts.into_iter().collect();
    record.jobs = jobs
        .iter()
        .zip(finished)
        .zip(schedules)
        .zip(issued.into_iter().zip(open).zip(received).zip(early))
        .map(|(((job, (ranks, time, bytes)), schedule), (((messages_issued, messages_open), received), early))| {
            JobInfo {
                name: job.name.clone(),
                ranks: job.ranks,
                nodes: job.nodes,
                workload: job.workload.clone(),
                finished: (job.ranks > 0 && ranks == job.ranks).then_some(Picoseconds(time)),
                delivered: Bytes(bytes),
                iterations: job.iterations,
                warm_up_iterations: early,
                messages_issued,
                messages_open,
                received: Some(received),
                offered: job.offered_gbps.map(|each| OfferedLoad { gbps: each * f64::from(job.ranks), schedule }),
            }
        })
        .collect();
    sort_rows(&mut record);
    cut_rows(&mut record, shared.options.records.message_rows_max);
    cut_telemetry(&mut record.telemetry, shared.options.records.telemetry_packets_max);
    record.port_info = port_info(topology, &record);
    record
}

/// Adds the rows of one partition to those of the others, and frees the partition's.
fn gather<Row>(all: &mut Vec<Row>, mut of_one: Vec<Row>) {
    if all.is_empty() {
        *all = of_one;
    } else {
        all.append(&mut of_one);
    }
}

/// Sorts rows, which come partition by partition, so that the partitions do not show. Where no two
/// rows have equal keys, the sort is in place: there may be a hundred million rows of ports and of
/// flows.
fn sort_rows(record: &mut RunRecord) {
    record.messages.sort_by_key(message_order);
    record.iterations.sort_by_key(iteration_order);
    record.open_iterations.sort_by_key(|row| (row.start, row.job, row.iteration, row.rank));
    record.activities.sort_by_key(|row| (row.start, row.job, row.rank, row.line, row.depth, row.end));
    record.ports.sort_unstable_by_key(|row| (row.interval, row.port));
    record.flows.sort_unstable_by_key(|row| (row.source, row.destination, row.class, row.job));
    record.congestion.sort_by_key(|row| (row.time, row.port, row.kind, row.source, row.destination));
    record.failures.sort_by_key(|row| (row.failed, row.job, row.source, row.destination, row.issued));
    record.telemetry.sort_by_key(|row| (row.delivered, row.destination, row.source, row.number, row.hop));
    record.class_samples.sort_by_key(|row| (row.interval, row.job, row.class));
    record.class_samples.dedup_by(|next, kept| {
        let same = (next.interval, next.job, next.class) == (kept.interval, kept.job, kept.class);
        if same {
            kept.bytes += next.bytes;
            kept.packets += next.packets;
        }
        same
    });
}

/// Cuts the rows to the first ones. Each partition keeps as many as the run may have.
fn cut_rows(record: &mut RunRecord, rows_max: usize) {
    record.messages.truncate(rows_max);
    record.iterations.truncate(rows_max);
    let mut kept: BTreeMap<CongestionKind, u64> = BTreeMap::new();
    record.congestion.retain(|row| {
        let kept = kept.entry(row.kind).or_insert(0);
        *kept += 1;
        *kept <= CONGESTION_ROWS_PER_KIND
    });
}

/// Keeps the rows of the first `packets_max` packets.
fn cut_telemetry(rows: &mut Vec<TelemetryRow>, packets_max: u64) {
    let mut packets = 0;
    let cut = rows.iter().position(|row| {
        packets += u64::from(row.hop == 0);
        packets > packets_max
    });
    rows.truncate(cut.unwrap_or(rows.len()));
}

/// The iterations that the ranks of partitions have begun and not ended.
pub fn open_iterations(partitions: &[Partition]) -> Vec<OpenIteration> {
    let mut rows = Vec::new();
    let ranks = partitions.iter().flat_map(|partition| partition.host.ranks.iter().map(move |rank| (partition, rank)));
    for (partition, rank) in ranks {
        let places = &partition.shared.places;
        let job = places.ranks[rank.number() as usize].job;
        let base = places.rank_base[usize::from(job)];
        for &(iteration, start) in &rank.iterations {
            if partition.record.recorder.records_iterations(job) {
                let (job, rank) = (JobId(job), RankId(rank.number() - base));
                rows.push(OpenIteration { job, rank, iteration, start: Picoseconds(start) });
            }
        }
    }
    rows
}

fn switches_of(partition: &Partition, topology: &Topology, rows: &mut Vec<SwitchTotals>) {
    for (number, slots) in partition.slots_of_switches().enumerate() {
        let (mut packets, mut bytes) = (0, 0);
        for sent in slots.map(|slot| partition.record.recorder.total_of(slot, &partition.switch.outputs[slot])) {
            packets += sent.packets;
            bytes += sent.bytes;
        }
        if packets > 0 {
            let switch = SwitchId(partition.layout.switch_base + number as u32);
            rows.push(SwitchTotals {
                switch,
                group: topology.group_of(switch),
                packets,
                bytes: Bytes(bytes),
                buffered_bytes_max: Bytes(u64::from(partition.switch.buffered[number].bytes_max)),
            });
        }
    }
}

/// Every port that a table names.
fn port_info(topology: &Topology, record: &RunRecord) -> Vec<PortInfo> {
    let mut named: Vec<PortIndex> =
        record.ports.iter().map(|row| row.port).chain(record.congestion.iter().map(|row| row.port)).collect();
    named.extend(record.discards.iter().map(|row| row.port));
    named.extend(record.counters.iter().map(|row| row.port));
    named.extend(record.edge_links.iter().map(|row| row.port));
    named.extend(record.telemetry.iter().flat_map(|row| [row.input, row.output]));
    named.extend(record.explained.iter().filter_map(|row| row.port));
    ports::port_info(topology, named)
}

/// The sums of all partitions.
fn retry_totals(partitions: &[Partition]) -> RetryTotals {
    partitions.iter().fold(RetryTotals::default(), |mut sum, partition| {
        sum += partition.nic.retry_totals;
        sum
    })
}
