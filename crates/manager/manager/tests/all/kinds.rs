//! Every kind of document reaches its switches, and only those, and they store its content.

use crate::common;
use crate::common::new_folder;
use crate::common::{NOW, ask, assert_all_hold_what_is_wanted, edges, get, held, manager, put, refused};
use philae_agent::ConfigSection;
use philae_agent::items::Item;
use philae_manager::access::{Actor, RoleGrant};
use philae_manager::api::{ApiRequest, answer};
use philae_manager::{Manager, UnixClock};
use philae_units::{PortIndex, SwitchId};
use serde_json::{Value, json};

/// The number of orders to agents during an action.
fn sent(manager: &mut Manager, act: impl FnOnce(&mut Manager)) -> u64 {
    let before = manager.control_loop.traffic.messages_out;
    act(manager);
    manager.control_loop.traffic.messages_out - before
}

#[test]
fn every_switch_is_set_up_with_all_sections() {
    let manager = manager("malbec");
    assert_all_hold_what_is_wanted(&manager);
    let switch = SwitchId(0);
    let qos = held(&manager, switch, ConfigSection::Qos);
    let Some(Item::QosProfile(profile)) = qos.get(&0) else { panic!("a profile: {qos:?}") };
    assert_eq!((profile.profile.as_str(), profile.hash.len()), ("HPC", 64));
    assert!(qos.values().any(|item| matches!(item, Item::QosClass(class) if class.assured_percent > 0)), "{qos:?}");
    let own = held(&manager, switch, ConfigSection::Switch);
    let Some(Item::Switch(own)) = own.get(&0) else { panic!("{own:?}") };
    assert_eq!((own.enabled, own.lldp, own.management_vlan), (true, true, 1));
}

#[test]
fn a_qos_profile_goes_to_all_switches_at_once_and_not_to_half_of_them() {
    let mut manager = manager("malbec");
    let half = json!({ "spec": { "selector": "group=0", "settings": { "qosProfile": "LL_BE_BD_ET" } } });
    let problem = refused(&mut manager, "PUT", "/api/v1/switch-policies/half", half);
    assert_eq!(problem.problems[0]["code"], "qos-mismatch", "{problem:?}");
    let policy = json!({ "active": true, "nicQosProfile": "LL_BE_BD_ET", "switchDefaults": { "qosProfile": "LL_BE_BD_ET" },
        "nonminimalBiasPercent": 150 });
    let reply = put(&mut manager, "/api/v1/topology-policies/mine", policy);
    assert_eq!(reply["blastRadius"]["sections"], json!({ "qos": 32, "switch": 32 }), "{reply}");
    for switch in (0..32).map(SwitchId) {
        let Some(Item::QosProfile(profile)) = held(&manager, switch, ConfigSection::Qos).remove(&0) else {
            panic!("a profile")
        };
        assert_eq!(profile.profile, "LL_BE_BD_ET");
        let Some(Item::Switch(own)) = held(&manager, switch, ConfigSection::Switch).remove(&0) else {
            panic!("an item")
        };
        assert_eq!(own.nonminimal_bias_percent, Some(150));
    }
    assert_all_hold_what_is_wanted(&manager);
}

