//! The dragonfly: local, global, local; or through an intermediate group (or, within a group, an
//! intermediate switch).
//!
//! The leg rises when a packet enters a group, or reaches its intermediate switch. The order of
//! channels is local(0) < global(0) < local(1) < global(1) < local(2), and within a grid group row
//! < column, so three legs are enough for any path.

use philae_engine::RandomStream;
use philae_topology::{Dragonfly, GatewaysOfSwitch, GlobalWiring};
use philae_units::{GroupId, PortIndex, SwitchId};

use crate::adaptive::{Candidates, PathCandidate};
use crate::parameters::RoutingMode;
use crate::route::{Decision, Hop, Loads, RouteState, Via, scaled};

pub const LEGS: u8 = 3;

/// Random draws of an intermediate group before the search goes through all groups.
const GROUP_DRAWS: u32 = 4;

pub fn route<L: Loads>(
    dragonfly: &Dragonfly,
    decision: &Decision<'_, L>,
    route: &mut RouteState,
    random: &mut RandomStream,
) -> Hop {
    let current = decision.request.switch;
    let topology = decision.topology();
    let here = topology.group_of(current);
    let target_group = topology.group_of(decision.target);
    if decision.request.source {
        choose_at_source(dragonfly, decision, (here, target_group), route, random);
    } else if route.via == Via::Switch(current) {
        route.via = Via::Nothing;
        route.leg += 1;
        if current == decision.target {
            let port = topology.edge_port(decision.request.destination);
            return Hop { port, leg: 0, is_last: true };
        }
    } else if route.via == Via::Nothing && here != target_group {
        debug_assert!(route.nonminimal, "a shortest path has one gateway, chosen at the source");
        let global = GlobalHop::new(dragonfly, here, target_group);
        let mut gateway = choose_gateway(dragonfly, decision, global, random);
        if gateway == decision.request.input {
            // Only where a failed link was avoided through another group and back.
            gateway = global.gateways.iter().copied().find(|&other| other != gateway).unwrap_or(gateway);
        }
        route.via = Via::Gateway(gateway);
    }
    let leg = route.leg;
    let goal = match route.via {
        Via::Gateway(port) => {
            let gateway = topology.switch_of(port);
            if gateway == current {
                route.via = Via::Nothing;
                route.leg += 1;
                return Hop { port, leg, is_last: false };
            }
            gateway
        }
        Via::Switch(switch) => switch,
        Via::Nothing => decision.target,
    };
    Hop { port: decision.pick_of_run(dragonfly.local_next(current, goal), random), leg, is_last: false }
}

/// A coming global hop: the groups at its ends, the gateways from one to the other, and the far end
/// of each.
#[derive(Clone, Copy)]
struct GlobalHop<'a> {
    here: GroupId,
    there: GroupId,
    gateways: &'a [PortIndex],
    far_ends: &'a [PortIndex],
}

impl<'a> GlobalHop<'a> {
    #[inline]
    fn new(dragonfly: &'a Dragonfly, here: GroupId, there: GroupId) -> Self {
        let (gateways, far_ends) = (dragonfly.gateways(here, there), dragonfly.gateways(there, here));
        Self { here, there, gateways, far_ends }
    }

    /// One of the gateways, by index.
    #[inline]
    fn link(&self, index: usize) -> GlobalLink {
        GlobalLink { gateway: self.gateways[index], far_end: self.far_ends[index] }
    }
}

/// Both ends of a global link. The far end is read from the lists of gateways, which are small, and
/// not from the topology's ports, which are not: a decision would wait for their memory.
#[derive(Clone, Copy)]
struct GlobalLink {
    gateway: PortIndex,
    far_end: PortIndex,
}

/// Chooses the path at the first switch.
fn choose_at_source<L: Loads>(
    dragonfly: &Dragonfly,
    decision: &Decision<'_, L>,
    (here, there): (GroupId, GroupId),
    route: &mut RouteState,
    random: &mut RandomStream,
) {
    let mut candidates = decision.candidates();
    if here == there {
        within_group(dragonfly, decision, random, &mut candidates);
    } else {
        between_groups(dragonfly, decision, GlobalHop::new(dragonfly, here, there), random, &mut candidates);
    }
    let best = candidates.best().expect("a topology connects every pair of switches");
    route.via = best.via;
    route.nonminimal = !best.minimal;
}

