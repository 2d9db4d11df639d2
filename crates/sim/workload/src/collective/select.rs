//! The choice of a collective's algorithm: a table of rules, read as data.

use std::sync::LazyLock;

use philae_units::Bytes;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::algorithm::{
    AllgatherAlgorithm, AllreduceAlgorithm, AlltoallAlgorithm, AlltoallvAlgorithm, BarrierAlgorithm,
    BroadcastAlgorithm, GatherAlgorithm, ReduceAlgorithm, ReduceScatterAlgorithm,
};
use super::blocks::BlockSizes;
use crate::quantity::Size;

/// MPICH's choices, embedded.
const MPICH: &str = include_str!("mpich.toml");

/// Chooses an algorithm for the cases within all of its limits.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Rule<A> {
    /// The choice; `auto` is refused.
    pub algorithm: A,
    /// Fewest ranks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ranks_min: Option<u32>,
    /// Most ranks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ranks_max: Option<u32>,
    /// Only for a power of two of ranks.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub power_of_two: bool,
    /// Most bytes of one block (alltoall: per destination; the mean of uneven blocks), or of the vector or message that is
    /// not in blocks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bytes_max: Option<Size>,
    /// Most bytes of all blocks together; of a vector or message, times the ranks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub total_max: Option<Size>,
    /// Only with at least one element for each of the largest power of two of ranks; for `allreduce` and `reduce`.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub element_per_rank: bool,
    /// Only with fewer elements than that.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub too_few_elements: bool,
    /// Only for uneven blocks (MPI's collectives with a `v`).
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub uneven: bool,
}

/// The inputs of a choice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Case {
    /// Number of ranks.
    pub ranks: u32,
    /// Size of one block, or of the vector or message that has no blocks.
    pub bytes: Bytes,
    /// All blocks; a vector or message times the ranks.
    pub total: Bytes,
    /// Elements of a vector.
    pub elements: u64,
    /// Whether blocks differ in size.
    pub uneven: bool,
}

impl Case {
    /// A vector or message.
    #[must_use]
    pub const fn whole(ranks: u32, bytes: Bytes, elements: u64) -> Self {
        Self { ranks, bytes, total: Bytes(bytes.0.saturating_mul(ranks as u64)), elements, uneven: false }
    }

    /// Blocks of the ranks, with an unknown number of elements.
    #[must_use]
    pub fn blocks(ranks: u32, blocks: &BlockSizes) -> Self {
        let total = blocks.sum(0..ranks);
        let uneven = !matches!(blocks, BlockSizes::Even(_));
        Self { ranks, bytes: Bytes(total.0 / u64::from(ranks.max(1))), total, elements: 0, uneven }
    }
}

impl<A> Rule<A> {
    /// A rule for every case.
    #[must_use]
    pub const fn always(algorithm: A) -> Self {
        Self {
            algorithm,
            ranks_min: None,
            ranks_max: None,
            power_of_two: false,
            bytes_max: None,
            total_max: None,
            element_per_rank: false,
            too_few_elements: false,
            uneven: false,
        }
    }

    fn applies(&self, case: &Case) -> bool {
        let enough = case.elements >= 1 << case.ranks.max(1).ilog2();
        self.ranks_min.is_none_or(|min| case.ranks >= min)
            && self.ranks_max.is_none_or(|max| case.ranks <= max)
            && (!self.power_of_two || case.ranks.is_power_of_two())
            && self.bytes_max.is_none_or(|max| case.bytes <= max.0)
            && self.total_max.is_none_or(|max| case.total <= max.0)
            && (!self.element_per_rank || enough)
            && (!self.too_few_elements || !enough)
            && (!self.uneven || case.uneven)
    }

    const fn is_open(&self) -> bool {
        self.ranks_min.is_none()
            && self.ranks_max.is_none()
            && !self.power_of_two
            && self.bytes_max.is_none()
            && self.total_max.is_none()
            && !self.element_per_rank
            && !self.too_few_elements
            && !self.uneven
    }
}

