//! Third-party Ethernet endpoints: their timing, and what their link agrees on with the switch
//! port.

use crate::{NicParameters, ResponseScope};
use philae_units::preset;
use philae_wire::negotiation::{Enhancement, Enhancements, LinkAgreement, agree};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;

/// Least frame of standard Ethernet with its preamble, in bytes. Source: IEEE 802.3. Status:
/// published.
pub const FRAME_MIN_BYTES: u32 = 72;
/// Gap between frames of standard Ethernet, in bytes. Source: IEEE 802.3. Status: published.
pub const GAP_BYTES: u32 = 12;
/// Least frame if short frames are agreed on, in bytes. Source: SC20 II-F. Status: published.
const SHORT_FRAME_BYTES: u32 = 32;
/// Preamble 8, Ethernet 14 and check sequence 4. Source: IEEE 802.3. Status: published.
const ETHERNET_BYTES: u32 = 26;
/// IPv4 without options. Source: RFC 791. Status: published.
const IP_BYTES: u32 = 20;
/// UDP. Source: RFC 768. Status: published.
const UDP_BYTES: u32 = 8;
/// TCP without options. Source: RFC 9293. Status: published.
const TCP_BYTES: u32 = 20;
/// Transport header and check sequence of RoCEv2. Source: InfiniBand annex A17. Status: published.
const ROCE_BYTES: u32 = 12 + 4;
/// RoCEv2's largest payload, and here Ultra Ethernet's. Source: InfiniBand 9.4: path MTU of 256 to
/// 4,096 bytes. Status: published for RoCEv2, assumed for Ultra Ethernet.
const PATH_MTU_MAX: u32 = 4_096;
/// The most of an MTU that RoCEv2's headers take (IP, UDP, transport, RDMA extended header), in
/// bytes. Source: their standards. Status: derived.
const ROCE_MTU_HEADERS: u32 = IP_BYTES + UDP_BYTES + ROCE_BYTES + 16;
/// The most of an MTU that Ultra Ethernet's headers take: IPv6, UDP, request with congestion state,
/// standard request with the rendezvous extension, CRC, in bytes. Source: its formats
/// ([`philae_wire::uet`]). Status: derived.
const UET_MTU_HEADERS: u32 = 40 + UDP_BYTES + 28 + 68 + 4;
/// Headers of a full packet of Ultra Ethernet behind UDP: request, standard request, CRC. Sizes in a
/// run are those of [`UetSizes`](crate::UetSizes). Source: its formats. Status: derived.
const UET_BYTES: u32 = 12 + 44 + 4;

/// What carries a third-party endpoint's messages.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[serde(rename = "Transport")]
pub enum ThirdPartyTransport {
    /// RoCEv2: the NIC places data, no core per packet.
    Roce,
    /// TCP in the kernel.
    Tcp,
    /// UDP in the kernel.
    Udp,
    /// Ultra Ethernet: the NIC places data, matches, and has a law of its own.
    Uet,
}

/// As scenarios write it.
impl fmt::Debug for ThirdPartyTransport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Roce => "roce",
            Self::Tcp => "tcp",
            Self::Udp => "udp",
            Self::Uet => "uet",
        })
    }
}

/// Part of `receive_ns` until a NIC has accepted a packet. Source: ConnectX-5's preset, 220 of 400
/// ns. Status: assumed.
const ACCEPT_PERCENT: u64 = 55;

