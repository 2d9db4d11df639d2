//! Converts what crossed a port to bytes.
//!
//! The model's packets are abstract. Their bytes follow from their purpose, in the form that the
//! NIC speaks:
//!
//! - **RoCEv2** over IPv4 and UDP, from NICs whose least frame is that of standard Ethernet.
//!   Two-sided data and the request of a rendezvous are SENDs, puts are RDMA WRITEs, fetches are
//!   READ REQUESTs and READ RESPONSEs. Messages that are not answered by data are acknowledged.
//! - **TCP or UDP** over IPv4, from third-party endpoints with that transport, and for two-sided
//!   data of hosts that send it through the kernel: `socket.rs`.
//! - **RoCEv2 as the packet engine has changed it**, where there is one, whatever the NIC:
//!   `tunnel.rs`.
//! - **Ultra Ethernet's transport**, whatever the NIC, in runs whose NICs have it: `uet.rs`.
//! - **Packets of collective trees**: `tree.rs`.
//! - **The fabric header** followed by a message header, from all others, with a standard Ethernet
//!   header in front. The link carries them without one; a capture needs it. The ethertype is
//!   IPv4's, because the fabric header has the shape of IPv4 and is then dissected as such.
//!
//! What the model does not know is derived, and is ours. IPv4 addresses are 10.16.0.0 plus the 20
//! bits of the fabric address. A queue pair is 0x800000 with 11 bits of the receiving rank and 12
//! of the sending rank. A virtual network is the job's number plus one. A message's operation is
//! the number of its purpose.
//!
//! Payload is zeros, except for the envelope with which a SEND begins (tag, sending rank, length).
//! The envelope replaces data, and stands alone if there is less data. Lengths are those of the
//! headers; they do not match to the byte what the model counts on a link
//! (`nic-model/src/segment.rs`).

use std::net::Ipv4Addr;
use std::sync::Arc;

use philae_congestion::CongestionLaw;
use philae_nic_model::{HostPath, ThirdPartyTransport, UetSizes};
use philae_units::EndpointId;
use philae_wire::hpc_ethernet::{fabric, message};
use philae_wire::mac_control::{self, CLASSES};
use philae_wire::roce::extended::{AckHeader, Atomic, Extended, RemoteHeader, Syndrome};
use philae_wire::roce::icrc::SealedIpv4;
use philae_wire::roce::opcode::{Opcode, RoceOperation, RoceService};
use philae_wire::{
    ConnectionSequence, Dfa, Dscp, EagerLength, Ecn, EndpointIndex, EtherType, Framing, IndexExtension, IpProtocol,
    MacAddress, MessageOperation, PacketIdExtension, PacketLength, PacketSequence, QueuePair, RemoteOffset, SctIndex,
    SptIndex, TryCount, WireLayer, emit_stack, ethernet, ipv4, roce, stack_len, udp,
};

use super::socket::window_shift;
use super::tunnel::Tunnels;
use super::{FrameContent, FrameSpan};
use crate::model::error::FabricError;
use crate::model::packet::{Header, PacketPurpose};
use crate::model::shared::Shared;
use crate::observe::observer::PacketIdentity;

/// The number of posted receives is not counted. Source: InfiniBand chapter 9. Status: published.
const NOT_COUNTED: u8 = 31;
/// The hops left that a sender writes. After this many switches the field is 0, because the model
/// does not discard packets for it.
///
/// Source: the usual default of IPv4 senders. Status: assumed.
pub const HOPS_MAX: u8 = 64;
/// A pause for the longest time that the field can say; 0 ends it. Source: cassini-headers, default
/// pause period. Status: published.
const PAUSE_QUANTA: u16 = 0xffff;
/// Least frame, including preamble, of standard Ethernet. Source: IEEE 802.3. Status: published.
const STANDARD_FRAME_MIN: u32 = 72;

/// Bytes of a SEND's envelope: tag, sending rank with the upper bit set, length of the operation in
/// eight bytes. Without it, Wireshark 4 takes SENDs of less than 16 bytes for broken RPC over RDMA.
///
/// Source: libfabric's `fi_rxm`, which sends such a header, in another layout: software that
/// matches needs tag and rank. Status: assumed.
const ENVELOPE_LEN: usize = 16;
/// The largest power of two that fits a frame with all headers. Source: 9,022 bytes in `wire`'s
/// Ethernet. Status: derived.
const ROCE_PAYLOAD_MAX: u32 = 8_192;

