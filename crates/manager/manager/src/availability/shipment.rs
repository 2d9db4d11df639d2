//! A page of the log on its way to a standby.

use philae_store::LogEntry;
use serde::{Deserialize, Serialize};

/// The longest time that a request for the log waits for a change, milliseconds.
///
/// Source: ours; as long a standby may take to notice that its leader is gone. Status: assumed.
pub(super) const WAIT_MOST_MS: u64 = 1_000;

/// A page of the log.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Shipment {
    /// The sender's epoch.
    pub epoch: u64,
    /// Its newest revision.
    pub revision: u64,
    /// A hash of its secrets: when it changes, the standby fetches them again.
    pub secrets: u64,
    /// The entries after the requested revision.
    pub entries: Vec<LogEntry>,
    /// The record names the standby that asked: it may take over.
    pub usable: bool,
}
