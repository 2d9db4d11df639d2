//! The layers of one frame of each format; a walk always covers its frame.

use crate::common;
use philae_wire::dissect::{LAYERS_MAX, LayerKind, Layers, Start, dissect};
use philae_wire::{EtherType, Framing, MacAddress, Priority, VlanId, WireError, WireLayer, ethernet, ipv4, roce, vlan};

fn sample(name: &str) -> common::Sample {
    common::samples().into_iter().find(|sample| sample.name == name).expect("there is such a sample")
}

fn walk(layers: &Layers) -> Vec<(LayerKind, usize, usize)> {
    layers.as_slice().iter().map(|layer| (layer.kind, layer.offset, layer.length)).collect()
}

/// Layers lie behind each other without gap or overlap, from the first byte to the last.
fn assert_covers(layers: &Layers, length: usize) {
    let end = layers.as_slice().iter().fold(0, |at, layer| {
        assert_eq!(layer.offset, at, "{layers:?}");
        layer.range().end
    });
    assert_eq!(end, length, "{layers:?}");
}

#[test]
fn every_sample_is_read_to_its_end() {
    for sample in common::samples() {
        let layers = sample.layers();
        assert_eq!(layers.error(), None, "{}", sample.name);
        assert_covers(&layers, sample.bytes.len());
    }
}

#[test]
fn a_roce_write_has_seven_headers_and_an_icrc() {
    let sample = sample("roce write");
    let layers = sample.layers();
    let expected = [
        (LayerKind::Ethernet, 0, 14),
        (LayerKind::Vlan, 14, 4),
        (LayerKind::Ipv4, 18, 20),
        (LayerKind::Udp, 38, 8),
        (LayerKind::Roce, 46, 28),
        (LayerKind::Data, 74, 63),
        (LayerKind::Icrc, 137, 1 + 4),
        (LayerKind::Fcs, 142, 4),
    ];
    assert_eq!(walk(&layers), expected);
    let found = layers.innermost(LayerKind::Roce).expect("it is there");
    let ip = layers.innermost(LayerKind::Ipv4).expect("it is there");
    let ip = ipv4::Ipv4Packet::new(&sample.bytes[ip.offset..]).expect("a walk gives what parses");
    assert_eq!((ip.source(), ip.destination()), (common::SOURCE, common::DESTINATION));
    let packet = roce::RocePacket::new(&sample.bytes[found.offset..142]).expect("a walk gives what parses");
    assert_eq!(packet.queue_pair().get(), 0x1_0203);
}

#[test]
fn a_tunnel_shows_the_inner_headers_too() {
    let sample = sample("vxlan tcp");
    let kinds: Vec<LayerKind> = sample.layers().as_slice().iter().map(|layer| layer.kind).collect();
    use LayerKind::{Data, Ethernet, Fcs, Ipv4, Tcp, Udp, Vxlan};
    assert_eq!(kinds, [Ethernet, Ipv4, Udp, Vxlan, Ethernet, Ipv4, Tcp, Data, Fcs]);
}

#[test]
fn short_packets_show_their_padding() {
    let sample = sample("pause");
    assert_eq!(
        walk(&sample.layers()),
        [
            (LayerKind::Ethernet, 0, 14),
            (LayerKind::MacControl, 14, 4),
            (LayerKind::Padding, 18, 42),
            (LayerKind::Fcs, 60, 4)
        ]
    );
    let sample = self::sample("headerless ip");
    assert_eq!(walk(&sample.layers()), [(LayerKind::Ipv4, 0, 20), (LayerKind::Udp, 20, 8), (LayerKind::Fcs, 28, 4)]);
}

#[test]
fn a_wrong_checksum_ends_the_walk_where_it_is() {
    let mut sample = sample("vxlan tcp");
    let length = sample.bytes.len();
    sample.bytes[length - 6] ^= 1;
    let layers = sample.layers();
    assert!(matches!(layers.error(), Some(WireError::Checksum { field: "FCS", .. })));
    assert_eq!(walk(&layers), [(LayerKind::Ethernet, 0, length)]);

    let mut frame = ethernet::EthernetFrame::new(&mut sample.bytes, Framing::Standard).expect("it is long enough");
    frame.fill_fcs();
    let layers = sample.layers();
    assert!(matches!(layers.error(), Some(WireError::Checksum { format: "UDP", .. })));
    assert_covers(&layers, length);
}

#[test]
fn a_wrong_icrc_is_found_behind_data_that_was_read() {
    let mut sample = sample("roce write");
    sample.bytes[80] ^= 1;
    ethernet::EthernetFrame::new(&mut sample.bytes, Framing::Standard).expect("it is long enough").fill_fcs();
    let layers = sample.layers();
    let icrc = layers.innermost(LayerKind::Icrc).expect("it is there");
    assert!(matches!(icrc.error, Some(WireError::Checksum { field: "ICRC", .. })));
    assert_covers(&layers, sample.bytes.len());
}

#[test]
fn an_unknown_ethertype_is_data() {
    let outer = ethernet::EthernetRepr {
        destination: MacAddress::BROADCAST,
        source: MacAddress::default(),
        ethertype: EtherType(0x9000),
        framing: Framing::Bare,
    };
    let bytes = common::build(&[&outer], &[0x60; 40]);
    let layers = dissect(&bytes, Start::Ethernet(Framing::Bare));
    assert_eq!(walk(&layers), [(LayerKind::Ethernet, 0, 14), (LayerKind::Data, 14, 40)]);
}

#[test]
fn tags_without_end_are_cut_off_as_data() {
    let tag = vlan::VlanRepr {
        priority: Priority::default(),
        drop_eligible: true,
        vlan: VlanId::default(),
        ethertype: EtherType::VLAN,
    };
    let outer = ethernet::EthernetRepr {
        destination: MacAddress::BROADCAST,
        source: MacAddress::default(),
        ethertype: EtherType::VLAN,
        framing: Framing::Standard,
    };
    let mut stack: Vec<&dyn WireLayer> = vec![&outer];
    stack.resize_with(60, || &tag);
    let bytes = common::build(&stack, &[1; 30]);
    let layers = dissect(&bytes, Start::Ethernet(Framing::Standard));
    assert!(layers.as_slice().len() <= LAYERS_MAX);
    assert_eq!(layers.error(), None);
    assert_covers(&layers, bytes.len());
}

#[test]
fn nothing_and_a_few_bytes_are_an_error_and_no_panic() {
    for start in [Start::Ethernet(Framing::Standard), Start::Ethernet(Framing::Bare), Start::Headerless] {
        for length in 0..14 {
            let layers = dissect(&[0x45; 14][..length], start);
            assert!(matches!(layers.error(), Some(WireError::Short { .. })));
            assert_covers(&layers, length);
        }
    }
}
