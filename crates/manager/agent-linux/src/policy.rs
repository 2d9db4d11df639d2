//! The sections other than the routes in Linux: access lists and traffic classes become nftables'
//! rules, shares of classes become HTB's classes. Settings that Linux cannot apply to a routed port
//! are refused with the reason.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::net::IpAddr;

use philae_agent::items::Item;
use philae_agent::{ConfigSection, ControlError};
use philae_wire::MacAddress;

use super::plan::interface;

/// The rate that shares refer to, Mbit/s: that of a port of 200 Gb/s.
///
/// Source: ours: the rate of a port of the hardware; HTB needs one, and interfaces in software have
/// none. Status: assumed.
const RATE_MBIT: u64 = 200_000;

/// A rule of an access list.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Rule {
    priority: u16,
    matches: String,
    verdict: &'static str,
}

/// A traffic class.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Class {
    dscps: Vec<u8>,
    assured_percent: u32,
    ceiling_percent: u32,
    priority: u8,
}

/// A switch's settings other than its routes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Policy {
    /// Ports that are switched off, as a mask.
    pub off: u64,
    /// Whether the switch is disabled as a whole.
    pub is_disabled: bool,
    /// Whether it sends no LLDP.
    pub is_mute: bool,
    /// Largest packet by port, bytes.
    pub mtu_bytes: BTreeMap<u8, u16>,
    /// Access lists by port.
    lists: BTreeMap<u8, Vec<String>>,
    rules: BTreeMap<String, Vec<Rule>>,
    classes: Vec<Class>,
}

fn refused(text: impl Into<String>) -> ControlError {
    ControlError::Refused(text.into())
}

impl Policy {
    /// A copy with one section replaced.
    ///
    /// # Errors
    /// When Linux cannot apply a setting.
    pub fn with(&self, section: ConfigSection, items: &[(u64, Item)]) -> Result<Self, ControlError> {
        let mut policy = self.clone();
        match section {
            ConfigSection::Routes => return Err(refused("routes are not a section of items")),
            ConfigSection::Ports => policy.ports(items)?,
            ConfigSection::Qos => policy.classes = classes(items)?,
            ConfigSection::Acls => policy.rules = rules(items)?,
            ConfigSection::Vlans => {
                let carried =
                    items.iter().find(|(_, item)| matches!(item, Item::Vlan(vlan) if !vlan.vxlans.is_empty()));
                if let Some((vlan, _)) = carried {
                    return Err(refused(format!("VLAN {vlan} is to be carried by a VXLAN: routed ports have none")));
                }
            }
            ConfigSection::Vnis => {
                if let Some((port, _)) = items.first() {
                    return Err(refused(format!("port {port} is to be limited to VNIs: IPv6 packets have none")));
                }
            }
            ConfigSection::Lags => {
                if let Some((port, _)) = items.first() {
                    return Err(refused(format!("port {port} is to be in a LAG: ports are routed one by one here")));
                }
            }
            ConfigSection::Multicast => {
                if let Some((tree, _)) = items.first() {
                    return Err(refused(format!("tree {tree}: this switch keeps no multicast trees")));
                }
            }
            ConfigSection::Switch => {
                for (_, item) in items {
                    let Item::Switch(item) = item else { continue };
                    policy.is_disabled = !item.enabled;
                    policy.is_mute = !item.lldp;
                }
            }
        }
        Ok(policy)
    }

    fn ports(&mut self, items: &[(u64, Item)]) -> Result<(), ControlError> {
        (self.off, self.mtu_bytes, self.lists) = (0, BTreeMap::new(), BTreeMap::new());
        for (number, item) in items {
            let (Ok(port), Item::Port(item)) = (u8::try_from(*number), item) else { continue };
            if item.loopback != "none" {
                return Err(refused(format!("port {port} is to loop back ({}): interfaces do not", item.loopback)));
            }
            if let Some(mac) = &item.mac {
                return Err(refused(format!("port {port} is to have the address {mac}: all ports share one here")));
            }
            if !item.allowed_vlans.is_empty() || item.native_vlan != 1 {
                return Err(refused(format!("port {port} is to be limited to VLANs: routed ports have none")));
            }
            self.off |= u64::from(item.state == "offline") << port;
            self.mtu_bytes.insert(port, item.mtu_bytes);
            if !item.acls.is_empty() {
                self.lists.insert(port, item.acls.clone());
            }
        }
        Ok(())
    }

