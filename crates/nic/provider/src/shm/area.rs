//! The state of one process's NIC, in memory that the processes of its user share. The owner makes
//! it, senders map it, and only the holder of its lock changes it.
//!
//! A process of another user cannot open it. A process of the same user is trusted to the extent
//! that it could reach the owner's memory anyway.

use std::cell::UnsafeCell;
use std::io;
use std::mem::{align_of, size_of};
use std::os::unix::fs::{FileExt, MetadataExt};
use std::ptr::NonNull;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::time::Duration;

use philae_nic_core::nic::{
    ArrivalHeads, Arrivals, BufferHeads, Buffers, EventRing, Journal, NicCounter, NicProcess, Portal, PortalKind,
    ProcessMatching, ReceiveHeads, Receives, Regions, RegisteredRegion, Reserved, RingState, Trigger, TriggerHeads,
    Triggers,
};

use super::copy::{self, CopyError};
use super::file::{self, Owned};
use super::flight::{FLIGHTS, Flight, FlightNote, Flights};
use super::grow::PoolSizes;
use super::inbox::PortalInbox;
use super::lock::{Broken, SharedLock, SharedLockGuard, is_alive};
use super::mail::MailNote;
use super::pages::commit;
use super::paths::{EndpointPaths, PeerName, PeerPath};
pub use super::shape::{AreaCapacity, AreaError, PortalShape};
use super::shape::{AreaLayout, LINE, PortalPlaces};
use crate::host;
use crate::log::{MessageLevel, say};
use philae_cosim::futex;

/// The beginning of an area.
const MAGIC: u64 = u64::from_ne_bytes(file::MAGIC);
/// The value that other processes try to copy from an owner of areas.
static WITNESS: u64 = MAGIC;
/// Bytes outside the pools.
pub(super) const HEADER_BYTES: usize = size_of::<AreaHeader>();

/// The part outside the pools.
#[repr(C)]
pub(super) struct AreaHeader {
    /// [`MAGIC`], written last: an area without it is incomplete.
    magic: AtomicU64,
    shape: AreaCapacity,
    /// The owner's process, and its host's identity: on another host the process number is another
    /// process's.
    owner: u32,
    host: u64,
    vni: u16,
    /// A unique number: a later area with the same name has another.
    incarnation: u64,
    /// The address of the owner's [`WITNESS`]: a process that can copy it can copy from the owner.
    witness: u64,
    /// Whether the owner has closed it.
    closed: AtomicU32,
    /// The lock, with the state that every holder changes.
    pub(super) front: OwnLine<Front>,
    pub(super) bell: OwnLine<Bell>,
    /// How the owner reaches its peers.
    ways: OwnLine<EndpointPaths>,
    /// The other state that the lock guards.
    core: OwnLine<UnsafeCell<AreaCore>>,
}

#[repr(C)]
pub(super) struct Front {
    lock: SharedLock,
    guarded: UnsafeCell<Guarded>,
    /// How many messages of the inboxes have been read. Written by the lock's holder.
    pub(super) heads: [AtomicU32; 2],
    /// Whether the inboxes have memory and free slots. Written by the lock's holder.
    pub(super) has_inbox: [AtomicU32; 2],
    /// Whether there are events of messages that were matched without the bell. Written by the
    /// lock's holder.
    pub(super) has_events: AtomicU32,
    /// The message that a process other than the owner matches. Written by the lock's holder.
    pub(super) mail: MailNote,
}

/// The state that every holder of the lock changes.
#[repr(C)]
pub(super) struct Guarded {
    pub ring: RingState,
    pub reserved: Reserved,
    flight: FlightNote,
    journal: Journal,
}

/// A value on a cache line of its own.
#[repr(C, align(64))]
pub(super) struct OwnLine<T>(pub(super) T);

/// The part that the owner reads while it waits.
#[repr(C)]
pub(super) struct Bell {
    /// Counts events for the owner, which sleeps on it.
    rung: AtomicU32,
    /// Whether the owner sleeps.
    pub(super) sleeps: AtomicU32,
}

#[repr(C)]
pub(super) struct AreaCore {
    pub heads: [PortalHeads; 2],
    /// How much of the pools has memory.
    pub sizes: PoolSizes,
    triggers: TriggerHeads,
    flights: [Flight; FLIGHTS],
    matching: ProcessMatching,
}

