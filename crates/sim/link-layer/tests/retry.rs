//! Link-level retry over a channel that loses and damages frames, and loses and delays answers, but
//! keeps their order.

use std::collections::VecDeque;

use philae_engine::RandomStream;
use philae_link_layer::{
    BitErrors, FecKind, FrameRefusal, LinkParameters, Received, Receiver, ReceiverAction, Retry, Sender,
};
use philae_units::{Bytes, LinkRate, Picoseconds};
use philae_wire::RetrySequence;
use proptest::prelude::*;

/// Time of a frame on the line, and of each step of the tests.
const SLOT: Picoseconds = Picoseconds::from_nanos(80);

/// 200 Gb/s fills a slot with 2,000 bytes.
const RATE: LinkRate = LinkRate::from_gbps(200);
const SIZE: Bytes = Bytes(2_000);

/// Quality of the channel: chances in thousandths, times in slots.
#[derive(Clone, Copy, Debug)]
struct Channel {
    lost: u32,
    damaged: u32,
    answers_lost: u32,
    delay: u64,
    delay_spread: u32,
}

#[derive(Clone, Copy)]
enum Answer {
    Ack(RetrySequence),
    Nack(RetrySequence),
}

/// One direction of a link with its answers.
struct Link {
    sender: Sender,
    receiver: Receiver,
    channel: Channel,
    /// Set if bit errors also damage frames.
    errors: Option<BitErrors>,
    stream: RandomStream,
    slot: u64,
    offered: u32,
    delivered: u32,
    /// With the arrival of each, in slots.
    frames: VecDeque<(u64, Received)>,
    answers: VecDeque<(u64, Answer)>,
}

impl Link {
    fn new(parameters: &LinkParameters, channel: Channel, seed: u64) -> Self {
        Self {
            sender: Sender::new(parameters),
            receiver: Receiver::new(),
            channel,
            errors: None,
            stream: RandomStream::new(seed, 0, 0),
            slot: 0,
            offered: 0,
            delivered: 0,
            frames: VecDeque::new(),
            answers: VecDeque::new(),
        }
    }

    fn chance(&mut self, permille: u32) -> bool {
        self.stream.below(1_000) < permille
    }

    /// When what leaves now arrives: not before what left earlier.
    fn arrival(&mut self, last: Option<u64>) -> u64 {
        let spread = self.stream.below(self.channel.delay_spread + 1);
        (self.slot + self.channel.delay + u64::from(spread)).max(last.unwrap_or(0))
    }

    /// Simulates one slot. At most `frames` frames are offered in all. Returns whether the link is
    /// still up.
    fn step(&mut self, frames: u32) -> bool {
        let now = SLOT * self.slot;
        while let Some((_, received)) = self.frames.pop_due(|(time, _)| *time <= self.slot) {
            let answer = match self.receiver.on_frame(received) {
                ReceiverAction::Deliver { frame, ack } => {
                    assert_eq!(frame, self.delivered, "every frame once, in order");
                    self.delivered += 1;
                    Answer::Ack(ack)
                }
                ReceiverAction::Duplicate { ack } => Answer::Ack(ack),
                ReceiverAction::Nack { wanted } => Answer::Nack(wanted),
                ReceiverAction::Drop => continue,
            };
            if !self.chance(self.channel.answers_lost) {
                let time = self.arrival(self.answers.back().map(|(time, _)| *time));
                self.answers.push_back((time, answer));
            }
        }
        while let Some((_, answer)) = self.answers.pop_due(|(time, _)| *time <= self.slot) {
            match answer {
                Answer::Ack(received) => _ = self.sender.on_ack(now, received),
                Answer::Nack(wanted) if self.sender.on_nack(now, wanted) == Retry::GiveUp => return false,
                Answer::Nack(_) => {}
            }
        }
        if self.sender.on_timer(now) == Retry::GiveUp {
            return false;
        }
        assert!(self.sender.unacknowledged() <= 2_048);
        let transmit = self.sender.replay_next(now).or_else(|| {
            let taken = (self.offered < frames).then(|| self.sender.on_send(now, self.offered))?;
            self.offered += u32::from(taken.is_ok());
            taken.ok()
        });
        if let Some(transmit) = transmit {
            let lost = self.chance(self.channel.lost);
            let mut damaged = self.chance(self.channel.damaged);
            if let Some(errors) = &mut self.errors {
                damaged |= errors.cross(now, RATE, SIZE).damaged;
            }
            let good = Received::Good { sequence: transmit.sequence, frame: transmit.frame };
            let time = self.arrival(self.frames.back().map(|(time, _)| *time));
            if !lost {
                self.frames.push_back((time, if damaged { Received::Bad } else { good }));
            }
        }
        self.slot += 1;
        true
    }
}

