//! Compares the planned cabling with the neighbours that LLDP reports.
//!
//! At a wrong port, the neighbour shows which cable is there: the one that belongs where the
//! neighbour is expected. Following this from port to port either ends (a cable is somewhere else,
//! and something is missing) or returns to its beginning. In that case the cables of these ports
//! were exchanged in a cycle of two or more. An exchange looks the same from the other end of its
//! cables, so it is reported at the more likely end: where all its ports are on one switch, or its
//! NICs on one node.

use crate::fabric::PlannedFabric;
use crate::xname::{Xname, XnameKind};
use philae_topology::{MacAddress, PortPeer};
use philae_units::{EndpointId, PortIndex};
use philae_wire::lldp;
use std::collections::{BTreeMap, BTreeSet};

/// One end of a cable: a port or a NIC.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum End {
    /// A port of a switch.
    Port(PortIndex),
    Nic(EndpointId),
}

/// The device at the other end of a port's cable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Neighbour {
    /// A device of the fabric.
    Known(End),
    /// A device outside the fabric, by its LLDP name.
    Unknown(String),
}

/// The observation of a port.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Observation {
    pub port: PortIndex,
    /// Its neighbour; `None`: the link is down, or no LLDP arrives.
    pub neighbour: Option<Neighbour>,
}

/// A difference from the plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PlanDifference {
    /// A cable is planned here and no neighbour is seen.
    Missing {
        /// The port; for a link between switches, the first of both.
        port: PortIndex,
        /// The expected neighbour.
        expected: End,
        /// Whether the other end nevertheless sees this port.
        seen_from_there: bool,
    },
    /// Cables are exchanged in a cycle: the cable of each port is in the next one, and that of the
    /// last in the first.
    Exchanged {
        /// The ends whose cables were exchanged, two or more.
        ends: Vec<End>,
        /// The same exchange seen from the other ends, if that is equally likely; otherwise empty.
        or: Vec<End>,
    },
    /// Another neighbour than expected, which is not part of an exchange.
    Wrong {
        port: PortIndex,
        /// The expected neighbour.
        expected: End,
        /// The neighbour found.
        found: End,
        /// The port whose cable this is; `None` if the neighbour should have no cable.
        belongs_at: Option<End>,
    },
    /// A neighbour at a port that should be empty.
    Extra {
        port: PortIndex,
        /// The neighbour found.
        found: End,
    },
    /// A neighbour outside the fabric.
    Unknown {
        port: PortIndex,
        /// The expected neighbour.
        expected: Option<End>,
        /// The name that it reports.
        found: String,
    },
}

impl PlanDifference {
    /// The kind in one word.
    #[must_use]
    pub const fn word(&self) -> &'static str {
        match self {
            Self::Missing { .. } => "missing",
            Self::Exchanged { .. } => "exchanged",
            Self::Wrong { .. } => "wrong",
            Self::Extra { .. } => "extra",
            Self::Unknown { .. } => "unknown",
        }
    }

    /// The first port that it concerns.
    #[must_use]
    pub fn port(&self) -> Option<PortIndex> {
        match self {
            Self::Missing { port, .. }
            | Self::Wrong { port, .. }
            | Self::Extra { port, .. }
            | Self::Unknown { port, .. } => Some(*port),
            Self::Exchanged { ends, or } => ends.iter().chain(or).find_map(|end| match end {
                End::Port(port) => Some(*port),
                End::Nic(_) => None,
            }),
        }
    }
}

/// The result of a comparison, in order of ports.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FabricComparison {
    /// The differences.
    pub findings: Vec<PlanDifference>,
    /// Observed ports that see the expected neighbour.
    pub right: usize,
    /// Ports with a cable but without an observation.
    pub unobserved: usize,
}

/// The expected far end.
fn expected(fabric: &PlannedFabric, end: End) -> Option<End> {
    match end {
        End::Nic(nic) => fabric.nics().get(nic.index()).map(|nic| End::Port(nic.port)),
        End::Port(port) => match fabric.ports().get(port.index())?.peer {
            PortPeer::None => None,
            PortPeer::Port(other) => Some(End::Port(other)),
            PortPeer::Endpoint(nic) => Some(End::Nic(nic)),
        },
    }
}

