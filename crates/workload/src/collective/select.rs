//! Which algorithm a collective uses: a table of rules, read as data.

use std::sync::LazyLock;

use philae_units::Bytes;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{AllreduceAlgorithm, AlltoallAlgorithm};
use crate::quantity::Size;

/// MPICH's choices, embedded.
const MPICH: &str = include_str!("mpich.toml");

/// Rules for each collective; the first that matches decides. The last rule of each list must match everything.
///
/// The default is MPICH's (`src/collective/mpich.toml`). Cray MPICH's own thresholds are not public: to study another
/// library, write a table of the same form.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "RawTable", into = "RawTable")]
#[schemars(with = "RawTable")]
pub struct SelectionTable(RawTable);

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct RawTable {
    /// Where the numbers come from.
    source: String,
    alltoall: Vec<AlltoallRule>,
    allreduce: Vec<AllreduceRule>,
}

/// Chooses an alltoall algorithm for the cases within all of its limits.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AlltoallRule {
    /// The choice; `auto` is refused.
    pub algorithm: AlltoallAlgorithm,
    /// Fewest ranks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ranks_min: Option<u32>,
    /// Most bytes per destination.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bytes_max: Option<Size>,
}

/// Chooses an allreduce algorithm for the cases within all of its limits.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AllreduceRule {
    /// The choice; `auto` is refused.
    pub algorithm: AllreduceAlgorithm,
    /// Fewest ranks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ranks_min: Option<u32>,
    /// Largest vector.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bytes_max: Option<Size>,
    /// Only when there is an element for each of the largest power of two of ranks.
    #[serde(default)]
    pub element_per_rank: bool,
}

/// A selection table that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SelectionError {
    /// Not TOML of the expected form.
    #[error("cannot read the selection table: {reason}")]
    Syntax {
        /// The reader's message.
        reason: String,
    },
    /// Some case has no rule.
    #[error("the selection table's last rule for {collective} has limits; its last rule must match every case")]
    NoDefault {
        /// Which list.
        collective: &'static str,
    },
    /// A rule chooses `auto`.
    #[error("a rule for {collective} in the selection table chooses `auto`; name an algorithm")]
    Auto {
        /// Which list.
        collective: &'static str,
    },
}

impl SelectionTable {
    /// MPICH's table, read once.
    #[must_use]
    pub fn mpich() -> &'static Self {
        static TABLE: LazyLock<SelectionTable> =
            LazyLock::new(|| SelectionTable::parse(MPICH).expect("the embedded table is checked by a test"));
        &TABLE
    }

    /// Reads a table from TOML text.
    ///
    /// # Errors
    /// [`SelectionError`], when the text is not a table or leaves a case without a rule.
    pub fn parse(text: &str) -> Result<Self, SelectionError> {
        let raw: RawTable =
            toml::from_str(text).map_err(|error| SelectionError::Syntax { reason: error.to_string() })?;
        Self::try_from(raw)
    }

    /// Where the table's numbers come from, in its own words.
    #[must_use]
    pub fn source(&self) -> &str {
        &self.0.source
    }

    /// The algorithm for `bytes` per destination among `ranks`.
    #[must_use]
    pub fn alltoall(&self, ranks: u32, bytes: Bytes) -> AlltoallAlgorithm {
        let rules = self.0.alltoall.iter();
        let mut matching = rules.filter(|rule| within(rule.ranks_min, rule.bytes_max, ranks, bytes));
        matching.next().expect("the last rule matches every case, checked when the table was read").algorithm
    }

    /// The algorithm for a vector of `bytes` in `elements` elements among `ranks`.
    #[must_use]
    pub fn allreduce(&self, ranks: u32, bytes: Bytes, elements: u64) -> AllreduceAlgorithm {
        let enough = elements >= 1 << ranks.max(1).ilog2();
        let rules = self.0.allreduce.iter();
        let mut matching = rules
            .filter(|rule| within(rule.ranks_min, rule.bytes_max, ranks, bytes) && (enough || !rule.element_per_rank));
        matching.next().expect("the last rule matches every case, checked when the table was read").algorithm
    }
}

impl Default for SelectionTable {
    fn default() -> Self {
        Self::mpich().clone()
    }
}

impl TryFrom<RawTable> for SelectionTable {
    type Error = SelectionError;

    fn try_from(raw: RawTable) -> Result<Self, SelectionError> {
        let open = |rule: &AlltoallRule| rule.ranks_min.is_none() && rule.bytes_max.is_none();
        if !raw.alltoall.last().is_some_and(open) {
            return Err(SelectionError::NoDefault { collective: "alltoall" });
        }
        let open =
            |rule: &AllreduceRule| rule.ranks_min.is_none() && rule.bytes_max.is_none() && !rule.element_per_rank;
        if !raw.allreduce.last().is_some_and(open) {
            return Err(SelectionError::NoDefault { collective: "allreduce" });
        }
        if raw.alltoall.iter().any(|rule| rule.algorithm == AlltoallAlgorithm::Auto) {
            return Err(SelectionError::Auto { collective: "alltoall" });
        }
        if raw.allreduce.iter().any(|rule| rule.algorithm == AllreduceAlgorithm::Auto) {
            return Err(SelectionError::Auto { collective: "allreduce" });
        }
        Ok(Self(raw))
    }
}

impl From<SelectionTable> for RawTable {
    fn from(table: SelectionTable) -> Self {
        table.0
    }
}

fn within(ranks_min: Option<u32>, bytes_max: Option<Size>, ranks: u32, bytes: Bytes) -> bool {
    ranks_min.is_none_or(|min| ranks >= min) && bytes_max.is_none_or(|max| bytes <= max.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_embedded_table_makes_mpichs_choices() {
        let table = SelectionTable::default();
        assert!(table.source().contains("mpich"));
        assert_eq!(table.alltoall(1_024, Bytes(256)), AlltoallAlgorithm::Bruck);
        assert_eq!(table.alltoall(1_024, Bytes(257)), AlltoallAlgorithm::Scattered);
        assert_eq!(table.alltoall(7, Bytes(8)), AlltoallAlgorithm::Scattered);
        assert_eq!(table.alltoall(1_024, Bytes(32_768)), AlltoallAlgorithm::Scattered);
        assert_eq!(table.alltoall(1_024, Bytes(32_769)), AlltoallAlgorithm::Pairwise);
        assert_eq!(table.allreduce(64, Bytes(2_048), 256), AllreduceAlgorithm::RecursiveDoubling);
        assert_eq!(table.allreduce(64, Bytes(4_096), 512), AllreduceAlgorithm::Rabenseifner);
        assert_eq!(table.allreduce(1_024, Bytes(4_096), 512), AllreduceAlgorithm::RecursiveDoubling);
    }

    #[test]
    fn a_table_that_leaves_a_case_open_is_refused() {
        let text = "source = 'mine'\n[[alltoall]]\nalgorithm = 'bruck'\nbytes_max = '1KiB'\n\
                    [[allreduce]]\nalgorithm = 'ring'\n";
        assert_eq!(SelectionTable::parse(text), Err(SelectionError::NoDefault { collective: "alltoall" }));
        assert_eq!(
            SelectionTable::parse(&text.replace("bytes_max = '1KiB'\n", "").replace("'ring'", "'auto'")),
            Err(SelectionError::Auto { collective: "allreduce" })
        );
    }

    #[test]
    fn a_table_reads_back_as_it_was_written() {
        let table = SelectionTable::default();
        let text = toml::to_string(&table).expect("a table is TOML");
        assert_eq!(SelectionTable::parse(&text), Ok(table));
    }
}
