//! Two managers of one fabric, as processes: one follows and takes over, and the old one does no
//! harm.
//!
//! The process itself is what is tested here, so these tests run in real time and wait for states,
//! never for a time: programs that are started, stopped by signals and killed, that share a lease
//! in a file or an etcd, and whose agents connect to another manager. The rules behind it (how long
//! a lease lasts, which standby may lead, when an answer waits) are tested in simulated time, in
//! `src/availability/takeover.rs`, `histories.rs` and `histories/scripted.rs`.

use std::path::Path;
use std::process::{Child, Command};

use crate::common::new_folder;
use crate::failover::etcd;
use crate::process::{Process, free_address, policy, silent_standbys};
use rustix::process::Signal;
use serde_json::{Value, json};
use tempfile::TempDir;

const TAKEOVER: u64 = 1 << 20;

fn leader(state: &Path, more: &[&str]) -> Process {
    let path = state.to_str().expect("plain");
    let mut arguments = vec!["manager", "serve", "--system", "malbec", "--listen", "127.0.0.1:0", "--state", path];
    arguments.extend(more);
    Process::start(&arguments, state)
}

fn standby(state: &Path, leader: &Process, token: &Path, more: &[&str]) -> Process {
    let (path, token) = (state.to_str().expect("plain"), token.to_str().expect("plain"));
    let mut arguments = vec!["manager", "standby", "--system", "malbec", "--listen", "127.0.0.1:0", "--state", path];
    arguments.extend(["--of", &leader.base, "--token-file", token]);
    arguments.extend(more);
    Process::start(&arguments, state)
}

fn put(process: &Process, number: u64) -> (u16, Value) {
    let (status, answer) = process.ask("PUT", &format!("/api/v1/port-policies/p{number}"), &policy(number));
    (if [201, 202].contains(&status) { 200 } else { status }, answer)
}

fn state_of(process: &Process) -> String {
    process.get("/api/v1/leadership")["state"].as_str().expect("a word").to_owned()
}

fn has(process: &Process, numbers: std::ops::Range<u64>) {
    for number in numbers {
        let found = process.get(&format!("/api/v1/port-policies/p{number}"));
        assert_eq!(found["labels"]["number"], number.to_string(), "{found}");
    }
}

fn in_step(standby: &Process, revision: u64) {
    standby.until("/api/v1/leadership", "in step", |shown| shown["revision"].as_u64() >= Some(revision));
}

fn revision(process: &Process) -> u64 {
    process.get("/api/v1/leadership")["revision"].as_u64().expect("a number")
}

/// Agents of all switches, which know two managers; the first one lets them join.
fn agents_of(folder: &TempDir, first: &Process, state: &Path, managers: [&str; 2], more: &[&str]) -> Child {
    let join = folder.path().join("join.token");
    let made = Command::new(env!("CARGO_BIN_EXE_philae-manager"))
        .args(["fabric", "--manager", &first.base, "--token-file"])
        .arg(state.join("admin.token"))
        .args(["certificates", "join", "--switches", "x*c*r*b*"])
        .arg(&join)
        .output()
        .expect("the program runs");
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    let mut agents = Command::new(env!("CARGO_BIN_EXE_philae-manager"));
    agents.args(["agent", "--system", "malbec"]).args(managers.iter().flat_map(|manager| ["--manager", manager]));
    agents.args(more).arg("--join-token-file").arg(&join).arg("--state").arg(folder.path().join("agents"));
    agents.stderr(std::process::Stdio::null()).spawn().expect("the program starts")
}

#[test]
fn a_standby_follows_refuses_changes_and_takes_over_without_loss() {
    let folder = new_folder();
    let (one, other) = (folder.path().join("one"), folder.path().join("other"));
    let first = leader(&one, &["--simulated"]);
    for number in 0..20 {
        assert_eq!(put(&first, number).0, 200);
    }
    let second = standby(&other, &first, &one.join("admin.token"), &["--simulated"]);
    for number in 20..40 {
        assert_eq!(put(&first, number).0, 200);
    }
    in_step(&second, revision(&first));
    second.until("/api/v1/port-policies", "all there", |list| {
        list["items"].as_array().is_some_and(|items| items.iter().filter(|item| item["stock"] == false).count() == 40)
    });
    has(&second, 0..40);
    let shown = second.get("/api/v1/leadership");
    assert_eq!((&shown["state"], &shown["leader"]), (&json!("follows"), &json!(first.base)), "{shown}");
    assert_eq!(shown["behindRevisions"], 0);
    assert!(first.get("/api/v1/leadership")["standbys"][0]["behindRevisions"].is_u64());
    let (status, refused) = put(&second, 99);
    assert_eq!((status, &refused["code"]), (503, &json!("manager.follows")), "{refused}");
    assert!(refused["detail"].as_str().is_some_and(|detail| detail.contains(&first.base)), "{refused}");

    let (status, took) = second.ask("POST", "/api/v1/leadership/takeover", &Value::Null);
    assert_eq!(status, 200, "{took}");
    assert_eq!((&took["complete"], &took["behindRevisions"]), (&json!(true), &json!(0)), "{took}");
    assert!(took["epoch"].as_u64() >= Some(TAKEOVER), "{took}");
    second.until("/api/v1/status", "synced", |status| status["switches"]["byState"]["synced"] == 32);
    has(&second, 0..40);
    assert_eq!(put(&second, 40).0, 200, "it leads");
    let (status, refused) = put(&first, 98);
    assert_eq!((status, &refused["code"]), (503, &json!("manager.stepped-down")), "{refused}");
    has(&first, 0..40);
    let again = second.ask("POST", "/api/v1/leadership/takeover", &Value::Null);
    assert_eq!(again.0, 409, "{again:?}");

    drop(first);
    let mut command = Command::new(env!("CARGO_BIN_EXE_philae-manager"));
    command
        .args(["manager", "serve", "--simulated", "--system", "malbec", "--listen", "127.0.0.1:0", "--state"])
        .arg(&one);
    let said = Process::spawn(command, &one).err().expect("it must not lead");
    assert!(said.contains("philae manager standby --of"), "{said}");
    let first = standby(&one, &second, &other.join("admin.token"), &["--simulated"]);
    in_step(&first, revision(&second));
    assert_eq!(state_of(&first), "follows");
    has(&first, 0..41);
}

