//! Teams: ordered sets of PEs.

use std::ffi::{c_char, c_int, c_long};
use std::ptr::{self, NonNull};
use std::sync::atomic::Ordering;

use crate::abi::{TeamHandle, Way};
use crate::collective::{self, TeamCell};
use crate::ctx::Context;
use crate::error::{Error, end, name, say};
use crate::lifecycle::new_team_handle;
use crate::memory::{Memory, TEAM_SLOTS};
use crate::runtime::{Runtime, check};

/// PEs of the world, by their number in a team.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Members {
    world: Box<[u32]>,
    /// The difference of neighbours, where it is the same between all.
    stride: Option<i64>,
}

impl Members {
    /// In this order.
    #[must_use]
    pub fn new(world: Vec<u32>) -> Self {
        let step = |pair: &[u32]| i64::from(pair[1]) - i64::from(pair[0]);
        let stride = world.get(..2).map_or(1, step);
        let is_even = world.windows(2).all(|pair| step(pair) == stride);
        Self { world: world.into(), stride: is_even.then_some(stride) }
    }

    /// How many.
    #[must_use]
    pub fn len(&self) -> u32 {
        self.world.len() as u32
    }

    /// Whether there is nobody, which no team is.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.world.is_empty()
    }

    /// The PE of the world that has this number in the team.
    #[must_use]
    pub fn world(&self, number: u32) -> Option<u32> {
        self.world.get(number as usize).copied()
    }

    /// All, in their order.
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
    /// How many contexts the program means to make of it: advice.
    pub num_contexts: i32,
}

/// A team, as a PE that is in it has it.
#[derive(Debug)]
pub struct Team {
    /// Who is in it.
    pub members: Members,
    /// This PE's number in it.
    pub me: u32,
    /// Where the members' memory lies here, by their number in the team.
    pub ways: Box<[Way]>,
    /// The slot in the collective area of every member, the same with all.
    pub slot: u32,
    /// What the program said about contexts; see [`TeamConfig`].
    pub config: TeamConfig,
    /// What programs hold.
    pub handle: NonNull<TeamHandle>,
    /// What its members have done together so far.
    pub meeting: TeamCell,
}

impl Team {
    /// A team of which this PE is number `me`.
    pub(crate) fn new(
        members: Members,
        me: u32,
        slot: u32,
        config: TeamConfig,
        handle: NonNull<TeamHandle>,
        memory: &Memory,
    ) -> Self {
        let ways = members.all().iter().map(|&pe| memory.ways[pe as usize]).collect();
        Self { members, me, ways, slot, config, handle, meeting: TeamCell::default() }
    }

    /// Lets programs see it.
    pub(crate) fn show(&self) {
        // SAFETY: handles live as long as the process, and are made of atomics.
        let handle = unsafe { self.handle.as_ref() };
        handle.me.store(self.me as i32, Ordering::Release);
        handle.n_pes.store(self.members.len() as i32, Ordering::Release);
        handle.library.store(ptr::from_ref(self).cast_mut().cast(), Ordering::Release);
    }

    /// Takes a team that was split off away, for this PE.
    ///
    /// # Safety
    /// It was made so, and neither it nor a context of it is used any more.
    pub(crate) unsafe fn dissolve(team: NonNull<Self>) {
        // SAFETY: the caller's promise.
        let team = unsafe { Box::from_raw(team.as_ptr()) };
        // SAFETY: handles live as long as the process.
        let handle = unsafe { team.handle.as_ref() };
        handle.library.store(ptr::null_mut(), Ordering::Release);
        handle.me.store(-1, Ordering::Release);
        handle.n_pes.store(-1, Ordering::Release);
    }
}

/// The team of a handle, or the end of the job with the reason why there is none.
///
/// # Safety
/// `handle` is null or was made by this library.
#[must_use]
pub unsafe fn team(what: &str, handle: *const TeamHandle) -> &'static Team {
    if handle.is_null() {
        end(what, &Error::Team("SHMEM_TEAM_INVALID"));
    }
    // SAFETY: the caller's promise; handles live as long as the process.
    let library = unsafe { (*handle).library.load(Ordering::Acquire) };
    // SAFETY: what a handle points to lives until it is destroyed, which takes the pointer away.
    let found = unsafe { library.cast::<Team>().as_ref() };
    found.unwrap_or_else(|| end(what, &Error::Team("destroyed: shmem_team_destroy or shmem_finalize came before")))
}

