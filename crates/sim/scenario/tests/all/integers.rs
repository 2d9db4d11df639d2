//! Whole numbers in every integer key of the schema: the right value, or an error that names the
//! key, the value and the range.

use philae_scenario::{Scenario, schema};
use serde_json::Value as Json;
use toml::{Table, Value};

/// A key of whole numbers.
struct IntegerKey {
    /// Its path, entries of lists by number.
    path: Vec<String>,
    /// Tags of the tables on the way: path and word.
    tags: Vec<(Vec<String>, String)>,
    least: Option<i128>,
    above: Option<i128>,
    most: Option<i128>,
    /// Whether it also takes other types: a size with a unit, a list.
    is_alone: bool,
}

impl IntegerKey {
    fn has(&self, number: i128) -> bool {
        let range = i128::from(i64::MIN)..=self.most.unwrap_or(i128::from(i64::MAX));
        range.contains(&number)
            && self.least.is_none_or(|least| number >= least)
            && self.above.is_none_or(|above| number > above)
    }
}

/// The schemas that a key may have, once references are followed.
fn choices(root: &Json, schema: &Json) -> Vec<Json> {
    if let Some(name) = schema["$ref"].as_str().and_then(|path| path.strip_prefix("#/$defs/")) {
        return choices(root, &root["$defs"][name.replace("%20", " ")]);
    }
    match schema["anyOf"].as_array().or_else(|| schema["oneOf"].as_array()).or_else(|| schema["allOf"].as_array()) {
        Some(several) => several.iter().flat_map(|one| choices(root, one)).collect(),
        None => vec![schema.clone()],
    }
}

fn kinds(schema: &Json) -> Vec<&str> {
    let kinds = schema["type"].as_array().map_or_else(|| vec![&schema["type"]], |kinds| kinds.iter().collect());
    kinds.into_iter().filter_map(Json::as_str).filter(|kind| *kind != "null").collect()
}

/// Collects the integer keys of a value at `path`.
fn collect(
    root: &Json,
    schema: &Json,
    path: &[String],
    tags: &[(Vec<String>, String)],
    depth: usize,
    found: &mut Vec<IntegerKey>,
) {
    let all = choices(root, schema);
    let count = all.iter().flat_map(|choice| kinds(choice)).count();
    for choice in &all {
        let mut tags = tags.to_vec();
        if kinds(choice).contains(&"integer") {
            let bound = |key: &str| choice[key].as_f64().map(|bound| bound as i128);
            let widest = match choice["format"].as_str() {
                Some("uint8") => Some(i128::from(u8::MAX)),
                Some("uint16") => Some(i128::from(u16::MAX)),
                Some("uint32") => Some(i128::from(u32::MAX)),
                _ => None,
            };
            found.push(IntegerKey {
                path: path.to_vec(),
                tags: tags.clone(),
                least: bound("minimum"),
                above: bound("exclusiveMinimum"),
                most: bound("maximum").or(widest),
                is_alone: count == 1,
            });
        }
        if let Some(items) = choice.get("items").filter(|items| items.is_object()) {
            let entry = [path, &["0".to_owned()]].concat();
            collect(root, items, &entry, &tags, depth, found);
        }
        let Some(properties) = choice["properties"].as_object().filter(|_| depth < 6) else { continue };
        for (key, schema) in properties {
            if let Some(word) = schema["const"].as_str() {
                tags.push(([path, std::slice::from_ref(key)].concat(), word.to_owned()));
            }
        }
        for (key, schema) in properties {
            collect(root, schema, &[path, std::slice::from_ref(key)].concat(), &tags, depth + 1, found);
        }
    }
}

/// The table or the list entry at `path`, made where there is none.
fn place<'t>(at: &'t mut Value, path: &[String]) -> &'t mut Value {
    let Some((first, rest)) = path.split_first() else { return at };
    if first == "0" {
        if !at.is_array() {
            *at = Value::Array(vec![Value::Table(Table::new())]);
        }
        return place(&mut at.as_array_mut().expect("a list")[0], rest);
    }
    if !at.is_table() {
        *at = Value::Table(Table::new());
    }
    let fresh = Value::Table(Table::new());
    place(at.as_table_mut().expect("a table").entry(first.clone()).or_insert(fresh), rest)
}