impl PlannedFabric {
    /// Compares the plan with observations. A later observation of a port replaces an earlier one;
    /// those of ports outside the fabric are ignored.
    #[must_use]
    pub fn compare(&self, observations: &[Observation]) -> FabricComparison {
        let mut comparison = FabricComparison::default();
        let mut seen: BTreeMap<PortIndex, &Option<Neighbour>> = BTreeMap::new();
        for observation in observations {
            if observation.port.index() < self.port_count() {
                seen.insert(observation.port, &observation.neighbour);
            }
        }
        // Wrong neighbours, from both sides: a NIC reports nothing, so the port that sees it
        // reports for both.
        let mut found: BTreeMap<End, End> = BTreeMap::new();
        for (&port, neighbour) in &seen {
            let (at, expected) = (End::Port(port), expected(self, End::Port(port)));
            match neighbour {
                Some(Neighbour::Known(end)) if Some(*end) == expected => comparison.right += 1,
                Some(Neighbour::Known(end)) => {
                    found.insert(at, *end);
                    if matches!(end, End::Nic(_)) {
                        found.insert(*end, at);
                    }
                }
                Some(Neighbour::Unknown(text)) => {
                    comparison.findings.push(PlanDifference::Unknown { port, expected, found: text.clone() });
                }
                None => {
                    let Some(far) = expected else {
                        comparison.right += 1;
                        continue;
                    };
                    self.nobody(&mut comparison, &seen, port, far);
                }
            }
        }
        let mut done = self.exchanges(&mut comparison, &found);
        for (&at, &end) in &found {
            let End::Port(port) = at else { continue };
            if done.contains(&at) {
                continue;
            }
            done.insert(at);
            // The far end reports the same cable.
            if found.get(&end) == Some(&at) {
                done.insert(end);
            }
            comparison.findings.push(match expected(self, at) {
                Some(expected_here) => {
                    let belongs_at = expected(self, end);
                    PlanDifference::Wrong { port, expected: expected_here, found: end, belongs_at }
                }
                None => PlanDifference::Extra { port, found: end },
            });
        }
        let cabled = (0..self.port_count()).map(|port| PortIndex(port as u32));
        comparison.unobserved =
            cabled.filter(|port| self.port(*port).peer != PortPeer::None && !seen.contains_key(port)).count();
        comparison.findings.sort_by_key(|finding| finding.port());
        comparison
    }

    fn nobody(
        &self,
        comparison: &mut FabricComparison,
        seen: &BTreeMap<PortIndex, &Option<Neighbour>>,
        port: PortIndex,
        far: End,
    ) {
        let from_there = match far {
            End::Port(other) => seen.get(&other).copied(),
            End::Nic(_) => None,
        };
        // If neither end sees a neighbour, the first one reports it.
        let told_there = matches!((far, from_there), (End::Port(other), Some(None)) if other < port);
        if !told_there {
            let seen_from_there = matches!(from_there, Some(Some(Neighbour::Known(End::Port(here)))) if *here == port);
            comparison.findings.push(PlanDifference::Missing { port, expected: far, seen_from_there });
        }
    }

    /// Reports cycles of exchanged cables, and returns the ends that they explain.
    fn exchanges(&self, comparison: &mut FabricComparison, found: &BTreeMap<End, End>) -> BTreeSet<End> {
        let mut done = BTreeSet::new();
        // The walk that first reached each end. Each end is left once, so the number of steps is
        // the number of ends.
        let mut walk_of: BTreeMap<End, End> = BTreeMap::new();
        let next = |at: End| found.get(&at).and_then(|&end| expected(self, end));
        for &start in found.keys() {
            let mut path = Vec::new();
            let mut at = Some(start);
            while let Some(end) = at.filter(|end| !walk_of.contains_key(end) && !done.contains(end)) {
                walk_of.insert(end, start);
                path.push(end);
                at = next(end);
            }
            // The walk has reached its own path, so the rest of that path is a cycle. The ends
            // before it are not part of it.
            let Some(entry) = at.filter(|end| walk_of.get(end) == Some(&start) && !done.contains(end)) else {
                continue;
            };
            let mut round = path.split_off(path.iter().position(|end| *end == entry).unwrap_or(0));
            if round.len() < 2 {
                continue;
            }
            let first = (0..round.len()).min_by_key(|&place| round[place]).unwrap_or(0);
            round.rotate_left(first);
            done.extend(round.iter().copied());
            let far: Vec<End> = round.iter().filter_map(|&end| expected(self, end)).collect();
            let told = far.len() == round.len() && far.iter().all(|end| found.contains_key(end) && !done.contains(end));
            done.extend(far.iter().copied());
            // The cable of each end is in the next one, but the cycle was followed in the other
            // direction.
            round[1..].reverse();
            let mut far = if told { far } else { Vec::new() };
            far.sort();
            let (here, there) = (self.together(&round), !far.is_empty() && self.together(&far));
            let (ends, or) = match (here, there) {
                (false, true) => (self.round_of(&far, found), Vec::new()),
                (true, false) => (round, Vec::new()),
                _ => (round, far),
            };
            comparison.findings.push(PlanDifference::Exchanged { ends, or });
        }
        done
    }

    /// The same ends, in the order in which their cables moved.
    fn round_of(&self, ends: &[End], found: &BTreeMap<End, End>) -> Vec<End> {
        let mut round = vec![ends[0]];
        while let Some(next) = found.get(&round[round.len() - 1]).and_then(|&end| expected(self, end)) {
            if next == round[0] || round.len() == ends.len() {
                break;
            }
            round.push(next);
        }
        round[1..].reverse();
        round
    }

    /// Whether all ends are on one switch or on one node.
    fn together(&self, ends: &[End]) -> bool {
        let place = |end: &End| match *end {
            End::Port(port) => (0, self.switch_of(port).0),
            End::Nic(nic) => (1, self.nics()[nic.index()].node.0),
        };
        ends.windows(2).all(|pair| place(&pair[0]) == place(&pair[1]))
    }

