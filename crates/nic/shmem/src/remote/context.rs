//! A context's NIC side: an endpoint of its own, and the state of the operations that it has
//! issued.

use std::collections::BTreeSet;
use std::ffi::c_void;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use philae_fi_sys::*;

use super::deferred::DeferredOperation;
use super::endpoint::{About, Awaited, RmaEndpoint};
use super::error::RemoteError;
use super::network::SharedNetwork;
use super::nic::{LOCAL_KEYS, Registered};
use super::operation::{RmaKind, RmaOperation};
use super::region::LocalRange;
use super::settings::PutCompletion;
use crate::session::{self, ContextSession};

/// Slots for the operands of atomic operations in flight. Source: ours. Status: assumed.
pub(super) const SLOTS: usize = 1_024;
/// Registrations of a program's own memory that are kept until a quiet. Source: ours.
/// Status: assumed.
const LOANS: usize = 64;

/// A context's NIC side.
pub struct RemoteContext {
    pub(super) core: Arc<ContextCore>,
}

impl std::fmt::Debug for RemoteContext {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "RemoteContext {{ NIC {} }}", self.core.endpoint.nic.info.domain())
    }
}

pub(super) struct ContextCore {
    pub network: Arc<SharedNetwork>,
    pub endpoint: Arc<RmaEndpoint>,
    state: Mutex<ContextState>,
}

/// The state that changes with each operation.
pub(super) struct ContextState {
    pub session: ContextSession,
    /// Operations of the session so far.
    in_session: usize,
    held: Option<DeferredOperation>,
    /// A buffer for the next operation that is held.
    room: Vec<u8>,
    /// Operations of the bundle so far.
    bundled: u32,
    /// PEs whose NICs have received data that may not be in their memory yet.
    pub unflushed: BTreeSet<u32>,
    /// An operation was issued whose order the NIC does not keep.
    pub is_unordered: bool,
    /// Operands, two for each atomic operation.
    pub slots: Box<[u64; SLOTS]>,
    next_slot: usize,
    /// Registrations of the program's own memory.
    loans: Vec<Registered>,
}

/// The source and the buffer of a flush's read.
const FLUSHED_BYTES: usize = 8;

impl ContextCore {
    pub fn open(network: &Arc<SharedNetwork>, endpoint: Arc<RmaEndpoint>) -> Self {
        let state = ContextState {
            session: ContextSession::default(),
            in_session: 0,
            held: None,
            room: Vec::new(),
            bundled: 0,
            unflushed: BTreeSet::new(),
            is_unordered: false,
            slots: Box::new([0; SLOTS]),
            next_slot: 0,
            loans: Vec::new(),
        };
        Self { network: Arc::clone(network), endpoint, state: Mutex::new(state) }
    }

    pub fn state(&self) -> MutexGuard<'_, ContextState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Issues an operation that has no waiter of its own, or holds it for the bundle. `more`:
    /// further operations of the same call follow immediately.
    ///
    /// # Safety
    /// As [`RmaOperation::issue`].
    pub unsafe fn begin(
        &self,
        state: &mut ContextState,
        mut operation: RmaOperation,
        about: About,
        kind: session::SessionOperation,
        more: bool,
    ) -> Result<(), RemoteError> {
        operation.context = self.endpoint.remember(about);
        if !state.session.bundles(kind) {
            // SAFETY: as the caller promises.
            unsafe {
                self.release(state, true)?;
                state.bundled = 0;
                return self.endpoint.issue(&operation, about, if more { FI_MORE } else { 0 });
            }
        }
        // SAFETY: as the caller promises.
        unsafe {
            if state.held.is_some() {
                self.release(state, true)?;
            }
            state.in_session += 1;
            state.bundled += 1;
            let is_last = !more && state.in_session >= state.session.total_ops;
            if is_last || state.bundled >= self.network.bundle {
                state.bundled = 0;
                return self.endpoint.issue(&operation, about, 0);
            }
            state.held = Some(DeferredOperation::new(operation, about, std::mem::take(&mut state.room)));
        }
        self.network.held.fetch_add(1, Ordering::Release);
        Ok(())
    }

    /// The same for an operation with a waiter; issues the bundle too.
    ///
    /// # Safety
    /// As [`RmaEndpoint::issue_awaited`].
    pub unsafe fn begin_awaited(
        &self,
        state: &mut ContextState,
        operation: RmaOperation,
        awaited: &Awaited,
        more: bool,
    ) -> Result<(), RemoteError> {
        self.release(state, true)?;
        state.bundled = 0;
        // SAFETY: as the caller promises.
        unsafe { self.endpoint.issue_awaited(operation, awaited, if more { FI_MORE } else { 0 }) }
    }

    /// Issues the held operation, if any. `more`: another operation follows, which rings the
    /// doorbell.
    pub fn release(&self, state: &mut ContextState, more: bool) -> Result<(), RemoteError> {
        let Some(mut held) = state.held.take() else { return Ok(()) };
        self.network.held.fetch_sub(1, Ordering::AcqRel);
        let operation = held.operation();
        // SAFETY: the endpoint exists; the bytes lie in the held copy, or the program has lent
        // them.
        let done = unsafe { self.endpoint.issue(&operation, held.about, if more { FI_MORE } else { 0 }) };
        state.room = held.into_room();
        if !more {
            state.bundled = 0;
        }
        done
    }

