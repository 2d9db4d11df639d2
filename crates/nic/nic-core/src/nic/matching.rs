//! The lists of many processes in pools that they share, for drivers that have many processes in
//! one memory, such as the simulator.
//!
//! Pools grow when all their entries are in use, up to a limit, and never shrink: their memory
//! follows the most entries that waited at one time, over all processes. A process without waiting
//! entries costs its heads only. Its lists have no index until they are long. The results are those
//! of a [`Portal`](super::Portal). The driver keeps the bytes, and each receive is for one message.

use super::arrivals::{ArrivalIndex, ArrivalIndexing};
use super::chain::Ends;
use super::class::Growing;
use super::list::{ArrivalHeads, Arrivals, Criteria, ListFull, Receive, ReceiveHeads, Receives, UnexpectedMessage};
use super::receives::{ReceiveIndex, ReceiveIndexing};

/// The greatest length of a list without an index. Source: ours. Status: assumed; it changes how
/// long a search takes, never its result.
const FEW: u64 = 32;

/// The entries of the lists of many processes.
#[derive(Clone, Debug)]
pub struct MatchPools {
    receives: Vec<Receive>,
    arrivals: Vec<UnexpectedMessage>,
    vacant_receives: Ends,
    vacant_arrivals: Ends,
    /// The most entries that each pool may have.
    limit: usize,
}

impl Default for MatchPools {
    /// Pools that grow as far as indices reach.
    fn default() -> Self {
        Self::with_limit(u32::MAX as usize - 1)
    }
}

impl MatchPools {
    /// Empty pools of at most `limit` entries each.
    #[must_use]
    pub fn with_limit(limit: usize) -> Self {
        let (vacant_receives, vacant_arrivals) = (Ends::default(), Ends::default());
        Self { receives: Vec::new(), arrivals: Vec::new(), vacant_receives, vacant_arrivals, limit }
    }

    /// Memory held, in bytes.
    #[must_use]
    pub const fn memory_bytes(&self) -> usize {
        self.receives.capacity() * size_of::<Receive>() + self.arrivals.capacity() * size_of::<UnexpectedMessage>()
    }

    /// The most entries that each pool may have.
    pub(super) const fn limit(&self) -> usize {
        self.limit
    }

    /// Receives, in use or not.
    pub(super) fn posted(&self) -> &[Receive] {
        &self.receives
    }

    /// Provides an unused entry for a receive, within the limit.
    #[inline]
    pub(super) fn room_for_receive(&mut self) {
        if self.vacant_receives.first().is_none() && self.receives.len() < self.limit {
            let index = self.receives.len() as u32;
            self.receives.push(Receive::vacant());
            self.vacant_receives.push(&mut self.receives, 0, index);
        }
    }

    /// Provides an unused entry for a message, within the limit.
    #[inline]
    pub(super) fn room_for_arrival(&mut self) {
        if self.vacant_arrivals.first().is_none() && self.arrivals.len() < self.limit {
            let index = self.arrivals.len() as u32;
            self.arrivals.push(UnexpectedMessage::vacant());
            self.vacant_arrivals.push(&mut self.arrivals, 0, index);
        }
    }
}

/// The heads of a process's lists. Unused entries belong to the pools.
#[derive(Clone, Debug, Default)]
pub(super) struct Heads<R: ReceiveIndexing, A: ArrivalIndexing> {
    pub(super) receives: ReceiveHeads<R>,
    pub(super) arrivals: ArrivalHeads<A>,
}

/// The heads of long lists.
pub(super) type LongHeads = Heads<ReceiveIndex<Growing>, ArrivalIndex<Growing>>;

impl LongHeads {
    /// Memory held, in bytes.
    pub(super) fn memory_bytes(&self) -> usize {
        size_of::<Self>() + self.receives.index().memory_bytes() + self.arrivals.index().memory_bytes()
    }
}

