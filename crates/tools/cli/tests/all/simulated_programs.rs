//! Real programs in simulated time: `philae run --simulate`.

use crate::common::mpi_compiler;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::Value;

use crate::library::{folder, prefix, root, succeeded};

/// Each example with sizes that take only a moment.
const EXAMPLES: [(&str, &[&str]); 5] = [
    ("gups", &["--words", "500", "--updates", "100"]),
    ("sort", &["--keys", "2000", "--range", "10000"]),
    ("histogram", &["--bins", "77", "--samples", "100"]),
    ("stencil", &["--size", "200", "--steps", "4"]),
    ("fft", &["--bits", "5"]),
];

pub fn philae() -> Command {
    let executable = Path::new(env!("CARGO_BIN_EXE_philae"));
    let library = executable.with_file_name("deps").join("libphilae_provider.so");
    let mut command = Command::new(executable);
    command.env("PHILAE_LIBRARY", library).env_remove("SLURM_JOB_ID").stdin(Stdio::null());
    for (name, _) in std::env::vars().filter(|(name, _)| name.starts_with("SHMEM_") || name.starts_with("FI_")) {
        command.env_remove(name);
    }
    command.env("SHMEM_SYMMETRIC_SIZE", "2m");
    command
}

/// Compiles a program of OpenSHMEM.
pub fn compiled(folder: &Path, name: &str, source: &Path) -> PathBuf {
    let program = folder.join(name);
    let made = Command::new(prefix().join("bin/oshcc"))
        .args(["-std=gnu11", "-O1", "-Wall", "-Wextra", "-Werror", "-o"])
        .args([&program, source])
        .arg("-lm")
        .output();
    succeeded("oshcc", &made.expect("oshcc runs"));
    program
}

/// Compiles a program of an MPI. False: there is no compiler that could; it says so.
pub fn compiled_with_mpi(source: &Path, program: &Path) -> bool {
    let compiler = mpi_compiler();
    let mut command = Command::new(&compiler);
    command.args(["-std=gnu11", "-O2"]).arg(source).arg("-o").arg(program).arg("-lm");
    let is_made = command.output().is_ok_and(|output| output.status.success());
    if !is_made {
        println!("skipped: {compiler} compiles no program of an MPI; PHILAE_TEST_MPICC names another one");
    }
    is_made
}

/// A program whose first argument says what it does.
pub fn program(folder: &Path) -> PathBuf {
    let source = folder.join("program.c");
    std::fs::write(&source, PROGRAM).expect("a file");
    compiled(folder, "program", &source)
}

/// Runs a program on a scenario or a system.
pub fn simulated(folder: &Path, asked: &str, ranks: u32, options: &[&str], words: &[&str]) -> Output {
    let mut run = philae();
    run.current_dir(folder).args(["run", "--simulate", asked, "--overwrite", "--json", "--quiet", "-o", "result"]);
    run.args(["-n", &ranks.to_string()]).args(options).arg("--").args(words).output().expect("the command starts")
}

pub fn document(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout).expect("one JSON document")
}

pub fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// Numbers that the program prints as `NAME VALUE`, in nanoseconds.
pub fn printed(output: &Output, name: &str) -> f64 {
    let said = said(output);
    let line = said.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
    line.and_then(|value| value.parse().ok()).unwrap_or_else(|| panic!("no {name} in {said}"))
}

