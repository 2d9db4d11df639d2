//! Puts, gets and puts with a signal.

use philae_fi_sys::*;

use super::context::{ContextCore, ContextState, RemoteContext};
use super::endpoint::{About, Awaited};
use super::error::RemoteError;
use super::operation::{RmaKind, RmaOperation};
use super::protocol::{PutProperties, PutProtocol};
use crate::session;

/// What a signal does to its word. Source: OpenSHMEM 1.6, SHMEM_SIGNAL_*. Status: published.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SignalOperation {
    /// Replaces the value.
    Set,
    /// Adds to the value.
    Add,
}

/// Strided blocks. Distances and block lengths are in elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Strides {
    /// From the beginning of one block to that of the next, at the destination.
    pub destination: isize,
    /// The same at the source.
    pub source: isize,
    /// Elements in a block.
    pub block: usize,
    /// The number of blocks.
    pub count: usize,
    pub element_bytes: usize,
}

impl Strides {
    /// Whether the blocks are contiguous on both sides.
    const fn is_whole(&self) -> bool {
        let block = self.block as isize;
        self.count <= 1 || self.destination == block && self.source == block
    }

    const fn block_bytes(&self) -> usize {
        self.block * self.element_bytes
    }

    /// The distance of a block from the first one, at destination and source.
    fn offsets(&self, number: usize) -> [isize; 2] {
        let of = |stride: isize| stride * number as isize * self.element_bytes as isize;
        [of(self.destination), of(self.source)]
    }
}

/// A transfer: memory of this process, and of the PE.
#[derive(Clone, Copy)]
struct Transfer {
    local: *mut u8,
    bytes: usize,
    /// The address, as this PE has it.
    remote: usize,
    pe: u32,
}

impl ContextCore {
    /// Begins a write. It has a waiter, unless its bytes are copied immediately. `more`: another
    /// operation of the same call follows.
    ///
    /// # Safety
    /// The source is readable now and, unless it is copied, until the operation has ended.
    unsafe fn write(
        &self,
        state: &mut ContextState,
        asked: Transfer,
        kind: session::SessionOperation,
        is_nonblocking: bool,
        awaited: &Awaited,
        more: bool,
    ) -> Result<(), RemoteError> {
        let network = &*self.network;
        let Transfer { local, bytes, remote, pe } = asked;
        let About { what, .. } = awaited.about;
        let (address, key) = network.remote(what, pe, remote, bytes)?;
        let protocol = network.thresholds.choose(PutProperties {
            bytes,
            is_symmetric: network.is_symmetric(local as usize, bytes),
            is_nonblocking,
            is_high_rate: state.session.is_high_rate(kind) && self.endpoint.nic.knows_vendor_flags(),
        });
        network.protocols.count(protocol);
        let is_copied = protocol == PutProtocol::Inject;
        let mut flags = self.vendor_flags(state, kind, pe);
        if flags == 0 {
            flags = self.level(state, kind, pe);
        }
        if is_copied {
            flags |= FI_INJECT;
        }
        let longest = network.message_bytes;
        if bytes.min(longest) > network.ordered_bytes {
            state.is_unordered = true;
        }
        for at in (0..bytes).step_by(longest) {
            let length = (bytes - at).min(longest);
            let mut operation = RmaOperation::new(RmaKind::Write, self.endpoint.nic.peer(pe), address + at as u64, key);
            (operation.local, operation.bytes) = (local.wrapping_add(at), length);
            operation.flags = flags;
            if !is_copied {
                operation.descriptors[0] = self.descriptor(state, operation.local as usize, length)?;
            }
            let more = more || at + length < bytes;
            // SAFETY: as the caller promises.
            unsafe {
                if is_copied || is_nonblocking {
                    let about = About { address: (remote + at) as u64, ..awaited.about };
                    self.begin(state, operation, about, kind, more)?;
                } else {
                    self.begin_awaited(state, operation, awaited, more)?;
                }
            }
        }
        Ok(())
    }

