//! The log of the fabric's events, in two files of bounded size in the state directory. It outlives
//! the manager.
//!
//! The manager never waits for the disk: a thread of its own writes, and events that it cannot
//! write in time are counted and dropped. Readers skip a line that a crash has cut off.

use std::fs::{File, OpenOptions};
use std::io::{BufRead, BufReader, BufWriter, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{self, Receiver, SyncSender};
use std::sync::{Arc, Mutex, PoisonError};

use philae_inventory::PlannedFabric;
use serde_json::{Value, json};

use crate::clock::now_micros;
use crate::events::FabricEvent;

/// Size at which the file is renamed and a new one begun, bytes: two are kept.
///
/// Source: ours: some 50,000 events each. Status: assumed.
const FILE_BYTES: u64 = 8 << 20;
/// Events that wait for the disk; more are dropped, and counted.
///
/// Source: ours: both ends of all links of some hundred switches. Status: assumed.
const WAITING: usize = 16_384;

#[derive(Clone, Debug)]
pub struct EventLog {
    path: PathBuf,
    sender: SyncSender<Arc<FabricEvent>>,
    left_out: Arc<AtomicU64>,
    /// Why nothing can be written; `None` if it can.
    problem: Arc<Mutex<Option<String>>>,
}

impl EventLog {
    /// Opens the log of a state directory, or creates it.
    ///
    /// # Errors
    /// When the system starts no thread.
    pub fn open(state: &Path, fabric: Arc<PlannedFabric>) -> std::io::Result<Self> {
        let (sender, events) = mpsc::sync_channel(WAITING);
        let path = state.join("events.jsonl");
        let log = Self { path: path.clone(), sender, left_out: Arc::default(), problem: Arc::default() };
        let problem = Arc::clone(&log.problem);
        std::thread::Builder::new()
            .name("events".to_owned())
            .spawn(move || keep(&Keeper { path, fabric, problem }, &events))?;
        Ok(log)
    }

    /// Queues an event for the disk.
    pub fn keep(&self, event: Arc<FabricEvent>) {
        if self.sender.try_send(event).is_err() {
            self.left_out.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// Events dropped since the manager began.
    #[must_use]
    pub fn left_out(&self) -> u64 {
        self.left_out.load(Ordering::Relaxed)
    }

    /// Why nothing can be written; `None` if it can.
    #[must_use]
    pub fn problem(&self) -> Option<String> {
        self.problem.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The path of the log.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }
}

fn aside(path: &Path) -> PathBuf {
    path.with_file_name("events.1.jsonl")
}

struct Keeper {
    path: PathBuf,
    fabric: Arc<PlannedFabric>,
    problem: Arc<Mutex<Option<String>>>,
}

impl Keeper {
    fn open(&self) -> std::io::Result<(BufWriter<File>, u64)> {
        let mut file = OpenOptions::new().create(true).append(true).mode(0o600).open(&self.path)?;
        let size = file.metadata()?.len();
        if size > 0 && !ends_a_line(&self.path)? {
            // The previous manager was ended while it wrote.
            file.write_all(b"\n")?;
        }
        Ok((BufWriter::new(file), size))
    }

    fn tell(&self, failed: Option<String>) {
        *self.problem.lock().unwrap_or_else(PoisonError::into_inner) = failed;
    }
}

fn ends_a_line(path: &Path) -> std::io::Result<bool> {
    use std::os::unix::fs::FileExt;
    let file = File::open(path)?;
    let size = file.metadata()?.len();
    let mut last = [0];
    file.read_exact_at(&mut last, size.saturating_sub(1))?;
    Ok(last[0] == b'\n')
}

/// Writes events until all senders are gone.
fn keep(keeper: &Keeper, events: &Receiver<Arc<FabricEvent>>) {
    let mut open: Option<(BufWriter<File>, u64)> = None;
    while let Ok(first) = events.recv() {
        let written = (|| {
            let (file, size) = match &mut open {
                Some(open) => open,
                None => open.insert(keeper.open()?),
            };
            for event in std::iter::once(first).chain(events.try_iter()) {
                let line = format!("{}\n", line(&keeper.fabric, &event));
                file.write_all(line.as_bytes())?;
                *size += line.len() as u64;
            }
            file.flush()?;
            let full = *size >= FILE_BYTES;
            if full {
                std::fs::rename(&keeper.path, aside(&keeper.path))?;
            }
            Ok::<bool, std::io::Error>(full)
        })();
        match written {
            Ok(false) => keeper.tell(None),
            Ok(true) => open = None,
            Err(error) => {
                open = None;
                keeper.tell(Some(format!("{}: {error}", keeper.path.display())));
            }
        }
    }
}

/// An event as a line of the log.
fn line(fabric: &PlannedFabric, event: &FabricEvent) -> Value {
    let mut value = event.to_value(fabric);
    value["event"] = json!(event.what.sort());
    value
}

#[derive(Clone, Debug, Default)]
pub struct EventQuery {
    /// At this time or later, microseconds since 1970.
    pub from: u64,
    /// Before this time.
    pub until: u64,
    /// Only these kinds of events; all if `None`.
    pub sorts: Option<Vec<String>>,
    /// The most events: the newest ones.
    pub most: usize,
}

impl EventQuery {
    /// Whether an event matches.
    #[must_use]
    pub fn fits(&self, event: &Value) -> bool {
        let at = event["atMicros"].as_u64().unwrap_or(0);
        let sort = event["event"].as_str().unwrap_or_default();
        (self.from..self.until).contains(&at)
            && self.sorts.as_ref().is_none_or(|sorts| sorts.iter().any(|wanted| wanted == sort))
    }
}

/// Matching events of a log, the oldest first; and the number of older ones that match and are left
/// out.
///
/// # Errors
/// When a file exists and cannot be read.
pub fn read(path: &Path, wanted: &EventQuery) -> std::io::Result<(Vec<Value>, usize)> {
    let mut found = std::collections::VecDeque::new();
    let mut older = 0;
    for path in [aside(path), path.to_owned()] {
        let file = match File::open(&path) {
            Ok(file) => file,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => continue,
            Err(error) => return Err(error),
        };
        for line in BufReader::new(file).split(b'\n') {
            let Ok(event) = serde_json::from_slice::<Value>(&line?) else { continue };
            if wanted.fits(&event) {
                found.push_back(event);
                if found.len() > wanted.most {
                    found.pop_front();
                    older += 1;
                }
            }
        }
    }
    Ok((found.into(), older))
}

/// Matching events in memory, for a manager without a state directory: the oldest first.
#[must_use]
pub fn in_memory(fabric: &PlannedFabric, events: &[Arc<FabricEvent>], wanted: &EventQuery) -> (Vec<Value>, usize) {
    let all: Vec<Value> = events.iter().map(|event| line(fabric, event)).filter(|event| wanted.fits(event)).collect();
    let older = all.len().saturating_sub(wanted.most);
    (all.into_iter().skip(older).collect(), older)
}

/// The time `seconds` ago, microseconds since 1970.
#[must_use]
pub fn ago(seconds: u64) -> u64 {
    now_micros().saturating_sub(seconds.saturating_mul(1_000_000))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_newest_are_given_and_lines_that_were_cut_off_are_left_out() {
        let folder = tempfile::tempdir().expect("a temporary directory");
        let path = folder.path().join("events.jsonl");
        let line = |at: u64| format!("{{\"atMicros\":{at},\"event\":\"link\"}}\n");
        std::fs::write(aside(&path), line(1) + &line(2)).expect("there is room");
        std::fs::write(&path, line(3) + "{\"atMicros\":4,\"ev" + "\n" + &line(5)).expect("there is room");
        let wanted = EventQuery { from: 2, until: 6, sorts: None, most: 2 };
        let (found, older) = read(&path, &wanted).expect("it can be read");
        assert_eq!(found.iter().map(|event| event["atMicros"].as_u64()).collect::<Vec<_>>(), [Some(3), Some(5)]);
        assert_eq!(older, 1);
        let (none, _) =
            read(&path, &EventQuery { sorts: Some(vec!["nic".to_owned()]), ..wanted }).expect("it can be read");
        assert!(none.is_empty());
    }
}
