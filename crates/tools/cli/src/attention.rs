//! Responds to Ctrl-C and SIGTERM within a second, whatever the program is doing, and to memory
//! shortage.
//!
//! A run polls a flag itself, and stops with a partial result. Most other work (reading files,
//! building systems and ranks, proving tables) polls nothing: a thread waits a moment for it to
//! end, and then ends the program. Both print the same [account](say_when_interrupted), so that no
//! message depends on how busy the machine is.

use crate::failure::CommandFailure;
use crate::signal_code;
use philae_console::{ENDING, is_ignored, signals_have_handlers};
use philae_experiments::memory;
use signal_hook::consts::{SIGHUP, SIGXFSZ};
use signal_hook::flag::{register, register_conditional_shutdown};
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock};
use std::time::{Duration, Instant};

/// Real time between two checks of the flag by the thread.
///
/// Source: ours; with [`PATIENCE`] it keeps the response below a second. Status: assumed.
const LOOK_EVERY: Duration = Duration::from_millis(50);

/// Time for work that polls the flag to respond by itself, both real and of the processor: on a
/// busy machine, the response comes later.
///
/// Source: ours: a run polls about ten times a second. Status: assumed.
const PATIENCE: Duration = Duration::from_millis(600);

/// Time after a signal in which others are the same wish: a shell and a batch system send SIGTERM
/// and SIGHUP, or Ctrl-C reaches a program twice, through the terminal and through its parent.
///
/// Source: ours, above the time between two signals of one sender and below that between two key
/// presses of a person. Status: assumed.
const REPEATS: Duration = Duration::from_millis(500);

/// A run that has polled less often so far gets this many times its longest pause. Source: ours.
/// Status: assumed.
const PAUSES: u32 = 3;

/// Flag checks between two checks of memory.
const LOOKS_PER_MEMORY: u32 = 5;

/// The program's activity, for the thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum ProgramActivity {
    /// It prepares something, or runs something without a stored result: the thread ends it if it
    /// does not end by itself.
    Prepares = 0,
    /// It runs, and stops by itself with a partial result, unless it does not get to poll the flag.
    Runs = 1,
    /// It writes, and stops by itself after the present file.
    Writes = 2,
}

static DOING: AtomicU8 = AtomicU8::new(ProgramActivity::Prepares as u8);

/// The time of a run's last poll, and its longest pause between two polls, in milliseconds since
/// the thread began.
static LOOKED: AtomicU64 = AtomicU64::new(0);
static PAUSE: AtomicU64 = AtomicU64::new(0);
static BEGAN: OnceLock<Instant> = OnceLock::new();

fn milliseconds() -> u64 {
    BEGAN.get_or_init(Instant::now).elapsed().as_millis() as u64
}

/// Sets the program's activity from now on.
pub fn now(doing: ProgramActivity) {
    if doing == ProgramActivity::Runs {
        LOOKED.store(milliseconds(), Ordering::Relaxed);
    }
    DOING.store(doing as u8, Ordering::Relaxed);
}

/// Marks a part of another activity as writing.
pub fn writing<T>(write: impl FnOnce() -> T) -> T {
    let before = DOING.swap(ProgramActivity::Writes as u8, Ordering::Relaxed);
    let written = write();
    LOOKED.store(milliseconds(), Ordering::Relaxed);
    DOING.store(before, Ordering::Relaxed);
    written
}

/// A run's poll of its flag. After the flag is set, the run's partial result must be written.
pub fn is_stopped(flag: &AtomicBool) -> bool {
    let now = milliseconds();
    let pause = now.saturating_sub(LOOKED.swap(now, Ordering::Relaxed));
    PAUSE.fetch_max(pause, Ordering::Relaxed);
    let stopped = flag.load(Ordering::Relaxed);
    if stopped {
        DOING.store(ProgramActivity::Writes as u8, Ordering::Relaxed);
    }
    stopped
}

/// The signals that have come.
struct Signals {
    /// One came. It stays set.
    flag: Arc<AtomicBool>,
    /// One came since this was last cleared.
    came: Arc<AtomicBool>,
    /// The next one ends the program in its handler, because the thread is about to end it.
    is_last: Arc<AtomicBool>,
}

/// A flag that Ctrl-C, SIGTERM and the end of the terminal (SIGHUP) set. A second signal, later
/// than [`REPEATS`], ends the program and prints that `lost` is lost. While the program
/// [prepares](ProgramActivity::Prepares), one is enough, and so is a memory shortage if
/// `watches_memory`.
pub fn flag(watches_memory: bool, lost: &'static str) -> Result<Arc<AtomicBool>, CommandFailure> {
    let cannot = |error| CommandFailure::run(format!("cannot listen for Ctrl-C: {error}"));
    let flag = Arc::new(AtomicBool::new(false));
    let signals = Signals { flag: Arc::clone(&flag), came: Arc::default(), is_last: Arc::default() };
    // `nohup` ignores SIGHUP: the run continues when the terminal closes.
    for signal in ENDING.into_iter().filter(|signal| *signal != SIGHUP || !is_ignored(*signal)) {
        register_conditional_shutdown(signal, i32::from(signal_code::of(signal)), Arc::clone(&signals.is_last))
            .and_then(|_| signal_code::record(signal))
            .and_then(|()| register(signal, Arc::clone(&signals.came)))
            .and_then(|_| register(signal, Arc::clone(&signals.flag)))
            .map_err(cannot)?;
    }
    signals_have_handlers();
    milliseconds();
    let thread = std::thread::Builder::new().name("attention".to_owned());
    thread.spawn(move || attend(&signals, watches_memory, lost)).map_err(cannot)?;
    Ok(flag)
}

