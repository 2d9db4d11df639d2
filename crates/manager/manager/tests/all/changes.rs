//! Changes: revisions and guards, change sets, confirmation, undoing, history, the audit, backups.

use crate::common::new_folder;
use crate::common::{NOW, ask, get, manager, put, refused, up};
use philae_manager::access::Actor;
use philae_manager::api::{ApiRequest, Reply, answer};
use philae_manager::{ApiProblem, Manager, UnixClock};
use serde_json::{Value, json};

/// A request with headers.
fn with(
    manager: &mut Manager,
    method: &str,
    path: &str,
    body: Value,
    header: (&str, &str),
) -> Result<(Option<u16>, Value), ApiProblem> {
    let text = Some(header.1.to_owned());
    let (if_match, idempotency_key) = if header.0 == "If-Match" { (text, None) } else { (None, text) };
    let request = ApiRequest {
        method: method.to_owned(),
        path: path.to_owned(),
        body,
        if_match,
        idempotency_key,
        actor: Actor::process(),
        ..ApiRequest::default()
    };
    let (reply, meta) = answer(manager, request)?.split();
    Ok((meta.status, reply.into_value()))
}

fn policy(name: &str, priority: u32) -> Value {
    json!({ "put": { "kind": "port-policy", "name": name, "spec": { "selector": "role=edge", "priority": priority } } })
}

fn priority(manager: &mut Manager, name: &str) -> Value {
    let found = ask(manager, "GET", &format!("/api/v1/port-policies/{name}"), Value::Null);
    found.map_or(Value::Null, |found| found["spec"]["priority"].clone())
}

fn revision(manager: &mut Manager) -> u64 {
    get(manager, "/api/v1/status")["revision"].as_u64().expect("a number")
}

#[test]
fn a_manager_that_keeps_nothing_has_revisions_too() {
    let mut manager = manager("malbec");
    let path = "/api/v1/port-policies/mine";
    let body = json!({ "spec": { "priority": 1 } });
    let (status, made) = with(&mut manager, "PUT", path, body.clone(), ("If-Match", "\"0\"")).expect("it is not there");
    assert_eq!((status, &made["created"]), (Some(201), &json!(true)));
    assert_eq!(with(&mut manager, "PUT", path, body.clone(), ("If-Match", "\"0\"")).expect_err("it is").status, 412);
    let now = made["revision"].to_string();
    with(&mut manager, "PUT", path, json!({ "spec": { "priority": 2 } }), ("If-Match", &now)).expect("it is this one");
    assert_eq!(with(&mut manager, "DELETE", path, Value::Null, ("If-Match", &now)).expect_err("older").status, 412);
    assert_eq!(with(&mut manager, "PUT", path, body, ("If-Match", "soon")).expect_err("no revision").status, 400);
    let newest = revision(&mut manager);
    let settings = json!({ "heartbeat_ms": 2000 });
    let stale = with(&mut manager, "PATCH", "/api/v1/settings", settings, ("If-Match", &now));
    assert_eq!(stale.expect_err("something has changed since").code, "document.changed");
    assert_eq!(get(&mut manager, &format!("/api/v1/status?atLeastRevision={newest}"))["revision"], json!(newest));
    let ahead = refused(&mut manager, "GET", &format!("/api/v1/status?atLeastRevision={}", newest + 1), Value::Null);
    assert_eq!((ahead.status, ahead.code), (409, "revision.not-reached"));
}

#[test]
fn the_same_attempt_twice_is_done_once() {
    let mut manager = manager("malbec");
    let body = json!({ "steps": [policy("once", 1)] });
    let first = with(&mut manager, "POST", "/api/v1/documents", body.clone(), ("Idempotency-Key", "k1")).expect("new");
    let after = revision(&mut manager);
    let second = with(&mut manager, "POST", "/api/v1/documents", body, ("Idempotency-Key", "k1")).expect("the same");
    assert_eq!((first, after), (second, revision(&mut manager)));
    let other = json!({ "steps": [policy("other", 1)] });
    let wrong = with(&mut manager, "POST", "/api/v1/documents", other, ("Idempotency-Key", "k1"));
    assert_eq!(wrong.expect_err("another request").code, "idempotency.conflict");
    let link = get(&mut manager, "/api/v1/links?limit=1")["items"][0]["name"].as_str().expect("a name").to_owned();
    let drain = format!("/api/v1/links/{link}/drain");
    let first = with(&mut manager, "POST", &drain, Value::Null, ("Idempotency-Key", "k2")).expect("a link");
    let second = with(&mut manager, "POST", &drain, Value::Null, ("Idempotency-Key", "k2")).expect("a link");
    assert_eq!(first.1["name"], second.1["name"], "one operation");
}

