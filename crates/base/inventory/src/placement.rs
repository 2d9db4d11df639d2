//! Placement in cabinets, chassis and slots: names for the switches and nodes of a system of which
//! only the wiring is known.
//!
//! The floor plan of a system is rarely published, so everything here is assumed, following
//! published names: x1001c6r3 and x9000c1r3 are switch blades, x1000c7s7b1n1 is a node of a
//! liquid-cooled cabinet, x3000c0r41 a rack switch. A template has the real names if they are
//! known.

use crate::xname::{Xname, XnameError, XnameKind};
use philae_topology::{Topology, TopologyShape};
use philae_units::{EndpointId, GroupId, NodeId, SwitchId};
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// The type of cabinet for switches and nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Cabinets {
    /// Liquid-cooled: 8 chassis of 8 switch slots and 8 blades. A group has its own cabinets, as
    /// many as its switches need, and its nodes are distributed evenly over their chassis and
    /// blades. Up to four switches of a chassis take the odd slots.
    Liquid,
    /// Racks: 16 switches in every other unit, each group in its own racks; then racks of 40 units
    /// of nodes.
    Rack,
}

/// The rules that place a system.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Placement {
    /// The type of cabinet.
    pub cabinets: Cabinets,
    /// The number of the first cabinet.
    pub first_cabinet: u16,
    /// The model of all switches, which determines the table of jacks.
    pub model: String,
}

/// Why a system cannot be placed.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum FloorPlanError {
    /// The cabinet number exceeds four digits.
    #[error("{what} would be in cabinet {cabinet}; cabinets up to 9999 have names: a lower first_cabinet would work")]
    Cabinets {
        /// A switch or a node.
        what: String,
        /// Its cabinet number.
        cabinet: u64,
    },
    /// A number is out of the range of an xname.
    #[error(transparent)]
    Xname(#[from] XnameError),
}

const CHASSIS: u32 = 8;
const SLOTS: u32 = 8;
const SWITCHES_PER_RACK: u32 = 16;
const UNITS_PER_RACK: u32 = 40;
/// Above this number of nodes, four share a unit.
const SPARSE_NODES_MAX: u32 = 40 * 2_000;

impl Placement {
    /// A dragonfly in liquid-cooled cabinets from x1000, any other system in racks from x3000.
    /// Switches of 64 ports get the model of that type of cabinet, others the generic one.
    #[must_use]
    pub fn usual(topology: &Topology) -> Self {
        let cabinets = match topology.shape() {
            TopologyShape::Dragonfly(_) => Cabinets::Liquid,
            TopologyShape::FatTree(_) | TopologyShape::Graph(_) => Cabinets::Rack,
        };
        Self::of(cabinets, topology.radix())
    }

    /// Cabinets of this type, with their usual numbers and model.
    #[must_use]
    pub fn of(cabinets: Cabinets, radix: usize) -> Self {
        let (first_cabinet, model) = match cabinets {
            Cabinets::Liquid => (1_000, "colorado"),
            Cabinets::Rack => (3_000, "columbia"),
        };
        let model = if radix == 64 { model } else { "generic" };
        Self { cabinets, first_cabinet, model: model.to_owned() }
    }

    /// Names of all switches and of all nodes, in order of their ids.
    pub(crate) fn place(&self, topology: &Topology) -> Result<(Vec<Xname>, Vec<Xname>), FloorPlanError> {
        let groups: Vec<u32> = (0..topology.group_count())
            .map(|group| topology.switches_of(GroupId::from_index(group)).len() as u32)
            .collect();
        let group_of_node = |node: usize| {
            let nics = topology.endpoints_of(NodeId::from_index(node));
            let switch =
                if nics.is_empty() { SwitchId(0) } else { topology.switch_of_endpoint(EndpointId(nics.start)) };
            topology.group_of(switch).0
        };
        let nodes: Vec<u32> = (0..topology.node_count()).map(group_of_node).collect();
        self.place_groups(&groups, &nodes)
    }

    /// `groups`: switches of each group; `nodes`: the group of each node.
    pub(crate) fn place_groups(
        &self,
        groups: &[u32],
        nodes: &[u32],
    ) -> Result<(Vec<Xname>, Vec<Xname>), FloorPlanError> {
        let per_cabinet = match self.cabinets {
            Cabinets::Liquid => CHASSIS * SLOTS,
            Cabinets::Rack => SWITCHES_PER_RACK,
        };
        let mut first = vec![u64::from(self.first_cabinet)];
        for switches in groups {
            let last = first[first.len() - 1];
            first.push(last + u64::from(switches.div_ceil(per_cabinet)).max(1));
        }
        let mut switches = Vec::with_capacity(groups.iter().sum::<u32>() as usize);
        for (group, &count) in groups.iter().enumerate() {
            for number in 0..count {
                let place = match self.cabinets {
                    Cabinets::Liquid => liquid_switch(number, count),
                    Cabinets::Rack => (number / SWITCHES_PER_RACK, 0, 1 + 2 * (number % SWITCHES_PER_RACK)),
                };
                let (cabinet, chassis, slot) = (first[group] + u64::from(place.0), place.1, place.2);
                let cabinet = numbered(cabinet, || format!("switch {number} of group {group}"))?;
                switches.push(Xname::new(XnameKind::SwitchModule, &[cabinet, chassis as u16, slot as u16])?);
            }
        }
        let nodes = match self.cabinets {
            Cabinets::Liquid => liquid_nodes(groups, &first, nodes)?,
            Cabinets::Rack => rack_nodes(first[groups.len()], nodes.len() as u32)?,
        };
        Ok((switches, nodes))
    }
}

