//! Traffic counters of ports: totals with the switch's own clock, so that two reports give a rate.

use prost::Message;

/// Traffic of a port since its counters began.
#[derive(Clone, Copy, PartialEq, Eq, Message)]
pub struct PortCounters {
    /// The port.
    #[prost(uint32, tag = "1")]
    pub port: u32,
    /// Bytes sent.
    #[prost(uint64, tag = "2")]
    pub sent_bytes: u64,
    /// Packets sent.
    #[prost(uint64, tag = "3")]
    pub sent_packets: u64,
}

/// Counters of ports, read at one moment. Ports that are absent have carried no traffic since the
/// previous report.
#[derive(Clone, PartialEq, Eq, Message)]
pub struct CounterReading {
    /// The switch's clock, nanoseconds.
    #[prost(uint64, tag = "1")]
    pub clock_ns: u64,
    /// The ports.
    #[prost(message, repeated, tag = "2")]
    pub ports: Vec<PortCounters>,
}

impl CounterReading {
    /// Merges newer counters, which may be of other ports.
    pub fn take_in(&mut self, newer: Self) {
        self.clock_ns = newer.clock_ns;
        for counters in newer.ports {
            match self.ports.iter_mut().find(|known| known.port == counters.port) {
                Some(known) => *known = counters,
                None => self.ports.push(counters),
            }
        }
    }
}
