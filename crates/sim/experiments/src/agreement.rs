//! Findings compared with published values in a picture, and the page of a validation.

use philae_results::chart::{AgreementChart, AgreementRow};
use philae_results::format::wall_seconds;
use philae_results::{StudyReport, StudySection, Verdict};

use crate::experiment::TargetAnswer;
use crate::target::Target;
use crate::validate::{ValidationReport, ValidationRow};

/// Findings, each next to the published value and the band of agreement.
#[must_use]
pub fn finding_chart(findings: &[TargetAnswer]) -> StudySection {
    let rows: Vec<ValidationRow> = findings.iter().map(ValidationRow::from).collect();
    chart(&rows)
}

fn chart(rows: &[ValidationRow]) -> StudySection {
    StudySection::Agreement(AgreementChart {
        title: "Model / published".to_owned(),
        rows: rows.iter().filter_map(agreement).collect(),
    })
}

/// A row as a line of the picture; none if the targets have no such row.
fn agreement(row: &ValidationRow) -> Option<AgreementRow> {
    let target = Target::named(row.id)?;
    Some(AgreementRow {
        label: row.id.to_owned(),
        published: row.published,
        agrees: target.agrees(),
        tolerance: row.tolerance.to_owned(),
        model: row.model,
        unit: row.unit.to_owned(),
        verdict: row.verdict,
    })
}

impl ValidationReport {
    /// The page of a validation: all results as a picture, then every row as a table.
    ///
    /// `quick` is its size, `seconds` its duration, `command` the typed command.
    #[must_use]
    pub fn page(&self, quick: bool, seconds: f64, command: &str) -> StudyReport {
        let run: Vec<ValidationRow> = self.rows.iter().filter(|row| row.verdict != Verdict::NotRun).cloned().collect();
        let failures =
            self.failures.iter().map(|(name, reason)| StudySection::Text(format!("{name} failed: {reason}")));
        let counts = format!(
            "{} agree, {} do not, {} not run.",
            self.count(Verdict::Pass),
            self.count(Verdict::Gap),
            self.count(Verdict::NotRun)
        );
        let mut sections = vec![StudySection::Text(counts)];
        sections.extend(failures);
        sections.extend([chart(&run), StudySection::Heading("Every row".to_owned()), self.table()]);
        StudyReport {
            title: "Published and modelled results".to_owned(),
            intro: "One line for each published result, relative to the published value: the band shows the \
                    tolerance, the dot the model's value. Results that are zero or statements are given in words."
                .to_owned(),
            banner: quick.then(|| "A quick run: smaller than the publications'; --full runs their sizes.".to_owned()),
            sections,
            footer: format!(
                "Philae {}, seed {}, {} on this machine. Again: {command}",
                self.version,
                self.seed,
                wall_seconds(seconds)
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn findings_are_drawn_beside_the_published_values() {
        let findings = [
            TargetAnswer::new("switch-latency-median", 351.0, "made up"),
            TargetAnswer::new("heatmap-aries-worst", 20.0, "made up"),
            TargetAnswer::new("lossless", 0.0, "made up"),
            TargetAnswer::new("layers-order", 1.0, "made up"),
        ];
        let StudySection::Agreement(chart) = finding_chart(&findings) else { panic!("a picture") };
        assert_eq!(chart.rows.len(), findings.len());
        assert_eq!(chart.rows[1].agrees, (46.5, 186.0));
        assert_eq!(chart.rows[1].verdict, Verdict::Gap);
        let html = chart.html();
        assert!(html.contains("switch-latency-median") && html.contains("holds, as published"), "{html}");
    }

    #[test]
    fn the_page_of_a_validation_draws_what_was_run() {
        let rows: Vec<ValidationRow> =
            [TargetAnswer::new("switch-latency-median", 351.0, "made up")].iter().map(ValidationRow::from).collect();
        let report = ValidationReport {
            version: "0",
            seed: 1,
            rows,
            seconds: 0.0,
            failures: vec![("fig9", "made up".to_owned())],
        };
        let html = report.page(true, 1.0, "philae validate").html();
        for expected in ["1 agree, 0 do not", "switch-latency-median", "fig9 failed", "dot vpass", "A quick run"] {
            assert!(html.contains(expected), "{expected}");
        }
    }
}
