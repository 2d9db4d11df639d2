//! Incidents rehearsed on simulated fabrics: the first screen says what is wrong, where, since
//! when, why, and what to do next, in 80 columns. docs/manager/incidents.md shows the screens;
//! `PHILAE_BLESS=1` writes them again.

use philae_agent::PortState;
use philae_manager::Manager;
use philae_manager_api::status_screen;
use philae_manager_core::{AlarmKind, DeviceState, Isolation};
use philae_units::{PortIndex, SwitchId};
use serde_json::{Value, json};

use crate::common::new_folder;
use crate::common::{ask, edges, get, manager, put, refused};

const PAGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../docs/manager/incidents.md");

fn post(manager: &mut Manager, path: &str) -> Value {
    ask(manager, "POST", path, Value::Null).unwrap_or_else(|problem| panic!("{path}: {problem:?}"))
}

/// Times as after a while, because a screen must not depend on the speed of a test.
pub fn settled(value: &mut Value) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(settled),
        Value::Object(fields) => {
            for (key, value) in fields {
                match key.as_str() {
                    "sinceSeconds" | "forSeconds" if !value.is_null() => *value = json!(12.0),
                    "secondsLeft" => *value = json!(41.0),
                    "convergedMs" => *value = json!(1),
                    _ => settled(value),
                }
            }
        }
        _ => {}
    }
}

fn screen(manager: &mut Manager) -> String {
    manager.run();
    let (mut status, mut alarms) = (get(manager, "/api/v1/status"), get(manager, "/api/v1/alarms"));
    settled(&mut status);
    settled(&mut alarms);
    let shown = status_screen(&status, &alarms, false);
    for line in shown.lines() {
        assert!(line.chars().count() <= 80, "{line}");
    }
    shown
}

fn word(manager: &mut Manager, which: &str) -> String {
    get(manager, "/api/v1/status")["health"][which]["word"].as_str().expect("a word").to_owned()
}

fn dark() -> Value {
    json!({ "selector": "role=global", "priority": 9, "settings": { "state": "offline" } })
}

fn links(manager: &Manager) -> Vec<(PortIndex, PortIndex)> {
    manager.control_loop.control.wiring().links().collect()
}

fn global(manager: &Manager) -> Vec<PortIndex> {
    let wiring = manager.control_loop.control.wiring();
    let group = |port: PortIndex| wiring.group_of(wiring.split(port).0);
    wiring.links().filter(|&(one, other)| group(one) != group(other)).map(|(one, _)| one).collect()
}

fn cut(manager: &mut Manager, port: PortIndex, up: bool) {
    manager.control_loop.fabric_mut().expect("it is simulated").set_link(port, up);
    manager.run();
}

fn islands() -> Manager {
    let mut manager = manager("shandy");
    let body = json!({ "spec": dark() });
    ask(&mut manager, "PUT", "/api/v1/port-policies/dark?force=true", body).expect("it is forced");
    manager.run();
    manager
}

