//! `philae schema`.

use crate::arguments::{CommonOptions, SchemaArguments};
use crate::failure::CommandFailure;
use crate::output;
use philae_results::text::{bold, table};
use serde_json::{Map, Value, json};
use std::process::ExitCode;

/// Prints the JSON Schema of a scenario, or one of the available lists.
pub fn run(arguments: &SchemaArguments, shared: &CommonOptions) -> Result<ExitCode, CommandFailure> {
    let what = &arguments.what;
    if what.workloads {
        let kinds = workloads();
        return if shared.json {
            output::print_json(&json!({ "workloads": kinds }))
        } else {
            output::print(&workloads_text(&kinds, shared.colour()))
        };
    }
    if what.assumptions {
        return if shared.json {
            output::print_json(&json!({ "assumptions": philae_scenario::assumed_values() }))
        } else {
            output::print(&philae_scenario::assumptions_markdown())
        };
    }
    if what.results {
        return if shared.json {
            output::print_json(&json!({ "tables": philae_results::tables() }))
        } else {
            output::print(&philae_results::schema_text())
        };
    }
    if what.keys {
        return if shared.json {
            output::print_json(&philae_scenario::schema())
        } else {
            output::print(&philae_scenario::keys_markdown())
        };
    }
    output::print_json(&philae_scenario::schema())
}

/// Kind, summary and keys of every workload.
fn workloads() -> Vec<Value> {
    let schema = philae_scenario::schema();
    let kinds = schema.pointer("/$defs/WorkloadSpec/oneOf").and_then(Value::as_array).cloned().unwrap_or_default();
    kinds.iter().map(workload).collect()
}

fn workload(kind: &Value) -> Value {
    let empty = Map::new();
    let properties = kind.get("properties").and_then(Value::as_object).unwrap_or(&empty);
    let name = properties.get("kind").and_then(|tag| tag.get("const")).cloned().unwrap_or_default();
    let keys = properties.iter().filter(|(key, _)| *key != "kind").map(|(key, schema)| {
        json!({
            "key": key,
            "default": schema.get("default").cloned().unwrap_or_default(),
            "description": schema.get("description").cloned().unwrap_or_default(),
        })
    });
    json!({
        "kind": name,
        "description": kind.get("description").cloned().unwrap_or_default(),
        "keys": keys.collect::<Vec<_>>(),
    })
}

fn workloads_text(kinds: &[Value], colour: bool) -> String {
    let text = |value: &Value| match value {
        Value::Null => "–".to_owned(),
        Value::String(text) => text.replace('\n', " "),
        other => other.to_string(),
    };
    let mut out = String::new();
    for kind in kinds {
        let rows: Vec<Vec<String>> = kind["keys"]
            .as_array()
            .into_iter()
            .flatten()
            .map(|key| vec![text(&key["key"]), text(&key["default"]), text(&key["description"])])
            .collect();
        out += &format!("{}: {}\n", bold(&text(&kind["kind"]), colour), text(&kind["description"]));
        if !rows.is_empty() {
            out += &table(&["key", "default", "what it is"], &rows, colour);
        }
        out.push('\n');
    }
    out
}
