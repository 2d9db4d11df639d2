//! A partition: the switches of some groups, their NICs and the ranks on their nodes, with a
//! calendar of its own.
//!
//! A handler touches only its own partition. Anything for another partition goes there as
//! [`PartitionTraffic`](crate::sched::outbox::PartitionTraffic), and takes at least the propagation of the
//! shortest link between partitions.

use std::sync::Arc;

use philae_congestion::CongestionLaw;
use philae_engine::{Digest, EventKey, Stream};
use philae_link_layer::LinkParameters;
use philae_nic_core::nic::MatchPools;
use philae_path::Router;
use philae_results::fault::RetryTotals;
use philae_switch::port::{ChannelPlan, ChannelState, Voqs};
use philae_topology::{Peer, PortRole, Topology};
use philae_traffic_class::{Account, Common, Schedule};
use philae_units::{PortIndex, SwitchId};

use crate::memory::keyed::SlotTable;
use crate::memory::prefetch_queue::PrefetchQueue;
use crate::memory::slab::Slab;
use crate::model::collective::{Collectives, Trees};
use crate::model::config::{FabricConfig, RunOptions};
use crate::model::discard::Losses;
use crate::model::edge::NicKinds;
use crate::model::event::EventTargets;
use crate::model::flow::{Flow, FlowTable, NicFlow};
use crate::model::health::Health;
use crate::model::host::RankState;
use crate::model::link_layer::LinkEnd;
use crate::model::matching::RankEntries;
use crate::model::nic::Nic;
use crate::model::output::{EndpointCongestion, FarEnd, Output, OutputLoad, Wire};
use crate::model::overlay::{Overlay, Verdicts};
use crate::model::packet::{Header, Incoming, Links, Outgoing, Packet};
use crate::model::reliable::Retries;
use crate::model::resilience::Fault;
use crate::model::shares::{ShareQueues, Shares};
use crate::model::timeline::Timeline;
use crate::observe::counters::ClassTraffic;
use crate::observe::observer::Observer;
use crate::observe::recorder::Recorder;
use crate::sched::blocks::Blocks;
use crate::sched::deferred::DeferredRequests;
use crate::sched::division::PartRange;
use crate::sched::outbox::{LeavingPacket, Outbox};
use crate::sched::returning::ReturningCredits;

/// Address space is reserved from the beginning for this many packets in flight per endpoint: more
/// than most runs have. Source: ours; it takes memory only where it is used. Status: assumed.
const PACKETS_EXPECTED: usize = 64;

/// What all partitions share. It does not change during a run.
pub struct Shared {
    /// Hardware and laws.
    pub config: FabricConfig,
    /// The kind of each NIC.
    pub kinds: NicKinds,
    pub options: RunOptions,
    pub router: Router,
    /// How the channels divide the input buffers.
    pub plan: ChannelPlan,
    /// The numbering of event targets.
    pub targets: EventTargets,
    pub partition_of_switch: Vec<u16>,
    /// The location of each rank, counted over all jobs.
    pub ranks: Vec<RankEntry>,
    /// First rank of each job.
    pub rank_base: Vec<u32>,
    /// Behaviour of packets by traffic class.
    pub rules: Vec<ClassRule>,
    /// How classes share a link; `None` where no class needs scheduling.
    pub schedule: Option<Schedule>,
    /// How classes share the output of a NIC; `None` where no class needs scheduling.
    pub host_schedule: Option<Schedule>,
    pub job_class: Vec<u8>,
    /// Whether a packet needs a flow at its ingress port.
    pub tracks_flows: bool,
    /// Whether links are modelled frame by frame.
    pub has_link_layer: bool,
    /// Whether all links have one rate, for the whole run. If so, no output runs dry behind a slow
    /// input.
    pub has_equal_rates: bool,
    /// Whether NICs have a limited number of list entries, or software matches.
    pub limits_entries: bool,
    /// Whether NICs keep what they sent until it is acknowledged.
    pub is_reliable: bool,
    /// Link parameters; without noise unless the scenario asks for it.
    pub link: LinkParameters,
    /// Whether each job's messages are kept as rows.
    pub job_records: Vec<bool>,
    /// Collective trees, if a job leaves operations to the switches.
    pub trees: Option<Trees>,
    /// The packet engine at the edge, if there is a program.
    pub overlay: Option<Overlay>,
    /// The shortest time before another switch or a NIC can see an effect of a packet's request for
    /// an output, in picoseconds. 0: requests are not deferred.
    pub unseen_ps: u64,
    /// Routes between fabrics, through gateway nodes.
    pub gateways: crate::model::fabric_gateway::FabricGateways,
}

