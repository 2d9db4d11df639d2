//! Graphs of other tools: the forms that networkx, igraph, Gephi and yEd write, and errors and
//! unused data in them.

mod common;

use common::{assert_consistent, build};
use philae_topology::{PortPeer, PortRole, SystemDescription, SystemFigures, Topology};
use philae_units::{LinkRate, NodeId, PortIndex, SwitchId};
use proptest::prelude::*;

/// Two switches with two links, one of them global, and two nodes of two NICs.
const PAIR: &str = r#"
    name = "pair & four"
    [graph]
    switches = 2
    links = [
        { between = [0, 1], ports = [9, 8], rate_gbps = 37.6, global = true },
        { between = [0, 1], rate_gbps = 100 },
    ]
    endpoints = [
        { switch = 0, node = 0, port = 3, rate_gbps = 100 }, { switch = 0, node = 0, rate_gbps = 100 },
        { switch = 1, node = 1, rate_gbps = 100 }, { switch = 1, node = 1, rate_gbps = 100 },
    ]
    "#;

const FORMS: [(&str, &str); 6] = [
    ("networkx", include_str!("forms/networkx.graphml")),
    ("igraph", include_str!("forms/igraph.graphml")),
    ("Gephi, GraphML", include_str!("forms/gephi.graphml")),
    ("Gephi, GEXF", include_str!("forms/gephi.gexf")),
    ("yEd", include_str!("forms/yed.graphml")),
    ("networkx, JSON", include_str!("forms/networkx.json")),
];

fn read(text: &str) -> SystemDescription {
    SystemDescription::parse(text).unwrap_or_else(|error| panic!("{error}"))
}

fn refusal(text: &str) -> String {
    SystemDescription::parse(text).expect_err("broken").to_string()
}

/// Every cabled port: switch, number, role, rate, and the device at the other end.
fn wires(topology: &Topology) -> Vec<(u32, u8, PortRole, LinkRate, String)> {
    let of = |switch: SwitchId| {
        topology.ports_of(switch).filter(|(_, port)| port.peer != PortPeer::None).map(move |(at, port)| {
            let far = match port.peer {
                PortPeer::Port(far) => format!("switch {} port {}", topology.switch_of(far).0, topology.port_of(far).0),
                PortPeer::Endpoint(nic) => format!("{:?}", topology.endpoint(nic).node),
                PortPeer::None => String::new(),
            };
            (switch.0, topology.port_of(at).0, port.role, topology.rate(at), far)
        })
    };
    (0..topology.switch_count()).map(SwitchId::from_index).flat_map(of).collect()
}

#[test]
fn what_tools_write_is_the_same_system() {
    let expected = build(read(PAIR));
    for (tool, text) in FORMS {
        let system = read(text);
        assert_eq!(system.name, "pair & four", "{tool}");
        let topology = build(system);
        assert_consistent(&topology);
        assert_eq!(wires(&topology), wires(&expected), "{tool}");
        assert_eq!((topology.links().global, topology.node_count()), (1, 2), "{tool}");
    }
}

#[test]
fn drawings_and_notes_of_tools_are_no_warning() {
    for (tool, text) in FORMS {
        assert_eq!(read(text).warnings, [""; 0], "{tool}");
    }
    // networkx numbers the edges of a multigraph in GEXF in this way.
    let gexf = FORMS[3].1.replace("title=\"global\"", "title=\"networkx_key\"");
    assert!(gexf.contains("networkx_key"));
    assert_eq!(read(&gexf).warnings, [""; 0]);
    // igraph writes the ids that it read as data.
    let labels = read(FORMS[1].1).labels;
    assert_eq!((labels.switches, labels.nics[0].as_str()), (vec!["left".to_owned(), "right".to_owned()], "e0"));
}

