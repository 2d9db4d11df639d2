//! The debug mode checks that all members of a team make the same call, and detects PEs that wait
//! for each other in different teams.
//!
//! Before a collective every member writes what it calls, they synchronise, and each compares. If
//! PEs wait in different teams, a member never arrives. So a PE that waits long checks whether the
//! PE that it waits for waits for it.

use std::cell::Cell;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::error::Error;
use crate::memory::SLOT_BYTES;

use super::barrier_group::{BarrierGroup, fetch};
use super::membership::Membership;
use super::oversubscription;
use super::slot::{CALL_BYTES, CALLS, HOST_PAGE, HOST_PAGE_BYTES, WATCH};
use super::team_group::TeamGroup;

/// Room for the name of a function. Source: the longest name of the standard has 37 letters.
/// Status: derived.
const NAME_BYTES: usize = 64;

/// A call, in the form that members compare.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub struct ComparedCall {
    name: [u8; NAME_BYTES],
    root: i64,
    bytes: u64,
    /// The element type and the operation, or 0.
    kind: u64,
}
const _: () = assert!(
    size_of::<ComparedCall>() <= CALL_BYTES && HOST_PAGE_BYTES >= (oversubscription::WORDS + 3) * 8 + NAME_BYTES
);

/// The value for calls without a root. Source: ours. Status: assumed.
pub const NO_ROOT: i64 = -1;

impl ComparedCall {
    /// A call of the public function `name`, with `bytes` bytes from every member, or 0 if the
    /// members' numbers may differ.
    #[must_use]
    pub fn new(name: &str, root: i64, bytes: usize, kind: u64) -> Self {
        let mut text = [0; NAME_BYTES];
        let length = name.len().min(NAME_BYTES);
        text[..length].copy_from_slice(&name.as_bytes()[..length]);
        Self { name: text, root, bytes: bytes as u64, kind }
    }

    fn text(&self) -> String {
        let name = read_name(&self.name);
        let root = if self.root == NO_ROOT { String::new() } else { format!(" with root {}", self.root) };
        let bytes = if self.bytes == 0 { String::new() } else { format!(" of {} bytes", self.bytes) };
        let kind = if self.kind == 0 { String::new() } else { format!(" (type and operation {:#x})", self.kind) };
        format!("{name}{root}{bytes}{kind}")
    }
}

fn read_name(name: &[u8]) -> String {
    String::from_utf8_lossy(name).trim_end_matches('\0').to_owned()
}

/// Which team this is, and how many of its calls have been compared.
#[derive(Debug)]
pub(super) struct ComparedTeam {
    team: u64,
    number: u64,
    calls: u64,
    /// The call that this PE is in, and the PEs that seemed to wait for it at the last check. One
    /// check may coincide with a change, so it is not enough.
    name: Cell<[u8; NAME_BYTES]>,
    suspect: Cell<Option<(usize, u64)>>,
}

/// Words of the host page: the team whose call this PE is in, the team's slot, the number of the
/// call, and its name.
const INSIDE: usize = oversubscription::WORDS;

fn page_word(first_slot: usize, index: usize) -> &'static AtomicU64 {
    // SAFETY: callers give the first slot of a PE of this host, which is mapped while SHMEM is
    // initialised.
    unsafe { AtomicU64::from_ptr((first_slot + HOST_PAGE + index * 8) as *mut u64) }
}

fn slot_word(slot: usize, index: usize) -> &'static AtomicU64 {
    // SAFETY: as in `page_word`.
    unsafe { AtomicU64::from_ptr((slot + WATCH + index * 8) as *mut u64) }
}

