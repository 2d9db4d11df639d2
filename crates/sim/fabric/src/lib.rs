//! Assembles topology, switches, NICs, routing and congestion into one runnable model.
//!
//! Invariant: a run is a function of configuration, jobs and seed; the number of partitions does
//! not show in it, and every run obeys the laws of conservation (checked while it runs).
//!
//! The life of a packet reads in this order:
//! 1. `host`: a rank issues an operation.
//! 2. `nic`: the NIC segments it.
//! 3. `ingress`: the flow's gate at the edge port.
//! 4. `hop`: route, request, grant, departure, credit; once per switch.
//! 5. `nic` again: delivery.
//! 6. `host` again: completion.
//!
//! Deliberately absent: files, clocks, the scenario's syntax. Only `parallel` uses threads.

mod activity;
mod audit;
mod blocks;
mod capture;
mod checkpoint;
mod class;
mod collective;
mod command;
mod config;
mod counters;
mod deferred;
mod discard;
mod division;
mod driver;
mod edge;
mod error;
mod event;
mod exchange;
mod explain;
mod fabric_gateway;
mod fault;
mod features;
mod flow;
mod flow_queue;
mod gate;
mod hash_table;
mod health;
mod hop;
mod host;
mod inbox;
mod ingress;
mod kernel;
mod keyed;
mod link_layer;
mod load_view;
mod losses;
mod matching;
mod nic;
mod observe;
mod outbox;
mod output;
mod overlay;
mod packet;
mod parallel;
mod partition;
mod pause;
mod ports;
mod prefetch;
mod prefetch_queue;
mod processes;
mod receive;
mod record;
mod recorder;
mod reliable;
mod resilience;
mod returning;
mod row_counts;
mod shares;
mod simulation;
mod slab;
mod telemetry;
#[cfg(test)]
mod tests;
mod timeline;
mod waiting;
mod zero_load;

pub use capture::{CaptureEnd, CapturePoint, CaptureSink, CapturedFrame, NoCapture};
pub use checkpoint::{Checkpoint, CheckpointError, CheckpointHead, CheckpointSource, Keeper, ResumeError};
pub use config::{ActivityOptions, FabricConfig, Job, RankPlace, RunOptions};
pub use driver::{Advance, Meter, PortCount};
pub use error::FabricError;
pub use explain::ExplainTarget;
pub use overlay::{EdgeMessage, EdgeVerdict, EngineCounts, Overlay, TableTotal, Verdicts};
pub use packet::PacketPurpose;
pub use ports::{port_info, ports_by_role};
pub use processes::{Failed, ProcessLost, ProcessShare, Processes, SingleProcess, failures};
pub use resilience::{Fault, FaultKind, FaultLaw, FaultTarget, Resilience};
pub use simulation::{Simulation, check_hardware};
pub use waiting::{WaitChain, WaitingRank};
pub use zero_load::zero_load_latency;
