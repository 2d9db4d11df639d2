//! Switches without hardware: one process stands for thousands of them.
//!
//! Links are lost and come back at both of their ends, cables may be exchanged, switches lose power, and any of them may be
//! told to misbehave. Nothing here is drawn at random: who wants random faults draws them from a seed and orders them.

use std::collections::BTreeMap;
use std::sync::{Arc, Weak};

use philae_forwarding::{Entry, SwitchTable, Wiring};
use philae_units::{PortId, PortIndex, SwitchId};

use crate::agent::Agent;
use crate::control::{ControlError, Operation, PortState, PortStatus, SwitchControl, SwitchIdentity, Upgrade};
use crate::counters::Counters;
use crate::flash::{Flash, Upgrades, first};
use crate::items::{self, Item};
use crate::section::{Section, SectionItems};

/// How a switch misbehaves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Fault {
    /// Not at all.
    #[default]
    None,
    /// It refuses every change.
    Refuses,
    /// It does not answer its agent.
    Silent,
    /// It says that it has taken up forwarding entries and has not.
    Ignores,
}

/// A switch.
#[derive(Debug)]
pub struct SimulatedSwitch {
    number: SwitchId,
    names: Arc<dyn Names>,
    ports: Vec<PortStatus>,
    changed: u64,
    /// Ports that are switched off by configuration, as a mask; and whether that is new.
    disabled: u64,
    reconfigured: bool,
    /// Whether the switch takes part at all, by configuration.
    enabled: bool,
    /// Edge ports whose partner holds back all traffic, as a mask.
    pausing: u64,
    /// Ports that the agent has isolated, with what they would be otherwise.
    isolated: BTreeMap<u8, PortStatus>,
    routes: SwitchTable,
    /// Hash of `routes`, where it is known.
    hash: Option<u64>,
    epoch: u64,
    rebooting: bool,
    /// What its ports have carried, since it was reported last.
    counters: Option<Counters>,
    /// How it misbehaves.
    pub fault: Fault,
    /// Its firmware, where anything was said of it.
    pub flash: Option<Box<Flash>>,
    /// How often its power changed.
    starts: u32,
}

/// What switches and ports are called.
pub trait Names: Send + Sync + std::fmt::Debug {
    /// Name of a switch's controller.
    fn switch(&self, switch: SwitchId) -> String;
    /// Network address of a port.
    fn nid(&self, port: PortIndex) -> Option<u32>;
    /// Model of a switch.
    fn model(&self, switch: SwitchId) -> String;
}

/// Names and addresses by number alone, for fabrics without an inventory: tests and examples.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Numbered;

impl Names for Numbered {
    fn switch(&self, switch: SwitchId) -> String {
        format!("x1000c0r{}b0", switch.0)
    }

    fn nid(&self, port: PortIndex) -> Option<u32> {
        Some(port.0)
    }

    fn model(&self, _: SwitchId) -> String {
        "simulated".to_owned()
    }
}

impl SimulatedSwitch {
    /// What it forwards by.
    #[must_use]
    pub const fn routes(&self) -> &SwitchTable {
        &self.routes
    }

    /// Whether it was told to start again since this was asked last: whoever drives it closes its connection then.
    pub fn take_reboot(&mut self) -> bool {
        std::mem::take(&mut self.rebooting)
    }

    /// Whether ports were switched on or off since this was asked last: whoever drives it lets the fabric notice
    /// ([`SimulatedFabric::reconfigured`]).
    pub fn take_reconfigured(&mut self) -> bool {
        std::mem::take(&mut self.reconfigured)
    }

    /// Loses everything that it does not keep: all but the highest epoch.
    pub fn power_cycle(&mut self) {
        self.routes = SwitchTable::default();
        self.hash = None;
        self.counters = None;
        self.disabled = 0;
        self.enabled = true;
        self.isolated.clear();
        self.starts += 1;
        if let Some(flash) = &mut self.flash {
            flash.restarted();
        }
    }

    fn set_port(&mut self, port: PortId, status: PortStatus) {
        self.ports[usize::from(port.0)] = status;
        self.changed |= 1 << port.0;
    }

    /// Whether a port is on by configuration.
    fn is_on(&self, port: PortId) -> bool {
        self.enabled && self.disabled >> port.0 & 1 == 0
    }

    fn obeys(&self) -> Result<(), ControlError> {
        match self.fault {
            Fault::Refuses => Err(ControlError::Refused("it was told to refuse".to_owned())),
            Fault::Silent => Err(ControlError::Failed("it was told not to answer".to_owned())),
            Fault::None | Fault::Ignores => Ok(()),
        }
    }
}

