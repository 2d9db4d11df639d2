//! Reading GraphML, the exchange format of networkx, igraph, Gephi and yEd.
//!
//! Source: the GraphML specification (graphml.graphdrawing.org) and the output of these tools.
//! Status: published. Nested graphs, hyperedges and a second graph are refused; elements and
//! attributes without a use are counted.

use super::document::{DataOwner, Edge, GraphmlDocument, GraphmlNode, NamedData};
use super::unused;
use super::value::is_missing;
use super::xml::{XmlToken, XmlTokens, is_of_xml, take};
use std::collections::BTreeMap;
use std::rc::Rc;

/// Data that the file declares.
struct Key {
    name: Rc<str>,
    of: Vec<DataOwner>,
}

/// An open element.
enum Open {
    GraphMl,
    Key {
        name: Rc<str>,
        of: Vec<DataOwner>,
    },
    Default(String),
    Graph,
    Node(GraphmlNode),
    Edge(Edge),
    Data {
        domain: DataOwner,
        name: Rc<str>,
        value: String,
        has_elements: bool,
    },
    /// An element without a use.
    Other,
}

struct Reader<'t> {
    tokens: XmlTokens<'t>,
    document: GraphmlDocument,
    /// By id: at most one key for each kind of element.
    keys: BTreeMap<String, Vec<Key>>,
    open: Vec<Open>,
    directed: bool,
    has_graph: bool,
}

/// Reads a document.
pub(super) fn read(text: &str) -> Result<GraphmlDocument, String> {
    let mut reader = Reader {
        tokens: XmlTokens::new(text),
        document: GraphmlDocument::default(),
        keys: BTreeMap::new(),
        open: Vec::new(),
        directed: false,
        has_graph: false,
    };
    while let Some(token) = reader.tokens.next()? {
        match token {
            XmlToken::Start(name, attributes) => {
                let open = reader.start(&name, attributes)?;
                reader.open.push(open);
            }
            XmlToken::End => reader.end()?,
            XmlToken::Text(text) => {
                if let Some(Open::Default(value) | Open::Data { value, .. }) = reader.open.last_mut() {
                    value.push_str(&text);
                }
            }
        }
    }
    if !reader.has_graph {
        return Err("it has no <graph> in a <graphml>; a GraphML document would work".to_owned());
    }
    Ok(reader.document)
}

