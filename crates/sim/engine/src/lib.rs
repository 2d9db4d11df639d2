//! The event engine: calendar, total event order, random streams, run digest, free slots of what is
//! in flight.
//!
//! Invariant: the order in which events are handled is a function of their keys alone. No key
//! contains a thread, an address, an insertion count or a hash, so one partition and sixty-four
//! give the same run. The engine knows no networking: an event's payload is a plain value (no
//! closure), so that a run can be saved and resumed.
//!
//! Deliberately absent: clocks, threads, files.

mod calendar;
mod digest;
mod exponential;
mod key;
mod prefetch;
mod random;
mod slots;
mod watchdog;

pub use calendar::Calendar;
pub use digest::Digest;
pub use exponential::exponential_of_mean;
pub use key::{EventKey, EventOrder};
pub use prefetch::{prefetch, prefetch_at, prefetch_line, prefetch_line_at, prefetch_soon};
pub use random::RandomStream;
pub use slots::FreeSlots;
pub use watchdog::Watchdog;
