//! Firmware: the desired versions in documents, the reported ones of switches, and rollouts that
//! upgrade switches.
//!
//! ```text
//! running -> paused    by an order          -> running  by an order
//!         -> halted    switches failed      -> running  by an order
//!         -> done      every switch of it runs the desired version, or has failed
//!         -> aborted   by an order
//!
//! of a switch: keeping -> draining -> installing -> settling -> restoring -> watched -> done
//!                            any of them but done -> failed
//! ```
//!
//! Invariant: the manager drains and upgrades a switch only after the store has a record of that,
//! and standbys that may take over have it too. So the manager that leads knows which switches are
//! in progress, and the limit of simultaneous upgrades holds over restarts and takeovers.
//!
//! The remaining work follows from documents and from what switches report. Each step computes it
//! again, so that nothing else has to be stored.

mod choose;
pub mod counts;
mod engine;
mod leased;
pub mod orders;
mod records;
mod rules;
pub mod shown;
pub mod view;
mod words;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use philae_store::{Committed, Receipt};
use philae_units::{PortIndex, SwitchId};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::clock::now_micros;
use crate::firmware::leased::Leased;

/// The kind of the record of the newest rollout.
const ROLLOUT: &str = ".firmware";

/// Its name.
const NEWEST: &str = "rollout";

/// The kind of records of switches that are in progress or failed.
const SWITCHES: &str = ".firmware-switch";

/// Options of a rollout.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
#[schemars(rename = "FirmwarePlan")]
pub struct RolloutPlan {
    /// Which switches: a selector such as `group in (1-4)`; the empty one is all.
    pub selector: String,
    /// Most switches in work at the same time.
    #[schemars(range(min = 1, max = 100_000))]
    pub at_once: u32,
    /// The same as a share of the rollout's switches, per cent; it overrides `atOnce`.
    #[schemars(range(min = 1, max = 100))]
    pub at_once_percent: Option<u32>,
    /// Most switches of a group that are in progress or unavailable for another reason.
    #[schemars(range(min = 1, max = 100_000))]
    pub per_group: u32,
    /// Canary: most switches in progress until this many run the new version.
    #[schemars(range(min = 1, max = 100_000))]
    pub first_wave: u32,
    /// Failures after which the rollout halts.
    #[schemars(range(min = 1, max = 100_000))]
    pub failures_max: u32,
    /// Seconds for which a switch is watched before it counts as done.
    #[schemars(range(max = 86_400))]
    pub soak_seconds: u32,
    /// Seconds that each step of a switch may take.
    #[schemars(range(min = 1, max = 86_400))]
    pub timeout_seconds: u32,
    /// Seconds without progress after which a running rollout is an alarm.
    #[schemars(range(min = 1, max = 31_536_000))]
    pub alarm_seconds: u32,
    /// Also switches that are the only path of others, and switches whose NICs are leased to jobs.
    pub force: bool,
}

impl Default for RolloutPlan {
    fn default() -> Self {
        Self {
            selector: String::new(),
            at_once: 1,
            at_once_percent: None,
            per_group: 1,
            first_wave: 1,
            failures_max: 1,
            // Source: ours: several heartbeats of the shortest usual period. Status: assumed.
            soak_seconds: 10,
            // Source: ours: controllers of switches take some minutes to install firmware and to
            // start. Status: assumed.
            timeout_seconds: 1_200,
            // Source: ours: three times what a step may take. Status: assumed.
            alarm_seconds: 3_600,
            force: false,
        }
    }
}

/// Where a rollout stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[schemars(rename = "FirmwareState")]
pub enum RolloutState {
    /// Switches are begun as the plan allows.
    #[default]
    Running,
    /// No more are begun, by an order.
    Paused,
    /// Halted: too many switches failed.
    Halted,
    /// Nothing is left to do.
    Done,
    /// It was ended by an order.
    Aborted,
}

