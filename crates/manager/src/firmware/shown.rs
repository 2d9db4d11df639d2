//! Firmware and versions as people and programs see them.

use std::collections::{BTreeMap, BTreeSet};

use philae_control::{Health, NicDown, NicOff};
use philae_units::SwitchId;
use schemars::JsonSchema;
use serde::Serialize;

use super::engine::Chosen;
use super::{Plan, State};
use crate::clock::now_micros;
use crate::manager::Manager;
use crate::resources::incidents::{AlarmRow, PlannedRow, counted, few};

/// Switches that are named one by one.
const NAMED: usize = 100;

/// What can be said of a switch's firmware.
pub const STATES: [&str; 6] = ["current", "not-wanted", "differs", "in-work", "failed", "unknown"];

pub(super) fn switches(count: usize) -> String {
    counted(count, "switch", "es")
}

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

/// Versions, counted.
#[derive(Clone, Debug, Default)]
pub struct Counts {
    /// Firmware that runs.
    pub running: BTreeMap<String, usize>,
    /// Firmware that is wanted: on how many, and how many of them run it.
    pub wanted: BTreeMap<String, (usize, usize)>,
    /// Switches that do not run what is wanted.
    pub differ: usize,
    /// Versions of agents.
    pub agents: BTreeMap<String, usize>,
    /// Switches whose agents are not what is wanted, with the first of them and its version.
    pub agents_differ: usize,
    /// The agent's version that is wanted there.
    pub agent_wanted: Option<String>,
}

/// A manager, and its version.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(rename = "ManagerVersion", deny_unknown_fields)]
pub struct ManagerVersion {
    /// What it is called among managers.
    pub name: String,
    /// Its version; null where it does not say.
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
    /// What is done.
    pub phase: &'static str,
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
    /// What it was to run.
    pub version: String,
    /// Why it failed.
    pub reason: String,
    /// When, microseconds since 1970.
    pub at_micros: u64,
    /// Whether it carries traffic again; else its links stay drained.
    pub restored: bool,
}

/// Why switches are not begun.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "FirmwareWait", deny_unknown_fields)]
pub struct WaitView {
    /// What they wait for.
    pub reason: String,
    /// How many.
    pub switches: usize,
    /// The first of them.
    pub first_switch: String,
}

/// A rollout.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "FirmwareRollout", deny_unknown_fields)]
pub struct RolloutView {
    /// Its number.
    pub number: u64,
    /// running, paused, halted, done or aborted.
    pub state: State,
    /// Why it stands there.
    pub why: String,
    /// Who began it.
    pub started_by: String,
    /// When, microseconds since 1970.
    pub started_micros: u64,
    /// For how long it has been in this state.
    pub for_seconds: f64,
    /// How it goes.
    pub plan: Plan,
    /// Waves that were begun.
    pub wave: u32,
    /// Its switches of which a version is wanted.
    pub total: usize,
    /// Those that run it.
    pub done: usize,
    /// Those that it upgraded.
    pub upgraded: u32,
    /// Those in work.
    pub working: Vec<WorkView>,
    /// Those that failed.
    pub failed: Vec<FailureView>,
    /// Those that are not begun, by what they wait for.
    pub waits: Vec<WaitView>,
    /// What to do next.
    pub next: Option<String>,
}

/// A switch that would begin.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(rename = "FirmwareBegin", deny_unknown_fields)]
pub struct BeginView {
    /// The switch.
    pub switch: String,
    /// What it runs.
    pub from: String,
    /// What it would be brought to.
    pub to: String,
}

