//! Documents: kept durably, admitted before they count, and brought to the ports that they are about.

pub mod endpoints;
pub(crate) mod keep;
mod own;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use philae_intent::{Change, Composition, Document, DocumentRef, DocumentSet};
use philae_store::{Epoch, Key, Options, Store, StoreError};

use crate::names::FabricNames;

/// What the operator wants, and where it is kept.
#[derive(Debug)]
pub struct Documents {
    set: DocumentSet,
    composition: Composition,
    /// Nothing where documents are forgotten when the manager ends.
    store: Option<Arc<Store>>,
    pub(crate) names: Arc<FabricNames>,
    /// The revision that they were read at last, by who follows.
    read: u64,
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
    /// The key of sessions cannot be had.
    #[error("{}: {problem}", .path.display())]
    Key {
        /// Where it is kept.
        path: PathBuf,
        /// Why.
        problem: String,
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

/// The epoch that whoever opens a store leads with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Leading {
    /// The next: it led before.
    Next,
    /// This one.
    At(u64),
    /// None: it follows.
    Not,
}

/// The documents in a store.
fn kept(path: &Path, store: &Store) -> Result<DocumentSet, StateError> {
    let snapshot = store.snapshot();
    let mut changes = Vec::new();
    for (key, object) in snapshot.iter() {
        let text = String::from_utf8_lossy(&object.value);
        let document = Document::from_json(&text).map_err(|problems| StateError::Document {
            path: path.to_owned(),
            document: format!("{} {}", key.kind(), key.name()),
            problem: problems.first().map_or_else(String::new, ToString::to_string),
        })?;
        changes.push(Change::Put(document));
    }
    Ok(DocumentSet::default().changed(&changes))
}

impl Documents {
    /// Those that are kept in a directory, with the epoch of a manager that begins now; only the built-in ones where none is
    /// named, for a manager of epoch 1.
    ///
    /// # Errors
    /// When the store cannot be opened, or a document in it does not fit this version or this fabric.
    pub fn open(names: Arc<FabricNames>, directory: Option<&Path>) -> Result<(Self, u64), StateError> {
        Self::open_with(names, directory, Leading::Next)
    }

    /// As [`Self::open`], with an epoch that was drawn elsewhere, or none at all.
    ///
    /// # Errors
    /// As [`Self::open`].
    pub fn open_with(
        names: Arc<FabricNames>,
        directory: Option<&Path>,
        leading: Leading,
    ) -> Result<(Self, u64), StateError> {
        let mut set = DocumentSet::default();
        let mut epoch = 1;
        let mut store = None;
        if let Some(path) = directory {
            let failed = |error| StateError::Store { path: path.to_owned(), error };
            let opened = Store::open(path, Options::default()).map_err(failed)?;
            epoch = match leading {
                Leading::Next => opened.promote().wait(),
                Leading::At(epoch) => opened.promote_to(Epoch(epoch)).wait(),
                Leading::Not => Ok(opened.snapshot().epoch()),
            }
            .map_err(failed)?
            .0;
            set = kept(path, &opened)?;
            store = Some(Arc::new(opened));
        }
        let composition = Composition::whole(&set, &*names);
        let read = store.as_ref().map_or(0, |store| store.snapshot().revision().0);
        Ok((Self { set, composition, store, names, read }, epoch))
    }

    /// What the store holds now, where somebody else has written to it.
    ///
    /// # Errors
    /// When a document in it does not fit this version.
    pub fn reload(&mut self, directory: &Path) -> Result<(), StateError> {
        if let Some(store) = &self.store {
            let revision = store.snapshot().revision().0;
            self.set = kept(directory, store)?;
            self.composition = Composition::whole(&self.set, &*self.names);
            self.read = revision;
        }
        Ok(())
    }

    /// Whether somebody else has written to the store since.
    #[must_use]
    pub fn is_stale(&self) -> bool {
        self.revision() != self.read
    }

    /// Where they are kept; nothing where they are forgotten at the end.
    #[must_use]
    pub fn store_shared(&self) -> Option<Arc<Store>> {
        self.store.clone()
    }

    /// All documents.
    #[must_use]
    pub const fn set(&self) -> &DocumentSet {
        &self.set
    }

    /// Others from now on: an admitted change has been kept.
    pub(crate) fn replace(&mut self, set: DocumentSet, composition: Composition) {
        self.set = set;
        self.composition = composition;
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
    pub(crate) fn modified(&self, reference: &DocumentRef) -> Option<u64> {
        let key = Key::new(reference.kind.singular(), &reference.name).ok()?;
        self.store.as_ref()?.snapshot().get(&key).map(|object| object.modified.0)
    }
}
