//! Converts a graph of another tool to a system.
//!
//! Nodes are switches unless their data `kind` is `endpoint` (or `host`). An endpoint has one edge,
//! to its switch, and may have data `node`: endpoints with the same text there are NICs of one
//! node. docs/simulate/scenario.md lists the data that is used. The system's warnings name all
//! other data, and `assumed` has what the file leaves open.

use super::directed::{Directions, pair};
use super::document::{DataOwner, GraphmlDocument, GraphmlNode, NamedData};
use super::json;
use super::{GraphDescription, GraphEndpoint, GraphLabels, GraphLink, gexf, graphml, node_link, unused, value};
use crate::cable::{LENGTHS_M, RATES_GBPS};
use crate::{Assumed, Medium, SystemDescription};
use philae_units::counted;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::RangeInclusive;
use std::rc::Rc;

/// An edge with known ends: places in the list of nodes.
#[derive(Debug)]
pub(super) struct JoinedEdge {
    /// Place in the file, from 0.
    pub index: usize,
    pub ends: [usize; 2],
    pub directed: bool,
    pub data: NamedData,
}

/// A node of the file, once its kind is known.
#[derive(Clone, Copy, Debug)]
enum Kind {
    /// Number of the switch.
    Switch(u32),
    /// Place in the list of endpoints.
    Endpoint(usize),
}

/// An endpoint before it is part of a description.
struct Found {
    id: String,
    label: String,
    node: Option<String>,
    /// Its place among the NICs of the node.
    nic: Option<u32>,
    /// The edge to its switch.
    at: Option<GraphEndpoint>,
}

/// Reads GraphML, or GEXF if the document is one.
///
/// # Errors
/// The error, its place, and what would work.
pub(crate) fn from_xml(text: &str) -> Result<SystemDescription, String> {
    system(if is_gexf(text) { gexf::read(text)? } else { graphml::read(text)? })
}

/// Whether an XML document is GEXF: its first element has this name.
pub(crate) fn is_gexf(text: &str) -> bool {
    let names = text.split('<').map(|part| part.split(|letter: char| letter.is_whitespace() || letter == '>'));
    let first =
        names.filter_map(|mut words| words.next()).find(|name| !name.is_empty() && !name.starts_with(['?', '!']));
    first.is_some_and(|name| name.rsplit(':').next() == Some("gexf"))
}

/// Reads node-link JSON; `None` if the document is something else.
///
/// # Errors
/// As [`from_xml`].
pub(crate) fn from_json(text: &str) -> Option<Result<SystemDescription, String>> {
    let value = match json::read(text) {
        Ok(value) => value,
        // A description of ours says itself what is wrong with it.
        Err(error) => return is_like_node_link(text).then_some(Err(error)),
    };
    if let Some(form) = node_link::other_form(&value) {
        return Some(Err(format!("it is {form}")));
    }
    node_link::is_one(&value).then(|| node_link::read(value).and_then(system))
}

/// Whether a text that is no JSON was meant to be a graph: it names lists of nodes and edges.
fn is_like_node_link(text: &str) -> bool {
    text.contains("\"nodes\"") && ["\"edges\"", "\"links\""].iter().any(|key| text.contains(key))
}

/// Takes data out of elements, with the defaults of the file.
struct Taker<'d> {
    defaults: &'d BTreeMap<DataOwner, NamedData>,
    used: BTreeSet<(DataOwner, &'static str)>,
}

impl Taker<'_> {
    fn text(&mut self, domain: DataOwner, data: &mut NamedData, name: &'static str) -> Option<String> {
        let own = data.remove(name);
        let default = self.defaults.get(&domain).and_then(|defaults| defaults.get(name));
        if default.is_some() {
            self.used.insert((domain, name));
        }
        own.or_else(|| default.cloned()).filter(|text| !value::is_missing(text))
    }

    fn read<T>(
        &mut self,
        of: (DataOwner, &mut NamedData),
        name: &'static str,
        place: &dyn Fn() -> String,
        (read, works): (impl Fn(&str) -> Option<T>, &str),
    ) -> Result<Option<T>, String> {
        let Some(text) = self.text(of.0, of.1, name) else { return Ok(None) };
        let wrong = || format!("{name} of {} is '{text}'; {works} would work", place());
        read(&text).map(Some).ok_or_else(wrong)
    }
}

