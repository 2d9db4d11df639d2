//! All formats except GOAL: what is read, its translation, what is refused.

use crate::chakra_file::{attribute, node, number, text_attribute, trace};
use crate::common;
use crate::common::{file, parse, read};
use philae_trace::{TaskKind, TraceError, TraceFile, TraceFormat, TraceOptions, TraceSchedule, TraceTask, import};
use philae_units::{Bytes, RankId};
use philae_workload::{Op, RankSummary, Recording, SendMode, simulate_semantics};

/// Runs a schedule without time, whatever the order of completions.
pub fn run(schedule: &TraceSchedule) -> Vec<RankSummary> {
    let programs = || (0..schedule.ranks()).map(|rank| schedule.program(RankId(rank))).collect();
    let ranks =
        simulate_semantics(programs(), SendMode::Eager, 1, 10_000_000).unwrap_or_else(|error| panic!("{error}"));
    let again =
        simulate_semantics(programs(), SendMode::Rendezvous, 99, 10_000_000).unwrap_or_else(|error| panic!("{error}"));
    let sent = |ranks: &[RankSummary]| ranks.iter().map(|rank| (rank.sends, rank.sent)).collect::<Vec<_>>();
    assert_eq!(sent(&ranks), sent(&again), "what is sent does not depend on the order of completions");
    ranks
}

pub fn tasks(schedule: &TraceSchedule, rank: usize) -> &[TraceTask] {
    &schedule.tasks().expect("a schedule of tasks")[rank]
}

#[test]
fn flows_are_puts_and_start_times_are_delays() {
    let schedule = read("incast.cm");
    assert_eq!((schedule.ranks(), schedule.totals().puts), (16, 15));
    assert!(schedule.warnings().is_empty());
    assert_eq!(run(&schedule)[3].put, Bytes(2_000_000));
    let timed = read("triggers.cm");
    let delays: Vec<u64> = tasks(&timed, 3)
        .iter()
        .filter_map(|task| match task.what {
            TaskKind::Op(Op::Delay { time }) => Some(time.0),
            _ => None,
        })
        .collect();
    assert_eq!(delays, [1_000_000, 1_000_000], "one behind the other: at 1 us and at 2 us");
}

#[test]
fn triggers_start_flows_on_their_own_rank_without_and_on_others_with_a_message() {
    let schedule = read("triggers.cm");
    assert!(
        schedule.warnings().iter().any(|warning| warning.contains("of 8 B; in htsim they reach them immediately")),
        "{:?}",
        schedule.warnings()
    );
    assert!(schedule.warnings().iter().any(|warning| warning.contains("priority")));
    let flow = tasks(&schedule, 0)
        .iter()
        .position(|task| matches!(task.what, TaskKind::Op(Op::Put { bytes: Bytes(1_000), .. })));
    let waits = &tasks(&schedule, 0)[flow.expect("flow 2 is on rank 0")].requires;
    assert!(
        waits.iter().all(|&on| tasks(&schedule, 0)[on as usize].what == TaskKind::Join),
        "a local trigger has no message"
    );
    let ranks = run(&schedule);
    let sent: Vec<u64> = ranks.iter().map(|rank| rank.put.0 + rank.sent.0).collect();
    // Flows of each rank, and 8 bytes for every trigger that goes to another one.
    for (rank, flows) in [21_000, 905, 901, 1_100, 700, 800].into_iter().enumerate() {
        assert!(
            sent[rank] >= flows && (sent[rank] - flows).is_multiple_of(8),
            "rank {rank}: {} of {flows}",
            sent[rank]
        );
    }
}

