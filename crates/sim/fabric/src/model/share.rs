//! The share of a process in a run.

/// The number of this process among those that share the run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProcessShare {
    /// Its number, from 0 on.
    pub number: u32,
    /// Number of processes.
    pub count: u32,
}

impl ProcessShare {
    /// A run in a single process.
    pub const WHOLE: Self = Self { number: 0, count: 1 };

    /// Whether this process builds the record.
    #[must_use]
    pub const fn is_first(self) -> bool {
        self.number == 0
    }

    /// Its part of `things` things, which are in order.
    #[must_use]
    pub fn of(self, items: usize) -> std::ops::Range<usize> {
        let bound = |number: u32| (items as u64 * u64::from(number) / u64::from(self.count)) as usize;
        bound(self.number)..bound(self.number + 1)
    }

    /// The number of the process that has `thing`.
    #[must_use]
    pub fn owner(self, item: usize, items: usize) -> u32 {
        (((item as u64 + 1) * u64::from(self.count) - 1) / items as u64) as u32
    }
}
