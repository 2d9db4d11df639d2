//! The tables and pictures of the comparison.

use philae_results::bound::RatioBound;
use philae_results::chart::{BarChart, BarGroup, ChartAxis, HeatMap};
use philae_results::format::{Unit, bytes, count, number, percent, time_ps};
use philae_results::interval::{MeanDifference, MeanInterval, ShownEffect};
use philae_results::{StudySection, TableRow};
use serde_json::{Value, json};

use super::Comparison;
use super::load::{Load, Measured};
use super::network::Network;
use super::reading::{RunReading, TimeGroup};
use super::reason::why;
use crate::experiments::text;

/// The runs of a load in one column, seed by seed: each with that of its reference, for slowdowns.
#[derive(Clone, Debug)]
pub struct ColumnEntry {
    runs: Vec<(RunReading, Option<RunReading>)>,
}

impl ColumnEntry {
    /// From the runs, seed by seed.
    pub const fn new(runs: Vec<(RunReading, Option<RunReading>)>) -> Self {
        Self { runs }
    }

    /// The readings, without those of references.
    pub fn readings(&self) -> impl Iterator<Item = &RunReading> {
        self.runs.iter().map(|(run, _)| run)
    }

    /// A run's result, picoseconds or a ratio, and its direction if one of its runs did not end.
    fn result((run, alone): &(RunReading, Option<RunReading>)) -> (f64, Option<RatioBound>) {
        let bound = RatioBound::of(alone.as_ref().is_some_and(|alone| alone.is_bound), run.is_bound);
        (run.time_ps / alone.as_ref().map_or(1.0, |alone| alone.time_ps), bound)
    }

    /// The direction in which the mean of all results is known; `None` if every run ended.
    fn bound(&self) -> Option<RatioBound> {
        let bounds = self.runs.iter().filter_map(|run| Self::result(run).1);
        bounds.reduce(|one, other| if one == other { one } else { RatioBound::Unknown })
    }

    /// Results seed by seed; none where the run did not end.
    fn results(&self) -> Vec<Option<f64>> {
        self.runs
            .iter()
            .map(|run| Some(Self::result(run)).filter(|result| result.1.is_none()).map(|result| result.0))
            .collect()
    }

    /// The mean over the runs that ended.
    fn mean(&self) -> Option<MeanInterval> {
        MeanInterval::of(&self.results().into_iter().flatten().collect::<Vec<_>>())
    }

    /// The mean over all runs, where those that did not end count with their lower bound.
    pub fn least_mean(&self) -> f64 {
        self.runs.iter().map(|run| Self::result(run).0).sum::<f64>() / self.runs.len() as f64
    }

    /// Whether every run ended with all its data delivered.
    fn is_whole(&self) -> bool {
        self.readings().all(|run| run.failed == 0) && self.results().iter().all(Option::is_some)
    }

    /// A mean over the runs.
    fn mean_of(&self, value: impl Fn(&RunReading) -> f64) -> f64 {
        self.readings().map(value).sum::<f64>() / self.runs.len() as f64
    }

    /// The result as tables print it: mean and interval; then the runs that did not end, and what
    /// was lost.
    pub fn text(&self, measured: Measured) -> String {
        let format = |value: f64| match measured {
            Measured::End => time_ps(value),
            Measured::Slowdown => format!("{}x", number(value)),
        };
        let open = self.results().iter().filter(|result| result.is_none()).count();
        let mut text = match open {
            0 => MeanInterval::text(self.mean(), format),
            _ => {
                let sign = match self.bound() {
                    Some(RatioBound::AtMost) => "<= ",
                    Some(RatioBound::Unknown) => "",
                    _ => ">= ",
                };
                let figure = if sign.is_empty() { "unknown".to_owned() } else { format(self.least_mean()) };
                format!("{sign}{figure} ({open} of {} runs did not end)", self.runs.len())
            }
        };
        let sum = |of: fn(&RunReading) -> u64| self.readings().map(of).sum::<u64>();
        let losses = [
            (sum(|run| run.trimmed), "trimmed"),
            (sum(|run| run.discarded), "packets lost"),
            (sum(|run| run.failed), "operations failed"),
        ];
        for (lost, what) in losses.into_iter().filter(|loss| loss.0 > 0) {
            text += &format!(", {} {what}", count(lost));
        }
        text
    }
}

