//! Waiting until memory changes: spin, then yield, then sleep on the control page's bell.
//!
//! Whoever writes into another PE's memory looks at that PE's `sleepers` afterwards, with a plain load, and rings when it
//! is not 0. Store and load may pass each other in the writer's processor; the one who goes to sleep makes up for that:
//! it says that it sleeps, has the kernel put a barrier into every running thread of the job (membarrier), and looks once
//! more. Either that look sees the store, or the writer's load sees the sleeper. Sleeps have a bound all the same: a NIC
//! does not ring, and a dead PE does not either.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use crate::abi::Control;
use crate::error::Error;

impl Control {
    /// Wakes who sleeps, if anybody does. To be called after the store that they may be waiting for.
    #[inline]
    pub fn ring_if_asleep(&self) {
        if self.sleepers.load(Ordering::Relaxed) != 0 {
            self.ring();
        }
    }

    /// Wakes everybody who sleeps on this bell.
    #[cold]
    pub fn ring(&self) {
        // In this order: who says that it sleeps after the first of these has read the bell before the second, and wakes.
        self.sleepers.store(0, Ordering::SeqCst);
        self.bell.fetch_add(1, Ordering::SeqCst);
        futex_wake_all(&self.bell);
    }
}

/// What the header's bodies call where they find somebody asleep.
///
/// # Safety
/// `control` is the control page of a PE of this host, mapped here.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn philae_shmem_wake(control: *const Control) {
    // SAFETY: the caller's promise.
    unsafe { &*control }.ring();
}

/// What a thread that waits long does besides waiting.
pub trait SlowPart: Send + Sync {
    /// Moves on what goes through the NIC; true when something moved.
    fn progress(&self) -> bool {
        false
    }
    /// Whether something writes into this PE's memory that does not ring, as a NIC does.
    fn silent_writers(&self) -> bool {
        false
    }
    /// Says so when a PE of the job has died.
    fn dead(&self) -> Option<Error> {
        None
    }
}

/// The slow part of a job on one host whose PEs nobody watches.
#[derive(Debug)]
pub struct NothingElse;

impl SlowPart for NothingElse {}

/// How long a thread waits in which way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Patience {
    /// Looks one after the other, without a pause.
    pub looks: u32,
    /// Looks with the processor's pause between them.
    pub pauses: u32,
    /// Looks between which the processor is offered to others.
    pub yields: u32,
}

impl Patience {
    /// Every PE has a processor of its own: what is waited for is being done right now.
    ///
    /// Source: 200 looks cover one trip of a cache line (about 110 ns), and 40 pauses about a microsecond. A yield where
    /// nobody else wants the processor is a short system call, and 1000 of them last longer than a time slice; where
    /// somebody does, it may be the one who is waited for. Status: assumed.
    pub const ROOMY: Self = Self { looks: 200, pauses: 40, yields: 1000 };

    /// More PEs than processors: what is waited for probably needs this processor.
    ///
    /// Source: the looks cover a trip of a cache line from a processor where the other runs; 200 yields last
    /// 100 us and more. Status: assumed.
    pub const CROWDED: Self = Self { looks: 60, pauses: 0, yields: 200 };
}

/// The sleep where NICs change memory without ringing, in nanoseconds: a far write is seen about that late.
///
/// Source: ours. Status: assumed; the longer it is, the later a far write is seen, and the shorter, the more a waiter costs.
const SILENT_SLEEP_NS: i64 = 100_000;
/// The shortest sleep where a ring may be missed, in nanoseconds.
///
/// Source: the design's bound, 1 ms. Status: assumed.
const SHORTEST_SLEEP_NS: i64 = 1_000_000;
/// The longest sleep, after which a dead PE is looked for, in nanoseconds.
///
/// Source: the design's bound, 50 ms. Status: assumed.
const LONGEST_SLEEP_NS: i64 = 50_000_000;

/// A long wait, as the control page counts it.
struct Counted<'c>(&'c Control);

impl<'c> Counted<'c> {
    fn begin(control: &'c Control) -> Self {
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
pub struct Waiting {
    bell: *const Control,
    /// How long in which way.
    pub patience: Patience,
    /// What is done besides.
    pub slow: Arc<dyn SlowPart>,
    /// While a thread waits here its PE can do nothing else, or nothing that another PE's wait here could be for: the wait is
    /// counted on the control page.
    pub is_all: bool,
}

// SAFETY: the bell lies in shared memory that stays mapped as long as its PE is initialised, and holds atomics only.
unsafe impl Send for Waiting {}
// SAFETY: as above.
unsafe impl Sync for Waiting {}

impl std::fmt::Debug for Waiting {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Waiting").field("patience", &self.patience).finish_non_exhaustive()
    }
}

impl Waiting {
    /// Waiting on `bell`, the beginning of this PE's control page.
    ///
    /// # Safety
    /// `bell` points to a [`Control`] that stays mapped as long as the value, or a copy of it, lives.
    #[must_use]
    pub unsafe fn new(bell: *const Control, patience: Patience, slow: Arc<dyn SlowPart>) -> Self {
        register_membarrier();
        Self { bell, patience, slow, is_all: true }
    }

    fn bell(&self) -> &Control {
        // SAFETY: `new` was promised that it stays mapped.
        unsafe { &*self.bell }
    }

