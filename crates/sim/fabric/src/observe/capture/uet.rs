//! Packets of Ultra Ethernet's transport as frames.
//!
//! The headers come from the state of the run: numbers of contexts, packet numbers, what may be
//! forgotten, what has arrived, credit, entropy, messages and their lengths. What the model does
//! not know is derived, and is ours:
//!
//! - Packet numbers begin with 1.
//! - A sender sets SYN until it has heard of its receiver.
//! - IPv6 addresses are fd00::/64 and the IPv4 address. The process at an endpoint is the low 12
//!   bits of the rank, the job is its number plus one, the memory key of a one-sided operation is
//!   0.
//! - A message's number is the NIC's; that of a request for data is the handle of its operation,
//!   which the data repeats.
//! - An atomic operation is a sum of 64-bit numbers.
//! - The service time is that in which a NIC makes a response.
//!
//! The bitmap of an acknowledgement shows all that the receiver has of 64 packets, the last of them
//! the packet that it names. The model's sender reads of it those before that packet which were not
//! acknowledged yet.

use std::net::{Ipv4Addr, Ipv6Addr};

use philae_wire::uet::acknowledgement::{AckExtension, AckRequest, AckSubject, DeliveryAck, SelectiveAck};
use philae_wire::uet::congestion::{AckCongestion, RequestCongestion};
use philae_wire::uet::control::{ControlType, DeliveryControl};
use philae_wire::uet::crc::SealedUet;
use philae_wire::uet::delivery::DeliveryRepr;
use philae_wire::uet::entropy::EntropyRepr;
use philae_wire::uet::nack::{DeliveryNack, NackCode, NackSubject};
use philae_wire::uet::overhead::Encapsulation;
use philae_wire::uet::packet::UetRepr;
use philae_wire::uet::request::{DeliveryRequest, PdcDestination};
use philae_wire::uet::semantic::SemanticRepr;
use philae_wire::uet::semantic::extension::{AtomicExtension, RendezvousExtension, SemanticExtension};
use philae_wire::uet::semantic::opcode::{
    AtomicCode, AtomicNumber, DeliveredList, ResponseOpcode, SemanticOpcode, SemanticStatus,
};
use philae_wire::uet::semantic::request::{
    MediumWord, RequestBody, RequestFlags, RequestPart, RestartToken, SemanticRequest, TargetAddress,
};
use philae_wire::uet::semantic::response::{ResponseBody, SemanticResponse};
use philae_wire::uet::{
    JobId, PdcId, PidOnFep, Psn, ReceivedUnits, ResourceIndex, SemanticLength, StartOffset, TransportCredit,
    WindowPenalty,
};
use philae_wire::{Ecn, EtherType, IpProtocol, ethernet, ipv6};

use super::frame::{Frames, HOPS_MAX, emit};
use crate::model::packet::PacketPurpose;
use crate::observe::observer::PacketIdentity;

/// Number of a context's first packet. Source: ours; a real sender draws it. Status: assumed.
const START: Psn = Psn(1);

/// The first of the ports that no service has. Over UDP the entropy is the number of a port among
/// them, so that readers of captures do not take it for a service's.
///
/// Source: RFC 6335. Status: published.
const DYNAMIC_PORTS: u16 = 0xc000;

/// What a packet of the transport says beyond its message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct UetShown {
    /// Numbers of the context at the NIC that sends and at the other; 0: not known yet.
    pub source: u16,
    pub destination: u16,
    pub entropy: u16,
    pub is_ordered: bool,
    pub content: UetContent,
}

/// What kind of packet it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub enum UetContent {
    /// A packet of a message. `cleared`: the first whose acknowledgement has not come. `wanted`:
    /// the credit that the sender would like to have, where receivers give credit.
    Request { number: u32, cleared: u32, wanted: Option<u32>, asks: bool, is_retransmitted: bool },
    /// Acknowledges packet `number`. `expected`: the first that has not arrived. `bitmap`: what has
    /// arrived from packet `first` on.
    Received {
        number: u32,
        expected: u32,
        first: i64,
        bitmap: u64,
        out_of_order: u16,
        state: UetAckState,
        marked: bool,
        /// What became of the message, if the response to it rides on this.
        status: Option<u8>,
    },
    /// Packet `wanted` is missing, or a switch has trimmed it.
    Refused { wanted: u32, is_trimmed: bool },
    /// Credit, in units since the context began; or a request for it.
    Credit { units: u32, is_request: bool },
    /// The sender asks what has arrived, up to packet `number`.
    Probe { number: u32 },
}

