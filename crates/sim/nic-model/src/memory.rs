//! The memory of a node: one bandwidth that all of its NICs and cores share.
//!
//! NICs take turns in the order in which they ask. A copy by a core is read and written, so it
//! moves its bytes twice. Copies take a part of the bandwidth while they last, and NICs have the
//! rest. A copy begins behind what NICs have been promised, so a promise is kept, and all that is
//! promised fits the bandwidth.

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};

use crate::node::{NodeParameters, later, time_of};

/// When the memory of a node is free, in picoseconds.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Memory {
    /// For the NICs.
    free_at: u64,
    /// When copies take their part: from when until when, in order, without overlaps.
    copies: VecDeque<(u64, u64)>,
    /// When it last began to work after it had been idle.
    busy_from: u64,
    /// Work that it has promised since, as time of its whole bandwidth.
    promised: u64,
}

impl NodeParameters {
    /// What the memory has for NICs and copies, in megabytes per second; 0: no limit.
    #[must_use]
    pub const fn memory_rate(&self) -> u32 {
        self.memory_mbytes.saturating_sub(self.memory_reserved_mbytes)
    }

    /// Time of a NIC's `bytes` in an idle memory, in picoseconds.
    #[must_use]
    pub const fn memory_time(&self, bytes: u64) -> u64 {
        time_of(bytes, self.memory_rate())
    }

    /// Time for which a copy of `bytes` takes its part of the memory, in picoseconds.
    #[must_use]
    pub const fn memory_copy_time(&self, bytes: u64) -> u64 {
        match self.memory_copies_percent {
            0 => 0,
            part => (time_of(2 * bytes, self.memory_rate()) * 100).div_ceil(part as u64),
        }
    }

    /// How much longer a core takes for `bytes` in an idle memory than the `copy` alone, in
    /// picoseconds.
    #[must_use]
    pub const fn copy_waits(&self, bytes: u64, copy: u64) -> u64 {
        self.memory_copy_time(bytes).saturating_sub(copy)
    }
}

impl Memory {
    /// When all that is promised is done.
    fn horizon(&self) -> u64 {
        later(self.free_at, self.copies.back().map_or(0, |&(_, end)| end))
    }

    fn promise(&mut self, now: u64, work: u64) {
        if now >= self.horizon() {
            (self.busy_from, self.promised) = (now, 0);
        }
        self.promised += work;
    }

    /// When a NIC that asks at `time` has moved `bytes`, if nothing else asks before.
    #[must_use]
    pub fn moved(&self, node: &NodeParameters, time: u64, bytes: u64) -> u64 {
        let mut work = node.memory_time(bytes);
        if work == 0 {
            return time;
        }
        let left = 100 - u64::from(node.memory_copies_percent);
        let mut at = later(time, self.free_at);
        for &(start, end) in &self.copies {
            if end <= at {
                continue;
            }
            if work <= start.saturating_sub(at) {
                break;
            }
            work -= start.saturating_sub(at);
            at = later(at, start);
            let beside = (end - at) * left / 100;
            if work <= beside {
                return at + (work * 100).div_ceil(left);
            }
            work -= beside;
            at = end;
        }
        at + work
    }

    /// A NIC moves `bytes` from `now` on. Returns when it has.
    pub fn transfer(&mut self, node: &NodeParameters, now: u64, bytes: u64) -> u64 {
        let work = node.memory_time(bytes);
        if work == 0 {
            return now;
        }
        self.promise(now, work);
        let from = later(now, self.free_at);
        while self.copies.front().is_some_and(|&(_, end)| end <= from) {
            self.copies.pop_front();
        }
        self.free_at = self.moved(node, now, bytes);
        self.free_at
    }

    /// A core asks `now` to copy `bytes`. Returns from when on it may, and for how long the copy
    /// takes its part.
    pub fn copy(&mut self, node: &NodeParameters, now: u64, bytes: u64) -> (u64, u64) {
        let span = node.memory_copy_time(bytes);
        if span == 0 {
            return (now, 0);
        }
        self.promise(now, span * u64::from(node.memory_copies_percent) / 100);
        let start = later(now, self.horizon());
        match self.copies.back_mut() {
            Some((_, end)) if *end == start => *end += span,
            _ => self.copies.push_back((start, start + span)),
        }
        (start, span)
    }

