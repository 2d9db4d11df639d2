//! The manager's side: it runs the event loop while it leads, reads the store while it follows, and
//! rests after it has stepped down.

use std::sync::Arc;
use std::time::Duration;

use philae_inventory::PlannedFabric;
use philae_manager_core::ControlSettings;
use philae_store::Epoch;

use crate::availability::follower::Follower;
use crate::availability::{Availability, FollowError, ManagerRole, Terms};
use crate::collectives::Sessions;
use crate::control_loop::ControlLoop;
use crate::desired::sections::Sections;
use crate::documents::Leading;
use crate::manager::build_error::BuildError;
use crate::manager::{LeaderStart, Manager};

/// Interval at which a standby checks whether documents have changed, milliseconds.
///
/// Source: ours. Status: assumed.
const LOOK_MS: u64 = 200;

/// Interval at which a manager whose disk accepts no writes tries again, milliseconds.
///
/// Source: ours. Status: assumed.
const ROOM_MS: u64 = 1_000;

/// Why a standby cannot begin.
#[derive(Debug, thiserror::Error)]
pub enum StandbyError {
    /// The fabric or the state directory cannot be used.
    #[error(transparent)]
    Build(#[from] BuildError),
    /// The leader cannot be followed.
    #[error(transparent)]
    Follow(#[from] FollowError),
    /// There is no state directory.
    #[error("a standby needs a state directory; --state DIRECTORY would work")]
    NoState,
    /// The system starts no thread.
    #[error("cannot start threads: {0}")]
    Threads(std::io::Error),
}

/// How long a manager that agents refuse leaves the lease alone, unless it follows another one
/// meanwhile.
///
/// Source: ours. Status: assumed; for good.
const FENCED_FOR: Duration = Duration::from_secs(365 * 86_400);

impl Manager {
    /// A manager that leads with the epoch of a lease; without a lease, with the next one.
    ///
    /// # Errors
    /// As [`Manager::simulated`].
    pub fn leading(fabric: PlannedFabric, plan: LeaderStart, epoch: Option<u64>) -> Result<Self, BuildError> {
        let availability = Availability::leads(plan.state.as_deref());
        let leading = epoch.map_or(Leading::Next, Leading::At);
        let mut manager = Self::build(fabric, plan, leading, availability)?;
        manager.lead_or_wait(epoch)?;
        Ok(manager)
    }

    /// A manager that leads as soon as it has its lease; until then it only answers reads.
    ///
    /// # Errors
    /// When the fabric or the state directory cannot be used.
    pub fn unleased(fabric: PlannedFabric, plan: LeaderStart, why: String, ordered: bool) -> Result<Self, BuildError> {
        let availability = Availability::unleased(plan.state.as_deref(), why, ordered);
        Self::build(fabric, plan, Leading::Not, availability)
    }

    /// Begins to lead; if the disk accepts no writes, as soon as it does.
    pub(crate) fn lead_or_wait(&mut self, epoch: Option<u64>) -> Result<(), BuildError> {
        match &self.documents.unpromoted {
            None => self.begin_to_lead(),
            Some(error) => {
                self.availability.wait_for_disk(epoch, error.to_string());
                Ok(())
            }
        }
    }

    /// Tries again to record on disk that this manager leads.
    fn try_to_lead(&mut self, epoch: Option<u64>) {
        let store = self.documents.store();
        let promoted = match epoch {
            Some(epoch) => store.promote_to(Epoch(epoch)).wait(),
            None => store.promote().wait(),
        };
        if let Ok(epoch) = promoted {
            self.documents.unpromoted = None;
            self.availability.promote(epoch.0);
        }
    }

    /// A manager that follows another one, and takes over by order or when the lease is free.
    ///
    /// # Errors
    /// When the state directory cannot be used.
    pub fn standby(
        fabric: PlannedFabric,
        plan: LeaderStart,
        follower: Follower,
        terms: Terms,
    ) -> Result<Self, StandbyError> {
        let state = plan.state.clone().ok_or(StandbyError::NoState)?;
        let availability = Availability::follows(&state, follower.leader());
        let manager = Self::build(fabric, plan, Leading::Not, availability.clone())?;
        let store = Arc::clone(manager.documents.store());
        availability.agree(terms, manager.documents.revision());
        follower.start(store, availability).map_err(StandbyError::Threads)?;
        Ok(manager)
    }

    /// Does everything that is due in its role. Returns when the next thing is, in milliseconds of
    /// the manager's clock.
    pub fn turn(&mut self) -> Option<u64> {
        if self.availability.is_leading() {
            let next = self.run();
            if let Some(epoch) = self.control_loop.fenced {
                // If this cannot be written, agents report it again.
                drop(self.documents.store().learn_epoch(Epoch(epoch)).wait());
                // This manager must follow the leader before it may lead again.
                self.availability.hold_off(Some(FENCED_FOR));
                self.availability.step_down(&format!("agents obey epoch {epoch}"), None);
                self.rest();
            }
            return next;
        }
        let phase = self.availability.phase().clone();
        match phase {
            ManagerRole::Promoted(epoch) => {
                if let Err(error) = self.take_office(epoch) {
                    self.availability.step_down(&format!("it cannot lead: {error}"), None);
                }
                Some(self.control_loop.now_ms())
            }
            ManagerRole::Follows(_) => {
                // It may have led until now.
                self.rest();
                self.look_on();
                Some(self.control_loop.now_ms() + LOOK_MS)
            }
            ManagerRole::Waits { epoch, .. } => {
                self.try_to_lead(epoch);
                Some(self.control_loop.now_ms() + ROOM_MS)
            }
            ManagerRole::Leads | ManagerRole::SteppedDown { .. } | ManagerRole::Unleased { .. } => {
                self.rest();
                Some(self.control_loop.now_ms() + LOOK_MS)
            }
        }
    }

    /// Reads what the follower has written to the store.
    fn look_on(&mut self) {
        let Some(state) = self.process.plan.state.clone() else { return };
        if self.documents.is_stale() {
            match self.documents.reload(&state) {
                Ok(()) => {
                    self.security.guard.refresh(self.documents.set());
                    self.load_firmware();
                }
                Err(error) => crate::log::not_following(&error.to_string()),
            }
        }
    }

    /// Begins to lead: the epoch is on the disk.
    fn take_office(&mut self, epoch: u64) -> Result<(), BuildError> {
        self.look_on();
        self.reopen_authority()?;
        let (wiring, names) = (Arc::clone(self.control_loop.control.wiring()), Arc::clone(&self.documents.names));
        self.control_loop =
            ControlLoop::idle(wiring, names, epoch, self.process.plan.settings).after(&self.control_loop);
        // No section has been sent yet.
        self.desired.sections = Sections::new(self.fabric.switch_count());
        self.security.sessions = Sessions::open(self.process.plan.state.as_deref())?;
        self.begin_to_lead()?;
        self.security.guard.refresh(self.documents.set());
        self.availability.lead();
        crate::log::took_over(epoch, self.documents.revision());
        Ok(())
    }

    /// Closes the agents' streams, so that they look for the leader.
    pub(crate) fn rest(&mut self) {
        if self.control_loop.is_idle() {
            return;
        }
        if let Some(agents) = self.control_loop.agents() {
            agents.close_all("this manager has stepped down");
        }
        let (wiring, names) = (Arc::clone(self.control_loop.control.wiring()), Arc::clone(&self.documents.names));
        let settings: ControlSettings = *self.control_loop.control.settings();
        let fenced = self.control_loop.fenced;
        self.control_loop =
            ControlLoop::idle(wiring, names, self.control_loop.epoch(), settings).after(&self.control_loop);
        // `/readyz` still names the manager that agents obey.
        self.control_loop.fenced = fenced;
        self.load_firmware();
    }
}
