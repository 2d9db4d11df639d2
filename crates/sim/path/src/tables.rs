//! Routes by published tables: a switch takes one of the ports that its table lists for the
//! destination.
//!
//! This module knows the system's shape only from tables and wiring. The leg rises if the next
//! channel has no higher place in the order of channels than the one before; the tables' own proof
//! says how many legs paths need. Destinations that are reached up and down a tree of all switches
//! use the last leg, which no other path uses.
//!
//! A path through a third group (or switch) is taken only if the legs suffice for both halves at
//! their worst. So the proof of the tables holds for it too: channels are taken in ascending order.
//!
//! If a link fails and the tables stay, only the switches at its ends know: they leave its port
//! out. If no port is left, the packet is discarded.

use philae_engine::RandomStream;
use philae_route_tables::{Destination, Detours, FabricWiring, RoutePlan, VerifyReport, verify};
use philae_topology::{Topology, TopologyShape};
use philae_units::{GroupId, PortId, PortIndex, SwitchId};

use crate::adaptive::PathCandidate;
use crate::parameters::{RoutingMode, RoutingParameters};
use crate::route::{Decision, Hop, Loads, RouteState, RoutingError, Via, scaled};

/// Random draws of an intermediate group before the search goes through all groups.
const DRAWS: u32 = 4;

/// Hops beyond the edge of an intermediate group of several switches: local, global, local.
const BEYOND: u8 = 3;

/// Proven tables, and what paths by them need.
#[derive(Clone, Debug)]
pub struct TableRoutes {
    plan: RoutePlan,
    report: VerifyReport,
    /// Paths to third groups; `None` if only shortest paths are taken.
    detours: Option<Detours>,
    /// Legs of paths that do not lead up and down a tree.
    climbing: u8,
    legs: u8,
    is_tree: bool,
}

impl TableRoutes {
    /// Proves that these tables may be used on this topology, where channels have room for `most`
    /// legs.
    ///
    /// # Errors
    /// [`RoutingError::OtherWiring`], [`RoutingError::Tables`], [`RoutingError::TableLegs`].
    pub fn new(
        plan: RoutePlan,
        topology: &Topology,
        parameters: &RoutingParameters,
        most: u8,
    ) -> Result<Self, RoutingError> {
        if FabricWiring::of(topology).map_or(0, |wiring| wiring.hash()) != plan.wiring().hash() {
            return Err(RoutingError::OtherWiring);
        }
        let report = verify(&plan)?;
        let kept = u8::from(report.up_down > 0);
        if report.legs + kept > most {
            return Err(RoutingError::TableLegs { asked: report.legs + kept, most });
        }
        let is_tree = matches!(topology.shape(), TopologyShape::FatTree(_));
        let detours = (!parameters.mode.is_minimal() && !is_tree).then(|| Detours::of(&plan));
        let mut routes = Self { plan, report, detours, climbing: report.legs, legs: 0, is_tree };
        let asked = u32::from(routes.report.legs) + routes.most_before();
        routes.climbing = asked.min(u32::from(most - kept)) as u8;
        routes.legs = routes.climbing + kept;
        Ok(routes)
    }

    /// The most legs that any path to the edge of an intermediate group takes; 0 if there is none.
    fn most_before(&self) -> u32 {
        let Some(detours) = &self.detours else { return 0 };
        let wiring = self.plan.wiring();
        let groups = || (0..wiring.group_count()).map(GroupId::from_index);
        let switches = (0..wiring.switch_count()).map(SwitchId::from_index);
        let between = switches.flat_map(|from| {
            groups().filter(move |&to| self.serves(wiring.group_of(from), to)).map(move |to| detours.climbs(from, to))
        });
        let within = groups().map(|group| detours.within(group));
        between.chain(within).flatten().map(|climbs| u32::from(climbs) + 1).max().unwrap_or(0)
    }

    /// Whether paths from a group may lead through another one: if groups have several switches, a
    /// link must join the two.
    fn serves(&self, from: GroupId, through: GroupId) -> bool {
        from != through && (!self.plan.wiring().is_grouped() || self.plan.are_joined(from, through))
    }

    /// Number of legs that routes climb through.
    pub const fn legs(&self) -> u8 {
        self.legs
    }

    /// The tables.
    pub const fn plan(&self) -> &RoutePlan {
        &self.plan
    }
}

