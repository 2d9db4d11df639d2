//! Builds the partitions of a run.

use std::collections::BTreeMap;
use std::sync::Arc;

use philae_congestion::{CongestionLaw, Gate};
use philae_engine::{RandomStream, Watchdog};
use philae_link_layer::LinkParameters;
use philae_nic_model::{BusTable, EdgeHold, HostJitter, NicParameters, ResponseScope};
use philae_path::{Router, RoutingMode};
use philae_route_tables::RoutePlan;
use philae_switch::port::ChannelPlan;
use philae_topology::{PortPeer, Topology};
use philae_traffic_class::{ClassSchedule, EntropyRouting, TrafficClass};
use philae_units::{EndpointId, Picoseconds, PortIndex};
use philae_workload::ProcessSupervisor;

use crate::model::collective::Trees;
use crate::model::config::{FabricConfig, Job, RunOptions};
use crate::model::edge::NicKinds;
use crate::model::error::FabricError;
use crate::model::event::{Event, EventTargets, START};
use crate::model::host::RankState;
use crate::model::matching::{self, RankEntries};
use crate::model::overlay::Overlay;
use crate::model::ports::port_slots;
use crate::model::resilience::{Fault, FaultKind, FaultTarget};
use crate::model::shared::{ClassPlan, ClassRule, Places, RankEntry, RunTraits, Shared, slingshot};
use crate::model::shares::SHARE_BYTES_MAX;
use crate::model::tcp;
use crate::model::uet;
use crate::observe::capture::CapturePoint;
use crate::observe::capture::collect::Capture;
use crate::observe::record::JobMeta;
use crate::partition::Partition;
use crate::run::audit::AuditSchedule;
use crate::run::checkpoint::Keeper;
use crate::run::driver::Meter;
use crate::run::processes::ProcessShare;
use crate::sched::deferred::unseen_ps;
use crate::sched::division::{PartRange, blocks, divide, may_be_divided, partitions_for};

/// Time without any movement, with packets in the fabric, after which the run has stalled. Held
/// flows wait for tens of microseconds and DCQCN's slowest rate sends a packet every 0.4 ms.
const STALL_MAX: Picoseconds = Picoseconds::from_micros(5_000);

/// A run, built and not yet started.
pub struct Simulation {
    pub(crate) partitions: Vec<Partition>,
    pub(crate) shared: Arc<Shared>,
    pub(crate) jobs: Vec<JobMeta>,
    pub(crate) lookahead: Picoseconds,
    pub(crate) capture: Option<Capture>,
    pub(crate) meter: Option<Box<dyn Meter + Send>>,
    pub(crate) keeper: Option<Box<dyn Keeper + Send>>,
    pub(crate) supervisor: Option<Box<dyn ProcessSupervisor>>,
    /// Whether this process or another has a keeper.
    pub(crate) is_kept: bool,
    /// Whether the reference scheduler orders the events.
    pub(crate) is_by_reference: bool,
    pub(crate) watchdog: Watchdog,
    pub(crate) audits: AuditSchedule,
}

impl Simulation {
    /// Builds a run of `jobs` on `topology`.
    ///
    /// # Errors
    /// [`FabricError`] if the hardware cannot serve the topology or the jobs cannot run on it.
    pub fn new(
        topology: Arc<Topology>,
        config: FabricConfig,
        options: RunOptions,
        jobs: Vec<Job>,
    ) -> Result<Self, FabricError> {
        let router = Router::new(cabled(&topology, &config), config.routing.clone())?;
        Self::with_router(router, config, options, jobs)
    }

    /// As [`new`](Self::new), with switches that forward by the tables of `plan`. Links that it
    /// calls dead are down from the beginning.
    ///
    /// # Errors
    /// As [`new`](Self::new); also if the tables do not fit the topology or are not sound, and if a
    /// job leaves collective operations to the switches.
    pub fn by_tables(
        topology: Arc<Topology>,
        config: FabricConfig,
        options: RunOptions,
        jobs: Vec<Job>,
        plan: RoutePlan,
    ) -> Result<Self, FabricError> {
        if let Some(job) = jobs.iter().find(|job| job.programs.iter().any(|program| program.offloads())) {
            let found = format!("set, and job {} leaves operations to the switches", job.name);
            let works = "an algorithm of software works with routes from a file: they have no trees";
            return Err(FabricError::Parameter { what: "routes", found, works });
        }
        let down = |port| Fault {
            start: Picoseconds::ZERO,
            until: None,
            target: FaultTarget::Link(port),
            kind: FaultKind::Down,
        };
        let mut config = config;
        config.resilience.faults.extend(plan.dead_links().map(down));
        // A port has 64 channels: one per leg and class.
        let legs_max = (64 / config.classes.len().max(1)).min(64) as u8;
        let router = Router::by_tables(cabled(&topology, &config), config.routing.clone(), plan, legs_max)?;
        Self::with_router(router, config, options, jobs)
    }

