//! Collectives: what all members of a team do together. They synchronise, broadcast, collect,
//! exchange and reduce.
//!
//! | module | what it has |
//! |---|---|
//! | `membership` | the members, and where their memory lies |
//! | `barrier_group` | barrier groups: how members wait for each other, the basis of every algorithm |
//! | `team_group`, `slot` | teams: flags and small data in the collective area |
//! | `active_set` | active sets: the program's `pSync` |
//! | `data`, `reduce`, `kernel` | the algorithms for data of any size |
//! | `team_calls` | the choice, for teams, between those and small data in one step |
//! | `watch` | the debug mode |
//! | `oversubscription` | oversubscription: whether PEs outnumber processors |
//! | `remote` | what collectives need from the path to other hosts |
//! | `calls`, `set_calls` | the functions that C calls |

pub mod active_set;
pub mod barrier_group;
mod calls;
pub mod data;
pub mod kernel;
pub mod membership;
mod oversubscription;
pub mod reduce;
pub mod remote;
mod set_calls;
pub mod slot;
mod team_calls;
pub mod team_group;
pub mod watch;

#[cfg(test)]
mod tests;

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::abi::CONTROL_BYTES;
use crate::error::Error;
use crate::local::wait::{PollCounts, SlowPart, WaitMethod};
use crate::memory::{LAST_SLOT, SymmetricMemory, WORLD_SLOT};
use crate::runtime::Runtime;
use crate::team::Team;

pub use team_group::{Means, TeamCell, TeamGroup};

use barrier_group::BarrierGroup;
use membership::{Home, Membership, TeamMember};
use remote::RemoteTransport;

/// Publishes to the PEs of this host what [`means`] needs. All PEs of the job synchronise before
/// they use it.
pub fn introduce(memory: &SymmetricMemory, me: u32) {
    if let Some(area) = memory.collective(me) {
        // SAFETY: the area is this PE's own and mapped, and the other PEs read it only after all
        // have synchronised.
        unsafe { oversubscription::publish(area as usize) };
    }
}

/// What all barrier groups of a PE have in common; `None` if `memory` does not map this PE's own
/// memory.
#[must_use]
pub fn means(
    memory: &SymmetricMemory,
    me: u32,
    local: &[u32],
    slow: Arc<dyn SlowPart>,
    remote: Option<Arc<dyn RemoteTransport>>,
    debug: bool,
) -> Option<Means> {
    let areas: Vec<usize> = local.iter().filter_map(|&pe| memory.collective(pe)).map(|area| area as usize).collect();
    // SAFETY: the areas are mapped as long as the memory is.
    let oversubscribed = unsafe { oversubscription::is_oversubscribed(&areas) };
    let patience = if oversubscribed { PollCounts::OVERSUBSCRIBED } else { PollCounts::DEDICATED };
    // SAFETY: the control page is mapped as long, too.
    let waiting = unsafe { WaitMethod::new(memory.control(me)?, patience, slow) };
    Some(Means { waiting, remote, oversubscribed, debug })
}

/// Where this PE's own memory lies.
pub(crate) fn home(memory: &SymmetricMemory) -> Home {
    Home { segment: memory.segment(), control: memory.heap.start - CONTROL_BYTES }
}

/// The membership of PEs of the world, of which this PE is number `me`.
fn membership(runtime: &Runtime, pes: impl Iterator<Item = u32>, me: usize) -> Membership {
    let places: Vec<TeamMember> = pes
        .map(|pe| TeamMember {
            pe,
            window: runtime.memory.windows[pe as usize],
            host: runtime.hosts.first[pe as usize],
        })
        .collect();
    Membership::new(me, &places, home(&runtime.memory))
}

/// Locks the barrier group of a team, for one collective of this PE.
fn enter<'a>(runtime: &Runtime, team: &'a Team) -> MutexGuard<'a, TeamGroup> {
    let make = || {
        let membership = membership(runtime, team.members.all().iter().copied(), team.me as usize);
        let mut means = runtime.waits.means.clone();
        // While all PEs are in collectives of the world, no other thread of theirs can end one of
        // these waits.
        means.waiting.is_all |= team.slot == WORLD_SLOT;
        // SAFETY: the memory is mapped as long as the runtime exists, and a slot is zero between
        // two teams.
        Mutex::new(unsafe { TeamGroup::new(membership, team.slot, means) })
    };
    team.group.get_or_init(make).lock().unwrap_or_else(PoisonError::into_inner)
}

/// Waits until all members have arrived. Their earlier stores to memory of this host are visible to
/// all.
///
/// # Errors
/// A PE of the job has died, or the NIC reports an error.
pub fn sync(runtime: &Runtime, team: &Team) -> Result<(), Error> {
    enter(runtime, team).sync()
}

/// Waits until all PEs are at their end: in `shmem_finalize`, or exiting without it. This barrier
/// has a slot of its own, so that it is not mistaken for another collective.
///
/// # Errors
/// As [`sync`]; in debug mode also that a PE is in another collective.
pub fn sync_last(runtime: &Runtime) -> Result<(), Error> {
    let membership = membership(runtime, 0..runtime.n_pes, runtime.me as usize);
    // SAFETY: the memory is mapped as long as the runtime exists; only this call uses the slot,
    // once.
    let mut barrier_group = unsafe { TeamGroup::new(membership, LAST_SLOT, runtime.waits.means.clone()) };
    barrier_group.check(&watch::ComparedCall::new("shmem_finalize", watch::NO_ROOT, 0, 0))?;
    barrier_group.sync()
}

/// Computes the bitwise AND of the words of all members; each gets the result.
///
/// # Errors
/// A PE of the job has died, or the NIC reports an error.
pub fn agree(runtime: &Runtime, team: &Team, words: &mut [u64]) -> Result<(), Error> {
    enter(runtime, team).agree(words)
}

/// The last barrier of a team. Then this PE's slot is zero again, and another team may use it.
///
/// # Errors
/// A PE of the job has died, or the NIC reports an error.
pub fn retire(runtime: &Runtime, team: &Team) -> Result<(), Error> {
    enter(runtime, team).retire()
}
