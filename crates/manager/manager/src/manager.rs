//! A fabric with its manager: the state that endpoints read and change.

use std::collections::BTreeSet;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use philae_agent::SimulatedFabric;
use philae_agent_rpc::{Authority, CaError, CaSettings, LinkSettings, unix_seconds};
use philae_console::note;
use philae_inventory::{InventoryError, Models, PlannedFabric, SourceError, SystemSource};
use philae_manager_core::{AlarmKind, ControlSettings};
use philae_route_tables::{FabricWiring, WiringError};
use philae_topology::{PortPeer, SystemDescription, Topology};
use philae_units::{GroupId, PortIndex, SwitchId};

use crate::availability::Availability;
use crate::clock::{UnixClock, now_micros};
use crate::collectives::Sessions;
use crate::control_loop::{AgentsEnd, AgentsError, ControlLoop, Wake};
use crate::documents::{Documents, Leading, StateError};
use crate::event_log::EventLog;
use crate::events::Happened;
use crate::firmware::Rollouts;
use crate::hosts::Hosts;
use crate::measured::ThreadCounters;
use crate::mutation::Mutations;
use crate::names::FabricNames;
use crate::operations::OperationLog;
use crate::sections::Sections;
use crate::security::Security;
use crate::tokens::first_token;
use crate::trees::MulticastGroups;
use crate::troubles::LastingTroubles;
use crate::watching::Watchers;

