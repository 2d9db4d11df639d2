//! Reads TOML into values, and keeps what the values lose: lines, and the texts of numbers.

use crate::error::KeyLocation;
use philae_units::integer;
use serde_json::Value as Json;
use std::collections::BTreeMap;
use std::ops::Range;
use toml::de::{DeTable, DeValue};
use toml::{Spanned, Table, Value};

/// The line of each key of a file, the keys that overrides have set, and the numbers as typed.
#[derive(Clone, Debug, Default)]
pub(crate) struct KeyLines {
    lines: BTreeMap<String, usize>,
    /// By the path, with numbers of entries: the key as it was typed.
    typed: BTreeMap<String, String>,
    /// Values without quotes that a double or TOML's integers may not hold, by path, as typed.
    bare: BTreeMap<String, String>,
}

/// A text of TOML while it is read.
struct Reader<'t> {
    text: &'t str,
    /// Where lines end. Counted once: a count for each key would make the work grow with the square
    /// of the text.
    ends: Vec<usize>,
    found: KeyLines,
}

/// Reads a text: its values, and their lines and texts.
pub(crate) fn read(text: &str) -> Result<(Table, KeyLines), toml::de::Error> {
    let parsed = DeTable::parse(text)?;
    let ends = text.match_indices('\n').map(|(place, _)| place).collect();
    let mut reader = Reader { text, ends, found: KeyLines::default() };
    let table = reader.table("", parsed.get_ref());
    Ok((table, reader.found))
}

impl Reader<'_> {
    fn table(&mut self, path: &str, table: &DeTable<'_>) -> Table {
        let mut read = Table::new();
        for (key, value) in table {
            let path = join(path, key.get_ref());
            self.note_line(&path, &key.span());
            let value = self.value(&path, value);
            read.insert(key.get_ref().to_string(), value);
        }
        read
    }

    fn value(&mut self, path: &str, value: &Spanned<DeValue<'_>>) -> Value {
        let typed = &self.text[value.span()];
        match value.get_ref() {
            DeValue::String(text) => Value::String(text.to_string()),
            DeValue::Boolean(flag) => Value::Boolean(*flag),
            DeValue::Datetime(time) => Value::Datetime(*time),
            DeValue::Integer(_) => {
                self.found.bare.insert(path.to_owned(), typed.to_owned());
                let number = integer(typed).ok().and_then(|number| i64::try_from(number).ok());
                number.map_or_else(|| Value::String(typed.to_owned()), Value::Integer)
            }
            DeValue::Float(number) => {
                self.found.bare.insert(path.to_owned(), typed.to_owned());
                number.as_str().parse().map_or_else(|_| Value::String(typed.to_owned()), Value::Float)
            }
            DeValue::Table(table) => Value::Table(self.table(path, table)),
            DeValue::Array(list) => {
                let mut read = Vec::with_capacity(list.len());
                for (index, entry) in list.iter().enumerate() {
                    let path = join(path, &index.to_string());
                    self.note_line(&path, &entry.span());
                    read.push(self.value(&path, entry));
                }
                Value::Array(read)
            }
        }
    }

    fn note_line(&mut self, path: &str, span: &Range<usize>) {
        let line = self.ends.partition_point(|&end| end < span.start) + 1;
        self.found.lines.entry(path.to_owned()).or_insert(line);
    }
}

/// The value of an override.
#[derive(Clone, Debug)]
pub(crate) struct TypedValue {
    pub(crate) value: Value,
    /// As typed.
    pub(crate) text: String,
    /// Its bare values: the paths below it, each with a dot in front, and their texts.
    bare: BTreeMap<String, String>,
}

impl TypedValue {
    /// Reads TOML, or else plain text.
    pub(crate) fn read(text: &str) -> Self {
        let read_toml = |text: &str| {
            let (mut table, lines) = read(text).ok()?;
            let value = table.remove("value").filter(|_| table.is_empty())?;
            let below = |(path, text): (String, String)| Some((path.strip_prefix("value")?.to_owned(), text));
            Some((value, lines.bare.into_iter().filter_map(below).collect()))
        };
        let (value, bare) = read_toml(&format!("value = {text}"))
            .unwrap_or_else(|| (Value::String(text.to_owned()), BTreeMap::from([(String::new(), text.to_owned())])));
        Self { value, text: text.to_owned(), bare }
    }

