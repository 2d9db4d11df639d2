//! The functions on teams that C calls.

use std::ffi::{c_char, c_int, c_long};
use std::ptr::{self, NonNull};

use crate::abi::TeamHandle;
use crate::ctx::ShmemContext;
use crate::ending::end;
use crate::error::{Error, name, say};
use crate::handles::new_team_handle;
use crate::memory::TEAM_SLOTS;
use crate::runtime::{Runtime, check};
use crate::team::{Team, TeamConfig, TeamMembers, team};
use crate::{collective, rma};

/// `shmem_team_get_config`: 0, or another value if there is no team, or `config` is null and
/// something is requested.
///
/// # Safety
/// `what` is a C string that stays valid; `handle` is null or was made by this library; `config` is
/// null or has room.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn philae_shmem_team_get_config(
    what: *const c_char,
    handle: *const TeamHandle,
    mask: c_long,
    config: *mut TeamConfig,
) -> c_int {
    // SAFETY: as the caller promises.
    let what = unsafe { name(what) };
    let _ = check(what);
    if handle.is_null() || mask & !NUM_CONTEXTS != 0 || mask != 0 && config.is_null() {
        return -1;
    }
    // SAFETY: as the caller promises.
    let team = unsafe { team(what, handle) };
    if mask & NUM_CONTEXTS != 0 {
        // SAFETY: as the caller promises; it is not null.
        unsafe { (*config).num_contexts = team.config.num_contexts };
    }
    0
}

/// `shmem_team_translate_pe`: the number in the second team, or -1.
///
/// # Safety
/// `what` is a C string that stays valid; the handles are null or were made by this library.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn philae_shmem_team_translate_pe(
    what: *const c_char,
    from: *const TeamHandle,
    pe: c_int,
    to: *const TeamHandle,
) -> c_int {
    // SAFETY: as the caller promises.
    let what = unsafe { name(what) };
    let _ = check(what);
    if from.is_null() || to.is_null() {
        return -1;
    }
    // SAFETY: as the caller promises.
    let (from, to) = unsafe { (team(what, from), team(what, to)) };
    let world = u32::try_from(pe).ok().and_then(|pe| from.members.world(pe));
    world.and_then(|world| to.members.number(world)).map_or(-1, |number| number as c_int)
}

/// `SHMEM_TEAM_NUM_CONTEXTS`. Source: OpenSHMEM 1.6; the number is ours. Status: published.
const NUM_CONTEXTS: i64 = 1;

/// The program's configuration; `None` if it has no meaning.
///
/// # Safety
/// `config` is null or a configuration.
unsafe fn configured(config: *const TeamConfig, mask: c_long) -> Option<TeamConfig> {
    if mask & !NUM_CONTEXTS != 0 || mask != 0 && config.is_null() {
        return None;
    }
    // SAFETY: as the caller promises; it is not null if `mask` requests anything.
    let found = if mask == 0 { TeamConfig::default() } else { unsafe { *config } };
    (found.num_contexts >= 0).then_some(found)
}

/// The result of a split.
enum Split {
    /// A team that this PE is in.
    Member(NonNull<TeamHandle>),
    /// This PE is in no new team.
    Other,
    /// Not possible, as all PEs of the parent know.
    Refused,
}

impl Split {
    /// Returns the result to the program.
    ///
    /// # Safety
    /// `made` has room for a handle.
    unsafe fn tell(self, made: *mut *mut TeamHandle) -> c_int {
        let (handle, code) = match self {
            Self::Member(handle) => (handle.as_ptr(), 0),
            Self::Other => (ptr::null_mut(), 0),
            Self::Refused => (ptr::null_mut(), -1),
        };
        // SAFETY: as the caller promises.
        unsafe { *made = handle };
        code
    }
}

