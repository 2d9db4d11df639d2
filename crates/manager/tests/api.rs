//! The API, without sockets: what it answers, what it orders, and how it says no.

use std::collections::BTreeMap;

use philae_control::Settings;
use philae_manager::api::{ENDPOINTS, Reply, Request, answer};
use philae_manager::{Manager, Problem, load, status_screen};
use serde_json::{Value, json};

fn manager(system: &str) -> Manager {
    let mut manager = Manager::simulated(load(system).expect("a built-in system"), Settings::default(), None)
        .expect("it can be routed");
    manager.plant.run();
    manager
}

fn ask(manager: &mut Manager, method: &str, target: &str, body: Value) -> Result<Value, Problem> {
    let (path, query) = target.split_once('?').unwrap_or((target, ""));
    let pairs = query.split('&').filter_map(|pair| pair.split_once('='));
    let query: BTreeMap<String, String> = pairs.map(|(key, value)| (key.to_owned(), value.to_owned())).collect();
    let request = Request { method: method.to_owned(), path: path.to_owned(), query, body, ..Request::default() };
    answer(manager, request).map(|reply| match reply {
        Reply::Json(value) => value,
        Reply::Text(text) => Value::String(text),
    })
}

fn get(manager: &mut Manager, target: &str) -> Value {
    ask(manager, "GET", target, Value::Null).unwrap_or_else(|problem| panic!("{target}: {problem:?}"))
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
    assert!(metrics.lines().count() < 100, "its size does not follow that of the fabric");
}

#[test]
fn every_endpoint_of_the_list_answers() {
    let mut manager = manager("malbec");
    let switch = get(&mut manager, "/api/v1/switches?limit=1")["items"][0]["name"].as_str().expect("a name").to_owned();
    let port = global_link(&mut manager);
    for endpoint in ENDPOINTS {
        let name = if endpoint.path.contains("switches") || endpoint.path.contains("routes") { &switch } else { &port };
        let path = endpoint.path.replace("{name}", name);
        let path = if path.ends_with("explain/path") { format!("{path}?from={port}&to={port}") } else { path };
        let body = if endpoint.method == "PATCH" { json!({ "heartbeat_ms": 1000 }) } else { Value::Null };
        let answer = ask(&mut manager, endpoint.method, &path, body);
        assert!(answer.is_ok(), "{} {path}: {answer:?}", endpoint.method);
    }
}

#[test]
fn what_is_asked_wrongly_is_told_what_would_work() {
    let mut manager = manager("malbec");
    for (method, target, status, hint) in [
        ("GET", "/api/v1/nothing", 404, "GET /api/v1 lists"),
        ("DELETE", "/api/v1/status", 405, "GET"),
        ("GET", "/api/v1/status?deep=1", 400, "none is known here"),
        ("GET", "/api/v1/switches?state=wel", 400, "synced"),
        ("GET", "/api/v1/switches?limit=0", 400, "1 to 100000"),
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
    assert_eq!(alarms["total"], 1);
    let status = get(&mut manager, "/api/v1/status");
    assert!(status_screen(&status, &alarms, false).contains("drained by an operator"));
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
