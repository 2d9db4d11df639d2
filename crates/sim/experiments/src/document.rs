//! The validation as the committed Markdown document docs/simulate/validation.md.

use philae_results::{Verdict, format};

use crate::cause::Examined;
use crate::target::Target;
use crate::validate::{ValidationReport, ValidationRow};

/// A validation, and its origin.
#[derive(Clone, Debug)]
pub struct ValidationDocument<'a> {
    /// Every row.
    pub report: &'a ValidationReport,
    /// The probes of the gaps; empty if they were not requested.
    pub causes: &'a [Examined],
    /// The typed command.
    pub command: &'a str,
    /// Its duration, in seconds, over all the runs that it took.
    pub seconds: f64,
    /// Threads that ran it.
    pub threads: usize,
}

/// Writes the document.
#[must_use]
pub fn validation_document(document: &ValidationDocument<'_>) -> String {
    let ValidationDocument { report, causes, command, seconds, threads } = document;
    let count = |verdict| report.count(verdict);
    let mut text = format!(
        "# Published and modelled results

Every row of [targets.csv](../../crates/sim/experiments/targets.csv), as this command wrote it:

```
{command}
```

Philae {}, first seed {}, {} on {threads} threads of the machine that ran it; results do not depend on the threads. {} rows agree, {} do
not, {} were not run. Rows marked `calibrate` were used to choose a parameter; no other row was. Each
experiment's report has its method and assumptions: `philae reproduce EXPERIMENT`, see [experiments.md](experiments.md).

| result | published | agrees when | model | unit | used to | verdict |
|---|---|---|---|---|---|---|
",
        report.version,
        report.seed,
        format::wall_seconds(*seconds),
        count(Verdict::Pass),
        count(Verdict::Gap),
        count(Verdict::NotRun)
    );
    for row in &report.rows {
        let model = row.model_text();
        let used = row.used_to();
        let verdict = match row.verdict {
            Verdict::Gap => "**gap**",
            other => other.as_str(),
        };
        let (published, tolerance) = (format::number(row.published), cell(row.tolerance));
        text +=
            &format!("| `{}` | {published} | {tolerance} | {model} | {} | {used} | {verdict} |\n", row.id, row.unit);
    }
    text += "\n## Conditions, and likely causes of the gaps\n\n";
    for row in &report.rows {
        text += &note(row);
    }
    if !causes.is_empty() {
        text += &examined(causes);
    }
    text
}

/// Text that is safe in a cell of a table.
fn cell(text: &str) -> String {
    text.replace('|', "\\|").replace('<', "&lt;")
}

fn note(row: &ValidationRow) -> String {
    let target = Target::named(row.id);
    let (metric, source) = target.map_or(("", ""), |target| (target.metric, target.source));
    let verdict = if row.verdict == Verdict::Gap { ", **gap**" } else { "" };
    let note = cell(row.note.trim_end_matches('.'));
    format!("- `{}`{verdict} ({metric}; {source}): {note}.\n", row.id)
}

fn examined(causes: &[Examined]) -> String {
    let mut text = "\n## Causes, examined\n\nEach experiment with a gap was run again, small (`--quick`) unless it \
                    says full, with one parameter changed. If the value agrees after the change,\nthe parameter may \
                    explain the difference; this is not a pass, and no default was chosen by it. To repeat one \
                    row: `philae validate --only ROW --set\nKEY=VALUE`.\n\n\
                    | result | question | changed | published | unchanged | with the change | would agree |\n\
                    |---|---|---|---|---|---|---|\n"
        .to_owned();
    for found in causes {
        let agrees = if found.verdict == Verdict::Pass { "yes" } else { "no" };
        text += &format!(
            "| `{}` | {} | `{}={}`, {} of {} runs{} | {} | {} | {} | {agrees} |\n",
            found.row,
            cell(found.question),
            found.change.key,
            cell(&found.change.value),
            found.change.cells_changed,
            found.change.cells,
            if found.quick { "" } else { ", full" },
            format::number(found.published),
            format::number(found.as_is),
            format::number(found.changed),
        );
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::target::{TargetUse, targets};
    use crate::testing::with_context;
    use crate::validate::validate;

    #[test]
    fn every_row_stands_in_the_document() {
        let report = with_context(|context| validate(&[], &[], context, None, |_| {})).expect("nothing to run");
        let document =
            ValidationDocument { report: &report, causes: &[], command: "philae validate", seconds: 61.0, threads: 2 };
        let text = validation_document(&document);
        for target in targets() {
            assert!(text.contains(&format!("| `{}` | ", target.id)), "{} stands in the table", target.id);
        }
        assert!(!text.contains("Causes, examined"), "nothing was examined");
        assert!(
            text.lines().filter(|line| line.starts_with("| ")).all(|line| line.matches(" |").count() == 7),
            "{text}"
        );
    }

    /// The committed document is the source of these numbers; other pages repeat them.
    #[test]
    fn pages_have_the_numbers_of_the_committed_document() {
        let read = |path: &str| {
            let path = format!("{}/../../../{path}", env!("CARGO_MANIFEST_DIR"));
            std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"))
        };
        let document = read("docs/simulate/validation.md");
        // The table of rows; one of causes may follow.
        let table = document.split("\n## ").next().expect("a first part");
        let rows = || table.lines().filter(|line| line.starts_with("| `") && line.matches(" |").count() == 7);
        let (all, passed) = (rows().count(), rows().filter(|row| row.ends_with("| pass |")).count());
        let gaps = rows().filter(|row| row.ends_with("| **gap** |")).count();
        assert_eq!((all, all - passed - gaps), (targets().len(), 0), "`philae validate --full --document` writes it");
        for target in targets() {
            assert!(rows().any(|row| row.starts_with(&format!("| `{}` |", target.id))), "{} stands in it", target.id);
        }
        let calibrate = targets().iter().filter(|target| target.purpose == TargetUse::Calibrate).count();
        for (page, words) in [
            ("docs/simulate/validation.md", format!("{passed} rows agree, {gaps} do\nnot")),
            ("README.md", format!("Of {all} published results, the model reproduces {passed} ")),
            ("docs/simulate/model.md", format!("compares {all} published results")),
            ("docs/simulate/experiments.md", format!("Of {all} rows, {calibrate} may be used for calibration")),
        ] {
            assert!(read(page).contains(&words), "{page} has '{words}'");
        }
    }
}
