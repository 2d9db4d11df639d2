//! Brings a device to its desired state, section by section.

use std::collections::BTreeMap;
use std::sync::Arc;

use philae_agent::{
    Ack, ConfigSection, Configure, EqualItems, ForwardingEntries, OrderOutcome, SectionItems, StageEntries, ToBody,
};
use philae_route_tables::StagedEntry;
use philae_units::SwitchId;

use crate::control::{ControlOutput, FabricControl};
use crate::device::{Cause, DeviceState, OrderInFlight};
use crate::timers::Timer;

/// Whole tables that may be in flight at the same time. The others wait until these are sent, so
/// that the orders of a starting fabric are not in memory together: those of 17,440 switches are
/// 143 MB.
///
/// Source: ours; 2 MB with the most entries of one of 577 tables. Status: assumed.
const WHOLE_TABLES_AT_ONCE: usize = 256;

impl FabricControl {
    /// Sends a device the sections that differ, unless they are already in flight, and updates the
    /// device's state.
    pub(crate) fn sync(&mut self, now_ms: u64, switch: SwitchId) {
        let device = &self.devices[switch.index()];
        if device.connection.connected && device.takes_orders() && device.connection.known {
            for section in ConfigSection::ALL {
                self.sync_section(now_ms, switch, section);
            }
        }
        self.assess_device(now_ms, switch);
    }

    /// The desired hash of a section of a device; `None` if it is not known yet.
    pub(crate) fn desired(&self, switch: SwitchId, section: ConfigSection) -> Option<u64> {
        match section {
            ConfigSection::Routes => self.tables.plan.as_ref().map(|_| self.tables.routes[switch.index()]),
            _ => Some(self.devices[switch.index()].sections[section as usize].desired.hash()),
        }
    }

    /// Sends deferred whole tables, up to the limit of tables in flight.
    pub(crate) fn send_deferred(&mut self, now_ms: u64) {
        while self.tables.active.is_none()
            && self.tables.whole_tables < WHOLE_TABLES_AT_ONCE
            && let Some(switch) = self.tables.deferred.pop_first()
        {
            self.sync(now_ms, SwitchId(switch));
        }
    }

    fn sync_section(&mut self, now_ms: u64, switch: SwitchId, section: ConfigSection) {
        let track = &self.devices[switch.index()].sections[section as usize];
        let Some(desired) = self.desired(switch, section) else { return };
        let waits = self.timers.at(Timer::Section(switch.0, section as u8)).is_some();
        if track.sent.is_some() || waits || track.observed == desired {
            return;
        }
        let body = if section == ConfigSection::Routes {
            if self.tables.active.is_some() || self.tables.whole_tables == WHOLE_TABLES_AT_ONCE {
                self.tables.deferred.insert(switch.0);
                return;
            }
            let Some(plan) = &self.tables.plan else { return };
            self.tables.whole_tables += 1;
            let all = plan.tables().entries(switch);
            let entries = all.map(|(destination, ports)| StagedEntry { destination, ports: Some(ports), round: 0 });
            ToBody::Stage(StageEntries {
                generation: plan.generation().0,
                base: track.observed,
                after: desired,
                replace: true,
                entries: Some(ForwardingEntries::from_entries(entries)),
            })
        } else {
            let configure = differences(section, track.observed, track.applied.as_ref(), &track.desired);
            self.note_changed_ports(now_ms, switch, section, &configure);
            ToBody::Configure(configure)
        };
        let track = &self.devices[switch.index()].sections[section as usize];
        let sending = (section != ConfigSection::Routes).then(|| Arc::clone(&track.desired));
        let request = self.send(switch, body);
        let track = &mut self.devices[switch.index()].sections[section as usize];
        track.sent = Some(OrderInFlight { request, after: desired });
        track.sending = sending;
        self.timers.set(Timer::Section(switch.0, section as u8), now_ms + self.settings.answer_ms);
    }

