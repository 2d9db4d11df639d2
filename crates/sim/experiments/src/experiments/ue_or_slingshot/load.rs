//! The loads of the comparison.

use philae_scenario::{FaultName, FaultSection, Faults, JobSection};
use philae_workload::{
    Allocation, Allreduce, AllreduceAlgorithm, Alltoall, AlltoallAlgorithm, Alltoallv, Dlrm, Hot, Incast, Nodes,
    PairSizes, Permutation, ResnetProxy, Shift, Size, Span, Transformer, UniformRandom, WorkloadSpec,
};

use super::network::Network;
use crate::experiments::beside::Aggressor;
use crate::experiments::victims::{Victim, alltoall, incast};

/// What a load measures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Measured {
    /// The time until the last of its jobs has ended.
    End,
    /// The mean time of an iteration of the first job next to the others, over the same alone.
    Slowdown,
}

/// Jobs that run together on a network.
#[derive(Clone, Debug)]
pub struct Load {
    /// Its name in tables.
    pub name: String,
    /// What it does, with its sizes.
    pub about: String,
    pub measured: Measured,
    pub allocation: Allocation,
    /// The first job is the one whose messages are explained.
    pub jobs: Vec<JobSection>,
    pub faults: Vec<FaultSection>,
    /// Simulated time at which a run is given up.
    pub limit: Span,
}

/// Sizes of the loads.
#[derive(Clone, Debug)]
pub struct LoadSizes {
    /// A message of the permutation, of the group shift and of an incast.
    pub message: Size,
    /// Messages of a rank of the permutation and of the group shift.
    pub messages: u32,
    /// A message of the uniform load, and messages of a rank.
    pub uniform: (Size, u32),
    /// Senders of incasts; a smaller network has fewer.
    pub incasts: Vec<u32>,
    /// Bytes to each other rank of the alltoall, and the part of its steps that is taken.
    pub alltoall: (Size, u32),
    /// Groups of experts: their number, ranks of one, bytes to an expert that is not hot.
    pub experts: (u32, u32, Size),
    /// Rings: their number, ranks of one, the vector.
    pub rings: (u32, u32, Size),
    /// The vector of the tree, and sums.
    pub tree: (Size, u32),
    /// Ranks of each training job, steps, and the number by which a published step is divided.
    pub training: (u32, u32, u32),
    /// Ranks of a victim, timed iterations of an allreduce and of an alltoall.
    pub victim: (u32, u32, u32),
    /// When the aggressor has settled, and how long the victim may take after that.
    pub aggressor: (Span, Span),
    /// Whether victims also run beside an alltoall, which costs many packets.
    pub aggressive_alltoall: bool,
    /// Bytes of a rank in the load of failures.
    pub failure: Size,
}

/// How many times more tokens a hot expert gets, and how many experts of a group are hot.
///
/// Source: none; tokens of mixtures of experts are uneven. Status: assumed (1 to 16 times; affects
/// how much of the load is an incast).
const HOT: Hot = Hot { ranks: 4, factor: 8 };

/// When links fail. Source: ours, while every message is on its way. Status: assumed.
const FAILURE_AT: Span = Span::micros(10);

/// A run that takes longer than this is given up. Source: ours. Status: assumed.
const LIMIT: Span = Span::micros(100_000);

/// The same where packets are lost with their links. Source: Cassini's timer and its least wait for
/// packets without order are 3.1 s together (`philae_nic_model::RetryParameters`), several times
/// that. Status: derived.
const LIMIT_OF_FAILURES: Span = Span::micros(20_000_000);

impl LoadSizes {
    /// A run of about a second.
    pub fn quick() -> Self {
        Self {
            message: Size::kib(256),
            messages: 1,
            uniform: (Size::kib(64), 4),
            incasts: vec![8, 64, 256, 1_024],
            alltoall: (Size::kib(8), 32),
            experts: (8, 64, Size::kib(4)),
            rings: (8, 64, Size::kib(256)),
            tree: (Size::kib(64), 1),
            training: (32, 1, 4_000),
            victim: (64, 10, 5),
            aggressor: (Span::micros(4_000), Span::micros(2_000)),
            aggressive_alltoall: false,
            failure: Size::kib(256),
        }
    }

    /// Larger messages, more of them.
    pub fn full() -> Self {
        Self {
            message: Size::kib(1_024),
            messages: 3,
            uniform: (Size::kib(256), 8),
            alltoall: (Size::kib(16), 16),
            experts: (8, 128, Size::kib(16)),
            rings: (16, 64, Size::kib(4_096)),
            tree: (Size::kib(256), 3),
            training: (256, 2, 1_000),
            victim: (64, 50, 20),
            aggressive_alltoall: true,
            failure: Size::kib(1_024),
            ..Self::quick()
        }
    }
}

impl Load {
    /// What switches do when a link fails.
    ///
    /// Source: none; the default of 100 ms is longer than a run. Status: assumed (affects how long
    /// switches that have no dead port send packets towards one that has).
    pub fn reactions(&self) -> Faults {
        Faults { reroute: Span::micros(100), ..Faults::default() }
    }
}

