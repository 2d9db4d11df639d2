//! A rank whose program is a process outside of the simulator. It issues operations like every
//! program, but it matches messages itself, moves bytes when the fabric says that they have
//! arrived, and waits for whatever comes.

use std::fmt::Debug;

use philae_units::{Bytes, JobId, Picoseconds, RankId};

use crate::program::{Action, OpHandle, Progress, RankProgram, Wait};

/// A message for a process, or what one rank does to the memory of another. It is named by the
/// operation that began it, which is outstanding until it has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProcessMessage {
    /// The rank that issued the operation.
    pub source: RankId,
    /// The operation, as that rank named it.
    pub operation: OpHandle,
    /// Its payload.
    pub bytes: Bytes,
}

/// What a process does with a message that has arrived.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OfferAnswer {
    /// The message waits in the process, which fetches its data later
    /// ([`Op::Fetch`](crate::Op::Fetch)), if they have not come with it. If the rank waits for any
    /// message, this operation ([`Op::Event`](crate::Op::Event)) ends.
    Waits(Option<OpHandle>),
    /// The process has the message. If the rank waits for that, this operation ends.
    Taken(Option<OpHandle>),
    /// Its data have not come with it, and are fetched from this time on: when its receive was
    /// posted, which may be ahead of the fabric, or at once.
    Fetches(Picoseconds),
}

/// What a message asks of the memory of its target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MemoryAccess {
    /// Its payload is written.
    Write,
    /// It is read: the payload of the answer.
    Read,
    /// It is changed.
    Change,
    /// The payload of a message that the target has sent is read.
    ReadMessage,
}

/// What has been lost for good: a NIC has sent it as often as it may.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lost {
    /// The operation, of this rank. If it has not ended, it ends now: `advance` is told so next.
    /// It may have been carried out all the same, now or later, if only the answers were lost. An
    /// eager message has ended before: its data had left. The rank is not told that data of a
    /// message that it lost are read.
    Operation,
    /// The data of a message that this rank was offered and that are fetched. An
    /// [`Op::Fetch`](crate::Op::Fetch) of them ends now. The rank is not told if they come later.
    Data,
    /// An operation of another rank, before it has reached this one. It never does: what has come
    /// before it and takes effect after it waits no longer. It may reach the rank nevertheless if a
    /// gateway has forwarded it.
    Arrival,
}

/// What the NIC of a process tells another rank by itself: a write without payload, in which the
/// rank's core has no part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NicReply {
    /// The operation, which is one of the rank's own.
    pub operation: OpHandle,
    /// The rank that is told.
    pub to: RankId,
    /// From when on, or from now on if that is later.
    pub from: Picoseconds,
}

/// The process behind a rank. All times are those of the fabric. It gives each of its operations a
/// handle of its own, below 2^31, and never uses one again.
///
/// A wait ([`Op::Event`](crate::Op::Event)) ends once: when its process ends it, or at its deadline
/// if that is earlier. What happens at the time of the deadline comes before it. What has not
/// happened by then comes later, even if the process has been told of it:
/// [`reached`](Self::reached) may be ahead. A rank has one wait: if it starts another one, the
/// first never ends.
pub trait RankProcess: Send + Debug {
    /// As [`RankProgram::advance`](crate::RankProgram::advance). `now`: when the rank's core goes
    /// on, which may be ahead of the fabric.
    fn advance(&mut self, now: Picoseconds, completed: Option<OpHandle>, actions: &mut Vec<Action>) -> Progress;

    /// A message has become visible. `number` names it for [`Op::Fetch`](crate::Op::Fetch);
    /// `is_whole`: its data have come with it.
    fn offered(&mut self, now: Picoseconds, message: &ProcessMessage, number: u32, is_whole: bool) -> OfferAnswer;

    /// The data of a message that was fetched are there. If the rank waits for that, the operation
    /// that ends.
    fn fetched(&mut self, now: Picoseconds, message: &ProcessMessage) -> Option<OpHandle>;

    /// An operation of another rank has reached the memory of this one: at `now`, which may be a
    /// little ahead of the events of the fabric. If the rank waits for that, the operation that
    /// ends.
    fn reached(&mut self, now: Picoseconds, message: &ProcessMessage, access: MemoryAccess) -> Option<OpHandle>;

    /// After [`offered`](Self::offered), [`reached`](Self::reached) and [`lost`](Self::lost), until
    /// there is none: a message that was offered before, with the answer that it waits, whose data
    /// are fetched from now on, or from this time on if that is later.
    fn released(&mut self) -> Option<(u32, Picoseconds)> {
        None
    }

    /// After each of the other questions, until there is none: what its NIC tells other ranks.
    fn replies(&mut self) -> Option<NicReply> {
        None
    }

    /// Something has been lost for good. If the rank waits for that, the operation that ends.
    fn lost(&mut self, now: Picoseconds, message: &ProcessMessage, lost: Lost) -> Option<OpHandle>;

    /// What it waits for, for people who want to know why a run cannot continue.
    fn waits_for(&self) -> Option<Wait> {
        None
    }
}

/// An operation of a rank that ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OperationEnd {
    /// The rank's job.
    pub job: JobId,
    /// The rank, in its job.
    pub rank: RankId,
    /// The operation, as the rank named it. If it has ended before, nothing happens.
    pub operation: OpHandle,
    /// When it ends, or at the time of the question if that is later.
    pub at: Picoseconds,
}

/// How a run goes on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Between {
    /// With its next event. If none is left, the run ends.
    Nothing,
    /// These operations end: waits of ranks that come back.
    End(Vec<OperationEnd>),
    /// The processes wait for each other, and the run ends with that error, even if ranks of other
    /// jobs have events left.
    Deadlock,
    /// The run stops here. Its record is valid up to now, and no process is asked anything more.
    Stop,
}

/// Watches the processes of a run from outside, where time is real.
pub trait ProcessSupervisor: Send + Debug {
    /// A window has ended: everything before `now` has happened, and nothing else. `next`: the time
    /// of the next event, `None` if none is left. It answers at once, unless no event is left: then
    /// it may wait until a process comes back.
    ///
    /// The windows are the same however the run is divided.
    fn between(&mut self, now: Picoseconds, next: Option<Picoseconds>) -> Between;
}

/// A process as a program.
#[derive(Debug)]
pub struct ProcessProgram(pub Box<dyn RankProcess>);

impl RankProgram for ProcessProgram {
    fn advance(&mut self, _: Option<OpHandle>, _: &mut Vec<Action>) -> Progress {
        unreachable!("a driver asks the process of a program that is one")
    }

    fn waits_for(&self) -> Option<Wait> {
        self.0.waits_for()
    }

    fn is_process(&self) -> bool {
        true
    }

    fn process(&mut self) -> Option<&mut dyn RankProcess> {
        Some(self.0.as_mut())
    }
}
