//! Records what happens in a partition. Nothing here flows back into the model.

use std::collections::BTreeMap;

use philae_results::Histogram;
use philae_results::counter::CounterName;
use philae_results::fault::FailureRow;
use philae_results::open_messages::OpenMessages;
use philae_results::record::{
    ClassSample, CongestionKind, CongestionRow, FlowRow, IterationRow, MessageKind, MessageRow, PortSample,
    ReceivedTotals, ScheduleTotals, TelemetryRow,
};
use philae_units::{Bytes, ClassId, EndpointId, JobId, Picoseconds, PortIndex, RankId};
use philae_workload::Action;

use crate::model::flow::{Flow, NicFlow};
use crate::model::output::{Output, Sample, Wire};
use crate::model::packet::{Incoming, Packet, PacketPurpose};
use crate::model::shared::Shared;
use crate::observe::activity::ActivityRecorder;
use crate::observe::counters::Counters;
use crate::observe::row_counts::RowCounts;

/// Interval in which an output counts if nothing is sampled: a second. Source: ours; fewer packets
/// than a count has room for. Status: derived.
const UNSAMPLED_SPAN: u64 = 1_000_000_000_000;

/// What an output has sent.
#[derive(Clone, Copy, Debug, Default, serde::Serialize, serde::Deserialize)]
pub struct Traffic {
    pub packets: u64,
    pub bytes: u64,
}

/// The records of a partition.
#[derive(serde::Serialize, serde::Deserialize)]
pub struct Recorder {
    /// Scratch list of a rank's actions, kept here so that it is allocated once.
    #[serde(skip)]
    pub actions: Vec<Action>,
    /// Measurements count from here, in picoseconds.
    pub warm_up: u64,
    interval: u64,
    rows_max: usize,
    record_flows: bool,
    record_messages: Vec<bool>,
    classes: usize,
    /// What each port sent before its current sampling interval.
    totals: Vec<Traffic>,
    current_interval: u32,
    current: Vec<(u64, u32)>,
    /// Packet latency by class, in nanoseconds.
    pub packet_latency: Vec<Histogram>,
    /// Messages that ranks issued after the warm-up, by job.
    issued: Vec<u64>,
    /// Those among them that were not delivered; the other end of a message may count in another
    /// partition.
    pub open: Vec<OpenMessages>,
    /// The first so many iterations of each job are those that a rank began in the warm-up.
    early: Vec<u32>,
    /// Latency by job of those among them that were delivered, in nanoseconds.
    pub message_latency: Vec<Histogram>,
    /// Payload delivered after the warm-up, by job.
    pub delivered_bytes: Vec<u64>,
    /// What each job's applications have received.
    received: Vec<ReceivedTotals>,
    /// Messages that followed a schedule and began after the warm-up, by job.
    pub schedules: Vec<ScheduleTotals>,
    /// When each job's ranks finished: number and latest time, in picoseconds.
    pub finished: Vec<(u32, u64)>,
    /// Counters of ports and NICs.
    pub counters: Counters,
    /// Number of sampled packets that were delivered.
    pub sampled_packets: u64,
    /// The most sampled packets that are kept as rows.
    pub sampled_packets_max: u64,
    pub rows: Rows,
}

/// The rows of the record's tables so far.
#[derive(serde::Serialize, serde::Deserialize)]
pub struct Rows {
    pub messages: Vec<MessageRow>,
    pub iterations: Vec<IterationRow>,
    /// Activities of ranks, if they were asked for.
    pub activities: Option<Box<ActivityRecorder>>,
    /// Samples of ports over time.
    pub ports: Vec<PortSample>,
    /// Samples of traffic by job and class over time.
    pub class_samples: Vec<ClassSample>,
    /// Flows by source, destination, class and job.
    pub flows: BTreeMap<(u32, u32, u8, u16), FlowRow>,
    /// Congestion events.
    pub congestion: Vec<CongestionRow>,
    /// Number of congestion events by kind.
    pub congestion_counts: RowCounts,
    /// Operations that failed.
    pub failures: Vec<FailureRow>,
    /// What sampled packets met.
    pub telemetry: Vec<TelemetryRow>,
}

