//! Faults, and their cost.

use philae_units::counted;
use std::collections::BTreeMap;

use super::page::{paragraphs, table};
use crate::counter::CounterName;
use crate::fault::FaultRow;
use crate::format::{bytes, count, number, time_ps};
use crate::names::RowNames;
use crate::record::RunRecord;

/// Faults, failures and discards that are listed one by one.
const ROWS_SHOWN: usize = 40;
/// Minimum number of sampling intervals for the comparison of traffic before and after a fault.
const INTERVALS_LEAST: u32 = 10;

/// The section; empty if there were no faults and none were possible.
pub fn faults(record: &RunRecord) -> String {
    let totals = record.retry_totals;
    let links = ["hni_pcs_uncorrected_cw", "hni_llr_tx_ok_lossless_rpt"];
    let quiet = record.faults.is_empty()
        && links.iter().all(|name| of_counter(record, name) == 0)
        && record.discards.is_empty()
        && record.failures.is_empty()
        && record.packet_engine.is_empty()
        && totals == Default::default();
    if quiet {
        return String::new();
    }
    let mut html = String::from("<h2>Faults and losses</h2>");
    html += &paragraphs(&summary(record));
    html += &fault_table(record);
    html += &discard_table(record);
    html += &failure_table(record);
    html += &engine_table(record);
    html
}

fn summary(record: &RunRecord) -> String {
    let totals = record.retry_totals;
    let replayed: u64 = of_counter(record, "hni_llr_tx_ok_lossless_rpt");
    let failed = match record.failures.len() {
        0 => "No operation failed.".to_owned(),
        some => format!("{} failed.", counted(some, "operation")),
    };
    let trimmed = match of_counter(record, CounterName::Trimmed.as_str()) {
        0 => String::new(),
        some => format!(", {} trimmed", count(some)),
    };
    format!(
        "{} discarded{trimmed}; links replayed {}, NICs retransmitted {} ({} of them after a timeout). Targets refused {} that arrived before a lost one, and received {} a second time ({} recognised, {} written again to the same effect). {failed}",
        counted(record.packets_discarded, "packet"),
        counted(replayed, "frame"),
        counted(totals.retries, "packet"),
        count(totals.timeouts),
        counted(totals.out_of_sequence, "packet"),
        counted(totals.suppressed + totals.repeated, "packet"),
        count(totals.suppressed),
        count(totals.repeated),
    )
}

fn of_counter(record: &RunRecord, name: &str) -> u64 {
    let name = CounterName::named(name);
    record.counters.iter().filter(|row| Some(row.name) == name).map(|row| row.value).sum()
}

fn fault_table(record: &RunRecord) -> String {
    if record.faults.is_empty() {
        return String::new();
    }
    let rates = Rates::of(record);
    let row = |fault: &FaultRow| {
        let until = fault.ended.map_or_else(|| "the end".to_owned(), |end| time_ps(end.0 as f64));
        let felt =
            fault.felt_until.map_or_else(|| "—".to_owned(), |last| time_ps(last.saturating_sub(fault.began).0 as f64));
        let (before, after) = rates.around(fault);
        // Names and times are read as one word: they do not break.
        let whole = |text: &str| text.replace(' ', "\u{a0}");
        vec![
            fault.fault.to_string(),
            whole(&fault.kind),
            whole(&fault.element),
            whole(&time_ps(fault.began.0 as f64)),
            whole(&until),
            count(fault.packets_discarded),
            count(fault.frames_replayed),
            whole(&felt),
            whole(&format!("{before} → {after}")),
        ]
    };
    let rows: Vec<Vec<String>> = record.faults.iter().take(ROWS_SHOWN).map(row).collect();
    let more = match record.faults.len().saturating_sub(ROWS_SHOWN) {
        0 => String::new(),
        more => format!("<p class=\"muted\">{} more are in faults.parquet.</p>", count(more as u64)),
    };
    let heads = ["", "kind", "what", "from", "until", "discarded", "replayed", "effect", "delivered, Gb/s"];
    let legend = paragraphs(
        "Discarded counts packets; replayed counts frames that a link sent again; effect is the time until the last of them. Delivered is the mean rate after the beginning of the fault, and over an equal time before it.",
    );
    format!("<h3>What each fault cost</h3>{legend}{}{more}", table(&heads, &rows))
}

