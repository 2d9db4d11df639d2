//! Builds the partitions of a run and drives them window by window.
//!
//! A window begins at the next event anywhere and is as long as the shortest time in which anything crosses from one
//! group to another. Within it partitions cannot affect each other, so they may be run in any order, or at once; and
//! since its bounds do not depend on the partitions, nothing else does.

use std::ops::ControlFlow;
use std::sync::Arc;

use philae_cassini::{EdgeHold, NicParameters};
use philae_congestion::{CongestionLaw, Gate};
use philae_engine::{Stream, Watchdog};
use philae_forwarding::Plan;
use philae_link::LinkParameters;
use philae_measure::record::{RunRecord, RunStatus};
use philae_rosetta::ChannelPlan;
use philae_routing::Router;
use philae_topology::{Peer, Topology};
use philae_traffic_class::{Schedule, TrafficClass};
use philae_units::{Picoseconds, PortIndex};

use crate::audit::{self, AuditSchedule};
use crate::capture::{Capture, CapturePoint, CaptureSink, NoCapture};
use crate::checkpoint::Keeper;
use crate::collective::Trees;
use crate::config::{FabricConfig, Job, RunOptions};
use crate::division::divide;
use crate::edge::NicKinds;
use crate::error::FabricError;
use crate::event::{Event, START, Targets};
use crate::host::Rank;
use crate::matching::{self, RankEntries};
use crate::overlay::Overlay;
use crate::parallel::Crew;
use crate::partition::{ClassRule, Partition, RankEntry, Shared};
use crate::record::{JobMeta, build_record};
use crate::resilience::{Fault, FaultKind, FaultTarget};

/// Nothing moves for this long while packets are in the fabric: a stall. Held flows wait for tens of microseconds and
/// DCQCN's slowest rate sends a packet every 0.4 ms.
const PATIENCE: Picoseconds = Picoseconds::from_micros(5_000);

/// Events between two reports of progress: a tenth of a second or so.
const EVENTS_PER_REPORT: u64 = 1 << 18;

/// Where a run is.
#[derive(Clone, Copy, Debug)]
pub struct Advance {
    /// Simulated time.
    pub now: Picoseconds,
    /// Events handled so far.
    pub events: u64,
    /// Packet-hops so far.
    pub packet_hops: u64,
    /// Ranks of ending jobs that have not finished.
    pub unfinished: u32,
}

/// What a port of a switch has sent since a run began.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PortCount {
    /// The port.
    pub port: PortIndex,
    /// Packets.
    pub packets: u64,
    /// Bytes on the wire.
    pub bytes: u64,
}

/// Looks at what ports have sent while a run goes on. It changes nothing of the run.
pub trait Meter {
    /// When it wants to look next.
    fn next(&self) -> Picoseconds;

    /// Looks, at some moment after that; it may stop the run.
    fn look(&mut self, now: Picoseconds, ports: &mut dyn Iterator<Item = PortCount>) -> ControlFlow<()>;
}

/// A run, built and not yet started.
pub struct Simulation {
    partitions: Vec<Partition>,
    shared: Arc<Shared>,
    jobs: Vec<JobMeta>,
    lookahead: Picoseconds,
    capture: Option<Capture>,
    meter: Option<Box<dyn Meter + Send>>,
    pub(crate) keeper: Option<Box<dyn Keeper + Send>>,
    pub(crate) watchdog: Watchdog,
    pub(crate) audits: AuditSchedule,
}

impl Simulation {
    /// Builds a run of `jobs` on `topology`.
    ///
    /// # Errors
    /// [`FabricError`] when the hardware cannot serve the topology or the jobs cannot run on it.
    pub fn new(
        topology: Arc<Topology>,
        config: FabricConfig,
        options: RunOptions,
        jobs: Vec<Job>,
    ) -> Result<Self, FabricError> {
        let router = Router::new(Arc::clone(&topology), config.routing.clone())?;
        Self::with_router(router, config, options, jobs)
    }

