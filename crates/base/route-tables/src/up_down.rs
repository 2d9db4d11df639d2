//! Paths up and down a tree of all switches: for destinations to which other paths would climb too
//! often.
//!
//! Every link has an upper end, the one nearer to the root. A path goes up links, then down links,
//! and never up again. So no cycle of channels can form, whatever is left of the wiring, in one
//! class of channels.
//!
//! Source: up*/down* routing, Schroeder et al., "Autonet", 1991.

use std::collections::VecDeque;

use philae_units::SwitchId;

use crate::links::{LiveLinks, ports};
use crate::wiring::FabricWiring;

/// (S): place of each switch in the order from the root. Every link leads up towards the lower
/// place.
pub fn heights(wiring: &FabricWiring, links: &LiveLinks) -> Vec<u32> {
    let count = wiring.switch_count();
    let mut height = vec![u32::MAX; count];
    let mut roots: Vec<usize> = (0..count).collect();
    roots.sort_by_key(|&switch| (64 - links.of(SwitchId(switch as u32)).count_ones(), switch));
    let mut next = 0;
    for root in roots {
        if height[root] != u32::MAX {
            continue;
        }
        height[root] = next;
        next += 1;
        let mut queue = VecDeque::from([root]);
        while let Some(switch) = queue.pop_front() {
            for port in ports(links.of(SwitchId(switch as u32))) {
                let neighbour = wiring.neighbour(switch, port);
                if height[neighbour] == u32::MAX {
                    height[neighbour] = next;
                    next += 1;
                    queue.push_back(neighbour);
                }
            }
        }
    }
    height
}

/// Entries of all switches towards one, by paths up and down.
pub fn column(wiring: &FabricWiring, links: &LiveLinks, height: &[u32], target: u32) -> Vec<u64> {
    let count = wiring.switch_count();
    let mut down = vec![u32::MAX; count];
    down[target as usize] = 0;
    let mut queue = VecDeque::from([target as usize]);
    while let Some(switch) = queue.pop_front() {
        for port in ports(links.of(SwitchId(switch as u32))) {
            let neighbour = wiring.neighbour(switch, port);
            if height[neighbour] < height[switch] && down[neighbour] == u32::MAX {
                down[neighbour] = down[switch] + 1;
                queue.push_back(neighbour);
            }
        }
    }
    let mut order: Vec<usize> = (0..count).collect();
    order.sort_by_key(|&switch| height[switch]);
    let mut cost = down.clone();
    let mut column = vec![0; count];
    for switch in order.into_iter().filter(|&switch| switch != target as usize) {
        let live = links.of(SwitchId(switch as u32));
        if down[switch] != u32::MAX {
            let nearer = |port: &u32| {
                let neighbour = wiring.neighbour(switch, *port);
                height[neighbour] > height[switch] && down[neighbour] != u32::MAX && down[neighbour] + 1 == down[switch]
            };
            column[switch] = mask(ports(live).filter(nearer));
            continue;
        }
        let above = |port: &u32| height[wiring.neighbour(switch, *port)] < height[switch];
        let best = ports(live).filter(above).map(|port| cost[wiring.neighbour(switch, port)]).min().unwrap_or(u32::MAX);
        if best != u32::MAX {
            cost[switch] = best + 1;
            column[switch] =
                mask(ports(live).filter(above).filter(|&port| cost[wiring.neighbour(switch, port)] == best));
        }
    }
    column
}

fn mask(ports: impl Iterator<Item = u32>) -> u64 {
    ports.fold(0, |mask, port| mask | 1 << port)
}
