//! GPCNeT v1.3: a network's tests in isolation, and next to four congestors.
//!
//! Allocation, tests, congestors, statistics and tables are those of the program;
//! [`LoadResults::notes`] lists the differences. The SC'20 paper's variant runs one congestor of
//! 128 KiB at a time next to the same tests, on the allocation and with the congestors of Fig. 9.

mod allocation;
mod battery;
mod statistics;
mod table;

pub use allocation::{LoadNodes, NODES_MIN};
pub use battery::{Effort, Test, TestRow};
pub use statistics::{BUCKETS, Better, TestStatistics, impact};

use std::path::{Path, PathBuf};

use philae_results::record::RunRecord;
use philae_results::{Earlier, MeasureError, write_result};
use philae_scenario::{JobSection, Measure, RunTree, Scenario, ScenarioError, System};
use philae_units::{NodeId, Picoseconds};
use philae_workload::{Allocation, Span};
use serde::Serialize;

use crate::experiments::{Aggressor, JobLayout, Site, listed, nodes, victims};
use crate::runner::{Cell, CellRunner, StudyError};

/// A run of GPCNeT that cannot be made.
#[derive(Debug, thiserror::Error)]
pub enum GpcnetError {
    /// Too few nodes for the load test, or for any test.
    #[error("{test} needs at least {needed} nodes; {found} are in use")]
    TooFewNodes {
        test: &'static str,
        /// Smallest number that works.
        needed: u32,
        /// Number in use.
        found: u32,
    },
    /// More nodes requested than there are.
    #[error("--nodes is {asked}; the system has {available} compute nodes")]
    TooManyNodes {
        /// Number requested.
        asked: u32,
        /// Compute nodes.
        available: u32,
    },
    /// More samples than can be kept.
    #[error("{test} makes {samples} samples; at most {most} can be kept: fewer rings or iterations would work")]
    TooManySamples {
        test: &'static str,
        /// One per rank and iteration.
        samples: u64,
        /// Maximum.
        most: u64,
    },
    /// The run ended before the test did.
    #[error("{test} had not finished when the run ended: a longer `run.time_limit` would work, or none")]
    Unended { test: &'static str },
    /// Congestors without progress.
    #[error("some congestors had not finished one pass after {after}")]
    Stalled {
        /// Simulated time.
        after: Span,
    },
    /// A cell failed or was interrupted.
    #[error(transparent)]
    Study(#[from] StudyError),
    /// A result could not be written.
    #[error(transparent)]
    Measure(#[from] MeasureError),
}

/// The congestors.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Variant {
    /// All four congestors of the program at the same time, 4 KiB.
    #[default]
    Program,
    /// The paper's alltoall, 128 KiB, on the last four fifths of the nodes.
    PaperAlltoall,
    /// The paper's incast, 128 KiB, on the last four fifths of the nodes.
    PaperIncast,
}

impl Variant {
    fn aggressor(self) -> Option<Aggressor> {
        match self {
            Self::Program => None,
            Self::PaperAlltoall => Some(victims::alltoall()),
            Self::PaperIncast => Some(victims::incast()),
        }
    }
}

/// The run, and its system.
pub struct GpcnetPlan<'a> {
    /// The system, built.
    pub system: System,
    /// All settings except jobs, times and recording.
    pub base: Scenario,
    /// Number of the first compute nodes that are in use; all if absent.
    pub nodes: Option<u32>,
    /// Ranks on each.
    pub processes_per_node: u32,
    /// The size of the run; by the number of ranks if absent.
    pub effort: Option<Effort>,
    pub runner: &'a CellRunner<'a>,
    /// The place of the tables of every run, if they are kept.
    pub save: Option<PathBuf>,
}

/// The results of `network_test`.
#[derive(Clone, Debug, Serialize)]
pub struct NetworkResults {
    /// Nodes in use.
    pub nodes: u32,
    /// Ranks on each.
    pub processes_per_node: u32,
    /// Loops.
    pub effort: Effort,
    /// One for each test.
    pub isolated: Vec<TestRow>,
}

/// The results of `network_load_test`.
#[derive(Clone, Debug, Serialize)]
pub struct LoadResults {
    /// Nodes in use.
    pub nodes: u32,
    /// Ranks on each.
    pub processes_per_node: u32,
    /// The congestors.
    pub variant: Variant,
    /// Loops.
    pub effort: Effort,
    /// Nodes that congest, in the order of the shuffle.
    pub congestor_nodes: Vec<u32>,
    /// Nodes whose communication is measured.
    pub canary_nodes: Vec<u32>,
    /// When the congestors released the canaries, in microseconds of simulated time.
    pub released_us: f64,
    /// The canaries alone.
    pub isolated: Vec<TestRow>,
    /// The canaries next to the congestors.
    pub loaded: Vec<TestRow>,
    /// By canary: the impact on the average and on the 99th percentile.
    pub impact: Vec<ImpactFactor>,
    /// Differences to the program, in sentences.
    pub notes: Vec<&'static str>,
}

/// One congestion impact factor.
#[derive(Clone, Debug, Serialize)]
pub struct ImpactFactor {
    /// The canary.
    pub name: String,
    /// Of the averages.
    pub average: f64,
    /// Of the 99th percentiles.
    pub percentile_99: f64,
}

/// Minimum time that congestors have to themselves: the time of an incast of several hundred nodes
/// to reach a steady state. Longer if a pass takes longer. Source: ours, as Fig. 9's incast.
/// Status: derived; the program's first pass takes seconds.
const SETTLE: Span = Span::micros(4_000);
/// Maximum number of samples kept. Source: ours. Status: assumed, a few gigabytes.
const SAMPLES_MAX: u64 = 64_000_000;

impl GpcnetPlan<'_> {
    /// The nodes in use.
    fn in_use(&self, test: &'static str, needed: u32) -> Result<Vec<NodeId>, GpcnetError> {
        let topology = &self.system.topology;
        let all = (0..topology.node_count()).map(NodeId::from_index).filter(|&node| topology.is_compute(node));
        let mut found: Vec<NodeId> = all.collect();
        if let Some(asked) = self.nodes {
            let available = found.len() as u32;
            if asked > available {
                return Err(GpcnetError::TooManyNodes { asked, available });
            }
            found.truncate(asked as usize);
        }
        let count = found.len() as u32;
        if count < needed { Err(GpcnetError::TooFewNodes { test, needed, found: count }) } else { Ok(found) }
    }

