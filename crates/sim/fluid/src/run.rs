//! A run: events of hosts at their exact times, and rates that are computed again in between.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};
use std::ops::ControlFlow;
use std::sync::Arc;

use philae_engine::RandomStream;
use philae_fabric::{Advance, FabricConfig, FabricError, FaultTarget, Job, RunOptions, WaitChain};
use philae_nic_core::nic::{MatchMode, MatchPools};
use philae_nic_model::{
    ConnectionCache, HeldState, HostProtocol, NodeParameters, PacketPurpose, ResponseScope, packet_count, wire_bytes,
};
use philae_results::Histogram;
use philae_results::open_messages::OpenMessages;
use philae_results::record::{
    ClassSample, IterationRow, MessageRow, PortSample, RateTotals, RunRecord, RunStatus, ScheduleTotals,
};
use philae_topology::{PortPeer, Topology};
use philae_units::{Bytes, ClassId, JobId, Picoseconds, PortIndex};
use philae_workload::{Action, OpHandle, Wait};

use crate::classes::Classes;
use crate::error::FluidError;
use crate::flows::{Flows, MessageLoad};
use crate::host::Rank;
use crate::limits::JobObservations;
use crate::paths::{FluidNetwork, MessagePath};
use crate::{check, doubt, law, record};

/// Events between two reports of progress: about a tenth of a second.
const EVENTS_PER_REPORT: u64 = 1 << 16;
/// Maximum number of cached paths: those of the first pairs. Source: ours: some megabytes. Status:
/// assumed.
const PATHS_KEPT: usize = 1 << 16;

