//! PEs as processes: a test runs its own program again, once for each PE, with the launcher's
//! server to connect them.

#![expect(unsafe_code, reason = "PEs call the library as C does")]
#![allow(dead_code, reason = "each test uses a part of it")]

use std::ffi::{CStr, c_void};
use std::io::Read;
use std::os::fd::AsRawFd;
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::ptr;
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use philae_launcher::{PmiServer, Wish};

/// The scenario that a PE of a test runs.
const SCENARIO: &str = "PHILAE_TEST_SCENARIO";

/// How long the PEs of a test may take. Source: ours. Status: assumed; a test that takes that long
/// hangs.
const PATIENCE: Duration = Duration::from_secs(120);

/// How a PE has ended.
pub struct Ended {
    pub status: ExitStatus,
    pub out: String,
    pub err: String,
}

impl Ended {
    pub fn code(&self) -> i32 {
        self.status.code().unwrap_or_else(|| 128 + self.status.signal().unwrap_or(0))
    }
}

/// A job that has ended: its PEs, and their requests to the launcher.
pub struct Job {
    pub pes: Vec<Ended>,
    pub wishes: Vec<Wish>,
}

impl Job {
    /// Checks that all PEs ended well.
    #[track_caller]
    pub fn well(&self) {
        for (pe, ended) in self.pes.iter().enumerate() {
            assert_eq!(ended.code(), 0, "PE {pe}:\n{}\n{}", ended.out, ended.err);
        }
    }

    /// What the PEs wrote to standard error.
    pub fn said(&self) -> String {
        self.pes.iter().map(|ended| ended.err.as_str()).collect()
    }
}

fn read(pipe: Option<impl Read + Send + 'static>) -> Receiver<String> {
    let (give, take) = channel();
    std::thread::spawn(move || {
        let mut text = Vec::new();
        if let Some(mut pipe) = pipe {
            let _ = pipe.read_to_end(&mut text);
        }
        let _ = give.send(String::from_utf8_lossy(&text).into_owned());
    });
    take
}

/// Runs a scenario of this test's program with `n_pes` PEs. `variables`: for one PE, or for all.
pub fn run(n_pes: u32, scenario: &str, variables: &[(Option<u32>, &str, &str)]) -> Job {
    let (give, wishes) = channel();
    let server = PmiServer::new(n_pes, give);
    let start = |pe: u32| {
        let theirs = server.connect(pe).expect("a connection");
        let descriptor = theirs.as_raw_fd();
        let mut command = Command::new(std::env::current_exe().expect("a file"));
        command.args(["--exact", "pe", "--ignored", "--nocapture", "--test-threads=1"]);
        for (name, _) in std::env::vars().filter(|(name, _)| name.starts_with("SHMEM_") || name.starts_with("PMI")) {
            command.env_remove(name);
        }
        command.env(SCENARIO, scenario).env("PMI_RANK", pe.to_string()).env("PMI_SIZE", n_pes.to_string());
        // Tests run at the same time: the descriptor belongs to this PE only, and other programs do
        // not inherit it.
        let kept = 100;
        command.env("PMI_FD", kept.to_string());
        if !variables.iter().any(|(_, name, _)| *name == "SHMEM_SYMMETRIC_SIZE") {
            command.env("SHMEM_SYMMETRIC_SIZE", "16m");
        }
        for (_, name, value) in variables.iter().filter(|(of, _, _)| of.is_none_or(|of| of == pe)) {
            command.env(name, value);
        }
        // SAFETY: a call that a forked process may make.
        unsafe {
            use std::os::unix::process::CommandExt;
            command.pre_exec(
                move || if libc_dup2(descriptor, kept) { Ok(()) } else { Err(std::io::Error::last_os_error()) },
            );
        }
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command.spawn().expect("this program runs")
    };
    let mut children: Vec<Child> = (0..n_pes).map(start).collect();
    let texts: Vec<_> =
        children.iter_mut().map(|child| (read(child.stdout.take()), read(child.stderr.take()))).collect();
    let began = Instant::now();
    let mut statuses: Vec<Option<ExitStatus>> = vec![None; children.len()];
    while statuses.iter().any(Option::is_none) {
        for (status, child) in statuses.iter_mut().zip(&mut children) {
            if status.is_none() {
                *status = child.try_wait().expect("a child");
            }
        }
        if began.elapsed() > PATIENCE {
            children.iter_mut().for_each(|child| drop(child.kill()));
            for (pe, (out, err)) in texts.iter().enumerate() {
                eprintln!(
                    "PE {pe}: {:?}\n{}\n{}",
                    statuses[pe],
                    out.recv().unwrap_or_default(),
                    err.recv().unwrap_or_default()
                );
            }
            panic!("'{scenario}' hangs");
        }
        std::thread::sleep(Duration::from_millis(2));
    }
    let end = |(status, (out, err)): (Option<ExitStatus>, (Receiver<String>, Receiver<String>))| Ended {
        status: status.expect("all have ended"),
        out: out.recv().unwrap_or_default(),
        err: err.recv().unwrap_or_default(),
    };
    let pes = statuses.into_iter().zip(texts).map(end).collect();
    drop(server);
    Job { pes, wishes: wishes.try_iter().collect() }
}

