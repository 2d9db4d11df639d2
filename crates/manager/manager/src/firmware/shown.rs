//! Firmware and rollouts in the status, alarms and metrics.

use std::collections::{BTreeMap, BTreeSet};

use philae_manager_core::{HealthLevel, NicDown, NicOff, Planned, PlannedKind};
use philae_units::{PortIndex, SwitchId};

use crate::clock::now_micros;
use crate::firmware::RolloutState;
use crate::firmware::Rollouts;
use crate::firmware::counts::Counts;
use crate::firmware::view::{next, rollout};
use crate::firmware::words::{in_order, switches};
use crate::incidents::{AlarmRow, PlannedRow, counted, few};
use crate::manager::Manager;
use crate::troubles::Trouble;

/// Most nodes that are named below an alarm.
const NAMED: usize = 100;

impl Manager {
    /// Whether a switch stays drained because its upgrade failed, which is not planned.
    pub(crate) fn is_cut_off_by_upgrade(&self, switch: SwitchId) -> bool {
        self.firmware.failed.get(&switch).is_some_and(|failed| !failed.is_restored)
    }

    /// Marks NICs that are off because upgrades failed as not planned. Returns their number.
    pub(crate) fn unplan_nics(&self, nics: &mut [NicDown]) -> usize {
        let failed = nics
            .iter_mut()
            .filter(|nic| nic.why == NicOff::SetApart && self.is_cut_off_by_upgrade(self.fabric.switch_of(nic.port)));
        failed.map(|nic| nic.is_planned = false).count()
    }

    /// Why a switch's firmware differs, or what is being done to it; `None` if it is as desired.
    pub(crate) fn firmware_cause(&self, switch: SwitchId) -> Option<String> {
        let seen = self.control_loop.control.versions(switch);
        if let Some(working) = self.firmware.working.get(&switch) {
            return Some(format!("upgrade to {}: {}", working.taken.version, self.firmware_step(switch, working)));
        }
        if let Some(failed) = self.firmware.failed.get(&switch) {
            let again = if failed.is_retried { "; it will be retried" } else { "" };
            return Some(format!("upgrade to {} failed: {}{again}", failed.version, failed.reason));
        }
        let wanted = self.wanted_firmware(switch).filter(|wanted| seen.is_known && *wanted != seen.firmware)?;
        Some(format!("it runs {}, desired is {wanted}", seen.firmware))
    }
}

/// The causes for the word Configuration.
pub(crate) fn causes(firmware: &Rollouts, counts: &Counts) -> Vec<(HealthLevel, String)> {
    let mut found = Vec::new();
    let (differ, failed) = (counts.differ, firmware.failed_count());
    let is_running = firmware.rollout.as_ref().is_some_and(|rollout| rollout.state == RolloutState::Running);
    if differ > 0 {
        let health = if is_running { HealthLevel::Converging } else { HealthLevel::Degraded };
        let verb = if differ == 1 { "does" } else { "do" };
        found.push((health, format!("{} {verb} not run the desired firmware", switches(differ))));
    }
    match firmware.working.len() {
        0 => {}
        1 => found.push((HealthLevel::Converging, "1 switch is being upgraded".to_owned())),
        many => found.push((HealthLevel::Converging, format!("{many} switches are being upgraded"))),
    }
    if failed > 0 {
        let upgrades = if failed == 1 { "the upgrade" } else { "upgrades" };
        found.push((HealthLevel::Degraded, format!("{upgrades} of {} failed", switches(failed))));
    }
    if counts.agents_differ > 0 {
        let (agents, are) = if counts.agents_differ == 1 { ("the agent", "is") } else { ("agents", "are") };
        let words = format!("{agents} of {} {are} not of the desired version", switches(counts.agents_differ));
        found.push((HealthLevel::Degraded, words));
    }
    if let Some((why, _)) = &firmware.trouble {
        found.push((HealthLevel::Degraded, why.clone()));
    }
    found
}

/// The trouble of a rollout that makes no progress.
pub(crate) fn troubles(manager: &Manager) -> Vec<Trouble> {
    let Some((still, detail)) = manager.firmware_stuck() else { return Vec::new() };
    let since_ms = manager.control_loop.now_ms().saturating_sub((still * 1e3) as u64);
    let trouble = Trouble::new("firmware", "stuck", HealthLevel::Degraded, detail)
        .brief("the firmware rollout makes no progress")
        .next("philae fabric firmware; philae fabric firmware pause; philae fabric firmware abort");
    vec![Trouble { since_ms: Some(since_ms), ..trouble }]
}

