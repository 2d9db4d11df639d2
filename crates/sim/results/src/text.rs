//! The same figures for terminals: aligned tables, heat maps with their values, sparklines.

use philae_units::counted;
use std::fmt::Write as _;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::chart::HeatMap;
use crate::format::{bytes, count, percent, time_ps};
use crate::summary::{RunSummary, cut_iterations, cut_messages, delivered_text};

/// Colours of the 256-colour palette from low to high, each with a readable ink.
const RAMP: [(u8, u8); 9] =
    [(17, 15), (18, 15), (24, 15), (30, 15), (36, 16), (71, 16), (107, 16), (185, 16), (227, 16)];
/// Characters in the width of a usual terminal, generously.
const TERMINAL: usize = 110;
/// Steps of a sparkline.
const SPARKS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

/// Text in bold, if colour is wanted.
#[must_use]
pub fn bold(text: &str, colour: bool) -> String {
    if colour { format!("\x1b[1m{text}\x1b[0m") } else { text.to_owned() }
}

/// Whether every filled cell of a column reads as a figure (with or without a unit), so that it is
/// aligned right.
#[must_use]
pub fn is_numeric_column(rows: &[Vec<String>], column: usize) -> bool {
    let mut cells = rows.iter().filter_map(|row| row.get(column)).filter(|cell| !cell.is_empty()).peekable();
    cells.peek().is_some() && cells.all(|cell| is_figure(cell))
}

fn is_figure(cell: &str) -> bool {
    let (figure, unit) = cell.split_once(' ').unwrap_or((cell, ""));
    let plain = figure.replace(',', "");
    let figure = plain.trim_start_matches(['±', '≤', '≥', '~', '+']).trim_end_matches(['%', '×']);
    (figure.parse::<f64>().is_ok() || figure == "∞" || figure == "–")
        && unit.chars().count() <= 5
        && !unit.contains(|letter: char| letter.is_ascii_digit())
}

/// Characters of a line of the terminal; 0 if standard output is none.
static LINE_LETTERS: AtomicUsize = AtomicUsize::new(0);

/// Tells [`table`] the width of the terminal: wider tables become several below each other.
pub fn fit_terminal(letters: usize) {
    LINE_LETTERS.store(letters, Ordering::Relaxed);
}

/// A table: columns two spaces apart, figures aligned right, a rule of dashes under the headers.
///
/// Missing cells are empty. With `colour`, headers are bold and the words pass, gap and not-run
/// coloured. A table that is wider than the terminal becomes several, each with the first column.
#[must_use]
pub fn table(headers: &[&str], rows: &[Vec<String>], colour: bool) -> String {
    table_of(1, headers, rows, colour)
}

/// The same for a table whose rows are named by the first `names` columns.
#[must_use]
pub fn table_of(names: usize, headers: &[&str], rows: &[Vec<String>], colour: bool) -> String {
    match LINE_LETTERS.load(Ordering::Relaxed) {
        0 => whole_table(headers, rows, colour),
        letters => table_within((names, letters), headers, rows, colour),
    }
}

/// A table in lines of at most so many characters, if its columns allow it: one table, or several
/// that repeat the columns which name a row.
fn table_within((names, letters): (usize, usize), headers: &[&str], rows: &[Vec<String>], colour: bool) -> String {
    let width = |column: usize| {
        let cells = rows.iter().filter_map(|row| row.get(column)).map(String::as_str);
        cells.chain([headers[column]]).map(|cell| cell.chars().count()).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..headers.len()).map(width).collect();
    let line = |columns: &[usize]| columns.iter().map(|&column| widths[column] + 2).sum::<usize>().saturating_sub(2);
    let all: Vec<usize> = (0..headers.len()).collect();
    let names = &all[..names.min(all.len())];
    if line(&all) <= letters || names.len() == all.len() {
        return whole_table(headers, rows, colour);
    }
    let mut parts: Vec<Vec<usize>> = Vec::new();
    for &column in &all[names.len()..] {
        match parts.last_mut() {
            Some(part) if line(&[part.as_slice(), &[column]].concat()) <= letters => part.push(column),
            _ => parts.push([names, &[column]].concat()),
        }
    }
    let part = |columns: &Vec<usize>| {
        let headers: Vec<&str> = columns.iter().map(|&column| headers[column]).collect();
        let cell = |row: &Vec<String>, column: usize| row.get(column).cloned().unwrap_or_default();
        let of_part = |row: &Vec<String>| columns.iter().map(|&column| cell(row, column)).collect();
        whole_table(&headers, &rows.iter().map(of_part).collect::<Vec<_>>(), colour)
    };
    parts.iter().map(part).collect::<Vec<_>>().join("\n")
}

