//! Training of a transformer with data, tensor, pipeline and expert parallelism.

mod schedule;
mod stage;

use philae_units::{Bytes, RankId};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub use self::schedule::PipelineSchedule;
use self::stage::{Gradients, StageLine};
use super::{ComputeOn, check_algorithm};
use crate::collective::{AllreduceAlgorithm, Group};
use crate::error::{WorkloadError, message_size, not_zero};
use crate::overlap::Overlapping;
use crate::program::RankProgram;
use crate::quantity::{Size, Span};
use crate::workload::{Workload, iterations_text};

/// How the shards of a layer are combined.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum TensorCollective {
    /// An allreduce after attention and one after the perceptron, in each direction.
    #[default]
    Allreduce,
    /// Between them each rank has a part of the sequence: an allgather before and a reduce-scatter after each of the two.
    SequenceParallel,
}

/// `transformer`: one step of training a transformer on `tensor` x `expert` x `data` x `pipeline` ranks, numbered in this order.
///
/// Every rank has a `tensor`-th of the layers of a `pipeline` stage. Each micro-batch goes through all stages forwards and
/// backwards; activations go from stage to stage in messages. In each layer, attention and perceptron are followed by an
/// allreduce within the tensor group. With experts, the perceptron's weights are shared out over the expert group, and
/// two alltoalls carry tokens to the experts and back. Gradients are summed in buckets, one after the other during the
/// last micro-batch's backward pass: those of experts over the `data` ranks that have the same
/// ones, all others over `data` x `expert` ranks. `data` follows from the number of
/// ranks. One iteration is one step.
///
/// Defaults are sizes and times of a proxy of GPT-3, which needs 384 ranks or a multiple. Overlap and buckets are not its; see each.
/// Source: the DNN proxies of SPCL (spcl/DNN-cpp-proxies @ 072420d). Status: published.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Transformer {
    /// Layers of the model; a multiple of `pipeline`. Default 96. Source: GPT-3, the proxy. Status: published.
    pub layers: u32,
    /// Width of the model. Default 12,288. Source: GPT-3, the proxy. Status: published.
    pub hidden: u32,
    /// Tokens of a sequence. Default 2,048. Source: GPT-3, the proxy. Status: published.
    pub sequence: u32,
    /// Sequences of a micro-batch. Default 1. Source: the proxy. Status: published.
    pub micro_batch: u32,
    /// Micro-batches of a step, for each of the `data` x `expert` replicas. Default 96. Source: the proxy. Status: published.
    pub micro_batches: u32,
    /// An activation or a gradient. Default 4 B. Source: the proxy, floats. Status: published.
    pub element: Size,
    /// Ranks of a tensor group. Default 4. Source: the proxy. Status: published.
    pub tensor: u32,
    /// Stages. Default 96. Source: the proxy. Status: published.
    pub pipeline: u32,
    /// Ranks of an expert group; 1 for a model without experts. Default 1. Source: the proxy. Status: published. With experts: 16.
    pub expert: u32,
    /// Experts that see each token. Default 1. Source: the proxy's alltoalls carry each token once. Status: published.
    pub experts_per_token: u32,
    /// Default `allreduce`. Source: the proxy. Status: published.
    pub tensor_collective: TensorCollective,
    /// Order of the micro-batches. Default `1f1b`. Source: Narayanan et al., SC'21. Status: published.
    pub schedule: PipelineSchedule,
    /// Forward pass of one micro-batch through one rank's shard of a layer. Default 15,915 us. Source: the proxy. Status: published.
    pub forward: Span,
    /// Backward pass of the same. Default 31,830 us. Source: the proxy. Status: published.
    pub backward: Span,
    /// The computing device. Default `accelerator`. Source: ours, the proxies sleep. Status: assumed.
    pub compute_on: ComputeOn,
    /// Largest bucket of gradients. Default 25 MiB. Source: PyTorch's distributed data parallel module.
    /// Status: published.
    pub bucket: Size,
    /// Whether buckets are summed as soon as the last backward pass has computed them, or at the end. Default true. Source: PyTorch; the
    /// proxy sums at the end. Status: published.
    pub overlap: bool,
    /// Algorithm of all sums. Default `ring`. Source: NCCL's for large sizes. Status: assumed.
    pub algorithm: AllreduceAlgorithm,
    /// Steps; endless when absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub iterations: Option<u32>,
}

