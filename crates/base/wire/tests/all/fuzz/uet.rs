//! Damaged packets of the Ultra Ethernet Transport, and damaged link messages.

use super::{Again, Parser, again, clear, hex, nothing, run, run_parser, seeds};
use crate::common::uet::frames;
use philae_wire::dissect::LayerKind;
use philae_wire::uet::crc;
use philae_wire::uet::credit_update::{CreditUpdatePacket, CreditUpdateRepr};
use philae_wire::uet::entropy::{EntropyPacket, EntropyRepr};
use philae_wire::uet::ordered_set::{ChannelCredits, OrderedSet};
use philae_wire::uet::packet::{UetPacket, UetRepr};
use philae_wire::uet::prologue::UetPacketType as Type;
use philae_wire::uet::{FreedCredits, LinkSequence, VirtualChannel};
use philae_wire::{ipv4, ipv6};

parser!(
    ipv6_packets,
    Ipv6,
    |input| {
        let packet = ipv6::Ipv6Packet::new(input).ok()?;
        Some(again(&ipv6::Ipv6Repr::parse(&packet), packet.payload(), input))
    },
    nothing
);

parser!(
    uet_entropy_headers,
    UetEntropy,
    |input| {
        let packet = EntropyPacket::new(input).ok()?;
        let mut again = again(&EntropyRepr::parse(&packet), packet.payload(), input);
        clear(&mut again.expected, 2, 0xff);
        clear(&mut again.expected, 3, 0xff);
        Some(again)
    },
    nothing
);

parser!(
    uet_security_headers,
    UetSecurity,
    |input| {
        let packet = UetPacket::new(input).ok()?;
        let value = UetRepr::parse(&packet).ok().filter(|value| matches!(value, UetRepr::Secured(_)))?;
        let mut again = again(&value, packet.payload(), input);
        clear(&mut again.expected, 0, 0x02);
        Some(again)
    },
    nothing
);

parser!(uet_packets, UetDelivery, parse_packet, nothing);

fn parse_packet(input: &[u8]) -> Option<Again> {
    let packet = UetPacket::new(input).ok()?;
    let value = UetRepr::parse(&packet).ok()?;
    let UetRepr::Clear { delivery, .. } = value else { return None };
    let mut again = again(&value, packet.payload(), input);
    clear_ignored(delivery.header_len(), &mut again.expected);
    Some(again)
}

/// Sets everything to zero that the modules name as ignored on receipt.
fn clear_ignored(delivery_len: usize, bytes: &mut [u8]) {
    let kind = Type::of_first_byte(bytes[0]).expect("it was parsed");
    let next = (bytes[0] & 7) << 1 | bytes[1] >> 7;
    let (is_syn, is_idempotent_nack) = (bytes[1] & 0x04 != 0, bytes[1] & 0x08 != 0);
    let flags = match kind {
        Type::RudRequest | Type::RodRequest | Type::RudCongestionRequest | Type::RodCongestionRequest => 0x63,
        Type::RudiRequest => 0x6f,
        Type::RudiResponse => 0x4f,
        Type::UudRequest => 0x7f,
        Type::Ack => 0x01,
        Type::AckCongestion | Type::AckExtended => 0x41,
        Type::Nack | Type::NackExtended => 0x47,
        Type::Control => 0x43,
        Type::Security => 0,
    };
    clear(bytes, 1, flags);
    match kind {
        Type::RudiRequest | Type::RudiResponse | Type::UudRequest => clear_all(bytes, 2, 2),
        Type::AckCongestion | Type::AckExtended => {
            clear(bytes, 12, 0x0f);
            if kind == Type::AckCongestion && bytes[12] >> 4 == 1 {
                clear_all(bytes, 27, 3);
            }
        }
        Type::Nack | Type::NackExtended if is_idempotent_nack => clear_all(bytes, 8, 4),
        Type::Control => {
            if is_syn {
                clear(bytes, 10, 0x70);
            }
            return;
        }
        Type::RudRequest | Type::RodRequest | Type::RudCongestionRequest | Type::RodCongestionRequest if is_syn => {
            clear(bytes, 10, 0x70);
        }
        _ => {}
    }
    clear_semantic(next, &mut bytes[delivery_len..]);
}

