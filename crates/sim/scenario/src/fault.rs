//! The failures of a scenario, and the names of links and switches.

use philae_fabric::{Fault, FaultKind, FaultLaw, FaultTarget, Resilience};
use philae_link_layer::LinkParameters;
use philae_nic_model::RetryParameters;
use philae_topology::{PortPeer, PortRole, Topology};
use philae_units::{EndpointId, PortId, PortIndex, SwitchId};
use philae_workload::Span;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::error::{KeyLocation, ScenarioError};
use crate::part::Preset;
use crate::tree::Scenario;

/// Reactions of the switches to faults.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Faults {
    /// Time from a change in the fabric until the routing tables of all switches reflect it. A
    /// switch avoids its own dead ports immediately.
    ///
    /// Source: none; a manager that is notified immediately and writes about a thousand tables. Status: assumed ("1ms" to "10s";
    /// affects the number of packets discarded until then).
    pub reroute: Span,
    /// Time for which a NIC may pause its switch before the switch discards the packets for it.
    ///
    /// Source: the existence of such a guard is published, its time is not. Status: assumed ("10ms" to "1s"; affects
    /// how much a stuck NIC slows others).
    pub pause_guard: Span,
}

impl Default for Faults {
    fn default() -> Self {
        Self { reroute: Span::micros(100_000), pause_guard: Span::micros(100_000) }
    }
}

/// Kind of a fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum FaultName {
    /// A link stops immediately, in both directions, and loses the packets on it.
    LinkDown,
    /// A link loses lanes: all of them unless `lanes` gives a number. Without lanes it keeps its
    /// frames until its link-down timer ends.
    LanesLost,
    /// A switch stops, with all its links and all packets in it.
    SwitchDown,
    /// A NIC stops.
    NicDown,
    /// A NIC pauses its switch: its host accepts no packets.
    NicPause,
}

/// One fault.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FaultSection {
    /// Kind of the fault.
    pub kind: FaultName,
    /// When.
    pub at: Span,
    /// When it is repaired. Default: never.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until: Option<Span>,
    /// The link: "switch:3/port:17", "endpoint:12", "switches:3-9" or "groups:0-5"; with several
    /// links between the two, "/link:1" is the second.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub link: Option<String>,
    /// The switch, counted over the whole system.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub switch: Option<u32>,
    /// The NIC, as the number of its endpoint.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub endpoint: Option<u32>,
    /// Lanes that are lost.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lanes: Option<u8>,
}

/// The links that fail at random.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum LinkChoice {
    /// Between switches.
    #[default]
    Fabric,
    /// To NICs.
    Edge,
    /// Within groups.
    Local,
    /// Between groups.
    Global,
}

/// Random faults: exponential times between their beginnings, exponential durations, each on one link, switch or NIC at random.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FaultLawSection {
    /// Kind of the faults.
    pub kind: FaultName,
    /// Which links, for faults of links.
    #[serde(default)]
    pub links: LinkChoice,
    /// Mean time between the beginnings of two faults in the whole system.
    pub gap_mean: Span,
    /// Mean duration.
    pub length_mean: Span,
    /// Lanes that are lost. Default: all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lanes: Option<u8>,
}

fn value<T>(place: &str, found: impl ToString, works: impl Into<String>) -> Result<T, ScenarioError> {
    Err(ScenarioError::Value { place: KeyLocation::of(place), found: found.to_string(), works: works.into() })
}

/// The possible failures, resolved, and the sections that describe them with every value.
pub(crate) struct ResolvedResilience {
    pub resilience: Resilience,
    pub link: Option<Preset<LinkParameters>>,
    pub retry: Preset<RetryParameters>,
}

