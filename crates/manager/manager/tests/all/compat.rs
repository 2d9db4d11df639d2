//! The sequences of calls of clients of the hardware's own manager, replayed: a workload manager's,
//! a tenant operator's, an administrator's tool's.

use crate::common;
use crate::common::new_folder;
use crate::common::{NOW, ask, edges, get, held, manager, refused};
use philae_agent::ConfigSection;
use philae_agent::items::Item;
use philae_manager::api::{ApiRequest, answer};
use philae_manager::compat::error;
use philae_manager::{KnownToken, Manager};
use philae_units::PortIndex;
use serde_json::{Value, json};

fn links(value: &Value) -> Vec<String> {
    let links = value["documentLinks"].as_array().unwrap_or_else(|| panic!("no links in {value}"));
    assert_eq!(value["documentCount"], links.len());
    links.iter().map(|link| link.as_str().expect("a link").to_owned()).collect()
}

fn follow(manager: &mut Manager, link: &str) -> Value {
    let found = get(manager, link);
    assert_eq!(found["documentSelfLink"], link);
    for key in [
        "documentKind",
        "documentVersion",
        "documentEpoch",
        "documentOwner",
        "documentUpdateAction",
        "documentUpdateTimeMicros",
        "documentExpirationTimeMicros",
    ] {
        assert!(!found[key].is_null(), "{link} lacks {key}");
    }
    let now = philae_manager_api::now_micros();
    let written = found["documentUpdateTimeMicros"].as_u64().expect("a time");
    assert!((now - 3_600_000_000..=now).contains(&written), "{link} was written at {written}");
    found
}

#[test]
fn a_workload_manager_opens_uses_and_ends_collective_sessions() {
    let mut manager = manager("malbec");
    let job = "/fabric/collectives/jobs/cluster-42";
    let missing = refused(&mut manager, "GET", job, Value::Null);
    assert_eq!(missing.status, 404, "it asks first whether there is one");
    assert_eq!(error(&missing)["statusCode"], 404);
    let made = ask(&mut manager, "POST", "/fabric/collectives/jobs", json!({ "jobID": "cluster-42", "mcastLimit": 3 }));
    let made = made.expect("a session");
    let token = made["sessionToken"].as_str().expect("a token").to_owned();
    assert_eq!(token.len(), 64);
    assert_eq!(follow(&mut manager, job)["sessionToken"], token, "a second step gets the same");
    let stored = get(&mut manager, "/api/v1/collective-sessions/cluster-42");
    assert!(!stored.to_string().contains(&token), "the token itself is kept nowhere");
    // Its periodic thread lists jobs, with a slash at the end.
    assert_eq!(links(&get(&mut manager, "/fabric/collectives/jobs/")), [job]);
    // Rank 0 of a step requests a tree.
    let edges = edges(&manager);
    let macs: Vec<String> =
        edges.iter().step_by(9).map(|port| manager.fabric.address(*port).expect("small").mac().to_string()).collect();
    let wanted = |token: &str| json!({ "sessionToken": token, "jobID": "cluster-42", "jobStepID": 1, "macs": macs });
    let wrong = refused(&mut manager, "POST", "/fabric/collectives/multicasts", wanted("stolen"));
    assert_eq!((wrong.status, wrong.code), (403, "session.token"));
    let tree = ask(&mut manager, "POST", "/fabric/collectives/multicasts", wanted(&token)).expect("a tree");
    assert_eq!((&tree["mcastID"], &tree["macs"][0], &tree["unreached"]), (&json!(1), &json!(macs[0]), &json!(0)));
    assert_eq!(tree["hwRoot"].as_str().map(|root| &root[9..]), Some(&macs[0][9..]), "the same NIC, without the prefix");
    let root = held(&manager, manager.fabric.switch_of(edges[0]), ConfigSection::Multicast);
    assert!(matches!(root.get(&1), Some(Item::Multicast(part)) if part.session == "cluster-42"), "{root:?}");
    // Or with the session's token as its credential, as ranks do.
    let rank = KnownToken::all(manager.documents.set()).into_iter().find(|known| known.name() == "session:cluster-42");
    let mut body = wanted(&token);
    body.as_object_mut().expect("an object").remove("sessionToken");
    let request = ApiRequest {
        method: "POST".to_owned(),
        path: "/fabric/collectives/multicasts".to_owned(),
        body,
        actor: rank.expect("sessions are known").actor(false),
        ..ApiRequest::default()
    };
    let mut other = request.clone();
    other.body["jobID"] = json!("cluster-7");
    assert!(answer(&mut manager, other).is_err(), "of another job it is none");
    let mut elsewhere = request.clone();
    elsewhere.path = "/fabric/vlans".to_owned();
    assert_eq!(answer(&mut manager, elsewhere).expect_err("it has no role").status, 403);
    answer(&mut manager, request).expect("another tree");
    assert_eq!(follow(&mut manager, job)["jobSteps"], json!({ "1": [1, 2] }));
    // The step ends.
    let patched = ask(&mut manager, "PATCH", job, json!({ "jobSteps": { "1": null } })).expect("the step's trees");
    assert_eq!(patched["jobSteps"], json!({}));
    assert!(held(&manager, manager.fabric.switch_of(edges[0]), ConfigSection::Multicast).is_empty());
    ask(&mut manager, "POST", "/fabric/collectives/multicasts", wanted(&token)).expect("a tree of the next step");
    // The job ends.
    ask(&mut manager, "DELETE", job, Value::Null).expect("the session");
    assert_eq!(links(&get(&mut manager, "/fabric/collectives/jobs")), Vec::<String>::new());
    assert_eq!(links(&get(&mut manager, "/fabric/collectives/multicasts")), Vec::<String>::new());
    let again =
        ask(&mut manager, "POST", "/fabric/collectives/jobs", json!({ "jobID": "cluster-42", "mcastLimit": 3 }));
    assert_ne!(again.expect("a new session")["sessionToken"], token, "another session has another token");
    assert_eq!(
        refused(&mut manager, "PATCH", "/fabric/collectives/jobs/none-1", json!({ "jobSteps": {} })).status,
        404
    );
}

