//! Cabling a dragonfly: every port number follows from a formula, so both ends of a link are known
//! without a search.

use super::description::{DragonflyDescription, GlobalWiring, GroupKind, PortRanges, Purpose};
use super::group::{Grid, nic_place, nodes_per_group};
use super::{Dragonfly, LocalRuns};
use crate::radix::Radix;
use crate::wiring::{PORTS_MAX, WiringBuilder};
use crate::{CableDescription, CableKindId, PortRole, TopologyError};

/// Sizes of the groups, one entry a group.
pub(super) struct Plan {
    pub kind: Vec<usize>,
    /// First switch of each group, and the end of the last.
    pub first: Vec<u32>,
    grids: Vec<Grid>,
    /// By `kind * kinds + kind`.
    pub links: Vec<u32>,
}

/// First number of each role's ports on the switches of one kind of group.
#[derive(Clone, Copy)]
pub(super) struct FirstPorts {
    edge: u32,
    local: u32,
    pub global: u32,
    /// Global ports that each switch needs.
    pub globals: u32,
    /// Global ports that each switch has room for.
    pub room: u32,
}

impl DragonflyDescription {
    /// The wiring, the first switch of each group (and the end of the last), and the structure for
    /// routing.
    pub(crate) fn build(&self, radix: usize) -> Result<(WiringBuilder, Vec<u32>, Dragonfly), TopologyError> {
        let plan = self.plan(radix)?;
        let switches = plan.first.last().copied().unwrap_or(0);
        let firsts = self.first_ports(&plan, radix)?;
        let mut wiring = WiringBuilder::new(u64::from(switches), radix)?;
        let groups = plan.kind.len();
        self.attach_nodes(&plan, &firsts, &mut wiring)?;
        let (local, local_base) = self.join_local(&plan, &firsts, &mut wiring)?;
        let gateways = self.join_groups(&plan, &firsts, &mut wiring)?;

        let mut pairs = (0..groups * groups).filter(|pair| pair / groups != pair % groups);
        let is_all_joined = pairs.clone().all(|pair| !gateways.get(pair).is_empty());
        let links = pairs.next().map_or(0, |pair| gateways.get(pair).len());
        let even_links = pairs.all(|pair| gateways.get(pair).len() == links).then_some(links as u32);

        let mut place = Vec::with_capacity(switches as usize);
        for &kind in &plan.kind {
            let grid = plan.grids[kind];
            place.extend((0..self.groups[kind].switches).map(|at| (grid.row(at) as u16, grid.column(at) as u16)));
        }
        let shape = Dragonfly {
            group_count: groups as u32,
            radix: Radix::new(radix as u32),
            gateways,
            even_links,
            local,
            local_base,
            is_all_joined,
            wiring: self.wiring,
            place,
            kind_of_group: plan.kind.iter().map(|&kind| kind as u16).collect(),
            switches: plan.kind.iter().map(|&kind| self.groups[kind].switches).collect(),
            kinds: self.groups.clone(),
            links_per_pair: plan.links,
        };
        Ok((wiring, plan.first, shape))
    }

    fn plan(&self, radix: usize) -> Result<Plan, TopologyError> {
        let zero = |what: String| Err(TopologyError::Zero { what });
        if self.groups.is_empty() {
            return zero("the number of kinds of group".to_owned());
        }
        let switches = self.groups.iter().map(|kind| u64::from(kind.count) * u64::from(kind.switches)).sum::<u64>();
        // Checked before any allocation of that size.
        let most = PORTS_MAX / radix.max(1) as u64;
        if switches > most {
            return Err(TopologyError::SwitchCount { switches, most });
        }
        let (mut kinds, mut first, mut grids) = (Vec::new(), vec![0], Vec::new());
        for (index, kind) in self.groups.iter().enumerate() {
            if self.groups[..index].iter().any(|other| other.name == kind.name) {
                return Err(TopologyError::DuplicateKind { kind: kind.name.clone() });
            }
            if kind.count == 0 {
                return zero(format!("count of kind '{}'", kind.name));
            }
            if kind.switches == 0 {
                return zero(format!("switches of kind '{}'", kind.name));
            }
            let grid = Grid::of(kind)?;
            let (edge, left) = (u64::from(kind.endpoints_per_switch), radix as u64);
            let group = kinds.len() as u32;
            let short = |role, needed, left, used, advice| {
                Err(TopologyError::Ports { switch: 0, group, role, needed, left, radix, used, advice })
            };
            if edge > left {
                return short("edge", edge, left, "none used".to_owned(), "fewer endpoints per switch");
            }
            if grid.ports() > left - edge {
                let advice = "fewer switches per group, fewer parallel links or fewer endpoints per switch";
                return short("local", grid.ports(), left - edge, format!("{edge} edge"), advice);
            }
            for _ in 0..kind.count {
                kinds.push(index);
                first.push(first.last().copied().unwrap_or(0) + kind.switches);
            }
            grids.push(grid);
        }
        Ok(Plan { kind: kinds, first, grids, links: self.links()? })
    }

