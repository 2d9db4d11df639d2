//! Inputs and answers of the laws.

/// Whether a flow may send its next packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Admission {
    Now,
    /// Not before this time, in picoseconds.
    At(u64),
    /// Not before an acknowledgement changes something.
    OnAck,
}

/// Feedback from the egress about one packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Feedback {
    /// Bytes queued for the egress port when the packet was there.
    pub egress_queue_bytes: u32,
    /// Time that the egress port needs for one byte, in picoseconds.
    pub egress_ps_per_byte: u32,
}
