//! A fabric with its manager: the state that endpoints read and change.

pub mod authority;
pub mod build_error;
pub mod fabric_source;
pub mod leading;
pub mod self_checks;

use std::collections::BTreeSet;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;

use philae_agent_rpc::{CaSettings, LinkSettings};
use philae_inventory::PlannedFabric;
use philae_manager_core::{AlarmKind, ControlSettings};
use philae_units::{PortIndex, SwitchId};

use crate::availability::Availability;
use crate::clock::{UnixClock, now_micros};
use crate::collectives::Sessions;
use crate::control_loop::{ControlLoop, Wake};
use crate::desired::sections::Sections;
use crate::desired::trees::MulticastGroups;
use crate::documents::{Documents, Leading};
use crate::firmware::Rollouts;
use crate::hosts::Hosts;
use crate::manager::authority::open_authority;
use crate::manager::build_error::BuildError;
use crate::manager::fabric_source::wiring_of;
use crate::measured::ThreadCounters;
use crate::mutation::Mutations;
use crate::names::FabricNames;
use crate::operations::OperationLog;
use crate::security::Security;
use crate::troubles::LastingTroubles;
use crate::watching::Watchers;

/// What switches are to have, as it follows from documents.
#[derive(Debug)]
pub struct DesiredState {
    /// The desired sections of each switch.
    pub sections: Sections,
    /// The trees of multicasts.
    pub trees: MulticastGroups,
}

/// What clients have begun.
#[derive(Debug)]
pub struct ClientRequests {
    /// Orders and changes in progress.
    pub operations: OperationLog,
    /// Attempts and refused changes.
    pub mutations: Mutations,
    /// The watchers of events.
    pub watchers: Watchers,
}

/// What the manager has noticed of itself.
#[derive(Debug, Default)]
pub(crate) struct SelfChecks {
    /// The alarms at the last check, and the time of that check.
    pub alarms: (BTreeSet<AlarmKind>, u64),
    /// The control loop's count of changes that may affect alarms, at the last check.
    pub alarms_seen: u64,
    /// Leases that have ended and could not be deleted, in words.
    pub overdue: Option<String>,
    /// Troubles other than those of switches, links and NICs, and since when.
    pub troubles: LastingTroubles,
    /// When the wall clock was first found to have jumped, by the steady clock.
    pub jumped: Option<u64>,
    /// When the disk was last probed for writes.
    pub probed: Option<std::time::Instant>,
}

/// The process that the manager runs in.
#[derive(Debug)]
pub(crate) struct ManagerProcess {
    /// The start of this run, microseconds since 1970.
    pub began_micros: u64,
    /// The manager's own counters.
    pub measured: Arc<ThreadCounters>,
    /// What it needs to begin to lead.
    pub plan: LeaderStart,
    /// Called when agents have sent something while the event loop sleeps.
    pub wake: Wake,
}

/// A fabric and its manager.
#[derive(Debug)]
pub struct Manager {
    /// The inventory.
    pub fabric: Arc<PlannedFabric>,
    /// The control loop, with the agents.
    pub control_loop: ControlLoop,
    /// The documents: the desired state, as users state it.
    pub documents: Documents,
    /// What switches are to have.
    pub desired: DesiredState,
    /// Hosts' attestations.
    pub hosts: Hosts,
    /// Rollouts of firmware.
    pub(crate) firmware: Rollouts,
    /// What clients have begun.
    pub requests: ClientRequests,
    /// The clock for leases, windows and confirmations.
    pub clock: UnixClock,
    /// What it has noticed of itself.
    pub(crate) checks: SelfChecks,
    /// Authentication, and the API's certificate.
    pub security: Security,
    /// The role among the managers of the same fabric.
    pub availability: Availability,
    /// The process that it runs in.
    pub(crate) process: ManagerProcess,
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
            security: Security::new(authority, Sessions::open(state)?),
            documents,
            desired: DesiredState { sections: Sections::new(fabric.switch_count()), trees: MulticastGroups::default() },
            hosts: Hosts::default(),
            firmware,
            requests: ClientRequests {
                operations: OperationLog::new(epoch),
                mutations: Mutations::default(),
                watchers: Watchers::default(),
            },
            clock: UnixClock::steady(),
            checks: SelfChecks::default(),
            fabric,
            availability,
            process: ManagerProcess {
                began_micros: now_micros(),
                measured: Arc::default(),
                plan,
                wake: Wake::default(),
            },
        })
    }

    /// The last change of fabric or documents in this run: microseconds since 1970.
    pub(crate) fn changed_micros(&self) -> u64 {
        let written = self.documents.written_micros(self.documents.revision());
        let seen = self.control_loop.events.last_micros();
        [written, seen]
            .into_iter()
            .flatten()
            .max()
            .map_or(self.process.began_micros, |at| at.max(self.process.began_micros))
    }

    /// Name of a port: its link's (`...aAlL`).
    #[must_use]
    pub fn port_name(&self, port: PortIndex) -> String {
        self.fabric.link_xname(port).to_string()
    }

    #[must_use]
    pub fn switch_name(&self, switch: SwitchId) -> String {
        self.fabric.bmc_xname(switch).to_string()
    }
}
