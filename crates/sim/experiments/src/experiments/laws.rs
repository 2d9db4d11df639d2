//! The same incast under every congestion law: the effect on a victim, the queue of the hot port,
//! and the time until fairness.
//!
//! Not published: a comparison of our own, on equal hardware.

use philae_congestion::{CongestionLaw, SlingshotParameters};
use philae_results::StudySection;
use philae_results::chart::{ChartAxis, ChartLine, LineChart, LineKind, Reference};
use philae_results::format::{Unit, bytes, number, time_ps};
use philae_results::record::{LinkRole, RunRecord};
use philae_scenario::{JobSection, Measure, RunTree, Scenario};
use philae_units::NodeId;
use philae_workload::{Allocation, Size, Span};
use serde_json::{Value, json};

use super::beside::{
    Aggressor, JobLayout, NeighbourImpact, Question, Site, assumptions, impacts, listed, nodes, table,
};
use super::victims::{Victim, incast};
use crate::experiment::{Experiment, ExperimentContext, ExperimentOutcome};
use crate::runner::{Cell, StudyError};

/// A comparison of the laws.
pub struct Laws;

/// The experiment's runs.
pub struct LawRuns {
    /// The system; its law does not matter.
    pub site: Site,
    /// The nodes of victim and aggressor.
    pub layout: JobLayout,
    pub victims: Vec<Victim>,
    pub aggressor: Aggressor,
    /// How long queues are observed.
    pub watched: Span,
    /// Length of a sampling interval.
    pub interval: Span,
}

impl LawRuns {
    /// On half of Shandy, victim and aggressor interleaved so that they share every switch.
    ///
    /// # Errors
    /// If the system cannot be built.
    pub fn usual(quick: bool) -> Result<Self, StudyError> {
        let (allreduces, round_trips, watched) = if quick { (100, 300, 20_000) } else { (500, 1_500, 60_000) };
        Ok(Self {
            site: Site::load("shandy", 512)?,
            layout: JobLayout { allocation: Allocation::Interleaved, victim_percent: 50 },
            victims: vec![Victim::allreduce(Size::bytes(8), allreduces), Victim::ping_pong(round_trips)],
            aggressor: incast(),
            watched: Span::micros(watched),
            interval: Span::micros(20),
        })
    }
}

impl Experiment for Laws {
    fn id(&self) -> &'static str {
        "laws"
    }

    fn title(&self) -> &'static str {
        "The same incast under every congestion law"
    }

    fn source(&self) -> &'static str {
        "our own comparison; nothing of it is published"
    }

    fn targets(&self) -> &'static [&'static str] {
        &[]
    }

    fn run(&self, context: &ExperimentContext<'_>) -> Result<ExperimentOutcome, StudyError> {
        study(context, &LawRuns::usual(context.quick)?)
    }
}

/// Output ports on the longest minimal path: the largest queues of all of them may count a packet
/// that passes within one interval.
const PORTS_PASSED: f64 = 4.0;

/// The queues of one law over time.
#[derive(Clone, Debug)]
pub struct LawQueues {
    law: &'static str,
    /// Largest request queue of the target's port in each interval, in bytes.
    hot: Vec<f64>,
    /// Sum over all ports of their largest request queue in each interval, in bytes.
    fabric: Vec<f64>,
    /// Share of the target's link in use, over the second half.
    used: f64,
    /// Largest sum of queues at which every contributor may have its fair share, in bytes.
    fair: f64,
    /// Length of an interval, in picoseconds.
    interval_ps: f64,
}

