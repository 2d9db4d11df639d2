//! The state of one process's NIC in memory that the processes of its user share: made by its owner, mapped by whoever
//! sends to it, changed by whoever holds its lock.
//!
//! A process of another user cannot open it; a process of the same user that can is trusted as far as it could reach the
//! owner's memory anyway.

use std::cell::UnsafeCell;
use std::ffi::CString;
use std::io;
use std::mem::{align_of, size_of};
use std::ptr::NonNull;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::time::Duration;

use philae_cassini::nic::{
    Arrival, ArrivalHeads, Arrivals, Block, BufferHeads, BufferShape, Buffers, Counter, Event, EventRing, Journal,
    Matching, Portal, PortalKind, Process, Receive, ReceiveHeads, Receives, Region, Regions, Reserved, RingState,
    Trigger, TriggerHeads, Triggers,
};

use super::copy::{self, CopyError};
use super::flight::{FLIGHTS, Flight, FlightNote, Flights};
use super::futex;
use super::inbox::Inbox;
use super::lock::{Broken, Held, Lock, is_alive};
use super::mail::MailNote;
use super::ways::{PeerName, PeerWay, Ways};
use crate::host;
use crate::log::{Level, say};

/// What an area begins with: "PHILAE" and the version of its layout.
const MAGIC: u64 = u64::from_le_bytes(*b"PHILAE\x00\x05");
/// What others try to copy from an owner of areas.
static WITNESS: u64 = MAGIC;
/// Every part begins at a cache line.
const LINE: usize = 64;

/// How much an area holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub struct Shape {
    /// Where messages without tags meet their receives.
    pub plain: PortalShape,
    /// Where those with tags do.
    pub tagged: PortalShape,
    /// Registered regions.
    pub regions: u32,
    /// Counters.
    pub counters: u32,
    /// Operations that wait for a counter.
    pub triggers: u32,
    /// Events that wait to be read.
    pub events: u32,
}

/// How much a portal holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub struct PortalShape {
    /// Receives.
    pub receives: u32,
    /// Messages that wait for a receive.
    pub arrivals: u32,
    /// Where the bytes of messages are kept.
    pub blocks: BufferShape,
}

/// An area that cannot be made or mapped.
#[derive(Debug, thiserror::Error)]
pub enum AreaError {
    /// The system refused.
    #[error("{what} {name}: {source}")]
    System {
        /// What was tried.
        what: &'static str,
        /// The area's name.
        name: String,
        /// Why not.
        #[source]
        source: io::Error,
    },
    /// It is no area, or one of another version of this library, or not whole.
    #[error("{name} is not an area of this version")]
    Foreign {
        /// Its name.
        name: String,
    },
    /// It belongs to another user.
    #[error("{name} belongs to user {owner}")]
    NotOurs {
        /// Its name.
        name: String,
        /// Whose it is.
        owner: u32,
    },
}

/// Where the parts of an area begin.
#[derive(Clone, Copy, Debug)]
struct Places {
    portals: [PortalPlaces; 2],
    regions: usize,
    counters: usize,
    triggers: usize,
    events: usize,
    inboxes: usize,
    total: usize,
}

#[derive(Clone, Copy, Debug)]
struct PortalPlaces {
    receives: usize,
    arrivals: usize,
    blocks: usize,
    bytes: usize,
}

impl Shape {
    /// Where the parts begin; nothing where they are more than an address can name.
    fn places(&self) -> Option<Places> {
        let mut end = size_of::<Header>();
        let mut part = |count: usize, bytes: usize| {
            let begin = end.checked_next_multiple_of(LINE)?;
            end = begin.checked_add(count.checked_mul(bytes)?)?;
            Some(begin)
        };
        let mut portal = |shape: &PortalShape| {
            Some(PortalPlaces {
                receives: part(shape.receives as usize, size_of::<Receive>())?,
                arrivals: part(shape.arrivals as usize, size_of::<Arrival>())?,
                blocks: part(shape.blocks.block_count(), size_of::<Block>())?,
                bytes: part(shape.blocks.bytes(), 1)?,
            })
        };
        let portals = [portal(&self.plain)?, portal(&self.tagged)?];
        let regions = part(self.regions as usize, size_of::<Region>())?;
        let counters = part(self.counters as usize, size_of::<Counter>())?;
        let triggers = part(self.triggers as usize, size_of::<Trigger>())?;
        let events = part(self.events as usize, size_of::<Event>())?;
        let inboxes = part(2, size_of::<Inbox>())?;
        Some(Places { portals, regions, counters, triggers, events, inboxes, total: end })
    }
}

