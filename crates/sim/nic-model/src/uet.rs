//! Ultra Ethernet's transport in a NIC: when it acknowledges, when it sends again, and how it
//! spreads packets over paths.

use std::fmt;

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
    /// As "recycled", and the sender knows which values are for shortest paths: it begins with those, and uses others as
    /// often as shortest ones come back marked. For "ecmp-nonminimal".
    PathAware,
}

/// As scenarios write it.
impl fmt::Debug for EntropySpray {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Flow => "flow",
            Self::Oblivious => "oblivious",
            Self::Recycled => "recycled",
            Self::PathAware => "path-aware",
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
    /// What is left of a packet that a switch trims, in bytes on the wire. 0: the least that the formats allow.
    pub trimmed_bytes: u16,
    /// Whether a target whose host takes data slowly slows its senders: by the window's penalty in acknowledgements (NSCC),
    /// by fewer credits (RCCC). Otherwise its NIC pauses its port.
    pub destination_flow_control: bool,
    /// Times that a packet is sent again before its message fails. One that switches have trimmed counts as sent again
    /// once, however often.
    pub retries_max: u8,
    /// How the entropy of packets is chosen: "flow", "oblivious", "recycled" or "path-aware".
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
    trimmed_bytes = 0, Published, "uet-htsim UecDataPacket::strip_payload: 64 bytes, Ethernet's least frame", "0, or 64 to 512", "cost of a trimmed packet";
    destination_flow_control = true, Assumed, "acknowledgements of UE 1.0 have a penalty of 7 bits (uet-ref-prov); when it grows is ours", "", "pauses by slow hosts";
    retries_max = 16, Assumed, "configurable in UE 1.0 (Max_RTO_Retx_Cnt); the default is not public", "1 to 255", "time until a message to a dead NIC fails";
    spray = EntropySpray::Recycled, Published, "REPS (Bonato et al., arXiv 2407.21625); uet-htsim -load_balancing_algo", "flow, oblivious, recycled or path-aware", "load balance";
    entropy_values = 64, Published, "uet-htsim main_uec: 64 paths; 16 bits on the wire", "1 to 65535", "load balance";
    encapsulation = UetEncapsulation::Udp, Published, "port 4793 of UDP is assigned to it; uet-ref-prov also sends natively over IP", "udp, ip or nic", "share of headers in a packet";
    ip = 4, Assumed, "both versions are in the formats", "4 or 6", "share of headers in a packet";
    frame_gap_bytes = 20, Published, "IEEE 802.3: preamble 8 and mean gap 12", "0 to 20; 0: a link without both, as between Slingshot's switches", "share of headers in a packet";
    long_send = UetLongSend::Rendezvous, Published, "UE overview (arXiv 2508.08906): both are profiles of the semantic layer", "rendezvous or deferrable", "latency of long messages; packets that are sent twice";
});

impl Default for UetParameters {
    fn default() -> Self {
        Self::uec()
    }
}

impl UetParameters {
    /// The least that can be left of a packet: the least frame. Source: IEEE 802.3. Status:
    /// published.
    pub const TRIMMED_LEAST: u16 = 64;
    /// The most: all headers fit. Source: ours. Status: assumed.
    pub const TRIMMED_MOST: u16 = 512;
    /// Far above any gap between frames. Source: ours. Status: assumed.
    pub const GAP_MAX_BYTES: u32 = 1_000;

    /// Time after which a packet is lost, in picoseconds. `queue_bytes`: the longest queue of its
    /// class, if the class may lose packets. `percent`: the most of a link that its class can have;
    /// with less of it every wait is longer.
    #[must_use]
    pub fn timeout_ps(&self, queue_bytes: Option<u32>, rate_mbps: u32, percent: u32) -> u64 {
        /// For classes that lose nothing. Source: ours, longer than the first burst of an incast of
        /// 1,024 senders waits.
        /// Status: assumed.
        const LOSSLESS_PS: u64 = 10_000_000_000;
        let with_whole_link = match (self.retry_timeout_ns, queue_bytes) {
            (0, None) => LOSSLESS_PS,
            (0, Some(bytes)) => 15_000_000 + 6 * 8_000_000 * u64::from(bytes) / u64::from(rate_mbps.max(1)),
            (timeout, _) => return timeout * 1_000,
        };
        with_whole_link * 100 / u64::from(percent.max(1))
    }

    /// What makes no sense about its values: the key, what it is and what works.
    #[must_use]
    pub fn fault(&self) -> Option<(&'static str, String, &'static str)> {
        if self.entropy_values == 0 {
            return Some((
                "hardware.uet.entropy_values",
                "0".to_owned(),
                "at least one value: 1 is one path for each pair",
            ));
        }
        if ![4, 6].contains(&self.ip) {
            return Some(("hardware.uet.ip", self.ip.to_string(), "4 or 6"));
        }
        if self.frame_gap_bytes > Self::GAP_MAX_BYTES {
            return Some((
                "hardware.uet.frame_gap_bytes",
                self.frame_gap_bytes.to_string(),
                "0 to 1000; Ethernet has 20",
            ));
        }
        let trimmed = self.trimmed_bytes;
        if trimmed != 0 && !(Self::TRIMMED_LEAST..=Self::TRIMMED_MOST).contains(&trimmed) {
            let works = "0, or 64 to 512: the headers of a packet";
            return Some(("hardware.uet.trimmed_bytes", trimmed.to_string(), works));
        }
        self.idle_key()
    }

    /// A key that was changed and changes nothing, because packets have the sizes of
    /// `hardware.nic`.
    fn idle_key(&self) -> Option<(&'static str, String, &'static str)> {
        let standard = Self::uec();
        let is_idle = self.encapsulation == UetEncapsulation::Nic;
        let works = "no such key; or encapsulation = \"udp\" or \"ip\", whose packets have these headers";
        let found = |value: u32| format!("{value}, with encapsulation = \"nic\", where it changes nothing");
        if is_idle && self.ip != standard.ip {
            return Some(("hardware.uet.ip", found(self.ip.into()), works));
        }
        let has_gap = is_idle && self.frame_gap_bytes != standard.frame_gap_bytes;
        has_gap.then(|| ("hardware.uet.frame_gap_bytes", found(self.frame_gap_bytes), works))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_automatic_timer_knows_the_part_of_a_link() {
        let automatic = UetParameters::uec();
        assert_eq!(automatic.timeout_ps(Some(100_000), 400_000, 100), 15_000_000 + 12_000_000);
        assert_eq!(automatic.timeout_ps(Some(100_000), 400_000, 1), 100 * (15_000_000 + 12_000_000));
        assert_eq!(automatic.timeout_ps(None, 400_000, 50), 2 * automatic.timeout_ps(None, 400_000, 100));
        let given = UetParameters { retry_timeout_ns: 20_000, ..automatic };
        assert_eq!(given.timeout_ps(Some(100_000), 400_000, 1), 20_000_000, "a time that was asked for");
    }
}
