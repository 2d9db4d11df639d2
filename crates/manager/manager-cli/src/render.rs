//! Answers of the API as tables, YAML or JSON.

use std::fmt::Write;

use clap::ValueEnum;
use philae_manager_api::{COLUMNS, wrap};
use philae_results::text::{bold, table};
use serde_json::{Map, Value};

use philae_manager_api::Failure;

/// Format of the output.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum AnswerFormat {
    /// Columns that fit a terminal.
    #[default]
    Table,
    /// All columns.
    Wide,
    /// The API's own answer.
    Json,
    /// The same as YAML.
    Yaml,
}

/// Colour the output.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Colour {
    /// On a terminal, unless `NO_COLOR` is set.
    #[default]
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

impl Colour {
    /// Whether standard output gets colours.
    pub fn is_on(self) -> bool {
        use std::io::IsTerminal;
        match self {
            Self::Always => true,
            Self::Never => false,
            Self::Auto => {
                std::io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
            }
        }
    }
}

/// The form of the output.
#[derive(Clone, Copy, Debug)]
pub struct Style {
    /// The format.
    pub format: AnswerFormat,
    /// Whether it has colours.
    pub colour: bool,
}

impl Style {
    /// Whether the output is for a program.
    pub const fn is_data(self) -> bool {
        matches!(self.format, AnswerFormat::Json | AnswerFormat::Yaml)
    }

    /// Prints the result of an order: a document for programs, words for people.
    pub fn tell(self, done: &Value, words: &str) -> Result<(), Failure> {
        let text = if self.is_data() { answer("", done, self) } else { format!("{words}\n") };
        Ok(philae_console::print(&text)?)
    }
}

/// A column: its title, and the field of an item.
type Column = (&'static str, &'static str);

/// The column of labels, in lists that have some.
const LABEL: Column = ("label", "label");

/// Columns of the most used lists: those for every terminal, and additional ones of `wide`. Other
/// lists have their plain fields as columns.
fn columns(what: &str) -> Option<(&'static [Column], &'static [Column])> {
    const SWITCHES: &[Column] = &[
        ("switch", "name"),
        LABEL,
        ("group", "group"),
        ("number", "number"),
        ("state", "state"),
        ("for", "forSeconds"),
        ("cause", "cause"),
    ];
    const LINKS: &[Column] = &[
        ("one end", "ends.0|labels.0#portNumbers.0"),
        ("other end", "ends.1|labels.1#portNumbers.1"),
        ("role", "role"),
        ("Gb/s", "rateGbps"),
        ("carrying", "carrying"),
        ("for", "forSeconds"),
        ("lost", "flaps.losses"),
        ("cause", "cause"),
    ];
    const FIRMWARE: &[Column] = &[
        ("switch", "switch"),
        LABEL,
        ("group", "group"),
        ("firmware", "firmware"),
        ("wanted", "wanted"),
        ("state", "state"),
        ("cause", "cause"),
    ];
    const NICS: &[Column] = &[
        ("NIC", "name"),
        LABEL,
        ("port", "port|switchLabel#portNumber"),
        ("state", "state"),
        ("for", "forSeconds"),
        ("cause", "cause"),
    ];
    const SECTIONS: &[Column] = &[
        ("section", "section"),
        ("applied", "applied"),
        ("differ", "itemsThatDiffer"),
        ("failures", "failures"),
        ("for", "forSeconds"),
        ("next try", "nextTryInSeconds"),
        ("why", "why"),
    ];
    const PORTS: &[Column] = &[
        ("port", "name"),
        ("jack", "jack"),
        ("role", "role"),
        ("state", "state"),
        ("Gb/s", "rateGbps"),
        ("peer", "peer|peerLabel#peerNumber"),
        ("losses", "losses"),
    ];
    const ALARMS: &[Column] = &[("health", "health"), ("kind", "kind"), ("for", "sinceSeconds"), ("what", "detail")];
    const TRAFFIC: &[Column] = &[
        ("port", "name"),
        ("role", "role"),
        ("to", "peer"),
        ("Gb/s", "sentGbps"),
        ("% of link", "utilisationPercent"),
        ("bytes", "sentBytes"),
    ];
    const SETTINGS: &[Column] = &[("setting", "name"), ("value", "value"), ("least", "least"), ("most", "most")];
    let flaps: &[Column] = &[
        ("jack", "jacks.0"),
        ("other jack", "jacks.1"),
        ("score", "flaps.score"),
        ("last, ago", "flaps.lastSecondsAgo"),
        ("isolation", "flaps.isolation"),
    ];
    Some(match what {
        "switches" => (
            SWITCHES,
            &[("model", "model"), ("firmware", "firmware"), ("wanted", "firmwareWanted"), ("agent", "agent")],
        ),
        "links" | "flaps" => (LINKS, flaps),
        "ports" => (PORTS, &[("number", "number")]),
        "sections" => (SECTIONS, &[("items", "items")]),
        "firmware switches" => (FIRMWARE, &[("agent", "agent")]),
        "nics" => (NICS, &[("node", "node"), ("Gb/s", "rateGbps"), ("jack", "jack"), ("switch", "switch")]),
        "alarms" => (ALARMS, &[]),
        "traffic" => (TRAFFIC, &[("packets", "sentPackets"), ("clock, ns", "clockNs")]),
        "settings" => (SETTINGS, &[]),
        _ => return None,
    })
}

