//! Counters: how many operations of a kind have ended.
//!
//! What this process's operations count lies with the counter; what others' operations count lies in the areas of the
//! endpoints that they reach, where they can count it. A counter is the sum.

use std::ffi::{c_int, c_void};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, Weak};

use philae_cassini::nic::{FAILURE_MAX, ReturnCode, SUCCESS_MAX};
use philae_fi_sys::*;

use crate::abi::{self, PLAIN_OPS, answer_done};
use crate::domain::Domain;
use crate::endpoint::Port;
use crate::wait::Waiter;

/// A counter.
#[derive(Default)]
pub(crate) struct Counter {
    success: AtomicU64,
    failure: AtomicU64,
    /// Endpoints whose operations it counts.
    ports: Mutex<Vec<Weak<Port>>>,
    /// Where others count for it: an endpoint's area, and one more than the number there.
    places: Mutex<Vec<(Weak<Port>, u32)>>,
    pub users: AtomicUsize,
}

impl Counter {
    /// Counts operations that have ended.
    pub fn count(&self, code: ReturnCode) {
        match code {
            ReturnCode::Ok => self.success.fetch_add(1, Ordering::Release),
            _ => self.failure.fetch_add(1, Ordering::Release),
        };
    }

    /// An endpoint's operations are to be counted: it is polled when the counter is read.
    pub fn follow(&self, port: &Arc<Port>) {
        self.ports.lock().expect("no panic with it").push(Arc::downgrade(port));
    }

    /// Others count for it in this area.
    pub fn add_place(&self, port: &Arc<Port>, number: u32) {
        self.places.lock().expect("no panic with it").push((Arc::downgrade(port), number));
    }

    /// They no longer do; what they have counted stays.
    pub fn remove_place(&self, port: &Port, number: u32) {
        let mut places = self.places.lock().expect("no panic with it");
        let known = places.len();
        places.retain(|(of, place)| !(std::ptr::eq(of.as_ptr(), port) && *place == number));
        if places.len() < known {
            let (success, failure) = port.counted(number);
            self.success.fetch_add(success, Ordering::Release);
            self.failure.fetch_add(failure, Ordering::Release);
        }
    }

    /// Polls what may count.
    pub fn progress(&self) {
        let ports: Vec<Arc<Port>> =
            self.ports.lock().expect("no panic with it").iter().filter_map(Weak::upgrade).collect();
        for port in ports {
            port.progress();
        }
    }

    fn elsewhere(&self) -> (u64, u64) {
        let places = self.places.lock().expect("no panic with it");
        let counted = places.iter().filter_map(|(port, number)| Some(port.upgrade()?.counted(*number)));
        counted.fold((0, 0), |sum, one| (sum.0 + one.0, sum.1 + one.1))
    }

    /// Successes so far.
    pub fn successes(&self) -> u64 {
        self.success.load(Ordering::Acquire).wrapping_add(self.elsewhere().0) & SUCCESS_MAX
    }

    /// Failures so far.
    pub fn failures(&self) -> u64 {
        self.failure.load(Ordering::Acquire).wrapping_add(self.elsewhere().1) & FAILURE_MAX
    }

    pub fn add(&self, count: u64) {
        self.success.fetch_add(count, Ordering::Release);
    }

    pub fn set(&self, count: u64) {
        self.success.store(count.wrapping_sub(self.elsewhere().0), Ordering::Release);
    }
}

/// The object.
#[repr(C)]
pub(crate) struct CounterObject {
    fid: fid_cntr,
    pub counter: Arc<Counter>,
    domain: Arc<Domain>,
}

static FID_OPS: fi_ops = fi_ops { close: Some(close), control: Some(control), ..PLAIN_OPS };
static OPS: fi_ops_cntr = fi_ops_cntr {
    size: size_of::<fi_ops_cntr>(),
    read: Some(read),
    readerr: Some(read_errors),
    add: Some(add),
    set: Some(set),
    wait: Some(wait),
    adderr: Some(add_errors),
    seterr: Some(set_errors),
};

