//! Resolves a scenario into all data that a run needs.

use crate::error::{KeyLocation, ScenarioError};
use crate::job::JobSection;
use crate::part::{ParameterSet, Preset};
use crate::routes::RoutesSection;
use crate::system::{System, SystemChoice};
use crate::system_hardware::SystemHardware;
use crate::trace::input_warnings;
use crate::tree::{Hardware, Measure, RunTree, Scenario};
use crate::uet_hardware;
use philae_congestion::{AriesMode, CongestionLaw, UetLaw};
use philae_engine::RandomStream;
use philae_fabric::{
    CapturePoint, ExecutionOptions, FabricConfig, HostLaws, Job, RankPlace, RecordOptions, Resilience, RunOptions,
    Simulation,
};
use philae_fluid::FluidError;
use philae_nic_model::{
    EthernetParameters, HostJitter, HostParameters, NicParameters, NodeParameters, TcpParameters, UetParameters,
};
use philae_packet_engine::PacketEngine;
use philae_path::{RoutingMode, RoutingParameters};
use philae_results::RunDescription;
use philae_route_tables::RoutePlan;
use philae_switch::port::SwitchParameters;
use philae_traffic_class::{ClassSet, PROFILES, TrafficClass, profile};
use philae_units::{ClassId, NodeId, Picoseconds, PortIndex, RankId};
use philae_workload::{JobSpec, RankProgram, Span, Workload, WorkloadSpec, place};
use std::collections::BTreeSet;
use std::sync::Arc;

/// The one traffic class of a scenario without classes.
pub const DEFAULT_CLASS: &str = "best-effort";

/// The preset of collectives in the switches.
const COLLECTIVES: &str = "slingshot";

/// The law of jitter, if a scenario has jitter and names none.
const JITTER: &str = "exponential";

/// The preset of TCP connections with windows.
const TCP: &str = "linux";

/// Seeds of the jobs' random choices.
const JOB_SEED: u64 = u64::from_be_bytes(*b"sc-job--");

/// The longest time in a scenario: sums of several such times fit into 64 bits of picoseconds.
const SPAN_MAX: Span = Span::micros(1_000_000_000_000);

/// All data that a run needs. The same scenario gives the same resolved scenario.
#[derive(Clone, Debug)]
pub struct ResolvedScenario {
    /// The name of results.
    pub name: String,
    /// The scenario with every default filled in and the system described in place.
    pub scenario: Scenario,
    /// The system.
    pub system: System,
    /// Forwarding tables; absent if switches use the topology's own routes.
    pub routes: Option<Arc<RoutePlan>>,
    /// The hardware and its laws.
    pub config: FabricConfig,
    /// The options of the run.
    pub options: RunOptions,
    /// The jobs, each with its nodes.
    pub jobs: Vec<PlacedJob>,
    /// Capture points, in the order of the scenario's captures, which name their files.
    pub captures: Vec<CapturePoint>,
    /// Ports that the timeline shows in addition to the busiest ones.
    pub timeline_ports: Vec<PortIndex>,
    /// Statements of the scenario's files that the run does not follow, one sentence each.
    pub warnings: Vec<String>,
}

impl ResolvedScenario {
    /// Whether a job leaves collective operations to the switches.
    #[must_use]
    pub fn offloads(&self) -> bool {
        self.jobs.iter().any(|job| job.section.workload.offloads(job.places.len() as u32))
    }
}

/// A job with its nodes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlacedJob {
    /// The request.
    pub section: JobSection,
    /// Its nodes, in placement order.
    pub nodes: Vec<NodeId>,
    /// Node and NIC of each rank.
    pub places: Vec<RankPlace>,
    /// Its traffic class.
    pub class: ClassId,
    /// Virtual network of its messages.
    pub vni: u16,
    /// Whether it ends by itself; the run ends when all such jobs have.
    pub ends: bool,
    /// Whether its messages are kept as rows.
    pub record_messages: bool,
    /// Seed of its random choices.
    pub seed: u64,
}

impl Scenario {
    /// Fills in every default and checks everything that can be checked without running.
    ///
    /// # Errors
    /// [`ScenarioError`], with what was asked, what was found and what would work.
    pub fn resolve(&self) -> Result<ResolvedScenario, ScenarioError> {
        self.resolve_on(&System::build(self.system.describe()?)?)
    }

