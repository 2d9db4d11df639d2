//! Chakra execution traces: one file of nodes for each rank, each node a message with its length
//! before it.
//!
//! Source: mlcommons/chakra, `et_def.proto` and the attributes that its converters write and
//! ASTRA-sim reads. A node of computation takes its duration, or its operations at a given rate. On
//! the processor (`is_cpu_op`, which is the default) it keeps the rank's core busy; elsewhere it
//! runs separately, one node after the other. Collective operations are those of MPICH's choice
//! among the ranks of the same `pg_name`, or all; the n-th of a group on each of its ranks are one
//! operation. Operations are counted in the order of their dependencies, as Chakra's feeder takes
//! nodes: among those that depend on nothing else, the one with the smallest id first. The order of
//! nodes in a file has no meaning. Sizes follow ASTRA-sim: an allgather's is what each rank
//! contributes, a reduce-scatter's and an alltoall's all that a rank has.

mod message;
mod node;

use philae_units::counted;
use std::collections::{BTreeMap, BTreeSet};

use philae_workload::Group;
use prost::Message;

use crate::call::Calls;
use crate::error::{TraceError, quoted};
use crate::format::TraceFormat;
use crate::input::{TraceFile, TraceOptions};
use crate::places::OperationNumbers;
use crate::schedule::TraceSchedule;
use crate::task::{RANKS_MAX, TaskKind, TraceTask};

use self::message::{ChakraNode, GlobalMetadata};
use self::node::{NodeTranslation, make};

/// Known versions of the schema. PyTorch's traces have a version of their own before it.
const KNOWN_VERSIONS: [&str; 3] = ["", "0.0.4", "1.0.0"];

/// Whether a version is known: `0.0.4`, or `1.1.1-chakra.0.0.4`.
fn is_known(version: &str) -> bool {
    let own = version.split_once("-chakra.").map_or(version, |(_, own)| own);
    KNOWN_VERSIONS.contains(&own)
}

/// Reads the files of all ranks.
pub(crate) fn read(files: &[TraceFile], options: &TraceOptions) -> Result<TraceSchedule, TraceError> {
    if files.len() > RANKS_MAX as usize {
        return Err(TraceError::whole(
            &files[0].name,
            format!("{} files", files.len()),
            format!("at most {RANKS_MAX}"),
        ));
    }
    let mut notes = Notes::default();
    let mut ranks = Vec::with_capacity(files.len());
    for (own, file) in files.iter().enumerate() {
        ranks.push(read_rank(file, (own, files.len()), options, &mut notes)?);
    }
    let calls = collectives(files, &mut ranks)?;
    let (tasks, places) = ranks.into_iter().map(|rank| (rank.tasks, rank.nodes)).unzip();
    let places = OperationNumbers::new("node", places).in_files(files.iter().map(|file| file.name.clone()).collect());
    let rated = notes.rated;
    let name = &files[0].name;
    let schedule = TraceSchedule::of_places(TraceFormat::Chakra, name, tasks, calls, notes.sentences(), places)?;
    Ok(TraceSchedule { rated, ..schedule })
}

/// What was left out, each with its count.
#[derive(Debug, Default)]
struct Notes {
    said: BTreeMap<String, u64>,
    /// Spans of computation whose time follows from a rate.
    rated: u64,
}

impl Notes {
    fn add(&mut self, what: impl Into<String>) {
        *self.said.entry(what.into()).or_default() += 1;
    }

    fn sentences(self) -> Vec<String> {
        self.said.into_iter().map(|(what, count)| format!("{what} ({})", counted(count, "time"))).collect()
    }
}

/// The contents of one rank's file.
struct Rank {
    tasks: Vec<TraceTask>,
    /// Node of each task.
    nodes: Vec<u64>,
    /// Collective operations in the order of their dependencies: task, group, kind, offset.
    collectives: Vec<(u32, Option<String>, node::NodeCollective, usize)>,
}

