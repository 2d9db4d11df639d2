//! The NIC's state machines: lists, matching, events and counters ([`nic`]), and reliable transport
//! over datagrams ([`transport`]). The simulator and the provider run the same code.
//!
//! Invariant: every message that arrives is in one buffer, or in the list of unexpected messages,
//! and gives one event. The crate performs no I/O, reads no clock and does not know whether it is
//! simulated.

pub mod nic;
pub mod transport;
