//! Documents: kept durably, admitted before they count, and brought to the ports that they are about.

pub mod endpoints;
pub mod explain;
mod keep;
mod own;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use philae_intent::{Change, Composition, Document, DocumentRef, DocumentSet};
use philae_store::{Key, Options, Store, StoreError};

use crate::names::FabricNames;

/// What the operator wants, and where it is kept.
#[derive(Debug)]
pub struct Documents {
    set: DocumentSet,
    composition: Composition,
    /// Nothing where documents are forgotten when the manager ends.
    store: Option<Store>,
    pub(crate) names: Arc<FabricNames>,
}

/// Documents that cannot be taken from where they are kept.
#[derive(Debug, thiserror::Error)]
pub enum StateError {
    /// The store cannot be opened.
    #[error("{}: {error}", .path.display())]
    Store {
        /// Where it is.
        path: PathBuf,
        /// Why.
        error: StoreError,
    },
    /// A kept document is none.
    #[error("{}: {document}: {problem}", .path.display())]
    Document {
        /// Where the store is.
        path: PathBuf,
        /// Which.
        document: String,
        /// What is wrong with it.
        problem: String,
    },
}

impl Documents {
    /// Those that are kept in a directory, with the epoch of a manager that begins now; only the built-in ones where none is
    /// named, for a manager of epoch 1.
    ///
    /// # Errors
    /// When the store cannot be opened, or a document in it does not fit this version or this fabric.
    pub fn open(names: Arc<FabricNames>, directory: Option<&Path>) -> Result<(Self, u64), StateError> {
        let mut set = DocumentSet::default();
        let mut epoch = 1;
        let mut store = None;
        if let Some(path) = directory {
            let failed = |error| StateError::Store { path: path.to_owned(), error };
            let opened = Store::open(path, Options::default()).map_err(failed)?;
            epoch = opened.promote().wait().map_err(failed)?.0;
            let snapshot = opened.snapshot();
            let mut changes = Vec::new();
            for (key, object) in snapshot.iter() {
                let name = format!("{} {}", key.kind(), key.name());
                let text = String::from_utf8_lossy(&object.value);
                let document = Document::from_json(&text).map_err(|problems| StateError::Document {
                    path: path.to_owned(),
                    document: name,
                    problem: problems.first().map_or_else(String::new, ToString::to_string),
                })?;
                changes.push(Change::Put(document));
            }
            set = set.changed(&changes);
            store = Some(opened);
        }
        let composition = Composition::whole(&set, &*names);
        Ok((Self { set, composition, store, names }, epoch))
    }

    /// All documents.
    #[must_use]
    pub const fn set(&self) -> &DocumentSet {
        &self.set
    }

    /// What follows from them for each port.
    #[must_use]
    pub const fn composition(&self) -> &Composition {
        &self.composition
    }

    /// Revision of the last change; 0 where nothing is kept.
    #[must_use]
    pub fn revision(&self) -> u64 {
        self.store.as_ref().map_or(0, |store| store.snapshot().revision().0)
    }

    /// The revision that last wrote a document; built-in ones have none.
    fn modified(&self, reference: &DocumentRef) -> Option<u64> {
        let key = Key::new(reference.kind.singular(), &reference.name).ok()?;
        self.store.as_ref()?.snapshot().get(&key).map(|object| object.modified.0)
    }
}
