//! The published experiments, one file each.

mod allocation;
mod applications;
mod bandwidth_400;
mod beside;
mod bundling;
mod bursty;
mod classes;
mod congestion;
mod ethernet_400;
mod fftw_400;
mod fidelity;
mod fig2;
mod fig4;
mod fig5;
mod fig6;
mod fig8;
mod full_scale;
mod heatmap;
mod latency_400;
mod laws;
mod load_400;
#[cfg(test)]
mod miniature;
mod probes;
mod rates_400;
mod requests;
mod steps;
mod text;
mod topology_rows;
pub(crate) mod victims;

pub use probes::probes;

pub(crate) use beside::{Aggressor, Layout, Site, listed, nodes};

use crate::experiment::Experiment;

/// All of them, in the order of the publications.
#[must_use]
pub fn experiments() -> Vec<&'static dyn Experiment> {
    vec![
        &fig2::Fig2,
        &fig4::Fig4,
        &fig5::Fig5,
        &fig6::Fig6,
        &topology_rows::TopologyRows,
        &fig8::Fig8,
        &heatmap::Heatmap,
        &allocation::AllocationStudy,
        &full_scale::FullScale,
        &bursty::Bursty,
        &classes::Fig13,
        &classes::Fig14,
        &steps::Steps,
        &bundling::Bundling,
        &latency_400::Latency400,
        &bandwidth_400::Bandwidth400,
        &load_400::Load400,
        &rates_400::Rates400,
        &ethernet_400::Ethernet400,
        &fftw_400::Fftw400,
        &laws::Laws,
        &fidelity::Fidelity,
        &congestion::Congestion,
    ]
}