#[test]
fn a_change_set_is_made_whole_or_not_at_all() {
    let mut manager = manager("malbec");
    let sets = "/api/v1/change-sets";
    let steps = json!([policy("a", 1), policy("b", 2)]);
    ask(&mut manager, "POST", sets, json!({ "name": "two", "description": "both", "steps": steps })).expect("legal");
    assert_eq!(priority(&mut manager, "a"), Value::Null, "staged only");
    let seen = ask(&mut manager, "POST", "/api/v1/change-sets/two/validate", Value::Null).expect("legal");
    assert_eq!((&seen["dryRun"], &seen["documents"]), (&json!(true), &json!(2)));
    let before = revision(&mut manager);
    let made = ask(&mut manager, "POST", "/api/v1/change-sets/two/commit", Value::Null).expect("legal");
    assert_eq!(made["revision"], json!(before + 1), "one revision");
    assert_eq!((priority(&mut manager, "a"), priority(&mut manager, "b")), (json!(1), json!(2)));
    assert_eq!(get(&mut manager, "/api/v1/change-sets/two")["state"], "committed");
    let again = refused(&mut manager, "POST", "/api/v1/change-sets/two/commit", Value::Null);
    assert_eq!(again.status, 409);
    let half =
        json!({ "name": "half", "steps": [policy("c", 3), { "delete": { "kind": "port-policy", "name": "x" } }] });
    ask(&mut manager, "POST", sets, half).expect("it can be staged");
    let problem = refused(&mut manager, "POST", "/api/v1/change-sets/half/commit", Value::Null);
    assert_eq!((problem.status, priority(&mut manager, "c")), (422, Value::Null), "{problem:?}");
    ask(&mut manager, "POST", "/api/v1/change-sets/two/rollback", Value::Null).expect("nobody changed them since");
    assert_eq!((priority(&mut manager, "a"), priority(&mut manager, "b")), (Value::Null, Value::Null));
    assert_eq!(get(&mut manager, "/api/v1/change-sets?state=rolled-back")["items"][0]["name"], "two");
}

#[test]
fn a_dry_run_says_what_becomes_of_ports() {
    let mut manager = manager("malbec");
    let spec = json!({ "selector": "role=edge", "priority": 5, "settings": { "mtuBytes": 1500 } });
    let target = "/api/v1/port-policies/small?dryRun=true";
    let seen = ask(&mut manager, "PUT", target, json!({ "spec": spec })).expect("legal");
    let change = &seen["portChanges"][0];
    assert_eq!(change["ports"], seen["blastRadius"]["ports"]);
    assert_eq!(change["fields"][0]["field"], "/mtuBytes");
    assert_eq!((&change["fields"][0]["before"], &change["fields"][0]["after"]), (&json!(9216), &json!(1500)));
    assert!(change["fields"][0]["from"].as_str().expect("text").contains("small"));
    assert_eq!(revision(&mut manager), 0, "nothing was changed");
}

#[test]
fn what_is_not_confirmed_is_taken_back() {
    let mut manager = manager("malbec");
    put(&mut manager, "/api/v1/port-policies/kept", json!({ "priority": 1 }));
    let apply = json!({ "steps": [policy("kept", 9), policy("new", 9)], "confirmWithinSeconds": 600 });
    let made = ask(&mut manager, "POST", "/api/v1/documents", apply.clone()).expect("legal");
    assert!(made["confirmUntilMicros"].as_u64().is_some());
    let other = refused(&mut manager, "PUT", "/api/v1/port-policies/other", json!({ "spec": {} }));
    assert_eq!(other.code, "change-set.unconfirmed");
    ask(&mut manager, "POST", "/api/v1/pending/rollback", Value::Null).expect("it waits");
    assert_eq!((priority(&mut manager, "kept"), priority(&mut manager, "new")), (json!(1), Value::Null));
    ask(&mut manager, "POST", "/api/v1/documents", apply).expect("legal");
    ask(&mut manager, "POST", "/api/v1/pending/confirm", Value::Null).expect("it waits");
    assert_eq!(refused(&mut manager, "GET", "/api/v1/pending", Value::Null).status, 404);
    assert_eq!(priority(&mut manager, "new"), json!(9));
}

