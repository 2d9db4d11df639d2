//! A fabric that another program described: it comes up, and that program's names lead to its
//! parts.

use crate::common::new_folder;
use crate::common::{ask, get, put};
use philae_manager::{Manager, load};
use philae_manager_core::ControlSettings;
use serde_json::{Value, json};
use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};
use tempfile::TempDir;

fn texts(value: &Value, found: &mut Vec<String>) {
    match value {
        Value::String(text) => found.push(text.clone()),
        Value::Array(items) => items.iter().for_each(|item| texts(item, found)),
        Value::Object(fields) => fields.values().for_each(|field| texts(field, found)),
        _ => {}
    }
}

/// Ports have the numbers that stand on the switches; jacks that the file does not have are
/// nowhere.
#[test]
fn ports_are_named_by_the_label_of_their_switch_and_the_number_of_the_file() {
    let folder = new_folder();
    let mut manager = manager(&folder);
    let cut = |manager: &mut Manager, port: &str| {
        ask(manager, "POST", &format!("/api/v1/simulation/links/{port}/cut"), Value::Null).expect("a link");
        manager.run();
    };
    cut(&mut manager, "x3000c0r1a0l62");
    let answer = get(&mut manager, "/api/v1/explain/port/x3000c0r1a0l62")["answer"].clone();
    let headline = answer["headline"].as_str().expect("text");
    assert!(
        headline.starts_with("port 63 of leaf01 (x3000c0r1a0l62) to port 1 of spine01 (x3000c0r5a0l0): DOWN"),
        "{answer}"
    );
    let next = "reseat the cable between port 63 of leaf01 and port 1 of spine01, then exchange it";
    assert_eq!(answer["next"], next);
    let detail = get(&mut manager, "/api/v1/alarms")["items"][0]["detail"].clone();
    let detail = detail.as_str().expect("text");
    assert!(detail.starts_with("link port 63 of leaf01 (x3000c0r1a0l62) - port 1 of spine01"), "{detail}");
    // An edge port, and what exchanged cables are called.
    cut(&mut manager, "x3000c0r3a0l2");
    let answer = get(&mut manager, "/api/v1/explain/port/io-1")["answer"]["next"].clone();
    assert_eq!(answer, "check that the node is on, then reseat the cable in port 3 of leaf02");
    let order = "/api/v1/simulation/links/x3000c0r1a0l63/exchange/x3000c0r3a0l63";
    ask(&mut manager, "POST", order, Value::Null).expect("two links");
    manager.run();
    let alarms = get(&mut manager, "/api/v1/alarms").to_string();
    assert!(alarms.contains("the cables in port 64 of leaf01 and port 64 of leaf02 are exchanged"), "{alarms}");
    let mut told = Vec::new();
    for path in [
        "status",
        "alarms",
        "events",
        "ports?limit=1000",
        "links",
        "nics",
        "flaps",
        "explain/port/x3000c0r1a0l62",
        "explain/port/x3000c0r1a0l63",
        "explain/switch/leaf01",
        "explain/path?from=gpu01 mlx5_0&to=io-1",
    ] {
        texts(&get(&mut manager, &format!("/api/v1/{path}")), &mut told);
    }
    let is_jack = |text: &&String| {
        text.split(|letter: char| !letter.is_alphanumeric())
            .any(|word| word.parse::<philae_inventory::Xname>().is_ok_and(|name| name.number('j').is_some()))
    };
    let jacks: Vec<&String> = told.iter().filter(is_jack).collect();
    assert!(jacks.is_empty(), "{jacks:?}");
    let events: Vec<&String> = told.iter().filter(|text| text.starts_with("link ")).collect();
    assert!(!events.is_empty() && events.iter().all(|text| text.contains("port 6")), "{events:?}");
    // What texts say can be asked for.
    let named = get(&mut manager, "/api/v1/names?name=port 63 of leaf01");
    assert_eq!((&named["kind"], &named["name"]), (&json!("ports"), &json!("x3000c0r1a0l62")));
    let wrong = ask(&mut manager, "GET", "/api/v1/names?name=port 0 of leaf01", Value::Null).expect_err("from 1");
    assert!(wrong.detail.contains("ports 1 to 64 would work"), "{wrong:?}");
}

