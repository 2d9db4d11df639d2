//! Whole numbers in every integer key of the schema: the right value, or an error that names the
//! key, the value and the range.

use std::ops::RangeInclusive;

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
    /// Between two ranges.
    gap: Option<RangeInclusive<i128>>,
    /// Whether it also takes other types: a size with a unit, a list.
    is_alone: bool,
}

impl IntegerKey {
    fn has(&self, number: i128) -> bool {
        let range = i128::from(i64::MIN)..=self.most.unwrap_or(i128::from(i64::MAX));
        range.contains(&number)
            && self.least.is_none_or(|least| number >= least)
            && self.above.is_none_or(|above| number > above)
            && self.gap.as_ref().is_none_or(|gap| !gap.contains(&number))
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
            let within = |gap: &Json| Some(gap["minimum"].as_i64()?.into()..=gap["maximum"].as_i64()?.into());
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
                gap: within(&choice["not"]),
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
        "007" => Some(7),
        "1e16" => Some(10_000_000_000_000_000),
        "9007199254740993.0" => Some(9_007_199_254_740_993),
        other => other.parse().ok(),
    }
}

const TEXTS: [&str; 15] = [
    "007",
    "1e16",
    "9007199254740993.0",
    "1e400",
    "'5'",
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
                    // A number is shown as typed, and a text in quotes.
                    let shown = value.replace('\'', "\"");
                    assert!(about_it && error.contains(&format!(" is {shown}; ")), "{path} = {value}: {error}");
                    assert_eq!(error.contains("without quotes"), value == "'5'", "{path} = {value}: {error}");
                    let would_work = ["number from", "number above", " would work"];
                    assert!(would_work.iter().any(|words| error.contains(words)), "{path} = {value}: {error}");
                    refused += 1;
                }
            }
        }
    }
    assert!(taken > 100 && refused > 500, "{taken} taken, {refused} refused");
}

#[test]
fn a_number_is_the_same_in_a_file_an_override_json_and_a_table() {
    let base = "system = \"malbec\"\n[[job]]\nname = \"a\"\nnodes = 16\nworkload = { kind = \"permutation\", iterations = 2 }\n";
    let seed = |text: &str| -> [Result<u64, String>; 2] {
        let file = Scenario::parse(&format!("seed = {text}\n{base}"), "the text");
        let set = Scenario::parse_with(base, "the text", &[("seed".to_owned(), text.to_owned())]);
        [file, set].map(|read| read.map(|found| found.seed).map_err(|error| error.to_string().replace(" (line 1)", "")))
    };
    for (text, number) in [
        ("1e9", 1_000_000_000),
        ("0x10", 16),
        ("1_000", 1_000),
        ("5.0", 5),
        ("1e16", 10_000_000_000_000_000),
        ("9007199254740993.0", 9_007_199_254_740_993),
        ("9223372036854775807", i64::MAX as u64),
        ("9.223372036854775807e18", i64::MAX as u64),
    ] {
        assert_eq!(seed(text), [Ok(number), Ok(number)], "{text}");
    }
    let range = "a whole number from 0 up to 9223372036854775807";
    for text in ["1.5", "-1", "1e19", "9223372036854775808", "18446744073709551616", "1e400", "inf"] {
        let error = format!("`seed` is {text}; {range} would work");
        assert_eq!(seed(text), [Err(error.clone()), Err(error)], "{text}");
    }
    for text in ["'5'", "\"5\""] {
        let error = format!("`seed` is \"5\"; {range}, without quotes, would work");
        assert_eq!(seed(text), [Err(error.clone()), Err(error)], "{text}");
    }
    let json = |seed: &str| {
        let scenario = Scenario::parse(base, "the text").expect("a scenario");
        let json = serde_json::to_string(&Table::try_from(&scenario).expect("a table")).expect("JSON");
        let set = Scenario::from_json(&json, &[("seed".to_owned(), seed.to_owned())]);
        set.map(|(found, _)| found.seed).map_err(|error| error.to_string())
    };
    assert_eq!((json("16"), json("5.0"), json("9007199254740993")), (Ok(16), Ok(5), Ok(9_007_199_254_740_993)));
    assert_eq!(json("18446744073709551615"), Err(format!("`seed` is 18446744073709551615; {range} would work")));
    let error = json("1e16").expect_err("a program's float");
    assert!(error.contains(range) && error.contains("above 2^53"), "{error}");
    assert!(json("null").expect_err("nothing").contains("null"));
    // Sizes hold more than TOML's integers, and have fractions of a unit.
    let size = |text: &str| {
        let set = [("job.a.workload.bytes".to_owned(), text.to_owned())];
        let read = Scenario::parse_with(base, "the text", &set).map_err(|error| error.to_string())?;
        let table = Table::try_from(&read).expect("a table");
        Ok(table["job"][0]["workload"]["bytes"].as_str().expect("a size").to_owned())
    };
    for (text, written) in [
        ("1.5MiB", "1536KiB"),
        ("1e3", "1000B"),
        ("0x400", "1KiB"),
        ("2048.0", "2KiB"),
        ("18446744073709551615", "18446744073709551615B"),
    ] {
        assert_eq!(size(text), Ok(written.to_owned()), "{text}");
    }
    let error: Result<String, String> = size("0.1KiB");
    assert!(
        error.as_ref().is_err_and(|error| error.contains("\"0.1KiB\" is not a whole number of bytes")),
        "{error:?}"
    );
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