/// Runs a plan.
///
/// # Errors
/// If a cell fails or the study is interrupted.
pub fn study(context: &ExperimentContext<'_>, plan: &LawRuns) -> Result<ExperimentOutcome, StudyError> {
    let sites = CongestionLaw::NAMES.map(|law| plan.site.under(law));
    let questions: Vec<Question<'_>> = plan
        .victims
        .iter()
        .flat_map(|victim| {
            let question = move |site| Question { site, layout: plan.layout, victim, aggressor: &plan.aggressor };
            sites.iter().map(question)
        })
        .collect();
    let answers = impacts(context, &questions)?;
    let watches = watch(context, plan, &sites)?;
    let fair = watches.first().map_or(0.0, |watch| watch.fair);
    let mut assumptions = assumptions(&plan.victims);
    assumptions.push(format!(
        "contributors count as being at their fair share from the first interval on after which all queues of the fabric \
         together never hold more than {}: one packet of each contributor at each of the four ports of its path, and the \
         congestion threshold. One packet is the least that a flow can have in flight, and flows with equal windows share \
         one bottleneck equally; what is summed is each port's largest queue within an interval, which counts a packet at \
         every port that it passes",
        bytes(fair)
    ));
    assumptions.push(
        "all laws run on Shandy's switches, NICs and routing: `aries` is Aries' law (small buffers, credits only), not an \
         Aries network"
            .to_owned(),
    );
    Ok(ExperimentOutcome {
        findings: Vec::new(),
        sections: vec![
            watch_table(&watches),
            chart("Queue at the target's port", &watches, |watch| &watch.hot, None),
            chart("All queues of the fabric", &watches, |watch| &watch.fabric, Some(fair)),
            table(&answers),
        ],
        data: json!({
            "cells": answers.iter().map(NeighbourImpact::data).collect::<Vec<_>>(),
            "queues": watches.iter().map(LawQueues::data).collect::<Vec<_>>(),
        }),
        assumptions,
    })
}

/// The aggressor alone under every law, its queues sampled.
fn watch(context: &ExperimentContext<'_>, plan: &LawRuns, sites: &[Site]) -> Result<Vec<LawQueues>, StudyError> {
    let [_, contributors] = nodes(&plan.site, plan.layout, context.seed)?;
    let mut job = JobSection::new("aggressor", plan.aggressor.workload.clone());
    job.nodes = listed(&contributors);
    job.processes_per_node = plan.aggressor.processes_per_node;
    let cell = |site: &Site| {
        let system = site.system.clone();
        let run = RunTree { time_limit: Some(plan.watched), start_skew: Span::micros(1), ..RunTree::default() };
        let measure = Measure { sample_interval: plan.interval, ..Measure::totals() };
        let mut scenario =
            Scenario { seed: context.seed, run, measure, jobs: vec![job.clone()], ..Scenario::on(&system) };
        scenario.congestion = scenario.congestion.preset(site.law.expect("every site here has a law"));
        Cell { label: format!("{}: queues of {}", site.label(), plan.aggressor.label), scenario, system }
    };
    let cells: Vec<Cell> = sites.iter().map(cell).collect();
    let watches =
        context.runner.run(&cells, |_, record| LawQueues::of(record, contributors[0], contributors.len() - 1))?;
    Ok(watches.into_iter().zip(CongestionLaw::NAMES).map(|(watch, law)| LawQueues { law, ..watch }).collect())
}

impl LawQueues {
    fn of(record: &RunRecord, target: NodeId, contributors: usize) -> Self {
        let interval_ps = record.sample_interval.0 as f64;
        let intervals = record.simulated.0.div_ceil(record.sample_interval.0) as usize;
        // An incast with one target writes to the first rank, which uses the first NIC of its node.
        let peer = format!("(node {target} NIC 0)");
        let port = record.port_info.iter().find(|info| info.role == LinkRole::Edge && info.peer.ends_with(&peer));
        let (mut hot, mut fabric) = (vec![0.0; intervals], vec![0.0; intervals]);
        let mut sent = 0.0;
        for sample in &record.ports {
            let (at, queued) = (sample.interval as usize, sample.queued_bytes_max.0 as f64);
            let Some(sum) = fabric.get_mut(at) else { continue };
            *sum += queued;
            if port.is_some_and(|port| port.index == sample.port) {
                hot[at] = queued;
                sent += if at >= intervals / 2 { sample.bytes.0 as f64 } else { 0.0 };
            }
        }
        let span_ps = (intervals - intervals / 2) as f64 * interval_ps;
        let rate = port.map_or(f64::NAN, |port| port.rate.as_gbps_f64());
        let used = sent * 8.0 / (span_ps / 1_000.0) / rate;
        let parameters = SlingshotParameters::rosetta();
        let packets = contributors as f64 * f64::from(parameters.held_window_bytes);
        let fair = PORTS_PASSED * packets + f64::from(parameters.endpoint_threshold_bytes);
        Self { law: "", hot, fabric, used, fair, interval_ps }
    }

