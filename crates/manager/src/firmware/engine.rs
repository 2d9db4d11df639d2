//! What is done to switches of a rollout, one small step at each look.

use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

use philae_agent::PortState;
use philae_control::{Control, DeviceState, Input};
use philae_intent::{ended_window, may_change};
use philae_store::{Change, Expect, Key};
use philae_units::{PortIndex, SwitchId};
use serde_json::json;

use super::rules::Rules;
use super::{
    Failed, Firmware, NEWEST, Phase, Plan, ROLLOUT, Rollout, SWITCHES, State, SwitchRecord, Taken, Working, Writing,
};
use crate::clock::{now_micros, utc};
use crate::documents::change_sets::pending;
use crate::events::Happened;
use crate::list::{Filter, condition};
use crate::manager::Manager;
use crate::problem::Problem;

/// Time between two looks at switches in work, milliseconds.
///
/// Source: ours. Status: assumed.
const LOOK_MS: u64 = 20;
/// Time until the next look where no switch may be begun, and between two counts of what switches
/// run, milliseconds.
///
/// Source: ours. Status: assumed.
const LOOK_AGAIN_MS: u64 = 500;
/// How long the judgement is held up by choosing switches, at each look.
///
/// Source: ours. Status: assumed.
const CHOOSING: Duration = Duration::from_millis(25);
/// Pause before records that could not be kept are tried again, milliseconds.
///
/// Source: ours. Status: assumed.
const WRITE_AGAIN_MS: u64 = 2_000;
/// Records of switches in one change of the store.
///
/// Source: ours: some 100 kB. Status: assumed.
const RECORDS_AT_ONCE: usize = 500;
/// Who is named in the log for what the manager does by itself.
const MANAGER: &str = "manager";

/// How the work on a switch ended.
enum End {
    /// It runs the version and carries traffic.
    Done,
    /// Something else is wanted of it before it was told anything.
    Dropped,
    /// It failed; its links are given back only where it runs what it ran, or the version that is
    /// wanted.
    Failed { reason: String, is_trusted: bool },
}

fn failed(reason: String) -> Option<End> {
    Some(End::Failed { reason, is_trusted: false })
}

fn failed_safely(reason: String) -> Option<End> {
    Some(End::Failed { reason, is_trusted: true })
}

/// Takes the links of a switch out of service; those that were not before.
pub(super) fn drain(control: &mut Control, now_ms: u64, switch: SwitchId) -> Vec<PortIndex> {
    let ports: Vec<PortIndex> = control.fabric_ports(switch).filter(|&port| !control.is_drained(port)).collect();
    for &port in &ports {
        control.handle(now_ms, Input::Drain(port, true));
    }
    ports
}

/// Gives links of a switch back. One whose other end is in work, or is not trusted, stays drained,
/// and comes back with that switch.
pub(super) fn give_back(firmware: &mut Firmware, control: &mut Control, now_ms: u64, ports: Vec<PortIndex>) {
    for port in ports {
        let Some(far) = control.wiring().peer(port) else { continue };
        match firmware.holder_of(control.wiring().split(far).0) {
            Some(drained) if drained.contains(&far) => {}
            Some(drained) => drained.push(far),
            None => control.handle(now_ms, Input::Drain(port, false)),
        }
    }
}

/// Ports of a switch for which something holds, as a mask.
fn mask(control: &Control, ports: impl Iterator<Item = PortIndex>, holds: impl Fn(PortIndex) -> bool) -> u64 {
    let wiring = control.wiring();
    ports.filter(|&port| holds(port)).fold(0, |mask, port| mask | 1 << wiring.split(port).1.0)
}

/// What begins next, and what does not.
pub(super) struct Chosen {
    /// Switches and their versions.
    pub take: Vec<(SwitchId, String)>,
    /// Why others are not taken: how many, and the first of them.
    pub waits: BTreeMap<String, (usize, SwitchId)>,
    /// Switches that do not run what is wanted, but for those in work and those that failed.
    pub left: usize,
    /// Switches of which it is not known what they run: not heard of since this manager leads.
    pub unheard: usize,
    /// Whether all of them were looked at.
    pub is_complete: bool,
}

