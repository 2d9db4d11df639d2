//! Netlists of InfiniBand fabrics: rails, widths and speeds, aggregation nodes, headings, the port
//! report.

use philae_inventory::{LookupError, Models, Netlist, PlannedFabric, SystemSource, Template};
use philae_topology::PortPeer;
use philae_units::{EndpointId, NodeId, PortId, SwitchId};
use std::fmt::Write;

fn build(text: &str) -> PlannedFabric {
    Template::from_netlist(text, "lab").expect("a netlist").build(&Models::built_in()).expect("consistent")
}

fn warnings(text: &str) -> Vec<String> {
    Netlist::parse(text).expect("a netlist").warnings()
}

/// A leaf and a spine of 64 ports and one internal port, two hosts of two rails, a storage host, a
/// router.
const NDR: &str = r#"#
# Topology file: generated on Sat Nov 28 10:00:00 2026
#
# Initiated from node 00aa000000000001 port 00aa000000000001

vendid=0x2c9
devid=0xd2f2
sysimgguid=0xbb00000000000001
switchguid=0xbb00000000000001(bb00000000000001)
Switch	65 "S-bb00000000000001"		# "MF0;leaf01:MQM9700/U1" enhanced port 0 lid 1 lmc 0
[1]	"H-00aa000000000001"[1](aa000000000001) 		# "gpu01 mlx5_10" lid 10 4xNDR
[2]	"H-00aa000000000002"[1](aa000000000002) 		# "gpu01 mlx5_2" lid 11 4xNDR
[3]	"H-00aa000000000003"[1](aa000000000003) 		# "gpu02 mlx5_2" lid 12 2xNDR
[9]	"R-00aa000000000009"[1](aa000000000009) 		# "gateway" lid 19 4xEDR
[64]	"S-bb00000000000002"[64]		# "MF0;spine01:MQM9700/U1" lid 2 4xNDR
[65]	"H-cc00000000000001"[1](cc00000000000001) 		# "Mellanox Technologies Aggregation Node" lid 90 4xNDR

sysimgguid=0xbb00000000000002
switchguid=0xbb00000000000002(bb00000000000002)
Switch	65 "S-bb00000000000002"		# "MF0;spine01:MQM9700/U1" enhanced port 0 lid 2 lmc 0
[1]	"H-00aa000000000004"[1](aa000000000004) 		# "storage HCA-1" lid 13 1xSDR
[2]	"H-00aa000000000004"[2](aa000000000005) 		# "storage HCA-1" lid 14 4xFDR
[64]	"S-bb00000000000001"[64]		# "MF0;leaf01:MQM9700/U1" lid 1 4xNDR
[65]	"H-cc00000000000002"[1](cc00000000000002) 		# "Mellanox Technologies Aggregation Node" lid 91 4xNDR

caguid=0xcc00000000000001
Ca	1 "H-cc00000000000001"		# "Mellanox Technologies Aggregation Node"
[1](cc00000000000001) 	"S-bb00000000000001"[65]		# lid 90 lmc 0 "MF0;leaf01:MQM9700/U1" lid 1 4xNDR

caguid=0x00aa000000000001
Ca	1 "H-00aa000000000001"		# "gpu01 mlx5_10"
[1](aa000000000001) 	"S-bb00000000000001"[1]		# lid 10 lmc 0 "MF0;leaf01:MQM9700/U1" lid 1 4xNDR

caguid=0x00aa000000000002
Ca	1 "H-00aa000000000002"		# "gpu01 mlx5_2"
[1](aa000000000002) 	"S-bb00000000000001"[2]		# lid 11 lmc 0 "MF0;leaf01:MQM9700/U1" lid 1 4xNDR

caguid=0x00aa000000000003
Ca	1 "H-00aa000000000003"		# "gpu02 mlx5_2"
[1](aa000000000003) 	"S-bb00000000000001"[3]		# lid 12 lmc 0 "MF0;leaf01:MQM9700/U1" lid 1 2xNDR

caguid=0x00aa000000000004
Ca	2 "H-00aa000000000004"		# "storage HCA-1"
[1](aa000000000004) 	"S-bb00000000000002"[1]		# lid 13 lmc 0 "MF0;spine01:MQM9700/U1" lid 2 1xSDR
[2](aa000000000005) 	"S-bb00000000000002"[2]		# lid 14 lmc 0 "MF0;spine01:MQM9700/U1" lid 2 4xFDR

