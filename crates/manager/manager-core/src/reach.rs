//! Reachability: the parts of the fabric, and the switches and NICs that are off it.

use std::collections::BTreeSet;
use std::sync::{Arc, PoisonError};

use philae_agent::PortState;
use philae_route_tables::{FabricPart, FabricParts, LiveLinks, PartCount, Update};
use philae_units::{PortId, PortIndex, SwitchId};

use crate::control::FabricControl;
use crate::device::DeviceState;

/// The parts as last computed.
#[derive(Debug, Default)]
pub struct Cached {
    /// `None`: links have changed since.
    parts: Option<Arc<FabricParts>>,
    /// When a path was last lost, and when the fabric was parted, in milliseconds of the manager's
    /// clock.
    lost_ms: u64,
    apart_ms: Option<u64>,
}

impl Cached {
    /// Nothing is known; the tables are of this time.
    pub const fn stale(now_ms: u64) -> Self {
        Self { parts: None, lost_ms: now_ms, apart_ms: None }
    }
}

/// Reachability over the links that carry traffic.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reachability {
    /// Parts with NICs, most NICs first. There is one if the fabric is whole. Dead switches and
    /// switches set apart are in none.
    pub parts: Vec<FabricPart>,
    /// The planned number of parts.
    pub planned_parts: usize,
    /// Since when there are more parts than planned, in milliseconds of the manager's clock.
    pub apart_ms: Option<u64>,
    /// Pairs of switches with NICs in different parts, so without a path. Each pair counts once.
    pub switch_pairs: u64,
    /// Pairs of NICs of different parts. Each pair counts once.
    pub nic_pairs: u64,
    /// Switches that do not answer and that no answering switch reaches. They carry nothing.
    pub dead: Vec<SwitchId>,
    /// Those of them that are in maintenance: an operator works on them, or they start again for an
    /// upgrade. That is no failure.
    pub dead_planned: Vec<SwitchId>,
    /// Links between two dead switches, by their lower port: neither can report that they are
    /// down.
    pub dark: Vec<PortIndex>,
    /// Switches that answer and whose links are all out of service, by operators or documents.
    pub set_apart: Vec<SwitchId>,
    /// Switches that answer again and have no link yet.
    pub arriving: Vec<SwitchId>,
    /// Switches that do not answer and forward by their last tables.
    pub silent: Vec<SwitchId>,
}

impl Reachability {
    /// How many switches are dead and not on purpose.
    #[must_use]
    pub const fn dead_count(&self) -> usize {
        self.dead.len() - self.dead_planned.len()
    }

    /// Whether a switch is dead and not on purpose.
    #[must_use]
    pub fn is_dead(&self, switch: SwitchId) -> bool {
        self.dead.binary_search(&switch).is_ok() && self.dead_planned.binary_search(&switch).is_err()
    }

    /// Whether switches have no way that should have one.
    #[must_use]
    pub const fn is_parted(&self) -> bool {
        self.switch_pairs > 0
    }

    /// The number of parts of a fabric that is planned as one; for a fabric planned in several
    /// parts, one more than the surplus.
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
    /// All links of its switch are out of service intentionally.
    SetApart,
}

/// A NIC that is off the fabric.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NicDown {
    pub port: PortIndex,
    /// The reason.
    pub why: NicOff,
    /// Since when, in milliseconds of the manager's clock.
    pub since_ms: u64,
    /// Whether it is intended.
    pub is_planned: bool,
}

