//! The paths by which an endpoint reaches its peers, recorded in its area for tools that inspect
//! the host's NICs.

use std::fmt;
use std::net::{IpAddr, Ipv6Addr, SocketAddr};
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

use crate::address::EndpointAddress;

/// Peers of an endpoint that are recorded by name; the others are counted. Source: ours.
/// Status: assumed.
const NAMED: usize = 64;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum PeerPath {
    /// Through shared memory.
    Memory = 1,
    /// By datagrams: it is on another host, belongs to another user, or shared memory is off.
    Datagrams = 2,
    /// By datagrams, although it is a neighbour: the system does not permit copies between the two,
    /// or a setting of one of them forbids them.
    NoCopies = 3,
    /// No path.
    None = 4,
}

impl PeerPath {
    /// All paths.
    pub const ALL: [Self; 4] = [Self::Memory, Self::Datagrams, Self::NoCopies, Self::None];

    /// Its name.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Memory => "shm",
            Self::Datagrams => "udp",
            Self::NoCopies => "udp (copies are forbidden)",
            Self::None => "none",
        }
    }
}

/// A peer's name in the record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PeerName {
    /// On the same host: the number of its NIC and its process number.
    Neighbour(u8, u16),
    /// On another host: its socket address.
    Remote(SocketAddr),
}

impl fmt::Display for PeerName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Neighbour(device, pid) => write!(f, "cxi{device} pid {pid}"),
            Self::Remote(socket) => socket.fmt(f),
        }
    }
}

impl PeerName {
    /// The name of the endpoint at an address that is reached by this path.
    pub(crate) fn of(address: &EndpointAddress, way: PeerPath) -> Self {
        match address.socket {
            Some(socket) if way == PeerPath::Datagrams => Self::Remote(socket),
            _ => Self::Neighbour(address.device, address.pid),
        }
    }

    /// Two words of its host's address and one of the rest: 0 for neighbours, or 1 and the port.
    fn words(&self) -> ([u64; 2], u64) {
        match *self {
            Self::Neighbour(device, pid) => ([u64::from(device), u64::from(pid)], 0),
            Self::Remote(socket) => {
                let ip = match socket.ip() {
                    IpAddr::V4(ip) => ip.to_ipv6_mapped(),
                    IpAddr::V6(ip) => ip,
                };
                let bits = u128::from(ip);
                ([(bits >> 64) as u64, bits as u64], 1 << 16 | u64::from(socket.port()))
            }
        }
    }

    fn of_words([high, low]: [u64; 2], rest: u64) -> Self {
        if rest >> 16 == 0 {
            return Self::Neighbour(high as u8, low as u16);
        }
        let ip = Ipv6Addr::from(u128::from(high) << 64 | u128::from(low));
        Self::Remote(SocketAddr::new(ip.to_ipv4_mapped().map_or(IpAddr::V6(ip), IpAddr::V4), rest as u16))
    }
}

#[derive(Debug, Default)]
#[repr(C)]
struct Entry {
    ip: [AtomicU64; 2],
    /// The path in the upper byte; 0: a free entry. Written last.
    way: AtomicU64,
}

/// The paths of one endpoint. One thread of its owner at a time writes; others read.
#[derive(Debug)]
#[repr(C)]
pub(super) struct EndpointPaths {
    /// The counts of peers that are not named, by path.
    others: [AtomicU32; 4],
    named: [Entry; NAMED],
}

impl Default for EndpointPaths {
    fn default() -> Self {
        Self { others: Default::default(), named: std::array::from_fn(|_| Entry::default()) }
    }
}

impl EndpointPaths {
    /// Records the path to a peer.
    pub fn note(&self, name: PeerName, way: PeerPath) {
        let (ip, rest) = name.words();
        let wanted = |entry: &&Entry| {
            let known = entry.way.load(Ordering::Relaxed);
            let is_same = known << 8 >> 8 == rest && entry.ip.each_ref().map(|ip| ip.load(Ordering::Relaxed)) == ip;
            known == 0 || is_same
        };
        match self.named.iter().find(wanted) {
            Some(entry) => {
                entry.ip.iter().zip(ip).for_each(|(place, word)| place.store(word, Ordering::Relaxed));
                entry.way.store((way as u64) << 56 | rest, Ordering::Release);
            }
            None => _ = self.others[way as usize - 1].fetch_add(1, Ordering::Relaxed),
        }
    }

    /// Named peers and their paths, and how many more there are of each path.
    pub fn list(&self) -> (Vec<(PeerName, PeerPath)>, [u32; 4]) {
        let one = |entry: &Entry| {
            let word = entry.way.load(Ordering::Acquire);
            let way = PeerPath::ALL.into_iter().find(|&way| way as u64 == word >> 56)?;
            let ip = entry.ip.each_ref().map(|ip| ip.load(Ordering::Relaxed));
            Some((PeerName::of_words(ip, word << 8 >> 8), way))
        };
        let named = self.named.iter().filter_map(one).collect();
        (named, self.others.each_ref().map(|count| count.load(Ordering::Relaxed)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_noted_is_listed_once_with_its_latest_way_and_the_rest_is_counted() {
        let ways = EndpointPaths::default();
        let remote: SocketAddr = "10.1.2.3:4000".parse().expect("an address");
        let sixth = "[fe80::1]:9".parse().expect("an address");
        ways.note(PeerName::Neighbour(1, 510), PeerPath::Memory);
        ways.note(PeerName::Remote(remote), PeerPath::Datagrams);
        ways.note(PeerName::Remote(sixth), PeerPath::Datagrams);
        ways.note(PeerName::Neighbour(1, 510), PeerPath::NoCopies);
        let (named, others) = ways.list();
        let expected = [
            (PeerName::Neighbour(1, 510), PeerPath::NoCopies),
            (PeerName::Remote(remote), PeerPath::Datagrams),
            (PeerName::Remote(sixth), PeerPath::Datagrams),
        ];
        assert_eq!((named.as_slice(), others), (expected.as_slice(), [0; 4]));
        assert_eq!(
            named.iter().map(|(name, _)| name.to_string()).collect::<Vec<_>>(),
            ["cxi1 pid 510", "10.1.2.3:4000", "[fe80::1]:9"]
        );
        (0..NAMED as u16 + 4).for_each(|pid| ways.note(PeerName::Neighbour(0, pid), PeerPath::Memory));
        let (named, others) = ways.list();
        assert_eq!((named.len(), others), (NAMED, [7, 0, 0, 0]));
    }
}
