//! Collectives as workloads.

mod alltoall;
mod gather;
mod one_to_all;
mod reduction;
mod sliced;

pub use alltoall::{Alltoall, Alltoallv, SendrecvAlltoall};
pub use gather::{Allgather, Gather, Scatter};
pub use one_to_all::{Barrier, Broadcast};
pub use reduction::{Allreduce, Reduce, ReduceScatter};
pub use sliced::{SlicedCollective, SlicedOperation};

use std::fmt::Debug;

use philae_units::{Bytes, RankId};

use super::{Collective, CollectiveMotif, SelectionTable};
use crate::error::{WorkloadError, at_least};
use crate::phase::Phased;
use crate::program::{Offload, RankProgram};
use crate::quantity::{Size, Span};

/// Checks the limits of switches: operands that fit, and a tree, which a single rank does not have.
fn fits_switch(workload: &'static str, bytes: Bytes, ranks: u32) -> Result<(), WorkloadError> {
    at_least(workload, 2, ranks)?;
    if bytes <= Offload::BYTES_MAX {
        return Ok(());
    }
    let allowed = format!("at most {} with the algorithm switch-offloaded; others take more", Offload::BYTES_MAX);
    Err(WorkloadError::OutOfRange { workload, key: "bytes", found: bytes.0, allowed })
}

/// Checks that the root is a rank of the job.
fn has_root(workload: &'static str, root: u32, ranks: u32) -> Result<(), WorkloadError> {
    if root < ranks {
        return Ok(());
    }
    let allowed = format!("a rank of the job, 0 to {}", ranks.saturating_sub(1));
    Err(WorkloadError::OutOfRange { workload, key: "root", found: root.into(), allowed })
}

/// Checks that rules of a selection table have a choice to make: an algorithm that is named leaves
/// none.
fn rules_choose(
    workload: &'static str,
    rules: Option<&SelectionTable>,
    algorithm: impl Debug,
) -> Result<(), WorkloadError> {
    let algorithm = philae_units::word(algorithm);
    if rules.is_none() || algorithm == "auto" {
        return Ok(());
    }
    Err(WorkloadError::Contradiction {
        workload,
        problem: format!("`selection` has rules, and `algorithm` is \"{algorithm}\" already"),
        remedy: "`algorithm` = \"auto\", or no `selection`, would work",
    })
}

/// ` uneven` if there are sizes.
const fn uneven_text<T>(sizes: Option<&T>) -> &'static str {
    if sizes.is_some() { " uneven" } else { "" }
}

/// ` from rank 3`, ` to rank 3`; nothing for rank 0.
fn root_text(preposition: &str, root: u32) -> String {
    if root == 0 { String::new() } else { format!(" {preposition} rank {root}") }
}

fn boxed(
    collective: Collective,
    rank: RankId,
    ranks: u32,
    compute: Span,
    iterations: Option<u32>,
) -> Box<dyn RankProgram> {
    Box::new(Phased::new(CollectiveMotif { collective, rank: rank.0, ranks, compute: compute.0, every: 1 }, iterations))
}

/// One byte: the unit of blocks that may be divided inside elements.
const BYTE: Size = Size::bytes(1);
