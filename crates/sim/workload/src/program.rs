//! Rank programs: the operations of one process, given to its driver one step at a time.
//!
//! A program never sees time and performs nothing. It is told which of its operations completed and
//! answers with the operations that may start now. Dependencies, windows and loops live inside the
//! program. A pattern of a million messages therefore needs memory only for its window, and an
//! imported schedule (a graph with explicit dependencies) and a generated pattern look alike to the
//! fabric.

use std::fmt;

use philae_units::{Bytes, ClassId, Picoseconds, RankId};

use crate::activity::Activities;
use crate::error::MESSAGE_BYTES_MAX;
use crate::process::RankProcess;

/// What a program waits for, for the error that says why a run cannot continue.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wait {
    /// The operation in the words of the program's source: `line 3: recv 8 B from rank 1, tag 0`.
    pub words: String,
    /// The rank at its other end, if there is one.
    pub partner: Option<RankId>,
}

impl Wait {
    /// For an operation; `place` is where it was read: `line 3`.
    #[must_use]
    pub fn of(op: &Op, place: Option<&str>) -> Self {
        let words = place.map_or_else(|| op.to_string(), |place| format!("{place}: {op}"));
        Self { words, partner: op.partner() }
    }
}

/// Names an operation of one rank. The program chooses the number and may reuse it after
/// completion.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct OpHandle(pub u32);

/// One operation of a rank. Ranks are those of the rank's own job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Op {
    /// Two-sided send. Completes when the buffer may be reused (eager: the last bit has left the
    /// NIC; rendezvous: data acknowledged).
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
    /// Atomic operation on the target's memory, carried out exactly once. Completes when the
    /// target's acknowledgement (fetching: the old value) arrives.
    Amo {
        /// Target, whose memory is changed.
        to: RankId,
        /// Operand.
        bytes: Bytes,
        /// Whether it returns the old value.
        fetch: bool,
        /// Traffic class; the job's own when absent.
        class: Option<ClassId>,
    },
    /// A collective operation of all ranks of the job that the switches carry out. Completes when
    /// its result arrives.
    ///
    /// All ranks start the same ones in the same order.
    Offload {
        /// The operation.
        kind: Offload,
        /// Operands, at most [`Offload::BYTES_MAX`].
        bytes: Bytes,
    },
    /// The rank's core is busy for this long.
    Compute {
        /// Span of simulated time.
        time: Picoseconds,
    },
    /// Time that passes, starting when the core reaches it; meanwhile the core is free for other
    /// operations.
    Delay {
        /// Span of simulated time.
        time: Picoseconds,
    },
    /// A time of a schedule. Completes at this time after the start of the rank's latest open
    /// iteration, at once if that has passed. The core has no part in it: a schedule does not slip.
    Until {
        /// Since the start of the iteration.
        time: Picoseconds,
    },
    /// A wait of a process, which ends it ([`RankProcess`]).
    Event {
        /// The time of the fabric at which it ends if its process has not ended it before. A wait
        /// that begins later ends at once.
        until: Option<Picoseconds>,
    },
    /// Fetches the data of a message that waited in a process.
    Fetch {
        /// As the message was offered ([`RankProcess::offered`]).
        number: u32,
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
            Self::Offload { .. }
            | Self::Compute { .. }
            | Self::Delay { .. }
            | Self::Until { .. }
            | Self::Event { .. }
            | Self::Fetch { .. } => None,
        }
    }
}

impl Op {
    /// Payload that it moves; none for what moves none.
    #[must_use]
    pub const fn payload(&self) -> Bytes {
        match *self {
            Self::Send { bytes, .. } | Self::Put { bytes, .. } | Self::Get { bytes, .. } => bytes,
            Self::Amo { bytes, .. } | Self::Offload { bytes, .. } => bytes,
            Self::Recv { .. }
            | Self::Compute { .. }
            | Self::Delay { .. }
            | Self::Until { .. }
            | Self::Event { .. }
            | Self::Fetch { .. } => Bytes::ZERO,
        }
    }
}