    /// As [`new`](Self::new), where switches forward by the tables of `plan`. Links that it calls dead are down from the
    /// beginning on.
    ///
    /// # Errors
    /// As [`new`](Self::new); also when the tables do not fit the topology or are not sound, and when a job leaves collective
    /// operations to the switches.
    pub fn by_tables(
        topology: Arc<Topology>,
        config: FabricConfig,
        options: RunOptions,
        jobs: Vec<Job>,
        plan: Plan,
    ) -> Result<Self, FabricError> {
        if let Some(job) = jobs.iter().find(|job| job.programs.iter().any(|program| program.offloads())) {
            let found = format!("set, and job {} leaves operations to the switches", job.name);
            let works = "an algorithm of software works with routes from a file: they have no trees";
            return Err(FabricError::Parameter { what: "routes", found, works });
        }
        let down =
            |port| Fault { at: Picoseconds::ZERO, until: None, target: FaultTarget::Link(port), kind: FaultKind::Down };
        let mut config = config;
        config.resilience.faults.extend(plan.dead_links().map(down));
        // A port has 64 channels: a leg of each class.
        let legs_max = (64 / config.classes.len().max(1)).min(64) as u8;
        let router = Router::by_tables(Arc::clone(&topology), config.routing.clone(), plan, legs_max)?;
        Self::with_router(router, config, options, jobs)
    }

    /// The packet engine at the edge, if there is a program.
    #[must_use]
    pub fn overlay(&self) -> Option<&Overlay> {
        self.shared.overlay.as_ref()
    }

