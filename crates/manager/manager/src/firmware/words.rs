//! Words for rollouts: the present work on a switch, what others wait for, and the work done.

use philae_manager_api::duration;
use philae_units::{PortIndex, SwitchId};

use crate::availability::ManagerRole as Standing;
use crate::firmware::Rollouts;
use crate::firmware::{RolloutState, StoredRollout, SwitchWait, UpdatePhase, Working};
use crate::incidents::{counted, few};
use crate::manager::Manager;
use crate::protocol::natural::natural;

/// "1 switch", "2 switches".
pub(super) fn switches(count: usize) -> String {
    counted(count, "switch", "es")
}

/// Versions in natural order: 2.9 before 2.10.
pub(crate) fn in_order<T>(versions: impl IntoIterator<Item = (String, T)>) -> Vec<(String, T)> {
    let mut found: Vec<(String, T)> = versions.into_iter().collect();
    found.sort_by(|(one, _), (other, _)| natural(one, other));
    found
}

/// The work that a rollout has done, on its own switches only.
pub(super) fn done(firmware: &Rollouts, rollout: &StoredRollout, scope: usize) -> String {
    let upgraded = match rollout.upgraded.len() {
        0 => format!("{} upgraded", switches(0)),
        1 => format!("{} upgraded", switches(rollout.upgraded.values().sum::<u32>() as usize)),
        _ => {
            let of = in_order(rollout.upgraded.iter().map(|(version, count)| (version.clone(), *count)));
            let of: Vec<String> =
                of.iter().map(|(version, count)| format!("{} to {version}", switches(*count as usize))).collect();
            format!("{} upgraded", of.join(", "))
        }
    };
    let failures = |is_own: bool| {
        let open = firmware.failed.values().filter(|failed| !failed.is_retried);
        open.filter(|failed| (failed.rollout == rollout.number) == is_own).count()
    };
    let earlier = match failures(false) {
        0 => String::new(),
        count => format!("; {} of earlier rollouts had failed and were not retried", switches(count)),
    };
    let left_out = match rollout.total.saturating_sub(scope) {
        0 => String::new(),
        count => format!("; for {} no document sets a version any more", switches(count)),
    };
    format!("{upgraded}, {} failed{earlier}{left_out}", failures(true))
}

impl Manager {
    /// The present work on a switch in progress.
    pub(crate) fn firmware_step(&self, switch: SwitchId, working: &Working) -> String {
        if self.control_loop.is_idle() {
            return "in work".to_owned();
        }
        let control = &self.control_loop.control;
        match working.phase {
            UpdatePhase::Keeping
                if working.revision.is_some_and(|revision| !self.availability.is_confirmed(revision)) =>
            {
                "about to begin: a standby must save its record first".to_owned()
            }
            UpdatePhase::Installing if !control.is_connected(switch) => {
                "restarting for an upgrade (planned)".to_owned()
            }
            phase => phase.words().to_owned(),
        }
    }

    /// The switches in progress, in a few words.
    pub(super) fn firmware_work(&self) -> Option<String> {
        let working = &self.firmware.working;
        let one = |(&switch, of): (&SwitchId, _)| {
            format!("{} {}", self.fabric.switch_text(switch), self.firmware_step(switch, of))
        };
        let names: Vec<String> = working.iter().map(one).collect();
        (!names.is_empty()).then(|| few(&names))
    }

    /// What a switch waits for, in its present state.
    pub(super) fn firmware_wait(&self, wait: &SwitchWait) -> String {
        let wave = self.firmware.rollout.as_ref().map_or(0, |rollout| rollout.wave);
        let working = self.firmware.working.len();
        let in_work = match self.firmware.working.first_key_value() {
            Some((&switch, of)) if working == 1 => {
                format!("{} is {}", self.fabric.switch_text(switch), self.firmware_step(switch, of))
            }
            Some(_) => format!("{} in work", switches(working)),
            None => return wait.words.clone(),
        };
        match wait.is_of_wave {
            true => format!("the end of wave {wave} ({in_work}): {}", wait.words),
            false => wait.words.clone(),
        }
    }