    /// Begins a read.
    ///
    /// # Safety
    /// The target is writable until the operation has ended.
    unsafe fn read(
        &self,
        state: &mut ContextState,
        asked: Transfer,
        is_nonblocking: bool,
        awaited: &Awaited,
        more: bool,
    ) -> Result<(), RemoteError> {
        let network = &*self.network;
        let Transfer { local, bytes, remote, pe } = asked;
        let (address, key) = network.remote(awaited.about.what, pe, remote, bytes)?;
        for at in (0..bytes).step_by(network.message_bytes) {
            let length = (bytes - at).min(network.message_bytes);
            let mut operation = RmaOperation::new(RmaKind::Read, self.endpoint.nic.peer(pe), address + at as u64, key);
            (operation.local, operation.bytes) = (local.wrapping_add(at), length);
            operation.descriptors[0] = self.descriptor(state, operation.local as usize, length)?;
            let more = more || at + length < bytes;
            // SAFETY: as the caller promises.
            unsafe {
                if is_nonblocking {
                    let about = About { address: (remote + at) as u64, ..awaited.about };
                    self.begin(state, operation, about, session::SessionOperation::Get, more)?;
                } else {
                    self.begin_awaited(state, operation, awaited, more)?;
                }
            }
        }
        Ok(())
    }

    /// Begins to change a signal of 8 bytes. `is_fenced`: only after everything that began before.
    fn signal(
        &self,
        state: &mut ContextState,
        about: About,
        (signal, operation): (u64, SignalOperation),
        is_fenced: bool,
    ) -> Result<(), RemoteError> {
        let (address, key) = self.network.remote(about.what, about.pe, about.address as usize, 8)?;
        let [operand, _] = self.slots(state, signal, 0)?;
        let mut change = RmaOperation::new(RmaKind::Atomic, self.endpoint.nic.peer(about.pe), address, key);
        (change.local, change.bytes, change.datatype) = (operand, 8, FI_UINT64);
        change.change = if operation == SignalOperation::Set { FI_ATOMIC_WRITE } else { FI_SUM };
        change.descriptors[0] = self.descriptor(state, operand as usize, 8)?;
        change.flags = FI_INJECT | self.level(state, session::SessionOperation::PutSignal, about.pe);
        if is_fenced {
            change.flags |= FI_FENCE;
        }
        // SAFETY: the operand lies in a slot until the operation has ended.
        unsafe { self.begin(state, change, about, session::SessionOperation::PutSignal, false) }
    }

    /// For explicit handles: begins a transfer whose end, and nothing else, the waiter waits for.
    ///
    /// # Safety
    /// This process's memory and `awaited` stay valid until the end.
    pub unsafe fn begin_transfer(
        &self,
        is_put: bool,
        local: *mut u8,
        bytes: usize,
        remote: usize,
        awaited: &Awaited,
    ) -> Result<(), RemoteError> {
        let About { what, pe, .. } = awaited.about;
        let mut state = self.state();
        if bytes == 0 {
            return Ok(());
        }
        let (address, key) = self.network.remote(what, pe, remote, bytes)?;
        let flags = if is_put { self.level(&mut state, session::SessionOperation::Put, pe) } else { 0 };
        for at in (0..bytes).step_by(self.network.message_bytes) {
            let length = (bytes - at).min(self.network.message_bytes);
            let kind = if is_put { RmaKind::Write } else { RmaKind::Read };
            let mut operation = RmaOperation::new(kind, self.endpoint.nic.peer(pe), address + at as u64, key);
            (operation.local, operation.bytes, operation.flags) = (local.wrapping_add(at), length, flags);
            operation.descriptors[0] = self.descriptor(&mut state, operation.local as usize, length)?;
            // SAFETY: as the caller promises.
            unsafe { self.begin_awaited(&mut state, operation, awaited, at + length < bytes)? };
        }
        Ok(())
    }
}

