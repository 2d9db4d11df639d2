//! Documents: stored durably, admitted before they take effect, and applied to their ports.

pub mod audit;
pub mod change_sets;
mod cost;
pub mod endpoints;
pub mod history;
pub mod keep;
pub mod lookup;
mod own;
pub mod pending;
pub mod report;
pub mod status;
pub mod transaction;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use philae_policy::{Composition, Document, DocumentChange, DocumentRef, DocumentSet};
use philae_store::{DocumentKey, Epoch, Hash, Revision, Snapshot, Store, StoreError, StoreOptions};

use crate::names::FabricNames;

/// The desired state, and its store.
#[derive(Debug)]
pub struct Documents {
    set: Arc<DocumentSet>,
    composition: Arc<Composition>,
    /// In memory if the manager has no state directory.
    store: Arc<Store>,
    pub(crate) names: Arc<FabricNames>,
    /// The revision and hash that a follower last read.
    read: Option<(u64, Hash)>,
    /// Why this manager could not record on disk that it leads.
    pub(crate) unpromoted: Option<StoreError>,
}

/// Why stored documents cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum StateError {
    /// The store cannot be opened.
    #[error("{}: {error}", .path.display())]
    Store {
        /// The path of the store.
        path: PathBuf,
        /// The store's error.
        error: StoreError,
    },
    /// The key of sessions cannot be read or made.
    #[error("{}: {problem}", .path.display())]
    Key {
        /// The path of the key.
        path: PathBuf,
        /// The reason.
        problem: String,
    },
    /// A stored document is invalid.
    #[error("{}: {document}: {problem}", .path.display())]
    Document {
        /// The path of the store.
        path: PathBuf,
        document: String,
        /// What is wrong with it.
        problem: String,
    },
}

/// The epoch of a manager that opens a store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Leading {
    /// The next one: it led before.
    Next,
    /// This one.
    At(u64),
    /// None: it follows.
    Not,
}

impl Documents {
    /// Opens the documents in a directory, with the epoch of a manager that begins now. Without a
    /// directory there are only the built-in documents, and the epoch is 1.
    ///
    /// # Errors
    /// When the store cannot be opened, or a document in it does not fit this version or this
    /// fabric.
    pub fn open(names: Arc<FabricNames>, directory: Option<&Path>) -> Result<(Self, u64), StateError> {
        Self::open_with(names, directory, Leading::Next)
    }

    /// As [`Self::open`], with an epoch from elsewhere, or none at all.
    ///
    /// # Errors
    /// As [`Self::open`].
    pub fn open_with(
        names: Arc<FabricNames>,
        directory: Option<&Path>,
        leading: Leading,
    ) -> Result<(Self, u64), StateError> {
        let path = directory.unwrap_or(Path::new("memory"));
        let failed = |error| StateError::Store { path: path.to_owned(), error };
        let store = match directory {
            Some(path) => Store::open(path, StoreOptions::default()).map_err(failed)?,
            None => Store::in_memory(StoreOptions::default()).map_err(failed)?,
        };
        let mut unpromoted = None;
        let epoch = match directory {
            Some(_) => {
                let promoted = match leading {
                    Leading::Next => store.promote().wait(),
                    Leading::At(epoch) => store.promote_to(Epoch(epoch)).wait(),
                    Leading::Not => Ok(store.snapshot().epoch()),
                };
                match promoted {
                    Ok(epoch) => epoch.0,
                    // The documents can be read, and the disk may have room again later.
                    Err(error @ StoreError::Disk { .. }) => {
                        unpromoted = Some(error);
                        store.snapshot().epoch().0
                    }
                    Err(error) => return Err(failed(error)),
                }
            }
            None => 1,
        };
        let composition = Composition::whole(&DocumentSet::default(), &*names);
        let set = Arc::new(DocumentSet::default());
        let mut documents =
            Self { set, composition: Arc::new(composition), store: Arc::new(store), names, read: None, unpromoted };
        documents.reload(path)?;
        Ok((documents, epoch))
    }