/// A scenario in which the key has its place.
fn skeleton(key: &IntegerKey) -> Option<String> {
    let text = "system = \"malbec\"\n[[job]]\nname = \"a\"\nnodes = 16\nworkload = { kind = \"permutation\", iterations = 2 }\n";
    let mut whole = Value::Table(text.parse().expect("TOML"));
    for (path, word) in &key.tags {
        let (last, table) = path.split_last()?;
        let table = place(&mut whole, table);
        if table.get(last).is_some_and(|before| before.as_str() != Some(word.as_str())) {
            *table = Value::Table(Table::new());
        }
        table.as_table_mut()?.insert(last.clone(), Value::String(word.clone()));
    }
    let (last, table) = key.path.split_last()?;
    let table = place(&mut whole, table);
    if last == "0" {
        *table = Value::Array(vec![Value::Integer(0)]);
    } else if !table.is_table() {
        *table = Value::Table(Table::new());
    }
    toml::to_string(&whole).ok()
}

/// What a text means as a whole number.
fn meant(text: &str) -> Option<i128> {
    match text {
        "1e9" => Some(1_000_000_000),
        "1.0" => Some(1),
        "0x10" => Some(16),
        "1_000" => Some(1_000),
        other => other.parse().ok(),
    }
}

const TEXTS: [&str; 10] = [
    "18446744073709551615",
    "-9223372036854775809",
    "99999999999999999999999",
    "1e9",
    "-1",
    "1.0",
    "1.5",
    "0x10",
    "1_000",
    "4294967296",
];

#[test]
fn every_integer_key_takes_a_number_as_it_is_or_says_what_is_wrong() {
    let root = schema();
    let mut keys = Vec::new();
    collect(&root, &root, &[], &[], 0, &mut keys);
    assert!(keys.len() > 150, "{} keys", keys.len());
    let (mut taken, mut refused) = (0, 0);
    for key in &keys {
        let Some(text) = skeleton(key) else { continue };
        let path = key.path.join(".");
        for value in TEXTS {
            let read = Scenario::parse_with(&text, "the text", &[(path.clone(), value.to_owned())]);
            let fits = meant(value).is_some_and(|number| key.has(number));
            match read {
                Ok(scenario) => {
                    assert!(fits || !key.is_alone, "{path} = {value} is taken");
                    let written = Value::Table(Table::try_from(&scenario).expect("TOML"));
                    let at = key.path.iter().try_fold(&written, |at, part| {
                        part.parse::<usize>().ok().and_then(|number| at.get(number)).or_else(|| at.get(part.as_str()))
                    });
                    if let Some(kept) = at.and_then(Value::as_integer) {
                        assert_eq!(Some(i128::from(kept)), meant(value), "{path} = {value}");
                        taken += 1;
                    }
                }
                Err(error) => {
                    let error = error.to_string();
                    let about_it = error.starts_with(&format!("`{path}` is "));
                    assert!(!(fits && about_it), "{path} = {value}: {error}");
                    if fits || !key.is_alone {
                        continue;
                    }
                    let digits = value.trim_start_matches('-');
                    let digits = meant(value).map_or(digits.to_owned(), |number| number.unsigned_abs().to_string());
                    assert!(about_it && error.contains(&digits), "{path} = {value}: {error}");
                    assert!(
                        error.contains("number from") || error.contains("number above"),
                        "{path} = {value}: {error}"
                    );
                    refused += 1;
                }
            }
        }
    }
    assert!(taken > 100 && refused > 500, "{taken} taken, {refused} refused");
}

#[test]
fn the_ends_of_a_range_are_computed_with() {
    let root = schema();
    let mut keys = Vec::new();
    collect(&root, &root, &[], &[], 0, &mut keys);
    for key in &keys {
        let Some(text) = skeleton(key) else { continue };
        let path = key.path.join(".");
        let most = key.most.unwrap_or(i128::from(i64::MAX));
        for value in [key.least.unwrap_or(1), most] {
            let read = Scenario::parse_with(&text, "the text", &[(path.clone(), value.to_string())]);
            let resolved = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
                read.and_then(|scenario| scenario.resolve()).map(|_| ())
            }));
            assert!(resolved.is_ok(), "{path} = {value} panics");
        }
    }
}