    fn effort(&self, nodes: usize) -> Effort {
        self.effort.unwrap_or_else(|| Effort::for_ranks((nodes as u32).saturating_mul(self.processes_per_node)))
    }

    fn job(&self, name: &str, nodes: &[NodeId], workload: philae_workload::WorkloadSpec) -> JobSection {
        let mut job = JobSection::new(name, workload);
        job.nodes = listed(nodes);
        job.processes_per_node = self.processes_per_node;
        job
    }

    /// A cell with these jobs, of which the first is recorded.
    fn cell(&self, label: String, jobs: Vec<JobSection>, rows_max: u64, time_limit: Option<Span>) -> Cell {
        let messages = Some(vec![jobs[0].name.clone()]);
        let measure = Measure { messages, message_rows_max: rows_max, ..Measure::totals() };
        let time_limit = time_limit.or(self.base.run.time_limit);
        let run = RunTree { start_skew: Span::micros(1), time_limit, ..self.base.run.clone() };
        let scenario = Scenario { name: Some(label.clone()), run, measure, jobs, ..self.base.clone() };
        Cell { label, scenario, system: self.system.clone() }
    }

    /// One test on these nodes, next to other jobs, starting at `start`.
    fn test_cell(
        &self,
        test: Test,
        effort: &Effort,
        canaries: &[NodeId],
        beside: Option<(&JobSection, Span)>,
    ) -> Result<Cell, GpcnetError> {
        let members = canaries.len() as u32;
        let ranks = u64::from(members) * u64::from(self.processes_per_node);
        let samples = ranks * u64::from(test.iterations(effort, members));
        if samples > SAMPLES_MAX {
            return Err(GpcnetError::TooManySamples { test: test.name(), samples, most: SAMPLES_MAX });
        }
        let mut job = self.job("canaries", canaries, test.workload(effort, self.processes_per_node, members));
        let mut jobs = Vec::new();
        let mut label = format!("{} isolated", test.slug());
        if let Some((congestors, start)) = beside {
            job.start = start;
            label = format!("{} loaded", test.slug());
            jobs.push(congestors.clone());
        }
        jobs.insert(0, job);
        Ok(self.cell(label, jobs, samples, None))
    }

