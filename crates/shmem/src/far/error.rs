//! What goes wrong on the way through a NIC.

use crate::error::Error;

/// What goes wrong on the way through a NIC.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FarError {
    /// There is no libfabric.
    #[error(
        "PEs of other hosts need libfabric, and libfabric.so.1 cannot be opened: {0}; Debian's package libfabric1 has it, \
         LD_LIBRARY_PATH may say where it is"
    )]
    NoLibrary(String),
    /// No provider does what is needed.
    #[error(
        "no provider of libfabric {asked} has endpoints of type RDM with RMA and atomic operations{why}; found: {found}"
    )]
    NoProvider {
        /// `'tcp;ofi_rxm'`, `at all`.
        asked: String,
        /// As libfabric says.
        why: String,
        /// Those that there are.
        found: String,
    },
    /// A call of libfabric's failed.
    #[error("{call} of provider '{provider}': {why}")]
    Call {
        /// The function.
        call: &'static str,
        /// Whose it is.
        provider: String,
        /// As libfabric says.
        why: String,
    },
    /// A variable that has no meaning.
    #[error("{name}='{value}' {why}; {works}")]
    Setting {
        /// The variable.
        name: &'static str,
        /// Its value.
        value: String,
        /// What is wrong.
        why: String,
        /// What would work.
        works: &'static str,
    },
    /// An operation on a PE's memory failed.
    #[error("{what} on PE {pe}, address {address:#x}: {why}")]
    Operation {
        /// The function of the program's.
        what: &'static str,
        /// Whose memory.
        pe: u32,
        /// Where, as this PE has it.
        address: u64,
        /// As libfabric and its provider say.
        why: String,
    },
    /// An operation failed that was begun so long ago that nothing is known of it.
    #[error("an operation begun before the last {kept} by {provider}: {why}")]
    Forgotten {
        /// How many are remembered.
        kept: usize,
        /// The provider.
        provider: String,
        /// As libfabric and its provider say.
        why: String,
    },
    /// Nothing comes back.
    #[error(
        "{what}: no operation has ended within {seconds} s while {writes} puts and {reads} gets are under way (SHMEM_OFI_PATIENCE \
         says how long to wait); the last to begin was {last}"
    )]
    Silence {
        /// What waits.
        what: &'static str,
        /// How long.
        seconds: u64,
        /// Operations that write.
        writes: u64,
        /// Operations that read.
        reads: u64,
        /// `shmem_put on PE 3, address 0x...`.
        last: String,
    },
    /// Memory that the PE does not have.
    #[error(
        "{what}: address {address:#x} with {bytes} bytes is no symmetric memory of PE {pe}; legal for it, as this PE has addresses: {legal}"
    )]
    Address {
        /// The function of the program's.
        what: &'static str,
        /// As it was given.
        address: u64,
        /// How much.
        bytes: usize,
        /// Whose memory.
        pe: u32,
        /// The ranges that it has registered.
        legal: String,
    },
    /// PEs do not fit each other.
    #[error("{0}")]
    Mismatch(String),
    /// PEs cannot be introduced to each other.
    #[error("{0}")]
    Job(String),
}

impl From<FarError> for Error {
    fn from(error: FarError) -> Self {
        match error {
            FarError::Setting { name, value, why, works } => Self::Setting { name, value, why, works },
            FarError::Mismatch(text) => Self::Mismatch(text),
            FarError::Job(text) => Self::Job(text),
            other @ (FarError::Operation { .. } | FarError::Forgotten { .. } | FarError::Silence { .. }) => {
                Self::Unreachable(other.to_string())
            }
            other => Self::Far(other.to_string()),
        }
    }
}