    /// The same, on a system that is built already: [`system`](Self::system) of the scenario is not
    /// read.
    ///
    /// # Errors
    /// As [`resolve`](Self::resolve), except those of the system.
    pub fn resolve_on(&self, system: &System) -> Result<ResolvedScenario, ScenarioError> {
        if let Some(read) = self.with_traces()? {
            return read.resolve_on(system);
        }
        self.check_run()?;
        if let Some(explain) = &self.explain {
            explain.check(&self.jobs)?;
        }
        let description = system.description.as_ref();
        let (hardware, mut config) = self.resolve_hardware(system)?;
        let routes = self.routes.as_ref().map(|routes| routes.read(&system.topology)).transpose()?;
        let pinned = self
            .routes
            .as_ref()
            .zip(routes.as_ref())
            .map(|(section, routes)| RoutesSection { checksum: Some(routes.checksum.clone()), ..section.clone() });
        let resilience = self.resolve_resilience(&system.topology)?;
        config.resilience = resilience.resilience;
        if system.topology.endpoint_count() == 0 && !self.jobs.is_empty() {
            return Err(ScenarioError::NoEndpoints { system: description.name.clone() });
        }
        let jobs = self.place_jobs(system, &config.classes)?;
        if self.run.time_limit.is_none() && !jobs.iter().any(|job| job.ends) {
            return Err(ScenarioError::Endless);
        }
        let name = self.name.clone().unwrap_or_else(|| default_name(&description.name, &self.jobs));
        let scenario = Scenario {
            name: Some(name.clone()),
            seed: self.seed,
            allocation: self.allocation,
            system: SystemChoice::Inline(Box::new(description.clone())),
            hardware: hardware.0,
            routing: hardware.1,
            routes: pinned,
            congestion: hardware.2,
            class_profile: None,
            classes: config.classes.classes().to_vec(),
            link: resilience.link,
            retry: resilience.retry,
            collectives: Preset::exactly(COLLECTIVES, &config.collectives),
            faults: self.faults,
            fault_list: self.fault_list.clone(),
            fault_laws: self.fault_laws.clone(),
            packet_engine: self.packet_engine.as_ref().map(PacketEngine::resolved),
            run: self.run.clone(),
            measure: Measure {
                messages: Some(
                    jobs.iter().filter(|job| job.record_messages).map(|job| job.section.name.clone()).collect(),
                ),
                ..self.measure.clone()
            },
            telemetry: self.telemetry.clone(),
            captures: self.captures.clone(),
            explain: self.explain.clone(),
            timeline: self.timeline.clone(),
            jobs: jobs.iter().map(|job| job.section.clone()).collect(),
        };
        let timeline = self.timeline.as_ref();
        let timeline_ports = timeline.map(|timeline| timeline.resolve(&self.jobs, &system.topology)).transpose()?;
        let captures = self.captures.iter().enumerate();
        let captures: Result<_, _> =
            captures.map(|(index, capture)| capture.resolve(index, &system.topology)).collect();
        let mut warnings = input_warnings(&system.description, &jobs);
        let preset = scenario.hardware.switch.name().and_then(SwitchParameters::preset);
        let wide = description.wide_switches(|key| match (key, &preset) {
            ("latency_ns", Some(preset)) => config.switch.latency_ns != preset.latency_ns,
            ("buffer_shared_bytes", Some(preset)) => config.switch.buffer_shared_bytes != preset.buffer_shared_bytes,
            _ => preset.is_none(),
        });
        let wide = wide.filter(|wide| !description.warnings.contains(wide));
        warnings.extend(wide.map(|wide| format!("system {}: {wide}", description.name)));
        warnings.extend(other_node(&scenario.hardware));
        warnings.extend(self.jobs_after_the_end(&jobs));
        warnings.extend(config.congestion.marks_late());
        let options = RunOptions {
            seed: self.seed,
            time_limit: self.run.time_limit.map_or(Picoseconds::MAX, |limit| limit.0),
            warm_up: self.run.warm_up.0,
            start_skew: self.run.start_skew.0,
            execution: ExecutionOptions {
                partitions: self.run.partitions,
                threads: self.run.threads,
                ..ExecutionOptions::default()
            },
            records: RecordOptions {
                sample_interval: self.measure.sample_interval.0,
                flows: self.measure.flows,
                message_rows_max: usize::try_from(self.measure.message_rows_max).unwrap_or(usize::MAX),
                telemetry_every: self.telemetry.sample_every,
                telemetry_packets_max: self.telemetry.packets_max,
                class_counters: self.telemetry.class_counters,
                activities: timeline.map(|timeline| timeline.activities(&jobs)),
            },
        };
        Ok(ResolvedScenario {
            name,
            scenario,
            system: system.clone(),
            routes: routes.map(|routes| Arc::new(routes.plan)),
            config,
            options,
            jobs,
            captures: captures?,
            timeline_ports: timeline_ports.unwrap_or_default(),
            warnings,
        })
    }

