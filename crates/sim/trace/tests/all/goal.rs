//! GOAL in and out.

use crate::common::{file, goal, parse, read};
use philae_trace::{TraceFile, TraceFormat, TraceOptions, TraceSchedule, goal as write, import, unroll};
use philae_units::RankId;
use philae_workload::{Recording, SendMode, Workload, WorkloadSpec, simulate_semantics};
use proptest::prelude::*;

fn again(bytes: Vec<u8>) -> TraceSchedule {
    let file = TraceFile { name: "written.bin".to_owned(), bytes };
    import(TraceFormat::GoalBinary, &[file], &TraceOptions::default()).expect("what was written reads back")
}

#[test]
fn text_and_binary_of_the_same_schedule_are_the_same_tasks() {
    let (text, binary) = (read("binary_tree_32.goal"), read("binary_tree_32.bin"));
    assert_eq!((text.format(), binary.format()), (TraceFormat::Goal, TraceFormat::GoalBinary));
    assert_eq!(text.tasks(), binary.tasks());
    assert_eq!(text.totals().sends, 31);
}

#[test]
fn what_is_written_is_byte_for_byte_what_others_wrote() {
    let (text, binary) = (file("binary_tree_32.goal").bytes, file("binary_tree_32.bin").bytes);
    let schedule = read("binary_tree_32.goal");
    assert!(write::to_binary(&schedule).expect("plain operations") == binary);
    let written = write::to_text(&read("binary_tree_32.bin")).expect("plain operations");
    assert_eq!(written.trim_end(), String::from_utf8(text).expect("text").trim_end());
}

#[test]
fn a_schedule_moves_its_data_whatever_the_timing() {
    for name in ["binary_tree_32.goal", "reduce8.goal", "streams.goal"] {
        let schedule = read(name);
        for (seed, mode) in [(1, SendMode::Eager), (2, SendMode::Rendezvous)] {
            let programs = (0..schedule.ranks()).map(|rank| schedule.program(RankId(rank))).collect();
            let ranks =
                simulate_semantics(programs, mode, seed, 10_000).unwrap_or_else(|error| panic!("{name}: {error}"));
            assert_eq!(ranks.iter().map(|rank| rank.receives).sum::<u64>(), schedule.totals().sends, "{name}");
        }
    }
}

#[test]
fn everything_that_the_grammar_has_is_read_and_written() {
    let schedule = read("streams.goal");
    assert_eq!(schedule.warnings().len(), 2, "{:?}", schedule.warnings());
    let text = goal(&write::to_text(&schedule).expect("plain operations"));
    assert_eq!(text.tasks(), schedule.tasks());
    assert_eq!(again(write::to_binary(&schedule).expect("plain operations")).tasks(), schedule.tasks());
}

#[test]
fn mistakes_are_named_with_their_line() {
    for (text, line, words) in [
        ("", "line 1", "num_ranks"),
        ("num_ranks 2\nrank 2 {\n}\n", "line 2", "\"2\""),
        ("num_ranks 1\nrank 0 {\nl1: send 5 to 0\n}\n", "line 3", "1024b"),
        ("num_ranks 1\nrank 0 {\nl1: calc 5\nl1 requires l2\n}\n", "line 4", "\"l2\""),
        ("num_ranks 1\nrank 0 {\nl1: calc 5\nl1: calc 5\n}\n", "line 4", "\"l1:\""),
        ("num_ranks 1\nrank 0 {\ncalc 5\n", "line 3", "}"),
        ("num_ranks 1\nrank 0 {\n/* calc 5\n}\n", "line 4", "*/"),
        ("num_ranks 1\nrank 0 {\n}\nrank 0 {\n}\n", "line 4", "second"),
        ("num_ranks 4294967296\n", "line 1", "at most"),
        ("num_ranks 1\nrank 0 {\nl1: calc 5 nic 1\n}\n", "line 3", "`cpu`"),
    ] {
        let error = parse(TraceFormat::Goal, text).expect_err(text).to_string();
        assert!(error.contains(line) && error.contains(words), "{text:?}: {error}");
    }
    let circle = "num_ranks 1\nrank 0 {\na: calc 1\nb: calc 1\na requires b\nb requires a\n}\n";
    let error = parse(TraceFormat::Goal, circle).expect_err("a circle").to_string();
    assert!(error.contains("cycle") && error.contains("rank 0"), "{error}");
    let lost = "num_ranks 2\nrank 0 {\nsend 1b to 7\n}\n";
    assert!(parse(TraceFormat::Goal, lost).expect_err("no rank 7").to_string().contains("rank 7"));
}