/// What is not in pools.
#[repr(C)]
pub(super) struct Header {
    /// [`MAGIC`], written last: an area without it is not whole.
    magic: AtomicU64,
    shape: Shape,
    /// The owner's process.
    owner: u32,
    vni: u16,
    /// Nobody else's number: an area of the same name that comes later has another.
    incarnation: u64,
    /// Where the owner has its [`WITNESS`]: whoever can copy that can copy from the owner.
    witness: u64,
    /// Whether the owner has closed it.
    closed: AtomicU32,
    /// The lock, with what every holder of it changes.
    pub(super) front: OwnLine<Front>,
    pub(super) bell: OwnLine<Bell>,
    /// How peers of the owner's are reached.
    ways: OwnLine<Ways>,
    /// What the lock guards beside that.
    core: OwnLine<UnsafeCell<Core>>,
}

#[repr(C)]
pub(super) struct Front {
    lock: Lock,
    guarded: UnsafeCell<Guarded>,
    /// How far the inboxes have been read. Written by the lock's holder.
    pub(super) heads: [AtomicU32; 2],
    /// Whether there are events of messages that were matched without the bell. Written by the lock's holder.
    pub(super) has_events: AtomicU32,
    /// The message that somebody other than the owner matches. Written by the lock's holder.
    pub(super) mail: MailNote,
}

/// What every holder of the lock changes.
#[repr(C)]
struct Guarded {
    ring: RingState,
    reserved: Reserved,
    flight: FlightNote,
    journal: Journal,
}

/// On a cache line that nothing else is on.
#[repr(C, align(64))]
pub(super) struct OwnLine<T>(pub(super) T);

/// What the owner looks at while it waits.
#[repr(C)]
pub(super) struct Bell {
    /// Counts what may interest the owner; it sleeps on it.
    rung: AtomicU32,
    /// Whether the owner sleeps.
    pub(super) sleeps: AtomicU32,
}

#[repr(C)]
struct Core {
    heads: [PortalHeads; 2],
    triggers: TriggerHeads,
    flights: [Flight; FLIGHTS],
    matching: Matching,
}

#[repr(C)]
struct PortalHeads {
    receives: ReceiveHeads,
    arrivals: ArrivalHeads,
    buffers: BufferHeads,
}

const _: () = assert!(align_of::<Header>() <= LINE && align_of::<Event>() <= LINE && align_of::<Receive>() <= LINE);

/// An area, mapped.
#[derive(Debug)]
pub struct Area {
    name: String,
    begin: NonNull<u8>,
    /// As it was when the area was mapped: what the owner or another writes later moves no part.
    places: Places,
    shape: Shape,
    pub(super) is_owner: bool,
}

// SAFETY: everything in the mapping that changes is atomic, or changed by the holder of its lock only.
unsafe impl Send for Area {}
// SAFETY: as above.
unsafe impl Sync for Area {}

/// The state of an area's process, with its lock held.
#[derive(Debug)]
pub struct Entered<'a> {
    /// The state.
    pub process: Process<'a>,
    /// Transfers into the process's memory that others carry out.
    pub flights: Flights<'a>,
    /// Given back last.
    _held: Held<'a>,
}

impl Entered<'_> {
    /// From here on, what is done can be taken back.
    #[inline]
    pub(super) fn open(&mut self) {
        self.flights.open();
        self.process.open();
    }
}