#[test]
fn a_policy_that_cuts_the_fabric_in_eight_is_refused_and_once_forced_is_told() {
    let mut manager = manager("shandy");
    let body = json!({ "spec": dark() });
    let dry = ask(&mut manager, "PUT", "/api/v1/port-policies/dark?dryRun=true", body.clone()).expect("a dry run");
    assert_eq!(dry["blastRadius"]["switchPairsWithoutWay"], json!([0, 7_168]), "{dry}");
    assert!(dry["cutsOff"].as_str().is_some_and(|cost| cost.contains("the fabric in 8 parts")), "{dry}");
    assert!(dry["refusedNow"].as_str().is_some_and(|why| why.contains("force=true")), "{dry}");
    let warnings = dry["warnings"].to_string();
    assert!(!warnings.contains("goes by other groups"), "no false warnings: {warnings}");
    assert!(dry["warnings"].as_array().expect("a list").len() <= 4, "28 alike are one: {warnings}");
    let problem = refused(&mut manager, "PUT", "/api/v1/port-policies/dark", body);
    assert_eq!((problem.status, problem.code), (409, "change.cuts-off"), "{problem:?}");
    assert_eq!(get(&mut manager, "/api/v1/status")["word"], "HEALTHY", "nothing was done");
    let mut manager = islands();
    let status = get(&mut manager, "/api/v1/status");
    assert_eq!(word(&mut manager, "traffic"), "UNHEALTHY");
    assert_eq!((&status["reach"]["parts"], &status["reach"]["switchPairsWithoutWay"]), (&json!(8), &json!(7_168)));
    assert_eq!(status["reach"]["nicPairsWithoutWay"], 7_168 * 16 * 16);
    let alarms = get(&mut manager, "/api/v1/alarms");
    assert_eq!((&alarms["total"], &alarms["items"][0]["kind"]), (&json!(1), &json!("parts")), "{alarms}");
    assert_eq!(alarms["items"][0]["links"], 224);
    let metrics = get(&mut manager, "/metrics");
    let metrics = metrics.as_str().expect("text");
    assert!(metrics.contains("philae_parts 8\n") && metrics.contains("philae_switch_pairs_without_way 7168\n"));
    let nics: Vec<String> = edges(&manager).iter().map(|port| manager.port_name(*port)).collect();
    let ways = get(&mut manager, &format!("/api/v1/explain/path?from={}&to={}", nics[0], nics[nics.len() - 1]));
    assert_eq!(ways["reached"], false, "{ways}");
    assert!(ways["why"].as_str().is_some_and(|why| why.contains("8 parts")), "{ways}");
    ask(&mut manager, "DELETE", "/api/v1/port-policies/dark", Value::Null).expect("it is there");
    manager.run();
    let status = get(&mut manager, "/api/v1/status");
    assert_eq!((&status["word"], &status["reach"]["parts"]), (&json!("HEALTHY"), &json!(1)), "{status}");
}

#[test]
fn links_that_documents_switch_off_and_on_are_not_isolated() {
    let mut manager = manager("shandy");
    for round in 0..5 {
        put(
            &mut manager,
            "/api/v1/port-policies/off",
            json!({ "selector": "name=x1003c0r1a0l3?", "priority": 9, "settings": { "state": "offline" } }),
        );
        manager.run();
        let status = get(&mut manager, "/api/v1/status");
        assert_eq!(status["word"], "HEALTHY", "round {round}: {status}");
        assert!(status["links"]["planned"].as_u64() > Some(0), "{status}");
        assert_eq!(get(&mut manager, "/api/v1/alarms")["total"], 0);
        ask(&mut manager, "DELETE", "/api/v1/port-policies/off", Value::Null).expect("it is there");
        manager.run();
        let status = get(&mut manager, "/api/v1/status");
        assert_eq!(status["links"]["carrying"], status["links"]["total"], "round {round}: at once, and not held down");
    }
    assert_eq!(get(&mut manager, "/api/v1/flaps")["total"], 0);
    // The same cables, pulled by hand: these losses count.
    let wiring = manager.control_loop.control.wiring().clone();
    let of_others = |port: &PortIndex| {
        let ends = [*port, wiring.peer(*port).expect("a link has two ends")];
        ends.into_iter().all(|end| wiring.group_of(wiring.split(end).0).0 != 3)
    };
    let port = global(&manager).into_iter().find(of_others).expect("there are other groups");
    for _ in 0..3 {
        cut(&mut manager, port, false);
        cut(&mut manager, port, true);
    }
    let now_ms = manager.control_loop.now_ms();
    let view = manager.control_loop.control.link_view(now_ms, port).expect("a link");
    assert_eq!((view.flaps.losses, view.flaps.isolation), (3, Isolation::Isolated));
}

#[test]
fn a_drained_or_maintained_link_that_is_lost_does_not_flap() {
    let mut manager = manager("malbec");
    let port = global(&manager)[0];
    let name = manager.port_name(port);
    let switch = manager.switch_name(manager.fabric.switch_of(port));
    post(&mut manager, &format!("/api/v1/links/{name}/drain"));
    for _ in 0..4 {
        cut(&mut manager, port, false);
        cut(&mut manager, port, true);
    }
    post(&mut manager, &format!("/api/v1/links/{name}/restore"));
    post(&mut manager, &format!("/api/v1/switches/{switch}/maintenance"));
    for _ in 0..4 {
        cut(&mut manager, port, false);
        assert_eq!(word(&mut manager, "runtime"), "HEALTHY", "an operator works on it");
        cut(&mut manager, port, true);
    }
    post(&mut manager, &format!("/api/v1/switches/{switch}/resume"));
    assert_eq!(get(&mut manager, "/api/v1/flaps")["total"], 0);
    let status = get(&mut manager, "/api/v1/status");
    assert_eq!(status["links"]["carrying"], status["links"]["total"], "{status}");
}

