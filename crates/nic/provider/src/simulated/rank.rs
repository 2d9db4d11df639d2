//! This process as a rank of a simulated run.

use std::cell::Cell;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError, TryLockError};
use std::time::Duration;

use philae_cosim::{Call, ComputeTime, NoTurn, PeerAddress, RankCommand, RankCosts, RunFile, SimulatedRank, WaitKind};

use super::{RUN_VARIABLE, clocks};
use crate::abi::Errno;
use crate::host;
use crate::log::tell;

/// The rank that this process is, while it has an endpoint.
static RANK: Mutex<Option<ProcessRank>> = Mutex::new(None);
/// Threads that wait for [`RANK`].
static WAITING: AtomicUsize = AtomicUsize::new(0);

/// The longest message that its core copies, in bytes.
static COPIED_MAX: AtomicU64 = AtomicU64::new(0);
/// Whether there is one.
static IS_JOINED: AtomicBool = AtomicBool::new(false);
/// How often this process has joined a run.
static JOINED: AtomicU32 = AtomicU32::new(0);

thread_local! {
    /// The thread's processor time at the end of its last call, in ns.
    static WORKED_NS: Cell<u64> = const { Cell::new(0) };
    /// In which of them this thread has had a part: it has opened an endpoint or issued an
    /// operation.
    static PART: Cell<u32> = const { Cell::new(0) };
}

/// Whether this thread has a part in simulated time.
fn has_part() -> bool {
    let part = PART.get();
    part != 0 && part == JOINED.load(Ordering::Relaxed)
}

struct ProcessRank {
    rank: SimulatedRank,
    /// A child of a fork is another one.
    process: u32,
    costs: RankCosts,
    endpoints: usize,
    /// Whether it has had a turn.
    has_begun: bool,
    /// Its calls that were no fruitless looks.
    calls: u32,
    /// Whether it has handed over commands since it gave its turn away.
    has_issued: bool,
    /// Its clock when reading it last gave the turn away.
    given_at: u64,
    /// Threads with a part: with more than one, waits are not collapsed.
    threads: u32,
}

/// How far readings of its clock may take a rank ahead of the fabric, in picoseconds. Source: ours.
/// Status: assumed.
const AHEAD_MAX: u64 = 1_000_000;

/// How a rank that finds nothing waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Pause {
    /// It polls: its program decides whether it goes on.
    Polls {
        /// Whether it awaits something of what it looks at.
        is_awaited: bool,
    },
    /// It waits in a call for its next event, until a time of its clock at most, in picoseconds.
    Waits(Option<u64>),
}

fn lock() -> MutexGuard<'static, Option<ProcessRank>> {
    WAITING.fetch_add(1, Ordering::Relaxed);
    let guard = RANK.lock().unwrap_or_else(PoisonError::into_inner);
    WAITING.fetch_sub(1, Ordering::Relaxed);
    guard
}

/// An endpoint that the coordinator knows, until it is dropped.
#[derive(Debug)]
pub(crate) struct ShownEndpoint(PeerAddress);

impl ShownEndpoint {
    /// Shows an endpoint; the first one makes this process a rank of its run.
    ///
    /// # Errors
    /// The run cannot be joined; why is printed.
    pub fn new(address: PeerAddress) -> Result<Self, Errno> {
        let mut guard = lock();
        let known = match &mut *guard {
            Some(known) => known,
            none => none.insert(ProcessRank::join()?),
        };
        if !known.rank.show_endpoint(address) {
            tell(&format!("philae: a rank of a simulated run has at most {} endpoints", philae_cosim::ENDPOINTS_MAX));
            return Err(libc::ENOSPC);
        }
        known.endpoints += 1;
        known.takes_part();
        Ok(Self(address))
    }
}

impl Drop for ShownEndpoint {
    fn drop(&mut self) {
        let mut guard = lock();
        let Some(known) = &mut *guard else { return };
        if known.process != philae_cosim::process() {
            // This is a child of the rank's process.
            return;
        }
        known.takes_part();
        known.rank.hide_endpoint(self.0);
        known.endpoints -= 1;
        if known.endpoints == 0 {
            if known.has_begun {
                clocks::detach(known.rank.clock());
            }
            // This leaves the run.
            *guard = None;
            IS_JOINED.store(false, Ordering::Relaxed);
        }
    }
}

