//! The most important figures of a run. Serialisable, for `--json`.

use std::collections::BTreeMap;

use philae_units::{JobId, Picoseconds, counted};
use serde::Serialize;

use crate::bound::{IterationParts, IterationTime, LatencyBounds, latency_text};
use crate::counter::CounterName;
use crate::fairness::jain_index;
use crate::format::{Unit, count, number, time_ps};
use crate::histogram::Histogram;
use crate::latency::Latency;
use crate::percentile::mean;
use crate::record::{
    FlowRow, IterationRow, JobInfo, LinkRole, OpenIteration, RateTotals, RunRecord, RunStatus, ScheduleTotals,
};
use crate::span::MeasuredSpan;
use crate::utilisation::{PortUse, RoleUse, Utilisation};

/// Number of the busiest ports and largest flows in a summary.
const NAMED: usize = 10;

/// Iterations of one job that began in the measured part.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Iterations {
    /// Time from the first rank's start to the last rank's end, over the iterations that every rank
    /// ended; absent if there is none.
    pub span: Option<Latency>,
    /// Mean over ranks and complete iterations of a rank's own time, in picoseconds; absent if none
    /// is complete.
    pub rank_mean_ps: Option<f64>,
    /// Iterations that every rank ended.
    pub complete: u64,
    /// Iterations that began but did not end on every rank before the run did.
    pub incomplete: u64,
    /// Iterations that the job would have counted by its end, without those of the warm-up; absent
    /// if it is endless.
    pub planned: Option<u32>,
    /// Of these, those that did not end; of an endless job, those that began and did not.
    pub not_ended: u64,
    /// Time that the oldest incomplete iteration had taken when the run ended, in picoseconds: it
    /// takes at least as long. Absent if every iteration that began is complete.
    pub incomplete_for_ps: Option<u64>,
}

impl Iterations {
    /// How many of how many ended: `1 of 5`, or the number alone for an endless job.
    #[must_use]
    pub fn ended(&self) -> String {
        ended_text(self.complete, self.planned.map(u64::from))
    }

    /// The mean time of the complete iterations, after `≥` if the job ends and the run did not see
    /// all of it; `≥` and the time of the oldest incomplete one if none is complete.
    #[must_use]
    pub fn duration(&self) -> String {
        let (mean, oldest) = (self.span.map(|span| span.mean_ps), self.incomplete_for_ps.map(|oldest| oldest as f64));
        duration_text(IterationParts { mean, is_cut: self.is_cut(), oldest })
    }

    /// Whether the job ends and this run did not see all of it.
    fn is_cut(&self) -> bool {
        self.planned.is_some() && self.not_ended > 0
    }
}

/// [`Iterations::ended`], from its parts.
pub(crate) fn ended_text(complete: u64, planned: Option<u64>) -> String {
    let complete = count(complete);
    planned.map_or_else(|| complete.clone(), |planned| format!("{complete} of {}", count(planned)))
}

/// [`Iterations::duration`], from its parts in picoseconds.
pub(crate) fn duration_text(parts: IterationParts) -> String {
    let time = IterationTime::of(parts);
    let sign = if time.is_some_and(|time| time.is_bound) { "≥" } else { "" };
    format!("{sign}{}", Unit::Time.format(time.map_or(f64::NAN, |time| time.ps)))
}

impl JobSummary {
    /// Mean, p50, p95, p99 and the largest latency of its messages, as text: after `≥` where those
    /// that were not delivered make a figure a bound.
    #[must_use]
    pub fn latency_texts(&self) -> [String; 5] {
        let known = |read: fn(&Latency) -> f64| self.message_latency.as_ref().map(read);
        let bounds = self.message_latency_at_least.unwrap_or_default();
        [
            latency_text(known(|latency| latency.mean_ps), bounds.mean_ps),
            latency_text(known(|latency| latency.p50_ps), bounds.p50_ps),
            latency_text(known(|latency| latency.p95_ps), bounds.p95_ps),
            latency_text(known(|latency| latency.p99_ps), bounds.p99_ps),
            latency_text(known(|latency| latency.max_ps), bounds.max_ps),
        ]
    }
}