/// A job on so many nodes.
fn job(name: impl Into<String>, nodes: u32, workload: WorkloadSpec) -> JobSection {
    JobSection { nodes: Nodes::Count(nodes), ..JobSection::new(name, workload) }
}

/// A load whose jobs run to their end on nodes at random.
fn to_the_end(name: impl Into<String>, about: String, jobs: Vec<JobSection>) -> Load {
    let (measured, allocation, faults) = (Measured::End, Allocation::Random, Vec::new());
    Load { name: name.into(), about, measured, allocation, jobs, faults, limit: LIMIT }
}

/// All loads of a network.
pub fn loads(network: &Network, sizes: &LoadSizes) -> Vec<Load> {
    let mut loads = vec![permutation(network, sizes), uniform(network, sizes), group_shift(network, sizes)];
    loads.extend(sizes.incasts.iter().map(|&senders| incast_of(network, sizes, senders)));
    loads.extend([
        all_to_all(network, sizes),
        experts(network, sizes),
        rings(network, sizes),
        tree(network, sizes),
        training(network, sizes),
    ]);
    loads.extend(victims(network, sizes));
    loads.push(failures(network, sizes));
    loads
}

fn permuted(network: &Network, bytes: Size, messages: u32) -> JobSection {
    let workload = Permutation { bytes, iterations: Some(messages), ..Permutation::default() };
    job("all", network.nodes(), WorkloadSpec::Permutation(workload))
}

fn permutation(network: &Network, sizes: &LoadSizes) -> Load {
    let (bytes, messages) = (sizes.message, sizes.messages);
    let about = format!("every node writes {messages} x {bytes} to one other, all in one random ring");
    to_the_end("permutation", about, vec![permuted(network, bytes, messages)])
}

fn uniform(network: &Network, sizes: &LoadSizes) -> Load {
    let (bytes, messages) = sizes.uniform;
    let workload = UniformRandom { bytes, window: 4, iterations: Some(messages), ..UniformRandom::default() };
    let about = format!("every node writes {messages} x {bytes}, each to a node at random");
    to_the_end("uniform", about, vec![job("all", network.nodes(), WorkloadSpec::UniformRandom(workload))])
}

fn group_shift(network: &Network, sizes: &LoadSizes) -> Load {
    let (bytes, messages, by) = (sizes.message, sizes.messages, network.group);
    let workload = Shift { bytes, by, iterations: Some(messages), ..Shift::default() };
    let about = format!(
        "every node writes {messages} x {bytes} to the node {by} places on, so that all of a group (or leaf) write to the next"
    );
    let jobs = vec![job("all", network.nodes(), WorkloadSpec::Shift(workload))];
    Load { allocation: Allocation::Linear, ..to_the_end("group shift", about, jobs) }
}

fn incast_of(network: &Network, sizes: &LoadSizes, senders: u32) -> Load {
    let (bytes, ranks) = (sizes.message, network.nodes().min(senders + 1));
    let workload = Incast { bytes, iterations: Some(1), ..Incast::default() };
    let about = format!("{} nodes at random write {bytes} each to one", ranks - 1);
    to_the_end(format!("incast {senders}"), about, vec![job("all", ranks, WorkloadSpec::Incast(workload))])
}

fn all_to_all(network: &Network, sizes: &LoadSizes) -> Load {
    let (bytes, every) = sizes.alltoall;
    let algorithm = AlltoallAlgorithm::Pairwise;
    let workload = Alltoall { bytes, algorithm, every, iterations: Some(1), ..Alltoall::default() };
    let about = format!("pairwise alltoall of all nodes, {bytes} to each, one step of {every}");
    to_the_end("alltoall", about, vec![job("all", network.nodes(), WorkloadSpec::Alltoall(workload))])
}

/// As many jobs of `ranks` as fit, at most `count`.
fn groups(network: &Network, (count, ranks): (u32, u32), name: &str, workload: &WorkloadSpec) -> Vec<JobSection> {
    let count = count.min(network.nodes() / ranks);
    (0..count).map(|number| job(format!("{name}-{number}"), ranks, workload.clone())).collect()
}

fn experts(network: &Network, sizes: &LoadSizes) -> Load {
    let (count, ranks, bytes) = sizes.experts;
    let uneven = Some(PairSizes::Hot(HOT));
    let workload =
        WorkloadSpec::Alltoallv(Alltoallv { bytes, sizes: uneven, iterations: Some(1), ..Alltoallv::default() });
    let about = format!(
        "{count} groups of {ranks} ranks at random, in each an alltoallv of {bytes} to each rank and {} times as much to the \
         {} hot ones",
        HOT.factor, HOT.ranks
    );
    to_the_end("MoE dispatch", about, groups(network, (count, ranks), "experts", &workload))
}