#[test]
fn a_vlan_reaches_the_switches_that_carry_it_and_its_vxlan_their_ends() {
    let mut manager = manager("malbec");
    put(&mut manager, "/api/v1/vlans/storage", json!({ "id": 70 }));
    let fabric = manager.fabric.clone();
    for switch in (0..32).map(SwitchId) {
        let vlans = held(&manager, switch, ConfigSection::Vlans);
        assert!(
            matches!(&vlans[&70], Item::Vlan(vlan) if vlan.name == "storage" && vlan.vxlans.is_empty()),
            "{vlans:?}"
        );
    }
    let (one, other) = (SwitchId(0), SwitchId(9));
    let ends = [fabric.bmc_xname(one).to_string(), fabric.bmc_xname(other).to_string()];
    let count = sent(&mut manager, |manager| {
        put(manager, "/api/v1/vxlans/far", json!({ "vni": 7000, "vlan": "storage", "vteps": ends }));
    });
    assert_eq!(count, 2, "only its ends are told");
    let Item::Vlan(vlan) = &held(&manager, one, ConfigSection::Vlans)[&70] else { panic!("a VLAN") };
    assert_eq!((vlan.vxlans[0].vni, &vlan.vxlans[0].remote), (7_000, &vec![ends[1].clone()]));
    // A VLAN that no port lets pass is not there: all ports of one switch are closed to it, and no
    // port of any link is left open.
    put(&mut manager, "/api/v1/vlans/other", json!({ "id": 71 }));
    put(
        &mut manager,
        "/api/v1/port-policies/narrow",
        json!({
            "selector": format!("switch={}", fabric.bmc_xname(SwitchId(3))),
            "settings": { "allowedVlans": [1, 70], "nativeVlan": 1 },
        }),
    );
    let vlans: Vec<u64> = held(&manager, SwitchId(3), ConfigSection::Vlans).into_keys().collect();
    assert_eq!(vlans, [70], "VLAN 1 is there without being said");
    let problem = refused(&mut manager, "DELETE", "/api/v1/vlans/storage", Value::Null);
    assert!(problem.detail.contains("narrow"), "{problem:?}");
    assert_all_hold_what_is_wanted(&manager);
}

#[test]
fn a_vni_block_lets_its_ports_use_its_vnis_and_no_others() {
    let mut manager = manager("malbec");
    let edges = edges(&manager);
    let (mine, shared, others) = (edges[0], edges[1], edges[200]);
    let name = |manager: &Manager, port: PortIndex| manager.port_name(port);
    let names = [name(&manager, mine), name(&manager, shared)];
    put(&mut manager, "/api/v1/vni-partitions/tenant", json!({ "vniRanges": ["10-100"], "edgePorts": names }));
    put(&mut manager, "/api/v1/vni-blocks/a", json!({ "partition": "tenant", "vniRanges": ["10-20", "40"] }));
    let count = sent(&mut manager, |manager| {
        let names = [name(manager, shared)];
        put(
            manager,
            "/api/v1/vni-blocks/b",
            json!({
                "partition": "tenant", "vniRanges": ["21-30"], "edgePorts": names,
            }),
        );
    });
    assert_eq!(count, 1);
    let ranges = |manager: &Manager, port: PortIndex| {
        let switch = manager.fabric.switch_of(port);
        match held(manager, switch, ConfigSection::Vnis).remove(&u64::from(manager.fabric.number_of(port).0)) {
            Some(Item::Vni(item)) => item.ranges,
            _ => Vec::new(),
        }
    };
    assert_eq!(ranges(&manager, mine), [[10, 20], [40, 40]], "of its partition");
    assert_eq!(ranges(&manager, shared), [[10, 30], [40, 40]]);
    assert_eq!(ranges(&manager, others), Vec::<[u16; 2]>::new());
    for (ranges, port, code) in [
        (json!(["90-110"]), name(&manager, mine), "limit-exceeded"),
        (json!(["25"]), name(&manager, mine), "duplicate"),
        (json!(["50"]), name(&manager, others), "conflict"),
    ] {
        let body = json!({ "spec": { "partition": "tenant", "vniRanges": ranges, "edgePorts": [port] } });
        let problem = refused(&mut manager, "PUT", "/api/v1/vni-blocks/c", body);
        assert_eq!(problem.problems[0]["code"], code, "{problem:?}");
    }
    assert_all_hold_what_is_wanted(&manager);
}