    /// Reads JSON.
    pub(crate) fn read_json(text: &str) -> Result<Self, serde_json::Error> {
        let mut bare = BTreeMap::new();
        let value = value_of_json("", serde_json::from_str(text)?, &mut bare)?;
        // Paths below begin with a dot.
        let below = |path: String| if path.is_empty() { path } else { format!(".{path}") };
        let bare = bare.into_iter().map(|(path, text)| (below(path), text)).collect();
        Ok(Self { value, text: text.to_owned(), bare })
    }
}

/// Reads a table of JSON, and the texts of its numbers.
pub(crate) fn read_json(text: &str) -> Result<(Table, KeyLines), serde_json::Error> {
    let mut found = KeyLines::default();
    let table = table_of_json("", serde_json::from_str(text)?, &mut found.bare)?;
    Ok((table, found))
}

type JsonTable = serde_json::Map<String, Json>;
type Texts = BTreeMap<String, String>;

fn table_of_json(path: &str, table: JsonTable, bare: &mut Texts) -> Result<Table, serde_json::Error> {
    let mut read = Table::new();
    for (key, value) in table {
        let value = value_of_json(&join(path, &key), value, bare)?;
        read.insert(key, value);
    }
    Ok(read)
}

fn value_of_json(path: &str, value: Json, bare: &mut Texts) -> Result<Value, serde_json::Error> {
    Ok(match value {
        Json::Null => return Err(serde::de::Error::custom(format!("`{path}` is null; a scenario has no null"))),
        Json::Bool(flag) => Value::Boolean(flag),
        Json::String(text) => Value::String(text),
        Json::Number(number) => match (number.as_i64(), number.as_f64().filter(|_| number.is_f64())) {
            (Some(whole), _) => Value::Integer(whole),
            (None, Some(float)) => Value::Float(float),
            (None, None) => {
                bare.insert(path.to_owned(), number.to_string());
                Value::String(number.to_string())
            }
        },
        Json::Array(list) => {
            let entries = list.into_iter().enumerate();
            let entries = entries.map(|(at, entry)| value_of_json(&join(path, &at.to_string()), entry, bare));
            Value::Array(entries.collect::<Result<_, _>>()?)
        }
        Json::Object(table) => Value::Table(table_of_json(path, table, bare)?),
    })
}

impl KeyLines {
    /// The line of a key.
    pub(crate) fn line(&self, path: &str) -> Option<usize> {
        self.lines.get(path).copied()
    }

    /// A value that was typed without quotes, as typed.
    pub(crate) fn bare(&self, path: &str) -> Option<&str> {
        self.bare.get(path).map(String::as_str)
    }

    /// Notes that an override has set a value, and no longer the file, with everything below it.
    pub(crate) fn set(&mut self, path: &str, typed: &str, value: &TypedValue) {
        self.forget(path);
        self.typed.insert(path.to_owned(), typed.to_owned());
        self.bare.extend(value.bare.iter().map(|(below, text)| (format!("{path}{below}"), text.clone())));
    }

    /// Forgets the lines and texts of a key and everything below it.
    pub(crate) fn forget(&mut self, path: &str) {
        let below = format!("{path}.");
        let is_other = |key: &String| key != path && !key.starts_with(&below);
        self.lines.retain(|key, _| is_other(key));
        self.bare.retain(|key, _| is_other(key));
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
        for texts in [&mut self.typed, &mut self.bare] {
            *texts =
                std::mem::take(texts).into_iter().filter_map(|(path, text)| Some((renumbered(&path)?, text))).collect();
        }
    }

    /// A key with its line if it is from the file, or as an override names it.
    pub(crate) fn place(&self, path: &str) -> KeyLocation {
        let ends = path.match_indices('.').map(|(end, _)| end).chain([path.len()]);
        let typed = ends.rev().find_map(|end| Some((self.typed.get(&path[..end])?, &path[end..])));
        let key = typed.map_or_else(|| path.to_owned(), |(typed, below)| format!("{typed}{below}"));
        KeyLocation { key, line: self.line(path) }
    }
}

pub(crate) fn join(path: &str, key: &str) -> String {
    if path.is_empty() { key.to_owned() } else { format!("{path}.{key}") }
}