/// How a message travelled.
pub fn kind_of(message: &Incoming) -> MessageKind {
    match message.header.purpose {
        _ if message.packets == 0 => MessageKind::Local,
        PacketPurpose::Put => MessageKind::Put,
        PacketPurpose::GetData | PacketPurpose::GetRequest => MessageKind::Get,
        PacketPurpose::ReadData | PacketPurpose::ReadRequest | PacketPurpose::RendezvousRequest => {
            MessageKind::Rendezvous
        }
        PacketPurpose::Eager | PacketPurpose::Deferrable => MessageKind::Eager,
        PacketPurpose::Amo | PacketPurpose::FetchingAmo | PacketPurpose::AmoData => MessageKind::Amo,
        PacketPurpose::Notice | PacketPurpose::Collective | PacketPurpose::Response => {
            unreachable!("{}", crate::model::packet::NO_MESSAGE)
        }
    }
}

/// Order of messages in the record.
pub const fn message_order(row: &MessageRow) -> (Picoseconds, JobId, RankId, RankId, Picoseconds) {
    (row.delivered, row.job, row.destination, row.source, row.issued)
}

/// Order of iterations in the record.
pub const fn iteration_order(row: &IterationRow) -> (Picoseconds, JobId, u32, RankId) {
    (row.end, row.job, row.iteration, row.rank)
}

/// Keeps the first `most` rows, and up to as many again. Rows come almost in their order, except
/// those of future times, so the first that come are not the first of all.
fn keep_first<Row, Order: Ord>(rows: &mut Vec<Row>, most: usize, order: fn(&Row) -> Order) {
    if rows.len() / 2 > most {
        rows.sort_by_key(order);
        rows.truncate(most);
    }
}

impl Recorder {
    /// An empty recorder for `ports` ports.
    pub fn new(shared: &Shared, ports: usize) -> Self {
        let jobs = shared.places.rank_base.len();
        let classes = shared.config.classes.len();
        Self {
            actions: Vec::new(),
            warm_up: shared.options.warm_up.0,
            interval: shared.options.records.sample_interval.0,
            rows_max: shared.options.records.message_rows_max,
            record_flows: shared.options.records.flows,
            record_messages: shared.job_records.clone(),
            classes,
            totals: vec![Traffic::default(); ports],
            current_interval: 0,
            current: vec![(0, 0); if shared.options.records.sample_interval.0 > 0 { jobs * classes } else { 0 }],
            packet_latency: vec![Histogram::default(); classes],
            issued: vec![0; jobs],
            open: vec![OpenMessages::default(); jobs],
            early: vec![0; jobs],
            message_latency: vec![Histogram::default(); jobs],
            delivered_bytes: vec![0; jobs],
            received: vec![ReceivedTotals::default(); jobs],
            schedules: vec![ScheduleTotals::default(); jobs],
            finished: vec![(0, 0); jobs],
            counters: Counters::default(),
            sampled_packets: 0,
            sampled_packets_max: shared.options.records.telemetry_packets_max,
            rows: Rows {
                messages: Vec::new(),
                iterations: Vec::new(),
                activities: shared
                    .options
                    .records
                    .activities
                    .clone()
                    .map(|options| Box::new(ActivityRecorder::new(options))),
                ports: Vec::new(),
                class_samples: Vec::new(),
                flows: BTreeMap::new(),
                congestion: Vec::new(),
                congestion_counts: RowCounts::default(),
                failures: Vec::new(),
                telemetry: Vec::new(),
            },
        }
    }

    /// Advances the sampling interval of output `port` (slot `port_slot`) to `now`. `queued`
    /// bytes wait in the output.
    #[inline]
    pub fn sample_output(
        &mut self,
        slot_and_port: (usize, u32),
        (output, wire): (&mut Output, &Wire),
        queued: u32,
        now: u64,
    ) {
        if now >= output.sample.end {
            self.next_sample(slot_and_port, (output, wire), queued, now);
        }
    }

    /// Prefetches what an output has sent before its sampling interval, if that interval is over.
    #[inline]
    pub fn prefetch_total(&self, port_slot: usize, output: &Output, now: u64) {
        if now >= output.sample.end {
            philae_engine::prefetch_line_at(&self.totals, port_slot);
        }
    }

    /// Closes intervals until the one that contains `now`. Intervals in which the output was
    /// starved all the time are kept too. A packet that continues beyond the interval fills as many
    /// others as it covers, each at most at the wire's rate.
    #[inline(never)]
    fn next_sample(
        &mut self,
        slot_and_port: (usize, u32),
        (output, wire): (&mut Output, &Wire),
        queued: u32,
        now: u64,
    ) {
        let span = if self.interval == 0 { UNSAMPLED_SPAN } else { self.interval };
        while now >= output.sample.end {
            let Sample { end, bytes, packets, .. } = output.sample;
            self.close_sample(slot_and_port, output, end);
            let total = &mut self.totals[slot_and_port.0];
            total.packets += u64::from(packets);
            total.bytes += bytes;
            let after = output.bytes_after;
            let within = u16::try_from(wire.bytes_within(span)).unwrap_or(u16::MAX).min(after);
            output.bytes_after = after - within;
            let goes_on = output.is_starved() || after > 0;
            let start = if goes_on { end } else { now / span * span };
            output.sample = Sample { end: start + span, bytes: within.into(), queued_max: queued, ..Sample::BEFORE };
            output.restart_starved_time();
        }
    }

