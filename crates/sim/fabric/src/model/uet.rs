//! Ultra Ethernet's transport between NICs: all NICs of runs whose law is one of Ultra Ethernet's,
//! and third-party endpoints that speak it, beside the system's own NICs.
//!
//! Packets from one NIC to another in one class are a packet delivery context (PDC). It begins with
//! its first packet, without a handshake, and numbers its packets. The target takes packets of an
//! unordered class in any order, each once, and those of an ordered class only in their order; it
//! refuses what comes too early, and the source goes back. It acknowledges some packets at a time,
//! and at once a marked one and the last of a message. An acknowledgement names one packet and up
//! to 31 that were sent shortly before it. A packet without an acknowledgement is sent again after
//! a time.
//!
//! The law of the context decides whether a packet may go: a window (NSCC), credit of the receiver
//! (RCCC), or both. A receiver gives credits at the rate of its link, to one sender after another.
//!
//! Source: UE overview (arXiv 2508.08906), ultraethernet/uet-ref-prov, ultraethernet/uet-htsim.
//! Status: published; the coalescing of acknowledgements by bytes is that of the simulator.

mod check;
mod credits;
mod deferral;
mod handlers;
mod path;
mod shown;
mod sizes;

use std::collections::{BTreeSet, VecDeque};

use philae_congestion::{NsccFlow, RcccFlow, UetLaw};
use philae_nic_model::EntropyChoice;

use crate::memory::keyed::KeyedSlab;
use crate::model::flow::{FlowTable, HasEnds};
use crate::model::packet::{FlowEnds, Header};
use crate::model::shared::Shared;

pub use check::{check, check_jobs};
pub use path::traits;

/// Bytes that a unit of credit stands for: 32 bits of them are 1 TiB, more than a context sends in
/// a run. Source: uet-htsim, UEC_PULL_SHIFT. Status: published.
pub const CREDIT_UNIT_BYTES: u64 = 256;

/// What has become of a packet that was sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
enum SentState {
    /// On its way, as far as its source knows.
    InFlight,
    /// Lost or refused: it waits to be sent again.
    Lost,
    /// Acknowledged.
    Arrived,
}

/// A sender keeps room for this many packets; for more it gives back half of what it has when a
/// quarter is used. Source: ours, so that short messages allocate once. Status: assumed.
const SENT_KEPT: usize = 64;

/// A packet that was sent, of which some before it are not acknowledged.
#[derive(Clone, Copy, Debug, serde::Serialize, serde::Deserialize)]
struct SentPacket {
    sent: u64,
    /// Number of its message at its NIC.
    message: u32,
    /// Its place in its message.
    place: u32,
    wire_bytes: u16,
    payload_bytes: u16,
    entropy: u16,
    state: SentState,
    tries: u8,
}

/// The sending side of a delivery context.
#[derive(Clone, Debug, serde::Serialize, serde::Deserialize)]
pub struct UetSender {
    source: u32,
    destination: u32,
    class: u8,
    /// Number of the next packet, and of the first that is not acknowledged.
    next: u32,
    base: u32,
    sent: VecDeque<SentPacket>,
    /// Bytes on their way.
    in_flight: u64,
    /// Bytes of its messages that wait for their first sending, and bytes that are to be sent
    /// again.
    waiting: u64,
    lost: u64,
    /// Behind the last packet that has asked for an acknowledgement.
    asked: u32,
    /// What it has told its receiver that it wants credit for, in units.
    told: u32,
    window: Option<NsccFlow>,
    credit: Option<RcccFlow>,
    entropy: EntropyChoice,
    /// Whether a timer runs for its packets.
    is_timed: bool,
    /// Times in a row that its timer ran out without news of its receiver, one in each time of the
    /// timer, and when the last of them was.
    unheard: u8,
    unheard_at: u64,
    /// Numbers of the context at both NICs, which captures show. The receiver's is 0 until it has
    /// told it.
    context: u16,
    receiver_context: u16,
}

impl HasEnds for UetSender {
    fn ends(&self) -> FlowEnds {
        FlowEnds { source: self.source, destination: self.destination, class: self.class }
    }
}

impl UetSender {
    fn of(&self, number: u32) -> Option<usize> {
        let index = number.wrapping_sub(self.base) as usize;
        (index < self.sent.len()).then_some(index)
    }

    /// A packet on its way is lost, or refused.
    fn lose(&mut self, index: usize) {
        let packet = &mut self.sent[index];
        packet.state = SentState::Lost;
        self.in_flight -= u64::from(packet.wire_bytes);
        self.lost += u64::from(packet.wire_bytes);
    }

    /// Its timer has run out. Returns whether that is one time too many without news.
    fn is_silent(&mut self, now: u64, timeout: u64, most: u8) -> bool {
        if self.unheard == 0 || now >= self.unheard_at + timeout {
            (self.unheard, self.unheard_at) = (self.unheard.saturating_add(1), now);
        }
        // The first time may come just after some news.
        let is_silent = self.unheard > most.max(1);
        if is_silent {
            // Its next message begins to count again.
            self.unheard = 0;
        }
        is_silent
    }