/// The form in which a NIC writes its packets.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Form {
    Roce,
    #[default]
    Fabric,
    Tcp,
    Udp,
    Uet,
}

/// The form of packets between any two endpoints: third-party endpoints send and read that of their
/// transport.
#[derive(Clone, Debug, Default)]
pub struct Forms {
    own: Form,
    /// Two-sided data between NICs of the system, if it passes the kernel.
    socket: Option<Form>,
    /// By endpoint.
    third_party: Vec<Option<Form>>,
    /// There is a packet engine, which sees RoCEv2.
    has_tables: bool,
}

impl Forms {
    fn new(shared: &Shared) -> Self {
        let (nic, topology) = (&shared.config.nic, shared.topology());
        let has_tables = shared.overlay.is_some();
        let is_standard = nic.frame_min_bytes >= STANDARD_FRAME_MIN;
        let kind = |endpoint| usize::from(topology.endpoint(EndpointId(endpoint)).kind);
        let form = |endpoint| {
            let (parameters, _) = shared.kinds.all()[kind(endpoint)].ethernet.as_ref()?;
            Some(match parameters.transport {
                ThirdPartyTransport::Roce => Form::Roce,
                ThirdPartyTransport::Tcp => Form::Tcp,
                ThirdPartyTransport::Udp => Form::Udp,
                ThirdPartyTransport::Uet => Form::Uet,
            })
        };
        Self {
            own: if shared.config.congestion.is_ultra_ethernet() && !has_tables {
                Form::Uet
            } else if is_standard || has_tables {
                Form::Roce
            } else {
                Form::Fabric
            },
            socket: match shared.config.host.path {
                HostPath::Kernel => Some(Form::Tcp),
                HostPath::KernelUdp => Some(Form::Udp),
                HostPath::Direct | HostPath::Messages => None,
            },
            third_party: (0..topology.endpoint_count() as u32).map(form).collect(),
            has_tables,
        }
    }

    pub fn of(&self, identity: &PacketIdentity) -> Form {
        if self.has_tables {
            return Form::Roce;
        }
        let third_party = |endpoint: u32| self.third_party[endpoint as usize];
        let socket = self.socket.filter(|_| identity.header.purpose == PacketPurpose::Eager);
        third_party(identity.source).or(third_party(identity.destination)).or(socket).unwrap_or(self.own)
    }
}

/// Writes frames.
#[derive(Debug)]
pub struct Frames {
    forms: Forms,
    /// Fabric address of each endpoint.
    addresses: Vec<u32>,
    /// DSCP of each class.
    dscp: Vec<Dscp>,
    /// The ECN bits of unmarked packets.
    unmarked: Ecn,
    ordered: bool,
    zeros: Vec<u8>,
    /// Sizes and encapsulation of Ultra Ethernet's packets; `None`: over UDP and IPv4, although the
    /// model counts other sizes.
    pub uet: Option<UetSizes>,
    /// Bits by which TCP windows are shifted.
    pub window_shift: u8,
    /// The packet engine's headers for frames.
    tunnels: Option<Tunnels>,
}

