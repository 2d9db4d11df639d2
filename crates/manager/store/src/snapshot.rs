//! The readers' view: every document as of one revision, immutable, shared.

use crate::key::DocumentKey;
use crate::log::{Epoch, Hash};
use crate::object::{Object, Revision};
use rpds::RedBlackTreeMapSync;
use serde::{Deserialize, Serialize};
use std::ops::Bound;
use std::sync::Arc;

/// Documents by key, in a map whose copies share equal parts.
pub(crate) type Objects = RedBlackTreeMapSync<DocumentKey, Object>;

/// The store's own record, as on the disk.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct StoreRecord {
    /// The newest revision.
    pub revision: Revision,
    /// The hash of its entry; [`StoreRecord::origin`] if there is none.
    pub head: Hash,
    /// The mark of this history, drawn when its first store was created.
    pub origin: Hash,
    /// The epoch with which this store leads, if it does.
    pub leads: Option<Epoch>,
    /// The latest known epoch.
    pub known: Epoch,
    /// The oldest revision in the log; one past the newest if the log is empty.
    pub oldest: Revision,
}

/// Documents and state, which are published together.
#[derive(Clone, Debug)]
pub(crate) struct View {
    pub state: StoreRecord,
    pub objects: Objects,
}

/// Every document as of one revision. Cheap to clone; never changes; holding one delays no writer.
#[derive(Clone, Debug)]
pub struct Snapshot {
    view: Arc<View>,
}

/// A part of a list, and where the next one begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListPage {
    /// Documents in the order of their names.
    pub items: Vec<(DocumentKey, Object)>,
    /// The name after which the list continues, if it does.
    pub next: Option<String>,
}

impl Snapshot {
    pub(crate) const fn new(view: Arc<View>) -> Self {
        Self { view }
    }

    /// The revision whose result this is.
    #[must_use]
    pub fn revision(&self) -> Revision {
        self.view.state.revision
    }

    /// The oldest revision in the log when the snapshot was taken: history and watches reach back
    /// to the one before it.
    #[must_use]
    pub fn oldest(&self) -> Revision {
        self.view.state.oldest
    }

    /// The latest epoch known when the snapshot was taken.
    #[must_use]
    pub fn epoch(&self) -> Epoch {
        self.view.state.known
    }

    /// The hash of the newest entry: two stores with the same hash have the same history.
    #[must_use]
    pub fn head(&self) -> Hash {
        self.view.state.head
    }

    /// Whether the store led, and so accepted its own changes, when the snapshot was taken.
    #[must_use]
    pub fn is_leader(&self) -> bool {
        self.view.state.leads == Some(self.view.state.known)
    }

    /// The number of documents.
    #[must_use]
    pub fn len(&self) -> usize {
        self.view.objects.size()
    }

    /// Whether there is no document.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.view.objects.is_empty()
    }

    /// The document under `key`.
    #[must_use]
    pub fn get(&self, key: &DocumentKey) -> Option<&Object> {
        self.view.objects.get(key)
    }

    /// Documents of one kind whose names start with `prefix`, after the name `after`, at most
    /// `limit`.
    #[must_use]
    pub fn list(&self, kind: &str, prefix: &str, after: Option<&str>, limit: usize) -> ListPage {
        let mut found = self.walk(kind, prefix, after);
        let items: Vec<(DocumentKey, Object)> =
            found.by_ref().take(limit).map(|(key, object)| (key.clone(), object.clone())).collect();
        let next = match (items.last(), found.next()) {
            (Some((key, _)), Some(_)) => Some(key.name().to_owned()),
            _ => None,
        };
        ListPage { items, next }
    }

    /// Documents of one kind whose names start with `prefix`, after the name `after`, in order.
    pub fn walk<'a>(
        &'a self,
        kind: &'a str,
        prefix: &'a str,
        after: Option<&str>,
    ) -> impl Iterator<Item = (&'a DocumentKey, &'a Object)> + use<'a> {
        let start = match after {
            Some(name) if name >= prefix => Bound::Excluded(DocumentKey::bound(kind, name)),
            _ => Bound::Included(DocumentKey::bound(kind, prefix)),
        };
        self.view
            .objects
            .range((start, Bound::Unbounded))
            .take_while(move |(key, _)| key.kind() == kind && key.name().starts_with(prefix))
    }

    /// Every document, in the order of keys.
    pub fn iter(&self) -> impl Iterator<Item = (&DocumentKey, &Object)> {
        self.view.objects.iter()
    }

    /// The number of documents of a kind. Iterates over them.
    #[must_use]
    pub fn count(&self, kind: &str) -> usize {
        self.walk(kind, "", None).count()
    }
}
