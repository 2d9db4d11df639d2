//! The packet engine at the edge: its decisions about a message's packets where they enter the
//! fabric and where they leave it.
//!
//! All packets of a message are of one kind, so the engine evaluates the first and counts the
//! others with it. Its frame is RoCEv2 over IPv4 over Ethernet, without payload, which no table
//! reads:
//!
//! - Ethernet addresses are the algorithmic ones of both endpoints. IPv4 addresses are 10.0.0.0
//!   with the NID in the low 20 bits; sites choose their own networks.
//! - The code point is the class's first one, or 0. It is marked as ECN-capable if the law is
//!   `ecn`.
//! - The operation follows from the message's purpose: send, read request, read response, write.
//!   Destination queue pair: 2 plus the job's number (0 and 1 are management). UDP source port:
//!   49152 plus the low 14 bits of both NIDs' sum.
//! - The virtual network is the job's. It goes with the packet through the fabric to the far edge,
//!   and so does the class.
//!
//! Network, queue pairs and source port: Source: ours. Status: assumed.
//!
//! Each switch has its own pipeline with the members of its own endpoints; a pipeline does not
//! change during a run.

use std::collections::BTreeMap;
use std::sync::Arc;

use philae_congestion::CongestionLaw;
use philae_packet_engine::{Metadata, PacketDecision, Passage, Pipeline, PipelineStage, TableCount, Trail};
use philae_topology::{FabricAddress, Topology};
use philae_units::{ClassId, EndpointId, JobId, NodeId, SwitchId};
use philae_wire::roce::extended::{AckHeader, Atomic, Extended, RemoteHeader, Syndrome};
use philae_wire::roce::icrc::SealedIpv4;
use philae_wire::roce::opcode::{HeaderSet, Opcode, RoceOperation, RoceService};
use philae_wire::{
    Dscp, Ecn, EtherType, Framing, IpProtocol, PacketSequence, QueuePair, emit_stack, ethernet, ipv4, roce, stack_len,
    udp,
};

use crate::model::config::{FabricConfig, Job};
use crate::model::error::FabricError;
use crate::model::packet::PacketPurpose;

/// Network of the endpoints' IPv4 addresses. Source: ours. Status: assumed.
const NETWORK: u32 = 10 << 24;
/// First queue pair that is not for management. Source: InfiniBand chapter 10. Status: published.
const FIRST_QUEUE_PAIR: u32 = 2;

/// The fields that decide about a packet: packets with equal fields have one verdict.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EdgeMessage {
    /// Sending endpoint.
    pub source: u32,
    /// Receiving endpoint.
    pub destination: u32,
    /// Job of both.
    pub job: JobId,
    /// Traffic class.
    pub class: ClassId,
    /// Purpose of the message.
    pub purpose: PacketPurpose,
}

type Key = (PipelineStage, u32, u32, JobId, ClassId, u8);

impl EdgeMessage {
    const fn key(&self, stage: PipelineStage) -> Key {
        (stage, self.source, self.destination, self.job, self.class, self.purpose as u8)
    }
}

/// Decision about a packet at a stage.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub enum EdgeVerdict {
    /// The packet passes.
    Permit {
        /// Extra bytes of its frame compared with what the NIC sent (fewer if negative). From the
        /// ingress on, the frame on the fabric's links; from the egress on, on the link to the far
        /// NIC.
        extra_wire_bytes: i32,
        /// Its class from here on.
        class: ClassId,
    },
    /// The packet is discarded.
    Deny {
        /// Cause of the denial.
        cause: String,
        /// The table that denied it.
        table: String,
        /// Stage of the denial.
        stage: PipelineStage,
    },
}

/// Programs and members of all switches. It does not change during a run, so that partitions share
/// it.
#[derive(Clone, Debug)]
pub struct Overlay {
    topology: Arc<Topology>,
    /// The program without members, then that of each switch that has members.
    pipelines: Vec<Pipeline>,
    /// Number of a switch's pipeline, if it has one of its own.
    of_switch: BTreeMap<SwitchId, usize>,
    job_vni: Vec<u16>,
    class_dscp: Vec<Dscp>,
    ecn: Ecn,
}