impl Frames {
    /// Frames of a fabric.
    ///
    /// # Errors
    /// NICs whose format is not public, packets too long for its length field, and systems that are
    /// too large for fabric addresses.
    pub fn new(shared: &Arc<Shared>) -> Result<Self, FabricError> {
        let (nic, topology) = (&shared.config.nic, shared.topology());
        let refuse = |found: String, works| Err(FabricError::Capture { port: "every port".into(), found, works });
        let forms = Forms::new(shared);
        let form = forms.own;
        if form == Form::Uet && nic.payload_max_bytes > philae_wire::uet::PAYLOAD_MAX as u32 {
            let found = format!("hardware.nic.payload_max_bytes = {}", nic.payload_max_bytes);
            return refuse(found, "8192, which fits the largest Ethernet frame");
        }
        if form != Form::Uet && nic.unit_payload_bytes > 0 {
            let found = format!("packets in units of {} bytes, whose format is not public", nic.unit_payload_bytes);
            return refuse(found, "the NICs connectx-5, cassini-1 or cassini-2");
        }
        if form == Form::Roce && nic.payload_max_bytes > ROCE_PAYLOAD_MAX {
            let found = format!("hardware.nic.payload_max_bytes = {}", nic.payload_max_bytes);
            return refuse(found, "8192, which fits the largest Ethernet frame");
        }
        if form == Form::Fabric && nic.payload_max_bytes > u32::from(PacketLength::MAX.get()) {
            let found = format!("hardware.nic.payload_max_bytes = {}", nic.payload_max_bytes);
            return refuse(found, "4095, the most that the header's length field says");
        }
        let address = |endpoint| topology.address(EndpointId(endpoint)).map(|address| address.nid());
        let addresses: Result<Vec<u32>, _> = (0..topology.endpoint_count() as u32).map(address).collect();
        let addresses = match addresses {
            Ok(addresses) => addresses,
            Err(error) => return refuse(error.to_string(), "a system whose endpoints have fabric addresses"),
        };
        let of_class =
            |class: &philae_traffic_class::TrafficClass| Dscp::from_low_bits(class.dscp.first().copied().unwrap_or(0));
        let most = shared.kinds.forms().iter().map(|form| form.payload_max_bytes).max().unwrap_or(0) as usize;
        let marks = matches!(shared.config.congestion, CongestionLaw::Ecn(_)) || form == Form::Uet;
        Ok(Self {
            forms,
            addresses,
            dscp: shared.config.classes.classes().iter().map(of_class).collect(),
            unmarked: if marks { Ecn::Capable0 } else { Ecn::NotCapable },
            ordered: nic.ordered,
            zeros: vec![0; most.max(ENVELOPE_LEN)],
            uet: shared.traits.uet.sizes,
            window_shift: shared.config.laws.tcp.as_ref().map_or(0, |tcp| window_shift(tcp.receive_buffer_bytes)),
            tunnels: Tunnels::new(shared),
        })
    }

    /// Writes the frame of what crossed a port over `buffer`.
    pub fn write(&mut self, content: &FrameContent, buffer: &mut Vec<u8>) {
        if let Some((identity, shown, marked, hops)) = content.of_uet().filter(|_| self.tunnels.is_none()) {
            let ecn = if marked { Ecn::Congested } else { Ecn::Capable0 };
            return self.uet(identity, shown, (ecn, hops), buffer);
        }
        match *content {
            FrameContent::Pause { port, class, on } => pause(port, class, on, buffer),
            FrameContent::Tree { load, source, root, class, hops } => {
                self.tree(&load, (source, root), class, hops, buffer)
            }
            FrameContent::Packet { identity, marked, hops, span } => {
                let ecn = if marked { Ecn::Congested } else { self.unmarked };
                match self.forms.of(&identity) {
                    Form::Roce => self.roce(&identity, packet_opcode(&identity), ecn, hops, buffer),
                    Form::Fabric => self.fabric(&identity, ecn, hops, buffer),
                    Form::Tcp => self.tcp(&identity, false, ecn, hops, buffer),
                    Form::Udp => self.udp(&identity, ecn, hops, buffer),
                    Form::Uet => unreachable!("a packet of this transport has a context"),
                }
                self.wrap(&identity, span, (hops, marked), buffer);
            }
            FrameContent::Acknowledgement { identity, hops } if self.forms.of(&identity) == Form::Tcp => {
                self.tcp(&identity, true, self.unmarked, hops, buffer);
            }
            FrameContent::Acknowledgement { identity, hops } if self.forms.of(&identity) == Form::Fabric => {
                self.fabric(&response(&identity), self.unmarked, hops, buffer);
            }
            FrameContent::Acknowledgement { identity, hops } => {
                self.roce(&identity, RoceOperation::Acknowledge, self.unmarked, hops, buffer);
                // It does not meet the tables. It is shown as its NIC sends it.
                self.wrap(&identity, FrameSpan::FromNic, (0, false), buffer);
            }
        }
    }

