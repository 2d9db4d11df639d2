//! What a NIC matches messages with: receives that were posted, in the order of their posting, and messages that came
//! before their receive, in the order of their coming.
//!
//! A message goes to the first receive that takes it; a receive gets the first message that it takes. Entries that name
//! one source and all bits lie in bins besides, so that the search does not grow with the number of receives; which
//! entry is found does not depend on the bins. Source: Portals 4.3 (priority and overflow lists), fi_tagged(3). Status:
//! published.

pub use super::arrivals::{Arrival, ArrivalHeads, Arrivals};
use super::chain::{Chained, Ends, Links};

/// Bins of one list, where nothing else is said. Source: ours. Status: assumed; it changes how long a search takes, never
/// what it finds.
pub const BINS: usize = 64;

/// Any source.
pub const ANY_SOURCE: u32 = u32::MAX;

/// What a receive asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub struct Criteria {
    /// Bits that a message has to have.
    pub bits: u64,
    /// Bits that do not matter.
    pub ignore: u64,
    /// From whom; [`ANY_SOURCE`]: anyone.
    pub source: u32,
}

impl Criteria {
    /// Asks for these bits, but for the ignored ones, from this source.
    #[must_use]
    pub const fn new(bits: u64, ignore: u64, source: u32) -> Self {
        Self { bits, ignore, source }
    }

    /// Whether a message with these bits from this source is asked for.
    #[must_use]
    pub const fn takes(&self, bits: u64, source: u32) -> bool {
        (self.bits ^ bits) & !self.ignore == 0 && (self.source == ANY_SOURCE || self.source == source)
    }

    /// The bin of what it asks for, if that is all in one of `N`.
    pub(super) fn bin<const N: usize>(&self) -> Option<usize> {
        if self.ignore == 0 && self.source != ANY_SOURCE { bin::<N>(self.bits, self.source) } else { None }
    }
}

/// Bin of messages with these bits from this source; nothing where there are no bins.
pub(super) fn bin<const N: usize>(bits: u64, source: u32) -> Option<usize> {
    // Fibonacci hashing: the upper bits of a product with 2^64 / golden ratio.
    let mixed = (bits ^ u64::from(source).rotate_left(32)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    ((mixed >> 32) as usize).checked_rem(N)
}

/// A receive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub struct Receive {
    /// What it asks for.
    pub criteria: Criteria,
    /// Where its buffer begins, in its process.
    pub address: u64,
    /// Bytes of the buffer.
    pub length: u64,
    /// Bytes of the buffer that earlier messages took.
    pub used: u64,
    /// A buffer for many messages is given back when fewer bytes than this are left; 0: it is for one message.
    pub least_free: u64,
    /// Whose it is, for the process.
    pub context: u64,
    /// Bits of the interface's flags that go into its event.
    pub flags: u64,
    /// Its place in the order of posting, from 1 on; 0: it is not posted.
    pub(super) order: u64,
    pub(super) links: [Links; 1],
}

impl Chained<1> for Receive {
    fn links(&self) -> &[Links; 1] {
        &self.links
    }
    fn links_mut(&mut self) -> &mut [Links; 1] {
        &mut self.links
    }
}

impl Receive {
    /// A receive of one message into a buffer.
    #[must_use]
    pub fn new(criteria: Criteria, address: u64, length: u64, context: u64) -> Self {
        Self {
            criteria,
            address,
            length,
            used: 0,
            least_free: 0,
            context,
            flags: 0,
            order: 0,
            links: [Links::default()],
        }
    }

    /// A place in a pool that is not in use.
    #[must_use]
    pub fn vacant() -> Self {
        Self::new(Criteria::new(0, 0, 0), 0, 0, 0)
    }

    /// The place that it has for a message of `bytes`. A receive for one message is over then, as is one for many that has
    /// less than its least left.
    #[must_use]
    pub fn landing(self, bytes: u64) -> Landing {
        let room = self.length - self.used;
        let left = room - bytes.min(room);
        let is_last = !self.is_for_many() || left < self.least_free;
        Landing { address: self.address.wrapping_add(self.used), room, receive: self, is_last }
    }

    /// Whether its buffer is for many messages.
    #[must_use]
    pub const fn is_for_many(&self) -> bool {
        self.least_free > 0
    }
}

