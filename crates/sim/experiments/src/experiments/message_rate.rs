//! Slingshot 400 Fig. 8: the rate of small one-sided operations of a NIC.

use philae_results::chart::{ChartAxis, ChartLine, LineChart, LineKind, Mark};
use philae_results::format::Unit;
use philae_results::{RunSummary, StudySection};
use philae_scenario::{JobSection, NicChoice, System};
use philae_workload::{OneSided, OneSidedOperation, OneSidedPattern, WorkloadSpec};
use serde_json::json;

use super::text::{self, explained};
use crate::experiment::{Experiment, ExperimentContext, ExperimentOutcome};
use crate::probe::{listed, streamed};
use crate::runner::{Cell, StudyError};
use crate::target::Target;

/// The experiment.
pub struct MessageRate;

/// Bytes of each operation.
const BYTES: u64 = 8;
/// Operations that a core submits together with FI_MORE. Source: ours. Status: assumed; the gain is
/// near its limit.
const BUNDLE: u32 = 16;
/// Nodes on the many side. Source: Slingshot 400 paper, IV-C. Status: published.
const MANY: u32 = 4;
/// NICs of the system's nodes, one for each socket: the tests use the first.
const SYSTEM: &str = "slingshot400-64";
/// Cores of a socket of the publication's nodes (AMD EPYC 7654). Source: its data sheet. Status:
/// published.
const CORES: u32 = 96;

/// The size of the experiment.
struct Scale {
    processes: Vec<u32>,
    time_us: (u64, u64),
}

impl Experiment for MessageRate {
    fn id(&self) -> &'static str {
        "fig8-400"
    }

    fn aliases(&self) -> &'static [&'static str] {
        &["operation-rates"]
    }

    fn title(&self) -> &'static str {
        "Slingshot 400: rates of puts, gets and atomic operations"
    }

    fn source(&self) -> &'static str {
        "Slingshot 400 paper, section IV-C and Fig. 8"
    }

    fn targets(&self) -> &'static [&'static str] {
        &["symmetric-rate-400", "put-rate-1to4-400", "get-rate-4to1-400", "fi-more-400"]
    }

    fn run(&self, context: &ExperimentContext<'_>) -> Result<ExperimentOutcome, StudyError> {
        let scale = if context.quick {
            Scale { processes: vec![1, 4, 16, CORES], time_us: (60, 60) }
        } else {
            Scale { processes: vec![1, 2, 4, 8, 16, 32, 64, CORES], time_us: (150, 300) }
        };
        run(context, &scale)
    }
}

/// A line of the figure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Line {
    operation: OneSidedOperation,
    pattern: OneSidedPattern,
    bundle: u32,
}

impl Line {
    /// The experiment's runs: each operation symmetric, with and without bundles; puts to many and
    /// gets from many.
    fn all() -> Vec<Self> {
        use OneSidedOperation::{Amo, FetchingAmo, Get, Put};
        let symmetric = [Put, Get, Amo, FetchingAmo].into_iter().flat_map(|operation| {
            [1, BUNDLE].map(|bundle| Self { operation, pattern: OneSidedPattern::Symmetric, bundle })
        });
        let fans = [(Put, OneSidedPattern::OneToMany), (Get, OneSidedPattern::ManyToOne)];
        symmetric.chain(fans.map(|(operation, pattern)| Self { operation, pattern, bundle: BUNDLE })).collect()
    }

    fn name(self) -> String {
        let pattern = match self.pattern {
            OneSidedPattern::Symmetric => "one to one".to_owned(),
            OneSidedPattern::OneToMany => format!("1 to {MANY}"),
            OneSidedPattern::ManyToOne => format!("{MANY} to 1"),
        };
        let more = if self.bundle > 1 { ", FI_MORE" } else { "" };
        format!("{}, {pattern}{more}", self.operation.name())
    }

    fn cell(self, system: &System, seed: u64, processes: u32, time_us: (u64, u64)) -> Cell {
        let fan = self.pattern != OneSidedPattern::Symmetric;
        let plain = OneSided { operation: self.operation, pattern: self.pattern, ..OneSided::default() };
        let workload = if fan { OneSided { ones: processes, ..plain } } else { plain };
        let job = JobSection {
            nodes: listed(0..if fan { 1 + MANY } else { 2 }),
            processes_per_node: processes,
            nic: NicChoice::First,
            ..JobSection::new("operations", WorkloadSpec::OneSided(workload))
        };
        let mut cell = streamed(system, seed, format!("{}, {processes} processes", self.name()), job, time_us);
        let host = cell.scenario.hardware.host.preset("cassini-2-shmem");
        cell.scenario.class_profile = Some("HPC".to_owned());
        cell.scenario.hardware.host = host.with("bundle_max", i64::from(self.bundle));
        cell
    }

