//! docs/simulate/keys.md: every key with its default, unit and range, generated from the schema and
//! the presets.

use crate::check::gap;
use crate::part::ParameterSet;
use crate::schema::schema;
use philae_congestion::{CongestionLaw, UetLaw};
use philae_link_layer::LinkParameters;
use philae_nic_model::{
    EthernetParameters, HostJitter, HostParameters, NicParameters, NodeParameters, RetryParameters, TcpParameters,
    UetParameters,
};
use philae_path::RoutingParameters;
use philae_switch::port::SwitchParameters;
use philae_switch::reduction::CollectiveParameters;
use serde_json::{Map, Value};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

/// Maximum depth of tables: a matching table in a scenario is at most four tables down.
const DEPTH_MAX: usize = 6;

/// docs/simulate/keys.md: every key of a scenario.
#[must_use]
pub fn keys_markdown() -> String {
    let mut page = Page { root: schema(), presets: presets(), told: BTreeSet::new(), text: String::new() };
    page.text += "# Every key\n\nThe keys of a scenario with their defaults, units and ranges. This page is generated from the schema and the \
                  presets: `philae schema --keys > docs/simulate/keys.md`. [scenario.md](scenario.md) explains the tables, with examples.\n\n\
                  A size has a unit (`\"128KiB\"`) or is a whole number of bytes; a time has a unit (`\"10us\"`). If \
                  a table has presets, its defaults are those of the preset, one column for each.\n";
    let root = page.root.clone();
    page.table("", &root, 0);
    page.text
}

/// The presets of a section by name, each with its values.
type Presets = Vec<(&'static str, Map<String, Value>)>;

/// The presets of each section, by table.
fn presets() -> BTreeMap<&'static str, Presets> {
    fn of<T: ParameterSet>() -> (&'static str, Presets) {
        let values = |name: &'static str| {
            let preset =
                T::preset(name).and_then(|preset| serde_json::to_value(&preset as &dyn erased_serde::Serialize).ok());
            (name, preset.and_then(|value| value.as_object().cloned()).unwrap_or_default())
        };
        (T::TABLE, T::PRESETS.iter().map(|&name| values(name)).collect())
    }
    BTreeMap::from([
        of::<SwitchParameters>(),
        of::<NicParameters>(),
        of::<EthernetParameters>(),
        of::<HostParameters>(),
        of::<NodeParameters>(),
        of::<HostJitter>(),
        of::<TcpParameters>(),
        of::<UetParameters>(),
        of::<UetLaw>(),
        of::<RoutingParameters>(),
        of::<CongestionLaw>(),
        of::<LinkParameters>(),
        of::<RetryParameters>(),
        of::<CollectiveParameters>(),
    ])
}

struct Page {
    root: Value,
    presets: BTreeMap<&'static str, Presets>,
    /// Tables that are already on the page: several kinds of workload have some of them.
    told: BTreeSet<(String, String)>,
    text: String,
}

/// The meaning of a schema, once references are followed and "or nothing" is left out.
struct Meant {
    /// The possible schemas, in order.
    choices: Vec<Value>,
    description: Option<String>,
    default: Option<Value>,
    /// The name of the definition that it refers to.
    name: Option<String>,
}

impl Page {
    fn meant(&self, schema: &Value) -> Meant {
        let text = |schema: &Value| schema["description"].as_str().map(|text| text.replace('\n', " "));
        let mut meant = Meant {
            choices: Vec::new(),
            description: text(schema),
            default: schema.get("default").cloned(),
            name: None,
        };
        let mut left = vec![schema.clone()];
        while let Some(next) = left.pop() {
            let target = next["$ref"]
                .as_str()
                .and_then(|path| path.strip_prefix("#/$defs/"))
                .map(|name| name.replace("%20", " "));
            if let Some(name) = target {
                let target = self.root["$defs"][&name].clone();
                meant.description = meant.description.or_else(|| text(&target));
                meant.name = meant.name.or(Some(name));
                left.push(target);
                continue;
            }
            let several = next["anyOf"].as_array().or_else(|| next["allOf"].as_array());
            match several {
                Some(several) => left.extend(several.iter().rev().filter(|one| one["type"] != "null").cloned()),
                None => meant.choices.push(next),
            }
        }
        meant
    }

