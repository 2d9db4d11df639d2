//! Errors of workloads that cannot run.

use philae_units::Bytes;

/// A workload specification that makes no sense for its job.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WorkloadError {
    /// The job is too small.
    #[error("{workload} needs at least {needed} ranks; the job has {found}")]
    TooFewRanks {
        /// Kind of workload.
        workload: &'static str,
        /// Smallest number that works.
        needed: u32,
        /// Ranks of the job.
        found: u32,
    },
    /// An invalid distribution of sizes.
    #[error("flow-sizes: {found}")]
    FlowSizes {
        /// What was found, and what would work.
        found: String,
    },
    /// A trace of more ranks than the job has.
    #[error(
        "trace: '{file}' has {needed} ranks and the job {found} (nodes times processes_per_node); {needed} would work"
    )]
    TraceRanks {
        file: String,
        /// Ranks of the file.
        needed: u32,
        /// Ranks of the job.
        found: u32,
    },
    /// A trace that was not read: only a scenario reads files.
    #[error("trace: '{file}' has not been read; a scenario reads it when it is resolved")]
    NotRead { file: String },
    /// Ranks are paired, and one is left over.
    #[error("{workload} pairs its ranks and needs an even number; the job has {found}")]
    OddRanks {
        /// Kind of workload.
        workload: &'static str,
        /// Ranks of the job.
        found: u32,
    },
    /// A number that must not be zero.
    #[error("{workload}: `{key}` is 0; it must be at least 1")]
    Zero {
        /// Kind of workload.
        workload: &'static str,
        /// Key in the scenario.
        key: &'static str,
    },
    /// A number outside its range.
    #[error("{workload}: `{key}` is {found}; it must be {allowed}")]
    OutOfRange {
        /// Kind of workload.
        workload: &'static str,
        /// Key in the scenario.
        key: &'static str,
        /// The value asked for.
        found: u64,
        /// What would work.
        allowed: String,
    },
    /// One number does not divide another.
    #[error("{workload}: `{key}` is {found}, which is not a multiple of `{divisor_key}` ({divisor})")]
    NotDividing {
        /// Kind of workload.
        workload: &'static str,
        /// Key in the scenario.
        key: &'static str,
        /// The value asked for.
        found: u64,
        divisor_key: &'static str,
        divisor: u64,
    },
    /// Keys that contradict each other.
    #[error("{workload}: {problem}; {remedy}")]
    Contradiction {
        /// Kind of workload.
        workload: &'static str,
        /// The contradiction.
        problem: String,
        /// What would work.
        remedy: &'static str,
    },
    /// A grid whose ranks are not those of the job.
    #[error("{workload}: the grid {grid} has {product} ranks; the job has {found}")]
    Grid {
        /// Kind of workload.
        workload: &'static str,
        /// As `4 x 4 x 2`.
        grid: String,
        /// Its ranks.
        product: u64,
        /// Ranks of the job.
        found: u32,
    },
}

/// Checks that a job has enough ranks.
pub(crate) fn at_least(workload: &'static str, needed: u32, found: u32) -> Result<(), WorkloadError> {
    if found >= needed { Ok(()) } else { Err(WorkloadError::TooFewRanks { workload, needed, found }) }
}

/// Checks that a count is not zero.
pub(crate) fn not_zero(workload: &'static str, key: &'static str, value: u32) -> Result<(), WorkloadError> {
    if value > 0 { Ok(()) } else { Err(WorkloadError::Zero { workload, key }) }
}

/// Largest message: keeps products of sizes, counts and picoseconds inside 64 bits.
pub const MESSAGE_BYTES_MAX: Bytes = Bytes(1 << 40);

/// Checks that a message has bytes, and no more than [`MESSAGE_BYTES_MAX`].
pub(crate) fn message_size(workload: &'static str, key: &'static str, value: Bytes) -> Result<(), WorkloadError> {
    if value == Bytes::ZERO {
        Err(WorkloadError::Zero { workload, key })
    } else if value > MESSAGE_BYTES_MAX {
        let allowed = format!("at most {MESSAGE_BYTES_MAX}");
        Err(WorkloadError::OutOfRange { workload, key, found: value.0, allowed })
    } else {
        Ok(())
    }
}