fn tally(of: &BTreeMap<String, usize>) -> String {
    let run = |count: usize| if count == 1 { "runs" } else { "run" };
    let of = in_order(of.iter().map(|(version, count)| (version.clone(), *count)));
    let parts: Vec<String> = of.iter().map(|(version, count)| format!("{count} {} {version}", run(*count))).collect();
    few(&parts)
}

/// Failed upgrades, as one alarm.
fn failures(manager: &Manager) -> Option<AlarmRow> {
    let (fabric, control) = (&manager.fabric, &manager.control_loop.control);
    let found = manager.firmware.rollout.as_ref()?;
    let failed: BTreeMap<SwitchId, _> =
        manager.firmware.failed.iter().filter(|(_, failed)| !failed.is_retried).map(|(&at, of)| (at, of)).collect();
    let (&latest, failure) = failed.iter().max_by_key(|(_, failed)| failed.at_micros)?;
    let drained: Vec<SwitchId> =
        failed.iter().filter(|(_, failed)| !failed.is_restored).map(|(&switch, _)| switch).collect();
    let ports = drained.iter().flat_map(|&switch| control.edge_ports(switch));
    let cut: Vec<_> = ports.filter_map(|port| fabric.nic_at(port)).map(|nic| fabric.nics()[nic.index()].node).collect();
    let nics = counted(cut.len(), "NIC", "s");
    let stands = match (failed.len(), drained.len()) {
        (1, 0) => "it carries traffic again".to_owned(),
        (1, _) => format!("its links stay drained, {nics} cut off"),
        (_, 0) => "all carry traffic again".to_owned(),
        (_, count) => format!("links of {} stay drained, {nics} cut off", switches(count)),
    };
    let first = format!("upgrade of {} to {} failed: {}", fabric.switch_text(latest), failure.version, failure.reason);
    let more = match failed.len() {
        1 => String::new(),
        many => {
            let names: Vec<String> = failed.keys().map(|&switch| fabric.switch_text(switch)).collect();
            format!("; {many} switches have failed: {}", few(&names))
        }
    };
    let wave = if found.wave == 0 { String::new() } else { format!(" in wave {}", found.wave) };
    let scope = manager.firmware_scope(&found.plan).unwrap_or_default();
    let lacks = |(switch, version): &&(SwitchId, String)| {
        let seen = control.versions(*switch);
        seen.is_known && seen.firmware != version && !failed.contains_key(switch)
    };
    let left = match scope.iter().filter(lacks).count() {
        0 => String::new(),
        left => format!("; {} left", switches(left)),
    };
    let state = format!("firmware rollout {} is {}{wave}", found.number, found.state.name());
    let next = next(&manager.firmware, found.state).unwrap_or_else(|| "philae fabric firmware status".to_owned());
    let nodes: BTreeSet<_> = cut.iter().copied().collect();
    Some(AlarmRow {
        kind: "firmware",
        health: if cut.is_empty() { HealthLevel::Degraded } else { HealthLevel::Unhealthy }.name(),
        detail: format!("{state}: {first}; {stands}{more}{left}"),
        since_seconds: Some(now_micros().saturating_sub(failure.at_micros) as f64 / 1e6),
        count: failed.len(),
        nics: cut.len(),
        nodes: nodes.into_iter().take(NAMED).map(|node| fabric.node_text(node)).collect(),
        next: Some(format!("philae fabric explain {}; {next}", fabric.bmc_xname(latest))),
        ..AlarmRow::default()
    })
}

/// The alarms about firmware.
pub(crate) fn alarms(manager: &Manager, counts: &Counts, now_ms: u64) -> Vec<AlarmRow> {
    let mut rows: Vec<AlarmRow> = failures(manager).into_iter().collect();
    let degraded = |kind, detail: String, since_seconds, next: Option<String>| AlarmRow {
        kind,
        health: HealthLevel::Degraded.name(),
        detail,
        since_seconds,
        count: 1,
        next,
        ..AlarmRow::default()
    };
    let state = manager.firmware.rollout.as_ref().map(|rollout| rollout.state);
    if counts.differ > 0 && !matches!(state, Some(RolloutState::Running | RolloutState::Halted)) {
        let wanted = in_order(counts.wanted.iter().map(|(version, found)| (version.clone(), *found)));
        let wanted = wanted.into_iter().filter(|(_, (on, run))| on > run);
        let wanted: Vec<String> = wanted.map(|(version, (on, _))| format!("{version} on {on}")).collect();
        let verb = if counts.differ == 1 { "does" } else { "do" };
        let detail = format!(
            "{} of {} {verb} not run the desired firmware: wanted is {}; {}",
            counts.differ,
            switches(counts.wanted.values().map(|(on, _)| on).sum()),
            few(&wanted),
            tally(&counts.running)
        );
        let next = match state {
            Some(RolloutState::Paused) => "philae fabric firmware resume",
            _ => "philae fabric firmware start --dry-run; philae fabric firmware start",
        };
        let since = manager.firmware.differs_since_ms.map(|since| now_ms.saturating_sub(since) as f64 / 1e3);
        rows.push(degraded("firmware", detail, since, Some(next.to_owned())));
    }
    if counts.agents_differ > 0 {
        let wanted = counts.agent_wanted.as_deref().unwrap_or("another version");
        let detail = format!(
            "agents of {} are not of the desired version {wanted}: {}",
            switches(counts.agents_differ),
            tally(&counts.agents)
        );
        let next = "philae fabric firmware switches; install the agents of that version".to_owned();
        rows.push(degraded("version", detail, None, Some(next)));
    }
    rows
}