/// A load on a network: an entry for each column.
#[derive(Clone, Debug)]
pub struct LoadAnswer {
    pub network: &'static str,
    pub load: Load,
    pub entries: Vec<ColumnEntry>,
    /// The first column's scenario with the first seed, as a file has it.
    pub scenario: String,
}

/// The place of a column among those of a load.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ColumnRank {
    /// The smallest mean.
    Best,
    /// The difference from the best is smaller than its spread over seeds.
    AsGood,
    Behind,
}

impl LoadAnswer {
    /// The column with the smallest mean of those whose runs all ended.
    pub fn best(&self) -> Option<usize> {
        let whole = self.entries.iter().enumerate().filter(|(_, entry)| entry.is_whole());
        whole.min_by(|one, other| one.1.least_mean().total_cmp(&other.1.least_mean())).map(|(index, _)| index)
    }

    /// The column with the largest mean, or lower bound.
    pub fn worst(&self) -> Option<usize> {
        let entries = self.entries.iter().enumerate();
        entries.max_by(|one, other| one.1.least_mean().total_cmp(&other.1.least_mean())).map(|(index, _)| index)
    }

    /// The place of a column.
    pub fn rank(&self, column: usize) -> ColumnRank {
        let Some(best) = self.best() else { return ColumnRank::Behind };
        let entry = &self.entries[column];
        if column == best {
            return ColumnRank::Best;
        }
        let pairs = self.entries[best].results().into_iter().zip(entry.results());
        let pairs: Vec<(f64, f64)> = pairs.filter_map(|(one, other)| one.zip(other)).collect();
        let effect = MeanDifference::paired(&pairs).map_or(ShownEffect::Unknown, |difference| difference.effect);
        let is_equal = matches!(effect, ShownEffect::Equal | ShownEffect::NotShown);
        if entry.is_whole() && is_equal { ColumnRank::AsGood } else { ColumnRank::Behind }
    }

    /// The mean of a column over that of the first; not a number if either has none.
    fn ratio(&self, column: usize) -> f64 {
        let mean = |entry: &ColumnEntry| entry.mean().filter(|_| entry.is_whole()).map_or(f64::NAN, |mean| mean.mean);
        mean(&self.entries[column]) / mean(&self.entries[0])
    }

    /// The cell of a summary.
    pub fn marked(&self, column: usize) -> String {
        let mark = match self.rank(column) {
            ColumnRank::Best => " (best)",
            ColumnRank::AsGood => " (as good)",
            ColumnRank::Behind => "",
        };
        self.entries[column].text(self.load.measured) + mark
    }

    /// Every figure, for `--json`.
    pub fn data(&self, columns: &[&str]) -> Value {
        let unit = match self.load.measured {
            Measured::End => 1e6,
            Measured::Slowdown => 1.0,
        };
        let entry = |(column, entry): (usize, &ColumnEntry)| {
            let (bound, known) = (entry.bound(), entry.bound() != Some(RatioBound::Unknown));
            // A mean of the runs that ended would be that of the fast ones.
            let mean = entry.mean().filter(|_| bound.is_none());
            json!({
                "column": columns[column],
                "mean": mean.map(|mean| mean.mean / unit),
                "half_interval": mean.and_then(|mean| mean.half).map(|half| half / unit),
                "runs_not_ended": entry.results().iter().filter(|result| result.is_none()).count(),
                "bound": bound.filter(|_| known).map(|_| entry.least_mean() / unit),
                "bound_is": bound,
                "is_best": self.rank(column) == ColumnRank::Best,
                "is_as_good": self.rank(column) == ColumnRank::AsGood,
                "runs": entry.readings().map(RunReading::data).collect::<Vec<_>>(),
            })
        };
        json!({
            "network": self.network,
            "load": self.load.name,
            "about": self.load.about,
            "measured": if self.load.measured == Measured::End { "time_us" } else { "slowdown" },
            "columns": self.entries.iter().enumerate().map(entry).collect::<Vec<_>>(),
            "why": why(self, columns),
            "scenario": self.scenario,
        })
    }
}

