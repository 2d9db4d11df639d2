//! Random programs of ordering and completion leave what a model of the memory says (`ordering/`): puts of every kind, gets, atomic
//! operations, letters with signals and flags, fences, quiets, contexts, sessions, a team's context, two threads; on one host, through the
//! NIC, as between hosts, on a wire that loses and reorders, and where both ways meet.
//!
//! `PHILAE_SHMEM_PROGRAMS=10000 cargo test --release -p philae-shmem --test ordering` runs as many of each; a failure names its seed,
//! which is the first argument of the program.

mod common;
mod pes;

use std::env;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use common::{folder, prefix, root, succeeded};
use pes::{Job, run};

const PROGRAM: &str = "PHILAE_TEST_PROGRAM";
const ARGUMENTS: &str = "PHILAE_TEST_ARGUMENTS";

#[test]
#[ignore = "it is a PE of the tests below"]
fn pe() {
    let program = env::var_os(PROGRAM).expect("a test says which program");
    let arguments = env::var(ARGUMENTS).expect("a test says what it runs");
    panic!("{}", Command::new(program).args(arguments.split(' ')).exec());
}

fn program() -> &'static Path {
    static PROGRAM: OnceLock<PathBuf> = OnceLock::new();
    PROGRAM.get_or_init(|| {
        let program = folder("ordering").join("ordering");
        let sources = ["ordering.c", "program.c"].map(|file| root().join("crates/shmem/tests/ordering").join(file));
        let mut command = Command::new(prefix().join("bin/oshcc"));
        command.args(["-std=gnu11", "-O2", "-Wall", "-Wextra", "-Werror", "-pthread"]);
        command.args(sources).arg("-o").arg(&program);
        succeeded("oshcc", &command.output().expect("oshcc runs"));
        program
    })
}

/// Programs of one launch: fewer than a test's patience is enough for.
const AT_ONCE: u64 = 500;

/// How many programs: what was asked for, or what does not take long.
fn count(usual: u64) -> u64 {
    env::var("PHILAE_SHMEM_PROGRAMS").ok().and_then(|count| count.parse().ok()).unwrap_or(usual)
}

fn programs(n_pes: u32, arguments: &str, variables: &[(&str, &str)]) -> Job {
    let program = program().to_str().expect("cargo's folder is text");
    let mut all = vec![(None, PROGRAM, program), (None, ARGUMENTS, arguments)];
    all.extend(variables.iter().map(|&(name, value)| (None, name, value)));
    run(n_pes, "ordering", &all)
}

/// Runs so many, beginning with another seed for each number of PEs and threads.
fn leave_what_the_model_says(n_pes: u32, threads: u32, count: u64, variables: &[(&str, &str)]) {
    let first = u64::from(n_pes * 10 + threads) * 1_000_000;
    for done in (0..count).step_by(AT_ONCE as usize) {
        let arguments = format!("{} {} {threads}", first + done, (count - done).min(AT_ONCE));
        programs(n_pes, &arguments, variables).well();
    }
}

#[test]
fn on_one_host() {
    for (n_pes, threads) in [(1, 1), (2, 1), (3, 2), (4, 2)] {
        leave_what_the_model_says(n_pes, threads, count(300), &[]);
    }
}

/// With the provider, and what every PE is told.
fn through_the_nic(n_pes: u32, threads: u32, count: u64, variables: &[(&str, &str)]) {
    let test = env::current_exe().expect("a test knows its own file");
    let libraries = philae_launch::find_library(None, &test).expect("cargo builds the provider for this test");
    let libraries = libraries.to_string_lossy();
    let nic = [("FI_PROVIDER_PATH", libraries.as_ref()), ("SHMEM_OFI_PROVIDER", "philae")];
    leave_what_the_model_says(n_pes, threads, count, &[&nic, variables].concat());
}

#[test]
fn by_the_nics_of_one_host() {
    let alone = [("SHMEM_LOCALITY_ONNODE", "NIC"), ("FI_PHILAE_WIRES", "shm")];
    for (n_pes, threads) in [(2, 1), (3, 2)] {
        through_the_nic(n_pes, threads, count(200), &alone);
    }
}

#[test]
fn as_between_hosts() {
    let alone = [("SHMEM_LOCALITY_ONNODE", "NIC"), ("FI_PHILAE_WIRES", "udp"), ("FI_PHILAE_ADDRESS", "127.0.0.1")];
    for (n_pes, threads) in [(2, 1), (3, 2)] {
        through_the_nic(n_pes, threads, count(60), &alone);
    }
    let faults = [("FI_PHILAE_FAULTS", "seed=1,drop=1%,dup=1%,reorder=5%")];
    through_the_nic(3, 2, count(20), &[&alone[..], &faults].concat());
}

#[test]
fn where_memory_and_nic_meet() {
    let pairs = [("SHMEM_SMP_SIZE_LIMIT", "2"), ("FI_PHILAE_WIRES", "shm")];
    through_the_nic(4, 2, count(100), &pairs);
    through_the_nic(4, 2, count(100), &[&pairs[..], &[("SHMEM_ATOMICS", "NIC")]].concat());
}

#[test]
fn what_goes_wrong_is_found() {
    for sabotage in ["value", "order"] {
        let job = programs(2, &format!("1 200 1 {sabotage}"), &[]);
        let said = job.said();
        assert!(job.pes.iter().any(|pe| pe.code() != 0), "{sabotage}: {said}");
        assert!(said.contains("seed ") && said.contains("expected "), "{sabotage}: {said}");
    }
}
