//! The tree of a scenario, as written by a file or a program.

use crate::explain::ExplainSection;
use crate::fault::{FaultLawSection, FaultSection, Faults};
use crate::job::JobSection;
use crate::observe::{CaptureSection, TelemetrySection};
use crate::part::Preset;
use crate::routes::RoutesSection;
use crate::system::{System, SystemChoice};
use crate::timeline::TimelineSection;
use philae_congestion::{CongestionLaw, UetLaw};
use philae_link_layer::LinkParameters;
use philae_nic_model::{
    EthernetParameters, HostJitter, HostParameters, NicParameters, NodeParameters, RetryParameters, TcpParameters,
    UetParameters,
};
use philae_packet_engine::PacketEngine;
use philae_path::RoutingParameters;
use philae_switch::port::SwitchParameters;
use philae_switch::reduction::CollectiveParameters;
use philae_traffic_class::TrafficClass;
use philae_workload::{Allocation, Span};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A run of one or more jobs on one system.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Scenario {
    /// Name of the run in results. Default: the system and its jobs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Seed of all random numbers, 0 to 2^63 - 1. Default 1.
    #[serde(default = "one")]
    pub seed: u64,
    /// How nodes are allocated to jobs that do not list theirs. Default "linear".
    #[serde(default)]
    pub allocation: Allocation,
    /// The system: a built-in name, a path, or a description.
    pub system: SystemChoice,
    /// Switch, NIC and host. Default: those that the system's description names.
    #[serde(default)]
    pub hardware: Hardware,
    /// The routing algorithm. Default: that of the switch's generation.
    #[serde(default)]
    pub routing: Preset<RoutingParameters>,
    /// Forwarding tables of the switches. Default: the topology's own paths.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub routes: Option<RoutesSection>,
    /// The congestion law. Default: the one that the system's description names.
    #[serde(default)]
    pub congestion: Preset<CongestionLaw>,
    /// Traffic classes of a built-in profile, instead of a list: "HPC", "LL_BE_BD_ET" or "LL_BE_BD_ET1_ET2".
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub class_profile: Option<String>,
    /// Traffic classes. Default: one, "best-effort".
    #[serde(default, rename = "class", skip_serializing_if = "Vec::is_empty")]
    pub classes: Vec<TrafficClass>,
    /// Links with bit errors, retry and lanes. Default: links without errors, which cost nothing to model.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub link: Option<Preset<LinkParameters>>,
    /// End-to-end retries between NICs, in runs whose links may have errors or fail.
    #[serde(default)]
    pub retry: Preset<RetryParameters>,
    /// Collective operations that jobs leave to the switches (`algorithm = "switch-offloaded"`).
    #[serde(default)]
    pub collectives: Preset<CollectiveParameters>,
    /// Reactions of switches to faults.
    #[serde(default)]
    pub faults: Faults,
    /// The faults, with their times.
    #[serde(default, rename = "fault", skip_serializing_if = "Vec::is_empty")]
    pub fault_list: Vec<FaultSection>,
    /// Random faults.
    #[serde(default, rename = "fault_law", skip_serializing_if = "Vec::is_empty")]
    pub fault_laws: Vec<FaultLawSection>,
    /// The packet engine of every switch: access control, VLANs, VXLAN, isolation of virtual networks. Default:
    /// none; every packet passes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub packet_engine: Option<PacketEngine>,
    /// Time limit, warm-up, partitions and threads of the run.
    #[serde(default)]
    pub run: RunTree,
    /// What is recorded.
    #[serde(default)]
    pub measure: Measure,
    /// In-band telemetry and counters by class. Default: off.
    #[serde(default)]
    pub telemetry: TelemetrySection,
    /// Captures of the packets of ports. Default: none.
    #[serde(default, rename = "capture", skip_serializing_if = "Vec::is_empty")]
    pub captures: Vec<CaptureSection>,
    /// Messages whose time is explained. Default: none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub explain: Option<ExplainSection>,
    /// The run as a timeline for a viewer. Default: none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timeline: Option<TimelineSection>,
    /// The jobs; at least one.
    #[serde(default, rename = "job")]
    pub jobs: Vec<JobSection>,
}

const fn one() -> u64 {
    1
}