    /// Operations per second of one NIC, in millions, from the payload delivered (in Gb/s).
    fn rate(self, delivered_gbps: f64) -> f64 {
        let payloads = if self.operation == OneSidedOperation::FetchingAmo { 2.0 } else { 1.0 };
        let nics = if self.pattern == OneSidedPattern::Symmetric { 2.0 } else { 1.0 };
        delivered_gbps * 1e3 / (8.0 * BYTES as f64 * payloads * nics)
    }
}

/// A line with its rates, in millions of operations per second and NIC, by number of processes.
struct Measured {
    line: Line,
    rates: Vec<f64>,
}

impl Measured {
    fn asymptotic(&self) -> f64 {
        self.rates.last().copied().unwrap_or(f64::NAN)
    }
}

fn run(context: &ExperimentContext<'_>, scale: &Scale) -> Result<ExperimentOutcome, StudyError> {
    let system = System::load(SYSTEM).map_err(Box::new)?;
    let lines = Line::all();
    let cells: Vec<Cell> = lines
        .iter()
        .flat_map(|line| scale.processes.iter().map(|&count| line.cell(&system, context.seed, count, scale.time_us)))
        .collect();
    let delivered = context.runner.run(&cells, |_, record| RunSummary::of(record).delivered_gbps)?;
    let rates = delivered.chunks(scale.processes.len());
    let measured: Vec<Measured> = lines
        .into_iter()
        .zip(rates)
        .map(|(line, rates)| Measured { line, rates: rates.iter().map(|&gbps| line.rate(gbps)).collect() })
        .collect();
    Ok(outcome(scale, &measured))
}