/// One job.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct JobSummary {
    /// Name in the scenario.
    pub name: String,
    pub workload: String,
    pub ranks: u32,
    pub nodes: u32,
    /// When its last rank finished, in picoseconds; absent if it had not.
    pub finished_ps: Option<u64>,
    /// Messages that its ranks issued in the measured part.
    pub messages_issued: u64,
    /// Those among them that were not delivered when the run ended: they have no latency.
    pub messages_undelivered: u64,
    /// Messages that its applications received in the measured part: a program got them, or they
    /// are in its memory where it takes no part. Absent in runs in rates.
    pub received_messages: Option<u64>,
    /// Their payload. `delivered_bytes` is what reached its NICs.
    pub received_bytes: Option<u64>,
    /// Latency of those that were, from issue to delivery; absent if there is none.
    pub message_latency: Option<Latency>,
    /// Lower bounds of the figures of all that were issued, where those that were not delivered
    /// make a difference; absent if they make none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message_latency_at_least: Option<LatencyBounds>,
    /// Iterations; absent if none began.
    pub iterations: Option<Iterations>,
    /// Payload delivered in the measured part.
    pub delivered_bytes: u64,
    /// The same per time until the job finished or the run ended, in Gb/s.
    pub delivered_gbps: f64,
    /// Payload that its ranks offer by a schedule, in Gb/s; absent if completions decide when
    /// messages start.
    pub offered_gbps: Option<f64>,
    /// Mean time that a scheduled message waited for its core, in picoseconds; absent if none
    /// began.
    pub core_wait_mean_ps: Option<f64>,
    /// Mean time that it waited before, because as many messages as are allowed were outstanding,
    /// in picoseconds; absent if none began.
    pub window_wait_mean_ps: Option<f64>,
    /// Jain's index of the rates of its flows, in (0, 1]; absent if it has no flows.
    ///
    /// The rate of a flow is its payload over the time from its first message's issue to its last
    /// message's arrival, or to the end of the run if the job had not finished.
    pub flow_fairness: Option<f64>,
}

/// Packet latency of one class.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ClassSummary {
    /// Name in the scenario.
    pub name: String,
    /// Payload delivered in the measured part; absent if the run was not sampled.
    pub delivered_bytes: Option<u64>,
    /// Packet latency, NIC to NIC; absent when no packet was delivered.
    pub packet_latency: Option<Latency>,
}

/// One flow.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FlowSummary {
    /// Sending endpoint.
    pub source_endpoint: u32,
    /// Receiving endpoint.
    pub destination_endpoint: u32,
    pub class: String,
    pub job: String,
    /// Payload delivered over the whole run.
    pub bytes: u64,
    /// Its share of all flows' payload, 0 to 1.
    pub share: f64,
    /// Mean packet latency in picoseconds; absent when it delivered nothing.
    pub latency_mean_ps: Option<f64>,
    /// Largest packet latency in picoseconds; absent when it delivered nothing.
    pub latency_max_ps: Option<f64>,
}

