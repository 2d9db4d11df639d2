//! Emergencies of an operator on call: a full disk, a restore to a new node, a clock that jumped,
//! files that other users read.

use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;

use crate::common;
use crate::common::new_folder;
use crate::process::{Process, policy};
use crate::programs::{Service, agents, ask, done, fabric, text, wait_for};
use philae_manager::UnixClock;
use serde_json::{Value, json};
use tempfile::TempDir;

fn synced(folder: &TempDir, url: &str) -> bool {
    let output = fabric(folder, url, &["status"]);
    text(&output.stdout).contains("32 of 32")
}

#[test]
fn a_restore_on_a_new_node_brings_agents_and_tokens_back() {
    let (old, new) = (new_folder(), new_folder());
    let service = Service::start(&old, &["--agents-listen", "127.0.0.1:0"]);
    let address = service.agents.clone().expect("it listens for agents");
    let join = old.path().join("join.token");
    let join = join.to_str().expect("plain");
    done(&fabric(&old, &service.url, &["certificates", "join", "--switches", "x*c*r*b*", join]));
    let first_agents = agents(&old, &address, Path::new(join), &[]);
    wait_for("all are there", || synced(&old, &service.url).then_some(()));
    let saved = Service::admin_token(&old);
    let backup = old.path().join("fabric.backup");
    let said = done(&fabric(&old, &service.url, &["backup", backup.to_str().expect("plain")]));
    assert!(said.contains("keep that in another place"), "{said}");
    let passphrase = old.path().join("fabric.backup.passphrase");
    let mode = |path: &Path| std::fs::metadata(path).expect("it is there").permissions().mode() & 0o777;
    assert_eq!((mode(&backup), mode(&passphrase)), (0o600, 0o600));
    let bytes = std::fs::read(&backup).expect("it is there");
    assert!(!String::from_utf8_lossy(&bytes).contains(&saved), "the token is sealed");
    // A backup of documents alone says that it is one.
    let plain = old.path().join("plain.backup");
    let said = done(&fabric(&old, &service.url, &["backup", plain.to_str().expect("plain"), "--without-keys"]));
    assert!(said.contains("WARNING"), "{said}");
    drop(service);

    let restore = |backup: &Path, state: &Path, more: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_philae-manager"));
        command.args(["manager", "restore"]).arg(backup).arg("--state").arg(state).args(more);
        command.output().expect("the program runs")
    };
    std::fs::rename(&passphrase, old.path().join("vault")).expect("kept elsewhere");
    let state = new.path().join("manager");
    let sealed = restore(&backup, &state, &[]);
    assert!(text(&sealed.stderr).contains("--passphrase-file"), "{}", text(&sealed.stderr));
    let wrong = restore(&backup, &state, &["--passphrase-file", join]);
    assert!(text(&wrong.stderr).contains("does not open it"), "{}", text(&wrong.stderr));
    let vault = old.path().join("vault");
    let right = restore(&backup, &state, &["--passphrase-file", vault.to_str().expect("plain")]);
    assert!(right.status.success() && text(&right.stderr).contains("remain valid"), "{}", text(&right.stderr));
    for file in ["store.redb", "ca/authority.json", "admin.token", "sessions.key"] {
        assert_eq!(mode(&state.join(file)), 0o600, "{file}");
    }
    assert_eq!((mode(&state), mode(&state.join("ca"))), (0o700, 0o700));
    let service = Service::start(&new, &["--agents-listen", &address]);
    wait_for("the same agents are there again", || synced(&new, &service.url).then_some(()));
    assert_eq!(Service::admin_token(&new), saved);
    drop(service);

    // Without keys: the earlier token is valid, another one has a name of its own, and agents say
    // why they are refused.
    let bare = new_folder();
    let said = restore(&plain, &bare.path().join("manager"), &[]);
    assert!(text(&said.stderr).contains("has to join anew"), "{}", text(&said.stderr));
    let service = Service::start(&bare, &["--agents-listen", &address]);
    let status = |token: &str| ask("GET", &format!("{}/api/v1/status", service.url), Some(token), &Value::Null).status;
    assert_eq!(status(&saved), 200, "its hash was not replaced");
    let own = Service::admin_token(&bare);
    assert_ne!(own, saved);
    assert_eq!(status(&own), 200);
    assert!(service.running.said().contains("admin-2"), "{}", service.running.said());
    first_agents.line_with("accepts these agents");
}

