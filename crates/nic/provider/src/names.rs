//! Addresses by name: a node and a service, as people and scripts write them (`fi_av_insertsvc`,
//! `fi_av_insertsym`, `fi_getinfo`).
//!
//! The node is a NIC of this host by its name (`cxi0`) or a host by its address or name; the
//! service is a process number on it. Such an address gives an endpoint's place and not its
//! identity: it means the endpoint that has the number at the time of use. Endpoints of other hosts
//! are found only if ports follow from process numbers (`FI_PHILAE_PORT_BASE`).

use std::net::{IpAddr, SocketAddr, ToSocketAddrs};

use crate::address::{AddressForm, EndpointAddress, NICS, PIDS, device_name, device_of};
use crate::host;
use crate::log::{MessageLevel, say};
use crate::settings::ProviderSettings;

/// A node or a service that does not name an endpoint.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum NameError {
    #[error("service {0}: expected a process number from 0 to 510, as 12 or 0xc")]
    Service(String),
    #[error("node {0}: expected a NIC (from cxi0 to cxi15, or its address, as 0x4a3), an address or a host's name")]
    Node(String),
    #[error("node {0} is {1}, the transport between hosts is at {2}: one is IPv4, the other IPv6")]
    Family(String, IpAddr, IpAddr),
    #[error("node {0} is on another host: FI_PHILAE_PORT_BASE must be set, to the same number on all hosts")]
    NoPorts(String),
    #[error("node {0} is on another host, and FI_PHILAE_WIRES has no udp")]
    NoWire(String),
    #[error("node {0} has no successors for further services: expected a NIC or an address")]
    NotCounted(String),
}

/// The target of a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Node {
    /// A NIC of this host.
    Device(u8),
    /// A host: its first NIC.
    Host(IpAddr),
}

/// The context in which names are resolved.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NameContext<'s> {
    pub settings: &'s ProviderSettings,
    pub vni: u16,
}

