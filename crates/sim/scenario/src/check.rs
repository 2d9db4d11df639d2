//! Checks a file against the JSON Schema: unknown keys, wrong types and values out of range, each
//! with its line.

use crate::error::{KeyLocation, ScenarioError};
use philae_units::nearest;
use philae_workload::{Size, Span};
use serde_json::Value as Json;
use std::collections::BTreeMap;
use std::fmt;
use toml::Value;
use toml::de::{DeTable, DeValue};

/// The line of each key of a file, and the keys that overrides have set.
#[derive(Clone, Debug, Default)]
pub(crate) struct KeyLines {
    lines: BTreeMap<String, usize>,
    /// By the path, with numbers of entries: the key as it was typed.
    typed: BTreeMap<String, String>,
}

impl KeyLines {
    /// The lines of a text.
    pub(crate) fn of(text: &str) -> Result<Self, toml::de::Error> {
        let mut lines = Self::default();
        // Counted once: a count for each key would make the work grow with the square of the text.
        let ends: Vec<usize> = text.match_indices('\n').map(|(place, _)| place).collect();
        lines.add_table("", DeTable::parse(text)?.get_ref(), &ends);
        Ok(lines)
    }

    fn add_table(&mut self, path: &str, table: &DeTable<'_>, ends: &[usize]) {
        for (key, value) in table {
            let path = join(path, key.get_ref());
            self.add(&path, key.span().start, ends);
            self.add_value(&path, value.get_ref(), ends);
        }
    }

    fn add_value(&mut self, path: &str, value: &DeValue<'_>, ends: &[usize]) {
        match value {
            DeValue::Table(table) => self.add_table(path, table, ends),
            DeValue::Array(list) => {
                for (index, entry) in list.iter().enumerate() {
                    let path = join(path, &index.to_string());
                    self.add(&path, entry.span().start, ends);
                    self.add_value(&path, entry.get_ref(), ends);
                }
            }
            _ => {}
        }
    }

    fn add(&mut self, path: &str, offset: usize, ends: &[usize]) {
        let line = ends.partition_point(|&end| end < offset) + 1;
        self.lines.entry(path.to_owned()).or_insert(line);
    }

    /// The line of a key.
    pub(crate) fn line(&self, path: &str) -> Option<usize> {
        self.lines.get(path).copied()
    }

    /// Notes that an override has set a value, and no longer the file, with everything below it.
    pub(crate) fn set(&mut self, path: &str, typed: &str) {
        let below = format!("{path}.");
        self.lines.retain(|key, _| key != path && !key.starts_with(&below));
        self.typed.insert(path.to_owned(), typed.to_owned());
    }

    /// Keeps these entries of a list, which get the numbers from 0 on.
    pub(crate) fn keep_entries(&mut self, list: &str, kept: &[usize]) {
        let renumbered = |path: &str| -> Option<String> {
            let Some(rest) = path.strip_prefix(list).and_then(|rest| rest.strip_prefix('.')) else {
                return Some(path.to_owned());
            };
            let (number, below) = rest.split_at(rest.find('.').unwrap_or(rest.len()));
            let place = kept.iter().position(|kept| Ok(*kept) == number.parse())?;
            Some(format!("{list}.{place}{below}"))
        };
        self.lines = std::mem::take(&mut self.lines)
            .into_iter()
            .filter_map(|(path, line)| Some((renumbered(&path)?, line)))
            .collect();
        self.typed = std::mem::take(&mut self.typed)
            .into_iter()
            .filter_map(|(path, key)| Some((renumbered(&path)?, key)))
            .collect();
    }

    /// A key with its line if it is from the file, or as an override names it.
    pub(crate) fn place(&self, path: &str) -> KeyLocation {
        let ends = path.match_indices('.').map(|(end, _)| end).chain([path.len()]);
        let typed = ends.rev().find_map(|end| Some((self.typed.get(&path[..end])?, &path[end..])));
        let key = typed.map_or_else(|| path.to_owned(), |(typed, below)| format!("{typed}{below}"));
        KeyLocation { key, line: self.line(path) }
    }
}

fn join(path: &str, key: &str) -> String {
    if path.is_empty() { key.to_owned() } else { format!("{path}.{key}") }
}

