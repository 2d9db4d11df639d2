//! What a job's messages met, by which runs are told apart: how far off rates are depends on it.

/// What stops a flow from going faster.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// Its own NIC, or one message's receiver.
    Nic,
    /// Its receiver's link, which others share.
    Endpoint,
    /// Links of the network.
    Network,
    /// Full buffers of others.
    Held,
}

/// What a job met.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Seen {
    /// Messages that carry data.
    pub messages: u64,
    /// Of which have few packets.
    pub short: u64,
    /// Of which are over within a round trip.
    pub below_round_trip: u64,
    /// Payload of them.
    pub payload: u64,
    /// Time of flows in picoseconds, by what stopped them.
    pub time: [f64; 4],
    /// Of which while other jobs crowded an endpoint's link.
    pub beside: f64,
}

impl Seen {
    /// Part of the flows' time for which this stopped them.
    #[must_use]
    pub fn part(&self, stop: Stop) -> f64 {
        self.share(self.time[stop as usize])
    }

    /// Part of the flows' time for which other jobs crowded an endpoint's link.
    #[must_use]
    pub fn part_beside(&self) -> f64 {
        self.share(self.beside)
    }

    fn share(&self, time: f64) -> f64 {
        let all: f64 = self.time.iter().sum();
        if all > 0.0 { time / all } else { 0.0 }
    }

    /// Mean payload of a message.
    #[must_use]
    pub const fn mean_bytes(&self) -> u64 {
        if self.messages == 0 { 0 } else { self.payload / self.messages }
    }
}
