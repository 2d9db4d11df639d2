//! Compares runs over seeds: means, and the intervals of their differences.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::PathBuf;

use philae_units::counted;
use serde::Serialize;
use serde_json::{Map, Value};

use super::read::{CompareError, PathContents, read};
use super::rows::{ComparedRows, KEYS_SHOWN, listed, plain_table, times};
use super::series::{SeedSeries, ended};
use super::{RESULTS_MAX, ResultComparison, ValueDifference, differ, letter, page, ratio};
use crate::bound::{KnownTime, RatioBound, UNKNOWN_WORDS, at_least_path};
use crate::chart::{ChartAxis, IntervalChart, IntervalRow, escape};
use crate::interval::{DifferenceMethod, MeanDifference, MeanInterval, ShownEffect};
use crate::report::{html_page, html_table};
use crate::seeds::{FigureMean, JOB_FIGURES, RunFigures, jobs, unit_of, values};

/// The effect of a difference between times of which one is a bound.
const NOT_ALL_ENDED: &str = "not all ended";

/// Jobs that have pictures.
const JOBS_SHOWN: usize = 12;

/// One side: runs that differ only in their seeds.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SeedsResult {
    /// Its name in tables: A, B, C.
    pub letter: String,
    /// Its folder, or folders.
    pub folder: String,
    /// The title of its runs, or the values that they have in common.
    pub title: String,
    /// The values of a sweep's keys.
    #[serde(skip_serializing_if = "Map::is_empty")]
    pub values: Map<String, Value>,
    /// Runs that count.
    pub runs: usize,
    /// Runs that failed.
    pub failed: usize,
    /// Seeds of those that count; null where one is not known.
    pub seeds: Vec<Option<u64>>,
    /// Number of runs by the way in which they ended.
    pub ended: BTreeMap<String, usize>,
}

/// A figure over the runs of each side.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FigureRow {
    /// Its name, such as `job.victim.message_latency.p99_ps`.
    pub figure: String,
    /// The mean of each side; null if none of its runs has the figure.
    pub results: Vec<Option<MeanInterval>>,
    /// The difference of each side and the first one; null for the first, or without a value.
    pub differences: Vec<Option<MeanDifference>>,
    /// Each mean over the first one; a lower bound stands for a mean that is not known. Null as
    /// well if neither is known.
    pub ratios: Vec<Option<f64>>,
    /// Lower bounds of means, where iterations did not end or messages did not arrive. Absent if
    /// they all did.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub at_least: Vec<Option<f64>>,
    /// The directions of such ratios.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub ratio_bounds: Vec<Option<RatioBound>>,
}

#[derive(Clone, Debug, Serialize)]
pub struct SeedsComparison {
    /// The sides, in the requested order.
    pub results: Vec<SeedsResult>,
    /// How the intervals of the differences from the first side are computed, by side; null for the
    /// first.
    pub methods: Vec<Option<DifferenceMethod>>,
    /// Keys of the scenarios that differ. Without kept results, only what the sweeps say.
    pub scenario: Vec<ValueDifference>,
    /// Every figure that differs somewhere, or is shown.
    pub figures: Vec<FigureRow>,
    #[serde(skip)]
    sides: Vec<SeedSeries>,
}

/// Compares two sides of several folders each: runs that differ only in their seeds.
///
/// # Errors
/// [`CompareError`] as [`super::compare`], and if the runs of a side differ in more than their
/// seeds.
pub fn compare_sides(first: &[PathBuf], other: &[PathBuf]) -> Result<ResultComparison, CompareError> {
    let mut sides = Vec::new();
    for paths in [first, other] {
        let (mut runs, mut sweeps) = (Vec::new(), Vec::new());
        for path in paths {
            match read(path)? {
                PathContents::Run(side) => runs.push(*side),
                PathContents::Sweep(series) => sweeps.push((path, series)),
                PathContents::Study(study, _) => return Err(CompareError::StudyInSide { study }),
            }
        }
        match (runs.as_slice(), sweeps.as_mut_slice()) {
            ([], [(_, series)]) if series.len() == 1 => sides.append(series),
            ([], []) => return Err(CompareError::Count { found: sides.len() }),
            (runs, []) => sides.push(SeedSeries::of_folders(runs)?),
            (_, [(path, series), ..]) => {
                return Err(CompareError::SweepInSide { path: (*path).clone(), combinations: series.len() });
            }
        }
    }
    Ok(ResultComparison::Seeds(of_series(sides)))
}

