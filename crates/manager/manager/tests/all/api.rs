//! The API, without sockets: its answers, its orders, and its errors.

use crate::common::{ask, get, new_folder};
use philae_manager::access::Actor;
use philae_manager::api::{ApiRequest, Reply, answer};
use philae_manager::{Manager, load};
use philae_manager_api::status_screen;
use philae_manager_core::ControlSettings;
use serde_json::{Value, json};

fn manager(system: &str) -> Manager {
    let mut manager = Manager::simulated(load(system).expect("a built-in system"), ControlSettings::default(), None)
        .expect("it can be routed");
    manager.control_loop.run();
    manager
}

/// A global link of a dragonfly, by the name of one of its ports.
fn global_link(manager: &mut Manager) -> String {
    let links = get(manager, "/api/v1/links");
    let links = links["items"].as_array().expect("links are listed");
    let global = links.iter().find(|link| link["role"] == "global").expect("a dragonfly has global links");
    global["name"].as_str().expect("a name").to_owned()
}

#[test]
fn a_fabric_comes_up_and_says_so() {
    let mut manager = manager("malbec");
    let status = get(&mut manager, "/api/v1/status");
    assert_eq!(status["switches"]["byState"]["synced"], status["switches"]["total"]);
    for word in ["runtime", "configuration", "traffic"] {
        assert_eq!(status["health"][word], json!({ "word": "HEALTHY", "causes": [] }));
    }
    assert_eq!(get(&mut manager, "/api/v1/alarms")["total"], 0);
    assert_eq!(get(&mut manager, "/readyz"), "ok\n");
    let metrics = get(&mut manager, "/metrics");
    let metrics = metrics.as_str().expect("text");
    assert!(metrics.contains("philae_switches{state=\"synced\"} 32"), "{metrics}");
    let larger = get(&mut self::manager("shandy"), "/metrics");
    let lines = larger.as_str().expect("text").lines().count();
    assert_eq!(metrics.lines().count(), lines, "its size does not follow that of the fabric");
}

#[test]
fn what_is_asked_wrongly_is_told_what_would_work() {
    let mut manager = manager("malbec");
    for (method, target, status, hint) in [
        ("GET", "/api/v1/nothing", 404, "port-policies"),
        ("GET", "/nothing/at/all", 404, "GET /api/v1 lists"),
        ("DELETE", "/api/v1/status", 405, "GET"),
        ("GET", "/api/v1/status?deep=1", 400, "none is known here"),
        ("GET", "/api/v1/switches?state=wel", 400, "synced"),
        ("GET", "/api/v1/switches?limit=0", 400, "1 to 2000000"),
        ("GET", "/api/v1/switches/x9999c0r1b0", 404, "x9999c0r1b0"),
        ("GET", "/api/v1/ports/rubbish", 404, "rubbish"),
        ("GET", "/api/v1/explain/path?from=x1000c0r1a0l0", 400, "to"),
        ("PATCH", "/api/v1/settings", 400, "heartbeat_ms"),
    ] {
        let problem = ask(&mut manager, method, target, Value::Null).expect_err(target);
        assert_eq!(problem.status, status, "{target}: {problem:?}");
        assert!(problem.detail.contains(hint), "{target}: {problem:?}");
    }
    let wrong = ask(&mut manager, "PATCH", "/api/v1/settings", json!({ "heartbeat_ms": 5000, "retry_ms": 1 }));
    assert!(wrong.expect_err("1 ms is too short").detail.contains("10"));
    let settings = get(&mut manager, "/api/v1/settings");
    let heartbeat = settings["items"].as_array().expect("a list").iter().find(|item| item["name"] == "heartbeat_ms");
    assert_eq!(heartbeat.expect("it exists")["value"], 10_000, "all or nothing");
}

#[test]
fn a_drained_link_carries_nothing_and_comes_back() {
    let mut manager = manager("malbec");
    let link = global_link(&mut manager);
    ask(&mut manager, "POST", &format!("/api/v1/links/{link}/drain"), Value::Null).expect("it is a link");
    let found = get(&mut manager, "/api/v1/links?state=not-carrying");
    assert_eq!(found["items"][0]["name"], json!(link));
    assert_eq!(found["items"][0]["cause"], "drained by an operator");
    let alarms = get(&mut manager, "/api/v1/alarms");
    assert_eq!(alarms["total"], 0, "what somebody wants is no failure");
    let status = get(&mut manager, "/api/v1/status");
    assert_eq!((&status["links"]["planned"], &status["word"]), (&json!(1), &json!("HEALTHY")), "{status}");
    assert!(status_screen(&status, &alarms, false).contains("1 link drained"));
    ask(&mut manager, "POST", &format!("/api/v1/links/{link}/restore"), Value::Null).expect("it is a link");
    assert_eq!(get(&mut manager, "/api/v1/alarms")["total"], 0);
    assert_eq!(get(&mut manager, "/api/v1/status")["routes"]["generation"], 3);
}

