//! Fig. 10: the effect of allocation, the aggressor's processes per node and the number of nodes on
//! the congestion impact.

use std::collections::BTreeSet;

use philae_results::StudySection;
use philae_results::chart::{BoxChart, BoxStats, ChartAxis};
use philae_results::format::{Unit, number};
use philae_workload::{Allocation, Size};
use serde_json::json;

use super::beside::{Aggressor, JobLayout, NeighbourImpact, Question, Site, assumptions, impacts, table, worst};
use super::victims::{Victim, alltoall, described, incast};
use crate::experiment::{Experiment, ExperimentContext, ExperimentOutcome, TargetAnswer};
use crate::runner::StudyError;

/// Fig. 10.
pub struct ImpactByAllocation;

/// The experiment's runs.
pub struct AllocationRuns {
    /// A Slingshot system.
    pub slingshot: Site,
    /// The same with fewer nodes.
    pub slingshot_small: Site,
    /// An Aries system.
    pub aries: Site,
    pub victims: Vec<Victim>,
    /// Shares of the victim, in per cent.
    pub victim_percents: Vec<u32>,
    /// The aggressors, with several numbers of processes per node.
    pub aggressors: Vec<Aggressor>,
}

impl AllocationRuns {
    /// As published. The quick size leaves out victims (the applications among them), the alltoall
    /// aggressor (which full runs use with one process per node) and a number of processes.
    ///
    /// # Errors
    /// If a system cannot be built.
    pub fn published(quick: bool) -> Result<Self, StudyError> {
        let few = || {
            vec![Victim::allreduce(Size::bytes(8), 100), Victim::alltoall(Size::bytes(128), 15), Victim::halo3d(150)]
        };
        Ok(Self {
            slingshot: Site::load("shandy", 512)?,
            slingshot_small: Site::load("shandy", 128)?,
            aries: Site::load("crystal", 512)?,
            victims: if quick { few() } else { [Victim::few(), Victim::applications()].concat() },
            victim_percents: if quick { vec![50, 10] } else { vec![90, 50, 10] },
            aggressors: if quick {
                [1, 24].map(|processes| incast().with_processes(processes)).to_vec()
            } else {
                let incasts = [1, 8, 24].map(|processes| incast().with_processes(processes));
                incasts.into_iter().chain([alltoall()]).collect()
            },
        })
    }

    /// Numbers of processes per node, from fewest to most.
    fn processes_per_node(&self) -> BTreeSet<u32> {
        self.aggressors.iter().map(|aggressor| aggressor.processes_per_node).collect()
    }
}

/// Allocations, in the publication's order.
const ALLOCATIONS: [Allocation; 3] = [Allocation::Linear, Allocation::Interleaved, Allocation::Random];

impl Experiment for ImpactByAllocation {
    fn id(&self) -> &'static str {
        "fig10"
    }

    fn aliases(&self) -> &'static [&'static str] {
        &["allocation"]
    }

    fn title(&self) -> &'static str {
        "Congestion impact over allocations, processes per node and sizes"
    }

    fn source(&self) -> &'static str {
        "De Sensi et al., SC'20, Fig. 10"
    }

    fn targets(&self) -> &'static [&'static str] {
        &["allocation-slingshot", "allocation-slingshot-128", "allocation-aries", "ppn-effect"]
    }

    fn run(&self, context: &ExperimentContext<'_>) -> Result<ExperimentOutcome, StudyError> {
        study(context, &AllocationRuns::published(context.quick)?)
    }
}

/// Runs a plan.
///
/// # Errors
/// If a cell fails or the study is interrupted.
pub fn study(context: &ExperimentContext<'_>, plan: &AllocationRuns) -> Result<ExperimentOutcome, StudyError> {
    let sites = [&plan.slingshot, &plan.slingshot_small, &plan.aries];
    let mut questions = Vec::new();
    for site in sites {
        for allocation in ALLOCATIONS {
            for aggressor in &plan.aggressors {
                for &victim_percent in &plan.victim_percents {
                    let layout = JobLayout { allocation, victim_percent };
                    questions.extend(plan.victims.iter().map(|victim| Question { site, layout, victim, aggressor }));
                }
            }
        }
    }
    let answers = impacts(context, &questions)?;
    let of_site: Vec<&[NeighbourImpact]> = answers.chunks(answers.len() / sites.len()).collect();
    let boxes = of_site.iter().flat_map(|answers| boxes(plan, answers)).collect();
    let intro = "Each box is the distribution of the congestion impact over victims, aggressors and splits: whiskers \
                 at the 5th and 95th percentile, dots at the 99th and the largest. The table has every cell.";
    let chart = BoxChart {
        title: "Congestion impact by system, allocation and processes per node of the aggressor".to_owned(),
        axis: ChartAxis::log("congestion impact", Unit::Number)
            .with_mark(super::text::mark("worst on Slingshot with 128 nodes", "allocation-slingshot-128"))
            .with_mark(super::text::mark("worst on Slingshot", "allocation-slingshot"))
            .with_mark(super::text::mark("worst on Aries", "allocation-aries")),
        boxes,
        ..BoxChart::default()
    };
    Ok(ExperimentOutcome {
        findings: findings(plan, of_site[0], of_site[1], of_site[2]),
        sections: vec![
            StudySection::Text(intro.to_owned()),
            StudySection::Boxes(chart),
            worst_table(plan, &of_site),
            table(&answers),
        ],
        data: json!({ "cells": answers.iter().map(NeighbourImpact::data).collect::<Vec<_>>() }),
        assumptions: notes(plan),
    })
}