/// An unusable selection table.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SelectionError {
    /// Not text of the expected form.
    #[error("cannot read the selection table: {reason}")]
    Syntax {
        /// The reader's message.
        reason: String,
    },
    /// Some case has no rule.
    #[error(
        "the selection table's last rule for {collective} (rule {rule}) has limits; add a last rule with an algorithm only, or remove the list to use MPICH's"
    )]
    NoDefault {
        /// The list.
        collective: &'static str,
        /// The rule, counted from 1; 0 if the list is empty.
        rule: usize,
    },
    /// A rule chooses `auto`.
    #[error("rule {rule} for {collective} in the selection table chooses `auto`; name an algorithm")]
    Auto {
        /// The list.
        collective: &'static str,
        /// The rule, counted from 1.
        rule: usize,
    },
    /// A rule that can never decide.
    #[error(
        "rule {rule} for {collective} in the selection table comes after rule {open}, which has no limits and decides every case; move rule {open} to the end"
    )]
    Unreachable {
        /// The list.
        collective: &'static str,
        /// The rule, counted from 1.
        rule: usize,
        /// The rule that hides it.
        open: usize,
    },
    /// A rule with limits that no case can meet.
    #[error("rule {rule} for {collective} in the selection table can apply to no case: {reason}")]
    Empty {
        /// The list.
        collective: &'static str,
        /// The rule, counted from 1.
        rule: usize,
        /// The contradictory limits.
        reason: &'static str,
    },
}

/// Checks the rules of one collective.
fn check<A: PartialEq>(collective: &'static str, rules: &[Rule<A>], auto: &A) -> Result<(), SelectionError> {
    for (index, rule) in rules.iter().enumerate() {
        let number = index + 1;
        if rule.algorithm == *auto {
            return Err(SelectionError::Auto { collective, rule: number });
        }
        if rule.is_open() && number < rules.len() {
            return Err(SelectionError::Unreachable { collective, rule: number + 1, open: number });
        }
        let empty = |reason| Err(SelectionError::Empty { collective, rule: number, reason });
        if rule.ranks_min.zip(rule.ranks_max).is_some_and(|(min, max)| min > max) {
            return empty("`ranks_min` is above `ranks_max`");
        }
        let has_elements = matches!(collective, "allreduce" | "reduce");
        if (rule.element_per_rank || rule.too_few_elements) && !has_elements {
            return empty(
                "`element_per_rank` and `too_few_elements` are for allreduce and reduce, which know their elements",
            );
        }
        if rule.element_per_rank && rule.too_few_elements {
            return empty("`element_per_rank` and `too_few_elements` exclude each other");
        }
    }
    if rules.last().is_some_and(Rule::is_open) {
        return Ok(());
    }
    Err(SelectionError::NoDefault { collective, rule: rules.len() })
}

