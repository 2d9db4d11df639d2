//! Selection tables in the form of MPICH's tuning files.
//!
//! Source: pmodels/mpich, maint/tuning/coll/mpir/generic.json and src/mpi/coll/src/csel.c. Status:
//! published. A file is a tree whose keys are conditions, tried in their order, and whose leaves
//! name algorithms. The reader ignores what a program of ranks cannot know (nodes, operations other
//! than commutative and built in, communicators between groups).

use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};

use super::algorithm::{
    AllgatherAlgorithm, AllreduceAlgorithm, AlltoallAlgorithm, AlltoallvAlgorithm, BarrierAlgorithm,
    BroadcastAlgorithm, GatherAlgorithm, ReduceAlgorithm, ReduceScatterAlgorithm,
};
use super::select::{RawTable, Rule, SelectionError, SelectionTable};
use crate::quantity::Size;

/// A tree of conditions in the order of the file, which matters.
#[derive(Debug)]
struct Node(Vec<(String, Node)>);

impl<'de> Deserialize<'de> for Node {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Reader;
        impl<'de> Visitor<'de> for Reader {
            type Value = Node;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object of conditions, such as {\"collective=bcast\": {\"algorithm=MPIR_Bcast_intra_binomial\": {}}}")
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Node, A::Error> {
                let mut entries = Vec::new();
                while let Some(entry) = map.next_entry()? {
                    entries.push(entry);
                }
                Ok(Node(entries))
            }
        }
        deserializer.deserialize_map(Reader)
    }
}

/// An algorithm by MPICH's name without its prefix (`brucks`), with its `k` if it has one.
struct Leaf {
    collective: String,
    algorithm: String,
    rule: Rule<()>,
}

/// The meaning of a condition.
enum Condition {
    Always,
    /// It never holds here.
    Never,
    Limits(Rule<()>),
    Unknown,
}

#[derive(Default)]
struct Reading {
    leaves: Vec<Leaf>,
    left_out: Vec<String>,
}

impl SelectionTable {
    /// Reads a tuning file of MPICH's. `origin` is its name in the table's source.
    ///
    /// MPICH's own table decides for collectives that the file does not mention, and for cases that
    /// it leaves open. Parts that are not understood are left out and named in
    /// [`source`](Self::source).
    ///
    /// # Errors
    /// [`SelectionError`] if the text is not JSON of this form, or contains no rule that is
    /// understood.
    pub fn from_mpich_json(text: &str, origin: &str) -> Result<Self, SelectionError> {
        let syntax = |reason: String| SelectionError::Syntax { reason: format!("{origin}: {reason}") };
        let tree: Node = serde_json::from_str(text).map_err(|error| syntax(error.to_string()))?;
        let mut reading = Reading::default();
        reading.walk(&tree, None, &Rule::always(()));
        let mpich = RawTable::from(Self::mpich().clone());
        let mut raw = RawTable {
            alltoall: reading.list(&["alltoall"], alltoall, mpich.alltoall),
            alltoallv: reading.list(&["alltoallv"], alltoallv, mpich.alltoallv),
            allreduce: reading.list(&["allreduce"], allreduce, mpich.allreduce),
            reduce_scatter: reading.list(
                &["reduce_scatter_block", "reduce_scatter"],
                reduce_scatter,
                mpich.reduce_scatter,
            ),
            allgather: reading.list(&["allgather", "allgatherv"], allgather, mpich.allgather),
            broadcast: reading.list(&["bcast"], broadcast, mpich.broadcast),
            reduce: reading.list(&["reduce"], reduce, mpich.reduce),
            gather: reading.list(&["gather", "gatherv"], gather, mpich.gather),
            scatter: reading.list(&["scatter", "scatterv"], gather, mpich.scatter),
            barrier: reading.list(&["barrier"], barrier, mpich.barrier),
            source: String::new(),
        };
        if raw == RawTable::default() {
            return Err(syntax("it has no condition that Philae knows; it needs keys such as \"collective=alltoall\" and \"algorithm=MPIR_Alltoall_intra_brucks\"".to_owned()));
        }
        reading.left_out.dedup();
        raw.source = match reading.left_out.as_slice() {
            [] => origin.to_owned(),
            names => format!("{origin}; unknown and ignored: {}", names.join(", ")),
        };
        Self::try_from(raw)
    }
}

