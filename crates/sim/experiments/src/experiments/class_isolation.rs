//! SC'20 Figs. 13 and 14: the isolation of traffic classes, and the bandwidth that they assure.
//!
//! Both run on Malbec with a quarter of its global links, so that two jobs share links that neither
//! can fill alone.

use philae_results::StudySection;
use philae_results::chart::{BarChart, BarGroup, ChartAxis, ChartLine, LineChart, LineKind, Reference};
use philae_results::format::{Unit, number};
use philae_results::record::{RunRecord, RunStatus};
use philae_results::summary::iteration_spans;
use philae_scenario::{JobSection, Measure, RunTree, Scenario, System};
use philae_traffic_class::TrafficClass;
use philae_units::JobId;
use philae_workload::{Allocation, Allreduce, Alltoall, Bisection, Nodes, Size, Span, WorkloadSpec};
use serde_json::json;

use super::text::{self, explained};
use crate::experiment::{Experiment, ExperimentContext, ExperimentOutcome};
use crate::probe::START_SKEWS;
use crate::runner::{Cell, StudyError};

/// Fig. 13: a small allreduce next to a large alltoall, in one class and in two.
pub struct ClassIsolation;

/// Fig. 14: two bisection jobs, in one class and in two with assured bandwidth.
pub struct ClassBandwidth;

/// Divisor of the number of the system's global links. Source: De Sensi et al., SC'20, section
/// III-E (bandwidth of the network limited to 25 %). Status: published; that it is the number of
/// links, not their rate, is assumed.
const TAPER: u32 = 4;
/// Assured bandwidth of job 1 and job 2, in per cent. Source: De Sensi et al., SC'20, Fig. 14.
/// Status: published.
const ASSURED: [u32; 2] = [80, 10];

/// The size of the experiment.
#[derive(Clone, Copy)]
struct Scale {
    /// Nodes in use, the first ones; each of the two jobs takes every other node.
    nodes: u32,
    /// Iterations of the allreduce.
    iterations: u32,
    /// Time that the first job has alone, in microseconds; the measurement with both takes as long.
    alone_us: u64,
}

impl Scale {
    const fn of(quick: bool) -> Self {
        if quick {
            Self { nodes: 256, iterations: 150, alone_us: 300 }
        } else {
            Self { nodes: 484, iterations: 1_000, alone_us: 1_500 }
        }
    }
}

/// Malbec with a quarter of its global links.
fn tapered() -> Result<System, StudyError> {
    let mut description = System::load("malbec").map_err(Box::new)?.description.as_ref().clone();
    let wiring = description.dragonfly.as_mut().expect("malbec is a dragonfly");
    wiring.links_per_pair = wiring.links_per_pair.map(|links| links / TAPER);
    description.name = "malbec-quarter".to_owned();
    Ok(System::build(description).map_err(Box::new)?)
}

/// Every other of the first nodes, starting at `first`.
fn every_other(nodes: u32, first: u32) -> Nodes {
    Nodes::List((first..nodes).step_by(2).map(|node| (node, node)).collect())
}

fn class(name: &str, assured_percent: u32) -> TrafficClass {
    TrafficClass { assured_percent, ..TrafficClass::named(name) }
}

fn in_class(class: &str, job: JobSection) -> JobSection {
    JobSection { class: Some(class.to_owned()), ..job }
}

impl Experiment for ClassIsolation {
    fn id(&self) -> &'static str {
        "fig13"
    }

    fn aliases(&self) -> &'static [&'static str] {
        &["class-isolation"]
    }

    fn title(&self) -> &'static str {
        "A small allreduce next to a large alltoall, in one traffic class and in two"
    }

    fn source(&self) -> &'static str {
        "De Sensi et al., SC'20, Fig. 13"
    }

    fn targets(&self) -> &'static [&'static str] {
        &["class-allreduce-shared", "class-allreduce-separate"]
    }

    /// Jobs that begin in step meet on the same links at the same times.
    fn seeds(&self) -> u32 {
        3
    }

    fn start_skews(&self) -> &'static [Span] {
        &START_SKEWS
    }

    fn run(&self, context: &ExperimentContext<'_>) -> Result<ExperimentOutcome, StudyError> {
        isolation(context, &tapered()?, Scale::of(context.quick))
    }
}

