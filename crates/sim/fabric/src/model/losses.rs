//! Losses so far: packets discarded, by port and cause, and what each fault cost.

use std::collections::BTreeMap;

use philae_results::fault::DiscardCause;

/// Losses by one cause, or by one fault.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Cost {
    /// Packets discarded.
    pub packets: u64,
    /// Their bytes, headers included.
    pub bytes: u64,
    /// Frames sent again.
    pub frames: u64,
    /// Time of the last of these, in picoseconds.
    pub last: u64,
}

impl std::ops::AddAssign for Cost {
    fn add_assign(&mut self, other: Self) {
        self.packets += other.packets;
        self.bytes += other.bytes;
        self.frames += other.frames;
        self.last = self.last.max(other.last);
    }
}

/// All losses, by port and cause, and by fault.
#[derive(Clone, Debug, Default, serde::Serialize, serde::Deserialize)]
pub struct Losses {
    /// By port and cause.
    pub discards: BTreeMap<(u32, DiscardCause), Cost>,
    pub faults: BTreeMap<u32, Cost>,
}
