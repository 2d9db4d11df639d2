//! Address vectors: the endpoints that a process knows, by number.

use std::collections::hash_map::Entry;
use std::collections::{BTreeSet, HashMap};
use std::net::SocketAddr;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, RwLock, Weak};

use philae_fi_sys::*;

use crate::address::{EndpointAddress, NOT_AVAILABLE, place_of};
use crate::host;

/// An endpoint that is bound to a vector.
pub(crate) trait PeerListener: Send + Sync {
    /// A peer on another host is known.
    fn expect_remote(&self);
}

/// Marks the sources that this process numbers: those of endpoints on other hosts.
const REMOTE: u32 = 1 << 31;

/// The addresses of a vector.
#[derive(Default)]
pub(crate) struct Addresses {
    list: RwLock<List>,
    /// Incremented with each removal: earlier look-ups may be stale.
    removals: AtomicU64,
    has_remote: AtomicBool,
    /// A cache of look-ups: sources with their numbers plus one, by the last bits of the source.
    asked: Asked,
    endpoints: Mutex<Vec<Weak<dyn PeerListener>>>,
    /// Whether neighbours that take part in copies are reached through memory.
    is_shared: bool,
    /// The endpoints that are bound to it.
    pub users: AtomicUsize,
}

/// A source in the upper half, its number plus one in the lower one.
struct Asked([AtomicU64; 64]);

impl Default for Asked {
    fn default() -> Self {
        Self(std::array::from_fn(|_| AtomicU64::new(0)))
    }
}

impl Asked {
    fn of(&self, source: u32) -> &AtomicU64 {
        &self.0[source as usize % self.0.len()]
    }

    fn get(&self, source: u32) -> Option<fi_addr_t> {
        let known = self.of(source).load(Ordering::Acquire);
        (known >> 32 == u64::from(source)).then(|| (known & u64::from(u32::MAX)).checked_sub(1)).flatten()
    }

    fn keep(&self, source: u32, number: fi_addr_t) {
        if number < u64::from(u32::MAX) {
            self.of(source).store(u64::from(source) << 32 | (number + 1), Ordering::Release);
        }
    }

    fn forget(&self) {
        self.0.iter().for_each(|known| known.store(0, Ordering::Release));
    }
}

#[derive(Debug, Default)]
struct List {
    entries: Vec<Option<EndpointAddress>>,
    /// Numbers without an address: the least is given out next.
    vacant: BTreeSet<usize>,
    /// Removed addresses, for reports.
    gone: HashMap<fi_addr_t, EndpointAddress>,
    by_source: HashMap<u32, Numbers>,
    by_socket: HashMap<SocketAddr, Numbers>,
}

/// The numbers of one endpoint, which may have been inserted more than once.
#[derive(Debug)]
struct Numbers {
    /// The number that its messages are reported with: the first, until it is removed.
    first: fi_addr_t,
    others: BTreeSet<fi_addr_t>,
}

impl Numbers {
    fn add<K: Eq + std::hash::Hash>(of: &mut HashMap<K, Self>, key: K, number: fi_addr_t) {
        match of.entry(key) {
            Entry::Vacant(entry) => _ = entry.insert(Self { first: number, others: BTreeSet::new() }),
            Entry::Occupied(mut entry) => _ = entry.get_mut().others.insert(number),
        }
    }

    fn remove<K: Eq + std::hash::Hash>(of: &mut HashMap<K, Self>, key: K, number: fi_addr_t) {
        let Entry::Occupied(mut entry) = of.entry(key) else { return };
        let numbers = entry.get_mut();
        if numbers.first != number {
            numbers.others.remove(&number);
        } else if let Some(next) = numbers.others.pop_first() {
            numbers.first = next;
        } else {
            entry.remove();
        }
    }
}

impl Addresses {
    /// A vector. `is_shared`: neighbours that take part in copies are reached through memory.
    pub fn new(is_shared: bool) -> Self {
        Self { is_shared, ..Self::default() }
    }

    /// The address with this number, and the source of its messages.
    pub fn get(&self, number: fi_addr_t) -> Option<(EndpointAddress, u32)> {
        let list = self.list.read().expect("no panic with it");
        let index = usize::try_from(number).ok()?;
        let address = (*list.entries.get(index)?)?;
        Some((address, source_of(&address, index)))
    }

    /// The address that a number has, or had last.
    pub fn had(&self, number: fi_addr_t) -> Option<EndpointAddress> {
        let found = self.get(number).map(|(address, _)| address);
        found.or_else(|| self.list.read().expect("no panic with it").gone.get(&number).copied())
    }

    /// The number of the endpoint whose messages carry this source.
    pub fn number_of(&self, source: u32) -> fi_addr_t {
        if let Some(number) = self.asked.get(source) {
            return number;
        }
        // Cached with the list locked: a change of the list clears the cache afterwards.
        let list = self.list.read().expect("no panic with it");
        // An address that was composed from names gives only its process number.
        let found = list.by_source.get(&source);
        let found = found.or_else(|| list.by_source.get(&place_of(source)).filter(|_| source & REMOTE == 0));
        let Some(&Numbers { first: number, .. }) = found else { return NOT_AVAILABLE };
        self.asked.keep(source, number);
        number
    }

    /// The number of the endpoint at this socket address.
    pub fn number_of_socket(&self, socket: SocketAddr) -> fi_addr_t {
        let list = self.list.read().expect("no panic with it");
        list.by_socket.get(&socket).map_or(NOT_AVAILABLE, |numbers| numbers.first)
    }