/// The figures of a run.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RunSummary {
    /// Why it ended.
    pub status: RunStatus,
    /// Counts of a run in rates; absent for one in packets.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rates: Option<RateTotals>,
    /// Simulated time at the end.
    pub simulated_ps: u64,
    /// Measurements count from here.
    pub measured_from_ps: u64,
    /// Digest of the event order, 16 hexadecimal digits.
    pub digest: String,
    /// Events handled.
    pub events: u64,
    /// Packets that left a switch output port, once per switch crossed.
    pub packet_hops: u64,
    /// Packets that a NIC put on the wire.
    pub packets_injected: u64,
    /// Packets that reached their NIC.
    pub packets_delivered: u64,
    pub packets_discarded: u64,
    /// Packets in transit when the run ended.
    pub packets_in_flight: u64,
    /// Bytes of memory that the model held at its peak.
    pub model_bytes_peak: u64,
    /// Payload of all jobs delivered per time in the measured part, in Gb/s.
    pub delivered_gbps: f64,
    /// Jobs, in the order of the scenario.
    pub jobs: Vec<JobSummary>,
    /// Traffic classes, in the order of the scenario.
    pub classes: Vec<ClassSummary>,
    /// Link utilisation by role, in the measured part; none if the run was not sampled.
    pub links: Vec<RoleUse>,
    /// The busiest ports.
    pub hottest_ports: Vec<PortUse>,
    /// Ports that wanted to send at some time and had no credits, or were paused.
    pub ports_starved: u64,
    /// Those that had none for the longest time.
    pub starved_ports: Vec<PortUse>,
    /// How often each kind of congestion event happened over the whole run, without kinds that did
    /// not happen.
    pub congestion: BTreeMap<&'static str, u64>,
    /// Packets discarded, by cause.
    pub discards: BTreeMap<&'static str, u64>,
    /// Packets that switches cut down to their header.
    pub packets_trimmed: u64,
    /// Packets that NICs sent again.
    pub packets_retried: u64,
    pub operations_failed: u64,
    /// Faults that began.
    pub faults: u64,
    /// Number of flows over the whole run.
    pub flows: u64,
    /// Jain's index of the rates of all jobs' flows; absent when nothing was delivered.
    pub flow_fairness: Option<f64>,
    pub largest_flows: Vec<FlowSummary>,
}

impl RunSummary {
    /// Computes every figure from the record.
    #[must_use]
    pub fn of(record: &RunRecord) -> Self {
        Self::with_utilisation(record, &Utilisation::of(record))
    }

    /// The same, for a caller that already has the utilisation.
    #[must_use]
    pub fn with_utilisation(record: &RunRecord, utilisation: &Utilisation) -> Self {
        let arrived = record.packets_delivered + record.packets_discarded;
        let jobs = job_summaries(record);
        let delivered: u64 = jobs.iter().map(|job| job.delivered_bytes).sum();
        let rates: Vec<f64> = record.flows.iter().map(|flow| flow_rate(record, flow)).collect();
        Self {
            status: record.status,
            rates: record.rates,
            simulated_ps: record.simulated.0,
            measured_from_ps: record.measured_from.0,
            digest: format!("{:016x}", record.digest),
            events: record.events,
            packet_hops: record.packet_hops,
            packets_injected: record.packets_injected,
            packets_delivered: record.packets_delivered,
            packets_discarded: record.packets_discarded,
            packets_in_flight: record.packets_injected.saturating_sub(arrived),
            model_bytes_peak: record.model_bytes_peak,
            delivered_gbps: gbps(delivered, MeasuredSpan::of(record).length()),
            jobs,
            classes: class_summaries(record),
            links: utilisation.roles.clone(),
            hottest_ports: utilisation.hottest(None, NAMED).into_iter().cloned().collect(),
            ports_starved: utilisation.ports.iter().filter(|port| port.stalled > 0.0).count() as u64,
            starved_ports: utilisation.starved(NAMED).into_iter().cloned().collect(),
            congestion: record
                .congestion_counts
                .iter()
                .filter(|event| event.1 > 0)
                .map(|event| (event.0.as_str(), event.1))
                .collect(),
            flows: record.flows.len() as u64,
            discards: record.discards.iter().fold(BTreeMap::new(), |mut sums, row| {
                *sums.entry(row.cause.name()).or_default() += row.packets;
                sums
            }),
            packets_trimmed: record
                .counters
                .iter()
                .filter(|row| row.name == CounterName::Trimmed)
                .map(|row| row.value)
                .sum(),
            packets_retried: record.retry_totals.retries,
            operations_failed: record.failures.len() as u64,
            faults: record.faults.len() as u64,
            flow_fairness: jain_index(&rates),
            largest_flows: largest_flows(record, NAMED),
        }
    }

    /// The utilisation of one role; `None` when the system has no such ports.
    #[must_use]
    pub fn links_of(&self, role: LinkRole) -> Option<&RoleUse> {
        self.links.iter().find(|links| links.role == role)
    }
}

