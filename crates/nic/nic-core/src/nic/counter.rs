//! Counters of successes and failures, and operations that wait for them.

use super::chain::{ChainLinks, Chained, Ends};
use super::list::ListFull;

/// Greatest count of successes. Source: fi_cxi(7), 48 bits. Status: published.
pub const SUCCESS_MAX: u64 = (1 << 48) - 1;
/// Greatest count of failures. Source: fi_cxi(7), 7 bits. Status: published.
pub const FAILURE_MAX: u64 = (1 << 7) - 1;

/// A counter. It wraps, as the hardware's does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C)]
pub struct NicCounter {
    success: u64,
    failure: u64,
}

impl NicCounter {
    /// Successes.
    #[must_use]
    pub const fn success(&self) -> u64 {
        self.success
    }

    /// Failures.
    #[must_use]
    pub const fn failure(&self) -> u64 {
        self.failure
    }

    /// Counts successes.
    pub const fn add(&mut self, count: u64) {
        self.success = self.success.wrapping_add(count) & SUCCESS_MAX;
    }

    /// Counts failures.
    pub const fn add_failures(&mut self, count: u64) {
        self.failure = self.failure.wrapping_add(count) & FAILURE_MAX;
    }

    /// Sets the successes.
    pub const fn set(&mut self, count: u64) {
        self.success = count & SUCCESS_MAX;
    }

    pub const fn set_failures(&mut self, count: u64) {
        self.failure = count & FAILURE_MAX;
    }
}

/// An operation that waits until a counter reaches a threshold. The driver numbers the operations.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C)]
pub struct Trigger {
    pub counter: u32,
    pub operation: u32,
    /// The number of successes at which the operation begins.
    pub threshold: u64,
    links: [ChainLinks; 1],
}

impl Chained<1> for Trigger {
    fn links(&self) -> &[ChainLinks; 1] {
        &self.links
    }
    fn links_mut(&mut self) -> &mut [ChainLinks; 1] {
        &mut self.links
    }
}

/// The ends of the chains of triggers.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C)]
pub struct TriggerHeads {
    vacant: Ends,
    waiting: Ends,
}

impl TriggerHeads {
    /// The heads of a pool of which no entry is in use.
    #[must_use]
    pub fn of(pool: &mut [Trigger]) -> Self {
        let mut heads = Self::default();
        for index in 0..pool.len() {
            heads.vacant.push(pool, 0, index as u32);
        }
        heads
    }
}

/// Triggers that wait for counters: a view of a pool and its heads, wherever they lie.
#[derive(Debug)]
pub struct Triggers<'a> {
    pool: &'a mut [Trigger],
    heads: &'a mut TriggerHeads,
}

impl<'a> Triggers<'a> {
    /// A view of `pool` and `heads`.
    pub fn new(pool: &'a mut [Trigger], heads: &'a mut TriggerHeads) -> Self {
        Self { pool, heads }
    }

    /// Adds an operation that waits.
    ///
    /// # Errors
    /// [`ListFull`].
    pub fn add(&mut self, counter: u32, threshold: u64, operation: u32) -> Result<(), ListFull> {
        let full = ListFull { list: "triggered-operation", places: self.pool.len() };
        let index = self.heads.vacant.pop(self.pool, 0).ok_or(full)?;
        self.pool[index as usize] = Trigger { counter, operation, threshold, links: [ChainLinks::default()] };
        self.heads.waiting.push(self.pool, 0, index);
        Ok(())
    }

    /// Takes out the operation that is due now that `counter` has `successes`: the one with the
    /// lowest threshold, and among equal ones the first that was added. One call returns one
    /// operation, because the operation may count as well.
    pub fn due(&mut self, counter: u32, successes: u64) -> Option<u32> {
        let is_due = |trigger: &Trigger| trigger.counter == counter && trigger.threshold <= successes;
        let mut least: Option<u64> = None;
        // The closure visits every entry: the search never ends early.
        let _ = self.heads.waiting.find(self.pool, 0, |trigger| {
            if is_due(trigger) {
                least = Some(least.map_or(trigger.threshold, |least| least.min(trigger.threshold)));
            }
            false
        });
        let threshold = least?;
        let found =
            self.heads.waiting.find(self.pool, 0, |trigger| is_due(trigger) && trigger.threshold == threshold)?;
        Some(self.take(found))
    }

    /// Takes out an operation that has not begun, and returns whether it was there.
    pub fn cancel(&mut self, operation: u32) -> bool {
        let found = self.heads.waiting.find(self.pool, 0, |trigger| trigger.operation == operation);
        found.map(|index| self.take(index)).is_some()
    }

    fn take(&mut self, index: u32) -> u32 {
        self.heads.waiting.remove(self.pool, 0, index);
        self.heads.vacant.push_front(self.pool, 0, index);
        self.pool[index as usize].operation
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counters_wrap_at_the_hardwares_widths() {
        let mut counter = NicCounter::default();
        counter.set(SUCCESS_MAX);
        counter.add(3);
        counter.set_failures(127);
        counter.add_failures(1);
        assert_eq!((counter.success(), counter.failure()), (2, 0));
    }

    #[test]
    fn operations_begin_in_the_order_of_their_thresholds() {
        let mut pool = vec![Trigger::default(); 4];
        let mut heads = TriggerHeads::of(&mut pool);
        let mut triggers = Triggers::new(&mut pool, &mut heads);
        for (counter, threshold, operation) in [(0, 5, 50), (0, 2, 20), (1, 1, 11), (0, 2, 21)] {
            triggers.add(counter, threshold, operation).expect("there is room");
        }
        assert!(triggers.add(0, 1, 10).is_err());
        assert_eq!(triggers.due(0, 1), None);
        let begun: Vec<u32> = std::iter::from_fn(|| triggers.due(0, 9)).collect();
        assert_eq!(begun, [20, 21, 50]);
        assert!(triggers.cancel(11) && !triggers.cancel(11));
        assert_eq!(triggers.due(1, 9), None, "cancelled");
        triggers.add(0, 1, 10).expect("there is room again");
    }
}
