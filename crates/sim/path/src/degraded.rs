//! Routes where links are out of order.
//!
//! A decision combines two kinds of knowledge. The deciding switch sees immediately which of its
//! own ports work. Of all others it knows what the routing tables say, which follow later.
//!
//! A switch that finds its path closed takes another one, if that path climbs as every route does.
//! The order of channels, and with it the proof that no circle of waiting can form, holds for any
//! part of the wiring. If no climbing path is left, the packet is discarded. Its NIC sends it
//! again, and by then the tables know of the failure.

use philae_engine::RandomStream;
use philae_topology::{Dragonfly, FatTree, PortPeer, TopologyShape};
use philae_units::{GroupId, PortIndex, SwitchId};

use crate::adaptive::PathCandidate;
use crate::dragonfly::{self, far_switch, visits_twice};
use crate::parameters::RoutingMode;
use crate::route::{Decision, Hop, Loads, RouteState, Via, scaled};

/// Decides the next hop of a packet whose destination is on port `target`.
pub fn route<L: Loads>(
    decision: &Decision<'_, L>,
    target: PortIndex,
    route: &mut RouteState,
    random: &mut RandomStream,
) -> Option<Hop> {
    if route.via == Via::Nothing && decision.target == decision.request.switch {
        return decision.loads.alive(target).then_some(Hop { port: target, leg: 0, is_last: true });
    }
    match decision.topology().shape() {
        TopologyShape::Dragonfly(dragonfly) => {
            OpenPaths { dragonfly, decision }.route(route, random).or_else(|| arrived(decision, target, route))
        }
        TopologyShape::FatTree(tree) => tree_hop(tree, decision, target, route, random),
        TopologyShape::Graph(_) => graph_hop(decision, route, random),
    }
}

/// The last hop, if an intermediate switch turned out to be the destination's own.
fn arrived<L: Loads>(decision: &Decision<'_, L>, target: PortIndex, route: &RouteState) -> Option<Hop> {
    let there = route.via == Via::Nothing && decision.target == decision.request.switch;
    (there && decision.loads.alive(target)).then_some(Hop { port: target, leg: 0, is_last: true })
}

/// Whether a path may continue through a port: if it works, as far as the deciding switch can know,
/// and if the packet did not come by it.
fn open<L: Loads>(decision: &Decision<'_, L>, port: PortIndex) -> bool {
    if decision.topology().switch_of(port) == decision.request.switch {
        decision.loads.alive(port) && port != decision.request.input
    } else {
        decision.loads.usable(port)
    }
}

/// One of the switch's own ports: for an ordered packet the flow's own, else the less loaded of two
/// drawn at random.
fn pick<L: Loads>(
    decision: &Decision<'_, L>,
    ports: impl Iterator<Item = PortIndex> + Clone,
    random: &mut RandomStream,
) -> Option<PortIndex> {
    let count = ports.clone().count() as u32;
    if count == 0 {
        return None;
    }
    let nth = |index: u32| ports.clone().nth(index as usize);
    if let Some(flow) = decision.request.ordered {
        return nth(scaled(flow, count) as u32);
    }
    let one = nth(random.below(count))?;
    if decision.mode() != RoutingMode::Adaptive {
        return Some(one);
    }
    let other = nth(random.below(count))?;
    Some(if decision.loads.local(other) < decision.loads.local(one) { other } else { one })
}

/// All items of a list, from a random place on; for an ordered packet, from the flow's own place.
fn rotated<L: Loads, I: Iterator + Clone>(
    decision: &Decision<'_, L>,
    list: I,
    random: &mut RandomStream,
) -> impl Iterator<Item = I::Item> + use<L, I> {
    let count = list.clone().count() as u32;
    let first = match (count, decision.request.ordered) {
        (0, _) => 0,
        (_, Some(flow)) => scaled(flow, count),
        (_, None) => random.below(count) as usize,
    };
    list.clone().skip(first).chain(list.take(first))
}

/// The remaining paths of a dragonfly.
struct OpenPaths<'a, L> {
    dragonfly: &'a Dragonfly,
    decision: &'a Decision<'a, L>,
}

