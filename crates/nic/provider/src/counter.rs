//! Counters: how many operations of a kind have ended.
//!
//! The counts of this process's operations are in the counter. Those of other processes' operations
//! are in the areas of the endpoints that they reach, where these processes can count. A counter's
//! value is the sum.

use std::ffi::{c_int, c_void};
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, Weak};

use philae_fi_sys::*;
use philae_nic_core::nic::{FAILURE_MAX, ReturnCode, SUCCESS_MAX};

use crate::abi::{self, answer_done};
use crate::domain::FiDomain;
use crate::endpoint::EndpointPort;
use crate::wait::Waiter;

/// A counter.
#[derive(Default)]
pub(crate) struct FiCounter {
    success: AtomicU64,
    failure: AtomicU64,
    /// The endpoints whose operations it counts.
    ports: Mutex<Vec<Weak<EndpointPort>>>,
    /// Where other processes count for it: an endpoint's area, and the index there plus one.
    places: Mutex<Vec<(Weak<EndpointPort>, u32)>>,
    pub users: AtomicUsize,
    /// The memory that shows its value, if any.
    view: View,
}

/// Memory of the program that shows a counter's value.
#[derive(Default)]
struct View {
    is_there: AtomicBool,
    /// One thread at a time writes, so that no older value follows a newer one.
    place: Mutex<Option<Place>>,
    /// The counts of other processes at the last query. The counting thread does not query them,
    /// because it may hold the locks that this would need.
    elsewhere: (AtomicU64, AtomicU64),
}

/// Memory of the program, of eight bytes.
#[derive(Clone, Copy)]
struct Place(*mut AtomicU64);

// SAFETY: the program has lent the memory until the counter is closed or shows its value elsewhere.
unsafe impl Send for Place {}

/// Marks a value that the NIC wrote; successes are below 48 bits, failures above.
/// Source: fi_cxi_ext.h. Status: published.
const WRITTEN: u64 = 1 << 63;
const SUCCESS_BITS: u32 = 48;

/// The counters of a domain that show their values in memory of the program.
#[derive(Default)]
pub(crate) struct ShownCounters {
    count: AtomicUsize,
    list: Mutex<Vec<Weak<FiCounter>>>,
}

impl ShownCounters {
    fn add(&self, counter: &Arc<FiCounter>) {
        let mut list = self.list.lock().expect("no panic with it");
        list.retain(|known| known.strong_count() > 0 && !std::ptr::eq(known.as_ptr(), Arc::as_ptr(counter)));
        list.push(Arc::downgrade(counter));
        self.count.store(list.len(), Ordering::Release);
    }

    /// Queries the counts of other processes, and shows the values.
    pub fn refresh(&self) {
        if self.count.load(Ordering::Acquire) == 0 {
            return;
        }
        let list: Vec<Arc<FiCounter>> =
            self.list.lock().expect("no panic with it").iter().filter_map(Weak::upgrade).collect();
        list.iter().for_each(|counter| counter.show_all());
    }
}

impl FiCounter {
    /// Counts operations that have ended.
    pub fn count(&self, code: ReturnCode) {
        match code {
            ReturnCode::Ok => self.success.fetch_add(1, Ordering::Release),
            _ => self.failure.fetch_add(1, Ordering::Release),
        };
        self.show();
    }

    /// Shows its value if requested, with other processes' counts as of the last query.
    fn show(&self) {
        if !self.view.is_there.load(Ordering::Acquire) {
            return;
        }
        let place = self.view.place.lock().expect("no panic with it");
        let Some(Place(place)) = *place else { return };
        let sum = |own: &AtomicU64, others: &AtomicU64| {
            own.load(Ordering::Acquire).wrapping_add(others.load(Ordering::Acquire))
        };
        let success = sum(&self.success, &self.view.elsewhere.0) & SUCCESS_MAX;
        let failure = sum(&self.failure, &self.view.elsewhere.1) & FAILURE_MAX;
        // SAFETY: the program has lent the memory, which is aligned for this.
        unsafe { (*place).store(WRITTEN | failure << SUCCESS_BITS | success, Ordering::Release) };
    }

    /// The same, with other processes' present counts.
    fn show_all(&self) {
        if self.view.is_there.load(Ordering::Acquire) {
            let (success, failure) = self.elsewhere();
            self.view.elsewhere.0.store(success, Ordering::Release);
            self.view.elsewhere.1.store(failure, Ordering::Release);
            self.show();
        }
    }

    /// Adds an endpoint whose operations it counts: reading the counter polls it.
    pub fn follow(&self, port: &Arc<EndpointPort>) {
        self.ports.lock().expect("no panic with it").push(Arc::downgrade(port));
    }

