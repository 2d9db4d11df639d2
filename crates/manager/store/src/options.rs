//! The store's limits. Each has a default that suits a manager of one fabric.

/// Limits of a store. None of them is part of its format: each opening may choose others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoreOptions {
    /// The largest value of one document, bytes. Default 4 MiB.
    pub value_bytes_max: usize,
    /// The largest change, bytes of keys, values and texts. Default 32 MiB.
    pub change_bytes_max: usize,
    /// The most writes of one change. Default 65,536.
    pub change_writes_max: usize,
    /// The longest actor, request id, reason or idempotency key, bytes. Default 4,096.
    pub text_bytes_max: usize,
    /// Changes that may wait for the writer; further ones get `Busy`. Default 4,096.
    pub queue_changes_max: usize,
    /// Bytes of changes that may wait for the writer. Default 64 MiB.
    pub queue_bytes_max: usize,
    /// The most changes that share one write to the disk. Default 1,024.
    pub batch_changes_max: usize,
    /// Bytes of changes after which a batch is closed. Default 8 MiB.
    pub batch_bytes_max: usize,
    /// How many idempotency keys are remembered. Default 65,536.
    pub remembered_max: usize,
    /// How long an idempotency key is remembered, microseconds of the callers' time. Default a day.
    pub remembered_micros: u64,
    /// Entries kept in memory for watchers; a watcher that falls further behind is cut off. Default
    /// 4,096.
    pub watch_entries_max: usize,
    /// Bytes of such entries. Default 64 MiB.
    pub watch_bytes_max: usize,
    /// The most memory for redb's cache of the file, bytes. Default 64 MiB.
    pub cache_bytes: usize,
}

impl Default for StoreOptions {
    fn default() -> Self {
        Self {
            value_bytes_max: 4 << 20,
            change_bytes_max: 32 << 20,
            change_writes_max: 65_536,
            text_bytes_max: 4_096,
            queue_changes_max: 4_096,
            queue_bytes_max: 64 << 20,
            batch_changes_max: 1_024,
            batch_bytes_max: 8 << 20,
            remembered_max: 65_536,
            remembered_micros: 24 * 3600 * 1_000_000,
            watch_entries_max: 4_096,
            watch_bytes_max: 64 << 20,
            cache_bytes: 64 << 20,
        }
    }
}
