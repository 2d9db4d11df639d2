//! A team's collectives: small data in one step through the collective area, the rest as `data` and
//! `reduce` do it.

use crate::error::Error;

use super::barrier_group::{BarrierGroup, fetch};
use super::data::{self, AlltoallvParts, Laid, Strided};
use super::kernel::{Element, ReduceOperation, combine};
use super::reduce::{self, ReduceArguments};
use super::slot::{AGREEMENT, AGREEMENT_BYTES, CONTRIBUTION_BYTES, EAGER_BYTES};
use super::team_group::TeamGroup;

/// The most bytes of all contributions together for which every PE reads all of them. For more, two
/// barriers cost less than all PEs' double reading. Source: a barrier of few PEs is about a tenth
/// of the time of reading so much. Status: assumed.
const POOLED_BYTES: usize = 64 * 1024;

/// Bytes of a collect's block that travel with its length.
const COLLECT_EAGER_BYTES: usize = EAGER_BYTES - size_of::<u64>();

/// Room for one contribution.
#[repr(C, align(64))]
struct Contribution([u8; CONTRIBUTION_BYTES]);

impl Contribution {
    const fn new() -> Self {
        Self([0; CONTRIBUTION_BYTES])
    }
}

impl TeamGroup {
    /// Whether `bytes` bytes are few enough that every PE shows its own to every other.
    fn is_small(&self, bytes: usize) -> bool {
        bytes <= CONTRIBUTION_BYTES && bytes * self.local_size() <= POOLED_BYTES
    }

    /// See [`data::broadcast`]; also writes the root's target.
    ///
    /// # Safety
    /// As for the linked function.
    ///
    /// # Errors
    /// As for the linked function.
    pub unsafe fn broadcast(&mut self, target: usize, source: usize, bytes: usize, root: usize) -> Result<(), Error> {
        // SAFETY: as the caller promises.
        unsafe { self.broadcast_from(target, source, bytes, root, true) }
    }

    /// See [`data::broadcast`].
    ///
    /// # Safety
    /// As for the linked function.
    ///
    /// # Errors
    /// As for the linked function.
    pub unsafe fn broadcast_from(
        &mut self,
        target: usize,
        source: usize,
        bytes: usize,
        root: usize,
        root_too: bool,
    ) -> Result<(), Error> {
        if !self.membership.is_local() {
            // SAFETY: as the caller promises.
            return unsafe { data::broadcast(self, target, source, bytes, root, root_too) };
        }
        let (to, from) = (target as *mut u8, source as *const u8);
        let is_root = self.membership.me() == root;
        // SAFETY: as the caller promises, for all of this.
        unsafe {
            if bytes <= CONTRIBUTION_BYTES {
                self.send_small(root, to, from, bytes)?;
            } else {
                self.follow(root)?;
                if !is_root {
                    fetch(self, root, to, source, bytes)?;
                }
                self.local_sync()?;
            }
            if is_root && root_too && target != source {
                std::ptr::copy(from, to, bytes);
            }
        }
        Ok(())
    }

    /// See [`data::fcollect`].
    ///
    /// # Safety
    /// As for the linked function.
    ///
    /// # Errors
    /// As for the linked function.
    pub unsafe fn fcollect(&mut self, target: usize, source: usize, bytes: usize) -> Result<(), Error> {
        // SAFETY: as the caller promises; if all are of one host, a rank is also the index within
        // the host.
        unsafe {
            if !self.membership.is_local() || !self.is_small(bytes) {
                return data::fcollect(self, target, source, bytes);
            }
            self.share(bytes, source as *const u8, |rank, from| {
                std::ptr::copy(from, (target + rank * bytes) as *mut u8, bytes);
            })
        }
    }