impl Drop for Entered<'_> {
    fn drop(&mut self) {
        // From here on, all that was done is done, even if this process dies before it has given the lock back.
        self.process.close();
    }
}

impl Area {
    /// Makes the area of this process. Nobody else has one of this name.
    ///
    /// # Errors
    /// [`AreaError::System`]: the name is taken (`AlreadyExists`), or there is no room.
    pub fn create(name: &str, shape: Shape, vni: u16, incarnation: u64) -> Result<Self, AreaError> {
        let failed = |what| move |source| AreaError::System { what, name: name.to_owned(), source };
        let places = shape.places().ok_or_else(|| failed("cannot make")(io::ErrorKind::OutOfMemory.into()))?;
        let file = open(name, libc::O_CREAT | libc::O_EXCL | libc::O_RDWR).map_err(failed("cannot make"))?;
        let made = reserve(&file, places.total).and_then(|()| map(&file, places.total));
        let begin = made.inspect_err(|_| unlink(name)).map_err(failed("cannot make"))?;
        let mut area = Self { name: name.to_owned(), begin, places, shape, is_owner: true };
        area.initialise(vni, incarnation);
        Ok(area)
    }

    /// Maps the area of another process of this user.
    ///
    /// # Errors
    /// [`AreaError`].
    pub fn open(name: &str) -> Result<Self, AreaError> {
        use std::os::unix::fs::MetadataExt;
        let failed = |what| move |source| AreaError::System { what, name: name.to_owned(), source };
        let file = open(name, libc::O_RDWR).map_err(failed("cannot open"))?;
        let found = file.metadata().map_err(failed("cannot open"))?;
        // SAFETY: the call only asks.
        let us = unsafe { libc::geteuid() };
        if found.uid() != us {
            return Err(AreaError::NotOurs { name: name.to_owned(), owner: found.uid() });
        }
        let foreign = || AreaError::Foreign { name: name.to_owned() };
        let bytes = usize::try_from(found.size()).map_err(|_| foreign())?;
        if bytes < size_of::<Header>() {
            return Err(foreign());
        }
        let begin = map(&file, bytes).map_err(failed("cannot map"))?;
        // SAFETY: the mapping is as long as a header at least, and all of a header that is read here may hold any bits.
        let header = unsafe { begin.cast::<Header>().as_ref() };
        let (is_whole, shape) = (header.magic.load(Ordering::Acquire) == MAGIC, header.shape);
        match shape.places().filter(|places| is_whole && places.total == bytes) {
            Some(places) => Ok(Self { name: name.to_owned(), begin, places, shape, is_owner: false }),
            None => {
                unmap(begin, bytes);
                Err(foreign())
            }
        }
    }

    /// Its name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The number that tells it from others of its name.
    #[must_use]
    pub fn incarnation(&self) -> u64 {
        self.header().incarnation
    }

    /// Whether its owner has closed it: nothing that is put there will be read.
    #[must_use]
    pub fn is_closed(&self) -> bool {
        self.header().closed.load(Ordering::Relaxed) != 0
    }

    /// Whether its owner can still read it.
    #[must_use]
    pub fn is_alive(&self) -> bool {
        !self.is_closed() && is_alive(self.owner())
    }

    /// Whether the system lets this process copy from the owner's memory.
    ///
    /// # Errors
    /// [`CopyError`]: it does not, or the owner is gone.
    pub fn probe(&self) -> Result<(), CopyError> {
        let mut found = [0; 8];
        copy::read_from(self.owner(), self.header().witness, &mut found)
    }

    /// The process that made it.
    #[must_use]
    pub fn owner(&self) -> u32 {
        self.header().owner
    }

    pub(super) fn header(&self) -> &Header {
        // SAFETY: the mapping begins with a header for as long as this lives. What others change in it is atomic, or in
        // the cell that only `enter` opens.
        unsafe { self.begin.cast::<Header>().as_ref() }
    }