/// Writes whole numbers as such where the schema asks for them: `1e9` and `4.0`, as tools write
/// them, are as good as `1000000000` and `4`. A number that is a share where it has a point, such
/// as the nodes of a job, stays as it is.
pub(crate) fn whole_numbers(value: &mut Value, schema: &Json, root: &Json) {
    /// Above this, doubles do not represent every whole number.
    const EXACT_MAX: f64 = 9_007_199_254_740_992.0;
    let choices = choices(schema, root);
    match value {
        Value::Float(number) if number.fract() == 0.0 && number.abs() <= EXACT_MAX => {
            let is_float = |choice: &&Json| kinds(choice).contains(&"number") && Range::of(choice).has(*number);
            let takes_whole = choices.iter().any(|choice| kinds(choice).contains(&"integer"));
            if takes_whole && !choices.iter().any(is_float) {
                *value = Value::Integer(*number as i64);
            }
        }
        Value::Array(list) => {
            let Some(items) = choices.iter().find_map(|choice| choice.get("items")) else { return };
            list.iter_mut().for_each(|entry| whole_numbers(entry, items, root));
        }
        Value::Table(table) => {
            let is_meant = |choice: &&&Json| {
                let Some(known) = choice.get("properties").and_then(Json::as_object) else { return false };
                let is_tag = |(key, schema): (&String, &Json)| {
                    let word = schema.get("const").and_then(Json::as_str);
                    word.is_none_or(|word| table.get(key).and_then(Value::as_str) == Some(word))
                };
                known.iter().all(is_tag) && table.keys().any(|key| known.contains_key(key))
            };
            let Some(meant) = choices.iter().find(is_meant) else { return };
            for (key, value) in table {
                if let Some(schema) = meant["properties"].get(key).or_else(|| meant.get("additionalProperties")) {
                    whole_numbers(value, schema, root);
                }
            }
        }
        _ => {}
    }
}

/// The schemas of which a value may have one, once references are followed.
fn choices<'j>(schema: &'j Json, root: &'j Json) -> Vec<&'j Json> {
    let name = schema.get("$ref").and_then(Json::as_str).and_then(|path| path.strip_prefix("#/$defs/"));
    if let Some(target) = name.and_then(|name| root.get("$defs")?.get(decode(name))) {
        return choices(target, root);
    }
    let several = ["anyOf", "oneOf", "allOf"].iter().find_map(|key| schema.get(key)?.as_array());
    several.map_or_else(|| vec![schema], |several| several.iter().flat_map(|one| choices(one, root)).collect())
}

/// Checks `value` against `schema`.
pub(crate) fn check(value: &Value, schema: &Json, lines: &KeyLines) -> Result<(), ScenarioError> {
    Checker { root: schema, lines, whole: value }.value("", value, schema)
}

struct Checker<'s> {
    root: &'s Json,
    lines: &'s KeyLines,
    /// All of the file.
    whole: &'s Value,
}