/// A third-party endpoint as a timing model.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct EthernetParameters {
    /// What carries messages.
    pub transport: ThirdPartyTransport,
    /// Largest IP packet, in bytes: 1500 or 9000.
    pub mtu_bytes: u32,
    /// Largest payload that a command carries inline, in bytes.
    pub inline_max_bytes: u32,
    /// From the core's store to the NIC acting on the command, in nanoseconds.
    pub command_ns: u32,
    /// PCIe read round trip to fetch payload, in nanoseconds.
    pub dma_read_ns: u32,
    /// From the command (and payload) to the first bit on the wire, in nanoseconds.
    pub transmit_ns: u32,
    /// From the last bit to data in memory and an event visible to the host, in nanoseconds.
    pub receive_ns: u32,
    /// Least time between packets that the NIC puts on the wire, in picoseconds.
    pub packet_gap_ps: u32,
    /// Largest message sent eagerly over RoCEv2 and Ultra Ethernet, in bytes; TCP and UDP send all messages eagerly.
    pub eager_max_bytes: u32,
    /// Whether its port can take frames of 32 bytes.
    pub short_frames: bool,
    /// Whether its port can do without the gap between frames (agreed on with link retry only).
    pub no_gap: bool,
    /// Whether its port can retry on the link.
    pub link_retry: bool,
    /// Whether its port can be held by credits (agreed on with link retry only).
    pub credits: bool,
    /// Whether it obeys priority flow control; without this and without credits, an edge buffer discards packets when it is full.
    pub pause: bool,
    /// Receive queues, each served by one core: 1 to 128. TCP and UDP only.
    pub receive_queues: u32,
    /// Core time per packet received, in nanoseconds. TCP and UDP only.
    pub receive_packet_ns: u32,
    /// Whether the NIC checks TCP's and UDP's checksums.
    pub checksum_offload: bool,
    /// Core time per byte of payload to check it in software, in picoseconds; without the offload only.
    pub checksum_ps_per_byte: u32,
}

preset!(
    /// A third-party NIC of today behind standard Ethernet, with RoCEv2 and priority flow control.
    EthernetParameters, standard, standard_provenance, {
    transport = ThirdPartyTransport::Roce, Assumed, "storage and gateways speak RoCEv2 where they can", "roce, tcp, udp, uet", "frame sizes, host time";
    mtu_bytes = 1_500, Published, "IEEE 802.3: the standard's payload; 9000 is common and not in it", "", "efficiency of large messages";
    inline_max_bytes = 220, Assumed, "ConnectX-5's figure", "0 to 956", "small-message latency step";
    command_ns = 200, Assumed, "ConnectX-5's figure", "100 to 400", "absolute latency";
    dma_read_ns = 450, Assumed, "ConnectX-5's figure", "300 to 700", "latency step beyond inline";
    transmit_ns = 300, Assumed, "ConnectX-5's figure", "150 to 500", "absolute latency";
    receive_ns = 400, Assumed, "ConnectX-5's figure", "250 to 700", "absolute latency";
    packet_gap_ps = 5_000, Assumed, "ConnectX-5's figure", "5000 to 30000", "message rate";
    eager_max_bytes = 16_384, Assumed, "libfabric RxM's default buffer", "4 KiB to 64 KiB", "latency of medium messages";
    short_frames = false, Published, "SC20 II-F: frames below 64 bytes are Slingshot's own", "", "small-packet bandwidth";
    no_gap = false, Published, "SC20 II-F: no gap is Slingshot's own", "", "efficiency of the edge link";
    link_retry = false, Published, "SC20 II-F: link-level reliability is Slingshot's own", "", "what a damaged frame costs";
    credits = false, Published, "SC20 II-F: credits are Slingshot's own", "", "what holds the NIC back";
    pause = true, Published, "IEEE 802.1Q, priority flow control, which RoCEv2 asks for", "", "loss at a full edge buffer";
    receive_queues = 8, Assumed, "common default of drivers, one a core up to eight", "1 to 128", "rate of TCP and UDP into one node";
    receive_packet_ns = 300, Derived, "Slingshot 400: kernel Ethernet at 40 Gb/s a thread; 1,500 bytes take 300 ns", "", "rate of TCP and UDP into one node";
    checksum_offload = true, Assumed, "every NIC of this class does it", "true, false", "rate of TCP and UDP into one node";
    checksum_ps_per_byte = 125, Assumed, "8 bytes a nanosecond on one core", "30 to 500", "rate of TCP and UDP into one node";
});

