//! What went wrong in a run, and what it cost.

use philae_units::{Bytes, JobId, Picoseconds, PortIndex, RankId};

pub use crate::counter::DiscardCause;

/// What one port discarded for one cause.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DiscardRow {
    /// Port.
    pub port: PortIndex,
    /// Cause.
    pub cause: DiscardCause,
    /// Packets.
    pub packets: u64,
    /// Their bytes, headers included.
    pub bytes: Bytes,
}

/// One count of the packet engine, over all switches.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct PacketEngineRow {
    /// What is counted: `counter`, `entry`, `missed` (no entry of the table matched) or `denied`.
    pub what: &'static str,
    /// Stage, where a table is concerned.
    pub stage: String,
    /// Table, where one is concerned.
    pub table: String,
    /// Name of the counter, number of the entry, or cause of the denial.
    pub name: String,
    /// Packets.
    pub packets: u64,
}

/// One fault, and what it cost.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FaultRow {
    /// Counted in the order in which faults began.
    pub fault: u32,
    /// When it began.
    pub began: Picoseconds,
    /// When it ended; absent when it had not when the run did.
    pub ended: Option<Picoseconds>,
    /// What kind it was: `link_down`, `lanes_lost`, ...
    pub kind: String,
    /// What it struck, for people: "switch 3 port 17".
    pub element: String,
    /// Packets discarded because of it.
    pub packets_discarded: u64,
    /// Their bytes, headers included.
    pub bytes_discarded: Bytes,
    /// Frames that the link sent again because of it.
    pub frames_replayed: u64,
    /// The last of these discards or replays: how long the fault was felt.
    pub felt_until: Option<Picoseconds>,
}

/// An operation that failed: its NIC gave a packet up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct FailureRow {
    /// Job of both ranks.
    pub job: JobId,
    /// Rank whose NIC sent the packet.
    pub source: RankId,
    /// Rank that it was for.
    pub destination: RankId,
    /// Payload of the operation.
    pub bytes: Bytes,
    /// When it was issued.
    pub issued: Picoseconds,
    /// When it was given up.
    pub failed: Picoseconds,
}

/// What NICs did end to end, over the whole run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct RetryTotals {
    /// Packets that nobody acknowledged in time.
    pub timeouts: u64,
    /// Packets that were sent again.
    pub retries: u64,
    /// Packets of an ordered flow that came before one that was lost, and were refused (`bad_seq`).
    pub out_of_sequence: u64,
    /// Packets of once-only operations that came a second time, and were recognised.
    pub suppressed: u64,
    /// Packets of idempotent operations that came a second time, and were done again.
    pub repeated: u64,
}

impl std::ops::AddAssign for RetryTotals {
    fn add_assign(&mut self, other: Self) {
        self.timeouts += other.timeouts;
        self.retries += other.retries;
        self.out_of_sequence += other.out_of_sequence;
        self.suppressed += other.suppressed;
        self.repeated += other.repeated;
    }
}
