//! The end that sends frames and keeps them.

use std::collections::VecDeque;

use philae_units::Picoseconds;

use crate::{LinkCounters, LinkParameters};
use philae_wire::RetrySequence;

/// A frame to put on the line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OutgoingFrame {
    /// Its number.
    pub sequence: RetrySequence,
    pub frame: u32,
}

/// Reason why a frame cannot be taken now. The sender has not changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FrameRefusal {
    /// The replay buffer is full until an ack comes.
    #[error("{entries} frames are not acknowledged, which is all that the replay buffer holds; wait for an ack")]
    Full {
        /// Its size, in frames.
        entries: u16,
    },
    /// Frames are being sent again.
    #[error("{left} frames are still to be sent again; send those first")]
    Replaying {
        /// Number of frames that are left of the replay.
        left: u16,
    },
    /// The link has no lanes.
    #[error("the link has no lanes; resume when it has")]
    Paused,
    /// The link is down.
    #[error("the link is down; it needs a new sender once it is up")]
    Down,
}

/// Frames to be sent again, by [`Sender::replay_next`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Replay {
    /// The first of them.
    pub from: RetrySequence,
    /// Number of frames.
    pub frames: u16,
    /// Whether there were more replays in a row without progress than the retry threshold.
    pub over_threshold: bool,
}

/// Result of a nack or a timer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Retry {
    Nothing,
    /// Send again.
    Again(Replay),
    /// Too many replays without progress: the link is down.
    GiveUp,
}

/// The sending end of one direction. Its counters come last, behind the fields that every frame
/// reads.
#[derive(Clone, Debug, serde::Serialize, serde::Deserialize)]
#[repr(C)]
pub struct Sender {
    /// Frames sent and not acknowledged, oldest first.
    kept: VecDeque<u32>,
    timer: Picoseconds,
    deadline: Option<Picoseconds>,
    entries: u16,
    /// The number of the first of them.
    oldest: RetrySequence,
    /// Number of them that have been sent in this pass; fewer than all while replaying.
    sent: u16,
    threshold: u8,
    count_max: u8,
    /// Replays since the last progress.
    in_a_row: u8,
    paused: bool,
    down: bool,
    counters: LinkCounters,
}

impl Sender {
    /// The sender of a link that has come up.
    ///
    /// # Panics
    /// If [`LinkParameters::check`] refuses the parameters.
    #[must_use]
    pub fn new(parameters: &LinkParameters) -> Self {
        parameters.check().expect("a link is built from parameters that were checked");
        Self {
            entries: parameters.replay_entries,
            timer: parameters.replay_timer(),
            threshold: parameters.retry_threshold,
            count_max: parameters.replay_count_max,
            kept: VecDeque::new(),
            oldest: RetrySequence::default(),
            sent: 0,
            deadline: None,
            in_a_row: 0,
            paused: false,
            down: false,
            counters: LinkCounters::default(),
        }
    }

    /// Counts so far.
    #[must_use]
    pub const fn counters(&self) -> &LinkCounters {
        &self.counters
    }

    /// Number of frames sent and not acknowledged.
    #[must_use]
    pub fn unacknowledged(&self) -> u16 {
        u16::try_from(self.kept.len()).expect("the replay buffer has at most 2,048 entries")
    }

    /// When to call [`on_timer`](Self::on_timer). Before that it need not be called.
    #[must_use]
    pub const fn deadline(&self) -> Option<Picoseconds> {
        self.deadline
    }

    /// Checks whether a new frame would be taken.
    ///
    /// # Errors
    /// [`FrameRefusal`], with what to wait for.
    pub fn ready(&self) -> Result<(), FrameRefusal> {
        let kept = self.unacknowledged();
        match () {
            () if self.down => Err(FrameRefusal::Down),
            () if self.paused => Err(FrameRefusal::Paused),
            () if self.sent < kept => Err(FrameRefusal::Replaying { left: kept - self.sent }),
            () if kept == self.entries => Err(FrameRefusal::Full { entries: kept }),
            () => Ok(()),
        }
    }

    /// Sends a new frame now.
    ///
    /// # Errors
    /// [`FrameRefusal`], with what to wait for; the frame is not taken.
    pub fn on_send(&mut self, now: Picoseconds, frame: u32) -> Result<OutgoingFrame, FrameRefusal> {
        self.ready()?;
        let sequence = self.oldest.after(self.sent);
        self.kept.push_back(frame);
        self.sent += 1;
        self.deadline = self.deadline.or(Some(now + self.timer));
        Ok(OutgoingFrame { sequence, frame })
    }

    /// Sends the next frame of a replay now, if one is left.
    pub fn replay_next(&mut self, now: Picoseconds) -> Option<OutgoingFrame> {
        let frame = *self.kept.get(usize::from(self.sent))?;
        if self.paused || self.down {
            return None;
        }
        let sequence = self.oldest.after(self.sent);
        self.sent += 1;
        self.counters.replayed_frames += 1;
        self.restart_timer(now);
        Some(OutgoingFrame { sequence, frame })
    }

