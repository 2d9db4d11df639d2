//! Hardware that a system describes beside its wiring: `[hardware]` in its file.
//!
//! A scenario on the system gets these values, and its own keys win. A preset that the scenario
//! names replaces the table of the system: its values were meant for another preset.

use crate::error::{KeyLocation, ScenarioError};
use crate::part::{ParameterSet, Preset};
use crate::tree::Hardware;
use philae_congestion::{CongestionLaw, UetLaw};
use philae_nic_model::{
    EthernetParameters, HostJitter, HostParameters, NicParameters, NodeParameters, TcpParameters, UetParameters,
};
use philae_switch::port::SwitchParameters;
use philae_topology::SystemDescription;
use serde::Deserialize;

/// `[hardware]` of a system: the tables of a scenario's, and the congestion law's values.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct SystemHardware {
    switch: Preset<SwitchParameters>,
    nic: Preset<NicParameters>,
    ethernet: Option<Preset<EthernetParameters>>,
    host: Preset<HostParameters>,
    node: Preset<NodeParameters>,
    jitter: Option<Preset<HostJitter>>,
    tcp: Option<Preset<TcpParameters>>,
    uet: Option<Preset<UetParameters>>,
    uet_law: Option<Preset<UetLaw>>,
    congestion: Preset<CongestionLaw>,
}

impl SystemHardware {
    /// What a system describes; nothing for most.
    ///
    /// # Errors
    /// [`ScenarioError::SystemHardware`] with the system, its file and the key.
    pub(crate) fn of(description: &SystemDescription) -> Result<Self, ScenarioError> {
        if description.hardware.is_empty() {
            return Ok(Self::default());
        }
        Self::read(description).map_err(|source| ScenarioError::SystemHardware {
            system: match &description.file {
                Some(file) => format!("'{}' of '{file}'", description.name),
                None => format!("'{}'", description.name),
            },
            source: Box::new(source),
        })
    }

    fn read(description: &SystemDescription) -> Result<Self, ScenarioError> {
        let found: Self = description.hardware.clone().try_into().map_err(|error: toml::de::Error| {
            let place = KeyLocation::of("hardware");
            ScenarioError::Unreadable { place, message: philae_units::plain(error.message()) }
        })?;
        agrees(&found.switch, "switch", &description.switch)?;
        agrees(&found.nic, "nic", &description.nic)?;
        agrees(&found.congestion, "congestion", &description.congestion)?;
        // Each by itself, so that an error is the system's and not the scenario's.
        found.switch.resolve(&description.switch)?;
        found.nic.resolve(&description.nic)?;
        found.host.resolve(&format!("{}-mpi", description.nic))?;
        found.congestion.resolve(&description.congestion)?;
        found.ethernet.as_ref().map(|part| part.resolve("ethernet")).transpose()?;
        found.node.resolve(Preset::behind(&description.nic))?;
        found.jitter.as_ref().map(|part| part.resolve(HostJitter::NAMES[0])).transpose()?;
        found.tcp.as_ref().map(|part| part.resolve(TcpParameters::PRESETS[0])).transpose()?;
        found.uet.as_ref().map(|part| part.resolve(UetParameters::PRESETS[0])).transpose()?;
        found.uet_law.as_ref().map(|part| part.resolve(UetLaw::NAMES[0])).transpose()?;
        Ok(found)
    }

    /// The hardware and the law of a scenario on this system.
    pub(crate) fn beneath(
        &self,
        hardware: &Hardware,
        congestion: &Preset<CongestionLaw>,
    ) -> (Hardware, Preset<CongestionLaw>) {
        let merged = Hardware {
            switch: hardware.switch.over(&self.switch),
            nic: hardware.nic.over(&self.nic),
            ethernet: optional(hardware.ethernet.as_ref(), self.ethernet.as_ref()),
            host: hardware.host.over(&self.host),
            node: hardware.node.over(&self.node),
            jitter: optional(hardware.jitter.as_ref(), self.jitter.as_ref()),
            tcp: optional(hardware.tcp.as_ref(), self.tcp.as_ref()),
            uet: optional(hardware.uet.as_ref(), self.uet.as_ref()),
            uet_law: optional(hardware.uet_law.as_ref(), self.uet_law.as_ref()),
        };
        (merged, congestion.over(&self.congestion))
    }
}

fn optional<T: ParameterSet>(own: Option<&Preset<T>>, system: Option<&Preset<T>>) -> Option<Preset<T>> {
    match (own, system) {
        (Some(own), Some(system)) => Some(own.over(system)),
        (own, system) => own.or(system).cloned(),
    }
}

/// A system names its switch, NIC and law once.
fn agrees<T: ParameterSet>(part: &Preset<T>, key: &str, named: &str) -> Result<(), ScenarioError> {
    match part.name() {
        Some(name) if name != named => Err(ScenarioError::Value {
            place: KeyLocation::of(format!("hardware.{key}.{}", T::SELECTOR)),
            found: format!("\"{name}\", and the system's {key} is \"{named}\""),
            works: format!("{key} = \"{name}\" beside [hardware], without this key, would work"),
        }),
        _ => Ok(()),
    }
}
