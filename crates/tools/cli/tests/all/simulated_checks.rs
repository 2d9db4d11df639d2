//! Right results in simulated time, twice the same, and as the patterns take: a part of
//! `make simulated-programs`.

use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::library::{folder, root};
use crate::simulated_programs::{compiled, compiled_with_mpi, document, philae, printed, said, simulated};

/// Each program of `bench/simulated` with arguments that take only a moment.
const PROGRAMS: [(&str, &[&str]); 16] = [
    ("latency", &["3"]),
    ("bandwidth", &["65536", "2"]),
    ("alltoall", &["2048", "2"]),
    ("allreduce", &["2048", "2"]),
    ("ep", &["12"]),
    ("is", &["500"]),
    ("cg", &["64"]),
    ("ft", &["32"]),
    ("mg", &["16"]),
    ("one_sided", &["100"]),
    ("requests", &[]),
    ("workers", &["30"]),
    ("groups", &[]),
    ("nonblocking", &["200"]),
    ("random_access", &["256"]),
    ("ring", &["50000"]),
];

const CLOCKS: &str = r#"
#include <shmem.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>
static long ns(clockid_t clock) { struct timespec t; clock_gettime(clock, &t); return t.tv_sec * 1000000000L + t.tv_nsec; }
int main(void) {
	usleep(1000 * (getpid() % 7) * 10); /* The processes do not begin at the same time. */
	shmem_init();
	static long shown[4], first[2], last[2];
	for (int turn = 0; turn < 2; turn++) {
		shmem_barrier_all();
		shown[turn] = ns(turn ? CLOCK_REALTIME : CLOCK_MONOTONIC);
	}
	shmem_long_min_reduce(SHMEM_TEAM_WORLD, first, shown, 2);
	shmem_long_max_reduce(SHMEM_TEAM_WORLD, last, shown, 2);
	if (shmem_my_pe() == 0)
		fprintf(stderr, "between %ld\nbetween %ld\nfraction %ld\n", last[0] - first[0], last[1] - first[1],
			first[1] % 1000000000);
	shmem_finalize();
	return 0;
}
"#;

