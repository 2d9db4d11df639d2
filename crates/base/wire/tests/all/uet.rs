//! The Ultra Ethernet Transport: packets that another program wrote, and every value back and
//! forth.

use crate::common::uet::{ack, deliveries, frame, request, secured, semantics};
use crate::common::{Sample, build};
use philae_wire::dissect::{LayerKind, Start, UetNumbers, dissect, dissect_with};
use philae_wire::uet::acknowledgement::{AckExtension, AckRequest, AckSubject, DeliveryAck, SelectiveAck};
use philae_wire::uet::congestion::{AckCongestion, RequestCongestion};
use philae_wire::uet::crc;
use philae_wire::uet::datagram::{IdempotentPacket, RequestMark};
use philae_wire::uet::delivery::DeliveryRepr;
use philae_wire::uet::nack::{DeliveryNack, NackCode, NackSubject};
use philae_wire::uet::overhead::{Encapsulation, OVERHEADS, Protection};
use philae_wire::uet::packet::{UetPacket, UetRepr};
use philae_wire::uet::prologue::NextHeader;
use philae_wire::uet::request::{DeliveryRequest, PdcDestination};
use philae_wire::uet::semantic::SemanticRepr;
use philae_wire::uet::semantic::extension::{AtomicExtension, AtomicOperands, SemanticExtension};
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
use philae_wire::{Framing, WireError, WireLayer, ethernet};
use proptest::collection::vec;
use proptest::prelude::*;

/// The request that xdp2's tool puts around most of its semantic headers.
fn published_request() -> DeliveryRequest {
    DeliveryRequest {
        is_ordered: false,
        is_retransmitted: true,
        acknowledge: false,
        clear_psn_offset: 0x1234,
        psn: Psn(0x9876_5432),
        source: PdcId(0x3456),
        destination: PdcDestination::Established(PdcId(0x9abc)),
        congestion: None,
    }
}

fn published_semantic(opcode: SemanticOpcode, body: RequestBody, extension: SemanticExtension) -> SemanticRepr {
    SemanticRepr::Request(SemanticRequest {
        opcode,
        flags: RequestFlags { delivery_complete: true, initiator_error: false, is_relative: true },
        address: TargetAddress {
            generation: 0x77,
            job: JobId::from_low_bits(0xab_cdef),
            pid_on_fep: PidOnFep::from_low_bits(0x678),
            resource_index: ResourceIndex::from_low_bits(0x9ab),
        },
        body,
        extension,
    })
}

fn standard(part: RequestPart, is_last: bool, buffer_offset: u64, match_bits: u64) -> RequestBody {
    let (message, initiator, request_length) = (0x1234, 0xfedc_ba98, 0x9988_7766);
    RequestBody::Standard { message, is_last, part, buffer_offset, initiator, match_bits, request_length }
}

fn published_response(opcode: ResponseOpcode, job: u32, body: ResponseBody) -> SemanticRepr {
    SemanticRepr::Response(SemanticResponse {
        list: DeliveredList::from_low_bits(3),
        opcode,
        status: SemanticStatus::TRANSLATION_PERMISSION,
        job: JobId::from_low_bits(job),
        body,
    })
}

const PLAIN: ResponseBody = ResponseBody::Plain { message: 0x1234, generation: 0x99, modified_length: 0x09ab_cdef };

fn from_hex(text: &str) -> Vec<u8> {
    let digits: String = text.split_whitespace().collect();
    (0..digits.len()).step_by(2).map(|at| u8::from_str_radix(&digits[at..at + 2], 16).expect("hex")).collect()
}

