//! The examples of `--help` run as they stand from the repository's root: each of their files is
//! there, or another example writes it.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::{Command, Stdio};

/// Commands of another program, which has its own examples.
const PASSED_ON: [&str; 4] = ["manager", "fabric", "agent", "help"];

/// Files that are the reader's own: programs to run, and a provider's name that looks like a path.
const OWN: [&str; 7] =
    ["./my-mpi-program", "./ping-pong", "./app", "./-odd-name", "script.py", "philae/udp", "~/.zfunc/_philae"];

/// Options whose value is a file or folder that the command writes.
const WRITES: [&str; 11] = [
    "-o",
    "--output",
    "--graphml",
    "--networkx",
    "--checkpoint",
    "--timeline",
    "--html",
    "--document",
    "--trace",
    "--pcap",
    ">",
];

fn help(command: &[String]) -> String {
    let mut philae = Command::new(env!("CARGO_BIN_EXE_philae"));
    let output = philae.args(command).arg("--help").stdin(Stdio::null()).output().expect("the command starts");
    String::from_utf8(output.stdout).expect("text")
}

/// The help of a command and of all below it.
fn all(command: &[String], found: &mut Vec<String>) {
    let text = help(command);
    let listed = text.lines().skip_while(|line| *line != "Commands:").skip(1).take_while(|line| !line.is_empty());
    let names = listed.filter(|line| line.starts_with("  ") && !line.starts_with("   "));
    for name in names.filter_map(|line| line.split_whitespace().next()).filter(|name| !PASSED_ON.contains(name)) {
        all(&[command, &[name.to_owned()]].concat(), found);
    }
    found.push(text);
}

/// A text whose lines that end in a backslash are one with the next.
fn joined(text: &str) -> String {
    let (mut out, mut continues) = (String::new(), false);
    for line in text.lines() {
        let part = if continues { line.trim_start() } else { line };
        let head = part.strip_suffix('\\');
        continues = head.is_some();
        out += head.map_or(part, str::trim_end);
        out.push(if continues { ' ' } else { '\n' });
    }
    out
}

/// The words of an example, without the remark behind it; quotes are taken away.
fn words(line: &str) -> Vec<String> {
    let command = line.trim().split("  ").next().unwrap_or_default();
    let (mut words, mut word, mut quote) = (Vec::new(), String::new(), false);
    for letter in command.chars().chain([' ']) {
        match letter {
            '\'' => quote = !quote,
            ' ' if !quote => words.extend(Some(std::mem::take(&mut word)).filter(|word| !word.is_empty())),
            _ => word.push(letter),
        }
    }
    words
}

/// Whether a word looks like a file: it has a folder, or an ending that our files have.
fn is_file(word: &str) -> bool {
    const ENDS: [&str; 12] =
        [".toml", ".json", ".csv", ".goal", ".bin", ".et", ".graphml", ".routes", ".ckpt", ".html", ".txt", ".load"];
    let is_port = ["switch:", "endpoint:", "-"].iter().any(|start| word.starts_with(start));
    !is_port && !word.contains('=') && (word.contains('/') || ENDS.iter().any(|end| word.ends_with(end)))
}

#[test]
fn every_file_of_an_example_is_there_or_another_example_writes_it() {
    let mut helps = Vec::new();
    all(&[], &mut helps);
    // A line that ends in a backslash goes on in the next one.
    let helps: Vec<String> = helps.iter().map(|text| joined(text)).collect();
    let lines: Vec<&str> = helps.iter().flat_map(|text| text.lines()).collect();
    let examples: Vec<Vec<String>> = lines
        .iter()
        .filter(|line| line.starts_with("  philae ") || line.starts_with("  mpirun "))
        .map(|line| words(line))
        .collect();
    assert!(examples.len() > 100, "only {} examples were found", examples.len());
    let mut written = BTreeSet::new();
    let mut read = Vec::new();
    for example in &examples {
        let command: Vec<&str> = example.iter().skip(1).take(2).map(String::as_str).collect();
        let makes_last = matches!(command[..], ["trace", "convert" | "export" | "scenario"]);
        let mut files = 0;
        for (at, word) in example.iter().enumerate().skip(1) {
            let before = example[at - 1].as_str();
            // An experiment keeps its runs there.
            let keeps = before == "--resume" && command[0] == "reproduce";
            if keeps || WRITES.contains(&before) {
                written.insert(word.trim_end_matches('/').to_owned());
                continue;
            }
            if !is_file(word) {
                continue;
            }
            files += 1;
            // The default folder of a result has the name of the scenario or of the experiment.
            let stem = Path::new(word).file_stem().map(|stem| stem.to_string_lossy().into_owned());
            written.extend(stem.filter(|_| command[0] == "simulate").map(|stem| format!("results/{stem}")));
            if makes_last && files == 2 {
                written.insert(word.clone());
            } else {
                read.push((word.clone(), example.join(" ")));
            }
        }
        match command[..] {
            ["reproduce", name] => _ = written.insert(format!("results/{name}")),
            ["validate", ..] => _ = written.insert("results/validation".to_owned()),
            _ => {}
        }
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..");
    let missing: Vec<&(String, String)> = read
        .iter()
        .filter(|(file, _)| {
            let is_there = root.join(file.replace("{rank}", "0")).exists();
            let is_written = written.iter().any(|made| file == made || file.starts_with(&format!("{made}/")));
            !is_there && !is_written && !OWN.contains(&file.as_str()) && !file.starts_with("~/")
        })
        .collect();
    assert!(missing.is_empty(), "files of examples that are not there: {missing:#?}");
}
