//! Any bytes are a packet. An unchanged packet has the same bytes; a changed one parses as the
//! values that were set.

use crate::common::{Kind, ROCE, Shape, field, fields, frame, pipeline, try_pipeline};
use philae_packet_engine::{Metadata, PacketDecision, PipelineStage};
use philae_wire::ethernet::FCS_LEN;
use philae_wire::{Framing, ethernet};
use proptest::prelude::*;

fn kinds() -> impl Strategy<Value = Kind> {
    prop::sample::select(vec![Kind::Roce, Kind::Udp, Kind::Tcp, Kind::Fabric, Kind::Unknown])
}

fn shapes() -> impl Strategy<Value = Shape> {
    let numbers = (0..3_usize, any::<u16>(), 0..200_usize, 0..30_usize);
    (kinds(), numbers, any::<bool>(), any::<bool>()).prop_map(
        |(kind, (tags, port, payload, padding), tunnelled, checksum)| Shape {
            kind,
            tags,
            tunnelled,
            checksum,
            port,
            payload,
            padding,
        },
    )
}

/// An action that changes bytes, as text.
fn actions() -> impl Strategy<Value = String> {
    let inner = prop::sample::select(vec!["", "inner."]);
    let set = (
        inner,
        prop::sample::select(vec![
            ("eth.src", 48),
            ("eth.dst", 48),
            ("vlan.id", 12),
            ("vlan.pcp", 3),
            ("vlan.dei", 1),
            ("ip.src", 32),
            ("ip.dst", 32),
            ("ip.dscp", 6),
            ("ip.ecn", 2),
            ("ip.ttl", 8),
            ("l4.sport", 16),
            ("tcp.flags", 12),
            ("roce.dest_qp", 24),
            ("roce.pkey", 16),
            ("fabric.vni", 16),
            ("fabric.dst", 20),
            ("fabric.dscp", 6),
        ]),
        0..1_u64 << 48,
    )
        .prop_map(|(inner, (name, bits), value)| {
            format!("{{ do = \"set\", field = \"{inner}{name}\", value = {} }}", value & ((1 << bits) - 1))
        });
    let tunnel = "source = \"192.168.1.1\", destination = \"192.168.1.2\", source_mac = \"eth.src\", destination_mac = \"02:00:00:00:00:09\"";
    prop_oneof![
        6 => set,
        1 => (1..4_095_u16, 0..8_u8).prop_map(|(id, pcp)| format!("{{ do = \"push-vlan\", id = {id}, pcp = {pcp} }}")),
        1 => Just("{ do = \"pop-vlan\" }".to_owned()),
        1 => (1..0x100_0000_u32).prop_map(move |vni| format!("{{ do = \"encapsulate\", vni = {vni}, {tunnel} }}")),
        1 => Just("{ do = \"decapsulate\" }".to_owned()),
    ]
}