impl SwitchControl for SimulatedSwitch {
    fn identity(&self) -> SwitchIdentity {
        SwitchIdentity {
            name: self.names.switch(self.number),
            serial: format!("SIM{:06}", self.number.0),
            model: self.names.model(self.number),
            firmware: self.flash.as_ref().map_or(first(), |flash| &flash.firmware).to_owned(),
            ports: self.ports.len() as u8,
            agent: self.flash.as_ref().map_or_else(String::new, |flash| flash.agent.clone()),
            boot: self.starts.to_string(),
        }
    }

    fn ports(&self) -> Vec<PortStatus> {
        self.ports.clone()
    }

    fn take_changes(&mut self) -> Vec<u8> {
        let changed = std::mem::take(&mut self.changed);
        (0..64).filter(|port| changed >> port & 1 == 1).collect()
    }

    fn set_routes(&mut self, entries: &[Entry], replace: bool) -> Result<(), ControlError> {
        self.obeys()?;
        if self.fault == Fault::Ignores {
            return Ok(());
        }
        if replace {
            self.routes = SwitchTable::default();
        }
        for entry in entries {
            self.routes.set(entry.destination, entry.ports);
        }
        if replace {
            self.routes.shrink_to_fit();
        }
        self.hash = Some(self.routes.hash());
        Ok(())
    }

    fn routes_hash(&self) -> u64 {
        self.hash.unwrap_or_else(|| self.routes.hash())
    }

    /// Everything is read as a driver would read it, and what cannot be is refused. Of what it says, whether ports are on is
    /// all that has an effect in the simulated fabric.
    fn set_section(&mut self, section: Section, items: &SectionItems) -> Result<(), ControlError> {
        self.obeys()?;
        let refused = |error: items::ItemError| ControlError::Refused(error.to_string());
        let was = (self.disabled, self.enabled);
        match section {
            Section::Ports => {
                let mut disabled = 0;
                // Most ports are set alike, and share what they are set to.
                let mut read: Vec<(&Arc<[u8]>, bool)> = Vec::new();
                for (port, value) in items.iter() {
                    if usize::try_from(port).map_or(true, |port| port >= self.ports.len()) {
                        return Err(ControlError::Refused(format!("there is no port {port}")));
                    }
                    let known = read.iter().find(|(known, _)| Arc::ptr_eq(known, value)).map(|(_, offline)| *offline);
                    let offline = match known {
                        Some(offline) => offline,
                        None => {
                            let item = items::read(section, port, value).map_err(refused)?;
                            let offline = matches!(item, Item::Port(item) if item.state == "offline");
                            read.push((value, offline));
                            offline
                        }
                    };
                    disabled |= u64::from(offline) << port;
                }
                self.disabled = disabled;
            }
            _ => {
                let all = items::read_all(section, items).map_err(refused)?;
                if section == Section::Switch {
                    self.enabled = all.iter().all(|(_, item)| !matches!(item, Item::Switch(item) if !item.enabled));
                }
            }
        }
        self.reconfigured |= was != (self.disabled, self.enabled);
        Ok(())
    }

    fn pausing(&self) -> u64 {
        self.pausing
    }

    fn isolate(&mut self, port: u8, isolated: bool) -> Result<(), ControlError> {
        self.obeys()?;
        let Some(status) = self.ports.get(usize::from(port)).copied() else {
            return Err(ControlError::Refused(format!("there is no port {port}")));
        };
        if isolated {
            self.isolated.insert(port, status);
            self.set_port(PortId(port), PortStatus { state: PortState::PausedTooLong, ..status });
        } else if let Some(status) = self.isolated.remove(&port) {
            self.set_port(PortId(port), status);
        }
        Ok(())
    }

    fn operate(&mut self, operation: Operation) -> Result<(), ControlError> {
        self.obeys()?;
        match operation {
            Operation::Reboot => self.rebooting = true,
            Operation::Upgrade(version) => self.flash.get_or_insert_default().order(&version)?,
            Operation::ResetPort(port) => {
                let Some(status) = self.ports.get_mut(usize::from(port)) else {
                    return Err(ControlError::Refused(format!("there is no port {port}")));
                };
                if status.state == PortState::Up {
                    status.losses += 1;
                    self.changed |= 1 << port;
                }
            }
        }
        Ok(())
    }

    fn upgrade(&mut self) -> Option<Upgrade> {
        self.flash.as_ref().and_then(|flash| flash.upgrade())
    }

