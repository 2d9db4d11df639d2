//! Our extension of domains: whose the atomic operations are.
//!
//! In C: `struct { size_t size; int (*are_the_processors)(struct fid *domain, int is_of_other_host); }`.

use std::ffi::c_int;

use philae_fi_sys::fid;

use super::domain::of;
use crate::abi::answer_int;

#[repr(C)]
pub(super) struct Ops {
    size: usize,
    /// 1: atomic operations that other hosts (or, with 0, other processes of this host) begin here are the processor's own
    /// on elements of up to 8 bytes at their natural alignment, so that programs that share the memory may use theirs beside
    /// them; 0: they are atomic among themselves alone.
    are_the_processors: unsafe extern "C" fn(fid: *mut fid, is_of_other_host: c_int) -> c_int,
}

pub(super) static OPS: Ops = Ops { size: size_of::<Ops>(), are_the_processors };

/// What comes over the wire between hosts is carried out by the target's process, on its own memory. Within a host the
/// initiator does it, with the target's lock and copies from process to process.
unsafe extern "C" fn are_the_processors(fid: *mut fid, is_of_other_host: c_int) -> c_int {
    answer_int(|| {
        // SAFETY: C gives a domain.
        let domain = unsafe { of(fid)? };
        Ok(c_int::from(is_of_other_host != 0 || !domain.settings.has_shared_memory))
    })
}
