//! PEs of one host: waiting, locks, and noticing that one has died.

pub mod death;
