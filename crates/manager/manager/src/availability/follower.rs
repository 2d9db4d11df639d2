//! The standby's side: a thread that copies the leader's log, and takes over.

use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use philae_store::{Epoch, FollowProblem, Revision, Store, StoreError, StoreOptions};
use serde_json::json;

use crate::availability::follow_error::FollowError;
use crate::availability::lease::{Lease, LeaseName, LeaseOutcome, TAKEOVER};
use crate::availability::seal::{Opening, SealedAnswer};
use crate::availability::shipment::{Shipment, WAIT_MOST_MS};
use crate::availability::takeover::{Claimant, Reason};
use crate::availability::{Availability, Following, ManagerRole, OtherManager, TakeOver, TookOver, held, mark, unmark};
use crate::protocol::problem::ProblemCode;

/// Pause after the leader could not be reached.
///
/// Source: ours. Status: assumed.
const PAUSE: Duration = Duration::from_millis(250);

/// How many times per life of the lease a standby returns from waiting for the log, to check
/// whether the lease is free.
///
/// Source: ours. Status: assumed.
const WAITS_PER_LIFE: u32 = 4;

/// Additional time that a leader may take for a page of its log.
///
/// Source: ours. Status: assumed.
const PAGE_WITHIN: Duration = Duration::from_secs(1);

/// The state of a standby that follows a leader.
#[derive(Debug)]
pub struct Follower {
    /// Managers that may lead. The standby asks one until it does not lead, then the next.
    reaches: Vec<OtherManager>,
    at: usize,
    state: PathBuf,
    lease: Option<(LeaseName, Lease)>,
    life: Duration,
    /// Changes that this manager may lack and still lead.
    lag: u64,
    /// This manager's own address, for the leader that it takes over from.
    own: String,
    secrets: u64,
}

impl Follower {
    /// A standby in a state directory. Without a store there, it takes a first copy: a backup, and
    /// the authority's files.
    ///
    /// # Errors
    /// When there is no store, and no manager gives a first copy.
    ///
    /// # Panics
    /// Without any manager to follow.
    pub fn begin(
        reaches: Vec<OtherManager>,
        state: &Path,
        lease: Option<(LeaseName, Lease)>,
        life: Duration,
        lag: u64,
        own: String,
    ) -> Result<Self, FollowError> {
        assert!(!reaches.is_empty(), "a standby follows a manager");
        let made = std::fs::DirBuilder::new().recursive(true).mode(0o700).create(state);
        made.map_err(FollowError::State)?;
        let state = std::path::absolute(state).map_err(FollowError::State)?;
        let mut follower = Self { reaches, at: 0, state, lease, life, lag, own, secrets: 0 };
        let is_new = crate::availability::follows(&follower.state).is_none()
            && Store::open(&follower.state, StoreOptions::default())?.snapshot().revision() == Revision(0);
        let mut tries = follower.reaches.len();
        loop {
            tries -= 1;
            let begun = follower.fetch_secrets().and_then(|()| if is_new { follower.first_copy() } else { Ok(()) });
            match begun {
                Ok(()) => break,
                Err(_) if tries > 0 => follower.at += 1,
                // A directory that has followed before is enough: perhaps no manager leads, and
                // this one may.
                Err(error) if !is_new => {
                    crate::log::not_following(&error.to_string());
                    break;
                }
                Err(error) => return Err(error),
            }
        }
        mark(&follower.state, follower.reach().base()).map_err(FollowError::State)?;
        Ok(follower)
    }

    /// For a leader that has lost its lease and knows of no other manager to follow: asks for the
    /// lease again.
    #[must_use]
    pub fn resting(state: &Path, life: Duration, lag: u64) -> Self {
        let state = std::path::absolute(state).unwrap_or_else(|_| state.to_owned());
        Self { reaches: Vec::new(), at: 0, state, lease: None, life, lag, own: String::new(), secrets: 0 }
    }

    /// For a manager that began without the lease: asks for it until the manager has it.
    #[must_use]
    pub fn waiting(state: &Path, lease: (LeaseName, Lease), life: Duration, lag: u64) -> Self {
        Self { lease: Some(lease), ..Self::resting(state, life, lag) }
    }

