//! Layers of a training step, as SimAI writes them for ASTRA-sim: computation and collective
//! operations of each layer.
//!
//! Source: the header keys and the twelve columns of aliyun/SimAI's examples; the parallelisms of
//! ASTRA-sim 1 (astra-sim/astra-sim, branch ASTRA-sim-1.0), whose files leave the number of ranks
//! to the network; ASTRA-sim's order of a step whose forward pass is done within the backward pass.
//! Every rank goes through all layers. Forward it goes in order (compute, then communicate),
//! backward in reverse order: weight gradients, whose communication overlaps the next steps, then
//! input gradients with theirs. Then it waits for the weight gradients and updates. Times are
//! nanoseconds. Ranks are numbered tensor-parallel first, then data-parallel, then by stage of the
//! pipeline. The size of an operation is that of the whole buffer: for an allgather, the result of
//! each rank. Nothing is stored per rank and layer.

use std::collections::BTreeSet;
use std::sync::Arc;

use philae_units::{Bytes, Picoseconds, counted};
use philae_workload::{Action, Activities, Group, GroupError, MESSAGE_BYTES_MAX, Op, OpHandle, Progress, RankProgram};

use crate::call::{COLLECTIVE_TAG, CallKind, RankCall, cut};
use crate::error::{TraceError, quoted};
use crate::format::TraceFormat;
use crate::runner::Slots;
use crate::schedule::{RankWork, Totals, TraceSchedule};
use crate::task::{RANK_TIME_MAX, RANKS_MAX};
use crate::text::{LineWords, Text, TraceLine};

/// The layers of all ranks.
#[derive(Debug)]
pub(crate) struct LayerPlan {
    /// Number of ranks.
    pub ranks: u32,
    tensor: u32,
    data: u32,
    expert: u32,
    layers: Vec<Layer>,
}

#[derive(Debug)]
struct Layer {
    forward: Pass,
    input_gradient: Pass,
    weight_gradient: Pass,
    update: Picoseconds,
}

/// Computation, then communication.
#[derive(Clone, Copy, Debug)]
struct Pass {
    compute: Picoseconds,
    communicate: Option<Communication>,
}

#[derive(Clone, Copy, Debug)]
struct Communication {
    kind: Kind,
    among: Among,
    bytes: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    AllReduce,
    AllGather,
    ReduceScatter,
    AllToAll,
}

/// The ranks that communicate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Among {
    /// Those that share a layer's tensors.
    Tensor,
    /// Those with the same part of the tensors and different data.
    Data,
    /// Those that divide the experts.
    Expert,
    /// Those with the same experts and different data.
    DataOfExpert,
}

/// Reads a file. `ranks` is the number of the job's ranks, for files that do not give it.
pub(crate) fn read(file: &str, bytes: &[u8], ranks: Option<u32>) -> Result<TraceSchedule, TraceError> {
    let text = Text::new(file, bytes)?;
    let mut lines = text.lines().filter(|line| !line.text.trim().is_empty());
    let missing = |what: &str| TraceError::whole(file, "the end of the file", what);
    let head = Header::read(lines.next().ok_or_else(|| missing("a line with the parallelism"))?)?;
    let (mut plan, mut warnings) = head.plan(ranks)?;
    let line = lines.next().ok_or_else(|| missing("the number of layers"))?;
    let mut words = line.words();
    let count = words.number("the number of layers", 10_000_000)?;
    words.end()?;
    let (mut time, mut left) = (0_u64, 0);
    for line in lines {
        let is_own = head.parallelism == Parallelism::Customized;
        let (layer, alone) = layer(line, head.among(plan.layers.is_empty()), is_own)?;
        left += alone;
        for pass in [&layer.forward, &layer.input_gradient, &layer.weight_gradient] {
            time = time.saturating_add(pass.compute.0);
        }
        time = time.saturating_add(layer.update.0);
        if time > RANK_TIME_MAX.0 {
            return Err(line.error("endless computation", format!("at most {RANK_TIME_MAX} in all layers")));
        }
        plan.layers.push(layer);
    }
    if plan.layers.len() as u64 != count {
        return Err(TraceError::whole(file, format!("{} layers", plan.layers.len()), format!("{count}, as in line 2")));
    }
    if left > 0 {
        warnings
            .push(format!("{} ignored: the parallelism of the layer has no ranks for it", counted(left, "operation")));
    }
    if plan.ranks > plan.tensor * plan.data {
        warnings.push("messages between pipeline stages are ignored: the file's layers do not contain them".to_owned());
    }
    warnings.extend(text.open_end());
    let sized = head.all.is_some();
    Ok(TraceSchedule { format: TraceFormat::SimAi, body: RankWork::Layers(Arc::new(plan)), warnings, rated: 0, sized })
}

