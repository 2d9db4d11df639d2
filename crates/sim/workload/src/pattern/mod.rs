//! Point-to-point patterns.

mod bandwidth;
mod bisection;
mod congestors;
mod flow_sizes;
mod incast;
mod one_sided;
mod permutation;
mod ping_pong;
mod random_ring;
mod shift;
mod uniform_random;

pub use bandwidth::Bandwidth;
pub use bisection::Bisection;
pub use congestors::Congestors;
pub use flow_sizes::{FlowSizes, SizeDistribution, SizePoint, wrong_points};
pub use incast::{Incast, IncastOperation, IncastTarget};
pub use one_sided::{OneSided, OneSidedOperation, OneSidedPattern};
pub use permutation::Permutation;
pub use ping_pong::{Pairing, PingPong};
pub use random_ring::RandomRing;
pub(crate) use random_ring::{check_slices, slice_of};
pub use shift::Shift;
pub use uniform_random::UniformRandom;
