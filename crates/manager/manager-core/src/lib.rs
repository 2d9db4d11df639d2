//! The manager's control logic: the state of each device, the links that may carry traffic, the
//! tables to publish, and the health of the fabric.
//!
//! Invariant: whatever agents report or fail to report, in any order, each switch that answers ends
//! with the tables and the configuration that are desired now. Tables are proven before they are
//! sent. No device waits for another one, except in the rounds of table activation, which have a
//! time limit.
//!
//! The state machine takes `now` and inputs and returns outputs. The service feeds it from
//! connections and a clock. Tests feed it from simulated switches, with many kinds of faults, in
//! simulated time.
//!
//! Deliberately absent: documents (`policy`), durability (`store`), sockets and threads (the
//! service).

mod configure;
mod control;
mod device;
mod firmware;
mod flap;
mod parts;
mod ports;
mod reach;
mod routing;
mod settings;
mod status;
mod timers;
mod traffic;

pub use control::{ControlOutput, FabricControl, Input};
pub use device::{Cause, DeviceState, DeviceSummary, SectionView};
pub use firmware::{UpgradeView, VersionView};
pub use flap::{FlapView, Isolation};
pub use ports::{CableFault, Expected, LinkView, PortView, Unusable};
pub use reach::{NicDown, NicOff, Reachability};
pub use routing::{Published, RouteRolloutView};
pub use settings::{ControlSettingError, ControlSettings};
pub use status::{Alarm, AlarmKind, FabricStatus, HealthLevel, HealthWord, Planned, PlannedKind, PortTally};
pub use traffic::PortTraffic;
