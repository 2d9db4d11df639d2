//! Partitions on several threads.
//!
//! Within a window partitions touch nothing of each other. Threads share only what does not change,
//! and no decision depends on which thread is first. One thread does a window's work for a
//! partition, and all threads end before the next window begins. Where a thread has several
//! partitions, one that is done takes those that another has not begun.

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};

use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::model::error::FabricError;
use crate::partition::Partition;
use crate::sched::outbox::PartitionTraffic;

/// The threads of a run, and whether the last window was worth them.
pub struct WorkerPool {
    /// The threads besides the caller's own, for the whole run: they reuse what they have allocated
    /// and what is in their caches.
    others: Option<ThreadPool>,
    events_min: u64,
    events_before: u64,
    is_busy: bool,
}

impl WorkerPool {
    /// Starts `threads` threads, counting the caller's own.
    ///
    /// They work on a window if the one before had at least `events_min` events.
    ///
    /// # Errors
    /// [`FabricError::Threads`] if the machine does not start them.
    pub fn new(threads: usize, events_min: u64) -> Result<Self, FabricError> {
        let others = if threads > 1 {
            let built = ThreadPoolBuilder::new().num_threads(threads - 1).build();
            Some(built.map_err(|error| FabricError::Threads { asked: threads, found: error.to_string() })?)
        } else {
            None
        };
        Ok(Self { others, events_min, events_before: 0, is_busy: false })
    }

    /// Notes the number of events so far, after a window.
    pub const fn note(&mut self, events: u64) {
        self.is_busy = events - self.events_before >= self.events_min;
        self.events_before = events;
    }

    /// The other threads, if this window is worth waking them.
    fn worthwhile_pool(&self) -> Option<&ThreadPool> {
        self.others.as_ref().filter(|_| self.is_busy)
    }

    /// Carries out a window's work in every partition.
    pub fn run(&self, partitions: &mut [Partition], work: impl Fn(&mut Partition) + Sync) {
        match self.worthwhile_pool() {
            None => partitions.iter_mut().for_each(work),
            others => for_each(partitions.iter_mut().collect(), others, work),
        }
    }

    /// Hands over what partitions sent each other in the last window.
    pub fn exchange(&self, partitions: &mut [Partition]) {
        if partitions.len() <= 1 {
            return;
        }
        // What came from other processes has been taken already.
        let first = usize::from(partitions[0].layout.number);
        let Some(others) = self.worthwhile_pool() else { return hand_over(partitions, first) };
        let mut inboxes: Vec<Vec<PartitionTraffic>> = Vec::with_capacity(partitions.len());
        for to in first..first + partitions.len() {
            inboxes.push(partitions.iter_mut().map(|from| std::mem::take(from.sched.outbox.of(to))).collect());
        }
        for_each(partitions.iter_mut().zip(&mut inboxes).collect(), Some(others), |(partition, inbox)| {
            inbox.iter_mut().for_each(|sent| partition.receive_all(sent));
        });
        // The boxes go back. A new box in each window would be copied as it grows, in each window.
        for (to, inbox) in (first..).zip(inboxes) {
            partitions.iter_mut().zip(inbox).for_each(|(from, emptied)| *from.sched.outbox.of(to) = emptied);
        }
    }
}

/// Hands over what `partitions` sent each other, on this thread and with no more work than there
/// are messages. `first` is the number of the first partition.
fn hand_over(partitions: &mut [Partition], first: usize) {
    for from in 0..partitions.len() {
        if !partitions[from].sched.outbox.was_used() {
            continue;
        }
        for to in 0..partitions.len() {
            let sent = partitions[from].sched.outbox.of(first + to);
            if !sent.is_empty() {
                let mut sent = std::mem::take(sent);
                partitions[to].receive_all(&mut sent);
                *partitions[from].sched.outbox.of(first + to) = sent;
            }
        }
    }
}

