//! The memory that processes in simulated time share with the coordinator of their run.
//!
//! Invariants: either the rank has its turn, or the coordinator has. What one side wrote before it
//! gave the turn away is there for the other. Whatever the other side wrote, no value read from the
//! memory is trusted: a wrong one is an error that names the rank. The death of either side is
//! noticed by the one that waits for it.
//!
//! A rank hands over commands and gives its turn away only when it has to wait, so most operations
//! cost no switch between processes.

#![expect(unsafe_code, reason = "processes share memory")]

mod command;
mod coordinator;
mod costs;
mod counter;
mod file;
pub mod futex;
mod home;
mod identity;
mod page;
mod rank;

pub use command::{COPIED, PeerAddress, RankCommand, RankCommandKind};
pub use coordinator::{Coordinator, Given, Handed, ProcessState, RankFault, RankTurns};
pub use costs::{ComputeTime, RankCosts};
pub use file::{RunFile, RunFileError};
pub use identity::process;
pub use page::{BYTES_MAX, CLOCKS, COMMANDS_MAX, ENDPOINTS_MAX, REAL_TIME_FUNCTIONS, WaitKind};
pub use rank::{Call, Full, NoTurn, SimulatedRank, TurnWait};
