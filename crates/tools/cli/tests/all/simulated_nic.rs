//! What the NIC of a rank does in simulated time without the rank's process.

use std::path::Path;
use std::process::Command;

use crate::library::{folder, root};
use crate::simulated_programs::{compiled, compiled_with_mpi, document, philae, printed, said, simulated};

/// PE 1 is outside of the provider until PE 0 has read what it has written there. The read arrives
/// before the write that it follows, so its answer comes later, from the NIC of PE 1.
const OUTSIDE: &str = r#"
#include <fcntl.h>
#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>
int main(int argc, char **argv) {
	enum { COUNT = 100000 };
	static long data[COUNT];
	if (argc < 2) return 9;
	shmem_init();
	int me = shmem_my_pe();
	long *there = shmem_calloc(COUNT, sizeof(long));
	for (int i = 0; i < COUNT; i++) data[i] = 7;
	shmem_barrier_all();
	if (me == 0) {
		sleep(1);
		shmem_long_put_nbi(there, data, COUNT, 1);
		long last = shmem_long_g(there + COUNT - 1, 1);
		fprintf(stderr, "last %ld\n", last);
		int file = open(argv[1], O_WRONLY);
		if (write(file, "x", 1) != 1) return 8;
	} else {
		char byte;
		int file = open(argv[1], O_RDONLY);
		if (read(file, &byte, 1) != 1) return 8;
	}
	shmem_barrier_all();
	shmem_finalize();
	return 0;
}
"#;

/// PE 0 reads the memory of PE 1, which waits meanwhile and says how often it gave its core away.
const READS: &str = r#"
#include <shmem.h>
#include <stdio.h>
#include <sys/resource.h>
static long switches(void) { struct rusage usage; getrusage(RUSAGE_SELF, &usage); return usage.ru_nvcsw; }
int main(void) {
	shmem_init();
	long *word = shmem_calloc(2, sizeof(long)), sum = 0;
	int me = shmem_my_pe();
	shmem_barrier_all();
	long before = switches();
	if (me == 0) {
		for (int i = 0; i < 2000; i++) sum += shmem_long_g(word + 1, 1) + shmem_long_atomic_fetch(word + 1, 1);
		shmem_long_p(word, 1, 1);
		fprintf(stderr, "sum %ld\n", sum);
	} else {
		shmem_long_wait_until(word, SHMEM_CMP_EQ, 1);
		fprintf(stderr, "switches %ld\n", switches() - before);
	}
	shmem_barrier_all();
	shmem_finalize();
	return 0;
}
"#;

fn program(folder: &Path, name: &str, text: &str) -> String {
    let source = folder.join(format!("{name}.c"));
    std::fs::write(&source, text).expect("a file");
    compiled(folder, name, &source).display().to_string()
}

#[test]
fn an_answer_that_comes_late_does_not_wait_for_the_targets_process() {
    let kept = folder("simulated");
    let folder = kept.path();
    let (program, pipe) = (program(folder, "outside", OUTSIDE), folder.join("pipe"));
    let made = Command::new("mkfifo").arg(&pipe).status().expect("mkfifo runs");
    assert!(made.success());
    let output = simulated(folder, "malbec", 2, &[], &[&program, pipe.to_str().expect("a path")]);
    assert!(output.status.success(), "{}", said(&output));
    assert_eq!(printed(&output, "last"), 7.0);
}

/// Runs `programs/endpoints.c`. `None`: there is no libfabric to compile it with.
fn endpoints(folder: &Path, system: &str, words: &[&str]) -> Option<std::process::Output> {
    let (source, program) =
        (root().join("crates/tools/cli/tests/programs/endpoints.c"), folder.join("endpoints").display().to_string());
    let mut compiler = Command::new("cc");
    let made = compiler.args(["-O1", "-Wall", "-Wextra", "-o", &program]).arg(source).arg("-lfabric").output();
    let made = made.expect("a C compiler");
    if !made.status.success() {
        println!("skipped, libfabric-dev would help: {}", String::from_utf8_lossy(&made.stderr));
        return None;
    }
    let words = [&[program.as_str()], words].concat();
    let output = simulated(folder, system, 2, &[], &words);
    assert!(output.status.success(), "{}", said(&output));
    Some(output)
}

/// Both messages wait at an endpoint when its rank closes it and ends: their sender learns that.
#[test]
fn messages_that_wait_at_a_closed_endpoint_end_with_an_error() {
    let kept = folder("simulated");
    let Some(output) = endpoints(kept.path(), "malbec", &["gone"]) else { return };
    assert_eq!(printed(&output, "errors"), 2.0);
    // Its process closes the endpoint after 500 us.
    assert!((500_000.0..700_000.0).contains(&printed(&output, "after")), "{}", said(&output));
}