/// The ends of the chains of posted receives, in `N` bins; a short list needs none.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct ReceiveHeads<const N: usize = BINS> {
    posted: u64,
    next: u64,
    pub(super) vacant: Ends,
    /// Those that ask for more than one bin has.
    wide: Ends,
    bins: [Ends; N],
}

/// A list is full: as many entries as the pool has places are in use.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("all {places} entries of the {list} list are in use")]
pub struct ListFull {
    /// Which.
    pub list: &'static str,
    /// Its places.
    pub places: usize,
}

/// Where a message goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub struct Landing {
    /// Where its bytes go, in the receiver's process.
    pub address: u64,
    /// Bytes that fit there.
    pub room: u64,
    /// The receive, as it was before the message.
    pub receive: Receive,
    /// Whether the receive is over: it was for one message, or its buffer has too little left.
    pub is_last: bool,
}

/// Posted receives: a view of a pool and its heads, wherever they lie.
#[derive(Debug)]
pub struct Receives<'a, const N: usize = BINS> {
    pool: &'a mut [Receive],
    heads: &'a mut ReceiveHeads<N>,
}

impl<const N: usize> Default for ReceiveHeads<N> {
    /// Those of no entries.
    fn default() -> Self {
        Self { vacant: Ends::default(), wide: Ends::default(), bins: [Ends::default(); N], posted: 0, next: 1 }
    }
}

impl<const N: usize> ReceiveHeads<N> {
    /// The heads of a pool of which nothing is in use.
    #[must_use]
    pub fn of(pool: &mut [Receive]) -> Self {
        let mut heads = Self::default();
        heads.extend(pool, 0);
        heads
    }

    /// The pool has grown: its places from `first` on are vacant.
    pub fn extend(&mut self, pool: &mut [Receive], first: usize) {
        for index in first..pool.len() {
            pool[index] = Receive::vacant();
            self.vacant.push(pool, 0, index as u32);
        }
    }

    fn chain(&mut self, criteria: &Criteria) -> &mut Ends {
        match criteria.bin::<N>() {
            Some(bin) => &mut self.bins[bin],
            None => &mut self.wide,
        }
    }

    /// Receives that are posted.
    #[must_use]
    pub const fn len(&self) -> u64 {
        self.posted
    }

    /// Whether none is.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.posted == 0
    }

    /// The receive that was posted first, of those that are.
    pub(super) fn first<'p>(&self, pool: &'p [Receive]) -> Option<&'p Receive> {
        let chains = self.bins.iter().chain([&self.wide]);
        let firsts = chains.filter_map(|chain| chain.first()).map(|index| &pool[index as usize]);
        firsts.min_by_key(|receive| receive.order)
    }

    /// Receives for which `counts` says yes.
    pub(super) fn count(&self, pool: &[Receive], mut counts: impl FnMut(&Receive) -> bool) -> u64 {
        let mut count = 0;
        for chain in self.bins.iter().chain([&self.wide]) {
            let _: Option<u32> = chain.find(pool, 0, |receive| {
                count += u64::from(counts(receive));
                false
            });
        }
        count
    }
}

impl ReceiveHeads<0> {
    /// The same receives, in bins.
    #[must_use]
    pub fn into_bins<const N: usize>(self, pool: &mut [Receive]) -> ReceiveHeads<N> {
        let Self { posted, next, vacant, wide: mut all, .. } = self;
        let mut heads = ReceiveHeads { posted, next, vacant, ..ReceiveHeads::default() };
        while let Some(index) = all.pop(pool, 0) {
            let criteria = pool[index as usize].criteria;
            heads.chain(&criteria).push(pool, 0, index);
        }
        heads
    }
}

impl<'a, const N: usize> Receives<'a, N> {
    /// A view.
    pub fn new(pool: &'a mut [Receive], heads: &'a mut ReceiveHeads<N>) -> Self {
        Self { pool, heads }
    }

    /// Receives that are posted.
    #[must_use]
    pub fn len(&self) -> u64 {
        self.heads.posted
    }

    /// Whether none is.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Posts a receive behind the others.
    ///
    /// # Errors
    /// [`ListFull`].
    pub fn post(&mut self, receive: Receive) -> Result<u32, ListFull> {
        let full = ListFull { list: "priority", places: self.pool.len() };
        let index = self.heads.vacant.pop(self.pool, 0).ok_or(full)?;
        let order = self.heads.next;
        self.pool[index as usize] = Receive { order, links: [Links::default()], ..receive };
        self.heads.chain(&receive.criteria).push(self.pool, 0, index);
        self.heads.next += 1;
        self.heads.posted += 1;
        Ok(index)
    }