#[test]
fn links_below_the_rate_of_the_others_are_named() {
    let folder = new_folder();
    let text = DUMP.replacen("# \"MF0;spine01:MQM9700/U1\" lid 3 4xNDR", "# \"MF0;spine01:MQM9700/U1\" lid 3 2xNDR", 1);
    let path = folder.path().join("narrow.net");
    std::fs::write(&path, text).expect("a temporary file");
    let fabric = load(&path.to_string_lossy()).expect("a netlist");
    let words = "2 links run below the rate of most others: port 63 of leaf01 to port 1 of spine01 (200 Gb/s, 2xNDR); \
                 port 3 of leaf02 to x3001c0s3b0n0h0 (io-1 HCA-1) (200 Gb/s, 4xHDR)";
    let mut manager = Manager::simulated(fabric, ControlSettings::default(), None).expect("it can be routed");
    manager.run();
    let status = get(&mut manager, "/api/v1/status");
    assert_eq!(status["slowLinks"], json!({ "count": 2, "summary": words }), "{status}");
    // The plan says so: nothing has changed, and no word does.
    assert_eq!(status["word"], "HEALTHY");
    let screen = philae_manager_api::status_screen(&status, &get(&mut manager, "/api/v1/alarms"), false);
    assert!(screen.contains("  Rates          2 links run below the rate of most others"), "{screen}");
    assert!(screen.lines().all(|line| line.chars().count() <= 80), "{screen}");
    let source = philae_inventory::SystemSource::load(&path.to_string_lossy(), &philae_inventory::Models::built_in());
    assert!(source.expect("a netlist").warnings().iter().any(|warning| warning == words));
    let rate = get(&mut manager, "/api/v1/explain/port/x3000c0r1a0l62")["answer"]["rate"].clone();
    assert_eq!(rate, "200 Gb/s (2xNDR), where most links between switches have 400 Gb/s");
    let nics = get(&mut manager, "/api/v1/nics");
    assert_eq!((&nics["items"][0]["rateGbps"], &nics["items"][0]["portNumber"]), (&json!(400.0), &json!(1)));
    // All systems that are built in are of one rate for each kind of link.
    assert_eq!(load("shandy").expect("built in").slow_text(), None);
}

#[test]
fn a_netlist_that_was_exported_has_the_labels_and_rates_of_the_first() {
    let folder = new_folder();
    let text = DUMP.replace("lid 3 4xNDR", "lid 3 2xHDR");
    let path = folder.path().join("hall.net");
    std::fs::write(&path, text).expect("a temporary file");
    let first = load(&path.to_string_lossy()).expect("a netlist");
    std::fs::write(&path, first.to_netlist()).expect("a temporary file");
    let second = load(&path.to_string_lossy()).expect("what was exported");
    for switch in (0..first.switch_count()).map(philae_units::SwitchId::from_index) {
        assert_eq!(first.switch_text(switch), second.switch_text(switch));
    }
    for nic in (0..first.nic_count()).map(philae_units::EndpointId::from_index) {
        assert_eq!(first.nic_text(nic), second.nic_text(nic));
    }
    let node = |fabric: &philae_inventory::PlannedFabric| {
        (0..fabric.node_count())
            .map(|node| fabric.node_text(philae_units::NodeId::from_index(node)))
            .collect::<Vec<_>>()
    };
    assert_eq!(node(&first), node(&second));
    for port in (0..first.port_count()).map(philae_units::PortIndex::from_index) {
        assert_eq!(first.rate_text(port), second.rate_text(port), "{}", first.port_text(port));
    }
    assert!(first.to_netlist().contains("# 2xHDR"), "100 Gb/s is 4xEDR, too");
}

/// Two leaves and two spines with inner ports, and hosts of two rails, one on each leaf.
const DUMP: &str = r#"# Topology file

Non-Chassis Nodes

Switch	65 "S-b1"		# "MF0;leaf01:MQM9700/U1" enhanced port 0 lid 1 lmc 0
[1]	"H-a1"[1](a1) 		# "gpu01 mlx5_0" lid 10 4xNDR
[2]	"H-a3"[1](a3) 		# "gpu02 mlx5_0" lid 12 4xNDR
[63]	"S-b3"[1]		# "MF0;spine01:MQM9700/U1" lid 3 4xNDR
[64]	"S-b4"[1]		# "MF0;spine02:MQM9700/U1" lid 4 4xNDR
[65]	"H-c1"[1](c1) 		# "Mellanox Technologies Aggregation Node" lid 90 4xNDR

