//! The choice between Ultra Ethernet's laws, for NICs that have its transport.

use crate::law::{CongestionLaw, MarkThresholds};
use crate::uet_parameters::{NsccParameters, RcccParameters};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A law of Ultra Ethernet's transport and its parameters.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "law", rename_all = "kebab-case")]
pub enum UetLaw {
    /// Senders have windows that follow the delay of queues.
    Nscc(NsccParameters),
    /// Receivers give credits.
    Rccc(RcccParameters),
}

impl Default for UetLaw {
    fn default() -> Self {
        Self::Nscc(NsccParameters::uec())
    }
}

impl UetLaw {
    /// The names that a scenario may use.
    pub const NAMES: [&'static str; 2] = ["nscc", "rccc"];

    /// The law of this name with its default parameters.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        CongestionLaw::named(name)?.ultra_ethernet()
    }

    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Nscc(_) => "nscc",
            Self::Rccc(_) => "rccc",
        }
    }

    /// The first window of a flow, in thousandths of the bytes of a round trip.
    #[must_use]
    pub const fn window_max_permille(&self) -> u32 {
        match self {
            Self::Nscc(law) => law.window_max_permille,
            Self::Rccc(law) => law.window_max_permille,
        }
    }

    /// Packets of credit that a receiver gives at a time; none where receivers give no credit.
    #[must_use]
    pub fn credit_packets(&self) -> Option<u32> {
        match self {
            Self::Nscc(law) => Some(law.credit_packets).filter(|packets| *packets > 0),
            Self::Rccc(law) => Some(law.credit_packets),
        }
    }

    /// Where marking begins, and from where every packet is marked, in percent of the bytes of the
    /// network's longest round trip.
    #[must_use]
    pub const fn marks_percent(&self) -> (u32, u32) {
        match self {
            Self::Nscc(law) => (law.mark_min_percent, law.mark_max_percent),
            Self::Rccc(law) => (law.mark_min_percent, law.mark_max_percent),
        }
    }

    /// A value of `quick_adaptation_shift` that was changed and changes nothing: what was found, and
    /// what works.
    #[must_use]
    pub fn idle_shift(&self) -> Option<(String, &'static str)> {
        let Self::Nscc(law) = self else { return None };
        let shift = law.quick_adaptation_shift;
        let is_idle = !law.quick_adaptation && shift != NsccParameters::uec().quick_adaptation_shift;
        let found = || format!("{shift}, with quick_adaptation = false, where it changes nothing");
        is_idle.then(|| (found(), "no such key; or quick_adaptation = true"))
    }

    /// Where switches mark its packets for their receivers. `round_trip_bytes`: bytes of the
    /// network's longest round trip.
    #[must_use]
    pub fn marks(&self, round_trip_bytes: u64) -> MarkThresholds {
        let (min, max) = self.marks_percent();
        let bytes = |percent: u32| u32::try_from(round_trip_bytes * u64::from(percent) / 100).unwrap_or(u32::MAX);
        MarkThresholds { min_bytes: bytes(min), max_bytes: bytes(max), max_permille: 1_000 }
    }
}
