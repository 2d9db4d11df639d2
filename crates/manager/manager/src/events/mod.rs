//! The fabric's events for watchers: one bounded buffer, in which each watcher is only a position.

pub mod endpoints;
pub mod log;

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use philae_agent::PortState;
use philae_inventory::PlannedFabric;
use philae_manager_core::{AlarmKind, DeviceState, Published, Unusable};
use philae_units::{PortIndex, SwitchId};
use serde_json::{Value, json};
use tokio::sync::watch;

use crate::clock::now_micros;
use crate::incidents::{described, kind_of, link_text, port_text};
use crate::wording::unusable;

/// Events that are kept for watchers; a watcher that falls further behind is cut off.
///
/// Source: bring-up of the largest fabric is four for each of 17,440 switches. Status: derived.
const KEPT: usize = 100_000;

/// The content of an event.
#[derive(Clone, Debug, PartialEq)]
pub enum Happened {
    /// A switch has a new state, with the cause.
    Device(SwitchId, DeviceState, String),
    /// A link carries traffic again, or none, with the reason; and the rollout that ordered it, if
    /// no operator did.
    Link(PortIndex, Option<Unusable>, Option<Arc<str>>),
    /// The port of a NIC has a new state.
    Nic(PortIndex, PortState),
    /// This manager begins to lead, with this epoch.
    Leads(u64),
    /// New tables are installed.
    Published(Published),
    /// An alarm has begun, or ended.
    Alarm(AlarmKind, bool),
    /// The same for an alarm that is not about switches, links or NICs: its kind and text.
    Trouble(&'static str, String, bool),
    /// An operation ended.
    Operation {
        name: String,
        /// Its final state.
        state: &'static str,
    },
    /// A rollout of firmware, or a switch of it.
    Firmware(String),
    /// A manager with a higher epoch exists.
    Fenced(u64),
}

impl Happened {
    /// The words for all kinds of events, except changes of documents.
    pub const SORTS: [&'static str; 9] =
        ["device", "link", "nic", "tables", "alarm", "operation", "firmware", "fenced", "manager"];

    /// The word for this kind.
    #[must_use]
    pub const fn sort(&self) -> &'static str {
        match self {
            Self::Device(..) => "device",
            Self::Link(..) => "link",
            Self::Nic(..) => "nic",
            Self::Leads(_) => "manager",
            Self::Published(_) => "tables",
            Self::Alarm(..) | Self::Trouble(..) => "alarm",
            Self::Operation { .. } => "operation",
            Self::Firmware(_) => "firmware",
            Self::Fenced(_) => "fenced",
        }
    }
}

#[derive(Clone, Debug, PartialEq)]
pub struct FabricEvent {
    /// Its number, from 1.
    pub sequence: u64,
    /// Its time, microseconds since 1970.
    pub at_micros: u64,
    /// The content.
    pub what: Happened,
    /// Whether the log keeps it: most events at bring-up are not worth it.
    pub is_kept: bool,
}

/// Why a link carries no traffic, and the rollout that drained it, if no operator did.
pub(crate) fn cause_of(fabric: &PlannedFabric, why: Unusable, by: Option<&str>) -> String {
    match (why, by) {
        (Unusable::Drained, Some(by)) => format!("drained by {by}"),
        (_, Some(by)) => format!("drained by {by}; {}", unusable(fabric, why)),
        (_, None) => unusable(fabric, why),
    }
}

impl FabricEvent {
    /// The event as clients get it.
    #[must_use]
    pub fn to_value(&self, fabric: &PlannedFabric) -> Value {
        let name = |port: PortIndex| fabric.link_xname(port).to_string();
        let mut value = match &self.what {
            Happened::Device(switch, state, cause) => {
                json!({ "switch": fabric.bmc_xname(*switch).to_string(), "state": state.name(), "cause": cause })
            }
            Happened::Link(port, why, by) => {
                let cause = why.map(|why| cause_of(fabric, why, by.as_deref()));
                json!({ "link": name(*port), "carrying": why.is_none(), "cause": cause })
            }
            Happened::Nic(port, state) => {
                let nic = fabric.nic_at(*port).map(|nic| fabric.nic_xname(nic).to_string());
                json!({ "port": name(*port), "nic": nic, "up": *state == PortState::Up, "state": state.name() })
            }
            Happened::Leads(epoch) => json!({ "epoch": epoch }),
            Happened::Published(tables) => json!({
                "generation": tables.generation,
                "links": tables.links,
                "entries": tables.entries,
                "switches": tables.switches,
                "convergedMs": tables.done_ms.saturating_sub(tables.event_ms),
            }),
            Happened::Alarm(kind, raised) => {
                json!({ "kind": kind_of(kind), "detail": described(fabric, kind), "raised": raised })
            }
            Happened::Trouble(kind, detail, raised) => json!({ "kind": kind, "detail": detail, "raised": raised }),
            Happened::Operation { name, state } => json!({ "operation": name, "state": state }),
            Happened::Firmware(words) => json!({ "firmware": words }),
            Happened::Fenced(epoch) => json!({ "epoch": epoch }),
        };
        value["atMicros"] = json!(self.at_micros);
        value["words"] = json!(self.words(fabric));
        value
    }
}

impl FabricEvent {
    /// The event in words.
    #[must_use]
    pub fn words(&self, fabric: &PlannedFabric) -> String {
        match &self.what {
            Happened::Device(switch, state, cause) => {
                format!("switch {} is {}: {cause}", fabric.switch_text(*switch), state.name())
            }
            Happened::Link(port, None, _) => format!("link {} carries traffic again", link_text(fabric, *port)),
            Happened::Link(port, Some(why), by) => {
                let cause = cause_of(fabric, *why, by.as_deref());
                format!("link {} carries no traffic: {cause}", link_text(fabric, *port))
            }
            Happened::Nic(port, state) => {
                let nic = fabric.nic_at(*port).map_or_else(|| "?".to_owned(), |nic| fabric.nic_text(nic));
                let is = if *state == PortState::Up { "is back" } else { "is off the fabric" };
                format!("NIC {nic} {is}: port {} is {}", port_text(fabric, *port), state.name())
            }
            Happened::Published(tables) => format!("tables {} are taken up", tables.generation),
            Happened::Alarm(kind, true) => format!("alarm: {}", described(fabric, kind)),
            Happened::Alarm(kind, false) => format!("ended: {}", described(fabric, kind)),
            Happened::Trouble(_, detail, true) => format!("alarm: {detail}"),
            Happened::Trouble(_, detail, false) => format!("ended: {detail}"),
            Happened::Operation { name, state } => format!("operation {name} is {state}"),
            Happened::Firmware(words) => words.clone(),
            Happened::Fenced(epoch) => format!("agents obey a manager of epoch {epoch}: this one gives no orders"),
            Happened::Leads(epoch) => format!("this manager leads, with epoch {epoch}"),
        }
    }
}

#[derive(Debug, Default)]
struct Kept {
    events: VecDeque<Arc<FabricEvent>>,
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

/// The watcher fell behind the buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Behind;

impl Events {
    fn lock(&self) -> MutexGuard<'_, Kept> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds an event. It never waits for a watcher.
    pub fn publish(&self, what: Happened, is_kept: bool) -> Arc<FabricEvent> {
        let mut kept = self.lock();
        kept.newest += 1;
        let event = Arc::new(FabricEvent { sequence: kept.newest, at_micros: now_micros(), what, is_kept });
        kept.events.push_back(Arc::clone(&event));
        if kept.events.len() > KEPT {
            kept.events.pop_front();
        }
        let newest = kept.newest;
        drop(kept);
        self.newest.send_replace(newest);
        event
    }