    fn resolve_hardware(&self, system: &System) -> Result<(ResolvedParts, FabricConfig), ScenarioError> {
        let description = system.description.as_ref();
        let (hardware, law) = SystemHardware::of(description)?.beneath(&self.hardware, &self.congestion);
        let (switch_name, switch) = hardware.switch.resolve(&description.switch)?;
        let (nic_name, nic) = hardware.nic.resolve(&description.nic)?;
        let ethernet = resolve_ethernet(system, hardware.ethernet.as_ref())?;
        let (host_name, host) = hardware.host.resolve(&format!("{nic_name}-mpi"))?;
        let (node_name, node) = hardware.node.resolve(Preset::behind(&nic_name))?;
        let jitter = hardware.jitter.as_ref().map(|jitter| jitter.resolve(JITTER)).transpose()?;
        let tcp = hardware.tcp.as_ref().map(|tcp| tcp.resolve(TCP)).transpose()?;
        let (law_name, congestion) = law.resolve(&description.congestion)?;
        let is_beside = ethernet.as_ref().is_some_and(|(_, found)| found.is_uet());
        let (uet, uet_law) =
            uet_hardware::transport(hardware.uet.as_ref(), hardware.uet_law.as_ref(), &congestion, is_beside)?;
        // A law changes the law alone. Aries' adaptive modes are a part of its routing.
        let routing_default = if switch_name == "aries" { "aries" } else { "slingshot" };
        let (routing_name, mut routing) = self.routing.resolve_with(routing_default, |name, routing| {
            if let ("aries", CongestionLaw::Aries(law)) = (name, &congestion) {
                aries_routing(law.mode, routing);
            }
        })?;
        if let CongestionLaw::Aries(aries) = &congestion
            && aries.mode != AriesMode::Adaptive0
            && routing_name != "aries"
        {
            let mode = law.value("mode").map_or_else(String::new, ToString::to_string);
            return Err(ScenarioError::Value {
                place: KeyLocation::of("congestion.mode"),
                found: format!("{mode} with the routing preset \"{routing_name}\", which has no such modes"),
                works: "routing.preset = \"aries\", or no mode, would work".to_owned(),
            });
        }
        one_candidate(&self.routing, &mut routing)?;
        let classes = self.class_set(usize::from(switch.classes_max))?;
        let packet_engine = self.packet_engine.as_ref().map(PacketEngine::program).transpose()?;
        if let Some(program) = &packet_engine {
            program.compile(&classes.names())?;
        }
        let parts = (
            Hardware {
                switch: Preset::<SwitchParameters>::exactly(switch_name, &switch),
                nic: Preset::<NicParameters>::exactly(nic_name, &nic),
                ethernet: ethernet.as_ref().map(|(name, found)| Preset::<EthernetParameters>::exactly(name, found)),
                host: Preset::<HostParameters>::exactly(host_name, &host),
                node: Preset::<NodeParameters>::exactly(node_name, &node),
                jitter: jitter.as_ref().map(|(name, found)| Preset::<HostJitter>::exactly(name, found)),
                tcp: tcp.as_ref().map(|(name, found)| Preset::<TcpParameters>::exactly(name, found)),
                uet: uet.as_ref().map(|found| Preset::<UetParameters>::exactly(UetParameters::PRESETS[0], found)),
                uet_law: uet_law.as_ref().map(|found| Preset::<UetLaw>::exactly(found.name(), found)),
            },
            Preset::<RoutingParameters>::exactly(routing_name, &routing),
            Preset::<CongestionLaw>::exactly(law_name, &congestion),
        );
        let resilience = Resilience::default();
        let (_, collectives) = self.collectives.resolve(COLLECTIVES)?;
        let config = FabricConfig {
            switch,
            nic,
            ethernet: ethernet.into_iter().map(|(_, found)| found).collect(),
            host,
            routing,
            congestion,
            classes,
            resilience,
            collectives,
            packet_engine,
            node: (node != NodeParameters::none()).then_some(node),
            laws: HostLaws {
                jitter: jitter.map(|(_, found)| found),
                tcp: tcp.map(|(_, found)| found),
                uet: uet.unwrap_or_default(),
                uet_law: uet_law.unwrap_or_default(),
            },
        };
        Ok((parts, config))
    }

