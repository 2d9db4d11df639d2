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

/// A port of a switch.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Port {
    /// Its role.
    pub role: PortRole,
    /// The device at the other end.
    pub peer: PortPeer,
    /// Its kind of cable; meaningless for an unused port.
    pub cable: CableKindId,
}

/// A [`Port`] in 8 bytes: the largest system has 1.1 million. The role says what the peer is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StoredPort {
    peer: u32,
    cable: CableKindId,
    role: PortRole,
}

const _: () = assert!(size_of::<StoredPort>() == 8);

impl StoredPort {
    /// Stores a port.
    ///
    /// # Panics
    /// If it has a peer that its role does not have: our mistake.
    pub(crate) fn of(Port { role, peer, cable }: Port) -> Self {
        let peer = match (role, peer) {
            (PortRole::Unused, PortPeer::None) => u32::MAX,
            (PortRole::Edge, PortPeer::Endpoint(endpoint)) => endpoint.0,
            (PortRole::Local | PortRole::Global, PortPeer::Port(port)) => port.0,
            (role, peer) => unreachable!("a {} port has no peer like {peer:?}", role.name()),
        };
        Self { peer, cable, role }
    }

    /// The port.
    #[inline]
    pub(crate) const fn port(self) -> Port {
        let peer = match self.role {
            PortRole::Unused => PortPeer::None,
            PortRole::Edge => PortPeer::Endpoint(EndpointId(self.peer)),
            PortRole::Local | PortRole::Global => PortPeer::Port(PortIndex(self.peer)),
        };
        Port { role: self.role, peer, cable: self.cable }
    }

    /// Its kind of cable.
    #[inline]
    pub(crate) const fn cable(self) -> CableKindId {
        self.cable
    }
}

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stored_port_is_the_port() {
        let peers = [
            (PortRole::Unused, PortPeer::None),
            (PortRole::Edge, PortPeer::Endpoint(EndpointId(u32::MAX))),
            (PortRole::Local, PortPeer::Port(PortIndex(0))),
            (PortRole::Global, PortPeer::Port(PortIndex(u32::MAX))),
        ];
        for (role, peer) in peers {
            let port = Port { role, peer, cable: CableKindId(u16::MAX) };
            assert_eq!(StoredPort::of(port).port(), port);
        }
    }

    #[test]
    #[should_panic(expected = "no peer like")]
    fn an_edge_port_leads_to_no_switch() {
        let _ = StoredPort::of(Port { role: PortRole::Edge, peer: PortPeer::Port(PortIndex(1)), ..Port::default() });
    }
}