#[test]
fn the_coordinator_lets_go_of_endpoints_that_are_closed() {
    let kept = folder("simulated");
    let Some(output) = endpoints(kept.path(), "malbec", &["many", "60"]) else { return };
    let (early, late) = (printed(&output, "early"), printed(&output, "late"));
    assert!(early >= 2.0 && late <= early + 1.0, "{early} areas after 10 endpoints of each rank, {late} after 60");
}

/// A read is its target's NIC's alone, and so is an atomic operation that reads.
#[test]
fn reads_do_not_wake_their_target() {
    let kept = folder("simulated");
    let folder = kept.path();
    let output = simulated(folder, "malbec", 2, &[], &[&program(folder, "reads", READS)]);
    assert!(output.status.success(), "{}", said(&output));
    let switches = printed(&output, "switches");
    // A wait polls once in a while all the same.
    assert!(switches < 300.0, "{switches} switches for 4,000 reads");
}

/// The bytes of a long message go from one process to the other, and the coordinator keeps none. On
/// this system they have left the sender before they have arrived.
#[test]
fn the_coordinator_keeps_no_long_message() {
    let kept = folder("simulated");
    let Some(output) = endpoints(kept.path(), "frontier", &["long", "128"]) else { return };
    let more = printed(&output, "more");
    assert!(more < 64.0, "{more} MiB more for a message of 128 MiB");
}

/// A round trip of an MPI program takes what the pattern takes, and what a poll and a reading of
/// the clock cost: 1 ns each. Packets of single round trips take other routes, so that some are
/// shorter.
#[test]
fn a_round_trip_takes_no_less_than_the_pattern() {
    let kept = folder("simulated");
    let folder = kept.path();
    let (source, program) = (folder.join("trips.c"), folder.join("trips"));
    std::fs::write(&source, TRIPS).expect("a file");
    if !compiled_with_mpi(&source, &program) {
        return;
    }
    let costs = ["--set", "job.program.workload.poll=1ns", "--set", "job.program.workload.clock=1ns"];
    let run = simulated(folder, "malbec", 2, &costs, &[program.to_str().expect("a path")]);
    assert!(run.status.success(), "{}", said(&run));
    for bytes in [8, 4096] {
        let scenario = format!(
            "system = \"malbec\"\n[[job]]\nname = \"pair\"\nnodes = 2\n\
             workload = {{ kind = \"ping-pong\", bytes = \"{bytes}B\", iterations = 1000 }}\n"
        );
        std::fs::write(folder.join("pair.toml"), scenario).expect("a file");
        let arguments = ["simulate", "pair.toml", "--overwrite", "--json", "--quiet", "-o", "pattern"];
        let pattern = philae().current_dir(folder).args(arguments).output().expect("it starts");
        let mean = &document(&pattern)["summary"]["jobs"][0]["iterations"]["span"]["mean_ps"];
        let pattern = mean.as_f64().unwrap_or_else(|| panic!("{mean}")) / 1_000.0;
        let more = printed(&run, &format!("b{bytes}")) / 1_000.0 - pattern;
        assert!((0.0..6.0).contains(&more), "{bytes} B: {more} ns more than {pattern} ns");
    }
}

/// The time of 1,000 round trips, in nanoseconds.
const TRIPS: &str = r#"
#include <mpi.h>
#include <stdio.h>
#include <time.h>
static double ns(void) { struct timespec t; clock_gettime(CLOCK_MONOTONIC, &t); return t.tv_sec * 1e9 + t.tv_nsec; }
int main(int argc, char **argv) {
	static char data[4096];
	int rank, sizes[] = {8, 4096};
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	for (int i = 0; i < 2; i++) {
		MPI_Barrier(MPI_COMM_WORLD);
		double begin = ns();
		for (int turn = 0; turn < 1000; turn++) {
			if (rank == 0) MPI_Send(data, sizes[i], MPI_CHAR, 1, 0, MPI_COMM_WORLD);
			MPI_Recv(data, sizes[i], MPI_CHAR, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
			if (rank == 1) MPI_Send(data, sizes[i], MPI_CHAR, 0, 0, MPI_COMM_WORLD);
		}
		if (rank == 0) fprintf(stderr, "b%d %.0f\n", sizes[i], ns() - begin);
	}
	MPI_Finalize();
	return 0;
}
"#;
