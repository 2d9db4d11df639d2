//! Hosts' attestations: the QoS profile of their NICs and the NICs' addresses. The manager compares
//! them with the switches' configuration at each request, so that an alarm ends when its cause
//! does.

pub mod endpoints;

use std::collections::BTreeMap;

use philae_inventory::PlannedFabric;
use philae_inventory::{MacForm, read_mac};
use philae_policy::{Composition, DocumentKind, DocumentSet, QosProfileSpec, Spec};
use philae_topology::PortPeer;
use philae_units::{NodeId, SwitchId};
use serde::{Deserialize, Serialize};

use crate::desired::sections::profile_hash;
use crate::documents::Documents;

/// A host's attestation of a NIC.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct NicAttestation {
    /// Its name (xname).
    pub name: String,
    /// Its MAC address.
    pub mac: String,
}

/// A host's attestation.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct Attestation {
    /// The QoS profile of its NICs, by name.
    pub qos_profile: Option<String>,
    pub qos_profile_hash: Option<String>,
    pub nics: Vec<NicAttestation>,
}

/// The last attestations, by node.
#[derive(Clone, Debug, Default)]
pub struct Hosts {
    /// With the times of the first and the last report of this attestation.
    said: BTreeMap<NodeId, (Attestation, u64, u64)>,
}

/// A difference between a host and the fabric.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HostFault {
    /// "qos-mismatch" or "address-mismatch".
    pub kind: &'static str,
    /// In words, with the node's name.
    pub detail: String,
    /// Since when, milliseconds of the manager's clock.
    pub since_ms: u64,
}

/// The profile that NICs and switches must have: that of the enabled switches, which admission
/// keeps equal.
fn wanted<'a>(fabric: &PlannedFabric, documents: &'a Documents) -> Option<(&'a str, &'a QosProfileSpec)> {
    wanted_by(fabric, documents.set(), documents.composition())
}

/// The same for other documents.
fn wanted_by<'a>(
    fabric: &PlannedFabric,
    set: &'a DocumentSet,
    composition: &'a Composition,
) -> Option<(&'a str, &'a QosProfileSpec)> {
    let switches = (0..fabric.switch_count()).map(SwitchId::from_index);
    let config = switches.map(|switch| composition.switch(switch)).find(|config| config.enabled)?;
    match &set.get(DocumentKind::QosProfile, &config.qos_profile)?.spec {
        Spec::QosProfile(spec) => Some((&config.qos_profile, spec)),
        _ => None,
    }
}

impl Hosts {
    /// The profile of switches in some documents, with its hash, and the number of NICs that attest
    /// it.
    #[must_use]
    pub fn attesting(
        &self,
        fabric: &PlannedFabric,
        set: &DocumentSet,
        composition: &Composition,
    ) -> Option<((String, String), usize)> {
        let (name, spec) = wanted_by(fabric, set, composition)?;
        let hash = profile_hash(spec);
        let said = self.said.values().filter(|(said, ..)| said.qos_profile_hash.as_ref() == Some(&hash));
        Some(((name.to_owned(), hash.clone()), said.map(|(said, ..)| said.nics.len().max(1)).sum()))
    }

    /// All differences between hosts and the fabric.
    #[must_use]
    pub fn faults(&self, fabric: &PlannedFabric, documents: &Documents) -> Vec<HostFault> {
        let wanted = wanted(fabric, documents).map(|(name, spec)| (name, profile_hash(spec)));
        let mut faults = Vec::new();
        for (&node, (said, since_ms, _)) in &self.said {
            let name = fabric.node_xname(node);
            if let (Some((wanted, hash)), Some(found)) = (&wanted, &said.qos_profile_hash)
                && found != hash
            {
                let of = said.qos_profile.as_deref().unwrap_or("a profile without a name");
                let detail = format!(
                    "node {name} has QoS profile {of} with hash {found}, the switches have {wanted} with {hash}: traffic \
                     classes do not match"
                );
                faults.push(HostFault { kind: "qos-mismatch", detail, since_ms: *since_ms });
            }
            for nic in &said.nics {
                if let Some(detail) = address_fault(fabric, nic) {
                    faults.push(HostFault { kind: "address-mismatch", detail, since_ms: *since_ms });
                }
            }
        }
        faults
    }
}

/// What is wrong with a NIC's address; `None` if it is right.
fn address_fault(fabric: &PlannedFabric, nic: &NicAttestation) -> Option<String> {
    let id = fabric.nic_by_name(&nic.name).ok()?;
    let planned = fabric.address(fabric.nics()[id.index()].port).ok()?;
    let found = match nic.mac.parse().ok().and_then(|mac| read_mac(mac).ok()) {
        Some((address, _, MacForm::Nic)) => address,
        _ => {
            return Some(format!(
                "NIC {} has {}, which is not the address of a NIC; planned is {}",
                nic.name,
                nic.mac,
                planned.mac()
            ));
        }
    };
    if found == planned {
        return None;
    }
    let other = fabric.port_of_address(found).map(|port| match fabric.port(port).peer {
        PortPeer::Endpoint(other) => {
            format!("that of NIC {}: cables or addresses are exchanged", fabric.nic_xname(other))
        }
        PortPeer::Port(_) | PortPeer::None => format!("that of port {}, which has no NIC", fabric.link_xname(port)),
    });
    let other = other.unwrap_or_else(|| "not of a port of this fabric".to_owned());
    Some(format!("NIC {} has address {}, {other}; planned is {}", nic.name, nic.mac, planned.mac()))
}
