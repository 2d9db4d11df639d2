//! Writing GOAL, as text and in LogGOPSim's binary form.

use std::fmt::Write;
use std::sync::Arc;

use philae_units::counted;
use philae_workload::Op;

use super::ANY;
use super::binary::{COOKIE, HEADER, NODE, OFFSET_BASE, TABLE_ROW};
use crate::error::TraceError;
use crate::schedule::{RankWork, TraceSchedule};
use crate::task::{TaskKind, TraceTask};

/// A task in GOAL's terms.
struct Node {
    kind: u8,
    peer: u32,
    size: u64,
    tag: u32,
}

fn tasks<'a>(schedule: &'a TraceSchedule, format: &'static str) -> Result<&'a [Arc<[TraceTask]>], TraceError> {
    match &schedule.body {
        RankWork::Tasks { ranks, .. } => Ok(ranks),
        RankWork::Layers(_) => Err(refuse(format, 0, "goes through layers".to_owned())),
    }
}

fn refuse(format: &'static str, rank: usize, what: String) -> TraceError {
    let works = "a schedule of sends, receives and computation only would work".to_owned();
    TraceError::Inexpressible { format, rank: rank as u32, what, works }
}

fn node(task: &TraceTask, rank: usize, format: &'static str) -> Result<Node, TraceError> {
    if task.enough.is_some() {
        return Err(refuse(format, rank, "waits for a part of several operations".to_owned()));
    }
    match task.what {
        TaskKind::Op(Op::Send { to, bytes, tag, .. }) => Ok(Node { kind: 1, peer: to.0, size: bytes.0, tag }),
        TaskKind::Op(Op::Recv { from, bytes, tag }) => {
            let peer = from.map_or(ANY, |from| from.0);
            Ok(Node { kind: 2, peer, size: bytes.0, tag: tag.unwrap_or(ANY) })
        }
        // Whole nanoseconds, rounded to the nearest: GOAL has no smaller unit.
        TaskKind::Op(Op::Compute { time } | Op::Delay { time }) => {
            Ok(Node { kind: 3, peer: 0, size: time.0.saturating_add(500) / 1_000, tag: 0 })
        }
        TaskKind::Join => Ok(Node { kind: 3, peer: 0, size: 0, tag: 0 }),
        TaskKind::Op(op) => Err(refuse(format, rank, format!("does {op}"))),
        TaskKind::Call(_) => Err(refuse(format, rank, "takes part in a collective operation".to_owned())),
    }
}

/// What GOAL cannot say of a schedule's operations, one sentence each: a count and the first.
#[must_use]
pub fn not_written(schedule: &TraceSchedule) -> Vec<String> {
    let RankWork::Tasks { ranks, .. } = &schedule.body else { return Vec::new() };
    let all = || ranks.iter().enumerate().flat_map(|(rank, tasks)| tasks.iter().map(move |task| (rank, task)));
    let time = |task: &TraceTask| match task.what {
        TaskKind::Op(Op::Compute { time } | Op::Delay { time }) => Some(time),
        _ => None,
    };
    let with = |is: &dyn Fn(&TraceTask) -> bool| {
        let mut found = all().filter(|(_, task)| is(task));
        found.next().map(|(rank, task)| (rank, task, 1 + found.count()))
    };
    let mut lost = Vec::new();
    if let Some((rank, task, count)) = with(&|task| time(task).is_some_and(|time| time.0 % 1_000 != 0)) {
        let (times, first) = (counted(count, "time"), time(task).unwrap_or_default());
        lost.push(format!("{times} rounded to nanoseconds, such as {first} of rank {rank}: GOAL has no smaller unit"));
    }
    if let Some((rank, task, count)) = with(&|task| matches!(task.what, TaskKind::Op(Op::Delay { .. }))) {
        let (delays, first) = (counted(count, "delay"), time(task).unwrap_or_default());
        lost.push(format!(
            "{delays} written as computation, which keeps the core busy, such as {first} of rank {rank}: GOAL has no delays"
        ));
    }
    let has_class = |task: &TraceTask| matches!(task.what, TaskKind::Op(Op::Send { class: Some(_), .. }));
    if let Some((rank, _, count)) = with(&has_class) {
        let messages = counted(count, "message");
        lost.push(format!("the traffic class of {messages} left out, first of rank {rank}: GOAL has no classes"));
    }
    lost
}