impl RolloutState {
    /// The word for it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Running => "running",
            Self::Paused => "paused",
            Self::Halted => "halted",
            Self::Done => "done",
            Self::Aborted => "aborted",
        }
    }

    /// Whether the rollout has ended.
    #[must_use]
    pub const fn has_ended(self) -> bool {
        matches!(self, Self::Done | Self::Aborted)
    }
}

/// A rollout, as it is stored.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct StoredRollout {
    /// Its number, from 1.
    pub number: u64,
    pub plan: RolloutPlan,
    pub state: RolloutState,
    /// The reason for its state.
    pub why: String,
    pub started_by: String,
    pub started_micros: u64,
    /// When its state last changed.
    pub changed_micros: u64,
    /// Number of waves begun.
    pub wave: u32,
    /// Number of switches upgraded to each version.
    pub upgraded: BTreeMap<String, u32>,
    /// Failures since it began or was resumed.
    pub failures: u32,
    /// When a switch of it last began or ended.
    #[serde(default)]
    pub progressed_micros: u64,
    /// Number of its switches with a desired version at its start.
    #[serde(default)]
    pub total: usize,
}

impl StoredRollout {
    /// Changes the state.
    fn go(&mut self, state: RolloutState, why: String) {
        (self.state, self.why, self.changed_micros) = (state, why, now_micros());
    }

    /// The giver of its orders, in words.
    pub fn by(&self) -> String {
        format!("firmware rollout {}, started by {}", self.number, self.started_by)
    }
}

/// A switch in progress, as it is stored.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct UpdatingSwitch {
    /// The version that it is upgraded to.
    pub version: String,
    /// The version that it ran.
    pub from: String,
    /// The switch's `boot` before the upgrade.
    pub boot: String,
    /// Ports of links that carried traffic, and of NICs that were up, as masks.
    pub links: u64,
    pub nics: u64,
    pub taken_micros: u64,
}

/// A failed switch, as it is stored.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct FailedSwitch {
    /// The version that it was upgraded to.
    pub version: String,
    pub reason: String,
    pub at_micros: u64,
    /// The switch's `boot` at that time.
    pub boot: String,
    /// Whether it carries traffic again; if not, its links stay drained.
    pub is_restored: bool,
    /// The rollout in which it failed.
    #[serde(default)]
    pub rollout: u64,
    /// An operator has ordered another try, which has not begun yet.
    #[serde(default)]
    pub is_retried: bool,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "state")]
enum SwitchRecord {
    Taken(UpdatingSwitch),
    Failed(FailedSwitch),
}

/// The phase of a switch in progress.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum UpdatePhase {
    /// Its record is being stored.
    Keeping,
    /// Its links are being drained.
    Draining,
    /// It has the order to upgrade.
    Installing,
    /// It runs the version, and is being configured.
    Settling,
    /// Its links return to service.
    Restoring,
    /// It carries traffic, and is being watched.
    Watched,
}

impl UpdatePhase {
    /// The phase in words.
    pub const fn words(self) -> &'static str {
        match self {
            Self::Keeping => "about to begin",
            Self::Draining => "draining",
            Self::Installing => "installing",
            Self::Settling => "being configured",
            Self::Restoring => "its links come back",
            Self::Watched => "watched",
        }
    }
}

/// A switch in progress.
#[derive(Clone, Debug)]
pub(crate) struct Working {
    pub taken: UpdatingSwitch,
    pub phase: UpdatePhase,
    /// When this phase began, milliseconds of the manager's clock.
    pub since_ms: u64,
    /// Links that were drained for it, by its own ports.
    drained: Vec<PortIndex>,
    /// The revision of its record, once it is stored.
    revision: Option<u64>,
    /// The switch's `boot` at the order to upgrade.
    boot_at_order: Option<String>,
    /// Since when it reports a wrong version.
    wrong_ms: Option<u64>,
}

