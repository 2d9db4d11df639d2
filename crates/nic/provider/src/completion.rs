//! The results of operations.

use std::ffi::c_int;

use philae_fi_sys::*;
use philae_nic_core::nic::ReturnCode;

#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct OperationResult {
    pub context: u64,
    pub flags: u64,
    pub length: u64,
    pub buffer: u64,
    pub data: u64,
    pub tag: u64,
    /// The sender.
    pub source: fi_addr_t,
    /// The return code.
    pub code: ReturnCode,
    /// The error number, if the code has none of its own; 0: the code's.
    pub errno: c_int,
    /// Bytes that did not fit.
    pub lost: u64,
}

impl OperationResult {
    /// The error number; 0: success.
    pub fn errno(&self) -> c_int {
        if self.errno != 0 { self.errno } else { errno_of(self.code) }
    }

    /// Whether it has failed.
    pub fn is_error(&self) -> bool {
        self.errno() != 0
    }
}

/// The error number that programs get for a return code. Source: fi_errno(3), fi_cxi(7) as far as
/// it says. Status: published; assumed for the others.
pub(crate) const fn errno_of(code: ReturnCode) -> c_int {
    match code {
        ReturnCode::Ok => 0,
        ReturnCode::Undeliverable => libc::EHOSTUNREACH,
        ReturnCode::Disabled => libc::EAGAIN,
        ReturnCode::Truncated => FI_ETRUNC,
        ReturnCode::PermissionViolation => libc::EACCES,
        ReturnCode::NoMatch => FI_ENOKEY,
        ReturnCode::OutOfBounds => libc::EINVAL,
        ReturnCode::Unsupported => libc::EOPNOTSUPP,
        ReturnCode::Cancelled => libc::ECANCELED,
        ReturnCode::BadAddress => libc::EFAULT,
    }
}
