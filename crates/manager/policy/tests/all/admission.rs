//! What admission refuses, which names it reports, and the effect of an admitted change.

use crate::common::{document, put, set, small};
use philae_policy::{
    Admitted, DocumentChange, DocumentKind, DocumentRef, DocumentSet, FabricView, PolicyCode, PolicyProblem, PortRole,
    TopologyView, admit, admit_whole,
};
use philae_topology::Topology;
use philae_units::{PortIndex, SwitchId};
use serde_json::json;

fn view(topology: &Topology) -> TopologyView<'_> {
    TopologyView::new(topology, "rosetta")
}

fn try_change(before: &[DocumentChange], changes: &[DocumentChange]) -> Result<Admitted, Vec<PolicyProblem>> {
    let topology = small();
    admit(&set(before), changes, &view(&topology))
}

/// The problems of a refused change, as code, document and position.
fn refused(before: &[DocumentChange], changes: &[DocumentChange]) -> Vec<(PolicyCode, String, String)> {
    let problems = try_change(before, changes).expect_err("refused");
    let row = |problem: PolicyProblem| {
        (problem.code, problem.document.map_or_else(String::new, |d| d.to_string()), problem.pointer)
    };
    problems.into_iter().map(row).collect()
}

fn row(code: PolicyCode, document: &str, pointer: &str) -> (PolicyCode, String, String) {
    (code, document.to_owned(), pointer.to_owned())
}

fn first(topology: &Topology, role: PortRole) -> PortIndex {
    let fabric = view(topology);
    (0..fabric.port_count()).map(PortIndex).find(|port| fabric.role(*port) == role).expect("there is one")
}

#[test]
fn the_ends_of_a_link_that_do_not_fit_are_named_with_both_policies() {
    let topology = small();
    let fabric = view(&topology);
    let one = first(&topology, PortRole::Global);
    let other = fabric.peer(one).expect("wired");
    let changes = [
        put("port-policy", "near", json!({ "settings": { "speed": "CD_100G" } })),
        put("port-policy", "far", json!({ "settings": { "speed": "CD_50G", "autoneg": false } })),
        put("port", &fabric.port_name(one), json!({ "portPolicyLinks": ["near"] })),
        put("port", &fabric.port_name(other), json!({ "portPolicyLinks": ["far"] })),
    ];
    let problems = try_change(&[], &changes).expect_err("they do not fit");
    assert_eq!(problems.len(), 2, "speed and autoneg: {problems:?}");
    assert!(problems.iter().all(|problem| problem.code == PolicyCode::LinkMismatch));
    let speed =
        problems.iter().map(PolicyProblem::to_string).find(|text| text.contains("speed")).expect("one of speed");
    for part in [&fabric.port_name(one), &fabric.port_name(other), "port-policy 'near'", "port-policy 'far'", "CD_50G"]
    {
        assert!(speed.contains(part), "{part} in {speed}");
    }
    let link =
        put("link", &fabric.link_name(one, other), json!({ "settings": { "speed": "CD_100G", "autoneg": true } }));
    let admitted = try_change(&[], &[&changes[..], &[link]].concat()).expect("the link's document makes them fit");
    assert_eq!(admitted.blast.ports, [one.min(other), one.max(other)]);
    assert_eq!(admitted.blast.links, [(one.min(other), one.max(other))]);
    assert_eq!(admitted.blast.switches.len(), 2);
}

#[test]
fn many_links_of_one_cause_are_one_problem() {
    let policy =
        put("port-policy", "half", json!({ "selector": "role=global,group=0", "settings": { "mtuBytes": 2000 } }));
    let problems = try_change(&[], &[policy]).expect_err("the other ends have 9,216");
    assert!((1..=2).contains(&problems.len()), "one for each order of the ends: {problems:?}");
    assert!(problems[0].message.contains("more links"), "{}", problems[0]);
}