fn read_rank(
    file: &TraceFile,
    ranks: (usize, usize),
    options: &TraceOptions,
    notes: &mut Notes,
) -> Result<Rank, TraceError> {
    let mut messages = Messages { file, at: 0 };
    let Some((_, head)) = messages.next::<GlobalMetadata>()? else {
        return Err(TraceError::whole(&file.name, "an empty file", "a Chakra trace"));
    };
    let named = head.attributes.iter().find(|attribute| attribute.name == "schema");
    let version = named.and_then(|attribute| attribute.text.clone()).unwrap_or(head.version);
    if !is_known(&version) {
        let version = quoted(&version);
        notes.add(format!("schema version {version} is unknown: only known parts of the trace are read"));
    }
    let mut nodes: Vec<(usize, ChakraNode)> = Vec::new();
    let mut numbers: BTreeMap<u64, u32> = BTreeMap::new();
    while let Some((offset, node)) = messages.next::<ChakraNode>()? {
        if numbers.insert(node.id, nodes.len() as u32).is_some() {
            let expected = "a different id for each node";
            return Err(byte_error(file, offset, format!("node {} for the second time", node.id), expected));
        }
        nodes.push((offset, node));
    }
    let mut rank = Rank { tasks: Vec::with_capacity(nodes.len()), nodes: Vec::new(), collectives: Vec::new() };
    let mut receives = Vec::new();
    for (offset, node) in &nodes {
        let mut requires = BTreeSet::new();
        for id in &node.control_dependencies {
            // The converter of PyTorch's traces names parents that it does not write.
            match numbers.get(id) {
                Some(&on) => _ = requires.insert(on),
                None => notes.add("control dependencies on nodes that are not in the file are ignored"),
            }
        }
        for id in &node.data_dependencies {
            let Some(&on) = numbers.get(id) else {
                let found = format!("node {} whose data depend on node {id}", node.id);
                return Err(byte_error(file, *offset, found, "a node of the same file"));
            };
            requires.insert(on);
        }
        let wrong =
            |found: String, expected: &str| byte_error(file, *offset, format!("node {}: {found}", node.id), expected);
        let made = make(node, ranks, options, notes, &wrong)?;
        let task = TraceTask::new(TaskKind::Join, requires.into_iter().collect());
        rank.nodes.push(node.id);
        rank.tasks.push(match made {
            NodeTranslation::Nothing => task,
            NodeTranslation::Receive(op) => {
                receives.push((rank.tasks.len(), op, node.id));
                task
            }
            NodeTranslation::Op(op) => TraceTask { what: TaskKind::Op(op), ..task },
            NodeTranslation::Beside(op) => TraceTask { what: TaskKind::Op(op), cpu: 1, ..task },
            NodeTranslation::Collective(collective, group) => {
                rank.collectives.push((rank.tasks.len() as u32, group, collective, *offset));
                task
            }
        });
    }
    if rank.tasks.is_empty() {
        notes.add("files without a node: their ranks do nothing");
    }
    let turns = turns(&rank);
    rank.collectives.sort_by_key(|(task, ..)| turns[*task as usize]);
    // In this format a send never waits for its receive. All receives are posted at the start, so
    // that sends of large messages, which would wait, do not wait either; the nodes wait for the
    // receives.
    for (task, op, node) in receives {
        let posted = rank.tasks.len() as u32;
        rank.nodes.push(node);
        rank.tasks.push(TraceTask::op(op, Vec::new()));
        rank.tasks[task].requires.push(posted);
    }
    Ok(rank)
}

/// The place of each node in an order that respects dependencies, the smallest id first. Nodes that
/// wait for each other in a circle, an error that comes later, have the last place.
fn turns(rank: &Rank) -> Vec<usize> {
    let count = rank.tasks.len();
    let mut missing: Vec<usize> = rank.tasks.iter().map(|task| task.requires.len()).collect();
    let mut dependants: Vec<Vec<usize>> = vec![Vec::new(); count];
    for (node, task) in rank.tasks.iter().enumerate() {
        task.requires.iter().for_each(|&on| dependants[on as usize].push(node));
    }
    let mut ready: BTreeSet<(u64, usize)> =
        (0..count).filter(|&node| missing[node] == 0).map(|node| (rank.nodes[node], node)).collect();
    let mut turns = vec![count; count];
    let mut turn = 0;
    while let Some((_, node)) = ready.pop_first() {
        turns[node] = turn;
        turn += 1;
        for &dependant in &dependants[node] {
            missing[dependant] -= 1;
            if missing[dependant] == 0 {
                ready.insert((rank.nodes[dependant], dependant));
            }
        }
    }
    turns
}

/// An operation as its group's first rank has it, and the number of its ranks.
struct Known {
    call: u32,
    collective: node::NodeCollective,
    ranks: u32,
}

