//! The work on the switches of a rollout, one small step at a time.

use std::sync::Arc;
use std::time::Duration;

use philae_agent::PortState;
use philae_manager_core::{DeviceState, FabricControl, Input};
use philae_units::{PortIndex, SwitchId};

use crate::clock::now_micros;
use crate::events::Happened;
use crate::firmware::choose::Trial;
use crate::firmware::words::switches;
use crate::firmware::{FailedSwitch, RolloutPlan, RolloutState, Rollouts, UpdatePhase, UpdatingSwitch, Working, words};
use crate::manager::Manager;

/// Interval between steps of switches in progress, milliseconds.
///
/// Source: ours. Status: assumed.
const LOOK_MS: u64 = 20;
/// Time until the next check if no switch may be begun, and between two counts of versions,
/// milliseconds.
///
/// Source: ours. Status: assumed.
const LOOK_AGAIN_MS: u64 = 500;
/// The longest time that one choice of switches blocks the event loop.
///
/// Source: ours. Status: assumed.
const CHOOSING: Duration = Duration::from_millis(25);

/// The end of the work on a switch.
enum End {
    /// It runs the version and carries traffic.
    Done,
    /// Another version became desired before the switch got an order.
    Dropped,
    /// It failed. Its links are returned only if it runs its old version or the desired one.
    Failed { reason: String, is_trusted: bool },
}

fn failed(reason: String) -> Option<End> {
    Some(End::Failed { reason, is_trusted: false })
}

fn failed_safely(reason: String) -> Option<End> {
    Some(End::Failed { reason, is_trusted: true })
}

/// Drains the links of a switch. Returns those that were not drained before.
pub(super) fn drain(control: &mut FabricControl, now_ms: u64, switch: SwitchId) -> Vec<PortIndex> {
    let ports: Vec<PortIndex> = control.fabric_ports(switch).filter(|&port| !control.is_drained(port)).collect();
    for &port in &ports {
        control.handle(now_ms, Input::Drain(port, true));
    }
    ports
}

/// Returns links of a switch to service. If the switch at the other end is in progress or not
/// trusted, the link stays drained, and returns with that switch.
pub(super) fn give_back(firmware: &mut Rollouts, control: &mut FabricControl, now_ms: u64, ports: Vec<PortIndex>) {
    for port in ports {
        let Some(far) = control.wiring().peer(port) else { continue };
        match firmware.holder_of(control.wiring().split(far).0) {
            Some(drained) if drained.contains(&far) => {}
            Some(drained) => drained.push(far),
            None => control.handle(now_ms, Input::Drain(port, false)),
        }
    }
}

/// Ports of a switch that fulfil a condition, as a mask.
fn mask(control: &FabricControl, ports: impl Iterator<Item = PortIndex>, holds: impl Fn(PortIndex) -> bool) -> u64 {
    let wiring = control.wiring();
    ports.filter(|&port| holds(port)).fold(0, |mask, port| mask | 1 << wiring.split(port).1.0)
}

impl Manager {
    /// The rollout's tick: one small step of each switch in progress, and new switches if they may
    /// begin.
    pub fn tick_firmware(&mut self) {
        if self.control_loop.is_idle() || !self.availability.is_leading() {
            return;
        }
        let now_ms = self.control_loop.now_ms();
        self.note_firmware(now_ms);
        if !self.firmware.is_busy() || now_ms < self.firmware.looked_ms {
            return;
        }
        self.firmware.looked_ms = now_ms + LOOK_MS;
        self.look_at_write(now_ms);
        self.name_orders();
        self.step_all(now_ms);
        self.begin_more(now_ms);
        self.write_firmware(now_ms);
        self.name_orders();
    }

    /// Notes the switches for which the rollout gives orders: events name the rollout instead of an
    /// operator.
    pub(super) fn name_orders(&mut self) {
        let Some(rollout) = &self.firmware.rollout else { return };
        let held = self.firmware.failed.iter().filter(|(_, failed)| !failed.is_restored).map(|(&switch, _)| switch);
        let all: Vec<SwitchId> = self.firmware.working.keys().copied().chain(held).collect();
        let by: Arc<str> = rollout.by().into();
        self.control_loop.on_behalf = all.into_iter().map(|switch| (switch, Arc::clone(&by))).collect();
    }