    /// Puts the headers of the packet engine around a frame, if there is an engine.
    fn wrap(&mut self, identity: &PacketIdentity, span: FrameSpan, path: (u8, bool), buffer: &mut Vec<u8>) {
        if let Some(tunnels) = &mut self.tunnels {
            tunnels.wrap(identity, span, path, buffer);
        }
    }

    /// The form of the frames between two endpoints.
    pub const fn forms(&self) -> &Forms {
        &self.forms
    }

    /// Fabric address of an endpoint.
    pub fn address(&self, endpoint: u32) -> u32 {
        self.addresses[endpoint as usize]
    }

    /// MAC address of an endpoint.
    pub fn mac(&self, endpoint: u32) -> MacAddress {
        let [_, high, middle, low] = self.address(endpoint).to_be_bytes();
        MacAddress([2, 0, 0, high, middle, low])
    }

    /// DSCP of a class.
    pub fn dscp(&self, class: u8) -> Dscp {
        self.dscp[usize::from(class)]
    }

    /// Payload of `bytes` bytes.
    pub fn zeros(&self, bytes: usize) -> &[u8] {
        &self.zeros[..bytes]
    }

    /// The Ethernet header of a packet.
    pub fn ethernet(&self, identity: &PacketIdentity) -> ethernet::EthernetRepr {
        ethernet::EthernetRepr {
            destination: self.mac(identity.destination),
            source: self.mac(identity.source),
            ethertype: EtherType::IPV4,
            framing: Framing::Bare,
        }
    }

    /// The IPv4 header of a packet.
    pub fn ip(&self, identity: &PacketIdentity, protocol: IpProtocol, ecn: Ecn, hops: u8) -> ipv4::Ipv4Repr {
        let address = |endpoint: u32| Ipv4Addr::from(0x0a10_0000 | self.address(endpoint));
        ipv4::Ipv4Repr {
            dscp: self.dscp(identity.header.class.0),
            ecn,
            time_to_live: HOPS_MAX.saturating_sub(hops),
            ..ipv4::Ipv4Repr::new(protocol, address(identity.source), address(identity.destination))
        }
    }

    fn roce(&self, identity: &PacketIdentity, operation: RoceOperation, ecn: Ecn, hops: u8, buffer: &mut Vec<u8>) {
        let header = &identity.header;
        let ip = self.ip(identity, IpProtocol::UDP, ecn, hops);
        let datagram = udp::UdpRepr {
            source_port: source_port(identity),
            destination_port: udp::PORT_ROCE,
            checksum: udp::Checksum::Absent,
        };
        let is_answer = operation == RoceOperation::Acknowledge;
        // An acknowledgement keeps the ranks of the message, whose data went in the other
        // direction.
        let (to, from) = if is_answer {
            (header.source_rank, header.destination_rank)
        } else {
            (header.destination_rank, header.source_rank)
        };
        let opcode =
            Opcode::new(RoceService::ReliableConnection, operation).expect("connections have these operations");
        let sequence = PacketSequence::from_low_bits(identity.sequence);
        let mut packet = roce::RoceRepr::new(opcode, queue_pair(to, from), sequence);
        packet.acknowledge_request = matches!(
            operation,
            RoceOperation::SendOnly | RoceOperation::SendLast | RoceOperation::WriteOnly | RoceOperation::WriteLast
        );
        packet.extended = extended(identity, operation);
        let data = identity.payload as usize;
        let layers: [&dyn WireLayer; 4] = [&self.ethernet(identity), &SealedIpv4(ip), &datagram, &packet];
        match operation {
            // The operand, and the old value in memory, are in headers.
            RoceOperation::Acknowledge | RoceOperation::FetchAdd | RoceOperation::AtomicAcknowledge => {
                emit(&layers, &[], buffer)
            }
            RoceOperation::SendFirst | RoceOperation::SendOnly => {
                let mut payload = vec![0; data.max(ENVELOPE_LEN)];
                payload[..4].copy_from_slice(&header.tag.to_be_bytes());
                payload[4..8].copy_from_slice(&(header.source_rank | 1 << 31).to_be_bytes());
                payload[8..16].copy_from_slice(&header.operation_bytes.to_be_bytes());
                emit(&layers, &payload, buffer);
            }
            _ => emit(&layers, &self.zeros[..data], buffer),
        }
    }