    fn has_counters(&self) -> bool {
        self.counters.is_some()
    }

    fn take_counters(&mut self) -> Option<Counters> {
        self.counters.take()
    }

    fn epoch(&self) -> u64 {
        self.epoch
    }

    fn set_epoch(&mut self, epoch: u64) {
        self.epoch = epoch;
    }
}

/// All switches of a fabric, each with its agent.
#[derive(Debug)]
pub struct SimulatedFabric {
    wiring: Arc<Wiring>,
    names: Arc<dyn Names>,
    agents: Vec<Agent<SimulatedSwitch>>,
    /// (S): whether a switch has power.
    powered: Vec<bool>,
    /// (S): ports whose cable carries no signal, as masks.
    cut: Vec<u64>,
    /// Cables that are plugged in elsewhere than planned: port to port.
    exchanged: BTreeMap<PortIndex, PortIndex>,
    /// Switches whose ports have changed since this was asked last.
    touched: std::collections::BTreeSet<SwitchId>,
    /// Sections that switches hold, by section and hash.
    shared: BTreeMap<(Section, u64), Weak<SectionItems>>,
    /// Upgrades of firmware that go on.
    pub(crate) upgrades: Upgrades,
}

/// Sections that are remembered at least before those that nobody holds any more are forgotten.
const SHARED_MIN: usize = 1_024;

impl SimulatedFabric {
    /// All switches on, all links trained, no configuration.
    #[must_use]
    pub fn new(wiring: Arc<Wiring>, names: Arc<dyn Names>) -> Self {
        let count = wiring.switch_count();
        let agent = |number: SwitchId| {
            Agent::new(SimulatedSwitch {
                number,
                names: Arc::clone(&names),
                ports: vec![PortStatus::default(); wiring.radix()],
                changed: 0,
                disabled: 0,
                reconfigured: false,
                enabled: true,
                pausing: 0,
                isolated: BTreeMap::new(),
                routes: SwitchTable::default(),
                hash: None,
                epoch: 0,
                rebooting: false,
                counters: None,
                fault: Fault::None,
                flash: None,
                starts: 0,
            })
        };
        let agents = (0..count).map(SwitchId::from_index).map(agent).collect();
        let mut fabric = Self {
            wiring,
            names,
            agents,
            powered: vec![true; count],
            cut: vec![0; count],
            exchanged: BTreeMap::new(),
            touched: std::collections::BTreeSet::new(),
            shared: BTreeMap::new(),
            upgrades: Upgrades::default(),
        };
        for switch in (0..count).map(SwitchId::from_index) {
            fabric.settle(switch);
        }
        fabric
    }

    /// The agent of a switch.
    #[must_use]
    pub fn agent(&self, switch: SwitchId) -> &Agent<SimulatedSwitch> {
        &self.agents[switch.index()]
    }

    /// The agent of a switch, to be driven.
    pub fn agent_mut(&mut self, switch: SwitchId) -> &mut Agent<SimulatedSwitch> {
        &mut self.agents[switch.index()]
    }

    /// Switches whose ports have changed since this was asked last: their agents have something to say.
    pub fn take_touched(&mut self) -> std::collections::BTreeSet<SwitchId> {
        std::mem::take(&mut self.touched)
    }

    /// The agent of a switch has something to say.
    pub(crate) fn touch(&mut self, switch: SwitchId) {
        self.touched.insert(switch);
    }

    /// Whether ports have changed since [`Self::take_touched`].
    #[must_use]
    pub fn is_touched(&self) -> bool {
        !self.touched.is_empty()
    }

    /// Who should be wired to whom.
    #[must_use]
    pub const fn wiring(&self) -> &Arc<Wiring> {
        &self.wiring
    }

    /// Whether a switch has power.
    #[must_use]
    pub fn is_powered(&self, switch: SwitchId) -> bool {
        self.powered[switch.index()]
    }

    /// The other end of the cable that is in a port.
    fn far(&self, port: PortIndex) -> Option<PortIndex> {
        self.exchanged.get(&port).copied().or_else(|| self.wiring.peer(port))
    }

    /// Takes the signal from a cable, or gives it back; at both ends. For an edge port it is the NIC that goes.
    pub fn set_link(&mut self, port: PortIndex, up: bool) {
        for end in [Some(port), self.far(port)].into_iter().flatten() {
            let (switch, number) = self.wiring.split(end);
            let cut = &mut self.cut[switch.index()];
            *cut = if up { *cut & !(1 << number.0) } else { *cut | 1 << number.0 };
        }
        for end in [Some(port), self.far(port)].into_iter().flatten() {
            self.settle_port(end);
        }
    }