#[test]
fn a_wait_for_confirmation_outlives_the_manager() {
    let folder = new_folder();
    let mut first = up("malbec", Some(folder.path()));
    put(&mut first, "/api/v1/port-policies/kept", json!({ "priority": 1 }));
    let apply = json!({ "steps": [policy("kept", 9)], "confirmWithinSeconds": 600 });
    ask(&mut first, "POST", "/api/v1/documents", apply).expect("legal");
    drop(first);
    let mut second = up("malbec", Some(folder.path()));
    assert_eq!(priority(&mut second, "kept"), json!(9));
    let until = get(&mut second, "/api/v1/pending")["untilMicros"].as_u64().expect("a time");
    assert_eq!(until, (NOW + 600) * 1_000_000);
    second.clock = UnixClock::at(NOW + 599);
    assert_eq!(get(&mut second, "/api/v1/status")["pending"]["secondsLeft"], 1.0);
    assert!(!second.end_unconfirmed().expect("nothing is wrong"), "there is time left");
    assert_eq!(priority(&mut second, "kept"), json!(9));
    second.clock = UnixClock::at(NOW + 600);
    assert!(second.end_unconfirmed().expect("it can be taken back"), "the time is over");
    assert_eq!(priority(&mut second, "kept"), json!(1));
    let audit = get(&mut second, "/api/v1/audit?limit=1");
    assert!(audit["items"][0]["reason"].as_str().expect("text").contains("not confirmed"), "{audit}");
}

#[test]
fn documents_go_back_to_any_revision_and_tokens_do_not() {
    let folder = new_folder();
    let mut manager = up("malbec", Some(folder.path()));
    // Tokens use the time of the machine.
    manager.clock = UnixClock::default();
    put(&mut manager, "/api/v1/port-policies/a", json!({ "priority": 1 }));
    let then = revision(&mut manager);
    put(&mut manager, "/api/v1/port-policies/a", json!({ "priority": 2 }));
    put(&mut manager, "/api/v1/port-policies/b", json!({ "priority": 3 }));
    ask(&mut manager, "POST", "/api/v1/tokens", json!({ "name": "later", "role": "guest" })).expect("legal");
    let newest = revision(&mut manager);
    let diff = get(&mut manager, &format!("/api/v1/diff?from={then}"));
    let names: Vec<&str> =
        diff["items"].as_array().expect("a list").iter().filter_map(|item| item["name"].as_str()).collect();
    assert!(names.contains(&"a") && names.contains(&"b"), "{diff}");
    let old = get(&mut manager, &format!("/api/v1/port-policies/a?revision={then}"));
    assert_eq!(old["spec"]["priority"], 1, "time travel");
    let ahead = format!("/api/v1/port-policies/a?revision={}", newest + 100);
    assert_eq!(refused(&mut manager, "GET", &ahead, Value::Null).code, "revision.not-reached");
    ask(&mut manager, "POST", "/api/v1/rollback", json!({ "revision": then })).expect("it can");
    assert_eq!((priority(&mut manager, "a"), priority(&mut manager, "b")), (json!(1), Value::Null));
    let tokens = get(&mut manager, "/api/v1/tokens");
    assert!(tokens.to_string().contains("later"), "who may do what stays: {tokens}");
    let history = get(&mut manager, "/api/v1/history/port-policies/a");
    let seen: Vec<&Value> =
        history["items"].as_array().expect("a list").iter().map(|past| &past["document"]["spec"]["priority"]).collect();
    assert_eq!(seen, [&json!(1), &json!(2), &json!(1)]);
}

#[test]
fn everything_that_is_changed_is_in_the_audit() {
    let mut manager = manager("malbec");
    let link = get(&mut manager, "/api/v1/links?limit=1")["items"][0]["name"].as_str().expect("a name").to_owned();
    put(&mut manager, "/api/v1/port-policies/a?reason=because", json!({ "priority": 1 }));
    ask(&mut manager, "POST", &format!("/api/v1/links/{link}/drain"), Value::Null).expect("a link");
    ask(&mut manager, "PATCH", "/api/v1/settings", json!({ "heartbeat_ms": 2000 })).expect("legal");
    refused(&mut manager, "POST", "/api/v1/links/nothing/drain", Value::Null);
    let audit = get(&mut manager, "/api/v1/audit");
    let items = audit["items"].as_array().expect("a list");
    let put = items.iter().find(|item| item["changes"][0]["name"] == "a").expect("the policy");
    assert_eq!(
        (&put["reason"], &put["actor"], &put["outcome"]),
        (&json!("because"), &json!("manager"), &json!("done"))
    );
    assert!(put["changes"][0]["fields"].to_string().contains("/spec/priority"), "{put}");
    let orders = get(&mut manager, "/api/v1/audit?kind=orders&name=links/");
    assert_eq!(orders["items"].as_array().expect("a list").len(), 1);
    assert!(orders["items"][0]["order"]["path"].as_str().expect("a path").ends_with("drain"));
    assert!(audit.to_string().contains("heartbeat_ms"), "{audit}");
    let refusals = get(&mut manager, "/api/v1/audit?outcome=refused");
    assert!(refusals["items"][0]["refusal"].as_str().expect("why").contains("resource.not-found"), "{refusals}");
    assert_eq!(get(&mut manager, "/api/v1/audit?actor=nobody")["items"], json!([]));
}

