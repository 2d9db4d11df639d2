//! The firmware of simulated switches: upgrades that take time, fail or misreport.

use std::collections::BTreeMap;

use philae_units::SwitchId;

use crate::control::{ControlError, Upgrade, UpgradeStage};
use crate::simulated::SimulatedFabric;

/// The firmware that a simulated switch runs at first.
const FIRST: &str = "simulated-1";
/// The version that a switch with fault `Other` installs.
const OTHER: &str = "simulated-0";
/// Duration of an installation unless set otherwise, milliseconds. A real switch needs some
/// minutes.
///
/// Source: ours; short, for rehearsals. Status: assumed.
const INSTALL_MS: u64 = 2_000;
/// Duration of the restart, milliseconds.
///
/// Source: ours; short, for rehearsals. Status: assumed.
const BOOT_MS: u64 = 1_000;

/// How a switch handles an upgrade of its firmware.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum UpgradeFault {
    /// Correctly.
    #[default]
    None,
    /// It refuses the order.
    Refuses,
    /// It reports that the image cannot be installed.
    Fails,
    /// It restarts with its previous version.
    Stays,
    /// It does not restart.
    Dies,
    /// It restarts with another version than the ordered one.
    Other,
    /// It reports the new version without having restarted.
    Claims,
}

impl UpgradeFault {
    /// Their names.
    pub const ALL: [(&'static str, Self); 7] = [
        ("upgrades", Self::None),
        ("refuses", Self::Refuses),
        ("fails", Self::Fails),
        ("stays", Self::Stays),
        ("dies", Self::Dies),
        ("other", Self::Other),
        ("claims", Self::Claims),
    ];
}

/// State of a switch that survives a restart.
#[derive(Clone, Debug)]
pub struct Flash {
    /// The version that it runs.
    pub firmware: String,
    /// The version of its agent; empty: that of this crate.
    pub agent: String,
    /// How it handles an upgrade.
    pub fault: UpgradeFault,
    /// Whether an order has not begun yet.
    ordered: bool,
    upgrade: Option<Upgrade>,
}

impl Default for Flash {
    fn default() -> Self {
        Self {
            firmware: FIRST.to_owned(),
            agent: String::new(),
            fault: UpgradeFault::None,
            ordered: false,
            upgrade: None,
        }
    }
}

/// The version of a switch without other settings.
pub(crate) const fn first() -> &'static str {
    FIRST
}

impl Flash {
    /// Takes the order to install a version.
    pub(crate) fn order(&mut self, version: &str) -> Result<(), ControlError> {
        if self.fault == UpgradeFault::Refuses {
            return Err(ControlError::Refused("there is no room for an image".to_owned()));
        }
        let goes_on = self.upgrade.as_ref().filter(|upgrade| upgrade.stage != UpgradeStage::Failed);
        match goes_on {
            Some(upgrade) if upgrade.version == version => Ok(()),
            Some(upgrade) => Err(ControlError::Refused(format!("{} is being installed", upgrade.version))),
            None if self.firmware == version => Ok(()),
            None => {
                let stage = UpgradeStage::Installing;
                self.upgrade = Some(Upgrade { version: version.to_owned(), stage, detail: String::new() });
                self.ordered = true;
                Ok(())
            }
        }
    }

    /// The upgrade in progress or failed.
    pub(crate) fn upgrade(&self) -> Option<Upgrade> {
        self.upgrade.clone()
    }

    /// Handles a restart of the switch: any upgrade, failed or in progress, is forgotten.
    pub(crate) fn restarted(&mut self) {
        self.upgrade = None;
    }
}

/// When upgrades continue.
#[derive(Debug)]
pub(crate) struct UpgradeTimes {
    /// By switch: the time, and whether it is off until then.
    due: BTreeMap<SwitchId, (u64, bool)>,
    install_ms: u64,
    boot_ms: u64,
}

impl Default for UpgradeTimes {
    fn default() -> Self {
        Self { due: BTreeMap::new(), install_ms: INSTALL_MS, boot_ms: BOOT_MS }
    }
}

impl SimulatedFabric {
    /// Sets the durations of future upgrades: installation and restart, milliseconds. `None` leaves
    /// a duration unchanged.
    pub fn set_upgrade_times(&mut self, install_ms: Option<u64>, boot_ms: Option<u64>) {
        self.upgrades.install_ms = install_ms.unwrap_or(self.upgrades.install_ms);
        self.upgrades.boot_ms = boot_ms.unwrap_or(self.upgrades.boot_ms);
    }

    /// Begins the upgrade that the switch has just been ordered to make, if there is one.
    pub fn begin_upgrade(&mut self, switch: SwitchId, now_ms: u64) {
        let flash = &mut self.agent_mut(switch).switch_mut().flash;
        if flash.as_mut().is_some_and(|flash| std::mem::take(&mut flash.ordered)) {
            self.upgrades.due.insert(switch, (now_ms + self.upgrades.install_ms, false));
            self.touch(switch);
        }
    }

    /// When the next upgrade continues, if there is one.
    #[must_use]
    pub fn next_upgrade_ms(&self) -> Option<u64> {
        self.upgrades.due.values().map(|(at, _)| *at).min()
    }

    /// The number of switches that install firmware or restart with it.
    #[must_use]
    pub fn upgrading(&self) -> usize {
        self.upgrades.due.len()
    }

    /// Continues due upgrades. Returns the switches that went off for it: their connections have
    /// ended.
    pub fn go_on_with_upgrades(&mut self, now_ms: u64) -> Vec<SwitchId> {
        let due = self.upgrades.due.iter().filter(|(_, (at, _))| *at <= now_ms);
        let due: Vec<(SwitchId, bool)> = due.map(|(&switch, &(_, off))| (switch, off)).collect();
        let mut gone = Vec::new();
        for (switch, off) in due {
            self.upgrades.due.remove(&switch);
            if off {
                self.set_power(switch, true);
                continue;
            }
            let flash = self.agent_mut(switch).switch_mut().flash.get_or_insert_default();
            let Some(upgrade) = &mut flash.upgrade else { continue };
            let version = upgrade.version.clone();
            match flash.fault {
                UpgradeFault::Fails => {
                    upgrade.stage = UpgradeStage::Failed;
                    "the image's checksum is wrong".clone_into(&mut upgrade.detail);
                    self.touch(switch);
                    continue;
                }
                UpgradeFault::Claims => {
                    flash.upgrade = None;
                    flash.firmware = version;
                    self.touch(switch);
                    continue;
                }
                UpgradeFault::Other => OTHER.clone_into(&mut flash.firmware),
                UpgradeFault::Stays | UpgradeFault::Dies | UpgradeFault::Refuses => {}
                UpgradeFault::None => flash.firmware = version,
            }
            let dies = flash.fault == UpgradeFault::Dies;
            self.set_power(switch, false);
            gone.push(switch);
            if !dies {
                self.upgrades.due.insert(switch, (now_ms + self.upgrades.boot_ms, true));
            }
        }
        gone
    }
}
