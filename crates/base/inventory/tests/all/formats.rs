//! Formats of other programs: read, written, and refused with the line.

use philae_inventory::{End, Models, Neighbour, Observation, PlannedFabric, SystemSource, Template};
use philae_topology::{PortPeer, SystemDescription, Topology};
use philae_units::{EndpointId, PortIndex, SwitchId};
use proptest::prelude::*;

const DISCOVERED: &str = r#"
#
# Topology file: generated on Sun Nov 22 10:00:00 2026
#
vendid=0x2c9
devid=0xb924
sysimgguid=0x5442ba00003000
switchguid=0x5442ba00003080(5442ba00003080)
Switch	24 "S-005442ba00003080"		# "leaf # one" base port 0 lid 6 lmc 0
[22]	"H-00188b00003ab0"[1](188b00003ab1) 		# "node1 HCA-1" lid 5 4xSDR
[23]	"S-005442ba00003090"[24]		# "spine" lid 7 4xSDR

Switch	24 "S-005442ba00003090"		# "spine" base port 0 lid 7 lmc 0
[24]	"S-005442ba00003080"[23]		# "leaf" lid 6 4xSDR

vendid=0x2c9
caguid=0x188b00003ab0
Ca	2 "H-00188b00003ab0"		# "node1 HCA-1"
[1](188b00003ab1) 	"S-005442ba00003080"[22]		# lid 5 lmc 0 "leaf" lid 6 4xSDR
"#;

fn build(template: &Template) -> PlannedFabric {
    template.build(&Models::built_in()).expect("consistent")
}

#[test]
fn a_discovered_fabric_is_read() {
    let fabric = build(&Template::from_netlist(DISCOVERED, "lab").expect("the documented form"));
    assert_eq!((fabric.switch_count(), fabric.nic_count(), fabric.radix()), (2, 1, 24));
    assert_eq!(fabric.switch_label(SwitchId(0)), Some("leaf # one"));
    assert_eq!(fabric.node_label(philae_units::NodeId(0)), Some("node1"));
    let leaf = fabric.port_index(SwitchId(0), philae_units::PortId(22));
    assert_eq!(fabric.port(leaf).peer, PortPeer::Port(fabric.port_index(SwitchId(1), philae_units::PortId(23))));
    let nic = EndpointId(0);
    assert_eq!(fabric.nics()[0].port, fabric.port_index(SwitchId(0), philae_units::PortId(21)));
    assert_eq!(fabric.nic_by_xname(fabric.nic_xname(nic)), Some(nic));
}

/// Output of infiniband-diags for a netlist that we wrote and ibsim ran: descriptions are xnames.
const OVER_IBSIM: &str = r#"
Switch	64 "S-000000000020001f"		# "x1003c7r1" base port 0 lid 0 lmc 0
[1]	"H-00000000001003b6"[1](1003b7) 		# "x1003c7s0b0n0h0" lid 0 4xSDR

Ca	1 "H-00000000001003b6"		# "x1003c7s0b0n0h0"
[1](1003b7) 	"S-000000000020001f"[1]		# lid 0 lmc 0 "x1003c7r1" lid 0 4xSDR
"#;

#[test]
fn descriptions_that_are_xnames_are_the_names() {
    let fabric = build(&Template::from_netlist(OVER_IBSIM, "sim").expect("as printed"));
    let port = fabric.port_by_name("x1003c7r1a0l0").expect("by its xname");
    assert_eq!(fabric.nic_at(port), Some(fabric.nic_by_name("x1003c7s0b0n0h0").expect("by its xname")));
    assert_eq!(fabric.switch_label(SwitchId(0)), None);
}

