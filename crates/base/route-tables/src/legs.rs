//! How far paths climb in the order of channels.
//!
//! A packet stays in its leg while it continues on channels of a higher place in the order, and
//! climbs into the next leg otherwise. Legs never fall, so that channels (leg, place) are taken in
//! ascending order. No cycle of waiting can form, as long as there are as many channel classes as a
//! path climbs through.

use std::sync::Arc;

use philae_units::{GroupId, SwitchId};

use crate::compute::Compute;
use crate::distance::Distances;
use crate::links::ports;
use crate::tables::{OwnEntries, Tables};
use crate::up_down;
use crate::wiring::FabricWiring;

/// The most places that channels of one leg may have: rows, columns and global links, or the levels
/// of a tree up and down.
const PLACES_MAX: usize = 7;

/// Climbs from a switch on, by the channel on which the packet came in: first none of this leg,
/// then a channel of each place.
pub type Climbs = [u8; PLACES_MAX + 1];

/// The path to a destination does not end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PathFault {
    /// A candidate leads back to a switch that the packet has visited.
    Loop(SwitchId),
    /// A candidate leads to a switch without an entry, or out by a port without a link.
    DeadEnd(SwitchId),
}

/// Ranks of the channels of a wiring in the order of channels, counted from 0.
#[derive(Clone, Debug)]
pub struct ChannelRanks {
    /// (S x radix): rank of the channel that leaves by each wired port.
    of: Vec<u8>,
    radix: usize,
}

impl ChannelRanks {
    pub fn of(wiring: &FabricWiring) -> Self {
        let radix = wiring.radix();
        let mut of = vec![u8::MAX; wiring.switch_count() * radix];
        let mut seen = std::collections::BTreeSet::new();
        for (one, other) in wiring.links() {
            for port in [one, other] {
                let (switch, number) = wiring.split(port);
                let rank = wiring.rank(switch.index(), u32::from(number.0));
                of[port.index()] = rank;
                seen.insert(rank);
            }
        }
        assert!(seen.len() <= PLACES_MAX, "a dragonfly has three places, a tree of three levels four");
        let ranks: Vec<u8> = seen.into_iter().collect();
        for place in &mut of {
            *place = ranks.iter().position(|rank| rank == place).map_or(u8::MAX, |place| place as u8);
        }
        Self { of, radix }
    }

    #[inline]
    fn rank(&self, switch: usize, port: u32) -> usize {
        self.of[switch * self.radix + port as usize] as usize
    }
}

/// Climbs towards one destination, computed backwards from it, each switch once.
pub struct Walk<'a> {
    wiring: &'a FabricWiring,
    ranks: &'a ChannelRanks,
    climbs: Vec<Climbs>,
    /// (S): hops of the shortest path.
    hops: Vec<u8>,
    state: Vec<VisitState>,
    stack: Vec<(u32, u64)>,
    touched: Vec<u32>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum VisitState {
    New,
    Open,
    Done,
}

impl<'a> Walk<'a> {
    pub fn new(wiring: &'a FabricWiring, ranks: &'a ChannelRanks) -> Self {
        let count = wiring.switch_count();
        Self {
            wiring,
            ranks,
            climbs: vec![[0; PLACES_MAX + 1]; count],
            hops: vec![0; count],
            state: vec![VisitState::New; count],
            stack: Vec::new(),
            touched: Vec::new(),
        }
    }

    /// Forgets the last destination.
    pub fn begin(&mut self) {
        for switch in self.touched.drain(..) {
            self.state[switch as usize] = VisitState::New;
        }
    }

    /// Sets where paths end, and how they continue from there.
    pub fn end(&mut self, switch: u32, climbs: Climbs) {
        self.climbs[switch as usize] = climbs;
        self.hops[switch as usize] = 0;
        self.state[switch as usize] = VisitState::Done;
        self.touched.push(switch);
    }

    /// Hops of the shortest path from a switch for which climbs are known.
    pub fn hops(&self, switch: u32) -> u8 {
        self.hops[switch as usize]
    }

