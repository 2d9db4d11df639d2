//! Publishes tables: which switches activate which entries, in which round.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Mutex;

use philae_agent::{Activate, ConfigSection, ForwardingEntries, StageEntries, ToBody};
use philae_route_tables::{LinkChange, RoutePlan, RouteRollout, verify, verify_update};
use philae_units::{PortIndex, SwitchId};

use crate::control::{ControlOutput, FabricControl};
use crate::device::{Cause, DeviceState, OrderInFlight};
use crate::reach::Cached;
use crate::timers::Timer;

/// A rollout in progress.
#[derive(Debug)]
pub struct Active {
    pub rollout: RouteRollout,
    pub generation: u64,
    pub round: u8,
    /// Switches whose answer is outstanding.
    pub waiting: BTreeSet<u32>,
    /// Switches that have followed all orders so far, with their index in the rollout.
    pub good: BTreeMap<u32, usize>,
    pub event_ms: u64,
}

/// Tables that were published.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Published {
    /// The generation of the tables.
    pub generation: u64,
    /// When their first link changed, in milliseconds of the manager's clock.
    pub event_ms: u64,
    /// When the last switch had activated them, or its time was over.
    pub done_ms: u64,
    /// Links that changed.
    pub links: usize,
    /// Entries that changed.
    pub entries: usize,
    /// Switches that got them.
    pub switches: usize,
    pub rounds: u8,
}

/// A rollout in readable form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RouteRolloutView {
    /// The generation of the tables.
    pub generation: u64,
    /// The present round, from 0.
    pub round: u8,
    /// The number of rounds.
    pub rounds: u8,
    /// Switches whose answer is outstanding.
    pub waiting: usize,
    /// When their first link changed, in milliseconds of the manager's clock.
    pub event_ms: u64,
}

impl FabricControl {
    /// Evaluates a link again. If its use has changed, tables will follow.
    pub(crate) fn update_link(&mut self, now_ms: u64, port: PortIndex) {
        let Some(far) = self.fabric.wiring.peer(port) else { return };
        let ends = (port.min(far), port.max(far));
        let link = ends.0.0;
        let mut verdict = self.ports.assess(&*self.fabric.expected, ends, self.heard_ends(ends));
        if verdict.is_ok()
            && let Some(end) = self.unheard_end(ends)
        {
            verdict = Err(crate::Unusable::Unheard(end));
        }
        if verdict.is_ok() && !self.flaps.allows(link) {
            let isolated = self.flaps.view(link, now_ms, &self.settings).isolation == crate::flap::Isolation::Isolated;
            verdict = Err(if isolated { crate::Unusable::Isolated } else { crate::Unusable::HeldDown });
        }
        if verdict.is_ok() && self.ports.is_drained(link) {
            verdict = Err(crate::Unusable::Drained);
        }
        let up = verdict.is_ok();
        if self.ports.record_verdict(link, verdict, now_ms) {
            self.tables.pending.insert(link, up);
            self.tables.pending_since_ms.get_or_insert(now_ms);
            self.outputs.push(ControlOutput::Link { port: ends.0, up, has_tables: self.tables.plan.is_some() });
        }
    }

    /// Computes and publishes tables, if links have changed and no rollout is in progress.
    pub(crate) fn route(&mut self, now_ms: u64) {
        if self.tables.active.is_some() {
            return;
        }
        let Some(plan) = &mut self.tables.plan else {
            self.bring_up(now_ms);
            return;
        };
        if self.tables.pending.is_empty() {
            return;
        }
        let changes = std::mem::take(&mut self.tables.pending);
        let event_ms = self.tables.pending_since_ms.take().unwrap_or(now_ms);
        let changes: Vec<LinkChange> =
            changes.into_iter().map(|(port, up)| LinkChange { port: PortIndex(port), up }).collect();
        let update = plan.update(&changes);
        if let Err(error) = verify_update(plan, &update) {
            // A fault of the manager. The present tables stay in force, and the status shows why.
            self.tables.unsound = Some(error.to_string());
            return;
        }
        self.tables.unsound = None;
        self.note_reach(event_ms, &update);
        let entries = update.entries();
        self.publish(now_ms, update.rollout, event_ms, update.links, entries);
    }

    /// Computes the first tables when all switches have introduced themselves or enough time has
    /// passed.
    fn bring_up(&mut self, now_ms: u64) {
        let known = self.census.known;
        if known == 0 {
            return;
        }
        let all = known == self.devices.len();
        if !all && self.timers.at(Timer::BringUp).is_some() {
            return;
        }
        self.timers.clear(Timer::BringUp);
        let mut links = philae_route_tables::LiveLinks::all(&self.fabric.wiring);
        for (port, _, _) in self.ports.all_unusable() {
            links.set(&self.fabric.wiring, LinkChange { port, up: false });
        }
        self.tables.pending.clear();
        let event_ms = self.tables.pending_since_ms.take().unwrap_or(now_ms);
        let plan = RoutePlan::new(self.fabric.wiring.clone(), Some(links), self.fabric.parameters);
        if let Err(error) = verify(&plan) {
            self.tables.unsound = Some(error.to_string());
            return;
        }
        self.tables.routes = self.switches().map(|switch| plan.tables().hash_of(switch)).collect();
        self.tables.plan = Some(plan);
        self.reach = Mutex::new(Cached::stale(event_ms));
        self.tables.published =
            Published { generation: 1, event_ms, done_ms: now_ms, switches: known, ..Published::default() };
        for switch in self.switches() {
            self.sync(now_ms, switch);
        }
    }