#[test]
fn netlists_that_contradict_themselves_are_refused_with_the_line() {
    let refused = |text: &str| Template::from_netlist(text, "x").expect_err("wrong").to_string();
    let with = |from: &str, to: &str| refused(&DISCOVERED.replace(from, to));
    assert_eq!(
        with("[24]\t\"S-005442ba00003080\"[23]", "[23]\t\"S-005442ba00003080\"[23]"),
        "line 14 of the netlist: \"S-005442ba00003080\"[23] leads to \"S-005442ba00003090\"[23], and by line 11 to \
         \"S-005442ba00003090\"[24]; one cable for each port would work"
    );
    assert!(with("Switch\t24 \"S-005442ba00003090\"", "Switch\t24").contains("line 13 of the netlist: no name"));
    assert!(with("[22]", "[25]").contains("line 10 of the netlist: port 25; ports 1 to 24"));
    assert!(with("Ca\t2", "Xa\t2").contains("'Xa'; Switch, Ca, Hca"));
    assert!(with("Ca\t2 \"H-", "Ca\t2 \"K-").contains("that is not listed"));
    assert!(refused("[1] \"a\"[1]").contains("line 1 of the netlist: a port before any device"));
    assert!(refused("Switch 4 \"a\"\n[1] \"a\"[1]\n").contains("and not itself"));
    assert!(refused("Hca 1 \"a\"\n[1] \"b\"[1]\nHca 1 \"b\"\n").contains("two adapters joined"));
    assert!(refused("Switch 999 \"a\"").contains("no count of ports"));
}

#[test]
fn a_netlist_that_we_write_is_read_back_the_same() {
    for name in ["malbec", "ndr-64", "slingshot400-fat-tree"] {
        let fabric = build(&Template::of_built_in(name));
        let text = fabric.to_netlist();
        assert!(text.contains("\nSwitch 64 \"x"), "{name}");
        let read = build(&Template::from_netlist(&text, name).expect("written by us"));
        assert_eq!((read.switch_count(), read.nic_count()), (fabric.switch_count(), fabric.nic_count()));
        for port in (0..fabric.port_count()).map(|port| PortIndex(port as u32)) {
            let same = read.port_by_xname(fabric.link_xname(port)).expect("the same name");
            let far = |of: &PlannedFabric, port| match of.port(port).peer {
                PortPeer::None => None,
                PortPeer::Port(far) => Some(of.link_xname(far)),
                PortPeer::Endpoint(nic) => Some(of.nic_xname(nic)),
            };
            assert_eq!(far(&fabric, port), far(&read, same), "{name}");
        }
    }
}

#[test]
fn slurm_sees_switches_or_groups() {
    let tree = build(&Template::of_built_in("slingshot400-fat-tree"));
    let conf = tree.to_slurm_conf();
    let first = conf.lines().nth(1).expect("a leaf");
    assert!(first.starts_with("SwitchName=x3000c0r1 Nodes=x3"), "{first}");
    assert!(conf.lines().last().expect("a root").starts_with("SwitchName=root Switches="), "{conf}");
    // Frontier's nodes have NICs on four switches.
    let frontier = build(&Template::of_built_in("frontier")).to_slurm_conf();
    let lines: Vec<&str> = frontier.lines().collect();
    assert_eq!(lines.len(), 1 + 74 + 1);
    assert!(lines[1].starts_with("SwitchName=g0 Nodes=x1000c0s0b0n0,"), "{}", lines[1]);
    assert_eq!(lines[75], "SwitchName=root Switches=g[0-73]");
    let yaml = build(&Template::of_built_in("shandy")).to_slurm_yaml();
    assert!(
        yaml.starts_with("---\n- topology: fabric\n  cluster_default: true\n  tree:\n    switches:\n      - switch: ")
    );
    assert!(yaml.contains("        children: \"g[0-7]\"\n"), "{yaml}");
}

#[test]
fn every_node_is_in_one_leaf_of_slurms_tree() {
    let fabric = build(&Template::of_built_in("malbec"));
    let conf = fabric.to_slurm_conf();
    let listed: usize =
        conf.lines().filter_map(|line| line.split_once("Nodes=")).map(|(_, list)| list.split(',').count()).sum();
    assert!(listed > 0 && listed <= fabric.node_count(), "{listed}");
    assert!(!conf.contains(",,") && !conf.contains("=,"));
}

