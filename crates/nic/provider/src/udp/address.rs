//! Socket addresses: the system's form, Rust's, and the transport's.

use std::mem::{size_of, zeroed};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, SocketAddrV6};

use philae_nic_core::transport::NicAddress;

const IPV4: u8 = 4;
const IPV6: u8 = 6;

/// The transport's form. IPv4 within IPv6 becomes IPv4, so that one NIC has one address.
pub fn pack(address: &SocketAddr) -> NicAddress {
    let mut bytes = [0; 28];
    bytes[2..4].copy_from_slice(&address.port().to_be_bytes());
    match address.ip().to_canonical() {
        IpAddr::V4(ip) => {
            bytes[0] = IPV4;
            bytes[4..8].copy_from_slice(&ip.octets());
        }
        IpAddr::V6(ip) => {
            bytes[0] = IPV6;
            bytes[4..20].copy_from_slice(&ip.octets());
            if let SocketAddr::V6(whole) = address {
                bytes[20..24].copy_from_slice(&whole.scope_id().to_be_bytes());
            }
        }
    }
    NicAddress(bytes)
}

/// The inverse of [`pack`].
pub fn unpack(address: &NicAddress) -> SocketAddr {
    let bytes = &address.0;
    let port = u16::from_be_bytes([bytes[2], bytes[3]]);
    if bytes[0] == IPV4 {
        return SocketAddr::new(Ipv4Addr::new(bytes[4], bytes[5], bytes[6], bytes[7]).into(), port);
    }
    let mut octets = [0; 16];
    octets.copy_from_slice(&bytes[4..20]);
    let scope = u32::from_be_bytes([bytes[20], bytes[21], bytes[22], bytes[23]]);
    SocketAddrV6::new(Ipv6Addr::from(octets), port, 0, scope).into()
}

/// An address in the form of system calls.
#[derive(Clone, Copy)]
#[repr(C)]
pub union SystemAddress {
    any: libc::sockaddr,
    v4: libc::sockaddr_in,
    v6: libc::sockaddr_in6,
}

/// The size of the largest form.
pub const SYSTEM_ADDRESS_BYTES: u32 = size_of::<SystemAddress>() as u32;

impl SystemAddress {
    /// An unset address.
    pub const fn none() -> Self {
        // SAFETY: all zeroes are a value of each of these plain structures.
        unsafe { zeroed() }
    }

    /// The system's form, and its length.
    pub fn of(address: &SocketAddr) -> (Self, u32) {
        let mut out = Self::none();
        match address {
            SocketAddr::V4(address) => {
                out.v4 = libc::sockaddr_in {
                    sin_family: libc::AF_INET as libc::sa_family_t,
                    sin_port: address.port().to_be(),
                    sin_addr: libc::in_addr { s_addr: u32::from(*address.ip()).to_be() },
                    sin_zero: [0; 8],
                };
                (out, size_of::<libc::sockaddr_in>() as u32)
            }
            SocketAddr::V6(address) => {
                out.v6 = libc::sockaddr_in6 {
                    sin6_family: libc::AF_INET6 as libc::sa_family_t,
                    sin6_port: address.port().to_be(),
                    sin6_flowinfo: 0,
                    sin6_addr: libc::in6_addr { s6_addr: address.ip().octets() },
                    sin6_scope_id: address.scope_id(),
                };
                (out, size_of::<libc::sockaddr_in6>() as u32)
            }
        }
    }

    /// Rust's form, if it is an Internet address.
    pub fn read(&self) -> Option<SocketAddr> {
        // SAFETY: every form begins with the family, and any bytes are a value of each of these
        // plain structures.
        unsafe {
            match i32::from(self.any.sa_family) {
                libc::AF_INET => {
                    let ip = Ipv4Addr::from(u32::from_be(self.v4.sin_addr.s_addr));
                    Some(SocketAddr::new(ip.into(), u16::from_be(self.v4.sin_port)))
                }
                libc::AF_INET6 => {
                    let ip = Ipv6Addr::from(self.v6.sin6_addr.s6_addr);
                    let port = u16::from_be(self.v6.sin6_port);
                    Some(SocketAddrV6::new(ip, port, 0, self.v6.sin6_scope_id).into())
                }
                _ => None,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_stays_what_it_is_in_every_form() {
        for text in ["1.2.3.4:5", "[2001:db8::1]:65535", "[fe80::1%3]:80", "0.0.0.0:0", "[::]:1"] {
            let address: SocketAddr = text.parse().expect("an address");
            assert_eq!(unpack(&pack(&address)), address);
            assert_eq!(SystemAddress::of(&address).0.read(), Some(address));
        }
        let mapped: SocketAddr = "[::ffff:1.2.3.4]:5".parse().expect("an address");
        assert_eq!(unpack(&pack(&mapped)), "1.2.3.4:5".parse().expect("an address"));
        assert_eq!(SystemAddress::none().read(), None);
        assert_eq!(SYSTEM_ADDRESS_BYTES, 28);
    }
}
