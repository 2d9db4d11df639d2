//! Timers of the state machine.

use std::collections::BTreeSet;

/// The purpose of a timer. Each has one due time; setting it again moves it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Timer {
    /// An agent should have been heard from.
    Silence(u32),
    /// A section of a switch must be retried, or its answer is overdue.
    Section(u32, u8),
    /// A round of table activation is overdue.
    Round,
    /// A starting fabric must be routed.
    BringUp,
    /// A link has been up for long enough.
    HoldDown(u32),
    /// The neighbour of a port should have been heard.
    Neighbour(u32),
}

/// All timers, in order of time.
#[derive(Debug, Default)]
pub struct Timers {
    due: BTreeSet<(u64, Timer)>,
    at: std::collections::BTreeMap<Timer, u64>,
}

impl Timers {
    /// Sets or moves a timer.
    pub fn set(&mut self, timer: Timer, at_ms: u64) {
        if let Some(old) = self.at.insert(timer, at_ms) {
            self.due.remove(&(old, timer));
        }
        self.due.insert((at_ms, timer));
    }

    /// Forgets a timer.
    pub fn clear(&mut self, timer: Timer) {
        if let Some(old) = self.at.remove(&timer) {
            self.due.remove(&(old, timer));
        }
    }

    /// When a timer is due, if it is set.
    pub fn at(&self, timer: Timer) -> Option<u64> {
        self.at.get(&timer).copied()
    }

    /// When the next timer is due.
    pub fn next(&self) -> Option<u64> {
        self.due.first().map(|&(at, _)| at)
    }

    /// Takes the next timer that is due by now.
    pub fn take(&mut self, now_ms: u64) -> Option<Timer> {
        let &(at, timer) = self.due.first().filter(|due| due.0 <= now_ms)?;
        self.due.remove(&(at, timer));
        self.at.remove(&timer);
        Some(timer)
    }
}