#[test]
fn a_multishot_trigger_starts_one_flow_for_each_activation() {
    let text = "Nodes 3\nConnections 4\nTriggers 1\n0->1 start 0 size 10 send_done_trigger 1\n\
        0->1 trigger 1 size 20 send_done_trigger 1\n0->1 trigger 1 size 30 send_done_trigger 1\n0->2 trigger 1 size 40\n\
        trigger id 1 multishot\n";
    let schedule = parse(TraceFormat::Htsim, text).expect("a chain");
    assert!(schedule.warnings().is_empty(), "{:?}", schedule.warnings());
    let mut program = schedule.program(RankId(0));
    let (mut actions, mut sizes) = (Vec::new(), Vec::new());
    let mut progress = program.advance(None, &mut actions);
    while progress == philae_workload::Progress::Running {
        let started: Vec<_> = std::mem::take(&mut actions)
            .into_iter()
            .filter_map(|action| match action {
                philae_workload::Action::Start(handle, Op::Put { bytes, .. }) => Some((handle, bytes.0)),
                _ => None,
            })
            .collect();
        assert_eq!(started.len(), 1, "one at a time");
        sizes.push(started[0].1);
        progress = program.advance(Some(started[0].0), &mut actions);
    }
    assert_eq!(sizes, [10, 20, 30, 40]);
}

#[test]
fn a_matrix_that_cannot_run_is_refused() {
    for (text, words) in [
        ("Nodes 2\n0->5 start 0 size 1\n", "line 2"),
        ("Nodes 2\n0->1 size 1\n", "no start"),
        ("Nodes 2\n0->1 start 0\n", "no size"),
        ("Nodes 2\nConnections 2\n0->1 start 0 size 1\n", "1 flows"),
        ("Nodes 2\n0->1 trigger 4 size 1\n", "trigger 4"),
        ("Nodes 2\n0->1 trigger 4 size 1\ntrigger id 4 oneshot\n", "never start"),
        ("Nodes 2\ntrigger id 4 barrier\n", "count"),
        ("0->1 start 0 size 1\n", "`Nodes`"),
        // Circles name lines of the file: flows, and triggers between them.
        (
            "Nodes 2\n0->1 trigger 4 size 1 send_done_trigger 4\ntrigger id 4 oneshot\n",
            "cycle: line 2 -> line 3 -> line 2",
        ),
        ("Nodes 2\n0->1 start 0 size 10 size 20\n", "a second `size`"),
        ("Nodes 2\nNodes 3\n0->1 start 0 size 10\n", "a second `Nodes`"),
    ] {
        let error = parse(TraceFormat::Htsim, text).expect_err(text).to_string();
        assert!(error.contains(words), "{text}: {error}");
    }
}

#[test]
fn every_action_of_a_time_independent_trace_runs() {
    let schedule = read("actions.txt");
    assert_eq!(schedule.ranks(), 4);
    assert_eq!(schedule.warnings().len(), 1, "a test of a request: {:?}", schedule.warnings());
    let ranks = run(&schedule);
    let totals = schedule.totals();
    assert_eq!((totals.sends, totals.calls), (4, 4 * 13));
    // Its own, and at least one to or from each other rank in each collective operation.
    assert!(ranks.iter().map(|rank| rank.sends).sum::<u64>() >= 4 + 3 * 13);
    let computed: u64 = tasks(&schedule, 0)
        .iter()
        .filter_map(|task| match task.what {
            TaskKind::Op(Op::Compute { time }) => Some(time.0),
            _ => None,
        })
        .sum();
    // 250,000 operations, 1,000 of the reduce and 1,000 of the reduce-scatter, at 10^9 a second.
    assert_eq!(computed, 252_000_000);
}

#[test]
fn a_trace_in_several_files_is_the_same_trace() {
    let whole = file("actions.txt");
    let text = String::from_utf8(whole.bytes.clone()).expect("text");
    let parts: Vec<TraceFile> = (0..4)
        .map(|rank| {
            let own = text.lines().filter(|line| line.starts_with(&format!("{rank} ")));
            TraceFile {
                name: format!("rank-{rank}"),
                bytes: own.map(|line| format!("{line}\n")).collect::<String>().into(),
            }
        })
        .collect();
    let parts = import(TraceFormat::Smpi, &parts, &common::OPTIONS).expect("four files");
    assert_eq!(parts.tasks(), read("actions.txt").tasks());
    assert_eq!(
        philae_trace::listed_files(b"a/rank0.txt\na/rank1.txt\n"),
        Some(vec!["a/rank0.txt".into(), "a/rank1.txt".into()])
    );
    assert_eq!(philae_trace::listed_files(&whole.bytes), None);
}