impl Overlay {
    /// The pipelines of all switches, and the members of virtual networks in them; `None` if there
    /// is no program.
    ///
    /// # Errors
    /// [`FabricError::PacketEngine`] for a program that does not compile, or for more members than
    /// a table of a switch has room for; [`FabricError::Address`] for a system too large for fabric
    /// addresses; [`FabricError::Parameter`] for a member that does not exist.
    pub fn new(topology: &Arc<Topology>, config: &FabricConfig, jobs: &[Job]) -> Result<Option<Self>, FabricError> {
        let Some(program) = &config.packet_engine else { return Ok(None) };
        for endpoint in 0..topology.endpoint_count() {
            topology.address(EndpointId::from_index(endpoint))?;
        }
        let dscp = |class: &philae_traffic_class::TrafficClass| {
            Dscp::from_low_bits(class.dscp.first().copied().unwrap_or_default())
        };
        let mut overlay = Self {
            topology: Arc::clone(topology),
            pipelines: vec![program.compile(&config.classes.names())?],
            of_switch: BTreeMap::new(),
            job_vni: jobs.iter().map(|job| job.vni).collect(),
            class_dscp: config.classes.classes().iter().map(dscp).collect(),
            ecn: match config.congestion {
                CongestionLaw::Ecn(_) => Ecn::Capable0,
                _ => Ecn::NotCapable,
            },
        };
        if !overlay.pipelines[0].has_members() {
            return Ok(Some(overlay));
        }
        if program.jobs_are_members {
            for job in jobs {
                for place in &job.places {
                    let endpoint = topology.endpoints_of(NodeId(place.node.0)).start + u32::from(place.nic);
                    overlay.admit(endpoint, u32::from(job.vni))?;
                }
            }
        }
        for members in &program.members {
            for &endpoint in &members.endpoints {
                if endpoint as usize >= topology.endpoint_count() {
                    let (what, found) = ("an endpoint of packet_engine.members", endpoint.to_string());
                    return Err(FabricError::Parameter {
                        what,
                        found,
                        works: "a number of an endpoint of the system would work",
                    });
                }
                overlay.admit(endpoint, members.vni)?;
            }
        }
        Ok(Some(overlay))
    }

    /// Makes an endpoint a member, in the pipeline of its switch.
    fn admit(&mut self, endpoint: u32, vni: u32) -> Result<(), FabricError> {
        let switch = self.topology.switch_of_endpoint(EndpointId(endpoint));
        let pipeline_index = *self.of_switch.entry(switch).or_insert_with(|| {
            self.pipelines.push(self.pipelines[0].clone());
            self.pipelines.len() - 1
        });
        self.pipelines[pipeline_index].admit(endpoint, vni)?;
        Ok(())
    }

    /// Number of the pipeline of an endpoint's switch.
    fn pipeline_of(&self, endpoint: u32) -> usize {
        let switch = self.topology.switch_of_endpoint(EndpointId(endpoint));
        self.of_switch.get(&switch).copied().unwrap_or(0)
    }

    fn address(&self, endpoint: u32) -> FabricAddress {
        self.topology.address(EndpointId(endpoint)).expect("checked when the overlay was made")
    }

