//! PEs on two hosts: network namespaces of this machine with a link between them. The launcher
//! starts them through a remote shell, as for users. Every function does what the standard says
//! there, too, and a host that is cut off is an error on the other within a bounded time.
//! Namespaces need root and iproute2: without them these tests print a message and do nothing.

mod common;

use std::env;
use std::ffi::OsString;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use common::{compile, folder, meaning_sources, succeeded};
use philae_launcher::{LaunchRequest, LauncherChoice, LauncherKind, ProviderChoices, RemoteShell};
use tempfile::TempDir;

/// What the launcher below starts, how often, and where.
const PROGRAM: &str = "PHILAE_TEST_PROGRAM";
const PROCESSES: &str = "PHILAE_TEST_PROCESSES";
const HOSTS: &str = "PHILAE_TEST_HOSTS";
const SHELL: &str = "PHILAE_TEST_SHELL";
const ADDRESS: &str = "PHILAE_TEST_ADDRESS";

/// The longest time of a job.
const PATIENCE: Duration = Duration::from_secs(240);

/// The launcher, as `philae run` and `oshrun` call it.
#[test]
#[ignore = "it is the launcher of the tests below"]
fn launcher() {
    let variable = |name: &str| env::var(name).expect("a test sets it");
    let request = LaunchRequest {
        processes: variable(PROCESSES).parse().expect("a number"),
        hosts: variable(HOSTS).split(',').map(str::to_owned).collect(),
        remote: RemoteShell { shell: Some(variable(SHELL)), address: Some(variable(ADDRESS)) },
        launcher: LauncherChoice::One(LauncherKind::Plain),
        has_prefix: true,
        settings: ProviderChoices::default(),
        program: variable(PROGRAM).into(),
        arguments: Vec::<OsString>::new(),
    };
    let plan = philae_launcher::plan(&request).expect("it can be started");
    let code = philae_launcher::run(&plan, philae_launcher::OutputTarget::Standard).expect("it runs");
    std::process::exit(i32::from(code));
}

/// Two hosts and the link between them, removed on drop.
struct Hosts {
    names: [String; 2],
    addresses: [String; 2],
    folder: TempDir,
}

fn ip(words: &[&str]) -> Result<(), String> {
    let output = Command::new("ip").args(words).output().map_err(|error| format!("ip: {error}"))?;
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    if output.status.success() { Ok(()) } else { Err(format!("ip {}: {said}", words.join(" "))) }
}

impl Hosts {
    fn new() -> Result<Self, String> {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let tag = format!("psh{}{number}", std::process::id());
        let names = [format!("{tag}a"), format!("{tag}b")];
        let addresses = [1, 2].map(|host| format!("10.231.{}.{host}", 90 + number));
        let hosts = Self { names, addresses, folder: folder(&tag) };
        for name in &hosts.names {
            ip(&["netns", "add", name])?;
        }
        let [one, other] = &hosts.names;
        ip(&["link", "add", "net0", "netns", one, "type", "veth", "peer", "name", "net0", "netns", other])?;
        for (name, address) in hosts.names.iter().zip(&hosts.addresses) {
            ip(&["-n", name, "link", "set", "lo", "up"])?;
            ip(&["-n", name, "address", "add", &format!("{address}/24"), "dev", "net0"])?;
            ip(&["-n", name, "link", "set", "net0", "up"])?;
        }
        // What ssh would do: HOST COMMAND.
        let shell = hosts.shell();
        let script = "#!/bin/sh\nhost=$1\nshift\nexec ip netns exec \"$host\" \"$@\"\n";
        fs::write(&shell, script).map_err(|error| error.to_string())?;
        fs::set_permissions(&shell, fs::Permissions::from_mode(0o755)).map_err(|error| error.to_string())?;
        Ok(hosts)
    }

    fn shell(&self) -> PathBuf {
        self.folder.path().join("shell")
    }

    /// Starts a job with `places` PEs on the two hosts.
    fn start(&self, program: &Path, places: [u32; 2], variables: &[(&str, &str)]) -> Job {
        let test = env::current_exe().expect("a test knows its own file");
        let library = philae_launcher::find_library(None, &test).expect("cargo builds the provider for this test");
        let said = self.folder.path().join("said");
        let file = fs::File::create(&said).expect("the test's own folder");
        let hosts = [0, 1].map(|host| format!("{}:{}", self.names[host], places[host])).join(",");
        let mut command = Command::new("ip");
        command.args(["netns", "exec", &self.names[0]]).arg(&test);
        command.args(["--exact", "launcher", "--ignored", "--nocapture", "--test-threads=1"]);
        for (name, _) in env::vars().filter(|(name, _)| name.starts_with("SHMEM_") || name.starts_with("PMI")) {
            command.env_remove(name);
        }
        command.env(PROGRAM, program).env(HOSTS, hosts).env(PROCESSES, (places[0] + places[1]).to_string());
        command.env(SHELL, self.shell()).env(ADDRESS, &self.addresses[0]);
        command.env("PHILAE_LIBRARY", &library).env("FI_PROVIDER_PATH", &library).env("SHMEM_OFI_PROVIDER", "philae");
        command.env("SHMEM_SYMMETRIC_SIZE", "64m").envs(variables.iter().copied());
        command.stdin(Stdio::null()).stdout(file.try_clone().expect("a file")).stderr(file);
        Job { child: command.spawn().expect("ip runs"), said, began: Instant::now() }
    }
}