#[test]
fn computation_on_its_own_stream_runs_beside_the_core() {
    use philae_workload::{Action, Op, OpHandle};
    let schedule = goal("num_ranks 1\nrank 0 {\ncalc 10\ncalc 20 cpu 1\ncalc 30 cpu 1\ncalc 40 cpu 2\n}\n");
    let mut program = schedule.program(RankId(0));
    let mut actions = Vec::new();
    program.advance(None, &mut actions);
    let started = |actions: &mut Vec<Action>| -> Vec<(OpHandle, bool, u64)> {
        let found = std::mem::take(actions).into_iter().filter_map(|action| match action {
            Action::Start(handle, Op::Compute { time }) => Some((handle, true, time.0 / 1_000)),
            Action::Start(handle, Op::Delay { time }) => Some((handle, false, time.0 / 1_000)),
            _ => None,
        });
        found.collect()
    };
    let first = started(&mut actions);
    let spans: Vec<(bool, u64)> = first.iter().map(|&(_, on_core, time)| (on_core, time)).collect();
    assert_eq!(spans, [(true, 10), (false, 20), (false, 40)], "30 waits for its stream");
    program.advance(Some(first[1].0), &mut actions);
    assert_eq!(started(&mut actions).iter().map(|start| start.2).collect::<Vec<_>>(), [30]);
}

fn spec(text: &str) -> WorkloadSpec {
    toml::from_str(text).expect("a workload")
}

#[test]
fn workloads_are_written_out_with_the_same_messages() {
    for (text, ranks) in [
        ("kind = 'allreduce'\nbytes = '64KiB'\niterations = 2", 6),
        ("kind = 'alltoall'\nbytes = '1KiB'\niterations = 1", 8),
        ("kind = 'halo3d'\niterations = 2", 8),
        ("kind = 'sweep3d'\niterations = 1", 6),
        ("kind = 'barrier'\niterations = 3", 5),
        ("kind = 'uniform-random'\niterations = 20", 4),
    ] {
        let spec = spec(text);
        let programs = || (0..ranks).map(|rank| spec.program(RankId(rank), ranks, 3)).collect();
        let before = simulate_semantics(programs(), SendMode::Eager, 5, 100_000).expect("a workload of ours");
        let schedule = unroll(TraceFormat::Goal, programs(), 100_000).expect("messages only");
        let written = again(write::to_binary(&schedule).expect("messages only"));
        let programs = (0..ranks).map(|rank| written.program(RankId(rank))).collect();
        let after = simulate_semantics(programs, SendMode::Rendezvous, 6, 100_000).expect("what was written runs");
        for (before, after) in before.iter().zip(&after) {
            assert_eq!(before.sends + before.puts, after.sends, "{text}");
            assert_eq!(before.sent + before.put, after.sent, "{text}");
            assert_eq!(before.peers, after.peers, "{text}");
        }
    }
}

