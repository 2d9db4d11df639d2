//! Which entropy, and with it which path, a sender gives to its packets.

use std::collections::VecDeque;

use philae_engine::RandomStream;
use serde::{Deserialize, Serialize};

use crate::uet::{EntropySpray, UetParameters};

/// In what shares are counted.
const WHOLE: u64 = 1_024;

/// How a path-aware sender divides its packets between shortest paths and others: more take the
/// kind on which the round trip is shorter, so that in the end both are equal, or one kind has
/// nearly all.
///
/// Source: the idea is that of Spritz (arXiv 2602.19567), whose figures are not in reach.
/// Status: assumed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct PathShares {
    /// Part of the packets that take shortest paths, of [`WHOLE`].
    shortest: u16,
    /// Mean round trips on shortest paths and on others, in picoseconds; 0: not known.
    shortest_trip: u64,
    others_trip: u64,
}

impl PathShares {
    /// The least that each kind gets, so that its round trip is known.
    const LEAST: i64 = 32;

    /// A sender begins with mostly shortest paths. With all packets on them, a short burst to
    /// another group would meet its own queue before its sender knows.
    const fn new() -> Self {
        Self { shortest: (WHOLE * 7 / 8) as u16, shortest_trip: 0, others_trip: 0 }
    }

    /// A packet came back, after this time; `None`: it was lost, or the time is not known.
    fn learn(&mut self, is_shortest: bool, round_trip: Option<u64>) {
        /// One over the gain of the means, and of the share.
        const GAIN: i64 = 2;
        /// Links of a shortest path and of another between groups of a dragonfly: what the round
        /// trip of one kind is taken for until it is known.
        const HOPS: (u64, u64) = (3, 5);
        let mean = if is_shortest { &mut self.shortest_trip } else { &mut self.others_trip };
        // A lost packet counts as twice the mean.
        let now = round_trip.unwrap_or(2 * *mean);
        *mean = if *mean == 0 { now } else { mean.wrapping_add_signed((now as i64 - *mean as i64) / GAIN) };
        if self.others_trip == 0 {
            self.others_trip = self.shortest_trip * HOPS.1 / HOPS.0;
        }
        if self.shortest_trip == 0 {
            self.shortest_trip = self.others_trip * HOPS.0 / HOPS.1;
        }
        let (shortest, others) = (self.shortest_trip as i64, self.others_trip as i64);
        if shortest + others == 0 {
            return;
        }
        let step = (others - shortest) * WHOLE as i64 / (others + shortest) / GAIN;
        let share = i64::from(self.shortest) + step;
        self.shortest = share.clamp(Self::LEAST, WHOLE as i64 - Self::LEAST) as u16;
    }
}

/// The entropy of one sender's packets to one receiver.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EntropyChoice {
    random: RandomStream,
    /// The value of a flow.
    flow: u16,
    /// How many values of the present turn have been used, and what changes their order.
    used: u16,
    turn: u16,
    shares: PathShares,
    /// Values that have come back without a mark, the oldest first.
    returned: VecDeque<u16>,
}

impl EntropyChoice {
    /// Values that are kept to be used again. Source: REPS, a buffer of 8 values.
    /// Status: published.
    const KEPT: usize = 8;

    /// For packets from `source` to `destination`.
    #[must_use]
    pub fn new(seed: u64, source: u32, destination: u32) -> Self {
        /// The purpose of the stream, which other streams do not have.
        const PURPOSE: u64 = 0x7565_7465;
        let mut random = RandomStream::new(seed, u64::from(source) << 32 | u64::from(destination), PURPOSE);
        let turn = random.next_u64() as u16;
        Self { random, flow: turn, used: 0, turn, shares: PathShares::new(), returned: VecDeque::new() }
    }

    /// The entropy of all packets, where they take one path.
    #[must_use]
    pub fn of_flow(&self, parameters: &UetParameters) -> u16 {
        self.flow % parameters.entropy_values.max(1)
    }

    /// The entropy of the next packet. `is_shortest`: whether a value is for a shortest path.
    pub fn next(&mut self, parameters: &UetParameters, is_shortest: impl Fn(u16) -> bool) -> u16 {
        let values = parameters.entropy_values.max(1);
        match parameters.spray {
            EntropySpray::Flow => self.of_flow(parameters),
            EntropySpray::Oblivious => {
                if self.used >= values {
                    (self.used, self.turn) = (0, self.random.next_u64() as u16);
                }
                let value = (u32::from(self.used) + u32::from(self.turn % values)) % u32::from(values);
                self.used += 1;
                value as u16
            }
            EntropySpray::Recycled => match self.returned.pop_front() {
                Some(value) => value,
                None => self.random.below(values.into()) as u16,
            },
            EntropySpray::PathAware => self.next_of_kind(values, is_shortest),
        }
    }

