//! The table of shortest paths of a graph: the distance and the next hops of every pair of
//! switches.
//!
//! Few sets of next hops occur at one switch, because many destinations share theirs. Each set is
//! kept once, and a pair has its number.

use crate::csr::PortLists;
use crate::wiring::WiringBuilder;
use crate::{PortPeer, TopologyError};
use philae_units::PortIndex;
use std::collections::BTreeMap;

/// The most switches of a graph: more than the largest Slingshot dragonfly has (17,440). The table
/// takes three bytes a pair, here 1.2 GB, and the sets of next hops. Source: ours. Status: assumed.
pub(crate) const GRAPH_SWITCHES_MAX: u32 = 20_000;
const _: () = assert!(GRAPH_SWITCHES_MAX <= u16::MAX as u32, "a set of next hops has a number of 16 bits");

/// Distances are bytes, and one value means "not reached".
const HOPS_MAX: u8 = u8::MAX - 1;

/// Ports of a switch whose bits one byte of a set holds.
const BYTE: usize = 8;

/// The next hops and distances of all pairs of switches.
#[derive(Clone, Debug)]
pub(super) struct ShortestPaths {
    switches: usize,
    distance: Vec<u8>,
    /// The number of its set of next hops, among those of the switch `from`.
    set: Vec<u16>,
    /// The first set of each switch.
    first_set: Vec<u32>,
    sets: PortLists,
}

/// A port of a switch to another switch.
#[derive(Clone, Copy)]
struct Neighbour {
    port: PortIndex,
    peer: u32,
}

impl ShortestPaths {
    pub fn memory_bytes(&self) -> usize {
        self.distance.capacity()
            + self.set.capacity() * size_of::<u16>()
            + self.first_set.capacity() * size_of::<u32>()
            + self.sets.memory_bytes()
    }

    #[inline]
    pub fn next(&self, from: usize, to: usize) -> &[PortIndex] {
        let set = self.set[from * self.switches + to];
        self.sets.get(self.first_set[from] as usize + usize::from(set))
    }

    #[inline]
    pub fn distance(&self, from: usize, to: usize) -> u8 {
        self.distance[from * self.switches + to]
    }

    /// The table of a wiring, and the fabric of each switch.
    ///
    /// # Errors
    /// [`TopologyError::Unconnected`], [`TopologyError::Fabrics`]: not in `fabrics` parts;
    /// [`TopologyError::GraphDistance`], [`TopologyError::GraphSets`]: too far, too irregular.
    pub fn of(wiring: &WiringBuilder, switches: u32, fabrics: u32) -> Result<(Self, Vec<u16>), TopologyError> {
        let count = switches as usize;
        let neighbours: Vec<Vec<Neighbour>> = (0..count).map(|switch| neighbours(wiring, switch)).collect();
        let fabric = parts(&neighbours, fabrics)?;
        let distance = distances(&neighbours)?;
        let mut paths = Self {
            switches: count,
            set: vec![0; count * count],
            first_set: Vec::with_capacity(count),
            sets: PortLists::with_capacity(count, count),
            distance,
        };
        let mut rows = SetRows::default();
        for (from, near) in neighbours.iter().enumerate() {
            paths.add_switch(from, near, &mut rows)?;
        }
        paths.sets.shrink();
        Ok((paths, fabric))
    }

    /// Finds the next hops of one switch to all others.
    fn add_switch(&mut self, from: usize, near: &[Neighbour], rows: &mut SetRows) -> Result<(), TopologyError> {
        let count = self.switches;
        rows.fill(&self.distance, count, from, near);
        let first = self.sets.len();
        self.first_set.push(first as u32);
        let of_switch = &mut self.set[from * count..(from + 1) * count];
        rows.known.clear();
        let mut last: Option<(usize, u16)> = None;
        for (to, set) in of_switch.iter_mut().enumerate() {
            // Neighbouring destinations often share their next hops.
            let same = last.filter(|(before, _)| rows.are_same(*before, to));
            let number = if let Some((_, number)) = same {
                number
            } else {
                let ports = rows.ports(to);
                if let Some(&known) = rows.known.get(&ports) {
                    known
                } else {
                    let number = rows.known.len() as u16;
                    let hops = ports.iter().map(|&at| near[usize::from(at)].port);
                    if !self.sets.try_push(hops) {
                        return Err(TopologyError::GraphSets);
                    }
                    rows.known.insert(ports, number);
                    number
                }
            };
            *set = number;
            last = Some((to, number));
        }
        Ok(())
    }
}

/// The next hops from one switch: for each neighbour and each destination a bit.
#[derive(Default)]
struct SetRows {
    /// Bits of eight neighbours of a destination, by `neighbour / 8 * switches + destination`.
    bits: Vec<u8>,
    switches: usize,
    /// The numbers of the sets of this switch.
    known: BTreeMap<Vec<u8>, u16>,
}

