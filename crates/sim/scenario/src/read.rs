//! Reads text and overrides into the typed tree.

use crate::check::{check, kinds, schemas_at, whole_numbers};
use crate::error::ScenarioError;
use crate::left_out::{LeftOut, leave_out};
use crate::lines::{self, KeyLines, TypedValue};
use crate::schema::known_schema;
use crate::selection::read_files;
use crate::system::SystemChoice;
use crate::tree::Scenario;
use philae_topology::{read_input, read_standard_input, unpacked};
use philae_units::{NotText, nearest};
use serde_json::Value as Json;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use toml::{Table, Value};

impl Scenario {
    /// The scenario as TOML.
    ///
    /// # Panics
    /// Never: TOML can express every scenario.
    #[must_use]
    pub fn to_toml(&self) -> String {
        toml::to_string(self as &dyn erased_serde::Serialize).expect("a scenario is made of what TOML can say")
    }

    /// The scenario as JSON.
    ///
    /// # Panics
    /// Never: JSON can express every scenario.
    #[must_use]
    pub fn to_json(&self) -> serde_json::Value {
        serde_json::to_value(self as &dyn erased_serde::Serialize).expect("a scenario is made of what JSON can say")
    }

    /// Reads a scenario from text. `origin` is its name in error messages: "'file.toml'" or "the
    /// text".
    ///
    /// # Errors
    /// [`ScenarioError`]: not TOML, unknown keys, wrong types, with the line.
    pub fn parse(text: &str, origin: &str) -> Result<Self, ScenarioError> {
        Self::parse_with(text, origin, &[])
    }

    /// Reads a scenario from text and sets the values of `overrides`, pairs of a key's path and a
    /// value.
    ///
    /// A path is written as in TOML: `congestion.law`, `job.0.nodes` (counted from 0) or
    /// `job.victim.nodes` (by name). A value is TOML, or else plain text: `300`, `true`, `[1, 2]`,
    /// `10us`. The order of overrides does not matter; the same key twice with different values is
    /// an error. `none` leaves out an entry of a list (`job.victim`, `fault.0`), a whole list
    /// (`fault`) or an optional table (`link`); another key of it next to that is an error.
    ///
    /// # Errors
    /// As [`parse`](Self::parse), and [`ScenarioError::Override`].
    pub fn parse_with(text: &str, origin: &str, overrides: &[(String, String)]) -> Result<Self, ScenarioError> {
        Self::parse_in(Path::new(""), text, origin, overrides)
    }

    /// The same; paths of selection tables are relative to `folder`.
    fn parse_in(
        folder: &Path,
        text: &str,
        origin: &str,
        overrides: &[(String, String)],
    ) -> Result<Self, ScenarioError> {
        let (mut table, mut lines) = read_text(text, origin)?;
        if table.is_empty() && overrides.is_empty() {
            return Err(ScenarioError::Empty { origin: origin.to_owned() });
        }
        let has = |keys: &[&str]| keys.iter().any(|&key| table.contains_key(key));
        if !has(&["system", "job"]) && has(&["dragonfly", "fat_tree", "graph", "switch", "nic"]) {
            return Err(ScenarioError::IsSystem { origin: origin.to_owned() });
        }
        apply(&mut table, typed(overrides), &mut lines)?;
        read_files(&mut table, folder, &lines)?;
        Self::checked(table, &lines)
    }

    /// Reads a scenario that a program assembled as a TOML table.
    ///
    /// # Errors
    /// As [`parse`](Self::parse), without lines.
    pub fn from_table(table: Table) -> Result<Self, ScenarioError> {
        Self::checked(table, &KeyLines::default())
    }