    /// Exchanges two cables at these ends.
    pub fn exchange(&mut self, one: PortIndex, other: PortIndex) {
        let (Some(far_of_one), Some(far_of_other)) = (self.far(one), self.far(other)) else { return };
        for (end, far) in [(one, far_of_other), (other, far_of_one)] {
            self.exchanged.insert(end, far);
            self.exchanged.insert(far, end);
        }
        for end in [one, other, far_of_one, far_of_other] {
            self.settle_port(end);
        }
    }

    /// Lets the partner of an edge port hold back all traffic, or stop doing so.
    pub fn set_pausing(&mut self, port: PortIndex, pausing: bool) {
        let (switch, number) = self.wiring.split(port);
        let device = self.agents[switch.index()].switch_mut();
        device.pausing = if pausing { device.pausing | 1 << number.0 } else { device.pausing & !(1 << number.0) };
        self.touched.insert(switch);
    }

    /// Lets a switch that is set like others share what it holds with them: a real agent stands for one switch and need not.
    pub fn share(&mut self, switch: SwitchId, section: Section) {
        let Some(items) = self.agents[switch.index()].section_mut(section) else { return };
        let key = (section, items.hash());
        match self.shared.get(&key).and_then(Weak::upgrade) {
            Some(known) if *known == **items => *items = known,
            _ => {
                self.shared.insert(key, Arc::downgrade(items));
            }
        }
        if self.shared.len() > SHARED_MIN.max(Section::ALL.len() * self.agents.len()) {
            self.shared.retain(|_, held| held.strong_count() > 0);
        }
    }

    /// Takes the power from a switch, or gives it back. It comes back without configuration.
    pub fn set_power(&mut self, switch: SwitchId, on: bool) {
        if std::mem::replace(&mut self.powered[switch.index()], on) == on {
            return;
        }
        let agent = &mut self.agents[switch.index()];
        agent.restarted();
        agent.switch_mut().power_cycle();
        self.settle(switch);
    }

    /// Ports of a switch have carried something.
    pub fn count(&mut self, switch: SwitchId, counters: Counters) {
        if !self.powered[switch.index()] {
            return;
        }
        let device = self.agents[switch.index()].switch_mut();
        match &mut device.counters {
            Some(waiting) => waiting.take_in(counters),
            None => device.counters = Some(counters),
        }
        self.touched.insert(switch);
    }

    /// A switch has switched ports on or off: both ends of their links notice.
    pub fn reconfigured(&mut self, switch: SwitchId) {
        self.settle(switch);
    }

    fn settle(&mut self, switch: SwitchId) {
        for port in 0..self.wiring.radix() {
            let port = self.wiring.port(switch, PortId(port as u8));
            self.settle_port(port);
            if let Some(far) = self.far(port) {
                self.settle_port(far);
            }
        }
    }

    /// Brings what a switch sees of a port up to date.
    fn settle_port(&mut self, port: PortIndex) {
        let (switch, number) = self.wiring.split(port);
        let is_edge = self.wiring.edge(switch) >> number.0 & 1 == 1;
        let far = self.far(port);
        let on = |end: PortIndex| self.powered[self.wiring.split(end).0.index()];
        let whole = self.cut[switch.index()] >> number.0 & 1 == 0;
        let enabled = |end: PortIndex| {
            let (switch, number) = self.wiring.split(end);
            self.agents[switch.index()].switch().is_on(number)
        };
        let whole = whole && far.is_none_or(enabled);
        let state = match far {
            _ if !enabled(port) => PortState::Disabled,
            Some(far) if whole && on(port) && on(far) => PortState::Up,
            Some(_) => PortState::Down,
            None if is_edge && whole => PortState::Up,
            None if is_edge => PortState::Down,
            None => PortState::Absent,
        };
        let neighbour = far.filter(|_| state == PortState::Up).and_then(|far| self.names.nid(far));
        let device = self.agents[switch.index()].switch_mut();
        let isolated = device.isolated.get(&number.0).copied();
        let old = isolated.unwrap_or(device.ports[usize::from(number.0)]);
        let losses = old.losses + u32::from(old.state == PortState::Up && state == PortState::Down);
        let status = PortStatus { state, neighbour, losses };
        if old == status {
            return;
        }
        if isolated.is_some() {
            // It stays isolated; this is what it is when it is given back.
            device.isolated.insert(number.0, status);
        } else {
            device.set_port(number, status);
            self.touched.insert(switch);
        }
    }
}