impl Default for Transformer {
    fn default() -> Self {
        Self {
            layers: 96,
            hidden: 12_288,
            sequence: 2_048,
            micro_batch: 1,
            micro_batches: 96,
            element: Size::bytes(4),
            tensor: 4,
            pipeline: 96,
            expert: 1,
            experts_per_token: 1,
            tensor_collective: TensorCollective::Allreduce,
            schedule: PipelineSchedule::default(),
            forward: Span::micros(15_915),
            backward: Span::micros(31_830),
            compute_on: ComputeOn::default(),
            bucket: Size::kib(25 << 10),
            overlap: true,
            algorithm: AllreduceAlgorithm::Ring,
            iterations: None,
        }
    }
}

/// Weights of attention, in squares of the width: query, key, value, output. Source: the
/// architecture. Status: published.
const ATTENTION_SQUARES: u64 = 4;
/// Weights of the perceptron: up to four times the width, and down. Source: the architecture.
/// Status: published.
const PERCEPTRON_SQUARES: u64 = 8;

/// Largest width, sequence and counts: products fit into 64 bits.
const COUNT_MAX: u32 = 1 << 20;
/// Maximum number of buckets of a step.
const BUCKETS_MAX: u64 = 1 << 24;

const NAME: &str = "transformer";

impl Transformer {
    /// Ranks of one replica without experts.
    fn shards(&self) -> u64 {
        u64::from(self.tensor) * u64::from(self.pipeline) * u64::from(self.expert)
    }

    fn data(&self, ranks: u32) -> u32 {
        (u64::from(ranks) / self.shards().max(1)) as u32
    }

    /// Activations of a micro-batch between two layers.
    fn activations(&self) -> u64 {
        u64::from(self.micro_batch) * u64::from(self.sequence) * u64::from(self.hidden)
    }

    /// The activations of one rank between two layers.
    fn own_activations(&self) -> u64 {
        match self.tensor_collective {
            TensorCollective::Allreduce => self.activations(),
            TensorCollective::SequenceParallel => self.activations() / u64::from(self.tensor),
        }
    }

    fn bytes(&self, elements: u64) -> Bytes {
        Bytes(elements.saturating_mul(self.element.0.0))
    }

    /// Bytes from stage to stage.
    fn stage_bytes(&self) -> Bytes {
        self.bytes(self.own_activations())
    }

    /// Bytes from each rank of an expert group to each other.
    fn expert_bytes(&self) -> Bytes {
        let tokens = self.own_activations().saturating_mul(u64::from(self.experts_per_token));
        self.bytes(tokens / u64::from(self.expert))
    }

    /// Gradients of one layer on one rank: those that all replicas have, and those of experts.
    fn gradients(&self) -> [u64; 2] {
        let square = u64::from(self.hidden) * u64::from(self.hidden);
        let of_shard = |squares: u64| squares * square / u64::from(self.tensor);
        if self.expert == 1 {
            [of_shard(ATTENTION_SQUARES + PERCEPTRON_SQUARES), 0]
        } else {
            [of_shard(ATTENTION_SQUARES), of_shard(PERCEPTRON_SQUARES) / u64::from(self.expert)]
        }
    }

    fn stage_layers(&self) -> u32 {
        self.layers / self.pipeline
    }

