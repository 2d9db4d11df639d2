//! Keys in messages are keys that a scenario has.

use serde_json::Value;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Crates whose messages speak of a scenario.
const CRATES: [&str; 19] = [
    "base/topology",
    "sim/link-layer",
    "sim/packet-engine",
    "base/traffic-class",
    "base/route-tables",
    "sim/path",
    "sim/congestion",
    "sim/switch",
    "sim/nic-model",
    "sim/workload",
    "sim/trace",
    "sim/results",
    "sim/fabric",
    "sim/fluid",
    "sim/scenario",
    "sim/experiments",
    "tools/cli",
    "tools/python",
    "nic/nic-core",
];

/// First parts of keys, and second parts that were written in their place.
fn first_parts(schema: &Value) -> BTreeSet<String> {
    let properties = schema["properties"].as_object().expect("a scenario has keys");
    properties.keys().cloned().chain(["nic", "switch", "host", "ethernet", "workload"].map(str::to_owned)).collect()
}

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("the sources are there") {
        let path = entry.expect("readable").path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

/// Quoted texts of a source file, without those of its comments and its own tests.
fn texts(source: &str) -> Vec<String> {
    let source = source.split("\n#[cfg(test)]").next().expect("a first part");
    let lines: Vec<&str> = source.lines().filter(|line| !line.trim_start().starts_with("//")).collect();
    // A letter in apostrophes does not begin a text.
    let source = lines.join("\n").replace("'\"'", "' '");
    let (mut found, mut text, mut letters) = (Vec::new(), None::<String>, source.chars());
    while let Some(letter) = letters.next() {
        match (letter, &mut text) {
            ('\\', Some(text)) => text.extend(letters.next()),
            ('"', Some(_)) => found.extend(text.take()),
            ('"', None) => text = Some(String::new()),
            (letter, Some(text)) => text.push(letter),
            (_, None) => {}
        }
    }
    found
}

/// Words with dots between their parts: `hardware.nic.preset`, `job.{index}.class`.
fn dotted(text: &str) -> Vec<String> {
    let is_part = |letter: char| letter.is_ascii_alphanumeric() || "_{}.".contains(letter);
    let words = text.split(|letter: char| !is_part(letter) && letter != '/' && letter != '-');
    let words = words
        .map(|word| word.trim_matches('.'))
        .filter(|word| word.contains('.') && !word.contains("..") && !word.contains(['/', '-']));
    words.map(str::to_owned).collect()
}

/// Every table that a schema may mean.
fn meanings<'s>(root: &'s Value, schema: &'s Value) -> Vec<&'s Value> {
    let mut found = vec![schema];
    if let Some(name) = schema["$ref"].as_str().and_then(|path| path.strip_prefix("#/$defs/")) {
        let name = name.replace("%20", " ");
        found.extend(meanings(root, &root["$defs"][&name]));
    }
    for several in ["anyOf", "oneOf", "allOf"] {
        for one in schema[several].as_array().into_iter().flatten() {
            found.extend(meanings(root, one));
        }
    }
    found
}

fn has(root: &Value, schema: &Value, path: &[&str]) -> bool {
    let Some((first, rest)) = path.split_first() else { return true };
    meanings(root, schema).into_iter().any(|table| {
        // A number, a name or a placeholder represents an entry of a list.
        let of_list = table.get("items").is_some_and(|items| has(root, items, rest) || has(root, items, path));
        let is_open = first.starts_with('{') && table["properties"].is_object();
        let of_table = table["properties"].get(*first).is_some_and(|next| has(root, next, rest));
        let of_map = table["additionalProperties"].is_object() && has(root, &table["additionalProperties"], rest);
        of_list || of_table || of_map || is_open
    })
}

#[test]
fn every_key_that_a_message_names_exists() {
    let schema = philae_scenario::schema();
    let firsts = first_parts(&schema);
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let (mut wrong, mut right) = (Vec::new(), 0);
    for name in CRATES {
        let mut files = Vec::new();
        sources(&crates.join(name).join("src"), &mut files);
        for file in files {
            let source = std::fs::read_to_string(&file).expect("readable");
            for word in texts(&source).iter().flat_map(|text| dotted(text)) {
                let parts: Vec<&str> = word.split('.').collect();
                let is_file = ["toml", "json", "pcapng", "ckpt", "html", "csv", "routes", "parquet", "rs", "et", "no"]
                    .contains(&parts[parts.len() - 1]);
                if !firsts.contains(parts[0]) || is_file {
                    continue;
                }
                if has(&schema, &schema, &parts) {
                    right += 1;
                } else {
                    wrong.push(format!("{}: {word}", file.strip_prefix(&crates).expect("below").display()));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "keys that no scenario has:\n{}", wrong.join("\n"));
    assert!(right > 60, "only {right} keys were looked at");
}

#[test]
fn a_key_that_does_not_exist_is_noticed() {
    let schema = philae_scenario::schema();
    for (key, exists) in [
        ("hardware.nic.payload_max_bytes", true),
        ("job.victim.workload.iterations", true),
        ("job.{index}.class", true),
        ("class.buffer_reserve_bytes", true),
        ("nic.payload_max_bytes", false),
        ("hardware.switch.buffer_bytes", false),
        ("job.victim.size", false),
    ] {
        let parts: Vec<&str> = key.split('.').collect();
        assert_eq!(has(&schema, &schema, &parts), exists, "{key}");
    }
    assert_eq!(dotted("lower `hardware.nic.x`, or 0.5, see docs/a.md."), ["hardware.nic.x", "0.5"]);
    assert_eq!(texts("let a = \"b\\\"c\"; // \"d\"\n// \"e\"\nlet q = '\"'; f(\"g\")"), ["b\"c", "d", "g"]);
}