fn dead_switch() -> (Manager, SwitchId) {
    let mut manager = manager("shandy");
    let switch = SwitchId::from_index(manager.fabric.switch_count() - 1);
    manager.control_loop.set_power(switch, false);
    manager.run();
    (manager, switch)
}

#[test]
fn a_dead_switch_is_one_alarm_with_its_links_and_its_nodes() {
    let (mut manager, switch) = dead_switch();
    let name = manager.switch_name(switch);
    let alarms = get(&mut manager, "/api/v1/alarms");
    assert_eq!(alarms["total"], 1, "{alarms}");
    let alarm = &alarms["items"][0];
    assert_eq!((&alarm["kind"], &alarm["nics"]), (&json!("switch"), &json!(16)), "{alarm}");
    let links = manager.control_loop.control.fabric_ports(switch).count();
    assert_eq!(alarm["links"], links, "{alarm}");
    assert!(!alarm["nodes"].as_array().expect("a list").is_empty(), "{alarm}");
    assert_ne!(word(&mut manager, "traffic"), "HEALTHY");
    let off = get(&mut manager, "/api/v1/nics?state=off");
    let off = off["items"].as_array().expect("a list");
    assert_eq!(off.len(), 16);
    assert!(off.iter().all(|nic| nic["switch"] == json!(name) && nic["forSeconds"].is_number()), "{off:?}");
    assert!(off[0]["cause"].as_str().is_some_and(|why| why.contains(&name)), "{}", off[0]);
    let explained = get(&mut manager, &format!("/api/v1/explain/switch/{name}"));
    assert!(explained["answer"]["headline"].as_str().is_some_and(|line| line.contains("DEAD for")), "{explained}");
    manager.control_loop.set_power(switch, true);
    manager.control_loop.advance(std::time::Duration::from_millis(200));
    while manager.control_loop.control.device_state(switch) != DeviceState::Synced {
        manager.run();
        manager.control_loop.advance(std::time::Duration::from_millis(1));
    }
    manager.run();
    assert_eq!(get(&mut manager, "/api/v1/status")["nics"]["off"], 0);
}

#[test]
fn a_drained_switch_that_dies_is_planned_still_and_its_links_are_no_losses() {
    let mut manager = manager("shandy");
    let switch = SwitchId::from_index(manager.fabric.switch_count() - 1);
    let name = manager.switch_name(switch);
    post(&mut manager, &format!("/api/v1/switches/{name}/drain?force=true"));
    manager.run();
    manager.control_loop.set_power(switch, false);
    manager.run();
    let status = get(&mut manager, "/api/v1/status");
    let planned = status["planned"].as_array().expect("a list");
    let links = manager.control_loop.control.fabric_ports(switch).count();
    let row = planned.iter().find(|row| row["kind"] == "drained-switch").unwrap_or_else(|| panic!("{status}"));
    assert!(row["detail"].to_string().contains(&name) && row["links"] == links, "{row}");
    let alarms = get(&mut manager, "/api/v1/alarms");
    assert_eq!((&alarms["total"], &alarms["items"][0]["links"]), (&json!(1), &json!(0)), "{alarms}");
    assert_eq!(alarms["items"][0]["nics"], 16, "{alarms}");
}

#[test]
fn groups_without_a_direct_link_are_told_with_the_dead_switch_that_had_it() {
    let mut manager = manager("frontier");
    // The two ends of the only link, or of all links, between two groups.
    let fabric = manager.fabric.clone();
    let group = |port: PortIndex| fabric.switch(fabric.switch_of(port)).group;
    let between: Vec<(PortIndex, PortIndex)> =
        links(&manager).into_iter().filter(|(one, other)| (group(*one).0, group(*other).0) == (0, 1)).collect();
    let switches: std::collections::BTreeSet<SwitchId> =
        between.iter().map(|(one, _)| fabric.switch_of(*one)).collect();
    assert!(switches.len() <= 4, "few switches have them: {switches:?}");
    for &switch in &switches {
        manager.control_loop.set_power(switch, false);
    }
    manager.run();
    let alarms = get(&mut manager, "/api/v1/alarms");
    let kinds: Vec<&Value> = alarms["items"].as_array().expect("a list").iter().map(|item| &item["kind"]).collect();
    assert!(!kinds.contains(&&json!("group-pair")), "{alarms}");
    assert!(alarms["items"].to_string().contains("no direct link without"), "{alarms}");
}

