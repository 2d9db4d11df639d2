//! Tables and figures in the form that experiments print.

use philae_results::chart::{Mark, Reference};
use philae_results::{StudySection, TableRow, Verdict, format};

use crate::experiment::TargetAnswer;
use crate::target::Target;

pub(crate) fn table(headers: &[&str], rows: Vec<TableRow>) -> StudySection {
    StudySection::Table { headers: headers.iter().map(|&header| header.to_owned()).collect(), rows }
}

/// A row of any number of cells.
pub(crate) fn row(cells: impl IntoIterator<Item = String>) -> TableRow {
    TableRow { cells: cells.into_iter().collect(), verdict: None }
}

/// A size: `128 KiB`.
pub(crate) fn size(bytes: u64) -> String {
    format::bytes(bytes as f64)
}

/// The published value of a row of the targets.
pub(crate) fn published(id: &str) -> f64 {
    Target::named(id).map_or(f64::NAN, |target| target.value)
}

/// The published value as a reference level: in units of `scale` of the chart.
pub(crate) fn level(label: &str, id: &str, scale: f64) -> Reference {
    Reference { label: format!("published, {label}"), value: published(id) * scale }
}

/// The published value as a mark on an axis, labelled with its value.
pub(crate) fn mark(label: &str, id: &str) -> Mark {
    Mark::at(format!("published, {label}: {}", format::number(published(id))), published(id))
}

/// A finding that names the likely cause only if there is a gap.
pub(crate) fn explained(id: &str, model: f64, conditions: String, cause: &str) -> TargetAnswer {
    let finding = TargetAnswer::new(id, model, conditions);
    match finding.verdict() {
        Verdict::Gap => TargetAnswer { note: format!("{}. Likely cause: {cause}", finding.note), ..finding },
        _ => finding,
    }
}