    /// The packet engine at the edge, if there is a program.
    #[must_use]
    pub fn overlay(&self) -> Option<&Overlay> {
        self.shared.overlay.as_ref()
    }

    /// As [`new`](Self::new), with the caller's router (tests bring one that deadlocks).
    pub(crate) fn with_router(
        router: Router,
        config: FabricConfig,
        options: RunOptions,
        jobs: Vec<Job>,
    ) -> Result<Self, FabricError> {
        let topology = Arc::clone(router.topology());
        let mut config = config;
        if let Some(link) = &config.resilience.link {
            config.switch.fec_ns = (link.fec.latency().0 / 1_000) as u32;
        }
        let (plan, kinds) = fitted(&router, &config)?;
        config.laws.tcp = config.laws.tcp.take().filter(|_| tcp::is_spoken(&config, &kinds));
        check_jobs(&options, &jobs)?;
        let share = options.execution.share;
        let workers = options.execution.threads.saturating_mul(share.count);
        let asked = match options.execution.partitions {
            1 => partitions_for(&topology, workers),
            more => more.max(workers),
        };
        let (partition_of_switch, ranges) = divide(&topology, asked);
        if ranges.len() < share.count as usize {
            return Err(FabricError::TooManyProcesses { asked: share.count, found: ranges.len() });
        }
        let targets = EventTargets { ports: topology.port_count() as u32, endpoints: topology.endpoint_count() as u32 };
        let (ranks, rank_base) = rank_table(&topology, &jobs, &partition_of_switch, ranges.len())?;
        let rules = class_rules(&config);
        let tracks_flows = config.congestion.gate() == Gate::Ingress
            || rules.iter().any(|rule| rule.ordered)
            || kinds.are_mixed() && kinds.forms().iter().any(|form| form.ordered);
        let schedule = ClassSchedule::new(&config.classes, u64::from(config.switch.class_window_ns) * 1_000);
        let host_schedule =
            ClassSchedule::new(&config.classes.on_host(), u64::from(config.switch.class_window_ns) * 1_000);
        let is_lossy = rules.iter().any(|rule| rule.queue_max_bytes.is_some());
        let overlay = Overlay::new(&topology, &config, &jobs)?;
        if overlay.is_some() && kinds.all().iter().any(|kind| kind.hold == EdgeHold::Credits) {
            let works = "true: the packet engine changes the sizes of packets, which credits of a NIC do not follow";
            return Err(FabricError::Parameter { what: "hardware.nic.edge_pause", found: "false".to_owned(), works });
        }
        let is_unheld = kinds.all().iter().any(|kind| kind.hold == EdgeHold::Nothing);
        let is_uet = config.congestion.is_ultra_ethernet();
        let is_reliable = config.resilience.has_link_layer() || is_lossy || is_unheld || overlay.is_some() || is_uet;
        let of_uet = uet::traits(&router, &config, &kinds);
        let keeps_packets = is_reliable || kinds.uet().is_some();
        let has_processes = check_processes(share, &jobs)?;
        let limits_entries = matching::is_limited(&config)?;
        tcp::check(&config, &kinds, &topology, is_reliable)?;
        uet::check(&config, &kinds, &topology)?;
        if !is_uet {
            uet::check_jobs(&config, &kinds.uet_endpoints(&topology), (&jobs, &ranks))?;
        }
        // Lanes fail, kinds of NIC count other bytes, and the packet engine changes the sizes of
        // packets.
        let may_differ = config.resilience.has_link_layer() || kinds.are_mixed() || overlay.is_some();
        let trees = Trees::new(&router, &config, &jobs, &ranks)?;
        let may_defer = !keeps_packets && trees.is_none() && !config.congestion.pauses_links();
        let shared = Arc::new(Shared {
            places: Places {
                targets,
                port_slots: port_slots(&topology, &partition_of_switch).into(),
                partition_of_switch,
                ranks,
                rank_base,
                gateways: crate::model::fabric_gateway::FabricGateways::of(&topology),
            },
            classes: ClassPlan {
                plan,
                rules,
                schedule: (!schedule.is_trivial()).then_some(schedule),
                host_schedule: (!host_schedule.is_trivial()).then_some(host_schedule),
                job_class: jobs.iter().map(|job| job.class.0).collect(),
            },
            traits: RunTraits {
                tracks_flows,
                moves_flows: slingshot(&config.congestion).is_some_and(|law| law.reroute_threshold_bytes != 0),
                marks: config.congestion.marks(),
                uet: of_uet,
                has_link_layer: config.resilience.has_link_layer(),
                has_equal_rates: !may_differ && has_equal_rates(&topology),
                limits_entries,
                is_reliable,
                has_processes,
                responds: config.laws.tcp.is_some()
                    || kinds.forms().iter().any(|form| form.responses != ResponseScope::Switch),
                responds_to_each: kinds.forms().iter().any(|form| form.responses == ResponseScope::Packet),
                unseen_ps: if may_defer { unseen_ps(&topology) } else { 0 },
            },
            kinds,
            bus_table: BusTable::of(config.node.as_ref(), &config.nic),
            trees,
            overlay,
            job_records: jobs.iter().map(|job| job.record_messages).collect(),
            link: config.resilience.link.clone().unwrap_or_else(clean_link),
            router,
            options,
            config,
        });
        let count = ranges.len();
        let mut partitions = build_partitions(&shared, ranges, share.of(count));
        let jobs = start_ranks(&shared, &mut partitions, jobs);
        let mut lookahead = lookahead(&shared);
        if lookahead == Picoseconds::ZERO {
            if count > 1 {
                let works = "1 works where something crosses between groups in no time";
                let (found, options) = (count.to_string(), &shared.options);
                let what = match (share.count, options.execution.partitions) {
                    (1, 1) => "run.threads",
                    (1, _) => "run.partitions",
                    _ => "the number of partitions of processes that share a run",
                };
                return Err(FabricError::Parameter { what, found, works });
            }
            lookahead = Picoseconds::from_micros(1);
        }
        if shared.traits.has_link_layer && shared.config.resilience.reroute_ns * 1_000 < lookahead.0 {
            let found = format!("{} ns", shared.config.resilience.reroute_ns);
            let works = "news of a fault takes at least as long as a packet to the next group: 1us would work";
            return Err(FabricError::Parameter { what: "faults.reroute", found, works });
        }
        let retry_ns = shared.config.resilience.retry.packet_timeout_ns;
        let has_gateways = !shared.places.gateways.is_empty();
        if keeps_packets && (has_processes || has_gateways) && retry_ns.saturating_mul(1_000) < lookahead.0 {
            let who = if has_processes { "ranks that are processes" } else { "gateways between fabrics" };
            let found = format!("{retry_ns} ns, in a run with {who}");
            let works = "news of a loss takes at least as long as a packet to the next group: 1000 would work";
            return Err(FabricError::Parameter { what: "retry.packet_timeout_ns", found, works });
        }
        let watchdog = Watchdog::new(stall_max(&shared));
        let (capture, meter, keeper) = (None, None, None);
        let (is_kept, is_by_reference, audits) = (false, false, AuditSchedule::default());
        Ok(Self {
            partitions,
            shared,
            jobs,
            lookahead,
            capture,
            meter,
            keeper,
            supervisor: None,
            is_kept,
            is_by_reference,
            watchdog,
            audits,
        })
    }

