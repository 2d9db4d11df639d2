//! Checks that the glossary has every term that the code uses, each once, on one line, with its
//! source.

use crate::Finding;

/// The required terms. A new word in the code is first a line in the glossary.
pub const TERMS: &[&str] = &[
    "accepted load",
    "ack",
    "ACL",
    "active set",
    "activity",
    "actor",
    "adaptive",
    "admission",
    "aggressor",
    "allocation",
    "AMA",
    "AMO",
    "assumed",
    "assured bandwidth",
    "attestation",
    "back-pressure",
    "barrier group",
    "bias",
    "bisection",
    "blast radius",
    "block",
    "bundle",
    "calendar",
    "calibrate",
    "canary",
    "capture",
    "ceiling",
    "change",
    "change set",
    "channel class",
    "checkpoint",
    "codeword",
    "collective area",
    "column channel",
    "command queue",
    "composition",
    "congestion impact",
    "congestor",
    "connection matrix",
    "control page",
    "credit",
    "crossbar output",
    "DCQCN",
    "delivered load",
    "derived",
    "DFA",
    "digest",
    "doorbell",
    "dragonfly",
    "driver",
    "eager",
    "ECN",
    "edge port",
    "encapsulation",
    "endpoint",
    "endpoint congestion",
    "enhancement",
    "epoch",
    "explanation",
    "extent",
    "fabric gateway",
    "fabric header",
    "fabric template",
    "fat tree",
    "FCS",
    "FEC",
    "FGFC",
    "fidelity",
    "flap",
    "flow",
    "flow signature",
    "fluid",
    "freeze",
    "gap",
    "gateway",
    "global port",
    "GOAL",
    "gradient bucket",
    "grant",
    "group",
    "group commit",
    "headerless frame",
    "hop",
    "ICRC",
    "idempotency key",
    "in-band telemetry",
    "incast",
    "injection limit",
    "inline command (IDC)",
    "intent",
    "interleaved allocation",
    "intermediate congestion",
    "jack",
    "Jain index",
    "join token",
    "lane",
    "lease",
    "linear allocation",
    "link-level retry",
    "list entry",
    "LLDP",
    "local port",
    "LogGOPS",
    "lookahead",
    "maintenance window",
    "match mode",
    "match-action",
    "measured",
    "micro-batch",
    "minimal",
    "motif",
    "multicast",
    "nack",
    "NIC",
    "NID",
    "node",
    "nonminimal",
    "occupancy",
    "offered load",
    "overflow buffer",
    "p99",
    "packet engine",
    "packet-hop",
    "partition",
    "pause-too-long",
    "PE",
    "PFC",
    "phase",
    "PMI",
    "port policy",
    "port roles",
    "portal",
    "PPN",
    "predict",
    "published",
    "random allocation",
    "rank program",
    "receive-side scaling",
    "reduction engine",
    "rendezvous",
    "replay",
    "reproducible sum",
    "request",
    "reserved bandwidth",
    "retransmission",
    "revision",
    "RoCEv2",
    "row bus",
    "scenario",
    "section",
    "selector",
    "session",
    "snapshot",
    "sojourn time",
    "split port",
    "SPT index",
    "standby",
    "status",
    "switch",
    "symmetric",
    "taper",
    "tenant",
    "ternary match",
    "third-party endpoint",
    "tile",
    "Toeplitz hash",
    "trace",
    "traffic class",
    "trigger",
    "Valiant",
    "verdict",
    "victim",
    "VNI",
    "VOQ",
    "VXLAN",
    "watch",
    "workload",
    "xname",
];

/// Finds terms of the glossary that are missing, duplicated, out of order, or without a source.
///
/// An entry is a line `- **term**: meaning. [source]`.
#[must_use]
pub fn problems(path: &str, text: &str, terms: &[&str]) -> Vec<Finding> {
    let mut findings = Vec::new();
    let mut names: Vec<&str> = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let Some(entry) = line.strip_prefix("- **") else { continue };
        let Some((name, meaning)) = entry.split_once("**: ") else {
            findings.push(Finding::new(path, index + 1, "an entry is `- **term**: meaning. [source]`"));
            continue;
        };
        if !(meaning.ends_with(']') && meaning.contains(" [")) {
            findings.push(Finding::new(path, index + 1, format!("`{name}` has no source in brackets at its end")));
        }
        let before = names.last().filter(|last| name.to_lowercase() <= last.to_lowercase());
        if let Some(last) = before {
            findings.push(Finding::new(
                path,
                index + 1,
                format!("`{name}` must come after `{last}` and be there once"),
            ));
        }
        names.push(name);
    }
    let missing = terms.iter().filter(|term| !names.contains(*term));
    findings.extend(missing.map(|term| Finding::new(path, 0, format!("the term `{term}` is missing"))));
    findings
}

