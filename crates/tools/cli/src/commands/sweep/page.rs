//! The page of a sweep: what was run, the points, a picture of each figure against the swept keys.

use super::groups::{SeedGroup, not_ended, rows, shown};
use philae_results::chart::{ChartAxis, ChartLine, IntervalChart, IntervalRow, LineChart, LineKind, NetworkPicture};
use philae_results::format::Unit;
use philae_results::seeds::{FigureMean, JOB_FIGURES, JobFigure, NOT_ENDED, RunFigures, values};
use philae_results::{StudyReport, StudySection, TableRow};
use philae_units::counted;
use philae_workload::{Size, Span};

/// Jobs that have pictures. Source: ours, as in the report of a run. Status: assumed.
const JOBS_SHOWN: usize = 12;
/// Rows and lines of a picture. Source: ours: more cannot be told apart. Status: assumed.
const ROWS_SHOWN: usize = 60;
const LINES_SHOWN: usize = 16;
/// Points of the table. Source: ours: a page of this many opens at once; table.csv has all. Status:
/// assumed.
const POINTS_SHOWN: usize = 1_000;
/// Values of one fact that are named. Source: ours. Status: assumed.
const VALUES_NAMED: usize = 4;

/// What was run, in the words of a run's report; a fact with several values is one that the sweep
/// changes.
#[derive(Default)]
pub struct SweepHead {
    facts: Vec<(&'static str, Vec<String>, usize)>,
    /// The network of the first run.
    pub network: Option<NetworkPicture>,
}

impl SweepHead {
    /// Adds the setup of one more run.
    pub fn add(&mut self, setup: Vec<(&'static str, String)>) {
        for (name, value) in setup {
            let place = self.facts.iter().position(|(known, ..)| *known == name).unwrap_or_else(|| {
                self.facts.push((name, Vec::new(), 0));
                self.facts.len() - 1
            });
            let (_, known, more) = &mut self.facts[place];
            if known.contains(&value) {
                continue;
            }
            // A sweep of placements may have thousands: those that are not named are not compared.
            if known.len() < VALUES_NAMED { known.push(value) } else { *more += 1 }
        }
    }

    fn rows(&self) -> Vec<(&'static str, String)> {
        let words = |known: &Vec<String>, more: usize| match (known.as_slice(), more) {
            ([one], _) => one.clone(),
            (several, 0) => format!("swept: {}", several.join(" | ")),
            (several, _) => format!("swept: {} | …", several.join(" | ")),
        };
        self.facts.iter().map(|(name, known, more)| (*name, words(known, *more))).collect()
    }
}

/// What the page says beside the groups.
pub struct SweepPage<'a> {
    pub title: String,
    pub head: &'a SweepHead,
    /// Further facts: seeds, grid, version.
    pub facts: Vec<(&'static str, String)>,
    /// Names and reasons of the runs that failed.
    pub failures: Vec<(String, String)>,
    pub warnings: Vec<String>,
    pub groups: &'a [SeedGroup],
    pub footer: String,
}

impl SweepPage<'_> {
    /// The page as HTML.
    pub fn html(&self) -> String {
        let mut sections = vec![StudySection::Facts(self.head.rows().into_iter().chain(self.facts.clone()).collect())];
        sections.extend(self.head.network.clone().map(StudySection::Network));
        sections.push(StudySection::Heading("Points".to_owned()));
        sections.extend(self.points());
        let open = not_ended(self.groups);
        if !open.is_empty() {
            sections.push(StudySection::Heading("Iterations that did not end".to_owned()));
            let lines: Vec<String> = open.iter().map(|line| format!("{line}.")).collect();
            sections.push(StudySection::Text(lines.join("\n\n")));
        }
        if !self.failures.is_empty() {
            sections.push(StudySection::Heading("Runs that failed".to_owned()));
            let rows =
                self.failures.iter().map(|(name, error)| TableRow::from([name.clone(), error.clone()])).collect();
            sections.push(StudySection::Table { headers: vec!["run".to_owned(), "error".to_owned()], rows });
        }
        sections.extend(self.pictures());
        let runs: usize = self.groups.iter().map(|group| group.runs).sum();
        let (points, runs) = (counted(self.groups.len(), "combination"), counted(runs, "run"));
        let banner = match self.failures.len() {
            0 => self.warnings.clone(),
            failed => [format!("{} failed; the figures are those of the others.", counted(failed, "run"))]
                .into_iter()
                .chain(self.warnings.clone())
                .collect(),
        };
        StudyReport {
            title: self.title.clone(),
            intro: format!("A sweep: {points} of values, {runs}."),
            banner: (!banner.is_empty()).then(|| banner.join(" ")),
            sections,
            footer: self.footer.clone(),
        }
        .html()
    }