impl Manager {
    /// Switches of a rollout, with what is wanted of each.
    pub(super) fn firmware_scope(&self, plan: &Plan) -> Result<Vec<(SwitchId, String)>, Problem> {
        let filter = Filter::by(condition(&plan.selector)?);
        let all = (0..self.fabric.switch_count()).map(SwitchId::from_index);
        let wanted = all.filter_map(|switch| Some((switch, self.wanted_firmware(switch)?.to_owned())));
        Ok(wanted.filter(|(switch, _)| filter.fits_switch(&self.fabric, self.documents.set(), *switch)).collect())
    }

    /// Whether a switch is to be brought to a version: it runs another one, and did not fail with it.
    fn lacks_firmware(&self, switch: SwitchId, version: &str) -> bool {
        let seen = self.plant.control.versions(switch);
        let has_failed = self.firmware.failed.get(&switch).is_some_and(|failed| failed.version == version);
        seen.is_known && seen.firmware != version && !has_failed && !self.firmware.working.contains_key(&switch)
    }

    /// What keeps every switch from being begun.
    fn firmware_blocked(&self) -> Option<String> {
        if let Some(jump) = self.clock.jump() {
            return Some(format!("the wall clock jumped by {jump} s: which window is open is not known"));
        }
        if let Some(pending) = pending(&self.documents) {
            return Some(format!("revision {} waits for its confirmation", pending.revision));
        }
        self.plant.control.plan().is_none().then(|| "there are no tables yet".to_owned())
    }

    /// Which switches begin next under a plan.
    pub(super) fn choose_firmware(
        &self,
        plan: &Plan,
        upgraded: &BTreeMap<String, u32>,
        patience: Duration,
    ) -> Result<Chosen, Problem> {
        let scope = self.firmware_scope(plan)?;
        let size = scope.len();
        let is_unheard = |switch: SwitchId| {
            !self.plant.control.versions(switch).is_known && !self.firmware.working.contains_key(&switch)
        };
        let unheard: Vec<SwitchId> = scope.iter().map(|(switch, _)| *switch).filter(|one| is_unheard(*one)).collect();
        let lacking: Vec<(SwitchId, String)> =
            scope.into_iter().filter(|(switch, version)| self.lacks_firmware(*switch, version)).collect();
        let (left, count) = (lacking.len(), unheard.len());
        let mut chosen = Chosen { take: Vec::new(), waits: BTreeMap::new(), left, unheard: count, is_complete: true };
        if let Some(&first) = unheard.first() {
            chosen.waits.insert("switches that were not heard of yet".to_owned(), (count, first));
        }
        let Some(&(first, _)) = lacking.first() else { return Ok(chosen) };
        if let Some(why) = self.firmware_blocked() {
            chosen.waits.insert(why, (lacking.len(), first));
            return Ok(chosen);
        }
        let most = plan.at_once_percent.map_or(plan.at_once as usize, |share| (size * share as usize / 100).max(1));
        let mut in_work: BTreeMap<&str, u32> = BTreeMap::new();
        for working in self.firmware.working.values() {
            *in_work.entry(&working.taken.version).or_default() += 1;
        }
        let out: BTreeSet<SwitchId> = self.firmware.working.keys().copied().collect();
        let failed = self.firmware.failed.iter().filter(|(_, failed)| !failed.is_restored).map(|(&switch, _)| switch);
        let mut rules = Rules::new(&self.fabric, &self.plant.control, plan, out, failed);
        let began = Instant::now();
        let mut wait = |why: String, switch: SwitchId| chosen.waits.entry(why).or_insert((0, switch)).0 += 1;
        for (switch, version) in &lacking {
            if rules.at_work() >= most {
                wait(format!("{most} at once may be in work"), *switch);
                continue;
            }
            let proven = upgraded.get(version).copied().unwrap_or(0);
            let working = in_work.get(version.as_str()).copied().unwrap_or(0);
            if proven < plan.first_wave && working + proven >= plan.first_wave {
                let first = match plan.first_wave {
                    1 => "the first switch".to_owned(),
                    many => format!("the first {many} switches"),
                };
                wait(format!("{first} with {version}"), *switch);
                continue;
            }
            if began.elapsed() > patience && !chosen.take.is_empty() {
                chosen.is_complete = false;
                break;
            }
            if let Err(why) = self.firmware_window(*switch).and_then(|()| rules.allow(*switch)) {
                wait(why, *switch);
                continue;
            }
            rules.take(*switch);
            *in_work.entry(version).or_default() += 1;
            chosen.take.push((*switch, version.clone()));
        }
        Ok(chosen)
    }

