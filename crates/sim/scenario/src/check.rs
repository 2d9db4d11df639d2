//! Checks a file against the JSON Schema: unknown keys, wrong types and values out of range, each
//! with its line.

use crate::elsewhere::{KnownKey, elsewhere};
use crate::error::{KeyLocation, ScenarioError};
use crate::lines::{KeyLines, join};
use philae_units::{integer, keeps_digits, nearest};
use philae_workload::{Size, Span};
use serde_json::Value as Json;
use std::fmt;
use toml::Value;

/// Writes whole numbers as such where the schema asks for them: `1e9` and `4.0`, as tools write
/// them, are as good as `1000000000` and `4`. They are read from the text, since a double does not
/// hold all of them. A number that is a share where it has a point, such as the nodes of a job,
/// stays as it is.
pub(crate) fn whole_numbers(path: &str, value: &mut Value, schema: &Json, root: &Json, lines: &KeyLines) {
    let choices = choices(schema, root);
    let takes = |kind: &str| choices.iter().any(|choice| kinds(choice).contains(&kind));
    match value {
        Value::Float(_) | Value::String(_) if takes("integer") || takes("number") => {
            let is_share = |number: f64| {
                choices.iter().any(|choice| kinds(choice).contains(&"number") && Range::of(choice).has_near(number))
            };
            let Some(whole) = whole_of(value, lines.bare(path)) else {
                // A number that TOML's integers do not hold, in a place for any number.
                if let (true, Some(number)) = (takes("number"), value.as_str().and(lines.bare(path)).and_then(finite)) {
                    *value = Value::Float(number);
                }
                return;
            };
            if !takes("integer") || value.as_float().is_some_and(is_share) {
                if let (true, None) = (takes("number"), value.as_float()) {
                    *value = Value::Float(whole as f64);
                }
                return;
            }
            match i64::try_from(whole) {
                Ok(whole) => *value = Value::Integer(whole),
                // Sizes have a text form, which holds more.
                Err(_) if takes("string") => *value = Value::String(whole.to_string()),
                Err(_) => {}
            }
        }
        Value::Array(list) => {
            let Some(items) = choices.iter().find_map(|choice| choice.get("items")) else { return };
            let entries = list.iter_mut().enumerate();
            entries
                .for_each(|(index, entry)| whole_numbers(&join(path, &index.to_string()), entry, items, root, lines));
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
                    whole_numbers(&join(path, key), value, schema, root, lines);
                }
            }
        }
        _ => {}
    }
}

/// The whole number that a value means: by its text if it was typed without quotes, or else a
/// double that a program gave. Doubles above 2^53 do not hold every whole number, so they mean
/// none.
fn whole_of(value: &Value, bare: Option<&str>) -> Option<i128> {
    match (bare, value) {
        (Some(text), _) => integer(text).ok(),
        (None, Value::Float(number)) => (number.fract() == 0.0 && number.abs() <= EXACT_MAX).then_some(*number as i128),
        (None, _) => None,
    }
}

/// Above this, doubles do not represent every whole number. Source: IEEE 754, 2^53. Status:
/// published.
const EXACT_MAX: f64 = 9_007_199_254_740_992.0;

fn finite(text: &str) -> Option<f64> {
    text.replace('_', "").parse().ok().filter(|number: &f64| number.is_finite())
}

/// The schemas of which a value may have one, once references are followed.
pub(crate) fn choices<'j>(schema: &'j Json, root: &'j Json) -> Vec<&'j Json> {
    let name = schema.get("$ref").and_then(Json::as_str).and_then(|path| path.strip_prefix("#/$defs/"));
    if let Some(target) = name.and_then(|name| root.get("$defs")?.get(decode(name))) {
        return choices(target, root);
    }
    let several = ["anyOf", "oneOf", "allOf"].iter().find_map(|key| schema.get(key)?.as_array());
    several.map_or_else(|| vec![schema], |several| several.iter().flat_map(|one| choices(one, root)).collect())
}