#[test]
fn when_no_switch_answers_nothing_is_healthy() {
    let mut manager = manager("malbec");
    let switches: Vec<SwitchId> = (0..manager.fabric.switch_count()).map(SwitchId::from_index).collect();
    let now_ms = manager.control_loop.now_ms();
    for &switch in &switches {
        // Agents that are killed: switches continue to forward.
        manager.control_loop.control.handle(now_ms, philae_manager_core::Input::Disconnected(switch));
    }
    let status = manager.control_loop.control.status();
    for health in [&status.runtime, &status.traffic] {
        assert_eq!(health.health.name(), "UNHEALTHY", "{health:?}");
    }
    let alarms = get(&mut manager, "/api/v1/alarms");
    let silent: Vec<&Value> = alarms["items"].as_array().expect("a list").iter().collect();
    assert_eq!((silent.len(), &silent[0]["kind"]), (1, &json!("switches-silent")), "{alarms}");
    assert!(manager.control_loop.control.alarms(now_ms).iter().any(|alarm| alarm.kind == AlarmKind::AllSilent));
}

fn half_a_group() -> Manager {
    let mut manager = manager("shandy");
    let group = manager.fabric.switches_of(philae_units::GroupId(3));
    for switch in group.clone().take(group.len() / 2).map(SwitchId) {
        manager.control_loop.set_power(switch, false);
    }
    manager.run();
    manager
}

#[test]
fn half_a_group_that_is_dark_is_one_line() {
    let mut manager = half_a_group();
    let alarms = get(&mut manager, "/api/v1/alarms");
    let switches: Vec<&Value> =
        alarms["items"].as_array().expect("a list").iter().filter(|alarm| alarm["kind"] == "switch").collect();
    assert_eq!(switches.len(), 1, "{alarms}");
    assert_eq!((&switches[0]["count"], &switches[0]["nics"]), (&json!(8), &json!(128)), "{alarms}");
    assert!(switches[0]["detail"].as_str().is_some_and(|text| text.starts_with("8 of 16 switches of group 3")));
    // Links between two dead switches, which no switch reports, are in the list as in the status.
    let carrying = get(&mut manager, "/api/v1/status")["links"]["carrying"].as_u64().map(|count| count as usize);
    let listed = get(&mut manager, "/api/v1/links?state=carrying&limit=10000");
    assert_eq!(listed["items"].as_array().map(Vec::len), carrying);
    let down = get(&mut manager, "/api/v1/links?state=not-carrying&limit=10000");
    let dark = down["items"]
        .as_array()
        .expect("a list")
        .iter()
        .find(|link| link["cause"].as_str().is_some_and(|cause| cause.contains("both of its switches are dead")));
    let dark = dark.expect("group 3 has such links")["name"].as_str().expect("a name").to_owned();
    let one = get(&mut manager, &format!("/api/v1/links/{dark}"));
    assert_eq!((&one["carrying"], one["forSeconds"].is_number()), (&json!(false), true), "{one}");
}

/// Two links of one switch to different others.
fn two_links(manager: &Manager) -> (PortIndex, PortIndex) {
    let wiring = manager.control_loop.control.wiring();
    let first = links(manager)[0];
    let switch = wiring.split(first.0).0;
    let other = manager.control_loop.control.fabric_ports(switch).find(|&port| port != first.0).expect("a second link");
    (first.0, other)
}

fn exchanged() -> Manager {
    let mut manager = manager("malbec");
    let (one, other) = two_links(&manager);
    let (one, other) = (manager.port_name(one), manager.port_name(other));
    post(&mut manager, &format!("/api/v1/simulation/links/{one}/exchange/{other}"));
    manager
}