fn small<T: TryFrom<u64>>(text: &str) -> Option<T> {
    value::whole(text).and_then(|number| T::try_from(number).ok())
}

fn medium(text: &str) -> Option<Medium> {
    [Medium::Backplane, Medium::Copper, Medium::Optical].into_iter().find(|medium| medium.name() == text.to_lowercase())
}

fn system(mut document: GraphmlDocument) -> Result<SystemDescription, String> {
    let defaults = std::mem::take(&mut document.defaults);
    let mut taker = Taker { defaults: &defaults, used: BTreeSet::new() };
    let mut system = of_graph(&mut document, &mut taker)?;
    let mut nodes = std::mem::take(&mut document.nodes);
    let Sorted { kinds, place_of, mut endpoints, mut counts, labels, .. } = sorted(&mut nodes, &mut taker)?;
    let groups = groups(&nodes, &kinds, &defaults);
    let (mut edges, directions) = joined(&mut document, &place_of, &nodes)?;
    let parallel = if document.is_simple { parallel_edges(&edges, &nodes) } else { None };
    let mut links = Vec::new();
    let (mut silent, mut ends) = (Silent::default(), EndpointLinks::default());
    for edge in &mut edges {
        let link = link(edge, &kinds, &mut taker)?;
        match edge.ends.map(|end| kinds[end]) {
            [Kind::Switch(one), Kind::Switch(other)] => {
                let ports = match link.ports {
                    [Some(one), Some(other)] => Some([one, other]),
                    [None, None] => None,
                    _ => {
                        let found = format!("edge {} has one of source_port and target_port", edge.index);
                        return Err(format!("{found}; both or none would work"));
                    }
                };
                silent.link(&link);
                let Link { length_m, rate_gbps, medium, global, .. } = link;
                links.push(GraphLink { between: [one, other], ports, length_m, rate_gbps, medium, global });
            }
            [Kind::Switch(switch), Kind::Endpoint(at)] | [Kind::Endpoint(at), Kind::Switch(switch)] => {
                let at_target = matches!(kinds[edge.ends[0]], Kind::Endpoint(_));
                ends.ports += usize::from(link.ports[usize::from(!at_target)].is_some());
                ends.global += usize::from(link.global);
                let port = link.ports[usize::from(at_target)];
                silent.edge(&link);
                let found = GraphEndpoint {
                    switch,
                    port,
                    node: None,
                    rate_gbps: link.rate_gbps,
                    length_m: link.length_m,
                    medium: link.medium,
                };
                if endpoints[at].at.replace(found).is_some() {
                    let id = &endpoints[at].id;
                    return Err(format!(
                        "endpoint '{id}' has two edges; one, to its switch, would work (a node with several NICs is several \
                         endpoints with the same data `node`)"
                    ));
                }
            }
            [Kind::Endpoint(_), Kind::Endpoint(_)] => {
                let [source, target] = edge.ends.map(|end| &nodes[end].id);
                return Err(format!(
                    "edge {} joins '{source}' and '{target}', two endpoints; at least one switch would work",
                    edge.index
                ));
            }
        }
    }
    let graph = system.graph.as_mut().expect("a graph was begun");
    graph.switches = counts.len() as u32;
    graph.links = links;
    agree(&endpoints, &mut counts, |switch| {
        let place = kinds.iter().position(|kind| matches!(kind, Kind::Switch(number) if *number as usize == switch));
        place.map_or("", |place| &nodes[place].id)
    })?;
    let (endpoints, nics, named) = in_order_of_node(endpoints)?;
    graph.endpoints = endpoints;
    expand(graph, &counts);
    let mut shared = Vec::new();
    shared.extend(shared_labels(&labels, "switches"));
    shared.extend(shared_labels(&named, "nodes"));
    let mut labels =
        GraphLabels { switches: each_once(labels), nodes: each_once(named), nics: each_once(nics), groups };
    // Endpoints given only by a count have no names.
    let first = labels.nics.len().max(labels.nodes.len());
    if first > 0 {
        let more = graph.endpoints.len() - graph.endpoints.iter().filter(|endpoint| endpoint.node.is_some()).count();
        for texts in [&mut labels.nics, &mut labels.nodes].into_iter().filter(|texts| !texts.is_empty()) {
            texts.resize(texts.len() + more, String::new());
        }
    }
    system.assumed.extend(silent.assumed(graph));
    system.labels = labels;
    let of = |domain| move |(name, text)| (domain, name, text);
    let left = nodes.iter().flat_map(|node| node.data.iter().map(of(DataOwner::Node)));
    let left = left.chain(edges.iter().flat_map(|edge| edge.data.iter().map(of(DataOwner::Edge))));
    for (domain, name, _) in left.filter(|(.., text)| !value::is_missing(text)) {
        *document.unused.entry((domain, Rc::clone(name))).or_default() += 1;
    }
    let given = defaults.iter().flat_map(|(domain, defaults)| defaults.iter().map(of(*domain)));
    for (domain, name, _) in
        given.filter(|(domain, name, text)| !value::is_missing(text) && !taker.used.contains(&(*domain, &***name)))
    {
        document.unused.entry((domain, Rc::clone(name))).or_default();
    }
    if system.labels.groups.is_empty() {
        document.unused.retain(|(domain, name), _| (*domain, &**name) != (DataOwner::Node, "group"));
    }
    system.warnings.extend(shared);
    system.warnings.extend(directed(&directions));
    system.warnings.extend(parallel);
    system.warnings.extend(ends.sentences());
    system.warnings.extend(unused::sentences(&document));
    Ok(system)
}

