//! Counters: how many operations of a kind have ended.
//!
//! The counts of this process's operations are in the counter. Those of other processes' operations
//! are in the areas of the endpoints that they reach, where these processes can count. A counter's
//! value is the sum.

use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, Weak};

use philae_nic_core::nic::{FAILURE_MAX, ReturnCode, SUCCESS_MAX};

use crate::simulated::rank::LookMark;
use crate::wait::Pollable;

/// An endpoint in whose area other processes count.
pub(crate) trait RemoteCounts: Pollable {
    /// Their counts in this place: successes and failures.
    fn counted(&self, number: u32) -> (u64, u64);
}

#[derive(Default)]
pub(crate) struct FiCounter {
    success: AtomicU64,
    failure: AtomicU64,
    /// The endpoints whose operations it counts.
    endpoints: Mutex<Vec<Weak<dyn Pollable>>>,
    /// Where other processes count for it: an endpoint's area, and the index there plus one.
    places: Mutex<Vec<(Weak<dyn RemoteCounts>, u32)>>,
    pub users: AtomicUsize,
    /// The memory that shows its value, if any.
    view: View,
    /// Its value when a program last read it, plus one.
    last_read: AtomicU64,
    pub mark: LookMark,
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
    /// Adds a counter that shows its value from now on.
    pub fn add(&self, counter: &Arc<FiCounter>) {
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
    pub fn show_all(&self) {
        if self.view.is_there.load(Ordering::Acquire) {
            let (success, failure) = self.elsewhere();
            self.view.elsewhere.0.store(success, Ordering::Release);
            self.view.elsewhere.1.store(failure, Ordering::Release);
            self.show();
        }
    }

    /// Adds an endpoint whose operations it counts: reading the counter polls it.
    pub fn follow(&self, endpoint: &Weak<dyn Pollable>) {
        self.endpoints.lock().expect("no panic with it").push(Weak::clone(endpoint));
    }

    /// Other processes count for it in this area.
    pub fn add_place(&self, endpoint: Weak<dyn RemoteCounts>, number: u32) {
        self.places.lock().expect("no panic with it").push((endpoint, number));
    }

    /// They no longer do; their counts stay.
    pub fn remove_place(&self, endpoint: &dyn RemoteCounts, number: u32) {
        let mut places = self.places.lock().expect("no panic with it");
        let known = places.len();
        places.retain(|(of, place)| !(std::ptr::addr_eq(of.as_ptr(), endpoint) && *place == number));
        if places.len() < known {
            let (success, failure) = endpoint.counted(number);
            self.success.fetch_add(success, Ordering::Release);
            self.failure.fetch_add(failure, Ordering::Release);
            drop(places);
            self.show_all();
        }
    }

    fn followed(&self) -> Vec<Arc<dyn Pollable>> {
        self.endpoints.lock().expect("no panic with it").iter().filter_map(Weak::upgrade).collect()
    }

    /// Whether the program awaits something that this counter may count.
    pub fn is_awaited(&self) -> bool {
        self.followed().iter().any(|endpoint| endpoint.is_awaited_at())
    }

    /// Polls the endpoints that may count.
    pub fn progress(&self) {
        for endpoint in self.followed() {
            endpoint.progress();
        }
        self.show_all();
    }

    fn elsewhere(&self) -> (u64, u64) {
        let places = self.places.lock().expect("no panic with it");
        let counted = places.iter().filter_map(|(endpoint, number)| Some(endpoint.upgrade()?.counted(*number)));
        counted.fold((0, 0), |sum, one| (sum.0 + one.0, sum.1 + one.1))
    }

    /// Successes so far.
    pub fn successes(&self) -> u64 {
        self.success.load(Ordering::Acquire).wrapping_add(self.elsewhere().0) & SUCCESS_MAX
    }

    /// Whether its value is another one than at the last call. In simulated time a program that
    /// reads the same value again waits.
    pub fn has_changed(&self) -> bool {
        let value = self.successes() + 1;
        self.last_read.swap(value, Ordering::Relaxed) != value
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

    pub fn add_failures(&self, count: u64) {
        self.failure.fetch_add(count, Ordering::Release);
    }

    pub fn set_failures(&self, count: u64) {
        self.failure.store(count.wrapping_sub(self.elsewhere().1), Ordering::Release);
    }

    /// An endpoint that a thread can sleep at until the counter changes.
    pub fn pollable(&self) -> Option<Arc<dyn Pollable>> {
        let endpoint = self.endpoints.lock().expect("no panic with it").iter().find_map(Weak::upgrade);
        endpoint
            .or_else(|| Some(self.places.lock().expect("no panic with it").first()?.0.upgrade()? as Arc<dyn Pollable>))
    }

    /// From now on memory of the program shows its value.
    pub fn show_in(&self, place: *mut AtomicU64) {
        *self.view.place.lock().expect("no panic with it") = Some(Place(place));
        self.view.is_there.store(true, Ordering::Release);
    }

    /// Memory of the program no longer shows its value.
    pub fn hide(&self) {
        self.view.is_there.store(false, Ordering::Release);
        *self.view.place.lock().expect("no panic with it") = None;
    }
}
