//! Fig. 12: an incast in bursts next to a small alltoall.

use philae_results::StudySection;
use philae_results::chart::HeatMap;
use philae_results::format::number;
use philae_workload::{Allocation, Incast, Size, Span, WorkloadSpec};
use serde_json::json;

use super::beside::{Aggressor, JobLayout, NeighbourImpact, Question, Site, assumptions, impacts, table, worst};
use super::victims::Victim;
use crate::experiment::{Experiment, ExperimentContext, ExperimentOutcome, TargetAnswer};
use crate::runner::StudyError;

/// Fig. 12.
pub struct BurstyIncast;

/// The experiment's runs.
pub struct BurstyRuns {
    /// The system.
    pub site: Site,
    /// The nodes of victim and aggressor: one study each.
    pub layouts: Vec<JobLayout>,
    pub victim: Victim,
    /// Bytes per message, from smallest to largest.
    pub sizes: Vec<Size>,
    /// Messages per burst.
    pub messages: Vec<u32>,
    /// Pauses between bursts.
    pub gaps: Vec<Span>,
}

impl BurstyRuns {
    /// The text does not give the ranges of the published figure; the quick size leaves out values
    /// in between.
    ///
    /// # Errors
    /// If the system cannot be built.
    pub fn published(quick: bool) -> Result<Self, StudyError> {
        let layouts = [Allocation::Linear, Allocation::Interleaved];
        let layouts = layouts.map(|allocation| JobLayout { allocation, victim_percent: 50 }).to_vec();
        let site = Site::load("shandy", 512)?;
        let victim = |iterations| Victim::alltoall(Size::bytes(128), iterations);
        let sizes = |bytes: &[u64]| bytes.iter().copied().map(Size::bytes).collect();
        let gaps = |micros: &[u64]| micros.iter().copied().map(Span::micros).collect();
        Ok(if quick {
            let (sizes, gaps) = (sizes(&[128, 4_096, 32_768, 131_072, 1 << 20]), gaps(&[10, 1_000]));
            Self { site, layouts, victim: victim(25), sizes, messages: vec![1, 10, 100], gaps }
        } else {
            let bytes = [8, 1_024, 8_192, 32_768, 131_072, 1 << 20];
            let (sizes, gaps) = (sizes(&bytes), gaps(&[1, 100, 1_000]));
            Self { site, layouts, victim: victim(30), sizes, messages: vec![1, 10, 100, 1_000], gaps }
        })
    }

    fn aggressors(&self) -> Vec<Aggressor> {
        let mut aggressors = Vec::new();
        for &gap in &self.gaps {
            for &messages in &self.messages {
                aggressors.extend(self.sizes.iter().map(|&bytes| burst(bytes, messages, gap)));
            }
        }
        aggressors
    }
}

/// An incast whose origins issue `messages` together, wait for all of them, and pause for `gap`.
fn burst(bytes: Size, messages: u32, gap: Span) -> Aggressor {
    Aggressor {
        label: format!("incast {messages} x {} every {gap}", bytes.0),
        workload: WorkloadSpec::Incast(Incast { bytes, messages, window: messages, gap, ..Incast::default() }),
        processes_per_node: 1,
        settle: Span::micros(100),
        patience: Span::micros(10_000),
        turns: 5.0,
    }
}

impl Experiment for BurstyIncast {
    fn id(&self) -> &'static str {
        "fig12"
    }

    fn aliases(&self) -> &'static [&'static str] {
        &["bursty"]
    }

    fn title(&self) -> &'static str {
        "A 128 B alltoall next to an incast in bursts"
    }

    fn source(&self) -> &'static str {
        "De Sensi et al., SC'20, Fig. 12"
    }

    fn targets(&self) -> &'static [&'static str] {
        &["bursty-incast"]
    }

    fn run(&self, context: &ExperimentContext<'_>) -> Result<ExperimentOutcome, StudyError> {
        study(context, &BurstyRuns::published(context.quick)?)
    }
}

