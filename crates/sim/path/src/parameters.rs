//! Parameters of routing.

use philae_units::preset;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How paths are chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum RoutingMode {
    /// Shortest paths only; the least loaded of the minimal candidates where several leave the group.
    Minimal,
    /// Shortest paths only, each chosen by the packet's entropy (equal-cost multipath).
    Ecmp,
    /// Shortest paths and paths through an intermediate group (or switch), each chosen by the packet's entropy.
    EcmpNonminimal,
    /// Through an intermediate group (or switch): the least loaded of the nonminimal candidates drawn.
    Valiant,
    /// The best of a few minimal and nonminimal paths.
    Adaptive,
}

impl RoutingMode {
    /// Whether packets take shortest paths only.
    #[must_use]
    pub const fn is_minimal(self) -> bool {
        matches!(self, Self::Minimal | Self::Ecmp)
    }

    /// Whether the packet's entropy chooses its path.
    #[must_use]
    pub const fn is_by_entropy(self) -> bool {
        matches!(self, Self::Ecmp | Self::EcmpNonminimal)
    }
}

/// Parameters of adaptive routing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RoutingParameters {
    /// How paths are chosen.
    pub mode: RoutingMode,
    /// Minimal paths scored per decision (1 to 4). With "ecmp-nonminimal": of as many values of the entropy as both keys
    /// say together, these are for shortest paths.
    pub minimal_candidates: u8,
    /// Nonminimal paths scored per decision (0 to 3). With "ecmp-nonminimal": the other values.
    pub nonminimal_candidates: u8,
    /// Load of an idle path, in bytes: the cost of a further hop when nothing is queued.
    pub idle_load_bytes: u32,
    /// How much more a nonminimal path counts, in percent.
    pub nonminimal_bias_percent: u32,
    /// Whether the load of a neighbour's global port counts, not only the own port towards it.
    pub remote_load: bool,
}

impl RoutingParameters {
    /// Which values of the entropy are for shortest paths, where paths are chosen by `mode`.
    #[must_use]
    pub const fn entropy_paths(&self, mode: RoutingMode) -> EntropyPaths {
        match mode {
            RoutingMode::EcmpNonminimal => {
                let shortest = self.minimal_candidates as u16;
                EntropyPaths { shortest, all: shortest + self.nonminimal_candidates as u16 }
            }
            _ => EntropyPaths { shortest: 1, all: 1 },
        }
    }
}

/// The kinds of paths that values of the entropy are for: of `all` values in a row, the first
/// `shortest` are for shortest paths.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EntropyPaths {
    /// Source: `minimal_candidates` of [`RoutingParameters`]. Status: derived.
    pub shortest: u16,
    /// Source: `minimal_candidates` and `nonminimal_candidates` together. Status: derived.
    pub all: u16,
}

impl EntropyPaths {
    /// Whether a value is for a shortest path.
    #[must_use]
    pub const fn is_shortest(self, entropy: u16) -> bool {
        entropy % self.all < self.shortest
    }
}

preset!(
    /// Slingshot's adaptive routing as published.
    RoutingParameters, slingshot, slingshot_provenance, {
    mode = RoutingMode::Adaptive, Published, "SC20 II-C", "", "load balance";
    minimal_candidates = 2, Assumed, "up to four minimal and nonminimal paths are scored (SC20 II-C); the split is not published", "1 to 3", "load balance of uniform traffic";
    nonminimal_candidates = 2, Assumed, "as minimal_candidates", "1 to 3", "throughput of adversarial traffic";
    idle_load_bytes = 4_158, Assumed, "one full packet; path length counts (SC20 II-C), its weight is not published", "512 to 32768", "share of nonminimal paths at low load";
    nonminimal_bias_percent = 50, Assumed, "minimal paths are preferred (SC20 II-C); the bias is not published", "0 to 300", "share of nonminimal paths, throughput of uniform traffic";
    remote_load = true, Published, "SC20 II-C: load is also communicated between neighbouring switches", "", "choice of the gateway";
});

preset!(
    /// Aries: the same candidates, bias by mode (see `AriesMode`).
    RoutingParameters, aries, aries_provenance, {
    mode = RoutingMode::Adaptive, Published, "Cray XC network paper: adaptive routing per packet", "", "load balance";
    minimal_candidates = 2, Published, "Cray XC network paper: two minimal and two nonminimal paths are scored", "", "load balance of uniform traffic";
    nonminimal_candidates = 2, Published, "Cray XC network paper: two minimal and two nonminimal paths are scored", "", "throughput of adversarial traffic";
    idle_load_bytes = 1_024, Assumed, "one packet train of the model", "64 to 8192", "share of nonminimal paths at low load";
    nonminimal_bias_percent = 0, Assumed, "ADAPTIVE_0 has no bias; the meaning of the modes is not published", "0 to 300", "share of nonminimal paths";
    remote_load = false, Assumed, "Aries looks at its own links", "", "choice of the gateway";
});
