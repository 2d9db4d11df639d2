//! Deferred work: operations that begin when a counter has reached a threshold (`fi_trigger(3)`).
//!
//! They begin when the process reads a queue or a counter; no thread begins them earlier. In
//! simulated time they also begin while the process sleeps, at the time when their counter reaches
//! the threshold.

use std::cell::Cell;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock, Weak};

use philae_fi_sys::*;
use philae_nic_core::nic::{Trigger, TriggerHeads, Triggers};

use crate::abi::Errno;
use crate::counter::FiCounter;
use crate::description::WorkDescription;

/// The most deferred operations at a time. Source: ours. Status: assumed.
pub(crate) const PLACES: usize = 1_024;

/// The deferred operations.
#[derive(Default)]
pub(crate) struct Deferred {
    waiting: AtomicUsize,
    list: Mutex<Option<List>>,
}

/// Deferred operations of all domains.
static WAITING: AtomicUsize = AtomicUsize::new(0);
/// The domains that have had any.
static USED: Mutex<Vec<Weak<Deferred>>> = Mutex::new(Vec::new());
/// What begins those of a domain that are due.
static BEGINS: OnceLock<fn(&Deferred)> = OnceLock::new();

thread_local! {
    /// Whether this thread begins some, instead of the NIC.
    static IS_NIC: Cell<bool> = const { Cell::new(false) };
}

/// Whether deferred operations of this process wait, which begin while it sleeps in simulated time.
pub(crate) fn any_waits() -> bool {
    WAITING.load(Ordering::Relaxed) > 0 && !IS_NIC.get()
}

/// Whether this thread does what the NIC does by itself.
pub(crate) fn is_nic() -> bool {
    IS_NIC.get()
}

/// Looks at the counters, and begins what is due.
pub(crate) fn begin_all_due() {
    let known: Vec<Arc<Deferred>> = USED.lock().expect("no panic with it").iter().filter_map(Weak::upgrade).collect();
    let Some(begins) = BEGINS.get() else { return };
    IS_NIC.set(true);
    for deferred in known.iter().filter(|deferred| !deferred.is_empty()) {
        let counters = deferred.with(|list| list.counters.clone());
        counters.iter().for_each(|counter| counter.progress());
        begins(deferred);
    }
    IS_NIC.set(false);
}

struct List {
    pool: Vec<Trigger>,
    heads: TriggerHeads,
    works: Vec<Option<WorkDescription>>,
    /// Counters that operations wait for, by their number in triggers.
    counters: Vec<Arc<FiCounter>>,
}

impl List {
    fn new() -> Self {
        let mut pool = vec![Trigger::default(); PLACES];
        let heads = TriggerHeads::of(&mut pool);
        Self { pool, heads, works: std::iter::repeat_with(|| None).take(PLACES).collect(), counters: Vec::new() }
    }

    fn add(&mut self, work: WorkDescription, counter: &Arc<FiCounter>) -> Result<(), Errno> {
        let threshold = work.work().threshold;
        let number = self.counters.iter().position(|known| Arc::ptr_eq(known, counter)).unwrap_or_else(|| {
            self.counters.push(Arc::clone(counter));
            self.counters.len() - 1
        });
        let place = self.works.iter().position(Option::is_none).ok_or(libc::ENOSPC)?;
        Triggers::new(&mut self.pool, &mut self.heads)
            .add(number as u32, threshold, place as u32)
            .map_err(|_| libc::ENOSPC)?;
        self.works[place] = Some(work);
        Ok(())
    }

    fn next_due(&mut self) -> Option<WorkDescription> {
        for (number, counter) in self.counters.iter().enumerate() {
            let due = Triggers::new(&mut self.pool, &mut self.heads).due(number as u32, counter.successes());
            if let Some(place) = due {
                return self.works[place as usize].take();
            }
        }
        None
    }

    fn cancel(&mut self, work: *mut fi_deferred_work) -> bool {
        let found = self.works.iter().position(|known| known.as_ref().is_some_and(|known| known.is_named(work)));
        found.is_some_and(|place| self.cancel_at(place))
    }

    /// Cancels the operation in this place; returns whether there was one.
    fn cancel_at(&mut self, place: usize) -> bool {
        self.works[place].take().is_some() && Triggers::new(&mut self.pool, &mut self.heads).cancel(place as u32)
    }
}

impl Deferred {
    /// Whether any operation waits.
    pub fn is_empty(&self) -> bool {
        self.waiting.load(Ordering::Acquire) == 0
    }

    /// Makes this one known for simulated time. `begins`: what begins operations that are due.
    pub fn register(self: &Arc<Self>, begins: fn(&Self)) {
        BEGINS.get_or_init(|| begins);
        let mut used = USED.lock().expect("no panic with it");
        used.retain(|known| known.strong_count() > 0);
        if !used.iter().any(|known| std::ptr::eq(known.as_ptr(), Arc::as_ptr(self))) {
            used.push(Arc::downgrade(self));
        }
    }

    fn less(&self, count: usize) {
        self.waiting.fetch_sub(count, Ordering::Release);
        WAITING.fetch_sub(count, Ordering::Release);
    }

    /// Takes an operation that is due.
    pub fn take_due(&self) -> Option<WorkDescription> {
        let work = self.with(List::next_due)?;
        self.less(1);
        Some(work)
    }

    /// Cancels the operation of this description; returns whether there was one.
    pub fn cancel(&self, work: *mut fi_deferred_work) -> bool {
        let is_cancelled = self.with(|list| list.cancel(work));
        self.less(usize::from(is_cancelled));
        is_cancelled
    }

    /// Cancels all operations.
    pub fn cancel_all(&self) {
        let cancelled = self.with(|list| (0..PLACES).filter(|&place| list.cancel_at(place)).count());
        self.less(cancelled);
    }

    fn with<T>(&self, work: impl FnOnce(&mut List) -> T) -> T {
        work(self.list.lock().expect("no panic with it").get_or_insert_with(List::new))
    }

    /// Adds an operation that waits for this counter.
    ///
    /// # Errors
    /// `ENOSPC`: there are too many.
    pub fn add(&self, work: WorkDescription, counter: &Arc<FiCounter>) -> Result<(), Errno> {
        self.with(|list| list.add(work, counter))?;
        self.waiting.fetch_add(1, Ordering::Release);
        WAITING.fetch_add(1, Ordering::Release);
        Ok(())
    }
}

impl Drop for Deferred {
    fn drop(&mut self) {
        let left = *self.waiting.get_mut();
        self.less(left);
    }
}