/// Counts links and NICs that are off because of a rollout, and removes them from the other planned
/// work.
pub(crate) fn take_planned(manager: &Manager, planned: &mut Vec<Planned>) -> (usize, usize) {
    let firmware = &manager.firmware;
    let wiring = manager.control_loop.control.wiring();
    let drained: BTreeSet<PortIndex> =
        firmware.working.values().flat_map(|working| working.drained.iter().copied()).collect();
    let is_drained =
        |port: PortIndex| drained.contains(&port) || wiring.peer(port).is_some_and(|far| drained.contains(&far));
    let (mut links, mut nics) = (0, 0);
    planned.retain(|planned| {
        let is_its = match planned.kind {
            PlannedKind::Maintenance(switch) | PlannedKind::SetApart(switch)
                if firmware.working.contains_key(&switch) =>
            {
                true
            }
            // All of its links lead to switches in progress.
            PlannedKind::SetApart(switch) => manager.control_loop.control.fabric_ports(switch).all(is_drained),
            PlannedKind::Link(port, _) => is_drained(port),
            _ => false,
        };
        if is_its {
            links += planned.links.len().max(usize::from(matches!(planned.kind, PlannedKind::Link(..))));
            nics += planned.nics.len();
        }
        !is_its
    });
    (links, nics)
}

/// The running rollout, as planned work, with links and NICs that are off for it.
pub(crate) fn planned_row(manager: &Manager, (links, nics): (usize, usize)) -> Option<PlannedRow> {
    let newest = manager.firmware.rollout.as_ref()?;
    let is_shown = match newest.state {
        RolloutState::Running | RolloutState::Paused => true,
        // Switches that were begun are finished.
        RolloutState::Halted | RolloutState::Aborted | RolloutState::Done => !manager.firmware.working.is_empty(),
    };
    let shown = rollout(manager).filter(|_| is_shown)?;
    let wave = if newest.wave == 0 { String::new() } else { format!(", wave {}", newest.wave) };
    let work = match (manager.firmware_held(), manager.firmware_work()) {
        (Some(held), _) => format!("; it waits: {held}"),
        (None, Some(work)) => format!("; in work: {work}"),
        (None, None) => match manager.firmware.waits.iter().max_by_key(|(_, of)| of.len()) {
            Some((wait, of)) => {
                let verb = if of.len() == 1 { "waits" } else { "wait" };
                format!("; {} {verb} for {}", switches(of.len()), manager.firmware_wait(wait))
            }
            None => String::new(),
        },
    };
    let done = match shown.progress.done {
        Some(done) => format!("{done} of its {} done{work}", switches(shown.progress.total)),
        None => format!("as the store holds it; this manager {}", manager.firmware_standing()),
    };
    let detail = format!("firmware rollout {} is {}{wave}: {done}", newest.number, newest.state.name());
    let since_seconds = Some(now_micros().saturating_sub(newest.changed_micros) as f64 / 1e6);
    Some(PlannedRow { kind: "firmware", detail, since_seconds, links, nics })
}

/// The line about firmware in the status, if there is anything to say.
pub(crate) fn facts(counts: &Counts) -> Option<String> {
    if counts.wanted.is_empty() && counts.running.len() < 2 {
        return None;
    }
    let wanted = in_order(counts.wanted.iter().map(|(version, found)| (version.clone(), *found))).into_iter();
    let run_it = |count: usize| if count == 1 { "runs" } else { "run" };
    let wanted: Vec<String> =
        wanted.map(|(version, (on, run))| format!("{version} desired on {on}, {run} {} it", run_it(run))).collect();
    let others: BTreeMap<String, usize> = counts
        .running
        .iter()
        .filter(|(version, _)| !counts.wanted.contains_key(*version))
        .map(|(version, count)| (version.clone(), *count))
        .collect();
    let others = if others.is_empty() { Vec::new() } else { vec![tally(&others)] };
    Some(wanted.into_iter().chain(others).collect::<Vec<_>>().join("; "))
}
