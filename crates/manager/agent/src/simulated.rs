//! Simulated switches: one process runs thousands of them.
//!
//! Links are lost and come back at both ends, cables may be exchanged, switches lose power, and any
//! switch may be set to misbehave. Nothing here is random: tests that need random faults draw them
//! from a seed.

use std::collections::BTreeMap;
use std::sync::{Arc, Weak};

use philae_route_tables::{FabricWiring, ForwardingTable, StagedEntry};
use philae_units::{PortId, PortIndex, SwitchId};

use crate::agent::Agent;
use crate::control::{ControlError, PortState, PortStatus, SwitchControl, SwitchIdentity, SwitchOperation, Upgrade};
use crate::counters::CounterReading;
use crate::flash::{Flash, UpgradeTimes, first};
use crate::items::{self, Item};
use crate::section::{ConfigSection, SectionItems};

/// How a switch misbehaves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SwitchFault {
    /// Not at all.
    #[default]
    None,
    /// It refuses every change.
    Refuses,
    /// It does not answer its agent.
    Silent,
    /// It reports that it has installed forwarding entries but has not.
    Ignores,
}

#[derive(Debug)]
pub struct SimulatedSwitch {
    number: SwitchId,
    names: Arc<dyn HardwareNames>,
    ports: Vec<PortStatus>,
    changed: u64,
    /// Ports that are disabled by configuration, as a mask; and whether that is new.
    disabled: u64,
    reconfigured: bool,
    /// Whether the switch takes part in the fabric, by configuration.
    enabled: bool,
    /// Edge ports whose partner pauses all traffic, as a mask.
    pausing: u64,
    /// Ports that the agent has isolated, with the status that they would otherwise have.
    isolated: BTreeMap<u8, PortStatus>,
    routes: ForwardingTable,
    /// Hash of `routes`, if known.
    hash: Option<u64>,
    epoch: u64,
    rebooting: bool,
    /// Traffic of its ports since the last report.
    counters: Option<CounterReading>,
    /// How it misbehaves.
    pub fault: SwitchFault,
    /// Its firmware, if it has settings of its own.
    pub flash: Option<Box<Flash>>,
    /// How often its power has changed.
    starts: u32,
}

/// Names of switches and ports.
pub trait HardwareNames: Send + Sync + std::fmt::Debug {
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

impl HardwareNames for Numbered {
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
    /// Its forwarding table.
    #[must_use]
    pub const fn routes(&self) -> &ForwardingTable {
        &self.routes
    }

    /// Whether a restart was ordered since the previous call; the driver then closes its
    /// connection.
    pub fn take_reboot(&mut self) -> bool {
        std::mem::take(&mut self.rebooting)
    }

    /// Whether ports were enabled or disabled since the previous call; the driver then notifies the
    /// fabric ([`SimulatedFabric::reconfigured`]).
    pub fn take_reconfigured(&mut self) -> bool {
        std::mem::take(&mut self.reconfigured)
    }

