//! The items of each section, as an agent reads them.
//!
//! An item's value is a JSON object. An agent ignores unknown keys, so that the next version of the
//! manager may send more. It refuses an item if a required key is missing, or if the content
//! contradicts the item's number. The manager writes items with its own types; tests check that
//! both agree.

use serde::Deserialize;
use serde::de::DeserializeOwned;

use crate::section::{ConfigSection, SectionItems};

macro_rules! items {
    ($($(#[$meta:meta])* $name:ident { $($(#[$doc:meta])* $field:ident: $type:ty,)* })*) => {$(
        $(#[$meta])*
        #[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
        #[serde(rename_all = "camelCase")]
        pub struct $name { $($(#[$doc])* pub $field: $type,)* }
    )*};
}

items! {
    /// The settings of a port. The item's number is the port's.
    PortItem {
        /// Mode of the link, such as "BS_200G".
        speed: String,
        /// Whether it negotiates.
        autoneg: bool,
        /// "online" or "offline".
        state: String,
        /// "none", "local" or "remote".
        loopback: String,
        /// "on", "off" or "auto".
        precode: String,
        /// Obeys pauses.
        flow_control_rx: bool,
        /// Sends pauses.
        flow_control_tx: bool,
        /// Its MAC address; none: the algorithmic one.
        mac: Option<String>,
        /// VLANs that may pass; an empty list means all.
        allowed_vlans: Vec<u16>,
        /// VLAN of untagged frames.
        native_vlan: u16,
        /// Whether untagged frames may pass.
        untagged_allowed: bool,
        /// Largest frame, bytes.
        mtu_bytes: u16,
        /// Forward error correction.
        fec: String,
        /// Whether the link repeats damaged frames.
        link_retry: bool,
        /// Lanes that may fail.
        degraded_lanes_max: u8,
        /// Access lists for incoming frames, by name: the first match decides.
        acls: Vec<String>,
    }
    /// The profile of the classes. Item 0 of its section.
    QosProfileItem {
        /// Its name.
        profile: String,
        /// Its hash, by which hosts identify their profile.
        hash: String,
        /// The number of classes that follow, as items from 1.
        classes: u16,
    }
    /// One traffic class.
    QosClassItem {
        /// Its name.
        name: String,
        /// Priority code point of requests.
        request_pcp: Option<u8>,
        /// Priority code point of responses.
        response_pcp: Option<u8>,
        /// DSCPs of requests.
        request_dscps: Vec<u8>,
        /// DSCPs of responses.
        response_dscps: Vec<u8>,
        /// Least bandwidth while it has traffic, in per cent.
        assured_percent: u32,
        /// The part of it that no other class uses, in per cent.
        guaranteed_percent: u32,
        /// Most bandwidth, in per cent; none: no limit.
        ceiling_percent: Option<u32>,
        /// Among classes below their assured share, the highest value goes first.
        priority: u8,
        /// How much more a nonminimal path counts, in per cent.
        routing_bias_percent: Option<u32>,
    }
    /// A VLAN. The item's number is the VLAN's.
    VlanItem {
        /// Its name.
        name: String,
        /// VXLANs that carry it and end at this switch.
        vxlans: Vec<VxlanItem>,
    }
    /// A VLAN over the fabric.
    VxlanItem {
        /// Its network.
        vni: u32,
        /// The other ends, by name of the switch.
        remote: Vec<String>,
    }
    /// VNIs that an edge port may use. The item's number is the port's.
    VniItem {
        /// First and last VNI of each range.
        ranges: Vec<[u16; 2]>,
    }
    /// A rule of an access list. The item's number is the list's number times 65,536, plus the
    /// rule's priority.
    AclItem {
        /// Name of the list.
        acl: String,
        /// Higher values come first.
        priority: u16,
        /// The frames that it matches.
        r#match: AclMatch,
        /// "permit", "deny" or "count".
        action: String,
    }
    /// The fields that a frame must match. Absent fields match anything.
    AclMatch {
        /// Ethertype.
        ether_type: Option<u16>,
        /// Source MAC address.
        source_mac: Option<String>,
        /// Destination MAC address.
        destination_mac: Option<String>,
        /// VLAN.
        vlan: Option<u16>,
        /// Source network.
        source_network: Option<String>,
        /// Destination network.
        destination_network: Option<String>,
        /// IP protocol.
        protocol: Option<u8>,
        /// First and last destination port.
        destination_ports: Option<[u16; 2]>,
        /// VNI.
        vni: Option<u16>,
    }
    /// Ports that act as one. The item's number is that of their lowest port.
    LagItem {
        /// Its name.
        name: String,
        /// Its ports, lowest first.
        ports: Vec<u8>,
        /// "lacp-active", "lacp-passive" or "static".
        mode: String,
        /// "long" or "short".
        lacp_timeout: String,
    }
    /// This switch's part of a multicast tree. The item's number is the tree's address.
    MulticastItem {
        /// The session that it belongs to.
        session: String,
        /// Port towards the root; at the root's switch, the root's own port.
        up: u8,
        /// Ports towards the other members, lowest first.
        down: Vec<u8>,
    }
    /// The settings of the switch itself. Item 0 of its section.
    SwitchItem {
        /// The desired firmware; none: the present one.
        firmware: Option<String>,
        /// Seconds between reports of telemetry.
        telemetry_period_seconds: u16,
        /// Whether it sends and reads LLDP.
        lldp: bool,
        /// Management VLAN.
        management_vlan: u16,
        /// Whether it takes part in the fabric.
        enabled: bool,
        /// Bias of nonminimal paths, in per cent; none: the built-in one.
        nonminimal_bias_percent: Option<u16>,
    }
}

/// An item of any section except the routes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Item {
    Port(PortItem),
    QosProfile(QosProfileItem),
    QosClass(QosClassItem),
    Vlan(VlanItem),
    Vni(VniItem),
    Acl(AclItem),
    Lag(LagItem),
    Multicast(MulticastItem),
    Switch(SwitchItem),
}

/// An invalid item.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("item {key} of the {section}: {problem}", section = .section.name())]
pub struct ItemError {
    pub section: ConfigSection,
    /// The item's number.
    pub key: u64,
    pub problem: String,
}

/// Number of multicast tree addresses.
///
/// Source: 13 bits in the multicast form of a fabric address. Status: published.
const MULTICAST_ADDRESSES: u64 = 1 << 13;

/// Reads one item.
///
/// # Errors
/// If it is not JSON, lacks a key, or contradicts its number.
pub fn read(section: ConfigSection, key: u64, value: &[u8]) -> Result<Item, ItemError> {
    let error = |problem: String| ItemError { section, key, problem };
    let at = |fits: bool, problem: &str| if fits { Ok(()) } else { Err(error(problem.to_owned())) };
    match section {
        ConfigSection::Routes => Err(error("routes have no items".to_owned())),
        ConfigSection::Ports => {
            at(key < 64, "a switch has 64 ports at most")?;
            let item: PortItem = parse(value).map_err(error)?;
            at(["online", "offline"].contains(&item.state.as_str()), "its state is neither online nor offline")?;
            Ok(Item::Port(item))
        }
        ConfigSection::Qos if key == 0 => Ok(Item::QosProfile(parse(value).map_err(error)?)),
        ConfigSection::Qos => Ok(Item::QosClass(parse(value).map_err(error)?)),
        ConfigSection::Vlans => {
            at((1..=4_094).contains(&key), "VLANs go from 1 to 4094")?;
            Ok(Item::Vlan(parse(value).map_err(error)?))
        }
        ConfigSection::Vnis => {
            at(key < 64, "a switch has 64 ports at most")?;
            let item: VniItem = parse(value).map_err(error)?;
            at(item.ranges.iter().all(|[first, last]| *first >= 1 && first <= last), "a range ends before it begins")?;
            Ok(Item::Vni(item))
        }
        ConfigSection::Acls => {
            let item: AclItem = parse(value).map_err(error)?;
            at(key & 0xffff == u64::from(item.priority), "its number does not end in its priority")?;
            at(["permit", "deny", "count"].contains(&item.action.as_str()), "an unknown action")?;
            Ok(Item::Acl(item))
        }
        ConfigSection::Lags => {
            let item: LagItem = parse(value).map_err(error)?;
            at(item.ports.first().is_some_and(|port| u64::from(*port) == key), "its number is not its lowest port")?;
            at(item.ports.windows(2).all(|pair| pair[0] < pair[1]), "its ports are not in order")?;
            Ok(Item::Lag(item))
        }
        ConfigSection::Multicast => {
            at(key < MULTICAST_ADDRESSES, "addresses of trees go from 0 to 8191")?;
            let item: MulticastItem = parse(value).map_err(error)?;
            at(!item.down.contains(&item.up), "a port is both towards the root and away from it")?;
            Ok(Item::Multicast(item))
        }
        ConfigSection::Switch => {
            at(key == 0, "it has one item, 0")?;
            Ok(Item::Switch(parse(value).map_err(error)?))
        }
    }
}

/// Reads all items of a section, in order of their numbers. Also checks them together: the number
/// of classes must be the one in their profile.
///
/// # Errors
/// As [`read`].
pub fn read_all(section: ConfigSection, items: &SectionItems) -> Result<Vec<(u64, Item)>, ItemError> {
    let all = items.iter().map(|(key, value)| read(section, key, value).map(|item| (key, item)));
    let all: Vec<(u64, Item)> = all.collect::<Result<_, _>>()?;
    if let Some((0, Item::QosProfile(profile))) = all.first()
        && (all.len() != usize::from(profile.classes) + 1
            || all.last().is_some_and(|last| last.0 != u64::from(profile.classes)))
    {
        let problem = format!("it announces {} classes, but {} follow", profile.classes, all.len() - 1);
        return Err(ItemError { section, key: 0, problem });
    }
    Ok(all)
}

fn parse<T: DeserializeOwned>(value: &[u8]) -> Result<T, String> {
    serde_json::from_slice(value).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(section: ConfigSection, key: u64, value: &str) -> String {
        read(section, key, value.as_bytes()).expect_err(value).to_string()
    }

    #[test]
    fn an_item_of_each_section_is_read() {
        let port = r#"{"speed":"BS_200G","autoneg":true,"state":"offline","loopback":"none","precode":"auto","flowControlRx":true,
            "flowControlTx":false,"mac":null,"allowedVlans":[1,7],"nativeVlan":7,"untaggedAllowed":true,"mtuBytes":9216,
            "fec":"auto","linkRetry":true,"degradedLanesMax":0,"acls":["guests"],"ofTheNextVersion":1}"#;
        let Ok(Item::Port(port)) = read(ConfigSection::Ports, 3, port.as_bytes()) else { panic!("a port") };
        assert_eq!(
            (port.state.as_str(), port.allowed_vlans, port.acls),
            ("offline", vec![1, 7], vec!["guests".to_owned()])
        );
        for (section, key, value) in [
            (ConfigSection::Qos, 0, r#"{"profile":"HPC","hash":"00","classes":4}"#),
            (
                ConfigSection::Qos,
                1,
                r#"{"name":"LOW_LATENCY","requestPcp":1,"responsePcp":2,"requestDscps":[1],"responseDscps":[],
                    "assuredPercent":30,"guaranteedPercent":0,"priority":1}"#,
            ),
            (ConfigSection::Vlans, 7, r#"{"name":"storage","vxlans":[{"vni":70,"remote":["x1000c0r0b0"]}]}"#),
            (ConfigSection::Vnis, 63, r#"{"ranges":[[1,1],[10,20]]}"#),
            (ConfigSection::Acls, 5 << 16 | 9, r#"{"acl":"guests","priority":9,"match":{"vlan":7},"action":"deny"}"#),
            (ConfigSection::Lags, 2, r#"{"name":"pair","ports":[2,5],"mode":"static","lacpTimeout":"long"}"#),
            (ConfigSection::Multicast, 8_191, r#"{"session":"job","up":3,"down":[4]}"#),
            (
                ConfigSection::Switch,
                0,
                r#"{"telemetryPeriodSeconds":10,"lldp":true,"managementVlan":1,"enabled":true,"firmware":"2.1"}"#,
            ),
        ] {
            let item = read(section, key, value.as_bytes());
            assert!(item.is_ok(), "{value}: {item:?}");
        }
    }

    #[test]
    fn what_contradicts_itself_is_refused_with_its_number() {
        assert_eq!(refused(ConfigSection::Routes, 0, "{}"), "item 0 of the routes: routes have no items");
        assert!(refused(ConfigSection::Vlans, 4_095, r#"{"name":"x","vxlans":[]}"#).contains("1 to 4094"));
        assert!(refused(ConfigSection::Vnis, 1, r#"{"ranges":[[20,10]]}"#).contains("ends before it begins"));
        assert!(
            refused(ConfigSection::Acls, 8, r#"{"acl":"a","priority":9,"match":{},"action":"deny"}"#)
                .contains("priority")
        );
        assert!(
            refused(ConfigSection::Lags, 3, r#"{"name":"p","ports":[2,5],"mode":"static","lacpTimeout":"long"}"#)
                .contains("lowest")
        );
        assert!(
            refused(ConfigSection::Multicast, 3, r#"{"session":"job","up":3,"down":[3]}"#).contains("towards the root")
        );
        assert!(refused(ConfigSection::Switch, 0, "{}").contains("telemetryPeriodSeconds"));
        assert!(refused(ConfigSection::Ports, 0, "no JSON").starts_with("item 0 of the ports"));
    }

    #[test]
    fn a_profile_that_lacks_a_class_is_refused() {
        let class: std::sync::Arc<[u8]> = br#"{"name":"A","requestDscps":[],"responseDscps":[],"assuredPercent":1,
            "guaranteedPercent":0,"priority":0}"#
            .as_slice()
            .into();
        let profile = |classes| format!(r#"{{"profile":"P","hash":"0","classes":{classes}}}"#).into_bytes().into();
        let section = |classes| SectionItems::from_iter([(0, profile(classes)), (1, class.clone())]);
        assert!(read_all(ConfigSection::Qos, &section(1)).is_ok());
        assert!(read_all(ConfigSection::Qos, &section(2)).is_err());
    }
}
