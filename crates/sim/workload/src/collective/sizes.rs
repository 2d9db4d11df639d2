//! Uneven sizes in a scenario.

use philae_units::Bytes;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::blocks::{BlockSizes, Draw, Listed};
use crate::error::{MESSAGE_BYTES_MAX, WorkloadError, message_size, not_zero};
use crate::quantity::Size;

/// Sizes of the blocks of ranks that are not all the same.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Sizes {
    /// One for each rank, zero allowed; `bytes` is not used.
    Listed(ListedSizes),
    /// Drawn from the scenario's seed with the mean `bytes`.
    Drawn(Draw),
    /// `bytes`, but larger for the first ranks.
    Hot(Hot),
}

/// Sizes of the blocks of pairs of ranks that are not all the same.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum PairSizes {
    /// A list for each sender with a size for each receiver, zero allowed; `bytes` is not used.
    Matrix(Matrix),
    /// Drawn from the scenario's seed with the mean `bytes`.
    Drawn(Draw),
    /// `bytes`, but every rank has larger blocks for the first ranks.
    Hot(Hot),
}

/// The first ranks have larger blocks than the others.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Hot {
    /// Number of ranks with larger blocks.
    #[schemars(range(min = 1))]
    pub ranks: u32,
    /// Their size, as a multiple of the others'.
    #[schemars(range(min = 1))]
    pub factor: u32,
}

/// One size for each rank.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "Vec<Size>", into = "Vec<Size>")]
pub struct ListedSizes(Listed);

/// One size for each pair of ranks.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Vec<Vec<Size>>", into = "Vec<Vec<Size>>")]
pub struct Matrix {
    listed: Listed,
    ranks: u32,
}

impl From<Vec<Size>> for ListedSizes {
    fn from(sizes: Vec<Size>) -> Self {
        Self(Listed::new(sizes.into_iter().map(|size| size.0)))
    }
}

impl From<ListedSizes> for Vec<Size> {
    fn from(sizes: ListedSizes) -> Self {
        sizes.0.iter().map(Size).collect()
    }
}

impl TryFrom<Vec<Vec<Size>>> for Matrix {
    type Error = String;

    fn try_from(rows: Vec<Vec<Size>>) -> Result<Self, String> {
        let ranks = rows.len();
        match rows.iter().position(|row| row.len() != ranks) {
            None => Ok(Self {
                listed: Listed::new(rows.into_iter().flatten().map(|size| size.0)),
                ranks: u32::try_from(ranks).map_err(|_| "the matrix has more ranks than can be numbered".to_owned())?,
            }),
            Some(row) => Err(format!(
                "the matrix has {ranks} senders, but sender {row} (numbered from 0) has sizes for {} receivers; give each sender {ranks}",
                rows[row].len()
            )),
        }
    }
}

impl From<Matrix> for Vec<Vec<Size>> {
    fn from(matrix: Matrix) -> Self {
        let sizes: Vec<Size> = matrix.listed.iter().map(Size).collect();
        sizes.chunks(matrix.ranks.max(1) as usize).map(<[Size]>::to_vec).collect()
    }
}

impl JsonSchema for ListedSizes {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "ListedSizes".into()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        Vec::<Size>::json_schema(generator)
    }
}

impl JsonSchema for Matrix {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Matrix".into()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        Vec::<Vec<Size>>::json_schema(generator)
    }
}

impl Sizes {
    /// The blocks; even ones of `bytes` if there are no sizes. Drawn sizes are multiples of `unit`.
    pub(super) fn blocks(sizes: Option<&Self>, bytes: Bytes, unit: Bytes, seed: u64) -> BlockSizes {
        match sizes {
            None => BlockSizes::Even(bytes),
            Some(Self::Listed(listed)) => BlockSizes::Listed(listed.0.clone()),
            Some(Self::Drawn(law)) => BlockSizes::Drawn { mean: bytes, law: *law, unit, seed },
            Some(Self::Hot(hot)) => BlockSizes::Hot { bytes, hot: hot.ranks, factor: hot.factor },
        }
    }

    /// Checks `bytes` and the sizes for a job of `ranks`; all are multiples of `element`.
    pub(super) fn check(
        sizes: Option<&Self>,
        workload: &'static str,
        bytes: Bytes,
        element: Bytes,
        ranks: u32,
    ) -> Result<(), WorkloadError> {
        message_size(workload, "element", element)?;
        match sizes {
            Some(Self::Listed(listed)) => {
                listed.0.check(workload, ranks.into(), ranks)?;
                listed.0.iter().try_for_each(|size| divides(workload, "sizes", size, element))
            }
            Some(Self::Drawn(law)) => check_drawn(*law, workload, bytes),
            Some(Self::Hot(hot)) => hot.check(workload, bytes, element),
            None => even(workload, bytes, element),
        }
    }
}

