//! Recognises files of other tools that are not schedules, and says what would work.

use philae_units::WideEncoding;

/// The first bytes of binary files, and what would work instead.
const KINDS: [(&[u8], &str); 9] = [
    (b"\x1f\x8b", "compressed with gzip, and not decompressed"),
    (b"\xfd7zXZ\0", "compressed with xz: decompressed, or compressed with gzip, it would work"),
    (b"\x28\xb5\x2f\xfd", "compressed with zstd: decompressed, or compressed with gzip, it would work"),
    (b"BZh", "compressed with bzip2: decompressed, or compressed with gzip, it would work"),
    (b"PK\x03\x04", "a zip archive: the extracted files would work"),
    (b"PAR1", "a Parquet table, as in a result: `philae export` reads their folder"),
    (b"OTF2", OTF2),
    (b"SQLite format 3", "an SQLite database, such as a profile of Nsight Systems"),
    (b"\n\r\r\n", "packets captured as pcapng"),
];

/// Bytes at the beginning of a file that are looked at.
const HEAD_BYTES: usize = 1 << 16;

const GRAPH: &str = "a graph: `philae describe` and `system` of a scenario read it";
const OTF2: &str = "an OTF2 archive: philae-otf2 of the Python package converts it to a time-independent trace";

/// The kind of a file whose content shows it without doubt, whatever its name.
#[must_use]
pub fn marked_kind(bytes: &[u8]) -> Option<&'static str> {
    if let Some((_, words)) = KINDS.iter().find(|(magic, _)| bytes.starts_with(magic)) {
        return Some(words);
    }
    match WideEncoding::of(bytes) {
        Some(WideEncoding::Utf16Le | WideEncoding::Utf16Be) => return Some("text in UTF-16: UTF-8 would work"),
        Some(WideEncoding::Utf32Le | WideEncoding::Utf32Be) => return Some("text in UTF-32: UTF-8 would work"),
        None => {}
    }
    let text = String::from_utf8_lossy(&bytes[..bytes.len().min(HEAD_BYTES)]);
    let text = text.trim_start_matches('\u{feff}').trim_start();
    if text.starts_with('<') {
        return (text.contains("<graphml") || text.contains("<gexf")).then_some(GRAPH);
    }
    let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    let first = lines.clone().next()?;
    if ["[JOB_ID]", "[NID_LIST]", "[MOTIF]"].iter().any(|word| first.starts_with(word)) {
        return Some("a load file of SST: `philae trace scenario` converts it to a scenario");
    }
    if lines.clone().any(is_device) {
        return Some("a netlist of ibnetdiscover or ibsim: `philae describe` and `system` of a scenario read it");
    }
    if lines.any(is_cabling) {
        return Some("point-to-point cabling: `philae describe` and `system` of a scenario read it");
    }
    None
}

/// The kind of a file that no format reads, as far as its name and content show.
#[must_use]
pub fn other_kind(name: &str, bytes: &[u8]) -> Option<&'static str> {
    if let Some(words) = marked_kind(bytes) {
        return Some(words);
    }
    let text = String::from_utf8_lossy(&bytes[..bytes.len().min(HEAD_BYTES)]);
    let text = text.trim_start_matches('\u{feff}').trim_start();
    if bytes.iter().all(u8::is_ascii_whitespace) {
        return Some("an empty file");
    }
    let is_section =
        text.strip_prefix('[').is_some_and(|rest| rest.starts_with(|letter: char| letter.is_ascii_uppercase()));
    if text.starts_with(['{', '[']) && !is_section {
        return Some(of_json(text));
    }
    if text.starts_with("#!") {
        return Some("a script");
    }
    if text.starts_with("<?xml") || text.starts_with('<') {
        return Some(match text.contains("<graphml") {
            true => GRAPH,
            false if text.to_ascii_lowercase().contains("<html") => "a page in HTML, such as a report",
            false => "XML, such as a platform of SimGrid",
        });
    }
    if name.ends_with(".otf2") {
        return Some(OTF2);
    }
    let first = text.lines().find(|line| !line.trim().is_empty())?.trim();
    if is_dotted(first) {
        return Some("counters of a port, as perfquery prints them");
    }
    let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#')).peekable();
    lines.peek()?;
    if lines.clone().all(|line| line.parse::<f64>().is_ok()) {
        return Some("a column of numbers");
    }
    if lines.all(|line| line.contains(',') && !line.contains(';')) {
        return Some("a table with commas, such as a list of cables");
    }
    None
}

/// `Switch  24 "S-005442ba00003080"`, as ibnetdiscover writes its devices.
fn is_device(line: &str) -> bool {
    let mut words = line.split_whitespace();
    words.next().is_some_and(|word| ["Switch", "Ca", "Hca", "Rt"].contains(&word))
        && words.next().is_some_and(|word| word.parse::<u16>().is_ok())
        && words.next().is_some_and(|word| word.starts_with('"'))
}

/// The header of point-to-point cabling, with any separator of columns.
fn is_cabling(line: &str) -> bool {
    let rest = line.trim_start_matches('"').strip_prefix("cable_id");
    rest.is_some_and(|rest| rest.trim_start_matches('"').starts_with([',', ';', '\t']))
}

/// `PortSelect:......................1`
fn is_dotted(line: &str) -> bool {
    line.split_once(':').is_some_and(|(name, value)| !name.contains(char::is_whitespace) && value.starts_with("..."))
}

