//! The health of the fabric, its causes and its alarms.
//!
//! Alarms are not stored: they are derived from the present state, so that each ends when its cause
//! does.

use std::collections::{BTreeMap, BTreeSet};

use philae_agent::PortState;
use philae_units::{GroupId, PortIndex, SwitchId};

use crate::control::FabricControl;
use crate::device::{Cause, DeviceState};
use crate::flap::Isolation;
use crate::ports::{CableFault, Unusable};
use crate::reach::{NicDown, NicOff, Reachability};
use crate::routing::Published;

/// One of four levels of health, with its causes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum HealthLevel {
    /// There is no problem.
    Healthy,
    /// A change is in progress.
    Converging,
    /// There is a problem, but the traffic of all NICs with a link finds a path.
    Degraded,
    /// Traffic is lost, or could be: NICs have no path, parts of the fabric do not reach each
    /// other, or paths are not proven.
    Unhealthy,
}

impl HealthLevel {
    /// The name in output.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Healthy => "HEALTHY",
            Self::Converging => "CONVERGING",
            Self::Degraded => "DEGRADED",
            Self::Unhealthy => "UNHEALTHY",
        }
    }
}

/// A level of health with its causes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HealthWord {
    /// The level.
    pub health: HealthLevel,
    /// The causes, most serious first.
    pub causes: Vec<String>,
}

impl HealthWord {
    /// Adds a cause that this crate cannot know.
    pub fn add(&mut self, health: HealthLevel, cause: String) {
        self.health = self.health.max(health);
        self.causes.push(cause);
    }

    /// Adds a cause that this crate cannot know, in front of those that are less serious.
    pub fn add_first(&mut self, health: HealthLevel, cause: String) {
        let place = if health > self.health { 0 } else { self.causes.len() };
        self.health = self.health.max(health);
        self.causes.insert(place, cause);
    }

    /// Combines causes, each with its level.
    #[must_use]
    pub fn from_causes(mut causes: Vec<(HealthLevel, String)>) -> Self {
        causes.sort_by_key(|cause| std::cmp::Reverse(cause.0));
        let health = causes.first().map_or(HealthLevel::Healthy, |cause| cause.0);
        Self { health, causes: causes.into_iter().map(|cause| cause.1).collect() }
    }
}

/// The kind of a problem.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum AlarmKind {
    /// The fabric is in parts without a path between them: the first switch of each, most NICs
    /// first.
    Parted(Vec<SwitchId>),
    /// No switch answers.
    AllSilent,
    /// A device is not in its desired state.
    Device(SwitchId, DeviceState, Cause),
    /// A link carries no traffic, and neither of its switches is dead.
    Link(PortIndex, Unusable),
    /// A link should be isolated and is not.
    Spared(PortIndex),
    /// A cable does not lead where planned.
    Cable(CableFault),
    /// A switch reports no neighbour at any port, so its cables cannot be checked.
    Deaf(SwitchId),
    /// Two groups have no direct link left: minimal paths between them have two global hops.
    NoDirectLink(GroupId, GroupId),
    /// NICs of a switch that answers are off the fabric: the state of their ports.
    NicsOff(SwitchId, PortState),
    /// An edge port is isolated because its partner paused traffic for too long.
    PausedTooLong(PortIndex),
    /// New tables could not be proven: the previous ones stay in force.
    Unsound(String),
}

/// A problem, since when it exists, and its consequences.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Alarm {
    pub kind: AlarmKind,
    /// Its severity.
    pub health: HealthLevel,
    /// Since when, in milliseconds of the manager's clock, if known.
    pub since_ms: Option<u64>,
    /// Links that carry no traffic because of it, by their lower port.
    pub links: Vec<PortIndex>,
    /// NICs that are off the fabric because of it, by their ports.
    pub nics: Vec<PortIndex>,
    /// Pairs of groups that have no direct link because of it.
    pub pairs: Vec<(GroupId, GroupId)>,
}

impl Alarm {
    fn new(kind: AlarmKind, health: HealthLevel, since_ms: Option<u64>) -> Self {
        Self { kind, health, since_ms, links: Vec::new(), nics: Vec::new(), pairs: Vec::new() }
    }
}

