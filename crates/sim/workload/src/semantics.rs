//! Runs programs in memory, without time: checks that every message is received and no rank waits
//! forever, and counts messages.
//!
//! The reference for tests of programs, here and in other crates. It is not a performance model.

use std::collections::{BTreeMap, VecDeque};

use philae_engine::RandomStream;
use philae_units::{Bytes, RankId};

use crate::matching::MatchQueues;
use crate::program::{Action, Op, OpHandle, Progress, RankProgram, Wait};
use crate::random::purpose;

/// When a send completes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SendMode {
    /// Immediately, as if every message were buffered.
    Eager,
    /// When it is received, as if nothing were buffered: a correct MPI program must survive this.
    Rendezvous,
}

/// Counts of one rank.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RankSummary {
    /// Two-sided messages sent.
    pub sends: u64,
    /// Their payload.
    pub sent: Bytes,
    /// Two-sided messages received.
    pub receives: u64,
    /// Their payload.
    pub received: Bytes,
    /// One-sided writes.
    pub puts: u64,
    /// Their payload.
    pub put: Bytes,
    /// One-sided reads.
    pub gets: u64,
    /// Their payload.
    pub got: Bytes,
    /// Atomic operations.
    pub amos: u64,
    /// Collective operations left to the switches.
    pub offloads: u64,
    /// Spans of computation.
    pub computes: u64,
    /// Iterations ended.
    pub iterations: u32,
    /// Most operations outstanding at the same time.
    pub outstanding_max: u32,
    /// Messages (sends, puts, gets, atomic operations) by the rank at the other end.
    pub peers: BTreeMap<RankId, u64>,
}

/// Programs that do not work together.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SemanticsError {
    /// No rank can continue.
    #[error("deadlock: {} of {ranks} ranks wait; rank {} waits in {}", .waiting.len(), .waiting[0].0, .waiting[0].1.words)]
    Deadlock {
        /// Ranks of the job.
        ranks: usize,
        /// Each waiting rank with one of the operations it waits for.
        waiting: Vec<(RankId, Wait)>,
    },
    /// A program says that it is running, but has nothing outstanding.
    #[error("rank {rank} is running with no outstanding operation: it would never be called again")]
    Stuck {
        /// The program's rank.
        rank: RankId,
    },
    /// A program finishes while operations are outstanding.
    #[error("rank {rank} has finished with {outstanding} operations outstanding")]
    FinishedEarly {
        /// The program's rank.
        rank: RankId,
        /// Number of these operations.
        outstanding: usize,
    },
    /// A handle is used for two outstanding operations.
    #[error("rank {rank} starts operation {} while one of that handle is outstanding", .handle.0)]
    HandleInUse {
        /// The program's rank.
        rank: RankId,
        handle: OpHandle,
    },
    /// A message to a rank that does not exist.
    #[error("rank {rank} names rank {peer}; the job has {ranks}")]
    NoSuchRank {
        /// The program's rank.
        rank: RankId,
        /// The missing rank.
        peer: RankId,
        /// Ranks of the job.
        ranks: usize,
    },
    /// A message is larger than the receive that it matches.
    #[error("rank {rank} receives at most {expected} and gets {found} from rank {from}")]
    Truncated {
        /// Receiver.
        rank: RankId,
        /// Sender.
        from: RankId,
        /// Size of the message.
        found: Bytes,
        /// Size of the receive.
        expected: Bytes,
    },
    /// Ranks that leave different operations to the switches at the same point of their programs.
    #[error("the ranks leave different operations to the switches; rank {rank} was the last to start its own")]
    Offloads {
        /// The last rank.
        rank: RankId,
    },
    /// An operation that neither the switches nor messages of the program can do.
    #[error("rank {rank} leaves an operation to the switches, which no longer do it, and cannot do it by messages")]
    NoWayBack {
        /// The program's rank.
        rank: RankId,
    },
    /// A message that no rank receives.
    #[error("rank {to} never receives {bytes} with tag {tag} from rank {from}")]
    Unreceived {
        /// Sender.
        from: RankId,
        /// Receiver.
        to: RankId,
        tag: u32,
        /// Its size.
        bytes: Bytes,
    },
    /// More operations than allowed, without an end.
    #[error(
        "the programs have not finished after {operations} operations; endless workloads need a limit on iterations"
    )]
    Endless {
        /// The limit.
        operations: u64,
    },
}