    fn reach(&self) -> &OtherManager {
        &self.reaches[self.at % self.reaches.len()]
    }

    /// The leader's address.
    #[must_use]
    pub fn leader(&self) -> &str {
        self.reach().base()
    }

    /// Takes a first copy by a backup, if the leader's log does not reach back to the beginning.
    fn first_copy(&self) -> Result<(), FollowError> {
        let refused = match self.reach().get("/api/v1/leadership/log?after=0") {
            Err(FollowError::Refused { status: 410, .. }) => true,
            other => other.map(|_| false)?,
        };
        if !refused {
            return Ok(());
        }
        let file = self.fetch_copy()?;
        let fresh = self.state.join("first-copy");
        philae_store::restore(&file, &fresh)?;
        for entry in std::fs::read_dir(&fresh).map_err(FollowError::State)?.flatten() {
            std::fs::rename(entry.path(), self.state.join(entry.file_name())).map_err(FollowError::State)?;
        }
        std::fs::remove_dir(&fresh).map_err(FollowError::State)?;
        std::fs::remove_file(&file).map_err(FollowError::State)
    }

    /// Fetches the leader's whole store into a file of the state directory.
    fn fetch_copy(&self) -> Result<PathBuf, FollowError> {
        let bytes = self.reach().get("/api/v1/leadership/copy")?;
        philae_agent_rpc::replace(&self.state, "leader.backup", &bytes)
            .map_err(|error| FollowError::State(std::io::Error::other(error.to_string())))?;
        Ok(self.state.join("leader.backup"))
    }

    /// Replaces the store by the leader's. Changes that only this standby had are set aside and
    /// logged.
    fn seed_again(&self, store: &Store, why: &str) -> Result<(), FollowError> {
        let folder = crate::availability::set_aside::keep(&self.state, store)?;
        let file = self.fetch_copy()?;
        let reseeded = store.reseed(&file).wait();
        drop(std::fs::remove_file(&file));
        let reseeded = reseeded?;
        let is_kept = crate::availability::set_aside::explain(&folder, &reseeded)?;
        crate::log::seeded_again(why, is_kept.then_some(folder.as_path()), &reseeded);
        Ok(())
    }

    fn unreadable(&self, problem: impl ToString) -> FollowError {
        FollowError::Unreadable { leader: self.reach().base().to_owned(), problem: problem.to_string() }
    }

    fn fetch_secrets(&self) -> Result<(), FollowError> {
        let opening =
            Opening::new(&self.state).map_err(|problem| FollowError::State(std::io::Error::other(problem)))?;
        let asked = serde_json::to_value(&opening.asked).expect("it is plain");
        let answer = self.reach().post_within("/api/v1/leadership/secrets", &asked, Duration::from_secs(10))?;
        let sealed: SealedAnswer = serde_json::from_slice(&answer).map_err(|error| self.unreadable(error))?;
        let bytes = opening.open(&sealed).map_err(|problem| self.unreadable(problem))?;
        let files: std::collections::BTreeMap<String, Vec<u8>> =
            serde_json::from_slice(&bytes).map_err(|error| self.unreadable(error))?;
        crate::availability::keep_secrets(&self.state, &files).map_err(|error| match error.kind() {
            std::io::ErrorKind::InvalidInput => self.unreadable(error),
            _ => FollowError::State(error),
        })
    }

    /// Begins to follow, in a thread of its own. It leads when it may, and follows again when it
    /// has stepped down.
    ///
    /// # Errors
    /// When the system starts no thread.
    pub fn start(mut self, store: Arc<Store>, availability: Availability) -> std::io::Result<()> {
        let (ask, asked) = channel();
        *held(&availability.0.ask) = Some(ask);
        if let Some((name, _)) = &self.lease {
            held(&availability.0.lease).name = name.clone();
        }
        let follow = move || {
            while !availability.0.ended.load(std::sync::atomic::Ordering::Relaxed) {
                self.turn(&store, &availability, &asked);
            }
        };
        std::thread::Builder::new().name("follower".to_owned()).spawn(follow).map(|_| ())
    }