    /// Other processes count for it in this area.
    pub fn add_place(&self, port: &Arc<EndpointPort>, number: u32) {
        self.places.lock().expect("no panic with it").push((Arc::downgrade(port), number));
    }

    /// They no longer do; their counts stay.
    pub fn remove_place(&self, port: &EndpointPort, number: u32) {
        let mut places = self.places.lock().expect("no panic with it");
        let known = places.len();
        places.retain(|(of, place)| !(std::ptr::eq(of.as_ptr(), port) && *place == number));
        if places.len() < known {
            let (success, failure) = port.counted(number);
            self.success.fetch_add(success, Ordering::Release);
            self.failure.fetch_add(failure, Ordering::Release);
            drop(places);
            self.show_all();
        }
    }

    /// Polls the endpoints that may count.
    pub fn progress(&self) {
        let ports: Vec<Arc<EndpointPort>> =
            self.ports.lock().expect("no panic with it").iter().filter_map(Weak::upgrade).collect();
        for port in ports {
            port.progress();
        }
        self.show_all();
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
        self.show();
    }

    pub fn set(&self, count: u64) {
        self.success.store(count.wrapping_sub(self.elsewhere().0), Ordering::Release);
        self.show_all();
    }
}

/// The object.
#[repr(C)]
pub(crate) struct CounterObject {
    fid: fid_cntr,
    pub counter: Arc<FiCounter>,
    domain: Arc<FiDomain>,
}

static FID_OPS: fi_ops =
    fi_ops { close: Some(close), control: Some(control), ops_open: Some(crate::extension::open), ..fi_ops::DECLINED };
/// The vendor's extension.
pub(crate) static EXTENSION: fi_cxi_cntr_ops = fi_cxi_cntr_ops { set_wb_buffer, get_mmio_addr };
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

/// The Rust object of a C handle.
///
/// # Safety
/// The handle is one of ours.
pub(crate) unsafe fn of<'a, C>(cntr: *mut C) -> &'a CounterObject {
    // SAFETY: as the caller promises.
    unsafe { abi::object(cntr) }
}

impl CounterObject {
    /// Lets everything that may count make progress.
    fn progress(&self) {
        self.counter.progress();
        self.domain.deferred.begin_due();
    }

    /// The program has changed the counter: deferred work may be due.
    fn changed(&self) {
        self.domain.deferred.begin_due();
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
        object.counter.view.is_there.store(false, Ordering::Release);
        *object.counter.view.place.lock().expect("no panic with it") = None;
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
    let add = |counter: &FiCounter| counter.failure.fetch_add(value, Ordering::Release);
    // SAFETY: as above.
    unsafe { change(cntr, value, FAILURE_MAX, |counter| _ = add(counter)) }
}

unsafe extern "C" fn set_errors(cntr: *mut fid_cntr, value: u64) -> c_int {
    let set = |counter: &FiCounter| counter.failure.store(value.wrapping_sub(counter.elsewhere().1), Ordering::Release);
    // SAFETY: as above.
    unsafe { change(cntr, value, FAILURE_MAX, set) }
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
            let port = object.counter.ports.lock().expect("no panic with it").iter().find_map(Weak::upgrade);
            let place = || object.counter.places.lock().expect("no panic with it").first()?.0.upgrade();
            waiter.pause(port.or_else(place).as_deref()).map_err(|_| libc::ETIMEDOUT)?;
        }
    })
}

/// From now on program memory shows the counter's value. The value includes this process's
/// operations immediately, and other processes' operations after each call of this process.
unsafe extern "C" fn set_wb_buffer(fid: *mut fid, buffer: *mut c_void, length: usize) -> c_int {
    answer_done(|| {
        // SAFETY: C passes a counter of ours.
        let is_counter = unsafe { fid.as_ref() }.is_some_and(|fid| fid.fclass == FI_CLASS_CNTR as usize);
        let is_aligned = (buffer as usize).is_multiple_of(align_of::<AtomicU64>());
        if !is_counter || buffer.is_null() || !is_aligned || length < size_of::<u64>() {
            return Err(libc::EINVAL);
        }
        // SAFETY: as above.
        let object = unsafe { of(fid) };
        let counter = &object.counter;
        *counter.view.place.lock().expect("no panic with it") = Some(Place(buffer.cast()));
        counter.view.is_there.store(true, Ordering::Release);
        object.domain.shown.add(counter);
        counter.show_all();
        Ok(())
    })
}

/// An address that programs would write to in order to add to the counter. It does not exist: no
/// code would see a write to memory, and two consecutive writes would count once.
unsafe extern "C" fn get_mmio_addr(_: *mut fid, _: *mut *mut c_void, _: *mut usize) -> c_int {
    -libc::ENOSYS
}
