//! Counters of ports and NICs. They are a map of the values that are not zero, because few ports of
//! many meet anything worth counting.

use std::collections::BTreeMap;

use philae_results::counter::{CounterName, CounterPlace, CounterRow};
use philae_units::{ClassId, EndpointId, PortIndex};

use crate::model::output::{EndpointCongestion, FarEnd, NO_TIME, Wire};
use crate::model::partition::Partition;

/// Counters of a partition. The sum over all partitions counts: one partition may count for a port
/// of another.
#[derive(Clone, Debug, Default, serde::Serialize, serde::Deserialize)]
pub struct Counters(BTreeMap<(CounterPlace, CounterName, Option<u8>), u64>);

impl Counters {
    /// Counts at a port of a switch.
    pub fn add(&mut self, port: u32, name: CounterName, value: u64) {
        self.add_at(CounterPlace::Port(PortIndex(port)), name, None, value);
    }

    /// Counts in a NIC.
    pub fn add_nic(&mut self, endpoint: u32, name: CounterName, value: u64) {
        self.add_at(CounterPlace::Nic(EndpointId(endpoint)), name, None, value);
    }

    /// Counts anywhere, by class if one is given. Zero is not counted.
    pub fn add_at(&mut self, place: CounterPlace, name: CounterName, class: Option<u8>, value: u64) {
        if value > 0 {
            *self.0.entry((place, name, class)).or_insert(0) += value;
        }
    }

    /// Adds what another partition counted.
    pub fn merge(&mut self, other: &Self) {
        for (&(place, name, class), &value) in &other.0 {
            self.add_at(place, name, class, value);
        }
    }

    /// Rows, in order of place, counter and class.
    pub fn rows(&self, port_of_nic: impl Fn(EndpointId) -> PortIndex) -> Vec<CounterRow> {
        let row = |(&(place, name, class), &value): (&(CounterPlace, CounterName, Option<u8>), &u64)| {
            let port = match place {
                CounterPlace::Port(port) => port,
                CounterPlace::Nic(endpoint) => port_of_nic(endpoint),
            };
            CounterRow { place, port, name, class: class.map(ClassId), value }
        };
        self.0.iter().map(row).collect()
    }
}

/// Packets and bytes that each class sent, by port and by NIC; empty if they are not counted.
#[derive(Clone, Debug, Default, serde::Serialize, serde::Deserialize)]
pub struct ClassTraffic {
    ports: Vec<(u64, u64)>,
    nics: Vec<(u64, u64)>,
    classes: usize,
}

impl ClassTraffic {
    /// Counters for `ports` ports, `nics` NICs and `classes` classes.
    pub fn new(ports: usize, nics: usize, classes: usize) -> Self {
        Self { ports: vec![(0, 0); ports * classes], nics: vec![(0, 0); nics * classes], classes }
    }

    /// Memory held, in bytes.
    pub fn memory_bytes(&self) -> usize {
        (self.ports.capacity() + self.nics.capacity()) * size_of::<(u64, u64)>()
    }

    /// Counts a packet that a port sent.
    pub fn port_sent(&mut self, port_slot: usize, class: u8, bytes: u16) {
        if let Some(cell) = self.ports.get_mut(port_slot * self.classes + usize::from(class)) {
            *cell = (cell.0 + 1, cell.1 + u64::from(bytes));
        }
    }

    /// Counts a packet that a NIC sent.
    pub fn nic_sent(&mut self, nic_slot: usize, class: u8, bytes: u16) {
        if let Some(cell) = self.nics.get_mut(nic_slot * self.classes + usize::from(class)) {
            *cell = (cell.0 + 1, cell.1 + u64::from(bytes));
        }
    }
}

/// The device at the far end of a wire.
pub const fn far_counter_place(wire: Wire) -> CounterPlace {
    match wire.far_end {
        FarEnd::Nic => CounterPlace::Nic(EndpointId(wire.peer)),
        FarEnd::Switch | FarEnd::Nothing => CounterPlace::Port(PortIndex(wire.peer)),
    }
}

impl Partition {
    /// Counts a pause that input port `port` asks of the far end of its link.
    pub fn count_pause(&mut self, port: u32, class: u8) {
        let far_end = far_counter_place(self.switch.wires[self.port_slot(port)]);
        let counters = &mut self.record.recorder.counters;
        counters.add_at(CounterPlace::Port(PortIndex(port)), CounterName::PauseSent, Some(class), 1);
        counters.add_at(far_end, CounterName::PauseReceived, Some(class), 1);
    }

    /// Counts the `span` picoseconds for which the far end was paused.
    pub fn count_paused(&mut self, port: u32, class: u8, span: u64) {
        let far_end = far_counter_place(self.switch.wires[self.port_slot(port)]);
        let counters = &mut self.record.recorder.counters;
        counters.add_at(CounterPlace::Port(PortIndex(port)), CounterName::ReceivePaused, Some(class), span);
        counters.add_at(far_end, CounterName::TransmitPaused, Some(class), span);
    }

    /// Counts pauses that last until the end of the run, and what was sent by class.
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
        for (endpoint, &EndpointCongestion { since, notices, flows_held, held_ps }) in
            (self.layout.endpoint_base..).zip(&self.edge.congested)
        {
            let (port, counters) = (self.edge_port(endpoint), &mut self.record.recorder.counters);
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
            let local = CounterPlace::Port(PortIndex(self.layout.port_base + port_slot as u32));
            self.count_sent(local, far_counter_place(self.switch.wires[port_slot]), class, sent);
        }
        for (index, &sent) in traffic.nics.iter().enumerate() {
            let endpoint = EndpointId(self.layout.endpoint_base + (index / classes) as u32);
            let port = CounterPlace::Port(self.shared.topology().endpoint(endpoint).port);
            self.count_sent(CounterPlace::Nic(endpoint), port, (index % classes) as u8, sent);
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_add_up_and_zeros_leave_no_row() {
        let mut one = Counters::default();
        one.add(7, CounterName::LinkDown, 2);
        one.add(7, CounterName::Flaps, 0);
        let mut other = Counters::default();
        other.add(7, CounterName::LinkDown, 3);
        other.add_nic(1, CounterName::Retries, 4);
        one.merge(&other);
        let rows = one.rows(|_| PortIndex(9));
        let seen: Vec<_> = rows.iter().map(|row| (row.port.0, row.name, row.value)).collect();
        assert_eq!(seen, [(7, CounterName::LinkDown, 5), (9, CounterName::Retries, 4)]);
    }

    #[test]
    fn every_counter_of_a_link_has_its_name_here() {
        for (name, _) in philae_link_layer::LinkCounters::default().rows() {
            assert!(CounterName::named(name).is_some(), "{name}");
        }
    }
}
