//! A manager that leads: it listens for agents, has its first token, and rolls out the documents.

use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;

use philae_agent_rpc::{CaSettings, LinkSettings, unix_seconds};
use philae_inventory::PlannedFabric;
use philae_manager_core::ControlSettings;

use crate::availability::Availability;
use crate::control_loop::{AgentsEnd, ControlLoop};
use crate::documents::Leading;
use crate::events::Happened;
use crate::events::log::EventLog;
use crate::manager::authority::open_authority;
use crate::manager::build_error::BuildError;
use crate::manager::{LeaderStart, Manager};
use crate::tokens::first::first_token;

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

    /// Begins to lead, with the epoch of its plant.
    ///
    /// # Errors
    /// When the manager cannot listen for agents, or the first token cannot be made.
    pub(crate) fn begin_to_lead(&mut self) -> Result<(), BuildError> {
        let (wiring, names) = (Arc::clone(self.control_loop.control.wiring()), Arc::clone(&self.documents.names));
        let (settings, epoch) = (self.process.plan.settings, self.control_loop.epoch());
        let plant = match (self.process.plan.agents, &self.security.authority) {
            (Some((address, link)), Some(authority)) => {
                let end = AgentsEnd::listen(&self.fabric, address, Arc::clone(authority), link)?;
                let wake = self.process.wake.clone();
                end.wake().set(move || wake.call());
                ControlLoop::connected(wiring, names, epoch, settings, end)
            }
            _ => ControlLoop::new(wiring, names, epoch, settings),
        };
        self.control_loop = plant.after(&self.control_loop);
        if let Some(state) = self.process.plan.state.clone() {
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
        if let Some(state) = &self.process.plan.state {
            self.security.authority = Some(open_authority(state, &self.fabric, self.process.plan.certificates)?);
        }
        Ok(())
    }
}
