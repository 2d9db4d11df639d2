//! The vendor's extension of domains.

use std::ffi::{c_int, c_uint, c_void};
use std::sync::Arc;
use std::sync::atomic::Ordering;

use philae_fi_sys::*;
use philae_nic_core::nic::{PortalKind, UnexpectedMessage};

use crate::abi::{Errno, answer_done};
use crate::entry::objects::{DomainObject, EndpointObject};
use crate::open_domain::OpenDomain;

pub(super) static OPS: fi_cxi_dom_ops = fi_cxi_dom_ops {
    cntr_read,
    topology,
    enable_hybrid_mr_desc,
    ep_get_unexp_msgs,
    get_dwq_depth,
    enable_mr_match_events,
    enable_optimized_mrs,
};

/// The domain of a C handle.
///
/// # Errors
/// `EINVAL`: it is null, or another object.
///
/// # Safety
/// The handle is null or an object of libfabric.
pub(super) unsafe fn of<'a>(fid: *mut fid) -> Result<&'a Arc<OpenDomain>, Errno> {
    // SAFETY: as the caller promises.
    Ok(unsafe { &object::<DomainObject>(fid)?.domain })
}

/// Writes an answer if there is room for one.
unsafe fn put<T>(place: *mut T, value: T) {
    if !place.is_null() {
        // SAFETY: C passes room for it.
        unsafe { *place = value };
    }
}

/// A counter of the hardware by its number. The numbers are those of a header that is not public,
/// and another counter's value would be worse than no answer. Counts are available by name
/// (`philae_counts_1`).
unsafe extern "C" fn cntr_read(_: *mut fid, _: c_uint, _: *mut u64, _: *mut libc::timespec) -> c_int {
    -libc::EOPNOTSUPP
}

/// The NIC's location: its address has group, switch and port. Source: fi_cxi(7), dragonfly.
/// Status: published.
unsafe extern "C" fn topology(fid: *mut fid, group: *mut c_uint, switch: *mut c_uint, port: *mut c_uint) -> c_int {
    answer_done(|| {
        // SAFETY: C passes a domain.
        let domain = unsafe { of(fid)? };
        let address = domain.settings.nic_address(domain.device);
        // SAFETY: C passes room for the requested values.
        unsafe {
            put(group, address >> 11);
            put(switch, address >> 6 & 0x1f);
            put(port, address & 0x3f);
        }
        Ok(())
    })
}

/// Programs may pass descriptors of their own memory or not, whatever is set: sending needs no
/// registration.
unsafe extern "C" fn enable_hybrid_mr_desc(fid: *mut fid, _: bool) -> c_int {
    // SAFETY: C passes a domain.
    answer_done(|| unsafe { of(fid) }.map(|_| ()))
}

/// Messages that wait for a receive, those without tags first, each kind in the order of arrival.
unsafe extern "C" fn ep_get_unexp_msgs(
    ep: *mut fid_ep,
    entries: *mut fi_cq_tagged_entry,
    count: usize,
    sources: *mut fi_addr_t,
    waiting: *mut usize,
) -> usize {
    let list = || {
        if ep.is_null() || waiting.is_null() {
            return Err(libc::EINVAL);
        }
        // SAFETY: C passes an endpoint of ours.
        let endpoint = &unsafe { object::<EndpointObject>(ep.cast())? }.core;
        endpoint.progress();
        let mut found: Vec<(PortalKind, UnexpectedMessage)> = Vec::new();
        let mut entered = endpoint.enter()?;
        for kind in [PortalKind::Plain, PortalKind::Tagged] {
            endpoint.software.each(kind, |arrival| found.push((kind, *arrival)));
            entered.process.portal(kind).arrivals.each(|arrival| found.push((kind, *arrival)));
        }
        drop(entered);
        // SAFETY: C passes room for the number.
        unsafe { *waiting = found.len() };
        if entries.is_null() || sources.is_null() {
            return Ok(0);
        }
        found.truncate(count);
        for (index, (kind, arrival)) in found.iter().enumerate() {
            let is_tagged = *kind == PortalKind::Tagged;
            let kind = if is_tagged { FI_TAGGED } else { FI_MSG };
            let entry = fi_cq_tagged_entry {
                op_context: std::ptr::null_mut::<c_void>(),
                flags: FI_RECV | kind | arrival.flags & FI_REMOTE_CQ_DATA,
                len: arrival.length as usize,
                buf: std::ptr::null_mut(),
                data: arrival.data,
                tag: if is_tagged { arrival.bits } else { 0 },
            };
            // SAFETY: C passes room for `count` of each.
            unsafe {
                *entries.add(index) = entry;
                *sources.add(index) = endpoint.sender(arrival.source);
            }
        }
        Ok(found.len() as isize)
    };
    // An error is negative in an unsigned type, as in the vendor's interface.
    answer::<isize>(list).cast_unsigned()
}

/// The most operations that may wait for counters at a time.
unsafe extern "C" fn get_dwq_depth(fid: *mut fid, depth: *mut usize) -> c_int {
    answer_done(|| {
        // SAFETY: C passes a domain, and room for the answer.
        unsafe {
            of(fid)?;
            *depth.as_mut().ok_or(libc::EINVAL)? = crate::deferred::PLACES;
        }
        Ok(())
    })
}

unsafe extern "C" fn enable_mr_match_events(fid: *mut fid, enable: bool) -> c_int {
    // SAFETY: C passes a domain.
    answer_done(|| unsafe { of(fid) }.map(|domain| domain.options.match_events.store(enable, Ordering::Relaxed)))
}

unsafe extern "C" fn enable_optimized_mrs(fid: *mut fid, enable: bool) -> c_int {
    // SAFETY: C passes a domain.
    answer_done(|| unsafe { of(fid) }.map(|domain| domain.options.optimized.store(enable, Ordering::Relaxed)))
}