    /// Whether a port should be on.
    pub const fn is_on(&self, port: u8) -> bool {
        !self.is_disabled && self.off >> port & 1 == 0
    }

    /// The input for `nft -f`, which replaces the whole table atomically.
    pub fn rules(&self) -> String {
        let mut text = String::from("table inet philae\ndelete table inet philae\ntable inet philae {\n");
        text.push_str(" chain classify {\n  type filter hook postrouting priority 0\n");
        for (number, class) in self.classes.iter().enumerate() {
            if !class.dscps.is_empty() {
                let dscps: Vec<String> = class.dscps.iter().map(ToString::to_string).collect();
                let _ = writeln!(text, "  ip6 dscp {{ {} }} meta priority set 1:{:x}", dscps.join(", "), number + 1);
            }
        }
        text.push_str(" }\n chain arrive {\n  type filter hook prerouting priority 0\n");
        for (port, lists) in &self.lists {
            let rules = lists.iter().filter_map(|list| self.rules.get(list)).flatten();
            for Rule { matches, verdict, .. } in rules {
                let _ = writeln!(text, "  iifname \"{}\" {matches}{verdict}", interface(*port));
            }
        }
        text.push_str(" }\n}\n");
        text
    }

    /// Lines for `tc -batch` that give each class its share of a port.
    pub fn shares(&self, port: u8) -> String {
        let device = interface(port);
        if self.classes.is_empty() {
            return String::new();
        }
        // Packets without a class use the last one, which is for the rest. An HTB qdisc cannot
        // replace another one, and an interface that had another name may still have one. So a
        // pfifo replaces it first.
        let mut text = format!(
            "qdisc replace dev {device} root handle 2: pfifo\nqdisc replace dev {device} root handle 1: htb default {:x} r2q \
             10000\n",
            self.classes.len()
        );
        for (number, class) in self.classes.iter().enumerate() {
            // HTB counts priorities from 0, the highest, and accepts no rate of 0.
            let rate = (RATE_MBIT * u64::from(class.assured_percent) / 100).max(1);
            let ceiling = (RATE_MBIT * u64::from(class.ceiling_percent) / 100).max(rate);
            let _ = writeln!(
                text,
                "class replace dev {device} parent 1: classid 1:{:x} htb rate {rate}mbit ceil {ceiling}mbit prio {}",
                number + 1,
                7 - class.priority.min(7)
            );
        }
        text
    }

    /// Whether the shares of classes differ from another policy's.
    pub fn has_other_shares(&self, other: &Self) -> bool {
        self.classes != other.classes
    }
}

fn classes(items: &[(u64, Item)]) -> Result<Vec<Class>, ControlError> {
    let mut classes = Vec::new();
    for (_, item) in items {
        let Item::QosClass(item) = item else { continue };
        let mut dscps = item.request_dscps.clone();
        dscps.extend(&item.response_dscps);
        dscps.sort_unstable();
        dscps.dedup();
        if let Some(dscp) = dscps.iter().find(|dscp| **dscp > 63) {
            return Err(refused(format!("class {}: DSCP {dscp}; 0 to 63 would work", item.name)));
        }
        classes.push(Class {
            dscps,
            assured_percent: item.assured_percent,
            ceiling_percent: item.ceiling_percent.unwrap_or(100),
            priority: item.priority,
        });
    }
    Ok(classes)
}

