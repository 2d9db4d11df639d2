//! Counts pauses, and what outputs count for themselves at the end of a run.

use philae_results::counter::{CounterName, CounterPlace};
use philae_units::{EndpointId, PortIndex};

use crate::model::flow::FlowControl;
use crate::model::output::{EndpointCongestion, FarEnd, NO_TIME, Wire};
use crate::partition::Partition;

/// The device at the far end of a wire.
pub const fn far_counter_place(wire: Wire) -> CounterPlace {
    match wire.far_end {
        FarEnd::Nic => CounterPlace::Nic(EndpointId(wire.peer)),
        FarEnd::Switch => CounterPlace::Port(PortIndex(wire.peer)),
    }
}

impl Partition {
    /// Counts a pause that input port `port` asks of the far end of its link.
    pub fn count_pause(&mut self, port: u32, class: u8) {
        let far_end = far_counter_place(*self.switch.wires[self.port_slot(port)]);
        let counters = &mut self.record.recorder.counters;
        counters.add_at(CounterPlace::Port(PortIndex(port)), CounterName::PauseSent, Some(class), 1);
        counters.add_at(far_end, CounterName::PauseReceived, Some(class), 1);
    }

    /// Counts the `span` picoseconds for which the far end was paused.
    pub fn count_paused(&mut self, port: u32, class: u8, span: u64) {
        let far_end = far_counter_place(*self.switch.wires[self.port_slot(port)]);
        let counters = &mut self.record.recorder.counters;
        counters.add_at(CounterPlace::Port(PortIndex(port)), CounterName::ReceivePaused, Some(class), span);
        counters.add_at(far_end, CounterName::TransmitPaused, Some(class), span);
    }

    /// Counts pauses and holds of flows that last until the end of the run, and what was sent by
    /// class.
    pub fn close_counters(&mut self, end: u64) {
        let classes = self.shared.config.classes.len();
        for index in 0..self.edge.paused_since.len() {
            let since = self.edge.paused_since[index];
            if since != NO_TIME {
                let (nic, class) = ((index / classes) as u32, (index % classes) as u8);
                let port = self.edge_port(self.layout.endpoint_base + nic);
                self.count_paused(port, class, end.saturating_sub(since));
            }
        }
        self.close_link_pauses(end);
        self.close_pauses_by_nics(end);
        for (_, flow) in self.edge.flows.flows.used() {
            if let FlowControl::Slingshot(law) = &flow.control
                && let Some(span) = law.held_for(end)
            {
                let of_nic = (flow.source - self.layout.endpoint_base) as usize;
                self.edge.congested[of_nic].held_ps += span;
            }
        }
        for (nic, &EndpointCongestion { since, notices, flows_held, held_ps }) in self.edge.congested.met() {
            let port = self.edge_port(self.layout.endpoint_base + nic as u32);
            let counters = &mut self.record.recorder.counters;
            counters.add(port, CounterName::NoticesSent, notices);
            counters.add(port, CounterName::FlowsHeld, flows_held);
            counters.add(port, CounterName::FlowsHeldTime, held_ps);
            if since != NO_TIME {
                counters.add(port, CounterName::EndpointCongested, end.saturating_sub(since));
            }
        }
        let traffic = std::mem::take(&mut self.record.observer.traffic);
        for (index, &sent) in traffic.ports.iter().enumerate() {
            let (port_slot, class) = (index / classes, (index % classes) as u8);
            let local = CounterPlace::Port(PortIndex(self.port_in(port_slot)));
            self.count_sent(local, far_counter_place(*self.switch.wires[port_slot]), class, sent);
        }
        for (index, &sent) in traffic.nics.iter().enumerate() {
            let endpoint = EndpointId(self.layout.endpoint_base + (index / classes) as u32);
            let port = CounterPlace::Port(self.shared.topology().endpoint(endpoint).port);
            let (nic, class) = (CounterPlace::Nic(endpoint), (index % classes) as u8);
            self.count_sent(nic, port, class, (sent.packets, sent.bytes));
            let counters = &mut self.record.recorder.counters;
            counters.add_at(nic, CounterName::ResponseBytesSent, Some(class), sent.response_bytes);
            counters.add_at(nic, CounterName::BytesSentAgain, Some(class), sent.again_bytes);
        }
    }

    fn count_sent(&mut self, near_end: CounterPlace, far_end: CounterPlace, class: u8, (packets, bytes): (u64, u64)) {
        let counters = &mut self.record.recorder.counters;
        counters.add_at(near_end, CounterName::PacketsSent, Some(class), packets);
        counters.add_at(near_end, CounterName::BytesSent, Some(class), bytes);
        counters.add_at(far_end, CounterName::PacketsReceived, Some(class), packets);
        counters.add_at(far_end, CounterName::BytesReceived, Some(class), bytes);
    }
}
