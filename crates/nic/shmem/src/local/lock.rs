//! `shmem_set_lock`, `shmem_clear_lock` and `shmem_test_lock`: a queue, first come first served.
//!
//! A lock is a symmetric `long`. Its halves are a tail and a node (John Mellor-Crummey and Michael
//! Scott's queue lock):
//!
//! - the tail counts only at one PE, the lock's home: the last PE in the queue plus 1, or 0;
//! - each PE has a node of its own: bit 0 says that the lock was handed over, the rest is the next
//!   PE in the queue plus 1.
//!
//! A waiting PE waits on a word of its own memory, and can sleep. Different locks have different
//! homes, by their place in the heap. A free lock is 0 on all PEs, as the standard wants it
//! initialised.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Condvar, Mutex, PoisonError};
use std::thread::ThreadId;

use super::wait::WaitMethod;
use crate::error::Error;
use crate::remote::waits;

/// Atomics on symmetric memory of any PE: the processor's for PEs of this host, or the NIC's. One
/// lock uses only one of them, because the two are not atomic with respect to each other.
pub trait Atomics {
    /// Swaps in `value` and returns the old value.
    ///
    /// # Errors
    /// The NIC reports an error.
    fn swap(&self, pe: u32, address: usize, value: u32) -> Result<u32, Error>;
    /// Stores `value` if the old value is `expected`; returns the old value.
    ///
    /// # Errors
    /// The NIC reports an error.
    fn compare_swap(&self, pe: u32, address: usize, expected: u32, value: u32) -> Result<u32, Error>;
    /// Adds `value`, and wakes a PE that waits for the word.
    ///
    /// # Errors
    /// The NIC reports an error.
    fn add(&self, pe: u32, address: usize, value: u32) -> Result<(), Error>;
}

/// Bit 0 of a node: the lock was handed over.
const HANDED_OVER: u32 = 1;

/// The locks of a PE, and which of its threads have them.
#[derive(Debug, Default)]
pub struct Locks {
    /// Locks that a thread of this PE holds or queues for. A PE has one place in a queue, whatever
    /// the number of its threads.
    taken: Mutex<BTreeMap<usize, ThreadId>>,
    given_back: Condvar,
}

/// A lock's location, and the PE that asks for it.
#[derive(Clone, Copy, Debug)]
pub struct LockRequest {
    /// The address of this PE's own `long`.
    pub address: usize,
    /// The PE whose tail counts.
    pub home: u32,
    /// This PE.
    pub me: u32,
}

impl LockRequest {
    /// The lock at `address`, `offset` bytes into symmetric memory, of a world of `n_pes`.
    #[must_use]
    pub const fn new(address: usize, offset: usize, me: u32, n_pes: u32) -> Self {
        Self { address, home: ((offset / size_of::<u64>()) % n_pes as usize) as u32, me }
    }

    const fn tail(&self) -> usize {
        self.address
    }

    const fn node(&self) -> usize {
        self.address + size_of::<u32>()
    }

    fn own_node(&self) -> &AtomicU32 {
        // SAFETY: the caller of `Locks::{set, test, clear}` promised a symmetric `long` of this PE
        // there.
        unsafe { AtomicU32::from_ptr(self.node() as *mut u32) }
    }
}

impl Locks {
    /// `shmem_set_lock`: waits until this PE has the lock.
    ///
    /// # Safety
    /// `lock.address` is an aligned symmetric `long` that stays valid.
    ///
    /// # Errors
    /// This thread has the lock already, a PE of the job has died, or the NIC reports an error.
    pub unsafe fn set(&self, lock: LockRequest, atomics: &dyn Atomics, waiting: &WaitMethod) -> Result<(), Error> {
        let this = std::thread::current().id();
        let mut taken = self.taken.lock().unwrap_or_else(PoisonError::into_inner);
        while let Some(thread) = taken.get(&lock.address) {
            if *thread == this {
                return Err(held_already(lock));
            }
            taken = self.given_back.wait(taken).unwrap_or_else(PoisonError::into_inner);
        }
        taken.insert(lock.address, this);
        drop(taken);
        let result = queue(lock, atomics, waiting);
        if result.is_err() {
            self.give_back(lock.address);
        }
        result
    }

