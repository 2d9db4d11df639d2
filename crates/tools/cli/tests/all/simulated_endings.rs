//! How programs in simulated time end that do not end well, and what the command says of it.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use rustix::process::{Pid, Signal, kill_process};

use crate::common::{mpi_compiler, until};
use crate::library::folder;
use crate::simulated_programs::{compiled_with_mpi, document, philae, said, simulated};

const PROGRAM: &str = r#"
#define _GNU_SOURCE
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>
int main(int argc, char **argv) {
	const char *what = argc > 1 ? argv[1] : "";
	int rank, ranks, got = 0;
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &ranks);
	MPI_Barrier(MPI_COMM_WORLD);
	if (rank == 1 && !strcmp(what, "leaves")) exit(0);
	if (rank == 1 && !strcmp(what, "code")) exit(3);
	if (rank == 1 && !strcmp(what, "dies")) kill(getpid(), SIGKILL);
	if (!strcmp(what, "circle")) {
		/* Two wait for each other, and the others for the first. */
		int of = rank < 2 ? 1 - rank : 0;
		MPI_Recv(&got, 1, MPI_INT, of, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	}
	if (!strcmp(what, "sleeps")) {
		double begin = MPI_Wtime();
		unsigned left = sleep(1000000);
		if (rank == 0) fprintf(stderr, "slept %.0f\n", MPI_Wtime() - begin + left);
	}
	if (rank == 1 && !strcmp(what, "timers")) {
		struct itimerval hour = {{0, 0}, {3600, 0}}, none = {{0, 0}, {0, 0}};
		alarm(3600);
		alarm(0);
		setitimer(ITIMER_REAL, &hour, NULL);
		setitimer(ITIMER_REAL, &none, NULL);
	}
	if (rank == 0 && !strcmp(what, "long")) fclose(fopen("begun", "w"));
	for (long turn = 0; !strcmp(what, "long") && turn < 100000000; turn++) MPI_Barrier(MPI_COMM_WORLD);
	MPI_Barrier(MPI_COMM_WORLD);
	MPI_Finalize();
	return 0;
}
"#;

/// The program, if there is an MPI's compiler.
fn program(folder: &Path) -> Option<PathBuf> {
    let (source, program) = (folder.join("ends.c"), folder.join("ends"));
    std::fs::write(&source, PROGRAM).expect("a file");
    compiled_with_mpi(&source, &program).then_some(program)
}

/// The launcher of a program.
fn launcher(folder: &Path, words: &[&str]) -> serde_json::Value {
    let mut run = philae();
    let output = run.current_dir(folder).args(["run", "--print", "--json", "-n", "2", "--"]).args(words).output();
    document(&output.expect("it starts"))["launcher"].clone()
}

/// Whether a program's launcher is MPICH's, which this command lets say how each process ends.
fn is_of_mpich(folder: &Path, program: &Path) -> bool {
    let is_one = launcher(folder, &[program.to_str().expect("a path")]) == "hydra";
    if !is_one {
        println!("skipped: {} is not MPICH's; PHILAE_TEST_MPICC names another one", mpi_compiler());
    }
    is_one
}

/// The last line says which rank ended and how. What this command ends itself is not named.
#[test]
fn a_rank_that_ends_early_is_named_last_with_the_reason() {
    let kept = folder("simulated");
    let folder = kept.path();
    let Some(program) = program(folder).filter(|program| is_of_mpich(folder, program)) else { return };
    for (what, code, expected) in [
        ("leaves", 1, "ended with code 0 in the middle of the run, without MPI_Finalize"),
        ("code", 3, "ended with code 3 in the middle of the run"),
        ("dies", 128 + 9, "was ended by signal 9 (SIGKILL) in the middle of the run"),
    ] {
        let run = simulated(folder, "malbec", 3, &[], &[program.to_str().expect("a path"), what]);
        assert_eq!(run.status.code(), Some(code), "{what}: {}", said(&run));
        let last = said(&run).lines().last().unwrap_or_default().to_owned();
        assert!(last.starts_with("philae: rank 1 (process ") && last.contains(expected), "{what}: {last}");
        assert!(!said(&run).contains("143"), "{what}: {}", said(&run));
    }
}

/// An error that counts ranks names them all, if they are few.
#[test]
fn a_deadlock_names_the_ranks_beside_its_circle() {
    let kept = folder("simulated");
    let folder = kept.path();
    let Some(program) = program(folder) else { return };
    let run = simulated(folder, "malbec", 3, &[], &[program.to_str().expect("a path"), "circle"]);
    assert_eq!(run.status.code(), Some(1), "{}", said(&run));
    let last = said(&run).lines().last().unwrap_or_default().to_owned();
    assert!(last.contains("3 ranks wait") && last.contains("besides, job program, rank 2, "), "{last}");
    assert!(!said(&run).contains("143"), "{}", said(&run));
}

/// Days of sleep are as many steps as a moment.
#[test]
fn a_program_sleeps_for_days() {
    let kept = folder("simulated");
    let folder = kept.path();
    let Some(program) = program(folder) else { return };
    let run = simulated(folder, "malbec", 2, &[], &[program.to_str().expect("a path"), "sleeps"]);
    assert!(run.status.success() && said(&run).contains("slept 1000000"), "{}", said(&run));
}