impl Scenario {
    /// The possible failures.
    pub(crate) fn resolve_resilience(&self, topology: &Topology) -> Result<ResolvedResilience, ScenarioError> {
        let link = self.link.as_ref().map(|part| part.resolve("slingshot")).transpose()?;
        if let Some((_, link)) = &link {
            link.check().map_err(|error| ScenarioError::Unreadable {
                place: KeyLocation::of("link"),
                message: error.to_string(),
            })?;
        }
        let lanes = link.as_ref().map_or_else(|| LinkParameters::slingshot().lanes, |(_, link)| link.lanes);
        let (retry_name, retry) = self.retry.resolve("cassini")?;
        let faults = self.fault_list.iter().enumerate();
        let faults = faults
            .map(|(index, section)| section.resolve(&format!("fault.{index}"), topology, lanes))
            .collect::<Result<Vec<Fault>, _>>()?;
        let laws = self.fault_laws.iter().enumerate();
        let laws = laws
            .map(|(index, section)| section.resolve(&format!("fault_law.{index}"), topology, lanes))
            .collect::<Result<Vec<FaultLaw>, _>>()?;
        let resilience = Resilience {
            link: link.as_ref().map(|(_, link)| link.clone()),
            retry: retry.clone(),
            faults,
            laws,
            reroute_ns: self.faults.reroute.0.0 / 1_000,
            pause_guard_ns: self.faults.pause_guard.0.0 / 1_000,
        };
        Ok(ResolvedResilience {
            resilience,
            link: link.map(|(name, link)| Preset::exactly(name, &link)),
            retry: Preset::exactly(retry_name, &retry),
        })
    }
}

fn kind(place: &str, name: FaultName, asked: Option<u8>, lanes: u8) -> Result<FaultKind, ScenarioError> {
    match (name, asked) {
        (FaultName::LanesLost, None) => Ok(FaultKind::Lanes(lanes)),
        (FaultName::LanesLost, Some(count)) if (1..=lanes).contains(&count) => Ok(FaultKind::Lanes(count)),
        (FaultName::LanesLost, Some(count)) => {
            value(&format!("{place}.lanes"), count, format!("1 to {lanes} would work: a link has {lanes} lanes"))
        }
        (_, Some(count)) => {
            value(&format!("{place}.lanes"), count, "without `lanes` it would work: only `lanes_lost` has it")
        }
        (FaultName::LinkDown | FaultName::SwitchDown | FaultName::NicDown, None) => Ok(FaultKind::Down),
        (FaultName::NicPause, None) => Ok(FaultKind::Pause),
    }
}

impl FaultSection {
    fn resolve(&self, place: &str, topology: &Topology, lanes: u8) -> Result<Fault, ScenarioError> {
        if let Some(until) = self.until.filter(|until| *until <= self.at) {
            return value(&format!("{place}.until"), until, format!("a time after `at` ({}) would work", self.at));
        }
        let kind = kind(place, self.kind, self.lanes, lanes)?;
        let target = self.target(place, topology)?;
        Ok(Fault { start: self.at.0, until: self.until.map(|until| until.0), target, kind })
    }

    fn target(&self, place: &str, topology: &Topology) -> Result<FaultTarget, ScenarioError> {
        let wanted = match self.kind {
            FaultName::LinkDown | FaultName::LanesLost => "link",
            FaultName::SwitchDown => "switch",
            FaultName::NicDown | FaultName::NicPause => "endpoint",
        };
        let given: Vec<&str> =
            [("link", self.link.is_some()), ("switch", self.switch.is_some()), ("endpoint", self.endpoint.is_some())]
                .into_iter()
                .filter_map(|(key, given)| given.then_some(key))
                .collect();
        if given != [wanted] {
            let found = if given.is_empty() {
                "no target that fails".to_owned()
            } else {
                format!("`{}`", given.join("` and `"))
            };
            return value(place, found, format!("`{wanted}` alone would work for this kind of fault"));
        }
        match (&self.link, self.switch, self.endpoint) {
            (Some(name), ..) => link_named(topology, name, &format!("{place}.link")).map(FaultTarget::Link),
            (_, Some(switch), _) => {
                let count = topology.switch_count() as u32;
                if switch < count {
                    Ok(FaultTarget::Switch(SwitchId(switch)))
                } else {
                    value(&format!("{place}.switch"), switch, format!("0 to {} would work", count - 1))
                }
            }
            (.., Some(endpoint)) => {
                let count = topology.endpoint_count() as u32;
                if endpoint < count {
                    Ok(FaultTarget::Nic(EndpointId(endpoint)))
                } else {
                    value(&format!("{place}.endpoint"), endpoint, format!("0 to {} would work", count - 1))
                }
            }
            (None, None, None) => value(place, "no target that fails", format!("`{wanted}` would work")),
        }
    }
}

