//! A victim next to an aggressor: the protocol that all congestion experiments share.
//!
//! The aggressor starts at 0 and never ends. The victim starts once the aggressor is in a steady
//! state, and the run ends when the victim has ended, or when its time limit is over. Alone, the
//! victim runs on the same nodes with the same seed. The congestion impact is the mean time of an
//! iteration next to the aggressor, divided by the mean alone. Source: De Sensi et al., SC'20,
//! section III-A. Status: published.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use philae_results::format::number;
use philae_results::percentile::of_sorted;
use philae_results::record::{RunRecord, RunStatus};
use philae_results::{StudySection, TableRow};
use philae_scenario::{JobSection, Measure, RunTree, Scenario, ScenarioError, System};
use philae_units::{JobId, NodeId, Picoseconds};
use philae_workload::{Allocation, JobSpec, Nodes, Span, Workload, WorkloadSpec, place};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::applications;
use super::requests::Requests;
use super::victims::{Victim, Window};
use crate::experiment::ExperimentContext;
use crate::runner::{Cell, StudyError};

/// The victim is the first job of every scenario here.
const VICTIM: JobId = JobId(0);

/// A system, and the number of its nodes that an experiment uses (the first ones; the others stay
/// empty).
#[derive(Clone, Debug)]
pub struct Site {
    /// Its name in tables.
    pub name: String,
    pub system: System,
    /// Nodes in use.
    pub nodes: u32,
    /// Congestion law, if it is not the system's own.
    pub law: Option<&'static str>,
}

impl Site {
    /// The first `nodes` nodes of a built-in system.
    pub fn load(name: &str, nodes: u32) -> Result<Self, StudyError> {
        let system = System::load(name).map_err(Box::new)?;
        Ok(Self { name: name.to_owned(), system, nodes, law: None })
    }

    /// The same nodes under another law.
    #[must_use]
    pub fn under(&self, law: &'static str) -> Self {
        Self { law: Some(law), ..self.clone() }
    }

    /// Name, size and law.
    #[must_use]
    pub fn label(&self) -> String {
        let law = self.law.map_or_else(String::new, |law| format!(" under {law}"));
        format!("{} {}{law}", self.name, self.nodes)
    }
}

/// The victim's nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct JobLayout {
    /// The allocation of nodes.
    pub allocation: Allocation,
    /// Share of the nodes in use that the victim gets, in per cent; the aggressor gets the rest.
    pub victim_percent: u32,
}

impl JobLayout {
    /// `90/10`, as the publication writes it.
    #[must_use]
    pub fn split(self) -> String {
        format!("{}/{}", self.victim_percent, 100 - self.victim_percent)
    }

    /// `linear`, `interleaved`, `random`.
    #[must_use]
    pub const fn allocation_name(self) -> &'static str {
        match self.allocation {
            Allocation::Linear => "linear",
            Allocation::Interleaved => "interleaved",
            Allocation::Random => "random",
        }
    }
}

/// The aggressor, and how long the victim's part may take next to it.
#[derive(Clone, Debug)]
pub struct Aggressor {
    /// Name.
    pub label: String,
    /// The endless work of each rank.
    pub workload: WorkloadSpec,
    /// Ranks on each of its nodes.
    pub processes_per_node: u32,
    /// When the victim starts.
    pub settle: Span,
    /// How long the victim may take from there on; longer if its iterations are long.
    pub patience: Span,
    /// Minimum time for the victim, in multiples of an iteration's time alone.
    pub turns: f64,
}

impl Aggressor {
    /// The same with more ranks on each node.
    #[must_use]
    pub fn with_processes(&self, processes_per_node: u32) -> Self {
        Self { processes_per_node, ..self.clone() }
    }
}

/// One cell of the experiment.
#[derive(Clone, Copy, Debug)]
pub struct Question<'a> {
    /// The system.
    pub site: &'a Site,
    /// The nodes.
    pub layout: JobLayout,
    pub victim: &'a Victim,
    pub aggressor: &'a Aggressor,
}

