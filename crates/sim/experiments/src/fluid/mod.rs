//! Differences between runs in rates and runs in packets, over random scenarios.

mod draw;
mod like;

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};

use philae_fabric::FabricError;
use philae_results::text;
use philae_scenario::{Scenario, ScenarioError};
use serde::Serialize;

use crate::runner::StudyError;

pub use draw::{Drawn, draw};
pub use like::{DoubtScore, ERRS, LikeIt, like};

/// The measurements: made by
/// `philae fluid-accuracy --count N --output crates/sim/experiments/src/fluid/errors.csv`.
const ERRORS: &str = include_str!("errors.csv");
const COLUMNS: &str =
    "scenario,system,endpoints,law,routing,network,pattern,bytes,job,kind,short,packets_us,fluid_us,ratio,doubted";

/// One job of one scenario, run in both modes.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ErrorRow {
    /// Number of the scenario.
    pub scenario: u32,
    /// Its system, in words.
    pub system: String,
    /// Endpoints of the system.
    pub endpoints: u32,
    /// Congestion law.
    pub law: String,
    /// Mode of its routing.
    pub routing: String,
    /// `plain`, or `classes` or `degraded`.
    pub network: String,
    /// Traffic of the scenario.
    pub pattern: String,
    /// Size of a message.
    pub bytes: u64,
    pub job: String,
    /// What limited the job in rates ([`philae_fluid::JobKind`]).
    pub kind: String,
    /// Whether most of its messages end within a round trip.
    pub short: bool,
    /// When it had finished in packets, in microseconds.
    pub packets_us: f64,
    /// The same in rates.
    pub fluid_us: f64,
    /// Packets' time divided by rates' time.
    pub ratio: f64,
    /// Whether the run in rates itself marked the job as not to be trusted.
    pub doubted: bool,
}

/// The distribution of packets' times relative to those of rates, as ratios.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Interval {
    /// Jobs.
    pub count: usize,
    /// 5th percentile.
    pub p5: f64,
    /// Median.
    pub p50: f64,
    /// 95th percentile.
    pub p95: f64,
    /// Smallest.
    pub min: f64,
    /// Largest.
    pub max: f64,
}

/// The measurements that are part of the program.
///
/// # Panics
/// Never: a test reads the same text.
#[must_use]
pub fn errors() -> Vec<ErrorRow> {
    read(ERRORS).expect("the program's own table is well formed")
}

fn read(table: &str) -> Option<Vec<ErrorRow>> {
    let mut lines = table.lines();
    if lines.next()? != COLUMNS {
        return None;
    }
    lines
        .map(|line| {
            let cells: Vec<&str> = line.split(',').collect();
            let [
                scenario,
                system,
                endpoints,
                law,
                routing,
                network,
                pattern,
                bytes,
                job,
                kind,
                short,
                packets_us,
                fluid_us,
                ratio,
                doubted,
            ] = cells.try_into().ok()?;
            Some(ErrorRow {
                scenario: scenario.parse().ok()?,
                system: system.to_owned(),
                endpoints: endpoints.parse().ok()?,
                law: law.to_owned(),
                routing: routing.to_owned(),
                network: network.to_owned(),
                pattern: pattern.to_owned(),
                bytes: bytes.parse().ok()?,
                job: job.to_owned(),
                kind: kind.to_owned(),
                short: short.parse().ok()?,
                packets_us: packets_us.parse().ok()?,
                fluid_us: fluid_us.parse().ok()?,
                ratio: ratio.parse().ok()?,
                doubted: doubted.parse().ok()?,
            })
        })
        .collect()
}

/// The rows as CSV.
#[must_use]
pub fn csv(rows: &[ErrorRow]) -> String {
    let line = |row: &ErrorRow| {
        let ErrorRow { scenario, system, endpoints, law, routing, network, pattern, bytes, job, kind, short, .. } = row;
        let ErrorRow { packets_us, fluid_us, ratio, doubted, .. } = row;
        format!(
            "{scenario},{system},{endpoints},{law},{routing},{network},{pattern},{bytes},{job},{kind},{short},{packets_us:.3},{fluid_us:.3},{ratio:.4},{doubted}\n"
        )
    };
    std::iter::once(format!("{COLUMNS}\n")).chain(rows.iter().map(line)).collect()
}

