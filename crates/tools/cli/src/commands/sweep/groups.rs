//! Runs of a sweep that differ only in their seeds: means with their intervals.

use super::{Row, cell, plain};
use philae_results::bound::at_least_path;
use philae_results::format::number;
use philae_results::seeds::{FigureMean, JOB_FIGURES, JobFigure, RunFigures, jobs};
use philae_results::text::table_of;
use serde_json::{Map, Value, json};

/// Runs that differ only in their seeds.
pub struct SeedGroup {
    /// The values that they have in common.
    pub values: Vec<(String, String)>,
    /// Their number.
    pub runs: usize,
    /// Those of them that failed.
    pub failed: usize,
    /// The figures of the others.
    pub figures: Vec<RunFigures>,
    /// The shown figures of each job.
    pub jobs: Vec<(String, [FigureMean; JOB_FIGURES.len()])>,
}

impl SeedGroup {
    pub fn of(values: Vec<(String, String)>, rows: &[&Row]) -> Self {
        let failed = rows.iter().filter(|row| !cell(row, "error").is_null()).count();
        let of_run = |row: &&Row| -> RunFigures {
            row.iter().filter_map(|(name, value)| Some((name.clone(), value.as_f64()?))).collect()
        };
        let figures: Vec<RunFigures> = rows.iter().filter(|row| cell(row, "error").is_null()).map(of_run).collect();
        let all: Vec<&RunFigures> = figures.iter().collect();
        let of_job = |job: String| {
            let means = JOB_FIGURES.map(|figure| FigureMean::of(&all, &job, &figure));
            (job, means)
        };
        let jobs = jobs(figures.iter()).into_iter().map(of_job).collect();
        Self { values, runs: rows.len(), failed, figures, jobs }
    }

    pub fn json(&self) -> Value {
        let values: Map<String, Value> = self.values.iter().map(|(key, value)| (key.clone(), plain(value))).collect();
        let of_job = |means: &[FigureMean]| {
            let mut found = Map::new();
            for (figure, known) in JOB_FIGURES.iter().zip(means) {
                found.insert(figure.path.to_owned(), json!(known.mean));
                if let (Some(path), Some(least)) = (at_least_path(figure.path), known.at_least) {
                    found.insert(path, json!(least));
                }
            }
            Value::Object(found)
        };
        let jobs: Map<String, Value> = self.jobs.iter().map(|(job, means)| (job.clone(), of_job(means))).collect();
        json!({ "values": values, "runs": self.runs, "failed": self.failed, "jobs": jobs })
    }

    /// The values in words; empty without any.
    pub fn name(&self) -> String {
        self.values.iter().map(|(key, value)| format!("{key}={value}")).collect::<Vec<_>>().join(", ")
    }

    /// The runs that count, of how many.
    fn runs_text(&self) -> String {
        match self.failed {
            0 => self.runs.to_string(),
            failed => format!("{} of {}", self.runs - failed, self.runs),
        }
    }
}

/// The figures that a table of the groups has: those that any job has a value of.
pub fn shown(groups: &[SeedGroup]) -> Vec<usize> {
    let known = |place: usize| {
        let any = |means: &[FigureMean]| means[place].mean.is_some() || means[place].at_least.is_some();
        groups.iter().flat_map(|group| &group.jobs).any(|(_, means)| any(means))
    };
    (0..JOB_FIGURES.len()).filter(|&place| known(place)).collect()
}

/// Figures that are left out where lines are short.
const OF_PAGES: [&str; 2] = ["message_latency.mean_ps", "flow_fairness"];

/// The groups as a table, a row for each job; on a page with all shown figures.
pub fn rows(groups: &[SeedGroup], is_page: bool) -> (Vec<String>, Vec<Vec<String>>) {
    let Some(first) = groups.first() else { return (Vec::new(), Vec::new()) };
    let mut places = shown(groups);
    places.retain(|&place| is_page || !OF_PAGES.contains(&JOB_FIGURES[place].path));
    let keys = first.values.iter().map(|(key, _)| key.clone());
    let figures = places.iter().map(|&place| JOB_FIGURES[place].header.to_owned());
    let headers = keys.chain(["job", "runs"].map(str::to_owned)).chain(figures).collect();
    let mut rows = Vec::new();
    for group in groups {
        let head = group.values.iter().map(|(_, value)| value.clone());
        if group.jobs.is_empty() {
            rows.push(head.clone().chain(["–".to_owned(), group.runs_text()]).collect());
        }
        for (job, means) in &group.jobs {
            let text = |&place: &usize| {
                let JobFigure { unit, .. } = JOB_FIGURES[place];
                means[place].text(unit, group.runs - group.failed)
            };
            let cells = [job.clone(), group.runs_text()].into_iter().chain(places.iter().map(text));
            rows.push(head.clone().chain(cells).collect());
        }
    }
    (headers, rows)
}

/// Where iterations did not end, in sentences: the times of a group are those of the others.
pub fn not_ended(groups: &[SeedGroup]) -> Vec<String> {
    let place = JOB_FIGURES.iter().position(|figure| figure.path == philae_results::seeds::NOT_ENDED);
    let line = |group: &SeedGroup, job: &str, means: &[FigureMean; JOB_FIGURES.len()]| {
        let open = means[place?].mean.filter(|open| open.mean > 0.0)?;
        let [iteration, ..] = means;
        let values = group.name();
        let at = if values.is_empty() { String::new() } else { format!(" at {values}") };
        let known = match (iteration.at_least, iteration.mean) {
            (Some(_), None) => format!(
                "none ended, so no time is known: {} or more",
                iteration.text(JOB_FIGURES[0].unit, group.runs).trim_start_matches('≥')
            ),
            (Some(_), Some(ended)) if ended.runs < group.runs - group.failed => format!(
                "in {} of {} runs one ended; the time is a bound with those that did not",
                ended.runs,
                group.runs - group.failed
            ),
            (Some(_), Some(_)) => "the time is that of iterations that ended, and so a bound".to_owned(),
            _ => "the times are those of iterations that ended".to_owned(),
        };
        Some(format!("{job}{at}: {} iterations a run did not end; {known}", number(open.mean)))
    };
    let of_group = |group: &SeedGroup| {
        group.jobs.iter().filter_map(|(job, means)| line(group, job, means)).collect::<Vec<String>>()
    };
    groups.iter().flat_map(of_group).collect()
}

/// The first of these lines, and how many more there are.
pub fn first_not_ended(groups: &[SeedGroup]) -> Option<String> {
    let lines = not_ended(groups);
    let more = match lines.len() {
        ..=1 => String::new(),
        several => format!(" (and {} more such lines in the report)", several - 1),
    };
    lines.first().map(|line| format!("{line}{more}"))
}

/// The groups for a terminal: mean and half of the 95 % interval over seeds.
pub fn means(groups: &[SeedGroup], colour: bool) -> String {
    let (headers, rows) = rows(groups, false);
    if headers.is_empty() {
        return String::new();
    }
    let headers: Vec<&str> = headers.iter().map(String::as_str).collect();
    // The values and the job.
    let names = groups.first().map_or(1, |group| group.values.len() + 1);
    let mut said = table_of(names, &headers, &rows, colour);
    if groups.iter().any(|group| group.runs > 1) {
        said += "mean ± half of its 95 % interval over seeds\n";
    }
    said
}