impl FaultLawSection {
    fn resolve(&self, place: &str, topology: &Topology, lanes: u8) -> Result<FaultLaw, ScenarioError> {
        for (key, span) in [("gap_mean", self.gap_mean), ("length_mean", self.length_mean)] {
            if span == Span::default() {
                return value(&format!("{place}.{key}"), span, "a time above 0 would work");
            }
        }
        let kind = kind(place, self.kind, self.lanes, lanes)?;
        let ports = || (0..topology.port_count() as u32).map(PortIndex);
        let chosen = |port: &PortIndex| {
            let found = topology.port(*port);
            let first = !matches!(found.peer, PortPeer::Port(peer) if peer < *port);
            let role = match self.links {
                LinkChoice::Fabric => matches!(found.role, PortRole::Local | PortRole::Global),
                LinkChoice::Edge => found.role == PortRole::Edge,
                LinkChoice::Local => found.role == PortRole::Local,
                LinkChoice::Global => found.role == PortRole::Global,
            };
            first && role
        };
        let targets: Vec<FaultTarget> = match self.kind {
            FaultName::LinkDown | FaultName::LanesLost => ports().filter(chosen).map(FaultTarget::Link).collect(),
            FaultName::SwitchDown => {
                (0..topology.switch_count() as u32).map(|switch| FaultTarget::Switch(SwitchId(switch))).collect()
            }
            FaultName::NicDown | FaultName::NicPause => {
                (0..topology.endpoint_count() as u32).map(|endpoint| FaultTarget::Nic(EndpointId(endpoint))).collect()
            }
        };
        if targets.is_empty() {
            return value(
                &format!("{place}.links"),
                "a kind of link that this system does not have",
                "another kind would work",
            );
        }
        Ok(FaultLaw { kind, targets, gap_mean: self.gap_mean.0, length_mean: self.length_mean.0 })
    }
}

