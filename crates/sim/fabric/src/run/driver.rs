//! Drives a run window by window, alone or as one of the processes that share it.
//!
//! A window begins at the next event anywhere and is as long as the shortest time in which anything
//! crosses from one group to another. Within it partitions cannot affect each other, so they may
//! run in any order, or at the same time. The bounds of a window do not depend on the partitions or
//! on which process has them, so nothing else does.
//!
//! Processes agree by [`RunState`], which each sends to all after each window. From the same
//! states, all come to the same conclusion and make the same calls.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use philae_results::record::{RunRecord, RunStatus};
use philae_units::{Picoseconds, PortIndex};
use philae_workload::{Between, OperationEnd, Wait};

use crate::model::error::FabricError;
use crate::model::event::Event;
use crate::observe::capture::collect::Capture;
use crate::observe::capture::{CaptureSink, NoCapture};
use crate::observe::record::{JobMeta, build_record, open_iterations};
use crate::partition::Partition;
use crate::run::audit;
use crate::run::exchange;
use crate::run::processes::{ProcessShare, Processes, SingleProcess, failures};
use crate::run::simulation::Simulation;
use crate::run::waiting::{WaitChain, WaitingRank};
use crate::sched::parallel::WorkerPool;

/// Events between two reports of progress: about a tenth of a second.
const EVENTS_PER_REPORT: u64 = 1 << 18;

/// Progress of a run.
#[derive(Clone, Copy, Debug, Default)]
pub struct Advance {
    /// Simulated time.
    pub now: Picoseconds,
    /// Events handled so far.
    pub events: u64,
    /// Packet-hops so far.
    pub packet_hops: u64,
    /// Ranks that have not finished, in jobs that end.
    pub unfinished: u32,
}

/// What a port of a switch has sent since a run began.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PortCount {
    pub port: PortIndex,
    pub packets: u64,
    /// Bytes on the wire.
    pub bytes: u64,
}

/// Reads what ports have sent during a run. It does not change the run.
pub trait Meter {
    /// When it wants to read next.
    fn next(&self) -> Picoseconds;

    /// Reads the counts, at some moment after that; it may stop the run.
    fn read(&mut self, now: Picoseconds, ports: &mut dyn Iterator<Item = PortCount>) -> ControlFlow<()>;
}

/// The state of all partitions between two windows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct RunState {
    /// Time of the next event; the end of time if no event is left.
    next: u64,
    /// Time of the last event.
    now: u64,
    /// Ranks that have not finished, in jobs that end.
    unfinished: u64,
    /// Packets in the fabric.
    packets: u64,
    /// Movements of packets so far, for the watchdog.
    movements: u64,
    /// Events so far.
    events: u64,
    /// Packet-hops so far.
    hops: u64,
    /// Operations that were lost for good, so that ranks may wait forever.
    lost: u64,
    /// Partitions in which a message is refused forever.
    starved: u64,
    /// Processes that were told to stop.
    stopped: u64,
    /// Processes whose keeper wants a checkpoint.
    keeping: u64,
}

impl RunState {
    /// Number of values in it.
    const SIZE: usize = 11;

    fn of(partitions: &mut [Partition], stopped: bool, keeping: bool) -> Self {
        let next = partitions.iter_mut().filter_map(|partition| partition.sched.calendar.next_time()).min();
        let partitions = &*partitions;
        let sum = |count: fn(&Partition) -> u64| partitions.iter().map(count).sum();
        Self {
            next: next.map_or(u64::MAX, |time| time.0),
            now: partitions.iter().map(|partition| partition.clock.now()).max().unwrap_or(0),
            unfinished: sum(|partition| u64::from(partition.host.unfinished)),
            packets: sum(|partition| partition.transit.packets.len() as u64),
            movements: sum(Partition::movements),
            events: sum(|partition| partition.clock.events),
            hops: sum(|partition| partition.transit.hops),
            lost: sum(|partition| partition.record.recorder.rows.failures.len() as u64),
            starved: sum(|partition| u64::from(partition.host.starved.is_some())),
            stopped: u64::from(stopped),
            keeping: u64::from(keeping),
        }
    }

