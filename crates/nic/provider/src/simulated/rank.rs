//! This process as a rank of a simulated run.

use std::collections::HashMap;
use std::path::Path;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};

use philae_cosim::{NoTurn, PeerAddress, RankCommand, RankCosts, RunFile, SimulatedRank, WaitKind};
use philae_nic_core::nic::Criteria;

use super::turn::{
    self, ProcessRank, RankGuard, RankTurn, ThreadWait, another_wants_in, has_given, has_part, lock, try_lock,
    wait_along, yield_to_others,
};
use super::{RUN_VARIABLE, clocks};
use crate::abi::Errno;
use crate::host;
use crate::log::tell;

/// The longest message that its core copies, in bytes.
static COPIED_MAX: AtomicU64 = AtomicU64::new(0);

/// Picoseconds in a nanosecond.
const PICOSECONDS: u64 = 1_000;
/// How far readings of its clock may take a rank ahead of the fabric, in picoseconds. Source: ours.
/// Status: assumed.
const AHEAD_MAX: u64 = 1_000_000;
/// Fruitless looks in a row that cost no switch to the fabric and, after the first, no time: a
/// library may find in memory what it moves there itself, and looks at other objects. Source: ours.
/// Status: assumed.
const LOOKS: u32 = 3;
/// Fruitless looks in a row before a wait while other threads of the process are neither in a call
/// nor wait: between them the library lets go of its lock. Source: ours. Status: assumed.
const LOOKS_SHARED: u32 = 16;
/// With more commands that the fabric does not have yet, a look lets the fabric reach the rank's
/// clock: commands take time on its core. Source: ours. Status: assumed.
const FEW: u32 = 1;

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
    /// It tries a call again for which there was no room.
    Retries,
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
            none => none.insert(join()?),
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
        if known.endpoints > 0 {
            return;
        }
        if known.has_given() {
            // Another thread waits in a call.
            match RankTurn::take(guard, false) {
                Ok(turn) => guard = turn.into_guard(),
                // The run is over.
                Err(_) => return,
            }
        }
        // It may have opened one meanwhile.
        let Some(known) = guard.as_ref().filter(|known| known.endpoints == 0) else { return };
        if known.has_begun {
            clocks::detach(known.rank.clock());
        }
        // This leaves the run.
        *guard = None;
        turn::IS_JOINED.store(false, Ordering::Relaxed);
    }
}

/// Makes this process a rank of its run.
fn join() -> Result<ProcessRank, Errno> {
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
    turn::JOINED.fetch_add(1, Ordering::Relaxed);
    turn::IS_JOINED.store(true, Ordering::Relaxed);
    let rank = ProcessRank::new(rank);
    COPIED_MAX.store(rank.costs.copied_max, Ordering::Relaxed);
    Ok(rank)
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
    let guard = lock();
    if guard.is_none() {
        return Err(libc::EIO);
    }
    checked(hand_over(guard, command, bytes))
}