/// Durations of a victim's iterations, over ranks and iterations (without the warm-up).
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Timing {
    /// Mean, in picoseconds.
    pub mean_ps: f64,
    /// Mean over ranks of each timed iteration that every rank ended, in picoseconds. For a
    /// service: of each request.
    pub by_iteration: Vec<f64>,
    /// 95th percentile, in picoseconds, of the iterations that ended. Not a number if none did.
    pub p95_ps: f64,
    /// 99th percentile, in the same way.
    pub p99_ps: f64,
    /// Whether there were too few for a mean, which then is a lower bound; or requests were left
    /// without an answer.
    pub bound: bool,
    /// For a service, its requests.
    pub requests: Option<Requests>,
}

impl Timing {
    /// From durations that all count, one of each iteration or request.
    pub fn of_lengths(lengths: Vec<f64>, bound: bool) -> Self {
        let mut sorted = lengths.clone();
        sorted.sort_by(f64::total_cmp);
        let at = |percent| of_sorted(&sorted, percent).unwrap_or(f64::NAN);
        let mean_ps = lengths.iter().sum::<f64>() / lengths.len().max(1) as f64;
        Self { mean_ps, p95_ps: at(95.0), p99_ps: at(99.0), bound, by_iteration: lengths, requests: None }
    }

    /// Mean of the first iterations, as many as `other` has: the same work is compared. Mean of all
    /// if `other` has none.
    fn mean_of_as_many_as(&self, other: &Self) -> f64 {
        let same = &self.by_iteration[..other.by_iteration.len().min(self.by_iteration.len())];
        if same.is_empty() || other.bound { self.mean_ps } else { same.iter().sum::<f64>() / same.len() as f64 }
    }
}

/// The answer to a question.
#[derive(Clone, Debug)]
pub struct NeighbourImpact {
    /// System, size and law.
    pub site: String,
    /// Nodes.
    pub layout: JobLayout,
    pub victim: String,
    pub aggressor: String,
    /// Ranks on each of the aggressor's nodes.
    pub processes_per_node: u32,
    /// The victim alone.
    pub alone: Timing,
    /// The victim next to the aggressor.
    pub beside: Timing,
}

impl NeighbourImpact {
    /// The congestion impact: mean time next to the aggressor, divided by the mean time alone.
    #[must_use]
    pub fn ratio(&self) -> f64 {
        self.beside.mean_ps / self.alone_mean_ps()
    }

    /// The mean alone, over the iterations that also ended next to the aggressor, in picoseconds.
    fn alone_mean_ps(&self) -> f64 {
        self.alone.mean_of_as_many_as(&self.beside)
    }

    /// The impact as tables print it, with `>=` if it is a lower bound.
    #[must_use]
    pub fn text(&self) -> String {
        let bound = if self.beside.bound { ">= " } else { "" };
        format!("{bound}{:.2}", self.ratio())
    }

    /// One line for notes.
    #[must_use]
    pub fn describe(&self) -> String {
        let Self { site, victim, aggressor, processes_per_node, layout, .. } = self;
        let (split, allocation) = (layout.split(), layout.allocation_name());
        format!(
            "{} for {victim} beside {aggressor} (PPN {processes_per_node}), {allocation} {split} on {site}",
            self.text()
        )
    }

    /// Every figure, for `--json`.
    #[must_use]
    pub fn data(&self) -> Value {
        let us = |ps: f64| if ps.is_finite() { json!(ps / 1e6) } else { Value::Null };
        json!({
            "system": self.site,
            "allocation": self.layout.allocation_name(),
            "victim_percent": self.layout.victim_percent,
            "victim": self.victim,
            "aggressor": self.aggressor,
            "aggressor_processes_per_node": self.processes_per_node,
            "alone_us_mean": us(self.alone_mean_ps()),
            "alone_us_p95": us(self.alone.p95_ps),
            "alone_us_p99": us(self.alone.p99_ps),
            "beside_us_mean": us(self.beside.mean_ps),
            "beside_us_p95": us(self.beside.p95_ps),
            "beside_us_p99": us(self.beside.p99_ps),
            "beside_iterations": self.beside.by_iteration.len(),
            "impact": self.ratio(),
            "impact_is_a_lower_bound": self.beside.bound,
        })
    }
}

