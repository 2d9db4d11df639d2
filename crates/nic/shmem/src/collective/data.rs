//! Broadcast, collect and all-to-all, for teams and active sets, within a host and across hosts.
//!
//! Within a host each PE reads the sources of the others and writes only its own target. The
//! sources are ready after a first barrier and may change after a second one. Across hosts a
//! leader's target receives what comes from other hosts, once for all PEs of its host.

use crate::error::Error;

use super::barrier_group::{BarrierGroup, deliver, fetch};

/// Copies `bytes` bytes from `source` of `root` to `target` of all other members, and also to the
/// root's own target if `root_too`.
///
/// # Safety
/// Both are symmetric with `bytes` bytes and do not overlap.
///
/// # Errors
/// A PE of the job has died, or the NIC reports an error.
pub unsafe fn broadcast(
    barrier_group: &mut dyn BarrierGroup,
    target: usize,
    source: usize,
    bytes: usize,
    root: usize,
    root_too: bool,
) -> Result<(), Error> {
    barrier_group.sync()?;
    let (me, is_local) = (barrier_group.membership().me(), barrier_group.membership().is_local());
    // SAFETY: as the caller promises, for all of this.
    unsafe {
        if !is_local {
            if me == root {
                let membership = barrier_group.membership();
                let remote: Vec<usize> =
                    membership.leaders().iter().copied().filter(|&leader| !membership.has_local(leader)).collect();
                for leader in remote {
                    deliver(barrier_group, leader, target, source as *const u8, bytes)?;
                }
                barrier_group.quiet()?;
            }
            barrier_group.sync()?;
        }
        let from_root = barrier_group.membership().has_local(root);
        if me == root {
            if root_too && target != source {
                std::ptr::copy(source as *const u8, target as *mut u8, bytes);
            }
        } else if from_root {
            fetch(barrier_group, root, target as *mut u8, source, bytes)?;
        } else if !barrier_group.membership().leads() {
            fetch(barrier_group, barrier_group.membership().leader(), target as *mut u8, target, bytes)?;
        }
    }
    barrier_group.local_sync()
}

/// Concatenates the blocks of all members. The block of `rank` has `block(rank)` bytes and begins
/// at `offset(rank)`.
///
/// # Safety
/// `source` is symmetric with this PE's block, and `target` with all blocks; they do not overlap.
/// All members call with the same two functions.
unsafe fn concatenate(
    barrier_group: &mut dyn BarrierGroup,
    target: usize,
    source: usize,
    block: &dyn Fn(usize) -> (usize, usize),
) -> Result<(), Error> {
    let (me, size, is_local) =
        (barrier_group.membership().me(), barrier_group.membership().size(), barrier_group.membership().is_local());
    // SAFETY: as the caller promises, for all of this.
    unsafe {
        if is_local {
            // Each PE begins with its own block, so that they do not all read the same block at the
            // same time.
            for rank in (me..size).chain(0..me) {
                let (offset, bytes) = block(rank);
                fetch(barrier_group, rank, (target + offset) as *mut u8, source, bytes)?;
            }
            return barrier_group.local_sync();
        }
        let (offset, bytes) = block(me);
        let own = barrier_group.membership().leader();
        let leaders: Vec<usize> = barrier_group.membership().leaders().to_vec();
        for leader in leaders {
            deliver(barrier_group, leader, target + offset, source as *const u8, bytes)?;
        }
        barrier_group.quiet()?;
        barrier_group.sync()?;
        if me != own {
            let (offset, bytes) = block(size - 1);
            fetch(barrier_group, own, target as *mut u8, target, offset + bytes)?;
        }
    }
    barrier_group.local_sync()
}

/// `shmem_fcollect`: concatenates `bytes` bytes of each member, by rank.
///
/// # Safety
/// `source` is symmetric with `bytes` bytes, and `target` with `bytes` times the number of members;
/// they do not overlap.
///
/// # Errors
/// A PE of the job has died, or the NIC reports an error.
pub unsafe fn fcollect(
    barrier_group: &mut dyn BarrierGroup,
    target: usize,
    source: usize,
    bytes: usize,
) -> Result<(), Error> {
    barrier_group.sync()?;
    // SAFETY: as the caller promises.
    unsafe { concatenate(barrier_group, target, source, &|rank| (rank * bytes, bytes)) }
}

/// `shmem_collect`: concatenates the members' bytes, by rank. Their numbers may differ.
///
/// # Safety
/// As for [`fcollect`], with the sum of the members' bytes.
///
/// # Errors
/// A PE of the job has died, or the NIC reports an error.
pub unsafe fn collect(
    barrier_group: &mut dyn BarrierGroup,
    target: usize,
    source: usize,
    bytes: usize,
) -> Result<(), Error> {
    let board = barrier_group.board();
    // SAFETY: the board is a word of this PE, and `counts` has one element for each member.
    let ends = unsafe {
        (board as *mut u64).write(bytes as u64);
        barrier_group.sync()?;
        let mut counts = vec![0u64; barrier_group.membership().size()];
        for (rank, count) in counts.iter_mut().enumerate() {
            fetch(barrier_group, rank, std::ptr::from_mut(count).cast(), board, size_of::<u64>())?;
        }
        barrier_group.quiet()?;
        let mut end = 0;
        counts
            .iter()
            .map(|&count| {
                end += count as usize;
                end
            })
            .collect::<Vec<usize>>()
    };
    let begin = |rank: usize| if rank == 0 { 0 } else { ends[rank - 1] };
    // SAFETY: as the caller promises. All members have the same counts, and have read the boards
    // before they synchronise in `concatenate`.
    unsafe { concatenate(barrier_group, target, source, &|rank| (begin(rank), ends[rank] - begin(rank))) }
}

