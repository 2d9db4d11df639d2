//! Random programs whose outcome the standard determines, checked against a model of the memory
//! (`random/`). They have puts, gets, atomics, signals, waits, fence, quiet, contexts, sessions and
//! threads. They run by memory, by NICs, on a wire that loses and reorders, and with both paths
//! together. `PHILAE_SHMEM_PROGRAMS` is the number of programs on each path, and
//! `PHILAE_SHMEM_FIRST` the first seed; the default is a few hundred.

mod common;
mod pes;

use std::env;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use common::{built_once, compile, root};
use pes::run;

/// The program that a PE of these tests executes.
const PROGRAM: &str = "PHILAE_TEST_PROGRAM";

/// Programs in one launch. Source: ours. Status: assumed; far fewer than a hanging test's patience
/// allows.
const PER_LAUNCH: u64 = 250;

#[test]
#[ignore = "it is a PE of the tests below"]
fn pe() {
    let variable = |name: &str| env::var_os(name).expect("a test sets it");
    let mut command = Command::new(variable(PROGRAM));
    command.args([variable("PHILAE_TEST_COUNT"), variable("PHILAE_TEST_FIRST")]).args(env::var_os("PHILAE_TEST_FAULT"));
    panic!("{}", command.exec());
}

/// The test program, compiled once.
fn program() -> &'static Path {
    static COMPILED: OnceLock<PathBuf> = OnceLock::new();
    COMPILED.get_or_init(|| {
        let folder = root().join("crates/nic/shmem/tests/random");
        let sources = ["main.c", "make.c"].map(|file| folder.join(file));
        let build = |folder: &Path| compile("-O2", &sources, &folder.join("random"));
        built_once("random", &[folder], "-O2", build).join("random")
    })
}

fn number(name: &str, default: u64) -> u64 {
    let Ok(text) = env::var(name) else { return default };
    text.parse().unwrap_or_else(|_| panic!("{name}={text} is no number; {name}=10000 would work"))
}

/// The number of programs on one path: the requested number, or one that does not take long.
fn programs(usual: u64) -> u64 {
    number("PHILAE_SHMEM_PROGRAMS", usual)
}

/// Runs `count` programs, equally many with each number of PEs.
fn follow_the_model(path: &str, jobs: &[u32], count: u64, variables: &[(&str, &str)]) {
    let (each, first) = (count.div_ceil(jobs.len() as u64), number("PHILAE_SHMEM_FIRST", 1));
    for &n_pes in jobs {
        for begin in (first..first + each).step_by(PER_LAUNCH as usize) {
            let some = (first + each - begin).min(PER_LAUNCH).to_string();
            let begin = begin.to_string();
            let file = program().to_str().expect("cargo's folder is text");
            let mut all =
                vec![(None, PROGRAM, file), (None, "PHILAE_TEST_COUNT", &some), (None, "PHILAE_TEST_FIRST", &begin)];
            all.extend(variables.iter().map(|&(name, value)| (None, name, value)));
            run(n_pes, "random", &all).well();
        }
        println!("{path}: {each} programs on {n_pes} PEs");
    }
}

/// The same with a NIC between PEs of one host.
fn by_nic(path: &str, jobs: &[u32], count: u64, variables: &[(&str, &str)]) {
    let test = env::current_exe().expect("a test knows its own file");
    let libraries = philae_launcher::find_library(None, &test).expect("cargo builds the provider for this test");
    let libraries = libraries.to_string_lossy();
    let nic = [("FI_PROVIDER_PATH", &*libraries), ("SHMEM_OFI_PROVIDER", "philae")];
    follow_the_model(path, jobs, count, &[&nic[..], variables].concat());
}

#[test]
fn by_memory() {
    follow_the_model("memory", &[1, 2, 3, 4], programs(300), &[]);
}

#[test]
fn by_the_nics_of_one_host() {
    let variables = [("SHMEM_LOCALITY_ONNODE", "NIC"), ("FI_PHILAE_WIRES", "shm")];
    by_nic("NIC, shared memory", &[2, 3], programs(150), &variables);
}

#[test]
fn as_between_hosts() {
    let variables = [("SHMEM_LOCALITY_ONNODE", "NIC"), ("FI_PHILAE_WIRES", "udp"), ("FI_PHILAE_ADDRESS", "127.0.0.1")];
    by_nic("NIC, datagrams", &[2, 3], programs(40), &variables);
    let faults = [("FI_PHILAE_FAULTS", "seed=1,drop=1%,dup=1%,reorder=5%")];
    by_nic("NIC, faulty datagrams", &[3], programs(200) / 10, &[&variables[..], &faults].concat());
}

#[test]
fn where_memory_and_nic_meet() {
    let variables = [("SHMEM_SMP_SIZE_LIMIT", "2"), ("FI_PHILAE_WIRES", "shm")];
    by_nic("memory and NIC", &[4], programs(120).div_ceil(2), &variables);
    let atomics = [("SHMEM_ATOMICS", "NIC")];
    by_nic("memory and NIC, all atomics by the NIC", &[4], programs(120) / 2, &[&variables[..], &atomics].concat());
}

#[test]
fn what_is_wrong_is_found() {
    let file = program().to_str().expect("cargo's folder is text");
    let with = |fault| {
        let all =
            [(PROGRAM, file), ("PHILAE_TEST_COUNT", "50"), ("PHILAE_TEST_FIRST", "1"), ("PHILAE_TEST_FAULT", fault)];
        run(2, "random", &all.map(|(name, value)| (None, name, value)))
    };
    with("late").well();
    for fault in ["late and without fences", "value", "signal first"] {
        let job = with(fault);
        assert!(job.pes.iter().any(|pe| pe.code() == 1), "{fault}: {}", job.said());
        assert!(job.said().contains("again: random 1 "), "{fault}: {}", job.said());
    }
}