    /// Reads the store again, after another writer has changed it.
    ///
    /// # Errors
    /// When a document in it does not fit this version.
    pub fn reload(&mut self, path: &Path) -> Result<(), StateError> {
        let snapshot = self.store.snapshot();
        let set = documents_of(&snapshot).map_err(|(document, problem)| StateError::Document {
            path: path.to_owned(),
            document,
            problem,
        })?;
        let composition = Composition::whole(&set, &*self.names);
        self.replace(set, composition);
        self.read = Some((snapshot.revision().0, snapshot.head()));
        Ok(())
    }

    /// Whether another writer has changed the store since it was read.
    #[must_use]
    pub fn is_stale(&self) -> bool {
        let snapshot = self.store.snapshot();
        self.read != Some((snapshot.revision().0, snapshot.head()))
    }

    /// All documents.
    #[must_use]
    pub fn set(&self) -> &DocumentSet {
        &self.set
    }

    /// All documents, shared.
    #[must_use]
    pub fn set_shared(&self) -> Arc<DocumentSet> {
        Arc::clone(&self.set)
    }

    /// The configuration of each port and switch that follows from them.
    #[must_use]
    pub fn composition(&self) -> &Composition {
        &self.composition
    }

    /// The same, shared.
    #[must_use]
    pub fn composition_shared(&self) -> Arc<Composition> {
        Arc::clone(&self.composition)
    }

    /// The store of the documents.
    #[must_use]
    pub const fn store(&self) -> &Arc<Store> {
        &self.store
    }

    /// Replaces the documents: an admitted change is stored.
    pub(crate) fn replace(&mut self, set: DocumentSet, composition: Composition) {
        self.set = Arc::new(set);
        self.composition = Arc::new(composition);
    }

    /// Revision of the last change.
    #[must_use]
    pub fn revision(&self) -> u64 {
        self.store.snapshot().revision().0
    }

    /// When a revision was written, microseconds since 1970. If the log begins after it: the time
    /// at which the log begins, because the revision was not written later. `None` if there was
    /// none.
    #[must_use]
    pub fn written_micros(&self, revision: u64) -> Option<u64> {
        let before = Revision(revision.checked_sub(1)?);
        let entry = match self.store.entries_after(before, 1) {
            Ok(entries) => entries.into_iter().next(),
            Err(StoreError::Compacted { oldest, .. }) => {
                self.store.entries_after(Revision(oldest.0.saturating_sub(1)), 1).ok()?.into_iter().next()
            }
            Err(_) => None,
        };
        entry.map(|entry| entry.at)
    }

    /// The revision that last wrote a document; built-in ones have none.
    #[must_use]
    pub fn modified(&self, reference: &DocumentRef) -> Option<u64> {
        let key = DocumentKey::new(reference.kind.singular(), &reference.name).ok()?;
        self.store.snapshot().get(&key).map(|object| object.modified.0)
    }
}

/// The documents in a state of the store: everything except the manager's own records.
///
/// # Errors
/// The name of an invalid document, and what is wrong with it.
pub fn documents_of(snapshot: &Snapshot) -> Result<DocumentSet, (String, String)> {
    let mut changes = Vec::new();
    for (key, object) in snapshot.iter().filter(|(key, _)| !is_record(key)) {
        let text = String::from_utf8_lossy(&object.value);
        let document = Document::from_json(&text).map_err(|problems| {
            let problem = problems.first().map_or_else(String::new, ToString::to_string);
            (format!("{} {}", key.kind(), key.name()), problem)
        })?;
        changes.push(DocumentChange::Put(document));
    }
    Ok(DocumentSet::default().changed(&changes))
}

/// Whether a key belongs to a record of the manager itself, not to a document.
#[must_use]
pub fn is_record(key: &DocumentKey) -> bool {
    key.kind().starts_with('.')
}
