//! Who owns simulated time, and what a clock shows.

use std::cell::Cell;
use std::ffi::c_int;
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicPtr, AtomicU32, Ordering};

use libc::{clockid_t, timespec};

use crate::counter;
use crate::home;
use crate::real;

/// Picoseconds in a nanosecond.
const PICOSECONDS: u64 = 1_000;
/// Nanoseconds in a second.
pub const SECOND: i64 = 1_000_000_000;

/// Simulated time, as its owner in this process has it.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct ClockSource {
    /// The thread's simulated time, in picoseconds, which never goes back; [`NO_PART`]: the thread
    /// has no part in it, and its clocks follow real time. It may be called in a signal handler
    /// and in the child of a fork, so it takes no lock and reads no clock of libc.
    pub now: unsafe extern "C" fn() -> u64,
    /// Lets this much simulated time pass, in picoseconds. 0: it has passed. `EINTR`: a signal came
    /// first. `ENOTSUP`: this thread has no part in simulated time, and sleeps as long in real
    /// time.
    pub sleep: unsafe extern "C" fn(u64) -> c_int,
    /// What clocks show at simulated time 0, in nanoseconds, by their numbers in Linux. Processes
    /// with the same values have clocks that agree. 0: the clock goes on from what it shows.
    pub began_ns: [i64; CLOCKS],
}

thread_local! {
    /// Whether this thread has a part in simulated time.
    static PART: Cell<bool> = const { Cell::new(false) };
}

/// Threads that have had a part in the time of the attached source.
static PARTS: AtomicU32 = AtomicU32::new(0);

/// Whether several threads have had a part in simulated time.
pub fn have_several_part() -> bool {
    PARTS.load(Ordering::Relaxed) > 1
}

/// Whether a source is attached in whose time the calling thread has a part.
pub fn has_part() -> bool {
    PART.get() && attached().is_some()
}

/// What an attached source says in a thread that has no part in simulated time.
pub const NO_PART: u64 = u64::MAX;

/// The source, while one is attached. It is never freed: a thread may still use it.
static ATTACHED: AtomicPtr<ClockSource> = AtomicPtr::new(std::ptr::null_mut());
/// Clocks by their number in Linux, up to `CLOCK_TAI`.
pub const CLOCKS: usize = 12;
/// What a clock shows at simulated time 0 while a source is attached, in nanoseconds.
static BASES: [AtomicI64; CLOCKS] = [const { AtomicI64::new(0) }; CLOCKS];
/// The base of a clock that the machine does not have.
const MISSING: i64 = i64::MIN;
/// By how much a clock is ahead of the system's where it follows real time, in nanoseconds. It only
/// grows.
static AHEAD: [AtomicI64; CLOCKS] = [const { AtomicI64::new(0) }; CLOCKS];
/// The latest simulated time that a thread has seen, in nanoseconds.
static SEEN: AtomicI64 = AtomicI64::new(0);
/// Whether a source has ever been attached.
static USED: AtomicBool = AtomicBool::new(false);

/// What a span or a clock shows, as nanoseconds; `None` if it does not fit or is no time.
pub fn nanoseconds(time: &timespec) -> Option<i64> {
    let fraction = time.tv_nsec;
    let fits = (0..SECOND).contains(&fraction);
    time.tv_sec.checked_mul(SECOND)?.checked_add(fraction).filter(|_| fits)
}

/// The reverse.
pub fn time_of(nanoseconds: i64) -> timespec {
    timespec { tv_sec: nanoseconds.div_euclid(SECOND), tv_nsec: nanoseconds.rem_euclid(SECOND) }
}

/// The attached source.
pub fn attached() -> Option<&'static ClockSource> {
    // SAFETY: it is null, or a source that is never freed.
    unsafe { ATTACHED.load(Ordering::Acquire).as_ref() }
}

/// The place of a clock that follows simulated time; others are libc's in every case. The processor
/// time of a thread is another clock for each thread.
fn place(clock: clockid_t) -> Option<usize> {
    let is_other = |place: &usize| *place == libc::CLOCK_THREAD_CPUTIME_ID as usize || *place == 10;
    usize::try_from(clock).ok().filter(|place| *place < CLOCKS && !is_other(place))
}

/// The thread's simulated time, in nanoseconds, if it has a part in it.
fn simulated(source: &ClockSource) -> Option<i64> {
    // SAFETY: the source's owner keeps its functions for as long as the process lives.
    match unsafe { (source.now)() } {
        NO_PART => None,
        now => {
            let now = i64::try_from(now / PICOSECONDS).unwrap_or(i64::MAX);
            SEEN.fetch_max(now, Ordering::Relaxed);
            Some(now)
        }
    }
}

