//! OpenSHMEM programs under `philae run`: traced at the provider and replayed in the simulator,
//! with everything counted on the way; and together with MPI in one program.

use crate::common::mpi_compiler;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use serde_json::Value;

use crate::library::{folder, prefix, root, succeeded};

/// Each example with sizes that take only a moment through the NIC.
const EXAMPLES: [(&str, &[&str]); 5] = [
    ("gups", &["--words", "500", "--updates", "300"]),
    ("sort", &["--keys", "3000", "--range", "10000"]),
    ("histogram", &["--bins", "77", "--samples", "300"]),
    ("stencil", &["--size", "600", "--steps", "6"]),
    ("fft", &["--bits", "6"]),
];
const PES: u64 = 4;
/// Their nodes in the simulation: each at its own switch.
const NODES: [u32; PES as usize] = [0, 16, 32, 48];

/// Bytes that a trace records for an answer without data, the size of a header. Source:
/// `crates/sim/trace/src/provider`. Status: assumed.
const ANSWER_BYTES: u64 = 8;

fn philae() -> Command {
    let executable = Path::new(env!("CARGO_BIN_EXE_philae"));
    let library = executable.with_file_name("deps").join("libphilae_provider.so");
    let mut command = Command::new(executable);
    command.env("PHILAE_LIBRARY", library).env_remove("SLURM_JOB_ID").stdin(Stdio::null());
    for (name, _) in std::env::vars().filter(|(name, _)| name.starts_with("SHMEM_") || name.starts_with("FI_")) {
        command.env_remove(name);
    }
    command
}

fn json(what: &str, output: &Output) -> Value {
    serde_json::from_str(&succeeded(what, output)).expect("one JSON document")
}

fn number(value: &Value) -> u64 {
    value.as_u64().or_else(|| value.as_str().and_then(|text| text.parse().ok())).expect("a number")
}

/// Bytes of every message from one rank to another in a GOAL schedule, and of those that ranks send
/// to themselves.
fn messages(goal: &str) -> (Vec<u64>, Vec<u64>) {
    let (mut across, mut within, mut rank) = (Vec::new(), Vec::new(), String::new());
    for line in goal.lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words[..] {
            ["rank", number, "{"] => number.clone_into(&mut rank),
            [_, "send", bytes, "to", to, ..] => {
                let bytes = bytes.trim_end_matches('b').parse().expect("bytes");
                if to == rank { &mut within } else { &mut across }.push(bytes);
            }
            _ => {}
        }
    }
    (across, within)
}

