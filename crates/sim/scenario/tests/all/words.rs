//! Messages have words of the scenario, not of the language that Philae is written in.
//!
//! The mistakes come from the schema: every key with values of every other type.

use philae_scenario::{Scenario, schema};
use philae_topology::SystemDescription;
use serde_json::Value as Json;
use std::collections::BTreeSet;
use toml::{Table, Value};

const BASE: &str =
    "system = \"malbec\"\n[[job]]\nname = \"a\"\nnodes = 4\nworkload = { kind = \"barrier\", iterations = 1 }\n";

/// A value of each kind, sensible and not.
fn values() -> Vec<Value> {
    let texts =
        ["[]", "['x']", "[1]", "[{}]", "{}", "{ x = 1 }", "''", "'x'", "'10us'", "'8KiB'", "true", "1.5", "nan"];
    let numbers = ["0", "1", "-1", "300", "70000", "5000000000", "9223372036854775807"];
    let read = |text: &&str| {
        let table: Table = toml::from_str(&format!("v = {text}")).expect("TOML");
        table["v"].clone()
    };
    texts.iter().chain(&numbers).map(read).collect()
}

/// Words of Rust, and of the libraries that read files.
fn strange(message: &str) -> Option<String> {
    const WORDS: [&str; 28] = [
        "u8",
        "u16",
        "u32",
        "u64",
        "u128",
        "usize",
        "i8",
        "i16",
        "i32",
        "i64",
        "isize",
        "f32",
        "f64",
        "struct",
        "enum",
        "variant",
        "untagged",
        "newtype",
        "deserialize",
        "serde",
        "Option",
        "Vec",
        "Some",
        "None",
        "Ok",
        "Err",
        "Box",
        "str",
    ];
    const NAMES: [&str; 9] = ["NaN", "KiB", "MiB", "GiB", "TiB", "GraphML", "GPCNeT", "ResNet", "SimGrid"];
    if message.contains("::") || message.contains("invalid type") || message.contains("invalid value") {
        return Some(message.to_owned());
    }
    let words = message.split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_');
    let is_camel = |word: &str| {
        let small = word.char_indices().any(|(at, letter)| {
            letter.is_ascii_uppercase() && word[..at].ends_with(|before: char| before.is_ascii_lowercase())
        });
        small && !NAMES.iter().any(|name| word.ends_with(name))
    };
    words.into_iter().find(|word| WORDS.contains(word) || is_camel(word)).map(|word| format!("'{word}' in: {message}"))
}

/// A value with the path at which a wrong one is put: tables by their key, lists by one entry.
type Path = Vec<Option<String>>;

struct Walk<'s> {
    root: &'s Json,
    found: Vec<(Path, Vec<(String, Json)>)>,
    open: BTreeSet<String>,
}

impl Walk<'_> {
    /// Notes every place of a schema, each with the keys that its table needs: the tag of a
    /// workload.
    fn go(&mut self, schema: &Json, path: &Path) {
        if path.len() > 7 {
            return;
        }
        if let Some(name) = schema["$ref"].as_str().and_then(|path| path.strip_prefix("#/$defs/")) {
            let name = name.replace("%20", " ");
            if self.open.insert(name.clone()) {
                let target = self.root["$defs"][&name].clone();
                self.go(&target, path);
                self.open.remove(&name);
            }
        }
        for several in ["anyOf", "oneOf", "allOf"] {
            for one in schema[several].as_array().cloned().into_iter().flatten() {
                self.go(&one, path);
            }
        }
        if schema["items"].is_object() {
            let mut path = path.clone();
            path.push(None);
            self.go(&schema["items"], &path);
        }
        let Some(properties) = schema["properties"].as_object() else { return };
        let tags: Vec<(String, Json)> =
            properties.iter().filter_map(|(key, schema)| Some((key.clone(), schema.get("const")?.clone()))).collect();
        for (key, schema) in properties {
            let mut path = path.clone();
            path.push(Some(key.clone()));
            self.found.push((path.clone(), tags.clone()));
            self.go(schema, &path);
        }
    }
}

/// A table with one value, at the end of a path.
fn nested(path: &[Option<String>], value: &Value, beside: &[(String, Json)]) -> Value {
    match path.split_first() {
        None => value.clone(),
        Some((None, rest)) => Value::Array(vec![nested(rest, value, beside)]),
        Some((Some(key), rest)) => {
            let mut table = Table::new();
            if rest.is_empty() {
                for (tag, word) in beside {
                    table.insert(tag.clone(), Value::String(word.as_str().unwrap_or_default().to_owned()));
                }
            }
            table.insert(key.clone(), nested(rest, value, beside));
            Value::Table(table)
        }
    }
}