    /// Checks that the hardware of this scenario can serve the system.
    pub(crate) fn check_hardware(&self, system: &System) -> Result<(), ScenarioError> {
        let (_, config) = self.resolve_hardware(system)?;
        Ok(philae_fabric::check_hardware(&system.topology, &config)?)
    }

    /// Checks times, counts and the seed beyond their types.
    fn check_run(&self) -> Result<(), ScenarioError> {
        let value = |key: &str, found: String, works: &str| {
            Err(ScenarioError::Value { place: KeyLocation::of(key), found, works: works.to_owned() })
        };
        if i64::try_from(self.seed).is_err() {
            return value("seed", self.seed.to_string(), "0 to 9223372036854775807 would work");
        }
        let RunTree { time_limit, warm_up, start_skew, partitions, threads } = &self.run;
        if !(1..=u32::from(u16::MAX)).contains(partitions) {
            return value("run.partitions", partitions.to_string(), "1 to 65535 would work");
        }
        if !(1..=1_024).contains(threads) {
            return value("run.threads", threads.to_string(), "1 to 1024 would work");
        }
        let mut spans = vec![
            ("run.warm_up".to_owned(), *warm_up),
            ("run.start_skew".to_owned(), *start_skew),
            ("measure.sample_interval".to_owned(), self.measure.sample_interval),
        ];
        spans.extend(time_limit.iter().map(|limit| ("run.time_limit".to_owned(), *limit)));
        spans.extend([
            ("faults.reroute".to_owned(), self.faults.reroute),
            ("faults.pause_guard".to_owned(), self.faults.pause_guard),
        ]);
        for (index, fault) in self.fault_list.iter().enumerate() {
            spans.push((format!("fault.{index}.at"), fault.at));
            spans.extend(fault.until.map(|until| (format!("fault.{index}.until"), until)));
        }
        for (index, law) in self.fault_laws.iter().enumerate() {
            spans.push((format!("fault_law.{index}.gap_mean"), law.gap_mean));
            spans.push((format!("fault_law.{index}.length_mean"), law.length_mean));
        }
        spans.extend(self.jobs.iter().enumerate().map(|(index, job)| (format!("job.{index}.start"), job.start)));
        for (key, span) in spans {
            if span > SPAN_MAX {
                return value(&key, span.to_string(), &format!("at most {SPAN_MAX} would work"));
            }
        }
        let interval = self.measure.sample_interval;
        // Rows have the number of their interval in 32 bits, and each may be a row of each port.
        let limit = time_limit.map_or(Picoseconds::ZERO, |limit| limit.0);
        let least = Picoseconds(limit.0.div_ceil(u64::from(u32::MAX))).max(Picoseconds::from_nanos(1));
        if (Picoseconds(1)..least).contains(&interval.0) {
            let works = format!("{} or more would work, or 0 for no time series", Span(least));
            return value("measure.sample_interval", interval.to_string(), &works);
        }
        if let Some(limit) = time_limit {
            if limit.0 == Picoseconds::ZERO {
                return value("run.time_limit", "0".to_owned(), "a time above 0, or no limit at all, would work");
            }
            if warm_up >= limit {
                let works = format!("a time below `run.time_limit` ({limit}) would work");
                return value("run.warm_up", warm_up.to_string(), &works);
            }
        }
        if self.measure.message_rows_max > i64::MAX as u64 {
            return value(
                "measure.message_rows_max",
                self.measure.message_rows_max.to_string(),
                "use a smaller number",
            );
        }
        Ok(())
    }

