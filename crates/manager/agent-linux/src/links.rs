//! The ports of a software switch: its interfaces, whether they carry traffic, and the neighbour at
//! the other end (LLDP).

use std::collections::BTreeMap;
use std::num::NonZeroU32;
use std::os::fd::{AsRawFd, OwnedFd};
use std::time::{Duration, Instant};

use nix::ifaddrs::getifaddrs;
use nix::net::if_::InterfaceFlags;
use nix::sys::socket::{LinkAddr, MsgFlags, recvfrom, sendto};
use philae_inventory::{MacPrefix, read_mac};
use philae_topology::{FabricAddress, MacAddress};
use philae_wire::WireLayer;
use philae_wire::lldp::{CHASSIS_MAC, Identifier, LldpRepr, LldpUnit, PORT_NAME};
use rustix::net::{AddressFamily, Protocol, SocketFlags, SocketType, socket_with};

use super::plan::{interface, port_of};
use super::tools::Namespace;

/// Interval at which a port announces itself.
///
/// Source: ours; IEEE 802.1AB recommends 30 s and 120 s, and 1 s while a link is new. Status:
/// assumed.
const SAID_EVERY: Duration = Duration::from_secs(2);
/// How long a neighbour's announcement is valid: four times [`SAID_EVERY`], as the standard
/// multiplies. Source: IEEE 802.1AB. Status: published.
const BELIEVED: Duration = Duration::from_secs(8);

/// Ethertype of LLDP. Source: IEEE 802.1AB. Status: published.
const ETHERTYPE: u16 = 0x88cc;
/// Destination of LLDP: the next bridge. Source: IEEE 802.1AB. Status: published.
const NEAREST_BRIDGE: [u8; 6] = [0x01, 0x80, 0xc2, 0x00, 0x00, 0x0e];
/// Bytes of an Ethernet header. Source: IEEE 802.3. Status: published.
const HEADER: usize = 14;

/// An interface that is a port.
#[derive(Clone, Copy, Debug)]
pub struct Interface {
    address: LinkAddr,
    /// Whether it is switched on.
    pub is_on: bool,
    /// Whether it is switched on, and the other end is up.
    pub carries: bool,
}

/// A namespace's ports, and the socket for LLDP on them.
#[derive(Debug)]
pub struct NamespacePorts {
    namespace: Namespace,
    socket: OwnedFd,
    /// Interfaces by port, as last read.
    pub interfaces: BTreeMap<u8, Interface>,
    /// The neighbour that each port heard last, and when.
    heard: BTreeMap<u8, (u32, Instant)>,
    /// Ports whose name belongs to another interface now; cleared by [`Self::take_moved`].
    moved: Vec<u8>,
    said: Option<Instant>,
}

impl NamespacePorts {
    /// Opens the socket and reads the interfaces.
    ///
    /// # Errors
    /// When the namespace cannot be entered, or raw sockets are forbidden.
    pub fn open(namespace: Namespace) -> std::io::Result<Self> {
        let socket = namespace.within(|| {
            // The system wants it in network byte order.
            let protocol = NonZeroU32::new(u32::from(ETHERTYPE.to_be())).map(Protocol::from_raw);
            let flags = SocketFlags::NONBLOCK | SocketFlags::CLOEXEC;
            Ok(socket_with(AddressFamily::PACKET, SocketType::RAW, flags, protocol)?)
        })?;
        let mut links = Self {
            namespace,
            socket,
            interfaces: BTreeMap::new(),
            heard: BTreeMap::new(),
            moved: Vec::new(),
            said: None,
        };
        links.look()?;
        Ok(links)
    }

    /// Reads the interfaces again.
    ///
    /// # Errors
    /// When the namespace is gone.
    pub fn look(&mut self) -> std::io::Result<()> {
        let found: BTreeMap<u8, Interface> = self.namespace.within(|| {
            let found = getifaddrs()?.filter_map(|entry| {
                let port = port_of(&entry.interface_name)?;
                let address = *entry.address?.as_link_addr()?;
                let is_on = entry.flags.contains(InterfaceFlags::IFF_UP);
                let carries = is_on && entry.flags.contains(InterfaceFlags::IFF_RUNNING);
                Some((port, Interface { address, is_on, carries }))
            });
            Ok(found.collect())
        })?;
        // Another interface has the name now; the neighbour was heard on the previous one.
        for (&port, interface) in &found {
            let was = self.interfaces.get(&port).map(|was| was.address.ifindex());
            if was.is_some_and(|was| was != interface.address.ifindex()) {
                self.heard.remove(&port);
                self.moved.push(port);
            }
        }
        self.interfaces = found;
        let interfaces = &self.interfaces;
        self.heard.retain(|port, (_, when)| {
            when.elapsed() < BELIEVED && interfaces.get(port).is_some_and(|interface| interface.carries)
        });
        Ok(())
    }

