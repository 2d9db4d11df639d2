//! The turn of this process's rank, which its threads share.
//!
//! One thread at a time makes a call. A thread that waits gives the rank's turn away and lets go of
//! the lock meanwhile. Others that find nothing either wait with it: the rank waits for the
//! earliest of what they wait for. One that wants to make a call asks the coordinator to end the
//! wait.

use std::cell::Cell;
use std::mem::ManuallyDrop;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use philae_cosim::{Call, ComputeTime, Full, NoTurn, RankCommand, RankCosts, SimulatedRank, WaitKind};

use super::clocks;
use super::patience::PollPatience;
use crate::deferred;
use crate::trace::POLL_NS;
use crate::wait::clock_ns;

/// The rank that this process is, while it has an endpoint.
static RANK: Mutex<Option<ProcessRank>> = Mutex::new(None);
/// Tells threads that wait for the one that has given the turn away.
static RETURNED: Condvar = Condvar::new();
/// Threads that want to make a call, and wait for it.
static WANTING: AtomicUsize = AtomicUsize::new(0);
/// Whether there is a rank.
pub(super) static IS_JOINED: AtomicBool = AtomicBool::new(false);
/// How often this process has joined a run.
pub(super) static JOINED: AtomicU32 = AtomicU32::new(0);

/// How long a thread that has waited leaves the rank to another one that wants in: the lock is not
/// fair. Source: ours; what waking a thread takes. Status: assumed.
const YIELDS: Duration = Duration::from_micros(20);

thread_local! {
    /// The thread's processor time at the end of its last call, in ns.
    pub(super) static WORKED_NS: Cell<u64> = const { Cell::new(0) };
    /// In which of the runs this thread has had a part: it has opened an endpoint or issued an
    /// operation.
    static PART: Cell<u32> = const { Cell::new(0) };
    /// Whether it has given the turn away: a handler of a signal may run meanwhile.
    static HAS_GIVEN: Cell<bool> = const { Cell::new(false) };
}

/// Whether this thread has a part in simulated time.
pub(super) fn has_part() -> bool {
    let part = PART.get();
    part != 0 && part == JOINED.load(Ordering::Relaxed)
}

/// Whether this thread waits, and a handler of a signal asks.
pub(super) fn has_given() -> bool {
    HAS_GIVEN.get()
}

/// What a thread waits for: its kind, and until when at most, in picoseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ThreadWait {
    pub kind: WaitKind,
    pub deadline: Option<u64>,
}

impl ThreadWait {
    /// What ends when either of two does. Polls decide: their threads go on by themselves.
    fn or(self, other: Self) -> Self {
        let urgency = |kind| match kind {
            WaitKind::Poll => 2,
            WaitKind::Event => 1,
            _ => 0,
        };
        let kind = if urgency(self.kind) >= urgency(other.kind) { self.kind } else { other.kind };
        let deadline = match (self.deadline, other.deadline) {
            (Some(one), Some(two)) => Some(one.min(two)),
            (one, two) => one.or(two),
        };
        Self { kind, deadline }
    }
}

pub(super) struct ProcessRank {
    pub rank: SimulatedRank,
    /// A child of a fork is another one.
    pub process: u32,
    pub costs: RankCosts,
    pub endpoints: usize,
    /// Whether it has had a turn.
    pub has_begun: bool,
    /// Its calls that were no fruitless looks.
    pub calls: u32,
    /// Commands that it has handed over since it gave its turn away.
    pub issued: u32,
    /// Its fruitless looks since then, or since it last found something.
    pub looks: u32,
    /// Its clock when its turn came back.
    pub given_at: u64,
    /// Threads with a part.
    pub threads: u32,
    /// Computation that no trace has yet, in picoseconds.
    pub untraced: u64,
    /// How long it waits between polls.
    pub patience: PollPatience,
    /// What the rank waits for, while a thread has given its turn away.
    given: Option<ThreadWait>,
    /// What its threads wait for.
    waits: Vec<ThreadWait>,
    /// Threads that wait along with the one that has given the turn away.
    along: usize,
    /// How often the turn has come back.
    returns: u64,
}

impl ProcessRank {
    pub fn new(rank: SimulatedRank) -> Self {
        let costs = rank.costs();
        Self {
            rank,
            process: philae_cosim::process(),
            costs,
            endpoints: 0,
            has_begun: false,
            calls: 0,
            issued: 0,
            looks: 0,
            given_at: 0,
            threads: 0,
            untraced: 0,
            patience: PollPatience::default(),
            given: None,
            waits: Vec::new(),
            along: 0,
            returns: 0,
        }
    }

    /// Notes that this thread has a part.
    pub fn takes_part(&mut self) {
        if !has_part() {
            PART.set(JOINED.load(Ordering::Relaxed));
            self.threads += 1;
            self.rank.show_threads(self.threads);
            clocks::join_thread();
            WORKED_NS.set(thread_ns());
        }
    }