caguid=0xcc00000000000002
Ca	1 "H-cc00000000000002"		# "Mellanox Technologies Aggregation Node"
[1](cc00000000000002) 	"S-bb00000000000002"[65]		# lid 91 lmc 0 "MF0;spine01:MQM9700/U1" lid 2 4xNDR

rtguid=0x00aa000000000009
Rt	1 "R-00aa000000000009"		# "gateway"
[1](aa000000000009) 	"S-bb00000000000001"[9]		# lid 19 lmc 0 "MF0;leaf01:MQM9700/U1" lid 1 4xEDR
"#;

fn rate_of(fabric: &PlannedFabric, switch: u32, port: u8) -> f64 {
    let port = fabric.port_index(SwitchId(switch), PortId(port - 1));
    fabric.cable(port).expect("a cable").rate.as_gbps_f64()
}

#[test]
fn rails_are_nics_of_one_node_and_aggregation_nodes_are_no_hosts() {
    let fabric = build(NDR);
    assert_eq!((fabric.switch_count(), fabric.node_count(), fabric.nic_count()), (2, 4, 6));
    assert_eq!(fabric.radix(), 64, "port 65 is inside the switch");
    let node = fabric.node_by_label("gpu01").expect("one host");
    let nics: Vec<&str> = fabric.nics_of(node).map(|nic| fabric.nic_label(EndpointId(nic)).expect("its own")).collect();
    assert_eq!(nics, ["gpu01 mlx5_2", "gpu01 mlx5_10"], "numbers count as numbers");
    let port = fabric.nics()[fabric.nics_of(node).start as usize].port;
    assert_eq!(port, fabric.port_index(SwitchId(0), PortId(1)));
    // Both ports of one adapter.
    let storage = fabric.node_by_label("storage").expect("one host");
    let nics: Vec<EndpointId> = fabric.nics_of(storage).map(EndpointId).collect();
    assert_eq!(nics.len(), 2);
    assert_eq!(fabric.nic_label(nics[1]), Some("storage HCA-1 port 2"));
    let gateway = fabric.node_by_label("gateway").expect("the router");
    assert!(!fabric.nodes()[gateway.index()].compute, "no jobs run there");
    assert_eq!(
        warnings(NDR),
        [
            "2 aggregation nodes (SHARP) are left out: a part of its switch, at an internal port",
            "1 router (Rt) is a node on which no jobs run: other subnets are not part of the file",
        ]
    );
}

#[test]
fn widths_and_speeds_are_rates() {
    let fabric = build(NDR);
    assert_eq!(rate_of(&fabric, 0, 1), 400.0);
    assert_eq!(rate_of(&fabric, 0, 3), 200.0);
    assert_eq!(rate_of(&fabric, 0, 9), 100.0);
    assert_eq!(rate_of(&fabric, 0, 64), 400.0);
    assert_eq!(rate_of(&fabric, 1, 1), 2.0);
    assert_eq!(rate_of(&fabric, 1, 2), 54.545);
    let assumed = Netlist::parse(NDR).expect("a netlist").assumed();
    let told: Vec<String> =
        assumed.iter().map(|found| format!("{}: {} ({})", found.key, found.value, found.why)).collect();
    assert_eq!(told[0], "rate of 1 link: 2 Gb/s (1xSDR: what is left after the encoding, 2.5 Gb/s on the wire)");
    assert!(told.iter().any(|line| line.starts_with("rate of 3 links: 400 Gb/s (4xNDR")), "{told:?}");
    // The simulator's ports also run at these rates.
    let system = fabric.to_description();
    let topology = philae_topology::Topology::build(&system).expect("a graph");
    let rate = |port| topology.rate(port).as_gbps_f64();
    assert_eq!(rate(fabric.port_index(SwitchId(1), PortId(0))), 2.0);
    assert_eq!(rate(fabric.port_index(SwitchId(0), PortId(63))), 400.0);
    // A written netlist keeps them.
    let again = Template::from_netlist(&fabric.to_netlist(), "again").expect("ours").build(&Models::built_in());
    let again = again.expect("consistent");
    for port in 0..fabric.port_count() {
        let port = philae_units::PortIndex(port as u32);
        let name = fabric.link_xname(port);
        let same = again.port_by_xname(name).expect("the same name");
        assert_eq!(fabric.cable(port).map(|cable| cable.rate), again.cable(same).map(|cable| cable.rate), "{name}");
    }
}

