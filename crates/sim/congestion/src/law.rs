//! The choice of law.

use crate::parameters::{AriesParameters, EcnParameters, SlingshotParameters};
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
}

impl CongestionLaw {
    /// The names that a scenario may use.
    pub const NAMES: [&'static str; 4] = ["slingshot", "none", "aries", "ecn"];

    /// The law of this name with its default parameters.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        match name {
            "slingshot" => Some(Self::Slingshot(SlingshotParameters::rosetta())),
            "none" => Some(Self::None),
            "aries" => Some(Self::Aries(AriesParameters::aries())),
            "ecn" => Some(Self::Ecn(EcnParameters::dcqcn())),
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
        }
    }

    /// Whether links between switches are paused (PFC) rather than controlled by credits.
    #[must_use]
    pub const fn pauses_links(&self) -> bool {
        matches!(self, Self::Ecn(_))
    }

    /// Where it holds flows.
    #[must_use]
    pub const fn gate(&self) -> Gate {
        match self {
            Self::Slingshot(_) => Gate::Ingress,
            Self::None | Self::Aries(_) => Gate::Nowhere,
            Self::Ecn(_) => Gate::Nic,
        }
    }
}
