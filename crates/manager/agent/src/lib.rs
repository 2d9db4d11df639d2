//! The fabric agent: it runs next to a switch, takes orders from the manager and reports to it.
//!
//! Invariant: the switch continues unchanged whatever happens to the manager, and takes no orders
//! from a manager whose epoch is lower than the highest it has seen. A section of its configuration
//! is changed only from the state that the manager names. Otherwise the order is refused, with the
//! actual state.
//!
//! The agent is a state machine: it takes `now` and messages and returns messages. It reads no
//! clock and opens no connection; the service does, and tests and the simulated fabric do it
//! differently. Below the agent is a switch, behind [`SwitchControl`].
//!
//! Deliberately absent: routes and policies, which the manager makes, and the registers of real
//! switches.

mod agent;
mod control;
mod counters;
mod enrol;
mod flash;
pub mod items;
mod message;
mod pause;
mod section;
mod simulated;

pub use agent::Agent;
pub use control::{
    ControlError, PortState, PortStatus, SwitchControl, SwitchIdentity, SwitchOperation, Upgrade, UpgradeStage,
};
pub use counters::{CounterReading, PortCounters};
pub use enrol::{Certificate, JoinRequest, RenewRequest};
pub use flash::{Flash, UpgradeFault};
pub use message::{
    Ack, Activate, Configure, EqualItems, ForwardingEntries, FromAgent, FromBody, Heartbeat, Hello, Operate,
    OrderOutcome, PROTOCOL, PortReport, PortReports, ReadSection, SectionHash, SectionState, StageEntries, ToAgent,
    ToBody, UpgradeReport, Welcome,
};
pub use pause::{PAUSE_CLEAR_MS, PAUSE_LIMIT_MS};
pub use section::{ConfigSection, SectionItems};
pub use simulated::{HardwareNames, Numbered, SimulatedFabric, SimulatedSwitch, SwitchFault};