/// The value at a path such as `flaps.score` or `ends.0`.
fn at<'v>(value: &'v Value, place: &str) -> &'v Value {
    place.split('.').fold(value, |value, key| match key.parse::<usize>() {
        Ok(index) => &value[index],
        Err(_) => &value[key],
    })
}

/// A value as a cell. Fields whose names say so are seconds.
fn cell(value: &Value, place: &str) -> String {
    let is_time = ["Seconds", "SecondsAgo"].iter().any(|end| place.ends_with(end));
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        Value::Number(number) if is_time => duration(number.as_f64().unwrap_or(0.0)),
        Value::Number(number) if place.ends_with("rateGbps") => number.as_f64().unwrap_or(0.0).to_string(),
        Value::Number(number) if number.is_f64() => format!("{:.2}", number.as_f64().unwrap_or(0.0)),
        other => other.to_string(),
    }
}

/// The cell of a path such as `name|label`: a name, and its label in parentheses.
fn shown(item: &Value, place: &str) -> String {
    let (place, number) = place.split_once('#').map_or((place, None), |(place, number)| (place, Some(number)));
    let (place, label) = place.split_once('|').map_or((place, None), |(place, label)| (place, Some(label)));
    let text = cell(at(item, place), place);
    let label = label.and_then(|label| at(item, label).as_str());
    match (label, number.and_then(|number| at(item, number).as_u64())) {
        (Some(label), Some(number)) => format!("{text} (port {number} of {label})"),
        (None, Some(number)) => format!("{text} (port {number})"),
        // Only with a number is it that of the switch of a port.
        (Some(_), None) if number.is_some() && place == "port" => text,
        (Some(label), None) => format!("{text} ({label})"),
        (None, None) => text,
    }
}

/// A time, in the unit that people would use.
pub fn duration(seconds: f64) -> String {
    match seconds {
        s if s < 1.0 => format!("{:.1} ms", s * 1e3),
        s if s < 10.0 => format!("{s:.1} s"),
        s if s < 120.0 => format!("{s:.0} s"),
        s if s < 7_200.0 => format!("{:.0} min", s / 60.0),
        s if s < 172_800.0 => format!("{:.0} h", s / 3_600.0),
        s => format!("{:.0} d", s / 86_400.0),
    }
}

/// Items as a table.
fn list(what: &str, items: &[Value], style: Style) -> String {
    let known = columns(what);
    let chosen: Vec<(String, String)> = match known {
        Some((narrow, wide)) => {
            let more = if style.format == AnswerFormat::Wide { wide } else { &[] };
            let is_used = |column: &&Column| **column != LABEL || items.iter().any(|item| !item["label"].is_null());
            let chosen = narrow.iter().chain(more).filter(is_used);
            chosen.map(|&(name, place)| (name.to_owned(), place.to_owned())).collect()
        }
        None => {
            // The fields of the first items, except those that would not fit a line.
            let mut names: Vec<String> = Vec::new();
            for item in items.iter().take(100).filter_map(Value::as_object) {
                for (key, value) in item {
                    let fits = style.format == AnswerFormat::Wide || !value.is_object() && !value.is_array();
                    if fits && !names.contains(key) {
                        names.push(key.clone());
                    }
                }
            }
            names.sort_by_key(|name| (name != "name", name != "kind"));
            names.into_iter().map(|name| (name.clone(), name)).collect()
        }
    };
    if chosen.is_empty() {
        let lines = items.iter().map(|item| format!("{}\n", cell(item, "")));
        return lines.collect();
    }
    let rows: Vec<Vec<String>> =
        items.iter().map(|item| chosen.iter().map(|(_, place)| shown(item, place)).collect()).collect();
    let headers: Vec<&str> = chosen.iter().map(|(name, _)| name.as_str()).collect();
    fitted(&headers, &rows, style)
}

/// The least width of a column whose cells are broken into lines, and of one of labels.
const BROKEN: usize = 16;
const BROKEN_LABEL: usize = 10;