fn libc_dup2(from: i32, to: i32) -> bool {
    unsafe extern "C" {
        fn dup2(from: i32, to: i32) -> i32;
    }
    // SAFETY: the arguments are numbers.
    unsafe { dup2(from, to) >= 0 }
}

/// The scenario of this process, if it is a PE of a test.
pub fn scenario() -> Option<String> {
    std::env::var(SCENARIO).ok()
}

// What C would call, with the names of the public functions.

use philae_shmem::abi::{CTX_DEFAULT, Ctx, TEAM_WORLD, TeamHandle};

pub fn init() {
    // SAFETY: as C calls it.
    assert_eq!(unsafe { philae_shmem::lifecycle::philae_shmem_init(c"shmem_init".as_ptr(), 0, ptr::null_mut()) }, 0);
}

pub fn finalize() {
    // SAFETY: as C calls it.
    unsafe { philae_shmem::lifecycle::philae_shmem_finalize(c"shmem_finalize".as_ptr()) };
}

pub fn me() -> u32 {
    // SAFETY: as C calls it.
    (unsafe { philae_shmem::lifecycle::philae_shmem_my_pe(c"shmem_my_pe".as_ptr()) }) as u32
}

pub fn n_pes() -> u32 {
    // SAFETY: as C calls it.
    (unsafe { philae_shmem::lifecycle::philae_shmem_n_pes(c"shmem_n_pes".as_ptr()) }) as u32
}

pub fn world() -> *mut TeamHandle {
    (&raw const TEAM_WORLD).cast_mut()
}

pub fn context() -> *const Ctx {
    &raw const CTX_DEFAULT
}

pub fn barrier() {
    unsafe extern "C" {
        fn philae_shmem_barrier_all(what: *const std::ffi::c_char);
    }
    // SAFETY: as C calls it.
    unsafe { philae_shmem_barrier_all(c"shmem_barrier_all".as_ptr()) };
}

pub fn malloc(bytes: usize) -> *mut u64 {
    // SAFETY: as C calls it.
    unsafe { philae_shmem::memory::allocate::philae_shmem_malloc(c"shmem_malloc".as_ptr(), bytes, 0) }.cast()
}

pub fn free(block: *mut u64) {
    // SAFETY: as C calls it.
    unsafe { philae_shmem::memory::allocate::philae_shmem_free(c"shmem_free".as_ptr(), block.cast()) };
}

pub fn put(what: &'static CStr, dest: *mut u64, source: &[u64], pe: i32) {
    // SAFETY: as C calls it.
    unsafe {
        let (dest, from) = (dest.cast::<c_void>(), source.as_ptr().cast());
        philae_shmem::rma::philae_shmem_put(what.as_ptr(), context(), dest, from, source.len(), 8, pe, 0);
    }
}

pub fn get(source: *const u64, count: usize, pe: i32) -> Vec<u64> {
    let mut found = vec![0; count];
    // SAFETY: as C calls it.
    unsafe {
        let (dest, from) = (found.as_mut_ptr().cast::<c_void>(), source.cast());
        philae_shmem::rma::philae_shmem_get(c"shmem_get64".as_ptr(), context(), dest, from, count, 8, pe, 0);
    }
    found
}