/// Makes a team of `part`'s PEs (numbers of the world), if there is one. All PEs of the parent call
/// it, and all get the same verdict. `valid` is whether this PE's arguments make sense.
fn split(runtime: &Runtime, what: &str, parent: &Team, part: Option<Vec<u32>>, config: Option<TeamConfig>) -> Split {
    // The slots that are free on all PEs of the parent, and whether the arguments of all make
    // sense.
    let mut words = [0; TEAM_SLOTS / 64 + 1];
    let (slots, verdict) = words.split_at_mut(TEAM_SLOTS / 64);
    slots.copy_from_slice(&runtime.made().free_slots);
    verdict[0] = u64::from(config.is_some());
    agree(runtime, what, parent, &mut words);
    let (slots, verdict) = words.split_at(TEAM_SLOTS / 64);
    let Some(config) = config.filter(|_| verdict[0] != 0) else { return Split::Refused };
    let first = slots.iter().position(|&word| word != 0);
    let Some(slot) = first.map(|word| word as u32 * 64 + slots[word].trailing_zeros()) else {
        say(
            what,
            &format!(
                "{TEAM_SLOTS} teams exist already, including the predefined ones; shmem_team_destroy of one would work"
            ),
        );
        return Split::Refused;
    };
    let Some(members) = part else { return Split::Other };
    let members = TeamMembers::new(members);
    let Some(me) = members.number(runtime.me) else { return Split::Other };
    let handle = new_team_handle();
    let team = Box::new(Team::new(members, me, slot, config, handle, &runtime.memory));
    team.show();
    let mut made = runtime.made();
    made.free_slots[slot as usize / 64] &= !(1 << (slot % 64));
    made.teams.push(NonNull::from(Box::leak(team)));
    Split::Member(handle)
}

/// The AND of all members' words; ends the job on an error.
fn agree(runtime: &Runtime, what: &str, team: &Team, words: &mut [u64]) {
    if let Err(error) = collective::agree(runtime, team, words) {
        end(what, &error);
    }
}

/// The PEs of the world that a start, a stride and a size select in a parent.
fn strided(parent: &TeamMembers, start: c_int, stride: c_int, size: c_int) -> Option<Vec<u32>> {
    // A stride of 0 names the same PE every time, so it makes a team only of size 1.
    if size < 1 || stride == 0 && size > 1 {
        return None;
    }
    let number = |place: c_int| i64::from(start) + i64::from(place) * i64::from(stride);
    (0..size).map(|place| parent.world(u32::try_from(number(place)).ok()?)).collect()
}

/// `shmem_team_split_strided`: 0, or another value, on all PEs of the parent, if there is no team.
///
/// # Safety
/// `what` is a C string that stays valid; `parent` is null or was made by this library; `config` is
/// null or a configuration; `made` has room for a handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn philae_shmem_team_split_strided(
    what: *const c_char,
    parent: *const TeamHandle,
    start: c_int,
    stride: c_int,
    size: c_int,
    config: *const TeamConfig,
    mask: c_long,
    made: *mut *mut TeamHandle,
) -> c_int {
    // SAFETY: as the caller promises.
    let what = unsafe { name(what) };
    let runtime = check(what);
    if parent.is_null() {
        // SAFETY: as the caller promises.
        return unsafe { Split::Refused.tell(made) };
    }
    // SAFETY: as the caller promises.
    let (parent, config) = unsafe { (team(what, parent), configured(config, mask)) };
    let part = strided(&parent.members, start, stride, size);
    if part.is_none() && runtime.modes.debug {
        let last = parent.members.len() - 1;
        say(what, &format!("start {start}, stride {stride} and size {size} have PEs outside the parent, 0 to {last}"));
    }
    let config = config.filter(|_| part.is_some());
    // SAFETY: as the caller promises.
    unsafe { split(runtime, what, parent, part, config).tell(made) }
}

/// The PEs of a parent of `size` PEs whose coordinates equal those of `me` except on one axis. The
/// first axis counts fastest. `before` is the number of PEs in one step on the axis, `range` the
/// number of steps.
fn axis(size: u32, me: u32, before: u32, range: u32) -> Vec<u32> {
    let place = me / before % range;
    let first = me - place * before;
    (0..range)
        .map(|place| u64::from(first) + u64::from(place) * u64::from(before))
        .filter(|&number| number < u64::from(size))
        .map(|number| number as u32)
        .collect()
}

fn axis_team(
    runtime: &Runtime,
    what: &str,
    parent: &Team,
    (before, range): (u32, u32),
    config: Option<TeamConfig>,
) -> Split {
    let world = |number: u32| parent.members.world(number);
    let part = axis(parent.members.len(), parent.me, before, range).into_iter().map(world).collect();
    // The teams of one axis have no PE in common, so they can have the same slot.
    split(runtime, what, parent, part, config)
}

