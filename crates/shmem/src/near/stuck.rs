//! Whether no PE can go on any more: some are at their end, by `shmem_finalize` or by an exit without it, and all others wait.
//!
//! A PE says on its control page where it is in its life, whether it waits and how often it has looked at what it waits for.
//! A PE that waits long reads all pages, one after the other and several times. Where every PE waits through all passes, and
//! has looked again after each, nobody is left who could change what any of them waits for: only what NICs still carry, for
//! which the passes leave time. A PE that computes, or that is stopped, ends the search at once.

use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use crate::abi::{Control, state};
use crate::error::Error;

/// From one pass to the next, and before the first. Source: ours; no transfer is under way so long. Status: assumed.
const STEP: Duration = Duration::from_secs(1);
/// Passes in which all PEs wait. Source: ours. Status: assumed.
const PASSES: u32 = 3;
/// Looks from one pass to the next: the first may have begun before it, the second has not. Source: computed. Status: derived.
const LOOKS: u32 = 2;

/// What a PE's control page says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Seen {
    /// One of [`state`].
    pub state: u32,
    /// Its process.
    pub pid: i32,
    /// Odd: it waits, for the same thing as long as the number is the same.
    pub waits: u32,
    /// How often it has looked in vain.
    pub looks: u32,
}

impl Seen {
    /// What is on a page.
    #[must_use]
    pub fn on(page: &Control) -> Self {
        // The state first: what a PE did before its end is seen by who sees the end.
        let state = page.state.load(Ordering::Acquire);
        Self {
            state,
            pid: page.pid.load(Ordering::Relaxed),
            waits: page.waits.load(Ordering::Acquire),
            looks: page.looks.load(Ordering::Acquire),
        }
    }

    const fn is_at_its_end(self) -> bool {
        matches!(self.state, state::FINALISING | state::EXITING | state::FINALISED)
    }

    const fn waits(self) -> bool {
        self.state == state::RUNNING && self.waits % 2 == 1
    }
}

/// The search of a PE that waits.
#[derive(Debug, Default)]
pub struct Stuck {
    /// Of which of this PE's waits.
    wait: u32,
    next: Option<Instant>,
    pass: u32,
    pe: u32,
    /// What was seen in the pass before, by PE.
    before: Vec<(u32, u32)>,
    /// One that is at its end.
    ended: Option<(u32, Seen)>,
    /// A PE before this one waits, too: that one says so.
    follows: bool,
}

impl Stuck {
    /// Goes on with the search for this PE, which waits: `read` gives what a PE's page says, or nothing yet. The error when
    /// nobody can go on.
    pub fn look(
        &mut self,
        (me, n_pes): (u32, u32),
        own: Seen,
        now: Instant,
        mut read: impl FnMut(u32) -> Option<Seen>,
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
            // All wait and none is at its end: the program may know why, as one that is woken from outside.
            self.begin(now, n_pes);
            return None;
        };
        (self.pass, self.pe, self.next) = (self.pass + 1, 0, Some(now + STEP));
        // Who comes first says it; the others give it the time of a pass.
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

    /// Whether the pass can go on behind this PE.
    fn pass_by(&mut self, seen: Seen, me: u32, now: Instant, n_pes: u32) -> bool {
        let pe = self.pe;
        if seen.is_at_its_end() {
            // One that has left without a word is the likelier mistake.
            let is_worse = |(_, other): (u32, Seen)| other.state != state::EXITING && seen.state == state::EXITING;
            if self.ended.is_none_or(is_worse) {
                self.ended = Some((pe, seen));
            }
            return true;
        }
        let (waits, looks) = self.before[pe as usize];
        if !seen.waits() || (self.pass > 0 && waits != seen.waits) {
            self.begin(now, n_pes);
            return false;
        }
        if self.pass > 0 && seen.looks.wrapping_sub(looks) < LOOKS {
            // It has had no processor since.
            return false;
        }
        self.before[pe as usize] = (seen.waits, seen.looks);
        self.follows |= pe < me;
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WAITS: Seen = Seen { state: state::RUNNING, pid: 40, waits: 1, looks: 0 };
    const COMPUTES: Seen = Seen { waits: 2, ..WAITS };
    const EXITS: Seen = Seen { state: state::EXITING, pid: 41, waits: 0, looks: 0 };
    const FINALISES: Seen = Seen { state: state::FINALISING, pid: 42, waits: 0, looks: 0 };

    /// What a PE says after so many seconds in which all look and `change` changes what they show.
    fn after(me: u32, pes: &[Seen], seconds: u64, mut change: impl FnMut(u64, &mut [Seen])) -> Option<String> {
        let (mut stuck, begin, mut pes) = (Stuck::default(), Instant::now(), pes.to_vec());
        for tenth in 0..10 * seconds {
            pes.iter_mut().for_each(|pe| pe.looks += 5);
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

    fn nothing(_: u64, _: &mut [Seen]) {}

    #[test]
    fn who_waits_beside_one_that_has_left_is_told_and_the_first_says_it() {
        let said = after(0, &[WAITS, EXITS, WAITS], 10, nothing).expect("nobody can go on");
        assert!(said.contains("PE 1 (process 41)") && said.contains("without shmem_finalize"), "{said}");
        let said = after(0, &[WAITS, FINALISES, EXITS], 10, nothing).expect("nobody can go on");
        assert!(said.contains("PE 2 (process 41)"), "{said}");
        let said = after(0, &[WAITS, FINALISES], 10, nothing).expect("nobody can go on");
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
        assert_eq!(after(0, &[WAITS, WAITS, WAITS], 60, nothing), None, "nobody has left");
        assert_eq!(after(0, &[WAITS], 60, nothing), None);
        let initialises = Seen { state: state::STARTING, ..WAITS };
        assert_eq!(after(0, &[WAITS, EXITS, initialises], 60, nothing), None);
        // It waits again and again, for something else each time.
        let goes_on = |tenth: u64, pes: &mut [Seen]| pes[2].waits = 1 + 2 * (tenth as u32 / 7);
        assert_eq!(after(0, &[WAITS, EXITS, WAITS], 60, goes_on), None);
        let own = |tenth: u64, pes: &mut [Seen]| pes[0].waits = 1 + 2 * (tenth as u32 / 7);
        assert_eq!(after(0, &[WAITS, EXITS, WAITS], 60, own), None);
    }

    #[test]
    fn one_that_is_stopped_may_have_been_given_what_it_waits_for() {
        let stopped = |tenth: u64, pes: &mut [Seen]| {
            if tenth > 12 {
                pes[2].looks = 60;
            }
        };
        assert_eq!(after(0, &[WAITS, EXITS, WAITS], 60, stopped), None);
        let goes_on = |tenth: u64, pes: &mut [Seen]| {
            if (12..100).contains(&tenth) {
                pes[2].looks = 60;
            }
        };
        assert!(after(0, &[WAITS, EXITS, WAITS], 60, goes_on).is_some());
    }
}