fn within_group<L: Loads>(
    dragonfly: &Dragonfly,
    decision: &Decision<'_, L>,
    random: &mut RandomStream,
    candidates: &mut Candidates<'_>,
) {
    let (current, target) = (decision.request.switch, decision.target);
    let parameters = decision.parameters();
    let switches = decision.topology().switches_of(decision.topology().group_of(current));
    let others = switches.end - switches.start;
    if decision.mode() != RoutingMode::Valiant || others <= 2 {
        // Parallel links are distinguished when the hop is taken: one candidate stands for all.
        let port = decision.pick_of_run(dragonfly.local_next(current, target), random);
        let hops = dragonfly.local_distance(current, target);
        let load_bytes = decision.loads.local(port);
        candidates.push(PathCandidate { port, via: Via::Nothing, hops, minimal: true, load_bytes });
    }
    if decision.mode().is_minimal() || others <= 2 {
        return;
    }
    for _ in 0..parameters.nonminimal_candidates.max(1) {
        let mut middle = SwitchId(switches.start + random.below(others));
        while middle == current || middle == target || visits_twice(dragonfly, current, middle, target) {
            middle = SwitchId(switches.start + (middle.0 + 1 - switches.start) % others);
        }
        let port = decision.pick_of_run(dragonfly.local_next(current, middle), random);
        let hops = dragonfly.local_distance(current, middle) + dragonfly.local_distance(middle, target);
        let load_bytes = decision.loads.local(port);
        candidates.push(PathCandidate { port, via: Via::Switch(middle), hops, minimal: false, load_bytes });
    }
}

/// Whether the path through `middle`, all in one group, visits a switch twice: in a grid it does if
/// `middle` is in the row of the first switch and the target in its column, or if the target is in
/// the first switch's row and `middle` in the target's column. (Each half goes along the row, then
/// the column.) In a full mesh it never does.
pub fn visits_twice(dragonfly: &Dragonfly, first: SwitchId, middle: SwitchId, target: SwitchId) -> bool {
    let [first, middle, target] = [first, middle, target].map(|switch| dragonfly.row_and_column(switch));
    (middle.0 == first.0 && target.1 == first.1) || (target.0 == first.0 && middle.1 == target.1)
}

fn between_groups<L: Loads>(
    dragonfly: &Dragonfly,
    decision: &Decision<'_, L>,
    global: GlobalHop<'_>,
    random: &mut RandomStream,
    candidates: &mut Candidates<'_>,
) {
    let parameters = decision.parameters();
    let GlobalHop { here, there, gateways, .. } = global;
    if decision.mode() != RoutingMode::Valiant && !gateways.is_empty() {
        direct_candidates(dragonfly, decision, global, parameters.minimal_candidates, random, candidates);
    }
    if decision.mode().is_minimal() && !gateways.is_empty() {
        return;
    }
    for turn in 0..parameters.nonminimal_candidates.max(1) {
        if let Some(middle) = intermediate_group(dragonfly, here, there, random) {
            // The first candidate leaves through a gateway of this switch if there is one, the
            // others through any.
            let all = dragonfly.gateways(here, middle);
            let own = if turn > 0 { 0 } else { dragonfly.own_gateways(decision.request.switch, here, all).len() };
            let gateway = match own {
                0 => drawn(all, random),
                count => {
                    let index = random.below(count as u32) as usize;
                    dragonfly.own_gateways(decision.request.switch, here, all).get(index)
                }
            };
            // After the first global hop: local, global, local.
            candidates.push(towards_gateway(dragonfly, decision, gateway, 3, false, random));
        }
    }
    if candidates.is_empty() {
        // Valiant with two groups: there is no third group as intermediate.
        direct_candidates(dragonfly, decision, global, 1, random, candidates);
    }
}