    /// Rings the doorbell for the held operation, unless another thread uses the context.
    pub fn ring(&self) -> Result<(), RemoteError> {
        match self.state.try_lock() {
            Ok(mut state) => self.release(&mut state, false),
            Err(_) => Ok(()),
        }
    }

    /// The NIC's descriptor of this process's memory.
    pub fn descriptor(
        &self,
        state: &mut ContextState,
        address: usize,
        bytes: usize,
    ) -> Result<*mut c_void, RemoteError> {
        let nic = &self.endpoint.nic;
        if !nic.needs_local() || bytes == 0 {
            return Ok(std::ptr::null_mut());
        }
        if let Some(descriptor) = nic.descriptor(address, bytes) {
            return Ok(descriptor);
        }
        if let Some(known) = state.loans.iter().find(|known| known.memory.offset(address, bytes).is_some()) {
            return Ok(known.descriptor());
        }
        if state.loans.len() >= LOANS {
            self.release(state, false)?;
            self.endpoint.wait_for_all("a registration's end", true)?;
            state.loans.clear();
        }
        let key = LOCAL_KEYS + self.network.next_key.fetch_add(1, Ordering::Relaxed) % (1 << 20) + (1 << 8);
        let loan = nic.register(LocalRange { begin: address, bytes }, None, key)?;
        let descriptor = loan.descriptor();
        state.loans.push(loan);
        Ok(descriptor)
    }

    /// Slots for an operation's operand and comparand, whose addresses stay valid until it has
    /// ended.
    pub fn slots(&self, state: &mut ContextState, operand: u64, compare: u64) -> Result<[*mut u8; 2], RemoteError> {
        if state.next_slot + 2 > SLOTS {
            self.release(state, false)?;
            self.endpoint.wait_for_all("a place for an operand", true)?;
            state.next_slot = 0;
        }
        let at = state.next_slot;
        state.next_slot += 2;
        (state.slots[at], state.slots[at + 1]) = (operand, compare);
        Ok([at, at + 1].map(|at| (&raw mut state.slots[at]).cast()))
    }

    /// The completion level that an operation needs. Records that its target needs a flush if that
    /// level is too weak.
    pub fn level(&self, state: &mut ContextState, kind: session::SessionOperation, pe: u32) -> u64 {
        if self.network.completion == PutCompletion::Delivery || state.session.delivers(kind) {
            return FI_DELIVERY_COMPLETE;
        }
        state.unflushed.insert(pe);
        FI_TRANSMIT_COMPLETE
    }

    /// The vendor's flags for an operation in this session. Records what they give up in ordering
    /// and completion.
    pub fn vendor_flags(&self, state: &mut ContextState, kind: session::SessionOperation, pe: u32) -> u64 {
        if !self.endpoint.nic.knows_vendor_flags() {
            return 0;
        }
        let mut flags = 0;
        if state.session.is_high_rate(kind) {
            flags |= FI_CXI_HRP;
        }
        if kind == session::SessionOperation::Amo && state.session.is_sent_once() {
            flags |= FI_CXI_UNRELIABLE;
        }
        if flags != 0 {
            state.is_unordered = true;
            state.unflushed.insert(pe);
        }
        flags
    }

    /// Flushes: after a read that follows the puts has returned, the puts are in their targets'
    /// memory.
    fn flush(&self, state: &mut ContextState, pes: &[u32]) -> Result<(), RemoteError> {
        if pes.is_empty() {
            return Ok(());
        }
        let mut scratch = vec![0_u64; pes.len()];
        let all: Vec<Awaited> = pes
            .iter()
            .map(|&pe| Awaited::new(About { what: "shmem_quiet", pe, address: self.network.ranges[0].begin as u64 }))
            .collect();
        let begin = |((&pe, awaited), place): ((&u32, &Awaited), &mut u64)| {
            let (address, key) = self.network.remote("shmem_quiet", pe, self.network.ranges[0].begin, FLUSHED_BYTES)?;
            let mut operation = RmaOperation::new(RmaKind::Read, self.endpoint.nic.peer(pe), address, key);
            (operation.local, operation.bytes) = (std::ptr::from_mut(place).cast(), FLUSHED_BYTES);
            operation.descriptors[0] = self.descriptor(state, operation.local as usize, FLUSHED_BYTES)?;
            // SAFETY: the buffer and the `Awaited` stay until all reads are over, below.
            unsafe { self.begin_awaited(state, operation, awaited, false) }
        };
        let begun = pes.iter().zip(&all).zip(&mut scratch).try_for_each(begin);
        self.network.flushes.fetch_add(pes.len() as u64, Ordering::Relaxed);
        let ended = all.iter().map(|awaited| self.endpoint.wait_for(awaited)).fold(Ok(()), Result::and);
        begun.and(ended)?;
        pes.iter().for_each(|pe| {
            state.unflushed.remove(pe);
        });
        Ok(())
    }

