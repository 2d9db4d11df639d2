//! Any graph: shortest paths, or through a random switch. The leg is the number of hops taken, so
//! routes always climb.

use philae_engine::RandomStream;
use philae_topology::TopologyGraph;
use philae_units::SwitchId;

use crate::adaptive::PathCandidate;
use crate::parameters::RoutingMode;
use crate::route::{Decision, Hop, LEGS_MAX, Loads, RouteState, RoutingError, Via};

/// Legs that routes on this graph need: one per hop.
pub fn legs(graph: &TopologyGraph, switches: usize, mode: RoutingMode) -> Result<u8, RoutingError> {
    let all = 0..switches as u32;
    let diameter = all
        .clone()
        .flat_map(|from| all.clone().map(move |to| (SwitchId(from), SwitchId(to))))
        .filter(|&(from, to)| graph.reaches(from, to))
        .map(|(from, to)| graph.distance(from, to))
        .max()
        .map_or(0, u32::from);
    let asked = if mode == RoutingMode::Minimal { diameter } else { 2 * diameter }.max(1);
    if asked > u32::from(LEGS_MAX) {
        return Err(RoutingError::TooManyLegs { mode, diameter, asked, most: u32::from(LEGS_MAX) });
    }
    Ok(asked as u8)
}

pub fn route<L: Loads>(
    graph: &TopologyGraph,
    decision: &Decision<'_, L>,
    route: &mut RouteState,
    random: &mut RandomStream,
) -> Hop {
    let current = decision.request.switch;
    if decision.request.source {
        route.via = choose(graph, decision, random);
        route.nonminimal = route.via != Via::Nothing;
    }
    if route.via == Via::Switch(current) {
        route.via = Via::Nothing;
    }
    let goal = match route.via {
        Via::Switch(switch) => switch,
        Via::Nothing | Via::Gateway(_) => decision.target,
    };
    let leg = route.leg;
    route.leg += 1;
    if goal == current {
        // The intermediate switch was the destination's own.
        let port = decision.topology().edge_port(decision.request.destination);
        return Hop { port, leg: 0, is_last: true };
    }
    Hop { port: decision.pick(graph.next(current, goal), random), leg, is_last: false }
}

fn choose<L: Loads>(graph: &TopologyGraph, decision: &Decision<'_, L>, random: &mut RandomStream) -> Via {
    let (current, target) = (decision.request.switch, decision.target);
    let parameters = decision.parameters();
    let mut candidates = decision.candidates();
    if parameters.mode != RoutingMode::Valiant {
        for _ in 0..parameters.minimal_candidates {
            let port = decision.pick(graph.next(current, target), random);
            let load_bytes = decision.loads.local(port);
            let hops = graph.distance(current, target);
            candidates.push(PathCandidate { port, via: Via::Nothing, hops, minimal: true, load_bytes });
        }
    }
    if parameters.mode != RoutingMode::Minimal {
        let switches = decision.topology().switch_count() as u32;
        for _ in 0..parameters.nonminimal_candidates.max(1) {
            let middle = SwitchId(random.below(switches));
            if middle == current || middle == target || !graph.reaches(current, middle) {
                continue;
            }
            let port = decision.pick(graph.next(current, middle), random);
            let load_bytes = decision.loads.local(port);
            let hops = graph.distance(current, middle) + graph.distance(middle, target);
            candidates.push(PathCandidate { port, via: Via::Switch(middle), hops, minimal: false, load_bytes });
        }
    }
    candidates.best().map_or(Via::Nothing, |best| best.via)
}