impl Experiment for ClassBandwidth {
    fn id(&self) -> &'static str {
        "fig14"
    }

    fn aliases(&self) -> &'static [&'static str] {
        &["class-bandwidth"]
    }

    fn title(&self) -> &'static str {
        "Two bisection jobs, in one traffic class and in two with assured bandwidth"
    }

    fn source(&self) -> &'static str {
        "De Sensi et al., SC'20, Fig. 14"
    }

    fn targets(&self) -> &'static [&'static str] {
        &["class-fair", "class-minimum-tc1", "class-minimum-tc2"]
    }

    /// Jobs that begin in step meet on the same links at the same times.
    fn seeds(&self) -> u32 {
        3
    }

    fn start_skews(&self) -> &'static [Span] {
        &START_SKEWS
    }

    fn run(&self, context: &ExperimentContext<'_>) -> Result<ExperimentOutcome, StudyError> {
        bandwidth(context, &tapered()?, Scale::of(context.quick))
    }
}

/// Iterations of the allreduce, in nanoseconds.
fn iterations_ns(record: &RunRecord) -> Vec<f64> {
    let spans = iteration_spans(record, JobId(0));
    let mut found: Vec<f64> = spans.iter().map(|span| span.end.saturating_sub(span.start).as_nanos_f64()).collect();
    found.sort_by(f64::total_cmp);
    found
}

fn isolation(context: &ExperimentContext<'_>, system: &System, scale: Scale) -> Result<ExperimentOutcome, StudyError> {
    let start = Span::micros(scale.alone_us);
    let allreduce = WorkloadSpec::Allreduce(Allreduce {
        bytes: Size::bytes(8),
        iterations: Some(scale.iterations),
        ..Allreduce::default()
    });
    let alltoall = WorkloadSpec::Alltoall(Alltoall { bytes: Size::kib(256), ..Alltoall::default() });
    let victim = JobSection { nodes: every_other(scale.nodes, 0), start, ..JobSection::new("allreduce", allreduce) };
    let aggressor = JobSection { nodes: every_other(scale.nodes, 1), ..JobSection::new("alltoall", alltoall) };
    let cell = |label: &str, classes: Vec<TrafficClass>, jobs: Vec<JobSection>| {
        // The experiment does not wait for an allreduce that the alltoall slows down more than
        // fifty times.
        let patience = Span::micros(scale.alone_us + 400 * u64::from(scale.iterations));
        let run = RunTree { time_limit: Some(patience), start_skew: Span::micros(1), ..RunTree::default() };
        let measure = Measure { messages: None, message_rows_max: 1 << 22, ..Measure::totals() };
        let allocation = Allocation::Linear;
        let scenario = Scenario { seed: context.seed, allocation, run, measure, classes, jobs, ..Scenario::on(system) };
        Cell { label: label.to_owned(), scenario, system: system.clone() }
    };
    let both =
        |aggressor_class: &str| vec![in_class("small", victim.clone()), in_class(aggressor_class, aggressor.clone())];
    let two = || vec![class("small", 0), class("large", 0)];
    let cells = context.skewed(vec![
        cell("allreduce alone", two(), vec![in_class("small", victim.clone())]),
        cell("same class", two(), both("small")),
        cell("separate classes", two(), both("large")),
    ]);
    let found = context.runner.run(&cells, |_, record| (iterations_ns(record), record.status))?;
    let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len().max(1) as f64;
    let quantile = |values: &[f64], share: f64| {
        values.get(((values.len() as f64 - 1.0).max(0.0) * share) as usize).copied().unwrap_or(f64::NAN)
    };
    let alone = mean(&found[0].0);
    let slowdown = |case: usize| mean(&found[case].0) / alone;
    let row = |(cell, (times, status)): (&Cell, &(Vec<f64>, RunStatus))| {
        text::row([
            cell.label.clone(),
            times.len().to_string(),
            format!("{:.2}", mean(times) / 1e3),
            format!("{:.2}", quantile(times, 0.5) / 1e3),
            format!("{:.2}", quantile(times, 0.99) / 1e3),
            number(mean(times) / alone),
            if *status == RunStatus::Completed { "all".to_owned() } else { "cut at the time limit".to_owned() },
        ])
    };
    let headers = ["case", "iterations", "mean us", "p50 us", "p99 us", "slowdown", "ended"];
    let conditions = format!("{} nodes, every other of them each job's, mean of iterations", scale.nodes);
    Ok(ExperimentOutcome {
        findings: vec![
            explained(
                "class-allreduce-shared",
                slowdown(1),
                conditions.clone(),
                "the processes of each node: one here, and the publication states neither them nor the nodes; with 32 \
                 of the allreduce on each node the row agrees, because its own messages then wait for each other, too",
            ),
            explained(
                "class-allreduce-separate",
                slowdown(2),
                conditions,
                "packets of the small class still wait for the packet of the other that is on the wire, at every switch; \
                 how many nodes the publication's jobs had and where is not stated",
            ),
        ],
        sections: vec![
            StudySection::Bars(slowdowns([slowdown(1), slowdown(2)])),
            text::table(&headers, cells.iter().zip(&found).map(row).collect()),
        ],
        data: json!({
            "system": system.description.name,
            "nodes": scale.nodes,
            "iterations_ns": cells.iter().zip(&found)
                .map(|(cell, (times, _))| json!({ "case": cell.label, "times": times })).collect::<Vec<_>>(),
        }),
        assumptions: assumptions(),
    })
}

