//! The fabric, from which domains are opened.

use std::ffi::{c_int, c_void};
use std::sync::Arc;
use std::sync::atomic::Ordering;

use philae_fi_sys::*;

use super::objects::{self, FabricObject};
use super::{domain, event_queue};
use crate::abi::{self, answer_done};

static FID_OPS: fi_ops = fi_ops { close: Some(close), ..fi_ops::DECLINED };
static OPS: fi_ops_fabric = fi_ops_fabric {
    domain: Some(domain::open),
    passive_ep: Some(passive),
    eq_open: Some(event_queue::open),
    wait_open: Some(wait_open),
    trywait: Some(trywait),
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
        abi::give_out(FabricObject { fid, users: Arc::default() }, fabric)
    })
}

unsafe extern "C" fn close(fid: *mut fid) -> c_int {
    answer_done(|| {
        // SAFETY: C closes an object that it was given.
        if unsafe { objects::fabric(fid) }.users.load(Ordering::Relaxed) > 0 {
            return Err(libc::EBUSY);
        }
        // SAFETY: it is not in use.
        drop(unsafe { abi::reclaim::<FabricObject, _>(fid) });
        Ok(())
    })
}

unsafe extern "C" fn passive(_: *mut fid_fabric, _: *mut fi_info, _: *mut *mut fid_pep, _: *mut c_void) -> c_int {
    -libc::ENOSYS
}

unsafe extern "C" fn wait_open(_: *mut fid_fabric, _: *mut fi_wait_attr, _: *mut *mut fid_wait) -> c_int {
    -libc::ENOSYS
}

/// `fi_trywait`: whether the owner of these objects may sleep on their files.
unsafe extern "C" fn trywait(_: *mut fid_fabric, fids: *mut *mut fid, count: c_int) -> c_int {
    answer_done(|| {
        let count = usize::try_from(count).map_err(|_| libc::EINVAL)?;
        // SAFETY: C passes this many libfabric objects.
        let fids = unsafe { abi::slice(fids, count) };
        for &fid in fids {
            // SAFETY: as above.
            if unsafe { (*fid).fclass } == FI_CLASS_CQ as usize {
                // SAFETY: it is a queue of ours.
                unsafe { objects::queue(fid) }.queue.arm()?;
            }
        }
        Ok(())
    })
}