#[test]
fn exchanged_cables_are_named_and_put_right_by_the_same_again() {
    let mut manager = exchanged();
    let alarms = get(&mut manager, "/api/v1/alarms");
    let cable = alarms["items"].as_array().expect("a list").iter().find(|alarm| alarm["kind"] == "cable");
    assert!(
        cable.expect("it is told")["detail"].as_str().is_some_and(|text| text.contains("are exchanged")),
        "{alarms}"
    );
    assert_eq!(alarms["total"], 1, "the links are told with it: {alarms}");
    let (one, other) = two_links(&manager);
    let (one, other) = (manager.port_name(one), manager.port_name(other));
    let explained = get(&mut manager, &format!("/api/v1/explain/port/{one}"));
    assert!(explained["answer"]["headline"].as_str().is_some_and(|line| line.contains("MISCABLED")), "{explained}");
    post(&mut manager, &format!("/api/v1/simulation/links/{one}/exchange/{other}"));
    let alarms = get(&mut manager, "/api/v1/alarms");
    assert!(!alarms.to_string().contains("exchanged"), "{alarms}");
    let same = refused(&mut manager, "POST", &format!("/api/v1/simulation/links/{one}/exchange/{one}"), Value::Null);
    assert_eq!(same.status, 409, "{same:?}");
}

fn flapping() -> Manager {
    let mut manager = manager("malbec");
    let port = global(&manager)[0];
    for _ in 0..3 {
        cut(&mut manager, port, false);
        cut(&mut manager, port, true);
    }
    manager
}

#[test]
fn a_flapping_link_says_what_to_do() {
    let mut manager = flapping();
    let port = global(&manager)[0];
    let name = manager.port_name(port);
    let answer = get(&mut manager, &format!("/api/v1/explain/port/{name}"))["answer"].clone();
    assert_eq!(answer["state"], "isolated", "{answer}");
    assert!(answer["next"].as_str().is_some_and(|next| next.contains("release")), "{answer}");
    assert!(answer["why"].as_str().is_some_and(|why| why.contains("3 times")), "{answer}");
}

#[test]
fn a_port_is_explained_answer_first() {
    let mut manager = manager("malbec");
    let port = global(&manager)[0];
    let name = manager.port_name(port);
    let jack = manager.fabric.connector_port_xname(port).to_string();
    let answer =
        |manager: &mut Manager, name: &str| get(manager, &format!("/api/v1/explain/port/{name}"))["answer"].clone();
    let up = answer(&mut manager, &name);
    assert_eq!((&up["state"], &up["why"]), (&json!("up"), &Value::Null), "{up}");
    cut(&mut manager, port, false);
    let down = answer(&mut manager, &name);
    assert_eq!(down["state"], "down", "{down}");
    for part in ["why", "next", "observed", "wanted"] {
        assert!(down[part].as_str().is_some_and(|text| !text.is_empty()), "{part}: {down}");
    }
    assert!(down["next"].as_str().is_some_and(|next| next.contains(&jack)), "{down}");
    let edge = edges(&manager)[0];
    let edge_name = manager.port_name(edge);
    cut(&mut manager, edge, false);
    let nic = manager.fabric.nic_xname(manager.fabric.nic_at(edge).expect("a NIC")).to_string();
    let off = answer(&mut manager, &edge_name);
    assert_eq!(off["state"], "down", "{off}");
    assert!(off["headline"].as_str().is_some_and(|line| line.contains(&nic)), "{off}");
    assert_eq!(answer(&mut manager, &nic)["headline"], off["headline"], "a NIC stands for its port");
    let alarms = get(&mut manager, "/api/v1/alarms");
    let told = alarms["items"].as_array().expect("a list").iter().find(|alarm| alarm["kind"] == "nic");
    assert!(told.expect("it is told")["detail"].as_str().is_some_and(|text| text.contains(&nic)), "{alarms}");
    assert_eq!(manager.control_loop.control.port(edge).state, PortState::Down);
    let spec = json!({ "selector": format!("name={edge_name}"), "priority": 9, "settings": { "state": "offline" } });
    put(&mut manager, "/api/v1/port-policies/off", spec);
    manager.run();
    let wanted = answer(&mut manager, &edge_name);
    assert_eq!(wanted["state"], "off", "{wanted}");
    assert!(wanted["wanted"].as_str().is_some_and(|text| text.contains("port-polic")), "{wanted}");
}

