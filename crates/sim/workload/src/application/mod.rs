//! Applications as rank programs: how much each rank sends to which rank, and what waits for what.
//!
//! Volumes follow from the parameters of a problem by closed forms, which the tests repeat from
//! their sources. Times of computation are inputs, or follow from a rate that is an input; none was
//! measured here.

mod fft;
mod gups;
mod halo3d_26;
mod hpcg;
mod iperf;
mod lammps;
mod milc;
mod service;
mod training;

pub use fft::{Decomposition, Fft};
pub use gups::Gups;
pub use halo3d_26::Halo3d26;
pub use hpcg::Hpcg;
pub use iperf::Iperf;
pub use lammps::Lammps;
pub use milc::Milc;
pub use service::{Lognormal, Service, ServiceApplication, ServiceTime};
pub use training::*;

use philae_units::Picoseconds;

use crate::collective::{Allreduce, AllreduceAlgorithm, Collective, Group, GroupCollective};
use crate::error::{WorkloadError, at_least};
use crate::quantity::Size;

const DOUBLE: u64 = 8;

/// Each iteration of one rank has its own tags; a collective in it has this many.
const TAGS: u32 = crate::sequence::StageSequence::TAGS;

/// The time that `flops` floating-point operations take at `gflops` Gflop/s, rounded up.
fn compute_time(flops: u64, gflops: u32) -> Picoseconds {
    Picoseconds(flops.saturating_mul(1_000).div_ceil(u64::from(gflops.max(1))))
}

/// Largest number of cells or sites of a rank: keeps products with flops and picoseconds inside 64
/// bits.
const CELLS_MAX: u64 = 1 << 40;

/// Checks that a rank has cells, but not too many to count.
fn check_cells(workload: &'static str, key: &'static str, sides: &[u32]) -> Result<(), WorkloadError> {
    let cells = sides.iter().fold(1_u64, |cells, &side| cells.saturating_mul(u64::from(side)));
    match cells {
        0 => Err(WorkloadError::Zero { workload, key }),
        1..=CELLS_MAX => Ok(()),
        found => {
            let allowed = format!("at most {CELLS_MAX} of one rank");
            Err(WorkloadError::OutOfRange { workload, key, found, allowed })
        }
    }
}

/// A sum of one double over all ranks, as in the dot products of solvers.
fn sum(algorithm: AllreduceAlgorithm, ranks: u32) -> GroupCollective {
    let spec = Allreduce { bytes: Size::bytes(DOUBLE), algorithm, ..Allreduce::default() };
    on_all(spec.collective(ranks), ranks)
}

fn on_all(collective: Collective, ranks: u32) -> GroupCollective {
    GroupCollective::new(collective, Group::all(ranks)).expect("even blocks and root 0 suit every group")
}

/// Checks that there are enough ranks for the algorithm of a sum of one double: switches need two,
/// to have a tree.
fn check_sum(workload: &'static str, algorithm: AllreduceAlgorithm, ranks: u32) -> Result<(), WorkloadError> {
    at_least(workload, if algorithm == AllreduceAlgorithm::SwitchOffloaded { 2 } else { 1 }, ranks)
}