    /// What a lost packet tells: its window shrinks, and its entropy is not used again.
    fn learn_of_loss(&mut self, index: usize, shared: &Shared, now: u64) {
        let SentPacket { entropy, wire_bytes, .. } = self.sent[index];
        let paths = shared.entropy_paths(self.class);
        let is_shortest = |value| paths.is_shortest(value);
        self.entropy.returned(&shared.config.laws.uet, (entropy, true, None), is_shortest);
        if let (Some(window), UetLaw::Nscc(law)) = (&mut self.window, &shared.traits.uet.law) {
            window.lost(law, wire_bytes.into(), self.in_flight, now);
        }
    }

    /// A packet needs no further care. Returns false if it did not before.
    fn end(&mut self, index: usize) -> bool {
        let packet = &mut self.sent[index];
        let bytes = u64::from(packet.wire_bytes);
        match std::mem::replace(&mut packet.state, SentState::Arrived) {
            SentState::InFlight => self.in_flight -= bytes,
            SentState::Lost => self.lost -= bytes,
            SentState::Arrived => return false,
        }
        true
    }

    /// Forgets the acknowledged packets before the first other one.
    fn advance(&mut self) {
        while self.sent.front().is_some_and(|packet| packet.state == SentState::Arrived) {
            self.sent.pop_front();
            self.base = self.base.wrapping_add(1);
        }
        if self.sent.capacity() > SENT_KEPT && self.sent.len() < self.sent.capacity() / 4 {
            self.sent.shrink_to(self.sent.capacity() / 2);
        }
    }

    /// Whether the window has room for a packet of this size, if there is a window.
    fn has_window(&self, bytes: u32) -> bool {
        self.window.as_ref().is_none_or(|window| window.admits(self.in_flight, bytes))
    }

    /// Whether it has something to send, and no credit for it.
    fn lacks_credit(&self) -> bool {
        self.lost + self.waiting > 0 && self.credit.as_ref().is_some_and(|credit| !credit.admits())
    }

    /// Whether the law lets a packet of this size go.
    fn admits(&self, bytes: u32) -> bool {
        self.has_window(bytes) && self.credit.as_ref().is_none_or(RcccFlow::admits)
    }

    /// A packet leaves, for the first time or again.
    fn leaves(&mut self, bytes: u32) {
        self.in_flight += u64::from(bytes);
        if let Some(credit) = &mut self.credit {
            credit.sent(bytes);
        }
    }

    /// What it wants credit for, in units.
    fn wanted(&self) -> u32 {
        let wanted = self.credit.as_ref().map_or(0, |credit| credit.wanted(self.waiting + self.lost));
        u32::try_from(wanted.div_ceil(CREDIT_UNIT_BYTES)).unwrap_or(u32::MAX)
    }

    fn memory_bytes(&self) -> usize {
        self.sent.capacity() * size_of::<SentPacket>() + self.entropy.memory_bytes()
    }
}

/// The receiving side of a delivery context.
#[derive(Clone, Debug, serde::Serialize, serde::Deserialize)]
pub struct UetReceiver {
    source: u32,
    destination: u32,
    class: u8,
    /// Job of its last packet.
    job: philae_units::JobId,
    /// The first packet that has not arrived, and which of those behind it have.
    expected: u32,
    arrived: VecDeque<bool>,
    /// Packets that are not acknowledged, and their bytes.
    pending: Vec<u32>,
    pending_bytes: u32,
    /// Behind the last packet that has asked for an acknowledgement while others before it were
    /// missing; 0: none.
    asked: u32,
    /// Behind the last packet that its sender, which has no window left, wants to know of.
    probed: u32,
    /// Whether it has refused what came too early, since the last packet in order.
    has_refused: bool,
    /// What the sender has credit for, in bytes, and what it wants, in units.
    credited: u64,
    wanted: u32,
    /// What its sender began with, in bytes.
    first_window: u64,
    /// Whether it waits for its turn.
    in_turn: bool,
    /// Whether the last packet of a message has come, and not yet all before it.
    owes_response: bool,
    /// Numbers of the context at both NICs, and bytes that have arrived, all in all: captures show
    /// them.
    context: u16,
    sender_context: u16,
    received: u64,
}

impl HasEnds for UetReceiver {
    fn ends(&self) -> FlowEnds {
        FlowEnds { source: self.source, destination: self.destination, class: self.class }
    }
}