#[derive(Clone, Copy, Debug)]
pub struct FluidMessage {
    pub purpose: PacketPurpose,
    pub job: u16,
    /// Traffic class.
    pub class: ClassId,
    /// Sending rank, over all jobs.
    pub source_rank: u32,
    /// Receiving rank, over all jobs.
    pub destination_rank: u32,
    /// Sending endpoint.
    pub source: u32,
    /// Receiving endpoint.
    pub destination: u32,
    /// Payload.
    pub bytes: u64,
    /// Payload of the operation that it serves.
    pub operation_bytes: u64,
    pub tag: u32,
    /// Handle of the operation at its issuer.
    pub issuer_handle: u32,
    /// Handle of the receive that it was matched with.
    pub receive_handle: u32,
    /// When the operation was issued, in picoseconds.
    pub issued: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum FluidEvent {
    /// A rank continues; `None` at its start.
    Run {
        /// Over all jobs.
        rank: u32,
        /// The completed operation.
        handle: Option<u32>,
    },
    /// A NIC begins to send.
    Begin { message: u32 },
    /// The last bit reaches the other NIC.
    Arrive { message: u32 },
    /// The receiver sees the message.
    Visible { message: u32 },
    /// Rates are computed again.
    Recompute,
    /// A sampling interval ends.
    Sample,
    /// Measuring begins.
    Measure,
    /// A fault of the scenario begins or ends.
    Fault { fault: u32, begins: bool },
}

/// A running job.
#[derive(Clone, Debug)]
pub struct JobState {
    pub name: String,
    pub workload: String,
    pub nodes: u32,
    pub ranks: u32,
    pub first_rank: u32,
    pub class: ClassId,
    pub records: bool,
    /// Iterations that its ranks count; endless if `None`.
    pub iterations: Option<u32>,
    /// Payload that each rank offers by a schedule, in Gb/s.
    pub offered_gbps: Option<f64>,
    pub schedule: ScheduleTotals,
    /// Messages that its ranks issued since measuring began.
    pub issued: u64,
    /// Those among them that were not delivered.
    pub open: OpenMessages,
    /// The first so many iterations are those that a rank began in the warm-up.
    pub early: u32,
    /// Ranks that have finished, and when the last did.
    pub finished: (u32, u64),
    /// Payload delivered since measuring began, and the part of it in samples so far.
    pub delivered: u64,
    pub sampled: u64,
    pub latency: Histogram,
}

/// A run in rates, built and not yet started.
pub struct FluidSimulation {
    pub(crate) topology: Arc<Topology>,
    pub(crate) config: FabricConfig,
    pub(crate) options: RunOptions,
    pub(crate) ranks: Vec<Rank>,
    pub(crate) jobs: Vec<JobState>,
    pub(crate) pools: MatchPools,
    pub(crate) now: u64,
    pub(crate) unfinished: u32,
    pub(crate) actions: Vec<Action>,
    pub(crate) held: Vec<FluidMessage>,
    pub(crate) iterations: Vec<IterationRow>,
    pub(crate) messages_kept: Vec<MessageRow>,
    pub(crate) network: FluidNetwork,
    pub(crate) flows: Flows,
    pub(crate) samples: Vec<PortSample>,
    pub(crate) class_samples: Vec<ClassSample>,
    /// Messages and bytes.
    pub(crate) totals: RateTotals,
    pub(crate) events: u64,
    pub(crate) digest: u64,
    some_end: bool,
    messages: Vec<FluidMessage>,
    vacant: Vec<u32>,
    paths: BTreeMap<(u32, u32), MessagePath>,
    /// State of connections in each NIC; empty where NICs have no limit for it.
    connections: Vec<ConnectionCache>,
    /// Messages for which a NIC read such state.
    connections_read: u64,
    calendar: BinaryHeap<Reverse<(u64, u64, FluidEvent)>>,
    pushed: u64,
    /// The next time at which rates are recomputed.
    recompute_at: u64,
    /// Endpoints without a path between them.
    cut: Option<(u32, u32)>,
    /// Faults that began or ended while messages were in transit.
    changes: u64,
    intervals: u32,
}

impl FluidSimulation {
    /// Builds a run of `jobs` on `topology`.
    ///
    /// # Errors
    /// [`FluidError`] if rates cannot represent the jobs' traffic, or the jobs cannot run.
    pub fn new(
        topology: Arc<Topology>,
        config: FabricConfig,
        options: RunOptions,
        jobs: Vec<Job>,
    ) -> Result<Self, FluidError> {
        check::refuse(&topology, &config, &options, &jobs)?;
        let topology = topology.with_optical_retiming(Picoseconds::from_nanos(config.switch.optical_cable_ns.into()));
        let mut network = FluidNetwork::new(
            Arc::clone(&topology),
            config.routing.mode,
            config.switch.latency_ns,
            config.switch.fec_ns,
        );
        for fault in config.resilience.faults.iter().filter(|fault| fault.start == Picoseconds::ZERO) {
            network.change(&ports_of(&topology, fault.target), true);
        }
        let buffer = law::buffer_bytes(&config.congestion, &config.switch);
        let spreading = law::spreads(&config.congestion).then_some(buffer);
        let flows = Flows::new(
            &network,
            Classes::new(&config.classes),
            spreading,
            options.records.sample_interval > Picoseconds::ZERO,
            jobs.len(),
        );
        let connections = if config.nic.connections_max == 0 {
            Vec::new()
        } else {
            vec![ConnectionCache::new(config.nic.connections_max); topology.endpoint_count()]
        };
        let mut run = Self {
            some_end: jobs.iter().any(|job| job.iterations.is_some()),
            topology,
            config,
            ranks: Vec::new(),
            jobs: Vec::new(),
            pools: MatchPools::default(),
            now: 0,
            unfinished: 0,
            actions: Vec::new(),
            held: Vec::new(),
            iterations: Vec::new(),
            messages_kept: Vec::new(),
            network,
            flows,
            samples: Vec::new(),
            class_samples: Vec::new(),
            totals: RateTotals::default(),
            events: 0,
            digest: 0xcbf2_9ce4_8422_2325,
            messages: Vec::new(),
            vacant: Vec::new(),
            paths: BTreeMap::new(),
            connections,
            connections_read: 0,
            calendar: BinaryHeap::new(),
            pushed: 0,
            recompute_at: u64::MAX,
            cut: None,
            changes: 0,
            intervals: 0,
            options,
        };
        for (index, job) in jobs.into_iter().enumerate() {
            run.add_job(index as u16, job)?;
        }
        if run.options.warm_up > Picoseconds::ZERO {
            run.push(run.options.warm_up.0, FluidEvent::Measure);
        }
        for (fault, found) in run.config.resilience.faults.clone().iter().enumerate() {
            let fault = fault as u32;
            if found.start > Picoseconds::ZERO {
                run.push(found.start.0, FluidEvent::Fault { fault, begins: true });
            }
            if let Some(until) = found.until {
                run.push(until.0, FluidEvent::Fault { fault, begins: false });
            }
        }
        if run.options.records.sample_interval > Picoseconds::ZERO {
            run.push(run.options.records.sample_interval.0, FluidEvent::Sample);
        }
        Ok(run)
    }

