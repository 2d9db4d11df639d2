//! Starts a program so that its messages cross the provider: finds the provider's library, recognises which MPI or SHMEM
//! the program is linked with, sets what that library has to be told, and runs the launcher that belongs to it.
//!
//! Invariants: what is not found is an error that names every place that was looked at. Exit codes and signals pass
//! through. Programs of our own SHMEM, and those without MPI or SHMEM, are started as plain processes of this host, or of
//! others through a remote shell, with a server of PMI-1 that introduces them to each other. Deliberately absent: a resource
//! manager.

mod elf;
mod ending;
mod environment;
mod error;
mod launcher;
mod library;
mod place;
mod plan;
mod pmi;
mod program;
mod record;
mod run;
mod traffic;

pub use environment::{Settings, variables};
pub use error::LaunchError;
pub use launcher::{Kind, Launcher, Wanted};
pub use library::find_library;
pub use place::Remote;
pub use plan::{Plan, Request, plan};
pub use pmi::{Server, Wish};
pub use program::{Linked, Program, find_program};
pub use run::{Output, run};
pub use traffic::{PeerTraffic, Traffic, read_traffic};