/// Runs a plan.
///
/// # Errors
/// If a cell fails or the study is interrupted.
pub fn study(context: &ExperimentContext<'_>, plan: &BurstyRuns) -> Result<ExperimentOutcome, StudyError> {
    let aggressors = plan.aggressors();
    let questions: Vec<Question<'_>> = plan
        .layouts
        .iter()
        .flat_map(|&layout| {
            aggressors.iter().map(move |aggressor| Question {
                site: &plan.site,
                layout,
                victim: &plan.victim,
                aggressor,
            })
        })
        .collect();
    let answers = impacts(context, &questions)?;
    let hottest = worst(&answers).map_or(2.0, NeighbourImpact::ratio).max(1.5);
    let maps = answers.chunks(plan.sizes.len() * plan.messages.len());
    let mut sections: Vec<StudySection> =
        maps.enumerate().map(|(index, cells)| map(plan, index, cells, hottest)).collect();
    sections.push(table(&answers));
    let by_size = by_size(plan, &answers);
    let sizes = plan.sizes.iter().zip(&by_size).map(|(size, worst)| format!("{} {}", size.0, number(*worst)));
    let sizes = sizes.collect::<Vec<_>>().join(", ");
    let place = match (felt(&by_size), worst_is_between(&by_size)) {
        (false, _) => "no clear impact at any size",
        (true, true) => "the worst is at a medium size",
        (true, false) => "the worst is not at a medium size",
    };
    let hardest = worst(&answers).expect("a plan has cells");
    let note = format!("{}; {place}; worst by message size: {sizes}", hardest.describe());
    let mut assumptions = assumptions(std::slice::from_ref(&plan.victim));
    assumptions.extend([
        "machine, node count, split and allocation of Fig. 12 are not in the publication's text: half of the nodes each, \
         linear and interleaved, and the worst counts"
            .to_owned(),
        "a burst is issued at once and flushed at its end; origins do not meet between bursts".to_owned(),
    ]);
    Ok(ExperimentOutcome {
        findings: vec![TargetAnswer::new("bursty-incast", hardest.ratio(), note)],
        sections,
        data: json!({
            "cells": answers.iter().map(NeighbourImpact::data).collect::<Vec<_>>(),
            "worst_by_size": plan.sizes.iter().zip(&by_size).map(|(size, worst)| json!({ "bytes": size.0.0, "impact": worst })).collect::<Vec<_>>(),
            "worst_at_a_medium_size": felt(&by_size) && worst_is_between(&by_size),
        }),
        assumptions,
    })
}

/// One layout and one gap: burst length by message size.
fn map(plan: &BurstyRuns, index: usize, cells: &[NeighbourImpact], hottest: f64) -> StudySection {
    let (layout, gap) = (plan.layouts[index / plan.gaps.len()], plan.gaps[index % plan.gaps.len()]);
    let title = format!(
        "Congestion impact on {} of an incast with {gap} between bursts; {} {} on {}",
        plan.victim.label,
        layout.allocation_name(),
        layout.split(),
        plan.site.label()
    );
    StudySection::HeatMap(HeatMap {
        title,
        row_name: "messages per burst".to_owned(),
        column_name: "message size".to_owned(),
        rows: plan.messages.iter().map(u32::to_string).collect(),
        columns: plan.sizes.iter().map(|size| size.0.to_string()).collect(),
        values: cells.chunks(plan.sizes.len()).map(|row| row.iter().map(NeighbourImpact::ratio).collect()).collect(),
        value_name: "congestion impact".to_owned(),
        log: true,
        range: Some((1.0, hottest)),
        references: vec![super::text::level("worst", "bursty-incast", 1.0)],
        ..HeatMap::default()
    })
}

/// The worst impact of each message size.
fn by_size(plan: &BurstyRuns, answers: &[NeighbourImpact]) -> Vec<f64> {
    let column = |size: usize| {
        worst(answers.iter().skip(size).step_by(plan.sizes.len())).map_or(f64::NAN, NeighbourImpact::ratio)
    };
    (0..plan.sizes.len()).map(column).collect()
}

/// Whether any size has a clear effect: the victim's own iterations differ by one or two per cent.
fn felt(by_size: &[f64]) -> bool {
    by_size.iter().any(|&worst| worst >= 1.05)
}

/// Whether neither the smallest nor the largest size is the worst.
fn worst_is_between(by_size: &[f64]) -> bool {
    let worst = by_size.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    by_size.first() != Some(&worst) && by_size.last() != Some(&worst)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn medium_sizes_are_those_between() {
        assert!(worst_is_between(&[1.0, 1.2, 1.1]));
        assert!(felt(&[1.0, 1.2]) && !felt(&[1.0, 1.01]));
        assert!(!worst_is_between(&[1.2, 1.0, 1.1]));
        assert!(!worst_is_between(&[1.0, 1.1, 1.2]));
    }
}