#[test]
fn a_leader_that_is_back_without_knowing_is_fenced_by_agents() {
    let folder = new_folder();
    let (one, other) = (folder.path().join("one"), folder.path().join("other"));
    let (here, there) = (free_address(), free_address());
    let mut first = leader(&one, &["--agents-listen", &here]);
    let mut agent = agents_of(&folder, &first, &one, [&here, &there], &[]);
    let synced = |status: &Value| status["switches"]["byState"]["synced"] == 32;
    first.until("/api/v1/status", "synced", synced);
    let second = standby(&other, &first, &one.join("admin.token"), &["--agents-listen", &there]);
    assert_eq!(put(&first, 1).0, 200);
    in_step(&second, revision(&first));
    first.kill();
    let (status, took) = second.ask("POST", "/api/v1/leadership/takeover", &Value::Null);
    assert_eq!((status, &took["complete"], &took["behindRevisions"]), (200, &json!(false), &json!(0)), "{took}");
    second.until("/api/v1/status", "synced", synced);
    has(&second, 1..2);

    // It does not know of the takeover, leads with the next epoch, and accepts a change: no agent
    // carries it out.
    let first = leader(&one, &["--agents-listen", &here]);
    assert_eq!(state_of(&first), "leads");
    assert_eq!(put(&first, 77).0, 200, "it cannot know yet");
    assert_eq!(put(&second, 2).0, 200);
    assert_eq!(second.get("/api/v1/status")["switches"]["byState"]["synced"], 32, "agents stay");
    // Now agents have no other manager, and report their epoch to it.
    let (base, token) = (second.base.clone(), second.token.clone());
    drop(second);
    first.until("/api/v1/leadership", "fenced", |shown| shown["state"] == "stepped-down");
    let (status, refused) = put(&first, 78);
    assert_eq!((status, &refused["code"]), (503, &json!("manager.stepped-down")), "{refused} {base} {}", token.len());
    drop(first);
    // The one that took over leads again, and switches have its last changes.
    let second = leader(&other, &["--agents-listen", &there]);
    second.until("/api/v1/status", "synced", synced);
    has(&second, 1..3);
    assert_eq!(
        second.ask("GET", "/api/v1/port-policies/p77", &Value::Null).0,
        404,
        "what the stale one took is not here"
    );
    let _ = agent.kill();
    let _ = agent.wait();
}

/// The leader is stopped without notice; the standby takes over by itself; the leader continues and
/// notices by itself.
fn lease_runs_out(lease: &str) {
    let folder = new_folder();
    let (one, other) = (folder.path().join("one"), folder.path().join("other"));
    let options = ["--simulated", "--lease", lease, "--lease-seconds", "3"];
    let first = leader(&one, &[&options[..], &["--acknowledge", "standby"]].concat());
    let second = standby(&other, &first, &one.join("admin.token"), &options);
    for number in 0..10 {
        let (status, answer) = put(&first, number);
        assert_eq!(status, 200, "{answer}");
    }
    // Only a standby that the lease names may lead.
    first.until("/api/v1/leadership", "covered by a standby", |shown| {
        shown["usableStandbys"].as_array().is_some_and(|names| !names.is_empty())
    });
    in_step(&second, revision(&first));
    assert_eq!(state_of(&second), "follows");
    first.signal(Signal::STOP);
    second.until("/api/v1/leadership", "leading", |shown| shown["state"] == "leads");
    has(&second, 0..10);
    assert_eq!(put(&second, 10).0, 200);
    first.signal(Signal::CONT);
    let (status, refused) = put(&first, 99);
    assert_eq!((status, &refused["code"]), (503, &json!("manager.stepped-down")), "{refused}");
    assert!(second.get("/api/v1/leadership")["lease"]["goodForSeconds"].as_f64() > Some(0.0));
}