#[test]
fn names_that_do_not_exist_are_refused_all_at_once() {
    let changes = [
        put("port", "x1000c0r0a0l99", json!({ "portPolicyLinks": ["edge-polici"] })),
        put("switch", "x1000c0r9b0", json!({})),
        put("link", "x1000c0r0a0l0-x1000c0r1a0l0", json!({})),
        put("port-policy", "p", json!({ "settings": { "acls": ["none"], "nativeVlan": 5 } })),
    ];
    let found = refused(&[], &changes);
    for expected in [
        row(PolicyCode::UnknownElement, "port 'x1000c0r0a0l99'", "/name"),
        row(PolicyCode::UnknownDocument, "port 'x1000c0r0a0l99'", "/spec/portPolicyLinks/0"),
        row(PolicyCode::UnknownElement, "switch 'x1000c0r9b0'", "/name"),
        row(PolicyCode::UnknownElement, "link 'x1000c0r0a0l0-x1000c0r1a0l0'", "/name"),
        row(PolicyCode::UnknownDocument, "port-policy 'p'", "/spec/settings/acls/0"),
        row(PolicyCode::UnknownDocument, "port-policy 'p'", "/spec/settings/nativeVlan"),
    ] {
        assert!(found.contains(&expected), "{expected:?} in {found:#?}");
    }
    let problems = try_change(&[], &changes[..1]).expect_err("refused");
    assert!(problems.iter().any(|problem| problem.nearest.as_deref() == Some("edge-policy")), "{problems:?}");
}

#[test]
fn what_is_used_stays_and_stock_stays_as_it_is() {
    let before = [
        put("acl", "a", json!({ "rules": [{ "priority": 1 }] })),
        put("port-policy", "p", json!({ "settings": { "acls": ["a"] } })),
        put("vlan", "v", json!({ "id": 7 })),
        put("port-policy", "q", json!({ "settings": { "allowedVlans": [7] } })),
    ];
    let delete = |kind, name| DocumentChange::Delete(DocumentRef::new(kind, name));
    let problems = try_change(&before, &[delete(DocumentKind::Acl, "a")]).expect_err("in use");
    assert_eq!(
        (problems[0].code, &problems[0].others),
        (PolicyCode::InUse, &vec![DocumentRef::new(DocumentKind::PortPolicy, "p")])
    );
    assert_eq!(refused(&before, &[delete(DocumentKind::Vlan, "v")]), [row(PolicyCode::InUse, "vlan 'v'", "")]);
    let unknown = row(PolicyCode::UnknownDocument, "port-policy 'q'", "/spec/settings/allowedVlans/0");
    assert_eq!(refused(&before, &[put("vlan", "v", json!({ "id": 8 }))]), [unknown]);
    try_change(&before, &[delete(DocumentKind::Acl, "a"), delete(DocumentKind::PortPolicy, "p")])
        .expect("both go together");
    assert_eq!(refused(&before, &[delete(DocumentKind::PortPolicy, "edge-policy")])[0].0, PolicyCode::Stock);
    assert_eq!(refused(&before, &[delete(DocumentKind::PortPolicy, "r")])[0].0, PolicyCode::UnknownDocument);
    let twice = [delete(DocumentKind::Acl, "a"), before[0].clone()];
    assert_eq!(refused(&before, &twice)[0].0, PolicyCode::Duplicate);
}