fn whole_table(headers: &[&str], rows: &[Vec<String>], colour: bool) -> String {
    let cell = |row: &[String], column: usize| row.get(column).cloned().unwrap_or_default();
    let letters = |text: &str| text.chars().count();
    let widths: Vec<usize> = (0..headers.len())
        .map(|column| {
            rows.iter().map(|row| letters(&cell(row, column))).chain([letters(headers[column])]).max().unwrap_or(0)
        })
        .collect();
    let numeric: Vec<bool> = (0..headers.len()).map(|column| is_numeric_column(rows, column)).collect();
    let padded = |text: &str, column: usize| {
        let space = " ".repeat(widths[column] - letters(text));
        if numeric[column] { format!("{space}{text}") } else { format!("{text}{space}") }
    };
    let mut out = String::new();
    let header: Vec<String> = headers.iter().enumerate().map(|(column, header)| padded(header, column)).collect();
    let _ = writeln!(out, "{}", bold(header.join("  ").trim_end(), colour));
    let rules: Vec<String> = widths.iter().map(|&width| "-".repeat(width)).collect();
    let _ = writeln!(out, "{}", rules.join("  "));
    for row in rows {
        let cells: Vec<String> = (0..headers.len())
            .map(|column| {
                let text = cell(row, column);
                let padded = padded(&text, column);
                if colour { painted(&padded, text.as_str()) } else { padded }
            })
            .collect();
        let _ = writeln!(out, "{}", cells.join("  ").trim_end());
    }
    out
}

/// A column of [`RowPrinter`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextColumn {
    name: String,
    width: usize,
    is_figure: bool,
}

impl TextColumn {
    /// Words, aligned left, usually of at most this many characters.
    #[must_use]
    pub fn words(name: &str, width: usize) -> Self {
        Self { name: name.to_owned(), width: width.max(name.chars().count()), is_figure: false }
    }

    /// Figures, aligned right, usually of at most this many characters.
    #[must_use]
    pub fn figures(name: &str, width: usize) -> Self {
        Self { is_figure: true, ..Self::words(name, width) }
    }
}

/// A table like [`table`] whose rows are printed as they come: widths are chosen before. A wider
/// cell moves the rest of its own row.
#[derive(Clone, Debug)]
pub struct RowPrinter {
    columns: Vec<TextColumn>,
    colour: bool,
}

impl RowPrinter {
    /// A table of these columns.
    #[must_use]
    pub fn new(columns: Vec<TextColumn>, colour: bool) -> Self {
        Self { columns, colour }
    }

    /// Headers and the rule under them.
    #[must_use]
    pub fn head(&self) -> String {
        let names: Vec<String> = self.columns.iter().map(|column| column.name.clone()).collect();
        let rules: Vec<String> = self.columns.iter().map(|column| "-".repeat(column.width)).collect();
        format!("{}\n{}\n", bold(&self.line(&names, false), self.colour), rules.join("  "))
    }

    #[must_use]
    pub fn row(&self, cells: &[String]) -> String {
        self.line(cells, self.colour) + "\n"
    }

    fn line(&self, cells: &[String], colour: bool) -> String {
        let padded = |(column, text): (&TextColumn, &String)| {
            let space = " ".repeat(column.width.saturating_sub(text.chars().count()));
            let padded = if column.is_figure { format!("{space}{text}") } else { format!("{text}{space}") };
            if colour { painted(&padded, text) } else { padded }
        };
        let line: Vec<String> = self.columns.iter().zip(cells).map(padded).collect();
        line.join("  ").trim_end().to_owned()
    }
}

/// A verdict in its colour; other words unchanged.
fn painted(padded: &str, word: &str) -> String {
    let code = match word {
        "pass" => 32,
        "gap" => 33,
        "not-run" => 90,
        _ => return padded.to_owned(),
    };
    format!("\x1b[{code}m{padded}\x1b[0m")
}

