//! The record of a run, as rows. The fabric appends; the writers and the report read; nothing flows
//! back.

use philae_units::{
    Bytes, ClassId, EndpointId, GroupId, JobId, LinkRate, Picoseconds, PortId, PortIndex, RankId, SwitchId,
};

use serde::Serialize;

use crate::counter::CounterRow;
use crate::explain::{BlockerRow, PartRow};
use crate::fault::{DiscardRow, FailureRow, FaultRow, PacketEngineRow, RetryTotals};
use crate::histogram::Histogram;
use crate::open_messages::OpenMessages;

/// The kind of a message: its protocol and direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MessageKind {
    /// Two-sided, data sent eagerly.
    Eager,
    /// Two-sided, data fetched by the receiver after matching.
    Rendezvous,
    /// One-sided write.
    Put,
    /// One-sided read.
    Get,
    /// Atomic operation.
    Amo,
    /// Between two ranks of one node: never enters the fabric.
    Local,
}

/// One completed message.
#[derive(Clone, Copy, Debug, serde::Serialize, serde::Deserialize)]
pub struct MessageRow {
    /// Job of both ranks.
    pub job: JobId,
    /// Rank that issued the operation (sender of a send, origin of a put or get).
    pub source: RankId,
    /// The other rank.
    pub destination: RankId,
    /// Payload.
    pub bytes: Bytes,
    pub kind: MessageKind,
    /// Traffic class.
    pub class: ClassId,
    /// When the rank issued it.
    pub issued: Picoseconds,
    /// When the data had arrived in full: in the target's NIC for a put, in memory for a get, and
    /// for a two-sided message in memory and matched.
    pub delivered: Picoseconds,
}

/// One iteration of one rank (between `IterationStart` and `IterationEnd`).
#[derive(Clone, Copy, Debug, serde::Serialize, serde::Deserialize)]
pub struct IterationRow {
    pub job: JobId,
    pub rank: RankId,
    /// Iteration, counted by the program.
    pub iteration: u32,
    /// When the rank began it.
    pub start: Picoseconds,
    /// When the rank ended it.
    pub end: Picoseconds,
}

/// An iteration that one rank had begun and not ended when the run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct OpenIteration {
    pub job: JobId,
    pub rank: RankId,
    /// Iteration, counted by the program.
    pub iteration: u32,
    /// When the rank began it.
    pub start: Picoseconds,
}

/// An activity of a rank: part of its program in words, computation, or a wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ActivityRow {
    pub job: JobId,
    pub rank: RankId,
    /// Line of the rank's work: 0 is the main line and the core, others run at the same time.
    pub line: u32,
    /// Its depth in the nesting of its line, from 0; computation and waits are deepest.
    pub depth: u8,
    /// Its name: "allreduce", "compute", "wait".
    pub name: &'static str,
    /// The partners or the object; may be empty.
    pub of: &'static str,
    /// Distinguishes activities of the same name.
    pub number: u32,
    /// When it began.
    pub start: Picoseconds,
    /// When it ended; the end of the run if it had not.
    pub end: Picoseconds,
}

/// The role of a switch port.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum LinkRole {
    /// To a NIC.
    Edge,
    /// Within a group (dragonfly), or leaf to spine and spine to core (fat tree).
    Local,
    /// Between groups.
    Global,
}

/// The description of a port: written once, so that every table can be read without the topology.
#[derive(Clone, Debug)]
pub struct PortInfo {
    /// Counted over the whole system.
    pub index: PortIndex,
    pub switch: SwitchId,
    /// The switch's group.
    pub group: GroupId,
    /// Port number on the switch.
    pub port: PortId,
    pub role: LinkRole,
    /// The device at its other end, for people: "group 3 switch 7 port 41" or "endpoint 112 (node
    /// 56 NIC 0)".
    pub peer: String,
    /// Rate of one direction.
    pub rate: LinkRate,
}

/// One output port during one sampling interval. Intervals in which nothing happened are not
/// stored.
#[derive(Clone, Copy, Debug, serde::Serialize, serde::Deserialize)]
pub struct PortSample {
    /// Interval, counted from 0; it begins at `interval * RunRecord::sample_interval`.
    pub interval: u32,
    pub port: PortIndex,
    /// Bytes put on the wire in this interval, headers included.
    pub bytes: Bytes,
    /// Packets whose transmission began in this interval.
    pub packets: u32,
    /// Largest request queue seen.
    pub queued_bytes_max: Bytes,
    /// Time for which packets waited and none could be sent for lack of credits.
    pub stalled: Picoseconds,
}

