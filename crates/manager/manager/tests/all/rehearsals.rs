//! Incidents of the manager itself, rehearsed with programs: an expired certificate, a full disk, a
//! clock that jumps, a standby that is out of step, a restore without keys.

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use philae_agent_rpc::{Authority, CaSettings, Role, unix_seconds};
use philae_manager::UnixClock;
use philae_manager_api::status_screen;
use serde_json::{Value, json};

use crate::common::new_folder;
use crate::common::{self, NOW, get};
use crate::incidents::settled;
use crate::oncall::Small;
use crate::process::{Process, policy};
use crate::programs::{Running, Service, agents, all_synced, ask, done, fabric, join_token, synced, wait_for};
use tempfile::TempDir;

/// Replaces words that differ from run to run by those of a usual machine.
fn usual(value: &mut Value, folders: &[&str]) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(|item| usual(item, folders)),
        Value::Object(fields) => fields.iter_mut().for_each(|(_, field)| usual(field, folders)),
        Value::String(text) => {
            for folder in folders {
                *text = text.replace(folder, "/var/lib/philae");
            }
            let words: Vec<&str> = text.split(' ').collect();
            let shown = words.iter().enumerate().map(|(place, word)| {
                let follows = |next: &str| words.get(place + 1).is_some_and(|found| found.starts_with(next));
                let is_time = word.len() >= 20 && word.as_bytes()[10] == b'T' && word[..4].parse::<u32>().is_ok();
                match () {
                    () if is_time => format!("2026-11-28T03:12:00Z{}", &word[20..]),
                    () if follows("KiB") => "40".to_owned(),
                    () if follows("s") && words.get(place + 2) == Some(&"ago,") => "12".to_owned(),
                    // Connections of agents that are tried again and again.
                    () if follows("connection") => "9".to_owned(),
                    () if *word == "connection" => "connections".to_owned(),
                    () => match word.split_once('#') {
                        Some((name, _)) => format!("n2:{}", name.rsplit(':').next().unwrap_or(name)),
                        None => (*word).to_owned(),
                    },
                }
            });
            *text = shown.collect::<Vec<_>>().join(" ");
        }
        _ => {}
    }
}

fn shown(mut status: Value, mut alarms: Value, folders: &[&str]) -> String {
    // The number of tables depends on the order in which programs start.
    if status["routes"]["generation"].as_u64() > Some(1) {
        status["routes"]["generation"] = json!(1);
    }
    for value in [&mut status, &mut alarms] {
        settled(value);
        usual(value, folders);
    }
    let shown = status_screen(&status, &alarms, false);
    for line in shown.lines() {
        assert!(line.chars().count() <= 80, "{line}");
    }
    shown
}

/// The screen of a service once an alarm is there.
fn of_service(folder: &TempDir, service: &Service, alarm: &str) -> String {
    let token = Service::admin_token(folder);
    let read = |path: &str| ask("GET", &format!("{}{path}", service.url), Some(&token), &Value::Null).body;
    let told = |alarms: &Value| alarms["items"].to_string().contains(alarm);
    let alarms = wait_for(alarm, || Some(read("/api/v1/alarms")).filter(told));
    shown(read("/api/v1/status"), alarms, &[folder.path().to_str().expect("plain")])
}

fn of_process(process: &Process, folder: &Path, alarm: &str) -> String {
    let told = |alarms: &Value| alarms["items"].to_string().contains(alarm);
    let alarms = process.until("/api/v1/alarms", alarm, told);
    shown(process.get("/api/v1/status"), alarms, &[folder.to_str().expect("plain")])
}

