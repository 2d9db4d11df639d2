//! Time-independent traces as SimGrid's own tracer writes them (3.32 and 4.1).

use crate::common::{OPTIONS, parse};
use crate::formats::{run, tasks};
use philae_trace::{TaskKind, TraceFile, TraceFormat, TraceSchedule, import, listed_files, only_rank};
use philae_units::Bytes;
use philae_workload::{MESSAGE_BYTES_MAX, Op, Recording};

fn smpi(text: &str) -> TraceSchedule {
    parse(TraceFormat::Smpi, text).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

/// Both ranks' lines between init and finalize.
fn pair(first: &str, second: &str) -> String {
    let of = |rank: u32, lines: &str| {
        let lines: String = lines.lines().map(|line| format!("{rank} {line}\n")).collect();
        format!("{rank} init\n{lines}{rank} finalize\n")
    };
    format!("{}{}", of(0, first), of(1, second))
}

fn warnings(text: &str) -> String {
    smpi(text).warnings().join("\n")
}

/// The total bytes that each rank sends.
fn sent(text: &str) -> Vec<u64> {
    run(&smpi(text)).iter().map(|rank| rank.sent.0).collect()
}

#[test]
fn what_is_ordinary_is_read_without_a_word() {
    for (first, second, bytes) in [
        ("scatter 100 100 0 0 0", "scatter 0 100 0 -1 0", [800, 0]),
        // The receiver's type counts, and at the root the sender's.
        ("scatter 100 100 0 1 0", "scatter 0 50 0 -1 0", [400, 0]),
        ("gather 0 100 0 0 0", "gather 50 100 0 0 0", [0, 800]),
        // A size to receive of 0 is not written: size, root and both types remain.
        ("gather 10 10 0 0 0", "gather 10 0 0 -1", [0, 80]),
        ("gather 10 1 0 0", "gather 10 10 1 0 0", [80, 0]),
        ("gather 10 10 1 6", "gather 10 10 1 6", [10, 0]),
        ("scatterv 10 20 10 0 0 0", "scatterv 0 0 20 0 -1 0", [160, 0]),
        ("gatherv 10 10 20 0 0 0", "gatherv 20 0 0 0 0 0", [0, 160]),
        ("allgather 0 0 0", "allgather 0 0 0", [0, 0]),
        ("alltoall 0 0 0", "alltoall 0 0 0", [0, 0]),
        ("allgather 5 5 0 0", "allgather 5 5 0 0", [40, 40]),
        ("allgatherv 4 4 5 0 0", "allgatherv 5 4 5 0 0", [32, 40]),
        ("allgatherv 4 4 5 0 4", "allgatherv 5 4 5 0 4", [32, 40]),
        ("allgatherv 4 4 5 1 1 0 4", "allgatherv 5 4 5 1 1 0 4", [16, 20]),
        ("scan 100 0 0", "scan 100 0 0", [800, 800]),
        ("exscan 100 0 0", "exscan 100 0 0", [800, 800]),
        ("send 1 7 100 57", "recv 0 7 100 57", [100, 0]),
        ("send 1 7 100 59", "recv 0 7 100 59", [800, 0]),
        ("allreduce 4 0 32", "allreduce 4 0 32", [64, 64]),
        ("send 1 7 100 0", "recv -333 -444 100 0", [800, 0]),
        ("ISsend 1 7 100 0\nwait 0 1 7", "irecv 0 7 100 0\nwait 0 1 7", [800, 0]),
        ("Ssend 1 7 100 0", "irecv -333 7 100 0\nwait -333 1 7", [800, 0]),
        // The source is known once the request is over.
        ("send 1 7 100 0", "irecv -333 -444 100 0\nwait 0 1 7", [800, 0]),
        ("iallreduce 4 0 0\nwait -333 -333 -4446", "iallreduce 4 0 0\nwait 0 0 -4446", [32, 32]),
        ("ibcast 4 0 0\nialltoall 3 3 0 0\nwaitall 2", "ibcast 4 0 0\nialltoall 3 3 0 0\nwaitall 2", [56, 24]),
    ] {
        let text = pair(first, second);
        assert_eq!(warnings(&text), "", "{text}");
        assert_eq!(sent(&text), bytes, "{text}");
    }
}

#[test]
fn what_the_tracer_loses_is_told() {
    for (first, second, words, bytes) in [
        // Six elements of 8 B: the number of zeros is that of elements.
        ("reducescatter 0 0 0 0 0 0 0", "reducescatter 0 0 0 0 0 0 0", "MPI_Reduce_scatter_block", [48, 48]),
        // Two elements of 4 B for two ranks look like two sizes.
        ("reducescatter 0 0 1", "reducescatter 0 0 1", "MPI_Reduce_scatter_block", [8, 8]),
        ("send 1 0 3 -1", "recv 0 0 12 0", "1 messages and collective operations of derived datatypes", [0, 0]),
        ("bcast 2 0 -1", "bcast 8 0 0", "derived datatypes", [64, 0]),
        ("Startall\nwaitall 2", "Startall\nwaitall 2", "2 Startall", [0, 0]),
        ("isend 1 5 10 0\nwaitAny 1", "recv 0 5 10 0", "any of several requests", [80, 0]),
        ("testall", "testsome", "tests of requests", [0, 0]),
        ("IO - read 100", "IO - write 100", "2 reads and writes of files", [0, 0]),
        ("alltoallv 8 2 2 8 2 2 0 0", "alltoallv 8 3 2 8 2 2 0 0", "1 message of alltoallv", [16, 24]),
        ("send 1 7 100 0 5 5", "recv 0 7 100 0", "too many arguments", [800, 0]),
    ] {
        let text = pair(first, second);
        assert!(warnings(&text).contains(words), "{text}: {}", warnings(&text));
        assert_eq!(sent(&text), bytes, "{text}");
    }
}

#[test]
fn receives_of_no_process_are_nothing_and_those_of_any_source_are_received() {
    // Four ranks in a row exchange with both neighbours; those at the ends with MPI_PROC_NULL,
    // which is -333 as any source is.
    let neighbour = |rank: i32| if (0..4).contains(&rank) { rank } else { -333 };
    let mut text = String::new();
    for rank in 0..4 {
        let (up, down) = (neighbour(rank + 1), neighbour(rank - 1));
        for line in [
            format!("irecv {down} 3 10 0"),
            format!("irecv {up} 3 10 0"),
            format!("send {down} 3 10 0"),
            format!("isend {up} 3 10 0"),
        ] {
            text += &format!("{rank} {line}\n");
        }
        text += &format!("{rank} wait {down} {rank} 3\n{rank} wait {up} {rank} 3\n{rank} wait {rank} {up} 3\n");
    }
    assert_eq!(warnings(&text), "");
    assert_eq!(sent(&text), [80, 160, 160, 80]);
    // Both kinds on one rank cannot be distinguished.
    let mixed = pair("send 1 3 10 0", "irecv -333 3 10 0\nirecv -333 3 10 0\nwaitall 2");
    assert!(warnings(&mixed).contains("2 receives of rank -333"), "{}", warnings(&mixed));
    assert_eq!(sent(&mixed), [80, 0]);
}

#[test]
fn persistent_requests_have_bytes_and_receive_from_anybody() {
    let text = pair(
        "Start 0 4 80 0\nStart 1 4 80 0\nwait 1 0 4\nwait 0 1 4",
        "Start 1 4 80 0\nStart 0 4 80 0\nwait 0 1 4\nwait 1 0 4",
    );
    assert_eq!(warnings(&text), "");
    assert_eq!(sent(&text), [80, 80], "bytes, whatever the datatype");
}

#[test]
fn one_sided_operations_are_over_where_their_window_is_synchronised() {
    let text = pair("Win_fence\nPut 1 0 10 0\nGet 1 0 10 0\nWin_fence\ncompute 5", "Win_fence\nWin_fence");
    let schedule = smpi(&text);
    assert!(schedule.warnings().join("").contains("4 synchronisations of windows"), "{:?}", schedule.warnings());
    let own = tasks(&schedule, 0);
    assert!(matches!(own[0].what, TaskKind::Op(Op::Put { bytes: Bytes(80), .. })));
    assert!(matches!(own[1].what, TaskKind::Op(Op::Get { bytes: Bytes(80), .. })));
    assert_eq!(own[2].requires, [0, 1], "computation waits for both");
}

#[test]
fn operations_of_some_ranks_are_refused_with_the_reason() {
    for (text, words) in [
        // Two lists of two sizes in a world of four.
        (
            "0 allgatherv 4 4 5 0 0\n1 allgatherv 4 4 5 0 0\n2 allgatherv 5 4 5 0 0\n3 allgatherv 5 4 5 0 0\n",
            "has no communicator",
        ),
        ("0 gatherv 4 4 0 0\n1 barrier\n2 barrier\n3 barrier\n", "sizes of all 4 ranks"),
        ("0 barrier\n1 barrier\n2 init\n", "rank 2 does not"),
        ("0 bcast 8 0 0\n1 bcast 8 1 0\n", "has no communicator"),
        ("0 send 1 0 1 60\n1 init\n", "0 to 59"),
        ("0 send -7 0 1 0\n1 init\n", "-333 for any rank or none"),
    ] {
        let error = parse(TraceFormat::Smpi, text).expect_err(text).to_string();
        assert!(error.contains(words), "{text}: {error}");
    }
}

fn files(texts: &[&str]) -> Vec<TraceFile> {
    texts
        .iter()
        .enumerate()
        .map(|(at, text)| TraceFile { name: format!("app_rank{at}.txt"), bytes: text.as_bytes().to_vec() })
        .collect()
}

#[test]
fn a_rank_without_a_file_is_named_and_an_empty_file_is_a_rank() {
    let of = |texts: &[&str]| import(TraceFormat::Smpi, &files(texts), &OPTIONS);
    for (texts, words) in [
        (["0 barrier", "1 barrier", "3 barrier"].as_slice(), "rank 2 has no file"),
        (["1 barrier", "2 barrier"].as_slice(), "rank 0 has no file"),
        (["0 barrier", "4 barrier", "6 barrier"].as_slice(), "ranks 1, 2, 3, 5 have no file"),
    ] {
        let error = of(texts).expect_err(words).to_string();
        assert!(error.contains(words), "{error}");
    }
    let schedule = of(&["0 send 1 0 8\n", "1 recv 0 0 8\n", ""]).expect("rank 2 does nothing");
    assert_eq!(
        (schedule.ranks(), schedule.warnings().join("")),
        (3, "rank 2 has no action and does nothing".to_owned())
    );
    let schedule = of(&["0 send 2 0 8\n", "", "2 recv 0 0 8\n"]).expect("rank 1 does nothing");
    assert_eq!((schedule.ranks(), schedule.warnings().len()), (3, 1));
    // One file with all ranks: errors do not name files.
    assert!(warnings("0 init\n0 send 2 0 8\n2 recv 0 0 8\n").contains("rank 1 has no action"));
}

#[test]
fn line_ends_and_marks_of_other_systems_are_read() {
    let text = "\u{feff}0 init\r\n0 send 1 0 8\r\n1 recv 0 0 8\r\n";
    assert_eq!(TraceFormat::detect("t.txt", text.as_bytes()), Some(TraceFormat::Smpi));
    assert_eq!(sent(text), [8, 0]);
    assert_eq!(
        listed_files("\u{feff}a/b.txt\r\nc-1.txt\r\n".as_bytes()),
        Some(vec!["a/b.txt".into(), "c-1.txt".into()])
    );
}

#[test]
fn files_of_other_kinds_are_no_lists_and_no_ranks() {
    for text in [
        "BIN=../bin/sim\n",
        "9.216\n9.0\n",
        "PortSelect:......................1\n",
        "a,b\n",
        "one word\n",
        "...\n",
        "1e6\n",
    ] {
        assert_eq!(listed_files(text.as_bytes()), None, "{text}");
        assert_eq!(TraceFormat::detect("some.txt", text.as_bytes()), None, "{text}");
    }
    assert_eq!(only_rank(b"# c\n3 init\n3 send 1 0 8\n"), Some(3));
    for other in ["3 init\n4 init\n", "", "3 4\n3 5\n", "3 fly\n"] {
        assert_eq!(only_rank(other.as_bytes()), None, "{other}");
    }
}

#[test]
fn a_receiver_that_does_not_know_the_size_takes_any() {
    let schedule = smpi(&pair("send 1 0 100 0", "recv 0 0 -1 0"));
    assert!(matches!(tasks(&schedule, 1)[0].what, TaskKind::Op(Op::Recv { bytes: MESSAGE_BYTES_MAX, .. })));
}

#[test]
fn computation_that_needs_a_rate_is_counted() {
    assert_eq!(smpi("0 compute 1e6\n0 compute 0\n0 sleep 1\n0 allreduce 8 5\n").rated(), 2);
}

#[test]
fn two_runs_of_a_rank_are_refused_and_an_open_end_is_said() {
    let read = |text: &str| parse(TraceFormat::Smpi, text);
    let run = "0 init\n1 init\n0 send 1 0 8\n1 recv 0 0 8\n0 finalize\n1 finalize\n";
    let whole = read(run).expect("one run");
    assert_eq!(whole.warnings(), [""; 0]);
    for (text, words) in [
        (format!("{run}{run}"), "line 7: found a second `init` of rank 0, which has one in line 1"),
        ("0 init\n0 init\n0 compute 5\n".to_owned(), "line 2: found a second `init` of rank 0"),
        (
            "0 init\n0 finalize\n0 compute 5\n".to_owned(),
            "line 3: found an action of rank 0 after its `finalize` in line 2",
        ),
        ("0 init\n0 finalize\n0 finalize\n".to_owned(), "line 3: found an action of rank 0 after its `finalize`"),
    ] {
        let error = read(&text).expect_err("two runs").to_string();
        assert!(error.contains(words) && error.contains("two runs, one behind the other, are two traces"), "{error}");
    }
    // Notes of the tracer may follow the end.
    assert!(read("0 init\n0 compute 5\n0 finalize\n0 location a\n").is_ok());
    let cut = read("0 init\n1 init\n0 send 1 0 8\n1 recv 0 0 8\n0 finalize\n").expect("it may be whole");
    assert_eq!(cut.warnings(), ["rank 1 has `init` and no `finalize`: a trace that was cut looks the same"]);
    let open = read("0 compute 5000").expect("a line without its end");
    assert!(open.warnings()[0].starts_with("line 1, the last one, has no line end"), "{:?}", open.warnings());
    // A blank ends a number, and a number that ends all lines of its form is whole.
    for whole in ["0 compute 5000 ", "0 compute 50\n1 compute 50\n2 compute 50"] {
        assert_eq!(read(whole).expect("it is right").warnings(), [""; 0], "{whole}");
    }
    assert_eq!(read("0 compute 500\n1 compute 500\n2 compute 50").expect("it may be whole").warnings().len(), 1);
    assert_eq!(read(run.trim_end()).expect("only the line end is gone").warnings(), [""; 0]);
}