    fn publish(&mut self, now_ms: u64, rollout: RouteRollout, event_ms: u64, links: usize, entries: usize) {
        let plan = self.tables.plan.as_ref().expect("tables are published of a plan");
        let generation = plan.generation().0;
        self.tables.published = Published {
            generation,
            event_ms,
            done_ms: now_ms,
            links,
            entries,
            switches: rollout.switches().len(),
            rounds: rollout.rounds(),
        };
        if rollout.rounds() == 0 {
            return;
        }
        let mut active =
            Active { rollout, generation, round: 0, waiting: BTreeSet::new(), good: BTreeMap::new(), event_ms };
        let hashes: Vec<u64> =
            active.rollout.switches().iter().map(|delta| plan.tables().hash_of(delta.switch)).collect();
        for (place, (delta, after)) in active.rollout.switches().iter().zip(hashes).enumerate() {
            let base = std::mem::replace(&mut self.tables.routes[delta.switch.index()], after);
            let device = &self.devices[delta.switch.index()];
            let track = &device.sections[ConfigSection::Routes as usize];
            // A switch with another table gets its whole table after this rollout.
            if !device.takes_orders() || track.sent.is_some() || track.observed != base {
                continue;
            }
            let stage = StageEntries {
                generation,
                base,
                after,
                replace: false,
                entries: Some(ForwardingEntries::from_entries(delta.entries.iter().copied())),
            };
            let switch = delta.switch;
            let request = self.send(switch, ToBody::Stage(stage));
            let device = &mut self.devices[switch.index()];
            device.sections[ConfigSection::Routes as usize].sent = Some(OrderInFlight { request, after });
            if device.go(now_ms, DeviceState::Configuring, Cause::Differs) {
                self.outputs.push(ControlOutput::Device { switch });
            }
            active.waiting.insert(switch.0);
            active.good.insert(switch.0, place);
        }
        self.timers.set(Timer::Round, now_ms + self.settings.answer_ms);
        self.tables.active = Some(active);
        self.advance(now_ms);
    }

    /// Processes the answer of a switch of a rollout, good or bad.
    pub(crate) fn answered(&mut self, now_ms: u64, switch: SwitchId, good: bool) {
        let Some(active) = &mut self.tables.active else { return };
        if !active.waiting.remove(&switch.0) {
            return;
        }
        if !good {
            active.good.remove(&switch.0);
        }
        self.advance(now_ms);
    }

    /// Handles the end of a round's time: switches that have not answered leave the rollout.
    pub(crate) fn round_overdue(&mut self, now_ms: u64) {
        let Some(active) = &mut self.tables.active else { return };
        let late = std::mem::take(&mut active.waiting);
        active.good.retain(|switch, _| !late.contains(switch));
        for switch in late {
            self.devices[switch as usize].sections[ConfigSection::Routes as usize].sent = None;
            self.failed(now_ms, SwitchId(switch), ConfigSection::Routes, Cause::NoAnswer(ConfigSection::Routes));
        }
        self.advance(now_ms);
    }

    /// Begins the next round, or ends the rollout.
    fn advance(&mut self, now_ms: u64) {
        while let Some(mut active) = self.tables.active.take_if(|active| active.waiting.is_empty()) {
            active.round += 1;
            if active.round >= active.rollout.rounds() {
                self.timers.clear(Timer::Round);
                self.tables.published.done_ms = now_ms;
                self.outputs.push(ControlOutput::Published(self.tables.published));
                for switch in active.rollout.switches().iter().map(|delta| delta.switch).collect::<Vec<_>>() {
                    self.sync(now_ms, switch);
                }
                self.send_deferred(now_ms);
                self.route(now_ms);
                return;
            }
            let round = active.round;
            let due: Vec<u32> = active
                .good
                .iter()
                .filter(|(_, place)| {
                    active.rollout.switches()[**place].entries.iter().any(|entry| entry.round == round)
                })
                .map(|(&switch, _)| switch)
                .collect();
            for switch in due {
                let after = self.tables.routes[switch as usize];
                let body = ToBody::Activate(Activate { generation: active.generation, round: u32::from(round) });
                let request = self.send(SwitchId(switch), body);
                self.devices[switch as usize].sections[ConfigSection::Routes as usize].sent =
                    Some(OrderInFlight { request, after });
                active.waiting.insert(switch);
            }
            self.timers.set(Timer::Round, now_ms + self.settings.answer_ms);
            self.tables.active = Some(active);
        }
    }
}