impl<L: Loads> OpenPaths<'_, L> {
    fn route(&self, route: &mut RouteState, random: &mut RandomStream) -> Option<Hop> {
        let topology = self.decision.topology();
        let current = self.decision.request.switch;
        let (here, there) = (topology.group_of(current), topology.group_of(self.decision.target));
        if self.decision.request.source {
            self.choose_at_source(here, there, route, random)?;
        } else if route.via == Via::Switch(current) {
            route.via = Via::Nothing;
            route.leg += 1;
            if current == self.decision.target {
                return None; // `arrived` handles this case.
            }
        } else if route.via == Via::Nothing && here != there {
            route.via = Via::Gateway(self.gateway_to(here, there, random)?);
        }
        match route.via {
            Via::Gateway(port) if topology.switch_of(port) == current => {
                if let Some(port) = self.leave(port, here, there) {
                    let leg = route.leg;
                    route.via = Via::Nothing;
                    route.leg += 1;
                    return Some(Hop { port, leg, is_last: false });
                }
                self.other_gateway(here, there, route, random)
            }
            // After the gateway come a link of the same leg and a hop of the next.
            Via::Gateway(port) => self.towards(topology.switch_of(port), 1, route, random),
            Via::Switch(switch) => self.towards(switch, 1, route, random),
            Via::Nothing => self.towards(self.decision.target, 0, route, random),
        }
    }

    /// Whether a path with the fewest hops within a group is open.
    fn reaches(&self, from: SwitchId, to: SwitchId) -> bool {
        from == to || self.dragonfly.local_next(from, to).iter().any(|port| self.leads(port, to))
    }

    /// Whether a local port and the rest of its path are open.
    fn leads(&self, port: PortIndex, to: SwitchId) -> bool {
        open(self.decision, port) && self.reaches(far_switch(self.decision, port), to)
    }

    /// Whether the path from here to the target through a gateway is open.
    fn joins(&self, gateway: PortIndex, from: SwitchId) -> bool {
        open(self.decision, gateway)
            && self.reaches(from, self.decision.topology().switch_of(gateway))
            && self.reaches(far_switch(self.decision, gateway), self.decision.target)
    }

    fn hops(&self, gateway: PortIndex) -> u8 {
        let gateway_switch = self.decision.topology().switch_of(gateway);
        self.dragonfly.local_distance(self.decision.request.switch, gateway_switch)
            + 1
            + self.dragonfly.local_distance(far_switch(self.decision, gateway), self.decision.target)
    }

    /// The open gateway with the fewest hops, the first from a random place on.
    fn nearest_gateway(&self, here: GroupId, there: GroupId, random: &mut RandomStream) -> Option<PortIndex> {
        rotated(self.decision, self.dragonfly.gateways(here, there).iter().copied(), random)
            .filter(|&gateway| self.joins(gateway, self.decision.request.switch))
            .min_by_key(|&gateway| self.hops(gateway))
    }

    /// The path out of an intermediate group: the better of a nearest gateway and any other.
    fn gateway_to(&self, here: GroupId, there: GroupId, random: &mut RandomStream) -> Option<PortIndex> {
        let nearest = self.nearest_gateway(here, there, random)?;
        if self.decision.request.ordered.is_some() {
            return Some(nearest);
        }
        let mut candidates = self.decision.candidates();
        candidates.push(self.by_gateway(nearest, true, random)?);
        let other = rotated(self.decision, self.dragonfly.gateways(here, there).iter().copied(), random)
            .find(|&gateway| self.joins(gateway, self.decision.request.switch));
        if let Some(candidate) = other.and_then(|other| self.by_gateway(other, true, random)) {
            candidates.push(candidate);
        }
        match candidates.best()?.via {
            Via::Gateway(gateway) => Some(gateway),
            Via::Nothing | Via::Switch(_) => None,
        }
    }

    /// The candidate that leaves the group through `gateway`.
    fn by_gateway(&self, gateway: PortIndex, minimal: bool, random: &mut RandomStream) -> Option<PathCandidate> {
        let current = self.decision.request.switch;
        let gateway_switch = self.decision.topology().switch_of(gateway);
        let (port, load_bytes) = if gateway_switch == current {
            (gateway, self.decision.loads.local(gateway))
        } else {
            let port = self.local_port(gateway_switch, random)?;
            let known = self.decision.parameters().remote_load;
            let remote = if known { self.decision.loads.remote(gateway) } else { 0 };
            (port, self.decision.loads.local(port) + remote)
        };
        // After the first global hop of a nonminimal path: local, global, local.
        let hops =
            if minimal { self.hops(gateway) } else { self.dragonfly.local_distance(current, gateway_switch) + 1 + 3 };
        Some(PathCandidate { port, via: Via::Gateway(gateway), hops, minimal, load_bytes })
    }

    /// An own port on an open path with the fewest hops to a switch of this group.
    fn local_port(&self, goal: SwitchId, random: &mut RandomStream) -> Option<PortIndex> {
        let ports = self.dragonfly.local_next(self.decision.request.switch, goal).iter();
        pick(self.decision, ports.filter(|&port| self.leads(port, goal)), random)
    }

    fn choose_at_source(
        &self,
        here: GroupId,
        there: GroupId,
        route: &mut RouteState,
        random: &mut RandomStream,
    ) -> Option<()> {
        let parameters = self.decision.parameters();
        let mut candidates = self.decision.candidates();
        if self.decision.mode() != RoutingMode::Valiant {
            if here == there {
                self.direct(random).into_iter().for_each(|candidate| candidates.push(candidate));
            } else {
                for turn in 0..parameters.minimal_candidates {
                    let gateway = if turn == 0 {
                        self.nearest_gateway(here, there, random)
                    } else {
                        rotated(self.decision, self.dragonfly.gateways(here, there).iter().copied(), random)
                            .find(|&gateway| self.joins(gateway, self.decision.request.switch))
                    };
                    let candidate = gateway.and_then(|gateway| self.by_gateway(gateway, true, random));
                    candidate.into_iter().for_each(|candidate| candidates.push(candidate));
                }
            }
        }
        // If no other path is left, minimal routing takes a nonminimal one too.
        if !self.decision.mode().is_minimal() || candidates.is_empty() {
            for _ in 0..parameters.nonminimal_candidates.max(1) {
                let within = (here == there).then(|| self.by_switch(here, random)).flatten();
                let candidate = within.or_else(|| self.by_group(here, there, random));
                candidate.into_iter().for_each(|candidate| candidates.push(candidate));
            }
        }
        if candidates.is_empty() && here == there {
            candidates.push(self.direct(random)?);
        } else if candidates.is_empty() {
            let gateway = self.nearest_gateway(here, there, random)?;
            candidates.push(self.by_gateway(gateway, true, random)?);
        }
        let best = candidates.best()?;
        route.via = best.via;
        route.nonminimal = !best.minimal;
        Some(())
    }

    /// The shortest path within a group.
    fn direct(&self, random: &mut RandomStream) -> Option<PathCandidate> {
        let port = self.local_port(self.decision.target, random)?;
        let hops = self.dragonfly.local_distance(self.decision.request.switch, self.decision.target);
        let load_bytes = self.decision.loads.local(port);
        Some(PathCandidate { port, via: Via::Nothing, hops, minimal: true, load_bytes })
    }

    /// The path within a group through another switch of it.
    fn by_switch(&self, group: GroupId, random: &mut RandomStream) -> Option<PathCandidate> {
        let (current, target) = (self.decision.request.switch, self.decision.target);
        let switches = self.decision.topology().switches_of(group);
        let middle = rotated(self.decision, switches, random).map(SwitchId).find(|&middle| {
            middle != current
                && middle != target
                && !visits_twice(self.dragonfly, current, middle, target)
                && self.reaches(current, middle)
                && self.reaches(middle, target)
        })?;
        let port = self.local_port(middle, random)?;
        let hops = self.dragonfly.local_distance(current, middle) + self.dragonfly.local_distance(middle, target);
        let load_bytes = self.decision.loads.local(port);
        Some(PathCandidate { port, via: Via::Switch(middle), hops, minimal: false, load_bytes })
    }

    /// The path through another group, also from a group to itself.
    fn by_group(&self, here: GroupId, there: GroupId, random: &mut RandomStream) -> Option<PathCandidate> {
        let groups = 0..self.dragonfly.group_count() as u32;
        let current = self.decision.request.switch;
        let topology = self.decision.topology();
        let others =
            rotated(self.decision, groups, random).map(GroupId).filter(|&group| group != here && group != there);
        for middle in others {
            let onward = self.dragonfly.gateways(middle, there);
            let first =
                rotated(self.decision, self.dragonfly.gateways(here, middle).iter().copied(), random).find(|&first| {
                    open(self.decision, first)
                        && self.reaches(current, topology.switch_of(first))
                        && onward.iter().any(|&second| {
                            topology.port(first).peer != PortPeer::Port(second)
                                && self.joins(second, far_switch(self.decision, first))
                        })
                });
            if let Some(first) = first {
                return self.by_gateway(first, false, random);
            }
        }
        None
    }

    /// The port through which a packet leaves the group from its gateway. It is the chosen port if
    /// that works, else another of this switch that leads to the same group or to the target's.
    fn leave(&self, chosen: PortIndex, here: GroupId, there: GroupId) -> Option<PortIndex> {
        if open(self.decision, chosen) {
            return Some(chosen);
        }
        let current = self.decision.request.switch;
        let next = self.decision.topology().group_of(far_switch(self.decision, chosen));
        let direct = self.dragonfly.gateways_of(current, here, there);
        let direct = direct.iter().find(|&port| here != there && self.joins(port, current));
        let parallel = self.dragonfly.gateways_of(current, here, next);
        direct.or_else(|| parallel.iter().find(|&port| open(self.decision, port)))
    }

    /// Another gateway to the target's group, from a gateway that does not work.
    fn other_gateway(
        &self,
        here: GroupId,
        there: GroupId,
        route: &mut RouteState,
        random: &mut RandomStream,
    ) -> Option<Hop> {
        let leg = route.leg + u8::from(!self.decision.request.fresh);
        if here == there || leg + 1 >= dragonfly::LEGS {
            return None;
        }
        let gateway = self.nearest_gateway(here, there, random)?;
        let port = self.local_port(self.decision.topology().switch_of(gateway), random)?;
        *route = RouteState { via: Via::Gateway(gateway), leg, nonminimal: true, channel_rank: 0 };
        Some(Hop { port, leg, is_last: false })
    }

    /// A hop towards a switch of this group. It avoids a failed link if enough legs are left for
    /// that and for the `beyond` legs that the route climbs after the goal.
    fn towards(&self, goal: SwitchId, beyond: u8, route: &mut RouteState, random: &mut RandomStream) -> Option<Hop> {
        if let Some(port) = self.local_port(goal, random) {
            return Some(Hop { port, leg: route.leg, is_last: false });
        }
        let leg = route.leg + u8::from(!self.decision.request.fresh);
        if leg + 1 + beyond >= dragonfly::LEGS {
            return None;
        }
        let topology = self.decision.topology();
        let current = self.decision.request.switch;
        let switches = topology.switches_of(topology.group_of(current));
        let middle = rotated(self.decision, switches, random).map(SwitchId).find(|&middle| {
            middle != current
                && middle != goal
                && !visits_twice(self.dragonfly, current, middle, goal)
                && self.reaches(current, middle)
                && self.reaches(middle, goal)
        })?;
        let port = self.local_port(middle, random)?;
        // At a corner of a grid the path to `middle` may take a second hop, which climbs too.
        route.leg = leg + 1;
        route.nonminimal = true;
        Some(Hop { port, leg, is_last: false })
    }
}