impl fmt::Display for Op {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Send { to, bytes, tag, .. } => write!(f, "send {bytes} to rank {to}, tag {tag}"),
            Self::Recv { from, bytes, tag } => {
                f.write_str("recv ")?;
                // A receive that accepts any message has the largest size.
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
            Self::Until { time } => write!(f, "wait until {time} after the start of the iteration"),
            Self::Event { until: None } => f.write_str("wait for an event"),
            Self::Event { until: Some(until) } => write!(f, "wait for an event, until {until}"),
            Self::Fetch { number } => write!(f, "fetch of message {number}"),
        }
    }
}

/// The switches' part in a collective operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub enum Offload {
    /// Combine all ranks' operands.
    Allreduce,
    /// Wait for all ranks.
    Barrier,
    /// Send rank 0's operands to all ranks; like an allreduce to which the others contribute
    /// nothing.
    Broadcast,
}

impl Offload {
    /// Maximum size of an operation's operands (libfabric's cxi provider): four words.
    pub const BYTES_MAX: Bytes = Bytes(32);

    /// Its name in MPI.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Allreduce => "allreduce",
            Self::Barrier => "barrier",
            Self::Broadcast => "bcast",
        }
    }
}

/// An instruction from a program to its driver.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// The operation that starts next was intended for this time after the start of the rank's
    /// latest open iteration. Its latency counts from then, however late its core or its window
    /// makes it.
    Due(Picoseconds),
    /// Start this operation; its completion is reported to [`RankProgram::advance`] with the same
    /// handle.
    Start(OpHandle, Op),
    /// Ring the doorbell for the one-sided operations that a process has started since the last one
    /// (libfabric's `FI_MORE`). Those of other programs share doorbells as the host says.
    Doorbell,
    /// The rank begins iteration `n` of its measurement (recorded with the time at which the rank
    /// gets there). Earlier ones may still be open: requests overlap.
    IterationStart(u32),
    /// The rank has ended iteration `n`.
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
/// The driver calls [`advance`](Self::advance) once with `None` at the start of the job and then
/// once per completed operation. The rank's core carries out the actions in the given order, one
/// after the other. A program that answers `Running` while none of its operations is outstanding
/// would never be called again: the driver treats that as a programming error and panics with the
/// rank's name.
///
/// The answers depend only on the program's construction and on what it has been told. A run that
/// continues from a checkpoint therefore tells a fresh program the same completions, and gets the
/// same program.
pub trait RankProgram: Send {
    /// Takes a completion (or `None`, once, at the start) and appends the rank's next actions to
    /// `actions`.
    fn advance(&mut self, completed: Option<OpHandle>, actions: &mut Vec<Action>) -> Progress;

    /// The activities in progress since the last [`advance`](Self::advance), for people; none if a
    /// program has no names for them.
    fn activities(&self, _report: &mut Activities) {}

    /// The first of its outstanding operations, for people who want to know why a run cannot
    /// continue; `None` if a program does not track them.
    fn waits_for(&self) -> Option<Wait> {
        None
    }

    /// Whether it starts operations of [`Op::Offload`]: its job then needs a collective tree.
    fn offloads(&self) -> bool {
        false
    }

    /// Whether it is a process.
    fn is_process(&self) -> bool {
        false
    }

    /// The process that it is, if it is one. Its driver then asks the process, and never
    /// [`advance`](Self::advance).
    fn process(&mut self) -> Option<&mut dyn RankProcess> {
        None
    }

    /// The switches give up an outstanding operation of [`Op::Offload`], the only one of its step:
    /// no rank has its result, and every rank of the job is told. Called before the operation's
    /// completion is reported. The program then uses messages for this operation and for all later
    /// ones of the switches. False if it cannot.
    fn fall_back(&mut self) -> bool {
        false
    }
}
