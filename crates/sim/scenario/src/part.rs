//! A set of parameters in a scenario: a preset by name, and the values that differ from it.

use crate::error::{KeyLocation, ScenarioError, suggestion};
use philae_congestion::{
    AriesParameters, CongestionLaw, EcnParameters, NsccParameters, PfcParameters, RcccParameters, SlingshotParameters,
    UetLaw,
};
use philae_link_layer::LinkParameters;
use philae_nic_model::{
    EthernetParameters, ExponentialJitter, HostJitter, HostParameters, NicParameters, NodeParameters, PeriodicJitter,
    RetryParameters, TcpParameters, UetParameters,
};
use philae_path::RoutingParameters;
use philae_switch::port::SwitchParameters;
use philae_switch::reduction::CollectiveParameters;
use philae_units::Provenance;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;
use std::marker::PhantomData;

/// A parameter set that has presets.
pub trait ParameterSet: Serialize + DeserializeOwned + JsonSchema + 'static {
    /// Its table in a scenario.
    const TABLE: &'static str;
    /// The key that names the preset.
    const SELECTOR: &'static str = "preset";
    /// The presets.
    const PRESETS: &'static [&'static str];
    /// Smallest and largest value of keys for which not every value of their type makes sense. A key
    /// may have two ranges, the lower one first: what is between them makes no sense.
    const LIMITS: &'static [KeyRange];

    /// The preset of this name.
    #[must_use]
    fn preset(name: &str) -> Option<Self>;

    /// The provenance of its values.
    #[must_use]
    fn provenance(name: &str) -> Vec<Provenance>;

    /// Every key of such a table, as a JSON Schema.
    #[must_use]
    fn keys(generator: &mut SchemaGenerator) -> Schema {
        Self::json_schema(generator)
    }
}

/// A key with the smallest and the largest of its values.
pub type KeyRange = (&'static str, u64, u64);

const MOST: u64 = u32::MAX as u64;

/// The keys of Ultra Ethernet's laws.
const UET_LAW_LIMITS: [KeyRange; 9] = [
    ("window_max_permille", 1, MOST),
    ("delay_gain_permyriad", 1, 10_000),
    ("decrease_permille", 0, 1_000),
    ("decrease_max_permille", 0, 999),
    ("adjust_packets", 1, MOST),
    ("quick_adaptation_shift", 0, 31),
    ("credit_packets", 0, 1_024),
    ("mark_min_percent", 0, 1_000_000),
    ("mark_max_percent", 1, 1_000_000),
];

/// The keys of the other laws.
const LAW_LIMITS: [KeyRange; 12] = [
    ("injection_limit_ns", 1, MOST),
    ("endpoint_threshold_bytes", 1, MOST),
    ("held_window_bytes", 1, MOST),
    ("flows_per_port", 1, MOST),
    ("channel_buffer_bytes", 1, MOST),
    ("mark_max_bytes", 1, MOST),
    ("mark_max_permille", 1, 1_000),
    ("gain_shift", 0, 31),
    ("estimate_period_ns", 1, MOST),
    ("increase_period_ns", 1, MOST),
    ("increase_bytes", 1, i64::MAX as u64),
    ("rate_min_mbps", 1, MOST),
];

/// Both.
const ALL_LAW_LIMITS: [KeyRange; LAW_LIMITS.len() + UET_LAW_LIMITS.len()] = {
    let mut all = [LAW_LIMITS[0]; LAW_LIMITS.len() + UET_LAW_LIMITS.len()];
    let (own, _) = all.split_at_mut(LAW_LIMITS.len());
    own.copy_from_slice(&LAW_LIMITS);
    let (_, of_uet) = all.split_at_mut(LAW_LIMITS.len());
    of_uet.copy_from_slice(&UET_LAW_LIMITS);
    all
};

impl ParameterSet for SwitchParameters {
    const TABLE: &'static str = "hardware.switch";
    const PRESETS: &'static [&'static str] = &["rosetta", "rosetta-2", "aries", "quantum-2"];
    const LIMITS: &'static [KeyRange] = &[
        ("latency_ns", 1, MOST),
        ("buffer_reserve_bytes", 1, MOST),
        ("outliers_per_million", 0, 1_000_000),
        ("outlier_max_ns", 0, 1_000_000),
        ("optical_cable_ns", 0, 1_000_000),
    ];

    fn preset(name: &str) -> Option<Self> {
        match name {
            "rosetta" => Some(Self::rosetta()),
            "rosetta-2" => Some(Self::rosetta_2()),
            "aries" => Some(Self::aries()),
            "quantum-2" => Some(Self::quantum_2()),
            _ => None,
        }
    }

    fn provenance(name: &str) -> Vec<Provenance> {
        match name {
            "rosetta" => Self::rosetta_provenance(),
            "rosetta-2" => Self::rosetta_2_provenance(),
            "aries" => Self::aries_provenance(),
            "quantum-2" => Self::quantum_2_provenance(),
            _ => Vec::new(),
        }
    }
}

