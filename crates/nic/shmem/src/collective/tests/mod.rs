//! Threads stand for PEs: each has a segment and static data of its own, and reaches those of the
//! others by distances, as processes do. PEs of different "hosts" reach each other through a
//! network of the tests, which delays and reorders.

mod debug;
mod locks;
mod network;
mod programs;
mod teams;

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Barrier};

use crate::abi::{CONTROL_BYTES, ControlPage, MemoryWindow};
use crate::error::Error;
use crate::local::wait::{PollCounts, SlowPart, WaitMethod};
use crate::memory::BEFORE_HEAP;

use super::membership::{Home, Membership, TeamMember};
use super::remote::RemoteTransport;
use super::{Means, TeamGroup, oversubscription};
use network::Network;

/// Bytes of a test PE's heap.
pub const HEAP_BYTES: usize = 2 << 20;
/// Bytes of a test PE's static data.
pub const DATA_BYTES: usize = 1 << 20;

/// Memory of one PE, from the kernel, so that untouched pages cost nothing.
struct Mapping {
    begin: usize,
    bytes: usize,
}

impl Mapping {
    fn new(bytes: usize) -> Self {
        // SAFETY: a new private mapping.
        let begin = unsafe {
            let access = libc::PROT_READ | libc::PROT_WRITE;
            libc::mmap(
                std::ptr::null_mut(),
                bytes,
                access,
                libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE,
                -1,
                0,
            )
        };
        assert_ne!(begin, libc::MAP_FAILED, "the test needs {bytes} bytes of address space");
        Self { begin: begin as usize, bytes }
    }
}

impl Drop for Mapping {
    fn drop(&mut self) {
        // SAFETY: `new` mapped it, and it is no longer in use.
        unsafe { libc::munmap(self.begin as *mut libc::c_void, self.bytes) };
    }
}

/// The parameters of a test's job.
#[derive(Clone, Debug)]
pub struct Shape {
    /// The host of each PE.
    pub hosts: Vec<u32>,
    /// Whether waiters yield and arrivals are counted.
    pub oversubscribed: bool,
    /// Whether the debug mode is on.
    pub debug: bool,
    /// The seed of the network's delays.
    pub seed: u64,
}

impl Shape {
    /// `pes` PEs of one host.
    pub fn local(pes: usize) -> Self {
        Self { hosts: vec![0; pes], oversubscribed: true, debug: false, seed: 1 }
    }
}

/// A thread that stands for a PE.
pub struct Pe {
    pub me: usize,
    pub heap: usize,
    pub data: usize,
    pub windows: Vec<MemoryWindow>,
    places: Vec<TeamMember>,
    pub home: Home,
    pub means: Means,
}

impl Pe {
    /// The number of PEs.
    pub fn size(&self) -> usize {
        self.places.len()
    }

    /// The membership of these PEs, if this PE is among them.
    pub fn membership(&self, pes: &[usize]) -> Option<Membership> {
        let me = pes.iter().position(|&pe| pe == self.me)?;
        let places: Vec<TeamMember> = pes.iter().map(|&pe| self.places[pe]).collect();
        Some(Membership::new(me, &places, self.home.clone()))
    }

    /// The team of these PEs in a slot, if this PE is among them.
    pub fn team(&self, pes: &[usize], slot: u32) -> Option<TeamGroup> {
        // SAFETY: all memory is mapped until the job has ended, and tests give every team a slot
        // that is zero.
        self.membership(pes).map(|membership| unsafe { TeamGroup::new(membership, slot, self.means.clone()) })
    }

    /// The team of all, in the first slot.
    pub fn world(&self) -> TeamGroup {
        let all: Vec<usize> = (0..self.size()).collect();
        self.team(&all, 0).expect("every PE is of the world")
    }
}

/// Ends all waits once a PE has failed, so that a failing test ends.
struct Watchdog {
    failed: Arc<AtomicBool>,
    remote: bool,
}

