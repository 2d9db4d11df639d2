//! The manager's judgement: what state each device is in, which links may carry traffic, which tables are published, how
//! well the fabric is.
//!
//! Invariant: whatever agents say or fail to say, in whatever order, each switch that answers ends with the tables and
//! the configuration that are wanted now; tables are proven before they are sent; and no device waits for another one,
//! except in the rounds of taking up tables, which have a time limit.
//!
//! It takes `now` and inputs and gives outputs back. The service feeds it from connections and a clock; tests feed it
//! from simulated switches, with every fault that they can think of, in no time.
//!
//! Deliberately absent: documents (`intent`), durability (`store`), sockets and threads (the service).

mod configure;
mod control;
mod device;
mod firmware;
mod flap;
mod ports;
mod reach;
mod routing;
mod settings;
mod status;
mod timers;
mod traffic;

pub use control::{Control, Input, Output};
pub use device::{Cause, DeviceState, DeviceView, SectionView};
pub use firmware::{UpgradeView, VersionView};
pub use flap::{FlapView, Isolation};
pub use ports::{CableFault, Expected, LinkView, PortView, Unusable};
pub use reach::{NicDown, NicOff, Reach};
pub use routing::{Published, RolloutView};
pub use settings::{SettingError, Settings};
pub use status::{Alarm, AlarmKind, Health, HealthWord, Planned, PlannedKind, PortCount, Status};
pub use traffic::PortTraffic;
