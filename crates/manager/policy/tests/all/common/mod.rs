//! A small fabric, and documents from JSON.

use philae_policy::{Change, Document, DocumentSet};
use philae_topology::{DragonflyDescription, Topology};
use serde_json::{Value, json};

/// 4 groups of 4 switches, 2 NICs each, one link per pair of groups.
pub fn small() -> Topology {
    Topology::build(&DragonflyDescription::uniform(4, 4, 2, 1).into()).expect("legal")
}

pub fn document(kind: &str, name: &str, spec: Value) -> Document {
    Document::from_value(&json!({ "kind": kind, "name": name, "spec": spec })).expect("valid")
}

pub fn put(kind: &str, name: &str, spec: Value) -> Change {
    Change::Put(document(kind, name, spec))
}

pub fn set(changes: &[Change]) -> DocumentSet {
    DocumentSet::default().changed(changes)
}
