//! Measures the collectives of one host, in short trials: `cargo run --release -p philae-shmem
//! --example collectives -- [PES] [TRIALS]`. Processes stand for PEs, on memory that they inherit,
//! so no launcher and no program is needed.
//!
//! Every row is the time of one call in nanoseconds, as PE 0 measures it: the best and percentiles
//! of the trials, each the mean of some calls. Short trials show whether a library is slow, or the
//! machine is shared with others.

#![expect(unsafe_code, reason = "processes share memory")]

use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use philae_shmem::abi::{CONTROL_BYTES, ControlPage, MemoryWindow};
use philae_shmem::collective::barrier_group::BarrierGroup;
use philae_shmem::collective::kernel::{Element, ReduceOperation};
use philae_shmem::collective::membership::{Home, Membership, TeamMember};
use philae_shmem::collective::reduce::ReduceArguments;
use philae_shmem::collective::{Means, TeamGroup};
use philae_shmem::error::Error;
use philae_shmem::local::wait::{NothingElse, PollCounts, WaitMethod};
use philae_shmem::memory::BEFORE_HEAP;

/// Bytes of a PE's heap: sources, then targets.
const HEAP_BYTES: usize = 64 << 20;
const TARGET: usize = HEAP_BYTES / 2;

struct Bench {
    me: usize,
    size: usize,
    heap: usize,
    next: usize,
    world: TeamGroup,
    trials: usize,
}

fn main() -> ExitCode {
    let mut numbers = std::env::args().skip(1).map(|text| text.parse::<usize>().map_err(|_| text));
    let (size, trials) = (numbers.next().unwrap_or(Ok(2)), numbers.next().unwrap_or(Ok(201)));
    let (Ok(size @ 1..=256), Ok(trials @ 1..)) = (&size, &trials) else {
        eprintln!("PES is {size:?} and TRIALS {trials:?}; 1 to 256 PEs, and 1 trial or more, would work");
        return ExitCode::FAILURE;
    };
    let (size, trials) = (*size, *trials);
    let segment = BEFORE_HEAP + HEAP_BYTES;
    // SAFETY: a new mapping, which children share.
    let base = unsafe {
        let access = libc::PROT_READ | libc::PROT_WRITE;
        let flags = libc::MAP_SHARED | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE;
        libc::mmap(std::ptr::null_mut(), segment * size, access, flags, -1, 0)
    };
    if base == libc::MAP_FAILED {
        eprintln!("{} bytes for {size} PEs cannot be mapped: {}", segment * size, std::io::Error::last_os_error());
        return ExitCode::FAILURE;
    }
    let mut children = Vec::new();
    for me in 1..size {
        // SAFETY: there is only one thread.
        match unsafe { libc::fork() } {
            -1 => {
                eprintln!("cannot fork PE {me}: {}", std::io::Error::last_os_error());
                end(&children);
                return ExitCode::FAILURE;
            }
            0 => std::process::exit(run(base as usize, me, size, trials)),
            child => children.push(child),
        }
    }
    let mut code = run(base as usize, 0, size, trials);
    if code != 0 {
        end(&children);
    }
    for child in children {
        let mut status = 0;
        // SAFETY: a child of this process, waited for once.
        unsafe { libc::waitpid(child, &raw mut status, 0) };
        code |= i32::from(status != 0);
    }
    ExitCode::from(code as u8)
}

fn end(children: &[i32]) {
    for &child in children {
        // SAFETY: a child of this process, not waited for yet.
        unsafe { libc::kill(child, libc::SIGKILL) };
    }
}

