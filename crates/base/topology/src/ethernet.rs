//! Third-party Ethernet endpoints at a system's edge, and edge ports that are split into several
//! links.
//!
//! A port has four lanes. A port that is split into 2 or 4 links gives each an equal part of them.
//! Each link runs at a rate of standard Ethernet that its lanes carry: a port of 400 Gb/s gives 4
//! links of 100 or 2 of 200 Gb/s, or slower ones.
//!
//! **A limit of the model.** A link of a split port has a port number of its own, and switches have
//! at most 64 numbers. The first link keeps the number of its port, the others take numbers of
//! unused ports. If a switch has none left, none of its ports can be split (real switches have more
//! logical ports than physical ones).
//!
//! Sources: Slingshot's Ethernet edge (De Sensi et al., SC'20, II-A and II-F): third-party NICs
//! attach to any edge port; HPE Slingshot QuickSpecs: edge ports at 25 to 200 Gb/s (Rosetta) and to
//! 400 Gb/s (Rosetta-2), of four lanes. Status: published for rates and lanes; the numbers of split
//! links are ours.

use crate::wiring::WiringBuilder;
use crate::{CableDescription, CableKind, CableKindId, Medium, Port, PortPeer, TopologyError};
use philae_units::{EndpointId, LinkRate, NodeId, PortIndex};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Rates of third-party links, in Gb/s. Source: HPE Slingshot QuickSpecs. Status: published.
const RATES_GBPS: [u32; 5] = [25, 50, 100, 200, 400];
/// Numbers of links into which a port may be split. Source: four lanes. Status: derived.
const SPLITS: [u8; 3] = [1, 2, 4];

/// Third-party endpoints on one switch: `[[ethernet]]` of a system.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct EthernetDescription {
    /// The switch, counted over the whole system: new endpoints on ports that are free. Either this or `endpoint`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub switch: Option<u32>,
    /// An endpoint that the wiring has: it becomes a third-party endpoint, the first on its port.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub endpoint: Option<u32>,
    /// With `switch`: the first port that is taken; absent: the lowest that are free.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub port: Option<u8>,
    /// Links that each port is split into: 1, 2 or 4.
    #[serde(default = "one")]
    pub split: u8,
    /// Rate of each link in one direction, in Gb/s: 25, 50, 100, 200 or 400.
    pub rate_gbps: u32,
    /// Links, each with an endpoint on its own node. Default: as many as one port has.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub count: Option<u32>,
    /// Whether jobs run on these nodes. If false, the nodes exist but no job uses them.
    #[serde(default = "yes")]
    pub compute: bool,
    /// Medium of the cable.
    #[serde(default = "copper")]
    pub medium: Medium,
    /// Length of the cable, in metres.
    #[serde(default = "two_metres")]
    pub length_m: f64,
}

fn one() -> u8 {
    1
}

fn yes() -> bool {
    true
}

fn copper() -> Medium {
    Medium::Copper
}

fn two_metres() -> f64 {
    2.0
}

impl EthernetDescription {
    /// One port of `switch`, the lowest free one, split into links of this rate, all in use.
    #[must_use]
    pub fn on_switch(switch: u32, split: u8, rate_gbps: u32) -> Self {
        Self {
            switch: Some(switch),
            endpoint: None,
            port: None,
            split,
            rate_gbps,
            count: None,
            compute: true,
            medium: copper(),
            length_m: two_metres(),
        }
    }

    /// Links asked for.
    fn links(&self) -> u32 {
        self.count.unwrap_or_else(|| self.split.into())
    }
}

/// A port that carries third-party endpoints.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EthernetPort {
    /// Links that it could give.
    pub split: u8,
    /// Rate of each.
    pub rate: LinkRate,
    /// Numbers of its links, its own first: as many as are in use.
    pub links: Vec<PortIndex>,
}

/// Attaches the third-party endpoints of a system to its finished wiring. `edge` is the cable of
/// its other edge ports; `hosts` says which switches may have endpoints.
pub(crate) fn attach(
    wiring: &mut WiringBuilder,
    described: &[EthernetDescription],
    edge: &CableDescription,
    hosts: &dyn Fn(u32) -> bool,
) -> Result<Vec<EthernetPort>, TopologyError> {
    let mut found = Vec::new();
    for (entry, asked) in described.iter().enumerate() {
        let refuse = |found: String, works: String| TopologyError::Ethernet { entry, found, works };
        let cable = check(asked, edge.rate("edge")?).map_err(|(found, works)| refuse(found, works))?;
        let cable = wiring.cable(cable)?;
        let mut place = Place { wiring, asked, cable, hosts };
        found.extend(place.attach().map_err(|(found, works)| refuse(found, works))?);
    }
    Ok(found)
}

