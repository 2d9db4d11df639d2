//! One PE ends while the others wait for it, use its memory or compute. None waits forever, the
//! job's code is that of the first cause, only that cause is reported, and nothing is left in
//! shared memory. By shared memory and through the NIC, over both wires.

mod common;

use std::ffi::OsString;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use common::{compile, folder, prefix, root};
use philae_launcher::{LaunchRequest, LauncherChoice, LauncherKind, ProviderChoices, RemoteShell};
use philae_provider::census::{self, Owner};
use tempfile::TempDir;

/// The launcher, as `philae run` calls it.
#[test]
#[ignore = "it is the launcher of the tests below"]
fn launcher() {
    let variable = |name: &str| std::env::var(name).unwrap_or_default();
    let request = LaunchRequest {
        processes: 3,
        hosts: Vec::new(),
        remote: RemoteShell::default(),
        launcher: LauncherChoice::One(LauncherKind::Plain),
        has_prefix: false,
        settings: ProviderChoices::default(),
        program: variable("PHILAE_TEST_PROGRAM").into(),
        arguments: [variable("PHILAE_TEST_HOW"), variable("PHILAE_TEST_WHAT")].map(OsString::from).to_vec(),
    };
    let plan = philae_launcher::plan(&request).expect("a plan");
    let code = philae_launcher::run(&plan, philae_launcher::OutputTarget::Standard).expect("it runs");
    std::process::exit(i32::from(code));
}

/// How the PEs reach each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum PutPath {
    Memory,
    Nic,
    Udp,
}

const PATHS: [PutPath; 3] = [PutPath::Memory, PutPath::Nic, PutPath::Udp];

/// A job that has ended.
struct Job {
    code: i32,
    /// Its standard output.
    printed: String,
    /// What was written to standard error.
    said: String,
    processes: Vec<u32>,
}

fn job(folder: &Path, path: PutPath, how: &str, what: &str) -> Job {
    let mut command = Command::new("timeout");
    command.args(["-k", "1", "100"]).arg(std::env::current_exe().expect("a file"));
    command.args(["--exact", "launcher", "--ignored", "--nocapture", "--test-threads=1"]).current_dir(folder);
    for (name, _) in std::env::vars() {
        if ["SHMEM_", "PMI", "FI_"].iter().any(|start| name.starts_with(start)) {
            command.env_remove(name);
        }
    }
    let test = std::env::current_exe().expect("a file");
    let library = philae_launcher::find_library(None, &test).expect("cargo builds the provider for this test");
    command.env("PHILAE_LIBRARY", library).env("SHMEM_SYMMETRIC_SIZE", "4m");
    command.env("PHILAE_TEST_PROGRAM", folder.join("ends")).env("PHILAE_TEST_HOW", how).env("PHILAE_TEST_WHAT", what);
    if path != PutPath::Memory {
        command.env("SHMEM_LOCALITY_ONNODE", "NIC").env("SHMEM_OFI_PROVIDER", "philae");
        command.env("FI_PHILAE_WIRES", if path == PutPath::Nic { "shm" } else { "udp" });
        command.env("FI_PHILAE_ADDRESS", "127.0.0.1");
    }
    let output = command.stdin(Stdio::null()).output().expect("it runs");
    let text = String::from_utf8_lossy(&output.stdout);
    let processes = text.lines().filter_map(|line| line.rsplit_once("process ")?.1.trim().parse().ok()).collect();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    Job { code: output.status.code().unwrap_or(-1), printed: text.into_owned(), said, processes }
}

/// A folder of the test, with the program.
fn program(name: &str) -> TempDir {
    let folder = folder(name);
    compile("-O2", &[root().join("crates/nic/shmem/tests/ends.c")], &folder.path().join("ends"));
    folder
}

impl Job {
    /// Checks that the job ended with this code and this message, and that neither a process nor
    /// memory is left.
    #[track_caller]
    fn ends(&self, case: &str, code: i32, says: &str) {
        assert_eq!(self.code, code, "{case}: {}", self.said);
        assert!(self.said.contains(says), "{case}: {}", self.said);
        assert_eq!(self.processes.len(), 3, "{case}");
        let owners = census::endpoints().expect("a list").into_iter().map(|found| found.owner);
        let left: Vec<Owner> = owners
            .filter(|owner| matches!(owner, Owner::Alive(of) | Owner::Dead(Some(of)) if self.processes.contains(of)))
            .collect();
        assert!(left.is_empty(), "{case}: {left:?}");
    }
}

