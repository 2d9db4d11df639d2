//! State that the writer shares with all other threads.

use crate::disk::Disk;
use crate::error::StoreError;
use crate::log::LogEntry;
use crate::options::StoreOptions;
use crate::snapshot::View;
use crate::watch::Hub;
use crate::writer::WriterCommand;
use arc_swap::{ArcSwap, ArcSwapOption};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

#[derive(Debug)]
pub(crate) struct StoreShared {
    pub view: ArcSwap<View>,
    pub disk: Disk,
    pub hub: Hub,
    pub queue: WriterQueue,
    pub options: StoreOptions,
    /// Why the last write failed; `None` after a success.
    pub trouble: ArcSwapOption<StoreError>,
}

impl StoreShared {
    /// Publishes the new view to readers and watchers.
    pub(crate) fn publish(&self, view: View, entries: &[Arc<LogEntry>]) {
        let revision = view.state.revision;
        self.view.store(Arc::new(view));
        self.hub.publish(revision, entries);
    }

    /// Publishes another history. Watches of the previous one end.
    pub(crate) fn replace(&self, view: View) {
        let revision = view.state.revision;
        self.view.store(Arc::new(view));
        self.hub.replace(revision);
    }

    /// Records the result of the last write.
    pub(crate) fn note_write(&self, error: Option<&StoreError>) {
        if error.is_some() || self.trouble.load().is_some() {
            self.trouble.store(error.cloned().map(Arc::new));
        }
    }

    /// Closes the file and notifies watchers.
    pub(crate) fn close(&self) {
        self.disk.close();
        self.hub.close();
    }
}

/// The changes and bytes that wait for the writer.
#[derive(Debug)]
pub(crate) struct WriterQueue {
    changes: AtomicUsize,
    bytes: AtomicUsize,
    changes_max: usize,
    bytes_max: usize,
}

impl WriterQueue {
    pub(crate) const fn new(options: &StoreOptions) -> Self {
        Self {
            changes: AtomicUsize::new(0),
            bytes: AtomicUsize::new(0),
            changes_max: options.queue_changes_max,
            bytes_max: options.queue_bytes_max,
        }
    }

    /// Enters the queue, if it has room. A command larger than the whole queue may wait alone.
    pub(crate) fn enter(&self, command: &WriterCommand) -> Result<(), StoreError> {
        let size = command.size();
        let changes = self.changes.fetch_add(1, Ordering::Relaxed);
        let bytes = self.bytes.fetch_add(size, Ordering::Relaxed);
        if changes >= self.changes_max || (changes > 0 && bytes + size > self.bytes_max) {
            self.took(command);
            return Err(StoreError::Busy { changes, bytes });
        }
        Ok(())
    }

    /// Leaves the queue.
    pub(crate) fn took(&self, command: &WriterCommand) {
        self.changes.fetch_sub(1, Ordering::Relaxed);
        self.bytes.fetch_sub(command.size(), Ordering::Relaxed);
    }
}
