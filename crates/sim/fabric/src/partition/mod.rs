//! A partition: the switches of some groups, their NICs and the ranks on their nodes, with a
//! calendar of its own.
//!
//! This is the state, as a dozen parts; `model`, `sched`, `observe` and `run` have the methods that
//! work on it. The parts' types are defined there too, each in a file that imports no partition.
//!
//! A handler touches only its own partition. Anything for another partition goes there as
//! [`PartitionTraffic`](crate::sched::outbox::PartitionTraffic), and takes at least the propagation
//! of the shortest link between partitions.

mod clock;
mod memory;
pub mod parts;

use std::ops::Range;
use std::sync::Arc;

use philae_engine::RandomStream;
use philae_nic_core::nic::MatchPools;
use philae_nic_model::EdgeHold;
use philae_results::fault::RetryTotals;
use philae_switch::port::{ChannelState, Fairness, Voqs};
use philae_topology::PortPeer;
use philae_traffic_class::{Account, Common};
use philae_units::PortIndex;

use crate::memory::keyed::SlotTable;
use crate::memory::slab::Slab;
use crate::model::buffer::{Buffered, EdgeBuffer};
use crate::model::collective::Collectives;
use crate::model::fair_queues::FairQueues;
use crate::model::flow::FlowTable;
use crate::model::health::Health;
use crate::model::link_layer::LinkEnd;
use crate::model::losses::Losses;
use crate::model::nic::Nic;
use crate::model::output::{EndpointCongestions, FarEnd, NO_TIME, Output, OutputLoad, PortWire, Wire};
use crate::model::overlay::Verdicts;
use crate::model::packet::Links;
use crate::model::ports::NO_SLOT;
use crate::model::reliable::Retries;
use crate::model::response::Responses;
use crate::model::shared::{Shared, slingshot};
use crate::model::shares::{ShareQueues, Shares};
use crate::model::tcp::TcpEnds;
use crate::model::timeline::Timeline;
use crate::model::uet::UetState;
use crate::observe::counters::ClassTraffic;
use crate::observe::observer::Observer;
use crate::observe::recorder::Recorder;
use crate::sched::blocks::Blocks;
use crate::sched::deferred::DeferredRequests;
use crate::sched::division::PartRange;
use crate::sched::outbox::Outbox;
use crate::sched::returning_credits::ReturningCredits;
use clock::Clock;
use parts::{EdgeState, FaultState, HostState, Layout, NicState, Records, Scheduler, SwitchState, TransitState};

/// Address space is reserved from the beginning for this many packets in flight per endpoint: more
/// than most runs have. Source: ours; it takes memory only where it is used. Status: assumed.
const PACKETS_EXPECTED: usize = 64;

