//! Every built-in system builds and has its published counts.

mod common;

use common::build;
use philae_topology::{Medium, SystemDescription, SystemFigures, Topology, TopologyShape, systems};
use philae_units::GroupId;

fn describe(name: &str) -> SystemFigures {
    let system = SystemDescription::load(name).expect("built in");
    let topology = Topology::build(&system).expect("built-in systems are legal");
    SystemFigures::of(&system, &topology)
}

#[test]
fn every_built_in_builds_consistently_and_names_its_sources() {
    for built_in in systems() {
        let system = SystemDescription::load(built_in.name).expect("built in");
        assert_eq!(system.name, built_in.name);
        assert!(!system.summary.is_empty() && !system.sources.is_empty(), "{}", built_in.name);
        assert!(system.assumed.iter().all(|assumed| !assumed.why.is_empty()), "{}", built_in.name);
        build(system);
    }
}

/// groups, switches, endpoints, nodes, [edge, local, global] links, diameter
type Counts = (usize, usize, usize, usize, [u64; 3], u32);

const COUNTS: &[(&str, Counts)] = &[
    // 6 x 120 rank-1 links and 16 x 15 x 3 rank-2 links in each group; every router has a link to
    // its twin
    ("crystal", (2, 192, 698, 698, [698, 2_880, 384], 3)),
    // every switch has two links to its twin in each other group
    ("malbec", (4, 32, 484, 484, [484, 112, 96], 2)),
    ("shandy", (8, 128, 2_048, 1_024, [2_048, 960, 224], 3)),
    ("slingshot400-64", (1, 8, 128, 64, [128, 168, 0], 1)),
    ("slingshot400-fat-tree", (1, 48, 1_024, 1_024, [1_024, 1_024, 0], 2)),
    // four cabinets: 8 x 7 / 2 x 3 backplane links in each, 6 pairs x 48 between them, and so on
    ("gx-8", (4, 32, 512, 128, [512, 336, 288], 2)),
    ("gx-16", (4, 64, 1_024, 256, [1_024, 960, 528], 2)),
    ("gx-32", (4, 128, 2_048, 512, [2_048, 1_984, 1_056], 2)),
    ("slingshot-mixed", (6, 96, 1_536, 1_536, [1_536, 1_440, 240], 2)),
    // 64 compute and 16 storage nodes, and two gateways with two NICs each
    ("two-fabrics", (1, 6, 84, 82, [84, 56, 0], 1)),
    ("ndr-64", (1, 4, 64, 64, [64, 64, 0], 2)),
    ("lumi", (35, 944, 13_960, 5_026, [13_960, 13_224, 7_288], 3)),
    ("frontier", (80, 2_464, 37_632, 9_408, [37_632, 37_424, 11_757], 3)),
    ("aurora", (175, 5_600, 84_992, 10_624, [84_992, 86_800, 31_114], 3)),
    ("largest", (545, 17_440, 279_040, 279_040, [279_040, 270_320, 148_240], 3)),
    ("largest-addressable", (511, 16_352, 261_632, 261_632, [261_632, 253_456, 130_305], 3)),
];

#[test]
fn counts_are_the_published_ones() {
    assert_eq!(COUNTS.len(), systems().len());
    for (name, counts) in COUNTS {
        let found = describe(name);
        let links = [found.links.edge, found.links.local, found.links.global];
        let found = (found.groups, found.switches, found.endpoints, found.nodes, links, found.diameter_switch_hops);
        assert_eq!(found, *counts, "{name}");
    }
}

#[test]
fn bandwidths_are_the_published_ones() {
    let shandy = describe("shandy");
    assert_eq!(shandy.bisection_gbps, 51_200.0, "4 x 4 x 8 links x 200 Gb/s x 2: SC'20");
    assert_eq!(shandy.global_gbps, 89_600.0, "448 x 200 Gb/s: SC'20, Fig. 6");
    assert_eq!(shandy.taper, Some(0.4375));
    assert_eq!(shandy.bisection_method, "upper bound: 4 groups against 4");
    let frontier = describe("frontier").taper.expect("many groups");
    assert!((frontier - 0.570).abs() < 5e-4, "57 %: OLCF, found {frontier}");
    let aurora = describe("aurora").taper.expect("many groups");
    assert!((aurora - 0.645).abs() < 5e-4, "330 of 512, found {aurora}");
    assert_eq!(describe("slingshot400-fat-tree").taper, Some(1.0));
    assert_eq!(describe("slingshot400-fat-tree").bisection_gbps, 512.0 * 400.0 * 2.0);
    // 272 groups on each side, and one divided: half of its 32 switches are joined to the other
    // half.
    let largest = describe("largest");
    assert_eq!(largest.bisection_method, "upper bound: 272 groups and a part of another against 272");
    let (between, most) = (272.0 * 272.0, 272.0 * 273.0 + 16.0 * 16.0);
    assert!((between * 400.0..most * 400.0).contains(&largest.bisection_gbps), "{}", largest.bisection_gbps);
    assert_eq!(describe("slingshot400-64").bisection_gbps, 4.0 * 4.0 * 6.0 * 400.0 * 2.0);
    assert_eq!(describe("slingshot400-64").taper, None);
    assert_eq!(describe("crystal").bisection_gbps, 28_876.8, "384 x 37.6 Gb/s x 2, without rounding");
    assert_eq!(describe("malbec").bisection_gbps, 2.0 * 2.0 * 16.0 * 200.0 * 2.0);
}

