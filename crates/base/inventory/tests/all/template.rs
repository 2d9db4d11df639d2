//! Templates: every built-in system is the same after both forms, and contradictions are refused.

use philae_inventory::{Models, Placement, PlannedFabric, Template};
use philae_topology::{DragonflyDescription, PortPeer, PortRole, SystemDescription, Topology, systems};
use philae_units::{EndpointId, NodeId, PortIndex, SwitchId};

fn same(one: &PlannedFabric, other: &PlannedFabric) {
    assert_eq!(one.name(), other.name());
    assert_eq!(one.wiring(), other.wiring());
    assert_eq!(one.address_format(), other.address_format());
    assert_eq!(one.links(), other.links());
    assert!(one.switches() == other.switches() && one.nodes() == other.nodes());
    assert!(one.ports() == other.ports() && one.nics() == other.nics());
    assert_eq!(one.cables(), other.cables());
    assert_eq!(one.models(), other.models());
}

fn every_name_leads_back(fabric: &PlannedFabric) {
    for switch in (0..fabric.switch_count()).map(SwitchId::from_index) {
        for name in [fabric.switch_xname(switch), fabric.bmc_xname(switch), fabric.asic_xname(switch)] {
            assert_eq!(fabric.switch_by_xname(name), Some(switch));
        }
    }
    for port in (0..fabric.port_count()).map(|port| PortIndex(port as u32)) {
        assert_eq!(fabric.port_by_xname(fabric.link_xname(port)), Some(port));
        assert_eq!(fabric.port_by_xname(fabric.connector_port_xname(port)), Some(port));
        if let Ok(address) = fabric.address(port) {
            assert_eq!(fabric.port_of_address(address), Some(port));
        }
    }
    for node in (0..fabric.node_count()).map(NodeId::from_index) {
        assert_eq!(fabric.node_by_xname(fabric.node_xname(node)), Some(node));
    }
    for nic in (0..fabric.nic_count()).map(EndpointId::from_index) {
        assert_eq!(fabric.nic_by_xname(fabric.nic_xname(nic)), Some(nic));
        assert_eq!(fabric.nic_at(fabric.nics()[nic.index()].port), Some(nic));
    }
}

#[test]
fn every_built_in_system_has_names_that_lead_back() {
    for system in systems() {
        let template = Template::of_built_in(system.name);
        let fabric = template.build(&Models::built_in()).expect(system.name);
        every_name_leads_back(&fabric);
        let topology = Topology::build(&SystemDescription::parse(system.text).expect("built in")).expect("legal");
        assert_eq!(fabric.links(), topology.links(), "{}", system.name);
        for nic in (0..topology.endpoint_count()).step_by(97).map(EndpointId::from_index) {
            let port = topology.endpoint(nic).port;
            assert_eq!(fabric.address(port), topology.address(nic), "{}", system.name);
        }
    }
}

#[test]
fn a_fabric_with_too_many_groups_says_what_fits_and_keeps_its_names() {
    let fabric = Template::of_built_in("largest").build(&Models::built_in()).expect("valid all the same");
    let error = fabric.address(PortIndex(0)).expect_err("545 groups").to_string();
    assert!(error.starts_with("545 groups do not fit 9 bits: the largest addressable group count is 511"), "{error}");
    let fits = Template::of_built_in("largest-addressable").build(&Models::built_in()).expect("valid");
    let last = PortIndex(fits.port_count() as u32 - 1);
    assert_eq!(fits.port_of_address(fits.address(last).expect("511 groups")), Some(last));
}

#[test]
fn the_explicit_form_is_read_back_the_same() {
    for name in ["malbec", "shandy", "slingshot400-fat-tree", "two-fabrics", "ndr-64", "crystal", "frontier"] {
        let fabric = Template::of_built_in(name).build(&Models::built_in()).expect(name);
        let explicit = Template::explicit(&fabric);
        let json = explicit.to_compact_json();
        assert!(json.len() < 16 << 20, "{name}: {} bytes", json.len());
        let read = Template::parse(&json).expect("written by us");
        assert_eq!(read, explicit);
        same(&fabric, &read.build(&Models::built_in()).expect(name));
        if name != "frontier" {
            assert_eq!(Template::parse(&explicit.to_toml()).expect("written by us"), explicit);
            assert_eq!(Template::parse(&explicit.to_json()).expect("written by us"), explicit);
        }
    }
}

#[test]
fn a_described_system_is_carried_in_the_template() {
    let description: SystemDescription = DragonflyDescription::uniform(3, 4, 2, 2).into();
    let template = Template::of_system(&description);
    let read = Template::parse(&template.to_toml()).expect("written by us");
    assert_eq!(read, template);
    let topology = Topology::build(&description).expect("legal");
    let direct = PlannedFabric::of(&topology, &Placement::usual(&topology), &Models::built_in()).expect("room");
    same(&direct, &read.build(&Models::built_in()).expect("the same system"));
    let shandy = SystemDescription::load("shandy").expect("built in");
    assert_eq!(Template::of_system(&shandy), Template::of_built_in("shandy"));
}