#[test]
fn access_lists_go_by_rule_to_the_switches_whose_ports_name_them() {
    let mut manager = manager("malbec");
    let rule = |priority: u16, action: &str| json!({ "priority": priority, "match": { "vlan": 1 }, "action": action });
    put(&mut manager, "/api/v1/acls/guests", json!({ "rules": [rule(10, "permit"), rule(5, "deny")] }));
    let port = edges(&manager)[40];
    let (switch, name) = (manager.fabric.switch_of(port), manager.port_name(port));
    assert!(held(&manager, switch, ConfigSection::Acls).is_empty(), "no port names it");
    put(&mut manager, &format!("/api/v1/ports/{name}"), json!({ "settings": { "acls": ["guests"] } }));
    let before = held(&manager, switch, ConfigSection::Acls);
    let number = before.keys().next().expect("rules") >> 16;
    assert_eq!(before.keys().copied().collect::<Vec<_>>(), [number << 16 | 5, number << 16 | 10]);
    assert!(matches!(&before[&(number << 16 | 5)], Item::Acl(rule) if rule.acl == "guests" && rule.action == "deny"));
    let bytes = manager.control_loop.traffic.bytes_out;
    put(&mut manager, "/api/v1/acls/guests", json!({ "rules": [rule(10, "permit"), rule(5, "count")] }));
    let one_rule = manager.control_loop.traffic.bytes_out - bytes;
    assert!(one_rule < 400, "only the rule that differs travels: {one_rule} bytes");
    let after = held(&manager, switch, ConfigSection::Acls);
    assert!(matches!(&after[&(number << 16 | 5)], Item::Acl(rule) if rule.action == "count"));
    let elsewhere = (0..32).map(SwitchId).filter(|other| *other != switch);
    assert!(elsewhere.clone().all(|other| held(&manager, other, ConfigSection::Acls).is_empty()));
    assert_all_hold_what_is_wanted(&manager);
}

#[test]
fn a_lag_reaches_its_switch() {
    let mut manager = manager("malbec");
    let ports = edges(&manager)[..2].to_vec();
    let switch = manager.fabric.switch_of(ports[0]);
    let names: Vec<String> = ports.iter().rev().map(|port| manager.port_name(*port)).collect();
    put(&mut manager, "/api/v1/lags/pair", json!({ "portLinks": names, "mode": "static", "lacpTimeout": "short" }));
    let lags = held(&manager, switch, ConfigSection::Lags);
    let numbers: Vec<u8> = ports.iter().map(|port| manager.fabric.number_of(*port).0).collect();
    let Some(Item::Lag(lag)) = lags.get(&u64::from(numbers[0])) else { panic!("{lags:?}") };
    assert_eq!((&lag.ports, lag.mode.as_str(), lag.lacp_timeout.as_str()), (&numbers, "static", "short"));
    ask(&mut manager, "DELETE", "/api/v1/lags/pair", Value::Null).expect("nothing uses it");
    assert!(held(&manager, switch, ConfigSection::Lags).is_empty());
    assert_all_hold_what_is_wanted(&manager);
}

#[test]
fn a_switch_that_is_not_to_take_part_goes_and_comes_back() {
    let mut manager = manager("malbec");
    let name = manager.switch_name(SwitchId(5));
    put(
        &mut manager,
        &format!("/api/v1/switches/{name}"),
        json!({ "settings": { "enabled": false, "firmware": "2.3" } }),
    );
    let Some(Item::Switch(own)) = held(&manager, SwitchId(5), ConfigSection::Switch).remove(&0) else {
        panic!("an item")
    };
    assert_eq!((own.enabled, own.firmware.as_deref()), (false, Some("2.3")));
    let lost = get(&mut manager, "/api/v1/links?state=not-carrying")["items"].as_array().map_or(0, Vec::len);
    assert!(lost > 0, "its links carry nothing");
    ask(&mut manager, "DELETE", &format!("/api/v1/switches/{name}"), Value::Null).expect("it was made");
    let ports = get(&mut manager, &format!("/api/v1/switches/{name}"));
    let up = ports["ports"].as_array().expect("ports").iter().filter(|port| port["state"] == "up").count();
    assert!(up > 0, "{ports}");
}