/// Runs an example through the NIC with a trace, and the trace in the simulator.
///
/// The NIC's counts, the trace and the simulated network's deliveries have the same operations,
/// bytes and packets.
fn replays(folder: &Path, name: &str, arguments: &[&str]) {
    let program = folder.join(name);
    let compiled = Command::new(prefix().join("bin/oshcc"))
        .args(["-std=c11", "-O2", "-Wall", "-Wextra", "-Werror", "-o"])
        .args([&program, &root().join("crates/nic/shmem/examples").join(format!("{name}.c"))])
        .arg("-lm")
        .output();
    succeeded("oshcc", &compiled.expect("oshcc runs"));
    let (trace, goal) = (folder.join(format!("{name}.trace")), folder.join(format!("{name}.goal")));

    // Through the NIC, because a trace or counts are requested: with shared memory there would be
    // none.
    let mut run = philae();
    run.args(["run", "-n", &PES.to_string(), "--traffic", "--json", "--trace"]).arg(&trace).arg("--").arg(&program);
    let ran = run.args(arguments).env("SHMEM_SYMMETRIC_SIZE", "16m").output().expect("the command starts");
    let counts = json(name, &ran)["traffic"]["total"].clone();
    assert!(String::from_utf8_lossy(&ran.stderr).contains("\nverified: "), "{}", String::from_utf8_lossy(&ran.stderr));
    let count = |name: &str| number(&counts[name]);
    assert_eq!((count("sends"), count("receives")), (0, 0), "{name}: SHMEM is one-sided");

    // One operation is a message and its answer.
    let converted = philae().args(["trace", "convert"]).args([&trace, &goal]).output().expect("the command starts");
    succeeded("philae trace convert", &converted);
    let info = philae().args(["trace", "info", "--json"]).arg(&goal).output().expect("the command starts");
    let info = json("philae trace info", &info);
    let operations = count("writes") + count("reads") + count("atomics");
    assert!(operations > PES * 20, "{name}: {operations}");
    assert_eq!((number(&info["ranks"]), number(&info["sends"])), (PES, 2 * operations), "{name}");
    let bytes = count("written_bytes") + count("read_bytes") + count("atomic_bytes") + ANSWER_BYTES * operations;
    assert_eq!(number(&info["bytes"]), bytes, "{name}: every byte is in the trace");

    // The simulated network delivers every message; one larger than a packet's payload takes
    // several packets.
    let scenario = folder.join(format!("{name}.toml"));
    let text = format!(
        "system = \"slingshot400-64\"\n[[job]]\nname = \"{name}\"\nnodes = {NODES:?}\n\
         workload = {{ kind = \"trace\", file = \"{name}.goal\" }}\n"
    );
    std::fs::write(&scenario, text).expect("a file");
    let mut simulate = philae();
    simulate.args(["simulate", "--json", "--quiet", "--output"]).arg(folder.join(format!("{name}.result")));
    let simulated =
        json("philae simulate", &simulate.arg(&scenario).current_dir(folder).output().expect("the command starts"));
    let (manifest, job) = (&simulated["manifest"], &simulated["summary"]["jobs"][0]);
    assert_eq!(manifest["status"], "completed", "{name}");
    let payload = number(&manifest["scenario"]["hardware"]["nic"]["payload_max_bytes"]);
    let (across, within) = messages(&std::fs::read_to_string(&goal).expect("a schedule"));
    assert_eq!((across.len() + within.len()) as u64, 2 * operations, "{name}");
    let packets: u64 = across.iter().map(|bytes| bytes.div_ceil(payload)).sum();
    let (injected, delivered) = (number(&manifest["packets_injected"]), number(&manifest["packets_delivered"]));
    // Each message has a response. Of each rank, the run may end before the last.
    let all = packets + across.len() as u64;
    assert!((all - PES..=all).contains(&injected), "{name}: {injected} of {all} packets");
    assert!((injected - PES..=injected).contains(&delivered), "{name}: {delivered} of {injected} packets arrive");
    assert!(number(&manifest["packet_hops"]) >= 2 * packets, "{name}: from switch to switch");
    assert_eq!(number(&manifest["packets_discarded"]), 0, "{name}");
    assert_eq!(number(&job["delivered_bytes"]), across.iter().sum::<u64>(), "{name}");
    assert_eq!(number(&job["message_latency"]["count"]), 2 * operations, "{name}");
    assert!(number(&job["finished_ps"]) > 0, "{name}");
    eprintln!("{name}: {operations} operations, {packets} packets");
}

#[test]
fn examples_are_traced_at_the_provider_and_replayed_under_the_simulator() {
    let folder = folder("shmem-replayed");
    for (name, arguments) in EXAMPLES {
        replays(folder.path(), name, arguments);
    }
}

#[test]
fn mpi_and_shmem_share_one_provider_in_one_program() {
    let folder = folder("shmem-mpi");
    let program = folder.path().join("both");
    let compiler = mpi_compiler();
    let shown = |what: &str| {
        let output = Command::new(prefix().join("bin/oshcc")).arg(what).output().expect("oshcc runs");
        succeeded("oshcc", &output).split_whitespace().map(str::to_owned).collect::<Vec<_>>()
    };
    let compiled = Command::new(&compiler)
        .args(["-O2", "-Wall", "-Wextra"])
        .arg(root().join("crates/nic/shmem/examples/mpi_and_shmem.c"))
        .args(shown("--showme:compile"))
        .args(shown("--showme:link"))
        .arg("-o")
        .arg(&program)
        .output();
    match compiled {
        Err(error) => {
            eprintln!(
                "left out: {compiler} does not start ({error}); apt-get install libopenmpi-dev openmpi-bin, or PHILAE_TEST_MPICC"
            );
            return;
        }
        Ok(output) => succeeded(&compiler, &output),
    };
    let output = philae()
        .args(["run", "-n", "3", "--traffic", "--json", "--env", "SHMEM_LOCALITY_ONNODE=NIC"])
        .args(["--env", "SHMEM_OFI_PROVIDER=philae"])
        .arg(&program)
        .env("SHMEM_SYMMETRIC_SIZE", "16m")
        .output()
        .expect("the command starts");
    let processes = json("MPI and SHMEM", &output)["traffic"]["processes"].clone();
    assert!(String::from_utf8_lossy(&output.stderr).contains("verified: 3 processes"));
    let processes = processes.as_array().expect("a list");
    assert_eq!(processes.len(), 3, "one process is one line, whatever its libraries are");
    for process in processes {
        let count = |name: &str| number(&process["counts"][name]);
        // Ten messages of 240,000 bytes, and ten puts to each of the others.
        assert!(count("sends") >= 10 && count("sent_bytes") >= 10 * 240_000, "MPI's: {process}");
        assert_eq!(count("writes"), 20, "SHMEM's: {process}");
        assert!(count("atomics") > 0, "barriers: {process}");
    }
}