pub struct Partition {
    /// What all partitions share.
    pub shared: Arc<Shared>,
    pub layout: Layout,
    pub clock: Clock,
    pub sched: Scheduler,
    pub switch: SwitchState,
    pub edge: EdgeState,
    pub transit: TransitState,
    pub nic: NicState,
    pub host: HostState,
    pub fault: FaultState,
    pub record: Records,
    /// Collective operations in the network.
    pub collectives: Collectives,
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
        let (port_base, all_ports) = (switches.start * radix, (switches.end - switches.start) * radix);
        let slots = Arc::clone(&shared.places.port_slots);
        let wires = wires_of(&shared, port_base..port_base + all_ports);
        let ports = wires.len();
        let links_out = wires.iter().filter(|wire| wire.far_end == FarEnd::Switch).count();
        let seed = shared.options.seed;
        let stream =
            |purpose| switches.clone().map(|switch| RandomStream::new(seed, u64::from(switch), purpose)).collect();
        let channels = shared.classes.plan.count();
        let partitions = shared.partition_count();
        let classes = if shared.classes.host_schedule.is_some() { shared.config.classes.len() } else { 0 };
        let recorder = Recorder::new(&shared, ports);
        let traffic = shared.options.records.class_counters.then(|| {
            let nics = (endpoints.end - endpoints.start) as usize;
            ClassTraffic::new(ports, nics, shared.config.classes.len())
        });
        let (buses, buffers, memories) = crate::model::node::accounts(&shared, endpoints.clone());
        let connections = crate::model::node::connections(&shared, endpoints.clone());
        let nics: Vec<Nic> = endpoints.clone().map(|endpoint| Nic::new(&shared, endpoint, channels)).collect();
        let law = slingshot(&shared.config.congestion);
        let shares_by_flow = law.is_some_and(|law| law.flow_share_bytes > 0);
        let share_bytes =
            law.map_or(0, |law| if shares_by_flow { law.flow_share_bytes } else { law.endpoint_share_bytes });
        let (mut packets, mut links) = (Slab::of_regions(blocks.len()), Links::default());
        packets.expect(nics.len() * PACKETS_EXPECTED);
        links.expect(nics.len() * PACKETS_EXPECTED);
        let mut fair_queues = match shared.config.switch.fairness {
            Fairness::Input => FairQueues::new(0, blocks.len(), 0),
            Fairness::Flow => FairQueues::new(ports * channels, blocks.len(), shared.config.switch.flow_queues),
        };
        if fair_queues.are_used() {
            // Of as many packets, most wait in a queue of their own where a network is full.
            fair_queues.expect(nics.len() * PACKETS_EXPECTED);
        }
        let mut partition = Self {
            layout: Layout {
                number,
                radix,
                port_base,
                ports: all_ports,
                slots,
                switch_base: switches.start,
                endpoint_base: endpoints.start,
                has_features: true,
                pauses_links: shared.config.congestion.pauses_links(),
                chooses_by_entropy: shared.config.routing.mode.is_by_entropy(),
            },
            clock: Clock::default(),
            sched: Scheduler {
                calendar: Blocks::new(Arc::clone(&shared), blocks),
                prefetch_queue: None,
                returning: ReturningCredits::default(),
                deferred: DeferredRequests::default(),
                may_defer: prefetches_all_steps && shared.traits.unseen_ps > 0,
                prefetches_all_steps,
                outbox: Outbox::new(partitions),
                leaving: Vec::new(),
            },
            switch: SwitchState {
                wires,
                outputs: vec![Output::default(); ports],
                loads: vec![OutputLoad::default(); ports],
                channels: vec![ChannelState::default(); ports * channels],
                accounts: if shared.classes.schedule.is_some() {
                    vec![Account::default(); ports * shared.config.classes.len()]
                } else {
                    Vec::new()
                },
                commons: vec![Common::default(); if shared.classes.schedule.is_some() { ports } else { 0 }],
                class_queued: if shared.classes.rules.iter().any(|rule| rule.queue_max_bytes.is_some()) {
                    vec![0; ports * shared.config.classes.len()]
                } else {
                    Vec::new()
                },
                link_buffers: if shared.config.congestion.pauses_links() {
                    vec![crate::model::pause::LinkBuffer::default(); ports * channels]
                } else {
                    Vec::new()
                },
                buffered: vec![Buffered::default(); switches.len()],
                voqs: Voqs::new(shared.topology().radix(), blocks.len()),
                fair_queues,
                route_random: stream(1),
                switch_random: stream(2),
            },
            edge: EdgeState {
                edge_buffers: vec![EdgeBuffer::default(); endpoints.len() * shared.config.classes.len()],
                paused_since: if shared.kinds.all().iter().any(|kind| kind.hold == EdgeHold::Pause) {
                    vec![NO_TIME; endpoints.len() * shared.config.classes.len()]
                } else {
                    Vec::new()
                },
                congested: EndpointCongestions::new(endpoints.len()),
                flows: FlowTable::of_regions(blocks.len()),
                ingress_ports: Vec::new(),
                verdicts: Verdicts::default(),
            },
            transit: TransitState {
                packets,
                links,
                shares: Shares::new(if share_bytes > 0 { links_out } else { 0 }),
                share_queues: ShareQueues::default(),
                share_bytes,
                shares_by_flow,
                injected: 0,
                delivered: 0,
                hops: 0,
                discarded: 0,
            },
            nic: NicState {
                buses,
                buffers,
                connections,
                memories,
                nics,
                retries: if shared.traits.is_reliable { vec![Retries::default(); endpoints.len()] } else { Vec::new() },
                responses: if shared.traits.responds {
                    vec![Responses::default(); endpoints.len()]
                } else {
                    Vec::new()
                },
                nic_accounts: vec![Account::default(); classes * endpoints.len()],
                nic_commons: vec![Common::default(); if classes > 0 { endpoints.len() } else { 0 }],
                nic_flows: FlowTable::default(),
                outgoing: Slab::of_regions(blocks.len()),
                incoming: Slab::of_regions(blocks.len()),
                foreign: SlotTable::default(),
                reliable: crate::model::reliable::RetryTargets::default(),
                retry_totals: RetryTotals::default(),
                uet: shared.config.congestion.is_ultra_ethernet().then(|| Box::new(UetState::new(endpoints.len()))),
                tcp: TcpEnds::default(),
            },
            host: HostState {
                ranks: Vec::new(),
                has_processes: false,
                match_pools: MatchPools::default(),
                entries: Vec::new(),
                withheld: Slab::default(),
                refusals: 0,
                sent_again: 0,
                starved: None,
                held: Vec::new(),
                process_losses: crate::model::host::ProcessLosses::default(),
                unfinished: 0,
            },
            fault: FaultState {
                ends: Vec::new(),
                health: Health::default(),
                timeline: Timeline::default(),
                fault_at: u64::MAX,
                latest_fault: None,
                fault_log: Vec::new(),
                losses: Losses::default(),
            },
            record: Records { recorder, observer: Observer::new(shared.options.records.telemetry_every, traffic) },
            collectives: Collectives::default(),
            shared,
        };
        partition.edge.ingress_ports = partition.new_ingress_ports();
        partition.update_features();
        partition
    }

    /// Builds the ends of the links and schedules the first fault, in runs where links may err or
    /// fail.
    pub fn build_links(&mut self) {
        if !self.shared.traits.has_link_layer {
            return;
        }
        let (seed, all) = (self.shared.options.seed, self.shared.places.targets.ports);
        let ports = self.switch.wires.iter().enumerate().map(|(slot, wire)| (self.port_in(slot), wire.rate()));
        let nics = self
            .nic
            .nics
            .iter()
            .enumerate()
            .map(|(slot, nic)| (all + self.layout.endpoint_base + slot as u32, nic.wire().rate()));
        let end = |(end, rate)| LinkEnd::new(&self.shared.link, seed, u64::from(end), rate);
        self.fault.ends = ports.chain(nics).map(end).collect();
        for slot in 0..self.nic.nics.len() {
            let endpoint = self.layout.endpoint_base + slot as u32;
            let (port, nic) = (self.port_slot(self.edge_port(endpoint)), self.switch.wires.len() + slot);
            let retries = self.shared.kind(endpoint).retry;
            (self.fault.ends[port].retries, self.fault.ends[nic].retries) = (retries, retries);
        }
        let switches = self.switch.wires.iter().map(|wire| wire.switch).collect();
        self.fault.health = Health::new(switches, self.switch.buffered.len(), all as usize);
        self.fault.timeline = Timeline::new(&self.shared.config.resilience, self.shared.topology(), seed);
        self.apply_due_faults();
    }

    #[inline]
    pub fn owns_end(&self, end: u32) -> bool {
        let ports = self.shared.places.targets.ports;
        if end < ports { self.owns_port(end) } else { self.owns_endpoint(end - ports) }
    }

    /// Packets injected, granted by a switch or delivered so far, with packets that switches made.
    /// The watchdog takes a change of this number as progress.
    pub fn movements(&self) -> u64 {
        self.transit.injected + self.collectives.made + self.transit.hops + self.transit.delivered
    }

    /// Slot of a port: its index in the columns of this partition. A port without a cable has none.
    #[inline]
    pub fn port_slot(&self, port: u32) -> usize {
        self.layout.slots[port as usize] as usize
    }

    /// The port in a slot: where the wire of its far end leads.
    #[inline]
    pub fn port_in(&self, port_slot: usize) -> u32 {
        let Wire { far_end, peer, .. } = *self.switch.wires[port_slot];
        if far_end == FarEnd::Nic {
            return self.edge_port(peer);
        }
        let PortPeer::Port(port) = self.shared.topology().port(PortIndex(peer)).peer else {
            unreachable!("a cable has a port at both ends")
        };
        port.0
    }

    /// The slots of its switches' ports in use, in the order of the ports.
    pub fn slots_of_switches(&self) -> impl Iterator<Item = impl Iterator<Item = usize>> {
        let (first, end) = (self.layout.port_base as usize, (self.layout.port_base + self.layout.ports) as usize);
        let switches = self.layout.slots[first..end].chunks(self.layout.radix as usize);
        switches.map(|slots| slots.iter().filter(|&&slot| slot != NO_SLOT).map(|&slot| slot as usize))
    }

    /// Slot of the switch of a port, which is given by its own slot.
    #[inline]
    pub fn switch_slot(&self, port_slot: usize) -> usize {
        self.switch.wires[port_slot].switch as usize
    }

    #[inline]
    pub const fn owns_port(&self, port: u32) -> bool {
        port.wrapping_sub(self.layout.port_base) < self.layout.ports
    }

    #[inline]
    pub fn owns_endpoint(&self, endpoint: u32) -> bool {
        endpoint >= self.layout.endpoint_base && ((endpoint - self.layout.endpoint_base) as usize) < self.nic.nics.len()
    }
}