/// Behaviour of a traffic class's packets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClassRule {
    /// Packets of a flow stay in order.
    pub ordered: bool,
    /// Extra weight of nonminimal paths, in per cent.
    pub nonminimal_bias_percent: u32,
    /// Class of the responses to packets of this class.
    pub responses: u8,
    /// An output discards packets of this class while its queue of them is longer than this, in
    /// bytes.
    pub queue_max_bytes: Option<u32>,
}

/// The location of a rank.
#[derive(Clone, Copy, Debug)]
pub struct RankEntry {
    /// The endpoint through which it sends and receives.
    pub endpoint: u32,
    pub node: u32,
    pub job: u16,
    pub partition: u16,
    /// Index in its partition's list.
    pub local: u32,
}

impl Shared {
    pub fn topology(&self) -> &Arc<Topology> {
        self.router.topology()
    }

    /// Number of partitions.
    pub fn partition_count(&self) -> usize {
        self.partition_of_switch.iter().max().map_or(0, |&last| usize::from(last) + 1)
    }

    pub fn partition_of_end(&self, end: u32) -> u16 {
        if end < self.targets.ports {
            self.partition_of_switch[switch_of(self, end).index()]
        } else {
            self.partition_of_endpoint(end - self.targets.ports)
        }
    }

    #[inline]
    pub fn partition_of_endpoint(&self, endpoint: u32) -> u16 {
        let switch = self.topology().switch_of_endpoint(philae_units::EndpointId(endpoint));
        self.partition_of_switch[switch.index()]
    }
}

pub struct Partition {
    /// What all partitions share.
    pub shared: Arc<Shared>,
    pub number: u16,
    /// Whether links between switches are paused rather than held by credits.
    pub pauses_links: bool,
    pub calendar: Blocks,
    /// Digest of the handled events.
    pub digest: Digest,
    /// Number of handled events.
    pub events: u64,
    /// How far ahead memory has been prefetched.
    pub prefetch_queue: PrefetchQueue,
    /// Credits that have been sent to this partition's outputs and are not recorded there yet.
    pub returning: ReturningCredits,
    /// Whether the run uses any of the rare features; see `features`.
    pub has_features: bool,
    /// Deferred requests, which wait for the memory of their outputs.
    pub deferred: DeferredRequests,
    /// Whether requests may be deferred.
    pub may_defer: bool,
    /// Whether prefetching takes all its steps, to memory that only other memory leads to.
    pub prefetches_all_steps: bool,
    /// Ports per switch.
    pub radix: u32,
    /// Time of the event being handled, in picoseconds.
    pub now: u64,
    /// Key of the event being handled.
    pub current_key: EventKey,
    /// Every event before this time has been handled, in picoseconds.
    pub window_end: u64,

