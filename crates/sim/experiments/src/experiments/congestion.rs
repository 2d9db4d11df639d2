//! The demonstration: the effect of congestion on its victims on Slingshot, on Aries and under
//! other laws, in one report.

use philae_results::StudySection;
use serde_json::json;

use super::{congestion_impact, laws};
use crate::experiment::{Experiment, ExperimentContext, ExperimentOutcome};
use crate::runner::StudyError;

/// The heat maps and the laws together.
pub struct CongestionFindings;

impl Experiment for CongestionFindings {
    fn id(&self) -> &'static str {
        "congestion"
    }

    fn title(&self) -> &'static str {
        "Congestion and its victims: Slingshot, Aries and other laws"
    }

    fn source(&self) -> &'static str {
        "De Sensi et al., SC'20, Fig. 9; laws: our own comparison"
    }

    fn targets(&self) -> &'static [&'static str] {
        congestion_impact::CongestionImpact.targets()
    }

    fn repeats_others(&self) -> bool {
        true
    }

    fn run(&self, context: &ExperimentContext<'_>) -> Result<ExperimentOutcome, StudyError> {
        study(
            context,
            &congestion_impact::HeatmapRuns::published(context.quick)?,
            &laws::LawRuns::usual(context.quick)?,
        )
    }
}

/// Runs both plans.
///
/// # Errors
/// If a cell fails or the study is interrupted.
pub fn study(
    context: &ExperimentContext<'_>,
    maps: &congestion_impact::HeatmapRuns,
    laws: &laws::LawRuns,
) -> Result<ExperimentOutcome, StudyError> {
    let maps = congestion_impact::study(context, maps)?;
    let laws = laws::study(context, laws)?;
    let findings = [maps.findings, laws.findings].concat();
    let mut sections = vec![StudySection::Heading("Victims next to aggressors: Slingshot and Aries".to_owned())];
    sections.extend(maps.sections);
    sections.push(StudySection::Heading("The same incast under every congestion law".to_owned()));
    sections.extend(laws.sections);
    let mut assumptions = maps.assumptions;
    for line in laws.assumptions {
        if !assumptions.contains(&line) {
            assumptions.push(line);
        }
    }
    Ok(ExperimentOutcome { findings, sections, data: json!({ "fig9": maps.data, "laws": laws.data }), assumptions })
}