    fn add_job(&mut self, index: u16, job: Job) -> Result<(), FluidError> {
        let mut nodes: Vec<u32> = job.places.iter().map(|place| place.node.0).collect();
        nodes.sort_unstable();
        nodes.dedup();
        self.jobs.push(JobState {
            name: job.name.clone(),
            workload: job.workload,
            nodes: nodes.len() as u32,
            ranks: job.programs.len() as u32,
            first_rank: self.ranks.len() as u32,
            class: job.class,
            records: job.record_messages,
            iterations: job.iterations,
            offered_gbps: job.offered_gbps,
            schedule: ScheduleTotals::default(),
            issued: 0,
            open: OpenMessages::default(),
            early: 0,
            finished: (0, 0),
            delivered: 0,
            sampled: 0,
            latency: Histogram::default(),
        });
        let mut skews = RandomStream::new(self.options.seed, u64::from(index), 3);
        for (place, program) in job.places.iter().zip(job.programs) {
            let nics = self.topology.endpoints_of(place.node);
            let endpoint = nics.start + u32::from(place.nic);
            if endpoint >= nics.end {
                let (job, node, found) = (job.name, place.node.0, nics.end - nics.start);
                return Err(FabricError::NoSuchNic { job, node, nic: place.nic, found }.into());
            }
            let skew = match self.options.start_skew.0 {
                0 => 0,
                span => skews.next_u64() % (span + 1),
            };
            let number = self.ranks.len() as u32;
            self.unfinished += u32::from(job.iterations.is_some());
            self.ranks.push(Rank::new(index, place.node.0, endpoint, program, job.iterations.is_some()));
            self.push(job.start.0 + skew, FluidEvent::Run { rank: number, handle: None });
        }
        Ok(())
    }

    /// Something will happen.
    pub(crate) fn push(&mut self, time: u64, event: FluidEvent) {
        self.pushed += 1;
        self.calendar.push(Reverse((time, self.pushed, event)));
    }

    /// Tells a rank that an operation has completed at `time`.
    /// The protocol of hosts and NICs: all are equal.
    pub(crate) fn protocol(&self) -> HostProtocol<'_> {
        HostProtocol { host: &self.config.host, nic: &self.config.nic }
    }

    pub(crate) fn finish_operation(&mut self, rank: u32, handle: u32, time: u64) {
        self.push(time, FluidEvent::Run { rank, handle: Some(handle) });
    }

    /// A message by its number.
    pub(crate) fn message(&self, record: u32) -> &FluidMessage {
        &self.messages[record as usize]
    }

    /// Keeps a message.
    pub(crate) fn keep(&mut self, message: FluidMessage) -> u32 {
        match self.vacant.pop() {
            Some(slot) => {
                self.messages[slot as usize] = message;
                slot
            }
            None => {
                self.messages.push(message);
                (self.messages.len() - 1) as u32
            }
        }
    }

    /// Forgets a message.
    pub(crate) fn forget(&mut self, record: u32) {
        self.vacant.push(record);
    }

    /// Whether NICs match messages, and not software.
    pub(crate) fn nic_matches(&self) -> bool {
        self.config.nic.match_offload && self.config.nic.match_mode != MatchMode::Software
    }

    /// When the NIC of `endpoint` can go on with a message for which everything else is there at
    /// `time`: when it has the state of the connection between a rank behind it and a peer, which
    /// crosses an idle bus.
    pub(crate) fn connected(
        &mut self,
        endpoint: u32,
        purpose: PacketPurpose,
        (own, peer): (u32, u32),
        time: u64,
    ) -> u64 {
        let by_kernel = purpose == PacketPurpose::Eager && self.config.host.path.is_kernel();
        let Some(cache) = self.connections.get_mut(endpoint as usize).filter(|_| !by_kernel) else { return time };
        match cache.uses(own, peer, self.now) {
            HeldState::Here => time,
            HeldState::Comes(until) => time.max(until),
            HeldState::Missing => {
                self.connections_read += 1;
                let nic = &self.config.nic;
                let on_bus = |node: &NodeParameters| node.read_time(nic.connection_bytes.into(), nic.dma_read_ns);
                let latency = u64::from(nic.dma_read_ns) * 1_000;
                let until = time + latency + self.config.node.as_ref().map_or(0, on_bus);
                cache.reads(own, peer, until);
                until
            }
        }
    }