#[test]
fn a_switch_in_maintenance_gets_no_tables_until_it_resumes() {
    let mut manager = manager("malbec");
    let link = global_link(&mut manager);
    let switch = format!("{}b0", link.split_once('a').expect("a port's name has its ASIC").0);
    ask(&mut manager, "POST", &format!("/api/v1/switches/{switch}/maintenance"), Value::Null).expect("it exists");
    ask(&mut manager, "POST", &format!("/api/v1/links/{link}/drain"), Value::Null).expect("it is a link");
    let row = get(&mut manager, &format!("/api/v1/switches/{switch}"));
    assert_eq!((&row["state"], &row["sections"][0]["applied"]), (&json!("maintenance"), &json!(false)), "{row}");
    ask(&mut manager, "POST", &format!("/api/v1/switches/{switch}/resume"), Value::Null).expect("it exists");
    let row = get(&mut manager, &format!("/api/v1/switches/{switch}"));
    assert_eq!((&row["state"], &row["sections"][0]["applied"]), (&json!("synced"), &json!(true)), "{row}");
}

#[test]
fn a_path_is_explained_hop_by_hop() {
    let mut manager = manager("malbec");
    let (first, last) = (manager.fabric.nic_xname(philae_units::EndpointId(0)), manager.fabric.nic_count() - 1);
    let last = manager.fabric.nic_xname(philae_units::EndpointId::from_index(last));
    let path = get(&mut manager, &format!("/api/v1/explain/path?from={first}&to={last}"));
    assert_eq!(path["reached"], true);
    let hops = path["candidatesByHop"].as_array().expect("a list").len();
    assert!((1..=3).contains(&hops), "at most local, global, local: {path}");
}

#[test]
fn pages_of_switches_are_complete_and_do_not_overlap() {
    let mut manager = manager("malbec");
    let mut names = Vec::new();
    let mut target = "/api/v1/switches?limit=7".to_owned();
    loop {
        let page = get(&mut manager, &target);
        names.extend(page["items"].as_array().expect("a list").iter().map(|item| item["name"].clone()));
        let Some(next) = page["next"].as_str() else { break };
        target = format!("/api/v1/switches?limit=7&after={next}");
    }
    let whole = get(&mut manager, "/api/v1/switches");
    let whole: Vec<Value> =
        whole["items"].as_array().expect("a list").iter().map(|item| item["name"].clone()).collect();
    assert_eq!(names, whole);
    assert_eq!(names.len(), 32);
}

#[test]
fn a_fat_tree_and_a_graph_come_up_too() {
    for system in ["slingshot400-fat-tree", "two-fabrics"] {
        let mut manager = manager(system);
        let status = get(&mut manager, "/api/v1/status");
        assert_eq!(status["switches"]["byState"]["synced"], status["switches"]["total"], "{system}");
        assert_eq!(status["health"]["traffic"]["word"], "HEALTHY", "{system}: {status}");
    }
}

/// The field of a port's configuration, and its origin.
fn field(explained: &Value, name: &str) -> (Value, Value) {
    let fields = explained["fields"].as_array().expect("a list");
    let found =
        fields.iter().find(|field| field["field"] == name).unwrap_or_else(|| panic!("no {name} in {explained}"));
    (found["value"].clone(), found["from"].clone())
}

