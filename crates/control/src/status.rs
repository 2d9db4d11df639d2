//! How well the fabric is, and where it is not.
//!
//! Alarms are not kept: they follow from the state there is, so that each ends by itself when its cause does.

use philae_agent::PortState;
use philae_units::{GroupId, PortIndex, SwitchId};

use crate::control::Control;
use crate::device::{Cause, DeviceState};
use crate::flap::Isolation;
use crate::ports::{CableFault, Unusable};
use crate::routing::Published;

/// One of the four words, with what it comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Health {
    /// Nothing is wrong.
    Healthy,
    /// Something is on its way to be right.
    Converging,
    /// Something is wrong; traffic finds its way.
    Degraded,
    /// Traffic is lost, or could be.
    Unhealthy,
}

impl Health {
    /// The word that people read.
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

/// A word and its causes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HealthWord {
    /// How it is.
    pub health: Health,
    /// Why, most serious first.
    pub causes: Vec<String>,
}

impl HealthWord {
    /// Takes in one more cause, that this crate cannot see.
    pub fn add(&mut self, health: Health, cause: String) {
        self.health = self.health.max(health);
        self.causes.push(cause);
    }

    /// From causes with what each makes of the word.
    #[must_use]
    pub fn from_causes(mut causes: Vec<(Health, String)>) -> Self {
        causes.sort_by_key(|cause| std::cmp::Reverse(cause.0));
        let health = causes.first().map_or(Health::Healthy, |cause| cause.0);
        Self { health, causes: causes.into_iter().map(|cause| cause.1).collect() }
    }
}

/// What is wrong.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum AlarmKind {
    /// A device is not as it should be.
    Device(SwitchId, DeviceState, Cause),
    /// A link carries no traffic.
    Link(PortIndex, Unusable),
    /// A link should be isolated and is not.
    Spared(PortIndex),
    /// A cable leads elsewhere than planned.
    Cable(CableFault),
    /// Two groups have no direct link left: minimal ways between them have two global hops.
    NoDirectLink(GroupId, GroupId),
    /// An edge port is isolated: its partner held back traffic for too long.
    PausedTooLong(PortIndex),
    /// New tables could not be proven: those before stay in force.
    Unsound(String),
}

/// Something that is wrong, since when.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Alarm {
    /// What.
    pub kind: AlarmKind,
    /// How bad it is.
    pub health: Health,
    /// Since when, milliseconds of the manager's clock, where that is known.
    pub since_ms: Option<u64>,
}

/// What people read first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Status {
    /// Whether the fabric forwards: devices and links are there.
    pub runtime: HealthWord,
    /// Whether devices have what they should have.
    pub configuration: HealthWord,
    /// Whether traffic finds its ways.
    pub traffic: HealthWord,
    /// Switches by state, in the order of [`DeviceState::ALL`].
    pub switches: [usize; 8],
    /// Ports to NICs.
    pub edge: PortCount,
    /// Ports to other switches.
    pub fabric: PortCount,
    /// Links: all, and those that carry traffic.
    pub links: (usize, usize),
    /// Pairs of groups without a direct link.
    pub indirect_pairs: usize,
    /// The tables that were published last.
    pub published: Published,
}

/// Ports, counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PortCount {
    /// All.
    pub total: usize,
    /// Those whose switch says that they are up.
    pub up: usize,
    /// Those whose switch does not answer.
    pub unknown: usize,
}

impl Control {
    /// How well the fabric is.
    #[must_use]
    pub fn status(&self) -> Status {
        let mut switches = [0; 8];
        let (mut edge, mut fabric) = (PortCount::default(), PortCount::default());
        for switch in self.switches() {
            let state = self.device_state(switch);
            switches[state as usize] += 1;
            let is_heard = !matches!(state, DeviceState::Unknown | DeviceState::Unreachable);
            let joined = self.wiring.local(switch) | self.wiring.global(switch);
            for port in 0..self.wiring.radix() as u8 {
                let count = match (joined >> port & 1, self.wiring.edge(switch) >> port & 1) {
                    (1, _) => &mut fabric,
                    (_, 1) => &mut edge,
                    _ => continue,
                };
                count.total += 1;
                let port = self.wiring.port(switch, philae_units::PortId(port));
                count.unknown += usize::from(!is_heard);
                count.up += usize::from(is_heard && self.ports.state(port) == PortState::Up);
            }
        }
        let indirect_pairs = self.plan.as_ref().map_or(0, |plan| plan.pairs_without_direct_link().count());
        let links = (self.link_count, self.link_count - self.ports.unusable_count());
        let count = |state: DeviceState| switches[state as usize];
        Status {
            runtime: self.runtime(&count, links),
            configuration: self.configuration(&count),
            traffic: self.traffic(indirect_pairs),
            switches,
            edge,
            fabric,
            links,
            indirect_pairs,
            published: self.published,
        }
    }

