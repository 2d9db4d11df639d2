//! Our extension of domains: which agent carries out atomic operations.
//!
//! In C: `struct { size_t size; int (*are_the_processors)(struct fid *domain, int
//! is_of_other_host); }`.

use std::ffi::c_int;

use philae_fi_sys::{answer, fid};

use super::domain::of;

#[repr(C)]
pub(super) struct AtomicOps {
    size: usize,
    /// 1: the processor carries out atomic operations from other hosts (or, with 0, from other
    /// processes of this host), on elements of up to 8 bytes at their natural alignment. Programs
    /// that share the memory may then use their own atomics next to them. 0: they are atomic only
    /// with each other.
    are_the_processors: unsafe extern "C" fn(fid: *mut fid, is_of_other_host: c_int) -> c_int,
}

pub(super) static OPS: AtomicOps = AtomicOps { size: size_of::<AtomicOps>(), are_the_processors };

/// The target's process carries out operations over the wire between hosts, on its own memory.
/// Within a host the initiator does it, with the target's lock and copies from process to process.
unsafe extern "C" fn are_the_processors(fid: *mut fid, is_of_other_host: c_int) -> c_int {
    answer(|| {
        // SAFETY: C passes a domain.
        let domain = unsafe { of(fid)? };
        Ok(c_int::from(is_of_other_host != 0 || !domain.settings.wires.has_shared_memory))
    })
}