/// `fi_cntr_open`.
pub(crate) unsafe extern "C" fn open(
    domain: *mut fid_domain,
    attr: *mut fi_cntr_attr,
    cntr: *mut *mut fid_cntr,
    context: *mut c_void,
) -> c_int {
    answer_done(|| {
        // SAFETY: C gives a domain of ours, and attributes or nothing.
        let (domain, attr) = unsafe { (crate::domain::of(domain), attr.as_ref()) };
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

/// The object behind C's.
///
/// # Safety
/// It is one of ours.
pub(crate) unsafe fn of<'a, C>(cntr: *mut C) -> &'a CounterObject {
    // SAFETY: as the caller says.
    unsafe { abi::object(cntr) }
}

impl CounterObject {
    /// Brings everything up to date that may count.
    fn progress(&self) {
        self.counter.progress();
        self.domain.deferred.begin_due(&self.domain);
    }

    /// The program has changed it: what waits for it may be due.
    fn changed(&self) {
        self.domain.deferred.begin_due(&self.domain);
    }
}

unsafe extern "C" fn close(fid: *mut fid) -> c_int {
    answer_done(|| {
        // SAFETY: C closes what it was given.
        let object = unsafe { of(fid) };
        if object.counter.users.load(Ordering::Relaxed) > 0 {
            return Err(libc::EBUSY);
        }
        object.domain.users.fetch_sub(1, Ordering::Relaxed);
        // SAFETY: nobody uses it.
        drop(unsafe { abi::reclaim::<CounterObject, _>(fid) });
        Ok(())
    })
}

unsafe extern "C" fn control(_: *mut fid, _: c_int, _: *mut c_void) -> c_int {
    -libc::ENOSYS
}

unsafe extern "C" fn read(cntr: *mut fid_cntr) -> u64 {
    let value = || {
        // SAFETY: C gives a counter of ours.
        let object = unsafe { of(cntr) };
        object.progress();
        Ok(object.counter.successes())
    };
    abi::guarded(value).unwrap_or(0)
}

unsafe extern "C" fn read_errors(cntr: *mut fid_cntr) -> u64 {
    let value = || {
        // SAFETY: C gives a counter of ours.
        let object = unsafe { of(cntr) };
        object.progress();
        Ok(object.counter.failures())
    };
    abi::guarded(value).unwrap_or(0)
}

/// Changes a counter, and begins what was waiting for that.
unsafe fn change(cntr: *mut fid_cntr, value: u64, most: u64, change: impl FnOnce(&Counter)) -> c_int {
    answer_done(|| {
        if value > most {
            return Err(libc::EINVAL);
        }
        // SAFETY: C gives a counter of ours.
        let object = unsafe { of(cntr) };
        change(&object.counter);
        object.changed();
        Ok(())
    })
}

unsafe extern "C" fn add(cntr: *mut fid_cntr, value: u64) -> c_int {
    // SAFETY: C gives a counter of ours.
    unsafe { change(cntr, value, SUCCESS_MAX, |counter| counter.add(value)) }
}

unsafe extern "C" fn set(cntr: *mut fid_cntr, value: u64) -> c_int {
    // SAFETY: as above.
    unsafe { change(cntr, value, SUCCESS_MAX, |counter| counter.set(value)) }
}

unsafe extern "C" fn add_errors(cntr: *mut fid_cntr, value: u64) -> c_int {
    let add = |counter: &Counter| counter.failure.fetch_add(value, Ordering::Release);
    // SAFETY: as above.
    unsafe { change(cntr, value, FAILURE_MAX, |counter| _ = add(counter)) }
}

unsafe extern "C" fn set_errors(cntr: *mut fid_cntr, value: u64) -> c_int {
    let set = |counter: &Counter| counter.failure.store(value.wrapping_sub(counter.elsewhere().1), Ordering::Release);
    // SAFETY: as above.
    unsafe { change(cntr, value, FAILURE_MAX, set) }
}

unsafe extern "C" fn wait(cntr: *mut fid_cntr, threshold: u64, timeout: c_int) -> c_int {
    answer_done(|| {
        // SAFETY: C gives a counter of ours.
        let object = unsafe { of(cntr) };
        let call = crate::trace::enter();
        let failures = object.counter.failures();
        let mut waiter = Waiter::new(timeout, object.domain.settings.spin_ns);
        loop {
            object.progress();
            if object.counter.successes() >= threshold {
                call.waited();
                return Ok(());
            }
            if object.counter.failures() != failures {
                return Err(FI_EAVAIL);
            }
            let port = object.counter.ports.lock().expect("no panic with it").iter().find_map(Weak::upgrade);
            let place = || object.counter.places.lock().expect("no panic with it").first()?.0.upgrade();
            waiter.pause(port.or_else(place).as_deref()).map_err(|_| libc::ETIMEDOUT)?;
        }
    })
}
