//! The algorithms of each collective by name.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How an alltoall is done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum AlltoallAlgorithm {
    /// As the selection table says.
    #[default]
    Auto,
    /// Few large messages: each block travels up to log2(ranks) times.
    Bruck,
    /// Every block on its own, 32 at once.
    Scattered,
    /// Every block on its own, one exchange at a time.
    Pairwise,
    /// In place: each pair exchanges its two blocks, every rank with ranks 0, 1, 2, ... in turn (MPI_Sendrecv_replace).
    SendrecvReplace,
}

/// How an alltoallv is done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum AlltoallvAlgorithm {
    /// As the selection table says.
    #[default]
    Auto,
    /// Every block on its own, 32 at once; empty ones are not sent.
    Scattered,
    /// Every block on its own, one exchange at a time.
    Pairwise,
    /// In place: each pair exchanges its two blocks, which have the same size, every rank with ranks 0, 1, 2, ... in turn.
    SendrecvReplace,
}

/// How an allreduce is done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum AllreduceAlgorithm {
    /// As the selection table says.
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
    /// By reduction engines in the switches: at most 32 B, one rank per NIC.
    SwitchOffloaded,
}

/// How a reduce-scatter is done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ReduceScatterAlgorithm {
    /// As the selection table says.
    #[default]
    Auto,
    /// Half of what is left with the rank half as far away, in log2(ranks) steps.
    RecursiveHalving,
    /// Every block straight to its rank, one exchange at a time.
    Pairwise,
}

/// How an allgather is done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum AllgatherAlgorithm {
    /// As the selection table says.
    #[default]
    Auto,
    /// All that one has with the rank twice as far away; best for a power of two of ranks.
    RecursiveDoubling,
    /// All that one has to the rank twice as far below; as few steps for any number of ranks.
    Bruck,
    /// Around a ring, to neighbours only.
    Ring,
}

/// How a broadcast is done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum BroadcastAlgorithm {
    /// As the selection table says.
    #[default]
    Auto,
    /// A binomial tree. Also read under its former name, `software`.
    #[serde(alias = "software")]
    Binomial,
    /// The message is scattered in parts, which an allgather by recursive doubling brings together.
    ScatterRecursiveDoubling,
    /// The message is scattered in parts, which an allgather around a ring brings together.
    ScatterRing,
    /// By reduction engines in the switches: at most 32 B, one rank per NIC, root 0.
    SwitchOffloaded,
}

/// How a reduction to one rank is done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ReduceAlgorithm {
    /// As the selection table says.
    #[default]
    Auto,
    /// A binomial tree: the whole vector in each of log2(ranks) steps.
    Binomial,
    /// Reduce-scatter by halving, then a binomial gather.
    ReduceScatterGather,
}

/// How a gather or a scatter is done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum GatherAlgorithm {
    /// As the selection table says.
    #[default]
    Auto,
    /// A binomial tree: blocks travel together, up to log2(ranks) times.
    Binomial,
    /// Every block straight between its rank and the root, all at once; empty ones are not sent.
    Linear,
}

/// How a barrier is done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum BarrierAlgorithm {
    /// As the selection table says.
    #[default]
    Auto,
    /// Everybody tells the rank twice as far above. Also read under its former name, `software`.
    #[serde(alias = "software")]
    Dissemination,
    /// By reduction engines in the switches: one rank per NIC.
    SwitchOffloaded,
}
