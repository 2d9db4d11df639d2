//! The requests of public clients of the hardware's own manager, to the byte: libfabric's provider,
//! Slurm's plugin, tools of administrators. Facts are from their public sources; the words are
//! ours.

use std::collections::BTreeMap;

use crate::common::{ask, edges, get, manager, put, refused};
use philae_manager::access::{Actor, RoleGrant};
use philae_manager::api::{ApiRequest, Reply, answer};
use philae_manager::{ApiProblem, KnownToken, Manager, compat};
use philae_policy::Role;
use philae_units::PortIndex;
use serde_json::{Value, json};

const TREES: &str = "/fabric/collectives/multicasts";

/// The 20-bit address of a NIC.
fn nid(manager: &Manager, port: PortIndex) -> u32 {
    manager.fabric.address(port).expect("small").nid()
}

/// libfabric's notation: one, two and two digits.
fn short(nid: u32) -> String {
    format!("{:X}:{:02X}:{:02X}", nid >> 16 & 0xf, nid >> 8 & 0xff, nid & 0xff)
}

/// libfabric's reading: up to six parts, the first into the highest place, all of them into 32
/// bits.
fn decoded(root: &str) -> u32 {
    let parts: Vec<u32> = root.split(':').map(|part| u32::from_str_radix(part, 16).expect("digits")).collect();
    let mut places = [0_u32; 6];
    for (place, part) in places.iter_mut().rev().zip(&parts) {
        *place = *part;
    }
    places.iter().take(parts.len()).enumerate().fold(0, |sum, (at, part)| sum | part.wrapping_shl(8 * at as u32))
}

fn as_actor(
    manager: &mut Manager,
    actor: &Actor,
    method: &str,
    target: &str,
    body: Value,
) -> Result<Value, ApiProblem> {
    let request = ApiRequest {
        method: method.to_owned(),
        path: target.to_owned(),
        body,
        actor: actor.clone(),
        ..ApiRequest::default()
    };
    answer(manager, request).map(Reply::into_value)
}

/// A job's session with a limit, and the actor with its token.
fn session(manager: &mut Manager, job: &str, limit: u16) -> Actor {
    let body = json!({ "jobID": job, "mcastLimit": limit });
    ask(manager, "POST", "/fabric/collectives/jobs", body).expect("a session");
    let known = KnownToken::all(manager.documents.set());
    known.into_iter().find(|known| known.name() == format!("session:{job}")).expect("it is known").actor(false)
}

fn role(role: Role) -> Actor {
    Actor::known("somebody".to_owned(), vec![RoleGrant { role, tenant: None }], false)
}

#[test]
fn libfabric_makes_a_tree_reads_its_root_and_gives_it_back() {
    let mut manager = manager("malbec");
    let rank = session(&mut manager, "cluster-42", 4);
    let ports: Vec<PortIndex> = edges(&manager).into_iter().step_by(7).take(6).collect();
    let nids: Vec<u32> = ports.iter().map(|port| nid(&manager, *port)).collect();
    let body = json!({
        "macs": nids.iter().map(|nid| short(*nid)).collect::<Vec<_>>(),
        "vni": 1024,
        "timeout": 20_000,
        "jobID": "cluster-42",
        "jobStepID": "0",
    });
    let first = as_actor(&mut manager, &rank, "POST", TREES, body.clone()).expect("a tree");
    assert!(first["mcastID"].as_u64().is_some_and(|address| address < 8_192), "{first}");
    let root = first["hwRoot"].as_str().expect("a root");
    assert_eq!(root.split(':').count(), 6, "with fewer octets libfabric reads 0");
    assert_eq!(decoded(root), nids[0], "{root}");
    assert_eq!((&first["vni"], &first["timeout"]), (&json!(1024), &json!(20_000)), "nothing is taken and forgotten");
    let second = as_actor(&mut manager, &rank, "POST", TREES, body.clone()).expect("another tree");
    let other = decoded(second["hwRoot"].as_str().expect("a root"));
    assert!(other != nids[0] && nids.contains(&other), "a NIC is the root of one tree at a time: {second}");
    // The whole MAC address is the same NIC.
    let macs: Vec<String> =
        ports.iter().map(|port| manager.fabric.address(*port).expect("small").mac().to_string()).collect();
    let whole = json!({ "macs": macs, "jobID": "cluster-42", "jobStepID": "0" });
    let third = as_actor(&mut manager, &rank, "POST", TREES, whole).expect("a third tree");
    assert_eq!(decoded(third["hwRoot"].as_str().expect("a root")), nids[2]);
    // The address can be deleted with the session's token, and with no other session's.
    let link = format!("{TREES}/{}", first["mcastID"]);
    let stranger = session(&mut manager, "cluster-43", 1);
    for wrong in [stranger, role(Role::Guest), role(Role::Operator)] {
        let problem = as_actor(&mut manager, &wrong, "DELETE", &link, Value::Null).expect_err("it is another's");
        assert_eq!(problem.status, 403, "{problem:?}");
    }
    as_actor(&mut manager, &rank, "DELETE", &link, Value::Null).expect("its own");
    assert_eq!(refused(&mut manager, "GET", &link, Value::Null).status, 404);
    let again = as_actor(&mut manager, &rank, "POST", TREES, body).expect("a tree again");
    assert_eq!(decoded(again["hwRoot"].as_str().expect("a root")), nids[0], "the root is free again");
}