/// A part of the fabric that is off intentionally, which is no failure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PlannedKind {
    /// A switch is in maintenance.
    Maintenance(SwitchId),
    /// All links of a switch are out of service.
    SetApart(SwitchId),
    /// A link is drained, or disabled by documents.
    Link(PortIndex, Unusable),
    /// Ports of a switch to NICs are disabled by documents.
    NicsOff(SwitchId),
}

/// Planned work.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Planned {
    pub kind: PlannedKind,
    /// Since when, in milliseconds of the manager's clock.
    pub since_ms: u64,
    /// Links that carry no traffic because of it, by their lower port.
    pub links: Vec<PortIndex>,
    /// NICs that are off the fabric because of it, by their ports.
    pub nics: Vec<PortIndex>,
}

/// The overview for operators.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FabricStatus {
    /// Whether the fabric forwards: devices and links work.
    pub runtime: HealthWord,
    /// Whether the observed state of devices is the desired one.
    pub configuration: HealthWord,
    /// Whether traffic finds paths.
    pub traffic: HealthWord,
    /// Switches by state, in the order of [`DeviceState::ALL`].
    pub switches: [usize; 8],
    /// Ports to NICs.
    pub edge: PortTally,
    /// Ports to other switches.
    pub fabric: PortTally,
    /// Links: all, and those that carry traffic.
    pub links: (usize, usize),
    /// Links that intentionally carry no traffic.
    pub planned_links: usize,
    /// Pairs of groups without a direct link, among those that reach each other.
    pub indirect_pairs: usize,
    /// The reachability.
    pub reach: Reachability,
    /// NICs that are off the fabric.
    pub nics_off: Vec<NicDown>,
    /// The tables published last.
    pub published: Published,
}

/// Counts of ports.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PortTally {
    /// All.
    pub total: usize,
    /// Ports that are up, as their switches report.
    pub up: usize,
    /// Ports whose switch does not answer.
    pub unknown: usize,
}

impl FabricControl {
    /// The status of the fabric.
    #[must_use]
    pub fn status(&self) -> FabricStatus {
        let mut switches = [0; 8];
        let (mut edge, mut fabric) = (PortTally::default(), PortTally::default());
        for switch in self.switches() {
            let state = self.device_state(switch);
            switches[state as usize] += 1;
            let is_heard = !matches!(state, DeviceState::Unknown | DeviceState::Unreachable);
            let joined = self.fabric.wiring.local(switch) | self.fabric.wiring.global(switch);
            for port in 0..self.fabric.wiring.radix() as u8 {
                let count = match (joined >> port & 1, self.fabric.wiring.edge(switch) >> port & 1) {
                    (1, _) => &mut fabric,
                    (_, 1) => &mut edge,
                    _ => continue,
                };
                count.total += 1;
                let port = self.fabric.wiring.port(switch, philae_units::PortId(port));
                count.unknown += usize::from(!is_heard);
                count.up += usize::from(is_heard && self.ports.state(port) == PortState::Up);
            }
        }
        let reach = self.reach();
        let nics_off = self.nics_off(&reach);
        let indirect_pairs = self.indirect_pairs().len();
        let links = (self.fabric.link_count, self.fabric.link_count - self.ports.unusable_count() - reach.dark.len());
        let planned_links = self.ports.all_unusable().filter(|(port, why, _)| self.is_planned(port.0, *why)).count();
        FabricStatus {
            runtime: self.runtime(&switches, links, planned_links, &nics_off),
            configuration: self.configuration(),
            traffic: self.traffic(indirect_pairs, &reach, &nics_off),
            switches,
            edge,
            fabric,
            links,
            planned_links,
            indirect_pairs,
            reach,
            nics_off,
            published: self.tables.published,
        }
    }

