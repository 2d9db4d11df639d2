//! The clock of a partition.

use philae_engine::{Digest, EventKey};

/// The time of a partition, and what has been handled so far.
///
/// Within the turn of a block the clock never goes back. A request that was deferred has its own
/// time, which is earlier: what such a request reaches gets that time as a parameter.
#[derive(Debug, Default, serde::Serialize, serde::Deserialize)]
pub struct Clock {
    now: u64,
    #[serde(skip)]
    current_key: EventKey,
    /// The latest time of the blocks that had their turn before.
    #[serde(skip)]
    latest: u64,
    /// Every event before this time has been handled, in picoseconds.
    pub window_end: u64,
    /// Digest of the handled events.
    pub digest: Digest,
    /// Number of handled events.
    pub events: u64,
}

impl Clock {
    /// Time of the event being handled, in picoseconds. Between two windows, of the last event.
    #[inline(always)]
    pub const fn now(&self) -> u64 {
        self.now
    }

    /// Key of the event being handled.
    #[inline]
    pub const fn current_key(&self) -> EventKey {
        self.current_key
    }

    /// The next event is handled. Only the event loop calls this.
    #[inline(always)]
    pub fn advance(&mut self, key: EventKey) {
        debug_assert!(key.time >= self.current_key.time, "time does not go back: {key:?} after {:?}", self.current_key);
        (self.now, self.current_key) = (key.time.0, key);
    }

    /// The turn of the next block begins: its time begins again with the window.
    pub fn begin_turn(&mut self) {
        self.latest = self.now;
        self.current_key = EventKey::default();
    }

    /// The turn of a block has ended.
    pub fn end_turn(&mut self) {
        self.now = self.now.max(self.latest);
    }
}