    /// The pool of `count` entries at `place`.
    ///
    /// # Safety
    /// The place is one of `self.places` for this type, and no other reference into the pool lives.
    #[expect(clippy::mut_from_ref, reason = "the memory is shared; the lock makes it one's own")]
    unsafe fn pool<T>(&self, place: usize, count: usize) -> &mut [T] {
        // SAFETY: places lie within the mapping, begin at cache lines, and hold as many entries as the shape says.
        unsafe { std::slice::from_raw_parts_mut(self.begin.add(place).cast::<T>().as_ptr(), count) }
    }

    /// A portal of these heads.
    ///
    /// # Safety
    /// The lock is held, and the places are those of the heads' portal.
    unsafe fn portal<'a>(&'a self, shape: PortalShape, places: PortalPlaces, heads: &'a mut PortalHeads) -> Portal<'a> {
        let PortalShape { receives, arrivals, blocks } = shape;
        // SAFETY: each pool is borrowed once by whoever holds the lock.
        unsafe {
            Portal {
                receives: Receives::new(self.pool(places.receives, receives as usize), &mut heads.receives),
                arrivals: Arrivals::new(self.pool(places.arrivals, arrivals as usize), &mut heads.arrivals),
                buffers: Buffers::new(
                    self.pool(places.bytes, blocks.bytes()),
                    self.pool(places.blocks, blocks.block_count()),
                    &mut heads.buffers,
                ),
            }
        }
    }

    fn initialise(&mut self, vni: u16, incarnation: u64) {
        let Shape { plain, tagged, regions, counters, triggers, events: _ } = self.shape;
        let [of_plain, of_tagged] = self.places.portals;
        let portals = [(plain, of_plain), (tagged, of_tagged)].map(|(shape, places)| {
            let PortalShape { receives, arrivals, blocks } = shape;
            // SAFETY: nobody else has the area yet, and each pool is borrowed once.
            unsafe {
                let pool = self.pool::<Receive>(places.receives, receives as usize);
                pool.fill(Receive::vacant());
                let of_receives = ReceiveHeads::of(pool);
                let pool = self.pool::<Arrival>(places.arrivals, arrivals as usize);
                pool.fill(Arrival::vacant());
                let of_arrivals = ArrivalHeads::of(pool);
                let pool = self.pool::<Block>(places.blocks, blocks.block_count());
                pool.fill(Block::default());
                PortalHeads { receives: of_receives, arrivals: of_arrivals, buffers: BufferHeads::of(blocks, pool) }
            }
        });
        // SAFETY: as above.
        let of_triggers = unsafe {
            self.pool::<Region>(self.places.regions, regions as usize).fill(Region::default());
            self.pool::<Counter>(self.places.counters, counters as usize).fill(Counter::default());
            // Events are written before they are read.
            let pool = self.pool::<Trigger>(self.places.triggers, triggers as usize);
            pool.fill(Trigger::default());
            self.pool::<Inbox>(self.places.inboxes, 2).iter_mut().for_each(Inbox::initialise);
            TriggerHeads::of(pool)
        };
        let header = Header {
            magic: AtomicU64::new(0),
            shape: self.shape,
            owner: host::process(),
            vni,
            incarnation,
            witness: &raw const WITNESS as u64,
            closed: AtomicU32::new(0),
            front: OwnLine(Front {
                lock: Lock::default(),
                guarded: UnsafeCell::new(Guarded {
                    ring: RingState::default(),
                    reserved: Reserved::default(),
                    flight: FlightNote::default(),
                    journal: Journal::default(),
                }),
                heads: [AtomicU32::new(0), AtomicU32::new(0)],
                has_events: AtomicU32::new(0),
                mail: MailNote::default(),
            }),
            bell: OwnLine(Bell { rung: AtomicU32::new(0), sleeps: AtomicU32::new(0) }),
            ways: OwnLine(Ways::default()),
            core: OwnLine(UnsafeCell::new(Core {
                heads: portals,
                triggers: of_triggers,
                flights: [Flight::default(); FLIGHTS],
                matching: Matching::default(),
            })),
        };
        // SAFETY: the mapping begins with room for a header, and nobody else has it yet.
        unsafe { self.begin.cast::<Header>().write(header) };
        self.header().magic.store(MAGIC, Ordering::Release);
    }

