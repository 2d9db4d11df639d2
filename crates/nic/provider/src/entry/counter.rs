//! Counters, as C reads and changes them: `fi_cntr(3)`.

use std::ffi::{c_int, c_void};
use std::sync::Arc;
use std::sync::atomic::Ordering;

use philae_fi_sys::*;
use philae_nic_core::nic::{FAILURE_MAX, SUCCESS_MAX};

use super::deferred::begin_due;
use super::objects::{self, CounterObject, counter as of};
use crate::abi::{self, answer_done};
use crate::counter::FiCounter;
use crate::wait::Waiter;

static FID_OPS: fi_ops =
    fi_ops { close: Some(close), control: Some(control), ops_open: Some(super::extension::open), ..fi_ops::DECLINED };
static OPS: fi_ops_cntr = fi_ops_cntr {
    read: Some(read),
    readerr: Some(read_errors),
    add: Some(add),
    set: Some(set),
    wait: Some(wait),
    adderr: Some(add_errors),
    seterr: Some(set_errors),
    ..fi_ops_cntr::DECLINED
};

/// `fi_cntr_open`.
pub(crate) unsafe extern "C" fn open(
    domain: *mut fid_domain,
    attr: *mut fi_cntr_attr,
    cntr: *mut *mut fid_cntr,
    context: *mut c_void,
) -> c_int {
    answer_done(|| {
        // SAFETY: C passes a domain of ours, and attributes or null.
        let (domain, attr) = unsafe { (objects::domain(domain), attr.as_ref()) };
        if let Some(attr) = attr {
            let known = matches!(attr.wait_obj, FI_WAIT_NONE | FI_WAIT_UNSPEC | FI_WAIT_YIELD);
            if attr.events != FI_CNTR_EVENTS_COMP || !known || attr.flags != 0 {
                return Err(libc::ENOSYS);
            }
        }
        domain.users.fetch_add(1, Ordering::Relaxed);
        let fid = fid_cntr { fid: abi::head(FI_CLASS_CNTR, context, &FID_OPS), ops: abi::table(&OPS) };
        abi::give_out(CounterObject { fid, counter: Arc::default(), domain: Arc::clone(domain) }, cntr)
    })
}

impl CounterObject {
    /// Lets everything that may count make progress.
    fn progress(&self) {
        self.counter.progress();
        begin_due(&self.domain.deferred);
    }

    /// The program has changed the counter: deferred work may be due.
    fn changed(&self) {
        begin_due(&self.domain.deferred);
    }
}

unsafe extern "C" fn close(fid: *mut fid) -> c_int {
    answer_done(|| {
        // SAFETY: C closes an object that it was given.
        let object = unsafe { of(fid) };
        if object.counter.users.load(Ordering::Relaxed) > 0 {
            return Err(libc::EBUSY);
        }
        object.domain.users.fetch_sub(1, Ordering::Relaxed);
        // Endpoints and regions may keep the counter for longer, but the memory belongs to the
        // program again.
        object.counter.hide();
        // SAFETY: it is not in use.
        drop(unsafe { abi::reclaim::<CounterObject, _>(fid) });
        Ok(())
    })
}

unsafe extern "C" fn control(_: *mut fid, _: c_int, _: *mut c_void) -> c_int {
    -libc::ENOSYS
}

unsafe extern "C" fn read(cntr: *mut fid_cntr) -> u64 {
    let value = || {
        // SAFETY: C passes a counter of ours.
        let object = unsafe { of(cntr) };
        object.progress();
        Ok(object.counter.successes())
    };
    abi::guarded(value).unwrap_or(0)
}

unsafe extern "C" fn read_errors(cntr: *mut fid_cntr) -> u64 {
    let value = || {
        // SAFETY: C passes a counter of ours.
        let object = unsafe { of(cntr) };
        object.progress();
        Ok(object.counter.failures())
    };
    abi::guarded(value).unwrap_or(0)
}

/// Changes a counter, and begins deferred work that waits for that.
unsafe fn change(cntr: *mut fid_cntr, value: u64, most: u64, change: impl FnOnce(&FiCounter)) -> c_int {
    answer_done(|| {
        if value > most {
            return Err(libc::EINVAL);
        }
        // SAFETY: C passes a counter of ours.
        let object = unsafe { of(cntr) };
        change(&object.counter);
        object.counter.show_all();
        object.changed();
        Ok(())
    })
}

unsafe extern "C" fn add(cntr: *mut fid_cntr, value: u64) -> c_int {
    // SAFETY: C passes a counter of ours.
    unsafe { change(cntr, value, SUCCESS_MAX, |counter| counter.add(value)) }
}

unsafe extern "C" fn set(cntr: *mut fid_cntr, value: u64) -> c_int {
    // SAFETY: as above.
    unsafe { change(cntr, value, SUCCESS_MAX, |counter| counter.set(value)) }
}

unsafe extern "C" fn add_errors(cntr: *mut fid_cntr, value: u64) -> c_int {
    // SAFETY: as above.
    unsafe { change(cntr, value, FAILURE_MAX, |counter| counter.add_failures(value)) }
}

unsafe extern "C" fn set_errors(cntr: *mut fid_cntr, value: u64) -> c_int {
    // SAFETY: as above.
    unsafe { change(cntr, value, FAILURE_MAX, |counter| counter.set_failures(value)) }
}

unsafe extern "C" fn wait(cntr: *mut fid_cntr, threshold: u64, timeout: c_int) -> c_int {
    answer_done(|| {
        // SAFETY: C passes a counter of ours.
        let object = unsafe { of(cntr) };
        let call = crate::trace::enter();
        let failures = object.counter.failures();
        let settings = object.domain.settings;
        // First this many polls, if a number is set; then as a waiter whose polling time is over.
        let mut looks = settings.waiting.counter_polls.unwrap_or(0);
        let spin_ns = if settings.waiting.counter_polls.is_some() { 0 } else { settings.waiting.spin_ns };
        let mut waiter = Waiter::new(timeout, spin_ns);
        loop {
            object.progress();
            if object.counter.successes() >= threshold {
                call.waited();
                return Ok(());
            }
            if object.counter.failures() != failures {
                return Err(FI_EAVAIL);
            }
            if looks > 0 && timeout != 0 {
                looks -= 1;
                if looks.is_multiple_of(64) && waiter.is_over() {
                    return Err(libc::ETIMEDOUT);
                }
                std::hint::spin_loop();
                continue;
            }
            let port = object.counter.pollable();
            waiter.pause_among(port.as_deref().as_slice()).map_err(|_| libc::ETIMEDOUT)?;
        }
    })
}