impl Reader<'_> {
    fn start(&mut self, name: &str, mut attributes: Vec<(String, String)>) -> Result<Open, String> {
        let refused = |what: &str, works: &str| Err(self.tokens.wrong(format!("{what}; {works} would work")));
        Ok(match (self.open.last(), name) {
            (None, "graphml") => Open::GraphMl,
            (None, other) => {
                let what = format!("the document is <{other}>");
                return refused(&what, "<graphml> or <gexf>");
            }
            (Some(Open::GraphMl), "key") => self.key(&mut attributes)?,
            (Some(Open::Key { .. }), "default") => Open::Default(String::new()),
            (Some(Open::GraphMl), "graph") => {
                if std::mem::replace(&mut self.has_graph, true) {
                    return refused("a second <graph>", "one graph in a file");
                }
                self.graph(attributes)?
            }
            (Some(Open::Graph), "node") => {
                let Some(id) = take(&mut attributes, "id") else {
                    let what = format!("node {} has no `id`", self.document.nodes.len());
                    return refused(&what, "an id for each node");
                };
                self.attributes(DataOwner::Node, &attributes, &[]);
                Open::Node(GraphmlNode { id, data: NamedData::new() })
            }
            (Some(Open::Graph), "edge") => self.edge(attributes)?,
            (Some(Open::Graph), "hyperedge") => {
                return refused("a <hyperedge> joins any number of nodes", "edges, which join two,");
            }
            (Some(Open::Node(_) | Open::Edge(_)), "graph") => {
                let what = "a graph within a node or an edge (in yEd, a group)";
                return refused(what, "one graph without others in it (in yEd, ungrouped)");
            }
            (Some(Open::GraphMl | Open::Graph), "data") => self.data(DataOwner::Graph, &mut attributes),
            (Some(Open::Node(_)), "data") => self.data(DataOwner::Node, &mut attributes),
            (Some(Open::Edge(_)), "data") => self.data(DataOwner::Edge, &mut attributes),
            (Some(Open::GraphMl | Open::Graph | Open::Node(_) | Open::Edge(_)), "desc") => Open::Other,
            (Some(Open::Node(_)), other) => self.element(DataOwner::Node, other),
            (Some(Open::Edge(_)), other) => self.element(DataOwner::Edge, other),
            (Some(Open::GraphMl | Open::Graph), other) => self.element(DataOwner::Graph, other),
            (Some(_), _) => {
                if let Some(Open::Data { has_elements, .. }) = self.open.last_mut() {
                    *has_elements = true;
                }
                Open::Other
            }
        })
    }

    fn element(&mut self, domain: DataOwner, name: &str) -> Open {
        self.document.leave_out(domain, &format!("<{name}>"));
        Open::Other
    }

    /// Counts attributes that are not among `known`.
    fn attributes(&mut self, domain: DataOwner, attributes: &[(String, String)], known: &[&str]) {
        for (name, _) in attributes.iter().filter(|(_, value)| !is_missing(value)) {
            let usual = known.contains(&name.as_str()) || is_of_xml(name) || name.starts_with("parse.");
            if !usual && name != "yfiles.foldertype" {
                self.document.leave_out(domain, &format!("attribute {name}"));
            }
        }
    }

    fn key(&mut self, attributes: &mut Vec<(String, String)>) -> Result<Open, String> {
        let Some(id) = take(attributes, "id") else {
            return Err(self.tokens.wrong("a <key> has no `id`; an id for each key would work"));
        };
        let drawing = take(attributes, "yfiles.type");
        let name = take(attributes, "attr.name").filter(|name| !name.is_empty());
        let name = name.or_else(|| drawing.map(|what| format!("yEd's {what}"))).unwrap_or_else(|| id.clone());
        let name = self.document.name_of(&name);
        let of = match take(attributes, "for").as_deref() {
            None | Some("all" | "") => DataOwner::ALL.to_vec(),
            Some("graph") => vec![DataOwner::Graph],
            Some("node") => vec![DataOwner::Node],
            Some("edge") => vec![DataOwner::Edge],
            Some("graphml" | "port" | "hyperedge" | "endpoint") => Vec::new(),
            Some(other) => {
                let works = "node, edge, graph or all would work";
                return Err(self.tokens.wrong(format!("key '{id}' is for '{other}'; {works}")));
            }
        };
        let known = self.keys.entry(id.clone()).or_default();
        if known.iter().any(|key| key.of.iter().any(|domain| of.contains(domain))) {
            let found = format!("two keys have the id '{id}'; an id for each key would work");
            return Err(self.tokens.wrong(found));
        }
        known.push(Key { name: Rc::clone(&name), of: of.clone() });
        Ok(Open::Key { name, of })
    }

    fn graph(&mut self, mut attributes: Vec<(String, String)>) -> Result<Open, String> {
        self.document.name = take(&mut attributes, "id").unwrap_or_default();
        self.directed = match take(&mut attributes, "edgedefault").as_deref() {
            None | Some("undirected") => false,
            Some("directed") => true,
            Some(other) => {
                let works = "directed or undirected would work";
                return Err(self.tokens.wrong(format!("edgedefault is '{other}'; {works}")));
            }
        };
        self.attributes(DataOwner::Graph, &attributes, &[]);
        Ok(Open::Graph)
    }

    fn edge(&mut self, mut attributes: Vec<(String, String)>) -> Result<Open, String> {
        let mut end = |name| {
            let missing = || {
                let found = format!("edge {} has no `{name}`", self.document.edges.len());
                self.tokens.wrong(format!("{found}; the id of a node there would work"))
            };
            take(&mut attributes, name).ok_or_else(missing)
        };
        let (source, target) = (end("source")?, end("target")?);
        let directed = match take(&mut attributes, "directed").as_deref() {
            None => self.directed,
            Some("true" | "1") => true,
            Some("false" | "0") => false,
            Some(other) => {
                let index = self.document.edges.len();
                let found = format!("`directed` of edge {index} is '{other}'");
                return Err(self.tokens.wrong(format!("{found}; true or false would work")));
            }
        };
        let id = take(&mut attributes, "id");
        self.attributes(DataOwner::Edge, &attributes, &[]);
        Ok(Open::Edge(Edge { source, target, id, directed, data: NamedData::new() }))
    }

    fn data(&mut self, domain: DataOwner, attributes: &mut Vec<(String, String)>) -> Open {
        let id = take(attributes, "key").unwrap_or_default();
        let keys = self.keys.get(&id).map(Vec::as_slice).unwrap_or_default();
        let key = keys.iter().find(|key| key.of.contains(&domain)).or(keys.first());
        // Data of an undeclared key is named by its id.
        let name = key.map(|key| Rc::clone(&key.name)).unwrap_or_else(|| self.document.name_of(&id));
        Open::Data { domain, name, value: String::new(), has_elements: false }
    }

    fn end(&mut self) -> Result<(), String> {
        match self.open.pop() {
            Some(Open::Default(value)) => {
                if let Some(Open::Key { name, of }) = self.open.last() {
                    for domain in of {
                        let defaults = self.document.defaults.entry(*domain).or_default();
                        let before = defaults.insert(Rc::clone(name), value.trim().to_owned());
                        if before.is_some_and(|before| before != value.trim()) {
                            let found = format!("`{name}` has two different defaults");
                            return Err(self.tokens.wrong(format!("{found}; one would work")));
                        }
                    }
                }
            }
            Some(Open::Data { domain, name, has_elements: true, .. }) => {
                if let Some(works) = unused::known(domain, &name) {
                    let place = match self.open.last() {
                        Some(Open::Node(node)) => format!("node '{}'", node.id),
                        Some(Open::Edge(_)) => format!("edge {}", self.document.edges.len()),
                        _ => "the graph".to_owned(),
                    };
                    return Err(self.tokens.wrong(unused::no_value(&name, &place, "an element", works)));
                }
                self.document.leave_out(domain, &name);
            }
            Some(Open::Data { name, value, .. }) => {
                let value = value.trim().to_owned();
                let Self { document, open, tokens, .. } = self;
                let edges = document.edges.len();
                let mut of_graph = std::mem::take(&mut document.data);
                let added = match open.last_mut() {
                    Some(Open::Node(node)) => {
                        let id = node.id.clone();
                        document.add(&mut node.data, &name, value, &|| format!("node '{id}'"))
                    }
                    Some(Open::Edge(edge)) => document.add(&mut edge.data, &name, value, &|| format!("edge {edges}")),
                    _ => document.add(&mut of_graph, &name, value, &|| "the graph".to_owned()),
                };
                document.data = of_graph;
                added.map_err(|error| tokens.wrong(error))?;
            }
            Some(Open::Node(node)) => self.document.nodes.push(node),
            Some(Open::Edge(edge)) => self.document.edges.push(edge),
            _ => {}
        }
        Ok(())
    }
}
