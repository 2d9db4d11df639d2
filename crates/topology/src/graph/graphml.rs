//! Reading GraphML, the exchange format of networkx, igraph and yEd.
//!
//! Nodes are switches unless their data `kind` is `endpoint` (or `host`); an endpoint has one edge, to its switch, and
//! may have data `node`: endpoints with the same text there are NICs of one node. Edges may have data `length_m`,
//! `rate_gbps`, `source_port`, `target_port` and `global`. Other data are ignored, since every tool adds its own.

use super::{GraphDescription, GraphEndpoint, GraphLink};
use crate::SystemDescription;
use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};
use std::collections::BTreeMap;

#[derive(Default)]
struct Element {
    /// "node" or "edge", with the attributes of interest.
    id: String,
    source: String,
    target: String,
    data: BTreeMap<String, String>,
}

/// Reads a GraphML document; the system takes the graph's id as its name and the defaults for everything else.
pub(crate) fn parse(text: &str) -> Result<SystemDescription, String> {
    let (name, nodes, edges) = read(text)?;
    let mut switches = BTreeMap::new();
    let mut endpoints = Vec::<(&Element, GraphEndpoint)>::new();
    let mut endpoint_at = BTreeMap::new();
    for node in &nodes {
        let known = match node.data.get("kind").map(String::as_str) {
            None | Some("switch") => switches.insert(node.id.as_str(), switches.len() as u32).is_some(),
            Some("endpoint" | "host") => {
                endpoints.push((node, GraphEndpoint::on(u32::MAX)));
                endpoint_at.insert(node.id.as_str(), endpoints.len() - 1).is_some()
            }
            Some(kind) => {
                return Err(format!("node '{}' is of kind '{kind}'; switch, endpoint or host would work", node.id));
            }
        };
        if known || (switches.contains_key(node.id.as_str()) && endpoint_at.contains_key(node.id.as_str())) {
            return Err(format!("two nodes have the id '{}'; different ids would work", node.id));
        }
    }
    let mut links = Vec::new();
    for (index, edge) in edges.iter().enumerate() {
        let (length_m, rate_gbps) = (number(edge, "length_m", index)?, number(edge, "rate_gbps", index)?);
        let ports = [number::<u8>(edge, "source_port", index)?, number::<u8>(edge, "target_port", index)?];
        match (switches.get(edge.source.as_str()), switches.get(edge.target.as_str())) {
            (Some(one), Some(other)) => {
                let ports = match ports {
                    [Some(one), Some(other)] => Some([one, other]),
                    [None, None] => None,
                    _ => {
                        return Err(format!(
                            "edge {index} has one of source_port and target_port; both or none would work"
                        ));
                    }
                };
                let global = edge.data.get("global").is_some_and(|global| global == "true" || global == "1");
                links.push(GraphLink { between: [*one, *other], ports, length_m, rate_gbps, global });
            }
            (Some(switch), None) | (None, Some(switch)) => {
                let at_source = switches.contains_key(edge.source.as_str());
                let far = if at_source { &edge.target } else { &edge.source };
                let missing =
                    || format!("edge {index} leads to '{far}', which is not a node; the id of a node would work");
                let (_, endpoint) = &mut endpoints[*endpoint_at.get(far.as_str()).ok_or_else(missing)?];
                if endpoint.switch != u32::MAX {
                    return Err(format!("endpoint '{far}' has two edges; one, to its switch, would work"));
                }
                let port = if at_source { ports[0] } else { ports[1] };
                *endpoint = GraphEndpoint { switch: *switch, port, node: None, rate_gbps, length_m };
            }
            (None, None) => {
                return Err(format!(
                    "edge {index} joins '{}' and '{}'; at least one switch would work",
                    edge.source, edge.target
                ));
            }
        }
    }
    if let Some((node, _)) = endpoints.iter().find(|(_, endpoint)| endpoint.switch == u32::MAX) {
        return Err(format!("endpoint '{}' has no edge; one, to its switch, would work", node.id));
    }
    let graph = GraphDescription {
        links,
        endpoints: in_order_of_node(endpoints),
        ..GraphDescription::regular(switches.len() as u32, 0, &[])
    };
    let mut system = SystemDescription::from(graph);
    if !name.is_empty() {
        system.name = name;
    }
    Ok(system)
}