#[test]
fn ranks_that_disagree_are_refused() {
    for (text, words) in [
        ("0 barrier\n1 allreduce 8 0\n", "all ranks have the same operations"),
        ("0 barrier\n1 compute 1\n", "expected it on all 2 ranks"),
        ("0 allreduce 8 0\n1 allreduce 16 0\n", "line 2"),
        ("0 send 1 0 1e30\n1 recv 0 0 1\n", "a size"),
        ("0 fly 1\n", "an action"),
        ("0 send 7 0 1\n", "the receiver"),
        ("0 send 0 0 1 99\n", "a datatype"),
    ] {
        let error = parse(TraceFormat::Smpi, text).expect_err(text).to_string();
        assert!(error.contains(words), "{text}: {error}");
    }
    let file = TraceFile { name: "t".to_owned(), bytes: b"0 compute 5\n".to_vec() };
    let error = import(TraceFormat::Smpi, &[file], &TraceOptions::default()).expect_err("no rate").to_string();
    assert!(error.contains("flops_per_second"), "{error}");
}

#[test]
fn layers_run_on_every_rank_among_the_right_ones() {
    let schedule = read("layers.txt");
    assert_eq!(schedule.ranks(), 16);
    assert_eq!(schedule.warnings().len(), 1, "stages: {:?}", schedule.warnings());
    let ranks = run(&schedule);
    // 2 tensor-parallel, 4 data-parallel, 2 stages: no rank sends to the other stage.
    for (rank, summary) in ranks.iter().enumerate() {
        assert!(summary.peers.keys().all(|peer| peer.index() / 8 == rank / 8), "rank {rank}: {:?}", summary.peers);
    }
    let micro = read("microAllReduce.txt");
    let ranks = run(&micro);
    // Two allreduces, whose algorithm moves twice the vector except for a part of it.
    assert_eq!(ranks[0].sent.0, 2 * 7 * (16_777_216 + 67_108_864) / 8);
}

pub fn chakra(files: Vec<Vec<u8>>) -> Result<TraceSchedule, TraceError> {
    let files: Vec<TraceFile> =
        files.into_iter().enumerate().map(|(rank, bytes)| TraceFile { name: format!("t.{rank}.et"), bytes }).collect();
    import(TraceFormat::Chakra, &files, &common::OPTIONS)
}

#[test]
fn one_collective_of_eight_files_is_one_operation() {
    let files: Vec<TraceFile> = (0..8).map(|rank| file(&format!("all_reduce_8npus_1MB.{rank}.et"))).collect();
    assert_eq!(TraceFormat::detect(&files[0].name, &files[0].bytes), Some(TraceFormat::Chakra));
    let schedule = import(TraceFormat::Chakra, &files, &TraceOptions::default()).expect("their example");
    assert!(schedule.warnings().is_empty(), "{:?}", schedule.warnings());
    for rank in run(&schedule) {
        assert_eq!(rank.sent.0, 2 * 7 * 1_048_576 / 8);
    }
}