Switch	65 "S-b2"		# "MF0;leaf02:MQM9700/U1" enhanced port 0 lid 2 lmc 0
[1]	"H-a2"[1](a2) 		# "gpu01 mlx5_1" lid 11 4xNDR
[2]	"H-a4"[1](a4) 		# "gpu02 mlx5_1" lid 13 4xNDR
[3]	"H-a5"[1](a5) 		# "io-1 HCA-1" lid 14 4xHDR
[63]	"S-b3"[2]		# "MF0;spine01:MQM9700/U1" lid 3 4xNDR
[64]	"S-b4"[2]		# "MF0;spine02:MQM9700/U1" lid 4 4xNDR

Switch	65 "S-b3"		# "MF0;spine01:MQM9700/U1" enhanced port 0 lid 3 lmc 0
Switch	65 "S-b4"		# "MF0;spine02:MQM9700/U1" enhanced port 0 lid 4 lmc 0

Ca	1 "H-a1"		# "gpu01 mlx5_0"
Ca	1 "H-a2"		# "gpu01 mlx5_1"
Ca	1 "H-a3"		# "gpu02 mlx5_0"
Ca	1 "H-a4"		# "gpu02 mlx5_1"
Ca	1 "H-a5"		# "io-1 HCA-1"
Ca	1 "H-c1"		# "Mellanox Technologies Aggregation Node"
"#;

fn dump(folder: &TempDir) -> PathBuf {
    let path = folder.path().join("hall.net");
    std::fs::write(&path, DUMP).expect("a temporary file");
    path
}

fn manager(folder: &TempDir) -> Manager {
    let fabric = load(&dump(folder).to_string_lossy()).expect("a netlist");
    let mut manager = Manager::simulated(fabric, ControlSettings::default(), None).expect("it can be routed");
    manager.run();
    manager
}

fn column(list: &Value, key: &str) -> Vec<String> {
    let items = list["items"].as_array().expect("a list").iter();
    items.map(|item| item[key].as_str().unwrap_or("").to_owned()).collect()
}

#[test]
fn lists_show_labels_and_take_them() {
    let folder = new_folder();
    let mut manager = manager(&folder);
    assert_eq!(get(&mut manager, "/api/v1/status")["word"], "HEALTHY");
    let all = get(&mut manager, "/api/v1/switches");
    assert_eq!(column(&all, "label"), ["leaf01", "leaf02", "spine01", "spine02"]);
    let of = |manager: &mut Manager, target: &str| column(&get(manager, target), "name");
    assert_eq!(of(&mut manager, "/api/v1/switches?name=leaf01"), ["x3000c0r1b0"]);
    assert_eq!(of(&mut manager, "/api/v1/switches?name=*spine*").len(), 2);
    assert_eq!(of(&mut manager, "/api/v1/switches?name=MF0;leaf02:MQM9700/U1"), ["x3000c0r3b0"]);
    assert_eq!(of(&mut manager, "/api/v1/switches?selector=label=leaf0?").len(), 2);
    assert_eq!(of(&mut manager, "/api/v1/links?label=spine01").len(), 2);
    assert_eq!(of(&mut manager, "/api/v1/nics?label=gpu02 mlx5_?").len(), 2);
    let ports = get(&mut manager, "/api/v1/ports?limit=1000&label=leaf02&role=edge");
    assert_eq!(column(&ports, "peerLabel"), ["gpu01 mlx5_1", "gpu02 mlx5_1", "io-1 HCA-1"]);
    let rates: Vec<f64> =
        ports["items"].as_array().expect("a list").iter().filter_map(|port| port["rateGbps"].as_f64()).collect();
    assert_eq!(rates, [400.0, 400.0, 200.0]);
    assert_eq!(get(&mut manager, "/api/v1/links?limit=1")["items"][0]["rateGbps"], 400.0);
    assert_eq!(of(&mut manager, "/api/v1/ports?limit=1000&selector=switch=leaf01,role=edge").len(), 2);
    let nics = get(&mut manager, "/api/v1/nics?name=gpu01*");
    assert_eq!(column(&nics, "label"), ["gpu01 mlx5_0", "gpu01 mlx5_1"]);
    assert_eq!(column(&nics, "switch"), ["x3000c0r1b0", "x3000c0r3b0"], "a rail on each");
    assert_eq!(of(&mut manager, "/api/v1/nics?selector=label=io-1").len(), 1);
    assert_eq!(column(&get(&mut manager, "/api/v1/nics?name=gpu02 mlx5_1"), "port"), ["x3000c0r3a0l1"]);
    // A name that does not exist, of either kind.
    assert_eq!(of(&mut manager, "/api/v1/switches?name=leaf09"), [""; 0]);
    let error = ask(&mut manager, "GET", "/api/v1/switches/leaf09", Value::Null).expect_err("no such switch");
    assert!(format!("{error:?}").contains("did you mean 'leaf01' or 'leaf02'?"), "{error:?}");
}