/// The division of the work among ranks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Parallelism {
    /// In groups that share tensors, with different data in each group.
    Transformer,
    /// Each rank has all tensors.
    Data,
    /// All ranks share the tensors.
    Model,
    /// Each rank has all tensors except those of the first layer.
    Recommendation,
    /// By the last column of each layer.
    Customized,
    /// In groups that are a dimension of ASTRA-sim's network.
    OfNetwork,
}

/// Parallelisms by the names at the beginning of a file.
const PARALLELISMS: [(&str, Parallelism); 11] = [
    ("HYBRID_TRANSFORMER_FWD_IN_BCKWD", Parallelism::Transformer),
    ("HYBRID_TRANSFORMER", Parallelism::Transformer),
    ("DATA", Parallelism::Data),
    ("MICRO", Parallelism::Data),
    ("MODEL", Parallelism::Model),
    ("DISTRIBUTED_INFERENCE", Parallelism::Model),
    ("HYBRID_DLRM", Parallelism::Recommendation),
    ("HYBRID_DLRM_ENHANCED", Parallelism::Recommendation),
    ("HYBRID_CUSTOMIZED", Parallelism::Customized),
    ("HYBRID_DATA_MODEL", Parallelism::OfNetwork),
    ("HYBRID_MODEL_DATA", Parallelism::OfNetwork),
];

/// Whether a file may begin with this word.
pub(crate) fn is_parallelism(word: &str) -> bool {
    PARALLELISMS.iter().any(|(name, _)| *name == word)
}

/// `HYBRID_TRANSFORMER_FWD_IN_BCKWD model_parallel_NPU_group: 8 ep: 1 pp: 1 vpp: 8 ga: 1 all_gpus:
/// 8 ...`
struct Header<'a> {
    line: TraceLine<'a>,
    parallelism: Parallelism,
    tensor: u32,
    expert: u32,
    stages: u32,
    all: Option<u32>,
    warnings: Vec<String>,
}

impl<'a> Header<'a> {
    fn read(line: TraceLine<'a>) -> Result<Self, TraceError> {
        let known = || PARALLELISMS.map(|(name, _)| name).join(", ");
        let mut words = line.words();
        let kind = words.expect(&known())?;
        let Some((_, parallelism)) = PARALLELISMS.into_iter().find(|(name, _)| *name == kind) else {
            return Err(words.wrong(&known()));
        };
        let mut head = Self { line, parallelism, tensor: 1, expert: 1, stages: 1, all: None, warnings: Vec::new() };
        match parallelism {
            Parallelism::OfNetwork => {
                let expected = "a parallelism with groups of ranks that share tensors; here it is a dimension of ASTRA-sim's network";
                return Err(words.wrong(expected));
            }
            Parallelism::Transformer => head.keys(&mut words)?,
            Parallelism::Recommendation => {
                words.number("the number of the last layer at the bottom", 10_000_000)?;
                head.warnings.push(
                    "ranks wait for the first layer's exchange immediately, not at the beginning of the top layers"
                        .to_owned(),
                );
                words.end()?;
            }
            _ => words.end()?,
        }
        Ok(head)
    }