/// The interval of some rows; `None` if there are none.
#[must_use]
pub fn interval<'a>(rows: impl IntoIterator<Item = &'a ErrorRow>) -> Option<Interval> {
    let mut ratios: Vec<f64> = rows.into_iter().map(|row| row.ratio).collect();
    ratios.sort_by(f64::total_cmp);
    let at = |percent: usize| ratios[(ratios.len() - 1) * percent / 100];
    let (min, max) = (*ratios.first()?, *ratios.last()?);
    // Rounded outwards, so that a few rows do not make a narrow interval.
    let p95 = ratios[((ratios.len() - 1) * 95).div_ceil(100)];
    Some(Interval { count: ratios.len(), p5: at(5), p50: at(50), p95, min, max })
}

/// Runs scenario `number` in both modes: one row for each of its jobs.
///
/// # Errors
/// [`StudyError`] if a run fails, or `stop` is set.
pub fn measure(number: u32, stop: &AtomicBool) -> Result<Vec<ErrorRow>, StudyError> {
    let drawn = draw(number);
    let cell =
        |source: ScenarioError| StudyError::Cell { cell: format!("scenario {number}"), source: Box::new(source) };
    let scenario = Scenario::parse(&drawn.toml, &format!("scenario {number}")).map_err(cell)?;
    let resolved = scenario.resolve().map_err(cell)?;
    let mut go_on = |_| if stop.load(Ordering::Relaxed) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) };
    let failed = |error: FabricError| cell(ScenarioError::Fabric(error));
    let packets = resolved.simulation().map_err(cell)?.run(&mut go_on).map_err(failed)?;
    let fluid = resolved.fluid().map_err(cell)?.run(&mut go_on).map_err(|error| cell(ScenarioError::Fluid(error)))?;
    if stop.load(Ordering::Relaxed) {
        return Err(StudyError::Interrupted { done: number as usize, total: number as usize + 1 });
    }
    let jobs = packets.jobs.iter().zip(&fluid.record.jobs).zip(&fluid.jobs);
    let rows = jobs.filter_map(|((packets, rates), told)| {
        let (packets_us, fluid_us) = (packets.finished?.as_micros_f64(), rates.finished?.as_micros_f64());
        Some(ErrorRow {
            scenario: number,
            system: drawn.system.clone(),
            endpoints: resolved.system.topology.endpoint_count() as u32,
            law: drawn.law.to_owned(),
            routing: drawn.routing.to_owned(),
            network: drawn.network.to_owned(),
            pattern: drawn.pattern.to_owned(),
            bytes: drawn.bytes,
            job: packets.name.clone(),
            kind: told.seen.kind().name().to_owned(),
            short: told.seen.is_short(),
            packets_us,
            fluid_us,
            ratio: packets_us / fluid_us,
            doubted: told.doubt.is_some(),
        })
    });
    Ok(rows.collect())
}

/// Scenarios on which the bounds of doubts were chosen; the others are held out.
const CHOSEN_ON: u32 = 560;