fn with_actions(list: &[String]) -> String {
    format!("[[tables]]\nname = \"t\"\nstage = \"ingress\"\nsize = 1\nkey = []\ndefault = [{}]\n", list.join(", "))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    #[test]
    fn any_bytes_survive_and_stay_what_they_are(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        let mut all = pipeline("programs = [\"vlan-edge\", \"acl\", \"vni-isolation\"]");
        for stage in [PipelineStage::Ingress, PipelineStage::Egress] {
            prop_assert_eq!(&all.run(stage, &bytes, Metadata::default()).frame, &bytes);
        }
    }

    #[test]
    fn a_damaged_frame_survives_every_action(
        shape in shapes(),
        damage in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..4),
        cut in any::<prop::sample::Index>(),
        list in prop::collection::vec(actions(), 0..5),
    ) {
        let mut bytes = frame(shape);
        for (at, byte) in damage {
            let at = at.index(bytes.len());
            bytes[at] ^= byte;
        }
        bytes.truncate(cut.index(bytes.len() + 1));
        let passage = pipeline(&with_actions(&list)).classify(PipelineStage::Ingress, &bytes, Metadata::default());
        if passage.verdict != PacketDecision::Permit {
            prop_assert_eq!(&passage.frame, &bytes);
        }
    }

    #[test]
    fn what_actions_made_is_what_is_read_from_the_bytes(
        shape in shapes(),
        list in prop::collection::vec(actions(), 0..6),
    ) {
        let bytes = frame(shape);
        let metadata = Metadata { vni: 7, ..Metadata::default() };
        let engine = pipeline(&with_actions(&list));
        let passage = engine.classify(PipelineStage::Ingress, &bytes, metadata);
        if passage.verdict != PacketDecision::Permit {
            prop_assert_eq!(&passage.frame, &bytes);
            return Ok(());
        }
        let found = fields(&engine, &passage.frame, metadata);
        prop_assert!(found.contains(&("meta.malformed".to_owned(), 0)), "{:?}", found);
        // The actions applied one by one, each to the bytes that the previous one wrote, give the
        // same frame.
        let mut step = bytes.clone();
        for action in &list {
            let one = pipeline(&with_actions(std::slice::from_ref(action)));
            step = one.classify(PipelineStage::Ingress, &step, metadata).frame;
        }
        prop_assert_eq!(&step, &passage.frame);
        // The last value set for each field holds, if no header moved between layers afterwards.
        if !list.iter().any(|action| action.contains("vlan\"") || action.contains("capsulate")) {
            let before = fields(&engine, &bytes, metadata);
            let mut wanted: std::collections::BTreeMap<String, u64> = before.into_iter().collect();
            for action in &list {
                let part = |key: &str| action.split(key).nth(1).map(|rest| rest.trim_start_matches(" = "));
                let name = part("field").and_then(|rest| rest.split('"').nth(1)).unwrap().to_owned();
                let value: u64 = part("value").and_then(|rest| rest.split(' ').next()).unwrap().parse().unwrap();
                wanted.entry(name).and_modify(|old| *old = value);
            }
            prop_assert_eq!(found.into_iter().collect::<std::collections::BTreeMap<_, _>>(), wanted);
        }
    }

    #[test]
    fn a_tunnel_there_and_back_is_the_same_frame(shape in shapes(), vni in 1..0x100_0000_u32) {
        prop_assume!(!shape.tunnelled);
        let bytes = frame(shape);
        let text = format!(
            "[[tables]]\nname = \"in\"\nstage = \"ingress\"\nsize = 1\nkey = []\ndefault = [{{ do = \"encapsulate\", vni = {vni}, \
             source = \"1.2.3.4\", destination = \"5.6.7.8\", source_mac = \"eth.src\", destination_mac = \"eth.dst\" }}]\n\
             [[tables]]\nname = \"out\"\nstage = \"egress\"\nsize = 1\nkey = []\ndefault = [{{ do = \"decapsulate\" }}]\n"
        );
        let engine = pipeline(&text);
        let there = engine.classify(PipelineStage::Ingress, &bytes, Metadata::default());
        prop_assert_eq!(&there.verdict, &PacketDecision::Permit);
        prop_assert_eq!(there.frame.len(), bytes.len() + 50);
        prop_assert_eq!(field(&engine, &there.frame, "vxlan.vni"), Some(vni.into()));
        prop_assert_eq!(field(&engine, &there.frame, "inner.eth.dst"), field(&engine, &bytes, "eth.dst"));
        let back = engine.classify(PipelineStage::Egress, &there.frame, there.metadata);
        prop_assert_eq!(back.frame, bytes);
    }
}

#[test]
fn every_kind_of_frame_gives_its_fields() {
    let engine = pipeline("");
    let value = |shape, name| field(&engine, &frame(shape), name);
    let tagged = Shape { tags: 2, ..ROCE };
    assert_eq!(value(tagged, "vlan.id"), Some(100));
    assert_eq!(value(tagged, "vlan.type"), Some(0x8100));
    assert_eq!(value(tagged, "roce.dest_qp"), Some(77));
    assert_eq!(value(ROCE, "vlan.id"), None);
    assert_eq!(value(ROCE, "roce.opcode"), Some(4));
    assert_eq!(value(ROCE, "ip.dscp"), Some(10));
    assert_eq!(value(Shape { kind: Kind::Tcp, ..ROCE }, "l4.dport"), Some(80));
    assert_eq!(value(Shape { kind: Kind::Fabric, ..ROCE }, "fabric.vni"), Some(9));
    let tunnelled = Shape { tunnelled: true, ..tagged };
    assert_eq!(value(tunnelled, "vxlan.vni"), Some(42));
    assert_eq!(value(tunnelled, "l4.dport"), Some(4_789));
    assert_eq!(value(tunnelled, "inner.l4.dport"), Some(4_791));
    assert_eq!(value(tunnelled, "inner.vlan.id"), Some(100));
    assert_eq!(value(tunnelled, "vlan.id"), None);
    assert_eq!(value(tunnelled, "roce.dest_qp"), None);
    assert_eq!(value(tunnelled, "inner.roce.dest_qp"), Some(77));
}

