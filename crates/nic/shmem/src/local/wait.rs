//! Waiting for memory to change: spin, then yield, then sleep on the control page's bell.
//!
//! A PE that writes to another PE's memory then reads that PE's `sleepers` with a plain load, and
//! rings if it is not 0. The writer's processor may reorder store and load, and the sleeper makes
//! up for that. It announces its sleep, has the kernel put a barrier into every running thread of
//! the job (membarrier), and polls once more. Either that poll sees the store, or the writer's load
//! sees the sleeper. Sleeps have a bound nevertheless, because neither a NIC nor a dead PE rings.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use crate::abi::ControlPage;
use crate::error::Error;

impl ControlPage {
    /// Wakes sleeping threads, if any. Call this after the store that they may be waiting for.
    #[inline]
    pub fn ring_if_asleep(&self) {
        if self.sleepers.load(Ordering::Relaxed) != 0 {
            self.ring();
        }
    }

    /// Wakes all threads that sleep on this bell.
    #[cold]
    pub fn ring(&self) {
        // In this order: a thread that announces its sleep after the first store has read the bell
        // before the second, and wakes.
        self.sleepers.store(0, Ordering::SeqCst);
        self.bell.fetch_add(1, Ordering::SeqCst);
        futex_wake_all(&self.bell);
    }
}

/// The header's bodies call this if they find a sleeper.
///
/// # Safety
/// `control` is the control page of a PE of this host, mapped here.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn philae_shmem_wake(control: *const ControlPage) {
    // SAFETY: as the caller promises.
    unsafe { &*control }.ring();
}

/// What a long wait does besides waiting.
pub trait SlowPart: Send + Sync {
    /// Makes progress with operations through the NIC; true if there was some.
    fn progress(&self) -> bool {
        false
    }
    /// Whether something writes to this PE's memory without ringing, as a NIC does.
    fn silent_writers(&self) -> bool {
        false
    }
    /// Reports a PE of the job that has died.
    fn dead(&self) -> Option<Error> {
        None
    }
}

/// The slow part of a job on one host whose PEs are not watched.
#[derive(Debug)]
pub struct NothingElse;

impl SlowPart for NothingElse {}

/// How many polls of each kind a waiting thread makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PollCounts {
    /// Polls without a pause.
    pub polls: u32,
    /// Polls with the processor's pause between them.
    pub pauses: u32,
    /// Polls with a yield between them.
    pub yields: u32,
}

impl PollCounts {
    /// Every PE has a processor of its own: the awaited PE is running.
    ///
    /// Source: 200 polls cover one trip of a cache line (about 110 ns), and 40 pauses about a
    /// microsecond. A yield where no other thread wants the processor is a short system call, and
    /// 1000 of them last longer than a time slice; where another does, it may be the one that is
    /// waited for. Status: assumed.
    pub const DEDICATED: Self = Self { polls: 200, pauses: 40, yields: 1000 };

    /// Oversubscription, with more PEs than processors: the awaited PE probably needs this
    /// processor.
    ///
    /// Source: the polls cover a trip of a cache line from a processor where the other runs; 200
    /// yields last 100 us and more. Status: assumed.
    pub const OVERSUBSCRIBED: Self = Self { polls: 60, pauses: 0, yields: 200 };
}

/// The sleep if NICs change memory without ringing, in nanoseconds: a remote write is seen about
/// this late.
///
/// Source: ours. Status: assumed; the longer it is, the later a remote write is seen, and the
/// shorter, the more a waiter costs.
const SILENT_SLEEP_NS: i64 = 100_000;
/// The shortest sleep if a ring may be missed, in nanoseconds.
///
/// Source: the design's bound, 1 ms. Status: assumed.
const SHORTEST_SLEEP_NS: i64 = 1_000_000;
/// The longest sleep, after which the thread checks for dead PEs, in nanoseconds.
///
/// Source: the design's bound, 50 ms. Status: assumed.
const LONGEST_SLEEP_NS: i64 = 50_000_000;

/// A long wait, as the control page counts it.
struct Counted<'c>(&'c ControlPage);

impl<'c> Counted<'c> {
    fn begin(control: &'c ControlPage) -> Self {
        control.waits.fetch_add(1, Ordering::AcqRel);
        Self(control)
    }
}

