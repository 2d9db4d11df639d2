//! Deadlock detection at the end of a job: some PEs are at their end, by `shmem_finalize` or by an
//! exit without it, and all others wait.
//!
//! A PE's control page says where it is in its life, whether it waits, and how often it has polled
//! in this wait. A PE that waits long reads all pages, one after the other and in several passes.
//! If every PE waits through all passes, and has polled again after each, no PE is left that could
//! change what any of them waits for. Only NICs may still carry data, for which the passes leave
//! time. A PE that computes, or that is stopped, ends the search immediately.

use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use crate::abi::{ControlPage, state};
use crate::error::Error;

/// The time between passes, and before the first. Source: ours; no transfer is in flight so long.
/// Status: assumed.
const STEP: Duration = Duration::from_secs(1);
/// Passes in which all PEs must wait. Source: ours. Status: assumed.
const PASSES: u32 = 3;
/// Polls that a PE must make between passes: the first may have begun before a pass, the second has
/// not. Source: computed. Status: derived.
const POLLS: u32 = 2;

/// The contents of a PE's control page.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ControlSnapshot {
    /// One of [`state`].
    pub state: u32,
    /// Its process number.
    pub pid: i32,
    /// Odd: it waits, for the same thing as long as the number is the same.
    pub waits: u32,
    /// How often it has polled without success.
    pub polls: u32,
}

impl ControlSnapshot {
    /// Reads a page.
    #[must_use]
    pub fn on(page: &ControlPage) -> Self {
        // The state first: a reader that sees a PE's end also sees what the PE did before it.
        let state = page.state.load(Ordering::Acquire);
        Self {
            state,
            pid: page.pid.load(Ordering::Relaxed),
            waits: page.waits.load(Ordering::Acquire),
            polls: page.polls.load(Ordering::Acquire),
        }
    }

    const fn is_at_its_end(self) -> bool {
        matches!(self.state, state::FINALISING | state::EXITING | state::FINALISED)
    }

    const fn waits(self) -> bool {
        self.state == state::RUNNING && self.waits % 2 == 1
    }
}

/// The search by a PE that waits.
#[derive(Debug, Default)]
pub struct StuckSearch {
    /// The number of this PE's wait.
    wait: u32,
    next: Option<Instant>,
    pass: u32,
    pe: u32,
    /// What the previous pass saw, by PE.
    before: Vec<(u32, u32)>,
    /// A PE that is at its end.
    ended: Option<(u32, ControlSnapshot)>,
    /// Whether a PE before this one waits, too: then that PE reports the deadlock.
    follows: bool,
}

impl StuckSearch {
    /// Continues the search for this PE, which waits. `read` returns the contents of a PE's page,
    /// or nothing yet. Returns the error if no PE can continue.
    pub fn look(
        &mut self,
        (me, n_pes): (u32, u32),
        own: ControlSnapshot,
        now: Instant,
        mut read: impl FnMut(u32) -> Option<ControlSnapshot>,
    ) -> Option<Error> {
        if !own.waits() || n_pes < 2 {
            return None;
        }
        if self.wait != own.waits || self.next.is_none() {
            self.wait = own.waits;
            self.begin(now, n_pes);
        }
        if self.next.is_some_and(|next| now < next) {
            return None;
        }
        while self.pe < n_pes {
            if self.pe != me && !self.pass_by(read(self.pe)?, me, now, n_pes) {
                return None;
            }
            self.pe += 1;
        }
        let Some((pe, seen)) = self.ended else {
            // All wait and none is at its end. The program may have a reason, for example a wake-up
            // from outside.
            self.begin(now, n_pes);
            return None;
        };
        (self.pass, self.pe, self.next) = (self.pass + 1, 0, Some(now + STEP));
        // The first PE reports the deadlock; the others give it the time of one pass.
        let passes = if self.follows { PASSES + 1 } else { PASSES };
        if self.pass < passes {
            return None;
        }
        self.begin(now, n_pes);
        Some(Error::Stuck { pe, pid: seen.pid, without_finalize: seen.state == state::EXITING })
    }

    fn begin(&mut self, now: Instant, n_pes: u32) {
        (self.next, self.pass, self.pe, self.ended, self.follows) = (Some(now + STEP), 0, 0, None, false);
        self.before.clear();
        self.before.resize(n_pes as usize, (0, 0));
    }

