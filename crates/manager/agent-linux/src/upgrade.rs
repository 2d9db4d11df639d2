//! Firmware of a software switch: a program of the operator installs it, if there is one.

use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

use philae_agent::{ControlError, Upgrade, UpgradeStage};
use philae_console::note;

/// Upgrades of one switch.
#[derive(Debug, Default)]
pub struct SwitchUpgrades {
    /// The program; absent: upgrades are refused.
    program: Option<PathBuf>,
    now: Option<(Upgrade, Option<Child>)>,
}

impl SwitchUpgrades {
    /// Upgrades with a program.
    pub const fn by(program: Option<PathBuf>) -> Self {
        Self { program, now: None }
    }

    /// Begins to install a version. The program runs without a shell, with the switch's name and
    /// the version.
    pub fn begin(&mut self, switch: &str, version: &str, runs: &str) -> Result<(), ControlError> {
        if let Some((upgrade, _)) = self.now.as_ref().filter(|(upgrade, _)| upgrade.stage != UpgradeStage::Failed) {
            return match upgrade.version == version {
                true => Ok(()),
                false => Err(ControlError::Refused(format!("{} is being installed", upgrade.version))),
            };
        }
        if version == runs {
            return Ok(());
        }
        let Some(program) = &self.program else {
            let why = "this agent cannot install firmware; philae agent --upgrade-command PROGRAM would work";
            return Err(ControlError::Refused(why.to_owned()));
        };
        note!("{switch}: {} {switch} {version}", program.display());
        let child = Command::new(program).arg(switch).arg(version).stdin(Stdio::null()).spawn();
        let child = child.map_err(|error| ControlError::Failed(format!("{}: {error}", program.display())))?;
        let upgrade = Upgrade { version: version.to_owned(), stage: UpgradeStage::Installing, detail: String::new() };
        self.now = Some((upgrade, Some(child)));
        Ok(())
    }

    /// The progress of the upgrade: the program's exit code says whether the version is installed.
    pub fn look(&mut self) -> Option<Upgrade> {
        let (upgrade, child) = self.now.as_mut()?;
        let ended = match child {
            Some(running) => running.try_wait(),
            None => return Some(upgrade.clone()),
        };
        match ended {
            Ok(None) => {}
            Ok(Some(status)) if status.success() => {
                (upgrade.stage, *child) = (UpgradeStage::Restarting, None);
            }
            Ok(Some(status)) => {
                (upgrade.stage, *child) = (UpgradeStage::Failed, None);
                upgrade.detail = format!("the program that installs it ended with {status}");
            }
            Err(error) => {
                (upgrade.stage, *child) = (UpgradeStage::Failed, None);
                upgrade.detail = format!("the state of the program that installs it is unknown: {error}");
            }
        }
        Some(upgrade.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ended(upgrades: &mut SwitchUpgrades) -> Upgrade {
        loop {
            let upgrade = upgrades.look().expect("one was begun");
            if upgrade.stage != UpgradeStage::Installing {
                return upgrade;
            }
            std::thread::sleep(std::time::Duration::from_millis(1));
        }
    }

    #[test]
    fn a_program_s_exit_code_says_whether_firmware_was_installed() {
        let refused = SwitchUpgrades::default().begin("x1000c0r1b0", "2.2.0", "1");
        assert!(refused.expect_err("there is no program").to_string().contains("--upgrade-command"));
        for (program, stage) in [("true", UpgradeStage::Restarting), ("false", UpgradeStage::Failed)] {
            let mut upgrades = SwitchUpgrades::by(Some(PathBuf::from(program)));
            upgrades.begin("x1000c0r1b0", "1", "1").expect("it runs already");
            assert_eq!(upgrades.look(), None);
            upgrades.begin("x1000c0r1b0", "2.2.0", "1").expect("it is begun");
            assert_eq!(ended(&mut upgrades).stage, stage, "{program}");
        }
        let mut upgrades = SwitchUpgrades::by(Some(PathBuf::from("/there/is/no/such/program")));
        assert!(upgrades.begin("x1000c0r1b0", "2.2.0", "1").is_err());
    }
}