#[test]
fn a_session_that_nobody_ends_ends_by_itself_and_outlives_a_restart() {
    let folder = new_folder();
    let mut first = common::up("malbec", Some(folder.path()));
    let made = ask(&mut first, "POST", "/fabric/collectives/jobs", json!({ "jobID": "cluster-1", "mcastLimit": 1 }));
    let token = made.expect("a session")["sessionToken"].clone();
    drop(first);
    let mut second = common::up("malbec", Some(folder.path()));
    let found = follow(&mut second, "/fabric/collectives/jobs/cluster-1");
    assert_eq!(found["sessionToken"], token);
    let end = found["documentExpirationTimeMicros"].as_u64().expect("an end") / 1_000_000;
    assert!(end > NOW);
    second.clock = philae_manager::UnixClock::at(end);
    second.run();
    assert_eq!(links(&get(&mut second, "/fabric/collectives/jobs")), Vec::<String>::new());
}

/// The search of the tenant operator: every switch, every edge port of each, until it has found the
/// tenant's nodes.
fn edge_ports_of(manager: &mut Manager, nodes: &[String]) -> (Vec<u64>, Vec<String>) {
    let (mut addresses, mut ports) = (Vec::new(), Vec::new());
    for link in links(&get(manager, "/fabric/switches")) {
        let switch = follow(manager, &link);
        let number = |value: &Value| value.as_u64().expect("a number");
        let above = number(&switch["grpId"]) << 23 | number(&switch["swcNum"]) << 18;
        for port in switch["edgePorts"].as_array().expect("ports") {
            let name = port["conn_port"].as_str().expect("a name").to_owned();
            let document = follow(manager, &format!("/fabric/ports/{name}"));
            let destination = document["dst_port"].as_str().expect("a NIC");
            if nodes.iter().any(|node| destination[..destination.len() - 2] == **node) {
                addresses.push(above | number(&port["portNum"]) << 12);
                ports.push(name);
            }
        }
    }
    (addresses, ports)
}