    /// Captures what crosses these ports, for [`run_into`](Self::run_into). It changes nothing else
    /// in the run.
    ///
    /// # Errors
    /// [`FabricError::Capture`] for a port that does not exist or is captured twice, and if packets
    /// have no bytes.
    pub fn capture(&mut self, points: Vec<CapturePoint>) -> Result<(), FabricError> {
        if !points.is_empty() {
            if self.shared.options.execution.share != ProcessShare::WHOLE {
                let (found, works) =
                    (self.shared.options.execution.share.count.to_string(), "1: ports are captured by one process");
                return Err(FabricError::Parameter { what: "the number of processes", found, works });
            }
            self.capture = Some(Capture::new(points, &self.shared, &mut self.partitions)?);
        }
        Ok(())
    }

    /// What holds memory in the model with topology and ranks, and how many bytes.
    #[must_use]
    pub fn memory_parts(&self) -> BTreeMap<&'static str, u64> {
        let places = &self.shared.places;
        let tables = places.partition_of_switch.capacity() * size_of::<u16>();
        let slots = size_of_val(&*places.port_slots);
        let mut parts = BTreeMap::from([
            ("topology", (self.shared.topology().memory_bytes() + tables) as u64),
            ("slots of ports", slots as u64),
            ("places of ranks", (places.ranks.capacity() * size_of::<RankEntry>()) as u64),
        ]);
        for (part, bytes) in self.partitions.iter().flat_map(Partition::memory_parts) {
            *parts.entry(part).or_default() += bytes as u64;
        }
        parts
    }

    /// Memory of the model with topology and ranks, in bytes.
    #[must_use]
    pub fn memory_bytes(&self) -> u64 {
        self.memory_parts().values().sum()
    }

    /// Number of endpoints of this process's share that send or receive: at most one per rank.
    #[must_use]
    pub fn busy_endpoints(&self) -> usize {
        let sum = |count: fn(&Partition) -> usize| self.partitions.iter().map(count).sum::<usize>();
        sum(|partition| partition.host.ranks.len()).min(sum(|partition| partition.nic.nics.len()))
    }

    /// Reads what ports send during the run. If several processes share the run, only this
    /// process's ports.
    pub fn meter(&mut self, meter: Box<dyn Meter + Send>) {
        self.meter = Some(meter);
    }

    /// Asks `supervisor` after each window, and when no event is left, how the run goes on.
    ///
    /// # Errors
    /// [`FabricError::Parameter`] if several processes share the run.
    pub fn supervise(&mut self, supervisor: Box<dyn ProcessSupervisor>) -> Result<(), FabricError> {
        if self.shared.options.execution.share != ProcessShare::WHOLE {
            let (found, works) =
                (self.shared.options.execution.share.count.to_string(), "1: one process supervises the ranks of a run");
            return Err(FabricError::Parameter { what: "the number of processes", found, works });
        }
        self.supervisor = Some(supervisor);
        Ok(())
    }

    /// Runs by the reference scheduler from here on: much slower, with the same result. It is the
    /// oracle of tests.
    ///
    /// # Panics
    /// If partitions have blocks: `far_ports_min` says from which size on they do.
    #[doc(hidden)]
    pub fn use_reference_scheduler(&mut self) {
        self.is_by_reference = true;
        for partition in &mut self.partitions {
            assert!(partition.sched.calendar.count() == 1, "the reference scheduler has no blocks");
            partition.sched.may_defer = false;
        }
    }

    pub(crate) const fn shared(&self) -> &Arc<Shared> {
        &self.shared
    }

    pub(crate) fn partitions_mut(&mut self) -> &mut Vec<Partition> {
        &mut self.partitions
    }
}

