//! Broadcast, collect and all-to-all, for teams and active sets, on one host and across hosts.
//!
//! Within a host everybody reads what the others have, and writes to its own target alone: after one meeting sources are
//! there, after a second they may change. Across hosts a leader's target takes what comes from other hosts, once for all
//! PEs of its host.

use crate::error::Error;

use super::meeting::{Meeting, deliver, fetch};

/// `bytes` bytes from `source` of `root` to `target` of all others, and of itself where `root_too`.
///
/// # Safety
/// Both are symmetric, with so many bytes, and do not overlap.
///
/// # Errors
/// A PE of the job has died, or the NIC cannot.
pub unsafe fn broadcast(
    meeting: &mut dyn Meeting,
    target: usize,
    source: usize,
    bytes: usize,
    root: usize,
    root_too: bool,
) -> Result<(), Error> {
    meeting.sync()?;
    let (me, is_near) = (meeting.roll().me(), meeting.roll().is_near());
    // SAFETY: as the caller promises, for all of this.
    unsafe {
        if !is_near {
            if me == root {
                let roll = meeting.roll();
                let far: Vec<usize> = roll.leaders().iter().copied().filter(|&leader| !roll.has_near(leader)).collect();
                for leader in far {
                    deliver(meeting, leader, target, source as *const u8, bytes)?;
                }
                meeting.quiet()?;
            }
            meeting.sync()?;
        }
        let from_root = meeting.roll().has_near(root);
        if me == root {
            if root_too && target != source {
                std::ptr::copy(source as *const u8, target as *mut u8, bytes);
            }
        } else if from_root {
            fetch(meeting, root, target as *mut u8, source, bytes)?;
        } else if !meeting.roll().leads() {
            fetch(meeting, meeting.roll().leader(), target as *mut u8, target, bytes)?;
        }
    }
    meeting.near_sync()
}

/// The blocks of all, one after the other by rank. Blocks have `block(rank)` bytes and begin at `offset(rank)`.
///
/// # Safety
/// `source` is symmetric with this PE's block, `target` with all of them, and they do not overlap. All members have called
/// with the same two functions.
unsafe fn concatenate(
    meeting: &mut dyn Meeting,
    target: usize,
    source: usize,
    block: &dyn Fn(usize) -> (usize, usize),
) -> Result<(), Error> {
    let (me, size, is_near) = (meeting.roll().me(), meeting.roll().size(), meeting.roll().is_near());
    // SAFETY: as the caller promises, for all of this.
    unsafe {
        if is_near {
            // Everybody begins with its own block, so that they do not all read the same one.
            for rank in (me..size).chain(0..me) {
                let (offset, bytes) = block(rank);
                fetch(meeting, rank, (target + offset) as *mut u8, source, bytes)?;
            }
            return meeting.near_sync();
        }
        let (offset, bytes) = block(me);
        let own = meeting.roll().leader();
        let leaders: Vec<usize> = meeting.roll().leaders().to_vec();
        for leader in leaders {
            deliver(meeting, leader, target + offset, source as *const u8, bytes)?;
        }
        meeting.quiet()?;
        meeting.sync()?;
        if me != own {
            let (offset, bytes) = block(size - 1);
            fetch(meeting, own, target as *mut u8, target, offset + bytes)?;
        }
    }
    meeting.near_sync()
}

/// `shmem_fcollect`: `bytes` bytes of each, by rank.
///
/// # Safety
/// `source` is symmetric with `bytes` bytes, `target` with as many times that as there are members; they do not overlap.
///
/// # Errors
/// A PE of the job has died, or the NIC cannot.
pub unsafe fn fcollect(meeting: &mut dyn Meeting, target: usize, source: usize, bytes: usize) -> Result<(), Error> {
    meeting.sync()?;
    // SAFETY: as the caller promises.
    unsafe { concatenate(meeting, target, source, &|rank| (rank * bytes, bytes)) }
}