    /// A NIC sends a message from `ready` on.
    pub(crate) fn begin(&mut self, message: FluidMessage, ready: u64) {
        let pair = (message.source_rank, message.destination_rank);
        let ready = self.connected(message.source, message.purpose, pair, ready);
        let node = self.config.node.as_ref();
        let ready = ready + node.map_or(0, |node| node.first_read(message.purpose, message.bytes, &self.config.nic));
        let message = self.keep(message);
        self.push(ready, FluidEvent::Begin { message });
    }

    fn path(&mut self, source: u32, destination: u32) -> MessagePath {
        if let Some(path) = self.paths.get(&(source, destination)) {
            return path.clone();
        }
        let path = self.network.path(source, destination);
        if path.is_cut {
            self.cut = Some((source, destination));
        }
        if self.paths.len() < PATHS_KEPT {
            self.paths.insert((source, destination), path.clone());
        }
        path
    }

    /// Time until an acknowledgement is back: the same cables and switches.
    pub(crate) fn acknowledgement(&mut self, message: &FluidMessage) -> u64 {
        let path = self.path(message.source, message.destination);
        let switch = &self.config.switch;
        let inside = path.switches * u64::from(switch.latency_ns) + (path.switches + 1) * u64::from(switch.fec_ns);
        let cables = path.latency.saturating_sub(inside * 1_000);
        cables + (path.switches + 1) * u64::from(switch.ack_latency_ns) * 1_000
    }

    /// When an issuer's operation ends whose message its NIC has `handled` and that is in memory at
    /// `written`. The switches' acknowledgement leaves `after` that, a response without waiting for
    /// it.
    ///
    /// A response crosses an idle fabric: the time of its bytes on the shortest path. What
    /// responses take of other messages' links is not counted.
    pub(crate) fn ends_after(&mut self, message: &FluidMessage, [handled, written]: [u64; 2], after: u64) -> u64 {
        if self.config.nic.responses == ResponseScope::Switch {
            return written + self.acknowledgement(message) + after;
        }
        let path = self.path(message.destination, message.source);
        let bytes = match self.config.uet_sizes() {
            Some(sizes) => sizes.acknowledgement(true),
            None => wire_bytes(&self.config.nic, 0, false) + self.config.nic.edge_gap_bytes,
        };
        let wire = (f64::from(bytes) / self.network.capacities()[message.destination as usize]).round() as u64;
        let protocol = self.protocol();
        handled + protocol.response(message.purpose) + wire + path.latency + protocol.answered()
    }

