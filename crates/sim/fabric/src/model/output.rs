//! An output of a switch port or of a NIC: its queue, its account of the buffer at the other end,
//! its counters.

use philae_nic_model::EdgeHold;
use philae_switch::port::{CreditQueue, CreditReturn};
use philae_units::{Bytes, LinkRate, Picoseconds};

use crate::model::edge::NicKind;

/// Later than any time.
pub const NO_TIME: u64 = u64::MAX;

/// The device at the far end of a wire.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub enum FarEnd {
    Nic,
    Switch,
}

/// Picoseconds per byte times megabits per second.
const PACE: u32 = 8_000_000;

/// One direction of a link as the hot path wants it.
#[derive(Clone, Copy, Debug, serde::Serialize, serde::Deserialize)]
pub struct Wire {
    /// Port or endpoint at the far end.
    pub peer: u32,
    /// Propagation delay, in picoseconds.
    pub propagation: u32,
    /// Picoseconds per byte if that is a whole number; otherwise the rate.
    pace: u32,
    is_whole: bool,
    pub far_end: FarEnd,
    /// Bytes of gap after each frame, towards a NIC of standard Ethernet.
    pub gap_bytes: u8,
    /// How the switch holds the NIC of an edge link back.
    #[serde(with = "Hold")]
    pub hold: EdgeHold,
}

/// [`EdgeHold`] in a checkpoint.
#[derive(serde::Serialize, serde::Deserialize)]
#[serde(remote = "EdgeHold")]
enum Hold {
    Pause,
    Credits,
    Nothing,
}

impl Wire {
    pub fn new(far_end: FarEnd, peer: u32, propagation: Picoseconds, rate: LinkRate) -> Self {
        assert!(rate.0 > 0, "a wire has a rate");
        let is_whole = PACE.is_multiple_of(rate.0);
        Self {
            peer,
            propagation: u32::try_from(propagation.0).expect("a cable is shorter than 800 km"),
            pace: if is_whole { PACE / rate.0 } else { rate.0 },
            is_whole,
            far_end,
            gap_bytes: 0,
            hold: EdgeHold::Credits,
        }
    }

    /// The same wire as the edge link of a kind of NIC.
    pub fn at_edge(self, kind: &NicKind) -> Self {
        Self { gap_bytes: if self.far_end == FarEnd::Nic { kind.egress_gap_bytes } else { 0 }, hold: kind.hold, ..self }
    }

    /// Time for `bytes` to cross, in picoseconds.
    #[inline]
    pub const fn serialization(&self, bytes: u32) -> u64 {
        if self.is_whole {
            bytes as u64 * self.pace as u64
        } else {
            LinkRate(self.pace).serialization(Bytes(bytes as u64)).0
        }
    }

    /// Bytes that cross in a time, rounded up.
    pub const fn bytes_within(&self, time_ps: u64) -> u64 {
        // Megabits per second times picoseconds are millionths of a bit.
        (self.rate().0 as u128 * time_ps as u128).div_ceil(PACE as u128) as u64
    }

    /// Time of one byte, rounded up, in picoseconds.
    #[inline]
    pub const fn ps_per_byte_ceil(&self) -> u32 {
        self.serialization(1) as u32
    }

    /// The same wire at another rate.
    pub fn at_rate(&self, rate: LinkRate) -> Self {
        let wire = Self::new(self.far_end, self.peer, Picoseconds(u64::from(self.propagation)), rate);
        Self { gap_bytes: self.gap_bytes, hold: self.hold, ..wire }
    }

    pub const fn rate(&self) -> LinkRate {
        LinkRate(if self.is_whole { PACE / self.pace } else { self.pace })
    }
}

/// The wire of a switch port in use, with what arrivals in the other direction put on it: an
/// arrival need not read an output for that.
#[derive(Clone, Copy, Debug, serde::Serialize, serde::Deserialize)]
pub struct PortWire {
    wire: Wire,
    /// Slot of the port at the far end, in the columns of its partition; `NO_SLOT` for a NIC.
    pub peer_slot: u32,
    /// Its switch, by `switch - switch_base`.
    pub switch: u32,
    /// When the wire is done with the last packet and with the acknowledgements that have come
    /// since, in picoseconds.
    busy_until: u64,
}