#[test]
fn a_tenant_operator_makes_partitions_blocks_and_vlans() {
    let mut manager = manager("malbec");
    let node = |manager: &Manager, number: u32| manager.fabric.node_xname(philae_units::NodeId(number)).to_string();
    let nodes = [node(&manager, 3), node(&manager, 90)];
    let (addresses, ports) = edge_ports_of(&mut manager, &nodes);
    assert!(!addresses.is_empty(), "the nodes have NICs");
    let made = ask(
        &mut manager,
        "POST",
        "/fabric/vni/partitions",
        json!({
            "partitionName": "blue", "vniRanges": ["100-200"], "edgePortDFAs": addresses,
        }),
    );
    assert_eq!(made.expect("a partition")["documentSelfLink"], "/fabric/vni/partitions/blue");
    let partition = follow(&mut manager, "/fabric/vni/partitions/blue");
    assert_eq!(partition["edgePortDFA"], json!(addresses));
    let block = ask(
        &mut manager,
        "POST",
        "/fabric/vni/blocks",
        json!({
            "vniBlockName": "blue-block", "partitionName": "blue", "vniRanges": ["100-200"], "portDFAs": addresses,
        }),
    );
    let task = block.expect("a block")["enforcementTaskServiceLink"].as_str().expect("a link").to_owned();
    assert_eq!(follow(&mut manager, &task)["taskInfo"]["stage"], "FINISHED");
    let port = manager.fabric.port_by_name(&ports[0]).expect("a port");
    let vnis = held(&manager, manager.fabric.switch_of(port), ConfigSection::Vnis);
    let own = vnis.get(&u64::from(manager.fabric.number_of(port).0));
    assert!(matches!(own, Some(Item::Vni(item)) if item.ranges == [[100, 200]]), "{vnis:?}");
    // A switch that cannot get orders fails the task until it is back.
    let switch = manager.switch_name(manager.fabric.switch_of(port));
    ask(&mut manager, "POST", &format!("/api/v1/switches/{switch}/maintenance"), Value::Null).expect("it exists");
    ask(
        &mut manager,
        "PATCH",
        "/fabric/vni/blocks/blue-block",
        json!({ "vniRanges": ["100-150"], "portDFAs": addresses }),
    )
    .expect("a block");
    assert_eq!(follow(&mut manager, &task)["taskInfo"]["stage"], "FAILED");
    ask(&mut manager, "POST", &format!("/api/v1/switches/{switch}/resume"), Value::Null).expect("it exists");
    assert_eq!(follow(&mut manager, &task)["taskInfo"]["stage"], "FINISHED");
    // A VLAN with the first free number, a policy for it, and the policy on each port before the
    // port's other policies.
    let taken: Vec<String> = links(&get(&mut manager, "/fabric/vlans"));
    let free = (1..).find(|id| !taken.contains(&format!("/fabric/vlans/{id}"))).expect("a number");
    assert_eq!(free, 2, "VLAN 1 is there");
    let vlan = ask(&mut manager, "POST", "/fabric/vlans", json!({ "id": free, "name": "blue", "status": "ONLINE" }));
    let vlan = vlan.expect("a VLAN")["documentSelfLink"].clone();
    let policy = ask(
        &mut manager,
        "POST",
        "/fabric/port-policies",
        json!({
            "nativeVlanId": vlan, "isUntaggedAllowed": true, "allowedVlans": [vlan], "documentSelfLink": "blue",
        }),
    );
    let policy = policy.expect("a policy");
    assert_eq!((&policy["allowedVlans"], &policy["nativeVlanId"]), (&json!([vlan]), &vlan), "{policy}");
    for name in &ports {
        let link = format!("/fabric/ports/{name}");
        let mut wanted = vec![policy["documentSelfLink"].clone()];
        wanted.extend(follow(&mut manager, &link)["portPolicyLinks"].as_array().expect("policies").iter().cloned());
        let patched = ask(&mut manager, "PATCH", &link, json!({ "portPolicyLinks": wanted })).expect("legal");
        assert_eq!(patched["portPolicyLinks"], json!(wanted));
    }
    let explained = get(&mut manager, &format!("/api/v1/explain/port/{}", ports[0]));
    assert_eq!(explained["acknowledged"]["allowedVlans"], json!([2]), "{explained}");
    for link in ["/fabric/vni/blocks/blue-block", "/fabric/vni/partitions/blue"] {
        ask(&mut manager, "DELETE", link, Value::Null).expect("nothing uses it");
        assert_eq!(refused(&mut manager, "GET", link, Value::Null).status, 404);
    }
}

