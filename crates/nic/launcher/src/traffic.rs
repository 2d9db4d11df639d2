//! Reads the traffic through the provider, as its endpoints recorded it.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde_json::Value;

/// The traffic of the endpoints of one process.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ProcessTraffic {
    /// The rank of the process in its job, if its launcher told it.
    pub rank: Option<u64>,
    /// The process number.
    pub process: u64,
    /// The number of its endpoints.
    pub endpoints: u64,
    /// Counts by name, summed over its endpoints.
    pub counts: BTreeMap<String, u64>,
    /// The traffic with each other process, by its rank, then by its process number.
    pub peers: Vec<PeerTraffic>,
}

/// The traffic of one process with another, in both directions.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PeerTraffic {
    /// The other's rank in its job, if known.
    pub rank: Option<u64>,
    /// The other's process number; `None` if it has left no counts, or if its address was removed
    /// before they were written.
    pub process: Option<u64>,
    /// Counts by name, of all endpoints of the two.
    pub counts: BTreeMap<String, u64>,
}

/// The location of an endpoint: host, NIC number there, virtual network, and process number.
type Place = (String, u64, u64, u64);

/// The location that a JSON object names.
fn place(found: &Value) -> Option<Place> {
    let number = |name: &str| found.get(name).and_then(Value::as_u64);
    Some((found.get("host")?.as_str()?.to_owned(), number("device")?, number("vni")?, number("pid")?))
}

/// Adds the numbers of a JSON object, except for those that identify it.
fn add(counts: &mut BTreeMap<String, u64>, found: &serde_json::Map<String, Value>) {
    for (name, count) in found {
        if let (false, Some(count)) = (ABOUT.contains(&name.as_str()), count.as_u64()) {
            *counts.entry(name.clone()).or_default() += count;
        }
    }
}

const ABOUT: [&str; 6] = ["process", "rank", "pid", "vni", "host", "device"];

/// Reads the files of a folder, by rank, then by process number.
///
/// # Errors
/// A file that cannot be read or is not of the provider: its path and the problem.
pub fn read_traffic(folder: &Path) -> Result<Vec<ProcessTraffic>, (PathBuf, String)> {
    let mut processes: BTreeMap<(u64, u64), ProcessTraffic> = BTreeMap::new();
    // The owners of the endpoints, and the traffic between a process and a location.
    let mut owners: BTreeMap<Place, (u64, u64)> = BTreeMap::new();
    let mut between: Vec<((u64, u64), Value)> = Vec::new();
    let entries = std::fs::read_dir(folder).map_err(|error| (folder.to_owned(), error.to_string()))?;
    for entry in entries.flatten().filter(|entry| entry.path().extension().is_some_and(|end| end == "json")) {
        let wrong = |what: String| (entry.path(), what);
        let text = std::fs::read_to_string(entry.path()).map_err(|error| wrong(error.to_string()))?;
        let found: Value = serde_json::from_str(&text).map_err(|error| wrong(error.to_string()))?;
        let counts = found.as_object().ok_or_else(|| wrong("it is not an object".to_owned()))?;
        let number = |name: &str| counts.get(name).and_then(Value::as_u64);
        let process = number("process").ok_or_else(|| wrong("it has no process".to_owned()))?;
        let rank = number("rank");
        let key = (rank.unwrap_or(u64::MAX), process);
        if let Some(place) = place(&found) {
            owners.insert(place, key);
        }
        let peers = found.get("peers").and_then(Value::as_array).into_iter().flatten();
        between.extend(peers.map(|peer| (key, peer.clone())));
        let traffic = processes.entry(key).or_default();
        (traffic.rank, traffic.process) = (rank, process);
        traffic.endpoints += 1;
        add(&mut traffic.counts, counts);
    }
    // Endpoints of one process are one peer; so are those that no process has reported.
    let mut sums: BTreeMap<[(u64, u64); 2], BTreeMap<String, u64>> = BTreeMap::new();
    for (from, peer) in &between {
        let to = place(peer).and_then(|place| owners.get(&place).copied()).unwrap_or((u64::MAX, u64::MAX));
        if let Some(counts) = peer.as_object() {
            add(sums.entry([*from, to]).or_default(), counts);
        }
    }
    for ([from, (rank, process)], counts) in sums {
        let known = |number: u64| (number != u64::MAX).then_some(number);
        let peer = PeerTraffic { rank: known(rank), process: known(process), counts };
        processes.entry(from).or_default().peers.push(peer);
    }
    Ok(processes.into_values().collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_process_is_the_sum_of_its_endpoints() {
        let folder = tempfile::tempdir().expect("a folder");
        let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).expect("a file");
        write("9-0.json", r#"{"process":9,"rank":0,"pid":0,"vni":10,"sends":3,"sent_bytes":24}"#);
        write("9-1.json", r#"{"process":9,"rank":0,"pid":1,"vni":10,"sends":2,"sent_bytes":8}"#);
        write("7-2.json", r#"{"process":7,"rank":1,"pid":2,"vni":10,"sends":1}"#);
        write("other.txt", "not ours");
        let found = read_traffic(folder.path()).expect("all well");
        let sends: Vec<_> =
            found.iter().map(|one| (one.rank, one.process, one.endpoints, one.counts["sends"])).collect();
        assert_eq!(sends, [(Some(0), 9, 2, 5), (Some(1), 7, 1, 1)]);
        assert_eq!(found[0].counts["sent_bytes"], 32);
        assert!(found[0].peers.is_empty());
        write("bad.json", "{");
        assert!(read_traffic(folder.path()).expect_err("no JSON").0.ends_with("bad.json"));
    }

    #[test]
    fn peers_are_processes_whatever_endpoints_they_have() {
        let folder = tempfile::tempdir().expect("a folder");
        let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).expect("a file");
        let here = r#""host":"0a","device":0,"vni":10"#;
        let peers = format!(
            r#"[{{{here},"pid":2,"sends":4,"eager":4}},{{{here},"pid":3,"sends":1}},{{{here},"pid":9,"sends":7}},{{"sends":1}}]"#
        );
        write("9-0.json", &format!(r#"{{"process":9,"rank":0,"pid":0,{here},"sends":13,"peers":{peers}}}"#));
        write("7-2.json", &format!(r#"{{"process":7,"rank":1,"pid":2,{here},"sends":0}}"#));
        write("7-3.json", &format!(r#"{{"process":7,"rank":1,"pid":3,{here},"sends":0}}"#));
        let found = read_traffic(folder.path()).expect("all well");
        let peers: Vec<_> = found[0].peers.iter().map(|peer| (peer.rank, peer.process, peer.counts["sends"])).collect();
        assert_eq!(peers, [(Some(1), Some(7), 5), (None, None, 8)]);
        assert_eq!(found[0].peers[0].counts["eager"], 4);
        assert_eq!((found[0].counts["sends"], found[1].peers.len()), (13, 0));
    }
}
