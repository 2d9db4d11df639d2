//! The JSON Schema of documents, and the check against it before a document is read: finds all
//! problems, each with its position.

use crate::problem::{PolicyCode, PolicyProblem, pointer_step};
use crate::spec::Spec;
use crate::{DocumentKind, DocumentRef};
use schemars::generate::SchemaSettings;
use serde_json::{Map, Value, json};

/// The JSON Schema (2020-12) of the documents of one kind.
#[must_use]
pub fn of(kind: DocumentKind) -> Value {
    let mut generator = SchemaSettings::draft2020_12().into_generator();
    let spec = Spec::schema(kind, &mut generator).to_value();
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": kind.singular(),
        "type": "object",
        "additionalProperties": false,
        "required": ["kind", "name"],
        "properties": {
            "kind": { "const": kind.singular() },
            "name": { "type": "string", "minLength": 1, "maxLength": crate::document::NAME_MAX },
            "labels": { "type": "object", "additionalProperties": { "type": "string" } },
            "spec": spec,
        },
        "$defs": generator.take_definitions(true),
    })
}

/// The schemas of all kinds, by kind.
#[must_use]
pub fn all() -> Value {
    Value::Object(DocumentKind::ALL.iter().map(|kind| (kind.singular().to_owned(), of(*kind))).collect())
}

/// All violations of the schema in `value`.
#[must_use]
pub(crate) fn problems(schema: &Value, value: &Value) -> Vec<PolicyProblem> {
    let mut found = Vec::new();
    let empty = Map::new();
    let definitions = schema.get("$defs").and_then(Value::as_object).unwrap_or(&empty);
    Checker { definitions }.check(schema, value, "", &mut found);
    found
}

struct Checker<'a> {
    definitions: &'a Map<String, Value>,
}

impl<'a> Checker<'a> {
    fn resolve(&self, schema: &'a Value) -> &'a Value {
        let name = schema.get("$ref").and_then(Value::as_str).and_then(|path| path.rsplit('/').next());
        name.and_then(|name| self.definitions.get(name)).unwrap_or(schema)
    }

    fn check(&self, schema: &'a Value, value: &Value, at: &str, found: &mut Vec<PolicyProblem>) {
        let schema = self.resolve(schema);
        if let Some(words) = words(schema) {
            return check_word(&words, value, at, found);
        }
        if let Some(choices) = schema.get("anyOf").or_else(|| schema.get("oneOf")).and_then(Value::as_array) {
            return self.check_choices(choices, value, at, found);
        }
        if let Some(types) = types(schema).filter(|types| !types.iter().any(|name| is_type(name, value))) {
            let names: Vec<&str> = types.iter().filter(|name| **name != "null").copied().collect();
            let problem = PolicyProblem::new(PolicyCode::Type, at, "this is of another type").found(short(value));
            // `9.0` in YAML or TOML is a number, `true` is no text.
            let read_as = match value {
                Value::Number(_) => Some("a number"),
                Value::Bool(_) => Some("true or false"),
                _ => None,
            };
            found.push(problem.works(match read_as.filter(|_| names.contains(&"string")) {
                Some(what) => format!("text in quotes, such as \"{}\": without them it is {what}", short(value)),
                None => format!("a value of type {}", names.join(" or ")),
            }));
            return;
        }
        match value {
            Value::Object(table) => self.check_table(schema, table, at, found),
            Value::Array(list) => {
                if let Some(items) = schema.get("items") {
                    for (index, entry) in list.iter().enumerate() {
                        self.check(items, entry, &format!("{at}/{index}"), found);
                    }
                }
            }
            Value::Number(number) => {
                let bound = |key| schema.get(key).and_then(Value::as_f64);
                let (least, most) = (bound("minimum"), bound("maximum"));
                let number = number.as_f64().unwrap_or(f64::MAX);
                if least.is_some_and(|least| number < least) || most.is_some_and(|most| number > most) {
                    let problem = PolicyProblem::new(PolicyCode::OutOfRange, at, "this is out of range").found(value);
                    found.push(problem.works(match (least, most) {
                        (Some(least), Some(most)) => format!("{least} to {most}"),
                        (Some(least), None) => format!("{least} or more"),
                        (None, most) => format!("at most {}", most.unwrap_or_default()),
                    }));
                }
            }
            _ => {}
        }
    }

    fn check_choices(&self, choices: &'a [Value], value: &Value, at: &str, found: &mut Vec<PolicyProblem>) {
        let mut problems: Option<Vec<PolicyProblem>> = None;
        for choice in choices {
            let mut inside = Vec::new();
            self.check(choice, value, at, &mut inside);
            if inside.is_empty() {
                return;
            }
            let is_null = choice.get("type").and_then(Value::as_str) == Some("null");
            if !is_null {
                problems.get_or_insert(inside);
            }
        }
        found.extend(problems.unwrap_or_default());
    }

    fn check_table(&self, schema: &'a Value, table: &Map<String, Value>, at: &str, found: &mut Vec<PolicyProblem>) {
        let empty = Map::new();
        let properties = schema.get("properties").and_then(Value::as_object);
        for (key, entry) in table {
            let place = format!("{at}{}", pointer_step(key));
            match (properties.and_then(|known| known.get(key)), schema.get("additionalProperties")) {
                (Some(inner), _) => self.check(inner, entry, &place, found),
                (None, Some(Value::Bool(false))) => {
                    let known: Vec<&str> = properties.unwrap_or(&empty).keys().map(String::as_str).collect();
                    let problem = PolicyProblem::new(PolicyCode::UnknownField, place, "there is no such key");
                    found.push(problem.found(format!("'{key}'")).works(known.join(", ")).near(key, known));
                }
                (None, Some(inner @ Value::Object(_))) => self.check(inner, entry, &place, found),
                (None, _) => {}
            }
        }
        for key in schema.get("required").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str) {
            if !table.contains_key(key) {
                found.push(PolicyProblem::new(PolicyCode::MissingField, at, format!("`{key}` is missing")));
            }
        }
    }
}

