//! The choice of the switches that a rollout begins next, and the reasons why others wait.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::{Duration, Instant};

use philae_policy::{ended_window, may_change};
use philae_units::SwitchId;

use crate::clock::utc;
use crate::documents::pending::pending;
use crate::firmware::leased::{Leased, leased};
use crate::firmware::rules::Rules;
use crate::firmware::words::switches;
use crate::firmware::{RolloutPlan, SwitchWait, Waits};
use crate::manager::Manager;
use crate::protocol::list::{ListFilter, condition};
use crate::protocol::problem::ApiProblem;

/// The switches that begin next, and those that do not.
pub(super) struct NextSwitches {
    /// Switches and their versions.
    pub take: Vec<(SwitchId, String)>,
    /// Why others wait.
    pub waits: Waits,
    /// Switches without the desired version, except those in progress and those that failed.
    pub left: usize,
    /// Switches whose version is unknown, because they have not reported since this manager leads.
    pub unheard: usize,
    /// Switches with a desired version.
    pub scope: usize,
    /// Whether all of them were checked.
    pub is_complete: bool,
}

impl Manager {
    /// The switches of a rollout, with the desired version of each.
    pub(super) fn firmware_scope(&self, plan: &RolloutPlan) -> Result<Vec<(SwitchId, String)>, ApiProblem> {
        let filter = ListFilter::by(condition(&plan.selector)?);
        let all = (0..self.fabric.switch_count()).map(SwitchId::from_index);
        let wanted = all.filter_map(|switch| Some((switch, self.wanted_firmware(switch)?.to_owned())));
        Ok(wanted.filter(|(switch, _)| filter.fits_switch(&self.fabric, self.documents.set(), *switch)).collect())
    }

    /// Whether a switch must be upgraded to a version: it runs another one and has not failed with
    /// it, or is to be tried again.
    pub(super) fn lacks_firmware(&self, switch: SwitchId, version: &str, trial: Trial) -> bool {
        let seen = self.control_loop.control.versions(switch);
        if !seen.is_known || self.firmware.working.contains_key(&switch) {
            return false;
        }
        match self.firmware.failed.get(&switch).filter(|failed| failed.version == version) {
            // A switch that only claims to run the version is tried again, too.
            Some(failed) if failed.is_retried || trial == Trial::Fresh => {
                seen.firmware != version || *seen.boot == *failed.boot && !failed.is_restored
            }
            Some(_) => false,
            None => seen.firmware != version,
        }
    }

    /// Why no switch at all may be begun.
    fn firmware_blocked(&self) -> Option<String> {
        if let Some(jump) = self.clock.jump() {
            return Some(format!("the wall clock to be right: it jumped by {jump} s; philae fabric clock"));
        }
        if let Some(pending) = pending(&self.documents) {
            return Some(format!("revision {} to be confirmed; philae fabric confirm", pending.revision));
        }
        self.control_loop.control.plan().is_none().then(|| "the first tables".to_owned())
    }

    /// Updates the jobs that have leased NICs, by switch; once for each revision.
    pub(super) fn refresh_leased(&mut self) {
        let revision = self.documents.revision();
        if self.firmware.leased.as_ref().is_none_or(|(known, _)| *known != revision) {
            self.firmware.leased = Some((revision, self.leased_nics()));
        }
    }

    fn leased_nics(&self) -> Arc<BTreeMap<SwitchId, Leased>> {
        match &self.firmware.leased {
            Some((revision, known)) if *revision == self.documents.revision() => Arc::clone(known),
            _ => Arc::new(leased(self.documents.set(), &self.documents.names, &self.fabric)),
        }
    }