const PROGRAM: &str = r#"
#include <pthread.h>
#include <shmem.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
static double ns(clockid_t clock) { struct timespec t; clock_gettime(clock, &t); return t.tv_sec * 1e9 + t.tv_nsec; }
static double day(void) { struct timeval t; gettimeofday(&t, NULL); return t.tv_sec * 1e9 + t.tv_usec * 1e3; }
static void *later(void *word) {
	/* Longer than a look at processes that sleep. */
	for (volatile long i = 0; i < 50000000; i++) { }
	shmem_long_p(word, 1, 1 - shmem_my_pe());
	return NULL;
}
static void *naps(void *unused) { usleep(500); return unused; }
static void say(const char *name, double value) { if (shmem_my_pe() == 0) fprintf(stderr, "%s %.0f\n", name, value); }
int main(int argc, char **argv) {
	const char *what = argc > 1 ? argv[1] : "";
	if (!strcmp(what, "nothing")) return 0;
	if (!strcmp(what, "threads")) {
		int level;
		shmem_init_thread(SHMEM_THREAD_MULTIPLE, &level);
		if (level != SHMEM_THREAD_MULTIPLE) return 9;
	} else {
		shmem_init();
	}
	int me = shmem_my_pe(), n = shmem_n_pes();
	long *word = shmem_calloc(20000, sizeof(long));
	shmem_barrier_all();
	if (!strcmp(what, "clocks")) {
		double a = ns(CLOCK_MONOTONIC), b = ns(CLOCK_REALTIME), c = day();
		struct timespec nap = {0, 250000000};
		nanosleep(&nap, NULL);
		usleep(50000);
		say("monotonic", ns(CLOCK_MONOTONIC) - a);
		say("realtime", ns(CLOCK_REALTIME) - b);
		say("day", day() - c);
	}
	if (!strcmp(what, "barriers")) {
		double begin = ns(CLOCK_MONOTONIC);
		for (int i = 0; i < 20; i++) shmem_barrier_all();
		say("barriers", ns(CLOCK_MONOTONIC) - begin);
	}
	if (!strcmp(what, "ring")) {
		/* Past every PE, by writes that the next one waits for. */
		double begin = ns(CLOCK_MONOTONIC);
		if (me == 0) shmem_long_p(word, 1, 1 % n);
		shmem_long_wait_until(word, SHMEM_CMP_EQ, 1);
		if (me != 0) shmem_long_p(word, 1, (me + 1) % n);
		say("ring", ns(CLOCK_MONOTONIC) - begin);
	}
	if (!strcmp(what, "order")) {
		/* What follows a fence is there after what came before it, however long that was. */
		for (long turn = 1; turn <= 20; turn++) {
			if (me == 0) {
				static long data[16384];
				for (int i = 0; i < 16384; i++) data[i] = turn;
				shmem_long_put_nbi(word + 8, data, 16384, 1);
				/* The provider promises more than SHMEM: a read sees the writes before it. */
				if (shmem_long_g(word + 8 + 16383, 1) != turn) exit(8);
				shmem_fence();
				shmem_long_p(word, turn, 1);
				shmem_quiet();
			} else if (me == 1) {
				shmem_long_wait_until(word, SHMEM_CMP_EQ, turn);
				for (int i = 0; i < 16384; i++) if (word[8 + i] != turn) exit(9);
			}
			shmem_barrier_all();
		}
	}
	if (!strcmp(what, "test")) {
		/* Looks again and again, with a limit of its own. */
		double begin = ns(CLOCK_MONOTONIC);
		if (me == 0) {
			while (!shmem_long_test(word, SHMEM_CMP_EQ, 1) && ns(CLOCK_MONOTONIC) - begin < 20000) { }
			say("limit", ns(CLOCK_MONOTONIC) - begin);
			shmem_long_wait_until(word, SHMEM_CMP_EQ, 1);
			say("found", ns(CLOCK_MONOTONIC) - begin);
		} else if (me == 1) {
			usleep(100);
			shmem_long_p(word, 1, 0);
		}
	}
	if (!strcmp(what, "input")) {
		/* As many writes as there are thousands of bytes to read. */
		long all = 0, got;
		static char bytes[1000];
		while (me == 0 && (got = fread(bytes, 1, sizeof bytes, stdin)) > 0) { all += got; shmem_long_p(word, all, 1); }
		say("read", all);
	}
	if (!strcmp(what, "fork") && me == 1) {
		pid_t child = fork();
		if (child == 0) _exit(0);
		int status;
		waitpid(child, &status, 0);
	}
	if (!strcmp(what, "spin") && me == 1) for (volatile int never = 0; !never;) { }
	if (!strcmp(what, "pause") && me == 1) pause();
	if (!strcmp(what, "threads")) {
		/* Each PE waits for what another thread of the other one does first. */
		pthread_t threads[2];
		double begin = ns(CLOCK_MONOTONIC);
		pthread_create(&threads[0], NULL, later, word);
		pthread_create(&threads[1], NULL, naps, NULL);
		shmem_long_wait_until(word, SHMEM_CMP_EQ, 1);
		say("waited", ns(CLOCK_MONOTONIC) - begin);
		for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
	}
	if (!strcmp(what, "deadlock") && me == 0) shmem_long_wait_until(word, SHMEM_CMP_EQ, 1);
	if (!strcmp(what, "crash") && me == 1) raise(SIGSEGV);
	if (!strcmp(what, "kill") && me == 1) raise(SIGKILL);
	if (!strcmp(what, "code") && me == 1) exit(7);
	shmem_barrier_all();
	shmem_finalize();
	return 0;
}
"#;

