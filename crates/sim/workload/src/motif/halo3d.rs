//! Halo exchange on a three-dimensional grid of ranks.

use philae_units::{Bytes, RankId};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::grid;
use crate::error::{WorkloadError, at_least, message_size, not_zero};
use crate::phase::{Motif, Phase, Phased};
use crate::program::RankProgram;
use crate::quantity::Span;
use crate::workload::{Workload, iterations_text};

/// `halo3d`: compute, then exchange faces with the neighbours in x, then y, then z; or with all 26 neighbours at the same time.
///
/// The grid is not periodic. Source: Ember's halo3d and halo3d-26 (sstsimulator/ember @ f47fcd9). Status: published.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Halo3d {
    /// Cells of one rank in x, y, z. Default 10 each. Source: Ember. Status: published.
    pub cells: [u32; 3],
    /// Numbers of 8 bytes per cell. Default 1. Source: Ember. Status: published.
    pub vars: u32,
    /// Computation before each exchange. Default 1 us. Source: Ember. Status: published.
    pub compute: Span,
    /// Ranks in x, y, z; their product must be the job's ranks. Default: balanced.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub grid: Option<[u32; 3]>,
    /// Whether edges and corners are also exchanged, and all at the same time (halo3d-26). Default false.
    pub diagonals: bool,
    /// Endless when absent. Ember: 100.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub iterations: Option<u32>,
}

impl Default for Halo3d {
    fn default() -> Self {
        Self { cells: [10, 10, 10], vars: 1, compute: Span::micros(1), grid: None, diagonals: false, iterations: None }
    }
}

/// A number in a cell.
const ELEMENT_BYTES: u64 = 8;

impl Halo3d {
    /// Bytes to the neighbour in this direction: a face, an edge, or a corner of one number.
    fn bytes(&self, offsets: [i32; 3]) -> Bytes {
        if offsets.iter().all(|&offset| offset != 0) {
            return Bytes(ELEMENT_BYTES); // Ember sends one number whatever `vars` is.
        }
        let along = |axis: usize| if offsets[axis] == 0 { u64::from(self.cells[axis]) } else { 1 };
        let cells = along(0).saturating_mul(along(1)).saturating_mul(along(2));
        Bytes(cells.saturating_mul(u64::from(self.vars)).saturating_mul(ELEMENT_BYTES))
    }
}

impl Workload for Halo3d {
    fn check(&self, ranks: u32) -> Result<(), WorkloadError> {
        at_least("halo3d", 2, ranks)?;
        for (key, cells) in ["cells[0]", "cells[1]", "cells[2]"].into_iter().zip(self.cells) {
            not_zero("halo3d", key, cells)?;
        }
        not_zero("halo3d", "vars", self.vars)?;
        for face in [[1, 0, 0], [0, 1, 0], [0, 0, 1]] {
            message_size("halo3d", "cells * vars", self.bytes(face))?;
        }
        grid::check("halo3d", self.grid, ranks)
    }

    fn program(&self, rank: RankId, ranks: u32, _seed: u64) -> Box<dyn RankProgram> {
        let motif = Exchange { grid: grid::chosen(self.grid, ranks), rank: rank.0, spec: self.clone() };
        Box::new(Phased::new(motif, self.iterations))
    }

    fn describe(&self) -> String {
        let [x, y, z] = self.cells;
        let name = if self.diagonals { "halo3d-26" } else { "halo3d" };
        format!("{name} {x} x {y} x {z} cells, {} vars, {}", self.vars, iterations_text(self.iterations))
    }

    fn iterations(&self) -> Option<u32> {
        self.iterations
    }
}

struct Exchange {
    spec: Halo3d,
    grid: [u32; 3],
    rank: u32,
}

impl Exchange {
    /// Adds receives from, then sends to, the neighbours in all directions of `wanted`.
    fn with(&self, iteration: u32, wanted: impl Fn([i32; 3]) -> bool, phase: &mut Phase) {
        let first_tag = iteration.wrapping_mul(grid::DIRECTIONS);
        let peers = || {
            (0..grid::DIRECTIONS)
                .map(grid::direction)
                .filter(|&offsets| wanted(offsets))
                .filter_map(|offsets| grid::neighbour(self.rank, self.grid, offsets).map(|peer| (peer, offsets)))
        };
        for (peer, offsets) in peers() {
            let sent_as = grid::number(offsets.map(|offset| -offset));
            phase.recv(peer, self.spec.bytes(offsets), first_tag.wrapping_add(sent_as));
        }
        for (peer, offsets) in peers() {
            phase.send(peer, self.spec.bytes(offsets), first_tag.wrapping_add(grid::number(offsets)));
        }
    }
}

impl Motif for Exchange {
    fn step(&mut self, iteration: u32, step: u32, phase: &mut Phase) -> bool {
        match (step, self.spec.diagonals) {
            (0, _) => phase.compute(self.spec.compute.0),
            (1, true) => self.with(iteration, |offsets| offsets != [0; 3], phase),
            (1..=3, false) => {
                let axis = step as usize - 1;
                let along = move |offsets: [i32; 3]| (0..3).all(|other| (offsets[other] != 0) == (other == axis));
                self.with(iteration, along, phase);
            }
            _ => return false,
        }
        true
    }
}
