//! The barrier group of a team: how its members wait for each other and pass small data, through
//! their slots of the collective area.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock};

use crate::abi::ControlPage;
use crate::error::Error;
use crate::local::wait::WaitMethod;
use crate::remote::waits;

use super::barrier_group::BarrierGroup;
use super::membership::Membership;
use super::remote::RemoteTransport;
use super::slot::{
    self, ARRIVALS, BOARD, CONTRIBUTION_BYTES, EAGER_BYTES, EAGER_PES, GENERATIONS, RADIX, RELEASE, REMOTE_EAGER_BYTES,
    REMOTE_EAGER_HOSTS, REMOTE_ROUNDS, ROUNDS,
};
use super::watch::ComparedTeam;

/// A team's barrier group, created by the team's first collective.
#[derive(Debug, Default)]
pub struct TeamCell(OnceLock<Mutex<TeamGroup>>);

impl TeamCell {
    /// The barrier group, made by `make` the first time.
    pub(super) fn get_or_init(&self, make: impl FnOnce() -> Mutex<TeamGroup>) -> &Mutex<TeamGroup> {
        self.0.get_or_init(make)
    }
}

/// What a barrier group needs besides its membership.
#[derive(Clone)]
pub struct Means {
    /// How this PE waits.
    pub waiting: WaitMethod,
    /// The transport to other hosts, if there are any.
    pub remote: Option<Arc<dyn RemoteTransport>>,
    /// Oversubscription: the PEs of this host outnumber its processors.
    pub oversubscribed: bool,
    /// Debug mode: check that all members make the same call.
    pub debug: bool,
}

impl std::fmt::Debug for Means {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("Means")
            .field("oversubscribed", &self.oversubscribed)
            .field("debug", &self.debug)
            .finish_non_exhaustive()
    }
}

/// A team's members, and what they have done together so far. The counters are the same for all
/// members of a host.
#[derive(Debug)]
pub struct TeamGroup {
    pub(super) membership: Membership,
    pub(super) means: Means,
    /// This PE's slot, and the slots of the PEs of its host.
    pub(super) slot: usize,
    pub(super) local_slots: Box<[usize]>,
    controls: Box<[*const ControlPage]>,
    /// If set, arrivals are counted at the leader, so that the fewest PEs need to run; otherwise
    /// flags are exchanged in rounds.
    counts: bool,
    syncs: u64,
    arrivals: u64,
    releases: u64,
    /// Operations by generation: how many have begun, and up to which one all members are known to
    /// have finished.
    begun: u64,
    finished: u64,
    remote_syncs: u64,
    remote_exchanges: u64,
    pub(super) watch: ComparedTeam,
}

// SAFETY: the pointers point to control pages, which consist of atomics and stay mapped while SHMEM
// is initialised.
unsafe impl Send for TeamGroup {}

impl TeamGroup {
    /// The barrier group of `membership`, whose slot is at `slot` in this PE's collective area,
    /// `number` slots into it.
    ///
    /// # Safety
    /// The collective areas, control pages and heaps of all PEs of this host are mapped as
    /// `membership` says, and stay mapped. Every member's slot is zero, and no other team has it.
    #[must_use]
    pub unsafe fn new(membership: Membership, number: u32, means: Means) -> Self {
        let slot = membership.home().segment.start + number as usize * crate::memory::SLOT_BYTES;
        let local_slots: Box<[usize]> =
            membership.local().iter().map(|&rank| membership.at(rank, slot) as usize).collect();
        let control = membership.home().control;
        let controls: Box<[*const ControlPage]> =
            membership.local().iter().map(|&rank| membership.at(rank, control).cast_const().cast()).collect();
        let counts = means.oversubscribed || local_slots.len() > RADIX.pow(ROUNDS as u32);
        let watch = ComparedTeam::new(&membership, number);
        let barrier_group = Self {
            local_slots,
            controls,
            counts,
            slot,
            means,
            syncs: 0,
            arrivals: 0,
            releases: 0,
            begun: 0,
            finished: 0,
            remote_syncs: 0,
            remote_exchanges: 0,
            watch,
            membership,
        };
        barrier_group.watch.open(&barrier_group);
        barrier_group
    }

    /// The last barrier of the team. Then this PE's slot is zero, as the next team needs it.
    ///
    /// # Errors
    /// A PE of the job has died, or the NIC reports an error.
    pub fn retire(&mut self) -> Result<(), Error> {
        self.sync()?;
        // SAFETY: the slot is mapped. All have synchronised: each has seen every flag of its own,
        // and no PE writes another.
        unsafe { std::ptr::write_bytes(self.slot as *mut u8, 0, crate::memory::SLOT_BYTES) };
        Ok(())
    }

    /// Whether the debug mode compares calls.
    #[must_use]
    pub const fn debugs(&self) -> bool {
        self.means.debug
    }

