//! Counters of ports and records of sampled packets, in the report of a run.

use philae_units::counted;
use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::page::table;
use crate::counter::{CounterName, CounterPlace, CounterRow, CounterUnit};
use crate::format::{Unit, bytes, count, percent, time_ps};
use crate::names::RowNames;
use crate::percentile::percentiles;
use crate::record::{LinkRole, RunRecord, TelemetryRow};

/// Packets in the table of the slowest ones.
const SLOWEST: usize = 8;

/// Counters: each with its sum and the place where it is largest.
pub(crate) fn counters(record: &RunRecord) -> String {
    let mut html = String::from("<h2>Counters</h2>");
    if record.counters.is_empty() {
        return html + "<p class=\"muted\">No counter of a port or NIC is above zero.</p>";
    }
    let names = RowNames::new(record);
    let mut by_name: BTreeMap<CounterName, (u64, u64, &CounterRow)> = BTreeMap::new();
    for row in &record.counters {
        let entry = by_name.entry(row.name).or_insert((0, 0, row));
        entry.0 += row.value;
        entry.1 += 1;
        if row.value > entry.2.value {
            entry.2 = row;
        }
    }
    let row = |(name, (sum, places, top)): (&CounterName, &(u64, u64, &CounterRow))| {
        vec![
            name.as_str().to_owned(),
            name.about().to_owned(),
            value(*name, *sum),
            count(*places),
            value(*name, top.value),
            place(&names, top),
        ]
    };
    let rows: Vec<Vec<String>> = by_name.iter().map(row).collect();
    html += "<p>Counters of ports and NICs over the whole run, including the warm-up. All rows are in counters.parquet.</p>";
    html += &table(&["counter", "what", "sum", "rows", "largest", "at"], &rows);
    html
}

fn value(name: CounterName, value: u64) -> String {
    match name.unit() {
        CounterUnit::Packets | CounterUnit::Events => count(value),
        CounterUnit::Bytes => bytes(value as f64),
        CounterUnit::Picoseconds => time_ps(value as f64),
    }
}

fn place(names: &RowNames<'_>, row: &CounterRow) -> String {
    let mut text = match (row.place, names.port(row.port)) {
        (CounterPlace::Nic(endpoint), _) => format!("NIC of endpoint {endpoint}"),
        (CounterPlace::Port(_), Some(info)) => {
            format!("group {} switch {} port {}", info.group, info.switch, info.port)
        }
        (CounterPlace::Port(port), None) => format!("port {port}"),
    };
    if let Some(class) = row.class.and_then(|class| names.class(class)) {
        let _ = write!(text, ", {class}");
    }
    text
}

/// Queueing delay by role of the output, and the slowest packets switch by switch; empty if no
/// packet was sampled.
pub(crate) fn telemetry(record: &RunRecord) -> String {
    if record.telemetry_packets == 0 {
        return String::new();
    }
    let names = RowNames::new(record);
    let packets: Vec<&[TelemetryRow]> = packets(&record.telemetry);
    let mut html = String::from("<h2>Sampled packets</h2>");
    let _ = write!(
        html,
        "<p>{} recorded their waits and queues in each switch; telemetry.parquet has the rows of {}.</p>",
        counted(record.telemetry_packets, "packet"),
        count(packets.len() as u64)
    );
    let role_of = |row: &TelemetryRow| names.port(row.output).map(|info| info.role);
    let mut rows = Vec::new();
    for role in LinkRole::ALL {
        let at_role: Vec<&TelemetryRow> = record.telemetry.iter().filter(|row| role_of(row) == Some(role)).collect();
        if let Some(cells) = delay_cells(&at_role, |row| row.departed.saturating_sub(row.requested).0) {
            let queue = at_role.iter().map(|row| row.queued_bytes).max().unwrap_or(0);
            let label = vec![format!("queue of {} outputs", role.as_str())];
            rows.push([label, cells, vec![bytes(f64::from(queue))]].concat());
        }
    }
    let first: Vec<&TelemetryRow> = record.telemetry.iter().filter(|row| row.hop == 0).collect();
    if let Some(cells) = delay_cells(&first, |row| row.requested.saturating_sub(row.arrived).0) {
        rows.push([vec!["held at the ingress".to_owned()], cells, vec!["–".to_owned()]].concat());
    }
    html += "<h3>Where packets waited</h3>";
    html += &table(&["where", "hops", "did not wait", "mean", "p50", "p99", "max", "largest queue seen"], &rows);
    html += &slowest(&names, packets);
    html
}

/// Rows of each packet: they are consecutive, in order of their hops.
fn packets(rows: &[TelemetryRow]) -> Vec<&[TelemetryRow]> {
    rows.chunk_by(|one, next| next.hop > one.hop && (one.source, one.number) == (next.source, next.number)).collect()
}

fn delay_cells(rows: &[&TelemetryRow], delay: fn(&TelemetryRow) -> u64) -> Option<Vec<String>> {
    if rows.is_empty() {
        return None;
    }
    let mut delays: Vec<u64> = rows.iter().map(|row| delay(row)).collect();
    let number = delays.len() as f64;
    let at_once = delays.iter().filter(|delay| **delay == 0).count() as f64 / number;
    let mean = delays.iter().sum::<u64>() as f64 / number;
    let of_delays = percentiles(&mut delays, &[50.0, 99.0, 100.0]);
    let mut cells = vec![count(delays.len() as u64), percent(at_once), Unit::Time.format(mean)];
    cells.extend(of_delays.into_iter().map(|delay| Unit::Time.format(delay as f64)));
    Some(cells)
}

fn slowest(names: &RowNames<'_>, mut packets: Vec<&[TelemetryRow]>) -> String {
    let latency = |hops: &[TelemetryRow]| hops[0].delivered.saturating_sub(hops[0].injected).0;
    packets.sort_by_key(|hops| std::cmp::Reverse(latency(hops)));
    packets.truncate(SLOWEST);
    let mut rows = Vec::new();
    for hops in packets {
        let first = &hops[0];
        let way = format!("{} to {}, packet {}", first.source, first.destination, count(first.number));
        for (index, row) in hops.iter().enumerate() {
            let (packet, total) = match index {
                0 => (way.clone(), time_ps(latency(hops) as f64)),
                _ => (String::new(), String::new()),
            };
            let (from, to) = (names.port(row.input), names.port(row.output));
            let at = to.map_or_else(String::new, |info| format!("group {} switch {}", info.group, info.switch));
            let through = match (from, to) {
                (Some(from), Some(to)) => format!("{} to {} ({})", from.port, to.port, to.role.as_str()),
                _ => String::new(),
            };
            let time = |ps: u64| time_ps(ps as f64);
            rows.push(vec![
                packet,
                total,
                at,
                through,
                time(row.requested.saturating_sub(row.arrived).0),
                bytes(f64::from(row.queued_bytes)),
                time(row.departed.saturating_sub(row.requested).0),
            ]);
        }
    }
    let columns = ["from and to", "latency", "switch", "ports", "held before", "queue met", "queued"];
    format!("<h3>The slowest of them, switch by switch</h3>{}", table(&columns, &rows))
}
