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

/// How often a flow's stay may double: to 64 times the first, where what a move costs no longer
/// shows. Source: ours. Status: assumed.
const DOUBLINGS_MAX: u8 = 6;

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
    /// Its path, if its packets stay in order.
    pub path: FlowPath,
}

/// The path of an ordered flow.
#[derive(Clone, Copy, Debug, serde::Serialize, serde::Deserialize)]
pub struct FlowPath {
    /// The first output and the route, while the flow has packets in the fabric.
    pub chosen: Option<(PortIndex, RouteState)>,
    /// Congestion inside the fabric does not move it before this time, in picoseconds.
    pub stays_until: u64,
    /// Moves in a row, each made as soon as its stay ended.
    pub moves: u8,
    /// Whether the flow leaves it: nothing enters the fabric until it has nothing there.
    pub is_left: bool,
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
    /// Whether the law holds it, because it contributes to the congestion of an endpoint.
    pub const fn is_held(&self) -> bool {
        matches!(&self.control, FlowControl::Slingshot(law) if law.is_held())
    }

    /// Whether an ordered flow leaves its path when it learns of congestion inside the fabric. What
    /// contributes to the congestion of an endpoint stays: elsewhere it would only be in the way of
    /// others.
    pub const fn is_moved_by_congestion(&self, now: u64) -> bool {
        !self.is_held() && !self.path.is_left && now >= self.path.stays_until && self.extent_bytes > 0
    }

    /// When congestion may move it, if its stay begins now: after `stay` and up to as long again.
    /// The part differs from flow to flow and from stay to stay. Each move in a row after the first
    /// doubles it.
    pub fn end_of_stay(&self, now: u64, stay: u64) -> u64 {
        let stay = stay << self.path.moves.saturating_sub(1).min(DOUBLINGS_MAX);
        let mut mixed = key_of(self.ends()) ^ (u64::from(self.sequence) << 48);
        for factor in [0xbf58_476d_1ce4_e5b9_u64, 0x94d0_49bb_1331_11eb] {
            mixed = (mixed ^ (mixed >> 31)).wrapping_mul(factor);
        }
        now + stay + ((u128::from(mixed) * u128::from(stay)) >> 64) as u64
    }

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
            path: FlowPath { chosen: None, stays_until: 0, moves: 0, is_left: false },
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

#[cfg(test)]
mod tests {
    use philae_congestion::{Feedback, SlingshotParameters};
    use philae_topology::{DragonflyDescription, SystemDescription};

    use super::*;

    #[test]
    fn congestion_moves_victims_after_their_stay_and_no_causes() {
        let parameters = SlingshotParameters::rosetta();
        let topology =
            Topology::build(&SystemDescription::from(DragonflyDescription::uniform(2, 1, 2, 1))).expect("a system");
        let law = SlingshotFlow::new(&parameters, 40);
        let mut flow = Flow::new(&topology, 0, 3, 0, FlowControl::Slingshot(law));
        flow.extent_bytes = 1;
        flow.path.stays_until = flow.end_of_stay(100, 1_000);
        assert!(
            (1_100..2_100).contains(&flow.path.stays_until),
            "{} is within one or two stays",
            flow.path.stays_until
        );
        for (moves, doublings) in [(1, 0), (2, 1), (3, 2), (7, 6), (8, 6), (255, 6)] {
            let end = Flow { path: FlowPath { moves, ..flow.path }, ..flow }.end_of_stay(100, 1_000);
            assert!((100 + (1_000 << doublings)..100 + (2_000 << doublings)).contains(&end), "{moves} moves: {end}");
        }
        let mut other = flow;
        other.destination = 2;
        assert_ne!(other.end_of_stay(100, 1_000_000), flow.end_of_stay(100, 1_000_000), "flows differ");
        assert!(
            !flow.is_moved_by_congestion(flow.path.stays_until - 1)
                && flow.is_moved_by_congestion(flow.path.stays_until)
        );
        let mut held = law;
        let queue = parameters.endpoint_threshold_bytes + 1;
        held.learn(&parameters, 0, Feedback { egress_queue_bytes: queue, egress_ps_per_byte: 40 });
        let cause = Flow { control: FlowControl::Slingshot(held), ..flow };
        assert!(!cause.is_moved_by_congestion(u64::MAX), "a cause of endpoint congestion stays");
        let leaving = Flow { path: FlowPath { is_left: true, ..flow.path }, ..flow };
        assert!(!leaving.is_moved_by_congestion(u64::MAX), "once is enough");
    }
}
