//! The work of one rank of a transformer in a step.

use philae_units::{Bytes, Picoseconds};

use super::schedule::{Messages, PipelineSchedule, Slot};
use super::{TensorCollective, Transformer};
use crate::activity::Activity;
use crate::application::training::{ComputeOn, allreduce};
use crate::collective::{
    AllgatherAlgorithm, AllreduceAlgorithm, Alltoall, BlockSizes, Collective, Group, GroupCollective,
    ReduceScatterAlgorithm,
};
use crate::overlap::{ConcurrentMotif, Turn};
use crate::phase::Phase;
use crate::quantity::Size;

/// Gradients of one kind on one rank, in buckets that ignore layer bounds. The last one may be
/// smaller.
#[derive(Clone, Debug)]
pub(super) struct Gradients {
    /// Gradients per layer.
    pub of_layer: u64,
    /// Layers of the stage.
    pub layers: u32,
    /// Gradients per bucket.
    pub in_bucket: u64,
    /// The ranks that sum them.
    pub group: Group,
}

impl Gradients {
    fn all(&self) -> u64 {
        self.of_layer * u64::from(self.layers)
    }

    /// Number of buckets.
    pub fn buckets(&self) -> u64 {
        self.all().div_ceil(self.in_bucket)
    }

    /// Buckets that are full, or hold the last gradients, when the backward pass has finished this
    /// many layers.
    fn ready(&self, layers: u32) -> u64 {
        if layers >= self.layers { self.buckets() } else { self.of_layer * u64::from(layers) / self.in_bucket }
    }

    /// Gradients in a bucket.
    fn elements(&self, bucket: u64) -> u64 {
        self.in_bucket.min(self.all() - bucket * self.in_bucket)
    }
}

/// A piece of a layer's pass, in the order of the forward pass.
#[derive(Clone, Copy, Debug)]
enum Piece {
    /// The tensor group gathers its parts of the sequence.
    Gather,
    Work(&'static str, Picoseconds),
    /// The tensor group's sums.
    Sum,
    /// Tokens to their experts, or back.
    Experts,
}

/// The main line of a rank, and the concurrent sums of its gradients.
pub(super) struct StageLine {
    rank: u32,
    compute_on: ComputeOn,
    schedule: PipelineSchedule,
    micro_batches: u32,
    /// This rank's stage, and the number of stages.
    stage: u32,
    stages: u32,
    /// Ranks from one stage to the next.
    stage_stride: u32,
    stage_bytes: Bytes,
    layers: u32,
    overlap: bool,
    algorithm: AllreduceAlgorithm,
    element: Bytes,
    forward: Vec<Piece>,
    backward: Vec<Piece>,
    gather: GroupCollective,
    sum: GroupCollective,
    experts: GroupCollective,
    /// Those of all replicas, and those of experts.
    gradients: [Gradients; 2],
    at: Place,
    /// Collectives of the main line so far (wrapping): members of a group have the same number.
    collectives: u32,
    /// The activity of the main line's last step: a pass or messages, and a piece of a layer.
    doing: (Activity, Option<Activity>),
    /// The sum in progress next to the main line, by its number.
    bucket: Option<(u32, GroupCollective)>,
}

/// The position of the main line.
#[derive(Clone, Copy, Debug, Default)]
struct Place {
    slot: u32,
    layer: u32,
    piece: usize,
    /// Step of a collective.
    inner: u32,
    /// Buckets of each kind that have been launched.
    launched: [u64; 2],
    /// Layers that the last backward pass has finished.
    finished: u32,
}

/// Attention's share of the weights, and so of the time: 4 of 12 squares of the width. Source: the
/// architecture, without the products of queries and keys. Status: derived.
const fn attention(time: Picoseconds) -> Picoseconds {
    Picoseconds(time.0 / 3)
}

impl StageLine {
    pub fn new(spec: &Transformer, rank: u32, ranks: u32) -> Self {
        let tensor = Group::around(rank, 1, spec.tensor).expect("a tensor group has ranks of the job");
        let expert = Group::around(rank, spec.tensor, spec.expert).expect("an expert group has ranks of the job");
        let on = |collective, group: &Group| {
            GroupCollective::new(collective, group.clone()).expect("even blocks suit every group")
        };
        let part = BlockSizes::Even(spec.bytes(spec.activations() / u64::from(spec.tensor)));
        let gather = Collective::Allgather { algorithm: AllgatherAlgorithm::Ring, blocks: part.clone() };
        let sum = match spec.tensor_collective {
            TensorCollective::Allreduce => {
                allreduce(spec.activations(), spec.element.0, spec.algorithm, tensor.clone())
            }
            TensorCollective::SequenceParallel => {
                on(Collective::ReduceScatter { algorithm: ReduceScatterAlgorithm::Pairwise, blocks: part }, &tensor)
            }
        };
        let tokens = Alltoall { bytes: Size(spec.expert_bytes()), ..Alltoall::default() };
        let stage_stride = spec.tensor * spec.expert * spec.data(ranks);
        Self {
            rank,
            compute_on: spec.compute_on,
            schedule: spec.schedule,
            micro_batches: spec.micro_batches,
            stage: rank / stage_stride,
            stages: spec.pipeline,
            stage_stride,
            stage_bytes: spec.stage_bytes(),
            layers: spec.stage_layers(),
            overlap: spec.overlap,
            algorithm: spec.algorithm,
            element: spec.element.0,
            forward: pieces(spec, spec.forward.0, false),
            backward: pieces(spec, spec.backward.0, true),
            gather: on(gather, &tensor),
            sum,
            experts: on(tokens.collective(spec.expert), &expert),
            gradients: spec.buckets(rank, ranks),
            at: Place::default(),
            collectives: 0,
            doing: (Activity::new("step", 0), None),
            bucket: None,
        }
    }