impl Reading {
    fn walk(&mut self, node: &Node, collective: Option<&str>, rule: &Rule<()>) {
        for (key, below) in &node.0 {
            if let Some(name) = key.strip_prefix("collective=") {
                self.walk(below, Some(name), rule);
                continue;
            }
            let name = collective.unwrap_or("any collective");
            if !KNOWN.contains(&name) && collective.is_some() {
                let left_out = format!("collective={name}");
                if self.left_out.last() != Some(&left_out) {
                    self.left_out.push(left_out);
                }
                return;
            }
            if let Some(algorithm) = key.strip_prefix("algorithm=") {
                let short = algorithm.split_once("_intra_").or(algorithm.split_once("_allcomm_"));
                let mut short = short.map_or(algorithm, |(_, short)| short).to_owned();
                short.extend(below.0.iter().map(|(parameter, _)| format!(" {parameter}")));
                self.leaves.push(Leaf { collective: name.to_owned(), algorithm: short, rule: rule.clone() });
                continue;
            }
            match condition(key, name) {
                Condition::Always => self.walk(below, collective, rule),
                Condition::Never => {}
                Condition::Limits(limits) => self.walk(below, collective, &both(rule, &limits)),
                Condition::Unknown => self.left_out.push(format!("{name}: {key}")),
            }
        }
    }

    /// The rules of a collective: MPI's variant for uneven blocks, if it has one, is the second
    /// name.
    fn list<A: Clone>(
        &mut self,
        names: &[&str],
        named: fn(&str) -> Option<A>,
        mpich: Option<Vec<Rule<A>>>,
    ) -> Option<Vec<Rule<A>>> {
        let mut rules = Vec::new();
        let mut open = false;
        for (name, uneven) in names.iter().zip([false, true]).rev() {
            open = false;
            for leaf in self.leaves.iter().filter(|leaf| leaf.collective == *name) {
                let Some(algorithm) = named(&leaf.algorithm) else {
                    self.left_out.push(format!("{name}: {}", leaf.algorithm));
                    continue;
                };
                open = leaf.rule == Rule::always(());
                rules.push(leaf.rule.clone().with(algorithm, uneven));
                if open {
                    break;
                }
            }
        }
        if rules.is_empty() {
            return None;
        }
        if !open {
            rules.extend(mpich.into_iter().flatten());
        }
        Some(rules)
    }
}

/// The collectives of this crate.
const KNOWN: &[&str] = &[
    "alltoall",
    "alltoallv",
    "allreduce",
    "reduce_scatter",
    "reduce_scatter_block",
    "allgather",
    "allgatherv",
    "bcast",
    "reduce",
    "gather",
    "gatherv",
    "scatter",
    "scatterv",
    "barrier",
];

/// Communicators are within one group and flat; operations are built in and commutative; no
/// operation is in place.
fn condition(key: &str, collective: &str) -> Condition {
    let limits = |change: fn(&mut Rule<()>)| {
        let mut rule = Rule::always(());
        change(&mut rule);
        Condition::Limits(rule)
    };
    match key {
        "comm_type=intra"
        | "comm_hierarchy=flat"
        | "is_commutative=yes"
        | "is_op_built_in=yes"
        | "is_sendbuf_inplace=no" => return Condition::Always,
        "comm_type=inter"
        | "comm_hierarchy=parent"
        | "comm_hierarchy=node"
        | "comm_hierarchy=node_roots"
        | "is_commutative=no"
        | "is_op_built_in=no"
        | "is_sendbuf_inplace=yes" => return Condition::Never,
        "comm_size=pow2" => return limits(|rule| rule.power_of_two = true),
        "count<pow2" if matches!(collective, "allreduce" | "reduce") => {
            return limits(|rule| rule.too_few_elements = true);
        }
        "is_block_regular=no" => return limits(|rule| rule.uneven = true),
        _ if key.ends_with("=any") => return Condition::Always,
        _ => {}
    }
    let Some((what, bound)) = key.split_once('<') else { return Condition::Unknown };
    let (bound, below) = bound.strip_prefix('=').map_or((bound, 1), |bound| (bound, 0));
    let Ok(bound) = bound.parse::<u64>() else { return Condition::Unknown };
    let Some(most) = bound.checked_sub(below) else { return Condition::Never };
    let mut rule = Rule::always(());
    match what {
        "comm_size" => rule.ranks_max = Some(u32::try_from(most).unwrap_or(u32::MAX)),
        "avg_msg_size" => rule.bytes_max = Some(Size::bytes(most)),
        "total_msg_size" => rule.total_max = Some(Size::bytes(most)),
        _ => return Condition::Unknown,
    }
    Condition::Limits(rule)
}