#[test]
fn a_file_lease_that_runs_out_makes_the_standby_lead_and_the_leader_step_down() {
    let folder = new_folder();
    lease_runs_out(&format!("file:{}", folder.path().join("philae.lease").display()));
}

#[test]
fn an_etcd_lease_that_runs_out_makes_the_standby_lead_and_the_leader_step_down() {
    let folder = new_folder();
    let Some(service) = etcd(&folder, &free_address(), &free_address()) else { return };
    lease_runs_out(&format!("etcd:{}", service.1));
}

#[test]
fn what_a_standby_lacked_is_lost_or_was_acknowledged_as_on_one_disk() {
    for acknowledge in ["disk", "standby"] {
        let folder = new_folder();
        let (one, other) = (folder.path().join("one"), folder.path().join("other"));
        let mut first = leader(&one, &["--simulated", "--acknowledge", acknowledge]);
        let second = standby(&other, &first, &one.join("admin.token"), &["--simulated"]);
        assert_eq!(put(&first, 0).0, 200);
        in_step(&second, revision(&first));
        second.signal(Signal::STOP);
        silent_standbys(&first);
        let (status, answer) = put(&first, 1);
        assert_eq!(status, 200, "{answer}");
        let shown = first.get("/api/v1/leadership");
        if acknowledge == "standby" {
            assert_eq!(shown["durability"], "one-disk", "{shown}");
            assert!(shown["changesOnOneDisk"].as_u64() >= Some(1), "{shown}");
            assert!(shown["problem"].as_str().is_some_and(|problem| problem.contains("one disk only")), "{shown}");
        } else {
            assert_eq!((&shown["acknowledge"], &shown["changesOnOneDisk"]), (&json!("disk"), &json!(0)), "{shown}");
        }
        first.kill();
        second.signal(Signal::CONT);
        let (status, took) = second.ask("POST", "/api/v1/leadership/takeover", &Value::Null);
        assert_eq!((status, &took["complete"]), (200, &json!(false)), "{took}");
        second.until("/api/v1/leadership", "leading", |shown| shown["state"] == "leads");
        has(&second, 0..1);
        assert_eq!(
            second.ask("GET", "/api/v1/port-policies/p1", &Value::Null).0,
            404,
            "{acknowledge}: it never had it"
        );
    }
}

#[test]
fn a_rollout_of_firmware_goes_on_where_a_standby_takes_over() {
    let folder = new_folder();
    let (one, other) = (folder.path().join("one"), folder.path().join("other"));
    let (here, there) = (free_address(), free_address());
    let mut first = leader(&one, &["--agents-listen", &here]);
    let mut agent = agents_of(&folder, &first, &one, [&here, &there], &["--upgrade-ms", "300"]);
    first.until("/api/v1/status", "synced", |status| status["switches"]["byState"]["synced"] == 32);
    let second = standby(&other, &first, &one.join("admin.token"), &["--agents-listen", &there]);
    let wanted = json!({ "spec": { "selector": "", "settings": { "firmware": "2.2.0" } } });
    assert!(first.ask("PUT", "/api/v1/switch-policies/firmware", &wanted).0 < 300);
    let (status, begun) = first.ask(
        "POST",
        "/api/v1/firmware/start",
        &json!({ "atOnce": 4, "soakSeconds": 0, "selector": "group in (0-2)" }),
    );
    assert_eq!(status, 200, "{begun}");
    first.until("/api/v1/firmware", "half done", |shown| {
        shown["rollout"]["done"].as_u64() >= Some(8) && shown["rollout"]["working"] != json!([])
    });
    let own = json!(env!("CARGO_PKG_VERSION"));
    assert_eq!(first.get("/api/v1/leadership")["standbys"][0]["version"], own);
    assert_eq!(first.get("/api/v1/firmware")["versions"]["standbys"][0]["version"], own);
    // A manager that follows shows the rollout, too, and names the leader; also when it has just
    // started.
    let shown = second.until("/api/v1/firmware", "known", |shown| shown["rollout"]["state"] == "running");
    let standing = format!("follows {}, which leads", first.base);
    assert_eq!((&shown["leads"], &shown["standing"]), (&json!(false), &json!(standing)), "{shown}");
    let mut second = second;
    second.kill();
    let second = standby(&other, &first, &one.join("admin.token"), &["--agents-listen", &there]);
    let shown = second.get("/api/v1/firmware");
    assert_eq!(shown["rollout"]["number"], 1, "{shown}");
    first.kill();
    let (status, took) = second.ask("POST", "/api/v1/leadership/takeover", &json!({ "acceptLoss": true }));
    assert_eq!(status, 200, "{took}");
    let done = second.until("/api/v1/firmware", "done", |shown| shown["rollout"]["state"] == "done");
    let rollout = &done["rollout"];
    assert_eq!(
        (&rollout["number"], &rollout["done"], &rollout["failed"]),
        (&json!(1), &json!(24), &json!([])),
        "{done}"
    );
    let status = second.until("/api/v1/status", "synced", |status| status["switches"]["byState"]["synced"] == 32);
    assert_eq!(status["links"]["carrying"], status["links"]["total"], "{status}");
    let _ = agent.kill();
    let _ = agent.wait();
}