#[test]
fn libfabric_hears_what_is_used_up_by_number_and_what_is_wrong_as_such() {
    let mut manager = manager("malbec");
    let rank = session(&mut manager, "cluster-1", 2);
    let ports: Vec<PortIndex> = edges(&manager).into_iter().take(3).collect();
    let macs: Vec<String> = ports.iter().map(|port| short(nid(&manager, *port))).collect();
    let body =
        |macs: &[String]| json!({ "macs": macs, "vni": 7, "timeout": 32_000, "jobID": "cluster-1", "jobStepID": "0" });
    let post = |manager: &mut Manager, macs: &[String]| {
        let said = as_actor(manager, &rank, "POST", TREES, body(macs));
        said.map_err(|problem| (compat::status(TREES, "POST", &problem), compat::error(&problem)["message"].clone()))
    };
    post(&mut manager, &macs).expect("a tree");
    // One NIC, which is the root of the first tree.
    let (status, message) = post(&mut manager, &macs[..1]).expect_err("no root is left");
    assert!(status == 507 && message.as_str().is_some_and(|text| text.starts_with("03:")), "{status} {message}");
    post(&mut manager, &macs).expect("another tree");
    let (status, message) = post(&mut manager, &macs).expect_err("it has two");
    assert!(status == 507 && message.as_str().is_some_and(|text| text.starts_with("01:")), "{status} {message}");
    // The first two letters are the code: the client reads up to the first colon.
    assert_eq!(message.as_str().and_then(|text| text.find(':')), Some(2));
    for (wrong, hint) in [
        (json!({ "macs": ["F:FF:FF"], "jobID": "cluster-1" }), "X:XX:XX"),
        (json!({ "macs": ["10:00:00"], "jobID": "cluster-1" }), "X:XX:XX"),
        (json!({ "macs": [macs[0], macs[0]], "jobID": "cluster-1" }), "twice"),
        (json!({ "macs": [], "jobID": "cluster-1" }), "empty"),
        (json!({ "macs": macs, "jobID": "cluster-1", "vni": 70_000 }), "65535"),
        (json!({ "macs": macs, "jobID": "cluster-1", "timeout": 0 }), "20000000"),
        (json!({ "macs": macs, "jobID": "cluster-1", "color": 1 }), "there is no key 'color'"),
    ] {
        let problem = as_actor(&mut manager, &rank, "POST", TREES, wrong.clone()).expect_err("it is wrong");
        assert_eq!(compat::status(TREES, "POST", &problem), 400, "{wrong}: {problem:?}");
        assert!(problem.detail.contains(hint), "{wrong}: {problem:?}");
    }
    // A VNI that a member may not use.
    let edge = manager.port_name(ports[0]);
    put(&mut manager, "/api/v1/vni-partitions/blue", json!({ "vniRanges": ["100-200"], "edgePorts": [edge] }));
    let block = json!({ "partition": "blue", "vniRanges": ["100-110"], "edgePorts": [edge] });
    put(&mut manager, "/api/v1/vni-blocks/blue", block);
    session(&mut manager, "cluster-2", 2);
    let known = KnownToken::all(manager.documents.set());
    let other = known.into_iter().find(|known| known.name() == "session:cluster-2").expect("it is known").actor(false);
    let wanted = |vni: u32| json!({ "macs": macs, "vni": vni, "jobID": "cluster-2" });
    let problem = as_actor(&mut manager, &other, "POST", TREES, wanted(7)).expect_err("it may not");
    assert!(problem.status == 400 && problem.detail.contains("100-110"), "{problem:?}");
    as_actor(&mut manager, &other, "POST", TREES, wanted(105)).expect("it may");
}

