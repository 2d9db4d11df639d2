//! The coordinator of a simulated run whose ranks are processes. For the fabric each of them is a
//! [`RankProcess`](philae_workload::RankProcess); for the processes the coordinator is the NIC.
//!
//! Invariants: what a rank sees follows from simulated time alone, as long as no rank was outside
//! of it while others went on. An operation ends once, at its rank's endpoint, and not before the
//! fabric says so. Only one rank's state is locked at a time. Nothing that a rank hands over can
//! stop the coordinator: a wrong command ends with an error code, a damaged page ends the run.

mod deliveries;
mod description;
mod operation;
mod process;
mod rank;
mod run;
mod supervisor;

pub use philae_cosim::{ComputeTime, RankCosts, RankFault, RunFile, RunFileError};
pub use run::{ProgramJob, ProgramParts, ProgramRun, RunFault, StartFault};
