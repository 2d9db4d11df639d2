//! Forwarding tables: which ports of each switch lead towards each destination, for any fabric,
//! degraded or not.
//!
//! Invariant: tables are published only as a [`RoutePlan`] that reaches every switch that any live
//! path reaches. Every candidate port in it brings a packet nearer to its destination, and its
//! routes climb: no cycle of channels can wait for itself. [`verify`] proves this from the tables
//! and the live links alone. While switches activate new tables one by one, the
//! [`rounds`](RouteRollout) in which they do so leave no moment with a loop.
//!
//! A table has one entry for each switch of the own group and one for each other group, because an
//! address names group, switch and port: a fabric of 17,440 switches has 577 entries a switch, not
//! 17,440. If a group has come apart, the switches that lost the rest have entries of their own in
//! every table.
//!
//! Deliberately absent: load (a switch chooses among the candidates by it), time, devices and
//! messages.

mod compute;
mod detours;
mod distance;
mod file;
mod legs;
mod links;
mod multicast;
mod parts;
mod plan;
mod port_sets;
mod rollout;
mod switch_table;
mod tables;
mod up_down;
mod update;
mod verify;
mod wiring;

pub use detours::Detours;
pub use file::{FileError, ROUTES_MARK, RoutesFile};
pub use links::{LinkChange, LiveLinks};
pub use multicast::{MulticastTree, TreeSwitch};
pub use parts::{FabricPart, FabricParts, PartCount};
pub use plan::{Parameters, RoutePlan};
pub use rollout::{RouteRollout, StagedEntry, SwitchDelta};
pub use switch_table::ForwardingTable;
pub use tables::{Destination, Tables};
pub use update::{Generation, Update};
pub use verify::{VerifyError, VerifyReport, verify, verify_update};
pub use wiring::{FabricWiring, WiringError};
