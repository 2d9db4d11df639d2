//! Domains, as C opens them: `fi_domain(3)`.

use std::ffi::{CStr, c_int, c_uint, c_void};
use std::sync::Arc;
use std::sync::atomic::Ordering;

use philae_fi_sys::*;

use super::class::is_for_bus;
use super::key::vni_of;
use super::objects::{DomainObject, FabricObject};
use super::{address_vector, completion_queue, counter, deferred, endpoint, extension};
use crate::abi::{self, Errno};
use crate::address::device_of;
use crate::domain::FiDomain;
use crate::open_domain::OpenDomain;
use crate::operation::{AtomicForm, atomic};
use crate::settings::ProviderSettings;

static FID_OPS: fi_ops = fi_ops::of::<DomainObject>();
static OPS: fi_ops_domain = fi_ops_domain::of::<DomainObject>();
static MEMORY_OPS: fi_ops_mr = fi_ops_mr::of::<DomainObject>();

/// `fi_domain`.
///
/// # Safety
/// The info came from this provider; there is room for the domain's address.
pub(super) unsafe fn open(
    fabric: &FabricObject,
    info: *mut fi_info,
    domain: *mut *mut fid_domain,
    context: *mut c_void,
) -> Result<c_int, Errno> {
    let settings = ProviderSettings::of_environment().map_err(|_| libc::EINVAL)?;
    // SAFETY: as the caller promises.
    let info = unsafe { info.as_ref() }.ok_or(libc::EINVAL)?;
    // SAFETY: as above; its parts are valid or null.
    let attr = unsafe { info.domain_attr.as_ref() }.ok_or(libc::EINVAL)?;
    if attr.name.is_null() {
        return Err(libc::EINVAL);
    }
    // SAFETY: the name ends with a zero.
    let name = unsafe { CStr::from_ptr(attr.name) }.to_str().map_err(|_| libc::EINVAL)?;
    let device = device_of(name).filter(|device| settings.nics.devices.contains(device)).ok_or(libc::ENODEV)?;
    // SAFETY: a key is as long as it says.
    let vni = unsafe { vni_of(attr.auth_key, attr.auth_key_size, settings)? }.unwrap_or(settings.vnis[0]);
    fabric.users.fetch_add(1, Ordering::Relaxed);
    let form = settings.address_form(info.addr_format);
    let opened = Arc::new(OpenDomain::new(FiDomain::new(device, vni, form, attr.mr_mode, settings)));
    let fid = fid_domain {
        fid: abi::head::<DomainObject>(context, &FID_OPS),
        ops: abi::table(&OPS),
        mr: abi::table(&MEMORY_OPS),
    };
    let fabric_users = Arc::clone(&fabric.users);
    abi::give_out(DomainObject { fid, domain: opened, fabric_users }, domain)
}

impl ObjectCalls for DomainObject {
    fn may_close(&self) -> Result<(), Errno> {
        abi::check_unused(&self.domain.users)
    }

    fn close(self: Box<Self>) {
        crate::report::telemetry(&self.domain);
        self.fabric_users.fetch_sub(1, Ordering::Relaxed);
    }

    unsafe fn bind(&self, other: *mut fid, _: u64) -> Result<(), Errno> {
        // SAFETY: C passes a libfabric object.
        unsafe { abi::is_event_queue(other) }
    }

    unsafe fn control(&self, command: u32, arg: *mut c_void) -> Result<(), Errno> {
        match command {
            // SAFETY: for these commands the argument is an option with a value of its type.
            FI_SET_VAL | FI_GET_VAL => unsafe { extension::of_domain(&self.domain.options, command, arg.cast()) },
            // SAFETY: for the others it is deferred work.
            _ => unsafe { deferred::control(&self.domain.deferred, command, arg.cast()) },
        }
    }

    fn extension(name: &str) -> Result<*const c_void, Errno> {
        extension::of_domains(name)
    }
}

impl DomainCalls for DomainObject {
    unsafe fn av_open(
        &self,
        attr: *mut fi_av_attr,
        av: *mut *mut fid_av,
        context: *mut c_void,
    ) -> Result<c_int, Errno> {
        // SAFETY: as the manual says.
        unsafe { address_vector::open(&self.domain, attr, av, context) }
    }

    unsafe fn cq_open(
        &self,
        attr: *mut fi_cq_attr,
        cq: *mut *mut fid_cq,
        context: *mut c_void,
    ) -> Result<c_int, Errno> {
        // SAFETY: as the manual says.
        unsafe { completion_queue::open(&self.domain, attr, cq, context) }
    }

    unsafe fn cntr_open(
        &self,
        attr: *mut fi_cntr_attr,
        cntr: *mut *mut fid_cntr,
        context: *mut c_void,
    ) -> Result<c_int, Errno> {
        // SAFETY: as the manual says.
        unsafe { counter::open(&self.domain, attr, cntr, context) }
    }

    unsafe fn endpoint(&self, info: *mut fi_info, ep: *mut *mut fid_ep, context: *mut c_void) -> Result<c_int, Errno> {
        // SAFETY: as the manual says.
        unsafe { endpoint::open(&self.domain, info, ep, context) }
    }

    unsafe fn endpoint2(
        &self,
        info: *mut fi_info,
        ep: *mut *mut fid_ep,
        flags: u64,
        context: *mut c_void,
    ) -> Result<c_int, Errno> {
        if flags != 0 {
            return Err(FI_EBADFLAGS);
        }
        // SAFETY: as the manual says.
        unsafe { self.endpoint(info, ep, context) }
    }

    unsafe fn query_atomic(
        &self,
        of_type: c_uint,
        operation: c_uint,
        attr: *mut fi_atomic_attr,
        flags: u64,
    ) -> Result<c_int, Errno> {
        let form = match flags & !(FI_TAGGED | FI_CXI_PCIE_AMO) {
            0 => AtomicForm::Plain,
            FI_FETCH_ATOMIC => AtomicForm::Fetching,
            FI_COMPARE_ATOMIC => AtomicForm::Comparing,
            _ => return Err(FI_EBADFLAGS),
        };
        if flags & FI_TAGGED != 0 {
            return Err(libc::EOPNOTSUPP);
        }
        let (operation, of_type, mut count) = atomic(form, of_type, operation)?;
        if flags & FI_CXI_PCIE_AMO != 0 {
            count = 1;
            is_for_bus(&self.domain, form, operation, of_type, count)?;
        }
        // SAFETY: C passes room for the answer.
        let attr = unsafe { attr.as_mut() }.ok_or(libc::EINVAL)?;
        (attr.count, attr.size) = (count, of_type.bytes());
        Ok(0)
    }
}
