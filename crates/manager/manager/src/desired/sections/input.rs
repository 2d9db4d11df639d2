//! What sections are built from.

use std::collections::BTreeMap;
use std::sync::Arc;

use philae_agent::SectionItems;
use philae_policy::{Composition, DocumentSet};

use crate::desired::trees::MulticastGroups;
use crate::names::FabricNames;

#[derive(Clone, Copy)]
pub struct SectionInput<'a> {
    /// The documents.
    pub set: &'a DocumentSet,
    /// The configuration of ports and switches that follows from them.
    pub composition: &'a Composition,
    /// The fabric.
    pub names: &'a FabricNames,
    /// The trees of multicasts.
    pub trees: &'a MulticastGroups,
}

/// Sections by their input, each built once.
pub struct BuiltSections<K> {
    known: BTreeMap<K, Arc<SectionItems>>,
}

impl<K: Ord> BuiltSections<K> {
    /// Empty.
    pub const fn new() -> Self {
        Self { known: BTreeMap::new() }
    }

    /// The section of an input; `make` builds it the first time.
    pub fn get(&mut self, key: K, make: impl FnOnce(&K) -> SectionItems) -> Arc<SectionItems> {
        if let Some(known) = self.known.get(&key) {
            return Arc::clone(known);
        }
        let made = Arc::new(make(&key));
        self.known.insert(key, Arc::clone(&made));
        made
    }
}