impl EthernetParameters {
    /// What its port advertises.
    #[must_use]
    pub fn enhancements(&self) -> Enhancements {
        let offers = [
            (self.short_frames, Enhancement::ShortFrames),
            (self.no_gap, Enhancement::NoGap),
            (self.link_retry, Enhancement::LinkRetry),
            (self.credits, Enhancement::Credits),
        ];
        offers.iter().filter(|(offered, _)| *offered).fold(Enhancements::NONE, |set, (_, offer)| set.with(*offer))
    }

    /// What its link agrees on with a port of a Slingshot switch, which offers everything.
    #[must_use]
    pub fn edge_link(&self) -> EdgeLink {
        let agreement = agree(Enhancements::ALL, self.enhancements());
        let has = |enhancement| agreement.enabled.contains(enhancement);
        EdgeLink {
            agreement,
            gap_bytes: if has(Enhancement::NoGap) { 0 } else { GAP_BYTES },
            frame_min_bytes: if has(Enhancement::ShortFrames) { SHORT_FRAME_BYTES } else { FRAME_MIN_BYTES },
            retry: has(Enhancement::LinkRetry),
            hold: match (has(Enhancement::Credits), self.pause) {
                (true, _) => EdgeHold::Credits,
                (false, true) => EdgeHold::Pause,
                (false, false) => EdgeHold::Nothing,
            },
        }
    }

    /// A key that was changed and changes nothing with the others: its name, its value, and where it
    /// has an effect.
    #[must_use]
    pub fn idle_key(&self) -> Option<(&'static str, String, &'static str)> {
        const KERNEL: &str = "no such key; or transport = \"tcp\" or \"udp\", in whose kernels cores take in packets";
        let (standard, places) = (Self::standard(), self.places_data());
        let works_per_byte = if places { KERNEL } else { "no such key; or checksum_offload = false" };
        let keys = [
            (places && self.receive_queues != standard.receive_queues)
                .then(|| ("hardware.ethernet.receive_queues", self.receive_queues.to_string(), KERNEL)),
            (places && self.receive_packet_ns != standard.receive_packet_ns)
                .then(|| ("hardware.ethernet.receive_packet_ns", self.receive_packet_ns.to_string(), KERNEL)),
            (places && self.checksum_offload != standard.checksum_offload)
                .then(|| ("hardware.ethernet.checksum_offload", self.checksum_offload.to_string(), KERNEL)),
            ((places || self.checksum_offload) && self.checksum_ps_per_byte != standard.checksum_ps_per_byte).then(
                || ("hardware.ethernet.checksum_ps_per_byte", self.checksum_ps_per_byte.to_string(), works_per_byte),
            ),
            (!places && self.eager_max_bytes != standard.eager_max_bytes).then(|| {
                let works = "no such key: TCP and UDP send all messages eagerly";
                ("hardware.ethernet.eager_max_bytes", self.eager_max_bytes.to_string(), works)
            }),
        ];
        let (key, found, works) = keys.into_iter().flatten().next()?;
        Some((key, format!("{found}, with transport = \"{:?}\", where it changes nothing", self.transport), works))
    }

    /// Payload of a full packet, in bytes.
    #[must_use]
    pub const fn payload_max_bytes(&self) -> u32 {
        match self.transport {
            ThirdPartyTransport::Tcp => self.mtu_bytes.saturating_sub(IP_BYTES + TCP_BYTES),
            ThirdPartyTransport::Udp => self.mtu_bytes.saturating_sub(IP_BYTES + UDP_BYTES),
            ThirdPartyTransport::Roce => self.power_of_two(ROCE_MTU_HEADERS),
            ThirdPartyTransport::Uet => self.power_of_two(UET_MTU_HEADERS),
        }
    }