/// The cells of one allocation and number of processes.
fn group(
    answers: &[NeighbourImpact],
    allocation: Allocation,
    processes: u32,
) -> impl Iterator<Item = &NeighbourImpact> {
    answers
        .iter()
        .filter(move |answer| answer.layout.allocation == allocation && answer.processes_per_node == processes)
}

fn boxes(plan: &AllocationRuns, answers: &[NeighbourImpact]) -> Vec<BoxStats> {
    let mut boxes = Vec::new();
    for allocation in ALLOCATIONS {
        for processes in plan.processes_per_node() {
            let cells: Vec<&NeighbourImpact> = group(answers, allocation, processes).collect();
            let ratios: Vec<f64> = cells.iter().map(|cell| cell.ratio()).collect();
            let label = cells.first().map_or_else(String::new, |cell| {
                format!("{}, {}, PPN {processes}", cell.site, cell.layout.allocation_name())
            });
            boxes.extend(BoxStats::of_values(label, &ratios));
        }
    }
    boxes
}

/// Worst cells by allocation and number of processes.
fn worst_table(plan: &AllocationRuns, of_site: &[&[NeighbourImpact]]) -> StudySection {
    let headers = ["system", "allocation", "PPN", "worst C", "victim", "aggressor", "split"];
    let mut rows = Vec::new();
    for answers in of_site {
        for allocation in ALLOCATIONS {
            for processes in plan.processes_per_node() {
                let Some(cell) = worst(group(answers, allocation, processes)) else { continue };
                let NeighbourImpact { site, victim, aggressor, layout, .. } = cell.clone();
                let (allocation, split) = (layout.allocation_name().to_owned(), layout.split());
                rows.push([site, allocation, processes.to_string(), cell.text(), victim, aggressor, split].into());
            }
        }
    }
    StudySection::Table { headers: headers.map(str::to_owned).to_vec(), rows }
}

/// The worst impact at the most processes per node, relative to the worst at the fewest.
fn process_effect(plan: &AllocationRuns, answers: &[NeighbourImpact]) -> f64 {
    let processes = plan.processes_per_node();
    let at = |processes: Option<&u32>| {
        let cells = answers.iter().filter(|answer| Some(&answer.processes_per_node) == processes);
        worst(cells).map_or(f64::NAN, NeighbourImpact::ratio)
    };
    at(processes.last()) / at(processes.first())
}

fn findings(
    plan: &AllocationRuns,
    slingshot: &[NeighbourImpact],
    small: &[NeighbourImpact],
    aries: &[NeighbourImpact],
) -> Vec<TargetAnswer> {
    let worst_of = |answers: &[NeighbourImpact]| worst(answers).cloned().expect("a plan has cells");
    let [ours, ours_small, theirs] = [slingshot, small, aries].map(worst_of);
    let linear = worst(aries.iter().filter(|answer| answer.layout.allocation == Allocation::Linear))
        .map_or(f64::NAN, NeighbourImpact::ratio);
    let effects = [slingshot, aries].map(|answers| process_effect(plan, answers));
    let ppn = effects[1] > 1.5 && effects[0] < 1.25;
    let victims = described(&plan.victims);
    let aries_note = format!(
        "{}; worst of linear {}; {victims}. If victims share routers with an endless incast, its packets hold the \
         shared buffers and few packets of the model's victims pass. The behaviour of Aries' arbitration and buffers \
         in that state is not published",
        theirs.describe(),
        number(linear)
    );
    let range = plan.processes_per_node().iter().map(u32::to_string).collect::<Vec<_>>().join(", ");
    let ppn_note = format!(
        "worst impact at the most processes over that at the fewest (PPN {range}): {} on {}, {} on {}; 1 when it is \
         above 1.5 on Aries and below 1.25 on Slingshot",
        number(effects[0]),
        plan.slingshot.name,
        number(effects[1]),
        plan.aries.name
    );
    vec![
        TargetAnswer::new("allocation-slingshot", ours.ratio(), format!("{}; {victims}", ours.describe())),
        TargetAnswer::new(
            "allocation-slingshot-128",
            ours_small.ratio(),
            format!("{}; {victims}", ours_small.describe()),
        ),
        TargetAnswer::new("allocation-aries", theirs.ratio(), aries_note),
        TargetAnswer::new("ppn-effect", f64::from(u8::from(ppn)), ppn_note),
    ]
}

fn notes(plan: &AllocationRuns) -> Vec<String> {
    let mut notes = assumptions(&plan.victims);
    notes.push(format!(
        "node counts other than 128 are not in the publication's text: {}, the first ones of the system; at each size \
         they are dealt to victim and aggressor by the allocation, and the rest of the system is empty",
        plan.slingshot.nodes
    ));
    notes
}