/// A heat map as text: every value in its place; with `colour`, the background shows its size.
///
/// If the column labels would make it wider than a terminal, columns are numbered and the labels
/// follow below.
#[must_use]
pub fn heat_map(map: &HeatMap, colour: bool) -> String {
    let letters = |text: &str| text.chars().count();
    let figure =
        |row: usize, column: usize| map.value(row, column).map_or_else(|| "–".to_owned(), |value| map.unit.cell(value));
    let left = map.rows.iter().map(|label| letters(label)).chain([letters(&map.row_name)]).max().unwrap_or(0);
    let figures: Vec<usize> = (0..map.columns.len())
        .map(|column| (0..map.rows.len()).map(|row| letters(&figure(row, column))).max().unwrap_or(0))
        .collect();
    let width = |heads: &[String]| -> Vec<usize> {
        heads.iter().zip(&figures).map(|(head, &figure)| letters(head).max(figure)).collect()
    };
    let numbered = left + width(&map.columns).iter().map(|width| width + 2).sum::<usize>() > TERMINAL;
    let heads: Vec<String> = if numbered {
        (1..=map.columns.len()).map(|number| format!("[{number}]")).collect()
    } else {
        map.columns.clone()
    };
    let widths = width(&heads);
    let mut out = String::new();
    if !map.title.is_empty() {
        let _ = writeln!(out, "{}", bold(&map.title, colour));
    }
    let _ = write!(out, "{:left$}", map.row_name);
    for (head, width) in heads.iter().zip(&widths) {
        let _ = write!(out, "  {head:>width$}");
    }
    out.push('\n');
    let range = map.colour_range();
    for (row, label) in map.rows.iter().enumerate() {
        let _ = write!(out, "{label:left$}");
        for (column, &width) in widths.iter().enumerate() {
            let text = format!(" {:>width$}", figure(row, column));
            match map.value(row, column).filter(|_| colour) {
                Some(value) => {
                    let step = (map.position(value, range) * (RAMP.len() - 1) as f64).round() as usize;
                    let (ground, ink) = RAMP[step];
                    let _ = write!(out, " \x1b[48;5;{ground};38;5;{ink}m{text}\x1b[0m");
                }
                None => {
                    let _ = write!(out, " {text}");
                }
            }
        }
        out.push('\n');
    }
    for (head, label) in heads.iter().zip(&map.columns).filter(|_| numbered) {
        let _ = writeln!(out, "{head:>5} {label}");
    }
    out
}

/// Values as a line of small bars, joined to at most `width` of them (the largest of each); the
/// highest is a full bar.
#[must_use]
pub fn sparkline(values: &[f64], width: usize) -> String {
    let per_bar = values.len().div_ceil(width.max(1)).max(1);
    let bars: Vec<f64> = values.chunks(per_bar).map(|chunk| chunk.iter().copied().fold(0.0, f64::max)).collect();
    let highest = bars.iter().copied().fold(0.0, f64::max);
    let spark = |value: f64| {
        let step = if highest > 0.0 { (value / highest * (SPARKS.len() - 1) as f64).round() as usize } else { 0 };
        SPARKS[step.min(SPARKS.len() - 1)]
    };
    bars.into_iter().map(spark).collect()
}

/// The headers of jobs on the console, and of a comparison.
pub(crate) const JOB_HEADERS: [&str; 11] =
    ["job", "nodes", "messages", "mean", "p50", "p95", "p99", "max", "iteration", "ended", "delivered Gb/s"];
/// The same for links.
pub(crate) const LINK_HEADERS: [&str; 6] = ["links", "ports", "mean", "busiest port", "busiest interval", "over time"];

/// The note about jobs that delivered packets but have no flows, because no message arrived in
/// full.
pub(crate) fn without_flows(summary: &RunSummary) -> Option<String> {
    let has_none = |job: &&crate::summary::JobSummary| job.delivered_bytes > 0 && job.flow_fairness.is_none();
    let names: Vec<&str> = summary.jobs.iter().filter(has_none).map(|job| job.name.as_str()).collect();
    (!names.is_empty()).then(|| {
        format!("flows count only complete messages: {} received bytes, but no complete message", names.join(", "))
    })
}

/// Messages that were delivered, and of how many if some were not.
pub(crate) fn messages_text(issued: u64, undelivered: u64) -> String {
    let delivered = count(issued.saturating_sub(undelivered));
    if undelivered == 0 { delivered } else { format!("{delivered} of {}", count(issued)) }
}

/// What the applications of each job have received, in a run that stopped early.
fn received(summary: &RunSummary) -> Vec<String> {
    let stopped = summary.status != crate::record::RunStatus::Completed;
    let line = |job: &crate::summary::JobSummary| {
        let (messages, payload) = (job.received_messages?, job.received_bytes?);
        let of_warm_up = if messages > job.messages_issued { ", some of them issued in the warm-up" } else { "" };
        Some(format!(
            "{}: applications received {} ({}){of_warm_up}; {} reached their NICs",
            job.name,
            counted(messages, "message"),
            bytes(payload as f64),
            bytes(job.delivered_bytes as f64)
        ))
    };
    summary.jobs.iter().filter(|_| stopped).filter_map(line).collect()
}