/// `shmem_team_split_2d`: 0, or another value if there are no teams.
///
/// # Safety
/// As [`philae_shmem_team_split_strided`], for two teams.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn philae_shmem_team_split_2d(
    what: *const c_char,
    parent: *const TeamHandle,
    xrange: c_int,
    xaxis_config: *const TeamConfig,
    xaxis_mask: c_long,
    xaxis_team: *mut *mut TeamHandle,
    yaxis_config: *const TeamConfig,
    yaxis_mask: c_long,
    yaxis_team: *mut *mut TeamHandle,
) -> c_int {
    // SAFETY: as the caller promises.
    let said = unsafe { name(what) };
    let runtime = check(said);
    if parent.is_null() || xrange < 1 {
        // SAFETY: as the caller promises.
        return unsafe { Split::Refused.tell(xaxis_team) + Split::Refused.tell(yaxis_team) };
    }
    // SAFETY: as the caller promises.
    let (found, of_x, of_y) =
        unsafe { (team(said, parent), configured(xaxis_config, xaxis_mask), configured(yaxis_config, yaxis_mask)) };
    let size = found.members.len();
    let xrange = (xrange as u32).min(size);
    let x = axis_team(runtime, said, found, (1, xrange), of_x);
    let y = axis_team(runtime, said, found, (xrange, size.div_ceil(xrange)), of_y);
    if let (Split::Refused, Split::Member(made)) | (Split::Member(made), Split::Refused) = (&x, &y) {
        // SAFETY: it was made just now, and is not in use.
        unsafe {
            philae_shmem_team_destroy(what, made.as_ptr());
            return Split::Refused.tell(xaxis_team) + Split::Refused.tell(yaxis_team);
        }
    }
    // SAFETY: as the caller promises.
    unsafe { x.tell(xaxis_team) + y.tell(yaxis_team) }
}

/// The vendor's split along three axes.
///
/// # Safety
/// As [`philae_shmem_team_split_strided`], for three teams.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn philae_shmem_team_split_3d(
    what: *const c_char,
    parent: *const TeamHandle,
    xrange: c_int,
    yrange: c_int,
    zrange: c_int,
    xaxis_team: *mut *mut TeamHandle,
    yaxis_team: *mut *mut TeamHandle,
    zaxis_team: *mut *mut TeamHandle,
) {
    // SAFETY: as the caller promises.
    let what = unsafe { name(what) };
    let runtime = check(what);
    if parent.is_null() {
        for made in [xaxis_team, yaxis_team, zaxis_team] {
            // SAFETY: as the caller promises.
            unsafe { Split::Refused.tell(made) };
        }
        return;
    }
    // SAFETY: as the caller promises.
    let parent = unsafe { team(what, parent) };
    let size = parent.members.len();
    let product = i64::from(xrange) * i64::from(yrange) * i64::from(zrange);
    if xrange < 1 || yrange < 1 || zrange < 1 || product < i64::from(size) {
        let found = format!("{xrange} x {yrange} x {zrange} = {product}");
        let works = "ranges of 1 and more whose product is the size of the parent, or more, would work";
        end(what, &Error::Argument { what: "the ranges' product", found, works });
    }
    let (x, y, z) = (xrange as u32, yrange as u32, zrange as u32);
    let axes = [((1, x), xaxis_team), ((x, y), yaxis_team), ((x.saturating_mul(y), z), zaxis_team)];
    for (axis, place) in axes {
        // SAFETY: as the caller promises.
        unsafe { axis_team(runtime, what, parent, axis, Some(TeamConfig::default())).tell(place) };
    }
}

/// Entries that one agreement passes to all. Source: an agreement's room, 8 words. Status: derived.
const WORDS_PER_AGREEMENT: usize = 8;

