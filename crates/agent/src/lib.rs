//! The fabric agent: it runs beside a switch, takes orders from the manager and reports to it.
//!
//! Invariant: the switch goes on as it is whatever becomes of the manager, and takes orders of no manager whose epoch is
//! lower than the highest it has seen. A section of its configuration is changed only from the state that the manager names:
//! what does not fit is refused, with the state that there is.
//!
//! The agent is a state machine: it takes `now` and messages and gives messages back. It reads no clock and opens no connection;
//! the service does, tests and the simulated fabric do it differently. Below it is a switch, as [`SwitchControl`] has it.
//!
//! Deliberately absent: routes and policies (the manager makes them), and what a real switch's registers are called.

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
    ControlError, Operation, PortState, PortStatus, SwitchControl, SwitchIdentity, Upgrade, UpgradeStage,
};
pub use counters::{Counters, PortCounters};
pub use enrol::{Certificate, JoinRequest, RenewRequest};
pub use flash::{Flash, UpgradeFault};
pub use message::{
    Ack, Activate, Configure, Entries, FromAgent, FromBody, Heartbeat, Hello, Items, Operate, Outcome, PROTOCOL,
    PortReport, PortReports, Read, SectionHash, Stage, State, ToAgent, ToBody, UpgradeReport, Welcome,
};
pub use pause::{PAUSE_CLEAR_MS, PAUSE_LIMIT_MS};
pub use section::{Section, SectionItems};
pub use simulated::{Fault, Names, Numbered, SimulatedFabric, SimulatedSwitch};