impl<R: ReceiveIndexing, A: ArrivalIndexing> Heads<R, A> {
    /// Passes the receives to a closure. Meanwhile they own the unused entries of the pool.
    #[inline]
    pub(super) fn with_receives<T>(
        &mut self,
        pools: &mut MatchPools,
        act: impl FnOnce(&mut Receives<'_, R>) -> T,
    ) -> T {
        self.receives.vacant = pools.vacant_receives;
        let result = act(&mut Receives::new(&mut pools.receives, &mut self.receives));
        pools.vacant_receives = self.receives.vacant;
        result
    }

    /// Passes the messages to a closure, in the same way.
    #[inline]
    pub(super) fn with_arrivals<T>(
        &mut self,
        pools: &mut MatchPools,
        act: impl FnOnce(&mut Arrivals<'_, A>) -> T,
    ) -> T {
        self.arrivals.vacant = pools.vacant_arrivals;
        let result = act(&mut Arrivals::new(&mut pools.arrivals, &mut self.arrivals));
        pools.vacant_arrivals = self.arrivals.vacant;
        result
    }
}

/// What waits at one process: receives for messages, and messages for receives.
#[derive(Clone, Debug)]
pub struct MatchLists(Lists);

#[derive(Clone, Debug)]
enum Lists {
    Few(Heads<(), ()>),
    Many(Box<LongHeads>),
}

impl Default for MatchLists {
    fn default() -> Self {
        Self(Lists::Few(Heads::default()))
    }
}

/// Evaluates the same expression for lists with and without an index.
macro_rules! with_either {
    ($lists:expr, |$heads:ident| $result:expr) => {
        match $lists {
            Lists::Few($heads) => $result,
            Lists::Many($heads) => $result,
        }
    };
}

impl MatchLists {
    /// Memory held apart from itself and the pools, in bytes.
    #[must_use]
    pub fn memory_bytes(&self) -> usize {
        match &self.0 {
            Lists::Few(_) => 0,
            Lists::Many(heads) => heads.memory_bytes(),
        }
    }

    /// Takes out the first message that the receive matches and returns its handle. If there is
    /// none, the caller [adds](Self::add_receive) the receive.
    #[inline]
    pub fn take_arrival(&mut self, pools: &mut MatchPools, criteria: &Criteria) -> Option<u64> {
        with_either!(&mut self.0, |heads| {
            if heads.arrivals.is_empty() {
                return None;
            }
            heads.with_arrivals(pools, |arrivals| arrivals.find(criteria).map(|index| arrivals.take(index)))
        })
    }

    /// Takes out the first receive that matches these bits from this source and returns its
    /// context. If there is none, the caller [adds](Self::add_arrival) the message.
    #[inline]
    pub fn take_receive(&mut self, pools: &mut MatchPools, bits: u64, source: u32) -> Option<u64> {
        with_either!(&mut self.0, |heads| {
            if heads.receives.is_empty() {
                return None;
            }
            heads.with_receives(pools, |receives| receives.find(bits, source).map(|index| receives.take(index)))
        })
    }

    /// Adds a receive that waits for its message.
    ///
    /// # Errors
    /// [`ListFull`]: the pool has reached its limit.
    #[inline]
    pub fn add_receive(&mut self, pools: &mut MatchPools, receive: Receive) -> Result<(), ListFull> {
        pools.room_for_receive();
        with_either!(&mut self.0, |heads| heads.with_receives(pools, |receives| receives.post(receive)))?;
        self.index_long();
        Ok(())
    }

    /// Adds a message that waits for its receive.
    ///
    /// # Errors
    /// [`ListFull`]: the pool has reached its limit.
    #[inline]
    pub fn add_arrival(&mut self, pools: &mut MatchPools, arrival: UnexpectedMessage) -> Result<(), ListFull> {
        pools.room_for_arrival();
        with_either!(&mut self.0, |heads| heads.with_arrivals(pools, |arrivals| arrivals.add(arrival)))?;
        self.index_long();
        Ok(())
    }

    /// Gives an index to lists that have become long.
    #[inline]
    fn index_long(&mut self) {
        if let Lists::Few(heads) = &self.0
            && heads.receives.len().max(heads.arrivals.len()) > FEW
        {
            let (receives, arrivals) = (heads.receives.with_index(), heads.arrivals.with_index());
            self.0 = Lists::Many(Box::new(Heads { receives, arrivals }));
        }
    }

    /// The receive in which a message with these bits from this source would land, and how many
    /// receives a linear search compares to find it.
    pub fn would_land(&mut self, pools: &mut MatchPools, bits: u64, source: u32) -> (Option<Receive>, u64) {
        with_either!(&mut self.0, |heads| heads.with_receives(pools, |receives| {
            let found = receives.find(bits, source);
            (found.map(|index| *receives.get(index)), receives.looked_at(found))
        }))
    }

    /// The message that a receive would take, and how many messages a linear search compares to
    /// find it.
    pub fn would_take(&mut self, pools: &mut MatchPools, criteria: &Criteria) -> (Option<UnexpectedMessage>, u64) {
        with_either!(&mut self.0, |heads| heads.with_arrivals(pools, |arrivals| {
            let found = arrivals.find(criteria);
            (found.map(|index| *arrivals.get(index)), arrivals.looked_at(found))
        }))
    }

    /// Records `kept_at` as the place of every waiting message.
    pub fn keep_all_at(&mut self, pools: &mut MatchPools, kept_at: u32) {
        with_either!(&mut self.0, |heads| heads.with_arrivals(pools, |arrivals| arrivals.keep_all_at(kept_at)));
    }

    /// The waiting receive that was posted first.
    #[must_use]
    pub fn first_receive<'p>(&self, pools: &'p MatchPools) -> Option<&'p Receive> {
        with_either!(&self.0, |heads| heads.receives.first(&pools.receives))
    }