/// The distribution of errors by law, routing, traffic, size of messages, kind of job and by
/// whether the run doubted itself.
#[must_use]
pub fn accuracy_table(rows: &[ErrorRow], colour: bool) -> String {
    let size = |row: &ErrorRow| match row.bytes {
        0..16_384 => "messages below 16 KiB",
        16_384..131_072 => "messages of 16 to 128 KiB",
        _ => "messages of 128 KiB and more",
    };
    let mut kinds: Vec<(String, Vec<&ErrorRow>)> = vec![("all".to_owned(), rows.iter().collect())];
    let mut by = |name: &dyn Fn(&ErrorRow) -> String| {
        let mut names: Vec<String> = rows.iter().map(name).collect();
        names.sort();
        names.dedup();
        for of in names {
            kinds.push((of.clone(), rows.iter().filter(|row| name(row) == of).collect()));
        }
    };
    by(&|row| format!("law {}", row.law));
    by(&|row| format!("routing {}", row.routing));
    by(&|row| format!("network {}", row.network));
    by(&|row| format!("{} {}", row.pattern, row.job));
    by(&|row| size(row).to_owned());
    by(&|row| format!("kind {}", row.kind));
    by(&|row| format!("kind {}, law {}", row.kind, row.law));
    by(&|row| if row.doubted { "with a doubt".to_owned() } else { "without a doubt".to_owned() });
    let figure = |value: f64| format!("{value:.2}");
    let table: Vec<Vec<String>> = kinds
        .iter()
        .filter_map(|(kind, rows)| {
            let found = interval(rows.iter().copied())?;
            let figures = [found.min, found.p5, found.p50, found.p95, found.max].map(figure);
            Some([kind.clone(), found.count.to_string()].into_iter().chain(figures).collect())
        })
        .collect();
    let heads = ["packets / fluid", "jobs", "min", "p5", "p50", "p95", "max"];
    let half = |later: bool| DoubtScore::of(rows.iter().filter(|row| (row.scenario >= CHOSEN_ON) == later));
    let mut found = half(false).text("chosen on") + "\n";
    if rows.iter().any(|row| row.scenario >= CHOSEN_ON) {
        found += &(half(true).text("held out") + "\n");
    }
    text::table(&heads, &table, colour) + "\n" + &found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_of_the_program_is_what_it_writes() {
        let rows = errors();
        assert_eq!(csv(&rows), ERRORS);
        assert!(rows.iter().map(|row| row.scenario).max() >= Some(783), "784 scenarios");
        for law in ["slingshot", "none", "ecn", "aries"] {
            let found = interval(rows.iter().filter(|row| row.law == law)).expect("each law is measured");
            assert!(found.count >= 10 && found.p5 <= found.p50 && found.p50 <= found.p95, "{law}: {found:?}");
        }
    }

    #[test]
    fn a_scenario_gives_the_same_rows_again_and_they_are_the_table_s() {
        // The first drawn scenario that is quick in packets as well.
        let stop = AtomicBool::new(false);
        let rows = measure(0, &stop).expect("runs both ways");
        assert_eq!(rows, measure(0, &stop).expect("runs both ways"));
        let kept: Vec<ErrorRow> = errors().into_iter().filter(|row| row.scenario == 0).collect();
        assert_eq!(csv(&rows), csv(&kept), "the table is of this model: make it again");
    }

    /// Scenarios of docs/simulate/fluid.md where rates are not to be trusted: the notice of the
    /// run, and its minimum error.
    #[test]
    fn three_scenarios_where_rates_are_not_to_be_trusted_say_so() {
        let stop = AtomicBool::new(false);
        for (number, job, kind, said, least) in [
            (50, "victim", "beside", "their pauses block", 10.0),
            (357, "victim", "held", "full buffers blocked it", 2.0),
            (271, "job", "network", "links of the network limited it", 2.0),
        ] {
            let rows = measure(number, &stop).expect("runs both ways");
            let row = rows.iter().find(|row| row.job == job).expect("the job");
            assert!(row.ratio > least && row.doubted && row.kind == kind, "{row:?}");
            let scenario = Scenario::parse(&draw(number).toml, "drawn").expect("parses").resolve().expect("resolves");
            let told = scenario.fluid().expect("builds").run(&mut |_| ControlFlow::Continue(())).expect("runs").jobs;
            let doubts: Vec<&str> = told.iter().filter_map(|told| told.doubt.as_deref()).collect();
            let doubted = rows.iter().filter(|row| row.doubted).count();
            assert_eq!(doubts.len(), doubted, "the jobs of {number} that the table doubts: {doubts:?}");
            assert!(doubts.iter().any(|doubt| doubt.contains(said)), "{doubts:?}");
        }
    }

    #[test]
    fn every_drawn_scenario_is_one_that_both_can_run() {
        for number in 0..784 {
            let drawn = draw(number);
            let resolved = Scenario::parse(&drawn.toml, "drawn").expect("parses").resolve().expect("resolves");
            assert!(resolved.system.topology.endpoint_count() <= 4_096, "{number}");
            resolved.fluid().expect("rates can stand for it");
        }
    }
}
