//! Two managers for one fabric: one leads, the others follow its log and take over.
//!
//! ```text
//! follows --takeover: lease, last entries, epoch on the disk--> promoted --the judgement is made--> leads
//! leads   --fenced by an agent, lease lost, told to yield-----> stepped down, for good: started again, it follows
//! ```
//!
//! Invariant: what keeps two managers apart is the epoch, which agents enforce. Everything else here (leases, yielding) only
//! makes it seldom that the old one learns of it from them.

mod etcd;
mod follower;
mod lease;
mod reach;
mod role;
mod shipping;

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::Sender;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use philae_store::{Epoch, Store};
use serde_json::{Value, json};

pub use follower::{FollowError, Follower};
pub use lease::{Lease, LeaseError, LeaseName, TAKEOVER, Taken};
pub use reach::{Reach, proven_by};
pub use role::StandbyError;
pub use shipping::{confirmed, give_log, give_secrets, show, take_over, yield_to};

use crate::problem::{Code, Problem};

/// The file in a state directory that says that it follows another manager, or was fenced by one.
const FOLLOWS: &str = "follows";

/// Time that a change waits for a standby before it is answered that none has confirmed it.
///
/// Source: ours. Status: assumed.
const CONFIRMED_WITHIN: Duration = Duration::from_secs(10);

/// A standby that has not asked for so long is not counted any more.
///
/// Source: ours. Status: assumed.
const STANDBY_GONE: Duration = Duration::from_secs(60);

/// How far a standby is.
#[derive(Clone, Debug, Default)]
pub struct Following {
    /// The leader's address.
    pub leader: String,
    /// The leader's newest revision, as far as it was heard.
    pub leader_revision: u64,
    /// The newest revision here.
    pub revision: u64,
    /// When everything that the leader had was here.
    pub in_step: Option<Instant>,
    /// What keeps it from following now.
    pub problem: Option<String>,
}

/// What a manager is to the others.
#[derive(Clone, Debug)]
pub enum Phase {
    /// It leads: it judges, and takes changes.
    Leads,
    /// It follows another one.
    Follows(Following),
    /// It has the epoch to lead with; the judgement is still to be made.
    Promoted(u64),
    /// It led, and must not any more.
    SteppedDown {
        /// Why.
        why: String,
        /// Who leads in its place, where that is known.
        leader: Option<String>,
    },
}

impl Phase {
    /// One word.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Leads => "leads",
            Self::Follows(_) => "follows",
            Self::Promoted(_) => "taking-over",
            Self::SteppedDown { .. } => "stepped-down",
        }
    }
}

/// How far standbys are.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Lag {
    /// How many there are.
    pub standbys: usize,
    /// Changes that the nearest one lacks; of a standby, those that it lacks itself.
    pub behind: u64,
    /// Of a standby: since it had everything, seconds.
    pub in_step_age: f64,
}

/// How a takeover ended.
#[derive(Clone, Debug)]
pub struct TookOver {
    /// The epoch that leads now.
    pub epoch: u64,
    /// The newest revision here.
    pub revision: u64,
    /// The leader before stepped down by itself, and everything that it had is here.
    pub complete: bool,
    /// Revisions that the leader before was known to have and that are not here.
    pub behind: u64,
}

/// Somebody who waits for a takeover.
type TakeOver = Sender<Result<TookOver, String>>;

/// A standby of this manager.
#[derive(Clone, Copy, Debug)]
struct Standby {
    /// What it has on its disk.
    revision: u64,
    heard: Instant,
}

struct Inner {
    name: String,
    state: Option<PathBuf>,
    phase: Mutex<Phase>,
    changed: Condvar,
    standbys: Mutex<BTreeMap<String, Standby>>,
    heard: Condvar,
    acknowledge: AtomicBool,
    lease: Mutex<(LeaseName, Option<Instant>)>,
    /// Asks the follower to take over.
    ask: Mutex<Option<Sender<TakeOver>>>,
    ended: AtomicBool,
}

/// What a manager is to the others; shared by all of its threads.
#[derive(Clone)]
pub struct Availability(Arc<Inner>);

impl fmt::Debug for Availability {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Availability").field(&*self.phase()).finish()
    }
}

