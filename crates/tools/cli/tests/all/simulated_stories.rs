//! The stories of the guide of simulated programs (docs/nic/simulated.md), with smaller sizes.

use crate::common::mpi_compiler;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use crate::library::{folder, root};
use crate::simulated_programs::{compiled, document, program, said, simulated};

/// Files that the guide names.
fn example(name: &str) -> String {
    root().join("examples/simulated").join(name).display().to_string()
}

/// The compiler of an MPI over libfabric.
fn compiler() -> String {
    mpi_compiler()
}

/// A program in C with MPI; `None`: there is no compiler for it, which is printed.
fn compiled_with_mpi(folder: &Path, source: &str) -> Option<PathBuf> {
    let program = folder.join("program-of-mpi");
    let arguments = ["-std=gnu11", "-O2", "-Wall", "-Wextra", "-Werror", source, "-o"];
    let made = Command::new(compiler()).args(arguments).arg(&program).output();
    let Ok(made) = made.inspect_err(|error| {
        println!("left out: {} does not start ({error}); PHILAE_TEST_MPICC names another compiler", compiler());
    }) else {
        return None;
    };
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    Some(program)
}

/// Whether a program runs here over Philae; if not, why is printed.
fn is_usable(output: &Output) -> bool {
    let has_network = !said(output).contains("no process has sent");
    if !has_network {
        println!("left out: the MPI of {} does not use libfabric; PHILAE_TEST_MPICC names another one", compiler());
    }
    has_network
}

/// A number that a program prints, in the form "... NAME VALUE UNIT".
fn number(output: &Output, name: &str) -> f64 {
    let said = said(output);
    let value = said.split(name).nth(1).and_then(|rest| rest.split_whitespace().next()?.parse().ok());
    value.unwrap_or_else(|| panic!("no '{name}' in {said}"))
}

fn verified(output: &Output) {
    assert!(output.status.success() && said(output).contains("\nverified: "), "{}", said(output));
}

/// A stencil keeps its time per iteration beside an incast under the law of Slingshot, and under no
/// other.
#[test]
fn a_stencil_beside_an_incast_keeps_its_time_under_one_law() {
    let kept = folder("stories");
    let folder = kept.path();
    let Some(program) = compiled_with_mpi(folder, &example("stencil.c")) else { return };
    let words = [program.to_str().expect("a path"), "64", "6"];
    let scenario = example("beside-incast.toml");
    let under = |options: &[&str]| {
        let smaller = [&["--set", "job.program.nodes=16"], options].concat();
        simulated(folder, &scenario, 16, &smaller, &words)
    };
    let alone = simulated(folder, "shandy", 16, &["--set", "allocation=interleaved"], &words);
    if !is_usable(&alone) {
        return;
    }
    verified(&alone);
    let time = |output: &Output| {
        verified(output);
        number(output, "per iteration: mean")
    };
    let alone = time(&alone);
    let slingshot = time(&under(&[]));
    assert!(slingshot < 2.0 * alone, "{alone} us alone, {slingshot} us under slingshot");
    for law in ["none", "aries"] {
        let other = time(&under(&["--set", &format!("congestion.law={law}")]));
        assert!(other > 5.0 * slingshot, "{other} us under {law}, {slingshot} us under slingshot");
    }
}

/// Operations of a session share doorbells: the NIC gets as many commands in less time.
#[test]
fn a_session_makes_random_access_faster() {
    let kept = folder("stories");
    let folder = kept.path();
    let program = compiled(folder, "gups", &root().join("crates/nic/shmem/examples/gups.c"));
    let run = |session: &str| {
        let words = [program.to_str().expect("a path"), "--words", "500", "--updates", "64", "--session", session];
        let options = ["--processes-per-node", "16", "--set", "hardware.host.preset=cassini-1-shmem"];
        let output = simulated(folder, "frontier", 32, &options, &words);
        verified(&output);
        let messages = document(&output)["summary"]["jobs"][0]["messages_issued"].as_u64().expect("a number");
        (number(&output, "updates each,"), messages)
    };
    let ((without, commands), (with, in_bundles)) = (run("0"), run("1"));
    assert_eq!(commands, in_bundles, "a session changes no operation");
    assert!(with > 1.2 * without, "{without} GUPS, {with} GUPS in a session");
}

