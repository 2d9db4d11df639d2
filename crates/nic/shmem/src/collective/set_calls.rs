//! The collectives of active sets, as C calls them: `include/philae/shmem_core.h`.
//!
//! A set of all PEs synchronises as the world does, through the world's slot, and leaves its
//! `pSync` alone. That takes one exchange of flags, where a `pSync`, which must have its initial
//! values again afterwards, takes four. This path needs that no PE has several threads that call at
//! the same time: two of them may have a `pSync` each, but the world has one slot.

use std::ffi::{c_char, c_int, c_long};
use std::sync::MutexGuard;

use crate::ending::end;
use crate::error::{self, Error};
use crate::log;
use crate::runtime::{Runtime, absent, runtime};

use super::active_set::{ActiveSetGroup, WORDS};
use super::barrier_group::BarrierGroup;
use super::calls::{both, parts, reduction, root_within, strided, symmetric};
use super::data::{self, Laid};
use super::membership::Membership;
use super::reduce::{self, ReduceArguments};
use super::team_group::TeamGroup;

/// An active set, as C passes it.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Set {
    start: c_int,
    log_stride: c_int,
    size: c_int,
}

/// The barrier group of an active set.
enum Gathering<'a> {
    /// Through the program's `pSync`.
    Set(ActiveSetGroup),
    /// All PEs, through the world's slot.
    World(MutexGuard<'a, TeamGroup>),
}

impl Gathering<'_> {
    fn barrier_group(&mut self) -> &mut dyn BarrierGroup {
        match self {
            Self::Set(barrier_group) => barrier_group,
            Self::World(barrier_group) => &mut **barrier_group,
        }
    }

    fn membership(&self) -> &Membership {
        match self {
            Self::Set(barrier_group) => barrier_group.membership(),
            Self::World(barrier_group) => barrier_group.membership(),
        }
    }

    /// See [`data::broadcast`]; does not write the root's target.
    unsafe fn broadcast(&mut self, target: usize, source: usize, bytes: usize, root: usize) -> Result<(), Error> {
        // SAFETY: as for the linked function.
        unsafe {
            match self {
                Self::Set(barrier_group) => data::broadcast(barrier_group, target, source, bytes, root, false),
                Self::World(barrier_group) => barrier_group.broadcast_from(target, source, bytes, root, false),
            }
        }
    }

    /// See [`data::collect`].
    unsafe fn collect(&mut self, target: usize, source: usize, bytes: usize) -> Result<(), Error> {
        // SAFETY: as for the linked function.
        unsafe {
            match self {
                Self::Set(barrier_group) => {
                    let result = data::collect(barrier_group, target, source, bytes);
                    barrier_group.wipe_board();
                    result
                }
                Self::World(barrier_group) => barrier_group.collect(target, source, bytes),
            }
        }
    }

    /// See [`data::fcollect`].
    unsafe fn fcollect(&mut self, target: usize, source: usize, bytes: usize) -> Result<(), Error> {
        // SAFETY: as for the linked function.
        unsafe {
            match self {
                Self::Set(barrier_group) => data::fcollect(barrier_group, target, source, bytes),
                Self::World(barrier_group) => barrier_group.fcollect(target, source, bytes),
            }
        }
    }

    /// See [`data::alltoall`].
    unsafe fn alltoall(&mut self, target: usize, source: usize, bytes: usize) -> Result<(), Error> {
        // SAFETY: as for the linked function.
        unsafe {
            match self {
                Self::Set(barrier_group) => data::alltoall(barrier_group, target, source, bytes),
                Self::World(barrier_group) => barrier_group.alltoall(target, source, bytes),
            }
        }
    }

    /// See [`reduce::reduce`].
    unsafe fn reduce(&mut self, what: ReduceArguments) -> Result<(), Error> {
        // SAFETY: as for the linked function.
        unsafe {
            match self {
                Self::Set(barrier_group) => reduce::reduce(barrier_group, what),
                Self::World(barrier_group) => barrier_group.reduce(what),
            }
        }
    }
}