/// What the ranks see follows from simulated time alone: the same digest with one thread and with
/// two, and the same output.
#[test]
fn programs_verify_their_results_and_a_run_can_be_repeated() {
    let (kept, examples) = (folder("simulated"), root().join("crates/nic/shmem/examples"));
    let folder = kept.path();
    for (name, arguments) in EXAMPLES {
        let program = compiled(folder, name, &examples.join(format!("{name}.c")));
        let words: Vec<&str> =
            std::iter::once(program.to_str().expect("a path")).chain(arguments.iter().copied()).collect();
        let run = |threads: &str| {
            let output = simulated(folder, "malbec", 4, &["--threads", threads], &words);
            assert!(output.status.success(), "{name}: {}", said(&output));
            assert!(said(&output).contains("\nverified: "), "{name}: {}", said(&output));
            let found = document(&output);
            assert_eq!(found["manifest"]["status"], "completed", "{name}");
            found["manifest"]["digest"].as_str().expect("a digest").to_owned()
        };
        let first = run("1");
        assert_eq!([run("2"), run("1")], [first.clone(), first], "{name}");
    }
}

#[test]
fn clocks_and_sleeps_are_those_of_simulated_time() {
    let kept = folder("simulated");
    let folder = kept.path();
    let program = program(folder);
    let output = simulated(folder, "malbec", 2, &[], &[program.to_str().expect("a path"), "clocks"]);
    assert!(output.status.success(), "{}", said(&output));
    for clock in ["monotonic", "realtime", "day"] {
        let passed = printed(&output, clock);
        assert!((3e8..3e8 + 2_000.0).contains(&passed), "{clock}: {passed} ns of 300 ms");
    }
}

/// A write takes as long as the fabric says, and each PE sees it when it has arrived.
#[test]
fn a_ring_of_writes_takes_the_time_of_its_writes() {
    let kept = folder("simulated");
    let folder = kept.path();
    let program = program(folder);
    let ring = |ranks: u32| {
        let output = simulated(folder, "malbec", ranks, &[], &[program.to_str().expect("a path"), "ring"]);
        assert!(output.status.success(), "{}", said(&output));
        printed(&output, "ring")
    };
    let (two, six) = (ring(2), ring(6));
    // Six hops instead of two; the PEs of this many nodes share a switch.
    assert!((2.8..3.2).contains(&(six / two)), "{two} ns and {six} ns");
    assert!((1_500.0..4_000.0).contains(&two), "{two} ns for two writes");
}

/// Packets of messages overtake each other, and reads overtake writes; what they do at their target
/// has the order in which it was issued.
#[test]
fn writes_take_effect_in_their_order() {
    let kept = folder("simulated");
    let folder = kept.path();
    let program = program(folder);
    for options in [["--set", "hardware.nic.ordered=false"], ["--processes-per-node", "2"]] {
        let output = simulated(folder, "malbec", 2, &options, &[program.to_str().expect("a path"), "order"]);
        assert!(output.status.success(), "{}", said(&output));
    }
}

/// Triggered work follows the NIC: it begins when its counter says so, while its process sleeps.
#[test]
fn deferred_work_begins_while_its_process_sleeps() {
    let kept = folder("simulated");
    let folder = kept.path();
    let (source, program) =
        (root().join("crates/tools/cli/tests/programs/deferred.c"), folder.join("deferred").display().to_string());
    let mut compiler = Command::new("cc");
    let made = compiler.args(["-O1", "-Wall", "-Wextra", "-o", &program]).arg(source).arg("-lfabric").output();
    let made = made.expect("a C compiler");
    if !made.status.success() {
        println!("skipped, libfabric-dev would help: {}", String::from_utf8_lossy(&made.stderr));
        return;
    }
    let output = simulated(folder, "malbec", 2, &[], &[&program]);
    assert!(output.status.success(), "{}", said(&output));
    // There and back, of a sleep of 500 us.
    assert!((2_000.0..6_000.0).contains(&printed(&output, "answer")), "{}", said(&output));
}

