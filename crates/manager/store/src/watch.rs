//! Watches: first entries of the log, then committed entries, in order and without gaps.
//!
//! The newest entries are kept in memory once for all watchers; each watcher is only a position in
//! them. A watcher that falls behind them is cut off and told where to resume, so it needs no more
//! memory than one that keeps up.

use crate::error::StoreError;
use crate::log::LogEntry;
use crate::object::Revision;
use crate::options::StoreOptions;
use crate::shared::StoreShared;
use std::collections::{HashMap, VecDeque};
use std::fmt;
use std::future::poll_fn;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};
use std::time::{Duration, Instant};

/// Entries that a watcher reads from the log at a time.
const REPLAYED_AT_ONCE: usize = 256;

struct Recent {
    /// The newest entries, without gaps, up to `newest`.
    entries: VecDeque<Arc<LogEntry>>,
    bytes: usize,
    newest: Revision,
    is_closed: bool,
    /// Counts how often the whole history was replaced.
    history: u64,
    /// Wakers of waiting watchers, by the number of the watcher.
    wakers: HashMap<u64, Waker>,
    watchers: u64,
}

/// The newest entries, and the watchers that wait for more.
pub(crate) struct Hub {
    recent: Mutex<Recent>,
    changed: Condvar,
    entries_max: usize,
    bytes_max: usize,
}

impl fmt::Debug for Hub {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Hub").field("newest", &self.lock().newest).finish_non_exhaustive()
    }
}

/// The result of a look-up in memory after a revision.
enum Found {
    Next(Arc<LogEntry>),
    Nothing,
    /// The entry may only be in the log.
    Older,
    Closed,
}

impl Hub {
    pub(crate) fn new(options: &StoreOptions, newest: Revision) -> Self {
        let recent = Recent {
            entries: VecDeque::new(),
            bytes: 0,
            newest,
            is_closed: false,
            history: 0,
            wakers: HashMap::new(),
            watchers: 0,
        };
        Self {
            recent: Mutex::new(recent),
            changed: Condvar::new(),
            entries_max: options.watch_entries_max,
            bytes_max: options.watch_bytes_max,
        }
    }

    fn lock(&self) -> MutexGuard<'_, Recent> {
        self.recent.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds entries that are on the disk, and wakes the waiting watchers.
    pub(crate) fn publish(&self, newest: Revision, entries: &[Arc<LogEntry>]) {
        if entries.is_empty() {
            return;
        }
        let mut recent = self.lock();
        recent.newest = newest;
        for entry in entries {
            recent.bytes += entry.size();
            recent.entries.push_back(Arc::clone(entry));
        }
        while recent.entries.len() > self.entries_max || recent.bytes > self.bytes_max {
            let Some(entry) = recent.entries.pop_front() else { break };
            recent.bytes -= entry.size();
        }
        self.wake(recent);
    }

    /// Removes all entries, because the store has another history. Watches of the previous one are
    /// cut off.
    pub(crate) fn replace(&self, newest: Revision) {
        let mut recent = self.lock();
        recent.newest = newest;
        recent.entries.clear();
        recent.bytes = 0;
        recent.history += 1;
        self.wake(recent);
    }

    /// Tells all waiting watchers that nothing more will come.
    pub(crate) fn close(&self) {
        let mut recent = self.lock();
        recent.is_closed = true;
        self.wake(recent);
    }

    fn wake(&self, mut recent: MutexGuard<'_, Recent>) {
        let wakers = std::mem::take(&mut recent.wakers);
        drop(recent);
        self.changed.notify_all();
        wakers.into_values().for_each(Waker::wake);
    }
}

impl Recent {
    fn after(&self, seen: Revision) -> Found {
        if seen >= self.newest {
            return if self.is_closed { Found::Closed } else { Found::Nothing };
        }
        // Entries have no gaps, so the index follows from the number.
        let place = self.entries.front().and_then(|first| (seen.0 + 1).checked_sub(first.revision.0));
        match place.and_then(|place| self.entries.get(usize::try_from(place).ok()?)) {
            Some(entry) => Found::Next(Arc::clone(entry)),
            None => Found::Older,
        }
    }
}

/// A subscription to every change after a revision.
#[derive(Debug)]
pub struct Watch {
    shared: Arc<StoreShared>,
    number: u64,
    seen: Revision,
    /// The history that it belongs to.
    history: u64,
    /// Entries read from the log and not yet returned.
    replayed: VecDeque<Arc<LogEntry>>,
    /// Whether the watcher has caught up with the commits; from then on it must keep up.
    is_live: bool,
}

