//! Fig. 9: the congestion impact of two aggressors on many victims, Aries compared with Slingshot.

use philae_results::StudySection;
use philae_results::chart::HeatMap;
use philae_results::format::number;
use philae_workload::Allocation;
use serde_json::json;

use super::beside::{Aggressor, JobLayout, NeighbourImpact, Question, Site, assumptions, impacts, table, worst};
use super::victims::{Victim, alltoall, described, incast};
use crate::experiment::{Experiment, ExperimentContext, ExperimentOutcome, TargetAnswer};
use crate::runner::StudyError;

/// Fig. 9.
pub struct CongestionImpact;

/// The experiment's runs.
pub struct HeatmapRuns {
    /// A Slingshot system.
    pub slingshot: Site,
    /// An Aries system.
    pub aries: Site,
    /// Rows of the maps.
    pub victims: Vec<Victim>,
    /// Shares of the victim, in per cent.
    pub victim_percents: Vec<u32>,
    /// Endpoint congestion.
    pub incast: Aggressor,
    /// Intermediate congestion.
    pub alltoall: Aggressor,
}

impl HeatmapRuns {
    /// As published; the quick size leaves out victims, services and most applications among them.
    ///
    /// # Errors
    /// If a system cannot be built.
    pub fn published(quick: bool) -> Result<Self, StudyError> {
        let quick_victims = || [Victim::few(), vec![Victim::incast(25), Victim::lammps(4)]].concat();
        let all = || [Victim::many(), Victim::applications(), Victim::services()].concat();
        Ok(Self {
            slingshot: Site::load("shandy", 512)?,
            aries: Site::load("crystal", 512)?,
            victims: if quick { quick_victims() } else { all() },
            victim_percents: vec![90, 50, 10],
            incast: incast(),
            // Three iterations are enough if they are hardly slower than alone.
            alltoall: if quick { Aggressor { turns: 3.5, ..alltoall() } } else { alltoall() },
        })
    }

    fn aggressors(&self) -> [&Aggressor; 2] {
        [&self.incast, &self.alltoall]
    }
}

impl Experiment for CongestionImpact {
    fn id(&self) -> &'static str {
        "fig9"
    }

    fn aliases(&self) -> &'static [&'static str] {
        &["heatmap"]
    }

    fn title(&self) -> &'static str {
        "Congestion impact of victims next to aggressors, Aries and Slingshot"
    }

    fn source(&self) -> &'static str {
        "De Sensi et al., SC'20, Fig. 9"
    }

    fn targets(&self) -> &'static [&'static str] {
        &["heatmap-slingshot-worst", "heatmap-aries-worst", "heatmap-incast-vs-alltoall"]
    }

    fn run(&self, context: &ExperimentContext<'_>) -> Result<ExperimentOutcome, StudyError> {
        study(context, &HeatmapRuns::published(context.quick)?)
    }
}

/// Runs a plan.
///
/// # Errors
/// If a cell fails or the study is interrupted.
pub fn study(context: &ExperimentContext<'_>, plan: &HeatmapRuns) -> Result<ExperimentOutcome, StudyError> {
    let mut questions = Vec::new();
    for site in [&plan.slingshot, &plan.aries] {
        for victim in &plan.victims {
            for aggressor in plan.aggressors() {
                for &victim_percent in &plan.victim_percents {
                    let layout = JobLayout { allocation: Allocation::Linear, victim_percent };
                    questions.push(Question { site, layout, victim, aggressor });
                }
            }
        }
    }
    let answers = impacts(context, &questions)?;
    let (slingshot, aries) = answers.split_at(answers.len() / 2);
    let hottest = worst(&answers).map_or(2.0, NeighbourImpact::ratio).max(2.0);
    let mut sections = vec![StudySection::Text(
        "Each cell is the congestion impact: the mean time of the victim's iterations next to the aggressor, divided \
         by their mean alone, on the same nodes with the same seed. Columns: aggressor, and the share of victim and aggressor \
         nodes. Both maps share one logarithmic colour scale."
            .to_owned(),
    )];
    sections.push(map(plan, &plan.slingshot, slingshot, hottest));
    sections.push(map(plan, &plan.aries, aries, hottest));
    sections.push(table(&answers));
    Ok(ExperimentOutcome {
        findings: findings(plan, slingshot, aries),
        sections,
        data: json!({ "cells": answers.iter().map(NeighbourImpact::data).collect::<Vec<_>>() }),
        assumptions: notes(plan),
    })
}

