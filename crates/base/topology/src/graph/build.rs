//! Cabling a graph, and the table of its shortest paths.

use super::shortest::{GRAPH_SWITCHES_MAX, ShortestPaths};
use super::{GraphDescription, GraphLink, TopologyGraph};
use crate::wiring::WiringBuilder;
use crate::{CableDescription, Medium, TopologyError};
use philae_units::PortIndex;

impl GraphDescription {
    /// The wiring, the bounds of its one group, and the structure for routing.
    pub(crate) fn build(&self, radix: usize) -> Result<(WiringBuilder, Vec<u32>, TopologyGraph), TopologyError> {
        if self.switches > GRAPH_SWITCHES_MAX {
            return Err(TopologyError::GraphSize { switches: self.switches, most: GRAPH_SWITCHES_MAX });
        }
        let mut wiring = WiringBuilder::new(u64::from(self.switches), radix)?;
        let mut numbers = PortNumbers::new(self, radix)?;
        self.attach_nodes(&mut wiring, &mut numbers)?;
        for (index, link) in self.links.iter().enumerate() {
            let what = || format!("link {index}");
            let ports = link.ports.map_or([None; 2], |ports| ports.map(Some));
            let one = numbers.take(link.between[0], ports[0], what)?;
            let other = numbers.take(link.between[1], ports[1], what)?;
            let cable = with(&self.link, link.length_m, link.rate_gbps, link.medium).kind("link", 1, 1);
            let cable = wiring.cable(cable.map_err(|error| of_link(error, index, link))?)?;
            let (one, other) = (wiring.port_index(one.0, one.1), wiring.port_index(other.0, other.1));
            wiring.join(one, other, link.role(), cable);
        }
        let (paths, fabric) = ShortestPaths::of(&wiring, self.switches, self.fabrics)?;
        let graph = TopologyGraph { paths, fabric };
        check_gateways(&wiring, &graph)?;
        Ok((wiring, vec![0, self.switches], graph))
    }

    fn attach_nodes(&self, wiring: &mut WiringBuilder, numbers: &mut PortNumbers) -> Result<(), TopologyError> {
        let mut at = Vec::new();
        let mut node_before: Option<u32> = None;
        for (index, endpoint) in self.endpoints.iter().enumerate() {
            let fresh = node_before.map_or(0, |before| before + 1);
            let node = endpoint.node.unwrap_or(fresh);
            if node != fresh && Some(node) != node_before {
                let (before, node_before) = (index.saturating_sub(1), node_before.unwrap_or(0));
                return Err(TopologyError::EndpointOrder { endpoint: index, node, before, node_before });
            }
            let (switch, port) = numbers.take(endpoint.switch, endpoint.port, || format!("endpoint {index}"))?;
            let cable = with(&self.edge, endpoint.length_m, endpoint.rate_gbps, endpoint.medium);
            let is_own = endpoint.length_m.is_some() || endpoint.rate_gbps.is_some();
            let of_endpoint = |error| own_cable(error, is_own, || format!("endpoint {index} on switch {switch}"));
            let cable = wiring.cable(cable.kind("edge", 1, 1).map_err(of_endpoint)?)?;
            at.push((node, wiring.port_index(switch, port), cable));
            node_before = Some(node);
        }
        if self.endpoints_per_switch > 0 {
            let cable = wiring.cable(self.edge.kind("edge", 1, 1)?)?;
            let mut node = node_before.map_or(0, |before| before + 1);
            for switch in 0..self.switches {
                for _ in 0..self.endpoints_per_switch {
                    let (switch, port) = numbers.take(switch, None, || format!("endpoint {}", at.len()))?;
                    at.push((node, wiring.port_index(switch, port), cable));
                    node += 1;
                }
            }
        }
        for nics in at.chunk_by(|one, other| one.0 == other.0) {
            if nics.len() > NICS_MAX {
                return Err(TopologyError::NodeNics { node: nics[0].0, nics: nics.len(), most: NICS_MAX });
            }
            wiring.add_node(true, nics.iter().map(|(_, port, _)| *port), nics[0].2);
            for (_, port, cable) in nics {
                wiring.ports[port.index()].cable = *cable;
            }
        }
        Ok(())
    }
}

/// An error in the cable of a link, with the link if it has a length or a rate of its own.
fn of_link(error: TopologyError, index: usize, link: &GraphLink) -> TopologyError {
    let is_own = link.length_m.is_some() || link.rate_gbps.is_some();
    let [one, other] = link.between;
    own_cable(error, is_own, || format!("link {index} between the switches {one} and {other}"))
}