/// Packets of the tools `make_uet_pds.py` and `make_uet_ses.py` of xdp2, without the parts in which
/// it differs from the reference provider, and with what they say.
fn published() -> Vec<(&'static str, DeliveryRepr, Option<SemanticRepr>)> {
    let later = RequestPart::Later {
        payload_length: SemanticLength::from_low_bits(0x345),
        message_offset: 0x7766_5544,
        has_header_data: false,
    };
    let write = standard(later, true, 0xfedc_ba98_7654_3210, 0x1122_3344_5566_7788);
    let token = RestartToken { initiator: 0x8765_4321, target: 0x1234_5678 }.field();
    let none = SemanticExtension::None;
    let request = DeliveryRepr::Request;
    let plain = request(published_request());
    let later_write = || published_semantic(SemanticOpcode::WRITE, write, none);
    let syn = PdcDestination::Syn { reserved_pool: true, start_offset: StartOffset::from_low_bits(0x876) };
    let congestion = RequestCongestion { context: 0x77, credit_target: TransportCredit::from_low_bits(0x88_7766) };
    let atomic = AtomicExtension { code: AtomicCode::BITWISE_XOR, number: AtomicNumber::FLOAT_COMPLEX, control: 0xc7 };
    let swap = AtomicExtension { code: AtomicCode::SWAP_GREATER_EQUAL, ..atomic };
    let operands = AtomicOperands {
        compare: 0x9876_5432_9876_5432_2345_6789_2345_6789_u128.to_be_bytes(),
        swap: 0x0123_4567_89ab_cdef_fedc_ba09_8765_4321_u128.to_be_bytes(),
    };
    let small = RequestBody::Small {
        request_length: SemanticLength::from_low_bits(0x1234),
        buffer_offset: 0x9876_5432_9876_5432,
    };
    let medium = RequestBody::Medium {
        request_length: SemanticLength::from_low_bits(0x1234),
        word: MediumWord::BufferOffset(0x9876_5432_9876_5432),
        initiator: 0x8765_4321,
        match_bits: 0xccbb_ddee_ff00_9988,
    };
    let mut packets = vec![
        (
            "119012349876543234569abc 012a123477abcdef067809abfedcba9876543210fedcba98112233445566778800000345
             7766554499887766",
            plain,
            Some(later_write()),
        ),
        (
            "119412349876543234568876 012a123477abcdef067809abfedcba9876543210fedcba98112233445566778800000345
             7766554499887766",
            request(DeliveryRequest { destination: syn, ..published_request() }),
            Some(later_write()),
        ),
        (
            "719012349876543234569abc77887766 012a123477abcdef067809abfedcba9876543210fedcba981122334455667788
             000003457766554499887766",
            request(DeliveryRequest { is_ordered: true, congestion: Some(congestion), ..published_request() }),
            Some(later_write()),
        ),
        (
            "119012349876543234569abc 0c2a123477abcdef067809ab8899aabbccddeefffedcba98876543211234567800000345
             7766554499887766",
            plain,
            Some(published_semantic(
                SemanticOpcode::READY_TO_RESTART,
                standard(later, true, 0x8899_aabb_ccdd_eeff, token),
                none,
            )),
        ),
        (
            "119012349876543234569abc 032a123477abcdef067809abfedcba9876543210fedcba98112233445566778800000345
             7766554499887766 0a0cc700",
            plain,
            Some(published_semantic(SemanticOpcode::ATOMIC, write, SemanticExtension::Atomic(atomic, None))),
        ),
        (
            "111012349876543234569abc 012b123477abcdef067809ab987654329876543287654321ccbbddeeff009988",
            plain,
            Some(published_semantic(SemanticOpcode::WRITE, medium, none)),
        ),
        (
            "109012349876543234569abc 032b123477abcdef067809ab9876543298765432 110cc7009876543298765432
             23456789234567890123456789abcdeffedcba0987654321",
            plain,
            Some(published_semantic(SemanticOpcode::ATOMIC, small, SemanticExtension::Atomic(swap, Some(operands)))),
        ),
    ];
    packets.extend(published_answers());
    packets
}

