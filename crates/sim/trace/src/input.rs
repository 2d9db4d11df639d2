//! Files, and values that files leave open.

use philae_units::Bytes;

/// A file: its name, and its bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TraceFile {
    /// Name for errors and for the detection of the format.
    pub name: String,
    /// All its bytes.
    pub bytes: Vec<u8>,
}

/// Values that files leave open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TraceOptions {
    /// Floating-point operations of a core per second.
    pub flops_per_second: Option<u64>,
    /// Bytes that memory moves per second.
    pub memory_bytes_per_second: Option<u64>,
    /// Size of the message with which a trigger reaches another rank.
    pub trigger_bytes: Bytes,
    /// Ranks of the job, for files that do not give their number.
    pub ranks: Option<u32>,
}

impl Default for TraceOptions {
    fn default() -> Self {
        Self { flops_per_second: None, memory_bytes_per_second: None, trigger_bytes: Bytes(8), ranks: None }
    }
}
