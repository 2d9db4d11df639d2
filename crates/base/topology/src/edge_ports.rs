//! The edge port of each endpoint, in so little memory that it stays in a cache.
//!
//! Every switch reads it for every packet, each time for another endpoint. Most systems attach the
//! endpoints of each group in the same pattern. Then it is the sum of the group's first port and
//! the endpoint's place in the group.

use philae_units::{EndpointId, PortIndex};

use crate::port::NicAttachment;

/// Edge ports by endpoint.
#[derive(Clone, Debug)]
pub(crate) struct EdgePorts {
    /// Number of endpoints after which the pattern repeats.
    period: u32,
    /// log2 of the period where it is a power of two.
    shift: Option<u32>,
    /// Port of the first endpoint of each period.
    first: Vec<u32>,
    /// Distance of each endpoint of a period from that port (wrapping).
    distance: Vec<u32>,
}

impl EdgePorts {
    /// The edge ports of these endpoints. `periods` has possible lengths of the pattern: the first
    /// valid one counts. them that is true counts.
    pub(crate) fn new(endpoints: &[NicAttachment], periods: impl IntoIterator<Item = usize>) -> Self {
        let port = |endpoint: usize| endpoints[endpoint].port.0;
        let repeats = |&period: &usize| {
            period > 1
                && (period..endpoints.len()).all(|endpoint| {
                    let own = port(endpoint).wrapping_sub(port(endpoint - endpoint % period));
                    own == port(endpoint % period).wrapping_sub(port(0))
                })
        };
        let period = periods.into_iter().find(repeats).unwrap_or(1);
        let distances = (0..period.min(endpoints.len())).map(|place| port(place).wrapping_sub(port(0)));
        Self {
            period: period as u32,
            shift: period.is_power_of_two().then(|| period.trailing_zeros()),
            first: (0..endpoints.len()).step_by(period).map(port).collect(),
            distance: distances.collect(),
        }
    }

    /// The edge port of an endpoint.
    #[inline]
    pub(crate) fn of(&self, endpoint: EndpointId) -> PortIndex {
        let (round, place) = match self.shift {
            Some(shift) => (endpoint.0 >> shift, endpoint.0 & (self.period - 1)),
            None => (endpoint.0 / self.period, endpoint.0 % self.period),
        };
        PortIndex(self.first[round as usize].wrapping_add(self.distance[place as usize]))
    }

    /// Memory held, in bytes.
    pub(crate) fn memory_bytes(&self) -> usize {
        (self.first.capacity() + self.distance.capacity()) * size_of::<u32>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{FatTreeDescription, SystemDescription, Topology, systems};

    /// Built-in systems with all their exceptions, and a tree: each endpoint has the port of its
    /// entry, and regular systems need little memory. need little.
    #[test]
    fn each_endpoint_has_its_port_and_regular_systems_need_little() {
        let built_in = systems().iter().map(|system| {
            let description = SystemDescription::load(system.name).expect("it is built in");
            Topology::build(&description).expect("it builds")
        });
        let tree = Topology::build(&FatTreeDescription::three_level(4, 4, 4, 4, 4).into()).expect("it builds");
        for topology in built_in.into_iter().chain([tree]) {
            for endpoint in (0..topology.endpoint_count() as u32).map(EndpointId) {
                assert_eq!(topology.edge_port(endpoint), topology.endpoint(endpoint).port, "{}", topology.name());
            }
            if topology.name() == "largest" {
                assert!(topology.edge_ports().memory_bytes() < 8 << 10, "{}", topology.edge_ports().memory_bytes());
            }
        }
    }

    #[test]
    fn what_does_not_repeat_is_a_table() {
        let endpoint = |port| NicAttachment { node: philae_units::NodeId(0), nic: 0, kind: 0, port: PortIndex(port) };
        let endpoints = [5, 3, 9, 21, 19, 24].map(endpoint);
        for periods in [vec![], vec![3], vec![4, 2]] {
            let ports = EdgePorts::new(&endpoints, periods);
            assert_eq!(ports.period, 1);
            let found: Vec<u32> = (0..6).map(|endpoint| ports.of(EndpointId(endpoint)).0).collect();
            assert_eq!(found, [5, 3, 9, 21, 19, 24]);
        }
        let regular = EdgePorts::new(&[5, 3, 9, 21, 19, 25, 37].map(endpoint), [2, 3]);
        assert_eq!((regular.period, regular.first.len()), (3, 3));
    }
}
