//! Directed edges: two opposite ones are the two directions of one link.

use super::document::{DataOwner, NamedData};
use super::import::JoinedEdge;
use super::value::same;
use std::collections::BTreeMap;
use std::rc::Rc;

/// Counts of directed edges.
#[derive(Debug, Default)]
pub(super) struct Directions {
    /// Pairs of opposite edges.
    pub pairs: usize,
    /// Edges without an opposite.
    pub single: usize,
}

/// Joins every two opposite edges into one.
///
/// Edges with a port at both ends are opposite if the ports are, too; all others in the order of
/// the file.
pub(super) fn pair(edges: &mut Vec<JoinedEdge>, id: &dyn Fn(usize) -> String) -> Result<Directions, String> {
    let mut between: BTreeMap<(usize, usize), [Vec<usize>; 2]> = BTreeMap::new();
    for (at, edge) in edges.iter().enumerate().filter(|(_, edge)| edge.directed) {
        let [one, other] = edge.ends;
        let backwards = usize::from(one > other);
        between.entry((one.min(other), one.max(other))).or_default()[backwards].push(at);
    }
    let mut directions = Directions::default();
    let mut merged = vec![false; edges.len()];
    for ((one, other), [there, back]) in between {
        if there.is_empty() || back.is_empty() {
            directions.single += there.len() + back.len();
            continue;
        }
        let (from, to) = (id(one), id(other));
        if there.len() != back.len() {
            let found = format!("{} directed edges lead from '{from}' to '{to}' and {} back", there.len(), back.len());
            return Err(format!("{found}; as many in each direction, or none in one, would work"));
        }
        for (there, back) in matched(edges, &there, &back, [&from, &to])? {
            directions.pairs += 1;
            let (first, second) = (there.min(back), there.max(back));
            let opposite = std::mem::take(&mut edges[second].data);
            let (index, other_index) = (edges[first].index, edges[second].index);
            merge(&mut edges[first].data, opposite).map_err(|(name, [one, other])| {
                let found = format!(
                    "edges {index} and {other_index} are the two directions of the link of '{from}' and '{to}'"
                );
                format!("{found}, with {name} {one} and {other}; the same in both would work")
            })?;
            merged[second] = true;
        }
    }
    let mut merged = merged.into_iter();
    edges.retain(|_| !merged.next().unwrap_or(false));
    Ok(directions)
}

/// The opposite of each edge.
fn matched(
    edges: &[JoinedEdge],
    there: &[usize],
    back: &[usize],
    [from, to]: [&String; 2],
) -> Result<Vec<(usize, usize)>, String> {
    let ports = |at: usize| {
        let port = |name: &str| edges[at].data.get(name).filter(|text| !text.is_empty());
        Some([port("source_port")?.clone(), port("target_port")?.clone()])
    };
    if !there.iter().chain(back).all(|&at| ports(at).is_some()) {
        return Ok(there.iter().copied().zip(back.iter().copied()).collect());
    }
    let mut waiting: BTreeMap<_, Vec<usize>> = BTreeMap::new();
    for &at in back.iter().rev() {
        let [source, target] = ports(at).unwrap_or_default();
        waiting.entry([target, source]).or_default().push(at);
    }
    let mut pairs = Vec::new();
    for &at in there {
        let found = waiting.get_mut(&ports(at).unwrap_or_default()).and_then(Vec::pop);
        let found = found.ok_or_else(|| {
            let [source, target] = ports(at).unwrap_or_default();
            let index = edges[at].index;
            format!(
                "edge {index} leads from port {source} of '{from}' to port {target} of '{to}', and no edge leads back \
                 between these ports; source_port and target_port exchanged in the opposite edge, or undirected edges \
                 (in networkx, `to_undirected()`), would work"
            )
        })?;
        pairs.push((at, found));
    }
    Ok(pairs)
}

/// Adds to the data of an edge that of its opposite. Returns the name and both values if they
/// differ.
fn merge(data: &mut NamedData, opposite: NamedData) -> Result<(), (Rc<str>, [String; 2])> {
    for (name, value) in opposite {
        let mirrored: Rc<str> = match &*name {
            "source_port" => "target_port".into(),
            "target_port" => "source_port".into(),
            _ => name,
        };
        match data.get(&mirrored) {
            Some(known) if super::unused::known(DataOwner::Edge, &mirrored).is_some() && !same(known, &value) => {
                return Err((mirrored, [known.clone(), value]));
            }
            Some(_) => {}
            None => {
                data.insert(mirrored, value);
            }
        }
    }
    Ok(())
}
