//! Molecular dynamics with forces of short range: LAMMPS' Lennard-Jones melt.

use philae_units::{Bytes, RankId};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{DOUBLE, TAGS, check_sum, sum};
use crate::activity::Activity;
use crate::collective::{AllreduceAlgorithm, GroupCollective};
use crate::decimal::Decimal;
use crate::error::{WorkloadError, message_size, not_zero};
use crate::motif::grid;
use crate::phase::{Motif, Phase, Phased};
use crate::program::RankProgram;
use crate::quantity::{Share, Span};
use crate::workload::{Workload, iterations_text};

/// `lammps`: one time step of a Lennard-Jones melt on a periodic grid of boxes.
///
/// Positions of atoms near a face go to the neighbour, two swaps in each of three dimensions, one after the other, so that
/// edges and corners come with the later ones; forces are computed; forces on the neighbours' atoms go back the same
/// way. Every `rebuild_every` steps atoms that have left the box move to their new rank and the
/// lists of atoms near faces are rebuilt, instead of the first
/// swaps. Every `thermo_every` steps a sum over all ranks.
/// Source: LAMMPS bench/in.lj and its brick communication (lammps/lammps @ 1dfbe2a). Status: published.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Lammps {
    /// Atoms of one rank. Default 32,000. Source: the benchmark, whose size is for one rank. Status: published.
    pub atoms: u32,
    /// Atoms in a cube of side sigma, the length of the potential. Default 0.8442. Source: bench/in.lj. Status: published.
    pub density: Decimal,
    /// Range of the force in sigma. Default 2.5. Source: bench/in.lj. Status: published.
    pub cutoff: Decimal,
    /// Extra range of neighbour lists, in sigma. Default 0.3. Source: bench/in.lj. Status: published.
    pub skin: Decimal,
    /// Steps from one rebuild to the next. Default 20. Source: bench/in.lj, neigh_modify. Status: published.
    pub rebuild_every: u32,
    /// Share of a rank's atoms that leave through one face between rebuilds. Default 0.001. Source: derived, half the mean speed
    /// sqrt(2 T / pi) at T = 0.7 for 20 steps of 0.005 is 0.033 sigma of a box of 33.6. Status: derived.
    pub migrating: Share,
    /// Steps from one sum to the next. Default 100. Source: bench/in.lj sums at the ends of 100 steps. Status: published.
    pub thermo_every: u32,
    /// Forces of one step. Default 10 ms. Source: ours, about 0.3 us for an atom. Status: assumed; a core's time.
    pub compute: Span,
    /// Algorithm of the sums. Default `auto`.
    pub allreduce: AllreduceAlgorithm,
    /// Ranks in x, y, z; their product must be the job's ranks. Default: balanced.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub grid: Option<[u32; 3]>,
    /// Time steps; endless when absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub iterations: Option<u32>,
}

impl Default for Lammps {
    fn default() -> Self {
        Self {
            atoms: 32_000,
            density: Decimal::from_millionths(844_200),
            cutoff: Decimal::from_millionths(2_500_000),
            skin: Decimal::from_millionths(300_000),
            rebuild_every: 20,
            migrating: Share::from_millionths(1_000).expect("a thousandth is a share"),
            thermo_every: 100,
            compute: Span::micros(10_000),
            allreduce: AllreduceAlgorithm::Auto,
            grid: None,
            iterations: None,
        }
    }
}

/// Position or force of an atom: three doubles. Source: LAMMPS. Status: published.
const VECTOR_BYTES: u64 = 3 * DOUBLE;
/// An atom of a new list: position, number, type, groups. Source: LAMMPS src/atom_vec_atomic.cpp.
/// Status: published.
const BORDER_BYTES: u64 = 6 * DOUBLE;
/// An atom that moves: length, position, velocity, number, type, groups, image. Source: the same.
/// Status: published.
const EXCHANGE_BYTES: u64 = 11 * DOUBLE;
/// The number of atoms that follow: an integer.
const COUNT_BYTES: Bytes = Bytes(4);

/// Swaps of one direction: two in each dimension.
const SWAPS: u32 = 6;
/// In each dimension first the number, then the atoms.
const EXCHANGES: u32 = 6;

