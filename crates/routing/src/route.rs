//! The route of a packet, hop by hop.

use std::sync::Arc;

use philae_engine::Stream;
use philae_forwarding::{Plan, VerifyError};
use philae_topology::{PortRun, Shape, Topology};
use philae_units::{EndpointId, PortIndex, SwitchId};

use crate::adaptive::Candidates;
use crate::parameters::{RoutingMode, RoutingParameters};
use crate::tables::TableRoutes;
use crate::{deadlock, degraded, dragonfly, fat_tree, graph, tables};

/// What a packet heads for before its destination.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub enum Via {
    /// Nothing: straight to the destination.
    #[default]
    Nothing,
    /// A switch, where the next leg begins; by tables, where it is of a third group, any switch of that group.
    Switch(SwitchId),
    /// A global port, through which it leaves the group.
    Gateway(PortIndex),
}

/// What a packet carries of its route.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct RouteState {
    /// What it heads for.
    pub via: Via,
    /// Leg: how far it has climbed in the order of channels.
    pub leg: u8,
    /// Whether it has taken, or will take, a nonminimal path.
    pub nonminimal: bool,
    /// By tables: one more than the place of the last channel among those of its leg; 0 before the first.
    pub place: u8,
}

/// What a switch decides about a packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hop {
    /// Output port.
    pub port: PortIndex,
    /// Leg whose channel the packet uses on that port's link.
    pub leg: u8,
    /// Whether the packet's destination is beyond it, and not another switch.
    pub is_last: bool,
}

/// What the decision depends on, beside the route so far.
#[derive(Clone, Copy, Debug)]
pub struct RouteRequest {
    /// Where the packet is.
    pub at: SwitchId,
    /// Where it goes.
    pub destination: EndpointId,
    /// Whether this is the first switch, where the path is chosen (an intermediate group chooses its own way out).
    pub source: bool,
    /// Packets of an ordered flow all make the choice that this number selects.
    pub ordered: Option<u32>,
    /// How much more a nonminimal path counts for this packet, in per cent.
    pub nonminimal_bias_percent: u32,
    /// Whether the packet has come into this group by this switch: it has used no channel of its leg here. Looked at where
    /// links are out of order only.
    pub fresh: bool,
}

/// What a switch knows of load, in bytes of request queue, and of links that do not work.
pub trait Loads {
    /// Of its own port.
    fn local(&self, port: PortIndex) -> u32;
    /// Of another switch's port, as that switch last told.
    fn remote(&self, port: PortIndex) -> u32;

    /// Whether any link is out of order. While none is, the two below are not asked.
    #[inline]
    fn degraded(&self) -> bool {
        false
    }

    /// Whether a port of the switch that decides works now.
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
    /// Tables that must not be forwarded by.
    #[error("the routes must not be used: {0}")]
    Tables(#[from] VerifyError),
    /// Tables whose ways climb through more legs than channels exist.
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

/// Legs that a channel number has room for.
pub const LEGS_MAX: u8 = 8;

/// Decides the way of every packet of one system.
#[derive(Clone, Debug)]
pub struct Router {
    topology: Arc<Topology>,
    parameters: RoutingParameters,
    legs: u8,
    flat: bool,
    /// What is forwarded by in the place of the topology's own ways.
    tables: Option<Arc<TableRoutes>>,
}

impl Router {
    /// A router for this topology, proven free of deadlock.
    ///
    /// # Errors
    /// When the candidates are not 1 to 4, when a graph needs more legs than there are, or when the channel
    /// dependencies of the wiring have a cycle (named in the error).
    pub fn new(topology: Arc<Topology>, parameters: RoutingParameters) -> Result<Self, RoutingError> {
        check_candidates(&parameters)?;
        let legs = match topology.shape() {
            Shape::Dragonfly(_) => dragonfly::LEGS,
            Shape::FatTree(_) => fat_tree::LEGS,
            Shape::Graph(graph) => graph::legs(graph, topology.switch_count(), parameters.mode)?,
        };
        deadlock::prove(&topology, legs, deadlock::LegRule::Climb)?;
        Ok(Self { topology, parameters, legs, flat: false, tables: None })
    }

    /// A router that forwards by tables, once they are proven to fit, in at most `legs_max` legs (and no more than a channel
    /// number has room for).
    ///
    /// # Errors
    /// When the candidates are not 1 to 4, when the tables are for another wiring, or when their proof fails.
    pub fn by_tables(
        topology: Arc<Topology>,
        parameters: RoutingParameters,
        plan: Plan,
        legs_max: u8,
    ) -> Result<Self, RoutingError> {
        check_candidates(&parameters)?;
        let tables = TableRoutes::new(plan, &topology, &parameters, legs_max.min(LEGS_MAX))?;
        Ok(Self { topology, parameters, legs: tables.legs(), flat: false, tables: Some(Arc::new(tables)) })
    }

    /// The tables that are forwarded by, if any.
    #[must_use]
    pub fn plan(&self) -> Option<&Plan> {
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

    /// The topology.
    #[must_use]
    pub const fn topology(&self) -> &Arc<Topology> {
        &self.topology
    }

    /// The parameters.
    #[must_use]
    pub const fn parameters(&self) -> &RoutingParameters {
        &self.parameters
    }

    /// Decides the next hop and brings the route up to date. Nothing, where links are out of order and no way is left that
    /// climbs.
    #[inline(always)]
    pub fn route(
        &self,
        request: RouteRequest,
        route: &mut RouteState,
        loads: &impl Loads,
        random: &mut Stream,
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
        if route.via == Via::Nothing && self.topology.switch_of(target) == request.at {
            // Out of the fabric: NICs always take what they are sent, so any leg will do.
            return Some(Hop { port: target, leg: 0, is_last: true });
        }
        let decision = Decision { router: self, request, target: self.topology.switch_of(target), loads };
        let hop = match self.topology.shape() {
            Shape::Dragonfly(shape) => dragonfly::route(shape, &decision, route, random),
            Shape::FatTree(shape) => fat_tree::route(shape, &decision, target, route, random),
            Shape::Graph(shape) => graph::route(shape, &decision, route, random),
        };
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

/// One decision in the making: what the shapes share.
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

    /// No candidate for this packet yet.
    pub fn candidates(&self) -> Candidates<'_> {
        Candidates::new(self.parameters(), self.request.nonminimal_bias_percent)
    }

    /// One of `ports`: the flow's own for an ordered packet, else the less loaded of two drawn at random.
    #[inline]
    pub fn pick(&self, ports: &[PortIndex], random: &mut Stream) -> PortIndex {
        self.pick_among(ports.len(), |place| ports[place], random)
    }

    /// The same of neighbouring ports.
    #[inline]
    pub fn pick_of_run(&self, ports: PortRun, random: &mut Stream) -> PortIndex {
        self.pick_among(ports.len(), |place| ports.get(place), random)
    }

    #[inline]
    fn pick_among(&self, count: usize, port: impl Fn(usize) -> PortIndex, random: &mut Stream) -> PortIndex {
        if count == 1 {
            return port(0);
        }
        let count = count as u32;
        if let Some(flow) = self.request.ordered {
            return port(scaled(flow, count));
        }
        let one = port(random.below(count) as usize);
        if self.parameters().mode != RoutingMode::Adaptive {
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
