//! Up to a common ancestor by the least loaded link, then down. Up never follows down, so one leg
//! is enough.

use philae_engine::RandomStream;
use philae_topology::{FatTree, PortRun};
use philae_units::PortIndex;

use crate::parameters::RoutingMode;
use crate::route::{Decision, Hop, Loads, RouteState, scaled};

pub const LEGS: u8 = 1;

pub fn route<L: Loads>(
    tree: &FatTree,
    decision: &Decision<'_, L>,
    target: PortIndex,
    route: &RouteState,
    random: &mut RandomStream,
) -> Hop {
    let switch = decision.request.switch;
    let port = match tree.down_ports(switch, target) {
        Some(down) => decision.pick_of_run(down, random),
        None => up(tree.up_ports(switch), decision, random),
    };
    Hop { port, leg: route.leg, is_last: false }
}

/// The least loaded of up to four uplinks drawn at random. The path of an ordered packet is drawn
/// at its first switch.
fn up<L: Loads>(ports: PortRun, decision: &Decision<'_, L>, random: &mut RandomStream) -> PortIndex {
    let count = ports.len() as u32;
    let parameters = decision.parameters();
    let scored = parameters.minimal_candidates + parameters.nonminimal_candidates;
    if let (Some(flow), false) = (decision.request.ordered, decision.request.source) {
        return ports.get(scaled(flow, count));
    }
    let first = ports.get(random.below(count) as usize);
    if decision.mode() != RoutingMode::Adaptive {
        return first;
    }
    let mut best = (decision.loads.local(first), first);
    for _ in 1..scored {
        let port = ports.get(random.below(count) as usize);
        let load = decision.loads.local(port);
        if load < best.0 {
            best = (load, port);
        }
    }
    best.1
}
