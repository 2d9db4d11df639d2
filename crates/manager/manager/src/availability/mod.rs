//! Several managers for one fabric: one leads, the others follow its log and take over.
//!
//! ```text
//! follows      --takeover: lease, last entries, epoch on the disk--> promoted --the event loop runs--> leads
//! leads        --fenced by an agent, lease lost, told to yield-----> stepped down
//! stepped down --it knows whom to follow---------------------------> follows
//! stepped down --the lease is free, and it led last----------------> promoted
//! unleased     --it has the lease, which was not reached before----> promoted
//! ```
//!
//! Invariant: two things keep two managers apart: the epoch, which agents enforce, and the lease's
//! record, which names the managers that may take over ([`takeover`]). No clock is compared with
//! another one.

mod etcd;
mod follow_error;
pub mod follower;
mod histories;
mod lease;
mod reach;
pub mod role;
mod seal;
mod secrets;
mod set_aside;
mod shipment;
pub mod shipping;
pub mod shown;
mod takeover;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::Sender;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use philae_store::{Epoch, Store, StoreOptions};
use takeover::{AnswerPermission, InStep};

use crate::protocol::problem::{ApiProblem, ProblemCode};
pub use follow_error::FollowError;
pub use lease::{Lease, LeaseError, LeaseName, LeaseOutcome, LeaseProof, TAKEOVER};
pub use reach::OtherManager;
pub(crate) use seal::unhex;
pub(crate) use secrets::secrets;
pub use takeover::{Claimant, Reason};

/// The file in a state directory that says that its manager follows another one, or was fenced.
const FOLLOWS: &str = "follows";

/// Additional time that a change waits until the lease records that a standby is gone.
///
/// Source: ours. Status: assumed.
const CONFIRMED_WITHIN: Duration = Duration::from_secs(10);

/// Default time that an answer waits for a standby.
///
/// Source: ours; less than a third of the life of a lease. Status: assumed.
const PATIENCE: Duration = Duration::from_secs(3);

/// The progress of a standby.
#[derive(Clone, Debug, Default)]
pub struct Following {
    /// The leader's address.
    pub leader: String,
    /// The leader's newest revision, as far as known.
    pub leader_revision: u64,
    /// The newest revision here.
    pub revision: u64,
    /// When this store last had everything of the leader.
    pub in_step: Option<Instant>,
    /// The present problem with following.
    pub problem: Option<String>,
    /// The leader has another history, so it is unknown how far this one is behind.
    pub parted: bool,
    /// The leader has named this standby: it may take over.
    pub usable: bool,
    /// Why this manager may not have the lease, which is free.
    pub refused: Option<String>,
}

/// The role of a manager among the others.
#[derive(Clone, Debug)]
pub enum ManagerRole {
    /// It leads: it runs the event loop and accepts changes.
    Leads,
    /// It follows another one.
    Follows(Following),
    /// It would lead, but its disk accepts no writes.
    Waits {
        /// The epoch that came with the lease.
        epoch: Option<u64>,
        /// The error of the disk.
        why: String,
    },
    /// It would lead, but the lease cannot be reached, or is not this manager's.
    Unleased {
        /// The reason.
        why: String,
        /// An operator ordered it to lead.
        ordered: bool,
    },
    /// It has the epoch to lead with; its event loop has not begun yet.
    Promoted(u64),
    /// It led, and must not any more.
    SteppedDown {
        /// The reason.
        why: String,
        /// The new leader, if known.
        leader: Option<String>,
    },
}

impl ManagerRole {
    /// The phase in one word.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Leads => "leads",
            Self::Follows(_) => "follows",
            Self::Waits { .. } => "waits-for-disk",
            Self::Unleased { .. } => "waits-for-lease",
            Self::Promoted(_) => "taking-over",
            Self::SteppedDown { .. } => "stepped-down",
        }
    }
}

