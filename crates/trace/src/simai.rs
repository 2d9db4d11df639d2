//! Layers of a training step, as SimAI writes them for ASTRA-sim: computation and collective operations of each layer.
//!
//! Source: the header keys and the twelve columns of aliyun/SimAI's examples; ASTRA-sim's order of a step whose forward
//! pass is done within the backward pass. Every rank goes through all layers: forward in order (compute, then
//! communicate), backward in reverse order (weight gradients, whose communication goes on beside what follows, then input
//! gradients with theirs), then it waits for the weight gradients and updates. Times are nanoseconds. Ranks are numbered
//! tensor-parallel first, then data-parallel, then by stage of the pipeline. The size of an operation is that of the whole
//! buffer: of an allgather, what everybody ends with. Nothing is stored per rank and layer.

use std::sync::Arc;

use philae_units::{Bytes, Picoseconds};
use philae_workload::{Action, Activities, Group, GroupError, MESSAGE_BYTES_MAX, Op, OpHandle, Progress, RankProgram};

use crate::call::{COLLECTIVE_TAG, CallKind, Part, cut};
use crate::error::{TraceError, quoted};
use crate::format::Format;
use crate::runner::Slots;
use crate::schedule::{Body, RANK_TIME_MAX, RANKS_MAX, Schedule, Totals};
use crate::text::{Line, Text};

/// What all ranks go through.
#[derive(Debug)]
pub(crate) struct LayerPlan {
    /// All of them.
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

/// Which ranks communicate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Among {
    /// Those that share a layer's tensors.
    Tensor,
    /// Those with the same part of the tensors and other data.
    Data,
    /// Those among which experts are dealt.
    Expert,
    /// Those with the same experts and other data.
    DataOfExpert,
}

/// Reads a file.
pub(crate) fn read(file: &str, bytes: &[u8]) -> Result<Schedule, TraceError> {
    let text = Text::new(file, bytes)?;
    let mut lines = text.lines().filter(|line| !line.text.trim().is_empty());
    let missing = |what: &str| TraceError::whole(file, "the end of the file", what);
    let head = lines.next().ok_or_else(|| missing("a line with the parallelism"))?;
    let (mut plan, mut warnings) = header(head)?;
    let line = lines.next().ok_or_else(|| missing("the number of layers"))?;
    let mut words = line.words();
    let count = words.number("the number of layers", 10_000_000)?;
    words.end()?;
    let mut time = 0_u64;
    for line in lines {
        let layer = layer(line)?;
        for pass in [&layer.forward, &layer.input_gradient, &layer.weight_gradient] {
            time = time.saturating_add(pass.compute.0);
        }
        time = time.saturating_add(layer.update.0);
        if time > RANK_TIME_MAX.0 {
            return Err(line.error("computation without end", format!("at most {RANK_TIME_MAX} in all layers")));
        }
        plan.layers.push(layer);
    }
    if plan.layers.len() as u64 != count {
        return Err(TraceError::whole(
            file,
            format!("{} layers", plan.layers.len()),
            format!("{count}, as line 2 says"),
        ));
    }
    if plan.ranks > plan.tensor * plan.data {
        warnings
            .push("messages between stages of the pipeline are not in the file's layers, and are left out".to_owned());
    }
    Ok(Schedule { format: Format::SimAi, body: Body::Layers(Arc::new(plan)), warnings })
}

/// `HYBRID_TRANSFORMER_FWD_IN_BCKWD model_parallel_NPU_group: 8 ep: 1 pp: 1 vpp: 8 ga: 1 all_gpus: 8 ...`
fn header(line: Line) -> Result<(LayerPlan, Vec<String>), TraceError> {
    const KNOWN: &str = "HYBRID_TRANSFORMER_FWD_IN_BCKWD";
    let mut words = line.words();
    let mut warnings = Vec::new();
    let kind = words.expect(KNOWN)?;
    if kind != KNOWN {
        return Err(words.wrong(&format!("{KNOWN}: other parallelisms do not say their number of ranks")));
    }
    let (mut tensor, mut expert, mut stages, mut all) = (1, 1, 1, None);
    while let Some(key) = words.next() {
        let key = key.trim_end_matches(':');
        let value = words.number(&format!("the value of {key}"), u64::from(u32::MAX) * 1_000_000)?;
        let counted = || match u32::try_from(value) {
            Ok(count @ 1..=RANKS_MAX) => Ok(count),
            _ => Err(line.error(format!("{key}: {value}"), format!("1 to {RANKS_MAX}"))),
        };
        match key {
            "model_parallel_NPU_group" => tensor = counted()?,
            "ep" => expert = counted()?,
            "pp" => stages = counted()?,
            "all_gpus" => all = Some(counted()?),
            // The layers are listed as often as these say.
            "vpp" | "ga" => {}
            "checkpoints" | "checkpoint_initiates" if value > 0 => {
                warnings.push(format!("{key} {value}: recomputation is left out"));
            }
            "checkpoints" | "checkpoint_initiates" | "pp_comm" => {}
            _ => warnings.push(format!("the header's {key} is not known and left out")),
        }
    }
    let Some(ranks) = all else { return Err(line.error("no `all_gpus:`", "`all_gpus:` with the number of ranks")) };
    let per_stage = u64::from(tensor) * u64::from(stages);
    if u64::from(ranks) % per_stage != 0 {
        let found = format!("{ranks} ranks, {tensor} tensor-parallel and {stages} stages");
        return Err(line.error(found, "a number of ranks that both together divide"));
    }
    let data = (u64::from(ranks) / per_stage) as u32;
    if !data.is_multiple_of(expert) {
        return Err(line.error(format!("ep: {expert}"), format!("a divisor of the {data} data-parallel ranks")));
    }
    Ok((LayerPlan { ranks, tensor, data, expert, layers: Vec::new() }, warnings))
}