/// The side of a cube of this volume, rounded down.
fn cube_root(volume: u128) -> u128 {
    let (mut low, mut high) = (0_u128, 1_u128 << 42);
    while low < high {
        let middle = (low + high).div_ceil(2);
        if middle * middle * middle <= volume { low = middle } else { high = middle - 1 }
    }
    low
}

impl Lammps {
    fn name() -> &'static str {
        "lammps"
    }

    /// The side of a rank's box and the reach of its neighbours' atoms, both in millionths of
    /// sigma.
    fn lengths(&self) -> (u128, u128) {
        let one = u128::from(Decimal::ONE);
        let volume = u128::from(self.atoms) * one.pow(4) / u128::from(self.density.millionths());
        (cube_root(volume), u128::from(self.cutoff.millionths() + self.skin.millionths()))
    }

    /// Atoms that each swap along `dimension` carries: a slab, longer by what arrived in the
    /// earlier dimensions.
    fn swapped(&self, dimension: u32) -> u64 {
        let (side, reach) = self.lengths();
        let one = u128::from(Decimal::ONE);
        let longer = side + 2 * reach;
        let area = if dimension > 0 { longer } else { side } * if dimension > 1 { longer } else { side };
        // Cubes of millionths, times millionths of a density.
        let atoms = area.saturating_mul(reach) / one.pow(3) * u128::from(self.density.millionths()) / one;
        u64::try_from(atoms).unwrap_or(u64::MAX)
    }

    /// Bytes of the buffer with atoms that leave through the two faces of a dimension.
    fn leaving(&self) -> Bytes {
        Bytes(2 * u64::from(self.migrating.of(self.atoms)) * EXCHANGE_BYTES)
    }

    fn swap_bytes(&self, dimension: u32, of_atom: u64) -> Bytes {
        Bytes(self.swapped(dimension).saturating_mul(of_atom))
    }
}

impl Workload for Lammps {
    fn check(&self, ranks: u32) -> Result<(), WorkloadError> {
        let workload = Self::name();
        not_zero(workload, "atoms", self.atoms)?;
        not_zero(workload, "rebuild_every", self.rebuild_every)?;
        not_zero(workload, "thermo_every", self.thermo_every)?;
        let (side, reach) = self.lengths();
        if reach > side {
            let sigma = |millionths: u128| Decimal::from_millionths(millionths as u64);
            return Err(WorkloadError::Contradiction {
                workload,
                problem: format!(
                    "`cutoff` + `skin` is {} sigma, beyond the next rank's box, whose side is {}",
                    sigma(reach),
                    sigma(side)
                ),
                remedy: "use more `atoms`, a lower `density` or a shorter `cutoff`",
            });
        }
        for dimension in 0..3 {
            message_size(workload, "atoms near a face * 48 B", self.swap_bytes(dimension, BORDER_BYTES))?;
        }
        check_sum(workload, self.allreduce, ranks)?;
        grid::check(workload, self.grid, ranks)
    }

    fn program(&self, rank: RankId, ranks: u32, _seed: u64) -> Box<dyn RankProgram> {
        let thermo = sum(self.allreduce, ranks);
        let motif = Steps { spec: self.clone(), grid: grid::chosen(self.grid, ranks), rank: rank.0, thermo };
        Box::new(Phased::new(motif, self.iterations))
    }

    fn describe(&self) -> String {
        format!("lammps {} atoms per rank, {}", self.atoms, iterations_text(self.iterations))
    }

    fn offloads(&self, _ranks: u32) -> bool {
        self.allreduce == AllreduceAlgorithm::SwitchOffloaded
    }

    fn iterations(&self) -> Option<u32> {
        self.iterations
    }
}

/// One for each direction of an exchange.
const TAGS_PER_STEP: u32 = 2;
/// First tag of the sum; earlier steps have lower ones.
const SUM_TAG: u32 = TAGS_PER_STEP * (EXCHANGES + 3 * SWAPS + 1);

struct Steps {
    spec: Lammps,
    grid: [u32; 3],
    rank: u32,
    thermo: GroupCollective,
}

impl Steps {
    /// Sends in one direction along a dimension and receives from the other; nothing if a rank is
    /// its own neighbour.
    fn swap(&self, dimension: u32, forwards: bool, bytes: Bytes, tag: u32, phase: &mut Phase) {
        let peer = |forwards| grid::around(self.rank, self.grid, dimension as usize, forwards);
        if let (Some(to), Some(from)) = (peer(forwards), peer(!forwards)) {
            phase.recv(from, bytes, tag);
            phase.send(to, bytes, tag);
        }
    }