impl Default for Scenario {
    /// A small dragonfly without jobs: a base for `..Scenario::default()`.
    fn default() -> Self {
        Self {
            name: None,
            seed: 1,
            allocation: Allocation::default(),
            system: SystemChoice::Named("malbec".to_owned()),
            hardware: Hardware::default(),
            routing: Preset::default(),
            routes: None,
            congestion: Preset::default(),
            class_profile: None,
            classes: Vec::new(),
            link: None,
            retry: Preset::default(),
            collectives: Preset::default(),
            faults: Faults::default(),
            fault_list: Vec::new(),
            fault_laws: Vec::new(),
            packet_engine: None,
            run: RunTree::default(),
            measure: Measure::default(),
            telemetry: TelemetrySection::default(),
            captures: Vec::new(),
            explain: None,
            timeline: None,
            jobs: Vec::new(),
        }
    }
}

impl Scenario {
    /// A scenario on this system, without jobs.
    #[must_use]
    pub fn on(system: &System) -> Self {
        Self { system: SystemChoice::Inline(Box::new(system.description.as_ref().clone())), ..Self::default() }
    }
}

/// Switch, NIC and host: each has a preset, and values that differ from it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Hardware {
    /// The switch. Default preset: the system's `switch`.
    pub switch: Preset<SwitchParameters>,
    /// The NIC. Default preset: the system's `nic`.
    pub nic: Preset<NicParameters>,
    /// Third-party Ethernet endpoints, in systems that have them (`[[ethernet]]`). Default preset: "ethernet".
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ethernet: Option<Preset<EthernetParameters>>,
    /// The host's software. Default preset: MPI on the NIC's preset.
    pub host: Preset<HostParameters>,
    /// The bus and the memory of the node, for the system's own NICs. Default preset: that of the NIC's name, or "none",
    /// which has no limit.
    pub node: Preset<NodeParameters>,
    /// How the cores of hosts are late, by a law: "exponential" or "periodic". Without this table they never are.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub jitter: Option<Preset<HostJitter>>,
    /// Windows and acknowledgements of TCP connections, where hosts or third-party endpoints speak TCP. Without this
    /// table no window limits a sender.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tcp: Option<Preset<TcpParameters>>,
    /// Ultra Ethernet's transport, which the NICs have under the laws "nscc" and "rccc", and third-party endpoints with
    /// `hardware.ethernet.transport = "uet"`. Default preset: "uec".
    #[serde(skip_serializing_if = "Option::is_none")]
    pub uet: Option<Preset<UetParameters>>,
    /// The law of third-party endpoints that speak Ultra Ethernet (`hardware.ethernet.transport = "uet"`): "nscc" or
    /// "rccc", with their keys. Default: "nscc".
    #[serde(skip_serializing_if = "Option::is_none")]
    pub uet_law: Option<Preset<UetLaw>>,
}

/// How a run goes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
#[serde(rename = "Run")]
pub struct RunTree {
    /// Latest simulated time at which the run ends. Without it every run needs a job that ends by itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub time_limit: Option<Span>,
    /// Time at which measurements begin. Default 0.
    pub warm_up: Span,
    /// Each rank starts at a random time within this span. Default 0.
    pub start_skew: Span,
    /// Number of partitions, each of whole groups. The result does not depend on it. Default 1.
    #[schemars(range(min = 1, max = 65_535))]
    pub partitions: u32,
    /// Number of threads, each of which processes one partition at a time; the run has at least as
    /// many partitions. The result does not depend on it. Default 1.
    #[schemars(range(min = 1, max = 1_024))]
    pub threads: u32,
}

impl Default for RunTree {
    fn default() -> Self {
        Self { time_limit: None, warm_up: Span::default(), start_skew: Span::default(), partitions: 1, threads: 1 }
    }
}

/// What is recorded.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Measure {
    /// Length of a sampling interval; 0 for no time series. Default 10 us.
    pub sample_interval: Span,
    /// Whether rows per flow are kept. Default true.
    pub flows: bool,
    /// Jobs whose messages are kept as rows. Default: all jobs that end by themselves.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub messages: Option<Vec<String>>,
    /// Largest number of messages and iterations kept as rows (histograms count all). Default 1,000,000.
    pub message_rows_max: u64,
}

impl Default for Measure {
    fn default() -> Self {
        Self { sample_interval: Span::micros(10), flows: true, messages: None, message_rows_max: 1_000_000 }
    }
}

impl Measure {
    /// Only histograms and counters: sufficient for a study of hundreds of runs.
    #[must_use]
    pub fn totals() -> Self {
        Self { sample_interval: Span::default(), flows: false, messages: Some(Vec::new()), ..Self::default() }
    }
}