    /// Takes the lock of the area, for the process that calls, and gives its state, in which the messages that came by
    /// then have been matched. Where another died while it changed the state, what that one had begun is taken back first.
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

    /// Takes the lock, and puts right what one who died with it left.
    #[inline]
    pub(super) fn take_lock(&self) -> Result<Entered<'_>, Broken> {
        let held = self.header().front.0.lock.take(host::process())?;
        match held.inherited_from() {
            None => Ok(self.entered(held)),
            Some(dead) => self.inherit(held, dead),
        }
    }

    /// Puts right what one who died with the lock left.
    #[cold]
    fn inherit<'a>(&'a self, held: Held<'a>, dead: u32) -> Result<Entered<'a>, Broken> {
        // What an owner does to its own area is not noted: with the owner, it is of no use to anybody.
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
        say(Level::Warn, &format!("process {dead} died while it changed {}: {what}", self.name));
        Ok(entered)
    }

    /// The state, for whoever holds the lock.
    #[inline]
    fn entered<'a>(&'a self, held: Held<'a>) -> Entered<'a> {
        let Shape { plain: shape_of_plain, tagged: shape_of_tagged, regions, counters, triggers, events } = self.shape;
        let header = self.header();
        // SAFETY: with the lock held, here and in every other process, these references are the only ones to the heads
        // and the pools; each is made once, and they end before the lock is given back.
        let (process, flights) = unsafe {
            let core = &mut *header.core.0.get();
            let Guarded { ring, reserved, flight, journal } = &mut *header.front.0.guarded.get();
            let [plain, tagged] = &mut core.heads;
            let process = Process {
                vni: header.vni,
                plain: self.portal(shape_of_plain, self.places.portals[0], plain),
                tagged: self.portal(shape_of_tagged, self.places.portals[1], tagged),
                regions: Regions::new(self.pool(self.places.regions, regions as usize)),
                counters: self.pool(self.places.counters, counters as usize),
                triggers: Triggers::new(self.pool(self.places.triggers, triggers as usize), &mut core.triggers),
                events: EventRing::new(self.pool(self.places.events, events as usize), ring),
                reserved,
                journal,
                matching: &mut core.matching,
            };
            (process, Flights::new(&mut core.flights, flight))
        };
        Entered { process, flights, _held: held }
    }

    /// The owner writes down how a peer is reached.
    pub fn note_way(&self, peer: PeerName, way: PeerWay) {
        self.header().ways.0.note(peer, way);
    }

    /// How peers of the owner's are reached, and how many more there are of each way.
    #[must_use]
    pub fn ways(&self) -> (Vec<(PeerName, PeerWay)>, [u32; 4]) {
        self.header().ways.0.list()
    }

    /// The virtual network of its owner.
    #[must_use]
    pub fn vni(&self) -> u16 {
        self.header().vni
    }

    pub(super) fn inbox(&self, kind: PortalKind) -> &Inbox {
        // SAFETY: two inboxes begin at this place, all of which is atomic or guarded by what is.
        unsafe { &*self.begin.add(self.places.inboxes).cast::<Inbox>().as_ptr().add(kind as usize) }
    }

    /// Tells the owner that something has come.
    pub fn ring(&self) {
        let bell = &self.header().bell.0;
        bell.rung.fetch_add(1, Ordering::SeqCst);
        if bell.sleeps.load(Ordering::SeqCst) != 0 {
            futex::wake(&bell.rung, u32::MAX);
        }
    }

    /// How often the bell has rung: what the owner gives [`sleep`](Self::sleep).
    #[must_use]
    pub fn rung(&self) -> u32 {
        self.header().bell.0.rung.load(Ordering::SeqCst)
    }

    /// The owner sleeps until the bell has rung more often than this, at most so long.
    pub fn sleep(&self, rung: u32, at_most: Duration) {
        let bell = &self.header().bell.0;
        bell.sleeps.fetch_add(1, Ordering::SeqCst);
        std::sync::atomic::fence(Ordering::SeqCst);
        if bell.rung.load(Ordering::SeqCst) == rung && !self.has_mail() {
            futex::wait(&bell.rung, rung, at_most);
        }
        bell.sleeps.fetch_sub(1, Ordering::SeqCst);
    }
}