    fn firmware_window(&self, switch: SwitchId) -> Result<(), String> {
        let now = self.clock.seconds();
        let (set, names) = (self.documents.set(), &*self.documents.names);
        may_change(set, names, [switch], now).map_err(|closed| {
            let until = utc(closed.opens_at_seconds);
            match closed.freeze {
                true => format!("{} freezes changes until {until}", closed.by),
                false => format!("{} is not open; from {until} on", closed.by),
            }
        })?;
        // Other changes are free when no window is to come. A rollout is not: what was to be done
        // within a window is not done after it.
        let since = self.firmware.rollout.as_ref().map_or(now, |rollout| rollout.changed_micros / 1_000_000);
        match ended_window(set, names, switch, since, now) {
            Some((window, end)) => {
                Err(format!("{window} ended at {}; another window, or pause and resume, lets it go on", utc(end)))
            }
            None => Ok(()),
        }
    }

    /// Goes on with a rollout: one small step of each switch in work, and new switches where they
    /// may begin.
    pub fn tend_firmware(&mut self) {
        if self.plant.is_idle() || !self.availability.is_leading() {
            return;
        }
        let now_ms = self.plant.now_ms();
        self.note_firmware(now_ms);
        if !self.firmware.is_busy() || now_ms < self.firmware.looked_ms {
            return;
        }
        self.firmware.looked_ms = now_ms + LOOK_MS;
        self.look_at_write(now_ms);
        self.step_all(now_ms);
        self.begin_more(now_ms);
        self.write_firmware(now_ms);
    }

    /// When [`Self::tend_firmware`] has something to do, milliseconds of the manager's clock.
    pub(crate) fn next_firmware_ms(&self) -> Option<u64> {
        (!self.plant.is_idle() && self.firmware.is_busy()).then_some(self.firmware.looked_ms)
    }

    /// Keeps since when switches do not run what is wanted.
    fn note_firmware(&mut self, now_ms: u64) {
        let seen = (self.plant.control.changes(), self.documents.revision());
        if seen == self.firmware.seen || now_ms < self.firmware.counted_ms {
            return;
        }
        (self.firmware.seen, self.firmware.counted_ms) = (seen, now_ms + LOOK_AGAIN_MS);
        let control = &self.plant.control;
        for (&switch, failed) in self.firmware.failed.iter_mut().filter(|(_, failed)| !failed.is_restored) {
            if !control.fabric_ports(switch).any(|port| control.is_drained(port)) {
                // An operator has given its links back.
                failed.is_restored = true;
                self.firmware.kept_drained.remove(&switch);
                self.firmware.dirty.insert(switch);
            }
        }
        let differs = self.firmware_counts().differ > 0;
        let since = self.firmware.differs_since_ms.unwrap_or(now_ms);
        self.firmware.differs_since_ms = differs.then_some(since);
    }

    fn step_all(&mut self, now_ms: u64) {
        let plan = self.firmware.rollout.as_ref().map(|rollout| rollout.plan.clone()).unwrap_or_default();
        let switches: Vec<SwitchId> = self.firmware.working.keys().copied().collect();
        let mut has_orders = false;
        for switch in switches {
            let Some(mut working) = self.firmware.working.remove(&switch) else { continue };
            let phase = working.phase;
            let end = self.step(switch, &mut working, now_ms, &plan);
            has_orders |= phase != working.phase || end.is_some();
            match end {
                None => {
                    self.firmware.working.insert(switch, working);
                }
                Some(end) => self.end(switch, working, now_ms, end),
            }
        }
        if has_orders {
            self.plant.run();
        }
    }

