//! Teams: ordered sets of PEs.

use std::ptr::{self, NonNull};
use std::sync::atomic::Ordering;

use crate::abi::{MemoryWindow, TeamHandle};
use crate::collective::team_group::TeamCell;
use crate::ending::end;
use crate::error::Error;
use crate::memory::SymmetricMemory;

/// The PEs of a team, as PEs of the world, by their number in the team.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TeamMembers {
    world: Box<[u32]>,
    /// The difference of neighbours, if it is always the same.
    stride: Option<i64>,
}

impl TeamMembers {
    /// A team of these PEs, in this order.
    #[must_use]
    pub fn new(world: Vec<u32>) -> Self {
        let step = |pair: &[u32]| i64::from(pair[1]) - i64::from(pair[0]);
        let stride = world.get(..2).map_or(1, step);
        let is_even = world.windows(2).all(|pair| step(pair) == stride);
        Self { world: world.into(), stride: is_even.then_some(stride) }
    }

    /// The number of PEs.
    #[must_use]
    pub fn len(&self) -> u32 {
        self.world.len() as u32
    }

    /// Whether there are no PEs, which is true of no team.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.world.is_empty()
    }

    /// The PE of the world that has this number in the team.
    #[must_use]
    pub fn world(&self, number: u32) -> Option<u32> {
        self.world.get(number as usize).copied()
    }

    /// All PEs, in order.
    #[must_use]
    pub fn all(&self) -> &[u32] {
        &self.world
    }

    /// The number in the team of a PE of the world.
    #[must_use]
    pub fn number(&self, world: u32) -> Option<u32> {
        let first = *self.world.first()?;
        if let Some(stride) = self.stride {
            let away = i64::from(world) - i64::from(first);
            let number = if stride == 0 { i64::from(away != 0) } else { away / stride };
            let number = u32::try_from(number).ok()?;
            return (self.world(number)? == world).then_some(number);
        }
        self.world.iter().position(|&member| member == world).map(|number| number as u32)
    }
}

/// `shmem_team_config_t`. Source: OpenSHMEM 1.6. Status: published.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C)]
pub struct TeamConfig {
    /// How many contexts the program intends to make from the team: advice.
    pub num_contexts: i32,
}

/// A team, as one of its PEs has it.
#[derive(Debug)]
pub struct Team {
    /// Its PEs.
    pub members: TeamMembers,
    /// This PE's number in it.
    pub me: u32,
    /// Where the members' memory lies in this process, by their number in the team.
    pub windows: Box<[MemoryWindow]>,
    /// The slot in the collective area, the same for every member.
    pub slot: u32,
    /// The program's configuration of contexts; see [`TeamConfig`].
    pub config: TeamConfig,
    /// The program's handle.
    pub handle: NonNull<TeamHandle>,
    /// The barrier group: what its members have done together so far.
    pub group: TeamCell,
}

impl Team {
    /// A team of which this PE is number `me`.
    pub(crate) fn new(
        members: TeamMembers,
        me: u32,
        slot: u32,
        config: TeamConfig,
        handle: NonNull<TeamHandle>,
        memory: &SymmetricMemory,
    ) -> Self {
        let windows = members.all().iter().map(|&pe| memory.windows[pe as usize]).collect();
        Self { members, me, windows, slot, config, handle, group: TeamCell::default() }
    }

    /// Makes the team visible to programs.
    pub(crate) fn show(&self) {
        // SAFETY: handles live as long as the process, and are made of atomics.
        let handle = unsafe { self.handle.as_ref() };
        handle.me.store(self.me as i32, Ordering::Release);
        handle.n_pes.store(self.members.len() as i32, Ordering::Release);
        handle.library.store(ptr::from_ref(self).cast_mut().cast(), Ordering::Release);
    }

    /// Removes a team that was split off, for this PE.
    ///
    /// # Safety
    /// A split made it, and neither it nor a context of it is in use any more.
    pub(crate) unsafe fn dissolve(team: NonNull<Self>) {
        // SAFETY: as the caller promises.
        let team = unsafe { Box::from_raw(team.as_ptr()) };
        // SAFETY: handles live as long as the process.
        let handle = unsafe { team.handle.as_ref() };
        handle.library.store(ptr::null_mut(), Ordering::Release);
        handle.me.store(-1, Ordering::Release);
        handle.n_pes.store(-1, Ordering::Release);
    }
}

/// The team of a handle; ends the job with the reason if there is none.
///
/// # Safety
/// `handle` is null or was made by this library.
#[must_use]
pub unsafe fn team(what: &str, handle: *const TeamHandle) -> &'static Team {
    if handle.is_null() {
        end(what, &Error::Team("SHMEM_TEAM_INVALID"));
    }
    // SAFETY: as the caller promises; handles live as long as the process.
    let library = unsafe { (*handle).library.load(Ordering::Acquire) };
    // SAFETY: a handle's object lives until it is destroyed, which clears the pointer.
    let found = unsafe { library.cast::<Team>().as_ref() };
    found.unwrap_or_else(|| end(what, &Error::Team("destroyed: shmem_team_destroy or shmem_finalize came before")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_are_found_both_ways() {
        for all in [vec![0, 1, 2, 3], vec![7], vec![9, 6, 3, 0], vec![4, 1, 8], vec![2, 4, 6]] {
            let members = TeamMembers::new(all.clone());
            assert_eq!(members.all(), &all[..]);
            for world in 0..12 {
                let expected = all.iter().position(|&member| member == world).map(|number| number as u32);
                assert_eq!(members.number(world), expected, "{world} of {all:?}");
            }
            assert_eq!(members.world(all.len() as u32), None);
        }
    }
}