/// `shmem_team_get_config`: 0, or another value where there is no team or no place for what is asked.
///
/// # Safety
/// `what` is a string of C that stays; `handle` is null or was made by this library; `config` is null or a place.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn philae_shmem_team_get_config(
    what: *const c_char,
    handle: *const TeamHandle,
    mask: c_long,
    config: *mut TeamConfig,
) -> c_int {
    // SAFETY: the caller's promise.
    let what = unsafe { name(what) };
    let _ = check(what);
    if handle.is_null() || mask & !NUM_CONTEXTS != 0 || mask != 0 && config.is_null() {
        return -1;
    }
    // SAFETY: the caller's promise.
    let team = unsafe { team(what, handle) };
    if mask & NUM_CONTEXTS != 0 {
        // SAFETY: the caller's promise; it is not null.
        unsafe { (*config).num_contexts = team.config.num_contexts };
    }
    0
}

/// `shmem_team_translate_pe`: the number in the second team, or -1.
///
/// # Safety
/// `what` is a string of C that stays; the handles are null or were made by this library.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn philae_shmem_team_translate_pe(
    what: *const c_char,
    from: *const TeamHandle,
    pe: c_int,
    to: *const TeamHandle,
) -> c_int {
    // SAFETY: the caller's promise.
    let what = unsafe { name(what) };
    let _ = check(what);
    if from.is_null() || to.is_null() {
        return -1;
    }
    // SAFETY: the caller's promise.
    let (from, to) = unsafe { (team(what, from), team(what, to)) };
    let world = u32::try_from(pe).ok().and_then(|pe| from.members.world(pe));
    world.and_then(|world| to.members.number(world)).map_or(-1, |number| number as c_int)
}

/// `SHMEM_TEAM_NUM_CONTEXTS`. Source: OpenSHMEM 1.6; the number is ours. Status: published.
const NUM_CONTEXTS: i64 = 1;

/// The configuration that a program gives; nothing where it has no meaning.
///
/// # Safety
/// `config` is null or a configuration.
unsafe fn configured(config: *const TeamConfig, mask: c_long) -> Option<TeamConfig> {
    if mask & !NUM_CONTEXTS != 0 || mask != 0 && config.is_null() {
        return None;
    }
    // SAFETY: the caller's promise; where something is asked for it is not null.
    let found = if mask == 0 { TeamConfig::default() } else { unsafe { *config } };
    (found.num_contexts >= 0).then_some(found)
}

/// What a split comes to.
enum Split {
    /// A team that this PE is in.
    Member(NonNull<TeamHandle>),
    /// A team of others, or none at all.
    Other,
    /// It cannot be, and all of the parent know.
    Refused,
}

impl Split {
    /// What the program is told.
    ///
    /// # Safety
    /// `made` is a place for a handle.
    unsafe fn tell(self, made: *mut *mut TeamHandle) -> c_int {
        let (handle, code) = match self {
            Self::Member(handle) => (handle.as_ptr(), 0),
            Self::Other => (ptr::null_mut(), 0),
            Self::Refused => (ptr::null_mut(), -1),
        };
        // SAFETY: the caller's promise.
        unsafe { *made = handle };
        code
    }
}

/// Makes a team of `part`'s PEs (numbers of the world), if there is one; all of the parent call it. Every PE of the parent
/// has the same verdict: `valid` is whether this one's arguments make sense.
fn split(runtime: &Runtime, what: &str, parent: &Team, part: Option<Vec<u32>>, config: Option<TeamConfig>) -> Split {
    // The slots that are free with all of the parent, and whether all of them ask for something that can be.
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
                "{TEAM_SLOTS} teams are there already, the predefined ones among them; shmem_team_destroy makes room"
            ),
        );
        return Split::Refused;
    };
    let Some(members) = part else { return Split::Other };
    let members = Members::new(members);
    let Some(me) = members.number(runtime.me) else { return Split::Other };
    let handle = new_team_handle();
    let team = Box::new(Team::new(members, me, slot, config, handle, &runtime.memory));
    team.show();
    let mut made = runtime.made();
    made.free_slots[slot as usize / 64] &= !(1 << (slot % 64));
    made.teams.push(NonNull::from(Box::leak(team)));
    Split::Member(handle)
}

