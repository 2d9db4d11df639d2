//! What a job's messages met: the error of rates depends on it.

/// What limits a flow's rate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// Its own NIC, or its receiver's link, if it has most of that.
    Nic,
    /// Its receiver's link, which others share.
    Endpoint,
    /// Links of the network.
    Network,
    /// Full buffers of other flows.
    Held,
}

/// The kind of a job: jobs of one kind have similar errors.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum JobKind {
    /// Only NICs and latency limit it.
    Free,
    /// Its receivers' links limit it.
    Endpoint,
    /// Links of the network limit it.
    Network,
    /// Full buffers of others delay it.
    Held,
    /// Another job crowds an endpoint near it.
    Beside,
}

/// Part of a job's time above which it counts as held.
///
/// Source: ours; chosen on scenarios 0 to 559 of docs/simulate/fluid.md, checked on 560 to 783.
/// Status: assumed.
const HELD: f64 = 0.1;
/// Part of a job's time above which one limit decides its kind.
///
/// Source: as above. Status: assumed.
const MOST: f64 = 0.5;

impl JobKind {
    /// All kinds, in the order of the tables.
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

    /// The common property of jobs of this kind, for people.
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            Self::Free => "limited by their NICs only",
            Self::Endpoint => "limited by receivers' links",
            Self::Network => "limited by links of the network",
            Self::Held => "blocked by full buffers",
            Self::Beside => "next to a job that overloads an endpoint",
        }
    }
}

/// What a job met.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct JobObservations {
    /// Messages that carry data.
    pub messages: u64,
    /// Messages among them that end within a round trip.
    pub short: u64,
    /// Their payload.
    pub payload: u64,
    /// Time of flows in picoseconds, by their limit.
    pub time: [f64; 4],
    /// Time of flows while other jobs crowded an endpoint's link.
    pub beside: f64,
}

impl JobObservations {
    /// Part of the flows' time for which this was the limit.
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

    /// The kind of the job.
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

    /// Whether most of its messages end within a round trip.
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
        let seen = |time: [f64; 4], beside: f64| JobObservations { time, beside, ..JobObservations::default() }.kind();
        assert_eq!(seen([0.0; 4], 0.0), JobKind::Free);
        assert_eq!(seen([4.0, 3.0, 3.0, 0.0], 0.0), JobKind::Free);
        assert_eq!(seen([1.0, 9.0, 0.0, 0.0], 0.0), JobKind::Endpoint);
        assert_eq!(seen([1.0, 0.0, 9.0, 0.0], 0.0), JobKind::Network);
        assert_eq!(seen([1.0, 0.0, 9.0, 0.0], 6.0), JobKind::Beside);
        assert_eq!(seen([8.0, 0.0, 0.0, 2.0], 10.0), JobKind::Held);
    }
}
