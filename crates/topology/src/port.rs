//! A port of a switch: what it is for, and what is at the other end.

use crate::CableKindId;
use philae_units::{EndpointId, NodeId, PortIndex};
use serde::Serialize;

/// What a port is for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum PortRole {
    /// Nothing is attached.
    #[default]
    Unused,
    /// Joins a NIC.
    Edge,
    /// Joins a switch of the same group; in a fat tree, every switch-to-switch link.
    Local,
    /// Joins a switch of another group.
    Global,
}

impl PortRole {
    /// The word that messages and tables use.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Unused => "unused",
            Self::Edge => "edge",
            Self::Local => "local",
            Self::Global => "global",
        }
    }
}

/// What is at the other end of a port's cable.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Peer {
    /// No cable.
    #[default]
    None,
    /// A NIC.
    Endpoint(EndpointId),
    /// A port of another switch.
    Port(PortIndex),
}

/// A port of a switch. 12 bytes: the largest system has 1.1 million.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Port {
    /// What it is for.
    pub role: PortRole,
    /// What is at the other end.
    pub peer: Peer,
    /// Its cable's kind; meaningless for an unused port.
    pub cable: CableKindId,
}

const _: () = assert!(size_of::<Port>() <= 12);

/// A place where a NIC is attached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Endpoint {
    /// The node that the NIC belongs to.
    pub node: NodeId,
    /// Which NIC of the node, from 0.
    pub nic: u8,
    /// Kind of NIC: 0 for the system's own, 1 for third-party Ethernet.
    pub kind: u8,
    /// The edge port that it is attached to.
    pub port: PortIndex,
}

const _: () = assert!(size_of::<Endpoint>() <= 12);