    fn keys(&mut self, words: &mut LineWords) -> Result<(), TraceError> {
        let line = self.line;
        let mut seen = BTreeSet::new();
        let mut pending = words.next();
        while let Some(word) = pending.take().or_else(|| words.next()) {
            let key = word.trim_end_matches(':');
            if !seen.insert(key.to_owned()) {
                return Err(line.error(format!("a second `{key}`"), "each key of the header once"));
            }
            let value = words.number(&format!("the value of {key}"), u64::from(u32::MAX) * 1_000_000)?;
            let counted = || match u32::try_from(value) {
                Ok(count @ 1..=RANKS_MAX) => Ok(count),
                _ => Err(line.error(format!("{key}: {value}"), format!("1 to {RANKS_MAX}"))),
            };
            match key {
                "model_parallel_NPU_group" => self.tensor = counted()?,
                "ep" => self.expert = counted()?,
                "pp" => self.stages = counted()?,
                "all_gpus" => self.all = Some(counted()?),
                // The file lists the layers as often as these say.
                "vpp" | "ga" | "pp_comm" => {}
                "checkpoints" | "checkpoint_initiates" => {
                    if value > 0 {
                        self.warnings.push(format!("{key} {value}: recomputation is ignored"));
                    }
                    // In ASTRA-sim's files this many layers follow the number.
                    for _ in 0..value {
                        pending = words.next();
                        if pending.is_none_or(|word| word.parse::<u32>().is_err()) {
                            break;
                        }
                        pending = None;
                    }
                }
                _ => self.warnings.push(format!("the header's unknown key {key} is ignored")),
            }
        }
        Ok(())
    }

    /// The ranks that communicate in the passes of a layer that names no others: forward and input
    /// gradients, weight gradients.
    const fn among(&self, is_first: bool) -> (Option<Among>, Option<Among>) {
        match self.parallelism {
            Parallelism::Transformer => (Some(Among::Tensor), Some(Among::Data)),
            Parallelism::Model => (Some(Among::Tensor), None),
            Parallelism::Recommendation if is_first => (Some(Among::Data), Some(Among::Data)),
            _ => (None, Some(Among::Data)),
        }
    }

    fn plan(&self, of_job: Option<u32>) -> Result<(LayerPlan, Vec<String>), TraceError> {
        let line = self.line;
        let Some(ranks) = self.all.or(of_job) else {
            let expected = "`all_gpus:` with the number of ranks, or a job that has them: a number of nodes, --ranks of `trace info`";
            return Err(line.error("no number of ranks", expected));
        };
        let tensor = if self.parallelism == Parallelism::Model { ranks } else { self.tensor };
        let (stages, expert) = (self.stages, self.expert);
        let per_stage = u64::from(tensor) * u64::from(stages);
        if u64::from(ranks) % per_stage != 0 {
            let found = format!("{ranks} ranks, {tensor} tensor-parallel and {stages} stages");
            return Err(line.error(found, "a number of ranks that both together divide"));
        }
        let data = (u64::from(ranks) / per_stage) as u32;
        if !data.is_multiple_of(expert) {
            return Err(line.error(format!("ep: {expert}"), format!("a divisor of the {data} data-parallel ranks")));
        }
        Ok((LayerPlan { ranks, tensor, data, expert, layers: Vec::new() }, self.warnings.clone()))
    }
}

/// Parses the twelve columns of a layer, and a thirteenth if each layer has a parallelism of its
/// own. Also returns how many of its operations are among no ranks.
fn layer(line: TraceLine, among: (Option<Among>, Option<Among>), has_own: bool) -> Result<(Layer, u64), TraceError> {
    let mut words = line.words();
    words.expect("the name of a layer")?;
    words.expect("a dependency, -1 for none")?;
    let own = line.text.split_whitespace().nth(12).filter(|_| has_own);
    let (of_tensor, of_data) = match own {
        _ if !has_own => among,
        // All ranks belong to the job: either all of them share tensors, or none.
        Some("DATA" | "MICRO") => (None, Some(Among::Data)),
        Some("MODEL") => (Some(Among::Data), None),
        Some("ALL") => (Some(Among::Data), Some(Among::Data)),
        other => {
            let expected = "DATA or MODEL: other parallelisms of a layer are dimensions of ASTRA-sim's network";
            return Err(line.error(other.map_or("the end of the line".to_owned(), quoted), expected));
        }
    };
    let mut alone = 0;
    let mut pass = |time: &str, default: Option<Among>| -> Result<Pass, TraceError> {
        let compute = Picoseconds::from_nanos(words.number(time, RANK_TIME_MAX.0 / 1_000)?);
        let name = words.expect("a collective operation, or NONE")?;
        let named = communication(name).ok_or_else(|| {
            line.error(quoted(name), "NONE, ALLREDUCE, ALLGATHER, REDUCESCATTER or ALLTOALL, with _EP or _DP_EP or not")
        })?;
        let bytes = words.number("bytes", MESSAGE_BYTES_MAX.0)?;
        let communicate = named.filter(|_| bytes > 0).and_then(|(kind, among)| {
            let among = among.or(default);
            alone += u64::from(among.is_none());
            Some(Communication { kind, among: among?, bytes })
        });
        Ok(Pass { compute, communicate })
    };
    let forward = pass("time of the forward pass in ns", of_tensor)?;
    let input_gradient = pass("time of the input gradients in ns", of_tensor)?;
    let weight_gradient = pass("time of the weight gradients in ns", of_data)?;
    let update = Picoseconds::from_nanos(words.number("time of the update in ns", RANK_TIME_MAX.0 / 1_000)?);
    if has_own {
        words.next();
    }
    words.end()?;
    Ok((Layer { forward, input_gradient, weight_gradient, update }, alone))
}

