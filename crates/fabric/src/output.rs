//! An output: of a switch port, or of a NIC. Its queue, its account of the buffer at the other end, its counters.

use philae_cassini::EdgeHold;
use philae_rosetta::{CreditQueue, CreditReturn};
use philae_units::{Bytes, LinkRate, Picoseconds};

use crate::edge::NicKind;

/// No time: never.
pub const NEVER: u64 = u64::MAX;

/// What is at the other end of a wire.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub enum Far {
    /// Nothing.
    Nothing,
    /// A NIC.
    Nic,
    /// A switch port.
    Switch,
}

/// One direction of a link as the hot path wants it: its properties, and what the arrivals of the other direction add to it, so that
/// an arrival looks at no output for that.
#[derive(Clone, Copy, Debug, serde::Serialize, serde::Deserialize)]
pub struct Wire {
    /// Port or endpoint at the far end.
    pub peer: u32,
    /// Propagation delay, in picoseconds.
    pub propagation: u32,
    /// Rate.
    rate: LinkRate,
    /// Picoseconds per byte where that is a whole number; 0 otherwise.
    ps_per_byte: u32,
    /// Bytes that acknowledgements have added since the last packet.
    pub ack_debt: u32,
    /// What is at the far end.
    pub far: Far,
    /// Bytes of gap after each frame, towards a NIC of standard Ethernet.
    pub gap: u8,
    /// What holds the NIC of an edge link back.
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
    /// A wire.
    pub fn new(far: Far, peer: u32, propagation: Picoseconds, rate: LinkRate) -> Self {
        let whole = 8_000_000 % rate.0.max(1) == 0;
        Self {
            peer,
            propagation: u32::try_from(propagation.0).expect("a cable is shorter than 800 km"),
            rate,
            ps_per_byte: if whole { 8_000_000 / rate.0.max(1) } else { 0 },
            ack_debt: 0,
            far,
            gap: 0,
            hold: EdgeHold::Credits,
        }
    }

    /// The same, as the edge link of a kind of NIC.
    pub fn at_edge(self, kind: &NicKind) -> Self {
        Self { gap: if self.far == Far::Nic { kind.egress_gap_bytes } else { 0 }, hold: kind.hold, ..self }
    }

    /// An unused port.
    pub const UNUSED: Self = Self {
        peer: u32::MAX,
        propagation: 0,
        rate: LinkRate(1),
        ps_per_byte: 0,
        ack_debt: 0,
        far: Far::Nothing,
        gap: 0,
        hold: EdgeHold::Credits,
    };

    /// Time for `bytes` to cross, in picoseconds.
    #[inline]
    pub const fn serialization(&self, bytes: u32) -> u64 {
        if self.ps_per_byte != 0 {
            bytes as u64 * self.ps_per_byte as u64
        } else {
            self.rate.serialization(Bytes(bytes as u64)).0
        }
    }

    /// Time of one byte, rounded up, in picoseconds.
    #[inline]
    pub const fn ps_per_byte_ceil(&self) -> u32 {
        self.serialization(1) as u32
    }

    /// The same wire at another rate.
    pub fn at_rate(&self, rate: LinkRate) -> Self {
        let wire = Self::new(self.far, self.peer, Picoseconds(u64::from(self.propagation)), rate);
        Self { ack_debt: self.ack_debt, gap: self.gap, hold: self.hold, ..wire }
    }

    /// Rate.
    pub const fn rate(&self) -> LinkRate {
        self.rate
    }
}

/// What routing asks of an output. A column of its own, because a decision looks at several outputs and takes one.
#[derive(Clone, Copy, Debug, Default, serde::Serialize, serde::Deserialize)]
pub struct Load {
    /// Bytes of all requests.
    pub queued_bytes: u32,
    /// Queue depth that neighbours know.
    published_bytes: u32,
    /// Since when.
    published_at: u64,
}

