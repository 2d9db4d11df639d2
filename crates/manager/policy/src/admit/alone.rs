//! Checks of a single document, beyond its schema.

use crate::problem::{PolicyCode, PolicyProblem};
use crate::settings::{PortSettings, SwitchSettings, is_station_mac};
use crate::spec::{AclRule, Spec, VniPartitionSpec};
use crate::{Document, stock};
use philae_traffic_class::ClassSet;
use philae_units::is_version;
use std::collections::BTreeSet;
use std::net::IpAddr;

/// The largest VNI. VNIs have 16 bits.
///
/// Source: the vendor's public host software documents. Status: published.
pub const VNI_MAX: u32 = 65_535;
/// The most network classes in a profile's document: those of the second generation.
///
/// Source: SS400. Status: published.
const NETWORK_CLASSES_MAX: usize = 12;
/// The most rules of an ACL.
///
/// Source: none. Status: assumed (a table of the packet engine; affects only what is refused here).
const ACL_RULES_MAX: usize = 256;
/// The most ports of a LAG.
///
/// Source: none. Status: assumed (the usual limit of LACP; affects only what is refused here).
const LAG_PORTS_MAX: usize = 16;
/// Valid VLAN identifiers.
///
/// Source: IEEE 802.1Q: 0 and 4,095 are reserved. Status: published.
const VLANS: std::ops::RangeInclusive<u16> = 1..=4_094;

pub(super) fn check(document: &Document, problems: &mut Vec<PolicyProblem>) {
    let mut found = Vec::new();
    // Documents that code builds have not been checked against the schema.
    let written = crate::schema::problems(&crate::schema::of(document.kind), &document.to_value());
    found.extend(written);
    if !crate::is_name(&document.name) {
        found.push(
            PolicyProblem::new(PolicyCode::BadName, "/name", "this is not a valid name")
                .found(format!("'{}'", document.name)),
        );
    }
    check_spec(&document.spec, &mut found);
    problems.extend(found.into_iter().map(|problem| problem.of(&document.reference())));
}

fn range(pointer: &str, found: impl std::fmt::Display, works: &str) -> PolicyProblem {
    PolicyProblem::new(PolicyCode::OutOfRange, pointer, "this is out of range").found(found).works(works)
}