    /// See [`data::collect`].
    ///
    /// # Safety
    /// As for the linked function.
    ///
    /// # Errors
    /// As for the linked function.
    pub unsafe fn collect(&mut self, target: usize, source: usize, bytes: usize) -> Result<(), Error> {
        if !self.membership.is_local() {
            // SAFETY: as the caller promises.
            return unsafe { data::collect(self, target, source, bytes) };
        }
        let mut mine = [0u8; EAGER_BYTES];
        let (length, block) = mine.split_at_mut(size_of::<u64>());
        length.copy_from_slice(&(bytes as u64).to_ne_bytes());
        let mut all = vec![[0u8; EAGER_BYTES]; self.membership.size()];
        // SAFETY: as the caller promises, for all of this.
        unsafe {
            std::ptr::copy_nonoverlapping(source as *const u8, block.as_mut_ptr(), bytes.min(COLLECT_EAGER_BYTES));
            self.share(EAGER_BYTES, mine.as_ptr(), |rank, from| {
                std::ptr::copy_nonoverlapping(from, all[rank].as_mut_ptr(), EAGER_BYTES);
            })?;
            let mut begin = 0;
            let mut all_came_along = true;
            for (rank, one) in all.iter().enumerate() {
                let (length, block) = one.split_at(size_of::<u64>());
                let bytes = u64::from_ne_bytes(length.try_into().unwrap_or_default()) as usize;
                let to = (target + begin) as *mut u8;
                if bytes <= COLLECT_EAGER_BYTES {
                    std::ptr::copy_nonoverlapping(block.as_ptr(), to, bytes);
                } else {
                    all_came_along = false;
                    fetch(self, rank, to, source, bytes)?;
                }
                begin += bytes;
            }
            if all_came_along { Ok(()) } else { self.local_sync() }
        }
    }

    /// See [`data::alltoall`].
    ///
    /// # Safety
    /// As for the linked function.
    ///
    /// # Errors
    /// As for the linked function.
    pub unsafe fn alltoall(&mut self, target: usize, source: usize, bytes: usize) -> Result<(), Error> {
        let (me, all) = (self.membership.me(), bytes.saturating_mul(self.membership.size()));
        let to = |rank: usize| (target + rank * bytes) as *mut u8;
        // SAFETY: as the caller promises, for all of this.
        unsafe {
            if self.membership.is_local() && self.is_eager(bytes) {
                let mine = |rank: usize| (source + rank * bytes) as *const u8;
                return self.swap_eagerly(bytes, mine, |rank, from| std::ptr::copy(from, to(rank), bytes));
            }
            if self.membership.is_local() && all <= CONTRIBUTION_BYTES {
                return self.pool(all, source as *const u8, |rank, from| {
                    std::ptr::copy(from.add(me * bytes), to(rank), bytes);
                });
            }
            data::alltoall(self, target, source, bytes)
        }
    }

    /// See [`data::alltoalls`].
    ///
    /// # Safety
    /// As for the linked function.
    ///
    /// # Errors
    /// As for the linked function.
    pub unsafe fn alltoalls(&mut self, target: usize, source: usize, blocks: Strided) -> Result<(), Error> {
        // SAFETY: as the caller promises.
        unsafe { data::alltoalls(self, target, source, blocks) }
    }

    /// See [`data::alltoallv`].
    ///
    /// # Safety
    /// As for the linked function.
    ///
    /// # Errors
    /// As for the linked function.
    pub unsafe fn alltoallv(
        &mut self,
        target: usize,
        source: usize,
        parts: AlltoallvParts,
        laid: Laid,
    ) -> Result<(), Error> {
        // SAFETY: as the caller promises.
        unsafe { data::alltoallv(self, target, source, parts, laid) }
    }

    /// See [`reduce::reduce`].
    ///
    /// # Safety
    /// As for the linked function.
    ///
    /// # Errors
    /// As for the linked function.
    pub unsafe fn reduce(&mut self, what: ReduceArguments) -> Result<(), Error> {
        let bytes = what.bytes();
        // SAFETY: as the caller promises, for all of this.
        unsafe {
            if self.is_small(bytes) && self.membership.is_local() {
                return self.combine_small(what, |_| true);
            }
            if self.is_small(bytes) && self.is_remote_eager(bytes) {
                return self.reduce_small_remote(what);
            }
            reduce::reduce(self, what)
        }
    }

