//! Places of connections: how many there may be, and which one is closed for a new one.
//!
//! Invariant: idle connections cannot keep a new one out. A connection that has not sent a whole
//! request yet, or is between two requests, gives way to a new one; the one that has waited longest
//! goes first. A connection whose request is being answered is never closed for another one. When
//! all are being answered, some places are left for this machine, and some for `/livez`.

use std::collections::{BTreeMap, BTreeSet};
use std::net::IpAddr;
use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::oneshot;

use crate::server::guard::caller;

/// The limits of connections and of their silence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Simultaneous connections.
    pub connections: usize,
    /// Of them, those of one address of another machine (of one /64 of IPv6).
    pub of_address: usize,
    /// Additional places for connections from this machine, and as many for `/livez` and `/readyz`.
    pub kept: usize,
    /// From the first byte of a request, or the begin of the connection, to the end of the
    /// request's head.
    pub head: Duration,
    /// The body of a request.
    pub body: Duration,
    /// Between two requests, and while the client reads nothing of an answer.
    pub idle: Duration,
}

impl Limits {
    /// Limits for a number of connections. The default is half of the files that this process may
    /// open, 4,096 at most. The other half is for agents, files and the manager's own requests.
    ///
    /// Source: ours. Status: assumed.
    #[must_use]
    pub fn new(connections: Option<usize>) -> Self {
        let open = rustix::process::getrlimit(rustix::process::Resource::Nofile).current;
        let open = open.and_then(|most| usize::try_from(most / 2).ok()).unwrap_or(usize::MAX);
        let connections = connections.unwrap_or(4_096).min(open).max(16);
        Self {
            connections,
            of_address: (connections / 4).max(8),
            kept: (connections / 16).clamp(4, 64),
            head: Duration::from_secs(10),
            body: Duration::from_secs(60),
            idle: Duration::from_secs(60),
        }
    }
}

/// The use of a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum ConnectionUse {
    /// Everything.
    Ordinary,
    /// Everything, from this machine, when all ordinary places are taken.
    Here,
    /// `/livez` and `/readyz` only, when all ordinary places are taken.
    Probe,
}

/// The phase of a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    /// It has not sent a whole head yet.
    Head,
    /// A request is being answered.
    Busy,
    /// Between two requests.
    Idle,
}

impl Phase {
    const fn of(number: u8) -> Self {
        match number {
            0 => Self::Head,
            1 => Self::Busy,
            _ => Self::Idle,
        }
    }
}

#[derive(Debug)]
struct Connection {
    address: IpAddr,
    class: ConnectionUse,
    phase: Phase,
    since: Instant,
    /// Since when the client has read nothing of its answer.
    stuck: Option<Instant>,
    /// Tells the connection to end.
    end: Option<oneshot::Sender<()>>,
}

#[derive(Debug, Default)]
struct Table {
    next: u64,
    known: BTreeMap<u64, Connection>,
    /// Connections that may give way, the one that has waited longest first.
    waiting: BTreeSet<(Instant, u64)>,
    by_address: BTreeMap<IpAddr, usize>,
    ordinary: usize,
    here: usize,
    probes: usize,
}

impl Table {
    const fn count(&mut self, class: ConnectionUse) -> &mut usize {
        match class {
            ConnectionUse::Ordinary => &mut self.ordinary,
            ConnectionUse::Here => &mut self.here,
            ConnectionUse::Probe => &mut self.probes,
        }
    }

    fn forget(&mut self, number: u64) -> Option<Connection> {
        let connection = self.known.remove(&number)?;
        self.waiting.remove(&(connection.since, number));
        *self.count(connection.class) -= 1;
        if let Some(count) = self.by_address.get_mut(&connection.address) {
            *count -= 1;
            if *count == 0 {
                self.by_address.remove(&connection.address);
            }
        }
        Some(connection)
    }

    fn end(&mut self, number: u64) {
        if let Some(end) = self.forget(number).and_then(|connection| connection.end) {
            // It may have ended by itself.
            let _ = end.send(());
        }
    }

    /// Ends the matching connection that has waited longest. Returns whether there was one.
    fn make_room(&mut self, fits: impl Fn(&Connection) -> bool) -> bool {
        let mut numbers = self.waiting.iter().map(|(_, number)| *number);
        let first = numbers.find(|number| self.known.get(number).is_some_and(&fits));
        first.is_some_and(|number| {
            self.end(number);
            true
        })
    }

    fn change(&mut self, number: u64, phase: Phase) {
        let Some(connection) = self.known.get_mut(&number) else { return };
        self.waiting.remove(&(connection.since, number));
        (connection.phase, connection.since) = (phase, Instant::now());
        if phase != Phase::Busy {
            self.waiting.insert((connection.since, number));
        }
    }
}

