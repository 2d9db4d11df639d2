//! Records of rollouts in the store: written before a switch is touched, read by managers that lead
//! or follow.

use std::time::Duration;

use philae_inventory::PlannedFabric;
use philae_manager_core::Input;
use philae_store::{Change, DocumentKey, Expect, Snapshot};
use philae_units::SwitchId;
use serde_json::json;

use crate::clock::now_micros;
use crate::firmware::choose::Trial;
use crate::firmware::engine::{drain, give_back};
use crate::firmware::{
    FailedSwitch, NEWEST, ROLLOUT, Rollouts, SWITCHES, StoredRollout, SwitchRecord, UpdatePhase, Working, Writing,
};
use crate::manager::Manager;
use crate::protocol::problem::ApiProblem;

/// Pause before records that could not be stored are tried again, milliseconds.
///
/// Source: ours. Status: assumed.
const WRITE_AGAIN_MS: u64 = 2_000;
/// Most records of switches in one change of the store.
///
/// Source: ours: some 100 kB. Status: assumed.
const RECORDS_AT_ONCE: usize = 500;
/// The actor in the log for changes that the manager makes by itself.
const MANAGER: &str = "manager";

fn rollout_key() -> DocumentKey {
    DocumentKey::new(ROLLOUT, NEWEST).expect("it is a key")
}

impl Rollouts {
    /// The rollout and its switches in the store.
    pub fn of(snapshot: &Snapshot, fabric: &PlannedFabric) -> Self {
        let mut found = Self::default();
        for (key, object) in snapshot.iter().filter(|(key, _)| key.kind() == ROLLOUT || key.kind() == SWITCHES) {
            if key.kind() == ROLLOUT {
                found.rollout = serde_json::from_slice(&object.value).ok();
                continue;
            }
            let Ok(switch) = fabric.switch_by_name(key.name()) else { continue };
            match serde_json::from_slice(&object.value) {
                Ok(SwitchRecord::Taken(taken)) => {
                    let working = Working {
                        taken,
                        phase: UpdatePhase::Keeping,
                        since_ms: 0,
                        drained: Vec::new(),
                        revision: Some(object.modified.0),
                        boot_at_order: None,
                        wrong_ms: None,
                    };
                    found.working.insert(switch, working);
                }
                Ok(SwitchRecord::Failed(failed)) => {
                    found.failed.insert(switch, failed);
                }
                Err(_) => {}
            }
        }
        found
    }
}

impl Manager {
    /// Continues the rollout in the store: drains its switches in progress and sets them apart
    /// again.
    pub(crate) fn load_firmware(&mut self) {
        self.firmware = Rollouts::of(&self.documents.store().snapshot(), &self.fabric);
        if self.control_loop.is_idle() {
            return;
        }
        let now_ms = self.control_loop.now_ms();
        let held: Vec<SwitchId> =
            self.firmware.failed.iter().filter(|(_, f)| !f.is_restored).map(|(&s, _)| s).collect();
        for switch in held {
            let drained = drain(&mut self.control_loop.control, now_ms, switch);
            self.firmware.kept_drained.insert(switch, drained);
        }
        self.name_orders();
        for (&switch, working) in &mut self.firmware.working {
            working.drained = drain(&mut self.control_loop.control, now_ms, switch);
            self.control_loop.control.handle(now_ms, Input::Maintenance(switch, true));
            (working.phase, working.since_ms) = (UpdatePhase::Installing, now_ms);
        }
    }

    /// Checks whether the last write of records is complete.
    pub(super) fn look_at_write(&mut self, now_ms: u64) {
        let Some(writing) = self.firmware.writing.take() else { return };
        match writing.receipt.wait_for(Duration::ZERO) {
            None => self.firmware.writing = Some(writing),
            Some(Ok(committed)) => {
                self.firmware.trouble = None;
                for switch in writing.switches {
                    // A record that has changed since is written again.
                    let is_same = !self.firmware.dirty.contains(&switch);
                    if let Some(working) = self.firmware.working.get_mut(&switch).filter(|_| is_same) {
                        working.revision = Some(committed.revision.0);
                    }
                }
            }
            Some(Err(error)) => {
                let why = format!("the record of the rollout cannot be saved: {error}");
                self.firmware.trouble = Some((why, now_ms + WRITE_AGAIN_MS));
                self.firmware.is_rollout_dirty |= writing.rollout;
                for switch in writing.switches {
                    let is_begun =
                        |working: &Working| working.phase != UpdatePhase::Keeping || working.revision.is_some();
                    if self.firmware.working.get(&switch).is_some_and(|working| !is_begun(working)) {
                        // It has not got any order yet.
                        self.firmware.working.remove(&switch);
                    }
                    self.firmware.dirty.insert(switch);
                }
            }
        }
    }

    /// Begins to write the records that have changed.
    pub(super) fn write_firmware(&mut self, now_ms: u64) {
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
            let key = DocumentKey::new(SWITCHES, &self.fabric.bmc_xname(switch).to_string())
                .expect("names of switches are keys");
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

    /// Stores an order about a rollout, with the switches that it tries again, before it is
    /// answered.
    pub(super) fn keep_rollout(
        &mut self,
        actor: &str,
        rollout: StoredRollout,
        again: &[SwitchId],
    ) -> Result<(), ApiProblem> {
        let mut change = Change::new(actor, now_micros());
        change.reason = format!("firmware rollout {}", rollout.number);
        change = change.put(rollout_key(), Expect::Any, json!(rollout).to_string().as_bytes());
        // A switch that runs the version by now was upgraded by hand, and needs no other try.
        let (mut tried, mut mended) = (Vec::new(), Vec::new());
        for &switch in again {
            let Some(failed) = self.firmware.failed.get(&switch) else { continue };
            let wanted = self.wanted_firmware(switch);
            let key = DocumentKey::new(SWITCHES, &self.switch_name(switch)).expect("names of switches are keys");
            if wanted.is_some_and(|wanted| self.lacks_firmware(switch, wanted, Trial::Fresh)) {
                let failed = FailedSwitch { is_retried: true, ..failed.clone() };
                let record = json!(SwitchRecord::Failed(failed.clone())).to_string();
                change = change.put(key, Expect::Any, record.as_bytes());
                tried.push((switch, failed));
            } else {
                change = change.delete(key, Expect::Any);
                mended.push(switch);
            }
        }
        self.documents.store().commit(change)?;
        let now_ms = self.control_loop.now_ms();
        self.firmware.failed.extend(tried);
        for switch in mended {
            self.firmware.failed.remove(&switch);
            let drained = self.firmware.kept_drained.remove(&switch).unwrap_or_default();
            give_back(&mut self.firmware, &mut self.control_loop.control, now_ms, drained);
        }
        self.control_loop.run();
        self.firmware.rollout = Some(rollout);
        self.firmware.is_rollout_dirty = false;
        self.firmware.is_wave_open = false;
        self.firmware.looked_ms = 0;
        Ok(())
    }
}