/// Loops of probes: for messages to itself, which an MPI moves through memory, while another rank
/// sleeps; and for a message that never comes.
const PROBES: &str = r#"
#include <mpi.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
int main(int argc, char **argv) {
	int rank, out = 5, in = 0;
	MPI_Message message;
	MPI_Request request;
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	if (!strcmp(argv[1], "never") && rank == 0) MPI_Probe(1, 77, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	double begin = MPI_Wtime();
	if (rank == 0) sleep(1);
	for (int turn = 0; rank == 1 && turn < 20; turn++) {
		MPI_Isend(&out, 1, MPI_INT, 1, 3, MPI_COMM_WORLD, &request);
		MPI_Mprobe(1, 3, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE);
		MPI_Mrecv(&in, 1, MPI_INT, &message, MPI_STATUS_IGNORE);
		MPI_Wait(&request, MPI_STATUS_IGNORE);
	}
	if (rank == 1) fprintf(stderr, "own %.0f\n", (MPI_Wtime() - begin) * 1e9);
	/* The longest wait of a loop of probes is the other rank's sleep. */
	MPI_Sendrecv(&out, 1, MPI_INT, 1 - rank, 4, &in, 1, MPI_INT, 1 - rank, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	if (rank == 1) MPI_Send(&out, 1, MPI_INT, 0, 5, MPI_COMM_WORLD);
	int is_there = 0, probes = 0;
	for (; rank == 0 && !is_there; probes++) MPI_Iprobe(1, 5, MPI_COMM_WORLD, &is_there, MPI_STATUS_IGNORE);
	if (rank == 0) MPI_Recv(&in, 1, MPI_INT, 1, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	MPI_Finalize();
	return 0;
}
"#;

fn program_of_bench(folder: &Path, name: &str) -> Option<PathBuf> {
    let (source, program) = (root().join("bench/simulated").join(name).with_extension("c"), folder.join(name));
    compiled_with_mpi(&source, &program).then_some(program)
}

fn words<'w>(program: &'w Path, arguments: &[&'w str]) -> Vec<&'w str> {
    std::iter::once(program.to_str().expect("a path")).chain(arguments.iter().copied()).collect()
}

fn digest(found: &Value) -> String {
    found["manifest"]["digest"].as_str().expect("a digest").to_owned()
}

/// What a program prints has its simulated times: it is the same as well.
#[test]
fn programs_of_mpi_verify_their_results_and_a_run_can_be_repeated() {
    let kept = folder("checks");
    let folder = kept.path();
    for (name, arguments) in PROGRAMS {
        let Some(program) = program_of_bench(folder, name) else { return };
        let run = |threads: &str| {
            let output = simulated(folder, "frontier", 4, &["--threads", threads], &words(&program, arguments));
            assert!(output.status.success(), "{name}: {}", said(&output));
            assert!(said(&output).contains("verified"), "{name}: {}", said(&output));
            (digest(&document(&output)), said(&output))
        };
        assert_eq!(run("1"), run("2"), "{name}");
    }
}

/// The last bytes of a long message are on their way through its target's NIC when its sender may
/// change its memory.
#[test]
fn a_sender_may_change_its_memory_when_its_send_has_ended() {
    let kept = folder("checks");
    let folder = kept.path();
    // Its messages of 1 MiB fill the buffer between the network and the bus of this system.
    let Some(program) = program_of_bench(folder, "latency") else { return };
    let output = simulated(folder, "frontier", 2, &[], &words(&program, &["3"]));
    assert!(output.status.success(), "{}", said(&output));
}

/// Windows of messages, and collectives, take the time of the patterns.
#[test]
fn programs_take_the_time_of_the_patterns() {
    let kept = folder("checks");
    let folder = kept.path();
    for (name, kind, ranks, bytes, times, most) in [
        ("bandwidth", "bandwidth", 2, "1048576", "3", 0.01),
        ("bandwidth", "bandwidth", 2, "8", "3", 0.02),
        ("alltoall", "alltoall", 16, "1024", "3", 0.03),
        ("allreduce", "allreduce", 16, "8", "3", 0.03),
    ] {
        let Some(program) = program_of_bench(folder, name) else { return };
        let run = simulated(folder, "shandy", ranks, &[], &words(&program, &[bytes, times]));
        assert!(run.status.success(), "{name}: {}", said(&run));
        let lines = said(&run);
        let measured = lines.lines().filter_map(|line| line.split(' ').next_back()?.parse::<f64>().ok());
        let (sum, count) = measured.fold((0.0, 0.0), |(sum, count), value| (sum + value, count + 1.0));
        let scenario = format!(
            "system = \"shandy\"\n[[job]]\nname = \"a\"\nnodes = {ranks}\n\
             workload = {{ kind = \"{kind}\", bytes = \"{bytes}B\", iterations = {times} }}\n"
        );
        std::fs::write(folder.join("pattern.toml"), scenario).expect("a file");
        let simulate = ["simulate", "pattern.toml", "--overwrite", "--json", "--quiet", "-o", "pattern"];
        let pattern = philae().current_dir(folder).args(simulate).output().expect("it starts");
        let mean = document(&pattern)["summary"]["jobs"][0]["iterations"]["rank_mean_ps"].as_f64().expect("a time");
        let ratio = sum / count / (mean / 1_000.0);
        assert!((1.0 - most..1.0 + most).contains(&ratio), "{name} of {bytes} B: {ratio}\n{lines}");
    }
}

/// Ranks may compare their clocks: `MPI_WTIME_IS_GLOBAL`.
#[test]
fn the_clocks_of_all_ranks_agree() {
    let kept = folder("checks");
    let folder = kept.path();
    let source = folder.join("clocks.c");
    std::fs::write(&source, CLOCKS).expect("a file");
    let program = compiled(folder, "clocks", &source);
    let output = simulated(folder, "malbec", 4, &[], &words(&program, &[]));
    assert!(output.status.success(), "{}", said(&output));
    let lines = said(&output);
    let spans = lines.lines().filter_map(|line| line.strip_prefix("between ")?.parse::<u64>().ok());
    let spans: Vec<u64> = spans.collect();
    // PEs leave a barrier within the time of its last messages.
    assert!(spans.len() == 2 && spans.iter().all(|span| *span < 3_000), "{lines}");
    // They begin at a full second, so that a double rounds them the same in each run.
    assert!(printed(&output, "fraction") < 1e6, "{lines}");
}

/// What a rank finds without the network does not wait for the network, and probes without a result
/// are found.
#[test]
fn loops_of_probes_end_or_are_named() {
    let kept = folder("checks");
    let folder = kept.path();
    let (source, program) = (folder.join("probes.c"), folder.join("probes"));
    std::fs::write(&source, PROBES).expect("a file");
    if !compiled_with_mpi(&source, &program) {
        return;
    }
    let run = simulated(folder, "malbec", 2, &[], &words(&program, &["own"]));
    assert!(run.status.success(), "{}", said(&run));
    let own = printed(&run, "own");
    assert!(own < 5e6, "{own} ns for messages to itself, and the other rank sleeps for a second");
    let deadlock = simulated(folder, "malbec", 2, &[], &words(&program, &["never"]));
    assert_eq!(deadlock.status.code(), Some(1), "{}", said(&deadlock));
    assert!(said(&deadlock).contains("2 ranks wait"), "{}", said(&deadlock));
    // Other jobs that have no end do not hide it.
    let scenario = "system = \"malbec\"\n[[job]]\nname = \"app\"\nnodes = 2\nworkload = { kind = \"program\" }\n\
                    [[job]]\nname = \"other\"\nnodes = 2\nworkload = { kind = \"ping-pong\" }\n";
    std::fs::write(folder.join("scenario.toml"), scenario).expect("a file");
    let deadlock = simulated(folder, "scenario.toml", 2, &[], &words(&program, &["never"]));
    assert_eq!(deadlock.status.code(), Some(1), "{}", said(&deadlock));
    assert!(said(&deadlock).contains("rank 1, polling, with a receive"), "{}", said(&deadlock));
}

const OTHER_TAG: &str = r#"
#include <mpi.h>
int main(int argc, char **argv)
{
    int rank, ranks, value = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Send(&value, 1, MPI_INT, (rank + 1) % ranks, 7, MPI_COMM_WORLD);
    MPI_Recv(&value, 1, MPI_INT, (rank + ranks - 1) % ranks, rank == 2 ? 8 : 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
}
"#;

/// A rank waits for another tag: the receive, its sender, which has ended, and the
/// message that it does not take are named.
#[test]
fn a_message_with_another_tag_is_named_beside_the_receive_that_waits() {
    let kept = folder("checks");
    let folder = kept.path();
    let (source, program) = (folder.join("tag.c"), folder.join("tag"));
    std::fs::write(&source, OTHER_TAG).expect("a file");
    if !compiled_with_mpi(&source, &program) {
        return;
    }
    let run = simulated(folder, "malbec", 3, &[], &words(&program, &[]));
    assert_eq!(run.status.code(), Some(1), "{}", said(&run));
    let said = said(&run);
    assert!(said.contains("rank 2, polling, with a receive from rank 1"), "{said}");
    let message = said.split_once("with a message from rank 1").expect("the message that came").1;
    assert!(message.contains("that no receive takes"), "{said}");
}

/// Random numbers of the scenario follow its seed, and the program's times follow them.
#[test]
fn another_seed_is_another_run() {
    let kept = folder("checks");
    let folder = kept.path();
    let gups = compiled(folder, "gups", &root().join("crates/nic/shmem/examples/gups.c"));
    let scenario = "system = \"malbec\"\nallocation = \"random\"\n[[job]]\nname = \"app\"\nnodes = 4\n\
                    workload = { kind = \"program\" }\n";
    std::fs::write(folder.join("scenario.toml"), scenario).expect("a file");
    let run = |seed: &str| {
        let arguments = words(&gups, &["--words", "500", "--updates", "100"]);
        let output = simulated(folder, "scenario.toml", 4, &["--seed", seed], &arguments);
        assert!(output.status.success(), "{}", said(&output));
        digest(&document(&output))
    };
    let (first, again, other) = (run("1"), run("1"), run("2"));
    assert_eq!(first, again);
    assert_ne!(first, other);
}