fn published_answers() -> Vec<(&'static str, DeliveryRepr, Option<SemanticRepr>)> {
    let (source, destination) = (PdcId(0x3456), PdcId(0x789a));
    let ack = |offset: u16, extension| {
        DeliveryRepr::Ack(DeliveryAck {
            is_marked: true,
            is_retransmitted: true,
            request: AckRequest::Clear,
            subject: AckSubject::PsnOffset(offset.cast_signed()),
            cumulative_psn: Psn(0x2468_ace0),
            source,
            destination,
            extension,
        })
    };
    let selective = |psn_offset: u16| SelectiveAck {
        maximum_psn_range: 0x87,
        psn_offset: psn_offset.cast_signed(),
        bitmap: 0x1234_5678_9abc_def0,
    };
    let nscc = AckCongestion::Nscc {
        service_time: 0x99aa,
        restore_window: true,
        window_penalty: WindowPenalty::MAX,
        received: ReceivedUnits::from_low_bits(0x88_7766),
        out_of_order: 0x8765,
    };
    let credit = AckCongestion::Credit { credit: TransportCredit::from_low_bits(0x12_3456), out_of_order: 0x8765 };
    let plain = || Some(published_response(ResponseOpcode::RESPONSE, 0x65_4321, PLAIN));
    let nack = DeliveryNack {
        is_marked: true,
        is_retransmitted: true,
        code: NackCode::MODE_MISMATCH,
        vendor_code: 0x87,
        subject: NackSubject::Pdc { psn: Psn(0x9988_7766), source, destination },
        payload: 0x5678_9abc,
        congestion: None,
    };
    let rudi = DeliveryRepr::Idempotent(IdempotentPacket {
        response: Some(RequestMark::Marked),
        is_retransmitted: false,
        packet_id: 0x9988_7766,
    });
    let payload_length = SemanticLength::from_low_bits;
    let data = ResponseBody::Data {
        message: 0x1234,
        request: 0x1234,
        payload_length: payload_length(0x321),
        modified_length: 0x8765_4321,
        message_offset: 0x09ab_cdef,
    };
    let small = ResponseBody::SmallData { payload_length: payload_length(0x3456), request_psn: Psn(0x1234) };
    let with_data = ResponseOpcode::WITH_DATA;
    vec![
        ("3a3286422468ace03456789a c10912349965432109abcdef", ack(0x8642, AckExtension::None), plain()),
        (
            "423221212468ace03456789a 0087 6789 123456789abcdef0 99aaff8877668765 c10912349965432109abcdef",
            ack(0x2121, AckExtension::Congestion(selective(0x6789), nscc)),
            plain(),
        ),
        (
            "423298762468ace03456789a 1087 9988 123456789abcdef0 1234560000008765 c10912349965432109abcdef",
            ack(0x9876, AckExtension::Congestion(selective(0x9988), credit)),
            plain(),
        ),
        ("52301687998877663456789a56789abc c10912349965432109abcdef", DeliveryRepr::Nack(nack), plain()),
        ("2aa0000099887766 c209123400654321123403218765432109abcdef", rudi, {
            Some(published_response(with_data, 0x65_4321, data))
        }),
        ("2b20000099887766 c20934560003687000001234", rudi, Some(published_response(with_data, 223_344, small))),
    ]
}

#[test]
fn packets_of_another_program_are_read_and_written_alike() {
    for (text, delivery, semantic) in published() {
        let mut expected = from_hex(text);
        expected.extend([0; crc::CRC_LEN]);
        let value = UetRepr::new(delivery, semantic);
        assert_eq!(build(&[&value], &[]), expected, "{value:?}");
        let packet = UetPacket::new(&expected).expect("it is long enough");
        assert_eq!(UetRepr::parse(&packet), Ok(value));
        assert_eq!(packet.payload(), b"");
    }
}

/// What xdp2's tool does not write, against the drawings at the head of the modules.
#[test]
fn headers_that_only_one_source_has_lie_as_drawn() {
    let [plain, with_source] = secured();
    assert_eq!(build(&[&plain], &[0; 16])[..12], from_hex("09010203 0004 05060708090a"));
    assert_eq!(build(&[&with_source], &[0; 16])[..16], from_hex("0d010203 0b0c0d0e 0004 05060708090a"));
    let behind = |name: &str, request_len: usize| {
        let (next, bytes) = semantic_bytes(name);
        assert_eq!(next, NextHeader::StandardRequest, "{name}");
        bytes[request_len..bytes.len() - 4].to_vec()
    };
    let rendezvous = from_hex("00001000 09abcdef 0000000000007000 00000000feedf00d");
    assert_eq!(behind("rendezvous", 44), rendezvous);
    assert_eq!(behind("sync", 44), from_hex("000c0022"));
    assert_eq!(behind("sync atomic", 44), from_hex("000c0022 02070300"));
    let end_of = |name: &str, from: usize| {
        let (_, header) = deliveries().into_iter().find(|(found, _)| *found == name).expect("a sample");
        let bytes = build(&[&UetRepr::new(header, None)], &[]);
        bytes[from..bytes.len() - 4].to_vec()
    };
    assert_eq!(end_of("uet ack close", 12), from_hex("00000063"));
    assert_eq!(end_of("uet nack ccx", 16), from_hex("1fedcba987654321 0000000000000005"));
}