    /// One step of a switch in work; its end, if that is reached.
    fn step(&mut self, switch: SwitchId, working: &mut Working, now_ms: u64, plan: &Plan) -> Option<End> {
        let is_overdue = now_ms.saturating_sub(working.since_ms) > u64::from(plan.timeout_seconds) * 1_000;
        let version = working.taken.version.clone();
        let is_wanted = self.wanted_firmware(switch) == Some(version.as_str());
        let control = &mut self.plant.control;
        let go = |working: &mut Working, phase| (working.phase, working.since_ms) = (phase, now_ms);
        match working.phase {
            Phase::Keeping => {
                if !is_wanted {
                    return Some(End::Dropped);
                }
                if working.revision.is_some_and(|revision| self.availability.is_confirmed(revision)) {
                    working.drained = drain(control, now_ms, switch);
                    working.drained.extend(self.firmware.kept_drained.remove(&switch).unwrap_or_default());
                    go(working, Phase::Draining);
                }
                None
            }
            Phase::Draining => {
                let out = |port| control.link_view(now_ms, port).is_none_or(|link| link.unusable.is_some());
                let is_out = control.fabric_ports(switch).all(out) && control.rollout().is_none();
                match (is_wanted, is_out) {
                    (false, _) => Some(End::Dropped),
                    (true, true) => {
                        control.handle(now_ms, Input::Maintenance(switch, true));
                        go(working, Phase::Installing);
                        None
                    }
                    (true, false) if is_overdue => {
                        failed_safely(format!("its links were not drained within {} s", plan.timeout_seconds))
                    }
                    (true, false) => None,
                }
            }
            Phase::Installing => self.install(switch, working, now_ms, plan, is_overdue),
            Phase::Settling => {
                if let Some(end) = says_another(control, switch, &version) {
                    return Some(end);
                }
                let view = control.device(switch);
                match view.state {
                    DeviceState::Synced => {
                        give_back(&mut self.firmware, control, now_ms, std::mem::take(&mut working.drained));
                        go(working, Phase::Restoring);
                        None
                    }
                    DeviceState::Quarantined => failed(format!("it runs {version} and is quarantined: {}", view.cause)),
                    state if is_overdue => {
                        failed(format!("it runs {version} and is still {}: {}", state.name(), view.cause))
                    }
                    _ => None,
                }
            }
            Phase::Restoring | Phase::Watched => {
                if let Some(end) = says_another(control, switch, &version) {
                    return Some(end);
                }
                match (self.firmware_trouble(switch, &working.taken, now_ms), working.phase) {
                    (Some(why), _) if is_overdue => failed_safely(format!("it runs {version}, and {why}")),
                    (Some(_), Phase::Watched) => {
                        go(working, Phase::Restoring);
                        None
                    }
                    (Some(_), _) => None,
                    (None, Phase::Watched) => {
                        let soaked = now_ms.saturating_sub(working.since_ms) >= u64::from(plan.soak_seconds) * 1_000;
                        soaked.then_some(End::Done)
                    }
                    (None, _) => {
                        go(working, Phase::Watched);
                        (plan.soak_seconds == 0).then_some(End::Done)
                    }
                }
            }
        }
    }

    /// A switch that was told to upgrade, or is to be told so.
    fn install(
        &mut self,
        switch: SwitchId,
        working: &mut Working,
        now_ms: u64,
        plan: &Plan,
        is_overdue: bool,
    ) -> Option<End> {
        let control = &mut self.plant.control;
        let (version, from) = (working.taken.version.clone(), working.taken.from.clone());
        let is_connected = control.is_connected(switch);
        let seen = control.versions(switch);
        let (runs, boot) = (seen.firmware.to_owned(), seen.boot.to_owned());
        let has_started = |before: &str| !boot.is_empty() && boot != before;
        let is_there = is_connected && seen.is_known;
        if is_there && runs == version {
            if !boot.is_empty() && !has_started(&working.taken.boot) {
                return failed(format!("it says that it runs {version}, and has not started again since it was told"));
            }
            control.handle(now_ms, Input::Maintenance(switch, false));
            (working.phase, working.since_ms) = (Phase::Settling, now_ms);
            return None;
        }
        let is_lost = |upgrade: &philae_control::UpgradeView| {
            let before = working.boot_at_order.as_deref().unwrap_or_default();
            upgrade.is_lost && runs == from && !has_started(before)
        };
        let ordered = control.upgrade(switch).filter(|upgrade| upgrade.version == version && !is_lost(upgrade));
        let ordered = ordered.filter(|_| working.boot_at_order.is_some()).cloned();
        let Some(upgrade) = ordered else {
            if is_there {
                working.boot_at_order = Some(boot);
                control.handle(now_ms, Input::Upgrade(switch, version));
            } else if is_overdue {
                return failed(format!("it did not answer for {} s", plan.timeout_seconds));
            }
            return None;
        };
        if let Some(why) = upgrade.failed {
            let what = format!("it still runs {runs}: {why}");
            return if runs == from { failed_safely(what) } else { failed(what) };
        }
        let at_order = working.boot_at_order.clone().unwrap_or_default();
        if is_there && has_started(&at_order) && upgrade.stage == philae_agent::UpgradeStage::None {
            // It may start more than once.
            let since_ms = *working.wrong_ms.get_or_insert(now_ms);
            if now_ms.saturating_sub(since_ms) >= u64::from(plan.soak_seconds) * 1_000 {
                let what = format!("it started again and reports {runs}, not {version}");
                return if runs == from { failed_safely(what) } else { failed(what) };
            }
            return None;
        }
        working.wrong_ms = None;
        match is_overdue {
            true if is_there && runs == from => {
                failed_safely(format!("it still runs {from} after {} s", plan.timeout_seconds))
            }
            true if is_there => failed(format!("it runs {runs} after {} s", plan.timeout_seconds)),
            true => failed(format!("it did not come back within {} s", plan.timeout_seconds)),
            false => None,
        }
    }

