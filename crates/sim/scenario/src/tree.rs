//! The tree of a scenario, as written by a file or a program.

use crate::explain::ExplainSection;
use crate::fault::{FaultLawSection, FaultSection, Faults};
use crate::job::JobSection;
use crate::observe::{CaptureSection, TelemetrySection};
use crate::part::Part;
use crate::routes::RoutesSection;
use crate::system::{System, SystemChoice};
use crate::timeline::TimelineSection;
use philae_congestion::CongestionLaw;
use philae_link_layer::LinkParameters;
use philae_nic_model::{EthernetParameters, HostParameters, NicParameters, RetryParameters};
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
    /// How results name it. Default: the system and its jobs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Seed of everything random, 0 to 2^63 - 1. Default 1.
    #[serde(default = "one")]
    pub seed: u64,
    /// How nodes are given to jobs that do not list theirs. Default "linear".
    #[serde(default)]
    pub allocation: Allocation,
    /// The system: a built-in name, a path, or a description.
    pub system: SystemChoice,
    /// Switch, NIC and host. Default: what the system's description names.
    #[serde(default)]
    pub hardware: Hardware,
    /// How paths are chosen. Default: as the switch's generation does.
    #[serde(default)]
    pub routing: Part<RoutingParameters>,
    /// Tables that switches forward by. Default: the ways that the topology gives.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub routes: Option<RoutesSection>,
    /// The congestion law. Default: what the system's description names.
    #[serde(default)]
    pub congestion: Part<CongestionLaw>,
    /// Traffic classes of a built-in profile, instead of a list: "HPC", "LL_BE_BD_ET" or "LL_BE_BD_ET1_ET2".
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub class_profile: Option<String>,
    /// Traffic classes. Default: one, "best-effort".
    #[serde(default, rename = "class", skip_serializing_if = "Vec::is_empty")]
    pub classes: Vec<TrafficClass>,
    /// Links with bit errors, retry and lanes. Default: links that never err, which cost nothing to model.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub link: Option<Part<LinkParameters>>,
    /// Retries from NIC to NIC, in runs whose links may err or fail.
    #[serde(default)]
    pub retry: Part<RetryParameters>,
    /// Collective operations that jobs leave to the switches (`algorithm = "switch-offloaded"`).
    #[serde(default)]
    pub collectives: Part<CollectiveParameters>,
    /// What switches do about faults.
    #[serde(default)]
    pub faults: Faults,
    /// What fails, and when.
    #[serde(default, rename = "fault", skip_serializing_if = "Vec::is_empty")]
    pub fault_list: Vec<FaultSection>,
    /// What fails by chance.
    #[serde(default, rename = "fault_law", skip_serializing_if = "Vec::is_empty")]
    pub fault_laws: Vec<FaultLawSection>,
    /// The packet engine of every switch: access control, VLANs, VXLAN, isolation of virtual networks. Default: none, and
    /// every packet passes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub packet_engine: Option<PacketEngine>,
    /// How the run goes.
    #[serde(default)]
    pub run: Run,
    /// What is recorded.
    #[serde(default)]
    pub measure: Measure,
    /// In-band telemetry and counters by class. Default: off.
    #[serde(default)]
    pub telemetry: TelemetrySection,
    /// Captures of what crosses ports. Default: none.
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
            routing: Part::default(),
            routes: None,
            congestion: Part::default(),
            class_profile: None,
            classes: Vec::new(),
            link: None,
            retry: Part::default(),
            collectives: Part::default(),
            faults: Faults::default(),
            fault_list: Vec::new(),
            fault_laws: Vec::new(),
            packet_engine: None,
            run: Run::default(),
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

/// Switch, NIC and host: a preset each, and values that differ from it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Hardware {
    /// The switch. Default preset: the system's `switch`.
    pub switch: Part<SwitchParameters>,
    /// The NIC. Default preset: the system's `nic`.
    pub nic: Part<NicParameters>,
    /// Third-party Ethernet endpoints, in systems that have them (`[[ethernet]]`). Default preset: "ethernet".
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ethernet: Option<Part<EthernetParameters>>,
    /// The host's software. Default preset: MPI on the NIC's preset.
    pub host: Part<HostParameters>,
}

/// How a run goes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Run {
    /// Simulated time at which the run ends at the latest. Without it every run needs a job that ends by itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub time_limit: Option<Span>,
    /// Measurements count from here. Default 0.
    pub warm_up: Span,
    /// Ranks start at random within this span. Default 0.
    pub start_skew: Span,
    /// Partitions of whole groups. The result does not depend on it. Default 1.
    #[schemars(range(min = 1, max = 65_535))]
    pub partitions: u32,
    /// Threads that work on the run, each on one partition at a time; there are then at least as many partitions. The result
    /// does not depend on it. Default 1.
    #[schemars(range(min = 1, max = 1_024))]
    pub threads: u32,
}

impl Default for Run {
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
    /// Whether per-flow rows are kept. Default true.
    pub flows: bool,
    /// Jobs whose messages are kept as rows. Default: all jobs that end by themselves.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub messages: Option<Vec<String>>,
    /// Messages and iterations that are kept as rows at most (histograms take all). Default 1,000,000.
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
