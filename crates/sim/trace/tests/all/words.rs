//! The wait of a rank, in the words of its file.

use crate::chakra_file::{attribute, node, trace};
use crate::common::{OPTIONS, goal, parse};
use crate::formats::chakra;
use philae_trace::{TraceFile, TraceFormat, TraceSchedule, import};
use philae_units::RankId;
use philae_workload::{Recording, SendMode, simulate_semantics};

fn deadlock(schedule: &TraceSchedule, mode: SendMode) -> String {
    let programs = (0..schedule.ranks()).map(|rank| schedule.program(RankId(rank))).collect();
    simulate_semantics(programs, mode, 1, 100_000).expect_err("it stops").to_string()
}

#[test]
fn a_deadlock_is_told_with_rank_line_operation_partner_and_tag() {
    let text = "num_ranks 2\nrank 0 {\n// first\nl1: recv 8b from 1 tag 5\nl2: send 8b to 1 tag 5\nl2 requires l1\n}\n\
        rank 1 {\nl1: recv 8b from 0 tag 5\nl2: send 8b to 0 tag 5\nl2 requires l1\n}\n";
    let found = deadlock(&goal(text), SendMode::Eager);
    assert_eq!(found, "deadlock: 2 of 2 ranks wait; rank 0 waits in line 4: recv 8 B from rank 1, tag 5");
    // Streams of the core make it another kind of program.
    let found = deadlock(&goal(&text.replace("// first", "calc 5 cpu 1")), SendMode::Eager);
    assert!(found.ends_with("rank 0 waits in line 4: recv 8 B from rank 1, tag 5"), "{found}");
    let smpi =
        parse(TraceFormat::Smpi, "0 send 1 3 8\n0 recv 1 3 8\n1 send 0 3 8\n1 recv 0 3 8\n").expect("head to head");
    assert!(deadlock(&smpi, SendMode::Rendezvous).ends_with("rank 0 waits in line 1: send 8 B to rank 1, tag 3"));
    let any = parse(TraceFormat::Smpi, "0 init\n1 recv -333 -444 -1\n").expect("any");
    assert!(deadlock(&any, SendMode::Eager).ends_with("rank 1 waits in line 2: recv from any rank, any tag"));
    let stuck =
        parse(TraceFormat::Smpi, "0 recv 1 0 8\n0 allreduce 8 0\n1 allreduce 8 0\n1 send 0 0 8\n").expect("crossed");
    let found = deadlock(&stuck, SendMode::Eager);
    assert!(found.contains("rank 0 waits in line 1: recv 8 B from rank 1, tag 0"), "{found}");
    let collective = parse(TraceFormat::Smpi, "0 recv 1 0 8\n0 barrier\n1 barrier\n2 barrier\n").expect("alone");
    assert!(deadlock(&collective, SendMode::Eager).contains("3 of 3 ranks wait"));
}

#[test]
fn files_of_ranks_and_nodes_are_named() {
    let files = ["0 init\n0 recv 1 0 8\n", "1 init\n1 recv 0 0 8\n"];
    let file = |(at, text): (usize, &&str)| TraceFile {
        name: format!("/folder/app_rank{at}.txt"),
        bytes: text.as_bytes().to_vec(),
    };
    let files: Vec<TraceFile> = files.iter().enumerate().map(file).collect();
    let schedule = import(TraceFormat::Smpi, &files, &OPTIONS).expect("two files");
    assert!(deadlock(&schedule, SendMode::Eager).contains("line 2 of app_rank0.txt: recv 8 B from rank 1, tag 0"));
    let receives =
        |peer: u64| trace("", &[node(17, 6, &[], &[attribute("comm_size", 9, 8), attribute("comm_src", 9, peer)])]);
    let schedule = chakra(vec![receives(1), receives(0)]).expect("two ranks");
    assert!(deadlock(&schedule, SendMode::Eager).contains("node 17 of t.0.et: recv 8 B from rank 1, tag 0"));
}