    /// The largest power of two, up to 4,096, that fits the MTU beside so many bytes of headers.
    const fn power_of_two(&self, headers: u32) -> u32 {
        let mut path = PATH_MTU_MAX;
        while path > 1 && path + headers > self.mtu_bytes {
            path /= 2;
        }
        path
    }

    /// Headers of every packet with preamble and check sequence, in bytes. RDMA's extended headers
    /// are left out.
    #[must_use]
    pub const fn header_bytes(&self) -> u32 {
        let transport = match self.transport {
            ThirdPartyTransport::Tcp => TCP_BYTES,
            ThirdPartyTransport::Udp => UDP_BYTES,
            ThirdPartyTransport::Roce => UDP_BYTES + ROCE_BYTES,
            ThirdPartyTransport::Uet => UDP_BYTES + UET_BYTES,
        };
        ETHERNET_BYTES + IP_BYTES + transport
    }

    /// Whether its NIC has Ultra Ethernet's transport.
    #[must_use]
    pub const fn is_uet(&self) -> bool {
        matches!(self.transport, ThirdPartyTransport::Uet)
    }

    /// Whether its NIC, and not the kernel, places data.
    const fn places_data(&self) -> bool {
        matches!(self.transport, ThirdPartyTransport::Roce | ThirdPartyTransport::Uet)
    }

    /// Its NIC: no matching, packets of a flow in order, and on the link what was agreed on. One of
    /// Ultra Ethernet matches, takes packets in any order, and has the gap in its frames' sizes.
    #[must_use]
    pub fn nic(&self) -> NicParameters {
        let (link, is_uet) = (self.edge_link(), self.is_uet());
        NicParameters {
            inline_max_bytes: self.inline_max_bytes,
            command_ns: self.command_ns,
            dma_read_ns: self.dma_read_ns,
            transmit_ns: self.transmit_ns,
            receive_ns: self.receive_ns,
            accept_ns: (u64::from(self.receive_ns) * ACCEPT_PERCENT / 100) as u32,
            packet_gap_ps: self.packet_gap_ps,
            payload_max_bytes: self.payload_max_bytes(),
            header_first_bytes: self.header_bytes(),
            header_next_bytes: self.header_bytes(),
            frame_min_bytes: link.frame_min_bytes,
            edge_gap_bytes: if is_uet { 0 } else { link.gap_bytes },
            ordered: !is_uet,
            eager_max_bytes: if self.places_data() { self.eager_max_bytes } else { u32::MAX },
            edge_pause: link.hold != EdgeHold::Credits,
            match_offload: is_uet,
            responses: match self.transport {
                ThirdPartyTransport::Roce | ThirdPartyTransport::Tcp | ThirdPartyTransport::Uet => {
                    ResponseScope::Message
                }
                ThirdPartyTransport::Udp => ResponseScope::Switch,
            },
            ..NicParameters::connectx_5()
        }
    }

    /// Core time to take in a message of this many packets and bytes, in picoseconds; none where the
    /// NIC places data.
    #[must_use]
    pub const fn receive_work(&self, packets: u64, bytes: u64) -> u64 {
        if self.places_data() {
            return 0;
        }
        let check = if self.checksum_offload { 0 } else { self.checksum_ps_per_byte as u64 };
        packets * self.receive_packet_ns as u64 * 1_000 + bytes * check
    }
}

/// What holds a NIC back when its switch port's buffer fills.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EdgeHold {
    /// Pause frames (PFC).
    Pause,
    Credits,
    /// Nothing: what finds the buffer too full is discarded.
    Nothing,
}

impl EdgeHold {
    /// The word that tables use.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Pause => "pause",
            Self::Credits => "credits",
            Self::Nothing => "none",
        }
    }
}

