//! What happens in the fabric, for watchers: one bounded memory for all of them, in which each is only a place.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use philae_control::{AlarmKind, DeviceState, Published};
use philae_inventory::Fabric;
use philae_units::{PortIndex, SwitchId};
use serde_json::{Value, json};
use tokio::sync::watch;

use crate::clock::now_micros;
use crate::resources::status::described;

/// Events that are kept for watchers; who falls further behind is cut off.
///
/// Source: bring-up of the largest fabric is four for each of 17,440 switches. Status: derived.
const KEPT: usize = 100_000;

/// Something that happened.
#[derive(Clone, Debug, PartialEq)]
pub enum Happened {
    /// A switch is in another state.
    Device(SwitchId, DeviceState, String),
    /// A link carries traffic now, or no more.
    Link(PortIndex, bool),
    /// Tables were taken up.
    Published(Published),
    /// Something is wrong, or no more.
    Alarm(AlarmKind, bool),
    /// An operation ended.
    Operation {
        /// Its name.
        name: String,
        /// How.
        state: &'static str,
    },
    /// A manager with a higher epoch is there.
    Fenced(u64),
}

impl Happened {
    /// The words for all sorts of events that are seen, and for changes of documents.
    pub const SORTS: [&'static str; 6] = ["device", "link", "tables", "alarm", "operation", "fenced"];

    /// The word for this sort.
    #[must_use]
    pub const fn sort(&self) -> &'static str {
        match self {
            Self::Device(..) => "device",
            Self::Link(..) => "link",
            Self::Published(_) => "tables",
            Self::Alarm(..) => "alarm",
            Self::Operation { .. } => "operation",
            Self::Fenced(_) => "fenced",
        }
    }
}

/// An event.
#[derive(Clone, Debug, PartialEq)]
pub struct Event {
    /// Its number, from 1.
    pub sequence: u64,
    /// When, microseconds since 1970.
    pub at_micros: u64,
    /// What.
    pub what: Happened,
}

impl Event {
    /// What is told of it.
    #[must_use]
    pub fn to_value(&self, fabric: &Fabric) -> Value {
        let name = |port: PortIndex| fabric.link_xname(port).to_string();
        let mut value = match &self.what {
            Happened::Device(switch, state, cause) => {
                json!({ "switch": fabric.bmc_xname(*switch).to_string(), "state": state.name(), "cause": cause })
            }
            Happened::Link(port, carrying) => json!({ "link": name(*port), "carrying": carrying }),
            Happened::Published(tables) => json!({
                "generation": tables.generation,
                "links": tables.links,
                "entries": tables.entries,
                "switches": tables.switches,
                "convergedMs": tables.done_ms.saturating_sub(tables.event_ms),
            }),
            Happened::Alarm(kind, raised) => {
                let (kind, detail) = described(fabric, kind);
                json!({ "kind": kind, "detail": detail, "raised": raised })
            }
            Happened::Operation { name, state } => json!({ "operation": name, "state": state }),
            Happened::Fenced(epoch) => json!({ "epoch": epoch }),
        };
        value["atMicros"] = json!(self.at_micros);
        value
    }
}

#[derive(Debug, Default)]
struct Kept {
    events: VecDeque<Arc<Event>>,
    newest: u64,
}

/// The newest events.
#[derive(Debug)]
pub struct Events {
    kept: Mutex<Kept>,
    newest: watch::Sender<u64>,
}

impl Default for Events {
    fn default() -> Self {
        Self { kept: Mutex::default(), newest: watch::Sender::new(0) }
    }
}

/// The watcher fell behind what is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Behind;

impl Events {
    fn lock(&self) -> MutexGuard<'_, Kept> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds an event. Never waits for a watcher.
    pub fn publish(&self, what: Happened) {
        let mut kept = self.lock();
        kept.newest += 1;
        let event = Event { sequence: kept.newest, at_micros: now_micros(), what };
        kept.events.push_back(Arc::new(event));
        if kept.events.len() > KEPT {
            kept.events.pop_front();
        }
        let newest = kept.newest;
        drop(kept);
        self.newest.send_replace(newest);
    }

    /// The number of the newest event.
    #[must_use]
    pub fn newest(&self) -> u64 {
        self.lock().newest
    }

    /// To be told when there are more.
    #[must_use]
    pub fn subscribe(&self) -> watch::Receiver<u64> {
        self.newest.subscribe()
    }

    /// The event after another one, if it is there.
    ///
    /// # Errors
    /// When it is no longer kept.
    pub fn after(&self, seen: u64) -> Result<Option<Arc<Event>>, Behind> {
        let kept = self.lock();
        if seen >= kept.newest {
            return Ok(None);
        }
        let first = kept.events.front().map_or(u64::MAX, |event| event.sequence);
        // Numbers have no gaps, so the place follows from the number.
        let place = (seen + 1).checked_sub(first).ok_or(Behind)?;
        Ok(kept.events.get(place as usize).cloned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_falls_behind_is_told_so_and_nobody_else() {
        let events = Events::default();
        for epoch in 0..KEPT as u64 + 10 {
            events.publish(Happened::Fenced(epoch));
        }
        assert_eq!(events.after(5), Err(Behind));
        assert_eq!(events.after(10).expect("kept").expect("there").sequence, 11);
        assert_eq!(events.after(events.newest()), Ok(None));
    }
}