/// Delivered traffic of one job and class during one sampling interval.
#[derive(Clone, Copy, Debug, serde::Serialize, serde::Deserialize)]
pub struct ClassSample {
    /// Interval, as in [`PortSample`].
    pub interval: u32,
    pub job: JobId,
    /// Traffic class.
    pub class: ClassId,
    /// Payload delivered.
    pub bytes: Bytes,
    /// Packets delivered.
    pub packets: u32,
}

/// One flow (endpoint pair, class and job) over the whole run: its completed messages, without
/// requests.
#[derive(Clone, Copy, Debug, serde::Serialize, serde::Deserialize)]
pub struct FlowRow {
    /// Sending endpoint.
    pub source: EndpointId,
    /// Receiving endpoint.
    pub destination: EndpointId,
    /// Traffic class.
    pub class: ClassId,
    /// Job of the traffic.
    pub job: JobId,
    /// Packets delivered.
    pub packets: u64,
    /// Payload delivered.
    pub bytes: Bytes,
    /// Sum over packets of the time from NIC to NIC.
    pub latency_sum: Picoseconds,
    /// Smallest of them.
    pub latency_min: Picoseconds,
    /// Largest of them.
    pub latency_max: Picoseconds,
    /// When the first of its messages that arrived was issued.
    pub first_issued: Picoseconds,
    /// When the last of them had arrived.
    pub last_delivered: Picoseconds,
}

/// The kind of a congestion event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CongestionKind {
    /// An edge output's request queue passed the threshold; `value` is its depth in bytes.
    EndpointOnset,
    /// It fell below again; `value` is its duration in picoseconds.
    EndpointEnd,
    /// A flow began to be held at its ingress (`slingshot`; `value` is 0), or its NIC cut its rate
    /// (`ecn`; `value` is the new rate in Mb/s).
    FlowHeld,
    /// A flow is no longer held; `value` is how long it was, in picoseconds.
    FlowReleased,
    /// A port paused its NIC, or under `ecn` the switch upstream; `value` is the occupancy in
    /// bytes.
    PauseStart,
    /// It let the sender continue; `value` is how long it was paused, in picoseconds.
    PauseEnd,
    /// A packet was marked (ECN); `value` is the queue depth in bytes.
    Marked,
    /// A packet found no room in a buffer that has no flow control and was discarded; `value` is
    /// its size in bytes.
    Discarded,
    /// An ordered flow leaves its path, which is congested inside the fabric (`slingshot` with
    /// `reroute_threshold_bytes`); `value` is what it has in the fabric, in bytes.
    FlowMoved,
}

/// One congestion event. Kinds that can happen per packet are sampled:
/// `RunRecord::congestion_counts` counts them all.
#[derive(Clone, Copy, Debug, serde::Serialize, serde::Deserialize)]
pub struct CongestionRow {
    /// Time of the event.
    pub time: Picoseconds,
    pub kind: CongestionKind,
    pub port: PortIndex,
    /// Sending endpoint, if the event concerns a flow.
    pub source: Option<EndpointId>,
    /// Receiving endpoint, if the event concerns a flow.
    pub destination: Option<EndpointId>,
    /// See [`CongestionKind`].
    pub value: u64,
}

/// One switch over the whole run.
#[derive(Clone, Copy, Debug)]
pub struct SwitchTotals {
    pub switch: SwitchId,
    pub group: GroupId,
    /// Packets forwarded.
    pub packets: u64,
    /// Bytes forwarded, headers included.
    pub bytes: Bytes,
    /// Largest sum of its input buffers' occupancy.
    pub buffered_bytes_max: Bytes,
}