    /// Runs one cell for each test and evaluates it.
    fn rows(&self, tests: &[Test], effort: &Effort, members: u32, cells: &[Cell]) -> Result<Vec<TestRow>, GpcnetError> {
        let read = |cell: &Cell, record: &RunRecord| {
            self.keep(cell, record)?;
            let index = cells.iter().position(|other| other.label == cell.label).expect("a cell of these");
            let test = tests[index];
            let found = test.read(effort, members, record);
            let wanted = cell.scenario.measure.message_rows_max;
            let whole = record.iterations.len() as u64 == wanted;
            let row = if whole { test.row(&found) } else { None };
            row.ok_or(GpcnetError::Unended { test: test.name() })
        };
        self.runner.run(cells, read)?.into_iter().collect()
    }

    /// Writes the tables of a run if requested.
    fn keep(&self, cell: &Cell, record: &RunRecord) -> Result<(), GpcnetError> {
        let Some(folder) = &self.save else { return Ok(()) };
        let failed = |source: ScenarioError| StudyError::Cell { cell: cell.label.clone(), source: Box::new(source) };
        let resolved = cell.scenario.resolve_on(&cell.system).map_err(failed)?;
        let place: &Path = &folder.join("runs").join(cell.label.replace(' ', "-"));
        write_result(place, record, &resolved.run_description(env!("CARGO_PKG_VERSION"), 0.0), Earlier::Keep)?;
        Ok(())
    }

    /// The eight tests on all nodes in use.
    ///
    /// # Errors
    /// [`GpcnetError`].
    pub fn network(&self) -> Result<NetworkResults, GpcnetError> {
        let nodes = self.in_use("the network test", 2)?;
        let effort = self.effort(nodes.len());
        let cells: Result<Vec<Cell>, _> =
            Test::NETWORK.iter().map(|&test| self.test_cell(test, &effort, &nodes, None)).collect();
        let count = nodes.len() as u32;
        let isolated = self.rows(&Test::NETWORK, &effort, count, &cells?)?;
        Ok(NetworkResults { nodes: count, processes_per_node: self.processes_per_node, effort, isolated })
    }

    /// The canaries alone, then next to the congestors.
    ///
    /// # Errors
    /// [`GpcnetError`].
    pub fn load(&self, variant: Variant) -> Result<LoadResults, GpcnetError> {
        let nodes = self.in_use("the load test", NODES_MIN)?;
        let effort = self.effort(nodes.len());
        let shares = self.shares(variant, &nodes)?;
        let (congestors, settle) = self.congestors(variant, &shares)?;
        let canaries = &shares.canaries;
        let cells = |beside: Option<(&JobSection, Span)>| -> Result<Vec<Cell>, GpcnetError> {
            Test::CANARIES.iter().map(|&test| self.test_cell(test, &effort, canaries, beside)).collect()
        };
        let members = canaries.len() as u32;
        let isolated = self.rows(&Test::CANARIES, &effort, members, &cells(None)?)?;
        let loaded = self.rows(&Test::CANARIES, &effort, members, &cells(Some((&congestors, settle)))?)?;
        let both = isolated.iter().zip(&loaded).map(|(alone, beside)| ImpactFactor {
            name: alone.name.clone(),
            average: impact(alone.summary.average, beside.summary.average, alone.better),
            percentile_99: impact(alone.summary.percentile_99, beside.summary.percentile_99, alone.better),
        });
        let numbers = |nodes: &[NodeId]| nodes.iter().map(|node| node.0).collect();
        Ok(LoadResults {
            nodes: nodes.len() as u32,
            processes_per_node: self.processes_per_node,
            variant,
            effort,
            congestor_nodes: numbers(&shares.congestors),
            canary_nodes: numbers(canaries),
            released_us: settle.0.0 as f64 / 1e6,
            impact: both.collect(),
            isolated,
            loaded,
            notes: notes(variant),
        })
    }

