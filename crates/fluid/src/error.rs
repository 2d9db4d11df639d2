//! What rates cannot stand for.

use philae_fabric::FabricError;

/// A run in rates that cannot be built or cannot go on.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FluidError {
    /// As of a run in packets.
    #[error(transparent)]
    Fabric(#[from] FabricError),
    /// Only packets show this.
    #[error("rates cannot stand for {what}: {found}; {works} would work")]
    Refused {
        /// What.
        what: &'static str,
        /// What was found.
        found: String,
        /// What would work.
        works: &'static str,
    },
}