/// A thread makes its first call while another one waits for what comes of it.
#[test]
fn threads_of_a_rank_wait_and_call_at_the_same_time() {
    let kept = folder("simulated");
    let folder = kept.path();
    let program = program(folder);
    let output = simulated(folder, "malbec", 2, &[], &[program.to_str().expect("a path"), "threads"]);
    assert!(output.status.success(), "{}", said(&output));
    // The write takes some microseconds; it is the machine's choice when its thread begins.
    assert!((1_000.0..1e6).contains(&printed(&output, "waited")), "{}", said(&output));
    let warnings = document(&output)["manifest"]["warnings"].to_string();
    assert!(warnings.contains("2 ranks") && warnings.contains("another run may differ"), "{warnings}");
}

/// A loop that looks at a clock is not collapsed into a wait.
#[test]
fn a_program_that_polls_with_a_limit_of_its_own_keeps_it() {
    let kept = folder("simulated");
    let folder = kept.path();
    let program = program(folder);
    let output = simulated(folder, "malbec", 2, &[], &[program.to_str().expect("a path"), "test"]);
    assert!(output.status.success(), "{}", said(&output));
    let (limit, found) = (printed(&output, "limit"), printed(&output, "found"));
    assert!((20_000.0..20_500.0).contains(&limit), "{limit} ns of 20 us");
    assert!((100_000.0..104_000.0).contains(&found), "{found} ns after 100 us and a write");
}

/// The scenario's other jobs, its law and its faults are those of the program's network.
#[test]
fn other_jobs_laws_and_faults_change_the_time_of_a_program() {
    let kept = folder("simulated");
    let folder = kept.path();
    let program = program(folder);
    let scenario = |more: &str| {
        let text = format!(
            "system = \"malbec\"\nallocation = \"interleaved\"\n[[job]]\nname = \"app\"\nnodes = 16\n\
             workload = {{ kind = \"program\" }}\n{more}"
        );
        std::fs::write(folder.join("scenario.toml"), text).expect("a file");
    };
    let barriers = |options: &[&str]| {
        let words = [program.to_str().expect("a path"), "barriers"];
        let output = simulated(folder, "scenario.toml", 16, options, &words);
        assert!(output.status.success(), "{}", said(&output));
        (printed(&output, "barriers"), document(&output))
    };
    scenario("");
    let (quiet, _) = barriers(&[]);
    scenario("[[job]]\nname = \"aggressor\"\nnodes = 400\nworkload = { kind = \"incast\", bytes = \"128KiB\" }\n");
    let (by_law, document) = barriers(&[]);
    let (without, _) = barriers(&["--set", "congestion.law=none"]);
    assert!(
        by_law < 2.0 * quiet && without > 10.0 * by_law,
        "{quiet} ns alone, {by_law} ns, {without} ns without a law"
    );
    assert_eq!(document["summary"]["jobs"].as_array().map(Vec::len), Some(2), "both jobs are in the result");
}

/// A link that is cut in mid-run and comes back costs the program that time; a NIC that dies is an
/// error of the program's own library, and the result is valid up to then.
#[test]
fn a_program_lives_through_a_cut_link_and_learns_of_a_dead_nic() {
    let kept = folder("simulated");
    let folder = kept.path();
    let program = program(folder);
    let words = [program.to_str().expect("a path"), "barriers"];
    let run = |fault: &str| {
        let text = format!(
            "system = \"malbec\"\n[[job]]\nname = \"app\"\nnodes = 4\nworkload = {{ kind = \"program\" }}\n\
             [retry]\npacket_timeout_ns = 30_000\nunordered_delay_ms = 0\nretry_step_ms = 0\n{fault}"
        );
        std::fs::write(folder.join("scenario.toml"), text).expect("a file");
        simulated(folder, "scenario.toml", 4, &[], &words)
    };
    let (quiet, cut) =
        (run(""), run("[[fault]]\nkind = \"link_down\"\nlink = \"endpoint:1\"\nat = \"20us\"\nuntil = \"100us\"\n"));
    assert!(quiet.status.success() && cut.status.success(), "{} {}", said(&quiet), said(&cut));
    let (quiet, cut) = (printed(&quiet, "barriers"), printed(&cut, "barriers"));
    assert!((50_000.0..150_000.0).contains(&(cut - quiet)), "{cut} ns with a cut of 80 us, {quiet} ns without");
    let dead = run("[[fault]]\nkind = \"nic_down\"\nendpoint = 1\nat = \"20us\"\n");
    assert!(!dead.status.success() && said(&dead).contains("the network gave up"), "{}", said(&dead));
    assert_eq!(document(&dead)["manifest"]["status"], "interrupted");
    let lost = &document(&dead)["manifest"]["tables"]["failures.parquet"];
    assert!(lost.as_u64() > Some(0), "{lost} operations that failed");
}