impl PairSizes {
    /// The blocks; even ones of `bytes` if there are no sizes.
    pub(super) fn blocks(sizes: Option<&Self>, bytes: Bytes, seed: u64) -> BlockSizes {
        match sizes {
            None => BlockSizes::Even(bytes),
            Some(Self::Matrix(matrix)) => BlockSizes::Listed(matrix.listed.clone()),
            Some(Self::Drawn(law)) => BlockSizes::Drawn { mean: bytes, law: *law, unit: Bytes(1), seed },
            Some(Self::Hot(hot)) => BlockSizes::Hot { bytes, hot: hot.ranks, factor: hot.factor },
        }
    }

    /// Checks `bytes` and the sizes for a job of `ranks`; in place, both directions of a pair have
    /// the same size.
    pub(super) fn check(
        sizes: Option<&Self>,
        workload: &'static str,
        bytes: Bytes,
        ranks: u32,
        in_place: bool,
    ) -> Result<(), WorkloadError> {
        match sizes {
            Some(Self::Matrix(matrix)) => {
                matrix.listed.check(workload, u64::from(ranks) * u64::from(ranks), ranks)?;
                if in_place { matrix.check_symmetric(workload) } else { Ok(()) }
            }
            Some(Self::Drawn(law)) => check_drawn(*law, workload, bytes),
            Some(Self::Hot(hot)) => hot.check(workload, bytes, Bytes(1)),
            None => even(workload, bytes, Bytes(1)),
        }
    }
}

impl Matrix {
    fn check_symmetric(&self, workload: &'static str) -> Result<(), WorkloadError> {
        let blocks = BlockSizes::Listed(self.listed.clone());
        for one in 0..self.ranks {
            for other in 0..one {
                let (there, back) = (blocks.pair(one, other, self.ranks), blocks.pair(other, one, self.ranks));
                if there != back {
                    let allowed = format!(
                        "{back} from rank {one} to rank {other}, equal to the opposite block: in place, MPI exchanges equal blocks"
                    );
                    return Err(WorkloadError::OutOfRange { workload, key: "sizes", found: there.0, allowed });
                }
            }
        }
        Ok(())
    }
}

impl Hot {
    fn check(self, workload: &'static str, bytes: Bytes, element: Bytes) -> Result<(), WorkloadError> {
        not_zero(workload, "sizes.hot.ranks", self.ranks)?;
        not_zero(workload, "sizes.hot.factor", self.factor)?;
        even(workload, bytes, element)?;
        largest(workload, bytes, self.factor.into())
    }
}

impl Listed {
    /// The sizes one by one.
    pub(super) fn iter(&self) -> impl Iterator<Item = Bytes> {
        (0..self.count() as u64).map(|index| self.at(index))
    }

    fn check(&self, workload: &'static str, needed: u64, ranks: u32) -> Result<(), WorkloadError> {
        if self.count() as u64 != needed {
            let found = self.count() as u64;
            let allowed = format!("{needed} sizes for {ranks} ranks");
            return Err(WorkloadError::OutOfRange { workload, key: "sizes", found, allowed });
        }
        let too_large = |size: Bytes| if size > Bytes::ZERO { message_size(workload, "sizes", size) } else { Ok(()) };
        self.iter().try_for_each(too_large)
    }
}

/// Largest draw over the mean. Source: uniform by definition; exponential: 64 halvings times ln 2.
/// Status: derived.
fn check_drawn(law: Draw, workload: &'static str, bytes: Bytes) -> Result<(), WorkloadError> {
    message_size(workload, "bytes", bytes)?;
    largest(workload, bytes, if law == Draw::Uniform { 2 } else { 46 })
}

fn even(workload: &'static str, bytes: Bytes, element: Bytes) -> Result<(), WorkloadError> {
    message_size(workload, "bytes", bytes)?;
    divides(workload, "bytes", bytes, element)
}

fn largest(workload: &'static str, bytes: Bytes, factor: u64) -> Result<(), WorkloadError> {
    let most = MESSAGE_BYTES_MAX.0 / factor.max(1);
    if bytes.0 <= most {
        return Ok(());
    }
    let allowed = format!("at most {}: single blocks may be {factor} times as large", Bytes(most));
    Err(WorkloadError::OutOfRange { workload, key: "bytes", found: bytes.0, allowed })
}

/// Checks that `found` is a whole number of elements.
pub(super) fn divides(
    workload: &'static str,
    key: &'static str,
    found: Bytes,
    element: Bytes,
) -> Result<(), WorkloadError> {
    if found.0.is_multiple_of(element.0.max(1)) {
        return Ok(());
    }
    Err(WorkloadError::NotDividing { workload, key, found: found.0, divisor_key: "element", divisor: element.0 })
}