#[test]
fn settings_last_and_go_over_the_topology_policy() {
    let folder = new_folder();
    let mut first = common::up("malbec", Some(folder.path()));
    ask(&mut first, "PATCH", "/api/v1/settings", json!({ "heartbeat_ms": 5_000, "hold_down_ms": 7 })).expect("legal");
    let problem = refused(&mut first, "PATCH", "/api/v1/settings", json!({ "heartbeat_ms": 1, "hold_down": 7 }));
    assert_eq!(problem.problems.len(), 2, "all that is wrong: {problem:?}");
    put(
        &mut first,
        "/api/v1/topology-policies/mine",
        json!({
            "active": true, "sweepIntervalMilliseconds": 30_000, "isolationBudgetLinks": 2,
        }),
    );
    drop(first);
    let mut second = common::up("malbec", Some(folder.path()));
    let settings = *second.control_loop.control.settings();
    assert_eq!((settings.heartbeat_ms, settings.hold_down_ms, settings.isolation_budget_links), (5_000, 7, 2));
    ask(&mut second, "PATCH", "/api/v1/settings", json!({ "heartbeat_ms": null }))
        .expect("back to what the policy says");
    assert_eq!(second.control_loop.control.settings().heartbeat_ms, 30_000);
    let agent = second
        .control_loop
        .fabric()
        .expect("it is simulated")
        .agent(SwitchId(0))
        .next_deadline_ms()
        .expect("a heartbeat");
    assert!(agent > second.control_loop.now_ms() + 10_000, "agents are told: {agent}");
    ask(&mut second, "DELETE", "/api/v1/settings/manager", Value::Null).expect("it was made");
    assert_eq!(second.control_loop.control.settings().hold_down_ms, 1_000);
}

#[test]
fn changes_wait_for_their_window_and_say_when_it_opens() {
    let mut manager = manager("malbec");
    put(
        &mut manager,
        "/api/v1/maintenance-windows/tonight",
        json!({
            "selector": "group=0", "startsAtSeconds": NOW + 100, "endsAtSeconds": NOW + 200,
        }),
    );
    let here = json!({ "selector": "role=edge,group=0", "settings": { "mtuBytes": 1500 } });
    let elsewhere = json!({ "selector": "role=edge,group=1", "settings": { "mtuBytes": 1500 } });
    put(&mut manager, "/api/v1/port-policies/elsewhere", elsewhere);
    let problem = refused(&mut manager, "PUT", "/api/v1/port-policies/here", json!({ "spec": here }));
    assert_eq!((problem.status, problem.code), (409, "change.outside-window"));
    assert_eq!(problem.problems[0]["opensAtSeconds"], NOW + 100);
    assert!(problem.detail.contains("2033-05-18T03:35:00Z"), "{problem:?}");
    let dry =
        ask(&mut manager, "PUT", "/api/v1/port-policies/here?dryRun=true", json!({ "spec": here })).expect("legal");
    assert!(dry["refusedNow"].as_str().is_some_and(|text| text.contains("tonight")), "{dry}");
    let grant = RoleGrant { role: philae_policy::Role::Operator, tenant: None };
    let operator = Actor::known("night-shift".to_owned(), vec![grant], true);
    let request = ApiRequest {
        method: "PUT".to_owned(),
        path: "/api/v1/port-policies/here".to_owned(),
        query: [("override".to_owned(), "true".to_owned())].into(),
        body: json!({ "spec": here }),
        actor: operator,
        ..ApiRequest::default()
    };
    let problem = answer(&mut manager, request).expect_err("an operator waits");
    assert_eq!(problem.code, "change.outside-window");
    ask(&mut manager, "PUT", "/api/v1/port-policies/here?override=true", json!({ "spec": here })).expect("by order");
    put(
        &mut manager,
        "/api/v1/maintenance-windows/quarter-end",
        json!({
            "startsAtSeconds": NOW, "endsAtSeconds": NOW + 150, "freeze": true,
        }),
    );
    let problem = refused(&mut manager, "DELETE", "/api/v1/port-policies/elsewhere", Value::Null);
    assert_eq!((problem.code, &problem.problems[0]["opensAtSeconds"]), ("change.frozen", &json!(NOW + 150)));
    put(&mut manager, "/api/v1/vni-partitions/job", json!({ "vniRanges": ["10-20"] }));
    put(&mut manager, "/api/v1/vni-blocks/job", json!({ "partition": "job", "vniRanges": ["10"] }));
    manager.clock = UnixClock::at(NOW + 150);
    ask(&mut manager, "DELETE", "/api/v1/port-policies/elsewhere", Value::Null).expect("the freeze is over");
    put(&mut manager, "/api/v1/port-policies/here", json!({ "selector": "role=edge,group=0" }));
}

