//! The lists that a NIC matches with: posted receives, in the order in which they were posted, and
//! unexpected messages, in order of arrival.
//!
//! A message goes to the first receive that takes it; a receive gets the first message that it
//! takes. Long lists also have an [index](super::class), so that the cost of a search does not grow
//! with the number of entries. The index does not affect which entry is found. Source: Portals 4.3
//! (priority and overflow lists), fi_tagged(3). Status: published.

pub use super::arrivals::{ArrivalHeads, Arrivals, ReadPosition, UnexpectedMessage};
use super::chain::{ChainLinks, Chained};
pub use super::receives::{ReceiveHeads, Receives};

/// Hash chains of one list in shared memory. Source: ours. Status: assumed; it changes how long a
/// search takes, never its result.
pub const BINS: usize = 1_024;

pub const ANY_SOURCE: u32 = u32::MAX;

/// What a receive matches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(C)]
pub struct Criteria {
    /// Match bits that a message must have.
    pub bits: u64,
    /// Bits that are ignored.
    pub ignore: u64,
    /// The source; [`ANY_SOURCE`]: any.
    pub source: u32,
}

impl Criteria {
    /// Matches these bits except for the ignored ones, from this source.
    #[must_use]
    pub const fn new(bits: u64, ignore: u64, source: u32) -> Self {
        Self { bits, ignore, source }
    }

    /// Whether a message with these bits from this source matches.
    #[must_use]
    pub const fn takes(&self, bits: u64, source: u32) -> bool {
        (self.bits ^ bits) & !self.ignore == 0 && (self.source == ANY_SOURCE || self.source == source)
    }
}

/// A posted receive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub struct Receive {
    /// What it matches.
    pub criteria: Criteria,
    /// Where its buffer begins, in its process.
    pub address: u64,
    /// Bytes of the buffer.
    pub length: u64,
    /// Bytes of the buffer that earlier messages have used.
    pub used: u64,
    /// A multi-receive buffer is given back when fewer bytes than this are left; 0: the receive is
    /// for one message.
    pub least_free: u64,
    /// The context that the process gave it.
    pub context: u64,
    /// The interface's flag bits for its event.
    pub flags: u64,
    /// When it was posted, in picoseconds of simulated time; 0 in real time.
    pub posted_at: u64,
    /// Its number in the order of posting, from 1; 0: it is not posted.
    pub(super) order: u64,
    /// The number of its class in the index. Any other value: its class is not in the index.
    pub(super) class: u32,
    pub(super) links: [ChainLinks; 3],
}

impl Chained<3> for Receive {
    fn links(&self) -> &[ChainLinks; 3] {
        &self.links
    }
    fn links_mut(&mut self) -> &mut [ChainLinks; 3] {
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
            posted_at: 0,
            order: 0,
            class: 0,
            links: [ChainLinks::default(); 3],
        }
    }

    /// An unused entry of a pool.
    #[must_use]
    pub fn vacant() -> Self {
        Self::new(Criteria::new(0, 0, 0), 0, 0, 0)
    }

    /// Where a message of `bytes` lands in this receive. A receive for one message is then
    /// complete, and so is a multi-receive buffer that has less than its minimum left.
    #[must_use]
    pub fn landing(self, bytes: u64) -> MessageLanding {
        let room = self.length - self.used;
        let left = room - bytes.min(room);
        let is_last = !self.is_for_many() || left < self.least_free;
        MessageLanding { address: self.address.wrapping_add(self.used), room, receive: self, is_last }
    }

    /// Whether its buffer is for several messages.
    #[must_use]
    pub const fn is_for_many(&self) -> bool {
        self.least_free > 0
    }
}

/// A list is full: all entries of its pool are in use.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("all {places} entries of the {list} list are in use")]
pub struct ListFull {
    /// The name of the list.
    pub list: &'static str,
    /// The capacity of the list, in entries.
    pub places: usize,
}

/// Where a message lands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub struct MessageLanding {
    /// Where its bytes go, in the receiver's process.
    pub address: u64,
    /// Bytes that fit there.
    pub room: u64,
    /// The receive as it was before the message.
    pub receive: Receive,
    /// Whether the receive is complete: it was for one message, or its buffer has too little room
    /// left.
    pub is_last: bool,
}

#[cfg(test)]
mod tests {
    use super::super::arrivals::{ArrivalIndex, ArrivalIndexing};
    use super::super::class::{Fixed, Growing};
    use super::super::receives::{ReceiveIndex, ReceiveIndexing};
    use super::*;
    use proptest::prelude::*;

    /// The capacity of each list: several times the length up to which a list is searched linearly.
    const PLACES: usize = 48;

    /// Both lists as plain vectors that are searched from the front.
    #[derive(Default)]
    struct Plain {
        receives: Vec<Receive>,
        arrivals: Vec<UnexpectedMessage>,
    }

    #[derive(Clone, Debug)]
    enum Step {
        Post { bits: u64, ignore: u64, source: u32, least_free: u64 },
        Come { bits: u64, source: u32, bytes: u64 },
        Cancel { context: u64 },
        Claim { bits: u64, ignore: u64, context: u64 },
        TakeClaimed { context: u64 },
    }

    /// More classes than an index has.
    fn ignored() -> impl Strategy<Value = u64> {
        prop_oneof![6 => Just(0_u64), 1 => Just(1), 1 => Just(u64::MAX), 2 => (8_u64..40).prop_map(|bit| 1 << bit)]
    }