    /// When contributors have reached their fair share permanently, in picoseconds. `None` if that
    /// is not within the run without its last tenth: a very late steady state may not last.
    fn fair_after_ps(&self) -> Option<f64> {
        let settled = self.fabric.iter().rposition(|&held| held > self.fair).map_or(0, |last| last + 1);
        let lasting = self.fabric.len().div_ceil(10);
        (settled + lasting <= self.fabric.len()).then_some(settled as f64 * self.interval_ps)
    }

    fn data(&self) -> Value {
        json!({
            "law": self.law,
            "interval_us": self.interval_ps / 1e6,
            "hot_port_queued_bytes_max": self.hot,
            "fabric_queued_bytes_max": self.fabric,
            "fair_share_after_us": self.fair_after_ps().map(|ps| ps / 1e6),
            "target_link_used": self.used,
        })
    }
}

fn watch_table(watches: &[LawQueues]) -> StudySection {
    let headers = [
        "law",
        "fair share after",
        "target's queue, largest",
        "second half, mean",
        "all queues, largest",
        "second half, mean",
        "target's link in use",
    ];
    let largest = |values: &[f64]| values.iter().copied().fold(0.0, f64::max);
    let settled = |values: &[f64]| {
        let half = &values[values.len() / 2..];
        half.iter().sum::<f64>() / half.len().max(1) as f64
    };
    let row = |watch: &LawQueues| {
        let fair = watch.fair_after_ps().map_or_else(
            || "not within the run".to_owned(),
            |after| if after == 0.0 { "never exceeded".to_owned() } else { time_ps(after) },
        );
        [
            watch.law.to_owned(),
            fair,
            bytes(largest(&watch.hot)),
            bytes(settled(&watch.hot)),
            bytes(largest(&watch.fabric)),
            bytes(settled(&watch.fabric)),
            format!("{} %", number(watch.used * 100.0)),
        ]
        .into()
    };
    StudySection::Table { headers: headers.map(str::to_owned).to_vec(), rows: watches.iter().map(row).collect() }
}

fn chart(title: &str, watches: &[LawQueues], of: impl Fn(&LawQueues) -> &Vec<f64>, fair: Option<f64>) -> StudySection {
    let points = |watch: &LawQueues| {
        let place = |(index, &value): (usize, &f64)| (index as f64 * watch.interval_ps, value);
        of(watch).iter().enumerate().map(place).filter(|point| point.1 > 0.0).collect()
    };
    let label = "one packet of each contributor at each port, and the threshold".to_owned();
    StudySection::Lines(LineChart {
        title: title.to_owned(),
        x: ChartAxis::linear("since the incast began", Unit::Time),
        y: ChartAxis::log("largest in the interval", Unit::Bytes),
        kind: LineKind::Steps,
        series: watches.iter().map(|watch| ChartLine::new(watch.law, points(watch))).collect(),
        references: fair.map(|value| Reference { label, value }).into_iter().collect(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn watch(fabric: &[f64]) -> LawQueues {
        let fabric = fabric.to_vec();
        LawQueues { law: "none", hot: fabric.clone(), fabric, used: 1.0, fair: 10.0, interval_ps: 100.0 }
    }

    #[test]
    fn fairness_counts_from_where_it_lasts() {
        assert_eq!(watch(&[50.0, 5.0, 20.0, 10.0, 3.0]).fair_after_ps(), Some(300.0));
        assert_eq!(watch(&[5.0, 5.0]).fair_after_ps(), Some(0.0));
        assert_eq!(watch(&[5.0, 50.0]).fair_after_ps(), None, "not within the run");
        let late = [vec![50.0; 19], vec![5.0]].concat();
        assert_eq!(watch(&late).fair_after_ps(), None, "one interval of twenty does not last");
    }
}
