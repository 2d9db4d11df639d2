//! Assembles topology, switches, NICs, routing and congestion into one runnable model.
//!
//! Invariant: a run is a function of configuration, jobs and seed; the number of partitions does
//! not show in it, and every run obeys the laws of conservation (checked while it runs).
//!
//! `partition` has the state, `model` the physics, `sched` the order and place in which events are
//! handled, `memory` containers and prefetching, `observe` what a run records, and `run` a run from
//! beginning to end. No import circle crosses two of them: what is state imports nothing that works
//! on it.
//!
//! The life of a packet reads in this order:
//! 1. `model/host`: a rank issues an operation.
//! 2. `model/nic`: the NIC segments it.
//! 3. `model/ingress`: the flow's gate at the edge port.
//! 4. `model/hop`: route, request, grant, departure, credit; once per switch.
//! 5. `model/nic` again: delivery.
//! 6. `model/host` again: completion.
//!
//! Deliberately absent: files, clocks, the scenario's syntax. Only `sched/parallel` uses threads.

mod memory;
mod model;
mod observe;
mod partition;
mod run;
mod sched;
#[cfg(test)]
mod tests;

pub use model::config::{
    ActivityOptions, ExecutionOptions, FabricConfig, HostLaws, Job, RankPlace, RecordOptions, RunOptions,
};
pub use model::error::FabricError;
pub use model::overlay::{EdgeMessage, EdgeVerdict, EngineCounts, Overlay, TableTotal, Verdicts};
pub use model::packet::PacketPurpose;
pub use model::ports::{port_info, ports_by_role};
pub use model::resilience::{Fault, FaultKind, FaultLaw, FaultTarget, Resilience};
pub use model::zero_load::{tcp_round_trip, zero_load_latency};
pub use observe::capture::{CaptureEnd, CapturePoint, CaptureSink, CapturedFrame, NoCapture};
pub use observe::explain::ExplainTarget;
pub use run::checkpoint::{Checkpoint, CheckpointError, CheckpointHead, CheckpointSource, Keeper, ResumeError};
pub use run::driver::{Advance, Meter, PortCount};
pub use run::processes::{Failed, ProcessLost, ProcessShare, Processes, SingleProcess, failures};
pub use run::simulation::{Simulation, check_hardware};
pub use run::waiting::{WaitChain, WaitingRank};