/// Time without movement, with packets in the fabric, after which the run has stalled. A link
/// without lanes keeps its frames and waits.
fn stall_max(shared: &Shared) -> Picoseconds {
    if shared.traits.has_link_layer { STALL_MAX + shared.link.link_down_timer() } else { STALL_MAX }
}

/// Whether all links of a network have one rate.
fn has_equal_rates(topology: &Topology) -> bool {
    let ports = (0..topology.port_count() as u32).map(PortIndex);
    let mut rates = ports.filter(|&port| topology.port(port).peer != PortPeer::None).map(|port| topology.rate(port));
    rates.next().is_none_or(|first| rates.all(|rate| rate == first))
}

/// Links without noise, for runs with faults in which the scenario does not describe links.
fn clean_link() -> LinkParameters {
    LinkParameters { bit_errors: 0, ..LinkParameters::slingshot() }
}

/// Division of an input buffer among channels.
///
/// The size of the buffer is that for one class; more classes divide it. By default at most half of
/// the buffer goes into reserves.
fn channel_plan(config: &FabricConfig, legs: u8) -> Result<ChannelPlan, FabricError> {
    let classes = config.classes.len();
    let asked = classes * usize::from(legs);
    if asked > 64 || classes > usize::from(config.switch.classes_max) {
        let most = usize::from(config.switch.classes_max).min(64 / usize::from(legs));
        return Err(FabricError::TooManyChannels { classes, most, legs, asked });
    }
    if let CongestionLaw::Aries(aries) = &config.congestion {
        let reserve_bytes = vec![aries.channel_buffer_bytes; asked];
        return Ok(ChannelPlan { classes: classes as u8, legs, reserve_bytes, shared_bytes: 0 });
    }
    let switch = &config.switch;
    let buffer = switch.buffer_reserve_bytes * u32::from(legs) + switch.buffer_shared_bytes;
    let reserve = if classes == 1 {
        switch.buffer_reserve_bytes
    } else {
        switch.buffer_reserve_bytes.min(buffer / 2 / asked as u32)
    };
    let of_class = config.classes.classes().iter().map(|class| class.buffer_reserve_bytes.unwrap_or(reserve));
    let reserve_bytes: Vec<u32> =
        of_class.flat_map(|reserve| std::iter::repeat_n(reserve, usize::from(legs))).collect();
    let reserved: u64 = reserve_bytes.iter().map(|&reserve| u64::from(reserve)).sum();
    let shared_bytes = u64::from(buffer).checked_sub(reserved);
    let Some(shared_bytes) = shared_bytes else {
        return Err(FabricError::Reserves { reserved, buffer, classes, legs });
    };
    Ok(ChannelPlan { classes: classes as u8, legs, reserve_bytes, shared_bytes: shared_bytes as u32 })
}

/// Default queue of a lossy class, in bytes.
const LOSSY_QUEUE: u32 = 65_536;

