//! How the cost of matching grows with the number of waiting entries. The tests count compared
//! entries; they measure no time.

use super::arrivals::{ArrivalIndex, ArrivalIndexing};
use super::class::Growing;
use super::list::{
    ANY_SOURCE, ArrivalHeads, Arrivals, Criteria, ReadPosition, Receive, ReceiveHeads, Receives, UnexpectedMessage,
};
use super::receives::{ReceiveIndex, ReceiveIndexing};
use super::software::SoftwareLists;

/// Bits that an MPI ignores in every receive.
const PROTOCOL: u64 = 0xf << 60;
/// Entries of one list in shared memory, as many as a provider's endpoint has at most.
const PLACES: u64 = 8_192;

/// The order of posts and arrivals at a process.
#[derive(Clone, Copy, Debug)]
enum Order {
    /// Receives and messages alternate, and the tags of one begin at the end of the other's: half
    /// of each wait before the first match.
    Crossing,
    /// All receives, then all messages, in reverse order.
    PostedBefore,
    /// All messages, then all receives, in reverse order.
    SentBefore,
    /// All messages of one tag, then all receives.
    OneTag,
    /// All receives; then they are cancelled in reverse order.
    TakenBack,
    /// All messages; each is claimed, in reverse order, and then received by its claimant.
    Claimed,
}