/// The worst of some impacts.
#[must_use]
pub fn worst<'i>(impacts: impl IntoIterator<Item = &'i NeighbourImpact>) -> Option<&'i NeighbourImpact> {
    impacts.into_iter().max_by(|one, other| one.ratio().total_cmp(&other.ratio()))
}

/// A table of every cell.
#[must_use]
pub fn table(impacts: &[NeighbourImpact]) -> StudySection {
    let headers = [
        "system",
        "victim",
        "aggressor",
        "PPN",
        "allocation",
        "split",
        "alone (us)",
        "p99 (us)",
        "beside (us)",
        "p99 (us)",
        "iterations",
        "C",
    ];
    let us = |ps: f64| number(ps / 1e6);
    let row = |impact: &NeighbourImpact| {
        TableRow::from([
            impact.site.clone(),
            impact.victim.clone(),
            impact.aggressor.clone(),
            impact.processes_per_node.to_string(),
            impact.layout.allocation_name().to_owned(),
            impact.layout.split(),
            us(impact.alone_mean_ps()),
            us(impact.alone.p99_ps),
            us(impact.beside.mean_ps),
            us(impact.beside.p99_ps),
            impact.beside.by_iteration.len().to_string(),
            impact.text(),
        ])
    };
    StudySection::Table { headers: headers.map(str::to_owned).to_vec(), rows: impacts.iter().map(row).collect() }
}