#[test]
fn one_that_leaves_without_finalize_leaves_no_pe_waiting_forever() {
    let folder = program("leaves");
    let case = |path: PutPath, how: &str, what: &str| {
        let case = format!("{how} / {what} / {path:?}");
        job(folder.path(), path, how, what).ends(&case, 1, "shmem_finalize");
    };
    for path in PATHS {
        for what in ["barrier", "wait"] {
            case(path, "exit", what);
            case(path, "_exit", what);
        }
    }
    for what in ["wait for any", "signal", "reduce", "team", "lock", "malloc", "barrier of threads"] {
        case(PutPath::Memory, "return", what);
    }
    for what in ["reduce", "team", "lock"] {
        case(PutPath::Nic, "return", what);
    }
    case(PutPath::Memory, "thread", "barrier");
    case(PutPath::Nic, "thread", "barrier");
    case(PutPath::Memory, "finalize", "barrier");
    // No PE waits for it: its launcher sees that it is missing.
    for what in ["compute", "put", "get"] {
        case(PutPath::Memory, "_exit", what);
    }
    case(PutPath::Nic, "_exit", "compute");
}

#[test]
fn one_that_leaves_and_is_needed_by_no_pe_ends_well() {
    let folder = program("missed");
    for path in [PutPath::Memory, PutPath::Nic] {
        for (how, what) in [("exit", "nothing"), ("exit", "some puts"), ("return", "some puts"), ("thread", "nothing")]
        {
            let job = job(folder.path(), path, how, what);
            job.ends(&format!("{how} / {what} / {path:?}"), 0, "");
            assert_eq!(job.said, "");
        }
    }
}

/// The launcher ends all PEs as soon as one asks for it. That PE must still print what its C
/// library has buffered.
#[test]
fn what_a_program_prints_at_its_end_comes_out_and_one_cause_is_said() {
    let folder = program("prints");
    for (path, rounds) in [(PutPath::Memory, 5), (PutPath::Nic, 2)] {
        for (how, code, lines) in [
            ("print and exit 3", 3, 1),
            ("print and global exit", 17, 0),
            ("read, print and exit 3", 3, 1),
            ("read, print and global exit", 17, 0),
        ] {
            for round in 0..rounds {
                let job = job(folder.path(), path, how, "barrier");
                let case = format!("{how} / {path:?}, round {round}");
                job.ends(&case, code, "");
                assert!(job.printed.contains("printed, tidied up\n"), "{case}: {}", job.printed);
                assert_eq!(job.said.lines().count(), lines, "{case}: {}", job.said);
            }
        }
    }
}

/// By memory it is a PE like any other; through the NIC it would have to open libfabric.
#[test]
fn a_static_program_runs_on_one_host() {
    let folder = folder("static");
    let (source, program) = (root().join("crates/nic/shmem/tests/ends.c"), folder.path().join("ends"));
    for path in ["-static", "-static-pie"] {
        let mut command = Command::new(prefix().join("bin/oshcc"));
        let built = command.args([path, "-O2"]).arg(&source).arg("-o").arg(&program).output().expect("oshcc runs");
        if !built.status.success() {
            eprintln!("left out: there is no C library for {path} here");
            continue;
        }
        let well = job(folder.path(), PutPath::Memory, "exit", "some puts");
        well.ends(path, 0, "");
        job(folder.path(), PutPath::Memory, "kill", "barrier").ends(path, 128 + 9, "SIGKILL");
        let refused = job(folder.path(), PutPath::Nic, "exit", "nothing");
        assert_eq!(refused.code, 1, "{path}: {}", refused.said);
        assert!(refused.said.contains("linked statically"), "{path}: {}", refused.said);
    }
}

#[test]
fn the_first_cause_says_the_code_and_is_the_only_one_said() {
    let folder = program("causes");
    for path in PATHS {
        for what in ["put", "get", "barrier"] {
            for (how, code, says) in [
                ("global exit", 17, ""),
                ("kill", 128 + 9, "was ended by signal 9 (SIGKILL): the others are ended"),
                ("fault", 128 + 11, "was ended by signal 11 (SIGSEGV)"),
            ] {
                if path == PutPath::Udp && what != "put" {
                    continue;
                }
                let job = job(folder.path(), path, how, what);
                let case = format!("{how} / {what} / {path:?}");
                job.ends(&case, code, says);
                assert!(job.said.lines().count() <= 1, "{case}: {}", job.said);
            }
        }
    }
    for (how, code, says) in [
        ("exit 3", 3, "exit: ends with code 3 before shmem_finalize"),
        ("_exit 5", 5, "ended with code 5: the others are ended"),
        ("own handler", 40, "ended with code 40"),
        ("abort", 128 + 6, "SIGABRT"),
    ] {
        let job = job(folder.path(), PutPath::Nic, how, "put");
        job.ends(how, code, says);
        assert_eq!(job.said.lines().count(), 1, "{how}: {}", job.said);
    }
    // No library has left a report of its own.
    let files = fs::read_dir(folder.path()).expect("the folder").flatten().map(|entry| entry.file_name());
    assert_eq!(files.collect::<Vec<_>>(), ["ends"]);
}
