//! Systems in files of other tools.

use philae_scenario::{Scenario, ScenarioError, System};
use std::path::PathBuf;
use tempfile::TempDir;

/// Three switches in a row, as networkx writes them, with data that has no use.
const ROW: &str = r#"<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
<key id="d0" for="edge" attr.name="rate_gbits" attr.type="double"/>
<graph edgedefault="undirected"><node id="a"/><node id="b"/><node id="c"/>
<edge source="a" target="b"><data key="d0">10</data></edge><edge source="b" target="c"/>
</graph></graphml>"#;

struct Folder(TempDir);

impl Folder {
    fn new() -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        std::fs::write(folder.path().join("row.graphml"), ROW).expect("a temporary file");
        Self(folder)
    }

    fn scenario(&self, system: &str) -> PathBuf {
        let file = self.0.path().join("scenario.toml");
        let job = "[[job]]\nname = \"a\"\nnodes = 2\nworkload = { kind = \"barrier\", iterations = 1 }\n";
        std::fs::write(&file, format!("{system}\n{job}")).expect("a temporary file");
        file
    }
}

#[test]
fn a_graph_without_endpoints_gets_some_beside_its_path() {
    let folder = Folder::new();
    let bare = folder.scenario("system = \"row.graphml\"");
    let error = Scenario::load(&bare).expect("legal").resolve().expect_err("no endpoint").to_string();
    assert!(
        error.starts_with("system 'graph' has no endpoints, so that no job can run on it; `endpoints_per_switch`"),
        "{error}"
    );
    let set = [("system.endpoints_per_switch".to_owned(), "2".to_owned())];
    let by_table = folder.scenario("[system]\npath = \"row.graphml\"\nendpoints_per_switch = 2");
    let scenario = Scenario::load(&by_table).expect("legal");
    let resolved = scenario.resolve().expect("six endpoints");
    assert_eq!(resolved.system.topology.endpoint_count(), 6);
    // The resolved text runs alone, with the same system and its warnings.
    let again = Scenario::parse(&resolved.to_toml(), "again").expect("our own").resolve().expect("the same");
    // Another tool's names of its parts, and the file, are not part of a scenario: no result
    // depends on them.
    let mut written = (*resolved.system.description).clone();
    written.file = None;
    written.labels = philae_topology::GraphLabels::default();
    assert_eq!(*again.system.description, written);
    let warning = "`rate_gbits` of 1 edge is not used; did you mean `rate_gbps` (Gb/s)?";
    assert_eq!(again.system.description.warnings, [warning]);
    assert_eq!(
        Scenario::parse(&toml::to_string(&scenario).expect("TOML"), "it").expect("ours").system,
        scenario.system
    );
    // From a command line, where paths are relative to the working folder.
    let path = folder.0.path().join("row.graphml");
    let named = folder.scenario(&format!("system = '{}'", path.display()));
    let resolved = Scenario::load_with(&named, &set).expect("legal").resolve().expect("six endpoints");
    assert_eq!(resolved.system.topology.endpoint_count(), 6);
    let built_in = folder.scenario("system = \"malbec\"");
    let error = Scenario::load_with(&built_in, &set).expect_err("no file").to_string();
    assert!(error.contains("endpoints_per_switch"), "{error}");
    for (value, expected) in [("\"many\"", "endpoints_per_switch"), ("-1", "endpoints_per_switch")] {
        let wrong = folder.scenario(&format!("[system]\npath = \"row.graphml\"\nendpoints_per_switch = {value}"));
        assert!(Scenario::load(&wrong).expect_err("wrong").to_string().contains(expected));
    }
    let both = folder.scenario("[system]\npath = \"row.graphml\"\nradix = 4");
    assert!(
        Scenario::load(&both).expect_err("two keys").to_string().contains("next to `path` only `endpoints_per_switch`")
    );
}

#[test]
fn a_file_of_another_kind_is_named_for_what_it_is() {
    let folder = Folder::new();
    for (name, content, expected) in [
        (
            "s.toml",
            "system = \"malbec\"\n[[job]]\nname = \"a\"\n",
            "is a scenario, not a system; its system, 'malbec', would",
        ),
        ("t.goal", "num_ranks 1\nrank 0 {\n}\n", "is a trace (GOAL), not a system; `philae trace info "),
        ("x.sh", "#!/bin/sh\nOUT=x\n", "it looks like a script; TOML, JSON, GraphML,"),
        ("x.gml", "graph [ directed 0 ]\n", "it looks like GML (networkx: `read_gml`, then `write_graphml`)"),
        ("x.csv", "1,x1c0r1j1,none\n", "is not point-to-point cabling: line 1 of the cabling"),
        ("x.json", "{\"workload_graph\": []}", "unknown key `workload_graph`"),
    ] {
        let path = folder.0.path().join(name);
        std::fs::write(&path, content).expect("a temporary file");
        let error = System::load(&path.to_string_lossy()).expect_err("no system").to_string();
        assert!(error.contains(expected), "{error}");
    }
}

