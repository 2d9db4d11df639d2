//! The route of a packet, hop by hop.

use std::sync::Arc;

use philae_engine::RandomStream;
use philae_route_tables::{RoutePlan, VerifyError};
use philae_topology::{PortRun, Topology, TopologyShape};
use philae_units::{EndpointId, PortIndex, SwitchId};

use crate::adaptive::Candidates;
use crate::parameters::{RoutingMode, RoutingParameters};
use crate::tables::TableRoutes;
use crate::{deadlock, degraded, dragonfly, fat_tree, graph, tables};

/// Next goal of a packet before its destination.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub enum Via {
    /// None: straight to the destination.
    #[default]
    Nothing,
    /// A switch, where the next leg begins. By tables, if it is in a third group, any switch of
    /// that group.
    Switch(SwitchId),
    /// A global port, through which it leaves the group.
    Gateway(PortIndex),
}

/// The part of a route that a packet carries.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct RouteState {
    /// Next goal.
    pub via: Via,
    /// Leg: how far it has climbed in the order of channels.
    pub leg: u8,
    /// Whether it has taken, or will take, a nonminimal path.
    pub nonminimal: bool,
    /// By tables: one more than the rank of the last channel among those of its leg; 0 before the
    /// first.
    pub channel_rank: u8,
}

/// Decision of a switch about a packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hop {
    /// Output port.
    pub port: PortIndex,
    /// Leg whose channel the packet uses on that port's link.
    pub leg: u8,
    /// Whether the packet's destination is beyond it, and not another switch.
    pub is_last: bool,
}

/// Inputs of the decision, besides the route so far.
#[derive(Clone, Copy, Debug)]
pub struct RouteRequest {
    /// The packet's present switch.
    pub switch: SwitchId,
    /// The packet's destination.
    pub destination: EndpointId,
    /// Whether this is the first switch, where the path is chosen (an intermediate group chooses
    /// its own path out).
    pub source: bool,
    /// Packets of an ordered flow all make the choice that this number selects.
    pub ordered: Option<u32>,
    /// Extra weight of nonminimal paths for this packet, in per cent.
    pub nonminimal_bias_percent: u32,
    /// How the path of this packet is chosen: that of the router, or that of its class.
    pub mode: RoutingMode,
    /// Whether the packet's entropy is for a shortest path. Read only with
    /// [`RoutingMode::EcmpNonminimal`].
    pub shortest: bool,
    /// Whether the packet entered this group by this switch: it has used no channel of its leg
    /// here. Read only if links are out of order.
    pub fresh: bool,
    /// The port by which the packet came. Read only by tables, or if links are out of order.
    pub input: PortIndex,
}

/// A switch's knowledge of load, in bytes of request queue, and of links that do not work.
pub trait Loads {
    /// Load of its own port.
    fn local(&self, port: PortIndex) -> u32;
    /// Load of another switch's port, as that switch last reported it.
    fn remote(&self, port: PortIndex) -> u32;

    /// Whether any link is out of order. If none is, the two functions below are not called.
    #[inline]
    fn degraded(&self) -> bool {
        false
    }

    /// Whether a port of the deciding switch works now.
    #[inline]
    fn alive(&self, _port: PortIndex) -> bool {
        true
    }

    /// Whether a port of another switch works, as far as the routing tables say.
    #[inline]
    fn usable(&self, _port: PortIndex) -> bool {
        true
    }
}

/// A topology that this router cannot serve.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RoutingError {
    /// More legs than channels exist.
    #[error(
        "{} routing on a graph of diameter {diameter} climbs {asked} legs; {most} are the most: use minimal routing, or a graph of smaller diameter",
        philae_units::word(.mode)
    )]
    TooManyLegs {
        /// Mode asked for.
        mode: RoutingMode,
        /// Diameter of the graph.
        diameter: u32,
        /// Legs needed.
        asked: u32,
        /// Legs available.
        most: u32,
    },
    /// Candidates outside what a switch can score.
    #[error("{minimal} minimal and {nonminimal} nonminimal candidates: at least one minimal and at most {CANDIDATES} in all are scored", CANDIDATES = crate::CANDIDATES_MAX)]
    Candidates {
        /// Minimal candidates asked for.
        minimal: u8,
        /// Nonminimal candidates asked for.
        nonminimal: u8,
    },
    /// Tables for another system.
    #[error("the routes are for another wiring than this system's: routes made for this system would work")]
    OtherWiring,
    /// Tables that must not be used for forwarding.
    #[error("the routes must not be used: {0}")]
    Tables(#[from] VerifyError),
    /// Tables whose paths climb through more legs than channels exist.
    #[error(
        "ways by these routes climb through {asked} legs; {most} are the most: routes computed for {most} channel classes, or fewer traffic classes, would work"
    )]
    TableLegs {
        /// Legs needed.
        asked: u8,
        /// Legs available.
        most: u8,
    },
    /// The channel order has a cycle.
    #[error(transparent)]
    Cycle(#[from] deadlock::CycleError),
}