    const fn words(self) -> [u64; Self::SIZE] {
        let Self { next, now, unfinished, packets, movements, events, hops, lost, starved, stopped, keeping } = self;
        [next, now, unfinished, packets, movements, events, hops, lost, starved, stopped, keeping]
    }

    /// Combines the states of several processes.
    fn combined(all: &[u64]) -> Self {
        let values = |column: usize| all.iter().skip(column).step_by(Self::SIZE).copied();
        let sum = |column| values(column).sum();
        Self {
            next: values(0).min().unwrap_or(u64::MAX),
            now: values(1).max().unwrap_or(0),
            unfinished: sum(2),
            packets: sum(3),
            movements: sum(4),
            events: sum(5),
            hops: sum(6),
            lost: sum(7),
            starved: sum(8),
            stopped: sum(9),
            keeping: sum(10),
        }
    }
}

impl Simulation {
    /// Runs to the end and returns the record. `progress` is called now and then and may stop the
    /// run.
    ///
    /// # Errors
    /// [`FabricError`] if the fabric stalls, if ranks wait for what no rank sends, or if a law of
    /// conservation is broken.
    pub fn run(self, progress: &mut dyn FnMut(Advance) -> ControlFlow<()>) -> Result<RunRecord, FabricError> {
        self.run_into(progress, &mut NoCapture)
    }

    /// As [`run`](Self::run), with a sink for captured frames.
    ///
    /// # Errors
    /// As [`run`](Self::run).
    ///
    /// # Panics
    /// Only if the run was built to be shared: use [`run_among`](Self::run_among) for that.
    pub fn run_into(
        self,
        progress: &mut dyn FnMut(Advance) -> ControlFlow<()>,
        sink: &mut dyn CaptureSink,
    ) -> Result<RunRecord, FabricError> {
        let record = self.drive(&mut SingleProcess, progress, sink)?;
        Ok(record.expect("the first process has the record, and there is no other"))
    }

    /// As [`run`](Self::run), as one of several processes that have built the same run with their
    /// [`share`](crate::RunOptions::share) of it. At the end the first process has the record, the
    /// others `None`. An error comes to all of them, and the first knows its words.
    ///
    /// # Errors
    /// As [`run`](Self::run); also [`FabricError::Process`] if another process is gone.
    pub fn run_among(
        self,
        processes: &mut dyn Processes,
        progress: &mut dyn FnMut(Advance) -> ControlFlow<()>,
    ) -> Result<Option<RunRecord>, FabricError> {
        self.drive(processes, progress, &mut NoCapture)
    }