#[test]
fn fabrics_are_systems_too() {
    let folder = Folder::new();
    let template = folder.0.path().join("fabric.toml");
    std::fs::write(&template, "fabric_template = 1\nsystem = \"malbec\"\n").expect("a temporary file");
    let system = System::load(&template.to_string_lossy()).expect("a template");
    assert_eq!((system.topology.node_count(), system.topology.endpoint_count()), (484, 484));
    let said = "the fabric is a dragonfly: it is read as a graph of one group, also for routing";
    assert_eq!(system.description.warnings, [said]);
    let cabling = folder.0.path().join("cabling.csv");
    let rows = "cable_id,src_conn_a,src_conn_b,dst_conn_a,dst_conn_b,stage,src_egress_a,src_egress_b,dst_egress_a,\
        dst_egress_b,link_type,src_group,dst_group,part_number,part_length,calculated_distance,route,colour\n\
        1,x1c0r1j1,none,x1c0r3j1,none,1,none,none,none,none,local,0,0,7,0.75,0.5,[],blue\n\
        2,x1c0r1j2,none,x1c0s0b0n0h0,x1c0s0b1n0h0,1,none,none,none,none,edge,0,n/a,8,1,0.8,[],red\n";
    std::fs::write(&cabling, rows).expect("a temporary file");
    let system = System::load(&cabling.to_string_lossy()).expect("cabling");
    let topology = &system.topology;
    assert_eq!((topology.switch_count(), topology.node_count(), topology.links().local), (2, 2, 2));
    assert_eq!(system.description.warnings[0], "the column `colour` is not used");
    assert!(system.description.assumed.iter().any(|found| found.key == "ports of jacks"));
    let netlist = folder.0.path().join("two.net");
    let text = "Switch 4 \"S-1\"\n[1] \"S-2\"[1]\n[2] \"H-1\"[1]\n\nSwitch 4 \"S-2\"\n[2] \"H-2\"[1]\n\nCa 1 \"H-1\"\n\nCa 1 \"H-2\"\n";
    std::fs::write(&netlist, text).expect("a temporary file");
    let system = System::load(&netlist.to_string_lossy()).expect("a netlist");
    assert_eq!((system.topology.switch_count(), system.topology.endpoint_count()), (2, 2));
    assert!(system.description.assumed.iter().any(|found| found.key == "rate of all links"));
}

/// A scenario on a system in a file, with `[hardware]` in the file.
fn on_hardware(hardware: &str, scenario: &str) -> Result<philae_scenario::ResolvedScenario, ScenarioError> {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("mine.toml");
    let wiring = "fat_tree = { leaves = 2, endpoints_per_leaf = 4, spines = 2, links_per_pair = 1 }";
    std::fs::write(&path, format!("name = 'mine'\nnic = 'cassini-1'\n{wiring}\n{hardware}"))
        .expect("it can be written");
    let text = format!(
        "system = {path:?}\n[[job]]\nname = 'a'\nnodes = 2\nworkload = {{ kind = 'barrier', iterations = 1 }}\n{scenario}"
    );
    Scenario::parse(&text, "the text")?.resolve()
}

