//! Waiting: short polling, then yielding, then sleep until the bell rings.

use std::ffi::c_int;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use crate::simulated::rank::{self, LookMark, Pause};

/// An endpoint, as queues, counters and waiting threads see it.
pub(crate) trait Pollable: Send + Sync {
    /// Takes what has arrived.
    fn progress(&self);

    /// Checks periodically whether the processes that its operations depend on are alive.
    fn watch(&self);

    /// Whether the program awaits something: the end of an operation, or a message for a receive.
    /// Where this cannot be known, it may.
    fn is_awaited_at(&self) -> bool;

    /// Whether anything has arrived since the last check.
    fn has_news(&self) -> bool;

    /// Sleeps until something arrives, at most this long.
    fn sleep(&self, at_most: Duration);

    /// Wakes sleeping threads.
    fn wake(&self);
}

/// Yields of a waiter before it sleeps. Source: ours. Status: assumed.
const YIELDS: u32 = 8;
/// The longest sleep, because a dead process rings no bell. Source: ours. Status: assumed.
const SLEEP_MAX: Duration = Duration::from_millis(20);
/// The same for a sleeper with more than one bell. Source: ours. Status: assumed.
const SLEEP_MAX_OF_MANY: Duration = Duration::from_millis(1);

/// Picoseconds in a millisecond.
const PICOSECONDS_PER_MS: u64 = 1_000_000_000;

/// The time is over.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct TimedOut;

/// A thread that waits in a call.
pub(crate) enum Waiter {
    /// In real time.
    Real { began: Instant, end: Option<Instant>, spin: Duration, yields: u32 },
    /// In simulated time: until when at most, and whether that has passed.
    Simulated { end: Option<u64>, is_over: bool, mark: LookMark },
}

impl Waiter {
    /// Waits at most this many milliseconds; forever if they are negative.
    pub fn new(timeout_ms: c_int, spin_ns: u64) -> Self {
        let limit = u64::try_from(timeout_ms).ok();
        if rank::is_joined() {
            let end = |limit: u64| rank::clock().saturating_add(limit.saturating_mul(PICOSECONDS_PER_MS));
            return Self::Simulated { end: limit.map(end), is_over: false, mark: LookMark::default() };
        }
        let began = Instant::now();
        let end = limit.map(|limit| began + Duration::from_millis(limit));
        Self::Real { began, end, spin: Duration::from_nanos(spin_ns), yields: 0 }
    }

    /// Whether its time is over.
    pub fn is_over(&self) -> bool {
        match *self {
            Self::Real { end, .. } => end.is_some_and(|end| Instant::now() >= end),
            Self::Simulated { is_over, .. } => is_over,
        }
    }

    /// Waits a little for something to arrive at any of these endpoints.
    ///
    /// # Errors
    /// The time is over.
    pub fn pause_among(&mut self, endpoints: &[&dyn Pollable]) -> Result<(), TimedOut> {
        let (began, end, spin, yields) = match self {
            Self::Real { began, end, spin, yields } => (*began, *end, *spin, yields),
            Self::Simulated { is_over: true, .. } => return Err(TimedOut),
            Self::Simulated { end, is_over, mark } => {
                // Whatever has come until then is still taken.
                *is_over = !rank::found_nothing(Pause::Waits(*end), mark);
                return Ok(());
            }
        };
        for endpoint in endpoints {
            endpoint.watch();
        }
        let now = Instant::now();
        let left = match end {
            Some(end) if now >= end => return Err(TimedOut),
            Some(end) => end - now,
            None => SLEEP_MAX,
        };
        if now - began < spin {
            std::hint::spin_loop();
        } else if *yields < YIELDS {
            *yields += 1;
            std::thread::yield_now();
        } else {
            sleep(endpoints, left);
        }
        Ok(())
    }
}

/// Sleeps until one of these has news, at most this long, and never long.
fn sleep(endpoints: &[&dyn Pollable], at_most: Duration) {
    match endpoints {
        [] => std::thread::sleep(at_most.min(SLEEP_MAX_OF_MANY)),
        [endpoint] => endpoint.sleep(at_most.min(SLEEP_MAX)),
        [first, others @ ..] => {
            if !others.iter().any(|endpoint| endpoint.has_news()) {
                first.sleep(at_most.min(SLEEP_MAX_OF_MANY));
            }
        }
    }
}