#[test]
fn what_goes_wrong_is_named_and_ends_the_run() {
    let kept = folder("simulated");
    let folder = kept.path();
    let program = program(folder);
    let path = program.to_str().expect("a path");
    let run = |what: &str| simulated(folder, "malbec", 2, &[], &[path, what]);
    let deadlock = run("deadlock");
    assert_eq!(deadlock.status.code(), Some(1), "{}", said(&deadlock));
    assert!(said(&deadlock).contains("2 ranks wait") && said(&deadlock).contains("polling"), "{}", said(&deadlock));
    let crash = run("crash");
    assert_eq!(crash.status.code(), Some(128 + 11), "{}", said(&crash));
    assert!(said(&crash).contains("SIGSEGV") && said(&crash).contains("rank 1 (process "), "{}", said(&crash));
    assert_eq!(document(&crash)["manifest"]["status"], "interrupted");
    let killed = run("kill");
    assert_eq!(killed.status.code(), Some(128 + 9), "{}", said(&killed));
    assert!(said(&killed).contains("SIGKILL") && said(&killed).contains("rank 1 (process "), "{}", said(&killed));
    let code = run("code");
    assert_eq!(code.status.code(), Some(7), "{}", said(&code));
    let nothing = run("nothing");
    assert!(!nothing.status.success() && said(&nothing).contains("no process has sent"), "{}", said(&nothing));
    let fork = run("fork");
    assert!(fork.status.success(), "{}", said(&fork));
}

#[test]
fn a_run_leaves_no_shared_memory() {
    let kept = folder("simulated");
    let folder = kept.path();
    let program = program(folder);
    for what in ["barriers", "crash"] {
        let mut run = philae();
        run.current_dir(folder).args(["run", "--simulate", "malbec", "--overwrite", "--quiet", "-n", "2", "--"]);
        let mut child = run.arg(&program).arg(what).stderr(Stdio::null()).spawn().expect("the command starts");
        let name = format!("philae-simulated-{}-", child.id());
        child.wait().expect("it ends");
        let kept = std::fs::read_dir("/dev/shm").expect("shared memory").filter_map(Result::ok);
        let kept: Vec<_> = kept.filter(|file| file.file_name().to_string_lossy().starts_with(&name)).collect();
        assert!(kept.is_empty(), "{what}: {kept:?}");
    }
}

/// A loop over plain memory lets no simulated time pass, and a rank outside may never come back.
/// The rank is named, and Ctrl-C ends the run.
#[test]
fn a_rank_for_which_all_others_wait_is_named() {
    let kept = folder("simulated");
    let folder = kept.path();
    let program = program(folder);
    for (what, expected) in [("spin", "computes"), ("pause", "waits outside")] {
        let mut run = philae();
        let options = ["run", "--simulate", "malbec", "--json", "--overwrite", "-o", "result", "-n", "2", "--"];
        run.current_dir(folder).args(options).arg(&program).arg(what).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = run.spawn().expect("the command starts");
        let mut lines = BufReader::new(child.stderr.take().expect("a pipe")).lines();
        let named = lines.by_ref().find(|line| line.as_ref().is_ok_and(|line| line.contains("rank 1 (process ")));
        assert!(named.expect("a line").is_ok_and(|line| line.contains(expected)), "{what}");
        let process = rustix::process::Pid::from_child(&child);
        rustix::process::kill_process(process, rustix::process::Signal::INT).expect("it lives");
        let rest: Vec<String> = lines.map_while(Result::ok).collect();
        let status = child.wait().expect("it ends");
        assert_eq!(status.code(), Some(130), "{rest:?}");
    }
}

