//! The high-performance conjugate gradient benchmark.

use philae_units::{Bytes, Picoseconds, RankId};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{DOUBLE, TAGS, check_cells, check_sum, compute_time, sum};
use crate::activity::Activity;
use crate::collective::{AllreduceAlgorithm, GroupCollective};
use crate::error::{WorkloadError, message_size, not_zero};
use crate::motif::grid;
use crate::overlap::{ConcurrentMotif, Overlapping, Turn};
use crate::phase::Phase;
use crate::program::RankProgram;
use crate::workload::{Workload, iterations_text};

/// `hpcg`: one step of a conjugate gradient whose preconditioner is a multigrid cycle, on a grid that is not periodic.
///
/// A cycle smooths and computes the residual on each level except the coarsest, smooths there, and smooths again on the way back. Each
/// smoothing (SYMGS) and each product with the matrix (SpMV) begins with an exchange with up to 26 neighbours: all
/// receives are posted, then sends block one by one. Three sums of a number over all ranks.
/// Source: HPCG's reference code (hpcg-benchmark/hpcg @ 1207fb6). Status: published.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Hpcg {
    /// Cells of one rank in x, y, z. Default 104 each. Source: HPCG. Status: published.
    pub cells: [u32; 3],
    /// Levels of the multigrid, each with half the cells of the one above in each dimension. Default 4. Source: HPCG.
    /// Status: published.
    #[schemars(range(min = 1, max = 16))]
    pub levels: u32,
    /// Speed of one rank in Gflop/s. Default 2. Source: ours. Status: assumed; a core's share of memory bandwidth limits it.
    pub gflops: u32,
    /// Algorithm of the sums. Default `auto`.
    pub allreduce: AllreduceAlgorithm,
    /// Ranks in x, y, z; their product must be the job's ranks. Default: balanced.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub grid: Option<[u32; 3]>,
    /// Steps; endless when absent. HPCG: 50 in a set.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub iterations: Option<u32>,
}

impl Default for Hpcg {
    fn default() -> Self {
        Self {
            cells: [104; 3],
            levels: 4,
            gflops: 2,
            allreduce: AllreduceAlgorithm::Auto,
            grid: None,
            iterations: None,
        }
    }
}

/// Flops of a product with the matrix, for a cell: 27 numbers, a product and a sum each. Source:
/// HPCG. Status: published.
const PRODUCT_FLOPS: u64 = 2 * 27;
/// Flops of a smoothing: once forwards, once backwards.
const SMOOTHING_FLOPS: u64 = 2 * PRODUCT_FLOPS;
/// Flops of a dot product or of the sum of a vector and a multiple of another.
const VECTOR_FLOPS: u64 = 2;
/// Maximum number of levels: sides are 32-bit numbers, and a level halves them.
const LEVELS_MAX: u32 = 16;

impl Hpcg {
    fn name() -> &'static str {
        "hpcg"
    }

    /// Bytes to the neighbour in a direction on a level.
    fn bytes(&self, level: u32, offsets: [i32; 3]) -> Bytes {
        let along = |axis: usize| if offsets[axis] == 0 { u64::from(self.cells[axis] >> level) } else { 1 };
        Bytes(along(0).saturating_mul(along(1)).saturating_mul(along(2)).saturating_mul(DOUBLE))
    }

    /// Time of `flops` operations for each cell of a level.
    fn time(&self, level: u32, flops: u64) -> Picoseconds {
        let cells: u64 = self.cells.iter().map(|&side| u64::from(side >> level)).product();
        compute_time(cells.saturating_mul(flops), self.gflops)
    }

    /// The kernels of each iteration.
    fn kernels(&self) -> Vec<Kernel> {
        let coarsest = self.levels - 1;
        let matrix = |level, flops| [Kernel::Exchange(level), Kernel::Compute(self.time(level, flops))];
        let mut kernels = Vec::new();
        for level in 0..coarsest {
            kernels.extend(matrix(level, SMOOTHING_FLOPS));
            kernels.extend(matrix(level, PRODUCT_FLOPS));
        }
        kernels.extend(matrix(coarsest, SMOOTHING_FLOPS));
        for level in (0..coarsest).rev() {
            kernels.extend(matrix(level, SMOOTHING_FLOPS));
        }
        let vectors = |count| Kernel::Compute(self.time(0, count * VECTOR_FLOPS));
        kernels.extend([vectors(1), Kernel::Sum, vectors(1)]);
        kernels.extend(matrix(0, PRODUCT_FLOPS));
        kernels.extend([vectors(1), Kernel::Sum, vectors(3), Kernel::Sum]);
        kernels
    }
}

impl Workload for Hpcg {
    fn check(&self, ranks: u32) -> Result<(), WorkloadError> {
        let workload = Self::name();
        check_cells(workload, "cells", &self.cells)?;
        not_zero(workload, "gflops", self.gflops)?;
        if !(1..=LEVELS_MAX).contains(&self.levels) {
            let allowed = format!("1 to {LEVELS_MAX}");
            return Err(WorkloadError::OutOfRange { workload, key: "levels", found: self.levels.into(), allowed });
        }
        let divisor = 1_u32 << (self.levels - 1);
        for (key, cells) in ["cells[0]", "cells[1]", "cells[2]"].into_iter().zip(self.cells) {
            if !cells.is_multiple_of(divisor) {
                let (found, divisor) = (cells.into(), divisor.into());
                let divisor_key = "2^(levels - 1)";
                return Err(WorkloadError::NotDividing { workload, key, found, divisor_key, divisor });
            }
        }
        for face in [[1, 0, 0], [0, 1, 0], [0, 0, 1]] {
            message_size(workload, "cells of a face * 8 B", self.bytes(0, face))?;
        }
        check_sum(workload, self.allreduce, ranks)?;
        grid::check(workload, self.grid, ranks)
    }

