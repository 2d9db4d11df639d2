//! Rank programs: what one process does, told to whoever runs it one step at a time.
//!
//! A program never sees time and performs nothing. It is told which of its operations completed and answers with the
//! operations that may start now. Dependencies, windows and loops live inside the program, so that a million-message
//! pattern needs memory for its window only, and an imported schedule (a graph with explicit dependencies) and a
//! generated pattern look alike to the fabric.

use std::fmt;

use philae_units::{Bytes, ClassId, Picoseconds, RankId};

use crate::activity::Activities;
use crate::error::MESSAGE_BYTES_MAX;

/// What a program waits for, for an error that says why a run goes no further.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wait {
    /// The operation in the words of what the program was read from: `line 3: recv 8 B from rank 1, tag 0`.
    pub words: String,
    /// The rank at its other end, where there is one.
    pub partner: Option<RankId>,
}

impl Wait {
    /// For an operation; `place` says where it was read: `line 3`.
    #[must_use]
    pub fn of(op: &Op, place: Option<&str>) -> Self {
        let words = place.map_or_else(|| op.to_string(), |place| format!("{place}: {op}"));
        Self { words, partner: op.partner() }
    }
}

/// Names an operation among those of one rank. The program chooses the number and may reuse it after completion.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct OpHandle(pub u32);

/// One operation of a rank. Ranks are those of the rank's own job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Op {
    /// Two-sided send. Completes when the buffer may be reused (eager: the last bit has left the NIC; rendezvous: data acknowledged).
    Send {
        /// Receiver.
        to: RankId,
        /// Payload, zero allowed.
        bytes: Bytes,
        /// Matched by the receive.
        tag: u32,
        /// Traffic class; the job's own when absent.
        class: Option<ClassId>,
    },
    /// Two-sided receive. Completes when the matching message has arrived in full.
    Recv {
        /// Sender, or any.
        from: Option<RankId>,
        /// Largest payload expected.
        bytes: Bytes,
        /// Tag, or any.
        tag: Option<u32>,
    },
    /// One-sided write. Completes when the target's acknowledgement is back (`MPI_Put` and flush).
    Put {
        /// Target.
        to: RankId,
        /// Payload.
        bytes: Bytes,
        /// Traffic class; the job's own when absent.
        class: Option<ClassId>,
    },
    /// One-sided read. Completes when the data has arrived.
    Get {
        /// Target, whose memory is read.
        from: RankId,
        /// Payload.
        bytes: Bytes,
        /// Traffic class; the job's own when absent.
        class: Option<ClassId>,
    },
    /// Atomic operation on the target's memory, carried out once and once only. Completes when the target's acknowledgement
    /// (fetching: the former value) is back.
    Amo {
        /// Target, whose memory is changed.
        to: RankId,
        /// Operand.
        bytes: Bytes,
        /// Whether the former value comes back.
        fetch: bool,
        /// Traffic class; the job's own when absent.
        class: Option<ClassId>,
    },
    /// A collective operation of all ranks of the job that the switches carry out. Completes when its result is there.
    ///
    /// All ranks start the same ones in the same order.
    Offload {
        /// What it does.
        kind: Offload,
        /// Operands, at most [`Offload::BYTES_MAX`].
        bytes: Bytes,
    },
    /// The rank's core is busy for this long.
    Compute {
        /// Span of simulated time.
        time: Picoseconds,
    },
    /// This long passes, from when the core gets to it; meanwhile the core is free for other operations.
    Delay {
        /// Span of simulated time.
        time: Picoseconds,
    },
}

impl Op {
    /// The rank at the other end.
    #[must_use]
    pub const fn partner(&self) -> Option<RankId> {
        match *self {
            Self::Send { to, .. } | Self::Put { to, .. } | Self::Amo { to, .. } => Some(to),
            Self::Get { from, .. } => Some(from),
            Self::Recv { from, .. } => from,
            Self::Offload { .. } | Self::Compute { .. } | Self::Delay { .. } => None,
        }
    }
}

