//! Lists: conditions, fields, order, pages.

use crate::common;
use crate::common::{ask, get, manager, put, refused};
use serde_json::{Value, json};

fn names(list: &Value) -> Vec<String> {
    let items = list["items"].as_array().expect("a list").iter();
    items.map(|item| item["name"].as_str().expect("a name").to_owned()).collect()
}

/// All names, page by page.
fn pages(manager: &mut philae_manager::Manager, target: &str) -> Vec<String> {
    let mut all = Vec::new();
    let mut page = get(manager, target);
    loop {
        all.extend(names(&page));
        let Some(next) = page["next"].as_str() else { return all };
        let after = format!("{target}&after={next}");
        page = get(manager, &after);
    }
}

#[test]
fn conditions_hold_together() {
    let mut manager = manager("malbec");
    let count = |manager: &mut philae_manager::Manager, query: &str| {
        names(&get(manager, &format!("/api/v1/ports?limit=2000000{query}"))).len()
    };
    let all = count(&mut manager, "");
    assert_eq!(all, manager.fabric.port_count());
    let roles: usize =
        ["edge", "local", "global", "unused"].iter().map(|role| count(&mut manager, &format!("&role={role}"))).sum();
    assert_eq!(roles, all, "each port has one role");
    let global = count(&mut manager, "&type=global");
    let first = count(&mut manager, "&type=global&group=0");
    let others = count(&mut manager, "&type=global&selector=group notin (0)");
    assert_eq!((first > 0, first + others), (true, global));
    assert_eq!(count(&mut manager, "&type=global&state=down"), 0);
    let switch = names(&get(&mut manager, "/api/v1/switches?limit=1")).remove(0);
    let ports = switch.replace("b0", "a0l*");
    assert_eq!(count(&mut manager, &format!("&name={ports}")), manager.fabric.radix());
    let label = common::edges(&manager)[3];
    let name = manager.port_name(label);
    let body = json!({ "labels": { "rack": "r7" }, "spec": {} });
    ask(&mut manager, "PUT", &format!("/api/v1/ports/{name}"), body).expect("it is a port");
    assert_eq!(names(&get(&mut manager, "/api/v1/ports?selector=labels.rack=r7")), [name]);
    assert_eq!(refused(&mut manager, "GET", "/api/v1/ports?group=none", Value::Null).status, 400);
    assert_eq!(refused(&mut manager, "GET", "/api/v1/ports?selector=colour=red", Value::Null).status, 400);
}

#[test]
fn pages_are_whole_in_any_order() {
    let mut manager = manager("malbec");
    let whole = names(&get(&mut manager, "/api/v1/switches"));
    assert_eq!(pages(&mut manager, "/api/v1/switches?limit=5"), whole);
    for sort in ["name", "-name", "number", "-group", "state"] {
        let mut sorted = pages(&mut manager, &format!("/api/v1/switches?limit=5&sort={sort}"));
        if sort == "-name" {
            assert_eq!(sorted, whole.iter().rev().cloned().collect::<Vec<_>>());
        }
        sorted.sort();
        assert_eq!(sorted, whole, "{sort}");
    }
}

#[test]
fn a_page_goes_on_where_it_ended_though_others_came_and_went() {
    let mut manager = manager("malbec");
    for name in ["b", "d", "f", "h"] {
        put(&mut manager, &format!("/api/v1/port-policies/{name}"), json!({ "priority": 1 }));
    }
    let first = get(&mut manager, "/api/v1/documents?kind=port-policies&limit=2");
    assert_eq!(names(&first), ["b", "d"]);
    ask(&mut manager, "DELETE", "/api/v1/port-policies/d", Value::Null).expect("it was made");
    put(&mut manager, "/api/v1/port-policies/a", json!({ "priority": 1 }));
    put(&mut manager, "/api/v1/port-policies/e", json!({ "priority": 1 }));
    let next = first["next"].as_str().expect("there are more");
    let second = get(&mut manager, &format!("/api/v1/documents?kind=port-policies&limit=10&after={next}"));
    assert_eq!(names(&second), ["e", "f", "h"], "nothing twice, nothing left out, a later one seen");
}

#[test]
fn only_the_fields_that_are_asked_for() {
    let mut manager = manager("malbec");
    let links = get(&mut manager, "/api/v1/links?limit=1&fields=name,flaps.score,nothing");
    let item = links["items"][0].as_object().expect("an item");
    assert_eq!(item.len(), 2, "{item:?}");
    assert_eq!(item["flaps"], json!({ "score": 0 }));
    assert_eq!(refused(&mut manager, "GET", "/api/v1/links?fields=name,,x", Value::Null).status, 400);
    assert_eq!(refused(&mut manager, "GET", "/api/v1/links?sort=name&after=rubbish", Value::Null).status, 400);
}

#[test]
fn many_documents_are_changed_at_once_or_not_at_all() {
    let mut manager = manager("malbec");
    for name in ["one", "two", "three"] {
        put(&mut manager, &format!("/api/v1/port-policies/{name}"), json!({ "selector": "role=edge", "priority": 1 }));
    }
    let before = get(&mut manager, "/api/v1/status")["revision"].as_u64().expect("a number");
    let patch = json!({ "spec": { "priority": 9 } });
    let report = ask(&mut manager, "PATCH", "/api/v1/port-policies?name=t*", patch).expect("they exist");
    assert_eq!((&report["documents"], &report["revision"]), (&json!(2), &json!(before + 1)), "one revision: {report}");
    assert_eq!(get(&mut manager, "/api/v1/port-policies/two")["spec"]["priority"], 9);
    assert_eq!(get(&mut manager, "/api/v1/port-policies/one")["spec"]["priority"], 1);
    let wrong = json!({ "spec": { "priority": 9999 } });
    assert_eq!(refused(&mut manager, "PATCH", "/api/v1/port-policies?name=*", wrong).status, 422);
    assert_eq!(
        refused(&mut manager, "PATCH", "/api/v1/port-policies", json!({})).status,
        400,
        "all is said, not meant"
    );
    assert_eq!(refused(&mut manager, "PATCH", "/api/v1/port-policies?name=nobody", json!({})).status, 404);
    assert_eq!(get(&mut manager, "/api/v1/status")["revision"], json!(before + 1), "nothing was changed since");
}