    /// First port of the partition. A column below that is indexed by port uses `port - port_base`.
    pub port_base: u32,
    /// The wire that leaves each port.
    pub wires: Vec<Wire>,
    pub outputs: Vec<Output>,
    /// The part of each output's state that routing reads.
    pub loads: Vec<OutputLoad>,
    /// Channels of outputs: `port * channels + channel`.
    pub channels: Vec<ChannelState>,
    /// Accounts of the traffic classes: `port * classes + class`; empty where no class needs
    /// scheduling.
    pub accounts: Vec<Account>,
    /// The state that the classes of a port have in common.
    pub commons: Vec<Common>,
    /// Bytes of each class in each output's queue: `port * classes + class`; empty where no class
    /// is lossy.
    pub class_queued: Vec<u32>,
    /// The input buffer of each edge port, by class: `NIC * classes + class`.
    pub edge_buffers: Vec<EdgeBuffer>,
    /// Bytes of each channel in each input buffer, and whether the upstream port is paused for it.
    /// For laws that pause links; empty otherwise.
    pub link_buffers: Vec<crate::model::pause::LinkBuffer>,
    /// Bytes in all input buffers of each switch, by `switch - switch_base`.
    pub buffered: Vec<Buffered>,
    /// When an edge input paused a class of its NIC (`NO_TIME` while it has not), indexed as
    /// `edge_buffers`.
    pub paused_since: Vec<u64>,
    /// Endpoint congestion of each edge port, by NIC.
    pub congested: Vec<EndpointCongestion>,
    /// Virtual output queues.
    pub voqs: Voqs,
    /// Each switch's random stream for routes, by `switch - switch_base`.
    pub route_random: Vec<Stream>,
    /// Each switch's random stream for latency and marking.
    pub switch_random: Vec<Stream>,
    pub switch_base: u32,

    pub packets: Slab<Packet>,
    /// Links of the packet queues.
    pub links: Links,
    /// Flows at ingress ports.
    pub flows: FlowTable<Flow>,
    /// Flows in NICs, for laws whose gate is there.
    pub nic_flows: FlowTable<NicFlow>,

    /// What each endpoint's packets hold of each link between switches; empty where the law has no
    /// flow queues.
    pub shares: Shares,
    /// Packets that wait for their endpoint's share of a link.
    pub share_queues: ShareQueues,
    /// The most that one endpoint's packets may hold of a link; 0 where the law has no flow queues.
    pub share_bytes: u32,

    /// First endpoint. A column below that is indexed by endpoint uses `endpoint - endpoint_base`.
    pub endpoint_base: u32,
    pub nics: Vec<Nic>,
    /// Packets that NICs keep for retransmission; empty in runs that cannot lose packets.
    pub retries: Vec<Retries>,
    /// Accounts of the traffic classes at NICs, `NIC * classes + class`; empty where no class needs
    /// scheduling.
    pub nic_accounts: Vec<Account>,
    /// The state that the classes of a NIC have in common.
    pub nic_commons: Vec<Common>,
    /// Messages being sent.
    pub outgoing: Slab<Outgoing>,
    /// Messages being received.
    pub incoming: Slab<Incoming>,
    /// The receiver's records of messages from other partitions, by [`foreign_key`].
    pub foreign: SlotTable,
    /// Ranks on the partition's nodes.
    pub ranks: Vec<RankState>,
    /// The entries of the ranks' match lists.
    pub match_pools: MatchPools,
    /// The ranks' list entries in their NICs; empty where the number of entries has no limit.
    pub entries: Vec<RankEntries>,
    /// Messages of local ranks that were refused and wait to be sent again.
    pub withheld: Slab<Header>,
    /// Refusals by local ranks; a message counts each time.
    pub refusals: u64,
    /// Messages of local ranks that were sent again after a refusal.
    pub sent_again: u64,
    /// A rank that refuses a message forever, described for people.
    pub starved: Option<String>,
    /// One-sided operations that the current rank has not announced to its NIC yet, each with what
    /// travels with it.
    pub held: Vec<Header>,
    /// Ranks that have not finished, in jobs that end.
    pub unfinished: u32,

    /// What goes to other partitions, by partition.
    pub outbox: Outbox,
    /// Packets that have left for other partitions and are not in the outbox yet.
    pub leaving: Vec<LeavingPacket>,
    pub recorder: Recorder,
    /// Ends of links, ports first, then NICs; empty where links are not modelled frame by frame.
    pub ends: Vec<LinkEnd>,
    /// State of the ports and switches.
    pub health: Health,
    /// The faults of the run, by time.
    pub timeline: Timeline,
    /// Time of the next scheduled fault.
    pub fault_at: u64,
    /// The fault that began last.
    pub latest_fault: Option<u32>,
    /// Every fault so far, and when it ended.
    pub fault_log: Vec<(Fault, Option<u64>)>,
    /// Losses so far.
    pub losses: Losses,
    /// The next packet numbers that its NICs expect, and the messages that they have seen.
    pub reliable: crate::model::reliable::RetryTargets,
    /// Collective operations in the network.
    pub collectives: Collectives,
    /// Verdicts of the packet engine on the packets of its edge ports.
    pub verdicts: Verdicts,
    /// End-to-end retry counts of its NICs.
    pub retry_totals: RetryTotals,
    pub discarded: u64,
    /// What is followed of single packets.
    pub observer: Observer,
    /// Packets put on the wire by NICs.
    pub injected: u64,
    /// Packets received by NICs.
    pub delivered: u64,
    /// Packets granted by switches.
    pub hops: u64,
}