    /// The events that are worth being kept, the oldest first.
    #[must_use]
    pub fn kept(&self) -> Vec<Arc<FabricEvent>> {
        self.lock().events.iter().filter(|event| event.is_kept).cloned().collect()
    }

    /// The number of the newest event.
    #[must_use]
    pub fn newest(&self) -> u64 {
        self.lock().newest
    }

    /// The time of the newest event, microseconds since 1970.
    pub(crate) fn last_micros(&self) -> Option<u64> {
        self.lock().events.back().map(|event| event.at_micros)
    }

    /// A receiver that is notified of each new event.
    #[must_use]
    pub fn subscribe(&self) -> watch::Receiver<u64> {
        self.newest.subscribe()
    }

    /// The event after `seen`, if there is one.
    ///
    /// # Errors
    /// When it is no longer in the buffer.
    pub fn after(&self, seen: u64) -> Result<Option<Arc<FabricEvent>>, Behind> {
        let kept = self.lock();
        if seen >= kept.newest {
            return Ok(None);
        }
        let first = kept.events.front().map_or(u64::MAX, |event| event.sequence);
        // Numbers have no gaps, so the index follows from the number.
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
            events.publish(Happened::Fenced(epoch), false);
        }
        assert_eq!(events.after(5), Err(Behind));
        assert_eq!(events.after(10).expect("kept").expect("there").sequence, 11);
        assert_eq!(events.after(events.newest()), Ok(None));
    }
}
