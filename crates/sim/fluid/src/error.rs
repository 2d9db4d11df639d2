//! Errors of runs in rates.

use philae_fabric::FabricError;

/// A run in rates that cannot be built or cannot continue.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FluidError {
    /// The same error as of a run in packets.
    #[error(transparent)]
    Fabric(#[from] FabricError),
    /// The scenario asks for an effect that only packets show.
    #[error("a run in rates cannot model {what}: {found}; {works} would work")]
    Refused {
        /// What the scenario asks for.
        what: &'static str,
        /// What was found.
        found: String,
        /// What would work.
        works: &'static str,
    },
}