impl Checker<'_> {
    fn value(&self, path: &str, value: &Value, schema: &Json) -> Result<(), ScenarioError> {
        self.quantity(path, value, schema)?;
        let schema = self.follow(schema);
        if let Some(choices) = schema.get("oneOf").and_then(Json::as_array) {
            return self.one_of(path, value, choices);
        }
        if let Some(choices) = schema.get("anyOf").and_then(Json::as_array) {
            return self.any_of(path, value, schema, choices);
        }
        if let Some(words) = schema.get("enum").and_then(Json::as_array) {
            return self.word(path, value, words.iter().filter_map(Json::as_str));
        }
        if let Some(word) = schema.get("const") {
            let same = serde_json::to_value(value).is_ok_and(|value| value == *word);
            return if same { Ok(()) } else { self.wrong(path, value, &format!("{word} would work")) };
        }
        let kinds = kinds(schema);
        if kinds.is_empty() {
            return Ok(());
        }
        if !kinds.iter().any(|kind| is_kind(value, kind)) {
            if let Some(range) = Range::of_integer(schema).filter(|_| is_number_like(value)) {
                return self.wrong(path, value, &format!("{range} would work"));
            }
            let names: Vec<&str> = kinds.iter().filter(|kind| **kind != "null").map(|kind| kind_name(kind)).collect();
            let required = schema.get("required").and_then(Json::as_array).into_iter().flatten();
            let required: Vec<String> = required.filter_map(|key| Some(format!("`{}`", key.as_str()?))).collect();
            let with = match required.as_slice() {
                keys if kinds.contains(&"object") && !keys.is_empty() => format!(" with {}", keys.join(" and ")),
                _ => String::new(),
            };
            return self.wrong(path, value, &format!("{}{with} would work", names.join(" or ")));
        }
        match value {
            Value::Table(table) => self.table(path, table, schema),
            Value::Array(list) => match schema.get("items") {
                Some(items) => list
                    .iter()
                    .enumerate()
                    .try_for_each(|(index, entry)| self.value(&join(path, &index.to_string()), entry, items)),
                None => Ok(()),
            },
            Value::Integer(_) | Value::Float(_) => self.number(path, value, schema),
            _ => Ok(()),
        }
    }

    /// A table as `--set` names it: a job by its name, such as `[job.victim.workload]`.
    fn table_name(&self, path: &str) -> String {
        if !path.starts_with("job.") {
            return format!("[{path}]");
        }
        let mut at = Some(self.whole);
        let parts = path.split('.').map(|part| {
            let list = at.and_then(Value::as_array);
            let entry = list.and_then(|list| list.get(part.parse::<usize>().ok()?));
            at = entry.or_else(|| at?.as_table()?.get(part));
            let is_plain = |name: &&str| name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte));
            entry.and_then(|entry| entry.get("name")?.as_str()).filter(is_plain).unwrap_or(part)
        });
        format!("[{}]", parts.collect::<Vec<_>>().join("."))
    }

    /// Text with a unit, which its own reader checks best.
    fn quantity(&self, path: &str, value: &Value, schema: &Json) -> Result<(), ScenarioError> {
        let Some(text) = value.as_str() else { return Ok(()) };
        let read = match schema.get("$ref").and_then(Json::as_str) {
            Some("#/$defs/Size") => text.parse::<Size>().map(|_| ()),
            Some("#/$defs/Span") => text.parse::<Span>().map(|_| ()),
            _ => Ok(()),
        };
        read.map_err(|error| ScenarioError::Unreadable { place: self.lines.place(path), message: error.to_string() })
    }

    fn follow<'j>(&'j self, schema: &'j Json) -> &'j Json {
        let name = schema.get("$ref").and_then(Json::as_str).and_then(|path| path.strip_prefix("#/$defs/"));
        let target = name.and_then(|name| self.root.get("$defs")?.get(decode(name)));
        target.map_or(schema, |target| self.follow(target))
    }

    fn table(&self, path: &str, table: &toml::Table, schema: &Json) -> Result<(), ScenarioError> {
        let empty = serde_json::Map::new();
        let known = schema.get("properties").and_then(Json::as_object).unwrap_or(&empty);
        let others = schema.get("additionalProperties");
        for (key, value) in table {
            let path_of = join(path, key);
            match (known.get(key), others) {
                (Some(schema), _) => self.value(&path_of, value, schema)?,
                (None, Some(Json::Bool(false))) => {
                    return Err(ScenarioError::UnknownKey {
                        key: key.clone(),
                        table: if path.is_empty() { "the scenario".to_owned() } else { self.table_name(path) },
                        line: self.lines.line(&path_of),
                        known: known.keys().cloned().collect(),
                    });
                }
                (None, Some(schema @ Json::Object(_))) => self.value(&path_of, value, schema)?,
                (None, _) => {}
            }
        }
        let required = schema.get("required").and_then(Json::as_array).map(Vec::as_slice).unwrap_or_default();
        for key in required.iter().filter_map(Json::as_str) {
            if !table.contains_key(key) {
                let about = known.get(key).map(|schema| self.follow(schema));
                let own = known.get(key).and_then(|schema| schema.get("description")).and_then(Json::as_str);
                let works = own.or_else(|| about?.get("description")?.as_str()).unwrap_or("it has no default");
                let place = KeyLocation { line: self.lines.line(path), ..self.lines.place(&join(path, key)) };
                return Err(ScenarioError::Missing { place, works: lower_first(works.trim_end_matches('.')) });
            }
        }
        Ok(())
    }

    /// Words, or tables that a tag distinguishes.
    fn one_of(&self, path: &str, value: &Value, choices: &[Json]) -> Result<(), ScenarioError> {
        let choices: Vec<&Json> = choices.iter().map(|choice| self.follow(choice)).collect();
        let words: Vec<&str> = choices
            .iter()
            .flat_map(|choice| {
                let listed = choice.get("enum").and_then(Json::as_array).map(Vec::as_slice).unwrap_or_default();
                listed.iter().chain(choice.get("const")).filter_map(Json::as_str)
            })
            .collect();
        if !words.is_empty() && !value.is_table() {
            return self.word(path, value, words.into_iter());
        }
        let tag_of = |choice: &Json| {
            let properties = choice.get("properties")?.as_object()?;
            properties.iter().find_map(|(key, schema)| Some((key.clone(), schema.get("const")?.as_str()?.to_owned())))
        };
        let tags: Vec<(String, String)> = choices.iter().filter_map(|choice| tag_of(choice)).collect();
        let (Some((tag, _)), true) = (tags.first(), tags.len() == choices.len()) else {
            // Tables whose only key says which of them it is: `{ hot = { ... } }`.
            let Value::Table(table) = value else { return Ok(()) };
            let has_keys = |choice: &&&Json| {
                let known = choice.get("properties").and_then(Json::as_object);
                known.is_some_and(|known| table.keys().all(|key| known.contains_key(key)))
            };
            return choices.iter().find(has_keys).map_or(Ok(()), |choice| self.value(path, value, choice));
        };
        let known = || tags.iter().map(|(_, word)| word.as_str());
        let Value::Table(table) = value else {
            let all = known().collect::<Vec<_>>().join(", ");
            return self.wrong(path, value, &format!("a table with `{tag}` would work, one of: {all}"));
        };
        let Some(asked) = table.get(tag) else {
            // If the tag is misspelt, it is a key of none of the tables.
            let properties = || choices.iter().filter_map(|choice| choice.get("properties")?.as_object());
            let is_unknown = |key: &&String| !properties().any(|known| known.contains_key(key.as_str()));
            let is_like = |key: &&String| nearest(key, [tag.as_str()]).is_some();
            if let Some(key) = table.keys().filter(is_unknown).find(is_like) {
                return Err(ScenarioError::UnknownKey {
                    key: key.clone(),
                    table: self.table_name(path),
                    line: self.lines.line(&join(path, key)),
                    known: vec![tag.clone()],
                });
            }
            let place = KeyLocation { line: self.lines.line(path), ..self.lines.place(&join(path, tag)) };
            let works = format!("one of: {}", known().collect::<Vec<_>>().join(", "));
            return Err(ScenarioError::Missing { place, works });
        };
        self.word(&join(path, tag), asked, known())?;
        let chosen = tags.iter().position(|(_, word)| Some(word.as_str()) == asked.as_str());
        chosen.map_or(Ok(()), |index| self.value(path, value, choices[index]))
    }

    fn any_of(&self, path: &str, value: &Value, schema: &Json, choices: &[Json]) -> Result<(), ScenarioError> {
        let choices: Vec<&Json> = choices
            .iter()
            .map(|choice| self.follow(choice))
            .filter(|choice| choice.get("type").and_then(Json::as_str) != Some("null"))
            .collect();
        let mut first_error = None;
        for choice in &choices {
            match self.value(path, value, choice) {
                Ok(()) => return Ok(()),
                // The error inside the choice that fits best is more helpful than a list of
                // choices.
                Err(error) if choices.len() == 1 || kinds(choice).iter().any(|kind| is_kind(value, kind)) => {
                    first_error = first_error.or(Some(error));
                }
                Err(_) => {}
            }
        }
        match (first_error, schema.get("description").and_then(Json::as_str)) {
            (Some(error), _) => Err(error),
            (None, Some(works)) => self.wrong(path, value, &lower_first(works.trim_end_matches('.'))),
            (None, None) => self.wrong(path, value, "another type would work"),
        }
    }

    fn word<'w>(&self, path: &str, value: &Value, words: impl Iterator<Item = &'w str>) -> Result<(), ScenarioError> {
        let known: Vec<String> = words.map(str::to_owned).collect();
        match value.as_str() {
            Some(word) if known.iter().any(|known| known == word) => Ok(()),
            Some(word) => {
                let place = self.lines.place(path);
                Err(ScenarioError::UnknownName { place, found: word.to_owned(), known })
            }
            None => self.wrong(path, value, &format!("one of these words would work: {}", known.join(", "))),
        }
    }

    fn number(&self, path: &str, value: &Value, schema: &Json) -> Result<(), ScenarioError> {
        let number = value.as_float().or_else(|| value.as_integer().map(|number| number as f64)).unwrap_or(f64::NAN);
        let range = Range::of(schema);
        if range.has(number) { Ok(()) } else { self.wrong(path, value, &format!("{range} would work")) }
    }

    fn wrong(&self, path: &str, value: &Value, works: &str) -> Result<(), ScenarioError> {
        let found = match value {
            Value::Table(_) => "a table".to_owned(),
            Value::Array(_) => "a list".to_owned(),
            // A number that TOML cannot hold comes as text.
            Value::String(text) if is_number_like(value) => text.clone(),
            other => other.to_string(),
        };
        Err(ScenarioError::Value { place: self.lines.place(path), found, works: works.to_owned() })
    }
}

