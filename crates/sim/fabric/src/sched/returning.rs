//! Credits that have been sent to the outputs of this partition and are not noted there yet.
//!
//! A packet that leaves an input returns a credit to an output that has nothing else to do with the
//! event, and whose state is in no cache. So the credit waits until several others have been sent
//! behind it. Meanwhile the output is prefetched, and then the end of the output's credits.
//!
//! The credit is noted before it arrives. Until then only one reader needs it: an output that asks
//! when its next credit arrives. [`Partition::push_credit`] tells those that have already asked.

use philae_engine::prefetch_soon;
use philae_switch::port::{CreditQueue, CreditReturn};

use crate::memory::slab::NO_INDEX;
use crate::model::output::NO_TIME;
use crate::model::partition::Partition;

/// Number of credits that are sent between one credit and its being noted. Source: ours.
/// Status: assumed.
const BETWEEN: usize = 8;

/// Credits that are not noted yet, in the order in which they were sent.
#[derive(Debug)]
pub struct ReturningCredits {
    /// End of a link and credit: an output port, or a NIC, by [`Partition::nic_end`]. `NO_INDEX`
    /// stands for no end.
    credits: [(u32, CreditReturn); BETWEEN],
    /// Index of the oldest.
    oldest: usize,
    /// No credit arrives before this time, in picoseconds.
    earliest: u64,
}

impl Default for ReturningCredits {
    fn default() -> Self {
        Self { credits: [(NO_INDEX, CreditReturn::default()); BETWEEN], oldest: 0, earliest: NO_TIME }
    }
}

impl ReturningCredits {
    /// No credit arrives before this time, in picoseconds; `NO_TIME` if there is none.
    #[inline]
    pub const fn earliest(&self) -> u64 {
        self.earliest
    }
}

impl Partition {
    /// The credits of an end of a link.
    #[inline(always)]
    fn credits_of(&self, end: u32) -> &CreditQueue {
        let ports = self.shared.places.targets.ports;
        if end < ports {
            self.switch.outputs[self.port_slot(end)].credits()
        } else {
            self.nic.nics[self.nic_slot(end - ports)].credits()
        }
    }

    /// Notes a credit at its output or NIC.
    #[inline(always)]
    fn note_credit(&mut self, end: u32, credit: CreditReturn) {
        let ports = self.shared.places.targets.ports;
        if end < ports { self.push_credit(end, credit) } else { self.nic_credit(end - ports, credit) }
    }

    /// Sends a credit to an output port, or to a NIC with credit flow control.
    #[inline(always)]
    pub fn return_credit(&mut self, end: u32, credit: CreditReturn) {
        if self.has_link_layer() {
            return self.note_credit(end, credit); // Faults take credits away.
        }
        prefetch_soon(self.credits_of(end));
        let returning = &mut self.sched.returning;
        returning.earliest = returning.earliest.min(credit.arrives);
        let index = returning.oldest;
        returning.oldest = (index + 1) % BETWEEN;
        let (middle, _) = returning.credits[(index + BETWEEN / 2) % BETWEEN];
        let (oldest, noted) = std::mem::replace(&mut returning.credits[index], (end, credit));
        if middle != NO_INDEX
            && let Some(last) = self.credits_of(middle).back()
        {
            prefetch_soon(last);
        }
        if oldest != NO_INDEX {
            self.note_credit(oldest, noted);
        }
    }

    /// Notes all of them.
    #[inline(never)]
    pub fn return_all(&mut self) {
        self.sched.returning.earliest = NO_TIME;
        for index in self.sched.returning.oldest..self.sched.returning.oldest + BETWEEN {
            let (end, credit) = self.sched.returning.credits[index % BETWEEN];
            if end != NO_INDEX {
                self.sched.returning.credits[index % BETWEEN].0 = NO_INDEX;
                self.note_credit(end, credit);
            }
        }
    }
}