    /// A table with its keys, and then the tables in it.
    fn table(&mut self, path: &str, schema: &Value, depth: usize) {
        let Some(properties) = schema["properties"].as_object().cloned() else { return };
        if !self.told.insert((path.to_owned(), schema.to_string())) {
            return;
        }
        let required: Vec<&str> =
            schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
        let presets = self.presets.get(path).cloned().unwrap_or_default();
        let kind = tag(schema);
        let mut tables = Vec::new();
        let mut rows = String::new();
        for (key, schema) in properties.iter().filter(|(_, schema)| schema.get("const").is_none()) {
            let meant = self.meant(schema);
            let inner: Vec<_> = meant.choices.iter().map(|choice| self.inner(path, key, choice)).collect();
            let is_table = !inner.is_empty() && inner.iter().all(|tables| !tables.is_empty());
            tables.extend(inner.into_iter().flatten());
            let (unit, range) = (unit(key, &meant), self.range(&meant));
            let about = meant.description.unwrap_or_default().replace('|', "\\|");
            let default = match &meant.default {
                _ if required.contains(&key.as_str()) => "required".to_owned(),
                Some(value) if !value.is_null() && !is_table => format!("`{}`", plain(value)),
                _ if is_table => "see below".to_owned(),
                _ => "none".to_owned(),
            };
            let _ = if presets.is_empty() {
                writeln!(rows, "| `{key}` | {default} | {unit} | {range} | {about} |")
            } else {
                let of = |(_, values): &(&str, Map<String, Value>)| {
                    values.get(key).map_or_else(|| "–".to_owned(), |value| format!("`{}`", plain(value)))
                };
                let cells: Vec<String> = presets.iter().map(of).collect();
                writeln!(rows, "| `{key}` | {} | {unit} | {range} | {about} |", cells.join(" | "))
            };
        }
        let title = match kind {
            _ if path.is_empty() => "## Top level".to_owned(),
            Some(kind) => format!("## {path}, `{kind}`"),
            None => format!("## {path}"),
        };
        if rows.is_empty() {
            rows = format!("| {}| | | no keys of its own |\n", "| ".repeat(presets.len().max(1)));
        }
        let about = self.meant(schema).description.filter(|_| !path.is_empty());
        let about = about.map_or_else(String::new, |about| format!("{about}\n\n"));
        let names: Vec<&str> = presets.iter().map(|(name, _)| *name).collect();
        let middle = if presets.is_empty() { "default".to_owned() } else { names.join(" | ") };
        let rules = "---|".repeat(4 + names.len().max(1));
        let _ = write!(self.text, "\n{title}\n\n{about}| key | {middle} | unit | range | meaning |\n|{rules}\n{rows}");
        if depth < DEPTH_MAX {
            tables.into_iter().for_each(|(path, schema)| self.table(&path, &schema, depth + 1));
        }
    }

    /// The tables that a key may hold, with their paths: the key itself, the entries of its list,
    /// or one for each of its kinds.
    fn inner(&self, path: &str, key: &str, choice: &Value) -> Vec<(String, Value)> {
        let below = if path.is_empty() { key.to_owned() } else { format!("{path}.{key}") };
        if choice["properties"].is_object() {
            return vec![(below, choice.clone())];
        }
        if let Some(kinds) = choice["oneOf"].as_array() {
            let tables = kinds.iter().filter(|kind| kind["properties"].is_object());
            return tables.map(|kind| (below.clone(), kind.clone())).collect();
        }
        let Some(items) = choice.get("items") else { return Vec::new() };
        let entry = self.meant(items).choices.into_iter().find(|entry| entry["properties"].is_object());
        entry.map(|entry| (format!("{below}[]"), entry)).into_iter().collect()
    }

    fn range(&self, meant: &Meant) -> String {
        if let Some("Size" | "Span") = meant.name.as_deref() {
            return "from 0".to_owned();
        }
        let parts: Vec<String> = meant.choices.iter().filter_map(range_of).collect();
        let mut seen = Vec::new();
        parts.into_iter().for_each(|part| {
            if !seen.contains(&part) {
                seen.push(part)
            }
        });
        seen.join("; or ")
    }
}

fn tag(kind: &Value) -> Option<String> {
    kind["properties"].as_object()?.values().find_map(|schema| Some(schema.get("const")?.as_str()?.to_owned()))
}