/// The numbers that a schema accepts.
struct Range {
    what: &'static str,
    least: Option<f64>,
    above: Option<f64>,
    most: Option<f64>,
}

impl Range {
    fn of(schema: &Json) -> Self {
        let bound = |key: &str| schema.get(key).and_then(Json::as_f64);
        let format_max = match schema.get("format").and_then(Json::as_str) {
            Some("uint8") => Some(f64::from(u8::MAX)),
            Some("uint16") => Some(f64::from(u16::MAX)),
            Some("uint32") => Some(f64::from(u32::MAX)),
            _ => None,
        };
        Self {
            what: "a number",
            least: bound("minimum"),
            above: bound("exclusiveMinimum"),
            most: bound("maximum").or(format_max),
        }
    }

    /// The range of whole numbers; `None` if the schema is of something else.
    fn of_integer(schema: &Json) -> Option<Self> {
        let is_whole = kinds(schema).contains(&"integer");
        is_whole.then(|| Self { what: "a whole number", ..Self::of(schema) })
    }

    fn has(&self, number: f64) -> bool {
        self.least.is_none_or(|least| number >= least)
            && self.above.is_none_or(|above| number > above)
            && self.most.is_none_or(|most| number <= most)
    }
}

impl fmt::Display for Range {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = |bound: f64| if bound.fract() == 0.0 { format!("{bound:.0}") } else { bound.to_string() };
        f.write_str(self.what)?;
        match (self.least, self.above) {
            (Some(least), _) => write!(f, " from {}", text(least))?,
            (None, Some(above)) => write!(f, " above {}", text(above))?,
            (None, None) => {}
        }
        match (self.most, self.what) {
            (Some(most), _) => write!(f, " up to {}", text(most)),
            // The largest number that TOML has.
            (None, "a whole number") => write!(f, " up to {}", i64::MAX),
            (None, _) => Ok(()),
        }
    }
}