/// The cases within the limits of both.
fn both(one: &Rule<()>, other: &Rule<()>) -> Rule<()> {
    fn least<T: Ord>(one: Option<T>, other: Option<T>) -> Option<T> {
        match (one, other) {
            (Some(one), Some(other)) => Some(one.min(other)),
            (one, other) => one.or(other),
        }
    }
    Rule {
        algorithm: (),
        ranks_min: one.ranks_min.max(other.ranks_min),
        ranks_max: least(one.ranks_max, other.ranks_max),
        power_of_two: one.power_of_two || other.power_of_two,
        bytes_max: least(one.bytes_max, other.bytes_max),
        total_max: least(one.total_max, other.total_max),
        element_per_rank: one.element_per_rank || other.element_per_rank,
        too_few_elements: one.too_few_elements || other.too_few_elements,
        uneven: one.uneven || other.uneven,
    }
}

impl Rule<()> {
    fn with<A>(self, algorithm: A, uneven: bool) -> Rule<A> {
        Rule {
            algorithm,
            ranks_min: self.ranks_min,
            ranks_max: self.ranks_max,
            power_of_two: self.power_of_two,
            bytes_max: self.bytes_max,
            total_max: self.total_max,
            element_per_rank: self.element_per_rank,
            too_few_elements: self.too_few_elements,
            uneven: self.uneven || uneven,
        }
    }
}

fn alltoall(name: &str) -> Option<AlltoallAlgorithm> {
    match name {
        "brucks" | "k_brucks k=2" => Some(AlltoallAlgorithm::Bruck),
        "scattered" => Some(AlltoallAlgorithm::Scattered),
        "pairwise" => Some(AlltoallAlgorithm::Pairwise),
        "pairwise_sendrecv_replace" => Some(AlltoallAlgorithm::SendrecvReplace),
        _ => None,
    }
}

fn alltoallv(name: &str) -> Option<AlltoallvAlgorithm> {
    match name {
        "scattered" => Some(AlltoallvAlgorithm::Scattered),
        "pairwise_sendrecv_replace" => Some(AlltoallvAlgorithm::SendrecvReplace),
        _ => None,
    }
}

fn allreduce(name: &str) -> Option<AllreduceAlgorithm> {
    match name {
        "recursive_doubling" => Some(AllreduceAlgorithm::RecursiveDoubling),
        "reduce_scatter_allgather" => Some(AllreduceAlgorithm::Rabenseifner),
        "ring" => Some(AllreduceAlgorithm::Ring),
        _ => None,
    }
}

fn reduce_scatter(name: &str) -> Option<ReduceScatterAlgorithm> {
    match name {
        "recursive_halving" => Some(ReduceScatterAlgorithm::RecursiveHalving),
        "pairwise" => Some(ReduceScatterAlgorithm::Pairwise),
        _ => None,
    }
}

fn allgather(name: &str) -> Option<AllgatherAlgorithm> {
    match name {
        "recursive_doubling" => Some(AllgatherAlgorithm::RecursiveDoubling),
        "brucks" | "k_brucks k=2" => Some(AllgatherAlgorithm::Bruck),
        "ring" => Some(AllgatherAlgorithm::Ring),
        _ => None,
    }
}

fn broadcast(name: &str) -> Option<BroadcastAlgorithm> {
    match name {
        "binomial" => Some(BroadcastAlgorithm::Binomial),
        "scatter_recursive_doubling_allgather" => Some(BroadcastAlgorithm::ScatterRecursiveDoubling),
        "scatter_ring_allgather" => Some(BroadcastAlgorithm::ScatterRing),
        _ => None,
    }
}

fn reduce(name: &str) -> Option<ReduceAlgorithm> {
    match name {
        "binomial" => Some(ReduceAlgorithm::Binomial),
        "reduce_scatter_gather" => Some(ReduceAlgorithm::ReduceScatterGather),
        _ => None,
    }
}

fn gather(name: &str) -> Option<GatherAlgorithm> {
    match name {
        "binomial" => Some(GatherAlgorithm::Binomial),
        "linear" => Some(GatherAlgorithm::Linear),
        _ => None,
    }
}