const CHANGED: &str = r#"
fabric_template = 1
name = "shandy, as built"
system = "shandy"
mac_prefix = "06"
absent = ["x9000c1r3a0l63", "x1000c0s0b0n0h1"]
placement = { cabinets = "liquid", first_cabinet = 1000, model = "colorado" }
switches = [{ xname = "x9000c1r3", group = 0, number = 0, label = "first" }]
nodes = [{ xname = "x9000c1s0b0n0", was = "x1000c0s0b1n0", label = "nid000002" }]
"#;

#[test]
fn exceptions_change_what_they_name_and_nothing_else() {
    let plain = Template::of_built_in("shandy").build(&Models::built_in()).expect("built in");
    // A port of the first switch with a link to another switch.
    let linked = plain.ports_of(SwitchId(0)).map(PortIndex).find(|&port| plain.port(port).role == PortRole::Local);
    let linked = linked.expect("a local link");
    let far = match plain.port(linked).peer {
        PortPeer::Port(far) => far,
        other => panic!("{other:?}"),
    };
    let changed = CHANGED.replace("a0l63", &format!("a0l{}", plain.number_of(linked)));
    let fabric = Template::parse(&changed).expect("a template").build(&Models::built_in()).expect("consistent");
    every_name_leads_back(&fabric);
    assert_eq!(fabric.name(), "shandy, as built");
    assert_eq!(fabric.switch_xname(SwitchId(0)).to_string(), "x9000c1r3");
    assert_eq!(fabric.switch_label(SwitchId(0)), Some("first"));
    assert_eq!(fabric.switch_label(SwitchId(1)), None);
    assert_eq!(fabric.port(linked).role, PortRole::Unused);
    assert_eq!(fabric.port(far).role, PortRole::Unused);
    assert_eq!(fabric.nic_count(), plain.nic_count() - 1);
    let node = fabric.node_by_name("x9000c1s0b0n0").expect("renamed");
    assert_eq!(fabric.node_label(node), Some("nid000002"));
    assert!(fabric.node_by_name("x1000c0s0b1n0").is_err());
    // The same cable again, and the NIC at another free port.
    let free = fabric.ports_of(SwitchId(1)).map(PortIndex).find(|&port| fabric.port(port).role == PortRole::Unused);
    let more = format!(
        "{changed}cables = [{{ medium = \"optical\", length_m = 7, rate_gbps = 200 }}]\n\
         links = [{{ a = \"{}\", b = \"{}\", id = \"new\" }}]\n\
         edge_ports = [{{ port = \"{}\", nic = \"x1000c0s0b0n0h1\" }}]\n",
        fabric.link_xname(linked),
        fabric.connector_port_xname(far),
        fabric.link_xname(free.expect("a free port")),
    );
    let again = Template::parse(&more).expect("a template").build(&Models::built_in()).expect("consistent");
    every_name_leads_back(&again);
    assert_eq!(again.links(), plain.links());
    assert_eq!(again.cable_name(far), Some("new"));
    assert_eq!(again.cable(linked).expect("a cable").length_mm, 7_000);
}

fn refused(text: &str) -> String {
    match Template::parse(text) {
        Err(error) => error.to_string(),
        Ok(template) => template.build(&Models::built_in()).expect_err("wrong").to_string(),
    }
}

