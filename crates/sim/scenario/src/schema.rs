//! The JSON Schema of a scenario: for the completion of editors, and for the detection of unknown
//! keys.

use crate::tree::Scenario;
use schemars::generate::SchemaSettings;
use serde_json::{Map, Value};
use std::sync::LazyLock;

/// The JSON Schema (draft 2020-12) of a scenario file.
#[must_use]
pub fn schema() -> Value {
    known_schema().clone()
}

/// The same, made once: every scenario that is read is checked by it.
pub(crate) fn known_schema() -> &'static Value {
    static KNOWN: LazyLock<Value> = LazyLock::new(make);
    &KNOWN
}

fn make() -> Value {
    let mut schema = SchemaSettings::draft2020_12().into_generator().into_root_schema_for::<Scenario>().to_value();
    let definitions = schema.get("$defs").and_then(Value::as_object).cloned().unwrap_or_default();
    merge_tagged(&mut schema, &definitions);
    schema
}

/// Joins the keys of a referenced table with those next to the reference.
///
/// A kind of workload is written as a reference with `kind` next to it. The referenced table
/// refuses keys that it does not name, including `kind`, so the two must become one table.
fn merge_tagged(value: &mut Value, definitions: &Map<String, Value>) {
    match value {
        Value::Array(list) => list.iter_mut().for_each(|entry| merge_tagged(entry, definitions)),
        Value::Object(table) => {
            if table.contains_key("properties") {
                let target = table.get("$ref").and_then(Value::as_str).and_then(|path| path.strip_prefix("#/$defs/"));
                if let Some(Value::Object(target)) = target.and_then(|name| definitions.get(name)).cloned() {
                    table.remove("$ref");
                    merge(table, target);
                }
            }
            table.values_mut().for_each(|entry| merge_tagged(entry, definitions));
        }
        _ => {}
    }
}

fn merge(table: &mut Map<String, Value>, other: Map<String, Value>) {
    for (key, value) in other {
        match (table.get_mut(&key), value) {
            (Some(Value::Object(properties)), Value::Object(more)) if key == "properties" => properties.extend(more),
            (Some(Value::Array(required)), Value::Array(more)) if key == "required" => required.extend(more),
            (Some(_), _) => {}
            (None, value) => {
                table.insert(key, value);
            }
        }
    }
}