/// A disk of a few megabytes; `None` if this user cannot mount one.
pub struct Small(pub std::path::PathBuf);

impl Small {
    pub fn new(folder: &TempDir, size: &str) -> Option<Self> {
        let at = folder.path().join("small");
        std::fs::create_dir(&at).expect("there is room");
        let mounted =
            Command::new("mount").args(["-t", "tmpfs", "-o", &format!("size={size}"), "philae"]).arg(&at).output();
        if !mounted.is_ok_and(|output| output.status.success()) {
            println!("skipped: this user cannot mount a tmpfs");
            return None;
        }
        Some(Self(at))
    }
}

impl Drop for Small {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg("-l").arg(&self.0).output();
    }
}

#[test]
fn a_full_disk_is_an_alarm_and_a_manager_starts_on_it_and_reads() {
    let folder = new_folder();
    let Some(small) = Small::new(&folder, "8m") else { return };
    let state = small.0.join("state");
    let path = state.to_str().expect("plain");
    let arguments =
        ["manager", "serve", "--simulated", "--system", "malbec", "--listen", "127.0.0.1:0", "--state", path];
    let mut process = Process::start(&arguments, &state);
    // A rollout of firmware that is paused after its first switch.
    process.until("/api/v1/status", "synced", |status| status["switches"]["byState"]["synced"] == 32);
    let wanted = json!({ "spec": { "selector": "", "settings": { "firmware": "2.2.0" } } });
    assert!(process.ask("PUT", "/api/v1/switch-policies/firmware", &wanted).0 < 300);
    assert_eq!(process.ask("POST", "/api/v1/firmware/start", &json!({ "soakSeconds": 0 })).0, 200);
    assert_eq!(process.ask("POST", "/api/v1/firmware/pause", &Value::Null).0, 200);
    process.until("/api/v1/firmware", "nothing in work", |shown| {
        shown["rollout"]["working"] == json!([]) && shown["rollout"]["held"].is_null()
    });
    let fill = small.0.join("fill");
    let filled = std::fs::File::create(&fill).expect("a file");
    let mut acknowledged = 0;
    // There is no room for any new file.
    let block = vec![1_u8; 64 << 10];
    while std::io::Write::write(&mut &filled, &block).is_ok_and(|written| written > 0) {}
    let rule = |number: u64| json!({ "priority": 1 + number, "match": { "vlan": 1 + number }, "action": "deny" });
    let rules: Vec<Value> = (0..200).map(rule).collect();
    let body = json!({ "spec": { "rules": rules } });
    let refused = (0..2_000).find_map(|number| {
        let (status, answer) = process.ask("PUT", &format!("/api/v1/acls/a{number}"), &body);
        assert!(status == 507 || (200..300).contains(&status), "{status} {answer}");
        acknowledged += u64::from(status != 507);
        (status == 507).then_some(answer)
    });
    let refused = refused.expect("the disk is full at some time");
    assert_eq!(refused["code"], "store.failed", "{refused}");
    let check = |process: &Process, is_out: bool| {
        let (status, body) = process.client().send("GET", "/readyz", &Value::Null, &[]).expect("it answers");
        assert_eq!(status == 503, is_out, "{body}");
        let alarms = process.get("/api/v1/alarms?limit=1000");
        let disk = alarms["items"]
            .as_array()
            .expect("a list")
            .iter()
            .any(|alarm| alarm["kind"] == "disk" && (alarm["health"] == "UNHEALTHY"));
        assert_eq!(disk, is_out, "{alarms}");
        let metrics = process.get("/metrics");
        let metric = if is_out { "philae_disk_takes_changes 0" } else { "philae_disk_takes_changes 1" };
        assert!(metrics.as_str().is_some_and(|text| text.contains(metric)), "{metrics}");
    };
    check(&process, true);
    let shown = process.get("/api/v1/firmware");
    assert!(shown["rollout"]["held"].as_str().is_some_and(|held| held.contains("disk")), "{shown}");
    process.kill();
    let again = Process::start(&arguments, &state);
    let kept = |process: &Process| {
        let list = process.get("/api/v1/acls?limit=10000");
        list["items"].as_array().expect("a list").iter().filter(|item| item["stock"] == false).count() as u64
    };
    assert_eq!(kept(&again), acknowledged, "it starts, and everything that was acknowledged is there");
    check(&again, true);
    // It shows the rollout, whether or not it could begin to lead on a full disk.
    let shown = again.get("/api/v1/firmware");
    let standing = if shown["leads"] == true { &shown["rollout"]["held"] } else { &shown["standing"] };
    assert!(standing.as_str().is_some_and(|words| words.contains("disk")), "{shown}");
    assert_eq!(shown["rollout"]["state"], "paused", "{shown}");
    std::fs::remove_file(&fill).expect("it is there");
    drop(filled);
    again.until("/api/v1/leadership", "leading without a restart", |shown| shown["state"] == "leads");
    again.until("/api/v1/leadership", "taking changes", |shown| shown["disk"]["takesChanges"] == true);
    let (status, answer) = again.ask("PUT", "/api/v1/port-policies/after", &policy(1));
    assert!((200..300).contains(&status), "{answer}");
    again.until("/api/v1/status", "synced", |status| status["switches"]["byState"]["synced"] == 32);
}