/// The most legs for which a channel number has room.
pub const LEGS_MAX: u8 = 8;

/// Decides the path of every packet of one system.
#[derive(Clone, Debug)]
pub struct Router {
    topology: Arc<Topology>,
    parameters: RoutingParameters,
    legs: u8,
    flat: bool,
    /// The tables that replace the topology's own routes, if any.
    tables: Option<Arc<TableRoutes>>,
}

impl Router {
    /// A router for this topology, proven free of deadlock.
    ///
    /// # Errors
    /// [`RoutingError`] if the candidates are not 1 to 4, if a graph needs more legs than there
    /// are, or if the channel dependencies of the wiring have a cycle (named in the error).
    pub fn new(topology: Arc<Topology>, parameters: RoutingParameters) -> Result<Self, RoutingError> {
        check_candidates(&parameters)?;
        let legs = match topology.shape() {
            TopologyShape::Dragonfly(_) => dragonfly::LEGS,
            TopologyShape::FatTree(_) => fat_tree::LEGS,
            TopologyShape::Graph(graph) => graph::legs(graph, topology.switch_count(), parameters.mode)?,
        };
        deadlock::prove(&topology, legs, deadlock::LegRule::Climb)?;
        Ok(Self { topology, parameters, legs, flat: false, tables: None })
    }

    /// A router that forwards by tables, once they are proven to fit. Paths may climb through at
    /// most `legs_max` legs (and no more than a channel number has room for).
    ///
    /// # Errors
    /// [`RoutingError`] if the candidates are not 1 to 4, if the tables are for another wiring, or
    /// if their proof fails.
    pub fn by_tables(
        topology: Arc<Topology>,
        parameters: RoutingParameters,
        plan: RoutePlan,
        legs_max: u8,
    ) -> Result<Self, RoutingError> {
        check_candidates(&parameters)?;
        let tables = TableRoutes::new(plan, &topology, &parameters, legs_max.min(LEGS_MAX))?;
        Ok(Self { topology, parameters, legs: tables.legs(), flat: false, tables: Some(Arc::new(tables)) })
    }

    /// The tables that the router forwards by, if any.
    #[must_use]
    pub fn plan(&self) -> Option<&RoutePlan> {
        self.tables.as_deref().map(TableRoutes::plan)
    }

    /// Leg of the first hop of a route that was decided before.
    #[inline]
    #[must_use]
    pub fn first_leg(&self, route: &RouteState) -> u8 {
        if self.tables.is_some() { route.leg } else { 0 }
    }

    /// A router whose routes never climb, without proof: for tests that need a deadlock.
    #[must_use]
    pub const fn unproven(topology: Arc<Topology>, parameters: RoutingParameters) -> Self {
        Self { topology, parameters, legs: 1, flat: true, tables: None }
    }

    /// Channel classes that routes climb through.
    #[must_use]
    pub const fn legs(&self) -> u8 {
        self.legs
    }

    #[must_use]
    pub const fn topology(&self) -> &Arc<Topology> {
        &self.topology
    }

    #[must_use]
    pub const fn parameters(&self) -> &RoutingParameters {
        &self.parameters
    }

