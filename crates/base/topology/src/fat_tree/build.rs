//! Cabling a fat tree.
//!
//! Port numbers: a leaf has its endpoints first and its uplinks after them; a spine its leaves,
//! then its cores; a core its pods. Links of a pair have neighbouring numbers.

use super::{FatTree, FatTreeDescription, Place};
use crate::radix::Radix;
use crate::wiring::WiringBuilder;
use crate::{PortRole, TopologyError};

/// Sizes in numbers: a tree of two levels is one pod without cores.
#[derive(Clone, Copy)]
struct Sizes {
    leaves: u32,
    spines: u32,
    pods: u32,
    cores_per_plane: u32,
    leaf_links: u32,
    core_links: u32,
}

impl Sizes {
    const fn pod(self) -> u32 {
        self.leaves + self.spines
    }

    const fn cores(self) -> u32 {
        self.spines * self.cores_per_plane
    }
}

impl FatTreeDescription {
    /// The wiring, the first switch of each group (and the end of the last), and the structure for
    /// routing.
    pub(crate) fn build(&self, radix: usize) -> Result<(WiringBuilder, Vec<u32>, FatTree), TopologyError> {
        let sizes = self.sizes(radix)?;
        let switches = u64::from(sizes.pods) * u64::from(sizes.pod()) + u64::from(sizes.cores());
        let mut wiring = WiringBuilder::new(switches, radix)?;
        self.attach_nodes(sizes, &mut wiring)?;
        let down_ports = self.endpoints_per_leaf;
        let cable = wiring.cable(self.uplink.kind("uplink", 1, 1)?)?;
        let core_cable = match &self.core_link {
            Some(core_link) => wiring.cable(core_link.kind("core_link", 1, 1)?)?,
            None => cable,
        };

        let core_first = sizes.pods * sizes.pod();
        let mut group_first = (0..=sizes.pods).map(|pod| pod * sizes.pod()).collect::<Vec<_>>();
        if sizes.cores() > 0 {
            group_first.push(core_first + sizes.cores());
        }
        for pod in 0..sizes.pods {
            let first = pod * sizes.pod();
            for leaf in 0..sizes.leaves {
                for spine in 0..sizes.spines {
                    for link in 0..sizes.leaf_links {
                        let one = wiring.port_index(first + leaf, down_ports + spine * sizes.leaf_links + link);
                        let other = wiring.port_index(first + sizes.leaves + spine, leaf * sizes.leaf_links + link);
                        wiring.join(one, other, PortRole::Local, cable);
                    }
                }
            }
            for spine in 0..sizes.spines {
                for core in 0..sizes.cores_per_plane {
                    for link in 0..sizes.core_links {
                        let up = sizes.leaves * sizes.leaf_links + core * sizes.core_links + link;
                        let one = wiring.port_index(first + sizes.leaves + spine, up);
                        let switch = core_first + spine * sizes.cores_per_plane + core;
                        let other = wiring.port_index(switch, pod * sizes.core_links + link);
                        wiring.join(one, other, PortRole::Local, core_cable);
                    }
                }
            }
        }
        let shape = self.shape(sizes, &wiring);
        Ok((wiring, group_first, shape))
    }

