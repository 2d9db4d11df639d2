//! A small fabric, and documents from JSON.

use philae_policy::{Document, DocumentChange, DocumentSet};
use philae_topology::{DragonflyDescription, Topology};
use serde_json::{Value, json};

/// 4 groups of 4 switches, 2 NICs each, one link per pair of groups.
pub fn small() -> Topology {
    Topology::build(&DragonflyDescription::uniform(4, 4, 2, 1).into()).expect("legal")
}

pub fn document(kind: &str, name: &str, spec: Value) -> Document {
    Document::from_value(&json!({ "kind": kind, "name": name, "spec": spec })).expect("valid")
}

pub fn put(kind: &str, name: &str, spec: Value) -> DocumentChange {
    DocumentChange::Put(document(kind, name, spec))
}

pub fn set(changes: &[DocumentChange]) -> DocumentSet {
    DocumentSet::default().changed(changes)
}