    fn points(&self) -> Vec<StudySection> {
        let (headers, mut all) = rows(self.groups, true);
        let total = all.len();
        all.truncate(POINTS_SHOWN);
        let mut text = if self.groups.iter().any(|group| group.runs > 1) {
            "Mean ± half of its 95 % interval over seeds (Student's t).".to_owned()
        } else {
            "One run each: --seeds 1-10 says how much figures depend on the seed.".to_owned()
        };
        if total > all.len() {
            text += &format!(" The first {} of {total} rows; table.csv has all.", all.len());
        }
        let rows = all.into_iter().map(|cells| TableRow { cells, verdict: None }).collect();
        vec![StudySection::Text(text), StudySection::Table { headers, rows }]
    }

    /// A picture of each figure of each job.
    fn pictures(&self) -> Vec<StudySection> {
        let mut names: Vec<&str> = Vec::new();
        for (job, _) in self.groups.iter().flat_map(|group| &group.jobs) {
            if !names.contains(&job.as_str()) {
                names.push(job);
            }
        }
        let axis = numeric_axis(self.groups);
        let mut sections = Vec::new();
        for job in names.into_iter().take(JOBS_SHOWN) {
            sections.push(StudySection::Heading(job.to_owned()));
            for place in shown(self.groups) {
                let figure = JOB_FIGURES[place];
                let points: Vec<(&SeedGroup, FigureMean)> = self
                    .groups
                    .iter()
                    .filter_map(|group| Some((group, group.jobs.iter().find(|(name, _)| name == job)?.1[place])))
                    .filter(|(_, known)| known.mean.is_some() || known.at_least.is_some())
                    .collect();
                let all_ended = || points.iter().all(|(_, known)| known.mean.is_some_and(|open| open.mean == 0.0));
                if points.is_empty() || figure.path == NOT_ENDED && all_ended() {
                    continue;
                }
                let lines = axis.as_ref().and_then(|axis| axis.lines(job, &figure, &points));
                sections.extend(lines.or_else(|| bars(job, &figure, &points)));
            }
        }
        sections
    }
}

/// A swept key whose values are numbers, sizes or times.
struct NumericAxis {
    key: String,
    unit: Unit,
    values: Vec<(String, f64)>,
}

/// The values of a key as numbers of one unit, if they are.
fn measured(key: &str, words: &[&str]) -> Option<(Unit, Vec<f64>)> {
    let all = |read: fn(&str) -> Option<f64>| words.iter().map(|word| read(word.trim_matches(['"', '\'']))).collect();
    let plain: Option<Vec<f64>> = all(|word| word.parse().ok().filter(|value: &f64| value.is_finite()));
    if let Some(found) = plain {
        return Some((if key.ends_with("bytes") { Unit::Bytes } else { Unit::Number }, found));
    }
    let sizes: Option<Vec<f64>> = all(|word| word.parse::<Size>().ok().map(|size| size.0.0 as f64));
    let times = || all(|word| word.parse::<Span>().ok().map(|span| span.0.0 as f64));
    sizes.map(|found| (Unit::Bytes, found)).or_else(|| times().map(|found| (Unit::Time, found)))
}

/// The key with the most values among those whose values are numbers.
fn numeric_axis(groups: &[SeedGroup]) -> Option<NumericAxis> {
    let keys = &groups.first()?.values;
    let axis = |(place, (key, _)): (usize, &(String, String))| {
        let mut words: Vec<&str> = Vec::new();
        for word in groups.iter().filter_map(|group| group.values.get(place)).map(|(_, word)| word.as_str()) {
            if !words.contains(&word) {
                words.push(word);
            }
        }
        let (unit, found) = measured(key, &words)?;
        let values = words.iter().map(|word| (*word).to_owned()).zip(found).collect();
        (words.len() > 1).then(|| NumericAxis { key: key.clone(), unit, values })
    };
    // The first of several with as many.
    keys.iter().enumerate().filter_map(axis).reduce(
        |best, next| {
            if next.values.len() > best.values.len() { next } else { best }
        },
    )
}

/// A logarithmic axis where values span more than this factor. Source: ours. Status: assumed.
const DECADE: f64 = 16.0;

/// An axis for these values.
fn axis(label: &str, unit: Unit, found: impl Iterator<Item = f64>) -> ChartAxis {
    let (low, high) = found.fold((f64::INFINITY, 0.0_f64), |(low, high), value| (low.min(value), high.max(value)));
    ChartAxis { log: low > 0.0 && high > DECADE * low, ..ChartAxis::linear(label, unit) }
}

impl NumericAxis {
    fn at(&self, group: &SeedGroup) -> f64 {
        let word = group.values.iter().find(|(key, _)| *key == self.key).map(|(_, word)| word);
        self.values.iter().find(|(known, _)| Some(known) == word).map_or(f64::NAN, |(_, value)| *value)
    }