#[repr(C)]
pub(super) struct PortalHeads {
    pub receives: ReceiveHeads,
    pub arrivals: ArrivalHeads,
    pub buffers: BufferHeads,
}

const _: () = assert!(align_of::<AreaHeader>() <= LINE);

/// A mapped area.
#[derive(Debug)]
pub struct SharedArea {
    pub(super) name: String,
    pub(super) begin: NonNull<u8>,
    /// The layout when the area was mapped: later writes by the owner or another process move no
    /// part.
    pub(super) places: AreaLayout,
    pub(super) shape: AreaCapacity,
    pub(super) is_owner: bool,
    /// Its file, if this process owns it. Closed last.
    owned: Option<Owned>,
}

// SAFETY: everything in the mapping that changes is atomic, or only the lock's holder changes it.
unsafe impl Send for SharedArea {}
// SAFETY: as above.
unsafe impl Sync for SharedArea {}

/// The state of an area's process, with its lock held.
#[derive(Debug)]
pub struct Entered<'a> {
    /// The state.
    pub process: NicProcess<'a>,
    /// Transfers into the process's memory that other processes carry out.
    pub flights: Flights<'a>,
    /// The lock, released last.
    held: Option<SharedLockGuard<'a>>,
}

impl<'a> Entered<'a> {
    /// Ends access to the state, but keeps the lock.
    pub(super) fn keep_lock(&mut self) -> Option<SharedLockGuard<'a>> {
        self.held.take()
    }

    /// From here on, changes can be rolled back.
    #[inline]
    pub(super) fn open(&mut self) {
        self.flights.open();
        self.process.open();
    }
}

impl Drop for Entered<'_> {
    fn drop(&mut self) {
        // From here on, all changes are permanent, even if this process dies before it has released
        // the lock.
        self.process.close();
    }
}

impl SharedArea {
    /// Makes the area of this process. No other area has this name.
    ///
    /// # Errors
    /// [`AreaError::System`]: the name is taken (`AlreadyExists`); [`AreaError::NoRoom`].
    pub fn create(name: &str, shape: AreaCapacity, vni: u16, incarnation: u64) -> Result<Self, AreaError> {
        let failed = |source| AreaError::System { what: "cannot make", name: name.to_owned(), source };
        let places = shape.places().ok_or_else(|| failed(io::ErrorKind::OutOfMemory.into()))?;
        let owned = file::create(name).map_err(failed)?;
        let made = owned.file().set_len(places.total as u64).and_then(|()| file::map(owned.file(), places.total));
        let begin = made.inspect_err(|_| file::unlink(name)).map_err(failed)?;
        let mut area = Self { name: name.to_owned(), begin, places, shape, is_owner: true, owned: Some(owned) };
        match area.initialise(vni, incarnation) {
            Ok(()) => Ok(area),
            Err(error) => {
                // It may lack memory even for the header, which names the owner.
                area.is_owner = false;
                file::unlink(name);
                Err(error)
            }
        }
    }

    /// Maps the area of another process of this user on this host.
    ///
    /// # Errors
    /// [`AreaError`].
    pub fn open(name: &str) -> Result<Self, AreaError> {
        let area = Self::look_at(name)?;
        if area.is_here() { Ok(area) } else { Err(AreaError::Elsewhere { name: name.to_owned() }) }
    }

    /// The same for a process that may be in another namespace, where its number is another
    /// process's.
    ///
    /// # Errors
    /// [`AreaError`].
    pub fn look_at(name: &str) -> Result<Self, AreaError> {
        let failed = |what| move |source| AreaError::System { what, name: name.to_owned(), source };
        let file = file::open(name, libc::O_RDWR).map_err(failed("cannot open"))?;
        let found = file.metadata().map_err(failed("cannot open"))?;
        if found.uid() != host::user() {
            return Err(AreaError::NotOurs { name: name.to_owned(), owner: found.uid() });
        }
        let foreign = || AreaError::Foreign { name: name.to_owned() };
        let bytes = usize::try_from(found.size()).map_err(|_| foreign())?;
        // Read, not mapped: an area that is being made may have no memory yet.
        let mut magic = [0; 8];
        file.read_exact_at(&mut magic, 0).map_err(|_| foreign())?;
        if bytes < HEADER_BYTES || u64::from_ne_bytes(magic) != MAGIC {
            return Err(foreign());
        }
        let begin = file::map(&file, bytes).map_err(failed("cannot map"))?;
        // SAFETY: the mapping is at least as long as a header, and all header fields that are read
        // here may hold any bits.
        let header = unsafe { begin.cast::<AreaHeader>().as_ref() };
        let (is_whole, shape) = (header.magic.load(Ordering::Acquire) == MAGIC, header.shape);
        match shape.places().filter(|places| is_whole && places.total == bytes) {
            Some(places) => Ok(Self { name: name.to_owned(), begin, places, shape, is_owner: false, owned: None }),
            None => {
                // SAFETY: mapped above, and not used after this.
                unsafe { file::unmap(begin, bytes) };
                Err(foreign())
            }
        }
    }

    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The number that distinguishes it from other areas with its name.
    #[must_use]
    pub fn incarnation(&self) -> u64 {
        self.header().incarnation
    }