    /// The time since the last call of the thread, as the run counts it, in picoseconds.
    fn computed(&self) -> u64 {
        match self.costs.compute {
            ComputeTime::None => 0,
            ComputeTime::Fixed(time) => time,
            ComputeTime::Processor(factor) => thread_ns().saturating_sub(WORKED_NS.get()).saturating_mul(factor),
        }
    }

    /// Until when a program that polls waits at most before it polls again, in picoseconds.
    pub fn poll_limit(&self) -> Option<u64> {
        let polls = self.patience.polls()?;
        Some(self.rank.clock().saturating_add(self.costs.poll.saturating_mul(polls)))
    }

    /// Whether this thread has computed since its last call, and that counts: a look that finds
    /// nothing then is none of a loop of polls.
    pub fn has_computed(&self) -> bool {
        let is_counted = matches!(self.costs.compute, ComputeTime::Processor(_));
        is_counted && thread_ns().saturating_sub(WORKED_NS.get()) > POLL_NS
    }

    /// Whether a thread with a part, other than the calling one, is neither in a call nor waits in
    /// one.
    pub fn others_are_away(&self) -> bool {
        self.threads as usize > self.waits.len() + 1
    }

    /// Whether another thread has given the turn away.
    pub fn has_given(&self) -> bool {
        self.given.is_some()
    }

    /// Whether another thread waits for the rank's next event, and what this one waits for is among
    /// that.
    pub fn is_waited_for(&self, wait: ThreadWait) -> bool {
        self.given.is_some_and(|given| given.or(wait) == given)
    }

    fn forget(&mut self, wait: ThreadWait) {
        if let Some(place) = self.waits.iter().position(|known| *known == wait) {
            self.waits.swap_remove(place);
        }
    }
}

/// The processor time of this thread, in ns.
fn thread_ns() -> u64 {
    clock_ns(libc::CLOCK_THREAD_CPUTIME_ID)
}

pub(super) type RankGuard = MutexGuard<'static, Option<ProcessRank>>;