impl FabricControl {
    /// Records that paths may have been lost or gained.
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
        // Lost paths remove entries; a whole fabric cannot gain any.
        if loses || cached.parts.as_ref().is_some_and(|parts| !parts.is_whole()) {
            cached.parts = None;
        }
    }

    /// Which switches reach each other over links that carry traffic; `None` before the first
    /// tables.
    #[must_use]
    pub fn parts(&self) -> Option<Arc<FabricParts>> {
        let plan = self.tables.plan.as_ref()?;
        let mut cached = self.reach.lock().unwrap_or_else(PoisonError::into_inner);
        let parts = cached.parts.get_or_insert_with(|| Arc::new(FabricParts::of(&self.fabric.wiring, plan.links())));
        Some(Arc::clone(parts))
    }

    /// The reachability of the fabric.
    #[must_use]
    pub fn reach(&self) -> Reachability {
        let mut reach = Reachability::default();
        let (Some(parts), Some(plan)) = (self.parts(), &self.tables.plan) else { return reach };
        // Count parts in which a switch answers. If no switch answers at all, all of them may still
        // forward.
        let answering: BTreeSet<SwitchId> = self
            .switches()
            .filter(|switch| self.devices[switch.index()].connection.connected)
            .map(|one| parts.part_of(one))
            .collect();
        for switch in self.switches() {
            let device = &self.devices[switch.index()];
            let has_links = plan.links().of(switch) != 0;
            let is_reached = answering.is_empty() || answering.contains(&parts.part_of(switch));
            match (device.connection.connected, has_links && (device.connection.connected || is_reached)) {
                (false, true) => reach.silent.push(switch),
                (false, false) => reach.dead.push(switch),
                (true, false) if matches!(device.state, DeviceState::Connected | DeviceState::Configuring) => {
                    reach.arriving.push(switch);
                }
                (true, false) if self.is_set_apart(switch) => reach.set_apart.push(switch),
                _ => {}
            }
        }
        reach.dead_planned =
            reach.dead.iter().copied().filter(|switch| self.devices[switch.index()].maintenance).collect();
        let is_dead = |switch: SwitchId| reach.dead.binary_search(&switch).is_ok();
        let dark = |&(port, far): &(PortIndex, PortIndex)| {
            let switches = [port, far].map(|end| self.fabric.wiring.split(end).0);
            switches.into_iter().all(is_dead) && self.ports.unusable(port.min(far).0).is_none()
        };
        if reach.dead.len() > 1 {
            let ports = reach.dead.iter().flat_map(|&switch| self.fabric_ports(switch));
            let links =
                ports.filter_map(|port| Some((port, self.fabric.wiring.peer(port)?))).filter(|(port, far)| port < far);
            reach.dark = links.filter(dark).map(|(port, _)| port).collect();
        }
        let left_out = |switch: SwitchId| {
            [&reach.dead, &reach.set_apart, &reach.arriving]
                .into_iter()
                .any(|found| found.binary_search(&switch).is_ok())
        };
        let count = parts.count(&self.fabric.wiring, left_out);
        let planned = match count.parts.len() {
            0 | 1 => PartCount::default(),
            // Some fabrics are planned in several parts.
            _ => FabricParts::of(&self.fabric.wiring, &LiveLinks::all(&self.fabric.wiring))
                .count(&self.fabric.wiring, left_out),
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

    /// NICs that are off the fabric, by the reports of their switches and by reachability.
    #[must_use]
    pub fn nics_off(&self, reach: &Reachability) -> Vec<NicDown> {
        let mut found = Vec::new();
        for (port, since_ms) in self.ports.edges_off() {
            let switch = self.fabric.wiring.split(port).0;
            // For a switch that does not answer, this is its last report.
            if !self.devices[switch.index()].connection.connected {
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
    pub(crate) fn is_set_apart(&self, switch: SwitchId) -> bool {
        let mut links = self.fabric_ports(switch).filter_map(|port| self.link(port)).peekable();
        links.peek().is_some()
            && links.all(|link| self.ports.unusable(link).is_some_and(|(why, _)| self.is_planned(link, why)))
    }

    /// Ports of a switch to other switches.
    pub fn fabric_ports(&self, switch: SwitchId) -> impl Iterator<Item = PortIndex> + '_ {
        let mask = self.fabric.wiring.local(switch) | self.fabric.wiring.global(switch);
        (0..64).filter(move |port| mask >> port & 1 == 1).map(move |port| self.fabric.wiring.port(switch, PortId(port)))
    }

    /// Ports of a switch to NICs.
    pub fn edge_ports(&self, switch: SwitchId) -> impl Iterator<Item = PortIndex> + '_ {
        let mask = self.fabric.wiring.edge(switch);
        (0..64).filter(move |port| mask >> port & 1 == 1).map(move |port| self.fabric.wiring.port(switch, PortId(port)))
    }

    /// Whether a link carries no traffic intentionally: it is drained or disabled, or one of its
    /// switches is in maintenance.
    pub(crate) fn is_planned(&self, link: u32, why: crate::Unusable) -> bool {
        let ends = self.ends(link);
        why.is_planned()
            || self.ports.is_drained(link)
            || [ends.0, ends.1].into_iter().any(|end| self.devices[self.fabric.wiring.split(end).0.index()].maintenance)
    }
}
