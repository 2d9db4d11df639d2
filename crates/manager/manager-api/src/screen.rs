//! The first screen for people: four words, what is wrong by cause, what is planned. In 80 columns.

use std::fmt::Write;

use serde_json::Value;

/// Columns of a terminal.
///
/// Source: the width that terminals have had since the VT100. Status: published.
pub const COLUMNS: usize = 80;

/// Alarms on the first screen.
const ALARMS: u64 = 10;
/// Nodes that are named below an alarm.
const NODES: usize = 6;

/// The column of causes.
const CAUSES: usize = 31;
/// The column of facts.
const FACTS: usize = 17;
/// The column of an alarm's text.
const TEXT: usize = 14;

fn text(value: &Value) -> String {
    value.as_str().unwrap_or("?").to_owned()
}

fn number(value: &Value) -> u64 {
    value.as_u64().unwrap_or(0)
}

fn strings(value: &Value) -> Vec<String> {
    value.as_array().into_iter().flatten().map(text).collect()
}

/// "1 link", "2 links".
#[must_use]
pub fn counted(count: u64, one: &str, more: &str) -> String {
    format!("{count} {one}{}", if count == 1 { "" } else { more })
}

/// A time, in the unit that people would use.
#[must_use]
pub fn duration(seconds: f64) -> String {
    match seconds {
        s if s < 1.0 => "less than 1 s".to_owned(),
        s if s < 120.0 => format!("{s:.0} s"),
        s if s < 7_200.0 => format!("{:.0} min", s / 60.0),
        s if s < 172_800.0 => format!("{:.0} h", s / 3_600.0),
        s => format!("{:.0} days", s / 86_400.0),
    }
}

/// Words in lines of at most 80 columns. The first line continues the present one, the others begin
/// at `column`. A word that is longer than a line stands alone.
#[must_use]
pub fn wrap(words: &str, column: usize) -> String {
    let mut out = String::new();
    let mut at = column;
    let words: Vec<&str> = words.split_whitespace().collect();
    // A number stays with its unit.
    let is_unit = |word: &str| ["s", "s,", "min", "h", "days"].contains(&word);
    let mut place = 0;
    while place < words.len() {
        let more = words.get(place + 1).filter(|next| is_unit(next)).copied();
        let word = more.map_or_else(|| words[place].to_owned(), |unit| format!("{} {unit}", words[place]));
        place += 1 + usize::from(more.is_some());
        let length = word.chars().count();
        if at > column && at + 1 + length > COLUMNS {
            let _ = write!(out, "\n{:column$}", "");
            at = column;
        }
        if at > column {
            out.push(' ');
            at += 1;
        }
        out.push_str(&word);
        at += length;
    }
    out
}

/// A line that begins with a title.
fn line(out: &mut String, title: &str, words: &str) {
    let _ = writeln!(out, "  {title:14} {}", wrap(words, FACTS));
}

fn painted(health: &str, colour: bool) -> String {
    match (colour, health) {
        (false, _) => format!("{health:12}"),
        (true, "HEALTHY") => format!("\x1b[32m{health:12}\x1b[0m"),
        (true, "CONVERGING") => format!("\x1b[33m{health:12}\x1b[0m"),
        (true, _) => format!("\x1b[31m{health:12}\x1b[0m"),
    }
}

