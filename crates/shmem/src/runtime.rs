//! What a PE has between initialisation and finalisation.

use std::ptr;
use std::sync::atomic::{AtomicBool, AtomicPtr, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use crate::collective::Means;
use crate::ctx::Context;
use crate::error::{Error, end};
use crate::far::{AtomicsBy, Far, Pages, waits};
use crate::job::Job;
use crate::log;
use crate::memory::{FORKED_BY, Memory};
use crate::near::death::Deaths;
use crate::near::lock::Locks;
use crate::near::stuck::{Seen, Stuck};
use crate::settings::Settings;
use crate::team::Team;

/// How many threads call, in the order of the standard's levels. Source: OpenSHMEM 1.6, SHMEM_THREAD_*. Status: published.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(i32)]
pub enum ThreadLevel {
    /// There is one thread.
    Single = 0,
    /// The one that has initialised.
    Funneled = 1,
    /// One at a time.
    Serialized = 2,
    /// Any, at any time.
    Multiple = 3,
}

impl ThreadLevel {
    /// The standard's name.
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

/// What a PE has between initialisation and finalisation.
#[derive(Debug)]
pub struct Runtime {
    /// This PE.
    pub me: u32,
    /// All PEs.
    pub n_pes: u32,
    /// How the PEs were introduced to each other.
    pub job: &'static Job,
    /// What the environment says.
    pub settings: Settings,
    /// What level was given.
    pub thread_level: ThreadLevel,
    /// The process that has initialised.
    pub pid: i32,
    /// Whether every call is checked, and collective calls are compared: the same with all PEs.
    pub debug: bool,
    /// Whether several threads of any PE may call at once: the same with all PEs.
    pub threads: bool,
    /// By PE: the first PE of its host.
    pub hosts: Box<[u32]>,
    /// The PEs of this host, this one among them, ascending.
    pub near: Box<[u32]>,
    /// Whether those of them that have died can be told.
    pub deaths: Deaths,
    /// What the meetings of teams have in common.
    pub means: Means,
    /// All PEs.
    pub world: Box<Team>,
    /// `SHMEM_TEAM_SHARED`: those of this host.
    pub shared: Box<Team>,
    /// The default context.
    pub context: Box<Context>,
    /// Whether any PE can go on, as this one looks when it waits long; and how it asks PEs of other hosts.
    pub(crate) stuck: Mutex<(Stuck, Pages)>,
    /// The way to the PEs of other hosts; nothing where there are none and nobody asked for it.
    pub far: Option<Far>,
    /// Who carries out atomic operations on PEs of this host.
    pub atomics_by: AtomicsBy,
    /// And why.
    pub atomics_why: &'static str,
    /// Locks that this PE holds or waits for.
    pub locks: Locks,
    /// Teams and contexts that were made and not destroyed, and which synchronisation slots are free.
    pub made: Mutex<Made>,
    /// This PE's memory, and that of the PEs of its host. The last to go: NICs know it until then.
    pub memory: Memory,
}

/// What was made and not destroyed.
#[derive(Debug, Default)]
pub struct Made {
    /// Teams other than the predefined ones.
    pub teams: Vec<ptr::NonNull<Team>>,
    /// Contexts other than the default one.
    pub contexts: Vec<ptr::NonNull<Context>>,
    /// One bit per slot of the collective area; 1: free.
    pub free_slots: [u64; crate::memory::TEAM_SLOTS / 64],
}

// SAFETY: the pointers are to objects that this structure owns; the mutex around it is what shares them.
unsafe impl Send for Made {}

static RUNTIME: AtomicPtr<Runtime> = AtomicPtr::new(ptr::null_mut());

/// The runtime, between initialisation and finalisation.
#[must_use]
pub fn runtime() -> Option<&'static Runtime> {
    // SAFETY: set by `begin` to an object that lives until `finish`, which the standard lets nobody call beside others.
    unsafe { RUNTIME.load(Ordering::Acquire).as_ref() }
}

/// The runtime, or the end of the job with the reason why there is none.
#[must_use]
pub fn check(what: &str) -> &'static Runtime {
    let runtime = present(what);
    log::call(what, None);
    runtime
}

/// The same for who says by himself what is called.
pub(crate) fn present(what: &str) -> &'static Runtime {
    runtime().unwrap_or_else(|| end(what, &absent()))
}

/// Why there is no runtime.
pub(crate) fn absent() -> Error {
    let parent = FORKED_BY.load(Ordering::Acquire);
    if parent != 0 {
        // SAFETY: the call only asks.
        return Error::Forked { child: unsafe { libc::getpid() }, parent };
    }
    if HAS_BEEN.load(Ordering::Acquire) { Error::Finalised } else { Error::NotInitialised }
}

/// Whether there was one.
static HAS_BEEN: AtomicBool = AtomicBool::new(false);

/// From here on [`runtime`] is there.
pub(crate) fn begin(runtime: Box<Runtime>) -> &'static Runtime {
    let runtime = Box::into_raw(runtime);
    RUNTIME.store(runtime, Ordering::Release);
    HAS_BEEN.store(true, Ordering::Release);
    // SAFETY: as in `runtime`.
    unsafe { &*runtime }
}

/// From here on [`runtime`] is not there, in a forked child: what its parent has is not taken down.
pub(crate) fn forget() {
    RUNTIME.store(ptr::null_mut(), Ordering::Release);
}

/// From here on [`runtime`] is not there.
pub(crate) fn finish() -> Option<Box<Runtime>> {
    log::end();
    let runtime = RUNTIME.swap(ptr::null_mut(), Ordering::AcqRel);
    // SAFETY: it was made by `begin`, and nobody else takes it.
    (!runtime.is_null()).then(|| unsafe { Box::from_raw(runtime) })
}

impl Runtime {
    /// Whether this PE waits for what no PE can do any more: said after some seconds. Another thread that looks is enough.
    pub(crate) fn look_for_an_end(&self) -> Option<Error> {
        let mut stuck = self.stuck.try_lock().ok()?;
        let (stuck, pages) = &mut *stuck;
        let page = self.memory.own_control();
        let read = |pe: u32| match (self.memory.control(pe), &self.far) {
            (Some(near), _) => Some(Seen::on(near)),
            // A trace has what the program does, and nothing else.
            (None, Some(far)) if !waits::is_on() => pages.read(far, ptr::from_ref(page).addr(), pe),
            (None, _) => None,
        };
        stuck.look((self.me, self.n_pes), Seen::on(page), Instant::now(), read)
    }

    /// Teams and contexts.
    pub fn made(&self) -> MutexGuard<'_, Made> {
        self.made.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What inlined calls see of a team of so many PEs: nothing where every call has to come here.
    #[must_use]
    pub fn inlined(&self, n_pes: u32) -> u32 {
        if self.debug || log::is_on() { 0 } else { n_pes }
    }

    /// Whether a PE of the world is of this host.
    #[must_use]
    pub fn is_near(&self, pe: u32) -> bool {
        self.near.binary_search(&pe).is_ok()
    }
}