    /// Loses everything except the highest epoch.
    pub fn power_cycle(&mut self) {
        self.routes = ForwardingTable::default();
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

    /// Whether a port is enabled by configuration.
    fn is_on(&self, port: PortId) -> bool {
        self.enabled && self.disabled >> port.0 & 1 == 0
    }

    fn obeys(&self) -> Result<(), ControlError> {
        match self.fault {
            SwitchFault::Refuses => Err(ControlError::Refused("it was configured to refuse".to_owned())),
            SwitchFault::Silent => Err(ControlError::Failed("it was configured not to answer".to_owned())),
            SwitchFault::None | SwitchFault::Ignores => Ok(()),
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

    fn set_routes(&mut self, entries: &[StagedEntry], replace: bool) -> Result<(), ControlError> {
        self.obeys()?;
        if self.fault == SwitchFault::Ignores {
            return Ok(());
        }
        if replace {
            self.routes = ForwardingTable::default();
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

    /// Reads everything as a driver would, and refuses invalid content. In the simulated fabric,
    /// only the enabling and disabling of ports has an effect.
    fn set_section(&mut self, section: ConfigSection, items: &SectionItems) -> Result<(), ControlError> {
        self.obeys()?;
        let refused = |error: items::ItemError| ControlError::Refused(error.to_string());
        let was = (self.disabled, self.enabled);
        match section {
            ConfigSection::Ports => {
                let mut disabled = 0;
                // Most ports have the same settings and share the value.
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
                if section == ConfigSection::Switch {
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

    fn operate(&mut self, operation: SwitchOperation) -> Result<(), ControlError> {
        self.obeys()?;
        match operation {
            SwitchOperation::Reboot => self.rebooting = true,
            SwitchOperation::Upgrade(version) => self.flash.get_or_insert_default().order(&version)?,
            SwitchOperation::ResetPort(port) => {
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

    fn take_counters(&mut self) -> Option<CounterReading> {
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
    wiring: Arc<FabricWiring>,
    names: Arc<dyn HardwareNames>,
    agents: Vec<Agent<SimulatedSwitch>>,
    /// (S): whether a switch has power.
    powered: Vec<bool>,
    /// (S): ports whose cable carries no signal, as masks.
    cut: Vec<u64>,
    /// Cables that are plugged in elsewhere than planned: port to port.
    exchanged: BTreeMap<PortIndex, PortIndex>,
    /// Switches whose ports have changed since the previous call of [`Self::take_touched`].
    touched: std::collections::BTreeSet<SwitchId>,
    /// Sections in use, by section and hash.
    shared: BTreeMap<(ConfigSection, u64), Weak<SectionItems>>,
    /// Firmware upgrades in progress.
    pub(crate) upgrades: UpgradeTimes,
}

/// The number of remembered sections below which unused ones are not removed.
const SHARED_MIN: usize = 1_024;

impl SimulatedFabric {
    /// All switches have power, all links are trained, and there is no configuration.
    #[must_use]
    pub fn new(wiring: Arc<FabricWiring>, names: Arc<dyn HardwareNames>) -> Self {
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
                routes: ForwardingTable::default(),
                hash: None,
                epoch: 0,
                rebooting: false,
                counters: None,
                fault: SwitchFault::None,
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
            upgrades: UpgradeTimes::default(),
        };
        for switch in (0..count).map(SwitchId::from_index) {
            fabric.update_ports(switch);
        }
        fabric
    }

    /// The agent of a switch.
    #[must_use]
    pub fn agent(&self, switch: SwitchId) -> &Agent<SimulatedSwitch> {
        &self.agents[switch.index()]
    }

    /// The agent of a switch, mutable.
    pub fn agent_mut(&mut self, switch: SwitchId) -> &mut Agent<SimulatedSwitch> {
        &mut self.agents[switch.index()]
    }

    /// Switches whose ports have changed since the previous call: their agents have messages to
    /// send.
    pub fn take_touched(&mut self) -> std::collections::BTreeSet<SwitchId> {
        std::mem::take(&mut self.touched)
    }

    /// Records that the agent of a switch has a message to send.
    pub(crate) fn touch(&mut self, switch: SwitchId) {
        self.touched.insert(switch);
    }

    /// Whether ports have changed since [`Self::take_touched`].
    #[must_use]
    pub fn is_touched(&self) -> bool {
        !self.touched.is_empty()
    }

    /// The planned wiring.
    #[must_use]
    pub const fn wiring(&self) -> &Arc<FabricWiring> {
        &self.wiring
    }

    /// Whether a switch has power.
    #[must_use]
    pub fn is_powered(&self, switch: SwitchId) -> bool {
        self.powered[switch.index()]
    }

    /// The other end of the cable in a port.
    fn far(&self, port: PortIndex) -> Option<PortIndex> {
        self.exchanged.get(&port).copied().or_else(|| self.wiring.peer(port))
    }

    /// Removes the signal from both ends of a cable, or restores it. For an edge port this is the
    /// NIC's signal.
    pub fn set_link(&mut self, port: PortIndex, up: bool) {
        for end in [Some(port), self.far(port)].into_iter().flatten() {
            let (switch, number) = self.wiring.split(end);
            let cut = &mut self.cut[switch.index()];
            *cut = if up { *cut & !(1 << number.0) } else { *cut | 1 << number.0 };
        }
        for end in [Some(port), self.far(port)].into_iter().flatten() {
            self.update_port(end);
        }
    }

    /// Whether the cable in a port carries no signal because it was cut.
    #[must_use]
    pub fn is_cut(&self, port: PortIndex) -> bool {
        let (switch, number) = self.wiring.split(port);
        self.cut[switch.index()] >> number.0 & 1 == 1
    }

    /// Whether the cable in a port leads elsewhere than planned.
    #[must_use]
    pub fn is_exchanged(&self, port: PortIndex) -> bool {
        self.exchanged.get(&port).is_some_and(|far| self.wiring.peer(port) != Some(*far))
    }

    /// Puts a cable that was exchanged where it is planned, and the one that is in its place too.
    pub fn put_right(&mut self, port: PortIndex) {
        let Some(planned) = self.wiring.peer(port) else { return };
        // With the ends of both cables at this port and at the planned far end exchanged, this link
        // is as planned; what was there leads where this one led.
        if let Some(now) = self.far(port).filter(|now| *now != planned) {
            self.exchange(now, planned);
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
            self.update_port(end);
        }
    }

    /// Lets the partner of an edge port pause all traffic, or end that.
    pub fn set_pausing(&mut self, port: PortIndex, pausing: bool) {
        let (switch, number) = self.wiring.split(port);
        let device = self.agents[switch.index()].switch_mut();
        device.pausing = if pausing { device.pausing | 1 << number.0 } else { device.pausing & !(1 << number.0) };
        self.touched.insert(switch);
    }

    /// Lets switches with equal settings share one copy. A real agent runs one switch and needs no
    /// sharing.
    pub fn share(&mut self, switch: SwitchId, section: ConfigSection) {
        let Some(items) = self.agents[switch.index()].section_mut(section) else { return };
        let key = (section, items.hash());
        match self.shared.get(&key).and_then(Weak::upgrade) {
            Some(known) if *known == **items => *items = known,
            _ => {
                self.shared.insert(key, Arc::downgrade(items));
            }
        }
        if self.shared.len() > SHARED_MIN.max(ConfigSection::ALL.len() * self.agents.len()) {
            self.shared.retain(|_, held| held.strong_count() > 0);
        }
    }

    /// Turns the power of a switch off or on. It comes back without configuration.
    pub fn set_power(&mut self, switch: SwitchId, on: bool) {
        if std::mem::replace(&mut self.powered[switch.index()], on) == on {
            return;
        }
        let agent = &mut self.agents[switch.index()];
        agent.restarted();
        agent.switch_mut().power_cycle();
        self.update_ports(switch);
    }

    /// Adds traffic of a switch's ports.
    pub fn count(&mut self, switch: SwitchId, counters: CounterReading) {
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

    /// Handles the enabling or disabling of ports at a switch: both ends of their links notice.
    pub fn reconfigured(&mut self, switch: SwitchId) {
        self.update_ports(switch);
    }

    fn update_ports(&mut self, switch: SwitchId) {
        for port in 0..self.wiring.radix() {
            let port = self.wiring.port(switch, PortId(port as u8));
            self.update_port(port);
            if let Some(far) = self.far(port) {
                self.update_port(far);
            }
        }
    }

    /// Updates the status of a port as its switch sees it.
    fn update_port(&mut self, port: PortIndex) {
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
            // The port stays isolated; this is its status after its release.
            device.isolated.insert(number.0, status);
        } else {
            device.set_port(number, status);
            self.touched.insert(switch);
        }
    }
}