    fn runtime(&self, count: &dyn Fn(DeviceState) -> usize, links: (usize, usize)) -> HealthWord {
        let mut causes = Vec::new();
        for (state, health) in [
            (DeviceState::Unknown, Health::Degraded),
            (DeviceState::Unreachable, Health::Degraded),
            (DeviceState::Quarantined, Health::Degraded),
        ] {
            if count(state) > 0 {
                causes.push((health, format!("{} switches {}", count(state), state.name())));
            }
        }
        if links.1 < links.0 {
            causes.push((Health::Degraded, format!("{} of {} links carry no traffic", links.0 - links.1, links.0)));
        }
        HealthWord::from_causes(causes)
    }

    fn configuration(&self, count: &dyn Fn(DeviceState) -> usize) -> HealthWord {
        let mut causes = Vec::new();
        for (state, health) in [
            (DeviceState::Connected, Health::Converging),
            (DeviceState::Configuring, Health::Converging),
            (DeviceState::Degraded, Health::Degraded),
            (DeviceState::Maintenance, Health::Degraded),
        ] {
            if count(state) > 0 {
                causes.push((health, format!("{} switches {}", count(state), state.name())));
            }
        }
        let cables = self.ports.cable_faults(&self.wiring, &*self.expected).len();
        if cables > 0 {
            causes.push((Health::Degraded, format!("{cables} cables lead elsewhere than planned")));
        }
        HealthWord::from_causes(causes)
    }

    fn traffic(&self, indirect_pairs: usize) -> HealthWord {
        let mut causes = Vec::new();
        if self.plan.is_none() {
            causes.push((Health::Converging, "no tables have been published yet".to_owned()));
        }
        if let Some(active) = self.rollout() {
            let text =
                format!("tables {} are being taken up, {} switches to answer", active.generation, active.waiting);
            causes.push((Health::Converging, text));
        }
        if indirect_pairs > 0 {
            causes.push((Health::Degraded, format!("{indirect_pairs} pairs of groups have no direct link")));
        }
        let paused =
            self.ports.all_unusable().filter(|(_, why, _)| matches!(why, Unusable::Down(_, PortState::PausedTooLong)));
        let paused = paused.count() + self.paused_edges().count();
        if paused > 0 {
            causes.push((Health::Degraded, format!("{paused} ports were held back for too long")));
        }
        if let Some(error) = &self.unsound {
            causes.push((Health::Unhealthy, format!("new tables could not be proven: {error}")));
        }
        HealthWord::from_causes(causes)
    }

    /// All that is wrong.
    #[must_use]
    pub fn alarms(&self, now_ms: u64) -> Vec<Alarm> {
        let mut alarms = Vec::new();
        for switch in self.switches() {
            let device = &self.devices[switch.index()];
            let health = match device.state {
                DeviceState::Synced | DeviceState::Connected | DeviceState::Configuring => continue,
                DeviceState::Maintenance => Health::Converging,
                _ => Health::Degraded,
            };
            let kind = AlarmKind::Device(switch, device.state, device.cause.clone());
            alarms.push(Alarm { kind, health, since_ms: Some(device.since_ms) });
        }
        for (port, why, since_ms) in self.ports.all_unusable() {
            let health = if matches!(why, Unusable::Drained) { Health::Converging } else { Health::Degraded };
            alarms.push(Alarm { kind: AlarmKind::Link(port, why), health, since_ms: Some(since_ms) });
        }
        for (port, flaps) in self.flapping(now_ms) {
            if flaps.isolation == Isolation::Spared {
                alarms.push(Alarm { kind: AlarmKind::Spared(port), health: Health::Degraded, since_ms: flaps.last_ms });
            }
        }
        for fault in self.ports.cable_faults(&self.wiring, &*self.expected) {
            alarms.push(Alarm { kind: AlarmKind::Cable(fault), health: Health::Degraded, since_ms: None });
        }
        for (port, since_ms) in self.paused_edges() {
            let kind = AlarmKind::PausedTooLong(port);
            alarms.push(Alarm { kind, health: Health::Degraded, since_ms: Some(since_ms) });
        }
        for (one, other) in self.plan.iter().flat_map(|plan| plan.pairs_without_direct_link()) {
            let kind = AlarmKind::NoDirectLink(one, other);
            alarms.push(Alarm { kind, health: Health::Degraded, since_ms: None });
        }
        if let Some(error) = &self.unsound {
            let kind = AlarmKind::Unsound(error.clone());
            alarms.push(Alarm { kind, health: Health::Unhealthy, since_ms: None });
        }
        alarms
    }
}
