//! Operations: orders and changes that take time, with the progress of each device. Operations are
//! kept until the manager ends, the newest thousand of those that have ended; the audit keeps the
//! orders permanently.

pub mod endpoints;
mod progress;

use std::collections::{BTreeMap, VecDeque};

use philae_agent::ConfigSection;
use philae_inventory::PlannedFabric;
use philae_manager_core::{DeviceState, FabricControl, Input, Unusable};
use philae_units::{PortIndex, SwitchId};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::clock::now_micros;
use crate::protocol::problem::ApiProblem;

/// Ended operations that are kept.
///
/// Source: ours. Status: assumed.
const REMEMBERED: usize = 1_000;

/// How long a switch may take to restart, milliseconds.
///
/// Source: ours; a switch's controller boots in about two minutes. Status: assumed.
const REBOOT_MOST_MS: u64 = 300_000;

/// An action on switches, one after the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Order {
    /// It starts again.
    Reboot,
    /// Nothing is sent to it any more.
    Maintenance,
    /// Its maintenance or quarantine ends.
    Resume,
}

impl Order {
    /// The word for it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Reboot => "reboot",
            Self::Maintenance => "maintenance",
            Self::Resume => "resume",
        }
    }
}

/// The condition for the end of an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EndCondition {
    /// Each device has its desired configuration.
    Apply,
    /// The link carries no traffic, and tables without it are installed.
    Drain(PortIndex),
    /// The link is no longer drained or isolated.
    Restore(PortIndex),
    /// The same as `Drain` for all fabric links of a switch.
    DrainSwitch(SwitchId),
    /// The same as `Restore` for all fabric links of a switch.
    RestoreSwitch(SwitchId),
    /// Each device has carried out the order, a few at a time.
    Rolling {
        order: Order,
        /// Number of devices in progress.
        at_once: usize,
        /// Whether no more are begun once one has failed.
        stop_on_failure: bool,
    },
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Progress {
    Waiting,
    Working(u64),
    Done,
    Failed(String),
    Cancelled,
}

impl Progress {
    const fn word(&self) -> &'static str {
        match self {
            Self::Waiting => "waiting",
            Self::Working(_) => "working",
            Self::Done => "done",
            Self::Failed(_) => "failed",
            Self::Cancelled => "cancelled",
        }
    }
}

/// The progress of an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[schemars(rename = "State")]
pub enum OperationState {
    /// It continues.
    Running,
    /// Everything was done.
    Done,
    /// Some devices failed.
    Failed,
    /// It was ended before everything was done.
    Cancelled,
}

impl OperationState {
    const ALL: [(&'static str, Self); 4] =
        [("running", Self::Running), ("done", Self::Done), ("failed", Self::Failed), ("cancelled", Self::Cancelled)];

    /// The word for it.
    #[must_use]
    pub fn name(self) -> &'static str {
        Self::ALL.iter().find(|(_, state)| *state == self).map_or("running", |(word, _)| *word)
    }
}

#[derive(Debug)]
struct Operation {
    what: String,
    actor: String,
    doing: EndCondition,
    devices: BTreeMap<SwitchId, Progress>,
    /// Devices that are not done, in the order in which they are begun.
    outstanding: VecDeque<SwitchId>,
    state: OperationState,
    revision: Option<u64>,
    began_micros: u64,
    ended_micros: Option<u64>,
}

/// A device of an operation.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(rename = "OperationDevice", deny_unknown_fields)]
pub struct DeviceView {
    /// The switch.
    pub switch: String,
    /// waiting, working, done, failed or cancelled.
    pub progress: &'static str,
    /// What it waits for, or why it failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// An operation.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "Operation", deny_unknown_fields)]
pub struct OperationView {
    /// Its name.
    pub name: String,
    /// The action.
    pub what: String,
    /// Who ordered it.
    pub actor: String,
    /// How far it is.
    pub state: OperationState,
    /// The revision that it applies to switches, if any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub revision: Option<u64>,
    /// When it began, microseconds since 1970.
    pub began_micros: u64,
    /// When it ended.
    pub ended_micros: Option<u64>,
    /// Devices of it.
    pub total: usize,
    /// Devices that are done.
    pub done: usize,
    /// Devices that failed.
    pub failed: usize,
    /// Each device that is not done, and why; the first hundred in a list of operations' items.
    pub devices: Vec<DeviceView>,
}

impl OperationView {
    /// Whether nothing more happens to it.
    #[must_use]
    pub fn has_ended(&self) -> bool {
        self.state != OperationState::Running
    }
}

/// All operations, by number.
#[derive(Debug, Default)]
pub struct OperationLog {
    /// The manager's epoch: numbers begin again with each manager, names do not.
    epoch: u64,
    last: u64,
    all: BTreeMap<u64, Operation>,
    running: Vec<u64>,
}

impl OperationLog {
    /// No operations, for a manager of this epoch.
    #[must_use]
    pub fn new(epoch: u64) -> Self {
        Self { epoch, ..Self::default() }
    }

