//! Communication skeletons of applications.

pub(crate) mod grid;
mod halo3d;
mod sweep3d;

pub use grid::balanced_grid;
pub use halo3d::Halo3d;
pub use sweep3d::Sweep3d;