/// The behaviour of each class's packets.
fn class_rules(config: &FabricConfig) -> Vec<ClassRule> {
    // The segments of a TCP connection stay in order, as those of a flow that hashes. Ultra
    // Ethernet's transport takes packets in any order, unless a class asks for one.
    let is_uet = config.congestion.is_ultra_ethernet();
    let ordered = !is_uet && (config.nic.ordered || tcp::is_of_sockets(config));
    let rule = |(index, class): (usize, &TrafficClass)| ClassRule {
        ordered: class.ordered.unwrap_or(ordered),
        mode: class.paths.map_or(config.routing.mode, |paths| match paths {
            EntropyRouting::Ecmp => RoutingMode::Ecmp,
            EntropyRouting::EcmpNonminimal => RoutingMode::EcmpNonminimal,
        }),
        nonminimal_bias_percent: class.nonminimal_bias_percent.unwrap_or(config.routing.nonminimal_bias_percent),
        responses: config.classes.responses(index as u8),
        queue_max_bytes: class.lossy.then(|| class.queue_max_bytes.unwrap_or(LOSSY_QUEUE)),
        trims: class.trimming,
        most_percent: config.classes.most_percent(index as u8),
    };
    config.classes.classes().iter().enumerate().map(rule).collect()
}

/// The longest that an outlier or a cable's retiming may take, in nanoseconds: times on a link are
/// 32 bits of picoseconds. Source: ours. Status: assumed.
const SLOW_NS_MAX: u32 = 1_000_000;

/// The topology with the cables of this hardware.
fn cabled(topology: &Arc<Topology>, config: &FabricConfig) -> Arc<Topology> {
    topology.with_optical_retiming(Picoseconds::from_nanos(config.switch.optical_cable_ns.into()))
}

/// Checks whether this hardware can serve this topology, whatever runs on it.
///
/// # Errors
/// Those of [`Simulation::new`] that do not depend on jobs.
pub fn check_hardware(topology: &Arc<Topology>, config: &FabricConfig) -> Result<(), FabricError> {
    let router = Router::new(cabled(topology, config), config.routing.clone())?;
    fitted(&router, config).map(|_| ())
}

/// The channels and NICs of hardware that can serve a topology.
fn fitted(router: &Router, config: &FabricConfig) -> Result<(ChannelPlan, NicKinds), FabricError> {
    let topology = router.topology();
    let plan = channel_plan(config, router.legs())?;
    let kinds = NicKinds::new(topology, config)?;
    check(config, &kinds, &plan)?;
    check_headroom(config, &kinds, topology, &plan)?;
    check_nic_buffer(config, &kinds, topology)?;
    Ok((plan, kinds))
}

fn check_jobs(options: &RunOptions, jobs: &[Job]) -> Result<(), FabricError> {
    if jobs.iter().all(|job| job.programs.is_empty()) {
        return Err(FabricError::NoRanks);
    }
    if options.time_limit == Picoseconds::MAX && !jobs.iter().any(|job| job.iterations.is_some()) {
        return Err(FabricError::Endless);
    }
    Ok(())
}

/// Whether there are ranks that are processes. Refuses them where nothing tells them all that
/// happens.
fn check_processes(share: ProcessShare, jobs: &[Job]) -> Result<bool, FabricError> {
    let Some(job) = jobs.iter().find(|job| job.programs.iter().any(|program| program.is_process())) else {
        return Ok(false);
    };
    if share != ProcessShare::WHOLE {
        let found = format!("in job {}, in a run that {} simulators share", job.name, share.count);
        let works = "one process that simulates all of it works; it may have several threads";
        return Err(FabricError::Parameter { what: "ranks that are processes", found, works });
    }
    Ok(true)
}