impl ParameterSet for NicParameters {
    const TABLE: &'static str = "hardware.nic";
    const PRESETS: &'static [&'static str] = &["connectx-5", "cassini-1", "cassini-2", "aries", "connectx-7"];
    const LIMITS: &'static [KeyRange] =
        &[("payload_max_bytes", 1, 65_535), ("connections_max", 0, 1 << 20), ("connection_bytes", 0, 4_096)];

    fn preset(name: &str) -> Option<Self> {
        match name {
            "connectx-5" => Some(Self::connectx_5()),
            "cassini-1" => Some(Self::cassini_1()),
            "cassini-2" => Some(Self::cassini_2()),
            "aries" => Some(Self::aries()),
            "connectx-7" => Some(Self::connectx_7()),
            _ => None,
        }
    }

    fn provenance(name: &str) -> Vec<Provenance> {
        match name {
            "connectx-5" => Self::connectx_5_provenance(),
            "cassini-1" => Self::cassini_1_provenance(),
            "cassini-2" => Self::cassini_2_provenance(),
            "aries" => Self::aries_provenance(),
            "connectx-7" => Self::connectx_7_provenance(),
            _ => Vec::new(),
        }
    }
}

impl ParameterSet for EthernetParameters {
    const TABLE: &'static str = "hardware.ethernet";
    const PRESETS: &'static [&'static str] = &["ethernet"];
    const LIMITS: &'static [KeyRange] =
        &[("mtu_bytes", 1_500, 1_500), ("mtu_bytes", 9_000, 9_000), ("receive_queues", 1, 128)];

    fn preset(name: &str) -> Option<Self> {
        (name == "ethernet").then(Self::standard)
    }

    fn provenance(name: &str) -> Vec<Provenance> {
        if name == "ethernet" { Self::standard_provenance() } else { Vec::new() }
    }
}