/// Writes a schedule of sends, receives and computation as GOAL text.
///
/// # Errors
/// [`TraceError::Inexpressible`] for any other schedule; call [`unroll`](crate::unroll) first.
pub fn to_text(schedule: &TraceSchedule) -> Result<String, TraceError> {
    let ranks = tasks(schedule, "GOAL")?;
    let mut out = format!("num_ranks {}\n", ranks.len());
    let any = |value: u32| if value == ANY { "-1".to_owned() } else { value.to_string() };
    for (rank, tasks) in ranks.iter().enumerate() {
        let _ = write!(out, "\nrank {rank} {{\n");
        // A label must be defined above its use: a forward reference waits for its other end.
        let mut later: Vec<(u32, String)> = Vec::new();
        for (number, task) in tasks.iter().enumerate() {
            let label = number + 1;
            let Node { kind, peer, size, tag } = node(task, rank, "GOAL")?;
            let _ = match kind {
                1 => write!(out, "l{label}: send {size}b to {peer} tag {}", any(tag)),
                2 => write!(out, "l{label}: recv {size}b from {} tag {}", any(peer), any(tag)),
                _ => write!(out, "l{label}: calc {size}"),
            };
            if task.cpu > 0 {
                let _ = write!(out, " cpu {}", task.cpu);
            }
            if task.nic > 0 && kind != 3 {
                let _ = write!(out, " nic {}", task.nic);
            }
            out.push('\n');
            let dependencies = task.requires.iter().map(|on| ("requires", *on));
            for (word, on) in dependencies.chain(task.irequires.iter().map(|on| ("irequires", *on))) {
                let line = format!("l{label} {word} l{}\n", on + 1);
                if on as usize <= number { out += &line } else { later.push((on, line)) }
            }
        }
        later.iter().for_each(|(_, line)| out += line);
        out += "}\n";
    }
    Ok(out)
}

/// Writes a schedule of sends, receives and computation as binary GOAL.
///
/// # Errors
/// As [`to_text`].
pub fn to_binary(schedule: &TraceSchedule) -> Result<Vec<u8>, TraceError> {
    let ranks = tasks(schedule, "binary GOAL")?;
    let all = || ranks.iter().flat_map(|tasks| tasks.iter());
    let mut out = Vec::new();
    out.extend(COOKIE.to_le_bytes());
    out.extend((ranks.len() as u32).to_le_bytes());
    out.push(all().map(|task| task.cpu).max().unwrap_or(0));
    out.push(all().map(|task| task.nic).max().unwrap_or(0));
    out.resize(HEADER + TABLE_ROW * ranks.len(), 0);
    for (rank, tasks) in ranks.iter().enumerate() {
        let start = (out.len() - OFFSET_BASE) as u64;
        write_rank(&mut out, rank, tasks)?;
        let end = (out.len() - OFFSET_BASE) as u64;
        let row = HEADER + TABLE_ROW * rank;
        out[row..row + 8].copy_from_slice(&start.to_le_bytes());
        out[row + 8..row + 16].copy_from_slice(&end.to_le_bytes());
    }
    Ok(out)
}

fn write_rank(out: &mut Vec<u8>, rank: usize, tasks: &[TraceTask]) -> Result<(), TraceError> {
    let mut dependents = vec![[Vec::new(), Vec::new()]; tasks.len()];
    for (number, task) in (0_u32..).zip(tasks) {
        task.requires.iter().for_each(|&on| dependents[on as usize][0].push(number));
        task.irequires.iter().for_each(|&on| dependents[on as usize][1].push(number));
    }
    let waits = |task: &TraceTask| (task.requires.len() + task.irequires.len()) as u32;
    let roots: Vec<u32> = (0..).zip(tasks).filter(|(_, task)| waits(task) == 0).map(|(number, _)| number).collect();
    let mut put = |value: u32| out.extend(value.to_le_bytes());
    put(tasks.len() as u32);
    put(roots.len() as u32);
    roots.into_iter().for_each(put);
    let mut listed = 0_u32;
    out.reserve(tasks.len() * NODE);
    for (task, lists) in tasks.iter().zip(&dependents) {
        let Node { kind, peer, size, tag } = node(task, rank, "binary GOAL")?;
        out.extend(waits(task).to_le_bytes());
        out.push(kind);
        out.extend(peer.to_le_bytes());
        out.extend(size.to_le_bytes());
        out.extend(tag.to_le_bytes());
        out.extend([task.cpu, task.nic]);
        for list in lists {
            out.extend((list.len() as u32).to_le_bytes());
            out.extend(listed.to_le_bytes());
            listed += list.len() as u32;
        }
    }
    dependents.iter().flatten().flatten().for_each(|entry| out.extend(entry.to_le_bytes()));
    Ok(())
}