fn barrier(name: &str) -> Option<BarrierAlgorithm> {
    match name {
        "dissemination" | "k_dissemination k=2" => Some(BarrierAlgorithm::Dissemination),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use philae_units::Bytes;

    use super::*;
    use crate::collective::{BlockSizes, Case};

    /// A tuning file of our own in MPICH's form.
    const FILE: &str = r#"{
        "collective=bcast": {
            "comm_type=intra": {
                "comm_size<4": {"comm_hierarchy=parent": {"avg_msg_size=any": {"algorithm=MPIR_Bcast_intra_smp": {}}},
                                "comm_hierarchy=any": {"algorithm=MPIR_Bcast_intra_binomial": {}}},
                "comm_size=pow2": {"avg_msg_size<=1000": {"algorithm=MPIR_Bcast_intra_binomial": {}},
                                   "avg_msg_size=any": {"algorithm=MPIR_Bcast_intra_scatter_recursive_doubling_allgather": {}}},
                "comm_size=any": {"per_proc_msg_size<=10": {"algorithm=MPIR_Bcast_intra_binomial": {}},
                                  "per_proc_msg_size=any": {"algorithm=MPIR_Bcast_intra_scatter_ring_allgather": {}}}
            },
            "comm_type=inter": {"algorithm=MPIR_Bcast_inter_remote_send_local_bcast": {}}
        },
        "collective=allreduce": {
            "count<pow2": {"algorithm=MPIR_Allreduce_intra_recursive_doubling": {}},
            "count=any": {"avg_msg_size<100": {"algorithm=MPIR_Allreduce_intra_recexch": {"k=4": {}}},
                          "avg_msg_size=any": {"algorithm=MPIR_Allreduce_intra_ring": {}}}
        },
        "collective=gatherv": {"algorithm=MPIR_Gatherv_allcomm_linear": {}},
        "collective=gather": {"total_msg_size<2048": {"algorithm=MPIR_Gather_intra_binomial": {}},
                              "total_msg_size=any": {"algorithm=MPIR_Gather_intra_linear": {}}},
        "collective=alltoall": {"comm_size<=6": {"algorithm=MPIR_Alltoall_intra_k_brucks": {"k=2": {}}}},
        "collective=ibarrier": {"comm_type=intra": {"algorithm=MPIR_Ibarrier_intra_sched_recursive_doubling": {}}}
    }"#;

    #[test]
    fn a_tuning_file_decides_as_its_tree_does() {
        let table = SelectionTable::from_mpich_json(FILE, "a.json").expect("a tuning file");
        let bcast = |ranks, bytes| table.broadcast(&Case::whole(ranks, Bytes(bytes), bytes));
        assert_eq!(bcast(3, 1 << 20), BroadcastAlgorithm::Binomial);
        assert_eq!(bcast(8, 1_000), BroadcastAlgorithm::Binomial);
        assert_eq!(bcast(8, 1_001), BroadcastAlgorithm::ScatterRecursiveDoubling);
        assert_eq!(bcast(9, 1), BroadcastAlgorithm::ScatterRing);
        let allreduce = |bytes, elements| table.allreduce(&Case::whole(8, Bytes(bytes), elements));
        assert_eq!(allreduce(1_000, 7), AllreduceAlgorithm::RecursiveDoubling);
        assert_eq!(allreduce(1_000, 8), AllreduceAlgorithm::Ring);
        let gather = |blocks| table.gather(&Case::blocks(4, &blocks));
        assert_eq!(gather(BlockSizes::Even(Bytes(511))), GatherAlgorithm::Binomial);
        assert_eq!(gather(BlockSizes::Even(Bytes(512))), GatherAlgorithm::Linear);
        assert_eq!(gather(BlockSizes::Hot { bytes: Bytes(1), hot: 1, factor: 2 }), GatherAlgorithm::Linear);
        let alltoall = |ranks, bytes| table.alltoall(&Case::blocks(ranks, &BlockSizes::Even(Bytes(bytes))));
        assert_eq!(alltoall(6, 1 << 20), AlltoallAlgorithm::Bruck);
        assert_eq!(alltoall(7, 1 << 20), AlltoallAlgorithm::Pairwise, "what the file leaves open is MPICH's");
        for name in ["bcast: per_proc_msg_size<=10", "allreduce: recexch k=4", "collective=ibarrier", "a.json"] {
            assert!(table.source().contains(name), "{name}: {}", table.source());
        }
        assert!(!table.source().contains("inter"), "{}", table.source());
        let text = toml::to_string(&table).expect("a table is TOML");
        assert_eq!(SelectionTable::parse(&text), Ok(table));
    }

    #[test]
    fn what_is_no_tuning_file_is_refused_with_what_would_work() {
        for (text, says) in [
            ("{", "EOF"),
            ("[1]", "an object of conditions"),
            ("{}", "collective=alltoall"),
            (r#"{"collective=bcast": {"algorithm=MPIR_Bcast_intra_smp": {}}}"#, "has no condition"),
        ] {
            let error = SelectionTable::from_mpich_json(text, "b.json").expect_err(text).to_string();
            assert!(error.contains(says) && error.contains("b.json"), "{error}");
        }
    }
}
