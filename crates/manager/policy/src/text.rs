//! Many documents as text: JSON and YAML, always in the same order, so that two exports of one set
//! are equal.

use crate::problem::{PolicyCode, PolicyProblem};
use crate::{Document, DocumentSet};
use serde_json::Value;
use std::fmt::Write;

fn own(set: &DocumentSet) -> impl Iterator<Item = &Document> {
    set.iter().filter(|document| !DocumentSet::is_stock(&document.reference()))
}

/// All documents that are not built in, as a JSON list, by kind and name.
#[must_use]
pub fn to_json(set: &DocumentSet) -> String {
    let list: Vec<Value> = own(set).map(Document::to_value).collect();
    format!("{:#}\n", Value::Array(list))
}

/// The same as YAML, one YAML document for each.
#[must_use]
pub fn to_yaml(set: &DocumentSet) -> String {
    let mut text = String::new();
    for document in own(set) {
        text.push_str("---\n");
        let value = document.to_value();
        // Its identity comes first, regardless of the alphabet.
        for key in ["kind", "name", "labels", "spec"] {
            if let Some(inner) = value.get(key) {
                text.push_str(key);
                write_below(inner, 0, &mut text);
            }
        }
    }
    text
}

/// Writes the value after a key.
fn write_below(value: &Value, indent: usize, text: &mut String) {
    match value {
        Value::Object(table) if !table.is_empty() => {
            text.push_str(":\n");
            for (key, inner) in table {
                let _ = write!(text, "{:1$}{2}", "", indent + 2, Scalar(key));
                write_below(inner, indent + 2, text);
            }
        }
        Value::Array(list) if !list.is_empty() => {
            text.push_str(":\n");
            for inner in list {
                // YAML includes JSON, so an entry of a list stays on one line.
                let _ = writeln!(text, "{:1$}- {2}", "", indent + 2, Inline(inner));
            }
        }
        other => {
            let _ = writeln!(text, ": {}", Inline(other));
        }
    }
}

struct Inline<'a>(&'a Value);

impl std::fmt::Display for Inline<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.0 {
            Value::String(text) => Scalar(text).fmt(f),
            other => other.fmt(f),
        }
    }
}

/// A text, in quotes unless it is unambiguous without them.
struct Scalar<'a>(&'a str);

impl std::fmt::Display for Scalar<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let text = self.0;
        let words = ["y", "n", "yes", "no", "on", "off", "true", "false", "null", "nan", "inf"];
        let is_plain = text.starts_with(|letter: char| letter.is_ascii_alphabetic())
            && text.chars().all(|letter| letter.is_ascii_alphanumeric() || "-_./".contains(letter))
            && !words.contains(&text.to_ascii_lowercase().as_str());
        if is_plain { f.write_str(text) } else { Value::from(text).fmt(f) }
    }
}

/// Reads documents of a JSON list, or one document.
///
/// # Errors
/// All problems of all documents.
pub fn from_json(text: &str) -> Result<Vec<Document>, Vec<PolicyProblem>> {
    match serde_json::from_str(text) {
        Ok(Value::Array(list)) => read(&list),
        Ok(one) => read(&[one]),
        Err(error) => Err(vec![PolicyProblem::new(PolicyCode::Syntax, "", format!("this is not JSON: {error}"))]),
    }
}

/// Reads documents from a YAML text; each YAML document is one document or a list.
///
/// # Errors
/// All problems of all documents.
pub fn from_yaml(text: &str) -> Result<Vec<Document>, Vec<PolicyProblem>> {
    let values: Vec<Value> = serde_saphyr::from_multiple(text)
        .map_err(|error| vec![PolicyProblem::new(PolicyCode::Syntax, "", format!("this is not YAML: {error}"))])?;
    let list = values.into_iter().flat_map(|value| match value {
        Value::Array(list) => list,
        one => vec![one],
    });
    read(&list.collect::<Vec<_>>())
}

fn read(list: &[Value]) -> Result<Vec<Document>, Vec<PolicyProblem>> {
    let mut problems = Vec::new();
    let mut documents = Vec::new();
    for value in list {
        match Document::from_value(value) {
            Ok(document) => documents.push(document),
            Err(found) => problems.extend(found),
        }
    }
    if problems.is_empty() { Ok(documents) } else { Err(problems) }
}