/// The slowdown in the shared class and in separate ones, next to the published values.
fn slowdowns(found: [f64; 2]) -> BarChart {
    let rows = [("same class", "class-allreduce-shared"), ("separate classes", "class-allreduce-separate")];
    let group = |((label, id), slowdown): ((&str, &str), f64)| BarGroup {
        label: label.to_owned(),
        values: vec![Some(slowdown)],
        reference: Some(text::published(id)),
    };
    BarChart {
        title: "Mean time of the allreduce over its time alone".to_owned(),
        axis: ChartAxis::linear("slowdown", Unit::Number),
        series: Vec::new(),
        groups: rows.into_iter().zip(found).map(group).collect(),
        reference_name: "published (SC'20, Fig. 13)".to_owned(),
    }
}

/// The bandwidth of two jobs.
struct Bandwidths {
    /// Payload per interval, by job, in Gb/s.
    series: [Vec<f64>; 2],
    /// The same, mean over the time with both.
    both: [f64; 2],
    interval_us: f64,
}

impl Bandwidths {
    fn of(record: &RunRecord, both_from_us: f64) -> Self {
        let interval_us = record.sample_interval.as_micros_f64();
        let intervals = (record.simulated.as_micros_f64() / interval_us).floor() as usize;
        let mut series = [vec![0.0; intervals], vec![0.0; intervals]];
        for sample in &record.class_samples {
            if let Some(value) = series[sample.job.index()].get_mut(sample.interval as usize) {
                *value += sample.bytes.0 as f64 * 8.0 / (interval_us * 1e3);
            }
        }
        let first = (both_from_us / interval_us).ceil() as usize;
        let mean = |series: &Vec<f64>| series[first..].iter().sum::<f64>() / (intervals - first).max(1) as f64;
        Self { both: [mean(&series[0]), mean(&series[1])], series, interval_us }
    }

    fn share(&self, job: usize) -> f64 {
        self.both[job] / (self.both[0] + self.both[1])
    }
}

/// The published shares of the bandwidth that both jobs have together here.
fn published_shares(found: &Bandwidths, separate: bool, alone: f64) -> Vec<Reference> {
    let both = found.both[0] + found.both[1];
    let mut levels = vec![Reference { label: "job 1 alone".to_owned(), value: alone }];
    if separate {
        levels.push(text::level("job 1: 80 % of both", "class-minimum-tc1", both));
        levels.push(text::level("job 2: 20 % of both", "class-minimum-tc2", both));
    } else {
        levels.push(text::level("half of both for each", "class-fair", both));
    }
    levels
}