#[test]
fn nodes_of_all_kinds_with_numbers_of_any_type() {
    let rank = |peer: u64| {
        trace(
            "1.0.2-chakra.9.9.9",
            &[
                node(0, 4, &[], &[number(7, 3)]),
                node(1, 4, &[0], &[attribute("num_ops", 13, 5_000), attribute("is_cpu_op", 27, 0)]),
                node(
                    2,
                    5,
                    &[0],
                    &[attribute("comm_size", 7, 100), attribute("comm_dst", 11, peer), attribute("comm_tag", 9, 4)],
                ),
                node(
                    3,
                    6,
                    &[0],
                    &[attribute("comm_size", 9, 100), attribute("comm_src", 7, peer), attribute("comm_tag", 7, 4)],
                ),
                node(
                    4,
                    7,
                    &[1, 2, 3],
                    &[attribute("comm_type", 9, 2), attribute("comm_size", 13, 64), text_attribute("pg_name", "pair")],
                ),
                node(5, 2, &[4], &[attribute("tensor_size", 13, 1_000)]),
                node(6, 99, &[5], &[]),
                node(7, 1, &[6], &[]),
            ],
        )
    };
    let schedule = chakra(vec![rank(1), rank(0)]).expect("a trace of ours");
    let warnings = schedule.warnings().join("\n");
    for part in ["schema version", "type 99", "memory_bytes_per_second"] {
        assert!(warnings.contains(part), "{warnings}");
    }
    let own = tasks(&schedule, 0);
    assert_eq!(own[0].what, TaskKind::Op(Op::Compute { time: philae_units::Picoseconds::from_micros(3) }));
    assert_eq!(
        (own[1].cpu, own[4].requires.as_slice()),
        (1, [1, 2, 3].as_slice()),
        "the accelerator computes beside the core"
    );
    let ranks = run(&schedule);
    assert_eq!((ranks[0].sends, ranks[0].sent.0), (2, 164), "a message and a part of the allgather");
}

#[test]
fn sends_do_not_wait_for_receives_that_come_after_them() {
    let rank = |peer: u64| {
        let message = |name: &str| [attribute("comm_size", 9, 1 << 20), attribute(name, 7, peer)];
        trace(
            "0.0.4",
            &[
                node(1, 5, &[], &message("comm_dst")),
                node(2, 5, &[1], &message("comm_dst")),
                node(3, 6, &[2], &message("comm_src")),
                node(4, 6, &[3], &message("comm_src")),
            ],
        )
    };
    let ranks = run(&chakra(vec![rank(1), rank(0)]).expect("two ranks"));
    assert_eq!((ranks[0].sends, ranks[0].receives), (2, 2), "also where every send waits for its receive");
}

#[test]
fn groups_take_part_in_their_own_collectives() {
    let part = |group: &str| {
        let rest = [attribute("comm_type", 9, 0), attribute("comm_size", 9, 1 << 20), text_attribute("pg_name", group)];
        trace("0.0.4", &[node(1, 7, &[], &rest)])
    };
    let schedule = chakra(vec![part("even"), part("odd"), part("even"), part("odd")]).expect("two groups");
    for (rank, summary) in run(&schedule).iter().enumerate() {
        assert!(summary.peers.keys().all(|peer| peer.index() % 2 == rank % 2) && summary.sends > 0);
    }
}

/// The feeder of Chakra takes nodes by their dependencies, whatever their order in the file.
#[test]
fn collectives_are_counted_by_dependencies_not_by_their_place_in_the_file() {
    let part = |id: u64, after: &[u64], bytes: u64| {
        node(id, 7, after, &[attribute("comm_type", 9, 0), attribute("comm_size", 9, bytes)])
    };
    let (first, second) = (part(1, &[], 4_096), part(2, &[1], 8_192));
    let forwards = trace("0.0.4", &[first.clone(), second.clone()]);
    let backwards = trace("0.0.4", &[second, first]);
    let plain = run(&chakra(vec![forwards.clone(), forwards.clone()]).expect("one order"));
    let mixed = run(&chakra(vec![forwards, backwards]).expect("the same graph in another order"));
    assert_eq!(plain[1].sent, mixed[1].sent);
    // Independent ones go by their ids.
    let (low, high) = (part(1, &[], 4_096), part(2, &[], 8_192));
    let by_id = chakra(vec![trace("", &[low.clone(), high.clone()]), trace("", &[high, low])]).expect("ids count");
    assert_eq!(run(&by_id)[0].sent, plain[0].sent);
}