fn rings(network: &Network, sizes: &LoadSizes) -> Load {
    let (count, ranks, bytes) = sizes.rings;
    let algorithm = AllreduceAlgorithm::Ring;
    let workload = Allreduce { bytes, algorithm, iterations: Some(1), ..Allreduce::default() };
    let about = format!("{count} groups of {ranks} ranks at random, in each an allreduce of {bytes} by a ring");
    let jobs = groups(network, (count, ranks), "ring", &WorkloadSpec::Allreduce(workload));
    to_the_end("ring allreduce", about, jobs)
}

fn tree(network: &Network, sizes: &LoadSizes) -> Load {
    let ((bytes, iterations), algorithm) = (sizes.tree, AllreduceAlgorithm::Tree);
    let workload = Allreduce { bytes, algorithm, iterations: Some(iterations), ..Allreduce::default() };
    let about = format!("{iterations} x allreduce of {bytes} on all nodes, by a binomial tree");
    to_the_end("tree allreduce", about, vec![job("all", network.nodes(), WorkloadSpec::Allreduce(workload))])
}

/// Three trainings beside each other, each step a part of a published one.
fn training(network: &Network, sizes: &LoadSizes) -> Load {
    let (ranks, steps, scale) = sizes.training;
    // A transformer's step needs a multiple of 16 ranks.
    let ranks = ranks.min(network.nodes() / 48 * 16);
    let iterations = Some(steps);
    let resnet = ResnetProxy { scale, algorithm: AllreduceAlgorithm::Ring, iterations, ..ResnetProxy::default() };
    // The published times of a step in microseconds, divided by the same number.
    let part = |microseconds: u64| Span::nanos(microseconds * 1_000 / u64::from(scale).min(100));
    let dlrm = Dlrm {
        embedding_time: part(95),
        bottom_time: part(341),
        interaction_time: part(209),
        top_time: part(455),
        iterations,
        ..Dlrm::default()
    };
    let transformer = Transformer {
        layers: 2,
        hidden: 512,
        sequence: 128,
        micro_batches: 1,
        tensor: 4,
        pipeline: 2,
        expert: 2,
        forward: Span::micros(5),
        backward: Span::micros(10),
        iterations,
        ..Transformer::default()
    };
    let about = format!(
        "{steps} steps of a ResNet-152 proxy (scale {scale}), a DLRM and a small transformer with experts, {ranks} ranks each \
         at random, until all have ended"
    );
    let jobs = vec![
        job("transformer", ranks, WorkloadSpec::Transformer(transformer)),
        job("dlrm", ranks, WorkloadSpec::Dlrm(dlrm)),
        job("resnet", ranks, WorkloadSpec::ResnetProxy(resnet)),
    ];
    to_the_end("training jobs", about, jobs)
}

/// SC'20's victims beside its aggressors, on all nodes.
fn victims(network: &Network, sizes: &LoadSizes) -> Vec<Load> {
    let (ranks, sums, exchanges) = sizes.victim;
    let victims = [Victim::allreduce(Size::bytes(8), sums), Victim::alltoall(Size::bytes(128), exchanges)];
    let aggressors: Vec<Aggressor> =
        if sizes.aggressive_alltoall { vec![incast(), alltoall()] } else { vec![incast()] };
    let pairs = victims.iter().flat_map(|victim| aggressors.iter().map(move |aggressor| (victim, aggressor)));
    pairs.map(|(victim, aggressor)| beside(network, sizes, ranks, (victim, aggressor))).collect()
}

fn beside(network: &Network, sizes: &LoadSizes, ranks: u32, (victim, aggressor): (&Victim, &Aggressor)) -> Load {
    let (settle, patience) = sizes.aggressor;
    // An incast settles once queues are full; an alltoall at once.
    let settle = settle.min(aggressor.settle);
    let mut first = job(victim.job_name(), ranks, victim.workload(ranks));
    first.start = settle;
    let rest = job("aggressor", network.nodes() - ranks, aggressor.workload.clone());
    let about = format!(
        "{} on {ranks} nodes at random beside an endless {} of 128 KiB on all others: mean time of an iteration over the same \
         alone",
        victim.label, aggressor.label
    );
    Load {
        name: format!("{} beside {}", victim.label, aggressor.label),
        about,
        measured: Measured::Slowdown,
        allocation: Allocation::Random,
        jobs: vec![first, rest],
        faults: Vec::new(),
        limit: Span(settle.0 + patience.0),
    }
}

fn failures(network: &Network, sizes: &LoadSizes) -> Load {
    let fault = |link: &String| FaultSection {
        kind: FaultName::LinkDown,
        at: FAILURE_AT,
        until: None,
        link: Some(link.clone()),
        switch: None,
        endpoint: None,
        lanes: None,
    };
    let about = format!(
        "the permutation with {}, and {} links between switches that stop for good {FAILURE_AT} after its begin ({})",
        sizes.failure,
        network.fragile.len(),
        network.fragile.join(", ")
    );
    let load = to_the_end("link failures", about, vec![permuted(network, sizes.failure, 1)]);
    Load { faults: network.fragile.iter().map(fault).collect(), limit: LIMIT_OF_FAILURES, ..load }
}
