//! The ranges of docs/simulate/keys.md are those that a run accepts, for Ultra Ethernet's keys.

use std::ops::ControlFlow;

use philae_scenario::{Scenario, keys_markdown};

const SYSTEM: &str = "[system]\nname = 'mixed'\n[system.dragonfly]\nlinks_per_pair = 1\n\
    groups = [{ name = 'c', count = 2, switches = 2, endpoints_per_switch = 2 }]\n";
const ENDPOINTS: &str =
    "[[system.ethernet]]\nendpoint = 0\nrate_gbps = 200\n[[system.ethernet]]\nendpoint = 4\nrate_gbps = 200\n";
const JOB: &str = "[[job]]\nname = 'a'\nnodes = [0, 4]\nworkload = { kind = 'permutation', bytes = '64KiB' }\n\
    [run]\ntime_limit = '30us'\n";
const TRIMMING: &str =
    "[{ name = 'data', lossy = true, trimming = true, responses = 'control' }, { name = 'control' }]";

/// A key of a table with the ranges that the page shows, for the preset or law of a column.
struct Row {
    key: String,
    ranges: Vec<(i64, i64)>,
    meaning: String,
}

/// The rows with whole numbers of a table, where `column` has a value.
fn rows(page: &str, table: &str, column: &str) -> Vec<Row> {
    let section = page.split(&format!("\n## {table}\n")).nth(1).unwrap_or_else(|| panic!("{table}"));
    let mut lines = section.lines().skip_while(|line| !line.starts_with("| key")).map(|line| {
        let cells: Vec<&str> = line.trim_matches('|').split(" | ").map(str::trim).collect();
        cells
    });
    let head = lines.next().expect("a head");
    let place = head.iter().position(|cell| *cell == column).unwrap_or_else(|| panic!("{column} in {head:?}"));
    let number = |text: &str| text.parse::<i64>().ok();
    let range = |part: &str| match part.strip_prefix("whole number from ").and_then(|part| part.split_once(" to ")) {
        Some((least, most)) => Some((number(least)?, number(most)?)),
        None => number(part).map(|only| (only, only)),
    };
    let row = |cells: Vec<&str>| {
        let shown = cells[place] != "–";
        let ranges: Vec<(i64, i64)> = cells[head.len() - 2].split("; or ").filter_map(range).collect();
        let row = Row {
            key: cells[0].trim_matches(['`', ' ']).to_owned(),
            ranges,
            meaning: cells[head.len() - 1..].join(" "),
        };
        (shown && !row.ranges.is_empty()).then_some(row)
    };
    lines.skip(1).take_while(|cells| cells.len() >= head.len()).filter_map(row).collect()
}

/// What a key needs beside it to have an effect, or a value that agrees with it.
fn beside(key: &str) -> Vec<(&'static str, &'static str)> {
    match key {
        "mark_min_percent" => vec![("mark_max_percent", "1000000")],
        "mark_max_percent" => vec![("mark_min_percent", "0")],
        "receive_queues" | "receive_packet_ns" => vec![("transport", "tcp")],
        "checksum_ps_per_byte" => vec![("transport", "tcp"), ("checksum_offload", "false")],
        _ => Vec::new(),
    }
}

/// Runs for some microseconds.
fn runs(text: &str, table: &str, key: &str, value: i64) -> Result<(), String> {
    let mut set = vec![(format!("{table}.{key}"), value.to_string())];
    set.extend(beside(key).into_iter().map(|(other, value)| (format!("{table}.{other}"), value.to_owned())));
    if key == "trimmed_bytes" {
        set.push(("class".to_owned(), TRIMMING.to_owned()));
    }
    let scenario = Scenario::parse_with(text, "the text", &set).map_err(|error| error.to_string())?;
    let resolved = scenario.resolve().map_err(|error| error.to_string())?;
    let simulation = resolved.simulation().map_err(|error| error.to_string())?;
    simulation.run(&mut |_| ControlFlow::Continue(())).map_err(|error| error.to_string())?;
    Ok(())
}

/// Every end of a range works, and what is one beyond it is refused, with the key's name.
#[test]
fn the_ranges_of_the_page_are_those_that_a_run_accepts() {
    let page = keys_markdown();
    let uet = "[hardware.ethernet]\ntransport = 'uet'\n";
    let tables = [
        ("hardware.uet", "uec", format!("{SYSTEM}{JOB}[congestion]\nlaw = 'nscc'\n")),
        ("congestion", "nscc", format!("{SYSTEM}{JOB}[congestion]\nlaw = 'nscc'\n")),
        ("congestion", "rccc", format!("{SYSTEM}{JOB}[congestion]\nlaw = 'rccc'\n")),
        ("hardware.uet_law", "nscc", format!("{SYSTEM}{ENDPOINTS}{JOB}{uet}[hardware.uet_law]\nlaw = 'nscc'\n")),
        ("hardware.uet_law", "rccc", format!("{SYSTEM}{ENDPOINTS}{JOB}{uet}[hardware.uet_law]\nlaw = 'rccc'\n")),
        ("hardware.ethernet", "ethernet", format!("{SYSTEM}{ENDPOINTS}{JOB}{uet}")),
    ];
    let (mut wrong, mut tried) = (Vec::new(), 0);
    for (table, column, text) in tables {
        for Row { key, mut ranges, meaning } in rows(&page, table, column) {
            if (key.as_str(), column) == ("credit_packets", "rccc") {
                assert!(meaning.contains("\"rccc\" needs at least 1"), "{meaning}");
                ranges = ranges.into_iter().map(|(least, most)| (least.max(1), most)).collect();
            }
            for &(least, most) in &ranges {
                for value in [least, most] {
                    if let Err(error) = runs(&text, table, &key, value) {
                        wrong.push(format!("{table}.{key} = {value} under {column}: {error}"));
                    }
                }
                for value in [least - 1, most + 1] {
                    match runs(&text, table, &key, value) {
                        Ok(()) => wrong.push(format!("{table}.{key} = {value} under {column} runs")),
                        Err(error) if !error.contains(&key) => wrong.push(format!("{key} = {value}: {error}")),
                        Err(_) => {}
                    }
                }
                tried += 1;
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(tried > 50, "only {tried} ranges were tried");
}
