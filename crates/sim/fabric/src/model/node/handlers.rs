//! What happens between a NIC and its node.

use philae_nic_model::{NicParameters, NodeParameters};

use philae_results::counter::{CounterName, CounterPlace};
use philae_units::{EndpointId, PortIndex};

use super::NicBus;
use crate::model::event::Event;
use crate::model::output::FarEnd;
use crate::model::packet::{Header, Incoming};
use crate::partition::Partition;

impl Partition {
    /// The accounts of an endpoint, with its parameters.
    #[inline]
    fn bus(&mut self, endpoint: u32) -> Option<(&NodeParameters, &NicParameters, &mut NicBus)> {
        let nic_slot = self.nic_slot(endpoint);
        let (node, nic) = (self.shared.config.node.as_ref()?, &self.shared.config.nic);
        self.nic.buses.get_mut(nic_slot).filter(|bus| bus.is_own).map(|bus| (node, nic, bus))
    }

    /// When the first packet of a message can leave that its NIC could send at `ready` if the
    /// payload were there.
    #[inline(never)]
    pub fn first_read(&mut self, header: &Header, source: u32, ready: u64) -> u64 {
        let Some((node, nic, _)) = self.bus(source) else { return ready };
        ready + node.first_read(header.purpose, header.bytes, nic)
    }

    /// The packet in `slot` leaves its NIC, which reads the payload of the next one meanwhile.
    /// `message`: the message that it belongs to; `None` if it is sent again or belongs to none.
    #[inline(never)]
    pub fn read_ahead(&mut self, endpoint: u32, slot: u32, message: Option<u32>) {
        let (nic_slot, now) = (self.nic_slot(endpoint), self.clock.now());
        let packet = &self.transit.packets[slot];
        let (payload, purpose) = (u64::from(packet.payload_bytes), packet.kind.purpose);
        let bytes = message.map_or(payload, |message| self.nic.outgoing[message].header.bytes);
        let free_at = self.nic.nics[nic_slot].output.free_at;
        let Some((node, nic, own)) = self.bus(endpoint) else { return };
        own.wire_free_at = free_at;
        if NodeParameters::reads_payload(purpose, bytes, nic) {
            let read = own.bus.read(node, now, payload, nic.dma_read_ns);
            self.nic.nics[nic_slot].output.free_at = free_at.max(read);
        }
    }

    /// When the wire of a NIC is free, whatever its bus does.
    pub fn wire_free_at(&self, endpoint: u32) -> u64 {
        let nic_slot = self.nic_slot(endpoint);
        match self.nic.buses.get(nic_slot) {
            Some(bus) if bus.is_own => bus.wire_free_at,
            _ => self.nic.nics[nic_slot].output.free_at,
        }
    }

    /// A packet with `payload` has reached its NIC, which writes it to memory. Returns when it is
    /// there.
    #[inline(never)]
    pub fn write_payload(&mut self, endpoint: u32, payload: u64) -> u64 {
        let now = self.clock.now();
        let Some((node, _, own)) = self.bus(endpoint) else { return now };
        let written = own.bus.write(node, now, payload);
        if node.buffer_bytes > 0 && payload > 0 {
            own.drain(now);
            own.waiting.push_back((written, payload as u32));
            own.waiting_bytes += payload as u32;
            assert!(
                own.waiting_bytes <= node.buffer_bytes,
                "pauses leave room for what is on its way: {} bytes in the buffer of endpoint {endpoint}",
                own.waiting_bytes
            );
            if own.waiting_bytes > node.buffer_pause_on_bytes && own.paused_since.is_none() {
                own.paused_since = Some(now);
                let drained = own.down_to(node.buffer_pause_off_bytes);
                self.pause_port(endpoint, true);
                self.look_at_buffer(endpoint, drained);
            }
        }
        written
    }

    fn look_at_buffer(&mut self, endpoint: u32, time: u64) {
        let key = self.shared.places.targets.nic_drained(time, endpoint);
        self.sched.calendar.push(key, Event::NicDrained { endpoint });
    }

    /// A NIC that has paused its switch port looks whether it can take more.
    pub fn nic_drained(&mut self, endpoint: u32) {
        let now = self.clock.now();
        let Some((node, _, own)) = self.bus(endpoint) else { return };
        own.drain(now);
        if own.waiting_bytes > node.buffer_pause_off_bytes {
            let drained = own.down_to(node.buffer_pause_off_bytes);
            return self.look_at_buffer(endpoint, drained);
        }
        if let Some(since) = own.paused_since.take() {
            self.count_paused_port(endpoint, now - since);
            self.pause_port(endpoint, false);
        }
    }