    fn fabric(&self, identity: &PacketIdentity, ecn: Ecn, hops: u8, buffer: &mut Vec<u8>) {
        let header = &identity.header;
        let place = |endpoint: u32, rank: u32| fabric::ProcessAddress {
            address: Dfa::from_low_bits(self.addresses[endpoint as usize]),
            endpoint: EndpointIndex::from_low_bits(rank as u16),
        };
        let network = fabric::FabricRepr {
            dscp: self.dscp[header.class.index()],
            ecn,
            vni: header.job.0.wrapping_add(1),
            try_count: TryCount::default(),
            spt_index: SptIndex::default(),
            time_to_live: HOPS_MAX.saturating_sub(hops),
            source: place(identity.source, header.source_rank),
            destination: place(identity.destination, header.destination_rank),
        };
        let operation = self.message(identity);
        let data = &self.zeros[..identity.payload as usize];
        emit(&[&self.ethernet(identity), &network, &operation], data, buffer);
    }

    /// The message header: the first packet of a request opens its message, all others continue it.
    fn message(&self, identity: &PacketIdentity) -> message::MessageRepr {
        let header = &identity.header;
        let first = message::First {
            operation: MessageOperation::from_low_bits(header.purpose as u8),
            flush: false,
            packet_id_extension: PacketIdExtension::default(),
        };
        let connection = message::Connection {
            sequence: ConnectionSequence::from_low_bits(identity.sequence as u16),
            clear_sequence: ConnectionSequence::default(),
            index: SctIndex::default(),
        };
        let answers = matches!(
            header.purpose,
            PacketPurpose::ReadData | PacketPurpose::GetData | PacketPurpose::AmoData | PacketPurpose::Response
        );
        if identity.index > 0 || answers {
            return message::MessageRepr::Continuation {
                first,
                end_of_message: identity.index + 1 == identity.count,
                is_ordered: self.ordered,
                source_error: false,
                offset: identity.offset as u32,
                message: identity.message as u8,
                connection,
                packet_length: PacketLength::from_low_bits(identity.payload as u16),
            };
        }
        message::MessageRepr::Unrestricted {
            first,
            index_extension: IndexExtension::default(),
            remote_offset: RemoteOffset::default(),
            message: identity.message as u8,
            connection,
            rendezvous: 0,
            source_error: false,
            use_offset_for_get: false,
            request_length: header.operation_bytes as u32,
            initiator: header.source_rank,
            match_bits: header.tag.into(),
            header_data: 0,
            eager_length: EagerLength::default(),
        }
    }
}

/// The response to a packet, of which `acknowledged` has the endpoints of the way back.
const fn response(acknowledged: &PacketIdentity) -> PacketIdentity {
    let header = acknowledged.header;
    let header = Header {
        purpose: PacketPurpose::Response,
        source_rank: header.destination_rank,
        destination_rank: header.source_rank,
        ..header
    };
    PacketIdentity { header, offset: 0, payload: 0, index: 0, count: 1, ..*acknowledged }
}

/// Writes layers and payload over `buffer`.
pub fn emit(layers: &[&dyn WireLayer], payload: &[u8], buffer: &mut Vec<u8>) {
    buffer.clear();
    buffer.resize(stack_len(layers, payload.len()), 0);
    emit_stack(layers, payload, buffer).expect("lengths are checked when a capture begins");
}

fn packet_opcode(identity: &PacketIdentity) -> RoceOperation {
    use RoceOperation as Op;
    let [only, first, middle, last] = match identity.header.purpose {
        PacketPurpose::Eager | PacketPurpose::Deferrable | PacketPurpose::RendezvousRequest | PacketPurpose::Notice => {
            [Op::SendOnly, Op::SendFirst, Op::SendMiddle, Op::SendLast]
        }
        PacketPurpose::Put => [Op::WriteOnly, Op::WriteFirst, Op::WriteMiddle, Op::WriteLast],
        PacketPurpose::ReadRequest | PacketPurpose::GetRequest => return Op::ReadRequest,
        // The model does not know the operation at the target: this is the most common one.
        PacketPurpose::Amo | PacketPurpose::FetchingAmo => return Op::FetchAdd,
        PacketPurpose::AmoData => return Op::AtomicAcknowledge,
        PacketPurpose::ReadData | PacketPurpose::GetData => {
            [Op::ReadResponseOnly, Op::ReadResponseFirst, Op::ReadResponseMiddle, Op::ReadResponseLast]
        }
        PacketPurpose::Collective | PacketPurpose::Response => {
            unreachable!("{}", crate::model::packet::NO_MESSAGE)
        }
    };
    match (identity.index == 0, identity.index + 1 == identity.count) {
        (true, true) => only,
        (true, false) => first,
        (false, false) => middle,
        (false, true) => last,
    }
}