/// A message that has arrived.
#[derive(Debug)]
struct Message {
    from: RankId,
    bytes: Bytes,
    /// The send that waits for its receive.
    sender: Option<OpHandle>,
}

/// A receive that has been posted.
#[derive(Debug)]
struct Receive {
    handle: OpHandle,
    bytes: Bytes,
}

struct Rank {
    program: Box<dyn RankProgram>,
    finished: bool,
    outstanding: BTreeMap<OpHandle, Op>,
    matching: MatchQueues<Receive, Message>,
    /// Collective operations that wait for the other ranks.
    offloads: VecDeque<(OpHandle, Op)>,
    /// Collective operations that it has left to the switches.
    offloaded: u64,
    summary: RankSummary,
}

/// Runs the programs of one job until all have finished. `programs[i]` is that of rank `i`.
///
/// Completions are reported in a random order that follows from `seed`, so different seeds try
/// different timings. Messages between two ranks stay in order, as MPI demands. At most
/// `operations_max` operations are started.
///
/// # Errors
/// [`SemanticsError`], the first error.
pub fn simulate_semantics(
    programs: Vec<Box<dyn RankProgram>>,
    mode: SendMode,
    seed: u64,
    operations_max: u64,
) -> Result<Vec<RankSummary>, SemanticsError> {
    simulate_semantics_of_a_broken_tree(programs, mode, seed, operations_max, u64::MAX)
}

/// Like [`simulate_semantics`], but the switches do only the first `offloads_max` collective
/// operations of the job. Ranks are told when they start the next one, whatever the others do.
///
/// # Errors
/// [`SemanticsError`], the first error.
pub fn simulate_semantics_of_a_broken_tree(
    programs: Vec<Box<dyn RankProgram>>,
    mode: SendMode,
    seed: u64,
    operations_max: u64,
    offloads_max: u64,
) -> Result<Vec<RankSummary>, SemanticsError> {
    let ranks = programs.into_iter().map(|program| Rank {
        program,
        finished: false,
        outstanding: BTreeMap::new(),
        matching: MatchQueues::default(),
        offloads: VecDeque::new(),
        offloaded: 0,
        summary: RankSummary::default(),
    });
    let mut job = Job {
        ranks: ranks.collect(),
        mode,
        ready: Vec::new(),
        operations_left: operations_max,
        offloads_max,
        offloading: 0,
    };
    let mut stream = RandomStream::new(seed, 0, purpose::SEMANTICS);
    for rank in 0..job.ranks.len() {
        job.advance(rank, None, operations_max)?;
    }
    while !job.ready.is_empty() {
        let chosen = stream.below(job.ready.len() as u32) as usize;
        let (rank, handle) = job.ready.swap_remove(chosen);
        job.advance(rank, Some(handle), operations_max)?;
    }
    job.finish()
}

struct Job {
    ranks: Vec<Rank>,
    mode: SendMode,
    /// Completed operations that are not yet reported to their programs.
    ready: Vec<(usize, OpHandle)>,
    operations_left: u64,
    /// Collective operations that the switches do.
    offloads_max: u64,
    /// Ranks that have left an operation to the switches and wait for the others.
    offloading: usize,
}

