//! Channels: a traffic class times a leg of the route. Each has its own request queue and its own
//! buffer reserve.

use crate::port::grant::PortSet;
use crate::port::voq::Voq;
use philae_units::PortId;

/// State of one channel of one output port. 24 bytes: `largest` has more than three million of
/// them.
#[derive(Clone, Copy, Debug, serde::Serialize, serde::Deserialize)]
pub struct ChannelState {
    /// Inputs that have a packet queued for this output on this channel.
    pub requests: PortSet,
    /// Bytes of the downstream input buffer that this channel holds (sent and not yet credited
    /// back).
    pub used_bytes: u32,
    /// The queued packets, by input.
    pub voq: Voq,
    /// Input of the last grant.
    pub last_input: PortId,
    /// The downstream port has paused the channel (PFC).
    pub paused: bool,
}

impl Default for ChannelState {
    fn default() -> Self {
        Self { requests: PortSet::default(), used_bytes: 0, voq: Voq::NONE, last_input: PortId(0), paused: false }
    }
}

/// Number of channels, and the division of an input buffer among them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChannelPlan {
    /// Number of traffic classes.
    pub classes: u8,
    /// Legs: the highest number of channel classes that a route climbs through.
    pub legs: u8,
    /// Bytes reserved for each channel.
    pub reserve_bytes: Vec<u32>,
    /// Bytes that any channel may use beyond its reserve.
    pub shared_bytes: u32,
}

impl ChannelPlan {
    /// Number of channels of a port.
    #[inline]
    #[must_use]
    pub const fn count(&self) -> usize {
        self.classes as usize * self.legs as usize
    }

    /// The channel of a class on a leg.
    #[inline]
    #[must_use]
    pub const fn channel(&self, class: u8, leg: u8) -> u8 {
        class * self.legs + leg
    }

    /// Capacity of one input buffer.
    #[must_use]
    pub fn capacity_bytes(&self) -> u32 {
        self.reserve_bytes.iter().sum::<u32>() + self.shared_bytes
    }

    /// Channels of a class, one bit each.
    #[inline]
    #[must_use]
    pub const fn channels_of(&self, class: u8) -> u64 {
        (u64::MAX >> (64 - self.legs as u32)) << (class as u32 * self.legs as u32)
    }
}