impl UetReceiver {
    /// Whether a packet is new. It has then arrived.
    fn takes(&mut self, number: u32) -> bool {
        let Some(index) = number.checked_sub(self.expected).map(|index| index as usize) else { return false };
        if self.arrived.len() <= index {
            self.arrived.resize(index + 1, false);
        }
        let is_new = !std::mem::replace(&mut self.arrived[index], true);
        while self.arrived.front() == Some(&true) {
            self.arrived.pop_front();
            self.expected += 1;
        }
        is_new
    }

    /// Whether a packet has arrived.
    fn has(&self, number: u32) -> bool {
        let index = number.checked_sub(self.expected).map(|index| index as usize);
        index.is_none_or(|index| self.arrived.get(index) == Some(&true))
    }

    /// Acknowledges a packet, and those of the 31 before it that are pending: one bit each, from
    /// that packet on.
    fn acknowledge(&mut self, number: u32) -> u32 {
        let mut others = 0_u32;
        self.pending.retain(|&pending| match number.checked_sub(pending) {
            Some(before) if before < u32::BITS => {
                others |= 1 << before;
                false
            }
            _ => true,
        });
        others
    }

    /// A packet asks for an acknowledgement. Those before it that are late ask, too.
    fn ask(&mut self, number: u32) {
        self.asked = self.asked.max(number + 1);
    }

    /// Whether all that have asked for an acknowledgement have arrived just now.
    fn has_all_that_asked(&mut self) -> bool {
        let has_all = self.asked > 0 && self.expected >= self.asked;
        if has_all {
            self.asked = 0;
        }
        has_all
    }

    /// The sender waits for none of the packets before this one.
    fn clear(&mut self, number: u32) {
        while self.expected < number {
            self.arrived.pop_front();
            self.expected += 1;
        }
        while self.arrived.front() == Some(&true) {
            self.arrived.pop_front();
            self.expected += 1;
        }
    }

    fn memory_bytes(&self) -> usize {
        self.arrived.capacity() + self.pending.capacity() * size_of::<u32>()
    }
}

/// A message of which some packets are not acknowledged.
#[derive(Clone, Copy, Debug, serde::Serialize, serde::Deserialize)]
struct KeptMessage {
    header: Header,
    source: u32,
    destination: u32,
    /// Its number at its NIC.
    number: u32,
    /// Packets that are not acknowledged.
    open: u64,
}

impl KeptMessage {
    /// Whether it is one of this context.
    fn is_of(&self, source: u32, destination: u32, class: u8) -> bool {
        (self.source, self.destination, self.header.class.0) == (source, destination, class)
    }
}

/// What a NIC's contexts share.
#[derive(Clone, Debug, Default, serde::Serialize, serde::Deserialize)]
struct UetNic {
    /// Packets to be sent again: context and number.
    again: VecDeque<(u32, u32)>,
    /// When to look after a context; [`CREDITS`](credits::CREDITS): when to give the next credit.
    timers: BTreeSet<(u64, u32)>,
    timer_at: Option<u64>,
    /// Contexts that want credit, in their turns.
    turns: VecDeque<u32>,
    /// When the next credit may be given, in picoseconds.
    credits_from: u64,
    /// By how many of 128 parts senders are to shrink their windows.
    penalty: u8,
    /// The number of its last context.
    contexts: u16,
}

impl UetNic {
    /// The number of a new context: 1 to 65,535, and again from 1 on.
    fn next_context(&mut self) -> u16 {
        self.contexts = self.contexts.checked_add(1).unwrap_or(1);
        self.contexts
    }
}

/// The transport of a partition's NICs.
#[derive(Clone, Debug, serde::Serialize, serde::Deserialize)]
pub struct UetState {
    senders: FlowTable<UetSender>,
    receivers: FlowTable<UetReceiver>,
    kept: KeyedSlab<KeptMessage>,
    nics: Vec<UetNic>,
}

impl UetState {
    /// That of so many NICs.
    pub fn new(nics: usize) -> Self {
        Self {
            senders: FlowTable::default(),
            receivers: FlowTable::default(),
            kept: KeyedSlab::default(),
            nics: vec![UetNic::default(); nics],
        }
    }

    /// Whether a NIC has packets to send again.
    pub fn has_to_resend(&self, nic: usize) -> bool {
        !self.nics[nic].again.is_empty()
    }

    /// Memory held, in bytes.
    pub fn memory_bytes(&self) -> usize {
        let senders = self.senders.flows.used().map(|(_, sender)| sender.memory_bytes()).sum::<usize>();
        let receivers = self.receivers.flows.used().map(|(_, receiver)| receiver.memory_bytes()).sum::<usize>();
        let of_nic = |nic: &UetNic| {
            (nic.again.capacity() + nic.turns.capacity() + nic.timers.len() * 2) * size_of::<(u32, u32)>()
        };
        self.senders.memory_bytes()
            + self.receivers.memory_bytes()
            + self.kept.memory_bytes()
            + self.nics.capacity() * size_of::<UetNic>()
            + self.nics.iter().map(of_nic).sum::<usize>()
            + senders
            + receivers
    }
}