/// Congestion state of an acknowledgement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub enum UetAckState {
    /// Units of time that the receiver took, and of bytes that have arrived.
    Window { service_time: u16, penalty: u8, received: u32 },
    /// Credit, in units since the context began.
    Credit { units: u32 },
}

fn psn(number: u32) -> Psn {
    START.offset(number.cast_signed())
}

fn peer(number: u16, sent: u32) -> PdcDestination {
    match number {
        0 => PdcDestination::Syn {
            reserved_pool: false,
            start_offset: StartOffset::from_low_bits(sent.min(StartOffset::MAX.get().into()) as u16),
        },
        known => PdcDestination::Established(PdcId(known)),
    }
}

/// The nearest offset that the field holds.
fn offset(distance: i64) -> i16 {
    distance.clamp(i16::MIN.into(), i16::MAX.into()) as i16
}

impl UetShown {
    /// The same packet, sent again.
    pub fn again(self) -> Self {
        match self.content {
            UetContent::Request { number, cleared, wanted, asks, .. } => {
                Self { content: UetContent::Request { number, cleared, wanted, asks, is_retransmitted: true }, ..self }
            }
            _ => self,
        }
    }

    fn delivery(&self) -> DeliveryRepr {
        let (source, destination) = (PdcId(self.source), PdcId(self.destination));
        match self.content {
            UetContent::Request { number, cleared, wanted, asks, is_retransmitted } => {
                DeliveryRepr::Request(DeliveryRequest {
                    is_ordered: self.is_ordered,
                    is_retransmitted,
                    acknowledge: asks,
                    // Up to the one before the first that is not cleared.
                    clear_psn_offset: offset(i64::from(cleared) - 1 - i64::from(number)),
                    psn: psn(number),
                    source,
                    destination: peer(self.destination, number),
                    congestion: wanted.map(|wanted| RequestCongestion {
                        context: 0,
                        credit_target: TransportCredit::from_low_bits(wanted),
                    }),
                })
            }
            UetContent::Received { number, expected, first, bitmap, out_of_order, state, marked, .. } => {
                let cumulative = i64::from(expected) - 1;
                let state = match state {
                    UetAckState::Window { service_time, penalty, received } => AckCongestion::Nscc {
                        service_time,
                        restore_window: false,
                        window_penalty: WindowPenalty::from_low_bits(penalty),
                        received: ReceivedUnits::from_low_bits(received),
                        out_of_order,
                    },
                    UetAckState::Credit { units } => {
                        AckCongestion::Credit { credit: TransportCredit::from_low_bits(units), out_of_order }
                    }
                };
                let selective = SelectiveAck { maximum_psn_range: 0, psn_offset: offset(first - cumulative), bitmap };
                DeliveryRepr::Ack(DeliveryAck {
                    is_marked: marked,
                    is_retransmitted: false,
                    request: AckRequest::None,
                    subject: AckSubject::PsnOffset(offset(i64::from(number) - cumulative)),
                    cumulative_psn: psn(expected).offset(-1),
                    source,
                    destination,
                    extension: AckExtension::Congestion(selective, state),
                })
            }
            UetContent::Refused { wanted, is_trimmed } => DeliveryRepr::Nack(DeliveryNack {
                is_marked: false,
                is_retransmitted: false,
                code: if is_trimmed { NackCode::TRIMMED } else { NackCode::OUT_OF_ORDER },
                vendor_code: 0,
                subject: NackSubject::Pdc { psn: psn(wanted), source, destination },
                payload: 0,
                congestion: None,
            }),
            UetContent::Credit { units, is_request } => {
                let control = if is_request { ControlType::CREDIT_REQUEST } else { ControlType::CREDIT };
                self.control((control, 0), Psn(0), units)
            }
            // Its number tells probes apart; its payload is where the bitmap is to begin.
            UetContent::Probe { number } => {
                self.control((ControlType::PROBE, number as u16), psn(number), psn(number).0)
            }
        }
    }

    fn control(&self, (control, probe): (ControlType, u16), psn: Psn, payload: u32) -> DeliveryRepr {
        DeliveryRepr::Control(DeliveryControl {
            control,
            is_ordered: self.is_ordered,
            is_retransmitted: false,
            acknowledge: false,
            probe,
            psn,
            source: PdcId(self.source),
            destination: peer(self.destination, 0),
            payload,
        })
    }
}