    fn sizes(&self, radix: usize) -> Result<Sizes, TopologyError> {
        let cores = self.cores;
        let counts = [
            ("leaves", Some(self.leaves)),
            ("spines", Some(self.spines)),
            ("links_per_pair", Some(self.links_per_pair)),
            ("nics_per_node", Some(u32::from(self.nics_per_node))),
            ("cores.pods", cores.map(|cores| cores.pods)),
            ("cores.per_plane", cores.map(|cores| cores.per_plane)),
            ("cores.links_per_pair", cores.map(|cores| cores.links_per_pair)),
        ];
        if let Some((what, _)) = counts.into_iter().find(|(_, count)| *count == Some(0)) {
            return Err(TopologyError::Zero { what: what.to_owned() });
        }
        let wide = u64::from;
        let (per_plane, core_links) = cores.map_or((0, 0), |cores| (cores.per_plane, cores.links_per_pair));
        let levels = [
            (
                "leaf",
                wide(self.endpoints_per_leaf),
                wide(self.spines) * wide(self.links_per_pair),
                "endpoints per leaf",
            ),
            ("spine", wide(self.leaves) * wide(self.links_per_pair), wide(per_plane) * wide(core_links), "leaves"),
            ("core", cores.map_or(0, |cores| wide(cores.pods) * wide(core_links)), 0, "pods"),
        ];
        for (level, down, up, down_what) in levels {
            let needed = down.saturating_add(up);
            if needed > radix as u64 {
                return Err(TopologyError::FatTreePorts { level, needed, down, up, radix, down_what });
            }
        }
        if self.uplink.links_per_cable == 0 {
            return Err(TopologyError::LinksPerCable { role: "uplink" });
        }
        let core_link = self.core_link.as_ref().unwrap_or(&self.uplink);
        if core_link.links_per_cable == 0 {
            return Err(TopologyError::LinksPerCable { role: "core_link" });
        }
        let bundles = [
            (Some(self.links_per_pair), self.uplink.links_per_cable),
            (cores.map(|cores| cores.links_per_pair), core_link.links_per_cable),
        ];
        for (links, per_cable) in bundles.into_iter().filter_map(|(links, per_cable)| Some((links?, per_cable))) {
            if links % u32::from(per_cable) != 0 {
                return Err(TopologyError::FatTreeCables { links, per_cable });
            }
        }
        Ok(Sizes {
            leaves: self.leaves,
            spines: self.spines,
            pods: cores.map_or(1, |cores| cores.pods),
            cores_per_plane: per_plane,
            leaf_links: self.links_per_pair,
            core_links,
        })
    }

    fn attach_nodes(&self, sizes: Sizes, wiring: &mut WiringBuilder) -> Result<(), TopologyError> {
        let cable = wiring.cable(self.edge.kind("edge", 1, 1)?)?;
        let nics = u32::from(self.nics_per_node);
        if self.endpoints_per_leaf > 0 && nics > self.endpoints_per_leaf {
            return Err(TopologyError::NicSpread {
                kind: "leaf".to_owned(),
                nics: self.nics_per_node,
                spread: "on one switch",
                room: self.endpoints_per_leaf,
            });
        }
        let per_leaf = self.endpoints_per_leaf / nics;
        let places = u64::from(sizes.pods) * u64::from(sizes.leaves) * u64::from(per_leaf);
        let nodes = self.nodes.map_or(places, u64::from);
        if nodes > places {
            return Err(TopologyError::NodeCount {
                kind: "leaf".to_owned(),
                nodes: nodes as u32,
                groups: sizes.pods,
                places,
                nics: self.nics_per_node,
            });
        }
        for node in 0..nodes as u32 {
            let leaf = node / per_leaf;
            let switch = leaf / sizes.leaves * sizes.pod() + leaf % sizes.leaves;
            let first = node % per_leaf * nics;
            let at = (first..first + nics).map(|port| wiring.port_index(switch, port)).collect::<Vec<_>>();
            wiring.add_node(true, at, cable);
        }
        Ok(())
    }

    fn shape(&self, sizes: Sizes, wiring: &WiringBuilder) -> FatTree {
        let switches = (wiring.ports.len() / wiring.radix) as u32;
        let place = |switch: u32| {
            if switch >= sizes.pods * sizes.pod() {
                return Place { level: 2, leaf: 0, pod: sizes.pods as u16 };
            }
            let (pod, within) = ((switch / sizes.pod()) as u16, switch % sizes.pod());
            if within < sizes.leaves {
                // A spine has a port for each leaf, and no switch has more than 256.
                Place { level: 0, leaf: within as u8, pod }
            } else {
                Place { level: 1, leaf: 0, pod }
            }
        };
        FatTree {
            radix: Radix::new(wiring.radix as u32),
            places: (0..switches).map(place).collect(),
            levels: if sizes.cores() > 0 { 3 } else { 2 },
            up: [
                (self.endpoints_per_leaf, sizes.spines * sizes.leaf_links),
                (sizes.leaves * sizes.leaf_links, sizes.cores_per_plane * sizes.core_links),
                (0, 0),
            ],
            leaf_links: sizes.leaf_links,
            core_links: sizes.core_links,
            description: self.clone(),
        }
    }
}