#[test]
fn every_sample_comes_back_with_its_payload() {
    let delivery = || DeliveryRepr::Request(request());
    let with_semantics = semantics().into_iter().map(|(name, header)| (name, UetRepr::new(delivery(), Some(header))));
    let alone = deliveries().into_iter().map(|(name, header)| (name, UetRepr::new(header, None)));
    for (name, value) in alone.chain(with_semantics) {
        let bytes = build(&[&value], b"payload");
        let packet = UetPacket::new(&bytes).expect("it is long enough");
        assert_eq!(UetRepr::parse(&packet), Ok(value), "{name}");
        assert_eq!((packet.payload(), packet.header_len()), (&b"payload"[..], value.header_len()), "{name}");
    }
    for value in secured() {
        let bytes = build(&[&value], b"encrypted, with its tag");
        let packet = UetPacket::new(&bytes).expect("it is long enough");
        assert_eq!((UetRepr::parse(&packet), packet.payload()), (Ok(value), &b"encrypted, with its tag"[..]));
    }
}

#[test]
fn overheads_are_those_of_packets() {
    let find = |name: &str| semantics().into_iter().find(|(found, _)| *found == name).expect("a sample").1;
    let selective = SelectiveAck::default();
    let credit = AckCongestion::Credit { credit: TransportCredit::default(), out_of_order: 0 };
    let delivery = DeliveryRepr::Request(request());
    let state = RequestCongestion::default();
    let with_state = DeliveryRepr::Request(DeliveryRequest { congestion: Some(state), ..request() });
    let ack = |extension| DeliveryRepr::Ack(ack(extension));
    let cases = [
        ("request, small", delivery, Some("small")),
        ("request, medium", delivery, Some("medium data")),
        ("request, standard", delivery, Some("later")),
        ("request, standard, rendezvous", delivery, Some("rendezvous")),
        ("request, standard, atomic", delivery, Some("atomic")),
        ("request, standard, compare and swap", delivery, Some("swap")),
        ("request with state, standard", with_state, Some("first")),
        ("UUD request, standard", DeliveryRepr::Unreliable, Some("first")),
        ("ACK", ack(AckExtension::None), None),
        ("ACK, response", ack(AckExtension::None), Some("response")),
        ("ACK, response with data", ack(AckExtension::None), Some("data")),
        ("ACK, small response with data", ack(AckExtension::None), Some("small data")),
        ("ACK_CC", ack(AckExtension::Congestion(selective, credit)), None),
        ("ACK_CCX", ack(AckExtension::Extended { selective, kind: 0, state: [0; 16] }), None),
    ];
    for (name, delivery, semantic) in cases {
        let row = OVERHEADS.iter().find(|row| row.name == name).expect("there is such a row");
        let packet = UetRepr::new(delivery, semantic.map(find));
        for encapsulation in Encapsulation::ALL {
            let ethernet = 14 + 4;
            let payload = 1_000;
            let length = frame(encapsulation, &packet, &[1; 1_000]).len();
            assert_eq!(length, ethernet + row.bytes(encapsulation, Protection::Clear) + payload, "{name}");
        }
    }
    for (packet, has_source) in secured().into_iter().zip([false, true]) {
        let row = OVERHEADS.iter().find(|row| row.name == "request, standard").expect("there is such a row");
        let encrypted = row.delivery + row.semantic + 1_000 + 16;
        let length = frame(Encapsulation::NativeIpv6, &packet, &vec![1; encrypted]).len();
        let secured = Protection::Secured { has_source };
        assert_eq!(length, 18 + row.bytes(Encapsulation::NativeIpv6, secured) + 1_000);
    }
}