fn outcome(scale: &Scale, measured: &[Measured]) -> ExperimentOutcome {
    let of = |operation, pattern, bundle| {
        let line = Line { operation, pattern, bundle };
        measured.iter().find(|found| found.line == line).expect("every line is run")
    };
    use OneSidedOperation::{Amo, Get, Put};
    let symmetric = |operation| of(operation, OneSidedPattern::Symmetric, BUNDLE).asymptotic();
    let (put, get, amo) = (symmetric(Put), symmetric(Get), symmetric(Amo));
    let middle = Target::named("symmetric-rate-400").map_or(f64::NAN, |target| target.value);
    // All three must lie in the range: the one farthest from its middle is the answer.
    let farthest = [put, get, amo]
        .into_iter()
        .max_by(|one, other| (one - middle).abs().total_cmp(&(other - middle).abs()))
        .unwrap_or(f64::NAN);
    let to_many = of(Put, OneSidedPattern::OneToMany, BUNDLE).asymptotic();
    let from_many = of(Get, OneSidedPattern::ManyToOne, BUNDLE).asymptotic();
    let each = &of(Put, OneSidedPattern::Symmetric, 1).rates;
    let bundled = &of(Put, OneSidedPattern::Symmetric, BUNDLE).rates;
    let gains: Vec<f64> = bundled.iter().zip(each).map(|(bundled, each)| bundled / each).collect();
    let most = gains.iter().copied().fold(f64::NAN, f64::max);
    let least = gains.iter().copied().fold(f64::NAN, f64::min);
    let raises = most > 1.05 && least > 0.99;
    let gain_text: Vec<String> =
        scale.processes.iter().zip(&gains).map(|(count, gain)| format!("{gain:.2} at {count}")).collect();
    let processes = scale.processes.last().copied().unwrap_or(0);
    let begun = "hardware.nic.operation_gap_ps is assumed (two cycles of the NIC's clock, 550 M/s): the publication says that reads of \
                 the host's memory limit, whose rate is not published, and its row may not be fitted";
    let findings = vec![
        explained(
            "symmetric-rate-400",
            farthest,
            format!(
                "{SYSTEM}, {processes} processes on each of two NICs, both ways: puts {put:.0}, gets {get:.0}, atomic \
                 operations {amo:.0} M/s; hardware.nic.write_gap_ps is calibrated with this row"
            ),
            "other limits: see the table",
        ),
        explained(
            "put-rate-1to4-400",
            to_many,
            format!("{processes} processes on one NIC, to {MANY} NICs, FI_MORE"),
            begun,
        ),
        explained(
            "get-rate-4to1-400",
            from_many,
            format!("{processes} processes on each of {MANY} NICs, all from one, FI_MORE"),
            begun,
        ),
        explained(
            "fi-more-400",
            f64::from(u8::from(raises)),
            format!(
                "puts one to one, {BUNDLE} together over one by one, by processes: {}; the cost of a doorbell is assumed",
                gain_text.join(", ")
            ),
            "doorbells are cheap against the rest",
        ),
    ];
    let data = json!({
        "system": SYSTEM,
        "processes": scale.processes,
        "bundle": BUNDLE,
        "million_operations_per_second": measured
            .iter()
            .map(|found| json!({ "line": found.line.name(), "rates": found.rates }))
            .collect::<Vec<_>>(),
    });
    ExperimentOutcome {
        findings,
        sections: vec![
            StudySection::Heading("Operations per second and NIC".to_owned()),
            table(scale, measured),
            StudySection::Lines(chart(scale, measured)),
            StudySection::Text(
                "One-to-one traffic ends at what the target's host lets its NIC write (gets: the initiator's). One NIC \
                 with four others ends at what it begins: commands taken, or requests answered."
                    .to_owned(),
            ),
        ],
        data,
        assumptions: vec![
            format!(
                "Windows of {} operations of {BYTES} B and a wait for all, {} cores of one socket on its NIC; the \
                 publication's code and window are not public. FI_MORE hands {BUNDLE} commands over at once.",
                OneSided::default().window,
                CORES
            ),
            "Requests and responses are a pair of network classes, as published: the profile HPC. In one class, answers would \
             wait behind requests for a NIC whose host holds it back."
                .to_owned(),
            "The rate of a NIC's writes is calibrated with the symmetric row; the rate at which it begins operations is \
             not: it is two cycles of its clock, whatever the two predicted rows say."
                .to_owned(),
            "An atomic operation costs its target one write; its read is part of it. A fetching one costs a write at \
             either end, which the publication does not show apart."
                .to_owned(),
        ],
    }
}

fn table(scale: &Scale, measured: &[Measured]) -> StudySection {
    let mut headers = vec!["operation (M/s)".to_owned()];
    headers.extend(scale.processes.iter().map(|count| format!("{count} processes")));
    let headers: Vec<&str> = headers.iter().map(String::as_str).collect();
    let row = |found: &Measured| {
        let rates = found.rates.iter().map(|rate| format!("{rate:.1}"));
        text::row([found.line.name()].into_iter().chain(rates))
    };
    text::table(&headers, measured.iter().map(row).collect())
}

fn chart(scale: &Scale, measured: &[Measured]) -> LineChart {
    let line = |found: &Measured| {
        let points = scale.processes.iter().zip(&found.rates).map(|(&count, &rate)| (f64::from(count), rate));
        ChartLine::new(found.line.name(), points.collect())
    };
    LineChart {
        title: "Rate by processes on a NIC".to_owned(),
        x: ChartAxis::log("processes", Unit::Number),
        y: ChartAxis::linear("operations (M/s)", Unit::Number).with_mark(Mark::band(
            "published, one to one",
            200.0,
            250.0,
        )),
        kind: LineKind::Lines,
        series: measured.iter().map(line).collect(),
        references: vec![
            text::level("puts 1 to 4", "put-rate-1to4-400", 1.0),
            text::level("gets 4 to 1", "get-rate-4to1-400", 1.0),
        ],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{answers_its_rows, with_context};

    #[test]
    fn a_miniature_answers_its_rows() {
        let scale = Scale { processes: vec![2, 64], time_us: (30, 20) };
        let outcome = with_context(|context| run(context, &scale)).expect("it runs");
        answers_its_rows(&MessageRate, &outcome);
        let model = |place: usize| outcome.findings[place].model;
        assert!((200.0..=250.0).contains(&model(0)), "calibrated: {}", model(0));
        assert!(model(1) > 1.5 * model(0), "one NIC begins more than another may write");
        assert!(model(3) > 0.5, "{}", outcome.findings[3].note);
    }
}