/// The work left in a window, by thread. Each thread has a run of neighbours and takes the first of
/// them. When its run is done, it takes the last of the longest run. So a partition is usually with
/// the thread that had it before, and no thread waits while there is work to begin.
struct Runs<T>(Mutex<Vec<VecDeque<T>>>);

impl<T> Runs<T> {
    fn new(items: Vec<T>, threads: usize) -> Self {
        let count = items.len();
        let mut items = items.into_iter();
        let length = |thread: usize| count * (thread + 1) / threads - count * thread / threads;
        Self(Mutex::new((0..threads).map(|thread| items.by_ref().take(length(thread)).collect()).collect()))
    }

    fn next(&self, thread: usize) -> Option<T> {
        let mut runs = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        runs[thread].pop_front().or_else(|| runs.iter_mut().max_by_key(|run| run.len()).and_then(VecDeque::pop_back))
    }
}

/// Calls `work` for each item, here and on other threads. An assertion that fails in one of them
/// fails here, with its own words.
fn for_each<T: Send>(items: Vec<T>, others: Option<&ThreadPool>, work: impl Fn(T) + Sync) {
    let Some(others) = others else { return items.into_iter().for_each(work) };
    let threads = (others.current_num_threads() + 1).min(items.len()).max(1);
    let runs = Runs::new(items, threads);
    let take = |thread| {
        while let Some(item) = runs.next(thread) {
            work(item);
        }
    };
    others.in_place_scope(|scope| {
        let take = &take;
        (1..threads).for_each(|thread| scope.spawn(move |_| take(thread)));
        take(0);
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Condvar;
    use std::time::Duration;

    /// How long a test waits for what never comes.
    const WAIT_MAX: Duration = Duration::from_secs(60);

    #[test]
    fn every_item_is_processed_once_with_any_number_of_threads() {
        for items in 0..9_usize {
            for threads in 1..6 {
                let pool = WorkerPool::new(threads, 0).expect("they start");
                let done = Mutex::new(Vec::new());
                for_each((0..items).collect(), pool.others.as_ref(), |item: usize| {
                    done.lock().expect("no thread panics").push(item)
                });
                let mut done = done.into_inner().expect("no thread panics");
                done.sort_unstable();
                assert_eq!(done, (0..items).collect::<Vec<_>>(), "{items} items on {threads} threads");
            }
        }
    }

    #[test]
    fn an_idle_thread_takes_items_that_another_has_not_begun() {
        for threads in 2..5 {
            let pool = WorkerPool::new(threads, 0).expect("they start");
            let items = 4 * threads;
            let (done, all_others) = (Mutex::new(0), Condvar::new());
            for_each((0..items).collect(), pool.others.as_ref(), |item: usize| {
                let mut done = done.lock().expect("no thread panics");
                if item > 0 {
                    *done += 1;
                    all_others.notify_one();
                    return;
                }
                // The first item takes as long as all others together, including the others of its
                // own run.
                while *done < items - 1 {
                    let (waited, timeout) = all_others.wait_timeout(done, WAIT_MAX).expect("no thread panics");
                    assert!(!timeout.timed_out(), "{} of {items} done", *waited);
                    done = waited;
                }
            });
        }
    }

    #[test]
    fn runs_are_consecutive_and_a_thief_takes_the_last_item() {
        let runs = Runs::new((0..7).collect(), 2);
        let taken = [0, 1, 1, 1, 1, 1, 0, 0].map(|thread| runs.next(thread));
        assert_eq!(taken, [Some(0), Some(3), Some(4), Some(5), Some(6), Some(2), Some(1), None]);
    }

    #[test]
    fn a_panic_in_a_thread_fails_the_run_with_its_own_text() {
        let failed = std::panic::catch_unwind(|| {
            let pool = WorkerPool::new(3, 0).expect("they start");
            for_each(vec![1, 2, 3], pool.others.as_ref(), |item| assert!(item != 3, "item {item} is one too many"));
        });
        let words = failed.expect_err("it fails").downcast::<String>().expect("words");
        assert_eq!(*words, "item 3 is one too many");
    }
}