/// The part of an edge port's input buffer that one class of its NIC uses.
#[derive(Clone, Copy, Debug, Default, serde::Serialize, serde::Deserialize)]
pub struct EdgeBuffer {
    pub used_bytes: u32,
    /// Whether the NIC has been told to pause.
    pub is_paused: bool,
}

/// Use of the input buffers of a switch.
#[derive(Clone, Copy, Debug, Default, serde::Serialize, serde::Deserialize)]
pub struct Buffered {
    /// Bytes now.
    pub bytes: u32,
    /// Most bytes so far.
    pub bytes_max: u32,
}

impl Buffered {
    /// Adds an arrived packet.
    #[inline]
    pub fn take(&mut self, bytes: u32) {
        self.bytes += bytes;
        self.bytes_max = self.bytes_max.max(self.bytes);
    }
}

impl Partition {
    /// A partition with the switches and endpoints of `range`, divided into `blocks`.
    pub fn new(
        shared: Arc<Shared>,
        number: u16,
        range: PartRange,
        blocks: &[PartRange],
        prefetches_all_steps: bool,
    ) -> Self {
        let PartRange { switches, endpoints } = range;
        let topology = Arc::clone(shared.topology());
        let radix = topology.radix() as u32;
        let (port_base, ports) = (switches.start * radix, (switches.end - switches.start) * radix);
        let wires = (port_base..port_base + ports).map(|port| wire_of(&shared, PortIndex(port))).collect();
        let seed = shared.options.seed;
        let stream = |purpose| switches.clone().map(|switch| Stream::new(seed, u64::from(switch), purpose)).collect();
        let channels = shared.plan.count();
        let partitions = shared.partition_count();
        let classes = if shared.host_schedule.is_some() { shared.config.classes.len() } else { 0 };
        let recorder = Recorder::new(&shared, ports as usize);
        let traffic = shared.options.class_counters.then(|| {
            let nics = (endpoints.end - endpoints.start) as usize;
            ClassTraffic::new(ports as usize, nics, shared.config.classes.len())
        });
        let nics: Vec<Nic> = endpoints.clone().map(|endpoint| Nic::new(&shared, endpoint, channels)).collect();
        let share_bytes = slingshot(&shared.config.congestion).map_or(0, |law| law.endpoint_share_bytes);
        let (mut packets, mut links) = (Slab::of_regions(blocks.len()), Links::default());
        packets.expect(nics.len() * PACKETS_EXPECTED);
        links.expect(nics.len() * PACKETS_EXPECTED);
        let mut partition = Self {
            has_features: true,
            pauses_links: shared.config.congestion.pauses_links(),
            number,
            calendar: Blocks::new(Arc::clone(&shared), blocks),
            digest: Digest::default(),
            events: 0,
            prefetch_queue: PrefetchQueue::default(),
            returning: ReturningCredits::default(),
            deferred: DeferredRequests::default(),
            prefetches_all_steps,
            may_defer: prefetches_all_steps && shared.unseen_ps > 0,
            radix,
            current_key: EventKey::default(),
            now: 0,
            window_end: 0,
            port_base,
            wires,
            outputs: vec![Output::default(); ports as usize],
            loads: vec![OutputLoad::default(); ports as usize],
            channels: vec![ChannelState::default(); ports as usize * channels],
            accounts: if shared.schedule.is_some() {
                vec![Account::default(); ports as usize * shared.config.classes.len()]
            } else {
                Vec::new()
            },
            commons: vec![Common::default(); if shared.schedule.is_some() { ports as usize } else { 0 }],
            class_queued: if shared.rules.iter().any(|rule| rule.queue_max_bytes.is_some()) {
                vec![0; ports as usize * shared.config.classes.len()]
            } else {
                Vec::new()
            },
            edge_buffers: vec![EdgeBuffer::default(); endpoints.len() * shared.config.classes.len()],
            link_buffers: if shared.config.congestion.pauses_links() {
                vec![crate::model::pause::LinkBuffer::default(); ports as usize * channels]
            } else {
                Vec::new()
            },
            buffered: vec![Buffered::default(); switches.len()],
            paused_since: vec![u64::MAX; endpoints.len() * shared.config.classes.len()],
            congested: vec![EndpointCongestion::NONE; endpoints.len()],
            voqs: Voqs::of_regions(blocks.len()),
            route_random: stream(1),
            switch_random: stream(2),
            switch_base: switches.start,
            packets,
            links,
            flows: FlowTable::of_regions(blocks.len()),
            nic_flows: FlowTable::default(),
            share_queues: ShareQueues::default(),
            shares: Shares::new(if share_bytes > 0 { switches.len() } else { 0 }, radix as usize),
            share_bytes,
            endpoint_base: endpoints.start,
            nics,
            retries: if shared.is_reliable { vec![Retries::default(); endpoints.len()] } else { Vec::new() },
            nic_accounts: vec![Account::default(); classes * endpoints.len()],
            nic_commons: vec![Common::default(); if classes > 0 { endpoints.len() } else { 0 }],
            outgoing: Slab::of_regions(blocks.len()),
            incoming: Slab::of_regions(blocks.len()),
            foreign: SlotTable::default(),
            held: Vec::new(),
            ranks: Vec::new(),
            match_pools: MatchPools::default(),
            entries: Vec::new(),
            withheld: Slab::default(),
            refusals: 0,
            sent_again: 0,
            starved: None,
            unfinished: 0,
            outbox: Outbox::new(partitions),
            leaving: Vec::new(),
            observer: Observer::new(shared.options.telemetry_every, traffic),
            recorder,
            ends: Vec::new(),
            health: Health::default(),
            timeline: Timeline::default(),
            fault_at: u64::MAX,
            latest_fault: None,
            fault_log: Vec::new(),
            losses: Losses::default(),
            reliable: crate::model::reliable::RetryTargets::default(),
            collectives: Collectives::default(),
            verdicts: Verdicts::default(),
            retry_totals: RetryTotals::default(),
            discarded: 0,
            injected: 0,
            delivered: 0,
            hops: 0,
            shared,
        };
        partition.update_features();
        partition
    }

