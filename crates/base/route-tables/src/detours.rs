//! Paths to the edge of groups: what a path through a third group needs before the part from there
//! on.

use philae_units::{GroupId, SwitchId};

use crate::legs::{Climbs, Walk};
use crate::plan::RoutePlan;
use crate::tables::NO_COLUMN;

/// No path, or no proven one.
const UNKNOWN: u8 = u8::MAX;

/// How far paths climb, and how long they are, from every switch until they enter a group.
///
/// A group may be entered at any of its switches to which the tables lead. A group whose switches
/// all have entries of their own is left out, because nothing is proven of the group's entries.
#[derive(Clone, Debug)]
pub struct Detours {
    groups: usize,
    /// (S x G): leg of the last hop, counted from 0.
    climbs: Vec<u8>,
    /// (S x G): hops of the shortest path.
    hops: Vec<u8>,
    /// (G): the highest leg, counted from 0, of paths between two switches of a group.
    within: Vec<u8>,
}

impl Detours {
    /// The detours of a plan that [`verify`](crate::verify()) has found sound.
    #[must_use]
    pub fn of(plan: &RoutePlan) -> Self {
        let (wiring, tables) = (&plan.wiring, &plan.tables);
        let (switches, groups) = (wiring.switch_count(), wiring.group_count());
        let (mut climbs, mut hops) = (vec![UNKNOWN; switches * groups], vec![UNKNOWN; switches * groups]);
        let mut within = vec![UNKNOWN; groups];
        let mut walk = Walk::new(wiring, plan.channel_ranks());
        for group in (0..groups).map(GroupId::from_index) {
            let home = wiring.switches_of(group);
            let served = |switch: &u32| tables.own_entries_up_down(SwitchId(*switch)).is_none();
            let column = tables.column[group.index()];
            if column == NO_COLUMN || !home.clone().any(|switch| served(&switch)) {
                continue;
            }
            walk.begin();
            home.clone().for_each(|switch| walk.end(switch, Climbs::default()));
            let next = |switch: u32| tables.rows[switch as usize][tables.places + column as usize];
            for switch in (0..switches as u32).filter(|switch| !home.contains(switch) && next(*switch) != 0) {
                let Ok(walked) = walk.from(switch, next) else { continue };
                let cell = switch as usize * groups + group.index();
                (climbs[cell], hops[cell]) = (walked[0], walk.hops(switch));
            }
            if tables.places == 0 {
                continue;
            }
            let mut most = 0;
            for target in home.clone().filter(served) {
                walk.begin();
                walk.end(target, Climbs::default());
                let next = |switch: u32| tables.rows[switch as usize][(target - home.start) as usize];
                for switch in home.clone().filter(|switch| served(switch) && *switch != target) {
                    most = most.max(walk.from(switch, next).map_or(UNKNOWN, |walked| walked[0]));
                }
            }
            within[group.index()] = most;
        }
        Self { groups, climbs, hops, within }
    }

    /// The highest leg, counted from 0, in which paths from a switch enter a group.
    #[inline]
    #[must_use]
    pub fn climbs(&self, from: SwitchId, to: GroupId) -> Option<u8> {
        some(self.climbs[from.index() * self.groups + to.index()])
    }

    /// Hops of the shortest path from a switch into a group.
    #[inline]
    #[must_use]
    pub fn hops(&self, from: SwitchId, to: GroupId) -> Option<u8> {
        some(self.hops[from.index() * self.groups + to.index()])
    }

    /// The highest leg, counted from 0, in which paths between two switches of a group end. The
    /// group's entries must serve both switches.
    #[inline]
    #[must_use]
    pub fn within(&self, group: GroupId) -> Option<u8> {
        some(self.within[group.index()])
    }
}

const fn some(count: u8) -> Option<u8> {
    if count == UNKNOWN { None } else { Some(count) }
}