    /// Pairs of groups that reach each other without a direct link, if that is not intended.
    fn indirect_pairs(&self) -> Vec<(GroupId, GroupId)> {
        let Some(plan) = &self.tables.plan else { return Vec::new() };
        let mut pairs: BTreeSet<(GroupId, GroupId)> = plan.pairs_without_direct_link().collect();
        if pairs.is_empty() {
            return Vec::new();
        }
        // In a group that is parted, one piece may lack a link to another group that another piece
        // has.
        for (port, _) in self.fabric.wiring.links().filter(|(port, _)| plan.links().is_live(&self.fabric.wiring, *port))
        {
            pairs.remove(&self.groups(port));
        }
        // If all missing links are missing intentionally, so is the direct link.
        let mut missed: BTreeMap<(GroupId, GroupId), bool> = BTreeMap::new();
        for (port, why, _) in self.ports.all_unusable() {
            *missed.entry(self.groups(port)).or_default() |= !self.is_planned(port.0, why);
        }
        let parts = self.parts();
        let first = |group: GroupId| SwitchId(self.fabric.wiring.switches_of(group).start);
        let joined = |one: GroupId, other: GroupId| {
            parts.as_ref().is_none_or(|parts| {
                self.fabric.wiring.switches_of(one).any(|switch| parts.join(SwitchId(switch), first(other)))
                    || self.fabric.wiring.switches_of(other).any(|switch| parts.join(SwitchId(switch), first(one)))
            })
        };
        let is_missed = |pair: &(GroupId, GroupId)| missed.get(pair).copied().unwrap_or(true);
        pairs.into_iter().filter(|pair| is_missed(pair) && joined(pair.0, pair.1)).collect()
    }

    /// The groups of the ends of a link, the lower one first.
    fn groups(&self, port: PortIndex) -> (GroupId, GroupId) {
        let ends = self.ends(port.0);
        let [one, other] = [ends.0, ends.1].map(|end| self.fabric.wiring.group_of(self.fabric.wiring.split(end).0));
        (one.min(other), one.max(other))
    }

    /// The number of devices in a state, without those in maintenance.
    fn unplanned(&self, state: DeviceState) -> usize {
        self.devices.iter().filter(|device| device.state == state && !device.maintenance).count()
    }

    fn runtime(&self, switches: &[usize; 8], links: (usize, usize), planned: usize, nics: &[NicDown]) -> HealthWord {
        let mut causes = Vec::new();
        let all = self.devices.len();
        if self.tables.plan.is_some()
            && switches[DeviceState::Unknown as usize] + switches[DeviceState::Unreachable as usize] == all
            && self.devices.iter().any(|device| !device.maintenance)
        {
            causes.push((HealthLevel::Unhealthy, "no switch answers".to_owned()));
        }
        for state in [DeviceState::Unknown, DeviceState::Unreachable, DeviceState::Quarantined] {
            let found = self.unplanned(state);
            if found > 0 {
                causes.push((HealthLevel::Degraded, format!("{} {}", counted(found, "switch", "es"), state.name())));
            }
        }
        let lost = links.0 - links.1 - planned;
        if lost > 0 {
            let verb = if lost == 1 { "carries" } else { "carry" };
            causes.push((
                HealthLevel::Degraded,
                format!("{lost} of {} {verb} no traffic", counted(links.0, "link", "s")),
            ));
        }
        let off = nics.iter().filter(|nic| !nic.is_planned).count();
        if off > 0 {
            let verb = if off == 1 { "is" } else { "are" };
            causes.push((HealthLevel::Degraded, format!("{} {verb} off the fabric", counted(off, "NIC", "s"))));
        }
        HealthWord::from_causes(causes)
    }

    fn configuration(&self) -> HealthWord {
        let mut causes = Vec::new();
        for (state, health) in [
            (DeviceState::Connected, HealthLevel::Converging),
            (DeviceState::Configuring, HealthLevel::Converging),
            (DeviceState::Degraded, HealthLevel::Degraded),
        ] {
            let found = self.unplanned(state);
            if found > 0 {
                causes.push((health, format!("{} {}", counted(found, "switch", "es"), state.name())));
            }
        }
        let cables = self.ports.cable_faults(&self.fabric.wiring, &*self.fabric.expected);
        let cables: usize =
            cables.iter().map(|fault| if matches!(fault, CableFault::Exchanged(..)) { 2 } else { 1 }).sum();
        if cables > 0 {
            let verb = if cables == 1 { "leads" } else { "lead" };
            let text = format!("{} {verb} to other ports than planned", counted(cables, "cable", "s"));
            causes.push((HealthLevel::Degraded, text));
        }
        let unheard = self.ports.unheard().count();
        if unheard > 0 {
            let verb = if unheard == 1 { "hears" } else { "hear" };
            causes.push((HealthLevel::Degraded, format!("{} {verb} no neighbour", counted(unheard, "port", "s"))));
        }
        HealthWord::from_causes(causes)
    }