/// The headers that an operation needs.
fn extended(identity: &PacketIdentity, operation: RoceOperation) -> Extended {
    use RoceOperation as Op;
    let header = &identity.header;
    let mut extended = Extended::default();
    match operation {
        Op::WriteFirst | Op::WriteOnly | Op::ReadRequest => {
            let key = queue_pair(header.destination_rank, header.source_rank).get();
            extended.remote = Some(RemoteHeader { address: 0, key, length: header.operation_bytes as u32 });
        }
        Op::FetchAdd => {
            let key = queue_pair(header.destination_rank, header.source_rank).get();
            extended.atomic = Some(Atomic { address: 0, key, operand: 0, compare: 0 });
        }
        Op::ReadResponseFirst
        | Op::ReadResponseLast
        | Op::ReadResponseOnly
        | Op::Acknowledge
        | Op::AtomicAcknowledge => {
            extended.atomic_answer = (operation == Op::AtomicAcknowledge).then_some(0);
            extended.acknowledge = Some(AckHeader {
                syndrome: Syndrome::Ack { credits: NOT_COUNTED },
                message_sequence: PacketSequence::from_low_bits(identity.completed),
            });
        }
        _ => {}
    }
    extended
}

/// The queue pair at which `to` receives from `from`. The upper bit avoids those that management
/// uses.
const fn queue_pair(to: u32, from: u32) -> QueuePair {
    QueuePair::from_low_bits(0x80_0000 | (to & 0x7ff) << 12 | (from & 0xfff))
}

/// One of the dynamic ports, by pair of ranks. RoCEv2 senders choose it like this so that
/// equal-cost paths are used.
const fn source_port(identity: &PacketIdentity) -> u16 {
    let pair = identity.header.source_rank.wrapping_mul(31) ^ identity.header.destination_rank;
    0xc000 | (pair & 0x3fff) as u16
}

/// MAC address of a port of a switch.
pub const fn switch_mac(port: u32) -> MacAddress {
    let [_, high, middle, low] = port.to_be_bytes();
    MacAddress([2, 0xfe, 0, high, middle, low])
}