/// What was found, and what would work.
type Refusal = (String, String);

/// The cable of an entry whose rates and split fit a port of rate `whole`.
fn check(asked: &EthernetDescription, whole: LinkRate) -> Result<CableKind, Refusal> {
    let (split, rate) = (asked.split, asked.rate_gbps);
    if !SPLITS.contains(&split) {
        return Err((format!("split = {split}"), "1, 2 or 4".to_owned()));
    }
    if !RATES_GBPS.contains(&rate) {
        return Err((format!("rate_gbps = {rate}"), "25, 50, 100, 200 or 400".to_owned()));
    }
    let part = whole.0 / u32::from(split);
    if rate * 1_000 > part {
        let fits = RATES_GBPS.iter().filter(|rate| **rate * 1_000 <= part).map(u32::to_string).collect::<Vec<_>>();
        let works =
            if fits.is_empty() { "a faster port".to_owned() } else { format!("rate_gbps = {}", fits.join(", ")) };
        let links = if split == 1 { "1 link".to_owned() } else { format!("{split} links") };
        return Err((format!("{links} of {rate} Gb/s on a port of {whole}"), works));
    }
    if asked.links() == 0 {
        return Err(("count = 0".to_owned(), "1 or more, or no such entry,".to_owned()));
    }
    let cable = CableDescription::new(asked.medium, asked.length_m, f64::from(rate));
    cable.kind("ethernet", 1, 1).map_err(|error| (error.to_string(), "another cable".to_owned()))
}

struct Place<'a> {
    wiring: &'a mut WiringBuilder,
    asked: &'a EthernetDescription,
    cable: CableKindId,
    hosts: &'a dyn Fn(u32) -> bool,
}

impl Place<'_> {
    fn attach(&mut self) -> Result<Vec<EthernetPort>, Refusal> {
        match (self.asked.switch, self.asked.endpoint) {
            (Some(switch), None) => self.on_switch(switch),
            (None, Some(endpoint)) => self.at_endpoint(endpoint),
            (Some(_), Some(_)) => Err(("both `switch` and `endpoint`".to_owned(), "one of them".to_owned())),
            (None, None) => Err(("neither `switch` nor `endpoint`".to_owned(), "one of them".to_owned())),
        }
    }

    fn on_switch(&mut self, switch: u32) -> Result<Vec<EthernetPort>, Refusal> {
        let switches = (self.wiring.ports.len() / self.wiring.radix) as u32;
        if switch >= switches {
            let found = format!("switch = {switch} of a system with {switches} switches");
            return Err((found, format!("0 to {}", switches - 1)));
        }
        if !(self.hosts)(switch) {
            return Err((format!("switch = {switch}, which is not a leaf of its tree"), "a leaf".to_owned()));
        }
        let (links, split) = (self.asked.links(), u32::from(self.asked.split));
        let mut free = self.free_numbers(switch);
        let used = self.wiring.radix - free.len();
        let mut ports = Vec::new();
        let mut left = links;
        while left > 0 {
            let first = match self.asked.port {
                Some(port) => self.take_asked(switch, u32::from(port) + ports.len() as u32, &mut free)?,
                None if free.is_empty() => return Err(self.full(switch, used, links)),
                None => free.remove(0),
            };
            ports.push((first, split.min(left)));
            left -= split.min(left);
        }
        // Every port keeps its own number before split links take the unused ones.
        let mut found = Vec::new();
        for (first, share) in ports {
            if (free.len() as u32) < share - 1 {
                return Err(self.full(switch, used, links));
            }
            let numbers: Vec<u32> = std::iter::once(first).chain(free.drain(..share as usize - 1)).collect();
            let at: Vec<PortIndex> = numbers.iter().map(|&number| self.wiring.port_index(switch, number)).collect();
            at.iter().for_each(|&port| self.add(port));
            found.push(self.port(at));
        }
        Ok(found)
    }

    fn at_endpoint(&mut self, endpoint: u32) -> Result<Vec<EthernetPort>, Refusal> {
        let endpoints = self.wiring.endpoints.len();
        let Some(&place) = self.wiring.endpoints.get(endpoint as usize) else {
            let found = format!("endpoint = {endpoint} of a system with {endpoints} endpoints");
            return Err((found, format!("0 to {}", endpoints.saturating_sub(1))));
        };
        if place.kind != 0 {
            let found = format!("endpoint = {endpoint}, which is a third-party endpoint already");
            return Err((found, "another endpoint, or a larger split of the entry before,".to_owned()));
        }
        let links = self.asked.links();
        if links > self.asked.split.into() || self.asked.port.is_some() {
            let found = format!("count = {links} on the one port of endpoint {endpoint}");
            return Err((found, format!("no `port` and at most {} (its split)", self.asked.split)));
        }
        let switch = place.port.0 / self.wiring.radix as u32;
        let free = self.free_numbers(switch);
        if (free.len() as u32) < links - 1 {
            return Err(self.full(switch, self.wiring.radix - free.len(), links));
        }
        self.wiring.endpoints[endpoint as usize].kind = 1;
        self.wiring.ports[place.port.index()].cable = self.cable;
        let mut at = vec![place.port];
        for &number in &free[..links as usize - 1] {
            at.push(self.wiring.port_index(switch, number));
        }
        at[1..].iter().for_each(|&port| self.add(port));
        Ok(vec![self.port(at)])
    }

    fn take_asked(&self, switch: u32, port: u32, free: &mut Vec<u32>) -> Result<u32, Refusal> {
        if port as usize >= self.wiring.radix {
            let works = format!("a first port and a count that end at port {}", self.wiring.radix - 1);
            return Err((format!("port {port} of a switch with {} ports", self.wiring.radix), works));
        }
        if let Some(place) = free.iter().position(|number| *number == port) {
            return Ok(free.remove(place));
        }
        let Port { peer, .. } = self.wiring.ports[self.wiring.port_index(switch, port).index()];
        let held = match peer {
            PortPeer::Endpoint(endpoint) => format!("endpoint {endpoint}"),
            PortPeer::Port(_) | PortPeer::None => "another switch: fabric ports are not split".to_owned(),
        };
        let works = match peer {
            PortPeer::Endpoint(endpoint) => format!("`endpoint = {endpoint}` instead of `switch` and `port`"),
            PortPeer::Port(_) | PortPeer::None => "a port on which nothing is attached, or no `port`,".to_owned(),
        };
        Err((format!("port {port} of switch {switch}, which leads to {held}"), works))
    }

    fn full(&self, switch: u32, used: usize, links: u32) -> Refusal {
        let radix = self.wiring.radix;
        let found = format!(
            "{links} links on switch {switch}, which uses {used} of its {radix} port numbers (each link of a split port \
             needs one in this model)"
        );
        let most = radix - used;
        let works = if most == 0 {
            "a switch with fewer cables, or `endpoint` with split = 1,".to_owned()
        } else {
            format!("at most {most} on this switch, or a switch with fewer cables,")
        };
        (found, works)
    }

    fn free_numbers(&self, switch: u32) -> Vec<u32> {
        let unused = |port: &u32| self.wiring.is_unused(self.wiring.port_index(switch, *port));
        (0..self.wiring.radix as u32).filter(unused).collect()
    }

    /// Adds a node with one third-party endpoint.
    fn add(&mut self, port: PortIndex) {
        self.wiring.add_node(self.asked.compute, [port], self.cable);
        if let Some(endpoint) = self.wiring.endpoints.last_mut() {
            endpoint.kind = 1;
        }
    }

    fn port(&self, links: Vec<PortIndex>) -> EthernetPort {
        EthernetPort { split: self.asked.split, rate: LinkRate(self.asked.rate_gbps * 1_000), links }
    }
}

