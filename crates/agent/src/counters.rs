//! What ports have carried: totals by the switch's own clock, so that whoever reads two of them has a rate.

use prost::Message;

/// What a port has carried since its counters began.
#[derive(Clone, Copy, PartialEq, Eq, Message)]
pub struct PortCounters {
    /// Which.
    #[prost(uint32, tag = "1")]
    pub port: u32,
    /// Bytes that it has sent.
    #[prost(uint64, tag = "2")]
    pub sent_bytes: u64,
    /// Packets that it has sent.
    #[prost(uint64, tag = "3")]
    pub sent_packets: u64,
}

/// Counters of ports, read at one moment. Ports that are not named have carried nothing since the report before.
#[derive(Clone, PartialEq, Eq, Message)]
pub struct Counters {
    /// The switch's clock, nanoseconds.
    #[prost(uint64, tag = "1")]
    pub clock_ns: u64,
    /// The ports.
    #[prost(message, repeated, tag = "2")]
    pub ports: Vec<PortCounters>,
}

impl Counters {
    /// Takes newer ones in, which may be of other ports.
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