/// A pause of one class. The frame has eight classes: class 8 is shown as 0.
fn pause(port: u32, class: u8, on: bool, buffer: &mut Vec<u8>) {
    let class = usize::from(class) % CLASSES;
    let mut quanta = [0; CLASSES];
    quanta[class] = if on { PAUSE_QUANTA } else { 0 };
    let ethernet = ethernet::EthernetRepr {
        destination: MacAddress::PAUSE,
        source: switch_mac(port),
        ethertype: EtherType::MAC_CONTROL,
        framing: Framing::Bare,
    };
    let pause = mac_control::MacControlRepr::PriorityPause { enabled: 1 << class, quanta };
    emit(&[&ethernet, &pause], &[], buffer);
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::model::packet::Header;
    use philae_units::{ClassId, JobId};
    use philae_wire::dissect::{LayerKind, Start, dissect};

    pub fn frames(form: Form) -> Frames {
        Frames {
            forms: Forms { own: form, third_party: vec![None; 8], ..Forms::default() },
            addresses: vec![0x07ea, 0xf_ffff],
            dscp: vec![Dscp::from_low_bits(8)],
            unmarked: Ecn::Capable0,
            ordered: true,
            zeros: vec![0; 4_095],
            uet: None,
            window_shift: 0,
            tunnels: None,
        }
    }

    pub fn identity(purpose: PacketPurpose, bytes: u64, index: u32, count: u32) -> PacketIdentity {
        let header = Header {
            purpose,
            job: JobId(2),
            class: ClassId(0),
            source_rank: 5,
            destination_rank: 9,
            bytes,
            operation_bytes: 9_000,
            tag: 77,
            issuer_handle: 0,
            receive_handle: 0,
            issued: 0,
        };
        let payload = bytes.saturating_sub(u64::from(index) * 4_000).min(4_000) as u32;
        let offset = u64::from(index) * 4_000;
        let (source, destination, message) = (0, 1, 300);
        PacketIdentity {
            header,
            source,
            destination,
            message,
            offset,
            payload,
            index,
            count,
            sequence: 0x0123_4567,
            completed: 3,
            stream: crate::observe::observer::StreamPlace { first: 1_000, expected: 500, window: None },
            uet: None,
        }
    }

    pub const PURPOSES: [PacketPurpose; 11] = [
        PacketPurpose::Eager,
        PacketPurpose::Deferrable,
        PacketPurpose::RendezvousRequest,
        PacketPurpose::ReadRequest,
        PacketPurpose::ReadData,
        PacketPurpose::Put,
        PacketPurpose::GetRequest,
        PacketPurpose::GetData,
        PacketPurpose::Amo,
        PacketPurpose::FetchingAmo,
        PacketPurpose::AmoData,
    ];

    #[test]
    fn every_packet_of_every_purpose_is_right_in_both_forms() {
        for form in [Form::Roce, Form::Fabric] {
            let (mut frames, mut buffer) = (frames(form), Vec::new());
            for purpose in PURPOSES {
                let requests = matches!(
                    purpose,
                    PacketPurpose::RendezvousRequest | PacketPurpose::ReadRequest | PacketPurpose::GetRequest
                );
                let atomic =
                    matches!(purpose, PacketPurpose::Amo | PacketPurpose::FetchingAmo | PacketPurpose::AmoData);
                let parts = if requests {
                    vec![(0, 0, 1)]
                } else if atomic {
                    vec![(8, 0, 1)]
                } else {
                    vec![(1, 0, 1), (9_000, 0, 3), (9_000, 1, 3), (9_000, 2, 3)]
                };
                for (bytes, index, count) in parts {
                    let identity = identity(purpose, bytes, index, count);
                    frames.write(
                        &FrameContent::Packet { identity, marked: index == 1, hops: 2, span: FrameSpan::FromNic },
                        &mut buffer,
                    );
                    let layers = dissect(&buffer, Start::Ethernet(Framing::Bare));
                    assert_eq!(layers.error(), None, "{form:?} {purpose:?} {index}");
                    let ip = ipv4::Ipv4Packet::new(&buffer[14..]).expect("IPv4, or its shape");
                    assert_eq!(ip.dscp().get(), 8);
                    assert_eq!(ip.time_to_live(), HOPS_MAX - 2);
                    assert_eq!(ip.ecn(), if index == 1 { Ecn::Congested } else { Ecn::Capable0 });
                    assert_eq!(ip.total_len(), buffer.len() - 14);
                    if form == Form::Fabric {
                        let packet = fabric::FabricPacket::new(&buffer[14..]).expect("a fabric header");
                        assert_eq!((packet.vni(), packet.source().address.get()), (3, 0x07ea));
                        assert_eq!(packet.destination().endpoint.get(), 9);
                        let message = message::MessagePacket::new(packet.payload()).expect("a message header");
                        assert_eq!(message.payload().len() as u32, identity.payload);
                        message::MessageRepr::parse(&message).expect("no unused bit is set");
                        let answers = matches!(
                            purpose,
                            PacketPurpose::ReadData | PacketPurpose::GetData | PacketPurpose::AmoData
                        );
                        let opens = index == 0 && !answers;
                        let kind = if opens {
                            message::HpcHeaderKind::Unrestricted
                        } else {
                            message::HpcHeaderKind::Continuation
                        };
                        assert_eq!(message.kind(), Ok(kind));
                    }
                }
            }
        }
    }

    #[test]
    fn opcodes_follow_from_purpose_and_place() {
        let codes = |purpose, count: u32| -> Vec<u8> {
            let code = |index| {
                let mut buffer = Vec::new();
                // Requests carry no data, and a message of one packet may carry none.
                let identity = identity(purpose, if count == 1 { 0 } else { 9_000 }, index, count);
                frames(Form::Roce).write(
                    &FrameContent::Packet { identity, marked: false, hops: 0, span: FrameSpan::FromNic },
                    &mut buffer,
                );
                let layers = dissect(&buffer, Start::Ethernet(Framing::Bare));
                buffer[layers.innermost(LayerKind::Roce).expect("RoCEv2").offset]
            };
            (0..count).map(code).collect()
        };
        assert_eq!([codes(PacketPurpose::Eager, 3), codes(PacketPurpose::Eager, 1)], [vec![0, 1, 2], vec![4]]);
        assert_eq!([codes(PacketPurpose::Put, 3), codes(PacketPurpose::Put, 1)], [vec![6, 7, 8], vec![10]]);
        assert_eq!([codes(PacketPurpose::GetData, 3), codes(PacketPurpose::ReadData, 1)], [vec![13, 14, 15], vec![16]]);
        assert_eq!([codes(PacketPurpose::GetRequest, 1), codes(PacketPurpose::ReadRequest, 1)], [vec![12], vec![12]]);
        assert_eq!([codes(PacketPurpose::FetchingAmo, 1), codes(PacketPurpose::AmoData, 1)], [vec![0x14], vec![0x12]]);
    }

    #[test]
    fn an_acknowledgement_goes_back_to_the_queue_pair_of_the_sender() {
        let (mut forth, mut back) = (Vec::new(), Vec::new());
        let sent = identity(PacketPurpose::Put, 1, 0, 1);
        frames(Form::Roce).write(
            &FrameContent::Packet { identity: sent, marked: false, hops: 0, span: FrameSpan::FromNic },
            &mut forth,
        );
        let answer = PacketIdentity { source: 1, destination: 0, ..sent };
        frames(Form::Roce).write(&FrameContent::Acknowledgement { identity: answer, hops: 0 }, &mut back);
        let header =
            |frame: &[u8]| roce::RoceRepr::parse(&roce::RocePacket::new(frame[42..].to_vec()).expect("RoCEv2"));
        let (forth, back) = (header(&forth).expect("a header"), header(&back).expect("a header"));
        assert_eq!((forth.queue_pair, back.queue_pair), (queue_pair(9, 5), queue_pair(5, 9)));
        assert_eq!(forth.sequence, back.sequence);
        assert!(forth.acknowledge_request);
        let acknowledge = back.extended.acknowledge.expect("it acknowledges");
        assert_eq!(acknowledge.message_sequence.get(), 3);
    }

    #[test]
    fn a_response_of_a_fabric_nic_goes_from_rank_to_rank_without_payload() {
        let sent = identity(PacketPurpose::Put, 9_000, 1, 3);
        let back = PacketIdentity { source: sent.destination, destination: sent.source, ..sent };
        let mut buffer = Vec::new();
        frames(Form::Fabric).write(&FrameContent::Acknowledgement { identity: back, hops: 1 }, &mut buffer);
        let packet = fabric::FabricPacket::new(&buffer[14..]).expect("a fabric header");
        let end = |rank: u32| EndpointIndex::from_low_bits(rank as u16);
        assert_eq!(packet.source().endpoint, end(sent.header.destination_rank));
        assert_eq!(packet.destination().endpoint, end(sent.header.source_rank));
        let message = message::MessagePacket::new(packet.payload()).expect("a message header");
        assert_eq!((message.kind(), message.payload().len()), (Ok(message::HpcHeaderKind::Continuation), 0));
    }

    #[test]
    fn a_pause_names_its_class_and_its_end() {
        let mut buffer = Vec::new();
        for (on, quanta) in [(true, 0xffff), (false, 0)] {
            frames(Form::Fabric).write(&FrameContent::Pause { port: 0x0001_0203, class: 6, on }, &mut buffer);
            let repr = mac_control::MacControlRepr::parse(
                &mac_control::MacControlPacket::new(&buffer[14..]).expect("a pause"),
            );
            let Ok(mac_control::MacControlRepr::PriorityPause { enabled, quanta: classes }) = repr else {
                panic!("{repr:?}")
            };
            assert_eq!((enabled, classes[6]), (1 << 6, quanta));
            assert_eq!(buffer[6..12], [2, 0xfe, 0, 1, 2, 3]);
        }
    }
}