/// The schemas of the key at a path, whose parts may be numbers of entries.
pub(crate) fn schemas_at<'j>(path: &[String], root: &'j Json) -> Vec<&'j Json> {
    path.iter().fold(choices(root, root), |all, part| {
        let below = |choice: &&'j Json| {
            let entry = || choice.get("items").filter(|_| part.parse::<usize>().is_ok());
            choice.get("properties").and_then(|keys| keys.get(part)).or_else(entry)
        };
        all.iter().filter_map(below).flat_map(|found| choices(found, root)).collect()
    })
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
            if let Some(range) = Range::of_integer(schema).filter(|_| !value.is_table() && !value.is_array()) {
                return self.wrong_number(path, value, &range);
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
        format!("[{}]", self.named_path(path).join("."))
    }

    /// The parts of a path, with jobs by their names.
    fn named_path<'p>(&'p self, path: &'p str) -> Vec<&'p str> {
        if path.is_empty() {
            return Vec::new();
        }
        let mut at = Some(self.whole);
        let parts = path.split('.').map(|part| {
            let list = at.and_then(Value::as_array);
            let entry = list.and_then(|list| list.get(part.parse::<usize>().ok()?));
            at = entry.or_else(|| at?.as_table()?.get(part));
            let is_plain = |name: &&str| name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte));
            let name = entry.and_then(|entry| entry.get("name")?.as_str()).filter(is_plain);
            name.filter(|_| path.starts_with("job.")).unwrap_or(part)
        });
        parts.collect()
    }

    /// The place of a key: of the file with its line, and its job by name, or as an override names
    /// it.
    fn place(&self, path: &str) -> KeyLocation {
        let place = self.lines.place(path);
        match place.line {
            Some(_) if place.key == path => KeyLocation { key: self.named_path(path).join("."), ..place },
            _ => place,
        }
    }

    /// The place of a key that a table lacks: that of the table.
    fn place_in(&self, table: &str, key: &str) -> KeyLocation {
        let place = self.place(table);
        KeyLocation { key: join(&place.key, key), ..place }
    }

    /// Text with a unit, which its own reader checks best.
    fn quantity(&self, path: &str, value: &Value, schema: &Json) -> Result<(), ScenarioError> {
        let Some(text) = value.as_str() else { return Ok(()) };
        let read = match schema.get("$ref").and_then(Json::as_str) {
            Some("#/$defs/Size") => text.parse::<Size>().map(|_| ()),
            Some("#/$defs/Span") => text.parse::<Span>().map(|_| ()),
            _ => Ok(()),
        };
        read.map_err(|error| ScenarioError::Unreadable { place: self.place(path), message: error.to_string() })
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
                    return Err(self.unknown_key(path, key, known.keys().cloned().collect()));
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
                let place = self.place_in(path, key);
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
                return Err(self.unknown_key(path, key, vec![tag.clone()]));
            }
            let place = self.place_in(path, tag);
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
                let place = self.place(path);
                Err(ScenarioError::UnknownName { place, found: word.to_owned(), known })
            }
            None => self.wrong(path, value, &format!("one of these words would work: {}", known.join(", "))),
        }
    }

    fn unknown_key(&self, path: &str, key: &str, known: Vec<String>) -> ScenarioError {
        let hint = match nearest(key, known.iter().map(String::as_str)) {
            // The same key in another table is a better guess than another key in this one.
            Some(word) if philae_units::is_misspelt(key, word) => KnownKey::here(word),
            other => elsewhere(self.root, path, &self.named_path(path), key)
                .unwrap_or_else(|| other.map_or(KnownKey::None, KnownKey::here)),
        };
        ScenarioError::UnknownKey {
            key: key.to_owned(),
            table: if path.is_empty() { "the scenario".to_owned() } else { self.table_name(path) },
            line: self.lines.line(&join(path, key)),
            hint: hint.to_string(),
            known,
        }
    }

    fn number(&self, path: &str, value: &Value, schema: &Json) -> Result<(), ScenarioError> {
        let range = Range::of_integer(schema).unwrap_or_else(|| Range::of(schema));
        let has = match value {
            Value::Integer(number) => range.has_exactly((*number).into()),
            Value::Float(number) => range.has_near(*number),
            _ => true,
        };
        if !has {
            return self.wrong(path, value, &format!("{range} would work"));
        }
        match (value, self.lines.bare(path)) {
            (Value::Float(number), Some(typed)) if !keeps_digits(typed, *number) => {
                self.wrong(path, value, "a number with at most 15 digits would work")
            }
            _ => Ok(()),
        }
    }

    /// A value that is not a whole number of this range.
    fn wrong_number(&self, path: &str, value: &Value, range: &Range) -> Result<(), ScenarioError> {
        let works = match value {
            Value::String(text) if self.lines.bare(path).is_none() && integer(text).is_ok() => {
                format!("{range}, without quotes, would work")
            }
            Value::Float(number) if self.lines.bare(path).is_none() && number.abs() > EXACT_MAX => format!(
                "{range} would work, as an integer: a floating-point number above 2^53 does not hold every whole number"
            ),
            _ => format!("{range} would work"),
        };
        self.wrong(path, value, &works)
    }

    fn wrong(&self, path: &str, value: &Value, works: &str) -> Result<(), ScenarioError> {
        let found = match value {
            Value::Table(_) => "a table".to_owned(),
            Value::Array(_) => "a list".to_owned(),
            Value::Integer(_) | Value::Float(_) => {
                self.lines.bare(path).map_or_else(|| value.to_string(), str::to_owned)
            }
            // A number that TOML cannot hold comes as text.
            Value::String(text) if self.lines.bare(path).is_some() && is_number(text) => text.clone(),
            other => other.to_string(),
        };
        Err(ScenarioError::Value { place: self.place(path), found, works: works.to_owned() })
    }
}

