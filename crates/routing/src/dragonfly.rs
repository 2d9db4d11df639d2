//! The dragonfly: local, global, local; or through an intermediate group (or, within a group, an intermediate switch).
//!
//! The leg rises when a packet enters a group, or reaches its intermediate switch. The order of channels is
//! local(0) < global(0) < local(1) < global(1) < local(2), and within a grid group row < column, so three legs are
//! enough for any path.

use philae_engine::Stream;
use philae_topology::Dragonfly;
use philae_units::{GroupId, PortIndex, SwitchId};

use crate::adaptive::{Candidate, Candidates};
use crate::parameters::RoutingMode;
use crate::route::{Decision, Hop, Loads, RouteState, Via, scaled};

pub const LEGS: u8 = 3;

/// Draws that are made to find an intermediate group before the search goes through all of them.
const GROUP_DRAWS: u32 = 4;

pub fn route<L: Loads>(
    dragonfly: &Dragonfly,
    decision: &Decision<'_, L>,
    route: &mut RouteState,
    random: &mut Stream,
) -> Hop {
    let at = decision.request.at;
    let topology = decision.topology();
    let here = topology.group_of(at);
    let target_group = topology.group_of(decision.target);
    if decision.request.source {
        choose_at_source(dragonfly, decision, route, random);
    } else if route.via == Via::Switch(at) {
        route.via = Via::Nothing;
        route.leg += 1;
        if at == decision.target {
            return Hop { port: topology.endpoint(decision.request.destination).port, leg: 0 };
        }
    } else if route.via == Via::Nothing && here != target_group {
        route.via = Via::Gateway(choose_gateway(dragonfly, decision, random));
    }
    let leg = route.leg;
    let goal = match route.via {
        Via::Gateway(port) => {
            let gateway = topology.switch_of(port);
            if gateway == at {
                route.via = Via::Nothing;
                route.leg += 1;
                return Hop { port, leg };
            }
            gateway
        }
        Via::Switch(switch) => switch,
        Via::Nothing => decision.target,
    };
    Hop { port: decision.pick(dragonfly.local_next(at, goal), random), leg }
}

/// Chooses the path at the first switch.
fn choose_at_source<L: Loads>(
    dragonfly: &Dragonfly,
    decision: &Decision<'_, L>,
    route: &mut RouteState,
    random: &mut Stream,
) {
    let here = decision.topology().group_of(decision.request.at);
    let there = decision.topology().group_of(decision.target);
    let mut candidates = Candidates::default();
    if here == there {
        within_group(dragonfly, decision, random, &mut candidates);
    } else {
        between_groups(dragonfly, decision, (here, there), random, &mut candidates);
    }
    let best = candidates.best(decision.parameters()).expect("a topology connects every pair of switches");
    route.via = best.via;
    route.nonminimal = !best.minimal;
}

fn within_group<L: Loads>(
    dragonfly: &Dragonfly,
    decision: &Decision<'_, L>,
    random: &mut Stream,
    candidates: &mut Candidates,
) {
    let (at, target) = (decision.request.at, decision.target);
    let parameters = decision.parameters();
    let switches = decision.topology().switches_of(decision.topology().group_of(at));
    let others = switches.end - switches.start;
    if parameters.mode != RoutingMode::Valiant || others <= 2 {
        // Parallel links are told apart when the hop is taken: one candidate stands for all.
        let port = decision.pick(dragonfly.local_next(at, target), random);
        let hops = dragonfly.local_distance(at, target);
        let load_bytes = decision.loads.local(port);
        candidates.push(Candidate { port, via: Via::Nothing, hops, minimal: true, load_bytes });
    }
    if parameters.mode == RoutingMode::Minimal || others <= 2 {
        return;
    }
    for _ in 0..parameters.nonminimal_candidates.max(1) {
        let mut middle = SwitchId(switches.start + random.below(others));
        while middle == at || middle == target {
            middle = SwitchId(switches.start + (middle.0 + 1 - switches.start) % others);
        }
        let port = decision.pick(dragonfly.local_next(at, middle), random);
        let hops = dragonfly.local_distance(at, middle) + dragonfly.local_distance(middle, target);
        let load_bytes = decision.loads.local(port);
        candidates.push(Candidate { port, via: Via::Switch(middle), hops, minimal: false, load_bytes });
    }
}