    /// The number of members of this host.
    pub(super) fn local_size(&self) -> usize {
        self.local_slots.len()
    }

    /// A word of the slot of member number `local` of this host.
    #[inline]
    pub(super) fn word(&self, local: usize, offset: usize) -> &AtomicU64 {
        // SAFETY: the caller of `new` promised that the slots stay mapped; offsets are aligned and
        // within the slot.
        unsafe { AtomicU64::from_ptr((self.local_slots[local] + offset) as *mut u64) }
    }

    /// Stores `value` in a word of another member's slot, and wakes that member if it sleeps.
    #[inline]
    pub(super) fn tell(&self, local: usize, offset: usize, value: u64) {
        self.word(local, offset).store(value, Ordering::Release);
        self.ring(local);
    }

    #[inline]
    fn ring(&self, local: usize) {
        // SAFETY: the caller of `new` promised that the control pages stay mapped.
        unsafe { &*self.controls[local] }.ring_if_asleep();
    }

    /// Waits until a word of this PE's own slot is at least `value`.
    #[inline]
    pub(super) fn wait_for(&self, offset: usize, value: u64) -> Result<(), Error> {
        let word = self.word(self.membership.local_me(), offset);
        let ready = || word.load(Ordering::Acquire) >= value;
        if self.means.debug {
            self.means.waiting.until_or(ready, || self.watch.look(self))?;
        } else {
            self.means.waiting.until(ready)?;
        }
        waits::waited(word.as_ptr() as usize, size_of_val(word));
        Ok(())
    }

    /// Waits until all members of this host have arrived. Does not imply that they have finished
    /// earlier operations: see `local_sync`.
    pub(super) fn meet(&mut self) -> Result<(), Error> {
        let (size, me) = (self.local_size(), self.membership.local_me());
        if size == 1 {
            return Ok(());
        }
        if self.counts {
            return self.meet_by_count();
        }
        self.syncs += 1;
        let (mut step, mut round) = (1, 0);
        while step < size {
            let partners = (RADIX - 1).min((size - 1) / step);
            for distance in 1..=partners {
                let to = me + distance * step;
                self.tell(if to < size { to } else { to - size }, slot::flag(round, distance), self.syncs);
            }
            for distance in 1..=partners {
                self.wait_for(slot::flag(round, distance), self.syncs)?;
            }
            (step, round) = (step * RADIX, round + 1);
        }
        Ok(())
    }

    /// The counting barrier: the last to arrive releases all others. With fewer processors than
    /// PEs, no other PE has to run in between.
    fn meet_by_count(&mut self) -> Result<(), Error> {
        let size = self.local_size();
        self.arrivals += size as u64;
        self.releases += 1;
        if self.word(0, ARRIVALS).fetch_add(1, Ordering::AcqRel) + 1 == self.arrivals {
            self.release_others();
            return Ok(());
        }
        self.wait_for(RELEASE, self.releases)
    }

    fn release_others(&self) {
        for local in (0..self.local_size()).filter(|&local| local != self.membership.local_me()) {
            self.tell(local, RELEASE, self.releases);
        }
    }

    /// Begins an operation by generation, once its lines and buffers are free for all members.
    fn begin(&mut self) -> Result<u64, Error> {
        if self.begun + 1 > self.finished + GENERATIONS {
            self.local_sync()?;
        }
        self.begun += 1;
        Ok(self.begun)
    }

    /// Whether `bytes` bytes fit next to a flag.
    pub(super) fn is_eager(&self, bytes: usize) -> bool {
        bytes <= EAGER_BYTES && self.local_size() <= EAGER_PES && !self.counts
    }

    /// Sends `bytes` bytes to every other member of this host, and takes what each of them sent.
    ///
    /// # Safety
    /// `payload` gives `bytes` readable bytes, and the payloads for others do not depend on what is
    /// taken. [`TeamGroup::is_eager`] holds.
    pub(super) unsafe fn swap_eagerly(
        &mut self,
        bytes: usize,
        payload: impl Fn(usize) -> *const u8,
        mut take: impl FnMut(usize, *const u8),
    ) -> Result<(), Error> {
        let operation = self.begin()?;
        let (size, me) = (self.local_size(), self.membership.local_me());
        let mine = slot::eager(operation, me);
        for local in (0..size).filter(|&local| local != me) {
            // SAFETY: a line has room for the bytes, and no PE reads it before the flag.
            unsafe {
                std::ptr::copy_nonoverlapping(payload(local), (self.local_slots[local] + mine + 16) as *mut u8, bytes)
            };
            self.tell(local, mine, operation);
        }
        for local in 0..size {
            if local == me {
                take(local, payload(local));
                continue;
            }
            let line = slot::eager(operation, local);
            self.wait_for(line, operation)?;
            take(local, (self.slot + line + 16) as *const u8);
        }
        self.finish_before(operation);
        Ok(())
    }