/// A network in nftables' notation, with its family.
fn network(text: &str) -> Option<(&'static str, String)> {
    let (address, bits) = match text.split_once('/') {
        Some((address, bits)) => (address, Some(bits.parse::<u8>().ok()?)),
        None => (text, None),
    };
    let (family, address, most) = match address.parse::<IpAddr>().ok()? {
        IpAddr::V4(address) => ("ip", address.to_string(), 32),
        IpAddr::V6(address) => ("ip6", address.to_string(), 128),
    };
    let bits = bits.unwrap_or(most);
    (bits <= most).then(|| (family, format!("{address}/{bits}")))
}

fn rules(items: &[(u64, Item)]) -> Result<BTreeMap<String, Vec<Rule>>, ControlError> {
    let mut lists: BTreeMap<String, Vec<Rule>> = BTreeMap::new();
    for (_, item) in items {
        let Item::Acl(item) = item else { continue };
        let wanted = &item.r#match;
        let cannot = |what: &str| refused(format!("access list {}: {what} does not exist on a routed port", item.acl));
        if wanted.vlan.is_some() {
            return Err(cannot("a VLAN"));
        }
        if wanted.vni.is_some() {
            return Err(cannot("a VNI"));
        }
        let mut matches = String::new();
        let mut add = |text: String| {
            matches.push_str(&text);
            matches.push(' ');
        };
        // The text becomes part of a program, so only valid addresses may get in.
        let network =
            |text: &str| network(text).ok_or_else(|| refused(format!("access list {}: network {text}", item.acl)));
        let mac = |text: &str| {
            text.parse::<MacAddress>().map_err(|_| refused(format!("access list {}: MAC address {text}", item.acl)))
        };
        wanted.ether_type.iter().for_each(|kind| add(format!("meta protocol {kind:#06x}")));
        for (text, side) in [(&wanted.source_mac, "saddr"), (&wanted.destination_mac, "daddr")] {
            if let Some(text) = text {
                add(format!("ether {side} {}", mac(text)?));
            }
        }
        for (text, side) in [(&wanted.source_network, "saddr"), (&wanted.destination_network, "daddr")] {
            if let Some(text) = text {
                let (family, network) = network(text)?;
                add(format!("{family} {side} {network}"));
            }
        }
        wanted.protocol.iter().for_each(|protocol| add(format!("meta l4proto {protocol}")));
        wanted.destination_ports.iter().for_each(|[first, last]| add(format!("th dport {first}-{last}")));
        let verdict = match item.action.as_str() {
            "permit" => "counter accept",
            "deny" => "counter drop",
            _ => "counter",
        };
        lists.entry(item.acl.clone()).or_default().push(Rule { priority: item.priority, matches, verdict });
    }
    // The highest priority comes first.
    lists.values_mut().for_each(|rules| rules.sort_by_key(|rule| std::cmp::Reverse(rule.priority)));
    Ok(lists)
}

#[cfg(test)]
mod tests {
    use philae_agent::items;
    use serde_json::json;

    use super::*;

    fn item(section: ConfigSection, key: u64, value: &serde_json::Value) -> (u64, Item) {
        (key, items::read(section, key, value.to_string().as_bytes()).expect("an item"))
    }

    fn port(key: u64, state: &str, acls: &[&str], native_vlan: u16) -> (u64, Item) {
        let value = json!({
            "speed": "BS_200G", "autoneg": true, "state": state, "loopback": "none", "precode": "auto",
            "flowControlRx": true, "flowControlTx": true, "mac": null, "allowedVlans": [], "nativeVlan": native_vlan,
            "untaggedAllowed": true, "mtuBytes": 9216, "fec": "auto", "linkRetry": true, "degradedLanesMax": 0, "acls": acls,
        });
        item(ConfigSection::Ports, key, &value)
    }

    fn acl(key: u64, action: &str, wanted: &serde_json::Value) -> (u64, Item) {
        item(
            ConfigSection::Acls,
            key,
            &json!({"acl": "web", "priority": key & 0xffff, "match": wanted, "action": action}),
        )
    }