    fn slot(&self) -> Option<Slot> {
        self.schedule.slot(self.at.slot, self.stage, self.stages, self.micro_batches)
    }

    fn next_slot(&mut self) {
        self.at = Place {
            slot: self.at.slot + 1,
            launched: self.at.launched,
            finished: self.at.finished,
            ..Place::default()
        };
    }

    /// The next step of a layer's pass; `None` when the pass is over.
    fn pass(&mut self, is_last_backward: bool, backwards: bool, phase: &mut Phase) -> Option<Turn> {
        while self.at.layer < self.layers {
            let pieces = if backwards { &self.backward } else { &self.forward };
            let Some(piece) = pieces.get(self.at.piece).copied() else {
                (self.at.layer, self.at.piece) = (self.at.layer + 1, 0);
                self.at.finished += u32::from(is_last_backward);
                if let Some(turn) = self.launch_due() {
                    return Some(turn);
                }
                continue;
            };
            let (collective, group) = match piece {
                Piece::Work(part, time) => {
                    self.at.piece += 1;
                    self.doing.1 = Some(Activity::new(part, self.at.layer));
                    self.compute_on.add(time, phase);
                    return Some(Turn::Phase);
                }
                Piece::Gather => (&self.gather, "tensor"),
                Piece::Sum => (&self.sum, "tensor"),
                Piece::Experts => (&self.experts, "expert"),
            };
            if self.at.inner < collective.steps() {
                let name = collective.collective().name();
                self.doing.1 = Some(Activity::new(name, self.collectives).among(group));
                collective.step(self.rank, self.at.inner, tag(Kind::Main, self.collectives), phase);
                self.at.inner += 1;
                return Some(Turn::Phase);
            }
            (self.at.piece, self.at.inner) = (self.at.piece + 1, 0);
            self.collectives = self.collectives.wrapping_add(1);
        }
        None
    }

    /// Launches a bucket that is ready, if there is one.
    fn launch_due(&mut self) -> Option<Turn> {
        let layers = if self.overlap || self.at.finished >= self.layers { self.at.finished } else { 0 };
        for kind in 0..2 {
            let bucket = self.at.launched[kind];
            if bucket < self.gradients[kind].ready(layers) {
                self.at.launched[kind] += 1;
                return Some(Turn::Launch(bucket as u32 * 2 + kind as u32));
            }
        }
        None
    }