impl ParameterSet for HostParameters {
    const TABLE: &'static str = "hardware.host";
    const PRESETS: &'static [&'static str] = &[
        "connectx-5-mpi",
        "connectx-5-verbs",
        "connectx-5-libfabric",
        "connectx-5-udp",
        "connectx-5-tcp",
        "cassini-1-mpi",
        "cassini-1-verbs",
        "cassini-1-libfabric",
        "cassini-1-udp",
        "cassini-1-tcp",
        "cassini-1-shmem",
        "cassini-1-commands",
        "cassini-2-mpi",
        "cassini-2-verbs",
        "cassini-2-libfabric",
        "cassini-2-udp",
        "cassini-2-tcp",
        "cassini-2-shmem",
        "aries-mpi",
        "connectx-7-mpi",
    ];
    const LIMITS: &'static [KeyRange] = &[("copy_rate_mbytes", 1, MOST), ("bundle_max", 1, 65_532)];

    fn preset(name: &str) -> Option<Self> {
        match name {
            "connectx-5-mpi" => Some(Self::connectx_5_mpi()),
            "connectx-5-verbs" => Some(Self::connectx_5_verbs()),
            "connectx-5-libfabric" => Some(Self::connectx_5_libfabric()),
            "connectx-5-udp" => Some(Self::connectx_5_udp()),
            "connectx-5-tcp" => Some(Self::connectx_5_tcp()),
            "cassini-1-mpi" => Some(Self::cassini_1_mpi()),
            "cassini-1-verbs" => Some(Self::cassini_1_verbs()),
            "cassini-1-libfabric" => Some(Self::cassini_1_libfabric()),
            "cassini-1-udp" => Some(Self::cassini_1_udp()),
            "cassini-1-tcp" => Some(Self::cassini_1_tcp()),
            "cassini-2-verbs" => Some(Self::cassini_2_verbs()),
            "cassini-2-libfabric" => Some(Self::cassini_2_libfabric()),
            "cassini-2-udp" => Some(Self::cassini_2_udp()),
            "cassini-1-shmem" => Some(Self::cassini_1_shmem()),
            "cassini-1-commands" => Some(Self::cassini_1_commands()),
            "cassini-2-mpi" => Some(Self::cassini_2_mpi()),
            "cassini-2-shmem" => Some(Self::cassini_2_shmem()),
            "cassini-2-tcp" => Some(Self::cassini_2_tcp()),
            "aries-mpi" => Some(Self::aries_mpi()),
            "connectx-7-mpi" => Some(Self::connectx_7_mpi()),
            _ => None,
        }
    }

    fn provenance(name: &str) -> Vec<Provenance> {
        match name {
            "connectx-5-mpi" => Self::connectx_5_mpi_provenance(),
            "connectx-5-verbs" => Self::connectx_5_verbs_provenance(),
            "connectx-5-libfabric" => Self::connectx_5_libfabric_provenance(),
            "connectx-5-udp" => Self::connectx_5_udp_provenance(),
            "connectx-5-tcp" => Self::connectx_5_tcp_provenance(),
            "cassini-1-mpi" => Self::cassini_1_mpi_provenance(),
            "cassini-1-verbs" => Self::cassini_1_verbs_provenance(),
            "cassini-1-libfabric" => Self::cassini_1_libfabric_provenance(),
            "cassini-1-udp" => Self::cassini_1_udp_provenance(),
            "cassini-1-tcp" => Self::cassini_1_tcp_provenance(),
            "cassini-2-verbs" => Self::cassini_2_verbs_provenance(),
            "cassini-2-libfabric" => Self::cassini_2_libfabric_provenance(),
            "cassini-2-udp" => Self::cassini_2_udp_provenance(),
            "cassini-1-shmem" => Self::cassini_1_shmem_provenance(),
            "cassini-1-commands" => Self::cassini_1_commands_provenance(),
            "cassini-2-mpi" => Self::cassini_2_mpi_provenance(),
            "cassini-2-shmem" => Self::cassini_2_shmem_provenance(),
            "cassini-2-tcp" => Self::cassini_2_tcp_provenance(),
            "aries-mpi" => Self::aries_mpi_provenance(),
            "connectx-7-mpi" => Self::connectx_7_mpi_provenance(),
            _ => Vec::new(),
        }
    }
}

/// The preset of a node without limits.
const NO_NODE: &str = "none";

impl Preset<NodeParameters> {
    /// The preset of nodes with NICs of this preset.
    pub(crate) fn behind(nic: &str) -> &str {
        if NodeParameters::PRESETS.contains(&nic) { nic } else { NO_NODE }
    }
}

impl ParameterSet for NodeParameters {
    const TABLE: &'static str = "hardware.node";
    const PRESETS: &'static [&'static str] = &[
        "connectx-5",
        "cassini-1",
        "cassini-2",
        "connectx-7",
        "alps",
        "aurora",
        "frontier",
        "lumi-c",
        "lumi-g",
        "malbec",
        "olivia",
        "shandy",
        NO_NODE,
    ];
    const LIMITS: &'static [KeyRange] =
        &[("pcie_payload_max_bytes", 1, MOST), ("pcie_request_max_bytes", 1, MOST), ("memory_copies_percent", 1, 100)];

    fn preset(name: &str) -> Option<Self> {
        match name {
            "connectx-5" => Some(Self::connectx_5()),
            "cassini-1" => Some(Self::cassini_1()),
            "cassini-2" => Some(Self::cassini_2()),
            "connectx-7" => Some(Self::connectx_7()),
            NO_NODE => Some(Self::none()),
            other => Self::of_system(other),
        }
    }

    fn provenance(name: &str) -> Vec<Provenance> {
        match name {
            "connectx-5" => Self::connectx_5_node_provenance(),
            "cassini-1" => Self::cassini_1_provenance(),
            "cassini-2" => Self::cassini_2_provenance(),
            "connectx-7" => Self::connectx_7_node_provenance(),
            other => Self::of_system_provenance(other),
        }
    }
}

