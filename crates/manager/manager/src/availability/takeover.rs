//! The rules of taking over, without clocks, disks or sockets: the service and its simulated
//! histories run the same ones.
//!
//! Invariant: a standby that the lease's record names has every answered change, except for the lag
//! that the operator allows. The leader waits for each named standby before it answers, and removes
//! a name from the record before it stops waiting.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use crate::availability::lease::TAKEOVER;

/// Changes that a standby may lack when answers begin to wait for it, so that it can catch up under
/// load.
///
/// Source: ours; one page of the log. Status: assumed.
const NEAR: u64 = 256;

/// How many times its patience a leader remembers a silent standby, and does not let a standby that
/// delayed answers catch up.
///
/// Source: ours. Status: assumed; a minute with the patience that is usual.
const REST: u64 = 20;

/// The lease's record of the last leader. Only the leader writes it, while it holds the lease.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct LeaderRecord {
    /// The name of the last leader; empty if there was none.
    pub last: String,
    /// The last epoch.
    pub epoch: u64,
    /// Standbys that may take the lease without an operator: they have every answered change.
    #[serde(default)]
    pub usable: BTreeSet<String>,
    /// The newest answered revision at the time of writing.
    #[serde(default)]
    pub revision: u64,
}

/// Why a manager asks for the lease.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// It starts, to lead.
    Start,
    /// It follows, and the lease may be free.
    Free,
    /// An operator ordered it, and accepts the loss.
    Ordered,
}

/// A manager that asks for a lease.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claimant {
    /// The newest revision on its disk.
    pub revision: u64,
    /// The highest epoch that it knows.
    pub epoch: u64,
    /// Changes that it may lack.
    pub lag: u64,
    /// Why it asks.
    pub reason: Reason,
}

impl LeaderRecord {
    /// Decides whether a manager may take a free lease: the epoch to lead with, or the reason why
    /// not.
    pub(super) fn claim(&self, name: &str, claimant: &Claimant) -> Result<u64, String> {
        let above = claimant.epoch.max(self.epoch);
        let last = &self.last;
        // Records of earlier releases have names without the mark of a state directory.
        let is_last = last == name || (!last.contains('#') && name.split('#').next() == Some(last));
        let step = if is_last || last.is_empty() { 1 } else { TAKEOVER };
        match claimant.reason {
            Reason::Ordered => return Ok(above + TAKEOVER),
            Reason::Start if last.is_empty() => return Ok(above + step),
            Reason::Free if last.is_empty() => return Err("the lease does not name the last leader".to_owned()),
            Reason::Start | Reason::Free => {}
        }
        if !is_last && !self.usable.contains(name) {
            return Err(format!("it did not have every change of the last leader, {last}, at its last contact"));
        }
        if claimant.revision + claimant.lag < self.revision {
            let (has, had) = (claimant.revision, self.revision);
            return Err(format!("its disk has only revision {has}, but {last} had answered revision {had}"));
        }
        Ok(above + step)
    }
}

/// Whether a change may be answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum AnswerPermission {
    /// Yes: a standby that may take over has it, too.
    Kept,
    /// Yes: no standby may take over now, and it is on the leader's disk only.
    OneDisk,
    /// Not yet.
    Wait,
}

/// A standby, as the leader knows it.
#[derive(Clone, Copy, Debug)]
struct Heard {
    revision: u64,
    at: u64,
}

/// A leader's knowledge of its standbys, and which of them its answers wait for. Times are
/// milliseconds of any monotonic clock.
#[derive(Clone, Debug)]
pub(super) struct InStep {
    /// Changes that a standby may lack when a change is answered; `None`: answers do not wait.
    lag: Option<u64>,
    /// How long an answer waits before a standby that does not confirm it is removed.
    patience: u64,
    standbys: BTreeMap<String, Heard>,
    /// Answers wait for these: all that the record may name, and those that it will name next.
    listed: BTreeSet<String>,
    /// The standbys that the record names, as far as known.
    written: BTreeSet<String>,
    /// The last write of the record may or may not have been carried out.
    uncertain: bool,
    /// The highest answered revision.
    answered: u64,
    /// Changes that wait for their answer, each with its start.
    waiting: BTreeMap<u64, u64>,
    /// Standbys that delayed answers, each with the time until which answers do not wait for it to
    /// catch up.
    slow: BTreeMap<String, u64>,
}

impl InStep {
    pub(super) fn new(lag: Option<u64>, patience: u64, answered: u64) -> Self {
        Self {
            lag,
            patience,
            standbys: BTreeMap::new(),
            listed: BTreeSet::new(),
            written: BTreeSet::new(),
            uncertain: false,
            answered,
            waiting: BTreeMap::new(),
            slow: BTreeMap::new(),
        }
    }

