//! What the calls of a rank cost, and what its computation does.

use std::sync::atomic::{AtomicU64, Ordering};

/// How long a rank computes between two calls.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ComputeTime {
    /// No time.
    #[default]
    None,
    /// The same time before every call, in picoseconds.
    Fixed(u64),
    /// The processor time of its thread, times this factor in thousandths.
    Processor(u64),
}

/// The costs of calls, in picoseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RankCosts {
    /// A poll that finds nothing.
    pub poll: u64,
    /// Taking the completion of a receive.
    pub receive: u64,
    /// Copying 1,024 bytes of a message that the host's core copies.
    pub copy: u64,
    /// The longest message that it copies, in bytes.
    pub copied_max: u64,
    /// Reading a clock.
    pub clock: u64,
    /// Computation between calls.
    pub compute: ComputeTime,
}

/// The same in shared memory.
#[derive(Debug)]
#[repr(C)]
pub struct CostWords([AtomicU64; 7]);

/// The kinds of computation, by number.
const FIXED: u64 = 1;
const PROCESSOR: u64 = 2;

impl CostWords {
    pub fn store(&self, costs: &RankCosts) {
        let (kind, value) = match costs.compute {
            ComputeTime::None => (0, 0),
            ComputeTime::Fixed(time) => (FIXED, time),
            ComputeTime::Processor(factor) => (PROCESSOR, factor),
        };
        let RankCosts { poll, receive, copy, copied_max, clock, .. } = *costs;
        for (word, value) in self.0.iter().zip([poll, receive, copy, copied_max, clock, kind, value]) {
            word.store(value, Ordering::Release);
        }
    }

    pub fn load(&self) -> RankCosts {
        let [poll, receive, copy, copied_max, clock, kind, value] =
            self.0.each_ref().map(|word| word.load(Ordering::Acquire));
        let compute = match kind {
            FIXED => ComputeTime::Fixed(value),
            PROCESSOR => ComputeTime::Processor(value),
            _ => ComputeTime::None,
        };
        RankCosts { poll, receive, copy, copied_max, clock, compute }
    }
}