/// The beginning of the summary: how the run ended, and its jobs.
#[must_use]
pub fn brief(summary: &RunSummary, colour: bool) -> String {
    let mut out = String::new();
    let (status, time) = (bold(summary.status.as_str(), colour), time_ps(summary.simulated_ps as f64));
    let _ = match summary.rates {
        Some(rates) => writeln!(
            out,
            "{status}: {time} simulated, {} of {} arrived ({} with headers), at most {} in flight, rates recomputed {}",
            count(rates.messages_arrived),
            counted(rates.messages, "message"),
            bytes(rates.wire_bytes as f64),
            count(rates.flows_max),
            counted(rates.settled, "time")
        ),
        None => writeln!(
            out,
            "{status}: {time} simulated, {} delivered, {}, digest {}",
            counted(summary.packets_delivered, "packet"),
            counted(summary.packet_hops, "packet hop"),
            summary.digest
        ),
    };
    if !summary.jobs.is_empty() {
        let row = |job: &crate::summary::JobSummary| {
            let [mean, p50, p95, p99, max] = job.latency_texts();
            vec![
                job.name.clone(),
                count(job.nodes.into()),
                messages_text(job.messages_issued, job.messages_undelivered),
                mean,
                p50,
                p95,
                p99,
                max,
                job.iterations.map_or_else(|| "–".to_owned(), |iterations| iterations.duration()),
                job.iterations.map_or_else(|| "–".to_owned(), |iterations| iterations.ended()),
                delivered_text(job.delivered_gbps, job.offered_gbps),
            ]
        };
        let _ = write!(out, "\n{}", table(&JOB_HEADERS, &summary.jobs.iter().map(row).collect::<Vec<_>>(), colour));
        let cut = cut_iterations(summary).into_iter().chain(cut_messages(summary));
        for line in cut.chain(received(summary)) {
            let _ = writeln!(out, "{line}");
        }
    }
    out
}

