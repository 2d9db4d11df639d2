//! The choice of law.

use crate::parameters::{AriesParameters, EcnParameters, PfcParameters, SlingshotParameters};
use crate::uet_law::UetLaw;
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

    /// The same as a law of its own: that of Ultra Ethernet's transport.
    #[must_use]
    pub fn ultra_ethernet(&self) -> Option<UetLaw> {
        match self {
            Self::Nscc(law) => Some(UetLaw::Nscc(law.clone())),
            Self::Rccc(law) => Some(UetLaw::Rccc(law.clone())),
            Self::Slingshot(_) | Self::None | Self::Aries(_) | Self::Ecn(_) | Self::Pfc(_) => None,
        }
    }

    /// Where switches mark packets for their receivers, if they do. Those of Ultra Ethernet's laws
    /// depend on the network: [`UetLaw::marks`].
    #[must_use]
    pub const fn marks(&self) -> Option<MarkThresholds> {
        match self {
            Self::Ecn(law) => Some(MarkThresholds {
                min_bytes: law.mark_min_bytes,
                max_bytes: law.mark_max_bytes,
                max_permille: law.mark_max_permille,
            }),
            Self::Slingshot(_) | Self::None | Self::Aries(_) | Self::Pfc(_) | Self::Nscc(_) | Self::Rccc(_) => None,
        }
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
