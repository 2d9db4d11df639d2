//! Watches the processes from outside of simulated time.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use philae_cosim::{ProcessState, RankFault, WaitKind};
use philae_units::{Picoseconds, RankId};
use philae_workload::{Between, OperationEnd, ProcessSupervisor};

use crate::rank::RankPhase;
use crate::run::Run;

/// How long all ranks that are outside may sleep while nothing else can happen. Source: ours.
/// Status: assumed.
const PATIENCE: Duration = Duration::from_secs(10);
/// How often it looks at them meanwhile. Source: ours. Status: assumed.
const LOOK_EVERY: Duration = Duration::from_millis(20);
/// A rank that sleeps at so many looks, a millisecond apart, does not come back now. Source: ours.
/// Status: assumed.
const SETTLED: u32 = 3;
/// How long all threads of the ranks sleep before a run with several threads in a rank is taken for
/// a deadlock. Source: ours. Status: assumed.
const THREADS_ASLEEP: Duration = Duration::from_secs(3);
/// How long they sleep before ranks that poll do so once meanwhile; then twice as long, and so on.
/// A library lets go of its lock when it polls. Source: ours. Status: assumed.
const POLL_AFTER: Duration = Duration::from_millis(100);
/// So many polls are within [`THREADS_ASLEEP`]. Source: ours. Status: assumed.
const POLLS_ASLEEP: u32 = 5;
/// How long, and in how many polls of all ranks at least, ranks may find nothing while nothing else
/// can happen. Programs that give up after a number of polls go on, and so do those that move
/// messages through memory for a while. Source: ours; a second of polls. Status: assumed.
const IN_VAIN: (Duration, usize) = (Duration::from_secs(2), 200_000);

#[derive(Debug)]
pub struct Supervisor {
    run: Arc<Run>,
    /// Polls since anything happened, since when, and how much had happened until then.
    polls: usize,
    since: Instant,
    happenings: usize,
    looked_at: Instant,
    /// The rank that could go on by itself when that was last asked.
    active: u32,
    /// What had happened when it last waited for ranks outside and none came.
    held_in_vain: Option<usize>,
    /// What had happened when it last waited for threads, and all of them slept.
    threads_awaited: Option<usize>,
    /// What had happened when ranks last polled while it waited for threads, and how often they
    /// did.
    polled_asleep: (usize, u32),
}

impl ProcessSupervisor for Supervisor {
    fn between(&mut self, now: Picoseconds, next: Option<Picoseconds>) -> Between {
        if self.run.is_stopped() {
            return Between::Stop;
        }
        if let Some(wanted) = self.wanted(now) {
            return wanted;
        }
        if next.is_none() {
            let held = self.hold(now).or_else(|| self.await_threads(now));
            return held.unwrap_or_else(|| self.poll(now));
        }
        let is_idle = self.is_program_idle();
        if self.run.outside.load(Ordering::Relaxed) == 0 {
            // Only polls can find anything: what ranks move through memory, for instance.
            return if is_idle { self.judge(now) } else { Between::Nothing };
        }
        if is_idle && self.held_in_vain != Some(self.run.happenings.load(Ordering::Relaxed)) {
            // Only other jobs go on: the program's time stands still until it does something.
            return self.hold(now).unwrap_or(Between::Nothing);
        }
        self.look();
        if self.is_next_a_poll(next) {
            // Only polls go on, and those of ranks that may wait for one outside.
            return self.hold(now).unwrap_or(Between::Nothing);
        }
        let back = self.back(now);
        if back.is_empty() { Between::Nothing } else { Between::End(back) }
    }
}

impl Supervisor {
    pub fn new(run: Arc<Run>) -> Self {
        let now = Instant::now();
        Self {
            run,
            polls: 0,
            since: now,
            happenings: 0,
            looked_at: now,
            active: 0,
            held_in_vain: None,
            threads_awaited: None,
            polled_asleep: (0, 0),
        }
    }

    /// Whether the next event is a poll of a rank that waits, and all others wait too, or are
    /// outside: their operations may wait for a rank outside.
    fn is_next_a_poll(&self, next: Option<Picoseconds>) -> bool {
        if self.held_in_vain == Some(self.run.happenings.load(Ordering::Relaxed)) {
            return false;
        }
        let mut first: Option<Picoseconds> = None;
        for rank in 0..self.run.ranks() {
            match self.run.rank(rank).phase {
                RankPhase::Waits { kind: WaitKind::Poll, until, is_over: false, .. } => {
                    first = until.map(|until| first.map_or(until, |first| first.min(until))).or(first);
                }
                RankPhase::Waits { kind: WaitKind::Event, is_over: false, is_limited: false, .. }
                | RankPhase::Outside { .. }
                | RankPhase::Gone
                | RankPhase::Failed => {}
                _ => return false,
            }
        }
        next.zip(first).is_some_and(|(next, first)| next >= first)
    }