#[test]
fn an_administrators_tool_takes_a_jack_offline_and_back() {
    let mut manager = manager("malbec");
    let port = edges(&manager)[5];
    let name = manager.fabric.connector_port_xname(port).to_string();
    let jack = &name[..name.rfind('p').expect("a port of a jack")];
    let all = links(&get(&mut manager, "/fabric/ports"));
    let wanted: Vec<&String> = all
        .iter()
        .filter(|link| link.rsplit('/').next().is_some_and(|port| port.starts_with(&format!("{jack}p"))))
        .collect();
    assert!(!wanted.is_empty() && wanted.len() <= 2, "{wanted:?}");
    for link in wanted {
        let document = follow(&mut manager, link);
        let policy = document["portPolicyLinks"][0].as_str().expect("a port has a policy").to_owned();
        let (folder, last) = policy.rsplit_once('/').expect("a link");
        let offline = format!("{folder}/sat-offline-{last}");
        if ask(&mut manager, "GET", &offline, Value::Null).is_err() {
            let body = json!({ "state": "OFFLINE", "documentSelfLink": format!("sat-offline-{last}") });
            ask(&mut manager, "POST", folder, body).expect("a policy");
        }
        ask(&mut manager, "PATCH", link, json!({ "portPolicyLinks": [offline] })).expect("a port");
        let id = document["id"].as_str().expect("a name").to_owned();
        assert_eq!(get(&mut manager, &format!("/api/v1/ports/{id}"))["state"], "disabled");
        ask(&mut manager, "PATCH", link, json!({ "portPolicyLinks": [policy] })).expect("a port");
        assert_eq!(get(&mut manager, &format!("/api/v1/ports/{id}"))["state"], "up");
    }
}

#[test]
fn collections_have_pages_and_counts() {
    let mut manager = manager("malbec");
    let all = links(&get(&mut manager, "/fabric/ports"));
    let mut target = "/fabric/ports?$limit=500".to_owned();
    let mut found = Vec::new();
    loop {
        let page = get(&mut manager, &target);
        assert_eq!(page["totalCount"], all.len());
        found.extend(links(&page));
        match page["nextPageLink"].as_str() {
            Some(next) => target = next.to_owned(),
            None => break,
        }
    }
    assert_eq!(found, all);
    let last = get(&mut manager, &target);
    assert!(last["prevPageLink"].as_str().is_some_and(|link| link.contains("$limit=500")), "{}", last["prevPageLink"]);
    assert_eq!(links(&get(&mut manager, "/fabric/switches?$top=3")).len(), 3);
    assert_eq!(refused(&mut manager, "GET", "/fabric/ports?$limit=x", Value::Null).status, 400);
}

