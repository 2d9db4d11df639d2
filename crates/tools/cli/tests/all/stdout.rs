//! Standard output: the place of a command's data, closed, or full.
#![cfg(unix)]

use crate::common::{Folder, said, succeeded};
use std::process::{Command, Output, Stdio};

const SCENARIO: &str = "\
name = 'stdout'
[system]
name = 'tiny'
[system.dragonfly]
links_per_pair = 1
groups = [{ name = 'c', count = 3, switches = 2, endpoints_per_switch = 2 }]
[[job]]
name = 'a'
workload = { kind = 'alltoall', bytes = '1KiB', iterations = 2 }
";

fn shell(folder: &Folder, line: &str) -> Output {
    let line = line.replacen("P ", &format!("'{}' ", env!("CARGO_BIN_EXE_philae")), 1);
    let mut command = Command::new("bash");
    command.args(["-c", &line]).current_dir(folder.file("")).stdin(Stdio::null()).output().expect("bash starts")
}

fn folder() -> Folder {
    let folder = Folder::with(SCENARIO);
    succeeded(&shell(&folder, "P simulate s.toml --quiet --output r"));
    std::fs::write(folder.file("a.load"), "[JOB_ID] 1\n[NID_LIST] 0-7\n[MOTIF] Allreduce\n").expect("written");
    std::fs::write(
        folder.file("a.goal"),
        "num_ranks 2\nrank 0 {\nl1: send 8b to 1\n}\nrank 1 {\nl1: recv 8b from 0\n}\n",
    )
    .expect("written");
    folder
}

/// Every command that writes a file whose name the command line has.
const WRITERS: [&str; 11] = [
    "describe malbec --graphml FILE",
    "describe malbec --networkx FILE",
    "routes malbec --output FILE",
    "trace convert a.goal FILE --to goal",
    "trace export s.toml FILE --to goal-binary",
    "trace scenario a.load FILE --system malbec",
    "export r messages --output FILE",
    "compare r r --html FILE",
    "simulate s.toml --output t --timeline FILE",
    "simulate s.toml --output t --pcap endpoint:0=FILE",
    "fluid-accuracy --count 1 --output FILE",
];

#[test]
fn data_on_standard_output_is_alone_there() {
    let folder = folder();
    for (number, writer) in WRITERS.into_iter().enumerate() {
        let file = format!("{number}.out");
        let named = shell(&folder, &format!("P {}", writer.replace("FILE", &file)));
        let told = succeeded(&named);
        let whole = std::fs::read(folder.file(&file)).expect("the file");
        for name in ["-", "/dev/stdout", "/dev/fd/1"] {
            let line = format!("P {}", writer.replace("FILE", name));
            let piped = shell(&folder, &format!("{line} | cat"));
            assert!(piped.stdout == whole, "{line} | cat: {} bytes, not {}", piped.stdout.len(), whole.len());
            if !told.is_empty() {
                assert!(said(&piped).lines().count() > 0, "{line}: the rest is on standard error");
            }
            // A shell has opened the file: it must neither be replaced nor lose what it had.
            std::fs::write(folder.file("log"), "before\n").expect("a file");
            let appended = shell(&folder, &format!("{line} >> log"));
            assert!(appended.status.success(), "{line} >> log: {}", said(&appended));
            let expected = [b"before\n", whole.as_slice()].concat();
            assert!(std::fs::read(folder.file("log")).expect("the file") == expected, "{line} >> log");
        }
        let quiet = shell(&folder, &format!("P {} --quiet", writer.replace("FILE", "-")));
        assert!(quiet.stdout == whole, "{writer} --quiet");
        let unread = shell(&folder, &format!("P {} | true; exit ${{PIPESTATUS[0]}}", writer.replace("FILE", "-")));
        assert!(!said(&unread).contains("error"), "{writer} | true: {}", said(&unread));
    }
}

#[test]
fn two_documents_do_not_share_standard_output() {
    let folder = folder();
    let both = shell(&folder, "P describe malbec --json --graphml - 2> document");
    assert!(succeeded(&both).starts_with("<?xml"), "{}", said(&both));
    let document = std::fs::read(folder.file("document")).expect("the document");
    let document: serde_json::Value = serde_json::from_slice(&document).expect("JSON");
    assert!(document["name"].is_string(), "{document}");
    for line in
        ["describe malbec --graphml - --networkx -", "validate --only switch-latency-median --document - --report -"]
    {
        let refused = shell(&folder, &format!("P {line}"));
        assert!(refused.status.code() == Some(2) && said(&refused).contains("is the output of two options"), "{line}");
    }
}

/// `--quiet` prints the place of a result whose folder the command may choose, nothing where the
/// command line names the file, and otherwise the text that the command is for.
#[test]
fn quiet_commands_print_at_most_the_place() {
    let folder = folder();
    let system = "links_per_pair = 1\ngroups = [{ name = 'c', count = 3, switches = 2, endpoints_per_switch = 2 }]";
    std::fs::write(folder.file("y.toml"), format!("name = 'y'\n[dragonfly]\n{system}\n")).expect("written");
    for (line, place) in [
        ("simulate s.toml", "result: results/stdout\n"),
        ("simulate s.toml --output q --timeline q.json --pcap endpoint:0=q.pcapng", "result: q\n"),
        ("simulate s.toml --fluid", "result: results/stdout-fluid\n"),
        ("sweep s.toml --seeds 1-2", "table: results/stdout-sweep/table.parquet\n"),
        ("reproduce fig2 --quick", "report: results/fig2/report.html\n"),
        ("gpcnet y.toml --test network --rings 1 --iterations 1 --output gp", "result: gp\n"),
        ("validate --only switch-latency-median --document v.md", ""),
        ("bench --case permutation-fat-tree-none --simulated 1us --repeats 1 --document b.md", ""),
    ] {
        assert_eq!(succeeded(&shell(&folder, &format!("P {line} --quiet"))), place, "{line}");
        let said = said(&shell(&folder, &format!("P {line} --quiet")));
        // Warnings change the meaning of a result, so --quiet keeps them.
        let is_warning = line.contains("--fluid") && said.starts_with("warning: ") && said.lines().count() == 1;
        assert!(said.is_empty() || is_warning, "{line}: {said}");
    }
    for writer in WRITERS.iter().filter(|writer| !writer.starts_with("simulate")) {
        let output = shell(&folder, &format!("P {} --quiet", writer.replace("FILE", "file")));
        assert_eq!((succeeded(&output).as_str(), said(&output).as_str()), ("", ""), "{writer}");
        std::fs::remove_file(folder.file("file")).expect("it was written");
    }
    for line in
        ["systems", "describe malbec", "routes y.toml", "compare r r", "export r", "trace info a.goal", "schema"]
    {
        let plain = succeeded(&shell(&folder, &format!("P {line}")));
        assert_eq!(succeeded(&shell(&folder, &format!("P {line} --quiet"))), plain, "{line}: its text is its result");
    }
    // Of a run whose result has no room, the figures are all that is left.
    let none = shell(&folder, "ulimit -f 1; P simulate s.toml --quiet --output none");
    assert!(String::from_utf8_lossy(&none.stdout).contains("completed"), "{}", said(&none));
    let wrong = shell(&folder, "P sweep s.toml --set job.a.nodes=4,400 --quiet --output w");
    assert_eq!(String::from_utf8_lossy(&wrong.stdout), "table: w/table.parquet\n");
    assert!(said(&wrong).starts_with("failed: job.a.nodes=400: "), "{}", said(&wrong));
}