/// The kind of JSON, by keys near its beginning.
fn of_json(text: &str) -> &'static str {
    let has = |keys: &[&str]| keys.iter().any(|key| text.contains(&format!("\"{key}\"")));
    let outer = outer_keys(text);
    let is = |keys: &[&str]| keys.iter().all(|key| outer.iter().any(|found| found == key));
    if is(&["status", "simulated_ps", "digest"]) {
        "part of a result of `philae simulate`: `philae compare` and `philae export` read its folder"
    } else if is(&["experiment", "rows", "data"]) {
        "a study of `philae reproduce`: `philae compare` reads it"
    } else if is(&["version", "scenario", "grid"]) || is(&["status", "error", "figures"]) {
        "part of a sweep of `philae sweep`: `philae export` reads its folder"
    } else if has(&["traceEvents"]) {
        "a trace of PyTorch's profiler (Kineto) or of Chrome: chakra_trace_link and chakra_converter convert it to .et files"
    } else if has(&["workload_graph", "NodeType", "ctrlDeps", "durationMicros", "duration_micros"])
        || text.contains("_NODE\"")
    {
        "a Chakra trace as JSON, for reading: the .et file that it was made from would work"
    } else if is(&["schema", "nodes"]) || has(&["op_schema", "ctrl_deps", "rf_id"]) && has(&["nodes", "schema"]) {
        "an execution trace of PyTorch: chakra_converter converts it to .et files"
    } else if has(&["scheduling-policy", "logical-dims", "active-chunks-per-dimension", "all-reduce-implementation"]) {
        "settings of another simulator: ASTRA-sim's choice of algorithms or its logical dimensions"
    } else if is(&["nodes", "links"]) || is(&["nodes", "edges"]) {
        "a graph as networkx writes it: `philae describe` and `system` of a scenario read it"
    } else {
        "JSON of another kind"
    }
}

/// The keys of the outermost object, as far as the text goes.
fn outer_keys(text: &str) -> Vec<&str> {
    let (mut keys, mut depth, mut begun, mut last) = (Vec::new(), 0_u32, None, None);
    let mut letters = text.char_indices();
    while let Some((at, letter)) = letters.next() {
        match (begun, letter) {
            (Some(from), '"') => (last, begun) = (Some(&text[from..at]), None),
            (Some(_), '\\') => _ = letters.next(),
            (Some(_), _) => {}
            (None, '"') => begun = Some(at + 1),
            (None, ':') if depth == 1 => keys.extend(last.take()),
            (None, '{' | '[') => depth += 1,
            (None, '}' | ']') => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    keys
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_other_tools_are_named() {
        for (text, words) in [
            ("", "empty"),
            (" \n\r\n", "empty"),
            ("\u{feff}{\"workload_graph\": [{\"Id\": 1, \"NodeType\": 4}]}", "Chakra trace as JSON"),
            ("{\"schema\": \"1.1.1-chakra.0.0.4\", \"nodes\": [{\"id\": 1, \"ctrl_deps\": 2}]}", "PyTorch"),
            ("{\"traceEvents\": []}", "Kineto"),
            ("{\"scheduling-policy\": \"LIFO\"}", "ASTRA-sim"),
            ("{\"nodes\": [], \"links\": []}", "networkx"),
            ("{\"jobs\": [{\"nodes\": 4}], \"links\": []}", "another kind"),
            ("{\"status\": \"completed\", \"simulated_ps\": 1, \"digest\": \"0\", \"links\": []}", "a result of"),
            ("{\"version\": \"1\", \"scenario\": \"a.toml\", \"grid\": {}}", "a sweep of"),
            ("{\"experiment\": \"fig9\", \"rows\": [], \"data\": {}}", "a study of"),
            ("{\"version\": \"0.0.4\"}\n{\"id\": 1, \"type\": \"COMP_NODE\"}", "Chakra trace as JSON"),
            ("{\"schema\": \"1.0.2-chakra.0.0.4\", \"nodes\": []}", "PyTorch"),
            ("[1, 2]", "another kind"),
            ("#\n# Topology file\n\nvendid=0x2c9\nSwitch\t40 \"S-1\"\t\t# \"leaf\"\n[1]\t\"H-1\"[1]\n", "a netlist"),
            ("# remark,,\ncable_id,src_conn_a,src_conn_b\n1,x1c0r1j1,none\n", "point-to-point cabling"),
            ("cable_id;src_conn_a;src_conn_b\n", "point-to-point cabling"),
            ("cable_id\tsrc_conn_a\tsrc_conn_b\n", "point-to-point cabling"),
            ("1,x1000c0r1j1,none\n", "a table with commas"),
            ("#!/bin/sh\nmake\n", "script"),
            ("n\0u\0m\0", "UTF-16"),
            ("n\0\0\0u\0\0\0", "UTF-32"),
            ("<?xml version='1.0'?>\n<graphml/>", "graph"),
            ("<?xml version='1.0'?>\n<platform/>", "SimGrid"),
            ("<!DOCTYPE html>\n<html><body>", "HTML"),
            ("PAR1\u{15}\u{4}", "Parquet"),
            ("PortSelect:......................1\nXmitData:..................1000\n", "perfquery"),
            ("9.216\n9.216\n", "column of numbers"),
            ("[JOB_ID] 10\n\n[NID_LIST] 0-7\n", "philae trace scenario"),
            ("cable_1,x1000c0r1j1,none\n", "list of cables"),
        ] {
            let found = other_kind("file", text.as_bytes()).unwrap_or("nothing");
            assert!(found.contains(words), "{text}: {found}");
        }
        for (magic, _) in KINDS {
            assert!(other_kind("file", magic).is_some(), "{magic:?}");
        }
        assert_eq!(outer_keys("{\"a:\\\"b\": {\"c\": 1}, \"d\": [\"e\", {\"f\": 2}], \"g\""), ["a:\\\"b", "d"]);
        assert_eq!(other_kind("file", b"some words\nof prose\n"), None);
    }
}