#[test]
fn explanations_and_policies_take_them_and_documents_keep_one_name_for_each() {
    let folder = new_folder();
    let mut manager = manager(&folder);
    let answer = get(&mut manager, "/api/v1/explain/switch/leaf01")["answer"]["headline"].clone();
    let headline = answer.as_str().expect("a text");
    assert!(headline.starts_with("switch x3000c0r1b0, leaf01 (group 0): SYNCED"), "{headline}");
    let io = get(&mut manager, "/api/v1/explain/port/io-1");
    let headline = io["answer"]["headline"].as_str().expect("a text");
    assert!(
        headline.starts_with("port 3 of leaf02 (x3000c0r3a0l2) to NIC x3001c0s3b0n0h0 (io-1 HCA-1): UP"),
        "{headline}"
    );
    assert_eq!(io["answer"]["rate"], "200 Gb/s (4xHDR), where most links to NICs have 400 Gb/s");
    let error = ask(&mut manager, "GET", "/api/v1/explain/port/gpu01", Value::Null).expect_err("two rails");
    assert!(format!("{error:?}").contains("is the label of 2 NICs: x3001c0s1b0n0h0, x3001c0s1b0n0h1"), "{error:?}");
    let ports = |manager: &mut Manager, selector: &str| {
        let done = put(
            manager,
            "/api/v1/port-policies/some",
            json!({ "selector": selector, "settings": { "mtuBytes": 2000 } }),
        );
        let _ = done;
        manager.run();
        let names = |item: &Value| item["name"].as_str().expect("a name").to_owned();
        let list = get(manager, "/api/v1/ports?limit=1000");
        let all: Vec<String> = list["items"].as_array().expect("a list").iter().map(names).collect();
        let has = |manager: &mut Manager, name: &String| {
            let explained = get(manager, &format!("/api/v1/explain/port/{name}"));
            let fields = explained["fields"].as_array().expect("a list").iter();
            fields.clone().any(|field| field["field"] == "/mtuBytes" && field["value"] == 2000)
        };
        all.into_iter().filter(|name| has(manager, name)).collect::<Vec<_>>()
    };
    assert_eq!(ports(&mut manager, "switch=leaf01,role=edge"), ["x3000c0r1a0l0", "x3000c0r1a0l1"]);
    assert_eq!(ports(&mut manager, "name=gpu02*"), ["x3000c0r1a0l1", "x3000c0r3a0l1"]);
    assert_eq!(ports(&mut manager, "label=MF0;leaf02:*,role=edge,name=io-1*"), ["x3000c0r3a0l2"]);
    let body = json!({ "spec": {} });
    let refused = ask(&mut manager, "PUT", "/api/v1/switches/leaf01", body).expect_err("no document has this name");
    assert!(refused.status == 422 || refused.status == 404 || refused.status == 400, "{refused:?}");
}