#[test]
fn what_contradicts_itself_is_refused_with_what_would_work() {
    let two = "fabric_template = 1\nswitches = [{ xname = \"x1c0r0\", group = 0, number = 0 }, \
               { xname = \"x1c0r1\", group = 0, number = 1 }]\n";
    let with = |more: &str| refused(&format!("{two}{more}"));
    assert_eq!(refused("fabric_template = 2"), "fabric_template: version 2; 1 would work");
    assert!(refused("fabric_template = 1\nsystm = \"x\"").contains("unknown key `systm`"));
    assert!(
        refused("{\"fabric_template\": 1, \"system\": \"atlantis\"}")
            .starts_with("system: 'atlantis'; crystal, malbec")
    );
    assert!(refused("fabric_template = 1").contains("0 switches of 64 ports; at least one switch"));
    assert!(refused("fabric_template = 1\nsystem = \"shandy\"\nradix = 3").contains("radix: given next to a system"));
    assert!(with("radix = 0").contains("radix: 0; 1 to 256"));
    assert!(with("model = \"texas\"").contains("no switch model 'texas'"));
    assert!(with("links = [{ a = \"x1c0r0a0l0\", b = \"x1c0r2a0l0\" }]").contains("a switch that is not listed"));
    assert!(with("links = [{ a = \"x1c0r0a0l0\", b = \"x1c0r0a0l0\" }]").contains("both ends are one port"));
    assert!(with("links = [{ a = \"x1c0r0a0l64\", b = \"x1c0r1a0l0\" }]").contains("a0l0 to a0l63"));
    assert!(with("links = [{ a = \"x1c0r0a1l0\", b = \"x1c0r1a0l0\" }]").contains("ASIC a1; a0"));
    assert!(with("links = [{ a = \"x1c0r0\", b = \"x1c0r1a0l0\" }]").contains("a switch module; a link (xcral)"));
    assert!(with("links = [{ a = \"x1c0r0a0l0\", b = \"x1c0r1a0l0\", cable = 1 }]").contains("cable 1; 0 to 0"));
    let used = "links = [{ a = \"x1c0r0a0l0\", b = \"x1c0r1a0l0\" }, { a = \"x1c0r0j1p0\", b = \"x1c0r1a0l1\" }]";
    assert!(with(used).contains("link 1: x1c0r0j1p0: a port that has a cable already"), "{}", with(used));
    let nic = "edge_ports = [{ port = \"x1c0r0a0l0\", nic = \"x1c0s0b0n0h0\" }, { port = \"x1c0r0a0l1\", nic = \"x1c0s0b0n0h0\" }]";
    assert_eq!(with(nic), "two NICs are called x1c0s0b0n0h0; a name for each would work");
    let twice = two.replace("x1c0r1", "x1c0r0");
    assert_eq!(refused(&twice), "two switches are called x1c0r0; a name for each would work");
    let number = two.replace("number = 1", "number = 0");
    assert!(refused(&number).contains("both are switch 0 of group 0"));
    assert!(refused(&two.replace("group = 0, number = 1", "group = 70000, number = 1")).contains("0 to 65535"));
    assert!(with("absent = [\"x1c0r0a0l0\"]").contains("absent: given without a system"));
    let shandy = |more: &str| refused(&format!("fabric_template = 1\nsystem = \"shandy\"\n{more}"));
    assert!(shandy("absent = [\"x1c0r0a0l0\"]").contains("a switch that is not listed"));
    assert!(shandy("absent = [\"x1000c0s0b0n0h7\"]").contains("nothing in the system"));
    assert!(
        shandy("nodes = [{ xname = \"x1c0s0b0n0\", was = \"x2c0s0b0n0\" }]")
            .contains("was = x2c0s0b0n0, which is not a node")
    );
    assert!(shandy("switches = [{ xname = \"x1c0r0\", group = 8, number = 0 }]").contains("groups 0 to 7"));
    assert!(
        shandy("switches = [{ xname = \"x1000c0r3\", group = 0, number = 0 }]").contains("two switches are called")
    );
}

#[test]
fn a_list_with_gaps_in_groups_and_numbers_keeps_them() {
    let text = r#"{ "fabric_template": 1, "switches": [
        { "xname": "x3000c0r42", "group": 168, "number": 10, "model": "columbia" },
        { "xname": "x1000c0r7", "group": 3, "number": 31, "model": "colorado" } ],
        "links": [{ "a": "x3000c0r42j13p0", "b": "x1000c0r7j17p0" }] }"#;
    let fabric = Template::parse(text).expect("JSON").build(&Models::built_in()).expect("consistent");
    every_name_leads_back(&fabric);
    let port = fabric.port_by_name("x3000c0r42a0l29").expect("published row");
    assert_eq!(fabric.port(port).role, PortRole::Global);
    assert_eq!(fabric.port(port).peer, PortPeer::Port(fabric.port_by_name("x1000c0r7a0l58").expect("published row")));
    let golden = fabric.port_by_name("x3000c0r42a0l49").expect("a port");
    assert_eq!(fabric.address(golden).expect("fits").to_string(), "02:00:00:05:42:b1");
    assert!(fabric.switches_of(philae_units::GroupId(4)).is_empty());
    assert_eq!(fabric.group_count(), 169);
}

#[test]
fn the_examples_of_the_documentation_build() {
    let page = include_str!("../../../../../docs/manager/fabric-template.md");
    let blocks = page.split("```toml\n").skip(1).filter_map(|block| block.split("```").next());
    let templates: Vec<&str> = blocks.filter(|block| block.starts_with("fabric_template")).collect();
    assert_eq!(templates.len(), 3);
    for text in templates {
        every_name_leads_back(&Template::parse(text).expect(text).build(&Models::built_in()).expect(text));
    }
    let jacks = page.split("```toml\n").find(|block| block.starts_with("[[model]]")).expect("a table of jacks");
    let mut models = Models::built_in();
    let before = models.clone();
    models.read(jacks.split("```").next().expect("a block")).expect("as documented");
    assert_eq!(models, before, "the page shows the built-in table");
}

#[test]
fn selectors_take_ports_by_either_name_and_by_what_they_are_a_part_of() {
    let fabric = Template::of_built_in("shandy").build(&Models::built_in()).expect("built in");
    let switches = |text: &str| fabric.select_switches(&text.parse().expect("a selector")).count();
    let ports = |text: &str| fabric.select_ports(&text.parse().expect("a selector")).count();
    assert_eq!(switches("x*"), 128);
    assert_eq!(switches("x[1000-1001]c0r*"), 4);
    assert_eq!(switches("x1000c0r1b0,x1000c0r3a0,x1000c0r3"), 2);
    assert_eq!(ports("x1000c0r1"), 64);
    assert_eq!(ports("x1000c0r1b0"), 64);
    assert_eq!(ports("x1000c0r1j*p0"), 32);
    assert_eq!(ports("x1000c0r1a0l[0-3],x1000c0r3j5"), 6);
    assert_eq!(ports("x2000c0r1j*"), 0);
}