fn own_cable(error: TopologyError, is_own: bool, what: impl FnOnce() -> String) -> TopologyError {
    if is_own { TopologyError::Cable { what: what(), source: Box::new(error) } } else { error }
}

/// NICs of a node are numbered by bytes.
const NICS_MAX: usize = 256;

fn with(
    run: &CableDescription,
    length_m: Option<f64>,
    rate_gbps: Option<f64>,
    medium: Option<Medium>,
) -> CableDescription {
    let mut run = run.clone();
    run.medium = medium.unwrap_or(run.medium);
    run.length_max_m = None;
    run.length_m = length_m.unwrap_or(run.length_m);
    run.rate_gbps = rate_gbps.unwrap_or(run.rate_gbps);
    run
}

/// Ports that are requested by number, and ports that are assigned.
struct PortNumbers {
    radix: u32,
    switches: u32,
    /// By `switch * radix + port`.
    reserved: Vec<bool>,
    taken: Vec<bool>,
}

impl PortNumbers {
    fn new(graph: &GraphDescription, radix: usize) -> Result<Self, TopologyError> {
        let ports = graph.switches as usize * radix;
        let (radix, switches) = (radix as u32, graph.switches);
        let mut numbers = Self { radix, switches, reserved: vec![false; ports], taken: vec![false; ports] };
        for (index, link) in graph.links.iter().enumerate() {
            if link.between[0] == link.between[1] {
                return Err(TopologyError::SelfLoop { link: index, switch: link.between[0] });
            }
            for end in 0..2 {
                numbers.reserve(link.between[end], link.ports.map(|ports| ports[end]), || format!("link {index}"))?;
            }
        }
        for (index, endpoint) in graph.endpoints.iter().enumerate() {
            numbers.reserve(endpoint.switch, endpoint.port, || format!("endpoint {index}"))?;
        }
        Ok(numbers)
    }

    fn reserve(&mut self, switch: u32, port: Option<u8>, what: impl Fn() -> String) -> Result<(), TopologyError> {
        if switch >= self.switches {
            return Err(TopologyError::MissingSwitch { what: what(), switch, last: self.switches - 1 });
        }
        let Some(port) = port.map(u32::from) else { return Ok(()) };
        let (what, last) = (what(), self.radix - 1);
        if port > last {
            return Err(TopologyError::PortOutOfRange { what, switch, port, last });
        }
        if std::mem::replace(&mut self.reserved[(switch * self.radix + port) as usize], true) {
            let first = (switch * self.radix) as usize;
            let free = self.reserved[first..first + self.radix as usize].iter().position(|reserved| !reserved);
            let advice = free.map_or("no port is free, fewer links".to_owned(), |free| format!("port {free}"));
            return Err(TopologyError::DuplicatePort { what, switch, port, advice });
        }
        Ok(())
    }

    fn take(&mut self, switch: u32, asked: Option<u8>, what: impl Fn() -> String) -> Result<(u32, u32), TopologyError> {
        let first = switch * self.radix;
        let free = |port: &u32| {
            let at = (first + port) as usize;
            !self.reserved[at] && !self.taken[at]
        };
        let port = match asked {
            Some(port) => u32::from(port),
            None => (0..self.radix).find(free).ok_or_else(|| TopologyError::PortOutOfRange {
                what: what(),
                switch,
                port: self.radix,
                last: self.radix - 1,
            })?,
        };
        self.taken[(first + port) as usize] = true;
        Ok((switch, port))
    }
}

/// Checks that every two fabrics have a gateway.
fn check_gateways(wiring: &WiringBuilder, graph: &TopologyGraph) -> Result<(), TopologyError> {
    let fabrics = graph.fabric.iter().max().map_or(1, |&last| last + 1);
    let fabric = |port: PortIndex| graph.fabric[port.index() / wiring.radix];
    for one in 0..fabrics {
        for other in one + 1..fabrics {
            let joined = wiring.node_first.windows(2).any(|node| {
                let nics = &wiring.endpoints[node[0] as usize..node[1] as usize];
                [one, other].iter().all(|wanted| nics.iter().any(|nic| fabric(nic.port) == *wanted))
            });
            if !joined {
                return Err(TopologyError::NoGateway { one, other });
            }
        }
    }
    Ok(())
}