impl NameContext<'_> {
    /// The endpoint of a node and a service.
    ///
    /// # Errors
    /// [`NameError`].
    pub fn address(&self, node: &str, service: &str) -> Result<EndpointAddress, NameError> {
        self.at(self.node(node)?, node, pid(service)?)
    }

    /// The endpoint of an address in this form; `None` if it leads to none.
    pub fn decode(&self, form: AddressForm, bytes: &[u8]) -> Option<EndpointAddress> {
        if form == AddressForm::Whole {
            return EndpointAddress::decode(bytes);
        }
        let (device, pid) = form.place(bytes)?;
        let found = self.at(Node::Device(device), &device_name(device), pid);
        found.inspect_err(|error| say(MessageLevel::Warn, &error.to_string())).ok()
    }

    /// The endpoints of consecutive nodes from `node` on and consecutive services from `service`
    /// on: all services of the first node, then of the next. Nodes are consecutive by their number:
    /// `cxi0`, `cxi1`, or `10.0.0.1`, `10.0.0.2`.
    ///
    /// # Errors
    /// [`NameError`]: that of the first name that is not an endpoint.
    pub fn addresses(
        &self,
        (node, nodes): (&str, usize),
        (service, services): (&str, usize),
    ) -> Result<Vec<EndpointAddress>, NameError> {
        let (first, begin) = (self.node(node)?, pid(service)?);
        if nodes > 1 && matches!(first, Node::Host(_)) && node.parse::<IpAddr>().is_err() {
            return Err(NameError::NotCounted(node.to_owned()));
        }
        let mut all = Vec::new();
        for step in 0..nodes {
            let (at, name) = next(first, step).ok_or_else(|| NameError::Node(format!("{node} + {step}")))?;
            for step in 0..services {
                let number = usize::from(begin) + step;
                let fits = u16::try_from(number).ok().filter(|&pid| pid < PIDS);
                let pid = fits.ok_or_else(|| NameError::Service(number.to_string()))?;
                all.push(self.at(at, &name, pid)?);
            }
        }
        Ok(all)
    }

    /// The NIC of this host that a name means; `None` if it means this host and none of its NICs.
    ///
    /// # Errors
    /// [`NameError`], also for another host's name.
    pub fn own_device(&self, node: &str) -> Result<Option<u8>, NameError> {
        match self.node(node)? {
            Node::Device(device) => Ok(Some(device)),
            Node::Host(address) if self.is_here(address) => Ok(None),
            Node::Host(_) => Err(NameError::Node(node.to_owned())),
        }
    }

    fn is_here(&self, address: IpAddr) -> bool {
        address.is_loopback() || self.settings.wires.bind.is_some_and(|bind| bind.ip() == address)
    }

    /// The NIC of this host with this address: a number, or a hardware address that ends with one.
    fn device_at(&self, node: &str) -> Option<Result<u8, NameError>> {
        let bytes: Vec<&str> = node.split(':').collect();
        let of_hardware = || -> Option<u32> {
            let bytes: Option<Vec<u32>> = bytes.iter().map(|byte| u32::from_str_radix(byte, 16).ok()).collect();
            let bytes = bytes.filter(|bytes| bytes.len() == 6 && bytes.iter().all(|&byte| byte < 256))?;
            Some((bytes[3] << 16 | bytes[4] << 8 | bytes[5]) & 0xf_ffff)
        };
        let nic = number(node).or_else(of_hardware)?;
        let device = nic.checked_sub(self.settings.nics.first_address).and_then(|device| u8::try_from(device).ok());
        Some(device.filter(|&device| device < NICS).ok_or_else(|| NameError::Node(node.to_owned())))
    }

    fn node(&self, node: &str) -> Result<Node, NameError> {
        let node = node.trim();
        if let Some(device) = self.device_at(node) {
            return device.map(Node::Device);
        }
        if let Some(device) = device_of(node) {
            return if device < NICS { Ok(Node::Device(device)) } else { Err(NameError::Node(node.to_owned())) };
        }
        if let Ok(address) = node.parse() {
            return Ok(Node::Host(address));
        }
        let found: Vec<IpAddr> =
            (node, 0).to_socket_addrs().map_or_else(|_| Vec::new(), |all| all.map(|one| one.ip()).collect());
        let is_fitting =
            |address: &&IpAddr| self.settings.wires.bind.is_none_or(|bind| bind.is_ipv4() == address.is_ipv4());
        let best = found.iter().find(is_fitting).or(found.first());
        best.map(|&address| Node::Host(address)).ok_or_else(|| NameError::Node(node.to_owned()))
    }

    fn at(&self, node: Node, name: &str, pid: u16) -> Result<EndpointAddress, NameError> {
        let bind = self.settings.wires.bind;
        let is_here = |address: IpAddr| self.is_here(address);
        let (device, address) = match node {
            Node::Device(device) => (device, bind.map(|bind| bind.ip())),
            Node::Host(address) if is_here(address) => (0, bind.map(|bind| bind.ip())),
            Node::Host(address) => (0, Some(address)),
        };
        let is_neighbour = matches!(node, Node::Device(_)) || matches!(node, Node::Host(address) if is_here(address));
        let socket = match (address, self.settings.port(device, pid)) {
            (Some(address), Some(port)) => Some(SocketAddr::new(address, port)),
            _ => None,
        };
        if is_neighbour && (self.settings.wires.has_shared_memory || socket.is_some()) {
            let (host, user, vni) = (host::number(), host::user(), self.vni);
            return Ok(EndpointAddress { host, user, device, vni, pid, incarnation: 0, socket, takes_copies: true });
        }
        let Some(bind) = bind else { return Err(NameError::NoWire(name.to_owned())) };
        let (Some(address), Some(socket)) = (address, socket) else { return Err(NameError::NoPorts(name.to_owned())) };
        if bind.is_ipv4() != address.is_ipv4() {
            return Err(NameError::Family(name.to_owned(), address, bind.ip()));
        }
        Ok(EndpointAddress {
            host: 0,
            user: 0,
            device,
            vni: self.vni,
            pid,
            incarnation: 0,
            socket: Some(socket),
            takes_copies: false,
        })
    }
}

/// The process number of a service.
///
/// # Errors
/// [`NameError::Service`].
pub(crate) fn pid(service: &str) -> Result<u16, NameError> {
    let found = number(service).and_then(|found| u16::try_from(found).ok()).filter(|&pid| pid < PIDS);
    found.ok_or_else(|| NameError::Service(service.to_owned()))
}

/// Parses a number as C's `%i` does, but allows nothing after it: 16, 0x10, 020.
fn number(text: &str) -> Option<u32> {
    let text = text.trim();
    let text = text.strip_prefix('+').unwrap_or(text);
    if !text.starts_with(|first: char| first.is_ascii_digit()) {
        return None;
    }
    match text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
        Some(digits) if !digits.starts_with('+') => u32::from_str_radix(digits, 16).ok(),
        Some(_) => None,
        None if text.starts_with('0') => u32::from_str_radix(text, 8).ok(),
        None => text.parse().ok(),
    }
}