    /// A message's flow begins.
    fn begin_flow(&mut self, number: u32) {
        let message = *self.message(number);
        let nic = &self.config.nic;
        let bytes = Bytes(message.bytes);
        let packets = packet_count(nic, bytes);
        let full = u64::from(nic.payload_max_bytes);
        let last = (message.bytes - (packets - 1) * full.min(message.bytes)) as u32;
        let first = if packets == 1 { last } else { nic.payload_max_bytes };
        let mut wire = u64::from(wire_bytes(nic, first, true));
        if packets > 1 {
            wire += (packets - 2) * u64::from(wire_bytes(nic, nic.payload_max_bytes, false));
            wire += u64::from(wire_bytes(nic, last, false));
        }
        let mut gaps = packets * u64::from(nic.edge_gap_bytes);
        if let Some(sizes) = self.config.uet_sizes() {
            (wire, gaps) = (sizes.message(message.purpose, (message.bytes, message.operation_bytes)), 0);
        }
        let (send_gap, write_gap) = (u64::from(nic.packet_gap_ps), u64::from(nic.write_gap_ps));
        let begin_gap = send_gap.max(u64::from(nic.operation_gap_ps));
        let mut path = self.path(message.source, message.destination);
        let endpoints = self.topology.endpoint_count() as u32;
        let (on_bus, to_memory) = self.bus_times(&message, packets - 1, u64::from(last));
        let edges = [
            (message.source, on_bus.max(begin_gap + (packets - 1) * send_gap)),
            (endpoints + message.destination, to_memory.max(if message.bytes > 0 { packets * write_gap } else { 0 })),
        ];
        // What a packet costs beyond its bytes: gaps of Ethernet, the NIC's and the host's time for
        // each.
        for (edge, least) in edges {
            let capacity = self.network.capacities()[edge as usize];
            let bytes = ((wire + gaps) as f64).max(least as f64 * capacity);
            for part in path.first.iter_mut().chain(&mut path.second).filter(|part| part.resource == edge) {
                part.fraction = bytes / wire as f64;
            }
        }
        let asks = matches!(
            message.purpose,
            PacketPurpose::RendezvousRequest | PacketPurpose::ReadRequest | PacketPurpose::GetRequest
        );
        let alone = wire as f64 / self.network.capacities()[message.source as usize];
        let short = alone < 2.0 * path.latency as f64;
        if !asks {
            let seen = &mut self.flows.seen[usize::from(message.job)];
            seen.messages += 1;
            seen.payload += message.bytes;
            seen.short += u64::from(short);
        }
        self.totals.messages += 1;
        let asked = message.class.0;
        let responds =
            matches!(message.purpose, PacketPurpose::ReadData | PacketPurpose::GetData | PacketPurpose::AmoData);
        let class = if responds { self.config.classes.responses(asked) } else { asked };
        let load = MessageLoad {
            message: number,
            job: message.job,
            class,
            ends: (message.source, message.destination),
            path,
            wire_bytes: wire as f64,
            payload: message.bytes,
            short,
        };
        let within = self.flows.start(&self.network, load, self.now);
        self.recompute_within(within);
    }

    /// Times for which a message of `full` full packets and one of `last` bytes occupies the buses
    /// of its ends: the reads and the command at its source, the writes and the event at its
    /// destination. The requests of reads, which go with the writes, are left out.
    fn bus_times(&self, message: &FluidMessage, full: u64, last: u64) -> (u64, u64) {
        let (Some(node), nic) = (&self.config.node, &self.config.nic) else { return (0, 0) };
        let (payload, latency) = (u64::from(nic.payload_max_bytes), nic.dma_read_ns);
        let reads = if NodeParameters::reads_payload(message.purpose, message.bytes, nic) {
            full * node.read_time(payload, latency) + node.read_time(last, latency)
        } else {
            0
        };
        let event =
            if NodeParameters::writes_event(message.purpose, self.nic_matches()) { node.event_time() } else { 0 };
        let writes = if message.bytes > 0 { full * node.write_time(payload) + node.write_time(last) } else { 0 };
        (reads + node.command_time(), writes + event)
    }

    /// When the last packet of a message that arrives now, and its event, are in memory.
    pub(crate) fn written(&self, message: &FluidMessage) -> u64 {
        let (Some(node), nic) = (&self.config.node, &self.config.nic) else { return self.now };
        let last = match message.bytes % u64::from(nic.payload_max_bytes) {
            0 if message.bytes > 0 => u64::from(nic.payload_max_bytes),
            last => last,
        };
        let told = NodeParameters::writes_event(message.purpose, self.nic_matches());
        let written = if last > 0 { node.write_time(last) } else { 0 };
        self.now + written + if told { node.event_time() } else { 0 }
    }

    fn recompute_within(&mut self, span: u64) {
        let time = self.now + span;
        if time < self.recompute_at {
            self.recompute_at = time;
            self.push(time, FluidEvent::Recompute);
        }
    }

    fn end_flow(&mut self) {
        let Some(ended) = self.flows.end(&self.network) else { return };
        let message = *self.message(ended.message);
        self.totals.messages_arrived += 1;
        self.totals.wire_bytes += ended.wire_bytes.round() as u64;
        self.jobs[usize::from(message.job)].delivered += ended.counted;
        self.push(ended.arrives.max(self.now), FluidEvent::Arrive { message: ended.message });
        if message.purpose == PacketPurpose::Eager {
            self.finish_operation(message.source_rank, message.issuer_handle, self.now);
        }
        self.recompute_within(self.flows.window());
    }