impl SlowPart for Watchdog {
    fn silent_writers(&self) -> bool {
        self.remote
    }

    fn dead(&self) -> Option<Error> {
        let failed = self.failed.load(Ordering::Relaxed);
        failed.then(|| Error::PeDied { pe: 0, pid: 0, how: "failed in this test".to_owned() })
    }
}

/// Runs `program` on every PE of a job.
pub fn run(shape: &Shape, program: impl Fn(&Pe) + Sync) {
    let size = shape.hosts.len();
    let segments: Vec<Mapping> = (0..size).map(|_| Mapping::new(BEFORE_HEAP + HEAP_BYTES)).collect();
    let data: Vec<Mapping> = (0..size).map(|_| Mapping::new(DATA_BYTES)).collect();
    let failed = Arc::new(AtomicBool::new(false));
    let is_remote = shape.hosts.iter().any(|&host| host != shape.hosts[0]);
    let bases: Vec<[usize; 2]> =
        segments.iter().zip(&data).map(|(segment, data)| [segment.begin, data.begin]).collect();
    let network = is_remote.then(|| Network::start(bases.clone(), Arc::clone(&failed), shape.seed));
    let met = Barrier::new(size);
    std::thread::scope(|scope| {
        for me in 0..size {
            let (bases, failed, network, program, met) = (&bases, &failed, &network, &program, &met);
            scope.spawn(move || {
                let ended = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
                    let slow = Arc::new(Watchdog { failed: Arc::clone(failed), remote: is_remote });
                    let remote = network.as_ref().map(|network| network.transport(me) as Arc<dyn RemoteTransport>);
                    let pe = make(me, shape, bases, slow, remote);
                    // SAFETY: this PE's own area is mapped.
                    unsafe { oversubscription::publish(pe.home.segment.start) };
                    met.wait();
                    program(&pe);
                }));
                if let Err(why) = ended {
                    failed.store(true, Ordering::Relaxed);
                    std::panic::resume_unwind(why);
                }
            });
        }
    });
}

fn make(
    me: usize,
    shape: &Shape,
    bases: &[[usize; 2]],
    slow: Arc<dyn SlowPart>,
    remote: Option<Arc<dyn RemoteTransport>>,
) -> Pe {
    let [segment, data] = bases[me];
    let distance = |other: usize, own: usize| (other as isize).wrapping_sub(own as isize);
    let places: Vec<TeamMember> = (0..bases.len())
        .map(|pe| {
            let local = shape.hosts[pe] == shape.hosts[me];
            let window = MemoryWindow { heap: distance(bases[pe][0], segment), data: distance(bases[pe][1], data) };
            TeamMember {
                pe: pe as u32,
                window: if local { window } else { MemoryWindow::REMOTE },
                host: shape.hosts[pe],
            }
        })
        .collect();
    let heap = segment + BEFORE_HEAP;
    let control = heap - CONTROL_BYTES;
    let mut patience = if shape.oversubscribed { PollCounts::OVERSUBSCRIBED } else { PollCounts::DEDICATED };
    // Short, so that the tests' PEs, which share processors, also get to sleep.
    patience.pauses = patience.pauses.min(20);
    patience.yields = 20;
    // SAFETY: the control page is mapped until the job has ended.
    let waiting = unsafe { WaitMethod::new(control as *const ControlPage, patience, slow) };
    Pe {
        me,
        heap,
        data,
        windows: places.iter().map(|place| place.window).collect(),
        places,
        home: Home { segment: segment..heap + HEAP_BYTES, control },
        means: Means { waiting, remote, oversubscribed: shape.oversubscribed, debug: shape.debug },
    }
}

/// A pseudorandom sequence: the same from the same seed.
#[derive(Clone, Debug)]
pub struct Draw(pub u64);

impl Draw {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below `end`, which is not 0.
    pub fn below(&mut self, end: usize) -> usize {
        (self.next() % end as u64) as usize
    }
}