/// What a rollout would do at once.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(rename = "FirmwareDryRun", deny_unknown_fields)]
pub struct DryRunView {
    /// How it would go.
    pub plan: Plan,
    /// Its switches of which a version is wanted.
    pub total: usize,
    /// Those that do not run it.
    pub differ: usize,
    /// Those that would begin.
    pub begin: Vec<BeginView>,
    /// Those that would not, by what they wait for.
    pub waits: Vec<WaitView>,
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
    /// Switches that do not run what is wanted.
    pub differ: usize,
    /// Versions of agents and managers.
    pub versions: VersionsView,
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

/// What would begin.
pub(super) fn planned(manager: &Manager, plan: &Plan, scope: usize, chosen: &Chosen) -> FirmwareView {
    let begin = |(switch, version): &(SwitchId, String)| BeginView {
        switch: manager.switch_name(*switch),
        from: manager.plant.control.versions(*switch).firmware.to_owned(),
        to: version.clone(),
    };
    let dry = DryRunView {
        plan: plan.clone(),
        total: scope,
        differ: chosen.left,
        begin: chosen.take.iter().map(begin).collect(),
        waits: waits(manager, &chosen.waits),
    };
    FirmwareView { dry_run: Some(dry), ..view(manager) }
}

fn waits(manager: &Manager, found: &BTreeMap<String, (usize, SwitchId)>) -> Vec<WaitView> {
    let wait = |(reason, &(count, first)): (&String, &(usize, SwitchId))| WaitView {
        reason: reason.clone(),
        switches: count,
        first_switch: manager.switch_name(first),
    };
    found.iter().map(wait).take(NAMED).collect()
}

pub(crate) fn counts_of(counted: &BTreeMap<String, usize>) -> Vec<VersionCount> {
    let one = |(version, &switches): (&String, &usize)| VersionCount { version: version.clone(), switches };
    counted.iter().map(one).collect()
}

impl Manager {
    /// Versions, counted. Switches that were never heard of are in none.
    pub(crate) fn firmware_counts(&self) -> Counts {
        let mut found = Counts::default();
        let count = |of: &mut BTreeMap<String, usize>, version: &str| match of.get_mut(version) {
            Some(known) => *known += 1,
            None => {
                of.insert(version.to_owned(), 1);
            }
        };
        for switch in (0..self.fabric.switch_count()).map(SwitchId::from_index) {
            let seen = self.plant.control.versions(switch);
            let config = self.documents.composition().switch(switch);
            if let Some(wanted) = &config.firmware {
                let runs = seen.is_known && *seen.firmware == **wanted;
                let entry = match found.wanted.get_mut(wanted) {
                    Some(known) => known,
                    None => found.wanted.entry(wanted.clone()).or_default(),
                };
                *entry = (entry.0 + 1, entry.1 + usize::from(runs));
                found.differ += usize::from(seen.is_known && !runs);
            }
            if !seen.is_known {
                continue;
            }
            count(&mut found.running, seen.firmware);
            count(&mut found.agents, if seen.agent.is_empty() { "unknown" } else { seen.agent });
            if let Some(wanted) = config.agent.as_deref().filter(|wanted| *wanted != seen.agent) {
                found.agents_differ += 1;
                found.agent_wanted.get_or_insert_with(|| wanted.to_owned());
            }
        }
        found
    }

    /// Whether a switch stays drained because its upgrade failed: nobody wants that.
    pub(crate) fn is_cut_off_by_upgrade(&self, switch: SwitchId) -> bool {
        self.firmware.failed.get(&switch).is_some_and(|failed| !failed.is_restored)
    }

    /// NICs that are off because upgrades failed are not off on purpose. How many there are.
    pub(crate) fn unplan_nics(&self, nics: &mut [NicDown]) -> usize {
        let failed = nics
            .iter_mut()
            .filter(|nic| nic.why == NicOff::SetApart && self.is_cut_off_by_upgrade(self.fabric.switch_of(nic.port)));
        failed.map(|nic| nic.is_planned = false).count()
    }