    /// The manager's epoch.
    #[must_use]
    pub const fn epoch(&self) -> u64 {
        self.epoch
    }

    fn name(&self, number: u64) -> String {
        format!("{}-{number}", self.epoch)
    }

    fn find(&self, name: &str) -> Result<u64, ApiProblem> {
        let number = name.strip_prefix(&format!("{}-", self.epoch)).and_then(|number| number.parse().ok());
        number.filter(|number| self.all.contains_key(number)).ok_or_else(|| {
            ApiProblem::not_found(format!(
                "there is no operation '{name}': those of this manager are kept, the newest {REMEMBERED} that have ended; \
                 GET /api/v1/audit has what was ordered before"
            ))
        })
    }

    /// Number of running operations.
    #[must_use]
    pub fn running(&self) -> usize {
        self.running.len()
    }

    fn view(
        &self,
        number: u64,
        operation: &Operation,
        (fabric, control): (&PlannedFabric, &FabricControl),
        most: usize,
    ) -> OperationView {
        let count = |wanted: fn(&Progress) -> bool| operation.devices.values().filter(|found| wanted(found)).count();
        let device = |(switch, progress): (&SwitchId, &Progress)| DeviceView {
            switch: fabric.bmc_xname(*switch).to_string(),
            progress: progress.word(),
            reason: match progress {
                Progress::Failed(why) => Some(why.clone()),
                Progress::Waiting | Progress::Working(_) => {
                    let view = control.device(*switch);
                    Some(format!("{}: {}", view.state.name(), view.cause))
                }
                _ => None,
            },
        };
        let open = operation.devices.iter().filter(|(_, progress)| **progress != Progress::Done);
        OperationView {
            name: self.name(number),
            what: operation.what.clone(),
            actor: operation.actor.clone(),
            state: operation.state,
            revision: operation.revision,
            began_micros: operation.began_micros,
            ended_micros: operation.ended_micros,
            total: operation.devices.len(),
            done: count(|progress| *progress == Progress::Done),
            failed: count(|progress| matches!(progress, Progress::Failed(_))),
            devices: open.take(most).map(device).collect(),
        }
    }

    fn begin(&mut self, operation: Operation) -> u64 {
        self.last += 1;
        self.all.insert(self.last, operation);
        self.running.push(self.last);
        while self.all.len() > REMEMBERED + self.running.len() {
            let Some(oldest) =
                self.all.iter().find(|(_, found)| found.state != OperationState::Running).map(|(number, _)| *number)
            else {
                break;
            };
            self.all.remove(&oldest);
        }
        self.last
    }

    /// Continues running operations. Returns those that ended.
    pub fn tick(&mut self, control: &mut FabricControl, now_ms: u64) -> Vec<u64> {
        let mut ended = Vec::new();
        for &number in &self.running {
            let Some(operation) = self.all.get_mut(&number) else { continue };
            if operation.tend(control, now_ms) {
                operation.ended_micros = Some(now_micros());
                ended.push(number);
            }
        }
        self.running.retain(|number| !ended.contains(number));
        ended
    }
}

/// Whether a link carries no traffic: it is drained, or something else keeps it down.
fn is_out(control: &FabricControl, now_ms: u64, port: PortIndex) -> bool {
    control.link_view(now_ms, port).is_none_or(|link| link.unusable.is_some())
}

/// Whether a link is still blocked by an order.
fn is_held(control: &FabricControl, now_ms: u64, port: PortIndex) -> bool {
    let view = control.link_view(now_ms, port).and_then(|link| link.unusable);
    view.is_some_and(|(why, _)| matches!(why, Unusable::Drained | Unusable::Isolated))
}

/// Whether a device has its desired configuration; its routes follow from links and are not
/// checked.
fn is_applied(control: &FabricControl, switch: SwitchId) -> bool {
    let view = control.device(switch);
    view.sections
        .iter()
        .all(|(section, desired, observed, ..)| *section == ConfigSection::Routes || desired == observed)
}

impl Operation {
    /// Continues the operation. Returns whether it ended.
    fn tend(&mut self, control: &mut FabricControl, now_ms: u64) -> bool {
        match self.doing {
            EndCondition::Apply => {
                let devices = &mut self.devices;
                self.outstanding.retain(|switch| {
                    let open = !is_applied(control, *switch);
                    if !open {
                        devices.insert(*switch, Progress::Done);
                    }
                    open
                });
                self.end_if(self.outstanding.is_empty())
            }
            EndCondition::Drain(port) => {
                let drained = is_out(control, now_ms, port);
                self.end_if(drained && control.rollout().is_none())
            }
            EndCondition::Restore(port) => {
                let held = is_held(control, now_ms, port);
                self.end_if(!held && control.rollout().is_none())
            }
            EndCondition::DrainSwitch(switch) => {
                let drained = control.fabric_ports(switch).all(|port| is_out(control, now_ms, port));
                self.end_switch(switch, drained && control.rollout().is_none())
            }
            EndCondition::RestoreSwitch(switch) => {
                let held = control.fabric_ports(switch).any(|port| is_held(control, now_ms, port));
                self.end_switch(switch, !held && control.rollout().is_none())
            }
            EndCondition::Rolling { order, at_once, stop_on_failure } => {
                self.roll(control, now_ms, order, at_once, stop_on_failure)
            }
        }
    }