    /// Asks the switch port of a NIC to stop, or to continue.
    #[cold]
    fn pause_port(&mut self, endpoint: u32, on: bool) {
        let port = self.edge_port(endpoint);
        if on {
            let counters = &mut self.record.recorder.counters;
            counters.add_at(CounterPlace::Nic(EndpointId(endpoint)), CounterName::PauseSent, None, 1);
            counters.add_at(CounterPlace::Port(PortIndex(port)), CounterName::PauseReceived, None, 1);
        }
        let logic = u64::from(self.shared.config.switch.credit_latency_ns) * 1_000;
        let wire = self.nic.nics[self.nic_slot(endpoint)].wire();
        let key =
            self.shared.places.targets.pause_link(self.clock.now() + u64::from(wire.propagation) + logic, port, 0, on);
        self.sched.calendar.push(key, Event::PauseLink { port, channel: 0, on });
    }

    fn count_paused_port(&mut self, endpoint: u32, span: u64) {
        let port = self.edge_port(endpoint);
        let counters = &mut self.record.recorder.counters;
        counters.add_at(CounterPlace::Nic(EndpointId(endpoint)), CounterName::ReceivePaused, None, span);
        counters.add_at(CounterPlace::Port(PortIndex(port)), CounterName::TransmitPaused, None, span);
    }

    /// Counts pauses by NICs that last until the end of the run.
    pub fn close_pauses_by_nics(&mut self, end: u64) {
        for nic_slot in 0..self.nic.buses.len() {
            if let Some(since) = self.nic.buses[nic_slot].paused_since {
                self.count_paused_port(self.layout.endpoint_base + nic_slot as u32, end.saturating_sub(since));
            }
        }
    }

    /// The switch port of a NIC has seen its pause, or the end of it.
    pub fn hold_port_of_nic(&mut self, endpoint: u32, on: bool) {
        let nic_slot = self.nic_slot(endpoint);
        if let Some(bus) = self.nic.buses.get_mut(nic_slot) {
            bus.holds_port = on;
        }
    }

    /// Whether the NIC beyond an output has paused it.
    #[inline]
    pub fn is_held_by_nic(&self, port_slot: usize) -> bool {
        self.has_bus() && self.port_is_held(port_slot)
    }

    #[inline(never)]
    fn port_is_held(&self, port_slot: usize) -> bool {
        let wire = &self.switch.wires[port_slot];
        wire.far_end == FarEnd::Nic && self.nic.buses[self.nic_slot(wire.peer)].holds_port
    }

    /// A message has arrived whose data are in memory at `written`. Returns when the host can know
    /// of it: behind its event, if it has one.
    #[inline(never)]
    pub fn tell_host(&mut self, message: &Incoming, nic_matches: bool, written: u64) -> u64 {
        let tells = NodeParameters::writes_event(message.header.purpose, nic_matches);
        let told = match self.bus(message.destination) {
            Some((node, _, own)) if tells => own.bus.event(node, written),
            _ => written,
        };
        if self.is_observed() {
            self.explain_written(message, told);
        }
        told
    }

    /// The core of a rank behind `endpoint` has written one of `commands` at `time`. Returns when
    /// the NIC would have it if it had come alone, by which it counts the time of a command.
    #[inline(never)]
    pub fn command_taken(&mut self, endpoint: u32, commands: usize, time: u64) -> u64 {
        let now = self.clock.now();
        self.bus(endpoint).map_or(time, |(node, _, own)| time + own.bus.command(node, (now, time), commands > 1))
    }

    /// Core time that follows a send from behind `endpoint` and that no latency shows.
    pub fn core_after_send(&self, endpoint: u32) -> u64 {
        let is_own = || self.nic.buses[self.nic_slot(endpoint)].is_own;
        match &self.shared.config.node {
            Some(node) if is_own() => u64::from(node.completion_ns) * 1_000,
            _ => 0,
        }
    }

    /// A core has rung the doorbell for several commands.
    pub fn doorbell(&mut self, endpoint: u32) {
        let now = self.clock.now();
        if let Some((node, _, own)) = self.bus(endpoint) {
            own.bus.doorbell(node, now);
        }
    }

    /// The last packet of a message is on the wire at `time`. Returns when the event that says so
    /// is in memory.
    #[inline(never)]
    pub fn event_of_send(&mut self, endpoint: u32, time: u64) -> u64 {
        let now = self.clock.now();
        self.bus(endpoint).map_or(time, |(node, _, own)| time.max(own.bus.event(node, now)))
    }
}