    /// Notes that a standby has everything up to `revision` of this leader's history on its disk.
    pub(super) fn heard(&mut self, name: &str, revision: u64, now: u64) {
        self.standbys.insert(name.to_owned(), Heard { revision, at: now });
    }

    /// Whether a change may be answered. If not, it counts as waiting since the first call.
    pub(super) fn answer(&mut self, revision: u64, now: u64) -> AnswerPermission {
        let Some(lag) = self.lag else { return AnswerPermission::OneDisk };
        let has = |name: &String| self.standbys.get(name).is_some_and(|heard| heard.revision + lag >= revision);
        if !self.listed.iter().all(has) {
            self.waiting.entry(revision).or_insert(now);
            return AnswerPermission::Wait;
        }
        self.waiting.remove(&revision);
        self.answered = self.answered.max(revision);
        let holds = |name: &String| self.standbys.get(name).is_some_and(|heard| heard.revision >= revision);
        if self.written.iter().any(holds) { AnswerPermission::Kept } else { AnswerPermission::OneDisk }
    }

    /// Notes that no request waits for the answer to a change any more.
    pub(super) fn forget(&mut self, revision: u64) {
        self.waiting.remove(&revision);
    }

    /// The standbys that the record must name from now on, if it names others. Write them, then
    /// call [`Self::wrote`] or [`Self::failed`].
    pub(super) fn plan(&mut self, now: u64) -> Option<BTreeSet<String>> {
        let lag = self.lag?;
        let patience = self.patience;
        self.standbys
            .retain(|name, heard| self.listed.contains(name) || now.saturating_sub(heard.at) < REST * patience);
        let oldest = |lacks: &Heard| {
            let lacking = self.waiting.range(lacks.revision + lag + 1..);
            lacking.map(|(_, since)| *since).min()
        };
        let is_late = |heard: &Heard| {
            now.saturating_sub(heard.at) >= patience
                || oldest(heard).is_some_and(|since| now.saturating_sub(since) >= patience)
        };
        let late: BTreeSet<&String> =
            self.standbys.iter().filter(|(_, heard)| is_late(heard)).map(|(name, _)| name).collect();
        self.slow.retain(|_, until| now < *until);
        for name in late.iter().filter(|name| self.listed.contains(**name)) {
            self.slow.insert((*name).clone(), now + REST * patience);
        }
        let near = |name: &String, heard: &Heard| {
            let may_lack = if self.slow.contains_key(name) { 0 } else { NEAR };
            heard.revision + lag + may_lack >= self.answered
        };
        let listed: BTreeSet<String> = self
            .standbys
            .iter()
            .filter(|(name, heard)| !late.contains(name) && near(name, heard))
            .map(|(name, _)| name.clone())
            .collect();
        let in_step =
            |name: &String| self.standbys.get(name).is_some_and(|heard| heard.revision + lag >= self.answered);
        let target: BTreeSet<String> = listed.iter().filter(|name| in_step(name)).cloned().collect();
        // Answers wait for every standby that the record may name, until it certainly does not.
        let named: BTreeSet<String> =
            if self.uncertain { self.listed.union(&self.written).cloned().collect() } else { self.written.clone() };
        self.listed = listed.union(&named).cloned().collect();
        (target != self.written || self.uncertain).then_some(target)
    }

    /// Notes that the record names these.
    pub(super) fn wrote(&mut self, usable: BTreeSet<String>) {
        let gone: Vec<String> = self.written.difference(&usable).cloned().collect();
        self.listed.retain(|name| !gone.contains(name));
        self.listed.extend(usable.iter().cloned());
        self.uncertain = false;
        self.written = usable;
    }

    /// Notes that the record may or may not name these.
    pub(super) fn failed(&mut self, usable: &BTreeSet<String>) {
        self.listed.extend(usable.iter().cloned());
        self.uncertain = true;
    }

    /// The standbys that may take over.
    pub(super) const fn usable(&self) -> &BTreeSet<String> {
        &self.written
    }

    /// The highest answered revision.
    pub(super) const fn answered(&self) -> u64 {
        self.answered
    }

    /// Standbys with the revision that they have, and how long ago they reported.
    pub(super) fn standbys(&self, now: u64) -> impl Iterator<Item = (&str, u64, u64)> {
        self.standbys.iter().map(move |(name, heard)| (name.as_str(), heard.revision, now.saturating_sub(heard.at)))
    }

