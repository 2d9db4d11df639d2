//! The service over HTTP: headers, statuses, lines, many simultaneous requests.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};

use crate::common::new_folder;
use serde_json::Value;
use tempfile::TempDir;

/// A manager of a simulated malbec. Ends with the test.
struct Service {
    child: Child,
    address: String,
    token: String,
    folder: TempDir,
}

impl Drop for Service {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Service {
    fn start() -> Self {
        let folder = new_folder();
        let mut child = Command::new(env!("CARGO_BIN_EXE_philae-manager"))
            .args(["manager", "serve", "--simulated", "--system", "malbec", "--listen", "127.0.0.1:0", "--state"])
            .arg(folder.path().join("state"))
            .env("XDG_STATE_HOME", folder.path())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let lines = BufReader::new(child.stderr.take().expect("it is piped")).lines().map_while(Result::ok);
        let mut lines = lines.skip_while(|line| !line.contains("http://"));
        let line = lines.next().expect("it says where it listens");
        let address = line.split("http://").nth(1).and_then(|rest| rest.split([';', ' ']).next()).expect("an address");
        let address = address.to_owned();
        // The output must be read, or the program would block.
        std::thread::spawn(move || lines.for_each(drop));
        let token = std::fs::read_to_string(folder.path().join("state/admin.token")).expect("the first token");
        Self { child, address, token: token.trim().to_owned(), folder }
    }

    fn ask(&self, method: &str, path: &str, headers: &[(&str, &str)], body: &str) -> ureq::http::Response<ureq::Body> {
        let mut request = ureq::http::Request::builder()
            .method(method)
            .uri(format!("http://{}{path}", self.address))
            .header("Authorization", format!("Bearer {}", self.token));
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let agent: ureq::Agent =
            ureq::Agent::config_builder().http_status_as_error(false).allow_non_standard_methods(true).build().into();
        let answer = match body {
            "" => agent.run(request.body(()).expect("a request")),
            body => agent.run(request.body(body.to_owned()).expect("a request")),
        };
        answer.expect("an answer")
    }
}

fn header<'a>(response: &'a ureq::http::Response<ureq::Body>, name: &str) -> &'a str {
    response.headers().get(name).map_or("", |value| value.to_str().expect("text"))
}

#[test]
fn answers_carry_what_programs_need() {
    let service = Service::start();
    let spec = r#"{"spec": {"priority": 3}}"#;
    let path = "/api/v1/port-policies/mine";
    let made = service.ask("PUT", path, &[("X-Request-Id", "mine-1")], spec);
    assert_eq!((made.status().as_u16(), header(&made, "x-request-id")), (201, "mine-1"));
    let tag = header(&made, "etag").to_owned();
    assert_eq!(tag.trim_matches('"'), header(&made, "philae-revision"));
    let seen = service.ask("GET", path, &[], "");
    assert_eq!(header(&seen, "etag"), tag);
    assert_eq!(service.ask("GET", path, &[("If-None-Match", &tag)], "").status(), 304);
    let settings = service.ask("GET", "/api/v1/settings", &[], "");
    let same = service.ask("GET", "/api/v1/settings", &[("If-None-Match", header(&settings, "etag"))], "");
    assert_eq!(same.status(), 304, "what has no revision is named by its bytes");
    assert_eq!(service.ask("PUT", path, &[("If-Match", "\"0\"")], spec).status(), 412);
    let patch = r#"[{"op": "replace", "path": "/spec/priority", "value": 4}]"#;
    let patched = service.ask("PATCH", path, &[("Content-Type", "application/json-patch+json")], patch);
    assert_eq!(patched.status(), 200);
    let wrong = service.ask("DELETE", "/api/v1/status", &[], "");
    assert_eq!(wrong.status(), 405);
    assert!(header(&wrong, "allow").contains("GET"));
    assert_eq!(service.ask("PUT", path, &[("Content-Type", "text/html")], spec).status(), 415);
    assert_eq!(service.ask("GET", "/api/v1/links/%ff", &[], "").status(), 400);
    let lines = service.ask("GET", "/api/v1/ports", &[("Accept", "application/x-ndjson")], "");
    assert_eq!(header(&lines, "content-type"), "application/x-ndjson");
    let text = lines.into_body().read_to_string().expect("text");
    assert!(text.lines().count() > 1_000 && text.lines().all(|line| serde_json::from_str::<Value>(line).is_ok()));
    let order = service.ask("POST", "/api/v1/operations", &[], r#"{"do": "reboot", "selector": "group=0"}"#);
    assert_eq!(order.status(), 202);
    let location = header(&order, "location").to_owned();
    let waited = service.ask("GET", &format!("{location}?wait=applied&timeout=60"), &[], "");
    let waited: Value = serde_json::from_str(&waited.into_body().read_to_string().expect("text")).expect("JSON");
    assert_eq!(waited["state"], "done", "{waited}");
}

#[test]
fn what_is_not_confirmed_goes_by_itself() {
    let service = Service::start();
    let apply =
        r#"{"steps": [{"put": {"kind": "vlan", "name": "short", "spec": {"id": 7}}}], "confirmWithinSeconds": 1}"#;
    assert!(service.ask("POST", "/api/v1/documents", &[], apply).status().is_success());
    // However long it takes on a busy machine: in the end the watch tells that it is gone.
    let stream = service.ask("GET", "/api/v1/watch?types=document&from=0", &[], "").into_body().into_reader();
    let told = BufReader::new(stream).lines().map_while(Result::ok);
    let mut documents = told.filter(|line| line.starts_with("data:") && line.contains("\"short\""));
    assert!(documents.any(|line| line.contains("\"document\":null")), "the stream ended before");
    // The store tells its watchers before the manager has taken the change into its tables.
    while service.ask("GET", "/api/v1/vlans/short", &[], "").status() != 404 {}
    assert_eq!(service.ask("GET", "/api/v1/pending", &[], "").status(), 404);
}

#[test]
fn many_watch_and_ask_and_all_are_answered() {
    let service = Service::start();
    let output = Command::new(env!("CARGO_BIN_EXE_philae-manager"))
        .args(["manager", "load", "--watches", "20", "--rate", "100", "--seconds", "2", "--json"])
        .args(["--manager", &service.address, "--token-file"])
        .arg(service.folder.path().join("state/admin.token"))
        .output()
        .expect("the program runs");
    let report: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert!(output.status.success(), "{report}");
    assert_eq!((&report["watches"], &report["watchesLost"], &report["errors"]), (&20.into(), &0.into(), &0.into()));
    let answers = report["answers"].as_u64().expect("a number");
    assert!((190..=216).contains(&answers), "each at its time: {report}");
}
