//! Links frame by frame: noise, go-back-N, lanes. Only in runs whose links may err or fail.
//!
//! A packet that is sent over such a link stays at its sender until the far end acknowledges it. A
//! copy travels: it arrives like any packet, and the far end takes it only if it is the next one
//! ([`Partition::accept`]). Noise is drawn when a frame is sent. The far end learns of the damage
//! at the time when it would have parsed the header.
//!
//! Assumed: answers (acks and nacks) travel outside the flow of frames and are not damaged; they
//! take the propagation delay and the switch's credit latency.
//!
//! [`Partition::accept`]: crate::partition::Partition::accept

mod handlers;

use std::collections::{BTreeMap, VecDeque};

use philae_engine::{prefetch, prefetch_line};
use philae_link_layer::{BitErrors, FrameErrors, LinkCounters, LinkLanes, LinkParameters, Receiver, Sender};
use philae_units::LinkRate;
use philae_wire::RetrySequence;

use crate::model::collective::TreeLoad;
use crate::model::output::NO_TIME;
use crate::model::packet::Packet;

/// Bits of a frame number below the epoch of its link.
const SEQUENCE_BITS: u32 = 12;

/// A frame that the far end has not acknowledged. `T` is the tag of a packet that is followed.
#[derive(Clone, Debug, serde::Serialize, serde::Deserialize)]
pub struct KeptFrame<T> {
    pub packet: Packet,
    /// Tag of the packet, if it is followed.
    tag: Option<Box<T>>,
    /// Contents of the packet, if it is a packet of a tree.
    load: Option<Box<TreeLoad>>,
    /// When the far end takes it, in picoseconds; `NO_TIME` while no copy is on its way that the
    /// far end will take.
    pub received_at: u64,
}

/// One end of a link: what it sends, and what it has received. The fields that every frame reads
/// come first, in the first cache line and at the beginnings of what follows it.
#[derive(Clone, Debug, serde::Serialize, serde::Deserialize)]
#[repr(C, align(64))]
pub struct LinkEnd<T> {
    /// Frames sent and not acknowledged, oldest first.
    pub kept: VecDeque<KeptFrame<T>>,
    timer_at: u64,
    /// Number of the first of them.
    first: u32,
    /// The frame that the far end will want next, once everything on its way has arrived.
    expected: RetrySequence,
    /// Number of interruptions (wrapping): frames sent before one are not taken after it.
    epoch: u8,
    /// A replay is scheduled.
    replaying: bool,
    /// How many reasons keep it down.
    down: u8,
    /// The NIC at the other end has paused this one.
    pub paused: bool,
    /// The pause has been too long: packets for this end are discarded.
    pub guarded: bool,
    /// Whether damaged frames are sent again. If not, they are lost, and no frame is kept or
    /// answered.
    pub retries: bool,
    receiver: Receiver,
    sender: Sender,
    errors: BitErrors,
    lanes: LinkLanes,
    /// Lanes that each fault has taken.
    taken: BTreeMap<u32, u8>,
    /// The fault that struck it last.
    pub fault: u32,
    /// The fault whose end the present replay follows.
    replay_of: u32,
    full: LinkRate,
    /// Counts of earlier senders and receivers, and the codewords of what this end sent.
    past: LinkCounters,
}

pub const NO_FAULT: u32 = u32::MAX;

impl<T> LinkEnd<T> {
    /// The end of a link that is up. `direction` numbers what it sends.
    pub fn new(parameters: &LinkParameters, seed: u64, direction: u64, rate: LinkRate) -> Self {
        Self {
            sender: Sender::new(parameters),
            receiver: Receiver::new(),
            errors: BitErrors::new(parameters, seed, direction),
            lanes: LinkLanes::new(parameters),
            taken: BTreeMap::new(),
            kept: VecDeque::new(),
            first: 0,
            expected: RetrySequence::default(),
            epoch: 0,
            replaying: false,
            timer_at: NO_TIME,
            down: 0,
            fault: NO_FAULT,
            replay_of: NO_FAULT,
            paused: false,
            guarded: false,
            retries: true,
            full: rate,
            past: LinkCounters::default(),
        }
    }

    /// Prefetches what an arriving frame reads.
    #[inline]
    pub fn prefetch_receiver(&self) {
        prefetch_line(self);
        prefetch_line(&self.receiver);
    }

    /// Prefetches what an answer reads.
    #[inline]
    pub fn prefetch_sender(&self) {
        prefetch_line(self);
        prefetch(&self.sender);
        prefetch_line(&self.lanes);
    }

    /// Prefetches what a frame reads that is being sent.
    #[inline]
    pub fn prefetch_to_send(&self) {
        self.prefetch_sender();
        prefetch(&self.errors);
    }

    /// Prefetches the frame that is acknowledged next.
    #[inline]
    pub fn prefetch_kept(&self) {
        self.kept.front().into_iter().for_each(prefetch);
    }

    /// Counts the codewords that errors have struck; most frames have none.
    #[inline]
    fn count_codewords(&mut self, frame_errors: FrameErrors) {
        if frame_errors.corrected + frame_errors.uncorrected > 0 {
            self.past.corrected_codewords += frame_errors.corrected;
            self.past.uncorrected_codewords += frame_errors.uncorrected;
        }
    }

    /// Whether a frame may be sent now.
    pub fn is_ready(&self) -> bool {
        !self.paused && self.down == 0 && self.sender.ready().is_ok()
    }

    pub const fn is_down(&self) -> bool {
        self.down > 0
    }

    /// Its counts so far. Codewords are those of what it sent, which the far end counts.
    pub fn counters(&self) -> LinkCounters {
        let mut sum = self.past;
        sum += *self.sender.counters();
        sum += *self.receiver.counters();
        sum += *self.lanes.counters();
        sum
    }

    const fn frame(&self, sequence: RetrySequence) -> u16 {
        ((self.epoch as u16 & 0xf) << SEQUENCE_BITS) | sequence.get()
    }

    const fn is_current(&self, frame: u16) -> bool {
        frame >> SEQUENCE_BITS == self.epoch as u16 & 0xf
    }

    /// Interrupts the link: frames on the line are lost, and the sender does not know yet which
    /// have arrived.
    fn interrupt(&mut self, now: u64) {
        self.epoch = self.epoch.wrapping_add(1);
        let mut lost = 0;
        for kept in self.kept.iter_mut().filter(|kept| kept.received_at >= now && kept.received_at != NO_TIME) {
            kept.received_at = NO_TIME;
            lost += 1;
        }
        self.expected = self.expected.after(philae_wire::link_retry::SEQUENCES - lost);
    }
}