    /// The numbers of waiting receives and messages for which the closures return true.
    pub fn count(
        &self,
        pools: &MatchPools,
        receives: impl FnMut(&Receive) -> bool,
        arrivals: impl FnMut(&UnexpectedMessage) -> bool,
    ) -> (u64, u64) {
        let MatchPools { receives: posted, arrivals: waiting, .. } = pools;
        with_either!(&self.0, |heads| {
            (heads.receives.count(posted, receives), heads.arrivals.count(waiting, arrivals))
        })
    }

    /// Copies of the waiting receives, in the order of posting, and of the messages, in order of
    /// arrival.
    #[must_use]
    pub fn waiting(&self, pools: &MatchPools) -> (Vec<Receive>, Vec<UnexpectedMessage>) {
        let (mut receives, mut arrivals) = (Vec::new(), Vec::new());
        let receive = |receive: &Receive| {
            receives.push(*receive);
            true
        };
        let arrival = |arrival: &UnexpectedMessage| {
            arrivals.push(*arrival);
            true
        };
        self.count(pools, receive, arrival);
        (receives, arrivals)
    }
}

#[cfg(test)]
mod tests {
    use super::super::list::ANY_SOURCE;
    use super::*;
    use proptest::prelude::*;

    #[derive(Clone, Debug)]
    struct Step {
        process: usize,
        is_receive: bool,
        bits: u64,
        ignore: u64,
        source: u32,
    }

    fn step() -> impl Strategy<Value = Step> {
        let ignore = prop_oneof![5 => Just(0_u64), 1 => Just(u64::MAX)];
        let source = prop_oneof![5 => 0_u32..3, 1 => Just(ANY_SOURCE)];
        // Now and then there are many more of one kind than of the other, so that lists become
        // long.
        (0..3_usize, prop::bool::weighted(0.8), 0..40_u64, ignore, source)
            .prop_map(|(process, is_receive, bits, ignore, source)| Step { process, is_receive, bits, ignore, source })
    }