    /// Counts a packet whose transmission on output `port` (slot `port_slot`) begins now. `queued`
    /// bytes wait in the output. Bytes sent after the interval's end count for the next intervals.
    #[inline]
    pub fn sample_sent(
        &mut self,
        slot_and_port: (usize, u32),
        (output, wire): (&mut Output, &Wire),
        queued: u32,
        now: u64,
        (bytes, serialization): (u64, u64),
    ) {
        self.sample_output(slot_and_port, (&mut *output, wire), queued, now);
        output.sample.packets += 1;
        let beyond = (now + serialization).saturating_sub(output.sample.end);
        let after = if beyond == 0 { 0 } else { bytes * beyond / serialization };
        output.sample.bytes += bytes - after;
        output.bytes_after += u16::try_from(after).expect("a frame is below 64 KiB");
    }

    /// Counts the end of a time without credits.
    #[inline]
    pub fn sample_fed(&mut self, output: &mut Output, now: u64) {
        if self.interval != 0 {
            let start = output.sample.end - self.interval;
            output.count_starved(start, now);
        }
    }

    /// Keeps the last intervals of an output, at the end of the run.
    pub fn close_last(&mut self, slot_and_port: (usize, u32), (output, wire): (&mut Output, &Wire), now: u64) {
        if output.sample.end == 0 {
            return;
        }
        // The last packet may have gone on for intervals in which nothing else happened.
        while output.bytes_after > 0 && output.sample.end < now {
            let end = output.sample.end;
            self.next_sample(slot_and_port, (&mut *output, wire), 0, end);
        }
        let (end, bytes) = (output.sample.end, output.sample.bytes);
        if now < end {
            // What the wire had not carried when the run ended.
            let left = wire.bytes_within(output.free_at.clamp(now, end) - now).min(bytes);
            output.sample.bytes -= left;
        }
        self.close_sample(slot_and_port, output, end.min(now));
        output.sample.bytes = bytes;
    }

    /// Keeps the interval of an output up to `now` as a row, if rows are asked for and the output
    /// sent or starved in it.
    fn close_sample(&mut self, (_, port): (usize, u32), output: &Output, now: u64) {
        if self.interval == 0 {
            return;
        }
        let sample = &output.sample;
        let starved = output.starved_time(sample.end.saturating_sub(self.interval), now);
        if sample.packets == 0 && starved == 0 && sample.bytes == 0 {
            return;
        }
        self.rows.ports.push(PortSample {
            interval: u32::try_from(sample.end / self.interval - 1).unwrap_or(u32::MAX),
            port: PortIndex(port),
            bytes: Bytes(sample.bytes),
            packets: sample.packets,
            queued_bytes_max: Bytes(u64::from(sample.queued_max)),
            stalled: Picoseconds(starved),
        });
    }

    /// What the output in slot `port_slot` has sent over the whole run.
    pub fn total_of(&self, port_slot: usize, output: &Output) -> Traffic {
        let before = self.totals[port_slot];
        Traffic {
            packets: before.packets + u64::from(output.sample.packets),
            bytes: before.bytes + output.sample.bytes + u64::from(output.bytes_after),
        }
    }

    /// A packet has reached its NIC.
    #[inline]
    pub fn delivered(&mut self, now: u64, job: JobId, (class, payload): (u8, u16), latency: u64) {
        if now >= self.warm_up {
            self.packet_latency[usize::from(class)].record(latency / 1_000);
            self.delivered_bytes[job.index()] += u64::from(payload);
        }
        if self.interval != 0 {
            let begun = u64::from(self.current_interval) * self.interval;
            if now.wrapping_sub(begun) >= self.interval {
                self.close_classes();
                self.current_interval = u32::try_from(now / self.interval).unwrap_or(u32::MAX);
            }
            let cell = &mut self.current[job.index() * self.classes + usize::from(class)];
            cell.0 += u64::from(payload);
            cell.1 += 1;
        }
    }