    fn sample(&mut self) {
        self.flows.move_to(self.now);
        let crossed = self.flows.take_crossed();
        let nic = &self.config.nic;
        let full = self.config.uet_sizes().map(|sizes| sizes.full());
        let packet = f64::from(full.unwrap_or_else(|| wire_bytes(nic, nic.payload_max_bytes, false)));
        for (resource, &bytes) in crossed.iter().enumerate().filter(|&(_, &bytes)| bytes >= 1.0) {
            let ports = self.network.told_by(resource as u32);
            let each = bytes / ports.len().max(1) as f64;
            for port in ports {
                self.samples.push(PortSample {
                    interval: self.intervals,
                    port,
                    bytes: Bytes(each.round() as u64),
                    packets: (each / packet).ceil() as u32,
                    queued_bytes_max: Bytes::ZERO,
                    stalled: Picoseconds::ZERO,
                });
            }
        }
        let mut delivered: Vec<u64> = self.jobs.iter().map(|job| job.delivered).collect();
        for (message, bytes) in self.flows.under_way() {
            delivered[usize::from(self.messages[message as usize].job)] += bytes;
        }
        for (number, (job, delivered)) in self.jobs.iter_mut().zip(delivered).enumerate() {
            let bytes = delivered.saturating_sub(job.sampled);
            job.sampled = delivered;
            if bytes > 0 {
                let packets = bytes.div_ceil(u64::from(self.config.nic.payload_max_bytes)) as u32;
                let (interval, class, bytes) = (self.intervals, job.class, Bytes(bytes));
                self.class_samples.push(ClassSample { interval, job: JobId(number as u16), class, bytes, packets });
            }
        }
        self.intervals += 1;
    }

    /// Runs to the end. `progress` is called now and then and may stop the run.
    ///
    /// # Errors
    /// [`FluidError`] when ranks wait for messages that no rank sends.
    pub fn run(mut self, progress: &mut dyn FnMut(Advance) -> ControlFlow<()>) -> Result<FluidRun, FluidError> {
        let limit = self.options.time_limit.0;
        let status = loop {
            if self.some_end && self.unfinished == 0 {
                break RunStatus::Completed;
            }
            let event = self.calendar.peek().map(|Reverse((time, ..))| *time);
            let end = self.flows.next_end();
            let Some(time) = event.into_iter().chain(end).min().filter(|&time| time < u64::MAX) else {
                if self.unfinished == 0 && self.ranks.iter().all(|rank| rank.finished) {
                    break RunStatus::Completed;
                }
                return Err(self.waiting());
            };
            let idle = end.is_none()
                && self
                    .calendar
                    .iter()
                    .all(|Reverse((_, _, event))| matches!(event, FluidEvent::Sample | FluidEvent::Fault { .. }));
            if idle {
                return Err(self.waiting());
            }
            if time > limit {
                self.now = limit;
                break RunStatus::TimeLimit;
            }
            self.now = time;
            self.events += 1;
            self.digest = (self.digest ^ time).wrapping_mul(0x0100_0000_01b3);
            // A computation of the rates of all flows takes as long as many other events.
            let mut is_long = false;
            if end.is_some_and(|end| end <= event.unwrap_or(u64::MAX)) {
                self.end_flow();
            } else if let Some(Reverse((_, _, event))) = self.calendar.pop() {
                is_long = matches!(event, FluidEvent::Recompute | FluidEvent::Fault { .. });
                self.handle(event);
            }
            if let Some((source, destination)) = self.cut {
                let (what, works) = ("messages that cannot arrive", "a run in packets (without --fluid)");
                let found = format!("faults leave no path from endpoint {source} to endpoint {destination}");
                return Err(FluidError::Refused { what, found, works });
            }
            if (is_long || self.events.is_multiple_of(EVENTS_PER_REPORT)) && progress(self.advance()).is_break() {
                break RunStatus::Interrupted;
            }
        };
        self.finish(status)
    }

    fn advance(&self) -> Advance {
        let (now, events, unfinished) = (Picoseconds(self.now), self.events, self.unfinished);
        Advance { now, events, packet_hops: 0, unfinished }
    }

