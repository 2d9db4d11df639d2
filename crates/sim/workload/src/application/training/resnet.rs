//! Data-parallel training of a residual network.

use philae_units::{Bytes, Picoseconds, RankId};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{ComputeOn, Part, Script, allreduce, check_algorithm};
use crate::collective::{AllreduceAlgorithm, Group};
use crate::error::{WorkloadError, at_least, message_size, not_zero};
use crate::program::RankProgram;
use crate::quantity::{Size, Span};
use crate::workload::{Workload, iterations_text};

/// Which network.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ResnetModel {
    /// 60 million parameters in 10 buckets.
    #[default]
    #[serde(rename = "resnet-152")]
    Resnet152,
    /// 26 million parameters in 6 buckets.
    #[serde(rename = "resnet-50")]
    Resnet50,
}

/// `resnet-proxy`: the forward pass; then for each bucket of gradients its backward pass and a nonblocking allreduce; at
/// the end the rank waits for all of them. One iteration is one step of training.
///
/// Source: the DNN proxies of SPCL (spcl/DNN-cpp-proxies @ 2fdc31a): sizes and times. Status: published.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct ResnetProxy {
    /// Default `resnet-152`. Source: De Sensi et al., SC'20, name a Resnet proxy, but not which. Status: assumed.
    pub model: ResnetModel,
    /// Forward pass of the whole network. Default 119 ms for ResNet-152 (batches of 128 on an A100), 0 for ResNet-50. Source:
    /// the proxies, whose ResNet-50 only communicates. Status: published.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub forward: Option<Span>,
    /// Backward pass of each bucket. Default 23.8 ms for ResNet-152, 0 for ResNet-50. Source: the same. Status: published.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub backward: Option<Span>,
    /// The computing device. Default `accelerator`. Source: ours, the proxies sleep. Status: assumed.
    pub compute_on: ComputeOn,
    /// Algorithm of the sums. Default `auto`.
    pub algorithm: AllreduceAlgorithm,
    /// A gradient. Default 4 B. Source: the proxies. Status: published.
    pub element: Size,
    /// Makes a step smaller: gradients of each bucket (rounded up) and times, including those
    /// given, are divided by it. Default 1. The number of messages stays the same, so their latency
    /// weighs more.
    #[schemars(range(min = 1))]
    pub scale: u32,
    /// Steps; endless when absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub iterations: Option<u32>,
}

impl Default for ResnetProxy {
    fn default() -> Self {
        Self {
            model: ResnetModel::default(),
            forward: None,
            backward: None,
            compute_on: ComputeOn::default(),
            algorithm: AllreduceAlgorithm::Auto,
            element: Size::bytes(4),
            scale: 1,
            iterations: None,
        }
    }
}

/// Gradients in each bucket, in the order in which they are ready. Source: the proxies. Status:
/// published.
const RESNET_152: [u64; 10] =
    [6_511_592, 6_567_936, 5_905_920, 6_113_280, 6_176_256, 6_112_768, 6_176_256, 6_112_768, 5_321_216, 5_194_816];
/// The same for ResNet-50.
const RESNET_50: [u64; 6] = [3_104_745, 4_461_568, 4_462_592, 4_986_880, 4_468_736, 4_074_560];

impl ResnetProxy {
    const fn buckets(&self) -> &'static [u64] {
        match self.model {
            ResnetModel::Resnet152 => &RESNET_152,
            ResnetModel::Resnet50 => &RESNET_50,
        }
    }

    /// Gradients of each bucket, scaled.
    fn gradients(&self) -> impl Iterator<Item = u64> {
        self.buckets().iter().map(|gradients| gradients.div_ceil(self.scale.into()))
    }

    /// Forward, and backward of each bucket, scaled.
    fn times(&self) -> (Span, Span) {
        let (forward, backward) = match self.model {
            ResnetModel::Resnet152 => (Span::micros(119_000), Span::micros(23_800)),
            ResnetModel::Resnet50 => (Span::default(), Span::default()),
        };
        let scaled = |span: Span| Span(Picoseconds(span.0.0 / u64::from(self.scale)));
        (scaled(self.forward.unwrap_or(forward)), scaled(self.backward.unwrap_or(backward)))
    }
}

impl Workload for ResnetProxy {
    fn check(&self, ranks: u32) -> Result<(), WorkloadError> {
        at_least("resnet-proxy", 1, ranks)?;
        not_zero("resnet-proxy", "scale", self.scale)?;
        let largest = self.gradients().max().unwrap_or(1);
        message_size("resnet-proxy", "element", self.element.0)?;
        let bytes = Bytes(self.element.0.0.saturating_mul(largest));
        message_size("resnet-proxy", "element * the gradients of a bucket", bytes)?;
        check_algorithm("resnet-proxy", self.algorithm)
    }

    fn program(&self, rank: RankId, ranks: u32, _seed: u64) -> Box<dyn RankProgram> {
        let (forward, backward) = self.times();
        let of_bucket = |(_, number): (&u64, u32)| [Part::Work(backward.0), Part::Launch(number)];
        let buckets = self.buckets().iter().zip(0..).flat_map(of_bucket);
        let parts = std::iter::once(Part::Work(forward.0)).chain(buckets).collect();
        let sum = |gradients| allreduce(gradients, self.element.0, self.algorithm, Group::all(ranks));
        let sums = self.gradients().map(sum).collect();
        Box::new(Script::new(rank.0, self.compute_on, parts, sums).program(self.iterations))
    }

    fn describe(&self) -> String {
        let name = match self.model {
            ResnetModel::Resnet152 => "resnet-152",
            ResnetModel::Resnet50 => "resnet-50",
        };
        let scale = if self.scale == 1 { String::new() } else { format!(" / {}", self.scale) };
        format!("{name} proxy{scale}, {}", iterations_text(self.iterations))
    }

    fn iterations(&self) -> Option<u32> {
        self.iterations
    }
}