/// The meaning of a name such as `ALLTOALL_EP`: nothing, or an operation, with its ranks if the
/// name gives them. None for other names.
fn communication(name: &str) -> Option<Option<(Kind, Option<Among>)>> {
    if name == "NONE" {
        return Some(None);
    }
    let (kind, among) = match name.split_once('_') {
        None => (name, None),
        Some((kind, "EP")) => (kind, Some(Among::Expert)),
        Some((kind, "DP_EP")) => (kind, Some(Among::DataOfExpert)),
        Some(_) => return None,
    };
    let kind = match kind {
        "ALLREDUCE" => Kind::AllReduce,
        "ALLGATHER" => Kind::AllGather,
        "REDUCESCATTER" => Kind::ReduceScatter,
        "ALLTOALL" => Kind::AllToAll,
        _ => return None,
    };
    Some(Some((kind, among)))
}

impl LayerPlan {
    /// Adds the totals of the layers.
    pub fn add_totals(&self, totals: &mut Totals) {
        let ranks = u64::from(self.ranks);
        totals.tasks = ranks * self.layers.len() as u64;
        for pass in self.layers.iter().flat_map(|layer| [&layer.forward, &layer.input_gradient, &layer.weight_gradient])
        {
            totals.computes += ranks * u64::from(pass.compute > Picoseconds::ZERO);
            totals.calls += ranks * u64::from(pass.communicate.is_some());
        }
    }

    /// The ranks that `rank` communicates with.
    fn group(&self, rank: u32, among: Among) -> Result<Group, GroupError> {
        match among {
            Among::Tensor => Group::around(rank, 1, self.tensor),
            Among::Data => Group::around(rank, self.tensor, self.data),
            Among::Expert => Group::around(rank, self.tensor, self.expert),
            Among::DataOfExpert => Group::around(rank, self.tensor * self.expert, self.data / self.expert),
        }
    }

    fn part(&self, rank: u32, of: Communication, first_tag: u32) -> RankCall {
        let group = self.group(rank, of.among).expect("the header's numbers divide its ranks");
        let size = group.members();
        let kind = match of.kind {
            Kind::AllReduce => CallKind::AllReduce(Bytes(of.bytes)),
            Kind::AllGather => CallKind::AllGather(cut(of.bytes, size)),
            Kind::ReduceScatter => CallKind::ReduceScatter(cut(of.bytes, size)),
            Kind::AllToAll => CallKind::AllToAll(Bytes(of.bytes.div_ceil(u64::from(size)))),
        };
        let collective = kind.among("layers", group).expect("no operation of a layer has a root or sizes of its own");
        RankCall::new(collective, rank, first_tag)
    }

    /// The program of a rank.
    pub fn program(self: &Arc<Self>, rank: u32) -> Box<dyn RankProgram> {
        Box::new(LayerProgram {
            plan: Arc::clone(self),
            rank,
            next: 0,
            tags: 0,
            slots: Slots::default(),
            computing: false,
            parts: Vec::new(),
        })
    }

