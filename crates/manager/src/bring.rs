//! What documents say, brought to switches.

use std::collections::BTreeMap;
use std::sync::Arc;

use philae_agent::{Section, SectionItems};
use philae_control::Input;
use philae_intent::{ConfigId, Kind};
use philae_units::{PortIndex, SwitchId};

use crate::documents::Documents;
use crate::manager::Manager;

/// Kinds whose documents come to something: what ports are set to follows from them, or who may do what.
pub(crate) const BROUGHT: [Kind; 6] =
    [Kind::PortPolicy, Kind::LinkPolicy, Kind::Port, Kind::Link, Kind::Vlan, Kind::RoleBinding];

impl Documents {
    /// What the ports of a switch are to be.
    #[must_use]
    pub fn ports_section(&self, switch: SwitchId, encoded: &mut BTreeMap<ConfigId, Arc<[u8]>>) -> SectionItems {
        let ports = self.names.0.ports_of(switch).map(PortIndex);
        let items = ports.map(|port| {
            let id = self.composition().port_config_id(port);
            let value = encoded.entry(id).or_insert_with(|| {
                serde_json::to_vec(self.composition().port(port)).expect("a configuration is plain").into()
            });
            (u64::from(self.names.0.number_of(port).0), Arc::clone(value))
        });
        items.collect()
    }
}

impl Manager {
    /// Tells the judgement what some switches' ports are to be.
    pub(crate) fn bring(&mut self, switches: impl IntoIterator<Item = SwitchId>) {
        let mut encoded = BTreeMap::new();
        for switch in switches {
            let section = Arc::new(self.documents.ports_section(switch, &mut encoded));
            let now_ms = self.plant.now_ms();
            self.plant.control.handle(now_ms, Input::Desired(switch, Section::Ports, section));
        }
    }
}
