//! A switch that is a network namespace of Linux: its ports are the interfaces p0 to p63, and it
//! forwards IPv6 by the manager's tables.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use philae_agent::{
    ConfigSection, ControlError, PortState, PortStatus, SectionItems, SwitchControl, SwitchIdentity, SwitchOperation,
    Upgrade, items,
};
use philae_console::note;
use philae_inventory::PlannedFabric;
use philae_route_tables::{FabricWiring, ForwardingTable, StagedEntry};
use philae_units::{PortId, SwitchId};

use super::links::NamespacePorts;
use super::plan::{self, OF_DRIVER, OF_MANAGER, OTHER_END, interface};
use super::policy::Policy;
use super::tools::Namespace;
use super::upgrade::SwitchUpgrades;

/// The address of every port, so that a packet sent over a link reaches its other end.
///
/// Source: ours: locally administered, "PHILA" in ASCII. Status: assumed.
const PORT_MAC: &str = "02:50:48:49:4c:41";

/// How long a listing of routes is valid, because each heartbeat needs one.
///
/// Source: ours. Status: assumed; another program's change of the routes is noticed this much
/// later.
const LISTED: Duration = Duration::from_secs(2);

/// Interval at which the interfaces are read.
///
/// Source: ours. Status: assumed; it bounds how late the loss of a link is noticed.
const LOOKED: Duration = Duration::from_millis(50);

/// A switch in software.
#[derive(Debug)]
pub struct LinuxSwitch {
    fabric: Arc<PlannedFabric>,
    wiring: Arc<FabricWiring>,
    number: SwitchId,
    namespace: Namespace,
    links: NamespacePorts,
    /// Interfaces that are set up.
    ready: BTreeSet<u8>,
    /// Interfaces that an administrator has switched off by hand; the kernel then forgets their
    /// addresses and routes.
    off_by_hand: BTreeSet<u8>,
    policy: Policy,
    /// The last reported state of each port.
    told: Vec<PortStatus>,
    losses: BTreeMap<u8, u32>,
    looked: Instant,
    /// The kernel's routes, as last listed.
    listed: RefCell<Option<(Instant, ForwardingTable)>>,
    epoch: PathBuf,
    rebooting: bool,
    /// Number of restart orders.
    starts: u32,
    upgrades: SwitchUpgrades,
}

/// The firmware of a software switch: the kernel's release.
fn kernel() -> String {
    std::fs::read_to_string("/proc/sys/kernel/osrelease").unwrap_or_default().trim().to_owned()
}

fn failed(error: std::io::Error) -> ControlError {
    ControlError::Failed(error.to_string())
}

impl LinuxSwitch {
    /// Uses a namespace as a switch; the file `epoch` stores the manager's epoch.
    ///
    /// # Errors
    /// When the namespace cannot be entered, or a tool is missing.
    pub fn open(
        fabric: Arc<PlannedFabric>,
        wiring: Arc<FabricWiring>,
        number: SwitchId,
        namespace: Namespace,
        epoch: PathBuf,
    ) -> Result<Self, ControlError> {
        let links = NamespacePorts::open(namespace.clone()).map_err(failed)?;
        let mut switch = Self {
            told: vec![PortStatus::default(); wiring.radix()],
            fabric,
            wiring,
            number,
            namespace,
            links,
            ready: BTreeSet::new(),
            off_by_hand: BTreeSet::new(),
            policy: Policy::default(),
            losses: BTreeMap::new(),
            looked: Instant::now(),
            listed: RefCell::new(None),
            epoch,
            rebooting: false,
            starts: 0,
            upgrades: SwitchUpgrades::default(),
        };
        switch.become_a_router()?;
        switch.look()?;
        Ok(switch)
    }