    /// Waits until all operations have ended. Puts to the targets in `flushes` are in memory then.
    pub fn complete(&self, what: &'static str, reads: bool, flushes: Flushes) -> Result<(), RemoteError> {
        let mut state = self.state();
        self.release(&mut state, false)?;
        if let Flushes::None = flushes {
            drop(state);
            return self.endpoint.wait_for_all(what, reads);
        }
        let pes: Vec<u32> = state.unflushed.iter().copied().collect();
        if pes.is_empty() && state.loans.is_empty() && !state.is_unordered {
            // Other threads may begin operations meanwhile.
            drop(state);
            return self.endpoint.wait_for_all(what, reads);
        }
        self.endpoint.wait_for_all(what, reads)?;
        self.flush(&mut state, &pes)?;
        state.loans.clear();
        state.is_unordered = false;
        Ok(())
    }

    /// Waits until the operations on these PEs have ended, and the puts to them are in memory.
    pub fn complete_pes(&self, what: &'static str, pes: &[u32]) -> Result<(), RemoteError> {
        if pes.is_empty() {
            return Ok(());
        }
        let n_pes = self.network.n_pes();
        let mut state = self.state();
        self.release(&mut state, false)?;
        let unflushed: Vec<u32> = pes.iter().copied().filter(|pe| state.unflushed.contains(pe)).collect();
        if unflushed.is_empty() {
            // Other threads may begin operations meanwhile.
            drop(state);
            return self.endpoint.wait_for_pes(what, pes, n_pes);
        }
        self.endpoint.wait_for_pes(what, pes, n_pes)?;
        self.flush(&mut state, &unflushed)
    }
}

/// The targets whose memory must have the puts.
#[derive(Clone, Copy)]
pub(super) enum Flushes {
    /// Every PE that was written to.
    All,
    None,
}

impl RemoteContext {
    /// Starts a session, or adds these options to an open one.
    pub fn session_start(&self, options: i64, total_ops: Option<usize>) {
        let mut state = self.core.state();
        state.session = state.session.with(options, total_ops);
    }

    /// Ends the session: issues held operations, waits for nothing.
    ///
    /// # Errors
    /// The held operation cannot be issued.
    pub fn session_stop(&self) -> Result<(), RemoteError> {
        let mut state = self.core.state();
        let released = self.core.release(&mut state, false);
        (state.session, state.in_session) = (ContextSession::default(), 0);
        released
    }

    /// How many writing and reading operations have begun, and how many of each have ended.
    #[must_use]
    pub fn counts(&self) -> [u64; 4] {
        let ([writes, reads], [writing, reading]) = (self.core.endpoint.begun(), self.core.endpoint.in_flight());
        [writes, reads, writes.saturating_sub(writing), reads.saturating_sub(reading)]
    }

    /// The open session.
    #[must_use]
    pub fn session(&self) -> ContextSession {
        self.core.state().session
    }

    /// Waits until all puts are in their targets' memory and all results have arrived.
    ///
    /// # Errors
    /// [`RemoteError`]: an operation failed, or no completion arrives.
    pub fn quiet(&self) -> Result<(), RemoteError> {
        self.core.complete("shmem_quiet", true, Flushes::All)
    }

    /// The same for operations on these PEs. The first call on a context waits for operations on
    /// the other PEs too. From then on the context counts operations by PE, which costs a
    /// completion queue entry for each.
    ///
    /// # Errors
    /// As [`Self::quiet`].
    pub fn pe_quiet(&self, pes: &[u32]) -> Result<(), RemoteError> {
        self.core.complete_pes("shmem_pe_quiet", pes)
    }

    /// Waits until the sources of all puts may be reused.
    ///
    /// # Errors
    /// As [`Self::quiet`].
    pub fn local_complete(&self) -> Result<(), RemoteError> {
        self.core.complete("shmemx_local_complete", false, Flushes::None)
    }

    /// Orders earlier puts and atomic operations before later ones, for each PE. If the NIC keeps
    /// that order by itself, this waits for nothing.
    ///
    /// # Errors
    /// As [`Self::quiet`].
    pub fn fence(&self) -> Result<(), RemoteError> {
        let is_ordered = self.core.network.keeps_order() && !self.core.state().is_unordered;
        if is_ordered { Ok(()) } else { self.core.complete("shmem_fence", false, Flushes::All) }
    }

    /// The same if later operations may take a path other than this NIC: completes all earlier
    /// ones.
    ///
    /// # Errors
    /// As [`Self::quiet`].
    pub fn fence_of_two_paths(&self) -> Result<(), RemoteError> {
        self.core.complete("shmem_fence", true, Flushes::All)
    }
}

impl Drop for RemoteContext {
    fn drop(&mut self) {
        // A context is quiet when it is destroyed; if it is not, its program has ended in another
        // way.
        self.core.network.forget(&self.core);
    }
}