/// The summary of a run for a terminal.
#[must_use]
pub fn summary(summary: &RunSummary, colour: bool) -> String {
    let mut out = brief(summary, colour);
    if !summary.links.is_empty() {
        let row = |links: &crate::utilisation::RoleUse| {
            let (mean, port, max) = (percent(links.mean), percent(links.busiest_port), percent(links.max));
            vec![
                links.role.as_str().to_owned(),
                count(links.ports),
                mean,
                port,
                max,
                sparkline(&links.mean_over_time, 32),
            ]
        };
        let _ = write!(out, "\n{}", table(&LINK_HEADERS, &summary.links.iter().map(row).collect::<Vec<_>>(), colour));
    } else if summary.events > 0 {
        let _ = writeln!(out, "\nlinks: not sampled (measure.sample_interval is 0)");
    }
    if let Some(port) = summary.hottest_ports.first() {
        let mean = percent(port.mean);
        let queue = match summary.rates {
            Some(_) => String::new(),
            None => format!(", largest queue {}", bytes(port.queued_bytes_max as f64)),
        };
        let _ = writeln!(
            out,
            "\nbusiest port: group {} switch {} port {} to {}: {mean}{queue}",
            port.group, port.switch, port.port, port.peer
        );
    }
    if let Some(port) = summary.starved_ports.first().filter(|_| summary.rates.is_none()) {
        let _ = writeln!(
            out,
            "without credits at some time: {}, longest group {} switch {} port {} to {}: {} of the time",
            counted(summary.ports_starved, "port"),
            port.group,
            port.switch,
            port.port,
            port.peer,
            percent(port.stalled)
        );
    }
    if !summary.congestion.is_empty() {
        let events: Vec<String> =
            summary.congestion.iter().map(|(kind, times)| format!("{kind} {}", count(*times))).collect();
        let _ = writeln!(out, "congestion events: {}", events.join(", "));
    }
    if summary.faults + summary.packets_discarded + summary.packets_retried + summary.operations_failed > 0 {
        let causes: Vec<String> =
            summary.discards.iter().map(|(cause, packets)| format!("{cause} {}", count(*packets))).collect();
        let causes = if causes.is_empty() { String::new() } else { format!(" ({})", causes.join(", ")) };
        let trimmed = match summary.packets_trimmed {
            0 => String::new(),
            some => format!(", trimmed: {}", count(some)),
        };
        let _ = writeln!(
            out,
            "faults: {}; packets discarded: {}{causes}{trimmed}, sent again by NICs: {}; operations failed: {}",
            count(summary.faults),
            count(summary.packets_discarded),
            count(summary.packets_retried),
            count(summary.operations_failed)
        );
    }
    if summary.flows > 0 {
        // For one job each: jobs send different amounts, so an index of all flows would have no
        // meaning.
        let of_jobs = summary.jobs.iter().filter_map(|job| Some(format!("{} {:.3}", job.name, job.flow_fairness?)));
        let of_jobs = of_jobs.collect::<Vec<_>>().join(", ");
        let said = if of_jobs.is_empty() { of_jobs } else { format!(", Jain's index of their rates: {of_jobs}") };
        let _ = writeln!(out, "flows: {}{said}", count(summary.flows));
        let _ = write!(out, "{}", without_flows(summary).map_or_else(String::new, |said| said + "\n"));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::synthetic;

    #[test]
    fn columns_align_and_figures_stand_right() {
        let rows = vec![vec!["a".to_owned(), "1.5 µs".to_owned()], vec!["longer".to_owned(), "12 µs".to_owned()]];
        assert_eq!(
            table(&["name", "time"], &rows, false),
            "name      time\n------  ------\na       1.5 µs\nlonger   12 µs\n"
        );
    }

    #[test]
    fn rows_that_come_one_by_one_stand_under_their_headers() {
        let rows = RowPrinter::new(vec![TextColumn::figures("bytes", 7), TextColumn::words("provider", 4)], false);
        assert_eq!(rows.head(), "  bytes  provider\n-------  --------\n");
        assert_eq!(rows.row(&["8".to_owned(), "shm".to_owned()]), "      8  shm\n");
        assert_eq!(rows.row(&["123456789".to_owned(), "shm".to_owned()]), "123456789  shm\n", "nothing is cut off");
    }

    #[test]
    fn words_are_not_figures() {
        for figure in ["1", "-2.5", "12,345", "3.1 %", "2 µs", "128 KiB", "±5", "1.3×"] {
            assert!(is_figure(figure), "{figure}");
        }
        for word in ["", "pass", "3 of 4", "endpoint 3", "1 iteration of many"] {
            assert!(!is_figure(word), "{word}");
        }
    }

    #[test]
    fn colour_is_only_used_when_wanted() {
        let map = HeatMap {
            rows: vec!["r".to_owned()],
            columns: vec!["c".to_owned(), "d".to_owned()],
            values: vec![vec![1.0, f64::NAN]],
            log: true,
            ..HeatMap::default()
        };
        assert!(!heat_map(&map, false).contains('\x1b'));
        assert!(heat_map(&map, true).contains("\x1b[48;5;"));
        assert!(heat_map(&map, false).contains('–'));
        let run = RunSummary::of(&synthetic::record(1, 10));
        assert!(!summary(&run, false).contains('\x1b'));
    }

    #[test]
    fn sparklines_keep_peaks() {
        assert_eq!(sparkline(&[0.0, 1.0, 0.5], 10), "▁█▅");
        assert_eq!(sparkline(&[0.0, 1.0, 0.0, 0.0], 2), "█▁");
        assert_eq!(sparkline(&[], 5), "");
    }

    #[test]
    fn a_table_that_is_too_wide_becomes_several_with_the_names_of_rows() {
        let rows = [["incast", "slingshot", "12.5", "13 µs", "7"], ["all", "none", "1.5", "1 µs", "70"]];
        let rows: Vec<Vec<String>> = rows.iter().map(|row| row.map(str::to_owned).to_vec()).collect();
        let headers = ["job", "law", "first", "second", "third"];
        let whole = whole_table(&headers, &rows, false);
        assert_eq!(table_within((2, 80), &headers, &rows, false), whole, "it fits");
        let parts = table_within((2, 32), &headers, &rows, false);
        assert!(parts.lines().all(|line| line.chars().count() <= 32), "{parts}");
        assert_eq!(parts.matches("slingshot").count(), 2, "{parts}");
        assert!(headers.iter().all(|header| parts.contains(header)), "{parts}");
        assert_eq!(
            table_within((2, 8), &headers[..2], &rows, false),
            whole_table(&headers[..2], &rows, false),
            "names alone"
        );
    }
}
