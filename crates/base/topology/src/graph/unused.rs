//! Data of a file that a system cannot use: one sentence each, with the data that would be used
//! instead. Drawing data and the notes of tools to themselves have none.

use super::document::{DataOwner, GraphmlDocument};
use std::collections::BTreeMap;

/// Used data: its owner, its name, and its unit or values.
const KNOWN: [(DataOwner, &str, &str); 21] = [
    (DataOwner::Graph, "name", "text"),
    (DataOwner::Graph, "summary", "text"),
    (DataOwner::Graph, "switch", "name of a preset"),
    (DataOwner::Graph, "nic", "name of a preset"),
    (DataOwner::Graph, "congestion", "name of a law"),
    (DataOwner::Graph, "radix", "ports of a switch"),
    (DataOwner::Graph, "fabrics", "a number"),
    (DataOwner::Graph, "endpoints_per_switch", "a number"),
    (DataOwner::Node, "kind", "switch, endpoint or host"),
    (DataOwner::Node, "node", "the same for NICs of a node"),
    (DataOwner::Node, "nic", "a number, among the NICs of a node"),
    (DataOwner::Node, "endpoints", "a number, of a switch"),
    (DataOwner::Node, "label", "what it is called"),
    (DataOwner::Node, "name", "what it is called"),
    (DataOwner::Edge, "length_m", "metres"),
    (DataOwner::Edge, "rate_gbps", "Gb/s"),
    (DataOwner::Edge, "source_port", "a number"),
    (DataOwner::Edge, "target_port", "a number"),
    (DataOwner::Edge, "global", "true or false"),
    (DataOwner::Edge, "role", "edge, local or global"),
    (DataOwner::Edge, "medium", "backplane, copper or optical"),
];

/// Words in names of other programs, and the data that they may mean.
const MEANT: [(DataOwner, &str, &str); 16] = [
    (DataOwner::Edge, "rate", "rate_gbps"),
    (DataOwner::Edge, "speed", "rate_gbps"),
    (DataOwner::Edge, "bandwidth", "rate_gbps"),
    (DataOwner::Edge, "capacity", "rate_gbps"),
    (DataOwner::Edge, "throughput", "rate_gbps"),
    (DataOwner::Edge, "gbps", "rate_gbps"),
    (DataOwner::Edge, "mbps", "rate_gbps"),
    (DataOwner::Edge, "gbit", "rate_gbps"),
    (DataOwner::Edge, "length", "length_m"),
    (DataOwner::Edge, "distance", "length_m"),
    (DataOwner::Edge, "latency", "length_m"),
    (DataOwner::Edge, "delay", "length_m"),
    (DataOwner::Edge, "sourceport", "source_port"),
    (DataOwner::Edge, "targetport", "target_port"),
    (DataOwner::Node, "type", "kind"),
    (DataOwner::Node, "role", "kind"),
];

/// Data that fits only some nodes or that a graph cannot hold.
const LOST: [(DataOwner, &str, &str); 4] = [
    (DataOwner::Node, "group", "only serves the bisection: a graph is one group, also for routing"),
    (DataOwner::Node, "node", "is not used: only endpoints have it"),
    (DataOwner::Node, "nic", "is not used: only endpoints have it"),
    (DataOwner::Node, "endpoints", "is not used: only switches have it"),
];

/// Data that tools write for drawings or for themselves. Source: files of networkx 3.6, igraph,
/// Gephi 0.10 and yEd. Status: published.
const TOOLS: [(DataOwner, &[&str]); 3] = [
    (DataOwner::Graph, &["resources"]),
    (
        DataOwner::Node,
        &[
            "id",
            "_nx_name",
            "_igraph_index",
            "r",
            "g",
            "b",
            "x",
            "y",
            "z",
            "pos",
            "position",
            "color",
            "colour",
            "size",
            "shape",
        ],
    ),
    (
        DataOwner::Edge,
        &["id", "edge id", "networkx_key", "r", "g", "b", "weight", "color", "colour", "size", "shape", "thickness"],
    ),
];

/// Names less alike than this do not count as typing errors. Source: ours. Status: assumed.
const LIKENESS_MIN: f64 = 0.9;

