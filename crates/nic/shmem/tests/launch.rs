//! Jobs by the launcher, on this host and through a remote shell: how they begin, and how they end.

#![expect(unsafe_code, reason = "PEs call the library as C does")]

mod pes;

use std::ffi::OsString;
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::parent_id;
use std::process::{Command, Output, Stdio};

use pes::{barrier, finalize, init, malloc, me, n_pes, put, scenario};
use philae_launcher::{LaunchRequest, LauncherChoice, LauncherKind, ProviderChoices, RemoteShell};
use philae_shmem::lifecycle::philae_shmem_global_exit;
use tempfile::TempDir;

unsafe extern "C" {
    fn kill(pid: i32, signal: i32) -> i32;
}

/// The part of a test that each PE runs.
#[test]
#[ignore = "it is a PE of the tests below"]
fn pe() {
    if scenario().as_deref() == Some("never") && std::env::var("PHILAE_RANK").as_deref() == Ok("1") {
        std::process::exit(0);
    }
    init();
    let (me, n) = (me(), n_pes());
    match scenario().as_deref() {
        Some("work") => {
            let block = malloc(8);
            put(c"shmem_put64", block, &[u64::from(me) + 40], ((me + 1) % n) as i32);
            barrier();
            // SAFETY: this PE's own block, after all writes.
            println!(
                "PE {me} of {n} has {} in {}",
                unsafe { *block },
                std::env::var("PHILAE_TEST_WORD").unwrap_or_default()
            );
        }
        Some("killed") if me == 1 => {
            // SAFETY: this process ends.
            unsafe { kill(std::process::id() as i32, 9) };
        }
        Some("global exit") if me == 1 => {
            // SAFETY: as C calls it.
            unsafe { philae_shmem_global_exit(c"shmem_global_exit".as_ptr(), 7) };
        }
        Some("exit 3") if me == 1 => std::process::exit(3),
        Some("orphans") if me == 0 => {
            barrier();
            // SAFETY: the launcher ends, as if an administrator ended it.
            unsafe { kill(parent_id() as i32, 9) };
        }
        // It continues only after the other PE has seen the end, and would not wait forever either.
        Some("orphans") => {
            barrier();
            let other = philae_shmem::runtime::runtime().expect("initialised").memory.control(0).expect("near");
            while other.state.load(std::sync::atomic::Ordering::Acquire) != philae_shmem::abi::state::FAILED {
                std::thread::sleep(std::time::Duration::from_millis(1));
            }
        }
        // It does nothing that would show it the end of the other, and is ended nevertheless.
        Some("killed" | "global exit" | "exit 3") if me == 2 => {
            std::thread::sleep(std::time::Duration::from_secs(1000))
        }
        _ => {}
    }
    barrier();
    finalize();
}

/// The launcher, as `philae run` calls it.
#[test]
#[ignore = "it is the launcher of the tests below"]
fn launcher() {
    let variable = |name: &str| std::env::var(name).unwrap_or_default();
    let hosts = variable("PHILAE_TEST_HOSTS");
    let words = ["--exact", "pe", "--ignored", "--nocapture", "--test-threads=1"];
    let request = LaunchRequest {
        processes: variable("PHILAE_TEST_PROCESSES").parse().expect("a number"),
        hosts: hosts.split(',').filter(|host| !host.is_empty()).map(str::to_owned).collect(),
        remote: RemoteShell::default(),
        launcher: LauncherChoice::One(LauncherKind::Plain),
        has_prefix: true,
        settings: ProviderChoices {
            others: vec![("PHILAE_TEST_WORD".into(), "it's here".into())],
            ..ProviderChoices::default()
        },
        program: std::env::current_exe().expect("a file").into(),
        arguments: words.map(OsString::from).to_vec(),
    };
    let plan = philae_launcher::plan(&request).unwrap_or_else(|error| {
        eprintln!("{error}");
        std::process::exit(2)
    });
    let code = philae_launcher::run(&plan, philae_launcher::OutputTarget::Standard).expect("it runs");
    std::process::exit(i32::from(code));
}

/// A folder that is removed on drop.
struct Folder(TempDir);

impl Folder {
    fn new() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        // The launcher requires a provider for programs that it does not know; PEs of one host do
        // not open it.
        std::fs::write(folder.path().join("libphilae-fi.so"), "").expect("a file");
        // A remote shell: it prints the host, and runs the command.
        let script = "#!/bin/sh\necho \"to $2\" >&2\n[ \"$1\" = -q ] || exit 255\nshift 2\nexec \"$@\"\n";
        std::fs::write(folder.path().join("shell"), script).expect("a file");
        std::fs::set_permissions(folder.path().join("shell"), std::fs::Permissions::from_mode(0o755)).expect("rights");
        Self(folder)
    }
}

