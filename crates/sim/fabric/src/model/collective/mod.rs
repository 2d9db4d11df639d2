//! Collectives in the network: trees of jobs, packets that switches copy and combine, operations of
//! ranks.
//!
//! `multicast.rs` handles packets of a tree in a switch, `member.rs` NICs and their software,
//! `fallback.rs` broken trees. This module has the state and what all of them share, `handlers.rs`
//! what they do with the contents of packets. A packet of a tree belongs to no message and no flow:
//! `Packet::message` is the index of its contents in [`Collectives::loads`], and `Packet::number`
//! names the holder of its buffer.

mod fallback;
mod handlers;
mod member;
mod multicast;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use philae_engine::EventOrder;
use philae_path::{MulticastTable, Router};
use philae_switch::reduction::{
    CollectiveParameters, Contribution, MULTICAST_IDS, OffloadOperation, Operands, PortEngines, ReductionKey,
};
use philae_units::{EndpointId, PortIndex};
use philae_workload::Offload;

use crate::memory::slab::Slab;
use crate::model::config::{FabricConfig, Job};
use crate::model::error::FabricError;
use crate::model::event::EventTargets;
use crate::model::shared::RankEntry;

pub use member::Todo;
use member::{Member, Root};

/// `Packet::number` of a packet that holds its own place in an input buffer.
const OWN_BUFFER: u32 = 0;
/// `Packet::number` of a packet that an engine made and keeps until it leaves.
const IN_ENGINE: u32 = u32::MAX;

/// The trees of all jobs that leave operations to switches.
#[derive(Debug)]
pub struct Trees {
    /// Times and limits.
    pub parameters: CollectiveParameters,
    /// By multicast id.
    list: Vec<MulticastTable>,
    /// Multicast id of each job.
    of_job: Vec<Option<u16>>,
    /// Job of each tree.
    jobs: Vec<u16>,
}

impl Trees {
    /// Builds the trees that `jobs` need; `None` if they need none.
    ///
    /// # Errors
    /// [`FabricError`] if a job cannot have a tree, or a switch port has too few engines.
    pub fn new(
        router: &Router,
        config: &FabricConfig,
        jobs: &[Job],
        ranks: &[RankEntry],
    ) -> Result<Option<Self>, FabricError> {
        let parameters = config.collectives.clone();
        let mut trees = Self { parameters, list: Vec::new(), of_job: Vec::new(), jobs: Vec::new() };
        for (index, job) in jobs.iter().enumerate() {
            if !job.programs.iter().any(|program| program.offloads()) {
                trees.of_job.push(None);
                continue;
            }
            let of_job = ranks.iter().filter(|rank| usize::from(rank.job) == index);
            let members: Vec<EndpointId> = of_job.map(|rank| EndpointId(rank.endpoint)).collect();
            let is_foreign = |member: &&EndpointId| router.topology().endpoint(**member).kind != 0;
            if let Some(foreign) = members.iter().find(is_foreign) {
                let found = format!(
                    "'{}', which leaves operations to the switches, with the third-party NIC of endpoint {}",
                    job.name, foreign.0
                );
                let works = "an algorithm of software, or other nodes: switches combine packets of the system's NICs";
                return Err(FabricError::Parameter { what: "job", found, works });
            }
            let tree = MulticastTable::new(router, &members)
                .map_err(|error| FabricError::Tree { job: job.name.clone(), error })?;
            trees.of_job.push(Some(trees.list.len() as u16));
            trees.jobs.push(index as u16);
            trees.list.push(tree);
            if trees.list.len() > MULTICAST_IDS as usize {
                let found = format!("{} jobs with a tree", trees.list.len());
                let works = "8192 multicast ids are all there are: algorithms of software need none";
                return Err(FabricError::Parameter { what: "job", found, works });
            }
        }
        if trees.list.is_empty() {
            return Ok(None);
        }
        trees.check(config, jobs)?;
        Ok(Some(trees))
    }

    /// The root of a tree.
    pub fn root(&self, tree: u16) -> u32 {
        self.list[usize::from(tree)].root.0
    }

    fn check(&self, config: &FabricConfig, jobs: &[Job]) -> Result<(), FabricError> {
        // In a lossy class, losses are normal and not faults: the tree would be given up at its
        // first loss.
        let classes = config.classes.classes();
        let is_lossy = |&&job: &&u16| classes[jobs[usize::from(job)].class.index()].lossy;
        if let Some(&job) = self.jobs.iter().find(is_lossy) {
            let found = format!(
                "a lossy class for job {}, which leaves operations to the switches",
                jobs[usize::from(job)].name
            );
            let works =
                "a class with flow control for this job, or an algorithm of software; other classes may be lossy";
            return Err(FabricError::Parameter { what: "job.class", found, works });
        }
        let most = philae_switch::reduction::REDUCTIONS_MAX;
        let asked = self.parameters.reductions_per_tree;
        if asked == 0 || asked > most {
            let (found, works) = (asked.to_string(), "1 to 8: a reduction id has 3 bits");
            return Err(FabricError::Parameter { what: "collectives.reductions_per_tree", found, works });
        }
        let mut taken: BTreeMap<PortIndex, u32> = BTreeMap::new();
        for (tree, &job) in self.list.iter().zip(&self.jobs) {
            for (switch, tree_switch) in tree.switches() {
                let taken = taken.entry(tree_switch.up).or_default();
                *taken += u32::from(asked);
                if *taken > u32::from(self.parameters.engines_per_port) {
                    return Err(FabricError::Engines {
                        job: jobs[usize::from(job)].name.clone(),
                        switch: switch.0,
                        asked,
                        engines: self.parameters.engines_per_port,
                        free: u32::from(self.parameters.engines_per_port) + u32::from(asked) - *taken,
                    });
                }
            }
        }
        Ok(())
    }
}

