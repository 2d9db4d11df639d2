//! htsim's connection matrices: flows between nodes, started at times or by triggers.
//!
//! Source: the keys of htsim's connection matrix (Broadcom/csg-htsim, ultraethernet/uet-htsim,
//! `connection_matrix.cpp`). A flow is a put; a flow that triggers others on arrival is a send with
//! a receive. Start times are delays of the sender, one behind the other in order of time. In htsim
//! a trigger reaches every node immediately. Here an event of one rank starts flows of the same
//! rank without a message, and reaches another rank by a message of `trigger_bytes`, which a
//! warning counts. If several flows activate a trigger, a one-shot acts once, the n-th activation
//! of a multi-shot starts its n-th flow, and a barrier acts after its count.

use std::collections::{BTreeMap, BTreeSet};

use philae_units::{Bytes, Picoseconds, RankId, counted};
use philae_workload::{MESSAGE_BYTES_MAX, Op};

use crate::call::Calls;
use crate::error::{TraceError, quoted};
use crate::format::TraceFormat;
use crate::input::TraceOptions;
use crate::places::OperationNumbers;
use crate::schedule::TraceSchedule;
use crate::task::{RANK_TIME_MAX, RANKS_MAX, TaskKind, TraceTask};
use crate::text::{LineWords, Text, TraceLine};

/// Reads a file.
pub(crate) fn read(file: &str, bytes: &[u8], options: &TraceOptions) -> Result<TraceSchedule, TraceError> {
    let text = Text::new(file, bytes)?;
    let mut matrix = Matrix::default();
    for line in text.lines().filter(|line| !line.text.trim().is_empty() && !line.text.trim_start().starts_with('#')) {
        matrix.line(line)?;
    }
    matrix.counts(file)?;
    let mut schedule = matrix.schedule(file, options)?;
    schedule.warnings.extend(text.open_end());
    Ok(schedule)
}

#[derive(Debug, Default)]
struct Matrix {
    nodes: Option<u32>,
    connections: Option<usize>,
    triggers_said: Option<usize>,
    flows: Vec<Flow>,
    ids: BTreeSet<u32>,
    triggers: BTreeMap<u32, Trigger>,
    prioritised: usize,
    failures: usize,
    /// Flows without an end, which are left out.
    endless: usize,
    /// Keys of flows that are not honoured, each with its count.
    left: BTreeMap<&'static str, usize>,
}

#[derive(Debug)]
struct Flow {
    from: u32,
    to: u32,
    bytes: u64,
    start: Start,
    send_done: Option<u32>,
    recv_done: Option<u32>,
    line: usize,
}

#[derive(Clone, Copy, Debug)]
enum Start {
    At(u64),
    On(u32),
}

#[derive(Debug)]
struct Trigger {
    kind: Kind,
    count: u32,
    line: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    OneShot,
    MultiShot,
    Barrier,
}

/// Maximum number of flows of a multi-shot trigger: each of them waits for all that may activate
/// it.
const MULTI_SHOTS_MAX: usize = 1_024;

const FIRST: &str = "`Nodes`, `Connections`, `Triggers`, `Failures`, a flow such as `0->1 start 0 size 1000`, or `trigger id 1 oneshot`";

impl Matrix {
    fn line(&mut self, line: TraceLine) -> Result<(), TraceError> {
        let mut words = line.words();
        let first = words.expect(FIRST)?;
        if let Some((from, to)) = first.split_once("->") {
            return self.flow(from, to, words);
        }
        match first {
            "Nodes" => {
                let nodes = words.number("a number of nodes", u64::from(RANKS_MAX))? as u32;
                if nodes == 0 {
                    return Err(words.wrong("at least 1 node"));
                }
                if self.nodes.replace(nodes).is_some() {
                    return Err(words.line.error("a second `Nodes`", "one for the whole file"));
                }
            }
            "Connections" => {
                let flows = words.number("a number of flows", u64::from(u32::MAX))? as usize;
                if self.connections.replace(flows).is_some() {
                    return Err(words.line.error("a second `Connections`", "one for the whole file"));
                }
            }
            "Triggers" => {
                let triggers = words.number("a number of triggers", u64::from(u32::MAX))? as usize;
                if self.triggers_said.replace(triggers).is_some() {
                    return Err(words.line.error("a second `Triggers`", "one for the whole file"));
                }
            }
            "Failures" => {
                words.number("a number of failures", u64::from(u32::MAX))?;
            }
            "failure" => {
                self.failures += 1;
                return Ok(());
            }
            "trigger" => return self.trigger(words),
            _ => return Err(words.wrong(FIRST)),
        }
        words.end()
    }

