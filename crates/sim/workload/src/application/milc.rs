//! Lattice quantum chromodynamics: the conjugate gradient of MILC.

use philae_units::{Bytes, RankId};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{check_cells, check_sum, compute_time, sum};
use crate::collective::AllreduceAlgorithm;
use crate::error::{WorkloadError, message_size, not_zero};
use crate::motif::grid;
use crate::phase::{Phase, Phased};
use crate::program::RankProgram;
use crate::sequence::StageSequence;
use crate::workload::{Workload, iterations_text};

/// `milc`: one step of the conjugate gradient on a four-dimensional lattice.
///
/// For each parity, every rank gathers from its 8 neighbours: the sites one away, and for the Naik term those further away.
/// It computes on the data from above, then on the data from below, and does the same for the other parity; then a sum, the
/// residual, a sum. It waits for all 32 requests of a parity together. Also read under the name `lqcd`.
/// Source: Ember's lqcd (sstsimulator/ember @ f47fcd9). Status: published.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Milc {
    /// Lattice sites of one rank in x, y, z, t. Default 8 each. Source: Ember. Status: published. MILC runs have 16 or more.
    pub sites: [u32; 4],
    /// Layers of the Naik term, in addition to the first. Default 2: the second and third. 0 for plain staggered quarks. Source: Ember.
    /// Status: published.
    pub naik_layers: u32,
    /// Speed of one rank in Gflop/s. Default 20. Source: Ember. Status: assumed there.
    pub gflops: u32,
    /// Algorithm of the sums. Default `auto`.
    pub allreduce: AllreduceAlgorithm,
    /// Ranks in x, y, z, t; their product must be the job's ranks. Default: balanced.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub grid: Option<[u32; 4]>,
    /// Whether the lattice is periodic. Default true. Source: MILC's physics; Ember's grid has ends. Status: published.
    pub periodic: bool,
    /// Steps; endless when absent. Ember: 100.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub iterations: Option<u32>,
}

impl Default for Milc {
    fn default() -> Self {
        Self {
            sites: [8; 4],
            naik_layers: 2,
            gflops: 20,
            allreduce: AllreduceAlgorithm::Auto,
            grid: None,
            periodic: true,
            iterations: None,
        }
    }
}

/// Colour vector of a site: three complex doubles. Source: Ember. Status: published.
const VECTOR_BYTES: u64 = 48;
/// A matrix times a vector in four directions and their sum, for a site: 4 * 72. Source: Ember.
/// Status: published.
const FLOPS_PER_SITE: u64 = 288;
/// Twice the flops of the residual, for a site. Source: Ember. Status: published.
const RESIDUAL_FLOPS_PER_TWO_SITES: u64 = 157;
/// Even and odd sites.
const PARITIES: u32 = 2;

impl Milc {
    fn name() -> &'static str {
        "milc"
    }

    fn all_sites(&self) -> u64 {
        self.sites.iter().map(|&side| u64::from(side)).product()
    }

    /// Bytes to the neighbour along `dimension` for one parity: sites at distance one.
    fn first(&self, dimension: usize) -> Bytes {
        let others = (0..4).filter(|&other| other != dimension);
        let surface = others.fold(1_u64, |product, other| product.saturating_mul(u64::from(self.sites[other])));
        Bytes((surface / u64::from(PARITIES)).saturating_mul(VECTOR_BYTES))
    }

    /// The same for the Naik term.
    fn naik(&self, dimension: usize) -> Bytes {
        Bytes(self.first(dimension).0.saturating_mul(u64::from(self.naik_layers)))
    }

    fn neighbour(&self, rank: u32, grid: [u32; 4], dimension: usize, forwards: bool) -> Option<u32> {
        if self.periodic {
            return grid::around(rank, grid, dimension, forwards);
        }
        let mut offsets = [0; 4];
        offsets[dimension] = if forwards { 1 } else { -1 };
        grid::neighbour(rank, grid, offsets)
    }

    /// All gathers of one parity.
    fn gather(&self, rank: u32, grid: [u32; 4], first_tag: u32, phase: &mut Phase) {
        let ends = || (0..4).flat_map(|dimension| [(dimension, true), (dimension, false)]);
        let peers = || {
            ends().filter_map(|(dimension, up)| {
                self.neighbour(rank, grid, dimension, up).map(|peer| (dimension, up, peer))
            })
        };
        // The tag names the direction of the message: data from above goes down.
        let tag = |dimension: usize, up: bool| first_tag.wrapping_add(4 * dimension as u32 + 2 * u32::from(up));
        for (dimension, up, peer) in peers() {
            phase.recv(peer, self.first(dimension), tag(dimension, !up));
            if self.naik_layers > 0 {
                phase.recv(peer, self.naik(dimension), tag(dimension, !up) + 1);
            }
        }
        for (dimension, up, peer) in peers() {
            phase.send(peer, self.first(dimension), tag(dimension, up));
            if self.naik_layers > 0 {
                phase.send(peer, self.naik(dimension), tag(dimension, up) + 1);
            }
        }
    }
}

impl Workload for Milc {
    fn check(&self, ranks: u32) -> Result<(), WorkloadError> {
        check_cells(Self::name(), "sites", &self.sites)?;
        not_zero(Self::name(), "gflops", self.gflops)?;
        for dimension in 0..4 {
            message_size(Self::name(), "sites of a surface / 2", self.first(dimension))?;
            if self.naik_layers > 0 {
                message_size(Self::name(), "sites * naik_layers", self.naik(dimension))?;
            }
        }
        check_sum(Self::name(), self.allreduce, ranks)?;
        grid::check(Self::name(), self.grid, ranks)
    }

    fn program(&self, rank: RankId, ranks: u32, _seed: u64) -> Box<dyn RankProgram> {
        let grid = grid::chosen(self.grid, ranks);
        let mut motif = StageSequence::new();
        let links = compute_time(self.all_sites().saturating_mul(FLOPS_PER_SITE), self.gflops);
        for _ in 0..PARITIES {
            let spec = self.clone();
            let gather = move |first_tag, step, phase: &mut Phase| {
                if step == 0 {
                    spec.gather(rank.0, grid, first_tag, phase);
                }
                step == 0
            };
            motif = motif.then(gather).compute(links).compute(links);
        }
        let residual = compute_time(self.all_sites().saturating_mul(RESIDUAL_FLOPS_PER_TWO_SITES) / 2, self.gflops);
        let sum = sum(self.allreduce, ranks);
        motif = motif.collective(rank.0, sum.clone()).compute(residual).collective(rank.0, sum);
        Box::new(Phased::new(motif, self.iterations))
    }

    fn describe(&self) -> String {
        let [x, y, z, t] = self.sites;
        format!("milc {x} x {y} x {z} x {t} sites, {}", iterations_text(self.iterations))
    }

    fn offloads(&self, _ranks: u32) -> bool {
        self.allreduce == AllreduceAlgorithm::SwitchOffloaded
    }

    fn iterations(&self) -> Option<u32> {
        self.iterations
    }
}
