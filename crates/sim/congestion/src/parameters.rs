//! The figures of each law.

use philae_units::preset;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What the injection limit bounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum InjectionScope {
    /// Each flow for itself.
    Flow,
    /// All flows of an ingress port together, and each flow for itself.
    Port,
}

/// Slingshot's flow control.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct SlingshotParameters {
    /// Span that the injection limit covers, in nanoseconds: `injection_scope` may have `edge rate x span` in the fabric.
    pub injection_limit_ns: u32,
    /// What the injection limit bounds: the bytes that each flow has in the fabric, or also those of all flows of an
    /// ingress port together.
    pub injection_scope: InjectionScope,
    /// Depth of an edge output's request queue beyond which its flows count as congesting, in bytes.
    pub endpoint_threshold_bytes: u32,
    /// Bytes that a congesting flow may have in the fabric (one packet always goes).
    pub held_window_bytes: u32,
    /// How long a congesting flow waits per byte of excess queue, in multiples of the time the egress needs for it.
    pub stiffness: u32,
    /// Whether the egress notifies the ingress when a packet of a free flow arrives at a congested queue (otherwise the
    /// ingress learns only from the packet's acknowledgement).
    pub early_notice: bool,
    /// Depth of an output's request queue between switches beyond which packets are marked, in bytes. Their ordered flows
    /// choose another path once they have nothing in the fabric. 0: ordered flows keep their path while they are busy.
    pub reroute_threshold_bytes: u32,
    /// Least time that an ordered flow keeps a path before a mark moves it, in nanoseconds. Each flow stays up to as long
    /// again, so that flows that meet do not all move at once. Each move in a row doubles both, up to 64 times.
    pub reroute_stay_ns: u32,
    /// Flows that one ingress port can track.
    pub flows_per_port: u32,
    /// Bytes that one endpoint's packets may have queued for, and in the buffer beyond, a link between switches; further
    /// ones wait in flow queues, where packets for other endpoints pass them.
    pub endpoint_share_bytes: u32,
    /// Shares for flows, which replace those for endpoints: bytes that one flow's packets may have queued for, and in the
    /// buffer beyond, a link between switches. 0: endpoints have shares, and flows have none.
    pub flow_share_bytes: u32,
}

preset!(
    /// As published for Rosetta, with the unpublished figures assumed.
    SlingshotParameters, rosetta, rosetta_provenance, {
    injection_limit_ns = 3_000, Published, "Slingshot 400 III-A: 150 KB = 400 Gb/s x 3 us round trip", "", "burst that reaches the fabric before control engages";
    injection_scope = InjectionScope::Port, Published, "Slingshot 400 III-A: each ingress port may inject enough for one round trip; flow is the scope of Philae 0.1", "flow or port", "time of packets under uniform load";
    endpoint_threshold_bytes = 65_536, Assumed, "under the injection limit of two flows at 200 Gb/s; not published", "16 KiB to 256 KiB", "standing queue at a congested endpoint";
    held_window_bytes = 4_158, Assumed, "one full packet: the stiffest window that keeps a flow moving", "1 to 16 packets", "fabric load of an incast";
    stiffness = 4, Assumed, "standing queue falls as 1/(1 + stiffness); not published", "0 to 32", "standing queue of a large incast";
    early_notice = true, Derived, "US patent 12,267,229: endpoint congestion notices carry flow and level upstream", "", "time until contributors are at their fair share";
    reroute_threshold_bytes = 49_152, Assumed, "US patent 11,902,150: acknowledgements tell of congestion inside the fabric and flows that do not cause it move; depth not published: endpoint_share_bytes, the most that one flow queues; 0 is the rule of Philae 0.1", "0, or from endpoint_share_bytes to less than twice that: with less, a flow moves from its own queue; with more, two flows on a link stay together", "bisection of long ordered flows";
    reroute_stay_ns = 20_000, Assumed, "several round trips, so that what others' moves changed shows first; not published", "5000 to 200000", "how fast long flows find free paths";
    endpoint_share_bytes = 49_152, Assumed, "flow queues and credits per flow between switches are published (Slingshot 400 III-A; US patents 11,777,843 and 12,218,829), their size is not: full rate over 100 m of cable and a quarter of the buffer left to other endpoints", "16 KiB to 208 KiB", "what a burst to one endpoint does to others";
    flow_share_bytes = 0, Assumed, "off: the share of an endpoint stands for the queues of its flows", "0, or 4 KiB to 208 KiB", "what a burst to one endpoint does to others";
    flows_per_port = 2_048, Published, "Slingshot 400 III-A: 2,048 flow queues per port", "", "all-to-all at very large scale";
});

impl Default for SlingshotParameters {
    fn default() -> Self {
        Self::rosetta()
    }
}

/// Aries' routing modes (`MPICH_GNI_ROUTING_MODE`): how strongly minimal paths are preferred.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum AriesMode {
    /// No bias.
    #[serde(rename = "ADAPTIVE_0")]
    Adaptive0,
    /// Weaker bias to minimal (on Aries it grows as the packet nears its target; here it is one figure).
    #[serde(rename = "ADAPTIVE_1")]
    Adaptive1,
    /// Weak bias to minimal.
    #[serde(rename = "ADAPTIVE_2")]
    Adaptive2,
    /// Strong bias to minimal.
    #[serde(rename = "ADAPTIVE_3")]
    Adaptive3,
    /// Minimal only, one path per pair.
    #[serde(rename = "IN_ORDER")]
    InOrder,
}