    /// What is not again as it was before the upgrade.
    fn firmware_trouble(&self, switch: SwitchId, taken: &Taken, now_ms: u64) -> Option<String> {
        let control = &self.plant.control;
        let wiring = control.wiring();
        let view = control.device(switch);
        if view.state != DeviceState::Synced {
            return Some(format!("it is {}: {}", view.state.name(), view.cause));
        }
        for port in control.fabric_ports(switch).filter(|port| taken.links >> wiring.split(*port).1.0 & 1 == 1) {
            let Some((why, _)) = control.link_view(now_ms, port).and_then(|link| link.unusable) else { continue };
            // Work at the other end is not this one's failure.
            let far = wiring.peer(port).map(|far| wiring.split(far).0);
            let excused = why.is_planned()
                || far.is_some_and(|far| {
                    self.firmware.working.contains_key(&far) || control.device_state(far) != DeviceState::Synced
                });
            if !excused {
                let why = crate::resources::unusable(&self.fabric, why);
                return Some(format!("its link {} carries no traffic: {why}", self.port_name(port)));
            }
        }
        let lost = control.edge_ports(switch).find(|&port| {
            taken.nics >> wiring.split(port).1.0 & 1 == 1
                && !matches!(control.port(port).state, PortState::Up | PortState::Disabled)
        });
        let nic = self.fabric.nic_at(lost?).map(|nic| self.fabric.nic_xname(nic).to_string());
        Some(format!("NIC {} is not back", nic.unwrap_or_default()))
    }

    fn end(&mut self, switch: SwitchId, working: Working, now_ms: u64, end: End) {
        let name = self.switch_name(switch);
        let control = &mut self.plant.control;
        let taken = working.taken;
        self.firmware.dirty.insert(switch);
        self.firmware.is_rollout_dirty = true;
        match end {
            End::Dropped => {
                give_back(&mut self.firmware, control, now_ms, working.drained);
                self.firmware.is_rollout_dirty = false;
            }
            End::Done => {
                if let Some(rollout) = &mut self.firmware.rollout {
                    *rollout.upgraded.entry(taken.version.clone()).or_default() += 1;
                }
                self.tell_firmware(format!("switch {name} runs {} instead of {}", taken.version, taken.from));
            }
            End::Failed { reason, is_trusted } => {
                control.handle(now_ms, Input::Maintenance(switch, false));
                let boot = control.versions(switch).boot.to_owned();
                if is_trusted {
                    give_back(&mut self.firmware, control, now_ms, working.drained);
                } else {
                    self.firmware.kept_drained.insert(switch, working.drained);
                }
                let what = format!("upgrade of switch {name} to {} failed: {reason}", taken.version);
                let failed =
                    Failed { version: taken.version, reason, at_micros: now_micros(), boot, is_restored: is_trusted };
                self.firmware.failed.insert(switch, failed);
                self.tell_firmware(what.clone());
                self.note_failure(what);
            }
        }
    }

