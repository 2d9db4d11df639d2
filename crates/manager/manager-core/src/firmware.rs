//! The firmware versions that switches run, and the progress of upgrade orders. Other modules
//! decide which upgrades to order, and when.

use std::sync::Arc;

use philae_agent::{Ack, Operate, OrderOutcome, ToBody, UpgradeReport, UpgradeStage};
use philae_units::{PortIndex, SwitchId};

use crate::control::{ControlOutput, FabricControl};

/// The versions that a switch reports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VersionView<'a> {
    /// The firmware's version.
    pub firmware: &'a str,
    /// The agent's version; empty if not reported.
    pub agent: &'a str,
    /// Identifies the present start of the switch; empty if its agent cannot tell.
    pub boot: &'a str,
    /// Whether it has been heard from since the manager started.
    pub is_known: bool,
}

/// The progress of a firmware upgrade, as reported by the switch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UpgradeView {
    /// The version that was ordered.
    pub version: String,
    /// The stage that it reports.
    pub stage: UpgradeStage,
    /// Why it refused or failed, in the switch's words.
    pub failed: Option<String>,
    /// Whether it has connected again and no longer reports the upgrade: it has restarted, or never
    /// got the order.
    pub is_lost: bool,
    /// Number of the order.
    pub(crate) request: u64,
}

impl UpgradeView {
    pub(crate) const fn ordered(version: String, request: u64) -> Self {
        Self { version, stage: UpgradeStage::None, failed: None, is_lost: false, request }
    }

    /// Records the switch's report; a switch without a report has no upgrade.
    pub(crate) fn note(&mut self, report: Option<&UpgradeReport>) {
        match report {
            Some(report) if report.version == self.version => {
                self.stage = UpgradeStage::from_number(report.stage);
                self.failed = (self.stage == UpgradeStage::Failed).then(|| report.detail.clone());
            }
            _ => self.stage = UpgradeStage::None,
        }
    }
}

impl FabricControl {
    pub(crate) fn order_upgrade(&mut self, switch: SwitchId, version: String) {
        let operate = Operate { operation: 3, version: version.clone(), ..Operate::default() };
        let request = self.send(switch, ToBody::Operate(operate));
        self.devices[switch.index()].upgrade = Some(Box::new(UpgradeView::ordered(version, request)));
    }

    /// Records the versions in a switch's introduction.
    pub(crate) fn note_versions(
        &mut self,
        switch: SwitchId,
        firmware: String,
        agent: &str,
        boot: String,
        upgrade: Option<&UpgradeReport>,
    ) {
        let device = &mut self.devices[switch.index()];
        self.changes += u64::from(device.identity.firmware != firmware || *device.identity.agent != *agent);
        (device.identity.firmware, device.identity.boot) = (firmware, boot.into_boxed_str());
        if *device.identity.agent != *agent {
            device.identity.agent = self.census.agent_versions.get(agent).cloned().unwrap_or_else(|| agent.into());
            self.census.agent_versions.insert(Arc::clone(&device.identity.agent));
        }
        if let Some(known) = &mut device.upgrade {
            known.note(upgrade);
            known.is_lost = upgrade.is_none_or(|upgrade| upgrade.version != known.version);
        }
    }

    /// Records a switch's report of its upgrade.
    pub(crate) fn note_upgrade(&mut self, switch: SwitchId, report: UpgradeReport) {
        self.changes += 1;
        let device = &mut self.devices[switch.index()];
        if let Some(upgrade) = &mut device.upgrade {
            upgrade.note(Some(&report));
        }
        device.identity.firmware = report.firmware;
    }

    /// Processes an answer to an upgrade order, and returns whether it was one.
    pub(crate) fn answered_upgrade(&mut self, switch: SwitchId, ack: &Ack) -> bool {
        let upgrade = self.devices[switch.index()].upgrade.as_mut();
        let Some(upgrade) = upgrade.filter(|upgrade| upgrade.request == ack.request) else { return false };
        match OrderOutcome::try_from(ack.outcome).unwrap_or(OrderOutcome::Failed) {
            OrderOutcome::Done => {}
            OrderOutcome::StaleEpoch => self.outputs.push(ControlOutput::Fenced { epoch: ack.hash }),
            _ => upgrade.failed = Some(ack.detail.clone()),
        }
        true
    }

    /// The versions that a switch reports.
    #[must_use]
    pub fn versions(&self, switch: SwitchId) -> VersionView<'_> {
        let device = &self.devices[switch.index()];
        VersionView {
            firmware: &device.identity.firmware,
            agent: &device.identity.agent,
            boot: &device.identity.boot,
            is_known: device.connection.known,
        }
    }

    /// The state of the last upgrade ordered from a switch since the manager started.
    #[must_use]
    pub fn upgrade(&self, switch: SwitchId) -> Option<&UpgradeView> {
        self.devices[switch.index()].upgrade.as_deref()
    }

    /// Whether an operator drained a link, by either of its ports.
    #[must_use]
    pub fn is_drained(&self, port: PortIndex) -> bool {
        self.link(port).is_some_and(|link| self.ports.is_drained(link))
    }

    /// Whether a switch is in maintenance: nothing is sent to it.
    #[must_use]
    pub fn is_in_maintenance(&self, switch: SwitchId) -> bool {
        self.devices[switch.index()].maintenance
    }

    /// Whether the agent of a switch is connected.
    #[must_use]
    pub fn is_connected(&self, switch: SwitchId) -> bool {
        self.devices[switch.index()].connection.connected
    }
}
