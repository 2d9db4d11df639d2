//! All documents of a fabric, including the built-in ones.

use crate::stock;
use crate::{Document, DocumentKind, DocumentRef};
use std::collections::BTreeMap;

/// One step of a change.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(clippy::large_enum_variant, reason = "changes are few")]
pub enum DocumentChange {
    /// Adds this document, or replaces the one of its name.
    Put(Document),
    /// Deletes the document of this name.
    Delete(DocumentRef),
}

impl DocumentChange {
    /// The document that it concerns.
    #[must_use]
    pub fn reference(&self) -> DocumentRef {
        match self {
            Self::Put(document) => document.reference(),
            Self::Delete(reference) => reference.clone(),
        }
    }
}

/// Documents by kind and name. Built-in documents always exist and cannot be replaced.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DocumentSet {
    documents: BTreeMap<DocumentRef, Document>,
}

impl Default for DocumentSet {
    fn default() -> Self {
        let stock = stock::documents().into_iter();
        Self { documents: stock.map(|document| (document.reference(), document)).collect() }
    }
}

impl DocumentSet {
    /// The document of this kind and name.
    #[must_use]
    pub fn get(&self, kind: DocumentKind, name: &str) -> Option<&Document> {
        self.documents.get(&DocumentRef::new(kind, name))
    }

    /// Whether the document exists.
    #[must_use]
    pub fn contains(&self, reference: &DocumentRef) -> bool {
        self.documents.contains_key(reference)
    }

    /// All documents, by kind and name.
    pub fn iter(&self) -> impl Iterator<Item = &Document> {
        self.documents.values()
    }

    /// The documents of one kind, by name.
    pub fn of(&self, kind: DocumentKind) -> impl Iterator<Item = &Document> {
        let first = DocumentRef { kind, name: String::new() };
        self.documents.range(first..).take_while(move |(reference, _)| reference.kind == kind).map(|(_, found)| found)
    }

    /// Whether a document is built in.
    #[must_use]
    pub fn is_stock(reference: &DocumentRef) -> bool {
        stock::NAMES.iter().any(|(kind, name)| *kind == reference.kind && *name == reference.name)
    }

    /// The set after a change, without any check. Built-in documents do not change.
    #[must_use]
    pub fn changed(&self, changes: &[DocumentChange]) -> Self {
        let mut after = self.clone();
        for change in changes.iter().filter(|change| !Self::is_stock(&change.reference())) {
            match change {
                DocumentChange::Put(document) => after.documents.insert(document.reference(), document.clone()),
                DocumentChange::Delete(reference) => after.documents.remove(reference),
            };
        }
        after
    }

    /// The topology policy in force: the first active one by name, or the built-in one.
    #[must_use]
    pub fn active_topology(&self) -> Option<&Document> {
        let is_active = |document: &&Document| {
            matches!(&document.spec, crate::Spec::TopologyPolicy(spec) if spec.active)
                && document.name != stock::TEMPLATE_POLICY
        };
        self.of(DocumentKind::TopologyPolicy)
            .find(is_active)
            .or_else(|| self.get(DocumentKind::TopologyPolicy, stock::TEMPLATE_POLICY))
    }
}