/// The nodes of a file by kind.
#[derive(Default)]
struct Sorted {
    /// In the order of the file.
    kinds: Vec<Kind>,
    /// Place in the file by id.
    place_of: BTreeMap<String, usize>,
    endpoints: Vec<Found>,
    /// The endpoint that is this NIC of this node.
    nics: BTreeMap<(String, u32), String>,
    /// The count of endpoints of each switch.
    counts: Vec<Option<u32>>,
    /// The tool's name of each switch.
    labels: Vec<String>,
}

/// The tool's name of a node: its data `label` or `name`, or else its id, unless that is a number
/// of the tool's own. igraph replaces the ids, and keeps those that it read as data `id`.
fn label(taker: &mut Taker<'_>, node: &mut GraphmlNode) -> String {
    let [label, name] = ["label", "name"].map(|key| taker.text(DataOwner::Node, &mut node.data, key));
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let is_own = |id: &str| {
        ["", "n", "switch-", "endpoint-"].iter().any(|before| id.strip_prefix(before).is_some_and(is_number))
    };
    let read = taker.text(DataOwner::Node, &mut node.data, "id");
    let id = [Some(&node.id), read.as_ref()].into_iter().flatten().map(|id| id.trim()).find(|id| !is_own(id));
    let text = label.or(name).unwrap_or_else(|| id.unwrap_or_default().to_owned());
    text.trim().to_owned()
}

/// The group of each switch, numbered as they appear; an empty list if there is only one.
fn groups(nodes: &[GraphmlNode], kinds: &[Kind], defaults: &BTreeMap<DataOwner, NamedData>) -> Vec<u32> {
    let default = defaults.get(&DataOwner::Node).and_then(|defaults| defaults.get("group"));
    let mut number_of: BTreeMap<String, u32> = BTreeMap::new();
    let switches = nodes.iter().zip(kinds).filter(|(_, kind)| matches!(kind, Kind::Switch(_)));
    let mut group = |node: &GraphmlNode| {
        let text = node.data.get("group").or(default).map_or("", |text| text.trim());
        // `1` and `1.0` are the same group.
        let text = value::whole(text).map_or_else(|| text.to_owned(), |number| number.to_string());
        let next = number_of.len() as u32;
        *number_of.entry(text).or_insert(next)
    };
    let groups: Vec<u32> = switches.map(|(node, _)| group(node)).collect();
    if number_of.len() > 1 { groups } else { Vec::new() }
}

