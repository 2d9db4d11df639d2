//! What a fabric is made of and how it is run.

use philae_cassini::{EthernetParameters, HostParameters, NicParameters};
use philae_congestion::CongestionLaw;
use philae_packet_engine::Program;
use philae_reduction::CollectiveParameters;
use philae_rosetta::SwitchParameters;
use philae_routing::RoutingParameters;
use philae_traffic_class::ClassSet;
use philae_units::{ClassId, JobId, NodeId, Picoseconds};
use philae_workload::RankProgram;

use crate::processes::ProcessShare;
use crate::resilience::Resilience;

/// The hardware and its laws.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FabricConfig {
    /// Switch.
    pub switch: SwitchParameters,
    /// NIC.
    pub nic: NicParameters,
    /// Third-party Ethernet endpoints, by kind from 1 on; those that the topology does not have are not read.
    pub ethernet: Vec<EthernetParameters>,
    /// Host software.
    pub host: HostParameters,
    /// Routing.
    pub routing: RoutingParameters,
    /// Congestion law.
    pub congestion: CongestionLaw,
    /// Traffic classes.
    pub classes: ClassSet,
    /// What may go wrong.
    pub resilience: Resilience,
    /// Collectives that switches carry out, for jobs that leave them operations.
    pub collectives: CollectiveParameters,
    /// The packet engine's program; `None`: there is none, and every packet passes.
    pub packet_engine: Option<Program>,
}

/// Ports of a process's partitions from which on they look ahead, if nobody says how many. Source: ours, [`RunOptions::far_ports_min`]. Status: assumed.
const FAR_PORTS_MIN: u32 = 16_384;

/// How a run goes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunOptions {
    /// Seed of every random stream.
    pub seed: u64,
    /// Partitions (of whole groups). The result does not depend on it.
    pub partitions: u32,
    /// Threads that work on the run, each on one partition after the other: there are at least as many partitions, where the system
    /// has as many groups, and several for each where it is large. The result does not depend on it.
    pub threads: u32,
    /// Events of a window from which on threads work on the next one: to start them costs as much as some hundreds of events.
    pub thread_events_min: u64,
    /// Ports of a process's partitions from which on they look ahead for the outputs and inputs that packets will touch: what fewer need
    /// is in the processor's caches. It changes nothing but the time that a run takes.
    pub far_ports_min: usize,
    /// Ports of a block at least, in a partition that looks ahead: its blocks are worked on one after the other within each
    /// window. It changes nothing but the time that a run takes.
    pub block_ports_min: u32,
    /// Events of a window and block below which blocks are worked on together: to go on to another costs as much as some events.
    /// From three times as many on, they are worked on one after the other again. It changes nothing but the time that a run
    /// takes. Source: ours. Status: assumed.
    pub block_events_min: u64,
    /// Which of the processes that share the run this is: each has some of the partitions, of which there are at least as many.
    /// The result does not depend on their number.
    pub share: ProcessShare,
    /// The run ends here at the latest.
    pub time_limit: Picoseconds,
    /// Measurements count from here.
    pub warm_up: Picoseconds,
    /// Length of a sampling interval; zero for no time series.
    pub sample_interval: Picoseconds,
    /// Ranks start at random within this span.
    pub start_skew: Picoseconds,
    /// Whether per-flow rows are kept.
    pub record_flows: bool,
    /// Messages and iterations that are kept as rows at most (histograms take all).
    pub message_rows_max: usize,
    /// Every which packet of each NIC notes what it meets on its way; 0 for none.
    pub telemetry_every: u32,
    /// Packets whose notes are kept at most.
    pub telemetry_packets_max: u64,
    /// Whether packets and bytes are counted by class at every port and NIC.
    pub class_counters: bool,
    /// Which ranks' activities are kept as rows; `None` for nobody's.
    pub activities: Option<ActivityOptions>,
}

/// Whose activities are kept, and when.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct ActivityOptions {
    /// Jobs whose ranks are looked at; others are not.
    pub jobs: Vec<JobId>,
    /// Ranks of each job, from 0 on.
    pub ranks_max: u32,
    /// What ends before this is left out.
    pub from: Picoseconds,
    /// What begins at this or later is left out.
    pub until: Picoseconds,
    /// Rows that are kept of each rank at most.
    pub rows_of_rank_max: u64,
}

impl Default for RunOptions {
    fn default() -> Self {
        Self {
            seed: 1,
            partitions: 1,
            threads: 1,
            thread_events_min: 1_000,
            far_ports_min: FAR_PORTS_MIN as usize,
            block_ports_min: 2_048,
            block_events_min: 24,
            share: ProcessShare::WHOLE,
            time_limit: Picoseconds::MAX,
            warm_up: Picoseconds::ZERO,
            sample_interval: Picoseconds::ZERO,
            start_skew: Picoseconds::ZERO,
            record_flows: false,
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
    /// Name.
    pub name: String,
    /// What it runs, for people.
    pub workload: String,
    /// Where each rank sits: node and which of its NICs it uses.
    pub places: Vec<RankPlace>,
    /// What each rank does.
    pub programs: Vec<Box<dyn RankProgram>>,
    /// When it starts.
    pub start: Picoseconds,
    /// Traffic class of its messages.
    pub class: ClassId,
    /// Virtual network of its messages: 1 to 65535.
    pub vni: u16,
    /// Whether the run ends when this job has (with all others of which this is true).
    pub ends: bool,
    /// Whether its messages are kept as rows.
    pub record_messages: bool,
}

/// Where a rank sits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RankPlace {
    /// Node.
    pub node: NodeId,
    /// NIC of the node, counted from 0.
    pub nic: u8,
}
