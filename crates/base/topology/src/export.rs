//! Writing a built topology as a graph: GraphML and the node-link JSON of networkx.
//!
//! Nodes are `switch-3` and `endpoint-7`, edges are links, with the data that the readers use. The
//! export reads back as a system of the same wiring, switch, NIC and law. Groups and service nodes
//! are not part of a graph: the group of a switch is written only for people. A missing value has
//! no data, because networkx cannot write a null. XML has no control characters: labels with them
//! are changed, with a warning.

use crate::graph::GRAPH_SWITCHES_MAX;
use crate::graph::value::{is_missing, number};
use crate::{CarriedLabels, GraphLabels, PortPeer, PortRole, SystemDescription, Topology, TopologyShape};
use philae_units::{EndpointId, PortIndex, SwitchId, counted};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::fmt::Write;

/// One link: the port of its switch that has the lower number, and the device at the other end.
struct Edge {
    port: PortIndex,
    source: String,
    target: String,
    target_port: Option<u8>,
}

fn edges(topology: &Topology) -> impl Iterator<Item = Edge> + '_ {
    (0..topology.switch_count()).map(SwitchId::from_index).flat_map(move |switch| {
        topology.ports_of(switch).filter_map(move |(port, found)| {
            let (target, target_port) = match found.peer {
                PortPeer::Endpoint(endpoint) => (format!("endpoint-{}", endpoint.0), None),
                PortPeer::Port(other) if port < other => {
                    (format!("switch-{}", topology.switch_of(other).0), Some(topology.port_of(other).0))
                }
                PortPeer::Port(_) | PortPeer::None => return None,
            };
            Some(Edge { port, source: format!("switch-{}", switch.0), target, target_port })
        })
    })
}

impl Topology {
    /// Data of the whole graph: name, type in GraphML, value.
    fn of_whole(&self, system: &SystemDescription) -> Vec<(&'static str, &'static str, Value)> {
        let mut data = vec![
            ("name", "string", json!(self.name())),
            ("summary", "string", json!(system.summary)),
            ("switch", "string", json!(system.switch)),
            ("nic", "string", json!(system.nic)),
            ("congestion", "string", json!(system.congestion)),
            ("radix", "int", json!(self.radix())),
        ];
        if let TopologyShape::Graph(graph) = self.shape() {
            let last = (0..self.switch_count()).map(|switch| graph.fabric(SwitchId::from_index(switch))).max();
            let fabrics = last.map_or(1, |last| u32::from(last) + 1);
            if fabrics > 1 {
                data.push(("fabrics", "int", json!(fabrics)));
            }
        }
        data.retain(|(_, _, value)| value != "");
        data
    }

    /// A sentence for those who write this system as a graph, if it has more switches than a graph
    /// may have that is read.
    #[must_use]
    pub fn graph_limit(&self) -> Option<String> {
        let (switches, most) = (self.switch_count(), GRAPH_SWITCHES_MAX);
        (switches > most as usize).then(|| {
            let switches = counted(switches, "switch");
            format!("the graph has {switches}, and Philae reads graphs of up to {most}: other programs can use it")
        })
    }

    /// Labels that GraphML cannot hold, in sentences.
    #[must_use]
    pub fn graphml_warnings(&self, system: &SystemDescription) -> Vec<String> {
        let labels = XmlLabels::of(self, system);
        [labels.switches, labels.ends].iter().flat_map(|labels| labels.warnings("GraphML")).collect()
    }