    /// `shmem_test_lock`: takes the lock if it is free; returns whether it was.
    ///
    /// # Safety
    /// As for [`Locks::set`].
    ///
    /// # Errors
    /// The NIC reports an error.
    pub unsafe fn test(&self, lock: LockRequest, atomics: &dyn Atomics) -> Result<bool, Error> {
        let mut taken = self.taken.lock().unwrap_or_else(PoisonError::into_inner);
        if taken.contains_key(&lock.address) {
            return Ok(false);
        }
        lock.own_node().store(0, Ordering::Relaxed);
        let free = atomics.compare_swap(lock.home, lock.tail(), 0, lock.me + 1)? == 0;
        if free {
            taken.insert(lock.address, std::thread::current().id());
        }
        Ok(free)
    }

    /// `shmem_clear_lock`: hands the lock to the next PE in the queue. This PE's earlier operations
    /// must be complete.
    ///
    /// # Safety
    /// As for [`Locks::set`].
    ///
    /// # Errors
    /// This PE does not have the lock, a PE of the job has died, or the NIC reports an error.
    pub unsafe fn clear(&self, lock: LockRequest, atomics: &dyn Atomics, waiting: &WaitMethod) -> Result<(), Error> {
        let has = self.taken.lock().unwrap_or_else(PoisonError::into_inner).contains_key(&lock.address);
        if !has {
            return Err(Error::Argument {
                what: "lock",
                found: format!("{:#x}, a lock that this PE does not hold", lock.address),
                works: "shmem_set_lock, or a shmem_test_lock that returned 0, comes first",
            });
        }
        let handed = hand_over(lock, atomics, waiting);
        self.give_back(lock.address);
        handed
    }

    fn give_back(&self, address: usize) {
        self.taken.lock().unwrap_or_else(PoisonError::into_inner).remove(&address);
        self.given_back.notify_all();
    }
}

fn held_already(lock: LockRequest) -> Error {
    Error::Argument {
        what: "lock",
        found: format!("{:#x}, a lock that this thread already holds", lock.address),
        works: "shmem_clear_lock comes first: a second shmem_set_lock would wait for itself",
    }
}

/// Joins the queue and waits until the lock is handed over.
fn queue(lock: LockRequest, atomics: &dyn Atomics, waiting: &WaitMethod) -> Result<(), Error> {
    let node = lock.own_node();
    node.store(0, Ordering::Relaxed);
    let before = atomics.swap(lock.home, lock.tail(), lock.me + 1)?;
    if before == 0 {
        return Ok(());
    }
    atomics.add(before - 1, lock.node(), (lock.me + 1) << 1)?;
    waiting.until(|| node.load(Ordering::Acquire) & HANDED_OVER != 0)?;
    waits::waited(node.as_ptr() as usize, size_of_val(node));
    Ok(())
}

/// Leaves the queue.
fn hand_over(lock: LockRequest, atomics: &dyn Atomics, waiting: &WaitMethod) -> Result<(), Error> {
    let node = lock.own_node();
    if node.load(Ordering::Acquire) >> 1 == 0 {
        if atomics.compare_swap(lock.home, lock.tail(), lock.me + 1, 0)? == lock.me + 1 {
            node.store(0, Ordering::Relaxed);
            return Ok(());
        }
        // Another PE has taken the next place in the queue, and is about to announce itself.
        waiting.until(|| node.load(Ordering::Acquire) >> 1 != 0)?;
        waits::waited(node.as_ptr() as usize, size_of_val(node));
    }
    let next = (node.load(Ordering::Acquire) >> 1) - 1;
    node.store(0, Ordering::Relaxed);
    atomics.add(next, lock.node(), HANDED_OVER)
}