/// The switches of a group were off for days: the certificate of their agents has expired.
fn off_for(folder: &TempDir, days: u64) -> (Service, Vec<Running>) {
    let service = Service::start(folder, &["--agents-listen", "127.0.0.1:0"]);
    let address = service.agents.clone().expect("it listens for agents");
    let token = join_token(folder, &service.url, "join.token");
    let first = agents(folder, &address, &token, &["--switches", "x1000c*r*b*"]);
    wait_for("the first group is there", || (synced(folder, &service.url) == 8).then_some(()));
    // One certificate is for all of them.
    let state = folder.path().join("agent");
    let arguments = ["agent", "--system", "malbec", "--manager", &address, "--state", state.to_str().expect("plain")];
    let others = ["x1002c*r*b*", "x1003c*r*b*"]
        .map(|switches| Running::start(folder, &[&arguments[..], &["--switches", switches]].concat()));
    wait_for("all but one group are there", || (synced(folder, &service.url) == 24).then_some(()));
    let authority = Authority::open(&folder.path().join("manager/ca"), "malbec", CaSettings::default(), unix_seconds());
    let role = Role::Agent(vec!["x1001c*r*b*".to_owned()]);
    let before = authority.expect("the service's own").issue(&role, unix_seconds() - days * 86_400);
    let before = before.expect("a certificate of then");
    let state = folder.path().join("weekend");
    std::fs::create_dir(&state).expect("there is room");
    let kept = json!({ "certificate": before.certificate, "key": before.key, "roots": before.roots });
    std::fs::write(state.join("identity.json"), kept.to_string()).expect("there is room");
    let state = state.to_str().expect("plain");
    let arguments = ["agent", "--system", "malbec", "--manager", &address, "--switches", "x1001c*r*b*", "--state"];
    let there = Running::start(folder, &[&arguments[..], &[state]].concat());
    let line = there.line_with("ended at");
    assert!(line.contains("--join-token-file"), "the agent's own log says what to do: {line}");
    (service, [first, there].into_iter().chain(others).collect())
}

/// They were off for six weeks: longer than the manager allows them to renew.
fn ended_certificate() -> String {
    let folder = new_folder();
    let (service, _running) = off_for(&folder, 43);
    of_service(&folder, &service, "the certificate of the agent of x1001c*r*b* ended")
}

#[test]
fn an_ended_certificate_is_told_with_its_switches_and_the_way_back() {
    let screen = ended_certificate();
    assert!(screen.contains("certificates join --switches 'x1001c*r*b*'"), "{screen}");
    assert!(!screen.contains("connections of agents refused"), "the same is not told twice: {screen}");
}

#[test]
fn switches_that_were_off_for_a_weekend_come_back_by_themselves() {
    let folder = new_folder();
    let (service, _running) = off_for(&folder, 3);
    all_synced(&folder, &service.url);
    let alarms = done(&fabric(&folder, &service.url, &["show", "alarms", "-o", "json"]));
    assert!(!alarms.contains("has ended") && !alarms.contains("refused"), "{alarms}");
    let listed = done(&fabric(&folder, &service.url, &["certificates", "-o", "json"]));
    assert!(!listed.contains("\"ended\""), "the one before is worth nothing any more: {listed}");
}

fn full_disk() -> Option<String> {
    let folder = new_folder();
    let small = Small::new(&folder, "8m")?;
    let state = small.0.join("manager");
    let path = state.to_str().expect("plain");
    let process = Process::start(
        &["manager", "serve", "--simulated", "--system", "malbec", "--listen", "127.0.0.1:0", "--state", path],
        &state,
    );
    process.until("/api/v1/status", "synced", |status| status["switches"]["byState"]["synced"] == 32);
    let filled = std::fs::File::create(small.0.join("fill")).expect("a file");
    let block = vec![1_u8; 64 << 10];
    while std::io::Write::write(&mut &filled, &block).is_ok_and(|written| written > 0) {}
    Some(of_process(&process, &small.0, "is full"))
}

fn jumped_clock() -> String {
    let mut manager = common::up("malbec", None);
    manager.clock = UnixClock::at(NOW + 3).beside(NOW + 7_203);
    manager.run();
    shown(get(&mut manager, "/api/v1/status"), get(&mut manager, "/api/v1/alarms"), &[])
}

