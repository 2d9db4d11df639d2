//! Cabling the groups of a dragonfly with each other: which switch has which global link.

use super::build::{FirstPorts, Plan, run};
use super::description::{Arrangement, DragonflyDescription, GlobalWiring, ListedLink};
use crate::csr::PortLists;
use crate::wiring::WiringBuilder;
use crate::{CableKindId, PortRole, TopologyError};
use philae_units::PortIndex;

impl DragonflyDescription {
    /// Joins the groups. Returns the global ports of each group towards each other, by
    /// `from * groups + to`; the far end of each has the same place in the list of the opposite
    /// direction.
    pub(super) fn join_groups(
        &self,
        plan: &Plan,
        firsts: &[FirstPorts],
        wiring: &mut WiringBuilder,
    ) -> Result<PortLists, TopologyError> {
        let groups = plan.kind.len();
        let mut cables = Vec::new();
        for one in &self.groups {
            for other in &self.groups {
                let cable = self.global.between([one.switch_rate_gbps, other.switch_rate_gbps]);
                cables.push(run(wiring, &cable, "global", groups as u32)?);
            }
        }
        let lists = match self.wiring {
            GlobalWiring::RoundRobin => self.in_turn(plan, firsts, wiring),
            GlobalWiring::Listed => self.as_listed(plan, firsts, wiring)?,
            GlobalWiring::Absolute
            | GlobalWiring::Consecutive
            | GlobalWiring::Relative
            | GlobalWiring::Palmtree
            | GlobalWiring::Circulant => self.in_blocks(plan, firsts, wiring),
        };
        for from in 0..groups {
            for to in from + 1..groups {
                let (there, back) = (lists.get(from * groups + to), lists.get(to * groups + from));
                let cables: &[CableKindId] = &cables[plan.kind[from] * self.groups.len() + plan.kind[to]];
                for (one, other) in there.iter().zip(back) {
                    wiring.join(*one, *other, PortRole::Global, cables[to - from]);
                }
            }
        }
        Ok(lists)
    }

    /// Links of a pair of groups.
    fn links_of(&self, plan: &Plan, from: usize, to: usize) -> u32 {
        if from == to { 0 } else { plan.links[plan.kind[from] * self.groups.len() + plan.kind[to]] }
    }

    /// One link to each switch of a group in turn.
    fn in_turn(&self, plan: &Plan, firsts: &[FirstPorts], wiring: &WiringBuilder) -> PortLists {
        let (groups, slots) = (plan.kind.len(), self.slots(plan));
        let total = (0..groups).map(|group| slots[group * groups + group] as usize).sum();
        let mut lists = PortLists::with_capacity(groups * groups, total);
        for from in 0..groups {
            let (kind, switches) = (plan.kind[from], u64::from(self.groups[plan.kind[from]].switches));
            for to in 0..groups {
                let slot = slots[from * groups + to];
                lists.push((slot..slot + u64::from(self.links_of(plan, from, to))).map(|slot| {
                    let port = firsts[kind].global + (slot / switches) as u32;
                    wiring.port_index(plan.first[from] + (slot % switches) as u32, port)
                }));
            }
        }
        lists
    }

    /// By `from * groups + to`: the place of the pair's first link in the list of links that `from`
    /// assigns to its switches; the entry of a group with itself is the length of that list.
    fn slots(&self, plan: &Plan) -> Vec<u64> {
        let groups = plan.kind.len();
        let mut slots = vec![0; groups * groups];
        for from in 0..groups {
            let mut next = 0;
            for step in 0..groups {
                let to = match self.arrangement {
                    Arrangement::Absolute => step,
                    Arrangement::Relative => (from + step) % groups,
                };
                if to != from {
                    slots[from * groups + to] = next;
                    next += u64::from(plan.links[plan.kind[from] * self.groups.len() + plan.kind[to]]);
                }
            }
            slots[from * groups + from] = next;
        }
        slots
    }

    /// To each switch in turn as many links as it has global ports: first one link to every other
    /// group, then the second of each pair, and so on.
    fn in_blocks(&self, plan: &Plan, firsts: &[FirstPorts], wiring: &WiringBuilder) -> PortLists {
        let groups = plan.kind.len();
        let mut lists = PortLists::with_capacity(groups * groups, 0);
        let mut towards: Vec<Vec<PortIndex>> = vec![Vec::new(); groups];
        for from in 0..groups {
            let first = firsts[plan.kind[from]];
            let links: u32 = (0..groups).map(|to| self.links_of(plan, from, to)).sum();
            let switches = self.groups[plan.kind[from]].switches;
            let larger = if links.is_multiple_of(switches) { switches } else { links % switches };
            let most = (0..groups).map(|to| self.links_of(plan, from, to)).max().unwrap_or(0);
            let peers = (0..groups - 1).filter_map(|step| self.wiring.peer(from, step, groups)).collect::<Vec<_>>();
            let mut slot = 0;
            for round in 0..most {
                for &to in peers.iter().filter(|&&to| self.links_of(plan, from, to) > round) {
                    // The first switches have one more where the links do not divide evenly.
                    let (switch, port) = if slot < larger * first.globals {
                        (slot / first.globals, slot % first.globals)
                    } else {
                        let (rest, size) = (slot - larger * first.globals, first.globals - 1);
                        (larger + rest / size, rest % size)
                    };
                    towards[to].push(wiring.port_index(plan.first[from] + switch, first.global + port));
                    slot += 1;
                }
            }
            for ports in &mut towards {
                lists.push(ports.drain(..));
            }
        }
        lists
    }

