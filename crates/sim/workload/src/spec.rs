//! The workloads by name, as a scenario asks for them.

use philae_units::RankId;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::application::{Dlrm, Fft, Gups, Halo3d26, Hpcg, Iperf, Lammps, Milc, ResnetProxy, Service, Transformer};
use crate::collective::{
    Allgather, Allreduce, Alltoall, Alltoallv, Barrier, Broadcast, Gather, Reduce, ReduceScatter, Scatter,
    SendrecvAlltoall, SlicedCollective,
};
use crate::error::WorkloadError;
use crate::motif::{Halo3d, Sweep3d};
use crate::pattern::{
    Bandwidth, Bisection, Congestors, FlowSizes, Incast, OneSided, Permutation, PingPong, RandomRing, Shift,
    UniformRandom,
};
use crate::program::RankProgram;
use crate::real_program::RealProgram;
use crate::series::Series;
use crate::trace::Trace;
use crate::workload::Workload;

macro_rules! workloads {
    ($($(#[$meta:meta])* $kind:literal => $name:ident,)*) => {
        /// A workload with its parameters: `kind` names it, the other keys are its own.
        ///
        /// ```
        /// use philae_workload::{Workload, WorkloadSpec};
        ///
        /// let spec: WorkloadSpec = toml::from_str("kind = 'alltoall'\nbytes = '128KiB'\niterations = 100")?;
        /// assert_eq!(spec.describe(), "alltoall 128 KiB, 100 iterations");
        /// # Ok::<(), toml::de::Error>(())
        /// ```
        #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
        #[serde(tag = "kind", rename_all = "kebab-case")]
        pub enum WorkloadSpec {
            $($(#[$meta])* $name($name),)*
        }

        impl WorkloadSpec {
            /// Every `kind`, in the order of the documentation.
            pub const KINDS: &[&str] = &[$($kind),*];

            /// The `kind` of this one.
            #[must_use]
            pub const fn kind(&self) -> &'static str {
                match self {
                    $(Self::$name(_) => $kind,)*
                }
            }

            fn workload(&self) -> &dyn Workload {
                match self {
                    $(Self::$name(workload) => workload,)*
                }
            }
        }
    };
}

workloads! {
    /// A message and its answer.
    "ping-pong" => PingPong,
    /// Windows of messages from one to another.
    "bandwidth" => Bandwidth,
    /// Every rank to one random other rank.
    "permutation" => Permutation,
    /// Every message to a random rank.
    "uniform-random" => UniformRandom,
    /// Every rank to the rank a fixed distance above.
    "shift" => Shift,
    /// Each rank of one half with its partner in the other.
    "bisection" => Bisection,
    /// All ranks to one.
    "incast" => Incast,
    /// Every rank with both neighbours of a ring in random order.
    "random-ring" => RandomRing,
    /// GPCNeT's four congestors together.
    "congestors" => Congestors,
    /// Windows of one-sided operations.
    "one-sided" => OneSided,
    /// All ranks to all ranks.
    "alltoall" => Alltoall,
    /// All ranks to all ranks, with blocks of any sizes.
    "alltoallv" => Alltoallv,
    /// All ranks to all ranks, one partner at a time.
    "sendrecv-alltoall" => SendrecvAlltoall,
    /// A sum that all ranks get.
    "allreduce" => Allreduce,
    /// A sum of which each rank gets a block.
    "reduce-scatter" => ReduceScatter,
    /// Every rank's block to all ranks.
    "allgather" => Allgather,
    /// A sum that one rank gets.
    "reduce" => Reduce,
    /// Every rank's block to one rank.
    "gather" => Gather,
    /// One rank's blocks, each to its rank.
    "scatter" => Scatter,
    /// All ranks wait for all ranks.
    "barrier" => Barrier,
    /// One rank to all ranks.
    "broadcast" => Broadcast,
    /// The same collective in several communicators.
    "sliced-collective" => SlicedCollective,
    /// Faces of a three-dimensional grid.
    "halo3d" => Halo3d,
    /// Wavefronts across a two-dimensional grid.
    "sweep3d" => Sweep3d,
    /// Flows of random sizes to random ranks.
    "flow-sizes" => FlowSizes,
    /// The operations of a trace file.
    "trace" => Trace,
    /// Workloads one after the other.
    "series" => Series,
    /// Faces, edges and corners of a three-dimensional grid.
    #[serde(rename = "halo3d-26")]
    "halo3d-26" => Halo3d26,
    /// Conjugate gradient on a four-dimensional lattice.
    #[serde(alias = "lqcd")]
    "milc" => Milc,
    /// Molecular dynamics with short-range forces.
    "lammps" => Lammps,
    /// Conjugate gradient with a multigrid cycle.
    "hpcg" => Hpcg,
    /// Three-dimensional Fourier transform.
    "fft" => Fft,
    /// Data-parallel training of a residual network.
    "resnet-proxy" => ResnetProxy,
    /// Training of a transformer, parallel in up to four ways.
    "transformer" => Transformer,
    /// Training of a recommendation model.
    "dlrm" => Dlrm,
    /// Random updates.
    "gups" => Gups,
    /// TCP streams of one thread each.
    "iperf" => Iperf,
    /// Clients with a fixed rate of requests, and their servers.
    "service" => Service,
    /// A real program, whose processes are the ranks.
    #[serde(rename = "program")]
    "program" => RealProgram,
}

impl Workload for WorkloadSpec {
    fn check(&self, ranks: u32) -> Result<(), WorkloadError> {
        self.workload().check(ranks)
    }

    fn program(&self, rank: RankId, ranks: u32, seed: u64) -> Box<dyn RankProgram> {
        assert!(rank.0 < ranks, "rank {rank} is outside a job of {ranks}");
        self.workload().program(rank, ranks, seed)
    }

    fn describe(&self) -> String {
        self.workload().describe()
    }

    fn offloads(&self, ranks: u32) -> bool {
        self.workload().offloads(ranks)
    }

    fn offered_gbps(&self) -> Option<f64> {
        self.workload().offered_gbps()
    }

    fn iterations(&self) -> Option<u32> {
        self.workload().iterations()
    }

    fn counted_iterations(&self) -> Option<u32> {
        self.workload().counted_iterations()
    }
}
