//! Pause frames (PFC): a switch asks its NIC, or under `ecn` and `pfc` the switch upstream, to stop
//! sending.
//!
//! A paused sender keeps no account of the far buffer. Instead the buffer has headroom for what is
//! on its way when the pause takes effect. The run fails if that was not enough (nothing is ever
//! dropped). Where frames may be lost and come again, more can be on its way: there the sender
//! counts what its far end has not released, and waits once that is a channel's part of the buffer.

mod handlers;

/// One channel of one input buffer.
#[derive(Clone, Copy, Debug, Default, serde::Serialize, serde::Deserialize)]
pub struct LinkBuffer {
    used_bytes: u32,
    paused_since: Option<u64>,
}