/// Decides the next hop of a packet whose destination is on port `target`.
pub fn route<L: Loads>(
    tables: &TableRoutes,
    decision: &Decision<'_, L>,
    target: PortIndex,
    route: &mut RouteState,
    random: &mut RandomStream,
) -> Option<Hop> {
    let current = decision.request.switch;
    if decision.target == current {
        let open = !decision.loads.degraded() || decision.loads.alive(target);
        return open.then_some(Hop { port: target, leg: 0, is_last: true });
    }
    let wiring = tables.plan.wiring();
    let choice = TableDecision {
        tables,
        decision,
        wiring,
        degraded: decision.loads.degraded(),
        here: wiring.group_of(current),
        there: wiring.group_of(decision.target),
        up_down: tables.plan.tables().own_entries_up_down(decision.target),
    };
    let port = if decision.request.source { choice.choose(route, random)? } else { choice.onward(route, random)? };
    let leg = choice.climb(port, route);
    debug_assert!(leg < tables.legs, "a route climbs no further than its legs");
    (leg < tables.legs).then(|| Hop { port: wiring.port(current, PortId(port)), leg, is_last: false })
}

/// One decision.
struct TableDecision<'a, L> {
    tables: &'a TableRoutes,
    decision: &'a Decision<'a, L>,
    wiring: &'a FabricWiring,
    /// Whether any port is out of order.
    degraded: bool,
    /// Group of the switch.
    here: GroupId,
    /// Group of the destination.
    there: GroupId,
    /// Set if the destination has entries of its own: whether they lead up and down a tree.
    up_down: Option<bool>,
}

