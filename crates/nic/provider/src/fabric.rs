//! The fabric, from which domains are opened.

use std::ffi::{c_int, c_void};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use philae_fi_sys::*;

use crate::abi::{self, answer_done};
use crate::{domain, event_queue, wait};

/// The object.
#[repr(C)]
pub(crate) struct FiFabric {
    fid: fid_fabric,
    /// The number of open domains and queues.
    pub users: Arc<AtomicUsize>,
}

static FID_OPS: fi_ops = fi_ops { close: Some(close), ..fi_ops::DECLINED };
static OPS: fi_ops_fabric = fi_ops_fabric {
    domain: Some(domain::open),
    passive_ep: Some(passive),
    eq_open: Some(event_queue::open),
    wait_open: Some(wait_open),
    trywait: Some(wait::trywait),
    domain2: Some(domain::open2),
    ..fi_ops_fabric::DECLINED
};

/// `fabric` of the provider.
pub(crate) unsafe extern "C" fn open(
    attr: *mut fi_fabric_attr,
    fabric: *mut *mut fid_fabric,
    context: *mut c_void,
) -> c_int {
    answer_done(|| {
        if attr.is_null() {
            return Err(libc::EINVAL);
        }
        let fid =
            fid_fabric { fid: abi::head(FI_CLASS_FABRIC, context, &FID_OPS), ops: abi::table(&OPS), api_version: 0 };
        abi::give_out(FiFabric { fid, users: Arc::default() }, fabric)
    })
}

/// The Rust object of a C handle.
///
/// # Safety
/// The handle is one of ours.
pub(crate) unsafe fn of<'a>(fabric: *mut fid_fabric) -> &'a FiFabric {
    // SAFETY: as the caller promises.
    unsafe { abi::object(fabric) }
}

unsafe extern "C" fn close(fid: *mut fid) -> c_int {
    answer_done(|| {
        // SAFETY: C closes an object that it was given.
        if unsafe { of(fid.cast()) }.users.load(Ordering::Relaxed) > 0 {
            return Err(libc::EBUSY);
        }
        // SAFETY: it is not in use.
        drop(unsafe { abi::reclaim::<FiFabric, _>(fid) });
        Ok(())
    })
}

unsafe extern "C" fn passive(_: *mut fid_fabric, _: *mut fi_info, _: *mut *mut fid_pep, _: *mut c_void) -> c_int {
    -libc::ENOSYS
}

unsafe extern "C" fn wait_open(_: *mut fid_fabric, _: *mut fi_wait_attr, _: *mut *mut fid_wait) -> c_int {
    -libc::ENOSYS
}