#[test]
fn graphml_has_the_same_links() {
    let fabric = build(&Template::of_built_in("malbec"));
    let read = SystemDescription::parse(&fabric.to_graphml().expect("a graph")).expect("GraphML");
    let topology = Topology::build(&read).expect("legal");
    assert_eq!(topology.links(), fabric.links());
    assert_eq!(topology.node_count(), fabric.node_count());
    let alone = "fabric_template = 1\nswitches = [{ xname = \"x1c0r0\", group = 0, number = 0 }, \
                 { xname = \"x1c0r1\", group = 0, number = 1 }]";
    let error = build(&Template::parse(alone).expect("a template")).to_graphml().expect_err("not connected");
    assert!(error.to_string().starts_with("the system cannot be built: "), "{error}");
}

#[test]
fn two_fabrics_stay_two_in_every_format_that_is_read() {
    let fabric = build(&Template::of_built_in("two-fabrics"));
    assert_eq!(fabric.fabrics(), 2);
    let texts = [
        ("a.graphml", fabric.to_graphml().expect("a graph of two fabrics")),
        ("a.json", Template::explicit(&fabric).to_json()),
        ("a.csv", fabric.to_cabling().to_csv()),
        ("a.net", fabric.to_netlist()),
    ];
    for (name, text) in texts {
        let read = SystemSource::read(&text, name, &Models::built_in()).expect(name).into_system();
        assert_eq!(read.graph.as_ref().map(|graph| graph.fabrics), Some(2), "{name}");
        let topology = Topology::build(&read).expect(name);
        assert_eq!(topology.links(), fabric.links(), "{name}");
        assert_eq!(topology.node_count(), fabric.node_count(), "{name}");
    }
    let warnings = fabric.slurm_warnings();
    assert!(warnings.iter().any(|warning| warning.contains("in 2 parts without a link between them")), "{warnings:?}");
    assert_eq!(build(&Template::of_built_in("malbec")).fabrics(), 1);
}

#[test]
fn every_built_in_system_is_written_in_every_format_and_reads_back() {
    for system in philae_topology::systems() {
        let fabric = build(&Template::of_built_in(system.name));
        // The largest are parsed, and not built again: that takes a table of all pairs.
        let is_large = fabric.switch_count() > 3_000;
        for (name, text) in [
            ("a.json", Template::explicit(&fabric).to_json()),
            ("a.csv", fabric.to_cabling().to_csv()),
            ("a.net", fabric.to_netlist()),
        ] {
            let what = format!("{} as {name}", system.name);
            let read =
                SystemSource::read(&text, name, &Models::built_in()).unwrap_or_else(|error| panic!("{what}: {error}"));
            let read = read.into_system();
            let graph = read.graph.as_ref().expect("a graph");
            assert_eq!(graph.switches as usize, fabric.switch_count(), "{what}");
            assert_eq!(graph.endpoints.len(), fabric.nic_count(), "{what}");
            if !is_large {
                assert_eq!(Topology::build(&read).expect(&what).links().edge, fabric.links().edge, "{what}");
            }
        }
        assert!(fabric.to_slurm_conf().contains("SwitchName="), "{}", system.name);
        assert!(fabric.to_slurm_yaml().contains("- switch: "), "{}", system.name);
        if !is_large {
            fabric.to_graphml().unwrap_or_else(|error| panic!("{}: {error}", system.name));
        }
    }
}

#[test]
fn findings_are_a_table() {
    let fabric = build(&Template::of_built_in("malbec"));
    let port = fabric.nics()[0].port;
    let seen = Observation { port, neighbour: Some(Neighbour::Unknown("a \"b\", c".to_owned())) };
    let lost = Observation { port: fabric.nics()[1].port, neighbour: None };
    let wrong = Observation { port: fabric.nics()[2].port, neighbour: Some(Neighbour::Known(End::Nic(EndpointId(3)))) };
    let table = fabric.findings_csv(&fabric.compare(&[seen, lost, wrong]));
    let rows: Vec<csv::StringRecord> =
        csv::Reader::from_reader(table.as_bytes()).records().collect::<Result<_, _>>().expect("a table");
    assert_eq!(rows.len(), 3);
    let unknown = rows.iter().find(|row| &row[0] == "unknown").expect("a stranger");
    assert_eq!(&unknown[5], "a \"b\", c");
    assert_eq!(unknown[2], fabric.link_xname(port).to_string());
    assert_eq!(unknown[4], fabric.nic_xname(EndpointId(0)).to_string());
}