    /// Whether its owner has closed it: then nothing put there will be read.
    #[must_use]
    pub fn is_closed(&self) -> bool {
        self.header().closed.load(Ordering::Relaxed) != 0
    }

    /// Whether its owner can still read it.
    #[must_use]
    pub fn is_alive(&self) -> bool {
        !self.is_closed() && is_alive(self.owner())
    }

    /// Checks that the system lets this process copy from the owner's memory.
    ///
    /// # Errors
    /// [`CopyError`]: it does not, or the owner is gone.
    pub fn probe(&self) -> Result<(), CopyError> {
        let mut found = [0; 8];
        copy::read_from(self.owner(), self.header().witness, &mut found)
    }

    /// Whether its owner's number names the same process here, as it does on one host, in one PID
    /// namespace.
    #[must_use]
    pub fn is_here(&self) -> bool {
        self.header().host == host::number()
    }

    /// The process that made it.
    #[must_use]
    pub fn owner(&self) -> u32 {
        self.header().owner
    }

    pub(super) fn header(&self) -> &AreaHeader {
        // SAFETY: the mapping begins with a header during the life of `self`. The parts that others
        // change are atomic, or in the cell that only `enter` opens.
        unsafe { self.begin.cast::<AreaHeader>().as_ref() }
    }

    /// The pool of `count` entries at `place`.
    ///
    /// # Safety
    /// The place is one of `self.places` for this type, and there is no other reference into the
    /// pool.
    #[expect(clippy::mut_from_ref, reason = "the memory is shared; the lock makes it one's own")]
    pub(super) unsafe fn pool<T>(&self, place: usize, count: usize) -> &mut [T] {
        // SAFETY: places lie within the mapping, begin at cache lines, and have as many entries as
        // the shape says.
        unsafe { std::slice::from_raw_parts_mut(self.begin.add(place).cast::<T>().as_ptr(), count) }
    }

    /// The portal of `kind`, with these heads.
    ///
    /// # Safety
    /// The lock is held.
    unsafe fn portal<'a>(&'a self, kind: PortalKind, heads: &'a mut PortalHeads, sizes: &PoolSizes) -> Portal<'a> {
        let (shape, places) = self.part(kind);
        let (receives, arrivals) = sizes.lists(kind, &shape);
        // SAFETY: the lock's holder borrows each pool once.
        unsafe {
            Portal {
                receives: Receives::new(self.pool(places.receives, receives as usize), &mut heads.receives),
                arrivals: Arrivals::new(self.pool(places.arrivals, arrivals as usize), &mut heads.arrivals),
                buffers: Buffers::new(
                    self.pool(places.bytes, shape.blocks.bytes()),
                    self.pool(places.blocks, shape.blocks.block_count()),
                    &mut heads.buffers,
                ),
            }
        }
    }

    /// A portal's capacity, and its places.
    pub(super) const fn part(&self, kind: PortalKind) -> (PortalShape, PortalPlaces) {
        let shape = match kind {
            PortalKind::Plain => self.shape.plain,
            PortalKind::Tagged => self.shape.tagged,
        };
        (shape, self.places.portals[kind as usize])
    }

    /// Commits memory for these entries of the pool at `place`; none of them is in use yet.
    pub(super) fn commit<T>(&self, place: usize, entries: std::ops::Range<usize>) -> Result<(), AreaError> {
        let begin = place + entries.start * size_of::<T>();
        // SAFETY: places lie within the mapping and begin at cache lines; these entries are not in
        // use yet.
        let done = unsafe { commit(self.begin.as_ptr().add(begin), entries.len() * size_of::<T>()) };
        done.map_err(|short| AreaError::NoRoom { name: self.name.clone(), short })
    }

