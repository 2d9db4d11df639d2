//! A fabric for other programs: Slurm's topology files, GraphML, and a table of what is wrong.

use crate::compare::{Comparison, End, Finding};
use crate::fabric::Fabric;
use crate::parts::FabricError;
use philae_topology::{GraphDescription, GraphEndpoint, GraphLink, Peer, PortRole, SystemDescription, Topology};
use philae_units::{GroupId, NodeId, PortIndex, SwitchId};
use std::collections::BTreeMap;

/// A level of Slurm's tree: a name, and what is below it.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Branch {
    name: String,
    below: Below,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Below {
    Nodes(String),
    Switches(String),
}

/// Names as Slurm's host lists have them: `n[001-003,7]` for names that end in numbers, commas between the rest.
#[must_use]
pub(crate) fn host_list(names: &[String]) -> String {
    // By what stands before the number, and by width where there are leading zeros: 007 is not 7.
    let mut numbered: BTreeMap<(&str, usize), Vec<u64>> = BTreeMap::new();
    let mut plain = Vec::new();
    for name in names {
        let digits = name.bytes().rev().take_while(u8::is_ascii_digit).count();
        let (prefix, number) = name.split_at(name.len() - digits);
        match number.parse::<u64>() {
            Ok(value) if digits <= 18 => {
                let width = if number.starts_with('0') && digits > 1 { digits } else { 0 };
                numbered.entry((prefix, width)).or_default().push(value);
            }
            _ => plain.push(name.clone()),
        }
    }
    for ((prefix, width), mut values) in numbered {
        values.sort_unstable();
        values.dedup();
        let mut ranges: Vec<(u64, u64)> = Vec::new();
        for value in values {
            match ranges.last_mut() {
                Some((_, last)) if *last + 1 == value => *last = value,
                _ => ranges.push((value, value)),
            }
        }
        let range = |(from, to): &(u64, u64)| {
            if from == to { format!("{from:0width$}") } else { format!("{from:0width$}-{to:0width$}") }
        };
        let list: Vec<String> = ranges.iter().map(range).collect();
        match &ranges[..] {
            [(from, to)] if from == to => plain.push(format!("{prefix}{}", list[0])),
            _ => plain.push(format!("{prefix}[{}]", list.join(","))),
        }
    }
    plain.join(",")
}

impl Fabric {
    /// What Slurm calls a node: its label where it has one, otherwise its xname.
    #[must_use]
    pub fn host_name(&self, node: NodeId) -> String {
        self.node_label(node).map_or_else(|| self.node_xname(node).to_string(), ToOwned::to_owned)
    }

    /// The tree that Slurm sees. Leaves are switches where every node has all its NICs on one switch; otherwise groups, because a
    /// node of Slurm's tree has one leaf. Above them are groups (of more than one), then one root.
    fn slurm_tree(&self) -> Vec<Branch> {
        let nodes: Vec<NodeId> = (0..self.node_count()).map(NodeId::from_index).collect();
        let switches = |node: NodeId| {
            self.nics_of(node).map(|nic| self.switch_of(self.nics()[nic as usize].port)).collect::<Vec<_>>()
        };
        let by_switch = nodes.iter().all(|&node| switches(node).windows(2).all(|pair| pair[0] == pair[1]));
        let mut leaves: BTreeMap<(GroupId, Option<SwitchId>), Vec<String>> = BTreeMap::new();
        for &node in &nodes {
            let Some(&switch) = switches(node).first() else { continue };
            let leaf = (self.switch(switch).group, by_switch.then_some(switch));
            leaves.entry(leaf).or_default().push(self.host_name(node));
        }
        let mut tree = Vec::new();
        let mut groups: BTreeMap<GroupId, Vec<String>> = BTreeMap::new();
        for ((group, switch), names) in leaves {
            let name = switch.map_or_else(|| format!("g{group}"), |switch| self.switch_xname(switch).to_string());
            tree.push(Branch { name: name.clone(), below: Below::Nodes(host_list(&names)) });
            groups.entry(group).or_default().push(name);
        }
        let several = groups.len() > 1;
        let mut top = Vec::new();
        for (group, names) in groups {
            if by_switch && several {
                let name = format!("g{group}");
                tree.push(Branch { name: name.clone(), below: Below::Switches(host_list(&names)) });
                top.push(name);
            } else {
                top.extend(names);
            }
        }
        if top.len() > 1 {
            tree.push(Branch { name: "root".to_owned(), below: Below::Switches(host_list(&top)) });
        }
        tree
    }