/// The record of one sampled packet in one switch (in-band telemetry).
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct TelemetryRow {
    /// Sending endpoint.
    pub source: EndpointId,
    /// Receiving endpoint.
    pub destination: EndpointId,
    /// Number of the packet among those of its NIC, from 0.
    pub number: u64,
    /// Traffic class.
    pub class: ClassId,
    /// Bytes on a fabric link.
    pub bytes: u16,
    /// When its first bit left its NIC.
    pub injected: Picoseconds,
    /// When its last bit reached the other NIC.
    pub delivered: Picoseconds,
    /// The number of the switch on its path, from 0.
    pub hop: u8,
    /// Input port.
    pub input: PortIndex,
    /// Output port.
    pub output: PortIndex,
    /// Bytes that waited for that output when the packet requested it.
    pub queued_bytes: u32,
    /// When its header was ready in the switch.
    pub arrived: Picoseconds,
    /// When it requested the output: later than `arrived` if its flow was held, or its tail had to
    /// arrive first.
    pub requested: Picoseconds,
    /// When it left.
    pub departed: Picoseconds,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct CaptureCount {
    /// The port, as the scenario names it.
    pub port: String,
    /// Frames written.
    pub written: u64,
    /// Frames beyond the requested maximum, counted and not written.
    pub left_out: u64,
}

/// The reason why a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum RunStatus {
    /// Every job that ends has ended.
    Completed,
    /// The time limit of the scenario was reached first.
    TimeLimit,
    /// Interrupted from outside: the record is valid up to `simulated`.
    Interrupted,
    /// No events were left, and ranks wait for data that is lost.
    Unfinished,
}

/// A job in the record.
#[derive(Clone, Debug)]
pub struct JobInfo {
    /// Name in the scenario.
    pub name: String,
    pub ranks: u32,
    pub nodes: u32,
    /// Its workload, for people: "alltoall 128 KiB".
    pub workload: String,
    /// When its last rank finished; absent if it had not when the run ended.
    pub finished: Option<Picoseconds>,
    /// Payload delivered from `measured_from` on, counted packet by packet.
    pub delivered: Bytes,
    /// Iterations that its ranks count until it ends; endless if absent.
    pub iterations: Option<u32>,
    /// The first so many iterations have ended, and a rank began each of them before
    /// `measured_from`: they belong to the warm-up.
    pub warm_up_iterations: u32,
    /// Messages that its ranks issued from `measured_from` on, delivered or not.
    pub messages_issued: u64,
    /// Those among them that were not delivered.
    pub messages_open: OpenMessages,
    /// What its applications have received from `measured_from` on; absent in runs in rates.
    pub received: Option<ReceivedTotals>,
    /// What it offers by a schedule; absent if completions decide when its messages start.
    pub offered: Option<OfferedLoad>,
}

/// What the applications of a job have received: messages that a program got, or that are in its
/// memory where it takes no part. What has reached a NIC or a receive buffer and no further does
/// not count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct ReceivedTotals {
    pub messages: u64,
    /// Their payload.
    pub bytes: Bytes,
}

impl ReceivedTotals {
    /// Adds what other ranks have received.
    pub const fn add(&mut self, other: &Self) {
        self.messages += other.messages;
        self.bytes.0 += other.bytes.0;
    }
}

/// The messages of a job that followed a schedule and began in the measured part.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct ScheduleTotals {
    pub messages: u64,
    /// Their payload.
    pub bytes: Bytes,
    /// Time for which they kept their cores busy: commands and doorbells.
    pub core_time: Picoseconds,
    /// Sum of the times from when they were due until the job's bound on outstanding messages had
    /// room for them.
    pub waited_for_window: Picoseconds,
    /// Sum of the times from then until their core took them.
    pub waited_for_core: Picoseconds,
}

impl ScheduleTotals {
    /// Adds the messages of other ranks.
    pub fn add(&mut self, other: &Self) {
        self.messages += other.messages;
        self.bytes += other.bytes;
        self.core_time += other.core_time;
        self.waited_for_window += other.waited_for_window;
        self.waited_for_core += other.waited_for_core;
    }
}

/// The load that a job offers by a schedule.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OfferedLoad {
    /// Payload of all its ranks, in Gb/s.
    pub gbps: f64,
    pub schedule: ScheduleTotals,
}

/// A core counts as too slow where messages wait for it for this many gaps between messages in the
/// mean. Source: ours; a queue in front of a core that is busy for 95 % of the time has 10. Status:
/// derived.
const GAPS_OF_A_LATE_CORE: f64 = 16.0;

