//! What lies where in a PE's segment: the collective area, the control page, the heap.

use crate::abi::CONTROL_BYTES;

/// Places in the collective area: as many teams can be there at a time, the two predefined ones among them. Source: ours
/// (the vendor's SHMEM_NUM_TEAM_PSYNC is 512). Status: assumed.
pub const TEAM_SLOTS: usize = 128;

/// The slot of `SHMEM_TEAM_WORLD`.
pub const WORLD_SLOT: u32 = 0;

/// The slot of `SHMEM_TEAM_SHARED`.
pub const SHARED_SLOT: u32 = 1;

/// The slot in which all PEs meet for the last time: `shmem_finalize` must not be taken for another collective of the world.
pub const LAST_SLOT: u32 = TEAM_SLOTS as u32;

/// The bytes of a slot. Source: ours. Status: assumed.
pub const SLOT_BYTES: usize = 32 * 1024;

/// The collective area: just before the control page.
pub const COLLECTIVE_BYTES: usize = (TEAM_SLOTS + 1) * SLOT_BYTES;

/// What lies before the heap, in its segment.
pub const BEFORE_HEAP: usize = COLLECTIVE_BYTES + CONTROL_BYTES;

const _: () = assert!(COLLECTIVE_BYTES.is_multiple_of(CONTROL_BYTES) && TEAM_SLOTS.is_multiple_of(64));
