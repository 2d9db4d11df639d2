//! Watches: their events, their start, and the end of slow watchers.

use crate::common::{ask, get, manager, put};
use philae_manager::access::Actor;
use philae_manager::api::{ApiRequest, Reply, answer};
use philae_manager::{ApiProblem, Manager};
use serde_json::{Value, json};

fn watch(manager: &mut Manager, query: &[(&str, &str)], last: Option<&str>) -> Result<Reply, ApiProblem> {
    let request = ApiRequest {
        method: "GET".to_owned(),
        path: "/api/v1/watch".to_owned(),
        query: query.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect(),
        last_event: last.map(str::to_owned),
        actor: Actor::process(),
        ..ApiRequest::default()
    };
    answer(manager, request)
}

/// An event: its id, its name, its data.
type Seen = (String, String, Value);

fn parse(piece: &[u8]) -> Seen {
    let text = String::from_utf8(piece.to_vec()).expect("text");
    let field = |name: &str| {
        let line = text.lines().find_map(|line| line.strip_prefix(name));
        line.unwrap_or_else(|| panic!("{name} in {text}")).to_owned()
    };
    (field("id: "), field("event: "), serde_json::from_str(&field("data: ")).expect("JSON"))
}

/// All events of a watch until its time is over.
fn told(reply: Result<Reply, ApiProblem>) -> Vec<Seen> {
    let Ok(Reply::Watch(mut watching)) = reply else { panic!("a watch: {reply:?}") };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    runtime.block_on(async {
        let mut seen = vec![parse(&watching.begin())];
        while let Some(piece) = watching.next().await {
            seen.push(parse(&piece));
        }
        seen
    })
}

fn sorts(seen: &[Seen]) -> Vec<&str> {
    seen.iter().map(|(_, sort, _)| sort.as_str()).collect()
}

#[test]
fn documents_are_told_from_a_revision_on() {
    let mut manager = manager("malbec");
    for priority in [1, 2, 3] {
        put(&mut manager, "/api/v1/port-policies/a", json!({ "priority": priority }));
    }
    let seen = told(watch(&mut manager, &[("from", "1"), ("types", "document"), ("timeoutSeconds", "1")], None));
    assert_eq!(sorts(&seen), ["bookmark", "document", "document", "bookmark"]);
    let priorities: Vec<&Value> =
        seen[1..3].iter().map(|(_, _, data)| &data["documents"][0]["document"]["spec"]["priority"]).collect();
    assert_eq!(priorities, [&json!(2), &json!(3)]);
    assert_eq!(seen[3].2["revision"], 3, "the last word says where it stands");
    let ahead = watch(&mut manager, &[("from", "9")], None).expect_err("it is not there yet");
    assert_eq!(ahead.code, "revision.not-reached");
    let sort = watch(&mut manager, &[("types", "weather")], None).expect_err("there are none");
    assert!(sort.detail.contains("device"), "{sort:?}");
}

#[test]
fn what_happens_in_the_fabric_is_told_and_whoever_comes_back_misses_nothing() {
    let mut manager = manager("malbec");
    let link = get(&mut manager, "/api/v1/links?limit=1")["items"][0]["name"].as_str().expect("a name").to_owned();
    let begun = watch(&mut manager, &[("timeoutSeconds", "1")], None);
    ask(&mut manager, "POST", &format!("/api/v1/simulation/links/{link}/cut"), Value::Null).expect("a link");
    let seen = told(begun);
    let down = seen.iter().position(|(_, sort, data)| sort == "link" && data["link"] == json!(link));
    let down = down.unwrap_or_else(|| panic!("{seen:?}"));
    assert_eq!(seen[down].2["carrying"], false);
    assert!(sorts(&seen).contains(&"tables"), "tables follow: {seen:?}");
    let again = told(watch(&mut manager, &[("timeoutSeconds", "1")], Some(&seen[down].0)));
    assert_eq!(again[1..again.len() - 1], seen[down + 1..seen.len() - 1], "what came after it, and nothing twice");
    let other = watch(&mut manager, &[], Some("0.77.5")).expect_err("of another manager");
    assert_eq!((other.status, other.code), (410, "revision.gone"));
    assert_eq!(watch(&mut manager, &[], Some("rubbish")).expect_err("no id").status, 400);
}

#[test]
fn alarms_and_operations_are_told() {
    let mut manager = manager("malbec");
    let link = get(&mut manager, "/api/v1/links?limit=1")["items"][0]["name"].as_str().expect("a name").to_owned();
    let begun = watch(&mut manager, &[("types", "operation"), ("timeoutSeconds", "1")], None);
    ask(&mut manager, "POST", &format!("/api/v1/links/{link}/drain"), Value::Null).expect("a link");
    let seen = told(begun);
    assert_eq!(sorts(&seen), ["bookmark", "operation", "bookmark"]);
    assert_eq!(seen[1].2["state"], "done");
}

#[test]
fn only_so_many_watch_at_once_and_whoever_leaves_makes_room() {
    let mut manager = manager("malbec");
    let mut seats = Vec::new();
    let full = loop {
        match watch(&mut manager, &[], None) {
            Ok(seat) => seats.push(seat),
            Err(problem) => break problem,
        }
        assert!(seats.len() <= 10_000, "there is a limit");
    };
    assert_eq!((full.status, full.code, seats.len()), (503, "manager.busy", 1_024));
    seats.pop();
    assert!(watch(&mut manager, &[], None).is_ok());
}
