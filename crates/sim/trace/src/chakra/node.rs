//! Translates one node.

use std::fmt;

use philae_units::{Bytes, Picoseconds, RankId};
use philae_workload::{BlockSizes, MESSAGE_BYTES_MAX, Op};

use super::Notes;
use super::message::{Attribute, ChakraNode};
use crate::call::{COLLECTIVE_TAG, CallKind, cut};
use crate::error::{TraceError, quoted};
use crate::input::TraceOptions;
use crate::task::RANK_TIME_MAX;

pub(super) enum NodeTranslation {
    /// A node without time that others wait for.
    Nothing,
    /// An operation.
    Op(Op),
    /// A receive, which is posted before it is needed.
    Receive(Op),
    /// Computation that does not occupy the rank's core.
    Beside(Op),
    /// A collective operation of a group, or of all ranks.
    Collective(NodeCollective, Option<String>),
}

/// A collective operation before its group is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct NodeCollective {
    kind: i128,
    bytes: u64,
    /// The rank from which or to which data goes, if the node names it.
    pub root: Option<u32>,
}

/// The kind of a node of computation.
const COMPUTATION: i32 = 4;

/// Names of kinds, by number.
const KINDS: [&str; 10] = [
    "ALL_REDUCE",
    "REDUCE",
    "ALL_GATHER",
    "GATHER",
    "SCATTER",
    "BROADCAST",
    "ALL_TO_ALL",
    "REDUCE_SCATTER",
    "REDUCE_SCATTER_BLOCK",
    "BARRIER",
];

impl fmt::Display for NodeCollective {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} of {}", KINDS[self.kind as usize], Bytes(self.bytes))
    }
}

impl NodeCollective {
    /// The operation in a group of this size, whose member `root` is the root.
    pub fn of(self, size: u32, root: u32) -> CallKind {
        let each = BlockSizes::Even(Bytes(self.bytes));
        match self.kind {
            0 => CallKind::AllReduce(Bytes(self.bytes)),
            1 => CallKind::Reduce(Bytes(self.bytes), root),
            2 => CallKind::AllGather(each),
            3 => CallKind::Gather(each, root),
            4 => CallKind::Scatter(each, root),
            5 => CallKind::Broadcast(Bytes(self.bytes), root),
            6 => CallKind::AllToAll(Bytes(self.bytes.div_ceil(u64::from(size)))),
            7 | 8 => CallKind::ReduceScatter(cut(self.bytes, size)),
            _ => CallKind::Barrier,
        }
    }
}

/// The attributes that name a root. Source: ours: the schema names none. Status: assumed.
const ROOTS: [&str; 3] = ["root", "comm_root", "root_rank"];

/// The kind of a collective operation: a number, or its name as text.
fn comm_type(node: &ChakraNode) -> Option<i128> {
    let attribute = attribute(node, "comm_type")?;
    let named = |text: &String| KINDS.iter().position(|kind| kind.eq_ignore_ascii_case(text.trim()));
    attribute.number().or_else(|| attribute.text.as_ref().and_then(named).map(|kind| kind as i128))
}

fn attribute<'a>(node: &'a ChakraNode, name: &str) -> Option<&'a Attribute> {
    node.attributes.iter().find(|attribute| attribute.name == name)
}