    fn become_a_router(&self) -> Result<(), ControlError> {
        let settings = [
            ("all/forwarding", "1"),
            // Next hops share flows by addresses and ports; one whose link is down gets none.
            ("all/ignore_routes_with_linkdown", "1"),
            ("default/accept_ra", "0"),
        ];
        let written = self.namespace.within(|| {
            for (name, value) in settings {
                std::fs::write(format!("/proc/sys/net/ipv6/conf/{name}"), value)?;
            }
            std::fs::write("/proc/sys/net/ipv6/fib_multipath_hash_policy", "1")
        });
        written.map_err(failed)?;
        let own = plan::own_address(&self.wiring, self.number);
        let setup = format!("link set lo up\naddress replace {own}/128 dev lo\n");
        self.namespace.ip(&["-6", "-batch", "-"], &setup).map(drop)
    }

    /// Reads the interfaces, sets up new ones, and exchanges announcements with neighbours.
    ///
    /// # Errors
    /// When the namespace is gone, or a tool failed.
    pub fn look(&mut self) -> Result<(), ControlError> {
        let before = self.links.interfaces.len();
        self.links.look().map_err(failed)?;
        // Another interface has the port's name now, so the port's link was lost.
        let moved = self.links.take_moved();
        for port in &moved {
            *self.losses.entry(*port).or_default() += 1;
        }
        let on = |port: &u8| self.links.interfaces.get(port).is_some_and(|interface| interface.is_on);
        let fallen: Vec<u8> =
            self.ready.iter().filter(|port| self.policy.is_on(**port) && !on(port)).copied().collect();
        self.off_by_hand.extend(fallen);
        self.off_by_hand.retain(|port| !on(port));
        self.ready.retain(|port| {
            self.links.interfaces.contains_key(port) && !moved.contains(port) && !self.off_by_hand.contains(port)
        });
        let wanting = |port: &&u8| !self.ready.contains(port) && !self.off_by_hand.contains(port);
        let new: Vec<u8> = self.links.interfaces.keys().filter(wanting).copied().collect();
        // An error of one port must not stop the announcements of all others.
        let prepared = if new.is_empty() { Ok(()) } else { self.prepare(&new) };
        if prepared.is_ok() {
            self.ready.extend(&new);
        }
        if !new.is_empty() {
            self.links.look().map_err(failed)?;
        }
        if before != self.links.interfaces.len() || !moved.is_empty() || !new.is_empty() {
            *self.listed.borrow_mut() = None;
            self.links.speak_soon();
        }
        if !self.policy.is_mute {
            let (fabric, wiring, number) = (&self.fabric, &self.wiring, self.number);
            self.links.speak(|port| fabric.address(wiring.port(number, PortId(port))).ok());
        }
        prepared
    }

    fn prepare(&self, ports: &[u8]) -> Result<(), ControlError> {
        let mut text = String::new();
        for &port in ports {
            let device = interface(port);
            let state = if self.policy.is_on(port) { "up" } else { "down" };
            let _ = write!(
                text,
                "link set {device} address {PORT_MAC}\nlink set {device} {state}\naddress replace fe80::1/64 dev {device} \
                 nodad\nneighbour replace {OTHER_END} lladdr {PORT_MAC} dev {device} nud permanent\n"
            );
            if self.wiring.edge(self.number) >> port & 1 == 1 && self.policy.is_on(port) {
                let address = plan::address_of(&self.wiring, self.wiring.port(self.number, PortId(port)));
                let _ = writeln!(text, "route replace {address}/128 dev {device} proto {OF_DRIVER}");
            }
        }
        self.namespace.ip(&["-6", "-batch", "-"], &text)?;
        let shares: String = ports.iter().map(|port| self.policy.shares(*port)).collect();
        if shares.is_empty() { Ok(()) } else { self.namespace.tc(&["-batch", "-"], &shares).map(drop) }
    }

    /// The kernel's present routes.
    fn routes(&self) -> Result<ForwardingTable, ControlError> {
        if let Some((when, table)) = &*self.listed.borrow()
            && when.elapsed() < LISTED
        {
            return Ok(table.clone());
        }
        let listing = self.namespace.ip(&["-6", "-j", "route", "show", "proto", &OF_MANAGER.to_string()], "")?;
        let table = plan::read(&self.wiring, self.number, &listing)?;
        *self.listed.borrow_mut() = Some((Instant::now(), table.clone()));
        Ok(table)
    }

