//! What went wrong in a run, and what it cost.

use philae_units::{Bytes, EndpointId, JobId, Picoseconds, PortIndex, RankId};
use serde::Serialize;

/// Why a packet was discarded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum DiscardCause {
    /// It was queued for a link that went down, or on it.
    LinkDown,
    /// It was in a switch that went down.
    SwitchDown,
    /// Its NIC was down.
    NicDown,
    /// No way was left that climbs, and the tables did not know yet.
    NoRoute,
    /// A packet of a lossy class found no room.
    LossyClass,
    /// Its NIC had paused its switch for too long.
    PauseGuard,
    /// A table of the packet engine denied it.
    AccessList,
    /// It was for an endpoint outside its VNI.
    VniMismatch,
}

impl DiscardCause {
    /// Every cause.
    pub const ALL: [Self; 8] = [
        Self::LinkDown,
        Self::SwitchDown,
        Self::NicDown,
        Self::NoRoute,
        Self::LossyClass,
        Self::PauseGuard,
        Self::AccessList,
        Self::VniMismatch,
    ];

    /// Its name in tables.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::LinkDown => "link_down",
            Self::SwitchDown => "switch_down",
            Self::NicDown => "nic_down",
            Self::NoRoute => "no_route",
            Self::LossyClass => "lossy_class",
            Self::PauseGuard => "pause_guard",
            Self::AccessList => "access_list",
            Self::VniMismatch => "vni_mismatch",
        }
    }
}

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

/// The end of a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum LinkEndId {
    /// Of a switch.
    Port(PortIndex),
    /// Of a NIC.
    Nic(EndpointId),
}

/// One counter of one end of a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LinkCounterRow {
    /// Which end.
    pub end: LinkEndId,
    /// Name, as operators know it.
    pub counter: &'static str,
    /// Value at the end of the run.
    pub value: u64,
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
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
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
