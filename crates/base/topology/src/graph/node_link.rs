//! Reading the node-link JSON of networkx.
//!
//! Source: the documentation of `networkx.node_link_data`. Status: published. Edges are under
//! `edges` or, in older versions, under `links`.

use super::document::{DataOwner, Edge, GraphmlDocument, GraphmlNode, NamedData};
use super::unused;
use serde_json::{Map, Value};

/// Whether a JSON document is one: it lists nodes and edges.
pub(super) fn is_one(value: &Value) -> bool {
    let lists = |key: &str| value.get(key).is_some_and(Value::is_array);
    lists("nodes") && (lists("edges") || lists("links"))
}

/// Reads a document.
pub(super) fn read(value: Value) -> Result<GraphmlDocument, String> {
    let Value::Object(mut whole) = value else {
        return Err("it is not an object; node-link JSON would work".to_owned());
    };
    let mut document = GraphmlDocument::default();
    let directed = flag(&mut whole, "directed")?;
    document.is_simple = whole.get("multigraph") == Some(&Value::Bool(false));
    flag(&mut whole, "multigraph")?;
    let [nodes, edges, links] = ["nodes", "edges", "links"].map(|key| whole.remove(key));
    let edges = match (edges, links) {
        (Some(_), Some(_)) => return Err("it has `edges` and `links`; one of them would work".to_owned()),
        (edges, links) => list(edges.or(links)),
    };
    if let Some(graph) = object(whole.remove("graph"), "graph")? {
        let (mut data, place) = (NamedData::new(), || "the graph".to_owned());
        for (key, value) in graph {
            // networkx keeps a GraphML file's defaults here, which its nodes and edges do not have.
            let domain = match key.as_str() {
                "node_default" => DataOwner::Node,
                "edge_default" => DataOwner::Edge,
                _ => {
                    add(&mut document, DataOwner::Graph, &mut data, &key, value, &place)?;
                    continue;
                }
            };
            let (mut defaults, place) = (NamedData::new(), || key.clone());
            for (name, value) in object(Some(value), &key)?.unwrap_or_default() {
                add(&mut document, domain, &mut defaults, &name, value, &place)?;
            }
            document.defaults.insert(domain, defaults);
        }
        document.data = data;
    }
    // networkx keeps the name in the graph's own data; other tools, and people, write it beside.
    let mut beside = NamedData::new();
    add(&mut document, DataOwner::Graph, &mut beside, "name", whole.remove("name").unwrap_or_default(), &|| {
        "the document".to_owned()
    })?;
    if let Some(name) = beside.remove("name") {
        match document.data.get("name") {
            Some(own) if *own != name => document.leave_out(DataOwner::Graph, "top-level name"),
            _ => document.name = name,
        }
    }
    for key in whole.keys() {
        document.leave_out(DataOwner::Graph, key);
    }
    for (index, node) in list(nodes).into_iter().enumerate() {
        let Value::Object(mut node) = node else {
            return Err(format!("node {index} is not an object; {{\"id\": ...}} would work"));
        };
        let id = name(node.remove("id"))
            .ok_or_else(|| format!("node {index} has no `id` that names it; a text or a number would work"))?;
        let mut data = NamedData::new();
        for (key, value) in node {
            add(&mut document, DataOwner::Node, &mut data, &key, value, &|| format!("node '{id}'"))?;
        }
        document.nodes.push(GraphmlNode { id, data });
    }
    for (index, edge) in edges.into_iter().enumerate() {
        let Value::Object(mut edge) = edge else {
            return Err(format!("edge {index} is not an object; {{\"source\": ..., \"target\": ...}} would work"));
        };
        let mut end = |key: &str| {
            name(edge.remove(key)).ok_or_else(|| format!("edge {index} has no `{key}`; the id of a node would work"))
        };
        let (source, target) = (end("source")?, end("target")?);
        // It distinguishes parallel edges.
        let id = name(edge.remove("key"));
        let mut data = NamedData::new();
        for (key, value) in edge {
            add(&mut document, DataOwner::Edge, &mut data, &key, value, &|| format!("edge {index}"))?;
        }
        document.edges.push(Edge { source, target, id, directed, data });
    }
    Ok(document)
}

fn flag(whole: &mut Map<String, Value>, key: &str) -> Result<bool, String> {
    match whole.remove(key) {
        None | Some(Value::Null) => Ok(false),
        Some(Value::Bool(flag)) => Ok(flag),
        Some(other) => Err(format!("`{key}` is {other}; true or false would work")),
    }
}

/// An object by its key; null and an empty list, which old versions of networkx write, are none.
fn object(value: Option<Value>, key: &str) -> Result<Option<Map<String, Value>>, String> {
    match value {
        None | Some(Value::Null) => Ok(None),
        Some(Value::Object(object)) => Ok(Some(object)),
        Some(Value::Array(items)) if items.is_empty() => Ok(None),
        Some(other) => Err(format!("`{key}` is {other}; an object of data by name would work")),
    }
}

fn list(value: Option<Value>) -> Vec<Value> {
    if let Some(Value::Array(items)) = value { items } else { Vec::new() }
}

/// The id of a node: text, a number as text, or a tuple, which is a list in JSON: `(0, 1)`, as
/// networkx names the nodes of grids.
fn name(value: Option<Value>) -> Option<String> {
    match value? {
        Value::String(text) => Some(text),
        Value::Number(number) => Some(number.to_string()),
        Value::Array(parts) => {
            let parts: Option<Vec<String>> = parts.into_iter().map(|part| name(Some(part))).collect();
            Some(format!("({})", parts?.join(", ")))
        }
        _ => None,
    }
}

/// Other JSON that networkx and other tools write, and what would work instead.
pub(super) fn other_form(value: &Value) -> Option<&'static str> {
    let has = |keys: &[&str]| keys.iter().all(|key| value.get(key).is_some());
    if has(&["nodes", "adjacency"]) {
        Some("a graph as networkx's `adjacency_data` writes it; `node_link_data` would work")
    } else if value.get("elements").is_some_and(|elements| elements.get("nodes").is_some()) {
        Some("a graph as Cytoscape writes it; networkx's `node_link_data` or GraphML would work")
    } else if has(&["directed", "nodes"]) && !is_one(value) {
        Some("a graph without a list `edges` or `links`; the node-link JSON of networkx would work")
    } else {
        None
    }
}

/// Adds a value; null means none, lists and objects have no use, and are an error for used data.
fn add(
    document: &mut GraphmlDocument,
    domain: DataOwner,
    data: &mut NamedData,
    key: &str,
    value: Value,
    place: &dyn Fn() -> String,
) -> Result<(), String> {
    let value = match value {
        Value::Null => return Ok(()),
        Value::Bool(flag) => flag.to_string(),
        Value::Number(number) => number.to_string(),
        Value::String(text) => text.trim().to_owned(),
        Value::Array(_) | Value::Object(_) => {
            if let Some(works) = unused::known(domain, key) {
                return Err(unused::no_value(key, &place(), &value.to_string(), works));
            }
            document.leave_out(domain, key);
            return Ok(());
        }
    };
    document.add(data, key, value, place)
}