impl ParameterSet for HostJitter {
    const TABLE: &'static str = "hardware.jitter";
    const SELECTOR: &'static str = "law";
    const PRESETS: &'static [&'static str] = &Self::NAMES;
    const LIMITS: &'static [KeyRange] = &[("period_us", 1, MOST)];

    fn preset(name: &str) -> Option<Self> {
        Self::named(name)
    }

    fn provenance(name: &str) -> Vec<Provenance> {
        match name {
            "exponential" => ExponentialJitter::steps_provenance(),
            "periodic" => PeriodicJitter::ticks_provenance(),
            _ => Vec::new(),
        }
    }

    /// The keys of all laws.
    fn keys(generator: &mut SchemaGenerator) -> Schema {
        let mut all = ExponentialJitter::json_schema(generator);
        add_keys(&mut all, &PeriodicJitter::json_schema(generator));
        all.insert(
            "description".to_owned(),
            "How cores are late, by a law. A step of a core is an operation begun, a message taken or a computation."
                .into(),
        );
        all
    }
}

impl ParameterSet for TcpParameters {
    const TABLE: &'static str = "hardware.tcp";
    const PRESETS: &'static [&'static str] = &["linux"];
    const LIMITS: &'static [KeyRange] =
        &[("receive_buffer_bytes", 1, 1 << 30), ("initial_window_segments", 1, MOST), ("ack_segments", 1, MOST)];

    fn preset(name: &str) -> Option<Self> {
        (name == "linux").then(Self::linux)
    }

    fn provenance(_: &str) -> Vec<Provenance> {
        Self::linux_provenance()
    }
}

impl ParameterSet for UetParameters {
    const TABLE: &'static str = "hardware.uet";
    const PRESETS: &'static [&'static str] = &["uec"];
    const LIMITS: &'static [KeyRange] = &[
        ("retry_timeout_ns", 0, MOST),
        ("entropy_values", 1, 65_535),
        ("ip", 4, 4),
        ("ip", 6, 6),
        ("frame_gap_bytes", 0, Self::GAP_MAX_BYTES as u64),
        ("trimmed_bytes", 0, 0),
        ("trimmed_bytes", Self::TRIMMED_LEAST as u64, Self::TRIMMED_MOST as u64),
    ];

    fn preset(name: &str) -> Option<Self> {
        (name == "uec").then(Self::uec)
    }

    fn provenance(_: &str) -> Vec<Provenance> {
        Self::uec_provenance()
    }
}

impl ParameterSet for UetLaw {
    const TABLE: &'static str = "hardware.uet_law";
    const SELECTOR: &'static str = "law";
    const PRESETS: &'static [&'static str] = &Self::NAMES;
    const LIMITS: &'static [KeyRange] = &UET_LAW_LIMITS;

    fn preset(name: &str) -> Option<Self> {
        Self::named(name)
    }

    fn provenance(name: &str) -> Vec<Provenance> {
        CongestionLaw::provenance(name)
    }

    /// The keys of both laws.
    fn keys(generator: &mut SchemaGenerator) -> Schema {
        let mut all = RcccParameters::json_schema(generator);
        add_keys(&mut all, &NsccParameters::json_schema(generator));
        all.insert(
            "description".to_owned(),
            "The law of third-party endpoints that speak Ultra Ethernet, beside NICs under another law.".into(),
        );
        all
    }
}

/// Adds the keys of another law to those of `all`.
fn add_keys(all: &mut Schema, other: &Schema) {
    let other = other.get("properties").and_then(|found| found.as_object()).cloned().unwrap_or_default();
    if let Some(properties) = all.get_mut("properties").and_then(|found| found.as_object_mut()) {
        properties.extend(other);
    }
}

