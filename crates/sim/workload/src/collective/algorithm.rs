//! The algorithms of each collective by name.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Algorithm of an alltoall.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum AlltoallAlgorithm {
    /// The choice of the selection table.
    #[default]
    Auto,
    /// Few large messages: each block travels up to log2(ranks) times.
    Bruck,
    /// Every block as a separate message, 32 at the same time.
    Scattered,
    /// Every block as a separate message, one exchange at a time.
    Pairwise,
    /// In place: each pair exchanges its two blocks, every rank with ranks 0, 1, 2, ... in turn (MPI_Sendrecv_replace).
    SendrecvReplace,
    /// As `scattered`, but partners in another order for every rank: those that follow it in a random ring. A seed of the job draws
    /// the ring.
    Random,
    /// As `scattered`, but the distances of consecutive partners lie far apart, so that partners are in many groups at the same time.
    Spread,
}

/// Algorithm of an alltoallv.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum AlltoallvAlgorithm {
    /// The choice of the selection table.
    #[default]
    Auto,
    /// Every block as a separate message, 32 at the same time; empty ones are not sent.
    Scattered,
    /// Every block as a separate message, one exchange at a time.
    Pairwise,
    /// In place: each pair exchanges its two blocks, which have the same size, every rank with ranks 0, 1, 2, ... in turn.
    SendrecvReplace,
}

/// Algorithm of an allreduce.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum AllreduceAlgorithm {
    /// The choice of the selection table.
    #[default]
    Auto,
    /// The whole vector in each of log2(ranks) steps: best for small ones.
    RecursiveDoubling,
    /// Reduce-scatter by halving, then allgather by doubling.
    Rabenseifner,
    /// Reduce-scatter and allgather around a ring: best for the largest.
    Ring,
    /// A binomial reduction to rank 0, then a binomial broadcast.
    Tree,
    /// As recursive doubling, with the partners of a Bine butterfly: nearer ranks.
    Bine,
    /// As Rabenseifner's, with the partners of a Bine butterfly: nearer ranks.
    BineRabenseifner,
    /// By reduction engines in the switches: at most 32 B, one rank per NIC.
    SwitchOffloaded,
}

/// Algorithm of a reduce-scatter.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ReduceScatterAlgorithm {
    /// The choice of the selection table.
    #[default]
    Auto,
    /// Halving: each of log2(ranks) steps exchanges half of the remaining data with a rank half as far away.
    RecursiveHalving,
    /// Every block directly to its rank, one exchange at a time.
    Pairwise,
    /// Halving with the partners of a Bine butterfly: nearer ranks, the nearest first.
    Bine,
}

/// Algorithm of an allgather.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum AllgatherAlgorithm {
    /// The choice of the selection table.
    #[default]
    Auto,
    /// Doubling: each step exchanges all data so far with a rank twice as far away; best for a power of two of ranks.
    RecursiveDoubling,
    /// Each step sends all data so far to the rank twice as far below; as few steps for any number of ranks.
    Bruck,
    /// Around a ring, to neighbours only.
    Ring,
    /// Doubling with the partners of a Bine butterfly: nearer ranks, the nearest last.
    Bine,
}

/// Algorithm of a broadcast.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum BroadcastAlgorithm {
    /// The choice of the selection table.
    #[default]
    Auto,
    /// A binomial tree. Also read under its former name, `software`.
    #[serde(alias = "software")]
    Binomial,
    /// The message is scattered in parts, which an allgather by recursive doubling collects.
    ScatterRecursiveDoubling,
    /// The message is scattered in parts, which an allgather around a ring collects.
    ScatterRing,
    /// A Bine tree: children are nearer than in a binomial one.
    Bine,
    /// By reduction engines in the switches: at most 32 B, one rank per NIC, root 0.
    SwitchOffloaded,
}

/// Algorithm of a reduction to one rank.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ReduceAlgorithm {
    /// The choice of the selection table.
    #[default]
    Auto,
    /// A binomial tree: the whole vector in each of log2(ranks) steps.
    Binomial,
    /// Reduce-scatter by halving, then a binomial gather.
    ReduceScatterGather,
    /// A Bine tree: children are nearer than in a binomial one.
    Bine,
}

/// Algorithm of a gather or a scatter.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum GatherAlgorithm {
    /// The choice of the selection table.
    #[default]
    Auto,
    /// A binomial tree: blocks travel together, up to log2(ranks) times.
    Binomial,
    /// Every block directly between its rank and the root, all at the same time; empty ones are not sent.
    Linear,
}

/// Algorithm of a barrier.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum BarrierAlgorithm {
    /// The choice of the selection table.
    #[default]
    Auto,
    /// Every rank signals the rank twice as far above. Also read under its former name, `software`.
    #[serde(alias = "software")]
    Dissemination,
    /// By reduction engines in the switches: one rank per NIC.
    SwitchOffloaded,
}
