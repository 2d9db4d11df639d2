//! The choice of law.

use crate::parameters::{AriesParameters, EcnParameters, PfcParameters, SlingshotParameters};
use crate::uet_parameters::{NsccParameters, RcccParameters};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Where a law holds flows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gate {
    /// Nowhere: credits alone.
    Nowhere,
    /// In per-flow queues at the ingress port of the first switch.
    Ingress,
    /// In the NIC, per flow.
    Nic,
}

/// A congestion law and its parameters.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "law", rename_all = "kebab-case")]
pub enum CongestionLaw {
    /// Flows tracked per endpoint pair; contributors to endpoint congestion held at their ingress.
    Slingshot(SlingshotParameters),
    /// Credits between switches and nothing else.
    None,
    /// Credits over small fixed buffers, and Aries' adaptive routing modes.
    Aries(AriesParameters),
    /// Queues mark packets, receivers notify, senders change their rate (DCQCN).
    Ecn(EcnParameters),
    /// Pauses between switches (PFC) and nothing else.
    Pfc(PfcParameters),
    /// Senders have windows that follow the delay of queues (Ultra Ethernet's NSCC).
    Nscc(NsccParameters),
    /// Receivers give credits (Ultra Ethernet's RCCC).
    Rccc(RcccParameters),
}

/// Where switches mark packets, in bytes of queue, and how many at most.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MarkThresholds {
    /// Queue at which marking begins.
    pub min_bytes: u32,
    /// Queue from which every packet is marked.
    pub max_bytes: u32,
    /// Marking probability just below that, in thousandths.
    pub max_permille: u32,
}

impl CongestionLaw {
    /// The names that a scenario may use.
    pub const NAMES: [&'static str; 7] = ["slingshot", "none", "aries", "ecn", "pfc", "nscc", "rccc"];

    /// The law of this name with its default parameters.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        match name {
            "slingshot" => Some(Self::Slingshot(SlingshotParameters::rosetta())),
            "none" => Some(Self::None),
            "aries" => Some(Self::Aries(AriesParameters::aries())),
            "ecn" => Some(Self::Ecn(EcnParameters::dcqcn())),
            "pfc" => Some(Self::Pfc(PfcParameters::pfc())),
            "nscc" => Some(Self::Nscc(NsccParameters::uec())),
            "rccc" => Some(Self::Rccc(RcccParameters::uec())),
            _ => None,
        }
    }

    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Slingshot(_) => "slingshot",
            Self::None => "none",
            Self::Aries(_) => "aries",
            Self::Ecn(_) => "ecn",
            Self::Pfc(_) => "pfc",
            Self::Nscc(_) => "nscc",
            Self::Rccc(_) => "rccc",
        }
    }

    /// Whether links between switches are paused (PFC) rather than controlled by credits.
    #[must_use]
    pub const fn pauses_links(&self) -> bool {
        self.pause_thresholds().is_some()
    }

    /// Bytes of one channel in an input buffer at which the switch upstream is paused, and at which it
    /// may continue; none where links between switches are not paused.
    #[must_use]
    #[inline]
    pub const fn pause_thresholds(&self) -> Option<(u32, u32)> {
        match self {
            Self::Ecn(law) => Some((law.pause_on_bytes, law.pause_off_bytes)),
            Self::Pfc(law) => Some((law.pause_on_bytes, law.pause_off_bytes)),
            Self::Slingshot(_) | Self::None | Self::Aries(_) | Self::Nscc(_) | Self::Rccc(_) => None,
        }
    }

    /// Whether it is one of Ultra Ethernet's, whose transport the NICs then have.
    #[must_use]
    pub const fn is_ultra_ethernet(&self) -> bool {
        matches!(self, Self::Nscc(_) | Self::Rccc(_))
    }

    /// The first window of a flow, in thousandths of the bytes of a round trip; 0 where the law is
    /// none of Ultra Ethernet's.
    #[must_use]
    pub const fn window_max_permille(&self) -> u32 {
        match self {
            Self::Nscc(law) => law.window_max_permille,
            Self::Rccc(law) => law.window_max_permille,
            _ => 0,
        }
    }

    /// Packets of credit that a receiver gives at a time; none where receivers give no credit.
    #[must_use]
    pub fn credit_packets(&self) -> Option<u32> {
        match self {
            Self::Nscc(law) => Some(law.credit_packets).filter(|packets| *packets > 0),
            Self::Rccc(law) => Some(law.credit_packets),
            Self::Slingshot(_) | Self::None | Self::Aries(_) | Self::Ecn(_) | Self::Pfc(_) => None,
        }
    }

    /// Where switches mark packets for their receivers, if they do. `round_trip_bytes`: bytes of
    /// the network's longest round trip.
    #[must_use]
    pub fn marks(&self, round_trip_bytes: u64) -> Option<MarkThresholds> {
        let (min, max) = match self {
            Self::Ecn(law) => {
                return Some(MarkThresholds {
                    min_bytes: law.mark_min_bytes,
                    max_bytes: law.mark_max_bytes,
                    max_permille: law.mark_max_permille,
                });
            }
            Self::Nscc(law) => (law.mark_min_percent, law.mark_max_percent),
            Self::Rccc(law) => (law.mark_min_percent, law.mark_max_percent),
            Self::Slingshot(_) | Self::None | Self::Aries(_) | Self::Pfc(_) => return None,
        };
        let bytes = |percent: u32| u32::try_from(round_trip_bytes * u64::from(percent) / 100).unwrap_or(u32::MAX);
        Some(MarkThresholds { min_bytes: bytes(min), max_bytes: bytes(max), max_permille: 1_000 })
    }

    /// Why marks may come too late, in words: under `ecn`, where the flows of one input are paused
    /// before any of their packets is marked.
    #[must_use]
    pub fn marks_late(&self) -> Option<String> {
        let Self::Ecn(law) = self else { return None };
        (law.mark_min_bytes >= law.pause_on_bytes).then(|| {
            format!(
                "congestion.mark_min_bytes is {} and congestion.pause_on_bytes {}: a switch pauses the flows of one input before it \
                 marks any of their packets, so senders learn of congestion from pauses. mark_min_bytes below {} would work",
                law.mark_min_bytes, law.pause_on_bytes, law.pause_on_bytes
            )
        })
    }

    /// Where it holds flows.
    #[must_use]
    pub const fn gate(&self) -> Gate {
        match self {
            Self::Slingshot(_) => Gate::Ingress,
            Self::None | Self::Aries(_) | Self::Pfc(_) => Gate::Nowhere,
            Self::Ecn(_) | Self::Nscc(_) | Self::Rccc(_) => Gate::Nic,
        }
    }
}