fn map(plan: &HeatmapRuns, site: &Site, answers: &[NeighbourImpact], hottest: f64) -> StudySection {
    let columns = plan.aggressors().into_iter().flat_map(|aggressor| {
        plan.victim_percents.iter().map(|percent| format!("{} {percent}/{}", aggressor.label, 100 - percent))
    });
    let per_victim = plan.victim_percents.len() * plan.aggressors().len();
    StudySection::HeatMap(HeatMap {
        title: format!("Congestion impact on {} nodes of {}, linear allocation", site.nodes, site.name),
        row_name: "victim".to_owned(),
        column_name: "aggressor, victim/aggressor nodes (%)".to_owned(),
        rows: plan.victims.iter().map(|victim| victim.label.clone()).collect(),
        columns: columns.collect(),
        values: answers.chunks(per_victim).map(|row| row.iter().map(NeighbourImpact::ratio).collect()).collect(),
        value_name: "congestion impact".to_owned(),
        log: true,
        range: Some((1.0, hottest)),
        references: vec![super::text::level(
            "worst",
            if site.name == "crystal" { "heatmap-aries-worst" } else { "heatmap-slingshot-worst" },
            1.0,
        )],
        ..HeatMap::default()
    })
}

/// `incast` hurts far more than `alltoall` under these conditions. On both systems, its worst cell
/// exceeds the worst of the other: its addition to the time (impact less 1) is at least 0.05 and
/// twice the other's. On Aries its impact is also twice the other's.
fn far_more(slingshot: [f64; 2], aries: [f64; 2]) -> bool {
    let adds_more = |[incast, alltoall]: [f64; 2]| incast - 1.0 >= 0.05 && incast - 1.0 >= 2.0 * (alltoall - 1.0);
    adds_more(slingshot) && adds_more(aries) && aries[0] >= 2.0 * aries[1]
}

/// The reason why a row on Slingshot's victims may be a gap.
const NOTHING_FELT: &str = ". The model's Slingshot removes the whole effect of an incast: its victims have no \
                            impact once contributors are held. The publication's victims have up to 1.3, of which \
                            some may come from the beginnings and ends of its aggressors' messages";

fn findings(plan: &HeatmapRuns, slingshot: &[NeighbourImpact], aries: &[NeighbourImpact]) -> Vec<TargetAnswer> {
    let worst_beside = |answers: &[NeighbourImpact], aggressor: &Aggressor| {
        worst(answers.iter().filter(|answer| answer.aggressor == aggressor.label)).cloned().expect("a plan has cells")
    };
    let of = |answers: &[NeighbourImpact]| plan.aggressors().map(|aggressor| worst_beside(answers, aggressor));
    let (ours, theirs) = (of(slingshot), of(aries));
    let ratios = |pair: &[NeighbourImpact; 2]| [pair[0].ratio(), pair[1].ratio()];
    let boolean = far_more(ratios(&ours), ratios(&theirs));
    let worst_of = |pair: &[NeighbourImpact; 2]| worst(pair).cloned().expect("two cells");
    let (worst_ours, worst_theirs) = (worst_of(&ours), worst_of(&theirs));
    let bounds = if [&ours, &theirs].iter().any(|pair| pair.iter().any(|impact| impact.beside.bound)) {
        " (>= marks lower bounds)"
    } else {
        ""
    };
    let victims = described(&plan.victims);
    vec![
        TargetAnswer::new(
            "heatmap-slingshot-worst",
            worst_ours.ratio(),
            format!("{}; {victims}", worst_ours.describe()),
        ),
        TargetAnswer::new(
            "heatmap-aries-worst",
            worst_theirs.ratio(),
            format!(
                "{}; {victims}. Aries' buffers, its routers' arbitration and Crystal's cabling are assumed",
                worst_theirs.describe()
            ),
        ),
        TargetAnswer::new(
            "heatmap-incast-vs-alltoall",
            f64::from(u8::from(boolean)),
            format!(
                "worst next to incast and next to alltoall: {} and {} on {}, {} and {} on {}{bounds}; 1 when incast \
                 adds at least 0.05 and twice what alltoall adds on both, and on Aries is twice alltoall's impact{}",
                number(ours[0].ratio()),
                number(ours[1].ratio()),
                plan.slingshot.name,
                number(theirs[0].ratio()),
                number(theirs[1].ratio()),
                plan.aries.name,
                if ours[0].ratio() < 1.05 { NOTHING_FELT } else { "" }
            ),
        ),
    ]
}

fn notes(plan: &HeatmapRuns) -> Vec<String> {
    let mut notes = assumptions(&plan.victims);
    notes.push(format!(
        "the publication's node count is not in its text: {} of {}'s nodes and {} of {}'s, the first ones; Malbec has \
         484",
        plan.slingshot.nodes, plan.slingshot.name, plan.aries.nodes, plan.aries.name
    ));
    notes.push("processes per node of the aggressors are not published for Fig. 9: 1".to_owned());
    notes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn far_more_means_on_both_systems() {
        assert!(far_more([1.3, 1.0], [93.0, 2.0]));
        assert!(!far_more([1.3, 1.2], [93.0, 2.0]), "twice what alltoall adds");
        assert!(!far_more([1.01, 1.0], [93.0, 2.0]), "clearly");
        assert!(!far_more([1.3, 1.0], [3.0, 1.9]), "on Aries by far");
    }
}