#[test]
fn what_goal_has_no_words_for_is_refused() {
    let spec = spec("kind = 'one-sided'\noperation = 'get'\niterations = 1");
    let programs = (0..2).map(|rank| spec.program(RankId(rank), 2, 1)).collect();
    let error = unroll(TraceFormat::Goal, programs, 1_000).expect_err("gets").to_string();
    assert!(error.contains("does get 8 B") && error.contains("would work"), "{error}");
    let endless = self::spec("kind = 'barrier'");
    let programs = (0..2).map(|rank| endless.program(RankId(rank), 2, 1)).collect();
    assert!(unroll(TraceFormat::Goal, programs, 1_000).expect_err("endless").to_string().contains("iterations"));
}

proptest! {
    #[test]
    fn any_schedule_reads_back_from_text_and_binary(
        operations in proptest::collection::vec((0_u8..3, 0_u32..4, 0_u64..1 << 40, any::<u32>(), 0_u8..3, 0_u8..3), 1..30),
        edges in proptest::collection::vec((0_u32..30, 0_u32..30, any::<bool>()), 0..40),
    ) {
        let mut text = String::from("num_ranks 4\nrank 2 {\n");
        for (number, (kind, peer, size, tag, cpu, nic)) in operations.iter().enumerate() {
            text += &match kind {
                0 => format!("a{number}: send {size}b to {peer} tag {} cpu {cpu} nic {nic}\n", tag / 2),
                1 => format!("a{number}: recv {size}b from {peer} tag {tag} cpu {cpu} nic {nic}\n"),
                _ => format!("a{number}: calc {} cpu {cpu}\n", size / 1_000),
            };
        }
        let mut seen = std::collections::BTreeSet::new();
        for (one, other, at_end) in edges {
            let (first, last) = (one.min(other), one.max(other));
            if first < last && (last as usize) < operations.len() && seen.insert((first, last, at_end)) {
                text += &format!("a{last} {} a{first}\n", if at_end { "requires" } else { "irequires" });
            }
        }
        text += "}\n";
        let schedule = goal(&text);
        let from_text = goal(&write::to_text(&schedule).expect("plain operations"));
        prop_assert_eq!(from_text.tasks(), schedule.tasks());
        // Lists of dependents are grouped by dependency: the order within a task's own list may
        // change.
        let sorted = |schedule: &TraceSchedule| -> Vec<Vec<philae_trace::TraceTask>> {
            let sort = |task: &philae_trace::TraceTask| {
                let mut task = task.clone();
                task.requires.sort_unstable();
                task.irequires.sort_unstable();
                task
            };
            schedule.tasks().expect("tasks").iter().map(|tasks| tasks.iter().map(sort).collect()).collect()
        };
        let binary = again(write::to_binary(&schedule).expect("plain operations"));
        prop_assert_eq!(sorted(&binary), sorted(&schedule));
    }
}

#[test]
fn what_goal_cannot_say_is_counted() {
    let text = "Nodes 2\n0->1 start 1500 size 8\n0->1 start 4000 size 8\n";
    let schedule = parse(TraceFormat::Htsim, text).expect("two flows").unrolled(1_000).expect("it ends");
    assert_eq!(
        write::not_written(&schedule),
        [
            "2 times rounded to nanoseconds, such as 1500 ps of rank 0: GOAL has no smaller unit",
            "2 delays written as computation, which keeps the core busy, such as 1500 ps of rank 0: GOAL has no delays",
        ]
    );
    assert_eq!(write::not_written(&goal("num_ranks 1\nrank 0 {\ncalc 5\n}\n")), [""; 0]);
}

#[test]
fn bytes_behind_the_last_rank_are_said() {
    let binary = write::to_binary(&goal("num_ranks 2\nrank 0 {\ncalc 5\n}\nrank 1 {\ncalc 6\n}\n")).expect("GOAL");
    assert_eq!(again(binary.clone()).warnings(), [""; 0]);
    let end = binary.len();
    let more = again([binary, vec![7; 3]].concat());
    assert_eq!(
        more.warnings(),
        [format!("3 bytes behind the part of the last rank, from byte {end} on, are not read")]
    );
}