    #[test]
    fn an_access_list_becomes_rules_of_its_ports_the_highest_first() {
        let lists = [
            acl(1 << 16 | 10, "deny", &json!({})),
            acl(
                1 << 16 | 20,
                "permit",
                &json!({"protocol": 6, "destinationPorts": [80, 81], "sourceNetwork": "fd50::/16"}),
            ),
        ];
        let policy = Policy::default().with(ConfigSection::Acls, &lists).expect("it can");
        assert!(!policy.rules().contains("p3"), "no port has it yet: {}", policy.rules());
        let policy = policy.with(ConfigSection::Ports, &[port(3, "online", &["web"], 1)]).expect("it can");
        let text = policy.rules();
        let permit = text.find("iifname \"p3\" ip6 saddr fd50::/16 meta l4proto 6 th dport 80-81 counter accept");
        let deny = text.find("iifname \"p3\" counter drop");
        assert!(permit.is_some() && permit < deny, "{text}");
    }

    #[test]
    fn classes_become_marks_and_shares() {
        let class = |name: &str, dscp: u8, assured: u32, priority: u8| {
            json!({"name": name, "requestPcp": null, "responsePcp": null, "requestDscps": [dscp], "responseDscps": [dscp + 1],
                "assuredPercent": assured, "guaranteedPercent": 0, "ceilingPercent": null, "priority": priority,
                "routingBiasPercent": null})
        };
        let profile = json!({"profile": "two", "hash": "0", "classes": 2});
        let items = [
            item(ConfigSection::Qos, 0, &profile),
            item(ConfigSection::Qos, 1, &class("low-latency", 10, 30, 7)),
            item(ConfigSection::Qos, 2, &class("best-effort", 0, 70, 0)),
        ];
        let policy = Policy::default().with(ConfigSection::Qos, &items).expect("it can");
        assert!(policy.rules().contains("ip6 dscp { 10, 11 } meta priority set 1:1"), "{}", policy.rules());
        let shares = policy.shares(4);
        assert!(shares.contains("\nqdisc replace dev p4 root handle 1: htb default 2"), "{shares}");
        assert!(shares.contains("classid 1:1 htb rate 60000mbit ceil 200000mbit prio 0"), "{shares}");
        assert!(policy.has_other_shares(&Policy::default()));
    }

    #[test]
    fn what_linux_cannot_do_is_refused_with_the_reason() {
        let refusals = [
            Policy::default().with(ConfigSection::Ports, &[port(1, "online", &[], 7)]),
            Policy::default().with(ConfigSection::Acls, &[acl(5, "deny", &json!({"vni": 9}))]),
            Policy::default().with(ConfigSection::Acls, &[acl(5, "deny", &json!({"sourceNetwork": "::/0\n drop"}))]),
            Policy::default().with(ConfigSection::Vnis, &[item(ConfigSection::Vnis, 2, &json!({"ranges": [[1, 9]]}))]),
        ];
        for refusal in refusals {
            assert!(matches!(refusal, Err(ControlError::Refused(_))), "{refusal:?}");
        }
    }

    #[test]
    fn ports_are_off_by_themselves_or_with_the_switch() {
        let ports = [port(1, "offline", &[], 1), port(2, "online", &[], 1)];
        let policy = Policy::default().with(ConfigSection::Ports, &ports).expect("it can");
        assert_eq!((policy.is_on(1), policy.is_on(2), policy.is_on(9)), (false, true, true));
        let switch = json!({"firmware": null, "telemetryPeriodSeconds": 60, "lldp": true, "managementVlan": 1,
            "enabled": false, "nonminimalBiasPercent": null});
        let policy = policy.with(ConfigSection::Switch, &[item(ConfigSection::Switch, 0, &switch)]).expect("it can");
        assert!(!policy.is_on(2));
    }
}