/// The words of an enumeration. Each may be a schema of its own, with its documentation.
fn words(schema: &Value) -> Option<Vec<&str>> {
    if let Some(choices) = schema.get("oneOf").and_then(Value::as_array) {
        return choices.iter().map(words).collect::<Option<Vec<_>>>().map(|words| words.concat());
    }
    if let Some(word) = schema.get("const") {
        return Some(vec![word.as_str()?]);
    }
    schema.get("enum").and_then(Value::as_array).map(|words| words.iter().filter_map(Value::as_str).collect())
}

fn check_word(words: &[&str], value: &Value, at: &str, found: &mut Vec<PolicyProblem>) {
    if value.as_str().is_some_and(|word| words.contains(&word)) {
        return;
    }
    let problem = PolicyProblem::new(PolicyCode::Type, at, "this is not one of the allowed words");
    let near = value.as_str().unwrap_or("");
    found.push(problem.found(short(value)).works(words.join(", ")).near(near, words.iter().copied()));
}

fn types(schema: &Value) -> Option<Vec<&str>> {
    match schema.get("type")? {
        Value::String(name) => Some(vec![name]),
        Value::Array(names) => Some(names.iter().filter_map(Value::as_str).collect()),
        _ => None,
    }
}

fn is_type(name: &str, value: &Value) -> bool {
    match name {
        "null" => value.is_null(),
        "boolean" => value.is_boolean(),
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        "string" => value.is_string(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        _ => true,
    }
}

/// A value, shortened for a message.
pub(crate) fn short(value: &Value) -> String {
    let text = value.to_string();
    if text.chars().count() <= 60 { text } else { format!("{}...", text.chars().take(57).collect::<String>()) }
}

/// Sets the document of problems.
pub(crate) fn mark(problems: Vec<PolicyProblem>, document: &DocumentRef) -> Vec<PolicyProblem> {
    problems.into_iter().map(|problem| problem.of(document)).collect()
}
