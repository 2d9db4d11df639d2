//! Troubles other than those of switches, links and NICs: disk, clock, standbys, certificates,
//! tokens, hosts. Each has a line for the four words, a text for an alarm, a start, and what to do
//! next.

use std::collections::BTreeMap;

use philae_manager_core::HealthLevel;

use crate::events::Happened;
use crate::manager::Manager;
use crate::resources::incidents::{AlarmRow, counted};
use crate::resources::seconds;

/// Interval between checks of troubles, milliseconds.
///
/// Source: ours. Status: assumed; how long ago one began is true to this.
const LOOK_MS: u64 = 1_000;

/// A trouble.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Trouble {
    /// The kind of its alarm.
    pub kind: &'static str,
    /// Distinguishes it from others of its kind, because its text may change while it lasts.
    pub key: String,
    /// Its severity.
    pub health: HealthLevel,
    /// A few words for the line of one of the four words; empty if that line counts them.
    pub brief: String,
    /// The full text.
    pub detail: String,
    /// What to do; several possibilities are separated by "; ".
    pub next: Option<String>,
    /// When it began, milliseconds of the manager's clock, if known.
    pub since_ms: Option<u64>,
}

impl Trouble {
    pub(crate) fn new(
        kind: &'static str,
        key: impl Into<String>,
        health: HealthLevel,
        detail: impl Into<String>,
    ) -> Self {
        let detail = detail.into();
        Self { kind, key: key.into(), health, brief: detail.clone(), detail, next: None, since_ms: None }
    }

    pub(crate) fn brief(self, brief: impl Into<String>) -> Self {
        Self { brief: brief.into(), ..self }
    }

    pub(crate) fn next(self, next: impl Into<String>) -> Self {
        Self { next: Some(next.into()), ..self }
    }

    fn id(&self) -> (&'static str, String) {
        (self.kind, self.key.clone())
    }
}

/// Lasting troubles, and when they were first seen.
#[derive(Debug, Default)]
pub(crate) struct LastingTroubles {
    lasting: BTreeMap<(&'static str, String), (u64, String)>,
    looked_ms: Option<u64>,
}

/// Differences between hosts and the fabric, and trees that do not reach all of their members.
fn of_members(manager: &Manager) -> Vec<Trouble> {
    let faults = manager.hosts.faults(manager).into_iter().map(|fault| Trouble {
        since_ms: Some(fault.since_ms),
        ..Trouble::new(fault.kind, fault.detail.clone(), HealthLevel::Degraded, fault.detail)
            .next("philae fabric show attestations")
    });
    let trees = manager.trees.iter().filter(|(_, tree)| !tree.tree.unreached().is_empty()).map(|(address, tree)| {
        let unreached = tree.tree.unreached();
        let first = unreached.first().map(|port| manager.port_name(*port)).unwrap_or_default();
        let members = counted(unreached.len(), "member", "s");
        let detail = format!("tree {address} of session {} does not reach {members}, such as {first}", tree.session);
        Trouble::new("multicast", address.to_string(), HealthLevel::Degraded, detail)
            .next(format!("philae fabric explain {first}"))
    });
    faults.chain(trees).collect()
}

/// The troubles of the word Configuration, except those of hosts, which it counts.
pub(crate) fn of_configuration(manager: &Manager) -> Vec<Trouble> {
    let mut found = crate::availability::troubles(manager);
    found.extend(crate::leases::troubles(manager));
    found.extend(crate::firmware::shown::troubles(manager));
    found
}

fn all(manager: &Manager) -> Vec<Trouble> {
    let mut found = of_members(manager);
    found.extend(of_configuration(manager));
    found.extend(crate::security::troubles(manager));
    found
}

/// The alarms of all troubles.
pub(crate) fn alarms(manager: &Manager, now_ms: u64) -> Vec<AlarmRow> {
    let lasting = &manager.troubles.lasting;
    let row = |trouble: Trouble| {
        let known = lasting.get(&trouble.id()).map(|(since, _)| *since);
        AlarmRow {
            kind: trouble.kind,
            health: trouble.health.name(),
            since_seconds: Some(seconds(now_ms, trouble.since_ms.or(known).unwrap_or(now_ms))),
            detail: trouble.detail,
            count: 1,
            next: trouble.next,
            ..AlarmRow::default()
        }
    };
    let mut rows: Vec<AlarmRow> = all(manager).into_iter().map(row).collect();
    rows.sort_by_key(AlarmRow::rank);
    rows
}

impl Manager {
    /// Notes which troubles have begun and which have ended, once a second at most.
    pub(crate) fn tick_troubles(&mut self) {
        let now_ms = self.control_loop.now_ms();
        if self.troubles.looked_ms.is_some_and(|looked| now_ms < looked + LOOK_MS) {
            return;
        }
        self.troubles.looked_ms = Some(now_ms);
        let found = all(self);
        let before = std::mem::take(&mut self.troubles.lasting);
        for trouble in found {
            let id = trouble.id();
            let since = match before.get(&id) {
                Some((since, _)) => *since,
                None => {
                    self.control_loop.publish(Happened::Trouble(trouble.kind, trouble.detail.clone(), true), true);
                    now_ms
                }
            };
            self.troubles.lasting.insert(id, (since, trouble.detail));
        }
        for ((kind, key), (_, detail)) in before {
            if !self.troubles.lasting.contains_key(&(kind, key)) {
                self.control_loop.publish(Happened::Trouble(kind, detail, false), true);
            }
        }
    }
}