impl Job {
    fn advance(&mut self, rank: usize, completed: Option<OpHandle>, limit: u64) -> Result<(), SemanticsError> {
        let id = RankId::from_index(rank);
        let state = &mut self.ranks[rank];
        if let Some(handle) = completed {
            state.outstanding.remove(&handle).expect("only outstanding operations complete");
        }
        let mut actions = Vec::new();
        let progress = state.program.advance(completed, &mut actions);
        for action in actions {
            match action {
                Action::IterationStart(_) | Action::Due(_) | Action::Doorbell => {}
                Action::IterationEnd(_) => self.ranks[rank].summary.iterations += 1,
                Action::Start(handle, op) => {
                    self.operations_left =
                        self.operations_left.checked_sub(1).ok_or(SemanticsError::Endless { operations: limit })?;
                    if self.ranks[rank].outstanding.insert(handle, op).is_some() {
                        return Err(SemanticsError::HandleInUse { rank: id, handle });
                    }
                    self.start(rank, handle, op)?;
                }
            }
        }
        let state = &mut self.ranks[rank];
        let outstanding = state.outstanding.len();
        state.summary.outstanding_max = state.summary.outstanding_max.max(outstanding as u32);
        match progress {
            Progress::Running if outstanding == 0 => Err(SemanticsError::Stuck { rank: id }),
            Progress::Finished if outstanding > 0 => Err(SemanticsError::FinishedEarly { rank: id, outstanding }),
            Progress::Running => Ok(()),
            Progress::Finished => {
                state.finished = true;
                Ok(())
            }
        }
    }

    fn start(&mut self, rank: usize, handle: OpHandle, op: Op) -> Result<(), SemanticsError> {
        let id = RankId::from_index(rank);
        if let Op::Send { to: peer, .. }
        | Op::Put { to: peer, .. }
        | Op::Get { from: peer, .. }
        | Op::Amo { to: peer, .. } = op
        {
            if peer.index() >= self.ranks.len() {
                return Err(SemanticsError::NoSuchRank { rank: id, peer, ranks: self.ranks.len() });
            }
            *self.ranks[rank].summary.peers.entry(peer).or_default() += 1;
        }
        let summary = &mut self.ranks[rank].summary;
        match op {
            Op::Send { to, bytes, tag, .. } => {
                summary.sends += 1;
                summary.sent += bytes;
                let sender = (self.mode == SendMode::Rendezvous).then_some(handle);
                if sender.is_none() {
                    self.ready.push((rank, handle));
                }
                let matched = self.ranks[to.index()].matching.arrived(id, tag, Message { from: id, bytes, sender });
                self.complete(to.index(), matched)
            }
            Op::Recv { from, bytes, tag } => {
                let matched = self.ranks[rank].matching.posted(from, tag, Receive { handle, bytes });
                self.complete(rank, matched)
            }
            Op::Put { bytes, .. } => {
                summary.puts += 1;
                summary.put += bytes;
                self.ready.push((rank, handle));
                Ok(())
            }
            Op::Get { bytes, .. } => {
                summary.gets += 1;
                summary.got += bytes;
                self.ready.push((rank, handle));
                Ok(())
            }
            Op::Amo { .. } => {
                summary.amos += 1;
                self.ready.push((rank, handle));
                Ok(())
            }
            Op::Offload { .. } => {
                if self.ranks[rank].offloaded >= self.offloads_max {
                    if !self.ranks[rank].program.fall_back() {
                        return Err(SemanticsError::NoWayBack { rank: id });
                    }
                    self.ready.push((rank, handle));
                    return Ok(());
                }
                self.ranks[rank].offloaded += 1;
                self.ranks[rank].summary.offloads += 1;
                let offloads = &mut self.ranks[rank].offloads;
                self.offloading += usize::from(offloads.is_empty());
                offloads.push_back((handle, op));
                self.offload_all(id)
            }
            Op::Compute { .. } | Op::Delay { .. } | Op::Until { .. } => {
                summary.computes += 1;
                self.ready.push((rank, handle));
                Ok(())
            }
            Op::Event { .. } | Op::Fetch { .. } => unreachable!("processes run only in the fabric"),
        }
    }

    /// Carries out the next collective operation, once every rank has started it.
    fn offload_all(&mut self, by: RankId) -> Result<(), SemanticsError> {
        if self.offloading < self.ranks.len() {
            return Ok(());
        }
        let firsts: Vec<_> = self.ranks.iter().filter_map(|state| state.offloads.front().copied()).collect();
        if firsts.iter().any(|(_, op)| *op != firsts[0].1) {
            return Err(SemanticsError::Offloads { rank: by });
        }
        for (rank, (handle, _)) in firsts.into_iter().enumerate() {
            let offloads = &mut self.ranks[rank].offloads;
            offloads.pop_front();
            self.offloading -= usize::from(offloads.is_empty());
            self.ready.push((rank, handle));
        }
        Ok(())
    }