    /// Whether answers wait for standbys at all.
    pub(super) const fn waits(&self) -> bool {
        self.lag.is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(names: &[&str]) -> BTreeSet<String> {
        names.iter().map(|name| (*name).to_owned()).collect()
    }

    fn claimant(revision: u64, reason: Reason) -> Claimant {
        Claimant { revision, epoch: 7, lag: 0, reason }
    }

    #[test]
    fn only_who_led_last_or_is_named_with_all_of_it_takes_a_lease() {
        let record = LeaderRecord { last: "a#1".to_owned(), epoch: 9, usable: names(&["b#2"]), revision: 40 };
        assert_eq!(record.claim("a#1", &claimant(40, Reason::Start)), Ok(10));
        assert_eq!(record.claim("a#1", &claimant(41, Reason::Free)), Ok(10), "as a standby, too");
        assert_eq!(record.claim("b#2", &claimant(40, Reason::Free)), Ok(9 + TAKEOVER));
        for (name, revision, reason) in [
            ("c#3", 90, Reason::Free),
            ("b#9", 40, Reason::Free),
            ("c#3", 90, Reason::Start),
            ("b#2", 39, Reason::Free),
        ] {
            let refused = record.claim(name, &claimant(revision, reason)).expect_err("it lacks something");
            assert!(refused.contains("a#1"), "{refused}");
        }
        assert_eq!(record.claim("c#3", &claimant(0, Reason::Ordered)), Ok(9 + TAKEOVER));
        let lagging = Claimant { lag: 5, ..claimant(35, Reason::Free) };
        assert_eq!(record.claim("b#2", &lagging), Ok(9 + TAKEOVER), "the operator allows five");
        let new = LeaderRecord::default();
        assert_eq!(new.claim("a#1", &claimant(0, Reason::Start)), Ok(8));
        assert!(new.claim("b#2", &claimant(5, Reason::Free)).is_err(), "who never followed anybody");
        let old = LeaderRecord { last: "host:/state".to_owned(), epoch: 3, ..LeaderRecord::default() };
        assert_eq!(old.claim("host:/state#5", &claimant(0, Reason::Start)), Ok(8), "a record of an earlier release");
    }

    #[test]
    fn answers_wait_for_who_is_named_until_it_is_named_no_more() {
        let mut leader = InStep::new(Some(0), 3_000, 10);
        assert_eq!(leader.answer(11, 0), AnswerPermission::OneDisk, "there is no standby");
        leader.heard("b", 10, 100);
        assert_eq!(leader.plan(100), None, "it lacks 11, and answers wait for it from now on");
        assert_eq!(leader.answer(12, 150), AnswerPermission::Wait);
        leader.heard("b", 12, 200);
        let usable = leader.plan(200).expect("it has all that was answered");
        assert_eq!(usable, names(&["b"]));
        assert_eq!(leader.answer(12, 200), AnswerPermission::OneDisk, "the record does not name it yet");
        leader.wrote(usable);
        assert_eq!(leader.answer(13, 300), AnswerPermission::Wait);
        leader.heard("b", 13, 310);
        assert_eq!(leader.answer(13, 310), AnswerPermission::Kept);
        assert_eq!(leader.answer(14, 1_000), AnswerPermission::Wait);
        assert_eq!(leader.plan(3_200), None);
        let usable = leader.plan(3_400).expect("it was silent for too long");
        assert!(usable.is_empty());
        assert_eq!(leader.answer(14, 3_400), AnswerPermission::Wait, "the record still names it");
        leader.failed(&usable);
        assert_eq!(leader.answer(14, 3_500), AnswerPermission::Wait, "nobody knows what the record says");
        let usable = leader.plan(3_600).expect("it is tried again");
        leader.wrote(usable);
        assert_eq!(leader.answer(14, 3_600), AnswerPermission::OneDisk);
    }

    #[test]
    fn a_standby_that_speaks_but_does_not_keep_up_is_taken_off() {
        let mut leader = InStep::new(Some(0), 3_000, 0);
        leader.heard("b", 0, 0);
        let usable = leader.plan(0).expect("in step");
        leader.wrote(usable);
        for now in (0..3_000).step_by(500) {
            leader.heard("b", 0, now);
            assert_eq!(leader.answer(1, now), AnswerPermission::Wait);
            assert_eq!(leader.plan(now), None);
        }
        leader.heard("b", 0, 3_000);
        assert_eq!(leader.plan(3_000), Some(names(&[])), "its disk is too slow");
        let mut quick = InStep::new(None, 3_000, 0);
        quick.heard("b", 0, 0);
        assert_eq!((quick.plan(0), quick.answer(5, 0)), (None, AnswerPermission::OneDisk), "answers wait for nobody");
    }
}
