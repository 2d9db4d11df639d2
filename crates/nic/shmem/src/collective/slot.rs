//! The layout of a team's slot in a PE's collective area.
//!
//! Every flag that a PE polls has a cache line of its own, and only the PE that owns the slot polls
//! the flags in it. So this PE can sleep, and the writer wakes it.

use crate::memory::SLOT_BYTES;

/// A cache line. Source: x86-64 and AArch64 processors' 64 bytes. Status: published.
pub const LINE: usize = 64;

/// Operations that may be in flight at the same time, counted from the last one that all have
/// finished. Each has lines and buffers of its own. Source: a stream of broadcasts then waits for
/// the slowest every fourth time. Status: assumed.
pub const GENERATIONS: u64 = 4;

/// Partners of a PE in one round of the dissemination barrier, itself included. Source: 8 make one
/// round of up to 8 PEs and two rounds of up to 64. Status: assumed.
pub const RADIX: usize = 8;

/// Rounds that the slot has flags for: 8 to the power of 4 is 4096 PEs of one host. With more PEs,
/// the barrier uses a counter.
pub const ROUNDS: usize = 4;

/// The most PEs of one host that send small data with the flag. Source: as [`RADIX`]. Status:
/// assumed.
pub const EAGER_PES: usize = RADIX;

/// Data bytes in a flag's cache line, after 16 bytes that keep the data aligned.
pub const EAGER_BYTES: usize = LINE - 16;

/// The most data that a PE contributes to one small operation. Source: one page. Status: assumed.
pub const CONTRIBUTION_BYTES: usize = 4096;

/// Rounds of the leaders' dissemination: two to the power of 16 hosts.
pub const REMOTE_ROUNDS: usize = 16;

/// The most hosts whose leaders send each other small parts of a reduction in one step. Source: one
/// line of words would be 8; 64 keep a step below the time of a tree's six. Status: assumed.
pub const REMOTE_EAGER_HOSTS: usize = 64;

/// Room for all leaders' parts of one small reduction. Source: the room that is left. Status:
/// assumed.
pub const REMOTE_EAGER_BYTES: usize = 0xc00;

/// The count of arrivals, at the leader.
pub const ARRIVALS: usize = 0x000;
/// The last release of this PE.
pub const RELEASE: usize = LINE;
/// The number of [`super::barrier_group::BarrierGroup::board`].
pub const BOARD: usize = 2 * LINE;
/// Two words for the debug mode: which team has the slot, and how many calls this PE has begun on
/// it.
pub const WATCH: usize = 3 * LINE;
/// The words of an agreement.
pub const AGREEMENT: usize = 4 * LINE;
pub const AGREEMENT_BYTES: usize = LINE;
/// The calls that the debug mode compares, two places used alternately.
pub const CALLS: usize = 0x200;
/// Bytes of one [`CALLS`].
pub const CALL_BYTES: usize = 2 * LINE;
/// Flags of a broadcast, by generation.
pub const NOTICES: usize = 0x400;
/// Flags of the barrier, by round and distance.
pub const FLAGS: usize = 0x500;
/// Flags of the leaders' barrier, by alternating place and round.
pub const REMOTE_FLAGS: usize = 0xc80;
/// Flags of the leaders' small reductions, by alternating place and host.
pub const REMOTE_EAGER_FLAGS: usize = 0xe00;
/// Lines with a flag and small data, by generation and sender.
pub const EAGER: usize = 0x1200;
/// Parts of the leaders' small reductions, by alternating place and host.
pub const REMOTE_EAGER: usize = 0x1c00;
/// A PE's small data, by generation.
pub const CONTRIBUTIONS: usize = 0x4000;
/// What PEs of a host publish once; only in the first slot.
pub const HOST_PAGE: usize = 0x3800;
pub const HOST_PAGE_BYTES: usize = 0x800;

const _: () = {
    assert!(AGREEMENT + AGREEMENT_BYTES <= CALLS && CALLS + 2 * CALL_BYTES <= NOTICES);
    assert!(NOTICES + GENERATIONS as usize * LINE <= FLAGS);
    assert!(FLAGS + ROUNDS * (RADIX - 1) * LINE <= REMOTE_FLAGS);
    assert!(REMOTE_FLAGS + 2 * REMOTE_ROUNDS * 8 <= REMOTE_EAGER_FLAGS);
    assert!(REMOTE_EAGER_FLAGS + 2 * REMOTE_EAGER_HOSTS * 8 <= EAGER);
    assert!(EAGER + GENERATIONS as usize * EAGER_PES * LINE <= REMOTE_EAGER);
    assert!(REMOTE_EAGER + 2 * REMOTE_EAGER_BYTES <= HOST_PAGE);
    assert!(HOST_PAGE + HOST_PAGE_BYTES <= CONTRIBUTIONS);
    assert!(CONTRIBUTIONS + GENERATIONS as usize * CONTRIBUTION_BYTES <= SLOT_BYTES);
};

/// The barrier flag that the PE `distance` steps of this round before this one sets.
#[must_use]
pub const fn flag(round: usize, distance: usize) -> usize {
    FLAGS + (round * (RADIX - 1) + distance - 1) * LINE
}

/// The flag of a broadcast.
#[must_use]
pub const fn notice(operation: u64) -> usize {
    NOTICES + (operation % GENERATIONS) as usize * LINE
}

/// The line into which `sender`, a PE of the host, writes.
#[must_use]
pub const fn eager(operation: u64, sender: usize) -> usize {
    EAGER + ((operation % GENERATIONS) as usize * EAGER_PES + sender) * LINE
}

/// A PE's small data.
#[must_use]
pub const fn contribution(operation: u64) -> usize {
    CONTRIBUTIONS + (operation % GENERATIONS) as usize * CONTRIBUTION_BYTES
}

/// The flag of the leaders' barrier.
#[must_use]
pub const fn remote_flag(sync: u64, round: usize) -> usize {
    REMOTE_FLAGS + ((sync % 2) as usize * REMOTE_ROUNDS + round) * 8
}

/// The flag of a host's part of a small reduction.
#[must_use]
pub const fn remote_eager_flag(operation: u64, host: usize) -> usize {
    REMOTE_EAGER_FLAGS + ((operation % 2) as usize * REMOTE_EAGER_HOSTS + host) * 8
}

/// A host's part of a small reduction.
#[must_use]
pub const fn remote_eager(operation: u64, host: usize, bytes: usize) -> usize {
    REMOTE_EAGER + (operation % 2) as usize * REMOTE_EAGER_BYTES + host * bytes
}
