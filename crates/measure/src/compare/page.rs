//! A comparison as a page.

use std::fmt::Write as _;

use super::{
    Comparison, Difference, JOB_HEADERS, LINK_HEADERS, RunComparison, STUDY_HEADERS, StudyComparison, difference_rows,
    job_rows, link_rows, study_rows,
};
use crate::chart::{Axis, LineChart, LineKind, Series, escape};
use crate::format::Unit;
use crate::report::{cdf_points, html_page, html_table};

/// Jobs that have pictures.
const JOBS_SHOWN: usize = 12;
/// Rows of a list of differences.
const ROWS_SHOWN: usize = 500;

impl Comparison {
    /// As a self-contained HTML page.
    #[must_use]
    pub fn html(&self) -> String {
        match self {
            Self::Run(runs) => run_page(runs),
            Self::Study(study) => study_page(study),
        }
    }
}

fn listed(title: &str, found: &[Difference]) -> String {
    let mut html = format!("<h2>{}</h2>", escape(title));
    if found.is_empty() {
        return html + "<p class=\"muted\">None.</p>";
    }
    html += &html_table(&["key", "A", "B"], &difference_rows(found, ROWS_SHOWN));
    if found.len() > ROWS_SHOWN {
        let _ = write!(html, "<p class=\"muted\">And {} more.</p>", found.len() - ROWS_SHOWN);
    }
    html
}

fn run_page(runs: &RunComparison) -> String {
    let mut html = String::from("<h1>Comparison of two runs</h1>");
    let same = if runs.digest_equal { "equal: the same events in the same order" } else { "different" };
    let rows: Vec<Vec<String>> = (0..2)
        .map(|side| {
            let name = ["A", "B"][side].to_owned();
            let simulated = crate::format::time_ps(runs.simulated_ps[side] as f64);
            let (title, folder) = (runs.titles[side].clone(), runs.folders[side].clone());
            vec![name, title, folder, runs.status[side].clone(), simulated, runs.digests[side].clone()]
        })
        .collect();
    html += &html_table(&["", "run", "folder", "status", "simulated", "digest"], &rows);
    let _ = write!(html, "<p>Digests: {same}.</p>");
    html += &listed("Differences of the scenarios", &runs.scenario);
    html += "<h2>Jobs</h2><p>Ratios are B over A.</p>";
    html += &html_table(&JOB_HEADERS, &job_rows(&runs.jobs));
    for job in runs.jobs.iter().take(JOBS_SHOWN) {
        for (what, values) in [
            ("message latency", [0, 1].map(|side: usize| runs.sides[side].messages.get(&job.job))),
            ("iteration time", [0, 1].map(|side: usize| runs.sides[side].iterations.get(&job.job))),
        ] {
            html += &picture(&format!("{}: {what}", job.job), what, values);
        }
    }
    html += "<h2>Links</h2><p>Utilisation of the intervals in which a port sent something.</p>";
    html += &html_table(&LINK_HEADERS, &link_rows(&runs.links));
    html += &listed("Counters that differ", &runs.counters);
    html_page("Comparison · Philae", &html)
}

/// Both distributions in one picture.
fn picture(title: &str, what: &str, values: [Option<&Vec<u64>>; 2]) -> String {
    let of = |(name, values): (&str, Option<&Vec<u64>>)| {
        values.filter(|values| !values.is_empty()).map(|values| Series::new(name, cdf_points(values)))
    };
    let series: Vec<Series> = ["A", "B"].into_iter().zip(values).filter_map(of).collect();
    if series.is_empty() {
        return String::new();
    }
    let all = || values.into_iter().flatten().flatten().copied();
    let (low, high) = (all().min().unwrap_or(0), all().max().unwrap_or(0));
    let x = Axis { log: low > 0 && high > 10 * low, ..Axis::linear(what, Unit::Time) };
    let y = Axis::linear("share", Unit::Percent).with_range(0.0, 1.0);
    LineChart { title: title.to_owned(), x, y, kind: LineKind::Steps, series, references: Vec::new() }.html()
}

fn study_page(study: &StudyComparison) -> String {
    let mut html = format!("<h1>Comparison of two studies: {}</h1>", escape(&study.experiment));
    let _ = write!(html, "<p>A: {}<br>B: {}</p>", escape(&study.files[0]), escape(&study.files[1]));
    html += &listed("Differences of how they were run", &study.settings);
    html += "<h2>Published results</h2><p>Ratios are B over A.</p>";
    html += &html_table(&STUDY_HEADERS, &study_rows(&study.rows));
    html += &listed("Data that differ", &study.data);
    html_page("Comparison · Philae", &html)
}
