//! What may go wrong in a run: links with errors, and things that fail at given times or by a seeded law.

use philae_cassini::RetryParameters;
use philae_link::LinkParameters;
use philae_units::{EndpointId, Picoseconds, PortIndex, SwitchId};

/// What may go wrong, and what is done about it. By default nothing does, and none of it costs time.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Resilience {
    /// Links with bit errors, retry and lanes; absent: links that never err.
    pub link: Option<LinkParameters>,
    /// Retries from NIC to NIC.
    pub retry: RetryParameters,
    /// What fails, and when.
    pub faults: Vec<Fault>,
    /// What fails by chance.
    pub laws: Vec<FaultLaw>,
    /// Time from a change in the fabric until the routing tables of all switches know, in nanoseconds.
    pub reroute_ns: u64,
    /// Time for which a NIC may pause its switch before the switch discards what is for it, in nanoseconds.
    pub pause_guard_ns: u64,
}

impl Resilience {
    /// Whether links are modelled frame by frame.
    #[must_use]
    pub const fn has_link_layer(&self) -> bool {
        self.link.is_some() || self.has_faults()
    }

    /// Whether anything fails.
    #[must_use]
    pub const fn has_faults(&self) -> bool {
        !self.faults.is_empty() || !self.laws.is_empty()
    }
}

/// Something that fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, serde::Serialize, serde::Deserialize)]
pub enum FaultTarget {
    /// The link of a port, both directions.
    Link(PortIndex),
    /// A whole switch with all its links.
    Switch(SwitchId),
    /// A NIC.
    Nic(EndpointId),
}

/// How it fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, serde::Serialize, serde::Deserialize)]
pub enum FaultKind {
    /// It stops at once, and what is on it is lost.
    Down,
    /// A link loses this many lanes. Without any left it keeps its frames until its link-down timer ends.
    Lanes(u8),
    /// A NIC pauses its switch: its host takes nothing.
    Pause,
}

/// One fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Fault {
    /// When it begins.
    pub at: Picoseconds,
    /// When it ends; absent: never.
    pub until: Option<Picoseconds>,
    /// What fails.
    pub target: FaultTarget,
    /// How.
    pub kind: FaultKind,
}

/// Faults by chance: exponential gaps between the beginnings, exponential lengths, a target drawn at random.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FaultLaw {
    /// How things fail.
    pub kind: FaultKind,
    /// What may fail, with equal chances.
    pub targets: Vec<FaultTarget>,
    /// Mean time between two beginnings, over all targets.
    pub gap_mean: Picoseconds,
    /// Mean length.
    pub length_mean: Picoseconds,
}