/// Number of a message as its packets show it.
fn message_of(identity: &PacketIdentity) -> u16 {
    use PacketPurpose as Purpose;
    let header = &identity.header;
    let number = match header.purpose {
        Purpose::ReadRequest | Purpose::ReadData => header.receive_handle,
        Purpose::GetRequest | Purpose::GetData | Purpose::FetchingAmo | Purpose::AmoData => header.issuer_handle,
        Purpose::Eager
        | Purpose::Deferrable
        | Purpose::RendezvousRequest
        | Purpose::Put
        | Purpose::Amo
        | Purpose::Notice
        | Purpose::Collective
        | Purpose::Response => identity.message,
    };
    number as u16
}

fn job_of(identity: &PacketIdentity) -> JobId {
    JobId::from_low_bits(u32::from(identity.header.job.0) + 1)
}

const fn opcode(purpose: PacketPurpose) -> SemanticOpcode {
    use PacketPurpose as Purpose;
    match purpose {
        Purpose::Eager => SemanticOpcode::TAGGED_SEND,
        Purpose::Deferrable => SemanticOpcode::DEFERRABLE_TAGGED_SEND,
        Purpose::RendezvousRequest => SemanticOpcode::RENDEZVOUS_TAGGED_SEND,
        Purpose::ReadRequest | Purpose::GetRequest => SemanticOpcode::READ,
        Purpose::Put => SemanticOpcode::WRITE,
        Purpose::Amo => SemanticOpcode::ATOMIC,
        Purpose::FetchingAmo => SemanticOpcode::FETCHING_ATOMIC,
        Purpose::Notice => SemanticOpcode::SEND,
        Purpose::ReadData | Purpose::GetData | Purpose::AmoData | Purpose::Collective | Purpose::Response => {
            SemanticOpcode::NO_OPERATION
        }
    }
}

fn request(identity: &PacketIdentity, is_medium: bool) -> SemanticRequest {
    let header = &identity.header;
    let opcode = opcode(header.purpose);
    let asks = matches!(
        header.purpose,
        PacketPurpose::ReadRequest | PacketPurpose::GetRequest | PacketPurpose::RendezvousRequest
    );
    let bytes = if asks { header.operation_bytes } else { header.bytes };
    let match_bits = u64::from(header.tag);
    let body = if is_medium {
        RequestBody::Medium {
            request_length: SemanticLength::from_low_bits(bytes as u16),
            word: MediumWord::BufferOffset(0),
            initiator: header.source_rank,
            match_bits,
        }
    } else {
        RequestBody::Standard {
            message: message_of(identity),
            is_last: identity.index + 1 == identity.count,
            part: if identity.index == 0 {
                RequestPart::First { header_data: None }
            } else {
                RequestPart::Later {
                    payload_length: SemanticLength::from_low_bits(identity.payload as u16),
                    message_offset: identity.offset as u32,
                    has_header_data: false,
                }
            },
            buffer_offset: 0,
            initiator: header.source_rank,
            match_bits,
            request_length: bytes as u32,
        }
    };
    let extension = match opcode {
        SemanticOpcode::RENDEZVOUS_TAGGED_SEND => SemanticExtension::Rendezvous(RendezvousExtension {
            eager_length: 0,
            generation: 0,
            pid_on_fep: PidOnFep::from_low_bits(header.source_rank as u16),
            resource_index: ResourceIndex::default(),
            offset: 0,
            key: header.issuer_handle.into(),
        }),
        SemanticOpcode::ATOMIC | SemanticOpcode::FETCHING_ATOMIC => {
            let (code, number) = (AtomicCode::SUM, AtomicNumber::UINT64);
            SemanticExtension::Atomic(AtomicExtension { code, number, control: 0 }, None)
        }
        _ => SemanticExtension::None,
    };
    SemanticRequest {
        opcode,
        flags: RequestFlags::default(),
        address: TargetAddress {
            generation: 0,
            job: job_of(identity),
            pid_on_fep: PidOnFep::from_low_bits(header.destination_rank as u16),
            resource_index: ResourceIndex::default(),
        },
        body,
        extension,
    }
}