/// Endpoints of a node together, nodes in the order in which they first appear.
fn in_order_of_node(endpoints: Vec<(&Element, GraphEndpoint)>) -> Vec<GraphEndpoint> {
    let mut number_of = BTreeMap::new();
    let mut count = 0;
    let mut numbered = Vec::new();
    for (element, endpoint) in endpoints {
        let mut fresh = || {
            count += 1;
            count - 1
        };
        let node = match element.data.get("node") {
            Some(name) => *number_of.entry(name.as_str()).or_insert_with(fresh),
            None => fresh(),
        };
        numbered.push(GraphEndpoint { node: Some(node), ..endpoint });
    }
    numbered.sort_by_key(|endpoint| endpoint.node);
    numbered
}

fn number<T: std::str::FromStr>(edge: &Element, key: &str, index: usize) -> Result<Option<T>, String> {
    let Some(text) = edge.data.get(key) else { return Ok(None) };
    text.trim()
        .parse()
        .map(Some)
        .map_err(|_| format!("{key} of edge {index} is '{text}'; a number in range would work"))
}

/// Name of the graph, its nodes, its edges.
fn read(text: &str) -> Result<(String, Vec<Element>, Vec<Element>), String> {
    let mut reader = Reader::from_str(text);
    let (mut name, mut nodes, mut edges) = (String::new(), Vec::new(), Vec::new());
    // GraphML names data by ids that keys declare: id to name.
    let mut keys = BTreeMap::<String, String>::new();
    let mut open: Option<Element> = None;
    let mut data: Option<(String, String)> = None;
    let mut seen = false;
    loop {
        let at = reader.buffer_position();
        let wrong = |error: &dyn std::fmt::Display| format!("byte {at}: {error}");
        let event = reader.read_event().map_err(|error| wrong(&error))?;
        let empty = matches!(event, Event::Empty(_));
        match event {
            Event::Eof => break,
            Event::Start(tag) | Event::Empty(tag) => {
                let get = |name: &str| attribute(&tag, name).map_err(|error| wrong(&error));
                match tag.local_name().as_ref() {
                    b"graphml" => seen = true,
                    b"graph" => name = get("id")?,
                    b"key" => {
                        let (id, named) = (get("id")?, get("attr.name")?);
                        keys.insert(id.clone(), if named.is_empty() { id } else { named });
                    }
                    kind @ (b"node" | b"edge") => {
                        let element = Element {
                            id: get("id")?,
                            source: get("source")?,
                            target: get("target")?,
                            data: BTreeMap::new(),
                        };
                        if empty {
                            if kind == b"node" { &mut nodes } else { &mut edges }.push(element);
                        } else {
                            open = Some(element);
                        }
                    }
                    b"data" if !empty => {
                        let id = get("key")?;
                        data = Some((keys.get(&id).cloned().unwrap_or(id), String::new()));
                    }
                    _ => {}
                }
            }
            Event::Text(text) => {
                if let Some((_, value)) = &mut data {
                    value.push_str(text.decode().map_err(|error| wrong(&error))?.trim());
                }
            }
            Event::End(tag) => match tag.local_name().as_ref() {
                b"data" => {
                    if let (Some((key, value)), Some(element)) = (data.take(), &mut open) {
                        element.data.insert(key, value);
                    }
                }
                b"node" => nodes.extend(open.take()),
                b"edge" => edges.extend(open.take()),
                _ => {}
            },
            _ => {}
        }
    }
    if seen {
        Ok((name, nodes, edges))
    } else {
        Err("it has no <graphml> element; a GraphML document would work".to_owned())
    }
}

/// The value of an attribute; empty where it is absent.
fn attribute(tag: &BytesStart<'_>, name: &str) -> Result<String, String> {
    match tag.try_get_attribute(name).map_err(|error| error.to_string())? {
        Some(found) => found.unescape_value().map(String::from).map_err(|error| error.to_string()),
        None => Ok(String::new()),
    }
}