    proptest! {
        #[test]
        fn processes_that_share_pools_match_as_if_each_had_its_own_plain_lists(
            steps in prop::collection::vec(step(), 1..400),
            is_turned in any::<bool>(),
        ) {
            let mut pools = MatchPools::default();
            let mut lists = [MatchLists::default(), MatchLists::default(), MatchLists::default()];
            let mut plain: [(Vec<Receive>, Vec<UnexpectedMessage>); 3] = Default::default();
            for (number, step) in (0_u64..).zip(steps) {
                let Step { process, is_receive, bits, ignore, source } = step;
                let (receives, arrivals) = &mut plain[process];
                if is_receive != is_turned {
                    let criteria = Criteria::new(bits, ignore, source);
                    let first = arrivals.iter().position(|known| criteria.takes(known.bits, known.source));
                    let receive = Receive::new(criteria, 0, 8, number);
                    let (would, _) = lists[process].would_take(&mut pools, &criteria);
                    let taken = lists[process].take_arrival(&mut pools, &criteria);
                    prop_assert_eq!(would.map(|arrival| arrival.handle), taken);
                    prop_assert_eq!(taken, first.map(|place| arrivals.remove(place).handle));
                    if taken.is_none() {
                        lists[process].add_receive(&mut pools, receive).expect("no limit");
                        receives.push(receive);
                    }
                } else {
                    let source = if source == ANY_SOURCE { 0 } else { source };
                    let first = receives.iter().position(|known| known.criteria.takes(bits, source));
                    let arrival = UnexpectedMessage { handle: number, ..UnexpectedMessage::new(bits, source, 8) };
                    let (would, _) = lists[process].would_land(&mut pools, bits, source);
                    let landed = lists[process].take_receive(&mut pools, bits, source);
                    prop_assert_eq!(would.map(|receive| receive.context), landed);
                    prop_assert_eq!(landed, first.map(|place| receives.remove(place).context));
                    if landed.is_none() {
                        lists[process].add_arrival(&mut pools, arrival).expect("no limit");
                        arrivals.push(arrival);
                    }
                }
                let first = lists[process].first_receive(&pools).map(|receive| receive.context);
                prop_assert_eq!(first, plain[process].0.first().map(|receive| receive.context));
                let all = lists[process].count(&pools, |_| true, |_| true);
                prop_assert_eq!(all, (plain[process].0.len() as u64, plain[process].1.len() as u64));
                let (receives, arrivals) = lists[process].waiting(&pools);
                prop_assert!(receives.iter().map(|one| one.context).eq(plain[process].0.iter().map(|one| one.context)));
                prop_assert!(arrivals.iter().map(|one| one.handle).eq(plain[process].1.iter().map(|one| one.handle)));
            }
        }
    }

    #[test]
    fn memory_follows_the_most_that_waited_at_one_time() {
        let mut pools = MatchPools::default();
        let mut lists = vec![MatchLists::default(); 1_000];
        assert_eq!(pools.memory_bytes(), 0);
        for (bits, of_one) in (0_u64..).zip(&mut lists) {
            let receive = Receive::new(Criteria::new(bits, 0, 1), 0, 8, bits);
            of_one.add_receive(&mut pools, receive).expect("no limit");
            assert_eq!(of_one.take_receive(&mut pools, bits, 1), Some(bits));
            of_one.add_arrival(&mut pools, UnexpectedMessage::new(bits, 1, 8)).expect("no limit");
            assert_eq!(of_one.take_arrival(&mut pools, &Criteria::new(bits, 0, 1)), Some(0));
        }
        assert!(pools.memory_bytes() < 10 * size_of::<Receive>() + 10 * size_of::<UnexpectedMessage>());
        assert!(lists.iter().all(|of_one| of_one.memory_bytes() == 0));
    }

    #[test]
    fn a_pool_at_its_limit_says_so() {
        let mut pools = MatchPools::with_limit(40);
        let mut lists = MatchLists::default();
        let receive = |bits| Receive::new(Criteria::new(bits, 0, 1), 0, 8, bits);
        (0..40).for_each(|bits| assert!(lists.add_receive(&mut pools, receive(bits)).is_ok()));
        let full = lists.add_receive(&mut pools, receive(40)).expect_err("forty places");
        assert_eq!(full, ListFull { list: "priority", places: 40 });
        assert_eq!(lists.take_receive(&mut pools, 39, 1), Some(39));
        assert!(lists.add_receive(&mut pools, receive(40)).is_ok(), "there is room again");
    }
}
