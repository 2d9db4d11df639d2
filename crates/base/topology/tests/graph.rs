//! Any graph, from TOML, JSON and GraphML.

mod common;

use common::{assert_consistent, build};
use philae_topology::{
    GraphDescription, GraphEndpoint, GraphLink, SystemDescription, SystemFigures, Topology, TopologyGraph,
    TopologyShape,
};
use philae_units::{LinkRate, NodeId, PortIndex, SwitchId};
use proptest::prelude::*;

fn graph(topology: &Topology) -> &TopologyGraph {
    match topology.shape() {
        TopologyShape::Graph(graph) => graph,
        other => panic!("a graph was built, not {other:?}"),
    }
}

fn ring(switches: u32) -> GraphDescription {
    let links = (0..switches).map(|switch| [switch, (switch + 1) % switches]).collect::<Vec<_>>();
    GraphDescription::regular(switches, 1, &links)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn every_next_hop_of_any_connected_graph_is_nearer(
        switches in 2_u32..150, chords in proptest::collection::vec((0_u32..150, 0_u32..150), 0..40)
    ) {
        let mut wiring = GraphDescription::regular(switches, 1, &[]);
        wiring.links = (1..switches).map(|switch| GraphLink::new(switch / 2, switch)).collect();
        let chords = chords.into_iter().map(|(one, other)| (one % switches, other % switches));
        wiring.links.extend(chords.filter(|(one, other)| one != other).map(|(one, other)| GraphLink::new(one, other)));
        let topology = build(wiring);
        let shape = graph(&topology);
        for from in (0..switches).map(SwitchId) {
            for to in (0..switches).map(SwitchId) {
                prop_assert_eq!(shape.distance(from, to), shape.distance(to, from));
                prop_assert_eq!(shape.next(from, to).is_empty(), from == to);
                let nearer = |port: PortIndex| match topology.port(port).peer {
                    philae_topology::PortPeer::Port(other) => {
                        shape.distance(topology.switch_of(other), to) + 1 == shape.distance(from, to)
                    }
                    _ => false,
                };
                let all = topology.ports_of(from).map(|(port, _)| port).filter(|port| nearer(*port));
                prop_assert_eq!(shape.next(from, to), all.collect::<Vec<_>>());
            }
        }
    }
}

#[test]
fn a_ring_has_two_ways_and_a_known_bisection() {
    let system = SystemDescription::from(ring(8));
    let topology = build(system.clone());
    assert_eq!(graph(&topology).next(SwitchId(0), SwitchId(4)).len(), 2);
    let described = SystemFigures::of(&system, &topology);
    assert_eq!((described.diameter_switch_hops, described.bisection_gbps), (4, 2.0 * 200.0 * 2.0));
    assert!(described.bisection_method.starts_with("exact"));
    let system = SystemDescription::from(ring(40));
    let described = SystemFigures::of(&system, &build(system.clone()));
    assert_eq!((described.diameter_switch_hops, described.bisection_gbps), (20, 800.0));
    assert!(described.bisection_method.starts_with("upper bound"));
}

#[test]
fn ports_lengths_and_rates_of_a_file_are_kept() {
    let system = SystemDescription::parse(
        r#"
        name = "pair"
        radix = 8
        [graph]
        switches = 2
        links = [{ between = [0, 1], ports = [7, 0], length_m = 3, rate_gbps = 37.6 }, { between = [1, 0] }]
        endpoints = [{ switch = 0, node = 0 }, { switch = 1, node = 0, port = 5, rate_gbps = 100 }, { switch = 1 }]
        "#,
    )
    .expect("a description");
    let topology = Topology::build(&system).expect("legal");
    assert_consistent(&topology);
    assert_eq!(topology.rate(PortIndex(7)), LinkRate(37_600));
    assert_eq!(topology.cable(PortIndex(8)).length_mm, 3_000);
    assert_eq!(topology.endpoints_of(NodeId(0)), 0..2);
    assert_eq!(topology.rate(PortIndex(13)), LinkRate::from_gbps(100));
    assert_eq!(topology.rate(PortIndex(0)), LinkRate::from_gbps(200), "the first endpoint has the first free port");
}