impl ProcessRank {
    fn join() -> Result<Self, Errno> {
        let failed = |what: String| {
            tell(&format!("philae: this process cannot take part in a simulated run: {what}"));
            libc::ENODEV
        };
        let path = std::env::var_os(RUN_VARIABLE).ok_or_else(|| failed(format!("{RUN_VARIABLE} is not set")))?;
        let run = RunFile::open(Path::new(&path)).map_err(|error| failed(error.to_string()))?;
        let number = host::rank().ok_or_else(|| {
            failed("no launcher has set its rank (PHILAE_RANK, PMI_RANK, PMIX_RANK or OMPI_COMM_WORLD_RANK)".to_owned())
        })?;
        if number >= run.ranks() {
            return Err(failed(format!("it is rank {number}, and the run has ranks 0 to {}", run.ranks() - 1)));
        }
        let rank = SimulatedRank::join(&run, number).map_err(|error| failed(error.to_string()))?;
        JOINED.fetch_add(1, Ordering::Relaxed);
        IS_JOINED.store(true, Ordering::Relaxed);
        let costs = rank.costs();
        COPIED_MAX.store(costs.copied_max, Ordering::Relaxed);
        let process = philae_cosim::process();
        Ok(Self {
            rank,
            process,
            costs,
            endpoints: 0,
            has_begun: false,
            calls: 0,
            has_issued: false,
            given_at: 0,
            threads: 0,
        })
    }

    /// Notes that this thread has a part.
    fn takes_part(&mut self) {
        if !has_part() {
            PART.set(JOINED.load(Ordering::Relaxed));
            self.threads += 1;
            self.rank.show_threads(self.threads);
            WORKED_NS.set(thread_ns());
        }
    }

    /// Makes `work` with the turn. `counts`: whether computation before the call passes.
    fn with_turn<T>(&mut self, counts: bool, work: impl FnOnce(&mut Call<'_>) -> T) -> Result<T, NoTurn> {
        if self.process != philae_cosim::process() {
            return Err(NoTurn::Child { rank: self.rank.number() });
        }
        self.takes_part();
        let computed = if counts { self.computed() } else { 0 };
        let is_first = !self.has_begun;
        let mut call = self.rank.enter()?;
        call.pass(computed);
        let result = work(&mut call);
        drop(call);
        if is_first {
            self.has_begun = true;
            clocks::attach(self.rank.clock());
        }
        if matches!(self.costs.compute, ComputeTime::Processor(_)) {
            WORKED_NS.set(thread_ns());
        }
        Ok(result)
    }

    /// The time since the last call of the thread, as the run counts it, in picoseconds.
    fn computed(&self) -> u64 {
        match self.costs.compute {
            ComputeTime::None => 0,
            ComputeTime::Fixed(time) => time,
            ComputeTime::Processor(factor) => thread_ns().saturating_sub(WORKED_NS.get()).saturating_mul(factor),
        }
    }
}

/// The processor time of this thread, in ns.
fn thread_ns() -> u64 {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: there is room for the time.
    unsafe { libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, &raw mut time) };
    time.tv_sec as u64 * 1_000_000_000 + time.tv_nsec as u64
}

/// Ends this process if the run has ended without it.
fn checked<T>(result: Result<T, NoTurn>) -> Result<T, Errno> {
    result.map_err(|error| {
        if error == NoTurn::CoordinatorGone {
            // It could only wait forever, or poll.
            // SAFETY: it asks this process to end.
            unsafe { libc::kill(libc::getpid(), libc::SIGTERM) };
        }
        libc::EIO
    })
}

/// Hands a command to the coordinator, with a copy of its bytes if there are any.
///
/// # Errors
/// This process has no part in the run (any more).
pub(crate) fn issue(command: RankCommand, bytes: Option<&[u8]>) -> Result<(), Errno> {
    let mut guard = lock();
    let known = guard.as_mut().ok_or(libc::EIO)?;
    known.calls = known.calls.wrapping_add(1);
    known.has_issued = true;
    let issued = known.with_turn(true, |call| {
        while call.hand_over(command, bytes).is_err() {
            call.give(WaitKind::Full, None)?;
        }
        Ok(())
    });
    checked(issued.flatten())
}

/// What there was when an object was last looked at without a result: if nothing has happened since
/// then, and the rank has done nothing else, it has looked everywhere and waits.
#[derive(Debug, Default)]
pub(crate) struct LookMark {
    mark: AtomicU64,
    /// Looks with this mark.
    looks: AtomicU32,
}

/// Looks of a program that awaits nothing, before it waits all the same: it flushes windows one
/// after the other, for instance, and each looks once. Source: ours. Status: assumed.
const LOOKS_MAX: u32 = 16;

impl LookMark {
    /// A mark of events and calls; 0 is none.
    fn of(news: u32, calls: u32) -> u64 {
        u64::from(news) << 32 | u64::from(calls) | 1 << 31
    }
}