/// When changes are answered.
#[derive(Clone, Copy, Debug)]
pub struct Terms {
    /// Answers wait for standbys in step, even without a lease.
    pub acknowledge_standby: bool,
    /// Changes that a standby may lack and still take over without an operator.
    pub lag: u64,
    /// How long an answer waits for a standby before changes continue without it.
    pub patience: Duration,
}

impl Default for Terms {
    fn default() -> Self {
        Self { acknowledge_standby: false, lag: 0, patience: PATIENCE }
    }
}

/// Where an acknowledged change is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChangeDurability {
    /// On this manager's disk, and on that of a standby that may take over.
    Standby,
    /// On this manager's disk only.
    OneDisk,
}

impl ChangeDurability {
    /// The word for it in answers.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Standby => "standby",
            Self::OneDisk => "one-disk",
        }
    }
}

/// The result of a takeover.
#[derive(Clone, Debug)]
pub struct TookOver {
    /// The new epoch.
    pub epoch: u64,
    /// The newest revision of this store.
    pub revision: u64,
    /// The previous leader stepped down by itself, and all of its changes are here.
    pub complete: bool,
    /// Revisions that the previous leader was known to have and that are missing here.
    pub behind: u64,
}

/// An order to take over: whether missing changes may be lost, and where the result goes.
type TakeOver = (bool, Sender<Result<TookOver, String>>);

/// The lease of this manager.
#[derive(Clone, Debug, Default)]
struct Leased {
    name: LeaseName,
    /// Until when it is valid.
    until: Option<Instant>,
    /// The requested life, and the granted one.
    life: Option<(Duration, Option<Duration>)>,
}

struct Inner {
    name: String,
    state: Option<PathBuf>,
    phase: Mutex<ManagerRole>,
    changed: Condvar,
    /// The progress of standbys, and which of them answers wait for.
    steps: Mutex<InStep>,
    /// Notified when a standby has reported, or answers no longer wait for it.
    heard: Condvar,
    terms: Mutex<Terms>,
    /// By standby: the hash of the authority that it has.
    secrets: Mutex<BTreeMap<String, u64>>,
    /// By standby: its version.
    versions: Mutex<BTreeMap<String, String>>,
    /// Changes acknowledged on one disk since this manager began.
    one_disk: AtomicU64,
    lease: Mutex<Leased>,
    /// Passes the lease from a leader that stepped down to the thread that asks for it again.
    returned: Mutex<Option<Lease>>,
    /// Until when this manager leaves the lease to the one that took over from it.
    hold_off: Mutex<Option<Instant>>,
    /// Start of this manager's clock.
    began: Instant,
    /// Passes orders to take over to the follower.
    ask: Mutex<Option<Sender<TakeOver>>>,
    ended: AtomicBool,
    /// Why the file with this manager's address, for commands on this machine, cannot be written;
    /// and since when.
    unannounced: Mutex<Option<(String, Instant)>>,
}

