//! The parts of a fabric and the options of a run.

use philae_congestion::{CongestionLaw, UetLaw};
use philae_nic_model::{
    EthernetParameters, HostJitter, HostParameters, NicParameters, NodeParameters, TcpParameters, UetParameters,
};
use philae_packet_engine::PipelineProgram;
use philae_path::RoutingParameters;
use philae_switch::port::SwitchParameters;
use philae_switch::reduction::CollectiveParameters;
use philae_traffic_class::ClassSet;
use philae_units::{ClassId, JobId, NodeId, Picoseconds};
use philae_workload::RankProgram;

use crate::model::resilience::Resilience;
use crate::model::share::ProcessShare;

/// The hardware and its laws.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FabricConfig {
    pub switch: SwitchParameters,
    pub nic: NicParameters,
    /// Third-party Ethernet endpoints, by kind from 1 on. Kinds that the topology does not have are
    /// not read.
    pub ethernet: Vec<EthernetParameters>,
    /// Host software.
    pub host: HostParameters,
    pub routing: RoutingParameters,
    /// Congestion law.
    pub congestion: CongestionLaw,
    /// Traffic classes.
    pub classes: ClassSet,
    /// Possible errors and failures.
    pub resilience: Resilience,
    /// Collectives in the switches, for jobs that leave operations to them.
    pub collectives: CollectiveParameters,
    /// The packet engine's program; `None`: there is no program, and every packet passes.
    pub packet_engine: Option<PipelineProgram>,
    /// The bus and the memory of the nodes of the system's own NICs; `None`: they have no limit.
    pub node: Option<NodeParameters>,
    /// Laws of hosts that a run may have.
    pub laws: HostLaws,
}

/// Laws of hosts, each for runs that ask for it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HostLaws {
    /// How cores are late; `None`: never.
    pub jitter: Option<HostJitter>,
    /// Windows and acknowledgements of TCP connections; `None`: nothing limits a sender.
    pub tcp: Option<TcpParameters>,
    /// Ultra Ethernet's transport, which NICs have if the law is one of Ultra Ethernet's, and
    /// third-party endpoints that speak it.
    pub uet: UetParameters,
    /// The law of such third-party endpoints.
    pub uet_law: UetLaw,
}

/// The default number of ports of a process's partitions at which they look ahead. Source: ours,
/// [`ExecutionOptions::far_ports_min`]. Status: assumed.
const FAR_PORTS_MIN: u32 = 8_192;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunOptions {
    /// Seed of every random stream.
    pub seed: u64,
    /// The latest end of the run.
    pub time_limit: Picoseconds,
    /// Measurements count from here.
    pub warm_up: Picoseconds,
    /// Ranks start at random within this span.
    pub start_skew: Picoseconds,
    /// How the run is carried out. It does not show in the result.
    pub execution: ExecutionOptions,
    /// What is recorded. It changes nothing else in the result.
    pub records: RecordOptions,
}

/// How a run is carried out: its division among partitions, threads and processes. It does not show
/// in the result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExecutionOptions {
    /// Partitions (of whole groups). The result does not depend on their number.
    pub partitions: u32,
    /// Threads that work on the run, each on one partition at a time. There are at least as many
    /// partitions, if the system has as many groups, and several per thread if it is large. The
    /// result does not depend on the number.
    pub threads: u32,
    /// Threads work on a window if the one before had at least this many events: waking them costs
    /// as much as several hundred events.
    pub thread_events_min: u64,
    /// Partitions prefetch the outputs and inputs that packets will touch if those of a process
    /// have at least this many ports: with fewer, the state is in the processor's caches. It
    /// changes only the time that a run takes.
    pub far_ports_min: usize,
    /// Least number of ports of a block, in a partition that looks ahead. The partition processes
    /// its blocks one at a time within each window. It changes only the time that a run takes.
    pub block_ports_min: u32,
    /// With fewer events per window and block, blocks are processed together, because to change to
    /// another block costs as much as several events. With three times as many, they are processed
    /// one at a time again. It changes only the time that a run takes. Source: ours.
    /// Status: assumed.
    pub block_events_min: u64,
    /// The number of this process among those that share the run. Each has some of the partitions,
    /// of which there are at least as many. The result does not depend on the number of processes.
    pub share: ProcessShare,
}

/// What a run records, beyond the totals.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordOptions {
    /// Length of a sampling interval; zero for no time series.
    pub sample_interval: Picoseconds,
    /// Whether per-flow rows are kept.
    pub flows: bool,
    /// The most messages and iterations that are kept as rows (histograms take all).
    pub message_rows_max: usize,
    /// One of how many packets of each NIC records what it meets on its way; 0 for none.
    pub telemetry_every: u32,
    /// The most packets whose records are kept.
    pub telemetry_packets_max: u64,
    /// Whether packets and bytes are counted by class at every port and NIC.
    pub class_counters: bool,
    /// Which ranks' activities are kept as rows; `None` for no rank's.
    pub activities: Option<ActivityOptions>,
}

/// Which ranks' activities are kept, and from when until when.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct ActivityOptions {
    /// Jobs whose ranks are watched.
    pub jobs: Vec<JobId>,
    /// Ranks of each job, from 0 on.
    pub ranks_max: u32,
    /// Activities that end before this are left out.
    pub from: Picoseconds,
    /// Activities that begin at this time or later are left out.
    pub until: Picoseconds,
    /// The most rows that are kept per rank.
    pub rows_of_rank_max: u64,
}

impl Default for RunOptions {
    fn default() -> Self {
        Self {
            seed: 1,
            time_limit: Picoseconds::MAX,
            warm_up: Picoseconds::ZERO,
            start_skew: Picoseconds::ZERO,
            execution: ExecutionOptions::default(),
            records: RecordOptions::default(),
        }
    }
}

impl Default for ExecutionOptions {
    fn default() -> Self {
        Self {
            partitions: 1,
            threads: 1,
            thread_events_min: 1_000,
            far_ports_min: FAR_PORTS_MIN as usize,
            block_ports_min: 2_048,
            block_events_min: 24,
            share: ProcessShare::WHOLE,
        }
    }
}

impl Default for RecordOptions {
    fn default() -> Self {
        Self {
            sample_interval: Picoseconds::ZERO,
            flows: false,
            message_rows_max: 1 << 20,
            telemetry_every: 0,
            telemetry_packets_max: 200_000,
            class_counters: false,
            activities: None,
        }
    }
}

/// A job to run.
pub struct Job {
    pub name: String,
    /// Description of what it runs, for people.
    pub workload: String,
    /// The location of each rank: node and NIC.
    pub places: Vec<RankPlace>,
    /// The program of each rank.
    pub programs: Vec<Box<dyn RankProgram>>,
    /// Start time.
    pub start: Picoseconds,
    /// Traffic class of its messages.
    pub class: ClassId,
    /// Virtual network of its messages: 1 to 65535.
    pub vni: u16,
    /// Iterations that its ranks count. The run ends when all jobs that have a number of them have
    /// ended; a job without is endless.
    pub iterations: Option<u32>,
    /// Payload that each rank offers by a schedule, in Gb/s; absent if completions decide when
    /// messages start.
    pub offered_gbps: Option<f64>,
    /// Whether its messages are kept as rows.
    pub record_messages: bool,
}

/// The location of a rank.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RankPlace {
    pub node: NodeId,
    /// NIC of the node, counted from 0.
    pub nic: u8,
}