    /// As [`new`](Self::new), with a router of the caller's (tests bring one that deadlocks).
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
        if topology.radix() > 64 {
            let found = format!("a switch with {} ports", topology.radix());
            return Err(FabricError::Parameter { what: "radix", found, works: "64 ports at most are modelled" });
        }
        let plan = channel_plan(&config, router.legs())?;
        let kinds = NicKinds::new(&topology, &config)?;
        check(&config, &kinds, &options, &jobs, &plan)?;
        check_headroom(&config, &kinds, &topology, &plan)?;
        let (partition_of_switch, ranges) = divide(&topology, options.partitions.max(options.threads));
        let targets = Targets { ports: topology.port_count() as u32, endpoints: topology.endpoint_count() as u32 };
        let (ranks, rank_base) = rank_table(&topology, &jobs, &partition_of_switch, ranges.len())?;
        let rules = class_rules(&config);
        let tracks_flows = config.congestion.gate() == Gate::Ingress
            || rules.iter().any(|rule| rule.ordered)
            || kinds.are_mixed() && kinds.forms().iter().any(|form| form.ordered);
        let schedule = Schedule::new(&config.classes, u64::from(config.switch.class_window_ns) * 1_000);
        let host_schedule = Schedule::new(&config.classes.on_host(), u64::from(config.switch.class_window_ns) * 1_000);
        let is_lossy = rules.iter().any(|rule| rule.queue_max_bytes.is_some());
        let overlay = Overlay::new(&topology, &config, &jobs)?;
        if overlay.is_some() && kinds.all().iter().any(|kind| kind.hold == EdgeHold::Credits) {
            let works = "true: the packet engine changes the sizes of packets, which credits of a NIC do not follow";
            return Err(FabricError::Parameter { what: "nic.edge_pause", found: "false".to_owned(), works });
        }
        let is_unheld = kinds.all().iter().any(|kind| kind.hold == EdgeHold::Nothing);
        let is_reliable = config.resilience.has_link_layer() || is_lossy || is_unheld || overlay.is_some();
        let limits_entries = matching::is_limited(&config)?;
        // Lanes fail, kinds of NIC count other bytes, and the packet engine changes the sizes of packets.
        let may_differ = config.resilience.has_link_layer() || kinds.are_mixed() || overlay.is_some();
        let trees = Trees::new(&router, &config, &jobs, &ranks)?;
        let shared = Arc::new(Shared {
            kinds,
            plan,
            trees,
            overlay,
            rules,
            schedule: (!schedule.is_trivial()).then_some(schedule),
            host_schedule: (!host_schedule.is_trivial()).then_some(host_schedule),
            targets,
            partition_of_switch,
            rank_base,
            job_class: jobs.iter().map(|job| job.class.0).collect(),
            job_records: jobs.iter().map(|job| job.record_messages).collect(),
            tracks_flows,
            has_link_layer: config.resilience.has_link_layer(),
            has_equal_rates: !may_differ && has_equal_rates(&topology),
            is_reliable,
            limits_entries,
            link: config.resilience.link.clone().unwrap_or_else(clean_link),
            gateways: crate::fabric_gateway::FabricGateways::of(&topology),
            ranks,
            router,
            options,
            config,
        });
        let mut partitions: Vec<Partition> = ranges
            .into_iter()
            .enumerate()
            .map(|(number, range)| Partition::new(Arc::clone(&shared), number as u16, range.switches, range.endpoints))
            .collect();
        partitions.iter_mut().for_each(Partition::build_links);
        partitions.iter_mut().for_each(Partition::build_collectives);
        let jobs = start_ranks(&shared, &mut partitions, jobs);
        let mut lookahead = lookahead(&shared);
        if lookahead == Picoseconds::ZERO {
            if partitions.len() > 1 {
                let works = "1 works where something crosses between groups in no time";
                let found = partitions.len().to_string();
                let what = if shared.options.partitions > 1 { "run.partitions" } else { "run.threads" };
                return Err(FabricError::Parameter { what, found, works });
            }
            lookahead = Picoseconds::from_micros(1);
        }
        if shared.has_link_layer && shared.config.resilience.reroute_ns * 1_000 < lookahead.0 {
            let found = format!("{} ns", shared.config.resilience.reroute_ns);
            let works = "news of a fault takes at least as long as a packet to the next group: 1us would work";
            return Err(FabricError::Parameter { what: "faults.reroute", found, works });
        }
        let watchdog = Watchdog::new(patience(&shared));
        let (capture, meter, keeper) = (None, None, None);
        let audits = AuditSchedule::default();
        Ok(Self { partitions, shared, jobs, lookahead, capture, meter, keeper, watchdog, audits })
    }

    /// Runs to the end and returns what was recorded. `progress` is called now and then and may stop the run.
    ///
    /// # Errors
    /// [`FabricError`] when the fabric stalls, when ranks wait for what nobody sends, or when a law of conservation
    /// is broken.
    pub fn run(self, progress: &mut dyn FnMut(Advance) -> ControlFlow<()>) -> Result<RunRecord, FabricError> {
        self.run_into(progress, &mut NoCapture)
    }

    /// Captures what crosses these ports, for [`run_into`](Self::run_into). It changes nothing else of the run.
    ///
    /// # Errors
    /// [`FabricError::Capture`] for a port that does not exist or is captured twice, and where packets have no bytes.
    pub fn capture(&mut self, points: Vec<CapturePoint>) -> Result<(), FabricError> {
        if !points.is_empty() {
            self.capture = Some(Capture::new(points, &self.shared, &mut self.partitions)?);
        }
        Ok(())
    }

    /// Memory that the model holds, topology and ranks included, in bytes.
    #[must_use]
    pub fn memory_bytes(&self) -> u64 {
        let shared = &self.shared;
        let tables = shared.topology().memory_bytes()
            + shared.partition_of_switch.capacity() * size_of::<u16>()
            + shared.ranks.capacity() * size_of::<RankEntry>();
        self.partitions.iter().map(Partition::memory_bytes).sum::<u64>() + tables as u64
    }

    /// Looks at what ports send while the run goes on.
    pub fn meter(&mut self, meter: Box<dyn Meter + Send>) {
        self.meter = Some(meter);
    }

    /// As [`run`](Self::run), with somewhere for captured frames to go.
    ///
    /// # Errors
    /// As [`run`](Self::run).
    pub fn run_into(
        mut self,
        progress: &mut dyn FnMut(Advance) -> ControlFlow<()>,
        sink: &mut dyn CaptureSink,
    ) -> Result<RunRecord, FabricError> {
        let limit = self.shared.options.time_limit;
        let some_end = self.jobs.iter().any(|job| job.ends);
        let mut crew = Crew::new(self.shared.options.threads, self.shared.options.thread_events_min);
        if self.keeper.is_none() {
            // Nobody will ask what programs were told.
            self.partitions.iter_mut().flat_map(|partition| &mut partition.ranks).for_each(|rank| rank.history = None);
        }
        let mut next_report = EVENTS_PER_REPORT;
        let status = loop {
            let unfinished: u32 = self.partitions.iter().map(|partition| partition.unfinished).sum();
            if some_end && unfinished == 0 {
                break RunStatus::Completed;
            }
            let Some(start) = self.partitions.iter_mut().filter_map(|partition| partition.calendar.next_time()).min()
            else {
                // Nothing is left to happen: well if everybody has finished.
                if self.lost_something() {
                    break RunStatus::Unfinished;
                }
                self.nobody_waits()?;
                break RunStatus::Completed;
            };
            if start >= limit {
                break RunStatus::TimeLimit;
            }
            let end = Picoseconds(start.0.saturating_add(self.lookahead.0)).min(limit);
            crew.run(&mut self.partitions, |partition| partition.run_until(end));
            crew.exchange(&mut self.partitions);
            if self.collect_captured(end.0, false, sink).is_break() {
                break RunStatus::Interrupted;
            }
            if self.measure(end).is_break() {
                break RunStatus::Interrupted;
            }
            let hops = self.partitions.iter().map(Partition::movements).sum();
            let waiting = self.partitions.iter().any(|partition| partition.packets.len() > 0);
            if let Some(still) = self.watchdog.observe(end, hops, waiting) {
                return Err(self.stalled(end, still));
            }
            if let Some(what) = self.partitions.iter().find_map(|partition| partition.starved.clone()) {
                return Err(FabricError::Starved { time: end.to_string(), what });
            }
            if self.audits.is_due(end, hops, self.shared.topology().port_count()) {
                self.audit()?;
            }
            if self.keeper.as_ref().is_some_and(|keeper| keeper.next() <= end) {
                self.keep_now(end);
            }
            let events: u64 = self.partitions.iter().map(|partition| partition.events).sum();
            crew.note(events);
            if events >= next_report {
                next_report = events + EVENTS_PER_REPORT;
                let packet_hops = self.partitions.iter().map(|partition| partition.hops).sum();
                let advance = Advance { now: end, events, packet_hops, unfinished };
                if progress(advance).is_break() {
                    break RunStatus::Interrupted;
                }
            }
        };
        self.audit()?;
        if status == RunStatus::Interrupted {
            let now = self.partitions.iter().map(|partition| partition.window_end).max().unwrap_or(0);
            self.keep_now(Picoseconds(now));
        }
        let at_limit = status == RunStatus::TimeLimit;
        let end = self.partitions.iter().map(|partition| partition.now).max().unwrap_or(0);
        let simulated = if at_limit { limit } else { Picoseconds(end) };
        // What came since it looked last counts as well; the run is over whatever it answers.
        let _ = self.look(simulated);
        // What is still on its way to a port at the end does not cross it; a sink that refuses has done so before.
        let _ = self.collect_captured(simulated.0.saturating_add(1), true, sink);
        let captures = self.capture.map_or_else(Vec::new, Capture::counts);
        Ok(build_record(self.partitions, &self.jobs, status, simulated, captures))
    }

    /// Lets the meter look, if it is time.
    fn measure(&mut self, now: Picoseconds) -> ControlFlow<()> {
        if self.meter.as_ref().is_some_and(|meter| meter.next() <= now) {
            self.look(now)
        } else {
            ControlFlow::Continue(())
        }
    }

    fn look(&mut self, now: Picoseconds) -> ControlFlow<()> {
        let Some(meter) = &mut self.meter else { return ControlFlow::Continue(()) };
        let ports = self.partitions.iter().flat_map(|partition| {
            partition.outputs.iter().zip(partition.port_base..).map(|(output, port)| PortCount {
                port: PortIndex(port),
                packets: output.total_packets,
                bytes: output.total_bytes,
            })
        });
        meter.look(now, &mut { ports })
    }

    /// Hands over what crossed watched ports before `end`.
    fn collect_captured(&mut self, end: u64, last: bool, sink: &mut dyn CaptureSink) -> ControlFlow<()> {
        match &mut self.capture {
            Some(capture) => capture.collect(&mut self.partitions, end, last, sink),
            None => ControlFlow::Continue(()),
        }
    }

    /// Whether something was lost for good, so that ranks may wait for ever.
    fn lost_something(&self) -> bool {
        self.partitions.iter().any(|partition| !partition.recorder.failures.is_empty())
    }

    fn audit(&self) -> Result<(), FabricError> {
        audit::check(&self.partitions).map_err(|law| FabricError::Conservation { law })
    }

    fn stalled(&self, now: Picoseconds, still: Picoseconds) -> FabricError {
        FabricError::Stalled {
            time: now.to_string(),
            packets: self.partitions.iter().map(|partition| partition.packets.len()).sum(),
            still: still.to_string(),
            circle: audit::waiting_circle(&self.partitions),
        }
    }

    /// Fails when packets are in the fabric or ranks wait, although nothing is left to happen.
    fn nobody_waits(&self) -> Result<(), FabricError> {
        let now = Picoseconds(self.partitions.iter().map(|partition| partition.now).max().unwrap_or(0));
        if self.partitions.iter().any(|partition| partition.packets.len() > 0) {
            return Err(self.stalled(now, Picoseconds::ZERO));
        }
        let of_partition = |partition: &'_ Partition| -> Vec<String> {
            partition.ranks.iter().filter_map(|rank| rank.waits_for(&partition.match_pools)).collect()
        };
        let mut waiting = self.partitions.iter().flat_map(of_partition);
        match waiting.next() {
            None => Ok(()),
            Some(first) => {
                Err(FabricError::Waiting { time: now.to_string(), ranks: 1 + waiting.count() as u32, first })
            }
        }
    }

    pub(crate) const fn shared(&self) -> &Arc<Shared> {
        &self.shared
    }

    pub(crate) fn partitions_mut(&mut self) -> &mut Vec<Partition> {
        &mut self.partitions
    }
}

