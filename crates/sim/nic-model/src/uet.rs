//! Ultra Ethernet's transport in a NIC: when it acknowledges, when it sends again, and how it
//! spreads packets over paths.

use std::collections::VecDeque;
use std::fmt;

use philae_engine::RandomStream;
use philae_units::preset;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How the entropy of packets is chosen, by which switches choose paths.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum EntropySpray {
    /// One value for each sender and receiver: all packets take one path.
    Flow,
    /// All values in turn, in another order each time.
    Oblivious,
    /// A value that has come back without a mark is used again, and others are drawn at random (REPS).
    Recycled,
}

/// As scenarios write it.
impl fmt::Debug for EntropySpray {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Flow => "flow",
            Self::Oblivious => "oblivious",
            Self::Recycled => "recycled",
        })
    }
}

/// What is around the transport's headers, and so how many bytes its packets have.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum UetEncapsulation {
    /// IP and UDP. The source port is the entropy.
    Udp,
    /// IP and an entropy header.
    Ip,
    /// Nothing of the formats: packets have the sizes of `hardware.nic`, as other simulators count.
    Nic,
}

/// As scenarios write it.
impl fmt::Debug for UetEncapsulation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Udp => "udp",
            Self::Ip => "ip",
            Self::Nic => "nic",
        })
    }
}

/// How a message that is too long for an eager send goes.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum UetLongSend {
    /// The sender asks, and the receiver reads the data when a receive is posted.
    Rendezvous,
    /// The sender sends. A target without a receive for it defers the message at its first packet, and asks for it
    /// again when a receive is posted.
    Deferrable,
}

/// As scenarios write it.
impl fmt::Debug for UetLongSend {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Rendezvous => "rendezvous",
            Self::Deferrable => "deferrable",
        })
    }
}

/// The transport's parameters.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct UetParameters {
    /// A receiver acknowledges once this many bytes have arrived, at the end of a message, and at a mark.
    pub ack_bytes: u32,
    /// Time after which a packet without an acknowledgement is lost, in nanoseconds. 0: 15 us and six times what a link
    /// needs for the longest queue of a class that may lose packets, and 10 ms for other classes.
    pub retry_timeout_ns: u64,
    /// Times that a packet is sent again before its message fails.
    pub retries_max: u8,
    /// How the entropy of packets is chosen: "flow", "oblivious" or "recycled".
    pub spray: EntropySpray,
    /// Values of the entropy.
    pub entropy_values: u16,
    /// What is around the transport's headers: "udp" (IP and UDP), "ip" (IP and an entropy header), or "nic": packets
    /// have the sizes of `hardware.nic`, as other simulators count.
    pub encapsulation: UetEncapsulation,
    /// Version of IP: 4 or 6.
    pub ip: u8,
    /// Preamble and gap of each Ethernet frame, in bytes, on every link.
    pub frame_gap_bytes: u32,
    /// How a message goes that is longer than `hardware.nic.eager_max_bytes`: "rendezvous" or "deferrable" (sent at
    /// once; a target without a receive for it defers it).
    pub long_send: UetLongSend,
}

preset!(
    /// As in the consortium's simulator.
    UetParameters, uec, uec_provenance, {
    ack_bytes = 16_384, Published, "uet-htsim UecSink: 16,384 bytes", "0 to 65536", "number of acknowledgements";
    retry_timeout_ns = 0, Published, "uet-htsim main_uec: 15 us + 6 x queue / rate; it has no queues without a limit, for which 10 ms is assumed", "0, or 20000 to 10000000", "time until a lost packet is sent again";
    retries_max = 16, Assumed, "configurable in UE 1.0 (Max_RTO_Retx_Cnt); the default is not public", "1 to 255", "time until a message to a dead NIC fails";
    spray = EntropySpray::Recycled, Published, "REPS (Bonato et al., arXiv 2407.21625); uet-htsim -load_balancing_algo", "flow, oblivious or recycled", "load balance";
    entropy_values = 64, Published, "uet-htsim main_uec: 64 paths; 16 bits on the wire", "1 to 65535", "load balance";
    encapsulation = UetEncapsulation::Udp, Published, "port 4793 of UDP is assigned to it; uet-ref-prov also sends natively over IP", "udp, ip or nic", "share of headers in a packet";
    ip = 4, Assumed, "both versions are in the formats", "4 or 6", "share of headers in a packet";
    frame_gap_bytes = 20, Published, "IEEE 802.3: preamble 8 and mean gap 12", "0 to 20; 0: a link without both, as between Slingshot's switches", "share of headers in a packet";
    long_send = UetLongSend::Rendezvous, Published, "UE overview (arXiv 2508.08906): both are profiles of the semantic layer", "rendezvous or deferrable", "latency of long messages; packets that are sent twice";
});

/// The entropy of one sender's packets to one receiver.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EntropyChoice {
    random: RandomStream,
    /// The value of a flow.
    flow: u16,
    /// How many values of the present turn have been used, and what changes their order.
    used: u16,
    turn: u16,
    /// Values that have come back without a mark, the oldest first.
    returned: VecDeque<u16>,
}

impl EntropyChoice {
    /// Values that are kept to be used again. Source: REPS, a buffer of 8 values.
    /// Status: published.
    const KEPT: usize = 8;

