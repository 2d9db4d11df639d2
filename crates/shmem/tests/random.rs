//! Random programs whose outcome the standard settles, checked against a model of the memory (`random/`): puts, gets, atomics,
//! signals, waits, fence, quiet, contexts, sessions and threads. `PHILAE_SHMEM_PROGRAMS` says how many, and
//! `PHILAE_SHMEM_FIRST` from which seed on; without it there are a few hundred.

mod common;
mod pes;

use std::env;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use common::{compile, folder, root};
use pes::run;

/// The program that a PE of these tests becomes.
const PROGRAM: &str = "PHILAE_TEST_PROGRAM";

/// Programs of one launch. Source: ours. Status: assumed; far fewer than a hanging test's patience allows.
const PER_LAUNCH: u64 = 250;

#[test]
#[ignore = "it is a PE of the tests below"]
fn pe() {
    let variable = |name: &str| env::var_os(name).expect("a test sets it");
    let mut command = Command::new(variable(PROGRAM));
    panic!("{}", command.args([variable("PHILAE_TEST_COUNT"), variable("PHILAE_TEST_FIRST")]).exec());
}

/// Compiled once.
fn program() -> &'static Path {
    static COMPILED: OnceLock<PathBuf> = OnceLock::new();
    COMPILED.get_or_init(|| {
        let sources = ["main.c", "make.c"].map(|file| root().join("crates/shmem/tests/random").join(file));
        let program = folder("random").join("random");
        compile("-O2", &sources, &program);
        program
    })
}

fn number(name: &str, default: u64) -> u64 {
    let Ok(text) = env::var(name) else { return default };
    text.parse().unwrap_or_else(|_| panic!("{name}={text} is no number; {name}=10000 would work"))
}

/// Runs `share` of all programs.
fn follow_the_model(n_pes: u32, share: u64, variables: &[(&str, &str)]) {
    let (count, first) = (number("PHILAE_SHMEM_PROGRAMS", 300).div_ceil(share), number("PHILAE_SHMEM_FIRST", 1));
    for begin in (first..first + count).step_by(PER_LAUNCH as usize) {
        let some = (first + count - begin).min(PER_LAUNCH).to_string();
        let begin = begin.to_string();
        let file = program().to_str().expect("cargo's folder is text");
        let mut all =
            vec![(None, PROGRAM, file), (None, "PHILAE_TEST_COUNT", &some), (None, "PHILAE_TEST_FIRST", &begin)];
        all.extend(variables.iter().map(|&(name, value)| (None, name, value)));
        run(n_pes, "random", &all).well();
    }
}

/// The variables that put a NIC between PEs of one host.
fn by_nic(wires: &str, more: &[(&str, &str)], n_pes: u32, share: u64) {
    let test = env::current_exe().expect("a test knows its own file");
    let libraries = philae_launch::find_library(None, &test).expect("cargo builds the provider for this test");
    let libraries = libraries.to_string_lossy();
    let nic = [("FI_PROVIDER_PATH", &*libraries), ("SHMEM_OFI_PROVIDER", "philae"), ("FI_PHILAE_WIRES", wires)];
    follow_the_model(n_pes, share, &[&nic[..], more].concat());
}

#[test]
fn by_memory() {
    follow_the_model(2, 3, &[]);
    follow_the_model(4, 3, &[]);
}

#[test]
fn by_the_nic() {
    by_nic("shm", &[("SHMEM_LOCALITY_ONNODE", "NIC")], 3, 3);
}

#[test]
fn by_memory_and_the_nic() {
    by_nic("shm", &[("SHMEM_SMP_SIZE_LIMIT", "2")], 4, 10);
}

#[test]
fn as_between_hosts() {
    by_nic("udp", &[("SHMEM_LOCALITY_ONNODE", "NIC"), ("FI_PHILAE_ADDRESS", "127.0.0.1")], 2, 10);
}