#[test]
fn ends_that_disagree_and_speeds_that_are_not_known_are_said() {
    let text = NDR.replace("lid 1 4xNDR\n\ncaguid=0x00aa000000000003", "lid 1 4xHDR\n\ncaguid=0x00aa000000000003");
    assert_eq!(rate_of(&build(&text), 0, 2), 200.0, "the lower one");
    let told = warnings(&text).join("\n");
    assert!(
        told.contains("\"S-bb00000000000001\"[2] runs at 4xNDR and 4xHDR by its two ends: 4xHDR is used"),
        "{told}"
    );
    let text = NDR.replace("4xNDR", "4x???");
    assert_eq!(rate_of(&build(&text), 0, 1), 200.0);
    let assumed = Netlist::parse(&text).expect("a netlist").assumed();
    let told = assumed.iter().find(|found| found.key == "rate of the other links").expect("it is said");
    assert_eq!((&*told.value, &*told.why), ("200 Gb/s", "the netlist gives no known width and speed"));
    let text = NDR.replace("4xNDR", "4x??? s=4 w=2 v=4 e=8");
    assert_eq!(rate_of(&build(&text), 0, 1), 400.0, "-f gives numbers");
}

#[test]
fn headings_progress_and_the_programs_own_noise_are_no_devices() {
    let plain = build(NDR);
    let grouped = NDR
        .replacen("\nvendid", "\nChassis 1 (guid 0xbb00000000000001)\n\n# Spine Nodes\nvendid", 1)
        .replacen("\nsysimgguid=0xbb00000000000002", "\nNon-Chassis Nodes\n\nsysimgguid=0xbb00000000000002", 1)
        .replace("sysimgguid=0xbb00000000000001\n", "sysimgguid=0xbb00000000000001\t\t# Chassis 1\n")
        .replace("\"[64]\t\t#", "\"[64][ext 32]\t\t#")
        .replace("[64]\t\"S-", "[64][ext 1]\t\"S-");
    let noisy = format!(
        "ibwarn: [77] mad_rpc: _do_madrpc failed\nDR path slid 0; dlid 0; 0,1 -> new remote switch\nHostname: io1\n{NDR}"
    );
    for text in [grouped, noisy] {
        let fabric = build(&text);
        assert_eq!(fabric.links(), plain.links());
        assert_eq!(fabric.node_count(), plain.node_count());
    }
    let refused = |text: &str| Template::from_netlist(text, "x").expect_err("wrong").to_string();
    let listed = "Switch\t: 0x0002c90200400e30 ports 36 devid 0xd2f0 vendid 0x2c9 \"leaf\"\n";
    assert_eq!(
        refused(listed),
        "line 1 of the netlist: a list of devices, which has no links; the report of ibnetdiscover without -l, -H, -S \
         and -R would work"
    );
    assert!(
        matches!(SystemSource::read(listed, "list.txt", &Models::built_in()), Err(error) if error.to_string().contains("-l"))
    );
    assert!(refused(&NDR.replace("\nRt\t", "\nQp\t")).contains("'Qp'; Switch, Ca, Hca, Rt, [port] or key=value"));
}

#[test]
fn adapters_whose_host_is_not_known_stay_apart_and_one_card_is_one_node() {
    let adapter = |number: u32, card: u32, label: &str| {
        format!(
            "sysimgguid=0x{card:x}\nCa 1 \"H-{number:016x}\" # \"{label}\"\n[1] \"S-1\"[{number}] # lid 3 lmc 0 \"leaf\" lid 1 4xHDR\n"
        )
    };
    let text = |labels: &[(u32, &str)]| {
        let mut out = "Switch 40 \"S-1\" # \"leaf\" base port 0 lid 1 lmc 0\n".to_owned();
        for (at, (card, label)) in labels.iter().enumerate() {
            out += &adapter(at as u32 + 1, *card, label);
        }
        out
    };
    // A name that every fresh installation has, and a name that two machines share.
    let same =
        text(&[(1, "localhost HCA-1"), (2, "localhost HCA-2"), (3, "n1 mlx5_0"), (4, "n1 mlx5_0"), (5, "n2 mlx5_0")]);
    let fabric = build(&same);
    assert_eq!(fabric.node_count(), 5);
    assert_eq!(
        warnings(&same),
        [
            "2 adapters have the host name 'localhost', which is not the name of a single host: each card is read as a separate node",
            "2 adapters have the host name 'n1', some of them with one device's name: each card is read as a separate node",
        ]
    );
    assert_eq!(fabric.node_label(NodeId(0)), Some("localhost HCA-1"));
    assert_eq!(fabric.node_label(NodeId(2)), Some("H-0000000000000003"), "its name, which no other has");
    // Two functions of one card, with the vendor's description.
    let card =
        text(&[(7, "MT4129 ConnectX7   Mellanox Technologies"), (7, "MT4129 ConnectX7   Mellanox Technologies")]);
    let fabric = build(&card);
    assert_eq!((fabric.node_count(), fabric.nic_count()), (1, 2));
    assert_eq!(warnings(&card), [""; 0]);
    // Several switches with the same description have their GUIDs as labels.
    let two = "Switch 8 \"S-1\" # \"SwitchIB Mellanox Technologies\"\n[1] \"S-2\"[1]\nSwitch 8 \"S-2\" # \"SwitchIB Mellanox Technologies\"\n";
    assert_eq!(
        warnings(two),
        ["2 switches have the name 'SwitchIB Mellanox Technologies': their GUIDs are used as labels"]
    );
    assert_eq!(build(two).switch_label(SwitchId(1)), Some("S-2"));
}

