//! Assigns nodes to jobs.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use philae_engine::RandomStream;
use philae_units::NodeId;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::job::{JobSpec, Nodes};
use crate::random::{purpose, shuffle};

/// How nodes are allocated to jobs that do not list theirs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Allocation {
    /// Consecutive nodes, job after job.
    #[default]
    Linear,
    /// Nodes in order, distributed to the jobs in turn, in proportion to their requests.
    /// Source: De Sensi et al., SC'20, Fig. 7. Status: published (for two jobs).
    Interleaved,
    /// Linear over the nodes in random order.
    Random,
}

/// Jobs that do not fit.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PlacementError {
    /// More nodes requested than there are.
    #[error("jobs request {} nodes ({}); the system has {}", grouped(*.asked), .jobs, grouped(*.available))]
    TooManyNodes {
        /// Requested by all jobs together.
        asked: u64,
        /// Requested by each: `victim 200, aggressor 1,000`.
        jobs: String,
        /// Compute nodes.
        available: u64,
    },
    /// A job without ranks.
    #[error("job {job} has no ranks: {nodes} nodes with {processes_per_node} processes each")]
    NoRanks {
        /// Its name.
        job: String,
        /// Nodes of its request.
        nodes: u64,
        /// Processes on each.
        processes_per_node: u32,
    },
    /// More ranks than can be counted.
    #[error("job {job} has {} ranks; at most {}", grouped(*.ranks), grouped(u64::from(u32::MAX)))]
    TooManyRanks {
        /// Its name.
        job: String,
        ranks: u64,
    },
    /// No jobs at all.
    #[error("there are no jobs to place; a scenario needs at least one")]
    NoJobs,
    /// Two jobs request what is left.
    #[error("jobs {first} and {second} both request the rest of the nodes; only one job may")]
    TwoRests {
        /// The first job.
        first: String,
        /// The second job.
        second: String,
    },
    /// A node that is not a compute node of the system.
    #[error("job {job} requests node {node}, which is not one of the {} compute nodes", grouped(*.available))]
    NoSuchNode {
        job: String,
        /// The requested node.
        node: NodeId,
        /// Compute nodes.
        available: u64,
    },
    /// A node requested twice.
    #[error("node {node} is requested twice: by job {first} and by job {second}")]
    Twice {
        node: NodeId,
        /// The first job.
        first: String,
        /// The second job.
        second: String,
    },
}

/// Gives each job its nodes, in the order of its ranks.
///
/// `compute_nodes` are the nodes that jobs may use, in the order that "consecutive" means. Jobs
/// that list their nodes get them; the others share the rest by `allocation`. The seed matters only
/// to random allocation.
///
/// # Errors
/// [`PlacementError`], with the numbers, if the jobs do not fit or request something impossible.
pub fn place(
    jobs: &[JobSpec],
    compute_nodes: &[NodeId],
    allocation: Allocation,
    seed: u64,
) -> Result<Vec<Vec<NodeId>>, PlacementError> {
    let counts = node_counts(jobs, compute_nodes.len() as u64)?;
    let (mut placed, mut free) = take_listed(jobs, compute_nodes)?;
    if allocation == Allocation::Random {
        let mut stream = RandomStream::new(seed, 0, purpose::PLACEMENT);
        shuffle(&mut free, &mut || stream.next_u64());
    }
    let sharing: Vec<usize> = (0..jobs.len()).filter(|&job| !matches!(jobs[job].nodes, Nodes::List(_))).collect();
    let wanted: Vec<u64> = sharing.iter().map(|&job| counts[job]).collect();
    let deal = match allocation {
        Allocation::Interleaved => interleave(&wanted),
        Allocation::Linear | Allocation::Random => consecutive(&wanted),
    };
    for (node, turn) in free.into_iter().zip(deal) {
        placed[sharing[turn]].push(node);
    }
    Ok(placed)
}

/// The number of nodes of each job's request.
fn node_counts(jobs: &[JobSpec], available: u64) -> Result<Vec<u64>, PlacementError> {
    if jobs.is_empty() {
        return Err(PlacementError::NoJobs);
    }
    let mut rest: Option<usize> = None;
    let mut counts = Vec::with_capacity(jobs.len());
    for (index, job) in jobs.iter().enumerate() {
        counts.push(match &job.nodes {
            Nodes::Count(count) => u64::from(*count),
            Nodes::Share(share) => u64::from(share.of(u32::try_from(available).unwrap_or(u32::MAX))),
            Nodes::List(ranges) => ranges.iter().map(|(first, last)| u64::from(last - first) + 1).sum(),
            Nodes::Rest => match rest.replace(index) {
                None => 0,
                Some(first) => {
                    let (first, second) = (jobs[first].name.clone(), job.name.clone());
                    return Err(PlacementError::TwoRests { first, second });
                }
            },
        });
    }
    let asked: u64 = counts.iter().sum();
    if asked > available {
        return Err(PlacementError::TooManyNodes { asked, jobs: each_job(jobs, &counts), available });
    }
    if let Some(rest) = rest {
        counts[rest] = available - asked;
    }
    for (job, &nodes) in jobs.iter().zip(&counts) {
        let ranks = nodes * u64::from(job.processes_per_node);
        if ranks == 0 {
            let processes_per_node = job.processes_per_node;
            return Err(PlacementError::NoRanks { job: job.name.clone(), nodes, processes_per_node });
        }
        if ranks > u64::from(u32::MAX) {
            return Err(PlacementError::TooManyRanks { job: job.name.clone(), ranks });
        }
    }
    Ok(counts)
}