#[test]
fn broken_graphs_are_refused_with_a_remedy() {
    let refusal = |wiring: GraphDescription| Topology::build(&wiring.into()).expect_err("broken").to_string();
    let mut wiring = ring(4);
    wiring.links.truncate(2);
    assert_eq!(
        refusal(wiring),
        "the graph is not connected: switch 0 cannot reach switch 3 (3 of 4 switches are reached); a link between the \
         parts would work"
    );
    let mut wiring = ring(4);
    wiring.links.push(GraphLink::new(2, 2));
    assert_eq!(refusal(wiring), "link 4 joins switch 2 to itself; two different switches would work");
    let mut wiring = ring(4);
    wiring.links[0].ports = Some([3, 3]);
    wiring.endpoints[1].port = Some(3);
    assert_eq!(refusal(wiring), "endpoint 1 is on port 3 of switch 1, which is taken; port 0 would work");
    let mut wiring = ring(4);
    wiring.endpoints.push(GraphEndpoint::on(4));
    assert_eq!(refusal(wiring), "endpoint 4 is on switch 4, the graph has switches 0 to 3; one of these would work");
    let mut wiring = ring(4);
    wiring.links[2].ports = Some([64, 0]);
    assert!(refusal(wiring).starts_with("link 2 is on port 64 of switch 2, but a switch has ports 0 to 63"));
    let mut wiring = ring(4);
    wiring.endpoints.extend((0..63).map(|_| GraphEndpoint::on(0)));
    assert!(refusal(wiring).contains("fewer links or a higher radix would work"));
    let mut wiring = ring(4);
    wiring.endpoints[2].node = Some(7);
    assert!(refusal(wiring).starts_with("endpoint 2 belongs to node 7, endpoint 1 to node 1"));
    assert!(refusal(GraphDescription::regular(20_001, 0, &[])).contains("up to 20000 would work"));
    let mut wiring = ring(4);
    wiring.links[2].length_m = Some(-3.0);
    let error = refusal(wiring.clone());
    assert!(
        error.starts_with("link 2 between the switches 2 and 3: the link cables are -3 m long; 0 to 2000 m"),
        "{error}"
    );
    wiring.links[2].length_m = Some(1e301);
    assert!(refusal(wiring.clone()).contains("the link cables are 1e301 m long"));
    wiring.links[2].length_m = None;
    wiring.link.length_m = -1.0;
    assert!(refusal(wiring.clone()).starts_with("the link cables are -1 m long"), "the cable of all links");
    wiring.link.length_m = 1.0;
    wiring.endpoints[3].rate_gbps = Some(1e12);
    let error = refusal(wiring);
    assert!(error.starts_with("endpoint 3 on switch 3: the edge links run at 1e12 Gb/s"), "{error}");
    let line = (1..300).map(|switch| [switch - 1, switch]).collect::<Vec<_>>();
    assert!(refusal(GraphDescription::regular(300, 0, &line)).contains("more than 254 hops apart"));
    assert!(refusal(GraphDescription::regular(0, 0, &[])).starts_with("the system has 0 switches"));
}

const GRAPHML: &str = r#"<?xml version="1.0"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
  <key id="d0" for="node" attr.name="kind" attr.type="string"/>
  <key id="d1" for="edge" attr.name="rate_gbps" attr.type="double"/>
  <key id="d2" for="node" attr.name="node" attr.type="string"/>
  <graph id="triangle" edgedefault="undirected">
    <node id="a"/><node id="b"/>
    <node id="c"><data key="d0">switch</data></node>
    <node id="h0"><data key="d0">endpoint</data><data key="d2">n</data></node>
    <node id="h1"><data key="d0">host</data></node>
    <node id="h2"><data key="d0">host</data><data key="d2">n</data></node>
    <edge source="a" target="b"><data key="d1">400</data></edge>
    <edge source="b" target="c"/><edge source="c" target="a"/>
    <edge source="h0" target="a"/><edge source="b" target="h1"/><edge source="h2" target="c"/>
  </graph>
</graphml>"#;

#[test]
fn graphml_is_read() {
    let system = SystemDescription::parse(GRAPHML).expect("GraphML");
    assert_eq!(system.name, "triangle");
    let topology = Topology::build(&system).expect("legal");
    assert_consistent(&topology);
    assert_eq!((topology.switch_count(), topology.endpoint_count(), topology.node_count()), (3, 3, 2));
    assert_eq!(topology.endpoints_of(NodeId(0)), 0..2, "h0 and h2 are NICs of one node");
    let first = graph(&topology).next(SwitchId(0), SwitchId(1));
    assert_eq!(topology.rate(first[0]), LinkRate::from_gbps(400));
}

