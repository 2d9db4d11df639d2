//! What crossed the provider, as its endpoints have written it down.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde_json::Value;

/// What crossed the endpoints of a process.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Traffic {
    /// The number of the process in its job, where its launcher has told it.
    pub rank: Option<u64>,
    /// The process.
    pub process: u64,
    /// Its endpoints.
    pub endpoints: u64,
    /// Counts by name, those of its endpoints together.
    pub counts: BTreeMap<String, u64>,
}

/// Reads the files of a folder, by rank, then by process.
///
/// # Errors
/// A file that cannot be read or is none of the provider's: its path and what is wrong with it.
pub fn read_traffic(folder: &Path) -> Result<Vec<Traffic>, (PathBuf, String)> {
    let mut processes: BTreeMap<(u64, u64), Traffic> = BTreeMap::new();
    let entries = std::fs::read_dir(folder).map_err(|error| (folder.to_owned(), error.to_string()))?;
    for entry in entries.flatten().filter(|entry| entry.path().extension().is_some_and(|end| end == "json")) {
        let wrong = |what: String| (entry.path(), what);
        let text = std::fs::read_to_string(entry.path()).map_err(|error| wrong(error.to_string()))?;
        let found: Value = serde_json::from_str(&text).map_err(|error| wrong(error.to_string()))?;
        let counts = found.as_object().ok_or_else(|| wrong("it is no object".to_owned()))?;
        let number = |name: &str| counts.get(name).and_then(Value::as_u64);
        let process = number("process").ok_or_else(|| wrong("it names no process".to_owned()))?;
        let rank = number("rank");
        let traffic = processes.entry((rank.unwrap_or(u64::MAX), process)).or_default();
        (traffic.rank, traffic.process) = (rank, process);
        traffic.endpoints += 1;
        for (name, count) in counts {
            if let (false, Some(count)) = (["process", "rank", "pid", "vni"].contains(&name.as_str()), count.as_u64()) {
                *traffic.counts.entry(name.clone()).or_default() += count;
            }
        }
    }
    Ok(processes.into_values().collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_process_is_the_sum_of_its_endpoints() {
        let folder = std::env::temp_dir().join(format!("philae-launch-traffic-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        let write = |name: &str, text: &str| std::fs::write(folder.join(name), text).expect("a file");
        write("9-0.json", r#"{"process":9,"rank":0,"pid":0,"vni":10,"sends":3,"sent_bytes":24}"#);
        write("9-1.json", r#"{"process":9,"rank":0,"pid":1,"vni":10,"sends":2,"sent_bytes":8}"#);
        write("7-2.json", r#"{"process":7,"rank":1,"pid":2,"vni":10,"sends":1}"#);
        write("other.txt", "not ours");
        let found = read_traffic(&folder).expect("all well");
        let sends: Vec<_> =
            found.iter().map(|one| (one.rank, one.process, one.endpoints, one.counts["sends"])).collect();
        assert_eq!(sends, [(Some(0), 9, 2, 5), (Some(1), 7, 1, 1)]);
        assert_eq!(found[0].counts["sent_bytes"], 32);
        write("bad.json", "{");
        assert!(read_traffic(&folder).expect_err("no JSON").0.ends_with("bad.json"));
        std::fs::remove_dir_all(folder).expect("it goes");
    }
}
