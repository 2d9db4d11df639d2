//! How the fabric's destinations are written as IPv6 prefixes, and candidate ports as next hops.
//!
//! ```text
//! fd50:4849:4c41:GGGG::/64         a group
//! fd50:4849:4c41:GGGG:SSSS::/80    a switch, by its place in the group
//! fd50:4849:4c41:GGGG:SSSS::PP     what is plugged into a port: its number and 1, in hexadecimal
//! fd50:4849:4c41:GGGG:SSSS::ffff   the switch itself
//! ```

use std::fmt::Write as _;
use std::net::Ipv6Addr;

use philae_agent::ControlError;
use philae_route_tables::{Destination, FabricWiring, ForwardingTable};
use philae_units::{GroupId, PortIndex, SwitchId};
use serde::Deserialize;

/// The first 48 bits of all addresses: a unique local prefix.
///
/// Source: ours: "PHILA" in ASCII behind fd. Status: assumed.
const PREFIX: [u16; 3] = [0xfd50, 0x4849, 0x4c41];

/// The `proto` of the manager's routes. No other program is known to use these numbers.
///
/// Source: ours; none of `linux/rtnetlink.h` is 171 or 172. Status: assumed.
pub const OF_MANAGER: u8 = 171;
/// The `proto` of routes that the driver needs for the devices at its ports.
///
/// Source: ours. Status: assumed.
pub const OF_DRIVER: u8 = 172;

/// The next hop on every link: the other end, whichever device it is.
///
/// Source: ours. Status: assumed.
pub const OTHER_END: Ipv6Addr = Ipv6Addr::new(0xfe80, 0, 0, 0, 0, 0, 0, 0xff);

/// Metric of entries for single switches; the kernel prefers them to those for places, because it
/// takes the lower metric.
///
/// Source: ours. Status: assumed.
const METRIC_OF_SWITCH: u32 = 512;
/// Metric of entries for places and groups.
///
/// Source: the kernel's own for IPv6. Status: published.
const METRIC: u32 = 1_024;

fn prefix(group: GroupId, place: Option<u32>) -> (Ipv6Addr, u8) {
    let [a, b, c] = PREFIX;
    let group = group.0 as u16;
    match place {
        Some(place) => (Ipv6Addr::new(a, b, c, group, place as u16, 0, 0, 0), 80),
        None => (Ipv6Addr::new(a, b, c, group, 0, 0, 0, 0), 64),
    }
}

/// The address of the device at a port.
pub fn address_of(wiring: &FabricWiring, port: PortIndex) -> Ipv6Addr {
    let (switch, number) = wiring.split(port);
    // The address of a prefix that ends in zeros belongs to every router of the prefix.
    of_switch(wiring, switch, u16::from(number.0) + 1)
}

/// The address of a switch itself.
pub fn own_address(wiring: &FabricWiring, switch: SwitchId) -> Ipv6Addr {
    of_switch(wiring, switch, 0xffff)
}

fn of_switch(wiring: &FabricWiring, switch: SwitchId, last: u16) -> Ipv6Addr {
    let (network, _) = prefix(wiring.group_of(switch), Some(wiring.place_in_group(switch)));
    let [a, b, c, d, e, ..] = network.segments();
    Ipv6Addr::new(a, b, c, d, e, 0, 0, last)
}

/// The name of a port's interface.
pub fn interface(port: u8) -> String {
    format!("p{port}")
}

/// The port of an interface.
pub fn port_of(interface: &str) -> Option<u8> {
    let number = interface.strip_prefix('p')?;
    let port: u8 = number.parse().ok()?;
    (port < 64 && self::interface(port) == interface).then_some(port)
}

fn prefix_of(wiring: &FabricWiring, own: SwitchId, destination: Destination) -> (Ipv6Addr, u8, u32) {
    let (group, place, metric) = match destination {
        Destination::Place(place) => (wiring.group_of(own), Some(place), METRIC),
        Destination::Group(group) => (group, None, METRIC),
        Destination::Switch(switch) => (wiring.group_of(switch), Some(wiring.place_in_group(switch)), METRIC_OF_SWITCH),
    };
    let (address, bits) = prefix(group, place);
    (address, bits, metric)
}

/// A line for `ip -6 -batch` that installs an entry, or removes it.
pub fn line(wiring: &FabricWiring, own: SwitchId, destination: Destination, ports: Option<u64>) -> String {
    let (address, bits, metric) = prefix_of(wiring, own, destination);
    let route = format!("{address}/{bits} metric {metric} proto {OF_MANAGER}");
    match ports {
        None => format!("route del {route}\n"),
        // There is no path: the sender gets an error.
        Some(0) => format!("route replace unreachable {route}\n"),
        Some(mask) => {
            let mut text = format!("route replace {route}");
            for port in (0..64).filter(|port| mask >> port & 1 == 1) {
                let _ = write!(text, " nexthop via {OTHER_END} dev {}", interface(port));
            }
            text.push('\n');
            text
        }
    }
}

/// A route as `ip -j` prints it.
#[derive(Debug, Deserialize)]
struct Printed {
    r#type: Option<String>,
    dst: String,
    dev: Option<String>,
    metric: Option<u32>,
    #[serde(default)]
    nexthops: Vec<Hop>,
}

#[derive(Debug, Deserialize)]
struct Hop {
    dev: String,
}