#[test]
fn the_page_has_every_overhead() {
    let page = include_str!("../../../../../docs/develop/uet-wire.md");
    for row in OVERHEADS {
        let sums = Encapsulation::ALL.map(|around| row.bytes(around, Protection::Clear).to_string()).join(" | ");
        let line = format!("| {} | {} | {} | {sums} |", row.name, row.delivery, row.semantic);
        assert!(page.lines().any(|of_page| of_page == line), "docs/develop/uet-wire.md lacks this line: {line}");
    }
}

/// Bit by bit, other than the table that is tested.
fn castagnoli(bytes: &[u8]) -> u32 {
    let step = |crc: u32| if crc & 1 == 0 { crc >> 1 } else { crc >> 1 ^ 0x82f6_3b78 };
    !bytes.iter().fold(!0, |crc: u32, byte| (0..8).fold(crc ^ u32::from(*byte), |crc, _| step(crc)))
}

#[test]
fn the_crc_covers_what_is_behind_class_and_hops_in_each_encapsulation() {
    assert_eq!(castagnoli(b"123456789"), 0xe306_9283, "the check value of CRC-32C");
    for (name, source) in [("native ipv4", 12), ("udp ipv4", 12), ("native ipv6", 8), ("udp ipv6", 8)] {
        let bytes = sample(&format!("uet {name}")).bytes;
        let packet = &bytes[ethernet::HEADER_LEN..bytes.len() - ethernet::FCS_LEN];
        let (covered, crc) = packet.split_at(packet.len() - 4);
        assert_eq!(*crc, castagnoli(&covered[source..]).to_be_bytes(), "{name}");
    }
}

#[test]
fn helpers_resolve_offsets() {
    let request = published_request();
    assert_eq!(request.clear_psn(), Psn(0x9876_5432 + 0x1234));
    assert_eq!(request.start_psn(), None);
    let destination = PdcDestination::Syn { reserved_pool: false, start_offset: StartOffset::from_low_bits(0x432) };
    assert_eq!(DeliveryRequest { destination, ..request }.start_psn(), Some(Psn(0x9876_5000)));
    let selective = SelectiveAck { maximum_psn_range: 1, psn_offset: -2, bitmap: 5 };
    let credit = AckCongestion::Credit { credit: TransportCredit::MAX, out_of_order: 0 };
    let ack = DeliveryAck {
        cumulative_psn: Psn(1),
        subject: AckSubject::PsnOffset(-3),
        ..ack(AckExtension::Congestion(selective, credit))
    };
    assert_eq!(ack.psn(), Some(Psn(u32::MAX - 1)));
    assert_eq!(ack.selective(), Some((Psn(u32::MAX), 5)));
    let token = RestartToken { initiator: 1, target: 2 };
    assert_eq!((token.field(), RestartToken::from_field(0x1_0000_0002)), (0x1_0000_0002, token));
    assert_eq!(NackCode::TRIMMED_LAST_HOP.to_string(), "TRIMMED_LASTHOP (0x02)");
    assert_eq!(NackCode::from_low_bits(0x0c).name(), "reserved");
}

#[test]
fn what_does_not_fit_together_is_refused() {
    let (_, swap) = semantics().into_iter().find(|(name, _)| *name == "swap").expect("a sample");
    let SemanticRepr::Request(swap) = swap else { panic!("a request") };
    let refused = |semantic| {
        let packet = UetRepr::new(DeliveryRepr::Request(request()), Some(SemanticRepr::Request(semantic)));
        packet.emit(&mut [0; 200], 0).expect_err("it does not fit together")
    };
    let other = refused(SemanticRequest { opcode: SemanticOpcode::WRITE, ..swap });
    assert!(matches!(other, WireError::Field { field: "operation", found: 1, .. }));
    let SemanticExtension::Atomic(atomic, _) = swap.extension else { panic!("an atomic operation") };
    let missing = refused(SemanticRequest { extension: SemanticExtension::Atomic(atomic, None), ..swap });
    assert!(matches!(missing, WireError::Field { field: "operation", found: 4, .. }));

    let (_, control) = deliveries().pop().expect("the last one is a control packet");
    let packet = UetRepr::new(control, Some(SemanticRepr::Request(swap)));
    assert!(matches!(packet.emit(&mut [0; 200], 0), Err(WireError::Field { field: "packet type", found: 11, .. })));
    let [secured, _] = secured();
    assert!(matches!(secured.emit(&mut [0; 100], 15), Err(WireError::Short { wanted: 16, .. })));
}

