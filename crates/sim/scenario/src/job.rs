//! A job of a scenario: the workload crate's request, and the NIC of each rank.

use philae_units::RankId;
use philae_workload::{JobSpec, Nodes, RankMapping, Span, WorkloadSpec};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Which NIC of its node a rank uses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum NicChoice {
    /// The rank's number on its node, modulo the number of NICs, as in MPI libraries: a single process uses the first NIC.
    #[default]
    ByRank,
    /// All ranks use the first NIC.
    First,
    /// As `by-rank`, shifted by the node's place in the job: with one process per node, neighbouring nodes use different
    /// NICs, so that the switches of all NICs are used.
    Alternate,
}

/// One `[[job]]` of a scenario.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct JobSection {
    /// Name of the job in results.
    pub name: String,
    /// Its nodes: a number, a share of all, a list, or "rest" (the default): all nodes that no other job requests.
    #[serde(default)]
    pub nodes: Nodes,
    /// Ranks on each node. Default 1.
    #[serde(default = "one")]
    #[schemars(range(min = 1))]
    pub processes_per_node: u32,
    /// How ranks are distributed over its nodes. Default "block".
    #[serde(default)]
    pub mapping: RankMapping,
    /// Which NIC of its node each rank uses. Default "by-rank".
    #[serde(default)]
    pub nic: NicChoice,
    /// Start time. Default 0.
    #[serde(default)]
    pub start: Span,
    /// Traffic class by name. Default: the first class.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub class: Option<String>,
    /// Virtual network of its messages, for the packet engine: 1 to 65535. Default: the smallest
    /// number that no job uses yet, in the order of the jobs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1, max = 65_535))]
    pub vni: Option<u16>,
    /// The workload of its ranks.
    pub workload: WorkloadSpec,
}

const fn one() -> u32 {
    1
}

impl JobSection {
    /// A job on all nodes that no other job requests, one process on each.
    #[must_use]
    pub fn new(name: impl Into<String>, workload: WorkloadSpec) -> Self {
        Self {
            name: name.into(),
            nodes: Nodes::Rest,
            processes_per_node: 1,
            mapping: RankMapping::default(),
            nic: NicChoice::default(),
            start: Span::default(),
            class: None,
            vni: None,
            workload,
        }
    }

    /// The request for the workload crate's placement.
    #[must_use]
    pub fn spec(&self) -> JobSpec {
        JobSpec {
            name: self.name.clone(),
            workload: self.workload.clone(),
            nodes: self.nodes.clone(),
            processes_per_node: self.processes_per_node,
            mapping: self.mapping,
            start: self.start,
            class: self.class.clone(),
        }
    }

    /// The NIC of `rank` on its node, which has `nics`, in a job of `nodes` nodes.
    pub(crate) fn nic_of(&self, rank: RankId, nodes: u32, nics: u32) -> u32 {
        let on_node = match self.mapping {
            RankMapping::Block => rank.0 % self.processes_per_node,
            RankMapping::Cyclic => rank.0 / nodes,
        };
        match self.nic {
            NicChoice::First => 0,
            NicChoice::ByRank => on_node % nics,
            NicChoice::Alternate => {
                let node = self.mapping.node_index(rank.0, nodes, self.processes_per_node);
                (on_node % nics + node % nics) % nics
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use philae_workload::{Barrier, Permutation};

    fn nics(job: &JobSection, nodes: u32) -> Vec<u32> {
        (0..nodes * job.processes_per_node).map(|rank| job.nic_of(RankId(rank), nodes, 2)).collect()
    }

    #[test]
    fn ranks_of_a_node_share_its_nics_in_turn() {
        let mut job = JobSection::new("job", WorkloadSpec::Permutation(Permutation::default()));
        job.processes_per_node = 3;
        assert_eq!(nics(&job, 2), [0, 1, 0, 0, 1, 0]);
        job.mapping = RankMapping::Cyclic;
        assert_eq!(nics(&job, 2), [0, 0, 1, 1, 0, 0]);
        job.nic = NicChoice::First;
        assert_eq!(nics(&job, 2), [0; 6]);
    }

    #[test]
    fn alternating_uses_both_nics_with_one_process_per_node() {
        let mut job = JobSection::new("job", WorkloadSpec::Barrier(Barrier::default()));
        assert_eq!(nics(&job, 4), [0, 0, 0, 0], "as MPI libraries do");
        job.nic = NicChoice::Alternate;
        assert_eq!(nics(&job, 4), [0, 1, 0, 1]);
    }
}