    /// The name of an end; for a port, by its jack.
    #[must_use]
    pub fn end_xname(&self, end: End) -> Xname {
        match end {
            End::Port(port) => self.connector_port_xname(port),
            End::Nic(nic) => self.nic_xname(nic),
        }
    }

    #[must_use]
    pub fn end_by_xname(&self, name: Xname) -> Option<End> {
        self.port_by_xname(name).map(End::Port).or_else(|| self.nic_by_xname(name).map(End::Nic))
    }

    /// A finding in one sentence.
    #[must_use]
    pub fn describe_finding(&self, finding: &PlanDifference) -> String {
        let name = |end: End| self.end_xname(end).to_string();
        match finding {
            PlanDifference::Missing { port, expected, seen_from_there } => {
                let port = self.connector_port_xname(*port);
                let but = if *seen_from_there { ", which sees it" } else { "" };
                format!("{port} sees no neighbour; expected {}{but}", name(*expected))
            }
            PlanDifference::Exchanged { ends, or } => {
                let or = if or.is_empty() { String::new() } else { format!(" (or {})", self.listed(or)) };
                match ends.len() {
                    2 => format!("{} are exchanged{or}", self.listed(ends)),
                    many => {
                        let first = self.end_xname(ends[0]);
                        let order: Vec<String> = ends.iter().map(|end| name(*end)).collect();
                        format!(
                            "the cables of {many} ports are exchanged in a cycle: that of {} is in the next, the \
                             last in {first}{or}",
                            order.join(", of "),
                        )
                    }
                }
            }
            PlanDifference::Wrong { port, expected, found, belongs_at } => {
                let belongs = belongs_at.map_or_else(
                    || "which should have no cable".to_owned(),
                    |end| format!("whose cable belongs in {}", name(end)),
                );
                let port = self.connector_port_xname(*port);
                format!("{port} sees {}, {belongs}; expected {}", name(*found), name(*expected))
            }
            PlanDifference::Extra { port, found } => {
                format!("{} should be empty and sees {}", self.connector_port_xname(*port), name(*found))
            }
            PlanDifference::Unknown { port, expected, found } => {
                let expected = expected.map_or_else(|| "nobody".to_owned(), name);
                format!(
                    "{} sees '{found}', which is not installed; expected {expected}",
                    self.connector_port_xname(*port)
                )
            }
        }
    }

    /// "x3000c0r15j3p0 and j4p0": further parts of the same switch or node without its name.
    fn listed(&self, ends: &[End]) -> String {
        let first = self.end_xname(ends[0]);
        let module = first.ancestor(XnameKind::SwitchModule).or_else(|| first.ancestor(XnameKind::Node));
        let mut words = vec![first.to_string()];
        for end in &ends[1..] {
            let name = self.end_xname(*end);
            let text = name.to_string();
            let own = name.ancestor(XnameKind::SwitchModule).or_else(|| name.ancestor(XnameKind::Node));
            let short = module.filter(|_| own == module).map(|module| module.to_string());
            words.push(short.and_then(|prefix| text.strip_prefix(&prefix).map(ToOwned::to_owned)).unwrap_or(text));
        }
        words.join(" and ")
    }

    /// The sender of an LLDP unit.
    ///
    /// Recognised are: the algorithmic MAC of a switch's port (02:fe:...) as port or chassis; an
    /// xname of a port or a NIC as port; an xname or a label of a node as chassis, with `hN` or
    /// `hsnN` as port.
    #[must_use]
    pub fn neighbour(&self, unit: &lldp::LldpRepr<'_>) -> Neighbour {
        let (chassis, port) = (text(unit.chassis), text(unit.port));
        let by_mac = [unit.port, unit.chassis].into_iter().find_map(|name| {
            let mac = MacAddress(name.name.try_into().ok()?);
            let (address, _, form) = crate::address::read_mac(mac).ok()?;
            (form == crate::address::MacForm::Lldp).then_some(())?;
            self.port_of_address(address).map(End::Port)
        });
        let by_name = || self.end_by_xname(port.parse().ok()?);
        let by_node = || {
            let node = match chassis.parse::<Xname>() {
                Ok(name) => self.node_by_xname(name)?,
                Err(_) => self.node_by_label(&chassis)?,
            };
            let digits = port.strip_prefix("hsn").or_else(|| port.strip_prefix('h'))?;
            let number: u8 = digits.parse().ok()?;
            let nic = self.nics_of(node).map(EndpointId).find(|nic| self.nics()[nic.index()].nic == number);
            nic.map(End::Nic)
        };
        match by_name().or_else(by_node).or(by_mac) {
            Some(end) => Neighbour::Known(end),
            None => Neighbour::Unknown(format!("{chassis} {port}")),
        }
    }
}

/// An identifier in readable form: text if it is text, otherwise bytes with colons.
fn text(name: lldp::Identifier<'_>) -> String {
    match std::str::from_utf8(name.name) {
        Ok(text) if name.name.iter().all(u8::is_ascii_graphic) => text.to_owned(),
        _ => name.name.iter().map(|byte| format!("{byte:02x}")).collect::<Vec<_>>().join(":"),
    }
}
