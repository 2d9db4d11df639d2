//! `philae gpcnet` and `philae osu` as users and scripts call them.

use serde_json::Value;
use std::process::{Command, Output, Stdio};

fn philae(arguments: &str) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_philae"));
    command.args(arguments.split_whitespace()).arg("--quiet").stdin(Stdio::null()).output().expect("the command starts")
}

fn printed(arguments: &str) -> String {
    let output = philae(arguments);
    assert!(output.status.success(), "{arguments}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("UTF-8")
}

fn json(arguments: &str) -> Value {
    serde_json::from_str(&printed(&format!("{arguments} --json"))).expect("one JSON document")
}

/// Rows of a table of the OSU micro-benchmarks, as numbers.
fn rows(text: &str) -> Vec<Vec<f64>> {
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    let number = |word: &str| word.parse().unwrap_or_else(|_| panic!("'{word}' is a number in\n{text}"));
    lines.map(|line| line.split_whitespace().map(number).collect()).collect()
}

#[test]
fn an_osu_table_has_the_columns_of_the_benchmark() {
    for (arguments, heading, columns, sizes) in [
        ("osu latency malbec --sizes 8:32", "# Size            Latency (us)", 2, &[8.0, 16.0, 32.0][..]),
        ("osu bw malbec --sizes 4KiB:8KiB", "# Size        Bandwidth (MB/s)", 2, &[4_096.0, 8_192.0]),
        ("osu bibw malbec --sizes 4KiB", "# Size     Bi-Bandwidth (MB/s)", 2, &[4_096.0]),
        ("osu mbw_mr malbec --nodes 4 --sizes 64", "# Size        Bandwidth (MB/s)          Messages/s", 3, &[64.0]),
        ("osu put malbec --sizes 8", "# Size            Latency (us)", 2, &[8.0]),
        ("osu get malbec --sizes 8", "# Size            Latency (us)", 2, &[8.0]),
        ("osu alltoall malbec --nodes 4 --sizes 16", "# Size        Avg Latency(us)", 2, &[16.0]),
        ("osu allreduce malbec --nodes 4 --sizes 4:8", "# Size        Avg Latency(us)", 2, &[4.0, 8.0]),
        ("osu allgather malbec --nodes 4 --sizes 16", "# Size        Avg Latency(us)", 2, &[16.0]),
        ("osu bcast malbec --nodes 4 --sizes 16", "# Size        Avg Latency(us)", 2, &[16.0]),
        ("osu reduce malbec --nodes 4 --sizes 4", "# Size        Avg Latency(us)", 2, &[4.0]),
    ] {
        let text = printed(&format!("{arguments} --iterations 3"));
        let words = |line: &str| line.split_whitespace().collect::<Vec<_>>().join(" ");
        let found = text.lines().filter(|line| line.starts_with('#')).nth(1).expect("a heading");
        assert_eq!(words(found), words(heading), "{arguments}");
        let rows = rows(&text);
        assert_eq!(rows.iter().map(|row| row[0]).collect::<Vec<_>>(), sizes, "{arguments}");
        assert!(rows.iter().all(|row| row.len() == columns && row[1] > 0.0), "{text}");
    }
    let barrier = rows(&printed("osu barrier malbec --nodes 4 --iterations 3"));
    assert!(barrier.len() == 1 && barrier[0].len() == 1 && barrier[0][0] > 0.0, "one figure: {barrier:?}");
    // With the same nodes and the same seed, both forms give the same figures.
    let document = json("osu latency malbec --sizes 8 --iterations 3");
    let value = document["rows"][0]["value"].as_f64().expect("a figure");
    let table = rows(&printed("osu latency malbec --sizes 8 --iterations 3"))[0][1];
    assert!((value - table).abs() <= 0.005, "{value} and {table}");
    assert_eq!((&document["test"], &document["nodes"].as_array().map(Vec::len)), (&"latency".into(), &Some(2)));
}

#[test]
fn gpcnet_prints_the_program_s_tables() {
    let text = printed("gpcnet malbec --nodes 12 --rings 1 --iterations 2 --test both");
    for title in [
        "Isolated Network Tests",
        "Network Tests running with Congestion Tests",
        "Network Tests running with Congestion Tests - Key Results",
    ] {
        assert!(text.lines().any(|line| line.trim_matches(['|', ' ']) == title), "{title} in\n{text}");
    }
    let table = |line: &&str| line.starts_with(['+', '|']);
    assert!(text.lines().filter(table).all(|line| line.chars().count() == 80), "tables of 80 columns:\n{text}");
    let tests = [
        "RR Two-sided Lat (8 B)",
        "RR Get Lat (8 B)",
        "RR Two-sided BW (131072 B)",
        "RR Put BW (131072 B)",
        "RR Two-sided BW+Sync (131072 B)",
        "Nat Two-sided BW (131072 B)",
        "Multiple Allreduce (8 B)",
        "Multiple Alltoall (4096 B)",
    ];
    let named = |name: &str| text.lines().filter(|line| line.contains(&format!(" {name} |"))).count();
    // The canaries are in the network test, alone, with congestors, and in the key results.
    for name in tests {
        let canary =
            ["RR Two-sided Lat (8 B)", "RR Two-sided BW+Sync (131072 B)", "Multiple Allreduce (8 B)"].contains(&name);
        assert_eq!(named(name), if canary { 4 } else { 1 }, "{name} in\n{text}");
    }
    let document = json("gpcnet malbec --nodes 12 --rings 1 --iterations 2 --test network");
    assert!(document.to_string().contains("RR Get Lat"), "{document}");
    assert_eq!(document["seed"], 1);
}

#[test]
fn gpcnet_writes_what_it_is_asked_to_write() {
    let temporary = tempfile::tempdir().expect("a temporary folder");
    let folder = temporary.path().join("gpcnet");
    let text = printed(&format!("gpcnet malbec --nodes 10 --rings 1 --iterations 2 --output {}", folder.display()));
    let names: Vec<String> = std::fs::read_dir(&folder)
        .expect("the folder is there")
        .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned())
        .collect();
    for wanted in [".txt", ".json"] {
        assert!(names.iter().any(|name| name.ends_with(wanted)), "{wanted} in {names:?}");
    }
    let written =
        names.iter().find(|name| name.ends_with(".txt") && !name.contains("nodes")).expect("the tables as text");
    let written = std::fs::read_to_string(folder.join(written)).expect("it was written");
    assert!(written.contains("Isolated Network Tests"));
    assert_eq!(text, format!("result: {}\n", folder.display()), "a quiet run");
}