/// The status as text for a terminal: whether the fabric is well, and if not, where, since when,
/// why, and what to do next.
///
/// `status` and `alarms` are the API's answers of these names.
#[must_use]
pub fn status(status: &Value, alarms: &Value, colour: bool) -> String {
    let mut out = String::new();
    let _ = writeln!(out, "Fabric {}", text(&status["system"]));
    for word in ["runtime", "configuration", "traffic", "security"] {
        let health = text(&status["health"][word]["word"]);
        let causes = strings(&status["health"][word]["causes"]).join("; ");
        let shown = format!("  {:14} {}  {}", title(word), painted(&health, colour), wrap(&causes, CAUSES));
        let _ = writeln!(out, "{}", shown.trim_end());
    }
    let pending = &status["pending"];
    if pending.is_object() {
        let left = pending["secondsLeft"].as_f64().unwrap_or(0.0);
        let words = format!(
            "revision {} by {} is taken back in {} unless:",
            pending["revision"],
            text(&pending["actor"]),
            duration(left)
        );
        line(&mut out, "Pending", &words);
        line(&mut out, "", "philae fabric confirm");
    }
    for planned in status["planned"].as_array().into_iter().flatten() {
        let since = planned["sinceSeconds"].as_f64().map_or(String::new(), |s| format!(", for {}", duration(s)));
        let below = [counts(planned), (!since.is_empty()).then_some(since)].into_iter().flatten().collect::<String>();
        line(&mut out, "Planned", &format!("{}{below}", text(&planned["detail"])));
    }
    facts(status, &mut out);
    versions(status, &mut out);
    out + &self::alarms(alarms, colour)
}

/// The first alarms, as text for a terminal. `alarms` is the API's answer.
#[must_use]
pub fn alarms(alarms: &Value, colour: bool) -> String {
    let mut out = String::new();
    let items = alarms["items"].as_array().map_or(&[][..], Vec::as_slice);
    if items.is_empty() {
        out.push_str("No alarms.\n");
        return out;
    }
    let total = alarms["total"].as_u64().unwrap_or(items.len() as u64);
    let head = counted(total, "alarm", "s");
    let _ = writeln!(out, "{head}{}", if total > ALARMS { format!(", the first {ALARMS}:") } else { ":".to_owned() });
    for item in items.iter().take(ALARMS as usize) {
        alarm(item, colour, &mut out);
    }
    out
}

/// ", with 18 links, 16 NICs"; `None` if there are none.
fn counts(item: &Value) -> Option<String> {
    let (links, nics) = (number(&item["links"]), number(&item["nics"]));
    let parts: Vec<String> = [(links, "link"), (nics, "NIC")]
        .into_iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, what)| counted(count, what, "s"))
        .collect();
    (!parts.is_empty()).then(|| format!(" ({})", parts.join(", ")))
}

fn facts(status: &Value, out: &mut String) {
    let switches = &status["switches"];
    let synced = number(&switches["byState"]["synced"]);
    line(out, "Switches", &format!("{synced} of {} fully synchronised", switches["total"]));
    for (name, key) in [("Edge ports", "edgePorts"), ("Fabric ports", "fabricPorts")] {
        let unknown = match number(&status[key]["unknown"]) {
            0 => String::new(),
            unknown => format!(", {unknown} of switches that do not answer"),
        };
        line(out, name, &format!("{} of {} up{unknown}", status[key]["up"], status[key]["total"]));
    }
    let (nics, links) = (&status["nics"], &status["links"]);
    let (off, planned) = (number(&nics["off"]), number(&nics["plannedOff"]));
    if off + planned > 0 {
        let planned = if planned > 0 { format!(", {planned} more on purpose") } else { String::new() };
        line(out, "NICs", &format!("{off} of {} off the fabric{planned}", nics["total"]));
    }
    let planned = match number(&links["planned"]) {
        0 => String::new(),
        planned => format!(", {planned} out of service on purpose"),
    };
    line(out, "Links", &format!("{} of {} carry traffic{planned}", links["carrying"], links["total"]));
    if let Some(slow) = status["slowLinks"]["summary"].as_str() {
        line(out, "Rates", slow);
    }
    let routes = &status["routes"];
    let words = match number(&routes["generation"]) {
        0 => "none yet".to_owned(),
        1 => "generation 1, the first tables".to_owned(),
        generation => format!(
            "generation {generation}: {} in {}, {} ms from the event to the last answer",
            match number(&routes["entries"]) {
                1 => "1 entry changed".to_owned(),
                entries => format!("{entries} entries changed"),
            },
            counted(number(&routes["switches"]), "switch", "es"),
            routes["convergedMs"]
        ),
    };
    line(out, "Routes", &words);
}