/// A hop up or down a tree, where the rest of the path is open.
fn tree_hop<L: Loads>(
    tree: &FatTree,
    decision: &Decision<'_, L>,
    target: PortIndex,
    route: &RouteState,
    random: &mut RandomStream,
) -> Option<Hop> {
    let current = decision.request.switch;
    let leads = |port: PortIndex| open(decision, port) && tree_reaches(tree, decision, target, port);
    let port = match tree.down_ports(current, target) {
        Some(down) => pick(decision, down.iter().filter(|&port| leads(port)), random),
        None => {
            let up = tree.up_ports(current);
            if let (Some(flow), false) = (decision.request.ordered, decision.request.source) {
                let ports: Vec<PortIndex> = up.iter().filter(|&port| leads(port)).collect();
                (!ports.is_empty()).then(|| ports[scaled(flow, ports.len() as u32)])
            } else {
                let parameters = decision.parameters();
                let draws = match decision.mode() {
                    RoutingMode::Adaptive => parameters.minimal_candidates + parameters.nonminimal_candidates,
                    RoutingMode::Minimal | RoutingMode::Ecmp | RoutingMode::EcmpNonminimal | RoutingMode::Valiant => 1,
                };
                (0..draws)
                    .filter_map(|_| rotated(decision, up.iter(), random).find(|&port| leads(port)))
                    .min_by_key(|&port| decision.loads.local(port))
            }
        }
    };
    port.map(|port| Hop { port, leg: route.leg, is_last: false })
}