/// A cell in lines of a width: broken at words, and within a word that is longer.
fn broken(cell: &str, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in cell.split_whitespace() {
        let letters: Vec<char> = word.chars().collect();
        for part in letters.chunks(width.max(1)) {
            let last = lines.last_mut().expect("there is a first line");
            let used = last.chars().count();
            if used > 0 && used + 1 + part.len() > width {
                lines.push(part.iter().collect());
            } else {
                if used > 0 {
                    last.push(' ');
                }
                last.extend(part);
            }
        }
    }
    lines
}

/// A table that fits a terminal. If it would not, cells of the last column, of labels, and of
/// several words are broken into lines; never with `wide`.
pub fn fitted(headers: &[&str], rows: &[Vec<String>], style: Style) -> String {
    let cells = |column: usize| rows.iter().filter_map(move |row| row.get(column));
    let length = |cell: &str| cell.chars().count();
    let natural =
        |column: usize| cells(column).map(|cell| length(cell)).max().unwrap_or(0).max(length(headers[column]));
    let mut widths: Vec<usize> = (0..headers.len()).map(natural).collect();
    let all = |widths: &[usize]| widths.iter().sum::<usize>() + 2 * widths.len().saturating_sub(1);
    if all(&widths) <= COLUMNS || style.format == AnswerFormat::Wide {
        return table(headers, rows, style.colour);
    }
    // The least width of a column; `None` if it may not be broken.
    let least = |column: usize| {
        let header = length(headers[column]);
        if headers[column] == LABEL.0 {
            return Some(BROKEN_LABEL.max(header));
        }
        let is_last = column + 1 == headers.len();
        let word = cells(column).flat_map(|cell| cell.split_whitespace()).map(length).max().unwrap_or(0);
        (is_last || cells(column).any(|cell| cell.contains(' '))).then(|| word.min(BROKEN).max(header))
    };
    let least: Vec<Option<usize>> = (0..headers.len()).map(least).collect();
    while all(&widths) > COLUMNS {
        let can = |column: &usize| least[*column].is_some_and(|least| widths[*column] > least);
        let Some(widest) = (0..headers.len()).filter(can).max_by_key(|&column| widths[column]) else { break };
        widths[widest] -= 1;
    }
    let lines = rows.iter().flat_map(|row| {
        let cells: Vec<Vec<String>> = row.iter().zip(&widths).map(|(cell, width)| broken(cell, *width)).collect();
        let most = cells.iter().map(Vec::len).max().unwrap_or(1);
        (0..most).map(move |number| cells.iter().map(|cell| cell.get(number).cloned().unwrap_or_default()).collect())
    });
    table(headers, &lines.collect::<Vec<Vec<String>>>(), style.colour)
}

/// Whether a list is one of documents of a kind. Lists of switches, ports, links and settings are
/// of the things themselves.
pub fn is_documents(what: &str) -> bool {
    let things = ["switches", "ports", "links", "settings"];
    !things.contains(&what) && philae_policy::DocumentKind::ALL.iter().any(|kind| kind.plural() == what)
}

/// Documents: their selectors, their order, how far they are applied, and their age.
fn documents(items: &[Value], style: Style) -> String {
    let rows: Vec<Vec<String>> = items
        .iter()
        .map(|item| {
            let (spec, status) = (&item["spec"], &item["status"]);
            let applied = match status["switches"].as_u64() {
                None => String::new(),
                Some(switches) => format!("{} of {switches}", status["applied"]),
            };
            let age = item["ageSeconds"].as_f64().map_or_else(|| "built in".to_owned(), duration);
            vec![cell(&item["name"], ""), cell(&spec["priority"], ""), applied, age, cell(&spec["selector"], "")]
        })
        .collect();
    fitted(&["name", "priority", "applied", "age", "selector"], &rows, style)
}

/// An object's fields, including those of nested objects: `spec.settings.autoneg`.
fn flat(object: &Map<String, Value>, before: &str, out: &mut Vec<(String, Value)>) {
    for (key, value) in object {
        let name = if before.is_empty() { key.clone() } else { format!("{before}.{key}") };
        match value {
            Value::Object(inner) if !inner.is_empty() => flat(inner, &name, out),
            other => out.push((name, other.clone())),
        }
    }
}

/// One thing: its fields, one below the other, then its lists as tables.
fn thing(object: &Map<String, Value>, style: Style) -> String {
    let mut out = String::new();
    let is_list = |value: &Value| value.as_array().is_some_and(|items| items.iter().any(Value::is_object));
    let mut fields = Vec::new();
    flat(object, "", &mut fields);
    let width = fields.iter().filter(|(_, value)| !is_list(value)).map(|(key, _)| key.len()).max().unwrap_or(0);
    for (key, value) in fields.iter().filter(|(_, value)| !is_list(value)) {
        let words = match value {
            Value::Array(items) => items.iter().map(|item| cell(item, "")).collect::<Vec<_>>().join(", "),
            other => cell(other, key),
        };
        let words = if style.format == AnswerFormat::Wide { words } else { wrap(&words, width + 2) };
        let line = format!("{}  {words}", bold(&format!("{key:width$}"), style.colour));
        let _ = writeln!(out, "{}", line.trim_end());
    }
    for (key, value) in fields.iter().filter(|(_, value)| is_list(value)) {
        let items = value.as_array().map_or(&[][..], Vec::as_slice);
        let _ = writeln!(out, "\n{}\n{}", bold(key, style.colour), list(key, items, style).trim_end());
    }
    out
}