    fn traffic(&self, indirect_pairs: usize, reach: &Reachability, nics: &[NicDown]) -> HealthWord {
        let mut causes = Vec::new();
        if self.tables.plan.is_none() {
            causes.push((HealthLevel::Converging, "no tables have been published yet".to_owned()));
        }
        if let Some(active) = self.rollout() {
            let text =
                format!("tables {} are being applied, {} switches have to answer", active.generation, active.waiting);
            causes.push((HealthLevel::Converging, text));
        }
        if reach.is_parted() {
            let text = format!(
                "the fabric is in {} parts: {} of switches and {} of NICs have no path",
                reach.parts.len(),
                counted(reach.switch_pairs as usize, "pair", "s"),
                reach.nic_pairs
            );
            causes.push((HealthLevel::Unhealthy, text));
        }
        if !reach.silent.is_empty() {
            let all = reach.silent.len() + reach.dead.len() == self.devices.len();
            let health = if all { HealthLevel::Unhealthy } else { HealthLevel::Degraded };
            let verb = if reach.silent.len() == 1 { "forwards by what it" } else { "forward by what they" };
            let silent = counted(reach.silent.len(), "silent switch", "es");
            let text = format!("{silent} {verb} had: a loss there is not routed around");
            causes.push((health, text));
        }
        // The more is lost, the worse the word: NICs of a dead switch have no path, as NICs of a
        // part of its own have none.
        let cut = nics.iter().filter(|nic| !nic.is_planned && nic.why == NicOff::Dead).count();
        if cut > 0 {
            let verb = if cut == 1 { "is" } else { "are" };
            let dead = counted(reach.dead_count(), "dead switch", "es");
            causes.push((HealthLevel::Unhealthy, format!("{} {verb} cut off at {dead}", counted(cut, "NIC", "s"))));
        }
        if indirect_pairs > 0 {
            let verb = if indirect_pairs == 1 { "has" } else { "have" };
            let text = format!("{} of groups {verb} no direct link", counted(indirect_pairs, "pair", "s"));
            causes.push((HealthLevel::Degraded, text));
        }
        let paused =
            self.ports.all_unusable().filter(|(_, why, _)| matches!(why, Unusable::Down(_, PortState::PausedTooLong)));
        let paused = paused.count() + self.paused_edges().count();
        if paused > 0 {
            let verb = if paused == 1 { "was" } else { "were" };
            causes
                .push((HealthLevel::Degraded, format!("{} {verb} blocked for too long", counted(paused, "port", "s"))));
        }
        if let Some(error) = &self.tables.unsound {
            causes.push((HealthLevel::Unhealthy, format!("new tables could not be proven: {error}")));
        }
        HealthWord::from_causes(causes)
    }