    /// The traffic classes: those listed, those of a profile, or one.
    fn class_set(&self, most: usize) -> Result<ClassSet, ScenarioError> {
        let classes = match (&self.class_profile, self.classes.is_empty()) {
            (None, true) => return Ok(ClassSet::single(DEFAULT_CLASS)),
            (None, false) => self.classes.clone(),
            (Some(name), true) => profile(name).ok_or_else(|| ScenarioError::UnknownName {
                place: KeyLocation::of("class_profile"),
                found: name.clone(),
                known: PROFILES.map(str::to_owned).to_vec(),
            })?,
            (Some(name), false) => {
                let works = "one of `class_profile` and [[class]] would work".to_owned();
                return Err(ScenarioError::Value {
                    place: KeyLocation::of("class_profile"),
                    found: name.clone(),
                    works,
                });
            }
        };
        let names: Vec<String> = classes.iter().map(|class| class.name.clone()).collect();
        unique("class", &names)?;
        check_collectives(&classes)?;
        Ok(ClassSet::new(classes, most)?)
    }

    fn place_jobs(&self, system: &System, classes: &ClassSet) -> Result<Vec<PlacedJob>, ScenarioError> {
        let topology = &system.topology;
        let names: Vec<String> = self.jobs.iter().map(|job| job.name.clone()).collect();
        unique("job", &names)?;
        if self.jobs.len() > usize::from(u16::MAX) {
            let (found, works) = (format!("a list of {} jobs", self.jobs.len()), "at most 65535 would work".to_owned());
            return Err(ScenarioError::Value { place: KeyLocation::of("job"), found, works });
        }
        let recorded = self.recorded_jobs(&names)?;
        let compute: Vec<NodeId> =
            (0..topology.node_count()).map(NodeId::from_index).filter(|&node| topology.is_compute(node)).collect();
        let specs: Vec<JobSpec> = self.jobs.iter().map(JobSection::spec).collect();
        let vnis = self.job_vnis()?;
        let placed = place(&specs, &compute, self.allocation, self.seed)?;
        let mut jobs = Vec::with_capacity(specs.len());
        let mut total = 0_u64;
        for (index, (section, nodes)) in self.jobs.iter().zip(placed).enumerate() {
            let ranks = nodes.len() as u64 * u64::from(section.processes_per_node);
            total += ranks;
            if total > RANKS_MAX {
                return Err(ScenarioError::Value {
                    place: KeyLocation::of_job(&section.name, "processes_per_node"),
                    found: format!("{}, which makes {total} ranks with those before", section.processes_per_node),
                    works: format!("a number with which all jobs have at most {RANKS_MAX} ranks would work"),
                });
            }
            let ranks = ranks as u32;
            let fits = section.workload.check(ranks);
            fits.map_err(|source| ScenarioError::Workload { job: section.name.clone(), source })?;
            let by_kind = |class: &TrafficClass| class.collectives.iter().any(|kind| kind == section.workload.kind());
            let class = match &section.class {
                None => classes.classes().iter().position(by_kind).unwrap_or(0),
                Some(asked) => classes.position(asked).ok_or_else(|| {
                    let place = KeyLocation::of_job(&section.name, "class");
                    ScenarioError::UnknownName { place, found: asked.clone(), known: classes.names() }
                })?,
            };
            let ends = section.workload.iterations().is_some();
            let class_name = Some(classes.classes()[class].name.clone());
            jobs.push(PlacedJob {
                places: rank_places(system, section, &nodes)?,
                nodes,
                class: ClassId::from_index(class),
                vni: vnis[index],
                ends,
                record_messages: recorded.as_ref().map_or(ends, |names| names.contains(section.name.as_str())),
                seed: RandomStream::new(self.seed, index as u64, JOB_SEED).next_u64(),
                section: JobSection {
                    class: class_name,
                    // Without a packet engine the VNI is not used, and the resolved scenario stays
                    // as it was.
                    vni: if self.packet_engine.is_some() { Some(vnis[index]) } else { section.vni },
                    ..section.clone()
                },
            });
        }
        Ok(jobs)
    }

    /// Virtual network of each job: its own, or the smallest number from 1 that no job names and no
    /// earlier job has.
    fn job_vnis(&self) -> Result<Vec<u16>, ScenarioError> {
        if let Some(job) = self.jobs.iter().find(|job| job.vni == Some(0)) {
            let place = KeyLocation::of_job(&job.name, "vni");
            return Err(ScenarioError::Value {
                place,
                found: "0".to_owned(),
                works: "1 to 65535 would work".to_owned(),
            });
        }
        let named: BTreeSet<u16> = self.jobs.iter().filter_map(|job| job.vni).collect();
        // There are at most 65535 jobs, so the numbers suffice.
        let mut free = (1..=u16::MAX).filter(|vni| !named.contains(vni));
        Ok(self.jobs.iter().map(|job| job.vni.unwrap_or_else(|| free.next().unwrap_or(u16::MAX))).collect())
    }