/// `shmem_alltoall`: block `j` of PE `i` becomes block `i` of PE `j`; blocks have `bytes` bytes.
///
/// # Safety
/// Both are symmetric, with one block for each member, and do not overlap.
///
/// # Errors
/// A PE of the job has died, or the NIC reports an error.
pub unsafe fn alltoall(
    barrier_group: &mut dyn BarrierGroup,
    target: usize,
    source: usize,
    bytes: usize,
) -> Result<(), Error> {
    // SAFETY: as the caller promises; the elements of a block are contiguous.
    unsafe { alltoalls(barrier_group, target, source, Strided { target: 1, source: 1, count: 1, bytes }) }
}

/// The blocks of `shmem_alltoalls`.
#[derive(Clone, Copy, Debug)]
pub struct Strided {
    /// The stride in the target, in elements.
    pub target: usize,
    /// The stride in the source, in elements.
    pub source: usize,
    /// Elements in a block.
    pub count: usize,
    /// Bytes in an element.
    pub bytes: usize,
}

/// `shmem_alltoalls`.
///
/// # Safety
/// As for [`alltoall`], with the strides counted in.
///
/// # Errors
/// A PE of the job has died, or the NIC reports an error.
pub unsafe fn alltoalls(
    barrier_group: &mut dyn BarrierGroup,
    target: usize,
    source: usize,
    blocks: Strided,
) -> Result<(), Error> {
    let Strided { count, bytes, .. } = blocks;
    let (me, size) = (barrier_group.membership().me(), barrier_group.membership().size());
    let to = |block: usize, index: usize| target + (block * count + index) * blocks.target * bytes;
    let from = |block: usize, index: usize| source + (block * count + index) * blocks.source * bytes;
    // Blocks that are contiguous on both sides are copied in one piece.
    let whole = blocks.target == 1 && blocks.source == 1;
    let (pieces, piece) = if whole { (1, count * bytes) } else { (count, bytes) };
    barrier_group.sync()?;
    // SAFETY: as the caller promises, for all of this.
    unsafe {
        for rank in (me..size).chain(0..me) {
            let is_local = barrier_group.membership().has_local(rank);
            for index in 0..pieces {
                if is_local {
                    fetch(barrier_group, rank, to(rank, index) as *mut u8, from(me, index), piece)?;
                } else {
                    deliver(barrier_group, rank, to(me, index), from(rank, index) as *const u8, piece)?;
                }
            }
        }
    }
    barrier_group.quiet()?;
    barrier_group.sync()
}

/// The parts of `shmemx_alltoallv`: symmetric arrays, indexed by rank, in bytes.
#[derive(Clone, Copy, Debug)]
pub struct AlltoallvParts {
    /// The offset of each part in the source.
    pub offsets: usize,
    /// The size of each part.
    pub sizes: usize,
}

/// Where the received parts go.
#[derive(Clone, Copy, Debug)]
pub enum Laid {
    /// Each rank's part goes to an offset of its own, and its size is written. Both arrays are
    /// indexed by rank.
    Apart {
        /// The offset at which each part begins.
        offsets: *const usize,
        /// The size that each part turned out to have.
        sizes: *mut usize,
    },
    /// The parts go one after the other, by rank.
    Packed {
        /// The target's capacity in bytes.
        room: usize,
        /// The number of bytes received.
        total: *mut usize,
    },
}

/// `shmemx_alltoallv` and, packed, `shmemx_alltoallv_packed`.
///
/// # Safety
/// `source` and the arrays of `parts` are symmetric with what they describe. `target` and the
/// arrays of `laid` have room for it. None of them overlap.
///
/// # Errors
/// The received parts do not fit, and none is written; or a PE of the job has died, or the NIC
/// reports an error.
pub unsafe fn alltoallv(
    barrier_group: &mut dyn BarrierGroup,
    target: usize,
    source: usize,
    parts: AlltoallvParts,
    laid: Laid,
) -> Result<(), Error> {
    let (me, size) = (barrier_group.membership().me(), barrier_group.membership().size());
    barrier_group.sync()?;
    let mut coming = vec![[0usize; 2]; size];
    let word = me * size_of::<usize>();
    let mut fits = Ok(());
    // SAFETY: as the caller promises, for all of this.
    unsafe {
        for (rank, [offset, bytes]) in coming.iter_mut().enumerate() {
            fetch(barrier_group, rank, std::ptr::from_mut(offset).cast(), parts.offsets + word, size_of::<usize>())?;
            fetch(barrier_group, rank, std::ptr::from_mut(bytes).cast(), parts.sizes + word, size_of::<usize>())?;
        }
        barrier_group.quiet()?;
        let total: usize = coming.iter().map(|[_, bytes]| bytes).sum();
        let mut end = 0;
        let mut begins = Vec::with_capacity(size);
        for (rank, [_, bytes]) in coming.iter().enumerate() {
            begins.push(match laid {
                Laid::Apart { offsets, sizes } => {
                    sizes.add(rank).write(*bytes);
                    offsets.add(rank).read()
                }
                Laid::Packed { .. } => end,
            });
            end += bytes;
        }
        if let Laid::Packed { room, total: said } = laid {
            said.write(total);
            if total > room {
                fits = Err(Error::Argument {
                    what: "target_len",
                    found: format!("{room}, and {total} bytes come"),
                    works: "a target with space for all data of the other PEs",
                });
            }
        }
        if fits.is_ok() {
            for rank in (me..size).chain(0..me) {
                let [offset, bytes] = coming[rank];
                fetch(barrier_group, rank, (target + begins[rank]) as *mut u8, source + offset, bytes)?;
            }
            barrier_group.quiet()?;
        }
    }
    // The other members continue whether or not the parts fit here.
    barrier_group.sync()?;
    fits
}