fn held<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Availability {
    /// A manager that leads, alone.
    #[must_use]
    pub fn leads(state: Option<&Path>) -> Self {
        Self::new(state, Phase::Leads)
    }

    /// A manager that follows the one at an address.
    #[must_use]
    pub fn follows(state: &Path, leader: &str) -> Self {
        let following = Following { leader: leader.to_owned(), ..Following::default() };
        Self::new(Some(state), Phase::Follows(following))
    }

    fn new(state: Option<&Path>, phase: Phase) -> Self {
        let host = std::fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
        let path = state.map(|state| std::path::absolute(state).unwrap_or_else(|_| state.to_owned()));
        let name = format!("{}:{}", host.trim(), path.as_deref().unwrap_or(Path::new("memory")).display());
        Self(Arc::new(Inner {
            name,
            state: path,
            phase: Mutex::new(phase),
            changed: Condvar::new(),
            standbys: Mutex::default(),
            heard: Condvar::new(),
            acknowledge: AtomicBool::new(false),
            lease: Mutex::new((LeaseName::None, None)),
            ask: Mutex::new(None),
            ended: AtomicBool::new(false),
        }))
    }

    /// What it is called among managers: its machine and its state directory.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.0.name
    }

    /// What it is now.
    pub fn phase(&self) -> MutexGuard<'_, Phase> {
        held(&self.0.phase)
    }

    fn set_phase(&self, phase: Phase) {
        *self.phase() = phase;
        self.0.changed.notify_all();
    }

    /// Leads from now on: the judgement is made.
    fn lead(&self) {
        let mut phase = self.phase();
        if matches!(*phase, Phase::Promoted(_)) {
            *phase = Phase::Leads;
        }
    }

    /// Whether it leads now: with a lease that counts, where there is one.
    #[must_use]
    pub fn is_leading(&self) -> bool {
        self.overdue();
        matches!(*self.phase(), Phase::Leads)
    }

    /// Changes are answered only once a standby has them.
    pub fn acknowledge_standby(&self) {
        self.0.acknowledge.store(true, Ordering::Relaxed);
    }

    /// Whether an endpoint that changes something may be called now.
    ///
    /// # Errors
    /// 503 with who leads, where that is known.
    pub fn admit_change(&self) -> Result<(), Problem> {
        self.overdue();
        match &*self.phase() {
            Phase::Leads => Ok(()),
            Phase::Follows(Following { leader, .. }) => Err(Problem::new(
                Code::Follows,
                format!(
                    "this manager follows the one at {leader}, which takes changes; philae fabric takeover makes this one lead"
                ),
            )),
            Phase::Promoted(epoch) => Err(Problem::new(
                Code::TakingOver,
                format!("this manager takes over with epoch {epoch}; ask again in a second"),
            )),
            Phase::SteppedDown { why, leader } => {
                let leader =
                    leader.as_ref().map_or_else(|| "another one".to_owned(), |leader| format!("the one at {leader}"));
                let detail = format!(
                    "this manager has stepped down ({why}): {leader} leads; started again as philae manager standby --of URL it follows"
                );
                Err(Problem::new(Code::SteppedDown, detail))
            }
        }
    }

    /// Steps down, for good, and remembers it over a restart.
    pub fn step_down(&self, why: &str, leader: Option<String>) {
        let mut phase = self.phase();
        if !matches!(*phase, Phase::Leads | Phase::Promoted(_)) {
            return;
        }
        *phase = Phase::SteppedDown { why: why.to_owned(), leader: leader.clone() };
        drop(phase);
        self.0.changed.notify_all();
        self.0.heard.notify_all();
        crate::log::stepped_down(why);
        if let Some(state) = &self.0.state {
            // Where it cannot be written, the epoch keeps this one apart after a restart, too.
            drop(mark(state, leader.as_deref().unwrap_or("another manager")));
        }
    }

    /// Steps down where the lease has run out, looked at by whoever is about to order or write something.
    fn overdue(&self) {
        let over = held(&self.0.lease).1.is_some_and(|until| Instant::now() >= until);
        if over {
            self.step_down("its lease ran out before it could be renewed", None);
        }
    }

    /// Keeps a lease alive from now on, in a thread of its own, and steps down when it is lost.
    ///
    /// # Errors
    /// When there is no thread for it.
    pub fn keep(&self, name: LeaseName, mut lease: Lease, life: Duration, since: Instant) -> std::io::Result<()> {
        // A quarter of the life is left to whoever takes over: this one is silent by then.
        let good_for = life * 3 / 4;
        *held(&self.0.lease) = (name, Some(since + good_for));
        let availability = self.clone();
        let keep = move || {
            let mut next = Instant::now() + life / 4;
            loop {
                std::thread::sleep((life / 16).min(Duration::from_millis(100)));
                if availability.0.ended.load(Ordering::Relaxed) {
                    // What cannot be given back runs out.
                    drop(lease.give_back());
                    availability.0.changed.notify_all();
                    return;
                }
                if !availability.is_leading() && !matches!(*availability.phase(), Phase::Promoted(_)) {
                    drop(lease.give_back());
                    return;
                }
                if Instant::now() < next {
                    continue;
                }
                let asked = Instant::now();
                match lease.renew() {
                    Ok(true) => {
                        held(&availability.0.lease).1 = Some(asked + good_for);
                        next = asked + life / 4;
                    }
                    Ok(false) => availability.step_down("somebody else holds the lease", None),
                    // It is asked again at once, and counts for as long as it was good for.
                    Err(error) => crate::log::lease_failed(&error.to_string()),
                }
            }
        };
        std::thread::Builder::new().name("lease".to_owned()).spawn(keep).map(|_| ())
    }

    /// Gives the lease back: the process ends.
    pub fn end(&self) {
        let leased = held(&self.0.lease).1.is_some();
        self.0.ended.store(true, Ordering::Relaxed);
        if leased {
            // The thread that keeps it looks ten times a second.
            std::thread::sleep(Duration::from_millis(300));
        }
    }

    /// Wraps an answer to a change so that it waits for a standby, where that was asked for.
    ///
    /// # Errors
    /// When no standby has it in time: it is kept here nevertheless.
    pub fn confirmed(&self, revision: u64) -> Result<(), Problem> {
        let until = Instant::now() + CONFIRMED_WITHIN;
        let mut standbys = held(&self.0.standbys);
        loop {
            if standbys.values().any(|standby| standby.revision >= revision) {
                return Ok(());
            }
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() || !matches!(*self.phase(), Phase::Leads) {
                let detail = format!(
                    "revision {revision} is kept here, but no standby has confirmed it: if this manager is lost now, so is the change"
                );
                return Err(Problem::new(Code::NotConfirmed, detail));
            }
            let waited = self.0.heard.wait_timeout(standbys, left.min(Duration::from_millis(250)));
            standbys = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// Whether changes wait for a standby.
    #[must_use]
    pub fn confirms(&self) -> bool {
        self.0.acknowledge.load(Ordering::Relaxed)
    }

    /// A standby has asked for what follows a revision: it has everything before on its disk.
    fn note_standby(&self, name: &str, revision: u64) {
        let now = Instant::now();
        let mut standbys = held(&self.0.standbys);
        standbys.retain(|_, standby| now.duration_since(standby.heard) < STANDBY_GONE);
        standbys.insert(name.chars().take(200).collect(), Standby { revision, heard: now });
        drop(standbys);
        self.0.heard.notify_all();
    }

    /// Asks the follower to take over, and waits until it has.
    fn order_takeover(&self, patience: Duration) -> Result<TookOver, Problem> {
        let (tell, told) = std::sync::mpsc::channel();
        let asked = held(&self.0.ask).as_ref().is_some_and(|ask| ask.send(tell).is_ok());
        if !asked {
            return Err(Problem::conflict(format!(
                "this manager {}: only one that follows takes over",
                self.phase().name()
            )));
        }
        let took = told.recv_timeout(patience).map_err(|_| {
            Problem::new(
                Code::TakingOver,
                "the takeover goes on; GET /api/v1/leadership says when it has ended".to_owned(),
            )
        })?;
        took.map_err(Problem::conflict)
    }

    /// How far standbys are.
    #[must_use]
    pub fn lag(&self, revision: u64) -> Lag {
        match &*self.phase() {
            Phase::Follows(following) => Lag {
                standbys: 0,
                behind: following.leader_revision.saturating_sub(revision),
                in_step_age: following.in_step.map_or(0.0, |since| since.elapsed().as_secs_f64()),
            },
            _ => {
                let standbys = held(&self.0.standbys);
                let here = || standbys.values().filter(|standby| standby.heard.elapsed() < STANDBY_GONE);
                let nearest = here().map(|standby| standby.revision).max().unwrap_or(revision);
                Lag { standbys: here().count(), behind: revision.saturating_sub(nearest), in_step_age: 0.0 }
            }
        }
    }

    /// What the state directory takes, bytes.
    #[must_use]
    pub fn stored_bytes(&self) -> u64 {
        let files = self.0.state.iter().filter_map(|state| std::fs::read_dir(state).ok()).flatten().flatten();
        files.filter_map(|file| file.metadata().ok()).filter(std::fs::Metadata::is_file).map(|file| file.len()).sum()
    }

    /// All of it, for people and programs.
    #[must_use]
    pub fn shown(&self, store: &Store) -> Value {
        let now = Instant::now();
        let phase = self.phase().clone();
        let snapshot = store.snapshot();
        let (revision, epoch) = (snapshot.revision().0, snapshot.epoch().0);
        let (lease, until) = held(&self.0.lease).clone();
        let mut shown = json!({
            "name": self.name(),
            "state": phase.name(),
            "epoch": epoch,
            "revision": revision,
            "acknowledge": if self.confirms() { "standby" } else { "disk" },
            "lease": {
                "name": lease.to_string(),
                "goodForSeconds": until.map(|until| until.saturating_duration_since(now).as_secs_f64()),
            },
        });
        match phase {
            Phase::Leads | Phase::Promoted(_) => {
                let standbys = held(&self.0.standbys).clone();
                let standby = |(name, standby): (String, Standby)| {
                    json!({
                        "name": name,
                        "revision": standby.revision,
                        "behindRevisions": revision.saturating_sub(standby.revision),
                        "heardSecondsAgo": now.duration_since(standby.heard).as_secs_f64(),
                    })
                };
                shown["standbys"] = standbys.into_iter().map(standby).collect();
            }
            Phase::Follows(following) => {
                shown["leader"] = json!(following.leader);
                shown["behindRevisions"] = json!(following.leader_revision.saturating_sub(revision));
                let behind = following.in_step.map(|since| now.saturating_duration_since(since).as_secs_f64());
                shown["inStepSecondsAgo"] = json!(behind);
                shown["problem"] = json!(following.problem);
            }
            Phase::SteppedDown { why, leader } => {
                shown["leader"] = json!(leader);
                shown["problem"] = json!(why);
            }
        }
        shown
    }
}

/// Remembers that a state directory follows.
fn mark(state: &Path, leader: &str) -> std::io::Result<()> {
    let file = state.join(FOLLOWS);
    std::fs::write(&file, format!("{leader}\n"))?;
    std::fs::File::open(&file)?.sync_all()
}

/// Whom a state directory follows.
#[must_use]
pub fn follows(state: &Path) -> Option<String> {
    std::fs::read_to_string(state.join(FOLLOWS)).ok().map(|text| text.trim().to_owned())
}

/// Forgets that a state directory follows.
fn unmark(state: &Path) -> std::io::Result<()> {
    match std::fs::remove_file(state.join(FOLLOWS)) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(()),
        removed => removed,
    }
}

/// Lets a state directory that followed lead from now on: for an operator who knows that nobody else does.
///
/// # Errors
/// When the store cannot be opened.
pub fn lead_from_now_on(state: &Path) -> Result<(), FollowError> {
    let store = Store::open(state, philae_store::Options::default())?;
    let epoch = Epoch(store.snapshot().epoch().0 + TAKEOVER);
    store.promote_to(epoch).wait()?;
    unmark(state).map_err(FollowError::State)
}

/// The highest epoch that a state directory knows of.
///
/// # Errors
/// When the store cannot be opened.
pub fn known_epoch(state: &Path) -> Result<u64, FollowError> {
    Ok(Store::open(state, philae_store::Options::default())?.snapshot().epoch().0)
}
