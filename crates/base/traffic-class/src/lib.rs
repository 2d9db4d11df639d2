//! Traffic classes: what each may use of a link, and which one an output serves next.
//!
//! Invariant: over any stretch of time, a class that has requests gets its assured share of the
//! link, no class gets more than its ceiling, and what is reserved for one class is used by no
//! other. The crate decides: `now`, requests and transmission times come in, a class or a time to
//! ask again goes out. It knows no events and no queues.

mod class;
mod profile;
mod schedule;

pub use class::{ClassError, ClassSet, EntropyRouting, TrafficClass};
pub use profile::{PROFILES, profile};
pub use schedule::{Account, Choice, ClassSchedule, Common};