impl Load {
    /// Tells neighbours the queue depth, at most once per `age`.
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

/// What is noted of an edge port: of its output while its queue is longer than the law wants it, of its input while flows are held.
#[derive(Clone, Copy, Debug, serde::Serialize, serde::Deserialize)]
pub struct EndpointCongestion {
    /// When the queue passed the threshold (`NEVER` while below), in picoseconds.
    pub since: u64,
    /// Notices sent so far.
    pub notices: u64,
    /// Times that a flow has been held.
    pub flows_held: u64,
    /// For how long altogether, of those that are free again, in picoseconds.
    pub held_ps: u64,
}

impl EndpointCongestion {
    /// None so far.
    pub const NONE: Self = Self { since: NEVER, notices: 0, flows_held: 0, held_ps: 0 };
}

/// Credits on their way from which on those that have arrived are applied without need, so that they do not pile up. Source: ours.
/// Status: assumed.
const CREDIT_BATCH: usize = 8;

/// State of an output: what a packet that leaves looks at first, and in a line of its own what a credit on its way back looks at. One
/// event touches one output, and each cache line costs.
#[derive(Clone, Debug, serde::Serialize, serde::Deserialize)]
#[repr(C, align(64))]
pub struct Output {
    /// The wire is busy until here.
    pub free_at: u64,
    /// When the next arbitration is scheduled.
    pub wake_at: u64,
    /// When the packet sent last arrives at the far end: later ones arrive later.
    pub last_arrival: u64,
    /// Channels that have requests: one bit each.
    pub requesting: u64,
    /// The sampling interval.
    pub sample: Sample,
    /// Use of the shared part of the far buffer.
    pub shared_used: u32,
    /// Bytes of the last packet that are sent after the sampling interval.
    pub bytes_after: u16,
    /// Channel served last.
    pub last_channel: u8,
    /// Something is to be looked at in the second line. See [`Self::judge`].
    pub is_special: bool,

    /// Credits on their way back.
    pub credits: CreditQueue,
    /// Since when the output is starved.
    pub starved_since: u64,
    /// Time starved in the sampling interval, up to `starved_since`, in picoseconds.
    pub starved_before: u64,
    /// Packets in flow queues, waiting for their endpoint's share of the link.
    pub waiting_packets: u32,
    /// Something waits and nothing fits the far buffer.
    pub starved: bool,
    /// The queue for a NIC has passed the threshold of congestion, and is not back yet.
    pub is_congested: bool,
}

// The edge of two cache lines: an event touches one output, and one of a large network is in no cache.
const _: () = assert!(size_of::<Output>() == 128 && std::mem::offset_of!(Output, credits) == 64);

/// Counters of the sampling interval of an output that is not over.
#[derive(Clone, Copy, Debug, serde::Serialize, serde::Deserialize)]
pub struct Sample {
    /// End of the interval, in picoseconds. Zero: before the first.
    pub end: u64,
    /// Bytes sent in it.
    pub bytes: u64,
    /// Packets whose transmission began in it.
    pub packets: u32,
    /// Largest queue.
    pub queued_max: u32,
}

impl Sample {
    /// Before the first.
    pub const BEFORE: Self = Self { end: 0, bytes: 0, packets: 0, queued_max: 0 };
}

impl Default for Output {
    fn default() -> Self {
        Self {
            free_at: 0,
            wake_at: NEVER,
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
    /// Whether the credits that have arrived are to be applied before a packet asks: they free shares, and let waiting packets go first.
    #[inline]
    pub fn wants_credits(&self) -> bool {
        self.is_special && (self.waiting_packets > 0 || self.credits.len() >= CREDIT_BATCH)
    }

    /// What its second line says to those who look at the first only.
    #[inline]
    pub fn has_something_special(&self) -> bool {
        self.starved || self.is_congested || self.waiting_packets > 0 || self.credits.len() >= CREDIT_BATCH
    }

    /// Brings `is_special` up to date; to be called when what it depends on has changed.
    #[inline]
    pub fn judge(&mut self) {
        self.is_special = self.has_something_special();
    }

    /// A credit is on its way.
    #[inline]
    pub fn push_credit(&mut self, credit: CreditReturn) {
        self.credits.push(credit);
        // The first line stays where it is: what else makes an output special has been said already.
        if self.credits.len() >= CREDIT_BATCH {
            self.is_special = true;
        }
    }
}