/// The AND of all members' words, or the end of the job.
fn agree(runtime: &Runtime, what: &str, team: &Team, words: &mut [u64]) {
    if let Err(error) = collective::agree(runtime, team, words) {
        end(what, &error);
    }
}

/// The PEs of the world that a triplet means, in a parent.
fn strided(parent: &Members, start: c_int, stride: c_int, size: c_int) -> Option<Vec<u32>> {
    // A stride of 0 names one PE, however often: it is a team only where that is once.
    if size < 1 || stride == 0 && size > 1 {
        return None;
    }
    let number = |place: c_int| i64::from(start) + i64::from(place) * i64::from(stride);
    (0..size).map(|place| parent.world(u32::try_from(number(place)).ok()?)).collect()
}

/// `shmem_team_split_strided`: 0, or another value where there is no team, with all of the parent.
///
/// # Safety
/// `what` is a string of C that stays; `parent` is null or was made by this library; `config` is null or a configuration;
/// `made` is a place for a handle.
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
    // SAFETY: the caller's promise.
    let what = unsafe { name(what) };
    let runtime = check(what);
    if parent.is_null() {
        // SAFETY: the caller's promise.
        return unsafe { Split::Refused.tell(made) };
    }
    // SAFETY: the caller's promise.
    let (parent, config) = unsafe { (team(what, parent), configured(config, mask)) };
    let part = strided(&parent.members, start, stride, size);
    if part.is_none() && runtime.debug {
        let last = parent.members.len() - 1;
        say(
            what,
            &format!(
                "start {start}, stride {stride} and size {size} name PEs that the parent, 0 to {last}, does not have"
            ),
        );
    }
    let config = config.filter(|_| part.is_some());
    // SAFETY: the caller's promise.
    unsafe { split(runtime, what, parent, part, config).tell(made) }
}

/// The PEs of a parent, of `size`, that share every place with `me` but that on one axis. Places count by axis, the first
/// one fastest; `before` is how many PEs one step on the axis is, `range` how many steps there are.
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
    // The teams of one axis have no PE in common: they can have the same slot.
    split(runtime, what, parent, part, config)
}

/// `shmem_team_split_2d`: 0, or another value where there are no teams.
///
/// # Safety
/// As [`philae_shmem_team_split_strided`], of two.
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
    // SAFETY: the caller's promise.
    let said = unsafe { name(what) };
    let runtime = check(said);
    if parent.is_null() || xrange < 1 {
        // SAFETY: the caller's promise.
        return unsafe { Split::Refused.tell(xaxis_team) + Split::Refused.tell(yaxis_team) };
    }
    // SAFETY: the caller's promise.
    let (found, of_x, of_y) =
        unsafe { (team(said, parent), configured(xaxis_config, xaxis_mask), configured(yaxis_config, yaxis_mask)) };
    let size = found.members.len();
    let xrange = (xrange as u32).min(size);
    let x = axis_team(runtime, said, found, (1, xrange), of_x);
    let y = axis_team(runtime, said, found, (xrange, size.div_ceil(xrange)), of_y);
    if let (Split::Refused, Split::Member(made)) | (Split::Member(made), Split::Refused) = (&x, &y) {
        // SAFETY: made just now; nobody else has it.
        unsafe {
            philae_shmem_team_destroy(what, made.as_ptr());
            return Split::Refused.tell(xaxis_team) + Split::Refused.tell(yaxis_team);
        }
    }
    // SAFETY: the caller's promise.
    unsafe { x.tell(xaxis_team) + y.tell(yaxis_team) }
}

