//! Credits that have set out for the outputs of this partition, and are yet to be noted there.
//!
//! A packet that leaves an input gives a credit back to an output that has nothing else to do with the event, and is in no cache. So a
//! credit waits until some others have set out behind it, while its output is asked for, and then the end of that output's credits. It
//! is noted before it arrives, and nothing looks at it before that but who wants to know when the next one arrives: [`Partition::push_credit`]
//! tells those who have asked already.

use philae_engine::prefetch_soon;
use philae_rosetta::{CreditQueue, CreditReturn};

use crate::output::NEVER;
use crate::partition::Partition;
use crate::slab::NONE;

/// Credits that set out between one and its being noted. Source: ours. Status: assumed.
const BETWEEN: usize = 8;

/// Those that have yet to be noted, in the order of their setting out.
#[derive(Debug)]
pub struct Returning {
    /// End of a link and credit: an output port, or a NIC, by [`Partition::nic_end`]; in the place of an end, `NONE`.
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
    /// The credits of an end of a link.
    #[inline(always)]
    fn credits_of(&self, end: u32) -> &CreditQueue {
        let ports = self.shared.targets.ports;
        if end < ports { &self.outputs[self.at(end)].credits } else { self.nics[self.nic_at(end - ports)].credits() }
    }

    /// Notes a credit.
    #[inline(always)]
    fn note_credit(&mut self, end: u32, credit: CreditReturn) {
        let ports = self.shared.targets.ports;
        if end < ports { self.push_credit(end, credit) } else { self.nic_credit(end - ports, credit) }
    }

    /// A credit sets out for an output port, or for a NIC that is held by credits.
    #[inline(always)]
    pub fn return_credit(&mut self, end: u32, credit: CreditReturn) {
        if self.has_link_layer() {
            return self.note_credit(end, credit); // Faults take credits away.
        }
        prefetch_soon(self.credits_of(end));
        let returning = &mut self.returning;
        returning.earliest = returning.earliest.min(credit.arrives);
        let place = returning.oldest;
        returning.oldest = (place + 1) % BETWEEN;
        let (middle, _) = returning.credits[(place + BETWEEN / 2) % BETWEEN];
        let (oldest, noted) = std::mem::replace(&mut returning.credits[place], (end, credit));
        if middle != NONE
            && let Some(last) = self.credits_of(middle).back()
        {
            prefetch_soon(last);
        }
        if oldest != NONE {
            self.note_credit(oldest, noted);
        }
    }

    /// All of them are noted.
    #[inline(never)]
    pub fn return_all(&mut self) {
        self.returning.earliest = NEVER;
        for place in self.returning.oldest..self.returning.oldest + BETWEEN {
            let (end, credit) = self.returning.credits[place % BETWEEN];
            if end != NONE {
                self.returning.credits[place % BETWEEN].0 = NONE;
                self.note_credit(end, credit);
            }
        }
    }
}
