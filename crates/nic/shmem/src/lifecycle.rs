//! The life of a PE: initialisation, finalisation, and reinitialisation; the end of a job by an
//! error or by `shmem_global_exit`.

use std::ffi::{c_char, c_int, c_void};
use std::ops::Range;
use std::ptr::{self, NonNull};
use std::sync::atomic::{AtomicBool, AtomicI32, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::abi::{CTX_DEFAULT, HERE, TEAM_SHARED, TEAM_WORLD, TeamHandle, state};
use crate::collective;
use crate::collective::remote::RemoteTransport;
use crate::ctx::ShmemContext;
use crate::ending::{self, EXIT_CODE, abort, end, end_job, is_ending, let_launcher_end_this};
use crate::error::{Error, name, say};
use crate::info;
use crate::job::{JobAgreement, ShmemJob};
use crate::local::death::Deaths;
use crate::local::lock::Locks;
use crate::local::wait::SlowPart;
use crate::log;
use crate::memory::{self, SHARED_SLOT, SymmetricMemory, TEAM_SLOTS, WORLD_SLOT};
use crate::remote::{self, AtomicsBy, CollectiveTransport, Introduced, ProviderAtomics, RemoteNetwork, RemoteSettings};
use crate::runtime::{
    self, AtomicsRule, CallModes, JobHosts, LiveObjects, LongWaits, Runtime, ShmemObjects, ThreadLevel, check,
};
use crate::settings::ShmemSettings;
use crate::team::{Team, TeamConfig, TeamMembers};

/// Initialisations without a finalisation yet. The lock keeps threads from initialising or
/// finalising at the same time.
static DEPTH: Mutex<u32> = Mutex::new(0);

fn depth() -> MutexGuard<'static, u32> {
    DEPTH.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The level with this number.
fn level(requested: c_int) -> Option<ThreadLevel> {
    use ThreadLevel::{Funneled, Multiple, Serialized, Single};
    [Single, Funneled, Serialized, Multiple].into_iter().find(|&level| level as c_int == requested)
}

/// `shmem_init` and `shmem_init_thread`. Every call has its `shmem_finalize`. The last of these
/// finalises the library, and a later call initialises it again.
///
/// # Safety
/// `what` is a C string that stays valid; `provided` is null or has room for a number.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn philae_shmem_init(what: *const c_char, requested: c_int, provided: *mut c_int) -> c_int {
    // SAFETY: as the caller promises.
    let what = unsafe { name(what) };
    let mut depth = depth();
    let Some(wanted) = level(requested) else {
        let works = "SHMEM_THREAD_SINGLE, FUNNELED, SERIALIZED and MULTIPLE would work";
        end(what, &Error::Argument { what: "requested", found: requested.to_string(), works });
    };
    let given = match runtime::runtime() {
        Some(runtime) => runtime.modes.thread_level,
        None => match begin(wanted) {
            Ok(runtime) => {
                info::at_start(runtime);
                runtime.modes.thread_level
            }
            Err(error) => {
                drop(depth);
                end(what, &error)
            }
        },
    };
    log::call(what, None);
    *depth += 1;
    if !provided.is_null() {
        // SAFETY: as the caller promises.
        unsafe { *provided = given as c_int };
    }
    0
}

/// `start_pes`: a second call does nothing.
///
/// # Safety
/// `what` is a C string that stays valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn philae_shmem_start_pes(what: *const c_char) {
    if runtime::runtime().is_none() {
        // SAFETY: as the caller promises.
        unsafe { philae_shmem_init(what, ThreadLevel::Single as c_int, ptr::null_mut()) };
    }
}

/// What a long wait does besides waiting.
struct Slow;

impl SlowPart for Slow {
    fn progress(&self) -> bool {
        let Some(remote) = runtime::runtime().and_then(|runtime| runtime.remote.as_ref()) else { return false };
        remote.progress().unwrap_or_else(|error| end("shmem", &error.into()))
    }

    fn silent_writers(&self) -> bool {
        runtime::runtime().is_some_and(|runtime| runtime.remote.is_some())
    }

    fn dead(&self) -> Option<Error> {
        let runtime = runtime::runtime()?;
        let orphaned = || runtime.job.is_orphaned().then_some(Error::Orphaned);
        let died = runtime.hosts.deaths.look(|pe| runtime.memory.control(pe));
        died.or_else(orphaned).or_else(|| runtime.look_for_an_end())
    }
}

