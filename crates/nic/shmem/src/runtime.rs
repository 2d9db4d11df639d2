//! A PE's state between initialisation and finalisation.

use std::ptr;
use std::sync::atomic::{AtomicBool, AtomicPtr, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use crate::collective::team_group::Means;
use crate::ctx::ShmemContext;
use crate::ending::end;
use crate::error::Error;
use crate::job::ShmemJob;
use crate::local::death::Deaths;
use crate::local::lock::Locks;
use crate::local::stuck::{ControlSnapshot, StuckSearch};
use crate::log;
use crate::memory::{FORKED_BY, SymmetricMemory};
use crate::remote::{AtomicsBy, PageRead, RemoteNetwork, waits};
use crate::settings::ShmemSettings;
use crate::team::Team;

/// The thread levels, in the standard's order. Source: OpenSHMEM 1.6, SHMEM_THREAD_*.
/// Status: published.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(i32)]
pub enum ThreadLevel {
    /// The program has one thread.
    Single = 0,
    /// Only the thread that initialised calls.
    Funneled = 1,
    /// One thread at a time calls.
    Serialized = 2,
    /// Any thread calls at any time.
    Multiple = 3,
}

impl ThreadLevel {
    /// The level's name in the standard.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Single => "SHMEM_THREAD_SINGLE",
            Self::Funneled => "SHMEM_THREAD_FUNNELED",
            Self::Serialized => "SHMEM_THREAD_SERIALIZED",
            Self::Multiple => "SHMEM_THREAD_MULTIPLE",
        }
    }
}

/// A PE's state between initialisation and finalisation. Fields are dropped in this order: NICs
/// know the memory until the path through them is closed.
#[derive(Debug)]
pub struct Runtime {
    /// This PE's number.
    pub me: u32,
    /// The number of PEs.
    pub n_pes: u32,
    /// The job that the PEs belong to.
    pub job: &'static ShmemJob,
    /// The settings from the environment.
    pub settings: ShmemSettings,
    /// How calls are served.
    pub modes: CallModes,
    /// The hosts of the PEs.
    pub hosts: JobHosts,
    /// How this PE waits.
    pub waits: LongWaits,
    /// The teams, contexts and locks.
    pub objects: ShmemObjects,
    /// The path to the PEs of other hosts; `None` if there are none and the environment does not
    /// ask for it.
    pub remote: Option<RemoteNetwork>,
    /// Which agent carries out atomic operations on PEs of this host.
    pub atomics: AtomicsRule,
    /// This PE's memory, and that of the PEs of its host.
    pub memory: SymmetricMemory,
}

/// How calls are served.
#[derive(Clone, Copy, Debug)]
pub struct CallModes {
    /// The thread level that was provided.
    pub thread_level: ThreadLevel,
    /// Whether every call is checked and collective calls are compared: the same on all PEs.
    pub debug: bool,
    /// Whether several threads of any PE may call at the same time: the same on all PEs.
    pub threads: bool,
}

/// The hosts of the PEs.
#[derive(Debug)]
pub struct JobHosts {
    /// For each PE the first PE of its host.
    pub first: Box<[u32]>,
    /// The PEs of this host, including this one, ascending.
    pub local: Box<[u32]>,
    /// Detects those of them that have died.
    pub deaths: Deaths,
}

/// How this PE waits.
#[derive(Debug)]
pub struct LongWaits {
    /// What the barrier groups of teams have in common.
    pub means: Means,
    /// The search for a deadlock when this PE waits long, and its reads of the pages of other
    /// hosts' PEs.
    pub(crate) stuck: Mutex<(StuckSearch, PageRead)>,
}

/// The teams, contexts and locks of a PE.
#[derive(Debug)]
pub struct ShmemObjects {
    /// The team of all PEs.
    pub world: Box<Team>,
    /// `SHMEM_TEAM_SHARED`: the team of the PEs of this host.
    pub shared: Box<Team>,
    /// The default context.
    pub context: Box<ShmemContext>,
    /// Locks that this PE holds or waits for.
    pub locks: Locks,
    /// The teams and contexts that exist, and the free synchronisation slots.
    pub made: Mutex<LiveObjects>,
}

/// Which agent carries out atomic operations on PEs of this host.
#[derive(Clone, Copy, Debug)]
pub struct AtomicsRule {
    /// The agent.
    pub by: AtomicsBy,
    /// The reason for that choice.
    pub why: &'static str,
}

