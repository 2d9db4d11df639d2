//! Checks of the manager itself that are due from time to time: alarms for watchers, the disk.

use std::collections::BTreeSet;

use philae_manager_core::AlarmKind;

use crate::events::Happened;
use crate::manager::Manager;

/// Interval between checks of alarms for watchers, milliseconds.
///
/// Source: ours. Status: assumed.
const ALARMS_MS: u64 = 1_000;

/// Interval between checks whether a failed disk accepts writes again.
///
/// Source: ours. Status: assumed.
const PROBE: std::time::Duration = std::time::Duration::from_secs(5);

impl Manager {
    /// Publishes new and ended alarms to watchers. It checks once a second at most, and only if
    /// there are watchers.
    pub(crate) fn tick_alarms(&mut self) {
        let now_ms = self.control_loop.now_ms();
        let wanted = self.requests.watchers.count() > 0 || self.control_loop.event_log.is_some();
        let changes = self.control_loop.control.changes();
        if !wanted || now_ms < self.checks.alarms.1 + ALARMS_MS || changes == self.checks.alarms_seen {
            return;
        }
        self.checks.alarms_seen = changes;
        let now: BTreeSet<AlarmKind> =
            self.control_loop.control.alarms(now_ms).into_iter().map(|alarm| alarm.kind).collect();
        let before = std::mem::replace(&mut self.checks.alarms, (now, now_ms)).0;
        for (kinds, others, raised) in [(&before, &self.checks.alarms.0, false), (&self.checks.alarms.0, &before, true)]
        {
            for kind in kinds.difference(others) {
                // Switches and links have events of their own.
                let is_kept = !matches!(kind, AlarmKind::Device(..) | AlarmKind::Link(..));
                self.control_loop.publish(Happened::Alarm(kind.clone(), raised), is_kept);
            }
        }
    }

    /// Probes whether a failed disk accepts writes again: without changes nothing else would.
    pub(crate) fn tick_disk(&mut self) {
        let store = self.documents.store();
        if store.trouble().is_none() || self.checks.probed.is_some_and(|last| last.elapsed() < PROBE) {
            return;
        }
        self.checks.probed = Some(std::time::Instant::now());
        // The result is in the store.
        drop(store.probe());
    }
}