/// The nodes of the jobs that list theirs, and the nodes that remain.
fn take_listed(jobs: &[JobSpec], compute_nodes: &[NodeId]) -> Result<(Vec<Vec<NodeId>>, Vec<NodeId>), PlacementError> {
    let mut owner: BTreeMap<NodeId, Option<usize>> = compute_nodes.iter().map(|&node| (node, None)).collect();
    let mut placed = vec![Vec::new(); jobs.len()];
    for (index, job) in jobs.iter().enumerate() {
        let Nodes::List(ranges) = &job.nodes else { continue };
        for node in ranges.iter().flat_map(|&(first, last)| (first..=last).map(NodeId)) {
            match owner.get_mut(&node) {
                None => {
                    let available = compute_nodes.len() as u64;
                    return Err(PlacementError::NoSuchNode { job: job.name.clone(), node, available });
                }
                Some(Some(first)) => {
                    let (first, second) = (jobs[*first].name.clone(), job.name.clone());
                    return Err(PlacementError::Twice { node, first, second });
                }
                Some(free) => *free = Some(index),
            }
            placed[index].push(node);
        }
    }
    let free = compute_nodes.iter().copied().filter(|node| owner[node].is_none()).collect();
    Ok((placed, free))
}

/// The job of each node: one job after the other.
fn consecutive(wanted: &[u64]) -> Vec<usize> {
    wanted.iter().enumerate().flat_map(|(job, &count)| std::iter::repeat_n(job, count as usize)).collect()
}

/// The job of each node: always the job that is furthest behind its share, the earlier job on a
/// tie.
fn interleave(wanted: &[u64]) -> Vec<usize> {
    let total: u64 = wanted.iter().sum();
    // Of jobs with the same share, the one with the fewest nodes is furthest behind, so only the
    // first of each line is checked. There are at most as many different shares as the root of
    // twice the nodes.
    let mut lines: BTreeMap<u64, BTreeSet<(u64, usize)>> = BTreeMap::new();
    for (job, &share) in wanted.iter().enumerate().filter(|&(_, &share)| share > 0) {
        lines.entry(share).or_default().insert((0, job));
    }
    let mut turns = Vec::with_capacity(total as usize);
    for turn in 1..=total {
        let behind =
            |share: u64, given: u64| i128::from(share) * i128::from(turn) - i128::from(given) * i128::from(total);
        let (_, Reverse(job), share, given) = lines
            .iter()
            .filter_map(|(&share, line)| {
                line.first().map(|&(given, job)| (behind(share, given), Reverse(job), share, given))
            })
            .max()
            .expect("as many turns as nodes are wanted");
        if let Some(line) = lines.get_mut(&share) {
            line.pop_first();
            if given + 1 < share {
                line.insert((given + 1, job));
            } else if line.is_empty() {
                lines.remove(&share);
            }
        }
        turns.push(job);
    }
    turns
}

/// `victim 200, aggressor 1,000`.
fn each_job(jobs: &[JobSpec], counts: &[u64]) -> String {
    let mut text = String::new();
    for (job, &count) in jobs.iter().zip(counts) {
        let separator = if text.is_empty() { "" } else { ", " };
        write!(text, "{separator}{} {}", job.name, grouped(count)).expect("writing to a string succeeds");
    }
    text
}