/// A sentence about labels that several parts have: they name none of these.
fn shared_labels(labels: &[String], many: &str) -> Option<String> {
    let mut count: BTreeMap<&str, usize> = BTreeMap::new();
    labels.iter().filter(|label| !label.is_empty()).for_each(|label| *count.entry(label).or_default() += 1);
    count.retain(|_, count| *count > 1);
    let (first, parts) = count.first_key_value()?;
    Some(if count.len() == 1 {
        format!("{parts} {many} have the label '{first}': it is not used, and their usual names are")
    } else {
        let all: usize = count.values().sum();
        let more = counted(count.len() - 1, "more label");
        format!("{all} {many} share the label '{first}' or one of {more}: these are not used, and usual names are")
    })
}

/// The texts that occur once; an empty list if none is left.
fn each_once(mut texts: Vec<String>) -> Vec<String> {
    let mut count: BTreeMap<String, usize> = BTreeMap::new();
    texts.iter().for_each(|text| *count.entry(text.clone()).or_default() += 1);
    texts.iter_mut().filter(|text| count[text.as_str()] > 1).for_each(String::clear);
    if texts.iter().all(String::is_empty) { Vec::new() } else { texts }
}

fn sorted(nodes: &mut [GraphmlNode], taker: &mut Taker<'_>) -> Result<Sorted, String> {
    /// A switch has at most this many ports.
    const ENDPOINTS_MAX: u64 = 256;
    let endpoints = |text: &str| value::whole(text).filter(|&count| count <= ENDPOINTS_MAX).map(|count| count as u32);
    let mut sorted = Sorted::default();
    for (place, node) in nodes.iter_mut().enumerate() {
        let label = label(taker, node);
        let said = || format!("node '{}'", node.id);
        let kind = taker.text(DataOwner::Node, &mut node.data, "kind").map(|kind| kind.to_lowercase());
        sorted.kinds.push(match kind.as_deref() {
            None | Some("switch") => {
                let works = (endpoints, "a whole number up to 256");
                sorted.labels.push(label);
                sorted.counts.push(taker.read((DataOwner::Node, &mut node.data), "endpoints", &said, works)?);
                Kind::Switch(sorted.counts.len() as u32 - 1)
            }
            Some("endpoint" | "host") => {
                let of_node = taker.text(DataOwner::Node, &mut node.data, "node");
                let works = (small::<u32>, "a whole number");
                let nic = taker.read((DataOwner::Node, &mut node.data), "nic", &said, works)?;
                if let (Some(of), Some(nic)) = (&of_node, nic)
                    && let Some(other) = sorted.nics.insert((of.clone(), nic), node.id.clone())
                {
                    let both = format!("'{other}' and '{}' are both NIC {nic} of node '{of}'", node.id);
                    return Err(format!("{both}; a number for each would work"));
                }
                sorted.endpoints.push(Found { id: node.id.clone(), label, node: of_node, nic, at: None });
                Kind::Endpoint(sorted.endpoints.len() - 1)
            }
            Some(kind) => {
                return Err(format!("node '{}' is of kind '{kind}'; switch, endpoint or host would work", node.id));
            }
        });
        if sorted.place_of.insert(node.id.clone(), place).is_some() {
            return Err(format!("two nodes have the id '{}'; different ids would work", node.id));
        }
    }
    Ok(sorted)
}