impl JobInfo {
    /// A warning if the cores of the job cannot begin messages as fast as they are offered, in
    /// words.
    #[must_use]
    pub fn late_cores(&self) -> Option<String> {
        let OfferedLoad { gbps, schedule } = self.offered?;
        let mean = |sum: u64| sum as f64 / schedule.messages as f64;
        // Picoseconds; bits per picosecond are Tb/s.
        let gap = mean(schedule.bytes.0) * 8e3 * f64::from(self.ranks) / gbps;
        let (cost, wait) = (mean(schedule.core_time.0), mean(schedule.waited_for_core.0));
        (schedule.messages > 0 && (cost > gap || wait > GAPS_OF_A_LATE_CORE * gap)).then(|| {
            let [cost_text, gap_text, wait] = [cost, gap, wait].map(crate::format::time_ps);
            let bytes = crate::format::bytes((mean(schedule.bytes.0) * cost / gap).ceil());
            let works = if cost > gap {
                format!("Messages of at least {bytes}, at most {:.2} of this load,", gap / cost)
            } else {
                "Larger messages, a smaller load,".to_owned()
            };
            format!(
                "job {}: its cores cannot keep up with the offered load of {} Gb/s. To begin a message takes a core \
                 {cost_text}, the load has one every {gap_text}, and a message waited {wait} for its core. {works} or \
                 more ranks with a smaller load each would work",
                self.name,
                crate::format::number(gbps)
            )
        })
    }
}

/// The bound on outstanding messages counts as a limit of the load where messages wait for it for
/// this many gaps between messages in the mean. Source: ours; a rank that waits now and then stays
/// below it. Status: assumed.
const GAPS_OF_A_FULL_WINDOW: f64 = 1.0;

impl JobInfo {
    /// A warning if the bound on outstanding messages keeps the job from starting messages as fast
    /// as they are offered, in words.
    #[must_use]
    pub fn full_windows(&self) -> Option<String> {
        let OfferedLoad { gbps, schedule } = self.offered?;
        let mean = |sum: u64| sum as f64 / schedule.messages as f64;
        // Picoseconds; bits per picosecond are Tb/s.
        let gap = mean(schedule.bytes.0) * 8e3 * f64::from(self.ranks) / gbps;
        let wait = mean(schedule.waited_for_window.0);
        (schedule.messages > 0 && wait > GAPS_OF_A_FULL_WINDOW * gap).then(|| {
            let [gap, wait] = [gap, wait].map(crate::format::time_ps);
            format!(
                "job {}: `outstanding_max`, the bound on outstanding messages of a rank, limits the offered load of {} \
                 Gb/s. The load has a message every {gap}, and a message waited {wait} until earlier ones had arrived. A \
                 larger `outstanding_max` would work if the network can carry this load, and a smaller load if it cannot",
                self.name,
                crate::format::number(gbps)
            )
        })
    }
}

/// The properties of an edge link, in a system with third-party endpoints.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EdgeLinkRow {
    /// The switch's port.
    pub port: PortIndex,
    pub endpoint: EndpointId,
    /// Whether it is a third-party one.
    pub third_party: bool,
    /// Rate of one direction, in 10^6 bit/s.
    pub rate_mbps: u32,
    /// The agreement of a third-party endpoint and its port: names of enhancements, or
    /// `standard Ethernet`.
    pub agreed: String,
    /// Enhancements that they could have used, each with the one that it lacks.
    pub withheld: String,
    /// Least frame, in bytes.
    pub frame_min_bytes: u32,
    /// Gap after each frame of the NIC, in bytes.
    pub nic_gap_bytes: u32,
    /// Gap after each frame of the switch, in bytes.
    pub switch_gap_bytes: u32,
    /// Whether damaged frames are sent again on the link.
    pub retry: bool,
    /// What limits the NIC: `pause`, `credits` or `none`.
    pub hold: &'static str,
}

/// The counts of a run in rates, instead of packets.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct RateTotals {
    /// Messages that began on the network.
    pub messages: u64,
    /// The messages among them that had arrived in full at the end.
    pub messages_arrived: u64,
    /// Bytes of those that arrived, with headers.
    pub wire_bytes: u64,
    /// Most messages in flight at the same time.
    pub flows_max: u64,
    /// How often rates were computed again.
    pub settled: u64,
}