/// The teams and contexts that exist.
#[derive(Debug, Default)]
pub struct LiveObjects {
    /// Teams other than the predefined ones.
    pub teams: Vec<ptr::NonNull<Team>>,
    /// Contexts other than the default one.
    pub contexts: Vec<ptr::NonNull<ShmemContext>>,
    /// One bit per slot of the collective area; 1: free.
    pub free_slots: [u64; crate::memory::TEAM_SLOTS / 64],
}

// SAFETY: the pointers are to objects that this structure owns; the mutex around it guards them.
unsafe impl Send for LiveObjects {}

static RUNTIME: AtomicPtr<Runtime> = AtomicPtr::new(ptr::null_mut());

/// The runtime, between initialisation and finalisation.
#[must_use]
pub fn runtime() -> Option<&'static Runtime> {
    // SAFETY: `begin` set it to an object that lives until `finish`, which the standard forbids to
    // call concurrently with other calls.
    unsafe { RUNTIME.load(Ordering::Acquire).as_ref() }
}

/// The runtime; ends the job with the reason if there is none.
#[must_use]
pub fn check(what: &str) -> &'static Runtime {
    let runtime = present(what);
    log::call(what, None);
    runtime
}

/// The same for callers that log the call themselves.
pub(crate) fn present(what: &str) -> &'static Runtime {
    runtime().unwrap_or_else(|| end(what, &absent()))
}

/// The reason why there is no runtime.
pub(crate) fn absent() -> Error {
    let parent = FORKED_BY.load(Ordering::Acquire);
    if parent != 0 {
        // SAFETY: the call only queries.
        return Error::Forked { child: unsafe { libc::getpid() }, parent };
    }
    if HAS_BEEN.load(Ordering::Acquire) { Error::Finalised } else { Error::NotInitialised }
}

/// Whether there has been a runtime.
static HAS_BEEN: AtomicBool = AtomicBool::new(false);

/// Sets the runtime.
pub(crate) fn begin(runtime: Box<Runtime>) -> &'static Runtime {
    let runtime = Box::into_raw(runtime);
    RUNTIME.store(runtime, Ordering::Release);
    HAS_BEEN.store(true, Ordering::Release);
    // SAFETY: as in `runtime`.
    unsafe { &*runtime }
}

/// Clears the runtime in a forked child, without taking down the parent's objects.
pub(crate) fn forget() {
    RUNTIME.store(ptr::null_mut(), Ordering::Release);
}

/// Clears the runtime and returns it.
pub(crate) fn finish() -> Option<Box<Runtime>> {
    log::end();
    let runtime = RUNTIME.swap(ptr::null_mut(), Ordering::AcqRel);
    // SAFETY: `begin` made it, and no other caller takes it.
    (!runtime.is_null()).then(|| unsafe { Box::from_raw(runtime) })
}

impl Runtime {
    /// The error if this PE waits for what no PE can do any more; known after some seconds. If
    /// another thread is already searching, this one need not.
    pub(crate) fn look_for_an_end(&self) -> Option<Error> {
        if self.remote.is_some() && crate::remote::is_simulated() {
            // The coordinator of the run knows, and looking costs simulated time.
            return None;
        }
        let mut stuck = self.waits.stuck.try_lock().ok()?;
        let (stuck, pages) = &mut *stuck;
        let page = self.memory.own_control();
        let read = |pe: u32| match (self.memory.control(pe), &self.remote) {
            (Some(local), _) => Some(ControlSnapshot::on(local)),
            // A trace has the program's operations and nothing else.
            (None, Some(remote)) if !waits::is_on() => pages.read(remote, ptr::from_ref(page).addr(), pe),
            (None, _) => None,
        };
        stuck.look((self.me, self.n_pes), ControlSnapshot::on(page), Instant::now(), read)
    }

    /// Locks the teams and contexts that exist.
    pub fn made(&self) -> MutexGuard<'_, LiveObjects> {
        self.objects.made.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The team size that inlined calls see: 0 if every call has to come here.
    #[must_use]
    pub fn inlined(&self, n_pes: u32) -> u32 {
        if self.modes.debug || log::is_on() { 0 } else { n_pes }
    }

    /// Whether a PE of the world is of this host.
    #[must_use]
    pub fn is_local(&self, pe: u32) -> bool {
        self.hosts.local.binary_search(&pe).is_ok()
    }
}