    /// Counts a failure; with too many of them no more switches are begun.
    fn note_failure(&mut self, what: String) {
        let Some(rollout) = &mut self.firmware.rollout else { return };
        rollout.failures += 1;
        if rollout.state == State::Running && rollout.failures >= rollout.plan.failures_max {
            (rollout.state, rollout.why, rollout.changed_micros) = (State::Halted, what, now_micros());
            let number = rollout.number;
            self.tell_firmware(format!("firmware rollout {number} is halted"));
        }
    }

    pub(super) fn tell_firmware(&self, words: String) {
        crate::log::firmware(&words);
        self.plant.publish(Happened::Firmware(words), true);
    }

    /// Begins more switches, where that is allowed.
    fn begin_more(&mut self, now_ms: u64) {
        let Some(rollout) = self.firmware.rollout.clone().filter(|rollout| rollout.state == State::Running) else {
            self.firmware.waits.clear();
            return;
        };
        let is_idle = self.firmware.working.is_empty();
        if is_idle && self.firmware.dirty.is_empty() && self.firmware.writing.is_none() {
            self.firmware.is_wave_open = true;
        }
        if !self.firmware.is_wave_open || self.firmware.trouble.is_some() {
            return;
        }
        let chosen = match self.choose_firmware(&rollout.plan, &rollout.upgraded, CHOOSING) {
            Ok(chosen) => chosen,
            Err(problem) => return self.finish_rollout(State::Halted, problem.detail),
        };
        self.firmware.waits = chosen.waits;
        // A manager that has just begun to lead knows of no switch what it runs.
        if chosen.left == 0 && chosen.unheard == 0 && is_idle {
            let failed = self.firmware.failed.len();
            let done: u32 = rollout.upgraded.values().sum();
            let words = format!("{} upgraded, {failed} failed", super::shown::switches(done as usize));
            return self.finish_rollout(State::Done, words);
        }
        self.firmware.is_wave_open = !chosen.is_complete || (is_idle && chosen.take.is_empty());
        if chosen.take.is_empty() {
            self.firmware.looked_ms = now_ms + LOOK_AGAIN_MS;
            return;
        }
        if let Some(rollout) = self.firmware.rollout.as_mut().filter(|_| is_idle) {
            rollout.wave += 1;
        }
        self.firmware.is_rollout_dirty = true;
        for (switch, version) in chosen.take {
            let control = &self.plant.control;
            let seen = control.versions(switch);
            let carries = |port| control.link_view(now_ms, port).is_some_and(|link| link.unusable.is_none());
            let taken = Taken {
                version,
                from: seen.firmware.to_owned(),
                boot: seen.boot.to_owned(),
                links: mask(control, control.fabric_ports(switch), carries),
                nics: mask(control, control.edge_ports(switch), |port| control.port(port).state == PortState::Up),
                taken_micros: now_micros(),
            };
            let working = Working {
                taken,
                phase: Phase::Keeping,
                since_ms: now_ms,
                drained: Vec::new(),
                revision: None,
                boot_at_order: None,
                wrong_ms: None,
            };
            self.firmware.failed.remove(&switch);
            self.firmware.working.insert(switch, working);
            self.firmware.dirty.insert(switch);
        }
    }

    /// A rollout stands still from now on.
    pub(super) fn finish_rollout(&mut self, state: State, why: String) {
        let Some(rollout) = &mut self.firmware.rollout else { return };
        (rollout.state, rollout.why, rollout.changed_micros) = (state, why, now_micros());
        let words = format!("firmware rollout {} is {}: {}", rollout.number, state.name(), rollout.why);
        self.firmware.is_rollout_dirty = true;
        self.tell_firmware(words);
    }

