//! The answers about availability: which manager leads, which ones may take over, and what is
//! wrong.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::Ordering;
use std::time::Instant;

use philae_manager_core::HealthLevel;
use philae_store::{DiskProblem, Store, StoreError};
use serde_json::{Value, json};

use crate::availability::{Availability, ChangeDurability, Following, LeaseName, ManagerRole, held, set_aside};
use crate::manager::Manager;
use crate::protocol::problem::{ApiProblem, ProblemCode};
use crate::troubles::Trouble;

/// Free room below which a disk counts as nearly full, bytes.
///
/// Source: ours; a few thousand changes. Status: assumed.
const ROOM_LOW: u64 = 16 << 20;

/// The disk also counts as nearly full below one part in this many of its size, if that is less.
///
/// Source: ours. Status: assumed.
const ROOM_LOW_PART: u64 = 10;

/// Free room below which the disk counts as full, bytes.
///
/// Source: ours; the store grows by more at a time. Status: assumed.
const ROOM_NONE: u64 = 256 << 10;

/// How long this manager's address may stay unwritten before that is an alarm.
///
/// Source: ours. Status: assumed.
const UNANNOUNCED: std::time::Duration = std::time::Duration::from_secs(60);

/// The progress of standbys.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Lag {
    /// Number of standbys.
    pub standbys: usize,
    /// Number of standbys that may take over.
    pub usable: usize,
    /// Changes that the nearest standby lacks; for a standby, those that it lacks itself. `None` if
    /// unknown.
    pub behind: Option<u64>,
    /// For a standby: seconds since it last had everything.
    pub in_step_age: f64,
    /// Changes acknowledged on one disk only, since the manager began.
    pub one_disk: u64,
    /// For a standby: whether it may take over. For a leader: whether any standby may.
    pub covered: bool,
    /// Whether a standby is expected at all: there is a lease, or answers wait for standbys.
    pub expected: bool,
    /// Number of histories that were set aside in the state directory.
    pub asides: usize,
}

/// The state of the disk.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Room {
    /// Free room, bytes, if known.
    pub free: Option<u64>,
    /// No change can be stored: the disk is full, or a write failed and none has succeeded since.
    pub is_out: bool,
}

impl Availability {
    /// The state of the disk, and the trouble if it does not accept changes.
    #[must_use]
    pub(crate) fn room(&self, store: &Store) -> (Room, Option<Trouble>) {
        let Some(state) = self.0.state.as_deref() else { return (Room::default(), None) };
        let found = rustix::fs::statvfs(state).ok();
        let free = found.as_ref().map(|found| found.f_bavail.saturating_mul(found.f_frsize));
        let low = found
            .as_ref()
            .map_or(ROOM_LOW, |found| ROOM_LOW.min(found.f_blocks.saturating_mul(found.f_frsize) / ROOM_LOW_PART));
        let trouble = store.trouble();
        let was_full = matches!(trouble.as_deref(), Some(StoreError::Disk { problem: DiskProblem::Full, .. }));
        let path = state.display();
        let left = free.map_or_else(String::new, |free| format!(", {} KiB are free", free >> 10));
        let told = |key: &str, health, detail| Trouble::new("disk", key, health, detail);
        let what = match trouble {
            _ if was_full || free.is_some_and(|free| free < ROOM_NONE) => {
                let detail = format!("the disk of {path} is full{left}: changes are refused, reads continue");
                let next = "free space on it or enlarge it: no restart is needed";
                Some(told("full", HealthLevel::Unhealthy, detail).brief("the disk is full").next(next))
            }
            Some(trouble) => {
                let detail = format!("the last write failed, changes are not saved: {trouble}");
                let next = "check the disk; the manager tries again every 5 s";
                Some(told("write", HealthLevel::Unhealthy, detail).brief("the last write failed").next(next))
            }
            None if free.is_some_and(|free| free < low) => {
                let detail = format!("the disk of {path} is nearly full{left}");
                let told = told("low", HealthLevel::Degraded, detail).brief("the disk is nearly full");
                Some(told.next("free space on it or enlarge it"))
            }
            None => None,
        };
        let is_out = store.trouble().is_some() || free.is_some_and(|free| free < ROOM_NONE);
        (Room { free, is_out }, what)
    }

    /// Size of the state directory, bytes.
    #[must_use]
    pub fn stored_bytes(&self) -> u64 {
        let files = self.0.state.iter().filter_map(|state| std::fs::read_dir(state).ok()).flatten().flatten();
        files.filter_map(|file| file.metadata().ok()).filter(std::fs::Metadata::is_file).map(|file| file.len()).sum()
    }

    /// Names of the folders with histories that were set aside.
    #[must_use]
    pub fn asides(&self) -> Vec<String> {
        self.0.state.as_deref().map_or_else(Vec::new, set_aside::folders)
    }

