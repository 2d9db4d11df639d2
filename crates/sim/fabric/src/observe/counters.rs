//! Counters of ports and NICs. They are a map of the values that are not zero, because few ports of
//! many meet anything worth counting.

mod counting;

use std::collections::BTreeMap;

use philae_results::counter::{CounterName, CounterPlace, CounterRow};
use philae_units::{ClassId, EndpointId, PortIndex};

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

/// What a NIC sent in one class.
#[derive(Clone, Copy, Debug, Default, serde::Serialize, serde::Deserialize)]
struct NicTraffic {
    packets: u64,
    bytes: u64,
    /// The bytes of responses among them: acknowledgements, credits, what ends operations.
    response_bytes: u64,
    /// The bytes of packets that it sent again.
    again_bytes: u64,
}

/// Why a NIC sends a packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SentBy {
    /// A message, for the first time.
    Message,
    /// Its transport, as an answer or a request to the other one.
    Transport,
    /// Its transport, because the packet was lost.
    Retry,
}

/// Packets and bytes that each class sent, by port and by NIC; empty if they are not counted.
#[derive(Clone, Debug, Default, serde::Serialize, serde::Deserialize)]
pub struct ClassTraffic {
    ports: Vec<(u64, u64)>,
    nics: Vec<NicTraffic>,
    classes: usize,
}

impl ClassTraffic {
    /// Counters for `ports` ports, `nics` NICs and `classes` classes.
    pub fn new(ports: usize, nics: usize, classes: usize) -> Self {
        Self { ports: vec![(0, 0); ports * classes], nics: vec![NicTraffic::default(); nics * classes], classes }
    }

    /// Memory held, in bytes.
    pub fn memory_bytes(&self) -> usize {
        self.ports.capacity() * size_of::<(u64, u64)>() + self.nics.capacity() * size_of::<NicTraffic>()
    }

    /// Counts a packet that a port sent.
    pub fn port_sent(&mut self, port_slot: usize, class: u8, bytes: u16) {
        if let Some(cell) = self.ports.get_mut(port_slot * self.classes + usize::from(class)) {
            *cell = (cell.0 + 1, cell.1 + u64::from(bytes));
        }
    }

    /// Counts a packet that a NIC sent.
    pub fn nic_sent(&mut self, nic_slot: usize, class: u8, bytes: u16, by: SentBy) {
        let Some(cell) = self.nics.get_mut(nic_slot * self.classes + usize::from(class)) else { return };
        let bytes = u64::from(bytes);
        cell.packets += 1;
        cell.bytes += bytes;
        match by {
            SentBy::Message => {}
            SentBy::Transport => cell.response_bytes += bytes,
            SentBy::Retry => cell.again_bytes += bytes,
        }
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