const REPORT: &str = "\
CA   134  1 0x7c00000000000011 4x EDR - SW  1719 10 0x7c000000000000b0 ( 'o0001 HCA-1' - 'leaf01' )
CA   135  2 0x7c00000000000012 4x EDR - SW  1719 11 0x7c000000000000b0 ( 'o0001 HCA-1' - 'leaf01' )
SW  1719 37 0x7c000000000000b0 4x EDR - CA    60  1 0x7c000000000000f0 ( 'leaf01' - 'Mellanox Technologies Aggregation Node' )
SW  1719 36 0x7c000000000000b0 1x SDR                                    'leaf01'
SW  1719 11 0x7c000000000000b0 4x EDR - CA   135  2 0x7c00000000000012 ( 'leaf01' - 'o0001 HCA-1' )
SW  1719 10 0x7c000000000000b0 4x EDR - CA   134  1 0x7c00000000000011 ( 'leaf01' - 'o0001 HCA-1' )
SW  1719  1 0x7c000000000000b0 2x HDR - SW  1516  1 0x7c000000000000c0 ( 'leaf01' - 'spine 01 ' )
CA    60  1 0x7c000000000000f0 4x EDR - SW  1719 37 0x7c000000000000b0 ( 'Mellanox Technologies Aggregation Node' - 'leaf01' )
SW  1516  1 0x7c000000000000c0 2x HDR - SW  1719  1 0x7c000000000000b0 ( 'spine 01 ' - 'leaf01' )
";

#[test]
fn the_report_of_ports_is_the_same_fabric() {
    let source = SystemSource::read(REPORT, "ports.txt", &Models::built_in()).expect("told by its content");
    let SystemSource::Fabric { fabric, warnings, .. } = source else { panic!("a fabric") };
    assert_eq!((fabric.switch_count(), fabric.node_count(), fabric.nic_count(), fabric.radix()), (2, 1, 2, 36));
    assert_eq!(fabric.switch_label(SwitchId(1)), Some("spine 01"));
    let port = fabric.port_index(SwitchId(0), PortId(0));
    assert_eq!(fabric.port(port).peer, PortPeer::Port(fabric.port_index(SwitchId(1), PortId(0))));
    assert_eq!(fabric.cable(port).expect("a cable").rate.as_gbps_f64(), 100.0);
    assert_eq!(fabric.nic_label(EndpointId(1)), Some("o0001 HCA-1 port 2"));
    assert_eq!(warnings, ["1 aggregation node (SHARP) is left out: a part of its switch, at an internal port"]);
    let error = Template::from_netlist(&REPORT.replace("CA   135  2", "CA   135  X"), "x").expect_err("no number");
    assert!(error.to_string().starts_with("line 2 of the netlist: not a port of a report; "), "{error}");
}

