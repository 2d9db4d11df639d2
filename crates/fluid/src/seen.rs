//! What a job's messages met: how far off rates are depends on it.

/// What stops a flow from going faster.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// Its own NIC, or its receiver's link, of which it has most.
    Nic,
    /// Its receiver's link, which others share.
    Endpoint,
    /// Links of the network.
    Network,
    /// Full buffers of others.
    Held,
}

/// Jobs of one kind err alike.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum JobKind {
    /// Nothing but NICs and latency stops it.
    Free,
    /// Its receivers' links stop it.
    Endpoint,
    /// Links of the network stop it.
    Network,
    /// Full buffers of others hold it back.
    Held,
    /// Another job crowds an endpoint beside it.
    Beside,
}

/// Part of a job's time from which on it counts as held back.
///
/// Source: ours; chosen on scenarios 0 to 559 of docs/fluid.md, checked on 560 to 783. Status: assumed.
const HELD: f64 = 0.1;
/// Part of a job's time from which on what stops it decides.
///
/// Source: as above. Status: assumed.
const MOST: f64 = 0.5;

impl JobKind {
    /// All, in the order in which tables have them.
    pub const ALL: [Self; 5] = [Self::Free, Self::Endpoint, Self::Network, Self::Held, Self::Beside];

    /// Its name in tables.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Free => "free",
            Self::Endpoint => "endpoint",
            Self::Network => "network",
            Self::Held => "held",
            Self::Beside => "beside",
        }
    }

    /// What jobs of this kind have in common, for people.
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            Self::Free => "stopped by their NICs only",
            Self::Endpoint => "stopped by receivers' links",
            Self::Network => "stopped by links of the network",
            Self::Held => "held back by full buffers",
            Self::Beside => "beside a job that crowds an endpoint",
        }
    }
}

/// What a job met.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Seen {
    /// Messages that carry data.
    pub messages: u64,
    /// Of which are over within a round trip.
    pub short: u64,
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

    /// What kind of job it is.
    #[must_use]
    pub fn kind(&self) -> JobKind {
        if self.part(Stop::Held) > HELD {
            JobKind::Held
        } else if self.part_beside() > MOST {
            JobKind::Beside
        } else if self.part(Stop::Endpoint) > MOST {
            JobKind::Endpoint
        } else if self.part(Stop::Network) > MOST {
            JobKind::Network
        } else {
            JobKind::Free
        }
    }

    /// Whether most of its messages are over within a round trip.
    #[must_use]
    pub const fn is_short(&self) -> bool {
        2 * self.short > self.messages
    }

    /// Mean payload of a message.
    #[must_use]
    pub const fn mean_bytes(&self) -> u64 {
        match self.payload.checked_div(self.messages) {
            Some(mean) => mean,
            None => 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_took_most_of_the_time_is_the_kind() {
        let seen = |time: [f64; 4], beside: f64| Seen { time, beside, ..Seen::default() }.kind();
        assert_eq!(seen([0.0; 4], 0.0), JobKind::Free);
        assert_eq!(seen([4.0, 3.0, 3.0, 0.0], 0.0), JobKind::Free);
        assert_eq!(seen([1.0, 9.0, 0.0, 0.0], 0.0), JobKind::Endpoint);
        assert_eq!(seen([1.0, 0.0, 9.0, 0.0], 0.0), JobKind::Network);
        assert_eq!(seen([1.0, 0.0, 9.0, 0.0], 6.0), JobKind::Beside);
        assert_eq!(seen([8.0, 0.0, 0.0, 2.0], 10.0), JobKind::Held);
    }
}