#[test]
fn a_template_of_the_product_is_read_as_far_as_it_is_known() {
    let text = r#"{ "maxLocalSwcs": 32, "switches": [
        { "id": "x3000c0r41b0", "grpId": 0, "swcNum": 1, "colour": "grey",
          "edgePorts": [{ "conn_port": "x3000c0r41j13p0", "dst_port": "x3000c0s1b0n0h0", "speed": "BS_200G" }],
          "fabricPorts": [{ "conn_port": "x3000c0r41j1p0", "dst_port": "/fabric/ports/x3000c0r42j1p0" },
                          { "conn_port": "x3000c0r41j2p0" }] },
        { "grpId": "1", "swcNum": "0", "fabricPorts": { "a": { "conn_port": "x3000.c0.r42.j1.p0", "dst_port": "x3000c0r41j1p0" } } } ] }"#;
    let imported = Template::from_vendor(text, "theirs").expect("switches");
    assert_eq!(imported.ignored.keys().collect::<Vec<_>>(), ["colour", "maxLocalSwcs", "speed"]);
    assert_eq!(imported.skipped, ["x3000c0r41j2p0, which has no dst_port"]);
    let fabric = build(&imported.template);
    assert_eq!((fabric.switch_count(), fabric.nic_count(), fabric.links().global), (2, 1, 1));
    let port = fabric.port_by_name("x3000c0r41a0l29").expect("published row");
    assert!(fabric.nic_at(port).is_some());
    let refused = |text: &str| Template::from_vendor(text, "x").expect_err("wrong").to_string();
    assert!(refused("{").starts_with("not a fabric_template.json (JSON): EOF"));
    assert!(refused("[1]").contains("no switch; objects with edgePorts or fabricPorts"));
}

proptest! {
    #[test]
    fn no_netlist_makes_the_reader_panic(text in "(Switch|Ca|Hca|\\[|\\]|\"|a|b|[0-9]|#| |\\(|=|\n){0,60}|.{0,60}") {
        if let Ok(template) = Template::from_netlist(&text, "any") {
            let _ = template.build(&Models::built_in());
        }
    }

    #[test]
    fn damaged_texts_are_read_or_refused(at in any::<prop::sample::Index>(), byte in any::<u8>()) {
        for text in [DISCOVERED, "{ \"edgePorts\": [{ \"conn_port\": \"x3000c0r41j13p0\", \"dst_port\": \"x3000c0s1b0n0h0\" }] }"] {
            let mut bytes = text.as_bytes().to_vec();
            let at = at.index(bytes.len());
            bytes[at] = byte;
            let text = String::from_utf8_lossy(&bytes);
            for template in [
                Template::from_netlist(&text, "damaged").ok(),
                Template::from_vendor(&text, "damaged").ok().map(|imported| imported.template),
                Template::parse(&text).ok(),
            ].into_iter().flatten() {
                let _ = template.build(&Models::built_in());
            }
        }
    }
}

#[test]
fn the_shape_that_a_graph_loses_is_the_one_of_the_file() {
    let models = Models::built_in();
    let said = |system: &str| {
        let fabric = Template::of_built_in(system).build(&models).expect("built in");
        let cabling = SystemSource::read(&fabric.to_cabling().to_csv(), "cables.csv", &models).expect("ours");
        cabling.into_system().warnings
    };
    let lost = "it is read as a graph of one group, also for routing";
    assert_eq!(said("malbec"), [format!("the fabric is a dragonfly: {lost}")]);
    // One group, and pods that no link joins: neither is a dragonfly.
    assert_eq!(said("slingshot400-64"), [""; 0]);
    assert_eq!(said("slingshot400-fat-tree"), [""; 0]);
    let mut malbec = Template::of_built_in("malbec").build(&models).expect("built in").to_cabling();
    malbec.cables.retain(|cable| cable.source_group.is_none_or(|one| one != 0) || cable.destination_group != Some(2));
    let parts = SystemSource::read(&malbec.to_csv(), "cables.csv", &models).expect("fewer cables").into_system();
    assert_eq!(parts.warnings, [format!("the file names 4 groups of switches: {lost}")]);
    assert_eq!(parts.labels.groups.len(), 32);
}
