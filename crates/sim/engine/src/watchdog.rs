//! The watchdog: notices that simulated time passes while nothing progresses.

use philae_units::Picoseconds;

/// Compares a progress counter (for example of moved packets) with simulated time.
#[derive(Clone, Debug, serde::Serialize, serde::Deserialize)]
pub struct Watchdog {
    stall_max: Picoseconds,
    seen: u64,
    since: Picoseconds,
}

impl Watchdog {
    /// A watchdog that reports when the counter has not changed for `stall_max` while something was
    /// waiting.
    #[must_use]
    pub const fn new(stall_max: Picoseconds) -> Self {
        Self { stall_max, seen: 0, since: Picoseconds::ZERO }
    }

    /// Takes the time, the counter, and whether anything is waiting. Returns how long nothing has
    /// moved, once that exceeds the patience.
    pub fn observe(&mut self, now: Picoseconds, progress: u64, waiting: bool) -> Option<Picoseconds> {
        if progress != self.seen || !waiting {
            self.seen = progress;
            self.since = now;
            return None;
        }
        let still = now.saturating_sub(self.since);
        (still > self.stall_max).then_some(still)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reports_only_when_packets_wait_and_none_moves() {
        let mut dog = Watchdog::new(Picoseconds(100));
        assert_eq!(dog.observe(Picoseconds(50), 1, true), None);
        assert_eq!(dog.observe(Picoseconds(500), 1, false), None, "an idle network is not stalled");
        assert_eq!(dog.observe(Picoseconds(550), 1, true), None);
        assert_eq!(dog.observe(Picoseconds(601), 1, true), Some(Picoseconds(101)));
        assert_eq!(dog.observe(Picoseconds(602), 2, true), None);
    }
}