fn check(config: &FabricConfig, kinds: &NicKinds, plan: &ChannelPlan) -> Result<(), FabricError> {
    let nic = &config.nic;
    let payload = nic.payload_max_bytes;
    let largest = largest_packet(config, kinds);
    let least = plan.reserve_bytes.iter().min().copied().unwrap_or(0);
    // Packets never wait in a circle because each channel always has room for one, whatever the
    // others hold of the shared part.
    if largest > least {
        return Err(FabricError::ReserveTooSmall { packet: largest, reserve: least });
    }
    // A pause at less than a packet comes with each packet, and a channel never fills its link.
    let pauses = [
        ("congestion.pause_on_bytes", config.congestion.pause_thresholds().map(|(on, _)| on)),
        ("hardware.switch.pause_on_bytes", config.nic.edge_pause.then_some(config.switch.pause_on_bytes)),
        (
            "hardware.node.buffer_pause_on_bytes",
            config.node.as_ref().filter(|node| node.buffer_bytes > 0).map(|node| node.buffer_pause_on_bytes),
        ),
    ];
    if let Some((what, Some(found))) = pauses.into_iter().find(|(_, on)| on.is_some_and(|on| on < largest)) {
        let (found, works) = (format!("{found} bytes, and a packet has {largest}"), "at least a packet");
        return Err(FabricError::Parameter { what, found, works });
    }
    let positive = |what, value: u32, works| {
        if value > 0 { Ok(()) } else { Err(FabricError::Parameter { what, found: value.to_string(), works }) }
    };
    positive("hardware.nic.payload_max_bytes", payload, "a packet carries at least one byte")?;
    if let Some(node) = &config.node {
        let works = "a transaction carries at least one byte";
        positive("hardware.node.pcie_payload_max_bytes", node.pcie_payload_max_bytes, works)?;
        positive("hardware.node.pcie_request_max_bytes", node.pcie_request_max_bytes, "a read asks for data")?;
        if node.buffer_bytes > 0 && node.buffer_pause_off_bytes > node.buffer_pause_on_bytes {
            let works = "it must not exceed hardware.node.buffer_pause_on_bytes";
            let found = node.buffer_pause_off_bytes.to_string();
            return Err(FabricError::Parameter { what: "hardware.node.buffer_pause_off_bytes", found, works });
        }
    }
    if let Some((what, found, works)) = config.node.as_ref().and_then(crate::model::node::fault_of_memory) {
        return Err(FabricError::Parameter { what, found: found.to_string(), works });
    }
    if let Some((what, found, works)) = config.laws.jitter.as_ref().and_then(HostJitter::fault) {
        return Err(FabricError::Parameter { what, found: found.to_string(), works });
    }
    positive("hardware.host.copy_rate_mbytes", config.host.copy_rate_mbytes, "a copy within a node has a rate")?;
    if largest > u32::from(u16::MAX) {
        let works = "a packet with its headers is below 64 KiB";
        return Err(FabricError::Parameter {
            what: "hardware.nic.payload_max_bytes",
            found: payload.to_string(),
            works,
        });
    }
    if config.switch.latency_spread_ns / 2 >= config.switch.latency_ns {
        let works = "half of it must be below hardware.switch.latency_ns";
        let found = config.switch.latency_spread_ns.to_string();
        return Err(FabricError::Parameter { what: "hardware.switch.latency_spread_ns", found, works });
    }
    if config.nic.accept_ns > config.nic.receive_ns {
        let found = config.nic.accept_ns.to_string();
        let works = "it is a part of hardware.nic.receive_ns and cannot exceed it";
        return Err(FabricError::Parameter { what: "hardware.nic.accept_ns", found, works });
    }
    if config.switch.outliers_per_million > 1_000_000 {
        let found = config.switch.outliers_per_million.to_string();
        let works = "all crossings are 1000000";
        return Err(FabricError::Parameter { what: "hardware.switch.outliers_per_million", found, works });
    }
    let times = [
        ("hardware.switch.outlier_max_ns", config.switch.outlier_max_ns),
        ("hardware.switch.optical_cable_ns", config.switch.optical_cable_ns),
    ];
    if let Some((what, found)) = times.into_iter().find(|&(_, found)| found > SLOW_NS_MAX) {
        return Err(FabricError::Parameter {
            what,
            found: found.to_string(),
            works: "at most 1000000, a millisecond,",
        });
    }
    if config.switch.outliers_per_million > 0 && config.switch.outlier_max_ns <= config.switch.latency_spread_ns / 2 {
        let found = config.switch.outlier_max_ns.to_string();
        let works = "it must be above half of hardware.switch.latency_spread_ns";
        return Err(FabricError::Parameter { what: "hardware.switch.outlier_max_ns", found, works });
    }
    if nic.edge_pause && config.switch.pause_off_bytes > config.switch.pause_on_bytes {
        let works = "it must not exceed hardware.switch.pause_on_bytes";
        let found = config.switch.pause_off_bytes.to_string();
        return Err(FabricError::Parameter { what: "hardware.switch.pause_off_bytes", found, works });
    }
    if let CongestionLaw::Slingshot(law) = &config.congestion {
        for (what, bytes) in [
            ("congestion.endpoint_share_bytes", law.endpoint_share_bytes),
            ("congestion.flow_share_bytes", law.flow_share_bytes),
        ] {
            if bytes > SHARE_BYTES_MAX {
                let works = "16 MiB at most, which no buffer of a switch has; 0 leaves shares out";
                return Err(FabricError::Parameter { what, found: bytes.to_string(), works });
            }
        }
    }
    positive("hardware.switch.flow_queues", config.switch.flow_queues.into(), "an output needs a queue")?;
    if let CongestionLaw::Ecn(ecn) = &config.congestion {
        if ecn.mark_max_bytes <= ecn.mark_min_bytes {
            let works = "it must exceed congestion.mark_min_bytes";
            let found = ecn.mark_max_bytes.to_string();
            return Err(FabricError::Parameter { what: "congestion.mark_max_bytes", found, works });
        }
        positive("congestion.rate_min_mbps", ecn.rate_min_mbps, "a flow keeps a rate")?;
        positive("congestion.estimate_period_ns", ecn.estimate_period_ns, "a period is longer than nothing")?;
        positive("congestion.increase_period_ns", ecn.increase_period_ns, "a period is longer than nothing")?;
    }
    Ok(())
}