/// Delivered traffic by sampling interval.
struct Rates {
    interval_ps: u64,
    bytes: BTreeMap<u32, u64>,
    last: u32,
}

impl Rates {
    fn of(record: &RunRecord) -> Self {
        let mut bytes: BTreeMap<u32, u64> = BTreeMap::new();
        for sample in &record.class_samples {
            *bytes.entry(sample.interval).or_default() += sample.bytes.0;
        }
        // The last interval with traffic is cut by the end of the jobs.
        let last = bytes.keys().next_back().copied().unwrap_or(0).saturating_sub(1);
        Self { interval_ps: record.sample_interval.0, bytes, last }
    }

    fn gbps(&self, interval: u32) -> f64 {
        let bytes = self.bytes.get(&interval).copied().unwrap_or(0);
        bytes as f64 * 8_000.0 / self.interval_ps as f64
    }

    /// Mean rate over as many intervals before a fault as its effect lasts, and from its beginning
    /// on.
    fn around(&self, fault: &FaultRow) -> (String, String) {
        let none = || "—".to_owned();
        if self.interval_ps == 0 || self.bytes.is_empty() {
            return (none(), none());
        }
        let at = |time: u64| u32::try_from(time / self.interval_ps).unwrap_or(u32::MAX);
        let first = at(fault.began.0);
        let felt = fault.felt_until.or(fault.ended).unwrap_or(fault.began).max(fault.began);
        let span = (at(felt.0).saturating_sub(first) + 1).max(INTERVALS_LEAST);
        let mean = |from: u32, to: u32| {
            let to = to.min(self.last.saturating_add(1));
            if to <= from {
                return none();
            }
            let sum: f64 = (from..to).map(|interval| self.gbps(interval)).sum();
            number((sum / f64::from(to - from)).round())
        };
        (mean(first.saturating_sub(span), first), mean(first, first.saturating_add(span)))
    }
}

fn discard_table(record: &RunRecord) -> String {
    let mut by_cause: BTreeMap<&str, (u64, u64, u64)> = BTreeMap::new();
    for row in &record.discards {
        let sum = by_cause.entry(row.cause.name()).or_default();
        *sum = (sum.0 + row.packets, sum.1 + row.bytes.0, sum.2 + 1);
    }
    if by_cause.is_empty() {
        return String::new();
    }
    let row = |(cause, (packets, size, ports)): (&str, (u64, u64, u64))| {
        vec![cause.to_owned(), count(packets), bytes(size as f64), count(ports)]
    };
    let rows: Vec<Vec<String>> = by_cause.into_iter().map(row).collect();
    format!("<h3>Discards by cause</h3>{}", table(&["cause", "packets", "bytes", "at ports"], &rows))
}

fn engine_table(record: &RunRecord) -> String {
    let rows: Vec<Vec<String>> = record
        .packet_engine
        .iter()
        .filter(|row| row.packets > 0)
        .map(|row| {
            vec![row.what.to_owned(), row.stage.clone(), row.table.clone(), row.name.clone(), count(row.packets)]
        })
        .collect();
    if rows.is_empty() {
        return String::new();
    }
    format!("<h3>Packet engine</h3>{}", table(&["what", "stage", "table", "name", "packets"], &rows))
}

fn failure_table(record: &RunRecord) -> String {
    if record.failures.is_empty() {
        return String::new();
    }
    let names = RowNames::new(record);
    let row = |failure: &crate::fault::FailureRow| {
        vec![
            names.job(failure.job).unwrap_or("?").to_owned(),
            failure.source.to_string(),
            failure.destination.to_string(),
            bytes(failure.bytes.0 as f64),
            time_ps(failure.issued.0 as f64),
            time_ps(failure.failed.0 as f64),
        ]
    };
    let rows: Vec<Vec<String>> = record.failures.iter().take(ROWS_SHOWN).map(row).collect();
    format!(
        "<h3>Operations that failed</h3>{}",
        table(&["job", "from rank", "to rank", "bytes", "issued", "given up"], &rows)
    )
}