impl Drop for Area {
    fn drop(&mut self) {
        // A child of the owner has the mapping, but it is not its to end.
        if self.is_owner && self.owner() == host::process() {
            self.header().closed.store(1, Ordering::Relaxed);
            unlink(&self.name);
        }
        unmap(self.begin, self.places.total);
    }
}

/// Removes the area of this name if its owner has died; whether it did.
pub fn remove_stale(name: &str) -> bool {
    use std::os::unix::fs::MetadataExt;
    let number = |file: &std::fs::File| file.metadata().map(|found| found.ino()).ok();
    let Ok(file) = open(name, libc::O_RDWR) else { return false };
    // Others may be about to do the same, and one of them may have made a new area of this name since: whoever has the lock
    // removes the file that it has locked, and no other.
    // SAFETY: a file of our own; the lock ends with it.
    let is_locked = unsafe { libc::flock(std::os::fd::AsRawFd::as_raw_fd(&file), libc::LOCK_EX) } == 0;
    if !is_locked || !Area::open(name).is_ok_and(|area| !is_alive(area.owner())) {
        return false;
    }
    let is_the_same = open(name, libc::O_RDWR).is_ok_and(|now| number(&now).is_some() && number(&now) == number(&file));
    if is_the_same {
        unlink(name);
    }
    is_the_same
}

fn c_name(name: &str) -> io::Result<CString> {
    CString::new(format!("/{name}")).map_err(|_| io::ErrorKind::InvalidInput.into())
}

fn open(name: &str, flags: libc::c_int) -> io::Result<std::fs::File> {
    use std::os::fd::FromRawFd;
    let name = c_name(name)?;
    // SAFETY: the name ends with a zero; the number that comes back is a file of our own.
    unsafe {
        let file = libc::shm_open(name.as_ptr(), flags | libc::O_CLOEXEC, 0o600);
        if file < 0 { Err(io::Error::last_os_error()) } else { Ok(std::fs::File::from_raw_fd(file)) }
    }
}

/// Makes a file that long, with its memory: a write there later does not fail.
fn reserve(file: &std::fs::File, bytes: usize) -> io::Result<()> {
    use std::os::fd::AsRawFd;
    let bytes = libc::off_t::try_from(bytes).map_err(|_| io::ErrorKind::OutOfMemory)?;
    // SAFETY: a file of our own.
    match unsafe { libc::posix_fallocate(file.as_raw_fd(), 0, bytes) } {
        0 => Ok(()),
        error => Err(io::Error::from_raw_os_error(error)),
    }
}

fn unlink(name: &str) {
    if let Ok(name) = c_name(name) {
        // SAFETY: the name ends with a zero. Mappings stay as they are.
        unsafe { libc::shm_unlink(name.as_ptr()) };
    }
}

fn map(file: &std::fs::File, bytes: usize) -> io::Result<NonNull<u8>> {
    use std::os::fd::AsRawFd;
    let rights = libc::PROT_READ | libc::PROT_WRITE;
    // SAFETY: a new mapping, wherever the system has room for it.
    let begin = unsafe { libc::mmap(std::ptr::null_mut(), bytes, rights, libc::MAP_SHARED, file.as_raw_fd(), 0) };
    if begin == libc::MAP_FAILED {
        return Err(io::Error::last_os_error());
    }
    NonNull::new(begin.cast()).ok_or_else(|| io::ErrorKind::OutOfMemory.into())
}

fn unmap(begin: NonNull<u8>, bytes: usize) {
    // SAFETY: the mapping was made by `map` with this length, and nobody refers to it any more.
    unsafe { libc::munmap(begin.as_ptr().cast(), bytes) };
}