/// Groups are the ranks that have operations of the same name; the n-th operations of a group are
/// one operation.
fn collectives(files: &[TraceFile], ranks: &mut [Rank]) -> Result<Calls, TraceError> {
    let mut members: BTreeMap<Option<String>, Vec<u32>> = BTreeMap::new();
    for (number, rank) in (0_u32..).zip(ranks.iter()) {
        let names: BTreeSet<&Option<String>> = rank.collectives.iter().map(|(_, group, _, _)| group).collect();
        names.into_iter().for_each(|name| members.entry(name.clone()).or_default().push(number));
    }
    let all = ranks.len();
    if let Some(some) = members.get(&None).filter(|some| some.len() < all) {
        let found = format!("collective operations without a group (pg_name) on {} of {all} ranks", some.len());
        return Err(TraceError::whole(&files[0].name, found, "such operations on all ranks, or a pg_name"));
    }
    let mut calls = Calls::default();
    let mut known: BTreeMap<(Option<String>, usize), Known> = BTreeMap::new();
    for (number, rank) in ranks.iter_mut().enumerate() {
        let mut taken: BTreeMap<Option<String>, usize> = BTreeMap::new();
        for (task, name, collective, offset) in std::mem::take(&mut rank.collectives) {
            let group = &members[&name];
            let count = taken.entry(name.clone()).or_default();
            let key = (name, *count);
            *count += 1;
            let first = match known.get_mut(&key) {
                Some(first) => {
                    first.ranks += 1;
                    &*first
                }
                None => {
                    let group = Group::listed(group.as_slice()).expect("every rank once in a group");
                    let root = match collective.root {
                        None => 0,
                        Some(root) => members[&key.0].iter().position(|&member| member == root).ok_or_else(|| {
                            let found = format!("{collective} with root {root}, which is not in its group");
                            byte_error(&files[number], offset, found, "a root within the group")
                        })? as u32,
                    };
                    let call = calls.add(collective.of(group.members(), root).among(&files[number].name, group)?);
                    known.entry(key.clone()).or_insert(Known { call, collective, ranks: 1 })
                }
            };
            if first.collective != collective {
                let found = format!("{collective} as collective operation {} of its group on rank {number}", key.1);
                let expected = format!(
                    "{}, as on rank {}, the group's first: all ranks of a group have the same operations",
                    first.collective, group[0]
                );
                return Err(byte_error(&files[number], offset, found, &expected));
            }
            rank.tasks[task as usize].what = TaskKind::Call(first.call);
        }
    }
    for ((name, number), Known { ranks, .. }) in &known {
        let group = members[name].len();
        if *ranks as usize != group {
            let name = name.as_deref().map_or("all ranks".to_owned(), |name| format!("group {}", quoted(name)));
            let found = format!("collective operation {number} of {name} on {ranks} ranks");
            return Err(TraceError::whole(&files[0].name, found, format!("the operation on all {group}")));
        }
    }
    Ok(calls)
}

/// Whether a file begins with a message that names the version of Chakra's schema.
pub(crate) fn looks_like(bytes: &[u8]) -> bool {
    const HEAD_MAX: usize = 1 << 16;
    let mut rest = &bytes[..bytes.len().min(HEAD_MAX)];
    let head = GlobalMetadata::decode_length_delimited(&mut rest);
    let is_word = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_graphic());
    head.is_ok_and(|head| {
        is_word(&head.version) && head.version.starts_with(|first: char| first.is_ascii_digit())
            || head.attributes.iter().any(|attribute| attribute.name == "schema")
    })
}

fn byte_error(file: &TraceFile, offset: usize, found: String, expected: &str) -> TraceError {
    TraceError::Byte { file: file.name.clone(), offset, found, expected: expected.to_owned() }
}

/// The messages of a file, one after the other.
struct Messages<'a> {
    file: &'a TraceFile,
    at: usize,
}

impl Messages<'_> {
    fn next<M: Message + Default>(&mut self) -> Result<Option<(usize, M)>, TraceError> {
        let start = self.at;
        let bytes = &self.file.bytes;
        if start == bytes.len() {
            return Ok(None);
        }
        let mut length: u64 = 0;
        for digit in 0.. {
            let Some(&byte) = bytes.get(self.at) else {
                return Err(byte_error(
                    self.file,
                    self.at,
                    "the end of the file".to_owned(),
                    "the length of a message",
                ));
            };
            if digit == 9 {
                return Err(byte_error(
                    self.file,
                    start,
                    "a length of more than nine bytes".to_owned(),
                    "the length of a message",
                ));
            }
            self.at += 1;
            length |= u64::from(byte & 0x7f) << (7 * digit);
            if byte & 0x80 == 0 {
                break;
            }
        }
        let left = bytes.len() - self.at;
        let Some(length) = usize::try_from(length).ok().filter(|&length| length <= left) else {
            let found = format!("a message of {length} bytes");
            return Err(byte_error(self.file, start, found, &format!("at most the {left} that are left")));
        };
        let message = M::decode(&bytes[self.at..self.at + length]);
        self.at += length;
        match message {
            Ok(message) => Ok(Some((start, message))),
            Err(_) => {
                let message = &bytes[self.at - length..self.at];
                let is_node = start == 0 && ChakraNode::decode(message).is_ok_and(|node| node.kind != 0);
                let found = if is_node { "a node without metadata before it" } else { "a message of an unknown kind" };
                let expected = "a trace of Chakra: GlobalMetadata first, then a Node each";
                Err(byte_error(self.file, start, found.to_owned(), expected))
            }
        }
    }
}
