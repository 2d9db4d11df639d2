//! PEs of one host: waiting, locks, and detection of dead PEs.

pub mod atomics;
mod calls;
pub mod condition;
pub mod death;
pub mod lock;
pub mod stuck;
pub mod wait;
