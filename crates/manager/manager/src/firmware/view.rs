//! Firmware and rollouts in the form for programs.

use std::collections::{BTreeMap, BTreeSet};

use philae_units::SwitchId;
use schemars::JsonSchema;
use serde::Serialize;

use crate::clock::now_micros;
use crate::firmware::Rollouts;
use crate::firmware::choose::NextSwitches;
use crate::firmware::counts::Counts;
use crate::firmware::words::in_order;
use crate::firmware::{RolloutPlan, RolloutState, Waits};
use crate::manager::Manager;
use philae_inventory::PlannedFabric;

/// Most switches that are named individually.
const NAMED: usize = 100;

/// The states of a switch's firmware.
pub const STATES: [&str; 6] = ["current", "not-wanted", "differs", "in-work", "failed", "unknown"];

/// A version, and how many switches have it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(rename = "VersionCount", deny_unknown_fields)]
pub struct VersionCount {
    /// The version.
    pub version: String,
    /// How many switches run it.
    pub switches: usize,
}

/// A version that documents want.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(rename = "WantedVersion", deny_unknown_fields)]
pub struct WantedVersion {
    /// The version.
    pub version: String,
    /// On how many switches it is wanted.
    pub switches: usize,
    /// How many of them run it.
    pub running: usize,
}

/// A manager, and its version.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(rename = "ManagerVersion", deny_unknown_fields)]
pub struct ManagerVersion {
    /// Its name among managers.
    pub name: String,
    /// Its version; null if it is unknown.
    pub version: Option<String>,
}

/// Versions of everything that is not firmware.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(rename = "Versions", deny_unknown_fields)]
pub struct VersionsView {
    /// This manager's.
    pub manager: &'static str,
    /// Standbys that follow it.
    pub standbys: Vec<ManagerVersion>,
    /// Those of agents, with how many switches they stand for.
    pub agents: Vec<VersionCount>,
    /// Whether they are of several versions.
    pub mixed: bool,
}

/// A switch in work.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "FirmwareWork", deny_unknown_fields)]
pub struct WorkView {
    /// The switch.
    pub switch: String,
    /// What other programs call it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
    /// The action.
    pub phase: String,
    /// What it ran.
    pub from: String,
    /// What it is brought to.
    pub to: String,
    /// How long this has gone on.
    pub for_seconds: f64,
}

/// A switch that failed.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "FirmwareFailure", deny_unknown_fields)]
pub struct FailureView {
    /// The switch.
    pub switch: String,
    /// What other programs call it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
    /// The rollout in which it failed; 0 where that is not known.
    pub rollout: u64,
    /// Whether a retry was ordered that has not begun yet.
    pub retried: bool,
    /// What it was to run.
    pub version: String,
    /// Why it failed.
    pub reason: String,
    /// When, microseconds since 1970.
    pub at_micros: u64,
    /// Whether it carries traffic again; otherwise its links stay drained.
    pub restored: bool,
}

/// Why switches are not begun.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "FirmwareWait", deny_unknown_fields)]
pub struct WaitView {
    /// What they wait for.
    pub reason: String,
    /// Number of switches that wait for it.
    pub switches: usize,
    /// The first of them.
    pub first_switch: String,
    /// What other programs call that one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first_label: Option<String>,
}

/// How far a rollout is.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct RolloutProgress {
    /// Waves that were begun.
    pub wave: u32,
    /// Its switches of which a version is wanted.
    pub total: usize,
    /// Those of them that run it; null where this manager does not lead, and so does not know.
    pub done: Option<usize>,
    /// Upgrades that it has finished.
    pub upgraded: u32,
    /// Of a running one: seconds since a switch of it was begun or ended.
    pub still_seconds: Option<f64>,
    /// The reason why the whole rollout waits, such as a full disk.
    pub held: Option<String>,
}

