//! The desired configuration of each switch: the sections that follow from documents, item by item.
//!
//! Switches with the same settings share their sections, so that memory depends on the number of
//! different settings, not of switches.

mod acls;
pub mod input;
mod lags;
mod ports;
mod qos;
mod switch;
mod vlans;
mod vnis;

use std::collections::BTreeSet;
use std::sync::Arc;

use philae_agent::{ConfigSection, SectionItems};
use philae_policy::DocumentKind;
use philae_units::SwitchId;

pub use input::SectionInput;
pub use qos::{profile_hash, profile_text};

/// Sections that documents of a kind can change.
#[must_use]
pub const fn sections_of(kind: DocumentKind) -> &'static [ConfigSection] {
    use ConfigSection::{Acls, Lags, Multicast, Ports, Qos, Switch, Vlans, Vnis};
    match kind {
        DocumentKind::TopologyPolicy | DocumentKind::SwitchPolicy | DocumentKind::Switch => {
            &[Ports, Qos, Vlans, Acls, Switch]
        }
        DocumentKind::QosProfile => &[Qos],
        DocumentKind::PortPolicy | DocumentKind::LinkPolicy | DocumentKind::Port | DocumentKind::Link => {
            &[Ports, Vlans, Acls]
        }
        DocumentKind::Vlan | DocumentKind::Vxlan => &[Vlans],
        DocumentKind::VniPartition | DocumentKind::VniBlock => &[Vnis],
        DocumentKind::Lag => &[Lags],
        DocumentKind::Acl => &[Acls],
        DocumentKind::Multicast => &[Multicast],
        DocumentKind::CollectiveSession
        | DocumentKind::MaintenanceWindow
        | DocumentKind::Setting
        | DocumentKind::RoleBinding
        | DocumentKind::Token => &[],
    }
}

/// A section of a switch with new desired items.
pub type ChangedSection = (SwitchId, ConfigSection, Arc<SectionItems>);

/// The desired configuration of every switch, except its routes.
#[derive(Debug)]
pub struct Sections {
    /// (S): by section, from [`ConfigSection::Ports`] on.
    wanted: Vec<[Arc<SectionItems>; ConfigSection::ALL.len() - 1]>,
}

/// The index of a section among those of a switch.
const fn place(section: ConfigSection) -> usize {
    section as usize - 1
}

impl Sections {
    /// Empty sections for `switches` switches.
    #[must_use]
    pub fn new(switches: usize) -> Self {
        let empty = Arc::new(SectionItems::default());
        Self { wanted: (0..switches).map(|_| std::array::from_fn(|_| Arc::clone(&empty))).collect() }
    }

    /// The desired items of a switch's section.
    #[must_use]
    pub fn get(&self, switch: SwitchId, section: ConfigSection) -> &Arc<SectionItems> {
        &self.wanted[switch.index()][place(section)]
    }

    /// Replaces the desired items of a switch's section.
    pub fn set(&mut self, switch: SwitchId, section: ConfigSection, items: Arc<SectionItems>) {
        self.wanted[switch.index()][place(section)] = items;
    }

    /// The changed sections, among `sections`. For [`ConfigSection::Ports`] it compares only the
    /// switches of `ports_of`, for others every switch.
    #[must_use]
    pub fn differences(
        &self,
        source: SectionInput<'_>,
        sections: &BTreeSet<ConfigSection>,
        ports_of: &mut dyn Iterator<Item = SwitchId>,
    ) -> Vec<ChangedSection> {
        let mut changed = Vec::new();
        let all = || (0..self.wanted.len()).map(SwitchId::from_index);
        for &section in sections {
            let mut note = |switch: SwitchId, items: Arc<SectionItems>| {
                let known = self.get(switch, section);
                if known.hash() != items.hash() || known.len() != items.len() {
                    changed.push((switch, section, items));
                }
            };
            let mut build: Box<dyn FnMut(SwitchId) -> Arc<SectionItems> + '_> = match section {
                ConfigSection::Routes => continue,
                ConfigSection::Ports => {
                    let mut build = ports::build(source);
                    ports_of.for_each(|switch| note(switch, build(switch)));
                    continue;
                }
                ConfigSection::Qos => Box::new(qos::build(source)),
                ConfigSection::Vlans => Box::new(vlans::build(source)),
                ConfigSection::Vnis => Box::new(vnis::build(source)),
                ConfigSection::Acls => Box::new(acls::build(source)),
                ConfigSection::Lags => Box::new(lags::build(source)),
                ConfigSection::Multicast => Box::new(source.trees.build()),
                ConfigSection::Switch => Box::new(switch::build(source)),
            };
            all().for_each(|switch| note(switch, build(switch)));
        }
        changed
    }
}