#[test]
fn a_policy_reaches_ports_and_says_where_each_field_comes_from() {
    let mut manager = manager("malbec");
    let link = global_link(&mut manager);
    let policy = json!({ "spec": { "selector": "role=global", "priority": 10, "settings": { "autoneg": false } } });
    let dry = ask(&mut manager, "PUT", "/api/v1/port-policies/plain?dryRun=true", policy.clone()).expect("it is legal");
    let ports = dry["blastRadius"]["ports"].as_u64().expect("a number");
    assert_eq!((ports, &dry["dryRun"]), (192, &json!(true)), "both ends of 96 global links: {dry}");
    assert!(ask(&mut manager, "GET", "/api/v1/port-policies/plain", Value::Null).is_err(), "a dry run keeps nothing");
    ask(&mut manager, "PUT", "/api/v1/port-policies/plain", policy).expect("it is legal");
    let explained = get(&mut manager, &format!("/api/v1/explain/port/{link}"));
    let (value, from) = field(&explained, "/autoneg");
    assert_eq!(value, json!(false));
    assert!(from.as_str().expect("text").contains("plain"), "{from}");
    assert_eq!(explained["applied"], true);
    ask(&mut manager, "DELETE", "/api/v1/port-policies/plain", Value::Null).expect("nothing uses it");
    let explained = get(&mut manager, &format!("/api/v1/explain/port/{link}"));
    assert_ne!(field(&explained, "/autoneg").1, from);
}

#[test]
fn a_port_that_is_set_offline_takes_its_link_out() {
    let mut manager = manager("malbec");
    let link = global_link(&mut manager);
    let path = format!("/api/v1/ports/{link}");
    ask(&mut manager, "PUT", &path, json!({ "spec": { "settings": { "state": "offline" } } })).expect("it is legal");
    assert_eq!(get(&mut manager, &path)["state"], "disabled");
    let found = get(&mut manager, "/api/v1/links?state=not-carrying");
    assert_eq!(found["items"][0]["name"], json!(link), "{found}");
    ask(&mut manager, "DELETE", &path, Value::Null).expect("it was made");
    assert_eq!(get(&mut manager, &path)["state"], "up");
}

#[test]
fn what_does_not_fit_is_refused_with_all_its_problems() {
    let mut manager = manager("malbec");
    let wrong = json!({ "spec": { "selector": "role=edge", "settings": { "sped": "BS_200G", "state": "of" } } });
    let problem = ask(&mut manager, "PUT", "/api/v1/port-policies/wrong", wrong).expect_err("two mistakes");
    assert_eq!((problem.status, problem.problems.len()), (422, 2), "{problem:?}");
    assert!(problem.detail.contains("did you mean 'speed'"), "{problem:?}");
    let one_end = global_link(&mut manager);
    let half = ask(
        &mut manager,
        "PUT",
        &format!("/api/v1/ports/{one_end}"),
        json!({ "spec": { "settings": { "autoneg": false } } }),
    );
    assert_eq!(half.expect_err("two ends of a link must agree").status, 422);
}

#[test]
fn documents_outlive_the_manager_and_each_manager_has_a_higher_epoch() {
    let folder = new_folder();
    let open = || {
        Manager::simulated(load("malbec").expect("built in"), ControlSettings::default(), Some(folder.path()))
            .expect("it opens")
    };
    let mut first = open();
    first.control_loop.run();
    let policy = json!({ "spec": { "selector": "role=edge", "priority": 7 } });
    let made = ask(&mut first, "PUT", "/api/v1/port-policies/kept", policy.clone()).expect("it is legal");
    let request = |revision: u64| ApiRequest {
        actor: Actor::process(),
        method: "PUT".to_owned(),
        path: "/api/v1/port-policies/kept".to_owned(),
        body: policy.clone(),
        if_match: Some(format!("\"{revision}\"")),
        ..ApiRequest::default()
    };
    let revision = made["revision"].as_u64().expect("a revision");
    assert_eq!(answer(&mut first, request(revision + 7)).expect_err("it is another one").status, 412);
    answer(&mut first, request(revision)).expect("it is this one");
    drop(first);
    let mut second = open();
    second.control_loop.run();
    assert_eq!(get(&mut second, "/api/v1/port-policies/kept")["spec"]["priority"], 7);
    drop(second);
}

#[test]
fn routes_are_exported_for_the_simulator() {
    let mut manager = manager("malbec");
    let link = global_link(&mut manager);
    ask(&mut manager, "POST", &format!("/api/v1/links/{link}/drain"), Value::Null).expect("it is a link");
    let request = ApiRequest {
        method: "GET".to_owned(),
        path: "/api/v1/export/routes".to_owned(),
        actor: Actor::process(),
        ..ApiRequest::default()
    };
    let Ok(Reply::Bytes(bytes)) = answer(&mut manager, request) else { panic!("a file") };
    let file = philae_route_tables::RoutesFile::read(&bytes).expect("it was just written");
    let plan = file.plan(manager.control_loop.control.wiring().clone()).expect("of this wiring");
    assert_eq!(plan.tables(), manager.control_loop.control.plan().expect("it is up").tables());
}