impl ParameterSet for RoutingParameters {
    const TABLE: &'static str = "routing";
    const PRESETS: &'static [&'static str] = &["slingshot", "aries"];
    const LIMITS: &'static [KeyRange] = &[("minimal_candidates", 1, 4), ("nonminimal_candidates", 0, 3)];

    fn preset(name: &str) -> Option<Self> {
        match name {
            "slingshot" => Some(Self::slingshot()),
            "aries" => Some(Self::aries()),
            _ => None,
        }
    }

    fn provenance(name: &str) -> Vec<Provenance> {
        match name {
            "slingshot" => Self::slingshot_provenance(),
            "aries" => Self::aries_provenance(),
            _ => Vec::new(),
        }
    }
}

impl ParameterSet for CongestionLaw {
    const TABLE: &'static str = "congestion";
    const SELECTOR: &'static str = "law";
    const PRESETS: &'static [&'static str] = &Self::NAMES;
    const LIMITS: &'static [KeyRange] = &ALL_LAW_LIMITS;

    fn preset(name: &str) -> Option<Self> {
        Self::named(name)
    }

    fn provenance(name: &str) -> Vec<Provenance> {
        match name {
            "slingshot" => SlingshotParameters::rosetta_provenance(),
            "aries" => AriesParameters::aries_provenance(),
            "ecn" => EcnParameters::dcqcn_provenance(),
            "pfc" => PfcParameters::pfc_provenance(),
            "nscc" => NsccParameters::uec_provenance(),
            "rccc" => RcccParameters::uec_provenance(),
            _ => Vec::new(),
        }
    }

    /// The keys of all laws: the valid ones depend on the law, which may be the system's.
    fn keys(generator: &mut SchemaGenerator) -> Schema {
        let mut all = SlingshotParameters::json_schema(generator);
        for other in [
            AriesParameters::json_schema(generator),
            EcnParameters::json_schema(generator),
            RcccParameters::json_schema(generator),
            NsccParameters::json_schema(generator),
        ] {
            add_keys(&mut all, &other);
        }
        all
    }
}

impl ParameterSet for LinkParameters {
    const TABLE: &'static str = "link";
    const PRESETS: &'static [&'static str] = &["slingshot"];
    const LIMITS: &'static [KeyRange] = &[
        ("lanes", 1, 8),
        ("bit_errors_per_10_to", 1, 18),
        ("burst_bits", 1, 65_536),
        ("replay_entries", 1, 2_048),
        ("replay_timer_ns", 1, MOST),
        ("flap_lanes", 1, 8),
    ];

    fn preset(name: &str) -> Option<Self> {
        (name == "slingshot").then(Self::slingshot)
    }

    fn provenance(name: &str) -> Vec<Provenance> {
        if name == "slingshot" { Self::slingshot_provenance() } else { Vec::new() }
    }
}

impl ParameterSet for RetryParameters {
    const TABLE: &'static str = "retry";
    const PRESETS: &'static [&'static str] = &["cassini"];
    const LIMITS: &'static [KeyRange] = &[("packet_timeout_ns", 1, i64::MAX as u64 / 1_000)];

    fn preset(name: &str) -> Option<Self> {
        (name == "cassini").then(Self::cassini)
    }

    fn provenance(name: &str) -> Vec<Provenance> {
        if name == "cassini" { Self::cassini_retry_provenance() } else { Vec::new() }
    }
}

impl ParameterSet for CollectiveParameters {
    const TABLE: &'static str = "collectives";
    const PRESETS: &'static [&'static str] = &["slingshot"];
    const LIMITS: &'static [KeyRange] = &[
        ("timeout_us", 1, MOST),
        ("retry_us", 1, MOST),
        ("engines_per_port", 1, 255),
        ("reductions_per_tree", 1, 8),
        ("header_bytes", 0, 1_024),
    ];

    fn preset(name: &str) -> Option<Self> {
        (name == "slingshot").then(Self::slingshot)
    }

    fn provenance(name: &str) -> Vec<Provenance> {
        if name == "slingshot" { Self::slingshot_collective_provenance() } else { Vec::new() }
    }
}

/// A preset of `T` by name (absent: what the system names), and values that differ from it.
pub struct Preset<T> {
    name: Option<String>,
    values: toml::Table,
    kind: PhantomData<fn() -> T>,
}

