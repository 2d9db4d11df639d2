//! What crossed an endpoint.

use std::sync::atomic::{AtomicU64, Ordering};

/// Counts of an endpoint, since it was made.
#[derive(Debug, Default)]
pub(crate) struct Traffic {
    sends: AtomicU64,
    sent_bytes: AtomicU64,
    /// Messages that waited for their receive at the target, to be fetched.
    rendezvous: AtomicU64,
    receives: AtomicU64,
    received_bytes: AtomicU64,
    writes: AtomicU64,
    written_bytes: AtomicU64,
    reads: AtomicU64,
    read_bytes: AtomicU64,
    atomics: AtomicU64,
    atomic_bytes: AtomicU64,
    doorbells: AtomicU64,
    /// Operations for which the target had no room.
    refused: AtomicU64,
}

fn add(counter: &AtomicU64, count: u64) {
    // One thread at a time counts here, as a rule: an addition without a lock would do, and this costs no more.
    counter.store(counter.load(Ordering::Relaxed) + count, Ordering::Relaxed);
}

impl Traffic {
    pub fn sent(&self, bytes: u64, waits: bool) {
        add(&self.sends, 1);
        add(&self.sent_bytes, bytes);
        if waits {
            add(&self.rendezvous, 1);
        }
    }

    pub fn received(&self, bytes: u64) {
        add(&self.receives, 1);
        add(&self.received_bytes, bytes);
    }

    pub fn accessed(&self, is_read: bool, bytes: u64) {
        let (operations, moved) =
            if is_read { (&self.reads, &self.read_bytes) } else { (&self.writes, &self.written_bytes) };
        add(operations, 1);
        add(moved, bytes);
    }

    pub fn changed(&self, bytes: u64) {
        add(&self.atomics, 1);
        add(&self.atomic_bytes, bytes);
    }

    pub fn doorbell(&self) {
        add(&self.doorbells, 1);
    }

    pub fn refused(&self) {
        add(&self.refused, 1);
    }

    /// Each count with its name.
    pub fn counts(&self) -> [(&'static str, u64); 13] {
        let of = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        [
            ("sends", of(&self.sends)),
            ("sent_bytes", of(&self.sent_bytes)),
            ("rendezvous", of(&self.rendezvous)),
            ("receives", of(&self.receives)),
            ("received_bytes", of(&self.received_bytes)),
            ("writes", of(&self.writes)),
            ("written_bytes", of(&self.written_bytes)),
            ("reads", of(&self.reads)),
            ("read_bytes", of(&self.read_bytes)),
            ("atomics", of(&self.atomics)),
            ("atomic_bytes", of(&self.atomic_bytes)),
            ("doorbells", of(&self.doorbells)),
            ("refused", of(&self.refused)),
        ]
    }
}