    fn initialise(&mut self, vni: u16, incarnation: u64) -> Result<(), AreaError> {
        let AreaCapacity { regions, counters, triggers, .. } = self.shape;
        self.commit::<AreaHeader>(0, 0..1)?;
        self.commit::<RegisteredRegion>(self.places.regions, 0..regions as usize)?;
        self.commit::<NicCounter>(self.places.counters, 0..counters as usize)?;
        self.commit::<Trigger>(self.places.triggers, 0..triggers as usize)?;
        // SAFETY: no other process has the area yet, and each pool is borrowed once.
        let of_triggers = unsafe {
            self.pool::<RegisteredRegion>(self.places.regions, regions as usize).fill(RegisteredRegion::default());
            self.pool::<NicCounter>(self.places.counters, counters as usize).fill(NicCounter::default());
            let pool = self.pool::<Trigger>(self.places.triggers, triggers as usize);
            pool.fill(Trigger::default());
            TriggerHeads::of(pool)
        };
        let heads = [self.shape.plain, self.shape.tagged].map(|shape| PortalHeads {
            receives: ReceiveHeads::default(),
            arrivals: ArrivalHeads::default(),
            buffers: BufferHeads::without_memory(shape.blocks),
        });
        let header = AreaHeader {
            magic: AtomicU64::new(0),
            shape: self.shape,
            owner: host::process(),
            host: host::number(),
            vni,
            incarnation,
            witness: &raw const WITNESS as u64,
            closed: AtomicU32::new(0),
            front: OwnLine(Front {
                lock: SharedLock::default(),
                guarded: UnsafeCell::new(Guarded {
                    ring: RingState::growing(),
                    reserved: Reserved::default(),
                    flight: FlightNote::default(),
                    journal: Journal::default(),
                }),
                heads: [AtomicU32::new(0), AtomicU32::new(0)],
                has_inbox: [AtomicU32::new(0), AtomicU32::new(0)],
                has_events: AtomicU32::new(0),
                mail: MailNote::default(),
            }),
            bell: OwnLine(Bell { rung: AtomicU32::new(0), sleeps: AtomicU32::new(0) }),
            ways: OwnLine(EndpointPaths::default()),
            core: OwnLine(UnsafeCell::new(AreaCore {
                heads,
                sizes: PoolSizes::default(),
                triggers: of_triggers,
                flights: [Flight::default(); FLIGHTS],
                matching: ProcessMatching::default(),
            })),
        };
        // SAFETY: the mapping begins with room for a header, and no other process has it yet.
        unsafe { self.begin.cast::<AreaHeader>().write(header) };
        // SAFETY: no other process has the area yet.
        unsafe { self.grow()? };
        self.header().magic.store(MAGIC, Ordering::Release);
        Ok(())
    }

