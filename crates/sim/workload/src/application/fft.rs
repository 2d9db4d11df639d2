//! Three-dimensional Fourier transforms over slabs or pencils.

use philae_units::{Bytes, RankId};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::compute_time;
use crate::collective::{Alltoall, AlltoallAlgorithm, Group, GroupCollective};
use crate::error::{WorkloadError, message_size, not_zero};
use crate::motif::grid;
use crate::phase::Phased;
use crate::program::RankProgram;
use crate::quantity::Size;
use crate::sequence::StageSequence;
use crate::workload::{Workload, iterations_text};

/// Decomposition of the cube.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Decomposition {
    /// In one dimension: whole planes (FFTW's MPI transforms).
    #[default]
    Slab,
    /// In two dimensions: whole lines.
    Pencil,
}

/// `fft`: a complex transform of `size`^3 points, for any number of ranks (strong scaling).
///
/// Slabs: lines within planes, an alltoall of all ranks, lines across, and an alltoall back if `transposes` is 2. Pencils: three
/// times lines, with an alltoall within rows and one within columns between them, and both back if
/// it is 2. If ranks do not divide the points, every rank has as many as the first (rounded up,
/// like FFTW's blocks). Source: FFTW 3.3's manual, MPI
/// transforms; Ember's fft3d for pencils (sstsimulator/ember @ f47fcd9). Status: published.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Fft {
    /// Points in each dimension. Default 1,024. Source: ours. Status: assumed, any size is sensible.
    pub size: u32,
    /// Default `slab`. Source: FFTW. Status: published.
    pub decomposition: Decomposition,
    /// 1 leaves the result transposed (FFTW_MPI_TRANSPOSED_OUT), 2 puts it back. Default 2. Source: FFTW without the flag.
    /// Status: published.
    pub transposes: u32,
    /// Default `auto`.
    pub algorithm: AlltoallAlgorithm,
    /// Ranks in a row and in a column of pencils; their product must be the job's ranks. Default: balanced.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub grid: Option<[u32; 2]>,
    /// Speed of one rank in Gflop/s. Default 10. Source: ours. Status: assumed; a core's, limited by memory.
    pub gflops: u32,
    /// Transforms; endless when absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub iterations: Option<u32>,
}

impl Default for Fft {
    fn default() -> Self {
        Self {
            size: 1_024,
            decomposition: Decomposition::Slab,
            transposes: 2,
            algorithm: AlltoallAlgorithm::Auto,
            grid: None,
            gflops: 10,
            iterations: None,
        }
    }
}

/// A point: two doubles.
const POINT_BYTES: u64 = 16;
/// Largest side: its cube and the flops for it stay inside 64 bits.
const SIZE_MAX: u32 = 1 << 17;

/// Ranks in a row and in a column, and the bytes that each sends to each other rank in it.
struct Cut {
    row: (u32, Bytes),
    column: (u32, Bytes),
}

impl Fft {
    fn name() -> &'static str {
        "fft"
    }

    fn cut(&self, ranks: u32) -> Cut {
        let part = |ranks: u32| u64::from(self.size.div_ceil(ranks));
        let size = u64::from(self.size);
        match self.decomposition {
            Decomposition::Slab => {
                let bytes = POINT_BYTES * size * part(ranks) * part(ranks);
                Cut { row: (ranks, Bytes(bytes)), column: (1, Bytes::ZERO) }
            }
            Decomposition::Pencil => {
                let [row, column] = grid::chosen(self.grid, ranks);
                let both = POINT_BYTES * part(row) * part(column);
                Cut { row: (row, Bytes(both * part(row))), column: (column, Bytes(both * part(column))) }
            }
        }
    }

    /// Flops of the lines along one dimension on one rank: 5 n log2 n for each line of n, the
    /// logarithm rounded up.
    fn flops(&self, ranks: u32) -> u64 {
        let points = u64::from(self.size).pow(3).div_ceil(u64::from(ranks));
        points * 5 * u64::from(self.size.next_power_of_two().ilog2())
    }

    fn alltoall(&self, group: Group, bytes: Bytes) -> GroupCollective {
        let spec = Alltoall { bytes: Size(bytes), algorithm: self.algorithm, ..Alltoall::default() };
        GroupCollective::new(spec.collective(group.members()), group).expect("an alltoall suits every group")
    }
}