    /// Ends the waits of ranks of which another thread wants to make a call.
    fn wanted(&self, now: Picoseconds) -> Option<Between> {
        if !self.run.coordinator.has_wants() {
            return None;
        }
        let mut ends = Vec::new();
        for rank in (0..self.run.ranks()).filter(|rank| self.run.coordinator.wants_in(*rank)) {
            if let RankPhase::Waits { event, is_over: false, .. } = self.run.rank(rank).phase {
                ends.push(self.end(rank, event, now));
            }
        }
        (!ends.is_empty()).then_some(Between::End(ends))
    }

    /// Nothing can happen by itself, but a thread of a rank that waits may compute, and make a call
    /// soon: waits for that in real time. `None`: all of them sleep.
    fn await_threads(&mut self, now: Picoseconds) -> Option<Between> {
        let happenings = self.run.happenings.load(Ordering::Relaxed);
        if self.threads_awaited == Some(happenings) {
            return None;
        }
        let (mut asleep_since, mut before, mut looks) = (Instant::now(), Vec::new(), 0);
        // A thread may sleep in a call that is not ours, and come back.
        let has_threads = (0..self.run.ranks()).any(|rank| self.run.coordinator.threads(rank) > 1);
        let patience = if has_threads { THREADS_ASLEEP } else { Duration::ZERO };
        while looks < SETTLED || asleep_since.elapsed() < patience {
            if self.run.is_stopped() {
                return Some(Between::Stop);
            }
            if let Some(wanted) = self.wanted(now) {
                return Some(wanted);
            }
            let waits = |rank: &u32| matches!(self.run.rank(*rank).phase, RankPhase::Waits { .. });
            let states: Vec<Option<ProcessState>> =
                (0..self.run.ranks()).filter(waits).map(|rank| self.check(rank)).collect();
            let is_same = states == before && states.iter().flatten().all(|state| state.is_asleep);
            looks = if is_same { looks + 1 } else { 0 };
            if !is_same {
                asleep_since = Instant::now();
            }
            before = states;
            if has_threads && looks >= SETTLED && self.polls_asleep(happenings, asleep_since.elapsed()) {
                let ends = self.polling(now);
                if !ends.is_empty() {
                    return Some(Between::End(ends));
                }
            }
            // Looks at many processes take time that they need themselves.
            std::thread::sleep(if asleep_since.elapsed() < LOOK_EVERY { Duration::from_millis(1) } else { LOOK_EVERY });
        }
        self.threads_awaited = Some(happenings);
        None
    }

    /// Whether ranks that poll do so once, after all threads have slept for this long.
    fn polls_asleep(&mut self, happenings: usize, asleep: Duration) -> bool {
        let (known, polls) = &mut self.polled_asleep;
        if *known != happenings {
            (*known, *polls) = (happenings, 0);
        }
        let is_due = *polls < POLLS_ASLEEP && asleep >= POLL_AFTER * (1 << *polls);
        *polls += u32::from(is_due);
        is_due
    }

    /// Other jobs have events, and no rank of the program can go on without another poll: they
    /// poll.
    fn judge(&mut self, now: Picoseconds) -> Between {
        let is_gone = |rank: u32| matches!(self.run.rank(rank).phase, RankPhase::Gone | RankPhase::Failed);
        if (0..self.run.ranks()).all(is_gone) {
            return Between::Nothing;
        }
        match self.await_threads(now).unwrap_or_else(|| self.poll(now)) {
            Between::Nothing => Between::Deadlock,
            between => between,
        }
    }

    /// Whether no rank of the program can do anything before another one does. Most looks find the
    /// rank that the one before has found.
    fn is_program_idle(&mut self) -> bool {
        let ranks = self.run.ranks();
        let mut order = (self.active..ranks).chain(0..self.active);
        let is_idle = |rank: &u32| self.run.rank(*rank).is_idle() && self.run.operations(*rank).is_empty();
        match order.find(|rank| !is_idle(rank)) {
            Some(rank) => {
                self.active = rank;
                false
            }
            None => true,
        }
    }

