//! A graph in another tool's file: nodes and edges with data by name, all of it still text.

use std::collections::BTreeMap;
use std::rc::Rc;

/// Data by name.
pub(super) type NamedData = BTreeMap<Rc<str>, String>;

/// The owner of a piece of data.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum DataOwner {
    Graph,
    Node,
    Edge,
}

impl DataOwner {
    pub const ALL: [Self; 3] = [Self::Graph, Self::Node, Self::Edge];

    pub const fn name(self) -> &'static str {
        match self {
            Self::Graph => "graph",
            Self::Node => "node",
            Self::Edge => "edge",
        }
    }
}

/// A node of the file.
#[derive(Debug, Default)]
pub(super) struct GraphmlNode {
    pub id: String,
    pub data: NamedData,
}

/// An edge of the file.
#[derive(Debug)]
pub(super) struct Edge {
    pub source: String,
    pub target: String,
    /// Its id, or networkx's `key`, which distinguishes parallel edges.
    pub id: Option<String>,
    pub directed: bool,
    pub data: NamedData,
}

/// The whole file.
#[derive(Debug, Default)]
pub(super) struct GraphmlDocument {
    /// Name of the graph; empty if the file has none.
    pub name: String,
    pub data: NamedData,
    pub nodes: Vec<GraphmlNode>,
    pub edges: Vec<Edge>,
    /// Whether the file says that no two edges join the same nodes.
    pub is_simple: bool,
    /// Defaults of elements.
    pub defaults: BTreeMap<DataOwner, NamedData>,
    /// Data without a use, each with its count.
    pub unused: BTreeMap<(DataOwner, Rc<str>), usize>,
    names: BTreeMap<String, Rc<str>>,
}

impl GraphmlDocument {
    /// A name, stored once however often it occurs.
    pub fn name_of(&mut self, name: &str) -> Rc<str> {
        if let Some(known) = self.names.get(name) {
            return Rc::clone(known);
        }
        let fresh: Rc<str> = name.into();
        self.names.insert(name.to_owned(), Rc::clone(&fresh));
        fresh
    }

    /// Counts data without a use.
    pub fn leave_out(&mut self, domain: DataOwner, name: &str) {
        let name = self.name_of(name);
        *self.unused.entry((domain, name)).or_default() += 1;
    }

    /// Adds a value to the data of an element, which errors call `place`.
    pub fn add(
        &mut self,
        data: &mut NamedData,
        name: &str,
        value: String,
        place: &dyn Fn() -> String,
    ) -> Result<(), String> {
        let name = self.name_of(name);
        match data.get(&name) {
            Some(before) if *before != value => {
                Err(format!("{} has `{name}` twice, as '{before}' and '{value}'; once would work", place()))
            }
            Some(_) => Ok(()),
            None => {
                data.insert(name, value);
                Ok(())
            }
        }
    }
}