    /// Why a switch's firmware is not as it should be, or what is done to it; nothing where it is.
    pub(crate) fn firmware_cause(&self, switch: SwitchId) -> Option<String> {
        let seen = self.plant.control.versions(switch);
        if let Some(working) = self.firmware.working.get(&switch) {
            return Some(format!("upgrade to {}: {}", working.taken.version, working.phase.words()));
        }
        if let Some(failed) = self.firmware.failed.get(&switch) {
            return Some(format!("upgrade to {} failed: {}", failed.version, failed.reason));
        }
        let wanted = self.wanted_firmware(switch).filter(|wanted| seen.is_known && *wanted != seen.firmware)?;
        Some(format!("it runs {}, wanted is {wanted}", seen.firmware))
    }
}

pub(super) fn row(manager: &Manager, switch: SwitchId) -> FirmwareRow {
    let seen = manager.plant.control.versions(switch);
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
        group: manager.fabric.switch(switch).group.0,
        firmware: seen.firmware.to_owned(),
        wanted: wanted.map(str::to_owned),
        state,
        agent: seen.agent.to_owned(),
        cause: manager.firmware_cause(switch).unwrap_or_default(),
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

/// All of it.
pub(super) fn view(manager: &Manager) -> FirmwareView {
    let counts = manager.firmware_counts();
    let wanted = |(version, &(switches, running)): (&String, &(usize, usize))| WantedVersion {
        version: version.clone(),
        switches,
        running,
    };
    FirmwareView {
        wanted: counts.wanted.iter().map(wanted).collect(),
        running: counts_of(&counts.running),
        differ: counts.differ,
        versions: versions(manager, &counts),
        rollout: rollout(manager),
        dry_run: None,
    }
}

/// The newest rollout.
pub(crate) fn rollout(manager: &Manager) -> Option<RolloutView> {
    let found = manager.firmware.rollout.as_ref()?;
    let now_ms = manager.plant.now_ms();
    let scope = manager.firmware_scope(&found.plan).unwrap_or_default();
    let done = scope.iter().filter(|(switch, version)| {
        manager.plant.control.versions(*switch).firmware == version
            && !manager.firmware.working.contains_key(switch)
            && !manager.firmware.failed.contains_key(switch)
    });
    let working = manager.firmware.working.iter().take(NAMED).map(|(&switch, working)| WorkView {
        switch: manager.switch_name(switch),
        phase: working.phase.words(),
        from: working.taken.from.clone(),
        to: working.taken.version.clone(),
        for_seconds: now_ms.saturating_sub(working.since_ms) as f64 / 1e3,
    });
    let failed = manager.firmware.failed.iter().take(NAMED).map(|(&switch, failed)| FailureView {
        switch: manager.switch_name(switch),
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
        wave: found.wave,
        total: scope.len(),
        done: done.count(),
        upgraded: found.upgraded.values().sum(),
        working: working.collect(),
        failed: failed.collect(),
        waits: waits(manager, &manager.firmware.waits),
        next: next(manager, found.state),
    })
}

fn next(manager: &Manager, state: State) -> Option<String> {
    match state {
        State::Halted => Some("philae fabric firmware status; philae fabric firmware resume --retry".to_owned()),
        State::Paused => Some("philae fabric firmware resume".to_owned()),
        State::Done | State::Aborted if !manager.firmware.failed.is_empty() => {
            Some("philae fabric firmware status; philae fabric firmware start".to_owned())
        }
        _ => None,
    }
}

/// Causes of the word for configuration.
pub(crate) fn causes(manager: &Manager, counts: &Counts) -> Vec<(Health, String)> {
    let mut found = Vec::new();
    let (differ, failed) = (counts.differ, manager.firmware.failed.len());
    let is_running = manager.firmware.rollout.as_ref().is_some_and(|rollout| rollout.state == State::Running);
    if differ > 0 {
        let health = if is_running { Health::Converging } else { Health::Degraded };
        let verb = if differ == 1 { "does" } else { "do" };
        found.push((health, format!("{} {verb} not run the wanted firmware", switches(differ))));
    }
    if failed > 0 {
        found.push((Health::Degraded, format!("upgrades of {} failed", switches(failed))));
    }
    if counts.agents_differ > 0 {
        let words = format!("agents of {} are not of the wanted version", switches(counts.agents_differ));
        found.push((Health::Degraded, words));
    }
    if let Some((why, _)) = &manager.firmware.trouble {
        found.push((Health::Degraded, why.clone()));
    }
    found
}

fn tally(of: &BTreeMap<String, usize>) -> String {
    let parts: Vec<String> = of.iter().map(|(version, count)| format!("{count} run {version}")).collect();
    few(&parts)
}

/// What is wrong, as lines.
pub(crate) fn alarms(manager: &Manager, counts: &Counts, now_ms: u64) -> Vec<AlarmRow> {
    let mut rows = Vec::new();
    let since = |micros: u64| Some(now_micros().saturating_sub(micros) as f64 / 1e6);
    let degraded = |kind, detail: String, since_seconds, next: Option<String>| AlarmRow {
        kind,
        health: Health::Degraded.name(),
        detail,
        since_seconds,
        count: 1,
        next,
        ..AlarmRow::default()
    };
    let rollout = manager.firmware.rollout.as_ref();
    let failed: Vec<String> = manager.firmware.failed.keys().map(|&switch| manager.switch_name(switch)).collect();
    if let Some((found, latest)) =
        rollout.zip(manager.firmware.failed.iter().max_by_key(|(_, failed)| failed.at_micros))
    {
        let (switch, failure) = latest;
        let name = manager.switch_name(*switch);
        let control = &manager.plant.control;
        let nics = control.edge_ports(*switch).filter_map(|port| manager.fabric.nic_at(port));
        let nodes: Vec<_> = nics.map(|nic| manager.fabric.nics()[nic.index()].node).collect();
        let nics = nodes.len();
        let stands = match failure.is_restored {
            true => "it carries traffic again".to_owned(),
            false => format!("its links stay drained, {} cut off", counted(nics, "NIC", "s")),
        };
        let first = format!("upgrade of switch {name} to {} failed: {}; {stands}", failure.version, failure.reason);
        let more = match failed.len() {
            1 => String::new(),
            many => format!("; {many} switches failed: {}", few(&failed)),
        };
        let state = match found.state {
            State::Halted => format!("firmware rollout {} is halted", found.number),
            state => format!("firmware rollout {} is {}", found.number, state.name()),
        };
        let left = match counts.differ {
            0 => String::new(),
            left => format!("; {} left", switches(left)),
        };
        let detail = format!("{state} in wave {}: {first}{more}{left}", found.wave);
        let next = next(manager, found.state).unwrap_or_else(|| "philae fabric firmware status".to_owned());
        let explain = format!("philae fabric explain {name}; {next}");
        let nodes: BTreeSet<_> = if failure.is_restored { BTreeSet::new() } else { nodes.into_iter().collect() };
        rows.push(AlarmRow {
            count: failed.len(),
            nics: if failure.is_restored { 0 } else { nics },
            nodes: nodes.into_iter().take(NAMED).map(|node| manager.fabric.node_xname(node).to_string()).collect(),
            ..degraded("firmware", detail, since(failure.at_micros), Some(explain))
        });
    }
    let goes_on = rollout.is_some_and(|rollout| matches!(rollout.state, State::Running | State::Halted));
    if counts.differ > 0 && !goes_on {
        let wanted: Vec<String> = counts
            .wanted
            .iter()
            .filter(|(_, (on, run))| on > run)
            .map(|(version, (on, _))| format!("{version} on {on}"))
            .collect();
        let detail = format!(
            "{} of {} do not run the wanted firmware: wanted is {}; {}",
            counts.differ,
            switches(counts.wanted.values().map(|(on, _)| on).sum()),
            few(&wanted),
            tally(&counts.running)
        );
        let next = match rollout.map(|rollout| rollout.state) {
            Some(State::Paused) => "philae fabric firmware resume",
            _ => "philae fabric firmware start --dry-run; philae fabric firmware start",
        };
        let since = manager.firmware.differs_since_ms.map(|since| now_ms.saturating_sub(since) as f64 / 1e3);
        rows.push(degraded("firmware", detail, since, Some(next.to_owned())));
    }
    if counts.agents_differ > 0 {
        let wanted = counts.agent_wanted.as_deref().unwrap_or("another version");
        let detail = format!(
            "agents of {} are not of the wanted version {wanted}: {}",
            switches(counts.agents_differ),
            tally(&counts.agents)
        );
        let next = "philae fabric firmware switches; install the agents of that version".to_owned();
        rows.push(degraded("version", detail, None, Some(next)));
    }
    rows
}

/// The rollout that goes on, as planned work.
pub(crate) fn planned_row(manager: &Manager) -> Option<PlannedRow> {
    let found = manager.firmware.current().filter(|rollout| rollout.state != State::Halted)?;
    let shown = rollout(manager)?;
    let names: Vec<String> = shown.working.iter().map(|work| format!("{} {}", work.switch, work.phase)).collect();
    let work = match (names.len(), manager.firmware.waits.iter().max_by_key(|(_, (count, _))| *count)) {
        (0, Some((why, (count, _)))) => format!("; {} wait: {why}", switches(*count)),
        (0, None) => String::new(),
        _ => format!("; in work: {}", few(&names)),
    };
    let detail = format!(
        "firmware rollout {} is {}, wave {}: {} of {} done{work}",
        found.number,
        found.state.name(),
        found.wave,
        shown.done,
        switches(shown.total)
    );
    let since_seconds = Some(now_micros().saturating_sub(found.started_micros) as f64 / 1e6);
    Some(PlannedRow { kind: "firmware", detail, since_seconds, links: 0, nics: 0 })
}

/// A line of the status on firmware, where there is anything to say.
pub(crate) fn facts(counts: &Counts) -> Option<String> {
    if counts.wanted.is_empty() && counts.running.len() < 2 {
        return None;
    }
    let wanted: Vec<String> =
        counts.wanted.iter().map(|(version, (on, run))| format!("{version} wanted on {on}, {run} run it")).collect();
    let others: BTreeMap<String, usize> = counts
        .running
        .iter()
        .filter(|(version, _)| !counts.wanted.contains_key(*version))
        .map(|(version, count)| (version.clone(), *count))
        .collect();
    let others = if others.is_empty() { Vec::new() } else { vec![tally(&others)] };
    Some(wanted.into_iter().chain(others).collect::<Vec<_>>().join("; "))
}