    /// All problems by cause: links and NICs of a dead switch are part of its alarm.
    #[must_use]
    pub fn alarms(&self, now_ms: u64) -> Vec<Alarm> {
        let reach = self.reach();
        let is_dead = |switch: SwitchId| reach.dead.binary_search(&switch).is_ok();
        let mut alarms = Vec::new();
        if reach.is_parted() {
            let kind = AlarmKind::Parted(reach.parts.iter().map(|part| part.first).collect());
            alarms.push(Alarm::new(kind, HealthLevel::Unhealthy, reach.apart_ms));
        }
        let is_planned = self.devices.iter().all(|device| device.maintenance);
        if self.tables.plan.is_some() && !is_planned && self.devices.iter().all(|device| !device.connection.connected) {
            let since = self.devices.iter().map(|device| device.since_ms).max();
            alarms.push(Alarm::new(AlarmKind::AllSilent, HealthLevel::Unhealthy, since));
        }
        let mut at: BTreeMap<SwitchId, usize> = BTreeMap::new();
        for switch in self.switches() {
            let device = &self.devices[switch.index()];
            let is_well = matches!(
                device.state,
                DeviceState::Synced | DeviceState::Connected | DeviceState::Configuring | DeviceState::Maintenance
            );
            if is_well || device.maintenance {
                continue;
            }
            at.insert(switch, alarms.len());
            let kind = AlarmKind::Device(switch, device.state, device.cause.clone());
            let has_nics = self.edge_ports(switch).next().is_some();
            let is_lost = has_nics && reach.is_dead(switch);
            let health = if is_lost { HealthLevel::Unhealthy } else { HealthLevel::Degraded };
            alarms.push(Alarm::new(kind, health, Some(device.since_ms)));
        }
        // Ends of links, and the alarm of the cable that is at fault.
        let mut cables: BTreeMap<PortIndex, usize> = BTreeMap::new();
        for fault in self.ports.cable_faults(&self.fabric.wiring, &*self.fabric.expected) {
            let ports = match fault {
                CableFault::Exchanged(one, other) => vec![one, other],
                CableFault::Elsewhere { port, .. } => vec![port],
            };
            let since = self.link(ports[0]).and_then(|link| self.ports.unusable(link)).map(|(_, since)| since);
            for end in ports.iter().flat_map(|&port| [Some(port), self.fabric.wiring.peer(port)]).flatten() {
                cables.entry(end).or_insert(alarms.len());
            }
            alarms.push(Alarm::new(AlarmKind::Cable(fault), HealthLevel::Degraded, since));
        }
        // Links between groups that carry no traffic, each with the alarm of the switch that is to
        // blame.
        let mut direct: BTreeMap<(GroupId, GroupId), Vec<Option<usize>>> = BTreeMap::new();
        for (port, why, since_ms) in self.ports.all_unusable() {
            let ends = self.ends(port.0);
            let mut causes = [ends.0, ends.1].into_iter().filter_map(|end| {
                let switch = self.fabric.wiring.split(end).0;
                // For switches that have never been heard from, nothing more is known of their
                // links.
                at.get(&switch).copied().filter(|_| is_dead(switch) || why == Unusable::NotHeardOf)
            });
            let cause = causes.next();
            let groups = self.groups(port);
            if groups.0 != groups.1 {
                direct.entry(groups).or_default().push(cause);
            }
            // What is out of service on purpose is not lost with a switch that dies.
            if let Some(cause) = cause.filter(|_| !self.is_planned(port.0, why)) {
                alarms[cause].links.push(port);
            } else if reach.is_parted() && !self.join(ends) {
                alarms[0].links.push(port);
            } else if let (Unusable::Miscabled(..), Some(&cable)) = (why, cables.get(&port)) {
                alarms[cable].links.push(port);
            } else if !self.is_planned(port.0, why) {
                let health = if why == Unusable::HeldDown { HealthLevel::Converging } else { HealthLevel::Degraded };
                alarms.push(Alarm::new(AlarmKind::Link(port, why), health, Some(since_ms)));
            }
        }
        for &port in &reach.dark {
            let cause = at.get(&self.fabric.wiring.split(port).0).copied();
            direct.entry(self.groups(port)).or_default().push(cause);
            if let Some(cause) = cause {
                alarms[cause].links.push(port);
            }
        }
        for (port, flaps) in self.flapping(now_ms) {
            if flaps.isolation == Isolation::Spared {
                alarms.push(Alarm::new(AlarmKind::Spared(port), HealthLevel::Degraded, flaps.last_ms));
            }
        }
        let deaf = self.ports.unheard().map(|port| self.fabric.wiring.split(port).0).filter(|&switch| {
            let device = &self.devices[switch.index()];
            device.connection.connected && !device.neighbours.hears && !device.neighbours.is_mute
        });
        for switch in deaf.collect::<BTreeSet<_>>() {
            alarms.push(Alarm::new(AlarmKind::Deaf(switch), HealthLevel::Degraded, None));
        }
        self.nic_alarms(&reach, &at, &mut alarms);
        for (port, since_ms) in self.paused_edges() {
            alarms.push(Alarm::new(AlarmKind::PausedTooLong(port), HealthLevel::Degraded, Some(since_ms)));
        }
        let since = self.last_lost();
        for (one, other) in self.indirect_pairs() {
            let causes: Option<Vec<usize>> = direct.get(&(one, other)).and_then(|all| all.iter().copied().collect());
            if let Some(&cause) = causes.iter().flatten().next() {
                alarms[cause].pairs.push((one, other));
                continue;
            }
            let kind = AlarmKind::NoDirectLink(one, other);
            alarms.push(Alarm::new(kind, HealthLevel::Degraded, since.get(&(one, other)).copied()));
        }
        if let Some(error) = &self.tables.unsound {
            alarms.push(Alarm::new(AlarmKind::Unsound(error.clone()), HealthLevel::Unhealthy, None));
        }
        alarms
    }