    fn drive(
        mut self,
        processes: &mut dyn Processes,
        progress: &mut dyn FnMut(Advance) -> ControlFlow<()>,
        sink: &mut dyn CaptureSink,
    ) -> Result<Option<RunRecord>, FabricError> {
        let share = processes.share();
        assert_eq!(share, self.shared.options.execution.share, "a run is driven by those for whom it was built");
        let limit = self.shared.options.time_limit;
        let some_end = self.jobs.iter().any(|job| job.iterations.is_some());
        let threads = self.partitions.len().min(self.shared.options.execution.threads as usize);
        let mut pool = WorkerPool::new(threads, self.shared.options.execution.thread_events_min)?;
        if !self.is_kept {
            // Without checkpoints, the history of programs is not needed.
            self.partitions
                .iter_mut()
                .flat_map(|partition| &mut partition.host.ranks)
                .for_each(|rank| rank.history = None);
        }
        let mut next_report = EVENTS_PER_REPORT;
        let mut all = Vec::new();
        let mut state = self.share_state(processes, (false, false), &mut all)?;
        // The end of the last window, until the supervisor is asked.
        let mut ended = None;
        let status = loop {
            if state.stopped > 0 {
                break RunStatus::Interrupted;
            }
            if some_end && state.unfinished == 0 {
                break RunStatus::Completed;
            }
            if let (Some(supervisor), Some(now)) = (&mut self.supervisor, ended.take()) {
                match supervisor.between(now, (state.next != u64::MAX).then_some(Picoseconds(state.next))) {
                    Between::Nothing => {}
                    Between::Stop => break RunStatus::Interrupted,
                    // As without an event: they may wait for what was lost for good.
                    Between::Deadlock if state.lost > 0 => break RunStatus::Unfinished,
                    Between::Deadlock => self.check_no_rank_waits(state, processes, true)?,
                    Between::End(operations) => {
                        self.end_operations(now, &operations);
                        state = self.share_state(processes, (false, false), &mut all)?;
                    }
                }
            }
            if state.next == u64::MAX {
                // No event is left: good if all ranks have finished.
                if state.lost > 0 {
                    break RunStatus::Unfinished;
                }
                self.check_no_rank_waits(state, processes, false)?;
                break RunStatus::Completed;
            }
            let start = Picoseconds(state.next);
            if start >= limit {
                break RunStatus::TimeLimit;
            }
            let end = Picoseconds(start.0.saturating_add(self.lookahead.0)).min(limit);
            if self.is_by_reference {
                self.partitions.iter_mut().for_each(|partition| partition.run_by_reference(end));
            } else {
                pool.run(&mut self.partitions, |partition| partition.run_until(end));
            }
            exchange::between_processes(&mut self.partitions, processes)?;
            pool.exchange(&mut self.partitions);
            ended = Some(end);
            let mut stopped = self.collect_captured(end.0, false, sink).is_break() || self.measure(end).is_break();
            let unfinished = state.unfinished as u32;
            pool.note(self.partitions.iter().map(|partition| partition.clock.events).sum());
            let keeping = self.keeper.as_ref().is_some_and(|keeper| keeper.next() <= end);
            state = self.share_state(processes, (stopped, keeping), &mut all)?;
            if state.stopped > 0 {
                continue;
            }
            if let Some(still) = self.watchdog.observe(end, state.movements, state.packets > 0) {
                return Err(self.stalled(end, still, state.packets, processes));
            }
            if state.starved > 0 {
                self.fail_together(processes, self.starved(end))?;
            }
            if self.audits.is_due(end, state.movements, self.shared.topology().port_count()) {
                self.audit(processes)?;
            }
            if state.keeping > 0 {
                self.keep_now(end, (state.events, state.hops), processes)?;
            }
            if state.events >= next_report {
                next_report = state.events + EVENTS_PER_REPORT;
                let advance = Advance { now: end, events: state.events, packet_hops: state.hops, unfinished };
                stopped = progress(advance).is_break();
                // A process that is told to stop tells the others. All of them get here, because
                // they count the same events.
                processes.all_gather(&[u64::from(stopped)], &mut all)?;
                state.stopped = all.iter().sum();
            }
        };
        self.audit(processes)?;
        if status == RunStatus::Interrupted {
            let now = self.partitions.iter().map(|partition| partition.clock.window_end).max().unwrap_or(0);
            self.keep_now(Picoseconds(now), (state.events, state.hops), processes)?;
        }
        let simulated = if status == RunStatus::TimeLimit { limit } else { Picoseconds(state.now) };
        // What was sent since the meter's last read counts as well. The run is over whatever it
        // answers.
        let _ = self.read(simulated);
        // A packet still on its way to a port at the end does not cross it. A sink that refuses has
        // done so before.
        let _ = self.collect_captured(simulated.0.saturating_add(1), true, sink);
        let own_bytes: u64 = self.partitions.iter().map(Partition::memory_bytes).sum();
        processes.all_gather(&[own_bytes], &mut all)?;
        // Ranks stay in their process.
        let open = exchange::with_all(&open_iterations(&self.partitions), processes)?;
        if !exchange::gather_at_first(&mut self, processes)? {
            return Ok(None);
        }
        let captures = self.capture.map_or_else(Vec::new, Capture::counts);
        Ok(Some(build_record(self.partitions, &self.jobs, status, simulated, (captures, open), all.iter().sum())))
    }

