//! Computes the candidate ports of every switch, from the wiring, the live links and the distances
//! between components.
//!
//! The measure of a path is: global hops first, then local hops up to the switch where it leaves
//! the component. Every candidate brings a packet nearer by that measure, so that no loop can
//! exist.

use philae_units::{GroupId, SwitchId};

use crate::distance::{Components, Distances, UNREACHED};
use crate::links::{LiveLinks, ports};
use crate::tables::{NO_COLUMN, OwnEntries, Tables};
use crate::wiring::FabricWiring;

/// Inputs of the computation.
#[derive(Clone, Copy)]
pub struct Compute<'a> {
    pub wiring: &'a FabricWiring,
    pub links: &'a LiveLinks,
    pub components: &'a Components,
    pub distances: &'a Distances,
}

impl Compute<'_> {
    /// All tables.
    pub fn all(&self) -> Tables {
        let wiring = self.wiring;
        let mut tables = Tables::shaped(wiring);
        let width = tables.width();
        let mut block = vec![0; wiring.group_size_max() * width];
        tables.rows.reserve(wiring.switch_count());
        for group in (0..wiring.group_count()).map(GroupId::from_index) {
            let switches = wiring.switches_of(group);
            let rows = &mut block[..switches.len() * width];
            rows.fill(0);
            self.group(&tables, group, rows);
            tables.rows.extend(rows.chunks_exact(width).map(Into::into));
        }
        for part in self.components.extra() {
            for &target in part {
                tables.own_entries.insert(target, OwnEntries { ports: self.own_entries(target), up_down: false });
            }
        }
        tables
    }

    /// Fills the rows of one group's switches, which are empty before.
    pub fn group(&self, tables: &Tables, group: GroupId, rows: &mut [u64]) {
        let (wiring, width) = (self.wiring, tables.width());
        let switches = wiring.switches_of(group);
        let first = switches.start;
        self.within(group, |switch, place, mask| rows[(switch - first) as usize * width + place as usize] = mask);
        self.neighbours(tables, group, rows);
        // The rest, which links of the own group do not determine: distant components, and groups
        // that have come apart or lost links.
        for (column, &target) in tables.groups.iter().enumerate() {
            let entry = |switch: u32| (switch - first) as usize * width + tables.places + column;
            let hops = self.distances.to(target as usize);
            let open = |&switch: &u32| {
                let component = self.components.component(switch as usize);
                rows[entry(switch)] == 0 && target != group.0 && hops[component] != UNREACHED
            };
            if switches.clone().any(|switch| open(&switch)) {
                self.entries_towards(group, target as usize, |switch, mask| rows[entry(switch)] = mask);
            }
        }
        if tables.column[group.index()] == NO_COLUMN {
            return;
        }
        // A switch that lost the rest of its group reaches it from outside.
        for switch in switches.clone().filter(|&switch| self.components.component(switch as usize) != group.index()) {
            let away = self.entry_towards(switch, group.index());
            let there = |&target: &u32| {
                self.components.component(target as usize) == group.index() && self.links.of(SwitchId(target)) != 0
            };
            for target in switches.clone().filter(there) {
                rows[(switch - first) as usize * width + (target - first) as usize] = away;
            }
        }
    }

    /// Entries towards groups that a switch, or a neighbour of it in the group, is joined to:
    /// nearly all entries of a dragonfly.
    fn neighbours(&self, tables: &Tables, group: GroupId, rows: &mut [u64]) {
        let (wiring, width) = (self.wiring, tables.width());
        let switches = wiring.switches_of(group);
        let first = switches.start;
        let words = tables.groups.len().div_ceil(64);
        let mut own = vec![0_u64; switches.len() * words];
        for switch in switches.clone() {
            let place = (switch - first) as usize;
            for port in ports(self.links.global(wiring, switch as usize)) {
                let component = self.components.component(wiring.neighbour(switch as usize, port));
                let Some(&column) = tables.column.get(component).filter(|&&column| column != NO_COLUMN) else {
                    continue;
                };
                rows[place * width + tables.places + column as usize] |= 1 << port;
                own[place * words + column as usize / 64] |= 1 << (column % 64);
            }
        }
        for switch in switches {
            let place = (switch - first) as usize;
            for port in ports(self.links.local(wiring, switch as usize)) {
                let neighbour = wiring.neighbour(switch as usize, port) - first as usize;
                for word in 0..words {
                    for bit in ports(own[neighbour * words + word] & !own[place * words + word]) {
                        rows[place * width + tables.places + word * 64 + bit as usize] |= 1 << port;
                    }
                }
            }
        }
    }

    /// Entries between the switches of one component of one group: `entry(switch, place of the
    /// target, mask)`.
    pub fn within(&self, group: GroupId, mut entry: impl FnMut(u32, u32, u64)) {
        let (wiring, links) = (self.wiring, self.links);
        let switches = wiring.switches_of(group);
        if switches.len() == 1 {
            return;
        }
        let first = switches.start;
        let mut depth = vec![UNREACHED; switches.len()];
        let mut queue = Vec::with_capacity(switches.len());
        for target in switches.clone().filter(|&target| self.components.component(target as usize) == group.index()) {
            self.depths(first, &[target], &mut depth, &mut queue);
            for switch in switches.clone().filter(|&switch| switch != target) {
                let here = depth[(switch - first) as usize];
                if here == UNREACHED {
                    continue;
                }
                let nearer = |port: &u32| depth[wiring.neighbour(switch as usize, *port) - first as usize] + 1 == here;
                let local = links.local(wiring, switch as usize);
                entry(switch, target - first, ports(local).filter(nearer).fold(0, |mask, port| mask | 1 << port));
            }
        }
    }

    /// An upper bound of local hops between any two switches of one component of a group.
    pub fn depth(&self, group: GroupId) -> u8 {
        let switches = self.wiring.switches_of(group);
        let first = switches.start;
        let meshed = switches.clone().all(|switch| {
            let mut seen = vec![false; switches.len()];
            seen[(switch - first) as usize] = true;
            for port in ports(self.links.local(self.wiring, switch as usize)) {
                seen[self.wiring.neighbour(switch as usize, port) - first as usize] = true;
            }
            seen.into_iter().all(|seen| seen)
        });
        if meshed {
            return 1;
        }
        let (mut depth, mut queue) = (vec![UNREACHED; switches.len()], Vec::new());
        let mut deepest = 0;
        for start in switches {
            self.depths(first, &[start], &mut depth, &mut queue);
            deepest = depth.iter().copied().filter(|&depth| depth != UNREACHED).fold(deepest, u8::max);
        }
        deepest
    }

    /// Local hops from each switch of a group to the nearest of `starts`.
    fn depths(&self, first: u32, starts: &[u32], depth: &mut [u8], queue: &mut Vec<u32>) {
        depth.fill(UNREACHED);
        queue.clear();
        for &start in starts {
            depth[(start - first) as usize] = 0;
            queue.push(start);
        }
        let mut next = 0;
        while next < queue.len() {
            let switch = queue[next] as usize;
            next += 1;
            let hops = depth[switch - first as usize] + 1;
            for port in ports(self.links.local(self.wiring, switch)) {
                let neighbour = self.wiring.neighbour(switch, port);
                let depth = &mut depth[neighbour - first as usize];
                if *depth == UNREACHED {
                    *depth = hops;
                    queue.push(neighbour as u32);
                }
            }
        }
    }

    /// Global ports of a switch that bring a packet nearer to a component.
    fn own(&self, switch: u32, hops: &[u8]) -> u64 {
        let here = hops[self.components.component(switch as usize)];
        if here == UNREACHED || here == 0 {
            return 0;
        }
        let nearer =
            |port: &u32| hops[self.components.component(self.wiring.neighbour(switch as usize, *port))] + 1 == here;
        ports(self.links.global(self.wiring, switch as usize)).filter(nearer).fold(0, |mask, port| mask | 1 << port)
    }

    /// Entries of all switches of a group, in any component, towards another component:
    /// `entry(switch, mask)`.
    pub fn entries_towards(&self, group: GroupId, target: usize, mut entry: impl FnMut(u32, u64)) {
        let switches = self.wiring.switches_of(group);
        let first = switches.start;
        let hops = self.distances.to(target);
        if switches.len() == 1 {
            if hops[self.components.component(first as usize)] != 0 {
                entry(first, self.own(first, hops));
            }
            return;
        }
        let own: Vec<u64> = switches.clone().map(|switch| self.own(switch, hops)).collect();
        let gates: Vec<u32> = switches.clone().filter(|&switch| own[(switch - first) as usize] != 0).collect();
        let mut depth = vec![UNREACHED; switches.len()];
        self.depths(first, &gates, &mut depth, &mut Vec::new());
        for switch in switches {
            let place = (switch - first) as usize;
            if hops[self.components.component(switch as usize)] == 0 {
                continue;
            }
            let nearer = |port: &u32| {
                let neighbour_depth = depth[self.wiring.neighbour(switch as usize, *port) - first as usize];
                neighbour_depth != UNREACHED && neighbour_depth + 1 == depth[place]
            };
            let mask = if own[place] != 0 {
                own[place]
            } else {
                let local = self.links.local(self.wiring, switch as usize);
                ports(local).filter(nearer).fold(0, |mask, port| mask | 1 << port)
            };
            entry(switch, mask);
        }
    }

    /// The entry of one switch towards another component.
    fn entry_towards(&self, switch: u32, target: usize) -> u64 {
        let mut mask_of_switch = 0;
        self.entries_towards(self.wiring.group_of(SwitchId(switch)), target, |other, mask| {
            if other == switch {
                mask_of_switch = mask;
            }
        });
        mask_of_switch
    }

    /// Entries of all switches towards one that is apart from its group.
    fn own_entries(&self, target: u32) -> Vec<u64> {
        let wiring = self.wiring;
        let mut column = vec![0; wiring.switch_count()];
        let component = self.components.component(target as usize);
        for group in (0..wiring.group_count()).map(GroupId::from_index) {
            self.entries_towards(group, component, |switch, mask| column[switch as usize] = mask);
        }
        let home = wiring.switches_of(wiring.group_of(SwitchId(target)));
        let mut depth = vec![UNREACHED; home.len()];
        self.depths(home.start, &[target], &mut depth, &mut Vec::new());
        for switch in home.clone().filter(|&switch| self.components.component(switch as usize) == component) {
            let place = (switch - home.start) as usize;
            let nearer = |port: &u32| {
                let neighbour_depth = depth[wiring.neighbour(switch as usize, *port) - home.start as usize];
                neighbour_depth != UNREACHED && neighbour_depth + 1 == depth[place]
            };
            column[switch as usize] =
                ports(self.links.local(wiring, switch as usize)).filter(nearer).fold(0, |mask, port| mask | 1 << port);
        }
        column[target as usize] = 0;
        column
    }
}