fn between_groups<L: Loads>(
    dragonfly: &Dragonfly,
    decision: &Decision<'_, L>,
    (here, there): (GroupId, GroupId),
    random: &mut Stream,
    candidates: &mut Candidates,
) {
    let parameters = decision.parameters();
    let direct = dragonfly.gateways(here, there);
    if parameters.mode != RoutingMode::Valiant && !direct.is_empty() {
        let count = direct.len() as u32;
        let first = random.below(count);
        // Different gateways, spread over the list: neighbours in it sit on different switches.
        let asked = u32::from(parameters.minimal_candidates).min(count);
        for turn in 0..asked {
            let gateway = direct[((first + turn * (count / asked)) % count) as usize];
            let last = dragonfly.local_distance(far_switch(decision, gateway), decision.target);
            candidates.push(towards_gateway(dragonfly, decision, gateway, last, true, random));
        }
    }
    if parameters.mode == RoutingMode::Minimal && !direct.is_empty() {
        return;
    }
    for _ in 0..parameters.nonminimal_candidates.max(1) {
        if let Some(middle) = intermediate_group(dragonfly, here, there, random) {
            let gateways = dragonfly.gateways(here, middle);
            let gateway = gateways[random.below(gateways.len() as u32) as usize];
            // Beyond the first global hop: local, global, local.
            candidates.push(towards_gateway(dragonfly, decision, gateway, 3, false, random));
        }
    }
    if candidates.is_empty() {
        // Valiant with two groups: there is no third group to go through.
        let gateway = direct[random.below(direct.len() as u32) as usize];
        let last = dragonfly.local_distance(far_switch(decision, gateway), decision.target);
        candidates.push(towards_gateway(dragonfly, decision, gateway, last, true, random));
    }
}

/// The candidate that leaves the group through `gateway` and has `beyond` hops to go after that.
fn towards_gateway<L: Loads>(
    dragonfly: &Dragonfly,
    decision: &Decision<'_, L>,
    gateway: PortIndex,
    beyond: u8,
    minimal: bool,
    random: &mut Stream,
) -> Candidate {
    let at = decision.request.at;
    let switch = decision.topology().switch_of(gateway);
    let hops = dragonfly.local_distance(at, switch) + 1 + beyond;
    let (port, load_bytes) = if switch == at {
        (gateway, decision.loads.local(gateway))
    } else {
        let port = decision.pick(dragonfly.local_next(at, switch), random);
        let remote = if decision.parameters().remote_load { decision.loads.remote(gateway) } else { 0 };
        (port, decision.loads.local(port) + remote)
    };
    Candidate { port, via: Via::Gateway(gateway), hops, minimal, load_bytes }
}

/// The switch at the far end of a global port.
fn far_switch<L: Loads>(decision: &Decision<'_, L>, gateway: PortIndex) -> SwitchId {
    match decision.topology().port(gateway).peer {
        philae_topology::Peer::Port(peer) => decision.topology().switch_of(peer),
        philae_topology::Peer::Endpoint(_) | philae_topology::Peer::None => {
            unreachable!("a gateway leads to another switch: the topology checks it")
        }
    }
}

/// A group that has links to both, other than these two.
fn intermediate_group(dragonfly: &Dragonfly, here: GroupId, there: GroupId, random: &mut Stream) -> Option<GroupId> {
    let groups = dragonfly.group_count() as u32;
    let joins = |group: GroupId| {
        group != here
            && group != there
            && !dragonfly.gateways(here, group).is_empty()
            && !dragonfly.gateways(group, there).is_empty()
    };
    for _ in 0..GROUP_DRAWS {
        let group = GroupId(random.below(groups));
        if joins(group) {
            return Some(group);
        }
    }
    let first = random.below(groups);
    (0..groups).map(|turn| GroupId((first + turn) % groups)).find(|&group| joins(group))
}

/// The way out of an intermediate group: the better of two, or the flow's own for an ordered packet.
fn choose_gateway<L: Loads>(dragonfly: &Dragonfly, decision: &Decision<'_, L>, random: &mut Stream) -> PortIndex {
    let at = decision.request.at;
    let topology = decision.topology();
    let gateways = dragonfly.gateways(topology.group_of(at), topology.group_of(decision.target));
    let count = gateways.len() as u32;
    if let Some(flow) = decision.request.ordered {
        return gateways[scaled(flow, count)];
    }
    let mut candidates = Candidates::default();
    for _ in 0..2 {
        let gateway = gateways[random.below(count) as usize];
        let last = dragonfly.local_distance(far_switch(decision, gateway), decision.target);
        candidates.push(towards_gateway(dragonfly, decision, gateway, last, true, random));
    }
    match candidates.best(decision.parameters()).map(|best| best.via) {
        Some(Via::Gateway(gateway)) => gateway,
        _ => gateways[0],
    }
}