fn launch(processes: u32, scenario: &str, hosts: &str) -> (i32, String) {
    launch_in(&Folder::new(), processes, scenario, hosts)
}

fn launch_in(folder: &Folder, processes: u32, scenario: &str, hosts: &str) -> (i32, String) {
    let mut command = Command::new(std::env::current_exe().expect("a file"));
    command.args(["--exact", "launcher", "--ignored", "--nocapture", "--test-threads=1"]);
    for (name, _) in std::env::vars().filter(|(name, _)| name.starts_with("SHMEM_") || name.starts_with("PMI")) {
        command.env_remove(name);
    }
    let shell = format!("{} -q", folder.0.path().join("shell").display());
    command.env("PHILAE_TEST_SCENARIO", scenario).env("PHILAE_TEST_PROCESSES", processes.to_string());
    command.env("PHILAE_TEST_HOSTS", hosts).env("PHILAE_REMOTE_SHELL", shell).env("PHILAE_ADDRESS", "127.0.0.1");
    command.env("PHILAE_LIBRARY", folder.0.path()).env("SHMEM_SYMMETRIC_SIZE", "4m");
    if scenario == "orphans" {
        command.env("SHMEM_ERROR_FILE", folder.0.path().join("errors"));
    }
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let Output { status, stdout, stderr } = command.output().expect("it runs");
    let said = String::from_utf8_lossy(&stdout).into_owned() + &String::from_utf8_lossy(&stderr);
    // For readers of a failed test; the buffer is the test's own.
    let _ = writeln!(std::io::stdout(), "{said}");
    (status.code().unwrap_or(-1), said)
}

#[test]
fn processes_of_this_host_are_pes() {
    let (code, said) = launch(3, "work", "");
    assert_eq!(code, 0, "{said}");
    for pe in 0..3 {
        let line = format!("PE {pe} of 3 has {} in it's here", 40 + (pe + 2) % 3);
        assert!(
            said.lines().any(|said| said.starts_with(&format!("[{pe}] ")) && said.ends_with(&line)),
            "{line}:\n{said}"
        );
    }
}

#[test]
fn a_pe_that_dies_ends_the_job_and_is_named() {
    let (code, said) = launch(3, "killed", "");
    assert_eq!(code, 128 + 9, "{said}");
    assert!(said.contains("philae: process 1 (process "), "{said}");
    assert!(said.contains("was ended by signal 9 (SIGKILL): the others are ended"), "{said}");
    let (code, said) = launch(3, "exit 3", "");
    assert_eq!(code, 3, "{said}");
    let (code, said) = launch(2, "never", "");
    assert_eq!(code, 1, "{said}");
    assert!(said.contains("process_1_has_left_the_job"), "{said}");
}

#[test]
fn a_global_exits_code_is_the_jobs() {
    let (code, said) = launch(3, "global exit", "");
    assert_eq!(code, 7, "{said}");
}

#[test]
fn a_remote_shell_starts_pes_and_takes_them_down() {
    let (code, said) = launch(3, "work", "first:2,second:1");
    assert_eq!(code, 0, "{said}");
    assert_eq!((said.matches("to first").count(), said.matches("to second").count()), (2, 1));
    for pe in 0..3 {
        assert!(said.contains(&format!("PE {pe} of 3 has {} in it's here", 40 + (pe + 2) % 3)), "{said}");
    }
    let (code, said) = launch(3, "killed", "first:1,second:2");
    assert_eq!(code, 128 + 9, "{said}");
    assert!(said.contains(" on second) was ended by signal 9 (SIGKILL): the others are ended"), "{said}");
    let (code, said) = launch(3, "global exit", "localhost:1,second:2");
    assert_eq!(code, 7, "{said}");
    let (code, said) = launch(3, "work", "first:2");
    assert_eq!(code, 2, "{said}");
    assert!(said.contains("has 2 places (first:2) for 3 processes"), "{said}");
}

#[test]
fn pes_without_a_launcher_do_not_wait_for_ever() {
    let folder = Folder::new();
    launch_in(&folder, 2, "orphans", "");
    let mut said = String::new();
    for _ in 0..6000 {
        said = std::fs::read_to_string(folder.0.path().join("errors")).unwrap_or_default();
        if said.lines().count() >= 2 {
            break;
        }
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    assert!(said.contains("PE 0: shmem_barrier_all: the launcher has ended"), "{said}");
    assert!(said.contains("PE 1: shmem_finalize: PE 0 (process"), "{said}");
}