    fn program(&self, rank: RankId, ranks: u32, _seed: u64) -> Box<dyn RankProgram> {
        let motif = Solver {
            kernels: self.kernels(),
            spec: self.clone(),
            grid: grid::chosen(self.grid, ranks),
            rank: rank.0,
            sum: sum(self.allreduce, ranks),
            current: 0,
            inner: 0,
        };
        Box::new(Overlapping::new(motif, self.iterations, 1))
    }

    fn describe(&self) -> String {
        let [x, y, z] = self.cells;
        format!("hpcg {x} x {y} x {z} cells, {} levels, {}", self.levels, iterations_text(self.iterations))
    }

    fn offloads(&self, _ranks: u32) -> bool {
        self.allreduce == AllreduceAlgorithm::SwitchOffloaded
    }

    fn iterations(&self) -> Option<u32> {
        self.iterations
    }
}

/// A part of an iteration.
#[derive(Clone, Copy, Debug)]
enum Kernel {
    /// With all neighbours, on a level.
    Exchange(u32),
    Compute(Picoseconds),
    /// Over all ranks.
    Sum,
}

struct Solver {
    spec: Hpcg,
    kernels: Vec<Kernel>,
    grid: [u32; 3],
    rank: u32,
    sum: GroupCollective,
    /// The next kernel, and its step.
    current: usize,
    inner: u32,
}

impl Solver {
    fn neighbour(&self, direction: u32) -> Option<u32> {
        let offsets = grid::direction(direction);
        if offsets == [0; 3] { None } else { grid::neighbour(self.rank, self.grid, offsets) }
    }

    fn first_tag(&self, iteration: u32, kernel: usize) -> u32 {
        iteration.wrapping_mul(self.kernels.len() as u32).wrapping_add(kernel as u32).wrapping_mul(TAGS)
    }

    fn exchange(&self, first_tag: u32, level: u32, phase: &mut Phase) -> Option<Turn> {
        match self.inner.checked_sub(1) {
            None => Some(Turn::Launch(self.current as u32)),
            Some(direction @ 0..grid::DIRECTIONS) => {
                if let Some(peer) = self.neighbour(direction) {
                    phase.send(peer, self.spec.bytes(level, grid::direction(direction)), first_tag + direction);
                }
                Some(Turn::Phase)
            }
            Some(grid::DIRECTIONS) => Some(Turn::Join),
            Some(_) => None,
        }
    }
}

impl ConcurrentMotif for Solver {
    fn turn(&mut self, iteration: u32, step: u32, phase: &mut Phase) -> Turn {
        if step == 0 {
            (self.current, self.inner) = (0, 0);
        }
        while let Some(kernel) = self.kernels.get(self.current) {
            let first_tag = self.first_tag(iteration, self.current);
            let turn = match *kernel {
                Kernel::Exchange(level) => self.exchange(first_tag, level, phase),
                Kernel::Compute(time) if self.inner == 0 => {
                    phase.compute(time);
                    Some(Turn::Phase)
                }
                Kernel::Sum if self.inner < self.sum.steps() => {
                    self.sum.step(self.rank, self.inner, first_tag, phase);
                    Some(Turn::Phase)
                }
                _ => None,
            };
            if let Some(turn) = turn {
                self.inner += 1;
                return turn;
            }
            (self.current, self.inner) = (self.current + 1, 0);
        }
        Turn::End
    }

    /// The receives of an exchange.
    fn task(&mut self, iteration: u32, task: u32, step: u32, phase: &mut Phase) -> bool {
        let Kernel::Exchange(level) = self.kernels[task as usize] else { return false };
        if step > 0 {
            return false;
        }
        let first_tag = self.first_tag(iteration, task as usize);
        for direction in 0..grid::DIRECTIONS {
            if let Some(peer) = self.neighbour(direction) {
                let offsets = grid::direction(direction);
                let sent_as = grid::number(offsets.map(|offset| -offset));
                phase.recv(peer, self.spec.bytes(level, offsets), first_tag + sent_as);
            }
        }
        true
    }

    fn activity(&self, task: Option<u32>, add: &mut dyn FnMut(Activity)) {
        let at = task.unwrap_or(self.current as u32);
        match (self.kernels.get(at as usize), task) {
            (Some(Kernel::Exchange(_)), None) => add(Activity::new("exchange", at)),
            (Some(Kernel::Exchange(_)), Some(_)) => add(Activity::new("receive", at)),
            (Some(Kernel::Sum), _) => add(Activity::new(self.sum.collective().name(), at)),
            _ => {}
        }
    }

    fn offloads(&self) -> bool {
        self.sum.collective().is_offloaded()
    }
}