    /// Takes the area's lock for the calling process, and returns the state, in which all messages
    /// that have arrived are matched. If another process died while it changed the state, that
    /// change is rolled back first.
    ///
    /// # Errors
    /// [`Broken`]: the area's owner died while it changed its own state.
    pub fn enter(&self) -> Result<Entered<'_>, Broken> {
        let mut entered = self.take_lock()?;
        for kind in [PortalKind::Plain, PortalKind::Tagged] {
            if self.has_mail_of(kind) {
                self.match_mail(&mut entered, kind, None);
            }
        }
        if !self.is_owner {
            entered.open();
        }
        Ok(entered)
    }

    /// Takes the lock, and repairs the state if its previous holder died.
    #[inline]
    pub(super) fn take_lock(&self) -> Result<Entered<'_>, Broken> {
        let held = self.header().front.0.lock.take(host::process())?;
        match held.inherited_from() {
            None => {
                let mut entered = self.entered(held);
                self.make_room(&mut entered);
                Ok(entered)
            }
            Some(dead) => self.inherit(held, dead),
        }
    }

    /// Repairs the state that a dead holder of the lock left.
    #[cold]
    fn inherit<'a>(&'a self, held: SharedLockGuard<'a>, dead: u32) -> Result<Entered<'a>, Broken> {
        // An owner's changes to its own area are not recorded: without the owner the area is of no
        // use.
        if dead == self.owner() || !is_alive(self.owner()) {
            return Err(held.break_for_good());
        }
        let mut entered = self.entered(held);
        let was_cut_off = entered.process.is_open();
        let had_matched_mail = self.has_matched_mail();
        if was_cut_off && !had_matched_mail {
            entered.flights.recover();
            entered.process.recover();
        }
        entered.process.close();
        let what = if was_cut_off { "what it had begun is taken back" } else { "it had not begun, or was done" };
        say(MessageLevel::Warn, &format!("process {dead} died while it changed {}: {what}", self.name));
        Ok(entered)
    }

    /// The state, for the lock's holder.
    #[inline]
    pub(super) fn entered<'a>(&'a self, held: SharedLockGuard<'a>) -> Entered<'a> {
        let AreaCapacity { regions, counters, triggers, .. } = self.shape;
        let header = self.header();
        // SAFETY: with the lock held, here and in every other process, these references are the
        // only ones to the heads and the pools; each is made once, and they end before the lock is
        // released.
        let (process, flights) = unsafe {
            let (core, Guarded { ring, reserved, flight, journal }) = self.guarded();
            let [plain, tagged] = &mut core.heads;
            let process = NicProcess {
                vni: header.vni,
                plain: self.portal(PortalKind::Plain, plain, &core.sizes),
                tagged: self.portal(PortalKind::Tagged, tagged, &core.sizes),
                regions: Regions::new(self.pool(self.places.regions, regions as usize)),
                counters: self.pool(self.places.counters, counters as usize),
                triggers: Triggers::new(self.pool(self.places.triggers, triggers as usize), &mut core.triggers),
                events: EventRing::new(self.pool(self.places.events, core.sizes.events(&self.shape) as usize), ring),
                reserved,
                journal,
                matching: &mut core.matching,
            };
            (process, Flights::new(&mut core.flights, flight))
        };
        Entered { process, flights, held: Some(held) }
    }

    /// Records how the owner reaches a peer.
    pub fn note_way(&self, peer: PeerName, way: PeerPath) {
        self.header().ways.0.note(peer, way);
    }

    /// How the owner reaches its peers, and how many more there are of each kind.
    #[must_use]
    pub fn ways(&self) -> (Vec<(PeerName, PeerPath)>, [u32; 4]) {
        self.header().ways.0.list()
    }

    /// The virtual network of its owner.
    #[must_use]
    pub fn vni(&self) -> u16 {
        self.header().vni
    }

    /// The state that the lock guards besides the pools.
    ///
    /// # Safety
    /// The lock is held, or no other process has the area yet, and there are no references to it.
    #[expect(clippy::mut_from_ref, reason = "the memory is shared; the lock makes it one's own")]
    pub(super) unsafe fn guarded(&self) -> (&mut AreaCore, &mut Guarded) {
        let header = self.header();
        // SAFETY: as the caller promises.
        unsafe { (&mut *header.core.0.get(), &mut *header.front.0.guarded.get()) }
    }

    /// Commits memory for the inbox of a portal, and makes its slots free.
    ///
    /// # Safety
    /// The inbox is not in use yet.
    pub(super) unsafe fn begin_inbox(&self, kind: PortalKind) -> Result<(), AreaError> {
        let begin = kind as usize;
        self.commit::<PortalInbox>(self.places.inboxes, begin..begin + 1)?;
        // SAFETY: as the caller promises; a message may have any bits, and turns are written before
        // they are read.
        unsafe { (*self.begin.add(self.places.inboxes).cast::<PortalInbox>().as_ptr().add(begin)).initialise() };
        Ok(())
    }

    /// The inbox of a portal; `None` if it has not been used yet.
    #[inline]
    pub(super) fn inbox(&self, kind: PortalKind) -> Option<&PortalInbox> {
        let has_inbox = self.header().front.0.has_inbox[kind as usize].load(Ordering::Acquire) != 0;
        // SAFETY: two inboxes begin at this place, and all of their parts are atomic, or atomic
        // parts guard them.
        has_inbox
            .then(|| unsafe { &*self.begin.add(self.places.inboxes).cast::<PortalInbox>().as_ptr().add(kind as usize) })
    }

    /// Tells the owner that something has arrived.
    pub fn ring(&self) {
        let bell = &self.header().bell.0;
        bell.rung.fetch_add(1, Ordering::SeqCst);
        if bell.sleeps.load(Ordering::SeqCst) != 0 {
            futex::wake(&bell.rung, u32::MAX);
        }
    }

    /// How often the bell has rung: the owner passes it to [`sleep`](Self::sleep).
    #[must_use]
    pub fn rung(&self) -> u32 {
        self.header().bell.0.rung.load(Ordering::SeqCst)
    }

    /// The owner sleeps until the bell has rung more often than `rung`, at most `at_most`.
    pub fn sleep(&self, rung: u32, at_most: Duration) {
        let bell = &self.header().bell.0;
        bell.sleeps.fetch_add(1, Ordering::SeqCst);
        std::sync::atomic::fence(Ordering::SeqCst);
        if bell.rung.load(Ordering::SeqCst) == rung && !self.has_mail() {
            futex::sleep(&bell.rung, rung, at_most);
        }
        bell.sleeps.fetch_sub(1, Ordering::SeqCst);
    }
}

