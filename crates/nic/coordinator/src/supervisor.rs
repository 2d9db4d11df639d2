//! Watches the processes from outside of simulated time.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use philae_cosim::{ProcessState, RankFault, WaitKind};
use philae_units::{Picoseconds, RankId};
use philae_workload::{Between, OperationEnd, ProcessSupervisor};

use crate::rank::Phase;
use crate::run::Run;

/// How long all ranks that are outside may sleep while nothing else can happen. Source: ours. Status: assumed.
const PATIENCE: Duration = Duration::from_secs(10);
/// How often it looks at them meanwhile. Source: ours. Status: assumed.
const LOOK_EVERY: Duration = Duration::from_millis(20);
/// How often ranks that poll may find nothing while nothing else can happen: programs that give up after a number of
/// polls go on. Source: ours. Status: assumed.
const POLLS_IN_VAIN: u32 = 2_000;

#[derive(Debug)]
pub struct Supervisor {
    run: Arc<Run>,
    /// Rounds of polls since anything else happened, and the events of the fabric until then.
    polls: u32,
    looked_at: Instant,
}

impl ProcessSupervisor for Supervisor {
    fn between(&mut self, now: Picoseconds, next: Option<Picoseconds>) -> Between {
        if self.run.is_stopped() {
            return Between::Stop;
        }
        let is_idle = next.is_none();
        if !is_idle {
            if self.run.outside.load(Ordering::Relaxed) == 0 {
                return Between::Nothing;
            }
            self.look();
            let back = self.back(now, true);
            return if back.is_empty() { Between::Nothing } else { Between::End(back) };
        }
        self.idle(now)
    }
}

impl Supervisor {
    pub fn new(run: Arc<Run>) -> Self {
        Self { run, polls: 0, looked_at: Instant::now() }
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
            if matches!(self.run.rank(rank).phase, Phase::Outside { .. }) {
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

    /// The ranks that come back. `goes_on`: whether others have gone on meanwhile.
    fn back(&self, now: Picoseconds, goes_on: bool) -> Vec<OperationEnd> {
        let mut back = Vec::new();
        for rank in 0..self.run.ranks() {
            let mut state = self.run.rank(rank);
            let Phase::Outside { event } = state.phase else { continue };
            if self.run.coordinator.is_back(rank) {
                state.was_outside |= goes_on;
                back.push(self.end(rank, event, now));
            }
        }
        back
    }

    /// Nothing can happen before a process does something.
    fn idle(&mut self, now: Picoseconds) -> Between {
        let (mut asleep_since, mut before) = (Instant::now(), Vec::new());
        while self.run.outside.load(Ordering::Relaxed) > 0 {
            if self.run.is_stopped() {
                return Between::Stop;
            }
            let back = self.back(now, false);
            if !back.is_empty() {
                return Between::End(back);
            }
            let mut states = Vec::new();
            for rank in 0..self.run.ranks() {
                if matches!(self.run.rank(rank).phase, Phase::Outside { .. }) {
                    states.push(self.check(rank));
                }
            }
            if states != before || states.iter().flatten().any(|state| !state.is_asleep) {
                (asleep_since, before) = (Instant::now(), states);
            }
            if asleep_since.elapsed() > PATIENCE {
                // They wait for each other, or for the ranks inside.
                break;
            }
            self.await_one();
        }
        self.poll(now)
    }

    /// Waits a little for a rank that is outside.
    fn await_one(&self) {
        let outside = |rank: &u32| matches!(self.run.rank(*rank).phase, Phase::Outside { .. });
        if let Some(rank) = (0..self.run.ranks()).find(outside) {
            // A dead one is found by the next look.
            let _ = self.run.coordinator.await_rank(rank, Duration::from_millis(1));
        }
    }

    /// Lets ranks that poll go on poll by poll.
    fn poll(&mut self, now: Picoseconds) -> Between {
        self.polls += 1;
        if self.polls > POLLS_IN_VAIN {
            return Between::Nothing;
        }
        let mut ends = Vec::new();
        for rank in 0..self.run.ranks() {
            if let Phase::Waits { kind: WaitKind::Poll, event, .. } = self.run.rank(rank).phase {
                ends.push(self.end(rank, event, now));
            }
        }
        if ends.is_empty() { Between::Nothing } else { Between::End(ends) }
    }
}
