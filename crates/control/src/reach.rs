//! Who reaches whom: the parts that a fabric is in, and the switches that are off it.

use std::collections::BTreeSet;
use std::sync::{Arc, PoisonError};

use philae_agent::PortState;
use philae_forwarding::{Links, Part, PartCount, Parts, Update};
use philae_units::{PortId, PortIndex, SwitchId};

use crate::control::Control;
use crate::device::DeviceState;

/// Parts as they were worked out last.
#[derive(Debug, Default)]
pub struct Cached {
    /// Absent: links have changed since.
    parts: Option<Arc<Parts>>,
    /// When a way was lost last that had been there, and when the fabric came apart, milliseconds
    /// of the manager's clock.
    lost_ms: u64,
    apart_ms: Option<u64>,
}

impl Cached {
    /// Nothing is known, of tables of this time.
    pub const fn stale(now_ms: u64) -> Self {
        Self { parts: None, lost_ms: now_ms, apart_ms: None }
    }
}

/// Who reaches whom, by the links that carry traffic.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reach {
    /// Parts with NICs, most NICs first. One where the fabric is whole. Switches that are dead or
    /// set apart are in none.
    pub parts: Vec<Part>,
    /// How many parts the fabric is planned to be in.
    pub planned_parts: usize,
    /// Since when there are more than planned, milliseconds of the manager's clock.
    pub apart_ms: Option<u64>,
    /// Ordered pairs of switches with NICs, of different parts: there is no way between them.
    pub switch_pairs: u64,
    /// Ordered pairs of NICs of different parts.
    pub nic_pairs: u64,
    /// Switches that do not answer and that no switch which answers reaches: they carry nothing.
    pub dead: Vec<SwitchId>,
    /// Links between two dead switches, by their lower port: nobody is there to tell that they are
    /// down.
    pub dark: Vec<PortIndex>,
    /// Switches that answer and of which all links were taken out of service: by an operator or by
    /// documents.
    pub set_apart: Vec<SwitchId>,
    /// Switches that answer again and have no link yet: they come up.
    pub arriving: Vec<SwitchId>,
    /// Switches that do not answer and forward by what they had.
    pub silent: Vec<SwitchId>,
}

impl Reach {
    /// Whether switches have no way that should have one.
    #[must_use]
    pub const fn is_parted(&self) -> bool {
        self.switch_pairs > 0
    }

    /// Parts of a fabric that should be in one; of one that is planned in several, those more.
    #[must_use]
    pub fn part_count(&self) -> usize {
        (self.parts.len() + 1).saturating_sub(self.planned_parts).max(1)
    }
}

/// Why a NIC is off the fabric.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum NicOff {
    /// Its port is not up.
    Port(PortState),
    /// Its switch neither answers nor has a link that carries traffic.
    Dead,
    /// All links of its switch were taken out of service on purpose.
    SetApart,
}

/// A NIC that is off the fabric.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NicDown {
    /// Its port.
    pub port: PortIndex,
    /// Why.
    pub why: NicOff,
    /// Since when, milliseconds of the manager's clock.
    pub since_ms: u64,
    /// Whether it is on purpose.
    pub is_planned: bool,
}

impl Control {
    /// Keeps in mind that ways may have gone or come.
    pub(crate) fn note_reach(&mut self, event_ms: u64, update: &Update) {
        let cached = self.reach.get_mut().unwrap_or_else(PoisonError::into_inner);
        let loses = update.everything
            || update
                .rollout
                .switches()
                .iter()
                .any(|delta| delta.entries.iter().any(|entry| entry.ports.is_none_or(|ports| ports == 0)));
        if loses {
            cached.lost_ms = event_ms;
        }
        // Ways that go take entries away; where the fabric is whole none can come.
        if loses || cached.parts.as_ref().is_some_and(|parts| !parts.is_whole()) {
            cached.parts = None;
        }
    }

    /// Which switches reach each other by links that carry traffic; nothing before the first
    /// tables.
    #[must_use]
    pub fn parts(&self) -> Option<Arc<Parts>> {
        let plan = self.plan.as_ref()?;
        let mut cached = self.reach.lock().unwrap_or_else(PoisonError::into_inner);
        let parts = cached.parts.get_or_insert_with(|| Arc::new(Parts::of(&self.wiring, plan.links())));
        Some(Arc::clone(parts))
    }

