//! What programs and this library share below the API, in C's layout: `include/philae/shmem_abi.h`.

use std::ffi::c_void;
use std::sync::atomic::{AtomicI32, AtomicPtr, AtomicU32};

/// Where a PE's memory lies in this process: the distances to add to addresses of this PE.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub struct MemoryWindow {
    /// For addresses of the symmetric heap, of the control page and of the collective area before
    /// it.
    pub heap: isize,
    /// For addresses of the program's static data.
    pub data: isize,
}

/// The memory is not mapped here, and is reached through the NIC.
/// Source: ours, `PHILAE_SHMEM_REMOTE`. Status: assumed.
pub const REMOTE: isize = isize::MIN;

impl MemoryWindow {
    /// A PE of another host.
    pub const REMOTE: Self = Self { heap: REMOTE, data: REMOTE };
}

/// The target of `shmem_ctx_t`.
#[derive(Debug)]
#[repr(C)]
pub struct Ctx {
    /// Where memory lies, by PE of the context's team.
    pub windows: AtomicPtr<MemoryWindow>,
    /// 0: every call takes the long form.
    pub n_pes: AtomicU32,
    /// Nonzero if operations went through the NIC since the last quiet.
    pub remote_pending: AtomicU32,
    /// The [`ShmemContext`](crate::ctx::ShmemContext); null if there is none, or it was destroyed.
    pub library: AtomicPtr<c_void>,
}

/// The target of `shmem_team_t`.
#[derive(Debug)]
#[repr(C)]
pub struct TeamHandle {
    /// This PE's number in the team; -1 if there is none.
    pub me: AtomicI32,
    /// The team's size; -1 if there is no team.
    pub n_pes: AtomicI32,
    /// The [`Team`](crate::team::Team); null if there is none, or it was destroyed.
    pub library: AtomicPtr<c_void>,
}

/// The control page of a PE's segment, at a position that the other PEs know: just before the heap.
#[derive(Debug)]
#[repr(C, align(4096))]
pub struct ControlPage {
    /// Nonzero: threads of that PE may be sleeping until memory changes.
    pub sleepers: AtomicU32,
    /// The futex that they sleep on.
    pub bell: AtomicU32,
    /// The stage of the PE's life: one of [`state`].
    pub state: AtomicU32,
    /// Its exit code, if `state` says that it ended badly.
    pub exit_code: AtomicI32,
    /// Its process number.
    pub pid: AtomicI32,
    /// Counts the beginnings and the ends of long waits. Odd while the PE waits and can do nothing
    /// else.
    pub waits: AtomicU32,
    /// How often it has polled without success in such a wait.
    pub polls: AtomicU32,
}

impl ControlPage {
    /// The page of a PE in this state, without a process.
    #[must_use]
    pub const fn new(state: u32) -> Self {
        Self {
            sleepers: AtomicU32::new(0),
            bell: AtomicU32::new(0),
            state: AtomicU32::new(state),
            exit_code: AtomicI32::new(0),
            pid: AtomicI32::new(0),
            waits: AtomicU32::new(0),
            polls: AtomicU32::new(0),
        }
    }
}

/// Values of [`ControlPage::state`].
pub mod state {
    /// The PE initialises.
    pub const STARTING: u32 = 0;
    /// The PE runs.
    pub const RUNNING: u32 = 1;
    /// The PE has finalised, or ended well.
    pub const FINALISED: u32 = 2;
    /// The PE ended badly: by an error, `shmem_global_exit` or an exit code other than 0.
    pub const FAILED: u32 = 3;
    /// The PE ended because another did; messages name the other one.
    pub const FOLLOWED: u32 = 4;
    /// The PE is in `shmem_finalize`, and waits there for all others.
    pub const FINALISING: u32 = 5;
    /// The PE has returned from `main` or called `exit(0)` without `shmem_finalize`, and waits for
    /// all others to finalise.
    pub const EXITING: u32 = 6;
}

/// The bytes of the control page. Source: ours, `PHILAE_SHMEM_CONTROL_BYTES`. Status: assumed.
pub const CONTROL_BYTES: usize = 4096;
const _: () = assert!(size_of::<ControlPage>() == CONTROL_BYTES);

/// What this PE's inlined calls read.
#[derive(Debug)]
#[repr(C)]
pub struct Here {
    /// The heap of this PE, without the control page.
    pub heap: usize,
    /// The size of the heap.
    pub heap_bytes: usize,
    /// The program's static data, which is also in shared memory.
    pub data: usize,
    /// Its size; 0 if it is not shared.
    pub data_bytes: usize,
    /// The control page: `heap - 4096`.
    pub control: *mut ControlPage,
    /// 1: atomics on PEs of this host are the processor's; 0: all go through the NIC.
    pub local_atomics: u32,
    /// This PE's number; -1 before initialisation and after finalisation.
    pub me: i32,
    /// The number of PEs.
    pub n_pes: i32,
    /// 1: a trace records every wait for memory, so that no wait may end in the header.
    pub tells_waits: u32,
}

unsafe extern "C" {
    /// Where this PE's memory is.
    #[link_name = "philae_shmem_here"]
    pub static mut HERE: Here;
    /// `SHMEM_CTX_DEFAULT`.
    #[link_name = "philae_shmem_ctx_default"]
    pub static CTX_DEFAULT: Ctx;
    /// `SHMEM_CTX_INVALID`.
    #[link_name = "philae_shmem_ctx_invalid"]
    pub static CTX_INVALID: Ctx;
    /// `SHMEM_TEAM_WORLD`.
    #[link_name = "philae_shmem_team_world"]
    pub static TEAM_WORLD: TeamHandle;
    /// `SHMEM_TEAM_SHARED`.
    #[link_name = "philae_shmem_team_shared"]
    pub static TEAM_SHARED: TeamHandle;
}