/// What the columns are, and how to read the tables.
pub fn legend(plan: &Comparison, seeds: &[u64]) -> Vec<StudySection> {
    let seeds: Vec<String> = seeds.iter().map(u64::to_string).collect();
    let reading = format!(
        "A cell is the mean over seeds {} with half of its 95 % interval (Student's t). The smallest mean of a row whose runs \
         all ended is the best; a column is as good if the interval of its difference from the best, seed by seed, contains 0. \
         Slowdowns are times beside an aggressor over times alone.",
        seeds.join(", ")
    );
    let row = |column: &super::Column| text::row([column.name.to_owned(), column.about.to_owned(), column.keys_text()]);
    vec![
        StudySection::Heading("Columns".to_owned()),
        text::table(&["column", "what it is", "keys"], plan.columns.iter().map(row).collect()),
        StudySection::Text(reading),
    ]
    .into_iter()
    .chain(left_out(plan))
    .collect()
}

/// What is not run.
fn left_out(plan: &Comparison) -> Option<StudySection> {
    let text = format!(
        "Not run: {}. `--only networks,loads` runs all of them; with the names of some instead, those.",
        plan.left_out.join("; ")
    );
    (!plan.left_out.is_empty()).then_some(StudySection::Text(text))
}

/// The part of the report about one network.
pub fn sections(plan: &Comparison, network: &Network, answers: &[LoadAnswer]) -> Vec<StudySection> {
    let names: Vec<&str> = plan.columns.iter().map(|column| column.name).collect();
    let answers: Vec<&LoadAnswer> = answers.iter().filter(|answer| answer.network == network.name).collect();
    let mut sections = vec![
        StudySection::Heading(network.name.to_owned()),
        StudySection::Text(format!("{}.", network.about)),
        summary(&names, &answers),
        StudySection::HeatMap(map(network, &names, &answers)),
        StudySection::Bars(bars(network, &names, &answers)),
        overheads(&names, &answers),
    ];
    for answer in answers {
        sections.push(StudySection::Heading(format!("{}: {}", network.name, answer.load.name)));
        sections.push(StudySection::Text(format!("{}.", answer.load.about)));
        sections.push(details(&names, answer));
        sections.push(StudySection::Text(why(answer, &names)));
    }
    sections
}

fn summary(names: &[&str], answers: &[&LoadAnswer]) -> StudySection {
    let row = |answer: &&LoadAnswer| {
        let cells = (0..names.len()).map(|column| answer.marked(column));
        text::row(std::iter::once(answer.load.name.clone()).chain(cells))
    };
    text::table(&[&["load"], names].concat(), answers.iter().map(row).collect())
}

fn map(network: &Network, names: &[&str], answers: &[&LoadAnswer]) -> HeatMap {
    HeatMap {
        title: format!("{}: time over that of {}", network.name, names[0]),
        row_name: "load".to_owned(),
        column_name: "column".to_owned(),
        rows: answers.iter().map(|answer| answer.load.name.clone()).collect(),
        columns: names.iter().map(|&name| name.to_owned()).collect(),
        values: answers.iter().map(|answer| (0..names.len()).map(|column| answer.ratio(column)).collect()).collect(),
        value_name: format!("over {}", names[0]),
        log: true,
        ..HeatMap::default()
    }
}