/// Bytes per time in Gb/s; 0 for no time.
fn gbps(bytes: u64, time: Picoseconds) -> f64 {
    // Bits per picosecond are Tb/s.
    if time == Picoseconds::ZERO { 0.0 } else { bytes as f64 * 8e3 / time.0 as f64 }
}

fn job_summaries(record: &RunRecord) -> Vec<JobSummary> {
    let span = MeasuredSpan::of(record);
    let sampled = record.is_sampled();
    let mut delivered: Vec<u64> = record.jobs.iter().map(|job| if sampled { 0 } else { job.delivered.0 }).collect();
    for sample in record.class_samples.iter().filter(|sample| sample.interval >= span.first_interval) {
        if let Some(bytes) = delivered.get_mut(sample.job.index()) {
            *bytes += sample.bytes.0;
        }
    }
    let mut latencies = message_latencies_ps(record);
    let spans = iteration_spans_by_job(record);
    let open = open_by_job(record);
    let mut flow_rates = vec![Vec::new(); record.jobs.len()];
    for flow in &record.flows {
        if let Some(rates) = flow_rates.get_mut(flow.job.index()) {
            rates.push(flow_rate(record, flow));
        }
    }
    let summarise = |(index, job): (usize, &JobInfo)| {
        let end = job.finished.unwrap_or(record.simulated).min(record.simulated);
        let message_latency = job_latency(record, index, &mut latencies[index]);
        JobSummary {
            name: job.name.clone(),
            workload: job.workload.clone(),
            ranks: job.ranks,
            nodes: job.nodes,
            finished_ps: job.finished.map(|time| time.0),
            messages_issued: job.messages_issued,
            received_messages: job.received.map(|received| received.messages),
            received_bytes: job.received.map(|received| received.bytes.0),
            messages_undelivered: job.messages_issued.saturating_sub(measured_messages(record, index)),
            message_latency,
            message_latency_at_least: latency_bounds(record, index, message_latency.as_ref()),
            iterations: iterations(record, job, &spans[index], &open[index]),
            delivered_bytes: delivered[index],
            delivered_gbps: gbps(delivered[index], end.saturating_sub(span.start)),
            offered_gbps: job.offered.map(|offered| offered.gbps),
            core_wait_mean_ps: scheduled(job, |totals| totals.waited_for_core),
            window_wait_mean_ps: scheduled(job, |totals| totals.waited_for_window),
            flow_fairness: jain_index(&flow_rates[index]),
        }
    };
    record.jobs.iter().enumerate().map(summarise).collect()
}

/// The rate of a flow, in bytes per picosecond.
///
/// In a job that finished, a flow ends with its last message. In another one it might still send: a
/// flow that was starved until the end of the run is slow, however fast its first message was.
fn flow_rate(record: &RunRecord, flow: &FlowRow) -> f64 {
    let has_finished = record.jobs.get(flow.job.index()).is_some_and(|job| job.finished.is_some());
    let end = if has_finished { flow.last_delivered } else { record.simulated };
    flow.bytes.0 as f64 / end.saturating_sub(flow.first_issued).0.max(1) as f64
}

/// The mean of a time over the job's scheduled messages.
fn scheduled(job: &JobInfo, sum: fn(&ScheduleTotals) -> Picoseconds) -> Option<f64> {
    let schedule = job.offered.map(|offered| offered.schedule).filter(|schedule| schedule.messages > 0)?;
    Some(sum(&schedule).0 as f64 / schedule.messages as f64)
}

/// `44.6`, or `44.6 of 100 offered`.
pub(crate) fn delivered_text(delivered_gbps: f64, offered_gbps: Option<f64>) -> String {
    let delivered = number(delivered_gbps);
    offered_gbps.map_or_else(|| delivered.clone(), |offered| format!("{delivered} of {} offered", number(offered)))
}

/// Latencies of the messages issued from `measured_from`, by job.
fn message_latencies_ps(record: &RunRecord) -> Vec<Vec<u64>> {
    let mut latencies = vec![Vec::new(); record.jobs.len()];
    for message in record.messages.iter().filter(|message| message.issued >= record.measured_from) {
        if let Some(values) = latencies.get_mut(message.job.index()) {
            values.push(message.delivered.saturating_sub(message.issued).0);
        }
    }
    latencies
}

