//! Receives of rank -333: from any source, or from no process.
//!
//! SimGrid writes the same number for `MPI_ANY_SOURCE` and for `MPI_PROC_NULL`. A blocking receive
//! of no process is not in a trace at all. Of the others, as many are of any source as there are
//! messages left over by the receives that name their source: programs that exchange halos have
//! none left over.

use std::collections::BTreeMap;

use super::sequence::RankTasks;
use crate::task::TaskKind;

/// Messages and receives of a rank with a tag.
#[derive(Clone, Copy, Debug, Default)]
struct Count {
    /// Messages sent to it.
    sent: u64,
    /// Receives that name their source, or that cannot be of no process.
    certain: u64,
    /// Receives that may be of no process.
    open: u64,
}

/// The messages of all ranks, as far as known.
#[derive(Debug, Default)]
pub(super) struct Unnamed {
    counts: BTreeMap<(u32, Option<u64>), Count>,
    /// Receives that may be of no process: rank, tag, task.
    open: Vec<(u32, Option<u64>, u32)>,
}

impl Unnamed {
    /// Counts a message to a rank, or to none.
    pub fn sent_to(&mut self, to: Option<u32>, tag: u64) {
        if let Some(to) = to {
            self.counts.entry((to, Some(tag))).or_default().sent += 1;
        }
    }

    /// Counts a receive that gets a message.
    pub fn received(&mut self, rank: u32, tag: Option<u64>) {
        self.counts.entry((rank, tag)).or_default().certain += 1;
    }

    /// Adds a receive that may be of no process.
    pub fn may_receive(&mut self, rank: u32, tag: Option<u64>, task: u32) {
        self.counts.entry((rank, tag)).or_default().open += 1;
        self.open.push((rank, tag, task));
    }

    /// Turns receives of no process into nothing. Returns the number of receives that remain
    /// ambiguous.
    pub fn resolve(self, sequences: &mut [RankTasks]) -> u64 {
        let left = |rank: u32, tag: Option<u64>| -> u64 {
            let of = |count: &Count| count.sent.saturating_sub(count.certain);
            match tag {
                Some(_) => self.counts.get(&(rank, tag)).map_or(0, of),
                None => {
                    let all: u64 =
                        self.counts.range((rank, Some(0))..=(rank, Some(u64::MAX))).map(|(_, count)| of(count)).sum();
                    all.saturating_sub(self.counts.get(&(rank, None)).map_or(0, |count| count.certain))
                }
            }
        };
        let mut taken: BTreeMap<(u32, Option<u64>), u64> = BTreeMap::new();
        let mut uncertain = 0;
        for &(rank, tag, task) in &self.open {
            let (left, open) = (left(rank, tag), self.counts[&(rank, tag)].open);
            let taken = taken.entry((rank, tag)).or_default();
            uncertain += u64::from(left > 0 && left < open);
            if *taken < left {
                *taken += 1;
            } else {
                sequences[rank as usize].tasks[task as usize].what = TaskKind::Join;
            }
        }
        uncertain
    }
}