/// Initialises the library from scratch.
fn begin(thread_level: ThreadLevel) -> Result<&'static Runtime, Error> {
    if let absent @ Error::Forked { .. } = runtime::absent() {
        return Err(absent);
    }
    ending::set_farewell(farewell);
    memory::set_at_fork(is_forked);
    let settings = ShmemSettings::read()?;
    let job = ShmemJob::join()?;
    at_exit_once()?;
    let remote_settings = RemoteSettings::read(&|name| std::env::var(name).ok())?;
    let mut agreed = JobAgreement::reach(job, &settings, thread_level == ThreadLevel::Multiple)?;
    let hosts = std::mem::take(&mut agreed.hosts);
    agreed.hosts = groups(job, &remote_settings, &hosts)?;
    let mut memory = SymmetricMemory::open(job, &settings, &agreed)?;
    collective::introduce(&memory, job.me);
    // SAFETY: the call only queries.
    let pid = unsafe { libc::getpid() };
    let control = memory.own_control();
    control.pid.store(pid, Ordering::Release);
    let local = agreed.local(job.me);
    // All PEs have mapped each other's memory.
    job.barrier()?;
    memory.close();
    let deaths = Deaths::of(memory.processes.iter().copied());
    let remote = open_remote(job, &remote_settings, &memory, &hosts, &agreed.hosts)?;
    let transport = match &remote {
        Some(remote) => Some(Arc::new(CollectiveTransport(remote.context()?)) as Arc<dyn RemoteTransport>),
        None => None,
    };
    let (by, why) = who_does_atomics(&remote_settings, remote.as_ref(), &hosts, &agreed.hosts);
    let atomics = AtomicsRule { by, why };
    let means = collective::means(&memory, job.me, &local, Arc::new(Slow), transport, agreed.debug);
    let mut means = means.ok_or_else(|| Error::Memory("this PE's own memory is not mapped".to_owned()))?;
    // While one thread waits, other threads of the PE may make progress.
    means.waiting.is_all = !agreed.threads;
    let team = |members: Vec<u32>, slot: u32, handle: &'static TeamHandle| {
        let members = TeamMembers::new(members);
        let me = members.number(job.me).unwrap_or(0);
        Box::new(Team::new(members, me, slot, TeamConfig::default(), NonNull::from(handle), &memory))
    };
    // SAFETY: the objects live as long as the process, and consist of atomics.
    let (world_handle, shared_handle, default_handle) = unsafe { (&TEAM_WORLD, &TEAM_SHARED, &CTX_DEFAULT) };
    let world = team((0..job.n_pes).collect(), WORLD_SLOT, world_handle);
    let shared = team(local.to_vec(), SHARED_SLOT, shared_handle);
    let context = Box::new(ShmemContext::new(NonNull::from(default_handle), NonNull::from(&*world), 0, None));
    let mut made = LiveObjects { free_slots: [u64::MAX; TEAM_SLOTS / 64], ..LiveObjects::default() };
    made.free_slots[0] &= !(1 << WORLD_SLOT | 1 << SHARED_SLOT);
    let ranks = settings.log.ranks.as_deref();
    if ranks.is_none_or(|ranks| ranks.iter().any(|&(first, last)| (first..=last).contains(&job.me))) {
        log::begin(settings.log.level, settings.log.categories);
    }
    let runtime = runtime::begin(Box::new(Runtime {
        me: job.me,
        n_pes: job.n_pes,
        job,
        settings,
        modes: CallModes { thread_level, debug: agreed.debug, threads: agreed.threads },
        hosts: JobHosts { first: agreed.hosts, local, deaths },
        waits: LongWaits { means, stuck: Mutex::default() },
        objects: ShmemObjects { world, shared, context, locks: Locks::default(), made: Mutex::new(made) },
        remote,
        atomics,
        memory,
    }));
    show(runtime);
    runtime.memory.own_control().state.store(state::RUNNING, Ordering::Release);
    // A PE that returns from initialisation finds all others ready.
    job.barrier()?;
    job.tell(true);
    Ok(runtime)
}

/// The groups of PEs that share memory: hosts, or parts of them if the environment asks for the NIC
/// within a host.
fn groups(job: &ShmemJob, settings: &RemoteSettings, hosts: &[u32]) -> Result<Box<[u32]>, Error> {
    let groups = settings.locality.groups(hosts);
    let told: Vec<u8> = groups.iter().flat_map(|first| first.to_le_bytes()).collect();
    let other = job.exchange(&told)?.iter().position(|others| *others != told);
    match other {
        None => Ok(groups),
        Some(pe) => Err(Error::Mismatch(format!(
            "SHMEM_LOCALITY_ONNODE, SHMEM_LOCALITY_OFFNODE or SHMEM_SMP_SIZE_LIMIT differ on PE {} and PE {pe}; the \
             same on every PE would work",
            job.me
        ))),
    }
}