    /// See [`reduce::scan`].
    ///
    /// # Safety
    /// As for the linked function.
    ///
    /// # Errors
    /// As for the linked function.
    pub unsafe fn scan(&mut self, what: ReduceArguments, exclusive: bool) -> Result<(), Error> {
        let me = self.membership.me();
        // SAFETY: as the caller promises.
        unsafe {
            if self.is_small(what.bytes()) && self.membership.is_local() {
                return self.combine_small(what, |rank| rank < me || (rank == me && !exclusive));
            }
            reduce::scan(self, what, exclusive)
        }
    }

    /// Combines the contributions of the ranks that `counts` selects, by rank; the result is zero
    /// bytes if it selects none.
    ///
    /// # Safety
    /// As for [`reduce::reduce`], with small data and all members on one host.
    unsafe fn combine_small(&mut self, what: ReduceArguments, counts: impl Fn(usize) -> bool) -> Result<(), Error> {
        let bytes = what.bytes();
        let mut room = Contribution::new();
        let into = room.0.as_mut_ptr();
        let mut empty = true;
        // SAFETY: as the caller promises; the buffer has the size of a contribution.
        unsafe {
            self.share(bytes, what.source as *const u8, |rank, from| {
                if !counts(rank) {
                    return;
                }
                if std::mem::replace(&mut empty, false) {
                    std::ptr::copy_nonoverlapping(from, into, bytes);
                } else {
                    combine(what.element, what.operation, into, from, what.count);
                }
            })?;
            std::ptr::copy_nonoverlapping(into, what.target as *mut u8, bytes);
        }
        Ok(())
    }

    /// A small reduction across hosts: each leader combines its host's contributions, exchanges the
    /// result with the other leaders, and publishes the total.
    ///
    /// # Safety
    /// As for [`reduce::reduce`], with data small enough for the leaders to exchange in one step.
    unsafe fn reduce_small_remote(&mut self, what: ReduceArguments) -> Result<(), Error> {
        let bytes = what.bytes();
        let step = |into: *mut u8, from: *const u8, is_first: bool| {
            // SAFETY: the buffers have the size of a contribution, and so have the operands.
            unsafe {
                if is_first {
                    std::ptr::copy_nonoverlapping(from, into, bytes);
                } else {
                    combine(what.element, what.operation, into, from, what.count);
                }
            }
        };
        let mut result = Contribution::new();
        // SAFETY: as the caller promises.
        let operation = unsafe { self.show(bytes, what.source as *const u8)? };
        self.local_gather()?;
        if self.membership.leads() {
            let mut own = Contribution::new();
            for local in 0..self.local_size() {
                step(own.0.as_mut_ptr(), self.shown(local, operation), local == 0);
            }
            let mut is_first = true;
            // SAFETY: `own` outlives the call.
            unsafe {
                self.swap_remote(bytes, own.0.as_ptr(), |part| {
                    step(result.0.as_mut_ptr(), part, std::mem::replace(&mut is_first, false));
                })?;
            }
            self.show_again(operation, &result.0[..bytes]);
        }
        self.local_release()?;
        // SAFETY: as the caller promises.
        unsafe { std::ptr::copy_nonoverlapping(self.shown(0, operation), what.target as *mut u8, bytes) };
        self.finish_before(operation);
        Ok(())
    }

    /// Computes the bitwise AND of all members' `words`; each member gets it. For agreements within
    /// the library.
    ///
    /// # Errors
    /// A PE of the job has died, or the NIC reports an error.
    pub fn agree(&mut self, words: &mut [u64]) -> Result<(), Error> {
        let place = self.slot + AGREEMENT;
        for chunk in words.chunks_mut(AGREEMENT_BYTES / size_of::<u64>()) {
            let what = ReduceArguments {
                target: place,
                source: place,
                count: chunk.len(),
                element: Element::U64,
                operation: ReduceOperation::And,
            };
            // SAFETY: the slot has the room, at the same offset for all members.
            unsafe {
                std::ptr::copy_nonoverlapping(chunk.as_ptr(), place as *mut u64, chunk.len());
                self.reduce(what)?;
                std::ptr::copy_nonoverlapping(place as *const u64, chunk.as_mut_ptr(), chunk.len());
            }
        }
        Ok(())
    }
}