/// The standby is away, and its leader continues alone.
fn standby_out_of_step() -> String {
    let folder = new_folder();
    let (one, other) = (folder.path().join("manager"), folder.path().join("standby"));
    let begin = |kind: &[&str], state: &Path| {
        let path = state.to_str().expect("plain");
        let common = ["--simulated", "--system", "malbec", "--listen", "127.0.0.1:0", "--state", path];
        Process::start(&[kind, &common].concat(), state)
    };
    let leader = begin(&["manager", "serve", "--acknowledge", "standby", "--standby-seconds", "1"], &one);
    let token = one.join("admin.token");
    let follow = ["manager", "standby", "--of", &leader.base, "--token-file", token.to_str().expect("plain")];
    let mut standby = begin(&follow, &other);
    leader.until("/api/v1/leadership", "covered", |shown| shown["durability"] == "standby");
    standby.kill();
    for number in 0..3 {
        let (status, answer) = leader.ask("PUT", &format!("/api/v1/port-policies/p{number}"), &policy(number));
        assert!((200..300).contains(&status), "it goes on: {answer}");
    }
    leader.until("/api/v1/alarms", "old enough to be said", |alarms| alarms["items"].to_string().contains(" s ago"));
    of_process(&leader, folder.path(), "no usable standby")
}

#[test]
fn a_standby_that_is_away_is_told_with_how_far_it_is() {
    let screen = standby_out_of_step();
    assert!(screen.contains("start the standby") && screen.contains("changes are on one disk only"), "{screen}");
}

/// The manager's node is lost, and the backup that is restored has no keys.
fn restored_without_keys() -> String {
    let (old, new) = (new_folder(), new_folder());
    let service = Service::start(&old, &["--agents-listen", "127.0.0.1:0"]);
    let address = service.agents.clone().expect("it listens for agents");
    let token = join_token(&old, &service.url, "join.token");
    let _agents = agents(&old, &address, &token, &[]);
    wait_for("all are there", || (synced(&old, &service.url) == 32).then_some(()));
    let backup = old.path().join("fabric.backup");
    let backup = backup.to_str().expect("plain");
    done(&fabric(&old, &service.url, &["backup", backup, "--without-keys"]));
    drop(service);
    let state = new.path().join("manager");
    let mut restore = Command::new(env!("CARGO_BIN_EXE_philae-manager"));
    restore.args(["manager", "restore", backup, "--state"]).arg(&state);
    assert!(restore.output().expect("the program runs").status.success());
    let service = Service::start(&new, &["--agents-listen", &address]);
    // The saved tokens are valid; the new one is another.
    of_service(&new, &service, "refused")
}

#[test]
fn agents_that_a_restore_has_lost_are_told_with_the_way_back() {
    let screen = restored_without_keys();
    assert!(screen.contains("restore") && screen.contains("join"), "{screen}");
}

/// All screens, by their names in the page; `None` for a disk that cannot be made here.
pub fn screens() -> Vec<(&'static str, Option<String>)> {
    vec![
        ("ended certificate", Some(ended_certificate())),
        ("full disk", full_disk()),
        ("clock jump", Some(jumped_clock())),
        ("standby out of step", Some(standby_out_of_step())),
        ("restore without keys", Some(restored_without_keys())),
    ]
}

#[test]
fn troubles_of_the_manager_are_in_the_event_log_and_say_since_when() {
    let folder = new_folder();
    let mut manager = common::up("malbec", Some(folder.path()));
    let clock = |alarms: &Value| {
        alarms["items"].as_array().expect("a list").iter().find(|alarm| alarm["kind"] == "clock").cloned()
    };
    manager.clock = UnixClock::at(NOW + 3).beside(NOW + 7_203);
    manager.run();
    get(&mut manager, "/api/v1/alarms");
    manager.control_loop.advance(Duration::from_millis(1_200));
    let alarm = clock(&get(&mut manager, "/api/v1/alarms")).expect("it is told");
    assert!(alarm["sinceSeconds"].as_f64() >= Some(1.0), "{alarm}");
    assert!(alarm["next"].as_str().is_some_and(|next| next.contains("clock accept")), "{alarm}");
    manager.clock = UnixClock::at(NOW + 5);
    manager.control_loop.advance(Duration::from_millis(1_200));
    assert!(clock(&get(&mut manager, "/api/v1/alarms")).is_none());
    let found = common::eventually("both events of the clock", || {
        let events = get(&mut manager, "/api/v1/events?sinceSeconds=3600&types=alarm");
        let clock: Vec<bool> = events["items"]
            .as_array()?
            .iter()
            .filter(|event| event["kind"] == "clock")
            .filter_map(|event| event["raised"].as_bool())
            .collect();
        (clock.len() == 2).then_some(clock)
    });
    assert_eq!(found, [true, false], "it began, and it ended");
}