    /// What is wrong with the account, for audits: it has promised more than its bandwidth.
    #[must_use]
    pub fn fault(&self) -> Option<String> {
        let span = self.horizon().saturating_sub(self.busy_from);
        let (promised, from) = (self.promised, self.busy_from);
        (promised > span).then(|| {
            format!("it has promised {promised} ps of work from {from} ps on, which is to be done in {span} ps")
        })
    }

    /// Memory held, in bytes.
    #[must_use]
    pub fn memory_bytes(&self) -> usize {
        size_of::<Self>() + self.copies.capacity() * size_of::<(u64, u64)>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// 1 byte per nanosecond.
    fn node() -> NodeParameters {
        NodeParameters {
            memory_mbytes: 1_500,
            memory_reserved_mbytes: 500,
            memory_copies_percent: 50,
            ..NodeParameters::cassini_1()
        }
    }

    #[test]
    fn nics_take_turns_and_what_cores_reserve_is_gone() {
        let (node, mut memory) = (node(), Memory::default());
        let ends: Vec<u64> = (0..3).map(|_| memory.transfer(&node, 0, 100)).collect();
        assert_eq!(ends, [100_000, 200_000, 300_000]);
        assert_eq!(memory.transfer(&node, 900_000, 100), 1_000_000, "it was idle");
        let free = NodeParameters { memory_mbytes: 0, memory_reserved_mbytes: 0, ..node };
        assert_eq!((memory.transfer(&free, 5, 100), memory.copy(&free, 5, 100)), (5, (5, 0)), "no limit");
    }

    #[test]
    fn a_copy_leaves_the_nics_their_part() {
        let (node, mut memory) = (node(), Memory::default());
        assert_eq!(memory.transfer(&node, 0, 100), 100_000);
        // 400 bytes at half of the bandwidth, behind what the NIC was promised.
        assert_eq!(memory.copy(&node, 0, 200), (100_000, 800_000));
        assert_eq!(memory.moved(&node, 0, 100), 300_000, "half of the bandwidth is left");
        assert_eq!(memory.moved(&node, 850_000, 100), 850_000 + 50_000 + 75_000, "half until 900 ns, then all");
        assert_eq!(memory.transfer(&node, 0, 500), 900_000 + 100_000);
        assert_eq!(memory.copy(&node, 0, 1).0, 1_000_000);
        assert_eq!(memory.fault(), None);
    }

    #[test]
    fn a_copy_of_all_the_bandwidth_stops_the_nics() {
        let node = NodeParameters { memory_copies_percent: 100, ..node() };
        let mut memory = Memory::default();
        assert_eq!(memory.copy(&node, 0, 100), (0, 200_000));
        assert_eq!(memory.transfer(&node, 50_000, 100), 300_000);
    }

    #[test]
    fn a_promise_beyond_the_bandwidth_is_found() {
        let (node, mut memory) = (node(), Memory::default());
        memory.transfer(&node, 0, 100);
        memory.copy(&node, 0, 100);
        assert_eq!(memory.fault(), None);
        // As if the second asker had not waited for the first.
        memory.copies.clear();
        let told = memory.fault().expect("it promised 300 ns of work in 100");
        assert!(told.contains("300000 ps of work") && told.contains("in 100000 ps"), "{told}");
    }

    proptest! {
        /// In any order and at any times of accesses: in every stretch of time, no more is moved
        /// than the bandwidth allows.
        #[test]
        fn memory_moves_no_more_than_its_bandwidth(
            asked in prop::collection::vec((0_u64..3_000, 1_u64..4_000, prop::bool::ANY), 1..80),
            part in 1_u32..=100,
        ) {
            let node = NodeParameters { memory_copies_percent: part, ..node() };
            let (mut memory, mut now, mut last) = (Memory::default(), 0, 0);
            let (mut began, mut work, mut done) = (0, 0, 0);
            for (gap, bytes, is_copy) in asked {
                now += gap * 1_000;
                if now >= done {
                    (began, work) = (now, 0);
                }
                if is_copy {
                    let (start, span) = memory.copy(&node, now, bytes);
                    prop_assert!(start >= now && span >= 2 * bytes * 1_000);
                    done = done.max(start + span);
                    work += 2 * bytes * 1_000;
                } else {
                    let end = memory.transfer(&node, now, bytes);
                    prop_assert!(end >= last && end >= now + bytes * 1_000, "in order, and not faster than alone");
                    (last, done) = (end, done.max(end));
                    work += bytes * 1_000;
                }
                prop_assert!(done - began >= work, "{work} ps of work in {} ps", done - began);
                prop_assert_eq!(memory.fault(), None);
            }
        }
    }
}
