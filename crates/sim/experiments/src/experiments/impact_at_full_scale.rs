//! Fig. 11: the congestion impact on all of Shandy.

use philae_results::StudySection;
use philae_results::chart::HeatMap;
use philae_workload::{Allocation, Size};
use serde_json::json;

use super::beside::{Aggressor, JobLayout, NeighbourImpact, Question, Site, assumptions, impacts, table, worst};
use super::victims::{Victim, alltoall, described, incast};
use crate::experiment::{Experiment, ExperimentContext, ExperimentOutcome, TargetAnswer};
use crate::runner::StudyError;

/// Fig. 11.
pub struct ImpactAtFullScale;

/// The experiment's runs.
pub struct FullScaleRuns {
    /// The system.
    pub site: Site,
    pub victims: Vec<Victim>,
    /// Shares of the victim, in per cent.
    pub victim_percents: Vec<u32>,
    /// The allocations of nodes.
    pub allocations: Vec<Allocation>,
    pub aggressors: Vec<Aggressor>,
}

impl FullScaleRuns {
    /// As published; the quick size leaves out victims, shares, an allocation and the alltoall
    /// aggressor.
    ///
    /// # Errors
    /// If the system cannot be built.
    pub fn published(quick: bool) -> Result<Self, StudyError> {
        let few = || {
            vec![
                Victim::allreduce(Size::bytes(8), 100),
                Victim::alltoall(Size::bytes(128), 8),
                Victim::halo3d(150),
                Victim::lammps(4),
            ]
        };
        let site = Site::load("shandy", 1_024)?;
        Ok(if quick {
            let allocations = vec![Allocation::Linear, Allocation::Interleaved];
            Self { site, victims: few(), victim_percents: vec![50, 25], allocations, aggressors: vec![incast()] }
        } else {
            let allocations = vec![Allocation::Linear, Allocation::Interleaved, Allocation::Random];
            let aggressors = vec![incast(), alltoall()];
            let victims = [Victim::few(), Victim::applications()].concat();
            Self { site, victims, victim_percents: vec![90, 50, 25, 10], allocations, aggressors }
        })
    }
}

impl Experiment for ImpactAtFullScale {
    fn id(&self) -> &'static str {
        "fig11"
    }

    fn aliases(&self) -> &'static [&'static str] {
        &["full-scale"]
    }

    fn title(&self) -> &'static str {
        "Congestion impact on all 1,024 nodes of Shandy"
    }

    fn source(&self) -> &'static str {
        "De Sensi et al., SC'20, Fig. 11"
    }

    fn targets(&self) -> &'static [&'static str] {
        &["fullscale-shandy"]
    }

    fn run(&self, context: &ExperimentContext<'_>) -> Result<ExperimentOutcome, StudyError> {
        study(context, &FullScaleRuns::published(context.quick)?)
    }
}

/// Runs a plan.
///
/// # Errors
/// If a cell fails or the study is interrupted.
pub fn study(context: &ExperimentContext<'_>, plan: &FullScaleRuns) -> Result<ExperimentOutcome, StudyError> {
    let site = &plan.site;
    let columns: Vec<(&Aggressor, JobLayout)> = plan
        .aggressors
        .iter()
        .flat_map(|aggressor| plan.allocations.iter().map(move |&allocation| (aggressor, allocation)))
        .flat_map(|(aggressor, allocation)| {
            plan.victim_percents
                .iter()
                .map(move |&victim_percent| (aggressor, JobLayout { allocation, victim_percent }))
        })
        .collect();
    let questions: Vec<Question<'_>> = plan
        .victims
        .iter()
        .flat_map(|victim| columns.iter().map(move |&(aggressor, layout)| Question { site, layout, victim, aggressor }))
        .collect();
    let answers = impacts(context, &questions)?;
    let map = HeatMap {
        title: format!("Congestion impact on {} nodes of {}", site.nodes, site.name),
        row_name: "victim".to_owned(),
        column_name: "aggressor, allocation, victim/aggressor nodes (%)".to_owned(),
        rows: plan.victims.iter().map(|victim| victim.label.clone()).collect(),
        columns: columns
            .iter()
            .map(|(aggressor, layout)| format!("{} {} {}", aggressor.label, layout.allocation_name(), layout.split()))
            .collect(),
        values: answers.chunks(columns.len()).map(|row| row.iter().map(NeighbourImpact::ratio).collect()).collect(),
        value_name: "congestion impact".to_owned(),
        log: true,
        range: Some((1.0, worst(&answers).map_or(2.0, NeighbourImpact::ratio).max(2.0))),
        references: vec![super::text::level("worst", "fullscale-shandy", 1.0)],
        ..HeatMap::default()
    };
    let hardest = worst(&answers).expect("a plan has cells");
    let note = format!(
        "{}; the publication's worst is LAMMPS at 75 % aggressors; the worst of lammps here: {}; {}",
        hardest.describe(),
        worst(answers.iter().filter(|answer| answer.victim == "lammps"))
            .map_or_else(|| "not run".to_owned(), NeighbourImpact::text),
        described(&plan.victims)
    );
    let mut assumptions = assumptions(&plan.victims);
    assumptions.push("the allocation of Fig. 11 is not published: the worst over those run counts".to_owned());
    Ok(ExperimentOutcome {
        findings: vec![TargetAnswer::new("fullscale-shandy", hardest.ratio(), note)],
        sections: vec![StudySection::HeatMap(map), table(&answers)],
        data: json!({ "cells": answers.iter().map(NeighbourImpact::data).collect::<Vec<_>>() }),
        assumptions,
    })
}