    fn recorded_jobs(&self, names: &[String]) -> Result<Option<BTreeSet<&str>>, ScenarioError> {
        let Some(asked) = &self.measure.messages else { return Ok(None) };
        let known: BTreeSet<&String> = names.iter().collect();
        for (index, job) in asked.iter().enumerate() {
            if !known.contains(job) {
                let place = KeyLocation::of(format!("measure.messages.{index}"));
                return Err(ScenarioError::UnknownName { place, found: job.clone(), known: names.to_vec() });
            }
        }
        Ok(Some(asked.iter().map(String::as_str).collect()))
    }
}

/// Maximum number of ranks of all jobs: tables write their numbers as signed 32-bit integers.
/// Source: ours. Status: derived.
const RANKS_MAX: u64 = i32::MAX as u64;

type ResolvedParts = (Hardware, Preset<RoutingParameters>, Preset<CongestionLaw>);

/// A warning, if the preset of the node is that of another NIC's: its bus has the other NIC's rate.
fn other_node(hardware: &Hardware) -> Option<String> {
    let (node, nic) = (hardware.node.name()?, hardware.nic.name()?);
    let system = NodeParameters::nic_of_system(node);
    let of = system.or_else(|| NicParameters::PRESETS.contains(&node).then_some(node))?;
    (of != nic).then(|| {
        let other = Preset::<NodeParameters>::behind(nic);
        format!(
            "hardware.node is \"{node}\", whose bus is that of the NIC \"{of}\", and hardware.nic is \"{nic}\": \
             \"{other}\" is the node of this NIC"
        )
    })
}

fn rank_places(system: &System, job: &JobSection, nodes: &[NodeId]) -> Result<Vec<RankPlace>, ScenarioError> {
    let count = nodes.len() as u32;
    let place = |rank: u32| {
        let rank = RankId(rank);
        let node = nodes[job.mapping.node_index(rank.0, count, job.processes_per_node) as usize];
        let nics = system.topology.endpoints_of(node).len() as u32;
        if nics == 0 {
            return Err(ScenarioError::Value {
                place: KeyLocation::of_job(&job.name, "nodes"),
                found: format!("a list with node {node}, a node without a NIC"),
                works: "nodes with at least one NIC would work".to_owned(),
            });
        }
        let nic = job.nic_of(rank, count, nics) as u8;
        Ok(RankPlace { node, nic })
    };
    (0..count * job.processes_per_node).map(place).collect()
}

/// Where the entropy of a packet chooses among shortest paths, it is the only candidate.
fn one_candidate(asked: &Preset<RoutingParameters>, routing: &mut RoutingParameters) -> Result<(), ScenarioError> {
    if routing.mode != RoutingMode::Ecmp {
        return Ok(());
    }
    for (key, wanted) in [("minimal_candidates", 1), ("nonminimal_candidates", 0)] {
        if let Some(found) = asked.value(key).filter(|value| value.as_integer() != Some(wanted)) {
            return Err(ScenarioError::Value {
                place: KeyLocation::of(format!("routing.{key}")),
                found: format!("{found} with routing.mode = \"ecmp\", where the entropy of a packet chooses"),
                works: format!("no such key, or {wanted}, would work"),
            });
        }
    }
    (routing.minimal_candidates, routing.nonminimal_candidates) = (1, 0);
    Ok(())
}

/// Sets the figures of adaptive routing for Aries' routing modes.
///
/// The bias of each mode is not published. Published is only that `ADAPTIVE_0` has none, that
/// `ADAPTIVE_1` has one that grows as the packet nears its target (one figure for all hops here),
/// and that `ADAPTIVE_2` and `ADAPTIVE_3` prefer minimal paths weakly and strongly. `IN_ORDER` uses
/// only minimal paths. Source: Cray XC documentation of `MPICH_GNI_ROUTING_MODE`, for the order of
/// the modes. Status: assumed; a published bias would replace these per cents, and
/// `routing.nonminimal_bias_percent` sets another.
fn aries_routing(mode: AriesMode, routing: &mut RoutingParameters) {
    match mode {
        AriesMode::Adaptive0 => routing.nonminimal_bias_percent = 0,
        AriesMode::Adaptive1 => routing.nonminimal_bias_percent = 50,
        AriesMode::Adaptive2 => routing.nonminimal_bias_percent = 100,
        AriesMode::Adaptive3 => routing.nonminimal_bias_percent = 300,
        AriesMode::InOrder => routing.mode = RoutingMode::Minimal,
    }
}

