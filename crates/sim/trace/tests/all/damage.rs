//! Damaged files: twenty variants of each are read or refused with their place; none causes a panic
//! or unbounded memory.

use crate::common::{OPTIONS, file};
use philae_trace::{TraceError, TraceFile, TraceFormat, import};
use philae_units::RankId;
use philae_workload::{Recording, SendMode, simulate_semantics};

const FILES: [&str; 9] = [
    "binary_tree_32.goal",
    "binary_tree_32.bin",
    "reduce8.goal",
    "streams.goal",
    "incast.cm",
    "triggers.cm",
    "actions.txt",
    "layers.txt",
    "microAllReduce.txt",
];

fn next(state: &mut u64) -> u64 {
    *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    *state >> 33
}

/// A variant of a file: truncated, bits flipped, lines or words lost, swapped or doubled, numbers
/// made large.
fn damaged(bytes: &[u8], variant: u64, state: &mut u64) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    let at = next(state) as usize % bytes.len();
    let as_text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
    match variant % 10 {
        0 => bytes.truncate(at),
        1 => bytes[at] ^= 1 << (next(state) % 8),
        2 => (0..20).for_each(|_| {
            let at = next(state) as usize % bytes.len();
            bytes[at] = next(state) as u8;
        }),
        3 => {
            let other = next(state) as usize % bytes.len();
            bytes.swap(at, other);
        }
        4 => {
            let (from, to) = (at, (at + 8).min(bytes.len()));
            bytes[from..to].fill(0xff);
        }
        5 => {
            let tail = bytes.split_off(at);
            bytes.extend_from_slice(&tail[tail.len().min(5)..]);
        }
        6 => {
            let copy = bytes.clone();
            bytes.extend(copy);
        }
        kind => {
            let text = as_text(bytes);
            let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
            let line = next(state) as usize % lines.len();
            match kind {
                7 => drop(lines.remove(line)),
                8 => {
                    let mut words: Vec<&str> = lines[line].split_whitespace().collect();
                    words.reverse();
                    lines[line] = words.join(" ");
                }
                _ => lines[line] = lines[line].replace(|letter: char| letter.is_ascii_digit(), "99999999"),
            }
            return lines.join("\n").into_bytes();
        }
    }
    bytes
}

/// Reads it, and runs the first few operations of what was read.
fn try_read(format: TraceFormat, files: &[TraceFile], what: &str) {
    match import(format, files, &OPTIONS) {
        Ok(schedule) => {
            if schedule.ranks() <= 64 {
                let programs = (0..schedule.ranks()).map(|rank| schedule.program(RankId(rank))).collect();
                let _ = simulate_semantics(programs, SendMode::Eager, 1, 20_000);
            }
        }
        Err(TraceError::Line { line, .. }) => assert!(line > 0, "{what}"),
        Err(TraceError::Byte { offset, ref file, .. }) => {
            let own = files.iter().find(|known| known.name == *file).expect("an error names its file");
            assert!(offset <= own.bytes.len(), "{what}");
        }
        Err(TraceError::Whole { found, expected, .. }) => assert!(!found.is_empty() && !expected.is_empty(), "{what}"),
        Err(error) => panic!("{what}: {error}"),
    }
}

#[test]
fn every_variant_is_read_or_refused() {
    let mut state = 1;
    for name in FILES {
        let whole = file(name);
        let format = TraceFormat::detect(name, &whole.bytes).expect("a format");
        for variant in 0..40 {
            let bytes = damaged(&whole.bytes, variant, &mut state);
            let what = format!("{name}, variant {variant}");
            let _ = TraceFormat::detect(name, &bytes);
            try_read(format, &[TraceFile { name: name.to_owned(), bytes: bytes.clone() }], &what);
            // Also as every other format.
            for other in TraceFormat::ALL {
                try_read(other, &[TraceFile { name: name.to_owned(), bytes: bytes.clone() }], &what);
            }
        }
    }
}

#[test]
fn every_variant_of_one_of_several_files_is_read_or_refused() {
    let files: Vec<TraceFile> = (0..8).map(|rank| file(&format!("all_reduce_8npus_1MB.{rank}.et"))).collect();
    let mut state = 7;
    for variant in 0..200 {
        let mut files = files.clone();
        let rank = next(&mut state) as usize % files.len();
        files[rank].bytes = damaged(&files[rank].bytes, variant, &mut state);
        try_read(TraceFormat::Chakra, &files, &format!("variant {variant}"));
    }
}