    /// Whether the pass can continue after this PE.
    fn pass_by(&mut self, seen: ControlSnapshot, me: u32, now: Instant, n_pes: u32) -> bool {
        let pe = self.pe;
        if seen.is_at_its_end() {
            // A PE that has left without `shmem_finalize` is the likelier mistake.
            let is_worse =
                |(_, other): (u32, ControlSnapshot)| other.state != state::EXITING && seen.state == state::EXITING;
            if self.ended.is_none_or(is_worse) {
                self.ended = Some((pe, seen));
            }
            return true;
        }
        let (waits, polls) = self.before[pe as usize];
        if !seen.waits() || (self.pass > 0 && waits != seen.waits) {
            self.begin(now, n_pes);
            return false;
        }
        if self.pass > 0 && seen.polls.wrapping_sub(polls) < POLLS {
            // It has had no processor since then.
            return false;
        }
        self.before[pe as usize] = (seen.waits, seen.polls);
        self.follows |= pe < me;
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WAITS: ControlSnapshot = ControlSnapshot { state: state::RUNNING, pid: 40, waits: 1, polls: 0 };
    const COMPUTES: ControlSnapshot = ControlSnapshot { waits: 2, ..WAITS };
    const EXITS: ControlSnapshot = ControlSnapshot { state: state::EXITING, pid: 41, waits: 0, polls: 0 };
    const FINALISES: ControlSnapshot = ControlSnapshot { state: state::FINALISING, pid: 42, waits: 0, polls: 0 };

    /// What a PE reports after `seconds` seconds in which all PEs poll and `change` changes their
    /// pages.
    fn after(
        me: u32,
        pes: &[ControlSnapshot],
        seconds: u64,
        mut change: impl FnMut(u64, &mut [ControlSnapshot]),
    ) -> Option<String> {
        let (mut stuck, begin, mut pes) = (StuckSearch::default(), Instant::now(), pes.to_vec());
        for tenth in 0..10 * seconds {
            pes.iter_mut().for_each(|pe| pe.polls += 5);
            change(tenth, &mut pes);
            let now = begin + Duration::from_millis(100 * tenth);
            let own = pes[me as usize];
            let said = stuck.look((me, pes.len() as u32), own, now, |pe| Some(pes[pe as usize]));
            if let Some(error) = said {
                return Some(error.to_string());
            }
        }
        None
    }

    fn nothing(_: u64, _: &mut [ControlSnapshot]) {}

    #[test]
    fn who_waits_beside_one_that_has_left_is_told_and_the_first_says_it() {
        let said = after(0, &[WAITS, EXITS, WAITS], 10, nothing).expect("no PE can continue");
        assert!(said.contains("PE 1 (process 41)") && said.contains("without shmem_finalize"), "{said}");
        let said = after(0, &[WAITS, FINALISES, EXITS], 10, nothing).expect("no PE can continue");
        assert!(said.contains("PE 2 (process 41)"), "{said}");
        let said = after(0, &[WAITS, FINALISES], 10, nothing).expect("no PE can continue");
        assert!(said.contains("is in shmem_finalize"), "{said}");
        // Not before the time that a NIC may need, and the later PE later.
        assert_eq!(after(0, &[WAITS, EXITS, WAITS], 3, nothing), None);
        assert!(after(0, &[WAITS, EXITS, WAITS], 4, nothing).is_some());
        assert_eq!(after(2, &[WAITS, EXITS, WAITS], 4, nothing), None);
        assert!(after(2, &[WAITS, EXITS, WAITS], 6, nothing).is_some());
    }

    #[test]
    fn one_that_can_go_on_is_enough_for_all() {
        assert_eq!(after(0, &[WAITS, EXITS, COMPUTES], 60, nothing), None);
        assert_eq!(after(0, &[WAITS, WAITS, WAITS], 60, nothing), None, "no PE has left");
        assert_eq!(after(0, &[WAITS], 60, nothing), None);
        let initialises = ControlSnapshot { state: state::STARTING, ..WAITS };
        assert_eq!(after(0, &[WAITS, EXITS, initialises], 60, nothing), None);
        // It waits repeatedly, for something else each time.
        let goes_on = |tenth: u64, pes: &mut [ControlSnapshot]| pes[2].waits = 1 + 2 * (tenth as u32 / 7);
        assert_eq!(after(0, &[WAITS, EXITS, WAITS], 60, goes_on), None);
        let own = |tenth: u64, pes: &mut [ControlSnapshot]| pes[0].waits = 1 + 2 * (tenth as u32 / 7);
        assert_eq!(after(0, &[WAITS, EXITS, WAITS], 60, own), None);
    }

    #[test]
    fn one_that_is_stopped_may_have_been_given_what_it_waits_for() {
        let stopped = |tenth: u64, pes: &mut [ControlSnapshot]| {
            if tenth > 12 {
                pes[2].polls = 60;
            }
        };
        assert_eq!(after(0, &[WAITS, EXITS, WAITS], 60, stopped), None);
        let goes_on = |tenth: u64, pes: &mut [ControlSnapshot]| {
            if (12..100).contains(&tenth) {
                pes[2].polls = 60;
            }
        };
        assert!(after(0, &[WAITS, EXITS, WAITS], 60, goes_on).is_some());
    }
}