/// Bytes of the largest packet of any kind of NIC.
fn largest_packet(config: &FabricConfig, kinds: &NicKinds) -> u32 {
    let of_form = |nic: &NicParameters| {
        let full = |first| philae_nic_model::wire_bytes(nic, nic.payload_max_bytes, first);
        full(true).max(full(false))
    };
    let of_uet = kinds.uet().and_then(|nic| config.uet_sizes_of(nic)).map_or(0, |sizes| sizes.full());
    kinds.forms().iter().map(of_form).max().unwrap_or(0).max(of_uet)
}

/// Checks that, if links are paused, each buffer has room for what is on its way while a pause
/// takes effect.
fn check_headroom(
    config: &FabricConfig,
    kinds: &NicKinds,
    topology: &Topology,
    plan: &ChannelPlan,
) -> Result<(), FabricError> {
    let Some((pause_on, pause_off)) = config.congestion.pause_thresholds() else { return Ok(()) };
    if pause_off > pause_on {
        let works = "it must not exceed congestion.pause_on_bytes";
        let found = pause_off.to_string();
        return Err(FabricError::Parameter { what: "congestion.pause_off_bytes", found, works });
    }
    let packet = u64::from(largest_packet(config, kinds));
    let switch = &config.switch;
    let logic =
        u64::from(switch.latency_ns + switch.fec_ns + switch.latency_spread_ns + 2 * switch.credit_latency_ns) * 1_000;
    for port in (0..topology.port_count() as u32).map(PortIndex) {
        if !matches!(topology.port(port).peer, PortPeer::Port(_)) {
            continue;
        }
        // There and back until the sender is silent, and once more for the delay of credits.
        let span = 3 * topology.propagation(port).0 + logic;
        let on_the_way = span * u64::from(topology.rate(port).0) / 8_000_000 + 3 * packet;
        let needed = (u64::from(pause_on) + on_the_way) * plan.count() as u64;
        if needed > u64::from(plan.capacity_bytes()) {
            return Err(FabricError::PauseHeadroom {
                switch: topology.switch_of(port).0,
                port: topology.port_of(port).0,
                needed,
                available: plan.capacity_bytes(),
                channels: plan.count(),
                pause_on,
                on_the_way,
            });
        }
    }
    Ok(())
}

/// Whether a NIC's buffer takes what is on its way when the pause of its switch port takes effect.
fn check_nic_buffer(config: &FabricConfig, kinds: &NicKinds, topology: &Topology) -> Result<(), FabricError> {
    let Some(node) = config.node.as_ref().filter(|node| node.buffer_bytes > 0) else { return Ok(()) };
    let packet = u64::from(largest_packet(config, kinds));
    let logic = u64::from(config.switch.fec_ns + config.switch.credit_latency_ns) * 1_000;
    for endpoint in (0..topology.endpoint_count()).map(EndpointId::from_index) {
        let attached = topology.endpoint(endpoint);
        if attached.kind != 0 {
            continue;
        }
        // The pause goes there, and the last packet comes back.
        let span = 2 * topology.propagation(attached.port).0 + logic;
        let on_the_way = span * u64::from(topology.rate(attached.port).0) / 8_000_000 + 2 * packet;
        let (pause_on, available) = (node.buffer_pause_on_bytes, node.buffer_bytes);
        if u64::from(pause_on) + on_the_way > u64::from(available) {
            return Err(FabricError::NicBuffer { endpoint: endpoint.0, available, pause_on, on_the_way });
        }
    }
    Ok(())
}

fn rank_table(
    topology: &Topology,
    jobs: &[Job],
    partition_of_switch: &[u16],
    partitions: usize,
) -> Result<(Vec<RankEntry>, Vec<u32>), FabricError> {
    let mut ranks = Vec::new();
    let mut bases = Vec::new();
    let mut locals = vec![0_u32; partitions];
    for (job, described) in jobs.iter().enumerate() {
        bases.push(ranks.len() as u32);
        for place in &described.places {
            let nics = topology.endpoints_of(place.node);
            let endpoint = nics.start + u32::from(place.nic);
            if endpoint >= nics.end {
                let (job, node, found) = (described.name.clone(), place.node.0, nics.end - nics.start);
                return Err(FabricError::NoSuchNic { job, node, nic: place.nic, found });
            }
            let switch = topology.switch_of_endpoint(EndpointId(endpoint));
            let partition = partition_of_switch[switch.index()];
            let local = &mut locals[usize::from(partition)];
            ranks.push(RankEntry { endpoint, node: place.node.0, job: job as u16, partition, local: *local });
            *local += 1;
        }
    }
    Ok((ranks, bases))
}