#[test]
fn a_port_a_switch_and_a_policy_say_what_became_of_them() {
    let mut manager = manager("malbec");
    let port = edges(&manager)[3];
    let (name, switch) = (manager.port_name(port), manager.switch_name(manager.fabric.switch_of(port)));
    put(
        &mut manager,
        "/api/v1/port-policies/wide",
        json!({
            "selector": "role=edge", "priority": 1, "settings": { "mtuBytes": 4000, "degradedLanesMax": 1 },
        }),
    );
    put(
        &mut manager,
        "/api/v1/port-policies/narrow",
        json!({
            "selector": "role=edge,group=0", "priority": 2, "settings": { "mtuBytes": 1500 },
        }),
    );
    ask(&mut manager, "POST", &format!("/api/v1/switches/{switch}/maintenance"), Value::Null).expect("it exists");
    put(&mut manager, &format!("/api/v1/ports/{name}"), json!({ "settings": { "mtuBytes": 2000 } }));
    let explained = get(&mut manager, &format!("/api/v1/explain/port/{name}"));
    assert_eq!(
        (&explained["desired"]["mtuBytes"], &explained["acknowledged"]["mtuBytes"]),
        (&json!(2000), &json!(1500))
    );
    assert_eq!(explained["applied"], false);
    assert!(explained["why"].as_str().is_some_and(|why| why.contains("maintenance")), "{explained}");
    assert_eq!(explained["observed"]["state"], "up");
    let explained = get(&mut manager, &format!("/api/v1/explain/switch/{switch}"));
    let ports = explained["sections"].as_array().expect("sections").iter().find(|row| row["section"] == "ports");
    let ports = ports.expect("ports");
    assert_eq!((&ports["applied"], &ports["itemsThatDiffer"]), (&json!(false), &json!(1)), "{ports}");
    let policy = get(&mut manager, "/api/v1/explain/policy/port-policies/wide");
    let all = edges(&manager).len() as u64;
    assert_eq!(policy["appliesTo"]["ports"], all);
    let mtu = policy["fields"].as_array().expect("fields").iter().find(|field| field["field"] == "/mtuBytes");
    let mtu = mtu.expect("the field");
    let is_here = |port: &PortIndex| manager.fabric.switch(manager.fabric.switch_of(*port)).group.0 == 0;
    let here = edges(&manager).into_iter().filter(is_here).count() as u64;
    assert_eq!(mtu["fromIt"], all - here);
    assert_eq!(
        mtu["overriddenBy"],
        json!([{ "by": "port-policy 'narrow'", "count": here - 1 }, { "by": format!("port '{name}'"), "count": 1 }])
    );
    assert_eq!(policy["notAppliedYet"]["switches"], 1, "{policy}");
    assert_eq!(policy["notAppliedYet"]["first"][0]["switch"], switch);
    ask(&mut manager, "POST", &format!("/api/v1/switches/{switch}/resume"), Value::Null).expect("it exists");
    let policy = get(&mut manager, "/api/v1/explain/policy/port-policies/wide");
    assert_eq!(policy["notAppliedYet"]["switches"], 0, "{policy}");
    put(&mut manager, "/api/v1/vlans/storage", json!({ "id": 70 }));
    let vlan = get(&mut manager, "/api/v1/explain/policy/vlans/storage");
    assert_eq!((&vlan["appliesTo"]["switches"], &vlan["notAppliedYet"]["switches"]), (&json!(32), &json!(0)), "{vlan}");
}