/// A value as YAML.
fn yaml(value: &Value) -> String {
    // JSON is YAML, too.
    serde_saphyr::to_string(value).unwrap_or_else(|_| format!("{value:#}\n"))
}

/// An answer in the requested form. `what` is the path's last word that is not a name.
pub fn answer(what: &str, answer: &Value, style: Style) -> String {
    match style.format {
        AnswerFormat::Json => format!("{answer:#}\n"),
        AnswerFormat::Yaml => yaml(answer),
        AnswerFormat::Table | AnswerFormat::Wide => match answer {
            Value::Object(object) => match object.get("items").and_then(Value::as_array) {
                Some(items) if items.is_empty() => format!("no {what}\n"),
                Some(items) => {
                    let mut out = if is_documents(what) && style.format == AnswerFormat::Table {
                        documents(items, style)
                    } else {
                        list(what, items, style)
                    };
                    let total = object.get("total").and_then(Value::as_u64).unwrap_or(0);
                    if total > items.len() as u64 {
                        let _ = writeln!(out, "{} of {total}; --limit shows more", items.len());
                    } else if object.get("next").is_some_and(|next| !next.is_null()) {
                        let _ = writeln!(out, "the first {}; --limit shows more", items.len());
                    }
                    out
                }
                None => thing(object, style),
            },
            Value::String(text) => format!("{}\n", text.trim_end()),
            other => format!("{other:#}\n"),
        },
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    const PLAIN: Style = Style { format: AnswerFormat::Table, colour: false };

    #[test]
    fn lists_become_tables_and_say_when_they_are_cut() {
        let switches = json!({ "items": [{ "name": "x1000c0r1b0", "group": 0, "number": 3, "state": "synced",
            "cause": "", "forSeconds": 7_300.0, "model": "rosetta" }], "next": "x1000c0r1b0" });
        let text = answer("switches", &switches, PLAIN);
        assert!(text.starts_with("switch ") && text.contains("2 h") && !text.contains("rosetta"), "{text}");
        assert!(text.contains("the first 1;"), "{text}");
        let wide = answer("switches", &switches, Style { format: AnswerFormat::Wide, ..PLAIN });
        assert!(wide.contains("rosetta"), "{wide}");
        assert_eq!(answer("links", &json!({ "items": [] }), PLAIN), "no links\n");
    }

    #[test]
    fn tables_with_long_labels_fit_a_terminal() {
        let label = "a-host-name-of-thirty-two-letters";
        let nic = json!({ "name": "x9999c7s7b1n1h0", "label": label, "port": "x9999c7r7a0l63", "state": "planned-off",
            "forSeconds": 7_000.0, "cause": "all links of switch x9999c7r7b0 are out of service" });
        let link = json!({ "ends": ["x9999c7r7a0l63", "x9998c7r7a0l62"], "labels": [label, label], "role": "global",
            "carrying": false, "forSeconds": 7_000.0, "flaps": { "losses": 12 }, "cause": "held down after a loss" });
        for (what, item) in [("nics", nic), ("links", link)] {
            let text = answer(what, &json!({ "items": [item] }), PLAIN);
            assert!(text.lines().all(|line| line.chars().count() <= COLUMNS), "{text}");
            let letters: String = text.split_whitespace().collect();
            assert!(letters.contains("x9999c7r7a0l63"), "no name is broken: {text}");
        }
        assert_eq!(broken("one two-three four", 7), ["one", "two-thr", "ee four"]);
    }

    #[test]
    fn a_thing_s_lists_stand_below_its_fields() {
        let text = answer("switch", &json!({ "name": "x", "ports": [{ "name": "p", "state": "up" }] }), PLAIN);
        let (name, ports) = (text.find("name").expect("its name"), text.find("port ").expect("its ports"));
        assert!(name < ports, "{text}");
    }

    #[test]
    fn yaml_is_read_back_as_what_it_was() {
        let value = json!({
            "kind": "port-policy", "name": "true", "spec": { "selector": "role=edge,group=0", "priority": 3,
            "list": [1, [2, 3], { "a": "b: c", "d": null }], "empty": {}, "none": [], "flag": true, "text": "a\nb", "on": "012" }
        });
        let text = yaml(&value);
        let read: Value = serde_saphyr::from_str(&text).expect("it is YAML");
        assert_eq!(read, value, "{text}");
    }
}
