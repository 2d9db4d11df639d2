//! The fabric, from which domains are opened.

use std::ffi::{c_int, c_void};
use std::sync::Arc;

use philae_fi_sys::*;

use super::objects::{FabricObject, QueueObject};
use super::{domain, event_queue};
use crate::abi::{self, Errno};

static FID_OPS: fi_ops = fi_ops::of::<FabricObject>();
static OPS: fi_ops_fabric = fi_ops_fabric::of::<FabricObject>();

/// `fabric` of the provider.
pub(crate) unsafe extern "C" fn open(
    attr: *mut fi_fabric_attr,
    fabric: *mut *mut fid_fabric,
    context: *mut c_void,
) -> c_int {
    answer(|| {
        if attr.is_null() {
            return Err(libc::EINVAL);
        }
        let fid =
            fid_fabric { fid: abi::head::<FabricObject>(context, &FID_OPS), ops: abi::table(&OPS), api_version: 0 };
        abi::give_out(FabricObject { fid, users: Arc::default() }, fabric)
    })
}

impl ObjectCalls for FabricObject {
    fn may_close(&self) -> Result<(), Errno> {
        abi::check_unused(&self.users)
    }
}

impl FabricCalls for FabricObject {
    unsafe fn domain(
        &self,
        info: *mut fi_info,
        domain: *mut *mut fid_domain,
        context: *mut c_void,
    ) -> Result<c_int, Errno> {
        // SAFETY: as the manual says.
        unsafe { domain::open(self, info, domain, context) }
    }

    unsafe fn domain2(
        &self,
        info: *mut fi_info,
        domain: *mut *mut fid_domain,
        flags: u64,
        context: *mut c_void,
    ) -> Result<c_int, Errno> {
        if flags != 0 {
            return Err(FI_EBADFLAGS);
        }
        // SAFETY: as the manual says.
        unsafe { domain::open(self, info, domain, context) }
    }

    unsafe fn eq_open(
        &self,
        attr: *mut fi_eq_attr,
        eq: *mut *mut fid_eq,
        context: *mut c_void,
    ) -> Result<c_int, Errno> {
        // SAFETY: as the manual says.
        unsafe { event_queue::open(self, attr, eq, context) }
    }

    /// Whether the owner of these objects may sleep on their files.
    unsafe fn trywait(&self, fids: *mut *mut fid, count: c_int) -> Result<c_int, Errno> {
        let count = usize::try_from(count).map_err(|_| libc::EINVAL)?;
        // SAFETY: C passes this many libfabric objects.
        let fids = unsafe { abi::slice(fids, count) };
        for &fid in fids {
            // SAFETY: as above.
            if unsafe { (*fid).fclass } == FI_CLASS_CQ as usize {
                // SAFETY: it is a queue of ours.
                unsafe { object::<QueueObject>(fid)? }.queue.arm()?;
            }
        }
        Ok(0)
    }
}