/// Runs every cell, and each victim alone once per site and layout. Answers keep the order of the
/// questions.
///
/// # Errors
/// If a cell fails or the study is interrupted.
pub fn impacts(
    context: &ExperimentContext<'_>,
    questions: &[Question<'_>],
) -> Result<Vec<NeighbourImpact>, StudyError> {
    let mut numbers: BTreeMap<String, usize> = BTreeMap::new();
    let mut alone = Vec::new();
    for question in questions {
        let key = name_alone(question);
        if let Entry::Vacant(vacant) = numbers.entry(key) {
            vacant.insert(alone.len());
            alone.push(cell(context.seed, question, None)?);
        }
    }
    let read = |cell: &Cell, record: &RunRecord| Timing::of(record, &cell.scenario.jobs[VICTIM.index()]);
    let alone = context.runner.run_kept(&alone, read)?;
    let of_question = |question: &Question<'_>| &alone[numbers[&name_alone(question)]];
    let beside: Result<Vec<Cell>, StudyError> =
        questions.iter().map(|question| cell(context.seed, question, Some(of_question(question)))).collect();
    let beside = context.runner.run_kept(&beside?, read)?;
    let answer = |(question, beside): (&Question<'_>, Timing)| {
        let alone = of_question(question);
        let (alone, beside) = match (&alone.requests, &beside.requests) {
            (Some(before), Some(after)) => before.pair(after),
            _ => (alone.clone(), beside),
        };
        NeighbourImpact {
            site: question.site.label(),
            layout: question.layout,
            victim: question.victim.label.clone(),
            aggressor: question.aggressor.label.clone(),
            processes_per_node: question.aggressor.processes_per_node,
            alone,
            beside,
        }
    };
    Ok(questions.iter().zip(beside).map(answer).collect())
}

/// The name of a question's baseline.
fn name_alone(question: &Question<'_>) -> String {
    let Question { site, layout, victim, .. } = question;
    format!("{}, {} {}: {} alone", site.label(), layout.allocation_name(), layout.split(), victim.label)
}

/// The scenario of a question: the victim alone, or next to the aggressor once its time alone is
/// known.
fn cell(seed: u64, question: &Question<'_>, alone: Option<&Timing>) -> Result<Cell, StudyError> {
    let Question { site, layout, victim, aggressor } = question;
    let [victim_nodes, aggressor_nodes] = nodes(site, *layout, seed)?;
    // A victim that needs fewer ranks than it has nodes keeps the last ones: those nearest to a
    // linear aggressor.
    let ranks = victim.fit.ranks(victim_nodes.len() as u32) as usize;
    let name = victim.job_name();
    let mut job = JobSection::new(&name, victim.workload(ranks as u32));
    job.nodes = listed(&victim_nodes[victim_nodes.len() - ranks..]);
    let mut label = name_alone(question);
    let mut run = RunTree { start_skew: Span::micros(1), ..RunTree::default() };
    let mut jobs = vec![job];
    if let Some(alone) = alone {
        jobs[0].start = aggressor.settle;
        let patience = aggressor.patience.0;
        let window = match victim.window {
            Window::Turns => patience.max(Picoseconds((alone.mean_ps * aggressor.turns) as u64)),
            Window::AtLeast(least) => patience.max(least.0),
            Window::Whole => patience + Picoseconds(alone.requests.as_ref().map_or(0, Requests::window_ps)),
        };
        run.time_limit = Some(Span(aggressor.settle.0 + window));
        let mut job = JobSection::new("aggressor", aggressor.workload.clone());
        job.nodes = listed(&aggressor_nodes);
        job.processes_per_node = aggressor.processes_per_node;
        jobs.push(job);
        let beside = format!("beside {} PPN {}", aggressor.label, aggressor.processes_per_node);
        label = label.replace("alone", &beside);
    }
    let mut scenario = Scenario { seed, run, jobs, measure: measure(name), ..Scenario::on(&site.system) };
    if let Some(law) = site.law {
        scenario.congestion = scenario.congestion.preset(law);
    }
    Ok(Cell { label, scenario, system: site.system.clone() })
}

/// Records only the victim's iterations; no victim here has more rows than this.
fn measure(victim: String) -> Measure {
    Measure { messages: Some(vec![victim]), message_rows_max: 2_000_000, ..Measure::totals() }
}

/// The victim's and the aggressor's nodes.
pub fn nodes(site: &Site, layout: JobLayout, seed: u64) -> Result<[Vec<NodeId>; 2], StudyError> {
    let topology = &site.system.topology;
    let compute: Vec<NodeId> = (0..topology.node_count())
        .map(NodeId::from_index)
        .filter(|&node| topology.is_compute(node))
        .take(site.nodes as usize)
        .collect();
    let victim_nodes = (site.nodes * layout.victim_percent + 50) / 100;
    let jobs = [("victim", victim_nodes), ("aggressor", site.nodes - victim_nodes)];
    let jobs = jobs.map(|(name, count)| JobSpec { nodes: Nodes::Count(count), ..filler(name).spec() });
    let placed = place(&jobs, &compute, layout.allocation, seed);
    let placed = placed.map_err(|error| Box::new(ScenarioError::from(error)))?;
    Ok(<[Vec<NodeId>; 2]>::try_from(placed).expect("two jobs were placed"))
}

/// Placement reads only names and node counts.
fn filler(name: &str) -> JobSection {
    JobSection::new(name, WorkloadSpec::Barrier(philae_workload::Barrier::default()))
}

/// A node list in which runs of consecutive nodes are ranges.
#[must_use]
pub fn listed(nodes: &[NodeId]) -> Nodes {
    let mut ranges: Vec<(u32, u32)> = Vec::new();
    for node in nodes {
        match ranges.last_mut() {
            Some((_, last)) if *last + 1 == node.0 => *last = node.0,
            _ => ranges.push((node.0, node.0)),
        }
    }
    Nodes::List(ranges)
}

impl Timing {
    /// Reads the iterations of the victim.
    pub(super) fn of(record: &RunRecord, job: &JobSection) -> Self {
        if matches!(job.workload, WorkloadSpec::Service(_)) {
            let requests = Requests::of(record, VICTIM, job.start.0.0);
            return Self { requests: Some(requests.clone()), ..requests.timing() };
        }
        let ranks = record.jobs[VICTIM.index()].ranks as usize;
        let mut progress = vec![(0_u32, job.start.0); ranks];
        let rows = || record.iterations.iter().filter(|row| row.job == VICTIM);
        for row in rows() {
            let (ended, until) = &mut progress[row.rank.index()];
            (*ended, *until) = (*ended + 1, row.end.max(*until));
        }
        let complete = progress.iter().map(|(ended, _)| *ended).min().unwrap_or(0);
        let timed = complete.saturating_sub(Victim::WARM_UP);
        let bound = record.status != RunStatus::Completed && timed < ITERATIONS_MIN;
        let mut by_iteration = vec![0.0; timed as usize];
        let mut lengths: Vec<f64> = Vec::new();
        for row in rows().filter(|row| row.iteration >= Victim::WARM_UP) {
            let length = (row.end.0 - row.start.0) as f64;
            // An iteration that only some ranks have ended would count only the fast ones: whole
            // iterations, or a bound.
            if let Some(sum) = by_iteration.get_mut((row.iteration - Victim::WARM_UP) as usize) {
                *sum += length / ranks as f64;
                lengths.push(length);
            } else if bound {
                lengths.push(length);
            }
        }
        lengths.sort_by(f64::total_cmp);
        let [p95_ps, p99_ps] = [95.0, 99.0].map(|percent| of_sorted(&lengths, percent).unwrap_or(f64::NAN));
        if bound {
            let wanted = job.workload.iterations().expect("a victim ends by itself");
            censor(&mut lengths, &progress, wanted, record.simulated);
        }
        let mean_ps = lengths.iter().sum::<f64>() / lengths.len().max(1) as f64;
        Self { mean_ps, by_iteration, p95_ps, p99_ps, bound, requests: None }
    }
}

/// Whole timed iterations that suffice for a mean if the victim has not ended all of them.
const ITERATIONS_MIN: u32 = 2;

/// Adds the iterations that had begun but not ended, with their time so far, if that is more than
/// the mean of the others. The mean stays a lower bound.
fn censor(lengths: &mut Vec<f64>, progress: &[(u32, Picoseconds)], wanted: u32, end: Picoseconds) {
    let mean = lengths.iter().sum::<f64>() / lengths.len().max(1) as f64;
    let begun = progress.iter().filter(|(ended, _)| *ended < wanted);
    let so_far = begun.map(|(_, until)| end.saturating_sub(*until).0 as f64);
    lengths.extend(so_far.filter(|&length| length > mean));
}

/// The assumptions of every experiment of this kind with these victims.
#[must_use]
pub fn assumptions(victims: &[Victim]) -> Vec<String> {
    let shared = [
        "victims run one process per node; the publication does not say how many theirs had",
        "a process uses the NIC of its number on its node, as MPI libraries do: one process per node uses the first \
         NIC only",
        "an aggressor with several processes per node is one job: every process of an incast writes to the same \
         process",
        "iterations are timed per rank, from its own begin to its own end; the first of each rank is warm-up",
        "an endless aggressor settles (incast 4 ms, alltoall 100 us) before the victim starts: the effect of its \
         onset is left out; the bursts of Fig. 12 consist of onset",
        "ranks start within 1 us; a cell has a time limit, and both means are over the iterations that every rank has \
         ended by then; fewer than two give a lower bound, marked >=",
        "message sizes are not published for every victim: 8 B and 128 B, which the paper names elsewhere",
        "victims on grids run on as many ranks as fill one of nearly equal sides, on the last of the victim's nodes",
    ];
    applications::assumptions(victims).into_iter().chain(shared.map(str::to_owned)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_of_nodes_are_ranges() {
        let nodes = [3, 4, 5, 9, 8].map(NodeId);
        assert_eq!(listed(&nodes), Nodes::List(vec![(3, 5), (9, 9), (8, 8)]));
    }

    #[test]
    fn an_unended_iteration_counts_only_when_it_is_long() {
        let end = Picoseconds(1_000);
        let mut lengths = vec![100.0, 100.0];
        censor(&mut lengths, &[(2, Picoseconds(980)), (1, Picoseconds(500)), (3, Picoseconds(0))], 3, end);
        assert_eq!(lengths, [100.0, 100.0, 500.0], "20 is short, 500 is not, and the third rank had ended all");
        let mut none = Vec::new();
        censor(&mut none, &[(0, Picoseconds(200))], 3, end);
        assert_eq!(none, [800.0]);
    }
}