/// The vendor's split along three axes.
///
/// # Safety
/// As [`philae_shmem_team_split_strided`], of three.
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
    // SAFETY: the caller's promise.
    let what = unsafe { name(what) };
    let runtime = check(what);
    if parent.is_null() {
        for made in [xaxis_team, yaxis_team, zaxis_team] {
            // SAFETY: the caller's promise.
            unsafe { Split::Refused.tell(made) };
        }
        return;
    }
    // SAFETY: the caller's promise.
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
        // SAFETY: the caller's promise.
        unsafe { axis_team(runtime, what, parent, axis, Some(TeamConfig::default())).tell(place) };
    }
}

/// Entries that are told to all in one agreement. Source: an agreement's room, 8 words. Status: derived.
const AT_ONCE: usize = 8;

/// The vendor's split by colour: PEs of one colour make a team, in the order of their keys, then of their numbers. A negative
/// colour is none.
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
    // SAFETY: the caller's promise.
    let what = unsafe { name(what) };
    let runtime = check(what);
    if parent.is_null() {
        // SAFETY: the caller's promise.
        unsafe { Split::Refused.tell(made) };
        return;
    }
    // SAFETY: the caller's promise.
    let parent = unsafe { team(what, parent) };
    let own = u64::from(color as u32) << 32 | u64::from(key as u32);
    let mut all = vec![u64::MAX; parent.members.len() as usize];
    all[parent.me as usize] = own;
    // What only one PE has said is what the AND of all comes to.
    all.chunks_mut(AT_ONCE).for_each(|words| agree(runtime, what, parent, words));
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

/// `shmem_team_destroy`: the contexts that were made of it go with it.
///
/// # Safety
/// `what` is a string of C that stays; `handle` is null or was made by this library.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn philae_shmem_team_destroy(what: *const c_char, handle: *const TeamHandle) {
    // SAFETY: the caller's promise.
    let said = unsafe { name(what) };
    let runtime = check(said);
    if handle.is_null() {
        return;
    }
    // SAFETY: the caller's promise.
    let found = unsafe { team(said, handle) };
    if ptr::eq(found, &raw const *runtime.world) || ptr::eq(found, &raw const *runtime.shared) {
        end(said, &Error::Team("a predefined one, which shmem_finalize alone destroys"));
    }
    if let Err(error) = collective::retire(runtime, found) {
        end(said, &error);
    }
    let (slot, found) = (found.slot, NonNull::from(found));
    let contexts = {
        let mut made = runtime.made();
        made.teams.retain(|&other| other != found);
        let (gone, stay) = made.contexts.drain(..).partition::<Vec<_>, _>(|context: &NonNull<Context>| {
            // SAFETY: contexts in the list were not destroyed.
            unsafe { context.as_ref() }.team == found
        });
        made.contexts = stay;
        gone
    };
    for context in contexts {
        // SAFETY: it was made, and goes with its team; what was begun on it is completed first.
        unsafe {
            crate::rma::philae_shmem_quiet(what, context.as_ref().handle.as_ptr());
            Context::dissolve(context);
        }
    }
    // SAFETY: it was split off, and the program gives it up.
    unsafe { Team::dissolve(found) };
    runtime.made().free_slots[slot as usize / 64] |= 1 << (slot % 64);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_are_found_both_ways() {
        for all in [vec![0, 1, 2, 3], vec![7], vec![9, 6, 3, 0], vec![4, 1, 8], vec![2, 4, 6]] {
            let members = Members::new(all.clone());
            assert_eq!(members.all(), &all[..]);
            for world in 0..12 {
                let expected = all.iter().position(|&member| member == world).map(|number| number as u32);
                assert_eq!(members.number(world), expected, "{world} of {all:?}");
            }
            assert_eq!(members.world(all.len() as u32), None);
        }
    }

    #[test]
    fn triplets_name_pes_of_the_parent_or_nothing() {
        let parent = Members::new(vec![10, 20, 30, 40, 50]);
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
        // 2 x 2 x 2, along the last.
        assert_eq!(axis(8, 5, 4, 2), [1, 5]);
    }
}
