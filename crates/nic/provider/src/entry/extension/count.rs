//! Our extension of domains: counts of its endpoints, by name.
//!
//! In C: `struct { size_t size; int (*read)(struct fid *domain, const char *name, uint64_t *value);
//! int (*name)(struct fid *domain, size_t index, char *text, size_t length); }`.

use std::ffi::{c_char, c_int};

use philae_fi_sys::fid;

use super::domain::of;
use crate::abi::{Errno, answer_done, string};
use crate::open_domain::OpenDomain;

#[repr(C)]
pub(super) struct CountOps {
    size: usize,
    /// The count with this name, of all open endpoints of the domain; `-FI_ENOENT` if there is no
    /// such count.
    read: unsafe extern "C" fn(fid: *mut fid, name: *const c_char, value: *mut u64) -> c_int,
    /// The name of the count with this index, from 0 on; `-FI_ENOENT` after the last.
    name: unsafe extern "C" fn(fid: *mut fid, index: usize, text: *mut c_char, length: usize) -> c_int,
}

pub(super) static OPS: CountOps = CountOps { size: size_of::<CountOps>(), read, name };

/// The names and counts of all endpoints together.
fn counts(domain: &OpenDomain) -> Vec<(&'static str, u64)> {
    let mut all: Vec<(&'static str, u64)> = crate::traffic::EndpointTraffic::default().counts().to_vec();
    all.extend(philae_nic_core::transport::TransportCounters::default().list());
    for endpoint in domain.live_endpoints() {
        let wire = endpoint.with_remote(|remote| Ok(remote.counts().list())).unwrap_or_default();
        for (name, count) in endpoint.counts().into_iter().chain(wire) {
            if let Some((_, sum)) = all.iter_mut().find(|(known, _)| *known == name) {
                *sum += count;
            }
        }
    }
    all
}

unsafe extern "C" fn read(fid: *mut fid, name: *const c_char, value: *mut u64) -> c_int {
    answer_done(|| {
        // SAFETY: C passes a domain, a text that ends with a zero, and room for a number.
        let (domain, name, value) = unsafe { (of(fid)?, string(name), value.as_mut().ok_or(libc::EINVAL)?) };
        let counts = counts(domain);
        *value = counts.iter().find(|(known, _)| *known == name).ok_or(libc::ENOENT)?.1;
        Ok(())
    })
}

unsafe extern "C" fn name(fid: *mut fid, index: usize, text: *mut c_char, length: usize) -> c_int {
    answer_done(|| {
        // SAFETY: C passes a domain.
        let counts = counts(unsafe { of(fid)? });
        let name = counts.get(index).ok_or(libc::ENOENT)?.0;
        if text.is_null() || length <= name.len() {
            return Err::<(), Errno>(philae_fi_sys::FI_ETOOSMALL);
        }
        // SAFETY: C passes room for this many bytes.
        unsafe {
            std::ptr::copy_nonoverlapping(name.as_ptr().cast(), text, name.len());
            *text.add(name.len()) = 0;
        }
        Ok(())
    })
}