    /// Looks whether records that were handed in are kept.
    fn look_at_write(&mut self, now_ms: u64) {
        let Some(writing) = self.firmware.writing.take() else { return };
        match writing.receipt.wait_for(Duration::ZERO) {
            None => self.firmware.writing = Some(writing),
            Some(Ok(committed)) => {
                self.firmware.trouble = None;
                for switch in writing.switches {
                    // One that has changed since is written again.
                    let is_same = !self.firmware.dirty.contains(&switch);
                    if let Some(working) = self.firmware.working.get_mut(&switch).filter(|_| is_same) {
                        working.revision = Some(committed.revision.0);
                    }
                }
            }
            Some(Err(error)) => {
                let why = format!("what a rollout does cannot be kept: {error}");
                self.firmware.trouble = Some((why, now_ms + WRITE_AGAIN_MS));
                self.firmware.is_rollout_dirty |= writing.rollout;
                for switch in writing.switches {
                    let is_begun = |working: &Working| working.phase != Phase::Keeping || working.revision.is_some();
                    if self.firmware.working.get(&switch).is_some_and(|working| !is_begun(working)) {
                        // It was told nothing yet.
                        self.firmware.working.remove(&switch);
                    }
                    self.firmware.dirty.insert(switch);
                }
            }
        }
    }

    /// Hands records in that differ from those that are kept.
    fn write_firmware(&mut self, now_ms: u64) {
        let firmware = &mut self.firmware;
        let waits = firmware.trouble.as_ref().is_some_and(|(_, again_ms)| now_ms < *again_ms);
        if firmware.writing.is_some() || waits || (!firmware.is_rollout_dirty && firmware.dirty.is_empty()) {
            return;
        }
        let mut switches = std::mem::take(&mut firmware.dirty);
        if let Some(&first_left) = switches.iter().nth(RECORDS_AT_ONCE) {
            firmware.dirty = switches.split_off(&first_left);
        }
        let rollout = std::mem::take(&mut firmware.is_rollout_dirty);
        let mut change = Change::new(MANAGER, now_micros());
        if let Some(found) = firmware.rollout.as_ref().filter(|_| rollout) {
            change.reason = format!("firmware rollout {}", found.number);
            change = change.put(rollout_key(), Expect::Any, json!(found).to_string().as_bytes());
        }
        for &switch in &switches {
            let key =
                Key::new(SWITCHES, &self.fabric.bmc_xname(switch).to_string()).expect("names of switches are keys");
            let record = match (firmware.working.get(&switch), firmware.failed.get(&switch)) {
                (Some(working), _) => Some(SwitchRecord::Taken(working.taken.clone())),
                (None, failed) => failed.cloned().map(SwitchRecord::Failed),
            };
            change = match record {
                Some(record) => change.put(key, Expect::Any, json!(record).to_string().as_bytes()),
                None => change.delete(key, Expect::Any),
            };
        }
        let receipt = self.documents.store().submit(change);
        self.firmware.writing = Some(Writing { receipt, rollout, switches });
    }

    /// Keeps an order on a rollout, with what it makes of switches that failed, before it is answered.
    pub(super) fn keep_rollout(&mut self, actor: &str, rollout: Rollout, forgiven: &[SwitchId]) -> Result<(), Problem> {
        let mut change = Change::new(actor, now_micros());
        change.reason = format!("firmware rollout {}", rollout.number);
        change = change.put(rollout_key(), Expect::Any, json!(rollout).to_string().as_bytes());
        for &switch in forgiven {
            let key = Key::new(SWITCHES, &self.switch_name(switch)).expect("names of switches are keys");
            change = change.delete(key, Expect::Any);
        }
        self.documents.store().commit(change)?;
        let now_ms = self.plant.now_ms();
        for &switch in forgiven {
            self.firmware.failed.remove(&switch);
            // Somebody has brought it there by hand: the rollout would not take it again.
            let runs = self.plant.control.versions(switch).firmware;
            if self.wanted_firmware(switch).is_none_or(|wanted| wanted == runs) {
                let drained = self.firmware.kept_drained.remove(&switch).unwrap_or_default();
                give_back(&mut self.firmware, &mut self.plant.control, now_ms, drained);
            }
        }
        self.plant.run();
        self.firmware.rollout = Some(rollout);
        self.firmware.is_rollout_dirty = false;
        self.firmware.is_wave_open = false;
        self.firmware.looked_ms = 0;
        Ok(())
    }
}

fn rollout_key() -> Key {
    Key::new(ROLLOUT, NEWEST).expect("it is a key")
}

/// A switch that ran a version and reports another one.
fn says_another(control: &Control, switch: SwitchId, version: &str) -> Option<End> {
    let seen = control.versions(switch);
    if seen.firmware == version || !control.is_connected(switch) {
        return None;
    }
    failed(format!("it said that it runs {version}, and says {} now", seen.firmware))
}
