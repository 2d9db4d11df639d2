//! All ranks to one (or a few): endpoint congestion.

use philae_units::{Bytes, RankId};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::collective::Collective;
use crate::error::{WorkloadError, at_least, message_size, not_zero};
use crate::phase::{Idle, Motif, Phase, Phased, Tagged};
use crate::program::RankProgram;
use crate::quantity::{Size, Span};
use crate::workload::{Workload, iterations_text};

/// Operation of an origin on the target.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum IncastOperation {
    /// One-sided: MPI_Put and flush. The target does nothing.
    #[default]
    Put,
    /// Two-sided: the target receives from any sender.
    Send,
    /// One-sided, the other way: every origin reads from the target (GPCNeT's "get broadcast").
    Get,
}

/// Which ranks are the targets.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum IncastTarget {
    /// The lowest ranks (GPCNeT, SST's Ember).
    #[default]
    First,
    /// The highest ranks (Ember's MPI version).
    Last,
}

/// `incast`: every other rank writes to the target, again and again.
///
/// One iteration of an origin is a burst of `messages`, at most `window` in flight (the next window
/// begins when the last message of the previous one is complete), then a pause of
/// `gap`. With several targets, origin `i` (counted among the
/// origins) writes to target `i mod targets`. Defaults are GPCNeT's loop with the SC'20 paper's size: Put, flush, repeat.
/// Ember's motif is `operation = "send"`, `bytes = "8KiB"`, `to = "last"`, `barrier = true`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Incast {
    /// Per message. Default 128 KiB. Source: De Sensi et al., SC'20, aggressors. Status: published.
    pub bytes: Size,
    /// Default `put`. Source: GPCNeT v1.3, Put Incast. Status: published.
    pub operation: IncastOperation,
    /// Default `first`.
    pub to: IncastTarget,
    /// Number of targets. Default 1.
    pub targets: u32,
    /// Messages per burst. Default 1.
    pub messages: u32,
    /// Messages of one origin in flight. Default 1. Source: GPCNeT v1.3, a flush after each. Status: published.
    pub window: u32,
    /// Pause of each origin after its burst. Default 0.
    pub gap: Span,
    /// Whether all ranks meet in a barrier before each burst. Default false.
    pub barrier: bool,
    /// Endless when absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub iterations: Option<u32>,
}

impl Default for Incast {
    fn default() -> Self {
        Self {
            bytes: Size::kib(128),
            operation: IncastOperation::Put,
            to: IncastTarget::First,
            targets: 1,
            messages: 1,
            window: 1,
            gap: Span::default(),
            barrier: false,
            iterations: None,
        }
    }
}

impl Workload for Incast {
    fn check(&self, ranks: u32) -> Result<(), WorkloadError> {
        let workload = "incast";
        message_size(workload, "bytes", self.bytes.0)?;
        not_zero(workload, "targets", self.targets)?;
        not_zero(workload, "messages", self.messages)?;
        not_zero(workload, "window", self.window)?;
        if self.window > self.messages {
            let (window, messages) = (self.window, self.messages);
            return Err(WorkloadError::Contradiction {
                workload,
                problem: format!("`window` is {window}, and no more than the {messages} of `messages` are in flight"),
                remedy: "a smaller `window`, or at least as many `messages`, would work",
            });
        }
        at_least(workload, self.targets.saturating_add(1), ranks)
    }