impl SetRows {
    /// A neighbour is a next hop if it is one hop nearer.
    fn fill(&mut self, distance: &[u8], switches: usize, from: usize, near: &[Neighbour]) {
        let row = |switch: usize| &distance[switch * switches..(switch + 1) * switches];
        self.switches = switches;
        self.bits.clear();
        self.bits.resize(near.len().div_ceil(BYTE) * switches, 0);
        let own = row(from);
        for (at, neighbour) in near.iter().enumerate() {
            let first = at / BYTE * switches;
            let bit = 1_u8 << (at % BYTE);
            let (bits, theirs) = (&mut self.bits[first..first + switches], row(neighbour.peer as usize));
            for ((bits, &theirs), &own) in bits.iter_mut().zip(theirs).zip(own) {
                // What is not reached has the largest distance, whose successor is 0.
                let is_nearer = theirs.wrapping_add(1) == own && own != 0;
                *bits |= if is_nearer { bit } else { 0 };
            }
        }
    }

    fn are_same(&self, one: usize, other: usize) -> bool {
        self.bits.chunks_exact(self.switches).all(|bits| bits[one] == bits[other])
    }

    /// The neighbours that are next hops to this destination, in order.
    fn ports(&self, to: usize) -> Vec<u8> {
        let mut ports = Vec::new();
        for (byte, bits) in self.bits.chunks_exact(self.switches).enumerate() {
            let mut rest = bits[to];
            while rest != 0 {
                ports.push((byte * BYTE) as u8 + rest.trailing_zeros() as u8);
                rest &= rest - 1;
            }
        }
        ports
    }
}

/// The switches at the other ends of the ports of a switch, in order of the ports.
fn neighbours(wiring: &WiringBuilder, switch: usize) -> Vec<Neighbour> {
    let radix = wiring.radix;
    let ports = wiring.ports[switch * radix..(switch + 1) * radix].iter().enumerate();
    let to_switch = ports.filter_map(|(port, found)| match found.peer {
        PortPeer::Port(other) => {
            Some(Neighbour { port: PortIndex((switch * radix + port) as u32), peer: (other.index() / radix) as u32 })
        }
        PortPeer::None | PortPeer::Endpoint(_) => None,
    });
    to_switch.collect()
}

/// The part of each switch, checked against the number of parts that the file asks for.
fn parts(neighbours: &[Vec<Neighbour>], asked: u32) -> Result<Vec<u16>, TopologyError> {
    let count = neighbours.len();
    let mut part = vec![u16::MAX; count];
    let mut found = 0_u32;
    let mut waiting = Vec::new();
    for from in 0..count {
        if part[from] != u16::MAX {
            continue;
        }
        let (number, mut size) = (u16::try_from(found).unwrap_or(u16::MAX - 1), 0);
        part[from] = number;
        waiting.push(from);
        while let Some(at) = waiting.pop() {
            size += 1;
            for peer in neighbours[at].iter().map(|neighbour| neighbour.peer as usize) {
                if part[peer] == u16::MAX {
                    part[peer] = number;
                    waiting.push(peer);
                }
            }
        }
        found += 1;
        if let (true, Some(unreached)) = (asked <= 1 && from == 0, part.iter().position(|part| *part == u16::MAX)) {
            let (reached, unreached) = (from as u32, unreached as u32);
            return Err(TopologyError::Unconnected { reached, unreached, count: size, switches: count });
        }
    }
    if found == asked { Ok(part) } else { Err(TopologyError::Fabrics { asked, found }) }
}

/// The distance of each pair: a breadth-first search from 64 switches at the same time, with a bit
/// for each.
fn distances(neighbours: &[Vec<Neighbour>]) -> Result<Vec<u8>, TopologyError> {
    let count = neighbours.len();
    let mut distance = vec![u8::MAX; count * count];
    let (mut reached, mut fresh, mut next) = (vec![0_u64; count], vec![0_u64; count], vec![0_u64; count]);
    for first in (0..count).step_by(64) {
        reached.fill(0);
        fresh.fill(0);
        for (bit, from) in (first..count.min(first + 64)).enumerate() {
            reached[from] |= 1 << bit;
            fresh[from] |= 1 << bit;
            distance[from * count + from] = 0;
        }
        let mut hops = 0_u8;
        loop {
            let mut are_left = false;
            for (switch, near) in neighbours.iter().enumerate() {
                let from_near = near.iter().fold(0, |all, neighbour| all | fresh[neighbour.peer as usize]);
                let arrived = from_near & !reached[switch];
                next[switch] = arrived;
                let mut rest = arrived;
                while rest != 0 {
                    let from = first + rest.trailing_zeros() as usize;
                    if hops == HOPS_MAX {
                        let (from, to) = (from as u32, switch as u32);
                        return Err(TopologyError::GraphDistance { from, to, most: HOPS_MAX });
                    }
                    // A link has both directions, so that distances are the same in both.
                    distance[switch * count + from] = hops + 1;
                    rest &= rest - 1;
                }
                are_left |= arrived != 0;
            }
            if !are_left {
                break;
            }
            reached.iter_mut().zip(&next).for_each(|(reached, next)| *reached |= next);
            std::mem::swap(&mut fresh, &mut next);
            hops += 1;
        }
    }
    Ok(distance)
}