impl Drop for SharedArea {
    fn drop(&mut self) {
        // A child of the owner has the mapping, but must not end it.
        if self.is_owner && self.owner() == host::process() {
            self.header().closed.store(1, Ordering::Relaxed);
            if let Some(owned) = &self.owned {
                owned.unlink(&self.name);
            }
        }
        // SAFETY: mapped with this length when it was made or opened, and there are no references
        // to it any more.
        unsafe { file::unmap(self.begin, self.places.total) };
    }
}

#[cfg(test)]
mod tests {
    use super::super::file::remove_stale;
    use super::*;
    use philae_nic_core::nic::{
        ANY_SOURCE, ArrivingMessage, Begun, BufferShape, Criteria, IncomingOperation, OperationRequest, PortalKind,
        Posted, Receive, ReturnCode, UnexpectedMessage,
    };

    const PORTAL: PortalShape = PortalShape { receives: 16, arrivals: 16, blocks: BufferShape { blocks: [16, 4, 2] } };
    const SHAPE: AreaCapacity =
        AreaCapacity { plain: PORTAL, tagged: PORTAL, regions: 8, counters: 4, triggers: 4, events: 64 };

    fn name(what: &str) -> String {
        format!("philae-test-{what}-{}", std::process::id())
    }

    fn send(bits: u64, bytes: &[u8]) -> IncomingOperation<'_> {
        let message = ArrivingMessage { arrival: UnexpectedMessage::new(bits, 3, bytes.len() as u64), bytes };
        IncomingOperation { vni: 1, request: OperationRequest::Send { portal: PortalKind::Tagged, message } }
    }

    #[test]
    fn a_message_goes_from_one_mapping_to_another() {
        let owner = SharedArea::create(&name("pair"), SHAPE, 1, 77).expect("it can be made");
        let peer = SharedArea::open(owner.name()).expect("it can be mapped");
        assert_ne!(owner.begin, peer.begin, "at another address");
        let begun = peer.enter().expect("nobody died").process.begin(&send(7, b"hello"));
        assert!(matches!(begun, Ok(Begun::Waits { .. })));
        let mut entered = owner.enter().expect("nobody died");
        let receive = Receive::new(Criteria::new(7, 0, ANY_SOURCE), 0, 16, 99);
        let Ok(Posted::Takes { arrival, landing }) = entered.process.post(PortalKind::Tagged, receive) else {
            panic!("it waits")
        };
        assert_eq!(entered.process.tagged.kept(&arrival), b"hello");
        entered.process.tagged.done(&arrival);
        entered.process.end_message(PortalKind::Tagged, &landing, &arrival, ReturnCode::Ok);
        drop(entered);
        let event = peer.enter().expect("nobody died").process.events.pop().expect("an event");
        assert_eq!((event.context, event.length, event.source), (99, 5, 3));
    }

    #[test]
    fn senders_and_a_sleeper_meet_every_message() {
        const MESSAGES: u64 = 4_000;
        let owner = SharedArea::create(&name("bell"), SHAPE, 1, 77).expect("it can be made");
        std::thread::scope(|scope| {
            for sender in 0..3_u64 {
                let peer = SharedArea::open(owner.name()).expect("it can be mapped");
                scope.spawn(move || {
                    for number in 0..MESSAGES {
                        let bytes = (sender * MESSAGES + number).to_ne_bytes();
                        while peer.enter().expect("nobody died").process.begin(&send(7, &bytes)).is_err() {
                            std::thread::yield_now();
                        }
                        peer.ring();
                    }
                });
            }
            let mut seen = vec![false; 3 * MESSAGES as usize];
            while seen.iter().any(|seen| !seen) {
                let rung = owner.rung();
                let mut entered = owner.enter().expect("nobody died");
                let portal = &mut entered.process.tagged;
                let Some((index, arrival)) = portal.peek(&Criteria::new(7, 0, ANY_SOURCE)) else {
                    drop(entered);
                    owner.sleep(rung, Duration::from_secs(5));
                    continue;
                };
                let bytes = portal.kept(&arrival).try_into().expect("eight bytes");
                assert!(!std::mem::replace(&mut seen[u64::from_ne_bytes(bytes) as usize], true), "each comes once");
                portal.discard(index);
            }
        });
    }

    #[test]
    fn what_is_no_area_is_refused_and_what_a_dead_process_left_is_removed() {
        let area = SharedArea::create(&name("taken"), SHAPE, 1, 77).expect("it can be made");
        let taken = SharedArea::create(area.name(), SHAPE, 1, 77).expect_err("the name is taken");
        assert!(matches!(taken, AreaError::System { ref source, .. } if source.kind() == io::ErrorKind::AlreadyExists));
        assert!(!remove_stale(area.name()), "its owner lives");
        // In another namespace the number of its process is another process's, or unused.
        let mut child = std::process::Command::new("true").spawn().expect("a process starts");
        // SAFETY: no other thread reads the header at the same time.
        let header = unsafe { &mut *area.begin.cast::<AreaHeader>().as_ptr() };
        (header.owner, header.host) = (child.id(), !host::number());
        child.wait().expect("it ends");
        assert!(!remove_stale(area.name()), "it has an owner all the same");
        assert!(matches!(SharedArea::open(area.name()), Err(AreaError::Elsewhere { .. })));
        let copied = area.name().to_owned();
        drop(area);
        // Its owner has ended without closing it. A process that another test forks meanwhile has
        // its file, too, until it ends.
        while !remove_stale(&copied) {
            std::thread::yield_now();
        }
        assert!(matches!(SharedArea::open(&copied), Err(AreaError::System { .. })), "it is gone");
        for (what, bytes) in [("short", 16), ("zero", 1 << 16)] {
            let name = name(what);
            file::open(&name, libc::O_CREAT | libc::O_RDWR).and_then(|file| file.set_len(bytes)).expect("a file");
            let refused = SharedArea::open(&name);
            file::unlink(&name);
            assert!(matches!(refused, Err(AreaError::Foreign { .. })), "{what}");
        }
    }

    #[test]
    fn no_other_user_opens_an_area_and_no_other_network_uses_it() {
        use std::os::unix::fs::{MetadataExt, PermissionsExt};
        let area = SharedArea::create(&name("users"), SHAPE, 1, 77).expect("it can be made");
        let file =
            file::open(area.name(), libc::O_RDWR).and_then(|file| file.metadata()).expect("its own user opens it");
        assert_eq!(file.permissions().mode() & 0o777, 0o600);
        let foreign = IncomingOperation { vni: 2, ..send(7, b"hello") };
        let begun = area.enter().expect("nobody died").process.begin(&foreign);
        assert_eq!(begun, Err(ReturnCode::PermissionViolation));
        // SAFETY: the call only queries.
        if unsafe { libc::geteuid() } != 0 {
            println!("only the superuser can become another user to try");
            return;
        }
        let name = std::ffi::CString::new(format!("/{}", area.name())).expect("a name");
        // SAFETY: the child makes only system calls, and ends.
        let code = unsafe {
            let child = libc::fork();
            if child == 0 {
                let is_other = libc::setgroups(0, std::ptr::null()) == 0 && libc::setuid(65_534) == 0;
                let file = libc::shm_open(name.as_ptr(), libc::O_RDWR, 0);
                let readable = libc::shm_open(name.as_ptr(), libc::O_RDONLY, 0);
                libc::_exit(if is_other && file < 0 && readable < 0 { *libc::__errno_location() } else { 0 });
            }
            let mut status = 0;
            libc::waitpid(child, &raw mut status, 0);
            libc::WEXITSTATUS(status)
        };
        assert_eq!(code, libc::EACCES);
        // Another user's area is not opened even by a user who could.
        let other = format!("/dev/shm/{}", area.name());
        std::os::unix::fs::chown(&other, Some(65_534), None).expect("the superuser may");
        assert!(matches!(SharedArea::open(area.name()), Err(AreaError::NotOurs { owner: 65_534, .. })));
        assert_eq!(std::fs::metadata(&other).expect("it is there").uid(), 65_534);
    }
}