/// What an interrupted command says: how far it was, and what of it is kept.
static ACCOUNT: Mutex<Option<String>> = Mutex::new(None);

/// Sets what an interruption says from now on, whichever thread ends the program.
pub fn say_when_interrupted(words: String) {
    *ACCOUNT.lock().expect("no thread panics with it") = Some(words);
}

/// What an interruption says at present.
pub fn account() -> String {
    let account = ACCOUNT.lock().expect("no thread panics with it");
    account.clone().unwrap_or_else(|| "interrupted".to_owned())
}

/// Whether a thread reports the end of the program already.
static ENDS: AtomicBool = AtomicBool::new(false);

/// Gives the calling thread the last word. The program ends under any later caller.
pub fn take_last_word() {
    if ENDS.swap(true, Ordering::SeqCst) {
        loop {
            std::thread::park();
        }
    }
}

/// Whether standard output is one JSON document.
static HAS_JSON: AtomicBool = AtomicBool::new(false);

/// From now on, the thread ends the program with a JSON document on standard output.
pub fn print_json() {
    HAS_JSON.store(true, Ordering::Relaxed);
}

/// Ends the program from the thread: what it has begun on the disk is removed.
fn end(words: &str, code: u8) -> ! {
    take_last_word();
    philae_console::note!("{words}");
    if HAS_JSON.load(Ordering::Relaxed) && !philae_console::has_document() {
        let message = words.strip_prefix("error: ").unwrap_or(words);
        let _ = philae_console::print_json(&philae_console::error_document(message, code));
    }
    philae_results::remove_unfinished();
    signal_hook::low_level::exit(i32::from(code))
}

/// Makes the file size limit an error for the writer, like a full disk. Otherwise the system would
/// end the program.
pub fn files_may_be_limited() -> Result<(), CommandFailure> {
    let met = Arc::new(AtomicBool::new(false));
    register(SIGXFSZ, met)
        .map(|_| ())
        .map_err(|error| CommandFailure::run(format!("cannot listen for SIGXFSZ: {error}")))
}

/// The loop of the thread.
fn attend(signals: &Signals, watches_memory: bool, lost: &str) {
    let mut first: Option<Instant> = None;
    let mut since: Option<(Instant, Duration)> = None;
    for look in 1_u32.. {
        std::thread::sleep(LOOK_EVERY);
        let came = signals.came.swap(false, Ordering::SeqCst);
        if came && first.get_or_insert_with(Instant::now).elapsed() >= REPEATS {
            // If standard error takes no words, a third signal still ends the program.
            signals.is_last.store(true, Ordering::SeqCst);
            end(&format!("a second signal ended the command at once; lost: {lost}"), signal_code::present());
        }
        let doing = DOING.load(Ordering::Relaxed);
        if doing == ProgramActivity::Writes as u8 {
            since = None;
            continue;
        }
        let is_run = doing == ProgramActivity::Runs as u8;
        let pause = Duration::from_millis(PAUSE.load(Ordering::Relaxed)) * PAUSES;
        let patience = if is_run { PATIENCE.max(pause) } else { PATIENCE };
        if signals.flag.load(Ordering::Relaxed) {
            let (real, processor) = *since.get_or_insert_with(|| (Instant::now(), processor_time()));
            let busy = processor_time().saturating_sub(processor);
            // Preparation loses nothing if the program ends early.
            if real.elapsed() >= patience && (busy >= patience || !is_run) {
                let words =
                    "interrupted in the middle of a step that takes longer than a second: no result was written";
                end(&if is_run { words.to_owned() } else { account() }, signal_code::present());
            }
        }
        let silent = Duration::from_millis(milliseconds().saturating_sub(LOOKED.load(Ordering::Relaxed)));
        let looks_itself = is_run && silent < patience.max(Duration::from_secs(2));
        if watches_memory
            && !looks_itself
            && look.is_multiple_of(LOOKS_PER_MEMORY)
            && let Some(short) = memory::short_while_busy(is_run)
        {
            end(&format!("error: {short}"), if is_run { 1 } else { 2 });
        }
    }
}

/// The processor time of the process, which Linux counts in hundredths of a second.
fn processor_time() -> Duration {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    // The name, in parentheses, may have spaces. The user and system times are the 12th and 13th
    // fields after it.
    let figures = stat.rsplit_once(')').map_or("", |(_, figures)| figures).split_whitespace();
    let hundredths: u64 = figures.skip(11).take(2).filter_map(|figure| figure.parse::<u64>().ok()).sum();
    Duration::from_millis(hundredths * 10)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_of_the_processor_grows_with_what_is_done() {
        let before = processor_time();
        let mut sum = 0_u64;
        while processor_time() < before + Duration::from_millis(30) {
            sum = (0..100_000).fold(sum, |sum, next| std::hint::black_box(sum ^ next));
        }
        assert!(processor_time() > before);
    }
}