fn hand_over(guard: RankGuard, command: RankCommand, bytes: Option<&[u8]>) -> Result<(), NoTurn> {
    let mut turn = RankTurn::take(guard, true)?;
    while turn.hand_over(command, bytes).is_err() {
        turn = turn.give_for(WaitKind::Full)?;
    }
    let known = turn.known();
    (known.calls, known.issued, known.looks) = (known.calls.wrapping_add(1), known.issued + 1, 0);
    Ok(())
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
const LOOKS_MAX: u32 = 256;

impl LookMark {
    /// A mark of events and calls; 0 is none.
    fn of(news: u32, calls: u32) -> u64 {
        u64::from(news) << 32 | u64::from(calls) | 1 << 31
    }
}

/// A look for completions has found nothing: the rank waits, and looks once more when this returns.
/// False: the time of its wait is over.
pub(crate) fn found_nothing(pause: Pause, mark: &LookMark) -> bool {
    let guard = lock();
    if guard.is_none() {
        return true;
    }
    let waited = wait_for_news(guard, pause, mark);
    yield_to_others();
    match (checked(waited), pause) {
        (Ok(clock), Pause::Waits(Some(deadline))) => clock < deadline,
        _ => true,
    }
}

/// Returns the rank's clock.
fn wait_for_news(mut guard: RankGuard, pause: Pause, mark: &LookMark) -> Result<u64, NoTurn> {
    let Some(known) = guard.as_mut() else { return Ok(0) };
    let (poll, calls, marked) = (known.costs.poll, known.calls, mark.mark.load(Ordering::Relaxed));
    let wait = match pause {
        Pause::Polls { .. } | Pause::Retries => ThreadWait { kind: WaitKind::Poll, deadline: known.poll_limit() },
        Pause::Waits(deadline) => ThreadWait { kind: WaitKind::Event, deadline },
    };
    if known.has_given() && known.process == philae_cosim::process() {
        // Another thread waits already.
        let (seen, now) = (LookMark::of(known.rank.news(), calls), known.rank.clock());
        if marked != seen {
            mark.mark.store(seen, Ordering::Relaxed);
            return Ok(now);
        }
        if known.is_waited_for(wait) {
            known.takes_part();
            wait_along(guard, wait);
            return Ok(clock());
        }
    }
    let has_computed = known.has_computed();
    let is_again = marked as u32 == LookMark::of(0, calls) as u32 && !has_computed;
    let mut turn = RankTurn::take(guard, !is_again)?;
    // What comes from now on, this look has not seen.
    let (news, calls) = (turn.known().rank.news(), turn.known().calls);
    let is_marked = marked == LookMark::of(news, calls) && !has_computed;
    let known = turn.known();
    known.looks = if has_computed { 1 } else { known.looks + 1 };
    let (looks, issued) = (known.looks, known.issued);
    if !is_marked {
        known.patience.goes_on();
    }
    let same = if is_marked { mark.looks.load(Ordering::Relaxed) + 1 } else { 0 };
    mark.looks.store(same, Ordering::Relaxed);
    // A library may look while it has a lock that another thread waits for.
    let looks_shared = if turn.known().others_are_away() { LOOKS_SHARED } else { 0 };
    // It may have what it wants, and look at something else.
    let has_all = pause == Pause::Polls { is_awaited: false } && same < LOOKS_MAX;
    if looks == 1 || has_all {
        turn.pass(poll);
    }
    if has_all && looks > LOOKS || !is_marked && (issued > FEW || looks > LOOKS || pause == Pause::Retries) {
        // The fabric reaches the rank's clock. Other objects may have what has come meanwhile.
        turn = turn.give_for(WaitKind::Now)?;
    } else if is_marked && same > looks_shared && looks > LOOKS && !has_all && !another_wants_in() {
        let patience = &mut turn.known().patience;
        if matches!(pause, Pause::Polls { .. }) {
            patience.waits()
        } else {
            patience.goes_on()
        }
        turn = turn.wait(wait, news)?;
    }
    mark.mark.store(LookMark::of(news, calls), Ordering::Relaxed);
    Ok(turn.clock())
}

/// The looks for messages of an endpoint that have found none.
#[derive(Debug, Default)]
pub(crate) struct PeekMarks(Mutex<HashMap<(bool, Criteria), LookMark>>);

/// Looks with different criteria that an endpoint remembers: without a mark, a wait is not
/// collapsed. Source: ours. Status: assumed.
const PEEK_MARKS_MAX: usize = 256;

impl PeekMarks {
    /// A look for a message with these criteria has found none.
    pub fn found_nothing(&self, is_tagged: bool, criteria: Criteria) {
        let mark = {
            let mut marks = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            if marks.len() >= PEEK_MARKS_MAX {
                marks.clear();
            }
            marks.remove(&(is_tagged, criteria)).unwrap_or_default()
        };
        let _ = found_nothing(Pause::Polls { is_awaited: true }, &mark);
        self.0.lock().unwrap_or_else(PoisonError::into_inner).insert((is_tagged, criteria), mark);
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
    let guard = lock();
    let Some(known) = guard.as_ref() else { return };
    let RankCosts { receive, copy, .. } = known.costs;
    let cost = receive.saturating_mul(receives.count).saturating_add(copy.saturating_mul(receives.copied) / 1_024);
    let taken = RankTurn::take(guard, true).map(|mut turn| {
        turn.pass(cost);
        let known = turn.known();
        (known.calls, known.looks) = (known.calls.wrapping_add(1), 0);
    });
    let _ = checked(taken);
}

/// The rank's clock, in picoseconds; reading it takes its time. `None`: this thread has no part in
/// simulated time.
pub(super) fn read_clock() -> Option<u64> {
    if !has_part() {
        return None;
    }
    // In a call of this thread, or of another: the clock as it is.
    let Some(guard) = try_lock().filter(|_| !has_given()) else { return clocks::last_read() };
    if !guard.as_ref().is_some_and(|known| known.has_begun) {
        return None;
    }
    RankTurn::take(guard, true).and_then(pass_reading).ok()
}

fn pass_reading(mut turn: RankTurn) -> Result<u64, NoTurn> {
    let known = turn.known();
    let (cost, given_at, has_issued) = (known.costs.clock, known.given_at, known.issued > 0);
    known.calls = known.calls.wrapping_add(1);
    turn.pass(cost);
    // Operations take time on the rank's core, which the fabric knows; and a loop that looks at a
    // clock and at memory sees what arrives.
    if has_issued || turn.clock().saturating_sub(given_at) > AHEAD_MAX {
        turn = turn.give_for(WaitKind::Now)?;
    }
    Ok(turn.clock())
}

/// For a trace: the rank's clock, and its computation since the last question, in ns. Both are 0
/// before its process joins its run, and after that. `None`: it is no process of a simulated run.
pub(crate) fn traced() -> Option<(u64, u64)> {
    static IS_SIMULATED: OnceLock<bool> = OnceLock::new();
    if !IS_SIMULATED.get_or_init(|| std::env::var_os(RUN_VARIABLE).is_some()) {
        return None;
    }
    let mut guard = lock();
    let Some(known) = &mut *guard else { return Some((0, 0)) };
    let computed = known.untraced / PICOSECONDS;
    known.untraced %= PICOSECONDS;
    Some((known.rank.clock() / PICOSECONDS, computed))
}

/// The rank's clock without the costs of reading it, for the deadline of a wait.
pub(crate) fn clock() -> u64 {
    lock().as_ref().map_or(0, |known| known.rank.clock())
}

/// Whether this process is a rank of a simulated run now.
#[inline]
pub(crate) fn is_joined() -> bool {
    turn::IS_JOINED.load(Ordering::Relaxed)
}

/// This process has called a function whose effect is in real time: the first call of the run is
/// told at once, and the result's warnings have it as well.
pub(super) fn note_real_time(name: &str) {
    let Some(guard) = try_lock() else { return };
    let Some(known) = guard.as_ref() else { return };
    if known.rank.note_real_time(name) {
        let rank = known.rank.number();
        tell(&format!("philae: rank {rank} calls {name}: its timer runs in real time, not in simulated time"));
    }
}

/// Lets this much simulated time pass. False: this thread has no part in it.
pub(super) fn sleep(picoseconds: u64) -> bool {
    if !has_part() {
        return false;
    }
    let guard = lock();
    if !guard.as_ref().is_some_and(|known| known.has_begun) {
        return false;
    }
    checked(pass_sleep(guard, picoseconds)).is_ok()
}

fn pass_sleep(guard: RankGuard, picoseconds: u64) -> Result<(), NoTurn> {
    let mut turn = RankTurn::take(guard, true)?;
    let known = turn.known();
    known.calls = known.calls.wrapping_add(1);
    turn.sleep(picoseconds).map(drop)
}