#[test]
fn a_label_that_is_another_switch_s_xname_never_means_its_own_switch() {
    let folder = new_folder();
    // leaf01 is x3000c0r1b0, and its label is the name of leaf02.
    let text = DUMP.replace("MF0;leaf01:MQM9700/U1", "x3000c0r3b0").replace("MF0;spine02:MQM9700/U1", "gpu02 mlx5_0");
    let path = folder.path().join("misleading.net");
    std::fs::write(&path, text).expect("a temporary file");
    let fabric = load(&path.to_string_lossy()).expect("a netlist");
    let told = fabric.misleading_labels();
    assert_eq!(told.len(), 1, "{told:?}");
    assert!(told[0].contains("x3000c0r1") && told[0].contains("'x3000c0r3b0'"), "{told:?}");
    let mut manager = Manager::simulated(fabric, ControlSettings::default(), None).expect("it can be routed");
    manager.run();
    let meant = get(&mut manager, "/api/v1/names?name=x3000c0r3b0");
    assert_eq!((&meant["kind"], &meant["name"]), (&json!("switches"), &json!("x3000c0r3b0")), "{meant}");
    for path in ["switches", "explain/switch", "routes"] {
        let shown = get(&mut manager, &format!("/api/v1/{path}/x3000c0r3b0"));
        let name = if shown["name"].is_null() { &shown["switch"] } else { &shown["name"] };
        assert_eq!(name, "x3000c0r3b0", "{path}");
    }
    let lost = ask(&mut manager, "POST", "/api/v1/what-if", json!({ "switches": ["x3000c0r3b0"] })).expect("known");
    assert_eq!(lost["after"]["nicsCutOff"], 3, "leaf02 has three: {lost}");
    ask(&mut manager, "POST", "/api/v1/switches/x3000c0r3b0/drain?force=true", Value::Null).expect("it is drained");
    manager.run();
    let planned = get(&mut manager, "/api/v1/status")["planned"].to_string();
    assert!(planned.contains("x3000c0r3b0"), "{planned}");
    // A label of several things, of one kind or of two, lists them; with the kind one is meant.
    let several = ask(&mut manager, "GET", "/api/v1/names?name=gpu01", Value::Null).expect_err("two rails");
    assert!(several.status == 409 && several.detail.contains("x3001c0s1b0n0h0, x3001c0s1b0n0h1"), "{several:?}");
    let several = ask(&mut manager, "GET", "/api/v1/names?name=gpu02 mlx5_0", Value::Null).expect_err("two sorts");
    assert!(several.status == 409 && several.detail.contains("switches and NICs"), "{several:?}");
    let nic = get(&mut manager, "/api/v1/names?name=gpu02 mlx5_0&kind=ports");
    assert_eq!(nic["name"], "x3000c0r1a0l1", "{nic}");
    assert_eq!(get(&mut manager, "/api/v1/ports/io-1 HCA-1")["name"], "x3000c0r3a0l2", "a NIC stands for its port");
    let wrong = ask(&mut manager, "GET", "/api/v1/explain/path?from=io-1 HCA-1&to=leaf02", Value::Null);
    let wrong = wrong.expect_err("a way does not end at a switch").detail;
    assert!(wrong.contains("is a switch; a port or a NIC would work, such as its port x3000c0r3a0l"), "{wrong}");
}

struct Running(std::process::Child);