/// Messages of a job that were issued and delivered in the measured part.
fn measured_messages(record: &RunRecord, job: usize) -> u64 {
    record.message_latency.get(job).map_or(0, Histogram::count)
}

/// Exact if all messages have rows, otherwise from the histogram (0.8 %).
fn job_latency(record: &RunRecord, job: usize, rows_ps: &mut [u64]) -> Option<Latency> {
    match record.message_latency.get(job) {
        Some(histogram) if histogram.count() > rows_ps.len() as u64 => Latency::of_histogram_ns(histogram),
        _ => Latency::of_values(rows_ps),
    }
}

/// What the messages that were not delivered say about the latencies of all.
fn latency_bounds(record: &RunRecord, job: usize, known: Option<&Latency>) -> Option<LatencyBounds> {
    let ages = record.jobs[job].messages_open.ages_ns(record.simulated.0);
    LatencyBounds::of(record.message_latency.get(job)?, known, &ages)
}

/// One iteration of a job over all its ranks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct IterationSpan {
    /// Iteration, counted by the program.
    pub iteration: u32,
    /// When the first rank began it.
    pub start: Picoseconds,
    /// When the last rank ended it.
    pub end: Picoseconds,
    /// Ranks that ended it.
    pub ranks: u32,
    /// Ranks that had begun it and not ended it when the run ended.
    pub open: u32,
    /// Mean of the ranks' own times, in picoseconds.
    pub rank_mean_ps: f64,
}

/// The iterations of a job that a rank ended, in order, including warm-up and incomplete ones.
#[must_use]
pub fn iteration_spans(record: &RunRecord, job: JobId) -> Vec<IterationSpan> {
    let open = record.open_iterations.iter().filter(|row| row.job == job);
    spans_of(record.iterations.iter().filter(|row| row.job == job), open)
}

/// The same for every job. The rows are read once, however many jobs there are.
#[must_use]
pub fn iteration_spans_by_job(record: &RunRecord) -> Vec<Vec<IterationSpan>> {
    let mut rows = vec![Vec::new(); record.jobs.len()];
    for row in &record.iterations {
        if let Some(of_job) = rows.get_mut(row.job.index()) {
            of_job.push(row);
        }
    }
    rows.into_iter().zip(open_by_job(record)).map(|(rows, open)| spans_of(rows, open)).collect()
}

/// The open iterations of each job.
fn open_by_job(record: &RunRecord) -> Vec<Vec<&OpenIteration>> {
    let mut open = vec![Vec::new(); record.jobs.len()];
    for row in &record.open_iterations {
        if let Some(of_job) = open.get_mut(row.job.index()) {
            of_job.push(row);
        }
    }
    open
}

fn spans_of<'r>(
    rows: impl IntoIterator<Item = &'r IterationRow>,
    open: impl IntoIterator<Item = &'r OpenIteration>,
) -> Vec<IterationSpan> {
    let mut spans: BTreeMap<u32, IterationSpan> = BTreeMap::new();
    for row in rows {
        let (iteration, start, end) = (row.iteration, row.start, row.end);
        let span = spans.entry(iteration).or_insert(IterationSpan {
            iteration,
            start,
            end,
            ranks: 0,
            open: 0,
            rank_mean_ps: 0.0,
        });
        span.start = span.start.min(start);
        span.end = span.end.max(end);
        span.ranks += 1;
        // The mean so far, moved by this rank's distance from it.
        span.rank_mean_ps += (end.saturating_sub(start).0 as f64 - span.rank_mean_ps) / f64::from(span.ranks);
    }
    for row in open {
        if let Some(span) = spans.get_mut(&row.iteration) {
            (span.start, span.open) = (span.start.min(row.start), span.open + 1);
        }
    }
    spans.into_values().collect()
}

