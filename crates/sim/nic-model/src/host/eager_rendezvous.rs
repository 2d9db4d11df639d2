//! Eager or rendezvous: the threshold above which a two-sided message sends a request first.

use philae_units::Bytes;

use super::HostPath;
use crate::parameters::NicParameters;

/// How a two-sided message travels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MessageProtocol {
    /// Sends the data immediately; the receiver buffers it if no receive is posted.
    Eager,
    /// Sends a request first; the receiver reads the data after it has matched.
    Rendezvous,
}

impl MessageProtocol {
    /// The protocol for a message of this size.
    #[must_use]
    pub const fn for_size(nic: &NicParameters, path: HostPath, size: Bytes) -> Self {
        match path {
            HostPath::Messages if size.0 > nic.eager_max_bytes as u64 => Self::Rendezvous,
            HostPath::Direct | HostPath::Messages | HostPath::Kernel | HostPath::KernelUdp => Self::Eager,
        }
    }
}
