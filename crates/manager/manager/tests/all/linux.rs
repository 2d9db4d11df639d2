//! Switches in software: a dragonfly of network namespaces that the manager brings up, routes and
//! heals. The test needs root; if this process may not make namespaces, it says so and does
//! nothing.

use std::collections::BTreeSet;
use std::net::UdpSocket;
use std::process::{Command, Output};
use std::time::Duration;

use crate::common::new_folder;
use crate::programs::{Service, agents, done, fabric, join_token, synced, text, wait_for};
use serde_json::Value;
use tempfile::TempDir;

const SYSTEM: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../scenarios/systems/three-groups.toml");

/// Variables with the address at which a host answers, or the address that a host asks. This
/// program is started with one of them in the host's namespace.
const ANSWERS: &str = "PHILAE_TEST_ANSWERS";
const ASKS: &str = "PHILAE_TEST_ASKS";

#[test]
#[ignore = "a part of the other test: one host"]
fn host() {
    if let Ok(address) = std::env::var(ANSWERS) {
        let socket = UdpSocket::bind(address).expect("the host has its address");
        let mut bytes = [0; 64];
        while let Ok((length, from)) = socket.recv_from(&mut bytes) {
            let _ = socket.send_to(&bytes[..length], from);
        }
    } else if let Ok(address) = std::env::var(ASKS) {
        let socket = UdpSocket::bind("[::]:0").expect("an address");
        socket.set_read_timeout(Some(Duration::from_millis(300))).expect("a legal time");
        let mut bytes = [0; 64];
        let answered = (0..10_u8).any(|number| {
            // If it cannot be sent, there is no answer either.
            let _ = socket.send_to(&[number; 8], &address);
            socket.recv(&mut bytes).is_ok_and(|length| length == 8)
        });
        assert!(answered, "{address} does not answer");
    }
}

fn within(namespace: &str) -> Command {
    let mut command = Command::new("ip");
    command.args(["netns", "exec", namespace]).arg(std::env::current_exe().expect("a test knows its own file"));
    command.args(["--exact", "linux::host", "--ignored", "--quiet"]);
    command
}

fn run(arguments: &[&str]) -> Output {
    Command::new("ip").args(arguments).output().expect("iproute2 is there")
}

/// Whether a host gets an answer from another one.
fn reaches(from: &str, address: &str) -> bool {
    let output = within(from).env(ASKS, format!("[{address}]:7777")).output().expect("ip is there");
    output.status.success()
}

fn namespaces() -> BTreeSet<String> {
    let listed = text(&run(&["netns", "list"]).stdout);
    listed.lines().filter_map(|line| line.split_whitespace().next()).map(str::to_owned).collect()
}

/// Removes namespaces other than these, which a killed agent leaves behind.
struct NewNamespaces(BTreeSet<String>);

impl Drop for NewNamespaces {
    fn drop(&mut self) {
        for name in namespaces().difference(&self.0) {
            let _ = run(&["netns", "delete", name]);
        }
    }
}

struct Answering(std::process::Child);