    /// Ports whose name belongs to another interface since the previous call.
    pub fn take_moved(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.moved)
    }

    /// The neighbour at the other end of a port, if known.
    pub fn neighbour(&self, port: u8) -> Option<u32> {
        self.heard.get(&port).map(|(nid, _)| *nid)
    }

    /// Announces this switch on each port that carries traffic, when it is time, and reads the
    /// neighbours' announcements.
    pub fn speak(&mut self, address: impl Fn(u8) -> Option<FabricAddress>) {
        if self.said.is_none_or(|when| when.elapsed() >= SAID_EVERY) {
            self.said = Some(Instant::now());
            for (&port, interface) in self.interfaces.iter().filter(|(_, interface)| interface.carries) {
                let Some(address) = address(port) else { continue };
                // A lost announcement is repeated soon.
                let _ =
                    sendto(self.socket.as_raw_fd(), &unit(address, port), &interface.address, MsgFlags::MSG_DONTWAIT);
            }
        }
        let mut frame = [0; 1_600];
        while let Ok((length, Some(from))) = recvfrom::<LinkAddr>(self.socket.as_raw_fd(), &mut frame) {
            let port = self.interfaces.iter().find(|(_, interface)| interface.address.ifindex() == from.ifindex());
            if let (Some((&port, _)), Some(nid)) = (port, who(&frame[..length])) {
                self.heard.insert(port, (nid, Instant::now()));
            }
        }
    }

    /// Announces immediately: call this for a link that is new or has come back.
    pub const fn speak_soon(&mut self) {
        self.said = None;
    }
}

/// A port's announcement as a frame.
fn unit(address: FabricAddress, port: u8) -> Vec<u8> {
    let mac = MacPrefix::Two.lldp_mac(address);
    let name = interface(port);
    let unit = LldpRepr {
        chassis: Identifier { subtype: CHASSIS_MAC, name: &mac.0 },
        port: Identifier { subtype: PORT_NAME, name: name.as_bytes() },
        time_to_live_seconds: BELIEVED.as_secs() as u16,
        others: &[],
    };
    let mut frame = vec![0; HEADER + unit.buffer_len(0)];
    frame[..6].copy_from_slice(&NEAREST_BRIDGE);
    frame[6..12].copy_from_slice(&mac.0);
    frame[12..HEADER].copy_from_slice(&ETHERTYPE.to_be_bytes());
    unit.emit(&mut frame[HEADER..], 0).expect("it is as long as it says");
    frame
}

/// The neighbour that sent a frame; `None` if it does not belong to a fabric.
fn who(frame: &[u8]) -> Option<u32> {
    let unit = LldpUnit::new(frame.get(HEADER..)?).ok()?;
    let said = LldpRepr::parse(&unit).ok()?;
    let mac: [u8; 6] = said.chassis.name.try_into().ok().filter(|_| said.chassis.subtype == CHASSIS_MAC)?;
    read_mac(MacAddress(mac)).ok().map(|(address, ..)| address.nid())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_port_says_of_itself_is_understood() {
        let address = FabricAddress::dragonfly(3, 2, 41).expect("it exists");
        assert_eq!(who(&unit(address, 41)), Some(address.nid()));
    }

    #[test]
    fn what_others_say_is_left_alone() {
        let mut frame = unit(FabricAddress::dragonfly(3, 2, 41).expect("it exists"), 41);
        // The chassis: an address of a manufacturer.
        frame[HEADER + 3] = 0x3c;
        assert_eq!(who(&frame), None);
        assert_eq!(who(&frame[..20]), None);
        assert_eq!(who(&[]), None);
    }
}