    /// A figure against this key, a line for each combination of the others; `None` if they are too
    /// many.
    fn lines(&self, job: &str, figure: &JobFigure, points: &[(&SeedGroup, FigureMean)]) -> Option<StudySection> {
        let mut series: Vec<ChartLine> = Vec::new();
        for (group, known) in points {
            let others: Vec<String> = group
                .values
                .iter()
                .filter(|(key, _)| *key != self.key)
                .map(|(key, value)| format!("{key}={value}"))
                .collect();
            let name = others.join(", ");
            let place = series.iter().position(|line| line.name == name).unwrap_or_else(|| {
                series.push(ChartLine::new(name, Vec::new()));
                series.len() - 1
            });
            let (line, x) = (&mut series[place], self.at(group));
            if let Some(found) = known.mean.filter(|_| known.at_least.is_none()) {
                line.points.push((x, found.mean));
                line.intervals.extend(found.half.map(|half| (x, found.mean - half, found.mean + half)));
            }
            line.at_least.extend(known.at_least.map(|least| (x, least)));
        }
        if series.len() > LINES_SHOWN {
            return None;
        }
        series.iter_mut().for_each(|line| line.points.sort_by(|one, other| one.0.total_cmp(&other.0)));
        let heights = points.iter().filter_map(|(_, known)| known.value());
        Some(StudySection::Lines(LineChart {
            title: format!("{job}: {} against {}", figure.header, self.key),
            x: axis(&self.key, self.unit, self.values.iter().map(|(_, value)| *value)),
            y: axis(figure.header, figure.unit, heights),
            kind: LineKind::Lines,
            series,
            references: Vec::new(),
        }))
    }
}

/// A figure with a row for each group; nothing if they are too many.
fn bars(job: &str, figure: &JobFigure, points: &[(&SeedGroup, FigureMean)]) -> Option<StudySection> {
    let name = format!("job.{job}.{}", figure.path);
    let row = |(group, known): &(&SeedGroup, FigureMean)| {
        let label = group.name();
        IntervalRow {
            label: if label.is_empty() { "the scenario".to_owned() } else { label },
            mean: known.mean.map(|found| found.mean),
            half: known.mean.and_then(|found| found.half),
            runs: values(&group.figures.iter().collect::<Vec<&RunFigures>>(), &name),
            at_least: known.at_least,
        }
    };
    (points.len() <= ROWS_SHOWN).then(|| {
        StudySection::Intervals(IntervalChart {
            title: format!("{job}: {}", figure.header),
            axis: ChartAxis::linear(figure.header, figure.unit),
            rows: points.iter().map(row).collect(),
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_of_a_key_are_numbers_sizes_or_times() {
        assert_eq!(measured("a.load", &["0.5", "1"]), Some((Unit::Number, vec![0.5, 1.0])));
        assert_eq!(measured("a.bytes", &["8", "16"]), Some((Unit::Bytes, vec![8.0, 16.0])));
        assert_eq!(measured("a.bytes", &["1KiB", "'8KiB'"]), Some((Unit::Bytes, vec![1024.0, 8192.0])));
        assert_eq!(measured("run.start_skew", &["1us", "2ns"]), Some((Unit::Time, vec![1e6, 2e3])));
        assert_eq!(measured("congestion.law", &["none", "ecn"]), None);
    }

    #[test]
    fn facts_that_the_sweep_changes_are_named() {
        let mut head = SweepHead::default();
        for law in ["none", "ecn", "none"] {
            head.add(vec![("System", "tiny".to_owned()), ("Congestion law", law.to_owned())]);
        }
        let rows = head.rows();
        assert_eq!(rows[0].1, "tiny");
        assert_eq!(rows[1].1, "swept: none | ecn");
    }
}
