//! The published experiments, one file each.

use crate::experiment::Experiment;

/// All of them, in the order of the publications.
#[must_use]
pub fn experiments() -> Vec<&'static dyn Experiment> {
    vec![]
}