/// A third-party endpoint, for people and results.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct EthernetEndpoint {
    /// The endpoint.
    pub endpoint: u32,
    /// Its node.
    pub node: u32,
    /// Its switch.
    pub switch: u32,
    /// Number of its link on the switch.
    pub port: u8,
    /// Number of the port that the link is a part of.
    pub of_port: u8,
    /// Links that the port may be split into.
    pub split: u8,
    /// Rate of the link, in Gb/s.
    pub rate_gbps: u32,
}

impl crate::Topology {
    /// Third-party endpoints, in the order in which the system lists them.
    #[must_use]
    pub fn ethernet_endpoints(&self) -> Vec<EthernetEndpoint> {
        let of_port = |port: &EthernetPort| {
            let first = port.links[0];
            port.links
                .iter()
                .map(|&link| {
                    let PortPeer::Endpoint(endpoint) = self.port(link).peer else {
                        unreachable!("a third-party link leads to an endpoint")
                    };
                    self.ethernet_endpoint(endpoint, link, first, port)
                })
                .collect::<Vec<_>>()
        };
        self.ethernet_ports().iter().flat_map(of_port).collect()
    }

    fn ethernet_endpoint(
        &self,
        endpoint: EndpointId,
        link: PortIndex,
        first: PortIndex,
        port: &EthernetPort,
    ) -> EthernetEndpoint {
        let NodeId(node) = self.endpoint(endpoint).node;
        EthernetEndpoint {
            endpoint: endpoint.0,
            node,
            switch: self.switch_of(link).0,
            port: self.port_of(link).0,
            of_port: self.port_of(first).0,
            split: port.split,
            rate_gbps: port.rate.0 / 1_000,
        }
    }
}
