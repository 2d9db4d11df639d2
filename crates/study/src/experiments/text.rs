//! Tables and figures as experiments print them.

use philae_measure::{Section, TableRow, Verdict, format};

use crate::experiment::Finding;

/// A table.
pub(crate) fn table(headers: &[&str], rows: Vec<TableRow>) -> Section {
    Section::Table { headers: headers.iter().map(|&header| header.to_owned()).collect(), rows }
}

/// A row of any number of cells.
pub(crate) fn row(cells: impl IntoIterator<Item = String>) -> TableRow {
    TableRow { cells: cells.into_iter().collect(), verdict: None }
}

/// A size: `128 KiB`.
pub(crate) fn size(bytes: u64) -> String {
    format::bytes(bytes as f64)
}

/// A finding that names the likely cause only where there is a gap.
pub(crate) fn explained(id: &str, model: f64, conditions: String, cause: &str) -> Finding {
    let finding = Finding::new(id, model, conditions);
    match finding.verdict() {
        Verdict::Gap => Finding { note: format!("{}. Likely cause: {cause}", finding.note), ..finding },
        _ => finding,
    }
}
