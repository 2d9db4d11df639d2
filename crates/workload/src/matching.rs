//! Which message a receive takes: the earliest receive that fits the earliest message, in logarithmic time.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use philae_units::{Bytes, RankId};

use crate::program::OpHandle;

/// A message that has arrived.
#[derive(Debug)]
pub struct Arrival {
    pub from: RankId,
    pub tag: u32,
    pub bytes: Bytes,
    /// The send that waits for its receive.
    pub sender: Option<OpHandle>,
}

/// A receive that has been posted.
#[derive(Debug)]
pub struct Receive {
    pub handle: OpHandle,
    pub from: Option<RankId>,
    pub tag: Option<u32>,
    pub bytes: Bytes,
}

/// Source and tag; `None` for any.
type Pattern = (Option<RankId>, Option<u32>);

/// The receives of a rank that wait for a message, and the messages that wait for a receive.
#[derive(Debug, Default)]
pub struct Matching {
    /// Events so far: the order of receives, and of messages.
    events: u64,
    receives: BTreeMap<Pattern, VecDeque<(u64, Receive)>>,
    unexpected: BTreeMap<u64, Arrival>,
    /// Messages that wait, under each pattern that takes them.
    by_pattern: BTreeMap<Pattern, BTreeSet<u64>>,
}

/// The patterns that take a message.
const fn patterns(from: RankId, tag: u32) -> [Pattern; 4] {
    [(Some(from), Some(tag)), (Some(from), None), (None, Some(tag)), (None, None)]
}

impl Matching {
    /// A message arrives: the receive that takes it, if one waits.
    pub fn arrived(&mut self, arrival: Arrival) -> Option<(Receive, Arrival)> {
        let patterns = patterns(arrival.from, arrival.tag);
        let first = |pattern: &Pattern| Some((self.receives.get(pattern)?.front()?.0, *pattern));
        let Some((_, pattern)) = patterns.iter().filter_map(first).min() else {
            self.events += 1;
            patterns
                .into_iter()
                .for_each(|pattern| _ = self.by_pattern.entry(pattern).or_default().insert(self.events));
            self.unexpected.insert(self.events, arrival);
            return None;
        };
        let waiting = self.receives.get_mut(&pattern)?;
        let (_, receive) = waiting.pop_front()?;
        if waiting.is_empty() {
            self.receives.remove(&pattern);
        }
        Some((receive, arrival))
    }

    /// A receive is posted: the message that it takes, if one waits.
    pub fn posted(&mut self, receive: Receive) -> Option<(Receive, Arrival)> {
        let pattern = (receive.from, receive.tag);
        let Some(&event) = self.by_pattern.get(&pattern).and_then(BTreeSet::first) else {
            self.events += 1;
            self.receives.entry(pattern).or_default().push_back((self.events, receive));
            return None;
        };
        let arrival = self.unexpected.remove(&event)?;
        for pattern in patterns(arrival.from, arrival.tag) {
            if let Some(waiting) = self.by_pattern.get_mut(&pattern) {
                waiting.remove(&event);
                if waiting.is_empty() {
                    self.by_pattern.remove(&pattern);
                }
            }
        }
        Some((receive, arrival))
    }

    /// The earliest message that no receive has taken.
    pub fn first_unexpected(&self) -> Option<&Arrival> {
        self.unexpected.values().next()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The same by looking through all that wait.
    #[derive(Default)]
    struct Slow {
        receives: Vec<(u32, Pattern)>,
        unexpected: Vec<(u32, RankId, u32)>,
    }

    impl Slow {
        fn arrived(&mut self, number: u32, from: RankId, tag: u32) -> Option<(u32, u32)> {
            let fits = |(_, pattern): &(u32, Pattern)| patterns(from, tag).contains(pattern);
            match self.receives.iter().position(fits) {
                Some(place) => Some((self.receives.remove(place).0, number)),
                None => {
                    self.unexpected.push((number, from, tag));
                    None
                }
            }
        }

        fn posted(&mut self, number: u32, pattern: Pattern) -> Option<(u32, u32)> {
            let fits = |&(_, from, tag): &(u32, RankId, u32)| patterns(from, tag).contains(&pattern);
            match self.unexpected.iter().position(fits) {
                Some(place) => Some((number, self.unexpected.remove(place).0)),
                None => {
                    self.receives.push((number, pattern));
                    None
                }
            }
        }
    }

    proptest! {
        #[test]
        fn receives_take_what_a_search_through_all_finds(
            events in proptest::collection::vec((any::<bool>(), 0_u32..4, 0_u32..4), 0..200),
        ) {
            let (mut fast, mut slow) = (Matching::default(), Slow::default());
            for (number, (is_arrival, from, tag)) in (0_u32..).zip(events) {
                // 3 stands for any.
                let (rank, any) = (RankId(from % 3), |value: u32| (value < 3).then_some(value));
                let pair = |(receive, arrival): (Receive, Arrival)| (receive.handle.0, arrival.bytes.0 as u32);
                let (found, expected) = if is_arrival {
                    let bytes = Bytes(u64::from(number));
                    let arrival = Arrival { from: rank, tag: tag % 3, bytes, sender: None };
                    (fast.arrived(arrival).map(pair), slow.arrived(number, rank, tag % 3))
                } else {
                    let pattern = (any(from).map(RankId), any(tag));
                    let receive =
                        Receive { handle: OpHandle(number), from: pattern.0, tag: pattern.1, bytes: Bytes::ZERO };
                    (fast.posted(receive).map(pair), slow.posted(number, pattern))
                };
                prop_assert_eq!(found, expected);
            }
            let first = slow.unexpected.first().map(|message| message.0);
            prop_assert_eq!(fast.first_unexpected().map(|arrival| arrival.bytes.0 as u32), first);
        }
    }
}