    /// Shows `bytes` bytes to all members of this host, and reads what each of them shows.
    ///
    /// # Safety
    /// `mine` has `bytes` bytes, at most [`CONTRIBUTION_BYTES`].
    pub(super) unsafe fn pool(
        &mut self,
        bytes: usize,
        mine: *const u8,
        mut take: impl FnMut(usize, *const u8),
    ) -> Result<(), Error> {
        // SAFETY: as the caller promises.
        let operation = unsafe { self.show(bytes, mine)? };
        self.meet()?;
        self.finish_before(operation);
        for local in 0..self.local_size() {
            take(local, self.shown(local, operation));
        }
        Ok(())
    }

    /// Begins an operation in which this PE shows `bytes` bytes to the members of its host, which
    /// may read them after the next barrier.
    ///
    /// # Safety
    /// `mine` has `bytes` bytes, at most [`CONTRIBUTION_BYTES`].
    pub(super) unsafe fn show(&mut self, bytes: usize, mine: *const u8) -> Result<u64, Error> {
        debug_assert!(bytes <= CONTRIBUTION_BYTES, "callers choose another method for more");
        let operation = self.begin()?;
        // SAFETY: the buffer has room, and no PE reads it before all have synchronised.
        unsafe { std::ptr::copy_nonoverlapping(mine, (self.slot + slot::contribution(operation)) as *mut u8, bytes) };
        Ok(operation)
    }

    /// What member `local` of this host, or this PE itself, shows.
    pub(super) fn shown(&self, local: usize, operation: u64) -> *const u8 {
        (self.local_slots[local] + slot::contribution(operation)) as *const u8
    }

    /// Replaces what the leader shows, before it releases the others.
    pub(super) fn show_again(&self, operation: u64, what: &[u8]) {
        let place = (self.slot + slot::contribution(operation)) as *mut u8;
        // SAFETY: the buffer has room, and the others read it after their release.
        unsafe { std::ptr::copy_nonoverlapping(what.as_ptr(), place, what.len()) };
    }

    /// Records that all members have begun `operation`, and so have finished those before it.
    pub(super) const fn finish_before(&mut self, operation: u64) {
        self.finished = operation - 1;
    }

    /// As [`TeamGroup::pool`], by the quicker of two methods.
    ///
    /// # Safety
    /// As for [`TeamGroup::pool`].
    pub(super) unsafe fn share(
        &mut self,
        bytes: usize,
        mine: *const u8,
        take: impl FnMut(usize, *const u8),
    ) -> Result<(), Error> {
        // SAFETY: as the caller promises.
        unsafe {
            if self.is_eager(bytes) { self.swap_eagerly(bytes, |_| mine, take) } else { self.pool(bytes, mine, take) }
        }
    }

    /// Sends small data from one member of this host to all others of it.
    ///
    /// # Safety
    /// The root's `source` and the others' `target` have `bytes` bytes, at most
    /// [`CONTRIBUTION_BYTES`].
    pub(super) unsafe fn send_small(
        &mut self,
        root: usize,
        target: *mut u8,
        source: *const u8,
        bytes: usize,
    ) -> Result<(), Error> {
        let operation = self.begin()?;
        let (size, me) = (self.local_size(), self.membership.local_me());
        if self.is_eager(bytes) {
            let line = slot::eager(operation, root);
            if me != root {
                self.wait_for(line, operation)?;
                // SAFETY: the line has the bytes, and the caller promises the room.
                unsafe { std::ptr::copy_nonoverlapping((self.slot + line + 16) as *const u8, target, bytes) };
                return Ok(());
            }
            for local in (0..size).filter(|&local| local != me) {
                // SAFETY: as in `swap_eagerly`.
                unsafe {
                    std::ptr::copy_nonoverlapping(source, (self.local_slots[local] + line + 16) as *mut u8, bytes)
                };
                self.tell(local, line, operation);
            }
            return Ok(());
        }
        let place = self.local_slots[root] + slot::contribution(operation);
        if me == root {
            // SAFETY: the buffer has room, and no PE reads it before the notice.
            unsafe { std::ptr::copy_nonoverlapping(source, place as *mut u8, bytes) };
        }
        self.notify(root, operation)?;
        if me != root {
            // SAFETY: the root's buffer has the bytes, and the caller promises the room.
            unsafe { std::ptr::copy_nonoverlapping(place as *const u8, target, bytes) };
        }
        Ok(())
    }

    /// Waits until `root`, a member of this host, has arrived.
    pub(super) fn follow(&mut self, root: usize) -> Result<(), Error> {
        let operation = self.begin()?;
        self.notify(root, operation)
    }