impl<L: Loads> TableDecision<'_, L> {
    /// Working ports of this switch towards the destination.
    fn direct(&self) -> u64 {
        let tables = self.tables.plan.tables();
        self.open(tables.toward(self.wiring, self.decision.request.switch, self.decision.target))
    }

    /// The entry for an intermediate switch: its own entry within its group, else that of its
    /// group.
    fn entry_for(&self, middle: SwitchId) -> Destination {
        match self.wiring.group_of(middle) {
            group if group == self.here && self.wiring.is_grouped() => {
                Destination::Place(self.wiring.place_in_group(middle))
            }
            group => Destination::Group(group),
        }
    }

    /// Working ports of this switch by an entry.
    fn by(&self, entry: Destination) -> u64 {
        self.open(self.tables.plan.tables().entry(self.decision.request.switch, entry))
    }

    /// The ports of a mask that work, and by which the packet did not come.
    fn open(&self, mask: u64) -> u64 {
        if !self.degraded {
            return mask;
        }
        let input = self.decision.request.input;
        let alive = |port: &u8| self.decision.loads.alive(self.port(*port)) && self.port(*port) != input;
        ports(mask).filter(alive).fold(0, |mask, port| mask | 1 << port)
    }

    /// Working ports of this switch towards an intermediate switch, after which the packet visits
    /// no switch twice.
    ///
    /// Between groups of several switches all ports qualify as long as all links work: both halves
    /// cross one global link, of different groups. Otherwise the two halves are shortest paths from
    /// switch to switch, for which `graph::towards` has the rule: the packet enters `middle` by a
    /// link with which no path onward begins.
    fn towards(&self, middle: SwitchId) -> u64 {
        let mask = self.by(self.entry_for(middle));
        if self.wiring.is_grouped() && self.here != self.there {
            if !self.degraded {
                return mask;
            }
            let goes_on = |port: &u8| self.goes_on(self.decision.request.switch, *port, middle, BEYOND);
            return ports(mask).filter(goes_on).fold(0, |mask, port| mask | 1 << port);
        }
        let toward = |from, to| self.tables.plan.tables().toward(self.wiring, from, to);
        let (current, target) = (self.decision.request.switch, self.decision.target);
        let onward = toward(middle, target);
        if toward(middle, current) & onward == 0 {
            return mask;
        }
        let goes_on = |port: &u8| {
            self.neighbour(current, *port).is_some_and(|next| {
                if next == middle {
                    !ports(onward).any(|port| self.neighbour(middle, port) == Some(current))
                } else {
                    toward(middle, next) & !onward != 0
                }
            })
        };
        ports(mask).filter(goes_on).fold(0, |mask, port| mask | 1 << port)
    }

    /// Whether a packet that leaves `switch` by a port, towards the group of `middle`, can continue
    /// from there without turning back, within some hops.
    fn goes_on(&self, switch: SwitchId, number: u8, middle: SwitchId, hops: u8) -> bool {
        let Some(peer) = self.wiring.peer(self.wiring.port(switch, PortId(number))) else { return false };
        let (next, back) = self.wiring.split(peer);
        let tables = self.tables.plan.tables();
        let group = self.wiring.group_of(middle);
        if self.wiring.group_of(next) == group {
            return tables.toward(self.wiring, next, self.decision.target) & !(1 << back.0) != 0;
        }
        hops > 1
            && ports(tables.entry(next, Destination::Group(group)) & !(1 << back.0))
                .any(|port| self.goes_on(next, port, middle, hops - 1))
    }

    fn port(&self, number: u8) -> PortIndex {
        self.wiring.port(self.decision.request.switch, PortId(number))
    }

    /// One of several ports. For an ordered packet the flow's own, else the least loaded of those
    /// drawn at random: two, and in a tree as many as there are candidates.
    fn pick(&self, mask: u64, random: &mut RandomStream) -> Option<u8> {
        let count = mask.count_ones();
        if count <= 1 {
            return ports(mask).next();
        }
        let nth = |index: usize| ports(mask).nth(index);
        if let Some(flow) = self.decision.request.ordered {
            return nth(scaled(flow, count));
        }
        let first = nth(random.below(count) as usize)?;
        let parameters = self.decision.parameters();
        if self.decision.mode() != RoutingMode::Adaptive {
            return Some(first);
        }
        let draws =
            if self.tables.is_tree { parameters.minimal_candidates + parameters.nonminimal_candidates } else { 2 };
        let mut best = (self.decision.loads.local(self.port(first)), first);
        for _ in 1..draws {
            let port = nth(random.below(count) as usize)?;
            let load = self.decision.loads.local(self.port(port));
            if load < best.0 {
                best = (load, port);
            }
        }
        Some(best.1)
    }

    /// The next port of the path at a later switch.
    fn onward(&self, route: &mut RouteState, random: &mut RandomStream) -> Option<u8> {
        if let Via::Switch(middle) = route.via {
            let group = self.wiring.group_of(middle);
            let arrived = if group == self.there { self.decision.request.switch == middle } else { group == self.here };
            let mask = if arrived { 0 } else { self.towards(middle) };
            if mask != 0 {
                return self.pick(mask, random);
            }
            // The legs that were kept for the second half are left, wherever it begins.
            route.via = Via::Nothing;
        }
        self.pick(self.direct(), random)
    }

    /// Chooses the path at the first switch.
    fn choose(&self, route: &mut RouteState, random: &mut RandomStream) -> Option<u8> {
        *route = RouteState::default();
        let direct = self.direct();
        if self.up_down == Some(true) || self.tables.is_tree {
            return self.pick(direct, random);
        }
        let parameters = self.decision.parameters();
        let mut candidates = self.decision.candidates();
        if self.decision.mode() != RoutingMode::Valiant {
            for _ in 0..parameters.minimal_candidates {
                let Some(port) = self.pick(direct, random) else { break };
                candidates.push(self.candidate(port, Via::Nothing, self.hops()));
            }
        }
        let detours = self.tables.detours.as_ref().filter(|_| !self.decision.mode().is_minimal());
        if let Some(detours) = detours {
            for _ in 0..parameters.nonminimal_candidates.max(1) {
                self.detour(detours, random).into_iter().for_each(|candidate| candidates.push(candidate));
            }
        }
        let Some(best) = candidates.best() else { return self.pick(direct, random) };
        route.via = best.via;
        route.nonminimal = !best.minimal;
        Some(self.wiring.split(best.port).1.0)
    }

    /// A path through a third group, or within a group through a third switch.
    fn detour(&self, detours: &Detours, random: &mut RandomStream) -> Option<PathCandidate> {
        let middle = if self.here == self.there {
            self.middle_switch(detours, random)?
        } else {
            SwitchId(self.wiring.switches_of(self.middle_group(detours, random)?).start)
        };
        let port = self.pick(self.towards(middle), random)?;
        let current = self.decision.request.switch;
        let hops = if self.here == self.there {
            let (first, second) = (self.steps(current, middle), self.steps(middle, self.decision.target));
            first + second
        } else {
            let group = self.wiring.group_of(middle);
            let onward = if self.wiring.is_grouped() { Some(BEYOND) } else { detours.hops(middle, self.there) };
            detours.hops(current, group)?.saturating_add(onward?)
        };
        Some(self.candidate(port, Via::Switch(middle), hops))
    }

    /// Whether enough legs are left after `climbs` for everything that may follow.
    fn suffices(&self, climbs: Option<u8>) -> bool {
        climbs.is_some_and(|climbs| {
            u32::from(climbs) + 1 + u32::from(self.tables.report.legs) <= u32::from(self.tables.climbing)
        })
    }

    fn middle_group(&self, detours: &Detours, random: &mut RandomStream) -> Option<GroupId> {
        let current = self.decision.request.switch;
        let groups = self.wiring.group_count() as u32;
        let may = |&group: &GroupId| {
            group != self.there
                && self.tables.serves(self.here, group)
                && self.tables.serves(group, self.there)
                && self.suffices(detours.climbs(current, group))
                && detours.hops(SwitchId(self.wiring.switches_of(group).start), self.there).is_some()
                && self.by(Destination::Group(group)) != 0
        };
        for _ in 0..DRAWS {
            let group = GroupId(random.below(groups));
            if may(&group) {
                return Some(group);
            }
        }
        let first = random.below(groups);
        (0..groups).map(|turn| GroupId((first + turn) % groups)).find(may)
    }

    fn middle_switch(&self, detours: &Detours, random: &mut RandomStream) -> Option<SwitchId> {
        let tables = self.tables.plan.tables();
        let (current, target) = (self.decision.request.switch, self.decision.target);
        let switches = self.wiring.switches_of(self.here);
        if switches.len() <= 2
            || tables.own_entries_up_down(current).is_some()
            || !self.suffices(detours.within(self.here))
        {
            return None;
        }
        let (first, count) = (random.below(switches.len() as u32), switches.len() as u32);
        (0..count).map(|turn| SwitchId(switches.start + (first + turn) % count)).find(|&middle| {
            middle != current
                && middle != target
                && tables.own_entries_up_down(middle).is_none()
                && self.by(self.entry_for(middle)) != 0
        })
    }

    /// Approximate hops between two switches of the group: one if a candidate leads there, else
    /// two.
    fn steps(&self, from: SwitchId, to: SwitchId) -> u8 {
        let mask = self.tables.plan.tables().toward(self.wiring, from, to);
        let leads = |port| self.neighbour(from, port).is_some_and(|neighbour| neighbour == to);
        if ports(mask).next().is_some_and(leads) { 1 } else { 2 }
    }

    /// Approximate hops of a shortest path: into the destination's group, and one within it if it
    /// has several switches.
    fn hops(&self) -> u8 {
        let (current, target) = (self.decision.request.switch, self.decision.target);
        if self.here == self.there {
            return self.steps(current, target);
        }
        let into = self.tables.detours.as_ref().and_then(|detours| detours.hops(current, self.there));
        into.unwrap_or(BEYOND - 1).saturating_add(u8::from(self.wiring.is_grouped()))
    }

    fn neighbour(&self, switch: SwitchId, number: u8) -> Option<SwitchId> {
        self.wiring.peer(self.wiring.port(switch, PortId(number))).map(|peer| self.wiring.split(peer).0)
    }

    fn candidate(&self, number: u8, via: Via, hops: u8) -> PathCandidate {
        let port = self.port(number);
        let group = match via {
            Via::Switch(middle) => self.wiring.group_of(middle),
            Via::Nothing | Via::Gateway(_) => self.there,
        };
        let load_bytes = self.decision.loads.local(port) + self.beyond(number, group);
        PathCandidate { port, via, hops, minimal: via == Via::Nothing, load_bytes }
    }

    /// Last reported load of the port through which a neighbour in the group continues to another
    /// group; of several ports, the least.
    fn beyond(&self, number: u8, group: GroupId) -> u32 {
        let current = self.decision.request.switch;
        let is_local = self.wiring.local(current) >> number & 1 == 1;
        if !self.decision.parameters().remote_load || !is_local || group == self.here {
            return 0;
        }
        let Some(neighbour) = self.neighbour(current, number) else { return 0 };
        let mask =
            self.tables.plan.tables().entry(neighbour, Destination::Group(group)) & self.wiring.global(neighbour);
        let load = |port| self.decision.loads.remote(self.wiring.port(neighbour, PortId(port)));
        ports(mask).map(load).min().unwrap_or(0)
    }

    /// The leg of the channel on which the packet continues.
    fn climb(&self, number: u8, route: &mut RouteState) -> u8 {
        if self.up_down == Some(true) {
            route.leg = self.tables.legs - 1;
            return route.leg;
        }
        let channel_rank = self.wiring.rank(self.decision.request.switch.index(), u32::from(number)).saturating_add(1);
        if channel_rank <= route.channel_rank {
            route.leg += 1;
        }
        route.channel_rank = channel_rank;
        route.leg
    }
}

/// The ports of a mask, lowest first.
fn ports(mut mask: u64) -> impl Iterator<Item = u8> {
    std::iter::from_fn(move || {
        let port = (mask != 0).then(|| mask.trailing_zeros() as u8)?;
        mask &= mask - 1;
        Some(port)
    })
}