    fn put(&self, now: &ForwardingTable, wanted: &ForwardingTable) -> Result<(), ControlError> {
        let (now, wanted): (BTreeMap<_, _>, BTreeMap<_, _>) = (now.entries().collect(), wanted.entries().collect());
        let mut text = String::new();
        for (&destination, &mask) in &wanted {
            if now.get(&destination) != Some(&mask) {
                text.push_str(&plan::line(&self.wiring, self.number, destination, Some(mask)));
            }
        }
        // New routes are installed before old ones are removed.
        for &destination in now.keys().filter(|destination| !wanted.contains_key(destination)) {
            text.push_str(&plan::line(&self.wiring, self.number, destination, None));
        }
        *self.listed.borrow_mut() = None;
        if text.is_empty() { Ok(()) } else { self.namespace.ip(&["-6", "-batch", "-"], &text).map(drop) }
    }

    fn enforce(&mut self, policy: Policy) -> Result<(), ControlError> {
        self.namespace.nft(&policy.rules())?;
        let mut text = String::new();
        // Ports that an administrator switched off by hand stay off: only ports that the policy
        // changes are touched.
        let turned: Vec<u8> = self
            .links
            .interfaces
            .keys()
            .filter(|port| policy.is_on(**port) != self.policy.is_on(**port))
            .copied()
            .collect();
        for &port in self.links.interfaces.keys() {
            let device = interface(port);
            if turned.contains(&port) {
                let _ = writeln!(text, "link set {device} {}", if policy.is_on(port) { "up" } else { "down" });
            }
            if let Some(bytes) = policy.mtu_bytes.get(&port)
                && self.policy.mtu_bytes.get(&port) != Some(bytes)
            {
                let _ = writeln!(text, "link set {device} mtu {bytes}");
            }
        }
        if !text.is_empty() {
            self.namespace.ip(&["-batch", "-"], &text)?;
        }
        if policy.has_other_shares(&self.policy) {
            let shares: String = self.links.interfaces.keys().map(|port| policy.shares(*port)).collect();
            if shares.is_empty() {
                for port in self.links.interfaces.keys() {
                    self.namespace.tc(&["qdisc", "del", "dev", &interface(*port), "root"], "")?;
                }
            } else {
                self.namespace.tc(&["-batch", "-"], &shares)?;
            }
        }
        self.policy = policy;
        // A port that is switched on again has lost its routes.
        self.ready.retain(|port| !turned.contains(port));
        *self.listed.borrow_mut() = None;
        self.look()
    }

    fn status(&self, port: u8) -> PortStatus {
        let interface = self.links.interfaces.get(&port);
        let state = match interface {
            None => PortState::Absent,
            Some(_) if !self.policy.is_on(port) => PortState::Disabled,
            Some(interface) if interface.carries => PortState::Up,
            Some(_) => PortState::Down,
        };
        let losses = self.losses.get(&port).copied().unwrap_or(0);
        PortStatus { state, neighbour: self.links.neighbour(port), losses }
    }

    /// Sets the program that installs firmware.
    pub fn upgrade_by(&mut self, program: Option<PathBuf>) {
        self.upgrades = SwitchUpgrades::by(program);
    }

    /// Whether there was a restart order since the previous call.
    pub fn take_reboot(&mut self) -> bool {
        std::mem::take(&mut self.rebooting)
    }
}