/// Everything one run recorded.
#[derive(Clone, Debug)]
pub struct RunRecord {
    /// Why it ended.
    pub status: RunStatus,
    /// Counts of a run in rates, which counts no packets. `None` for a run in packets.
    pub rates: Option<RateTotals>,
    /// Simulated time at the end.
    pub simulated: Picoseconds,
    /// Measurements count from here (warm-up before).
    pub measured_from: Picoseconds,
    /// Events handled.
    pub events: u64,
    /// Packets that left a switch output port, counted once per switch crossed.
    pub packet_hops: u64,
    /// Packets that a NIC put on the wire.
    pub packets_injected: u64,
    /// Packets that reached their NIC.
    pub packets_delivered: u64,
    /// Packets discarded: 0 unless something fails or a class is lossy.
    pub packets_discarded: u64,
    /// Discards by port and cause: packets and bytes.
    pub discards: Vec<DiscardRow>,
    /// Faults, and the cost of each.
    pub faults: Vec<FaultRow>,
    /// Operations that failed.
    pub failures: Vec<FailureRow>,
    /// The NICs' end-to-end work.
    pub retry_totals: RetryTotals,
    /// Counts of the packet engine.
    pub packet_engine: Vec<PacketEngineRow>,
    /// Agreements of edge links, in systems with third-party endpoints.
    pub edge_links: Vec<EdgeLinkRow>,
    /// Digest of the event order.
    pub digest: u64,
    /// Bytes of memory that the model held at its peak.
    pub model_bytes_peak: u64,
    /// Length of a sampling interval; 0 if there was no sampling.
    pub sample_interval: Picoseconds,
    /// Jobs, indexed by `JobId`.
    pub jobs: Vec<JobInfo>,
    /// Names of the traffic classes, indexed by `ClassId`.
    pub classes: Vec<String>,
    /// Ports that a table names.
    pub port_info: Vec<PortInfo>,
    /// Number of ports of each role in the system, used or not: edge, local, global.
    pub ports_by_role: [u64; 3],
    /// Messages issued from `measured_from` on that were delivered (all, or those of the jobs that
    /// the scenario asks for).
    pub messages: Vec<MessageRow>,
    pub iterations: Vec<IterationRow>,
    /// Iterations that had begun and not ended when the run ended.
    pub open_iterations: Vec<OpenIteration>,
    /// Activities of ranks, if a timeline asked for them.
    pub activities: Vec<ActivityRow>,
    /// Activities beyond the maximum to be kept.
    pub activities_left_out: u64,
    /// Output ports over time.
    pub ports: Vec<PortSample>,
    /// Delivered traffic over time.
    pub class_samples: Vec<ClassSample>,
    pub flows: Vec<FlowRow>,
    /// Congestion events, in time order.
    pub congestion: Vec<CongestionRow>,
    /// How often each kind of congestion event happened, including those not stored.
    pub congestion_counts: Vec<(CongestionKind, u64)>,
    /// Switches that forwarded anything.
    pub switches: Vec<SwitchTotals>,
    /// NIC-to-NIC packet latency per class, in nanoseconds.
    pub packet_latency: Vec<Histogram>,
    /// Message latency (issue to delivery) per job, in nanoseconds: of the messages issued from
    /// `measured_from` on that were delivered.
    pub message_latency: Vec<Histogram>,
    /// Records of sampled packets, packet by packet in order of delivery.
    pub telemetry: Vec<TelemetryRow>,
    /// Sampled packets that were delivered after the warm-up, including those without rows.
    pub telemetry_packets: u64,
    /// Counters that are not zero, by place, counter and class.
    pub counters: Vec<CounterRow>,
    /// The time of explained messages, message by message in order of their path.
    pub explained: Vec<PartRow>,
    /// Flows that delayed them.
    pub blockers: Vec<BlockerRow>,
    /// Captures, in the requested order.
    pub captures: Vec<CaptureCount>,
}

impl RunRecord {
    /// Whether ports and classes were sampled over time.
    #[must_use]
    pub const fn is_sampled(&self) -> bool {
        self.sample_interval.0 > 0
    }

    /// What a reader of the figures must know, in words.
    #[must_use]
    pub fn warnings(&self) -> Vec<String> {
        let of_jobs = self.jobs.iter().flat_map(|job| job.late_cores().into_iter().chain(job.full_windows()));
        self.nothing_measured().into_iter().chain(of_jobs).collect()
    }

    /// A warning if the run ended before its warm-up, in words.
    #[must_use]
    fn nothing_measured(&self) -> Option<String> {
        let (warm_up, end) = (self.measured_from, self.simulated);
        (warm_up.0 > 0 && warm_up >= end).then(|| {
            let [warm_up, end] = [warm_up, end].map(|time| crate::format::time_ps(time.0 as f64));
            format!(
                "nothing was measured: run.warm_up is {warm_up}, and the run ended at {end}; a shorter warm-up or more \
                 iterations would work"
            )
        })
    }
}
