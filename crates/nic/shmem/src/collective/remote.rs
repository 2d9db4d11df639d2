//! What the collectives need from the path to other hosts.

use crate::error::Error;

/// Puts, gets and signals between PEs of different hosts. Addresses of targets are this PE's own
/// addresses of symmetric memory: its heap, its static data, or the collective area before the
/// heap.
///
/// Only `quiet` waits. Operations may arrive in any order.
pub trait RemoteTransport: Send + Sync {
    /// Begins to write `bytes` bytes from `source` to `target` of a PE. `source` must not change
    /// until `quiet`.
    ///
    /// # Safety
    /// `source` is readable until the next `quiet` ends.
    ///
    /// # Errors
    /// The NIC reports an error.
    unsafe fn put(&self, pe: u32, target: usize, source: *const u8, bytes: usize) -> Result<(), Error>;

    /// Begins to read `bytes` bytes from `source` of a PE. They are at `target` after `quiet`.
    ///
    /// # Safety
    /// `target` is writable until the next `quiet` ends.
    ///
    /// # Errors
    /// The NIC reports an error.
    unsafe fn get(&self, pe: u32, target: *mut u8, source: usize, bytes: usize) -> Result<(), Error>;

    /// Begins to write, and then to store `value` in the aligned 64-bit word `signal`. A PE that
    /// sees the signal sees the data.
    ///
    /// # Safety
    /// `source` is readable until the next `quiet` ends.
    ///
    /// # Errors
    /// The NIC reports an error.
    unsafe fn put_signal(
        &self,
        pe: u32,
        target: usize,
        source: *const u8,
        bytes: usize,
        signal: usize,
        value: u64,
    ) -> Result<(), Error>;

    /// Begins to add `value` to the aligned 64-bit word at `target`, atomically with respect to
    /// other adds by this call.
    ///
    /// # Errors
    /// The NIC reports an error.
    fn add(&self, pe: u32, target: usize, value: u64) -> Result<(), Error>;

    /// Waits until every operation that this PE began is done: written at its target, or read.
    ///
    /// # Errors
    /// The NIC reports an error, or a PE of the job has died.
    fn quiet(&self) -> Result<(), Error>;
}
