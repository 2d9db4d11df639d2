//! Differences between two sets by field, and patches.

use crate::problem::{PolicyCode, PolicyProblem, pointer_step};
use crate::{Document, DocumentRef, DocumentSet};
use serde::Serialize;
use serde_json::Value;
use std::collections::BTreeSet;

/// One field that differs.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SpecDifference {
    /// Its JSON pointer.
    pub pointer: String,
    /// The value before; `None` if it was absent.
    pub before: Option<Value>,
    /// The value after; `None` if it is absent.
    pub after: Option<Value>,
}

/// One document that differs.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct DocumentDifference {
    pub document: DocumentRef,
    /// Whether it existed before.
    pub was_there: bool,
    /// Whether it exists after.
    pub is_there: bool,
    /// Fields that differ, in the order of their names.
    pub fields: Vec<SpecDifference>,
}

/// The documents that differ, by kind and name. Built-in documents never differ.
#[must_use]
pub fn difference(before: &DocumentSet, after: &DocumentSet) -> Vec<DocumentDifference> {
    let names: BTreeSet<DocumentRef> = before.iter().chain(after.iter()).map(Document::reference).collect();
    let one = |reference: DocumentRef| {
        let (old, new) = (before.get(reference.kind, &reference.name), after.get(reference.kind, &reference.name));
        if old == new {
            return None;
        }
        let (was_there, is_there) = (old.is_some(), new.is_some());
        let value = |document: Option<&Document>| document.map(Document::to_value).unwrap_or_default();
        let mut fields = Vec::new();
        compare(&value(old), &value(new), "", &mut fields);
        fields.retain(|field| field.pointer != "/kind" && field.pointer != "/name");
        Some(DocumentDifference { document: reference, was_there, is_there, fields })
    };
    names.into_iter().filter_map(one).collect()
}

/// Compares lists as a whole, because the position of an entry has no meaning by itself.
fn compare(before: &Value, after: &Value, at: &str, fields: &mut Vec<SpecDifference>) {
    let empty = serde_json::Map::new();
    let (old, new) = match (before, after) {
        (Value::Object(old), Value::Object(new)) => (old, new),
        (Value::Object(old), Value::Null) => (old, &empty),
        (Value::Null, Value::Object(new)) => (&empty, new),
        _ if before == after => return,
        _ => {
            let present = |value: &Value| (!value.is_null()).then(|| value.clone());
            fields.push(SpecDifference { pointer: at.to_owned(), before: present(before), after: present(after) });
            return;
        }
    };
    for key in old.keys().chain(new.keys()).collect::<BTreeSet<_>>() {
        let value = |table: &serde_json::Map<String, Value>| table.get(key).cloned().unwrap_or_default();
        compare(&value(old), &value(new), &format!("{at}{}", pointer_step(key)), fields);
    }
}

/// A change of one document in text form.
#[derive(Clone, Debug, PartialEq)]
pub enum Patch {
    /// RFC 7396.
    Merge(Value),
    /// RFC 6902.
    Json(Value),
}

impl Patch {
    /// The document after the patch.
    ///
    /// # Errors
    /// As [`merge_patch`] and [`json_patch`].
    pub fn apply(&self, document: &Document) -> Result<Document, Vec<PolicyProblem>> {
        match self {
            Self::Merge(patch) => merge_patch(document, patch),
            Self::Json(patch) => json_patch(document, patch),
        }
    }
}

/// Applies a JSON merge patch (RFC 7396), in which `null` removes a field.
///
/// # Errors
/// The problems of the result; [`PolicyCode::Immutable`] if the kind or the name would change.
pub fn merge_patch(document: &Document, patch: &Value) -> Result<Document, Vec<PolicyProblem>> {
    let mut value = document.to_value();
    json_patch::merge(&mut value, patch);
    reread(document, &value)
}

/// Applies a JSON patch (RFC 6902) completely or not at all.
///
/// # Errors
/// [`PolicyCode::BadPatch`] if it is no patch or does not apply; otherwise as [`merge_patch`].
pub fn json_patch(document: &Document, patch: &Value) -> Result<Document, Vec<PolicyProblem>> {
    let bad = |place: String, message: String| {
        vec![PolicyProblem::new(PolicyCode::BadPatch, place, message).of(&document.reference())]
    };
    let works = "a list of operations as RFC 6902 has them";
    let patch: json_patch::Patch = serde_json::from_value(patch.clone())
        .map_err(|error| bad(String::new(), format!("this is not a JSON patch ({error}); {works} would work")))?;
    let mut value = document.to_value();
    json_patch::patch(&mut value, &patch).map_err(|error| {
        bad(error.path.to_string(), format!("operation {} does not apply: {}", error.operation, error.kind))
    })?;
    reread(document, &value)
}

fn reread(document: &Document, value: &Value) -> Result<Document, Vec<PolicyProblem>> {
    let before = document.reference();
    for (key, expected) in [("kind", before.kind.singular()), ("name", before.name.as_str())] {
        let found = value.get(key);
        if found.and_then(Value::as_str) != Some(expected) {
            let problem =
                PolicyProblem::new(PolicyCode::Immutable, format!("/{key}"), format!("the {key} cannot be changed"));
            let found = found.map_or_else(|| "nothing".to_owned(), crate::schema::short);
            return Err(vec![problem.found(found).works(format!("'{expected}'")).of(&before)]);
        }
    }
    Document::from_value(value)
}