    /// Everything up to `received` has arrived. Returns how many frames that frees.
    pub fn on_ack(&mut self, now: Picoseconds, received: RetrySequence) -> u16 {
        self.counters.acks_received += 1;
        self.release_before(now, received.after(1)).unwrap_or(0)
    }

    /// Everything before `wanted` has arrived, and `wanted` has not.
    pub fn on_nack(&mut self, now: Picoseconds, wanted: RetrySequence) -> Retry {
        self.counters.nacks_received += 1;
        if self.release_before(now, wanted).is_none() || self.paused || self.sent == 0 {
            // Not in flight, not sent yet, or about to be sent again anyway.
            return Retry::Nothing;
        }
        self.replay()
    }

    /// To be called at [`deadline`](Self::deadline). Earlier calls change nothing.
    pub fn on_timer(&mut self, now: Picoseconds) -> Retry {
        if self.deadline.is_none_or(|deadline| now < deadline) {
            return Retry::Nothing;
        }
        self.replay()
    }

    /// The link has lost its lanes: frames are kept, and the timer stops.
    pub fn pause(&mut self) {
        self.paused = true;
        self.deadline = None;
    }

    /// The link has lanes again: sends again what is not acknowledged. It does not count as a
    /// replay without progress.
    pub fn resume(&mut self) -> Retry {
        if !self.paused || self.down {
            return Retry::Nothing;
        }
        self.paused = false;
        self.in_a_row = 0;
        if self.kept.is_empty() { Retry::Nothing } else { self.replay() }
    }

    /// The link is down. Frames without an acknowledgement may or may not have arrived:
    /// [`take`](Self::take) returns them.
    pub fn give_up(&mut self) {
        self.counters.downs += u64::from(!self.down);
        self.down = true;
        self.deadline = None;
    }

