//! A document: its envelope, and how to read and write it.

use crate::problem::{PolicyCode, PolicyProblem, pointer_step};
use crate::schema;
use crate::spec::Spec;
use crate::{DocumentKind, DocumentRef};
use serde::Serialize;
use serde_json::Value;
use std::collections::BTreeMap;

/// The most characters of a name.
///
/// Source: DNS names. Status: assumed (names of links are two port names; nothing depends on it).
pub const NAME_MAX: usize = 253;

/// The operator's intent for one thing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Document {
    pub kind: DocumentKind,
    /// Unique within the kind.
    pub name: String,
    /// For selectors.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub labels: BTreeMap<String, String>,
    /// Its content.
    pub spec: Spec,
}

/// Whether a text is a valid document name: letters, digits, `-`, `_`, `.`, beginning with a letter
/// or digit.
#[must_use]
pub fn is_name(text: &str) -> bool {
    (1..=NAME_MAX).contains(&text.len())
        && text.starts_with(|letter: char| letter.is_ascii_alphanumeric())
        && text.chars().all(|letter| letter.is_ascii_alphanumeric() || "-_.".contains(letter))
}

/// Whether a text is a valid key of a label.
#[must_use]
pub fn is_label_key(text: &str) -> bool {
    (1..=63).contains(&text.len())
        && text.chars().all(|letter| letter.is_ascii_alphanumeric() || "-_./".contains(letter))
}

impl Document {
    /// A document without labels.
    #[must_use]
    pub fn new(name: &str, spec: Spec) -> Self {
        Self { kind: spec.kind(), name: name.to_owned(), labels: BTreeMap::new(), spec }
    }

    /// Its kind and name.
    #[must_use]
    pub fn reference(&self) -> DocumentRef {
        DocumentRef::new(self.kind, &self.name)
    }

    /// The document as JSON, without fields that have their default.
    #[must_use]
    pub fn to_value(&self) -> Value {
        serde_json::to_value(self).unwrap_or_default()
    }

    /// Reads JSON text.
    ///
    /// # Errors
    /// As [`Self::from_value`]; [`PolicyCode::Syntax`] if it is not JSON.
    pub fn from_json(text: &str) -> Result<Self, Vec<PolicyProblem>> {
        let value = serde_json::from_str(text);
        let value = value
            .map_err(|error| vec![PolicyProblem::new(PolicyCode::Syntax, "", format!("this is not JSON: {error}"))])?;
        Self::from_value(&value)
    }

    /// Reads a JSON value.
    ///
    /// # Errors
    /// All violations of its schema, each with its position.
    pub fn from_value(value: &Value) -> Result<Self, Vec<PolicyProblem>> {
        let kind_text = value.get("kind").and_then(Value::as_str);
        let Some(kind_text) = kind_text else {
            return Err(vec![
                PolicyProblem::new(PolicyCode::MissingField, "", "`kind` is missing").found(schema::short(value)),
            ]);
        };
        let Some(kind) = DocumentKind::parse(kind_text).filter(|kind| kind.singular() == kind_text) else {
            let known = DocumentKind::ALL.iter().map(|kind| kind.singular());
            let problem = PolicyProblem::new(PolicyCode::UnknownKind, "/kind", "there is no such kind of document");
            let works = known.clone().collect::<Vec<_>>().join(", ");
            return Err(vec![problem.found(format!("'{kind_text}'")).works(works).near(kind_text, known)]);
        };
        let name = value.get("name").and_then(Value::as_str).unwrap_or("");
        let reference = DocumentRef::new(kind, name);
        let mut problems = schema::problems(&schema::of(kind), value);
        if !name.is_empty() && !is_name(name) {
            let works = format!("1 to {NAME_MAX} letters, digits, '-', '_' or '.', the first a letter or digit,");
            problems.push(
                PolicyProblem::new(PolicyCode::BadName, "/name", "this is not a valid name")
                    .found(format!("'{name}'"))
                    .works(works),
            );
        }
        let labels: BTreeMap<String, String> =
            value.get("labels").and_then(|labels| serde_json::from_value(labels.clone()).ok()).unwrap_or_default();
        for (key, text) in &labels {
            if !is_label_key(key) || text.len() > 63 {
                let problem = PolicyProblem::new(
                    PolicyCode::BadName,
                    format!("/labels{}", pointer_step(key)),
                    "this is not a valid label",
                );
                problems.push(problem.found(format!("'{key}': '{text}'")).works(
                    "a key of 1 to 63 letters, digits, '-', '_', '.' or '/', and a value of at most 63 letters",
                ));
            }
        }
        if !problems.is_empty() {
            return Err(schema::mark(problems, &reference));
        }
        let empty = Value::Object(serde_json::Map::new());
        let spec = Spec::read(kind, value.get("spec").unwrap_or(&empty)).map_err(|error| {
            let steps = error.path().iter().map(|step| match step {
                serde_path_to_error::Segment::Seq { index } => format!("/{index}"),
                serde_path_to_error::Segment::Map { key } => pointer_step(key),
                serde_path_to_error::Segment::Enum { variant } => pointer_step(variant),
                serde_path_to_error::Segment::Unknown => String::new(),
            });
            let place = format!("/spec{}", steps.collect::<String>());
            let code = if place.ends_with("/selector") { PolicyCode::BadSelector } else { PolicyCode::Type };
            vec![PolicyProblem::new(code, place, error.inner().to_string()).of(&reference)]
        })?;
        Ok(Self { kind, name: name.to_owned(), labels, spec })
    }
}
