//! A lock in memory that processes share. It survives the death of its holder: the next process
//! inherits the lock, and learns that the guarded state may be inconsistent.

use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use philae_cosim::futex;

/// Polls of the word before a waiter yields: longer than the lock is usually held. Source: ours.
/// Status: assumed; some 5 us.
const SPINS: u32 = 120;
/// Yields of a waiter before it sleeps. Source: ours. Status: assumed.
const YIELDS: u32 = 4;
/// After this time a waiter checks whether the holder is alive. Source: ours. Status: assumed.
const PATIENCE: Duration = if cfg!(test) { Duration::from_micros(100) } else { Duration::from_millis(20) };
/// A process waits for the lock.
const WAITED_FOR: u32 = 1 << 31;
/// A holder died, and the guarded state cannot be repaired.
const BROKEN: u32 = u32::MAX;

/// The lock: 0, or the holder's process and whether another process waits.
#[derive(Debug, Default)]
#[repr(transparent)]
pub struct SharedLock(AtomicU32);

/// A process inherited the lock and could not repair the state, and so broke it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a process died while it changed its own state")]
pub struct Broken;

/// The lock, held.
#[derive(Debug)]
pub struct SharedLockGuard<'l> {
    lock: &'l SharedLock,
    /// The process that died with it; 0: none.
    inherited_from: u32,
}

impl SharedLockGuard<'_> {
    /// The process that held the lock before and died with it.
    #[must_use]
    pub fn inherited_from(&self) -> Option<u32> {
        (self.inherited_from != 0).then_some(self.inherited_from)
    }

    /// Breaks the lock forever, because the guarded state cannot be repaired.
    pub fn break_for_good(self) -> Broken {
        self.lock.0.store(BROKEN, Ordering::Relaxed);
        futex::wake(&self.lock.0, u32::MAX);
        std::mem::forget(self);
        Broken
    }
}

impl SharedLock {
    /// Takes the lock for the process `me` (its number, from 1 to 2^31 - 2).
    ///
    /// # Errors
    /// [`Broken`].
    pub fn take(&self, me: u32) -> Result<SharedLockGuard<'_>, Broken> {
        match self.0.compare_exchange(0, me, Ordering::Acquire, Ordering::Relaxed) {
            Ok(_) => Ok(self.held()),
            Err(BROKEN) => Err(Broken),
            Err(_) => self.try_for_a_while(me),
        }
    }

    const fn held(&self) -> SharedLockGuard<'_> {
        SharedLockGuard { lock: self, inherited_from: 0 }
    }

    #[cold]
    fn try_for_a_while(&self, me: u32) -> Result<SharedLockGuard<'_>, Broken> {
        for _ in 0..YIELDS {
            for _ in 0..SPINS {
                // A load leaves the cache line shared; an attempted exchange does not.
                match self.0.load(Ordering::Relaxed) {
                    0 => {
                        let taken = self.0.compare_exchange(0, me, Ordering::Acquire, Ordering::Relaxed);
                        if taken.is_ok() {
                            return Ok(self.held());
                        }
                    }
                    BROKEN => return Err(Broken),
                    _ => std::hint::spin_loop(),
                }
            }
            std::thread::yield_now();
        }
        self.wait_for(me)
    }

    #[cold]
    fn wait_for(&self, me: u32) -> Result<SharedLockGuard<'_>, Broken> {
        loop {
            let found = self.0.load(Ordering::Relaxed);
            match found {
                BROKEN => return Err(Broken),
                // Other processes may wait as well: the next release wakes one of them.
                0 => match self.0.compare_exchange(0, me | WAITED_FOR, Ordering::Acquire, Ordering::Relaxed) {
                    Ok(_) => return Ok(self.held()),
                    Err(_) => continue,
                },
                _ => {}
            }
            let waited_for = found | WAITED_FOR;
            let marked = self.0.compare_exchange(found, waited_for, Ordering::Relaxed, Ordering::Relaxed);
            if marked.is_err() {
                continue;
            }
            futex::sleep(&self.0, waited_for, PATIENCE);
            let holder = found & !WAITED_FOR;
            if self.0.load(Ordering::Relaxed) == waited_for && !is_alive(holder) {
                let heir = me | WAITED_FOR;
                if self.0.compare_exchange(waited_for, heir, Ordering::Acquire, Ordering::Relaxed).is_ok() {
                    return Ok(SharedLockGuard { lock: self, inherited_from: holder });
                }
            }
        }
    }
}