/// Iterations that began in the measured part and that every rank ended.
///
/// Some programs count iterations only on some ranks, so the number of ranks comes from the
/// iterations themselves.
#[must_use]
pub fn complete_iterations(record: &RunRecord, job: &JobInfo, spans: &[IterationSpan]) -> Vec<IterationSpan> {
    let spans = spans.iter().filter(|span| span.iteration >= job.warm_up_iterations);
    let ranks = spans.clone().map(|span| span.ranks + span.open).max().unwrap_or(0);
    spans.filter(|span| span.ranks == ranks && span.start >= record.measured_from).copied().collect()
}

fn iterations(record: &RunRecord, job: &JobInfo, all: &[IterationSpan], open: &[&OpenIteration]) -> Option<Iterations> {
    let complete = complete_iterations(record, job, all);
    // One that began in the warm-up and has not ended is counted: otherwise a run that is stuck in
    // it would show nothing. A job without an end always has one.
    let open = open.iter().filter(|row| job.iterations.is_some() || row.start >= record.measured_from);
    let first = open.clone().map(|row| row.iteration).min().unwrap_or(u32::MAX).min(job.warm_up_iterations);
    // When each iteration began, whether a rank ended it or not.
    let counted = all.iter().filter(|span| span.iteration >= job.warm_up_iterations || span.open > 0);
    let mut began: BTreeMap<u32, Picoseconds> = counted.map(|span| (span.iteration, span.start)).collect();
    for row in open {
        let start = began.entry(row.iteration).or_insert(row.start);
        *start = row.start.min(*start);
    }
    if began.is_empty() {
        return None;
    }
    let mut lengths: Vec<u64> = complete.iter().map(|span| span.end.saturating_sub(span.start).0).collect();
    let rank_means: Vec<f64> = complete.iter().map(|span| span.rank_mean_ps).collect();
    let mut rest = began;
    rest.retain(|iteration, _| complete.binary_search_by_key(iteration, |span| span.iteration).is_err());
    let (ended, planned) = (complete.len() as u64, job.iterations.map(|all| all.saturating_sub(first)));
    let not_ended = match planned {
        _ if job.finished.is_some() => 0,
        Some(planned) => u64::from(planned).saturating_sub(ended),
        None => rest.len() as u64,
    };
    Some(Iterations {
        span: Latency::of_values(&mut lengths),
        rank_mean_ps: mean(&rank_means),
        complete: ended,
        incomplete: rest.len() as u64,
        planned,
        not_ended,
        incomplete_for_ps: rest.values().min().map(|start| record.simulated.saturating_sub(*start).0),
    })
}

/// A line for each job whose messages have such bounds.
#[must_use]
pub fn cut_messages(summary: &RunSummary) -> Vec<String> {
    let line = |job: &JobSummary| {
        job.message_latency_at_least?;
        let (open, issued) = (count(job.messages_undelivered), counted(job.messages_issued, "message"));
        Some(format!(
            "{}: {open} of {issued} had not arrived when the run ended: latencies after ≥ count what these had taken",
            job.name
        ))
    };
    summary.jobs.iter().filter_map(line).collect()
}

/// A line for each job that ends but did not in this run: its means are those of the iterations
/// that ended, and the others take longer.
#[must_use]
pub fn cut_iterations(summary: &RunSummary) -> Vec<String> {
    let line = |job: &JobSummary| {
        let iterations = job.iterations.filter(Iterations::is_cut)?;
        let time = time_ps(iterations.incomplete_for_ps? as f64);
        let times =
            if iterations.complete == 0 { "no time is known" } else { "the times are those of iterations that ended" };
        Some(format!(
            "{}: {} iterations ended before the run did, and the next had taken {time}: {times}",
            job.name,
            iterations.ended(),
        ))
    };
    summary.jobs.iter().filter_map(line).collect()
}

