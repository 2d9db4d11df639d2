//! Operations with handles of their own: the vendor's `..._nb` calls. A program can test and wait
//! for each one individually.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::atomic::{AmoEffect, Width};
use super::context::{ContextCore, RemoteContext};
use super::endpoint::{About, Awaited};
use super::error::RemoteError;

pub struct OperationHandle {
    core: Arc<ContextCore>,
    /// libfabric has this address until the operation has ended.
    awaited: Option<Box<Awaited>>,
}

impl std::fmt::Debug for OperationHandle {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "Handle {{ {:?} }}", self.awaited.as_ref().map(|awaited| awaited.about))
    }
}

impl OperationHandle {
    /// Whether the operation is complete.
    ///
    /// # Errors
    /// The operation failed.
    pub fn test(&self) -> Result<bool, RemoteError> {
        let Some(awaited) = &self.awaited else { return Ok(true) };
        if !awaited.is_over() {
            self.core.endpoint.look()?;
        }
        if awaited.is_over() { self.core.endpoint.wait_for(awaited).map(|()| true) } else { Ok(false) }
    }

    fn is_over(&self) -> bool {
        self.awaited.as_ref().is_none_or(|awaited| awaited.is_over())
    }

    /// Waits until the operation is complete.
    ///
    /// # Errors
    /// The operation failed, or no completion arrives.
    pub fn wait(self) -> Result<(), RemoteError> {
        self.awaited.as_ref().map_or(Ok(()), |awaited| self.core.endpoint.wait_for(awaited))
    }
}

impl Drop for OperationHandle {
    fn drop(&mut self) {
        let Some(awaited) = self.awaited.take() else { return };
        // An operation whose wait was given up may still end later, so its memory must stay.
        if !awaited.is_over() && self.core.endpoint.wait_for(&awaited).is_err() && !awaited.is_over() {
            std::mem::forget(awaited);
        }
    }
}

/// Operations with handles, by the numbers that programs have for them. Completed operations may be
/// removed, so that a program that never asks uses memory only for operations in flight.
#[derive(Default)]
pub(crate) struct Handles {
    open: Mutex<Open>,
}

#[derive(Default)]
struct Open {
    by_number: BTreeMap<usize, OperationHandle>,
    /// The last number given out.
    last: usize,
    /// The number of handles at which completed ones are removed.
    sweep_at: usize,
}

/// Handles before the first search for completed ones. Source: ours. Status: assumed.
const SWEPT: usize = 1_024;

impl Handles {
    fn open(&self) -> MutexGuard<'_, Open> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A number for the program; 0 if the operation is complete.
    pub fn keep(&self, handle: OperationHandle) -> usize {
        if handle.is_over() {
            return 0;
        }
        let mut open = self.open();
        if open.by_number.len() >= open.sweep_at.max(SWEPT) {
            open.by_number.retain(|_, handle| !handle.is_over());
            open.sweep_at = 2 * open.by_number.len();
        }
        open.last += 1;
        let number = open.last;
        open.by_number.insert(number, handle);
        number
    }

    /// Whether the operation is complete.
    ///
    /// # Errors
    /// The operation failed.
    pub fn test(&self, number: usize) -> Result<bool, RemoteError> {
        let mut open = self.open();
        let is_over = open.by_number.get(&number).map_or(Ok(true), OperationHandle::test)?;
        if is_over {
            open.by_number.remove(&number);
        }
        Ok(is_over)
    }

    /// Waits until it is complete. Other threads may begin and test operations meanwhile.
    ///
    /// # Errors
    /// The operation failed, or no completion arrives.
    pub fn wait(&self, number: usize) -> Result<(), RemoteError> {
        let handle = self.open().by_number.remove(&number);
        handle.map_or(Ok(()), OperationHandle::wait)
    }

    /// Waits for the operations on these PEs.
    ///
    /// # Errors
    /// As [`Self::wait`].
    pub fn wait_for_pes(&self, pes: &[u32]) -> Result<(), RemoteError> {
        let mut open = self.open();
        let on_these =
            |handle: &OperationHandle| handle.awaited.as_ref().is_some_and(|awaited| pes.contains(&awaited.about.pe));
        let numbers: Vec<usize> =
            open.by_number.iter().filter(|(_, handle)| on_these(handle)).map(|(&number, _)| number).collect();
        let theirs: Vec<OperationHandle> = numbers.iter().filter_map(|number| open.by_number.remove(number)).collect();
        drop(open);
        theirs.into_iter().try_for_each(OperationHandle::wait)
    }

    /// After a quiet: removes the completed operations.
    pub fn sweep(&self) {
        self.open().by_number.retain(|_, handle| !handle.is_over());
    }
}

impl RemoteContext {
    fn handle(&self, about: About) -> OperationHandle {
        OperationHandle { core: Arc::clone(&self.core), awaited: Some(Box::new(Awaited::new(about))) }
    }

    /// Begins a put or a get.
    ///
    /// # Errors
    /// [`RemoteError`].
    ///
    /// # Safety
    /// This process's memory stays valid until the handle is complete.
    pub unsafe fn begin_transfer(
        &self,
        what: &'static str,
        is_put: bool,
        local: *mut u8,
        bytes: usize,
        remote: usize,
        pe: u32,
    ) -> Result<OperationHandle, RemoteError> {
        let handle = self.handle(About { what, pe, address: remote as u64 });
        if let Some(awaited) = &handle.awaited {
            // SAFETY: as the caller promises; the `Awaited` stays until the end.
            unsafe { self.core.begin_transfer(is_put, local, bytes, remote, awaited)? };
        }
        Ok(handle)
    }

    /// Begins an atomic operation.
    ///
    /// # Errors
    /// [`RemoteError`].
    ///
    /// # Safety
    /// The result is null, or has room for a number until the handle is complete.
    pub unsafe fn begin_amo(
        &self,
        what: &'static str,
        (amo, width): (AmoEffect, Width),
        (dest, pe): (usize, u32),
        operands: [u64; 2],
        result: *mut u8,
    ) -> Result<OperationHandle, RemoteError> {
        let mut handle = self.handle(About { what, pe, address: dest as u64 });
        if width == Width::Two && !self.core.network.has_short_atomics {
            // SAFETY: as the caller promises. It takes several operations, and is complete on
            // return.
            unsafe { self.amo(what, (amo, width), (dest, pe), operands, result, false)? };
            handle.awaited = None;
        }
        if let Some(awaited) = &handle.awaited {
            // SAFETY: as the caller promises; the `Awaited` stays until the end.
            unsafe { self.core.begin_change(amo, width, operands, result, awaited)? };
        }
        Ok(handle)
    }
}