#[test]
fn data_of_the_wrong_type_is_an_error_and_an_empty_one_is_absent() {
    let json = |graph: &str, node: &str, edge: &str| {
        format!(
            r#"{{"graph": {graph}, "nodes": [{{"id": "s0"{node}}}, {{"id": "s1"}}],
            "edges": [{{"source": "s0", "target": "s1"{edge}}}]}}"#
        )
    };
    for (graph, node, edge, said) in [
        (
            "{}",
            r#", "endpoints": [4]"#,
            "",
            "endpoints of node 's0' is [4]; one value (a number, of a switch) would work",
        ),
        ("{}", "", r#", "rate_gbps": {"up": 1}"#, "rate_gbps of edge 0 is {\"up\":1}; one value (Gb/s) would work"),
        (r#"{"radix": [64]}"#, "", "", "radix of the graph is [64]; one value (ports of a switch) would work"),
        ("7", "", "", "`graph` is 7; an object of data by name would work"),
        (r#"{"node_default": [1]}"#, "", "", "`node_default` is [1]; an object of data by name would work"),
    ] {
        let error = refusal(&json(graph, node, edge));
        assert!(error.contains(said), "{error}");
    }
    let error = refusal(&json("[]", "", "").replacen('{', "{\"name\": [1], ", 1));
    assert!(error.contains("name of the document is [1]; one value (text) would work"), "{error}");
    let xml = format!(r#"<node id="s2"><data key="k"><b/></data></node><edge source="s0" target="s1"/>{HOSTS}"#);
    let error = refusal(&tiny("", UNDIRECTED, &xml));
    assert!(
        error.contains("kind of node 's2' is an element; one value (switch, endpoint or host) would work"),
        "{error}"
    );
    // igraph writes an empty text for a switch that has no `node`.
    assert_eq!(read(&json("[]", r#", "node": "", "label": "", "other": """#, "")).warnings, [""; 0]);
    let warnings = read(&json("{}", r#", "node": "n""#, "")).warnings;
    assert_eq!(warnings, ["`node` of 1 node is not used: only endpoints have it"]);
}

#[test]
fn groups_are_said_only_if_there_are_several_and_come_back() {
    let json = |other: u32| {
        format!(
            r#"{{"nodes": [{{"id": "s0", "group": 3}}, {{"id": "s1", "group": {other}}}, {{"id": "h", "kind": "host"}}],
            "edges": [{{"source": "s0", "target": "s1"}}, {{"source": "s0", "target": "h"}}]}}"#
        )
    };
    assert_eq!(read(&json(3)).warnings, [""; 0]);
    let system = read(&json(5));
    assert_eq!(
        system.warnings,
        ["`group` of 2 nodes only serves the bisection: a graph is one group, also for routing"]
    );
    let again = read(&build(system.clone()).to_graphml(&system));
    assert_eq!((&again.labels.groups, &again.labels.groups), (&system.labels.groups, &vec![0, 1]));
}

/// A graph of two switches with a host each; the arguments are inserted at the marks.
fn tiny(keys: &str, edge_default: &str, links: &str) -> String {
    format!(
        r#"<?xml version="1.0"?><graphml xmlns="http://graphml.graphdrawing.org/xmlns">
<key id="k" for="node" attr.name="kind" attr.type="string"/>
<key id="r" for="edge" attr.name="rate_gbps" attr.type="double"/>
<key id="length_m" for="edge" attr.name="length_m" attr.type="double"/>
<key id="p" for="edge" attr.name="source_port" attr.type="int"/>
<key id="q" for="edge" attr.name="target_port" attr.type="int"/>
<key id="g" for="edge" attr.name="global" attr.type="boolean"/>
{keys}
<graph id="G" {edge_default}>
<node id="s0"/><node id="s1"/><node id="h0"><data key="k">host</data></node><node id="h1"><data key="k">host</data></node>
{links}
</graph></graphml>"#
    )
}

const DIRECTED: &str = r#"edgedefault="directed""#;
const UNDIRECTED: &str = r#"edgedefault="undirected""#;
const HOSTS: &str = r#"<edge source="h0" target="s0"/><edge source="h1" target="s1"/>"#;

/// Links between switches and warnings of a tiny graph.
fn links(edge_default: &str, edges: &str) -> Result<(usize, Vec<String>), String> {
    let system = SystemDescription::parse(&tiny("", edge_default, &format!("{edges}{HOSTS}")));
    let system = system.map_err(|error| error.to_string())?;
    let topology = build(system.clone());
    Ok(((topology.links().local + topology.links().global) as usize, system.warnings))
}

#[test]
fn opposite_directed_edges_are_one_link() {
    let both = r#"<edge source="s0" target="s1"><data key="r">10</data></edge><edge source="s1" target="s0"/>"#;
    let (count, warnings) = links(DIRECTED, both).expect("one link");
    assert_eq!(count, 1);
    assert_eq!(
        warnings,
        ["the edges are directed: two opposite ones are one link, so is each of 2 without an opposite, and a \
          link carries both directions"]
    );
    // Where every edge has its opposite, nothing is left to say.
    let hosts = HOSTS.to_owned() + r#"<edge source="s0" target="h0"/><edge source="s1" target="h1"/>"#;
    let symmetrical = read(&tiny("", DIRECTED, &format!("{both}{hosts}")));
    assert_eq!((symmetrical.warnings.as_slice(), build(symmetrical.clone()).links().local), (&[][..], 1));
    let topology = build(read(&tiny("", DIRECTED, &format!("{both}{HOSTS}"))));
    let between = wires(&topology).into_iter().filter(|wire| wire.2 == PortRole::Local);
    assert_eq!(
        between.map(|wire| wire.3).collect::<Vec<_>>(),
        [LinkRate::from_gbps(10); 2],
        "one direction has the rate"
    );
    // Each undirected edge is a link, whatever its direction in the file; an edge may override its
    // graph's default.
    assert_eq!(links(UNDIRECTED, both).expect("two links"), (2, vec![]));
    let own = both.replace("<edge ", "<edge directed=\"true\" ");
    assert_eq!(links(UNDIRECTED, &own).expect("one link").0, 1);
    let ports = |forth: [u8; 2], back: [u8; 2]| {
        let edge = |from: &str, to: &str, [p, q]: [u8; 2]| {
            format!(r#"<edge source="{from}" target="{to}"><data key="p">{p}</data><data key="q">{q}</data></edge>"#)
        };
        edge("s0", "s1", forth) + &edge("s1", "s0", back)
    };
    assert_eq!(links(DIRECTED, &ports([4, 7], [7, 4])).expect("mirrored").0, 1);
    let copied = links(DIRECTED, &ports([4, 7], [4, 7])).expect_err("not mirrored");
    assert!(copied.contains("edge 0 leads from port 4 of 's0' to port 7 of 's1', and no edge leads back"), "{copied}");
    let two = ports([4, 7], [8, 5]) + &ports([5, 8], [7, 4]);
    assert_eq!(links(DIRECTED, &two).expect("two links").0, 2);
    let rates = both.replace(r#"target="s0"/>"#, r#"target="s0"><data key="r">20</data></edge>"#);
    let differ = links(DIRECTED, &rates).expect_err("two rates");
    assert!(
        differ.contains("edges 0 and 1 are the two directions of the link of 's0' and 's1', with rate_gbps 10 and 20")
    );
    let same = both.replace(r#"target="s0"/>"#, r#"target="s0"><data key="r">10.0</data></edge>"#);
    assert_eq!(links(DIRECTED, &same).expect("the same rate").0, 1);
    let three = format!(r#"{both}<edge source="s0" target="s1"/>"#);
    let uneven = links(DIRECTED, &three).expect_err("two there, one back");
    assert!(uneven.contains("2 directed edges lead from 's0' to 's1' and 1 back"), "{uneven}");
    let hosts = HOSTS.replace(r#""/>"#, r#""/><edge source="s0" target="h0"/>"#);
    let text = tiny("", DIRECTED, &(both.to_owned() + HOSTS + r#"<edge source="s0" target="h0"/>"#));
    assert_eq!(build(read(&text)).endpoint_count(), 2, "{hosts}");
}

#[test]
fn defaults_of_keys_are_values() {
    let keys = r#"<key id="l" for="edge" attr.name="length_m" attr.type="double"><default>7.5</default></key>"#;
    let edge = r#"<edge source="s0" target="s1"><data key="l">3</data></edge>"#;
    let topology = build(read(&tiny(keys, UNDIRECTED, &format!("{edge}{HOSTS}"))));
    let length = |role| {
        let of = |port: &(PortIndex, philae_topology::Port)| port.1.role == role;
        let port = topology.ports_of(SwitchId(0)).find(of).expect("a port").0;
        topology.cable(port).length_mm
    };
    assert_eq!((length(PortRole::Local), length(PortRole::Edge)), (3_000, 7_500));
    let flag = r#"<key id="x" for="edge" attr.name="global" attr.type="boolean"><default>True</default></key>"#;
    let text = tiny(flag, UNDIRECTED, &format!(r#"<edge source="s0" target="s1"/>{HOSTS}"#))
        .replace(r#"<key id="g" for="edge" attr.name="global" attr.type="boolean"/>"#, "");
    assert_eq!(build(read(&text)).links().global, 1);
    // networkx keeps defaults next to the graph.
    let json = r#"{"graph": {"edge_default": {"global": true, "rate_gbps": 100}, "node_default": {}},
        "nodes": [{"id": 0}, {"id": 1}], "links": [{"source": 0, "target": 1}]}"#;
    let topology = build(read(json));
    assert_eq!((topology.links().global, topology.rate(PortIndex(0))), (1, LinkRate::from_gbps(100)));
    // A default of a key for nodes does not apply to edges, and one without a use is named.
    let other = r#"<key id="l" for="node" attr.name="length_m"><default>7.5</default></key>"#;
    let system = read(&tiny(other, UNDIRECTED, &format!(r#"<edge source="s0" target="s1"/>{HOSTS}"#)));
    assert_eq!(system.warnings, ["of nodes, `length_m` is not used; used are kind, node, nic, endpoints, label, name"]);
}

#[test]
fn data_without_a_use_is_named_with_what_would_work() {
    let keys = r#"<key id="a" for="edge" attr.name="rate_gbits"/><key id="b" for="edge" attr.name="LinkSpeedRaw"/>
        <key id="c" for="node" attr.name="group"/><key id="d" for="edge" attr.name="Global"/>
        <key id="e" for="node" attr.name="node_type"/><key id="f" for="graph" attr.name="license"/>
        <key id="unused" for="edge" attr.name="never"/>"#;
    let edges = format!(
        r#"<data key="f">none</data><node id="s2" role="leaf"><data key="c">1</data><data key="e">leaf</data></node>
        <edge source="s0" target="s2"><data key="a">10</data><data key="b">1e10</data><data key="d">1</data></edge>
        <edge source="s1" target="s2" sourceport="4"><data key="mystery">1</data></edge><vertex id="v"/>{HOSTS}"#
    );
    let system = read(&tiny(keys, UNDIRECTED, &edges));
    let expected = [
        "`attribute role` of 1 node is not used; `kind` (switch, endpoint or host) would be",
        "`group` of 1 node only serves the bisection: a graph is one group, also for routing",
        "`node_type` of 1 node is not used; `kind` (switch, endpoint or host) would be",
        "`Global` of 1 edge is not used; did you mean `global` (true or false)?",
        "`LinkSpeedRaw` of 1 edge is not used; `rate_gbps` (Gb/s) would be",
        "`attribute sourceport` of 1 edge is not used; did you mean `source_port` (a number)?",
        "`rate_gbits` of 1 edge is not used; did you mean `rate_gbps` (Gb/s)?",
    ];
    let (told, rest) = system.warnings.split_at(expected.len());
    assert_eq!(told, expected);
    assert!(
        rest[0].starts_with("of graph, `<vertex>`, `license` are not used") || rest[0].starts_with("of the graph, ")
    );
    assert!(rest[1].starts_with("of edges, `mystery` is not used"), "{rest:?}");
    assert_eq!(rest.len(), 2);
    // `assumed` has what the file does not say.
    let assumed: Vec<String> = system.assumed.iter().map(|found| format!("{}: {}", found.key, found.value)).collect();
    assert_eq!(
        assumed,
        [
            "switch, nic, congestion: rosetta, cassini-1, slingshot",
            "rate_gbps of 2 links between switches: 200 Gb/s",
            "length_m of 2 links between switches: 20 m",
            "rate_gbps of 2 links of endpoints: 200 Gb/s",
            "length_m of 2 links of endpoints: 2 m",
        ]
    );
    let described = SystemFigures::of(&system, &build(system.clone()));
    assert_eq!(described.warnings, system.warnings);
}

#[test]
fn every_form_of_a_value_is_taken_or_refused_by_name() {
    let with = |data: &str| {
        let edge = format!(r#"<edge source="s0" target="s1">{data}</edge>{HOSTS}"#);
        SystemDescription::parse(&tiny("", UNDIRECTED, &edge)).map(build).map_err(|error| error.to_string())
    };
    for global in ["true", "True", "TRUE", " true ", "1", "1.0", "<![CDATA[true]]>", "tr<!-- -->ue", "&#116;rue"] {
        let built = with(&format!(r#"<data key="g">{global}</data>"#)).expect("a flag");
        assert_eq!(built.links().global, 1, "{global}");
    }
    for local in ["false", "False", "0", "0.0", ""] {
        assert_eq!(with(&format!(r#"<data key="g">{local}</data>"#)).expect("a flag").links().global, 0, "{local}");
    }
    let wrong = |key: &str, value: &str| with(&format!(r#"<data key="{key}">{value}</data>"#)).expect_err("wrong");
    assert!(wrong("g", "maybe").contains("global of edge 0 is 'maybe'; true or false would work"));
    assert!(
        wrong("r", "100 Gb/s")
            .contains("rate_gbps of edge 0 is '100 Gb/s'; a number of Gb/s from 0.001 to 4000 would work")
    );
    assert!(wrong("r", "37,6").contains("rate_gbps of edge 0 is '37,6'"));
    for rate in ["0", "-1", "4000.1", "1e300"] {
        assert!(wrong("r", rate).contains(&format!("rate_gbps of edge 0 is '{rate}'; a number of")), "{rate}");
    }
    for length in ["-3", "2000.5", &"9".repeat(301)] {
        let error = wrong("length_m", length);
        let expected = format!("length_m of edge 0 is '{length}'; a number of metres from 0 to 2000 would work");
        assert!(error.contains(&expected), "{error}");
    }
    assert!(wrong("p", "4.5").contains("source_port of edge 0 is '4.5'; the number of a port, 0 to 255, would work"));
    assert!(wrong("p", "256").contains("source_port of edge 0 is '256'"));
    assert!(wrong("p", "4").contains("edge 0 has one of source_port and target_port; both or none would work"));
    assert!(wrong("g", "&nbsp;").contains("the entity '&nbsp;' is not known"));
    let twice = with(r#"<data key="r">100</data><data key="r">200</data>"#).expect_err("two values");
    assert!(twice.contains("edge 0 has `rate_gbps` twice, as '100' and '200'; once would work"), "{twice}");
    let one = with(r#"<data key="p">4.0</data><data key="q">5e0</data><data key="r">100.0</data>"#).expect("numbers");
    assert_eq!(one.rate(PortIndex(4)), LinkRate::from_gbps(100));
}

#[test]
fn data_at_the_wrong_end_of_an_endpoint_is_named() {
    let data = r#"<data key="p">0</data><data key="q">5</data><data key="g">True</data></edge>"#;
    let edges = HOSTS.replacen("/>", &format!(">{data}"), 1);
    let system = read(&tiny("", UNDIRECTED, &format!(r#"<edge source="s0" target="s1"/>{edges}"#)));
    assert_eq!(
        system.warnings,
        [
            "the port at the endpoint's end of 1 link is not used: an endpoint has one",
            "`global` of 1 link to an endpoint is not used: only links between switches are",
        ]
    );
    let topology = build(system);
    assert_eq!(topology.port(PortIndex(5)).role, PortRole::Edge);
}

#[test]
fn what_is_no_graph_of_links_is_refused_with_a_remedy() {
    let edge = r#"<edge source="s0" target="s1"/>"#;
    let text = tiny("", UNDIRECTED, &format!("{edge}{HOSTS}"));
    let broken = |from: &str, to: &str| {
        assert!(text.contains(from), "{from}");
        refusal(&text.replacen(from, to, 1))
    };
    for (from, to, expected) in [
        (edge, r#"<edge source="s0" target="s0"/>"#, "edge 0 joins 's0' to itself; two different nodes would work"),
        (edge, r#"<edge source="s0"/>"#, "edge 0 has no `target`; the id of a node there would work"),
        (edge, r#"<edge Source="s0" target="s1"/>"#, "edge 0 has no `source`"),
        (edge, r#"<edge source="h0" target="h1"/>"#, "edge 0 joins 'h0' and 'h1', two endpoints"),
        (edge, r#"<edge source="s0" target="s1" directed="both"/>"#, "`directed` of edge 0 is 'both'"),
        (edge, r#"<hyperedge><endpoint node="s0"/></hyperedge>"#, "a <hyperedge> joins any number of nodes; edges"),
        (
            r#"<node id="s0"/>"#,
            r#"<node id="s0"><graph/></node>"#,
            "a graph within a node or an edge (in yEd, a group)",
        ),
        (r#"<node id="s0"/>"#, "<node/>", "node 0 has no `id`"),
        (
            r#"<node id="s0"/>"#,
            r#"<node id="s0"><data key="endpoints">4000000000</data></node>"#,
            "endpoints of node 's0' is '4000000000'; a whole number up to 256 would work",
        ),
        (UNDIRECTED, r#"edgedefault="Directed""#, "edgedefault is 'Directed'; directed or undirected would work"),
        ("</graph>", "</graph><graph/>", "a second <graph>; one graph in a file would work"),
        (r#"id="r" for="edge""#, r#"id="r" for="Edge""#, "key 'r' is for 'Edge'; node, edge, graph or all would work"),
        (r#"id="r" for="edge""#, r#"id="p" for="edge""#, "two keys have the id 'p'"),
        ("</graph></graphml>", "", "the document ends within an element"),
        ("<graphml", "<svg", "the document is <svg>; <graphml> or <gexf> would work"),
    ] {
        let error = broken(from, to);
        assert!(error.contains(expected) && error.contains("(GraphML): "), "{error}");
    }
    // The same id for data of nodes and of edges is legal, if unusual.
    let shared = text.replace(r#"id="r" for="edge""#, r#"id="k" for="edge""#);
    assert_eq!(read(&shared).warnings, Vec::<String>::new());
    let uncabled = broken(r#"<edge source="h1" target="s1"/>"#, "");
    assert!(uncabled.contains("endpoint 'h1' has no edge; one, to its switch, would work"), "{uncabled}");
    for (text, expected) in [
        ("graph [ directed 0 ]", "GML"),
        ("Creator \"x\"\ngraph\n[\n", "GML"),
        ("graph g { a -- b; }", "DOT"),
        ("digraph {\n a -> b\n}", "DOT"),
        ("*Vertices 2\n1 \"a\"\n", "Pajek"),
        ("9.216\n9.0\n", "not a file that describes a system"),
    ] {
        let error = refusal(text);
        assert!(error.contains(&format!("it looks like {expected}")) && error.contains("would work"), "{error}");
    }
    assert!(refusal("name = \"x\"\nradix = \n").contains("TOML parse error at line 2"));
    assert!(refusal(r#"{"nodes": [{"id": "a"}], "links": [{"source": "a"}]}"#).contains("edge 0 has no `target`"));
    assert!(
        refusal(r#"{"nodes": [], "links": [], "edges": []}"#).contains("`edges` and `links`; one of them would work")
    );
}

#[test]
fn endpoints_can_be_counted_per_switch() {
    let counted = |keys: &str, graph: &str| {
        let text = format!(
            r#"<graphml>{keys}<graph edgedefault="undirected">{graph}<node id="a"/><node id="b"><data key="own">3</data></node>
            <edge source="a" target="b"/></graph></graphml>"#
        );
        let system = read(&text);
        assert_eq!(system.warnings, Vec::<String>::new());
        build(system)
    };
    let each = r#"<key id="n" for="graph" attr.name="endpoints_per_switch"/>"#;
    let own = r#"<key id="own" for="node" attr.name="endpoints"/>"#;
    let topology = counted(&format!("{each}{own}"), r#"<data key="n">2</data>"#);
    assert_eq!((topology.endpoint_count(), topology.node_count()), (5, 5));
    let bare = read(r#"<graphml><graph><node id="a"/><node id="b"/><edge source="a" target="b"/></graph></graphml>"#);
    let described = SystemFigures::of(&bare, &build(bare.clone()));
    assert_eq!(described.endpoints, 0);
    assert!(described.warnings.iter().any(|warning| warning.contains("no endpoints, so no job can run on it")));
    let system = read(
        "name = \"ring\"\n[graph]\nswitches = 3\nlinks = [{ between = [0, 1] }, { between = [1, 2] }, \
        { between = [2, 0] }]\nendpoints = [{ switch = 1 }]\nendpoints_per_switch = 4\n",
    );
    let topology = build(system);
    assert_eq!((topology.endpoint_count(), topology.node_count()), (13, 13));
    assert_eq!(topology.endpoints_of(NodeId(12)), 12..13);
    let crowded = "name = \"x\"\nradix = 4\n[graph]\nswitches = 1\nlinks = []\nendpoints_per_switch = 5\n";
    let error = Topology::build(&read(crowded)).expect_err("five on four ports").to_string();
    assert!(error.starts_with("endpoint 4 is on port 4 of switch 0"), "{error}");
}

#[test]
fn a_count_of_endpoints_agrees_with_the_endpoints_of_the_file() {
    let graphml = |count: &str| {
        format!(
            r#"<graphml><key id="c" for="node" attr.name="endpoints"/><key id="k" for="node" attr.name="kind"/>
            <graph edgedefault="undirected"><node id="a"><data key="c">{count}</data></node><node id="b"/>
            <node id="h1"><data key="k">endpoint</data></node><node id="h2"><data key="k">endpoint</data></node>
            <edge source="a" target="b"/><edge source="a" target="h1"/><edge source="h2" target="a"/></graph></graphml>"#
        )
    };
    let json = |count: &str| {
        format!(
            r#"{{"directed": false, "multigraph": false, "graph": {{}}, "nodes": [{{"id": "a", "endpoints": {count}}}, {{"id": "b"}},
            {{"id": "h1", "kind": "endpoint"}}, {{"id": "h2", "kind": "endpoint"}}], "links": [{{"source": "a", "target": "b"}},
            {{"source": "a", "target": "h1"}}, {{"source": "h2", "target": "a"}}]}}"#
        )
    };
    let gexf = |count: &str| {
        format!(
            r#"<gexf version="1.3"><graph defaultedgetype="undirected"><attributes class="node"><attribute id="c" title="endpoints" type="integer"/>
            <attribute id="k" title="kind" type="string"/></attributes><nodes><node id="a"><attvalues><attvalue for="c" value="{count}"/></attvalues></node>
            <node id="b"/><node id="h1"><attvalues><attvalue for="k" value="endpoint"/></attvalues></node>
            <node id="h2"><attvalues><attvalue for="k" value="endpoint"/></attvalues></node></nodes><edges>
            <edge id="0" source="a" target="b"/><edge id="1" source="a" target="h1"/><edge id="2" source="h2" target="a"/></edges></graph></gexf>"#
        )
    };
    let error = "switch 'a' has 3 as its data `endpoints`, and 2 endpoints with an edge to it ('h1', 'h2'); either of the two \
                 alone, or the same number, would work";
    for text in [&graphml as &dyn Fn(&str) -> String, &json, &gexf] {
        for agreed in ["2", "2.0", "0"] {
            assert_eq!(build(read(&text(agreed))).endpoint_count(), 2, "{}", text(agreed));
        }
        assert!(refusal(&text("3")).contains(error), "{}", refusal(&text("3")));
        assert!(
            refusal(&text("1")).contains("has 1 as its data `endpoints`, and 2 endpoints"),
            "{}",
            refusal(&text("1"))
        );
    }
}

#[test]
fn more_kinds_of_cable_or_nics_than_can_be_numbered_are_an_error() {
    let links: String =
        (0..70_000).map(|at| format!("{{ between = [0, 1], length_m = {} }},\n", f64::from(at) / 1e3)).collect();
    let system = read(&format!("name = \"x\"\nradix = 256\n[graph]\nswitches = 2\nlinks = [{links}]\n"));
    let error = Topology::build(&system).expect_err("too many").to_string();
    assert!(error.contains("port 256 of switch 0"), "{error}");
    let links: String = (0..70_000)
        .map(|at| format!("{{ between = [{}, {}], length_m = {} }},\n", at % 700, (at + 1) % 700, f64::from(at) / 1e3))
        .collect();
    let system = read(&format!("name = \"x\"\nradix = 256\n[graph]\nswitches = 700\nlinks = [{links}]\n"));
    let error = Topology::build(&system).expect_err("too many").to_string();
    assert!(error.starts_with("the cables are of more than 65536 kinds"), "{error}");
    let nics: String = (0..257).map(|at| format!("{{ switch = {}, node = 0 }},", at % 2)).collect();
    let system = read(&format!(
        "name = \"x\"\nradix = 256\n[graph]\nswitches = 2\nlinks = [{{ between = [0, 1] }}]\nendpoints = [{nics}]\n"
    ));
    let error = Topology::build(&system).expect_err("too many").to_string();
    assert_eq!(error, "node 0 has 257 NICs; up to 256 would work");
}

#[test]
fn what_is_exported_reads_back_with_parts_and_fabrics() {
    for name in ["malbec", "two-fabrics", "slingshot400-fat-tree", "crystal"] {
        let text = philae_topology::systems().iter().find(|system| system.name == name).expect("built in").text;
        let system = read(text);
        let topology = build(system.clone());
        let json = topology.to_node_link(&system).to_string();
        assert!(!json.contains("null"), "networkx cannot write a null");
        for exported in [topology.to_graphml(&system), json] {
            let again = read(&exported);
            assert_eq!((&again.name, &again.switch, &again.nic), (&system.name, &system.switch, &system.nic));
            assert_eq!(
                (&again.congestion, again.radix, &again.summary),
                (&system.congestion, system.radix, &system.summary)
            );
            // A graph only lacks groups; no figure is assumed.
            let lost = format!(
                "`group` of {} nodes only serves the bisection: a graph is one group, also for routing",
                topology.switch_count()
            );
            let lost: Vec<String> = (topology.group_count() > 1).then_some(lost).into_iter().collect();
            assert_eq!(again.warnings, lost, "{name}");
            assert!(again.assumed.is_empty(), "{:?}", again.assumed);
            let built = build(again);
            assert_eq!(wires(&built), wires(&topology), "{name}");
            let media = |topology: &Topology| {
                let ports = (0..topology.port_count()).map(PortIndex::from_index);
                let cabled = ports.filter(|&port| topology.port(port).role != PortRole::Unused);
                cabled.map(|port| (topology.cable(port).medium, topology.cable(port).length_mm)).collect::<Vec<_>>()
            };
            assert_eq!(media(&built), media(&topology), "{name}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn damaged_files_are_read_or_refused(
        form in 0_usize..6, at in any::<prop::sample::Index>(), byte in any::<u8>(), cut in any::<prop::sample::Index>()
    ) {
        let mut bytes = FORMS[form].1.as_bytes().to_vec();
        let at = at.index(bytes.len());
        bytes[at] = byte;
        bytes.truncate(cut.index(bytes.len()) + 1);
        if let Ok(system) = SystemDescription::parse(&String::from_utf8_lossy(&bytes)) {
            let _ = Topology::build(&system);
        }
    }
}

#[test]
fn packed_files_nodes_that_are_tuples_and_data_that_is_missing_are_read() {
    use std::io::Write;
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("packed.graphml.gz");
    let mut packer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    packer.write_all(FORMS[0].1.as_bytes()).expect("in memory");
    std::fs::write(&path, packer.finish().expect("in memory")).expect("a temporary file");
    let packed = SystemDescription::load(&path.display().to_string()).expect("it is unpacked");
    assert_eq!(wires(&build(packed)), wires(&build(read(FORMS[0].1))));
    // In networkx' form for the nodes of a grid.
    let grid = r#"{"nodes": [{"id": [0, 0]}, {"id": [0, 1]}], "edges": [{"source": [0, 0], "target": [0, 1]}]}"#;
    assert_eq!(build(read(grid)).switch_count(), 2);
    for missing in ["None", "NaN", "", "NA"] {
        let text = format!(
            r#"<graphml><key id="k" for="edge" attr.name="global" attr.type="boolean"/><graph edgedefault="undirected">
            <node id="a"/><node id="b"/><edge source="a" target="b"><data key="k">{missing}</data></edge></graph></graphml>"#
        );
        let wires = wires(&build(read(&text)));
        assert!(wires.iter().all(|wire| wire.2 == PortRole::Local), "{missing}: {wires:?}");
    }
}

#[test]
fn other_forms_of_graphs_are_named() {
    for (text, words) in [
        (r#"{"directed": false, "nodes": [{"id": 0}], "adjacency": [[]]}"#, "`node_link_data` would work"),
        (r#"{"data": [], "elements": {"nodes": [], "edges": []}}"#, "as Cytoscape writes it"),
        (r#"{"directed": false, "nodes": [{"id": 0}]}"#, "without a list `edges` or `links`"),
        ("[1, 2]", "a list in JSON"),
        (" \n", "an empty file"),
    ] {
        assert!(refusal(text).contains(words), "{text}: {}", refusal(text));
    }
}

#[test]
fn names_of_another_tool_are_kept_and_its_numbers_are_none() {
    let text = r#"{ "directed": false, "multigraph": false, "graph": {}, "nodes": [
        { "id": "leaf01" }, { "id": 7, "label": "spine \"1\" & <x>" }, { "id": "n2" },
        { "id": "a", "kind": "host", "node": "gpu01", "label": "gpu01 mlx5_0" },
        { "id": "b", "kind": "host", "node": "gpu01", "label": "gpu01 mlx5_1" },
        { "id": "c", "kind": "host", "node": 3, "name": "io-1" },
        { "id": "endpoint-9", "kind": "endpoint" } ],
        "links": [ { "source": "leaf01", "target": 7 }, { "source": 7, "target": "n2" }, { "source": "a", "target": "leaf01" },
        { "source": "b", "target": 7 }, { "source": "c", "target": "n2" }, { "source": "endpoint-9", "target": "n2" } ] }"#;
    let system = SystemDescription::parse(text).expect("node-link JSON");
    assert_eq!(system.labels.switches, ["leaf01", "spine \"1\" & <x>", ""]);
    assert_eq!(system.labels.nodes, ["gpu01", "io-1", ""]);
    assert_eq!(system.labels.nics, ["gpu01 mlx5_0", "gpu01 mlx5_1", "io-1", ""]);
    assert_eq!(system.warnings, [""; 0]);
    // The export has them, and they come back.
    let topology = Topology::build(&system).expect("legal");
    let again = SystemDescription::parse(&topology.to_graphml(&system)).expect("ours");
    assert_eq!(again.labels.switches, system.labels.switches);
    assert_eq!(again.labels.nics, system.labels.nics);
    let again = SystemDescription::parse(&topology.to_node_link(&system).to_string()).expect("ours");
    assert_eq!(again.labels.switches, system.labels.switches);
    // A name that several parts share counts as none, and a file without any has none.
    let same = text.replace("leaf01", "spine").replace("spine \\\"1\\\" & <x>", "spine");
    let same = SystemDescription::parse(&same).expect("node-link JSON");
    assert_eq!(same.labels.switches, [""; 0]);
    let said = "2 switches have the label 'spine': it is not used, and their usual names are";
    assert_eq!(same.warnings, [said]);
    let nodes = read(&text.replace("gpu01", "io-1").replace("\"node\": 3, ", ""));
    assert_eq!(nodes.warnings, ["2 nodes have the label 'io-1': it is not used, and their usual names are"]);
    assert_eq!(read(PAIR).labels, philae_topology::GraphLabels::default());
    // In Gephi's form.
    assert_eq!(read(FORMS[3].1).labels.switches, ["left", "right"]);
}

#[test]
fn a_file_is_one_document() {
    let graphml = tiny("", UNDIRECTED, &format!(r#"<edge source="s0" target="s1"/>{HOSTS}"#));
    let gexf = FORMS.iter().map(|form| form.1).find(|text| text.contains("<gexf")).expect("a form of Gephi");
    for text in [graphml.as_str(), gexf] {
        for end in ["", "\n \n", "<!-- made by hand -->\n", "<?tool words?>"] {
            read(&format!("{text}{end}"));
        }
        for (end, words) in [
            ("garbage", "there is text behind the document"),
            ("\n<node id=\"x\"/>", "a second document begins"),
            ("&amp;", "there is text behind the document"),
            ("<![CDATA[x]]>", "there is text behind the document"),
            ("\0\0", "there is text behind the document"),
        ] {
            let error = refusal(&format!("{text}{end}"));
            assert!(error.contains(words) && error.contains("line "), "{end}: {error}");
        }
        assert!(refusal(&format!("{text}\n{text}")).contains("a second document begins"));
        assert!(refusal(&text.replacen("?>", "?> x", 1)).contains("there is text before the document"));
    }
    assert!(refusal("<graphml/><graphml/>").contains("a second document begins"));
    let json = FORMS.iter().map(|form| form.1).find(|text| text.starts_with('{')).expect("node-link JSON");
    assert!(refusal(&format!("{json} {json}")).contains("trailing characters"));
}

#[test]
fn two_endpoints_that_are_one_nic_are_refused() {
    let text = r#"{"nodes": [{"id": "s"}, {"id": "a", "kind": "host", "node": 0, "nic": 0},
        {"id": "b", "kind": "host", "node": 0, "nic": 0}],
        "edges": [{"source": "s", "target": "a"}, {"source": "s", "target": "b"}]}"#;
    let error = refusal(text);
    assert!(error.contains("'a' and 'b' are both NIC 0 of node '0'"), "{error}");
}

/// graph-tool writes doubles of GraphML in hexadecimal.
#[test]
fn rates_in_hexadecimal_are_read() {
    let edge = |rate: &str| {
        format!(
            "{{\"nodes\": [{{\"id\": 1}}, {{\"id\": 2}}], \"edges\": [{{\"source\": 1, \"target\": 2, \"rate_gbps\": \"{rate}\"}}]}}"
        )
    };
    assert_eq!(read(&edge("0x1.9p+6")), read(&edge("100")));
}

/// The name of a graph stands in its own data, or beside it.
#[test]
fn a_name_beside_the_graph_is_taken_or_told() {
    let of = |graph: &str| {
        format!("{{\"name\": \"beside\", \"graph\": {graph}, \"nodes\": [{{\"id\": 1}}], \"edges\": []}}")
    };
    let said = |text: &str| (read(text).name, read(text).warnings.join("\n"));
    let (name, warnings) = said(&of("{}"));
    assert!(name == "beside" && !warnings.contains("name"), "{name}: {warnings}");
    let (name, warnings) = said(&of("{\"name\": \"beside\"}"));
    assert!(name == "beside" && !warnings.contains("name"), "{name}: {warnings}");
    let (name, warnings) = said(&of("{\"name\": \"own\"}"));
    assert!(name == "own" && warnings.contains("`top-level name` is not used"), "{name}: {warnings}");
}

#[test]
fn a_link_that_is_a_list_is_told_what_a_link_is() {
    let error = refusal("name = \"x\"\n[graph]\nswitches = 2\nlinks = [[0, 1]]\n");
    assert!(error.contains("a link needs two switches by their numbers, such as { between = [0, 1] }"), "{error}");
}

#[test]
fn an_edge_twice_is_refused_or_said_where_the_file_can_tell() {
    let xml = |one: &str, other: &str| {
        format!(
            "<graphml><graph edgedefault=\"undirected\"><node id=\"a\"/><node id=\"b\"/>\
             <edge {one} source=\"a\" target=\"b\"/><edge {other} source=\"a\" target=\"b\"/></graph></graphml>"
        )
    };
    // networkx counts parallel edges from 0 between every two nodes.
    for (one, other) in [("id=\"0\"", "id=\"1\""), ("", "")] {
        assert_eq!(read(&xml(one, other)).graph.expect("a graph").links.len(), 2);
    }
    let error = refusal(&xml("id=\"0\"", "id=\"0\""));
    assert!(error.contains("edges 0 and 1 from 'a' to 'b' have one id, '0'"), "{error}");
    let json = |multigraph: bool, more: &str| {
        format!(
            r#"{{"directed": false, "multigraph": {multigraph}, "nodes": [{{"id": "a"}}, {{"id": "b"}}],
            "links": [{{"source": "a", "target": "b"{more}}}, {{"source": "b", "target": "a"{more}}}]}}"#
        )
    };
    assert_eq!(read(&json(true, "")).warnings, [""; 0]);
    let told = read(&json(false, "")).warnings;
    assert!(told[0].starts_with("the file says that it is no multigraph, but it has 1 edge between nodes"), "{told:?}");
    let same = json(true, ", \"key\": 0").replace("\"b\", \"target\": \"a\"", "\"a\", \"target\": \"b\"");
    assert!(refusal(&same).contains("edges 0 and 1 from 'a' to 'b' have one id, '0'"));
}

#[test]
fn labels_that_xml_cannot_hold_are_said_and_never_become_one() {
    let text = r#"{ "directed": false, "multigraph": true, "nodes": [
        { "id": "a", "label": "one\u0001x" }, { "id": "b", "label": "one x" }, { "id": "c", "label": "two\nlines ]]>" },
        { "id": "h1", "kind": "host", "node": "gpu01", "label": "gpu01 mlx5_0" },
        { "id": "h2", "kind": "host", "node": "gpu01", "label": "gpu01 mlx5_1" } ],
        "links": [ { "source": "a", "target": "b" }, { "source": "b", "target": "c" }, { "source": "h1", "target": "a" },
        { "source": "h2", "target": "b" } ] }"#;
    let system = read(text);
    let topology = build(system.clone());
    let told = topology.graphml_warnings(&system);
    assert!(told[0].starts_with("1 label changed, such as 'two\\nlines ]]>' to 'two lines ]]>'"), "{told:?}");
    assert!(told[1].starts_with("1 label left out, such as 'one\\u{1}x'"), "{told:?}");
    let back = read(&topology.to_graphml(&system));
    assert_eq!(back.labels.switches, ["", "one x", "two lines ]]>"]);
    // JSON holds all of them. The node of two NICs keeps its name beside theirs in both.
    let json = read(&topology.to_node_link(&system).to_string());
    assert_eq!(json.labels.switches, system.labels.switches);
    for again in [json, back] {
        assert_eq!((again.labels.nodes, again.labels.nics), (system.labels.nodes.clone(), system.labels.nics.clone()));
    }
}

#[test]
fn a_document_is_read_in_the_encoding_that_it_declares() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let load = |encoding: &str, bytes: &[u8]| {
        let path = folder.path().join("graph.graphml");
        let head = format!("<?xml version=\"1.0\" encoding=\"{encoding}\"?>\n");
        let text = FORMS[0].1.split_once("?>").map_or(FORMS[0].1, |(_, rest)| rest);
        let named = text.replace("pair &amp; four", "NAME").into_bytes();
        let at = named.windows(4).position(|four| four == b"NAME").expect("a name");
        let all = [head.as_bytes(), &named[..at], bytes, &named[at + 4..]].concat();
        std::fs::write(&path, all).expect("a file");
        SystemDescription::load(&path.to_string_lossy()).map_err(|error| error.to_string())
    };
    assert_eq!(load("ISO-8859-1", b"gr\xfc\xdf").expect("Latin-1").name, "grüß");
    assert_eq!(load("UTF-8", "grüß".as_bytes()).expect("UTF-8").name, "grüß");
    let error = load("windows-1252", b"gr\xfc").expect_err("not read");
    assert!(error.contains("declares the encoding 'windows-1252', which is not read; UTF-8, UTF-16"), "{error}");
    assert!(load("UTF-8", b"gr\xfc").expect_err("wrong").contains("is not UTF-8 text (byte "));
}
