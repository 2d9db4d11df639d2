//! The standby's side: a thread that copies the leader's log, and takes over.

use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use philae_store::{Epoch, FollowProblem, Options, Revision, Store, StoreError};
use serde_json::json;

use super::lease::{Lease, LeaseName, TAKEOVER, Taken};
use super::shipping::{Shipment, WAIT_MOST_MS};
use super::{Availability, Following, Phase, Reach, TakeOver, TookOver, held, mark, unmark};

/// Pause after a leader was not reached.
///
/// Source: ours. Status: assumed.
const PAUSE: Duration = Duration::from_millis(250);

/// Why a manager cannot follow another one.
#[derive(Debug, thiserror::Error)]
pub enum FollowError {
    /// The leader is not there.
    #[error("{leader} cannot be reached: {problem}")]
    Unreached {
        /// Its address.
        leader: String,
        /// Why.
        problem: String,
    },
    /// The leader says no.
    #[error("{leader} says {status}: {problem}")]
    Refused {
        /// Its address.
        leader: String,
        /// The status of its answer.
        status: u16,
        /// Why.
        problem: String,
    },
    /// What the leader sends is no log.
    #[error("{leader} sends no log: {problem}")]
    Unreadable {
        /// Its address.
        leader: String,
        /// In what.
        problem: String,
    },
    /// The roots that prove the leader.
    #[error("{0}")]
    Roots(String),
    /// The store.
    #[error("{0}")]
    Store(#[from] StoreError),
    /// The state directory.
    #[error("the state directory: {0}")]
    State(#[source] std::io::Error),
}

/// What a standby has to do with its leader.
#[derive(Debug)]
pub struct Follower {
    reach: Reach,
    state: PathBuf,
    lease: Option<(LeaseName, Lease)>,
    life: Duration,
    /// The address that this manager is called by, for the one that it takes over from.
    own: String,
    secrets: u64,
}

impl Follower {
    /// A standby in a state directory. Where there is no store in it yet, a first copy is taken: a backup, and what proves who is
    /// who.
    ///
    /// # Errors
    /// When the leader cannot be reached, or says no.
    pub fn begin(
        reach: Reach,
        state: &Path,
        lease: Option<(LeaseName, Lease)>,
        life: Duration,
        own: String,
    ) -> Result<Self, FollowError> {
        std::fs::create_dir_all(state).map_err(FollowError::State)?;
        let state = std::path::absolute(state).map_err(FollowError::State)?;
        let follower = Self { reach, state, lease, life, own, secrets: 0 };
        let is_new = super::follows(&follower.state).is_none()
            && Store::open(&follower.state, Options::default())?.snapshot().revision() == Revision(0);
        follower.fetch_secrets()?;
        if is_new {
            follower.first_copy()?;
        }
        mark(&follower.state, follower.reach.base()).map_err(FollowError::State)?;
        Ok(follower)
    }

    /// The leader's address.
    #[must_use]
    pub fn leader(&self) -> &str {
        self.reach.base()
    }

    /// A first copy by a backup, where the leader's log does not begin at the beginning.
    fn first_copy(&self) -> Result<(), FollowError> {
        let refused = match self.reach.get("/api/v1/leadership/log?after=0") {
            Err(FollowError::Refused { status: 410, .. }) => true,
            other => other.map(|_| false)?,
        };
        if !refused {
            return Ok(());
        }
        let bytes = self.reach.get("/api/v1/backup")?;
        let fresh = self.state.join("first-copy");
        let file = self.state.join("first-copy.backup");
        std::fs::write(&file, bytes).map_err(FollowError::State)?;
        philae_store::restore(&file, &fresh)?;
        for entry in std::fs::read_dir(&fresh).map_err(FollowError::State)?.flatten() {
            std::fs::rename(entry.path(), self.state.join(entry.file_name())).map_err(FollowError::State)?;
        }
        std::fs::remove_dir(&fresh).map_err(FollowError::State)?;
        std::fs::remove_file(&file).map_err(FollowError::State)
    }

    fn fetch_secrets(&self) -> Result<(), FollowError> {
        let bytes = self.reach.get("/api/v1/leadership/secrets")?;
        let unreadable = |problem: String| FollowError::Unreadable { leader: self.reach.base().to_owned(), problem };
        let files: std::collections::BTreeMap<String, Vec<u8>> =
            serde_json::from_slice(&bytes).map_err(|error| unreadable(error.to_string()))?;
        for (name, text) in &files {
            let (folder, name) = match name.split_once('/') {
                Some(("ca", name)) => (self.state.join("ca"), name),
                None => (self.state.clone(), name.as_str()),
                Some(_) => return Err(unreadable(format!("a secret called {name}"))),
            };
            let plain = |letter: char| letter.is_ascii_alphanumeric() || "-_.".contains(letter);
            if name.starts_with('.') || !name.chars().all(plain) {
                return Err(unreadable(format!("a secret called {name}")));
            }
            let made = std::fs::DirBuilder::new().recursive(true).mode(0o700).create(&folder);
            made.map_err(FollowError::State)?;
            philae_agent_link::replace(&folder, name, text)
                .map_err(|error| FollowError::State(std::io::Error::other(error.to_string())))?;
        }
        Ok(())
    }

    /// Follows from now on, in a thread of its own, until this manager leads.
    ///
    /// # Errors
    /// When there is no thread for it.
    pub fn start(mut self, store: Arc<Store>, availability: Availability) -> std::io::Result<()> {
        let (ask, asked) = channel();
        *held(&availability.0.ask) = Some(ask);
        let follow = move || {
            self.follow(&store, &availability, &asked);
            *held(&availability.0.ask) = None;
        };
        std::thread::Builder::new().name("follower".to_owned()).spawn(follow).map(|_| ())
    }

    fn follow(&mut self, store: &Arc<Store>, availability: &Availability, asked: &Receiver<TakeOver>) {
        let mut look = Instant::now();
        let mut last_problem = None;
        loop {
            let step = self.step(store, availability, WAIT_MOST_MS);
            let problem = step.as_ref().err().map(ToString::to_string);
            if problem != last_problem
                && let Some(problem) = &problem
            {
                crate::log::not_following(problem);
            }
            note(availability, |following| following.problem.clone_from(&problem));
            last_problem = problem;
            let pause = if step.is_ok() { Duration::ZERO } else { PAUSE };
            match asked.recv_timeout(pause) {
                Ok(tell) => {
                    let took = self.take_over(store, availability, None);
                    let is_done = took.is_ok();
                    // Who asked may be gone.
                    drop(tell.send(took));
                    if is_done {
                        return;
                    }
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return,
            }
            if self.lease.is_some() && look.elapsed() >= (self.life / 8).min(Duration::from_millis(500)) {
                look = Instant::now();
                match self.ask_lease(store) {
                    Ok(Some(epoch)) => match self.take_over(store, availability, Some(epoch)) {
                        Ok(_) => return,
                        Err(problem) => crate::log::not_following(&problem),
                    },
                    Ok(None) => {}
                    Err(problem) => crate::log::lease_failed(&problem),
                }
            }
        }
    }

    /// The lease, if nobody holds it any more. A standby that has nothing to lead with asks for none.
    fn ask_lease(&mut self, store: &Store) -> Result<Option<u64>, String> {
        let Some((_, lease)) = &mut self.lease else { return Ok(None) };
        let above = store.snapshot().epoch().0;
        match lease.take(above, Instant::now()).map_err(|error| error.to_string())? {
            Taken::Ours(epoch) => Ok(Some(epoch)),
            Taken::Theirs(_) => Ok(None),
        }
    }

    /// Takes over what the leader has more than this store, and waits for it a while.
    fn step(&mut self, store: &Store, availability: &Availability, wait_ms: u64) -> Result<(), FollowError> {
        let after = store.snapshot().revision();
        let name: String = availability
            .name()
            .chars()
            .map(|letter| if letter.is_ascii_alphanumeric() { letter } else { '-' })
            .collect();
        let path = format!("/api/v1/leadership/log?after={after}&waitMs={wait_ms}&standby={name}");
        let bytes = match self.reach.get(&path) {
            // A leader of another history, or one that was put back: nothing is overwritten here.
            Err(FollowError::Refused { status: 409 | 410, problem, leader }) => {
                let remedy = "move this state directory away and start again: a first copy is taken then";
                return Err(FollowError::Refused { status: 409, problem: format!("{problem}; {remedy}"), leader });
            }
            answer => answer?,
        };
        let leader = self.reach.base().to_owned();
        let shipment: Shipment = postcard::from_bytes(&bytes)
            .map_err(|error| FollowError::Unreadable { leader, problem: error.to_string() })?;
        if !shipment.entries.is_empty() || shipment.epoch > store.snapshot().epoch().0 {
            let followed = store.follow(Epoch(shipment.epoch), shipment.entries).wait();
            if let Err(StoreError::Follow(FollowProblem::Diverged { .. })) = &followed {
                let problem = followed.map_err(|error| error.to_string()).err().unwrap_or_default();
                let remedy = "move this state directory away and start again: a first copy is taken then";
                return Err(FollowError::Unreadable {
                    leader: self.reach.base().to_owned(),
                    problem: format!("{problem}; {remedy}"),
                });
            }
            followed?;
        }
        let revision = store.snapshot().revision().0;
        note(availability, |following| {
            following.revision = revision;
            following.leader_revision = shipment.revision.max(revision);
            if revision >= shipment.revision {
                following.in_step = Some(Instant::now());
            }
        });
        if shipment.secrets != self.secrets {
            self.fetch_secrets()?;
            self.secrets = shipment.secrets;
        }
        Ok(())
    }

    /// Makes this store lead: lease, word to the leader before, the rest of its log, epoch.
    fn take_over(
        &mut self,
        store: &Arc<Store>,
        availability: &Availability,
        leased: Option<u64>,
    ) -> Result<TookOver, String> {
        let known = store.snapshot().epoch().0;
        let mut since = Instant::now();
        let mut epoch = leased.unwrap_or(known + TAKEOVER);
        // The leader before hears of it, if it can: then it has written its last change, and all of them can be had.
        let order = json!({ "epoch": epoch, "leader": self.own });
        let told = self.reach.post_within("/api/v1/leadership/yield", &order, self.life / 4);
        let last = told.ok().and_then(|bytes| serde_json::from_slice::<serde_json::Value>(&bytes).ok());
        let last = last.and_then(|answer| answer["revision"].as_u64());
        if let Some(last) = last {
            while store.snapshot().revision().0 < last && self.step(store, availability, 0).is_ok() {}
        }
        if leased.is_none()
            && let Some((name, lease)) = &mut self.lease
        {
            // Told by hand: the lease follows, once the leader before has let go of it, or lost it.
            let until = Instant::now() + self.life * 2;
            epoch = loop {
                since = Instant::now();
                match lease.take(epoch - 1, since) {
                    Ok(Taken::Ours(drawn)) => break drawn.max(epoch),
                    Ok(Taken::Theirs(_)) if Instant::now() < until => std::thread::sleep(PAUSE),
                    Ok(Taken::Theirs(holder)) => {
                        return Err(format!("{holder} holds the lease {name} and keeps it alive: it leads"));
                    }
                    Err(error) => return Err(error.to_string()),
                }
            };
        }
        let known = store.snapshot().epoch().0;
        let epoch = epoch.max(known + 1);
        let promoted = store.promote_to(Epoch(epoch)).wait().map_err(|error| error.to_string())?;
        unmark(&self.state).map_err(|error| FollowError::State(error).to_string())?;
        let revision = store.snapshot().revision().0;
        let leader_revision = match &*availability.phase() {
            Phase::Follows(following) => following.leader_revision,
            _ => revision,
        };
        availability.set_phase(Phase::Promoted(promoted.0));
        if let Some((name, lease)) = self.lease.take() {
            let kept = availability.keep(name, lease, self.life, since);
            kept.map_err(|error| format!("cannot start threads: {error}"))?;
        }
        Ok(TookOver {
            epoch: promoted.0,
            revision,
            complete: last.is_some_and(|last| revision >= last),
            behind: last.unwrap_or(leader_revision).saturating_sub(revision),
        })
    }
}

fn note(availability: &Availability, change: impl FnOnce(&mut Following)) {
    if let Phase::Follows(following) = &mut *availability.phase() {
        change(following);
    }
}