    fn flow(&mut self, from: &str, to: &str, mut words: LineWords) -> Result<(), TraceError> {
        let line = words.line;
        let Some(nodes) = self.nodes else {
            return Err(line.error(quoted(line.text.trim()), "`Nodes` with a number before the first flow"));
        };
        let node = |word: &str| words.parse(word, "a node", u64::from(nodes) - 1).map(|node| node as u32);
        let (from, to) = (node(from)?, node(to)?);
        let (mut bytes, mut start, mut send_done, mut recv_done) = (None, None, None, None);
        let (mut number, mut is_part) = (None, false);
        let id = |words: &mut LineWords| words.number("an id from 1", u64::from(u32::MAX)).map(|id| id as u32);
        let mut keys = BTreeSet::new();
        while let Some(key) = words.next() {
            // htsim takes the last of two; one of them is a mistake.
            if !["start", "trigger", "msg", "addon"].contains(&key) && !keys.insert(key) {
                return Err(line.error(format!("a second `{key}`"), "each word once in a flow"));
            }
            match key {
                "start" | "trigger" => {
                    if start.is_some() {
                        return Err(line.error("a second start", "one of `start` and `trigger`"));
                    }
                    start = Some(match key {
                        "start" => Start::At(words.decimal("picoseconds", 0, RANK_TIME_MAX.0)?),
                        _ => Start::On(id(&mut words)?),
                    });
                }
                "size" => bytes = Some(words.number("bytes", MESSAGE_BYTES_MAX.0)?),
                "send_done_trigger" => send_done = Some(id(&mut words)?),
                "recv_done_trigger" => recv_done = Some(id(&mut words)?),
                "id" => {
                    let own = id(&mut words)?;
                    if own == 0 {
                        return Err(words.wrong("an id from 1"));
                    }
                    number = Some(own);
                }
                "prio" => {
                    words.number("a priority", u64::from(u32::MAX))?;
                    self.prioritised += 1;
                }
                // A message of a connection, with or without a number.
                "msg" => {
                    is_part = true;
                    if words.peek().is_some_and(|word| word.parse::<u32>().is_ok()) {
                        id(&mut words)?;
                    }
                    *self
                        .left
                        .entry("flows are messages (`msg`) of one connection: each becomes a separate put")
                        .or_default() += 1;
                }
                "addon" => {
                    is_part = true;
                    *self.left.entry("flows add to another one (`addon`): each becomes a separate put").or_default() +=
                        1
                }
                _ => {
                    let expected = "`id`, `start`, `trigger`, `size`, `send_done_trigger`, `recv_done_trigger`, `prio`, `msg` or `addon`";
                    return Err(words.wrong(expected));
                }
            }
        }
        // The messages of a connection have one id.
        if number.is_some_and(|number| !self.ids.insert(number) && !is_part) {
            *self.left.entry("flows have the id of another one: each becomes a separate flow").or_default() += 1;
        }
        let Some(start) = start else { return Err(line.error("no start", "`start` with picoseconds, or `trigger`")) };
        let Some(bytes) = bytes else { return Err(line.error("no size", "`size` with bytes")) };
        if bytes == 0 {
            if send_done.or(recv_done).is_some_and(|trigger| trigger != 0) {
                return Err(
                    line.error("a flow of size 0, which never ends, with a trigger at its end", "at least 1 byte")
                );
            }
            self.endless += 1;
            return Ok(());
        }
        self.flows.push(Flow { from, to, bytes, start, send_done, recv_done, line: line.number });
        Ok(())
    }

    fn trigger(&mut self, mut words: LineWords) -> Result<(), TraceError> {
        let line = words.line;
        let (mut id, mut kind, mut count) = (None, None, None);
        while let Some(key) = words.next() {
            match key {
                "id" => id = Some(words.number("an id from 1", u64::from(u32::MAX))? as u32),
                "count" => count = Some(words.number("a count", u64::from(u32::MAX))? as u32),
                "oneshot" => kind = Some(Kind::OneShot),
                "multishot" => kind = Some(Kind::MultiShot),
                "barrier" => kind = Some(Kind::Barrier),
                // Some writers omit `count`.
                number if kind == Some(Kind::Barrier) && count.is_none() && number.parse::<u32>().is_ok() => {
                    count = number.parse().ok();
                }
                _ => return Err(words.wrong("`id`, `oneshot`, `multishot`, `barrier` or `count`")),
            }
        }
        let (Some(id @ 1..), Some(kind)) = (id, kind) else {
            return Err(line.error(quoted(line.text.trim()), "`trigger id` with a number from 1 and a kind"));
        };
        if kind == Kind::Barrier && count.is_none_or(|count| count == 0) {
            return Err(line.error("a barrier without a count", "`barrier count` with a number from 1"));
        }
        if self.triggers.insert(id, Trigger { kind, count: count.unwrap_or(0), line: line.number }).is_some() {
            return Err(line.error(format!("trigger {id} for the second time"), "one line for each trigger"));
        }
        Ok(())
    }