fn pending() -> Manager {
    let mut manager = manager("malbec");
    let step = json!({ "put": { "kind": "port-policy", "name": "quiet", "spec": {
        "selector": "role=global", "priority": 3, "settings": { "autoneg": false } } } });
    let body = json!({ "steps": [step], "confirmWithinSeconds": 60 });
    ask(&mut manager, "POST", "/api/v1/documents", body).expect("it is admitted");
    manager.run();
    manager
}

#[test]
fn a_change_that_waits_for_its_confirmation_is_on_the_first_screen() {
    let mut manager = pending();
    let shown = screen(&mut manager);
    assert!(shown.contains("Pending") && shown.contains("philae fabric confirm"), "{shown}");
    post(&mut manager, "/api/v1/pending/confirm");
    assert!(!screen(&mut manager).contains("Pending"));
}

#[test]
fn a_qos_profile_for_the_whole_fabric_says_how_many_nics_attest_it() {
    let mut manager = manager("malbec");
    let profiles = get(&mut manager, "/api/v1/qos-profiles");
    let names: Vec<String> = profiles["items"]
        .as_array()
        .expect("a list")
        .iter()
        .filter_map(|profile| profile["name"].as_str().map(str::to_owned))
        .collect();
    let now = get(&mut manager, "/api/v1/attestations")["wanted"]["qosProfile"].as_str().expect("one").to_owned();
    let other = names.iter().find(|name| **name != now).expect("there are several");
    let body = json!({ "spec": { "selector": "", "priority": 5, "settings": { "qosProfile": other } } });
    let dry = ask(&mut manager, "PUT", "/api/v1/switch-policies/classes?dryRun=true", body).expect("a dry run");
    let warnings = dry["warnings"].to_string();
    assert!(warnings.contains("0 of ") && warnings.contains("attest") && warnings.contains(other), "{warnings}");
}

#[test]
fn documents_are_listed_with_how_far_they_are_applied() {
    let mut manager = manager("malbec");
    let spec = json!({ "selector": "role=global", "priority": 3, "settings": { "autoneg": false } });
    put(&mut manager, "/api/v1/port-policies/quiet", spec);
    manager.run();
    let plain = get(&mut manager, "/api/v1/port-policies");
    assert!(plain["items"][0]["status"].is_null(), "{plain}");
    let listed = get(&mut manager, "/api/v1/port-policies?status=true");
    let quiet = listed["items"].as_array().expect("a list").iter().find(|item| item["name"] == "quiet");
    let quiet = quiet.expect("it is listed");
    assert_eq!(quiet["status"]["applied"], quiet["status"]["switches"], "{quiet}");
    assert!(quiet["ageSeconds"].is_number(), "{quiet}");
}

#[test]
fn what_happened_outlives_the_manager() {
    let folder = new_folder();
    let link = {
        let mut manager = crate::common::up("malbec", Some(folder.path()));
        let port = global(&manager)[0];
        cut(&mut manager, port, false);
        manager.port_name(port)
    };
    // Its writer is a thread that ends with it.
    let mut manager = crate::common::up("malbec", Some(folder.path()));
    let what = "the loss is told by the manager after it, and both managers' beginnings";
    let events = crate::common::eventually(what, || {
        let events = get(&mut manager, "/api/v1/events?sinceSeconds=3600");
        let leads = events["items"].as_array()?.iter().filter(|event| event["event"] == "manager").count();
        let told = events["items"].as_array()?.iter().any(|event| event["link"] == json!(link));
        (leads == 2 && told).then_some(events)
    });
    assert_eq!(events["durable"], true, "{events}");
    let only = get(&mut manager, "/api/v1/events?sinceSeconds=3600&types=manager");
    assert_eq!(only["items"].as_array().map(Vec::len), Some(2), "{only}");
    assert_eq!(refused(&mut manager, "GET", "/api/v1/events?types=nonsense", Value::Null).status, 400);
    let mode = std::os::unix::fs::PermissionsExt::mode(
        &std::fs::metadata(folder.path().join("events.jsonl")).expect("it is there").permissions(),
    );
    assert_eq!(mode & 0o077, 0, "its owner's alone");
}

