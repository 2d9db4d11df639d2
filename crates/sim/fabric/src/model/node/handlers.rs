//! What happens between a NIC and its node.

use philae_nic_model::{BusTable, HeldState, HostPath, Memory, NicParameters, NodeParameters};

use philae_results::counter::{CounterName, CounterPlace};
use philae_results::explain::TimePart;
use philae_units::{EndpointId, PortIndex};

use super::{NicBuffers, NicBus};
use crate::model::event::Event;
use crate::model::output::FarEnd;
use crate::model::packet::{Header, Incoming, PacketPurpose};
use crate::partition::Partition;

/// The accounts of a NIC and of its node, with their parameters.
struct Accounts<'p> {
    node: &'p NodeParameters,
    nic: &'p NicParameters,
    table: &'p BusTable,
    own: &'p mut NicBus,
    buffers: &'p mut NicBuffers,
    nic_slot: usize,
    memory: &'p mut Memory,
}

impl Accounts<'_> {
    /// The NIC moves `bytes` of a payload from `now` on. Returns when the memory has, if it has a
    /// limit.
    #[inline]
    fn transfer(&mut self, now: u64, bytes: u64) -> u64 {
        if self.buffers.has_memories() { self.memory.transfer(self.node, now, bytes) } else { now }
    }
}