    /// Builds the ends of the links and schedules the first fault, in runs where links may err or
    /// fail.
    pub fn build_links(&mut self) {
        if !self.shared.has_link_layer {
            return;
        }
        let (seed, radix, all) = (self.shared.options.seed, self.shared.topology().radix(), self.shared.targets.ports);
        let ports = self.wires.iter().enumerate().map(|(slot, wire)| (self.port_base + slot as u32, wire.rate()));
        let nics =
            self.nics.iter().enumerate().map(|(slot, nic)| (all + self.endpoint_base + slot as u32, nic.wire().rate()));
        let end = |(end, rate)| LinkEnd::new(&self.shared.link, seed, u64::from(end), rate);
        self.ends = ports.chain(nics).map(end).collect();
        for slot in 0..self.nics.len() {
            let endpoint = self.endpoint_base + slot as u32;
            let (port, nic) = (self.port_slot(self.edge_port(endpoint)), self.wires.len() + slot);
            let retries = self.shared.kind(endpoint).retry;
            (self.ends[port].retries, self.ends[nic].retries) = (retries, retries);
        }
        self.health = Health::new(self.wires.len(), all as usize, radix);
        self.timeline = Timeline::new(&self.shared.config.resilience, self.shared.topology(), seed);
        self.apply_due_faults();
    }

    #[inline]
    pub fn owns_end(&self, end: u32) -> bool {
        let ports = self.shared.targets.ports;
        if end < ports { self.owns_port(end) } else { self.owns_endpoint(end - ports) }
    }