    /// Waits until `ready`.
    ///
    /// # Errors
    /// A PE of the job has died, and what was waited for has not come.
    #[inline]
    pub fn until(&self, mut ready: impl FnMut() -> bool) -> Result<(), Error> {
        for _ in 0..self.patience.looks {
            if ready() {
                return Ok(());
            }
        }
        self.until_slowly(&mut ready, &mut || Ok(()))
    }

    /// Waits until `ready`, and asks `look` after every sleep whether waiting makes sense.
    ///
    /// # Errors
    /// What `look` says, or that a PE of the job has died.
    pub fn until_or(
        &self,
        mut ready: impl FnMut() -> bool,
        mut look: impl FnMut() -> Result<(), Error>,
    ) -> Result<(), Error> {
        for _ in 0..self.patience.looks {
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
                // Somebody writes here, and something else than what is waited for. Who slept again at once would be woken
                // by every store: the writer would pay a system call for each.
                Awake::Rung if self.yield_until(ready, silent) => return Ok(()),
                Awake::Rung | Awake::Late => {}
            }
            self.slow.progress();
            let dead = self.slow.dead();
            // What a PE did before it died counts: look after having looked for the dead.
            if ready() {
                return Ok(());
            }
            if let Some(error) = dead {
                return Err(error);
            }
            self.bell().looks.fetch_add(1, Ordering::Release);
            look()?;
            sleep = (sleep * 2).min(longest);
        }
    }

    /// Looks and yields, as often as patience has it; true when `ready` said so.
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
        // The one who rings takes it back, before the sleeper has a processor again: else all that is written meanwhile would
        // ring, too. Where nobody has rung it stays, and the next store rings in vain, once.
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
    /// What was waited for is there.
    Ready,
    /// The bell rang for something else.
    Rung,
    /// The time is over, or a signal came.
    Late,
}

/// The first sleep and the longest, in nanoseconds. `silent`: something may change memory and does not ring. `surely`: who
/// rings does not miss a sleeper.
const fn sleeps(silent: bool, surely: bool) -> (i64, i64) {
    match (silent, surely) {
        (true, _) => (SILENT_SLEEP_NS, SILENT_SLEEP_NS),
        (false, true) => (LONGEST_SLEEP_NS, LONGEST_SLEEP_NS),
        (false, false) => (SHORTEST_SLEEP_NS, LONGEST_SLEEP_NS),
    }
}

/// Sleeps while `word` is `expected`, at most so long. Signals and rings end it early.
fn futex_wait(word: &AtomicU32, expected: u32, nanoseconds: i64) {
    let time = libc::timespec { tv_sec: nanoseconds / 1_000_000_000, tv_nsec: nanoseconds % 1_000_000_000 };
    // SAFETY: the word and the time live through the call. The word is shared between processes: no FUTEX_PRIVATE_FLAG.
    unsafe {
        libc::syscall(libc::SYS_futex, word.as_ptr(), libc::FUTEX_WAIT, expected, &raw const time, 0, 0);
    }
}

fn futex_wake_all(word: &AtomicU32) {
    // SAFETY: FUTEX_WAKE takes the address and a count only.
    unsafe {
        libc::syscall(libc::SYS_futex, word.as_ptr(), libc::FUTEX_WAKE, i32::MAX, 0, 0, 0);
    }
}

/// 0: not asked yet; 1: works; 2: the kernel does not have it or does not allow it.
static MEMBARRIER: AtomicU32 = AtomicU32::new(0);

fn membarrier_command(command: libc::c_int) -> bool {
    // SAFETY: the call takes numbers only.
    unsafe { libc::syscall(libc::SYS_membarrier, command, 0, 0) >= 0 }
}

/// Has the kernel count this process among those that a barrier reaches. Every PE calls it before it writes into others.
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

    fn waiting(bell: &Control, slow: Arc<dyn SlowPart>) -> Waiting {
        // SAFETY: the tests keep the bell longer than what waits on it.
        unsafe { Waiting::new(bell, Patience { looks: 2, pauses: 2, yields: 2 }, slow) }
    }

    fn new_bell() -> Control {
        Control::new(0)
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
                        waiting.until(|| word.load(Ordering::Acquire) == mine).expect("nobody dies here");
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
        assert_eq!(bell.bell.load(Ordering::Relaxed), 0, "nobody sleeps");
        bell.sleepers.store(1, Ordering::Relaxed);
        (0..1000).for_each(|_| bell.ring_if_asleep());
        assert_eq!(bell.bell.load(Ordering::Relaxed), 1);
    }

    #[test]
    fn who_is_rung_for_something_else_looks_before_it_sleeps_again() {
        let (bell, looks) = (new_bell(), AtomicU64::new(0));
        let waiting = waiting(&bell, Arc::new(NothingElse));
        std::thread::scope(|scope| {
            scope.spawn(|| {
                waiting.until(|| looks.fetch_add(1, Ordering::Relaxed) >= 10_000).expect("nobody dies here");
            });
            // Every ring that finds the sleeper brings at least the looks of its yields, and the one after waking.
            let mut rings = 0;
            while looks.load(Ordering::Relaxed) <= 10_000 {
                let before = bell.bell.load(Ordering::Relaxed);
                bell.ring_if_asleep();
                rings += u64::from(bell.bell.load(Ordering::Relaxed) - before);
                std::thread::yield_now();
            }
            assert!(rings * 3 <= looks.load(Ordering::Relaxed) + 3, "{rings} rings");
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
        let (bell, looks) = (new_bell(), AtomicU64::new(0));
        // Ready at the very last look, the one after the dead were looked for.
        let ready = || looks.fetch_add(1, Ordering::Relaxed) >= 7;
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
