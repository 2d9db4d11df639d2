//! A job: a workload, its request for nodes, and the mapping of its ranks to them.

use std::fmt;

use philae_units::{NodeId, RankId};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{self, SeqAccess, Visitor};
use serde::ser::SerializeSeq;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::quantity::{Share, Span};
use crate::spec::WorkloadSpec;

/// One job of a scenario.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct JobSpec {
    /// Name of the job in results.
    pub name: String,
    /// The workload of its ranks.
    pub workload: WorkloadSpec,
    /// Its nodes. Default: all nodes that no other job requests.
    #[serde(default)]
    pub nodes: Nodes,
    /// Ranks on each node. Default 1.
    #[serde(default = "one")]
    pub processes_per_node: u32,
    /// How ranks are distributed over its nodes. Default `block`.
    #[serde(default)]
    pub mapping: RankMapping,
    /// Start time. Default 0.
    #[serde(default)]
    pub start: Span,
    /// Traffic class by name; the scenario's default when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub class: Option<String>,
}

const fn one() -> u32 {
    1
}

impl JobSpec {
    /// Ranks of the job when it runs on `nodes` nodes.
    #[must_use]
    pub const fn ranks(&self, nodes: u32) -> u32 {
        nodes * self.processes_per_node
    }

    /// The node of `rank`, given the job's nodes in placement order.
    ///
    /// # Panics
    /// If the rank is outside the job.
    #[must_use]
    pub fn node_of(&self, rank: RankId, nodes: &[NodeId]) -> NodeId {
        nodes[self.mapping.node_index(rank.0, nodes.len() as u32, self.processes_per_node) as usize]
    }
}

/// Distribution of ranks over a job's nodes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum RankMapping {
    /// The first ranks fill the first node (Slurm's `block`).
    #[default]
    Block,
    /// Ranks are distributed over the nodes in turn (Slurm's `cyclic`).
    Cyclic,
}

impl RankMapping {
    /// The position, among the job's `nodes` nodes, of the node that `rank` is on.
    #[must_use]
    pub const fn node_index(self, rank: u32, nodes: u32, processes_per_node: u32) -> u32 {
        match self {
            Self::Block => rank / processes_per_node,
            Self::Cyclic => rank % nodes,
        }
    }
}

/// Nodes that a job requests.
///
/// Written as an integer (that many nodes), a number with a point (that share of all compute nodes,
/// rounded down: `0.9`, `1.0`), a list of node numbers and ranges (`[0, "8-15"]`), or `"rest"`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Nodes {
    /// That many.
    Count(u32),
    /// That share of all compute nodes, rounded down.
    Share(Share),
    /// These, in this order: inclusive ranges.
    List(Vec<(u32, u32)>),
    /// All nodes that the other jobs leave. At most one job may request this.
    #[default]
    Rest,
}

impl JsonSchema for Nodes {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Nodes".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "A number of nodes (64), a share of them (0.9), a list of nodes and ranges, or \"rest\".",
            "anyOf": [
                { "type": "integer", "minimum": 1 },
                { "type": "number", "exclusiveMinimum": 0, "maximum": 1 },
                { "const": "rest" },
                { "type": "array", "items": { "anyOf": [
                    { "type": "integer", "minimum": 0 },
                    { "type": "string", "pattern": "^[0-9]+(-[0-9]+)?$" },
                ] } },
            ],
        })
    }
}

impl Serialize for Nodes {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Count(count) => serializer.serialize_u32(*count),
            Self::Share(share) => share.serialize(serializer),
            Self::List(ranges) => {
                let mut list = serializer.serialize_seq(Some(ranges.len()))?;
                for (first, last) in ranges {
                    list.serialize_element(&format!("{first}-{last}"))?;
                }
                list.end()
            }
            Self::Rest => serializer.serialize_str("rest"),
        }
    }
}

impl<'de> Deserialize<'de> for Nodes {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Reader;

        impl<'de> Visitor<'de> for Reader {
            type Value = Nodes;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a number of nodes (64), a share of them (0.9), a list ([0, \"8-15\"]) or \"rest\"")
            }

            fn visit_u64<E: de::Error>(self, count: u64) -> Result<Nodes, E> {
                u32::try_from(count).map(Nodes::Count).map_err(|_| E::custom(format!("{count} nodes are too many")))
            }

            fn visit_i64<E: de::Error>(self, count: i64) -> Result<Nodes, E> {
                u32::try_from(count)
                    .map(Nodes::Count)
                    .map_err(|_| E::custom(format!("{count} is not a number of nodes")))
            }

            fn visit_f64<E: de::Error>(self, share: f64) -> Result<Nodes, E> {
                Share::from_f64(share).map(Nodes::Share).map_err(E::custom)
            }