    /// Reads a scenario from JSON with the keys of a file, and sets the values of `overrides`,
    /// pairs of a key's path and JSON. Returns the scenario and the table from which it was read.
    ///
    /// # Errors
    /// As [`parse_with`](Self::parse_with), without lines.
    pub fn from_json(text: &str, overrides: &[(String, String)]) -> Result<(Self, Table), ScenarioError> {
        let syntax = |error: serde_json::Error| {
            let message = philae_units::plain(&error.to_string());
            ScenarioError::Syntax { origin: "the scenario".to_owned(), form: "JSON", message }
        };
        let (mut table, mut lines) = lines::read_json(text).map_err(syntax)?;
        let refuse = |key: &str, text: &str, error: serde_json::Error| ScenarioError::Override {
            key: key.to_owned(),
            reason: format!("{text} is not a value: {}", philae_units::plain(&error.to_string())),
        };
        let mut values = Vec::with_capacity(overrides.len());
        for (key, text) in overrides {
            values.push((key.as_str(), TypedValue::read_json(text).map_err(|error| refuse(key, text, error))?));
        }
        apply(&mut table, values, &mut lines)?;
        let scenario = Self::checked(table.clone(), &lines)?;
        Ok((scenario, table))
    }

    /// The table of a scenario's text, with every whole number as such, for programs that change it
    /// and read it again.
    ///
    /// # Errors
    /// As [`parse`](Self::parse).
    ///
    /// # Panics
    /// Never: a table stays one.
    pub fn table_of(text: &str, origin: &str) -> Result<Table, ScenarioError> {
        let (table, lines) = read_text(text, origin)?;
        let (mut whole, schema) = (Value::Table(table), known_schema());
        whole_numbers("", &mut whole, schema, schema, &lines);
        check(&whole, schema, &lines)?;
        let Value::Table(table) = whole else { unreachable!("a table stays one") };
        Ok(table)
    }

    /// This scenario with the values of `overrides` set, as [`parse_with`](Self::parse_with) sets
    /// those of a text.
    ///
    /// # Errors
    /// [`ScenarioError::Override`] if the scenario has no such place (a job that it does not have),
    /// and those of [`parse`](Self::parse), without lines.
    ///
    /// # Panics
    /// Never: every scenario can be written as TOML.
    pub fn changed(&self, overrides: &[(String, String)]) -> Result<Self, ScenarioError> {
        let mut table = Table::try_from(self).expect("a scenario can be written as TOML");
        let mut lines = KeyLines::default();
        apply(&mut table, typed(overrides), &mut lines)?;
        Self::checked(table, &lines)
    }

    /// Reads the scenario of a file. Paths in it are relative to its folder. `-` is standard input;
    /// paths in a scenario from there, or from another pipe, are relative to the working folder.
    ///
    /// # Errors
    /// [`ScenarioError`]: no such file, a folder, not text; and those of [`parse`](Self::parse).
    pub fn load(path: impl AsRef<Path>) -> Result<Self, ScenarioError> {
        Self::load_with(path, &[])
    }

    /// The same, with overrides as in [`parse_with`](Self::parse_with). A path in an override is
    /// relative to the working folder.
    ///
    /// # Errors
    /// As [`load`](Self::load) and [`parse_with`](Self::parse_with).
    pub fn load_with(path: impl AsRef<Path>, overrides: &[(String, String)]) -> Result<Self, ScenarioError> {
        let path = path.as_ref();
        if path.is_dir() {
            return Err(ScenarioError::IsFolder { path: path.to_owned() });
        }
        let read = read_source(path).and_then(|bytes| unpacked(bytes, UNPACKED_MAX));
        let bytes = read.map_err(|source| ScenarioError::Read { path: path.to_owned(), source })?;
        let not_text = |source| ScenarioError::NotText { path: path.to_owned(), source };
        let text = philae_units::text_of(bytes).map_err(not_text)?;
        if let Some(offset) = text.find('\0') {
            return Err(not_text(NotText::Byte { offset, encoding: "UTF-8" }));
        }
        let origin = if is_standard_input(path) {
            "the scenario on standard input".to_owned()
        } else {
            format!("'{}'", path.display())
        };
        if text.trim().is_empty() {
            return Err(ScenarioError::Empty { origin });
        }
        let folder = if is_stream(path) { None } else { path.parent() };
        let mut scenario = Self::parse_in(folder.unwrap_or(Path::new("")), &text, &origin, overrides)?;
        let from_override = overrides.iter().any(|(key, _)| key == "system" || key.starts_with("system."));
        if let (Some(folder), false) = (folder, from_override) {
            scenario.system = scenario.system.relative_to(folder);
        }
        if let Some(folder) = folder {
            scenario.traces_relative_to(folder, overrides);
            scenario.routes_relative_to(folder, overrides);
        }
        Ok(scenario)
    }

