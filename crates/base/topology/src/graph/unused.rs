//! Data of a file that a system cannot use: one sentence each, with the data that would be used
//! instead.

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

/// Data of our own export that a graph cannot hold.
const LOST: [(DataOwner, &str, &str); 1] = [(DataOwner::Node, "group", "a graph is one group, also for routing")];

/// Names less alike than this do not count as typing errors. Source: ours. Status: assumed.
const LIKENESS_MIN: f64 = 0.9;

/// Maximum number of names with a sentence of their own; the others are counted. Source: ours.
/// Status: assumed.
const TOLD_MAX: usize = 12;

/// Whether data of an edge is used.
pub(super) fn is_known_of_edge(name: &str) -> bool {
    KNOWN.iter().any(|known| known.0 == DataOwner::Edge && known.1 == name)
}

/// Sentences about all unused data.
pub(super) fn sentences(document: &GraphmlDocument) -> Vec<String> {
    let mut sentences = Vec::new();
    let mut others: BTreeMap<DataOwner, Vec<String>> = BTreeMap::new();
    for ((domain, name), count) in &document.unused {
        let what = what(*domain, name, *count);
        if let Some((.., why)) = LOST.iter().find(|lost| lost.0 == *domain && lost.1 == &**name) {
            sentences.push(format!("{what} is not used: {why}"));
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