    /// Decides the next hop and updates the route. `None` if links are out of order, and no path is
    /// left that climbs and does not turn back over the link by which the packet came.
    #[inline(always)]
    pub fn route(
        &self,
        request: RouteRequest,
        route: &mut RouteState,
        loads: &impl Loads,
        random: &mut RandomStream,
    ) -> Option<Hop> {
        let target = self.topology.edge_port(request.destination);
        if let Some(tables) = &self.tables {
            let decision = Decision { router: self, request, target: self.topology.switch_of(target), loads };
            return tables::route(tables, &decision, target, route, random);
        }
        if loads.degraded() {
            let decision = Decision { router: self, request, target: self.topology.switch_of(target), loads };
            return degraded::route(&decision, target, route, random);
        }
        if route.via == Via::Nothing && self.topology.switch_of(target) == request.switch {
            // Out of the fabric: NICs always take what they are sent, so any leg will do.
            return Some(Hop { port: target, leg: 0, is_last: true });
        }
        let decision = Decision { router: self, request, target: self.topology.switch_of(target), loads };
        let hop = match self.topology.shape() {
            TopologyShape::Dragonfly(shape) => dragonfly::route(shape, &decision, route, random),
            TopologyShape::FatTree(shape) => fat_tree::route(shape, &decision, target, route, random),
            TopologyShape::Graph(shape) => graph::route(shape, &decision, route, random),
        };
        if hop.port == request.input {
            // A switch before this one avoided a failed link that is not in the tables yet.
            return None;
        }
        if self.flat {
            return Some(Hop { leg: 0, ..hop });
        }
        debug_assert!(hop.leg < self.legs, "a route climbs no further than its legs");
        Some(hop)
    }
}

fn check_candidates(parameters: &RoutingParameters) -> Result<(), RoutingError> {
    let (minimal, nonminimal) = (parameters.minimal_candidates, parameters.nonminimal_candidates);
    if minimal == 0 || usize::from(minimal) + usize::from(nonminimal) > crate::CANDIDATES_MAX {
        return Err(RoutingError::Candidates { minimal, nonminimal });
    }
    Ok(())
}

/// The state of a decision that all shapes share.
pub(crate) struct Decision<'a, L> {
    pub router: &'a Router,
    pub request: RouteRequest,
    /// Switch of the destination.
    pub target: SwitchId,
    pub loads: &'a L,
}

impl<L: Loads> Decision<'_, L> {
    pub fn topology(&self) -> &Topology {
        &self.router.topology
    }

    pub fn parameters(&self) -> &RoutingParameters {
        &self.router.parameters
    }

    /// How the path of this packet is chosen.
    #[inline]
    pub fn mode(&self) -> RoutingMode {
        match self.request.mode {
            RoutingMode::EcmpNonminimal if self.request.shortest => RoutingMode::Ecmp,
            RoutingMode::EcmpNonminimal => RoutingMode::Valiant,
            mode => mode,
        }
    }

    /// An empty list of candidates for this packet.
    pub fn candidates(&self) -> Candidates<'_> {
        Candidates::new(self.parameters(), self.request.nonminimal_bias_percent)
    }

    /// One of `ports`: for an ordered packet the flow's own, else the less loaded of two drawn at
    /// random.
    #[inline]
    pub fn pick(&self, ports: &[PortIndex], random: &mut RandomStream) -> PortIndex {
        self.pick_among(ports.len(), |index| ports[index], random)
    }

    /// The same for neighbouring ports.
    #[inline]
    pub fn pick_of_run(&self, ports: PortRun, random: &mut RandomStream) -> PortIndex {
        self.pick_among(ports.len(), |index| ports.get(index), random)
    }

    #[inline]
    pub fn pick_among(&self, count: usize, port: impl Fn(usize) -> PortIndex, random: &mut RandomStream) -> PortIndex {
        if count == 1 {
            return port(0);
        }
        let count = count as u32;
        if let Some(flow) = self.request.ordered {
            return port(scaled(flow, count));
        }
        let one = port(random.below(count) as usize);
        if self.mode() != RoutingMode::Adaptive {
            return one;
        }
        let other = port(random.below(count) as usize);
        if self.loads.local(other) < self.loads.local(one) { other } else { one }
    }
}

/// Maps a flow's number onto `0..count`.
#[inline]
pub(crate) fn scaled(flow: u32, count: u32) -> usize {
    let mixed = flow.wrapping_mul(0x9e37_79b9);
    ((u64::from(mixed) * u64::from(count)) >> 32) as usize
}