fn numbered(cabinet: u64, what: impl FnOnce() -> String) -> Result<u16, FloorPlanError> {
    u16::try_from(cabinet)
        .ok()
        .filter(|cabinet| *cabinet <= 9_999)
        .ok_or_else(|| FloorPlanError::Cabinets { what: what(), cabinet })
}

/// Cabinet within the group, chassis and slot of a switch of a group of `count`.
fn liquid_switch(number: u32, count: u32) -> (u32, u32, u32) {
    let cabinets = count.div_ceil(CHASSIS * SLOTS);
    let per_chassis = count.div_ceil(CHASSIS * cabinets);
    let (chassis, slot) = (number / per_chassis, number % per_chassis);
    let slot = if per_chassis <= SLOTS / 2 { 2 * slot + 1 } else { slot };
    (chassis / CHASSIS, chassis % CHASSIS, slot)
}

fn liquid_nodes(groups: &[u32], first: &[u64], group_of: &[u32]) -> Result<Vec<Xname>, FloorPlanError> {
    let mut count = vec![0_u32; groups.len()];
    group_of.iter().for_each(|&group| count[group as usize] += 1);
    let mut placed = vec![0_u32; groups.len()];
    let mut names = Vec::with_capacity(group_of.len());
    for &group in group_of {
        let group = group as usize;
        let number = placed[group];
        placed[group] += 1;
        let cabinets = (first[group + 1] - first[group]) as u32;
        let per_chassis = count[group].div_ceil(CHASSIS * cabinets);
        let per_blade = per_chassis.div_ceil(SLOTS);
        let (chassis, in_chassis) = (number / per_chassis, number % per_chassis);
        let (blade, in_blade) = (in_chassis / per_blade, in_chassis % per_blade);
        // A blade with two nodes or more has two controllers.
        let per_bmc = per_blade.div_ceil(2);
        let (bmc, node) = (in_blade / per_bmc, in_blade % per_bmc);
        let cabinet =
            numbered(first[group] + u64::from(chassis / CHASSIS), || format!("node {number} of group {group}"))?;
        let numbers = [cabinet, (chassis % CHASSIS) as u16, blade as u16, bmc as u16, node as u16];
        names.push(Xname::new(XnameKind::Node, &numbers)?);
    }
    Ok(names)
}

fn rack_nodes(first: u64, count: u32) -> Result<Vec<Xname>, FloorPlanError> {
    let per_unit = if count <= SPARSE_NODES_MAX { 1 } else { 4 };
    (0..count)
        .map(|node| {
            let (unit, in_unit) = (node / per_unit, node % per_unit);
            let cabinet = numbered(first + u64::from(unit / UNITS_PER_RACK), || format!("node {node}"))?;
            let bmc = if per_unit == 1 { 0 } else { in_unit + 1 };
            let numbers = [cabinet, 0, (1 + unit % UNITS_PER_RACK) as u16, bmc as u16, 0];
            Ok(Xname::new(XnameKind::Node, &numbers)?)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_group_of_frontier_is_a_cabinet() {
        let placement = Placement::of(Cabinets::Liquid, 64);
        let nodes: Vec<u32> = (0..256).map(|node| node / 128).collect();
        let (switches, nodes) = placement.place_groups(&[32, 32], &nodes).expect("room");
        let switches: Vec<String> = switches.iter().map(Xname::to_string).collect();
        assert_eq!(switches[..5], ["x1000c0r1", "x1000c0r3", "x1000c0r5", "x1000c0r7", "x1000c1r1"]);
        assert_eq!(switches[63], "x1001c7r7");
        let nodes: Vec<String> = nodes.iter().map(Xname::to_string).collect();
        assert_eq!(nodes[..3], ["x1000c0s0b0n0", "x1000c0s0b1n0", "x1000c0s1b0n0"]);
        assert_eq!(nodes[255], "x1001c7s7b1n0");
    }

    #[test]
    fn racks_have_room_and_names_end_at_9999() {
        let placement = Placement::of(Cabinets::Rack, 64);
        let (switches, nodes) = placement.place_groups(&[17], &[0; 41]).expect("room");
        assert_eq!(switches[16].to_string(), "x3001c0r1");
        assert_eq!(nodes[0].to_string(), "x3002c0s1b0n0");
        assert_eq!(nodes[40].to_string(), "x3003c0s1b0n0");
        let error = placement.place_groups(&[1; 7_001], &[]).expect_err("no room").to_string();
        assert_eq!(
            error,
            "switch 0 of group 7000 would be in cabinet 10000; cabinets up to 9999 have names: a lower first_cabinet would work"
        );
    }

    #[test]
    fn no_two_things_share_a_place_whatever_the_sizes() {
        for cabinets in [Cabinets::Liquid, Cabinets::Rack] {
            for size in [1, 7, 8, 31, 32, 33, 64, 65, 200] {
                let nodes: Vec<u32> = (0..size * 9).map(|node| node % 3).collect();
                let (mut switches, mut nodes) =
                    Placement::of(cabinets, 64).place_groups(&[size, 1, size], &nodes).expect("room");
                let counts = (switches.len(), nodes.len());
                switches.sort();
                switches.dedup();
                nodes.sort();
                nodes.dedup();
                assert_eq!((switches.len(), nodes.len()), counts);
            }
        }
    }
}