    /// The first receive that takes a message with these bits from this source.
    #[must_use]
    pub fn find(&self, bits: u64, source: u32) -> Option<u32> {
        let takes = |receive: &Receive| receive.criteria.takes(bits, source);
        let narrow = bin::<N>(bits, source).and_then(|bin| self.heads.bins[bin].find(self.pool, 0, takes));
        let wide = self.heads.wide.find(self.pool, 0, takes);
        match (narrow, wide) {
            (Some(narrow), Some(wide)) => {
                let order = |index: u32| self.pool[index as usize].order;
                Some(if order(narrow) < order(wide) { narrow } else { wide })
            }
            (found, None) | (None, found) => found,
        }
    }

    /// A receive, to read.
    #[must_use]
    pub fn get(&self, index: u32) -> &Receive {
        &self.pool[index as usize]
    }

    /// How many receives somebody looks at who searches them one by one, in their order, until this one is found; all of
    /// them where none is.
    #[must_use]
    pub fn looked_at(&self, found: Option<u32>) -> u64 {
        let Some(found) = found else { return self.len() };
        let order = self.pool[found as usize].order;
        let mut before = 0;
        for chain in self.heads.bins.iter().chain([&self.heads.wide]) {
            // Chains are in order: what comes behind the first later one is later, too.
            let _: Option<u32> = chain.find(self.pool, 0, |receive| {
                before += u64::from(receive.order < order);
                receive.order >= order
            });
        }
        before + 1
    }

    /// Gives the message of `bytes` the place that receive `index` has for it, and takes the receive out where it is over.
    pub fn land(&mut self, index: u32, bytes: u64) -> Landing {
        let landing = self.pool[index as usize].landing(bytes);
        if landing.is_last {
            self.remove(index);
        } else {
            self.pool[index as usize].used += bytes.min(landing.room);
        }
        landing
    }

    /// Takes a receive out.
    pub fn remove(&mut self, index: u32) -> Receive {
        let receive = self.pool[index as usize];
        self.take(index);
        receive
    }

    /// Takes a receive out of which only the context is wanted.
    #[inline]
    pub fn take(&mut self, index: u32) -> u64 {
        let Receive { criteria, context, .. } = &self.pool[index as usize];
        let (context, chain) = (*context, self.heads.chain(criteria));
        chain.remove(self.pool, 0, index);
        self.pool[index as usize].order = 0;
        self.heads.vacant.push_front(self.pool, 0, index);
        self.heads.posted -= 1;
        context
    }

    /// Puts a receive back as it was before a message came for it. The chains are wrong until they are [made
    /// again](Self::rebuild).
    pub(super) fn put_back(&mut self, index: u32, order: u64, used: u64) {
        if let Some(receive) = self.pool.get_mut(index as usize) {
            (receive.order, receive.used) = (order, used);
        }
    }

    /// Makes the chains from the entries, whatever they were.
    pub(super) fn rebuild(&mut self) {
        let order = |pool: &[Receive], index: u32| pool[index as usize].order;
        let places = 0..self.pool.len() as u32;
        let (mut posted, vacant): (Vec<u32>, Vec<u32>) = places.partition(|&index| order(self.pool, index) != 0);
        posted.sort_unstable_by_key(|&index| order(self.pool, index));
        (self.heads.vacant, self.heads.wide, self.heads.bins) =
            (Ends::default(), Ends::default(), [Ends::default(); N]);
        for index in vacant {
            self.heads.vacant.push(self.pool, 0, index);
        }
        self.heads.posted = posted.len() as u64;
        for index in posted {
            let criteria = self.pool[index as usize].criteria;
            self.heads.chain(&criteria).push(self.pool, 0, index);
        }
    }

    /// Takes out the receive that was posted first.
    pub fn take_first(&mut self) -> Option<Receive> {
        let chains = self.heads.bins.iter().chain([&self.heads.wide]);
        let firsts = chains.filter_map(|chain| chain.first());
        let first = firsts.min_by_key(|&index| self.pool[index as usize].order)?;
        Some(self.remove(first))
    }

    /// Places of the pool.
    #[must_use]
    pub const fn places(&self) -> usize {
        self.pool.len()
    }