#[test]
fn hosts_that_do_not_fit_are_alarms_that_end_by_themselves() {
    let mut manager = manager("malbec");
    let wanted = get(&mut manager, "/api/v1/attestations")["wanted"].clone();
    let node = manager.fabric.node_xname(philae_units::NodeId(2)).to_string();
    let path = format!("/api/v1/attestations/{node}");
    let said = |hash: &Value| json!({ "qosProfile": "HPC", "qosProfileHash": hash });
    ask(&mut manager, "PUT", &path, said(&wanted["qosProfileHash"])).expect("a node");
    assert_eq!(get(&mut manager, "/api/v1/alarms")["total"], 0);
    ask(&mut manager, "PUT", &path, said(&json!("00"))).expect("a node");
    let alarms = get(&mut manager, "/api/v1/alarms");
    assert_eq!((&alarms["total"], &alarms["items"][0]["kind"]), (&json!(1), &json!("qos-mismatch")), "{alarms}");
    assert!(alarms["items"][0]["detail"].as_str().is_some_and(|text| text.contains(&node)), "{alarms}");
    assert_eq!(get(&mut manager, "/api/v1/status")["health"]["configuration"]["word"], "DEGRADED");
    ask(&mut manager, "PUT", &path, said(&wanted["qosProfileHash"])).expect("a node");
    assert_eq!(get(&mut manager, "/api/v1/alarms")["total"], 0);
    // Two NICs whose addresses are exchanged.
    let edges = edges(&manager);
    let nic = |manager: &Manager, port: PortIndex| {
        let nic = manager.fabric.nic_at(port).expect("an edge port");
        let node = manager.fabric.nics()[nic.index()].node;
        (manager.fabric.nic_xname(nic).to_string(), manager.fabric.node_xname(node).to_string())
    };
    let mac = |manager: &Manager, port: PortIndex| manager.fabric.address(port).expect("small").mac().to_string();
    let (one, other) = (nic(&manager, edges[0]), nic(&manager, edges[9]));
    let path = format!("/api/v1/attestations/{}", one.1);
    let body = json!({ "nics": [{ "name": one.0, "mac": mac(&manager, edges[9]) }] });
    ask(&mut manager, "PUT", &path, body).expect("a node");
    let alarms = get(&mut manager, "/api/v1/alarms");
    assert_eq!(alarms["items"][0]["kind"], "address-mismatch");
    assert!(alarms["items"][0]["detail"].as_str().is_some_and(|text| text.contains(&other.0)), "{alarms}");
    let foreign =
        refused(&mut manager, "PUT", &path, json!({ "nics": [{ "name": other.0, "mac": "02:00:00:00:00:00" }] }));
    assert_eq!(foreign.status, 400, "{foreign:?}");
    let right = json!({ "nics": [{ "name": one.0, "mac": mac(&manager, edges[0]) }] });
    ask(&mut manager, "PUT", &path, right).expect("right");
    assert_eq!(get(&mut manager, "/api/v1/alarms")["total"], 0);
}

#[test]
fn a_port_that_pauses_too_long_is_isolated_and_comes_back() {
    let mut manager = manager("malbec");
    for (name, value) in [("pause_limit_ms", 20), ("pause_clear_ms", 20)] {
        manager.control_loop.control.set(name, value).expect("they exist");
    }
    manager.run();
    let port = manager.port_name(edges(&manager)[7]);
    let until = |manager: &mut Manager, state: &str| {
        // In simulated time: each step goes as far as the fabric says.
        for _ in 0..1_000 {
            let next = manager.run().unwrap_or(0);
            if get(manager, &format!("/api/v1/ports/{port}"))["state"] == state {
                return;
            }
            let wait = next.saturating_sub(manager.control_loop.now_ms()).clamp(1, 50);
            manager.control_loop.advance(std::time::Duration::from_millis(wait));
        }
        panic!("{port} never is {state}");
    };
    ask(&mut manager, "POST", &format!("/api/v1/simulation/ports/{port}/pause"), Value::Null).expect("an edge port");
    until(&mut manager, "paused-too-long");
    let alarms = get(&mut manager, "/api/v1/alarms");
    assert_eq!((&alarms["total"], &alarms["items"][0]["kind"]), (&json!(1), &json!("paused-too-long")), "{alarms}");
    assert_eq!(get(&mut manager, "/api/v1/status")["health"]["traffic"]["word"], "DEGRADED");
    ask(&mut manager, "POST", &format!("/api/v1/simulation/ports/{port}/unpause"), Value::Null).expect("an edge port");
    until(&mut manager, "up");
    assert_eq!(get(&mut manager, "/api/v1/alarms")["total"], 0);
}