/// Compares sides, of which a sweep has one for each combination of its values.
pub(super) fn of_contents(contents: Vec<PathContents>) -> Result<ResultComparison, CompareError> {
    let mut sides = Vec::new();
    for found in contents {
        match found {
            PathContents::Run(side) => sides.push(SeedSeries::of_folders(&[*side])?),
            PathContents::Sweep(series) => sides.extend(series),
            PathContents::Study(study, _) => return Err(CompareError::StudyInSide { study }),
        }
    }
    if !(2..=RESULTS_MAX).contains(&sides.len()) {
        return Err(CompareError::Count { found: sides.len() });
    }
    Ok(ResultComparison::Seeds(of_series(sides)))
}

fn figures(side: &SeedSeries) -> Vec<&RunFigures> {
    side.runs.iter().map(|run| &run.figures).collect()
}

/// How two sides are compared: by pairs if their seeds are the same, each once.
fn method(first: &SeedSeries, other: &SeedSeries) -> DifferenceMethod {
    match (first.seeds(), other.seeds()) {
        (Some(one), Some(two)) if one == two => DifferenceMethod::Paired,
        _ => DifferenceMethod::Welch,
    }
}

fn difference(first: &SeedSeries, other: &SeedSeries, name: &str) -> Option<MeanDifference> {
    match method(first, other) {
        DifferenceMethod::Welch => {
            MeanDifference::welch(&values(&figures(first), name), &values(&figures(other), name))
        }
        DifferenceMethod::Paired => {
            let of_seed = |side: &SeedSeries, seed| {
                side.runs.iter().find(|run| run.seed == seed).and_then(|run| run.figures.get(name).copied())
            };
            let pairs =
                first.runs.iter().filter_map(|run| Some((run.figures.get(name).copied()?, of_seed(other, run.seed)?)));
            MeanDifference::paired(&pairs.collect::<Vec<_>>())
        }
    }
}