// Two to a cache line.
const _: () = assert!(size_of::<PortWire>() == 32);

impl PortWire {
    /// A wire that nothing has used, from a port of `switch` to the port in `peer_slot`.
    pub const fn new(wire: Wire, peer_slot: u32, switch: u32) -> Self {
        Self { wire, peer_slot, switch, busy_until: 0 }
    }

    /// An acknowledgement of `bytes` bytes leaves as soon as the wire is idle, at `now` at the
    /// earliest.
    #[inline]
    pub fn add_ack(&mut self, now: u64, bytes: u32) {
        self.busy_until = self.busy_until.max(now) + self.serialization(bytes);
    }

    /// How much longer a packet that leaves now takes: the time of acknowledgements that have found
    /// no idle time of the wire.
    #[inline]
    pub const fn ack_time(&self, now: u64) -> u64 {
        self.busy_until.saturating_sub(now)
    }

    /// A packet takes the wire until `time`.
    #[inline]
    pub const fn take_until(&mut self, time: u64) {
        self.busy_until = time;
    }

    /// Changes the rate of the link.
    pub fn set_rate(&mut self, rate: LinkRate) {
        self.wire = self.wire.at_rate(rate);
    }
}

impl std::ops::Deref for PortWire {
    type Target = Wire;

    #[inline]
    fn deref(&self) -> &Wire {
        &self.wire
    }
}

/// The part of an output's state that routing reads. It is a column of its own, because a decision
/// reads several outputs and takes one.
#[derive(Clone, Copy, Debug, Default, serde::Serialize, serde::Deserialize)]
pub struct OutputLoad {
    /// Bytes of all requests.
    pub queued_bytes: u32,
    /// Queue depth that neighbours know.
    published_bytes: u32,
    /// When it was published.
    published_at: u64,
}

impl OutputLoad {
    /// Publishes the queue depth to neighbours, at most once per `age`.
    #[inline]
    pub const fn publish(&mut self, now: u64, age: u64) {
        if now >= self.published_at + age {
            self.published_bytes = self.queued_bytes;
            self.published_at = now;
        }
    }

    /// The queue depth that a neighbour knows at `now`.
    #[inline]
    pub const fn known(&self, now: u64, age: u64) -> u32 {
        if now >= self.published_at + age { self.queued_bytes } else { self.published_bytes }
    }
}

/// Congestion of an edge port: of its output while the queue is over the law's threshold, of its
/// input while flows are held.
#[derive(Clone, Copy, Debug, serde::Serialize, serde::Deserialize)]
pub struct EndpointCongestion {
    /// When the queue passed the threshold (`NO_TIME` while below), in picoseconds.
    pub since: u64,
    /// Notices sent so far.
    pub notices: u64,
    /// Number of times that a flow was held.
    pub flows_held: u64,
    /// Total time of the holds that have ended, in picoseconds.
    pub held_ps: u64,
}

impl EndpointCongestion {
    /// No congestion so far.
    pub const NONE: Self = Self { since: NO_TIME, notices: 0, flows_held: 0, held_ps: 0 };
}

/// Endpoint congestion by NIC. Most edge ports never meet any, and hold no memory for it.
#[derive(Clone, Debug, serde::Serialize, serde::Deserialize)]
pub struct EndpointCongestions(Vec<Option<Box<EndpointCongestion>>>);

impl EndpointCongestions {
    /// No congestion so far at the edge ports of `nics` NICs.
    pub fn new(nics: usize) -> Self {
        Self(vec![None; nics])
    }

    /// The NICs whose edge ports have met congestion, by slot.
    pub fn met(&self) -> impl Iterator<Item = (usize, &EndpointCongestion)> {
        self.0.iter().enumerate().filter_map(|(nic, met)| Some((nic, &**met.as_ref()?)))
    }