/// The role of a manager among the others; shared by all of its threads.
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
        Self::new(state, ManagerRole::Leads)
    }

    /// A manager that follows the one at `leader`.
    #[must_use]
    pub fn follows(state: &Path, leader: &str) -> Self {
        let following = Following { leader: leader.to_owned(), ..Following::default() };
        Self::new(Some(state), ManagerRole::Follows(following))
    }

    /// A manager that would lead, and waits for its lease.
    #[must_use]
    pub fn unleased(state: Option<&Path>, why: String, ordered: bool) -> Self {
        Self::new(state, ManagerRole::Unleased { why, ordered })
    }

    /// Notes why this manager cannot have the lease that it waits for. Returns whether the reason
    /// is new.
    fn note_unleased(&self, found: String) -> bool {
        match &mut *self.phase() {
            ManagerRole::Unleased { why, .. } if *why != found => {
                *why = found;
                true
            }
            _ => false,
        }
    }

    fn new(state: Option<&Path>, phase: ManagerRole) -> Self {
        let host = std::fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
        let path = state.map(|state| std::path::absolute(state).unwrap_or_else(|_| state.to_owned()));
        let mark = path.as_deref().and_then(mark_of).map_or_else(String::new, |mark| format!("#{mark}"));
        let name = format!("{}:{}{mark}", host.trim(), path.as_deref().unwrap_or(Path::new("memory")).display());
        Self(Arc::new(Inner {
            name,
            state: path,
            phase: Mutex::new(phase),
            changed: Condvar::new(),
            steps: Mutex::new(InStep::new(None, PATIENCE.as_millis() as u64, 0)),
            heard: Condvar::new(),
            terms: Mutex::default(),
            secrets: Mutex::default(),
            versions: Mutex::default(),
            one_disk: AtomicU64::new(0),
            lease: Mutex::default(),
            returned: Mutex::default(),
            hold_off: Mutex::default(),
            began: Instant::now(),
            ask: Mutex::new(None),
            ended: AtomicBool::new(false),
            unannounced: Mutex::default(),
        }))
    }

    fn now_ms(&self) -> u64 {
        self.0.began.elapsed().as_millis() as u64
    }

    /// The manager's name among managers: its machine, its state directory and that directory's
    /// mark. An emptied directory is another manager, because it has nothing of what the previous
    /// one had.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.0.name
    }

    /// The present phase.
    pub fn phase(&self) -> MutexGuard<'_, ManagerRole> {
        held(&self.0.phase)
    }

    fn set_phase(&self, phase: ManagerRole) {
        *self.phase() = phase;
        self.0.changed.notify_all();
    }

    /// Begins to lead: the event loop runs.
    fn lead(&self) {
        let mut phase = self.phase();
        if matches!(*phase, ManagerRole::Promoted(_)) {
            *phase = ManagerRole::Leads;
        }
    }

    /// Waits until its disk accepts writes, to lead then.
    pub(crate) fn wait_for_disk(&self, epoch: Option<u64>, why: String) {
        crate::log::waits_for_disk(&why);
        self.set_phase(ManagerRole::Waits { epoch, why });
    }

    /// Notes the epoch to lead with.
    pub(crate) fn promote(&self, epoch: u64) {
        self.set_phase(ManagerRole::Promoted(epoch));
    }

    /// Whether it leads now, with a valid lease if it uses one.
    #[must_use]
    pub fn is_leading(&self) -> bool {
        self.overdue();
        matches!(*self.phase(), ManagerRole::Leads)
    }

    /// Sets when changes are answered; `revision` is the newest one.
    pub fn agree(&self, terms: Terms, revision: u64) {
        *held(&self.0.terms) = terms;
        self.begin_term(revision);
    }

    /// Forgets the progress of standbys: they have to report again. Everything up to `revision`
    /// counts as answered.
    fn begin_term(&self, revision: u64) {
        let terms = *held(&self.0.terms);
        let leased = held(&self.0.lease).name != LeaseName::None;
        let lag = match (terms.acknowledge_standby, leased) {
            (true, _) => Some(0),
            (false, true) => Some(terms.lag),
            (false, false) => None,
        };
        *held(&self.0.steps) = InStep::new(lag, terms.patience.as_millis() as u64, revision);
    }

    /// Checks whether an endpoint that changes something may be called now.
    ///
    /// # Errors
    /// 503, with the leader if known.
    pub fn admit_change(&self) -> Result<(), ApiProblem> {
        self.overdue();
        match &*self.phase() {
            ManagerRole::Leads => Ok(()),
            ManagerRole::Follows(Following { leader, .. }) => Err(ApiProblem::new(
                ProblemCode::Follows,
                format!(
                    "this manager follows the one at {leader}, which accepts changes; philae fabric takeover makes this one lead"
                ),
            )),
            ManagerRole::Waits { why, .. } => {
                let detail = format!(
                    "this manager cannot lead yet: {why}; reads continue, and it leads as soon as writes succeed"
                );
                Err(ApiProblem { status: 503, ..ApiProblem::new(ProblemCode::StoreFailed, detail) })
            }
            ManagerRole::Unleased { why, .. } => Err(ApiProblem::new(
                ProblemCode::NotReady,
                format!(
                    "this manager waits for its lease: {why}; reads continue, and it leads as soon as it has the lease"
                ),
            )),
            ManagerRole::Promoted(epoch) => Err(ApiProblem::new(
                ProblemCode::TakingOver,
                format!("this manager takes over with epoch {epoch}; the same request would work in a second"),
            )),
            ManagerRole::SteppedDown { why, leader } => {
                let leader =
                    leader.as_ref().map_or_else(|| "another one".to_owned(), |leader| format!("the one at {leader}"));
                let detail = format!(
                    "this manager has stepped down ({why}): {leader} leads; started again as philae manager standby --of URL it follows"
                );
                Err(ApiProblem::new(ProblemCode::SteppedDown, detail))
            }
        }
    }

    /// Steps down permanently, and records that for a restart.
    pub fn step_down(&self, why: &str, leader: Option<String>) {
        let mut phase = self.phase();
        if !matches!(*phase, ManagerRole::Leads | ManagerRole::Promoted(_) | ManagerRole::Waits { .. }) {
            return;
        }
        *phase = ManagerRole::SteppedDown { why: why.to_owned(), leader: leader.clone() };
        drop(phase);
        self.0.changed.notify_all();
        self.0.heard.notify_all();
        crate::log::stepped_down(why);
        if let Some(state) = &self.0.state {
            // If this cannot be written, the epoch still keeps this manager apart after a restart.
            drop(mark(state, leader.as_deref().unwrap_or("another manager")));
        }
    }

    /// Leaves the lease to the manager that takes over: for a time, or until this one follows it.
    pub(crate) fn hold_off(&self, time: Option<Duration>) {
        *held(&self.0.hold_off) = time.map(|time| Instant::now() + time);
    }

    /// Whether this manager leaves the lease to another one.
    fn holds_off(&self) -> bool {
        held(&self.0.hold_off).is_some_and(|until| Instant::now() < until)
    }

    /// Twice the life of the lease: by then the manager that takes over has it.
    fn two_lives(&self) -> Duration {
        held(&self.0.lease).life.map_or(Duration::from_secs(60), |(life, _)| life * 2)
    }

    /// Steps down if the lease has expired. Every caller that is about to order or write something
    /// calls this first.
    fn overdue(&self) {
        let over = held(&self.0.lease).until.is_some_and(|until| Instant::now() >= until);
        if over {
            self.step_down("its lease ran out before it could be renewed", None);
        }
    }

    /// Keeps a lease in a thread of its own: renews it, records in it which standbys may take over,
    /// and steps down when it is lost. `revision` is the newest one, `phase` the manager's role
    /// with the lease.
    ///
    /// # Errors
    /// When the system starts no thread.
    pub fn keep(
        &self,
        name: LeaseName,
        mut lease: Lease,
        life: Duration,
        since: Instant,
        revision: u64,
        phase: ManagerRole,
    ) -> std::io::Result<()> {
        let granted = lease.granted();
        if let Some(granted) = granted.filter(|granted| *granted != life) {
            crate::log::lease_granted(&name.to_string(), life.as_secs(), granted.as_secs());
        }
        let life = granted.map_or(life, |granted| granted.min(life));
        // The last quarter of the life belongs to the next leader: this manager is silent by then.
        let good_for = life * 3 / 4;
        *held(&self.0.lease) = Leased { name, until: Some(since + good_for), life: Some((life, granted)) };
        self.begin_term(revision);
        self.set_phase(phase);
        let availability = self.clone();
        let keep = move || {
            let mut next = Instant::now() + life / 4;
            loop {
                std::thread::sleep((life / 16).min(Duration::from_millis(50)));
                if availability.0.ended.load(Ordering::Relaxed) {
                    // A lease that cannot be released expires.
                    drop(lease.give_back());
                    availability.0.changed.notify_all();
                    return;
                }
                availability.overdue();
                if matches!(*availability.phase(), ManagerRole::SteppedDown { .. } | ManagerRole::Follows(_)) {
                    drop(lease.give_back());
                    held(&availability.0.lease).until = None;
                    *held(&availability.0.returned) = Some(lease);
                    return;
                }
                availability.name_standbys(&mut lease);
                if Instant::now() < next {
                    continue;
                }
                let asked = Instant::now();
                match lease.renew() {
                    Ok(true) => {
                        held(&availability.0.lease).until = Some(asked + good_for);
                        next = asked + life / 4;
                    }
                    Ok(false) => availability.step_down("another manager holds the lease", None),
                    // It is tried again immediately; the lease stays valid until its time is over.
                    Err(error) => crate::log::lease_failed(&error.to_string()),
                }
            }
        };
        std::thread::Builder::new().name("lease".to_owned()).spawn(keep).map(|_| ())
    }

    /// Records in the lease which standbys may take it, if that has changed.
    fn name_standbys(&self, lease: &mut Lease) {
        let planned = {
            let mut steps = held(&self.0.steps);
            steps.plan(self.now_ms()).map(|usable| (usable, steps.answered()))
        };
        let Some((usable, answered)) = planned else { return };
        match lease.write(&usable, answered) {
            Ok(true) => self.named(usable),
            Ok(false) => self.step_down("another manager holds the lease", None),
            Err(error) => {
                held(&self.0.steps).failed(&usable);
                crate::log::lease_failed(&error.to_string());
            }
        }
    }

    /// Notes that the lease names these standbys.
    fn named(&self, usable: BTreeSet<String>) {
        crate::log::usable_standbys(&usable);
        held(&self.0.steps).wrote(usable);
        self.0.heard.notify_all();
    }

    /// Names standbys if there is no lease, in which nothing has to be written then.
    fn name_standbys_here(&self) {
        if held(&self.0.lease).name == LeaseName::None
            && let Some(usable) = { held(&self.0.steps).plan(self.now_ms()) }
        {
            self.named(usable);
        }
    }

    /// Whether the process is ending.
    #[must_use]
    pub fn has_ended(&self) -> bool {
        self.0.ended.load(Ordering::Relaxed)
    }

    /// Notes why this manager's address cannot be written for commands on this machine; `None` if
    /// it could.
    pub fn note_announced(&self, failed: Option<String>) {
        let mut known = held(&self.0.unannounced);
        let since = known.as_ref().map_or_else(Instant::now, |(_, since)| *since);
        *known = failed.map(|why| (why, since));
    }

    /// Releases the lease, because the process ends.
    pub fn end(&self) {
        let leased = held(&self.0.lease).until.is_some();
        self.0.ended.store(true, Ordering::Relaxed);
        if leased {
            // The thread that keeps the lease checks ten times a second.
            std::thread::sleep(Duration::from_millis(300));
        }
    }

    /// Waits until a change may be answered: every standby that may take over has it.
    ///
    /// # Errors
    /// When this manager no longer leads, or cannot record in the lease that a standby is gone. The
    /// change is stored here anyway.
    pub fn confirmed(&self, revision: u64) -> Result<ChangeDurability, ApiProblem> {
        let until = Instant::now() + held(&self.0.terms).patience + CONFIRMED_WITHIN;
        let lost = |why: &str| {
            held(&self.0.steps).forget(revision);
            let text = "it is on this manager's disk, and may take effect or not";
            Err(ApiProblem::new(
                ProblemCode::NotConfirmed,
                format!("revision {revision} is not acknowledged: {why}; {text}"),
            ))
        };
        loop {
            let verdict = { held(&self.0.steps).answer(revision, self.now_ms()) };
            // Checked last: a manager that no longer leads answers nothing.
            if !self.is_leading() {
                return lost("this manager has stepped down");
            }
            match verdict {
                AnswerPermission::Kept => return Ok(ChangeDurability::Standby),
                AnswerPermission::OneDisk => {
                    self.0.one_disk.fetch_add(1, Ordering::Relaxed);
                    return Ok(ChangeDurability::OneDisk);
                }
                AnswerPermission::Wait if Instant::now() >= until => {
                    return lost(
                        "no standby has confirmed it, and the lease could not record that there is no usable standby",
                    );
                }
                AnswerPermission::Wait => {}
            }
            self.name_standbys_here();
            let steps = held(&self.0.steps);
            drop(self.0.heard.wait_timeout(steps, Duration::from_millis(50)));
        }
    }

    /// Whether every standby that may take over has a revision.
    pub(crate) fn is_confirmed(&self, revision: u64) -> bool {
        let verdict = { held(&self.0.steps).answer(revision, self.now_ms()) };
        self.name_standbys_here();
        self.is_leading() && !matches!(verdict, AnswerPermission::Wait)
    }

    /// Waits until the standbys that may take over have the present authority, at most as long as
    /// an answer waits for them.
    fn secrets_shipped(&self, kept: ChangeDurability) -> ChangeDurability {
        let Some(state) = self.0.state.as_deref().filter(|_| kept == ChangeDurability::Standby) else { return kept };
        let until = Instant::now() + held(&self.0.terms).patience;
        loop {
            let now = secrets::hash_of(&secrets(state));
            let usable = held(&self.0.steps).usable().clone();
            let known = held(&self.0.secrets).clone();
            if !usable.is_empty() && usable.iter().all(|name| known.get(name) == Some(&now)) {
                return ChangeDurability::Standby;
            }
            if Instant::now() >= until {
                return ChangeDurability::OneDisk;
            }
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// Whether answers wait for standbys.
    #[must_use]
    pub fn confirms(&self) -> bool {
        held(&self.0.steps).waits()
    }

    /// Notes the progress of a standby: everything up to `revision` is on its disk.
    fn note_standby(&self, name: &str, revision: u64, secrets: u64) {
        let name: String = name.chars().take(1_000).collect();
        held(&self.0.steps).heard(&name, revision, self.now_ms());
        held(&self.0.secrets).insert(name, secrets);
        self.name_standbys_here();
        self.0.heard.notify_all();
    }

    /// Notes the version of a standby.
    fn note_version(&self, name: &str, version: Option<&str>) {
        let version: String = version.unwrap_or_default().chars().take(100).collect();
        let name: String = name.chars().take(1_000).collect();
        held(&self.0.versions).insert(name, version);
    }

    /// Standbys that follow this manager, each with its version if it reports one.
    pub(crate) fn standby_versions(&self) -> Vec<(String, Option<String>)> {
        let versions = held(&self.0.versions).clone();
        let steps = held(&self.0.steps);
        let version = |name: &str| versions.get(name).filter(|version| !version.is_empty()).cloned();
        steps.standbys(self.now_ms()).map(|(name, ..)| (name.to_owned(), version(name))).collect()
    }

    /// Orders the follower to take over, and waits until it has.
    fn order_takeover(&self, accept_loss: bool, patience: Duration) -> Result<TookOver, ApiProblem> {
        let (tell, told) = std::sync::mpsc::channel();
        let follows = matches!(*self.phase(), ManagerRole::Follows(_));
        let ask = |ask: &Sender<TakeOver>| ask.send((accept_loss, tell)).is_ok();
        if !follows || !held(&self.0.ask).as_ref().is_some_and(ask) {
            return Err(ApiProblem::conflict(format!(
                "this manager {}: only a standby can take over",
                self.phase().name()
            )));
        }
        let took = told.recv_timeout(patience).map_err(|_| {
            ApiProblem::new(
                ProblemCode::TakingOver,
                "the takeover continues; GET /api/v1/leadership shows its end".to_owned(),
            )
        })?;
        took.map_err(ApiProblem::conflict)
    }
}

/// Writes the secret files of another manager or of a backup, such as the authority, into a state
/// directory.
///
/// # Errors
/// `InvalidInput` if a name is none of theirs; errors of the disk.
pub fn keep_secrets(state: &Path, files: &BTreeMap<String, Vec<u8>>) -> std::io::Result<()> {
    for (name, text) in files {
        let unknown = || std::io::Error::new(std::io::ErrorKind::InvalidInput, format!("a secret called {name}"));
        let (folder, name) = match name.split_once('/') {
            Some(("ca", name)) => (state.join("ca"), name),
            None => (state.to_owned(), name.as_str()),
            Some(_) => return Err(unknown()),
        };
        let plain = |letter: char| letter.is_ascii_alphanumeric() || "-_.".contains(letter);
        if name.starts_with('.') || !name.chars().all(plain) {
            return Err(unknown());
        }
        std::fs::DirBuilder::new().recursive(true).mode(0o700).create(&folder)?;
        philae_agent_rpc::replace(&folder, name, text).map_err(|error| std::io::Error::other(error.to_string()))?;
    }
    Ok(())
}

/// The mark of a state directory, drawn at its first use; `None` if it cannot be written.
fn mark_of(state: &Path) -> Option<String> {
    const FILE: &str = "member";
    let known = std::fs::read_to_string(state.join(FILE)).ok().map(|text| text.trim().to_owned());
    if let Some(mark) = known.filter(|mark| !mark.is_empty()) {
        return Some(mark);
    }
    let mut bytes = [0; 4];
    ring::rand::SecureRandom::fill(&ring::rand::SystemRandom::new(), &mut bytes).ok()?;
    let mark = crate::digest::hex(&bytes);
    std::fs::DirBuilder::new().recursive(true).mode(0o700).create(state).ok()?;
    philae_agent_rpc::replace(state, FILE, format!("{mark}\n").as_bytes()).ok()?;
    Some(mark)
}

/// Records that a state directory follows.
fn mark(state: &Path, leader: &str) -> std::io::Result<()> {
    let text = format!("{leader}\n");
    // Nothing is written if nothing changes, so that a standby can restart on a full disk.
    if std::fs::read(state.join(FOLLOWS)).is_ok_and(|known| known == text.as_bytes()) {
        return Ok(());
    }
    philae_agent_rpc::replace(state, FOLLOWS, text.as_bytes()).map_err(|error| std::io::Error::other(error.to_string()))
}

/// The leader that a state directory follows.
#[must_use]
pub fn follows(state: &Path) -> Option<String> {
    std::fs::read_to_string(state.join(FOLLOWS)).ok().map(|text| text.trim().to_owned())
}

/// Removes the record that a state directory follows.
fn unmark(state: &Path) -> std::io::Result<()> {
    match std::fs::remove_file(state.join(FOLLOWS)) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(()),
        removed => removed,
    }
}