    /// The pass number `number` of a step, and whether the next steps wait for its communication;
    /// `None` after the last one.
    fn pass(&self, number: usize) -> Option<(Pass, bool)> {
        let layers = self.layers.len();
        if number < layers {
            return Some((self.layers[number].forward, true));
        }
        let back = number - layers;
        let layer = &self.layers[layers.checked_sub(1 + back / 2)?];
        Some(if back.is_multiple_of(2) { (layer.weight_gradient, false) } else { (layer.input_gradient, true) })
    }
}

/// Goes through the passes.
#[derive(Debug)]
struct LayerProgram {
    plan: Arc<LayerPlan>,
    rank: u32,
    /// Computation and communication of each pass are two stages.
    next: usize,
    tags: u32,
    slots: Slots,
    computing: bool,
    /// Communication in progress, each with whether the next steps wait for it; a slot's number is
    /// a place in this list.
    parts: Vec<Option<(RankCall, bool)>>,
}

/// Means computation, in place of the number of a communication.
const COMPUTATION: u32 = u32::MAX;

impl LayerProgram {
    fn compute(&mut self, time: Picoseconds, actions: &mut Vec<Action>) {
        if time > Picoseconds::ZERO {
            self.computing = true;
            actions.push(Action::Start(self.slots.take(COMPUTATION), Op::Compute { time }));
        }
    }

    /// Starts the next messages of a part; drops it if there are none left.
    fn go_on(&mut self, place: usize, actions: &mut Vec<Action>) {
        let Some((part, _)) = &mut self.parts[place] else { return };
        match part.next_step() {
            Some(ops) => {
                for op in ops {
                    actions.push(Action::Start(self.slots.take(place as u32), op));
                }
            }
            None => self.parts[place] = None,
        }
    }

    fn waits(&self) -> bool {
        self.computing || self.parts.iter().flatten().any(|(_, waited_for)| *waited_for)
    }

    /// Takes stages until it must wait. Returns true if none is left.
    fn proceed(&mut self, actions: &mut Vec<Action>) -> bool {
        while !self.waits() {
            let stage = self.next;
            let Some((pass, waited_for)) = self.plan.pass(stage / 2) else {
                if self.parts.iter().any(Option::is_some) {
                    return false;
                }
                let passes = 3 * self.plan.layers.len();
                if stage > 2 * passes {
                    return true;
                }
                self.next = 2 * passes + 1;
                let update = self.plan.layers.iter().map(|layer| layer.update.0).sum();
                self.compute(Picoseconds(update), actions);
                continue;
            };
            self.next += 1;
            if stage.is_multiple_of(2) {
                self.compute(pass.compute, actions);
            } else if let Some(communicate) = pass.communicate {
                let part = self.plan.part(self.rank, communicate, self.tags | COLLECTIVE_TAG);
                self.tags = self.tags.wrapping_add(part.steps()) & !COLLECTIVE_TAG;
                let free = self.parts.iter().position(Option::is_none);
                let place = free.unwrap_or_else(|| {
                    self.parts.push(None);
                    self.parts.len() - 1
                });
                self.parts[place] = Some((part, waited_for));
                self.go_on(place, actions);
            }
        }
        false
    }
}

impl RankProgram for LayerProgram {
    fn advance(&mut self, completed: Option<OpHandle>, actions: &mut Vec<Action>) -> Progress {
        match completed.map(|handle| self.slots.give_back(handle)) {
            None => actions.push(Action::IterationStart(0)),
            Some(COMPUTATION) => self.computing = false,
            Some(place) => {
                let place = place as usize;
                if self.parts[place].as_mut().is_some_and(|(part, _)| part.completed_one()) {
                    self.go_on(place, actions);
                }
            }
        }
        if self.proceed(actions) {
            actions.push(Action::IterationEnd(0));
            return Progress::Finished;
        }
        Progress::Running
    }

    fn activities(&self, report: &mut Activities) {
        // The next steps wait for at most one of them: that is the main line.
        for (part, line) in self.parts.iter().zip(1..) {
            if let Some((part, waited_for)) = part {
                report.push((if *waited_for { 0 } else { line }, part.activity(self.next as u32)));
            }
        }
    }
}