    /// Links of each pair of groups, by `kind * kinds + kind`; 0 if all are listed.
    fn links(&self) -> Result<Vec<u32>, TopologyError> {
        let count = self.groups.len();
        if self.wiring == GlobalWiring::Listed {
            self.check_listed()?;
            return Ok(vec![0; count * count]);
        }
        self.check_unlisted()?;
        let mut links = vec![None; count * count];
        for entry in &self.global_links {
            let [first, second] = entry.between.clone();
            let find = |name: &str| self.groups.iter().position(|kind| kind.name == name);
            let (Some(one), Some(other)) = (find(&first), find(&second)) else {
                let known = self.groups.iter().map(|kind| kind.name.as_str()).collect::<Vec<_>>().join(", ");
                return Err(TopologyError::UnknownKind { first, second, known });
            };
            if links[one * count + other].is_some() {
                return Err(TopologyError::DuplicateGlobalLinks { first, second });
            }
            links[one * count + other] = Some(entry.per_pair);
            links[other * count + one] = Some(entry.per_pair);
        }
        for one in 0..count {
            for other in one..count {
                let pairs = if one == other { self.groups[one].count > 1 } else { true };
                if pairs && links[one * count + other].or(self.links_per_pair).unwrap_or(0) == 0 {
                    let (first, second) = (self.groups[one].name.clone(), self.groups[other].name.clone());
                    return Err(TopologyError::NoGlobalLinks { first, second });
                }
            }
        }
        Ok(links.into_iter().map(|found| found.or(self.links_per_pair).unwrap_or(0)).collect())
    }

    /// Checks that every switch has enough ports, and numbers them; one entry a kind.
    fn first_ports(&self, plan: &Plan, radix: usize) -> Result<Vec<FirstPorts>, TopologyError> {
        if let Some(ranges) = &self.port_ranges {
            check_ranges(ranges, radix)?;
        }
        let (mut firsts, mut group) = (Vec::with_capacity(self.groups.len()), 0);
        for (index, kind) in self.groups.iter().enumerate() {
            let (edge, local) = (u64::from(kind.endpoints_per_switch), plan.grids[index].ports());
            let to_kind = |(other, kind): (usize, &GroupKind)| {
                let peers = u64::from(kind.count) - u64::from(other == index);
                u64::from(plan.links[index * self.groups.len() + other]).saturating_mul(peers)
            };
            let links = self.groups.iter().enumerate().map(to_kind).fold(0, u64::saturating_add);
            // No switch has more than one link more than another.
            let global = links.div_ceil(u64::from(kind.switches));
            let size = |range: [u8; 2]| u64::from(range[1] - range[0]) + 1;
            let room = self.port_ranges.as_ref().map_or([edge, local, radix as u64 - edge - local], |ranges| {
                [size(ranges.edge), size(ranges.local), size(ranges.global)]
            });
            let used = match self.port_ranges {
                None => format!("{edge} edge, {local} local"),
                Some(_) => format!("port_ranges keeps {} edge, {} local, {} global", room[0], room[1], room[2]),
            };
            let advice = "fewer links per pair of groups, fewer endpoints per switch or more switches per group";
            let asked = [("edge", edge, room[0]), ("local", local, room[1]), ("global", global, room[2])];
            for (role, needed, left) in asked {
                if needed > left {
                    return Err(TopologyError::Ports { switch: 0, group, role, needed, left, radix, used, advice });
                }
            }
            group += kind.count;
            firsts.push(match &self.port_ranges {
                None => FirstPorts {
                    edge: 0,
                    local: edge as u32,
                    global: (edge + local) as u32,
                    globals: global as u32,
                    room: room[2] as u32,
                },
                Some(ranges) => FirstPorts {
                    globals: global as u32,
                    room: room[2] as u32,
                    edge: u32::from(ranges.edge[0]),
                    local: u32::from(ranges.local[0]),
                    global: u32::from(ranges.global[0]),
                },
            });
        }
        Ok(firsts)
    }