impl Drop for Running {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn program(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_philae-manager")).args(arguments).output().expect("the program runs")
}

#[test]
fn an_import_is_served_measured_drained_and_exported() {
    let folder = new_folder();
    let path = dump(&folder).to_string_lossy().into_owned();
    let state = folder.path().join("state");
    let mut child = Command::new(env!("CARGO_BIN_EXE_philae-manager"))
        .args(["manager", "serve", "--simulated", "--system", &path, "--listen", "127.0.0.1:0", "--state"])
        .arg(&state)
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut lines = BufReader::new(child.stderr.take().expect("it is piped")).lines();
    let _running = Running(child);
    let mut told = Vec::new();
    let base = loop {
        let line = lines.next().expect("it says where it listens").expect("a line");
        let address = line.split_whitespace().find_map(|word| word.strip_prefix("http://"));
        if let Some(address) = address {
            break format!("http://{}", address.trim_end_matches(';'));
        }
        told.push(line);
    };
    assert!(told.iter().any(|line| line.contains("1 aggregation node (SHARP) is left out")), "{told:?}");
    let fabric = |arguments: &[&str]| {
        let output = program(&[&["fabric", "--manager", &base][..], arguments].concat());
        let text = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
        (output.status.code(), text)
    };
    let (code, status) = fabric(&["status", "--check"]);
    assert_eq!(code, Some(0), "{status}");
    let (_, switches) = fabric(&["show", "switches"]);
    assert!(switches.contains("label") && switches.contains("leaf02"), "{switches}");
    assert!(switches.lines().all(|line| line.chars().count() <= 80), "{switches}");
    let (_, nics) = fabric(&["show", "nics", "-q", "name=gpu01*"]);
    assert!(nics.contains("gpu01 mlx5_1") && !nics.contains("gpu02"), "{nics}");
    for name in ["leaf01", "MF0;leaf01:MQM9700/U1"] {
        let (code, text) = fabric(&["explain", name]);
        assert!(code == Some(0) && text.starts_with("switch x3000c0r1b0, leaf01"), "{name}: {text}");
    }
    let (code, text) = fabric(&["explain", "gpu01 mlx5_0", "io-1"]);
    assert!(code == Some(0) && text.contains("hops at most"), "{text}");
    let (code, text) = fabric(&["explain", "gpu01"]);
    assert!(code == Some(2) && text.contains("'gpu01' is the label of 2 NICs: x3001c0s1b0n0h0"), "{text}");
    let (code, text) = fabric(&["show", "switches", "spine02"]);
    assert!(code == Some(0) && text.contains("x3000c0r7b0"), "{text}");
    let (code, text) = fabric(&["drain", "spine01", "--force"]);
    assert!(code == Some(0), "{text}");
    let (_, text) = fabric(&["status"]);
    assert!(text.contains("(spine01)"), "{text}");
    let (code, text) = fabric(&["restore", "spine01"]);
    assert!(code == Some(0), "{text}");
    // No global link at all.
    let measured = program(&["manager", "measure", "--system", &path]);
    assert!(measured.status.success(), "{}", String::from_utf8_lossy(&measured.stderr));
    // An export does not replace what it reads, or a file of another kind.
    let before = std::fs::read(&path).expect("the system");
    for format in ["template", "cabling", "ibsim", "slurm", "slurm-yaml", "graphml"] {
        let refused = program(&["manager", "export", "--system", &path, "--format", format, "--output", &path]);
        let text = String::from_utf8_lossy(&refused.stderr).into_owned();
        assert!(refused.status.code() == Some(2) && text.contains("the command reads it"), "{format}: {text}");
    }
    assert_eq!(std::fs::read(&path).expect("the system"), before);
    let slurm = program(&["manager", "export", "--system", &path, "--format", "slurm"]);
    let slurm = String::from_utf8_lossy(&slurm.stdout).into_owned();
    assert_eq!(slurm, "# hall\nSwitchName=g0 Nodes=gpu[01-02],io-1\n");
    // Screens of firmware have labels, too, and fit a terminal.
    let document = folder.path().join("firmware.yaml");
    let spec = "{kind: switch-policy, name: firmware, spec: {selector: '', settings: {firmware: VERSION}}}";
    std::fs::write(&document, spec.replace("VERSION", "9.0")).expect("it can be written");
    let document = document.to_str().expect("plain");
    let (code, refused) = fabric(&["apply", document]);
    assert!(code == Some(2) && refused.contains("text in quotes, such as \"9.0\""), "{refused}");
    let long = format!("2.2.0-{}", "x".repeat(50));
    std::fs::write(document, spec.replace("VERSION", &long)).expect("it can be written");
    assert_eq!(fabric(&["apply", document]).0, Some(0));
    for arguments in [
        &["firmware", "start", "--dry-run"][..],
        &["firmware", "start", "--soak-seconds", "0"],
        &["firmware", "status"],
        &["firmware", "pause"],
        &["firmware", "start", "--dry-run"],
        &["firmware", "abort"],
    ] {
        let (code, shown) = fabric(arguments);
        assert_eq!(code, Some(0), "{arguments:?}: {shown}");
        assert!(shown.lines().all(|line| line.chars().count() <= 80), "{arguments:?}: {shown}");
        assert!(shown.contains("leaf") || !shown.contains("x3000"), "labels are beside names: {arguments:?}: {shown}");
    }
    std::fs::write(document, spec.replace("VERSION", "2.2.0")).expect("it can be written");
    assert_eq!(fabric(&["apply", document]).0, Some(0));
    let (_, shown) = fabric(&["firmware", "switches"]);
    assert!(shown.lines().all(|line| line.chars().count() <= 80), "{shown}");
    assert!(shown.contains("label") && shown.contains("leaf02"), "{shown}");
}