    /// Whether there is a place for one more.
    #[must_use]
    pub fn has_room(&self) -> bool {
        self.heads.vacant.first().is_some()
    }

    /// A receive that asks for messages of this source only.
    fn of_source(&self, source: u32) -> Option<u32> {
        let wanted = |receive: &Receive| receive.criteria.source == source;
        let chains = self.heads.bins.iter().chain([&self.heads.wide]);
        chains.filter_map(|chain| chain.find(self.pool, 0, wanted)).next()
    }

    /// Whether a receive asks for messages of this source only.
    #[must_use]
    pub fn has_of_source(&self, source: u32) -> bool {
        !self.is_empty() && self.of_source(source).is_some()
    }

    /// Takes out the first receive that asks for messages of this source only.
    pub fn remove_of_source(&mut self, source: u32) -> Option<Receive> {
        let found = self.of_source(source)?;
        Some(self.remove(found))
    }

    /// Takes out the first receive of this context.
    pub fn cancel(&mut self, context: u64) -> Option<Receive> {
        let wanted = |receive: &Receive| receive.context == context;
        let chains = self.heads.bins.iter().chain([&self.heads.wide]);
        let found = chains.filter_map(|chain| chain.find(self.pool, 0, wanted));
        let first = found.min_by_key(|&index| self.pool[index as usize].order)?;
        Some(self.remove(first))
    }
}

/// What a session that was cut off may have left, for the tests of what is made of it: of two states, something of either,
/// and anything in the chains.
#[cfg(test)]
pub(super) mod torn {
    use super::{Ends, Links, Receive, ReceiveHeads};

    pub fn receive(one: &Receive, other: &Receive, mut draw: impl FnMut() -> u32) -> Receive {
        let mut pick = |one: u64, other: u64| if draw().is_multiple_of(2) { one } else { other };
        let (order, used) = (pick(one.order, other.order), pick(one.used, other.used));
        Receive { order, used, links: [Links::torn(draw(), draw())], ..*one }
    }

