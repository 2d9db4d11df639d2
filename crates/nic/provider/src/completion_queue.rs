//! Completion queues: the results of operations, until their owner reads them.

use std::collections::VecDeque;
use std::ffi::c_int;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, RwLock, Weak};

use philae_fi_sys::*;

use crate::abi::Errno;
use crate::completion::OperationResult;
use crate::simulated::rank::LookMark;
use crate::wait::{Pollable, Poller, TimedOut, Waiter};
use crate::watcher::Watcher;

pub(crate) struct FiCompletionQueue {
    entries: Mutex<VecDeque<OperationResult>>,
    /// The number of entries, to be read without the lock.
    waiting: AtomicUsize,
    size: usize,
    /// The format of its entries in C's memory.
    pub format: u32,
    /// The endpoints that complete here.
    endpoints: RwLock<Vec<Weak<dyn Pollable>>>,
    signalled: AtomicBool,
    poller: Poller,
    /// In simulated time.
    pub mark: LookMark,
    pub users: AtomicUsize,
    /// Makes a file readable when something arrives, if requested.
    watcher: Option<Watcher>,
}

impl FiCompletionQueue {
    /// A queue of this size.
    pub fn new(size: usize, format: u32, watcher: Option<Watcher>) -> Self {
        Self {
            entries: Mutex::default(),
            waiting: AtomicUsize::new(0),
            size,
            format,
            endpoints: RwLock::default(),
            signalled: AtomicBool::new(false),
            poller: Poller::default(),
            mark: LookMark::default(),
            users: AtomicUsize::new(0),
            watcher,
        }
    }

    /// A queue without a C object.
    #[cfg(test)]
    pub fn for_test() -> Self {
        Self::new(1_000, FI_CQ_FORMAT_TAGGED, None)
    }

    /// All its entries.
    #[cfg(test)]
    pub fn all(&self) -> Vec<OperationResult> {
        self.entries.lock().expect("no panic with it").iter().copied().collect()
    }

    /// Adds a completion. A caller that may wait for room first [checks](Self::has_room).
    pub fn push(&self, completion: OperationResult) {
        let mut entries = self.entries.lock().expect("no panic with it");
        entries.push_back(completion);
        self.waiting.store(entries.len(), Ordering::Release);
    }

    /// Whether there is room for another operation's completion.
    pub fn has_room(&self) -> bool {
        self.waiting.load(Ordering::Relaxed) < self.size
    }

    /// Adds an endpoint that completes here.
    pub fn follow(&self, endpoint: &Weak<dyn Pollable>) {
        let mut endpoints = self.endpoints.write().expect("no panic with it");
        endpoints.retain(|known| known.strong_count() > 0);
        if !endpoints.iter().any(|known| std::ptr::addr_eq(known.as_ptr(), endpoint.as_ptr())) {
            endpoints.push(Weak::clone(endpoint));
        }
        if let Some(watcher) = &self.watcher {
            watcher.follow(endpoint);
        }
    }

    fn with_endpoints<T>(&self, work: impl FnOnce(&[&dyn Pollable]) -> T) -> T {
        let endpoints = self.endpoints.read().expect("no panic with it");
        // Usually there is one endpoint: no list is allocated for it.
        if let [endpoint] = &endpoints[..] {
            let endpoint = endpoint.upgrade();
            return work(endpoint.as_deref().as_slice());
        }
        let endpoints: Vec<Arc<dyn Pollable>> = endpoints.iter().filter_map(Weak::upgrade).collect();
        work(&endpoints.iter().map(|endpoint| &**endpoint).collect::<Vec<_>>())
    }

    /// Whether the program awaits something that this queue would have.
    pub fn is_awaited(&self) -> bool {
        self.with_endpoints(|endpoints| endpoints.iter().any(|endpoint| endpoint.is_awaited_at()))
    }

    /// Lets the endpoints make progress, so that the queue has everything that has arrived.
    pub fn progress(&self) {
        self.with_endpoints(|endpoints| endpoints.iter().for_each(|endpoint| endpoint.progress()));
    }

    /// Passes completions up to the first error to `take`, each with its index.
    fn take(&self, count: usize, mut take: impl FnMut(usize, &OperationResult)) -> Result<usize, Errno> {
        let mut entries = self.entries.lock().expect("no panic with it");
        let mut taken = 0;
        while taken < count {
            match entries.front() {
                Some(front) if front.is_error() => {
                    if taken == 0 {
                        return Err(FI_EAVAIL);
                    }
                    break;
                }
                Some(front) => {
                    crate::trace::completed(self, front, 0);
                    take(taken, front);
                }
                None => break,
            }
            entries.pop_front();
            taken += 1;
        }
        self.waiting.store(entries.len(), Ordering::Release);
        Ok(taken)
    }

    /// Whether the next entry says that a look for a message has found none.
    pub fn has_fruitless_look(&self) -> bool {
        let entries = self.entries.lock().expect("no panic with it");
        entries.front().is_some_and(|front| front.errno() == libc::ENOMSG)
    }

    /// One poll: takes existing entries, or those that progress brings.
    pub fn poll(&self, count: usize, mut take: impl FnMut(usize, &OperationResult)) -> Result<usize, Errno> {
        if self.waiting.load(Ordering::Acquire) == 0 {
            self.progress();
            if self.waiting.load(Ordering::Acquire) == 0 {
                return Ok(0);
            }
        }
        self.take(count, &mut take)
    }

    /// Prepares for a sleep on the file.
    ///
    /// # Errors
    /// `EAGAIN`: there are entries already; `EINVAL`: there is no file.
    pub fn arm(&self) -> Result<(), Errno> {
        let watcher = self.watcher.as_ref().ok_or(libc::EINVAL)?;
        watcher.arm();
        self.progress();
        if self.waiting.load(Ordering::Acquire) > 0 || self.signalled.load(Ordering::Acquire) {
            return Err(libc::EAGAIN);
        }
        Ok(())
    }

    /// The file that becomes readable when something arrives, if it was requested.
    pub fn file(&self) -> Option<c_int> {
        self.watcher.as_ref().map(Watcher::file)
    }

    /// Ends the wait of a thread.
    pub fn signal(&self) {
        self.signalled.store(true, Ordering::Release);
        self.with_endpoints(|endpoints| endpoints.iter().for_each(|endpoint| endpoint.wake()));
        if let Some(watcher) = &self.watcher {
            watcher.ring();
        }
    }

    /// Whether a thread has signalled since the last call.
    pub fn take_signal(&self) -> bool {
        self.signalled.swap(false, Ordering::AcqRel)
    }

    /// A waiting thread waits a little.
    ///
    /// # Errors
    /// Its time is over.
    pub fn pause(&self, waiter: &mut Waiter) -> Result<(), TimedOut> {
        self.with_endpoints(|endpoints| waiter.pause_among(endpoints))
    }

    /// A poll has found entries.
    pub fn found(&self) {
        self.poller.found();
    }

    /// A poll has found nothing.
    pub fn found_nothing(&self, spin_ns: u64) {
        self.with_endpoints(|endpoints| self.poller.found_nothing(endpoints, spin_ns));
    }

    /// Takes the first entry if it is an error.
    pub fn take_error(&self) -> Option<OperationResult> {
        let mut entries = self.entries.lock().expect("no panic with it");
        let completion = entries.front().copied().filter(OperationResult::is_error)?;
        crate::trace::completed(self, &completion, completion.errno());
        entries.pop_front();
        self.waiting.store(entries.len(), Ordering::Release);
        Some(completion)
    }
}