/// A system with the file's data about the whole, and an empty graph.
fn of_graph(document: &mut GraphmlDocument, taker: &mut Taker<'_>) -> Result<SystemDescription, String> {
    let mut data = std::mem::take(&mut document.data);
    let mut graph = GraphDescription::regular(0, 0, &[]);
    let place = || "the graph".to_owned();
    let whole = || (small::<u32>, "a whole number");
    if let Some(count) = taker.read((DataOwner::Graph, &mut data), "endpoints_per_switch", &place, whole())? {
        graph.endpoints_per_switch = count;
    }
    if let Some(count) = taker.read((DataOwner::Graph, &mut data), "fabrics", &place, whole())? {
        graph.fabrics = count;
    }
    let mut system = SystemDescription::from(graph);
    if let Some(radix) = taker.read((DataOwner::Graph, &mut data), "radix", &place, (small::<usize>, "1 to 256"))? {
        system.radix = radix;
    }
    let mut unsaid = Vec::new();
    let values = [&mut system.switch, &mut system.nic, &mut system.congestion];
    for (name, value) in ["switch", "nic", "congestion"].into_iter().zip(values) {
        match taker.text(DataOwner::Graph, &mut data, name) {
            Some(said) => *value = said,
            None => unsaid.push((name, value.clone())),
        }
    }
    if let Some(summary) = taker.text(DataOwner::Graph, &mut data, "summary") {
        system.summary = summary;
    }
    let name = taker.text(DataOwner::Graph, &mut data, "name").unwrap_or_else(|| std::mem::take(&mut document.name));
    if !name.trim().is_empty() {
        name.trim().clone_into(&mut system.name);
    }
    if !unsaid.is_empty() {
        let [names, values]: [Vec<&str>; 2] =
            [unsaid.iter().map(|(name, _)| *name).collect(), unsaid.iter().map(|(_, value)| value.as_str()).collect()];
        system.assumed.push(Assumed {
            key: names.join(", "),
            value: values.join(", "),
            why: "the file does not have them; set them in the scenario".to_owned(),
        });
    }
    for name in data.keys() {
        *document.unused.entry((DataOwner::Graph, Rc::clone(name))).or_default() += 1;
    }
    Ok(system)
}

/// The edges with known ends, and opposite ones joined.
fn joined(
    document: &mut GraphmlDocument,
    place_of: &BTreeMap<String, usize>,
    nodes: &[GraphmlNode],
) -> Result<(Vec<JoinedEdge>, Directions), String> {
    let mut edges = Vec::with_capacity(document.edges.len());
    let mut known: BTreeMap<(usize, usize, String), usize> = BTreeMap::new();
    for (index, edge) in std::mem::take(&mut document.edges).into_iter().enumerate() {
        let end = |id: &str| {
            let missing = || format!("edge {index} leads to '{id}', which is not a node; the id of a node would work");
            place_of.get(id.trim()).or_else(|| place_of.get(id)).copied().ok_or_else(missing)
        };
        let ends = [end(&edge.source)?, end(&edge.target)?];
        if ends[0] == ends[1] {
            let id = &nodes[ends[0]].id;
            return Err(format!("edge {index} joins '{id}' to itself; two different nodes would work"));
        }
        // Tools count parallel edges in this way, from 0 between every two nodes.
        if let Some(key) = edge.id
            && let Some(other) = known.insert((ends[0], ends[1], key.clone()), index)
        {
            let found =
                format!("edges {other} and {index} from '{}' to '{}' have one id, '{key}'", edge.source, edge.target);
            return Err(format!("{found}; each edge once, or another id for a second link, would work"));
        }
        edges.push(JoinedEdge { index, ends, directed: edge.directed, data: edge.data });
    }
    let directions = pair(&mut edges, &|place| nodes[place].id.clone())?;
    Ok((edges, directions))
}

/// The used data of an edge.
struct Link {
    length_m: Option<f64>,
    rate_gbps: Option<f64>,
    ports: [Option<u8>; 2],
    medium: Option<Medium>,
    global: bool,
}