/// Why a fabric cannot be managed.
#[derive(Debug, thiserror::Error)]
pub enum BuildError {
    /// The source is neither a system nor a fabric.
    #[error("{0}")]
    Source(#[from] SourceError),
    /// The template contradicts itself.
    #[error("{0}")]
    Fabric(#[from] InventoryError),
    /// The stored documents cannot be read.
    #[error("{0}")]
    State(#[from] StateError),
    /// It cannot be routed.
    #[error("{0}")]
    Wiring(#[from] WiringError),
    /// The fabric's authority cannot be opened or made.
    #[error("{0}")]
    Authority(#[from] CaError),
    /// The manager cannot listen for agents.
    #[error("{0}")]
    Agents(#[from] AgentsError),
    /// The log of events cannot be opened.
    #[error("events cannot be saved: {0}")]
    Events(String),
    /// The first token cannot be made.
    #[error("{0}")]
    Token(String),
}

/// Loads a fabric's inventory, by the name of a built-in system, or from a file: a system, a fabric
/// template, point-to-point cabling, or a netlist of ibnetdiscover or ibsim.
///
/// # Errors
/// When there is no such system, or the file is neither.
pub fn load(name_or_path: &str) -> Result<PlannedFabric, BuildError> {
    let models = Models::built_in();
    let source = SystemSource::load(name_or_path, &models)?;
    for warning in source.warnings() {
        note!("{name_or_path}: warning: {warning}");
    }
    let fabric = source.into_fabric(&models)?;
    for warning in fabric.misleading_labels() {
        note!("{name_or_path}: warning: {warning}");
    }
    Ok(fabric)
}

/// The wiring that routes are computed on. If the fabric is one of our systems, channels have that
/// system's order.
pub fn wiring_of(fabric: &PlannedFabric) -> Result<FabricWiring, WiringError> {
    let of_system = SystemDescription::load(fabric.name()).ok().and_then(|system| Topology::build(&system).ok());
    if let Some(topology) = of_system.filter(|topology| same(topology, fabric)) {
        return FabricWiring::of(&topology);
    }
    let mut number = 0;
    let mut last = None;
    let groups = fabric.switches().iter().map(|switch| {
        // Groups that do not exist leave no gap.
        number += u32::from(last.replace(switch.group).is_some_and(|last| last != switch.group));
        GroupId(number)
    });
    let mut edge = vec![0_u64; fabric.switch_count()];
    let mut links = Vec::new();
    for (index, port) in fabric.ports().iter().enumerate() {
        let index = PortIndex::from_index(index);
        match port.peer {
            PortPeer::Endpoint(_) => {
                // More ports than a mask has bits are refused below.
                let bit = 1_u64.checked_shl(fabric.number_of(index).0.into()).unwrap_or(0);
                edge[fabric.switch_of(index).index()] |= bit;
            }
            PortPeer::Port(far) if index < far => links.push((index, far)),
            PortPeer::Port(_) | PortPeer::None => {}
        }
    }
    FabricWiring::from_links(fabric.radix(), groups.collect::<Vec<_>>(), edge, links)
}

fn same(topology: &Topology, fabric: &PlannedFabric) -> bool {
    topology.port_count() == fabric.port_count()
        && (0..fabric.port_count())
            .map(PortIndex::from_index)
            .all(|port| topology.port(port).peer == fabric.port(port).peer)
}

/// The fabric's authority, in the state directory. Its name is the fabric's, as far as its letters
/// are allowed in certificates.
fn open_authority(state: &Path, fabric: &PlannedFabric, settings: CaSettings) -> Result<Arc<Authority>, CaError> {
    let legal = |letter: char| if letter.is_ascii_alphanumeric() || "-_.".contains(letter) { letter } else { '-' };
    let name: String = fabric.name().chars().take(128).map(legal).collect();
    let directory = state.join("ca");
    let authority = Authority::open(&directory, &name, settings, unix_seconds())?;
    authority.want((0..fabric.switch_count()).map(|at| fabric.bmc_xname(SwitchId::from_index(at)).to_string()));
    // The roots are for clients that verify the manager. On a full disk the start continues if the
    // file exists already.
    let roots = authority.roots();
    if std::fs::read(directory.join("roots.pem")).is_ok_and(|known| known == roots.as_bytes()) {
        return Ok(Arc::new(authority));
    }
    philae_agent_rpc::replace(&directory, "roots.pem", roots.as_bytes())?;
    Ok(Arc::new(authority))
}

/// Simulated switches of a fabric's inventory, for agents in a process of their own.
///
/// # Errors
/// When the fabric cannot be routed.
pub fn simulated_switches(fabric: &Arc<PlannedFabric>) -> Result<SimulatedFabric, WiringError> {
    let wiring = Arc::new(wiring_of(fabric)?);
    Ok(SimulatedFabric::new(wiring, Arc::new(FabricNames(Arc::clone(fabric)))))
}

/// Interval between checks of alarms for watchers, milliseconds.
///
/// Source: ours. Status: assumed.
const ALARMS_MS: u64 = 1_000;

/// Interval between checks whether a failed disk accepts writes again.
///
/// Source: ours. Status: assumed.
const PROBE: std::time::Duration = std::time::Duration::from_secs(5);

/// A fabric and its manager.
#[derive(Debug)]
pub struct Manager {
    /// The inventory.
    pub fabric: Arc<PlannedFabric>,
    /// The control loop, with the agents.
    pub control_loop: ControlLoop,
    /// The documents: the desired state.
    pub documents: Documents,
    /// Orders and changes in progress.
    pub operations: OperationLog,
    /// Rollouts of firmware.
    pub(crate) firmware: Rollouts,
    /// Attempts and refused changes.
    pub mutations: Mutations,
    /// The watchers of events.
    pub watchers: Watchers,
    /// The alarms at the last check, and the time of that check.
    alarms: (BTreeSet<AlarmKind>, u64),
    /// The control loop's count of changes that may affect alarms, at the last check.
    alarms_seen: u64,
    /// The desired sections of each switch.
    pub sections: Sections,
    /// The trees of multicasts.
    pub trees: MulticastGroups,
    /// Hosts' attestations.
    pub hosts: Hosts,
    /// Tokens of collective sessions.
    pub sessions: Sessions,
    /// The clock for leases and windows.
    pub clock: UnixClock,
    /// Leases that have ended and could not be deleted, in words.
    pub(crate) overdue: Option<String>,
    /// Troubles other than those of switches, links and NICs, and since when.
    pub(crate) troubles: LastingTroubles,
    /// When the wall clock was first found to have jumped, by the steady clock.
    pub(crate) jumped: Option<u64>,
    /// When the disk was last probed for writes.
    pub(crate) probed: Option<std::time::Instant>,
    /// Timers and limits without documents.
    pub(crate) settings: ControlSettings,
    /// Authentication, and the API's certificate.
    pub security: Security,
    /// The role among the managers of the same fabric.
    pub availability: Availability,
    /// The start of this run, microseconds since 1970.
    pub(crate) began_micros: u64,
    /// The manager's own counters.
    pub(crate) measured: Arc<ThreadCounters>,
    /// What it needs to begin to lead.
    pub(crate) plan: LeaderStart,
    /// Called when agents have sent something while the event loop sleeps.
    pub(crate) wake: Wake,
}

/// What a manager needs to begin to lead.
#[derive(Clone, Debug)]
pub struct LeaderStart {
    /// Timers and limits.
    pub settings: ControlSettings,
    /// The state directory; absent: none.
    pub state: Option<PathBuf>,
    /// The address for agents; absent: switches are simulated.
    pub agents: Option<(SocketAddr, LinkSettings)>,
    /// Lives of certificates, and how long an agent's can be renewed after its expiry.
    pub certificates: CaSettings,
}

impl Manager {
    /// A manager with a simulated fabric of this inventory. `state` has the documents, the fabric's
    /// authority and the first token. Without it there is neither authority nor token, and the
    /// documents are lost at the end.
    ///
    /// # Errors
    /// When the fabric cannot be routed, or the state cannot be read.
    pub fn simulated(
        fabric: PlannedFabric,
        settings: ControlSettings,
        state: Option<&Path>,
    ) -> Result<Self, BuildError> {
        Self::with(fabric, settings, state, None)
    }

    /// A manager whose agents connect to an address.
    ///
    /// # Errors
    /// As [`Self::simulated`], and when the manager cannot listen at the address.
    pub fn connected(
        fabric: PlannedFabric,
        settings: ControlSettings,
        state: &Path,
        address: SocketAddr,
        link: LinkSettings,
    ) -> Result<Self, BuildError> {
        Self::with(fabric, settings, Some(state), Some((address, link)))
    }

    fn with(
        fabric: PlannedFabric,
        settings: ControlSettings,
        state: Option<&Path>,
        agents: Option<(SocketAddr, LinkSettings)>,
    ) -> Result<Self, BuildError> {
        let certificates = CaSettings::default();
        let plan = LeaderStart { settings, state: state.map(Path::to_owned), agents, certificates };
        let availability = Availability::leads(state);
        let mut manager = Self::build(fabric, plan, Leading::Next, availability)?;
        manager.lead_or_wait(None)?;
        Ok(manager)
    }

    /// A manager that does not lead yet: [`Self::begin_to_lead`] makes it lead.
    pub(crate) fn build(
        fabric: PlannedFabric,
        plan: LeaderStart,
        leading: Leading,
        availability: Availability,
    ) -> Result<Self, BuildError> {
        let wiring = Arc::new(wiring_of(&fabric)?);
        let fabric = Arc::new(fabric);
        let names = Arc::new(FabricNames(Arc::clone(&fabric)));
        let state = plan.state.as_deref();
        let (documents, epoch) = Documents::open_with(Arc::clone(&names), state, leading)?;
        let authority = state.map(|state| open_authority(state, &fabric, plan.certificates)).transpose()?;
        let plant = ControlLoop::idle(wiring, names, epoch, plan.settings);
        // A manager that does not lead shows the content of its store.
        let firmware = Rollouts::of(&documents.store().snapshot(), &fabric);
        Ok(Self {
            control_loop: plant,
            security: Security::new(authority),
            documents,
            operations: OperationLog::new(epoch),
            firmware,
            mutations: Mutations::default(),
            watchers: Watchers::default(),
            alarms: (BTreeSet::new(), 0),
            alarms_seen: 0,
            sections: Sections::new(fabric.switch_count()),
            trees: MulticastGroups::default(),
            hosts: Hosts::default(),
            sessions: Sessions::open(state)?,
            clock: UnixClock::steady(),
            overdue: None,
            troubles: LastingTroubles::default(),
            probed: None,
            jumped: None,
            settings: plan.settings,
            fabric,
            availability,
            began_micros: now_micros(),
            measured: Arc::default(),
            plan,
            wake: Wake::default(),
        })
    }

    /// Begins to lead, with the epoch of its plant.
    ///
    /// # Errors
    /// When the manager cannot listen for agents, or the first token cannot be made.
    pub(crate) fn begin_to_lead(&mut self) -> Result<(), BuildError> {
        let (wiring, names) = (Arc::clone(self.control_loop.control.wiring()), Arc::clone(&self.documents.names));
        let (settings, epoch) = (self.plan.settings, self.control_loop.epoch());
        let plant = match (self.plan.agents, &self.security.authority) {
            (Some((address, link)), Some(authority)) => {
                let end = AgentsEnd::listen(&self.fabric, address, Arc::clone(authority), link)?;
                let wake = self.wake.clone();
                end.wake().set(move || wake.call());
                ControlLoop::connected(wiring, names, epoch, settings, end)
            }
            _ => ControlLoop::new(wiring, names, epoch, settings),
        };
        self.control_loop = plant.after(&self.control_loop);
        if let Some(state) = self.plan.state.clone() {
            if self.control_loop.event_log.is_none() {
                let log = EventLog::open(&state, Arc::clone(&self.fabric));
                self.control_loop.event_log = Some(log.map_err(|error| BuildError::Events(error.to_string()))?);
            }
            self.control_loop.publish(Happened::Leads(epoch), true);
            first_token(self, &state, unix_seconds()).map_err(|problem| BuildError::Token(problem.detail))?;
        }
        self.load_firmware();
        self.roll_out_all();
        Ok(())
    }

    /// Opens the authority of the state directory again, because another process has written to it.
    pub(crate) fn reopen_authority(&mut self) -> Result<(), BuildError> {
        if let Some(state) = &self.plan.state {
            self.security.authority = Some(open_authority(state, &self.fabric, self.plan.certificates)?);
        }
        Ok(())
    }

    /// Publishes new and ended alarms to watchers. It checks once a second at most, and only if
    /// there are watchers.
    pub(crate) fn tick_alarms(&mut self) {
        let now_ms = self.control_loop.now_ms();
        let wanted = self.watchers.count() > 0 || self.control_loop.event_log.is_some();
        let changes = self.control_loop.control.changes();
        if !wanted || now_ms < self.alarms.1 + ALARMS_MS || changes == self.alarms_seen {
            return;
        }
        self.alarms_seen = changes;
        let now: BTreeSet<AlarmKind> =
            self.control_loop.control.alarms(now_ms).into_iter().map(|alarm| alarm.kind).collect();
        let before = std::mem::replace(&mut self.alarms, (now, now_ms)).0;
        for (kinds, others, raised) in [(&before, &self.alarms.0, false), (&self.alarms.0, &before, true)] {
            for kind in kinds.difference(others) {
                // Switches and links have events of their own.
                let is_kept = !matches!(kind, AlarmKind::Device(..) | AlarmKind::Link(..));
                self.control_loop.publish(Happened::Alarm(kind.clone(), raised), is_kept);
            }
        }
    }

    /// Probes whether a failed disk accepts writes again: without changes nothing else would.
    pub(crate) fn tick_disk(&mut self) {
        let store = self.documents.store();
        if store.trouble().is_none() || self.probed.is_some_and(|last| last.elapsed() < PROBE) {
            return;
        }
        self.probed = Some(std::time::Instant::now());
        // The result is in the store.
        drop(store.probe());
    }

    /// The last change of fabric or documents in this run: microseconds since 1970.
    pub(crate) fn changed_micros(&self) -> u64 {
        let written = self.documents.written_micros(self.documents.revision());
        let seen = self.control_loop.events.last_micros();
        [written, seen].into_iter().flatten().max().map_or(self.began_micros, |at| at.max(self.began_micros))
    }

    /// Name of a port: its link's (`...aAlL`).
    #[must_use]
    pub fn port_name(&self, port: PortIndex) -> String {
        self.fabric.link_xname(port).to_string()
    }

    /// Name of a switch.
    #[must_use]
    pub fn switch_name(&self, switch: SwitchId) -> String {
        self.fabric.bmc_xname(switch).to_string()
    }
}