/// Checks kinds of workload in classes: each exists, and only one class names it.
fn check_collectives(classes: &[TrafficClass]) -> Result<(), ScenarioError> {
    let mut taken = BTreeSet::new();
    for (index, class) in classes.iter().enumerate() {
        for kind in &class.collectives {
            let place = KeyLocation::of(format!("class.{index}.collectives"));
            if !WorkloadSpec::KINDS.contains(&kind.as_str()) {
                let known = WorkloadSpec::KINDS.iter().map(|&kind| kind.to_owned()).collect();
                return Err(ScenarioError::UnknownName { place, found: kind.clone(), known });
            }
            if !taken.insert(kind) {
                let works = "another class has it too; one class for each kind would work".to_owned();
                return Err(ScenarioError::Value { place, found: format!("\"{kind}\""), works });
            }
        }
    }
    Ok(())
}

fn default_name(system: &str, jobs: &[JobSection]) -> String {
    let jobs: Vec<&str> = jobs.iter().map(|job| job.name.as_str()).collect();
    format!("{} on {system}", jobs.join(" and "))
}

fn unique(what: &str, names: &[String]) -> Result<(), ScenarioError> {
    let mut known = BTreeSet::new();
    for (index, name) in names.iter().enumerate() {
        let place = || KeyLocation::of(format!("{what}.{index}.name"));
        if name.is_empty() {
            let works = "a name of at least one letter would work".to_owned();
            return Err(ScenarioError::Value { place: place(), found: "empty".to_owned(), works });
        }
        if !known.insert(name) {
            let (found, works) =
                (format!("\"{name}\""), format!("another {what} has that name; a different name for each would work"));
            return Err(ScenarioError::Value { place: place(), found, works });
        }
    }
    Ok(())
}

impl ResolvedScenario {
    /// Checks that the hardware can serve the system: the refusals of
    /// [`simulation`](Self::simulation) that do not depend on the jobs, without the memory of a
    /// run.
    ///
    /// # Errors
    /// [`ScenarioError::Fabric`].
    pub fn check_hardware(&self) -> Result<(), ScenarioError> {
        Ok(philae_fabric::check_hardware(&self.system.topology, &self.config)?)
    }

    /// Builds a run, with fresh programs. May be called repeatedly.
    ///
    /// # Errors
    /// [`ScenarioError::Fabric`] when the hardware cannot serve the topology or the jobs.
    pub fn simulation(&self) -> Result<Simulation, ScenarioError> {
        self.simulation_with(None)
    }

    /// The same, with the processes that are the ranks of the job of this number.
    ///
    /// # Errors
    /// As [`simulation`](Self::simulation).
    ///
    /// # Panics
    /// If that job has another number of ranks.
    pub fn simulation_with(
        &self,
        mut processes: Option<(usize, Vec<Box<dyn RankProgram>>)>,
    ) -> Result<Simulation, ScenarioError> {
        let topology = Arc::clone(&self.system.topology);
        let mut build = |(number, job): (usize, &PlacedJob)| match processes.take_if(|(of, _)| *of == number) {
            Some((_, programs)) => job.build_with(programs),
            None => job.build(),
        };
        let jobs = self.jobs.iter().enumerate().map(&mut build).collect();
        let (config, options) = (self.config.clone(), self.options.clone());
        Ok(match &self.routes {
            None => Simulation::new(topology, config, options, jobs)?,
            Some(plan) => Simulation::by_tables(topology, config, options, jobs, plan.as_ref().clone())?,
        })
    }

