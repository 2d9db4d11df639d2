//! Matches messages and receives: the earliest receive that fits takes the earliest message, in
//! logarithmic time.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use philae_units::RankId;

/// Source and tag; `None` for any.
type Pattern = (Option<RankId>, Option<u32>);

/// A waiting message.
#[derive(Debug)]
struct Waiting<M> {
    from: RankId,
    tag: u32,
    message: M,
}

/// The receives `R` of a rank that wait for a message, and the messages `M` that wait for a
/// receive.
#[derive(Debug)]
pub struct MatchQueues<R, M> {
    /// Events so far: they number receives and messages in order.
    events: u64,
    receives: BTreeMap<Pattern, VecDeque<(u64, R)>>,
    unexpected: BTreeMap<u64, Waiting<M>>,
    /// Waiting messages, under each pattern that matches them.
    by_pattern: BTreeMap<Pattern, BTreeSet<u64>>,
}

impl<R, M> Default for MatchQueues<R, M> {
    fn default() -> Self {
        Self { events: 0, receives: BTreeMap::new(), unexpected: BTreeMap::new(), by_pattern: BTreeMap::new() }
    }
}

/// The patterns that match a message.
const fn patterns(from: RankId, tag: u32) -> [Pattern; 4] {
    [(Some(from), Some(tag)), (Some(from), None), (None, Some(tag)), (None, None)]
}

impl<R, M> MatchQueues<R, M> {
    /// The pattern of the receive that takes a message.
    fn first(&self, from: RankId, tag: u32) -> Option<Pattern> {
        let first = |pattern: &Pattern| Some((self.receives.get(pattern)?.front()?.0, *pattern));
        patterns(from, tag).iter().filter_map(first).min().map(|(_, pattern)| pattern)
    }

    /// The receive that would take a message.
    #[must_use]
    pub fn receive_for(&self, from: RankId, tag: u32) -> Option<&R> {
        let waiting = self.receives.get(&self.first(from, tag)?)?;
        waiting.front().map(|(_, receive)| receive)
    }

    /// Adds a message. Returns the receive that takes it, if one waits.
    pub fn arrived(&mut self, from: RankId, tag: u32, message: M) -> Option<(R, M)> {
        let Some(pattern) = self.first(from, tag) else {
            self.events += 1;
            patterns(from, tag)
                .into_iter()
                .for_each(|pattern| _ = self.by_pattern.entry(pattern).or_default().insert(self.events));
            self.unexpected.insert(self.events, Waiting { from, tag, message });
            return None;
        };
        let waiting = self.receives.get_mut(&pattern)?;
        let (_, receive) = waiting.pop_front()?;
        if waiting.is_empty() {
            self.receives.remove(&pattern);
        }
        Some((receive, message))
    }

    /// Posts a receive. Returns the message that it takes, if one waits.
    pub fn posted(&mut self, from: Option<RankId>, tag: Option<u32>, receive: R) -> Option<(R, M)> {
        let pattern = (from, tag);
        let Some(&event) = self.by_pattern.get(&pattern).and_then(BTreeSet::first) else {
            self.events += 1;
            self.receives.entry(pattern).or_default().push_back((self.events, receive));
            return None;
        };
        let Waiting { from, tag, message } = self.unexpected.remove(&event)?;
        for pattern in patterns(from, tag) {
            if let Some(waiting) = self.by_pattern.get_mut(&pattern) {
                waiting.remove(&event);
                if waiting.is_empty() {
                    self.by_pattern.remove(&pattern);
                }
            }
        }
        Some((receive, message))
    }

    /// The earliest message that no receive has taken: its source, its tag, and the message.
    #[must_use]
    pub fn first_unexpected(&self) -> Option<(RankId, u32, &M)> {
        self.unexpected.values().next().map(|waiting| (waiting.from, waiting.tag, &waiting.message))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The same by a search through all that wait.
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
            let (mut fast, mut slow) = (MatchQueues::<u32, u32>::default(), Slow::default());
            for (number, (is_arrival, from, tag)) in (0_u32..).zip(events) {
                // 3 means any.
                let (rank, any) = (RankId(from % 3), |value: u32| (value < 3).then_some(value));
                let (found, expected) = if is_arrival {
                    let next = fast.receive_for(rank, tag % 3).copied();
                    let found = fast.arrived(rank, tag % 3, number);
                    prop_assert_eq!(next, found.map(|(receive, _)| receive));
                    (found, slow.arrived(number, rank, tag % 3))
                } else {
                    let pattern = (any(from).map(RankId), any(tag));
                    (fast.posted(pattern.0, pattern.1, number), slow.posted(number, pattern))
                };
                prop_assert_eq!(found, expected);
            }
            let first = slow.unexpected.first().map(|message| message.0);
            prop_assert_eq!(fast.first_unexpected().map(|(_, _, message)| *message), first);
        }
    }
}