    /// Messages with the stages before and after, if these exist.
    fn exchange(&self, messages: Messages, iteration: u32, phase: &mut Phase) {
        let before = self.rank.checked_sub(self.stage_stride);
        let after = (self.stage + 1 < self.stages).then(|| self.rank + self.stage_stride);
        let tag =
            |kind, micro: u32| tag_of_message(kind, iteration.wrapping_mul(self.micro_batches).wrapping_add(micro));
        let receives = [(before, messages.input, Kind::Forward), (after, messages.gradient_in, Kind::Backward)];
        for (from, micro, kind) in receives {
            if let (Some(from), Some(micro)) = (from, micro) {
                phase.recv(from, self.stage_bytes, tag(kind, micro));
            }
        }
        let sends = [(after, messages.output, Kind::Forward), (before, messages.gradient_out, Kind::Backward)];
        for (to, micro, kind) in sends {
            if let (Some(to), Some(micro)) = (to, micro) {
                phase.send(to, self.stage_bytes, tag(kind, micro));
            }
        }
    }
}

/// The pieces of a layer's pass on one rank.
fn pieces(spec: &Transformer, time: Picoseconds, backwards: bool) -> Vec<Piece> {
    let is_split = spec.tensor_collective == TensorCollective::SequenceParallel;
    let block = |part, work, has_experts: bool| {
        let gather = is_split.then_some(Piece::Gather);
        let experts = has_experts.then_some(Piece::Experts);
        [gather, experts, Some(Piece::Work(part, work)), Some(Piece::Sum), experts]
    };
    let perceptron = block("perceptron", Picoseconds(time.0 - attention(time).0), spec.expert > 1);
    let blocks = [block("attention", attention(time), false), perceptron];
    let in_order = if backwards { [1, 0] } else { [0, 1] };
    in_order.into_iter().flat_map(|block| blocks[block]).flatten().collect()
}

/// The kind of a tag.
#[derive(Clone, Copy, Debug)]
enum Kind {
    Forward,
    Backward,
    Main,
    Bucket,
}

/// The first tag of a collective: 2^16 tags each, and 2^14 of them before they repeat.
const fn tag(kind: Kind, number: u32) -> u32 {
    ((kind as u32) << 30) | ((number & 0x3fff) << 16)
}

/// The tag of a message between stages.
const fn tag_of_message(kind: Kind, number: u32) -> u32 {
    ((kind as u32) << 30) | (number & 0x3fff_ffff)
}

impl ConcurrentMotif for StageLine {
    fn turn(&mut self, iteration: u32, step: u32, phase: &mut Phase) -> Turn {
        if step == 0 {
            self.at = Place::default();
        }
        loop {
            if let Some(turn) = self.launch_due() {
                return turn;
            }
            match self.slot() {
                None => return Turn::End,
                Some(Slot::Messages(messages)) => {
                    self.doing = (Activity::new("messages", self.at.slot).among("pipeline"), None);
                    self.exchange(messages, iteration, phase);
                    self.next_slot();
                    return Turn::Phase;
                }
                Some(Slot::Forward(micro)) => {
                    self.doing.0 = Activity::new("forward", micro);
                    if let Some(turn) = self.pass(false, false, phase) {
                        return turn;
                    }
                }
                Some(Slot::Backward(micro)) => {
                    self.doing.0 = Activity::new("backward", micro);
                    if let Some(turn) = self.pass(micro + 1 == self.micro_batches, true, phase) {
                        return turn;
                    }
                }
            }
            self.next_slot();
        }
    }

    fn task(&mut self, iteration: u32, task: u32, step: u32, phase: &mut Phase) -> bool {
        if step == 0 || self.bucket.as_ref().is_none_or(|(number, _)| *number != task) {
            let gradients = &self.gradients[(task % 2) as usize];
            let elements = gradients.elements(u64::from(task / 2));
            let sum = allreduce(elements, self.element, self.algorithm, gradients.group.clone());
            self.bucket = Some((task, sum));
        }
        let Some((_, sum)) = &self.bucket else { return false };
        if step >= sum.steps() {
            return false;
        }
        let buckets = 2 * self.gradients.iter().map(Gradients::buckets).max().unwrap_or(0) as u32;
        let number = iteration.wrapping_mul(buckets).wrapping_add(task);
        sum.step(self.rank, step, tag(Kind::Bucket, number), phase);
        true
    }

    fn activity(&self, task: Option<u32>, add: &mut dyn FnMut(Activity)) {
        if let Some(task) = task {
            let of = if task.is_multiple_of(2) { "gradients" } else { "gradients of experts" };
            return add(Activity::new("allreduce", task / 2).among(of));
        }
        add(self.doing.0);
        self.doing.1.into_iter().for_each(add);
    }
}