impl Drop for Hosts {
    fn drop(&mut self) {
        for name in &self.names {
            if let Ok(output) = Command::new("ip").args(["netns", "pids", name]).output() {
                for pid in String::from_utf8_lossy(&output.stdout).split_whitespace() {
                    let _ = Command::new("kill").args(["-KILL", pid]).output();
                }
            }
            let _ = ip(&["netns", "delete", name]);
        }
    }
}

/// A running job.
struct Job {
    child: Child,
    said: PathBuf,
    began: Instant,
}

impl Job {
    /// The launcher's exit code, and the output.
    fn end(&mut self) -> (i32, String) {
        loop {
            if let Some(status) = self.child.try_wait().expect("a child") {
                return (status.code().unwrap_or(-1), self.said());
            }
            assert!(self.began.elapsed() < PATIENCE, "it has not ended after {PATIENCE:?}:\n{}", self.said());
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    fn said(&self) -> String {
        fs::read_to_string(&self.said).unwrap_or_default()
    }
}

/// The hosts, or `None` if this machine or user cannot make them.
fn hosts() -> Option<Hosts> {
    match Hosts::new() {
        Ok(hosts) => Some(hosts),
        Err(error) => {
            println!("skipped: it takes network namespaces, which this machine or user cannot make: {error}");
            None
        }
    }
}

#[test]
fn every_function_means_the_same_between_hosts() {
    let Some(hosts) = hosts() else { return };
    let program = hosts.folder.path().join("meaning");
    compile("-O2", &meaning_sources(), &program);
    for places in [[1, 1], [1, 2], [2, 2]] {
        let (code, said) = hosts.start(&program, places, &[]).end();
        assert_eq!(code, 0, "{places:?}:\n{said}");
    }
}

/// The programs of `random.rs`, the first hundred.
#[test]
fn random_programs_follow_the_model_between_hosts() {
    let Some(hosts) = hosts() else { return };
    let program = hosts.folder.path().join("random");
    let sources = ["main.c", "make.c"].map(|file| common::root().join("crates/nic/shmem/tests/random").join(file));
    compile("-O2", &sources, &program);
    for places in [[1, 1], [2, 2]] {
        let (code, said) = hosts.start(&program, places, &[]).end();
        assert_eq!(code, 0, "{places:?}:\n{said}");
    }
}

/// Rounds of a barrier and a put to the next PE, until interrupted.
const ROUNDS: &str = r#"
#include <shmem.h>
#include <stdio.h>
static long box;
int main(void)
{
    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes();
    for (long round = 0;; round++) {
        shmem_long_p(&box, round, (me + 1) % n);
        shmem_barrier_all();
        if (me == 0 && round == 20) {
            puts("in flight");
            fflush(stdout);
        }
    }
}
"#;

#[test]
fn a_host_that_is_cut_off_is_an_error_on_the_other() {
    let Some(hosts) = hosts() else { return };
    let (source, program) = (hosts.folder.path().join("rounds.c"), hosts.folder.path().join("rounds"));
    fs::write(&source, ROUNDS).expect("the test's own folder");
    compile("-O2", &[source], &program);
    let mut job = hosts.start(&program, [1, 1], &[("FI_PHILAE_UDP_TIMEOUT_MS", "2000")]);
    while !job.said().contains("in flight") {
        assert!(job.child.try_wait().expect("a child").is_none(), "it ended:\n{}", job.said());
        assert!(job.began.elapsed() < PATIENCE, "it never began:\n{}", job.said());
        std::thread::sleep(Duration::from_millis(20));
    }
    ip(&["-n", &hosts.names[1], "link", "set", "net0", "down"]).expect("the link is there");
    let (code, said) = job.end();
    assert_ne!(code, 0, "{said}");
    assert!(said.contains("PE 0") && said.contains("PE 1"), "it says who does not reach whom:\n{said}");
    let left = Command::new("ip").args(["netns", "pids", &hosts.names[1]]).output().expect("ip runs");
    // The host that is cut off detects it in its own time.
    let until = Instant::now() + Duration::from_secs(60);
    let mut left = succeeded("ip netns pids", &left);
    while !left.trim().is_empty() && Instant::now() < until {
        std::thread::sleep(Duration::from_millis(100));
        let output = Command::new("ip").args(["netns", "pids", &hosts.names[1]]).output().expect("ip runs");
        left = succeeded("ip netns pids", &output);
    }
    assert!(left.trim().is_empty(), "processes are left on the host that was cut off: {left}");
}