    /// Binds an endpoint: it learns when a peer on another host becomes known.
    pub fn follow(&self, endpoint: Weak<dyn PeerListener>) {
        let mut endpoints = self.endpoints.lock().expect("no panic with it");
        endpoints.retain(|known| known.strong_count() > 0);
        if self.has_remote.load(Ordering::Acquire)
            && let Some(endpoint) = endpoint.upgrade()
        {
            endpoint.expect_remote();
        }
        endpoints.push(endpoint);
    }

    /// How many addresses have been removed.
    pub fn removals(&self) -> u64 {
        self.removals.load(Ordering::Acquire)
    }

    /// Adds an address; returns its number.
    pub fn insert(&self, address: EndpointAddress) -> fi_addr_t {
        let mut list = self.list.write().expect("no panic with it");
        let vacant = list.vacant.pop_first();
        let index = vacant.unwrap_or(list.entries.len());
        if vacant.is_none() {
            list.entries.push(None);
        }
        list.entries[index] = Some(address);
        crate::trace::inserted(self, index as fi_addr_t, address.incarnation);
        Numbers::add(&mut list.by_source, source_of(&address, index), index as fi_addr_t);
        if let Some(socket) = address.socket {
            Numbers::add(&mut list.by_socket, socket, index as fi_addr_t);
        }
        if !is_neighbour(&address) || !self.is_shared || !address.takes_copies {
            self.has_remote.store(true, Ordering::Release);
            drop(list);
            for endpoint in self.endpoints.lock().expect("no panic with it").iter().filter_map(Weak::upgrade) {
                endpoint.expect_remote();
            }
        }
        index as fi_addr_t
    }

    /// Removes an address; returns whether the number had one.
    pub fn remove(&self, number: fi_addr_t) -> bool {
        let mut list = self.list.write().expect("no panic with it");
        let index = number as usize;
        let Some(address) = list.entries.get_mut(index).and_then(Option::take) else { return false };
        list.vacant.insert(index);
        list.gone.insert(number, address);
        self.asked.forget();
        if let Some(socket) = address.socket {
            Numbers::remove(&mut list.by_socket, socket, number);
        }
        // The same endpoint may still be there under another number.
        Numbers::remove(&mut list.by_source, source_of(&address, index), number);
        self.removals.fetch_add(1, Ordering::Release);
        true
    }
}

fn source_of(address: &EndpointAddress, index: usize) -> u32 {
    if is_neighbour(address) { address.source() } else { REMOTE | index as u32 }
}

/// Whether an endpoint is on this host and of this user.
pub(crate) fn is_neighbour(address: &EndpointAddress) -> bool {
    address.host == host::number() && address.user == host::user()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The reference: a plain list that is searched from the front.
    #[derive(Default)]
    struct Plain {
        entries: Vec<Option<EndpointAddress>>,
        /// Numbers in the order of insertion.
        inserted: Vec<usize>,
    }

    impl Plain {
        fn insert(&mut self, address: EndpointAddress) -> usize {
            let number = self.entries.iter().position(Option::is_none).unwrap_or(self.entries.len());
            if number == self.entries.len() {
                self.entries.push(None);
            }
            self.entries[number] = Some(address);
            self.inserted.push(number);
            number
        }
    }

    #[test]
    fn numbers_are_given_out_from_the_least_and_messages_are_of_a_number_that_is_there() {
        let of = |number: u64| EndpointAddress {
            host: host::number(),
            user: host::user(),
            device: 0,
            vni: 1,
            pid: (number % 5) as u16,
            incarnation: 1 + number % 10,
            socket: Some(SocketAddr::from(([10, 0, 0, 1], 1_000 + (number % 10) as u16))),
            takes_copies: true,
        };
        let (addresses, mut plain) = (Addresses::new(true), Plain::default());
        let mut random = 7_u64;
        for _ in 0..3_000 {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let draw = random >> 40;
            if draw % 5 < 3 {
                let address = of(draw / 5);
                assert_eq!(addresses.insert(address), plain.insert(address) as fi_addr_t);
            } else {
                let number = (draw / 5) as usize % (plain.entries.len() + 1);
                let is_there = plain.entries.get_mut(number).and_then(Option::take).is_some();
                plain.inserted.retain(|&known| known != number);
                assert_eq!(addresses.remove(number as fi_addr_t), is_there);
            }
            let address = of(draw / 7);
            let has = |number: usize| plain.entries.get(number).is_some_and(|known| *known == Some(address));
            let said = addresses.number_of(address.source());
            assert_eq!(said != NOT_AVAILABLE, plain.inserted.iter().any(|&number| has(number)));
            assert!(said == NOT_AVAILABLE || has(said as usize));
            let socket = addresses.number_of_socket(address.socket.expect("it has one"));
            assert!(if said == NOT_AVAILABLE { socket == NOT_AVAILABLE } else { has(socket as usize) });
            // An endpoint that has one number keeps it, whatever further numbers it gets.
            let numbers: Vec<usize> = plain.inserted.iter().copied().filter(|&number| has(number)).collect();
            assert!(numbers.len() != 1 || said == numbers[0] as fi_addr_t);
        }
    }

    #[test]
    fn messages_are_told_apart_by_endpoint_and_an_address_made_of_names_is_whoever_has_the_number() {
        let by_names = EndpointAddress {
            host: host::number(),
            user: host::user(),
            device: 0,
            vni: 1,
            pid: 3,
            incarnation: 0,
            socket: None,
            takes_copies: true,
        };
        let known = EndpointAddress { incarnation: 77, ..by_names };
        let addresses = Addresses::new(true);
        assert_eq!((addresses.insert(by_names), addresses.insert(known)), (0, 1));
        assert_eq!(addresses.number_of(known.source()), 1);
        assert_eq!(addresses.number_of(EndpointAddress { incarnation: 78, ..by_names }.source()), 0);
        assert!(addresses.remove(1));
        assert_eq!(addresses.number_of(known.source()), 0);
    }
}
