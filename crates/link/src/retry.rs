//! Link-level retry: a sender that keeps frames until they are acknowledged, and a receiver that wants them in order.
//!
//! ```text
//! sender     Flowing --nack, timer, resume--> Replaying --last frame sent again--> Flowing
//!            any --pause--> Paused --resume--> Replaying          any --replay count--> Down
//! receiver   Wanting --gap, bad frame: nack--> Asked --the wanted frame--> Wanting
//!            Asked --the sender began again and the wanted frame is missing: nack--> Asked
//! ```
//! Go-back-N: a nack names the first frame that is missing, and everything from it on is sent again. Both directions of a
//! link keep order, frames and answers; an answer that is lost is made up for by the next ack or by the replay timer.
//!
//! Source: cassini-headers for names, limits and timers; the Ultra Ethernet specification's link-level retry for the outline.
//! Status: assumed for when a nack is repeated and for what `retry_threshold` does. Deliberately absent: the exchange of init and its
//! echo when a link comes up (both ends start at 0), the timing of the loop, and the limit on bytes beside that on frames.

mod receiver;
mod sender;

pub use receiver::{Action, Received, Receiver};
pub use sender::{Refused, Replay, Retry, Sender, Transmit};

use crate::parameters::ENTRIES_MAX;

/// The number of a frame, modulo 4,096: twice what may be in flight.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sequence(u16);

impl Sequence {
    const COUNT: u16 = 2 * ENTRIES_MAX;

    /// The number `number` modulo their count.
    #[must_use]
    pub const fn new(number: u16) -> Self {
        Self(number % Self::COUNT)
    }

    /// The number, 0 to 4,095.
    #[must_use]
    pub const fn get(self) -> u16 {
        self.0
    }

    /// The number `count` after this one.
    #[must_use]
    pub const fn after(self, count: u16) -> Self {
        Self::new(self.0 + count % Self::COUNT)
    }

    /// The number before this one.
    #[must_use]
    pub const fn before(self) -> Self {
        self.after(Self::COUNT - 1)
    }

    /// How many numbers this one comes after `earlier`, modulo their count.
    #[must_use]
    pub const fn distance_from(self, earlier: Self) -> u16 {
        (self.0 + Self::COUNT - earlier.0) % Self::COUNT
    }
}

#[cfg(test)]
mod tests {
    use super::Sequence;

    #[test]
    fn numbers_go_around() {
        let last = Sequence::new(4_095);
        assert_eq!(last.after(1), Sequence::default());
        assert_eq!(Sequence::default().before(), last);
        assert_eq!(Sequence::new(1).distance_from(last), 2);
        assert_eq!(last.distance_from(Sequence::new(0)), 4_095);
    }
}
