//! The rates to which each congestion law converges.
//!
//! `slingshot` holds the flows that congest an endpoint at their ingress, to equal shares, and no
//! other flow waits: plain max-min fairness. This assumes that flow state suffices and that the law
//! has converged.
//!
//! `ecn` cuts each marked flow's rate, and its flows converge to equal shares of the link that
//! marks: max-min fairness as well. This assumes that the rates have converged, which takes DCQCN
//! several periods of 55 µs. So do `nscc` and `rccc`, which was never compared.
//!
//! `none`, `aries` and `pfc` have only credits or pauses. Packets that cannot enter their
//! endpoint's link wait in the buffers on their path. Once these are full, every link of the path
//! passes packets in the mix that is offered to it, at the pace of those that wait. Let `b` be the
//! flows that wait for their endpoint, `o` a flow's offered rate (its share of its own NIC) and `r`
//! its granted rate. A flow `v` through a link with full buffers gets `o_v * sum(r_b) / sum(o_b)`.
//! Buffers are full if more is still to come than they hold. This assumes that full buffers stay
//! full, and gives the left-over capacity to no flow.

use philae_congestion::CongestionLaw;
use philae_switch::port::SwitchParameters;

use crate::paths::{FluidNetwork, ResourceKind};
use crate::share::{Demand, FlowGrant, NOTHING};

/// Part of its offered rate below which a flow counts as waiting for its endpoint.
///
/// Source: ours: rounding aside, any flow that gets less waits. Status: assumed.
const WAITS_BELOW: f64 = 0.999;

/// Whether waiting packets delay others under this law.
pub const fn spreads(law: &CongestionLaw) -> bool {
    matches!(law, CongestionLaw::None | CongestionLaw::Aries(_) | CongestionLaw::Pfc(_))
}

/// Bytes that a link's input buffer holds.
pub const fn buffer_bytes(law: &CongestionLaw, switch: &SwitchParameters) -> u64 {
    match law {
        CongestionLaw::Aries(aries) => aries.channel_buffer_bytes as u64,
        CongestionLaw::Pfc(pfc) => pfc.pause_on_bytes as u64,
        _ => switch.buffer_reserve_bytes as u64 + switch.buffer_shared_bytes as u64,
    }
}

/// The offered, waiting and passing rates at a resource.
#[derive(Clone, Copy, Debug, Default)]
struct Queue {
    offered: f64,
    passes: f64,
    backlog: f64,
}

/// Slows flows that share full buffers with flows that wait for their endpoint.
pub fn spread_congestion(
    network: &FluidNetwork,
    buffer: u64,
    flows: &[Demand<'_>],
    remaining: &[f64],
    grants: &mut [FlowGrant],
) {
    let mut weights = vec![0.0; network.capacities().len()];
    let injection = |flow: &Demand<'_>| {
        flow.first
            .iter()
            .find(|part| matches!(network.kind(part.resource), ResourceKind::Injection))
            .map(|part| part.resource)
    };
    for flow in flows {
        if let Some(resource) = injection(flow) {
            weights[resource as usize] += flow.weight;
        }
    }
    let offered: Vec<f64> = flows
        .iter()
        .map(|flow| {
            injection(flow).map_or(0.0, |resource| {
                network.capacities()[resource as usize] * flow.weight / weights[resource as usize]
            })
        })
        .collect();
    let waits = |number: usize, grant: &FlowGrant| {
        grant.stopped_by != NOTHING
            && matches!(network.kind(grant.stopped_by), ResourceKind::Ejection)
            && grant.rate < WAITS_BELOW * offered[number]
    };
    let mut queues = vec![Queue::default(); network.capacities().len()];
    let waiting: Vec<bool> = grants.iter().enumerate().map(|(number, grant)| waits(number, grant)).collect();
    for (number, flow) in flows.iter().enumerate().filter(|&(number, _)| waiting[number]) {
        for part in flow.first.iter().filter(|part| part.fraction > 0.0) {
            let queue = &mut queues[part.resource as usize];
            queue.offered += offered[number] * part.fraction;
            queue.passes += grants[number].rate * part.fraction;
            queue.backlog += remaining[number] * part.fraction;
        }
    }
    for (number, flow) in flows.iter().enumerate().filter(|&(number, _)| !waiting[number]) {
        let mut most = grants[number].rate;
        for part in flow.first.iter().filter(|part| part.fraction > 0.0) {
            let held = match network.kind(part.resource) {
                ResourceKind::Queue => u64::from(network.links(part.resource)) * buffer,
                ResourceKind::Injection => buffer,
                ResourceKind::Ejection | ResourceKind::Pool => continue,
            };
            let queue = queues[part.resource as usize];
            if queue.offered > 0.0 && queue.backlog > held as f64 {
                most = most.min(offered[number] * queue.passes / queue.offered);
            }
        }
        if most < grants[number].rate {
            grants[number].rate = most;
            grants[number].detoured = grants[number].detoured.min(most);
        }
    }
}