impl RemoteContext {
    /// Writes this process's memory to a PE's. For a nonblocking put the source stays lent until a
    /// quiet; otherwise it may be reused on return.
    ///
    /// # Errors
    /// [`RemoteError`].
    ///
    /// # Safety
    /// The source has `bytes` bytes.
    pub unsafe fn put(
        &self,
        what: &'static str,
        dest: usize,
        source: *const u8,
        bytes: usize,
        pe: u32,
        is_nonblocking: bool,
    ) -> Result<(), RemoteError> {
        if bytes == 0 {
            return Ok(());
        }
        let awaited = Awaited::new(About { what, pe, address: dest as u64 });
        let transfer = Transfer { local: source.cast_mut(), bytes, remote: dest, pe };
        let kind = session::SessionOperation::Put;
        // SAFETY: as the caller promises; the wait below outlasts the awaited operations.
        let begun = unsafe { self.core.write(&mut self.core.state(), transfer, kind, is_nonblocking, &awaited, false) };
        begun.and(self.core.endpoint.wait_for(&awaited))
    }

    /// Reads a PE's memory into this process's.
    ///
    /// # Errors
    /// [`RemoteError`].
    ///
    /// # Safety
    /// The target has room for `bytes` bytes; for a nonblocking get until the next quiet.
    pub unsafe fn get(
        &self,
        what: &'static str,
        dest: *mut u8,
        source: usize,
        bytes: usize,
        pe: u32,
        is_nonblocking: bool,
    ) -> Result<(), RemoteError> {
        if bytes == 0 {
            return Ok(());
        }
        let awaited = Awaited::new(About { what, pe, address: source as u64 });
        let transfer = Transfer { local: dest, bytes, remote: source, pe };
        // SAFETY: as the caller promises; the wait below outlasts the awaited operations.
        let begun = unsafe { self.core.read(&mut self.core.state(), transfer, is_nonblocking, &awaited, false) };
        begun.and(self.core.endpoint.wait_for(&awaited))
    }

    /// Writes strided blocks, issued in bundles.
    ///
    /// # Errors
    /// [`RemoteError`].
    ///
    /// # Safety
    /// The blocks are readable.
    pub unsafe fn put_strided(
        &self,
        what: &'static str,
        dest: usize,
        source: *const u8,
        strides: Strides,
        pe: u32,
    ) -> Result<(), RemoteError> {
        let bytes = strides.block_bytes();
        if bytes == 0 || strides.count == 0 {
            return Ok(());
        }
        if strides.is_whole() {
            // SAFETY: as the caller promises.
            return unsafe { self.put(what, dest, source, bytes * strides.count, pe, false) };
        }
        let core = &*self.core;
        let mut state = core.state();
        for number in 0..strides.count {
            let [at, from] = strides.offsets(number);
            let remote = dest.wrapping_add_signed(at);
            let about = Awaited::new(About { what, pe, address: remote as u64 });
            let local = source.wrapping_offset(from).cast_mut();
            let transfer = Transfer { local, bytes, remote, pe };
            let more = self.more_follow(number, strides.count);
            // SAFETY: as the caller promises; writes that are not copied have ended when this
            // returns.
            unsafe { core.write(&mut state, transfer, session::SessionOperation::Put, true, &about, more)? };
        }
        let is_lent = bytes > core.network.thresholds.inject.min(core.network.thresholds.inject_heap);
        if is_lent {
            core.release(&mut state, false)?;
            drop(state);
            return core.endpoint.wait_for_all(what, false);
        }
        Ok(())
    }

    /// Reads strided blocks, issued in bundles.
    ///
    /// # Errors
    /// [`RemoteError`].
    ///
    /// # Safety
    /// The target has room for the blocks.
    pub unsafe fn get_strided(
        &self,
        what: &'static str,
        dest: *mut u8,
        source: usize,
        strides: Strides,
        pe: u32,
    ) -> Result<(), RemoteError> {
        let bytes = strides.block_bytes();
        if bytes == 0 || strides.count == 0 {
            return Ok(());
        }
        if strides.is_whole() {
            // SAFETY: as the caller promises.
            return unsafe { self.get(what, dest, source, bytes * strides.count, pe, false) };
        }
        let core = &*self.core;
        let awaited = Awaited::new(About { what, pe, address: source as u64 });
        let begin = || {
            let mut state = core.state();
            for number in 0..strides.count {
                let [into, at] = strides.offsets(number);
                let transfer =
                    Transfer { local: dest.wrapping_offset(into), bytes, remote: source.wrapping_add_signed(at), pe };
                let more = self.more_follow(number, strides.count);
                // SAFETY: as the caller promises; the wait below outlasts the awaited operations.
                unsafe { core.read(&mut state, transfer, false, &awaited, more)? };
            }
            Ok(())
        };
        begin().and(core.endpoint.wait_for(&awaited))
    }