    /// When [`Self::tick_firmware`] has something to do, milliseconds of the manager's clock.
    pub(crate) fn next_firmware_ms(&self) -> Option<u64> {
        (!self.control_loop.is_idle() && self.firmware.is_busy()).then_some(self.firmware.looked_ms)
    }

    /// Updates since when switches differ from their desired versions.
    fn note_firmware(&mut self, now_ms: u64) {
        let seen = (self.control_loop.control.changes(), self.documents.revision());
        if seen == self.firmware.seen || now_ms < self.firmware.counted_ms {
            return;
        }
        (self.firmware.seen, self.firmware.counted_ms) = (seen, now_ms + LOOK_AGAIN_MS);
        let control = &self.control_loop.control;
        for (&switch, failed) in self.firmware.failed.iter_mut().filter(|(_, failed)| !failed.is_restored) {
            if !control.fabric_ports(switch).any(|port| control.is_drained(port)) {
                // An operator has returned its links.
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
            self.control_loop.run();
        }
    }

    /// One step of a switch in progress; returns its end, if it is reached.
    fn step(&mut self, switch: SwitchId, working: &mut Working, now_ms: u64, plan: &RolloutPlan) -> Option<End> {
        let is_overdue = now_ms.saturating_sub(working.since_ms) > u64::from(plan.timeout_seconds) * 1_000;
        let version = working.taken.version.clone();
        let is_wanted = self.wanted_firmware(switch) == Some(version.as_str());
        let control = &mut self.control_loop.control;
        let go = |working: &mut Working, phase| (working.phase, working.since_ms) = (phase, now_ms);
        match working.phase {
            UpdatePhase::Keeping => {
                if !is_wanted {
                    return Some(End::Dropped);
                }
                if working.revision.is_some_and(|revision| self.availability.is_confirmed(revision)) {
                    working.drained = drain(control, now_ms, switch);
                    working.drained.extend(self.firmware.kept_drained.remove(&switch).unwrap_or_default());
                    go(working, UpdatePhase::Draining);
                }
                None
            }
            UpdatePhase::Draining => {
                let out = |port| control.link_view(now_ms, port).is_none_or(|link| link.unusable.is_some());
                let is_out = control.fabric_ports(switch).all(out) && control.rollout().is_none();
                match (is_wanted, is_out) {
                    (false, _) => Some(End::Dropped),
                    (true, true) => {
                        control.handle(now_ms, Input::Maintenance(switch, true));
                        go(working, UpdatePhase::Installing);
                        None
                    }
                    (true, false) if is_overdue => {
                        failed_safely(format!("its links were not drained within {} s", plan.timeout_seconds))
                    }
                    (true, false) => None,
                }
            }
            UpdatePhase::Installing => self.install(switch, working, now_ms, plan, is_overdue),
            UpdatePhase::Settling => {
                if let Some(end) = says_another(control, switch, &version) {
                    return Some(end);
                }
                let view = control.device(switch);
                match view.state {
                    DeviceState::Synced => {
                        give_back(&mut self.firmware, control, now_ms, std::mem::take(&mut working.drained));
                        go(working, UpdatePhase::Restoring);
                        None
                    }
                    DeviceState::Quarantined => failed(format!("it runs {version} and is quarantined: {}", view.cause)),
                    state if is_overdue => {
                        failed(format!("it runs {version} and is still {}: {}", state.name(), view.cause))
                    }
                    _ => None,
                }
            }
            UpdatePhase::Restoring | UpdatePhase::Watched => {
                if let Some(end) = says_another(control, switch, &version) {
                    return Some(end);
                }
                match (self.firmware_trouble(switch, &working.taken, now_ms), working.phase) {
                    (Some(why), _) if is_overdue => failed_safely(format!("it runs {version}, and {why}")),
                    (Some(_), UpdatePhase::Watched) => {
                        go(working, UpdatePhase::Restoring);
                        None
                    }
                    (Some(_), _) => None,
                    (None, UpdatePhase::Watched) => {
                        let soaked = now_ms.saturating_sub(working.since_ms) >= u64::from(plan.soak_seconds) * 1_000;
                        soaked.then_some(End::Done)
                    }
                    (None, _) => {
                        go(working, UpdatePhase::Watched);
                        (plan.soak_seconds == 0).then_some(End::Done)
                    }
                }
            }
        }
    }

    /// The step of installing: orders the upgrade, or checks its progress.
    fn install(
        &mut self,
        switch: SwitchId,
        working: &mut Working,
        now_ms: u64,
        plan: &RolloutPlan,
        is_overdue: bool,
    ) -> Option<End> {
        let control = &mut self.control_loop.control;
        let (version, from) = (working.taken.version.clone(), working.taken.from.clone());
        let is_connected = control.is_connected(switch);
        let seen = control.versions(switch);
        let (runs, boot) = (seen.firmware.to_owned(), seen.boot.to_owned());
        let has_started = |before: &str| !boot.is_empty() && boot != before;
        let is_there = is_connected && seen.is_known;
        if is_there && from == version && !boot.is_empty() {
            match (has_started(&working.taken.boot), runs == version) {
                // It failed earlier because it reported the version without a restart. A restart
                // shows what it runs.
                (false, true) if working.boot_at_order.is_none() => {
                    working.boot_at_order = Some(boot);
                    control.handle(now_ms, Input::Reboot(switch));
                    return None;
                }
                (false, _) if is_overdue => {
                    return failed(format!("it did not restart within {} s", plan.timeout_seconds));
                }
                (false, _) => return None,
                // It did not run the version, so it is upgraded like any other switch.
                (true, false) => {
                    (working.taken.from, working.taken.boot, working.boot_at_order) = (runs, boot, None);
                    self.firmware.dirty.insert(switch);
                    return None;
                }
                (true, true) => {}
            }
        }
        if is_there && runs == version {
            if !boot.is_empty() && !has_started(&working.taken.boot) {
                return failed(format!("it reports {version}, but has not restarted since the order"));
            }
            control.handle(now_ms, Input::Maintenance(switch, false));
            (working.phase, working.since_ms) = (UpdatePhase::Settling, now_ms);
            return None;
        }
        let is_lost = |upgrade: &philae_manager_core::UpgradeView| {
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
            // It may restart more than once.
            let since_ms = *working.wrong_ms.get_or_insert(now_ms);
            if now_ms.saturating_sub(since_ms) >= u64::from(plan.soak_seconds) * 1_000 {
                let what = format!("it restarted and reports {runs}, not {version}");
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

    /// What differs from the state before the upgrade; `None` if nothing does.
    fn firmware_trouble(&self, switch: SwitchId, taken: &UpdatingSwitch, now_ms: u64) -> Option<String> {
        let control = &self.control_loop.control;
        let wiring = control.wiring();
        let view = control.device(switch);
        if view.state != DeviceState::Synced {
            return Some(format!("it is {}: {}", view.state.name(), view.cause));
        }
        for port in control.fabric_ports(switch).filter(|port| taken.links >> wiring.split(*port).1.0 & 1 == 1) {
            let Some((why, _)) = control.link_view(now_ms, port).and_then(|link| link.unusable) else { continue };
            // Work at the other end is not this switch's failure.
            let far = wiring.peer(port).map(|far| wiring.split(far).0);
            let excused = why.is_planned()
                || far.is_some_and(|far| {
                    self.firmware.working.contains_key(&far) || control.device_state(far) != DeviceState::Synced
                });
            if !excused {
                let why = crate::wording::unusable(&self.fabric, why);
                return Some(format!(
                    "its link {} carries no traffic: {why}",
                    crate::wording::port_words(&self.fabric, port)
                ));
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
        let name = self.fabric.switch_text(switch);
        self.firmware.dirty.insert(switch);
        self.note_progress();
        let control = &mut self.control_loop.control;
        let taken = working.taken;
        match end {
            End::Dropped => {
                give_back(&mut self.firmware, control, now_ms, working.drained);
            }
            End::Done => {
                if let Some(rollout) = &mut self.firmware.rollout {
                    *rollout.upgraded.entry(taken.version.clone()).or_default() += 1;
                }
                let before = if taken.from == taken.version { "another start" } else { &taken.from };
                self.tell_firmware(format!("switch {name} runs {} after {before}", taken.version));
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
                let rollout = self.firmware.rollout.as_ref().map_or(0, |rollout| rollout.number);
                let failed = FailedSwitch {
                    version: taken.version,
                    reason,
                    at_micros: now_micros(),
                    boot,
                    is_restored: is_trusted,
                    rollout,
                    is_retried: false,
                };
                self.firmware.failed.insert(switch, failed);
                self.tell_firmware(what.clone());
                self.note_failure(what);
            }
        }
    }

    /// Counts a failure; too many of them halt the rollout.
    fn note_failure(&mut self, what: String) {
        let Some(rollout) = &mut self.firmware.rollout else { return };
        rollout.failures += 1;
        if rollout.state == RolloutState::Running && rollout.failures >= rollout.plan.failures_max {
            let failures = switches(rollout.failures as usize);
            let words = format!("firmware rollout {} is halted: {failures} failed", rollout.number);
            rollout.go(RolloutState::Halted, what);
            self.tell_firmware(words);
        }
    }

    /// Notes that a switch was begun or has ended.
    fn note_progress(&mut self) {
        if let Some(rollout) = &mut self.firmware.rollout {
            rollout.progressed_micros = now_micros();
            self.firmware.is_rollout_dirty = true;
        }
    }

    pub(super) fn tell_firmware(&self, words: String) {
        crate::log::firmware(&words);
        self.control_loop.publish(Happened::Firmware(words), true);
    }

    /// Begins more switches, if that is allowed.
    fn begin_more(&mut self, now_ms: u64) {
        let Some(rollout) = self.firmware.rollout.clone().filter(|rollout| rollout.state == RolloutState::Running)
        else {
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
        self.refresh_leased();
        let chosen = match self.choose_firmware(&rollout.plan, Trial::Ordered, &rollout.upgraded, CHOOSING) {
            Ok(chosen) => chosen,
            Err(problem) => return self.finish_rollout(RolloutState::Halted, problem.detail),
        };
        self.firmware.waits = chosen.waits;
        if chosen.scope == 0 && is_idle {
            let why = "no document sets the firmware of its switches any more";
            let done = words::done(&self.firmware, &rollout, 0);
            return self.finish_rollout(RolloutState::Aborted, format!("{why}; {done}"));
        }
        // A manager that has just begun to lead does not know the version of any switch.
        if chosen.left == 0 && chosen.unheard == 0 && is_idle {
            return self.finish_rollout(RolloutState::Done, words::done(&self.firmware, &rollout, chosen.scope));
        }
        self.firmware.is_wave_open = !chosen.is_complete || (is_idle && chosen.take.is_empty());
        if chosen.take.is_empty() {
            self.firmware.looked_ms = now_ms + LOOK_AGAIN_MS;
            return;
        }
        if let Some(rollout) = self.firmware.rollout.as_mut().filter(|_| is_idle) {
            rollout.wave += 1;
        }
        self.note_progress();
        for (switch, version) in chosen.take {
            let control = &self.control_loop.control;
            let seen = control.versions(switch);
            let carries = |port| control.link_view(now_ms, port).is_some_and(|link| link.unusable.is_none());
            let taken = UpdatingSwitch {
                version,
                from: seen.firmware.to_owned(),
                boot: seen.boot.to_owned(),
                links: mask(control, control.fabric_ports(switch), carries),
                nics: mask(control, control.edge_ports(switch), |port| control.port(port).state == PortState::Up),
                taken_micros: now_micros(),
            };
            let working = Working {
                taken,
                phase: UpdatePhase::Keeping,
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

    /// Puts the rollout into a state in which it begins no switches.
    pub(super) fn finish_rollout(&mut self, state: RolloutState, why: String) {
        let Some(rollout) = &mut self.firmware.rollout else { return };
        rollout.go(state, why);
        let words = format!("firmware rollout {} is {}: {}", rollout.number, state.name(), rollout.why);
        self.firmware.is_rollout_dirty = true;
        self.tell_firmware(words);
    }
}

/// The failure of a switch that ran a version and now reports another one.
fn says_another(control: &FabricControl, switch: SwitchId, version: &str) -> Option<End> {
    let seen = control.versions(switch);
    if seen.firmware == version || !control.is_connected(switch) {
        return None;
    }
    failed(format!("it reported {version}, and reports {} now", seen.firmware))
}