    fn attach_nodes(
        &self,
        plan: &Plan,
        firsts: &[FirstPorts],
        wiring: &mut WiringBuilder,
    ) -> Result<(), TopologyError> {
        let mut group = 0;
        for (index, kind) in self.groups.iter().enumerate() {
            let edge = self.edge.between([kind.switch_rate_gbps, kind.nic_rate_gbps]);
            let cable = wiring.cable(edge.kind("edge", 1, 1)?)?;
            for nodes in nodes_per_group(kind)? {
                for node in 0..nodes {
                    let first = plan.first[group];
                    let at = (0..u32::from(kind.nics_per_node)).map(|nic| {
                        let (switch, port) = nic_place(kind, node, nic);
                        wiring.port_index(first + switch, firsts[index].edge + port)
                    });
                    let at = at.collect::<Vec<_>>();
                    wiring.add_node(kind.purpose == Purpose::Compute, at, cable);
                }
                group += 1;
            }
        }
        Ok(())
    }

    fn join_local(
        &self,
        plan: &Plan,
        firsts: &[FirstPorts],
        wiring: &mut WiringBuilder,
    ) -> Result<(LocalRuns, Vec<u32>), TopologyError> {
        let (mut runs, mut base) = (Vec::new(), Vec::new());
        let mut kind_base = Vec::new();
        let column_run = self.local_column.as_ref().unwrap_or(&self.local);
        let mut cables = Vec::new();
        for (grid, kind) in plan.grids.iter().zip(&self.groups) {
            let ports = [kind.switch_rate_gbps; 2];
            let (rows, columns) = (self.local.between(ports), column_run.between(ports));
            cables.push((run(wiring, &rows, "local", grid.columns)?, run(wiring, &columns, "local", grid.rows)?));
            let local = firsts[kind_base.len()].local;
            kind_base.push(runs.len() as u32);
            for pair in 0..kind.switches * kind.switches {
                let there = grid.next(pair / kind.switches, pair % kind.switches);
                runs.push(((local + there.start) as u16, (there.end - there.start) as u16));
            }
        }
        for (group, &kind) in plan.kind.iter().enumerate() {
            let (grid, first, switches) = (plan.grids[kind], plan.first[group], self.groups[kind].switches);
            for from in 0..switches {
                base.push((kind_base[kind] + from * switches).wrapping_sub(first));
                for to in 0..switches {
                    let port = |at: u32, number: u32| (first + at, firsts[kind].local + number);
                    let there = grid.next(from, to);
                    let (column, row) = (grid.column(from) != grid.column(to), grid.row(from) != grid.row(to));
                    if from < to && column != row {
                        let cable = if column {
                            cables[kind].0[grid.column(from).abs_diff(grid.column(to)) as usize]
                        } else {
                            cables[kind].1[grid.row(from).abs_diff(grid.row(to)) as usize]
                        };
                        for (here, back) in there.zip(grid.next(to, from)) {
                            let (one, other) = (port(from, here), port(to, back));
                            let (one, other) = (wiring.port_index(one.0, one.1), wiring.port_index(other.0, other.1));
                            wiring.join(one, other, PortRole::Local, cable);
                        }
                    }
                }
            }
        }
        Ok((runs, base))
    }
}

/// Kinds of cable by distance; the entry for distance 0 is not used.
pub(super) fn run(
    wiring: &mut WiringBuilder,
    cable: &CableDescription,
    role: &'static str,
    places: u32,
) -> Result<Vec<CableKindId>, TopologyError> {
    let farthest = places.saturating_sub(1);
    if farthest == 0 {
        // There is nothing to join, so no kind enters the table; a wrong figure is still an error.
        cable.kind(role, 1, 1)?;
        return Ok(Vec::new());
    }
    (0..places).map(|distance| wiring.cable(cable.kind(role, distance.max(1), farthest)?)).collect()
}

fn check_ranges(ranges: &PortRanges, radix: usize) -> Result<(), TopologyError> {
    let all = [("edge", ranges.edge), ("local", ranges.local), ("global", ranges.global)];
    for (index, (role, [first, last])) in all.into_iter().enumerate() {
        let overlapped =
            all.iter().enumerate().find(|(other, (_, range))| *other != index && first <= range[1] && range[0] <= last);
        if first > last || usize::from(last) >= radix || overlapped.is_some() {
            let other = overlapped.map_or(all[(index + 1) % 3].0, |(_, (other, _))| *other);
            return Err(TopologyError::PortRange { role, first, last, radix, other });
        }
    }
    Ok(())
}