impl ComparedTeam {
    pub(super) fn new(membership: &Membership, number: u32) -> Self {
        // Teams of the same PEs that exist at the same time have different slots: members and slot
        // together identify a team.
        let team = membership.pes().iter().fold(u64::from(number) + 1, |sum, &pe| {
            (sum ^ u64::from(pe)).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29)
        });
        Self {
            team: team | 1,
            number: u64::from(number),
            calls: 0,
            name: Cell::new([0; NAME_BYTES]),
            suspect: Cell::new(None),
        }
    }

    /// Records in this PE's slot which team has it.
    pub(super) fn open(&self, barrier_group: &TeamGroup) {
        slot_word(barrier_group.slot, 0).store(self.team, Ordering::Relaxed);
        slot_word(barrier_group.slot, 1).store(0, Ordering::Release);
    }

    /// Checks whether a PE of this host for which this PE waits is itself waiting for this PE in
    /// another team.
    pub(super) fn look(&self, barrier_group: &TeamGroup) -> Result<(), Error> {
        let area = barrier_group.membership.home().segment.start;
        for (local, &slot) in barrier_group.local_slots.iter().enumerate() {
            let rank = barrier_group.membership.local()[local];
            let first_slot = barrier_group.membership.at(rank, area) as usize;
            let [team, number, call] =
                [0, 1, 2].map(|index| page_word(first_slot, INSIDE + index).load(Ordering::Acquire));
            let is_here = slot_word(slot, 1).load(Ordering::Acquire) >= self.calls;
            if local == barrier_group.membership.local_me() || is_here || team == 0 || team == self.team {
                continue;
            }
            let own = area + number as usize * SLOT_BYTES;
            let mine = [0, 1].map(|index| slot_word(own, index).load(Ordering::Acquire));
            if mine[0] != team || mine[1] >= call {
                continue;
            }
            if self.suspect.replace(Some((local, call))) != Some((local, call)) {
                return Ok(());
            }
            let mut name = [0u8; NAME_BYTES];
            for (index, part) in name.chunks_mut(8).enumerate() {
                part.copy_from_slice(&page_word(first_slot, INSIDE + 3 + index).load(Ordering::Relaxed).to_ne_bytes());
            }
            return Err(Error::Mismatch(format!(
                "this PE is in {} of a team of {} PEs (slot {}), PE {} is in {} of another team (slot {number}); both are in both teams, and each waits for the other: members must call the collectives of their teams in the same order",
                read_name(&self.name.get()),
                barrier_group.membership.size(),
                self.number,
                barrier_group.membership.pe(rank),
                read_name(&name),
            )));
        }
        Ok(())
    }

    fn enter(&self, barrier_group: &TeamGroup, call: &ComparedCall) {
        self.name.set(call.name);
        self.suspect.set(None);
        let page = barrier_group.membership.home().segment.start;
        for (index, part) in call.name.chunks(8).enumerate() {
            let mut bytes = [0; 8];
            bytes[..part.len()].copy_from_slice(part);
            page_word(page, INSIDE + 3 + index).store(u64::from_ne_bytes(bytes), Ordering::Relaxed);
        }
        page_word(page, INSIDE + 1).store(self.number, Ordering::Relaxed);
        page_word(page, INSIDE + 2).store(self.calls, Ordering::Relaxed);
        slot_word(barrier_group.slot, 1).store(self.calls, Ordering::Release);
        page_word(page, INSIDE).store(self.team, Ordering::Release);
    }

    fn leave(&self, barrier_group: &TeamGroup) {
        page_word(barrier_group.membership.home().segment.start, INSIDE).store(0, Ordering::Release);
    }
}

impl TeamGroup {
    /// In debug mode: waits until all members have arrived, and compares what they call.
    ///
    /// # Errors
    /// A member calls something else, members wait for each other in different teams, or a PE of
    /// the job has died.
    pub fn check(&mut self, call: &ComparedCall) -> Result<(), Error> {
        if !self.means.debug {
            return Ok(());
        }
        self.watch.calls += 1;
        let place = CALLS + (self.watch.calls % 2) as usize * CALL_BYTES;
        // SAFETY: the slot has room, and readers read it after the sync below. The previous call
        // uses the other place.
        unsafe { ((self.slot + place) as *mut ComparedCall).write(*call) };
        self.watch.enter(self, call);
        self.sync()?;
        self.watch.leave(self);
        // The members of this host, and the first member if it is of another host.
        let local = self.membership.local().iter().copied();
        let others: Vec<usize> = local.chain((!self.membership.has_local(0)).then_some(0)).collect();
        for rank in others {
            let mut theirs = *call;
            // SAFETY: a call has no padding and no invalid value, and stays until all have
            // synchronised once more.
            unsafe { fetch(self, rank, (&raw mut theirs).cast(), self.slot + place, size_of::<ComparedCall>())? };
            self.quiet()?;
            if theirs != *call {
                return Err(Error::Mismatch(format!(
                    "this PE calls {}, PE {} calls {} (call {} on a team of {} PEs): all members must call the same",
                    call.text(),
                    self.membership.pe(rank),
                    theirs.text(),
                    self.watch.calls,
                    self.membership.size(),
                )));
            }
        }
        Ok(())
    }
}
