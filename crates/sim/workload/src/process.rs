//! A rank whose program is a process outside of the simulator. It issues operations like every
//! program, but it matches messages itself, moves bytes when the fabric says that they have
//! arrived, and waits for whatever comes.

use std::fmt::Debug;

use philae_units::{Bytes, Picoseconds, RankId};

use crate::program::{Action, OpHandle, Progress, RankProgram};

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

/// The process behind a rank. All times are those of the fabric. It gives each of its operations a
/// handle of its own, and never uses one again.
pub trait RankProcess: Send + Debug {
    /// As [`RankProgram::advance`](crate::RankProgram::advance). `now`: when the rank's core goes on,
    /// which may be ahead of the fabric.
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
}

/// A process as a program.
#[derive(Debug)]
pub struct ProcessProgram(pub Box<dyn RankProcess>);

impl RankProgram for ProcessProgram {
    fn advance(&mut self, _: Option<OpHandle>, _: &mut Vec<Action>) -> Progress {
        unreachable!("a driver asks the process of a program that is one")
    }

    fn is_process(&self) -> bool {
        true
    }

    fn process(&mut self) -> Option<&mut dyn RankProcess> {
        Some(self.0.as_mut())
    }
}
