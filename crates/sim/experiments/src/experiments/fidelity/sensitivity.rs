//! Sensitivity to the assumed figures of the tile model: those that matter under load, each at the
//! ends of its range.

use philae_results::StudySection;
use philae_switch::tile::TileParameters;
use serde_json::{Value, json};

use super::crossing::Crossings;
use super::traffic::{PortPairs, SwitchLoad};
use super::{end, text, tile};
use crate::experiment::{ExperimentContext, ExperimentOutcome};
use crate::runner::StudyError;

/// A figure and a value of it.
struct Change {
    name: &'static str,
    value: u32,
    set: fn(&mut TileParameters, u32),
}

impl Change {
    const fn new(name: &'static str, value: u32, set: fn(&mut TileParameters, u32)) -> Self {
        Self { name, value, set }
    }

    fn parameters(&self) -> TileParameters {
        let mut parameters = TileParameters::rosetta();
        (self.set)(&mut parameters, self.value);
        parameters
    }
}

/// Values at the ends of the plausible ranges (`TileParameters::rosetta_provenance`).
fn changes() -> Vec<Change> {
    let clock = |value| Change::new("clock_mhz", value, |tile, value| tile.clock_mhz = value);
    let crossbar = |value| Change::new("crossbar_queue_bytes", value, |tile, value| tile.crossbar_queue_bytes = value);
    let credit = |value| Change::new("crossbar_credit_ns", value, |tile, value| tile.crossbar_credit_ns = value);
    let output = |value| Change::new("output_queue_bytes", value, |tile, value| tile.output_queue_bytes = value);
    vec![
        clock(521),
        clock(1_000),
        crossbar(4_352),
        crossbar(32_768),
        credit(5),
        credit(50),
        output(4_352),
        output(65_536),
    ]
}

/// Runs the changes and adds their table and figures.
///
/// # Errors
/// If a run fails or the study is interrupted.
pub fn add(context: &ExperimentContext<'_>, outcome: &mut ExperimentOutcome) -> Result<(), StudyError> {
    let load = |pattern, percent| SwitchLoad { pattern, bytes: 4_096, percent, end: end(context.quick) };
    let loads = [load(PortPairs::Uniform, 100), load(PortPairs::RowToPort, 90)];
    let unchanged = Change::new("as assumed", 0, |_, _| {});
    let changes: Vec<Change> = std::iter::once(unchanged).chain(changes()).collect();
    let jobs: Vec<(&Change, SwitchLoad)> =
        changes.iter().flat_map(|change| loads.iter().map(move |&load| (change, load))).collect();
    let label = |(change, load): &(&Change, SwitchLoad)| format!("{} {}: {}", change.name, change.value, load.label());
    let results = context
        .runner
        .run_each(&jobs, label, |(change, load), stop| tile::run(change.parameters(), load, context.seed, stop))?;
    let (uniform, row) = (&loads[0], &loads[1]);
    outcome.sections.push(StudySection::Heading("Sensitivity to assumed figures".to_owned()));
    outcome.sections.push(StudySection::Text(format!(
        "Tile fidelity with one figure at the end of its plausible range: \"{}\" and \"{}\".",
        uniform.label(),
        row.label()
    )));
    let cells = |found: &Crossings| {
        [format!("{:.1} %", found.accepted * 100.0), format!("{:.0}", found.median_ns), format!("{:.0}", found.p99_ns)]
    };
    let rows = changes.iter().zip(results.chunks(loads.len())).map(|(change, found)| {
        let value = if change.value == 0 { String::new() } else { change.value.to_string() };
        text::row([change.name.to_owned(), value].into_iter().chain(found.iter().flat_map(cells)))
    });
    let headers =
        ["figure", "value", "uniform: accepted", "median ns", "p99 ns", "row to port: accepted", "median ns", "p99 ns"];
    outcome.sections.push(text::table(&headers, rows.collect()));
    let figures: Vec<Value> = jobs
        .iter()
        .zip(&results)
        .map(|((change, load), found)| {
            json!({ "figure": change.name, "value": change.value, "pattern": load.pattern.name(), "tile": found.json() })
        })
        .collect();
    outcome.data["sensitivity"] = Value::Array(figures);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_change_is_one_and_lies_in_its_range() {
        let provenance = TileParameters::rosetta_provenance();
        for change in changes() {
            assert_ne!(change.parameters(), TileParameters::rosetta(), "{}", change.name);
            assert!(provenance.iter().any(|row| row.name == change.name), "{} is a figure of the model", change.name);
        }
    }
}