#[test]
fn a_wall_clock_that_jumps_takes_no_vnis_from_running_jobs() {
    use common::{NOW, get, put, up};
    let mut manager = up("malbec", None);
    manager.clock = UnixClock::at(NOW);
    put(&mut manager, "/api/v1/vni-partitions/tenant", json!({ "vniRanges": ["10-100"] }));
    let port = manager.port_name(common::edges(&manager)[0]);
    let lease = json!({ "expiresAtSeconds": NOW + 3_600, "holder": "job 1" });
    let spec = json!({ "partition": "tenant", "vniRanges": ["10"], "edgePorts": [port], "lease": lease });
    put(&mut manager, "/api/v1/vni-blocks/job", spec);
    let blocks =
        |manager: &mut philae_manager::Manager| get(manager, "/api/v1/vni-blocks")["items"].as_array().map(Vec::len);
    let alarmed = |manager: &mut philae_manager::Manager| {
        get(manager, "/api/v1/alarms?limit=1000")["items"]
            .as_array()
            .expect("a list")
            .iter()
            .any(|alarm| alarm["kind"] == "clock")
    };
    // Two hours ahead for three seconds, and a day behind.
    for wall in [NOW + 7_200, NOW - 86_400] {
        manager.clock = UnixClock::at(NOW + 3).beside(wall);
        manager.run();
        assert_eq!(blocks(&mut manager), Some(1));
        assert!(alarmed(&mut manager));
        let clock = get(&mut manager, "/api/v1/clock");
        assert_eq!(
            (&clock["leasesEnd"], clock["jumpSeconds"].as_i64()),
            (&json!(false), Some(wall as i64 - NOW as i64 - 3))
        );
    }
    // While the time is uncertain, no lease ends, not even one that has by the steady clock.
    manager.clock = UnixClock::at(NOW + 4_000).beside(NOW);
    manager.run();
    assert_eq!(blocks(&mut manager), Some(1));
    manager.clock = UnixClock::at(NOW + 10);
    manager.run();
    assert!(!alarmed(&mut manager) && blocks(&mut manager) == Some(1));
    manager.clock = UnixClock::at(NOW + 10).beside(NOW + 3_700);
    common::ask(&mut manager, "POST", "/api/v1/clock/accept", json!({})).expect("an order");
    manager.run();
    assert_eq!(blocks(&mut manager), Some(0), "an operator says that it is right");
}

#[test]
fn state_and_store_are_their_owners_alone() {
    let folder = new_folder();
    let state = folder.path().join("manager");
    std::fs::create_dir(&state).expect("there is room");
    std::fs::set_permissions(&state, std::fs::Permissions::from_mode(0o755)).expect("it is ours");
    let service = Service::start(&folder, &["--simulated"]);
    let mode = |path: &Path| std::fs::metadata(path).expect("it is there").permissions().mode() & 0o777;
    assert_eq!(mode(&state), 0o700, "a directory that was there before");
    for entry in std::fs::read_dir(&state).expect("it is there").flatten() {
        let is_folder = entry.path().is_dir();
        assert_eq!(mode(&entry.path()), if is_folder { 0o700 } else { 0o600 }, "{}", entry.path().display());
    }
    drop(service);
}