    /// Checks a table, then reads it.
    fn checked(table: Table, lines: &KeyLines) -> Result<Self, ScenarioError> {
        let (mut whole, schema) = (Value::Table(table), known_schema());
        whole_numbers("", &mut whole, schema, schema, lines);
        check(&whole, schema, lines)?;
        let Value::Table(table) = whole else { unreachable!("a table stays one") };
        Self::deserialize_table(table, lines)
    }

    /// Reads section by section, so that an error of a type's own reader gets its place.
    fn deserialize_table(table: Table, lines: &KeyLines) -> Result<Self, ScenarioError> {
        table.try_into().map_err(|error: toml::de::Error| {
            let text = error.to_string();
            // The reader names the key in a line of its own: "in `run.time_limit`".
            let key = text.rsplit_once("in `").and_then(|(_, rest)| rest.split('`').next()).unwrap_or("scenario");
            let message = philae_units::plain(error.message());
            ScenarioError::Unreadable { place: lines.place(key), message }
        })
    }
}

/// Reads TOML.
fn read_text(text: &str, origin: &str) -> Result<(Table, KeyLines), ScenarioError> {
    let text = text.trim_start_matches('\u{feff}');
    let syntax = |error: toml::de::Error| {
        if let Some((found, works)) = foreign(text) {
            return ScenarioError::Foreign { origin: origin.to_owned(), found, works };
        }
        let (origin, message) = (origin.to_owned(), philae_units::plain(error.to_string().trim_end()));
        ScenarioError::Syntax { origin, form: "TOML", message }
    };
    lines::read(text).map_err(syntax)
}

/// Maximum uncompressed bytes of a scenario: it bounds the memory that a damaged file can cost.
/// Source: ours. Status: assumed.
const UNPACKED_MAX: u64 = 1 << 28;

/// Whether a path stands for standard input.
fn is_standard_input(path: &Path) -> bool {
    path == Path::new("-") || path == Path::new("/dev/stdin")
}

/// Whether a path is no file of a folder: standard input, or another pipe of a shell.
fn is_stream(path: &Path) -> bool {
    let is_device = ["/dev", "/proc"].iter().any(|folder| path.starts_with(folder));
    is_standard_input(path) || is_device || std::fs::metadata(path).is_ok_and(|found| !found.is_file())
}

/// Reads the file of a scenario; `-` is standard input. A pipe can be read once: what came out of
/// it is kept for further reads of the same path.
///
/// # Errors
/// Those of the operating system.
///
/// # Panics
/// Never: no reader panics while it holds the lock.
pub fn read_source(path: &Path) -> std::io::Result<Vec<u8>> {
    static STREAMS: Mutex<BTreeMap<PathBuf, Vec<u8>>> = Mutex::new(BTreeMap::new());
    if !is_stream(path) {
        return read_input(path);
    }
    let mut streams = STREAMS.lock().expect("no reader panics");
    let key = if is_standard_input(path) { Path::new("-") } else { path };
    if let Some(bytes) = streams.get(key) {
        return Ok(bytes.clone());
    }
    let bytes = if is_standard_input(path) { read_standard_input()? } else { read_input(path)? };
    streams.insert(key.to_owned(), bytes.clone());
    Ok(bytes)
}

fn typed(overrides: &[(String, String)]) -> Vec<(&str, TypedValue)> {
    overrides.iter().map(|(key, text)| (key.as_str(), TypedValue::read(text))).collect()
}