impl Drop for Answering {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn answering(host: &str, address: &str) -> Answering {
    let mut command = within(host);
    Answering(command.env(ANSWERS, format!("[{address}]:7777")).spawn().expect("ip is there"))
}

fn json(folder: &TempDir, url: &str, arguments: &[&str]) -> Value {
    let mut all = arguments.to_vec();
    all.extend(["-o", "json"]);
    serde_json::from_str(&done(&fabric(folder, url, &all))).expect("JSON")
}

/// The interfaces of two links of a switch to other groups.
fn two_globals(links: &[Value], switch: &str) -> (String, String) {
    let ports = switch.trim_end_matches("b0").to_owned() + "a0l";
    let ends = links
        .iter()
        .filter(|link| link["role"] == "global")
        .flat_map(|link| link["ends"].as_array().into_iter().flatten());
    let numbers: Vec<String> =
        ends.filter_map(|end| end.as_str()?.strip_prefix(&ports)).map(|number| format!("p{number}")).collect();
    assert!(numbers.len() >= 2, "{numbers:?}");
    (numbers[0].clone(), numbers[1].clone())
}

/// Exchanges the names of two interfaces of a namespace, like a technician who swaps two cables.
fn exchange(namespace: &str, one: &str, other: &str) {
    for arguments in [
        &["link", "set", one, "down"][..],
        &["link", "set", other, "down"],
        &["link", "set", one, "name", "aside"],
        &["link", "set", other, "name", one],
        &["link", "set", "aside", "name", other],
        &["link", "set", one, "up"],
        &["link", "set", other, "up"],
    ] {
        let mut all = vec!["-n", namespace];
        all.extend(arguments);
        let done = run(&all);
        assert!(done.status.success(), "{arguments:?}: {}", text(&done.stderr));
    }
}

/// Whether this machine allows namespaces, and its kernel has all that is needed.
fn may_make_namespaces() -> bool {
    let probe = format!("philae-probe-{}", std::process::id());
    let does = |arguments: &[&str]| {
        Command::new(arguments[0]).args(&arguments[1..]).output().is_ok_and(|output| output.status.success())
    };
    if !does(&["ip", "netns", "add", &probe]) {
        return false;
    }
    let can = does(&["ip", "-n", &probe, "link", "add", "p0", "type", "veth", "peer", "name", "p1"])
        && does(&["tc", "-n", &probe, "qdisc", "replace", "dev", "p0", "root", "handle", "1:", "htb"])
        && does(&["ip", "netns", "exec", &probe, "nft", "add", "table", "inet", "philae"]);
    does(&["ip", "netns", "delete", &probe]) && can
}

#[test]
fn a_fabric_of_namespaces_comes_up_carries_heals_and_keeps_to_its_policies() {
    if !may_make_namespaces() {
        println!("network namespaces, ip or nft cannot be had: left out");
        return;
    }
    let _new = NewNamespaces(namespaces());
    let folder = new_folder();
    let service = Service::start(&folder, &["--system", SYSTEM, "--agents-listen", "127.0.0.1:0"]);
    let url = service.url.clone();
    let address = service.agents.clone().expect("it listens for agents");
    let token = join_token(&folder, &url, "join");
    let agents = agents(&folder, &address, &token, &["--system", SYSTEM, "--driver", "linux", "--lab", "1"]);
    let all = || {
        wait_for("all switches are synchronised", || (synced(&folder, &url) == 6).then_some(()));
    };
    all();
    // Each link was found by LLDP, and is in order.
    wait_for("all links carry", || {
        let links = json(&folder, &url, &["status"])["links"].clone();
        (links["carrying"] == links["total"]).then_some(())
    });
    let hosts = json(&folder, &url, &["show", "ports"]);
    assert!(hosts.to_string().contains("\"role\":\"edge\""), "{hosts}");
    // The first host of the first group and of the last one.
    let nids: Vec<String> = namespaces().into_iter().filter(|name| name.starts_with("nid")).collect();
    assert_eq!(nids.len(), 6, "{nids:?}");
    let (near, far) = (nids[0].clone(), nids[5].clone());
    let far_address = {
        let shown = text(&run(&["-n", &far, "-6", "-o", "address", "show", "dev", "hsn0", "scope", "global"]).stdout);
        let word =
            shown.split_whitespace().find(|word| word.starts_with("fd50:")).expect("it has an address").to_owned();
        word.split('/').next().expect("before the length").to_owned()
    };
    let _answering = answering(&far, &far_address);
    assert!(reaches(&near, &far_address), "packets cross the fabric");
    // The cable of a link between groups is pulled: the path over the other one remains, and the
    // manager reports the loss.
    let links = json(&folder, &url, &["show", "links"]);
    let items = links["items"].as_array().or_else(|| links.as_array()).expect("a list").clone();
    let of_near: Vec<String> = items
        .iter()
        .filter(|link| link["role"] == "global")
        .filter_map(|link| link["name"].as_str().map(str::to_owned))
        .collect();
    let lost = &of_near[0];
    let (switch, port) = lost.split_once("a0l").expect("a port of a switch");
    let namespace = format!("{switch}b0");
    assert!(run(&["-n", &namespace, "link", "delete", &format!("p{port}")]).status.success());
    wait_for("the loss is known", || {
        let links = json(&folder, &url, &["status"])["links"].clone();
        (links["carrying"].as_u64()? + 1 == links["total"].as_u64()?).then_some(())
    });
    all();
    assert!(reaches(&near, &far_address), "the fabric has healed");
    // Two interfaces exchange their names: each leads where the other should. The manager reports
    // it, and traffic does not go there.
    let elsewhere = "x1002c1r1b0";
    let (one, other) = two_globals(&items, elsewhere);
    exchange(elsewhere, &one, &other);
    wait_for("the exchange is told", || {
        let alarms = json(&folder, &url, &["show", "alarms"]).to_string();
        alarms.contains("are exchanged").then_some(())
    });
    assert!(reaches(&near, &far_address), "packets take other ways");
    exchange(elsewhere, &one, &other);
    wait_for("the links carry again", || {
        let alarms = json(&folder, &url, &["show", "alarms"]).to_string();
        (!alarms.contains("are exchanged")).then_some(())
    });
    all();
    assert!(reaches(&near, &far_address));
    // An administrator changes the routes: the manager detects and repairs them.
    let flushed = run(&["-n", &namespace, "-6", "route", "flush", "proto", "171"]);
    assert!(flushed.status.success(), "{}", text(&flushed.stderr));
    wait_for("the routes are back", || {
        let shown = text(&run(&["-n", &namespace, "-6", "route", "show", "proto", "171"]).stdout);
        (!shown.trim().is_empty()).then_some(())
    });
    all();
    assert!(reaches(&near, &far_address));
    // An access list on all edge ports: denied traffic does not pass, and does again without the
    // list.
    let file = folder.path().join("deny.yaml");
    let documents = "kind: acl\nname: deny\nspec:\n  rules:\n    - priority: 10\n      match: {protocol: 17, destinationPorts: [7777, 7777]}\n      \
                     action: deny\n---\nkind: port-policy\nname: deny\nspec:\n  selector: role=edge\n  settings:\n    acls: [deny]\n";
    std::fs::write(&file, documents).expect("there is room");
    done(&fabric(&folder, &url, &["apply", file.to_str().expect("plain")]));
    all();
    wait_for("what is denied does not pass", || (!reaches(&near, &far_address)).then_some(()));
    // The switch refuses a list that Linux cannot apply, with the reason.
    std::fs::write(&file, documents.replace("protocol: 17, destinationPorts: [7777, 7777]", "vlan: 70"))
        .expect("there is room");
    done(&fabric(&folder, &url, &["apply", file.to_str().expect("plain")]));
    wait_for("the refusal is told", || {
        let shown = json(&folder, &url, &["show", "switches"]);
        shown.to_string().contains("a VLAN does not exist on a routed port").then_some(())
    });
    drop(agents);
}
