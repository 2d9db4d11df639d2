//! The NIC: messages wait in a ring, packets leave round robin among them, and arriving packets are
//! reassembled.

mod handlers;

use std::collections::VecDeque;

use philae_switch::port::CreditQueue;
use philae_units::{EndpointId, LinkRate};

use crate::model::output::{FarEnd, Output, Wire};
use crate::model::packet::{Header, Incoming};
use crate::model::receive;
use crate::model::shared::Shared;

/// What few NICs have.
#[derive(Clone, Debug, Default, serde::Serialize, serde::Deserialize)]
pub struct NicExtras {
    /// Packets in the switch port's buffer that wait until the port can track one more flow.
    flowless: VecDeque<u32>,
    /// When the core of each receive queue is free, in picoseconds; empty where no core works per
    /// packet.
    pub receive_cores: Vec<u64>,
}

/// State of a NIC, in the order in which a departing packet reads it: four cache lines.
#[derive(Clone, Debug, serde::Serialize, serde::Deserialize)]
#[repr(C)]
pub struct Nic {
    /// The output, with the NIC's account of the edge input buffer.
    pub output: Output,
    /// Messages that have packets to send.
    pub active: VecDeque<u32>,
    /// Bytes of the edge input buffer that each channel holds, one per class and leg (only the
    /// first leg is used).
    pub channels: Vec<u32>,
    /// Number of flows that its switch port tracks.
    pub flows: u32,
    /// Classes that the switch has paused, one bit each.
    paused: u16,
    /// Responses wait to be sent: most packets that leave need not look for one.
    pub has_responses: bool,
    /// Wire to its switch.
    wire: Wire,
    /// Slot of the switch port.
    port_slot: u32,
    /// Its switch.
    switch: u32,
    /// What few NICs have; `None` while this one has none of it.
    pub extras: Option<Box<NicExtras>>,
    /// Packets put on the wire.
    pub sent_packets: u64,
    /// Messages begun (wrapping). Part of the identity of their events.
    begun: u32,
    /// Messages completed (wrapping).
    completed: u32,
    /// When the NIC's writes to the host for all packets so far are done, in picoseconds.
    written_at: u64,
}

// The boundaries of the cache lines.
const _: () = assert!(std::mem::offset_of!(Nic, active) == 128 && std::mem::offset_of!(Nic, wire) == 192);

const _: () = assert!(size_of::<Nic>() == 256);

impl NicExtras {
    fn memory_bytes(&self) -> usize {
        size_of::<Self>()
            + self.flowless.capacity() * size_of::<u32>()
            + self.receive_cores.capacity() * size_of::<u64>()
    }
}

impl Nic {
    /// An idle NIC.
    pub fn new(shared: &Shared, endpoint: u32, channels: usize) -> Self {
        let topology = shared.topology();
        let port = topology.endpoint(EndpointId(endpoint)).port;
        let receive_cores = receive::queues(shared, endpoint);
        Self {
            output: Output::default(),
            active: VecDeque::new(),
            channels: vec![0; channels],
            flows: 0,
            paused: 0,
            has_responses: false,
            wire: Wire::new(FarEnd::Switch, port.0, topology.propagation(port), topology.rate(port))
                .at_edge(shared.kind(endpoint)),
            port_slot: shared.places.port_slots[port.0 as usize],
            switch: topology.switch_of(port).0,
            extras: if receive_cores.is_empty() {
                None
            } else {
                Some(Box::new(NicExtras { receive_cores, ..NicExtras::default() }))
            },
            sent_packets: 0,
            begun: 0,
            completed: 0,
            written_at: 0,
        }
    }

    /// Prefetches what a departing packet touches of the NIC.
    #[inline]
    pub fn prefetch(&self) {
        philae_engine::prefetch(&self.output);
        self.prefetch_flows();
    }

    /// Prefetches what the flows of its switch port touch.
    #[inline]
    pub fn prefetch_flows(&self) {
        philae_engine::prefetch_line(&self.flows);
        philae_engine::prefetch_line(&self.wire);
    }

    /// Prefetches its wire.
    #[inline]
    pub fn prefetch_wire(&self) {
        philae_engine::prefetch_line(&self.wire);
    }

    /// Prefetches its account of the edge input buffer.
    #[inline]
    pub fn prefetch_account(&self) {
        self.channels.first().into_iter().for_each(philae_engine::prefetch_line);
        self.output.credits().front().into_iter().for_each(philae_engine::prefetch_line);
    }

    /// Credits on their way to the NIC.
    #[inline]
    pub const fn credits(&self) -> &CreditQueue {
        self.output.credits()
    }

    pub const fn wire(&self) -> Wire {
        self.wire
    }

    /// Changes the rate of its link.
    pub fn set_rate(&mut self, rate: LinkRate) {
        self.wire = self.wire.at_rate(rate);
    }

    /// The first packet in the switch port's buffer that waits until the port can track one more
    /// flow.
    #[inline]
    pub fn first_flowless(&self) -> Option<u32> {
        self.extras.as_ref()?.flowless.front().copied()
    }

    /// A packet waits until the switch port can track one more flow.
    pub fn add_flowless(&mut self, packet: u32) {
        self.extras.get_or_insert_default().flowless.push_back(packet);
    }

    /// The first packet that waited for a flow continues.
    pub fn remove_flowless(&mut self) {
        self.extras.as_mut().and_then(|extras| extras.flowless.pop_front());
    }

    /// Whether the switch has paused a class.
    pub const fn is_paused(&self, class: u8) -> bool {
        self.paused >> class & 1 == 1
    }

    /// Memory held, in bytes.
    pub fn memory_bytes(&self) -> usize {
        size_of::<Self>()
            + (self.channels.capacity() + self.active.capacity()) * size_of::<u32>()
            + self.extras.as_ref().map_or(0, |extras| extras.memory_bytes())
            + self.output.credits().memory_bytes()
    }
}

impl Incoming {
    /// A message of which nothing has arrived.
    pub const fn new(header: Header, source: u32, destination: u32) -> Self {
        Self {
            header,
            source,
            destination,
            received: 0,
            packets: 0,
            latency_sum: 0,
            latency_min: u64::MAX,
            latency_max: 0,
            ack_delay: 0,
            kernel_span: 0,
            stream_end: 0,
        }
    }
}