/// Two PEs pass a word back and forth: 20 puts with a signal, each after a wait for the previous
/// one.
const PING_PONG: &str = r#"
#include <shmem.h>
static long box[64];
static uint64_t signal;
int main(void)
{
    shmem_init();
    int me = shmem_my_pe();
    for (uint64_t round = 0; round < 10; round++) {
        if (me == 1) shmem_signal_wait_until(&signal, SHMEM_CMP_EQ, round + 1);
        shmem_long_put_signal_nbi(box, box, 64, &signal, round + 1, SHMEM_SIGNAL_SET, 1 - me);
        if (me == 0) shmem_signal_wait_until(&signal, SHMEM_CMP_EQ, round + 1);
    }
    shmem_finalize();
    return 0;
}
"#;

#[test]
fn a_wait_for_memory_waits_in_the_simulation_too() {
    let folder = folder("shmem-waits");
    let file = |name: &str| folder.path().join(name).display().to_string();
    std::fs::write(file("ping.c"), PING_PONG).expect("the test's own folder");
    crate::library::compile("-O2", &[folder.path().join("ping.c")], &folder.path().join("ping"));
    let output = philae()
        .args(["run", "-n", "2", "--trace", &file("trace"), &file("ping")])
        .env("SHMEM_SYMMETRIC_SIZE", "16m")
        .output()
        .expect("the command starts");
    succeeded("a game of ping-pong", &output);
    // The total time, with and without the PEs' records of their waits.
    let simulated = |what: &str| {
        let scenario = format!(
            "system = \"slingshot400-64\"\n[[job]]\nname = \"ping\"\nnodes = [0, 16]\nworkload = {{ kind = \"trace\", file = \"{what}.goal\" }}\n"
        );
        std::fs::write(file("ping.toml"), scenario).expect("the test's own folder");
        let convert = philae().args(["trace", "convert", &file("trace"), &file(&format!("{what}.goal"))]).output();
        succeeded("philae trace convert", &convert.expect("the command starts"));
        // Computation time of this machine must not affect the comparison.
        let goal = std::fs::read_to_string(file(&format!("{what}.goal"))).expect("it was written");
        let still: Vec<String> = goal
            .lines()
            .map(|line| match line.split_once(": calc ") {
                Some((label, _)) => format!("{label}: calc 0"),
                None => line.to_owned(),
            })
            .collect();
        std::fs::write(file(&format!("{what}.goal")), still.join("\n")).expect("the test's own folder");
        let output = philae()
            .args(["simulate", &file("ping.toml"), "--output", &file(&format!("result-{what}")), "--json", "--quiet"])
            .current_dir(folder.path())
            .output()
            .expect("the command starts");
        number(&json("philae simulate", &output)["summary"]["jobs"][0]["finished_ps"])
    };
    let with = simulated("with");
    for pe in 0..2 {
        std::fs::remove_file(file(&format!("trace/{pe}.phwaits"))).expect("each PE has written one");
    }
    let without = simulated("without");
    // Twenty messages, one after the other, of more than 1 us each, which the run without waits
    // does not need to wait for. Barriers are in both.
    assert!(with > without + 10_000_000, "{with} ps with the waits, {without} ps without");
}