    /// Memory held, in bytes.
    pub fn memory_bytes(&self) -> usize {
        self.0.capacity() * size_of::<Option<Box<EndpointCongestion>>>()
            + self.met().count() * size_of::<EndpointCongestion>()
    }
}

impl std::ops::Index<usize> for EndpointCongestions {
    type Output = EndpointCongestion;

    fn index(&self, nic: usize) -> &EndpointCongestion {
        self.0[nic].as_deref().unwrap_or(&EndpointCongestion::NONE)
    }
}

impl std::ops::IndexMut<usize> for EndpointCongestions {
    fn index_mut(&mut self, nic: usize) -> &mut EndpointCongestion {
        self.0[nic].get_or_insert_with(|| Box::new(EndpointCongestion::NONE))
    }
}

/// With this many credits on their way, those that have arrived are applied even if nothing needs
/// them, so that they do not pile up. Source: ours. Status: assumed.
const CREDIT_BATCH: usize = 8;

/// State of an output. The first line has what a departing packet reads, the second what a
/// returning credit reads. One event touches one output, and each cache line costs time.
#[derive(Clone, Debug, serde::Serialize, serde::Deserialize)]
#[repr(C, align(64))]
pub struct Output {
    /// When the wire is free.
    pub free_at: u64,
    /// When the next arbitration is scheduled.
    pub wake_at: u64,
    /// When the last packet arrives at the far end; later packets arrive later.
    pub last_arrival: u64,
    /// Channels that have requests, one bit each.
    pub requesting: u64,
    /// Counters of the current sampling interval.
    pub sample: Sample,
    /// Used bytes of the shared part of the far buffer.
    pub shared_used: u32,
    /// Bytes of the last packet that leave after the sampling interval, in one or several others.
    pub bytes_after: u16,
    /// Channel served last.
    pub last_channel: u8,
    /// Something in the second line needs attention. Only the methods below write that line, and
    /// each keeps this flag: it is set as soon as anything needs attention, and cleared at the
    /// latest when all credits that have arrived are applied.
    is_special: bool,

    /// Credits on their way back.
    credits: CreditQueue,
    /// When the output became starved.
    starved_since: u64,
    /// Time starved in the sampling interval, up to `starved_since`, in picoseconds.
    starved_before: u64,
    /// Packets in flow queues that wait for their endpoint's share of the link.
    waiting_packets: u32,
    /// Something waits and nothing fits the far buffer.
    starved: bool,
    /// The queue for a NIC has passed the congestion threshold, and has not fallen back yet.
    is_congested: bool,
}

// The boundary of the two cache lines: an event touches one output, and in a large network no
// output is in a cache.
const _: () = assert!(size_of::<Output>() == 128 && std::mem::offset_of!(Output, credits) == 64);

/// Counters of an output in the current sampling interval.
#[derive(Clone, Copy, Debug, serde::Serialize, serde::Deserialize)]
pub struct Sample {
    /// End of the interval, in picoseconds. 0: before the first interval.
    pub end: u64,
    /// Bytes sent in the interval.
    pub bytes: u64,
    /// Packets whose transmission began in the interval.
    pub packets: u32,
    /// Largest queue.
    pub queued_max: u32,
}

impl Sample {
    /// Before the first interval.
    pub const BEFORE: Self = Self { end: 0, bytes: 0, packets: 0, queued_max: 0 };
}

impl Default for Output {
    fn default() -> Self {
        Self {
            free_at: 0,
            wake_at: NO_TIME,
            last_arrival: 0,
            requesting: 0,
            sample: Sample::BEFORE,
            shared_used: 0,
            bytes_after: 0,
            last_channel: 0,
            is_special: false,
            credits: CreditQueue::default(),
            starved_since: 0,
            starved_before: 0,
            waiting_packets: 0,
            starved: false,
            is_congested: false,
        }
    }
}

