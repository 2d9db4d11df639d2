//! Ordered flows leave paths with congestion inside the fabric.
//!
//! A packet of an ordered, free flow that meets a long queue between switches is marked. The
//! egress switch puts the mark into the packet's acknowledgement, and so the flow's ingress port
//! learns of it. That acknowledgement is part of the flow control between switches: every packet
//! has one, whatever NICs answer. A response of a NIC is a packet of a flow of its own, and its
//! marks move that flow.
//!
//! A flow that learns of congestion lets nothing into the fabric until it has nothing there. Then
//! it chooses a path again, so that its packets keep their order.
//!
//! It stays on a new path for a time. That time differs from flow to flow, so that flows that met
//! do not all move at once. If the flow meets congestion again as soon as it may move, it has found
//! no better path, and the next stay is twice as long: where all paths are full, moves only cost.
//!
//! A flow that contributes to the congestion of an endpoint stays: elsewhere it would only be in
//! the way of others. While it is held it keeps its path, also with nothing in the fabric. After
//! that it stays as long as on a new path, because it may be held again at once.
//!
//! Source: US patent 11,902,150; Slingshot 400 III-A. Status: derived; depth and time are assumed.

use crate::memory::slab::NO_INDEX;
use crate::model::output::FarEnd;
use crate::model::shared::slingshot;
use crate::partition::Partition;

/// Bit of the queue depth of an acknowledgement: the packet met congestion inside the fabric.
pub const MET_CONGESTION: u32 = 1 << 31;

/// The largest queue depth that an acknowledgement tells beside the bit. With the bit it is not
/// [`LOST`](super::ingress::LOST).
const QUEUE_MAX: u32 = MET_CONGESTION - 2;

impl Partition {
    /// Marks a packet of an ordered, free flow that meets congestion inside the fabric.
    #[inline]
    pub fn mark_inside(&mut self, packet: u32, port_slot: usize) {
        let threshold = slingshot(&self.shared.config.congestion).map_or(0, |law| law.reroute_threshold_bytes);
        let queued = self.switch.loads[port_slot].queued_bytes;
        if queued > threshold && self.switch.wires[port_slot].far_end == FarEnd::Switch {
            self.meets_congestion(packet);
        }
    }

    /// A packet meets congestion inside the fabric.
    #[inline(never)]
    fn meets_congestion(&mut self, packet: u32) {
        let marked = &mut self.transit.packets[packet];
        if marked.ingress.flow != NO_INDEX
            && marked.ingress.free_flow
            && self.shared.is_ordered(marked.kind.class, marked.source, marked.destination)
        {
            marked.kind.marked = true;
        }
    }

    /// The queue depth that an acknowledgement tells, with the mark of its packet. The mark leaves
    /// the packet, because to a NIC it would tell of its law.
    #[inline]
    pub fn with_mark(&mut self, packet: u32, queue: u32) -> u32 {
        let marked = std::mem::take(&mut self.transit.packets[packet].kind.marked);
        queue.min(QUEUE_MAX) | if marked { MET_CONGESTION } else { 0 }
    }

    /// A packet of an ordered flow has met congestion inside the fabric.
    #[inline(never)]
    pub fn met_congestion(&mut self, flow: u32, now: u64) {
        let stay = self.stay_ps();
        let flow_state = &mut self.edge.flows.flows[flow];
        if flow_state.is_moved_by_congestion(now) {
            let at_once = now - flow_state.path.stays_until <= stay;
            flow_state.path.moves = if at_once { flow_state.path.moves.saturating_add(1) } else { 1 };
            flow_state.path.is_left = true;
            let moved = *flow_state;
            self.record.recorder.flow_moved(now, &moved);
        }
    }

    /// An ordered flow has chosen a path, or is no longer held: it stays there for a time.
    #[inline(never)]
    pub fn stay(&mut self, flow: u32) {
        let (now, stay) = (self.clock.now(), self.stay_ps());
        let flow_state = &mut self.edge.flows.flows[flow];
        flow_state.path.stays_until = flow_state.end_of_stay(now, stay);
    }

    /// How long a flow stays on its path at least, in picoseconds.
    fn stay_ps(&self) -> u64 {
        slingshot(&self.shared.config.congestion).map_or(0, |law| u64::from(law.reroute_stay_ns) * 1_000)
    }

    /// Whether an ordered flow keeps its path with nothing in the fabric.
    #[inline]
    pub fn keeps_path(&self, flow: u32) -> bool {
        self.shared.traits.moves_flows && self.edge.flows.flows[flow].is_held()
    }
}