    /// Why no standby may take over from this leader; `None` if one may, or none is expected.
    #[must_use]
    pub fn uncovered(&self) -> Option<String> {
        let leads = matches!(*self.phase(), ManagerRole::Leads);
        let steps = held(&self.0.steps);
        if !leads || !steps.waits() || !steps.usable().is_empty() {
            return None;
        }
        let newest = steps.answered();
        let nearest = steps.standbys(self.now_ms()).max_by_key(|(_, revision, _)| *revision);
        let why = match nearest {
            None => "no standby has connected".to_owned(),
            Some((name, revision, ago)) if ago > 5_000 => {
                format!("{name} was last heard {} s ago, with revision {revision} of {newest}", ago / 1_000)
            }
            Some((name, revision, _)) => {
                format!("{name} lacks {} changes, up to revision {newest}", newest.saturating_sub(revision))
            }
        };
        Some(format!("no usable standby, changes are on one disk only: {why}"))
    }

    /// Why this standby may not take over without an operator, `Some(None)` if it may; `None` if it
    /// is no standby.
    #[must_use]
    pub fn why_not(&self) -> Option<Option<String>> {
        let leased = held(&self.0.lease).name != LeaseName::None;
        let ManagerRole::Follows(following) = &*self.phase() else { return None };
        Some(following.why_not(leased))
    }

    /// The progress of standbys.
    #[must_use]
    pub fn lag(&self, revision: u64) -> Lag {
        let (asides, one_disk) = (self.asides().len(), self.0.one_disk.load(Ordering::Relaxed));
        let why_not = self.why_not();
        let phase = self.phase().clone();
        match &phase {
            ManagerRole::Follows(following) => Lag {
                standbys: 0,
                usable: 0,
                behind: following.behind(revision),
                in_step_age: following.in_step.map_or(f64::NAN, |since| since.elapsed().as_secs_f64()),
                one_disk,
                covered: why_not == Some(None),
                expected: true,
                asides,
            },
            _ => {
                let steps = held(&self.0.steps);
                let nearest = steps.standbys(self.now_ms()).map(|(_, revision, _)| revision).max().unwrap_or(revision);
                let usable = steps.usable().len();
                let standbys = steps.standbys(self.now_ms()).count();
                let behind = Some(revision.saturating_sub(nearest));
                let (covered, expected) = (usable > 0, steps.waits());
                Lag { standbys, usable, behind, in_step_age: 0.0, one_disk, covered, expected, asides }
            }
        }
    }

    /// The whole answer, for people and programs.
    #[must_use]
    pub fn shown(&self, store: &Store) -> Value {
        let now = Instant::now();
        let phase = self.phase().clone();
        let snapshot = store.snapshot();
        let (revision, epoch) = (snapshot.revision().0, snapshot.epoch().0);
        let lease = held(&self.0.lease).clone();
        let terms = *held(&self.0.terms);
        let (room, trouble) = self.room(store);
        let mut shown = json!({
            "name": self.name(),
            "state": phase.name(),
            "version": env!("CARGO_PKG_VERSION"),
            "epoch": epoch,
            "revision": revision,
            "acknowledge": if terms.acknowledge_standby { "standby" } else { "disk" },
            "failoverLag": terms.lag,
            "standbySeconds": terms.patience.as_secs_f64(),
            "changesOnOneDisk": self.0.one_disk.load(Ordering::Relaxed),
            "setAside": self.asides(),
            "disk": { "freeBytes": room.free, "takesChanges": !room.is_out, "problem": trouble.map(|trouble| trouble.detail) },
            "lease": {
                "name": lease.name.to_string(),
                "goodForSeconds": lease.until.map(|until| until.saturating_duration_since(now).as_secs_f64()),
                "grantedSeconds": lease.life.and_then(|(_, granted)| granted).map(|granted| granted.as_secs()),
            },
        });
        match phase {
            ManagerRole::Leads | ManagerRole::Promoted(_) => {
                let versions: BTreeMap<String, Option<String>> = self.standby_versions().into_iter().collect();
                let steps = held(&self.0.steps);
                let standby = |(name, has, ago): (&str, u64, u64)| {
                    json!({
                        "name": name,
                        "version": versions.get(name).cloned().flatten(),
                        "revision": has,
                        "behindRevisions": revision.saturating_sub(has),
                        "heardSecondsAgo": ago as f64 / 1e3,
                        "usable": steps.usable().contains(name),
                    })
                };
                shown["standbys"] = steps.standbys(self.now_ms()).map(standby).collect();
                shown["usableStandbys"] = json!(steps.usable());
                let kept =
                    if steps.usable().is_empty() { ChangeDurability::OneDisk } else { ChangeDurability::Standby };
                shown["durability"] = json!(kept.name());
                drop(steps);
                shown["problem"] = json!(self.uncovered());
            }
            ManagerRole::Follows(following) => {
                shown["leader"] = json!(following.leader);
                shown["behindRevisions"] = json!(following.behind(revision));
                let behind = following.in_step.map(|since| now.saturating_duration_since(since).as_secs_f64());
                shown["inStepSecondsAgo"] = json!(behind);
                let why_not = following.why_not(lease.name != LeaseName::None);
                shown["mayTakeOver"] = json!(why_not.is_none());
                let problems: Vec<String> = following.problem.iter().chain(&why_not).cloned().collect();
                shown["whyNot"] = json!(why_not);
                shown["problem"] = json!((!problems.is_empty()).then(|| problems.join("; ")));
            }
            ManagerRole::Waits { why, .. } | ManagerRole::Unleased { why, .. } => shown["problem"] = json!(why),
            ManagerRole::SteppedDown { why, leader } => {
                shown["leader"] = json!(leader);
                shown["problem"] = json!(why);
            }
        }
        shown
    }
}

