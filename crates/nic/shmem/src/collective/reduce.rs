//! Reductions and scans of any size, for teams and active sets, within a host and across hosts.
//!
//! The PEs of a host divide the elements: each reads its part of every source, combines by rank,
//! and writes the result to every target. So each element is combined once, all PEs get the same
//! bits, and source and target may be the same array. Across hosts each host combines its own part
//! into its leader's target. Then the leaders divide the elements, read their part of every
//! leader's target, and write the result to all of them.

use crate::error::Error;

use super::barrier_group::{BarrierGroup, deliver, fetch};
use super::kernel::{Element, ReduceOperation, combine};
use super::slot::LINE;

/// The arguments of a reduction.
#[derive(Clone, Copy, Debug)]
pub struct ReduceArguments {
    /// The symmetric array of results.
    pub target: usize,
    /// The symmetric array of each PE's contribution; may be the target.
    pub source: usize,
    /// Elements in each array.
    pub count: usize,
    /// The element type.
    pub element: Element,
    pub operation: ReduceOperation,
}

impl ReduceArguments {
    /// Bytes of the target and of the source, each.
    #[must_use]
    pub const fn bytes(&self) -> usize {
        self.count * self.element.bytes()
    }
}

/// Bytes combined at a time. Source: half of the smallest first-level cache in use, 32 KiB, holds
/// this and what it is combined with. Status: assumed.
const BLOCK_BYTES: usize = 8192;

/// Ranks whose blocks a scan across hosts reads at a time. Source: with [`BLOCK_BYTES`], a quarter
/// of a megabyte. Status: assumed.
const RANKS_PER_STEP: usize = 32;

/// Room for intermediate results.
#[repr(C, align(64))]
struct Block([u8; BLOCK_BYTES]);

/// The part `index` of `parts` of an array of `bytes` bytes: whole cache lines, except for the last
/// part.
fn part(bytes: usize, index: usize, parts: usize) -> std::ops::Range<usize> {
    let lines = bytes.div_ceil(LINE);
    let edge = |index: usize| (lines * index / parts * LINE).min(bytes);
    edge(index)..edge(index + 1)
}

/// Splits the range into pieces that fit a [`Block`].
fn blocks(range: std::ops::Range<usize>) -> impl Iterator<Item = (usize, usize)> {
    range.clone().step_by(BLOCK_BYTES).map(move |begin| (begin, BLOCK_BYTES.min(range.end - begin)))
}

/// Combines this PE's part of the elements, from the sources of its host to the given targets, by
/// rank.
///
/// # Safety
/// As for [`reduce`]; all members of this host have synchronised.
unsafe fn combine_local(barrier_group: &dyn BarrierGroup, what: ReduceArguments, targets: &[usize]) {
    let membership = barrier_group.membership();
    let mut room = Block([0; BLOCK_BYTES]);
    let into = room.0.as_mut_ptr();
    for (begin, bytes) in blocks(part(what.bytes(), membership.local_me(), membership.local().len())) {
        for (index, &rank) in membership.local().iter().enumerate() {
            let source = membership.at(rank, what.source + begin).cast_const();
            // SAFETY: as the caller promises; a block has the room.
            unsafe {
                if index == 0 {
                    std::ptr::copy_nonoverlapping(source, into, bytes);
                } else {
                    combine(what.element, what.operation, into, source, bytes / what.element.bytes());
                }
            }
        }
        for &rank in targets {
            // SAFETY: as the caller promises.
            unsafe { std::ptr::copy_nonoverlapping(into, membership.at(rank, what.target + begin), bytes) };
        }
    }
}

/// Reduces the contributions of all members; each gets the result.
///
/// # Safety
/// Source and target are symmetric with what `what` says, and are identical or disjoint. The type
/// has the operation.
///
/// # Errors
/// A PE of the job has died, or the NIC reports an error.
pub unsafe fn reduce(barrier_group: &mut dyn BarrierGroup, what: ReduceArguments) -> Result<(), Error> {
    barrier_group.local_sync()?;
    if barrier_group.membership().is_local() {
        // SAFETY: as the caller promises.
        unsafe { combine_local(barrier_group, what, barrier_group.membership().local()) };
        return barrier_group.local_sync();
    }
    let leader = barrier_group.membership().leader();
    // SAFETY: as the caller promises.
    unsafe { combine_local(barrier_group, what, &[leader]) };
    barrier_group.local_gather()?;
    if barrier_group.membership().leads() {
        // SAFETY: as the caller promises; once the leaders have synchronised, every leader's target
        // has its host's result.
        unsafe { combine_remote(barrier_group, what)? };
    }
    barrier_group.local_release()?;
    if !barrier_group.membership().leads() {
        // SAFETY: as the caller promises.
        unsafe { fetch(barrier_group, leader, what.target as *mut u8, what.target, what.bytes())? };
    }
    barrier_group.local_sync()
}

