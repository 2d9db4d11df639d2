//! Data of a file that a system cannot use: one sentence each, with the data that would be used
//! instead.

use super::document::{Document, Domain};
use std::collections::BTreeMap;

/// Used data: its owner, its name, and its unit or values.
const KNOWN: [(Domain, &str, &str); 21] = [
    (Domain::Graph, "name", "text"),
    (Domain::Graph, "summary", "text"),
    (Domain::Graph, "switch", "name of a preset"),
    (Domain::Graph, "nic", "name of a preset"),
    (Domain::Graph, "congestion", "name of a law"),
    (Domain::Graph, "radix", "ports of a switch"),
    (Domain::Graph, "fabrics", "a number"),
    (Domain::Graph, "endpoints_per_switch", "a number"),
    (Domain::Node, "kind", "switch, endpoint or host"),
    (Domain::Node, "node", "the same for NICs of a node"),
    (Domain::Node, "nic", "a number, among the NICs of a node"),
    (Domain::Node, "endpoints", "a number, of a switch"),
    (Domain::Node, "label", "what it is called"),
    (Domain::Node, "name", "what it is called"),
    (Domain::Edge, "length_m", "metres"),
    (Domain::Edge, "rate_gbps", "Gb/s"),
    (Domain::Edge, "source_port", "a number"),
    (Domain::Edge, "target_port", "a number"),
    (Domain::Edge, "global", "true or false"),
    (Domain::Edge, "role", "edge, local or global"),
    (Domain::Edge, "medium", "backplane, copper or optical"),
];

/// Words in names of other programs, and the data that they may mean.
const MEANT: [(Domain, &str, &str); 16] = [
    (Domain::Edge, "rate", "rate_gbps"),
    (Domain::Edge, "speed", "rate_gbps"),
    (Domain::Edge, "bandwidth", "rate_gbps"),
    (Domain::Edge, "capacity", "rate_gbps"),
    (Domain::Edge, "throughput", "rate_gbps"),
    (Domain::Edge, "gbps", "rate_gbps"),
    (Domain::Edge, "mbps", "rate_gbps"),
    (Domain::Edge, "gbit", "rate_gbps"),
    (Domain::Edge, "length", "length_m"),
    (Domain::Edge, "distance", "length_m"),
    (Domain::Edge, "latency", "length_m"),
    (Domain::Edge, "delay", "length_m"),
    (Domain::Edge, "sourceport", "source_port"),
    (Domain::Edge, "targetport", "target_port"),
    (Domain::Node, "type", "kind"),
    (Domain::Node, "role", "kind"),
];

/// Data of our own export that a graph cannot hold.
const LOST: [(Domain, &str, &str); 1] = [(Domain::Node, "group", "a graph is one group, also for routing")];

/// Names less alike than this do not count as typing errors. Source: ours. Status: assumed.
const LIKENESS_MIN: f64 = 0.9;

/// Maximum number of names with a sentence of their own; the others are counted. Source: ours.
/// Status: assumed.
const TOLD_MAX: usize = 12;

/// Whether data of an edge is used.
pub(super) fn is_known_of_edge(name: &str) -> bool {
    KNOWN.iter().any(|known| known.0 == Domain::Edge && known.1 == name)
}

/// Sentences about all unused data.
pub(super) fn sentences(document: &Document) -> Vec<String> {
    let mut sentences = Vec::new();
    let mut others: BTreeMap<Domain, Vec<String>> = BTreeMap::new();
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
        let plural = if domain == Domain::Graph { "the graph".to_owned() } else { format!("{}s", domain.name()) };
        sentences.push(format!("of {plural}, {told}{more} {} not used; used are {used}", is_or_are(names.len())));
    }
    sentences
}

fn what(domain: Domain, name: &str, count: usize) -> String {
    match (domain, count) {
        (Domain::Graph, _) => format!("`{name}` of the graph"),
        // Only a default has it.
        (domain, 0) => format!("`{name}`, a default of {}s,", domain.name()),
        (domain, 1) => format!("`{name}` of 1 {}", domain.name()),
        (domain, count) => format!("`{name}` of {count} {}s", domain.name()),
    }
}

const fn is_or_are(count: usize) -> &'static str {
    if count == 1 { "is" } else { "are" }
}

type Known = (Domain, &'static str, &'static str);

/// The data that a mistyped name means.
fn nearest(domain: Domain, name: &str) -> Option<&'static Known> {
    let plain = name.trim_start_matches("attribute ").to_lowercase();
    let likeness = |known: &Known| strsim::jaro_winkler(&plain, known.1);
    let of_domain = KNOWN.iter().filter(|known| known.0 == domain);
    let best = of_domain.max_by(|one, other| likeness(one).total_cmp(&likeness(other)))?;
    (likeness(best) >= LIKENESS_MIN).then_some(best)
}

/// The data that a name of another program may mean.
fn meant(domain: Domain, name: &str) -> Option<&'static Known> {
    let plain = name.to_lowercase();
    let (.., used) = MEANT.iter().find(|meant| meant.0 == domain && plain.contains(meant.1))?;
    KNOWN.iter().find(|known| known.0 == domain && known.1 == *used)
}
