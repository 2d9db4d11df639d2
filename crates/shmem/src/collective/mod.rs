//! What all members of a team do together: meet, hand out, gather, exchange, reduce.
//!
//! | module | what it has |
//! |---|---|
//! | `roll` | who takes part, and where their memory lies |
//! | `meeting` | how they wait for each other: what every algorithm is made of |
//! | `team_meeting`, `slot` | teams: flags and small data in the collective area |
//! | `active_set` | active sets: the program's `pSync` |
//! | `data`, `reduce`, `kernel` | the algorithms for data of any size |
//! | `team_calls` | teams' choice between those and small data in one step |
//! | `watch` | the debug mode |
//! | `crowd` | whether PEs outnumber processors |
//! | `far` | what is asked of the way to other hosts |
//! | `calls`, `set_calls` | what C calls |

pub mod active_set;
mod calls;
mod crowd;
pub mod data;
pub mod far;
pub mod kernel;
pub mod meeting;
pub mod reduce;
pub mod roll;
mod set_calls;
pub mod slot;
mod team_calls;
pub mod team_meeting;
pub mod watch;

#[cfg(test)]
mod tests;

use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use crate::abi::CONTROL_BYTES;
use crate::error::Error;
use crate::memory::{LAST_SLOT, Memory, WORLD_SLOT};
use crate::near::wait::{Patience, SlowPart, Waiting};
use crate::runtime::Runtime;
use crate::team::Team;

pub use team_meeting::{Means, TeamMeeting};

use far::FarTransport;
use meeting::Meeting;
use roll::{Home, Place, Roll};

/// A team's meeting, which begins with its first collective.
#[derive(Debug, Default)]
pub struct TeamCell(OnceLock<Mutex<TeamMeeting>>);

/// Tells the PEs of this host what [`means`] asks for. All PEs of the job meet before they use that.
pub fn introduce(memory: &Memory, me: u32) {
    if let Some(area) = memory.collective(me) {
        // SAFETY: the area is this PE's own and mapped, and the others look after the PEs have met.
        unsafe { crowd::publish(area as usize) };
    }
}

/// What the meetings of a PE have in common; nothing where `memory` does not map this PE's own.
#[must_use]
pub fn means(
    memory: &Memory,
    me: u32,
    near: &[u32],
    slow: Arc<dyn SlowPart>,
    far: Option<Arc<dyn FarTransport>>,
    debug: bool,
) -> Option<Means> {
    let areas: Vec<usize> = near.iter().filter_map(|&pe| memory.collective(pe)).map(|area| area as usize).collect();
    // SAFETY: the areas are mapped as long as the memory is.
    let crowded = unsafe { crowd::is_crowded(&areas) };
    let patience = if crowded { Patience::CROWDED } else { Patience::ROOMY };
    // SAFETY: so is the control page.
    let waiting = unsafe { Waiting::new(memory.control(me)?, patience, slow) };
    Some(Means { waiting, far, crowded, debug })
}

/// The home of this PE.
pub(crate) fn home(memory: &Memory) -> Home {
    Home { segment: memory.segment(), control: memory.heap.start - CONTROL_BYTES }
}

/// The roll of PEs of the world, this PE at number `me` of them.
fn roll(runtime: &Runtime, pes: impl Iterator<Item = u32>, me: usize) -> Roll {
    let places: Vec<Place> =
        pes.map(|pe| Place { pe, way: runtime.memory.ways[pe as usize], host: runtime.hosts[pe as usize] }).collect();
    Roll::new(me, &places, home(&runtime.memory))
}

/// The meeting of a team, for one collective of this PE.
fn enter<'a>(runtime: &Runtime, team: &'a Team) -> MutexGuard<'a, TeamMeeting> {
    let make = || {
        let roll = roll(runtime, team.members.all().iter().copied(), team.me as usize);
        let mut means = runtime.means.clone();
        // While all PEs are in collectives of the world, other threads of theirs can end none of these.
        means.waiting.is_all |= team.slot == WORLD_SLOT;
        // SAFETY: the memory is mapped as long as the runtime is there; a slot is zero from one team to the next.
        Mutex::new(unsafe { TeamMeeting::new(roll, team.slot, means) })
    };
    team.meeting.0.get_or_init(make).lock().unwrap_or_else(PoisonError::into_inner)
}

/// Waits until all members are here. What they stored before in memory of this host is seen by all.
///
/// # Errors
/// A PE of the job has died, or the NIC cannot.
pub fn sync(runtime: &Runtime, team: &Team) -> Result<(), Error> {
    enter(runtime, team).sync()
}

/// Waits until all PEs are at their end: in `shmem_finalize`, or at their exit without it. No other collective is taken for it.
///
/// # Errors
/// As [`sync`]; in debug mode that a PE is in another collective.
pub fn sync_last(runtime: &Runtime) -> Result<(), Error> {
    let roll = roll(runtime, 0..runtime.n_pes, runtime.me as usize);
    // SAFETY: the memory is mapped as long as the runtime is there; the slot is used here alone, once.
    let mut meeting = unsafe { TeamMeeting::new(roll, LAST_SLOT, runtime.means.clone()) };
    meeting.check(&watch::Call::new("shmem_finalize", watch::NO_ROOT, 0, 0))?;
    meeting.sync()
}

/// The bitwise AND of every member's words, with all of them.
///
/// # Errors
/// A PE of the job has died, or the NIC cannot.
pub fn agree(runtime: &Runtime, team: &Team, words: &mut [u64]) -> Result<(), Error> {
    enter(runtime, team).agree(words)
}

/// All members meet for the last time; then this PE's slot is as it was before the team, and may go to another.
///
/// # Errors
/// A PE of the job has died, or the NIC cannot.
pub fn retire(runtime: &Runtime, team: &Team) -> Result<(), Error> {
    enter(runtime, team).retire()
}