    /// Records the ports that an order changes. Losses of their links are excused until some time
    /// after the answer.
    fn note_changed_ports(&mut self, now_ms: u64, switch: SwitchId, section: ConfigSection, configure: &Configure) {
        // The first order of a section, or a full replacement, changes no existing setting.
        if configure.replace || configure.base == 0 {
            return;
        }
        let device = &mut self.devices[switch.index()];
        let ports = match section {
            ConfigSection::Ports => configure.items.iter().flat_map(|items| &items.keys).filter(|&&key| key < 64),
            _ => return,
        };
        if now_ms >= device.neighbours.changed_until_ms {
            device.neighbours.changed_ports = 0;
        }
        device.neighbours.changed_ports |= ports.fold(0, |mask, key| mask | 1 << key);
        device.neighbours.changed_until_ms = u64::MAX;
    }

    /// Ends an order on ports that was answered or given up. Its changes excuse losses for a grace
    /// period.
    pub(crate) fn end_changed_ports(&mut self, now_ms: u64, switch: SwitchId) {
        let grace_ms = self.settings.change_grace_ms;
        let device = &mut self.devices[switch.index()];
        if device.neighbours.changed_until_ms == u64::MAX {
            device.neighbours.changed_until_ms = now_ms + grace_ms;
        }
    }

    /// Processes a device's answer to an order.
    pub(crate) fn ack(&mut self, now_ms: u64, switch: SwitchId, ack: &Ack) {
        if self.answered_upgrade(switch, ack) {
            return;
        }
        let device = &mut self.devices[switch.index()];
        let of = |section: &&ConfigSection| {
            device.sections[**section as usize].sent.is_some_and(|sent| sent.request == ack.request)
        };
        // An answer to an order that was given up. The next heartbeat will show the device's state.
        let Some(&section) = ConfigSection::ALL.iter().find(of) else { return };
        let track = &mut device.sections[section as usize];
        let sent = track.sent.take().expect("it was found by what was sent");
        let sending = track.sending.take();
        self.timers.clear(Timer::Section(switch.0, section as u8));
        if section == ConfigSection::Ports {
            self.end_changed_ports(now_ms, switch);
        }
        let device = &mut self.devices[switch.index()];
        let track = &mut device.sections[section as usize];
        let outcome = OrderOutcome::try_from(ack.outcome).unwrap_or(OrderOutcome::Failed);
        if outcome == OrderOutcome::StaleEpoch {
            self.outputs.push(ControlOutput::Fenced { epoch: ack.hash });
            return;
        }
        track.observed = ack.hash;
        // A table that is activated in rounds has its final hash only after the last round.
        let in_rounds = section == ConfigSection::Routes
            && self.tables.active.as_ref().is_some_and(|active| active.round + 1 < active.rollout.rounds());
        if outcome == OrderOutcome::Done && (ack.hash == sent.after || in_rounds) {
            track.failures = 0;
            track.cause = None;
            if let Some(sending) = sending {
                track.applied = Some(sending);
            }
            if ack.hash == sent.after {
                device.wrong = 0;
            }
            if section == ConfigSection::Routes {
                self.answered(now_ms, switch, true);
            }
            self.sync(now_ms, switch);
            return;
        }
        track.applied = None;
        let cause = match outcome {
            OrderOutcome::Done | OrderOutcome::Mismatch => {
                device.wrong += 1;
                Cause::Wrong(device.wrong)
            }
            _ => Cause::Failed(section, ack.detail.clone()),
        };
        if u64::from(device.wrong) >= self.settings.mismatches_quarantine {
            device.quarantined = true;
        }
        if section == ConfigSection::Routes {
            self.answered(now_ms, switch, false);
        }
        self.failed(now_ms, switch, section, cause);
    }