/// The numbers that a schema accepts.
struct Range {
    what: &'static str,
    least: Option<Bound>,
    above: Option<Bound>,
    most: Option<Bound>,
    /// The whole numbers inside, from one to another, that it lacks.
    gap: Option<(i64, i64)>,
}

/// An end of a range.
#[derive(Clone, Copy)]
struct Bound {
    near: f64,
    /// Whole numbers are exact: a double does not hold all of them.
    exact: Option<i128>,
}

impl Bound {
    const fn whole(number: i64) -> Self {
        Self { near: number as f64, exact: Some(number as i128) }
    }

    fn of(number: &Json) -> Option<Self> {
        let exact = number.as_i64().map(i128::from).or_else(|| number.as_u64().map(i128::from));
        Some(Self { near: number.as_f64()?, exact })
    }
}

impl fmt::Display for Bound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.exact {
            Some(exact) => write!(f, "{exact}"),
            None => write!(f, "{}", self.near),
        }
    }
}

impl Range {
    fn of(schema: &Json) -> Self {
        let bound = |key: &str| schema.get(key).and_then(Bound::of);
        let format_max = match schema.get("format").and_then(Json::as_str) {
            Some("uint8") => Some(Bound::whole(u8::MAX.into())),
            Some("uint16") => Some(Bound::whole(u16::MAX.into())),
            Some("uint32") => Some(Bound::whole(u32::MAX.into())),
            _ => None,
        };
        Self {
            what: "a number",
            least: bound("minimum"),
            above: bound("exclusiveMinimum"),
            most: bound("maximum").or(format_max),
            gap: gap(schema),
        }
    }

    /// The range of whole numbers; `None` if the schema is of something else.
    fn of_integer(schema: &Json) -> Option<Self> {
        let is_whole = kinds(schema).contains(&"integer");
        // The largest number that TOML has.
        let most = |range: &Self| range.most.or(Some(Bound::whole(i64::MAX)));
        is_whole.then(|| Self::of(schema)).map(|range| Self { what: "a whole number", most: most(&range), ..range })
    }

    fn has_near(&self, number: f64) -> bool {
        self.least.is_none_or(|least| number >= least.near)
            && self.above.is_none_or(|above| number > above.near)
            && self.most.is_none_or(|most| number <= most.near)
            && self.gap.is_none_or(|(from, to)| number < from as f64 || number > to as f64)
    }

    fn has_exactly(&self, number: i128) -> bool {
        let is_less = |one: i128, bound: Bound| bound.exact.map_or((one as f64) < bound.near, |exact| one < exact);
        let is_more = |one: i128, bound: Bound| bound.exact.map_or(one as f64 > bound.near, |exact| one > exact);
        self.least.is_none_or(|least| !is_less(number, least))
            && self.above.is_none_or(|above| is_more(number, above))
            && self.most.is_none_or(|most| !is_more(number, most))
            && self.gap.is_none_or(|(from, to)| !(i128::from(from)..=i128::from(to)).contains(&number))
    }

    /// The part below the gap, and the part above it.
    fn parts(&self) -> Option<[Self; 2]> {
        let (from, to) = self.gap?;
        let part = |least, most| Self { what: self.what, least, above: None, most, gap: None };
        Some([part(self.least, Some(Bound::whole(from - 1))), part(Some(Bound::whole(to + 1)), self.most)])
    }
}

impl fmt::Display for Range {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some([below, above]) = self.parts() {
            return write!(f, "{below} or {above}");
        }
        if let (Some(Bound { exact: Some(least), .. }), Some(Bound { exact: Some(most), .. })) = (self.least, self.most)
            && least == most
        {
            return write!(f, "{least}");
        }
        f.write_str(self.what)?;
        match (self.least, self.above) {
            (Some(least), _) => write!(f, " from {least}")?,
            (None, Some(above)) => write!(f, " above {above}")?,
            (None, None) => {}
        }
        self.most.map_or(Ok(()), |most| write!(f, " up to {most}"))
    }
}

/// The whole numbers that a schema excludes inside its range, from one to another.
pub(crate) fn gap(schema: &Json) -> Option<(i64, i64)> {
    let excluded = schema.get("not")?;
    Some((excluded.get("minimum")?.as_i64()?, excluded.get("maximum")?.as_i64()?))
}

/// Whether a text is a number, whatever its size.
fn is_number(text: &str) -> bool {
    !matches!(integer(text), Err(philae_units::IntegerError::NotNumber))
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

pub(crate) fn kinds(schema: &Json) -> Vec<&str> {
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
