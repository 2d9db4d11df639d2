//! Counters, as C reads and changes them: `fi_cntr(3)`.

use std::ffi::{c_int, c_void};
use std::sync::Arc;
use std::sync::atomic::Ordering;

use philae_fi_sys::*;
use philae_nic_core::nic::{FAILURE_MAX, SUCCESS_MAX};

use super::deferred::begin_due;
use super::extension;
use super::objects::CounterObject;
use crate::abi::{self, Errno};
use crate::counter::FiCounter;
use crate::open_domain::OpenDomain;
use crate::simulated::rank::{self, FoundReceives, Pause};
use crate::wait::Waiter;

static FID_OPS: fi_ops = fi_ops::of::<CounterObject>();
static OPS: fi_ops_cntr = fi_ops_cntr::of::<CounterObject>();

/// `fi_cntr_open`.
///
/// # Safety
/// The attributes are valid or null; there is room for the counter's address.
pub(super) unsafe fn open(
    domain: &Arc<OpenDomain>,
    attr: *mut fi_cntr_attr,
    cntr: *mut *mut fid_cntr,
    context: *mut c_void,
) -> Result<c_int, Errno> {
    // SAFETY: as the caller promises.
    let attr = unsafe { attr.as_ref() };
    if let Some(attr) = attr {
        let known = matches!(attr.wait_obj, FI_WAIT_NONE | FI_WAIT_UNSPEC | FI_WAIT_YIELD);
        if attr.events != FI_CNTR_EVENTS_COMP || !known || attr.flags != 0 {
            return Err(libc::ENOSYS);
        }
    }
    domain.users.fetch_add(1, Ordering::Relaxed);
    let fid = fid_cntr { fid: abi::head::<CounterObject>(context, &FID_OPS), ops: abi::table(&OPS) };
    abi::give_out(CounterObject { fid, counter: Arc::default(), domain: Arc::clone(domain) }, cntr)
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

    /// Changes the counter, and begins deferred work that waits for that.
    fn change(&self, value: u64, most: u64, change: impl FnOnce(&FiCounter)) -> Result<c_int, Errno> {
        if value > most {
            return Err(libc::EINVAL);
        }
        change(&self.counter);
        self.counter.show_all();
        self.changed();
        Ok(0)
    }
}

impl ObjectCalls for CounterObject {
    fn may_close(&self) -> Result<(), Errno> {
        abi::check_unused(&self.counter.users)
    }

    fn close(self: Box<Self>) {
        self.domain.users.fetch_sub(1, Ordering::Relaxed);
        // Endpoints and regions may keep the counter for longer, but the memory belongs to the
        // program again.
        self.counter.hide();
    }

    fn extension(name: &str) -> Result<*const c_void, Errno> {
        extension::of_counters(name)
    }
}

impl CounterCalls for CounterObject {
    unsafe fn read(&self) -> Result<u64, Errno> {
        self.progress();
        if rank::is_joined() {
            let mut has_changed = self.counter.has_changed();
            if !has_changed {
                rank::found_nothing(Pause::Polls { is_awaited: self.counter.is_awaited() }, &self.counter.mark);
                self.progress();
                has_changed = self.counter.has_changed();
            }
            if has_changed {
                rank::found(FoundReceives::default());
            }
        }
        Ok(self.counter.successes())
    }

    unsafe fn readerr(&self) -> Result<u64, Errno> {
        self.progress();
        Ok(self.counter.failures())
    }

    unsafe fn add(&self, value: u64) -> Result<c_int, Errno> {
        self.change(value, SUCCESS_MAX, |counter| counter.add(value))
    }

    unsafe fn set(&self, value: u64) -> Result<c_int, Errno> {
        self.change(value, SUCCESS_MAX, |counter| counter.set(value))
    }

    unsafe fn adderr(&self, value: u64) -> Result<c_int, Errno> {
        self.change(value, FAILURE_MAX, |counter| counter.add_failures(value))
    }

    unsafe fn seterr(&self, value: u64) -> Result<c_int, Errno> {
        self.change(value, FAILURE_MAX, |counter| counter.set_failures(value))
    }

    unsafe fn wait(&self, threshold: u64, timeout: c_int) -> Result<c_int, Errno> {
        let call = crate::trace::enter();
        let failures = self.counter.failures();
        let settings = self.domain.settings;
        // First this many polls, if a number is set; then as a waiter whose polling time is over.
        let mut polls = settings.waiting.counter_polls.unwrap_or(0);
        let spin_ns = if settings.waiting.counter_polls.is_some() { 0 } else { settings.waiting.spin_ns };
        let mut waiter = Waiter::new(timeout, spin_ns);
        loop {
            self.progress();
            if self.counter.successes() >= threshold {
                call.waited();
                return Ok(0);
            }
            if self.counter.failures() != failures {
                return Err(FI_EAVAIL);
            }
            if polls > 0 && timeout != 0 && !rank::is_joined() {
                polls -= 1;
                if polls.is_multiple_of(64) && waiter.is_over() {
                    return Err(libc::ETIMEDOUT);
                }
                std::hint::spin_loop();
                continue;
            }
            let endpoint = self.counter.pollable();
            waiter.pause_among(endpoint.as_deref().as_slice()).map_err(|_| libc::ETIMEDOUT)?;
        }
    }
}
