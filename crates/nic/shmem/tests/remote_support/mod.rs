//! PEs as processes: a test runs itself again, once for each PE, over each provider.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use philae_shmem::remote::{Bootstrap, LocalRange, RemoteNetwork, RemoteSettings};

/// How long the PEs of a test may take. Source: ours. Status: assumed; a test that takes that long
/// hangs.
const PATIENCE: Duration = Duration::from_secs(240);
const PE: &str = "PHILAE_TEST_PE";
const PES: &str = "PHILAE_TEST_PES";
const FOLDER: &str = "PHILAE_TEST_FOLDER";
const OVER: &str = "PHILAE_TEST_OVER";

/// A provider and its settings.
#[derive(Clone, Copy, Debug)]
pub struct Over {
    pub name: &'static str,
    pub provider: &'static str,
    pub variables: &'static [(&'static str, &'static str)],
}

/// This project's provider, through memory that processes share.
pub const SHM: Over = Over { name: "philae-shm", provider: "philae", variables: &[("FI_PHILAE_WIRES", "shm")] };
/// The same, through datagrams.
pub const UDP: Over = Over {
    name: "philae-udp",
    provider: "philae",
    variables: &[("FI_PHILAE_WIRES", "udp"), ("FI_PHILAE_ADDRESS", "127.0.0.1"), ("FI_PHILAE_UDP_TIMEOUT_MS", "3000")],
};
/// A provider of every libfabric, with its keys and addresses, or with offsets.
pub const TCP: Over = Over { name: "tcp", provider: "tcp;ofi_rxm", variables: &[("SHMEM_OFI_MR_MODE", "BASIC")] };
pub const SOCKETS: Over =
    Over { name: "sockets", provider: "sockets", variables: &[("SHMEM_OFI_MR_MODE", "SCALABLE")] };

/// A PE of a test.
pub struct Pe {
    pub me: u32,
    pub n_pes: u32,
    pub over: String,
    folder: PathBuf,
    round: AtomicU32,
    /// How this PE falsifies what others say of their memory.
    pub forge: Option<fn(&mut Vec<u8>)>,
    /// Symmetric memory: a heap, and a substitute for static data.
    pub heap: &'static mut [u64],
    pub data: &'static mut [u64],
}

/// The lengths of the two, in numbers of 8 bytes.
pub const HEAP: usize = 32 * 1024;
pub const DATA: usize = 512;

impl Bootstrap for Pe {
    fn place(&self) -> (u32, u32) {
        (self.me, self.n_pes)
    }

    fn on_host(&self) -> (u32, u32) {
        (self.me, self.n_pes)
    }

    fn exchange(&self, own: &[u8]) -> Result<Vec<Vec<u8>>, String> {
        let round = self.round.fetch_add(1, Ordering::Relaxed);
        let file = |pe: u32| self.folder.join(format!("{round}.{pe}"));
        let draft = self.folder.join(format!("{round}.{}.draft", self.me));
        std::fs::write(&draft, own).map_err(|error| error.to_string())?;
        std::fs::rename(&draft, file(self.me)).map_err(|error| error.to_string())?;
        let began = Instant::now();
        let read = |pe: u32| loop {
            if let Ok(bytes) = std::fs::read(file(pe)) {
                return Ok(bytes);
            }
            if began.elapsed() > PATIENCE {
                return Err(format!("PE {pe} does not come"));
            }
            std::thread::sleep(Duration::from_micros(200));
        };
        let forged = |pe: u32| {
            let mut bytes = read(pe)?;
            if let Some(forge) = self.forge.filter(|_| pe != self.me && !bytes.is_empty()) {
                forge(&mut bytes);
            }
            Ok(bytes)
        };
        (0..self.n_pes).map(forged).collect()
    }
}

impl Pe {
    /// Opens the path through the NIC, with these variables besides those of the environment.
    pub fn open(&self, variables: &[(&str, &str)]) -> RemoteNetwork {
        self.try_open(variables).unwrap_or_else(|error| panic!("PE {}: {error}", self.me))
    }

    pub fn try_open(&self, variables: &[(&str, &str)]) -> Result<RemoteNetwork, philae_shmem::remote::RemoteError> {
        let get = |asked: &str| {
            let set = variables.iter().find(|(name, _)| *name == asked).map(|(_, value)| (*value).to_owned());
            set.or_else(|| std::env::var(asked).ok())
        };
        RemoteNetwork::open(&RemoteSettings::read(&get)?, self, &self.ranges(), false)
    }

    pub fn ranges(&self) -> [LocalRange; 2] {
        let range = |memory: &[u64]| LocalRange { begin: memory.as_ptr() as usize, bytes: size_of_val(memory) };
        [range(self.heap), range(self.data)]
    }

    /// The address of a number of the heap.
    pub fn at(&self, index: usize) -> usize {
        &raw const self.heap[index] as usize
    }