#[test]
fn secrets_of_requests_are_not_in_the_audit() {
    let folder = new_folder();
    let mut manager = up("malbec", Some(folder.path()));
    let body = json!({ "name": "reader", "role": "guest" });
    let made = ask(&mut manager, "POST", "/api/v1/tokens", body).expect("legal");
    let token = made["token"].as_str().expect("it is shown once").to_owned();
    let audit = get(&mut manager, "/api/v1/audit?limit=100").to_string();
    assert!(audit.contains("reader") && !audit.contains(&token));
}

#[test]
fn a_backup_is_restored_into_an_empty_directory() {
    let (folder, other) = (new_folder(), new_folder());
    let mut first = up("malbec", Some(folder.path()));
    put(&mut first, "/api/v1/port-policies/a", json!({ "priority": 4 }));
    let request = ApiRequest {
        method: "GET".to_owned(),
        path: "/api/v1/backup".to_owned(),
        actor: Actor::process(),
        ..ApiRequest::default()
    };
    let Ok(Reply::Bytes(bytes)) = answer(&mut first, request) else { panic!("a file") };
    let file = folder.path().join("backup");
    std::fs::write(&file, bytes).expect("there is room");
    let state = other.path().join("state");
    let restore = || philae_manager::backup::restore(&file, &state, None, false);
    assert!(!restore().expect("it is whole").has_keys, "documents alone");
    assert!(restore().is_err(), "it is not empty any more");
    let mut second = up("malbec", Some(&state));
    assert_eq!(priority(&mut second, "a"), json!(4));
}

#[test]
fn a_document_says_who_has_it() {
    let mut manager = manager("malbec");
    put(&mut manager, "/api/v1/port-policies/a", json!({ "selector": "role=global", "priority": 4 }));
    let status = get(&mut manager, "/api/v1/port-policies/a")["status"].clone();
    assert_eq!((&status["ports"], &status["applied"]), (&json!(192), &status["switches"]), "{status}");
    assert_eq!((&status["generation"], &status["observedGeneration"]), (&json!(1), &json!(1)));
    assert_eq!(status["conditions"][0]["status"], "True");
    let switch = get(&mut manager, "/api/v1/switches?limit=1")["items"][0]["name"].as_str().expect("a name").to_owned();
    ask(&mut manager, "POST", &format!("/api/v1/switches/{switch}/maintenance"), Value::Null).expect("it exists");
    let spec = json!({ "selector": "role in (local,global)", "priority": 4, "settings": { "autoneg": false } });
    let changed = put(&mut manager, "/api/v1/port-policies/a", spec);
    assert!(changed["operation"].as_str().is_some(), "it goes on: {changed}");
    let status = get(&mut manager, "/api/v1/port-policies/a")["status"].clone();
    assert_eq!((&status["generation"], &status["observedGeneration"]), (&json!(2), &json!(1)), "{status}");
    assert_eq!(status["lacking"][0]["switch"], json!(switch));
    assert!(status["lacking"][0]["reason"].as_str().expect("why").contains("maintenance"), "{status}");
    let operation = changed["operation"].as_str().expect("where it is").to_owned();
    assert_eq!(get(&mut manager, &operation)["state"], "running");
    ask(&mut manager, "POST", &format!("/api/v1/switches/{switch}/resume"), Value::Null).expect("it exists");
    let ended = get(&mut manager, &format!("{operation}?wait=applied&timeout=60"));
    assert_eq!((&ended["state"], &ended["done"]), (&json!("done"), &ended["total"]), "{ended}");
}

#[test]
fn an_order_to_many_is_carried_out_a_few_at_a_time() {
    let mut manager = manager("malbec");
    let order = json!({ "do": "reboot", "selector": "group=0", "atOnce": 2 });
    let begun = ask(&mut manager, "POST", "/api/v1/operations", order).expect("there are some");
    let total = begun["total"].as_u64().expect("a number");
    let working = |view: &Value| {
        view["devices"].as_array().expect("a list").iter().filter(|device| device["progress"] == "working").count()
    };
    assert!(total > 2 && begun["state"] == "running" && working(&begun) == 2, "{begun}");
    let name = begun["name"].as_str().expect("a name").to_owned();
    let cancel = format!("/api/v1/operations/{name}/cancel");
    ask(&mut manager, "POST", &cancel, Value::Null).expect("it goes on");
    let ended = get(&mut manager, &format!("/api/v1/operations/{name}?wait=applied&timeout=60"));
    assert_eq!((&ended["state"], &ended["done"]), (&json!("cancelled"), &json!(2)), "those that were begun: {ended}");
    assert_eq!(refused(&mut manager, "POST", &cancel, Value::Null).status, 409, "it has ended");
}