pub(super) fn lock() -> RankGuard {
    RANK.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The rank, if no thread is in a call.
pub(super) fn try_lock() -> Option<RankGuard> {
    match RANK.try_lock() {
        Ok(guard) => Some(guard),
        Err(std::sync::TryLockError::Poisoned(poisoned)) => Some(poisoned.into_inner()),
        Err(std::sync::TryLockError::WouldBlock) => None,
    }
}

/// Whether another thread wants to make a call. It comes first.
pub(super) fn another_wants_in() -> bool {
    WANTING.load(Ordering::Relaxed) > 0
}

/// Lets a thread come first that wants to make a call, if there is one. The lock is not held.
pub(super) fn yield_to_others() {
    if another_wants_in() {
        // The library's own sleep would be one in simulated time.
        philae_cosim::futex::pause(YIELDS);
    }
}

/// Waits until the thread that has given the turn away has it again. `wait` is among what that
/// waits for.
pub(super) fn wait_along(mut guard: RankGuard, wait: ThreadWait) {
    let Some(known) = guard.as_mut() else { return };
    known.waits.push(wait);
    known.along += 1;
    let returns = known.returns;
    while guard.as_ref().is_some_and(|known| known.given.is_some() && known.returns == returns) {
        guard = RETURNED.wait(guard).unwrap_or_else(PoisonError::into_inner);
    }
    if let Some(known) = guard.as_mut() {
        known.along -= 1;
        known.forget(wait);
    }
}

/// A call of this thread, which has the rank's turn.
pub(super) struct RankTurn(RankGuard);

impl RankTurn {
    /// Takes the turn; if another thread has given it away, its wait ends. `counts`: whether
    /// computation before the call passes.
    pub fn take(mut guard: RankGuard, counts: bool) -> Result<Self, NoTurn> {
        let known = known(&mut guard);
        let rank = known.rank.number();
        if known.process != philae_cosim::process() {
            return Err(NoTurn::Child { rank });
        }
        known.takes_part();
        if known.given.is_some() {
            let wait = known.rank.turn_wait();
            WANTING.fetch_add(1, Ordering::Relaxed);
            wait.wants_in();
            while guard.as_ref().is_some_and(|known| known.given.is_some()) {
                guard = RETURNED.wait(guard).unwrap_or_else(PoisonError::into_inner);
            }
            wait.has_come();
            WANTING.fetch_sub(1, Ordering::Relaxed);
        }
        // The last endpoint may have been closed meanwhile.
        let Some(known) = guard.as_mut() else { return Err(NoTurn::Left { rank }) };
        // What the NIC does by itself is not the program's.
        let computed = if counts && !deferred::is_nic() { known.computed() } else { 0 };
        known.untraced += computed;
        if !known.rank.ask()? {
            // It is its first one, or the coordinator has gone on without it.
            guard = sleep_without(guard, ThreadWait { kind: WaitKind::Now, deadline: None })?;
        }
        let mut turn = Self(guard);
        if !std::mem::replace(&mut turn.known().has_begun, true) {
            let (clock, began_ns) = (turn.clock(), turn.known().rank.began_ns());
            clocks::attach(clock, began_ns);
            turn.known().rank.show_trap();
        }
        turn.pass(computed);
        Ok(turn)
    }

    /// Lets this much time pass, in picoseconds. Deferred operations begin meanwhile, and other
    /// threads make calls.
    pub fn sleep(mut self, picoseconds: u64) -> Result<Self, NoTurn> {
        let until = self.clock().saturating_add(picoseconds);
        let mut turn = self;
        while turn.clock() < until {
            let has_deferred = deferred::any_waits();
            let kind = if has_deferred { WaitKind::Event } else { WaitKind::Sleep };
            let wait = ThreadWait { kind, deadline: Some(until) };
            if !another_wants_in() {
                let seen = turn.known().rank.news();
                turn = turn.wait(wait, seen)?;
                if !has_deferred {
                    continue;
                }
            }
            let rank = turn.known().rank.number();
            drop(turn);
            yield_to_others();
            if has_deferred {
                deferred::begin_all_due();
            }
            turn = loop {
                let guard = lock();
                let Some(known) = guard.as_ref() else { return Err(NoTurn::Left { rank }) };
                if known.rank.clock() >= until || !known.is_waited_for(wait) {
                    break Self::take(guard, false)?;
                }
                wait_along(guard, wait);
            };
        }
        Ok(turn)
    }

    /// Ends the call, and keeps the lock.
    pub fn into_guard(mut self) -> RankGuard {
        self.end();
        self.without_end()
    }

    /// The lock, without an end of the call.
    fn without_end(self) -> RankGuard {
        let this = ManuallyDrop::new(self);
        // SAFETY: the guard is taken out of what is not dropped.
        unsafe { std::ptr::read(&raw const this.0) }
    }

    fn end(&mut self) {
        if let Some(known) = self.0.as_mut() {
            drop(known.rank.resume());
            if matches!(known.costs.compute, ComputeTime::Processor(_)) {
                WORKED_NS.set(thread_ns());
            }
        }
    }

    pub fn known(&mut self) -> &mut ProcessRank {
        known(&mut self.0)
    }

    fn call(&mut self) -> ManuallyDrop<Call<'_>> {
        ManuallyDrop::new(self.known().rank.resume())
    }

    /// The rank's clock, in picoseconds.
    pub fn clock(&mut self) -> u64 {
        self.known().rank.clock()
    }

    /// Moves it forward.
    pub fn pass(&mut self, picoseconds: u64) {
        self.call().pass(picoseconds);
    }

    pub fn hand_over(&mut self, command: RankCommand, bytes: Option<&[u8]>) -> Result<(), Full> {
        self.call().hand_over(command, bytes)
    }

    /// Gives the turn away, and waits for the next without the lock. `seen`: the news that the last
    /// look has taken into account.
    fn give(mut self, asked: ThreadWait, seen: u32) -> Result<Self, NoTurn> {
        // A handler of a signal takes the clock as it is from now on.
        HAS_GIVEN.set(true);
        ManuallyDrop::into_inner(self.call()).leave(asked.kind, asked.deadline, seen);
        // To drop it would end the call, whose turn is the coordinator's now.
        sleep_without(self.without_end(), asked).map(Self)
    }

    /// Gives the turn away for a moment: because the fabric is to reach the rank's clock, or to
    /// take its commands.
    pub fn give_for(self, kind: WaitKind) -> Result<Self, NoTurn> {
        self.give(ThreadWait { kind, deadline: None }, 0)
    }

    /// Waits, with all threads that wait. `seen`: the news that the last look has taken into
    /// account; there may be more by the rank's clock, which ends the wait.
    pub fn wait(mut self, wait: ThreadWait, seen: u32) -> Result<Self, NoTurn> {
        let known = self.known();
        known.waits.push(wait);
        let all = known.waits.iter().fold(wait, |all, one| all.or(*one));
        let waited = self.give(all, seen);
        match waited {
            Ok(mut turn) => {
                turn.known().forget(wait);
                Ok(turn)
            }
            Err(error) => Err(error),
        }
    }
}

/// Waits for the rank's turn without the lock. `asked`: what this thread waits for.
fn sleep_without(mut guard: RankGuard, asked: ThreadWait) -> Result<RankGuard, NoTurn> {
    let known = known(&mut guard);
    let (wait, rank) = (known.rank.turn_wait(), known.rank.number());
    HAS_GIVEN.set(true);
    known.given = Some(asked);
    drop(guard);
    let back = wait.sleep();
    let mut guard = lock();
    HAS_GIVEN.set(false);
    let Some(known) = guard.as_mut() else { return Err(NoTurn::Left { rank }) };
    (known.given, known.returns) = (None, known.returns + 1);
    (known.issued, known.looks, known.given_at) = (0, 0, known.rank.clock());
    clocks::stay_on(known.rank.home());
    if known.along > 0 || another_wants_in() {
        RETURNED.notify_all();
    }
    back.map(|()| guard)
}

fn known(guard: &mut RankGuard) -> &mut ProcessRank {
    guard.as_mut().expect("a caller has found it")
}

impl Drop for RankTurn {
    fn drop(&mut self) {
        self.end();
    }
}