    /// Checks that the counts of the header are those of the file.
    fn counts(&self, file: &str) -> Result<(), TraceError> {
        if self.nodes.is_none() {
            return Err(TraceError::whole(file, "no `Nodes`", "`Nodes` with a number on the first line"));
        }
        let triggers = self.triggers.len();
        let flows = self.flows.len() + self.endless;
        if flows == 0 && self.connections.is_none() {
            return Err(TraceError::whole(file, "no flow", "flows such as `0->1 start 0 size 1000`"));
        }
        for (what, said, found) in [("flows", self.connections, flows), ("triggers", self.triggers_said, triggers)] {
            if said.is_some_and(|said| said != found) {
                let said = said.unwrap_or_default();
                return Err(TraceError::whole(
                    file,
                    format!("{found} {what}"),
                    format!("{said}, as the file's head says"),
                ));
            }
        }
        Ok(())
    }

    fn schedule(self, file: &str, options: &TraceOptions) -> Result<TraceSchedule, TraceError> {
        let nodes = self.nodes.unwrap_or_default() as usize;
        let mut build = Build {
            ranks: vec![Vec::new(); nodes],
            lines: vec![Vec::new(); nodes],
            line: 0,
            options,
            tag: 0,
            messages: 0,
            activations: BTreeMap::new(),
            waiting: BTreeMap::new(),
        };
        build.start_flows(file, &self)?;
        let mut activations = std::mem::take(&mut build.activations);
        let waiting = std::mem::take(&mut build.waiting);
        for (id, targets) in &waiting {
            let trigger = &self.triggers[id];
            let by = activations.remove(id).unwrap_or_default();
            build.line = trigger.line as u64;
            build.act(file, *id, trigger, &by, targets)?;
        }
        let mut warnings = Vec::new();
        if build.messages > 0 {
            warnings.push(format!(
                "triggers reach other ranks by {} of {}; in htsim they reach them immediately",
                counted(build.messages, "message"),
                options.trigger_bytes
            ));
        }
        if self.prioritised > 0 {
            warnings.push(format!(
                "the priority of {} is ignored: a job has one traffic class",
                counted(self.prioritised, "flow")
            ));
        }
        if self.failures > 0 {
            warnings.push(format!("{} ignored: faults are part of the scenario", counted(self.failures, "failure")));
        }
        if self.endless > 0 {
            warnings.push(format!(
                "{} of size 0 ignored: in htsim they never end, but a schedule must end; a job of `uniform-random` \
                 or `bandwidth` without `iterations` is such traffic",
                counted(self.endless, "flow")
            ));
        }
        warnings.extend(self.left.iter().map(|(what, count)| format!("{count} {what}")));
        let unused = activations.len();
        if unused > 0 {
            warnings.push(format!("{} activated without starting a flow", counted(unused, "trigger")));
        }
        let places = OperationNumbers::new("line", build.lines);
        TraceSchedule::of_places(TraceFormat::Htsim, file, build.ranks, Calls::default(), warnings, places)
    }
}

/// A task of a rank.
type At = (u32, u32);

struct Build<'a> {
    ranks: Vec<Vec<TraceTask>>,
    /// The line of each task: that of its flow or trigger.
    lines: Vec<Vec<u64>>,
    /// The line whose tasks are made.
    line: u64,
    options: &'a TraceOptions,
    tag: u32,
    messages: usize,
    /// The tasks that activate each trigger.
    activations: BTreeMap<u32, Vec<At>>,
    /// The tasks that each trigger starts, in the order of the file.
    waiting: BTreeMap<u32, Vec<At>>,
}