/// Why a switch is not begun.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct SwitchWait {
    /// Whether it ends with the present wave.
    pub is_of_wave: bool,
    /// What it waits for.
    pub words: String,
}

impl SwitchWait {
    fn of_wave(words: impl Into<String>) -> Self {
        Self { is_of_wave: true, words: words.into() }
    }

    fn lasting(words: impl Into<String>) -> Self {
        Self { is_of_wave: false, words: words.into() }
    }
}

/// What switches wait for, and which ones.
pub(crate) type Waits = BTreeMap<SwitchWait, Vec<SwitchId>>;

/// A write of records in progress.
#[derive(Debug)]
struct Writing {
    receipt: Receipt<Committed>,
    rollout: bool,
    switches: BTreeSet<SwitchId>,
}

/// The state of rollouts, beyond what switches report.
#[derive(Debug, Default)]
pub(crate) struct Rollouts {
    pub rollout: Option<StoredRollout>,
    pub working: BTreeMap<SwitchId, Working>,
    pub failed: BTreeMap<SwitchId, FailedSwitch>,
    /// Links that stay drained at failed switches.
    kept_drained: BTreeMap<SwitchId, Vec<PortIndex>>,
    /// Whether the records differ from those in the store.
    is_rollout_dirty: bool,
    dirty: BTreeSet<SwitchId>,
    writing: Option<Writing>,
    /// Why records cannot be stored, and when that is tried again.
    pub trouble: Option<(String, u64)>,
    /// Whether more switches may still join the wave.
    is_wave_open: bool,
    /// Why switches are not begun.
    pub waits: Waits,
    /// Jobs that have leased NICs, by switch, with the revision of the documents that say so.
    leased: Option<(u64, Arc<BTreeMap<SwitchId, Leased>>)>,
    looked_ms: u64,
    /// Since when switches differ from their desired versions, and the state at the last check.
    pub differs_since_ms: Option<u64>,
    seen: (u64, u64),
    counted_ms: u64,
}

impl Working {
    /// Whether its links are drained for its upgrade.
    const fn holds_links(&self) -> bool {
        matches!(self.phase, UpdatePhase::Draining | UpdatePhase::Installing | UpdatePhase::Settling)
    }
}

impl Rollouts {
    /// Whether the links of a switch are drained for its upgrade, which is still running.
    pub fn is_in_work(&self, switch: SwitchId) -> bool {
        self.working.get(&switch).is_some_and(Working::holds_links)
    }

    /// The links that are drained for a switch that is in progress or not trusted.
    fn holder_of(&mut self, switch: SwitchId) -> Option<&mut Vec<PortIndex>> {
        if self.is_in_work(switch) {
            return self.working.get_mut(&switch).map(|working| &mut working.drained);
        }
        self.kept_drained.get_mut(&switch)
    }

    /// Notes that an operator drains a link, by its two ends: it stays drained when upgrades have
    /// ended.
    pub fn drained_by_operator(&mut self, ends: [PortIndex; 2]) {
        let working = self.working.values_mut().map(|working| &mut working.drained);
        for drained in working.chain(self.kept_drained.values_mut()) {
            drained.retain(|port| !ends.contains(port));
        }
    }

    /// Whether there is anything to do.
    pub fn is_busy(&self) -> bool {
        let runs = self.rollout.as_ref().is_some_and(|rollout| rollout.state == RolloutState::Running);
        runs || !self.working.is_empty() || self.is_rollout_dirty || !self.dirty.is_empty() || self.writing.is_some()
    }

    /// Number of failed switches, without those that are to be tried again.
    pub fn failed_count(&self) -> usize {
        self.failed.values().filter(|failed| !failed.is_retried).count()
    }

    /// The rollout, if it has not ended.
    pub fn current(&self) -> Option<&StoredRollout> {
        self.rollout.as_ref().filter(|rollout| !rollout.state.has_ended())
    }
}