fn class_summaries(record: &RunRecord) -> Vec<ClassSummary> {
    let span = MeasuredSpan::of(record);
    let sampled = record.is_sampled();
    let mut delivered = vec![0_u64; record.classes.len()];
    for sample in record.class_samples.iter().filter(|sample| sample.interval >= span.first_interval) {
        if let Some(bytes) = delivered.get_mut(sample.class.index()) {
            *bytes += sample.bytes.0;
        }
    }
    let summarise = |(index, name): (usize, &String)| ClassSummary {
        name: name.clone(),
        delivered_bytes: sampled.then_some(delivered[index]),
        packet_latency: record.packet_latency.get(index).and_then(Latency::of_histogram_ns),
    };
    record.classes.iter().enumerate().map(summarise).collect()
}

fn largest_flows(record: &RunRecord, count: usize) -> Vec<FlowSummary> {
    let names = crate::names::RowNames::new(record);
    let total: u64 = record.flows.iter().map(|flow| flow.bytes.0).sum();
    let mut flows: Vec<_> = record.flows.iter().collect();
    flows.sort_by_key(|flow| (std::cmp::Reverse(flow.bytes), flow.source, flow.destination, flow.class));
    let summarise = |flow: &FlowRow| FlowSummary {
        source_endpoint: flow.source.0,
        destination_endpoint: flow.destination.0,
        class: names.class(flow.class).unwrap_or_default().to_owned(),
        job: names.job(flow.job).unwrap_or_default().to_owned(),
        bytes: flow.bytes.0,
        share: if total == 0 { 0.0 } else { flow.bytes.0 as f64 / total as f64 },
        latency_mean_ps: (flow.packets > 0).then(|| flow.latency_sum.0 as f64 / flow.packets as f64),
        latency_max_ps: (flow.packets > 0).then_some(flow.latency_max.0 as f64),
    };
    flows.into_iter().take(count).map(summarise).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::IterationRow;
    use crate::synthetic;
    use philae_units::RankId;

    #[test]
    fn fairness_is_that_of_rates_and_knows_the_starved() {
        let mut record = synthetic::record(2, 20);
        record.flows.retain(|flow| flow.job.0 == 0);
        record.flows.truncate(2);
        let mut index = |finished: Option<u64>, ends: [u64; 2]| {
            record.jobs[0].finished = finished.map(Picoseconds);
            record.simulated = Picoseconds(1_000);
            for (flow, end) in record.flows.iter_mut().zip(ends) {
                (flow.bytes.0, flow.first_issued.0, flow.last_delivered.0) = (4_096, 0, end);
            }
            RunSummary::of(&record).jobs[0].flow_fairness.expect("two flows")
        };
        assert!((index(Some(900), [300, 300]) - 1.0).abs() < 1e-12);
        // Equal bytes, but one took three times as long: (3 + 1)^2 / (2 (9 + 1)).
        assert!((index(Some(900), [300, 900]) - 0.8).abs() < 1e-12);
        // In a job that did not finish, both had until the end of the run.
        assert!((index(None, [300, 900]) - 1.0).abs() < 1e-12);
    }

    #[test]
    fn an_empty_record_has_a_summary() {
        let summary = RunSummary::of(&synthetic::empty_record());
        assert!(summary.jobs.is_empty() && summary.flow_fairness.is_none());
    }

    #[test]
    fn one_message_is_every_percentile() {
        let summary = RunSummary::of(&synthetic::one_port_record());
        let latency = summary.jobs[0].message_latency.expect("one message was delivered");
        assert_eq!((latency.count, latency.p50_ps, latency.p99_ps, latency.max_ps), (1, 2_100e3, 2_100e3, 2_100e3));
        let gbps = 4_096.0 * 8.0 / 2_100.0;
        assert!((summary.jobs[0].delivered_gbps - gbps).abs() < 1e-9);
    }

    #[test]
    fn an_iteration_lasts_from_the_first_start_to_the_last_end() {
        let mut record = synthetic::one_port_record();
        let row = |rank, iteration, start, end| IterationRow {
            job: JobId(0),
            rank: RankId(rank),
            iteration,
            start: Picoseconds(start),
            end: Picoseconds(end),
        };
        record.iterations = vec![row(0, 0, 100, 300), row(1, 0, 150, 500), row(0, 1, 500, 700)];
        let iterations = RunSummary::of(&record).jobs[0].iterations.expect("one iteration is complete");
        let span = iterations.span.expect("its time is known");
        assert_eq!((span.count, span.max_ps, iterations.complete, iterations.incomplete), (1, 400.0, 1, 1));
        assert_eq!(iterations.rank_mean_ps, Some(275.0));
    }

    #[test]
    fn an_iteration_that_one_rank_has_not_ended_is_counted_and_has_no_time() {
        let mut record = synthetic::one_port_record();
        (record.simulated, record.jobs[0].iterations) = (Picoseconds(9_000_000), Some(5));
        let open = |rank, iteration, start| OpenIteration {
            job: JobId(0),
            rank: RankId(rank),
            iteration,
            start: Picoseconds(start),
        };
        let ended = |rank, iteration, start, end| IterationRow {
            job: JobId(0),
            rank: RankId(rank),
            iteration,
            start: Picoseconds(start),
            end: Picoseconds(end),
        };
        let of = |record: &RunRecord| RunSummary::of(record).jobs[0].iterations;
        record.jobs[0].finished = None;
        // No rank has ended one: the time is a lower bound.
        record.open_iterations = vec![open(0, 0, 1_000_000), open(1, 0, 2_000_000)];
        let found = of(&record).expect("one has begun");
        assert_eq!((found.span, found.complete, found.incomplete), (None, 0, 1));
        assert_eq!((found.incomplete_for_ps, found.ended().as_str()), (Some(8_000_000), "0 of 5"));
        assert_eq!(found.duration(), "≥8 µs");
        let lines = cut_iterations(&RunSummary::of(&record));
        assert_eq!(
            lines,
            ["ping: 0 of 5 iterations ended before the run did, and the next had taken 8 µs: no time is known"]
        );
        // One rank has ended both, the other one only the first: only the first has a time.
        record.iterations = vec![ended(0, 0, 0, 300), ended(1, 0, 100, 400), ended(0, 1, 400, 700)];
        record.open_iterations = vec![open(1, 1, 500), open(0, 2, 700)];
        let found = of(&record).expect("three have begun");
        assert_eq!((found.complete, found.incomplete, found.planned), (1, 2, Some(5)));
        assert_eq!((found.span.map(|span| span.max_ps), found.incomplete_for_ps), (Some(400.0), Some(8_999_600)));
        let lines = cut_iterations(&RunSummary::of(&record));
        assert!(lines[0].ends_with("9 µs: the times are those of iterations that ended"), "{lines:?}");
        // The first belongs to the warm-up, because a third rank began it before.
        (record.jobs[0].warm_up_iterations, record.measured_from) = (1, Picoseconds(50));
        let found = of(&record).expect("two have begun");
        assert_eq!((found.complete, found.planned, found.not_ended), (0, Some(4), 4));
        (record.jobs[0].warm_up_iterations, record.measured_from) = (0, Picoseconds(0));
        // An endless job is never through: that is no loss.
        record.jobs[0].iterations = None;
        assert_eq!(of(&record).expect("the same").ended(), "1");
        assert!(cut_iterations(&RunSummary::of(&record)).is_empty());
        // All ranks of the first iteration have it open or have ended it: three of four is not all.
        record.iterations = vec![ended(0, 0, 0, 300)];
        record.open_iterations = vec![open(1, 0, 100)];
        assert_eq!(of(&record).expect("it has begun").complete, 0);
    }

    #[test]
    fn the_histogram_serves_where_messages_were_not_kept() {
        let mut record = synthetic::record(3, 20);
        record.messages.clear();
        let summary = RunSummary::of(&record);
        assert!(summary.jobs.iter().all(|job| job.message_latency.is_some()));
    }

    #[test]
    fn a_summary_is_json() {
        let json = serde_json::to_value(RunSummary::of(&synthetic::record(3, 20))).expect("plain data");
        assert_eq!(json["status"], "completed");
        assert!(json["jobs"][0]["message_latency"]["p99_ps"].as_f64() > Some(0.0));
        assert_eq!(json["links"][2]["role"], "global");
    }
}
