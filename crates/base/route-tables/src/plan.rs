//! A plan: tables that fit the live links, updated as links fail and recover.

use std::sync::Arc;

use philae_units::GroupId;

use crate::compute::Compute;
use crate::distance::{Components, Distances};
use crate::legs::{self, ChannelRanks};
use crate::links::{LinkChange, LiveLinks};
use crate::tables::Tables;
use crate::update::{self, Generation, Update};
use crate::wiring::FabricWiring;

/// Parameters of the computation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parameters {
    /// Channel classes that routes may climb through. A path that would climb further goes up and
    /// down a tree of all switches instead, in the last class.
    ///
    /// Source: as many as the simulator's channel numbers have room for
    /// (`philae_path::route::LEGS_MAX`). Status: assumed; the hardware's number is not
    /// published.
    pub legs: u8,
}

impl Default for Parameters {
    fn default() -> Self {
        Self { legs: 8 }
    }
}

/// The tables of a fabric for its live links.
///
/// ```
/// use philae_route_tables::{LinkChange, LiveLinks, Parameters, RoutePlan, FabricWiring, verify};
/// use philae_topology::{DragonflyDescription, Topology};
///
/// let topology = Topology::build(&DragonflyDescription::uniform(4, 8, 4, 2).into()).expect("fits 64 ports");
/// let wiring = FabricWiring::of(&topology).expect("64 ports at most");
/// let mut plan = RoutePlan::new(wiring, None, Parameters::default());
/// let broken = plan.wiring().links().next().expect("it has links").0;
/// let update = plan.update(&[LinkChange { port: broken, up: false }]);
/// assert!(update.entries() > 0);
/// assert_eq!(verify(&plan).expect("still sound").unreachable_pairs, 0);
/// ```
#[derive(Clone, Debug)]
pub struct RoutePlan {
    pub(crate) wiring: Arc<FabricWiring>,
    pub(crate) links: LiveLinks,
    pub(crate) components: Components,
    pub(crate) distances: Distances,
    pub(crate) tables: Tables,
    pub(crate) parameters: Parameters,
    pub(crate) generation: Generation,
    /// (G): the most local hops that paths within each group take.
    pub(crate) depths: Vec<u8>,
    pub(crate) channel_ranks: Arc<ChannelRanks>,
}

impl RoutePlan {
    /// Tables for a wiring with these working links; `None`: all links work.
    #[must_use]
    pub fn new(wiring: impl Into<Arc<FabricWiring>>, links: Option<LiveLinks>, parameters: Parameters) -> Self {
        let wiring = wiring.into();
        let links = links.unwrap_or_else(|| LiveLinks::all(&wiring));
        let components = Components::of(&wiring, &links);
        let shape = Tables::shaped(&wiring);
        let targets = shape.groups.iter().map(|&group| group as usize).chain(wiring.group_count()..components.count());
        let distances = Distances::of(&components, targets);
        let compute = Compute { wiring: &wiring, links: &links, components: &components, distances: &distances };
        let mut tables = compute.all();
        let channel_ranks = Arc::new(ChannelRanks::of(&wiring));
        let depths: Vec<u8> =
            (0..wiring.group_count()).map(|group| compute.depth(GroupId::from_index(group))).collect();
        if legs::most_possible(&wiring, &distances, &depths) > u32::from(parameters.legs) {
            legs::keep_within(&compute, &mut tables, parameters.legs);
        }
        Self {
            wiring,
            links,
            components,
            distances,
            tables,
            parameters,
            generation: Generation(1),
            depths,
            channel_ranks,
        }
    }

    /// A plan of tables that were computed before, with any content: `verify` says whether they are
    /// sound.
    pub(crate) fn restored(
        wiring: Arc<FabricWiring>,
        links: LiveLinks,
        tables: Tables,
        parameters: Parameters,
        generation: Generation,
    ) -> Self {
        let components = Components::of(&wiring, &links);
        let targets = tables.groups.iter().map(|&group| group as usize).chain(wiring.group_count()..components.count());
        let distances = Distances::of(&components, targets);
        let compute = Compute { wiring: &wiring, links: &links, components: &components, distances: &distances };
        let depths = (0..wiring.group_count()).map(|group| compute.depth(GroupId::from_index(group))).collect();
        let channel_ranks = Arc::new(ChannelRanks::of(&wiring));
        Self { wiring, links, components, distances, tables, parameters, generation, depths, channel_ranks }
    }

    /// Applies links that stopped or began to work. Returns the changes of each switch, and their
    /// order.
    ///
    /// A change of a port without a switch-to-switch link, or to the present state, does not count.
    /// If nothing changes, the generation stays the same.
    pub fn update(&mut self, changes: &[LinkChange]) -> Update {
        update::apply(self, changes)
    }

    /// The wiring of the fabric.
    #[must_use]
    pub const fn wiring(&self) -> &Arc<FabricWiring> {
        &self.wiring
    }

    /// The state of the links.
    #[must_use]
    pub const fn links(&self) -> &LiveLinks {
        &self.links
    }

    #[must_use]
    pub const fn tables(&self) -> &Tables {
        &self.tables
    }

    #[must_use]
    pub const fn parameters(&self) -> Parameters {
        self.parameters
    }

    /// Generation of the tables: rises by one with each update that changes an entry.
    #[must_use]
    pub const fn generation(&self) -> Generation {
        self.generation
    }

    /// Ranks of the channels of a leg.
    pub(crate) fn channel_ranks(&self) -> &ChannelRanks {
        &self.channel_ranks
    }

    /// Upper bound of the classes that a path climbs through.
    pub(crate) fn climbs_possible(&self) -> u32 {
        legs::most_possible(&self.wiring, &self.distances, &self.depths)
    }

    pub(crate) fn compute(&self) -> Compute<'_> {
        Compute { wiring: &self.wiring, links: &self.links, components: &self.components, distances: &self.distances }
    }

    /// Pairs of groups without a live direct link, the lower number first. If there are any,
    /// minimal paths between them have two global hops or more, and neither is an intermediate
    /// group for the other.
    pub fn pairs_without_direct_link(&self) -> impl Iterator<Item = (GroupId, GroupId)> + '_ {
        let groups = if self.wiring.is_grouped() { self.wiring.group_count() } else { 0 };
        (0..groups).flat_map(move |one| {
            (one + 1..groups)
                .filter(move |&other| !self.components.are_joined(one, other))
                .map(move |other| (GroupId::from_index(one), GroupId::from_index(other)))
        })
    }
}
