//! Starts a program so that its messages cross the provider. It finds the provider's library,
//! recognises the MPI or SHMEM that the program is linked with, sets the environment of that
//! library, and runs the matching launcher.
//!
//! Invariants: an error about a missing file names every place that was searched. Exit codes and
//! signals pass through. Programs of our own SHMEM, and those without MPI or SHMEM, start as plain
//! processes of this host, or of other hosts through a remote shell. A PMI-1 server introduces them
//! to each other. Deliberately absent: a resource manager.

mod elf;
mod ending;
mod environment;
mod error;
mod launcher;
mod leftovers;
mod library;
mod place;
mod plan;
mod pmi;
mod program;
mod record;
mod run;
mod traffic;

pub use ending::{by_code as how_it_ended, hint_of_code as what_helps};
pub use environment::{ProviderChoices, SimulatedRun, variables};
pub use error::LaunchError;
pub use launcher::{Launcher, LauncherChoice, LauncherKind};
pub use library::{find_clocks, find_library};
pub use place::RemoteShell;
pub use plan::{LaunchPlan, LaunchRequest, plan};
pub use pmi::{PmiServer, Wish};
pub use program::{LaunchedProgram, Linked, find_program};
pub use run::{OutputTarget, ProgramEnding, RunControl, run, run_until};
pub use traffic::{PeerTraffic, ProcessTraffic, read_traffic};
