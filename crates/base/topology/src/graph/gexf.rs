//! Reading GEXF, the format of Gephi.
//!
//! Source: the GEXF primer and schema, 1.2 and 1.3 (gexf.net). Status: published. Dynamic graphs
//! and nested nodes are refused; data for drawings is counted.

use super::document::{DataOwner, Edge, GraphmlDocument, GraphmlNode, NamedData};
use super::value::is_missing;
use super::xml::{XmlToken, XmlTokens, is_of_xml, take};
use std::collections::BTreeMap;
use std::rc::Rc;

/// An open element.
enum Open {
    Gexf,
    Graph,
    Attributes(DataOwner),
    Attribute(DataOwner, Rc<str>),
    Default(DataOwner, Rc<str>, String),
    Nodes,
    Edges,
    Node(GraphmlNode),
    Edge(Edge),
    Values,
    Other,
}

struct Reader<'t> {
    tokens: XmlTokens<'t>,
    document: GraphmlDocument,
    /// Names by the id of their attribute.
    titles: BTreeMap<(DataOwner, String), Rc<str>>,
    open: Vec<Open>,
    directed: bool,
    has_graph: bool,
}

/// Reads a document.
pub(super) fn read(text: &str) -> Result<GraphmlDocument, String> {
    let mut reader = Reader {
        tokens: XmlTokens::new(text),
        document: GraphmlDocument::default(),
        titles: BTreeMap::new(),
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
            XmlToken::End => match reader.open.pop() {
                Some(Open::Node(node)) => reader.document.nodes.push(node),
                Some(Open::Edge(edge)) => reader.document.edges.push(edge),
                Some(Open::Default(domain, name, value)) => {
                    let defaults = reader.document.defaults.entry(domain).or_default();
                    defaults.insert(name, value.trim().to_owned());
                }
                _ => {}
            },
            XmlToken::Text(text) => {
                if let Some(Open::Default(_, _, value)) = reader.open.last_mut() {
                    value.push_str(&text);
                }
            }
        }
    }
    if !reader.has_graph {
        return Err("it has no <graph>; a GEXF document would work".to_owned());
    }
    Ok(reader.document)
}