/// Opens the path to PEs that do not share memory with this one, if there are any.
fn open_remote(
    job: &ShmemJob,
    settings: &RemoteSettings,
    memory: &SymmetricMemory,
    hosts: &[u32],
    groups: &[u32],
) -> Result<Option<RemoteNetwork>, Error> {
    if groups.iter().all(|&first| first == groups[0]) {
        return Ok(None);
    }
    let has_other_hosts = hosts.iter().any(|&first| first != hosts[0]);
    let range = |range: Range<usize>| remote::LocalRange { begin: range.start, bytes: range.len() };
    let ranges = [range(memory.segment()), range(memory.data.clone())];
    Ok(Some(RemoteNetwork::open(settings, &Introduced { job, hosts }, &ranges, has_other_hosts)?))
}

/// Decides which agent carries out atomic operations on PEs of this host: the same on all of them.
fn who_does_atomics(
    settings: &RemoteSettings,
    remote: Option<&RemoteNetwork>,
    hosts: &[u32],
    groups: &[u32],
) -> (AtomicsBy, &'static str) {
    let on_other_hosts = hosts.iter().any(|&first| first != hosts[0]);
    let on_this_host = groups != hosts;
    let provider = remote.map_or_else(ProviderAtomics::default, RemoteNetwork::atomics);
    remote::atomics_by(settings.atomics, on_other_hosts, on_this_host, provider)
}

/// Makes the runtime visible to programs.
fn show(runtime: &Runtime) {
    let (heap, data) = (&runtime.memory.heap, &runtime.memory.data);
    let here = &raw mut HERE;
    // SAFETY: no other thread calls while a PE initialises; the fields are plain numbers.
    unsafe {
        (*here).heap = heap.start;
        (*here).heap_bytes = heap.len();
        (*here).data = data.start;
        (*here).data_bytes = data.len();
        (*here).control = ptr::from_ref(runtime.memory.own_control()).cast_mut();
        (*here).local_atomics = u32::from(runtime.atomics.by == AtomicsBy::Processor);
        (*here).me = runtime.me as i32;
        (*here).n_pes = runtime.n_pes as i32;
        (*here).tells_waits = u32::from(remote::waits::is_on());
    }
    runtime.objects.world.show();
    runtime.objects.shared.show();
    runtime.objects.context.show(runtime.inlined(runtime.n_pes));
}

/// Hides the runtime from programs.
fn hide() {
    let here = &raw mut HERE;
    // SAFETY: as in `show`.
    unsafe {
        CTX_DEFAULT.n_pes.store(0, Ordering::Release);
        CTX_DEFAULT.library.store(ptr::null_mut(), Ordering::Release);
        for team in [&TEAM_WORLD, &TEAM_SHARED] {
            team.library.store(ptr::null_mut(), Ordering::Release);
            team.me.store(-1, Ordering::Release);
            team.n_pes.store(-1, Ordering::Release);
        }
        (*here).heap_bytes = 0;
        (*here).data_bytes = 0;
        (*here).me = -1;
        (*here).n_pes = -1;
        (*here).control = ptr::null_mut();
    }
}

/// `shmem_finalize`.
///
/// # Safety
/// `what` is a C string that stays valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn philae_shmem_finalize(what: *const c_char) {
    // SAFETY: as the caller promises.
    let what = unsafe { name(what) };
    let mut depth = depth();
    let runtime = check(what);
    if *depth > 1 {
        *depth -= 1;
        return;
    }
    if let Err(error) = leave(runtime, state::FINALISING) {
        drop(depth);
        end(what, &error);
    }
    *depth = 0;
}

/// Waits for all PEs, and takes the runtime down. `how`: one of [`state`].
fn leave(runtime: &'static Runtime, how: u32) -> Result<(), Error> {
    crate::rma::complete(runtime, "shmem_finalize");
    runtime.memory.own_control().state.store(how, Ordering::Release);
    collective::sync_last(runtime)?;
    if remote::is_simulated() {
        // What waits for a process manager is outside of simulated time, so this PE only waits
        // until its own notices are there; those of others were, or the barrier would not have
        // ended.
        crate::rma::complete(runtime, "shmem_finalize");
    } else if runtime.remote.is_some() {
        // The notices of the last barrier are still in flight: endpoints stay open until all PEs
        // have them.
        runtime.job.barrier()?;
    }
    // Later errors of this PE are of no concern, because no PE waits for it.
    let (job, control) = (runtime.job, runtime.memory.own_control());
    control.state.store(state::FINALISED, Ordering::Release);
    control.ring();
    hide();
    let made = std::mem::take(&mut *runtime.made());
    for context in made.contexts {
        // SAFETY: this library made it and has not destroyed it; the standard forbids its further
        // use.
        unsafe { ShmemContext::dissolve(context) };
    }
    for team in made.teams {
        // SAFETY: as above.
        unsafe { Team::dissolve(team) };
    }
    drop(runtime::finish());
    remote::waits::end();
    job.tell(false);
    Ok(())
}

