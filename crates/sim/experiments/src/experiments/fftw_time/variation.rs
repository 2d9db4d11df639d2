//! Variations of the comparison, one change at a time: what the two rows depend on.

use philae_results::StudySection;
use serde_json::{Value, json};

use super::{Found, Machine, Problem, Scale, Systems, cell, seconds};
use crate::experiment::ExperimentContext;
use crate::experiments::text;
use crate::runner::StudyError;

/// The change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Variation {
    /// Cassini-2 leaves matching to the host, as ConnectX-7 does by default.
    SlingshotHostMatches,
    /// ConnectX-7 matches messages itself: its host copies no expected eager data and does no work
    /// for a rendezvous.
    NdrMatches,
    /// The fat tree routes by destination and source, not by load; packets stay in order.
    NdrStaticRoutes,
    /// Quantum-2 at the upper end of the reported range of its latency.
    NdrSlowSwitch,
    /// The result stays transposed.
    OneTranspose,
    /// A transform of twice the points in each dimension.
    LargerProblem,
}

impl Variation {
    /// All of them.
    pub(super) const ALL: [Self; 6] = [
        Self::SlingshotHostMatches,
        Self::NdrMatches,
        Self::NdrStaticRoutes,
        Self::NdrSlowSwitch,
        Self::OneTranspose,
        Self::LargerProblem,
    ];

    const fn name(self) -> &'static str {
        match self {
            Self::SlingshotHostMatches => "Slingshot's host matches",
            Self::NdrMatches => "NDR's NIC matches",
            Self::NdrStaticRoutes => "NDR routes statically",
            Self::NdrSlowSwitch => "NDR's switch takes 330 ns",
            Self::OneTranspose => "one transpose",
            Self::LargerProblem => "twice the points in each dimension",
        }
    }

    fn problem(self, problem: Problem) -> Problem {
        match self {
            Self::OneTranspose => Problem { transposes: 1, ..problem },
            Self::LargerProblem => Problem { size: 2 * problem.size, ..problem },
            Self::SlingshotHostMatches | Self::NdrMatches | Self::NdrStaticRoutes | Self::NdrSlowSwitch => problem,
        }
    }

    fn apply(self, scenario: &mut philae_scenario::Scenario) {
        match self {
            Self::SlingshotHostMatches => scenario.hardware.nic.set("match_offload", false),
            Self::NdrMatches => scenario.hardware.nic.set("match_offload", true),
            Self::NdrStaticRoutes => {
                scenario.hardware.nic.set("ordered", true);
                scenario.routing.set("mode", "minimal");
            }
            Self::NdrSlowSwitch => scenario.hardware.switch.set("latency_ns", 330),
            Self::OneTranspose | Self::LargerProblem => {}
        }
    }

    /// Whether it changes this machine.
    const fn changes(self, machine: Machine) -> bool {
        match self {
            Self::SlingshotHostMatches => !matches!(machine, Machine::Infiniband),
            Self::NdrMatches | Self::NdrStaticRoutes | Self::NdrSlowSwitch => matches!(machine, Machine::Infiniband),
            Self::OneTranspose | Self::LargerProblem => true,
        }
    }
}

/// The result: seconds of each machine, in the order of [`Machine::ALL`].
pub(super) struct VariationResult {
    variation: Variation,
    nodes: u32,
    seconds: [f64; 3],
}

impl VariationResult {
    fn ahead(&self) -> f64 {
        self.seconds[Machine::Infiniband as usize] / self.seconds[Machine::SlingshotOne as usize]
    }

    fn gain(&self) -> f64 {
        self.seconds[Machine::SlingshotOne as usize] / self.seconds[Machine::SlingshotTwo as usize]
    }

    /// Its effect on Slingshot's lead, in words.
    pub(super) fn lead(&self) -> String {
        format!("{}, {} nodes: {:.2}", self.variation.name(), self.nodes, self.ahead())
    }

    /// Its effect on the gain of a second NIC, if there is any.
    pub(super) fn second_nic(&self) -> Option<String> {
        let words = || format!("{}, {} nodes: {:.2}", self.variation.name(), self.nodes, self.gain());
        self.variation.changes(Machine::SlingshotTwo).then(words)
    }

    pub(super) fn json(&self) -> Value {
        json!({ "changed": self.variation.name(), "nodes": self.nodes, "seconds": self.seconds })
    }
}

/// Runs every variation with the options that were best without it.
pub(super) fn run(
    context: &ExperimentContext<'_>,
    systems: &Systems,
    scale: &Scale,
    found: &Found,
) -> Result<Vec<VariationResult>, StudyError> {
    let mut cells = Vec::new();
    let mut owners = Vec::new();
    let mut changed = Vec::new();
    // The largest first: the last cells of a batch run alone.
    for &variation in scale.variations.iter().rev() {
        for &nodes in &scale.varied_nodes {
            let mut seconds = [f64::NAN; 3];
            for machine in Machine::ALL {
                let Some(point) = found.at(machine, nodes) else { continue };
                seconds[machine as usize] = point.seconds;
                if !variation.changes(machine) {
                    continue;
                }
                let problem = variation.problem(scale.problem);
                let mut cell = cell(systems, context.seed, machine, nodes, problem, point.options);
                variation.apply(&mut cell.scenario);
                cell.label = format!("{}: {}", variation.name(), cell.label);
                cells.push(cell);
                owners.push((changed.len(), machine));
            }
            changed.push(VariationResult { variation, nodes, seconds });
        }
    }
    let times = context.runner.run(&context.skewed(cells), |_, record| seconds(record))?;
    for ((owner, machine), time) in owners.into_iter().zip(times) {
        changed[owner].seconds[machine as usize] = time;
    }
    changed.reverse();
    Ok(changed)
}

/// The results, in rows.
pub(super) fn table(changed: &[VariationResult]) -> StudySection {
    let rows = changed.iter().map(|found| {
        let ms = found.seconds.map(|seconds| format!("{:.3}", seconds * 1e3));
        let gain = format!("{:.2}", found.gain());
        let ratios = [format!("{:.2}", found.ahead()), gain];
        let names = [found.variation.name().to_owned(), found.nodes.to_string()];
        text::row(names.into_iter().chain(ms).chain(ratios))
    });
    let headers =
        ["changed", "nodes", "Slingshot, one NIC, ms", "two NICs, ms", "NDR, ms", "Slingshot over NDR", "second NIC"];
    text::table(&headers, rows.collect())
}
