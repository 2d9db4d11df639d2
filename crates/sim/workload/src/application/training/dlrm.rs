//! Training of a recommendation model: embeddings on all ranks, a perceptron on each.

use philae_units::{Bytes, Picoseconds, RankId};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{ComputeOn, Part, Script, allreduce, check_algorithm};
use crate::collective::{AllreduceAlgorithm, Alltoall, AlltoallAlgorithm, Group, GroupCollective};
use crate::error::{WorkloadError, at_least, message_size};
use crate::program::RankProgram;
use crate::quantity::{Size, Span};
use crate::workload::{Workload, iterations_text};

/// `dlrm`: one step of training a recommendation model.
///
/// Embeddings are looked up and distributed by an alltoall; bottom perceptron, interaction and top perceptron, forwards and
/// backwards; the gradients of each perceptron are summed during the following computation; the gradients of the embeddings go back by an
/// alltoall. Backward passes take twice the time of forward ones, except for the interaction.
/// Source: the DNN proxies of SPCL (spcl/DNN-cpp-proxies @ ce7d7a5): sizes and times, for 4 ranks. Status: published.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Dlrm {
    /// Bytes of embeddings of one rank, distributed evenly to all, rounded down. Default 1 MiB: 2,048 samples of 128 floats. Source: the proxy.
    /// Status: published.
    pub embeddings: Size,
    /// Gradients of the bottom perceptron, in bytes; a multiple of 4. Default 49,536 floats. Source: the proxy. Status: published.
    pub bottom: Size,
    /// Gradients of the top perceptron, in bytes; a multiple of 4. Default 728,065 floats. Source: the proxy. Status: published.
    pub top: Size,
    /// Look-up of embeddings. Default 95 us. Source: the proxy. Status: published.
    pub embedding_time: Span,
    /// Bottom perceptron. Default 341 us. Source: the proxy. Status: published.
    pub bottom_time: Span,
    /// Interaction. Default 209 us. Source: the proxy. Status: published.
    pub interaction_time: Span,
    /// Top perceptron. Default 455 us. Source: the proxy. Status: published.
    pub top_time: Span,
    /// The computing device. Default `accelerator`. Source: ours, the proxies sleep. Status: assumed.
    pub compute_on: ComputeOn,
    /// Algorithm of the sums. Default `auto`.
    pub algorithm: AllreduceAlgorithm,
    /// Algorithm of the alltoalls. Default `auto`.
    pub alltoall: AlltoallAlgorithm,
    /// Steps; endless when absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub iterations: Option<u32>,
}

impl Default for Dlrm {
    fn default() -> Self {
        Self {
            embeddings: Size::bytes(4 * 262_144),
            bottom: Size::bytes(4 * 49_536),
            top: Size::bytes(4 * 728_065),
            embedding_time: Span::micros(95),
            bottom_time: Span::micros(341),
            interaction_time: Span::micros(209),
            top_time: Span::micros(455),
            compute_on: ComputeOn::default(),
            algorithm: AllreduceAlgorithm::Auto,
            alltoall: AlltoallAlgorithm::Auto,
            iterations: None,
        }
    }
}

/// A float.
const ELEMENT: Bytes = Bytes(4);

impl Dlrm {
    /// Bytes from each rank for each other rank.
    fn pair(&self, ranks: u32) -> Bytes {
        Bytes(self.embeddings.0.0 / u64::from(ranks.max(1)))
    }
}

impl Workload for Dlrm {
    fn check(&self, ranks: u32) -> Result<(), WorkloadError> {
        let workload = "dlrm";
        at_least(workload, 1, ranks)?;
        message_size(workload, "embeddings / ranks", self.pair(ranks))?;
        for (key, size) in [("bottom", self.bottom.0), ("top", self.top.0)] {
            message_size(workload, key, size)?;
            if !size.0.is_multiple_of(ELEMENT.0) {
                let (found, divisor) = (size.0, ELEMENT.0);
                return Err(WorkloadError::NotDividing { workload, key, found, divisor_key: "a float", divisor });
            }
        }
        check_algorithm(workload, self.algorithm)
    }

    fn program(&self, rank: RankId, ranks: u32, _seed: u64) -> Box<dyn RankProgram> {
        let work = |span: Span| Part::Work(span.0);
        let twice = |span: Span| Part::Work(Picoseconds(span.0.0.saturating_mul(2)));
        let embeddings = || {
            let spec = Alltoall { bytes: Size(self.pair(ranks)), algorithm: self.alltoall, ..Alltoall::default() };
            let collective = GroupCollective::new(spec.collective(ranks), Group::all(ranks));
            Part::Collective(collective.expect("an alltoall suits every group"))
        };
        let sum = |size: Size| allreduce(size.0.0 / ELEMENT.0, ELEMENT, self.algorithm, Group::all(ranks));
        let parts = vec![
            work(self.embedding_time),
            embeddings(),
            work(self.bottom_time),
            work(self.interaction_time),
            work(self.top_time),
            twice(self.top_time),
            Part::Launch(0),
            work(self.interaction_time),
            twice(self.bottom_time),
            Part::Launch(1),
            embeddings(),
            twice(self.embedding_time),
        ];
        let script = Script::new(rank.0, self.compute_on, parts, vec![sum(self.top), sum(self.bottom)]);
        Box::new(script.program(self.iterations))
    }

    fn describe(&self) -> String {
        format!("dlrm, embeddings {}, {}", self.embeddings.0, iterations_text(self.iterations))
    }

    fn iterations(&self) -> Option<u32> {
        self.iterations
    }
}