/// A rollout.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "FirmwareRollout", deny_unknown_fields)]
pub struct RolloutView {
    /// Its number.
    pub number: u64,
    /// running, paused, halted, done or aborted.
    pub state: RolloutState,
    /// Why it stands there.
    pub why: String,
    /// Who began it.
    pub started_by: String,
    /// When, microseconds since 1970.
    pub started_micros: u64,
    /// For how long it has been in this state.
    pub for_seconds: f64,
    /// How it goes.
    pub plan: RolloutPlan,
    /// How far it is.
    #[serde(flatten)]
    pub progress: RolloutProgress,
    /// Those in work.
    pub working: Vec<WorkView>,
    /// Those that failed.
    pub failed: Vec<FailureView>,
    /// Those that have not begun, by the reason why they wait.
    pub waits: Vec<WaitView>,
    /// What to do next.
    pub next: Option<String>,
}

/// A switch that would begin.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "FirmwareBegin", deny_unknown_fields)]
pub struct BeginView {
    /// The switch.
    pub switch: String,
    /// What other programs call it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
    /// What it runs.
    pub from: String,
    /// The version that it would get.
    pub to: String,
    /// NICs that it would take off the fabric.
    pub nics: usize,
    /// Nodes that have no NIC at another switch: they would be off the fabric meanwhile.
    pub nodes_cut_off: usize,
}

/// The first steps of a rollout.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(rename = "FirmwareDryRun", deny_unknown_fields)]
pub struct DryRunView {
    /// How it would go.
    pub plan: RolloutPlan,
    /// Its switches of which a version is wanted.
    pub total: usize,
    /// Those that do not run it.
    pub differ: usize,
    /// Those that would begin.
    pub begin: Vec<BeginView>,
    /// Those that would not, by the reason why they wait.
    pub waits: Vec<WaitView>,
    /// The present rollout, in words: it would have to end first.
    pub current: Option<String>,
}

/// Firmware and versions.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "Firmware", deny_unknown_fields)]
pub struct FirmwareView {
    /// What documents want.
    pub wanted: Vec<WantedVersion>,
    /// What runs, as switches say.
    pub running: Vec<VersionCount>,
    /// Switches that do not run the desired firmware.
    pub differ: usize,
    /// Versions of agents and managers.
    pub versions: VersionsView,
    /// Whether this manager leads. A standby shows its store, and does not know the firmware that
    /// switches run.
    pub leads: bool,
    /// The same in words, with who leads.
    pub standing: String,
    /// The newest rollout.
    pub rollout: Option<RolloutView>,
    /// Of a dry run: what would begin.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dry_run: Option<DryRunView>,
}

/// A switch's firmware.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "SwitchFirmware", deny_unknown_fields)]
pub struct FirmwareRow {
    /// The switch.
    pub switch: String,
    /// What other programs call it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
    /// Its group.
    pub group: u32,
    /// What it says that it runs.
    pub firmware: String,
    /// What is wanted of it.
    pub wanted: Option<String>,
    /// current, not-wanted (no document speaks of it), differs, in-work, failed or unknown.
    pub state: &'static str,
    /// Version of its agent.
    pub agent: String,
    /// What is done, why it failed, or what it waits for.
    pub cause: String,
}

fn label(fabric: &PlannedFabric, switch: SwitchId) -> Option<String> {
    fabric.switch_system(switch).map(str::to_owned)
}

/// NICs of a switch that are up, and nodes that have no NIC at another switch.
fn cut_off(manager: &Manager, switch: SwitchId) -> (usize, usize) {
    let (fabric, control) = (&manager.fabric, &manager.control_loop.control);
    let is_up = |port| control.port(port).state == philae_agent::PortState::Up;
    let here = control.edge_ports(switch).filter(|&port| is_up(port)).filter_map(|port| fabric.nic_at(port));
    let here: Vec<_> = here.map(|nic| fabric.nics()[nic.index()].node).collect();
    let mut nodes: BTreeSet<_> = here.iter().copied().collect();
    for nic in fabric.nics().iter().filter(|nic| fabric.switch_of(nic.port) != switch && is_up(nic.port)) {
        nodes.remove(&nic.node);
    }
    (here.len(), nodes.len())
}