/// All places.
#[derive(Debug)]
pub(crate) struct ConnectionSlots {
    limits: Limits,
    table: Mutex<Table>,
}

impl ConnectionSlots {
    /// All places are free.
    pub(crate) fn new(limits: Limits) -> Arc<Self> {
        Arc::new(Self { limits, table: Mutex::default() })
    }

    pub(crate) const fn limits(&self) -> &Limits {
        &self.limits
    }

    fn table(&self) -> MutexGuard<'_, Table> {
        self.table.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A place for a new connection, and the receiver of the order to end; `None` if even the
    /// reserved places are being answered.
    pub(crate) fn enter(self: &Arc<Self>, from: IpAddr) -> Option<(Arc<ConnectionSlot>, oneshot::Receiver<()>)> {
        let (here, address) = (from.to_canonical().is_loopback(), caller(from));
        let mut table = self.table();
        let class = loop {
            let of_address = table.by_address.get(&address).copied().unwrap_or(0);
            let has_room = table.ordinary < self.limits.connections;
            if has_room && (here || of_address < self.limits.of_address) {
                break ConnectionUse::Ordinary;
            }
            // An address with too many connections loses one of its own; when all places are taken,
            // the connection that has waited longest ends.
            let ordinary = |other: &Connection| other.class == ConnectionUse::Ordinary;
            if table.make_room(|other| ordinary(other) && (!has_room || other.address == address)) {
                continue;
            }
            let class = if here && table.here < self.limits.kept { ConnectionUse::Here } else { ConnectionUse::Probe };
            let is_full = class == ConnectionUse::Probe && table.probes >= self.limits.kept;
            if is_full && !table.make_room(|other| other.class == ConnectionUse::Probe) {
                return None;
            }
            break class;
        };
        let (end, ended) = oneshot::channel();
        let (number, since) = (table.next, Instant::now());
        table.next += 1;
        *table.count(class) += 1;
        *table.by_address.entry(address).or_default() += 1;
        table.waiting.insert((since, number));
        let connection = Connection { address, class, phase: Phase::Head, since, stuck: None, end: Some(end) };
        table.known.insert(number, connection);
        drop(table);
        let place = ConnectionSlot { places: Arc::clone(self), number, class, phase: AtomicU8::new(Phase::Head as u8) };
        Some((Arc::new(place), ended))
    }

    /// Ends the connection that has waited longest, because the system has no room for another one.
    pub(crate) fn give_way(&self) {
        self.table().make_room(|_| true);
    }

    /// Ends connections that have sent, or read, nothing for too long.
    pub(crate) fn sweep(&self, now: Instant) {
        let mut table = self.table();
        let late = |connection: &Connection| {
            let most = match connection.phase {
                Phase::Head => self.limits.head,
                Phase::Idle => self.limits.idle,
                Phase::Busy => return connection.stuck.is_some_and(|at| now.duration_since(at) >= self.limits.idle),
            };
            now.duration_since(connection.since) >= most
        };
        let late: Vec<u64> =
            table.known.iter().filter(|(_, connection)| late(connection)).map(|(number, _)| *number).collect();
        for number in late {
            table.end(number);
        }
    }
}

/// The place of one connection; dropping it frees the place.
#[derive(Debug)]
pub(crate) struct ConnectionSlot {
    places: Arc<ConnectionSlots>,
    number: u64,
    class: ConnectionUse,
    /// The phase, to be read without the table's lock.
    phase: AtomicU8,
}

impl Drop for ConnectionSlot {
    fn drop(&mut self) {
        self.places.table().forget(self.number);
    }
}

impl ConnectionSlot {
    /// The use of the place.
    pub(crate) const fn class(&self) -> ConnectionUse {
        self.class
    }

    pub(crate) fn limits(&self) -> &Limits {
        self.places.limits()
    }

    fn change(&self, phase: Phase) {
        self.phase.store(phase as u8, Ordering::Relaxed);
        self.places.table().change(self.number, phase);
    }

    /// Bytes have arrived: between two requests, they begin the next one's head.
    pub(crate) fn heard(&self) {
        if Phase::of(self.phase.load(Ordering::Relaxed)) == Phase::Idle {
            self.change(Phase::Head);
        }
    }

    /// Notes whether the client has stopped reading the answer.
    pub(crate) fn stuck(&self, is_stuck: bool) {
        let mut table = self.places.table();
        if let Some(connection) = table.known.get_mut(&self.number) {
            connection.stuck = is_stuck.then(|| connection.stuck.unwrap_or_else(Instant::now));
        }
    }

    /// Marks a request as being answered, until the returned value is dropped.
    pub(crate) fn answer(self: Arc<Self>) -> Answering {
        self.change(Phase::Busy);
        Answering(self)
    }
}

/// While it exists, its connection's request is being answered.
#[derive(Debug)]
pub(crate) struct Answering(Arc<ConnectionSlot>);

