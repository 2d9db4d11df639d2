//! The link into an input port: each packet is offered at its own time and sent when the input
//! buffer has room.

use crate::port::{CreditQueue, buffer_admits, buffer_release, buffer_take};
use philae_engine::RandomStream;
use philae_units::{Picoseconds, PortId};

use crate::tile::event::{TileActor, TileEvent};
use crate::tile::packet::{PacketStage, TilePacket};
use crate::tile::switch::TileSwitch;

/// Purpose of the draws of an input's peripheral block.
const SPREAD: u64 = u64::from_be_bytes(*b"ti-sprea");

/// A packet to be sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Offer {
    /// Time from which it may be sent.
    pub time: Picoseconds,
    /// Port of the switch by which it leaves.
    pub output: PortId,
    /// Size on the link, at least 1.
    pub bytes: u32,
}

/// The sender at the other end of an input's link, with its account of the input buffer, and the
/// peripheral block.
#[derive(Debug)]
pub struct LinkSender {
    /// Packets to be sent, in order of time.
    pub offers: Vec<Offer>,
    /// Index of the next one.
    next: usize,
    /// When the link is free, in picoseconds.
    free_at: u64,
    /// Bytes of the input buffer that are taken, as the sender knows it.
    pub used_bytes: u32,
    /// Part of those bytes that is beyond the reserve.
    shared_used: u32,
    /// Credits in flight to the sender.
    pub credits: CreditQueue,
    /// When the last header was ready for its request.
    last_ready: u64,
    /// When the last request left.
    last_request: u64,
    spread: RandomStream,
}

impl LinkSender {
    /// A sender of these packets.
    pub fn new(offers: Vec<Offer>, seed: u64, input: PortId) -> Self {
        Self {
            offers,
            next: 0,
            free_at: 0,
            used_bytes: 0,
            shared_used: 0,
            credits: CreditQueue::default(),
            last_ready: 0,
            last_request: 0,
            spread: RandomStream::new(seed, u64::from(input.0), SPREAD),
        }
    }

    /// Whether a packet waits to be sent at `now`.
    fn waits(&self, now: u64) -> bool {
        self.offers.get(self.next).is_some_and(|offer| offer.time.0 <= now)
    }
}

impl TileSwitch {
    /// An input's link sends its next packet, if there is one and it fits the input buffer.
    pub(crate) fn launch(&mut self, input: PortId) {
        let now = self.now;
        let (reserve, shared) = (self.parameters.buffer_reserve_bytes, self.parameters.buffer_shared_bytes);
        let source = &mut self.sources[input.index()];
        while let Some(credit) = source.credits.pop_arrived(now) {
            (source.used_bytes, source.shared_used) =
                buffer_release(source.used_bytes, source.shared_used, reserve, u32::from(credit.bytes()));
        }
        let Some(&offer) = source.offers.get(source.next) else { return };
        let earliest = source.free_at.max(offer.time.0);
        if earliest > now {
            return self.wake(TileActor::Source(input), earliest);
        }
        if !buffer_admits(source.used_bytes, source.shared_used, reserve, shared, offer.bytes) {
            if let Some(arrives) = source.credits.next_arrival() {
                self.wake(TileActor::Source(input), arrives);
            }
            return;
        }
        (source.used_bytes, source.shared_used) =
            buffer_take(source.used_bytes, source.shared_used, reserve, offer.bytes);
        source.next += 1;
        let serialization = self.serialization[offer.bytes as usize];
        source.free_at = now + serialization;
        let parameters = &self.parameters;
        let spread = parameters.latency_spread_ns * 1_000;
        let draw = if spread == 0 { 0 } else { u64::from(source.spread.below(spread + 1)) };
        // From the middle of the spread; a packet does not overtake the one before it.
        let fixed = u64::from(parameters.fec_ns + parameters.receive_ns) * 1_000;
        let ready = (now + draw + fixed).saturating_sub(u64::from(spread / 2));
        let ready = ready.max(source.last_ready + serialization).max(now);
        source.last_ready = ready;
        let request = ready.max(source.last_request + parameters.clock_ps());
        source.last_request = request;
        let lands = request + u64::from(parameters.request_ns) * 1_000;
        let free_at = source.free_at;
        let more = source.next < source.offers.len();
        self.launched += 1;
        let packet = TilePacket {
            arrived: now,
            tail: ready + serialization,
            bytes: offer.bytes,
            input,
            output: offer.output,
            stage: PacketStage::Requesting,
        };
        let packet = self.packets.insert(packet);
        self.schedule(lands, TileEvent::Request { packet }, input, offer.output);
        if more {
            self.wake(TileActor::Source(input), free_at);
        }
    }

    /// Room in an input buffer becomes free at `time`. The sender learns of it when the credit
    /// arrives.
    pub(crate) fn return_input_room(&mut self, input: PortId, bytes: u32, time: u64) {
        let arrives = time + u64::from(self.parameters.link_credit_ns) * 1_000;
        let now = self.now;
        let source = &mut self.sources[input.index()];
        source.credits.push(credit(arrives, bytes));
        if source.waits(now) {
            self.wake(TileActor::Source(input), arrives.max(self.sources[input.index()].free_at));
        }
    }
}

/// A credit for `bytes`.
pub fn credit(arrives: u64, bytes: u32) -> crate::port::CreditReturn {
    let bytes = u16::try_from(bytes).expect("sizes of packets are checked when they are offered");
    crate::port::CreditReturn::new(arrives, 0, bytes, 0)
}
