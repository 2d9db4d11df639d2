//! The layout of a PE's segment: the collective area, the control page, the heap.

use crate::abi::CONTROL_BYTES;

/// Slots in the collective area: the number of teams that can exist at a time, including the two
/// predefined ones. Source: ours (the vendor's SHMEM_NUM_TEAM_PSYNC is 512). Status: assumed.
pub const TEAM_SLOTS: usize = 128;

/// The slot of `SHMEM_TEAM_WORLD`.
pub const WORLD_SLOT: u32 = 0;

/// The slot of `SHMEM_TEAM_SHARED`.
pub const SHARED_SLOT: u32 = 1;

/// The slot of the last barrier of all PEs: `shmem_finalize` must not be mistaken for another
/// collective of the world.
pub const LAST_SLOT: u32 = TEAM_SLOTS as u32;

/// The bytes of a slot. Source: ours. Status: assumed.
pub const SLOT_BYTES: usize = 32 * 1024;

/// The size of the collective area, which is just before the control page.
pub const COLLECTIVE_BYTES: usize = (TEAM_SLOTS + 1) * SLOT_BYTES;

/// The bytes before the heap in its segment.
pub const BEFORE_HEAP: usize = COLLECTIVE_BYTES + CONTROL_BYTES;

const _: () = assert!(COLLECTIVE_BYTES.is_multiple_of(CONTROL_BYTES) && TEAM_SLOTS.is_multiple_of(64));