/// Makes the request one of a deferrable send: the sender's name of it is the handle of its
/// operation, and the target's that of its receive.
fn restart(identity: &PacketIdentity, request: &mut SemanticRequest) {
    let header = &identity.header;
    let token = RestartToken { initiator: header.issuer_handle, target: 0 };
    let both = RestartToken { target: header.receive_handle, ..token };
    let RequestBody::Standard { buffer_offset, match_bits, .. } = &mut request.body else { return };
    match header.purpose {
        PacketPurpose::Deferrable => *buffer_offset = token.field(),
        PacketPurpose::ReadRequest => {
            (request.opcode, *match_bits) = (SemanticOpcode::READY_TO_RESTART, both.field());
        }
        PacketPurpose::ReadData => {
            (request.opcode, *buffer_offset) = (SemanticOpcode::DEFERRABLE_TAGGED_SEND, both.field());
        }
        _ => {}
    }
}

fn response(identity: &PacketIdentity, opcode: ResponseOpcode, body: ResponseBody) -> SemanticResponse {
    let (list, status) = (DeliveredList::EXPECTED, SemanticStatus::OK);
    SemanticResponse { list, opcode, status, job: job_of(identity), body }
}

impl Frames {
    /// The semantic header of a packet, and the bytes behind it.
    fn semantic(&self, identity: &PacketIdentity, content: &UetContent) -> (Option<SemanticRepr>, usize) {
        let header = &identity.header;
        match content {
            UetContent::Request { .. } => {}
            UetContent::Received { status: Some(status), .. } => {
                let status = SemanticStatus::from_low_bits(*status);
                let used = if status == SemanticStatus::OK { header.bytes } else { 0 };
                let (message, modified_length) = (message_of(identity), used as u32);
                let body = ResponseBody::Plain { message, generation: 0, modified_length };
                let response = response(identity, ResponseOpcode::RESPONSE, body);
                return (Some(SemanticRepr::Response(SemanticResponse { status, ..response })), 0);
            }
            UetContent::Received { .. }
            | UetContent::Refused { .. }
            | UetContent::Credit { .. }
            | UetContent::Probe { .. } => return (None, 0),
        }
        let payload = identity.payload as usize;
        let is_data = matches!(header.purpose, PacketPurpose::GetData | PacketPurpose::AmoData)
            || header.purpose == PacketPurpose::ReadData && !self.restarts();
        if is_data {
            let body = ResponseBody::Data {
                message: identity.message as u16,
                request: message_of(identity),
                payload_length: SemanticLength::from_low_bits(identity.payload as u16),
                modified_length: header.bytes as u32,
                message_offset: identity.offset as u32,
            };
            return (Some(SemanticRepr::Response(response(identity, ResponseOpcode::WITH_DATA, body))), payload);
        }
        let is_medium =
            self.uet.is_none_or(|sizes| sizes.is_medium(header.purpose, header.bytes, header.operation_bytes));
        let mut asked = request(identity, is_medium);
        if self.restarts() {
            restart(identity, &mut asked);
        }
        (Some(SemanticRepr::Request(asked)), payload)
    }

    /// Whether what asks for the data of a message restarts a deferred send.
    fn restarts(&self) -> bool {
        self.uet.is_some_and(|sizes| sizes.is_deferrable())
    }

    /// A packet of Ultra Ethernet's transport.
    pub(super) fn uet(
        &self,
        identity: &PacketIdentity,
        shown: &UetShown,
        (ecn, hops): (Ecn, u8),
        buffer: &mut Vec<u8>,
    ) {
        let (semantic, payload) = self.semantic(identity, &shown.content);
        let packet = UetRepr::new(shown.delivery(), semantic);
        let entropy = EntropyRepr(shown.entropy);
        let datagram = EntropyRepr(DYNAMIC_PORTS | shown.entropy).datagram();
        let (ethernet, data) = (self.ethernet(identity), self.zeros(payload));
        let ip6 = |protocol| SealedUet(self.ip6(identity, protocol, ecn, hops));
        let ip4 = |protocol| SealedUet(self.ip(identity, protocol, ecn, hops));
        let ethernet6 = ethernet::EthernetRepr { ethertype: EtherType::IPV6, ..ethernet };
        match self.uet.map_or(Encapsulation::UdpIpv4, |sizes| sizes.encapsulation()) {
            Encapsulation::UdpIpv4 => {
                emit(&[&ethernet, &ip4(IpProtocol::UDP), &datagram, &packet], data, buffer);
            }
            Encapsulation::UdpIpv6 => {
                emit(&[&ethernet6, &ip6(IpProtocol::UDP), &datagram, &packet], data, buffer);
            }
            Encapsulation::NativeIpv4 => {
                emit(&[&ethernet, &ip4(IpProtocol::UET), &entropy, &packet], data, buffer);
            }
            Encapsulation::NativeIpv6 => {
                emit(&[&ethernet6, &ip6(IpProtocol::UET), &entropy, &packet], data, buffer);
            }
        }
    }