fn link(edge: &mut JoinedEdge, kinds: &[Kind], taker: &mut Taker<'_>) -> Result<Link, String> {
    let JoinedEdge { index, ends, data, .. } = edge;
    let place = || format!("edge {index}");
    let mut number = |name, range: RangeInclusive<f64>, works| {
        let read = |text: &str| value::number(text).filter(|number| range.contains(number));
        taker.read((DataOwner::Edge, &mut *data), name, &place, (read, works))
    };
    let length_m = number("length_m", LENGTHS_M, "a number of metres from 0 to 2000")?;
    let rate_gbps = number("rate_gbps", RATES_GBPS, "a number of Gb/s from 0.001 to 4000")?;
    let mut port = |name| {
        taker.read((DataOwner::Edge, &mut *data), name, &place, (small::<u8>, "the number of a port, 0 to 255,"))
    };
    let ports = [port("source_port")?, port("target_port")?];
    let media = (medium, "backplane, copper or optical");
    let medium = taker.read((DataOwner::Edge, &mut *data), "medium", &place, media)?;
    let flag = (value::flag, "true or false");
    let flagged = taker.read((DataOwner::Edge, &mut *data), "global", &place, flag)?;
    let role = taker.text(DataOwner::Edge, data, "role").map(|role| role.to_lowercase());
    let to_endpoint = ends.iter().any(|&end| matches!(kinds[end], Kind::Endpoint(_)));
    let global = match (role.as_deref(), to_endpoint) {
        (None, _) => flagged.unwrap_or(false),
        (Some("edge"), true) => false,
        (Some(role @ ("local" | "global")), false) => {
            let global = role == "global";
            if flagged.is_some_and(|flagged| flagged != global) {
                return Err(format!(
                    "edge {index} has the role {role}, but `global` contradicts it; one of them would work"
                ));
            }
            global
        }
        (Some(role), _) => {
            let works = if to_endpoint { "edge" } else { "local or global" };
            return Err(format!("role of edge {index} is '{role}'; {works} would work"));
        }
    };
    Ok(Link { length_m, rate_gbps, ports, medium, global })
}

/// Endpoints in order of their nodes, the name of each NIC, and the name of each node.
type Ordered = (Vec<GraphEndpoint>, Vec<String>, Vec<String>);

/// Endpoints of a node together, nodes in the order in which they first appear, NICs by their data
/// or by their order.
///
/// Also the name of each NIC and each node: a node is named by its data `node`, unless that is a
/// number, or by its only NIC.
fn in_order_of_node(endpoints: Vec<Found>) -> Result<Ordered, String> {
    let mut number_of = BTreeMap::new();
    let mut count = 0;
    let mut names: Vec<String> = Vec::new();
    let mut numbered = Vec::with_capacity(endpoints.len());
    for Found { id, label, node, nic, at } in endpoints {
        let mut fresh = || {
            count += 1;
            count - 1
        };
        // `0` and `0.0` are the same node.
        let name = node.map(|name| value::whole(&name).map_or(name, |number| number.to_string()));
        let called = match &name {
            Some(name) if value::whole(name).is_none() => name.clone(),
            _ => label.clone(),
        };
        let node = match name {
            Some(name) => *number_of.entry(name).or_insert_with(fresh),
            None => fresh(),
        };
        if names.len() == node as usize {
            names.push(called);
        }
        let at = at.ok_or_else(|| format!("endpoint '{id}' has no edge; one, to its switch, would work"))?;
        numbered.push((nic, label, GraphEndpoint { node: Some(node), ..at }));
    }
    numbered.sort_by_key(|(nic, _, endpoint)| (endpoint.node, *nic));
    let (labels, endpoints) = numbered.into_iter().map(|(_, label, endpoint)| (label, endpoint)).unzip();
    Ok((endpoints, labels, names))
}

/// Checks the count of endpoints of a switch against the endpoints that have an edge to it: the
/// same endpoints are not counted twice, and another count is an error. Counts that agree become 0.
fn agree<'n>(endpoints: &[Found], counts: &mut [Option<u32>], name: impl Fn(usize) -> &'n str) -> Result<(), String> {
    let mut joined: BTreeMap<usize, Vec<&str>> = BTreeMap::new();
    for endpoint in endpoints {
        if let Some(at) = &endpoint.at {
            joined.entry(at.switch as usize).or_default().push(&endpoint.id);
        }
    }
    for (switch, ids) in joined {
        let Some(count) = counts[switch].filter(|&count| count > 0) else { continue };
        if count as usize != ids.len() {
            let name = name(switch);
            let more = if ids.len() > 3 { ", ..." } else { "" };
            let named: Vec<String> = ids.iter().take(3).map(|id| format!("'{id}'")).collect();
            return Err(format!(
                "switch '{name}' has {count} as its data `endpoints`, and {} with an edge to it ({}{more}); either of the two \
                 alone, or the same number, would work",
                counted(ids.len(), "endpoint"),
                named.join(", ")
            ));
        }
        counts[switch] = Some(0);
    }
    Ok(())
}

