//! Point-to-point patterns.

mod bandwidth;
mod bisection;
mod flow_sizes;
mod incast;
mod one_sided;
mod permutation;
mod ping_pong;
mod shift;
mod uniform_random;

pub use bandwidth::Bandwidth;
pub use bisection::Bisection;
pub use flow_sizes::{FlowSizes, SizeDistribution, SizePoint, wrong_points};
pub use incast::{Incast, IncastOperation, IncastTarget};
pub use one_sided::{OneSided, OneSidedOperation, OneSidedPattern};
pub use permutation::Permutation;
pub use ping_pong::{Pairing, PingPong};
pub use shift::Shift;
pub use uniform_random::UniformRandom;