fn bars(network: &Network, names: &[&str], answers: &[&LoadAnswer]) -> BarChart {
    let group = |answer: &&LoadAnswer| BarGroup {
        label: answer.load.name.clone(),
        values: (0..names.len()).map(|column| Some(answer.ratio(column)).filter(|ratio| ratio.is_finite())).collect(),
        reference: None,
    };
    BarChart {
        title: format!("{}: time over that of {}", network.name, names[0]),
        axis: ChartAxis::linear(format!("over {}", names[0]), Unit::Number),
        series: names.iter().map(|&name| name.to_owned()).collect(),
        groups: answers.iter().map(group).collect(),
        reference_name: String::new(),
    }
}

/// Bytes on the wire for each byte of payload, and the largest memory of the model.
fn overheads(names: &[&str], answers: &[&LoadAnswer]) -> StudySection {
    let row = |column: usize| {
        let sum = |of: fn(&RunReading) -> u64| {
            answers.iter().flat_map(|answer| answer.entries[column].readings()).map(of).sum::<u64>()
        };
        let memory = answers.iter().flat_map(|answer| answer.entries[column].readings()).map(|run| run.memory_bytes);
        let (payload, sent) = (sum(|run| run.payload_bytes), sum(|run| run.sent_bytes));
        let of_payload = |part: u64| percent(part as f64 / payload as f64);
        let (answered, again) = (sum(|run| run.answer_bytes), sum(|run| run.again_bytes));
        text::row([
            names[column].to_owned(),
            count(payload),
            count(sent),
            of_payload(sent.saturating_sub(payload + answered + again)),
            format!("{} ({})", count(answered), of_payload(answered)),
            format!("{} ({})", count(again), of_payload(again)),
            count(sum(|run| run.trimmed)),
            count(sum(|run| run.discarded)),
            bytes(memory.max().unwrap_or(0) as f64),
        ])
    };
    let headers = [
        "all loads, all seeds",
        "payload (B)",
        "sent by NICs (B)",
        "headers, of payload",
        "acknowledgements and credits (B)",
        "sent again (B)",
        "packets trimmed",
        "packets lost",
        "model's memory, largest",
    ];
    text::table(&headers, (0..names.len()).map(row).collect())
}

fn details(names: &[&str], answer: &LoadAnswer) -> StudySection {
    let row = |column: usize| -> TableRow {
        let entry = &answer.entries[column];
        let reasons = entry.readings().find_map(|run| run.reasons.as_ref());
        let spent = |groups: &[TimeGroup]| {
            let sum = |reasons: &super::reading::Reasons| groups.iter().map(|group| reasons.of_group(*group)).sum();
            reasons.map_or_else(|| "–".to_owned(), |reasons| time_ps(sum(reasons)))
        };
        let share =
            |part: fn(&RunReading) -> u64| percent(entry.mean_of(|run| part(run) as f64 / run.payload_bytes as f64));
        text::row([
            names[column].to_owned(),
            answer.marked(column),
            Unit::Number.format(answer.ratio(column)),
            format!("{:.4}", entry.mean_of(RunReading::sent_per_payload)),
            share(|run| run.answer_bytes),
            share(|run| run.again_bytes),
            bytes(entry.mean_of(|run| run.memory_bytes as f64)),
            reasons.map_or_else(|| "–".to_owned(), |reasons| format!("{:.2}", reasons.switches)),
            spent(&[TimeGroup::Own]),
            spent(&[TimeGroup::OtherMessages]),
            spent(&[TimeGroup::Queues]),
            spent(&[TimeGroup::Buffers, TimeGroup::Shares]),
            spent(&[TimeGroup::Law]),
            spent(&[TimeGroup::Lost]),
        ])
    };
    let first = format!("over {}", names[0]);
    let headers = [
        "column",
        "result",
        &first,
        "sent per payload",
        "answers",
        "again",
        "memory",
        "switches",
        "own time",
        "other messages",
        "queues",
        "buffers, shares",
        "law",
        "lost",
    ];
    text::table(&headers, (0..names.len()).map(row).collect())
}