/// A training loop pays for its neighbour where they share switches.
#[test]
fn a_training_loop_depends_on_its_placement() {
    let python = Path::new(&compiler()).with_file_name("python3");
    let mut asks = Command::new(&python);
    let has_modules = asks.args(["-c", "import mpi4py, numpy"]).stdin(Stdio::null()).stderr(Stdio::null()).status();
    if !has_modules.is_ok_and(|status| status.success()) {
        println!("left out: {} has no mpi4py and numpy; it lies beside PHILAE_TEST_MPICC", python.display());
        return;
    }
    let kept = folder("stories");
    let folder = kept.path();
    let (scenario, script) = (example("training.toml"), example("train.py"));
    let words =
        [python.to_str().expect("a path"), &script, "--steps", "3", "--features", "32768", "--compute-us", "20"];
    let run = |allocation: &str| {
        let allocation = format!("allocation={allocation}");
        let options = ["--set", "job.training.nodes=8", "--set", &allocation];
        simulated(folder, &scenario, 8, &options, &words)
    };
    let together = run("linear");
    if !is_usable(&together) {
        return;
    }
    let apart = run("interleaved");
    let [together, apart] = [together, apart].map(|output| {
        verified(&output);
        number(&output, "in allreduces")
    });
    assert!(apart > 1.1 * together, "{together} us on neighbouring nodes, {apart} us on nodes apart");
}

/// Other jobs that never end do not hide that the program's ranks wait for each other.
#[test]
fn a_deadlock_beside_an_endless_job_is_named() {
    let kept = folder("stories");
    let folder = kept.path();
    let program = program(folder);
    let words = [program.to_str().expect("a path"), "deadlock"];
    let options = ["--set", "job.program.nodes=2", "--set", "job.incast.nodes=16"];
    let output = simulated(folder, &example("beside-incast.toml"), 2, &options, &words);
    assert_eq!(output.status.code(), Some(1), "{}", said(&output));
    assert!(said(&output).contains("2 ranks wait") && said(&output).contains("polling"), "{}", said(&output));
}

const FLUSHES: &str = r#"
#include <mpi.h>
#include <stdio.h>
int main(int argc, char **argv) {
	int rank, ranks;
	double value, *memory;
	MPI_Win window;
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &ranks);
	MPI_Win_allocate(4096, 8, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &window);
	int to = (rank + 1) % ranks;
	MPI_Win_lock(MPI_LOCK_SHARED, to, 0, window);
	for (int flushes = 1; flushes <= 5; flushes += 4) {
		MPI_Barrier(MPI_COMM_WORLD);
		double begin = MPI_Wtime();
		for (int turn = 0; turn < 50; turn++) {
			MPI_Get(&value, 1, MPI_DOUBLE, to, 2, 1, MPI_DOUBLE, window);
			for (int flush = 0; flush < flushes; flush++) MPI_Win_flush(to, window);
		}
		if (rank == 0) fprintf(stderr, "with %d %.4f\n", flushes, (MPI_Wtime() - begin) * 1e6 / 50);
	}
	MPI_Win_unlock(to, window);
	MPI_Win_free(&window);
	if (rank == 0) fprintf(stderr, "\nverified: nothing\n");
	MPI_Finalize();
	return 0;
}
"#;

/// A flush of what has ended returns, and does not wait for what others do.
#[test]
fn a_flush_of_nothing_takes_only_its_looks() {
    let kept = folder("stories");
    let folder = kept.path();
    let source = folder.join("flushes.c");
    std::fs::write(&source, FLUSHES).expect("a file");
    let Some(program) = compiled_with_mpi(folder, source.to_str().expect("a path")) else { return };
    let output = simulated(folder, "malbec", 4, &[], &[program.to_str().expect("a path")]);
    if !is_usable(&output) || said(&output).contains("Open MPI") {
        // Windows of Open MPI are in shared memory within a host.
        return;
    }
    verified(&output);
    let (one, five) = (number(&output, "with 1"), number(&output, "with 5"));
    assert!(one > 1.0 && five < one + 4.0 * 0.06, "{one} us with a flush, {five} us with five");
}