    fn ip6(&self, identity: &PacketIdentity, protocol: IpProtocol, ecn: Ecn, hops: u8) -> ipv6::Ipv6Repr {
        let address = |endpoint: u32| {
            let [high, low] = [self.ip4_address(endpoint) >> 16, self.ip4_address(endpoint) & 0xffff];
            Ipv6Addr::new(0xfd00, 0, 0, 0, 0, 0, high as u16, low as u16)
        };
        ipv6::Ipv6Repr {
            dscp: self.dscp(identity.header.class.0),
            ecn,
            hop_limit: HOPS_MAX.saturating_sub(hops),
            ..ipv6::Ipv6Repr::new(protocol, address(identity.source), address(identity.destination))
        }
    }

    fn ip4_address(&self, endpoint: u32) -> u32 {
        u32::from(Ipv4Addr::new(10, 0x10, 0, 0)) | self.address(endpoint)
    }
}

#[cfg(test)]
mod tests {
    use super::super::frame::Form;
    use super::super::frame::tests::{PURPOSES, frames, identity};
    use super::super::{FrameContent, FrameSpan};
    use super::*;
    use philae_nic_model::{UetEncapsulation, UetLongSend, UetParameters, UetSizes};
    use philae_wire::Framing;
    use philae_wire::dissect::{LayerKind, Start, UetNumbers, dissect_with};

    /// Most payload of a packet of [`identity`].
    const PAYLOAD: u32 = 4_000;
    const GAP: usize = 20;

    fn all_sizes() -> Vec<UetSizes> {
        let mut all = Vec::new();
        for encapsulation in [UetEncapsulation::Udp, UetEncapsulation::Ip] {
            for (ip, has_credits) in [(4, false), (6, false), (4, true), (6, true)] {
                for long_send in [UetLongSend::Rendezvous, UetLongSend::Deferrable] {
                    let parameters = UetParameters { encapsulation, ip, long_send, ..UetParameters::uec() };
                    all.push(UetSizes::new(&parameters, PAYLOAD, has_credits).expect("sizes of the formats"));
                }
            }
        }
        all
    }

    fn shown(content: UetContent) -> UetShown {
        UetShown { source: 7, destination: 9, entropy: 60, is_ordered: false, content }
    }

    fn received(responds: bool, state: UetAckState) -> UetContent {
        let status = responds.then_some(SemanticStatus::OK.get());
        let (number, expected, first, bitmap) = (70, 65, 7, 0x8000_0000_0000_0003);
        UetContent::Received { number, expected, first, bitmap, out_of_order: 1, state, marked: true, status }
    }

    /// Writes a frame, and checks that it is whole.
    fn written(sizes: UetSizes, identity: PacketIdentity) -> Vec<u8> {
        let (mut frames, mut buffer) = (frames(Form::Uet), Vec::new());
        frames.uet = Some(sizes);
        let content = FrameContent::Packet { identity, marked: false, hops: 2, span: FrameSpan::FromNic };
        frames.write(&content, &mut buffer);
        let layers = dissect_with(&buffer, Start::Ethernet(Framing::Bare), UetNumbers::NATIVE);
        assert_eq!(layers.error(), None, "{identity:?}");
        assert!(layers.innermost(LayerKind::UetCrc).is_some());
        buffer
    }

    /// The bytes that a frame takes on a link.
    fn on_link(frame: &[u8]) -> u32 {
        (GAP + (frame.len() + 4).max(64)) as u32
    }