impl Reader<'_> {
    fn start(&mut self, name: &str, mut attributes: Vec<(String, String)>) -> Result<Open, String> {
        let refused = |what: String, works: &str| Err(self.tokens.wrong(format!("{what}; {works} would work")));
        Ok(match (self.open.last(), name) {
            (None, _) => Open::Gexf,
            (Some(Open::Gexf), "graph") => {
                if std::mem::replace(&mut self.has_graph, true) {
                    return refused("a second <graph>".to_owned(), "one graph in a file");
                }
                self.directed = match take(&mut attributes, "defaultedgetype").as_deref() {
                    None | Some("undirected") => false,
                    Some("directed") => true,
                    Some(other) => {
                        return refused(format!("defaultedgetype is '{other}'"), "directed or undirected");
                    }
                };
                if take(&mut attributes, "mode").is_some_and(|mode| mode == "dynamic") {
                    return refused("the graph is dynamic".to_owned(), "a static one");
                }
                self.document.name = take(&mut attributes, "name").unwrap_or_default();
                self.left(DataOwner::Graph, &attributes, &["idtype", "timeformat", "timerepresentation"]);
                Open::Graph
            }
            (Some(Open::Graph), "attributes") => match take(&mut attributes, "class").as_deref() {
                Some("node") => Open::Attributes(DataOwner::Node),
                Some("edge") => Open::Attributes(DataOwner::Edge),
                other => {
                    let found = format!("<attributes> of class '{}'", other.unwrap_or_default());
                    return refused(found, "node or edge");
                }
            },
            (Some(Open::Attributes(domain)), "attribute") => {
                let domain = *domain;
                let Some(id) = take(&mut attributes, "id") else {
                    return refused("an <attribute> has no `id`".to_owned(), "an id for each attribute");
                };
                let title = take(&mut attributes, "title").unwrap_or_else(|| id.clone());
                let title = self.document.name_of(&title);
                if self.titles.insert((domain, id.clone()), Rc::clone(&title)).is_some() {
                    return refused(format!("two attributes have the id '{id}'"), "an id for each");
                }
                Open::Attribute(domain, title)
            }
            (Some(Open::Attribute(domain, name)), "default") => Open::Default(*domain, Rc::clone(name), String::new()),
            (Some(Open::Graph), "nodes") => Open::Nodes,
            (Some(Open::Graph), "edges") => Open::Edges,
            (Some(Open::Nodes), "node") => {
                let Some(id) = take(&mut attributes, "id") else {
                    let found = format!("node {} has no `id`", self.document.nodes.len());
                    return refused(found, "an id for each node");
                };
                let label = take(&mut attributes, "label").map(|label| ("label".into(), label));
                self.left(DataOwner::Node, &attributes, &[]);
                Open::Node(GraphmlNode { id, data: label.into_iter().collect() })
            }
            (Some(Open::Edges), "edge") => self.edge(attributes)?,
            (Some(Open::Node(_)), "nodes" | "edges") => {
                return refused("nodes within a node".to_owned(), "nodes at one level");
            }
            (Some(Open::Node(_) | Open::Edge(_)), "attvalues") => Open::Values,
            (Some(Open::Values), "attvalue") => {
                self.value(attributes)?;
                Open::Other
            }
            (Some(Open::Node(_)), other) => self.element(DataOwner::Node, other),
            (Some(Open::Edge(_)), other) => self.element(DataOwner::Edge, other),
            (Some(Open::Graph | Open::Nodes | Open::Edges), other) => self.element(DataOwner::Graph, other),
            // Information about the file, and options of values.
            (Some(_), _) => Open::Other,
        })
    }

    fn element(&mut self, domain: DataOwner, name: &str) -> Open {
        self.document.leave_out(domain, &format!("<{name}>"));
        Open::Other
    }

    fn left(&mut self, domain: DataOwner, attributes: &[(String, String)], known: &[&str]) {
        for (name, _) in attributes.iter().filter(|(_, value)| !is_missing(value)) {
            if !known.contains(&name.as_str()) && !is_of_xml(name) {
                self.document.leave_out(domain, name);
            }
        }
    }

    fn edge(&mut self, mut attributes: Vec<(String, String)>) -> Result<Open, String> {
        let index = self.document.edges.len();
        let mut end = |name| {
            let missing = || self.tokens.wrong(format!("edge {index} has no `{name}`; the id of a node would work"));
            take(&mut attributes, name).ok_or_else(missing)
        };
        let (source, target) = (end("source")?, end("target")?);
        let directed = match take(&mut attributes, "type").as_deref() {
            None => self.directed,
            Some("directed") => true,
            // A link has both directions.
            Some("undirected" | "mutual") => false,
            Some(other) => {
                let found = format!("`type` of edge {index} is '{other}'");
                return Err(self.tokens.wrong(format!("{found}; directed, undirected or mutual would work")));
            }
        };
        let id = take(&mut attributes, "id");
        self.left(DataOwner::Edge, &attributes, &[]);
        Ok(Open::Edge(Edge { source, target, id, directed, data: NamedData::new() }))
    }

    /// A value of the surrounding node or edge.
    fn value(&mut self, mut attributes: Vec<(String, String)>) -> Result<(), String> {
        let id = take(&mut attributes, "for").or_else(|| take(&mut attributes, "id")).unwrap_or_default();
        let value = take(&mut attributes, "value").unwrap_or_default().trim().to_owned();
        let Self { document, open, tokens, titles, .. } = self;
        let edges = document.edges.len();
        // The list of values is the last, its owner the one before.
        let Some(at) = open.len().checked_sub(2) else { return Ok(()) };
        let added = match &mut open[at] {
            Open::Node(node) => {
                let name = titles.get(&(DataOwner::Node, id.clone())).map_or(id.as_str(), |name| name);
                let node_id = node.id.clone();
                document.add(&mut node.data, name, value, &|| format!("node '{node_id}'"))
            }
            Open::Edge(edge) => {
                let name = titles.get(&(DataOwner::Edge, id.clone())).map_or(id.as_str(), |name| name);
                document.add(&mut edge.data, name, value, &|| format!("edge {edges}"))
            }
            _ => Ok(()),
        };
        added.map_err(|error| tokens.wrong(error))
    }
}