impl<T> Default for Preset<T> {
    fn default() -> Self {
        Self { name: None, values: toml::Table::new(), kind: PhantomData }
    }
}

impl<T> Clone for Preset<T> {
    fn clone(&self) -> Self {
        Self { name: self.name.clone(), values: self.values.clone(), kind: PhantomData }
    }
}

impl<T> PartialEq for Preset<T> {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name && self.values == other.values
    }
}

impl<T> fmt::Debug for Preset<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Part").field("name", &self.name).field("values", &self.values).finish()
    }
}

impl<T: ParameterSet> Preset<T> {
    /// The same, with the preset (or law) of this name. Values that were set stay.
    #[must_use]
    pub fn preset(mut self, name: impl Into<String>) -> Self {
        self.name = Some(name.into());
        self
    }

    /// The same, with one value that differs from the preset. See [`set`](Self::set).
    #[must_use]
    pub fn with(mut self, key: impl Into<String>, value: impl Into<toml::Value>) -> Self {
        self.set(key, value);
        self
    }

    /// Sets one value that differs from the preset. Keys and types are checked when the scenario is
    /// resolved.
    pub fn set(&mut self, key: impl Into<String>, value: impl Into<toml::Value>) {
        self.values.insert(key.into(), value.into());
    }

    /// The same on a system that has values of its own: those that are set here win, and another
    /// preset replaces them all.
    pub(crate) fn over(&self, system: &Self) -> Self {
        if self.name.is_some() && self.name != system.name {
            return self.clone();
        }
        let mut values = system.values.clone();
        values.extend(self.values.clone());
        Self { name: system.name.clone(), values, kind: PhantomData }
    }

    /// The requested preset.
    #[must_use]
    pub fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    /// The values that were set.
    pub(crate) fn values(&self) -> impl Iterator<Item = (&String, &toml::Value)> {
        self.values.iter()
    }

    /// One value that was set.
    #[must_use]
    pub fn value(&self, key: &str) -> Option<&toml::Value> {
        self.values.get(key)
    }

    /// Every value of `parameters`, which are a variation of the preset `name`.
    ///
    /// # Panics
    /// Never: parameter sets are tables.
    #[must_use]
    pub fn exactly(name: impl Into<String>, parameters: &T) -> Self {
        let mut values = to_table(parameters);
        values.remove(T::SELECTOR);
        Self { name: Some(name.into()), values, kind: PhantomData }
    }

    /// The preset's name and its values, with those of this part replaced.
    pub(crate) fn resolve(&self, default: &str) -> Result<(String, T), ScenarioError> {
        self.resolve_with(default, |_, _| {})
    }

    /// The same, on a preset that `adapt` may change first.
    pub(crate) fn resolve_with(
        &self,
        default: &str,
        adapt: impl FnOnce(&str, &mut T),
    ) -> Result<(String, T), ScenarioError> {
        let name = self.name.as_deref().unwrap_or(default);
        let Some(mut preset) = T::preset(name) else {
            // If the scenario gives no name, it is the system's.
            let place = match &self.name {
                Some(_) => format!("{}.{}", T::TABLE, T::SELECTOR),
                None => format!("system.{}", T::TABLE.rsplit('.').next().unwrap_or(T::TABLE)),
            };
            return Err(ScenarioError::UnknownName {
                place: KeyLocation::of(place),
                found: name.to_owned(),
                known: T::PRESETS.iter().map(|&name| name.to_owned()).collect(),
            });
        };
        adapt(name, &mut preset);
        let mut table = to_table(&preset);
        for (key, value) in &self.values {
            if key == T::SELECTOR || !table.contains_key(key) {
                let known = table.keys().filter(|key| *key != T::SELECTOR).cloned();
                let known: Vec<String> = std::iter::once(T::SELECTOR.to_owned()).chain(known).collect();
                return Err(ScenarioError::UnknownKey {
                    key: key.clone(),
                    table: self.table_name(name),
                    line: None,
                    hint: Self::hint(key, &known),
                    known,
                });
            }
            check_limits::<T>(key, value)?;
            table.insert(key.clone(), value.clone());
        }
        let read = table.try_into().map_err(|error: toml::de::Error| {
            let place = KeyLocation::of(T::TABLE);
            ScenarioError::Unreadable { place, message: philae_units::plain(error.message()) }
        })?;
        Ok((name.to_owned(), read))
    }