impl Drop for Counted<'_> {
    fn drop(&mut self) {
        self.0.waits.fetch_add(1, Ordering::AcqRel);
    }
}

/// How threads of one PE wait.
#[derive(Clone)]
pub struct WaitMethod {
    bell: *const ControlPage,
    /// The number of polls of each kind.
    pub patience: PollCounts,
    /// What a long wait does besides.
    pub slow: Arc<dyn SlowPart>,
    /// While a thread waits here its PE can do nothing else, or nothing that another PE's wait here
    /// could be for. So the control page counts the wait.
    pub is_all: bool,
}

// SAFETY: the bell lies in shared memory that stays mapped as long as its PE is initialised, and
// consists of atomics.
unsafe impl Send for WaitMethod {}
// SAFETY: as above.
unsafe impl Sync for WaitMethod {}

impl std::fmt::Debug for WaitMethod {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Waiting").field("patience", &self.patience).finish_non_exhaustive()
    }
}

impl WaitMethod {
    /// Waiting on `bell`, the beginning of this PE's control page.
    ///
    /// # Safety
    /// `bell` points to a [`ControlPage`] that stays mapped as long as the value, or a copy of it,
    /// lives.
    #[must_use]
    pub unsafe fn new(bell: *const ControlPage, patience: PollCounts, slow: Arc<dyn SlowPart>) -> Self {
        register_membarrier();
        Self { bell, patience, slow, is_all: true }
    }

    fn bell(&self) -> &ControlPage {
        // SAFETY: the caller of `new` promised that it stays mapped.
        unsafe { &*self.bell }
    }

    /// Waits until `ready`.
    ///
    /// # Errors
    /// A PE of the job has died, and `ready` is still false.
    #[inline]
    pub fn until(&self, mut ready: impl FnMut() -> bool) -> Result<(), Error> {
        for _ in 0..self.patience.polls {
            if ready() {
                return Ok(());
            }
        }
        self.until_slowly(&mut ready, &mut || Ok(()))
    }

    /// Waits until `ready`, and asks `look` after every sleep whether to continue waiting.
    ///
    /// # Errors
    /// The error of `look`, or a PE of the job has died.
    pub fn until_or(
        &self,
        mut ready: impl FnMut() -> bool,
        mut look: impl FnMut() -> Result<(), Error>,
    ) -> Result<(), Error> {
        for _ in 0..self.patience.polls {
            if ready() {
                return Ok(());
            }
        }
        self.until_slowly(&mut ready, &mut look)
    }

    #[cold]
    fn until_slowly(
        &self,
        ready: &mut dyn FnMut() -> bool,
        look: &mut dyn FnMut() -> Result<(), Error>,
    ) -> Result<(), Error> {
        let silent = self.slow.silent_writers();
        for turn in 0..self.patience.pauses {
            if ready() {
                return Ok(());
            }
            std::hint::spin_loop();
            if silent && turn % 16 == 0 {
                self.slow.progress();
            }
        }
        if self.yield_until(ready, silent) {
            return Ok(());
        }
        let (mut sleep, longest) = sleeps(silent, membarrier_works());
        let _counted = self.is_all.then(|| Counted::begin(self.bell()));
        loop {
            match self.sleep(ready, sleep) {
                Awake::Ready => return Ok(()),
                // A PE writes here, but not what this one waits for. If the sleeper slept again
                // immediately, every store would wake it, at the cost of a system call of the
                // writer.
                Awake::Rung if self.yield_until(ready, silent) => return Ok(()),
                Awake::Rung | Awake::Late => {}
            }
            self.slow.progress();
            let dead = self.slow.dead();
            // What a PE did before it died counts: poll after the check for dead PEs.
            if ready() {
                return Ok(());
            }
            if let Some(error) = dead {
                return Err(error);
            }
            self.bell().polls.fetch_add(1, Ordering::Release);
            look()?;
            sleep = (sleep * 2).min(longest);
        }
    }

    /// Polls and yields as often as patience permits; true if `ready` was.
    fn yield_until(&self, ready: &mut dyn FnMut() -> bool, silent: bool) -> bool {
        for _ in 0..self.patience.yields {
            if ready() {
                return true;
            }
            if !silent || !self.slow.progress() {
                std::thread::yield_now();
            }
        }
        false
    }