fn run(base: usize, me: usize, size: usize, trials: usize) -> i32 {
    let segment = BEFORE_HEAP + HEAP_BYTES;
    let own = base + me * segment;
    let places: Vec<TeamMember> = (0..size)
        .map(|pe| {
            let distance = (pe as isize - me as isize) * segment as isize;
            TeamMember { pe: pe as u32, window: MemoryWindow { heap: distance, data: distance }, host: 0 }
        })
        .collect();
    let heap = own + BEFORE_HEAP;
    let home = Home { segment: own..own + segment, control: heap - CONTROL_BYTES };
    let oversubscribed = std::thread::available_parallelism().is_ok_and(|processors| size > processors.get());
    let patience = if oversubscribed { PollCounts::OVERSUBSCRIBED } else { PollCounts::DEDICATED };
    // SAFETY: the mapping stays until the process ends.
    let waiting = unsafe { WaitMethod::new(home.control as *const ControlPage, patience, Arc::new(NothingElse)) };
    let means = Means { waiting, remote: None, oversubscribed, debug: false };
    // SAFETY: as above; the mapping is initially zero.
    let world = unsafe { TeamGroup::new(Membership::new(me, &places, home), 0, means) };
    if me == 0 {
        println!(
            "{size} PEs, oversubscribed: {oversubscribed}; nanoseconds a call: best, p10, p50, p90 of {trials} trials"
        );
    }
    let next = heap.wrapping_add_signed(((me + 1) % size) as isize * segment as isize - me as isize * segment as isize);
    let mut bench = Bench { me, size, heap, next, world, trials };
    match bench.rows() {
        Ok(()) => 0,
        Err(error) => {
            eprintln!("PE {me}: {error}");
            1
        }
    }
}

impl Bench {
    /// Trials of `calls` calls each.
    fn row(
        &mut self,
        name: &str,
        calls: usize,
        mut call: impl FnMut(&mut Self) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let mut means = Vec::with_capacity(self.trials);
        for trial in 0..=self.trials {
            self.world.sync()?;
            let begun = Instant::now();
            for _ in 0..calls {
                call(self)?;
            }
            // The first trial touches the memory.
            if trial > 0 {
                means.push(begun.elapsed().as_nanos() as f64 / calls as f64);
            }
        }
        if self.me == 0 {
            means.sort_by(f64::total_cmp);
            let at = |share: usize| means[(means.len() - 1) * share / 100];
            println!("{name:28} {:10.0} {:10.0} {:10.0} {:10.0}", at(0), at(10), at(50), at(90));
        }
        Ok(())
    }

    /// One word goes round; with two PEs half a round is the time of one trip of a cache line.
    fn ring(&self, round: &mut u64) {
        let word = |address: usize| {
            // SAFETY: a word at the end of a heap, which only this function uses.
            unsafe { AtomicU64::from_ptr((address + HEAP_BYTES - 64) as *mut u64) }
        };
        *round += 1;
        let (own, next) = (word(self.heap), word(self.next));
        if self.me == 0 {
            next.store(*round, Ordering::Release);
        }
        while own.load(Ordering::Acquire) < *round {
            std::hint::spin_loop();
        }
        if self.me != 0 {
            next.store(*round, Ordering::Release);
        }
    }

    fn rows(&mut self) -> Result<(), Error> {
        let (source, target, size) = (self.heap, self.heap + TARGET, self.size);
        if size == 2 {
            let mut round = 0;
            self.row("a cache line, there and back", 100, |bench| {
                bench.ring(&mut round);
                Ok(())
            })?;
        }
        self.row("barrier", 100, |bench| bench.world.sync())?;
        let reduction =
            |count| ReduceArguments { target, source, count, element: Element::F64, operation: ReduceOperation::Sum };
        for count in [1, 8, 128, 512, 4096, 131_072] {
            let calls = if count > 10_000 { 2 } else { 50 };
            self.row(&format!("sum of {count} doubles"), calls, |bench| {
                // SAFETY: both lie in the heap, with room.
                unsafe { bench.world.reduce(reduction(count)) }
            })?;
        }
        for bytes in [8, 1024, 4096, 65_536, 1 << 20] {
            let calls = if bytes > 10_000 { 4 } else { 50 };
            self.row(&format!("broadcast of {bytes} bytes"), calls, |bench| {
                // SAFETY: as above.
                unsafe { bench.world.broadcast(target, source, bytes, 0) }
            })?;
        }
        for bytes in [8, 1024, 65_536] {
            let calls = if bytes > 10_000 { 4 } else { 50 };
            self.row(&format!("fcollect of {bytes} bytes"), calls, |bench| {
                // SAFETY: as above.
                unsafe { bench.world.fcollect(target, source, bytes) }
            })?;
            self.row(&format!("alltoall of {bytes} bytes"), calls, |bench| {
                // SAFETY: as above.
                unsafe { bench.world.alltoall(target, source, bytes) }
            })?;
        }
        self.world.sync()
    }
}