/// Adds `asked` candidates that take one global link. The first is a shortest path. The others
/// leave through any gateway of the group, so that the traffic from one switch to one group can
/// spread over all links between the two groups. Minimal routing keeps them to the shortest.
fn direct_candidates<L: Loads>(
    dragonfly: &Dragonfly,
    decision: &Decision<'_, L>,
    global: GlobalHop<'_>,
    asked: u8,
    random: &mut RandomStream,
    candidates: &mut Candidates<'_>,
) {
    for turn in 0..asked {
        let GlobalLink { gateway, far_end } = if turn == 0 || decision.mode().is_minimal() {
            shortest_link(dragonfly, decision, global, |count| random.below(count))
        } else {
            global.link(random.below(global.gateways.len() as u32) as usize)
        };
        let last = dragonfly.local_distance(decision.topology().switch_of(far_end), decision.target);
        candidates.push(towards_gateway(dragonfly, decision, gateway, last, true, random));
    }
}

#[inline]
fn drawn(gateways: &[PortIndex], random: &mut RandomStream) -> PortIndex {
    gateways[random.below(gateways.len() as u32) as usize]
}

/// The global link on a path with the fewest hops from here to the target's switch, in another
/// group. If there are several, `choose` picks one.
fn shortest_link<L: Loads>(
    dragonfly: &Dragonfly,
    decision: &Decision<'_, L>,
    global: GlobalHop<'_>,
    choose: impl FnOnce(u32) -> u32,
) -> GlobalLink {
    if global.gateways.len() == 1 {
        choose(1);
        return global.link(0);
    }
    if dragonfly.wiring() != GlobalWiring::RoundRobin {
        return shortest_otherwise(dragonfly, decision, global, choose);
    }
    let leaving = dragonfly.own_of_round_robin(decision.request.switch, global.here, global.gateways);
    let arriving = dragonfly.own_of_round_robin(decision.target, global.there, global.far_ends);
    // A path that begins or ends with its global link is never longer than one with a local hop at
    // both ends.
    let looks_at_all = leaving.is_empty() && arriving.is_empty();
    GlobalLinks { dragonfly, decision, global, leaving, arriving, looks_at_all }.of_fewest_hops(choose)
}

/// The same where links are not wired round robin. If they are listed, those of a switch may be
/// anywhere in the list.
#[cold]
#[inline(never)]
fn shortest_otherwise<L: Loads>(
    dragonfly: &Dragonfly,
    decision: &Decision<'_, L>,
    global: GlobalHop<'_>,
    choose: impl FnOnce(u32) -> u32,
) -> GlobalLink {
    let is_listed = dragonfly.wiring() == GlobalWiring::Listed;
    let own = |switch, group, list| dragonfly.own_gateways(switch, group, if is_listed { &[] } else { list });
    let leaving = own(decision.request.switch, global.here, global.gateways);
    let arriving = own(decision.target, global.there, global.far_ends);
    let looks_at_all = leaving.is_empty() && arriving.is_empty();
    GlobalLinks { dragonfly, decision, global, leaving, arriving, looks_at_all }.of_fewest_hops(choose)
}

/// Global links from one switch to another, of which some are on shortest paths.
struct GlobalLinks<'a, L> {
    dragonfly: &'a Dragonfly,
    decision: &'a Decision<'a, L>,
    global: GlobalHop<'a>,
    /// Those of this switch: they have no hop before them.
    leaving: GatewaysOfSwitch<'a>,
    /// The far ends of those that arrive at the target's switch: they have no hop after them.
    arriving: GatewaysOfSwitch<'a>,
    /// Whether there are neither, so that all others are considered.
    looks_at_all: bool,
}