impl Output {
    /// Whether to apply the credits that have arrived before a packet asks for room. They free
    /// shares, and let waiting packets go first.
    #[inline]
    pub fn wants_credits(&self) -> bool {
        self.is_special && (self.waiting_packets > 0 || self.credits.len() >= CREDIT_BATCH)
    }

    /// Whether anything in the second line needs attention.
    #[inline]
    fn has_something_special(&self) -> bool {
        self.starved || self.is_congested || self.waiting_packets > 0 || self.credits.len() >= CREDIT_BATCH
    }

    /// Whether the flag in the first line overlooks something in the second. For the audit.
    pub fn overlooks_special(&self) -> bool {
        self.has_something_special() && !self.is_special
    }

    #[inline]
    fn update_special(&mut self) {
        self.is_special = self.has_something_special();
    }

    /// Whether the second line needs attention; this reads only the first.
    #[inline]
    pub const fn is_special(&self) -> bool {
        self.is_special
    }

    /// Credits on their way back.
    #[inline]
    pub const fn credits(&self) -> &CreditQueue {
        &self.credits
    }

    /// Takes the first credit, if it has arrived by `now`. To be called until there is none.
    #[inline]
    pub fn pop_credit(&mut self, now: u64) -> Option<CreditReturn> {
        let credit = self.credits.pop_arrived(now);
        if credit.is_none() && self.is_special {
            self.update_special();
        }
        credit
    }

    /// Packets in flow queues that wait for their endpoint's share of the link.
    #[inline]
    pub const fn waiting_packets(&self) -> u32 {
        self.waiting_packets
    }

    /// One more packet waits for a share.
    #[inline]
    pub const fn add_waiting(&mut self) {
        self.waiting_packets += 1;
        self.is_special = true;
    }

    /// A packet that waited for a share has got it.
    #[inline]
    pub fn remove_waiting(&mut self) {
        self.waiting_packets -= 1;
        self.update_special();
    }

    /// No packet waits for a share any more.
    pub fn clear_waiting(&mut self) {
        self.waiting_packets = 0;
        self.update_special();
    }

    /// Whether something waits and nothing fits the far buffer.
    #[inline]
    pub const fn is_starved(&self) -> bool {
        self.is_special && self.starved
    }

    /// Something waits and nothing fits the far buffer, from `now` on.
    #[inline]
    pub const fn starve(&mut self, now: u64) {
        if !self.starved {
            self.starved = true;
            self.starved_since = now;
            self.is_special = true;
        }
    }

    /// Ends the time without credits, if there was one. Returns whether there was.
    #[inline]
    pub fn feed(&mut self) -> bool {
        let ends = self.is_starved();
        if ends {
            self.starved = false;
            self.update_special();
        }
        ends
    }

    /// Adds the time without credits that has just ended to its sampling interval, which began at
    /// `start`.
    #[inline]
    pub fn count_starved(&mut self, start: u64, now: u64) {
        self.starved_before += now - self.starved_since.max(start);
    }

    /// Time without credits up to `now` in the sampling interval that began at `start`, in
    /// picoseconds.
    pub fn starved_time(&self, start: u64, now: u64) -> u64 {
        let current = if self.starved { now.saturating_sub(self.starved_since.max(start)) } else { 0 };
        self.starved_before + current
    }

    /// Begins a sampling interval: no time without credits yet.
    #[inline]
    pub const fn restart_starved_time(&mut self) {
        self.starved_before = 0;
    }

    /// Whether the queue for a NIC has passed the congestion threshold.
    #[inline]
    pub const fn is_congested(&self) -> bool {
        self.is_special && self.is_congested
    }

    /// The queue for a NIC passes the congestion threshold, or has fallen back.
    #[inline]
    pub fn set_congested(&mut self, is_congested: bool) {
        self.is_congested = is_congested;
        self.update_special();
    }

    /// Records a credit that is on its way.
    #[inline]
    pub fn push_credit(&mut self, credit: CreditReturn) {
        self.credits.push(credit);
        // The first line is not written otherwise: `is_special` already covers everything else.
        if self.credits.len() >= CREDIT_BATCH {
            self.is_special = true;
        }
    }
}