#[test]
fn tokens_of_sessions_are_seen_by_the_workload_manager_and_admins_alone() {
    let mut manager = manager("malbec");
    session(&mut manager, "cluster-5", 1);
    let link = "/fabric/collectives/jobs/cluster-5";
    for (who, sees) in
        [(Role::Guest, false), (Role::Operator, false), (Role::Security, false), (Role::Wlm, true), (Role::Admin, true)]
    {
        let shown = as_actor(&mut manager, &role(who), "GET", link, Value::Null).expect("all may look");
        assert_eq!(shown["sessionToken"].is_string(), sees, "{who:?}: {shown}");
        let request = ApiRequest {
            method: "GET".to_owned(),
            path: "/fabric/collectives/jobs".to_owned(),
            query: BTreeMap::from([("expand".to_owned(), String::new())]),
            actor: role(who),
            ..ApiRequest::default()
        };
        let all = answer(&mut manager, request).map(Reply::into_value).expect("all may look");
        assert_eq!(all["documents"][link]["sessionToken"].is_string(), sees, "{who:?}: nor beside the links");
    }
    // An operator may open a session for another user, and does not get its token.
    let body = json!({ "jobID": "cluster-6", "mcastLimit": 1 });
    let made = as_actor(&mut manager, &role(Role::Operator), "POST", "/fabric/collectives/jobs", body);
    assert!(made.expect("it may")["sessionToken"].is_null());
}

#[test]
fn documented_collections_answer_and_what_cannot_be_meant_is_refused_with_a_reason() {
    let mut manager = manager("malbec");
    let switch = manager.switch_name(philae_units::SwitchId(0));
    put(&mut manager, "/api/v1/switch-policies/slow", json!({ "settings": { "telemetryPeriodSeconds": 60 } }));
    put(&mut manager, "/api/v1/link-policies/plain", json!({ "settings": { "autoneg": false } }));
    for path in [
        "/",
        "/fabric",
        "/fabric/vni",
        "/fabric/topology-maps",
        "/fabric/health-engines",
        "/fabric/routing-engines",
        "/fabric/switch-policies",
        "/fabric/link-policies",
        "/fabric/lags",
        "/certmgr/switch-certificates",
        "/switch-telemetry",
        "/telemetry",
        "/apis/fabric-manager/fabric/port-policies",
        "/apis/fm/fabric/collectives/jobs/",
    ] {
        let found = get(&mut manager, path);
        let links = found["documentLinks"].as_array().unwrap_or_else(|| panic!("{path}: {found}")).clone();
        // Each link leads somewhere.
        for link in links.iter().take(3).map(|link| link.as_str().expect("a link")) {
            get(&mut manager, link);
        }
    }
    assert_eq!(get(&mut manager, "/fabric/switch-policies/slow")["telemetryPeriodSeconds"], 60);
    assert_eq!(get(&mut manager, "/fabric/link-policies/plain")["autoneg"], false);
    assert_eq!(get(&mut manager, &format!("/switch-telemetry/{switch}"))["periodInSeconds"], 10);
    let engine = get(&mut manager, "/fabric/routing-engines/template-policy");
    assert_eq!(engine["numSwitchesSynchronized"], 32, "{engine}");
    let tokens = refused(&mut manager, "GET", "/fabric/rosetta-auth-token", Value::Null);
    assert!(tokens.status == 404 && tokens.detail.contains("certificates"), "{tokens:?}");
    // The sets of ports of older tools.
    let sets = get(&mut manager, "/port-sets/edge-ports/status");
    let port = &sets["ports"][0];
    assert_eq!(port["status"]["enable"], true, "{port}");
    assert_eq!(get(&mut manager, "/port-sets/edge-ports")["ports"][0], port["xname"]);
    assert!(refused(&mut manager, "GET", "/port-sets/all", Value::Null).detail.contains("fabric-ports"));
}

#[test]
fn collections_are_expanded_and_filtered() {
    let mut manager = manager("malbec");
    let whole = get(&mut manager, "/fabric/switches?expand=true");
    assert_eq!(whole["documents"].as_object().map(serde_json::Map::len), Some(32));
    let first = whole["documentLinks"][0].as_str().expect("a link").to_owned();
    assert_eq!(whole["documents"][&first], get(&mut manager, &first));
    let group = whole["documents"][&first]["grpId"].clone();
    let filter = format!("/fabric/switches?$filter=grpId eq {group}&$limit=1");
    let page = get(&mut manager, &filter);
    assert_eq!((page["documentCount"].as_u64(), &page["documentLinks"][0]), (Some(1), &json!(first)), "{page}");
    assert!(page["totalCount"].as_u64().is_some_and(|count| (2..32).contains(&count)), "{page}");
    assert_eq!(get(&mut manager, "/fabric/ports?$filter=documentKind eq 'x'")["totalCount"], 0);
    assert!(refused(&mut manager, "GET", "/fabric/ports?$filter=grpId", Value::Null).detail.contains("would work"));
    assert_eq!(refused(&mut manager, "GET", "/fabric/ports?expand=some", Value::Null).status, 400);
}