    fn program(&self, rank: RankId, ranks: u32, _seed: u64) -> Box<dyn RankProgram> {
        let origins = ranks - self.targets;
        let (target, index) = match self.to {
            IncastTarget::First if rank.0 < self.targets => (true, rank.0),
            IncastTarget::First => (false, rank.0 - self.targets),
            IncastTarget::Last if rank.0 >= origins => (true, rank.0 - origins),
            IncastTarget::Last => (false, rank.0),
        };
        let barrier = self.barrier.then_some((rank.0, ranks));
        if !target {
            let first = if self.to == IncastTarget::First { 0 } else { origins };
            let motif = Origin { spec: self.clone(), to: first + index % self.targets, barrier };
            return Box::new(Phased::new(motif, self.iterations));
        }
        let receives = self.operation == IncastOperation::Send;
        if !receives && !self.barrier {
            return Box::new(Idle);
        }
        let my_origins = origins / self.targets + u32::from(index < origins % self.targets);
        let messages = if receives { u64::from(my_origins) * u64::from(self.messages) } else { 0 };
        Box::new(Phased::new(Target { bytes: self.bytes.0, messages, barrier }, self.iterations))
    }

    fn describe(&self) -> String {
        let operation = match self.operation {
            IncastOperation::Put => "put",
            IncastOperation::Send => "send",
            IncastOperation::Get => "get",
        };
        format!("incast by {operation} {}, {}", self.bytes.0, iterations_text(self.iterations))
    }

    fn iterations(&self) -> Option<u32> {
        self.iterations
    }
}

/// Barrier steps, then windows, then the pause.
struct Origin {
    spec: Incast,
    to: u32,
    barrier: Option<(u32, u32)>,
}

impl Motif for Origin {
    fn step(&mut self, iteration: u32, step: u32, phase: &mut Phase) -> bool {
        let Some(step) = barrier_step(self.barrier, iteration, step, phase) else { return true };
        let windows = self.spec.messages.div_ceil(self.spec.window);
        if step > windows {
            return false;
        }
        if step == windows {
            phase.compute(self.spec.gap.0);
            return true;
        }
        let sent = step * self.spec.window;
        for _ in sent..self.spec.messages.min(sent.saturating_add(self.spec.window)) {
            let (to, bytes) = (self.to, self.spec.bytes.0);
            match self.spec.operation {
                IncastOperation::Put => phase.put(to, bytes),
                IncastOperation::Send => phase.send(to, bytes, message_tag(iteration)),
                IncastOperation::Get => phase.get(to, bytes),
            }
        }
        true
    }
}

/// Barrier steps, then receives from anyone, in batches.
struct Target {
    bytes: Bytes,
    messages: u64,
    barrier: Option<(u32, u32)>,
}

impl Target {
    /// Receives posted together: all of a GPCNeT-sized incast, and a bound for larger ones. Source:
    /// ours. Status: assumed; GPCNeT posts one per origin, so a smaller bound would matter only to
    /// unexpected-message handling.
    const RECEIVES_MAX: u64 = 1_024;
}

impl Motif for Target {
    fn step(&mut self, iteration: u32, step: u32, phase: &mut Phase) -> bool {
        let Some(step) = barrier_step(self.barrier, iteration, step, phase) else { return true };
        let received = u64::from(step) * Self::RECEIVES_MAX;
        if received >= self.messages {
            return false;
        }
        for _ in received..self.messages.min(received + Self::RECEIVES_MAX) {
            phase.recv_any(self.bytes, message_tag(iteration));
        }
        true
    }
}

/// The barrier's part of `step`. None if the barrier took the step, otherwise the step counted from
/// its end.
fn barrier_step(barrier: Option<(u32, u32)>, iteration: u32, step: u32, phase: &mut Phase) -> Option<u32> {
    let Some((rank, ranks)) = barrier else { return Some(step) };
    let steps = Collective::BARRIER.steps(ranks);
    if step >= steps {
        return Some(step - steps);
    }
    let mut out = Tagged { phase, first_tag: iteration.wrapping_mul(TAGS) };
    Collective::BARRIER.step(rank, ranks, step, &mut out);
    None
}

/// Tags per iteration: 0 to 31 for the barrier's steps, 32 for the messages.
const TAGS: u32 = 64;

const fn message_tag(iteration: u32) -> u32 {
    iteration.wrapping_mul(TAGS).wrapping_add(32)
}