    /// One sleep, and how it ended.
    fn sleep(&self, ready: &mut dyn FnMut() -> bool, nanoseconds: i64) -> Awake {
        let bell = self.bell();
        let rings = bell.bell.load(Ordering::SeqCst);
        // The PE that rings clears the announcement, before the sleeper has a processor again.
        // Otherwise all stores in between would ring, too. If no PE has rung, it stays, and the
        // next store rings once for nothing.
        bell.sleepers.store(1, Ordering::SeqCst);
        membarrier();
        let done = ready();
        if !done {
            futex_wait(&bell.bell, rings, nanoseconds);
        }
        if done || ready() {
            Awake::Ready
        } else if bell.bell.load(Ordering::SeqCst) != rings {
            Awake::Rung
        } else {
            Awake::Late
        }
    }
}

/// How a sleep ended.
enum Awake {
    /// `ready` is true.
    Ready,
    /// The bell rang for something else.
    Rung,
    /// The time is over, or a signal arrived.
    Late,
}

/// The first sleep and the longest, in nanoseconds. `silent`: something may change memory without
/// ringing. `surely`: a ring never misses a sleeper.
const fn sleeps(silent: bool, surely: bool) -> (i64, i64) {
    match (silent, surely) {
        (true, _) => (SILENT_SLEEP_NS, SILENT_SLEEP_NS),
        (false, true) => (LONGEST_SLEEP_NS, LONGEST_SLEEP_NS),
        (false, false) => (SHORTEST_SLEEP_NS, LONGEST_SLEEP_NS),
    }
}

/// Sleeps while `word` is `expected`, at most `nanoseconds`. Signals and rings end the sleep early.
fn futex_wait(word: &AtomicU32, expected: u32, nanoseconds: i64) {
    let time = libc::timespec { tv_sec: nanoseconds / 1_000_000_000, tv_nsec: nanoseconds % 1_000_000_000 };
    // SAFETY: the word and the time outlive the call. Processes share the word: no
    // FUTEX_PRIVATE_FLAG.
    unsafe {
        libc::syscall(libc::SYS_futex, word.as_ptr(), libc::FUTEX_WAIT, expected, &raw const time, 0, 0);
    }
}

fn futex_wake_all(word: &AtomicU32) {
    // SAFETY: FUTEX_WAKE takes only the address and a count.
    unsafe {
        libc::syscall(libc::SYS_futex, word.as_ptr(), libc::FUTEX_WAKE, i32::MAX, 0, 0, 0);
    }
}

/// 0: not tried yet; 1: works; 2: the kernel lacks it or does not allow it.
static MEMBARRIER: AtomicU32 = AtomicU32::new(0);

fn membarrier_command(command: libc::c_int) -> bool {
    // SAFETY: the call takes only numbers.
    unsafe { libc::syscall(libc::SYS_membarrier, command, 0, 0) >= 0 }
}

/// Registers this process with the kernel, so that barriers reach it. Every PE calls this before it
/// writes to others' memory.
pub fn register_membarrier() {
    if MEMBARRIER.load(Ordering::Relaxed) == 0 {
        let works = membarrier_command(libc::MEMBARRIER_CMD_REGISTER_GLOBAL_EXPEDITED);
        MEMBARRIER.store(if works { 1 } else { 2 }, Ordering::Relaxed);
    }
}

fn membarrier_works() -> bool {
    MEMBARRIER.load(Ordering::Relaxed) == 1
}

