//! Wavefronts across a two-dimensional grid of ranks.

use philae_units::{Bytes, RankId};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::grid;
use crate::error::{WorkloadError, at_least, message_size, not_zero};
use crate::phase::{Motif, Phase, Phased};
use crate::program::RankProgram;
use crate::quantity::Span;
use crate::workload::{Workload, iterations_text};

/// `sweep3d`: from each of the four corners, twice, a wave of blocks: receive in x and y, compute, send in x and y.
///
/// Source: Ember's sweep3d (sstsimulator/ember @ f47fcd9); the order of the corners is ours. Status: published.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Sweep3d {
    /// Cells of one rank in x, y, z. Default 50, 50, 100. Source: Ember. Status: published.
    pub cells: [u32; 3],
    /// Layers in z per block; must divide the cells in z. Default 10. Source: Ember. Status: published.
    pub kba: u32,
    /// Numbers of 8 bytes per cell. Default 1. Source: Ember. Status: published.
    pub vars: u32,
    /// Computation for each block. Default 1 us. Source: Ember. Status: published.
    pub compute: Span,
    /// Ranks in x and y; their product must be the job's ranks. Default: balanced.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub grid: Option<[u32; 2]>,
    /// Endless when absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub iterations: Option<u32>,
}

impl Default for Sweep3d {
    fn default() -> Self {
        Self { cells: [50, 50, 100], kba: 10, vars: 1, compute: Span::micros(1), grid: None, iterations: None }
    }
}

/// A number in a cell.
const ELEMENT_BYTES: u64 = 8;
/// Twice from each corner.
const SWEEPS: u32 = 8;
/// Receive x, receive y, compute, send x, send y.
const STAGES: u32 = 5;

/// Blocks per sweep: keeps step numbers inside 32 bits.
const BLOCKS_MAX: u32 = 1 << 20;

impl Sweep3d {
    /// Bytes to the neighbour along `axis` for each block.
    fn bytes(&self, axis: usize) -> Bytes {
        let side = u64::from(self.cells[1 - axis]) * u64::from(self.kba);
        Bytes(side.saturating_mul(u64::from(self.vars)).saturating_mul(ELEMENT_BYTES))
    }
}

impl Workload for Sweep3d {
    fn check(&self, ranks: u32) -> Result<(), WorkloadError> {
        at_least("sweep3d", 2, ranks)?;
        for (key, cells) in ["cells[0]", "cells[1]", "cells[2]"].into_iter().zip(self.cells) {
            not_zero("sweep3d", key, cells)?;
        }
        not_zero("sweep3d", "kba", self.kba)?;
        not_zero("sweep3d", "vars", self.vars)?;
        if !self.cells[2].is_multiple_of(self.kba) {
            return Err(WorkloadError::NotDividing {
                workload: "sweep3d",
                key: "cells[2]",
                found: u64::from(self.cells[2]),
                divisor_key: "kba",
                divisor: u64::from(self.kba),
            });
        }
        let blocks = self.cells[2] / self.kba;
        if blocks > BLOCKS_MAX {
            return Err(WorkloadError::OutOfRange {
                workload: "sweep3d",
                key: "cells[2] / kba",
                found: u64::from(blocks),
                allowed: format!("at most {BLOCKS_MAX}"),
            });
        }
        message_size("sweep3d", "cells * kba * vars", self.bytes(0))?;
        message_size("sweep3d", "cells * kba * vars", self.bytes(1))?;
        grid::check("sweep3d", self.grid, ranks)
    }

    fn program(&self, rank: RankId, ranks: u32, _seed: u64) -> Box<dyn RankProgram> {
        let motif = Sweeps { grid: grid::chosen(self.grid, ranks), rank: rank.0, spec: self.clone() };
        Box::new(Phased::new(motif, self.iterations))
    }

    fn describe(&self) -> String {
        let [x, y, z] = self.cells;
        format!("sweep3d {x} x {y} x {z} cells, kba {}, {}", self.kba, iterations_text(self.iterations))
    }

    fn iterations(&self) -> Option<u32> {
        self.iterations
    }
}

struct Sweeps {
    spec: Sweep3d,
    grid: [u32; 2],
    rank: u32,
}

impl Sweeps {
    /// The neighbour along `axis` from which this sweep comes (`upstream`) or to which it goes.
    fn peer(&self, sweep: u32, axis: usize, upstream: bool) -> Option<u32> {
        let forwards = (sweep >> axis) & 1 == 0;
        let mut offsets = [0, 0];
        offsets[axis] = if forwards == upstream { -1 } else { 1 };
        grid::neighbour(self.rank, self.grid, offsets)
    }
}

impl Motif for Sweeps {
    fn step(&mut self, iteration: u32, step: u32, phase: &mut Phase) -> bool {
        let blocks_per_sweep = self.spec.cells[2] / self.spec.kba;
        let (block, stage) = (step / STAGES, step % STAGES);
        let sweep = block / blocks_per_sweep;
        if sweep == SWEEPS {
            return false;
        }
        let tag = iteration.wrapping_mul(SWEEPS * blocks_per_sweep).wrapping_add(block);
        match stage {
            0 | 1 => {
                let axis = stage as usize;
                if let Some(from) = self.peer(sweep, axis, true) {
                    phase.recv(from, self.spec.bytes(axis), tag);
                }
            }
            2 => phase.compute(self.spec.compute.0),
            _ => {
                let axis = stage as usize - 3;
                if let Some(to) = self.peer(sweep, axis, false) {
                    phase.send(to, self.spec.bytes(axis), tag);
                }
            }
        }
        true
    }
}