    fn handle(&mut self, event: FluidEvent) {
        match event {
            FluidEvent::Run { rank, handle } => self.run_rank(rank, handle.map(OpHandle)),
            FluidEvent::Begin { message } => self.begin_flow(message),
            FluidEvent::Arrive { message } => self.arrived(message),
            FluidEvent::Visible { message } => self.visible(message),
            // An earlier computation has made this one unnecessary.
            FluidEvent::Recompute if self.now < self.recompute_at => {}
            FluidEvent::Recompute => {
                self.recompute_at = u64::MAX;
                self.flows.recompute_rates(&self.network, self.now);
            }
            FluidEvent::Fault { fault, begins } => {
                let ports = ports_of(&self.topology, self.config.resilience.faults[fault as usize].target);
                self.network.change(&ports, begins);
                self.paths.clear();
                self.cut = self.flows.reroute(&mut self.network, self.now).or(self.cut);
                self.changes += u64::from(self.flows.is_busy());
            }
            FluidEvent::Sample => {
                self.sample();
                self.push(self.now + self.options.records.sample_interval.0, FluidEvent::Sample);
            }
            FluidEvent::Measure => {
                self.flows.begin_measuring(self.now);
                self.jobs.iter_mut().for_each(|job| (job.delivered, job.sampled) = (0, 0));
            }
        }
    }

    fn waiting(&self) -> FluidError {
        let waiting = self.ranks.iter().zip(0..).filter(|(rank, _)| !rank.finished);
        let waiting: BTreeMap<u32, Wait> = waiting.map(|(rank, number)| (number, rank.waits_for())).collect();
        let base = |number: u32| self.jobs[usize::from(self.ranks[number as usize].job)].first_rank;
        let partner = |(&number, wait): (&u32, &Wait)| {
            (number, wait.partner.map(|partner| base(number).saturating_add(partner.0)))
        };
        let chain = WaitChain::of(&waiting.iter().map(partner).collect());
        let called = |number: u32| {
            let job = &self.jobs[usize::from(self.ranks[number as usize].job)];
            format!("job {}, rank {}", job.name, number - job.first_rank)
        };
        let words = waiting.iter().map(|(number, wait)| (*number, wait.words.clone())).collect();
        let time = format!("{:.3} µs", Picoseconds(self.now).as_micros_f64());
        FabricError::Waiting { time, ranks: waiting.len() as u32, waiting: chain.text(called, &words) }.into()
    }

    fn finish(mut self, status: RunStatus) -> Result<FluidRun, FluidError> {
        self.flows.move_to(self.now);
        if self.options.records.sample_interval > Picoseconds::ZERO {
            self.sample();
        }
        let under_way: Vec<(u32, u64)> = self.flows.under_way().collect();
        for (message, bytes) in under_way {
            let job = self.message(message).job;
            self.jobs[usize::from(job)].delivered += bytes;
        }
        let law = &self.config.congestion;
        let told = |seen: &JobObservations| JobTold { seen: *seen, doubt: doubt::of_job(law, seen) };
        let jobs = self.flows.seen.iter().map(told).collect();
        let doubts =
            doubt::of_run(&self.topology, &self.config, self.changes, (self.connections_read, self.totals.messages));
        Ok(FluidRun { record: record::build(self, status), doubts, jobs })
    }
}

/// The information about a job in addition to the record.
#[derive(Clone, Debug)]
pub struct JobTold {
    /// What its messages met.
    pub seen: JobObservations,
    /// Why its times are not to be trusted, for people; `None` if the job met nothing that rates
    /// are known to misrepresent.
    pub doubt: Option<String>,
}

/// The result of a run in rates.
#[derive(Clone, Debug)]
pub struct FluidRun {
    /// As of a run in packets; fields that only packets have are empty or zero.
    pub record: RunRecord,
    /// Why no time of the run is to be trusted, for people; empty if errors were measured on
    /// similar runs.
    pub doubts: Vec<String>,
    /// What each job met, and why its times are not to be trusted.
    pub jobs: Vec<JobTold>,
}

/// The ports of a fault's links, at both ends of each link.
fn ports_of(topology: &Topology, target: FaultTarget) -> Vec<PortIndex> {
    let own: Vec<PortIndex> = match target {
        FaultTarget::Link(port) => vec![port],
        FaultTarget::Switch(switch) => topology.ports_of(switch).map(|(index, _)| index).collect(),
        FaultTarget::Nic(endpoint) => vec![topology.endpoint(endpoint).port],
    };
    let far = own.iter().filter_map(|&port| match topology.port(port).peer {
        PortPeer::Port(peer) => Some(peer),
        PortPeer::Endpoint(_) | PortPeer::None => None,
    });
    own.iter().copied().chain(far).collect()
}