fn bandwidth(context: &ExperimentContext<'_>, system: &System, scale: Scale) -> Result<ExperimentOutcome, StudyError> {
    let workload = WorkloadSpec::Bisection(Bisection::default());
    let job = |name: &str, first: u32, start_us: u64| JobSection {
        nodes: every_other(scale.nodes, first),
        start: Span::micros(start_us),
        ..JobSection::new(name, workload.clone())
    };
    // Job 2 joins after a while; the measurement starts half as long after that.
    let jobs =
        |second: &str| vec![in_class("TC1", job("job 1", 0, 0)), in_class(second, job("job 2", 1, scale.alone_us))];
    let cell = |label: &str, assured: [u32; 2], second: &str| {
        let classes = vec![class("TC1", assured[0]), class("TC2", assured[1])];
        let run = RunTree {
            time_limit: Some(Span::micros(scale.alone_us * 5 / 2)),
            start_skew: Span::micros(1),
            ..RunTree::default()
        };
        let measure = Measure { sample_interval: Span::micros(scale.alone_us / 30), ..Measure::totals() };
        let scenario =
            Scenario { seed: context.seed, run, measure, classes, jobs: jobs(second), ..Scenario::on(system) };
        Cell { label: label.to_owned(), scenario, system: system.clone() }
    };
    let cells = vec![cell("same class", [0, 0], "TC1"), cell("TC1 80 %, TC2 10 %", ASSURED, "TC2")];
    let cells = context.skewed(cells);
    let both_from_us = scale.alone_us as f64 * 1.5;
    let found = context.runner.run(&cells, |_, record| Bandwidths::of(record, both_from_us))?;
    let alone = |found: &Bandwidths| {
        let end = (scale.alone_us as f64 / found.interval_us) as usize;
        let half = &found.series[0][end / 2..end];
        half.iter().sum::<f64>() / half.len().max(1) as f64
    };
    let row = |(cell, found): (&Cell, &Bandwidths)| {
        text::row([
            cell.label.clone(),
            number(alone(found)),
            number(found.both[0]),
            number(found.both[1]),
            format!("{:.1} %", found.share(0) * 100.0),
            format!("{:.1} %", found.share(1) * 100.0),
        ])
    };
    let headers = ["case", "job 1 alone Gb/s", "job 1 Gb/s", "job 2 Gb/s", "share of job 1", "share of job 2"];
    let chart = |((cell, found), second): ((&Cell, &Bandwidths), bool)| {
        let points = |series: &[f64]| {
            series.iter().enumerate().map(|(at, &value)| ((at as f64 + 0.5) * found.interval_us, value)).collect()
        };
        StudySection::Lines(LineChart {
            title: format!("Bandwidth over time: {}", cell.label),
            x: ChartAxis::linear("time (us)", Unit::Number),
            y: ChartAxis::linear("payload (Gb/s)", Unit::Number),
            kind: LineKind::Lines,
            series: ["job 1", "job 2"]
                .iter()
                .zip(&found.series)
                .map(|(name, series)| ChartLine::new((*name).to_owned(), points(series)))
                .collect(),
            references: published_shares(found, second, alone(found)),
        })
    };
    let mut sections = vec![text::table(&headers, cells.iter().zip(&found).map(row).collect())];
    sections.extend(cells.iter().zip(&found).zip([false, true]).map(chart));
    let conditions = |found: &Bandwidths| {
        format!(
            "{} nodes; {:.0} and {:.0} Gb/s, job 1 alone {:.0}",
            scale.nodes,
            found.both[0],
            found.both[1],
            alone(found)
        )
    };
    let cause = "flows are ordered and keep their paths, so that some links have too few packets of job 1 for its share \
                 over the class window (hardware.switch.class_window_ns, assumed), and job 2 takes the rest; with a \
                 path for each packet, the row agrees at full size. How the hardware places such flows, and over which \
                 time it accounts, is not published";
    Ok(ExperimentOutcome {
        findings: vec![
            explained(
                "class-fair",
                found[0].share(1),
                conditions(&found[0]),
                "job 1 came first, and an ordered flow keeps its path while it has packets in the fabric, as it \
                 always has under full load, unless it meets a queue above congestion.reroute_threshold_bytes \
                 (assumed). Job 2 gets the remaining paths. At which queue the hardware moves such a flow is not \
                 published",
            ),
            explained("class-minimum-tc1", found[1].share(0), conditions(&found[1]), cause),
            explained("class-minimum-tc2", found[1].share(1), conditions(&found[1]), cause),
        ],
        sections,
        data: json!({
            "system": system.description.name,
            "nodes": scale.nodes,
            "cases": cells.iter().zip(&found).map(|(cell, found)| json!({
                "case": cell.label,
                "interval_us": found.interval_us,
                "job_1_gbps": found.series[0],
                "job_2_gbps": found.series[1],
            })).collect::<Vec<_>>(),
        }),
        assumptions: assumptions(),
    })
}

fn assumptions() -> Vec<String> {
    [
        "\"Bandwidth limited to 25 %\" is read as a quarter of the global links (4 of 16 between each two groups).",
        "The nodes of the two jobs are not published: each takes every other node, so that they share every switch.",
        "Classes have no bandwidth, priority or ceiling of their own in Fig. 13; an output then serves the class that has had \
         least.",
    ]
    .map(str::to_owned)
    .to_vec()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{answers_its_rows, with_context};

    const MINIATURE: Scale = Scale { nodes: 64, iterations: 40, alone_us: 120 };

    #[test]
    fn a_miniature_of_both_answers_its_rows() {
        let system = tapered().expect("it builds");
        let outcome = with_context(|context| isolation(context, &system, MINIATURE)).expect("it runs");
        answers_its_rows(&ClassIsolation, &outcome);
        assert!(outcome.findings.iter().all(|finding| finding.model > 0.9), "nobody is faster beside another");
        let outcome = with_context(|context| bandwidth(context, &system, MINIATURE)).expect("it runs");
        answers_its_rows(&ClassBandwidth, &outcome);
        let sum: f64 = outcome.findings[1..].iter().map(|finding| finding.model).sum();
        assert!((sum - 1.0).abs() < 1e-9, "the shares of two jobs");
    }
}
