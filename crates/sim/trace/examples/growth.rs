//! Makes a file of a format with about the given number of records, reads it and runs it without
//! time, to count instructions.
//!
//! `valgrind --tool=callgrind target/release/examples/growth smpi 10000`: for ten times the
//! records, the count may grow by slightly more than ten.

use std::fmt::Write;

use philae_trace::{TraceFile, TraceFormat, TraceOptions, import};
use philae_units::RankId;
use philae_workload::{Recording, SendMode, simulate_semantics};

/// Ranks of each file.
const RANKS: u64 = 4;

fn varint(mut value: u64) -> Vec<u8> {
    let mut bytes = Vec::new();
    while value >= 0x80 {
        bytes.push(value as u8 | 0x80);
        value >>= 7;
    }
    bytes.push(value as u8);
    bytes
}

fn number(field: u64, value: u64) -> Vec<u8> {
    [varint(field << 3), varint(value)].concat()
}

fn bytes(field: u64, value: &[u8]) -> Vec<u8> {
    [varint(field << 3 | 2), varint(value.len() as u64), value.to_vec()].concat()
}

fn attribute(name: &str, value: u64) -> Vec<u8> {
    bytes(10, &[bytes(1, name.as_bytes()), number(9, value)].concat())
}

/// A rank with messages to the next one, one after the other, and collective operations between
/// them.
fn chakra(rank: u64, nodes: u64) -> Vec<u8> {
    let message = |message: &[u8]| [varint(message.len() as u64), message.to_vec()].concat();
    let mut file = message(&bytes(1, b"0.0.4"));
    let peers = [("comm_dst", (rank + 1) % RANKS), ("comm_src", (rank + RANKS - 1) % RANKS)];
    for id in 1..=nodes / 3 * 3 {
        // Each rank sends before it receives.
        let kind = [5, 6, 7][((id + 2) % 3) as usize];
        let after = if id > 1 { number(5, id - 1) } else { Vec::new() };
        let rest = match kind {
            5 | 6 => attribute(peers[(kind - 5) as usize].0, peers[(kind - 5) as usize].1),
            _ => attribute("comm_type", 0),
        };
        file.extend(message(&[number(1, id), number(3, kind), after, rest, attribute("comm_size", 64)].concat()));
    }
    file
}

fn smpi(records: u64) -> String {
    let mut text = String::new();
    // Requests that stay open. The program waits for them in the opposite order to that in which it
    // made them.
    let each = records / RANKS / 4;
    for rank in 0..RANKS {
        let (next, before) = ((rank + 1) % RANKS, (rank + RANKS - 1) % RANKS);
        for tag in 0..each {
            let _ = writeln!(text, "{rank} irecv {before} {tag} 8 6\n{rank} isend {next} {tag} 8 6");
        }
        for tag in (0..each).rev() {
            let _ = writeln!(text, "{rank} wait {before} {rank} {tag}\n{rank} wait {rank} {next} {tag}");
        }
        let _ = writeln!(text, "{rank} allreduce 8 0");
    }
    text
}

fn goal(records: u64) -> String {
    let mut text = format!("num_ranks {RANKS}\n");
    let each = records / RANKS / 3;
    for rank in 0..RANKS {
        let (next, before) = ((rank + 1) % RANKS, (rank + RANKS - 1) % RANKS);
        let _ = writeln!(text, "rank {rank} {{");
        for at in 0..each {
            // The receiver takes the last message first.
            let _ =
                writeln!(text, "s{at}: send 8b to {next} tag {at}\nr{at}: recv 8b from {before} tag {}", each - 1 - at);
            if at > 0 {
                let _ = writeln!(text, "s{at} requires s{}", at - 1);
            }
        }
        text += "}\n";
    }
    text
}

fn htsim(records: u64) -> String {
    let (nodes, flows) = (64, records / 2);
    let mut text = format!("Nodes {nodes}\nConnections {flows}\nTriggers {}\n", flows - 1);
    for flow in 0..flows {
        let begin = if flow == 0 { "start 0".to_owned() } else { format!("trigger {flow}") };
        let end = if flow + 1 < flows { format!(" recv_done_trigger {}", flow + 1) } else { String::new() };
        let _ = writeln!(text, "{}->{} id {} {begin} size 1000{end}", flow % nodes, (flow + 1) % nodes, flow + 1);
    }
    (1..flows).for_each(|trigger| _ = writeln!(text, "trigger id {trigger} oneshot"));
    text
}

fn simai(records: u64) -> String {
    let head = "HYBRID_TRANSFORMER_FWD_IN_BCKWD model_parallel_NPU_group: 2 ep: 1 pp: 1 vpp: 1 ga: 1 all_gpus: 4";
    let mut text = format!("{head}\n{records}\n");
    (0..records).for_each(|layer| _ = writeln!(text, "l{layer} -1 5 ALLREDUCE 64 5 NONE 0 5 ALLREDUCE 64 5"));
    text
}

fn main() {
    let mut arguments = std::env::args().skip(1);
    let format = arguments.next().and_then(|name| TraceFormat::named(&name)).expect("the name of a format");
    let records: u64 = arguments.next().and_then(|count| count.parse().ok()).expect("a number of records");
    let one = |bytes: Vec<u8>| vec![TraceFile { name: "growth".to_owned(), bytes }];
    let files = match format {
        TraceFormat::Smpi => one(smpi(records).into()),
        TraceFormat::Goal => one(goal(records).into()),
        TraceFormat::GoalBinary => {
            let read =
                import(TraceFormat::Goal, &one(goal(records).into()), &TraceOptions::default()).expect("it is right");
            one(philae_trace::goal::to_binary(&read).expect("it has words for all of it"))
        }
        TraceFormat::Htsim => one(htsim(records).into()),
        TraceFormat::SimAi => one(simai(records).into()),
        TraceFormat::Chakra => (0..RANKS).flat_map(|rank| one(chakra(rank, records / RANKS))).collect(),
        TraceFormat::Provider => panic!("such a trace is written by a run"),
    };
    let schedule = import(format, &files, &TraceOptions::default()).expect("it is right");
    let programs = (0..schedule.ranks()).map(|rank| schedule.program(RankId(rank))).collect();
    let ranks = simulate_semantics(programs, SendMode::Eager, 1, u64::MAX).expect("it comes to its end");
    println!("{} ranks, {} messages", ranks.len(), ranks.iter().map(|rank| rank.sends).sum::<u64>());
}