#[test]
fn reserved_numbers_are_named() {
    let parse = |bytes: &[u8]| UetPacket::new(bytes.to_vec()).expect_err("it is reserved").to_string();
    assert_eq!(parse(&[0xff; 20]), "UET delivery header: packet type is 0x1f; 1 to 0xe would be valid");
    assert_eq!(parse(&[0x17; 20]), "UET delivery header: next header is 0xe; 0 to 6 would be valid");
}

fn semantic_bytes(name: &str) -> (NextHeader, Vec<u8>) {
    let (_, header) = semantics().into_iter().find(|(found, _)| *found == name).expect("a sample");
    let packet = UetRepr::new(DeliveryRepr::Request(request()), Some(header));
    (header.next_header(), build(&[&packet], &[])[12..].to_vec())
}

#[test]
fn a_message_of_one_packet_must_say_so_and_versions_are_checked() {
    let (next, mut bytes) = semantic_bytes("medium data");
    bytes[1] &= !1;
    let error = SemanticRepr::parse(next, &bytes).unwrap_err();
    assert_eq!(
        error.to_string(),
        "UET semantic header: flags for first and last packet is 0x2; 3 (both, for one packet) would be valid"
    );
    let (next, mut bytes) = semantic_bytes("response");
    bytes[1] |= 0x40;
    let error = SemanticRepr::parse(next, &bytes).unwrap_err();
    assert_eq!(error.to_string(), "UET semantic header: version is 0x1; 0 would be valid");
}

fn sample(name: &str) -> Sample {
    crate::common::samples().into_iter().find(|sample| sample.name == name).expect("there is such a sample")
}

fn walk(bytes: &[u8], numbers: UetNumbers) -> Vec<(LayerKind, usize)> {
    let layers = dissect_with(bytes, Start::Ethernet(Framing::Standard), numbers);
    layers.as_slice().iter().map(|layer| (layer.kind, layer.length)).collect()
}

#[test]
fn a_send_is_dissected_in_each_encapsulation() {
    use LayerKind::{Data, Ethernet, Fcs, Ipv4, Ipv6, Udp, UetCrc, UetDelivery, UetEntropy, UetSemantic};
    let inside = [(UetDelivery, 12), (UetSemantic, 44), (Data, 64), (UetCrc, 4), (Fcs, 4)];
    for (name, outer) in [
        ("uet native ipv4", [(Ipv4, 20), (UetEntropy, 4)]),
        ("uet native ipv6", [(Ipv6, 40), (UetEntropy, 4)]),
        ("uet udp ipv4", [(Ipv4, 20), (Udp, 8)]),
        ("uet udp ipv6", [(Ipv6, 40), (Udp, 8)]),
    ] {
        let expected: Vec<_> = [(Ethernet, 14)].into_iter().chain(outer).chain(inside).collect();
        assert_eq!(walk(&sample(name).bytes, UetNumbers::NATIVE), expected, "{name}");
    }
    let native = sample("uet native ipv4");
    let published = walk(&native.bytes, UetNumbers::PUBLISHED);
    assert_eq!(published, [(Ethernet, 14), (Ipv4, 20), (Data, 128), (Fcs, 4)], "253 may be our fabric header");
    let udp = sample("uet udp ipv6");
    assert_eq!(dissect(&udp.bytes, udp.start), dissect_with(&udp.bytes, udp.start, UetNumbers::PUBLISHED));
    let elsewhere = UetNumbers { port: 49_150, ..UetNumbers::NATIVE };
    assert_eq!(walk(&udp.bytes, elsewhere)[3], (Data, 124));
}

