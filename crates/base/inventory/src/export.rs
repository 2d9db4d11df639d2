//! Exports of a fabric for other programs: a system of the simulator, GraphML, and a table of
//! differences.

use crate::compare::{End, FabricComparison, PlanDifference};
use crate::fabric::PlannedFabric;
use crate::parts::InventoryError;
use philae_topology::{
    GraphDescription, GraphEndpoint, GraphLabels, GraphLink, PortPeer, PortRole, SystemDescription, Topology,
};
use philae_units::{EndpointId, PortIndex, SwitchId};
use std::collections::BTreeSet;

impl PlannedFabric {
    /// The wiring as a system that the simulator runs: a graph with the same numbers of switches,
    /// ports and NICs. It has no groups, names and media.
    #[must_use]
    pub fn to_description(&self) -> SystemDescription {
        let metres = |port: PortIndex| self.cable(port).map(|cable| f64::from(cable.length_mm) / 1e3);
        let rate = |port: PortIndex| self.cable(port).map(|cable| cable.rate.as_gbps_f64());
        let mut graph = GraphDescription::regular(self.switch_count() as u32, 0, &[]);
        for port in (0..self.port_count()).map(|port| PortIndex(port as u32)) {
            if let PortPeer::Port(other) = self.port(port).peer
                && port < other
            {
                let mut link = GraphLink::new(self.switch_of(port).0, self.switch_of(other).0);
                link.ports = Some([self.number_of(port).0, self.number_of(other).0]);
                link.length_m = metres(port);
                link.rate_gbps = rate(port);
                link.medium = self.cable(port).map(|cable| cable.medium);
                link.global = self.port(port).role == PortRole::Global;
                graph.links.push(link);
            }
        }
        // A graph has no nodes without NICs; the numbers of the others close the gaps.
        let (mut node, mut before) = (0, None);
        let text = |label: Option<&str>| label.unwrap_or_default().to_owned();
        let mut labels = GraphLabels {
            switches: (0..self.switch_count()).map(|id| text(self.switch_label(SwitchId::from_index(id)))).collect(),
            groups: self.switches().iter().map(|switch| switch.group.0).collect(),
            ..GraphLabels::default()
        };
        if labels.groups.iter().all(|group| *group == labels.groups[0]) {
            labels.groups.clear();
        }
        for nic in self.nics() {
            if before.is_some_and(|before| before != nic.node) {
                node += 1;
            }
            if before != Some(nic.node) {
                labels.nodes.push(text(self.node_label(nic.node)));
            }
            before = Some(nic.node);
            labels.nics.push(text(self.nic_label(EndpointId::from_index(labels.nics.len()))));
            graph.endpoints.push(GraphEndpoint {
                switch: self.switch_of(nic.port).0,
                port: Some(self.number_of(nic.port).0),
                node: Some(node),
                rate_gbps: rate(nic.port),
                length_m: metres(nic.port),
                medium: self.cable(nic.port).map(|cable| cable.medium),
            });
        }
        graph.fabrics = self.fabrics();
        let mut system = SystemDescription::from(graph);
        self.name().clone_into(&mut system.name);
        system.radix = self.radix();
        for texts in [&mut labels.switches, &mut labels.nodes, &mut labels.nics] {
            if texts.iter().all(String::is_empty) {
                texts.clear();
            }
        }
        system.labels = labels;
        system
    }

    /// The parts that share no switch, if nodes with a NIC in each join every two of them: those
    /// are fabrics of their own. Otherwise 1: parts without gateways are a fault of the wiring.
    #[must_use]
    pub fn fabrics(&self) -> u32 {
        let part = self.parts_of_switches();
        let count = part.iter().max().map_or(1, |last| last + 1);
        let mut joined = BTreeSet::new();
        for nics in self.nics().chunk_by(|one, other| one.node == other.node) {
            let parts: BTreeSet<u32> = nics.iter().map(|nic| part[self.switch_of(nic.port).index()]).collect();
            let later = |one: u32| parts.iter().filter(move |other| **other > one).map(move |other| (one, *other));
            joined.extend(parts.iter().flat_map(|one| later(*one)));
        }
        let pairs = u64::from(count) * u64::from(count - 1) / 2;
        if joined.len() as u64 == pairs { count } else { 1 }
    }

    /// The part of each switch: those of one reach each other by links.
    pub(crate) fn parts_of_switches(&self) -> Vec<u32> {
        let mut part = vec![u32::MAX; self.switch_count()];
        let (mut count, mut waiting) = (0, Vec::new());
        for first in 0..part.len() {
            if part[first] != u32::MAX {
                continue;
            }
            part[first] = count;
            waiting.push(SwitchId::from_index(first));
            while let Some(at) = waiting.pop() {
                for port in self.ports_of(at) {
                    let PortPeer::Port(other) = self.port(PortIndex(port)).peer else { continue };
                    let peer = self.switch_of(other);
                    if part[peer.index()] == u32::MAX {
                        part[peer.index()] = count;
                        waiting.push(peer);
                    }
                }
            }
            count += 1;
        }
        part
    }

    /// The wiring as GraphML, as [`Topology::to_graphml`] writes it.
    ///
    /// # Errors
    /// [`InventoryError::Topology`]: not connected, or more switches than a graph may have.
    pub fn to_graphml(&self) -> Result<String, InventoryError> {
        let system = self.to_description();
        Ok(Topology::build(&system)?.to_graphml(&system))
    }

    /// What GraphML cannot hold of the fabric's labels.
    ///
    /// # Errors
    /// As [`to_graphml`](Self::to_graphml).
    pub fn graphml_warnings(&self) -> Result<Vec<String>, InventoryError> {
        let system = self.to_description();
        Ok(Topology::build(&system)?.graphml_warnings(&system))
    }

    /// The findings of a comparison as a table: one row for each finding, with both names of each
    /// port.
    ///
    /// # Panics
    /// Never, because it writes to memory.
    #[must_use]
    pub fn findings_csv(&self, comparison: &FabricComparison) -> String {
        let expect = "memory takes every row";
        let mut writer = csv::Writer::from_writer(Vec::new());
        writer.write_record(["finding", "port", "asic_port", "group", "expected", "found", "text"]).expect(expect);
        let name = |end: Option<End>| end.map_or_else(String::new, |end| self.end_xname(end).to_string());
        for finding in &comparison.findings {
            let port = finding.port();
            let both =
                port.map(|port| (self.connector_port_xname(port).to_string(), self.link_xname(port).to_string()));
            let (by_jack, by_asic) = both.unwrap_or_default();
            let group = port.map_or_else(String::new, |port| self.switch(self.switch_of(port)).group.to_string());
            let (expected, found) = match finding {
                PlanDifference::Missing { expected, .. } => (name(Some(*expected)), String::new()),
                PlanDifference::Wrong { expected, found, .. } => (name(Some(*expected)), name(Some(*found))),
                PlanDifference::Extra { found, .. } => (String::new(), name(Some(*found))),
                PlanDifference::Unknown { expected, found, .. } => (name(*expected), found.clone()),
                PlanDifference::Exchanged { ends, .. } => {
                    let ends: Vec<String> = ends.iter().map(|end| name(Some(*end))).collect();
                    (String::new(), ends.join(" "))
                }
            };
            let text = self.describe_finding(finding);
            writer
                .write_record([finding.word().to_owned(), by_jack, by_asic, group, expected, found, text])
                .expect(expect);
        }
        String::from_utf8(writer.into_inner().expect(expect)).expect("text came in")
    }
}
