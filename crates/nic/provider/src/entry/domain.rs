//! Domains, as C opens them: `fi_domain(3)`.

use std::ffi::{CStr, c_int, c_uint, c_void};
use std::sync::Arc;
use std::sync::atomic::Ordering;

use philae_fi_sys::*;

use super::class::is_for_bus;
use super::key::vni_of;
use super::objects::{self, DomainObject};
use super::{address_vector, completion_queue, counter, deferred, endpoint, region};
use crate::abi::{self, answer_done};
use crate::address::device_of;
use crate::domain::FiDomain;
use crate::open_domain::OpenDomain;
use crate::operation::{AtomicForm, atomic};
use crate::settings::ProviderSettings;

static FID_OPS: fi_ops = fi_ops {
    close: Some(close),
    bind: Some(bind),
    control: Some(control),
    ops_open: Some(super::extension::open),
    ..fi_ops::DECLINED
};
static OPS: fi_ops_domain = fi_ops_domain {
    av_open: Some(address_vector::open),
    cq_open: Some(completion_queue::open),
    endpoint: Some(endpoint::open),
    scalable_ep: Some(no_scalable),
    cntr_open: Some(counter::open),
    poll_open: Some(no_poll),
    stx_ctx: Some(no_transmit_context),
    srx_ctx: Some(no_receive_context),
    query_atomic: Some(query_atomic),
    endpoint2: Some(endpoint::open2),
    ..fi_ops_domain::DECLINED
};
static MEMORY_OPS: fi_ops_mr = fi_ops_mr {
    reg: Some(region::register),
    regv: Some(region::register_vector),
    regattr: Some(region::register_attributes),
    ..fi_ops_mr::DECLINED
};

/// `fi_domain`.
pub(crate) unsafe extern "C" fn open(
    fabric: *mut fid_fabric,
    info: *mut fi_info,
    domain: *mut *mut fid_domain,
    context: *mut c_void,
) -> c_int {
    answer_done(|| {
        let settings = ProviderSettings::of_environment().map_err(|_| libc::EINVAL)?;
        // SAFETY: C passes a fabric of ours, and an info that came from this provider.
        let (fabric, info) = unsafe { (objects::fabric(fabric), info.as_ref().ok_or(libc::EINVAL)?) };
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
            fid: abi::head(FI_CLASS_DOMAIN, context, &FID_OPS),
            ops: abi::table(&OPS),
            mr: abi::table(&MEMORY_OPS),
        };
        let fabric_users = Arc::clone(&fabric.users);
        abi::give_out(DomainObject { fid, domain: opened, fabric_users }, domain)
    })
}

/// `fi_domain2`.
pub(crate) unsafe extern "C" fn open2(
    fabric: *mut fid_fabric,
    info: *mut fi_info,
    domain: *mut *mut fid_domain,
    flags: u64,
    context: *mut c_void,
) -> c_int {
    if flags != 0 {
        return -FI_EBADFLAGS;
    }
    // SAFETY: as for `open`.
    unsafe { open(fabric, info, domain, context) }
}

unsafe extern "C" fn close(fid: *mut fid) -> c_int {
    answer_done(|| {
        // SAFETY: C closes an object that it was given.
        let object: &DomainObject = unsafe { abi::object(fid) };
        let domain = &object.domain;
        if domain.users.load(Ordering::Relaxed) > 0 {
            return Err(libc::EBUSY);
        }
        crate::report::telemetry(domain);
        object.fabric_users.fetch_sub(1, Ordering::Relaxed);
        // SAFETY: it is not in use.
        drop(unsafe { abi::reclaim::<DomainObject, _>(fid) });
        Ok(())
    })
}

unsafe extern "C" fn bind(_: *mut fid, other: *mut fid, _: u64) -> c_int {
    answer_done(|| {
        // SAFETY: C passes a libfabric object.
        let class = unsafe { (*other).fclass };
        if class == FI_CLASS_EQ as usize { Ok(()) } else { Err(libc::EINVAL) }
    })
}

unsafe extern "C" fn control(fid: *mut fid, command: c_int, arg: *mut c_void) -> c_int {
    answer_done(|| {
        // SAFETY: C passes a domain of ours.
        let domain = unsafe { objects::domain(fid) };
        match command as u32 {
            // SAFETY: for these commands the argument is an option with a value of its type.
            command @ (FI_SET_VAL | FI_GET_VAL) => unsafe {
                super::extension::of_domain(&domain.options, command, arg.cast())
            },
            // SAFETY: for the others it is deferred work.
            command => unsafe { deferred::control(&domain.deferred, command, arg.cast()) },
        }
    })
}

unsafe extern "C" fn no_scalable(_: *mut fid_domain, _: *mut fi_info, _: *mut *mut fid_ep, _: *mut c_void) -> c_int {
    -libc::ENOSYS
}

unsafe extern "C" fn no_poll(_: *mut fid_domain, _: *mut fi_poll_attr, _: *mut *mut fid_poll) -> c_int {
    -libc::ENOSYS
}

unsafe extern "C" fn no_transmit_context(
    _: *mut fid_domain,
    _: *mut fi_tx_attr,
    _: *mut *mut fid_stx,
    _: *mut c_void,
) -> c_int {
    -libc::ENOSYS
}

unsafe extern "C" fn no_receive_context(
    _: *mut fid_domain,
    _: *mut fi_rx_attr,
    _: *mut *mut fid_ep,
    _: *mut c_void,
) -> c_int {
    -libc::ENOSYS
}

/// `fi_query_atomic`.
unsafe extern "C" fn query_atomic(
    domain: *mut fid_domain,
    of_type: c_uint,
    operation: c_uint,
    attr: *mut fi_atomic_attr,
    flags: u64,
) -> c_int {
    answer_done(|| {
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
            // SAFETY: C passes a domain of ours.
            is_for_bus(unsafe { objects::domain(domain) }, form, operation, of_type, count)?;
        }
        // SAFETY: C passes room for the answer.
        let attr = unsafe { attr.as_mut() }.ok_or(libc::EINVAL)?;
        (attr.count, attr.size) = (count, of_type.bytes());
        Ok(())
    })
}