/// Merges a value into another: tables into tables, entries of lists into those at their place.
fn merge(into: &mut Value, from: Value) {
    match (into, from) {
        (Value::Table(into), Value::Table(from)) => {
            for (key, value) in from {
                match into.get_mut(&key) {
                    Some(found) => merge(found, value),
                    None => drop(into.insert(key, value)),
                }
            }
        }
        (Value::Array(into), Value::Array(from)) if !into.is_empty() && from.len() == 1 => {
            from.into_iter().for_each(|value| merge(&mut into[0], value));
        }
        (into, from) => *into = from,
    }
}

fn places() -> Vec<(Path, Vec<(String, Json)>)> {
    let root = schema();
    let mut walk = Walk { root: &root, found: Vec::new(), open: BTreeSet::new() };
    walk.go(&root, &Vec::new());
    walk.found
}

#[test]
fn no_message_of_a_scenario_speaks_of_types_of_rust() {
    let base: Table = toml::from_str(BASE).expect("TOML");
    let (mut strange_ones, mut errors) = (BTreeSet::new(), 0);
    for (path, beside) in places() {
        for value in values() {
            let mut whole = Value::Table(base.clone());
            merge(&mut whole, nested(&path, &value, &beside));
            let Value::Table(table) = whole else { unreachable!("a table stays one") };
            let Err(error) = Scenario::from_table(table).map(drop) else { continue };
            errors += 1;
            strange_ones.extend(strange(&error.to_string()));
        }
    }
    assert!(errors > 5_000, "only {errors} mistakes were made");
    assert!(strange_ones.is_empty(), "{}", strange_ones.into_iter().take(40).collect::<Vec<_>>().join("\n"));
}

/// Values that the schema allows and the model does not.
#[test]
fn no_message_of_what_cannot_run_speaks_of_types_of_rust() {
    let base: Table = toml::from_str(BASE).expect("TOML");
    let (mut strange_ones, mut errors) = (BTreeSet::new(), 0);
    for (path, beside) in places() {
        // Systems are drawn below: wiring each of them would take long.
        if path[0].as_deref() == Some("system") {
            continue;
        }
        for text in ["0", "1", "300", "'x'", "true", "'0'", "[]"] {
            let value: Table = toml::from_str(&format!("v = {text}")).expect("TOML");
            let mut whole = Value::Table(base.clone());
            merge(&mut whole, nested(&path, &value["v"], &beside));
            let Value::Table(table) = whole else { unreachable!("a table stays one") };
            let Ok(scenario) = Scenario::from_table(table) else { continue };
            let Err(error) = scenario.resolve().map(drop) else { continue };
            errors += 1;
            strange_ones.extend(strange(&error.to_string()));
        }
    }
    assert!(errors > 100, "only {errors} mistakes were made");
    assert!(strange_ones.is_empty(), "{}", strange_ones.into_iter().take(40).collect::<Vec<_>>().join("\n"));
}

#[test]
fn no_message_of_a_system_speaks_of_types_of_rust() {
    let base: Table = toml::from_str("name = \"x\"\n").expect("TOML");
    let (mut strange_ones, mut errors) = (BTreeSet::new(), 0);
    for (path, beside) in places() {
        if path[0].as_deref() != Some("system") || path.len() < 2 {
            continue;
        }
        for value in values() {
            let mut whole = Value::Table(base.clone());
            merge(&mut whole, nested(&path[1..], &value, &beside));
            let toml = toml::to_string(&whole).expect("TOML");
            let json = serde_json::to_string(&whole).expect("JSON");
            for text in [toml, json] {
                let Err(error) = SystemDescription::parse(&text).map(drop) else { continue };
                errors += 1;
                // TOML's reader shows the line, which has the user's words.
                let message = error.to_string();
                strange_ones.extend(strange(message.lines().last().unwrap_or_default()));
            }
        }
    }
    assert!(errors > 500, "only {errors} mistakes were made");
    assert!(strange_ones.is_empty(), "{}", strange_ones.into_iter().take(40).collect::<Vec<_>>().join("\n"));
}

#[test]
fn words_of_rust_are_noticed() {
    for message in ["expected u32", "found Some(3)", "algorithm is SendrecvReplace", "serde::de", "unknown variant `x`"]
    {
        assert!(strange(message).is_some(), "{message}");
    }
    for message in
        ["`job.0.workload.bytes` is 4; a size such as 8KiB would work", "GraphML and TOML", "a table would work"]
    {
        assert!(strange(message).is_none(), "{message}");
    }
}