/// Sets the values of `overrides` in `table`, parents before children and otherwise in the order of
/// their paths.
fn apply(table: &mut Table, overrides: Vec<(&str, TypedValue)>, lines: &mut KeyLines) -> Result<(), ScenarioError> {
    let mut resolved: BTreeMap<Vec<String>, (&str, TypedValue)> = BTreeMap::new();
    for (key, value) in overrides {
        let refuse = |reason: &str| ScenarioError::Override { key: key.to_owned(), reason: reason.to_owned() };
        let path: Vec<String> =
            split_path(key).ok_or_else(|| refuse("a key's path would work, such as congestion.law or job.0.nodes"))?;
        let path = by_index(path, table).map_err(|reason| refuse(&reason))?;
        let text = value.text.clone();
        if let Some((_, earlier)) = resolved.insert(path.clone(), (key, value))
            && earlier.value != resolved[&path].1.value
        {
            return Err(refuse(&format!("it is set twice, to {} and {text}", earlier.text)));
        }
    }
    let schema = known_schema();
    for (path, (key, _)) in &resolved {
        let is_below = |other: &Vec<String>| other.len() < path.len() && path.starts_with(other);
        if !resolved.keys().any(is_below)
            && let Some(reason) = no_list(path, table, schema)
        {
            return Err(ScenarioError::Override { key: (*key).to_owned(), reason });
        }
    }
    let mut left_out = Vec::new();
    for (path, (key, value)) in &resolved {
        let Some(one) = LeftOut::of(path, &value.value, table, schema) else { continue };
        // A key of what is left out would be without effect.
        if let Some((_, (below, _))) = resolved.iter().find(|(other, _)| *other != path && other.starts_with(path)) {
            let reason = format!("`{key}` is none, which leaves it out; one of the two would work");
            return Err(ScenarioError::Override { key: (*below).to_owned(), reason });
        }
        left_out.push((path.clone(), one));
    }
    for (path, _) in &left_out {
        resolved.remove(path);
    }
    for (path, (key, value)) in resolved {
        lines.set(&path.join("."), key, &value);
        set(table, &path, value.value).map_err(|reason| ScenarioError::Override { key: key.to_owned(), reason })?;
    }
    let left_out: Vec<LeftOut> = left_out.into_iter().map(|(_, one)| one).collect();
    leave_out(table, &left_out, lines);
    Ok(())
}

fn split_path(key: &str) -> Option<Vec<String>> {
    // A TOML key, so that quoted parts work: job."a.b".nodes.
    let probe: Table = toml::from_str(&format!("{key} = 0")).ok()?;
    let mut path = Vec::new();
    let mut at = &Value::Table(probe);
    while let Value::Table(table) = at {
        let (part, next) = table.iter().next()?;
        path.push(part.clone());
        at = next;
    }
    (at.as_integer() == Some(0)).then_some(path)
}

/// Replaces names of list entries by their numbers in the file.
fn by_index(mut path: Vec<String>, table: &Table) -> Result<Vec<String>, String> {
    let mut at = Some(table.get(&path[0]).cloned().unwrap_or(Value::Boolean(false)));
    for depth in 1..path.len() {
        at = match at {
            Some(Value::Array(list)) => {
                let part = &path[depth];
                let named = |entry: &Value| entry.get("name").and_then(Value::as_str) == Some(part);
                let index = part.parse().ok().filter(|&index: &usize| index < list.len());
                let by_name = list.iter().position(named);
                if let (Some(index), Some(other)) = (index, by_name.filter(|_| index != by_name)) {
                    return Err(two_entries(&path[..depth].join("."), &list, index, other));
                }
                let Some(index) = index.or(by_name) else {
                    return Err(no_entry(&path[..depth].join("."), &list, part));
                };
                path[depth] = index.to_string();
                list.into_iter().nth(index)
            }
            Some(Value::Table(mut table)) => table.remove(&path[depth]),
            _ => None,
        };
    }
    Ok(path)
}

/// The error of a part that is the number of one entry and the name of another.
fn two_entries(path: &str, list: &[Value], numbered: usize, named: usize) -> String {
    let name = list[numbered].get("name").and_then(Value::as_str).filter(|name| name.parse::<usize>().is_err());
    let works = match name {
        Some(name) => format!("`{path}.{name}` or `{path}.{named}`"),
        None => format!("`{path}.{named}`, or other names,"),
    };
    format!("entry {numbered} of `{path}` has this number, and entry {named} this name; {works} would work")
}