/// Runs the collective of an active set; an error ends the job.
fn on_set(
    what: *const c_char,
    set: Set,
    sync: usize,
    collective: impl FnOnce(&Runtime, &mut Gathering<'_>, &'static str) -> Result<(), Error>,
) {
    // SAFETY: C gives the name of the function.
    let name = unsafe { error::name(what) };
    log::call(name, None);
    let result = (|| {
        let runtime = runtime().ok_or_else(absent)?;
        let wrong = |found: String| Error::Argument {
            what: "the active set",
            found,
            works: "PE_start + i * 2^logPE_stride are PEs of the world, for i below PE_size, and this PE is one of them",
        };
        let said = || format!("PE_start {}, logPE_stride {}, PE_size {}", set.start, set.log_stride, set.size);
        let stride =
            u32::try_from(set.log_stride).ok().and_then(|log| 1u64.checked_shl(log)).ok_or_else(|| wrong(said()))?;
        let (start, size) = (u64::try_from(set.start), u64::try_from(set.size));
        let (Ok(start), Ok(size @ 1..)) = (start, size) else {
            return Err(wrong(said()));
        };
        let last = (size - 1).checked_mul(stride).and_then(|span| span.checked_add(start));
        if last.is_none_or(|last| last >= u64::from(runtime.n_pes)) {
            return Err(wrong(format!("{} of a world of {}", said(), runtime.n_pes)));
        }
        let Some(me) = (0..size).find(|index| start + index * stride == u64::from(runtime.me)) else {
            return Err(wrong(format!("{}, without PE {}", said(), runtime.me)));
        };
        symmetric(runtime, "pSync", sync, Some(WORDS * size_of::<u64>()))?;
        if size == u64::from(runtime.n_pes) && !runtime.modes.threads && !runtime.modes.debug {
            return collective(runtime, &mut Gathering::World(super::enter(runtime, &runtime.objects.world)), name);
        }
        let pes = (0..size).map(|index| (start + index * stride) as u32);
        let membership = super::membership(runtime, pes, me as usize);
        // SAFETY: the array is symmetric. The program answers for its being initialised and not in
        // use.
        let barrier_group = unsafe { ActiveSetGroup::new(membership, sync, runtime.waits.means.clone()) };
        collective(runtime, &mut Gathering::Set(barrier_group), name)
    })();
    if let Err(error) = result {
        end(name, &error);
    }
}

/// `shmem_barrier` and `shmem_sync` of an active set.
#[unsafe(no_mangle)]
pub extern "C" fn philae_shmem_set_sync(what: *const c_char, set: Set, sync: usize, quiet_first: c_int) {
    on_set(what, set, sync, |runtime, barrier_group, name| {
        if quiet_first != 0 {
            crate::rma::complete(runtime, name);
        }
        barrier_group.barrier_group().sync()
    });
}

/// `shmem_broadcast32` and `shmem_broadcast64`.
#[unsafe(no_mangle)]
pub extern "C" fn philae_shmem_set_broadcast(
    what: *const c_char,
    set: Set,
    dest: usize,
    source: usize,
    count: usize,
    element_bytes: usize,
    root: c_int,
    sync: usize,
) {
    on_set(what, set, sync, |runtime, barrier_group, _| {
        let bytes = count.checked_mul(element_bytes);
        let root = root_within(root, barrier_group.membership().size())?;
        both(runtime, (dest, bytes), (source, bytes))?;
        // SAFETY: both are symmetric. The program answers for what else the call requires.
        unsafe { barrier_group.broadcast(dest, source, bytes.unwrap_or_default(), root) }
    });
}

/// `shmem_collect32` and `shmem_collect64`.
#[unsafe(no_mangle)]
pub extern "C" fn philae_shmem_set_collect(
    what: *const c_char,
    set: Set,
    dest: usize,
    source: usize,
    count: usize,
    element_bytes: usize,
    sync: usize,
) {
    on_set(what, set, sync, |runtime, barrier_group, _| {
        let bytes = count.checked_mul(element_bytes);
        both(runtime, (dest, bytes), (source, bytes))?;
        // SAFETY: as above.
        unsafe { barrier_group.collect(dest, source, bytes.unwrap_or_default()) }
    });
}

