//! The figures of Ultra Ethernet's laws.

use philae_units::preset;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// NSCC, Ultra Ethernet's sender-based control.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct NsccParameters {
    /// Delay of queues that it aims at, in nanoseconds. 0: the network's longest round trip, or three quarters of it
    /// where switches trim packets.
    pub target_delay_ns: u32,
    /// Largest window, in thousandths of the bytes of a round trip.
    pub window_max_permille: u32,
    /// Fair increase: packets for each window of bytes that arrive late and unmarked, in thousandths.
    pub fair_increase_permille: u32,
    /// Proportional increase: packets for each window of bytes at no delay, for 12 us of target, in thousandths.
    pub proportional_permille: u32,
    /// Fast increase: share of the bytes that arrive, in thousandths.
    pub fast_increase_permille: u32,
    /// Delay below which there is no queue, in nanoseconds: after a window of such bytes the increase is fast.
    pub fast_below_ns: u32,
    /// Additive increase in each round trip, in thousandths of a packet.
    pub additive_increase_permille: u32,
    /// How much of the excess of delay the window loses, in thousandths.
    pub decrease_permille: u32,
    /// Most that it loses at a time, in thousandths.
    pub decrease_max_permille: u32,
    /// Gain of the mean delay, in ten-thousandths.
    pub delay_gain_permyriad: u32,
    /// Packets after which increases are applied.
    pub adjust_packets: u32,
    /// Whether losses and very long delays set the window to what has got through in a round trip.
    pub quick_adaptation: bool,
    /// They do so if that is below the largest window, divided by two to this power.
    pub quick_adaptation_shift: u8,
    /// Packets of credit that a receiver gives at a time (RCCC): a packet goes if window and credit allow it. 0: receivers
    /// give no credit; "rccc" needs at least 1. More than a first window counts as a first window.
    pub credit_packets: u32,
    /// Queue at which marking begins, in percent of the bytes of the network's longest round trip.
    pub mark_min_percent: u32,
    /// Queue from which every packet is marked, in percent of the same.
    pub mark_max_percent: u32,
}

preset!(
    /// As in SMaRTT and the consortium's simulator.
    NsccParameters, uec, uec_provenance, {
    target_delay_ns = 0, Published, "uet-htsim initNsccParams: the network's round trip, times 0.75 with trimming", "0, or 1000 to 100000", "standing queue";
    window_max_permille = 1_500, Published, "uet-htsim initNscc: 1.5 times the bandwidth-delay product", "1000 to 4000", "burst of a new flow";
    fair_increase_permille = 5_000, Published, "uet-htsim initNsccParams: fi = 5 packets", "0 to 20000", "fairness";
    proportional_permille = 4_000, Published, "uet-htsim initNsccParams: alpha = 4 packets x target / 12 us", "0 to 20000", "speed of recovery";
    fast_increase_permille = 250, Published, "uet-htsim initNsccParams: fi_scale = 0.25", "0 to 1000", "speed of recovery";
    fast_below_ns = 1_000, Published, "uet-htsim fast_increase: 1 us", "0 to 10000", "speed of recovery";
    additive_increase_permille = 150, Published, "uet-htsim initNsccParams: eta = 0.15 packets", "0 to 2000", "fairness";
    decrease_permille = 800, Published, "uet-htsim initNsccParams: gamma = 0.8", "100 to 1000", "depth of each cut";
    decrease_max_permille = 500, Published, "uet-htsim multiplicative_decrease: at most half", "100 to 900", "depth of each cut";
    delay_gain_permyriad = 125, Published, "uet-htsim initNsccParams: 0.0125", "1 to 10000", "speed of reaction";
    adjust_packets = 8, Published, "uet-htsim initNsccParams: 8 packets", "1 to 64", "speed of recovery";
    quick_adaptation = true, Published, "SMaRTT; uet-htsim quick_adapt", "", "first round trips of an incast";
    quick_adaptation_shift = 3, Published, "uet-htsim initNsccParams: an eighth of the largest window", "0 to 8", "first round trips of an incast";
    credit_packets = 0, Published, "uet-htsim main_uec: NSCC alone with -sender_cc_only; 4 for both", "0 to 16", "incasts";
    mark_min_percent = 20, Published, "uet-htsim main_uec: 0.2 of the bandwidth-delay product", "1 to 100", "standing queue";
    mark_max_percent = 80, Published, "uet-htsim main_uec: 0.8 of the bandwidth-delay product", "1 to 400", "standing queue";
});

impl Default for NsccParameters {
    fn default() -> Self {
        Self::uec()
    }
}

/// RCCC, Ultra Ethernet's receiver-based control: receivers give credits at the rate of their link.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct RcccParameters {
    /// What a sender may send before its first credit, in thousandths of the bytes of a round trip.
    pub window_max_permille: u32,
    /// Packets of credit that a receiver gives at a time, at least 1. More than a first window counts as a first window.
    pub credit_packets: u32,
    /// Queue at which marking begins, in percent of the bytes of the network's longest round trip. Marks choose paths.
    pub mark_min_percent: u32,
    /// Queue from which every packet is marked, in percent of the same.
    pub mark_max_percent: u32,
}

preset!(
    /// As in the consortium's simulator.
    RcccParameters, uec, uec_provenance, {
    window_max_permille = 1_500, Published, "uet-htsim initRccc: 1.5 times the bandwidth-delay product", "1000 to 4000", "burst of a new flow";
    credit_packets = 4, Published, "uet-htsim UecSink: 4 packets of credit per pull", "1 to 16", "number of credit packets";
    mark_min_percent = 20, Published, "uet-htsim main_uec: 0.2 of the bandwidth-delay product", "1 to 100", "choice of paths";
    mark_max_percent = 80, Published, "uet-htsim main_uec: 0.8 of the bandwidth-delay product", "1 to 400", "choice of paths";
});

impl Default for RcccParameters {
    fn default() -> Self {
        Self::uec()
    }
}
