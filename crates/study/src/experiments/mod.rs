//! The published experiments, one file each.

mod allocation;
mod beside;
mod bursty;
mod classes;
mod congestion;
mod fidelity;
mod fig2;
mod fig4;
mod fig6;
mod full_scale;
mod heatmap;
mod laws;
#[cfg(test)]
mod miniature;
mod text;
mod topology_rows;
mod victims;

use crate::experiment::Experiment;

/// All of them, in the order of the publications.
#[must_use]
pub fn experiments() -> Vec<&'static dyn Experiment> {
    vec![
        &fig2::Fig2,
        &fig4::Fig4,
        &fig6::Fig6,
        &topology_rows::TopologyRows,
        &heatmap::Heatmap,
        &allocation::AllocationStudy,
        &full_scale::FullScale,
        &bursty::Bursty,
        &classes::Fig13,
        &classes::Fig14,
        &laws::Laws,
        &fidelity::Fidelity,
        &congestion::Congestion,
    ]
}