/// Contents of a packet of a tree.
#[derive(Clone, Copy, Debug, serde::Serialize, serde::Deserialize)]
pub enum TreeLoad {
    /// Towards the root.
    Up(Contribution),
    /// From the root to every member.
    Down(Down),
}

impl TreeLoad {
    /// Its reduction and its sequence number.
    pub const fn key(&self) -> (ReductionKey, u16) {
        match self {
            Self::Up(contribution) => (contribution.key, contribution.sequence),
            Self::Down(down) => (down.key, down.sequence),
        }
    }

    /// The operation of the job, if the packet names it, and the engine's operation with the
    /// operands.
    pub fn content(&self) -> (Option<u32>, Option<(OffloadOperation, Operands)>) {
        match self {
            Self::Up(contribution) => (None, Some((contribution.operation, contribution.value))),
            Self::Down(down) => (Some(down.operation), down.result.map(|done| (done.kind, done.value))),
        }
    }
}

/// A message from a root to its tree: a result, if there is one, and the operation for which
/// engines are armed.
#[derive(Clone, Copy, Debug, serde::Serialize, serde::Deserialize)]
pub struct Down {
    key: ReductionKey,
    cookie: u32,
    /// Sequence number with which engines are armed.
    sequence: u16,
    /// Operation of the job for which engines are armed, counted from 0.
    operation: u32,
    /// A result of an operation of the same reduction.
    result: Option<Done>,
}

impl Down {
    /// The number that names its job.
    pub const fn cookie(&self) -> u32 {
        self.cookie
    }
}

/// The result of an operation.
#[derive(Clone, Copy, Debug, serde::Serialize, serde::Deserialize)]
struct Done {
    /// The operation, counted from 0.
    operation: u32,
    kind: OffloadOperation,
    value: Operands,
}

/// Room in an input buffer that copies of one packet share until the last has left.
#[derive(Clone, Copy, Debug, serde::Serialize, serde::Deserialize)]
pub struct SharedRoom {
    pub port: u32,
    pub bytes: u16,
    channel: u8,
    destination: u32,
    left: u16,
}

/// The collectives' state of a partition.
#[derive(Debug, Default, serde::Serialize, serde::Deserialize)]
pub struct Collectives {
    /// Contents of packets.
    pub loads: Slab<TreeLoad>,
    /// Room that copies share.
    pub held: Slab<SharedRoom>,
    /// Engines of ports towards a root.
    engines: BTreeMap<u32, PortEngines>,
    /// Engines whose timer is set.
    timers: BTreeSet<(u32, ReductionKey)>,
    members: BTreeMap<(u16, u32), Member>,
    roots: BTreeMap<u16, Root>,
    /// The first operation that a tree does not do any more, if an endpoint knows it, by tree and
    /// endpoint.
    given_up: BTreeMap<(u16, u32), u32>,
    /// Packets that each NIC has to send.
    sending: Vec<VecDeque<TreeLoad>>,
    /// Planned actions of NICs.
    todo: Slab<Todo>,
    /// Number of those actions, by NIC (wrapping): part of the identity of their events.
    begun: Vec<u32>,
    /// Packets taken in by switches.
    pub absorbed: u64,
    /// Packets made by switches: copies, and what engines send.
    pub made: u64,
    /// The correct result of a job's operation, for the one that was computed last.
    expected: Option<((u16, u32), Operands)>,
    /// A result that differs from the combined operands: our mistake.
    pub wrong: Option<String>,
}

impl EventTargets {
    fn tree_port(self, time: u64, step: EventOrder, port: u32, key: ReductionKey, from: u8) -> philae_engine::EventKey {
        let detail = (1 << 34) | u64::from(key.tree) << 16 | u64::from(key.reduction) << 8 | u64::from(from);
        philae_engine::EventKey::new(philae_units::Picoseconds(time), step, port, detail)
    }

    fn collective(self, time: u64, step: EventOrder, endpoint: u32, count: u32) -> philae_engine::EventKey {
        let detail = (3 << 34) | u64::from(count);
        philae_engine::EventKey::new(philae_units::Picoseconds(time), step, self.ports + endpoint, detail)
    }
}

/// The engine's operation for one of a program. All ranks contribute words, which are checked by a
/// sum or a bitwise or.
fn operation_of(kind: Offload) -> OffloadOperation {
    match kind {
        Offload::Allreduce => OffloadOperation::Sum,
        Offload::Barrier => OffloadOperation::Barrier,
        Offload::Broadcast => OffloadOperation::Or,
    }
}

/// The contribution of rank `rank` of job `job` to operation `number`. The words look random, so
/// that a missing, double or foreign contribution shows in the result.
fn operand(kind: Offload, bytes: u64, job: u16, rank: u32, number: u32) -> Operands {
    let count = bytes.div_ceil(8).min(4) as usize;
    let word = |index: usize| match kind {
        Offload::Broadcast if rank > 0 => 0,
        Offload::Allreduce | Offload::Broadcast | Offload::Barrier => {
            mix(mix(u64::from(job) << 32 | u64::from(rank)) ^ (u64::from(number) << 8 | index as u64))
        }
    };
    let mut words = [0; 4];
    for (index, operand) in words.iter_mut().enumerate().take(count) {
        *operand = word(index);
    }
    Operands::Words { words, count: count as u8 }
}

/// SplitMix64's finaliser.
const fn mix(number: u64) -> u64 {
    let number = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let number = (number ^ (number >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let number = (number ^ (number >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    number ^ (number >> 31)
}