/// Aries: credits over fixed buffers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct AriesParameters {
    /// Buffer of each virtual channel of a link between routers, in bytes; nothing is shared.
    pub channel_buffer_bytes: u32,
    /// Adaptive mode.
    pub mode: AriesMode,
}

preset!(
    /// As far as published.
    AriesParameters, aries, aries_provenance, {
    channel_buffer_bytes = 16_384, Assumed, "CODES' Aries model: 8 KiB node, 16 KiB local, 8 KiB global (codes-org/codes network configurations)", "8 KiB to 64 KiB", "onset of tree saturation";
    mode = AriesMode::Adaptive0, Published, "ADAPTIVE_0 is Cray MPICH's default for most traffic", "", "share of nonminimal paths";
});

impl Default for AriesParameters {
    fn default() -> Self {
        Self::aries()
    }
}

/// DCQCN over a lossless fabric.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct EcnParameters {
    /// Queue depth at which marking begins, in bytes.
    pub mark_min_bytes: u32,
    /// Queue depth from which every packet is marked, in bytes.
    pub mark_max_bytes: u32,
    /// Marking probability at `mark_max_bytes`, in thousandths.
    pub mark_max_permille: u32,
    /// Shortest time between two notifications of one flow, in nanoseconds; the model applies it at
    /// the sender of the flow, with the same effect as at the receiver.
    pub notification_gap_ns: u32,
    /// Gain of the congestion estimate, as a power of two (8 is 1/256).
    pub gain_shift: u32,
    /// Period of the estimate's decay, in nanoseconds.
    pub estimate_period_ns: u32,
    /// Period of rate increases, in nanoseconds.
    pub increase_period_ns: u32,
    /// Bytes sent that count as one increase period.
    pub increase_bytes: u64,
    /// Periods of fast recovery before additive increase.
    pub fast_recovery_periods: u32,
    /// Additive increase, in Mb/s.
    pub additive_increase_mbps: u32,
    /// Hyper increase, in Mb/s.
    pub hyper_increase_mbps: u32,
    /// Lowest rate, in Mb/s.
    pub rate_min_mbps: u32,
    /// Bytes of one channel in an input buffer at which the port upstream is paused (PFC).
    pub pause_on_bytes: u32,
    /// Bytes at which it may go on.
    pub pause_off_bytes: u32,
}

preset!(
    /// DCQCN as published, with marking depths below the depth at which this switch pauses.
    EcnParameters, dcqcn, dcqcn_provenance, {
    mark_min_bytes = 20_000, Derived, "DCQCN section 4: marks must come before pauses, so half of pause_on_bytes. HPCC's 100 KB per 25 Gb/s is for a buffer of 32 MB that all ports share; here an input has a few hundred KB", "5 KB to pause_on", "standing queue under DCQCN, pauses";
    mark_max_bytes = 100_000, Derived, "five times mark_min_bytes; HPCC has four times. Several inputs fill a queue, each below its pause_on_bytes", "twice to twenty times mark_min", "standing queue under DCQCN, pauses";
    mark_max_permille = 200, Published, "HPCC (Li et al., SIGCOMM'19) evaluation", "", "speed of reaction";
    notification_gap_ns = 50_000, Published, "DCQCN (Zhu et al., SIGCOMM'15) section 4", "", "speed of reaction";
    gain_shift = 8, Published, "DCQCN section 5: g = 1/256", "", "depth of each cut";
    estimate_period_ns = 55_000, Published, "DCQCN section 5: 55 us", "", "decay of the estimate";
    increase_period_ns = 55_000, Published, "DCQCN section 5: 55 us", "", "speed of recovery";
    increase_bytes = 10_000_000, Published, "DCQCN section 5: 10 MB byte counter", "", "speed of recovery of fast flows";
    fast_recovery_periods = 5, Published, "DCQCN section 3: F = 5", "", "speed of recovery";
    additive_increase_mbps = 40, Published, "DCQCN section 5: 40 Mb/s", "", "speed of recovery";
    hyper_increase_mbps = 400, Assumed, "ten additive steps, as common implementations have it", "40 to 4000", "speed of recovery";
    rate_min_mbps = 100, Assumed, "common NIC default", "10 to 1000", "load of a very large incast";
    pause_on_bytes = 40_000, Assumed, "what a channel's share of the buffer leaves once a pause has taken effect over 40 m of cable", "8 KB to the headroom", "spread of pauses through the fabric";
    pause_off_bytes = 20_000, Assumed, "half, so that the link does not run dry", "0 to pause_on", "throughput of paused links";
});

impl Default for EcnParameters {
    fn default() -> Self {
        Self::dcqcn()
    }
}

/// Pauses between switches alone (PFC).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct PfcParameters {
    /// Bytes of one channel in an input buffer at which the port upstream is paused (PFC).
    pub pause_on_bytes: u32,
    /// Bytes at which it may go on.
    pub pause_off_bytes: u32,
}

preset!(
    /// IEEE 802.1Qbb with the thresholds of the `ecn` law.
    PfcParameters, pfc, pfc_provenance, {
    pause_on_bytes = 40_000, Assumed, "as under ecn: what a channel's share of the buffer leaves once a pause has taken effect over 40 m of cable", "8 KB to the headroom", "spread of pauses through the fabric";
    pause_off_bytes = 20_000, Assumed, "half, so that the link does not run dry", "0 to pause_on", "throughput of paused links";
});

impl Default for PfcParameters {
    fn default() -> Self {
        Self::pfc()
    }
}