#[test]
fn a_header_that_is_not_right_is_payload_and_the_packet_malformed() {
    let engine = pipeline("");
    let mut bytes = frame(ROCE);
    assert_eq!(field(&engine, &bytes, "meta.malformed"), Some(0));
    bytes[14 + 10] ^= 1;
    assert_eq!(field(&engine, &bytes, "meta.malformed"), Some(1));
    assert_eq!(field(&engine, &bytes, "ip.src"), None);
    let deep = frame(Shape { tags: 11, ..ROCE });
    assert_eq!(
        field(&engine, &deep, "meta.malformed"),
        Some(1),
        "twelve headers are read, the IPv4 header is the thirteenth"
    );
}

#[test]
fn a_wrong_icrc_is_not_made_right() {
    let text = with_actions(&["{ do = \"set\", field = \"ip.src\", value = \"10.9.9.9\" }".to_owned()]);
    let engine = pipeline(&text);
    let icrc = |bytes: &[u8]| philae_wire::roce::icrc::check(&bytes[14..]).is_ok();
    let sound = frame(ROCE);
    assert!(icrc(&sound) && icrc(&engine.classify(PipelineStage::Ingress, &sound, Metadata::default()).frame));
    let mut damaged = sound;
    let at = damaged.len() - 20;
    damaged[at] ^= 4;
    let passed = engine.classify(PipelineStage::Ingress, &damaged, Metadata::default());
    assert_eq!(field(&engine, &passed.frame, "ip.src"), Some(0x0a09_0909));
    assert!(!icrc(&passed.frame));
}

#[test]
fn what_leaves_is_sound_to_a_reader_of_its_own() {
    let list = ["{ do = \"push-vlan\", id = 5 }", "{ do = \"set\", field = \"ip.dst\", value = \"10.1.1.1\" }"];
    let engine = pipeline(&with_actions(&list.map(str::to_owned)));
    for kind in [Kind::Roce, Kind::Udp, Kind::Tcp] {
        let bytes = frame(Shape { kind, checksum: true, ..ROCE });
        let passed = engine.classify(PipelineStage::Ingress, &bytes, Metadata::default()).frame;
        let mut framed = passed.clone();
        framed.extend([0; FCS_LEN]);
        let mut view = ethernet::EthernetFrame::new(framed, Framing::Standard).unwrap();
        view.fill_fcs();
        let layers =
            philae_wire::dissect::dissect(&view.into_inner(), philae_wire::dissect::Start::Ethernet(Framing::Standard));
        assert_eq!(layers.error(), None, "{kind:?}");
        assert!(layers.as_slice().len() >= 5, "{kind:?}: {layers:?}");
    }
}

const WITHOUT_TUNNELS: &str = r#"
[parser]
depth = 4
states = [
    { name = "start", header = "ethernet", select = "eth.type", next = [{ value = "0x0800", state = "ip" }] },
    { name = "ip", header = "ipv4", select = "ip.proto", next = [{ value = 17, state = "udp" }] },
    { name = "udp", header = "udp" },
]
"#;

#[test]
fn a_graph_of_ones_own_decides_what_is_read() {
    let engine = pipeline(WITHOUT_TUNNELS);
    assert_eq!(field(&engine, &frame(ROCE), "l4.dport"), Some(4_791));
    assert_eq!(field(&engine, &frame(ROCE), "roce.dest_qp"), None);
    assert_eq!(field(&engine, &frame(Shape { tags: 1, ..ROCE }), "ip.src"), None);
}

#[test]
fn a_graph_that_cannot_be_is_refused() {
    let error = |text: &str| try_pipeline(text).unwrap_err().to_string();
    let wrong = |from: &str, to: &str| error(&WITHOUT_TUNNELS.replace(from, to));
    assert!(wrong("state = \"udp\" }", "state = \"upd\" }").contains("did you mean `udp`?"));
    assert!(wrong("\"eth.type\"", "\"ip.proto\"").contains("a field of the state's own header would work: eth.dst"));
    assert!(wrong("header = \"udp\"", "header = \"roce\"").contains("roce can follow udp"));
    assert!(wrong("depth = 4", "depth = 33").contains("1 to 32 headers would work"));
    assert!(wrong("name = \"ip\"", "name = \"start\"").contains("two states of the parser are named `start`"));
    assert!(wrong("value = 17", "value = 300").contains("0 to 255 would work"));
    assert!(error("parser = { depth = 1, states = [] }").contains("a first state"));
    let table = "[[tables]]\nname = \"t\"\nstage = \"ingress\"\nsize = 1\nkey = [{ field = \"inner.ip.src\", match = \"prefix\" }]\n";
    let found = error(&format!("{WITHOUT_TUNNELS}{table}"));
    assert!(
        found.starts_with(
            "table 't': the parser never finds `inner.ip.src`: no state of its graph reads ipv4 behind a VXLAN header"
        ),
        "{found}"
    );
}