/// What the two ends of an edge link do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EdgeLink {
    /// What they agreed on.
    pub agreement: LinkAgreement,
    /// Gap after each frame, both ways, in bytes.
    pub gap_bytes: u32,
    /// Least frame, in bytes.
    pub frame_min_bytes: u32,
    /// Whether a damaged frame is sent again on the link.
    pub retry: bool,
    /// What holds the NIC back.
    pub hold: EdgeHold,
}

impl EdgeLink {
    /// Names of what was agreed on: "short frames, link retry", or "standard Ethernet".
    #[must_use]
    pub fn names(&self) -> String {
        let names: Vec<String> = self.agreement.enabled.iter().map(|name| name.to_string()).collect();
        if names.is_empty() { "standard Ethernet".to_owned() } else { names.join(", ") }
    }

    /// What was withheld, each with what it lacks: "no gap (needs link retry)"; empty where nothing
    /// was.
    #[must_use]
    pub fn withheld(&self) -> String {
        let reasons = self.agreement.reasons().map(|(name, lacks)| format!("{name} (needs {lacks})"));
        reasons.collect::<Vec<_>>().join(", ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire_bytes;

    #[test]
    fn standard_frames_have_the_sizes_of_their_standards() {
        let roce = EthernetParameters::standard();
        assert_eq!(roce.payload_max_bytes(), 1_024, "the largest path MTU in 1,500 bytes");
        let jumbo = EthernetParameters { mtu_bytes: 9_000, ..roce.clone() };
        assert_eq!(jumbo.payload_max_bytes(), 4_096);
        assert_eq!(wire_bytes(&roce.nic(), 1_024, true), 8 + 14 + 20 + 8 + 12 + 1_024 + 4 + 4);
        assert_eq!(wire_bytes(&roce.nic(), 1, true), 72, "the least frame and its preamble");
        let tcp = EthernetParameters { transport: ThirdPartyTransport::Tcp, ..roce.clone() };
        assert_eq!(wire_bytes(&tcp.nic(), 1_460, true), 1_526, "a full frame with its preamble");
        let udp = EthernetParameters { transport: ThirdPartyTransport::Udp, ..roce };
        assert_eq!(wire_bytes(&udp.nic(), udp.payload_max_bytes(), true), 1_526);
    }

    #[test]
    fn what_lacks_something_falls_back() {
        let standard = EthernetParameters::standard();
        let link = standard.edge_link();
        assert_eq!((link.gap_bytes, link.retry, link.hold), (12, false, EdgeHold::Pause));
        assert_eq!((link.names(), link.withheld()), ("standard Ethernet".to_owned(), String::new()));
        let half = EthernetParameters { no_gap: true, credits: true, short_frames: true, ..standard.clone() };
        let link = half.edge_link();
        assert_eq!((link.gap_bytes, link.frame_min_bytes, link.hold), (12, 32, EdgeHold::Pause));
        assert_eq!(link.names(), "short frames");
        assert_eq!(link.withheld(), "no gap (needs link retry), credits (needs link retry)");
        let full = EthernetParameters { link_retry: true, ..half };
        let link = full.edge_link();
        assert_eq!((link.gap_bytes, link.retry, link.hold), (0, true, EdgeHold::Credits));
        assert_eq!(full.nic().edge_gap_bytes, 0);
        let bare = EthernetParameters { pause: false, ..standard };
        assert_eq!(bare.edge_link().hold, EdgeHold::Nothing);
    }

    #[test]
    fn only_the_kernel_works_per_packet() {
        let roce = EthernetParameters::standard();
        assert_eq!(roce.receive_work(10, 10_240), 0);
        let tcp = EthernetParameters { transport: ThirdPartyTransport::Tcp, ..roce };
        assert_eq!(tcp.receive_work(10, 14_600), 3_000_000);
        let checked = EthernetParameters { checksum_offload: false, ..tcp };
        assert_eq!(checked.receive_work(10, 14_600), 3_000_000 + 14_600 * 125);
    }
}