    /// Handles a failed order. It is retried after a pause that doubles and differs from device to
    /// device.
    pub(crate) fn failed(&mut self, now_ms: u64, switch: SwitchId, section: ConfigSection, cause: Cause) {
        let device = &mut self.devices[switch.index()];
        let track = &mut device.sections[section as usize];
        track.failures += 1;
        track.cause = Some(Box::new(cause.clone()));
        let pause = (self.settings.retry_ms << (track.failures - 1).min(16)).min(self.settings.retry_most_ms);
        // Add up to a quarter, depending on the switch number, so that a thousand devices that
        // failed together are not retried together.
        let jitter = (u64::from(switch.0.wrapping_mul(0x9e37_79b9) >> 16) * (pause / 4 + 1)) >> 16;
        self.timers.set(Timer::Section(switch.0, section as u8), now_ms + pause + jitter);
        let state = if device.quarantined { DeviceState::Quarantined } else { DeviceState::Degraded };
        if device.connection.connected && !device.maintenance && device.go(now_ms, state, cause) {
            self.outputs.push(ControlOutput::Device { switch });
        }
    }

    /// Handles the timer of a section: an answer is overdue, or a pause has ended.
    pub(crate) fn section_due(&mut self, now_ms: u64, switch: SwitchId, section: ConfigSection) {
        let track = &mut self.devices[switch.index()].sections[section as usize];
        if track.sent.take().is_some() {
            track.sending = None;
            track.applied = None;
            if section == ConfigSection::Ports {
                self.end_changed_ports(now_ms, switch);
            }
            if section == ConfigSection::Routes {
                self.answered(now_ms, switch, false);
            }
            self.failed(now_ms, switch, section, Cause::NoAnswer(section));
        } else {
            self.sync(now_ms, switch);
        }
    }

    /// Sets the state of a device according to its sections.
    pub(crate) fn assess_device(&mut self, now_ms: u64, switch: SwitchId) {
        for section in ConfigSection::ALL {
            let desired = self.desired(switch, section);
            let track = &mut self.devices[switch.index()].sections[section as usize];
            let agrees = desired == Some(track.observed);
            if std::mem::replace(&mut track.agrees, agrees) != agrees {
                track.since_ms = now_ms;
            }
        }
        let device = &self.devices[switch.index()];
        if !device.connection.connected {
            return;
        }
        let failing = device.sections.iter().any(|track| track.failures > 0);
        let agrees = device.sections.iter().all(|track| track.agrees);
        let (state, cause) = if device.maintenance {
            (DeviceState::Maintenance, Cause::Operator)
        } else if device.quarantined {
            (DeviceState::Quarantined, Cause::Wrong(device.wrong))
        } else if agrees && self.tables.plan.is_some() {
            (DeviceState::Synced, Cause::Agrees)
        } else if failing {
            return;
        } else if self.tables.plan.is_none() {
            (DeviceState::Connected, Cause::Connected)
        } else {
            (DeviceState::Configuring, Cause::Differs)
        };
        let device = &mut self.devices[switch.index()];
        if device.go(now_ms, state, cause) {
            self.outputs.push(ControlOutput::Device { switch });
        }
    }
}

/// The changes from the observed to the desired state; the whole section if the observed state is
/// not known.
fn differences(
    section: ConfigSection,
    observed: u64,
    applied: Option<&Arc<SectionItems>>,
    desired: &SectionItems,
) -> Configure {
    let known = applied.filter(|applied| applied.hash() == observed);
    let empty = SectionItems::default();
    let old = known.map_or(&empty, |known| known);
    let replace = known.is_none() && observed != empty.hash();
    let mut by_value: BTreeMap<&Arc<[u8]>, Vec<u64>> = BTreeMap::new();
    for (key, value) in desired.iter().filter(|&(key, value)| replace || old.get(key) != Some(value)) {
        by_value.entry(value).or_default().push(key);
    }
    let dropped: Vec<u64> =
        old.iter().map(|(key, _)| key).filter(|&key| !replace && desired.get(key).is_none()).collect();
    let mut items: Vec<EqualItems> =
        by_value.into_iter().map(|(value, keys)| EqualItems { keys, value: value.to_vec(), drop: false }).collect();
    if !dropped.is_empty() {
        items.push(EqualItems { keys: dropped, value: Vec::new(), drop: true });
    }
    Configure { section: section as u32, base: observed, after: desired.hash(), replace, items }
}
