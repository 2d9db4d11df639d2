//! Faults of a run, and their cost.

use philae_units::{Bytes, JobId, Picoseconds, PortIndex, RankId};

pub use crate::counter::DiscardCause;

/// Discards of one port for one cause.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DiscardRow {
    pub port: PortIndex,
    pub cause: DiscardCause,
    pub packets: u64,
    /// Their bytes, headers included.
    pub bytes: Bytes,
}

/// One count of the packet engine, over all switches.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct PacketEngineRow {
    /// The kind of count: `counter`, `entry`, `missed` (no entry of the table matched) or `denied`.
    pub what: &'static str,
    /// Stage, if the count concerns a table.
    pub stage: String,
    /// Table, if the count concerns one.
    pub table: String,
    /// Name of the counter, number of the entry, or cause of the denial.
    pub name: String,
    pub packets: u64,
}

/// One fault, and its cost.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FaultRow {
    /// Counted in the order in which faults began.
    pub fault: u32,
    /// When it began.
    pub began: Picoseconds,
    /// When it ended; absent if it had not when the run did.
    pub ended: Option<Picoseconds>,
    /// Its kind: `link_down`, `lanes_lost`, ...
    pub kind: String,
    /// The affected element, for people: "switch 3 port 17".
    pub element: String,
    /// Packets discarded because of it.
    pub packets_discarded: u64,
    /// Their bytes, headers included.
    pub bytes_discarded: Bytes,
    /// Frames that the link repeated because of it.
    pub frames_replayed: u64,
    /// The last of these discards or replays: how long the fault had an effect.
    pub felt_until: Option<Picoseconds>,
}

/// An operation that failed: its NIC gave up a packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct FailureRow {
    /// Job of both ranks.
    pub job: JobId,
    /// Rank whose NIC sent the packet.
    pub source: RankId,
    /// Rank of its destination.
    pub destination: RankId,
    /// Payload of the operation.
    pub bytes: Bytes,
    /// When it was issued.
    pub issued: Picoseconds,
    /// When it was given up.
    pub failed: Picoseconds,
}

/// The NICs' end-to-end work, over the whole run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct RetryTotals {
    /// Packets without a timely acknowledgement.
    pub timeouts: u64,
    /// Packets that were sent again.
    pub retries: u64,
    /// Packets of an ordered flow that came before a lost one, and were refused (`bad_seq`).
    pub out_of_sequence: u64,
    /// Packets of once-only operations that came a second time and were recognised.
    pub suppressed: u64,
    /// Packets of idempotent operations that came a second time and were carried out again.
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