    /// The presets that have a key, or the known key that is most like it.
    fn hint(key: &str, known: &[String]) -> String {
        let has = |name: &&&str| T::preset(name).is_some_and(|preset| to_table(&preset).contains_key(key));
        let with: Vec<String> = T::PRESETS.iter().filter(has).map(|name| format!("\"{name}\"")).collect();
        if with.is_empty() {
            return suggestion(key, known);
        }
        format!("; it is a key with {} = {};", T::SELECTOR, with.join(", "))
    }

    fn table_name(&self, name: &str) -> String {
        if T::SELECTOR == "preset" { format!("[{}]", T::TABLE) } else { format!("[{}] of the law {name}", T::TABLE) }
    }
}

/// The ranges of a key, the lower one first; none if every value of its type makes sense.
fn ranges<T: ParameterSet>(key: &str) -> Vec<(u64, u64)> {
    T::LIMITS.iter().filter(|(limited, _, _)| *limited == key).map(|(_, least, most)| (*least, *most)).collect()
}

fn check_limits<T: ParameterSet>(key: &str, value: &toml::Value) -> Result<(), ScenarioError> {
    let (ranges, Some(number)) = (ranges::<T>(key), value.as_integer().map(i128::from)) else { return Ok(()) };
    if ranges.is_empty()
        || ranges.iter().any(|(least, most)| (i128::from(*least)..=i128::from(*most)).contains(&number))
    {
        return Ok(());
    }
    let range = |(least, most): &(u64, u64)| {
        if least == most { least.to_string() } else { format!("a whole number from {least} to {most}") }
    };
    Err(ScenarioError::Value {
        place: KeyLocation::of(format!("{}.{key}", T::TABLE)),
        found: number.to_string(),
        works: format!("{} would work", ranges.iter().map(range).collect::<Vec<_>>().join(" or ")),
    })
}

fn to_table(parameters: &dyn erased_serde::Serialize) -> toml::Table {
    toml::Table::try_from(parameters).expect("parameter sets are flat tables of numbers, words and flags")
}

impl<T: ParameterSet> Serialize for Preset<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let name = self.name.iter().map(|name| (T::SELECTOR, toml::Value::from(name.clone())));
        let values = self.values.iter().map(|(key, value)| (key.as_str(), value.clone()));
        serializer.collect_map(name.chain(values))
    }
}

impl<'de, T: ParameterSet> Deserialize<'de> for Preset<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut values = toml::Table::deserialize(deserializer)?;
        let name = match values.remove(T::SELECTOR) {
            None => None,
            Some(toml::Value::String(name)) => Some(name),
            Some(other) => {
                let message = format!("`{}` is {other}; a name in quotes would work", T::SELECTOR);
                return Err(serde::de::Error::custom(message));
            }
        };
        Ok(Self { name, values, kind: PhantomData })
    }
}

impl<T: ParameterSet> JsonSchema for Preset<T> {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        format!("{} section", T::TABLE).into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let mut schema = T::keys(generator);
        schema.remove("required");
        let Some(properties) = schema.get_mut("properties").and_then(|found| found.as_object_mut()) else {
            return schema;
        };
        for (key, property) in properties.iter_mut() {
            let ranges = ranges::<T>(key);
            let (Some(limited), Some(first), Some(last)) = (property.as_object_mut(), ranges.first(), ranges.last())
            else {
                continue;
            };
            limited.insert("minimum".to_owned(), first.0.into());
            limited.insert("maximum".to_owned(), last.1.into());
            if let [lower, upper] = ranges[..] {
                let between = serde_json::json!({ "minimum": lower.1 + 1, "maximum": upper.0 - 1 });
                limited.insert("not".to_owned(), between);
            }
        }
        // The defaults depend on the preset, so a fixed one would mislead an editor.
        for property in properties.values_mut().filter_map(|found| found.as_object_mut()) {
            property.remove("default");
        }
        properties.insert(
            T::SELECTOR.to_owned(),
            serde_json::json!({ "description": "Source of the values that are not given.", "enum": T::PRESETS }),
        );
        schema
    }
}
