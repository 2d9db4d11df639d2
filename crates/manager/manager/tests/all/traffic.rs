//! Counters of a simulation, through simulated switches and their agents, to the clients of the
//! manager.

use crate::common::ask;
use philae_manager::{Manager, load};
use philae_manager_core::ControlSettings;
use serde_json::{Value, json};

/// A manager that reads counters as often as there are any.
fn manager() -> (Manager, String) {
    let settings = ControlSettings { counters_ms: 1, ..ControlSettings::default() };
    let mut manager =
        Manager::simulated(load("malbec").expect("a built-in system"), settings, None).expect("it can be routed");
    manager.control_loop.run();
    let wiring = format!("{:016x}", manager.control_loop.control.wiring().hash());
    (manager, wiring)
}

#[test]
fn what_a_simulation_counts_comes_from_the_agents_with_its_rate() {
    let (mut manager, wiring) = manager();
    assert_eq!(ask(&mut manager, "GET", "/api/v1/traffic", Value::Null).expect("an answer")["total"], 0);
    // Ports 1 and 65 belong to two switches. From 1,000 to 2,000 ns, 12,500 B: 100 Gb/s.
    for (clock_ns, bytes) in [(1_000, 500), (2_000, 13_000)] {
        let body = json!({ "wiring": wiring, "clockNs": clock_ns, "ports": [[1, bytes, 10], [65, 64, 1]] });
        ask(&mut manager, "POST", "/api/v1/simulation/counters", body).expect("they are this fabric's");
        manager.control_loop.advance(std::time::Duration::from_millis(3));
        manager.control_loop.run();
    }
    let found = ask(&mut manager, "GET", "/api/v1/traffic", Value::Null).expect("an answer");
    assert_eq!(found["total"], 2);
    let busiest = &found["items"][0];
    assert_eq!((&busiest["sentGbps"], &busiest["sentBytes"]), (&json!(100.0), &json!(13_000)), "{found}");
    assert_eq!(busiest["utilisationPercent"], 100.0, "of the 100 Gb/s of malbec's NICs");
    let path = format!("/api/v1/ports/{}", busiest["name"].as_str().expect("a name"));
    assert_eq!(ask(&mut manager, "GET", &path, Value::Null).expect("a port")["traffic"]["sentPackets"], 10);
}

#[test]
fn counters_of_another_fabric_and_of_ports_that_are_not_there_are_refused() {
    let (mut manager, wiring) = manager();
    for (body, status, hint) in [
        (json!({ "wiring": "0", "clockNs": 1, "ports": [] }), 409, "malbec"),
        (json!({ "wiring": wiring, "ports": [] }), 400, "clockNs"),
        (json!({ "wiring": wiring, "clockNs": 1, "ports": [[1, 2]] }), 400, "[port, bytes, packets]"),
        (json!({ "wiring": wiring, "clockNs": 1, "ports": [[99_999_999, 2, 1]] }), 400, "there is no port 99999999"),
    ] {
        let problem = ask(&mut manager, "POST", "/api/v1/simulation/counters", body).expect_err("it is refused");
        assert_eq!(problem.status, status, "{problem:?}");
        assert!(problem.detail.contains(hint), "{problem:?}");
    }
    assert_eq!(ask(&mut manager, "GET", "/api/v1/traffic", Value::Null).expect("an answer")["total"], 0);
}