    fn end(&self, rank: u32, operation: philae_workload::OpHandle, at: Picoseconds) -> OperationEnd {
        OperationEnd { job: self.run.job, rank: RankId(rank), operation, at }
    }

    /// Checks now and then that ranks outside live.
    fn look(&mut self) {
        if self.looked_at.elapsed() < LOOK_EVERY {
            return;
        }
        self.looked_at = Instant::now();
        for rank in 0..self.run.ranks() {
            if matches!(self.run.rank(rank).phase, RankPhase::Outside { .. }) {
                self.check(rank);
            }
        }
    }

    /// Whether a rank lives; if not, the run ends.
    fn check(&self, rank: u32) -> Option<ProcessState> {
        let state = self.run.coordinator.process_state(rank);
        let process = self.run.coordinator.process(rank);
        if state.is_none() && process != 0 {
            self.run.fail(RankFault::Died { rank, process });
        }
        state
    }

    /// The ranks that come back.
    fn back(&self, now: Picoseconds) -> Vec<OperationEnd> {
        let mut back = Vec::new();
        for rank in 0..self.run.ranks() {
            let RankPhase::Outside { event, .. } = self.run.rank(rank).phase else { continue };
            if self.run.coordinator.is_back(rank) {
                back.push(self.end(rank, event, now));
            }
        }
        back
    }

    /// Nothing of the program can happen before a process outside does something: waits for that in
    /// real time. `None`: all of them sleep, and nothing wakes them.
    fn hold(&mut self, now: Picoseconds) -> Option<Between> {
        let (mut asleep_since, mut before, mut looks) = (Instant::now(), Vec::new(), 0);
        while self.run.outside.load(Ordering::Relaxed) > 0 {
            if self.run.is_stopped() {
                return Some(Between::Stop);
            }
            if let Some(wanted) = self.wanted(now) {
                return Some(wanted);
            }
            let mut states = Vec::new();
            for rank in 0..self.run.ranks() {
                let is_outside = matches!(self.run.rank(rank).phase, RankPhase::Outside { .. });
                if is_outside && !self.run.coordinator.is_back(rank) {
                    states.push(self.check(rank));
                }
            }
            let is_same = states == before && states.iter().flatten().all(|state| state.is_asleep);
            looks = if is_same { looks + 1 } else { 0 };
            if !is_same {
                (asleep_since, before) = (Instant::now(), states);
            }
            // Ranks that one event has woken come back together, in whatever order the machine runs
            // them.
            if looks >= SETTLED || before.is_empty() {
                let back = self.back(now);
                if !back.is_empty() {
                    return Some(Between::End(back));
                }
            }
            if asleep_since.elapsed() > PATIENCE {
                // They wait for each other, or for the ranks inside.
                self.held_in_vain = Some(self.run.happenings.load(Ordering::Relaxed));
                return None;
            }
            self.await_one();
        }
        None
    }

    /// Waits a little for a rank that is outside.
    fn await_one(&self) {
        let outside = |rank: &u32| {
            matches!(self.run.rank(*rank).phase, RankPhase::Outside { .. }) && !self.run.coordinator.is_back(*rank)
        };
        if let Some(rank) = (0..self.run.ranks()).find(outside) {
            // A dead one is found by the next look.
            let _ = self.run.coordinator.await_rank(rank, Duration::from_millis(1));
        }
    }

    /// Lets ranks that poll go on poll by poll.
    fn poll(&mut self, now: Picoseconds) -> Between {
        let happenings = self.run.happenings.load(Ordering::Relaxed);
        if happenings != self.happenings {
            (self.polls, self.since, self.happenings) = (0, Instant::now(), happenings);
        }
        if self.polls > IN_VAIN.1 && self.since.elapsed() > IN_VAIN.0 {
            return Between::Nothing;
        }
        let ends = self.polling(now);
        self.polls += ends.len();
        if ends.is_empty() { Between::Nothing } else { Between::End(ends) }
    }

    /// Ends the waits of ranks that poll.
    fn polling(&self, now: Picoseconds) -> Vec<OperationEnd> {
        let mut ends = Vec::new();
        for rank in 0..self.run.ranks() {
            if let RankPhase::Waits { kind: WaitKind::Poll, event, .. } = self.run.rank(rank).phase {
                ends.push(self.end(rank, event, now));
            }
        }
        ends
    }
}
