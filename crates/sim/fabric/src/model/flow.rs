//! Flows at their ingress: created with the first packet, removed when none of their packets is
//! left in the fabric.

use philae_congestion::{EcnFlow, SlingshotFlow};
use philae_path::RouteState;
use philae_topology::Topology;
use philae_units::{EndpointId, PortIndex};

use crate::memory::keyed::KeyedSlab;
use crate::memory::slab::NO_INDEX;
use crate::model::output::NO_TIME;
use crate::model::packet::FlowEnds;

/// The law's state of a flow.
#[derive(Clone, Copy, Debug, serde::Serialize, serde::Deserialize)]
pub enum FlowControl {
    /// No law: the flow is tracked only for the order of its packets.
    Order,
    Slingshot(SlingshotFlow),
}

/// A flow at its ingress port. The fields that a packet or an acknowledgement reads come first; the
/// whole state of Slingshot's law is in the same cache line.
#[derive(Clone, Copy, Debug, serde::Serialize, serde::Deserialize)]
#[repr(C, align(64))]
pub struct Flow {
    /// Sending endpoint.
    pub source: u32,
    /// Receiving endpoint.
    pub destination: u32,
    /// Edge port of the source.
    pub port: u32,
    /// Time of one byte on the destination's edge link, in picoseconds. The egress switch tells it
    /// in every acknowledgement.
    pub egress_ps_per_byte: u32,
    /// Bytes between ingress and egress.
    pub extent_bytes: u32,
    /// First packet waiting in the flow's own queue.
    pub held_head: u32,
    /// Last packet waiting.
    pub held_tail: u32,
    /// Packets that entered the fabric (wrapping).
    pub sequence: u16,
    /// Traffic class.
    pub class: u8,
    /// The law's state.
    pub control: FlowControl,
    /// What its waiting packets wait for.
    pub wait: FlowWait,
    /// Path of an ordered flow while it has packets in the fabric.
    pub path: Option<(PortIndex, RouteState)>,
}

/// What the packets of a flow wait for at its ingress port.
#[derive(Clone, Copy, Debug, serde::Serialize, serde::Deserialize)]
pub struct FlowWait {
    /// When a release is scheduled, in picoseconds; `u64::MAX` for never.
    pub release_at: u64,
    /// The flow of its ingress port whose turn comes after this one's.
    pub next_in_turn: u32,
    /// Whether it waits for its turn at its ingress port.
    pub waits_for_turn: bool,
}

// The boundary of the two cache lines. The first ends within the law.
const _: () =
    assert!(size_of::<Flow>() == 128 && std::mem::offset_of!(Flow, control) + 8 + size_of::<SlingshotFlow>() <= 64);

impl Flow {
    /// A flow of which nothing has been sent, between two endpoints.
    pub fn new(topology: &Topology, source: u32, destination: u32, class: u8, control: FlowControl) -> Self {
        let edge = |endpoint| topology.endpoint(EndpointId(endpoint)).port;
        Self {
            source,
            destination,
            class,
            port: edge(source).0,
            egress_ps_per_byte: 8_000_000_u32.div_ceil(topology.rate(edge(destination)).0),
            extent_bytes: 0,
            sequence: 0,
            held_head: NO_INDEX,
            held_tail: NO_INDEX,
            wait: FlowWait { release_at: NO_TIME, next_in_turn: NO_INDEX, waits_for_turn: false },
            path: None,
            control,
        }
    }
}

/// A flow in its NIC, where its law paces it (DCQCN).
#[derive(Clone, Copy, Debug, serde::Serialize, serde::Deserialize)]
pub struct NicFlow {
    /// Sending endpoint.
    pub source: u32,
    /// Receiving endpoint.
    pub destination: u32,
    /// Traffic class.
    pub class: u8,
    /// When the flow was last notified of congestion, in picoseconds.
    pub noticed_at: u64,
    /// The law's state.
    pub law: EcnFlow,
}

/// Something that a table finds by source, destination and class.
pub trait HasEnds {
    /// Its source, destination and class.
    fn ends(&self) -> FlowEnds;
}

impl HasEnds for Flow {
    fn ends(&self) -> FlowEnds {
        FlowEnds { source: self.source, destination: self.destination, class: self.class }
    }
}

impl HasEnds for NicFlow {
    fn ends(&self) -> FlowEnds {
        FlowEnds { source: self.source, destination: self.destination, class: self.class }
    }
}

/// All flows of a partition, by source, destination and class.
#[derive(Clone, Debug, serde::Serialize, serde::Deserialize)]
pub struct FlowTable<F> {
    /// The flows themselves.
    pub flows: KeyedSlab<F>,
}

impl<F> Default for FlowTable<F> {
    fn default() -> Self {
        Self { flows: KeyedSlab::default() }
    }
}

#[inline]
fn key_of(FlowEnds { source, destination, class }: FlowEnds) -> u64 {
    (u64::from(source) << 36) | (u64::from(destination) << 8) | u64::from(class)
}

impl<F: HasEnds + Clone> FlowTable<F> {
    /// No flows yet, in `regions` regions; see [`Slab::of_regions`](crate::memory::slab::Slab::of_regions).
    pub fn of_regions(regions: usize) -> Self {
        Self { flows: KeyedSlab::of_regions(regions) }
    }

    /// The flow with this key.
    #[inline]
    pub fn find(&self, source: u32, destination: u32, class: u8) -> Option<u32> {
        self.flows.find(key_of(FlowEnds { source, destination, class }))
    }

    /// Prefetches the place of a key.
    #[inline]
    pub fn prefetch(&self, source: u32, destination: u32, class: u8) {
        self.flows.prefetch_key(key_of(FlowEnds { source, destination, class }));
    }

    /// Adds a flow that is not in the table.
    pub fn insert(&mut self, flow: F) -> u32 {
        self.flows.insert(key_of(flow.ends()), flow)
    }

    /// Removes a flow.
    pub fn remove(&mut self, slot: u32) {
        let key = key_of(self.flows[slot].ends());
        self.flows.remove(key);
    }

    /// Memory held, in bytes.
    pub fn memory_bytes(&self) -> usize {
        self.flows.memory_bytes()
    }
}