    /// A value of a kind of paths drawn by its share: one that came back without a mark, or any.
    fn next_of_kind(&mut self, values: u16, is_shortest: impl Fn(u16) -> bool) -> u16 {
        let wants = self.random.below(WHOLE as u32) < u32::from(self.shares.shortest);
        if let Some(index) = self.returned.iter().position(|&value| is_shortest(value) == wants)
            && let Some(value) = self.returned.remove(index)
        {
            return value;
        }
        let first = self.random.below(values.into()) as u16;
        let from_there = (0..values).map(|step| ((u32::from(first) + u32::from(step)) % u32::from(values)) as u16);
        from_there.into_iter().find(|&value| is_shortest(value) == wants).unwrap_or(first)
    }

    /// A packet with this entropy has arrived after a time, if that is known, with or without a
    /// mark; or it was lost, which counts as a mark.
    pub fn returned(
        &mut self,
        parameters: &UetParameters,
        (entropy, marked, round_trip): (u16, bool, Option<u64>),
        is_shortest: impl Fn(u16) -> bool,
    ) {
        match parameters.spray {
            EntropySpray::Flow | EntropySpray::Oblivious => return,
            EntropySpray::Recycled => {}
            EntropySpray::PathAware => self.shares.learn(is_shortest(entropy), round_trip),
        }
        if marked {
            return;
        }
        if self.returned.len() == Self::KEPT {
            self.returned.pop_front();
        }
        self.returned.push_back(entropy);
    }

    /// Memory held beyond itself, in bytes.
    #[must_use]
    pub fn memory_bytes(&self) -> usize {
        self.returned.capacity() * size_of::<u16>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Even values are for shortest paths.
    fn is_even(value: u16) -> bool {
        value.is_multiple_of(2)
    }

    fn drawn(spray: EntropySpray, count: usize) -> Vec<u16> {
        let parameters = UetParameters { spray, ..UetParameters::uec() };
        let mut choice = EntropyChoice::new(1, 3, 7);
        (0..count).map(|_| choice.next(&parameters, is_even)).collect()
    }

    #[test]
    fn a_flow_has_one_value_and_other_flows_have_others() {
        let one = drawn(EntropySpray::Flow, 100);
        assert!(one.iter().all(|value| *value == one[0]));
        let parameters = UetParameters { spray: EntropySpray::Flow, ..UetParameters::uec() };
        let mut all: Vec<u16> = (0..500).map(|to| EntropyChoice::new(1, 3, to).next(&parameters, is_even)).collect();
        all.sort_unstable();
        all.dedup();
        assert!(all.len() > 60, "{} of 64 values for 500 receivers", all.len());
    }

    #[test]
    fn an_oblivious_sender_uses_all_values_equally() {
        let mut values = drawn(EntropySpray::Oblivious, 64 * 5);
        assert_ne!(values[..64], values[64..128], "the order changes");
        values.sort_unstable();
        assert!(values.chunks(5).enumerate().all(|(value, uses)| uses.iter().all(|use_| usize::from(*use_) == value)));
    }

    #[test]
    fn values_that_come_back_without_a_mark_are_used_again() {
        let parameters = UetParameters::uec();
        let mut choice = EntropyChoice::new(1, 3, 7);
        choice.returned(&parameters, (60, false, None), is_even);
        choice.returned(&parameters, (61, true, None), is_even);
        choice.returned(&parameters, (62, false, None), is_even);
        assert_eq!((choice.next(&parameters, is_even), choice.next(&parameters, is_even)), (60, 62));
        for value in 0..20 {
            choice.returned(&parameters, (value, false, None), is_even);
        }
        assert_eq!(choice.next(&parameters, is_even), 12, "only the last eight are kept");
    }

    /// Of 1,000 values, how many are for shortest paths, after round trips of so many picoseconds
    /// on each kind.
    fn shortest_of_1000(shortest: u64, others: u64) -> usize {
        let parameters = UetParameters { spray: EntropySpray::PathAware, ..UetParameters::uec() };
        let mut choice = EntropyChoice::new(1, 3, 7);
        for _ in 0..100 {
            choice.returned(&parameters, (2, true, Some(shortest)), is_even);
            choice.returned(&parameters, (3, true, Some(others)), is_even);
        }
        (0..1_000).filter(|_| is_even(choice.next(&parameters, is_even))).count()
    }

    #[test]
    fn a_path_aware_sender_takes_shortest_paths_until_others_are_faster() {
        let begins = drawn(EntropySpray::PathAware, 1_000).into_iter().filter(|value| is_even(*value)).count();
        assert!((840..910).contains(&begins), "{begins}");
        assert!(shortest_of_1000(3_000_000, 5_000_000) > 940);
        assert!(shortest_of_1000(9_000_000, 5_000_000) < 60, "the others are shorter now");
        let parameters = UetParameters { spray: EntropySpray::PathAware, ..UetParameters::uec() };
        let mut choice = EntropyChoice::new(1, 3, 7);
        (0..100).for_each(|_| assert!(choice.next(&parameters, |_| true) < 64, "where all paths are shortest"));
        for _ in 0..20 {
            choice.returned(&parameters, (2, false, Some(3_000_000)), is_even);
            choice.returned(&parameters, (2, true, None), is_even);
        }
        assert!(choice.shares.shortest < 200, "losses on shortest paths: {:?}", choice.shares);
    }
}