    /// Every link as it is listed.
    fn as_listed(
        &self,
        plan: &Plan,
        firsts: &[FirstPorts],
        wiring: &WiringBuilder,
    ) -> Result<PortLists, TopologyError> {
        let groups = plan.kind.len();
        let mut taken = vec![false; wiring.ports.len()];
        let mut towards: Vec<Vec<PortIndex>> = vec![Vec::new(); groups * groups];
        // Ports that links ask for first, so that no other link gets them.
        let asked = |link: &&(usize, &ListedLink)| link.1.ports.is_some();
        let links = || self.listed_links.iter().enumerate();
        let mut ends = vec![[PortIndex(0); 2]; self.listed_links.len()];
        for (index, link) in links().filter(|link| asked(&link)).chain(links().filter(|link| !asked(&link))) {
            for end in 0..2 {
                let (group, switch) = (link.between[end] as usize, link.switches[end]);
                let refused = |found: String, works: String| TopologyError::ListedLink { link: index, found, works };
                if group >= groups {
                    return Err(refused(format!("names group {group}"), format!("groups 0 to {}", groups - 1)));
                }
                if link.between[0] == link.between[1] {
                    let works = "two different groups".to_owned();
                    return Err(refused(format!("joins group {group} to itself"), works));
                }
                let (kind, first) = (plan.kind[group], firsts[plan.kind[group]]);
                if switch >= self.groups[kind].switches {
                    let works = format!("switches 0 to {} of that group", self.groups[kind].switches - 1);
                    return Err(refused(format!("names switch {switch} of group {group}"), works));
                }
                let global = first.global..first.global + first.room;
                let at = |port: u32| wiring.port_index(plan.first[group] + switch, port);
                let mut open = global.clone().map(at).filter(|port| !taken[port.index()]);
                let free = open.next();
                let port = match link.ports.map(|ports| u32::from(ports[end])) {
                    None => free.ok_or_else(|| {
                        let found = format!("finds no free global port on switch {switch} of group {group}");
                        refused(found, format!("at most {} links there", first.room))
                    })?,
                    Some(port) if global.contains(&port) && !taken[at(port).index()] => at(port),
                    Some(port) => {
                        let found = format!("asks for port {port} of switch {switch} of group {group}");
                        let of = |free: PortIndex| free.0 % wiring.radix as u32;
                        let works = free.map_or("fewer links".to_owned(), |free| format!("port {}", of(free)));
                        let why = if global.contains(&port) { "is taken" } else { "is no global port" };
                        return Err(refused(format!("{found}, which {why}"), works));
                    }
                };
                taken[port.index()] = true;
                ends[index][end] = port;
            }
        }
        for (link, ends) in self.listed_links.iter().zip(ends) {
            let [one, other] = link.between.map(|group| group as usize);
            towards[one * groups + other].push(ends[0]);
            towards[other * groups + one].push(ends[1]);
        }
        let unjoined = |&pair: &usize| pair / groups < pair % groups && towards[pair].is_empty();
        if let Some(pair) = (0..groups * groups).find(unjoined) {
            return Err(TopologyError::UnjoinedGroups { one: (pair / groups) as u32, other: (pair % groups) as u32 });
        }
        let mut lists = PortLists::with_capacity(groups * groups, 2 * self.listed_links.len());
        for ports in towards {
            lists.push(ports);
        }
        Ok(lists)
    }

    /// Checks that only keys are given that listed links do not replace.
    pub(super) fn check_listed(&self) -> Result<(), TopologyError> {
        let counts = self.links_per_pair.is_some() || !self.global_links.is_empty();
        let found = match (counts, self.listed_links.is_empty()) {
            (true, _) => "the number of links per pair",
            (false, true) => "no listed_links",
            (false, false) => return self.check_arrangement(),
        };
        let works = "listed_links with every global link, and neither links_per_pair nor global_links,";
        Err(TopologyError::GlobalWiring { wiring: self.wiring.name(), found, works })
    }

    /// Checks that only keys are given that this wiring reads.
    pub(super) fn check_unlisted(&self) -> Result<(), TopologyError> {
        if self.listed_links.is_empty() {
            return self.check_arrangement();
        }
        let (found, works) = ("listed_links", "wiring = \"listed\"");
        Err(TopologyError::GlobalWiring { wiring: self.wiring.name(), found, works })
    }

    fn check_arrangement(&self) -> Result<(), TopologyError> {
        if self.wiring == GlobalWiring::RoundRobin || self.arrangement == Arrangement::default() {
            return Ok(());
        }
        let (found, works) = ("arrangement = \"relative\"", "one of the two keys");
        Err(TopologyError::GlobalWiring { wiring: self.wiring.name(), found, works })
    }
}
