//! The collectives of teams, as C calls them: `include/philae/shmem_core.h`.

use std::ffi::{c_char, c_int};

use crate::abi::{TEAM_WORLD, TeamHandle};
use crate::ending::end;
use crate::error::{self, Error};
use crate::log;
use crate::runtime::{Runtime, absent, runtime};
use crate::team::Team;

use super::barrier_group::BarrierGroup;
use super::data::{AlltoallvParts, Laid, Strided};
use super::kernel::{Element, ReduceOperation};
use super::reduce::ReduceArguments;
use super::team_group::TeamGroup;
use super::watch::{ComparedCall, NO_ROOT};

/// What a team's collective returns if it fails. Source: OpenSHMEM 1.6: not 0. Status: published.
const FAILED: c_int = -1;

/// Runs a team's collective; an error ends the job. For `SHMEM_TEAM_INVALID` it does nothing.
fn on_team(
    what: *const c_char,
    handle: *const TeamHandle,
    collective: impl FnOnce(&Runtime, &mut TeamGroup, &'static str) -> Result<(), Error>,
) -> c_int {
    // SAFETY: C gives the name of the function.
    let name = unsafe { error::name(what) };
    log::call(name, None);
    let result = (|| {
        let runtime = runtime().ok_or_else(absent)?;
        // SAFETY: a handle is null, or this library made it and keeps it.
        let Some(handle) = (unsafe { handle.as_ref() }) else {
            return Ok(FAILED);
        };
        let team: *const Team = handle.library.load(std::sync::atomic::Ordering::Acquire).cast();
        // SAFETY: a destroyed team's handle has a null pointer.
        let team = unsafe { team.as_ref() }.ok_or(Error::Team("destroyed, or not created yet"))?;
        collective(runtime, &mut super::enter(runtime, team), name)?;
        Ok(0)
    })();
    result.unwrap_or_else(|error| end(name, &error))
}

/// In debug mode, compares this call with those of the other members.
fn check(barrier_group: &mut TeamGroup, name: &str, root: i64, bytes: usize, kind: u64) -> Result<(), Error> {
    if barrier_group.debugs() { barrier_group.check(&ComparedCall::new(name, root, bytes, kind)) } else { Ok(()) }
}

/// Checks that `bytes` bytes at `address` are symmetric. Zero bytes are symmetric at any address.
pub(super) fn symmetric(
    runtime: &Runtime,
    role: &'static str,
    address: usize,
    bytes: Option<usize>,
) -> Result<usize, Error> {
    let (heap, data) = (&runtime.memory.heap, &runtime.memory.data);
    let within = |range: &std::ops::Range<usize>| {
        bytes.and_then(|bytes| address.checked_add(bytes)).is_some_and(|end| address >= range.start && end <= range.end)
    };
    if bytes == Some(0) || within(heap) || within(data) {
        return Ok(address);
    }
    Err(Error::Address {
        role,
        address,
        bytes: bytes.unwrap_or(usize::MAX),
        pe: runtime.me as i32,
        heap: heap.clone(),
        data: data.clone(),
    })
}

/// Checks that target and source are symmetric, and in debug mode also that they do not overlap.
pub(super) fn both(
    runtime: &Runtime,
    (dest, written): (usize, Option<usize>),
    (source, read): (usize, Option<usize>),
) -> Result<(), Error> {
    symmetric(runtime, "dest", dest, written)?;
    symmetric(runtime, "source", source, read)?;
    if runtime.modes.debug {
        Error::unless_apart(dest, written.unwrap_or(0), source, read.unwrap_or(0))
    } else {
        Ok(())
    }
}

pub(super) fn reduction(
    runtime: &Runtime,
    target: usize,
    source: usize,
    count: usize,
    element: c_int,
    op: c_int,
) -> Result<ReduceArguments, Error> {
    let argument = |what, found: c_int, works| Error::Argument { what, found: found.to_string(), works };
    let operation = ReduceOperation::from_number(op)
        .ok_or_else(|| argument("the operation", op, "PHILAE_SHMEM_REDUCE_* are 0 to 6"))?;
    let element = Element::from_number(element)
        .ok_or_else(|| argument("the type", element, "PHILAE_SHMEM_I8 to C64 are 0 to 12"))?;
    if !operation.is_for(element) {
        return Err(argument(
            "the operation",
            op,
            "bitwise ones are for whole numbers, min and max not for complex ones",
        ));
    }
    let bytes = count.checked_mul(element.bytes());
    both(runtime, (target, bytes), (source, bytes))?;
    Ok(ReduceArguments { target, source, count, element, operation })
}

fn kind(element: c_int, op: c_int, more: c_int) -> u64 {
    0x1_0000 + element as u64 * 0x100 + op as u64 * 2 + more as u64
}

fn stride(what: &'static str, value: isize) -> Result<usize, Error> {
    usize::try_from(value).ok().filter(|&value| value >= 1).ok_or_else(|| Error::Argument {
        what,
        found: value.to_string(),
        works: "strides are 1 and more",
    })
}

/// The blocks for `members`, and the extents of target and source: the bytes from the first element
/// to the last.
pub(super) fn strided(
    members: usize,
    dst: isize,
    sst: isize,
    count: usize,
    bytes: usize,
) -> Result<(Strided, Option<usize>, Option<usize>), Error> {
    let blocks = Strided { target: stride("dst", dst)?, source: stride("sst", sst)?, count, bytes };
    let span = |stride: usize| match count.checked_mul(members)? {
        0 => Some(0),
        all => (all - 1).checked_mul(stride)?.checked_add(1)?.checked_mul(bytes),
    };
    Ok((blocks, span(blocks.target), span(blocks.source)))
}

pub(super) fn root_within(root: c_int, size: usize) -> Result<usize, Error> {
    usize::try_from(root).ok().filter(|&root| root < size).ok_or_else(|| Error::NoSuchPe {
        pe: root,
        among: "the team",
        last: size as u32 - 1,
    })
}

/// `shmem_barrier_all`.
#[unsafe(no_mangle)]
pub extern "C" fn philae_shmem_barrier_all(what: *const c_char) {
    on_team(what, &raw const TEAM_WORLD, |runtime, barrier_group, name| {
        crate::rma::complete(runtime, name);
        check(barrier_group, name, NO_ROOT, 0, 0)?;
        barrier_group.sync()
    });
}

/// `shmem_sync_all`.
#[unsafe(no_mangle)]
pub extern "C" fn philae_shmem_sync_all(what: *const c_char) {
    philae_shmem_team_sync(what, &raw const TEAM_WORLD);
}

/// `shmem_team_sync`.
#[unsafe(no_mangle)]
pub extern "C" fn philae_shmem_team_sync(what: *const c_char, team: *const TeamHandle) -> c_int {
    on_team(what, team, |_, barrier_group, name| {
        check(barrier_group, name, NO_ROOT, 0, 0)?;
        barrier_group.sync()
    })
}

/// `shmem_broadcast`.
#[unsafe(no_mangle)]
pub extern "C" fn philae_shmem_broadcast(
    what: *const c_char,
    team: *const TeamHandle,
    dest: usize,
    source: usize,
    count: usize,
    element_bytes: usize,
    root: c_int,
) -> c_int {
    on_team(what, team, |runtime, barrier_group, name| {
        let bytes = count.checked_mul(element_bytes);
        let root = root_within(root, barrier_group.membership().size())?;
        both(runtime, (dest, bytes), (source, bytes))?;
        let bytes = bytes.unwrap_or_default();
        check(barrier_group, name, root as i64, bytes, 0)?;
        // SAFETY: both are symmetric. The program answers for what else the call requires.
        unsafe { barrier_group.broadcast(dest, source, bytes, root) }
    })
}

/// `shmem_collect`.
#[unsafe(no_mangle)]
pub extern "C" fn philae_shmem_collect(
    what: *const c_char,
    team: *const TeamHandle,
    dest: usize,
    source: usize,
    count: usize,
    element_bytes: usize,
) -> c_int {
    on_team(what, team, |runtime, barrier_group, name| {
        let bytes = count.checked_mul(element_bytes);
        both(runtime, (dest, bytes), (source, bytes))?;
        check(barrier_group, name, NO_ROOT, 0, element_bytes as u64)?;
        // SAFETY: as in broadcast.
        unsafe { barrier_group.collect(dest, source, bytes.unwrap_or_default()) }
    })
}

/// `shmem_fcollect`.
#[unsafe(no_mangle)]
pub extern "C" fn philae_shmem_fcollect(
    what: *const c_char,
    team: *const TeamHandle,
    dest: usize,
    source: usize,
    count: usize,
    element_bytes: usize,
) -> c_int {
    on_team(what, team, |runtime, barrier_group, name| {
        let bytes = count.checked_mul(element_bytes);
        both(
            runtime,
            (dest, bytes.and_then(|bytes| bytes.checked_mul(barrier_group.membership().size()))),
            (source, bytes),
        )?;
        let bytes = bytes.unwrap_or_default();
        check(barrier_group, name, NO_ROOT, bytes, 0)?;
        // SAFETY: as in broadcast.
        unsafe { barrier_group.fcollect(dest, source, bytes) }
    })
}

/// `shmem_alltoall`.
#[unsafe(no_mangle)]
pub extern "C" fn philae_shmem_alltoall(
    what: *const c_char,
    team: *const TeamHandle,
    dest: usize,
    source: usize,
    count: usize,
    element_bytes: usize,
) -> c_int {
    on_team(what, team, |runtime, barrier_group, name| {
        let bytes = count.checked_mul(element_bytes);
        let all = bytes.and_then(|bytes| bytes.checked_mul(barrier_group.membership().size()));
        both(runtime, (dest, all), (source, all))?;
        let bytes = bytes.unwrap_or_default();
        check(barrier_group, name, NO_ROOT, bytes, 0)?;
        // SAFETY: as in broadcast.
        unsafe { barrier_group.alltoall(dest, source, bytes) }
    })
}

/// `shmem_alltoalls`.
#[unsafe(no_mangle)]
pub extern "C" fn philae_shmem_alltoalls(
    what: *const c_char,
    team: *const TeamHandle,
    dest: usize,
    source: usize,
    dst: isize,
    sst: isize,
    count: usize,
    element_bytes: usize,
) -> c_int {
    on_team(what, team, |runtime, barrier_group, name| {
        let (blocks, target, from) = strided(barrier_group.membership().size(), dst, sst, count, element_bytes)?;
        both(runtime, (dest, target), (source, from))?;
        check(barrier_group, name, NO_ROOT, count.saturating_mul(element_bytes), ((dst as u64) << 32) ^ sst as u64)?;
        // SAFETY: as in broadcast.
        unsafe { barrier_group.alltoalls(dest, source, blocks) }
    })
}

/// `shmemx_team_alltoallv`.
#[unsafe(no_mangle)]
pub extern "C" fn philae_shmem_alltoallv(
    what: *const c_char,
    team: *const TeamHandle,
    target: usize,
    t_offsets: *const usize,
    t_sizes: *mut usize,
    source: usize,
    s_offsets: usize,
    s_sizes: usize,
) -> c_int {
    on_team(what, team, |runtime, barrier_group, name| {
        let parts = parts(runtime, barrier_group.membership().size(), s_offsets, s_sizes)?;
        check(barrier_group, name, NO_ROOT, 0, 0)?;
        // SAFETY: as in broadcast.
        unsafe { barrier_group.alltoallv(target, source, parts, Laid::Apart { offsets: t_offsets, sizes: t_sizes }) }
    })
}

/// `shmemx_team_alltoallv_packed`.
#[unsafe(no_mangle)]
pub extern "C" fn philae_shmem_alltoallv_packed(
    what: *const c_char,
    team: *const TeamHandle,
    target: usize,
    target_len: usize,
    t_size: *mut usize,
    source: usize,
    s_offsets: usize,
    s_sizes: usize,
) -> c_int {
    on_team(what, team, |runtime, barrier_group, name| {
        let parts = parts(runtime, barrier_group.membership().size(), s_offsets, s_sizes)?;
        check(barrier_group, name, NO_ROOT, 0, 0)?;
        // SAFETY: as in broadcast.
        unsafe { barrier_group.alltoallv(target, source, parts, Laid::Packed { room: target_len, total: t_size }) }
    })
}

pub(super) fn parts(runtime: &Runtime, size: usize, offsets: usize, sizes: usize) -> Result<AlltoallvParts, Error> {
    let bytes = Some(size * size_of::<usize>());
    symmetric(runtime, "s_offsets", offsets, bytes)?;
    symmetric(runtime, "s_sizes", sizes, bytes)?;
    Ok(AlltoallvParts { offsets, sizes })
}

/// `shmem_*_reduce`.
#[unsafe(no_mangle)]
pub extern "C" fn philae_shmem_reduce(
    what: *const c_char,
    team: *const TeamHandle,
    dest: usize,
    source: usize,
    count: usize,
    element: c_int,
    op: c_int,
) -> c_int {
    on_team(what, team, |runtime, barrier_group, name| {
        let what = reduction(runtime, dest, source, count, element, op)?;
        check(barrier_group, name, NO_ROOT, what.bytes(), kind(element, op, 0))?;
        // SAFETY: as in broadcast.
        unsafe { barrier_group.reduce(what) }
    })
}

/// `shmem_*_inscan` and `shmem_*_exscan`.
#[unsafe(no_mangle)]
pub extern "C" fn philae_shmem_scan(
    what: *const c_char,
    team: *const TeamHandle,
    dest: usize,
    source: usize,
    count: usize,
    element: c_int,
    op: c_int,
    exclusive: c_int,
) -> c_int {
    on_team(what, team, |runtime, barrier_group, name| {
        let what = reduction(runtime, dest, source, count, element, op)?;
        check(barrier_group, name, NO_ROOT, what.bytes(), kind(element, op, 1))?;
        // SAFETY: as in broadcast.
        unsafe { barrier_group.scan(what, exclusive != 0) }
    })
}
