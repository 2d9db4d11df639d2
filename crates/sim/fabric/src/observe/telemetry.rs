//! In-band telemetry: a sampled packet notes at each switch where it came in and left, and what it
//! waited for.

use philae_results::record::TelemetryRow;
use philae_units::{ClassId, EndpointId, Picoseconds, PortIndex};

use crate::memory::slab::NO_INDEX;
use crate::model::packet::Packet;
use crate::observe::recorder::Recorder;

/// What a sampled packet met.
#[derive(Clone, Debug, serde::Serialize, serde::Deserialize)]
pub struct PacketTrace {
    /// Its number among the packets of its NIC, from 0.
    pub number: u64,
    /// The switches so far.
    pub hops: Vec<HopRecord>,
}

/// One switch on the path of a sampled packet. Times are picoseconds.
#[derive(Clone, Copy, Debug, serde::Serialize, serde::Deserialize)]
pub struct HopRecord {
    pub input: u32,
    /// Output port; `NO_INDEX` before the packet has requested one.
    pub output: u32,
    /// Bytes that waited for the output when the packet requested it.
    pub queued_bytes: u32,
    /// When the packet's header was ready in the switch.
    pub arrived: u64,
    /// When the packet requested the output.
    pub requested: u64,
    /// When the packet left.
    pub departed: u64,
}

impl PacketTrace {
    /// The trace of a packet that has met nothing.
    pub fn new(number: u64) -> Self {
        // A nonminimal path of a dragonfly has at most six switches.
        Self { number, hops: Vec::with_capacity(6) }
    }

    /// Memory held in addition to `Self`, in bytes.
    pub fn memory_bytes(&self) -> usize {
        self.hops.capacity() * size_of::<HopRecord>()
    }

    /// The packet's header is ready at an input port.
    pub fn arrived(&mut self, now: u64, input: u32) {
        self.hops.push(HopRecord {
            input,
            output: NO_INDEX,
            queued_bytes: 0,
            arrived: now,
            requested: now,
            departed: now,
        });
    }

    /// The packet requests an output. A second request, after it has waited for a share of the
    /// link, does not count.
    pub fn requested(&mut self, now: u64, output: u32, queued_bytes: u32) {
        if let Some(hop) = self.hops.last_mut().filter(|hop| hop.output == NO_INDEX) {
            (hop.output, hop.requested, hop.queued_bytes) = (output, now, queued_bytes);
        }
    }

    /// The packet leaves the switch.
    pub fn departed(&mut self, now: u64) {
        if let Some(hop) = self.hops.last_mut() {
            hop.departed = now;
        }
    }
}

impl Recorder {
    /// A sampled packet has reached its NIC.
    pub fn sampled(&mut self, now: u64, packet: &Packet, trace: &PacketTrace) {
        if now < self.warm_up {
            return;
        }
        self.sampled_packets += 1;
        if self.sampled_packets > self.sampled_packets_max {
            return;
        }
        self.rows.telemetry.extend(trace.hops.iter().zip(0..).map(|(hop, number)| TelemetryRow {
            source: EndpointId(packet.source),
            destination: EndpointId(packet.destination),
            number: trace.number,
            class: ClassId(packet.kind.class),
            bytes: packet.wire_bytes,
            injected: Picoseconds(packet.part.injected),
            delivered: Picoseconds(now),
            hop: number,
            input: PortIndex(hop.input),
            output: PortIndex(hop.output),
            queued_bytes: hop.queued_bytes,
            arrived: Picoseconds(hop.arrived),
            requested: Picoseconds(hop.requested),
            departed: Picoseconds(hop.departed),
        }));
    }
}