macro_rules! tables {
    ($($(#[$meta:meta])* $collective:ident: $algorithm:ty = $name:literal,)*) => {
        /// Rules for each collective; the first that matches decides. The last rule of each list must match everything.
        ///
        /// The default is MPICH's (`src/collective/mpich.toml`), also for a collective whose list is left out. Cray MPICH's own
        /// thresholds are not public: to study another library, write a table of the same form.
        #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
        #[serde(try_from = "RawTable", into = "RawTable")]
        #[schemars(with = "RawTable")]
        pub struct SelectionTable(RawTable);

        #[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
        #[serde(deny_unknown_fields, rename_all = "kebab-case")]
        pub(super) struct RawTable {
            /// Source of the numbers.
            pub source: String,
            $(
                $(#[$meta])*
                #[serde(default, skip_serializing_if = "Option::is_none")]
                pub $collective: Option<Vec<Rule<$algorithm>>>,
            )*
        }

        impl SelectionTable {
            $(
                $(#[$meta])*
                #[must_use]
                pub fn $collective(&self, case: &Case) -> $algorithm {
                    let rules = self.0.$collective.as_ref().or(Self::mpich().0.$collective.as_ref());
                    let mut rules = rules.expect("MPICH's table has every list, checked by a test").iter();
                    let rule = rules.find(|rule| rule.applies(case));
                    rule.expect("the last rule matches every case, checked when the table was read").algorithm
                }
            )*
        }

        impl TryFrom<RawTable> for SelectionTable {
            type Error = SelectionError;

            fn try_from(raw: RawTable) -> Result<Self, SelectionError> {
                $(
                    if let Some(rules) = &raw.$collective {
                        check($name, rules, &<$algorithm>::Auto)?;
                    }
                )*
                Ok(Self(raw))
            }
        }

        #[cfg(test)]
        fn missing_lists(table: &SelectionTable) -> Vec<&'static str> {
            [$(($name, table.0.$collective.is_none())),*].into_iter().filter(|list| list.1).map(|list| list.0).collect()
        }
    };
}

tables! {
    /// For an alltoall.
    alltoall: AlltoallAlgorithm = "alltoall",
    /// For an alltoallv.
    alltoallv: AlltoallvAlgorithm = "alltoallv",
    /// For an allreduce.
    allreduce: AllreduceAlgorithm = "allreduce",
    /// For a reduce-scatter.
    reduce_scatter: ReduceScatterAlgorithm = "reduce-scatter",
    /// For an allgather.
    allgather: AllgatherAlgorithm = "allgather",
    /// For a broadcast.
    broadcast: BroadcastAlgorithm = "broadcast",
    /// For a reduction to one rank.
    reduce: ReduceAlgorithm = "reduce",
    /// For a gather.
    gather: GatherAlgorithm = "gather",
    /// For a scatter.
    scatter: GatherAlgorithm = "scatter",
    /// For a barrier.
    barrier: BarrierAlgorithm = "barrier",
}

impl SelectionTable {
    /// MPICH's table, parsed once.
    #[must_use]
    pub fn mpich() -> &'static Self {
        static TABLE: LazyLock<SelectionTable> =
            LazyLock::new(|| SelectionTable::parse(MPICH).expect("the embedded table is checked by a test"));
        &TABLE
    }

    /// This table, or MPICH's by default.
    pub(super) fn or_mpich(table: Option<&Self>) -> &Self {
        table.unwrap_or(Self::mpich())
    }

    /// Reads a table from TOML text.
    ///
    /// # Errors
    /// [`SelectionError`], if the text is not a table or leaves a case without a rule.
    pub fn parse(text: &str) -> Result<Self, SelectionError> {
        let raw: RawTable =
            toml::from_str(text).map_err(|error| SelectionError::Syntax { reason: error.to_string() })?;
        Self::try_from(raw)
    }

    /// The source of the table's numbers, in its own words.
    #[must_use]
    pub fn source(&self) -> &str {
        &self.0.source
    }
}

impl Default for SelectionTable {
    fn default() -> Self {
        Self::mpich().clone()
    }
}

impl From<SelectionTable> for RawTable {
    fn from(table: SelectionTable) -> Self {
        table.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn alltoall(ranks: u32, bytes: u64) -> AlltoallAlgorithm {
        SelectionTable::mpich().alltoall(&Case::blocks(ranks, &BlockSizes::Even(Bytes(bytes))))
    }

    #[test]
    fn the_embedded_table_makes_mpichs_choices_for_alltoall_and_allreduce() {
        let table = SelectionTable::default();
        assert!(table.source().contains("mpich"));
        assert_eq!(missing_lists(&table), [""; 0]);
        assert_eq!(alltoall(1_024, 256), AlltoallAlgorithm::Bruck);
        assert_eq!(alltoall(1_024, 257), AlltoallAlgorithm::Scattered);
        assert_eq!(alltoall(9, 8), AlltoallAlgorithm::Bruck);
        assert_eq!(alltoall(8, 8), AlltoallAlgorithm::Scattered, "as MPICH 5.0.2 does");
        assert_eq!(alltoall(1_024, 32_768), AlltoallAlgorithm::Scattered);
        assert_eq!(alltoall(1_024, 32_769), AlltoallAlgorithm::Pairwise);
        let allreduce = |ranks, bytes, elements| table.allreduce(&Case::whole(ranks, Bytes(bytes), elements));
        assert_eq!(allreduce(8, 8, 8), AllreduceAlgorithm::RecursiveDoubling);
        // The control variable's 2,048 B have no effect in MPICH 5.0.2.
        assert_eq!(allreduce(8, 64, 8), AllreduceAlgorithm::Rabenseifner);
        assert_eq!(allreduce(16, 64, 8), AllreduceAlgorithm::RecursiveDoubling, "fewer elements than ranks");
        assert_eq!(allreduce(64, 4_096, 512), AllreduceAlgorithm::Rabenseifner);
        assert_eq!(allreduce(1_024, 4_096, 512), AllreduceAlgorithm::RecursiveDoubling);
    }

    #[test]
    fn the_embedded_table_makes_mpichs_choices_for_the_others() {
        let table = SelectionTable::mpich();
        let even = |ranks, total: u64| Case::blocks(ranks, &BlockSizes::Even(Bytes(total / u64::from(ranks))));
        assert_eq!(table.allgather(&even(64, 524_288 - 64)), AllgatherAlgorithm::RecursiveDoubling);
        assert_eq!(table.allgather(&even(64, 524_288)), AllgatherAlgorithm::Ring);
        assert_eq!(table.allgather(&even(60, 81_900)), AllgatherAlgorithm::Bruck);
        assert_eq!(table.allgather(&even(60, 81_960)), AllgatherAlgorithm::Ring);
        assert_eq!(table.reduce_scatter(&even(60, 524_280)), ReduceScatterAlgorithm::RecursiveHalving);
        assert_eq!(table.reduce_scatter(&even(64, 524_288)), ReduceScatterAlgorithm::Pairwise);
        let message = |ranks, bytes| Case::whole(ranks, Bytes(bytes), bytes / 8);
        assert_eq!(table.broadcast(&message(7, 1 << 30)), BroadcastAlgorithm::Binomial);
        assert_eq!(table.broadcast(&message(64, 12_288)), BroadcastAlgorithm::Binomial);
        assert_eq!(table.broadcast(&message(64, 12_289)), BroadcastAlgorithm::ScatterRecursiveDoubling);
        assert_eq!(table.broadcast(&message(60, 12_289)), BroadcastAlgorithm::ScatterRing);
        assert_eq!(table.broadcast(&message(64, 524_289)), BroadcastAlgorithm::ScatterRing);
        assert_eq!(table.reduce(&message(64, 2_048)), ReduceAlgorithm::Binomial);
        assert_eq!(table.reduce(&message(64, 2_056)), ReduceAlgorithm::ReduceScatterGather);
        assert_eq!(table.reduce(&message(1_024, 4_096)), ReduceAlgorithm::Binomial);
        assert_eq!(table.gather(&even(64, 64 << 20)), GatherAlgorithm::Binomial);
        let hot = BlockSizes::Hot { bytes: Bytes(8), hot: 1, factor: 2 };
        assert_eq!(table.gather(&Case::blocks(64, &hot)), GatherAlgorithm::Linear);
        assert_eq!(table.scatter(&Case::blocks(64, &hot)), GatherAlgorithm::Linear);
        assert_eq!(table.alltoallv(&Case::blocks(64, &hot)), AlltoallvAlgorithm::Scattered);
        assert_eq!(table.barrier(&Case::whole(64, Bytes::ZERO, 0)), BarrierAlgorithm::Dissemination);
    }

    #[test]
    fn a_table_that_cannot_work_is_refused_with_the_rule_and_what_would_work() {
        let error = |rules: &str| {
            let text = format!("source = 'mine'\n{rules}");
            SelectionTable::parse(&text).expect_err("it cannot work").to_string()
        };
        let text = error("[[alltoall]]\nalgorithm = 'bruck'\nbytes_max = '1KiB'\n");
        assert!(text.contains("alltoall (rule 1)") && text.contains("add a last rule"), "{text}");
        let text = error("[[gather]]\nalgorithm = 'linear'\nuneven = true\n[[gather]]\nalgorithm = 'auto'\n");
        assert!(text.starts_with("rule 2 for gather") && text.contains("name an algorithm"), "{text}");
        let text = error("[[reduce]]\nalgorithm = 'binomial'\n[[reduce]]\nalgorithm = 'binomial'\nranks_min = 3\n");
        assert!(text.starts_with("rule 2 for reduce") && text.contains("move rule 1 to the end"), "{text}");
        let text = error("[[broadcast]]\nalgorithm = 'binomial'\nranks_min = 9\nranks_max = 8\n");
        assert!(text.contains("rule 1 for broadcast") && text.contains("ranks_max"), "{text}");
        let text =
            error("[[gather]]\nalgorithm = 'linear'\nelement_per_rank = true\n[[gather]]\nalgorithm = 'linear'\n");
        assert!(text.contains("rule 1 for gather") && text.contains("allreduce and reduce"), "{text}");
        let text = error("[[allgather]]\nalgorithm = 'brucks'\n");
        assert!(text.contains("brucks") && text.contains("recursive-doubling"), "{text}");
        let text = error("allreduce = []\n");
        assert!(text.contains("rule 0"), "{text}");
    }

    #[test]
    fn a_list_that_is_left_out_is_mpichs() {
        let text = "source = 'mine'\n[[alltoall]]\nalgorithm = 'pairwise'\n";
        let table = SelectionTable::parse(text).expect("a table");
        let case = Case::whole(64, Bytes(8), 1);
        assert_eq!(table.alltoall(&case), AlltoallAlgorithm::Pairwise);
        assert_eq!(table.allreduce(&case), SelectionTable::mpich().allreduce(&case));
    }

    #[test]
    fn every_limit_decides() {
        let first = |limit: &str, case: Case| {
            let text = format!(
                "source = 'mine'\n[[reduce]]\nalgorithm = 'binomial'\n{limit}\n[[reduce]]\nalgorithm = 'reduce-scatter-gather'\n"
            );
            SelectionTable::parse(&text).expect("a table").reduce(&case) == ReduceAlgorithm::Binomial
        };
        let case = |ranks, bytes, elements| Case::whole(ranks, Bytes(bytes), elements);
        let uneven = Case { uneven: true, total: Bytes(100), ..case(6, 8, 1) };
        for (limit, yes, no) in [
            ("ranks_min = 6", case(6, 8, 1), case(5, 8, 1)),
            ("ranks_max = 6", case(6, 8, 1), case(7, 8, 1)),
            ("power_of_two = true", case(8, 8, 1), case(6, 8, 1)),
            ("bytes_max = 8", case(6, 8, 1), case(6, 9, 1)),
            ("total_max = 96", case(6, 16, 1), uneven),
            ("element_per_rank = true", case(6, 8, 4), case(6, 8, 3)),
            ("too_few_elements = true", case(6, 8, 3), case(6, 8, 4)),
            ("uneven = true", uneven, case(6, 8, 1)),
        ] {
            assert!(first(limit, yes) && !first(limit, no), "{limit}");
        }
    }

    #[test]
    fn a_table_reads_back_as_it_was_written() {
        let table = SelectionTable::default();
        let text = toml::to_string(&table).expect("a table is TOML");
        assert_eq!(SelectionTable::parse(&text), Ok(table));
    }
}
