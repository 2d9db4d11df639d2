//! The published experiments, one file each.

mod alltoall_bandwidth;
mod applications;
mod beside;
mod bisection_bandwidth;
mod bursty_incast;
mod class_isolation;
mod congestion;
mod congestion_impact;
mod fftw_time;
mod fidelity;
mod impact_at_full_scale;
mod impact_by_allocation;
mod latency_by_distance;
mod latency_by_size;
mod latency_steps;
mod laws;
mod message_rate;
#[cfg(test)]
mod miniature;
mod mpi_bandwidth;
mod pair_bandwidth;
mod probes;
mod put_bundling;
mod requests;
mod service_response;
mod software_layers;
mod switch_latency;
mod tcp_bandwidth;
mod text;
mod topology_rows;
mod ue_or_slingshot;
pub(crate) mod victims;

pub use probes::probes;

pub(crate) use beside::{Aggressor, JobLayout, Site, listed, nodes};

use crate::experiment::Experiment;

/// All of them, in the order of the publications.
#[must_use]
pub fn experiments() -> Vec<&'static dyn Experiment> {
    vec![
        &switch_latency::SwitchLatency,
        &latency_by_distance::LatencyByDistance,
        &software_layers::SoftwareLayers,
        &alltoall_bandwidth::AlltoallBandwidth,
        &topology_rows::TopologyRows,
        &service_response::ServiceResponse,
        &congestion_impact::CongestionImpact,
        &impact_by_allocation::ImpactByAllocation,
        &impact_at_full_scale::ImpactAtFullScale,
        &bursty_incast::BurstyIncast,
        &class_isolation::ClassIsolation,
        &class_isolation::ClassBandwidth,
        &latency_steps::LatencySteps,
        &pair_bandwidth::PairBandwidth,
        &put_bundling::PutBundling,
        &latency_by_size::LatencyBySize,
        &mpi_bandwidth::MpiBandwidth,
        &bisection_bandwidth::BisectionBandwidth,
        &message_rate::MessageRate,
        &tcp_bandwidth::TcpBandwidth,
        &fftw_time::FftwTime,
        &laws::Laws,
        &ue_or_slingshot::UeOrSlingshot,
        &fidelity::Fidelity,
        &congestion::CongestionFindings,
    ]
}