/// Maximum number of names with a sentence of their own; the others are counted. Source: ours.
/// Status: assumed.
const TOLD_MAX: usize = 12;

/// The unit or the values of data that is used.
pub(super) fn known(domain: DataOwner, name: &str) -> Option<&'static str> {
    KNOWN.iter().find(|known| known.0 == domain && known.1 == name).map(|known| known.2)
}

/// An error: used data with a list or an object instead of a value.
pub(super) fn no_value(name: &str, place: &str, found: &str, works: &str) -> String {
    format!("{name} of {place} is {found}; one value ({works}) would work")
}

/// Whether a tool writes this data for a drawing or for itself.
fn is_of_tool(domain: DataOwner, name: &str) -> bool {
    if name.starts_with("yEd's ") {
        return true;
    }
    let plain = name.trim_start_matches("attribute ").trim_matches(['<', '>']).to_lowercase();
    let plain = plain.rsplit(':').next().unwrap_or_default();
    TOOLS.iter().any(|(owner, names)| *owner == domain && names.contains(&plain))
}

/// Sentences about all unused data.
pub(super) fn sentences(document: &GraphmlDocument) -> Vec<String> {
    let mut sentences = Vec::new();
    let mut others: BTreeMap<DataOwner, Vec<String>> = BTreeMap::new();
    for ((domain, name), count) in document.unused.iter().filter(|((domain, name), _)| !is_of_tool(*domain, name)) {
        let what = what(*domain, name, *count);
        if let Some((.., why)) = LOST.iter().find(|lost| lost.0 == *domain && lost.1 == &**name) {
            sentences.push(format!("{what} {why}"));
        } else if let Some((_, meant, unit)) = nearest(*domain, name) {
            sentences.push(format!("{what} is not used; did you mean `{meant}` ({unit})?"));
        } else if let Some((_, meant, unit)) = meant(*domain, name) {
            sentences.push(format!("{what} is not used; `{meant}` ({unit}) would be"));
        } else {
            others.entry(*domain).or_default().push(format!("`{name}`"));
        }
    }
    for (domain, names) in others {
        let told = names[..names.len().min(TOLD_MAX)].join(", ");
        let more = if names.len() > TOLD_MAX { format!(" and {} more", names.len() - TOLD_MAX) } else { String::new() };
        let used = KNOWN.iter().filter(|known| known.0 == domain).map(|known| known.1).collect::<Vec<_>>().join(", ");
        let plural = if domain == DataOwner::Graph { "the graph".to_owned() } else { format!("{}s", domain.name()) };
        sentences.push(format!("of {plural}, {told}{more} {} not used; used are {used}", is_or_are(names.len())));
    }
    sentences
}

fn what(domain: DataOwner, name: &str, count: usize) -> String {
    match (domain, count) {
        (DataOwner::Graph, _) => format!("`{name}` of the graph"),
        // Only a default has it.
        (domain, 0) => format!("`{name}`, a default of {}s,", domain.name()),
        (domain, 1) => format!("`{name}` of 1 {}", domain.name()),
        (domain, count) => format!("`{name}` of {count} {}s", domain.name()),
    }
}

const fn is_or_are(count: usize) -> &'static str {
    if count == 1 { "is" } else { "are" }
}

type Known = (DataOwner, &'static str, &'static str);

/// The data that a mistyped name means.
fn nearest(domain: DataOwner, name: &str) -> Option<&'static Known> {
    let plain = name.trim_start_matches("attribute ").to_lowercase();
    let likeness = |known: &Known| strsim::jaro_winkler(&plain, known.1);
    let of_domain = KNOWN.iter().filter(|known| known.0 == domain);
    let best = of_domain.max_by(|one, other| likeness(one).total_cmp(&likeness(other)))?;
    (likeness(best) >= LIKENESS_MIN).then_some(best)
}

/// The data that a name of another program may mean.
fn meant(domain: DataOwner, name: &str) -> Option<&'static Known> {
    let plain = name.to_lowercase();
    let (.., used) = MEANT.iter().find(|meant| meant.0 == domain && plain.contains(meant.1))?;
    KNOWN.iter().find(|known| known.0 == domain && known.1 == *used)
}