#[test]
fn a_scenario_that_does_not_fit_the_program_says_what_would_work() {
    let kept = folder("simulated");
    let folder = kept.path();
    let program = program(folder);
    let path = program.to_str().expect("a path");
    let refused = |text: &str, options: &[&str], expected: &str| {
        std::fs::write(folder.join("scenario.toml"), text).expect("a file");
        let output = simulated(folder, "scenario.toml", 2, options, &[path, "barriers"]);
        assert_eq!(output.status.code(), Some(2), "{expected}: {}", said(&output));
        assert!(said(&output).contains(expected), "{expected} in {}", said(&output));
    };
    let job = "system = \"malbec\"\n[[job]]\nname = \"app\"\nnodes = 3\nworkload = { kind = \"program\" }\n";
    refused(job, &[], "-n 3 would work");
    refused(&job.replace("program", "alltoall"), &[], "0 jobs with a workload of kind \"program\"");
    refused(&job.replace("= 3", "= 2"), &["--processes-per-node", "2"], "is for a SYSTEM");
    refused(&job.replace("= 3", "= 2"), &["--set", "job.app.workload.time_per_call=1us"], "computation = \"fixed\"");
    let output = simulated(folder, "nowhere", 2, &[], &[path, "barriers"]);
    assert!(output.status.code() == Some(2) && said(&output).contains("nowhere"), "{}", said(&output));
    // `simulate` starts no processes.
    std::fs::write(folder.join("scenario.toml"), job).expect("a file");
    let plain = philae().current_dir(folder).args(["simulate", "scenario.toml"]).output().expect("it starts");
    assert!(plain.status.code() == Some(2) && said(&plain).contains("philae run --simulate"), "{}", said(&plain));
}