    /// One round: the leader's log, then the lease.
    fn turn(&mut self, store: &Arc<Store>, availability: &Availability, asked: &Receiver<TakeOver>) {
        let phase = availability.phase().clone();
        match phase {
            ManagerRole::Leads | ManagerRole::Promoted(_) | ManagerRole::Waits { .. } => {
                return self.wait(PAUSE, store, availability, asked);
            }
            ManagerRole::SteppedDown { leader, .. } if !self.reaches.is_empty() => {
                // It follows the manager that took over, if it knows that one.
                let led_by = |reach: &OtherManager| leader.as_deref() == Some(reach.base());
                self.at = self.reaches.iter().position(led_by).unwrap_or(self.at);
                let following = Following { leader: self.leader().to_owned(), ..Following::default() };
                availability.set_phase(ManagerRole::Follows(following));
            }
            ManagerRole::SteppedDown { .. } | ManagerRole::Follows(_) | ManagerRole::Unleased { .. } => {}
        }
        if self.lease.is_none()
            && let Some(lease) = held(&availability.0.returned).take()
        {
            self.lease = Some((held(&availability.0.lease).name.clone(), lease));
        }
        let wait = (self.life / WAITS_PER_LIFE).min(Duration::from_millis(WAIT_MOST_MS));
        let step = if self.reaches.is_empty() { Ok(()) } else { self.step(store, availability, wait) };
        let problem = step.as_ref().err().map(ToString::to_string);
        note(availability, |following| {
            if let Some(problem) = problem.as_ref().filter(|problem| following.problem.as_ref() != Some(*problem)) {
                crate::log::not_following(problem);
            }
            following.problem.clone_from(&problem);
        });
        let is_idle = step.is_err() || self.reaches.is_empty();
        self.wait(if is_idle { PAUSE } else { Duration::ZERO }, store, availability, asked);
        match self.ask_lease(store, availability) {
            Ok(Some(epoch)) => {
                if let Err(problem) = self.take_over(store, availability, Some(epoch), false) {
                    crate::log::not_following(&problem);
                }
            }
            Ok(None) => {}
            // A manager that waits for its lease logs this once; others log every failure.
            Err(problem) if matches!(*availability.phase(), ManagerRole::Unleased { .. }) => {
                if availability.note_unleased(problem.clone()) {
                    crate::log::lease_failed(&problem);
                }
            }
            Err(problem) => crate::log::lease_failed(&problem),
        }
    }

    /// Waits for an order to take over, and carries it out.
    fn wait(&mut self, most: Duration, store: &Arc<Store>, availability: &Availability, asked: &Receiver<TakeOver>) {
        match asked.recv_timeout(most) {
            Ok((accept_loss, tell)) => {
                let follows = matches!(*availability.phase(), ManagerRole::Follows(_));
                let took = match follows {
                    true => self.take_over(store, availability, None, accept_loss),
                    false => Err("this manager no longer follows".to_owned()),
                };
                // The caller may be gone.
                drop(tell.send(took));
            }
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => std::thread::sleep(most),
        }
    }