/// Firmware, if a version is desired or there are several; agents and managers, if their versions
/// differ.
fn versions(status: &Value, out: &mut String) {
    if let Some(summary) = status["firmware"]["summary"].as_str() {
        line(out, "Firmware", summary);
    }
    let versions = &status["versions"];
    if versions["mixed"] != true {
        return;
    }
    let agents = versions["agents"].as_array().into_iter().flatten();
    let agents = agents.map(|agent| format!("{} ({})", text(&agent["version"]), agent["switches"]));
    let standbys = versions["standbys"].as_array().into_iter().flatten();
    let standbys: Vec<String> =
        standbys.map(|standby| standby["version"].as_str().unwrap_or("unknown").to_owned()).collect();
    let standbys = if standbys.is_empty() { String::new() } else { format!("; standbys {}", standbys.join(", ")) };
    let agents = agents.collect::<Vec<_>>().join(", ");
    line(out, "Versions", &format!("mixed: manager {}{standbys}; agents {agents}", text(&versions["manager"])));
}

/// An alarm: its text, since when; below it what follows from it, and what to do next.
fn alarm(item: &Value, colour: bool, out: &mut String) {
    let since = item["sinceSeconds"].as_f64().map_or(String::new(), |s| format!(", for {}", duration(s)));
    let words = format!("{}{since}", text(&item["detail"]));
    let _ = writeln!(out, "  {}{}", painted(&text(&item["health"]), colour), wrap(&words, TEXT));
    let below = |out: &mut String, words: &str| {
        let _ = writeln!(out, "{:TEXT$}{}", "", wrap(words, TEXT));
    };
    let nodes = strings(&item["nodes"]);
    if item["kind"] == "switch" || item["kind"] == "switches-silent" {
        let (links, nics) = (number(&item["links"]), number(&item["nics"]));
        if links + nics > 0 {
            let named = match nodes.len() {
                0 => String::new(),
                _ => format!(" of {}", named(&nodes)),
            };
            let counts = [(links, "link"), (nics, "NIC")].into_iter().filter(|(count, _)| *count > 0);
            let counts: Vec<String> = counts.map(|(count, what)| counted(count, what, "s")).collect();
            below(out, &format!("with it: {}{named}", counts.join(", ")));
        }
    } else if !nodes.is_empty() {
        below(out, &format!("nodes: {}", named(&nodes)));
    }
    let links = strings(&item["linkNames"]);
    if number(&item["count"]) > 1 && !links.is_empty() {
        below(out, &format!("links: {}", named(&links)));
    }
    if let Some(next) = item["next"].as_str() {
        for (number, step) in next.split("; ").enumerate() {
            below(out, &format!("{}{step}", if number == 0 { "next: " } else { "or: " }));
        }
    }
}

fn named(names: &[String]) -> String {
    let more = if names.len() > NODES { ", ..." } else { "" };
    format!("{}{more}", names.iter().take(NODES).map(String::as_str).collect::<Vec<_>>().join(", "))
}

fn title(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_broken_at_words_and_keep_their_column() {
        let words = "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen";
        let wrapped = wrap(words, 17);
        for (number, line) in wrapped.lines().enumerate() {
            let column = if number == 0 { 17 } else { 0 };
            assert!(line.chars().count() + column <= COLUMNS, "{line}");
            assert!(number == 0 || line.starts_with(&" ".repeat(17)), "{line}");
        }
        assert_eq!(wrapped.split_whitespace().collect::<Vec<_>>(), words.split_whitespace().collect::<Vec<_>>());
    }

    #[test]
    fn times_are_said_as_people_say_them() {
        for (seconds, said) in [(0.2, "less than 1 s"), (12.4, "12 s"), (600.0, "10 min"), (90_000.0, "25 h")] {
            assert_eq!(duration(seconds), said);
        }
    }
}