    /// Gradients of a stage in buckets, with the groups that sum them: all replicas, and the
    /// replicas with the same experts.
    fn buckets(&self, rank: u32, ranks: u32) -> [Gradients; 2] {
        let data = self.data(ranks);
        let group = |stride, count| Group::around(rank, stride, count).expect("a group has ranks of the job");
        let groups = [group(self.tensor, self.expert * data), group(self.tensor * self.expert, data)];
        let in_bucket = (self.bucket.0.0 / self.element.0.0).max(1);
        let mut each = self.gradients().into_iter().zip(groups);
        std::array::from_fn(|_| {
            let (of_layer, group) = each.next().expect("two kinds of gradients");
            // A single rank has nothing to sum.
            let of_layer = if group.members() == 1 { 0 } else { of_layer };
            Gradients { of_layer, layers: self.stage_layers(), in_bucket, group }
        })
    }

    fn check_counts(&self) -> Result<(), WorkloadError> {
        let counts = [
            ("layers", self.layers),
            ("hidden", self.hidden),
            ("sequence", self.sequence),
            ("micro_batch", self.micro_batch),
            ("micro_batches", self.micro_batches),
            ("tensor", self.tensor),
            ("pipeline", self.pipeline),
            ("expert", self.expert),
            ("experts_per_token", self.experts_per_token),
        ];
        for (key, count) in counts {
            not_zero(NAME, key, count)?;
            if count > COUNT_MAX {
                let allowed = format!("at most {COUNT_MAX}");
                return Err(WorkloadError::OutOfRange { workload: NAME, key, found: count.into(), allowed });
            }
        }
        Ok(())
    }

    fn check_shares(&self, ranks: u32) -> Result<(), WorkloadError> {
        let divides = |key, found: u64, divisor_key, divisor: u64| {
            if found.is_multiple_of(divisor) {
                return Ok(());
            }
            Err(WorkloadError::NotDividing { workload: NAME, key, found, divisor_key, divisor })
        };
        divides("ranks of the job", ranks.into(), "tensor * expert * pipeline", self.shards())?;
        divides("layers", self.layers.into(), "pipeline", self.pipeline.into())?;
        divides("hidden", self.hidden.into(), "tensor", self.tensor.into())?;
        if self.tensor_collective == TensorCollective::SequenceParallel {
            divides("sequence", self.sequence.into(), "tensor", self.tensor.into())?;
        }
        Ok(())
    }
}

impl Workload for Transformer {
    fn check(&self, ranks: u32) -> Result<(), WorkloadError> {
        self.check_counts()?;
        self.check_shares(ranks)?;
        if ranks == 0 {
            return Err(WorkloadError::TooFewRanks { workload: NAME, needed: 1, found: 0 });
        }
        message_size(NAME, "element", self.element.0)?;
        message_size(NAME, "bucket", self.bucket.0)?;
        message_size(NAME, "micro_batch * sequence * hidden * element", self.bytes(self.activations()))?;
        if self.expert > 1 {
            message_size(NAME, "tokens for one expert", self.expert_bytes())?;
        }
        let buckets: u64 = self.buckets(0, ranks).iter().map(Gradients::buckets).sum();
        if buckets > BUCKETS_MAX {
            let allowed = format!("large enough for at most {BUCKETS_MAX} buckets a step, not {buckets}");
            return Err(WorkloadError::OutOfRange { workload: NAME, key: "bucket", found: self.bucket.0.0, allowed });
        }
        check_algorithm(NAME, self.algorithm)
    }

    fn program(&self, rank: RankId, ranks: u32, _seed: u64) -> Box<dyn RankProgram> {
        // One bucket after the other, as in one communicator.
        Box::new(Overlapping::new(StageLine::new(self, rank.0, ranks), self.iterations, 1))
    }

    fn describe(&self) -> String {
        let Self { layers, hidden, tensor, pipeline, expert, .. } = self;
        format!(
            "transformer {layers} layers of {hidden}, tensor {tensor}, pipeline {pipeline}, expert {expert}, {}",
            iterations_text(self.iterations)
        )
    }

    fn iterations(&self) -> Option<u32> {
        self.iterations
    }
}