    /// Passes a notice from `root` to all, each member to up to eight others; with more PEs than
    /// processors, the root notifies all directly.
    fn notify(&self, root: usize, operation: u64) -> Result<(), Error> {
        let (size, me) = (self.local_size(), self.membership.local_me());
        let turned = (me + size - root) % size;
        if turned != 0 {
            self.wait_for(slot::notice(operation), operation)?;
        }
        let (first, last) = match (self.counts, turned) {
            (true, 0) => (1, size),
            (true, _) => return Ok(()),
            (false, _) => (turned * RADIX + 1, (turned * RADIX + RADIX + 1).min(size)),
        };
        for child in first..last {
            self.tell((child + root) % size, slot::notice(operation), operation);
        }
        Ok(())
    }

    /// Whether leaders exchange `bytes` bytes in one step.
    pub(super) fn is_remote_eager(&self, bytes: usize) -> bool {
        let hosts = self.membership.leaders().len();
        hosts <= REMOTE_EAGER_HOSTS && hosts * bytes.next_multiple_of(16) <= REMOTE_EAGER_BYTES
    }

    /// Leaders send each other `bytes` bytes and take, in the order of hosts, what each of them
    /// sent. Only leaders call it.
    ///
    /// # Safety
    /// `mine` has `bytes` bytes and does not change. [`TeamGroup::is_remote_eager`] holds.
    pub(super) unsafe fn swap_remote(
        &mut self,
        bytes: usize,
        mine: *const u8,
        mut take: impl FnMut(*const u8),
    ) -> Result<(), Error> {
        self.remote_exchanges += 1;
        let (operation, host) = (self.remote_exchanges, self.membership.host());
        let place = |host| self.slot + slot::remote_eager(operation, host, bytes.next_multiple_of(16));
        for (other, &leader) in self.membership.leaders().iter().enumerate() {
            if other != host {
                let flag = self.slot + slot::remote_eager_flag(operation, host);
                // SAFETY: `mine` does not change until the quiet below.
                unsafe {
                    self.remote()?.put_signal(self.membership.pe(leader), place(host), mine, bytes, flag, operation)?
                };
            }
        }
        for other in 0..self.membership.leaders().len() {
            if other == host {
                take(mine);
            } else {
                self.wait_for(slot::remote_eager_flag(operation, other), operation)?;
                take(place(other) as *const u8);
            }
        }
        self.remote()?.quiet()
    }
}

impl BarrierGroup for TeamGroup {
    fn membership(&self) -> &Membership {
        &self.membership
    }

    fn remote(&self) -> Result<&dyn RemoteTransport, Error> {
        self.means.remote.as_deref().ok_or_else(|| {
            Error::Remote("the team has PEs of another host, and there is no NIC to reach them".to_owned())
        })
    }

    fn local_sync(&mut self) -> Result<(), Error> {
        self.meet()?;
        self.finished = self.begun;
        Ok(())
    }

    fn local_gather(&mut self) -> Result<(), Error> {
        self.arrivals += self.local_size() as u64 - 1;
        if self.membership.leads() {
            return self.wait_for(ARRIVALS, self.arrivals);
        }
        if self.word(0, ARRIVALS).fetch_add(1, Ordering::AcqRel) + 1 == self.arrivals {
            self.ring(0);
        }
        Ok(())
    }

    fn local_release(&mut self) -> Result<(), Error> {
        self.releases += 1;
        if self.membership.leads() {
            self.release_others();
            return Ok(());
        }
        self.wait_for(RELEASE, self.releases)
    }

    fn leaders_sync(&mut self) -> Result<(), Error> {
        self.remote_syncs += 1;
        let (sync, host, hosts) = (self.remote_syncs, self.membership.host(), self.membership.leaders().len());
        for round in 0..REMOTE_ROUNDS {
            if 1 << round >= hosts {
                return Ok(());
            }
            let to = self.membership.pe(self.membership.leaders()[(host + (1 << round)) % hosts]);
            let flag = slot::remote_flag(sync, round);
            // SAFETY: the signal carries no data.
            unsafe { self.remote()?.put_signal(to, 0, std::ptr::null(), 0, self.slot + flag, sync)? };
            self.wait_for(flag, sync)?;
        }
        if hosts > 1 << REMOTE_ROUNDS {
            return Err(Error::Remote(format!(
                "a team has PEs of {hosts} hosts; at most {} are supported",
                1 << REMOTE_ROUNDS
            )));
        }
        Ok(())
    }

    fn board(&self) -> usize {
        self.slot + BOARD
    }

    fn sync(&mut self) -> Result<(), Error> {
        if self.membership.is_local() {
            return self.local_sync();
        }
        self.local_gather()?;
        if self.membership.leads() {
            self.leaders_sync()?;
        }
        self.local_release()?;
        self.finished = self.begun;
        Ok(())
    }
}