#[test]
fn qos_profiles_are_equal_on_all_switches_and_nics() {
    let topology = |profile: &str| put("topology-policy", "t", json!({ "active": true, "nicQosProfile": profile }));
    assert_eq!(refused(&[], &[topology("LL_BE_BD_ET")])[0].0, PolicyCode::QosMismatch);
    let switches = put("switch-policy", "s", json!({ "selector": "", "settings": { "qosProfile": "LL_BE_BD_ET" } }));
    let admitted = try_change(&[], &[topology("LL_BE_BD_ET"), switches]).expect("equal");
    assert_eq!(admitted.blast.switches.len(), 16);
    let some = put("switch-policy", "s", json!({ "selector": "group=1", "settings": { "qosProfile": "LL_BE_BD_ET" } }));
    assert_eq!(refused(&[], &[some]), [row(PolicyCode::QosMismatch, "switch-policy 's'", "")]);
    let shares = json!({ "classes": [{ "name": "A", "assuredPercent": 80 }, { "name": "B", "assuredPercent": 30 }] });
    assert_eq!(
        refused(&[], &[put("qos-profile", "q", shares)]),
        [row(PolicyCode::Conflict, "qos-profile 'q'", "/spec/classes")]
    );
}

#[test]
fn vnis_stay_in_their_partition_and_are_given_once() {
    let partition = put("vni-partition", "p", json!({ "vniRanges": ["10-100"] }));
    let block = |name: &str, range: &str| put("vni-block", name, json!({ "partition": "p", "vniRanges": [range] }));
    let before = [partition, block("a", "10-20")];
    try_change(&before, &[block("b", "21-30")]).expect("free");
    assert_eq!(refused(&before, &[block("b", "20-30")])[0].0, PolicyCode::Duplicate);
    assert_eq!(refused(&before, &[block("b", "90-101")])[0].0, PolicyCode::LimitExceeded);
    assert_eq!(refused(&before, &[block("b", "90-70000")])[0].0, PolicyCode::OutOfRange);
    assert_eq!(
        refused(&before, &[put("vni-partition", "q", json!({ "vniRanges": ["100-200"] }))])[0].0,
        PolicyCode::Duplicate
    );
    let both = json!({ "vniRanges": ["300"], "vniCount": 3 });
    assert_eq!(refused(&before, &[put("vni-partition", "q", both)])[0].0, PolicyCode::Conflict);
    let counted = [put("vni-partition", "p", json!({ "vniCount": 5 }))];
    assert_eq!(
        refused(&counted, &[block("a", "1-6")]),
        [row(PolicyCode::LimitExceeded, "vni-partition 'p'", "/spec/vniCount")]
    );
}

#[test]
fn the_ports_of_a_lag_are_edge_ports_of_one_switch_and_one_speed_and_in_no_other() {
    let topology = small();
    let fabric = view(&topology);
    let edge = |switch: u32| {
        let ports = fabric.ports_of(SwitchId(switch)).map(PortIndex);
        ports.filter(|port| fabric.role(*port) == PortRole::Edge).map(|port| fabric.port_name(port)).collect::<Vec<_>>()
    };
    let lag = |name: &str, ports: &[String]| put("lag", name, json!({ "portLinks": ports }));
    let (here, there) = (edge(0), edge(1));
    let admitted = try_change(&[], &[lag("a", &here)]).expect("legal");
    assert_eq!(admitted.blast.switches, [SwitchId(0)]);
    assert_eq!(refused(&[], &[lag("a", &[here[0].clone(), there[0].clone()])])[0].0, PolicyCode::Conflict);
    assert_eq!(refused(&[lag("a", &here)], &[lag("b", &here[..1])])[0].0, PolicyCode::Duplicate);
    let fabric_port = fabric.port_name(first(&topology, PortRole::Local));
    assert_eq!(refused(&[], &[lag("a", &[fabric_port])])[0].0, PolicyCode::WrongRole);
    let slow = put("port", &here[0], json!({ "settings": { "speed": "CD_50G" } }));
    assert_eq!(refused(&[lag("a", &here)], &[slow])[0].0, PolicyCode::Conflict, "also when the speed changes later");
}