trait PopDue<T> {
    fn pop_due(&mut self, is_due: impl Fn(&T) -> bool) -> Option<T>;
}

impl<T> PopDue<T> for VecDeque<T> {
    fn pop_due(&mut self, is_due: impl Fn(&T) -> bool) -> Option<T> {
        if self.front().is_some_and(is_due) { self.pop_front() } else { None }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn every_frame_arrives_once_and_in_order(
        seed in any::<u64>(),
        lost in 0_u32..400,
        damaged in 0_u32..400,
        answers_lost in 0_u32..700,
        delay in 1_u64..60,
        delay_spread in 0_u32..30,
        entries in prop_oneof![1_u16..40, Just(2_048)],
        timer_ns in 200_u32..20_000,
    ) {
        let parameters = LinkParameters {
            replay_entries: entries,
            replay_timer_ns: timer_ns,
            replay_count_max: 255,
            ..LinkParameters::slingshot()
        };
        let channel = Channel { lost, damaged, answers_lost, delay, delay_spread };
        let mut link = Link::new(&parameters, channel, seed);
        // More frames than sequence numbers only where that is quick.
        let frames = if lost + damaged < 10 && entries == 2_048 { 10_000 } else { 200 };
        while link.delivered < frames || link.sender.unacknowledged() > 0 {
            prop_assert!(link.step(frames), "a link without a replay limit stays up");
            // A link without a delivery in this time is dead: the least chance of a frame is about
            // 1 in 3.
            prop_assert!(link.slot < 2_000_000, "{} of {frames} delivered, {:?}", link.delivered, link.sender);
        }
        prop_assert_eq!(link.offered, frames);
    }
}

/// Frames delivered per slot if the sender always has one.
fn goodput(parameters: &LinkParameters, channel: Channel, slots: u64) -> f64 {
    let mut link = Link::new(parameters, channel, 3);
    while link.slot < slots {
        assert!(link.step(u32::MAX), "the link stays up");
    }
    f64::from(link.delivered) / slots as f64
}

/// Go-back-N: each frame that fails costs `window` slots, from its transmission to the next one of
/// the same frame.
///
/// Source: Bertsekas and Gallager, Data Networks, section 2.4: `(1 - p) / (1 - p + p W)`.
fn closed_form(p: f64, window: f64) -> f64 {
    (1.0 - p) / (1.0 - p + p * window)
}

#[test]
fn goodput_is_that_of_go_back_n() {
    let parameters = LinkParameters::slingshot();
    for delay in [2, 10, 40] {
        for damaged in [1, 5, 20, 50, 100] {
            let channel = Channel { lost: 0, damaged, answers_lost: 0, delay, delay_spread: 0 };
            let measured = goodput(&parameters, channel, 400_000);
            let p = f64::from(damaged) / 1_000.0;
            // There and back. A frame that fails again in a replay is noticed only when the next
            // good one arrives: at the end of 1 / (1 - p) more slots.
            let window = 2.0 * delay as f64 + p / (1.0 - p);
            let expected = closed_form(p, window);
            assert!(
                (measured / expected - 1.0).abs() < 0.03,
                "delay {delay}, p {p}: {measured} found, {expected} expected"
            );
        }
    }
}

#[test]
fn a_buffer_smaller_than_the_loop_limits_the_rate() {
    let clean = Channel { lost: 0, damaged: 0, answers_lost: 0, delay: 50, delay_spread: 0 };
    for entries in [10, 50, 100, 2_048] {
        let parameters = LinkParameters { replay_entries: entries, ..LinkParameters::slingshot() };
        let expected = (f64::from(entries) / 100.0).min(1.0);
        let measured = goodput(&parameters, clean, 100_000);
        assert!((measured / expected - 1.0).abs() < 0.01, "{entries} entries: {measured} found, {expected} expected");
    }
}

#[test]
fn a_longer_replay_timer_costs_goodput_when_answers_are_lost() {
    let channel = Channel { lost: 20, damaged: 0, answers_lost: 300, delay: 5, delay_spread: 0 };
    let rate =
        |replay_timer_ns| goodput(&LinkParameters { replay_timer_ns, ..LinkParameters::slingshot() }, channel, 100_000);
    let (short, long) = (rate(2_000), rate(15_500));
    assert!(short > long * 1.05, "{short} with 2 us, {long} with 15.5 us");
}

#[test]
fn a_dead_channel_ends_in_a_link_that_is_down() {
    let parameters = LinkParameters { replay_count_max: 20, ..LinkParameters::slingshot() };
    let dead = Channel { lost: 1_000, damaged: 0, answers_lost: 0, delay: 5, delay_spread: 0 };
    let mut link = Link::new(&parameters, dead, 1);
    while link.step(5) {
        assert!(link.slot < 1_000_000, "the replay count is a limit");
    }
    assert_eq!(link.sender.on_send(Picoseconds::MAX, 9), Err(FrameRefusal::Down));
    assert_eq!(link.sender.take().collect::<Vec<_>>(), [0, 1, 2, 3, 4], "what is left is handed back");
    assert_eq!(link.sender.counters().replays, 20);
}

/// A flap that is shorter than the link-down timer loses no frame for good: frames in flight are
/// lost and retransmitted.
#[test]
fn a_flap_that_is_bridged_loses_no_frame() {
    let clean = Channel { lost: 0, damaged: 0, answers_lost: 0, delay: 30, delay_spread: 0 };
    let mut link = Link::new(&LinkParameters::slingshot(), clean, 1);
    for flap in 0..20 {
        (0..500 + flap * 7).for_each(|_| assert!(link.step(u32::MAX)));
        link.sender.pause();
        link.frames.clear();
        link.answers.clear();
        (0..300).for_each(|_| assert!(link.step(u32::MAX)));
        assert!(matches!(link.sender.resume(), Retry::Again(_)));
    }
    while link.delivered < link.offered {
        let offered = link.offered;
        assert!(link.step(offered));
    }
    assert!(link.delivered > 9_000, "{} delivered", link.delivered);
}

/// Bit errors, correction and retry together: frames that correction cannot repair are sent again,
/// and no others.
#[test]
fn correction_spares_a_noisy_line_its_replays() {
    let clean = Channel { lost: 0, damaged: 0, answers_lost: 0, delay: 20, delay_spread: 0 };
    let slots = 200_000;
    let run = |fec, burst_bits| {
        let noisy = LinkParameters { bit_errors: 1, bit_errors_per_10_to: 6, burst_bits, fec, ..Default::default() };
        let mut link = Link::new(&noisy, clean, 2);
        link.errors = Some(BitErrors::new(&noisy, 2, 0));
        while link.slot < slots {
            assert!(link.step(u32::MAX), "the link stays up");
        }
        (f64::from(link.delivered) / slots as f64, link.sender.counters().replays)
    };
    let (bare, repaired, bursts) = (run(FecKind::None, 1), run(FecKind::Rs544, 1), run(FecKind::Rs544, 1_000));
    assert_eq!(repaired.1, 0, "no codeword has 16 wrong symbols");
    assert!(repaired.0 > 0.999 && bursts.1 > 0 && bare.1 > bursts.1, "{bare:?} {repaired:?} {bursts:?}");
    // 16,000 bits at 1e-6: a chance of 0.016.
    let expected = closed_form(0.01587, 40.0);
    assert!((bare.0 / expected - 1.0).abs() < 0.03, "{bare:?}, {expected} expected");
}