#[test]
fn timers_in_real_time_are_named_at_once_and_in_the_result() {
    let kept = folder("simulated");
    let folder = kept.path();
    let Some(program) = program(folder) else { return };
    let run = simulated(folder, "malbec", 2, &[], &[program.to_str().expect("a path"), "timers"]);
    assert!(run.status.success(), "{}", said(&run));
    assert!(said(&run).contains("rank 1 calls alarm: its timer runs in real time"), "{}", said(&run));
    let warnings = document(&run)["manifest"]["warnings"].to_string();
    assert!(warnings.contains("alarm, setitimer"), "{warnings}");
    let quiet = simulated(folder, "malbec", 2, &[], &[program.to_str().expect("a path")]);
    assert!(!said(&quiet).contains("real time"), "{}", said(&quiet));
}

/// A NIC that dies takes messages with it. MPICH's short ones have no completion that could say so,
/// and its ranks wait: the run ends, keeps its result, and fails.
#[test]
fn ranks_that_wait_for_what_a_dead_nic_lost_are_no_deadlock() {
    let kept = folder("simulated");
    let folder = kept.path();
    let Some(program) = program(folder).filter(|program| is_of_mpich(folder, program)) else { return };
    let scenario = "system = \"malbec\"\n[[job]]\nname = \"app\"\nnodes = 3\nworkload = { kind = \"program\" }\n\
                    [[fault]]\nkind = \"nic_down\"\nendpoint = 1\nat = \"20us\"\n";
    std::fs::write(folder.join("dead.toml"), scenario).expect("a file");
    let run = simulated(folder, "dead.toml", 3, &[], &[program.to_str().expect("a path"), "long"]);
    assert_eq!(run.status.code(), Some(1), "{}", said(&run));
    assert_eq!(document(&run)["manifest"]["status"], "unfinished", "{}", said(&run));
    assert!(said(&run).contains("lost for good"), "{}", said(&run));
    let failures = document(&run)["manifest"]["tables"]["failures.parquet"].as_u64();
    assert!(failures > Some(0), "{failures:?} operations that failed");
}

/// The words of a process's command, and its parent.
fn process(number: u32) -> Option<(String, u32)> {
    let words = std::fs::read_to_string(format!("/proc/{number}/cmdline")).ok()?;
    let stat = std::fs::read_to_string(format!("/proc/{number}/stat")).ok()?;
    Some((words, stat.rsplit_once(") ")?.1.split(' ').nth(1)?.parse().ok()?))
}

/// MPICH's proxy, below this process.
fn proxy_below(ancestor: u32) -> Option<u32> {
    let all = std::fs::read_dir("/proc").expect("processes").flatten();
    let mut numbers = all.filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
    numbers.find(|number| {
        let is_proxy = process(*number).is_some_and(|(words, _)| words.contains("hydra_pmi_proxy"));
        let mut parents = std::iter::successors(Some(*number), |number| process(*number).map(|(_, parent)| parent));
        is_proxy && parents.any(|parent| parent == ancestor)
    })
}

/// Without the process that started them, ranks would go on to their end.
#[test]
fn a_launcher_that_loses_its_own_process_ends_the_run() {
    let kept = folder("simulated");
    let folder = kept.path();
    let Some(program) = program(folder).filter(|program| is_of_mpich(folder, program)) else { return };
    let mut run = philae();
    run.current_dir(folder).args(["run", "--simulate", "malbec", "--overwrite", "--json", "-o", "result", "-n", "2"]);
    let mut child =
        run.arg(&program).arg("long").stderr(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("it starts");
    let proxy = loop {
        if let Some(proxy) = proxy_below(child.id()) {
            break proxy;
        }
        assert!(child.try_wait().expect("a child").is_none(), "it ended before it had a proxy");
        std::thread::sleep(std::time::Duration::from_millis(20));
    };
    // The ranks have begun when their run has a start: its watcher looks from then on.
    until(&mut child, &folder.join("begun"));
    kill_process(Pid::from_raw(proxy.cast_signed()).expect("a number"), Signal::KILL).expect("it lives");
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(1), "{}", said(&output));
    assert!(said(&output).contains("hydra_pmi_proxy"), "{}", said(&output));
}

/// A script of a shell is started by the launcher of the program that it names, wherever the shell
/// lies.
#[test]
fn a_script_is_started_as_the_program_that_it_names() {
    let kept = folder("simulated");
    let folder = kept.path();
    let Some(program) = program(folder) else { return };
    let script = folder.join("job.sh");
    let text = format!("#!/bin/sh\n# Runs it.\ncd \"{}\" && exec ./ends \"$@\"\n", folder.display());
    std::fs::write(&script, text).expect("a file");
    let made = Command::new("chmod").arg("+x").arg(&script).status().expect("it starts");
    assert!(made.success());
    let direct = launcher(folder, &[program.to_str().expect("a path")]);
    assert_eq!(launcher(folder, &["./job.sh"]), direct, "{}", mpi_compiler());
    assert_eq!(launcher(folder, &["sh", "./job.sh"]), direct);
}

#[test]
fn a_number_of_processes_that_fills_no_nodes_says_what_would_work() {
    let kept = folder("simulated");
    let folder = kept.path();
    let run = simulated(folder, "malbec", 6, &["--processes-per-node", "4"], &["true"]);
    assert_eq!(run.status.code(), Some(2), "{}", said(&run));
    assert!(said(&run).contains("-n 4 or -n 8 would work") && said(&run).contains(": 1, 2, 3, 6"), "{}", said(&run));
}