    /// For packets from `source` to `destination`.
    #[must_use]
    pub fn new(seed: u64, source: u32, destination: u32) -> Self {
        /// The purpose of the stream, which other streams do not have.
        const PURPOSE: u64 = 0x7565_7465;
        let mut random = RandomStream::new(seed, u64::from(source) << 32 | u64::from(destination), PURPOSE);
        let turn = random.next_u64() as u16;
        Self { random, flow: turn, used: 0, turn, returned: VecDeque::new() }
    }

    /// The entropy of all packets, where they take one path.
    #[must_use]
    pub fn of_flow(&self, parameters: &UetParameters) -> u16 {
        self.flow % parameters.entropy_values.max(1)
    }

    /// The entropy of the next packet.
    pub fn next(&mut self, parameters: &UetParameters) -> u16 {
        let values = parameters.entropy_values.max(1);
        match parameters.spray {
            EntropySpray::Flow => self.of_flow(parameters),
            EntropySpray::Oblivious => {
                if self.used >= values {
                    (self.used, self.turn) = (0, self.random.next_u64() as u16);
                }
                let value = (u32::from(self.used) + u32::from(self.turn % values)) % u32::from(values);
                self.used += 1;
                value as u16
            }
            EntropySpray::Recycled => match self.returned.pop_front() {
                Some(value) => value,
                None => self.random.below(values.into()) as u16,
            },
        }
    }

    /// A packet with this entropy has arrived, with or without a mark.
    pub fn returned(&mut self, parameters: &UetParameters, entropy: u16, marked: bool) {
        if parameters.spray != EntropySpray::Recycled || marked {
            return;
        }
        if self.returned.len() == Self::KEPT {
            self.returned.pop_front();
        }
        self.returned.push_back(entropy);
    }

    /// Memory held beyond itself, in bytes.
    #[must_use]
    pub fn memory_bytes(&self) -> usize {
        self.returned.capacity() * size_of::<u16>()
    }
}

impl Default for UetParameters {
    fn default() -> Self {
        Self::uec()
    }
}

impl UetParameters {
    /// Time after which a packet is lost, in picoseconds. `queue_bytes`: the longest queue of its
    /// class, if the class may lose packets.
    #[must_use]
    pub fn timeout_ps(&self, queue_bytes: Option<u32>, rate_mbps: u32) -> u64 {
        /// For classes that lose nothing. Source: ours, longer than the first burst of an incast of
        /// 1,024 senders waits.
        /// Status: assumed.
        const LOSSLESS_PS: u64 = 10_000_000_000;
        match (self.retry_timeout_ns, queue_bytes) {
            (0, None) => LOSSLESS_PS,
            (0, Some(bytes)) => 15_000_000 + 6 * 8_000_000 * u64::from(bytes) / u64::from(rate_mbps.max(1)),
            (timeout, _) => timeout * 1_000,
        }
    }

    /// What makes no sense about its values: the key, what it is and what works.
    #[must_use]
    pub fn fault(&self) -> Option<(&'static str, u64, &'static str)> {
        if self.entropy_values == 0 {
            return Some(("hardware.uet.entropy_values", 0, "at least one value: 1 is one path for each pair"));
        }
        if ![4, 6].contains(&self.ip) {
            return Some(("hardware.uet.ip", self.ip.into(), "4 or 6"));
        }
        /// Far above any gap. Source: ours. Status: assumed.
        const GAP_MAX: u32 = 1_000;
        (self.frame_gap_bytes > GAP_MAX).then_some((
            "hardware.uet.frame_gap_bytes",
            self.frame_gap_bytes.into(),
            "0 to 1000; Ethernet has 20",
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawn(spray: EntropySpray, count: usize) -> Vec<u16> {
        let parameters = UetParameters { spray, ..UetParameters::uec() };
        let mut choice = EntropyChoice::new(1, 3, 7);
        (0..count).map(|_| choice.next(&parameters)).collect()
    }

    #[test]
    fn a_flow_has_one_value_and_other_flows_have_others() {
        let one = drawn(EntropySpray::Flow, 100);
        assert!(one.iter().all(|value| *value == one[0]));
        let parameters = UetParameters { spray: EntropySpray::Flow, ..UetParameters::uec() };
        let mut all: Vec<u16> = (0..500).map(|to| EntropyChoice::new(1, 3, to).next(&parameters)).collect();
        all.sort_unstable();
        all.dedup();
        assert!(all.len() > 60, "{} of 64 values for 500 receivers", all.len());
    }

    #[test]
    fn an_oblivious_sender_uses_all_values_equally() {
        let mut values = drawn(EntropySpray::Oblivious, 64 * 5);
        assert_ne!(values[..64], values[64..128], "the order changes");
        values.sort_unstable();
        assert!(values.chunks(5).enumerate().all(|(value, uses)| uses.iter().all(|use_| usize::from(*use_) == value)));
    }

    #[test]
    fn values_that_come_back_without_a_mark_are_used_again() {
        let parameters = UetParameters::uec();
        let mut choice = EntropyChoice::new(1, 3, 7);
        choice.returned(&parameters, 60, false);
        choice.returned(&parameters, 61, true);
        choice.returned(&parameters, 62, false);
        assert_eq!((choice.next(&parameters), choice.next(&parameters)), (60, 62));
        for value in 0..20 {
            choice.returned(&parameters, value, false);
        }
        assert_eq!(choice.next(&parameters), 12, "only the last eight are kept");
    }
}