/// With a comma between thousands.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn job(name: &str, nodes: Nodes) -> JobSpec {
        let text = format!("name = '{name}'\nworkload = {{ kind = 'barrier' }}");
        JobSpec { nodes, ..toml::from_str(&text).expect("a job") }
    }

    fn system(nodes: u32) -> Vec<NodeId> {
        (0..nodes).map(NodeId).collect()
    }

    fn owners(placed: &[Vec<NodeId>], nodes: usize) -> Vec<Option<usize>> {
        let mut owners = vec![None; nodes];
        for (job, given) in placed.iter().enumerate() {
            for node in given {
                assert_eq!(owners[node.index()].replace(job), None, "a node belongs to one job");
            }
        }
        owners
    }

    #[test]
    fn linear_gives_consecutive_blocks_in_order() {
        let jobs = [job("victim", Nodes::Count(2)), job("aggressor", Nodes::Rest)];
        let placed = place(&jobs, &system(5), Allocation::Linear, 0).expect("fits");
        assert_eq!(placed, [vec![NodeId(0), NodeId(1)], vec![NodeId(2), NodeId(3), NodeId(4)]]);
    }

    #[test]
    fn interleaved_deals_in_proportion_to_the_shares() {
        let jobs = [job("victim", Nodes::Count(2)), job("aggressor", Nodes::Count(4))];
        let placed = place(&jobs, &system(6), Allocation::Interleaved, 0).expect("fits");
        let order: Vec<usize> = owners(&placed, 6).into_iter().flatten().collect();
        assert_eq!(order, [1, 0, 1, 1, 0, 1]);
        let halves = [job("victim", Nodes::Count(2)), job("aggressor", Nodes::Count(2))];
        let placed = place(&halves, &system(4), Allocation::Interleaved, 0).expect("fits");
        let order: Vec<usize> = owners(&placed, 4).into_iter().flatten().collect();
        assert_eq!(order, [0, 1, 0, 1], "equal shares alternate, the first job first");
    }

    #[test]
    fn random_depends_on_the_seed_and_on_nothing_else() {
        let jobs = [job("a", Nodes::Count(30)), job("b", Nodes::Rest)];
        let draw = |seed| place(&jobs, &system(100), Allocation::Random, seed).expect("fits");
        assert_eq!(draw(1), draw(1));
        assert_ne!(draw(1), draw(2));
    }

    #[test]
    fn a_list_is_kept_and_the_others_go_around_it() {
        let jobs = [job("a", Nodes::Count(2)), job("b", Nodes::List(vec![(1, 1), (0, 0)]))];
        let placed = place(&jobs, &system(4), Allocation::Linear, 0).expect("fits");
        assert_eq!(placed, [vec![NodeId(2), NodeId(3)], vec![NodeId(1), NodeId(0)]]);
    }

    #[test]
    fn jobs_that_do_not_fit_are_refused_with_the_numbers() {
        let jobs = [job("victim", Nodes::Count(200)), job("aggressor", Nodes::Count(1_000))];
        let error = place(&jobs, &system(1_024), Allocation::Linear, 0).expect_err("too many");
        assert_eq!(error.to_string(), "jobs request 1,200 nodes (victim 200, aggressor 1,000); the system has 1,024");
    }

    #[test]
    fn jobs_without_ranks_and_nodes_that_clash_are_refused() {
        let all = job("all", Nodes::Share(crate::quantity::Share::ALL));
        let fails = |jobs: &[JobSpec]| place(jobs, &system(4), Allocation::Linear, 0).expect_err("impossible");
        assert!(matches!(fails(&[]), PlacementError::NoJobs));
        assert!(matches!(fails(&[all, job("rest", Nodes::Rest)]), PlacementError::NoRanks { .. }));
        assert!(matches!(fails(&[job("none", Nodes::Count(0))]), PlacementError::NoRanks { .. }));
        assert!(matches!(fails(&[job("far", Nodes::List(vec![(4, 4)]))]), PlacementError::NoSuchNode { .. }));
        let clash = [job("a", Nodes::List(vec![(0, 1)])), job("b", Nodes::List(vec![(1, 1)]))];
        assert!(matches!(fails(&clash), PlacementError::Twice { .. }));
        assert!(matches!(fails(&[job("a", Nodes::Rest), job("b", Nodes::Rest)]), PlacementError::TwoRests { .. }));
    }

    proptest! {
        #[test]
        fn every_job_gets_what_it_asks_for_and_no_node_is_shared(
            counts in proptest::collection::vec(1_u32..40, 1..5), spare in 0_u32..10, seed: u64, kind in 0..3,
        ) {
            let nodes = counts.iter().sum::<u32>() + spare;
            let allocation = [Allocation::Linear, Allocation::Interleaved, Allocation::Random][kind as usize];
            let jobs: Vec<JobSpec> = counts.iter().map(|&count| job("j", Nodes::Count(count))).collect();
            let placed = place(&jobs, &system(nodes), allocation, seed).expect("fits");
            let given: Vec<u32> = placed.iter().map(|nodes| nodes.len() as u32).collect();
            prop_assert_eq!(given, counts);
            owners(&placed, nodes as usize);
        }

        #[test]
        fn interleaving_looks_at_the_first_of_each_share_and_finds_what_a_search_through_all_finds(
            wanted in proptest::collection::vec(0_u64..9, 1..40),
        ) {
            let total: u64 = wanted.iter().sum();
            let mut given = vec![0_u64; wanted.len()];
            for (turn, job) in (1..).zip(interleave(&wanted)) {
                let behind = |job: usize| i128::from(wanted[job]) * turn - i128::from(given[job]) * i128::from(total);
                let left = (0..wanted.len()).filter(|&job| given[job] < wanted[job]);
                prop_assert_eq!(left.max_by_key(|&job| (behind(job), Reverse(job))), Some(job));
                given[job] += 1;
            }
            prop_assert_eq!(given, wanted);
        }

        #[test]
        fn interleaving_never_strays_from_the_shares_by_more_than_the_number_of_jobs(
            wanted in proptest::collection::vec(1_u64..50, 1..5),
        ) {
            let total: u64 = wanted.iter().sum();
            let mut given = vec![0_u64; wanted.len()];
            for (turn, job) in interleave(&wanted).into_iter().enumerate() {
                given[job] += 1;
                let fair = wanted[job] as f64 * (turn as f64 + 1.0) / total as f64;
                prop_assert!((given[job] as f64 - fair).abs() <= wanted.len() as f64);
            }
        }
    }
}
