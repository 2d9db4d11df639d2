//! Notes credits at their outputs.

use philae_engine::prefetch_soon;
use philae_switch::port::{CreditQueue, CreditReturn};

use super::BETWEEN;
use crate::memory::slab::NO_INDEX;
use crate::model::output::NO_TIME;
use crate::partition::Partition;

impl Partition {
    /// The credits of an end of a link.
    #[inline(always)]
    fn credits_of(&self, end_slot: usize) -> &CreditQueue {
        match self.switch.outputs.get(end_slot) {
            Some(output) => output.credits(),
            None => self.nic.nics[end_slot - self.switch.outputs.len()].credits(),
        }
    }

    /// Notes a credit at its output or NIC.
    #[inline(always)]
    fn note_credit(&mut self, end_slot: usize, credit: CreditReturn) {
        let outputs = self.switch.outputs.len();
        if end_slot < outputs {
            self.push_credit(end_slot, credit);
        } else {
            self.nic_credit(self.layout.endpoint_base + (end_slot - outputs) as u32, credit);
        }
    }

    /// Sends a credit to an end: an output port, or a NIC with credit flow control.
    #[inline(always)]
    pub fn return_credit(&mut self, end_slot: usize, credit: CreditReturn) {
        if self.has_link_layer() {
            return self.note_credit(end_slot, credit); // Faults take credits away.
        }
        prefetch_soon(self.credits_of(end_slot));
        let returning = &mut self.sched.returning;
        returning.earliest = returning.earliest.min(credit.arrives);
        let index = returning.oldest;
        returning.oldest = (index + 1) % BETWEEN;
        let (middle, _) = returning.credits[(index + BETWEEN / 2) % BETWEEN];
        let (oldest, noted) = std::mem::replace(&mut returning.credits[index], (end_slot as u32, credit));
        if middle != NO_INDEX
            && let Some(last) = self.credits_of(middle as usize).back()
        {
            prefetch_soon(last);
        }
        if oldest != NO_INDEX {
            self.note_credit(oldest as usize, noted);
        }
    }

    /// Notes all of them.
    #[inline(never)]
    pub fn return_all(&mut self) {
        self.sched.returning.earliest = NO_TIME;
        for index in self.sched.returning.oldest..self.sched.returning.oldest + BETWEEN {
            let (end_slot, credit) = self.sched.returning.credits[index % BETWEEN];
            if end_slot != NO_INDEX {
                self.sched.returning.credits[index % BETWEEN].0 = NO_INDEX;
                self.note_credit(end_slot as usize, credit);
            }
        }
    }
}