/// One of the ports of the link with this name.
pub(crate) fn link_named(topology: &Topology, name: &str, place: &str) -> Result<PortIndex, ScenarioError> {
    let forms = "\"switch:3/port:17\", \"endpoint:12\", \"switches:3-9\" or \"groups:0-5\" (with \"/link:1\" for the second of several links) would work";
    let mut parts = name.split('/');
    let first = parts.next().and_then(|part| part.split_once(':'));
    let second = parts.next().map(|part| part.split_once(':'));
    let (Some((what, number)), None) = (first, parts.next()) else { return value(place, quoted(name), forms) };
    let second = match second {
        None => None,
        Some(Some(pair)) => Some(pair),
        Some(None) => return value(place, quoted(name), forms),
    };
    let parse = |text: &str| text.parse::<u32>().ok();
    let pair = |text: &str| text.split_once('-').and_then(|(one, other)| Some((parse(one)?, parse(other)?)));
    let nth = match second {
        Some(("link", nth)) => parse(nth),
        None => Some(0),
        Some(_) => None,
    };
    let (switches, groups) = (topology.switch_count() as u32, topology.group_count() as u32);
    match (what, second) {
        ("endpoint", None) => match parse(number) {
            Some(endpoint) if (endpoint as usize) < topology.endpoint_count() => {
                Ok(topology.endpoint(EndpointId(endpoint)).port)
            }
            Some(_) => {
                let works = format!("endpoint:0 to endpoint:{} would work", topology.endpoint_count() - 1);
                value(place, quoted(name), works)
            }
            None => value(place, quoted(name), forms),
        },
        ("switch", Some(("port", port))) => match (parse(number), parse(port)) {
            (Some(switch), Some(port)) if switch < switches && (port as usize) < topology.radix() => {
                let index = topology.port_index(SwitchId(switch), PortId(port as u8));
                match topology.port(index).peer {
                    PortPeer::None => {
                        let used = topology.ports_of(SwitchId(switch)).filter(|(_, port)| port.peer != PortPeer::None);
                        let used: Vec<String> = used.map(|(index, _)| topology.port_of(index).to_string()).collect();
                        let works = format!("its ports with a link are {}", used.join(", "));
                        value(place, format!("{}, which has no link", quoted(name)), works)
                    }
                    PortPeer::Port(_) | PortPeer::Endpoint(_) => Ok(index),
                }
            }
            (Some(_), Some(_)) => {
                let works =
                    format!("switches 0 to {} and ports 0 to {} would work", switches - 1, topology.radix() - 1);
                value(place, quoted(name), works)
            }
            _ => value(place, quoted(name), forms),
        },
        ("switches" | "groups", _) => {
            let (Some((one, other)), Some(nth)) = (pair(number), nth) else { return value(place, quoted(name), forms) };
            let of_groups = what == "groups";
            let most = if of_groups { groups } else { switches };
            if one >= most || other >= most {
                return value(place, quoted(name), format!("{what} 0 to {} would work", most - 1));
            }
            let side = |port: PortIndex| {
                let switch = topology.switch_of(port);
                if of_groups { topology.group_of(switch).0 } else { switch.0 }
            };
            let links: Vec<PortIndex> = (0..topology.port_count() as u32)
                .map(PortIndex)
                .filter(|&port| match topology.port(port).peer {
                    PortPeer::Port(peer) => side(port) == one && side(peer) == other && one != other,
                    PortPeer::Endpoint(_) | PortPeer::None => false,
                })
                .collect();
            match (links.get(nth as usize), links.len()) {
                (Some(&port), _) => Ok(port),
                (None, 0) => {
                    value(place, quoted(name), format!("those {what} have no link; two that have one would work"))
                }
                (None, count) => value(place, quoted(name), format!("/link:0 to /link:{} would work", count - 1)),
            }
        }
        _ => value(place, quoted(name), forms),
    }
}

fn quoted(name: &str) -> String {
    format!("\"{name}\"")
}

#[cfg(test)]
mod tests {
    use super::*;
    use philae_topology::DragonflyDescription;

    #[test]
    fn links_are_found_by_name_and_mistakes_say_what_would_work() {
        let topology = Topology::build(&DragonflyDescription::uniform(3, 2, 2, 4).into()).expect("a legal system");
        let named = |name: &str| link_named(&topology, name, "fault.0.link").map_err(|error| error.to_string());
        let between = |port: PortIndex| match topology.port(port).peer {
            PortPeer::Port(peer) => (topology.switch_of(port).0, topology.switch_of(peer).0),
            other => panic!("{other:?}"),
        };
        assert_eq!(between(named("switches:0-1").unwrap()), (0, 1));
        let (from, to) = between(named("groups:0-2").unwrap());
        assert!(from < 2 && to >= 4);
        assert_ne!(named("groups:0-2").unwrap(), named("groups:0-2/link:1").unwrap());
        assert_eq!(named("endpoint:3").unwrap(), topology.endpoint(EndpointId(3)).port);
        for (wrong, hint) in [
            ("groups:0-2/link:9", "/link:0 to /link:3 would work"),
            ("groups:0-7", "groups 0 to 2 would work"),
            ("switches:0-5", "two that have one would work"),
            ("switches:0-9", "switches 0 to 5 would work"),
            ("endpoint:99", "endpoint:0 to endpoint:11 would work"),
            ("switch:0/port:63", "its ports with a link are"),
            ("cable 7", "\"endpoint:12\""),
            ("switch:0/port:1/x:2", "\"endpoint:12\""),
        ] {
            let message = named(wrong).unwrap_err();
            assert!(message.contains(hint) && message.contains(wrong), "{wrong}: {message}");
        }
    }
}