#[test]
fn a_system_brings_its_hardware_and_the_scenario_wins() {
    let own = "[hardware]\nnode = { pcie_tags = 77, memory_mbytes = 100000 }\nnic = { dma_read_ns = 300 }\n\
               host = { preset = 'cassini-1-shmem', copy_rate_mbytes = 9000 }\n\
               congestion = { flows_per_port = 99 }\njitter = { law = 'periodic', pause_ns = 7000 }";
    let found = on_hardware(own, "").expect("it resolves");
    let node = found.config.node.as_ref().expect("the system has a node");
    assert_eq!((node.pcie_tags, node.memory_mbytes, node.command_bytes), (77, 100_000, 64));
    assert_eq!((found.config.nic.dma_read_ns, found.config.host.copy_rate_mbytes), (300, 9_000));
    assert_eq!(found.config.host.bundle_max, philae_nic_model::HostParameters::cassini_1_shmem().bundle_max);
    assert_eq!(found.scenario.hardware.jitter.as_ref().and_then(|jitter| jitter.name()), Some("periodic"));
    let law = serde_json::to_value(&found.config.congestion).expect("a law is a table");
    assert_eq!(law["flows_per_port"], 99);
    // The whole scenario, written and read again, is the same run.
    let again = Scenario::parse(&found.to_toml(), "the text").expect("it can be read").resolve().expect("it resolves");
    assert_eq!(again.config, found.config);
    // Keys of the scenario win one by one; another preset replaces the table.
    let scenario =
        "[hardware]\nnode = { pcie_tags = 5 }\nhost = { preset = 'cassini-1-mpi' }\n[congestion]\nlaw = 'none'";
    let found = on_hardware(own, scenario).expect("it resolves");
    let node = found.config.node.as_ref().expect("the system has a node");
    assert_eq!((node.pcie_tags, node.memory_mbytes), (5, 100_000));
    assert_eq!(found.config.host, philae_nic_model::HostParameters::cassini_1_mpi());
    assert_eq!(found.config.congestion.name(), "none");
    let bare = on_hardware("", "").expect("it resolves");
    assert_eq!(bare.config.node, Some(philae_nic_model::NodeParameters::cassini_1()), "the node of the NIC's name");
    assert!(bare.config.laws.jitter.is_none());
    let none = on_hardware(own, "[hardware]\nnode = { preset = 'none' }").expect("it resolves");
    assert_eq!(none.config.node, None, "nothing is left to limit");
    let again = Scenario::parse(&none.to_toml(), "the text").expect("it can be read").resolve().expect("it resolves");
    assert_eq!(again.config.node, None);
    let mixed = on_hardware("", "[hardware.node]\npreset = 'none'\nmemory_mbytes = 9000").expect("it resolves");
    assert_eq!(mixed.config.node.map(|node| (node.memory_mbytes, node.pcie_read_mbytes)), Some((9_000, 0)));
}

#[test]
fn mistakes_in_the_hardware_of_a_system_name_its_file_and_the_key() {
    for (hardware, expected) in [
        ("[hardware.node]\npcie_tagz = 3", ["pcie_tagz", "[hardware.node]"]),
        ("[hardware.node]\nmemory_copies_percent = 101", ["hardware.node.memory_copies_percent", "1 to 100"]),
        ("[hardware.nic]\npreset = 'cassini-9'", ["hardware.nic.preset", "cassini-1"]),
        ("[hardware.memory]\nrate = 1", ["memory", "node"]),
        ("[hardware.host]\npath = 'best'", ["hardware.host", "direct"]),
        ("[hardware.congestion]\nlaw = 'ecn'", ["hardware.congestion.law", "congestion = \"ecn\""]),
    ] {
        let text = on_hardware(hardware, "").expect_err("it cannot run").to_string();
        assert!(text.contains("system 'mine' of '") && text.contains("mine.toml'"), "{text}");
        assert!(expected.iter().all(|part| text.contains(part)), "{hardware}: {text}");
    }
}

#[test]
fn a_description_checks_and_shows_the_hardware_of_a_system() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let described = |hardware: &str| {
        let path = folder.path().join("mine.toml");
        let wiring = "fat_tree = { leaves = 2, endpoints_per_leaf = 4, spines = 2, links_per_pair = 1 }";
        std::fs::write(&path, format!("name = 'mine'\n{wiring}\n{hardware}")).expect("it can be written");
        System::load(&path.to_string_lossy()).expect("it can be wired")
    };
    let system = described("[hardware.node]\npreset = 'lumi-c'");
    system.check().expect("it can run");
    assert_eq!(system.to_json(None)["hardware"]["node"]["preset"], "lumi-c");
    let small = described("[hardware.node]\nbuffer_bytes = 66000");
    let text = small.check().expect_err("the buffer has no room for a pause").to_string();
    assert!(text.contains("66000 bytes of buffer"), "{text}");
    let wrong = described("[hardware.host]\nsend_overhead = 3").check().expect_err("there is no such key").to_string();
    assert!(wrong.contains("'mine' of '") && wrong.contains("send_overhead_ns"), "{wrong}");
}

