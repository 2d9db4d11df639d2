//! The parts of a partition: state that belongs together, and that handlers borrow together.

use std::sync::Arc;

use crate::memory::keyed::SlotTable;
use crate::memory::prefetch_queue::PrefetchQueue;
use crate::memory::slab::Slab;
use crate::model::buffer::{Buffered, EdgeBuffer};
use crate::model::fair_queues::FairQueues;
use crate::model::flow::{Flow, FlowTable, NicFlow};
use crate::model::health::Health;
use crate::model::host::{ProcessLosses, RankState};
use crate::model::ingress_port::IngressPort;
use crate::model::link_layer::LinkEnd;
use crate::model::losses::Losses;
use crate::model::matching::RankEntries;
use crate::model::nic::Nic;
use crate::model::node::{NicBuffers, NicBus};
use crate::model::output::{EndpointCongestions, Output, OutputLoad, PortWire};
use crate::model::overlay::Verdicts;
use crate::model::packet::{Header, Incoming, Links, Outgoing, Packet};
use crate::model::reliable::Retries;
use crate::model::resilience::Fault;
use crate::model::response::Responses;
use crate::model::shares::{ShareQueues, Shares};
use crate::model::tcp::TcpEnds;
use crate::model::timeline::Timeline;
use crate::model::uet::UetState;
use crate::observe::observer::{Observer, Tag};
use crate::observe::recorder::Recorder;
use crate::sched::blocks::Blocks;
use crate::sched::deferred::DeferredRequests;
use crate::sched::outbox::{LeavingPacket, Outbox};
use crate::sched::returning_credits::ReturningCredits;
use philae_engine::RandomStream;
use philae_nic_core::nic::MatchPools;
use philae_results::fault::RetryTotals;
use philae_switch::port::{ChannelState, Voqs};
use philae_traffic_class::{Account, Common};

/// The place of a partition in the system, and what kind of run it is in.
pub struct Layout {
    pub number: u16,
    /// Ports per switch.
    pub radix: u32,
    /// First port of the partition.
    pub port_base: u32,
    /// Its ports, used or not.
    pub ports: u32,
    /// The slot of each port of the system, in the columns of its partition.
    pub slots: Arc<[u32]>,
    pub switch_base: u32,
    /// First endpoint.
    pub endpoint_base: u32,
    /// Whether the run uses any of the rare features; see `features`.
    pub has_features: bool,
    /// Whether links between switches are paused rather than held by credits.
    pub pauses_links: bool,
    /// Whether switches choose paths by the entropy of packets.
    pub chooses_by_entropy: bool,
}

/// What the scheduler keeps: pending events, mail, and what waits for memory.
pub struct Scheduler {
    pub calendar: Blocks,
    /// How far ahead memory has been prefetched. In a box, because each window takes it and puts it
    /// back; `None` meanwhile.
    pub prefetch_queue: Option<Box<PrefetchQueue>>,
    /// Credits that have been sent to this partition's outputs and are not recorded there yet.
    pub returning: ReturningCredits,
    /// Deferred requests, which wait for the memory of their outputs.
    pub deferred: DeferredRequests,
    /// Whether requests may be deferred.
    pub may_defer: bool,
    /// Whether prefetching takes all its steps, to memory that only other memory leads to.
    pub prefetches_all_steps: bool,
    /// What goes to other partitions, by partition.
    pub outbox: Outbox,
    /// Packets that have left for other partitions and are not in the outbox yet.
    pub leaving: Vec<LeavingPacket>,
}

/// The ports of switches: their outputs, input buffers and random streams. A column that is
/// indexed by port has an entry for each port in use, in its slot; see
/// [`port_slots`](crate::model::ports::port_slots).
pub struct SwitchState {
    /// The wire that leaves each port.
    pub wires: Vec<PortWire>,
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
    /// Bytes of each channel in each input buffer, and whether the upstream port is paused for it.
    /// For laws that pause links; empty otherwise.
    pub link_buffers: Vec<crate::model::pause::LinkBuffer>,
    /// Bytes in all input buffers of each switch, by `switch - switch_base`.
    pub buffered: Vec<Buffered>,
    /// Virtual output queues.
    pub voqs: Voqs,
    /// Flow queues at outputs, where those are fair to flows.
    pub fair_queues: FairQueues,
    /// Each switch's random stream for routes, by `switch - switch_base`.
    pub route_random: Vec<RandomStream>,
    /// Each switch's random stream for latency and marking.
    pub switch_random: Vec<RandomStream>,
}