/// The error of a path to an entry of a list that the scenario does not have.
fn no_list(path: &[String], table: &Table, schema: &Json) -> Option<String> {
    let mut at = table.get(&path[0]);
    for depth in 1..path.len() {
        if at.is_none() {
            let found = schemas_at(&path[..depth], schema);
            let mut kinds = found.iter().flat_map(|choice| kinds(choice)).filter(|kind| *kind != "null").peekable();
            let is_list = kinds.peek().is_some() && kinds.all(|kind| kind == "array");
            return is_list.then(|| no_entry(&path[..depth].join("."), &[], &path[depth]));
        }
        at = match at {
            Some(Value::Table(table)) => table.get(&path[depth]),
            Some(Value::Array(list)) => path[depth].parse().ok().and_then(|index: usize| list.get(index)),
            _ => return None,
        };
    }
    None
}

/// The error of a list without the entry that a path names.
fn no_entry(path: &str, list: &[Value], asked: &str) -> String {
    let names: Vec<&str> = list.iter().filter_map(|entry| entry.get("name")?.as_str()).collect();
    let known = match (names.as_slice(), list.len()) {
        ([], 0) => {
            return format!(
                "no entry of `{path}` (it has none) is `{asked}`; the whole list, `{path}=[{{ ... }}]`, would work"
            );
        }
        ([], count) => format!(" (0 to {})", count - 1),
        (names, _) => format!(" ({})", names.join(", ")),
    };
    let hint = nearest(asked, names.iter().copied());
    let hint = hint.map_or_else(String::new, |name| format!("; did you mean `{path}.{name}`?"));
    format!("no entry of `{path}`{known} is `{asked}`{hint}")
}

fn set(table: &mut Table, path: &[String], value: Value) -> Result<(), String> {
    let (first, rest) = path.split_first().expect("a path has at least one part");
    if rest.is_empty() {
        table.insert(first.clone(), value);
        return Ok(());
    }
    let place = table.entry(first.clone()).or_insert_with(|| Value::Table(Table::new()));
    // A system's path is the short form of a table, and one key may follow the path.
    if let (["system"], Value::String(text), [key]) = ([first.as_str()], &*place, rest)
        && key == "endpoints_per_switch"
        && let SystemChoice::File(file) = SystemChoice::from_text(text)
    {
        *place = Value::Table(Table::from_iter([("path".to_owned(), Value::String(file.path))]));
    }
    match place {
        Value::Table(inner) => set(inner, rest, value),
        Value::Array(list) => {
            let (index, rest) = rest.split_first().expect("checked above");
            let entry = index.parse().ok().and_then(|index: usize| list.get_mut(index));
            match (entry, rest) {
                (Some(entry), []) => {
                    *entry = value;
                    Ok(())
                }
                (Some(Value::Table(inner)), rest) => set(inner, rest, value),
                _ => Err(format!("`{first}` has no table number {index}")),
            }
        }
        other => Err(format!("`{first}` is {other}, which has no keys of its own; set `{first}` itself")),
    }
}

/// Another kind of text that users take for a scenario: what it is, and what would work.
fn foreign(text: &str) -> Option<(&'static str, &'static str)> {
    let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with(['#', '/']));
    let line = lines.next()?;
    let is_html = ["<!doctype", "<html"].iter().any(|start| line.to_ascii_lowercase().starts_with(start));
    match line {
        _ if line.starts_with("num_ranks") => Some((
            "a schedule in GOAL's format",
            "a scenario with a job that replays it would work: \
             workload = { kind = \"trace\", file = \"...\" }, as in scenarios/trace.toml",
        )),
        _ if is_html => Some(("a page in HTML", "the scenario.toml of a result folder would work")),
        _ if line.starts_with('<') => Some((
            "markup such as GraphML",
            "a scenario that names it would work, with system = \"...\"; `philae describe` reads it alone",
        )),
        _ if line.starts_with('{') => {
            Some(("JSON", "a scenario in TOML would work; a system in JSON is named by it: system = \"...\""))
        }
        "---" => Some(("YAML", "a scenario in TOML would work")),
        _ => None,
    }
}