#[test]
fn switches_nodes_and_nics_are_found_by_what_others_call_them() {
    let fabric = build(NDR);
    for name in ["leaf01", "MF0;leaf01:MQM9700/U1", "x3000c0r1", "x3000c0r1b0"] {
        assert_eq!(fabric.switch_by_name(name), Ok(SwitchId(0)), "{name}");
    }
    assert_eq!(fabric.switch_system(SwitchId(1)), Some("spine01"));
    assert_eq!(fabric.nic_by_name("gpu01 mlx5_2").map(|nic| fabric.nics()[nic.index()].nic), Ok(0));
    assert_eq!(fabric.nic_by_name("gpu02").ok(), fabric.nic_by_name("gpu02 mlx5_2").ok(), "its only one");
    let error = fabric.nic_by_name("gpu01").expect_err("two rails");
    assert!(matches!(&error, LookupError::Several { names, .. } if names.len() == 2), "{error}");
    assert!(error.to_string().starts_with("'gpu01' is the label of 2 NICs: x3001c0s1b0n0h0, x3001c0s1b0n0h1; one of"));
    assert_eq!(
        fabric.switch_by_name("leaf09").expect_err("none").to_string(),
        "lab has no switch 'leaf09': that is neither an xname nor a label there; did you mean 'leaf01'?"
    );
    // Two boards of one system.
    let boards = NDR.replace("MF0;spine01:MQM9700/U1", "MF0;leaf01:MQM9700/U2");
    let error = build(&boards).switch_by_name("leaf01").expect_err("two").to_string();
    assert_eq!(error, "'leaf01' is the label of 2 switches: x3000c0r1, x3000c0r3; one of these would work");
    assert_eq!(build(&boards).switch_system(SwitchId(1)), Some("MF0;leaf01:MQM9700/U2"));
    // A template keeps all of them.
    let template = Template::explicit(&fabric);
    let again = Template::parse(&template.to_json()).expect("ours").build(&Models::built_in()).expect("the same");
    assert_eq!(again.nic_by_name("gpu01 mlx5_10").ok(), fabric.nic_by_name("gpu01 mlx5_10").ok());
    assert_eq!(again.switch_label(SwitchId(0)), fabric.switch_label(SwitchId(0)));
}

#[test]
fn growth_is_that_of_the_text() {
    // Comparing every device with every other would take minutes.
    let mut text = String::new();
    let (leaves, hosts) = (800_u32, 30_u32);
    for leaf in 0..leaves {
        let _ = writeln!(text, "Switch 40 \"S-{leaf:016x}\" # \"MF0;leaf{leaf}:MQM8700/U1\" base port 0 lid 1 lmc 0");
        for host in 1..=hosts {
            let _ = writeln!(text, "[{host}] \"H-{:016x}\"[1](1) # \"h lid 4xHDR\" lid 3 4xHDR", leaf * hosts + host);
        }
    }
    for adapter in 1..=leaves * hosts {
        let _ = writeln!(text, "Ca 1 \"H-{adapter:016x}\" # \"n{} mlx5_{}\"", adapter / 4, adapter % 4);
    }
    let fabric = build(&text);
    assert_eq!(fabric.nic_count() as u32, leaves * hosts);
    assert_eq!(fabric.node_count() as u32, leaves * hosts / 4 + 1);
}

#[test]
fn descriptions_are_shown_on_terminals_and_hold_no_escape_sequences() {
    let fabric =
        build(&NDR.replace("MF0;leaf01:MQM9700/U1", "\u{1b}[31mred").replace("gpu02 mlx5_2", "gpu02\u{7} mlx5_2"));
    assert_eq!(fabric.switch_label(SwitchId(0)), Some("\u{fffd}[31mred"));
    let nodes = (0..fabric.nodes().len()).map(|node| fabric.node_label(NodeId(node as u32)).unwrap_or_default());
    assert!(nodes.into_iter().all(|label| !label.contains(char::is_control)));
}

/// What ibnetdiscover printed of this net under ibsim 0.10: 1xSDR between the switches, 8xSDR to
/// `h1`, none said to `h2`.
#[test]
fn widths_of_an_ibsim_net_are_masks_and_none_is_dropped() {
    let net = "Switch 8 \"s1\"\n[1] \"s2\"[1] w=1\n[2] \"h1\"[1] w=4\n[3] \"h2\"[1]\n\n\
               Switch 8 \"s2\"\n[1] \"s1\"[1] w=1\n\n\
               Hca 1 \"h1\"\n[1] \"s1\"[2] w=4\n\nHca 1 \"h2\"\n[1] \"s1\"[3]\n";
    let fabric = build(net);
    let rate = |port: u8| fabric.cable(fabric.port_index(SwitchId(0), PortId(port))).expect("a cable").rate.0;
    assert_eq!([rate(0), rate(1), rate(2)], [2_000, 16_000, 200_000]);
    let error = Netlist::parse(&net.replace("w=4", "w=5x")).expect_err("no mask").to_string();
    assert!(error.contains("line 3") && error.contains("w=5x") && error.contains("2 (4x)"), "{error}");
}