    #[test]
    fn every_packet_has_the_bytes_that_the_model_counts() {
        for sizes in all_sizes() {
            let wanted = sizes.has_state().then_some(77);
            let content = UetContent::Request { number: 70, cleared: 65, wanted, asks: true, is_retransmitted: false };
            for purpose in PURPOSES {
                let parts: &[(u64, u32, u32)] = match purpose {
                    PacketPurpose::RendezvousRequest | PacketPurpose::ReadRequest | PacketPurpose::GetRequest => {
                        &[(0, 0, 1)]
                    }
                    PacketPurpose::Amo | PacketPurpose::FetchingAmo | PacketPurpose::AmoData => &[(8, 0, 1)],
                    _ => &[(1, 0, 1), (4_000, 0, 1), (9_000, 0, 3), (9_000, 1, 3), (9_000, 2, 3)],
                };
                for &(bytes, index, count) in parts {
                    for operation_bytes in [100, 9_000] {
                        let mut identity = identity(purpose, bytes, index, count);
                        (identity.header.operation_bytes, identity.uet) = (operation_bytes, Some(shown(content)));
                        let counted = sizes.request(purpose, (bytes, operation_bytes), identity.payload);
                        assert_eq!(
                            on_link(&written(sizes, identity)),
                            counted,
                            "{sizes:?} {purpose:?} {bytes} {index}"
                        );
                    }
                }
            }
            let state = if sizes.has_state() {
                UetAckState::Credit { units: 80 }
            } else {
                UetAckState::Window { service_time: 1, penalty: 5, received: 90 }
            };
            for (content, counted) in [
                (received(false, state), sizes.acknowledgement(false)),
                (received(true, state), sizes.acknowledgement(true)),
                (UetContent::Refused { wanted: 3, is_trimmed: false }, sizes.refusal()),
                (UetContent::Refused { wanted: 3, is_trimmed: true }, sizes.refusal()),
                (UetContent::Probe { number: 70_000 }, sizes.control()),
                (UetContent::Credit { units: 5, is_request: false }, sizes.control()),
                (UetContent::Credit { units: 5, is_request: true }, sizes.control()),
            ] {
                let answer = PacketIdentity { uet: Some(shown(content)), ..identity(PacketPurpose::Put, 9_000, 2, 3) };
                assert_eq!(on_link(&written(sizes, answer)), counted, "{sizes:?} {content:?}");
            }
        }
    }

    /// What a switch leaves of a full packet still says whose packet it is.
    #[test]
    fn a_trimmed_packet_has_its_delivery_header() {
        for sizes in all_sizes() {
            let wanted = sizes.has_state().then_some(77);
            let content = UetContent::Request { number: 70, cleared: 65, wanted, asks: true, is_retransmitted: false };
            let whole = PacketIdentity { uet: Some(shown(content)), ..identity(PacketPurpose::Put, 9_000, 1, 3) };
            let frame = written(sizes, whole);
            let ip = &frame[14..14 + sizes.encapsulation().trimmed_min()];
            assert_eq!((GAP + (14 + ip.len() + 4).max(64)) as u32, sizes.trimmed(), "{sizes:?}");
            let begins = sizes.encapsulation().header_len();
            let (delivery, _) = DeliveryRepr::parse(&ip[begins..]).expect("its delivery header is whole");
            assert_eq!(delivery, shown(content).delivery());
        }
    }

    /// What stands in a header is what the state says.
    #[test]
    fn headers_have_the_numbers_of_the_state() {
        let content =
            UetContent::Request { number: 70, cleared: 65, wanted: Some(77), asks: true, is_retransmitted: true };
        let DeliveryRepr::Request(request) = shown(content).delivery() else { panic!("a request") };
        assert_eq!((request.psn, request.clear_psn()), (Psn(71), Psn(65)), "65 is the last that is cleared");
        assert_eq!((request.source, request.destination), (PdcId(7), PdcDestination::Established(PdcId(9))));
        assert!(request.acknowledge && request.is_retransmitted);
        let first = UetShown { destination: 0, ..shown(content) };
        let DeliveryRepr::Request(request) = first.delivery() else { panic!("a request") };
        assert_eq!(request.start_psn(), Some(START));
        let state = UetAckState::Credit { units: 80 };
        let DeliveryRepr::Ack(ack) = shown(received(true, state)).delivery() else { panic!("an acknowledgement") };
        assert_eq!((ack.psn(), ack.cumulative_psn), (Some(Psn(71)), Psn(65)));
        let AckExtension::Congestion(selective, AckCongestion::Credit { credit, out_of_order: 1 }) = ack.extension
        else {
            panic!("{:?}", ack.extension)
        };
        let bit0 = ack.cumulative_psn.offset(selective.psn_offset.into());
        assert_eq!((bit0, bit0.offset(63), credit.get()), (Psn(8), Psn(71), 80), "the last bit is the packet itself");
    }
}