/// The wires of the ports in use among `ports`, by slot.
fn wires_of(shared: &Shared, ports: Range<u32>) -> Vec<PortWire> {
    let topology = shared.topology();
    let first = topology.switch_of(PortIndex(ports.start)).0;
    let is_used = |port: &u32| shared.places.port_slots[*port as usize] != NO_SLOT;
    let mut wires = Vec::with_capacity(ports.clone().filter(is_used).count());
    for far_end in [FarEnd::Switch, FarEnd::Nic] {
        for port in ports.clone().filter(is_used) {
            let wire = wire_of(shared, PortIndex(port));
            if wire.far_end == far_end {
                assert!(shared.places.port_slots[port as usize] == wires.len() as u32, "each port has its slot");
                let peer_slot = match far_end {
                    FarEnd::Switch => shared.places.port_slots[wire.peer as usize],
                    FarEnd::Nic => NO_SLOT,
                };
                wires.push(PortWire::new(wire, peer_slot, topology.switch_of(PortIndex(port)).0 - first));
            }
        }
    }
    wires
}

fn wire_of(shared: &Shared, port: PortIndex) -> Wire {
    let topology = shared.topology();
    let described = topology.port(port);
    match described.peer {
        PortPeer::Endpoint(endpoint) => {
            Wire::new(FarEnd::Nic, endpoint.0, topology.propagation(port), topology.rate(port))
                .at_edge(shared.kind(endpoint.0))
        }
        PortPeer::Port(peer) => Wire::new(FarEnd::Switch, peer.0, topology.propagation(port), topology.rate(port)),
        PortPeer::None => unreachable!("port {port} has no slot, because it has no cable"),
    }
}