fn clear_semantic(next: u8, bytes: &mut [u8]) {
    match next {
        1..=3 => clear_request(next, bytes),
        5 => {
            clear(bytes, 4, 0xff);
            clear(bytes, 10, 0xc0);
        }
        6 => {
            clear(bytes, 2, 0xc0);
            clear(bytes, 4, 0xff);
        }
        _ => {}
    }
}

fn clear_request(next: u8, bytes: &mut [u8]) {
    let (is_first, has_data) = (bytes[1] & 0x01 != 0, bytes[1] & 0x04 != 0);
    clear(bytes, 0, 0xc0);
    clear(bytes, 8, 0xf0);
    clear(bytes, 10, 0xf0);
    let extension = match next {
        1 => {
            clear(bytes, 1, 0x04);
            20
        }
        2 => 32,
        _ => 44,
    };
    if next < 3 {
        clear(bytes, 2, 0xc0);
    } else if is_first && !has_data {
        clear_all(bytes, 32, 8);
    } else if !is_first {
        clear_all(bytes, 32, 2);
        clear(bytes, 34, 0xc0);
    }
    match bytes[0] & 0x3f {
        0x03 | 0x04 | 0x0d | 0x0e => clear(bytes, extension + 3, 0xff),
        0x11 => clear(bytes, extension + 7, 0xff),
        _ => {}
    }
}

fn clear_all(bytes: &mut [u8], at: usize, length: usize) {
    bytes[at..at + length].fill(0);
}

/// The CRC of IP packets that are damaged below and above it.
#[test]
fn sealed_uet_packets() {
    fn mend(bytes: &mut [u8]) {
        if let Ok(mut packet) = ipv4::Ipv4Packet::new(&mut *bytes) {
            packet.fill_checksum();
        }
        let _ = crc::seal(bytes);
    }
    let ip = [LayerKind::Ipv4, LayerKind::Ipv6].into_iter().flat_map(seeds);
    let whole: Vec<_> = ip.filter(|bytes| crc::check(bytes).is_ok()).collect();
    assert!(whole.len() + 2 >= frames().len(), "all but the secured ones");
    run("sealed_uet_packets", 105, &whole, mend, |input| crc::check(input).is_ok());
}

parser!(
    credit_updates,
    CreditUpdate,
    |input| {
        let packet = CreditUpdatePacket::new(input).ok()?;
        Some(again(&CreditUpdateRepr::parse(&packet).ok()?, &[], input))
    },
    nothing
);

/// Ordered sets are no frames, so their seeds are values.
#[test]
fn ordered_sets() {
    let sequence = LinkSequence::from_low_bits(0xa_bcde);
    let credits = ChannelCredits { channel: VirtualChannel::MAX, freed: FreedCredits::from_low_bits(0x1234) };
    let seeds = [
        OrderedSet::Ack(sequence),
        OrderedSet::Nack(sequence),
        OrderedSet::Init { sequence, data: 0x1234 },
        OrderedSet::InitEcho { sequence, data: 0x1234 },
        OrderedSet::CreditsFreed([credits, ChannelCredits::default()]),
    ]
    .map(|value| value.bytes().to_vec());
    run("ordered_sets", 106, &seeds, nothing, |input| {
        let Some(Ok(bytes)) = input.get(..8).map(<&[u8; 8]>::try_from) else { return false };
        let Ok(value) = OrderedSet::parse(bytes) else { return false };
        let mut expected = *bytes;
        expected[0] = 0x5c;
        match value {
            OrderedSet::Ack(_) | OrderedSet::Nack(_) => expected[5..].fill(0),
            OrderedSet::Init { .. } | OrderedSet::InitEcho { .. } => expected[7] = 0,
            OrderedSet::CreditsFreed(_) => expected[7] &= 0xf0,
        }
        assert_eq!(hex(&value.bytes()), hex(&expected));
        true
    });
}
