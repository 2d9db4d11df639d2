//! The address of an endpoint: 48 bytes that processes exchange.

use std::fmt;
use std::net::{IpAddr, Ipv6Addr, SocketAddr};

use philae_fi_sys::fi_addr_t;

/// The most NICs of a host. Source: names from cxi0 to cxi15. Status: assumed.
pub(crate) const NICS: u8 = 16;
/// Process numbers of a NIC: 9 bits, the last of which names any. Source: fi_cxi(7).
/// Status: published.
pub(crate) const PIDS: u16 = 511;
/// Bits of a NIC's address: 9 for the group, 5 for the switch, 6 for the port. Source: fi_cxi(7),
/// dragonfly. Status: published.
pub(crate) const ADDRESS_BITS: u32 = 20;

/// The number of no peer in an address vector (`FI_ADDR_NOTAVAIL`): in a receive any sender, in a
/// completion an unknown one.
pub(crate) const NOT_AVAILABLE: fi_addr_t = fi_addr_t::MAX;
/// The size of an address in bytes.
pub const ADDRESS_BYTES: usize = 48;
/// Bits of a source for the process number. The bits above distinguish the endpoints that have the
/// number in succession.
const PLACE_BITS: u32 = 17;
/// The endpoints with one process number that a source distinguishes: it has 14 bits for them, and
/// 0 means none. The probability that two of them have the same source is one in this number.
/// Source: ours. Status: assumed.
const GENERATIONS: u64 = (1 << 14) - 1;
/// The beginning of an address, with the version of its format.
const MAGIC: [u8; 4] = *b"Ph\x01\x00";

/// The location of an endpoint.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct EndpointAddress {
    /// The host: processes with the same number share memory and process numbers.
    pub host: u64,
    /// The user that owns its areas.
    pub user: u32,
    /// The number of its NIC on the host.
    pub device: u8,
    /// Its virtual network.
    pub vni: u16,
    /// Its process number on the NIC, 0 to 510.
    pub pid: u16,
    /// A number that no other endpoint has.
    pub incarnation: u64,
    /// Its socket address for datagrams, if it has one.
    pub socket: Option<SocketAddr>,
    /// Whether the system lets its process take part in copies between processes, as far as that
    /// process can determine.
    pub takes_copies: bool,
}

impl EndpointAddress {
    /// The address in bytes.
    #[must_use]
    pub fn encode(&self) -> [u8; ADDRESS_BYTES] {
        let mut bytes = [0; ADDRESS_BYTES];
        let (ip, port) = match self.socket {
            Some(SocketAddr::V4(address)) => (address.ip().to_ipv6_mapped(), address.port()),
            Some(SocketAddr::V6(address)) => (*address.ip(), address.port()),
            None => (Ipv6Addr::UNSPECIFIED, 0),
        };
        let mut at = 0;
        let mut put = |part: &[u8]| {
            bytes[at..at + part.len()].copy_from_slice(part);
            at += part.len();
        };
        put(&MAGIC);
        put(&[self.device, u8::from(!self.takes_copies)]);
        put(&self.pid.to_le_bytes());
        put(&self.vni.to_le_bytes());
        put(&port.to_le_bytes());
        put(&self.user.to_le_bytes());
        put(&self.host.to_le_bytes());
        put(&self.incarnation.to_le_bytes());
        put(&ip.octets());
        bytes
    }

    /// Decodes an address; `None` if the bytes are not one of this version.
    #[must_use]
    pub fn decode(bytes: &[u8]) -> Option<Self> {
        let bytes: &[u8; ADDRESS_BYTES] = bytes.get(..ADDRESS_BYTES)?.try_into().ok()?;
        let two = |at: usize| u16::from_le_bytes([bytes[at], bytes[at + 1]]);
        let eight = |at: usize| u64::from_le_bytes(bytes[at..at + 8].try_into().expect("eight bytes"));
        if bytes[..4] != MAGIC {
            return None;
        }
        let ip: [u8; 16] = bytes[32..48].try_into().expect("sixteen bytes");
        let (ip, port) = (Ipv6Addr::from(ip), two(10));
        let ip = ip.to_ipv4_mapped().map_or(IpAddr::V6(ip), IpAddr::V4);
        Some(Self {
            device: bytes[4],
            pid: two(6),
            vni: two(8),
            user: u32::from_le_bytes(bytes[12..16].try_into().expect("four bytes")),
            host: eight(16),
            incarnation: eight(24),
            socket: (port != 0).then(|| SocketAddr::new(ip, port)),
            takes_copies: bytes[5] == 0,
        })
    }