    /// The same run in rates instead of packets.
    ///
    /// # Errors
    /// [`ScenarioError::Fluid`] if rates cannot represent the scenario, or the jobs cannot run.
    pub fn fluid(&self) -> Result<philae_fluid::FluidSimulation, ScenarioError> {
        let works = "a run in packets (without --fluid)";
        let refused = |what, found: String| Err(ScenarioError::Fluid(FluidError::Refused { what, found, works }));
        if self.routes.is_some() {
            return refused("routes from a file", "the scenario has them".to_owned());
        }
        if let Some(jitter) = &self.config.laws.jitter {
            return refused("jitter of hosts", format!("hardware.jitter.law = \"{}\"", jitter.name()));
        }
        if self.config.laws.tcp.is_some() {
            return refused("windows of TCP connections", "a table hardware.tcp".to_owned());
        }
        if !self.captures.is_empty() {
            return refused("captures", format!("{} of them", self.captures.len()));
        }
        if self.scenario.explain.is_some() {
            return refused("explained messages", "the scenario requests them".to_owned());
        }
        let jobs = self.jobs.iter().map(PlacedJob::build).collect();
        let topology = Arc::clone(&self.system.topology);
        Ok(philae_fluid::FluidSimulation::new(topology, self.config.clone(), self.options.clone(), jobs)?)
    }

    /// The whole scenario, every default filled in: running it again gives the same digest.
    ///
    /// # Panics
    /// Never: TOML can express every scenario.
    #[must_use]
    pub fn to_toml(&self) -> String {
        self.scenario.to_toml()
    }

    /// The same as JSON, for a manifest.
    ///
    /// # Panics
    /// Never: JSON can express every scenario.
    #[must_use]
    pub fn to_json(&self) -> serde_json::Value {
        self.scenario.to_json()
    }

    /// The information about the run in a result folder, in addition to its record.
    #[must_use]
    pub fn run_description(&self, version: &str, wall_seconds: f64) -> RunDescription {
        RunDescription {
            title: self.name.clone(),
            scenario: self.to_json(),
            scenario_toml: self.to_toml(),
            setup: self.setup(),
            seed: self.scenario.seed,
            version: version.to_owned(),
            wall_seconds,
            packet_hops_before: 0,
            notices: Vec::new(),
            warnings: self.warnings.clone(),
            assumptions: self.assumptions(),
        }
    }

    /// Ranks of all jobs that end by themselves.
    #[must_use]
    pub fn ending_ranks(&self) -> u64 {
        self.jobs.iter().filter(|job| job.ends).map(|job| job.places.len() as u64).sum()
    }
}

impl Scenario {
    /// A warning for each job that starts when the run is over: it would be missing in silence.
    fn jobs_after_the_end(&self, jobs: &[PlacedJob]) -> Vec<String> {
        let Some(limit) = self.run.time_limit else { return Vec::new() };
        let late = jobs.iter().map(|job| &job.section).filter(|job| job.start.0 >= limit.0);
        late.map(|job| {
            format!(
                "job {} starts at {}, and the run ends at {limit} (run.time_limit): none of it is simulated",
                job.name, job.start
            )
        })
        .collect()
    }
}

/// The properties of third-party endpoints, in systems that have them.
fn resolve_ethernet(
    system: &System,
    asked: Option<&Preset<EthernetParameters>>,
) -> Result<Option<(String, EthernetParameters)>, ScenarioError> {
    if system.topology.ethernet_ports().is_empty() {
        if asked.is_none() {
            return Ok(None);
        }
        let found = format!("given for system {}, which has no third-party endpoints", system.description.name);
        let works = "a system with [[ethernet]] would work".to_owned();
        return Err(ScenarioError::Value { place: KeyLocation::of("hardware.ethernet"), found, works });
    }
    asked.cloned().unwrap_or_default().resolve("ethernet").map(Some)
}

impl PlacedJob {
    fn build(&self) -> Job {
        let ranks = self.places.len() as u32;
        let workload = &self.section.workload;
        self.build_with((0..ranks).map(|rank| workload.program(RankId(rank), ranks, self.seed)).collect())
    }

    fn build_with(&self, programs: Vec<Box<dyn RankProgram>>) -> Job {
        assert_eq!(programs.len(), self.places.len(), "a program for each rank");
        Job {
            name: self.section.name.clone(),
            workload: self.section.workload.describe(),
            places: self.places.clone(),
            programs,
            start: self.section.start.0,
            class: self.class,
            vni: self.vni,
            iterations: self.section.workload.counted_iterations(),
            offered_gbps: self.section.workload.offered_gbps(),
            record_messages: self.record_messages,
        }
    }
}