/// The calling thread's simulated time, in nanoseconds; `None`: it follows real time.
pub fn of_this_thread() -> Option<i64> {
    attached().and_then(simulated)
}

/// What a clock shows, in nanoseconds; `None`: what libc says.
pub fn shows(clock: clockid_t) -> Option<i64> {
    let place = place(clock)?;
    if let Some(now) = of_this_thread() {
        let base = BASES[place].load(Ordering::Relaxed);
        return (base != MISSING).then(|| base.saturating_add(now));
    }
    if !USED.load(Ordering::Relaxed) {
        return None;
    }
    Some(real::now(clock)? + AHEAD[place].load(Ordering::Relaxed))
}

/// How a sleep ended.
pub enum Slept {
    /// The time has passed.
    Whole,
    /// A signal came first, with this many nanoseconds left.
    Interrupted(i64),
    /// Simulated time is not this thread's: the caller sleeps in real time.
    NotHere,
}

/// Lets simulated time pass, if a source is attached and the thread has a part in it.
pub fn sleep(nanoseconds: i64) -> Slept {
    let Some((source, began)) = attached().and_then(|source| Some((source, simulated(source)?))) else {
        return Slept::NotHere;
    };
    let span = u64::try_from(nanoseconds.max(0)).unwrap_or(0).saturating_mul(PICOSECONDS);
    // SAFETY: as above.
    match unsafe { (source.sleep)(span) } {
        0 => Slept::Whole,
        libc::EINTR => {
            let passed = simulated(source).map_or(0, |now| now - began);
            Slept::Interrupted((nanoseconds - passed).max(0))
        }
        _ => Slept::NotHere,
    }
}

/// Lets clocks follow `source` from now on. The source lives as long as the process.
///
/// # Safety
/// `source` points to a source that is never freed or changed, whose functions any thread may call.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn philae_clock_attach(source: *const ClockSource) -> c_int {
    // SAFETY: by this function's contract.
    let Some(new) = (unsafe { source.as_ref() }) else { return libc::EINVAL };
    if attached().is_some() {
        return libc::EBUSY;
    }
    if !USED.swap(true, Ordering::Relaxed) {
        // SAFETY: the function is there for as long as this library.
        unsafe { libc::pthread_atfork(None, None, Some(in_child)) };
    }
    let now = simulated(new).unwrap_or(0);
    for (clock, (base, began)) in BASES.iter().zip(new.began_ns).enumerate() {
        let shown = shows(clock as clockid_t);
        let goes_on = |shown: i64| if began > 0 { began } else { shown - now };
        base.store(shown.map_or(MISSING, goes_on), Ordering::Relaxed);
    }
    counter::attach(now);
    PART.set(true);
    PARTS.store(1, Ordering::Relaxed);
    ATTACHED.store(source.cast_mut(), Ordering::Release);
    0
}

/// The calling thread has a part in simulated time: the processor's counter shows that.
#[unsafe(no_mangle)]
pub extern "C" fn philae_clock_thread() {
    if attached().is_some() {
        if !PART.replace(true) {
            PARTS.fetch_add(1, Ordering::Relaxed);
        }
        counter::trap();
    }
}

/// Lets clocks follow real time again, from what they show, or from what other threads have seen of
/// them if that is later.
#[unsafe(no_mangle)]
pub extern "C" fn philae_clock_detach() {
    end();
    home::free_all();
}

/// The source has no effect from now on.
fn end() {
    let Some(source) = attached() else { return };
    // A child of a fork has no part any more, and its clocks do not go back either.
    let now = simulated(source).or(Some(SEEN.load(Ordering::Relaxed)));
    for (clock, (base, ahead)) in BASES.iter().zip(&AHEAD).enumerate() {
        let base = base.load(Ordering::Relaxed);
        if let Some((now, real)) = now.zip(real::now(clock as clockid_t)).filter(|_| base != MISSING) {
            ahead.fetch_max(base.saturating_add(now) - real, Ordering::Relaxed);
        }
    }
    counter::detach(now);
    ATTACHED.store(std::ptr::null_mut(), Ordering::Release);
}

/// A child has no part in simulated time: no rank waits for it.
pub extern "C" fn in_child() {
    PART.set(false);
    home::in_child();
    end();
    counter::in_child();
}
