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
pub use counter::{Counter, FAILURE_MAX, SUCCESS_MAX, Trigger, TriggerHeads, Triggers};
pub use event::{Event, EventKind, EventRing, IN_EVENT, INLINE_BYTES, Inline, ReturnCode, RingFull, RingState};
pub use heads::{Entry, ListHeads};
pub use journal::Journal;
pub use list::{
    ANY_SOURCE, Arrival, ArrivalHeads, Arrivals, Criteria, Landing, ListFull, Receive, ReceiveHeads, Receives, Seen,
};
pub use match_mode::{Entries, EntryPlace, MatchMode, Refusals, Sent, Taken};
pub use matching::{MatchLists, MatchPools};
pub use memory::{AccessError, Counted, Region, Regions, RegisterError, Rights};
pub use portal::{Message, Offered, Portal, Posted};
pub use process::{Begun, Incoming, PortalKind, Process, Request, Reserved};
pub use software::{Matching, SoftwareLists};