    /// The unacknowledged frames of a link that is down, oldest first.
    ///
    /// # Panics
    /// While the link is up: those frames are still in flight.
    pub fn take(&mut self) -> impl Iterator<Item = u32> + '_ {
        assert!(self.down, "a link that is up delivers its frames");
        self.sent = 0;
        self.kept.drain(..)
    }

    /// Frees the frames before `next`. Returns how many, or `None` if `next` is not in flight.
    fn release_before(&mut self, now: Picoseconds, next: RetrySequence) -> Option<u16> {
        let count = next.distance_from(self.oldest);
        if self.down || count > self.unacknowledged() {
            self.counters.sequence_errors += u64::from(!self.down);
            return None;
        }
        if count > 0 {
            self.kept.drain(..usize::from(count));
            self.oldest = next;
            self.sent = self.sent.saturating_sub(count);
            self.in_a_row = 0;
            self.restart_timer(now);
        }
        Some(count)
    }

    /// The timer runs while all kept frames have been sent and wait for an ack.
    fn restart_timer(&mut self, now: Picoseconds) {
        let waiting = !self.kept.is_empty() && usize::from(self.sent) == self.kept.len() && !self.paused;
        self.deadline = waiting.then(|| now + self.timer);
    }

    fn replay(&mut self) -> Retry {
        if self.in_a_row >= self.count_max && self.count_max != u8::MAX {
            self.give_up();
            return Retry::GiveUp;
        }
        self.in_a_row = self.in_a_row.saturating_add(1);
        self.sent = 0;
        self.deadline = None;
        let over_threshold = self.in_a_row > self.threshold;
        self.counters.replays += 1;
        self.counters.replays_over_threshold += u64::from(over_threshold);
        Retry::Again(Replay { from: self.oldest, frames: self.unacknowledged(), over_threshold })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sender(change: impl FnOnce(&mut LinkParameters)) -> Sender {
        let mut parameters = LinkParameters::slingshot();
        change(&mut parameters);
        Sender::new(&parameters)
    }

    const fn nanos(nanoseconds: u64) -> Picoseconds {
        Picoseconds::from_nanos(nanoseconds)
    }

    #[test]
    fn a_full_buffer_refuses_without_side_effects() {
        let mut sender = sender(|link| link.replay_entries = 2);
        let first = sender.on_send(nanos(0), 7).unwrap();
        sender.on_send(nanos(1), 8).unwrap();
        assert_eq!(sender.on_send(nanos(2), 9), Err(FrameRefusal::Full { entries: 2 }));
        assert_eq!(sender.on_ack(nanos(3), first.sequence), 1);
        assert_eq!(sender.on_send(nanos(4), 9).unwrap().sequence, RetrySequence::from_low_bits(2));
    }

    #[test]
    fn a_nack_acknowledges_what_came_before_and_replays_the_rest() {
        let mut sender = sender(|_| ());
        (0..4).for_each(|frame| assert!(sender.on_send(nanos(0), frame).is_ok()));
        let wanted = RetrySequence::from_low_bits(2);
        let replay = Replay { from: wanted, frames: 2, over_threshold: false };
        assert_eq!(sender.on_nack(nanos(10), wanted), Retry::Again(replay));
        assert_eq!(sender.on_send(nanos(11), 4), Err(FrameRefusal::Replaying { left: 2 }));
        assert_eq!(sender.on_nack(nanos(11), wanted), Retry::Nothing, "it has not gone out yet");
        assert_eq!(sender.replay_next(nanos(12)), Some(OutgoingFrame { sequence: wanted, frame: 2 }));
        assert_eq!(sender.on_ack(nanos(13), RetrySequence::from_low_bits(3)), 2, "an ack may overtake a replay");
        assert_eq!(sender.replay_next(nanos(14)), None);
        assert_eq!(sender.on_nack(nanos(15), RetrySequence::from_low_bits(4)), Retry::Nothing, "nothing is in flight");
    }

    #[test]
    fn the_timer_replays_and_its_length_counts() {
        for nanoseconds in [1_000, 15_500] {
            let mut sender = sender(|link| link.replay_timer_ns = nanoseconds);
            sender.on_send(nanos(5), 0).unwrap();
            let deadline = nanos(5 + u64::from(nanoseconds));
            assert_eq!(sender.deadline(), Some(deadline));
            assert_eq!(sender.on_timer(nanos(6)), Retry::Nothing);
            assert!(matches!(sender.on_timer(deadline), Retry::Again(Replay { frames: 1, .. })));
            assert_eq!(sender.deadline(), None, "no timer while frames are still to be sent again");
        }
    }

    #[test]
    fn the_timer_waits_until_a_replay_is_out() {
        let mut sender = sender(|_| ());
        (0..3).for_each(|frame| assert!(sender.on_send(nanos(0), frame).is_ok()));
        sender.on_nack(nanos(10), RetrySequence::from_low_bits(0));
        assert!(sender.replay_next(nanos(20)).is_some());
        assert_eq!(sender.on_ack(nanos(25), RetrySequence::from_low_bits(0)), 1);
        assert_eq!(sender.deadline(), None, "two frames are still to go");
        assert!(sender.replay_next(nanos(30)).is_some() && sender.replay_next(nanos(40)).is_some());
        assert_eq!(sender.deadline(), Some(nanos(40 + 15_500)));
    }

    /// Replays until the link is given up. Returns how many, and how many of them beyond the
    /// threshold.
    fn replays_of_a_dead_link(count_max: u8, threshold: u8) -> (u64, u64) {
        let mut sender = sender(|link| (link.replay_count_max, link.retry_threshold) = (count_max, threshold));
        sender.on_send(nanos(0), 42).unwrap();
        let mut now = nanos(0);
        for _ in 0..1_000 {
            now = sender.deadline().unwrap();
            if sender.on_timer(now) == Retry::GiveUp {
                break;
            }
            sender.replay_next(now);
        }
        let counters = *sender.counters();
        assert_eq!(counters.downs == 1, count_max != 255, "255 is never");
        if counters.downs == 1 {
            assert_eq!(sender.on_send(now, 1), Err(FrameRefusal::Down));
            assert_eq!(sender.take().collect::<Vec<_>>(), [42]);
        }
        (counters.replays, counters.replays_over_threshold)
    }

    #[test]
    fn a_dead_link_is_given_up_after_the_replay_count() {
        assert_eq!(replays_of_a_dead_link(254, 2), (254, 252));
        assert_eq!(replays_of_a_dead_link(10, 7), (10, 3));
        assert_eq!(replays_of_a_dead_link(255, 2), (1_000, 998));
    }

    #[test]
    fn progress_forgives_earlier_replays() {
        let mut sender = sender(|link| link.replay_count_max = 1);
        for round in 0..10 {
            let transmit = sender.on_send(nanos(round * 100_000), 0).unwrap();
            let deadline = sender.deadline().unwrap();
            assert!(matches!(sender.on_timer(deadline), Retry::Again(_)));
            sender.replay_next(deadline);
            assert_eq!(sender.on_ack(deadline, transmit.sequence), 1);
        }
    }

    #[test]
    fn a_pause_keeps_frames_and_stops_the_timer() {
        let mut sender = sender(|_| ());
        sender.on_send(nanos(0), 1).unwrap();
        sender.pause();
        assert_eq!((sender.deadline(), sender.on_send(nanos(1), 2)), (None, Err(FrameRefusal::Paused)));
        assert!(matches!(sender.resume(), Retry::Again(Replay { frames: 1, .. })));
        assert_eq!(sender.replay_next(nanos(9)).map(|transmit| transmit.frame), Some(1));
        assert_eq!(sender.resume(), Retry::Nothing, "it was not paused");
    }

    #[test]
    fn an_ack_for_what_is_not_in_flight_is_counted_and_ignored() {
        let mut sender = sender(|_| ());
        sender.on_send(nanos(0), 1).unwrap();
        assert_eq!(sender.on_ack(nanos(1), RetrySequence::from_low_bits(5)), 0);
        assert_eq!((sender.unacknowledged(), sender.counters().sequence_errors), (1, 1));
    }
}
