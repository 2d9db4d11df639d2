//! The end that receives frames.

use crate::LinkCounters;
use crate::parameters::ENTRIES_MAX;
use philae_wire::RetrySequence;

/// What came off the line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Received {
    /// A frame that passed its check.
    Good {
        /// Its number.
        sequence: RetrySequence,
        frame: u32,
    },
    /// Anything else: neither its number nor its bytes can be trusted.
    Bad,
}

/// Reaction of the receiver.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReceiverAction {
    /// Hand the frame on, and acknowledge everything up to it.
    Deliver {
        frame: u32,
        /// The last frame to acknowledge.
        ack: RetrySequence,
    },
    /// The frame was delivered before: drop it, and acknowledge again, as the first ack may be
    /// lost.
    Duplicate {
        /// The last frame to acknowledge.
        ack: RetrySequence,
    },
    /// Drop it and ask for the missing frame.
    Nack {
        /// The frame to send again, with all after it.
        wanted: RetrySequence,
    },
    /// Drop it: the missing frame has been asked for already.
    Drop,
}

/// The receiving end of one direction. Its counters come last, behind the fields that every frame
/// reads.
#[derive(Clone, Debug, Default, serde::Serialize, serde::Deserialize)]
#[repr(C)]
pub struct Receiver {
    wanted: RetrySequence,
    requested: bool,
    /// How far beyond the wanted frame the last good one was, since the nack: the sender counts up
    /// until it begins again.
    ahead: Option<u16>,
    counters: LinkCounters,
}

impl Receiver {
    /// The receiver of a link that has come up, which expects the first frame.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The next frame in order.
    #[must_use]
    pub const fn wanted(&self) -> RetrySequence {
        self.wanted
    }

    /// Counts so far.
    #[must_use]
    pub const fn counters(&self) -> &LinkCounters {
        &self.counters
    }

    /// Handles what has arrived. The receiver needs no clock: the sender's timer does all the
    /// waiting.
    pub fn on_frame(&mut self, received: Received) -> ReceiverAction {
        let Received::Good { sequence, frame } = received else {
            // The frame's number is unknown. A missing frame is asked for once, and again only if
            // it is known to be missing.
            return if self.requested { ReceiverAction::Drop } else { self.request_frame(None) };
        };
        let distance = sequence.distance_from(self.wanted);
        if distance == 0 {
            self.counters.replays_received += u64::from(self.requested);
            self.wanted = self.wanted.after(1);
            (self.requested, self.ahead) = (false, None);
            self.counters.acks_sent += 1;
            return ReceiverAction::Deliver { frame, ack: sequence };
        }
        if distance >= ENTRIES_MAX {
            // The sender has begun again from before the wanted frame, which therefore follows.
            (self.requested, self.ahead) = (false, None);
            self.counters.duplicates += 1;
            self.counters.acks_sent += 1;
            return ReceiverAction::Duplicate { ack: self.wanted.before() };
        }
        // A number that is not higher than the last one is a new pass, in which the wanted frame
        // was lost again. After a bad frame no number is known, and the first good one may belong
        // to the old pass.
        let again = self.ahead.is_some_and(|last| distance <= last);
        if !self.requested || again {
            return self.request_frame(Some(distance));
        }
        self.ahead = Some(distance);
        ReceiverAction::Drop
    }

    fn request_frame(&mut self, ahead: Option<u16>) -> ReceiverAction {
        (self.requested, self.ahead) = (true, ahead);
        self.counters.nacks_sent += 1;
        ReceiverAction::Nack { wanted: self.wanted }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn good(number: u16) -> Received {
        Received::Good { sequence: RetrySequence::from_low_bits(number), frame: u32::from(number) }
    }

    #[test]
    fn frames_in_order_are_delivered_and_acknowledged() {
        let mut receiver = Receiver::new();
        for number in 0..3 {
            let ack = RetrySequence::from_low_bits(number);
            assert_eq!(receiver.on_frame(good(number)), ReceiverAction::Deliver { frame: number.into(), ack });
        }
        assert_eq!(receiver.on_frame(good(1)), ReceiverAction::Duplicate { ack: RetrySequence::from_low_bits(2) });
        assert_eq!((receiver.counters().acks_sent, receiver.counters().duplicates), (4, 1));
    }

    #[test]
    fn a_gap_is_requested_once_in_each_pass() {
        let mut receiver = Receiver::new();
        let nack = ReceiverAction::Nack { wanted: RetrySequence::from_low_bits(0) };
        assert_eq!(receiver.on_frame(good(1)), nack);
        assert_eq!(receiver.on_frame(good(2)), ReceiverAction::Drop);
        assert_eq!(receiver.on_frame(Received::Bad), ReceiverAction::Drop);
        assert_eq!(receiver.on_frame(good(4)), ReceiverAction::Drop);
        // The sender has begun again, and frame 0 was lost again.
        assert_eq!(receiver.on_frame(good(1)), nack);
        assert_eq!(receiver.on_frame(good(2)), ReceiverAction::Drop);
        assert!(matches!(receiver.on_frame(good(0)), ReceiverAction::Deliver { frame: 0, .. }));
        assert_eq!((receiver.counters().nacks_sent, receiver.counters().replays_received), (2, 1));
    }

    #[test]
    fn the_oldest_frame_of_a_full_window_is_a_duplicate() {
        let mut receiver = Receiver::new();
        (0..ENTRIES_MAX)
            .for_each(|number| assert!(matches!(receiver.on_frame(good(number)), ReceiverAction::Deliver { .. })));
        // Every ack was lost, and the sender begins again.
        assert_eq!(
            receiver.on_frame(good(0)),
            ReceiverAction::Duplicate { ack: RetrySequence::from_low_bits(ENTRIES_MAX - 1) }
        );
        assert_eq!(
            receiver.on_frame(good(4_095)),
            ReceiverAction::Nack { wanted: RetrySequence::from_low_bits(ENTRIES_MAX) }
        );
    }

    #[test]
    fn a_duplicate_shows_that_the_sender_began_again() {
        let mut receiver = Receiver::new();
        assert!(matches!(receiver.on_frame(good(0)), ReceiverAction::Deliver { .. }));
        assert!(matches!(receiver.on_frame(good(2)), ReceiverAction::Nack { .. }));
        assert!(matches!(receiver.on_frame(good(0)), ReceiverAction::Duplicate { .. }));
        assert_eq!(receiver.on_frame(Received::Bad), ReceiverAction::Nack { wanted: RetrySequence::from_low_bits(1) });
    }
}
