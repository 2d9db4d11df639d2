//! Errors on the path through a NIC.

use crate::error::Error;

/// An error on the path through a NIC.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RemoteError {
    /// libfabric is not installed.
    #[error(
        "PEs of other hosts need libfabric, and libfabric.so.1 cannot be opened: {0}; Debian's package libfabric1, \
         or LD_LIBRARY_PATH with its folder, would work"
    )]
    NoLibrary(String),
    /// No provider does what is needed.
    #[error(
        "no provider of libfabric {asked} has endpoints of type RDM with RMA and atomic operations{why}; found: {found}"
    )]
    NoProvider {
        /// What was asked for: `'tcp;ofi_rxm'`, `at all`.
        asked: String,
        /// libfabric's explanation.
        why: String,
        /// The providers that were found.
        found: String,
    },
    /// A call of libfabric failed.
    #[error("{call} of provider '{provider}': {why}")]
    Call {
        /// The libfabric function.
        call: &'static str,
        provider: String,
        /// libfabric's explanation.
        why: String,
    },
    /// A variable has a value without meaning.
    #[error("{name}='{value}' {why}; {works}")]
    Setting {
        /// The variable.
        name: &'static str,
        value: String,
        /// What is wrong with it.
        why: String,
        /// What would work.
        works: &'static str,
    },
    /// An operation on a PE's memory failed.
    #[error("{what} on PE {pe}, address {address:#x}: {why}")]
    Operation {
        /// The program's function.
        what: &'static str,
        /// The PE whose memory it is.
        pe: u32,
        /// The address, as this PE has it.
        address: u64,
        /// The explanation of libfabric and its provider.
        why: String,
    },
    /// An operation failed that began too long ago to be remembered.
    #[error("an operation begun before the last {kept} by {provider}: {why}")]
    Forgotten {
        /// How many operations are remembered.
        kept: usize,
        provider: String,
        /// The explanation of libfabric and its provider.
        why: String,
    },
    /// No completion arrives.
    #[error(
        "{what}: no operation has ended within {seconds} s while {writes} puts and {reads} gets are in progress \
         (SHMEM_OFI_PATIENCE is the time limit); the last to begin was {last}"
    )]
    Silence {
        /// The function that waits.
        what: &'static str,
        /// How long it has waited.
        seconds: u64,
        /// Writing operations in flight.
        writes: u64,
        /// Reading operations in flight.
        reads: u64,
        /// The last operation: `shmem_put on PE 3, address 0x...`.
        last: String,
    },
    /// The PE has no such symmetric memory.
    #[error(
        "{what}: address {address:#x} with {bytes} bytes is not symmetric memory of PE {pe}; legal for it, as addresses of this PE: {legal}"
    )]
    Address {
        /// The program's function.
        what: &'static str,
        /// The address, as it was given.
        address: u64,
        /// The number of bytes.
        bytes: usize,
        /// The PE whose memory it is.
        pe: u32,
        /// The ranges that the PE has registered.
        legal: String,
    },
    /// PEs have settings that do not match.
    #[error("{0}")]
    Mismatch(String),
    /// The PEs could not exchange their addresses.
    #[error("{0}")]
    Job(String),
}

impl From<RemoteError> for Error {
    fn from(error: RemoteError) -> Self {
        match error {
            RemoteError::Setting { name, value, why, works } => Self::Setting { name, value, why, works },
            RemoteError::Mismatch(text) => Self::Mismatch(text),
            RemoteError::Job(text) => Self::Job(text),
            other @ (RemoteError::Operation { .. } | RemoteError::Forgotten { .. } | RemoteError::Silence { .. }) => {
                Self::Unreachable(other.to_string())
            }
            other => Self::Remote(other.to_string()),
        }
    }
}