#[test]
fn the_tenant_operator_and_older_tools_get_the_types_that_they_read() {
    let mut manager = manager("malbec");
    let ports: Vec<u32> = edges(&manager)
        .into_iter()
        .take(2)
        .map(|port| philae_inventory::dfa(manager.fabric.address(port).expect("small"), 0).expect("small"))
        .collect();
    let partition = json!({ "partitionName": "green", "vniCount": 3, "vniRanges": ["200-202"], "edgePortDFAs": ports });
    ask(&mut manager, "POST", "/fabric/vni/partitions", partition).expect("a partition");
    let block =
        json!({ "vniBlockName": "green", "partitionName": "green", "vniRanges": ["200-202"], "portDFAs": ports });
    let block = ask(&mut manager, "POST", "/fabric/vni/blocks", block).expect("a block");
    let task = get(&mut manager, block["enforcementTaskServiceLink"].as_str().expect("a link"));
    assert_eq!(task["vniList"], json!([200, 201, 202]));
    for list in ["edgePortDFAs", "removeEdgePortDFAs", "removeVniList", "addVniList"] {
        assert!(task[list].is_array(), "{list}: {task}");
    }
    assert!(task["switchPortMap"].is_object() && task["removeSwitchPortMap"].is_object(), "{task}");
    // VLAN 1 always exists; the first POST of it gives it a name.
    let one = json!({ "id": 1, "name": "green", "status": "ONLINE" });
    ask(&mut manager, "POST", "/fabric/vlans", one.clone()).expect("it has no name yet");
    assert_eq!(get(&mut manager, "/fabric/vlans/1")["name"], "green");
    assert_eq!(refused(&mut manager, "POST", "/fabric/vlans", one).status, 409);
    let policy = json!({ "documentSelfLink": "green", "isUntaggedAllowed": true });
    let policy = ask(&mut manager, "POST", "/fabric/port-policies", policy).expect("a policy");
    assert!(policy["autoRetry"].is_object() && policy["headShellReset"].is_object(), "{policy}");
}

#[test]
fn groups_of_links_are_made_in_the_shape_of_the_vendors_documents() {
    let mut manager = manager("malbec");
    let first = edges(&manager)[0];
    let switch = manager.fabric.switch_of(first);
    let two: Vec<String> = edges(&manager)
        .into_iter()
        .filter(|port| manager.fabric.switch_of(*port) == switch)
        .take(2)
        .map(|port| format!("/fabric/ports/{}", manager.fabric.connector_port_xname(port)))
        .collect();
    let group = |more: Value| {
        let mut group = json!({ "portLinks": two, "dmacs": [], "lagFeatureMode": "DYNAMIC", "lacpMode": "ACTIVE", "lacpTimeout": "SHORT" });
        for (key, value) in more.as_object().expect("an object") {
            group[key] = value.clone();
        }
        json!({ "lagPropertyMap": { "2": group } })
    };
    for (wrong, hint) in [
        (json!({ "dmacs": ["b2:00:00:00:00:01"] }), "addresses of its ports"),
        (json!({ "lacpMode": "STATIC" }), "STATIC with LAG"),
        (json!({ "lacpTimeout": "NEVER" }), "LONG or SHORT"),
        (json!({ "portLinks": ["/fabric/ports/x3000c0r15j4p0"] }), "x3000c0r15j4p0"),
        (json!({ "color": 1 }), "no key 'color'"),
    ] {
        let problem = refused(&mut manager, "POST", "/fabric/lags", group(wrong.clone()));
        assert!(problem.status == 400 && problem.detail.contains(hint), "{wrong}: {problem:?}");
    }
    let made = ask(&mut manager, "POST", "/fabric/lags", group(json!({}))).expect("legal");
    assert_eq!(made["lagPropertyMap"], group(json!({}))["lagPropertyMap"], "as it was written");
    assert_eq!(get(&mut manager, "/fabric/lags")["documentLinks"], json!(["/fabric/lags/2"]));
    assert_eq!(get(&mut manager, "/api/v1/lags/2")["spec"]["lacpTimeout"], "short");
    assert_eq!(refused(&mut manager, "POST", "/fabric/lags", group(json!({}))).status, 409);
    ask(&mut manager, "DELETE", "/fabric/lags/2", Value::Null).expect("it is there");
    let fixed = group(json!({ "lagFeatureMode": "LAG", "lacpMode": "STATIC" }));
    assert_eq!(
        ask(&mut manager, "POST", "/fabric/lag", fixed).expect("legal")["lagPropertyMap"]["2"]["lacpMode"],
        "STATIC"
    );
}