#[test]
fn bad_input_is_refused_with_what_would_work() {
    for (arguments, expected) in [
        ("osu latncy malbec", "'latency'"),
        ("osu latency malbc", "did you mean 'malbec'"),
        ("osu latency malbec --ppn 2", "between two processes"),
        ("osu latency malbec --nodes 4", "--from and --to"),
        ("osu latency malbec --to 9999", "0 to 483"),
        ("osu latency malbec --from 1 --to 1", "node"),
        ("osu latency malbec --sizes 8:4", "1:4MiB"),
        ("osu latency malbec --sizes many", "--sizes many"),
        ("osu latency malbec --iterations 0", "from 1 to 1000000"),
        ("osu latency malbec --host ucx", "libfabric"),
        ("osu latency malbec --set job.nodes=2", "job"),
        ("osu allreduce malbec --from 1", "--nodes N"),
        ("osu allreduce malbec --nodes 4 --sizes 6", "power of two"),
        ("osu allreduce malbec --nodes 1", "two or more"),
        ("osu allreduce malbec --nodes 9999", "484"),
        ("osu barrier malbec --sizes 8", "no --sizes"),
        ("gpcnet malbc", "did you mean 'malbec'"),
        ("gpcnet malbec --nodes 3", "at least 10 nodes"),
        ("gpcnet malbec --nodes 9999", "484 compute nodes"),
        ("gpcnet malbec --congestor incast", "--variant paper"),
        ("gpcnet malbec --full --rings 3", "--rings"),
        ("gpcnet malbec --ppn 0", "from 1 to 1024"),
        ("gpcnet malbec --law wrong", "slingshot, none"),
        ("gpcnet malbec --test idle", "network"),
    ] {
        let output = philae(arguments);
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{arguments}: {error}");
        assert!(error.contains(expected) && output.stdout.is_empty(), "{arguments}: {error}");
    }
}

#[test]
fn shells_complete_tests_and_systems() {
    let commands = ["gpcnet", "osu"];
    // Scripts for fish complete options but no positional values.
    let values = ["mbw_mr", "allgather", "malbec", "slingshot400-64"];
    for (shell, words) in [("bash", &values[..]), ("zsh", &values), ("fish", &[])] {
        let script = printed(&format!("completions {shell}"));
        for word in commands.iter().chain(words) {
            assert!(script.contains(word), "{word} for {shell}");
        }
    }
}
