//! The manager's durable store.
//!
//! Invariant: a change is acknowledged only after it is completely on the disk; a change that was
//! not acknowledged is there completely or not at all; revisions have no gaps and never go back.
//!
//! A [`Store`] holds documents ([`Object`]) under keys ([`DocumentKey`]). A [`Change`] writes
//! several of them together, under conditions, and gets the next [`Revision`]. One thread writes:
//! changes that queue while the disk works share the next sync. Readers take a [`Snapshot`], which
//! never changes and never waits. Every change is an [`LogEntry`] of the log, with its documents
//! before and after and the hash of the previous entry. Watches, history, time travel, differences,
//! audits and a standby all read that one log.
//!
//! ```
//! use philae_store::{Change, Expect, DocumentKey, StoreOptions, Store};
//! # let temporary = tempfile::tempdir().expect("a temporary folder");
//! # let directory = temporary.path().join("store");
//! let store = Store::open(&directory, StoreOptions::default())?;
//! let key = DocumentKey::new("port-policy", "edge-policy")?;
//! let change = Change::new("operator", 1_700_000_000_000_000).put(key.clone(), Expect::Absent, br#"{"speed":"200G"}"#);
//! let committed = store.commit(change)?;
//! assert_eq!(store.snapshot().get(&key).map(|object| object.modified), Some(committed.revision));
//! # Ok::<(), philae_store::StoreError>(())
//! ```
//!
//! It deliberately lacks a clock (callers supply times), a network, an async runtime (a [`Receipt`]
//! and a [`Watch`] are futures of the standard library, and threads can wait for them), and any
//! knowledge of the content of a document.

mod backup;
mod change;
mod check;
mod disk;
mod draft;
mod error;
mod history;
mod key;
mod log;
mod memory;
mod object;
mod options;
mod receipt;
mod remembered;
mod shared;
mod snapshot;
mod store;
mod watch;
mod writer;

pub use backup::{BACKUP_FORMAT, restore, verify};
pub use change::{Change, Committed, Expect, Reseeded, Write};
pub use check::StoreSummary;
pub use disk::{FORMAT_NEWEST, FORMAT_OLDEST, StorageMedium};
pub use error::{ChangeProblem, DiskProblem, FollowProblem, StoreError};
pub use history::{AuditPage, AuditQuery, Past, RevisionDifference};
pub use key::{DocumentKey, KIND_BYTES_MAX, KeyProblem, NAME_BYTES_MAX};
pub use log::{EntryWrite, Epoch, Hash, IdempotencyKey, LogEntry};
pub use object::{Object, Revision};
pub use options::StoreOptions;
pub use receipt::Receipt;
pub use redb::StorageBackend;
pub use snapshot::{ListPage, Snapshot};
pub use store::{Retention, Store};
pub use watch::Watch;