/// The vendor's split by colour: PEs of one colour make a team, in the order of their keys, then of
/// their numbers. A PE with a negative colour is in no team.
///
/// # Safety
/// As [`philae_shmem_team_split_strided`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn philae_shmem_team_split_color(
    what: *const c_char,
    parent: *const TeamHandle,
    color: c_int,
    key: c_int,
    made: *mut *mut TeamHandle,
) {
    // SAFETY: as the caller promises.
    let what = unsafe { name(what) };
    let runtime = check(what);
    if parent.is_null() {
        // SAFETY: as the caller promises.
        unsafe { Split::Refused.tell(made) };
        return;
    }
    // SAFETY: as the caller promises.
    let parent = unsafe { team(what, parent) };
    let own = u64::from(color as u32) << 32 | u64::from(key as u32);
    let mut all = vec![u64::MAX; parent.members.len() as usize];
    all[parent.me as usize] = own;
    // Only one PE sets a given word, and the others pass all ones, so the AND is that PE's word.
    all.chunks_mut(WORDS_PER_AGREEMENT).for_each(|words| agree(runtime, what, parent, words));
    let mut same: Vec<(i32, u32)> = Vec::new();
    for (number, word) in (0u32..).zip(&all) {
        if (word >> 32) as i32 == color {
            same.push((*word as u32 as i32, number));
        }
    }
    same.sort_unstable();
    let members = same.into_iter().map(|(_, number)| parent.members.world(number)).collect();
    let part = if color < 0 { None } else { members };
    // Teams of different colours have no PE in common.
    // SAFETY: the caller's promise.
    unsafe { split(runtime, what, parent, part, Some(TeamConfig::default())).tell(made) };
}

/// `shmem_team_destroy`: also destroys the contexts that were made from the team.
///
/// # Safety
/// `what` is a C string that stays valid; `handle` is null or was made by this library.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn philae_shmem_team_destroy(what: *const c_char, handle: *const TeamHandle) {
    // SAFETY: as the caller promises.
    let said = unsafe { name(what) };
    let runtime = check(said);
    if handle.is_null() {
        return;
    }
    // SAFETY: as the caller promises.
    let found = unsafe { team(said, handle) };
    if ptr::eq(found, &raw const *runtime.objects.world) || ptr::eq(found, &raw const *runtime.objects.shared) {
        end(said, &Error::Team("a predefined one, which only shmem_finalize destroys"));
    }
    if let Err(error) = collective::retire(runtime, found) {
        end(said, &error);
    }
    let (slot, found) = (found.slot, NonNull::from(found));
    let contexts = {
        let mut made = runtime.made();
        made.teams.retain(|&other| other != found);
        let (gone, stay) = made.contexts.drain(..).partition::<Vec<_>, _>(|context: &NonNull<ShmemContext>| {
            // SAFETY: contexts in the list are not destroyed yet.
            unsafe { context.as_ref() }.team == found
        });
        made.contexts = stay;
        gone
    };
    for context in contexts {
        // SAFETY: the context exists and ends with its team; its operations complete first.
        unsafe {
            rma::philae_shmem_quiet(what, context.as_ref().handle.as_ptr());
            ShmemContext::dissolve(context);
        }
    }
    // SAFETY: a split made it, and the program gives it up.
    unsafe { Team::dissolve(found) };
    runtime.made().free_slots[slot as usize / 64] |= 1 << (slot % 64);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn triplets_name_pes_of_the_parent_or_nothing() {
        let parent = TeamMembers::new(vec![10, 20, 30, 40, 50]);
        assert_eq!(strided(&parent, 0, 2, 3), Some(vec![10, 30, 50]));
        assert_eq!(strided(&parent, 4, -2, 3), Some(vec![50, 30, 10]));
        assert_eq!(strided(&parent, 2, 0, 1), Some(vec![30]));
        for (start, stride, size) in [(0, 2, 4), (-1, 1, 2), (0, 1, 0), (1, 0, 2), (5, 1, 1), (0, 1, -3), (4, -2, 4)] {
            assert_eq!(strided(&parent, start, stride, size), None, "{start} {stride} {size}");
        }
        assert_eq!(strided(&parent, 1, i32::MAX, 2), None);
    }

    #[test]
    fn axes_part_the_parent() {
        // 7 PEs in rows of 3: 0 1 2 / 3 4 5 / 6.
        assert_eq!(axis(7, 4, 1, 3), [3, 4, 5]);
        assert_eq!(axis(7, 6, 1, 3), [6]);
        assert_eq!(axis(7, 4, 3, 3), [1, 4]);
        assert_eq!(axis(7, 0, 3, 3), [0, 3, 6]);
        // 2 x 2 x 2, along the last axis.
        assert_eq!(axis(8, 5, 4, 2), [1, 5]);
    }
}