/// Whether a value is a number, or a text that consists of digits: a number that TOML cannot hold.
fn is_number_like(value: &Value) -> bool {
    let is_digits = |text: &str| {
        let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
        !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit() || byte == b'_')
    };
    value.as_str().map_or(value.is_integer() || value.is_float(), is_digits)
}

fn decode(name: &str) -> String {
    name.replace("%20", " ").replace("~1", "/").replace("~0", "~")
}

fn lower_first(text: &str) -> String {
    // An abbreviation keeps its case: VLAN.
    if text.chars().nth(1).is_some_and(char::is_uppercase) {
        return text.to_owned();
    }
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_lowercase().chain(letters).collect())
}

fn kinds(schema: &Json) -> Vec<&str> {
    match schema.get("type") {
        Some(Json::String(kind)) => vec![kind],
        Some(Json::Array(kinds)) => kinds.iter().filter_map(Json::as_str).collect(),
        _ => Vec::new(),
    }
}

fn is_kind(value: &Value, kind: &str) -> bool {
    match kind {
        "object" => value.is_table(),
        "array" => value.is_array(),
        "string" => value.is_str(),
        "boolean" => value.is_bool(),
        "integer" => value.is_integer(),
        "number" => value.is_integer() || value.is_float(),
        _ => false,
    }
}

fn kind_name(kind: &str) -> &str {
    match kind {
        "object" => "a table",
        "array" => "a list",
        "string" => "text in quotes",
        "boolean" => "true or false",
        "integer" => "a whole number",
        _ => "a number",
    }
}
