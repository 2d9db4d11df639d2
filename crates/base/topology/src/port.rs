//! A port of a switch: its role, and the device at the other end.

use crate::CableKindId;
use philae_units::{EndpointId, NodeId, PortIndex};
use serde::Serialize;

/// The role of a port.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum PortRole {
    /// No device is attached.
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

/// The device at the other end of a port's cable.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum PortPeer {
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
    /// Its role.
    pub role: PortRole,
    /// The device at the other end.
    pub peer: PortPeer,
    /// Its kind of cable; meaningless for an unused port.
    pub cable: CableKindId,
}

const _: () = assert!(size_of::<Port>() <= 12);

/// A place where a NIC is attached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NicAttachment {
    /// The node that the NIC belongs to.
    pub node: NodeId,
    /// Number of the NIC on its node, from 0.
    pub nic: u8,
    /// Kind of NIC: 0 for the system's own, 1 for third-party Ethernet.
    pub kind: u8,
    /// The edge port that it is attached to.
    pub port: PortIndex,
}

const _: () = assert!(size_of::<NicAttachment>() <= 12);
