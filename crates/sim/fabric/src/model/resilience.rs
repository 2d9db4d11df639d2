//! What may go wrong in a run: links with errors, and parts that fail at given times or by a seeded
//! law.

use philae_link_layer::LinkParameters;
use philae_nic_model::RetryParameters;
use philae_units::{EndpointId, Picoseconds, PortIndex, SwitchId};

/// Possible errors and failures, and the reactions to them. By default nothing fails, and none of
/// it costs time.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Resilience {
    /// Links with bit errors, retry and lanes; `None`: links never err.
    pub link: Option<LinkParameters>,
    /// Retries from NIC to NIC.
    pub retry: RetryParameters,
    /// Faults at given times.
    pub faults: Vec<Fault>,
    /// Faults by chance.
    pub laws: Vec<FaultLaw>,
    /// Time from a change in the fabric until the routing tables of all switches know it, in
    /// nanoseconds.
    pub reroute_ns: u64,
    /// Time for which a NIC may pause its switch before the switch discards packets for it, in
    /// nanoseconds.
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

/// A part that fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, serde::Serialize, serde::Deserialize)]
pub enum FaultTarget {
    /// The link of a port, both directions.
    Link(PortIndex),
    /// A whole switch with all its links.
    Switch(SwitchId),
    Nic(EndpointId),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, serde::Serialize, serde::Deserialize)]
pub enum FaultKind {
    /// The part stops immediately, and what is on its links is lost.
    Down,
    /// A link loses this many lanes. With none left it keeps its frames until its link-down timer
    /// ends.
    Lanes(u8),
    /// A NIC pauses its switch: its host takes nothing.
    Pause,
}

/// One fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Fault {
    /// Beginning.
    pub start: Picoseconds,
    /// End; `None`: never.
    pub until: Option<Picoseconds>,
    /// The part that fails.
    pub target: FaultTarget,
    /// The kind of the fault.
    pub kind: FaultKind,
}

/// Faults by chance: exponential gaps between the beginnings, exponential lengths, a target drawn
/// at random.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FaultLaw {
    /// The kind of the faults.
    pub kind: FaultKind,
    /// The parts that may fail, with equal chances.
    pub targets: Vec<FaultTarget>,
    /// Mean time between two beginnings, over all targets.
    pub gap_mean: Picoseconds,
    /// Mean length of a fault.
    pub length_mean: Picoseconds,
}
