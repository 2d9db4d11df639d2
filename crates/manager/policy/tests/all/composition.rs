//! Composition of ports: order, origin, and that an incremental update gives the same as composing
//! everything.

use crate::common;
use crate::common::{put, set, small};
use philae_policy::{
    Composed, Composition, DocumentChange, DocumentKind, DocumentRef, DocumentSet, FabricView, Origin, PortConfig,
    PortState, Speed, TopologyView, admit_onto,
};
use philae_topology::{DragonflyDescription, Topology};
use philae_units::{PortIndex, SwitchId};
use proptest::prelude::*;
use serde_json::json;

fn origin(composition: &Composition, port: PortIndex, pointer: &str) -> Origin {
    let fields = composition.explain_port(port);
    fields.into_iter().find(|(known, ..)| *known == pointer).expect("a field").2
}

#[test]
fn later_layers_win_field_by_field_and_every_field_says_who_it_is_from() {
    let topology = small();
    let fabric = TopologyView::new(&topology, "rosetta");
    let port = PortIndex(0);
    let name = fabric.port_name(port);
    let set = set(&[
        put(
            "topology-policy",
            "mine",
            json!({ "active": true, "portDefaults": { "mtuBytes": 1500, "speed": "CD_50G" } }),
        ),
        put(
            "port-policy",
            "z-low",
            json!({ "selector": "role=edge", "priority": 1, "settings": { "speed": "CD_100G", "fec": "rs544" } }),
        ),
        put(
            "port-policy",
            "a-high",
            json!({ "selector": "group=0", "priority": 2, "settings": { "speed": "BJ_100G" } }),
        ),
        put("port-policy", "first", json!({ "settings": { "flapScoreMax": 1, "degradedLanesMax": 1 } })),
        put("port-policy", "second", json!({ "settings": { "flapScoreMax": 2 } })),
        put("port", &name, json!({ "portPolicyLinks": ["first", "second"], "settings": { "state": "offline" } })),
    ]);
    let composition = Composition::whole(&set, &fabric);
    let config = composition.port(port);
    assert_eq!((config.mtu_bytes, config.speed, config.flap_score_max), (1_500, Speed::BJ_100G, 2));
    assert_eq!((config.degraded_lanes_max, config.state), (1, PortState::Offline));
    let policy = |name: &str| Origin::Document(DocumentRef::new(DocumentKind::PortPolicy, name));
    assert_eq!(origin(&composition, port, "/speed"), policy("a-high"));
    assert_eq!(origin(&composition, port, "/fec"), policy("z-low"));
    assert_eq!(origin(&composition, port, "/flapScoreMax"), policy("second"));
    assert_eq!(origin(&composition, port, "/degradedLanesMax"), policy("first"));
    assert_eq!(origin(&composition, port, "/untaggedAllowed"), policy("edge-policy"));
    assert_eq!(origin(&composition, port, "/state"), Origin::Document(DocumentRef::new(DocumentKind::Port, &name)));
    assert_eq!(origin(&composition, port, "/autoneg"), Origin::Default);
    let neighbour = composition.port(PortIndex(1));
    assert_eq!((neighbour.flap_score_max, neighbour.state), (3, PortState::Online));
}

#[test]
fn what_is_said_of_a_link_holds_at_both_ends() {
    let topology = small();
    let fabric = TopologyView::new(&topology, "rosetta");
    let mut ports = (0..fabric.port_count()).map(PortIndex);
    let one = ports.find(|port| fabric.peer(*port).is_some()).expect("wired");
    let other = fabric.peer(one).expect("wired");
    let set = set(&[
        put(
            "link-policy",
            "by-name",
            json!({ "selector": format!("name={}", fabric.port_name(one)), "settings": { "mtuBytes": 4000 } }),
        ),
        put("link", &fabric.link_name(one, other), json!({ "settings": { "fec": "rs272" } })),
    ]);
    let composition = Composition::whole(&set, &fabric);
    assert_eq!(composition.port(one), composition.port(other));
    assert_eq!(composition.port(one).mtu_bytes, 4_000);
    assert_eq!(composition.port_config_count(), 3, "edge and unused alike, fabric, this link");
}

#[test]
fn labels_of_a_port_and_of_its_switch_select_it() {
    let topology = small();
    let fabric = TopologyView::new(&topology, "rosetta");
    let mut labelled = common::document("switch", &fabric.switch_name(SwitchId(2)), json!({}));
    labelled.labels.insert("row".to_owned(), "7".to_owned());
    let policy =
        put("port-policy", "row", json!({ "selector": "labels.row=7,role=edge", "settings": { "mtuBytes": 2000 } }));
    let composition = Composition::whole(&set(&[DocumentChange::Put(labelled), policy]), &fabric);
    let with = (0..fabric.port_count()).filter(|port| composition.port(PortIndex(*port)).mtu_bytes == 2_000);
    let edges = fabric.ports_of(SwitchId(2)).filter(|port| fabric.role(PortIndex(*port)).name() == "edge");
    assert_eq!(with.collect::<Vec<_>>(), edges.collect::<Vec<_>>());
}

