//! The kinds of document, and their names in paths and messages.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;

macro_rules! kinds {
    ($($(#[$meta:meta])* $variant:ident, $singular:literal, $plural:literal, $origin:ident;)*) => {
        /// The kind of a document. Documents are exported in this order.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
        #[serde(rename = "Kind")]
        pub enum DocumentKind {
            $($(#[$meta])* #[serde(rename = $singular)] $variant,)*
        }

        impl DocumentKind {
            /// Every kind, in the order of the enum.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)*];

            /// The singular name: "port-policy".
            #[must_use]
            pub const fn singular(self) -> &'static str {
                match self { $(Self::$variant => $singular,)* }
            }

            /// The plural name, as in paths: "port-policies".
            #[must_use]
            pub const fn plural(self) -> &'static str {
                match self { $(Self::$variant => $plural,)* }
            }

            /// Where documents of this kind come from.
            #[must_use]
            pub const fn existence(self) -> Existence {
                match self { $(Self::$variant => Existence::$origin,)* }
            }
        }
    };
}

kinds! {
    /// Parameters of the whole fabric; one is active.
    TopologyPolicy, "topology-policy", "topology-policies", Created;
    /// Traffic classes of a fabric.
    QosProfile, "qos-profile", "qos-profiles", Created;
    /// Settings of switches.
    SwitchPolicy, "switch-policy", "switch-policies", Created;
    /// Settings of ports.
    PortPolicy, "port-policy", "port-policies", Created;
    /// Settings of both ends of links.
    LinkPolicy, "link-policy", "link-policies", Created;
    /// A switch of the inventory.
    Switch, "switch", "switches", Inventory;
    /// A port of the inventory.
    Port, "port", "ports", Inventory;
    /// A link of the inventory, named by its two ports.
    Link, "link", "links", Inventory;
    /// A VLAN.
    Vlan, "vlan", "vlans", Created;
    /// A share of the fabric's VNIs.
    VniPartition, "vni-partition", "vni-partitions", Created;
    /// VNIs in use, taken from a partition.
    VniBlock, "vni-block", "vni-blocks", Created;
    /// Several ports of a switch that act as one.
    Lag, "lag", "lags", Created;
    /// Rules that permit, deny or count frames.
    Acl, "acl", "acls", Created;
    /// A VLAN carried over the fabric in VXLAN.
    Vxlan, "vxlan", "vxlans", Created;
    /// A job's right to trees for collectives in the switches.
    CollectiveSession, "collective-session", "collective-sessions", Created;
    /// A tree of a collective session.
    Multicast, "multicast", "multicasts", Created;
    /// When what may be changed.
    MaintenanceWindow, "maintenance-window", "maintenance-windows", Created;
    /// A setting of the manager itself.
    Setting, "setting", "settings", Created;
    /// Who has which role.
    RoleBinding, "role-binding", "role-bindings", Created;
    /// A bearer token; only its hash is stored.
    Token, "token", "tokens", Created;
}

/// The origin of documents of a kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Existence {
    /// The thing is in the inventory. A document only sets the intent for it; deleting the document
    /// leaves the thing itself.
    Inventory,
    /// Users create and delete it.
    Created,
}

impl DocumentKind {
    /// The kind with this singular or plural name.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|kind| kind.singular() == text || kind.plural() == text)
    }

    /// The index in [`Self::ALL`].
    #[must_use]
    pub const fn index(self) -> usize {
        self as usize
    }
}

impl fmt::Display for DocumentKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.singular())
    }
}

/// Names one document.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
pub struct DocumentRef {
    /// Its kind.
    pub kind: DocumentKind,
    /// Its name, unique within the kind.
    pub name: String,
}

impl DocumentRef {
    /// The document of this kind and name.
    #[must_use]
    pub fn new(kind: DocumentKind, name: &str) -> Self {
        Self { kind, name: name.to_owned() }
    }
}

impl fmt::Display for DocumentRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} '{}'", self.kind, self.name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_is_found_by_both_of_its_names_and_no_two_share_one() {
        for &kind in DocumentKind::ALL {
            assert_eq!(DocumentKind::parse(kind.singular()), Some(kind));
            assert_eq!(DocumentKind::parse(kind.plural()), Some(kind));
            assert_eq!(DocumentKind::ALL[kind.index()], kind);
            assert_eq!(serde_json::to_value(kind).expect("a name"), kind.singular());
        }
        assert_eq!(DocumentKind::parse("Port"), None);
    }
}