    /// Ends operations of processes, none of them before `now`.
    fn end_operations(&mut self, now: Picoseconds, operations: &[OperationEnd]) {
        for &OperationEnd { job, rank, operation, at } in operations {
            let places = &self.shared.places;
            let number = places.rank_base.get(job.index()).and_then(|base| base.checked_add(rank.0));
            let of_job = number.and_then(|number| places.ranks.get(number as usize).copied().zip(Some(number)));
            let Some((entry, number)) = of_job.filter(|(entry, _)| entry.job == job.0) else {
                panic!("job {job} has no rank {rank}: a supervisor ends operations of ranks of its run")
            };
            let partition = &mut self.partitions[usize::from(entry.partition)];
            assert!(
                partition.host.ranks[entry.local as usize].is_process(),
                "rank {rank} of job {job} is no process: a supervisor ends operations of processes"
            );
            let key = places.targets.run(at.max(now).0, number, operation.0);
            partition.sched.calendar.push(key, Event::Run { rank: entry.local, handle: operation.0 });
        }
    }

    /// Sends this process's state to all processes, and returns the combined state of all.
    fn share_state(
        &mut self,
        processes: &mut dyn Processes,
        (stopped, keeping): (bool, bool),
        all: &mut Vec<u64>,
    ) -> Result<RunState, FabricError> {
        let own = RunState::of(&mut self.partitions, stopped, keeping);
        processes.all_gather(&own.words(), all)?;
        Ok(RunState::combined(all))
    }

    /// Fails if any process has failed, with the words of the first.
    fn fail_together(&self, processes: &mut dyn Processes, own: Result<(), FabricError>) -> Result<(), FabricError> {
        if self.shared.options.execution.share == ProcessShare::WHOLE {
            return own;
        }
        let words = own.err().map(|error| error.to_string());
        match failures(processes, words.as_deref())? {
            None => Ok(()),
            Some(failed) => Err(FabricError::Process { words: failed.words }),
        }
    }

    /// Lets the meter read, if it is time.
    fn measure(&mut self, now: Picoseconds) -> ControlFlow<()> {
        if self.meter.as_ref().is_some_and(|meter| meter.next() <= now) {
            self.read(now)
        } else {
            ControlFlow::Continue(())
        }
    }

    fn read(&mut self, now: Picoseconds) -> ControlFlow<()> {
        let Some(meter) = &mut self.meter else { return ControlFlow::Continue(()) };
        let ports = self.partitions.iter().flat_map(|partition| {
            partition.switch.outputs.iter().enumerate().map(|(slot, output)| {
                let sent = partition.record.recorder.total_of(slot, output);
                let port = PortIndex(partition.port_in(slot));
                PortCount { port, packets: sent.packets, bytes: sent.bytes }
            })
        });
        meter.read(now, &mut { ports })
    }

    /// Hands the sink what crossed watched ports before `end`.
    fn collect_captured(&mut self, end: u64, last: bool, sink: &mut dyn CaptureSink) -> ControlFlow<()> {
        match &mut self.capture {
            Some(capture) => capture.collect(&mut self.partitions, end, last, sink),
            None => ControlFlow::Continue(()),
        }
    }

    fn audit(&self, processes: &mut dyn Processes) -> Result<(), FabricError> {
        let checked = audit::check(&self.partitions, processes)?;
        self.fail_together(processes, checked.map_err(|law| FabricError::Conservation { law }))
    }

    fn starved(&self, end: Picoseconds) -> Result<(), FabricError> {
        match self.partitions.iter().find_map(|partition| partition.host.starved.clone()) {
            Some(what) => Err(FabricError::Starved { time: end.to_string(), what }),
            None => Ok(()),
        }
    }

