//! Credits that have been sent to the outputs of this partition and are not noted there yet.
//!
//! A packet that leaves an input returns a credit to an output that has nothing else to do with the
//! event, and whose state is in no cache. So the credit waits until several others have been sent
//! behind it. Meanwhile the output is prefetched, and then the end of the output's credits.
//!
//! The credit is noted before it arrives. Until then only one reader needs it: an output that asks
//! when its next credit arrives. [`Partition::push_credit`] tells those that have already asked.
//!
//! [`Partition::push_credit`]: crate::partition::Partition::push_credit

mod noting;

use philae_switch::port::CreditReturn;

use crate::memory::slab::NO_INDEX;
use crate::model::output::NO_TIME;

/// Number of credits that are sent between one credit and its being noted. Source: ours.
/// Status: assumed.
const BETWEEN: usize = 8;

/// Credits that are not noted yet, in the order in which they were sent.
#[derive(Debug)]
pub struct ReturningCredits {
    /// End of a link and credit: an output port, or a NIC, by `Partition::end_slot`. `NO_INDEX`
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