#[test]
fn the_largest_fabric_costs_few_configurations() {
    let topology = Topology::build(&DragonflyDescription::uniform(545, 32, 16, 1).into()).expect("legal");
    let fabric = TopologyView::new(&topology, "rosetta");
    assert_eq!(fabric.port_count(), 17_440 * 64);
    let set = set(&[
        put("port-policy", "cabinets", json!({ "selector": "name=x1?01c*r*", "settings": { "flapScoreMax": 2 } })),
        put("link-policy", "far", json!({ "selector": "role=global", "settings": { "fec": "rs544" } })),
    ]);
    let start = std::time::Instant::now();
    let composition = Composition::whole(&set, &fabric);
    println!("whole: {:?}", start.elapsed());
    let policy = put("link-policy", "far", json!({ "selector": "role=global", "settings": { "fec": "rs272" } }));
    let after = set.changed(std::slice::from_ref(&policy));
    let start = std::time::Instant::now();
    let (next, ports, _) = composition.update(&after, &[policy.reference()], &fabric);
    println!("update: {:?}, {} ports", start.elapsed(), ports.len());
    assert_eq!(ports.len() as u64, 2 * topology.links().global);
    assert!(next.port_config_count() < 16);
}

fn change() -> impl Strategy<Value = DocumentChange> {
    let topology = small();
    let fabric = TopologyView::new(&topology, "rosetta");
    let ports: Vec<String> = (0..64).map(|port| fabric.port_name(PortIndex(port))).collect();
    let wired = (0..fabric.port_count()).map(PortIndex).filter_map(|port| Some((port, fabric.peer(port)?)));
    let links: Vec<String> = wired.map(|(one, other)| fabric.link_name(one, other)).collect();
    let selector = prop_oneof![
        Just("role=edge"),
        Just("group in (1-2)"),
        Just("role!=unused,name=x1001c*r*"),
        Just("labels.row"),
        Just("")
    ];
    let name = prop_oneof![Just("a"), Just("b"), Just("c")];
    let speed = prop_oneof![Just("CD_50G"), Just("BS_200G"), Just("CK_400G")];
    let settings = (speed, 0_u32..6).prop_map(|(speed, score)| match score {
        0 => json!({ "speed": speed }),
        score => json!({ "flapScoreMax": score, "flowControl": { "rx": score % 2 == 0 } }),
    });
    let policy =
        (name.clone(), selector, settings.clone(), 0_u32..3).prop_flat_map(|(name, selector, settings, priority)| {
            let link = put(
                "link-policy",
                name,
                json!({ "selector": selector, "priority": priority, "settings": { "mtuBytes": 2000 + priority } }),
            );
            let port =
                put("port-policy", name, json!({ "selector": selector, "priority": priority, "settings": settings }));
            prop_oneof![Just(link), Just(port)]
        });
    let port = (proptest::sample::select(ports), name.clone(), settings.clone(), any::<bool>()).prop_map(
        |(port, link, settings, row)| {
            let mut document =
                common::document("port", &port, json!({ "portPolicyLinks": [link], "settings": settings }));
            if row {
                document.labels.insert("row".to_owned(), "1".to_owned());
            }
            DocumentChange::Put(document)
        },
    );
    let link = proptest::sample::select(links)
        .prop_map(|link| put("link", &link, json!({ "linkPolicyLinks": ["b"], "settings": { "fec": "none" } })));
    let topology =
        settings.prop_map(|settings| put("topology-policy", "t", json!({ "active": true, "portDefaults": settings })));
    let delete = (
        prop_oneof![Just(DocumentKind::PortPolicy), Just(DocumentKind::LinkPolicy), Just(DocumentKind::TopologyPolicy)],
        name,
    )
        .prop_map(|(kind, name)| DocumentChange::Delete(DocumentRef::new(kind, name)));
    prop_oneof![4 => policy, 3 => port, 2 => link, 1 => topology, 2 => delete]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    #[test]
    fn changes_one_by_one_give_what_composing_everything_gives(changes in proptest::collection::vec(change(), 1..12)) {
        let topology = small();
        let fabric = TopologyView::new(&topology, "rosetta");
        let mut set = DocumentSet::default();
        let mut composition = Composition::whole(&set, &fabric);
        for change in &changes {
            let before = composition.clone();
            let admitted = admit_onto(&set, &composition, std::slice::from_ref(change), &fabric);
            set = set.changed(std::slice::from_ref(change));
            let (next, ports, _) = composition.update(&set, &[change.reference()], &fabric);
            let whole = Composition::whole(&set, &fabric);
            for port in (0..fabric.port_count()).map(PortIndex) {
                prop_assert_eq!(next.port(port), whole.port(port));
                for field in 0..PortConfig::POINTERS.len() {
                    prop_assert_eq!(next.port_origin(port, field), whole.port_origin(port, field));
                }
                prop_assert_eq!(before.port(port) != next.port(port), ports.contains(&port), "the blast radius is exact");
            }
            if let Ok(admitted) = admitted {
                prop_assert_eq!(&admitted.blast.ports, &ports);
                for port in &ports {
                    let far = fabric.peer(*port).map_or(next.port(*port), |peer| next.port(peer));
                    prop_assert_eq!((next.port(*port).speed, next.port(*port).mtu_bytes), (far.speed, far.mtu_bytes));
                }
            }
            let (same, none, switches) = next.update(&set, &[change.reference()], &fabric);
            prop_assert!(none.is_empty() && switches.is_empty(), "once more changes nothing");
            composition = same;
        }
        let mut backwards: Vec<DocumentChange> = set.iter().cloned().map(DocumentChange::Put).collect();
        backwards.reverse();
        prop_assert_eq!(DocumentSet::default().changed(&backwards), set, "the order of writing does not matter");
    }
}