/// `shmem_global_exit`: all PEs end with this code.
///
/// # Safety
/// `what` is a C string that stays valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn philae_shmem_global_exit(what: *const c_char, status: c_int) -> ! {
    // SAFETY: as the caller promises.
    let what = unsafe { name(what) };
    let _ = check(what);
    end_job(status, state::FAILED)
}

/// Tells the PEs of this host how this one ends.
fn failed(runtime: &Runtime, code: i32, how: u32) {
    let control = runtime.memory.own_control();
    control.exit_code.store(code, Ordering::Release);
    control.state.store(how, Ordering::Release);
    for &pe in &runtime.hosts.local {
        if let Some(control) = runtime.memory.control(pe) {
            control.ring();
        }
    }
}

/// Tells the PEs of this host how this one ends, if it has a runtime; returns whether a core dump
/// is wanted.
fn farewell(code: i32, how: u32) -> bool {
    let Some(runtime) = runtime::runtime() else { return false };
    failed(runtime, code, how);
    runtime.settings.abort_on_error
}

/// Marks the child of a fork, which is not a PE.
fn is_forked() {
    runtime::forget();
    hide();
}

/// Handles the end of the process: an exit without `shmem_finalize` finalises, and one with an
/// error tells the other PEs.
fn at_exit_once() -> Result<(), Error> {
    static DONE: AtomicBool = AtomicBool::new(false);
    static PROCESS: AtomicI32 = AtomicI32::new(0);
    unsafe extern "C" fn at_exit(code: c_int, _: *mut c_void) {
        // SAFETY: the call only queries. A forked child has nothing to finalise.
        if unsafe { libc::getpid() } != PROCESS.load(Ordering::Acquire) {
            return;
        }
        if is_ending() {
            return;
        }
        if let Some(runtime) = runtime::runtime() {
            if code == 0 {
                if let Err(error) = leave(runtime, state::EXITING) {
                    if matches!(error, Error::PeDied { .. } | Error::Orphaned) {
                        let_launcher_end_this();
                    }
                    say("exit", &error.to_string());
                    failed(runtime, EXIT_CODE, state::FOLLOWED);
                    abort(runtime.job, EXIT_CODE);
                    // SAFETY: exit handlers are running already, so only this call can end the
                    // process.
                    unsafe { libc::_exit(EXIT_CODE) };
                }
            } else {
                // A process that is ended because another has failed, by a signal that it handles,
                // reports nothing.
                let follows =
                    runtime.job.is_orphaned() || runtime.hosts.deaths.look(|pe| runtime.memory.control(pe)).is_some();
                if !follows {
                    let line = format!("ends with code {code} before shmem_finalize: the job is ended");
                    say("exit", &line);
                }
                failed(runtime, code, if follows { state::FOLLOWED } else { state::FAILED });
                abort(runtime.job, code);
                return;
            }
        }
        if let Some(job) = ShmemJob::joined() {
            job.leave();
        }
    }
    if DONE.swap(true, Ordering::AcqRel) {
        return Ok(());
    }
    // SAFETY: the call only queries.
    PROCESS.store(unsafe { libc::getpid() }, Ordering::Release);
    unsafe extern "C" {
        fn on_exit(function: unsafe extern "C" fn(c_int, *mut c_void), argument: *mut c_void) -> c_int;
    }
    // SAFETY: the function is part of this process as long as it lives.
    if unsafe { on_exit(at_exit, ptr::null_mut()) } != 0 {
        return Err(Error::Memory("no room to note what has to be done at exit".to_owned()));
    }
    Ok(())
}

/// The number of initialisations without a finalisation yet.
#[unsafe(no_mangle)]
pub extern "C" fn philae_shmem_initialized() -> c_int {
    if runtime::runtime().is_some() { *depth() as c_int } else { 0 }
}

/// `shmem_query_thread`.
///
/// # Safety
/// `what` is a C string that stays valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn philae_shmem_thread_level(what: *const c_char) -> c_int {
    // SAFETY: as the caller promises.
    check(unsafe { name(what) }).modes.thread_level as c_int
}

/// `shmem_my_pe`, if the inlined read had no answer.
///
/// # Safety
/// `what` is a C string that stays valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn philae_shmem_my_pe(what: *const c_char) -> c_int {
    // SAFETY: as the caller promises.
    check(unsafe { name(what) }).me as c_int
}

/// `shmem_n_pes`, if the inlined read had no answer.
///
/// # Safety
/// `what` is a C string that stays valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn philae_shmem_n_pes(what: *const c_char) -> c_int {
    // SAFETY: as the caller promises.
    check(unsafe { name(what) }).n_pes as c_int
}
