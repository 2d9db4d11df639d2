//! The tables of a run, 80 columns wide, with the program's columns and formats.

use std::fmt::Write as _;

use super::TestRow;
use super::statistics::impact;

/// `+---...---+` of 80 columns, with corners where columns meet.
fn bar(corners: &[usize]) -> String {
    (0..80).map(|column| if column == 0 || column == 79 || corners.contains(&column) { '+' } else { '-' }).collect()
}

/// The borders of the columns of results, and those of the impact.
const RESULT: [usize; 3] = [34, 49, 64];
const IMPACT: [usize; 2] = [34, 57];

/// One table of results.
#[must_use]
pub fn results(title: &str, rows: &[TestRow]) -> String {
    let inner = bar(&RESULT);
    let mut out = format!("{}\n| {title:^76} |\n{inner}\n", bar(&[]));
    let _ = writeln!(out, "| {:>31} | {:>12} | {:>12} | {:>12} |\n{inner}", "Name", "Avg", "99%", "Units");
    for TestRow { name, units, summary, .. } in rows {
        let (average, percentile) = (summary.average, summary.percentile_99);
        let _ = writeln!(out, "| {name:>31.31} | {average:>12.1} | {percentile:>12.1} | {units:>12.12} |\n{inner}");
    }
    out
}

/// The table of congestion impact factors.
#[must_use]
pub fn impacts(title: &str, isolated: &[TestRow], loaded: &[TestRow]) -> String {
    let inner = bar(&IMPACT);
    let mut out = format!("{}\n| {title:^76} |\n{}\n", bar(&[]), bar(&[34]));
    let _ = writeln!(out, "| {:>31} | {:>42} |\n{inner}", "Name", "Congestion Impact Factor");
    let _ = writeln!(out, "| {:>31} | {:>20} | {:>19} |\n{inner}", "", "Avg", "99%");
    for (alone, beside) in isolated.iter().zip(loaded) {
        let average = impact(alone.summary.average, beside.summary.average, alone.better);
        let percentile = impact(alone.summary.percentile_99, beside.summary.percentile_99, alone.better);
        let _ = writeln!(out, "| {:>31.31} | {average:>19.1}X | {percentile:>18.1}X |\n{inner}", alone.name);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::super::statistics::{Better, TestStatistics};
    use super::*;

    fn row(average: f64, percentile_99: f64) -> TestRow {
        let summary = TestStatistics { average, percentile_99, min: 0.0, max: 9.0, samples: 1 };
        let (name, units) = ("RR Two-sided BW+Sync (131072 B)".to_owned(), "MiB/s/rank");
        TestRow { name, units, better: Better::Higher, summary }
    }

    #[test]
    fn tables_are_80_columns_wide_with_the_programs_columns() {
        let text = results("Isolated", &[row(11_234.56, 9.96)]);
        assert!(text.contains("| RR Two-sided BW+Sync (131072 B) |      11234.6 |         10.0 |   MiB/s/rank |\n"));
        let key = impacts("Key", &[row(300.0, 200.0)], &[row(100.0, 100.0)]);
        assert!(key.contains("| RR Two-sided BW+Sync (131072 B) |                 3.0X |                2.0X |\n"));
        for line in text.lines().chain(key.lines()) {
            assert_eq!(line.len(), 80, "{line}");
        }
        let corners = "+---------------------------------+--------------+--------------+--------------+";
        assert!(text.lines().any(|line| line == corners));
    }
}
