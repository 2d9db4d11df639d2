//! Credits that have set out for the outputs of this partition, and are yet to be noted there.
//!
//! A packet that leaves an input gives a credit back to an output that has nothing else to do with the event, and is in no cache. So a
//! credit waits until some others have set out behind it, while its output is asked for, and then the end of that output's credits. It
//! is noted before it arrives, and nothing looks at it before that but who wants to know when the next one arrives: [`Partition::push_credit`]
//! tells those who have asked already.

use philae_engine::{prefetch, prefetch_line};
use philae_rosetta::CreditReturn;

use crate::output::NEVER;
use crate::partition::Partition;
use crate::slab::NONE;

/// Credits that set out between one and its being noted. Source: ours. Status: assumed.
const BETWEEN: usize = 8;

/// Those that have yet to be noted, in the order of their setting out.
#[derive(Debug)]
pub struct Returning {
    /// Output port and credit; in the place of a port, `NONE`.
    credits: [(u32, CreditReturn); BETWEEN],
    /// The place of the oldest.
    oldest: usize,
    /// Before this time none arrives, in picoseconds.
    earliest: u64,
}

impl Default for Returning {
    fn default() -> Self {
        Self { credits: [(NONE, CreditReturn::default()); BETWEEN], oldest: 0, earliest: NEVER }
    }
}

impl Returning {
    /// Before this time none arrives, in picoseconds; `NEVER` where there is none.
    #[inline]
    pub const fn earliest(&self) -> u64 {
        self.earliest
    }
}

impl Partition {
    /// A credit sets out for output `port`.
    #[inline(always)]
    pub fn return_credit(&mut self, port: u32, credit: CreditReturn) {
        if self.shared.has_link_layer {
            return self.push_credit(port, credit); // Faults take credits away.
        }
        prefetch_line(&self.outputs[self.at(port)].credits);
        let returning = &mut self.returning;
        returning.earliest = returning.earliest.min(credit.arrives);
        let place = returning.oldest;
        returning.oldest = (place + 1) % BETWEEN;
        let (middle, _) = returning.credits[(place + BETWEEN / 2) % BETWEEN];
        let (oldest, noted) = std::mem::replace(&mut returning.credits[place], (port, credit));
        if middle != NONE
            && let Some(last) = self.outputs[self.at(middle)].credits.back()
        {
            prefetch(last);
        }
        if oldest != NONE {
            self.push_credit(oldest, noted);
        }
    }

    /// All of them are noted.
    #[inline(never)]
    pub fn return_all(&mut self) {
        self.returning.earliest = NEVER;
        for place in self.returning.oldest..self.returning.oldest + BETWEEN {
            let (port, credit) = self.returning.credits[place % BETWEEN];
            if port != NONE {
                self.returning.credits[place % BETWEEN].0 = NONE;
                self.push_credit(port, credit);
            }
        }
    }
}