    /// Swap number `swap`, down and then up in each dimension; backwards for the forces.
    fn numbered(&self, swap: u32, back: bool, of_atom: u64, tag: u32, phase: &mut Phase) {
        let (dimension, up) = (swap / 2, swap % 2 == 1);
        self.swap(dimension, up != back, self.spec.swap_bytes(dimension, of_atom), tag, phase);
    }

    /// Atoms that have left move: the same buffer goes in both directions, but only once if both
    /// lead to the same rank.
    fn exchange(&self, step: u32, first_tag: u32, phase: &mut Phase) {
        let dimension = step / 2;
        let bytes = if step.is_multiple_of(2) { COUNT_BYTES } else { self.spec.leaving() };
        self.swap(dimension, false, bytes, first_tag, phase);
        if self.grid[dimension as usize] > 2 {
            self.swap(dimension, true, bytes, first_tag + 1, phase);
        }
    }

    /// Steps in which positions are sent, and one of them.
    fn positions(&self, rebuild: bool, step: u32, tag: u32, phase: &mut Phase) {
        if !rebuild {
            return self.numbered(step, false, VECTOR_BYTES, tag, phase);
        }
        match step.checked_sub(EXCHANGES) {
            None => self.exchange(step, tag, phase),
            Some(border) if border % 2 == 0 => self.swap(border / 4, border / 2 % 2 == 1, COUNT_BYTES, tag, phase),
            Some(border) => self.numbered(border / 2, false, BORDER_BYTES, tag, phase),
        }
    }
}

impl Motif for Steps {
    fn step(&mut self, iteration: u32, step: u32, phase: &mut Phase) -> bool {
        let due = |every: u32| (iteration % every) + 1 == every;
        let rebuild = due(self.spec.rebuild_every);
        let positions = if rebuild { EXCHANGES + 2 * SWAPS } else { SWAPS };
        let first_tag = iteration.wrapping_mul(TAGS);
        let tag = first_tag + TAGS_PER_STEP * step;
        if step < positions {
            self.positions(rebuild, step, tag, phase);
        } else if step == positions {
            phase.compute(self.spec.compute.0);
        } else if step <= positions + SWAPS {
            self.numbered(positions + SWAPS - step, true, VECTOR_BYTES, tag, phase);
        } else {
            let sum = step - positions - SWAPS - 1;
            if !due(self.spec.thermo_every) || sum >= self.thermo.steps() {
                return false;
            }
            self.thermo.step(self.rank, sum, first_tag + SUM_TAG, phase);
        }
        true
    }

    fn activity(&self, iteration: u32, step: u32) -> Option<Activity> {
        let rebuild = (iteration % self.spec.rebuild_every) + 1 == self.spec.rebuild_every;
        let positions = if rebuild { EXCHANGES + 2 * SWAPS } else { SWAPS };
        let name = match step {
            step if rebuild && step < EXCHANGES => "migration",
            step if rebuild && step < positions => "borders",
            step if step < positions => "positions",
            step if step == positions => return None,
            step if step <= positions + SWAPS => "forces",
            _ => self.thermo.collective().name(),
        };
        Some(Activity::new(name, 0))
    }

    fn offloads(&self) -> bool {
        self.thermo.collective().is_offloaded()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cube_roots_are_rounded_down() {
        for side in [0, 1, 2, 3, 1_000, (1 << 42) - 1] {
            let cube = u128::pow(side, 3);
            assert_eq!((cube_root(cube), cube_root(cube + 1)), (side, side.max(1)), "{side}");
        }
        assert_eq!(cube_root(26), 2);
    }

    #[test]
    fn swaps_carry_what_a_box_of_32000_atoms_has_near_its_faces() {
        // WORKED: side (32000 / 0.8442)^(1/3) = 33.591, reach 2.8: 0.8442 * 2.8 * 33.591^2 = 2667
        // atoms in x.
        let atoms = [0, 1, 2].map(|dimension| Lammps::default().swapped(dimension));
        assert!(
            atoms.iter().zip([2_667, 3_112, 3_630]).all(|(found, expected): (&u64, u64)| found.abs_diff(expected) < 2),
            "{atoms:?}"
        );
    }
}
