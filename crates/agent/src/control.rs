//! What an agent asks of the switch that it stands beside.

use philae_forwarding::Entry;

use crate::counters::Counters;
use crate::section::{Section, SectionItems};

/// What a switch says it is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SwitchIdentity {
    /// Name of the switch's controller (its xname).
    pub name: String,
    /// Serial number.
    pub serial: String,
    /// Model.
    pub model: String,
    /// Version of its firmware.
    pub firmware: String,
    /// Ports it has.
    pub ports: u8,
    /// Version of the agent and its driver; empty: that of this crate.
    pub agent: String,
    /// Names this start of the switch: another text after each start; empty where that cannot be
    /// told.
    pub boot: String,
}

/// Whether a port carries traffic, and why not.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum PortState {
    /// Nothing is plugged in.
    #[default]
    Absent = 0,
    /// The link is trained and carries traffic.
    Up = 1,
    /// The link is lost: no signal or no lock.
    Down = 2,
    /// The port is switched off by configuration.
    Disabled = 3,
    /// The switch has isolated the port: its partner held back traffic for too long.
    PausedTooLong = 4,
    /// The port has failed.
    Failed = 5,
}

impl PortState {
    /// By its number on the wire.
    #[must_use]
    pub fn from_number(number: u32) -> Option<Self> {
        [Self::Absent, Self::Up, Self::Down, Self::Disabled, Self::PausedTooLong, Self::Failed]
            .get(number as usize)
            .copied()
    }

    /// The word that people read.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Absent => "absent",
            Self::Up => "up",
            Self::Down => "down",
            Self::Disabled => "disabled",
            Self::PausedTooLong => "paused-too-long",
            Self::Failed => "failed",
        }
    }
}

/// What a switch knows of one of its ports.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PortStatus {
    /// Whether it carries traffic.
    pub state: PortState,
    /// Network address (NID) that the other end announces by LLDP.
    pub neighbour: Option<u32>,
    /// How often its link was lost since the switch started.
    pub losses: u32,
}

/// How far an upgrade of the firmware is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u32)]
pub enum UpgradeStage {
    /// None goes on.
    #[default]
    None = 0,
    /// The firmware is being written; the switch forwards meanwhile.
    Installing = 1,
    /// It is written, and the switch starts again.
    Restarting = 2,
    /// It failed; the switch runs what it ran before.
    Failed = 3,
}

impl UpgradeStage {
    /// By its number on the wire; a number that is not known counts as none.
    #[must_use]
    pub fn from_number(number: u32) -> Self {
        [Self::None, Self::Installing, Self::Restarting, Self::Failed].get(number as usize).copied().unwrap_or_default()
    }
}

/// An upgrade of the firmware.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Upgrade {
    /// The version that was ordered.
    pub version: String,
    /// How far it is.
    pub stage: UpgradeStage,
    /// Why it failed.
    pub detail: String,
}

/// Something that only the switch itself can do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Operation {
    /// Starts the controller and the switch again: its configuration is empty afterwards.
    Reboot,
    /// Trains a port's link again.
    ResetPort(u8),
    /// Installs this version of the firmware and starts again with it. Returns at once; the same
    /// order again, while it is carried out or when that version runs, changes nothing.
    Upgrade(String),
}

/// Why a switch did not do as it was told.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ControlError {
    /// It will not, now or later.
    #[error("the switch refuses: {0}")]
    Refused(String),
    /// It did not answer, or something else that may pass.
    #[error("the switch did not answer: {0}")]
    Failed(String),
}

/// A switch, as its agent drives it.
///
/// What a driver for real hardware implements. Calls are short: one that would take long returns at once and reports by
/// [`Self::take_changes`]. A call that fails has changed nothing.
pub trait SwitchControl {
    /// What it is.
    fn identity(&self) -> SwitchIdentity;

    /// The state of each port, from port 0 on.
    fn ports(&self) -> Vec<PortStatus>;

    /// Ports whose state has changed since this was asked last.
    fn take_changes(&mut self) -> Vec<u8>;

    /// Takes up forwarding entries; `replace` drops all others first.
    ///
    /// # Errors
    /// When the switch refuses or does not answer.
    fn set_routes(&mut self, entries: &[Entry], replace: bool) -> Result<(), ControlError>;

    /// Hash of the routes that are in force, as [`philae_forwarding::SwitchTable::hash`] gives it.
    fn routes_hash(&self) -> u64;

    /// Puts a whole section other than the routes in force.
    ///
    /// # Errors
    /// When the switch refuses or does not answer.
    fn set_section(&mut self, section: Section, items: &SectionItems) -> Result<(), ControlError>;

    /// Whether ports have carried anything since counters were taken last. A switch without counters says no.
    fn has_counters(&self) -> bool {
        false
    }

    /// Counters of the ports that have carried something since this was asked last.
    fn take_counters(&mut self) -> Option<Counters> {
        None
    }

    /// Edge ports whose partner holds back all traffic at this moment, as a mask; isolated ones as well. A switch that cannot
    /// tell says none.
    fn pausing(&self) -> u64 {
        0
    }

    /// Takes a port that pauses too long out of the way, so that its traffic is dropped and its pauses are not obeyed, or gives it
    /// back.
    ///
    /// # Errors
    /// When the switch refuses or does not answer.
    fn isolate(&mut self, port: u8, isolated: bool) -> Result<(), ControlError> {
        let _ = isolated;
        Err(ControlError::Refused(format!("it cannot isolate port {port}")))
    }

    /// Does something.
    ///
    /// # Errors
    /// When the switch refuses or does not answer.
    fn operate(&mut self, operation: Operation) -> Result<(), ControlError>;

    /// The upgrade of the firmware that goes on, or that failed since the switch started. A switch
    /// that cannot be upgraded has none.
    fn upgrade(&mut self) -> Option<Upgrade> {
        None
    }

    /// The highest epoch of a manager that was kept: it outlives the agent.
    fn epoch(&self) -> u64;

    /// Keeps the epoch of a manager, durably.
    fn set_epoch(&mut self, epoch: u64);
}
