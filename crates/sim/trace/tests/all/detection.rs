//! The format of a file: by its content first, then by its name.

use crate::chakra_file::{node, trace};
use crate::common::{OPTIONS, goal};
use philae_trace::{TraceFile, TraceFormat, goal, import, listed_files, other_kind};

const GOAL: &str = "num_ranks 1\nrank 0 {\ncalc 5\n}\n";
const MATRIX: &str = "Nodes 2\nConnections 1\n0->1 start 0 size 1\n";
const SMPI: &str = "0 init\n0 compute 5\n";

#[test]
fn content_goes_before_a_misleading_name() {
    let chakra = trace("0.0.4", &[node(1, 4, &[], &[])]);
    let binary = goal::to_binary(&goal(GOAL)).expect("binary GOAL");
    for name in ["a.et", "a.goal", "a.cm", "a.topo", "a.toml", "a.txt", "a", "a.et.gz"] {
        for (bytes, format) in [
            (GOAL.as_bytes(), TraceFormat::Goal),
            (MATRIX.as_bytes(), TraceFormat::Htsim),
            (SMPI.as_bytes(), TraceFormat::Smpi),
            (&chakra, TraceFormat::Chakra),
            (&binary, TraceFormat::GoalBinary),
        ] {
            assert_eq!(TraceFormat::detect(name, bytes), Some(format), "{name}");
        }
        for text in ["<graphml>", "Switch 2 \"S-1\"\n", "cable_id;src_conn_a\n", "PAR1", "[JOB_ID] 1\n"] {
            assert_eq!(TraceFormat::detect(name, text.as_bytes()), None, "{name}: {text}");
            assert!(other_kind(name, text.as_bytes()).is_some(), "{text}");
        }
    }
    // A file that shows nothing is what its name says, so that its error is that of the format.
    for (name, format) in
        [("a.et", TraceFormat::Chakra), ("a.goal", TraceFormat::Goal), ("a.cm.gz", TraceFormat::Htsim)]
    {
        assert_eq!(TraceFormat::detect(name, b"some words\n"), Some(format), "{name}");
    }
    assert_eq!(TraceFormat::detect("a.txt", b"some words\n"), None);
}

#[test]
fn lists_of_files_have_absolute_paths_and_blanks() {
    for text in ["/scratch/me/x_0.txt\n/scratch/me/x_1.txt\n", "my traces/rank 0.txt\nmy traces/rank 1.txt\n"] {
        assert_eq!(listed_files(text.as_bytes()).map(|names| names.len()), Some(2), "{text}");
        assert_eq!(TraceFormat::detect("list", text.as_bytes()), Some(TraceFormat::Smpi), "{text}");
    }
    for text in ["some words of prose.\n", "0 send 1 0 1.5\n", "x = 1.5 a.b\n", "rank 0 {\n", "a trace\n"] {
        assert_eq!(listed_files(text.as_bytes()), None, "{text}");
    }
}

#[test]
fn a_rank_in_two_files_is_refused_with_both() {
    let read = |texts: &[&str]| {
        let file = |(at, text): (usize, &&str)| TraceFile { name: format!("rank-{at}.txt"), bytes: (*text).into() };
        let files: Vec<TraceFile> = texts.iter().enumerate().map(file).collect();
        import(TraceFormat::Smpi, &files, &OPTIONS).map_err(|error| error.to_string())
    };
    let [zero, one] = ["0 send 1 0 8\n", "# another run\n1 recv 0 0 8\n"];
    assert_eq!(read(&[zero, one]).expect("a file of each rank").totals().ranks, 2);
    for (files, words) in [
        (&[zero, one, one][..], "'rank-2.txt', line 2: found rank 1, which 'rank-1.txt' also has"),
        (&[zero, zero, one, one], "'rank-1.txt', line 1: found rank 0, which 'rank-0.txt' also has"),
        // Also where a file has several ranks.
        (&["0 send 1 0 8\n1 recv 0 0 8\n", one], "rank 1, which 'rank-0.txt' also has"),
    ] {
        let error = read(files).expect_err("a rank twice");
        assert!(error.contains(words), "{error}");
    }
}

#[test]
fn fractions_of_elements_are_refused() {
    for action in ["send 1 0 10.5", "allreduce 10.5 0", "recv 1 0 0.5", "gatherv 1 1.5 1 0"] {
        let file = TraceFile { name: "t".to_owned(), bytes: format!("0 {action}\n1 {action}\n").into() };
        let error = import(TraceFormat::Smpi, &[file], &OPTIONS).expect_err(action).to_string();
        assert!(error.contains("line 1") && error.contains("a whole number from 0"), "{error}");
    }
    let file = TraceFile { name: "t".to_owned(), bytes: "0 send 1 0 1.5e1\n1 recv 0 0 15.0\n".into() };
    assert_eq!(import(TraceFormat::Smpi, &[file], &OPTIONS).expect("whole").totals().bytes, 15);
}
