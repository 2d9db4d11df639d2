//! Waiting: a short look, then the processor for others, then sleep until the bell rings.

use std::ffi::c_int;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use philae_fi_sys::*;

use crate::abi::{self, answer_done};
use crate::completion_queue;
use crate::endpoint::Port;

/// Times that a waiter gives its processor away before it sleeps. Source: ours. Status: assumed.
const YIELDS: u32 = 8;
/// A sleep is no longer than this: whoever died rings no bell. Source: ours. Status: assumed.
const SLEEP_MAX: Duration = Duration::from_millis(20);
/// The same for a sleeper that has more than one bell to hear. Source: ours. Status: assumed.
const SLEEP_MAX_OF_MANY: Duration = Duration::from_millis(1);

/// The time is over.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct TimedOut;

/// Somebody who waits in a call.
pub(crate) struct Waiter {
    began: Instant,
    end: Option<Instant>,
    spin: Duration,
    yields: u32,
}

impl Waiter {
    /// Waits so many milliseconds at most; for ever, where they are negative.
    pub fn new(timeout_ms: c_int, spin_ns: u64) -> Self {
        let began = Instant::now();
        let end = u64::try_from(timeout_ms).ok().map(|limit| began + Duration::from_millis(limit));
        Self { began, end, spin: Duration::from_nanos(spin_ns), yields: 0 }
    }

    /// Whether its time is over.
    pub fn is_over(&self) -> bool {
        self.end.is_some_and(|end| Instant::now() >= end)
    }

    /// Waits a little for something to happen at this endpoint.
    pub fn pause(&mut self, port: Option<&Port>) -> Result<(), TimedOut> {
        self.pause_among(port.as_slice())
    }

    /// The same for any of these.
    pub fn pause_among(&mut self, ports: &[&Port]) -> Result<(), TimedOut> {
        for port in ports {
            port.watch();
        }
        let now = Instant::now();
        let left = match self.end {
            Some(end) if now >= end => return Err(TimedOut),
            Some(end) => end - now,
            None => SLEEP_MAX,
        };
        if now - self.began < self.spin {
            std::hint::spin_loop();
        } else if self.yields < YIELDS {
            self.yields += 1;
            std::thread::yield_now();
        } else {
            sleep(ports, left);
        }
        Ok(())
    }
}

/// Sleeps until one of these has news, at most so long and not long in any case.
fn sleep(ports: &[&Port], at_most: Duration) {
    match ports {
        [] => std::thread::sleep(at_most.min(SLEEP_MAX_OF_MANY)),
        [port] => port.sleep(at_most.min(SLEEP_MAX)),
        [first, others @ ..] => {
            if !others.iter().any(|port| port.has_news()) {
                first.sleep(at_most.min(SLEEP_MAX_OF_MANY));
            }
        }
    }
}

/// Somebody who asks again and again whether something has come, and does nothing else meanwhile: recognised by the time
/// between its questions. It gives its processor away between them, and where others do want it, it sleeps.
#[derive(Debug, Default)]
pub(crate) struct Poller {
    /// Questions in vain; the clock is asked now and then only.
    questions: AtomicU32,
    /// Since when nothing has come in spite of questions without a pause, in ns.
    since: AtomicU64,
    /// The last question, in ns.
    last: AtomicU64,
    /// Times in a row that somebody took the processor which was given away.
    taken: AtomicU32,
}

/// Questions between looks at the clock. Source: ours. Status: assumed.
const QUESTIONS: u32 = 16;
/// A longer time for so many questions is used for something else. Source: ours. Status: assumed.
const PAUSE_NS: u64 = 48_000;
/// After so long a poller gives its processor away, in multiples of the time that a waiter spins. Source: ours. Status:
/// assumed.
const SPINS_BEFORE_YIELD: u64 = 5;
/// After so long it sleeps, in the same. Source: ours. Status: assumed.
const SPINS_BEFORE_SLEEP: u64 = 50;
/// A processor that was given away comes back sooner where nobody else wants it, in ns. Source: ours, some ten times what
/// the call takes. Status: measured.
const GIVEN_NS: u64 = 4_000;
/// Who gives the processor away and finds it taken so often shares it with more than a passer-by. Source: ours. Status:
/// assumed.
const TAKEN_BEFORE_SLEEP: u32 = 4;
/// A poller sleeps no longer: it may be busy with what is none of a queue's business. Source: ours. Status: assumed.
const POLLER_SLEEP_MAX: Duration = Duration::from_micros(100);

impl Poller {
    /// Something has come.
    pub fn found(&self) {
        self.last.store(0, Ordering::Relaxed);
    }

    /// Nothing has come.
    pub fn found_nothing(&self, ports: &[&Port], spin_ns: u64) {
        let questions = self.questions.load(Ordering::Relaxed).wrapping_add(1);
        self.questions.store(questions, Ordering::Relaxed);
        if !questions.is_multiple_of(QUESTIONS) {
            return;
        }
        for port in ports {
            port.watch();
        }
        let now = now_ns();
        let last = self.last.load(Ordering::Relaxed);
        if now.saturating_sub(last) > PAUSE_NS {
            self.since.store(now, Ordering::Relaxed);
            self.last.store(now, Ordering::Relaxed);
            return;
        }
        let waited = now - self.since.load(Ordering::Relaxed).min(now);
        // Who shares the processor with whom it waits for has nothing to gain by looking.
        let is_shared = self.taken.load(Ordering::Relaxed) >= TAKEN_BEFORE_SLEEP;
        if waited > spin_ns * SPINS_BEFORE_SLEEP && is_shared {
            sleep(ports, POLLER_SLEEP_MAX);
            // Whether others still want the processor is found out anew.
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
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: there is room for the time.
    unsafe { libc::clock_gettime(libc::CLOCK_MONOTONIC_COARSE, &raw mut time) };
    time.tv_sec as u64 * 1_000_000_000 + time.tv_nsec as u64
}

/// The system's steady clock.
pub(crate) fn now_ns() -> u64 {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: there is room for the time.
    unsafe { libc::clock_gettime(libc::CLOCK_MONOTONIC, &raw mut time) };
    time.tv_sec as u64 * 1_000_000_000 + time.tv_nsec as u64
}

/// `fi_trywait`: whether the owner of these may sleep on their files.
pub(crate) unsafe extern "C" fn trywait(_: *mut fid_fabric, fids: *mut *mut fid, count: c_int) -> c_int {
    answer_done(|| {
        let count = usize::try_from(count).map_err(|_| libc::EINVAL)?;
        // SAFETY: C gives so many objects of libfabric.
        let fids = unsafe { abi::slice(fids, count) };
        for &fid in fids {
            // SAFETY: as above.
            if unsafe { (*fid).fclass } == FI_CLASS_CQ as usize {
                // SAFETY: it is a queue of ours.
                unsafe { completion_queue::of(fid) }.arm()?;
            }
        }
        Ok(())
    })
}