impl SwitchControl for LinuxSwitch {
    fn identity(&self) -> SwitchIdentity {
        let start = std::fs::read_to_string("/proc/sys/kernel/random/boot_id").unwrap_or_default();
        let machine = std::fs::read_to_string("/etc/machine-id").unwrap_or_default();
        let name = self.fabric.bmc_xname(self.number).to_string();
        SwitchIdentity {
            serial: format!("{}-{name}", machine.trim()),
            name,
            model: "linux".to_owned(),
            firmware: kernel(),
            ports: self.wiring.radix() as u8,
            agent: env!("CARGO_PKG_VERSION").to_owned(),
            boot: format!("{}-{}", start.trim(), self.starts),
        }
    }

    fn ports(&self) -> Vec<PortStatus> {
        (0..self.wiring.radix() as u8).map(|port| self.status(port)).collect()
    }

    fn take_changes(&mut self) -> Vec<u8> {
        if self.looked.elapsed() >= LOOKED {
            self.looked = Instant::now();
            // If it fails, the next request shows the error.
            let _ = self.look();
        }
        let mut changed = Vec::new();
        for port in 0..self.wiring.radix() as u8 {
            let was = self.told[usize::from(port)];
            if was.state == PortState::Up && self.status(port).state != PortState::Up {
                *self.losses.entry(port).or_default() += 1;
            }
            let now = self.status(port);
            if now != was {
                self.told[usize::from(port)] = now;
                changed.push(port);
            }
        }
        changed
    }

    fn set_routes(&mut self, entries: &[StagedEntry], replace: bool) -> Result<(), ControlError> {
        let now = self.routes()?;
        let mut wanted = if replace { ForwardingTable::default() } else { now.clone() };
        for entry in entries {
            wanted.set(entry.destination, entry.ports);
        }
        self.put(&now, &wanted).inspect_err(|_| {
            // The old routes are restored. If that fails too, the listing shows the manager which
            // are there.
            if let Ok(half) = self.routes() {
                let _ = self.put(&half, &now);
            }
        })
    }

    fn routes_hash(&self) -> u64 {
        // No desired table has this hash, so the manager sees a difference.
        self.routes().map_or(0, |table| table.hash())
    }

    fn set_section(&mut self, section: ConfigSection, given: &SectionItems) -> Result<(), ControlError> {
        let items = items::read_all(section, given).map_err(|error| ControlError::Refused(error.to_string()))?;
        let policy = self.policy.with(section, &items)?;
        if policy == self.policy { Ok(()) } else { self.enforce(policy) }
    }

    fn operate(&mut self, operation: SwitchOperation) -> Result<(), ControlError> {
        match operation {
            SwitchOperation::Reboot => {
                let now = self.routes()?;
                self.put(&now, &ForwardingTable::default())?;
                self.enforce(Policy::default())?;
                self.rebooting = true;
                self.starts += 1;
                Ok(())
            }
            SwitchOperation::Upgrade(version) => {
                let name = self.fabric.bmc_xname(self.number).to_string();
                self.upgrades.begin(&name, &version, &kernel())
            }
            SwitchOperation::ResetPort(port) => {
                if !self.links.interfaces.contains_key(&port) {
                    return Err(ControlError::Refused(format!("there is no interface {}", interface(port))));
                }
                let device = interface(port);
                self.namespace.ip(&["-batch", "-"], &format!("link set {device} down\nlink set {device} up\n"))?;
                self.ready.remove(&port);
                self.look()
            }
        }
    }

    fn upgrade(&mut self) -> Option<Upgrade> {
        self.upgrades.look()
    }

    fn epoch(&self) -> u64 {
        std::fs::read_to_string(&self.epoch).ok().and_then(|text| text.trim().parse().ok()).unwrap_or(0)
    }

    fn set_epoch(&mut self, epoch: u64) {
        let new = self.epoch.with_extension("new");
        let kept = std::fs::write(&new, epoch.to_string()).and_then(|()| std::fs::rename(&new, &self.epoch));
        if let Err(error) = kept {
            // A switch that forgets the epoch would obey an older manager, so the agent ends
            // instead.
            note!("error: the manager's epoch cannot be saved in {}: {error}", self.epoch.display());
            std::process::exit(1);
        }
    }
}