/// How long nothing may move while packets are in the fabric. A link without lanes keeps its frames and hopes.
fn patience(shared: &Shared) -> Picoseconds {
    if shared.has_link_layer { PATIENCE + shared.link.link_down_timer() } else { PATIENCE }
}

/// Links without noise, for runs in which things fail but nothing else is said of links.
fn has_equal_rates(topology: &Topology) -> bool {
    let ports = (0..topology.port_count() as u32).map(PortIndex);
    let mut rates = ports.filter(|&port| topology.port(port).peer != Peer::None).map(|port| topology.rate(port));
    rates.next().is_none_or(|first| rates.all(|rate| rate == first))
}

fn clean_link() -> LinkParameters {
    LinkParameters { bit_errors: 0, ..LinkParameters::slingshot() }
}

/// Division of an input buffer among channels.
///
/// The buffer is what it is for one class; more classes divide it. Where nothing is asked for, no more than half of it goes
/// into reserves.
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

/// Queue of a lossy class that says nothing of it, in bytes.
const LOSSY_QUEUE: u32 = 65_536;

/// What packets of each class do.
fn class_rules(config: &FabricConfig) -> Vec<ClassRule> {
    let rule = |(index, class): (usize, &TrafficClass)| ClassRule {
        ordered: class.ordered.unwrap_or(config.nic.ordered),
        nonminimal_bias_percent: class.nonminimal_bias_percent.unwrap_or(config.routing.nonminimal_bias_percent),
        responses: config.classes.responses(index as u8),
        queue_max_bytes: class.lossy.then(|| class.queue_max_bytes.unwrap_or(LOSSY_QUEUE)),
    };
    config.classes.classes().iter().enumerate().map(rule).collect()
}