/// Finds sources that say nothing: each part of a source, between semicolons, begins with a name of
/// the table of sources, or has a year, a number or a section in it.
#[must_use]
pub fn unknown_sources(path: &str, text: &str) -> Vec<Finding> {
    let rows = text.lines().take_while(|line| !line.starts_with("- **"));
    let known: Vec<&str> = rows.filter_map(first_cell).filter(|name| *name != "source").collect();
    let is_known = |part: &str| {
        part.contains(|sign: char| sign.is_ascii_digit())
            || known.iter().any(|name| {
                part.strip_prefix(name).is_some_and(|rest| !rest.starts_with(|sign: char| sign.is_alphanumeric()))
            })
    };
    let mut findings = Vec::new();
    for (index, line) in text.lines().enumerate().filter(|(_, line)| line.starts_with("- **")) {
        let Some(source) = line.rsplit_once('[').and_then(|(_, rest)| rest.strip_suffix(']')) else { continue };
        let unknown = source.split(';').map(str::trim).filter(|part| !is_known(part));
        findings.extend(unknown.map(|part| {
            Finding::new(path, index + 1, format!("the source `{part}` has no year and is not in the table of sources"))
        }));
    }
    findings
}

/// Finds crates without a row `| `name` | what it is |`, and rows of crates that are not there.
#[must_use]
pub fn other_crates(path: &str, text: &str, crates: &[&str]) -> Vec<Finding> {
    let rows: Vec<&str> = text
        .lines()
        .filter_map(first_cell)
        .filter_map(|cell| cell.strip_prefix('`').and_then(|cell| cell.strip_suffix('`')))
        .collect();
    let missing = crates.iter().filter(|name| !rows.contains(*name)).map(|name| (name, "has no row"));
    let gone = rows.iter().filter(|name| !crates.contains(*name)).map(|name| (name, "has a row and is not there"));
    missing.chain(gone).map(|(name, what)| Finding::new(path, 0, format!("the crate `{name}` {what}"))).collect()
}

/// The first cell of a table's row.
fn first_cell(line: &str) -> Option<&str> {
    line.strip_prefix("| ").and_then(|row| row.split_once(" | ")).map(|(cell, _)| cell)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_source_is_in_the_table_or_has_a_year() {
        let table = "| source | what it is |\n|---|---|\n| SC20 | A paper |\n| ours | Our own |\n\n";
        let of = |source: &str| unknown_sources("GLOSSARY.md", &format!("{table}- **ack**: It. [{source}]\n")).len();
        for right in ["SC20", "SC20 section 2", "ours, after GOAL", "Hoefler et al. 2009; ours", "RFC 9315"] {
            assert_eq!(of(right), 0, "{right}");
        }
        assert_eq!(of("SC20; the literature"), 1);
        assert_eq!(of("oursons"), 1);
    }

    #[test]
    fn each_crate_has_a_row() {
        let text = "| crate | what it is |\n|---|---|\n| `wire` | Formats |\n| `gone` | Nothing |\n";
        let found: Vec<String> =
            other_crates("GLOSSARY.md", text, &["fabric", "wire"]).iter().map(ToString::to_string).collect();
        assert_eq!(found.len(), 2, "{found:?}");
        assert!(found[0].contains("`fabric` has no row") && found[1].contains("`gone` has a row"), "{found:?}");
    }

    #[test]
    fn a_complete_glossary_passes() {
        let text = "# Glossary\n\n- **ack**: It comes back. [SC20]\n- **VOQ**: A queue. [SC20]\n";
        assert!(problems("GLOSSARY.md", text, &["ack", "VOQ"]).is_empty());
    }

    #[test]
    fn a_missing_term_a_second_line_a_wrong_place_and_no_source_are_caught() {
        assert_eq!(problems("GLOSSARY.md", "", &["ack"]).len(), 1);
        assert_eq!(problems("GLOSSARY.md", "- **ack**: It. [SC20]\n- **ack**: It. [SC20]\n", &["ack"]).len(), 1);
        assert_eq!(problems("GLOSSARY.md", "- **VOQ**: It. [SC20]\n- **ack**: It. [SC20]\n", &["ack"]).len(), 1);
        assert_eq!(problems("GLOSSARY.md", "- **ack**: It.\n", &["ack"]).len(), 1);
        assert_eq!(problems("GLOSSARY.md", "- **ack** It. [SC20]\n", &[]).len(), 1);
    }
}
