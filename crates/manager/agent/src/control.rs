//! The interface between an agent and its switch.

use philae_route_tables::StagedEntry;

use crate::counters::CounterReading;
use crate::section::{ConfigSection, SectionItems};

/// The identity of a switch, as it reports it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SwitchIdentity {
    /// Name of the switch's controller (its xname).
    pub name: String,
    /// Serial number.
    pub serial: String,
    pub model: String,
    /// Version of its firmware.
    pub firmware: String,
    /// Number of ports.
    pub ports: u8,
    /// Version of the agent and its driver; empty: that of this crate.
    pub agent: String,
    /// Identifies the present start of the switch: a different text after each start; empty if
    /// unknown.
    pub boot: String,
}

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
    /// The port is disabled by configuration.
    Disabled = 3,
    /// The switch has isolated the port because its partner paused traffic for too long.
    PausedTooLong = 4,
    /// The port has failed.
    Failed = 5,
}

impl PortState {
    /// The state with this number on the wire.
    #[must_use]
    pub fn from_number(number: u32) -> Option<Self> {
        [Self::Absent, Self::Up, Self::Down, Self::Disabled, Self::PausedTooLong, Self::Failed]
            .get(number as usize)
            .copied()
    }

    /// The name in output.
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

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PortStatus {
    pub state: PortState,
    /// Network address (NID) that the far end announces by LLDP.
    pub neighbour: Option<u32>,
    /// How often its link has been lost since the switch started.
    pub losses: u32,
}

/// The stage of a firmware upgrade.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u32)]
pub enum UpgradeStage {
    /// There is no upgrade.
    #[default]
    None = 0,
    /// The firmware is being written; the switch forwards meanwhile.
    Installing = 1,
    /// It is written, and the switch restarts.
    Restarting = 2,
    /// It failed; the switch runs the previous firmware.
    Failed = 3,
}

impl UpgradeStage {
    /// The stage with this number on the wire; an unknown number counts as none.
    #[must_use]
    pub fn from_number(number: u32) -> Self {
        [Self::None, Self::Installing, Self::Restarting, Self::Failed].get(number as usize).copied().unwrap_or_default()
    }
}

/// A firmware upgrade.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Upgrade {
    /// The version that was ordered.
    pub version: String,
    pub stage: UpgradeStage,
    /// Why it failed.
    pub detail: String,
}

/// An operation that only the switch itself can perform.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SwitchOperation {
    /// Restarts the controller and the switch, which has no configuration afterwards.
    Reboot,
    /// Trains a port's link again.
    ResetPort(u8),
    /// Installs this version of the firmware and restarts with it. Returns immediately. A repeated
    /// order changes nothing while it is carried out or when that version runs.
    Upgrade(String),
}

/// Why a switch did not carry out an order.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ControlError {
    /// It refuses, now and later.
    #[error("the switch refuses: {0}")]
    Refused(String),
    /// It did not answer, or had another fault that may pass.
    #[error("the switch did not answer: {0}")]
    Failed(String),
}

/// A switch, as its agent drives it.
///
/// Drivers for real hardware implement this trait. Calls are short: an operation that takes long
/// returns immediately and reports through [`Self::take_changes`]. A call that fails has changed
/// nothing.
pub trait SwitchControl {
    /// The identity of the switch.
    fn identity(&self) -> SwitchIdentity;

    /// The state of each port, from port 0.
    fn ports(&self) -> Vec<PortStatus>;

    /// Ports whose state has changed since the previous call.
    fn take_changes(&mut self) -> Vec<u8>;

    /// Installs forwarding entries; `replace` removes all others first.
    ///
    /// # Errors
    /// If the switch refuses or does not answer.
    fn set_routes(&mut self, entries: &[StagedEntry], replace: bool) -> Result<(), ControlError>;

    /// Hash of the routes in force, as computed by [`philae_route_tables::SwitchTable::hash`].
    fn routes_hash(&self) -> u64;

    /// Puts a whole section other than the routes in force.
    ///
    /// # Errors
    /// If the switch refuses or does not answer.
    fn set_section(&mut self, section: ConfigSection, items: &SectionItems) -> Result<(), ControlError>;

    /// Whether ports have carried traffic since counters were last taken. A switch without counters
    /// returns false.
    fn has_counters(&self) -> bool {
        false
    }

    /// Counters of the ports that have carried traffic since the previous call.
    fn take_counters(&mut self) -> Option<CounterReading> {
        None
    }

    /// Edge ports whose partner pauses all traffic at this moment, as a mask, including isolated
    /// ones. A switch that cannot tell returns none.
    fn pausing(&self) -> u64 {
        0
    }

    /// Isolates a port that pauses too long, so that its traffic is dropped and its pauses are
    /// ignored, or releases it.
    ///
    /// # Errors
    /// If the switch refuses or does not answer.
    fn isolate(&mut self, port: u8, isolated: bool) -> Result<(), ControlError> {
        let _ = isolated;
        Err(ControlError::Refused(format!("it cannot isolate port {port}")))
    }

    /// Performs an operation.
    ///
    /// # Errors
    /// If the switch refuses or does not answer.
    fn operate(&mut self, operation: SwitchOperation) -> Result<(), ControlError>;

    /// The firmware upgrade in progress, or one that failed since the switch started. A switch
    /// without upgrades has none.
    fn upgrade(&mut self) -> Option<Upgrade> {
        None
    }

    /// The highest stored epoch of a manager; it survives the agent.
    fn epoch(&self) -> u64;

    /// Stores the epoch of a manager durably.
    fn set_epoch(&mut self, epoch: u64);
}