/// Builds the partitions whose numbers are in `own`.
pub fn build_partitions(shared: &Arc<Shared>, ranges: Vec<PartRange>, own: std::ops::Range<usize>) -> Vec<Partition> {
    let switches: u32 = ranges[own.clone()].iter().map(|range| range.switches.end - range.switches.start).sum();
    let prefetches_all_steps = switches as usize * shared.topology().radix() >= shared.options.execution.far_ports_min;
    let (first, count) = (own.start, own.len());
    let built = ranges.into_iter().enumerate().skip(first).take(count).map(|(number, range)| {
        let blocks = if prefetches_all_steps { blocks_of(shared, &range) } else { vec![range.clone()] };
        let mut partition = Partition::new(Arc::clone(shared), number as u16, range, &blocks, prefetches_all_steps);
        partition.build_links();
        partition.build_collectives();
        partition
    });
    built.collect()
}

/// The blocks of a partition of a run that is too large for a cache. The whole partition is one
/// block if the system cannot be divided, and in three other cases: links may fail, because a fault
/// concerns all groups at the same time; there is telemetry, which keeps the first packets; or
/// something crosses between groups in no time.
fn blocks_of(shared: &Shared, range: &PartRange) -> Vec<PartRange> {
    let (topology, options) = (shared.topology(), &shared.options);
    let is_apart =
        !shared.traits.has_link_layer && options.records.telemetry_every == 0 && lookahead(shared) != Picoseconds::ZERO;
    if !is_apart || !may_be_divided(topology) {
        return vec![range.clone()];
    }
    blocks(topology, range, options.execution.block_ports_min)
}

/// Puts the ranks into their partitions and schedules their starts.
fn start_ranks(shared: &Shared, partitions: &mut [Partition], jobs: Vec<Job>) -> Vec<JobMeta> {
    let mut metas = Vec::new();
    let mut number = 0_u32;
    let first = partitions.first().map_or(0, |partition| usize::from(partition.layout.number));
    for (index, job) in jobs.into_iter().enumerate() {
        let mut nodes: Vec<u32> = job.places.iter().map(|place| place.node.0).collect();
        nodes.sort_unstable();
        nodes.dedup();
        let mut skews = RandomStream::new(shared.options.seed, index as u64, 3);
        metas.push(JobMeta {
            name: job.name,
            workload: job.workload,
            ranks: job.programs.len() as u32,
            nodes: nodes.len() as u32,
            iterations: job.iterations,
            offered_gbps: job.offered_gbps,
        });
        for program in job.programs {
            let (entry, rank) = (shared.places.ranks[number as usize], number);
            number += 1;
            let skew = match shared.options.start_skew.0 {
                0 => 0,
                span => skews.next_u64() % (span + 1),
            };
            // Partitions before the first belong to other processes as well: the difference wraps.
            let Some(partition) = partitions.get_mut(usize::from(entry.partition).wrapping_sub(first)) else {
                continue;
            };
            partition.host.unfinished += u32::from(job.iterations.is_some());
            let time = job.start.0 + skew;
            let mut state = RankState::new(rank, program, job.iterations.is_some());
            let is_kept = shared.traits.is_reliable || shared.is_uet(entry.endpoint);
            state.open = (is_kept || state.is_process()).then(Box::default);
            partition.host.has_processes |= state.is_process();
            partition.host.ranks.push(state);
            if shared.traits.limits_entries {
                partition.host.entries.push(RankEntries::new(shared.nic(entry.endpoint)));
            }
            partition
                .sched
                .calendar
                .push(shared.places.targets.run(time, rank, START), Event::Run { rank: entry.local, handle: START });
        }
    }
    metas
}

/// The shortest time in which anything crosses from one group to another. In systems of one group,
/// an interval between two checks of the clock.
fn lookahead(shared: &Shared) -> Picoseconds {
    let topology = shared.topology();
    let switch = &shared.config.switch;
    let hop = switch.latency_ns + switch.fec_ns - switch.latency_spread_ns / 2;
    // An acknowledgement from another group passes at least two switches. The switch that sends an
    // early notice does not delay it.
    let has_early_notices = slingshot(&shared.config.congestion).is_some_and(|law| law.early_notice);
    let acks = if has_early_notices { switch.ack_latency_ns } else { 2 * switch.ack_latency_ns };
    let logic = hop.min(switch.credit_latency_ns).min(acks);
    let crossing = (0..topology.port_count() as u32)
        .map(PortIndex)
        .filter(|&port| match topology.port(port).peer {
            PortPeer::Port(peer) => {
                topology.group_of(topology.switch_of(port)) != topology.group_of(topology.switch_of(peer))
            }
            PortPeer::Endpoint(_) | PortPeer::None => false,
        })
        .map(|port| topology.propagation(port).0)
        .min();
    crossing.map_or(Picoseconds::from_micros(1), |propagation| Picoseconds(propagation + u64::from(logic) * 1_000))
}