impl<L: Loads> GlobalLinks<'_, L> {
    /// Calls `visit` for each link with the local hops on its path. It is a function with a
    /// callback, and not an iterator: for two or three gateways, a chain of iterators costs more
    /// than the check of them.
    #[inline]
    fn each(&self, mut visit: impl FnMut(GlobalLink, u8)) {
        let Self { dragonfly, decision, global, .. } = *self;
        let (source, target, topology) = (decision.request.switch, decision.target, decision.topology());
        let behind = |far_end| dragonfly.local_distance(topology.switch_of(far_end), target);
        for (index, gateway) in self.leaving.placed() {
            let far_end = global.far_ends[index];
            visit(GlobalLink { gateway, far_end }, behind(far_end));
        }
        for (index, far_end) in self.arriving.placed() {
            let gateway = global.gateways[index];
            let switch = topology.switch_of(gateway);
            // A link that is both counts once.
            if switch != source {
                visit(GlobalLink { gateway, far_end }, dragonfly.local_distance(source, switch));
            }
        }
        if self.looks_at_all {
            for (&gateway, &far_end) in global.gateways.iter().zip(global.far_ends) {
                let before = dragonfly.local_distance(source, topology.switch_of(gateway));
                visit(GlobalLink { gateway, far_end }, before + behind(far_end));
            }
        }
    }

    /// One of the links with the fewest hops. If there are several, `choose` picks one.
    ///
    /// If that is the first, one pass is enough: of two or three, it usually is.
    fn of_fewest_hops(&self, choose: impl FnOnce(u32) -> u32) -> GlobalLink {
        let (mut fewest, mut count, mut fewest_link) = (u8::MAX, 0, None);
        self.each(|link, hops| {
            if hops < fewest {
                (fewest, count, fewest_link) = (hops, 0, Some(link));
            }
            count += u32::from(hops == fewest);
        });
        let (chosen, mut seen) = (choose(count), 0);
        if chosen > 0 {
            self.each(|link, hops| {
                if hops == fewest {
                    if seen == chosen {
                        fewest_link = Some(link);
                    }
                    seen += 1;
                }
            });
        }
        fewest_link.expect("two groups with traffic share a link")
    }
}

/// The candidate that leaves the group through `gateway` and has `beyond` hops after that.
#[inline(always)]
fn towards_gateway<L: Loads>(
    dragonfly: &Dragonfly,
    decision: &Decision<'_, L>,
    gateway: PortIndex,
    beyond: u8,
    minimal: bool,
    random: &mut RandomStream,
) -> PathCandidate {
    let source = decision.request.switch;
    let switch = decision.topology().switch_of(gateway);
    let hops = dragonfly.local_distance(source, switch) + 1 + beyond;
    let (port, load_bytes) = if switch == source {
        (gateway, decision.loads.local(gateway))
    } else {
        let port = decision.pick_of_run(dragonfly.local_next(source, switch), random);
        let remote = if decision.parameters().remote_load { decision.loads.remote(gateway) } else { 0 };
        (port, decision.loads.local(port) + remote)
    };
    PathCandidate { port, via: Via::Gateway(gateway), hops, minimal, load_bytes }
}

/// The switch at the far end of a port to another switch.
pub fn far_switch<L: Loads>(decision: &Decision<'_, L>, gateway: PortIndex) -> SwitchId {
    match decision.topology().port(gateway).peer {
        philae_topology::PortPeer::Port(peer) => decision.topology().switch_of(peer),
        philae_topology::PortPeer::Endpoint(_) | philae_topology::PortPeer::None => {
            unreachable!("a path leads from switch to switch: the topology checks it")
        }
    }
}

/// A third group with links to both.
fn intermediate_group(
    dragonfly: &Dragonfly,
    here: GroupId,
    there: GroupId,
    random: &mut RandomStream,
) -> Option<GroupId> {
    let groups = dragonfly.group_count() as u32;
    let joins = |group: GroupId| dragonfly.are_joined(here, group) && dragonfly.are_joined(group, there);
    for _ in 0..GROUP_DRAWS {
        let group = GroupId(random.below(groups));
        if joins(group) {
            return Some(group);
        }
    }
    let first = random.below(groups);
    (0..groups).map(|turn| GroupId((first + turn) % groups)).find(|&group| joins(group))
}

/// The path out of an intermediate group: the better of a shortest path and any other. For an
/// ordered packet, the flow's own shortest path.
fn choose_gateway<L: Loads>(
    dragonfly: &Dragonfly,
    decision: &Decision<'_, L>,
    global: GlobalHop<'_>,
    random: &mut RandomStream,
) -> PortIndex {
    if let Some(flow) = decision.request.ordered {
        return shortest_link(dragonfly, decision, global, |count| scaled(flow, count) as u32).gateway;
    }
    let mut candidates = decision.candidates();
    direct_candidates(dragonfly, decision, global, 2, random, &mut candidates);
    match candidates.best().map(|best| best.via) {
        Some(Via::Gateway(gateway)) => gateway,
        _ => unreachable!("a direct candidate heads for a gateway"),
    }
}