    pub fn receive_heads(of: &ReceiveHeads, mut draw: impl FnMut() -> u32) -> ReceiveHeads {
        let mut ends = || Ends::torn(draw(), draw());
        ReceiveHeads { vacant: ends(), wide: ends(), bins: [(); super::BINS].map(|()| ends()), posted: 77, ..*of }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Both lists as plain vectors that are searched from the front.
    #[derive(Default)]
    struct Plain {
        receives: Vec<Receive>,
        arrivals: Vec<Arrival>,
    }

    #[derive(Clone, Debug)]
    enum Step {
        Post { bits: u64, ignore: u64, source: u32, least_free: u64 },
        Come { bits: u64, source: u32, bytes: u64 },
        Cancel { context: u64 },
    }

    fn step() -> impl Strategy<Value = Step> {
        let bits = 0_u64..4;
        let ignore = prop_oneof![3 => Just(0_u64), 1 => Just(1), 1 => Just(u64::MAX)];
        let source = prop_oneof![3 => 0_u32..3, 1 => Just(ANY_SOURCE)];
        prop_oneof![
            4 => (bits.clone(), ignore, source, prop_oneof![4 => Just(0_u64), 1 => Just(20)])
                .prop_map(|(bits, ignore, source, least_free)| Step::Post { bits, ignore, source, least_free }),
            4 => (bits, 0_u32..3, 0_u64..60).prop_map(|(bits, source, bytes)| Step::Come { bits, source, bytes }),
            1 => (0_u64..40).prop_map(|context| Step::Cancel { context }),
        ]
    }

    proptest! {
        #[test]
        fn lists_do_what_plain_ones_do(steps in prop::collection::vec(step(), 1..120), has_bins in any::<bool>()) {
            if has_bins { as_plain::<BINS>(steps)? } else { as_plain::<0>(steps)? }
        }
    }

    fn as_plain<const N: usize>(steps: Vec<Step>) -> Result<(), TestCaseError> {
        let mut posted = vec![Receive::vacant(); 24];
        let mut unexpected = vec![Arrival::vacant(); 24];
        let (mut heads, mut waiting) = (ReceiveHeads::<N>::of(&mut posted), ArrivalHeads::<N>::of(&mut unexpected));
        let mut plain = Plain::default();
        for (context, step) in steps.into_iter().enumerate() {
            let mut receives = Receives::new(&mut posted, &mut heads);
            let mut arrivals = Arrivals::new(&mut unexpected, &mut waiting);
            match step {
                Step::Post { bits, ignore, source, least_free } => {
                    let criteria = Criteria::new(bits, ignore, source);
                    let first = plain.arrivals.iter().position(|known| criteria.takes(known.bits, known.source));
                    let found = arrivals.find(&criteria);
                    let looked_at = first.map_or(plain.arrivals.len(), |place| place + 1);
                    prop_assert_eq!(arrivals.looked_at(found), looked_at as u64);
                    let found = found.map(|index| arrivals.remove(index).handle);
                    prop_assert_eq!(found, first.map(|place| plain.arrivals.remove(place).handle));
                    if found.is_none() {
                        let receive = Receive { least_free, ..Receive::new(criteria, 1_000, 50, context as u64) };
                        let is_posted = receives.post(receive).is_ok();
                        prop_assert_eq!(is_posted, plain.receives.len() < 24);
                        if is_posted {
                            plain.receives.push(receive);
                        }
                    }
                }
                Step::Come { bits, source, bytes } => {
                    let first = plain.receives.iter().position(|known| known.criteria.takes(bits, source));
                    let found = receives.find(bits, source);
                    let looked_at = first.map_or(plain.receives.len(), |place| place + 1);
                    prop_assert_eq!(receives.looked_at(found), looked_at as u64);
                    let landing = found.map(|index| receives.land(index, bytes));
                    let known = first.map(|place| plain.receives[place]);
                    prop_assert_eq!(landing.map(|landing| landing.receive.context), known.map(|known| known.context));
                    if let (Some(landing), Some(place), Some(known)) = (landing, first, known) {
                        prop_assert_eq!((landing.address, landing.room), (1_000 + known.used, 50 - known.used));
                        let used = known.used + bytes.min(50 - known.used);
                        let is_last = known.least_free == 0 || 50 - used < known.least_free;
                        prop_assert_eq!(landing.is_last, is_last);
                        plain.receives[place].used = used;
                        if is_last {
                            plain.receives.remove(place);
                        }
                    } else {
                        let arrival = Arrival { handle: context as u64, ..Arrival::new(bits, source, bytes) };
                        let is_kept = arrivals.add(arrival).is_ok();
                        prop_assert_eq!(is_kept, plain.arrivals.len() < 24);
                        if is_kept {
                            plain.arrivals.push(arrival);
                        }
                    }
                }
                Step::Cancel { context } => {
                    let first = plain.receives.iter().position(|known| known.context == context);
                    let cancelled = receives.cancel(context).map(|receive| receive.context);
                    prop_assert_eq!(cancelled, first.map(|place| plain.receives.remove(place).context));
                }
            }
            prop_assert_eq!(receives.len() as usize, plain.receives.len());
            prop_assert_eq!(arrivals.len() as usize, plain.arrivals.len());
        }
        Ok(())
    }

    #[test]
    fn a_claimed_message_is_for_its_claimant_only() {
        let mut pool = vec![Arrival::vacant(); 2];
        let mut heads = <ArrivalHeads>::of(&mut pool);
        let mut arrivals = Arrivals::new(&mut pool, &mut heads);
        arrivals.add(Arrival::new(7, 1, 8)).expect("there is room");
        let any = Criteria::new(0, u64::MAX, ANY_SOURCE);
        let found = arrivals.find(&any).expect("it waits");
        arrivals.claim(found, 99);
        assert_eq!((arrivals.find(&any), arrivals.find_claimed(98)), (None, None));
        let claimed = arrivals.find_claimed(99).expect("its claimant finds it");
        assert_eq!(arrivals.remove(claimed).bits, 7);
        assert!(arrivals.is_empty());
    }

    #[test]
    fn a_full_list_says_so_and_loses_nothing() {
        let mut pool = vec![Receive::vacant(); 1];
        let mut heads = <ReceiveHeads>::of(&mut pool);
        let mut receives = Receives::new(&mut pool, &mut heads);
        let receive = |bits| Receive::new(Criteria::new(bits, 0, 3), 0, 8, bits);
        receives.post(receive(1)).expect("there is room");
        let full = receives.post(receive(2)).expect_err("one place");
        assert_eq!(full.to_string(), "all 1 entries of the priority list are in use");
        assert!(receives.find(1, 3).is_some() && receives.find(2, 3).is_none());
    }
}