/// `shmem_fcollect32` and `shmem_fcollect64`.
#[unsafe(no_mangle)]
pub extern "C" fn philae_shmem_set_fcollect(
    what: *const c_char,
    set: Set,
    dest: usize,
    source: usize,
    count: usize,
    element_bytes: usize,
    sync: usize,
) {
    on_set(what, set, sync, |runtime, barrier_group, _| {
        let bytes = count.checked_mul(element_bytes);
        both(
            runtime,
            (dest, bytes.and_then(|bytes| bytes.checked_mul(barrier_group.membership().size()))),
            (source, bytes),
        )?;
        // SAFETY: as above.
        unsafe { barrier_group.fcollect(dest, source, bytes.unwrap_or_default()) }
    });
}

/// `shmem_alltoall32` and `shmem_alltoall64`.
#[unsafe(no_mangle)]
pub extern "C" fn philae_shmem_set_alltoall(
    what: *const c_char,
    set: Set,
    dest: usize,
    source: usize,
    count: usize,
    element_bytes: usize,
    sync: usize,
) {
    on_set(what, set, sync, |runtime, barrier_group, _| {
        let bytes = count.checked_mul(element_bytes);
        let all = bytes.and_then(|bytes| bytes.checked_mul(barrier_group.membership().size()));
        both(runtime, (dest, all), (source, all))?;
        // SAFETY: as above.
        unsafe { barrier_group.alltoall(dest, source, bytes.unwrap_or_default()) }
    });
}

/// `shmem_alltoalls32` and `shmem_alltoalls64`.
#[unsafe(no_mangle)]
pub extern "C" fn philae_shmem_set_alltoalls(
    what: *const c_char,
    set: Set,
    dest: usize,
    source: usize,
    dst: isize,
    sst: isize,
    count: usize,
    element_bytes: usize,
    sync: usize,
) {
    on_set(what, set, sync, |runtime, barrier_group, _| {
        let (blocks, target, from) = strided(barrier_group.membership().size(), dst, sst, count, element_bytes)?;
        both(runtime, (dest, target), (source, from))?;
        // SAFETY: as above.
        unsafe { data::alltoalls(barrier_group.barrier_group(), dest, source, blocks) }
    });
}

/// `shmem_*_to_all`.
#[unsafe(no_mangle)]
pub extern "C" fn philae_shmem_set_reduce(
    what: *const c_char,
    set: Set,
    dest: usize,
    source: usize,
    count: usize,
    element: c_int,
    op: c_int,
    sync: usize,
) {
    on_set(what, set, sync, |runtime, barrier_group, _| {
        let what = reduction(runtime, dest, source, count, element, op)?;
        // SAFETY: as above.
        unsafe { barrier_group.reduce(what) }
    });
}

/// `shmemx_alltoallv`.
#[unsafe(no_mangle)]
pub extern "C" fn philae_shmem_set_alltoallv(
    what: *const c_char,
    set: Set,
    target: usize,
    t_offsets: *const usize,
    t_sizes: *mut usize,
    source: usize,
    s_offsets: usize,
    s_sizes: usize,
    sync: usize,
) {
    on_set(what, set, sync, |runtime, barrier_group, _| {
        let parts = parts(runtime, barrier_group.membership().size(), s_offsets, s_sizes)?;
        // SAFETY: as above.
        unsafe {
            data::alltoallv(
                barrier_group.barrier_group(),
                target,
                source,
                parts,
                Laid::Apart { offsets: t_offsets, sizes: t_sizes },
            )
        }
    });
}

/// `shmemx_alltoallv_packed`.
#[unsafe(no_mangle)]
pub extern "C" fn philae_shmem_set_alltoallv_packed(
    what: *const c_char,
    set: Set,
    target: usize,
    target_len: usize,
    t_size: *mut usize,
    source: usize,
    s_offsets: usize,
    s_sizes: usize,
    sync: usize,
) {
    on_set(what, set, sync, |runtime, barrier_group, _| {
        let parts = parts(runtime, barrier_group.membership().size(), s_offsets, s_sizes)?;
        // SAFETY: as above.
        unsafe {
            data::alltoallv(
                barrier_group.barrier_group(),
                target,
                source,
                parts,
                Laid::Packed { room: target_len, total: t_size },
            )
        }
    });
}

/// C's `long`, of which a `pSync` consists, has the size of our words.
const _: () = assert!(size_of::<c_long>() == size_of::<u64>());