fn check_spec(spec: &Spec, found: &mut Vec<PolicyProblem>) {
    match spec {
        Spec::Port(spec) => check_port(&spec.settings, "/spec/settings", found),
        Spec::PortPolicy(spec) => check_port(&spec.settings, "/spec/settings", found),
        Spec::TopologyPolicy(spec) => {
            check_port(&spec.port_defaults, "/spec/portDefaults", found);
            check_switch(&spec.switch_defaults, "/spec/switchDefaults", found);
        }
        Spec::Switch(spec) => check_switch(&spec.settings, "/spec/settings", found),
        Spec::SwitchPolicy(spec) => check_switch(&spec.settings, "/spec/settings", found),
        Spec::QosProfile(spec) => {
            let too_much = spec.classes.iter().position(|class| class.guaranteed_percent > class.assured_percent);
            if let Some(at) = too_much {
                let works = format!("0 to the assured share ({})", spec.classes[at].assured_percent);
                let place = format!("/spec/classes/{at}/guaranteedPercent");
                found.push(range(&place, spec.classes[at].guaranteed_percent, &works));
            } else if let Err(error) = ClassSet::new(stock::network_classes(spec), NETWORK_CLASSES_MAX) {
                found.push(PolicyProblem::new(PolicyCode::Conflict, "/spec/classes", error.to_string()));
            }
            let mut points = BTreeSet::new();
            let pcps = spec.classes.iter().flat_map(|class| [class.request_pcp, class.response_pcp]).flatten();
            for pcp in pcps.filter(|pcp| !points.insert(*pcp)) {
                let problem = PolicyProblem::new(
                    PolicyCode::Duplicate,
                    "/spec/classes",
                    "a priority code point selects two classes",
                );
                found.push(problem.found(pcp).works("one class for each of 0 to 7"));
            }
        }
        Spec::Vlan(spec) if !VLANS.contains(&spec.id) => found.push(range("/spec/id", spec.id, "1 to 4094")),
        Spec::VniPartition(spec) => check_partition(spec, found),
        Spec::VniBlock(spec) => {
            if spec.vni_ranges.is_empty() {
                found.push(PolicyProblem::new(
                    PolicyCode::MissingField,
                    "/spec/vniRanges",
                    "a block has one range or more",
                ));
            }
            check_ranges(&spec.vni_ranges, found);
        }
        Spec::Lag(spec) => {
            let ports: BTreeSet<&String> = spec.port_links.iter().collect();
            if ports.len() < spec.port_links.len() {
                let problem = PolicyProblem::new(PolicyCode::Duplicate, "/spec/portLinks", "a port is named twice");
                found.push(problem.works("each port once"));
            }
            if !(1..=LAG_PORTS_MAX).contains(&spec.port_links.len()) {
                let problem = PolicyProblem::new(PolicyCode::LimitExceeded, "/spec/portLinks", "a LAG has ports");
                found.push(problem.found(spec.port_links.len()).works(format!("1 to {LAG_PORTS_MAX}")));
            }
        }
        Spec::Acl(spec) => check_acl(&spec.rules, found),
        Spec::Vxlan(spec) if !(1..1 << 24).contains(&spec.vni) => {
            found.push(range("/spec/vni", spec.vni, "1 to 16777215"));
        }
        Spec::CollectiveSession(spec) => {
            if spec.mcast_limit == 0 {
                found.push(range("/spec/mcastLimit", 0, "1 to 65535"));
            }
            check_hash(&spec.token_hash, "/spec/tokenHash", found);
        }
        Spec::Token(spec) => check_hash(&spec.hash, "/spec/hash", found),
        Spec::MaintenanceWindow(spec) if spec.ends_at_seconds <= spec.starts_at_seconds => {
            let problem =
                PolicyProblem::new(PolicyCode::Conflict, "/spec/endsAtSeconds", "the window ends before it starts");
            found.push(problem.found(spec.ends_at_seconds).works(format!("more than {}", spec.starts_at_seconds)));
        }
        Spec::RoleBinding(spec) if spec.subjects.is_empty() => {
            found.push(PolicyProblem::new(
                PolicyCode::MissingField,
                "/spec/subjects",
                "a binding has one subject or more",
            ));
        }
        _ => {}
    }
}

/// Checks that a text is a hash, and not a token itself.
fn check_hash(text: &str, pointer: &str, found: &mut Vec<PolicyProblem>) {
    if text.len() != 64 || !text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f')) {
        // The error does not repeat the text, which may be a token.
        let problem = PolicyProblem::new(PolicyCode::OutOfRange, pointer, "this is not a hash");
        found.push(problem.found(format!("{} letters", text.chars().count())).works("64 hexadecimal digits"));
    }
}

fn check_port(settings: &PortSettings, at: &str, found: &mut Vec<PolicyProblem>) {
    if let Some(mac) = settings.mac.as_ref().filter(|mac| !is_station_mac(mac)) {
        let problem =
            PolicyProblem::new(PolicyCode::OutOfRange, format!("{at}/mac"), "this is not the address of one station");
        found.push(problem.found(format!("'{mac}'")).works("02:00:00:00:07:ea"));
    }
    for (index, vlan) in settings.allowed_vlans.iter().flatten().enumerate() {
        if !VLANS.contains(vlan) {
            found.push(range(&format!("{at}/allowedVlans/{index}"), vlan, "1 to 4094"));
        }
    }
}

fn check_switch(settings: &SwitchSettings, at: &str, found: &mut Vec<PolicyProblem>) {
    for (field, version) in [("firmware", &settings.firmware), ("agent", &settings.agent)] {
        if let Some(version) = version.as_ref().filter(|version| !is_version(version)) {
            let problem = PolicyProblem::new(PolicyCode::OutOfRange, format!("{at}/{field}"), "this is not a version");
            found.push(problem.found(format!("'{version}'")).works("2.2.0, or up to 64 letters, digits and .-_+~"));
        }
    }
}

fn check_partition(spec: &VniPartitionSpec, found: &mut Vec<PolicyProblem>) {
    match (spec.vni_count, spec.vni_ranges.is_empty()) {
        (Some(_), false) | (None, true) => {
            let problem = PolicyProblem::new(PolicyCode::Conflict, "/spec", "a partition has either a count or ranges");
            found.push(problem.works("`vniCount` or `vniRanges`"));
        }
        (Some(count), true) if !(1..=VNI_MAX).contains(&count) => {
            found.push(range("/spec/vniCount", count, "1 to 65535"));
        }
        _ => check_ranges(&spec.vni_ranges, found),
    }
}