impl Workload for Fft {
    fn check(&self, ranks: u32) -> Result<(), WorkloadError> {
        let workload = Self::name();
        not_zero(workload, "size", self.size)?;
        not_zero(workload, "gflops", self.gflops)?;
        if self.size > SIZE_MAX {
            let allowed = format!("at most {SIZE_MAX}");
            return Err(WorkloadError::OutOfRange { workload, key: "size", found: self.size.into(), allowed });
        }
        if !(1..=2).contains(&self.transposes) {
            let allowed = "1 (transposed result) or 2".to_owned();
            return Err(WorkloadError::OutOfRange {
                workload,
                key: "transposes",
                found: self.transposes.into(),
                allowed,
            });
        }
        if self.algorithm == AlltoallAlgorithm::SendrecvReplace {
            return Err(WorkloadError::Contradiction {
                workload,
                problem: "`algorithm` is sendrecv-replace, which works in place".to_owned(),
                remedy: "use auto, bruck, scattered or pairwise",
            });
        }
        match self.decomposition {
            Decomposition::Slab if self.grid.is_some() => {
                return Err(WorkloadError::Contradiction {
                    workload,
                    problem: "`grid` is given, but slabs have none".to_owned(),
                    remedy: "remove it, or use decomposition = \"pencil\"",
                });
            }
            Decomposition::Slab if self.size < ranks => {
                let allowed = format!("at least {ranks}, a plane for each rank; pencils take more ranks");
                return Err(WorkloadError::OutOfRange { workload, key: "size", found: self.size.into(), allowed });
            }
            Decomposition::Slab => {}
            Decomposition::Pencil => {
                grid::check(workload, self.grid, ranks)?;
                let longest = grid::chosen::<2>(self.grid, ranks).into_iter().max().unwrap_or(1);
                if self.size < longest {
                    let allowed = format!("at least {longest}, a line for each rank of a row or column");
                    return Err(WorkloadError::OutOfRange { workload, key: "size", found: self.size.into(), allowed });
                }
            }
        }
        let cut = self.cut(ranks);
        message_size(workload, "size^3 * 16 B for each pair", cut.row.1)?;
        if cut.column.0 > 1 { message_size(workload, "size^3 * 16 B for each pair", cut.column.1) } else { Ok(()) }
    }

    fn program(&self, rank: RankId, ranks: u32, _seed: u64) -> Box<dyn RankProgram> {
        let cut = self.cut(ranks);
        let lines = self.flops(ranks);
        let compute = |dimensions: u64| compute_time(lines.saturating_mul(dimensions), self.gflops);
        let row = || {
            let group = Group::around(rank.0, 1, cut.row.0).expect("a row has ranks of the job");
            self.alltoall(group, cut.row.1)
        };
        let column = || {
            let group = Group::around(rank.0, cut.row.0, cut.column.0).expect("a column has ranks of the job");
            self.alltoall(group, cut.column.1)
        };
        let mut motif = StageSequence::new();
        motif = match self.decomposition {
            Decomposition::Slab => motif.compute(compute(2)).collective(rank.0, row()).compute(compute(1)),
            Decomposition::Pencil => motif
                .compute(compute(1))
                .collective(rank.0, row())
                .compute(compute(1))
                .collective(rank.0, column())
                .compute(compute(1)),
        };
        if self.transposes == 2 {
            motif = match self.decomposition {
                Decomposition::Slab => motif.collective(rank.0, row()),
                Decomposition::Pencil => motif.collective(rank.0, column()).collective(rank.0, row()),
            };
        }
        Box::new(Phased::new(motif, self.iterations))
    }

    fn describe(&self) -> String {
        let cut = match self.decomposition {
            Decomposition::Slab => "slabs",
            Decomposition::Pencil => "pencils",
        };
        format!("fft {}^3 in {cut}, {}", self.size, iterations_text(self.iterations))
    }

    fn iterations(&self) -> Option<u32> {
        self.iterations
    }
}