    /// What blocks a rollout as a whole.
    pub(super) fn firmware_held(&self) -> Option<String> {
        self.firmware.current()?;
        if !self.availability.is_leading() {
            return None;
        }
        let (room, disk) = self.availability.room(self.documents.store());
        let disk = disk.filter(|_| room.is_out).map(|trouble| trouble.detail);
        disk.or_else(|| self.firmware.trouble.as_ref().map(|(why, _)| why.clone()))
    }

    /// Whether this manager leads, and if not, which one does.
    pub(super) fn firmware_standing(&self) -> String {
        match &*self.availability.phase() {
            Standing::Leads => "leads".to_owned(),
            Standing::Follows(following) => format!("follows {}, which leads", following.leader),
            Standing::Waits { why, .. } => format!("does not lead: it waits for its disk ({why})"),
            Standing::Unleased { why, .. } => format!("does not lead: it waits for the lease ({why})"),
            Standing::Promoted(_) => "is about to lead".to_owned(),
            Standing::SteppedDown { why, leader } => {
                let leader = leader.as_ref().map_or_else(String::new, |leader| format!("; {leader} leads"));
                format!("does not lead: {why}{leader}")
            }
        }
    }

    /// For a running rollout: seconds since a switch of it began or ended.
    pub(super) fn firmware_still(&self) -> Option<f64> {
        let rollout = self.firmware.rollout.as_ref().filter(|rollout| rollout.state == RolloutState::Running)?;
        let since = rollout.progressed_micros.max(rollout.changed_micros);
        Some(crate::clock::now_micros().saturating_sub(since) as f64 / 1e6)
    }

    /// For a rollout without progress for longer than allowed: for how many seconds, and what it
    /// waits for.
    pub(crate) fn firmware_stuck(&self) -> Option<(f64, String)> {
        let rollout = self.firmware.rollout.as_ref()?;
        let still = self.firmware_still().filter(|still| *still >= f64::from(rollout.plan.alarm_seconds))?;
        // Watching a switch is progress by itself.
        let is_watched = self.firmware.working.values().any(|working| working.phase == UpdatePhase::Watched);
        if self.control_loop.is_idle() || is_watched {
            return None;
        }
        let wait = self.firmware.waits.iter().max_by_key(|(_, of)| of.len());
        let wait = wait.map(|(wait, of)| {
            let verb = if of.len() == 1 { "waits" } else { "wait" };
            format!("{} {verb} for: {}", switches(of.len()), self.firmware_wait(wait))
        });
        let work = self.firmware_work().map(|work| format!("in work: {work}"));
        let why: Vec<String> = [self.firmware_held(), work, wait].into_iter().flatten().collect();
        let why = if why.is_empty() { "it waits for switches to answer".to_owned() } else { why.join("; ") };
        let words = format!("firmware rollout {} makes no progress for {}: {why}", rollout.number, duration(still));
        Some((still, words))
    }

    /// The rollout that drained a link, if one did, by either of the link's ports.
    pub(crate) fn drained_by_rollout(&self, port: PortIndex) -> Option<String> {
        let wiring = self.control_loop.control.wiring();
        let far = wiring.peer(port).unwrap_or(port);
        let holds = |of: &[PortIndex]| of.contains(&port) || of.contains(&far);
        let rollout = self.firmware.rollout.as_ref()?;
        if self.firmware.working.values().any(|working| holds(&working.drained)) {
            return Some(rollout.by());
        }
        let failed = self.firmware.kept_drained.iter().find(|(_, drained)| holds(drained));
        let (&switch, _) = failed?;
        Some(format!("{}: the upgrade of {} failed", rollout.by(), self.fabric.switch_text(switch)))
    }
}