/// A process with one kind of lists.
trait Lists {
    type Receives: ReceiveIndexing;
    type Arrivals: ArrivalIndexing;
    fn receives<T>(&mut self, act: impl FnOnce(&mut Receives<'_, Self::Receives>) -> T) -> T;
    fn arrivals<T>(&mut self, act: impl FnOnce(&mut Arrivals<'_, Self::Arrivals>) -> T) -> T;
    fn add_receive(&mut self, receive: Receive);
    fn add_arrival(&mut self, arrival: UnexpectedMessage);

    /// Posts a receive, and returns whether it takes a message.
    fn post(&mut self, criteria: Criteria, context: u64) -> bool {
        if self.arrivals(|arrivals| arrivals.find(&criteria).map(|index| arrivals.take(index))).is_some() {
            return true;
        }
        self.add_receive(Receive::new(criteria, 0, 8, context));
        false
    }

    /// Delivers a message, and returns whether a receive takes it.
    fn come(&mut self, bits: u64, source: u32) -> bool {
        if self.receives(|receives| receives.find(bits, source).map(|index| receives.take(index))).is_some() {
            return true;
        }
        self.add_arrival(UnexpectedMessage::new(bits, source, 8));
        false
    }

    fn compared(&mut self) -> u64 {
        self.receives(|receives| receives.compared()) + self.arrivals(|arrivals| arrivals.compared())
    }
}

/// Lists of fixed capacity, as in memory that processes share.
struct Shared {
    receives: (Vec<Receive>, Box<ReceiveHeads>),
    arrivals: (Vec<UnexpectedMessage>, Box<ArrivalHeads>),
}

impl Shared {
    fn new() -> Self {
        let places = PLACES as usize;
        let (mut receives, mut arrivals) = (vec![Receive::vacant(); places], vec![UnexpectedMessage::vacant(); places]);
        let (of_receives, of_arrivals) = (ReceiveHeads::of(&mut receives), ArrivalHeads::of(&mut arrivals));
        Self { receives: (receives, Box::new(of_receives)), arrivals: (arrivals, Box::new(of_arrivals)) }
    }
}

impl Lists for Shared {
    type Receives = ReceiveIndex;
    type Arrivals = ArrivalIndex;
    fn receives<T>(&mut self, act: impl FnOnce(&mut Receives<'_>) -> T) -> T {
        act(&mut Receives::new(&mut self.receives.0, &mut self.receives.1))
    }
    fn arrivals<T>(&mut self, act: impl FnOnce(&mut Arrivals<'_>) -> T) -> T {
        act(&mut Arrivals::new(&mut self.arrivals.0, &mut self.arrivals.1))
    }
    fn add_receive(&mut self, receive: Receive) {
        self.receives(|receives| receives.post(receive)).expect("there is room");
    }
    fn add_arrival(&mut self, arrival: UnexpectedMessage) {
        self.arrivals(|arrivals| arrivals.add(arrival)).expect("there is room");
    }
}

impl Lists for SoftwareLists {
    type Receives = ReceiveIndex<Growing>;
    type Arrivals = ArrivalIndex<Growing>;
    fn receives<T>(&mut self, act: impl FnOnce(&mut Receives<'_, Self::Receives>) -> T) -> T {
        self.receives(act)
    }
    fn arrivals<T>(&mut self, act: impl FnOnce(&mut Arrivals<'_, Self::Arrivals>) -> T) -> T {
        self.arrivals(act)
    }
    fn add_receive(&mut self, receive: Receive) {
        self.add_receive(receive).expect("there is no limit");
    }
    fn add_arrival(&mut self, arrival: UnexpectedMessage) {
        self.add_arrival(arrival).expect("there is no limit");
    }
}

/// Carries out `order` with `count` receives and messages. Returns the number of entries compared,
/// per receive and message.
fn cost(lists: &mut impl Lists, order: Order, count: u64, criteria: impl Fn(u64) -> Criteria) -> f64 {
    let (bits, source) = (|number: u64| number | 1 << 40, |number: u64| (number % 7) as u32);
    let mut met = 0;
    let before = lists.compared();
    match order {
        Order::Crossing => {
            for number in 0..count {
                met += u64::from(lists.post(criteria(count - 1 - number), number));
                met += u64::from(lists.come(bits(number), source(number)));
            }
        }
        Order::PostedBefore => {
            (0..count).for_each(|number| assert!(!lists.post(criteria(number), number)));
            met = (0..count).rev().map(|number| u64::from(lists.come(bits(number), source(number)))).sum();
        }
        Order::SentBefore => {
            (0..count).for_each(|number| assert!(!lists.come(bits(number), source(number))));
            met = (0..count).rev().map(|number| u64::from(lists.post(criteria(number), number))).sum();
        }
        Order::OneTag => {
            (0..count).for_each(|_| assert!(!lists.come(bits(0), source(0))));
            met = (0..count).map(|number| u64::from(lists.post(criteria(0), number))).sum();
        }
        Order::TakenBack => {
            (0..count).for_each(|number| assert!(!lists.post(criteria(number), number)));
            let mut cancel = |number| lists.receives(|receives| receives.cancel(number).is_some());
            met = (0..count).rev().map(|number| u64::from(cancel(number))).sum();
        }
        Order::Claimed => {
            (0..count).for_each(|number| assert!(!lists.come(bits(number), source(number))));
            for number in (0..count).rev() {
                let claim = |arrivals: &mut Arrivals<'_, _>| {
                    let found = arrivals.find(&criteria(number)).expect("it waits");
                    arrivals.claim(found, number + 1);
                };
                lists.arrivals(claim);
            }
            let mut take = |number| lists.arrivals(|all| all.find_claimed(number + 1).map(|index| all.take(index)));
            met = (0..count).map(|number| u64::from(take(number).is_some())).sum();
        }
    }
    assert_eq!(met, count, "{order:?}: each meets its own");
    (lists.compared() - before) as f64 / (2 * count) as f64
}

/// Receives of one class, of an MPI's four classes in turn, and of more classes than an index has
/// for messages.
fn criteria(classes: u64, number: u64) -> Criteria {
    let (bits, source) = (number | 1 << 40, (number % 7) as u32);
    match classes {
        1 => Criteria::new(bits, PROTOCOL, source),
        2 => Criteria::new(bits, PROTOCOL, if number.is_multiple_of(2) { source } else { ANY_SOURCE }),
        // Bits that no message of these tests has.
        _ => Criteria::new(
            bits,
            PROTOCOL >> (number % classes / 2),
            if number.is_multiple_of(2) { source } else { ANY_SOURCE },
        ),
    }
}

const ORDERS: [Order; 6] =
    [Order::Crossing, Order::PostedBefore, Order::SentBefore, Order::OneTag, Order::TakenBack, Order::Claimed];

#[test]
fn searches_in_shared_memory_look_at_as_many_entries_whether_a_thousand_wait_or_eight() {
    for order in ORDERS {
        for classes in [1, 2, 4] {
            let costs =
                [1_024, 4_096, PLACES].map(|count| cost(&mut Shared::new(), order, count, |n| criteria(classes, n)));
            // A search reads one chain for each class. With the most entries, a chain has eight on
            // average.
            assert!(
                costs.iter().all(|&cost| cost < 4.0 * classes as f64 + 8.0),
                "{order:?}, {classes} classes: {costs:?}"
            );
        }
    }
}

#[test]
fn searches_in_software_look_at_as_many_entries_whatever_waits() {
    for order in ORDERS {
        for classes in [1, 2, 4] {
            let lists = || SoftwareLists::with_limit(1 << 20);
            let costs =
                [1_024, 4_096, 16_384, 65_536].map(|count| cost(&mut lists(), order, count, |n| criteria(classes, n)));
            assert!(
                costs.iter().all(|&cost| cost < 2.0 * classes as f64 + 4.0),
                "{order:?}, {classes} classes: {costs:?}"
            );
        }
    }
}

#[test]
fn more_classes_in_turn_than_an_index_has_cost_what_a_list_without_one_does() {
    // The known worst case: each search puts all messages into new chains.
    let all = cost(&mut SoftwareLists::with_limit(1 << 20), Order::SentBefore, 1_024, |n| criteria(16, n));
    assert!((100.0..1_024.0).contains(&all), "{all}");
    // Receives of further classes are searched linearly.
    let all = cost(&mut SoftwareLists::with_limit(1 << 20), Order::PostedBefore, 1_024, |n| criteria(32, n));
    assert!((10.0..1_024.0).contains(&all), "{all}");
}

#[test]
fn lists_that_become_short_again_cost_what_short_ones_do() {
    let mut lists = SoftwareLists::with_limit(1 << 20);
    for count in [65_536, 4, 4, 4, 20, 4] {
        for order in ORDERS {
            let cost = cost(&mut lists, order, count, |n| criteria(1, n));
            assert!(cost < 6.0, "{order:?}, {count}: {cost}");
        }
    }
}

#[test]
fn who_has_seen_what_waits_looks_at_what_is_new_only() {
    for count in [1_024_u64, 4_096] {
        let mut lists = Shared::new();
        let mut seen = ReadPosition::default();
        let mut taken = 0;
        lists.arrivals(|arrivals| {
            let add = |arrivals: &mut Arrivals<'_>, bits| {
                arrivals.add(UnexpectedMessage::new(bits, 1, 8)).expect("there is room")
            };
            // Messages that no receive takes; another receive takes the last of them.
            (0..count).for_each(|bits| _ = add(arrivals, bits));
            while let Some(index) = arrivals.first_unseen(&mut seen) {
                seen = arrivals.seen_to(index);
            }
            let last = arrivals.find(&Criteria::new(count - 1, 0, 1)).expect("it waits");
            arrivals.take(last);
            // All messages that arrive now are taken one at a time, with one read for each.
            (count..2 * count).for_each(|bits| _ = add(arrivals, bits));
            while let Some(index) = arrivals.first_unseen(&mut seen) {
                assert_eq!(arrivals.remove(index).bits, count + taken);
                taken += 1;
            }
            assert_eq!((taken, arrivals.len()), (count, count - 1));
            // The same when none of the messages read before is left.
            while let Some(first) = arrivals.first() {
                arrivals.take(first);
            }
            (0..count).for_each(|bits| _ = add(arrivals, bits));
            while let Some(index) = arrivals.first_unseen(&mut seen) {
                arrivals.take(index);
                taken += 1;
            }
        });
        assert_eq!(taken, 2 * count);
        let compared = lists.compared() as f64 / count as f64;
        assert!(compared < 8.0, "{count}: {compared} for each");
    }
}
