//! A network that carries out one operation at a time, in any order, some time after its beginning.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex};
use std::thread::JoinHandle;

use crate::error::Error;
use crate::memory::BEFORE_HEAP;

use super::super::remote::RemoteTransport;
use super::{DATA_BYTES, Draw, HEAP_BYTES};

enum Operation {
    Copy { to: usize, from: usize, bytes: usize, signal: Option<(usize, u64)> },
    Add { to: usize, value: u64 },
}

#[derive(Default)]
struct Queue {
    /// Operations, each with the PE that began it.
    pending: Vec<(usize, Operation)>,
    /// Also counts the operation in progress.
    begun_by: Vec<usize>,
    ended: bool,
}

struct Wires {
    queue: Mutex<Queue>,
    changed: Condvar,
    bases: Vec<[usize; 2]>,
    failed: Arc<AtomicBool>,
}

/// The network; it ends when it is dropped.
pub struct Network {
    wires: Arc<Wires>,
    carrier: Option<JoinHandle<()>>,
}

impl Network {
    pub fn start(bases: Vec<[usize; 2]>, failed: Arc<AtomicBool>, seed: u64) -> Self {
        let queue = Queue { begun_by: vec![0; bases.len()], ..Queue::default() };
        let wires = Arc::new(Wires { queue: Mutex::new(queue), changed: Condvar::new(), bases, failed });
        let carrying = Arc::clone(&wires);
        let carrier = std::thread::spawn(move || carrying.carry(Draw(seed)));
        Self { wires, carrier: Some(carrier) }
    }

    pub fn transport(&self, me: usize) -> Arc<Transport> {
        Arc::new(Transport { wires: Arc::clone(&self.wires), me })
    }
}

impl Drop for Network {
    fn drop(&mut self) {
        self.wires.queue.lock().expect("no thread panics with it").ended = true;
        self.wires.changed.notify_all();
        if let Some(carrier) = self.carrier.take() {
            carrier.join().expect("the network does not panic");
        }
    }
}

impl Wires {
    fn carry(&self, mut draw: Draw) {
        loop {
            let mut queue = self.queue.lock().expect("no thread panics with it");
            while queue.pending.is_empty() {
                if queue.ended {
                    return;
                }
                queue = self.changed.wait(queue).expect("no thread panics with it");
            }
            let chosen = draw.below(queue.pending.len());
            let (me, operation) = queue.pending.swap_remove(chosen);
            drop(queue);
            // Meanwhile other PEs can begin more operations, and overtake.
            for _ in 0..draw.below(3) {
                std::thread::yield_now();
            }
            operation.carry_out();
            self.queue.lock().expect("no thread panics with it").begun_by[me] -= 1;
            self.changed.notify_all();
        }
    }
}

impl Operation {
    fn carry_out(self) {
        // SAFETY: the callers of `RemoteTransport` promise memory that stays; the job's memory
        // outlives the network.
        unsafe {
            match self {
                Self::Copy { to, from, bytes, signal } => {
                    std::ptr::copy(from as *const u8, to as *mut u8, bytes);
                    if let Some((word, value)) = signal {
                        AtomicU64::from_ptr(word as *mut u64).store(value, Ordering::Release);
                    }
                }
                Self::Add { to, value } => {
                    AtomicU64::from_ptr(to as *mut u64).fetch_add(value, Ordering::AcqRel);
                }
            }
        }
    }
}

/// A PE's transport into the network.
pub struct Transport {
    wires: Arc<Wires>,
    me: usize,
}

impl Transport {
    fn begin(&self, operation: Operation) {
        let mut queue = self.wires.queue.lock().expect("no thread panics with it");
        queue.begun_by[self.me] += 1;
        queue.pending.push((self.me, operation));
        self.wires.changed.notify_all();
    }

    /// The address at another PE that corresponds to this PE's `address`.
    fn at(&self, pe: u32, address: usize) -> usize {
        let ([own, own_data], [its, its_data]) = (self.wires.bases[self.me], self.wires.bases[pe as usize]);
        if (own..own + BEFORE_HEAP + HEAP_BYTES).contains(&address) {
            return its + (address - own);
        }
        assert!(
            (own_data..own_data + DATA_BYTES).contains(&address),
            "{address:#x} is no symmetric memory of PE {}",
            self.me
        );
        its_data + (address - own_data)
    }
}

impl RemoteTransport for Transport {
    unsafe fn put(&self, pe: u32, target: usize, source: *const u8, bytes: usize) -> Result<(), Error> {
        self.begin(Operation::Copy { to: self.at(pe, target), from: source as usize, bytes, signal: None });
        Ok(())
    }

    unsafe fn get(&self, pe: u32, target: *mut u8, source: usize, bytes: usize) -> Result<(), Error> {
        self.begin(Operation::Copy { to: target as usize, from: self.at(pe, source), bytes, signal: None });
        Ok(())
    }

    unsafe fn put_signal(
        &self,
        pe: u32,
        target: usize,
        source: *const u8,
        bytes: usize,
        signal: usize,
        value: u64,
    ) -> Result<(), Error> {
        // With zero bytes nothing is copied, whatever the address.
        let (to, from) = if bytes == 0 { (1, 1) } else { (self.at(pe, target), source as usize) };
        self.begin(Operation::Copy { to, from, bytes, signal: Some((self.at(pe, signal), value)) });
        Ok(())
    }

    fn add(&self, pe: u32, target: usize, value: u64) -> Result<(), Error> {
        self.begin(Operation::Add { to: self.at(pe, target), value });
        Ok(())
    }

    fn quiet(&self) -> Result<(), Error> {
        let mut queue = self.wires.queue.lock().expect("no thread panics with it");
        while queue.begun_by[self.me] > 0 {
            if self.wires.failed.load(Ordering::Relaxed) {
                return Err(Error::Remote("another PE has failed in this test".to_owned()));
            }
            queue = self.wires.changed.wait(queue).expect("no thread panics with it");
        }
        Ok(())
    }
}