/// `shmem_collect`: the bytes of each, by rank; each may have another number of them.
///
/// # Safety
/// As for [`fcollect`], with the sum of what the members have.
///
/// # Errors
/// A PE of the job has died, or the NIC cannot.
pub unsafe fn collect(meeting: &mut dyn Meeting, target: usize, source: usize, bytes: usize) -> Result<(), Error> {
    let board = meeting.board();
    // SAFETY: the board is a word of this PE's own, and `counts` has room for one of each.
    let ends = unsafe {
        (board as *mut u64).write(bytes as u64);
        meeting.sync()?;
        let mut counts = vec![0u64; meeting.roll().size()];
        for (rank, count) in counts.iter_mut().enumerate() {
            fetch(meeting, rank, std::ptr::from_mut(count).cast(), board, size_of::<u64>())?;
        }
        meeting.quiet()?;
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
    // SAFETY: as the caller promises. All have the same counts, and have read the boards before they meet in there.
    unsafe { concatenate(meeting, target, source, &|rank| (begin(rank), ends[rank] - begin(rank))) }
}

/// `shmem_alltoall`: block `j` of PE `i` becomes block `i` of PE `j`; blocks have `bytes` bytes.
///
/// # Safety
/// Both are symmetric, with as many blocks as there are members, and do not overlap.
///
/// # Errors
/// A PE of the job has died, or the NIC cannot.
pub unsafe fn alltoall(meeting: &mut dyn Meeting, target: usize, source: usize, bytes: usize) -> Result<(), Error> {
    // SAFETY: as the caller promises; elements of a block lie one after the other.
    unsafe { alltoalls(meeting, target, source, Strided { target: 1, source: 1, count: 1, bytes }) }
}

/// The blocks of `shmem_alltoalls`.
#[derive(Clone, Copy, Debug)]
pub struct Strided {
    /// The distance of elements in the target, in elements.
    pub target: usize,
    /// The distance of elements in the source, in elements.
    pub source: usize,
    /// Elements of a block.
    pub count: usize,
    /// Bytes of an element.
    pub bytes: usize,
}

/// `shmem_alltoalls`.
///
/// # Safety
/// As for [`alltoall`], with the distances between elements.
///
/// # Errors
/// A PE of the job has died, or the NIC cannot.
pub unsafe fn alltoalls(meeting: &mut dyn Meeting, target: usize, source: usize, blocks: Strided) -> Result<(), Error> {
    let Strided { count, bytes, .. } = blocks;
    let (me, size) = (meeting.roll().me(), meeting.roll().size());
    let to = |block: usize, index: usize| target + (block * count + index) * blocks.target * bytes;
    let from = |block: usize, index: usize| source + (block * count + index) * blocks.source * bytes;
    // Elements that lie one after the other on both sides go in one piece.
    let whole = blocks.target == 1 && blocks.source == 1;
    let (pieces, piece) = if whole { (1, count * bytes) } else { (count, bytes) };
    meeting.sync()?;
    // SAFETY: as the caller promises, for all of this.
    unsafe {
        for rank in (me..size).chain(0..me) {
            let is_near = meeting.roll().has_near(rank);
            for index in 0..pieces {
                if is_near {
                    fetch(meeting, rank, to(rank, index) as *mut u8, from(me, index), piece)?;
                } else {
                    deliver(meeting, rank, to(me, index), from(rank, index) as *const u8, piece)?;
                }
            }
        }
    }
    meeting.quiet()?;
    meeting.sync()
}

/// Where the parts of `shmemx_alltoallv` lie, in bytes, by rank: symmetric arrays.
#[derive(Clone, Copy, Debug)]
pub struct Parts {
    /// Where each part begins in the source.
    pub offsets: usize,
    /// How long it is.
    pub sizes: usize,
}

/// Where what comes is laid.
#[derive(Clone, Copy, Debug)]
pub enum Laid {
    /// The part of each rank at an offset of its own; its size is written. Both by rank.
    Apart {
        /// Where each part shall begin.
        offsets: *const usize,
        /// How long it turned out to be.
        sizes: *mut usize,
    },
    /// One after the other, by rank.
    Packed {
        /// Bytes that the target has room for.
        room: usize,
        /// How many there are.
        total: *mut usize,
    },
}

/// `shmemx_alltoallv` and, packed, `shmemx_alltoallv_packed`.
///
/// # Safety
/// `source` and the arrays of `parts` are symmetric with what they say, `target` and what `laid` points to have room for
/// it, and they do not overlap.
///
/// # Errors
/// What comes does not fit, with nothing of it written; a PE of the job has died, or the NIC cannot.
pub unsafe fn alltoallv(
    meeting: &mut dyn Meeting,
    target: usize,
    source: usize,
    parts: Parts,
    laid: Laid,
) -> Result<(), Error> {
    let (me, size) = (meeting.roll().me(), meeting.roll().size());
    meeting.sync()?;
    let mut coming = vec![[0usize; 2]; size];
    let word = me * size_of::<usize>();
    let mut fits = Ok(());
    // SAFETY: as the caller promises, for all of this.
    unsafe {
        for (rank, [offset, bytes]) in coming.iter_mut().enumerate() {
            fetch(meeting, rank, std::ptr::from_mut(offset).cast(), parts.offsets + word, size_of::<usize>())?;
            fetch(meeting, rank, std::ptr::from_mut(bytes).cast(), parts.sizes + word, size_of::<usize>())?;
        }
        meeting.quiet()?;
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
                    works: "a target with room for all that the others send",
                });
            }
        }
        if fits.is_ok() {
            for rank in (me..size).chain(0..me) {
                let [offset, bytes] = coming[rank];
                fetch(meeting, rank, (target + begins[rank]) as *mut u8, source + offset, bytes)?;
            }
            meeting.quiet()?;
        }
    }
    // The others go on whatever fits here.
    meeting.sync()?;
    fits
}
