//! GOAL: sends, receives and computation with dependencies, as text and in LogGOPSim's binary form.
//!
//! Source: the grammar and the layout that LogGOPSim reads (spcl/LogGOPSim, `txt2bin.re`,
//! `Goal.hpp`). Times are nanoseconds. Computation on `cpu` stream 0 keeps the rank's core busy.
//! Computation on each other stream runs separately, one after the other within its stream. Sends
//! and receives use the rank's one core whatever their stream, and the NIC that the scenario gives
//! the rank whatever their `nic`.

mod binary;
mod text;
mod write;

pub use binary::COOKIE;
pub(crate) use binary::read as read_binary;
pub(crate) use text::read as read_text;
pub use write::{not_written, to_binary, to_text};

use philae_units::Picoseconds;

use crate::task::{TaskKind, TraceTask};
use philae_workload::Op;

/// Source or tag of a receive that matches any.
pub(crate) const ANY: u32 = u32::MAX;

/// Longest computation: 10^18 ps in nanoseconds.
const NANOSECONDS_MAX: u64 = crate::task::RANK_TIME_MAX.0 / 1_000;

/// A send, a receive or a computation, from either form.
fn task(kind: Kind, peer: u32, amount: u64, tag: u32) -> TraceTask {
    let bytes = philae_units::Bytes(amount);
    let known = |value: u32| (value != ANY).then_some(value);
    let op = match kind {
        Kind::Send => Op::Send { to: philae_units::RankId(peer), bytes, tag, class: None },
        Kind::Recv => Op::Recv { from: known(peer).map(philae_units::RankId), bytes, tag: known(tag) },
        Kind::Calc => Op::Compute { time: Picoseconds::from_nanos(amount) },
    };
    TraceTask::new(TaskKind::Op(op), Vec::new())
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Send,
    Recv,
    Calc,
}

/// Warnings about streams and NICs that are not honoured.
fn warnings(tasks: &[Vec<TraceTask>]) -> Vec<String> {
    let all = || tasks.iter().flatten();
    let mut warnings = Vec::new();
    let messages = all().filter(|task| task.cpu > 0 && !task.on_its_own_stream()).count();
    if messages > 0 {
        warnings.push(format!(
            "sends and receives on cpu streams other than 0: {messages}; a simulated rank has one core for messages"
        ));
    }
    let nics = all().filter(|task| task.nic > 0).count();
    if nics > 0 {
        warnings
            .push(format!("operations that name a nic other than 0: {nics}; the scenario says which NIC a rank uses"));
    }
    warnings
}
