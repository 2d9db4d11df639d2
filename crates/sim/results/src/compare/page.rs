//! A comparison as a page.

use std::fmt::Write as _;
use std::path::Path;

use super::rows::{ComparedRows, difference_rows, job_rows, link_rows, missing, study_rows, uncounted, unknown_ratios};
use super::{ResultComparison, RunComparison, StudyComparison, ValueDifference, letter};
use crate::chart::{ChartAxis, ChartLine, LineChart, LineKind, escape};
use crate::format::{Unit, time_ps};
use crate::report::{cdf_points, html_page, html_table};

/// Jobs that have pictures.
const JOBS_SHOWN: usize = 12;
/// Rows of a list of differences.
const ROWS_SHOWN: usize = 500;

impl ResultComparison {
    /// As a self-contained HTML page.
    #[must_use]
    pub fn html(&self) -> String {
        match self {
            Self::Run(runs) => run_page(runs),
            Self::Seeds(seeds) => seeds.html(),
            Self::Study(study) => study_page(study),
        }
    }
}

fn page_table((headers, rows): &ComparedRows) -> String {
    let headers: Vec<&str> = headers.iter().map(String::as_str).collect();
    html_table(&headers, rows)
}

pub(super) fn listed(title: &str, found: &[ValueDifference]) -> String {
    let mut html = format!("<h2>{}</h2>", escape(title));
    if found.is_empty() {
        return html + "<p class=\"muted\">None.</p>";
    }
    html += &page_table(&difference_rows(found, ROWS_SHOWN));
    if found.len() > ROWS_SHOWN {
        let _ = write!(html, "<p class=\"muted\">And {} more.</p>", found.len() - ROWS_SHOWN);
    }
    html
}

fn run_page(runs: &RunComparison) -> String {
    let mut html = format!("<h1>Comparison of {} runs</h1>", runs.results.len());
    let same = if runs.digest_equal { "equal: the same events in the same order" } else { "different" };
    let row = |run: &super::RunResult| {
        let simulated = time_ps(run.simulated_ps as f64);
        vec![
            run.letter.clone(),
            run.title.clone(),
            run.folder.clone(),
            run.status.clone(),
            simulated,
            run.digest.clone(),
        ]
    };
    let rows: Vec<Vec<String>> = runs.results.iter().map(row).collect();
    html += &html_table(&["", "run", "folder", "status", "simulated", "digest"], &rows);
    let _ = write!(html, "<p>Digests: {same}.</p>");
    for run in runs.results.iter().filter(|run| !run.missing.is_empty()) {
        let _ = write!(html, "<p class=\"muted\">{}.</p>", escape(&missing(run)));
    }
    html += &listed("Differences of the scenarios", &runs.scenario);
    html += "<h2>Jobs</h2><p>Message latencies, and ratios relative to A.</p>";
    html += &page_table(&job_rows(&runs.jobs));
    if let Some(words) = unknown_ratios(&runs.jobs) {
        let _ = write!(html, "<p class=\"muted\">{words}.</p>");
    }
    let names: Vec<String> = runs.results.iter().map(name).collect();
    for job in runs.jobs.iter().take(JOBS_SHOWN) {
        let of = |read: fn(&super::Side) -> &std::collections::BTreeMap<String, Vec<u64>>| {
            runs.sides.iter().map(|side| read(side).get(&job.job)).collect::<Vec<_>>()
        };
        html += &picture(&job.job, ("message latency", "message"), &names, &of(|side| &side.messages));
        html += &picture(&job.job, ("iteration time", "complete iteration"), &names, &of(|side| &side.iterations));
    }
    html += "<h2>Links</h2>";
    html += &page_table(&link_rows(&runs.links));
    html += &match uncounted(runs) {
        Some(words) => format!("<h2>Counters</h2><p class=\"muted\">{}.</p>", escape(&words)),
        None => listed("Counters that differ (sums over ports and NICs)", &runs.counters),
    };
    html_page("Comparison · Philae", &html)
}

/// The name of a result in legends: its letter and its folder.
fn name(run: &super::RunResult) -> String {
    let folder =
        Path::new(&run.folder).file_name().map_or_else(|| run.folder.clone().into(), |name| name.to_string_lossy());
    format!("{} {folder}", run.letter)
}

/// The distributions of a job in one picture, and the results without any.
fn picture(job: &str, (what, of_what): (&str, &str), names: &[String], values: &[Option<&Vec<u64>>]) -> String {
    let found =
        |values: &Option<&Vec<u64>>| values.filter(|values| !values.is_empty()).map(|values| cdf_points(values));
    let all: Vec<_> = names.iter().zip(values.iter().map(found)).collect();
    let without: Vec<&str> = all.iter().filter(|(_, points)| points.is_none()).map(|(name, _)| name.as_str()).collect();
    let without = match without.as_slice() {
        [] => String::new(),
        names => format!("<p class=\"muted\">{}: without a {of_what}.</p>", escape(&names.join(", "))),
    };
    let series: Vec<ChartLine> =
        all.into_iter().filter_map(|(name, points)| Some(ChartLine::new(name, points?))).collect();
    if series.is_empty() {
        return String::new();
    }
    let all = || values.iter().flatten().flat_map(|values| values.iter()).copied();
    let (low, high) = (all().min().unwrap_or(0), all().max().unwrap_or(0));
    let x = ChartAxis { log: low > 0 && high > 10 * low, ..ChartAxis::linear(what, Unit::Time) };
    let y = ChartAxis::linear("share", Unit::Percent).with_range(0.0, 1.0);
    let title = format!("{job}: {what}");
    LineChart { title, x, y, kind: LineKind::Steps, series, references: Vec::new() }.html() + &without
}

fn study_page(study: &StudyComparison) -> String {
    let mut html = format!("<h1>Comparison of {} studies: {}</h1><p>", study.files.len(), escape(&study.experiment));
    for (place, file) in study.files.iter().enumerate() {
        let _ = write!(html, "{}: {}<br>", letter(place), escape(file));
    }
    html += "</p>";
    html += &listed("Differences of how they were run", &study.settings);
    html += "<h2>Published results</h2>";
    html += &page_table(&study_rows(&study.rows));
    html += &listed("Data that differ", &study.data);
    html_page("Comparison · Philae", &html)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_picture_names_results_and_those_that_have_nothing_for_it() {
        let names = ["A fast", "B slow", "C none"].map(str::to_owned);
        let times = [vec![1_000, 2_000], vec![3_000], Vec::new()];
        let values: Vec<Option<&Vec<u64>>> = times.iter().map(Some).collect();
        let html = picture("victim", ("iteration time", "complete iteration"), &names, &values);
        for part in ["victim: iteration time", "A fast", "B slow", "C none: without a complete iteration."] {
            assert!(html.contains(part), "'{part}' in {html}");
        }
        assert_eq!(picture("victim", ("iteration time", "iteration"), &names, &[None, None, None]), "");
    }
}