impl Drop for Answering {
    fn drop(&mut self) {
        self.0.change(Phase::Idle);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HERE: IpAddr = IpAddr::V4(std::net::Ipv4Addr::LOCALHOST);

    fn limits() -> Limits {
        Limits { connections: 4, of_address: 2, kept: 1, ..Limits::new(None) }
    }

    fn far(number: u32) -> IpAddr {
        IpAddr::V4(std::net::Ipv4Addr::from_bits(0x0a00_0000 + number))
    }

    type Held = (Arc<ConnectionSlot>, oneshot::Receiver<()>);

    fn is_ended(held: &mut Held) -> bool {
        held.1.try_recv().is_ok()
    }

    #[test]
    fn who_waits_longest_gives_way_and_who_is_answered_never_does() {
        let places = ConnectionSlots::new(limits());
        let mut held: Vec<Held> = (0..4).map(|_| places.enter(HERE).expect("there is room")).collect();
        let answered = Arc::clone(&held[0].0).answer();
        let fifth = places.enter(HERE).expect("another gives way");
        assert_eq!(fifth.0.class(), ConnectionUse::Ordinary);
        let ended: Vec<bool> = held.iter_mut().map(is_ended).collect();
        assert_eq!(ended, [false, true, false, false], "the first of those that wait");
        drop(answered);
        // It began to wait just now, after all others.
        let _sixth = places.enter(HERE).expect("another gives way");
        assert!(is_ended(&mut held[2]) && !is_ended(&mut held[0]));
    }

    #[test]
    fn when_all_are_answered_some_places_are_left_for_this_machine_and_for_probes() {
        let places = ConnectionSlots::new(limits());
        let held: Vec<Held> = (0..4).map(|number| places.enter(far(number)).expect("there is room")).collect();
        let answered: Vec<Answering> = held.iter().map(|(place, _)| Arc::clone(place).answer()).collect();
        let here = places.enter(HERE).expect("one is kept");
        assert_eq!(here.0.class(), ConnectionUse::Here);
        let mut probe = places.enter(far(9)).expect("one is kept for probes");
        assert_eq!(probe.0.class(), ConnectionUse::Probe);
        let next = places.enter(far(8)).expect("the probe that waits gives way");
        assert!(is_ended(&mut probe) && next.0.class() == ConnectionUse::Probe);
        let _answered = Arc::clone(&next.0).answer();
        assert!(places.enter(far(7)).is_none());
        drop((held, answered));
        assert_eq!(places.enter(far(7)).expect("there is room again").0.class(), ConnectionUse::Ordinary);
    }

    #[test]
    fn one_address_takes_no_more_than_its_share() {
        let places = ConnectionSlots::new(limits());
        let mut held: Vec<Held> = (0..2).map(|_| places.enter(far(1)).expect("there is room")).collect();
        let mut other = places.enter(far(2)).expect("there is room");
        let _third = places.enter(far(1)).expect("its own first gives way");
        assert!(is_ended(&mut held[0]) && !is_ended(&mut held[1]) && !is_ended(&mut other));
        assert_eq!(places.table().by_address[&far(1)], 2);
    }

    #[test]
    fn who_says_nothing_for_too_long_is_ended() {
        let places = ConnectionSlots::new(Limits { connections: 9, of_address: 9, ..limits() });
        let now = Instant::now();
        let mut heads: Vec<Held> = (0..2).map(|_| places.enter(HERE).expect("there is room")).collect();
        let mut idle = places.enter(HERE).expect("there is room");
        drop(Arc::clone(&idle.0).answer());
        let mut busy = places.enter(HERE).expect("there is room");
        let _answering = Arc::clone(&busy.0).answer();
        places.sweep(now + Duration::from_secs(9));
        assert!(!heads.iter_mut().any(is_ended));
        places.sweep(now + Duration::from_secs(11));
        assert!(heads.iter_mut().all(is_ended) && !is_ended(&mut idle));
        places.sweep(now + Duration::from_secs(62));
        assert!(is_ended(&mut idle) && !is_ended(&mut busy), "an answer may take long");
        busy.0.stuck(true);
        places.sweep(now + Duration::from_secs(200));
        assert!(is_ended(&mut busy), "nobody takes it");
        drop((heads, idle, busy));
    }

    #[test]
    fn the_next_request_has_the_time_of_a_head_from_its_first_byte() {
        let places = ConnectionSlots::new(limits());
        let mut held = places.enter(HERE).expect("there is room");
        drop(Arc::clone(&held.0).answer());
        held.0.heard();
        places.sweep(Instant::now() + Duration::from_secs(11));
        assert!(is_ended(&mut held));
        assert_eq!(places.table().ordinary, 0);
        drop(held);
        assert_eq!(places.table().ordinary, 0, "counted once");
    }
}