    /// Whether the switches of two ports reach each other.
    fn join(&self, ends: (PortIndex, PortIndex)) -> bool {
        self.parts()
            .is_none_or(|parts| parts.join(self.fabric.wiring.split(ends.0).0, self.fabric.wiring.split(ends.1).0))
    }

    /// Alarms of NICs that are off: with their dead switch, otherwise one for each switch.
    fn nic_alarms(&self, reach: &Reachability, devices: &BTreeMap<SwitchId, usize>, alarms: &mut Vec<Alarm>) {
        let mut of: BTreeMap<(SwitchId, PortState), Alarm> = BTreeMap::new();
        for nic in self.nics_off(reach).into_iter().filter(|nic| !nic.is_planned) {
            let switch = self.fabric.wiring.split(nic.port).0;
            match nic.why {
                NicOff::Dead => {
                    if let Some(&cause) = devices.get(&switch) {
                        alarms[cause].nics.push(nic.port);
                    }
                }
                // It has its own alarm.
                NicOff::Port(PortState::PausedTooLong) | NicOff::SetApart => {}
                NicOff::Port(state) => {
                    let alarm = of.entry((switch, state)).or_insert_with(|| {
                        Alarm::new(AlarmKind::NicsOff(switch, state), HealthLevel::Degraded, Some(nic.since_ms))
                    });
                    alarm.since_ms = alarm.since_ms.map(|since| since.min(nic.since_ms));
                    alarm.nics.push(nic.port);
                }
            }
        }
        alarms.extend(of.into_values());
    }

    /// When the last link between two groups was lost, of those that carry no traffic; the lower
    /// group first.
    fn last_lost(&self) -> BTreeMap<(GroupId, GroupId), u64> {
        let mut found: BTreeMap<(GroupId, GroupId), u64> = BTreeMap::new();
        for (port, _, since_ms) in self.ports.all_unusable() {
            let last = found.entry(self.groups(port)).or_default();
            *last = since_ms.max(*last);
        }
        found
    }

    /// Everything that is off intentionally.
    #[must_use]
    pub fn planned(&self) -> Vec<Planned> {
        let reach = self.reach();
        let planned = |kind, since_ms| Planned { kind, since_ms, links: Vec::new(), nics: Vec::new() };
        let mut found: Vec<Planned> = Vec::new();
        let mut at: BTreeMap<SwitchId, usize> = BTreeMap::new();
        for switch in self.switches().filter(|switch| self.devices[switch.index()].maintenance) {
            at.insert(switch, found.len());
            found.push(planned(PlannedKind::Maintenance(switch), self.devices[switch.index()].since_ms));
        }
        // One that died after it was drained is still drained: when it is back, it stays so.
        let dead = reach.dead.iter().filter(|&&switch| self.is_set_apart(switch));
        for &switch in reach.set_apart.iter().chain(dead).filter(|switch| !self.devices[switch.index()].maintenance) {
            at.insert(switch, found.len());
            found.push(planned(PlannedKind::SetApart(switch), 0));
        }
        for (port, why, since_ms) in self.ports.all_unusable().filter(|(port, why, _)| self.is_planned(port.0, *why)) {
            let ends = self.ends(port.0);
            let switches = [ends.0, ends.1].map(|end| self.fabric.wiring.split(end).0);
            if let Some(&cause) = switches.iter().find_map(|switch| at.get(switch)) {
                found[cause].links.push(port);
                if matches!(found[cause].kind, PlannedKind::SetApart(_)) {
                    found[cause].since_ms = found[cause].since_ms.max(since_ms);
                }
            } else {
                // A drained link may be down as well.
                let why = if self.ports.is_drained(port.0) { Unusable::Drained } else { why };
                found.push(planned(PlannedKind::Link(port, why), since_ms));
            }
        }
        for nic in self.nics_off(&reach).into_iter().filter(|nic| nic.is_planned) {
            let switch = self.fabric.wiring.split(nic.port).0;
            let place = *at.entry(switch).or_insert_with(|| {
                found.push(planned(PlannedKind::NicsOff(switch), nic.since_ms));
                found.len() - 1
            });
            found[place].nics.push(nic.port);
        }
        found
    }
}

/// "1 link", "2 links", "3 switches".
fn counted(count: usize, one: &str, more: &str) -> String {
    format!("{count} {one}{}", if count == 1 { "" } else { more })
}
