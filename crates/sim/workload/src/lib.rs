//! Rank programs, patterns, collectives, motifs and placement.
//!
//! Invariant: a workload knows ranks, bytes and dependencies, never time, topology or NICs.
//! Programs are lazy: a rank needs memory for its window of outstanding operations, never for all
//! of its messages. Everything random follows from a seed. Deliberately absent: clocks, routes,
//! files; the fabric runs programs, the scenario reads files.
//!
//! To write a new workload: a [`Motif`] (what a rank does in each step of an iteration), a struct
//! with its parameters that implements [`Workload`], and a line in [`WorkloadSpec`].

mod activity;
mod application;
mod collective;
mod decimal;
mod error;
mod fixed;
mod graph;
mod job;
mod matching;
mod motif;
mod overlap;
mod pattern;
mod phase;
mod placement;
mod process;
mod program;
mod quantity;
mod random;
mod real_program;
mod semantics;
mod sequence;
mod series;
mod spec;
mod stream;
mod trace;
mod workload;

pub use activity::{Activities, Activity};
pub use application::*;
pub use collective::*;
pub use decimal::Decimal;
pub use error::{MESSAGE_BYTES_MAX, WorkloadError};
pub use graph::{Dependencies, GraphError, Needs, Operation, OperationGraph};
pub use job::{JobSpec, Nodes, RankMapping};
pub use matching::MatchQueues;
pub use motif::{Halo3d, Sweep3d, balanced_grid};
pub use overlap::{ConcurrentMotif, Overlapping, Turn};
pub use pattern::*;
pub use phase::{Idle, Motif, Phase, Phased, Tagged};
pub use placement::{Allocation, PlacementError, place};
pub use process::{
    Between, Lost, MemoryAccess, NicReply, OfferAnswer, OperationEnd, ProcessMessage, ProcessProgram,
    ProcessSupervisor, RankProcess,
};
pub use program::*;
pub use quantity::{QuantityError, RateGbps, Share, Size, Span};
pub use random::{Scrambled, exponential, purpose, shuffle};
pub use real_program::{Computation, RealProgram};
pub use semantics::{RankSummary, SemanticsError, SendMode, simulate_semantics, simulate_semantics_of_a_broken_tree};
pub use sequence::{Stage, StageSequence};
pub use series::Series;
pub use spec::WorkloadSpec;
pub use stream::{Always, Destinations, Gaps, Offered, StreamOperation, StreamProgram, StreamShape};
pub use trace::{Loaded, PerSecond, Recording, Trace};
pub use workload::Workload;