fn range_of(choice: &Value) -> Option<String> {
    let listed = |words: Vec<&str>| words.iter().map(|word| format!("`{word}`")).collect::<Vec<_>>().join(", ");
    if let Some(words) = choice["enum"].as_array() {
        return Some(listed(words.iter().filter_map(Value::as_str).collect()));
    }
    if let Some(kinds) = choice["oneOf"].as_array() {
        let words: Vec<&str> = kinds
            .iter()
            .flat_map(|kind| kind["enum"].as_array().into_iter().flatten().chain(kind.get("const")))
            .filter_map(Value::as_str)
            .collect();
        return (!words.is_empty()).then(|| listed(words));
    }
    if let Some(word) = choice["const"].as_str() {
        return Some(format!("`{word}`"));
    }
    match choice["type"].as_str().or_else(|| choice["type"].as_array().and_then(|kinds| kinds[0].as_str()))? {
        "boolean" => Some("true, false".to_owned()),
        "string" => Some("text".to_owned()),
        "array" => Some("list".to_owned()),
        "object" => Some("table".to_owned()),
        kind @ ("integer" | "number") => {
            // Whole numbers are exact: a double does not hold all of them.
            let bound = |key: &str| {
                let whole = choice[key].as_i64().map(|whole| whole.to_string());
                whole.or_else(|| Some(choice[key].as_f64()?.to_string()))
            };
            let widest = match choice["format"].as_str() {
                Some("uint8") => Some(u8::MAX.to_string()),
                Some("uint16") => Some(u16::MAX.to_string()),
                Some("uint32") => Some(u32::MAX.to_string()),
                _ => None,
            };
            let what = if kind == "integer" { "whole number" } else { "number" };
            let from = bound("minimum").map(|least| format!(" from {least}"));
            let least = from.or_else(|| bound("exclusiveMinimum").map(|least| format!(" above {least}")));
            if let (Some((from, to)), Some(least), Some(most)) = (gap(choice), bound("minimum"), bound("maximum")) {
                let part = |least: &str, most: &str| {
                    if least == most { least.to_owned() } else { format!("{what} from {least} to {most}") }
                };
                let (below, above) = (part(&least, &(from - 1).to_string()), part(&(to + 1).to_string(), &most));
                return Some(format!("{below}; or {above}"));
            }
            let most = bound("maximum").or(widest).map(|most| format!(" to {most}"));
            Some(format!("{what}{}{}", least.unwrap_or_default(), most.unwrap_or_default()))
        }
        _ => None,
    }
}

/// The unit of a value: from its type, or from the end of its name.
fn unit(key: &str, meant: &Meant) -> &'static str {
    match meant.name.as_deref() {
        Some("Size") => return "size",
        Some("Span") => return "time",
        _ => {}
    }
    const ENDS: [(&str, &str); 14] = [
        ("_ns", "ns"),
        ("_us", "us"),
        ("_ps", "ps"),
        ("_bytes", "bytes"),
        ("_percent", "%"),
        ("_mbps", "Mb/s"),
        ("_gbps", "Gb/s"),
        ("_mbytes", "MB/s"),
        ("_length_m", "m"),
        ("_bits", "bits"),
        ("_lanes", "lanes"),
        ("length_m", "m"),
        ("_per_second", "1/s"),
        ("_hz", "Hz"),
    ];
    ENDS.iter().find(|(end, _)| key.ends_with(end)).map_or("", |(_, unit)| unit)
}

fn plain(value: &Value) -> String {
    value.to_string().replace('|', "\\|")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_have_their_defaults_units_and_ranges() {
        let page = keys_markdown();
        let line = |start: &str| page.lines().find(|line| line.starts_with(start)).unwrap_or_else(|| panic!("{start}"));
        assert!(line("| `seed` |").starts_with("| `seed` | `1` |"), "{}", line("| `seed` |"));
        assert!(line("| `partitions` |").contains("from 1 to 65535"), "{}", line("| `partitions` |"));
        assert!(line("| `latency_ns` |").contains("| ns |"), "{}", line("| `latency_ns` |"));
        let has_unit = |line: &str| line.starts_with("| `warm_up` |") && line.contains("| time |");
        assert!(page.lines().any(has_unit), "{page}");
        assert!(page.contains("| key | rosetta | rosetta-2 | aries | quantum-2 | unit | range | meaning |"), "{page}");
        assert!(page.contains("## job[].workload, `permutation`") && page.contains("## system.dragonfly"), "{page}");
    }
}