    /// The error of a run in which nothing moves. All partitions are needed to name the circle of
    /// waiting outputs.
    fn stalled(
        &mut self,
        now: Picoseconds,
        still: Picoseconds,
        packets: u64,
        processes: &mut dyn Processes,
    ) -> FabricError {
        match exchange::gather_at_first(self, processes) {
            Err(error) => error,
            Ok(_) => FabricError::Stalled {
                time: now.to_string(),
                packets: packets as usize,
                still: match still {
                    Picoseconds::ZERO => "nothing is left to happen that could move one".to_owned(),
                    still => format!("none has moved for {still}"),
                },
                circle: audit::waiting_cycle(&self.partitions),
            },
        }
    }

    /// Fails if packets are in the fabric or ranks wait although no event is left.
    fn check_no_rank_waits(
        &mut self,
        state: RunState,
        processes: &mut dyn Processes,
        only_processes: bool,
    ) -> Result<(), FabricError> {
        let now = Picoseconds(state.now);
        if state.packets > 0 && !only_processes {
            return Err(self.stalled(now, Picoseconds::ZERO, state.packets, processes));
        }
        let bases = self.job_bases();
        let mut words: BTreeMap<u32, Wait> = BTreeMap::new();
        for partition in &self.partitions {
            for rank in partition.host.ranks.iter().filter(|rank| !only_processes || rank.is_process()) {
                let (_, base) = bases.of(rank.number());
                words.extend(rank.waits_for(&partition.host.match_pools, base).map(|wait| (rank.number(), wait)));
            }
        }
        // Every process needs the same error. First all exchange who waits for whom, then the words
        // of the ranks that the error names.
        let partner = |(&number, wait): (&u32, &Wait)| {
            (number, wait.partner.map(|partner| bases.of(number).1.saturating_add(partner.0)))
        };
        let own: Vec<WaitingRank> = words.iter().map(partner).collect();
        let all: BTreeMap<u32, Option<u32>> = exchange::with_all(&own, processes)?.into_iter().collect();
        if all.is_empty() {
            return Ok(());
        }
        let chain = WaitChain::of(&all);
        let named = chain.named().into_iter().filter_map(|number| Some((number, words.get(&number)?.words.clone())));
        let texts = exchange::with_all(&named.collect::<Vec<(u32, String)>>(), processes)?;
        let called = |number: u32| {
            let (name, base) = bases.of(number);
            format!("job {name}, rank {}", number - base)
        };
        let waiting = chain.text(called, &texts.into_iter().collect());
        Err(FabricError::Waiting { time: now.to_string(), ranks: all.len() as u32, waiting })
    }

    /// Jobs by the number of their rank 0 over all jobs.
    fn job_bases(&self) -> JobBases {
        let mut next = 0;
        let base = |job: &JobMeta| {
            next += job.ranks;
            (next - job.ranks, job.name.clone())
        };
        JobBases(self.jobs.iter().map(base).collect())
    }
}

/// Jobs by the number of their rank 0 over all jobs.
struct JobBases(BTreeMap<u32, String>);

impl JobBases {
    /// The job of a rank, and the number of its rank 0.
    fn of(&self, number: u32) -> (&str, u32) {
        self.0.range(..=number).next_back().map_or(("", 0), |(base, name)| (name.as_str(), *base))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn progress_of_all_processes_is_combined() {
        let one = RunState {
            next: 7,
            now: 5,
            unfinished: 1,
            packets: 2,
            movements: 3,
            events: 4,
            hops: 5,
            lost: 0,
            starved: 0,
            stopped: 1,
            keeping: 0,
        };
        let other = RunState { next: 6, now: 4, unfinished: 10, lost: 2, stopped: 0, ..one };
        assert_eq!(RunState::combined(&one.words()), one);
        let both = [one.words(), other.words()].concat();
        let expected = RunState {
            next: 6,
            now: 5,
            unfinished: 11,
            packets: 4,
            movements: 6,
            events: 8,
            hops: 10,
            lost: 2,
            starved: 0,
            stopped: 1,
            keeping: 0,
        };
        assert_eq!(RunState::combined(&both), expected);
    }
}
