//! What programs and this library share below the API, in C's layout: `include/philae/shmem_abi.h`.

use std::ffi::c_void;
use std::sync::atomic::{AtomicI32, AtomicPtr, AtomicU32};

/// Where a PE's memory lies here: what is added to an address of one's own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub struct Way {
    /// For addresses of the symmetric heap, of the control page and of the collective area before it.
    pub heap: isize,
    /// For addresses of the program's static data.
    pub data: isize,
}

/// It does not lie here: through the NIC. Source: ours, `PHILAE_SHMEM_FAR`. Status: assumed.
pub const FAR: isize = isize::MIN;

impl Way {
    /// A PE of another host.
    pub const FAR: Self = Self { heap: FAR, data: FAR };
}

/// `shmem_ctx_t` points to one.
#[derive(Debug)]
#[repr(C)]
pub struct Ctx {
    /// By PE of the context's team.
    pub ways: AtomicPtr<Way>,
    /// 0: every call takes the long way.
    pub n_pes: AtomicU32,
    /// How much went out by the NIC since the last quiet; 0: nothing.
    pub far_pending: AtomicU32,
    /// The [`Context`](crate::ctx::Context); null: not there, or destroyed.
    pub library: AtomicPtr<c_void>,
}

/// `shmem_team_t` points to one.
#[derive(Debug)]
#[repr(C)]
pub struct TeamHandle {
    /// This PE's number in the team; -1 where there is none.
    pub me: AtomicI32,
    /// Its size; -1 where there is none.
    pub n_pes: AtomicI32,
    /// The [`Team`](crate::team::Team); null: not there, or destroyed.
    pub library: AtomicPtr<c_void>,
}

/// The first page of a PE's segment that others know by its place: just before the heap.
#[derive(Debug)]
#[repr(C, align(4096))]
pub struct Control {
    /// Not 0: threads of that PE may sleep until memory changes.
    pub sleepers: AtomicU32,
    /// What they sleep on: a futex.
    pub bell: AtomicU32,
    /// Where the PE is in its life: one of [`state`].
    pub state: AtomicU32,
    /// Its exit code, where `state` says that it ended badly.
    pub exit_code: AtomicI32,
    /// Its process.
    pub pid: AtomicI32,
    /// Counts the beginnings and the ends of long waits: odd while it waits, and can do nothing else.
    pub waits: AtomicU32,
    /// How often it has looked in vain in such a wait.
    pub looks: AtomicU32,
}

impl Control {
    /// The page of a PE in a state, of no process.
    #[must_use]
    pub const fn new(state: u32) -> Self {
        Self {
            sleepers: AtomicU32::new(0),
            bell: AtomicU32::new(0),
            state: AtomicU32::new(state),
            exit_code: AtomicI32::new(0),
            pid: AtomicI32::new(0),
            waits: AtomicU32::new(0),
            looks: AtomicU32::new(0),
        }
    }
}

/// Values of [`Control::state`].
pub mod state {
    /// It initialises.
    pub const STARTING: u32 = 0;
    /// It runs.
    pub const RUNNING: u32 = 1;
    /// It has finalised, or ended well.
    pub const FINALISED: u32 = 2;
    /// It ended badly: by an error, `shmem_global_exit` or an exit code other than 0.
    pub const FAILED: u32 = 3;
    /// It ended because another did: that one is the one to name.
    pub const FOLLOWED: u32 = 4;
    /// It is in `shmem_finalize`, and waits there for all others.
    pub const FINALISING: u32 = 5;
    /// It has returned from `main` or called `exit(0)` without `shmem_finalize`, and waits for all others to finalise.
    pub const EXITING: u32 = 6;
}

/// The bytes of the control page. Source: ours, `PHILAE_SHMEM_CONTROL_BYTES`. Status: assumed.
pub const CONTROL_BYTES: usize = 4096;
const _: () = assert!(size_of::<Control>() == CONTROL_BYTES);

/// What this PE's inlined calls look at.
#[derive(Debug)]
#[repr(C)]
pub struct Here {
    /// The heap of this PE, without the control page.
    pub heap: usize,
    /// Its size.
    pub heap_bytes: usize,
    /// The program's static data, in shared memory too.
    pub data: usize,
    /// Its size; 0 where it is not shared.
    pub data_bytes: usize,
    /// The control page: `heap - 4096`.
    pub control: *mut Control,
    /// 1: atomics on PEs of this host are the processor's own; 0: all go by the NIC.
    pub near_atomics: u32,
    /// This PE; -1 before initialisation and after finalisation.
    pub me: i32,
    /// All PEs.
    pub n_pes: i32,
    /// 1: a trace is told of every wait for memory, so that none ends in the header.
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