    /// Who reaches whom.
    #[must_use]
    pub fn reach(&self) -> Reach {
        let mut reach = Reach::default();
        let (Some(parts), Some(plan)) = (self.parts(), &self.plan) else { return reach };
        // Parts in which a switch answers. Where none does at all, all of them may still forward.
        let answering: BTreeSet<SwitchId> = self
            .switches()
            .filter(|switch| self.devices[switch.index()].connected)
            .map(|one| parts.part_of(one))
            .collect();
        for switch in self.switches() {
            let device = &self.devices[switch.index()];
            let has_links = plan.links().of(switch) != 0;
            let is_reached = answering.is_empty() || answering.contains(&parts.part_of(switch));
            match (device.connected, has_links && (device.connected || is_reached)) {
                (false, true) => reach.silent.push(switch),
                (false, false) => reach.dead.push(switch),
                (true, false) if matches!(device.state, DeviceState::Connected | DeviceState::Configuring) => {
                    reach.arriving.push(switch);
                }
                (true, false) if self.is_set_apart(switch) => reach.set_apart.push(switch),
                _ => {}
            }
        }
        let is_dead = |switch: SwitchId| reach.dead.binary_search(&switch).is_ok();
        let dark = |&(port, far): &(PortIndex, PortIndex)| {
            let switches = [port, far].map(|end| self.wiring.split(end).0);
            switches.into_iter().all(is_dead) && self.ports.unusable(port.min(far).0).is_none()
        };
        if reach.dead.len() > 1 {
            let ports = reach.dead.iter().flat_map(|&switch| self.fabric_ports(switch));
            let links = ports.filter_map(|port| Some((port, self.wiring.peer(port)?))).filter(|(port, far)| port < far);
            reach.dark = links.filter(dark).map(|(port, _)| port).collect();
        }
        let left_out = |switch: SwitchId| {
            [&reach.dead, &reach.set_apart, &reach.arriving]
                .into_iter()
                .any(|found| found.binary_search(&switch).is_ok())
        };
        let count = parts.count(&self.wiring, left_out);
        let planned = match count.parts.len() {
            0 | 1 => PartCount::default(),
            // Some fabrics are in parts by their plan.
            _ => Parts::of(&self.wiring, &Links::all(&self.wiring)).count(&self.wiring, left_out),
        };
        reach.switch_pairs = count.switch_pairs - planned.switch_pairs;
        reach.nic_pairs = count.nic_pairs - planned.nic_pairs;
        (reach.parts, reach.planned_parts) = (count.parts, planned.parts.len().max(1));
        let mut cached = self.reach.lock().unwrap_or_else(PoisonError::into_inner);
        let lost_ms = cached.lost_ms;
        if reach.is_parted() {
            reach.apart_ms = Some(*cached.apart_ms.get_or_insert(lost_ms));
        } else {
            cached.apart_ms = None;
        }
        reach
    }

    /// NICs that are off the fabric, by what their switches say and by who reaches whom.
    #[must_use]
    pub fn nics_off(&self, reach: &Reach) -> Vec<NicDown> {
        let mut found = Vec::new();
        for (port, since_ms) in self.ports.edges_off() {
            let switch = self.wiring.split(port).0;
            // Of one that does not answer this is what it said last.
            if !self.devices[switch.index()].connected {
                continue;
            }
            let state = self.ports.state(port);
            let is_planned = state == PortState::Disabled || self.devices[switch.index()].maintenance;
            found.push(NicDown { port, why: NicOff::Port(state), since_ms, is_planned });
        }
        for (&switch, why) in reach
            .dead
            .iter()
            .map(|at| (at, NicOff::Dead))
            .chain(reach.set_apart.iter().map(|at| (at, NicOff::SetApart)))
        {
            let device = &self.devices[switch.index()];
            let since_ms = match why {
                NicOff::SetApart => self.links_since(switch),
                _ => device.since_ms,
            };
            let is_planned = why == NicOff::SetApart || device.maintenance;
            for port in self.edge_ports(switch) {
                if why == NicOff::Dead || self.ports.edge_off(port).is_none() {
                    found.push(NicDown { port, why, since_ms, is_planned });
                }
            }
        }
        found.sort_by_key(|nic| nic.port);
        found
    }

    /// Since when no link of a switch carries traffic.
    fn links_since(&self, switch: SwitchId) -> u64 {
        let links = self.fabric_ports(switch).filter_map(|port| self.link(port));
        links.filter_map(|link| Some(self.ports.unusable(link)?.1)).max().unwrap_or(0)
    }

    /// Whether all links of a switch were taken out of service on purpose.
    fn is_set_apart(&self, switch: SwitchId) -> bool {
        let mut links = self.fabric_ports(switch).filter_map(|port| self.link(port)).peekable();
        links.peek().is_some()
            && links.all(|link| self.ports.unusable(link).is_some_and(|(why, _)| self.is_planned(link, why)))
    }

    /// Ports of a switch to other switches.
    pub fn fabric_ports(&self, switch: SwitchId) -> impl Iterator<Item = PortIndex> + '_ {
        let mask = self.wiring.local(switch) | self.wiring.global(switch);
        (0..64).filter(move |port| mask >> port & 1 == 1).map(move |port| self.wiring.port(switch, PortId(port)))
    }

    /// Ports of a switch to NICs.
    pub fn edge_ports(&self, switch: SwitchId) -> impl Iterator<Item = PortIndex> + '_ {
        let mask = self.wiring.edge(switch);
        (0..64).filter(move |port| mask >> port & 1 == 1).map(move |port| self.wiring.port(switch, PortId(port)))
    }

    /// Whether a link carries no traffic on purpose: it is drained or switched
    /// off, or an operator works on one of its switches.
    pub(crate) fn is_planned(&self, link: u32, why: crate::Unusable) -> bool {
        let ends = self.ends(link);
        why.is_planned()
            || [ends.0, ends.1].into_iter().any(|end| self.devices[self.wiring.split(end).0.index()].maintenance)
    }
}