    /// Memory that grows with the network, in bytes.
    pub fn memory_bytes(&self) -> usize {
        self.totals.capacity() * size_of::<Traffic>()
    }

    /// Keeps the traffic of the current interval.
    pub fn close_classes(&mut self) {
        for (index, cell) in self.current.iter_mut().enumerate() {
            if cell.1 > 0 {
                self.rows.class_samples.push(ClassSample {
                    interval: self.current_interval,
                    job: JobId::from_index(index / self.classes),
                    class: ClassId::from_index(index % self.classes),
                    bytes: Bytes(cell.0),
                    packets: cell.1,
                });
            }
            *cell = (0, 0);
        }
    }

    /// The data of an operation has arrived in full at `now`.
    pub fn message(&mut self, now: u64, message: &Incoming, shared: &Shared) {
        let header = &message.header;
        let job = header.job;
        if self.record_flows && message.packets > 0 {
            let key = (message.source, message.destination, header.class.0, job.0);
            let row = self.rows.flows.entry(key).or_insert(FlowRow {
                source: EndpointId(message.source),
                destination: EndpointId(message.destination),
                class: header.class,
                job,
                packets: 0,
                bytes: Bytes::ZERO,
                latency_sum: Picoseconds::ZERO,
                latency_min: Picoseconds::MAX,
                latency_max: Picoseconds::ZERO,
                first_issued: Picoseconds::MAX,
                last_delivered: Picoseconds::ZERO,
            });
            row.packets += u64::from(message.packets);
            row.bytes += Bytes(header.bytes);
            row.latency_sum += Picoseconds(message.latency_sum);
            row.latency_min = row.latency_min.min(Picoseconds(message.latency_min));
            row.latency_max = row.latency_max.max(Picoseconds(message.latency_max));
            row.first_issued = row.first_issued.min(Picoseconds(header.issued));
            row.last_delivered = row.last_delivered.max(Picoseconds(now));
        }
        if header.issued < self.warm_up {
            return;
        }
        self.message_latency[job.index()].record((now - header.issued) / 1_000);
        self.open[job.index()].deliver(header.issued);
        if self.record_messages[job.index()] {
            let kind = kind_of(message);
            let base = shared.places.rank_base[job.index()];
            // The data of a get travels from the target to the rank that issued the get.
            let (issuer, other) = if header.purpose.answers_issuer() {
                (header.destination_rank, header.source_rank)
            } else {
                (header.source_rank, header.destination_rank)
            };
            self.rows.messages.push(MessageRow {
                job,
                source: RankId(issuer - base),
                destination: RankId(other - base),
                bytes: Bytes(header.operation_bytes),
                kind,
                class: header.class,
                issued: Picoseconds(header.issued),
                delivered: Picoseconds(now),
            });
            keep_first(&mut self.rows.messages, self.rows_max, message_order);
        }
    }

    /// Whether the iterations of a job are recorded.
    pub fn records_iterations(&self, job: u16) -> bool {
        self.record_messages[usize::from(job)]
    }

    /// The first so many iterations of each job are those that a rank began in the warm-up.
    pub fn early_iterations(&self) -> &[u32] {
        &self.early
    }

    /// A rank has ended an iteration.
    pub fn iteration(&mut self, job: JobId, rank: u32, iteration: u32, start: u64, end: u64) {
        if !self.records_iterations(job.0) {
            return;
        }
        if start < self.warm_up {
            let early = &mut self.early[job.index()];
            *early = iteration.saturating_add(1).max(*early);
            return;
        }
        let (start, end) = (Picoseconds(start), Picoseconds(end));
        self.rows.iterations.push(IterationRow { job, rank: RankId(rank), iteration, start, end });
        keep_first(&mut self.rows.iterations, self.rows_max, iteration_order);
    }

    /// A message that was intended for `due` has come to its core at `now`, which takes it at
    /// `time`.
    pub fn scheduled(&mut self, job: u16, bytes: Bytes, due: u64, now: u64, time: u64) {
        if now >= self.warm_up {
            let totals = &mut self.schedules[usize::from(job)];
            totals.messages += 1;
            totals.bytes += bytes;
            totals.waited_for_window += Picoseconds(now - due);
            totals.waited_for_core += Picoseconds(time - now);
        }
    }

    /// What each job's applications have received.
    pub fn received_totals(&self) -> &[ReceivedTotals] {
        &self.received
    }