/// The switches that would begin.
pub(super) fn planned(manager: &Manager, plan: &RolloutPlan, chosen: &NextSwitches) -> FirmwareView {
    let begin = |(switch, version): &(SwitchId, String)| {
        let (nics, nodes_cut_off) = cut_off(manager, *switch);
        BeginView {
            switch: manager.switch_name(*switch),
            label: label(&manager.fabric, *switch),
            from: manager.control_loop.control.versions(*switch).firmware.to_owned(),
            to: version.clone(),
            nics,
            nodes_cut_off,
        }
    };
    let current = manager.firmware.current().map(|rollout| {
        let way = match rollout.state {
            RolloutState::Running => "it follows the documents by itself",
            _ => "philae fabric firmware resume continues it, abort ends it",
        };
        format!("firmware rollout {} is {}: {way}", rollout.number, rollout.state.name())
    });
    let dry = DryRunView {
        plan: plan.clone(),
        total: chosen.scope,
        differ: chosen.left,
        begin: chosen.take.iter().map(begin).collect(),
        waits: waits(manager, &chosen.waits),
        current,
    };
    FirmwareView { dry_run: Some(dry), ..view(manager) }
}

fn waits(manager: &Manager, found: &Waits) -> Vec<WaitView> {
    let wait = |(wait, of): (&crate::firmware::SwitchWait, &Vec<SwitchId>)| {
        let &first = of.first()?;
        Some(WaitView {
            reason: manager.firmware_wait(wait),
            switches: of.len(),
            first_switch: manager.switch_name(first),
            first_label: label(&manager.fabric, first),
        })
    };
    found.iter().filter_map(wait).take(NAMED).collect()
}

/// Versions with their counts, in natural order.
pub(crate) fn counts_of(counted: &BTreeMap<String, usize>) -> Vec<VersionCount> {
    let counted = in_order(counted.iter().map(|(version, count)| (version.clone(), *count)));
    counted.into_iter().map(|(version, switches)| VersionCount { version, switches }).collect()
}

/// What is being done to a switch, why it failed, or what it waits for.
fn cause(manager: &Manager, switch: SwitchId) -> String {
    let cause = manager.firmware_cause(switch).unwrap_or_default();
    let wait = manager.firmware.waits.iter().find(|(_, of)| of.contains(&switch));
    let is_open = !manager.firmware.working.contains_key(&switch);
    match wait.filter(|_| is_open && manager.firmware.current().is_some()) {
        Some((wait, _)) => format!("{cause}; it waits for {}", manager.firmware_wait(wait)),
        None => cause,
    }
}

pub(super) fn row(manager: &Manager, switch: SwitchId) -> FirmwareRow {
    let seen = manager.control_loop.control.versions(switch);
    let wanted = manager.wanted_firmware(switch);
    let state = if manager.firmware.working.contains_key(&switch) {
        "in-work"
    } else if manager.firmware.failed.contains_key(&switch) {
        "failed"
    } else if !seen.is_known {
        "unknown"
    } else {
        match wanted {
            None => "not-wanted",
            Some(wanted) if wanted == seen.firmware => "current",
            Some(_) => "differs",
        }
    };
    FirmwareRow {
        switch: manager.switch_name(switch),
        label: label(&manager.fabric, switch),
        group: manager.fabric.switch(switch).group.0,
        firmware: seen.firmware.to_owned(),
        wanted: wanted.map(str::to_owned),
        state,
        agent: seen.agent.to_owned(),
        cause: cause(manager, switch),
    }
}

/// Versions of agents and managers.
pub(crate) fn versions(manager: &Manager, counts: &Counts) -> VersionsView {
    let standbys: Vec<ManagerVersion> = manager
        .availability
        .standby_versions()
        .into_iter()
        .map(|(name, version)| ManagerVersion { name, version })
        .collect();
    let own = env!("CARGO_PKG_VERSION");
    let all: BTreeSet<&str> = counts
        .agents
        .keys()
        .map(String::as_str)
        .chain(standbys.iter().map(|standby| standby.version.as_deref().unwrap_or("unknown")))
        .chain([own])
        .collect();
    let mixed = all.len() > 1;
    VersionsView { manager: own, standbys, agents: counts_of(&counts.agents), mixed }
}