    /// The switches that begin next under a plan.
    pub(super) fn choose_firmware(
        &self,
        plan: &RolloutPlan,
        trial: Trial,
        upgraded: &BTreeMap<String, u32>,
        patience: Duration,
    ) -> Result<NextSwitches, ApiProblem> {
        let scope = self.firmware_scope(plan)?;
        let size = scope.len();
        let is_unheard = |switch: SwitchId| {
            !self.control_loop.control.versions(switch).is_known && !self.firmware.working.contains_key(&switch)
        };
        let unheard: Vec<SwitchId> = scope.iter().map(|(switch, _)| *switch).filter(|one| is_unheard(*one)).collect();
        let lacking: Vec<(SwitchId, String)> =
            scope.into_iter().filter(|(switch, version)| self.lacks_firmware(*switch, version, trial)).collect();
        let mut chosen = NextSwitches {
            take: Vec::new(),
            waits: Waits::new(),
            left: lacking.len(),
            unheard: unheard.len(),
            scope: size,
            is_complete: true,
        };
        if !unheard.is_empty() {
            chosen.waits.insert(SwitchWait::lasting("its agent to connect for the first time"), unheard);
        }
        if lacking.is_empty() {
            return Ok(chosen);
        }
        if let Some(why) = self.firmware_blocked() {
            chosen.waits.insert(SwitchWait::lasting(why), lacking.iter().map(|(switch, _)| *switch).collect());
            return Ok(chosen);
        }
        let most = plan.at_once_percent.map_or(plan.at_once as usize, |share| (size * share as usize / 100).max(1));
        let mut in_work: BTreeMap<&str, u32> = BTreeMap::new();
        for working in self.firmware.working.values() {
            *in_work.entry(&working.taken.version).or_default() += 1;
        }
        let leased = self.leased_nics();
        let out: BTreeSet<SwitchId> = self.firmware.working.keys().copied().collect();
        let failed = self.firmware.failed.iter().filter(|(_, failed)| !failed.is_restored).map(|(&switch, _)| switch);
        let mut rules = Rules::new(&self.fabric, &self.control_loop.control, plan, out, failed);
        let began = Instant::now();
        let mut wait = |why: SwitchWait, switch: SwitchId| chosen.waits.entry(why).or_default().push(switch);
        for (switch, version) in &lacking {
            if rules.at_work() >= most {
                wait(SwitchWait::of_wave(format!("at most {} at once", switches(most))), *switch);
                continue;
            }
            let proven = upgraded.get(version).copied().unwrap_or(0);
            let working = in_work.get(version.as_str()).copied().unwrap_or(0);
            if proven < plan.first_wave && working + proven >= plan.first_wave {
                let first = match plan.first_wave {
                    1 => format!("the first switch with {version}, which is upgraded alone"),
                    many => format!("the first {many} switches with {version}, which are upgraded before the others"),
                };
                wait(SwitchWait::of_wave(first), *switch);
                continue;
            }
            if began.elapsed() > patience && !chosen.take.is_empty() {
                chosen.is_complete = false;
                break;
            }
            let in_use = leased.get(switch).filter(|_| !plan.force).map(|leased| SwitchWait::lasting(leased.words()));
            let allowed = in_use.map_or(Ok(()), Err);
            let allowed = allowed.and_then(|()| self.firmware_window(*switch)).and_then(|()| rules.allow(*switch));
            if let Err(why) = allowed {
                wait(why, *switch);
                continue;
            }
            rules.take(*switch);
            *in_work.entry(version).or_default() += 1;
            chosen.take.push((*switch, version.clone()));
        }
        Ok(chosen)
    }

    fn firmware_window(&self, switch: SwitchId) -> Result<(), SwitchWait> {
        let now = self.clock.seconds();
        let (set, names) = (self.documents.set(), &*self.documents.names);
        may_change(set, names, [switch], now).map_err(|closed| {
            let until = utc(closed.opens_at_seconds);
            SwitchWait::lasting(match closed.freeze {
                true => format!("{} freezes changes until {until}", closed.by),
                false => format!("{} is not open; it opens at {until}", closed.by),
            })
        })?;
        // Other changes are free when no window is to come. A rollout is not: work that was planned
        // for a window is not done after it.
        let since = self.firmware.rollout.as_ref().map_or(now, |rollout| rollout.changed_micros / 1_000_000);
        match ended_window(set, names, switch, since, now) {
            Some((window, end)) => Err(SwitchWait::lasting(format!(
                "{window} ended at {}; another window, or pause and resume, continues it",
                utc(end)
            ))),
            None => Ok(()),
        }
    }
}

/// Which failed switches are tried again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Trial {
    /// Those for which an operator has ordered another try.
    Ordered,
    /// All of them, as for a rollout that starts.
    Fresh,
}

impl Manager {
    /// The desired firmware of a switch, from documents.
    pub(crate) fn wanted_firmware(&self, switch: SwitchId) -> Option<&str> {
        self.documents.composition().switch(switch).firmware.as_deref()
    }
}