impl Drop for SharedLockGuard<'_> {
    fn drop(&mut self) {
        if self.lock.0.swap(0, Ordering::Release) & WAITED_FOR != 0 {
            futex::wake(&self.lock.0, 1);
        }
    }
}

/// Whether a process with this number runs, whichever user it belongs to. A zombie, whose parent
/// has not collected its exit code, does not count.
#[must_use]
pub fn is_alive(process: u32) -> bool {
    let Ok(number) = libc::pid_t::try_from(process) else { return false };
    // SAFETY: signal 0 is not delivered; the call only checks that it could be.
    let answer = unsafe { libc::kill(number, 0) };
    let exists = answer == 0 || std::io::Error::last_os_error().raw_os_error() != Some(libc::ESRCH);
    exists && !has_ended(process)
}

/// Whether a process is a zombie.
fn has_ended(process: u32) -> bool {
    let Ok(stat) = std::fs::read_to_string(format!("/proc/{process}/stat")) else { return false };
    // The state follows the name, which is in brackets and may contain any characters.
    let mut fields = stat.rsplit_once(')').map_or("", |(_, rest)| rest).split_whitespace();
    let state = fields.next();
    // If the main thread ends by pthread_exit, the process continues with its other threads.
    // Source: proc(5), num_threads.
    let threads = fields.nth(16).and_then(|count| count.parse::<u32>().ok()).unwrap_or(1);
    matches!(state, Some("Z" | "X")) && threads <= 1
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::UnsafeCell;

    /// A number that the lock guards.
    struct Guarded {
        lock: SharedLock,
        number: UnsafeCell<u64>,
    }

    // SAFETY: only holders of the lock touch the number.
    unsafe impl Sync for Guarded {}

    impl Guarded {
        fn add(&self) {
            let held = self.lock.take(std::process::id()).expect("nobody dies");
            // SAFETY: the lock is held.
            unsafe { *self.number.get() += 1 };
            drop(held);
        }
    }

    #[test]
    fn one_at_a_time_holds_it() {
        let guarded = Guarded { lock: SharedLock::default(), number: UnsafeCell::new(0) };
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| (0..20_000).for_each(|_| guarded.add()));
            }
        });
        assert_eq!(guarded.number.into_inner(), 160_000);
        assert_eq!(guarded.lock.0.into_inner(), 0);
    }

    /// A process that has ended.
    fn dead() -> u32 {
        let mut child = std::process::Command::new("true").spawn().expect("a process starts");
        let dead = child.id();
        while is_alive(dead) {
            std::thread::yield_now();
        }
        child.wait().expect("it had ended already, as one whose exit code nobody has asked for");
        assert!(!is_alive(dead) && is_alive(std::process::id()));
        dead
    }

    #[test]
    fn a_lock_whose_holder_died_is_inherited_by_one_of_those_who_wait() {
        let (dead, lock) = (dead(), SharedLock::default());
        std::mem::forget(lock.take(dead).expect("it is free"));
        let inherits = || lock.take(std::process::id()).map(|held| held.inherited_from());
        let mut found: Vec<_> = std::thread::scope(|scope| {
            let waiters: Vec<_> = (0..3).map(|_| scope.spawn(inherits)).collect();
            waiters.into_iter().map(|waiter| waiter.join().expect("no panic")).collect()
        });
        found.sort_by_key(|found| *found == Ok(None));
        assert_eq!(found, [Ok(Some(dead)), Ok(None), Ok(None)]);
    }

    #[test]
    fn an_heir_can_break_the_lock_for_all() {
        let (dead, lock) = (dead(), SharedLock::default());
        std::mem::forget(lock.take(dead).expect("it is free"));
        std::thread::scope(|scope| {
            let waiters: Vec<_> = (0..3)
                .map(|_| scope.spawn(|| lock.take(std::process::id()).map(|held| _ = held.break_for_good())))
                .collect();
            let ends: Vec<_> = waiters.into_iter().map(|waiter| waiter.join().expect("no panic")).collect();
            assert_eq!(ends.iter().filter(|end| **end == Err(Broken)).count(), 2, "one breaks it: {ends:?}");
        });
        assert_eq!(lock.take(std::process::id()).map(drop), Err(Broken), "for good");
    }
}