    /// Whether another of `count` operations shares this one's doorbell.
    fn more_follow(&self, number: usize, count: usize) -> bool {
        let next = number + 1;
        next < count && !next.is_multiple_of(self.core.network.bundle as usize)
    }

    /// Writes memory, and then changes a signal of the same PE. A PE that sees the signal sees the
    /// bytes.
    ///
    /// # Errors
    /// [`RemoteError`].
    ///
    /// # Safety
    /// As [`put`](Self::put).
    pub unsafe fn put_signal(
        &self,
        what: &'static str,
        (dest, source, bytes): (usize, *const u8, usize),
        (sig_addr, signal, operation): (usize, u64, SignalOperation),
        pe: u32,
        is_nonblocking: bool,
    ) -> Result<(), RemoteError> {
        let core = &*self.core;
        let network = &*core.network;
        let of_signal = About { what, pe, address: sig_addr as u64 };
        if bytes == 0 {
            return core.signal(&mut core.state(), of_signal, (signal, operation), false);
        }
        let kind = session::SessionOperation::PutSignal;
        let awaited = Awaited::new(About { what, pe, address: dest as u64 });
        let transfer = Transfer { local: source.cast_mut(), bytes, remote: dest, pe };
        let is_ordered = bytes.min(network.message_bytes) <= network.ordered_bytes;
        if is_ordered || network.has_fence {
            let begin = || {
                let mut state = core.state();
                // SAFETY: as the caller promises; the wait below outlasts the awaited operations.
                unsafe { core.write(&mut state, transfer, kind, is_nonblocking, &awaited, true)? };
                core.signal(&mut state, of_signal, (signal, operation), !is_ordered)?;
                // A wait needs its operations to have been issued with a doorbell.
                if awaited.is_over() { Ok(()) } else { core.release(&mut state, false) }
            };
            return begin().and(core.endpoint.wait_for(&awaited));
        }
        // The NIC offers neither ordering nor fences, so this waits for the bytes. SAFETY: as the
        // caller promises; the call waits for the awaited operation immediately.
        let begun = unsafe { self.deliver(&awaited, transfer) };
        begun.and(core.endpoint.wait_for(&awaited))?;
        core.signal(&mut core.state(), of_signal, (signal, operation), false)
    }

    /// Begins a write that completes when it is in memory.
    ///
    /// # Safety
    /// The source and `awaited` stay valid until the end.
    unsafe fn deliver(&self, awaited: &Awaited, transfer: Transfer) -> Result<(), RemoteError> {
        let core = &*self.core;
        let Transfer { local, bytes, remote, pe } = transfer;
        let (address, key) = core.network.remote(awaited.about.what, pe, remote, bytes)?;
        let mut state = core.state();
        for at in (0..bytes).step_by(core.network.message_bytes) {
            let length = (bytes - at).min(core.network.message_bytes);
            let mut operation = RmaOperation::new(RmaKind::Write, core.endpoint.nic.peer(pe), address + at as u64, key);
            (operation.local, operation.bytes) = (local.wrapping_add(at), length);
            operation.flags = FI_DELIVERY_COMPLETE;
            operation.descriptors[0] = core.descriptor(&mut state, operation.local as usize, length)?;
            // SAFETY: as the caller promises.
            unsafe { core.begin_awaited(&mut state, operation, awaited, at + length < bytes)? };
        }
        Ok(())
    }
}