    /// Slurm's `topology.conf` for the plugin `topology/tree`.
    #[must_use]
    pub fn to_slurm_conf(&self) -> String {
        let mut out = format!("# {}\n", self.name().replace(['\n', '\r'], " "));
        for branch in self.slurm_tree() {
            let (key, list) = match &branch.below {
                Below::Nodes(list) => ("Nodes", list),
                Below::Switches(list) => ("Switches", list),
            };
            out += &format!("SwitchName={} {key}={list}\n", branch.name);
        }
        out
    }

    /// Slurm's `topology.yaml` (25.05 and later), one tree.
    #[must_use]
    pub fn to_slurm_yaml(&self) -> String {
        let mut out = String::from("---\n- topology: fabric\n  cluster_default: true\n  tree:\n    switches:\n");
        for branch in self.slurm_tree() {
            let (key, list) = match &branch.below {
                Below::Nodes(list) => ("nodes", list),
                Below::Switches(list) => ("children", list),
            };
            out += &format!("      - switch: {}\n        {key}: \"{list}\"\n", branch.name);
        }
        out
    }

    /// The wiring as a system that the simulator runs: a graph, with the same numbers of switches, ports and NICs. Groups,
    /// names and media are not part of it.
    #[must_use]
    pub fn to_description(&self) -> SystemDescription {
        let metres = |port: PortIndex| self.cable(port).map(|cable| f64::from(cable.length_mm) / 1e3);
        let rate = |port: PortIndex| self.cable(port).map(|cable| cable.rate.as_gbps_f64());
        let mut graph = GraphDescription::regular(self.switch_count() as u32, 0, &[]);
        for port in (0..self.port_count()).map(|port| PortIndex(port as u32)) {
            if let Peer::Port(other) = self.port(port).peer
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
        // Nodes without NICs are not part of a graph: the others close up.
        let (mut node, mut before) = (0, None);
        for nic in self.nics() {
            if before.is_some_and(|before| before != nic.node) {
                node += 1;
            }
            before = Some(nic.node);
            graph.endpoints.push(GraphEndpoint {
                switch: self.switch_of(nic.port).0,
                port: Some(self.number_of(nic.port).0),
                node: Some(node),
                rate_gbps: rate(nic.port),
                length_m: metres(nic.port),
                medium: self.cable(nic.port).map(|cable| cable.medium),
            });
        }
        let mut system = SystemDescription::from(graph);
        self.name().clone_into(&mut system.name);
        system.radix = self.radix();
        system
    }

    /// The wiring as GraphML, as [`Topology::to_graphml`] writes it.
    ///
    /// # Errors
    /// [`FabricError::Topology`]: not connected, or more switches than a graph may have.
    pub fn to_graphml(&self) -> Result<String, FabricError> {
        let system = self.to_description();
        Ok(Topology::build(&system)?.to_graphml(&system))
    }

    /// What a comparison found, as a table: one row for each finding, ports by both of their names.
    ///
    /// # Panics
    /// Never: it writes to memory.
    #[must_use]
    pub fn findings_csv(&self, comparison: &Comparison) -> String {
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
                Finding::Missing { expected, .. } => (name(Some(*expected)), String::new()),
                Finding::Wrong { expected, found, .. } => (name(Some(*expected)), name(Some(*found))),
                Finding::Extra { found, .. } => (String::new(), name(Some(*found))),
                Finding::Unknown { expected, found, .. } => (name(*expected), found.clone()),
                Finding::Exchanged { ends, .. } => {
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
