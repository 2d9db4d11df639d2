//! Finds the troubles that there are now, and notes when they begin and end.

use philae_manager_core::HealthLevel;

use crate::events::Happened;
use crate::incidents::{AlarmRow, counted};
use crate::manager::Manager;
use crate::troubles::Trouble;
use crate::wording::seconds;

/// Interval between checks of troubles, milliseconds.
///
/// Source: ours. Status: assumed; how long ago one began is true to this.
pub(crate) const LOOK_MS: u64 = 1_000;

/// Differences between hosts and the fabric, and trees that do not reach all of their members.
fn of_members(manager: &Manager) -> Vec<Trouble> {
    let faults = manager.hosts.faults(&manager.fabric, &manager.documents).into_iter().map(|fault| Trouble {
        since_ms: Some(fault.since_ms),
        ..Trouble::new(fault.kind, fault.detail.clone(), HealthLevel::Degraded, fault.detail)
            .next("philae fabric show attestations")
    });
    let trees =
        manager.desired.trees.iter().filter(|(_, tree)| !tree.tree.unreached().is_empty()).map(|(address, tree)| {
            let unreached = tree.tree.unreached();
            let first = unreached.first().map(|port| manager.port_name(*port)).unwrap_or_default();
            let members = counted(unreached.len(), "member", "s");
            let detail =
                format!("tree {address} of session {} does not reach {members}, such as {first}", tree.session);
            Trouble::new("multicast", address.to_string(), HealthLevel::Degraded, detail)
                .next(format!("philae fabric explain {first}"))
        });
    faults.chain(trees).collect()
}

/// The troubles of the word Configuration, except those of hosts, which it counts.
pub(crate) fn of_configuration(manager: &Manager) -> Vec<Trouble> {
    let mut found = crate::availability::shown::troubles(manager);
    found.extend(crate::leases::troubles(manager));
    found.extend(crate::firmware::shown::troubles(manager));
    found
}

pub(crate) fn all(manager: &Manager) -> Vec<Trouble> {
    let mut found = of_members(manager);
    found.extend(of_configuration(manager));
    found.extend(crate::security::troubles::troubles(manager));
    found
}

/// The alarms of all troubles.
pub(crate) fn alarms(manager: &Manager, now_ms: u64) -> Vec<AlarmRow> {
    let lasting = &manager.checks.troubles.lasting;
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
        if self.checks.troubles.looked_ms.is_some_and(|looked| now_ms < looked + LOOK_MS) {
            return;
        }
        self.checks.troubles.looked_ms = Some(now_ms);
        let found = all(self);
        let before = std::mem::take(&mut self.checks.troubles.lasting);
        for trouble in found {
            let id = trouble.id();
            let since = match before.get(&id) {
                Some((since, _)) => *since,
                None => {
                    self.control_loop.publish(Happened::Trouble(trouble.kind, trouble.detail.clone(), true), true);
                    now_ms
                }
            };
            self.checks.troubles.lasting.insert(id, (since, trouble.detail));
        }
        for ((kind, key), (_, detail)) in before {
            if !self.checks.troubles.lasting.contains_key(&(kind, key)) {
                self.control_loop.publish(Happened::Trouble(kind, detail, false), true);
            }
        }
    }
}