#[test]
fn a_secured_packet_keeps_its_secret() {
    use LayerKind::{Data, Ethernet, Fcs, Ipv4, UetEntropy, UetSecurity};
    let bytes = sample("uet secured source").bytes;
    let expected = [(Ethernet, 14), (Ipv4, 20), (UetEntropy, 4), (UetSecurity, 16), (Data, 48), (Fcs, 4)];
    assert_eq!(walk(&bytes, UetNumbers::NATIVE), expected);
}

/// Cuts the IP packet of a frame to `length` bytes behind its header, as a switch that trims.
fn trimmed(name: &str, length: usize) -> Vec<u8> {
    let ip = &sample(name).bytes[14..34 + length];
    let mut packet = ip.to_vec();
    packet[2..4].copy_from_slice(&(20 + length as u16).to_be_bytes());
    philae_wire::ipv4::Ipv4Packet::new(&mut packet).expect("it is long enough").fill_checksum();
    let outer = crate::common::ethernet(philae_wire::EtherType::IPV4, Framing::Standard);
    build(&[&outer], &packet)
}

#[test]
fn of_a_trimmed_packet_the_delivery_header_is_read() {
    let layers = |length| {
        dissect_with(&trimmed("uet native ipv4", length), Start::Ethernet(Framing::Standard), UetNumbers::NATIVE)
    };
    let least = layers(20);
    let delivery = least.innermost(LayerKind::UetDelivery).expect("it is there");
    assert_eq!((delivery.length, delivery.error), (12, None));
    let semantic = least.innermost(LayerKind::UetSemantic).expect("it is there");
    assert!(matches!(semantic.error, Some(WireError::Short { wanted: 44, found: 4, .. })));
    let more = layers(100);
    let crc = more.innermost(LayerKind::UetCrc).expect("it is there");
    assert!(matches!(crc.error, Some(WireError::Checksum { field: "CRC", .. })));
    let between = layers(62);
    let delivery = between.innermost(LayerKind::UetDelivery).expect("it is there");
    assert!(matches!(delivery.error, Some(WireError::Short { wanted: 60, found: 58, .. })));
}

fn psn_parts() -> impl Strategy<Value = (i16, u32, u16, u16, [bool; 4])> {
    any::<(i16, u32, u16, u16, [bool; 4])>()
}

prop_compose! {
    fn any_request()(
        (clear_psn_offset, psn, source, field, [is_ordered, is_retransmitted, acknowledge, is_syn]) in psn_parts(),
        (reserved_pool, state) in any::<(bool, Option<(u8, u32)>)>(),
    ) -> DeliveryRequest {
        let start_offset = StartOffset::from_low_bits(field);
        let syn = PdcDestination::Syn { reserved_pool, start_offset };
        DeliveryRequest {
            is_ordered, is_retransmitted, acknowledge, clear_psn_offset,
            psn: Psn(psn),
            source: PdcId(source),
            destination: if is_syn { syn } else { PdcDestination::Established(PdcId(field)) },
            congestion: state.map(|(context, credit)| {
                RequestCongestion { context, credit_target: TransportCredit::from_low_bits(credit) }
            }),
        }
    }
}

prop_compose! {
    fn any_extension()(
        kind in 0..5,
        (maximum_psn_range, psn_offset, bitmap, state) in any::<(u8, i16, u64, [u8; 16])>(),
        (service_time, restore_window, penalty, units, out_of_order) in any::<(u16, bool, u8, u32, u16)>(),
    ) -> AckExtension {
        let selective = SelectiveAck { maximum_psn_range, psn_offset, bitmap };
        let credit = TransportCredit::from_low_bits(units);
        match kind {
            0 => AckExtension::None,
            1 => AckExtension::ExpectedPsn(Psn(units)),
            2 => AckExtension::Extended { selective, kind: penalty & 0xf, state },
            3 => AckExtension::Congestion(selective, AckCongestion::Credit { credit, out_of_order }),
            _ => AckExtension::Congestion(selective, AckCongestion::Nscc {
                service_time, restore_window, out_of_order,
                window_penalty: WindowPenalty::from_low_bits(penalty),
                received: ReceivedUnits::from_low_bits(units),
            }),
        }
    }
}