#[test]
fn broken_graphml_is_refused_with_a_remedy() {
    let refusal = |from: &str, to: &str| {
        let text = GRAPHML.replace(from, to);
        assert_ne!(text, GRAPHML);
        SystemDescription::parse(&text).expect_err("broken").to_string()
    };
    assert!(
        refusal(">switch<", ">router<").contains("node 'c' is of kind 'router'; switch, endpoint or host would work")
    );
    assert!(refusal(r#"target="h1""#, r#"target="h9""#).contains("'h9', which is not a node"));
    assert!(refusal(r#"source="h0" target="a""#, r#"source="h2" target="a""#).contains("'h2' has two edges"));
    assert!(refusal(r#"<node id="b"/>"#, r#"<node id="a"/>"#).contains("two nodes have the id 'a'"));
    assert!(refusal(">400<", ">fast<").contains("rate_gbps of edge 0 is 'fast'"));
    assert!(refusal("</graph>", "</grap>").contains("(GraphML): line"));
    assert!(SystemDescription::parse("<html></html>").expect_err("not GraphML").to_string().contains("<graphml>"));
}

#[test]
fn a_topology_written_as_graphml_reads_back_with_the_same_wiring() {
    for description in [
        SystemDescription::from(ring(5)),
        philae_topology::DragonflyDescription::uniform(3, 4, 2, 1).into(),
        SystemDescription::parse(
            philae_topology::systems().iter().find(|system| system.name == "crystal").expect("built in").text,
        )
        .expect("a built-in system"),
    ] {
        let topology = build(description.clone());
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("export.graphml");
        std::fs::write(&path, topology.to_graphml(&description)).expect("a temporary file");
        let read = SystemDescription::load(&path.to_string_lossy()).expect("our own GraphML");
        let again = build(read);
        assert_eq!((again.name(), again.links()), (topology.name(), topology.links()));
        assert_eq!((again.node_count(), again.endpoint_count()), (topology.node_count(), topology.endpoint_count()));
        let wires = |topology: &Topology| -> Vec<Vec<(u8, philae_topology::PortPeer)>> {
            let of = |switch| {
                let used = topology
                    .ports_of(SwitchId(switch))
                    .filter(|(_, port)| port.peer != philae_topology::PortPeer::None);
                let peer = |peer| match peer {
                    // Switches of another radix have other port numbers: compare switch and port.
                    philae_topology::PortPeer::Port(other) => {
                        let place = topology.switch_of(other).0 * 1_000 + u32::from(topology.port_of(other).0);
                        philae_topology::PortPeer::Port(PortIndex(place))
                    }
                    other => other,
                };
                used.map(|(port, found)| (topology.port_of(port).0, peer(found.peer))).collect()
            };
            (0..topology.switch_count() as u32).map(of).collect()
        };
        assert_eq!(wires(&again), wires(&topology), "{}", topology.name());
        let json = topology.to_node_link(&description);
        assert_eq!(json["nodes"].as_array().map(Vec::len), Some(topology.switch_count() + topology.endpoint_count()));
        let links = topology.links();
        assert_eq!(json["links"].as_array().map(Vec::len), Some((links.edge + links.local + links.global) as usize));
    }
}

#[test]
fn what_is_written_of_the_largest_system_reads_back() {
    let description = SystemDescription::load("largest").expect("built in");
    let topology = build(description.clone());
    assert_eq!(topology.graph_limit(), None);
    let read = SystemDescription::parse(&topology.to_graphml(&description)).expect("our own GraphML");
    let as_json = SystemDescription::parse(&topology.to_node_link(&description).to_string()).expect("our own JSON");
    assert!(read.graph == as_json.graph, "both forms have the same wiring");
    drop(as_json);
    let again = build(read);
    assert_eq!((again.links(), again.node_count()), (topology.links(), topology.node_count()));
    let shape = graph(&again);
    // Of a dragonfly with one link between each two groups: a local, a global and a local hop.
    for (from, to, hops) in [(0, 0, 0), (0, 31, 1), (17_439, 17_408, 1)] {
        assert_eq!(shape.distance(SwitchId(from), SwitchId(to)), hops, "{from} {to}");
    }
    let far = (0..17_440).step_by(97).map(|to| shape.distance(SwitchId(5), SwitchId(to))).max();
    assert_eq!(far, Some(3));
    let of_pair = again.memory_bytes() as f64 / topology.switch_count().pow(2) as f64;
    // A list for each pair would take 13: a distance, an offset, and two next hops on average.
    assert!(of_pair < 13.0, "{of_pair} bytes a pair of switches");
    println!("{of_pair:.2} bytes a pair of switches");
}

#[test]
fn a_system_that_is_too_large_for_a_graph_says_so_when_it_is_written() {
    let mut system = SystemDescription::from(philae_topology::DragonflyDescription::uniform(1_200, 20, 1, 1));
    system.radix = 256;
    let topology = build(system);
    let said = topology.graph_limit().expect("24,000 switches");
    assert_eq!(
        said,
        "the graph has 24,000 switches, and Philae reads graphs of up to 20000: other programs can use it"
    );
}