/// Whether a path to the destination continues beyond a port: up as far as needed, then down.
fn tree_reaches<L: Loads>(tree: &FatTree, decision: &Decision<'_, L>, target: PortIndex, port: PortIndex) -> bool {
    let switch = match decision.topology().port(port).peer {
        PortPeer::Endpoint(endpoint) => return endpoint == decision.request.destination,
        PortPeer::Port(peer) => decision.topology().switch_of(peer),
        PortPeer::None => return false,
    };
    let onward = |next: PortIndex| open(decision, next) && tree_reaches(tree, decision, target, next);
    match tree.down_ports(switch, target) {
        Some(down) => down.iter().any(onward),
        // After a hop down, never up again.
        None if tree.level_of(switch) > tree.level_of(decision.topology().switch_of(port)) => {
            tree.up_ports(switch).iter().any(onward)
        }
        None => false,
    }
}

/// A shortest path over the rest of a graph, if legs are left for it.
fn graph_hop<L: Loads>(decision: &Decision<'_, L>, route: &mut RouteState, random: &mut RandomStream) -> Option<Hop> {
    let topology = decision.topology();
    let current = decision.request.switch;
    let distances = distances_to(decision);
    let left = decision.router.legs().checked_sub(route.leg + 1)?;
    let beyond = |port: PortIndex| match topology.port(port).peer {
        PortPeer::Port(peer) if open(decision, port) => distances[topology.switch_of(peer).index()],
        _ => u8::MAX,
    };
    let nearest = topology.ports_of(current).map(|(port, _)| beyond(port)).min()?;
    if nearest > left {
        return None;
    }
    let ports = topology.ports_of(current).map(|(port, _)| port).collect::<Vec<_>>();
    let port = pick(decision, ports.iter().copied().filter(|&port| beyond(port) == nearest), random)?;
    let leg = route.leg;
    *route = RouteState { via: Via::Nothing, leg: leg + 1, ..*route };
    Some(Hop { port, leg, is_last: false })
}

/// Hops from every switch to the target over ports that the tables call usable, on paths that do
/// not lead through this switch; 255 if there is none.
fn distances_to<L: Loads>(decision: &Decision<'_, L>) -> Vec<u8> {
    let topology = decision.topology();
    let mut distances = vec![u8::MAX; topology.switch_count()];
    distances[decision.target.index()] = 0;
    let mut front = vec![decision.target];
    while let Some(distance) = front.first().map(|&switch| distances[switch.index()] + 1) {
        let mut next = Vec::new();
        for switch in front.into_iter().filter(|&switch| switch != decision.request.switch) {
            for (port, port_of_switch) in topology.ports_of(switch) {
                let PortPeer::Port(peer) = port_of_switch.peer else { continue };
                let other = topology.switch_of(peer);
                // A working link works in both directions.
                if distances[other.index()] == u8::MAX && decision.loads.usable(port) {
                    distances[other.index()] = distance;
                    next.push(other);
                }
            }
        }
        front = next;
        if distance == u8::MAX - 1 {
            break;
        }
    }
    distances
}