#[cfg(test)]
mod tests {
    use super::*;
    use philae_cassini::nic::{
        ANY_SOURCE, Begun, Criteria, Incoming, Message, PortalKind, Posted, Request, ReturnCode,
    };

    const PORTAL: PortalShape = PortalShape { receives: 16, arrivals: 16, blocks: BufferShape { blocks: [16, 4, 2] } };
    const SHAPE: Shape = Shape { plain: PORTAL, tagged: PORTAL, regions: 8, counters: 4, triggers: 4, events: 64 };

    fn name(what: &str) -> String {
        format!("philae-test-{what}-{}", std::process::id())
    }

    fn send(bits: u64, bytes: &[u8]) -> Incoming<'_> {
        let message = Message { arrival: Arrival::new(bits, 3, bytes.len() as u64), bytes };
        Incoming { vni: 1, request: Request::Send { portal: PortalKind::Tagged, message } }
    }

    #[test]
    fn a_message_goes_from_one_mapping_to_another() {
        let owner = Area::create(&name("pair"), SHAPE, 1, 77).expect("it can be made");
        let peer = Area::open(owner.name()).expect("it can be mapped");
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
        let owner = Area::create(&name("bell"), SHAPE, 1, 77).expect("it can be made");
        std::thread::scope(|scope| {
            for sender in 0..3_u64 {
                let peer = Area::open(owner.name()).expect("it can be mapped");
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
        let area = Area::create(&name("taken"), SHAPE, 1, 77).expect("it can be made");
        let taken = Area::create(area.name(), SHAPE, 1, 77).expect_err("the name is taken");
        assert!(matches!(taken, AreaError::System { ref source, .. } if source.kind() == io::ErrorKind::AlreadyExists));
        assert!(!remove_stale(area.name()), "its owner lives");
        let mut child = std::process::Command::new("true").spawn().expect("a process starts");
        // SAFETY: nobody reads the header at the same time.
        unsafe { (*area.begin.cast::<Header>().as_ptr()).owner = child.id() };
        child.wait().expect("it ends");
        assert!(remove_stale(area.name()));
        assert!(matches!(Area::open(area.name()), Err(AreaError::System { .. })), "it is gone");
        for (what, bytes) in [("short", 16), ("zero", 1 << 16)] {
            let name = name(what);
            open(&name, libc::O_CREAT | libc::O_RDWR).and_then(|file| file.set_len(bytes)).expect("a file");
            let refused = Area::open(&name);
            unlink(&name);
            assert!(matches!(refused, Err(AreaError::Foreign { .. })), "{what}");
        }
    }

    #[test]
    fn no_other_user_opens_an_area_and_no_other_network_uses_it() {
        use std::os::unix::fs::{MetadataExt, PermissionsExt};
        let area = Area::create(&name("users"), SHAPE, 1, 77).expect("it can be made");
        let file = open(area.name(), libc::O_RDWR).and_then(|file| file.metadata()).expect("its own user opens it");
        assert_eq!(file.permissions().mode() & 0o777, 0o600);
        let foreign = Incoming { vni: 2, ..send(7, b"hello") };
        let begun = area.enter().expect("nobody died").process.begin(&foreign);
        assert_eq!(begun, Err(ReturnCode::PermissionViolation));
        // SAFETY: the call only asks.
        if unsafe { libc::geteuid() } != 0 {
            println!("only the superuser can become another user to try");
            return;
        }
        let name = c_name(area.name()).expect("a name");
        // SAFETY: the child calls nothing but the system, and ends.
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
        // Another's area is not opened even by one who could.
        let other = format!("/dev/shm/{}", area.name());
        std::os::unix::fs::chown(&other, Some(65_534), None).expect("the superuser may");
        assert!(matches!(Area::open(area.name()), Err(AreaError::NotOurs { owner: 65_534, .. })));
        assert_eq!(std::fs::metadata(&other).expect("it is there").uid(), 65_534);
    }
}
