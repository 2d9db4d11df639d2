//! The published experiments, one file each.

mod beside;
mod fig2;
mod fig4;
mod heatmap;
mod text;
mod victims;

use crate::experiment::Experiment;

/// All of them, in the order of the publications.
#[must_use]
pub fn experiments() -> Vec<&'static dyn Experiment> {
    vec![&fig2::Fig2, &fig4::Fig4, &heatmap::Heatmap]
}
