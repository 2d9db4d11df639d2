//! `philae run` and `philae nic` as users and scripts call them.

use serde_json::Value;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, Output, Stdio};
use tempfile::TempDir;

fn philae() -> Command {
    let executable = Path::new(env!("CARGO_BIN_EXE_philae"));
    let library = executable.with_file_name("deps").join("libphilae_provider.so");
    let mut command = Command::new(executable);
    command.env("PHILAE_LIBRARY", library).env_remove("SLURM_JOB_ID").stdin(Stdio::null());
    command
}

fn run(arguments: &[&str]) -> Output {
    philae().arg("run").args(arguments).output().expect("the command starts")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// A folder that is removed at the end.
struct Folder(TempDir);

impl Folder {
    fn new() -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        Self(folder)
    }

    fn path(&self, name: &str) -> String {
        self.0.path().join(name).display().to_string()
    }
}

#[test]
fn plain_processes_know_their_number_and_their_lines_say_it() {
    let script = "echo $PHILAE_RANK of $PHILAE_SIZE; echo $FI_PROVIDER $SLINGSHOT_VNIS $MORE >&2";
    let output = run(&[
        "-n",
        "3",
        "--launcher",
        "plain",
        "--prefix",
        "--vni",
        "7",
        "--env",
        "MORE=a=b",
        "/bin/sh",
        "-c",
        script,
    ]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let mut lines: Vec<String> = text(&output.stdout).lines().map(str::to_owned).collect();
    lines.sort();
    assert_eq!(lines, ["[0] 0 of 3", "[1] 1 of 3", "[2] 2 of 3"]);
    assert!(text(&output.stderr).contains("[1] philae 7 a=b"), "{}", text(&output.stderr));
}

#[test]
fn exit_codes_and_signals_pass_through() {
    let code = |script: &str, processes: &str| {
        run(&["-n", processes, "--launcher", "plain", "/bin/sh", "-c", script]).status.code()
    };
    assert_eq!(code("exit 0", "2"), Some(0));
    assert_eq!(code("exit 3", "1"), Some(3));
    assert_eq!(code("kill -9 $$", "1"), Some(137));
    // One process fails: the others, which would run for a minute, are ended.
    assert_eq!(code("[ $PHILAE_RANK = 1 ] && exit 4; sleep 60", "2"), Some(4));
    let mut child = philae()
        .args(["run", "-n", "2", "--launcher", "plain", "/bin/sh", "-c"])
        .arg("trap 'exit 7' TERM; echo up; while :; do sleep 0.1; done")
        .stdout(Stdio::piped())
        .spawn()
        .expect("the command starts");
    let mut lines = BufReader::new(child.stdout.take().expect("its output")).lines();
    for _ in 0..2 {
        assert_eq!(lines.next().expect("a line").expect("text"), "up");
    }
    let killed = Command::new("kill").args(["-TERM", &child.id().to_string()]).status().expect("kill starts");
    assert!(killed.success());
    assert_eq!(child.wait().expect("it ends").code(), Some(7));
}

#[test]
fn what_cannot_be_run_says_why() {
    let folder = Folder::new();
    std::fs::write(folder.path("data"), "no program").expect("a file");
    let data = folder.path("data");
    for (arguments, parts) in [
        (vec!["-n", "1", "no-such-program"], vec!["'no-such-program' is not there", "/bin/no-such-program"]),
        (vec!["-n", "1", &data], vec!["cannot be run", "chmod +x"]),
        (
            vec!["-n", "1", "--launcher", "plain", "--hosts", "a.invalid,b:2", "/bin/sh"],
            vec!["a.invalid", "PHILAE_ADDRESS", "--address"],
        ),
        (vec!["-n", "1", "--remote-shell", "rsh", "/bin/sh"], vec!["--hosts"]),
        (vec!["-n", "1", "--hosts", "a", "--remote-shell", "", "/bin/sh"], vec!["--remote-shell"]),
        (vec!["-n", "0", "/bin/sh"], vec!["0", "1"]),
        (vec!["-n", "1", "--wires", "ib", "/bin/sh"], vec!["shm, udp"]),
        (vec!["-n", "1", "--traffc", "/bin/sh"], vec!["unexpected argument '--traffc'", "'--traffic'"]),
        (vec!["-n", "1", "-x"], vec!["unexpected argument '-x'"]),
    ] {
        let output = run(&arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        let error = text(&output.stderr);
        parts.iter().for_each(|part| assert!(error.contains(part), "{part}: {error}"));
    }
    let odd = run(&["-n", "1", "--", "--traffc"]);
    assert!(text(&odd.stderr).contains("'--traffc' is not there"), "{}", text(&odd.stderr));
    let own = run(&["-n", "1", "--launcher", "plain", "/bin/echo", "--traffc", "-n", "7"]);
    assert_eq!(text(&own.stdout), "--traffc -n 7\n", "a program's own options are its own");
    let missing = philae()
        .env("PHILAE_LIBRARY", folder.path("nowhere.so"))
        .args(["run", "-n", "1", "/bin/sh"])
        .output()
        .expect("the command starts");
    assert!(text(&missing.stderr).contains("PHILAE_LIBRARY="), "{}", text(&missing.stderr));
    std::fs::write(folder.path("left"), "").expect("a file");
    let full = run(&["-n", "1", "--trace", &folder.0.path().display().to_string(), "/bin/sh"]);
    assert!(text(&full.stderr).contains("a new or empty folder"), "{}", text(&full.stderr));
}

#[test]
fn a_plan_is_printed_and_nothing_crossing_is_said() {
    let folder = Folder::new();
    let output =
        run(&["-n", "2", "--launcher", "plain", "--print", "--json", "--wires", "udp", "/bin/sh", "-c", "x y"]);
    let plan: Value = serde_json::from_slice(&output.stdout).expect("one JSON document");
    assert_eq!(plan["command"], serde_json::json!(["/bin/sh", "-c", "x y"]));
    assert_eq!((&plan["launcher"], &plan["copies"]), (&"plain".into(), &2.into()));
    assert_eq!(plan["variables"]["FI_PHILAE_WIRES"], "udp");
    let silent = run(&["-n", "1", "--launcher", "plain", "--traffic", "/bin/sh", "-c", "echo hello"]);
    assert_eq!(text(&silent.stdout), "hello\n");
    assert!(text(&silent.stderr).contains("no traffic crossed the provider"), "{}", text(&silent.stderr));
    let (none, script) = (folder.path("none"), "echo hello; exit 5");
    let silent = run(&["-n", "2", "--launcher", "plain", "--trace", &none, "/bin/sh", "-c", script]);
    assert_eq!(silent.status.code(), Some(5), "the program's own");
    let said = text(&silent.stderr);
    assert!(said.contains("no trace: nothing was recorded into") && !said.contains("traced into"), "{said}");
    let document =
        run(&["-n", "1", "--launcher", "plain", "--traffic", "--json", "/bin/sh", "-c", "echo hello; exit 5"]);
    let found: Value =
        serde_json::from_slice(&document.stdout).expect("one JSON document, without the program's lines");
    assert_eq!((&found["exit_code"], &found["traffic"]["processes"]), (&5.into(), &serde_json::json!([])));
    assert_eq!(document.status.code(), Some(5));
    assert!(text(&document.stderr).contains("hello"));
}

#[test]
fn endpoints_of_this_host_are_listed() {
    let output = philae().args(["nic", "stat", "--clean", "--json"]).output().expect("the command starts");
    assert!(output.status.success(), "{}", text(&output.stderr));
    let found: Value = serde_json::from_slice(&output.stdout).expect("one JSON document");
    let stale = |one: &&Value| one["state"] == "stale";
    let endpoints = found["endpoints"].as_array().expect("a list");
    assert_eq!(endpoints.iter().find(stale), None, "they were removed");
    assert!(endpoints.iter().all(|one| one["device"].as_str().is_some_and(|name| name.starts_with("cxi"))));
    let shown = philae().args(["nic", "stat"]).output().expect("the command starts");
    assert!(shown.status.success());
}

#[test]
fn peers_are_listed_with_the_way_that_they_are_reached() {
    for (variables, way) in [
        (&[][..], "shm"),
        (&[("FI_PHILAE_WIRES", "udp")], "udp"),
        (&[("FI_PHILAE_COPY", "off")], "udp (copies are forbidden)"),
    ] {
        let mut bench = philae();
        bench.args(["nic", "bench", "tsend", "--size", "8:256K"]).envs(variables.iter().copied());
        let mut bench = bench.stdout(Stdio::null()).spawn().expect("the command starts");
        let end = std::time::Instant::now() + std::time::Duration::from_secs(60);
        let mut found = 0;
        while found < 2 && std::time::Instant::now() < end {
            std::thread::sleep(std::time::Duration::from_millis(50));
            let output = philae().args(["nic", "stat", "--json"]).output().expect("the command starts");
            let all: Value = serde_json::from_slice(&output.stdout).expect("one JSON document");
            let endpoints = all["endpoints"].as_array().expect("a list");
            let peers = endpoints.iter().flat_map(|one| one["peers"].as_array().expect("a list"));
            found = peers.filter(|peer| peer["way"] == way).count();
        }
        let shown = philae().args(["nic", "stat"]).output().expect("the command starts");
        assert!(bench.wait().expect("it ends").success());
        assert!(found >= 2, "{way}: {found}");
        assert!(text(&shown.stdout).contains(way), "{way}: {}", text(&shown.stdout));
    }
}

#[test]
fn operations_are_measured_between_two_processes() {
    let bench =
        |arguments: &[&str]| philae().args(["nic", "bench"]).args(arguments).output().expect("the command starts");
    for operation in ["send", "tsend", "write", "read", "atomic"] {
        let sizes = if operation == "send" { "8,40000" } else { "64" };
        let output = bench(&[operation, "--size", sizes, "--json"]);
        let error = text(&output.stderr);
        if error.contains("libfabric.so.1 cannot be opened") {
            writeln!(std::io::stderr(), "launch.rs: skipped the measurement: {error}").expect("it can be written");
            return;
        }
        assert!(output.status.success(), "{operation}: {error}");
        let found: Value = serde_json::from_slice(&output.stdout).expect("one JSON document");
        let rows = found["rows"].as_array().expect("a list");
        assert_eq!(rows.len(), sizes.split(',').count(), "{found}");
        for row in rows {
            let figure = |name: &str| row[name].as_f64().expect("a figure");
            assert!(figure("latency_p5_us") > 0.0 && figure("latency_p5_us") <= figure("latency_p99_us"), "{row}");
            assert!(figure("messages_per_second") > 0.0 && figure("megabytes_per_second") > 0.0, "{row}");
        }
    }
    let unknown = bench(&["send", "--size", "8", "--provider", "no-such-provider"]);
    assert!(text(&unknown.stderr).contains("no provider 'no-such-provider' for send"), "{}", text(&unknown.stderr));
    assert_eq!(bench(&["atomic", "--size", "12"]).status.code(), Some(2));
    assert_eq!(bench(&["send", "--size", "0"]).status.code(), Some(2));
}

const RING: &str = r#"
#include <mpi.h>
#include <stdio.h>
int main(int argc, char **argv) {
    int rank, size;
    static char out[40000], in[40000];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int round = 0; round < 5; round++) {
        MPI_Sendrecv(out, sizeof out, MPI_BYTE, (rank + 1) % size, round, in, sizeof in, MPI_BYTE, (rank + size - 1) % size,
                     round, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        double one = 1, all = 0;
        MPI_Allreduce(&one, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        if (all != size) return 9;
    }
    printf("%d of %d\n", rank, size);
    MPI_Finalize();
    return 0;
}
"#;

/// A program for the installed MPI, if there is one.
fn ring(folder: &Folder) -> Option<String> {
    let (source, program) = (folder.path("ring.c"), folder.path("ring"));
    std::fs::write(&source, RING).expect("a file");
    let compiler = std::env::var("PHILAE_TEST_MPICC").unwrap_or_else(|_| "mpicc".to_owned());
    let skip = |why: String| {
        let hint = "Debian: apt-get install libopenmpi-dev openmpi-bin; or PHILAE_TEST_MPICC=mpicc of another MPI with libfabric";
        writeln!(std::io::stderr(), "launch.rs: skipped the test with an MPI: {why}; {hint}")
            .expect("it can be written");
        None
    };
    match Command::new(&compiler).args([source.as_str(), "-o", program.as_str()]).output() {
        Err(error) => skip(format!("{compiler} does not start ({error})")),
        Ok(output) if !output.status.success() => skip(format!("{compiler} fails: {}", text(&output.stderr))),
        Ok(_) => Some(program),
    }
}

#[test]
fn a_program_of_an_mpi_crosses_the_provider_and_its_trace_runs_in_the_simulator() {
    let folder = Folder::new();
    let Some(program) = ring(&folder) else { return };
    let (trace, goal) = (folder.path("trace"), folder.path("ring.goal"));
    let output = run(&["-n", "4", "--traffic", "--trace", &trace, "--json", &program]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let found: Value = serde_json::from_slice(&output.stdout).expect("one JSON document");
    let processes = found["traffic"]["processes"].as_array().expect("a list");
    let ranks: Vec<u64> = processes.iter().filter_map(|one| one["rank"].as_u64()).collect();
    assert_eq!(ranks, [0, 1, 2, 3], "{found}");
    let count = |name: &str| found["traffic"]["total"][name].as_u64().expect("a count");
    assert!(count("sends") >= 20 && count("sent_bytes") >= 5 * 4 * 40_000, "{found}");
    let convert = philae().args(["trace", "convert", &trace, &goal]).output().expect("the command starts");
    assert!(convert.status.success(), "{}", text(&convert.stderr));
    let info = philae().args(["trace", "info", &goal, "--json"]).output().expect("the command starts");
    let info: Value = serde_json::from_slice(&info.stdout).expect("one JSON document");
    assert_eq!((info["ranks"].as_u64(), info["sends"].as_u64()), (Some(4), Some(count("sends"))), "{info}");
    assert!(info["checked"].as_str().is_some_and(|text| text.starts_with("every message is received")), "{info}");
    let scenario = "system = \"shandy\"\n[[job]]\nname = \"ring\"\nnodes = 4\nworkload = { kind = \"trace\", file = \"ring.goal\" }\n";
    std::fs::write(folder.path("ring.toml"), scenario).expect("a file");
    let simulated = philae()
        .args(["simulate", &folder.path("ring.toml"), "--output", &folder.path("result"), "--json", "--quiet"])
        .output()
        .expect("the command starts");
    assert!(simulated.status.success(), "{}", text(&simulated.stderr));
    assert!(Path::new(&folder.path("result/report.html")).is_file());
}

/// Network namespaces, each with an interface, removed when dropped.
struct Namespaces([String; 2]);

impl Namespaces {
    /// `None` if this machine or user cannot create them.
    fn new() -> Option<Self> {
        let all = Self(["a", "b"].map(|host| format!("philae-run-{}{host}", std::process::id())));
        for name in &all.0 {
            let made = Command::new("ip").args(["netns", "add", name]).output();
            if !made.as_ref().is_ok_and(|output| output.status.success()) {
                println!("skipped: it takes network namespaces, which this machine or user cannot make: {made:?}");
                return None;
            }
        }
        Some(all)
    }
}

impl Drop for Namespaces {
    fn drop(&mut self) {
        for name in &self.0 {
            let _ = Command::new("ip").args(["netns", "delete", name]).output();
        }
    }
}

#[test]
fn oshrun_starts_processes_in_other_namespaces_by_the_remote_shell_it_is_told() {
    let Some(hosts) = Namespaces::new() else { return };
    let folder = Folder::new();
    let (bin, root) = (folder.0.path().join("bin"), Path::new(env!("CARGO_MANIFEST_DIR")).join("../../.."));
    std::fs::create_dir(&bin).expect("a folder");
    std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_philae"), bin.join("philae")).expect("a link");
    std::fs::copy(root.join("crates/nic/shmem/dist/oshrun"), bin.join("oshrun")).expect("a file");
    let library = Path::new(env!("CARGO_BIN_EXE_philae")).with_file_name("deps").join("libphilae_provider.so");
    let places = format!("{}:2,{}:1", hosts.0[0], hosts.0[1]);
    let script = "echo $PHILAE_RANK is in $(ip netns identify $$), $PMI_PORT";
    let mut command = Command::new(bin.join("oshrun"));
    command.env("PHILAE_LIBRARY", library).env_remove("SLURM_JOB_ID").stdin(Stdio::null());
    // Options have precedence over variables.
    command.env("PHILAE_REMOTE_SHELL", "/bin/false").env("PHILAE_ADDRESS", "192.0.2.1");
    command.args(["-n", "3", "--launcher", "plain", "--host", &places, "--remote-shell", "ip netns exec"]);
    let output = command.args(["--address", "127.0.0.1", "/bin/sh", "-c", script]).output().expect("a shell");
    assert!(output.status.success(), "{}", text(&output.stderr));
    let mut lines: Vec<String> = text(&output.stdout).lines().map(str::to_owned).collect();
    lines.sort();
    for (rank, (line, host)) in lines.iter().zip([0, 0, 1]).enumerate() {
        assert!(line.starts_with(&format!("{rank} is in {}, 127.0.0.1:", hosts.0[host])), "{lines:?}");
    }
    assert_eq!(lines.len(), 3, "{lines:?}");
}
