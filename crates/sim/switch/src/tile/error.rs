//! Errors of a switch at tile fidelity.

use philae_units::PortId;

/// A switch that cannot be built, or a law of the model that was broken.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TileError {
    /// A figure with which a switch cannot work.
    #[error("the switch's {name} is {found}; {works} would work")]
    Parameter {
        /// Name of the parameter.
        name: &'static str,
        /// The requested value.
        found: u32,
        /// What would work.
        works: String,
    },
    /// Traffic for another number of inputs.
    #[error("traffic for {found} input ports was given; the switch has 64, and an idle one has an empty list")]
    Inputs {
        /// Number of lists.
        found: usize,
    },
    /// A packet that the switch cannot take.
    #[error("packet {number} of input {input}: {problem}")]
    Offer {
        /// Input port.
        input: PortId,
        /// Index of the packet among those of the input, from 0.
        number: usize,
        /// The requested value, and the values that would work.
        problem: String,
    },
    /// A law of conservation is broken.
    #[error("at {at_ps} ps {law}; this is a mistake in Philae, not in its input")]
    Broken {
        /// Time, in picoseconds.
        at_ps: u64,
        /// The law, with the figures.
        law: String,
    },
}