#[test]
fn the_rest_of_the_view_answers() {
    let mut manager = manager("malbec");
    let map = follow(&mut manager, "/fabric/topology-maps/template-map");
    assert_eq!(map["switches"].as_object().map_or(0, serde_json::Map::len), 32);
    assert_eq!(map["sweepIntervalInMilliseconds"], 10_000);
    let health = follow(&mut manager, "/fabric/health-engines/template-policy");
    assert_eq!(health["healthStatus"]["Runtime"], "HEALTHY");
    assert_eq!(follow(&mut manager, "/fabric/topology-policies/template-policy")["active"], true);
    assert_eq!(links(&get(&mut manager, "/fabric/available-agents")).len(), 32);
    let agent = links(&get(&mut manager, "/fabric/agents"))[0].clone();
    assert_eq!(follow(&mut manager, &agent)["fullySynchronized"], true);
    let link = links(&get(&mut manager, "/fabric/links"))[0].clone();
    let found = follow(&mut manager, &link);
    assert_eq!(found["state"], "ONLINE");
    let end = found["portALink"].as_str().expect("a link").to_owned();
    assert!(!follow(&mut manager, &end)["dst_port"].as_str().expect("a name").is_empty());
    let policy = follow(&mut manager, "/fabric/port-policies/edge-policy");
    assert_eq!(policy["isUntaggedAllowed"], true);
    let metrics = get(&mut manager, "/metrics?$top=2");
    assert_eq!(metrics["totalCount"], 32);
    let of_switch = links(&metrics)[0].clone();
    assert!(follow(&mut manager, &of_switch)["ports"].as_array().is_some_and(|ports| !ports.is_empty()));
    assert!(
        get(&mut manager, "/metrics").as_str().is_some_and(|text| text.starts_with("# HELP")),
        "without keys as ever"
    );
    ask(&mut manager, "PATCH", "/host-settings", json!({ "heartbeat_ms": 9_000 })).expect("legal");
    assert_eq!(follow(&mut manager, "/host-settings")["heartbeat_ms"], 9_000);
    let policies = "/fabric/port-policies";
    for (body, hint) in [
        (json!({ "state": "OFFLINE" }), "documentSelfLink"),
        (json!({ "documentSelfLink": "x", "sped": "BS_200G" }), "speed"),
        (json!({ "documentSelfLink": "x", "state": "AWAY" }), "ONLINE, OFFLINE"),
        (json!({ "documentSelfLink": "edge-policy" }), "PUT or PATCH"),
    ] {
        let problem = refused(&mut manager, "POST", policies, body);
        let shown = error(&problem);
        assert!(shown["message"].as_str().is_some_and(|text| text.contains(hint)), "{shown}");
        assert_eq!(shown["statusCode"], problem.status);
    }
    ask(
        &mut manager,
        "POST",
        policies,
        json!({ "documentSelfLink": "mine", "autoneg": "OFF", "speed": "BS_200G",
        "autoRetry": { "enabled": true, "num_retries": 5 }, "flowControl": { "rx": true } }),
    )
    .expect("legal");
    let changed =
        ask(&mut manager, "PATCH", "/fabric/port-policies/mine", json!({ "loopback": "LOCAL", "autoneg": null }));
    let changed = changed.expect("legal");
    assert_eq!((&changed["loopback"], &changed["autoneg"]), (&json!("LOCAL"), &Value::Null), "{changed}");
    assert_eq!(changed["autoRetry"]["num_retries"], 5);
    ask(&mut manager, "DELETE", "/fabric/port-policies/mine", Value::Null).expect("nothing uses it");
}

#[test]
fn an_address_of_no_port_is_refused_by_name() {
    let mut manager = manager("malbec");
    let port = edges(&manager)[0];
    let far =
        (0..manager.fabric.port_count()).map(PortIndex::from_index).find(|port| manager.fabric.nic_at(*port).is_none());
    let address = |manager: &Manager, port: PortIndex| {
        philae_inventory::dfa(manager.fabric.address(port).expect("small"), 0).expect("small")
    };
    let right = address(&manager, port);
    for wrong in [json!(["x"]), json!([u32::MAX]), json!([address(&manager, far.expect("a fabric port"))])] {
        let body = json!({ "partitionName": "red", "vniCount": 10, "edgePortDFAs": wrong });
        let problem = refused(&mut manager, "POST", "/fabric/vni/partitions", body);
        assert!(problem.status == 400 || problem.status == 422, "{problem:?}");
    }
    let body = json!({ "partitionName": "red", "vniCount": 10, "edgePortDFAs": [right] });
    let made = ask(&mut manager, "POST", "/fabric/vni/partitions", body).expect("legal");
    assert_eq!((&made["vniCount"], &made["edgePortDFAs"]), (&json!(10), &json!([right])));
}