#[test]
fn jacks_are_named_in_lists_and_in_selectors_alike() {
    let mut manager = manager("malbec");
    let listed = get(&mut manager, "/api/v1/ports?name=x1000c0r1j2p*&fields=name");
    let selected = get(&mut manager, "/api/v1/ports?selector=name=x1000c0r1j2p*&fields=name");
    assert_eq!(listed["items"], selected["items"]);
    assert_eq!(listed["items"].as_array().map(Vec::len), Some(2), "{listed}");
    let body = json!({ "spec": { "selector": "name=x1000c0r1j2p*", "settings": { "mtuBytes": 1500 } } });
    let dry = ask(&mut manager, "PUT", "/api/v1/port-policies/jack?dryRun=true", body).expect("a dry run");
    assert_eq!(dry["blastRadius"]["ports"], 2, "{dry}");
    let runs = get(&mut manager, "/api/v1/ports?name=x1000c0r1*&fields=name&limit=1000");
    assert!(runs["items"].as_array().is_some_and(|ports| ports.len() >= 64), "a star is any run of letters");
}

/// A rollout in its third wave, in which a switch restarts with another version.
fn firmware() -> Manager {
    let mut manager = manager("malbec");
    let fabric = manager.control_loop.fabric_mut().expect("it is simulated");
    fabric.set_upgrade_times(Some(10), Some(10));
    let flash = &mut fabric.agent_mut(SwitchId(2)).switch_mut().flash;
    flash.get_or_insert_default().fault = philae_agent::UpgradeFault::Other;
    put(
        &mut manager,
        "/api/v1/switch-policies/firmware",
        json!({ "selector": "", "settings": { "firmware": "2.2.0" } }),
    );
    let plan = json!({ "soakSeconds": 0 });
    ask(&mut manager, "POST", "/api/v1/firmware/start", plan).expect("it begins");
    while get(&mut manager, "/api/v1/firmware")["rollout"]["state"] != "halted"
        || get(&mut manager, "/api/v1/firmware")["rollout"]["working"] != json!([])
    {
        manager.run();
        manager.tick_firmware();
        manager.control_loop.advance(std::time::Duration::from_millis(1));
    }
    manager
}

#[test]
fn a_firmware_wave_that_fails_is_on_the_first_screen() {
    let mut manager = firmware();
    let shown = screen(&mut manager);
    for part in ["firmware rollout 1 is halted", "reports simulated-0, not 2.2.0", "philae fabric firmware"] {
        assert!(shown.split_whitespace().collect::<Vec<_>>().join(" ").contains(part), "{part}: {shown}");
    }
}

/// The page with its screens: each is below a line that names its incident.
fn page() -> (String, String) {
    let committed = std::fs::read_to_string(PAGE).expect("the page is there");
    let mut fresh = committed.clone();
    let fabrics: [(&str, Manager); 7] = [
        ("islands", islands()),
        ("dead switch", dead_switch().0),
        ("half a group dark", half_a_group()),
        ("exchanged cables", exchanged()),
        ("flapping link", flapping()),
        ("pending confirmation", pending()),
        ("firmware wave that fails", firmware()),
    ];
    let of_fabrics = fabrics.map(|(name, mut manager)| (name, Some(screen(&mut manager))));
    for (name, shown) in of_fabrics.into_iter().chain(crate::rehearsals::screens()) {
        let marker = format!("<!-- screen: {name} -->\n```text\n");
        let begin = fresh.find(&marker).unwrap_or_else(|| panic!("{PAGE} lacks '{marker}'")) + marker.len();
        let end = begin + fresh[begin..].find("```").expect("a block ends");
        if let Some(shown) = shown {
            fresh.replace_range(begin..end, &shown);
        }
    }
    (committed, fresh)
}

#[test]
fn the_page_shows_the_screens_that_there_are() {
    let (committed, fresh) = page();
    if std::env::var_os("PHILAE_BLESS").is_some() {
        std::fs::write(PAGE, &fresh).expect("the page can be written");
        return;
    }
    assert!(
        committed == fresh,
        "PHILAE_BLESS=1 cargo test -p philae-manager the_page_shows writes it anew; it is:\n{fresh}"
    );
}