/// A look for completions has found nothing: the rank waits, and looks once more when this returns.
/// False: the time of its wait is over.
pub(crate) fn found_nothing(pause: Pause, mark: &LookMark) -> bool {
    let mut guard = lock();
    let Some(known) = guard.as_mut() else { return true };
    let (poll, calls, has_others) = (known.costs.poll, known.calls, known.threads > 1);
    let marked = mark.mark.load(Ordering::Relaxed);
    let is_again = marked as u32 == LookMark::of(0, calls) as u32;
    known.has_issued = false;
    let waited = known.with_turn(!is_again, |call| {
        // What comes from now on, this look has not seen.
        let news = call.news();
        let is_same = marked == LookMark::of(news, calls);
        let looks = if is_same { mark.looks.load(Ordering::Relaxed) + 1 } else { 0 };
        mark.looks.store(looks, Ordering::Relaxed);
        match pause {
            // The fabric reaches the rank's clock. Other objects may have what has come meanwhile.
            _ if !is_same || has_others || looks < LOOKS_MAX && pause == (Pause::Polls { is_awaited: false }) => {
                call.pass(poll);
                call.give(WaitKind::Now, None)?;
            }
            Pause::Polls { .. } => call.give(WaitKind::Poll, None)?,
            Pause::Waits(deadline) => call.give(WaitKind::Event, deadline)?,
        }
        mark.mark.store(LookMark::of(news, calls), Ordering::Relaxed);
        Ok(call.clock())
    });
    drop(guard);
    if WAITING.load(Ordering::Relaxed) > 0 {
        // The lock is not fair: another thread comes first.
        std::thread::sleep(Duration::from_micros(20));
    }
    match (checked(waited.flatten()), pause) {
        (Ok(clock), Pause::Waits(Some(deadline))) => clock < deadline,
        _ => true,
    }
}

/// The receives among completions that a look has found.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct FoundReceives {
    count: u64,
    /// Bytes of messages that the host's core copies.
    copied: u64,
}

impl FoundReceives {
    /// Counts a message.
    pub fn add(&mut self, length: u64, copied_max: u64) {
        self.count += 1;
        self.copied += if length <= copied_max { length } else { 0 };
    }
}

/// The longest message that the host's core copies, in bytes.
pub(crate) fn copied_max() -> u64 {
    COPIED_MAX.load(Ordering::Relaxed)
}

/// Completions have been found.
pub(crate) fn found(receives: FoundReceives) {
    let mut guard = lock();
    let Some(known) = guard.as_mut() else { return };
    known.calls = known.calls.wrapping_add(1);
    let RankCosts { receive, copy, .. } = known.costs;
    let cost = receive.saturating_mul(receives.count).saturating_add(copy.saturating_mul(receives.copied) / 1_024);
    let _ = checked(known.with_turn(true, |call| call.pass(cost)));
}

/// The rank's clock, in picoseconds; reading it takes its time. `None`: this thread has no part in
/// simulated time.
pub(super) fn read_clock() -> Option<u64> {
    if !has_part() {
        return None;
    }
    let mut guard = match RANK.try_lock() {
        Ok(guard) => guard,
        Err(TryLockError::Poisoned(poisoned)) => poisoned.into_inner(),
        // In a call of this thread, or of another: the clock as it is.
        Err(TryLockError::WouldBlock) => return clocks::last_read(),
    };
    let known = guard.as_mut().filter(|known| known.has_begun)?;
    let (cost, has_issued) = (known.costs.clock, std::mem::take(&mut known.has_issued));
    let given_at = known.given_at;
    let read = known.with_turn(true, |call| {
        call.pass(cost);
        // Operations take time on the rank's core, which the fabric knows; and a loop that looks at
        // a clock and at memory sees what arrives.
        if has_issued || call.clock().saturating_sub(given_at) > AHEAD_MAX {
            call.give(WaitKind::Now, None)?;
        }
        Ok(call.clock())
    });
    known.given_at = if has_issued || known.rank.clock().saturating_sub(given_at) > AHEAD_MAX {
        known.rank.clock()
    } else {
        given_at
    };
    known.calls = known.calls.wrapping_add(1);
    read.flatten().ok()
}

/// The rank's clock without the costs of reading it, for the deadline of a wait.
pub(crate) fn clock() -> u64 {
    lock().as_ref().map_or(0, |known| known.rank.clock())
}

/// Whether this process is a rank of a simulated run now.
#[inline]
pub(crate) fn is_joined() -> bool {
    IS_JOINED.load(Ordering::Relaxed)
}

/// Lets this much simulated time pass. False: this thread has no part in it.
pub(super) fn sleep(picoseconds: u64) -> bool {
    if !has_part() {
        return false;
    }
    let mut guard = lock();
    let Some(known) = guard.as_mut().filter(|known| known.has_begun) else { return false };
    (known.calls, known.has_issued) = (known.calls.wrapping_add(1), false);
    let slept = known.with_turn(true, |call| {
        let until = call.clock().saturating_add(picoseconds);
        while call.clock() < until {
            call.give(WaitKind::Sleep, Some(until))?;
        }
        Ok(())
    });
    checked(slept.flatten()).is_ok()
}