    /// An application has received a message at `time`: its program has the data, or they are in
    /// its memory where it takes no part.
    #[inline]
    pub fn received(&mut self, job: u16, bytes: u64, time: u64) {
        if time >= self.warm_up {
            let received = &mut self.received[usize::from(job)];
            (received.messages, received.bytes.0) = (received.messages + 1, received.bytes.0 + bytes);
        }
    }

    /// Messages that ranks issued after the warm-up, by job.
    pub fn issued_messages(&self) -> &[u64] {
        &self.issued
    }

    /// A rank has issued a message at `time`.
    #[inline]
    pub fn issued(&mut self, job: u16, time: u64) {
        if time >= self.warm_up {
            self.issued[usize::from(job)] += 1;
            self.open[usize::from(job)].issue(time);
        }
    }

    /// A core was busy for `span` to begin messages of a schedule at `now`.
    pub fn core_busy(&mut self, job: u16, now: u64, span: u64) {
        if now >= self.warm_up {
            self.schedules[usize::from(job)].core_time += Picoseconds(span);
        }
    }

    /// A rank has finished.
    pub fn rank_finished(&mut self, job: u16, time: u64) {
        let entry = &mut self.finished[usize::from(job)];
        entry.0 += 1;
        entry.1 = entry.1.max(time);
    }

    fn event(&mut self, now: u64, kind: CongestionKind, port: u32, flow: Option<(u32, u32)>, value: u64) {
        if self.rows.congestion_counts.add(kind) {
            self.rows.congestion.push(CongestionRow {
                time: Picoseconds(now),
                kind,
                port: PortIndex(port),
                source: flow.map(|flow| EndpointId(flow.0)),
                destination: flow.map(|flow| EndpointId(flow.1)),
                value,
            });
        }
    }

    /// An edge queue has passed the threshold.
    pub fn endpoint_onset(&mut self, now: u64, port: u32, queue: u32) {
        self.counters.add(port, CounterName::EndpointOnsets, 1);
        self.event(now, CongestionKind::EndpointOnset, port, None, u64::from(queue));
    }

    /// An edge queue has drained after `span` picoseconds.
    pub fn endpoint_end(&mut self, now: u64, port: u32, span: u64) {
        self.counters.add(port, CounterName::EndpointCongested, span);
        self.event(now, CongestionKind::EndpointEnd, port, None, span);
    }

    /// A flow is held from now on.
    pub fn flow_held(&mut self, now: u64, port: u32, flow: &Flow) {
        self.event(now, CongestionKind::FlowHeld, port, Some((flow.source, flow.destination)), 0);
    }

    /// A flow is free again, or gone, after `span` picoseconds.
    pub fn flow_released(&mut self, now: u64, port: u32, flow: &Flow, span: u64) {
        self.event(now, CongestionKind::FlowReleased, port, Some((flow.source, flow.destination)), span);
    }

    /// A flow leaves its path, because it met congestion inside the fabric.
    pub fn flow_moved(&mut self, now: u64, flow: &Flow) {
        let ends = Some((flow.source, flow.destination));
        self.event(now, CongestionKind::FlowMoved, flow.port, ends, u64::from(flow.extent_bytes));
    }

    /// A NIC has cut a flow's rate to `rate` Mb/s.
    pub fn rate_cut(&mut self, now: u64, port: u32, flow: &NicFlow, rate: u32) {
        self.counters.add_nic(flow.source, CounterName::RateCuts, 1);
        self.event(now, CongestionKind::FlowHeld, port, Some((flow.source, flow.destination)), u64::from(rate));
    }

    /// A packet has been marked.
    pub fn marked(&mut self, now: u64, port: u32, packet: &Packet, queue: u32) {
        self.counters.add(port, CounterName::Marked, 1);
        let flow = Some((packet.source, packet.destination));
        self.event(now, CongestionKind::Marked, port, flow, u64::from(queue));
    }

    /// A packet has been discarded.
    pub fn discarded(&mut self, now: u64, port: u32, packet: &Packet) {
        let flow = Some((packet.source, packet.destination));
        self.event(now, CongestionKind::Discarded, port, flow, u64::from(packet.wire_bytes));
    }

    /// A NIC is asked to pause.
    pub fn pause_start(&mut self, now: u64, port: u32, occupancy: u32) {
        self.event(now, CongestionKind::PauseStart, port, None, u64::from(occupancy));
    }

    /// A NIC may continue after `span` picoseconds.
    pub fn pause_end(&mut self, now: u64, port: u32, span: u64) {
        self.event(now, CongestionKind::PauseEnd, port, None, span);
    }
}