    fn shares(&self, variant: Variant, in_use: &[NodeId]) -> Result<LoadNodes, GpcnetError> {
        if variant == Variant::Program {
            return Ok(LoadNodes::draw(in_use, self.base.seed));
        }
        // As Fig. 9: linear, the victim on the first fifth.
        let system = self.system.clone();
        let site = Site { name: String::new(), system, nodes: in_use.len() as u32, law: None };
        let layout = JobLayout { allocation: Allocation::Linear, victim_percent: 20 };
        let [canaries, congestors] = nodes(&site, layout, self.base.seed)?;
        Ok(LoadNodes { congestors, canaries })
    }

    /// The congestors' job, and when it releases the canaries.
    fn congestors(&self, variant: Variant, shares: &LoadNodes) -> Result<(JobSection, Span), GpcnetError> {
        if let Some(aggressor) = variant.aggressor() {
            return Ok((self.job("congestors", &shares.congestors, aggressor.workload), aggressor.settle));
        }
        let job = self.job("congestors", &shares.congestors, battery::congestors(self.processes_per_node));
        // The targets of the put incast and of the get broadcast are passive.
        let active = shares.congestors.len() * self.processes_per_node as usize - 2 * self.processes_per_node as usize;
        let mut limit = SETTLE;
        for _ in 0..PASS_TRIES {
            let cell = self.cell("congestors alone".to_owned(), vec![job.clone()], 4_000_000, Some(limit));
            let passed = self.runner.run(std::slice::from_ref(&cell), |_, record| first_pass(record, active))?;
            if let [Some(end)] = passed[..] {
                return Ok((job, Span(end.max(SETTLE.0))));
            }
            limit = Span(Picoseconds(limit.0.0 * 2));
        }
        Err(GpcnetError::Stalled { after: limit })
    }
}

/// How often the time for a pass is doubled. Source: ours. Status: assumed; a second of simulated
/// time.
const PASS_TRIES: u32 = 8;

/// When the last of `active` ranks had ended its first iteration.
fn first_pass(record: &RunRecord, active: usize) -> Option<Picoseconds> {
    let ends: Vec<Picoseconds> = record.iterations.iter().filter(|row| row.iteration == 0).map(|row| row.end).collect();
    if ends.len() < active { None } else { ends.into_iter().max() }
}

/// Differences to the program.
fn notes(variant: Variant) -> Vec<&'static str> {
    let mut notes = vec![
        "nodes, ring orders and groups of congestors are drawn from the seed by our own streams, not by rand()",
        "each test is run once; the program repeats it until ten seconds have passed",
        "timed iterations do not include the cost of reading a clock",
    ];
    match variant {
        Variant::Program => notes.push(
            "congestors release the canaries when every one has ended one iteration, but not before 4 ms; the program's first pass \
             is 256 times up to 512 iterations",
        ),
        Variant::PaperAlltoall | Variant::PaperIncast => notes.push(
            "one congestor of 128 KiB on the last four fifths of the nodes, which starts 4 ms (incast) or 100 us (alltoall) before \
             the canaries, as in Fig. 9",
        ),
    }
    notes
}

impl NetworkResults {
    /// The table, 80 columns wide.
    #[must_use]
    pub fn text(&self) -> String {
        table::results("Isolated Network Tests", &self.isolated)
    }
}

impl LoadResults {
    /// The three tables, 80 columns wide.
    #[must_use]
    pub fn text(&self) -> String {
        let title = "Network Tests running with Congestion Tests";
        [
            table::results("Isolated Network Tests", &self.isolated),
            table::results(title, &self.loaded),
            table::impacts(&format!("{title} - Key Results"), &self.isolated, &self.loaded),
        ]
        .join("\n")
    }
}

#[cfg(test)]
mod tests;