fn layer(line: Line) -> Result<Layer, TraceError> {
    let mut words = line.words();
    words.expect("the name of a layer")?;
    words.expect("a dependency, -1 for none")?;
    let mut pass = |time: &str, default: Among| -> Result<Pass, TraceError> {
        let compute = Picoseconds::from_nanos(words.number(time, RANK_TIME_MAX.0 / 1_000)?);
        let name = words.expect("a collective operation, or NONE")?;
        let named = communication(name, default).ok_or_else(|| {
            line.error(quoted(name), "NONE, ALLREDUCE, ALLGATHER, REDUCESCATTER or ALLTOALL, with _EP or _DP_EP or not")
        })?;
        let bytes = words.number("bytes", MESSAGE_BYTES_MAX.0)?;
        let communicate = named.filter(|_| bytes > 0).map(|(kind, among)| Communication { kind, among, bytes });
        Ok(Pass { compute, communicate })
    };
    let forward = pass("time of the forward pass in ns", Among::Tensor)?;
    let input_gradient = pass("time of the input gradients in ns", Among::Tensor)?;
    let weight_gradient = pass("time of the weight gradients in ns", Among::Data)?;
    let update = Picoseconds::from_nanos(words.number("time of the update in ns", RANK_TIME_MAX.0 / 1_000)?);
    words.end()?;
    Ok(Layer { forward, input_gradient, weight_gradient, update })
}

/// What a name such as `ALLTOALL_EP` stands for: nothing, or an operation among some ranks. None for other names.
fn communication(name: &str, default: Among) -> Option<Option<(Kind, Among)>> {
    if name == "NONE" {
        return Some(None);
    }
    let (kind, among) = match name.split_once('_') {
        None => (name, default),
        Some((kind, "EP")) => (kind, Among::Expert),
        Some((kind, "DP_EP")) => (kind, Among::DataOfExpert),
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
    /// What the layers amount to.
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

    fn part(&self, rank: u32, of: Communication, first_tag: u32) -> Part {
        let group = self.group(rank, of.among).expect("the header's numbers divide its ranks");
        let size = group.members();
        let kind = match of.kind {
            Kind::AllReduce => CallKind::AllReduce(Bytes(of.bytes)),
            Kind::AllGather => CallKind::AllGather(cut(of.bytes, size)),
            Kind::ReduceScatter => CallKind::ReduceScatter(cut(of.bytes, size)),
            Kind::AllToAll => CallKind::AllToAll(Bytes(of.bytes.div_ceil(u64::from(size)))),
        };
        let collective = kind.among("layers", group).expect("no operation of a layer has a root or sizes of its own");
        Part::new(collective, rank, first_tag)
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

    /// The pass number `number` of a step, whether what follows waits for its communication; `None` behind the last one.
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
    /// Communication under way, each with whether what follows waits for it; a slot's number is a place in this list.
    parts: Vec<Option<(Part, bool)>>,
}

/// Stands for computation where a slot says which communication an operation belongs to.
const COMPUTATION: u32 = u32::MAX;

impl LayerProgram {
    fn compute(&mut self, time: Picoseconds, actions: &mut Vec<Action>) {
        if time > Picoseconds::ZERO {
            self.computing = true;
            actions.push(Action::Start(self.slots.take(COMPUTATION), Op::Compute { time }));
        }
    }

    /// Starts the next messages of a part; drops it when there are none left.
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

    /// Takes stages until something has to be waited for. True when nothing is left.
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
        // What follows waits for at most one of them: that is the main line.
        for (part, line) in self.parts.iter().zip(1..) {
            if let Some((part, waited_for)) = part {
                report.push((if *waited_for { 0 } else { line }, part.activity(self.next as u32)));
            }
        }
    }
}