#[test]
fn acls_hashes_and_trees_are_checked() {
    let rule = |spec: serde_json::Value| json!({ "rules": [spec] });
    let bad = rule(json!({ "priority": 1, "match": { "sourceNetwork": "10.0.0.0/33", "sourceMac": "x" } }));
    assert_eq!(refused(&[], &[put("acl", "a", bad)]).len(), 2);
    let token = put("token", "t", json!({ "hash": "secret" }));
    let problems = try_change(&[], &[token]).expect_err("no hash");
    assert!(!problems[0].to_string().contains("secret"), "what may be a token is not repeated");
    let session = put("collective-session", "j", json!({ "jobId": "1", "mcastLimit": 1, "tokenHash": "a".repeat(64) }));
    let tree = |name: &str, address: u32| put("multicast", name, json!({ "session": "j", "address": address }));
    try_change(std::slice::from_ref(&session), &[tree("a", 1)]).expect("one is allowed");
    assert_eq!(refused(std::slice::from_ref(&session), &[tree("a", 1), tree("b", 2)])[0].0, PolicyCode::LimitExceeded);
    assert_eq!(refused(&[session, tree("a", 1)], &[tree("b", 1)])[0].0, PolicyCode::LimitExceeded);
}

#[test]
fn the_last_link_of_two_groups_may_go_with_a_warning() {
    let topology = small();
    let fabric = view(&topology);
    let one = first(&topology, PortRole::Global);
    let other = fabric.peer(one).expect("wired");
    let off = put("port", &fabric.port_name(one), json!({ "settings": { "state": "offline" } }));
    let admitted = try_change(&[], std::slice::from_ref(&off)).expect("a warning is no refusal");
    let groups = [one, other].map(|port| fabric.group(fabric.switch_of(port)));
    assert_eq!(admitted.blast.groups_cut_off, [(groups[0].min(groups[1]), groups[0].max(groups[1]))]);
    assert!(admitted.warnings.iter().any(|warning| warning.code == PolicyCode::GroupsCutOff));
    let again = try_change(std::slice::from_ref(&off), std::slice::from_ref(&off)).expect("nothing changes");
    assert_eq!((again.blast.groups_cut_off.len(), again.blast.ports.len()), (0, 0));
}

#[test]
fn a_policy_that_selects_nothing_is_a_warning_and_one_that_asks_too_much_is_refused() {
    let policy = |selector: &str, speed: &str| {
        put("port-policy", "p", json!({ "selector": selector, "settings": { "speed": speed } }))
    };
    let admitted = try_change(&[], &[policy("group=99", "CK_400G")]).expect("nothing to refuse");
    assert_eq!(admitted.warnings[0].code, PolicyCode::SelectsNothing);
    assert_eq!(refused(&[], &[policy("role=edge", "CK_400G")]), [row(PolicyCode::NotCapable, "port-policy 'p'", "")]);
    let native = put("vlan", "v", json!({ "id": 9 }));
    let strange = put("port-policy", "p", json!({ "selector": "role=edge", "settings": { "allowedVlans": [9] } }));
    assert_eq!(refused(&[], &[native, strange])[0].0, PolicyCode::Conflict, "untagged frames are of VLAN 1");
    let mac = put("port-policy", "p", json!({ "selector": "role=edge", "settings": { "mac": "02:00:00:00:07:ea" } }));
    assert_eq!(refused(&[], &[mac])[0].0, PolicyCode::Duplicate);
}

#[test]
fn a_whole_set_is_checked_as_its_changes_were() {
    let topology = small();
    let good = set(&[put("vlan", "v", json!({ "id": 7 }))]);
    assert_eq!(admit_whole(&good, &view(&topology)).expect("legal").set, good);
    let bad = set(&[put("vlan", "v", json!({ "id": 7 })), put("vlan", "w", json!({ "id": 7 }))]);
    assert_eq!(admit_whole(&bad, &view(&topology)).expect_err("twice")[0].code, PolicyCode::Duplicate);
    assert_eq!(DocumentSet::default().of(DocumentKind::QosProfile).count(), 3);
    assert_eq!(document("vlan", "v", json!({ "id": 7 })).reference().to_string(), "vlan 'v'");
}
