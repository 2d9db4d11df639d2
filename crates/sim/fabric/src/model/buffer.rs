//! Input buffers: what is in them, by edge port and by switch.

/// The part of an edge port's input buffer that one class of its NIC uses.
#[derive(Clone, Copy, Debug, Default, serde::Serialize, serde::Deserialize)]
pub struct EdgeBuffer {
    pub used_bytes: u32,
    /// Whether the NIC has been told to pause.
    pub is_paused: bool,
}

/// Use of the input buffers of a switch.
#[derive(Clone, Copy, Debug, Default, serde::Serialize, serde::Deserialize)]
pub struct Buffered {
    /// Bytes now.
    pub bytes: u32,
    /// Most bytes so far.
    pub bytes_max: u32,
}

impl Buffered {
    /// Adds an arrived packet.
    #[inline]
    pub fn take(&mut self, bytes: u32) {
        self.bytes += bytes;
        self.bytes_max = self.bytes_max.max(self.bytes);
    }
}