/// The leaders' part: each reads its part of every leader's target, and writes the result to all of
/// them.
///
/// # Safety
/// As for [`reduce`].
unsafe fn combine_remote(barrier_group: &mut dyn BarrierGroup, what: ReduceArguments) -> Result<(), Error> {
    let leaders: Vec<usize> = barrier_group.membership().leaders().to_vec();
    let host = barrier_group.membership().host();
    let range = part(what.bytes(), host, leaders.len());
    barrier_group.leaders_sync()?;
    let mut theirs: Vec<Vec<u8>> = vec![vec![0; range.len()]; leaders.len()];
    // SAFETY: as the caller promises, for all of this; the buffers that are read and written stay
    // until `quiet`.
    unsafe {
        for (&leader, part) in leaders.iter().zip(&mut theirs) {
            fetch(barrier_group, leader, part.as_mut_ptr(), what.target + range.start, range.len())?;
        }
        barrier_group.quiet()?;
        let [result, others @ ..] = &mut theirs[..] else {
            return Ok(());
        };
        for part in others {
            combine(
                what.element,
                what.operation,
                result.as_mut_ptr(),
                part.as_ptr(),
                range.len() / what.element.bytes(),
            );
        }
        // Every leader has read before any of them writes.
        barrier_group.leaders_sync()?;
        for &leader in &leaders {
            deliver(barrier_group, leader, what.target + range.start, theirs[0].as_ptr(), range.len())?;
        }
    }
    barrier_group.quiet()?;
    barrier_group.leaders_sync()
}

/// The scan: each member gets the combination of the contributions before its own, and its own too
/// unless `exclusive`.
///
/// # Safety
/// As for [`reduce`].
///
/// # Errors
/// A PE of the job has died, or the NIC reports an error.
pub unsafe fn scan(barrier_group: &mut dyn BarrierGroup, what: ReduceArguments, exclusive: bool) -> Result<(), Error> {
    barrier_group.sync()?;
    if barrier_group.membership().is_local() {
        // SAFETY: as the caller promises; all have synchronised.
        unsafe { scan_local(barrier_group, what, exclusive) };
        return barrier_group.local_sync();
    }
    let me = barrier_group.membership().me();
    let before = if exclusive { me } else { me + 1 };
    let mut result = vec![0u8; what.bytes()];
    let mut room = vec![0u8; BLOCK_BYTES.min(what.bytes()) * before.min(RANKS_PER_STEP)];
    for (begin, bytes) in blocks(0..what.bytes()) {
        let into = result[begin..begin + bytes].as_mut_ptr();
        for first in (0..before).step_by(RANKS_PER_STEP) {
            let ranks = first..before.min(first + RANKS_PER_STEP);
            for (rank, block) in ranks.clone().zip(room.chunks_exact_mut(bytes)) {
                // SAFETY: as the caller promises; the buffer stays until `quiet`.
                unsafe { fetch(barrier_group, rank, block.as_mut_ptr(), what.source + begin, bytes)? };
            }
            barrier_group.quiet()?;
            for (rank, block) in ranks.zip(room.chunks_exact(bytes)) {
                // SAFETY: as the caller promises; both have `bytes` bytes.
                unsafe {
                    if rank == 0 {
                        std::ptr::copy_nonoverlapping(block.as_ptr(), into, bytes);
                    } else {
                        combine(what.element, what.operation, into, block.as_ptr(), bytes / what.element.bytes());
                    }
                }
            }
        }
    }
    // Every PE has read the sources, which may be the targets.
    barrier_group.sync()?;
    // SAFETY: as the caller promises.
    unsafe { std::ptr::copy_nonoverlapping(result.as_ptr(), what.target as *mut u8, what.bytes()) };
    Ok(())
}

/// Scans this PE's part of the elements, for the targets of all members.
///
/// # Safety
/// As for [`reduce`]; all members have synchronised, and all are of this host.
unsafe fn scan_local(barrier_group: &dyn BarrierGroup, what: ReduceArguments, exclusive: bool) {
    let membership = barrier_group.membership();
    let (mut sum, mut own) = (Block([0; BLOCK_BYTES]), Block([0; BLOCK_BYTES]));
    let (sum, own) = (sum.0.as_mut_ptr(), own.0.as_mut_ptr());
    for (begin, bytes) in blocks(part(what.bytes(), membership.me(), membership.size())) {
        let count = bytes / what.element.bytes();
        for rank in 0..membership.size() {
            let (source, target) = (membership.at(rank, what.source + begin), membership.at(rank, what.target + begin));
            // SAFETY: as the caller promises; blocks have the room. The source is read before the
            // target is written.
            unsafe {
                std::ptr::copy_nonoverlapping(source, own, bytes);
                match (rank, exclusive) {
                    // The identity of a sum is zero bytes in every type; scans of other operations
                    // do not exist.
                    (0, true) => std::ptr::write_bytes(target, 0, bytes),
                    (_, true) => std::ptr::copy_nonoverlapping(sum, target, bytes),
                    _ => {}
                }
                if rank == 0 {
                    std::ptr::copy_nonoverlapping(own, sum, bytes);
                } else {
                    combine(what.element, what.operation, sum, own, count);
                }
                if !exclusive {
                    std::ptr::copy_nonoverlapping(sum, target, bytes);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_cover_every_byte_once_and_begin_on_lines() {
        for bytes in [0, 1, 63, 64, 65, 200, 4096, 100_001] {
            for parts in [1, 2, 3, 7, 64] {
                let mut end = 0;
                for index in 0..parts {
                    let range = part(bytes, index, parts);
                    assert_eq!(range.start, end, "{bytes} bytes, part {index} of {parts}");
                    assert!(range.start.is_multiple_of(LINE) || range.is_empty());
                    end = range.end;
                }
                assert_eq!(end, bytes);
                let cut: usize = blocks(0..bytes)
                    .map(|(begin, bytes)| {
                        assert_eq!(begin % BLOCK_BYTES, 0);
                        bytes
                    })
                    .sum();
                assert_eq!(cut, bytes);
            }
        }
    }
}
