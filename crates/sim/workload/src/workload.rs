//! The interface of a workload.

use philae_units::RankId;

use crate::error::WorkloadError;
use crate::program::RankProgram;

/// The interface of a workload. A new one implements this, and gets a line in
/// [`WorkloadSpec`](crate::WorkloadSpec).
pub trait Workload {
    /// Whether it can run with this many ranks.
    ///
    /// # Errors
    /// [`WorkloadError`], saying what would work.
    fn check(&self, ranks: u32) -> Result<(), WorkloadError>;

    /// The program of one rank of a job of `ranks`. Random choices follow from `seed` alone.
    ///
    /// # Panics
    /// May panic, now or while it runs, where [`check`](Self::check) fails or the rank is outside
    /// the job.
    fn program(&self, rank: RankId, ranks: u32, seed: u64) -> Box<dyn RankProgram>;

    /// One line for people: `alltoall 128 KiB, 100 iterations`.
    fn describe(&self) -> String;

    /// Whether `ranks` ranks leave operations to the switches.
    fn offloads(&self, _ranks: u32) -> bool {
        false
    }

    /// Payload that each rank offers to the network by a schedule, in Gb/s; absent where
    /// completions decide when messages start.
    fn offered_gbps(&self) -> Option<f64> {
        None
    }

    /// Number of iterations; endless if `None`, for aggressors.
    fn iterations(&self) -> Option<u32>;

    /// Number of iterations that the programs count: 1 where the whole stream of messages is one.
    /// Endless if `None`.
    fn counted_iterations(&self) -> Option<u32> {
        self.iterations()
    }
}

/// `100 iterations`, `1 iteration`, `endless`.
pub(crate) fn iterations_text(iterations: Option<u32>) -> String {
    match iterations {
        None => "endless".to_owned(),
        Some(1) => "1 iteration".to_owned(),
        Some(count) => format!("{count} iterations"),
    }
}