/// Translates a node of the trace into an operation of a rank. `wrong` makes errors about it.
pub(super) fn make(
    node: &ChakraNode,
    (own, ranks): (usize, usize),
    options: &TraceOptions,
    notes: &mut Notes,
    wrong: &dyn Fn(String, &str) -> TraceError,
) -> Result<NodeTranslation, TraceError> {
    let number = |name: &str| attribute(node, name).and_then(Attribute::number);
    let needed = |name: &str, most: i128| match number(name) {
        Some(value) if (0..=most).contains(&value) => Ok(value as u64),
        // A file that is missing behind the last one is noticed here.
        Some(value) if ["comm_src", "comm_dst"].contains(&name) => {
            Err(wrong(format!("{name} {value}"), &format!("0 to {most}, the ranks that have a file")))
        }
        Some(value) => Err(wrong(format!("{name} {value}"), &format!("0 to {most}"))),
        None => match attribute(node, name).map(|attribute| attribute.text.as_deref()) {
            Some(Some(text)) => Err(wrong(format!("{name} {}", quoted(text)), "an integer attribute of that name")),
            Some(None) => Err(wrong(format!("{name} of another type"), "an integer attribute of that name")),
            None => Err(wrong(format!("no {name}"), "an integer attribute of that name")),
        },
    };
    let most_bytes = i128::from(MESSAGE_BYTES_MAX.0);
    let on_core = number("is_cpu_op").is_none_or(|value| value != 0);
    // For each message and collective operation, PyTorch's traces have a node of the host, which
    // starts it, and one of the device, which describes it.
    let is_hosts = match node.kind {
        5 => number("comm_dst").is_none(),
        6 => number("comm_src").is_none(),
        7 => comm_type(node).is_none(),
        _ => false,
    };
    let says_host = number("is_cpu_op").is_some_and(|value| value != 0);
    let kind = if is_hosts && says_host { COMPUTATION } else { node.kind };
    if kind != node.kind {
        notes.add("communication nodes of the host (is_cpu_op) without a type take their time and send nothing");
    }
    match kind {
        1 => Ok(NodeTranslation::Nothing),
        2..=4 => {
            let time = time(node, options, notes, wrong)?;
            Ok(match time {
                Picoseconds::ZERO => NodeTranslation::Nothing,
                time if on_core => NodeTranslation::Op(Op::Compute { time }),
                time => NodeTranslation::Beside(Op::Compute { time }),
            })
        }
        5 | 6 => {
            let bytes = Bytes(needed("comm_size", most_bytes)?);
            let tag = match number("comm_tag") {
                None => 0,
                Some(_) => needed("comm_tag", i128::from(COLLECTIVE_TAG) - 1)? as u32,
            };
            let peer = |name| needed(name, ranks as i128 - 1).map(|peer| RankId(peer as u32));
            let own_end = if node.kind == 5 { "comm_src" } else { "comm_dst" };
            if number(own_end).is_some_and(|rank| rank != own as i128) {
                notes.add(format!("{own_end} of a message differs from the file's rank; the file's rank is used"));
            }
            Ok(if node.kind == 5 {
                NodeTranslation::Op(Op::Send { to: peer("comm_dst")?, bytes, tag, class: None })
            } else {
                NodeTranslation::Receive(Op::Recv { from: Some(peer("comm_src")?), bytes, tag: Some(tag) })
            })
        }
        7 => {
            let kind = match comm_type(node) {
                Some(kind) if (0..KINDS.len() as i128).contains(&kind) => kind as u64,
                Some(kind) => return Err(wrong(format!("comm_type {kind}"), &format!("0 to {}", KINDS.len() - 1))),
                None => {
                    let found = match attribute(node, "comm_type").map(|attribute| attribute.text.as_deref()) {
                        None => "no comm_type".to_owned(),
                        Some(None) => "comm_type of another type".to_owned(),
                        Some(Some(text)) => format!("comm_type {}", quoted(text)),
                    };
                    return Err(wrong(found, &format!("a number from 0, or one of {}", KINDS.join(", "))));
                }
            };
            let bytes = if kind == 9 { 0 } else { needed("comm_size", most_bytes)? };
            if attribute(node, "involved_dim")
                .and_then(|dim| dim.booleans.as_ref())
                .is_some_and(|dim| dim.values.contains(&false))
            {
                notes.add("collective operations in some dimensions (involved_dim) are run over all ranks");
            }
            let root = match ROOTS.iter().find(|name| number(name).is_some()) {
                Some(name) if matches!(kind, 1 | 3 | 4 | 5) => Some(needed(name, ranks as i128 - 1)? as u32),
                _ => None,
            };
            if matches!(kind, 1 | 3 | 4 | 5) && root.is_none() {
                notes.add(format!("{} names no root: the group's first rank is used", KINDS[kind as usize]));
            }
            let group = attribute(node, "pg_name").and_then(|name| name.text.clone()).filter(|name| !name.is_empty());
            Ok(NodeTranslation::Collective(NodeCollective { kind: i128::from(kind), bytes, root }, group))
        }
        other => {
            notes.add(format!("nodes of the unknown type {other} do nothing"));
            Ok(NodeTranslation::Nothing)
        }
    }
}

/// The duration of a node of computation or of memory.
fn time(
    node: &ChakraNode,
    options: &TraceOptions,
    notes: &mut Notes,
    wrong: &dyn Fn(String, &str) -> TraceError,
) -> Result<Picoseconds, TraceError> {
    let too_long = || wrong("endless computation".to_owned(), &format!("at most {RANK_TIME_MAX}"));
    let fits = |time: u128| match u64::try_from(time) {
        Ok(time) if time <= RANK_TIME_MAX.0 => Ok(Picoseconds(time)),
        _ => Err(too_long()),
    };
    if node.duration_micros > 0 {
        return fits(u128::from(node.duration_micros) * 1_000_000);
    }
    let amount = |name: &str| match attribute(node, name).and_then(Attribute::number) {
        None => Ok(0),
        Some(value) => {
            u64::try_from(value).map_err(|_| wrong(format!("{name} {value}"), &format!("0 to {}", u64::MAX)))
        }
    };
    let at = |amount: u64, rate: u64| fits(u128::from(amount) * 1_000_000_000_000 / u128::from(rate.max(1)));
    if !matches!(node.kind, 2 | 3) {
        return match (amount("num_ops")?, options.flops_per_second) {
            (0, _) => Ok(Picoseconds::ZERO),
            (operations, Some(rate)) => {
                notes.rated += 1;
                at(operations, rate)
            }
            (operations, None) => {
                let found = format!("{operations} operations and no duration");
                Err(wrong(found, "a value of `flops_per_second`"))
            }
        };
    }
    match (amount("tensor_size")?, options.memory_bytes_per_second) {
        (0, _) => Ok(Picoseconds::ZERO),
        (bytes, Some(rate)) => {
            notes.rated += 1;
            at(bytes, rate)
        }
        (_, None) => {
            notes.add(
                "loads and stores without a duration take no time, because `memory_bytes_per_second` is not given",
            );
            Ok(Picoseconds::ZERO)
        }
    }
}
