//! One operation, in the terms of libfabric's functions.

use std::ffi::{c_int, c_uint, c_void};
use std::ptr::null_mut;

use philae_fi_sys::*;

/// The kind of operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RmaKind {
    Write,
    Read,
    /// Changes a remote number.
    Atomic,
    /// Also returns the old value.
    Fetch,
    /// Changes it if it equals a comparand, and returns the old value.
    Compare,
}

impl RmaKind {
    /// Whether its completion counts among those of reads.
    pub const fn is_read(self) -> bool {
        matches!(self, Self::Read | Self::Fetch | Self::Compare)
    }
}

/// One operation.
#[derive(Clone, Copy)]
pub(super) struct RmaOperation {
    pub kind: RmaKind,
    /// The source, the read's target, or the operand.
    pub local: *mut u8,
    /// Its length; for atomic operations the size of one number.
    pub bytes: usize,
    pub compare: *const u8,
    pub result: *mut u8,
    /// The NIC's descriptors of these three, if it needs them.
    pub descriptors: [*mut c_void; 3],
    to: fi_addr_t,
    address: u64,
    key: u64,
    /// For atomic operations: `FI_UINT32`, `FI_SUM` and so on.
    pub datatype: c_uint,
    pub change: c_uint,
    pub flags: u64,
    pub context: *mut c_void,
}

/// The result if a provider lacks a table or a function.
const NO_FUNCTION: isize = -(libc::ENOSYS as isize);

impl RmaOperation {
    /// An operation without local memory and without flags.
    pub const fn new(kind: RmaKind, to: fi_addr_t, address: u64, key: u64) -> Self {
        Self {
            kind,
            local: null_mut(),
            bytes: 0,
            compare: std::ptr::null(),
            result: null_mut(),
            descriptors: [null_mut(); 3],
            to,
            address,
            key,
            datatype: FI_VOID,
            change: FI_NOOP,
            flags: 0,
            context: null_mut(),
        }
    }

    /// Issues it on an endpoint with additional flags; returns the provider's answer.
    ///
    /// # Safety
    /// The endpoint exists. Lent memory stays valid until the operation has ended; with `FI_INJECT`
    /// only until this returns, except for results.
    pub unsafe fn issue(&self, endpoint: *mut fid_ep, more: u64) -> isize {
        // SAFETY: as the caller promises; descriptions live until the call returns.
        unsafe {
            match self.kind {
                RmaKind::Write | RmaKind::Read => self.issue_access(endpoint, self.flags | more),
                _ => self.issue_atomic(endpoint, self.flags | more),
            }
        }
    }

    /// # Safety
    /// As [`issue`](Self::issue).
    unsafe fn issue_access(&self, endpoint: *mut fid_ep, flags: u64) -> isize {
        let local = libc::iovec { iov_base: self.local.cast(), iov_len: self.bytes };
        let remote = fi_rma_iov { addr: self.address, len: self.bytes, key: self.key };
        let mut descriptors = self.descriptors;
        let message = fi_msg_rma {
            msg_iov: &raw const local,
            desc: descriptors.as_mut_ptr(),
            iov_count: 1,
            addr: self.to,
            rma_iov: &raw const remote,
            rma_iov_count: 1,
            context: self.context,
            data: 0,
        };
        // SAFETY: as the caller promises.
        unsafe {
            let Some(table) = (*endpoint).rma.as_ref() else { return NO_FUNCTION };
            let call = if self.kind == RmaKind::Write { table.writemsg } else { table.readmsg };
            call.map_or(NO_FUNCTION, |call| call(endpoint, &raw const message, flags))
        }
    }

    /// # Safety
    /// As [`issue`](Self::issue).
    unsafe fn issue_atomic(&self, endpoint: *mut fid_ep, flags: u64) -> isize {
        let local = fi_ioc { addr: self.local.cast(), count: 1 };
        let compare = fi_ioc { addr: self.compare.cast_mut().cast(), count: 1 };
        let mut result = fi_ioc { addr: self.result.cast(), count: 1 };
        let remote = fi_rma_ioc { addr: self.address, count: 1, key: self.key };
        let [mut of_local, mut of_compare, mut of_result] = self.descriptors;
        let message = fi_msg_atomic {
            msg_iov: &raw const local,
            desc: &raw mut of_local,
            iov_count: 1,
            addr: self.to,
            rma_iov: &raw const remote,
            rma_iov_count: 1,
            datatype: self.datatype,
            op: self.change,
            context: self.context,
            data: 0,
        };
        let message = &raw const message;
        // SAFETY: as the caller promises.
        unsafe {
            let Some(table) = (*endpoint).atomic.as_ref() else { return NO_FUNCTION };
            match self.kind {
                RmaKind::Atomic => table.writemsg.map_or(NO_FUNCTION, |call| call(endpoint, message, flags)),
                RmaKind::Fetch => table
                    .readwritemsg
                    .map_or(NO_FUNCTION, |call| call(endpoint, message, &raw mut result, &raw mut of_result, 1, flags)),
                _ => table.compwritemsg.map_or(NO_FUNCTION, |call| {
                    let (compare, of_compare) = (&raw const compare, &raw mut of_compare);
                    call(endpoint, message, compare, of_compare, 1, &raw mut result, &raw mut of_result, 1, flags)
                }),
            }
        }
    }
}

/// Whether an endpoint has an atomic operation in the required form.
///
/// # Safety
/// The endpoint exists.
pub(super) unsafe fn has_atomic(endpoint: *mut fid_ep, kind: RmaKind, datatype: c_uint, change: c_uint) -> bool {
    let mut count = 0;
    // SAFETY: as the caller promises, and there is room for the answer.
    let code: c_int = unsafe {
        let Some(table) = (*endpoint).atomic.as_ref() else { return false };
        let valid = match kind {
            RmaKind::Atomic => table.writevalid,
            RmaKind::Fetch => table.readwritevalid,
            _ => table.compwritevalid,
        };
        valid.map_or(-libc::ENOSYS, |valid| valid(endpoint, datatype, change, &raw mut count))
    };
    code == 0 && count > 0
}