    /// The wiring of this system as GraphML, which networkx, igraph, Gephi, yEd and Philae itself
    /// read.
    #[must_use]
    pub fn to_graphml(&self, system: &SystemDescription) -> String {
        let mut out = String::from(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n",
        );
        let whole = self.of_whole(system);
        let labels = XmlLabels::of(self, system);
        let nodes = node_names(system);
        let of_node = if nodes.iter().all(Option::is_none) { "int" } else { "string" };
        let of_whole = whole.iter().map(|(name, kind, _)| (*name, "graph", *kind));
        for (name, of, kind) in of_whole.chain([
            ("kind", "node", "string"),
            ("label", "node", "string"),
            ("node", "node", of_node),
            ("group", "node", "int"),
            ("length_m", "edge", "double"),
            ("rate_gbps", "edge", "double"),
            ("source_port", "edge", "int"),
            ("target_port", "edge", "int"),
            ("global", "edge", "boolean"),
            ("medium", "edge", "string"),
        ]) {
            if name == "label" && system.labels.is_unnamed() {
                continue;
            }
            // Ids share one name space of all keys: `node` of a graph and of a node would be the
            // same.
            let id = if of == "graph" { format!("graph_{name}") } else { name.to_owned() };
            let _ = writeln!(out, "  <key id=\"{id}\" for=\"{of}\" attr.name=\"{name}\" attr.type=\"{kind}\"/>");
        }
        let _ = writeln!(out, "  <graph id=\"{}\" edgedefault=\"undirected\">", escaped(self.name()));
        for (name, _, value) in whole {
            let text = value.as_str().map_or_else(|| value.to_string(), escaped);
            let _ = writeln!(out, "    {}", data(&format!("graph_{name}"), &text));
        }
        for switch in (0..self.switch_count()).map(SwitchId::from_index) {
            let group = group(self, system, switch);
            let label = labels.switches.get(switch.index()).map(|label| data("label", &escaped(label)));
            let data = data("kind", "switch") + &data("group", &group.to_string()) + &label.unwrap_or_default();
            let _ = writeln!(out, "    <node id=\"switch-{}\">{data}</node>", switch.0);
        }
        for endpoint in (0..self.endpoint_count()).map(EndpointId::from_index) {
            let node = self.endpoint(endpoint).node.0;
            let label = labels.ends.get(endpoint.index()).map(|label| data("label", &escaped(label)));
            let name = nodes.get(node as usize).copied().flatten().map_or_else(|| node.to_string(), escaped);
            let data = data("kind", "endpoint") + &data("node", &name) + &label.unwrap_or_default();
            let _ = writeln!(out, "    <node id=\"endpoint-{}\">{data}</node>", endpoint.0);
        }
        for edge in edges(self) {
            let cable = self.cable(edge.port);
            let mut all = data("length_m", &(f64::from(cable.length_mm) / 1e3).to_string());
            all += &data("rate_gbps", &cable.rate.as_gbps_f64().to_string());
            all += &data("source_port", &self.port_of(edge.port).0.to_string());
            if let Some(port) = edge.target_port {
                all += &data("target_port", &port.to_string());
            }
            if self.port(edge.port).role == PortRole::Global {
                all += &data("global", "true");
            }
            all += &data("medium", cable.medium.name());
            let _ = writeln!(out, "    <edge source=\"{}\" target=\"{}\">{all}</edge>", edge.source, edge.target);
        }
        out + "  </graph>\n</graphml>\n"
    }