    /// The frame of a message's packets, without frame check sequence.
    #[must_use]
    pub fn frame(&self, message: &EdgeMessage) -> Vec<u8> {
        let (source, destination) = (self.address(message.source), self.address(message.destination));
        let ethernet = ethernet::EthernetRepr {
            destination: destination.mac(),
            source: source.mac(),
            ethertype: EtherType::IPV4,
            framing: Framing::Bare,
        };
        let ip_of = |address: FabricAddress| (NETWORK | address.nid()).into();
        let ip = ipv4::Ipv4Repr {
            dscp: self.class_dscp.get(message.class.index()).copied().unwrap_or_default(),
            ecn: self.ecn,
            ..ipv4::Ipv4Repr::new(IpProtocol::UDP, ip_of(source), ip_of(destination))
        };
        let udp = udp::UdpRepr {
            source_port: 0xc000 | (source.nid().wrapping_add(destination.nid()) & 0x3fff) as u16,
            destination_port: udp::PORT_ROCE,
            checksum: udp::Checksum::Absent,
        };
        let operation = match message.purpose {
            PacketPurpose::Eager
            | PacketPurpose::Deferrable
            | PacketPurpose::RendezvousRequest
            | PacketPurpose::Notice => RoceOperation::SendOnly,
            PacketPurpose::ReadRequest | PacketPurpose::GetRequest => RoceOperation::ReadRequest,
            PacketPurpose::ReadData | PacketPurpose::GetData => RoceOperation::ReadResponseOnly,
            PacketPurpose::Put => RoceOperation::WriteOnly,
            PacketPurpose::Amo | PacketPurpose::FetchingAmo => RoceOperation::FetchAdd,
            PacketPurpose::AmoData => RoceOperation::AtomicAcknowledge,
            PacketPurpose::Collective | PacketPurpose::Response => {
                unreachable!("{}", crate::model::packet::NO_MESSAGE)
            }
        };
        let opcode =
            Opcode::new(RoceService::ReliableConnection, operation).expect("reliable connections have all of them");
        let pair = QueuePair::from_low_bits(FIRST_QUEUE_PAIR + message.job.0 as u32);
        let extended = Extended {
            remote: opcode.headers().contains(HeaderSet::REMOTE).then_some(RemoteHeader {
                address: 0,
                key: 0,
                length: 0,
            }),
            acknowledge: opcode.headers().contains(HeaderSet::ACKNOWLEDGE).then_some(AckHeader {
                syndrome: Syndrome::Ack { credits: 0 },
                message_sequence: PacketSequence::default(),
            }),
            atomic: opcode.headers().contains(HeaderSet::ATOMIC).then_some(Atomic {
                address: 0,
                key: 0,
                operand: 0,
                compare: 0,
            }),
            atomic_answer: opcode.headers().contains(HeaderSet::ATOMIC_ANSWER).then_some(0),
            ..Extended::default()
        };
        let packet = roce::RoceRepr { extended, ..roce::RoceRepr::new(opcode, pair, PacketSequence::default()) };
        let layers: [&dyn philae_wire::WireLayer; 4] = [&ethernet, &SealedIpv4(ip), &udp, &packet];
        let mut bytes = vec![0; stack_len(&layers, 0)];
        emit_stack(&layers, &[], &mut bytes).expect("these headers fit each other");
        bytes
    }

    /// The frame of a message's packets after the tables of a stage. A denied frame is as the
    /// tables have left it.
    #[must_use]
    pub fn emitted(&self, stage: PipelineStage, message: &EdgeMessage) -> Vec<u8> {
        self.passage(stage, message).0.frame
    }

    fn metadata(&self, endpoint: u32, class: u8, vni: u32) -> Metadata {
        let port = self.topology.endpoint(EndpointId(endpoint)).port;
        let (switch, port) = (self.topology.switch_of(port).0, self.topology.port_of(port).0);
        Metadata { switch, port, endpoint, class, vni }
    }

    /// The result of the ingress tables.
    fn ingress(&self, message: &EdgeMessage, frame: &[u8]) -> Passage {
        let vni = self.job_vni.get(message.job.index()).copied().unwrap_or_default();
        let metadata = self.metadata(message.source, message.class.0, vni.into());
        self.pipelines[self.pipeline_of(message.source)].classify(PipelineStage::Ingress, frame, metadata)
    }

    /// The result of a stage's tables, the endpoint at whose switch they are, and the bytes of the
    /// frame as the NIC sent it.
    fn passage(&self, stage: PipelineStage, message: &EdgeMessage) -> (Passage, u32, usize) {
        let frame = self.frame(message);
        let ingress = self.ingress(message, &frame);
        let (passage, endpoint) = match stage {
            PipelineStage::Ingress => (ingress, message.source),
            PipelineStage::Egress => {
                // A packet that the ingress denied never comes here. If it is asked for anyway, the
                // ingress verdict stands.
                let met = Metadata {
                    class: ingress.metadata.class,
                    vni: ingress.metadata.vni,
                    ..self.metadata(message.destination, 0, 0)
                };
                let pipeline = &self.pipelines[self.pipeline_of(message.destination)];
                match ingress.verdict {
                    PacketDecision::Permit => {
                        (pipeline.classify(PipelineStage::Egress, &ingress.frame, met), message.destination)
                    }
                    PacketDecision::Deny { .. } => (Passage { trail: Trail::default(), ..ingress }, message.source),
                }
            }
        };
        (passage, endpoint, frame.len())
    }