/// The node `step` steps later, and its name.
fn next(node: Node, step: usize) -> Option<(Node, String)> {
    match node {
        Node::Device(first) => {
            let device = u8::try_from(usize::from(first) + step).ok().filter(|&device| device < NICS)?;
            Some((Node::Device(device), device_name(device)))
        }
        Node::Host(IpAddr::V4(first)) => {
            let address = IpAddr::V4(u32::from(first).checked_add(u32::try_from(step).ok()?)?.into());
            Some((Node::Host(address), address.to_string()))
        }
        Node::Host(IpAddr::V6(first)) => {
            let address = IpAddr::V6(u128::from(first).checked_add(step as u128)?.into());
            Some((Node::Host(address), address.to_string()))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings(variables: &[(&str, &str)]) -> ProviderSettings {
        let find =
            |name: &str| variables.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).to_owned());
        ProviderSettings::read(&find).expect("all right")
    }

    const BETWEEN: [(&str, &str); 2] = [("FI_PHILAE_ADDRESS", "10.0.0.1"), ("FI_PHILAE_PORT_BASE", "20000")];

    #[test]
    fn a_nic_of_this_host_is_reached_through_memory() {
        let settings = settings(&[("FI_PHILAE_WIRES", "shm")]);
        let names = NameContext { settings: &settings, vni: 7 };
        let address = names.address("cxi3", "12").expect("a NIC and a process number");
        assert_eq!((address.device, address.pid, address.vni, address.socket), (3, 12, 7, None));
        assert_eq!((address.host, address.user), (host::number(), host::user()));
        assert_eq!(names.address("127.0.0.1", "12").expect("this host").device, 0);
        assert!(names.address("10.9.9.9", "12").expect_err("no wire").to_string().contains("no udp"));
    }

    #[test]
    fn other_hosts_are_reached_where_ports_go_by_process_numbers() {
        let with = settings(&BETWEEN);
        let names = NameContext { settings: &with, vni: 10 };
        let address = names.address("10.0.0.2", "5").expect("an address");
        assert_eq!(address.socket, Some("10.0.0.2:20005".parse().expect("an address")));
        assert_eq!(names.address("10.0.0.1", "5").expect("this host").host, host::number());
        assert_eq!(names.address("cxi1", "5").expect("a NIC").socket, Some("10.0.0.1:20516".parse().expect("one")));
        assert!(matches!(names.address("fd00::1", "5"), Err(NameError::Family(..))));
        let without = settings(&BETWEEN[..1]);
        let names = NameContext { settings: &without, vni: 10 };
        assert!(names.address("10.0.0.2", "5").expect_err("no ports").to_string().contains("FI_PHILAE_PORT_BASE"));
    }

    #[test]
    fn ranges_go_by_service_first() {
        let settings = settings(&BETWEEN);
        let names = NameContext { settings: &settings, vni: 10 };
        let all = names.addresses(("10.0.0.2", 2), ("3", 2)).expect("four");
        let all: Vec<String> = all.iter().map(|one| one.socket.expect("a socket").to_string()).collect();
        assert_eq!(all, ["10.0.0.2:20003", "10.0.0.2:20004", "10.0.0.3:20003", "10.0.0.3:20004"]);
        let devices = names.addresses(("cxi14", 2), ("0", 1)).expect("two");
        assert_eq!(devices.iter().map(|one| one.device).collect::<Vec<_>>(), [14, 15]);
        assert!(names.addresses(("cxi14", 3), ("0", 1)).is_err());
        assert!(names.addresses(("cxi0", 1), ("509", 3)).expect_err("511").to_string().contains("511"));
        assert!(matches!(names.addresses(("localhost", 2), ("0", 1)), Err(NameError::NotCounted(_))));
    }

    #[test]
    fn numbers_are_read_as_c_reads_them_and_nics_go_by_their_address() {
        for (text, found) in [("16", Some(16)), (" 0x10", Some(16)), ("020", Some(16)), ("0", Some(0)), ("+7", Some(7))]
        {
            assert_eq!(number(text), found, "{text}");
        }
        for text in ["", "x", "-1", "5x", "0x", "0x+5", "09", "4294967296"] {
            assert_eq!(number(text), None, "{text}");
        }
        let settings = settings(&[("FI_PHILAE_WIRES", "shm"), ("FI_PHILAE_NIC_ADDRESS", "0x4a3")]);
        let names = NameContext { settings: &settings, vni: 7 };
        for node in ["0x4a5", "1189", "02:00:00:00:04:a5", "cxi2"] {
            assert_eq!(names.own_device(node), Ok(Some(2)), "{node}");
        }
        assert_eq!(names.own_device("127.0.0.1"), Ok(None), "this host");
        for node in ["0x4a2", "1", "02:00:00:00:ff:ff", "10.9.9.9"] {
            assert!(matches!(names.own_device(node), Err(NameError::Node(_))), "{node}");
        }
    }

    #[test]
    fn what_names_nothing_is_said() {
        let settings = settings(&BETWEEN);
        let names = NameContext { settings: &settings, vni: 10 };
        for (node, service) in [("cxi16", "0"), ("cxi0", "511"), ("cxi0", "any"), ("cxi0", "-1"), ("", "0")] {
            assert!(names.address(node, service).is_err(), "{node} {service}");
        }
    }
}