fn of_series(sides: Vec<SeedSeries>) -> SeedsComparison {
    let results = sides.iter().enumerate().map(|(place, side)| SeedsResult {
        letter: letter(place),
        folder: side.place(),
        title: side.title.clone(),
        values: side.values.iter().cloned().collect(),
        runs: side.runs.len(),
        failed: side.failed,
        seeds: side.runs.iter().map(|run| run.seed).collect(),
        ended: ended(&side.runs),
    });
    let mut scenario = Vec::new();
    let of = |read: fn(&SeedSeries) -> &Value| sides.iter().map(|side| read(side).clone()).collect::<Vec<_>>();
    let scenarios = of(|side| &side.scenario);
    if scenarios.iter().any(Value::is_null) {
        differ("", &of(|side| &side.source), &mut scenario);
    } else {
        let versions: Vec<Value> = sides.iter().map(|side| side.source["version"].clone()).collect();
        differ("version", &versions, &mut scenario);
        differ("", &scenarios, &mut scenario);
    }
    let mut names: BTreeSet<String> = sides.iter().flat_map(figures).flat_map(RunFigures::keys).cloned().collect();
    // A side whose iterations never ended, or whose messages never arrived, has a bound and no such
    // figure.
    let all: Vec<&RunFigures> = sides.iter().flat_map(figures).collect();
    let jobs = jobs(all.iter().copied());
    for (job, shown) in jobs.iter().flat_map(|job| JOB_FIGURES.iter().map(move |shown| (job, shown))) {
        if all.iter().any(|run| KnownTime::of_run(run, job, shown.path).is_some()) {
            names.insert(format!("job.{job}.{}", shown.path));
        }
    }
    let row = |name: &String| {
        let results: Vec<Option<MeanInterval>> =
            sides.iter().map(|side| MeanInterval::of(&values(&figures(side), name))).collect();
        let mut at_least = at_least(&sides, &jobs, name);
        let of_side = |place: usize| at_least.get(place).copied().flatten();
        let value = |place: usize| of_side(place).or(results[place].map(|found| found.mean));
        let bound = |place: usize| RatioBound::of(of_side(0).is_some(), of_side(place).is_some());
        let mut ratio_bounds: Vec<Option<RatioBound>> = (0..sides.len()).map(bound).collect();
        // A difference from a bound, or of one, has no interval.
        let has_difference = |place: usize| place > 0 && ratio_bounds[place].is_none();
        let differences = (0..sides.len())
            .map(|place| has_difference(place).then(|| difference(&sides[0], &sides[place], name)).flatten());
        let differences = differences.collect();
        let known = |place: usize| ratio_bounds[place] != Some(RatioBound::Unknown);
        let ratios = (0..sides.len()).map(|place| ratio(value(0), value(place)).filter(|_| known(place))).collect();
        if at_least.iter().all(Option::is_none) {
            (at_least, ratio_bounds) = (Vec::new(), Vec::new());
        }
        FigureRow { figure: name.clone(), results, differences, ratios, at_least, ratio_bounds }
    };
    SeedsComparison {
        results: results.collect(),
        methods: (0..sides.len()).map(|place| (place > 0).then(|| method(&sides[0], &sides[place]))).collect(),
        scenario,
        figures: names.iter().map(row).collect(),
        sides,
    }
}

/// The lower bounds of a time, side by side; empty for figures that never have one.
fn at_least(sides: &[SeedSeries], jobs: &[String], name: &str) -> Vec<Option<f64>> {
    // A name may contain dots, so that only the list of jobs tells where it ends.
    let path_of = |job: &str| name.strip_prefix("job.")?.strip_prefix(job)?.strip_prefix('.');
    let has_bound = |path: &&str| at_least_path(path).is_some();
    let found = jobs.iter().find_map(|job| Some((job.as_str(), path_of(job).filter(has_bound)?)));
    let of_side = |job: &str, path: &str, side: &SeedSeries| FigureMean::bound(&figures(side), job, path);
    found.map_or_else(Vec::new, |(job, path)| sides.iter().map(|side| of_side(job, path, side)).collect())
}

impl SeedsComparison {
    /// Each side in a line.
    fn heads(&self) -> Vec<String> {
        let seeds = |found: &SeedsResult| {
            let known: Vec<String> = found.seeds.iter().flatten().map(u64::to_string).collect();
            match known.len() {
                0 => String::new(),
                1 => format!(", seed {}", known[0]),
                _ => format!(", seeds {}", known.join(", ")),
            }
        };
        let head = |found: &SeedsResult| {
            let SeedsResult { letter, folder, title, runs, failed, ended, .. } = found;
            let failed = if *failed > 0 { format!(", {failed} failed") } else { String::new() };
            let ended: Vec<String> = ended
                .iter()
                .filter(|_| !ended.contains_key("completed") || ended.len() > 1)
                .map(|(status, count)| format!("; {count} ended as {status}"))
                .collect();
            let runs = counted(*runs, "run");
            format!("{letter}: {folder} ({title}), {runs}{}{failed}{}", seeds(found), ended.concat())
        };
        self.results.iter().map(head).collect()
    }