/// A fat tree of two leaves with 70 nodes each, below two spines.
fn wide(keys: &str, more: &str) -> String {
    format!(
        "{more}\n[[job]]\nname = \"a\"\nworkload = {{ kind = \"barrier\", iterations = 1 }}\n[system]\nname = \"wide\"\n{keys}\n[system.fat_tree]\nleaves = 2\nendpoints_per_leaf = 70\nspines = 2\n"
    )
}

#[test]
fn switches_of_more_than_64_ports_are_described_by_their_radix() {
    let of = |keys: &str, more: &str| Scenario::parse(&wide(keys, more), "wide.toml").expect("legal").resolve();
    let refused = of("", "").expect_err("72 ports").to_string();
    assert!(refused.contains("it has 64") && refused.contains("a higher radix would work"), "{refused}");
    let refused = of("radix = 257", "").expect_err("257 ports").to_string();
    assert!(refused.contains("the switch has 257 ports; 1 to 256 would work"), "{refused}");
    let built = of("radix = 144", "").expect("144 ports");
    assert_eq!((built.system.topology.radix(), built.system.topology.endpoint_count()), (144, 140));
    let warned = "system wide: its switches have 144 ports and those of the presets 64 at most";
    assert!(matches!(&built.warnings[..], [only] if only.starts_with(warned)), "{:?}", built.warnings);
    // The resolved text has all figures, and they are still those of the preset.
    let again = Scenario::parse(&built.to_toml(), "again").expect("our own").resolve().expect("the same");
    assert_eq!(again.warnings, built.warnings);
    for (keys, more) in [
        ("radix = 144\n[system.hardware.switch]\nlatency_ns = 400\nbuffer_shared_bytes = 900000", ""),
        ("radix = 144", "[hardware.switch]\nlatency_ns = 400\nbuffer_shared_bytes = 900000"),
        ("radix = 64\n[system.hardware]", "[hardware.switch]\nlatency_ns = 400"),
    ] {
        match of(keys, more) {
            Ok(set) => assert_eq!(set.warnings, Vec::<String>::new(), "the switch has figures of its own"),
            Err(error) => assert!(keys.contains("64") && error.to_string().contains("a higher radix"), "{error}"),
        }
    }
    // Other figures do not grow with the ports, and one of two is not both.
    for (key, kept) in [
        ("latency_ns = 400", "but hardware.switch.buffer_shared_bytes is the preset's"),
        (
            "flow_queues = 100",
            "but hardware.switch.latency_ns and hardware.switch.buffer_shared_bytes are the preset's",
        ),
    ] {
        let warned = of("radix = 144", &format!("[hardware.switch]\n{key}")).expect("legal").warnings;
        assert!(matches!(&warned[..], [only] if only.contains(kept)), "{warned:?}");
    }
    // Whatever the wiring, a wrong radix is the error, and not what follows from it.
    for radix in ["0", "1000000000000"] {
        let refused = of(&format!("radix = {radix}"), "").expect_err("no radix").to_string();
        assert!(refused.contains(&format!("the switch has {radix} ports; 1 to 256 would work")), "{refused}");
    }
}

#[test]
fn forwarding_tables_have_64_ports_a_switch() {
    let built = Scenario::parse(&wide("radix = 72", ""), "wide.toml").expect("legal").resolve().expect("72 ports");
    let error = philae_route_tables::FabricWiring::of(&built.system.topology).expect_err("72 ports").to_string();
    assert!(error.starts_with("72 ports a switch; forwarding tables have room for 64: "), "{error}");
}

#[test]
fn a_node_of_another_nic_is_named() {
    let of = |hardware: &str| {
        let text = format!(
            "system = \"shandy\"\n[hardware]\n{hardware}[[job]]\nname = \"a\"\nnodes = 4\n\
             workload = {{ kind = \"alltoall\", bytes = \"1KiB\", iterations = 1 }}\n"
        );
        Scenario::parse(&text, "n.toml").expect("legal").resolve().expect("legal").warnings
    };
    let other = of("nic.preset = \"cassini-1\"\nnode.preset = \"shandy\"\n");
    let named = "hardware.node is \"shandy\", whose bus is that of the NIC \"connectx-5\", and hardware.nic is \"cassini-1\": \
                 \"cassini-1\" is the node of this NIC";
    assert_eq!(other, [named]);
    for own in [
        "node.preset = \"shandy\"\n",
        "nic.preset = \"cassini-1\"\nnode.preset = \"alps\"\n",
        "node.preset = \"none\"\n",
        "",
    ] {
        assert_eq!(of(own), Vec::<String>::new(), "{own}");
    }
}
