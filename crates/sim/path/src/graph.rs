//! Any graph: shortest paths, or through a random switch. The leg is the number of hops taken, so
//! routes always climb.
//!
//! While all links work, a packet visits no switch twice, hence turns back over no link. A switch
//! through which there is no such path is no candidate.

use philae_engine::RandomStream;
use philae_topology::TopologyGraph;
use philae_units::{PortIndex, SwitchId};

use crate::adaptive::PathCandidate;
use crate::dragonfly::far_switch;
use crate::parameters::RoutingMode;
use crate::route::{Decision, Hop, LEGS_MAX, Loads, RouteState, RoutingError, Via};

/// Random draws of an intermediate switch for each candidate.
const DRAWS: u32 = 4;

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
    let asked = if mode.is_minimal() { diameter } else { 2 * diameter }.max(1);
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
    let leg = route.leg;
    route.leg += 1;
    if decision.request.source {
        if let Some(best) = choose(graph, decision, random) {
            (route.via, route.nonminimal) = (best.via, !best.minimal);
            return Hop { port: best.port, leg, is_last: false };
        }
        // Valiant routing found no intermediate switch.
        (route.via, route.nonminimal) = (Via::Nothing, false);
    }
    if route.via == Via::Switch(current) {
        route.via = Via::Nothing;
    }
    if let Via::Switch(middle) = route.via {
        let port = towards(graph, decision, middle, random);
        debug_assert!(port.is_some(), "the switch before has seen to it that a way without return is left");
        if let Some(port) = port {
            return Hop { port, leg, is_last: false };
        }
        route.via = Via::Nothing;
    }
    let ports = graph.next(current, decision.target);
    let port = decision.pick(ports, random);
    if port != decision.request.input {
        return Hop { port, leg, is_last: false };
    }
    // Only where a switch before this one avoided a failed link that is not in the tables yet.
    let other = ports.iter().copied().find(|&other| other != port);
    Hop { port: other.unwrap_or(port), leg, is_last: false }
}

/// The best of the paths drawn at the first switch.
fn choose<L: Loads>(
    graph: &TopologyGraph,
    decision: &Decision<'_, L>,
    random: &mut RandomStream,
) -> Option<PathCandidate> {
    let (current, target) = (decision.request.switch, decision.target);
    let parameters = decision.parameters();
    let mut candidates = decision.candidates();
    if decision.mode() != RoutingMode::Valiant {
        for _ in 0..parameters.minimal_candidates {
            let port = decision.pick(graph.next(current, target), random);
            let load_bytes = load(graph, decision, port, target);
            let hops = graph.distance(current, target);
            candidates.push(PathCandidate { port, via: Via::Nothing, hops, minimal: true, load_bytes });
        }
    }
    if !decision.mode().is_minimal() {
        for _ in 0..parameters.nonminimal_candidates.max(1) {
            if let Some((middle, port)) = (0..DRAWS).find_map(|_| detour(graph, decision, random)) {
                let load_bytes = load(graph, decision, port, middle);
                let hops = graph.distance(current, middle) + graph.distance(middle, target);
                candidates.push(PathCandidate { port, via: Via::Switch(middle), hops, minimal: false, load_bytes });
            }
        }
    }
    candidates.best()
}

/// A switch drawn at random, and the first port towards it, if a packet can go through it without
/// visiting a switch twice.
fn detour<L: Loads>(
    graph: &TopologyGraph,
    decision: &Decision<'_, L>,
    random: &mut RandomStream,
) -> Option<(SwitchId, PortIndex)> {
    let current = decision.request.switch;
    let middle = SwitchId(random.below(decision.topology().switch_count() as u32));
    if middle == current || middle == decision.target || !graph.reaches(current, middle) {
        return None;
    }
    Some((middle, towards(graph, decision, middle, random)?))
}

/// A port on a shortest path to `middle` after which the packet visits no switch twice; `None` if
/// no shortest path has one.
///
/// Let `a` be the last switch before `middle`. If the path has any switch in common with a shortest
/// path from `middle` to the target, `a` is on one too: from the common switch to `middle`, each
/// step back is a step of a shortest path onward. So it is enough that the packet enters `middle`
/// by a link that no shortest path onward begins with.
fn towards<L: Loads>(
    graph: &TopologyGraph,
    decision: &Decision<'_, L>,
    middle: SwitchId,
    random: &mut RandomStream,
) -> Option<PortIndex> {
    let (current, target) = (decision.request.switch, decision.target);
    let ports = graph.next(current, middle);
    if !graph.may_begin_alike(middle, current, target) {
        return Some(decision.pick(ports, random));
    }
    if graph.must_begin_alike(middle, current, target) {
        return None;
    }
    let goes_on = |&port: &PortIndex| {
        let next = far_switch(decision, port);
        if next == middle {
            graph.distance(current, target) + 1 != graph.distance(middle, target)
        } else {
            !graph.must_begin_alike(middle, next, target)
        }
    };
    let ways = ports.iter().copied().filter(goes_on);
    let nth = |index: usize| ways.clone().nth(index).expect("as many as were counted");
    match ways.clone().count() {
        0 => None,
        count => Some(decision.pick_among(count, nth, random)),
    }
}

/// The load of a path that begins with `port` and first leads to `goal`: of this port, and the last
/// reported load of the neighbour's port by which it continues, the least where there are several.
fn load<L: Loads>(graph: &TopologyGraph, decision: &Decision<'_, L>, port: PortIndex, goal: SwitchId) -> u32 {
    let own = decision.loads.local(port);
    if !decision.parameters().remote_load {
        return own;
    }
    let next = far_switch(decision, port);
    let goal = if next == goal { decision.target } else { goal };
    let beyond = graph.next(next, goal).iter().map(|&port| decision.loads.remote(port)).min();
    own.saturating_add(beyond.unwrap_or(0))
}