    /// Whether it leads to this endpoint. An address that was composed from names has no
    /// incarnation, and leads to the present endpoint at its place.
    #[must_use]
    pub fn leads_to(&self, endpoint: &Self) -> bool {
        let of = |address: &Self| (address.host, address.user, address.device, address.vni, address.pid);
        of(self) == of(endpoint) && [0, endpoint.incarnation].contains(&self.incarnation)
    }

    /// The name of its area on its host.
    #[must_use]
    pub fn area_name(&self) -> String {
        area_name(self.user, self.device, self.vni, self.pid)
    }

    /// The source that its messages carry on its host. No two endpoints of a host that can reach
    /// each other have the same source, and neither has an endpoint that gets a process number
    /// after another has closed. For an address that was composed from names only the process
    /// number is known: no message has that source.
    #[must_use]
    pub fn source(&self) -> u32 {
        let generation = if self.incarnation == 0 { 0 } else { (self.incarnation % GENERATIONS) as u32 + 1 };
        generation << PLACE_BITS | u32::from(self.device) << 9 | u32::from(self.pid)
    }

    /// The process number of a source, as an endpoint of the same user and network as `self`. An
    /// address does not say which of the number's successive endpoints it is.
    #[must_use]
    pub fn with_place_of(&self, source: u32) -> Self {
        let place = place_of(source);
        Self { device: (place >> 9) as u8, pid: (place & 0x1ff) as u16, incarnation: 0, ..*self }
    }
}

/// The process number of a source, without the part that distinguishes its successive endpoints.
#[must_use]
pub const fn place_of(source: u32) -> u32 {
    source & ((1 << PLACE_BITS) - 1)
}

/// The form of addresses in a program.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum AddressForm {
    /// Ours, of [`ADDRESS_BYTES`] (`FI_FORMAT_UNSPEC`): it leads to endpoints of any host, and
    /// identifies one endpoint.
    #[default]
    Whole,
    /// The vendor's (`FI_ADDR_CXI`): 9 bits of the process number and 20 of the NIC's address, in
    /// one word of four bytes. It leads to endpoints of this host and this user, and means the
    /// present endpoint with the process number. Source: libfabric's cxip.h, `struct cxip_addr`,
    /// and Mercury's `na_ofi.c`, which reads it. Status: published.
    Vendor {
        /// The address of the host's first NIC; the following NICs have the next addresses.
        first_nic: u32,
    },
}

/// Bits of a process number in the vendor's form; the NIC's address follows.
const PID_BITS: u32 = 9;
const NIC_MASK: u32 = (1 << 20) - 1;
/// "Any process number", of an endpoint that has none yet. Source: the vendor's C_PID_ANY.
/// Status: published.
pub const ANY_PID: u16 = (1 << PID_BITS) - 1;

impl AddressForm {
    /// The size of an address in bytes.
    #[must_use]
    pub const fn bytes(self) -> usize {
        match self {
            Self::Whole => ADDRESS_BYTES,
            Self::Vendor { .. } => 4,
        }
    }

    /// An address in this form.
    #[must_use]
    pub fn encode(self, address: &EndpointAddress) -> Vec<u8> {
        match self {
            Self::Whole => address.encode().to_vec(),
            Self::Vendor { first_nic } => {
                let nic = first_nic.wrapping_add(u32::from(address.device)) & NIC_MASK;
                (nic << PID_BITS | u32::from(address.pid)).to_le_bytes().to_vec()
            }
        }
    }