#[test]
fn a_graph_that_names_its_groups_has_the_bisection_of_its_system() {
    for name in ["shandy", "malbec", "slingshot-mixed", "gx-8", "gx-16"] {
        let system = SystemDescription::load(name).expect("built in");
        let topology = Topology::build(&system).expect("legal");
        let expected = describe(name);
        for text in [topology.to_graphml(&system), topology.to_node_link(&system).to_string()] {
            let read = SystemDescription::parse(&text).expect("ours");
            let found = SystemFigures::of(&read, &Topology::build(&read).expect("legal"));
            assert_eq!(
                (found.bisection_gbps, found.bisection_method),
                (expected.bisection_gbps, expected.bisection_method.clone()),
                "{name}"
            );
        }
    }
}

#[test]
fn links_of_two_generations_run_at_the_lesser_rate() {
    let mixed = describe("slingshot-mixed");
    // Of 15 pairs of groups, six are between second-generation switches.
    assert_eq!(mixed.global_gbps, 2.0 * 16.0 * (6.0 * 400.0 + 9.0 * 200.0));
    assert_eq!(mixed.local_gbps, 2.0 * 240.0 * (4.0 * 400.0 + 2.0 * 200.0));
    assert_eq!(mixed.injection_gbps, 512.0 * 400.0 + 1_024.0 * 200.0);
    let mut system = SystemDescription::load("slingshot-mixed").expect("built in");
    let kinds = &mut system.dragonfly.as_mut().expect("a dragonfly").groups;
    kinds[2].switch_rate_gbps = Some(f64::NAN);
    let error = Topology::build(&system).expect_err("not a rate").to_string();
    assert!(error.contains("run at NaN Gb/s"), "{error}");
}

#[test]
fn fabrics_are_counted_and_need_gateways() {
    let load = || SystemDescription::load("two-fabrics").expect("built in");
    let error = |change: fn(&mut philae_topology::GraphDescription)| {
        let mut system = load();
        change(system.graph.as_mut().expect("a graph"));
        Topology::build(&system).expect_err("not legal").to_string()
    };
    assert!(error(|graph| graph.fabrics = 1).contains("not connected"));
    let three = error(|graph| graph.fabrics = 3);
    assert!(three.contains("has 2 parts") && three.contains("`fabrics = 2` would work"), "{three}");
    let none = error(|graph| graph.endpoints.truncate(80));
    assert!(none.contains("no node has a NIC in fabric 0 and one in fabric 1"), "{none}");
}

#[test]
fn cable_lengths_are_the_published_ones() {
    let cables = describe("frontier").cables;
    let range = |role: &str| {
        let found = cables.iter().find(|cables| cables.role.name() == role).expect("every role");
        (found.length_m_min, found.length_m_max)
    };
    assert_eq!(range("local"), (0.75, 2.39));
    assert_eq!(range("global"), (5.0, 35.0));
    for built_in in systems() {
        for cables in describe(built_in.name).cables {
            let most = if cables.medium == Medium::Optical { 100.0 } else { 2.6 };
            assert!(cables.length_m_max <= most, "{}: {cables:?}", built_in.name);
        }
    }
}

#[test]
fn addresses_fit_all_but_the_largest() {
    for built_in in systems() {
        let addresses = describe(built_in.name).addresses;
        match built_in.name {
            "largest" => assert!(addresses.contains("545 groups do not fit 9 bits"), "{addresses}"),
            // Aries has 96 routers in a group; the format is Rosetta's.
            "crystal" => assert!(addresses.contains("switch"), "{addresses}"),
            name => assert_eq!(addresses, "all", "{name}"),
        }
    }
}

#[test]
fn a_description_is_json_with_the_promised_keys_first() {
    let json = serde_json::to_string(&describe("malbec")).expect("serialisable");
    let keys = ["name", "groups", "switches", "endpoints", "nodes", "links", "diameter_switch_hops", "bisection_gbps"];
    let keys = keys.into_iter().chain(["global_gbps", "taper"]).map(|key| json.find(&format!("\"{key}\":")));
    let places = keys.collect::<Option<Vec<_>>>().expect("every key is there");
    assert!(places.is_sorted(), "{json}");
}

#[test]
fn crystal_is_a_grid_with_balanced_optical_ports() {
    let topology = Topology::build(&SystemDescription::load("crystal").expect("built in")).expect("legal");
    let TopologyShape::Dragonfly(shape) = topology.shape() else { panic!("a dragonfly") };
    assert_eq!(shape.gateways(GroupId(0), GroupId(1)).len(), 384);
    let described = describe("crystal");
    assert_eq!(described.ports_by_role.global, 2 * 96 * 4, "four of the ten optical ports of every router");
    assert_eq!(described.cables.len(), 4, "edge, two media of local, global: {:?}", described.cables);
}