    /// Packets injected, granted by a switch or delivered so far, with packets that switches made.
    /// The watchdog takes a change of this number as progress.
    pub fn movements(&self) -> u64 {
        self.injected + self.collectives.made + self.hops + self.delivered
    }

    /// Slot of a port: its index in the columns of this partition.
    #[inline]
    pub fn port_slot(&self, port: u32) -> usize {
        (port - self.port_base) as usize
    }

    /// Slot of the switch of a port, which is given by its own slot.
    #[inline]
    pub fn switch_slot(&self, port_slot: usize) -> usize {
        self.shared.topology().switch_of(PortIndex(port_slot as u32)).index()
    }

    #[inline]
    pub fn owns_port(&self, port: u32) -> bool {
        port >= self.port_base && ((port - self.port_base) as usize) < self.wires.len()
    }

    #[inline]
    pub fn owns_endpoint(&self, endpoint: u32) -> bool {
        endpoint >= self.endpoint_base && ((endpoint - self.endpoint_base) as usize) < self.nics.len()
    }

    /// Memory held by the model, in bytes.
    pub fn memory_bytes(&self) -> u64 {
        let columns = self.wires.capacity() * size_of::<Wire>()
            + self.outputs.capacity() * size_of::<Output>()
            + self.loads.capacity() * size_of::<OutputLoad>()
            + self.channels.capacity() * size_of::<ChannelState>()
            + self.accounts.capacity() * size_of::<Account>()
            + self.commons.capacity() * size_of::<Common>()
            + self.edge_buffers.capacity() * size_of::<EdgeBuffer>()
            + self.paused_since.capacity() * size_of::<u64>()
            + self.congested.capacity() * size_of::<EndpointCongestion>()
            + 2 * self.route_random.capacity() * size_of::<Stream>();
        let credits: usize = self.outputs.iter().map(|output| output.credits().memory_bytes()).sum();
        let nics: usize = self.nics.iter().map(Nic::memory_bytes).sum();
        let ranks: usize = self.ranks.iter().map(RankState::memory_bytes).sum();
        let flight = self.packets.memory_bytes()
            + self.links.memory_bytes()
            + self.flows.memory_bytes()
            + self.nic_flows.memory_bytes()
            + self.shares.memory_bytes()
            + self.share_queues.memory_bytes()
            + self.foreign.memory_bytes()
            + self.outgoing.memory_bytes()
            + self.incoming.memory_bytes()
            + self.match_pools.memory_bytes()
            + self.entries.iter().map(|rank| size_of::<RankEntries>() + rank.memory_bytes()).sum::<usize>()
            + self.withheld.memory_bytes()
            + self.voqs.memory_bytes()
            + self.observer.memory_bytes()
            + self.recorder.memory_bytes()
            + self.calendar.memory_bytes();
        (columns + credits + nics + ranks + flight) as u64
    }
}

fn wire_of(shared: &Shared, port: PortIndex) -> Wire {
    let topology = shared.topology();
    let described = topology.port(port);
    match described.peer {
        Peer::Endpoint(endpoint) => Wire::new(FarEnd::Nic, endpoint.0, topology.propagation(port), topology.rate(port))
            .at_edge(shared.kind(endpoint.0)),
        Peer::Port(peer) => Wire::new(FarEnd::Switch, peer.0, topology.propagation(port), topology.rate(port)),
        Peer::None => {
            debug_assert!(described.role == PortRole::Unused, "a port in use has a peer");
            Wire::UNUSED
        }
    }
}

/// Parameters of the Slingshot law, if that is the law.
pub fn slingshot(law: &CongestionLaw) -> Option<&philae_congestion::SlingshotParameters> {
    match law {
        CongestionLaw::Slingshot(parameters) => Some(parameters),
        CongestionLaw::None | CongestionLaw::Aries(_) | CongestionLaw::Ecn(_) => None,
    }
}

#[inline]
pub fn switch_of(shared: &Shared, port: u32) -> SwitchId {
    shared.topology().switch_of(PortIndex(port))
}