    /// Completes a receive with its message, if there is one.
    fn complete(&mut self, rank: usize, matched: Option<(Receive, Message)>) -> Result<(), SemanticsError> {
        let Some((receive, message)) = matched else { return Ok(()) };
        let (expected, found, from) = (receive.bytes, message.bytes, message.from);
        if found > expected {
            return Err(SemanticsError::Truncated { rank: RankId::from_index(rank), from, found, expected });
        }
        let summary = &mut self.ranks[rank].summary;
        summary.receives += 1;
        summary.received += found;
        self.ready.push((rank, receive.handle));
        self.ready.extend(message.sender.map(|sender| (from.index(), sender)));
        Ok(())
    }

    fn finish(self) -> Result<Vec<RankSummary>, SemanticsError> {
        let unfinished = self.ranks.iter().enumerate().filter(|(_, state)| !state.finished);
        let wait = |state: &Rank| {
            let first = || state.outstanding.values().next().map(|op| Wait::of(op, None));
            state.program.waits_for().or_else(first)
        };
        let waiting: Vec<(RankId, Wait)> =
            unfinished.filter_map(|(rank, state)| Some((RankId::from_index(rank), wait(state)?))).collect();
        if !waiting.is_empty() {
            return Err(SemanticsError::Deadlock { ranks: self.ranks.len(), waiting });
        }
        for (rank, state) in self.ranks.iter().enumerate() {
            if let Some((from, tag, message)) = state.matching.first_unexpected() {
                let (to, bytes) = (RankId::from_index(rank), message.bytes);
                return Err(SemanticsError::Unreceived { from, to, tag, bytes });
            }
        }
        Ok(self.ranks.into_iter().map(|state| state.summary).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::phase::{Motif, Phase, Phased};

    /// Both send first, then receive: correct only when sends are buffered.
    struct HeadToHead(u32);

    impl Motif for HeadToHead {
        fn step(&mut self, iteration: u32, step: u32, phase: &mut Phase) -> bool {
            match step {
                0 => phase.send(1 - self.0, Bytes(8), iteration),
                1 => phase.recv(1 - self.0, Bytes(8), iteration),
                _ => return false,
            }
            true
        }
    }

    fn pair(iterations: Option<u32>) -> Vec<Box<dyn RankProgram>> {
        (0..2).map(|rank| Box::new(Phased::new(HeadToHead(rank), iterations)) as Box<dyn RankProgram>).collect()
    }

    #[test]
    fn two_blocking_sends_that_meet_deadlock_without_buffers() {
        assert!(simulate_semantics(pair(Some(3)), SendMode::Eager, 0, 100).is_ok());
        let error = simulate_semantics(pair(Some(3)), SendMode::Rendezvous, 0, 100).expect_err("deadlock");
        assert!(matches!(&error, SemanticsError::Deadlock { waiting, .. } if waiting.len() == 2), "{error}");
    }

    #[test]
    fn an_endless_program_is_caught() {
        let error = simulate_semantics(pair(None), SendMode::Eager, 0, 1_000).expect_err("endless");
        assert_eq!(error, SemanticsError::Endless { operations: 1_000 });
    }

    #[test]
    fn a_message_that_nobody_receives_is_named() {
        let programs: Vec<Box<dyn RankProgram>> =
            vec![Box::new(Phased::new(OneSend, Some(1))), Box::new(crate::phase::Idle)];
        let error = simulate_semantics(programs, SendMode::Eager, 0, 100).expect_err("unreceived");
        assert_eq!(error.to_string(), "rank 1 never receives 8 B with tag 7 from rank 0");
    }

    struct OneSend;

    impl Motif for OneSend {
        fn step(&mut self, _iteration: u32, step: u32, phase: &mut Phase) -> bool {
            if step == 0 {
                phase.send(1, Bytes(8), 7);
            }
            step == 0
        }
    }
}