/// The edge ports: flows, what their NICs use of their buffers, and the packet engine.
pub struct EdgeState {
    /// The input buffer of each edge port, by class: `NIC * classes + class`.
    pub edge_buffers: Vec<EdgeBuffer>,
    /// When an edge input paused a class of its NIC (`NO_TIME` while it has not), indexed as
    /// `edge_buffers`; empty where switches pause no NIC.
    pub paused_since: Vec<u64>,
    /// Endpoint congestion of each edge port, by NIC.
    pub congested: EndpointCongestions,
    /// Flows at ingress ports.
    pub flows: FlowTable<Flow>,
    /// Accounts of the ingress ports, by NIC; empty where the law limits flows only.
    pub ingress_ports: Vec<IngressPort>,
    /// Verdicts of the packet engine on the packets of its edge ports.
    pub verdicts: Verdicts,
}

/// The packets in the fabric: themselves, what they hold of links, and their number so far.
pub struct TransitState {
    pub packets: Slab<Packet>,
    /// Links of the packet queues.
    pub links: Links,
    /// What each endpoint's packets hold of each link between switches; empty where the law has no
    /// flow queues.
    pub shares: Shares,
    /// Packets that wait for their endpoint's share of a link.
    pub share_queues: ShareQueues,
    /// The most that one endpoint's packets may hold of a link; 0 where the law has no flow queues.
    pub share_bytes: u32,
    /// Whether flows hold shares, and not endpoints.
    pub shares_by_flow: bool,
    /// Packets put on the wire by NICs.
    pub injected: u64,
    /// Packets received by NICs.
    pub delivered: u64,
    /// Packets granted by switches.
    pub hops: u64,
    pub discarded: u64,
}

/// The NICs. A column that is indexed by endpoint uses `endpoint - endpoint_base`.
pub struct NicState {
    pub nics: Vec<Nic>,
    /// Transfers between each NIC and its host; empty where the bus has no limit.
    pub buses: Vec<NicBus>,
    /// State of connections in each NIC; empty where no NIC has a limit for it.
    pub connections: Vec<philae_nic_model::ConnectionCache>,
    /// The buffers of NICs for payloads that wait for their bus.
    pub buffers: NicBuffers,
    /// The memory of each node, in the order of nodes; empty where the bus has no limit.
    pub memories: Vec<philae_nic_model::Memory>,
    /// Packets that NICs keep for retransmission; empty in runs that cannot lose packets.
    pub retries: Vec<Retries>,
    /// Responses that NICs have not sent; empty in runs in which NICs do not answer with packets.
    pub responses: Vec<Responses>,
    /// Accounts of the traffic classes at NICs, `NIC * classes + class`; empty where no class needs
    /// scheduling.
    pub nic_accounts: Vec<Account>,
    /// The state that the classes of a NIC have in common.
    pub nic_commons: Vec<Common>,
    /// Flows in NICs, for laws whose gate is there.
    pub nic_flows: FlowTable<NicFlow>,
    /// Messages being sent.
    pub outgoing: Slab<Outgoing>,
    /// Messages being received.
    pub incoming: Slab<Incoming>,
    /// The receiver's records of messages from other partitions, by [`foreign_key`].
    pub foreign: SlotTable,
    /// The next packet numbers that its NICs expect, and the messages that they have seen.
    pub reliable: crate::model::reliable::RetryTargets,
    /// End-to-end retry counts of its NICs.
    pub retry_totals: RetryTotals,
    /// Ultra Ethernet's transport; `None` where NICs have another.
    pub uet: Option<Box<UetState>>,
    /// TCP connections of its ranks; empty where connections have no window.
    pub tcp: TcpEnds,
}

/// The ranks, and what their match lists and refused messages need.
pub struct HostState {
    /// Ranks on the partition's nodes.
    pub ranks: Vec<RankState>,
    /// Whether any of them is a process.
    pub has_processes: bool,
    /// The entries of the ranks' match lists.
    pub match_pools: MatchPools,
    /// The ranks' list entries; empty where NICs match without a limit, or matching takes no time.
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
    /// What its processes are told later of losses.
    pub process_losses: ProcessLosses,
    /// Ranks that have not finished, in jobs that end.
    pub unfinished: u32,
}

/// Links and their health, the faults of the run, and what was lost.
pub struct FaultState {
    /// Ends of links, ports first, then NICs; empty where links are not modelled frame by frame.
    pub ends: Vec<LinkEnd<Tag>>,
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
}

/// What is recorded. Nothing in the model reads it.
pub struct Records {
    pub recorder: Recorder,
    /// What is followed of single packets.
    pub observer: Observer,
}