fn membarrier() {
    if membarrier_works() {
        membarrier_command(libc::MEMBARRIER_CMD_GLOBAL_EXPEDITED);
    } else {
        std::sync::atomic::fence(Ordering::SeqCst);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicU64;

    fn waiting(bell: &ControlPage, slow: Arc<dyn SlowPart>) -> WaitMethod {
        // SAFETY: the tests keep the bell longer than what waits on it.
        unsafe { WaitMethod::new(bell, PollCounts { polls: 2, pauses: 2, yields: 2 }, slow) }
    }

    fn new_bell() -> ControlPage {
        ControlPage::new(0)
    }

    #[test]
    fn sleeps_stay_short_where_a_nic_may_write() {
        for surely in [false, true] {
            assert_eq!(sleeps(true, surely), (SILENT_SLEEP_NS, SILENT_SLEEP_NS));
        }
        assert_eq!(sleeps(false, true).1, LONGEST_SLEEP_NS);
    }

    #[test]
    fn a_sleeper_sees_every_step_of_a_game_of_ping_pong() {
        let (bells, word) = ([new_bell(), new_bell()], AtomicU64::new(0));
        std::thread::scope(|scope| {
            for me in 0..2 {
                let (bells, word) = (&bells, &word);
                scope.spawn(move || {
                    let waiting = waiting(&bells[me], Arc::new(NothingElse));
                    for round in 0..2000u64 {
                        let mine = 2 * round + me as u64;
                        waiting.until(|| word.load(Ordering::Acquire) == mine).expect("no PE dies here");
                        word.store(mine + 1, Ordering::Release);
                        bells[1 - me].ring_if_asleep();
                    }
                });
            }
        });
        assert_eq!(word.load(Ordering::Relaxed), 4000);
        assert!(
            bells.iter().all(|bell| {
                bell.ring_if_asleep();
                bell.sleepers.load(Ordering::Relaxed) == 0
            }),
            "who was rung for does not count as asleep"
        );
    }

    #[test]
    fn stores_ring_once_for_a_sleeper_that_has_no_processor_yet() {
        let bell = new_bell();
        bell.ring_if_asleep();
        assert_eq!(bell.bell.load(Ordering::Relaxed), 0, "no PE sleeps");
        bell.sleepers.store(1, Ordering::Relaxed);
        (0..1000).for_each(|_| bell.ring_if_asleep());
        assert_eq!(bell.bell.load(Ordering::Relaxed), 1);
    }

    #[test]
    fn who_is_rung_for_something_else_looks_before_it_sleeps_again() {
        let (bell, polls) = (new_bell(), AtomicU64::new(0));
        let waiting = waiting(&bell, Arc::new(NothingElse));
        std::thread::scope(|scope| {
            scope.spawn(|| {
                waiting.until(|| polls.fetch_add(1, Ordering::Relaxed) >= 10_000).expect("no PE dies here");
            });
            // Every ring that finds the sleeper brings at least the polls of its yields, and the
            // one after waking.
            let mut rings = 0;
            while polls.load(Ordering::Relaxed) <= 10_000 {
                let before = bell.bell.load(Ordering::Relaxed);
                bell.ring_if_asleep();
                rings += u64::from(bell.bell.load(Ordering::Relaxed) - before);
                std::thread::yield_now();
            }
            assert!(rings * 3 <= polls.load(Ordering::Relaxed) + 3, "{rings} rings");
        });
    }

    struct OneDied;
    impl SlowPart for OneDied {
        fn dead(&self) -> Option<Error> {
            Some(Error::PeDied { pe: 3, pid: 77, how: "is gone".to_owned() })
        }
    }

    #[test]
    fn a_wait_for_a_dead_pe_ends_and_names_it() {
        let bell = new_bell();
        let ended = waiting(&bell, Arc::new(OneDied)).until(|| false);
        assert!(matches!(ended, Err(Error::PeDied { pe: 3, .. })), "{ended:?}");
    }

    #[test]
    fn what_the_dead_did_before_still_counts() {
        let (bell, polls) = (new_bell(), AtomicU64::new(0));
        // Ready at the very last poll, the one after the check for dead PEs.
        let ready = || polls.fetch_add(1, Ordering::Relaxed) >= 7;
        assert!(waiting(&bell, Arc::new(OneDied)).until(ready).is_ok());
    }

    struct Nic(AtomicU64);
    impl SlowPart for Nic {
        fn progress(&self) -> bool {
            self.0.fetch_add(1, Ordering::Relaxed);
            true
        }
        fn silent_writers(&self) -> bool {
            true
        }
    }

    #[test]
    fn a_nic_that_needs_to_be_driven_is_driven() {
        let (bell, nic) = (new_bell(), Arc::new(Nic(AtomicU64::new(0))));
        let slow: Arc<dyn SlowPart> = Arc::<Nic>::clone(&nic);
        assert!(waiting(&bell, slow).until(|| nic.0.load(Ordering::Relaxed) >= 5).is_ok());
    }
}
