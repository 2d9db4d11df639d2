//! The NIC as a state machine: what the emulated NIC does to real memory, without doing any input
//! or output itself.
//!
//! Invariants: all state lies in pools of fixed size that the caller provides. Entries refer to
//! each other by index, never by address. Therefore the same state works in a process's own memory,
//! in memory that processes share, and in tests. A full pool is reported; nothing grows. If all
//! processes are in one memory, [`MatchPools`] holds the entries of their lists; these pools grow.

mod arrivals;
mod atomic;
mod buffer;
mod chain;
mod class;
mod counter;
mod event;
#[cfg(test)]
mod growth;
mod heads;
mod journal;
mod list;
mod match_mode;
mod matching;
mod memory;
mod portal;
mod process;
mod receives;
mod software;
#[cfg(test)]
mod torn;

pub use atomic::{AtomicError, AtomicOperation, AtomicType, apply};
pub use buffer::{BLOCK_BYTES, Block, BufferHeads, BufferShape, Buffers};
pub use counter::{FAILURE_MAX, NicCounter, SUCCESS_MAX, Trigger, TriggerHeads, Triggers};
pub use event::{EventKind, EventRing, IN_EVENT, INLINE_BYTES, Inline, NicEvent, ReturnCode, RingFull, RingState};
pub use heads::{ListHeads, PoolEntry};
pub use journal::Journal;
pub use list::{
    ANY_SOURCE, ArrivalHeads, Arrivals, Criteria, ListFull, MessageLanding, ReadPosition, Receive, ReceiveHeads,
    Receives, UnexpectedMessage,
};
pub use match_mode::{EntryOutcome, EntryPlace, ListEntries, MatchMode, RefusedMessages, SentId};
pub use matching::{MatchLists, MatchPools};
pub use memory::{AccessError, Counted, Regions, RegisterError, RegisteredRegion, Rights};
pub use portal::{ArrivalOutcome, ArrivingMessage, Portal, Posted};
pub use process::{Begun, IncomingOperation, NicProcess, OperationRequest, PortalKind, Reserved};
pub use software::{ProcessMatching, SoftwareLists};