/// The whole view.
pub(super) fn view(manager: &Manager) -> FirmwareView {
    let counts = manager.firmware_counts();
    let wanted = in_order(counts.wanted.iter().map(|(version, found)| (version.clone(), *found)));
    let wanted = wanted.into_iter();
    FirmwareView {
        wanted: wanted.map(|(version, (switches, running))| WantedVersion { version, switches, running }).collect(),
        running: counts_of(&counts.running),
        differ: counts.differ,
        versions: versions(manager, &counts),
        leads: manager.availability.is_leading(),
        standing: manager.firmware_standing(),
        rollout: rollout(manager),
        dry_run: None,
    }
}

/// The newest rollout.
pub(crate) fn rollout(manager: &Manager) -> Option<RolloutView> {
    let found = manager.firmware.rollout.as_ref()?;
    let now_ms = manager.control_loop.now_ms();
    let scope = manager.firmware_scope(&found.plan).unwrap_or_default();
    let done = scope.iter().filter(|(switch, version)| {
        manager.control_loop.control.versions(*switch).firmware == version
            && !manager.firmware.working.contains_key(switch)
            && !manager.firmware.failed.contains_key(switch)
    });
    let working = manager.firmware.working.iter().take(NAMED).map(|(&switch, working)| WorkView {
        switch: manager.switch_name(switch),
        label: label(&manager.fabric, switch),
        phase: manager.firmware_step(switch, working),
        from: working.taken.from.clone(),
        to: working.taken.version.clone(),
        for_seconds: match manager.control_loop.is_idle() {
            // A manager that does not lead does not know when this phase began.
            true => now_micros().saturating_sub(working.taken.taken_micros) as f64 / 1e6,
            false => now_ms.saturating_sub(working.since_ms) as f64 / 1e3,
        },
    });
    let failed = manager.firmware.failed.iter().take(NAMED).map(|(&switch, failed)| FailureView {
        switch: manager.switch_name(switch),
        label: label(&manager.fabric, switch),
        rollout: failed.rollout,
        retried: failed.is_retried,
        version: failed.version.clone(),
        reason: failed.reason.clone(),
        at_micros: failed.at_micros,
        restored: failed.is_restored,
    });
    Some(RolloutView {
        number: found.number,
        state: found.state,
        why: found.why.clone(),
        started_by: found.started_by.clone(),
        started_micros: found.started_micros,
        for_seconds: now_micros().saturating_sub(found.changed_micros) as f64 / 1e6,
        plan: found.plan.clone(),
        progress: RolloutProgress {
            wave: found.wave,
            total: scope.len(),
            done: manager.availability.is_leading().then(|| done.count()),
            upgraded: found.upgraded.values().sum(),
            still_seconds: manager.firmware_still(),
            held: manager.firmware_held(),
        },
        working: working.collect(),
        failed: failed.collect(),
        waits: waits(manager, &manager.firmware.waits),
        next: next(&manager.firmware, found.state),
    })
}

/// What to do next; several possibilities are separated by "; ".
pub(super) fn next(firmware: &Rollouts, state: RolloutState) -> Option<String> {
    let has_failed = firmware.failed_count() > 0;
    match state {
        RolloutState::Halted => Some("philae fabric firmware status; philae fabric firmware resume --retry".to_owned()),
        RolloutState::Paused => Some("philae fabric firmware resume".to_owned()),
        RolloutState::Running | RolloutState::Done if has_failed => {
            Some("philae fabric firmware resume --retry".to_owned())
        }
        RolloutState::Aborted if has_failed => Some("philae fabric firmware start".to_owned()),
        _ => None,
    }
}