    /// The NIC of this host and the process number that an address in the vendor's form names;
    /// `None` if the NIC is another host's.
    #[must_use]
    pub fn place(self, bytes: &[u8]) -> Option<(u8, u16)> {
        let Self::Vendor { first_nic } = self else { return None };
        let word = u32::from_le_bytes(bytes.get(..4)?.try_into().ok()?);
        let nic = word >> PID_BITS & NIC_MASK;
        let device = u8::try_from(nic.wrapping_sub(first_nic) & NIC_MASK).ok().filter(|&device| device < NICS)?;
        Some((device, (word & u32::from(ANY_PID)) as u16))
    }
}

/// The name of a NIC.
pub(crate) fn device_name(device: u8) -> String {
    format!("cxi{device}")
}

/// The number of the NIC of this name.
pub(crate) fn device_of(name: &str) -> Option<u8> {
    name.strip_prefix("cxi")?.parse().ok()
}

#[must_use]
pub fn area_name(user: u32, device: u8, vni: u16, pid: u16) -> String {
    format!("philae-{user}-{device}-{vni}-{pid}")
}

impl fmt::Display for EndpointAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { host, user, device, vni, pid, .. } = self;
        write!(f, "fi_addr_philae://{host:016x}/cxi{device}?pid={pid}&vni={vni}&uid={user}")?;
        self.socket.map_or(Ok(()), |socket| write!(f, "&udp={socket}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_what_its_bytes_say() {
        for socket in [None, Some("10.1.2.3:4000"), Some("[fe80::1]:9")] {
            let socket = socket.map(|text| text.parse().expect("an address"));
            let (host, incarnation) = (0x0123_4567_89ab_cdef, 42);
            let takes_copies = socket.is_some();
            let address =
                EndpointAddress { host, user: 1000, device: 3, vni: 10, pid: 510, incarnation, socket, takes_copies };
            let bytes = address.encode();
            assert_eq!(EndpointAddress::decode(&bytes), Some(address));
            assert_eq!(EndpointAddress::decode(&bytes[..47]), None);
            assert!(address.leads_to(&address) && EndpointAddress { incarnation: 0, ..address }.leads_to(&address));
            assert!(!EndpointAddress { incarnation: 41, ..address }.leads_to(&address));
            assert!(!EndpointAddress { pid: 509, incarnation: 0, ..address }.leads_to(&address));
            let mut other = bytes;
            other[2] = 2;
            assert_eq!(EndpointAddress::decode(&other), None, "another version");
        }
    }

    #[test]
    fn the_vendor_s_form_names_nics_of_this_host() {
        let form = AddressForm::Vendor { first_nic: 0x4a3 };
        let bytes = (0x4a5_u32 << 9 | 12).to_le_bytes();
        assert_eq!((form.bytes(), form.place(&bytes), form.place(&bytes[..3])), (4, Some((2, 12)), None));
        let (host, vni, incarnation, socket) = (1, 7, 0, None);
        let address =
            EndpointAddress { host, user: 0, device: 2, vni, pid: 12, incarnation, socket, takes_copies: true };
        assert_eq!(form.encode(&address), bytes);
        for nic in [0x4a2_u32, 0x4a3 + u32::from(NICS), 0] {
            assert_eq!(form.place(&(nic << 9 | 1).to_le_bytes()), None, "NIC {nic:#x} is another host's");
        }
        assert_eq!(EndpointAddress::decode(&AddressForm::Whole.encode(&address)), Some(address));
    }

    #[test]
    fn endpoints_that_have_a_process_number_in_turn_have_sources_of_their_own() {
        let address = EndpointAddress {
            host: 1,
            user: 2,
            device: 255,
            vni: 3,
            pid: 510,
            incarnation: 1,
            socket: None,
            takes_copies: true,
        };
        let sources = [0, 1, 2, GENERATIONS - 1].map(|incarnation| EndpointAddress { incarnation, ..address }.source());
        assert!(sources.iter().enumerate().all(|(index, source)| !sources[..index].contains(source)));
        for source in sources {
            assert_eq!((place_of(source), source >> 31), (sources[0], 0));
            assert_eq!(address.with_place_of(source), EndpointAddress { incarnation: 0, ..address });
        }
    }
}