    /// Takes the lease if it is free and this manager may have it.
    fn ask_lease(&mut self, store: &Store, availability: &Availability) -> Result<Option<u64>, String> {
        let reason = match &*availability.phase() {
            ManagerRole::Follows(_) | ManagerRole::SteppedDown { .. } => Some(Reason::Free),
            ManagerRole::Unleased { ordered, .. } => Some(if *ordered { Reason::Ordered } else { Reason::Start }),
            _ => None,
        };
        let Some(reason) = reason else { return Ok(None) };
        if availability.holds_off() {
            return Ok(None);
        }
        let Some((_, lease)) = &mut self.lease else { return Ok(None) };
        let claimant = crate::availability::claimant(store, self.lag, reason);
        let taken = lease.take(&claimant, Instant::now()).map_err(|error| error.to_string())?;
        let refused = match &taken {
            LeaseOutcome::Refused(why) => Some(why.clone()),
            LeaseOutcome::Ours(_) | LeaseOutcome::Theirs(_) => None,
        };
        let unleased = match &taken {
            LeaseOutcome::Ours(_) => None,
            LeaseOutcome::Theirs(holder) => {
                Some(format!("{holder} holds it and leads; philae manager standby --of URL follows"))
            }
            LeaseOutcome::Refused(why) => Some(format!("this manager may not lead: {why}")),
        };
        if let Some(why) = unleased.filter(|why| availability.note_unleased(why.clone())) {
            crate::log::lease_failed(&why);
        }
        note(availability, |following| {
            if let Some(why) = refused.as_ref().filter(|_| following.refused.is_none()) {
                crate::log::not_taking_over(why);
            }
            following.refused = refused;
        });
        Ok(if let LeaseOutcome::Ours(epoch) = taken { Some(epoch) } else { None })
    }

    /// Copies changes that the leader has and this store lacks; waits up to `wait` for one.
    fn step(&mut self, store: &Store, availability: &Availability, wait: Duration) -> Result<(), FollowError> {
        let snapshot = store.snapshot();
        let (after, head) = (snapshot.revision(), snapshot.head());
        let (name, wait_ms) = (encoded(availability.name()), wait.as_millis());
        let secrets = self.secrets;
        let path = format!(
            "/api/v1/leadership/log?after={after}&head={head}&waitMs={wait_ms}&standby={name}&secrets={secrets}"
        );
        let asked = self.reach().get_within(&path, wait + PAGE_WITHIN);
        let bytes = match asked {
            Err(error) => {
                if let FollowError::Refused { code, problem, .. } = &error
                    && [ProblemCode::Parted.code(), ProblemCode::Gone.code()].contains(&code.as_str())
                {
                    let problem = problem.clone();
                    note(availability, |following| {
                        following.parted = true;
                        following.usable = false;
                    });
                    return self.seed_again(store, &problem);
                }
                // Another manager may lead.
                self.at += usize::from(self.reaches.len() > 1);
                note(availability, |following| self.reach().base().clone_into(&mut following.leader));
                return Err(error);
            }
            Ok(bytes) => bytes,
        };
        let shipment: Shipment = postcard::from_bytes(&bytes).map_err(|error| self.unreadable(error))?;
        let (newest, usable, secrets) = (shipment.revision, shipment.usable, shipment.secrets);
        match absorb(store, shipment) {
            Err(StoreError::Follow(problem @ FollowProblem::Diverged { .. })) => {
                note(availability, |following| following.parted = true);
                return self.seed_again(store, &problem.to_string());
            }
            absorbed => absorbed?,
        }
        availability.hold_off(None);
        let revision = store.snapshot().revision().0;
        note(availability, |following| {
            following.revision = revision;
            following.leader_revision = newest.max(revision);
            following.parted = false;
            following.usable = usable;
            if revision >= newest {
                following.in_step = Some(Instant::now());
            }
        });
        if secrets != self.secrets {
            self.fetch_secrets()?;
            self.secrets = secrets;
        }
        Ok(())
    }