    /// Climbs from a switch; `next` gives the candidates of a switch.
    pub fn from(&mut self, start: u32, next: impl Fn(u32) -> u64) -> Result<Climbs, PathFault> {
        if self.state[start as usize] == VisitState::Done {
            return Ok(self.climbs[start as usize]);
        }
        self.open(start, &next)?;
        while let Some(&mut (switch, ref mut left)) = self.stack.last_mut() {
            if *left == 0 {
                self.state[switch as usize] = VisitState::Done;
                self.stack.pop();
                self.close(switch, next(switch));
                continue;
            }
            let port = left.trailing_zeros();
            *left &= *left - 1;
            let neighbour = self.wiring.neighbour(switch as usize, port) as u32;
            match self.state[neighbour as usize] {
                VisitState::Done => {}
                VisitState::Open => {
                    self.stack.clear();
                    return Err(PathFault::Loop(SwitchId(neighbour)));
                }
                VisitState::New => self.open(neighbour, &next)?,
            }
        }
        Ok(self.climbs[start as usize])
    }

    fn open(&mut self, switch: u32, next: &impl Fn(u32) -> u64) -> Result<(), PathFault> {
        let mask = next(switch);
        let id = SwitchId(switch);
        let wired = self.wiring.local(id) | self.wiring.global(id);
        if mask == 0 || mask & !wired != 0 {
            self.stack.clear();
            return Err(PathFault::DeadEnd(id));
        }
        self.state[switch as usize] = VisitState::Open;
        self.touched.push(switch);
        self.stack.push((switch, mask));
        Ok(())
    }

    fn close(&mut self, switch: u32, mask: u64) {
        let mut most: Climbs = [0; PLACES_MAX + 1];
        let mut fewest = u8::MAX;
        for port in ports(mask) {
            let rank = self.ranks.rank(switch as usize, port);
            let neighbour = self.wiring.neighbour(switch as usize, port);
            let on = self.climbs[neighbour][rank + 1];
            fewest = fewest.min(self.hops[neighbour].saturating_add(1));
            for (came, most) in most.iter_mut().enumerate() {
                *most = (*most).max(on.saturating_add(u8::from(came > rank)));
            }
        }
        self.climbs[switch as usize] = most;
        self.hops[switch as usize] = fewest;
    }
}

/// Changes the paths to destinations for which they would climb through more than `legs` classes:
/// these paths go up and down a tree instead.
pub fn keep_within(compute: &Compute<'_>, tables: &mut Tables, legs: u8) {
    let wiring = compute.wiring;
    let ranks = ChannelRanks::of(wiring);
    let mut walk = Walk::new(wiring, &ranks);
    // The last class is kept for the paths up and down.
    let most = legs.saturating_sub(1).max(1);
    let mut too_far = Vec::new();
    for &group in &tables.groups {
        for target in wiring.switches_of(GroupId(group)) {
            walk.begin();
            walk.end(target, [0; PLACES_MAX + 1]);
            let next = |switch: u32| tables.toward(wiring, SwitchId(switch), SwitchId(target));
            let climbs = (0..wiring.switch_count() as u32)
                .filter(|&switch| switch != target && next(switch) != 0)
                .map(|switch| walk.from(switch, next).map_or(0, |climbs| climbs[0]))
                .max();
            if climbs.is_some_and(|climbs| climbs + 1 > most) {
                too_far.push(target);
            }
        }
    }
    if too_far.is_empty() {
        return;
    }
    let height = up_down::heights(wiring, compute.links);
    for target in too_far {
        let ports = up_down::column(wiring, compute.links, &height, target);
        tables.own_entries.insert(target, OwnEntries { ports, up_down: true });
    }
    // If a group's entries serve no switch any more, they would lead only to switches without a
    // working link, and would climb too often.
    for column in 0..tables.groups.len() {
        let served = |switch: u32| compute.links.of(SwitchId(switch)) != 0 && !tables.own_entries.contains_key(&switch);
        if !wiring.switches_of(GroupId(tables.groups[column])).any(served) {
            let word = tables.places + column;
            for row in tables.rows.iter_mut().filter(|row| row[word] != 0) {
                Arc::make_mut(row)[word] = 0;
            }
        }
    }
}

/// Upper bound of the classes that a path climbs through, found without a search of paths: the
/// number of its hops that may begin a leg.
pub fn most_possible(wiring: &FabricWiring, distances: &Distances, depths: &[u8]) -> u32 {
    let hops = u32::from(distances.most());
    if !wiring.is_grouped() {
        return hops;
    }
    let deepest = depths.iter().copied().max().unwrap_or(0);
    (hops + 1) * u32::from(deepest.max(1))
}
