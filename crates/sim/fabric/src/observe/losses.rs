//! Losses by faults and links, combined from all partitions.

use std::collections::BTreeMap;

use philae_results::counter::{CounterName, CounterPlace};
use philae_results::fault::{DiscardCause, DiscardRow, FaultRow, PacketEngineRow};
use philae_results::record::RunRecord;
use philae_topology::{PortPeer, Topology};
use philae_units::{Bytes, EndpointId, Picoseconds, PortIndex};

use crate::model::losses::Cost;
use crate::model::resilience::{Fault, FaultKind, FaultTarget};
use crate::observe::counters::Counters;
use crate::partition::Partition;

/// Fills in what was discarded, what each fault cost and what links counted.
pub fn fill(record: &mut RunRecord, partitions: &[Partition]) {
    let mut discards: BTreeMap<(u32, DiscardCause), Cost> = BTreeMap::new();
    let mut faults: BTreeMap<u32, Cost> = BTreeMap::new();
    for partition in partitions {
        for (key, cost) in &partition.fault.losses.discards {
            *discards.entry(*key).or_default() += *cost;
        }
        for (fault, cost) in &partition.fault.losses.faults {
            *faults.entry(*fault).or_default() += *cost;
        }
    }
    record.discards = discards
        .into_iter()
        .map(|((port, cause), cost)| DiscardRow {
            port: PortIndex(port),
            cause,
            packets: cost.packets,
            bytes: Bytes(cost.bytes),
        })
        .collect();
    // Every partition has seen every fault.
    let Some(first) = partitions.first() else { return };
    let topology = first.shared.topology();
    record.faults = first
        .fault
        .fault_log
        .iter()
        .enumerate()
        .map(|(number, (fault, ended))| {
            let cost = faults.get(&(number as u32)).copied().unwrap_or_default();
            row(topology, number as u32, fault, *ended, cost)
        })
        .collect();
    record.packet_engine = packet_engine(partitions);
    record.edge_links = crate::model::edge::rows(&first.shared);
}

fn packet_engine(partitions: &[Partition]) -> Vec<PacketEngineRow> {
    let Some(overlay) = partitions.first().and_then(|first| first.shared.overlay.as_ref()) else { return Vec::new() };
    let counts = overlay.counts(partitions.iter().map(|partition| &partition.edge.verdicts));
    let row = |what, stage: &str, table: &str, name: String, packets| PacketEngineRow {
        what,
        stage: stage.to_owned(),
        table: table.to_owned(),
        name,
        packets,
    };
    let mut rows: Vec<PacketEngineRow> =
        counts.counters.into_iter().map(|(name, packets)| row("counter", "", "", name, packets)).collect();
    for table in counts.tables {
        let stage = table.stage.to_string();
        for (entry, packets) in table.entries.iter().enumerate() {
            rows.push(row("entry", &stage, &table.table, entry.to_string(), *packets));
        }
        rows.push(row("missed", &stage, &table.table, String::new(), table.misses));
    }
    for ((stage, table, cause), packets) in counts.denied {
        rows.push(row("denied", &stage.to_string(), &table, cause, packets));
    }
    rows
}

fn row(topology: &Topology, number: u32, fault: &Fault, ended: Option<u64>, cost: Cost) -> FaultRow {
    FaultRow {
        fault: number,
        began: fault.start,
        ended: ended.map(Picoseconds),
        kind: kind_name(fault),
        element: element_name(topology, fault.target),
        packets_discarded: cost.packets,
        bytes_discarded: Bytes(cost.bytes),
        frames_replayed: cost.frames,
        felt_until: (cost != Cost::default()).then_some(Picoseconds(cost.last)),
    }
}

fn kind_name(fault: &Fault) -> String {
    match (fault.kind, fault.target) {
        (FaultKind::Down, FaultTarget::Link(_)) => "link_down".to_owned(),
        (FaultKind::Down, FaultTarget::Switch(_)) => "switch_down".to_owned(),
        (FaultKind::Down, FaultTarget::Nic(_)) => "nic_down".to_owned(),
        (FaultKind::Lanes(count), _) => format!("lanes_lost ({count})"),
        (FaultKind::Pause, _) => "nic_pause".to_owned(),
    }
}

fn element_name(topology: &Topology, target: FaultTarget) -> String {
    match target {
        FaultTarget::Link(port) => {
            let (switch, number) = (topology.switch_of(port), topology.port_of(port));
            let far_end = match topology.port(port).peer {
                PortPeer::Port(peer) => format!("switch {} port {}", topology.switch_of(peer), topology.port_of(peer)),
                PortPeer::Endpoint(endpoint) => format!("endpoint {endpoint}"),
                PortPeer::None => "nothing".to_owned(),
            };
            format!("switch {switch} port {number} – {far_end}")
        }
        FaultTarget::Switch(switch) => format!("switch {switch} of group {}", topology.group_of(switch)),
        FaultTarget::Nic(endpoint) => {
            let described = topology.endpoint(endpoint);
            format!("endpoint {endpoint} (node {} NIC {})", described.node, described.nic)
        }
    }
}

/// Adds the counts of links, and of discards, to the counters of ports and NICs.
pub fn count(counters: &mut Counters, partitions: &[Partition]) {
    for partition in partitions {
        for (end_slot, end) in partition.fault.ends.iter().enumerate() {
            let id = match end_slot.checked_sub(partition.switch.wires.len()) {
                None => CounterPlace::Port(PortIndex(partition.port_in(end_slot))),
                Some(nic) => CounterPlace::Nic(EndpointId(partition.layout.endpoint_base + nic as u32)),
            };
            for (name, value) in end.counters().rows().into_iter().filter(|(_, value)| *value > 0) {
                let name = CounterName::named(name).expect("every counter of a link has its name among all counters");
                counters.add_at(id, name, None, value);
            }
        }
        for ((port, cause), cost) in &partition.fault.losses.discards {
            counters.add_at(CounterPlace::Port(PortIndex(*port)), CounterName::Discarded(*cause), None, cost.packets);
        }
    }
}