prop_compose! {
    fn any_ack()(
        (offset, psn, source, destination, [is_marked, is_retransmitted, is_probe, _]) in psn_parts(),
        request in proptest::sample::select(vec![AckRequest::None, AckRequest::Clear, AckRequest::Close]),
        extension in any_extension(),
    ) -> DeliveryAck {
        let probe = AckSubject::Probe(offset.cast_unsigned());
        DeliveryAck {
            is_marked, is_retransmitted, request, extension,
            subject: if is_probe { probe } else { AckSubject::PsnOffset(offset) },
            cumulative_psn: Psn(psn),
            source: PdcId(source),
            destination: PdcId(destination),
        }
    }
}

prop_compose! {
    fn any_semantic()(
        size in 0..4,
        (opcode, message, generation, job, pid, index) in any::<(u8, u16, u8, u32, u16, u16)>(),
        (first, second, initiator, request_length, message_offset) in any::<(u64, u64, u32, u32, u32)>(),
        [delivery_complete, initiator_error, is_relative, is_last, is_first, has_data] in any::<[bool; 6]>(),
    ) -> SemanticRepr {
        let length = SemanticLength::from_low_bits(message);
        let part = if is_first {
            RequestPart::First { header_data: has_data.then_some(second) }
        } else {
            RequestPart::Later { payload_length: length, message_offset, has_header_data: has_data }
        };
        let word = if has_data { MediumWord::HeaderData(first) } else { MediumWord::BufferOffset(first) };
        // Operations with extensions are among the samples.
        let opcode = SemanticOpcode::from_low_bits(opcode & 0x3f | 0x20);
        let (buffer_offset, match_bits) = (first, second);
        SemanticRepr::Request(SemanticRequest {
            opcode,
            flags: RequestFlags { delivery_complete, initiator_error, is_relative },
            address: TargetAddress {
                generation,
                job: JobId::from_low_bits(job),
                pid_on_fep: PidOnFep::from_low_bits(pid),
                resource_index: ResourceIndex::from_low_bits(index),
            },
            body: match size {
                0 => RequestBody::Small { request_length: length, buffer_offset },
                1 => RequestBody::Medium { request_length: length, word, initiator, match_bits },
                _ => RequestBody::Standard {
                    message, is_last, part, buffer_offset, initiator, match_bits, request_length,
                },
            },
            extension: SemanticExtension::None,
        })
    }
}

fn delivery() -> impl Strategy<Value = DeliveryRepr> {
    prop_oneof![any_request().prop_map(DeliveryRepr::Request), any_ack().prop_map(DeliveryRepr::Ack)]
}

proptest! {
    #[test]
    fn a_packet_comes_back(
        delivery in delivery(),
        semantic in proptest::option::of(any_semantic()),
        data in vec(any::<u8>(), 0..60),
    ) {
        let value = UetRepr::new(delivery, semantic);
        let mut bytes = vec![0xa5; value.buffer_len(data.len())];
        bytes[value.header_len()..][..data.len()].copy_from_slice(&data);
        value.emit(&mut bytes, data.len()).unwrap();
        let packet = UetPacket::new(&bytes).unwrap();
        prop_assert_eq!(UetRepr::parse(&packet), Ok(value));
        prop_assert_eq!(packet.payload(), data);
    }

    #[test]
    fn a_broken_byte_is_found_by_the_crc(
        delivery in delivery(),
        encapsulation in proptest::sample::select(&Encapsulation::ALL[..]),
        data in vec(any::<u8>(), 30..60),
        broken in any::<proptest::sample::Index>(),
    ) {
        let mut bytes = frame(encapsulation, &UetRepr::new(delivery, None), &data);
        let (ip, end) = (14, bytes.len() - 4);
        prop_assert_eq!(crc::check(&bytes[ip..end]), Ok(()));
        // From the source address on.
        let start = ip + if encapsulation.ip_len() == 20 { 12 } else { 8 };
        bytes[start + broken.index(end - start)] ^= 0x04;
        prop_assert!(crc::check(&bytes[ip..end]).is_err());
    }
}