    /// How the differences were computed, in words.
    fn method_words(&self) -> Vec<String> {
        let of = |method: DifferenceMethod| {
            let letters: Vec<&str> = self
                .results
                .iter()
                .zip(&self.methods)
                .filter(|(_, found)| **found == Some(method))
                .map(|(result, _)| result.letter.as_str())
                .collect();
            letters.join(", ")
        };
        let paired = "paired by seed, because the seeds are the same";
        let welch = "Welch's interval of independent runs, because the seeds are not the same";
        [(DifferenceMethod::Paired, paired), (DifferenceMethod::Welch, welch)]
            .into_iter()
            .filter_map(|(method, words)| Some(of(method)).filter(|letters| !letters.is_empty()).map(|l| (l, words)))
            .map(|(letters, words)| format!("differences of {letters} and A: {words}; ± is half of the 95 % interval"))
            .collect()
    }

    /// What the words of the last column mean, where they occur.
    fn effect_words(&self) -> Vec<&'static str> {
        let rows = self.rows().1;
        let has = |effect: ShownEffect| rows.iter().any(|row| row.last().is_some_and(|cell| cell == effect.as_str()));
        let mut said = Vec::new();
        if has(ShownEffect::NotShown) {
            said.push(
                "no effect shown: the difference is smaller than the spread over seeds; more seeds narrow the interval",
            );
        }
        if rows.iter().any(|row| row.last().is_some_and(|cell| cell == NOT_ALL_ENDED)) {
            said.push("not all ended, or arrived: a time is a lower bound, so that its difference has no interval");
        }
        if self
            .figures
            .iter()
            .flat_map(|row| row.ratio_bounds.iter().skip(1))
            .any(|bound| *bound == Some(RatioBound::Unknown))
        {
            said.push(UNKNOWN_WORDS);
        }
        if has(ShownEffect::Unknown) {
            said.push("too few runs: an interval takes two runs a side at least, such as `--seeds 1-5`");
        }
        if has(ShownEffect::Larger) || has(ShownEffect::Smaller) {
            said.push("of 20 figures without a difference, one is called larger or smaller by chance");
        }
        said
    }

    /// The shown figures of each job, a row for each side.
    fn rows(&self) -> ComparedRows {
        let headers = ["job", "figure", "result", "mean", "− A", "/ A", "effect"].map(str::to_owned).to_vec();
        let all: Vec<Vec<&RunFigures>> = self.sides.iter().map(figures).collect();
        let mut rows = Vec::new();
        for job in jobs(all.iter().flatten().copied()) {
            for shown in &JOB_FIGURES {
                let name = format!("job.{job}.{}", shown.path);
                let means: Vec<FigureMean> = all.iter().map(|runs| FigureMean::of(runs, &job, shown)).collect();
                if means.iter().all(|found| found.mean.is_none() && found.at_least.is_none()) {
                    continue;
                }
                let found = self.figures.iter().find(|row| row.figure == name);
                for (place, mean) in means.iter().enumerate() {
                    let difference = found.and_then(|row| row.differences[place]);
                    let bound = found.and_then(|row| row.ratio_bounds.get(place).copied().flatten());
                    let ratio = || times(found.and_then(|row| row.ratios[place]));
                    let cells = match difference {
                        None if place > 0 && bound.is_some() => {
                            [String::new(), RatioBound::text(bound, &ratio()), NOT_ALL_ENDED.to_owned()]
                        }
                        None => [const { String::new() }; 3],
                        Some(found_difference) => {
                            let format = |value: f64| shown.unit.format(value);
                            let sign = if found_difference.mean > 0.0 { "+" } else { "" };
                            let half = found_difference.half.map(|half| format!(" ± {}", format(half)));
                            [
                                format!("{sign}{}{}", format(found_difference.mean), half.unwrap_or_default()),
                                ratio(),
                                found_difference.effect.as_str().to_owned(),
                            ]
                        }
                    };
                    let head = [&job, shown.header, &letter(place)].map(str::to_owned);
                    let text = mean.text(shown.unit, all[place].len());
                    rows.push(head.into_iter().chain([text]).chain(cells).collect());
                }
            }
        }
        (headers, rows)
    }

    pub(super) fn text(&self, colour: bool) -> String {
        let mut out = self.heads().join("\n") + "\n";
        out += &listed("differences of the scenarios", &self.scenario, KEYS_SHOWN, colour);
        let rows = self.rows();
        let table = if rows.1.is_empty() { "no job has figures\n".to_owned() } else { plain_table(3, &rows, colour) };
        let _ = write!(out, "\n{table}");
        for line in self.method_words().iter().map(String::as_str).chain(self.effect_words()) {
            let _ = writeln!(out, "{line}");
        }
        out + "figures of links and all others: --json\n"
    }

    pub(super) fn html(&self) -> String {
        let mut html = format!("<h1>Comparison over seeds of {} results</h1><p>", self.results.len());
        for line in self.heads() {
            let _ = write!(html, "{}<br>", escape(&line));
        }
        html += "</p>";
        html += &page::listed("Differences of the scenarios", &self.scenario);
        html += "<h2>Jobs</h2>";
        for line in self.method_words() {
            let _ = write!(html, "<p>{}.</p>", escape(&line));
        }
        let (headers, rows) = self.rows();
        html += &html_table(&headers.iter().map(String::as_str).collect::<Vec<_>>(), &rows);
        for line in self.effect_words() {
            let _ = write!(html, "<p class=\"muted\">{}.</p>", escape(line));
        }
        html += &self.pictures();
        html += "<h2>All figures</h2>";
        let shown = |row: &&FigureRow| {
            let differs = |found: &MeanDifference| !matches!(found.effect, ShownEffect::Equal | ShownEffect::NotShown);
            row.differences.iter().flatten().any(differs)
        };
        let cells = |row: &FigureRow| {
            let format = |value| unit_of(&row.figure).format(value);
            let means = row.results.iter().map(|mean| MeanInterval::text(*mean, format));
            let effects = row.differences.iter().flatten().map(|found| found.effect.as_str().to_owned());
            std::iter::once(row.figure.clone()).chain(means).chain(effects).collect::<Vec<String>>()
        };
        let rows: Vec<Vec<String>> = self.figures.iter().filter(shown).map(cells).collect();
        let letters: Vec<String> = self.results.iter().map(|found| found.letter.clone()).collect();
        let effects = letters.iter().skip(1).map(|letter| format!("effect of {letter}"));
        let headers: Vec<String> = std::iter::once("figure".to_owned()).chain(letters.clone()).chain(effects).collect();
        html += "<p>Those whose difference is larger than the spread over seeds; compare --json has the others.</p>";
        html += &html_table(&headers.iter().map(String::as_str).collect::<Vec<_>>(), &rows);
        html_page("Comparison over seeds · Philae", &html)
    }

    /// A picture of each shown figure of each job.
    fn pictures(&self) -> String {
        let all: Vec<Vec<&RunFigures>> = self.sides.iter().map(figures).collect();
        let mut html = String::new();
        for job in jobs(all.iter().flatten().copied()).iter().take(JOBS_SHOWN) {
            for shown in &JOB_FIGURES {
                let name = format!("job.{job}.{}", shown.path);
                let row = |(side, runs): (&SeedsResult, &Vec<&RunFigures>)| {
                    let FigureMean { mean, at_least } = FigureMean::of(runs, job, shown);
                    IntervalRow {
                        label: format!("{} {}", side.letter, side.title),
                        mean: mean.map(|mean| mean.mean),
                        half: mean.and_then(|mean| mean.half),
                        runs: values(runs, &name),
                        at_least,
                    }
                };
                let rows: Vec<IntervalRow> = self.results.iter().zip(&all).map(row).collect();
                if rows.iter().any(|row| row.mean.is_some() || row.at_least.is_some()) {
                    let axis = ChartAxis::linear(shown.header, shown.unit);
                    html += &IntervalChart { title: format!("{job}: {}", shown.header), axis, rows }.html();
                }
            }
        }
        html
    }
}