    /// The current value of a number of the heap, whichever PE wrote it.
    pub fn now(&self, index: usize) -> u64 {
        // SAFETY: the number exists; other PEs change it.
        unsafe { (&raw const self.heap[index]).read_volatile() }
    }

    pub fn barrier(&self) {
        self.exchange(&[]).expect("the others come");
    }

    /// Waits until a number of the heap has this value.
    pub fn wait(&self, remote: &RemoteNetwork, index: usize, value: u64) {
        let began = Instant::now();
        while self.now(index) != value {
            remote.progress().unwrap_or_else(|error| panic!("PE {}: {error}", self.me));
            assert!(began.elapsed() < PATIENCE, "PE {}: {} is not {value}", self.me, self.now(index));
            std::thread::yield_now();
        }
    }
}

fn memory(count: usize) -> &'static mut [u64] {
    // In pages of its own, like a heap.
    let bytes = (count * 8).next_multiple_of(4096);
    // SAFETY: new memory of this size, which stays.
    unsafe {
        let (rights, flags) = (libc::PROT_READ | libc::PROT_WRITE, libc::MAP_PRIVATE | libc::MAP_ANONYMOUS);
        let place = libc::mmap(std::ptr::null_mut(), bytes, rights, flags, -1, 0);
        assert!(place != libc::MAP_FAILED, "memory");
        std::slice::from_raw_parts_mut(place.cast(), count)
    }
}

/// Runs the body of a test with `n_pes` PEs over each of these providers. `test`: its name in
/// cargo.
pub fn pes(test: &str, n_pes: u32, over: &[Over], body: impl Fn(&mut Pe)) {
    if let Ok(me) = std::env::var(PE) {
        let number = |name: &str| std::env::var(name).expect(name);
        let mut pe = Pe {
            me: me.parse().expect("a number"),
            n_pes: number(PES).parse().expect("a number"),
            over: number(OVER),
            folder: number(FOLDER).into(),
            round: AtomicU32::new(0),
            forge: None,
            heap: memory(HEAP),
            data: memory(DATA),
        };
        return body(&mut pe);
    }
    let libraries = philae_launch_library();
    for over in over {
        if over.provider != "philae" && !has(over.provider) {
            println!("{test}: no provider {} here", over.provider);
            continue;
        }
        let ended = start(test, n_pes, over, &libraries);
        let bad: Vec<(usize, ExitStatus)> =
            ended.into_iter().enumerate().filter(|(_, status)| !status.success()).collect();
        assert!(bad.is_empty(), "{test} over {}: {bad:?}", over.name);
    }
}

/// The folder with the provider's library, where libfabric searches for it.
fn philae_launch_library() -> PathBuf {
    let test = std::env::current_exe().expect("a test knows its own file");
    philae_launcher::find_library(None, &test).expect("cargo builds the provider for this test")
}

fn has(provider: &str) -> bool {
    Command::new("fi_info").args(["-p", provider]).output().is_ok_and(|output| output.status.success())
}

fn start(test: &str, n_pes: u32, over: &Over, libraries: &Path) -> Vec<ExitStatus> {
    let folder = tempfile::tempdir().expect("a folder");
    let one = |pe: u32| {
        let mut command = Command::new(std::env::current_exe().expect("a test knows its own file"));
        command.args([test, "--exact", "--nocapture", "--test-threads=1"]).stdin(Stdio::null()).stdout(Stdio::null());
        command.env(PE, pe.to_string()).env(PES, n_pes.to_string()).env(FOLDER, folder.path()).env(OVER, over.name);
        command.env("SHMEM_OFI_PROVIDER", over.provider).env("FI_PROVIDER_PATH", libraries).env_remove("FI_PROVIDER");
        command.envs(over.variables.iter().copied());
        command.spawn().expect("a test can run itself")
    };
    let mut children: Vec<Child> = (0..n_pes).map(one).collect();
    let began = Instant::now();
    let mut ended: Vec<Option<ExitStatus>> = vec![None; n_pes as usize];
    while ended.contains(&None) {
        for (child, status) in children.iter_mut().zip(&mut ended) {
            if status.is_none() {
                *status = child.try_wait().expect("a child that was started");
            }
        }
        // A PE that has failed leaves the others waiting.
        let has_failed = ended.iter().flatten().any(|status| !status.success());
        if has_failed || began.elapsed() > PATIENCE {
            std::thread::sleep(Duration::from_millis(if has_failed { 500 } else { 0 }));
            children.iter_mut().for_each(|child| drop(child.kill()));
        }
        std::thread::sleep(Duration::from_millis(2));
    }
    ended.into_iter().flatten().collect()
}

/// Pseudorandom numbers: the same for the same seed.
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    pub fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit as u64) as usize
    }
}