    /// The wiring as the node-link JSON of networkx
    /// (`networkx.node_link_graph(data, edges="links")`).
    #[must_use]
    pub fn to_node_link(&self, system: &SystemDescription) -> Value {
        let switches = (0..self.switch_count()).map(SwitchId::from_index).map(|switch| {
            let group = group(self, system, switch);
            let mut node = json!({ "id": format!("switch-{}", switch.0), "kind": "switch", "group": group });
            if let Some(label) = called(&system.labels.switches, switch.index()) {
                node["label"] = json!(label);
            }
            node
        });
        let nodes = node_names(system);
        let endpoints = (0..self.endpoint_count()).map(EndpointId::from_index).map(|endpoint| {
            let found = self.endpoint(endpoint);
            let id = format!("endpoint-{}", endpoint.0);
            let of = nodes
                .get(found.node.index())
                .copied()
                .flatten()
                .map_or_else(|| json!(found.node.0), |name| json!(name));
            let mut node = json!({ "id": id, "kind": "endpoint", "node": of, "nic": found.nic });
            if let Some(label) = of_end(system, endpoint, found.node.0) {
                node["label"] = json!(label);
            }
            node
        });
        let links = edges(self).map(|edge| {
            let cable = self.cable(edge.port);
            let port = self.port_of(edge.port).0;
            let mut link = json!({
                "source": edge.source,
                "target": edge.target,
                "key": port,
                "source_port": port,
                "role": self.port(edge.port).role.name(),
                "medium": cable.medium.name(),
                "length_m": f64::from(cable.length_mm) / 1e3,
                "rate_gbps": cable.rate.as_gbps_f64(),
            });
            if let Some(port) = edge.target_port {
                link["target_port"] = json!(port);
            }
            link
        });
        // Several links may join two switches, which only a multigraph distinguishes.
        json!({
            "directed": false,
            "multigraph": true,
            "graph": self.of_whole(system).into_iter().map(|(name, _, value)| (name.to_owned(), value)).collect::<Map<_, _>>(),
            "nodes": switches.chain(endpoints).collect::<Vec<_>>(),
            "links": links.collect::<Vec<_>>(),
        })
    }
}

/// The name at a place of a list, if there is one.
fn called(labels: &[String], at: usize) -> Option<&String> {
    labels.get(at).filter(|label| !label.is_empty())
}

/// The name of a NIC, or otherwise of its node.
fn of_end(system: &SystemDescription, endpoint: EndpointId, node: u32) -> Option<&String> {
    called(&system.labels.nics, endpoint.index()).or_else(|| called(&system.labels.nodes, node as usize))
}

/// The group of a switch: its own, or the one that the file of a graph names.
fn group(topology: &Topology, system: &SystemDescription, switch: SwitchId) -> u32 {
    system.labels.groups.get(switch.index()).copied().unwrap_or_else(|| topology.group_of(switch).0)
}

/// The name of each node that its NICs do not show, because they have names of their own. Numbers
/// and names of several nodes would be read otherwise.
fn node_names(system: &SystemDescription) -> Vec<Option<&str>> {
    let GraphLabels { nodes, nics, .. } = &system.labels;
    if nics.is_empty() {
        return Vec::new();
    }
    let mut count: BTreeMap<&str, u32> = BTreeMap::new();
    nodes.iter().for_each(|name| *count.entry(name).or_default() += 1);
    let is_name =
        |name: &str| count.get(name) == Some(&1) && !is_missing(name) && number(name).is_none() && in_xml(name) == name;
    nodes.iter().map(|name| Some(name.as_str()).filter(|name| is_name(name))).collect()
}

/// The labels of switches and endpoints as XML has them.
struct XmlLabels {
    switches: CarriedLabels,
    ends: CarriedLabels,
}

impl XmlLabels {
    fn of(topology: &Topology, system: &SystemDescription) -> Self {
        let ends = (0..topology.endpoint_count())
            .map(EndpointId::from_index)
            .map(|endpoint| of_end(system, endpoint, topology.endpoint(endpoint).node.0).map_or("", String::as_str));
        let switches = system.labels.switches.iter().map(String::as_str);
        Self { switches: CarriedLabels::new(switches, in_xml), ends: CarriedLabels::new(ends, in_xml) }
    }
}

/// A text as XML can hold it: control characters become blanks.
///
/// Source: XML 1.0, production Char; its readers change line ends (2.11). Status: published.
fn in_xml(text: &str) -> String {
    let is_none = |letter: char| letter.is_control() || ['\u{fffe}', '\u{ffff}'].contains(&letter);
    text.replace(is_none, " ").trim().to_owned()
}

fn data(key: &str, value: &str) -> String {
    format!("<data key=\"{key}\">{value}</data>")
}

fn escaped(text: &str) -> String {
    in_xml(text).replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