    /// Makes this store lead: takes the lease, tells the previous leader, copies the rest of its
    /// log, raises the epoch.
    fn take_over(
        &mut self,
        store: &Arc<Store>,
        availability: &Availability,
        leased: Option<u64>,
        accept_loss: bool,
    ) -> Result<TookOver, String> {
        let following = match &*availability.phase() {
            ManagerRole::Follows(following) => following.clone(),
            _ => Following::default(),
        };
        let remedy = "philae fabric takeover --accept-loss makes it lead regardless, without the missing changes";
        if following.parted && !accept_loss && leased.is_none() {
            return Err(format!("this standby has another history than the leader; {remedy}"));
        }
        let known = store.snapshot().epoch().0;
        let mut since = Instant::now();
        let mut epoch = leased.unwrap_or(known + TAKEOVER);
        // If the previous leader gets this message, it has made its last change, and this standby
        // can copy all of them.
        let order = json!({ "epoch": epoch, "leader": self.own });
        let told = match self.reaches.is_empty() {
            true => None,
            false => match self.reach().post_within("/api/v1/leadership/yield", &order, self.life / 4) {
                Ok(bytes) => Some(bytes),
                Err(problem) => {
                    crate::log::not_announced(&format!(
                        "the previous leader did not learn the address of this one: {problem}"
                    ));
                    None
                }
            },
        };
        let last = told.and_then(|bytes| serde_json::from_slice::<serde_json::Value>(&bytes).ok());
        let last = last.and_then(|answer| answer["revision"].as_u64());
        if let Some(last) = last {
            let until = Instant::now() + self.life / 2;
            while store.snapshot().revision().0 < last
                && Instant::now() < until
                && self.step(store, availability, Duration::ZERO).is_ok()
            {}
        }
        let is_complete = last.is_some_and(|last| store.snapshot().revision().0 >= last);
        if leased.is_none() && !is_complete && !accept_loss {
            let behind = following.behind(store.snapshot().revision().0);
            match (following.in_step, behind) {
                (Some(_), Some(0)) => {}
                (None, _) | (_, None) => return Err(format!("this standby has never had every change; {remedy}")),
                (_, Some(behind)) => {
                    return Err(format!("this standby is {behind} changes behind its leader; {remedy}"));
                }
            }
        }
        if leased.is_none()
            && let Some((name, lease)) = &mut self.lease
        {
            // On an operator's order the lease follows later, once the previous leader has released
            // or lost it.
            let until = Instant::now() + self.life * 2;
            let reason = if is_complete || accept_loss { Reason::Ordered } else { Reason::Free };
            epoch = loop {
                since = Instant::now();
                let claimant = Claimant { epoch: epoch - 1, ..crate::availability::claimant(store, self.lag, reason) };
                match lease.take(&claimant, since) {
                    Ok(LeaseOutcome::Ours(drawn)) => break drawn.max(epoch),
                    Ok(LeaseOutcome::Theirs(_)) if Instant::now() < until => std::thread::sleep(PAUSE),
                    Ok(LeaseOutcome::Theirs(holder)) => {
                        return Err(format!("{holder} holds the lease {name} and keeps it alive: it leads"));
                    }
                    Ok(LeaseOutcome::Refused(why)) => return Err(format!("{why}; {remedy}")),
                    Err(error) => return Err(error.to_string()),
                }
            };
        }
        let known = store.snapshot().epoch().0;
        let epoch = epoch.max(known + 1);
        let promoted = store.promote_to(Epoch(epoch)).wait().map_err(|error| error.to_string())?;
        unmark(&self.state).map_err(|error| FollowError::State(error).to_string())?;
        let revision = store.snapshot().revision().0;
        if let Some((name, lease)) = self.lease.take() {
            let kept = availability.keep(name, lease, self.life, since, revision, ManagerRole::Promoted(promoted.0));
            kept.map_err(|error| format!("cannot start threads: {error}"))?;
        } else {
            availability.begin_term(revision);
            availability.set_phase(ManagerRole::Promoted(promoted.0));
        }
        Ok(TookOver {
            epoch: promoted.0,
            revision,
            complete: is_complete,
            behind: last.unwrap_or(following.leader_revision).saturating_sub(revision),
        })
    }
}

/// Applies a page of the leader's log.
pub(super) fn absorb(store: &Store, shipment: Shipment) -> Result<(), StoreError> {
    if !shipment.entries.is_empty() || shipment.epoch > store.snapshot().epoch().0 {
        store.follow(Epoch(shipment.epoch), shipment.entries).wait()?;
    }
    Ok(())
}

/// A text, encoded for a query.
fn encoded(text: &str) -> String {
    let letter = |byte: u8| match byte {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => char::from(byte).to_string(),
        other => format!("%{other:02X}"),
    };
    text.bytes().map(letter).collect()
}

fn note(availability: &Availability, change: impl FnOnce(&mut Following)) {
    if let ManagerRole::Follows(following) = &mut *availability.phase() {
        change(following);
    }
}