    fn evaluate(&self, stage: PipelineStage, message: &EdgeMessage) -> Cached {
        let (passage, endpoint, sent) = self.passage(stage, message);
        let verdict = match passage.verdict {
            PacketDecision::Permit => EdgeVerdict::Permit {
                extra_wire_bytes: passage.frame.len() as i32 - sent as i32,
                class: ClassId(passage.metadata.class),
            },
            PacketDecision::Deny { cause, table } => EdgeVerdict::Deny { cause, table, stage },
        };
        Cached { verdict, trail: passage.trail, pipeline: self.pipeline_of(endpoint), packets: 0 }
    }

    /// Counts of tables and counters over all switches, from what the partitions have seen.
    #[must_use]
    pub fn counts<'v>(&self, verdicts: impl IntoIterator<Item = &'v Verdicts>) -> EngineCounts {
        let mut pipelines = self.pipelines.clone();
        let mut counts = EngineCounts::default();
        for ((stage, ..), cached) in verdicts.into_iter().flat_map(|verdicts| &verdicts.cached) {
            pipelines[cached.pipeline].account(&cached.trail, cached.packets);
            if let EdgeVerdict::Deny { cause, table, .. } = &cached.verdict {
                *counts.denied.entry((*stage, table.clone(), cause.clone())).or_default() += cached.packets;
            }
        }
        let empty = |counted: TableCount| {
            let entries = vec![0; counted.entries.0 as usize];
            TableTotal { table: counted.table, stage: counted.stage, hits: 0, entries, misses: 0 }
        };
        counts.tables = self.pipelines[0].table_counts().into_iter().map(empty).collect();
        for pipeline in &pipelines {
            for (name, packets) in pipeline.counters() {
                *counts.counters.entry(name.to_owned()).or_default() += packets;
            }
            for (table, counted) in pipeline.table_counts().into_iter().enumerate() {
                let total = &mut counts.tables[table];
                for (handle, hits) in counted.hits {
                    total.hits += hits;
                    // The program's own entries are first, in every switch. After them are members,
                    // which differ.
                    if let Some(count) = total.entries.get_mut(handle.0 as usize) {
                        *count += hits;
                    }
                }
                total.misses += counted.misses;
            }
        }
        counts
    }
}

#[derive(Clone, Debug, serde::Serialize, serde::Deserialize)]
struct Cached {
    verdict: EdgeVerdict,
    trail: Trail,
    pipeline: usize,
    packets: u64,
}

/// The verdicts that a partition has met, and how many packets met each.
#[derive(Clone, Debug, Default, serde::Serialize, serde::Deserialize)]
pub struct Verdicts {
    cached: BTreeMap<Key, Cached>,
}

impl Verdicts {
    /// The decision about one packet of `message` at `stage`, which is counted. Ask at the ingress
    /// in the partition of the source's edge port, at the egress in that of the destination's.
    pub fn verdict(&mut self, overlay: &Overlay, stage: PipelineStage, message: &EdgeMessage) -> &EdgeVerdict {
        let cached = self.cached.entry(message.key(stage)).or_insert_with(|| overlay.evaluate(stage, message));
        cached.packets += 1;
        &cached.verdict
    }

    /// The same for a packet that has been counted, or never will be.
    pub fn known(&mut self, overlay: &Overlay, stage: PipelineStage, message: &EdgeMessage) -> &EdgeVerdict {
        &self.cached.entry(message.key(stage)).or_insert_with(|| overlay.evaluate(stage, message)).verdict
    }
}

/// Counts of a table over all switches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableTotal {
    /// Name of the table.
    pub table: String,
    /// Stage of the table.
    pub stage: PipelineStage,
    /// Packets that an entry matched.
    pub hits: u64,
    /// The same by entry of the program, in its order, without members of virtual networks.
    pub entries: Vec<u64>,
    /// Packets that no entry matched.
    pub misses: u64,
}

/// Counts of the packet engine over all switches.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EngineCounts {
    /// Packets by counter.
    pub counters: BTreeMap<String, u64>,
    /// Packets by table, in the order in which packets meet them, ingress first.
    pub tables: Vec<TableTotal>,
    /// Packets that were denied, by stage, table and cause.
    pub denied: BTreeMap<(PipelineStage, String, String), u64>,
}
