//! The processor on which the turns of a thread's ranks are taken.
//!
//! A rank and the coordinator take turns, so that one of them works at a time. On one processor a
//! turn changes hands in a few microseconds; to wake another one that is idle takes several times
//! as long. So a thread of the coordinator stays on a processor, and tells its ranks which. While
//! others want that processor, all of them may go where the system wants. A thread that stays
//! handles the processor's counter as its ranks do ([`crate::counter`]).

use std::cell::RefCell;
use std::time::{Duration, Instant};

use crate::counter;

/// Turns between two looks at the clock. Source: ours. Status: assumed; some milliseconds.
const TURNS: u32 = 256;
/// Time between two decisions. Source: ours; several of the kernel's time slices. Status: assumed.
const PERIOD: Duration = Duration::from_millis(10);
/// A thread that waits for its processor for more than this share of the time has to share it: one
/// in so many. Source: ours; more than it waits for a rank that has woken it and falls asleep.
/// Status: assumed.
const CROWDED: u32 = 3;

/// Where the turns of this thread's ranks are taken.
struct TurnHome {
    /// The processor; 0: any, otherwise its number and 1.
    processor: u16,
    turns: u32,
    /// When it was decided, and how long this thread had waited for a processor until then.
    decided: Option<(Instant, u64)>,
    /// The processors that the thread had before.
    before: Option<libc::cpu_set_t>,
}

thread_local! {
    static HOME: RefCell<TurnHome> =
        const { RefCell::new(TurnHome { processor: 0, turns: 0, decided: None, before: None }) };
}

/// The processor on which the next turn of a rank is taken; 0: any, otherwise its number and 1.
/// `has_trap`: whether ranks read the processor's counter with a trap.
pub fn of_next_turn(has_trap: bool) -> u16 {
    HOME.with_borrow_mut(|home| {
        home.turns = home.turns.wrapping_add(1);
        if home.turns.is_multiple_of(TURNS) {
            // It reads a clock.
            counter::free();
            home.decide();
            if has_trap && home.processor != 0 {
                counter::trap();
            }
        }
        home.processor
    })
}

/// This thread may use any processor again that it had.
pub fn leave() {
    HOME.with_borrow_mut(TurnHome::leave);
}

impl TurnHome {
    fn decide(&mut self) {
        let now = Instant::now();
        let Some((then, waited_then)) = self.decided else {
            self.decided = waited_ns().map(|waited| (now, waited));
            return;
        };
        let span = now - then;
        if span < PERIOD {
            return;
        }
        let Some(waited) = waited_ns() else { return };
        self.decided = Some((now, waited));
        let is_crowded = Duration::from_nanos(waited - waited_then) * CROWDED > span;
        match self.processor {
            0 if !is_crowded => self.stay(),
            0 => {}
            _ if is_crowded => self.leave(),
            _ => {}
        }
    }

    /// Stays where it is.
    fn stay(&mut self) {
        // SAFETY: sets without a processor, room for what the system says, and a number in range.
        unsafe {
            let (mut before, mut only): (libc::cpu_set_t, libc::cpu_set_t) = (std::mem::zeroed(), std::mem::zeroed());
            let size = size_of::<libc::cpu_set_t>();
            let here = libc::sched_getcpu();
            let Ok(number) = u16::try_from(here) else { return };
            if usize::from(number) >= size * 8 || libc::sched_getaffinity(0, size, &raw mut before) != 0 {
                return;
            }
            libc::CPU_SET(number.into(), &mut only);
            if libc::sched_setaffinity(0, size, &raw const only) == 0 {
                (self.processor, self.before) = (number + 1, Some(before));
            }
        }
    }

    fn leave(&mut self) {
        self.processor = 0;
        counter::free();
        if let Some(before) = self.before.take() {
            // SAFETY: a set of this size.
            unsafe { libc::sched_setaffinity(0, size_of::<libc::cpu_set_t>(), &raw const before) };
        }
    }
}

/// How long this thread has waited for a processor, in nanoseconds; `None`: the system does not
/// say.
fn waited_ns() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    text.split_ascii_whitespace().nth(1)?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_thread_has_the_trap_of_its_ranks_only_while_it_stays() {
        let turns = || {
            let began = Instant::now();
            while began.elapsed() < PERIOD * 5 {
                let mut processor = 0;
                for _ in 0..TURNS {
                    processor = of_next_turn(cfg!(target_arch = "x86_64"));
                }
                let expected = cfg!(target_arch = "x86_64") && processor != 0;
                assert_eq!(counter::has_trap(), expected, "on processor {processor}");
            }
            of_next_turn(false);
            leave();
            assert!(!counter::has_trap(), "it has left");
        };
        std::thread::spawn(turns).join().expect("the thread ends by itself");
    }
}
