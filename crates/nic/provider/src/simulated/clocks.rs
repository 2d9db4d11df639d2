//! The clocks of the program, which `libphilae_clock.so` lets follow the rank's clock.

use std::ffi::{CStr, c_char, c_int};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

use philae_cosim::CLOCKS;

use crate::log::{MessageLevel, say};

/// The layout of `philae_clock::ClockSource`.
#[repr(C)]
struct ClockSource {
    now: unsafe extern "C" fn() -> u64,
    sleep: unsafe extern "C" fn(u64) -> c_int,
    began_ns: [i64; CLOCKS],
}

/// A process takes part in one run.
static SOURCE: OnceLock<ClockSource> = OnceLock::new();
/// What that library calls a thread without simulated time.
const NO_PART: u64 = u64::MAX;

/// The latest value that was read.
static LAST: AtomicU64 = AtomicU64::new(0);
/// The process whose clocks follow the rank's; 0: none.
static ATTACHED: AtomicU32 = AtomicU32::new(0);

/// The latest value that was read; `None`: none yet.
pub(super) fn last_read() -> Option<u64> {
    (ATTACHED.load(Ordering::Relaxed) != 0).then(|| LAST.load(Ordering::Relaxed))
}

unsafe extern "C" fn now() -> u64 {
    // A child of a fork has no part.
    if ATTACHED.load(Ordering::Relaxed) != philae_cosim::process() {
        return NO_PART;
    }
    match super::rank::read_clock() {
        // Another thread may have read a later time.
        Some(clock) => LAST.fetch_max(clock, Ordering::Relaxed).max(clock),
        None => NO_PART,
    }
}

unsafe extern "C" fn sleep(picoseconds: u64) -> c_int {
    let is_here = ATTACHED.load(Ordering::Relaxed) == philae_cosim::process();
    if is_here && super::rank::sleep(picoseconds) { 0 } else { libc::ENOTSUP }
}

/// This process calls a function whose effect is in real time.
unsafe extern "C" fn runs_in_real_time(name: *const c_char) {
    // SAFETY: the clocks' library gives the name of a function.
    let name = unsafe { CStr::from_ptr(name) }.to_string_lossy();
    super::rank::note_real_time(&name);
}

/// A function of the clocks' library, if the process has loaded that.
fn function(name: &CStr) -> Option<*mut libc::c_void> {
    // SAFETY: the name is a string of C.
    let found = unsafe { libc::dlsym(libc::RTLD_DEFAULT, name.as_ptr()) };
    (!found.is_null()).then_some(found)
}

/// Lets the clocks follow the rank's from now on, which shows `clock`. `began_ns`: what clocks
/// show at simulated time 0.
pub(super) fn attach(clock: u64, began_ns: [i64; CLOCKS]) {
    let Some(attach) = function(c"philae_clock_attach") else {
        say(MessageLevel::Warn, "libphilae_clock.so is not loaded (LD_PRELOAD): the program's clocks show real time");
        return;
    };
    LAST.store(clock, Ordering::Relaxed);
    ATTACHED.store(philae_cosim::process(), Ordering::Relaxed);
    if let Some(report) = function(c"philae_clock_report") {
        // SAFETY: the function of this name has this type, and what it is given lives as long.
        unsafe {
            let report: unsafe extern "C" fn(unsafe extern "C" fn(*const c_char)) = std::mem::transmute(report);
            report(runs_in_real_time);
        }
    }
    let source = SOURCE.get_or_init(|| ClockSource { now, sleep, began_ns });
    // SAFETY: the function of this name has this type, and the source lives as long as the process.
    unsafe {
        let attach: unsafe extern "C" fn(*const ClockSource) -> c_int = std::mem::transmute(attach);
        attach(source);
    }
}

/// The calling thread has a part in simulated time: the processor's counter shows that, too.
pub(super) fn join_thread() {
    if ATTACHED.load(Ordering::Relaxed) == 0 {
        // The thread that attaches has it from then on, and those that it makes.
        return;
    }
    if let Some(join) = function(c"philae_clock_thread") {
        // SAFETY: the function of this name has this type.
        unsafe {
            let join: unsafe extern "C" fn() = std::mem::transmute(join);
            join();
        }
    }
}

/// The calling thread stays on this processor, if there is one.
pub(super) fn stay_on(processor: Option<u16>) {
    type Home = unsafe extern "C" fn(c_int);
    static HOME: OnceLock<Option<Home>> = OnceLock::new();
    let home = *HOME.get_or_init(|| {
        // SAFETY: the function of this name has this type.
        function(c"philae_clock_home").map(|home| unsafe { std::mem::transmute::<*mut libc::c_void, Home>(home) })
    });
    if let Some(home) = home {
        // SAFETY: it takes a number, and any will do.
        unsafe { home(processor.map_or(-1, c_int::from)) };
    }
}

/// Lets the clocks follow real time again.
pub(super) fn detach(clock: u64) {
    LAST.fetch_max(clock, Ordering::Relaxed);
    if let Some(detach) = function(c"philae_clock_detach") {
        // SAFETY: the function of this name has this type.
        unsafe {
            let detach: unsafe extern "C" fn() = std::mem::transmute(detach);
            detach();
        }
    }
    ATTACHED.store(0, Ordering::Relaxed);
}