    fn end_switch(&mut self, switch: SwitchId, ended: bool) -> bool {
        if ended {
            self.devices.insert(switch, Progress::Done);
            self.outstanding.clear();
        }
        self.end_if(ended)
    }

    fn end_if(&mut self, ended: bool) -> bool {
        if ended {
            self.state = OperationState::Done;
        }
        ended
    }

    fn roll(
        &mut self,
        control: &mut FabricControl,
        now_ms: u64,
        order: Order,
        at_once: usize,
        stop_on_failure: bool,
    ) -> bool {
        let mut working = 0;
        for (&switch, progress) in &mut self.devices {
            let Progress::Working(since_ms) = *progress else { continue };
            match reached(control, switch, order, since_ms, now_ms) {
                None => working += 1,
                Some(Ok(())) => *progress = Progress::Done,
                Some(Err(why)) => *progress = Progress::Failed(why),
            }
        }
        let failed = self.devices.values().any(|progress| matches!(progress, Progress::Failed(_)));
        if failed && stop_on_failure {
            self.call_off();
        }
        while working < at_once {
            let Some(switch) = self.outstanding.pop_front() else { break };
            begin(control, switch, order, now_ms);
            // Devices that need no time are done immediately.
            let progress = match reached(control, switch, order, now_ms, now_ms) {
                None => Progress::Working(now_ms),
                Some(Ok(())) => Progress::Done,
                Some(Err(why)) => Progress::Failed(why),
            };
            working += usize::from(matches!(progress, Progress::Working(_)));
            self.devices.insert(switch, progress);
        }
        if working > 0 {
            return false;
        }
        let has = |wanted: fn(&Progress) -> bool| self.devices.values().any(wanted);
        self.state = if has(|progress| matches!(progress, Progress::Failed(_))) {
            OperationState::Failed
        } else if has(|progress| *progress == Progress::Cancelled) {
            OperationState::Cancelled
        } else {
            OperationState::Done
        };
        true
    }

    /// Begins no more devices.
    fn call_off(&mut self) {
        for switch in self.outstanding.drain(..) {
            self.devices.insert(switch, Progress::Cancelled);
        }
    }
}

fn begin(control: &mut FabricControl, switch: SwitchId, order: Order, now_ms: u64) {
    match order {
        Order::Reboot => control.handle(now_ms, Input::Reboot(switch)),
        Order::Maintenance => control.handle(now_ms, Input::Maintenance(switch, true)),
        Order::Resume => {
            control.handle(now_ms, Input::Maintenance(switch, false));
            control.handle(now_ms, Input::ReleaseDevice(switch));
        }
    }
}

/// Whether a device has carried out an order that it got at `since_ms`; `None` while it still may.
fn reached(
    control: &FabricControl,
    switch: SwitchId,
    order: Order,
    since_ms: u64,
    now_ms: u64,
) -> Option<Result<(), String>> {
    let view = control.device(switch);
    match order {
        Order::Maintenance | Order::Resume => Some(Ok(())),
        Order::Reboot if view.state == DeviceState::Synced && view.since_ms > since_ms => Some(Ok(())),
        Order::Reboot if matches!(view.state, DeviceState::Unknown) => Some(Err("it has never connected".to_owned())),
        Order::Reboot if now_ms.saturating_sub(since_ms) > REBOOT_MOST_MS => {
            Some(Err(format!("it had not returned after {} s: {}", REBOOT_MOST_MS / 1_000, view.cause)))
        }
        Order::Reboot => None,
    }
}