#[test]
fn a_root_that_a_node_names_is_the_root_and_kinds_may_be_text() {
    let part = |root: u64| {
        let rest =
            [text_attribute("comm_type", "BROADCAST"), attribute("comm_size", 9, 64), attribute("root", 9, root)];
        trace("", &[node(1, 7, &[], &rest)])
    };
    let schedule = chakra(vec![part(1), part(1)]).expect("two ranks");
    assert!(schedule.warnings().is_empty(), "{:?}", schedule.warnings());
    let ranks = run(&schedule);
    assert_eq!((ranks[0].sends, ranks[1].sends), (0, 1), "rank 1 sends");
    let error = chakra(vec![part(0), part(1)]).expect_err("two roots").to_string();
    assert!(error.contains("all ranks of a group have the same operations"), "{error}");
}

#[test]
fn nothing_of_a_node_is_left_out_in_silence() {
    let message = [attribute("comm_size", 9, 8), attribute("comm_dst", 9, 1), attribute("comm_src", 9, 1)];
    let receive = [attribute("comm_size", 9, 8), attribute("comm_src", 9, 0)];
    let files = vec![trace("", &[node(1, 5, &[], &message)]), trace("", &[node(1, 6, &[], &receive)])];
    let warnings = chakra(files).expect("a message").warnings().join("\n");
    assert!(warnings.contains("comm_src of a message differs from the file"), "{warnings}");
    let empty = chakra(vec![trace("", &[])]).expect("no node").warnings().join("\n");
    assert!(empty.contains("files without a node"), "{empty}");
}

#[test]
fn a_wrong_trace_is_refused_at_its_byte() {
    let coll = |kind: u64| node(1, 7, &[], &[attribute("comm_type", 9, kind), attribute("comm_size", 9, 8)]);
    let headless = trace("", &[node(1, 4, &[], &[])]).split_off(trace("", &[]).len());
    for (files, words) in [
        (vec![trace("", &[node(1, 4, &[9], &[])])], "data depend on node 9"),
        (vec![headless], "byte 0: found a node without metadata before it; expected a trace of Chakra"),
        (vec![trace("", &[node(1, 4, &[2], &[]), node(2, 4, &[1], &[])])], "cycle"),
        (vec![trace("", &[node(1, 4, &[], &[]), node(1, 4, &[], &[])])], "second time"),
        (vec![trace("", &[node(1, 5, &[], &[])])], "no comm_size"),
        (vec![trace("", &[coll(0)]), trace("", &[coll(6)])], "all ranks of a group have the same operations"),
        (vec![trace("", &[coll(0)]), trace("", &[])], "on all ranks, or a pg_name"),
        (vec![trace("", &[coll(77)])], "comm_type 77"),
        (vec![trace("", &[node(1, 7, &[], &[text_attribute("comm_type", "ALLREDUCE")])])], "one of ALL_REDUCE"),
        (vec![trace("", &[node(1, 4, &[], &[attribute("num_ops", 9, -10_i64 as u64)])])], "num_ops -10"),
        (vec![vec![2, 8, 1]], "GlobalMetadata first"),
        (vec![trace("", &[])[..0].to_vec()], "an empty file"),
        (vec![vec![0xff; 12]], "byte 0"),
        (vec![vec![0x7f, 1, 2]], "a message of 127 bytes"),
    ] {
        let error = chakra(files).expect_err(words).to_string();
        assert!(error.contains(words), "{words}: {error}");
    }
}

#[test]
fn distributions_of_sizes_are_read_with_their_line() {
    let read = |text: &str| philae_trace::read_sizes(&TraceFile { name: "sizes".to_owned(), bytes: text.into() });
    assert_eq!(read("0 0\n10 6.48826\n1e3 100\n").expect("three points")[1].billionths, 64_882_600);
    assert!(read("0 0\n10 60\n20 50\n").expect_err("it falls").to_string().contains("line 3"));
    assert!(read("0 0\n10 60\n").expect_err("not all").to_string().contains("100"));
}