/// Lets a state directory that followed lead, on the order of an operator who knows that no other
/// manager does.
///
/// # Errors
/// When the store cannot be opened.
pub fn lead_from_now_on(state: &Path) -> Result<(), FollowError> {
    let store = Store::open(state, StoreOptions::default())?;
    let epoch = Epoch(store.snapshot().epoch().0 + TAKEOVER);
    store.promote_to(epoch).wait()?;
    unmark(state).map_err(FollowError::State)
}

/// The claim to the lease of a state directory that will lead.
///
/// # Errors
/// When the store cannot be opened.
pub fn claimant_of(state: &Path, lag: u64, ordered: bool) -> Result<Claimant, FollowError> {
    let store = Store::open(state, StoreOptions::default())?;
    let reason = if ordered { Reason::Ordered } else { Reason::Start };
    Ok(claimant(&store, lag, reason))
}

/// The claim to the lease, with the revision and epoch of a store.
fn claimant(store: &Store, lag: u64, reason: Reason) -> Claimant {
    let snapshot = store.snapshot();
    Claimant { revision: snapshot.revision().0, epoch: snapshot.epoch().0, lag, reason }
}

/// Removes the record that a state directory followed, because it holds the lease.
///
/// # Errors
/// When the record cannot be removed.
pub fn leads_now(state: &Path) -> std::io::Result<()> {
    unmark(state)
}