/// Recognises a thread that polls repeatedly and does nothing else in between, by the time between
/// its polls. It yields between them and, if other threads do want the processor, it sleeps.
#[derive(Debug, Default)]
pub(crate) struct Poller {
    /// Unsuccessful polls; the clock is read only once in several.
    questions: AtomicU32,
    /// Since when nothing has arrived in spite of continuous polling, in ns.
    since: AtomicU64,
    /// The time of the last poll, in ns.
    last: AtomicU64,
    /// Consecutive yields in which another thread took the processor.
    taken: AtomicU32,
}

/// Polls between readings of the clock. Source: ours. Status: assumed.
const QUESTIONS: u32 = 16;
/// If this many polls take longer, the thread does other work in between. Source: ours.
/// Status: assumed.
const PAUSE_NS: u64 = 48_000;
/// After this time a poller yields, in multiples of the time that a waiter spins. Source: ours.
/// Status: assumed.
const SPINS_BEFORE_YIELD: u64 = 5;
/// After this time it sleeps, in the same unit. Source: ours. Status: assumed.
const SPINS_BEFORE_SLEEP: u64 = 50;
/// A yield returns sooner than this if no other thread wants the processor, in ns. Source: ours,
/// some ten times what the call takes. Status: measured.
const GIVEN_NS: u64 = 4_000;
/// A poller that finds the processor taken this many times shares it permanently. Source: ours.
/// Status: assumed.
const TAKEN_BEFORE_SLEEP: u32 = 4;
/// The longest sleep of a poller: it may have other work than a queue's. Source: ours.
/// Status: assumed.
const POLLER_SLEEP_MAX: Duration = Duration::from_micros(100);

impl Poller {
    /// Something has arrived.
    pub fn found(&self) {
        self.last.store(0, Ordering::Relaxed);
    }

    /// Nothing has arrived.
    pub fn found_nothing(&self, endpoints: &[&dyn Pollable], spin_ns: u64) {
        let questions = self.questions.load(Ordering::Relaxed).wrapping_add(1);
        self.questions.store(questions, Ordering::Relaxed);
        if !questions.is_multiple_of(QUESTIONS) {
            return;
        }
        for endpoint in endpoints {
            endpoint.watch();
        }
        let now = now_ns();
        let last = self.last.load(Ordering::Relaxed);
        if now.saturating_sub(last) > PAUSE_NS {
            self.since.store(now, Ordering::Relaxed);
            self.last.store(now, Ordering::Relaxed);
            return;
        }
        let waited = now - self.since.load(Ordering::Relaxed).min(now);
        // A thread that shares its processor with the one that it waits for gains nothing by
        // polling.
        let is_shared = self.taken.load(Ordering::Relaxed) >= TAKEN_BEFORE_SLEEP;
        if waited > spin_ns * SPINS_BEFORE_SLEEP && is_shared {
            sleep(endpoints, POLLER_SLEEP_MAX);
            // Checks again whether other threads still want the processor.
            self.taken.store(TAKEN_BEFORE_SLEEP - 1, Ordering::Relaxed);
        } else if is_shared || waited > spin_ns * SPINS_BEFORE_YIELD {
            std::thread::yield_now();
            let back = now_ns();
            let taken = if back - now < GIVEN_NS { 0 } else { self.taken.load(Ordering::Relaxed).saturating_add(1) };
            self.taken.store(taken, Ordering::Relaxed);
            self.last.store(back, Ordering::Relaxed);
            return;
        } else {
            self.last.store(now, Ordering::Relaxed);
            return;
        }
        self.last.store(now_ns(), Ordering::Relaxed);
    }
}

/// The same, as of the system's last tick: some milliseconds old, and cheaper.
pub(crate) fn rough_now_ns() -> u64 {
    clock_ns(libc::CLOCK_MONOTONIC_COARSE)
}

/// The system's steady clock.
pub(crate) fn now_ns() -> u64 {
    clock_ns(libc::CLOCK_MONOTONIC)
}

/// What a clock shows, in nanoseconds.
pub(crate) fn clock_ns(which: libc::clockid_t) -> u64 {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: there is room for the time.
    unsafe { libc::clock_gettime(which, &raw mut time) };
    time.tv_sec as u64 * 1_000_000_000 + time.tv_nsec as u64
}