impl Partition {
    /// The accounts of an endpoint; `None` for third-party ones.
    #[inline]
    fn bus(&mut self, endpoint: u32) -> Option<Accounts<'_>> {
        let nic_slot = self.nic_slot(endpoint);
        let (node, nic) = (self.shared.config.node.as_ref()?, &self.shared.config.nic);
        let own = self.nic.buses.get_mut(nic_slot).filter(|bus| bus.is_own)?;
        let buffers = &mut self.nic.buffers;
        let memory = &mut self.nic.memories[buffers.memory_of.get(nic_slot).map_or(0, |place| *place as usize)];
        Some(Accounts { node, nic, table: &self.shared.bus_table, own, buffers, nic_slot, memory })
    }

    /// When the first packet of a message can leave that its NIC could send at `ready` if the
    /// payload were there: if the memory has nothing else to do, and as it is.
    #[inline(never)]
    pub fn first_read(&mut self, header: &Header, source: u32, ready: u64) -> (u64, u64) {
        let Some(Accounts { node, nic, memory, .. }) = self.bus(source) else { return (ready, ready) };
        match node.first_read_bytes(header.purpose, header.bytes, nic) {
            0 => (ready, ready),
            bytes => {
                let read = ready + node.bus_read_time(bytes, nic.dma_read_ns);
                (read, read.max(memory.moved(node, ready, bytes)))
            }
        }
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
        let Some(mut accounts) = self.bus(endpoint) else { return };
        let Accounts { node, nic, table, .. } = accounts;
        accounts.own.wire_free_at = free_at;
        if NodeParameters::reads_payload(purpose, bytes, nic) {
            let piped = accounts.own.bus.read(now, table.times(payload, node, nic.dma_read_ns));
            let read = accounts.transfer(now, payload);
            accounts.own.behind_memory = read > piped;
            self.nic.nics[nic_slot].output.free_at = free_at.max(piped).max(read);
        }
    }

    /// When the NIC of `endpoint` can go on with a message for which everything else is there at
    /// `time`: when it has the state of the connection between a rank behind it and a peer. The
    /// kernel has the connections of what passes it.
    #[inline]
    pub fn connected(&mut self, endpoint: u32, purpose: PacketPurpose, (own, peer): (u32, u32), time: u64) -> u64 {
        let by_kernel = || purpose == PacketPurpose::Eager && self.shared.config.host.path.is_kernel();
        if self.nic.connections.is_empty() || by_kernel() {
            return time;
        }
        self.read_connection(endpoint, (own, peer), time)
    }

    #[inline(never)]
    fn read_connection(&mut self, endpoint: u32, (own, peer): (u32, u32), time: u64) -> u64 {
        let (nic_slot, now) = (self.nic_slot(endpoint), self.clock.now());
        match self.nic.connections[nic_slot].uses(own, peer, now) {
            HeldState::Here => time,
            HeldState::Comes(until) => time.max(until),
            HeldState::Missing => {
                let until = time + self.connection_read(endpoint, now);
                self.nic.connections[nic_slot].reads(own, peer, until);
                until
            }
        }
    }

    /// How long a NIC that reads the state of a connection `now` takes for that.
    fn connection_read(&mut self, endpoint: u32, now: u64) -> u64 {
        self.record.recorder.counters.add_nic(endpoint, CounterName::ConnectionsRead, 1);
        let nic = &self.shared.config.nic;
        let (bytes, latency) = (u64::from(nic.connection_bytes), u64::from(nic.dma_read_ns) * 1_000);
        let Some(mut accounts) = self.bus(endpoint) else { return latency };
        // The state that makes room goes back.
        let times = accounts.table.times(bytes, accounts.node, accounts.nic.dma_read_ns);
        let read = accounts.own.bus.read(now, times);
        accounts.own.bus.write(now, times);
        latency + read.max(accounts.transfer(now, 2 * bytes)) - now
    }

    /// When the wire of a NIC is free, whatever its bus does.
    pub fn wire_free_at(&self, endpoint: u32) -> u64 {
        let nic_slot = self.nic_slot(endpoint);
        match self.nic.buses.get(nic_slot) {
            Some(bus) if bus.is_own => bus.wire_free_at,
            _ => self.nic.nics[nic_slot].output.free_at,
        }
    }

    /// What the next packet of a NIC waits for where neither the wire nor the switch decides.
    pub fn bus_part(&self, endpoint: u32) -> TimePart {
        if self.nic.buses[self.nic_slot(endpoint)].behind_memory { TimePart::Memory } else { TimePart::Bus }
    }

    /// A packet with `payload` has reached its NIC, which writes it to memory. Returns when it is
    /// there.
    #[inline(never)]
    pub fn write_payload(&mut self, endpoint: u32, payload: u16) -> u64 {
        let now = self.clock.now();
        let Some(mut accounts) = self.bus(endpoint) else { return now };
        let moved = accounts.transfer(now, payload.into());
        let Accounts { node, nic, table, own, buffers, nic_slot, .. } = accounts;
        let on_bus = own.bus.write(now, table.times(payload.into(), node, nic.dma_read_ns));
        buffers.on_bus = on_bus;
        let written = on_bus.max(moved);
        if payload > 0
            && let Some(waiting) = buffers.waiting.get_mut(nic_slot)
        {
            own.put(waiting, now, (written, payload));
            if own.waiting_bytes > node.buffer_pause_on_bytes.min(node.buffer_bytes) {
                self.fills(endpoint);
            }
        }
        written
    }

    /// A payload has come into a buffer that may now have so much that its NIC pauses its switch
    /// port.
    #[inline(never)]
    fn fills(&mut self, endpoint: u32) {
        let now = self.clock.now();
        let Some(Accounts { node, own, buffers, nic_slot, .. }) = self.bus(endpoint) else { return };
        let waiting = &mut buffers.waiting[nic_slot];
        own.drain(waiting, now);
        assert!(
            own.waiting_bytes <= node.buffer_bytes,
            "pauses leave room for what is on its way: {} bytes in the buffer of endpoint {endpoint}",
            own.waiting_bytes
        );
        if own.waiting_bytes > node.buffer_pause_on_bytes && !buffers.paused.contains_key(&(nic_slot as u32)) {
            buffers.paused.insert(nic_slot as u32, now);
            let drained = own.down_to(waiting, node.buffer_pause_off_bytes);
            self.pause_port(endpoint, true);
            self.look_at_buffer(endpoint, drained);
        }
    }

    /// How full the buffer of an endpoint's NIC is, in thousandths of what makes it pause its
    /// switch port, and when it is down to half of that, if nothing else arrives. (0, 0) where
    /// buffers have no limit.
    pub fn buffer_fill(&mut self, endpoint: u32) -> (u64, u64) {
        let now = self.clock.now();
        let Some(Accounts { node, own, buffers, nic_slot, .. }) = self.bus(endpoint) else { return (0, 0) };
        let Some(waiting) = buffers.waiting.get_mut(nic_slot) else { return (0, 0) };
        own.drain(waiting, now);
        let full = node.buffer_pause_on_bytes.min(node.buffer_bytes).max(1);
        (u64::from(own.waiting_bytes) * 1_000 / u64::from(full), own.down_to(waiting, full / 2))
    }

    fn look_at_buffer(&mut self, endpoint: u32, time: u64) {
        let key = self.shared.places.targets.nic_drained(time, endpoint);
        self.sched.calendar.push(key, Event::NicDrained { endpoint });
    }

    /// A NIC that has paused its switch port looks whether it can take more.
    pub fn nic_drained(&mut self, endpoint: u32) {
        let now = self.clock.now();
        let Some(Accounts { node, own, buffers, nic_slot, .. }) = self.bus(endpoint) else { return };
        let waiting = &mut buffers.waiting[nic_slot];
        own.drain(waiting, now);
        if own.waiting_bytes > node.buffer_pause_off_bytes {
            let drained = own.down_to(waiting, node.buffer_pause_off_bytes);
            return self.look_at_buffer(endpoint, drained);
        }
        if let Some(since) = buffers.paused.remove(&(nic_slot as u32)) {
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
        for (nic_slot, since) in self.nic.buffers.paused.clone() {
            self.count_paused_port(self.layout.endpoint_base + nic_slot, end.saturating_sub(since));
        }
    }

    /// Whether the NIC beyond an output has paused it.
    #[inline]
    pub fn is_held_by_nic(&self, port_slot: usize) -> bool {
        self.has_bus()
            && self.switch.wires[port_slot].far_end == FarEnd::Nic
            && self.switch.channels[port_slot * self.shared.classes.plan.count()].paused
    }

    /// A message has arrived whose data are in memory at `written`. Returns when the host can know
    /// of it: behind its event, if it has one.
    #[inline(never)]
    ///
    /// `connected`: when the NIC has the state of the connection; until then the bus is free for
    /// others. `is_end`: nothing else happens before the host knows.
    pub fn tell_host(
        &mut self,
        message: &Incoming,
        nic_matches: bool,
        written: u64,
        (connected, is_end): (u64, bool),
    ) -> u64 {
        let tells = NodeParameters::writes_event(message.header.purpose, nic_matches);
        let now = self.clock.now();
        let Some(Accounts { node, table, own, buffers, memory, .. }) = self.bus(message.destination) else {
            return connected;
        };
        let (mut on_bus, mut told) = (buffers.on_bus, written);
        if tells && node.event_bytes > 0 {
            let bytes = u64::from(node.event_bytes);
            let at_once = written + node.event_time();
            // On the bus it follows the data, whenever the memory has them.
            let moved = own.bus.event(node, table, now);
            told = moved.max(at_once).max(memory.transfer(node, now, bytes));
            on_bus = if buffers.has_memories() { moved } else { told };
        }
        if is_end && self.is_observed() {
            self.explain_written(message, on_bus.max(connected), told.max(connected));
        }
        told.max(connected)
    }

    /// The core of a rank behind `endpoint` has written one of `commands` at `time`. Returns when
    /// the NIC would have it if it had come alone, by which it counts the time of a command.
    #[inline(never)]
    pub fn command_taken(&mut self, endpoint: u32, commands: usize, time: u64) -> u64 {
        let now = self.clock.now();
        let Some(Accounts { node, own, memory, .. }) = self.bus(endpoint) else { return time };
        if commands > 1 {
            memory.transfer(node, now, node.command_bytes.into());
        }
        time + own.bus.command(node, (now, time), commands > 1)
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
        if let Some(Accounts { node, own, .. }) = self.bus(endpoint) {
            own.bus.doorbell(node, now);
        }
    }

    /// The last packet of a message is on the wire at `time`. Returns when the event that says so
    /// is in memory.
    #[inline(never)]
    pub fn event_of_send(&mut self, endpoint: u32, time: u64) -> u64 {
        let now = self.clock.now();
        let Some(Accounts { node, table, own, memory, .. }) = self.bus(endpoint) else { return time };
        let moved = memory.transfer(node, now, node.event_bytes.into());
        time.max(own.bus.event(node, table, now)).max(moved)
    }

    /// A core of the node of `endpoint` copies `bytes`, from `begins` on. Returns for how long the
    /// memory makes it wait.
    ///
    /// The memory counts the copy from now on, as the bus counts commands: a core that is busy
    /// first does not make the memory idle until then.
    #[inline(never)]
    pub fn copy_waits(&mut self, endpoint: u32, bytes: u64, begins: u64) -> u64 {
        let now = self.clock.now();
        let copy = self.shared.config.host.copy(bytes);
        let Some(Accounts { node, memory, .. }) = self.bus(endpoint) else { return 0 };
        let (from, span) = memory.copy(node, now, bytes);
        from.saturating_sub(begins) + span.saturating_sub(copy)
    }

    /// A core sends a message of `bytes` from `time` on, and copies it if the protocol does.
    /// Returns for how long the memory delays its first segment, and all of it.
    pub fn copies_what_it_sends(&mut self, endpoint: u32, bytes: u64, time: u64) -> (u64, u64) {
        let protocol = self.shared.protocol(endpoint);
        let begins = protocol.called(time);
        match protocol.host.path {
            HostPath::Kernel | HostPath::KernelUdp => {
                let first = protocol.host.first_segment(bytes);
                let delay = self.copy_waits(endpoint, first, begins);
                let then = begins + self.shared.config.host.kernel_first(bytes) + delay;
                let rest = if bytes > first { self.copy_waits(endpoint, bytes - first, then) } else { 0 };
                (delay, delay + rest)
            }
            HostPath::Messages | HostPath::Direct if protocol.bounce(bytes, false) > 0 => {
                let delay = self.copy_waits(endpoint, bytes, begins);
                (delay, delay)
            }
            HostPath::Messages | HostPath::Direct => (0, 0),
        }
    }
}