const PING_PONG: &str = r#"
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(int argc, char **argv) {
	int rank, sizes[] = {8, 4096, 65536}, turns = 20;
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	char *data = calloc(1, 65536);
	for (int i = 0; i < 3; i++) {
		MPI_Barrier(MPI_COMM_WORLD);
		double begin = MPI_Wtime();
		for (int turn = 0; turn < turns; turn++) {
			if (rank == 0) MPI_Send(data, sizes[i], MPI_CHAR, 1, 0, MPI_COMM_WORLD);
			MPI_Recv(data, sizes[i], MPI_CHAR, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
			if (rank == 1) MPI_Send(data, sizes[i], MPI_CHAR, 0, 0, MPI_COMM_WORLD);
		}
		if (rank == 0) fprintf(stderr, "b%d %.0f\n", sizes[i], (MPI_Wtime() - begin) * 1e9 / turns);
	}
	/* Two messages with one tag, the longer one first. */
	for (int turn = 0; turn < 20; turn++) {
		MPI_Request requests[2];
		if (rank == 0) {
			memset(data, turn, 16384);
			MPI_Isend(data, 16384, MPI_CHAR, 1, 5, MPI_COMM_WORLD, &requests[0]);
			MPI_Isend(&turn, 4, MPI_CHAR, 1, 5, MPI_COMM_WORLD, &requests[1]);
			MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
		} else {
			int other = -1;
			MPI_Recv(data, 16384, MPI_CHAR, 0, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
			MPI_Recv(&other, 4, MPI_CHAR, 0, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
			if (other != turn || data[16383] != turn) MPI_Abort(MPI_COMM_WORLD, 9);
		}
	}
	MPI_Finalize();
	return 0;
}
"#;

/// A program of an MPI, if there is a compiler for those.
fn of_an_mpi(folder: &Path, text: &str) -> Option<PathBuf> {
    let (source, program) = (folder.join("mpi.c"), folder.join("mpi"));
    std::fs::write(&source, text).expect("a file");
    let compiler = mpi_compiler();
    let made = Command::new(&compiler).arg(&source).arg("-o").arg(&program).output();
    if made.is_ok_and(|output| output.status.success()) {
        return Some(program);
    }
    println!("skipped: {compiler} compiles no program of an MPI; PHILAE_TEST_MPICC names another one");
    None
}

/// A round trip of an MPI program takes what the pattern `ping-pong` takes, and what the library
/// does in between: polls. Behind a NIC that matches, and one whose host copies.
#[test]
fn messages_of_an_mpi_take_the_time_of_the_pattern() {
    let kept = folder("simulated");
    let folder = kept.path();
    let Some(program) = of_an_mpi(folder, PING_PONG) else { return };
    for system in ["frontier", "malbec"] {
        let run = simulated(folder, system, 2, &[], &[program.to_str().expect("a path")]);
        assert!(run.status.success(), "{}", said(&run));
        for bytes in [8, 4096, 65536] {
            let scenario = format!(
                "system = \"{system}\"\n[[job]]\nname = \"pair\"\nnodes = 2\n\
                 workload = {{ kind = \"ping-pong\", bytes = \"{bytes}B\", iterations = 20 }}\n"
            );
            std::fs::write(folder.join("pair.toml"), scenario).expect("a file");
            let arguments = ["simulate", "pair.toml", "--overwrite", "--json", "--quiet", "-o", "pattern"];
            let pattern = philae().current_dir(folder).args(arguments).output().expect("it starts");
            let mean = &document(&pattern)["summary"]["jobs"][0]["iterations"]["span"]["mean_ps"];
            let mean = mean.as_f64().unwrap_or_else(|| panic!("{mean}"));
            let pattern = mean / 1_000.0;
            let program = printed(&run, &format!("b{bytes}"));
            assert!(
                (pattern..pattern * 1.02 + 60.0).contains(&program),
                "{system}, {bytes} B: {program} ns, {pattern} ns"
            );
        }
    }
}

/// A program that is traced in simulated time has simulated times in its trace, and the trace takes
/// in the simulator what the program took.
#[test]
fn the_trace_of_a_program_takes_the_time_of_the_program() {
    let kept = folder("simulated");
    let folder = kept.path();
    let Some(program) = of_an_mpi(folder, PING_PONG) else { return };
    let observed = ["--traffic", "--trace", "traces"];
    let run = simulated(folder, "malbec", 2, &observed, &[program.to_str().expect("a path")]);
    assert!(run.status.success(), "{}", said(&run));
    let program = document(&run);
    assert_eq!((&program["program"]["exit_code"], &program["program"]["traced"]), (&0.into(), &2.into()));
    let sends = program["program"]["traffic"]["total"]["sends"].as_u64().expect("a count");
    // Round trips of three sizes and pairs of messages, and what the library sends itself.
    assert!((3 * 40 + 40..300).contains(&sends), "{sends}");
    let converted = philae().current_dir(folder).args(["trace", "convert", "traces", "app.goal"]).output();
    assert!(converted.is_ok_and(|output| output.status.success()));
    let scenario = "system = \"malbec\"\n[[job]]\nname = \"app\"\nnodes = 2\n\
                    workload = { kind = \"trace\", file = \"app.goal\" }\n";
    std::fs::write(folder.join("trace.toml"), scenario).expect("a file");
    let arguments = ["simulate", "trace.toml", "--overwrite", "--json", "--quiet", "-o", "replayed"];
    let replayed = document(&philae().current_dir(folder).args(arguments).output().expect("it starts"));
    let time = |document: &Value| document["manifest"]["simulated_ps"].as_f64().expect("a time");
    let warnings = program["manifest"]["warnings"].to_string();
    let (program, trace) = (time(&program), time(&replayed));
    assert!(
        (0.97..1.03).contains(&(trace / program)),
        "{program} ps, {trace} ps as a trace; {warnings} {}",
        said(&run)
    );
}

/// A program that is explained reads its input in both of its runs: from a file, from where that
/// is, and from a stream that ends.
#[test]
fn a_program_that_is_explained_reads_its_input_twice() {
    let kept = folder("simulated");
    let folder = kept.path();
    let program = program(folder);
    // So many bytes of input are sent from one rank to the other.
    let bytes = vec![b'x'; 200_000];
    std::fs::write(folder.join("input"), &bytes).expect("a file");
    let run = |input: Stdio, written: &[u8]| {
        let mut run = philae();
        run.current_dir(folder).args(["run", "--simulate", "malbec", "--overwrite", "--json", "--quiet", "-n", "2"]);
        run.args(["--set", "explain.job=program", "--set", "explain.slowest=1", "-o", "result", "--"]);
        run.arg(&program).arg("input").stdin(input).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = run.spawn().expect("the command starts");
        if let Some(mut pipe) = child.stdin.take() {
            std::io::Write::write_all(&mut pipe, written).expect("it reads");
        }
        let output = child.wait_with_output().expect("it ends");
        assert!(output.status.success(), "{}", said(&output));
        assert!(document(&output)["manifest"]["tables"]["explained.parquet"].as_u64() > Some(5), "{}", said(&output));
        printed(&output, "read")
    };
    assert_eq!(run(Stdio::piped(), &bytes), 200_000.0);
    let mut file = std::fs::File::open(folder.join("input")).expect("a file");
    std::io::Seek::seek(&mut file, std::io::SeekFrom::Start(50_000)).expect("a file");
    assert_eq!(run(file.into(), &[]), 150_000.0);
    assert_eq!(run(Stdio::null(), &[]), 0.0);
}

/// Explained messages take two runs of the program, and it prints once.
#[test]
fn messages_of_a_program_are_explained() {
    let kept = folder("simulated");
    let folder = kept.path();
    let program = program(folder);
    let path = program.to_str().expect("a path");
    let explain = ["--set", "explain.job=program", "--set", "explain.slowest=2"];
    let output = simulated(folder, "malbec", 3, &explain, &[path, "barriers"]);
    assert!(output.status.success(), "{}", said(&output));
    assert_eq!(said(&output).matches("barriers ").count(), 1, "{}", said(&output));
    let rows = document(&output)["manifest"]["tables"]["explained.parquet"].as_u64();
    assert!(rows > Some(10), "{rows:?} parts of two messages");
    let crash = simulated(folder, "malbec", 3, &explain, &[path, "crash"]);
    assert!(!crash.status.success() && said(&crash).contains("without [explain]"), "{}", said(&crash));
    let processor = [&explain[..], &["--set", "job.program.workload.computation=processor"]].concat();
    let refused = simulated(folder, "malbec", 3, &processor, &[path, "barriers"]);
    assert!(refused.status.code() == Some(2) && said(&refused).contains("\"fixed\" would work"), "{}", said(&refused));
}

const THREADS_OF_AN_MPI: &str = r#"
#include <mpi.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
static int rank;
static void *trades(void *number) {
	int tag = (int)(intptr_t)number, other = 1 - rank, got;
	for (int turn = 0; turn < 20; turn++) {
		int sent = turn * 100 + tag;
		if ((rank + tag) % 2) MPI_Send(&sent, 1, MPI_INT, other, tag, MPI_COMM_WORLD);
		MPI_Recv(&got, 1, MPI_INT, other, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		if (!((rank + tag) % 2)) MPI_Send(&sent, 1, MPI_INT, other, tag, MPI_COMM_WORLD);
		if (got != sent) MPI_Abort(MPI_COMM_WORLD, 8);
	}
	return NULL;
}
int main(int argc, char **argv) {
	int level;
	MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
	if (level != MPI_THREAD_MULTIPLE) MPI_Abort(MPI_COMM_WORLD, 9);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	pthread_t threads[4];
	double begin = MPI_Wtime();
	for (intptr_t number = 0; number < 4; number++) pthread_create(&threads[number], NULL, trades, (void *)number);
	for (int number = 0; number < 4; number++) pthread_join(threads[number], NULL);
	if (rank == 0) fprintf(stderr, "traded %.0f\n", (MPI_Wtime() - begin) * 1e9);
	MPI_Finalize();
	return 0;
}
"#;

/// Threads of an MPI share its lock: one that waits for a message has it, and lets go of it for a
/// moment between two looks.
#[test]
fn threads_of_an_mpi_wait_and_send_at_the_same_time() {
    let kept = folder("simulated");
    let folder = kept.path();
    let Some(program) = of_an_mpi(folder, THREADS_OF_AN_MPI) else { return };
    let run = simulated(folder, "malbec", 2, &[], &[program.to_str().expect("a path")]);
    assert!(run.status.success(), "{}", said(&run));
    // Twenty round trips. What waits for the lock take besides is the library's, and the machine's.
    let traded = printed(&run, "traded");
    assert!(traded > 40_000.0, "{traded} ns");
}