    fn step() -> impl Strategy<Value = Step> {
        let bits = 0_u64..4;
        let source = prop_oneof![3 => 0_u32..3, 1 => Just(ANY_SOURCE)];
        prop_oneof![
            4 => (bits.clone(), ignored(), source, prop_oneof![4 => Just(0_u64), 1 => Just(20)])
                .prop_map(|(bits, ignore, source, least_free)| Step::Post { bits, ignore, source, least_free }),
            4 => (bits.clone(), 0_u32..3, 0_u64..60).prop_map(|(bits, source, bytes)| Step::Come { bits, source, bytes }),
            1 => (0_u64..200).prop_map(|context| Step::Cancel { context }),
            1 => (bits, ignored(), 1_u64..5).prop_map(|(bits, ignore, context)| Step::Claim { bits, ignore, context }),
            1 => (1_u64..5).prop_map(|context| Step::TakeClaimed { context }),
        ]
    }

    proptest! {
        #[test]
        fn lists_do_what_plain_ones_do(
            steps in prop::collection::vec(step(), 1..400),
            kind in 0_u32..4,
            turned in 0_u32..3,
        ) {
            // Now and then there are many more of one kind than of the other, so that lists become
            // long.
            let keep = |(number, step): (usize, Step)| match (turned, &step) {
                (1, Step::Come { .. }) | (2, Step::Post { .. }) if number % 4 > 0 => None,
                _ => Some(step),
            };
            let steps: Vec<Step> = steps.into_iter().enumerate().filter_map(keep).collect();
            match kind {
                0 => as_plain::<(), ()>(steps)?,
                1 => as_plain::<ReceiveIndex, ArrivalIndex>(steps)?,
                2 => as_plain::<ReceiveIndex<Fixed<2>>, ArrivalIndex<Fixed<2>>>(steps)?,
                _ => as_plain::<ReceiveIndex<Growing>, ArrivalIndex<Growing>>(steps)?,
            }
        }
    }

    fn as_plain<R: ReceiveIndexing, A: ArrivalIndexing>(steps: Vec<Step>) -> Result<(), TestCaseError> {
        let mut posted = vec![Receive::vacant(); PLACES];
        let mut unexpected = vec![UnexpectedMessage::vacant(); PLACES];
        let (mut heads, mut waiting) = (ReceiveHeads::<R>::of(&mut posted), ArrivalHeads::<A>::of(&mut unexpected));
        let mut plain = Plain::default();
        for (context, step) in steps.into_iter().enumerate() {
            let mut receives = Receives::new(&mut posted, &mut heads);
            let mut arrivals = Arrivals::new(&mut unexpected, &mut waiting);
            match step {
                Step::Post { bits, ignore, source, least_free } => {
                    let criteria = Criteria::new(bits, ignore, source);
                    let takes =
                        |known: &UnexpectedMessage| known.claimed_by == 0 && criteria.takes(known.bits, known.source);
                    let first = plain.arrivals.iter().position(takes);
                    let found = arrivals.find(&criteria);
                    let looked_at = first.map_or(plain.arrivals.len(), |place| place + 1);
                    prop_assert_eq!(arrivals.looked_at(found), looked_at as u64);
                    let found = found.map(|index| arrivals.remove(index).handle);
                    prop_assert_eq!(found, first.map(|place| plain.arrivals.remove(place).handle));
                    if found.is_none() {
                        let receive = Receive { least_free, ..Receive::new(criteria, 1_000, 50, context as u64) };
                        let is_posted = receives.post(receive).is_ok();
                        prop_assert_eq!(is_posted, plain.receives.len() < PLACES);
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
                        let arrival =
                            UnexpectedMessage { handle: context as u64, ..UnexpectedMessage::new(bits, source, bytes) };
                        let is_kept = arrivals.add(arrival).is_ok();
                        prop_assert_eq!(is_kept, plain.arrivals.len() < PLACES);
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
                Step::Claim { bits, ignore, context } => {
                    let criteria = Criteria::new(bits, ignore, ANY_SOURCE);
                    let takes =
                        |known: &UnexpectedMessage| known.claimed_by == 0 && criteria.takes(known.bits, known.source);
                    let first = plain.arrivals.iter().position(takes);
                    let found = arrivals.find(&criteria);
                    prop_assert_eq!(found.is_some(), first.is_some());
                    if let (Some(found), Some(first)) = (found, first) {
                        arrivals.claim(found, context);
                        plain.arrivals[first].claimed_by = context;
                    }
                }
                Step::TakeClaimed { context } => {
                    // If several have the same context, any of them.
                    let found = arrivals.find_claimed(context).map(|index| arrivals.remove(index));
                    let known = |known: &UnexpectedMessage| found.is_some_and(|found| known.handle == found.handle);
                    let place = plain.arrivals.iter().position(known);
                    let is_any = plain.arrivals.iter().any(|known| known.claimed_by == context);
                    prop_assert_eq!(place.is_some(), is_any);
                    if let Some(place) = place {
                        prop_assert_eq!(plain.arrivals.remove(place).claimed_by, context);
                    }
                }
            }
            let mut orders = Vec::new();
            arrivals.each(|arrival| orders.push(arrival.handle));
            prop_assert_eq!(orders, plain.arrivals.iter().map(|known| known.handle).collect::<Vec<_>>());
            prop_assert_eq!(receives.len() as usize, plain.receives.len());
            prop_assert_eq!(arrivals.len() as usize, plain.arrivals.len());
        }
        Ok(())
    }

    #[test]
    fn a_claimed_message_is_for_its_claimant_only() {
        let mut pool = vec![UnexpectedMessage::vacant(); 2];
        let mut heads = <ArrivalHeads>::of(&mut pool);
        let mut arrivals = Arrivals::new(&mut pool, &mut heads);
        arrivals.add(UnexpectedMessage::new(7, 1, 8)).expect("there is room");
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
