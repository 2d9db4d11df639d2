//! Pause frames (PFC): a switch asks its NIC, or under `ecn` and `pfc` the switch upstream, to stop
//! sending.
//!
//! A paused sender keeps no account of the far buffer. Instead the buffer has headroom for what is
//! on its way when the pause takes effect. The run fails if that was not enough (nothing is ever
//! dropped).

mod handlers;

/// One channel of one input buffer.
#[derive(Clone, Copy, Debug, Default, serde::Serialize, serde::Deserialize)]
pub struct LinkBuffer {
    used_bytes: u32,
    paused_since: Option<u64>,
}