/// Adds the endpoints of the switches' counts.
fn expand(graph: &mut GraphDescription, counts: &[Option<u32>]) {
    if counts.iter().all(Option::is_none) {
        return;
    }
    let usual = std::mem::take(&mut graph.endpoints_per_switch);
    for (switch, count) in counts.iter().enumerate() {
        let count = count.unwrap_or(usual) as usize;
        graph.endpoints.extend(std::iter::repeat_n(GraphEndpoint::on(switch as u32), count));
    }
}

/// Links whose data is incomplete in the file.
#[derive(Default)]
struct Silent {
    rate: [usize; 2],
    length: [usize; 2],
}

impl Silent {
    fn link(&mut self, link: &Link) {
        self.rate[0] += usize::from(link.rate_gbps.is_none());
        self.length[0] += usize::from(link.length_m.is_none());
    }

    fn edge(&mut self, link: &Link) {
        self.rate[1] += usize::from(link.rate_gbps.is_none());
        self.length[1] += usize::from(link.length_m.is_none());
    }

    fn assumed(self, graph: &GraphDescription) -> Vec<Assumed> {
        let mut assumed = Vec::new();
        let cables = [("links between switches", &graph.link), ("links of endpoints", &graph.edge)];
        for (at, (what, cable)) in cables.into_iter().enumerate() {
            for (name, count, value) in [
                ("rate_gbps", self.rate[at], format!("{} Gb/s", cable.rate_gbps)),
                ("length_m", self.length[at], format!("{} m", cable.length_m)),
            ] {
                if count > 0 {
                    let key = format!("{name} of {count} {what}");
                    assumed.push(Assumed { key, value, why: "the file does not say".to_owned() });
                }
            }
        }
        assumed
    }
}

/// Data of links to endpoints that is meant for links between switches.
#[derive(Default)]
struct EndpointLinks {
    /// Links with a number of a port at the end of the endpoint.
    ports: usize,
    /// Links that are global.
    global: usize,
}

impl EndpointLinks {
    fn sentences(&self) -> Vec<String> {
        let of = |count: usize| if count == 1 { "1 link".to_owned() } else { format!("{count} links") };
        let ports = || format!("the port at the endpoint's end of {} is not used: an endpoint has one", of(self.ports));
        let global =
            || format!("`global` of {} to an endpoint is not used: only links between switches are", of(self.global));
        let mut sentences = Vec::new();
        sentences.extend((self.ports > 0).then(ports));
        sentences.extend((self.global > 0).then(global));
        sentences
    }
}

/// A sentence about edges between nodes that another edge joins, in a graph that says it has none.
fn parallel_edges(edges: &[JoinedEdge], nodes: &[GraphmlNode]) -> Option<String> {
    let mut seen = BTreeSet::new();
    let doubled: Vec<&JoinedEdge> = edges
        .iter()
        .filter(|edge| !seen.insert((edge.ends[0].min(edge.ends[1]), edge.ends[0].max(edge.ends[1]))))
        .collect();
    let [one, other] = doubled.first()?.ends.map(|end| &nodes[end].id);
    let (edges, first) = (counted(doubled.len(), "edge"), doubled[0].index);
    Some(format!(
        "the file says that it is no multigraph, but it has {edges} between nodes that another edge joins, first edge {first} \
         of '{one}' and '{other}': each is read as a link"
    ))
}

/// The interpretation of directed edges.
fn directed(directions: &Directions) -> Option<String> {
    let Directions { pairs, single } = *directions;
    let paired = match pairs {
        1 => "two opposite ones are one link".to_owned(),
        pairs => format!("each of {pairs} pairs of opposite edges is one link"),
    };
    let said = match (pairs, single) {
        // The usual form of a graph whose edges have both directions.
        (_, 0) => return None,
        (0, 1) => "the only one is a link".to_owned(),
        (0, single) => format!("each of {single} is a link"),
        (_, 1) => format!("{paired}, so is the one without an opposite"),
        (_, single) => format!("{paired}, so is each of {single} without an opposite"),
    };
    Some(format!("the edges are directed: {said}, and a link carries both directions"))
}