/// First and last VNI of "10-20" or "10"; `None` for another form, or for VNIs that do not exist.
#[must_use]
pub fn vni_range(text: &str) -> Option<(u32, u32)> {
    let (first, last) = text.split_once('-').unwrap_or((text, text));
    let number =
        |text: &str| text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse::<u32>().ok()).flatten();
    let (first, last) = (number(first)?, number(last)?);
    (1 <= first && first <= last && last <= VNI_MAX).then_some((first, last))
}

fn check_ranges(ranges: &[String], found: &mut Vec<PolicyProblem>) {
    let mut seen: Vec<(u32, u32)> = Vec::new();
    for (index, text) in ranges.iter().enumerate() {
        let place = format!("/spec/vniRanges/{index}");
        match vni_range(text) {
            None => found.push(
                PolicyProblem::new(PolicyCode::OutOfRange, place, "this is not a range of VNIs")
                    .found(format!("'{text}'"))
                    .works("10-20, within 1-65535,"),
            ),
            Some(range) => {
                if seen.iter().any(|other| overlap(*other, range)) {
                    found.push(
                        PolicyProblem::new(PolicyCode::Duplicate, place, "this range overlaps another of the document")
                            .found(text),
                    );
                }
                seen.push(range);
            }
        }
    }
}

pub(super) const fn overlap(one: (u32, u32), other: (u32, u32)) -> bool {
    one.0 <= other.1 && other.0 <= one.1
}

fn check_acl(rules: &[AclRule], found: &mut Vec<PolicyProblem>) {
    if !(1..=ACL_RULES_MAX).contains(&rules.len()) {
        let problem = PolicyProblem::new(PolicyCode::LimitExceeded, "/spec/rules", "an ACL has rules");
        found.push(problem.found(rules.len()).works(format!("1 to {ACL_RULES_MAX}")));
    }
    let mut priorities = BTreeSet::new();
    for (index, rule) in rules.iter().enumerate() {
        let at = format!("/spec/rules/{index}");
        if !priorities.insert(rule.priority) {
            let problem =
                PolicyProblem::new(PolicyCode::Duplicate, format!("{at}/priority"), "two rules have one priority");
            found.push(problem.found(rule.priority).works("another one"));
        }
        for (key, mac) in [("sourceMac", &rule.r#match.source_mac), ("destinationMac", &rule.r#match.destination_mac)] {
            if let Some(mac) = mac.as_ref().filter(|mac| mac.parse::<philae_topology::MacAddress>().is_err()) {
                let problem = PolicyProblem::new(
                    PolicyCode::OutOfRange,
                    format!("{at}/match/{key}"),
                    "this is not a MAC address",
                );
                found.push(problem.found(format!("'{mac}'")).works("02:00:00:00:07:ea"));
            }
        }
        let networks = [&rule.r#match.source_network, &rule.r#match.destination_network];
        for (key, network) in ["sourceNetwork", "destinationNetwork"].into_iter().zip(networks) {
            if let Some(network) = network.as_ref().filter(|network| !is_network(network)) {
                let problem = PolicyProblem::new(
                    PolicyCode::OutOfRange,
                    format!("{at}/match/{key}"),
                    "this is not an IP network",
                );
                found.push(problem.found(format!("'{network}'")).works("10.1.0.0/16 or fd00::/8"));
            }
        }
        if let Some([first, last]) = rule.r#match.destination_ports.filter(|[first, last]| first > last) {
            let place = format!("{at}/match/destinationPorts");
            found.push(
                PolicyProblem::new(PolicyCode::OutOfRange, place, "the last port comes before the first")
                    .found(format!("{first}, {last}")),
            );
        }
    }
}

fn is_network(text: &str) -> bool {
    let Some((address, length)) = text.split_once('/') else { return text.parse::<IpAddr>().is_ok() };
    let most = match address.parse::<IpAddr>() {
        Ok(IpAddr::V4(_)) => 32,
        Ok(IpAddr::V6(_)) => 128,
        Err(_) => return false,
    };
    length.bytes().all(|byte| byte.is_ascii_digit()) && length.parse::<u32>().is_ok_and(|length| length <= most)
}