fn check(
    config: &FabricConfig,
    kinds: &NicKinds,
    options: &RunOptions,
    jobs: &[Job],
    plan: &ChannelPlan,
) -> Result<(), FabricError> {
    if jobs.iter().all(|job| job.programs.is_empty()) {
        return Err(FabricError::NoRanks);
    }
    if options.time_limit == Picoseconds::MAX && !jobs.iter().any(|job| job.ends) {
        return Err(FabricError::Endless);
    }
    let nic = &config.nic;
    let payload = nic.payload_max_bytes;
    let largest = largest_packet(kinds);
    let least = plan.reserve_bytes.iter().min().copied().unwrap_or(0);
    if largest > least + plan.shared_bytes {
        let (reserve, shared) = (least, plan.shared_bytes);
        return Err(FabricError::BufferTooSmall { packet: largest, reserve, shared });
    }
    let positive = |what, value: u32, works| {
        if value > 0 { Ok(()) } else { Err(FabricError::Parameter { what, found: value.to_string(), works }) }
    };
    positive("nic.payload_max_bytes", payload, "a packet carries at least one byte")?;
    positive("host.copy_rate_mbytes", config.host.copy_rate_mbytes, "a copy within a node has a rate")?;
    if largest > u32::from(u16::MAX) {
        let works = "a packet with its headers is below 64 KiB";
        return Err(FabricError::Parameter { what: "nic.payload_max_bytes", found: payload.to_string(), works });
    }
    if config.switch.latency_spread_ns / 2 >= config.switch.latency_ns {
        let works = "half of it must be below switch.latency_ns";
        let found = config.switch.latency_spread_ns.to_string();
        return Err(FabricError::Parameter { what: "switch.latency_spread_ns", found, works });
    }
    if nic.edge_pause && config.switch.pause_off_bytes > config.switch.pause_on_bytes {
        let works = "it must not exceed switch.pause_on_bytes";
        let found = config.switch.pause_off_bytes.to_string();
        return Err(FabricError::Parameter { what: "switch.pause_off_bytes", found, works });
    }
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
fn largest_packet(kinds: &NicKinds) -> u32 {
    let of_form = |nic: &NicParameters| {
        let full = |first| philae_cassini::wire_bytes(nic, nic.payload_max_bytes, first);
        full(true).max(full(false))
    };
    kinds.forms().iter().map(of_form).max().unwrap_or(0)
}

/// Where links are paused, each buffer must take what is on its way while a pause takes effect.
fn check_headroom(
    config: &FabricConfig,
    kinds: &NicKinds,
    topology: &Topology,
    plan: &ChannelPlan,
) -> Result<(), FabricError> {
    let CongestionLaw::Ecn(law) = &config.congestion else { return Ok(()) };
    if law.pause_off_bytes > law.pause_on_bytes {
        let works = "it must not exceed congestion.pause_on_bytes";
        let found = law.pause_off_bytes.to_string();
        return Err(FabricError::Parameter { what: "congestion.pause_off_bytes", found, works });
    }
    let packet = u64::from(largest_packet(kinds));
    let switch = &config.switch;
    let logic =
        u64::from(switch.latency_ns + switch.fec_ns + switch.latency_spread_ns + 2 * switch.credit_latency_ns) * 1_000;
    for port in (0..topology.port_count() as u32).map(PortIndex) {
        if !matches!(topology.port(port).peer, Peer::Port(_)) {
            continue;
        }
        // There and back until the sender is silent, and once more until credits are accounted for.
        let span = 3 * topology.propagation(port).0 + logic;
        let on_the_way = span * u64::from(topology.rate(port).0) / 8_000_000 + 3 * packet;
        let needed = (u64::from(law.pause_on_bytes) + on_the_way) * plan.count() as u64;
        if needed > u64::from(plan.capacity_bytes()) {
            return Err(FabricError::PauseHeadroom {
                switch: topology.switch_of(port).0,
                port: topology.port_of(port).0,
                needed,
                available: plan.capacity_bytes(),
                channels: plan.count(),
                pause_on: law.pause_on_bytes,
                on_the_way,
            });
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
    for (job, found) in jobs.iter().enumerate() {
        bases.push(ranks.len() as u32);
        for place in &found.places {
            let nics = topology.endpoints_of(place.node);
            let endpoint = nics.start + u32::from(place.nic);
            if endpoint >= nics.end {
                let (job, node, found) = (found.name.clone(), place.node.0, nics.end - nics.start);
                return Err(FabricError::NoSuchNic { job, node, nic: place.nic, found });
            }
            let switch = topology.switch_of_endpoint(philae_units::EndpointId(endpoint));
            let partition = partition_of_switch[switch.index()];
            let local = &mut locals[usize::from(partition)];
            ranks.push(RankEntry { endpoint, node: place.node.0, job: job as u16, partition, local: *local });
            *local += 1;
        }
    }
    Ok((ranks, bases))
}

/// Puts the ranks into their partitions and schedules their starts.
fn start_ranks(shared: &Shared, partitions: &mut [Partition], jobs: Vec<Job>) -> Vec<JobMeta> {
    let mut metas = Vec::new();
    let mut number = 0_u32;
    for (index, job) in jobs.into_iter().enumerate() {
        let mut nodes: Vec<u32> = job.places.iter().map(|place| place.node.0).collect();
        nodes.sort_unstable();
        nodes.dedup();
        let mut skews = Stream::new(shared.options.seed, index as u64, 3);
        metas.push(JobMeta {
            name: job.name,
            workload: job.workload,
            ranks: job.programs.len() as u32,
            nodes: nodes.len() as u32,
            ends: job.ends,
        });
        for program in job.programs {
            let entry = shared.ranks[number as usize];
            let partition = &mut partitions[usize::from(entry.partition)];
            partition.unfinished += u32::from(job.ends);
            let skew = match shared.options.start_skew.0 {
                0 => 0,
                span => skews.next_u64() % (span + 1),
            };
            let time = job.start.0 + skew;
            partition.ranks.push(Rank::new(number, program, job.ends));
            if shared.limits_entries {
                partition.entries.push(RankEntries::new(shared.nic(entry.endpoint)));
            }
            partition
                .calendar
                .push(shared.targets.run(time, number, START), Event::Run { rank: entry.local, handle: START });
            number += 1;
        }
    }
    metas
}

/// The shortest time in which anything crosses from one group to another; a pause to look at the clock where there is
/// only one.
fn lookahead(shared: &Shared) -> Picoseconds {
    let topology = shared.topology();
    let switch = &shared.config.switch;
    let hop = switch.latency_ns + switch.fec_ns - switch.latency_spread_ns / 2;
    let logic = hop.min(switch.credit_latency_ns).min(switch.ack_latency_ns);
    let crossing = (0..topology.port_count() as u32)
        .map(PortIndex)
        .filter(|&port| match topology.port(port).peer {
            Peer::Port(peer) => {
                topology.group_of(topology.switch_of(port)) != topology.group_of(topology.switch_of(peer))
            }
            Peer::Endpoint(_) | Peer::None => false,
        })
        .map(|port| topology.propagation(port).0)
        .min();
    crossing.map_or(Picoseconds::from_micros(1), |propagation| Picoseconds(propagation + u64::from(logic) * 1_000))
}