impl Watch {
    pub(crate) fn new(shared: Arc<StoreShared>, from: Revision) -> Result<Self, StoreError> {
        let view = shared.view.load_full();
        let state = &view.state;
        if from > state.revision {
            return Err(StoreError::Future { asked: from, newest: state.revision });
        }
        if from.next() < state.oldest {
            return Err(StoreError::Compacted { asked: from, oldest: state.oldest });
        }
        let (number, history) = {
            let mut recent = shared.hub.lock();
            recent.watchers += 1;
            (recent.watchers, recent.history)
        };
        Ok(Self { shared, number, seen: from, history, replayed: VecDeque::new(), is_live: false })
    }

    /// The last revision returned; a new watch from here continues this one.
    #[must_use]
    pub const fn seen(&self) -> Revision {
        self.seen
    }

    /// The next change, if there is one.
    ///
    /// # Errors
    /// `Slow` if the watcher fell behind, `Compacted` if the log no longer has the next change,
    /// `Closed`.
    pub fn try_next(&mut self) -> Result<Option<Arc<LogEntry>>, StoreError> {
        let found = {
            let recent = self.shared.hub.lock();
            if recent.history != self.history {
                return Err(StoreError::Slow { resume_from: recent.newest.min(self.seen) });
            }
            recent.after(self.seen)
        };
        if let Some(entry) = self.replayed.pop_front() {
            return Ok(Some(self.give(entry)));
        }
        match found {
            Found::Next(entry) => {
                self.is_live = true;
                Ok(Some(self.give(entry)))
            }
            Found::Nothing => {
                self.is_live = true;
                Ok(None)
            }
            Found::Closed => Err(StoreError::Closed),
            Found::Older if self.is_live => Err(StoreError::Slow { resume_from: self.seen }),
            Found::Older => {
                self.replay()?;
                let entry = self.replayed.pop_front().ok_or_else(|| StoreError::Compacted {
                    asked: self.seen,
                    oldest: self.shared.view.load().state.oldest,
                })?;
                Ok(Some(self.give(entry)))
            }
        }
    }

    /// Waits at most `patience` for the next change; `None` if none has come.
    ///
    /// # Errors
    /// As [`Watch::try_next`].
    pub fn next_within(&mut self, patience: Duration) -> Result<Option<Arc<LogEntry>>, StoreError> {
        let until = Instant::now() + patience;
        loop {
            if let Some(entry) = self.try_next()? {
                return Ok(Some(entry));
            }
            let recent = self.shared.hub.lock();
            if recent.newest <= self.seen && !recent.is_closed && recent.history == self.history {
                let Some(left) = until.checked_duration_since(Instant::now()) else { return Ok(None) };
                drop(self.shared.hub.changed.wait_timeout(recent, left));
            }
        }
    }

    /// Waits for the next change, in a task of any runtime. It may read the log, in short steps.
    ///
    /// # Errors
    /// As [`Watch::try_next`].
    pub async fn next(&mut self) -> Result<Arc<LogEntry>, StoreError> {
        poll_fn(|context| self.poll_next(context)).await
    }

    /// As [`Watch::next`], for hand-written futures.
    pub fn poll_next(&mut self, context: &mut Context<'_>) -> Poll<Result<Arc<LogEntry>, StoreError>> {
        loop {
            match self.try_next() {
                Ok(Some(entry)) => return Poll::Ready(Ok(entry)),
                Err(error) => return Poll::Ready(Err(error)),
                Ok(None) => {}
            }
            let mut recent = self.shared.hub.lock();
            if recent.newest <= self.seen && !recent.is_closed && recent.history == self.history {
                recent.wakers.insert(self.number, context.waker().clone());
                return Poll::Pending;
            }
        }
    }

    fn give(&mut self, entry: Arc<LogEntry>) -> Arc<LogEntry> {
        self.seen = entry.revision;
        entry
    }

    fn replay(&mut self) -> Result<(), StoreError> {
        let disk = &self.shared.disk;
        let newest = self.shared.view.load().state.revision;
        let entries = disk.entries(&disk.begin_read()?, self.seen.next(), newest, REPLAYED_AT_ONCE)?;
        if let Some(first) = entries.first().filter(|first| first.revision != self.seen.next()) {
            return Err(StoreError::Compacted { asked: self.seen, oldest: first.revision });
        }
        self.replayed = entries.into_iter().map(Arc::new).collect();
        Ok(())
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        self.shared.hub.lock().wakers.remove(&self.number);
    }
}