impl fmt::Display for Op {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Send { to, bytes, tag, .. } => write!(f, "send {bytes} to rank {to}, tag {tag}"),
            Self::Recv { from, bytes, tag } => {
                f.write_str("recv ")?;
                // The largest size is what a receive has that takes whatever comes.
                if *bytes < MESSAGE_BYTES_MAX {
                    write!(f, "{bytes} ")?;
                }
                match from {
                    Some(from) => write!(f, "from rank {from}, ")?,
                    None => f.write_str("from any rank, ")?,
                }
                match tag {
                    Some(tag) => write!(f, "tag {tag}"),
                    None => f.write_str("any tag"),
                }
            }
            Self::Put { to, bytes, .. } => write!(f, "put {bytes} to rank {to}"),
            Self::Get { from, bytes, .. } => write!(f, "get {bytes} from rank {from}"),
            Self::Amo { to, bytes, .. } => write!(f, "atomic operation of {bytes} at rank {to}"),
            Self::Offload { kind, bytes } => write!(f, "{} of {bytes} in the switches", kind.name()),
            Self::Compute { time } => write!(f, "computation of {time}"),
            Self::Delay { time } => write!(f, "delay of {time}"),
        }
    }
}

/// What switches do for a collective operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub enum Offload {
    /// Combine everybody's operands.
    Allreduce,
    /// Wait for everybody.
    Barrier,
    /// Hand rank 0's operands to everybody; as an allreduce to which the others contribute nothing.
    Broadcast,
}

impl Offload {
    /// Operands of an operation at most (libfabric's cxi provider): four words.
    pub const BYTES_MAX: Bytes = Bytes(32);

    /// Its name, as MPI has it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Allreduce => "allreduce",
            Self::Barrier => "barrier",
            Self::Broadcast => "bcast",
        }
    }
}

/// What a program tells its driver.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// Start this operation; its completion is reported to [`RankProgram::advance`] with the same handle.
    Start(OpHandle, Op),
    /// The rank begins iteration `n` of what it measures (recorded with the time at which the rank gets there). Others may not
    /// have ended: requests overlap.
    IterationStart(u32),
    /// The rank has ended iteration `n`, which it has begun.
    IterationEnd(u32),
}

/// Whether a rank has more to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Progress {
    /// Operations are outstanding or more will follow.
    Running,
    /// Everything has completed and nothing follows.
    Finished,
}

/// The program of one rank.
///
/// The driver calls [`advance`](Self::advance) once with `None` at the start of the job and then once per completed
/// operation. Actions are carried out in the order given, one after the other on the rank's core. A program that
/// answers `Running` while none of its operations is outstanding would never be called again: the driver treats that
/// as a programming error and panics with the rank's name.
///
/// What it answers follows from how it was made and what it has been told, and from nothing else: a run that goes on from a
/// checkpoint tells a fresh program what the first was told, and has the same program then.
pub trait RankProgram: Send {
    /// Takes a completion (or `None`, once, at the start) and appends what the rank does next to `actions`.
    fn advance(&mut self, completed: Option<OpHandle>, actions: &mut Vec<Action>) -> Progress;

    /// What is under way since the last [`advance`](Self::advance), for people; nothing where a program has no words for it.
    fn activities(&self, _report: &mut Activities) {}

    /// The first of its outstanding operations, for people who want to know why a run goes no further; `None` where a
    /// program keeps no account of them.
    fn waits_for(&self) -> Option<Wait> {
        None
    }

    /// Whether it starts operations of [`Op::Offload`]: its job then needs a collective tree.
    fn offloads(&self) -> bool {
        false
    }

    /// The switches give up on an outstanding operation of [`Op::Offload`], the only one of its step: nobody has its result, and every
    /// rank of the job is told so. Called before the operation's completion is reported: the program then does this and all
    /// that it would have left to the switches by messages. False where it cannot.
    fn fall_back(&mut self) -> bool {
        false
    }
}