/// The entries in a listing of routes. Routes that are no entries of the manager are skipped, so
/// that they show as a difference.
///
/// # Errors
/// When the text is not a listing.
pub fn read(wiring: &FabricWiring, own: SwitchId, listing: &str) -> Result<ForwardingTable, ControlError> {
    let failed =
        |error: serde_json::Error| ControlError::Failed(format!("the output of ip is not a list of routes: {error}"));
    let listing = if listing.trim().is_empty() { "[]" } else { listing };
    let routes: Vec<Printed> = serde_json::from_str(listing).map_err(failed)?;
    let mut table = ForwardingTable::default();
    for route in &routes {
        let Some((address, bits)) = route.dst.split_once('/') else { continue };
        let (Ok(address), Ok(bits)) = (address.parse::<Ipv6Addr>(), bits.parse::<u8>()) else { continue };
        let [a, b, c, group, place, ..] = address.segments();
        let group = GroupId(u32::from(group));
        if [a, b, c] != PREFIX || group.index() >= wiring.group_count() {
            continue;
        }
        let switches = wiring.switches_of(group);
        let destination = match (bits, route.metric) {
            (64, Some(METRIC)) => Destination::Group(group),
            (80, Some(METRIC)) if group == wiring.group_of(own) => Destination::Place(u32::from(place)),
            (80, Some(METRIC_OF_SWITCH)) if u32::from(place) < switches.end - switches.start => {
                Destination::Switch(SwitchId(switches.start + u32::from(place)))
            }
            _ => continue,
        };
        let devices = route.dev.iter().chain(route.nexthops.iter().map(|hop| &hop.dev));
        let mask = match route.r#type.as_deref() {
            Some("unreachable") => 0,
            _ => devices.filter_map(|device| port_of(device)).fold(0, |mask, port| mask | 1 << port),
        };
        table.set(destination, Some(mask));
    }
    Ok(table)
}

#[cfg(test)]
mod tests {
    use philae_topology::{SystemDescription, Topology};
    use philae_units::PortId;

    use super::*;

    fn wiring() -> FabricWiring {
        let system = SystemDescription::load("malbec").expect("a built-in system");
        FabricWiring::of(&Topology::build(&system).expect("it is consistent")).expect("it has a wiring")
    }

    #[test]
    fn ports_have_interfaces_and_only_those() {
        for port in 0..64 {
            assert_eq!(port_of(&interface(port)), Some(port));
        }
        for other in ["p64", "p07", "eth0", "p", "p-1", "lo", "p1x"] {
            assert_eq!(port_of(other), None, "{other}");
        }
    }

    #[test]
    fn every_port_has_an_address_of_its_own_within_its_switch_and_group() {
        let wiring = wiring();
        let port = wiring.port(SwitchId(10), PortId(3));
        assert_eq!(address_of(&wiring, port).to_string(), "fd50:4849:4c41:1:2::4");
        assert_eq!(own_address(&wiring, SwitchId(10)).to_string(), "fd50:4849:4c41:1:2::ffff");
    }

    #[test]
    fn what_is_put_in_force_is_read_back_as_it_was() {
        let wiring = wiring();
        let own = SwitchId(1);
        let entries = [
            (Destination::Place(5), 1 << 40 | 1 << 7),
            (Destination::Group(GroupId(3)), 1 << 63),
            (Destination::Switch(SwitchId(5)), 1),
            (Destination::Switch(SwitchId(20)), 0),
        ];
        let mut wanted = ForwardingTable::default();
        let mut listing = Vec::new();
        for (destination, mask) in entries {
            wanted.set(destination, Some(mask));
            listing.push(as_ip_prints(&line(&wiring, own, destination, Some(mask))));
        }
        listing.push("{\"dst\":\"fe80::/64\",\"dev\":\"p1\",\"metric\":256}".to_owned());
        let found = read(&wiring, own, &format!("[{}]", listing.join(","))).expect("a listing");
        assert_eq!(found, wanted);
        assert_eq!(read(&wiring, own, "").expect("nothing is a listing too"), ForwardingTable::default());
        assert!(read(&wiring, own, "Error").is_err());
    }

    /// The listing of `ip -j` after a line of a batch.
    fn as_ip_prints(line: &str) -> String {
        let words: Vec<&str> = line.split_whitespace().collect();
        let after = |word: &str| words[words.iter().position(|found| *found == word).expect("it is there") + 1];
        let devices: Vec<&str> = words.windows(2).filter(|pair| pair[0] == "dev").map(|pair| pair[1]).collect();
        let kind = if words.contains(&"unreachable") { "unreachable" } else { "unicast" };
        let target = words.iter().find(|word| word.contains('/')).expect("a prefix");
        let hops: Vec<String> = devices.iter().map(|device| format!("{{\"dev\":\"{device}\"}}")).collect();
        let metric = after("metric");
        match hops.as_slice() {
            [_] => format!("{{\"dst\":\"{target}\",\"dev\":\"{}\",\"metric\":{metric}}}", devices[0]),
            _ => format!(
                "{{\"type\":\"{kind}\",\"dst\":\"{target}\",\"metric\":{metric},\"nexthops\":[{}]}}",
                hops.join(",")
            ),
        }
    }

    #[test]
    fn an_entry_is_taken_away_by_name() {
        let text = line(&wiring(), SwitchId(1), Destination::Group(GroupId(2)), None);
        assert_eq!(text, "route del fd50:4849:4c41:2::/64 metric 1024 proto 171\n");
    }
}