            fn visit_str<E: de::Error>(self, text: &str) -> Result<Nodes, E> {
                if text == "rest" { Ok(Nodes::Rest) } else { Err(E::invalid_value(de::Unexpected::Str(text), &self)) }
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Nodes, A::Error> {
                let mut ranges = Vec::new();
                while let Some(Range(first, last)) = list.next_element()? {
                    ranges.push((first, last));
                }
                Ok(Nodes::List(ranges))
            }
        }

        deserializer.deserialize_any(Reader)
    }
}

/// One entry of a node list: `7` or `"8-15"`.
struct Range(u32, u32);

impl<'de> Deserialize<'de> for Range {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Reader;

        impl Visitor<'_> for Reader {
            type Value = Range;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a node number (7) or a range of them (\"8-15\")")
            }

            fn visit_u64<E: de::Error>(self, node: u64) -> Result<Range, E> {
                self.visit_str(&node.to_string())
            }

            fn visit_i64<E: de::Error>(self, node: i64) -> Result<Range, E> {
                self.visit_str(&node.to_string())
            }

            fn visit_str<E: de::Error>(self, text: &str) -> Result<Range, E> {
                let (first, last) = text.split_once('-').unwrap_or((text, text));
                match (first.trim().parse(), last.trim().parse()) {
                    (Ok(first), Ok(last)) if first <= last => Ok(Range(first, last)),
                    _ => Err(E::invalid_value(de::Unexpected::Str(text), &self)),
                }
            }
        }

        deserializer.deserialize_any(Reader)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Deserialize, Serialize, PartialEq, Debug)]
    struct Holder {
        nodes: Nodes,
    }

    fn read(text: &str) -> Result<Nodes, String> {
        toml::from_str::<Holder>(&format!("nodes = {text}"))
            .map(|holder| holder.nodes)
            .map_err(|error| error.message().to_owned())
    }

    #[test]
    fn nodes_are_a_count_a_share_a_list_or_the_rest() {
        assert_eq!(read("64"), Ok(Nodes::Count(64)));
        assert_eq!(read("0.9"), Ok(Nodes::Share(Share::from_millionths(900_000).expect("a share"))));
        assert_eq!(read("1.0"), Ok(Nodes::Share(Share::ALL)));
        assert_eq!(read("[3, \"8-15\"]"), Ok(Nodes::List(vec![(3, 3), (8, 15)])));
        assert_eq!(read("\"rest\""), Ok(Nodes::Rest));
    }

    #[test]
    fn nodes_that_make_no_sense_are_refused_by_name() {
        for bad in ["-1", "1.5", "\"most\"", "[\"9-3\"]"] {
            assert!(read(bad).is_err(), "{bad}");
        }
        assert!(read("\"most\"").expect_err("not a request").contains("\"most\""));
    }

    #[test]
    fn nodes_read_back_as_they_were_written() {
        let share = Nodes::Share(Share::from_millionths(250_000).expect("a quarter"));
        for nodes in [Nodes::Count(3), share, Nodes::Share(Share::ALL), Nodes::List(vec![(1, 1), (4, 9)]), Nodes::Rest]
        {
            let text = toml::to_string(&Holder { nodes: nodes.clone() }).expect("nodes are TOML");
            assert_eq!(toml::from_str::<Holder>(&text).expect("and read back").nodes, nodes, "{text}");
        }
    }

    #[test]
    fn block_fills_nodes_and_cyclic_deals_over_them() {
        let block: Vec<u32> = (0..6).map(|rank| RankMapping::Block.node_index(rank, 3, 2)).collect();
        let cyclic: Vec<u32> = (0..6).map(|rank| RankMapping::Cyclic.node_index(rank, 3, 2)).collect();
        assert_eq!((block, cyclic), (vec![0, 0, 1, 1, 2, 2], vec![0, 1, 2, 0, 1, 2]));
    }

    #[test]
    fn a_job_reads_from_a_scenario() {
        let job: JobSpec = toml::from_str(
            "name = 'aggressor'\nnodes = 0.5\nprocesses_per_node = 4\nstart = '10us'\n\
             workload = { kind = 'incast', operation = 'put' }",
        )
        .expect("a job");
        assert_eq!((job.ranks(8), job.start, job.mapping), (32, Span::micros(10), RankMapping::Block));
        assert!(toml::from_str::<JobSpec>("name = 'x'\nnode = 1\nworkload = { kind = 'barrier' }").is_err());
        assert!(toml::from_str::<JobSpec>("name = 'x'\nworkload = { kind = 'barrier', speed = 1 }").is_err());
    }
}