impl Following {
    /// Changes that it lacks; `None` if unknown.
    #[must_use]
    pub fn behind(&self, revision: u64) -> Option<u64> {
        // If it may not have the lease, its leader had more changes than it knows of.
        let is_known = !self.parted && self.refused.is_none() && self.leader_revision > 0;
        is_known.then(|| self.leader_revision.saturating_sub(revision))
    }

    /// Why it may not take over without an operator.
    fn why_not(&self, leased: bool) -> Option<String> {
        if self.parted {
            return Some("this standby has another history than the leader".to_owned());
        }
        if let Some(why) = &self.refused {
            return Some(format!("the lease is free, and not for this standby: {why}"));
        }
        match self.in_step {
            None => Some("this standby has never had every change since it began".to_owned()),
            Some(_) if leased && !self.usable => Some("the leader does not count on this standby yet".to_owned()),
            Some(_) => None,
        }
    }
}

/// The troubles between managers, and those of their stores.
pub(crate) fn troubles(manager: &Manager) -> Vec<Trouble> {
    let availability = &manager.availability;
    let told = |key: &str, detail: String| Trouble::new("availability", key, HealthLevel::Degraded, detail);
    let mut found = Vec::new();
    if let Some(why) = availability.uncovered() {
        let next = "start the standby, or read its log for the reason why it does not follow";
        found.push(told("uncovered", why).brief("no usable standby").next(next));
    }
    if let ManagerRole::Unleased { why, .. } = &*availability.phase() {
        let detail = format!("this manager does not lead, it waits for its lease: {why}");
        let next = "check etcd and the network to it: this manager leads by itself as soon as it has the lease";
        let trouble = Trouble::new("availability", "unleased", HealthLevel::Unhealthy, detail);
        found.push(trouble.brief("this manager waits for its lease").next(next));
    }
    if let Some(Some(why)) = availability.why_not() {
        let detail = format!("this standby would not take over: {why}");
        let next = "if the leader is lost for good: philae fabric takeover --accept-loss";
        found.push(told("no-takeover", detail).brief("this standby would not take over").next(next));
    }
    for folder in availability.asides() {
        let state = availability.0.state.as_deref().unwrap_or(Path::new(""));
        let folder = state.join(set_aside::FOLDER).join(&folder).display().to_string();
        let detail = format!("changes that are not in the leader's history were set aside in {folder}");
        let next = "read changes.json there, repeat the changes that are needed, then move the folder away";
        found.push(told(&folder, detail).brief("changes were set aside").next(next));
    }
    if let Some((why, since)) = &*held(&availability.0.unannounced)
        && since.elapsed() >= UNANNOUNCED
    {
        let detail = format!("commands on this machine do not learn the address of this manager: {why}");
        let next = "make that folder writable: the manager tries again every 10 s";
        found.push(told("unannounced", detail).brief("commands on this machine do not find this manager").next(next));
    }
    found.extend(availability.room(manager.documents.store()).1);
    found
}

/// Whether this manager accepts changes, as far as other managers and the disk are concerned; with
/// a note if it does.
///
/// # Errors
/// 503, with the reason why it accepts none.
pub fn readiness(manager: &Manager) -> Result<Option<String>, ApiProblem> {
    let availability = &manager.availability;
    if let Some(why_not) = availability.why_not() {
        let leader = match &*availability.phase() {
            ManagerRole::Follows(following) => following.leader.clone(),
            _ => String::new(),
        };
        let usable =
            why_not.map_or_else(|| "it may take over".to_owned(), |why| format!("not a usable standby: {why}"));
        return Err(ApiProblem::new(ProblemCode::Follows, format!("this manager follows {leader}; {usable}")));
    }
    availability.admit_change()?;
    if let (Room { is_out: true, .. }, Some(trouble)) = availability.room(manager.documents.store()) {
        return Err(ApiProblem { status: 503, ..ApiProblem::new(ProblemCode::StoreFailed, trouble.detail) });
    }
    Ok(availability.uncovered())
}