#[test]
fn a_link_that_one_end_lists_is_told_with_its_line() {
    let whole = "Switch 8 \"S-1\"\n[1] \"H-1\"[1]\n[8] \"S-2\"[8]\nSwitch 8 \"S-2\"\n[8] \"S-1\"[8]\n\
                 Ca 1 \"H-1\"\n[1] \"S-1\"[1]\n";
    let said = |text: &str| warnings(text).join("\n");
    assert!(!said(whole).contains("of the link lists"), "{}", said(whole));
    let half = whole.replace("[8] \"S-1\"[8]\n", "");
    assert!(said(&half).contains("line 3: only one end of the link lists it"), "{}", said(&half));
    // A file for ibsim may list each link once: then it means it.
    let once = half.replace("[1] \"S-1\"[1]\n", "");
    assert!(!said(&once).contains("of the link lists"), "{}", said(&once));
}

#[test]
fn labels_that_a_netlist_cannot_hold_are_said_and_never_become_one() {
    let mut template = Template::explicit(&build(NDR));
    for (switch, label) in template.switches.iter_mut().zip(["on\"e", "one \"x\""]) {
        switch.label = Some(label.to_owned());
    }
    let fabric = template.build(&Models::built_in()).expect("consistent");
    let told = fabric.netlist_warnings();
    assert!(told[0].starts_with("2 labels changed, such as 'on\\\"e' to 'on e'"), "{told:?}");
    // Two ports of one adapter are two NICs, whose descriptions name no host.
    assert!(told[1].starts_with("1 node of several NICs, such as 'storage'"), "{told:?}");
    let back = build(&fabric.to_netlist());
    let label = |switch| back.switch_label(SwitchId(switch)).map(str::to_owned);
    assert_eq!((label(0), label(1)), (Some("on e".to_owned()), Some("one  x".to_owned())));
    template.switches[1].label = Some("on e".to_owned());
    let fabric = template.build(&Models::built_in()).expect("consistent");
    let told = fabric.netlist_warnings();
    assert!(told[0].starts_with("1 label left out, such as 'on\\\"e'"), "{told:?}");
    let back = build(&fabric.to_netlist());
    assert_ne!(back.switch_label(SwitchId(0)), Some("on e"));
    assert_eq!(back.switch_label(SwitchId(1)), Some("on e"));
    // Cabling has names of its own.
    let told = fabric.cabling_warnings();
    assert!(told[0].contains("labels left out, such as 'on\\\"e'"), "{told:?}");
    assert!(told[1].starts_with("the rate of ") && told[1].contains("cabling has no rates"), "{told:?}");
}

#[test]
fn nics_of_a_node_stay_together_in_a_netlist() {
    let fabric = Template::of_built_in("slingshot400-64").build(&Models::built_in()).expect("consistent");
    assert_eq!((fabric.node_count(), fabric.nic_count()), (64, 128));
    let back = build(&fabric.to_netlist());
    assert_eq!((back.node_count(), back.nic_count()), (64, 128));
    let node = fabric.node_xname(NodeId(5)).to_string();
    assert_eq!(back.node_label(back.node_by_label(&node).expect("its xname")), Some(node.as_str()));
}

#[test]
fn roles_and_groups_that_a_netlist_lacks_are_said() {
    let told = |system: &str| {
        let fabric = Template::of_built_in(system).build(&Models::built_in()).expect("built in");
        let warnings = fabric.netlist_warnings();
        warnings.into_iter().find(|warning| warning.contains("all links are local"))
    };
    let expected = "the role of 96 global links and the 4 groups of switches left out: a netlist has neither, and where it is \
                    read all links are local, in one group";
    assert_eq!(told("malbec").as_deref(), Some(expected));
    assert_eq!(told("slingshot400-64"), None);
    // That is how it reads back.
    let fabric = Template::of_built_in("malbec").build(&Models::built_in()).expect("built in");
    let again = Netlist::parse(&fabric.to_netlist()).expect("ours").to_template("again").expect("whole");
    let again = again.build(&Models::built_in()).expect("consistent");
    assert_eq!((again.links().global, again.links().local, again.group_count()), (0, 208, 1));
}