impl Build<'_> {
    fn push(&mut self, rank: u32, task: TraceTask) -> At {
        self.lines[rank as usize].push(self.line);
        let tasks = &mut self.ranks[rank as usize];
        tasks.push(task);
        (rank, tasks.len() as u32 - 1)
    }

    fn task(&mut self, at: At) -> &mut TraceTask {
        &mut self.ranks[at.0 as usize][at.1 as usize]
    }

    fn next_tag(&mut self) -> u32 {
        self.tag += 1;
        self.tag - 1
    }

    /// Adds flows, and the delays of those that start at a time: one behind the other on each rank.
    fn start_flows(&mut self, file: &str, matrix: &Matrix) -> Result<(), TraceError> {
        let mut timed: BTreeMap<(u32, u64), Vec<At>> = BTreeMap::new();
        for flow in &matrix.flows {
            self.line = flow.line as u64;
            let bytes = Bytes(flow.bytes);
            let sent = if flow.recv_done.is_some() {
                let tag = self.next_tag();
                let receive = Op::Recv { from: Some(RankId(flow.from)), bytes, tag: Some(tag) };
                let received = self.push(flow.to, TraceTask::op(receive, Vec::new()));
                self.activate(file, matrix, flow, flow.recv_done, received)?;
                self.push(
                    flow.from,
                    TraceTask::op(Op::Send { to: RankId(flow.to), bytes, tag, class: None }, Vec::new()),
                )
            } else {
                self.push(flow.from, TraceTask::op(Op::Put { to: RankId(flow.to), bytes, class: None }, Vec::new()))
            };
            self.activate(file, matrix, flow, flow.send_done, sent)?;
            match flow.start {
                Start::At(0) => {}
                Start::At(time) => timed.entry((flow.from, time)).or_default().push(sent),
                Start::On(id) => {
                    known(file, matrix, flow, id)?;
                    self.waiting.entry(id).or_default().push(sent);
                }
            }
        }
        let mut before: Option<(u32, u64, u32)> = None;
        for ((rank, time), flows) in timed {
            let last = before.filter(|(of, _, _)| *of == rank);
            let span = Picoseconds(time - last.map_or(0, |(_, time, _)| time));
            let after = last.map(|(_, _, task)| task).into_iter().collect();
            if let Some(&(_, first)) = flows.first() {
                self.line = self.lines[rank as usize][first as usize];
            }
            let (_, delay) = self.push(rank, TraceTask::op(Op::Delay { time: span }, after));
            for flow in flows {
                self.task(flow).requires.push(delay);
            }
            before = Some((rank, time, delay));
        }
        Ok(())
    }

    fn activate(
        &mut self,
        file: &str,
        matrix: &Matrix,
        flow: &Flow,
        id: Option<u32>,
        by: At,
    ) -> Result<(), TraceError> {
        let Some(id) = id.filter(|&id| id != 0) else { return Ok(()) };
        known(file, matrix, flow, id)?;
        self.activations.entry(id).or_default().push(by);
        Ok(())
    }

    /// Makes the flows of a trigger wait for its activations.
    ///
    /// The trigger lives on the rank of its first flow. Activations elsewhere send a message there,
    /// and flows elsewhere wait for a message from there.
    fn act(&mut self, file: &str, id: u32, trigger: &Trigger, by: &[At], targets: &[At]) -> Result<(), TraceError> {
        let needed = |target: usize| match trigger.kind {
            Kind::OneShot => 1,
            Kind::MultiShot => target + 1,
            Kind::Barrier => trigger.count as usize,
        };
        let most = needed(targets.len() - 1);
        if by.len() < most {
            let found = format!("trigger {id}, which {} flows activate", by.len());
            return Err(TraceError::whole(file, found, format!("at least {most}, or its flows never start")));
        }
        if trigger.kind == Kind::MultiShot && targets.len() > MULTI_SHOTS_MAX {
            let found = format!("multishot trigger {id} of {} flows", targets.len());
            return Err(TraceError::whole(file, found, format!("at most {MULTI_SHOTS_MAX}")));
        }
        let home = targets[0].0;
        let heard: Vec<u32> = by.iter().map(|&at| self.carried(at, home)).collect();
        let mut told: BTreeMap<(u32, usize), u32> = BTreeMap::new();
        for (number, &target) in targets.iter().enumerate() {
            let enough = needed(number);
            let join = match told.get(&(home, enough)) {
                Some(&join) => join,
                None => {
                    let task =
                        TraceTask { enough: Some(enough as u32), ..TraceTask::new(TaskKind::Join, heard.clone()) };
                    let (_, join) =
                        self.push(home, if enough == heard.len() { TraceTask { enough: None, ..task } } else { task });
                    told.insert((home, enough), join);
                    join
                }
            };
            let there = match told.get(&(target.0, enough)) {
                Some(&there) => there,
                None => {
                    let there = self.carried((home, join), target.0);
                    told.insert((target.0, enough), there);
                    there
                }
            };
            self.task(target).requires.push(there);
        }
        Ok(())
    }

    /// A task of rank `to` that completes with the task `at`: that task itself, or the receive of a
    /// message.
    fn carried(&mut self, at: At, to: u32) -> u32 {
        if at.0 == to {
            return at.1;
        }
        self.messages += 1;
        let (bytes, tag) = (self.options.trigger_bytes, self.next_tag());
        self.push(at.0, TraceTask::op(Op::Send { to: RankId(to), bytes, tag, class: None }, vec![at.1]));
        self.push(to, TraceTask::op(Op::Recv { from: Some(RankId(at.0)), bytes, tag: Some(tag) }, Vec::new())).1
    }
}

fn known(file: &str, matrix: &Matrix, flow: &Flow, id: u32) -> Result<(), TraceError> {
    if matrix.triggers.contains_key(&id) {
        return Ok(());
    }
    let (file, expected) = (file.to_owned(), format!("a line `trigger id {id} oneshot` (or multishot, or barrier)"));
    Err(TraceError::Line { file, line: flow.line, found: format!("trigger {id}"), expected })
}
