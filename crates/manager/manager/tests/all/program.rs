//! The program, through its sockets.

use crate::common::new_folder;
use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Output, Stdio};
use tempfile::TempDir;

struct Running(Child, TempDir);

impl Drop for Running {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// A manager of a simulated malbec, and its address.
fn serve() -> (Running, String) {
    let folder = new_folder();
    let mut child = Command::new(env!("CARGO_BIN_EXE_philae-manager"))
        .args(["manager", "serve", "--simulated", "--system", "malbec", "--listen", "127.0.0.1:0", "--state"])
        .arg(folder.path().join("state"))
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut line = String::new();
    BufReader::new(child.stderr.take().expect("it is piped")).read_line(&mut line).expect("it says where it listens");
    let address = line.split_whitespace().find_map(|word| word.strip_prefix("http://")).expect("an address");
    let base = format!("http://{}", address.trim_end_matches(';'));
    (Running(child, folder), base)
}

fn fabric(base: &str, arguments: &[&str]) -> Output {
    let program = env!("CARGO_BIN_EXE_philae-manager");
    Command::new(program).arg("fabric").arg("--manager").arg(base).args(arguments).output().expect("the program runs")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn an_operator_asks_and_orders() {
    let (_running, base) = serve();
    let status = fabric(base.trim_start_matches("http://"), &["status"]);
    assert!(status.status.success(), "an address without a scheme: {}", text(&status.stderr));
    assert!(text(&status.stdout).contains("32 of 32 fully synchronised"), "{}", text(&status.stdout));
    let links = fabric(&base, &["show", "links", "--limit", "1", "-o", "json"]);
    let links: serde_json::Value = serde_json::from_slice(&links.stdout).expect("JSON");
    let link = links["items"][0]["name"].as_str().expect("a name").to_owned();
    let cut = fabric(&base, &["do", &format!("simulation/links/{link}"), "cut"]);
    assert!(cut.status.success(), "{}", text(&cut.stderr));
    let status = text(&fabric(&base, &["status"]).stdout);
    assert!(status.contains(&link) && status.contains("1 alarm:"), "{status}");
    assert!(fabric(&base, &["set", "hold_down_ms=0", "flaps_isolate=10"]).status.success());
}

#[test]
fn mistakes_are_told_with_exit_code_2() {
    let (_running, base) = serve();
    for (arguments, hint) in [
        (&["show", "swiches"][..], "switches,"),
        (&["set", "heartbeat=5"], "heartbeat_ms"),
        (&["set", "heartbeat_ms=soon"], "a whole number"),
        (&["set", "hold_down_ms=5s"], "hold_down_ms=5000"),
        (&["do", "links/x1000c0r1a0l16", "relase"], "release"),
        (&["do", "simulation/links/x1000c0r1a0l16", "mind"], "mend"),
        (&["do", "simulation/switches/x1000c0r1b0", "of"], "firmware/HOW"),
        (&["do", "simulation/switches/x1000c0r1b0", "firmware/nothing"], "claims"),
        (&["what-if", "nothing"], "neither an xname nor a label"),
        (&["do", "links/x1c0r0a0l0", "drain"], "x1c0r0a0l0"),
        (&["explain", "x9999c0r1b0"], "has no switch x9999c0r1b0; x1000c0r1b0, for one, would work"),
        (&["explain", "x9999c0s0b0n0h0"], "has no NIC x9999c0s0b0n0h0; x1000c0s0b0n0h0, for one, would work"),
        (&["explain", "nosuch"], "neither an xname nor a label there; x1000c0r1b0, for one, would work"),
    ] {
        let output = fabric(&base, arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {}", text(&output.stderr));
        assert!(text(&output.stderr).contains(hint), "{arguments:?}: {}", text(&output.stderr));
    }
    let nobody = fabric("http://127.0.0.1:9", &["status"]);
    assert_eq!(nobody.status.code(), Some(2));
    assert!(text(&nobody.stderr).contains("is a manager running there"), "{}", text(&nobody.stderr));
}

#[test]
fn what_would_be_lost_is_said_and_a_drain_that_cuts_off_asks_for_force() {
    let (_running, base) = serve();
    let switches = fabric(&base, &["show", "switches", "-o", "json", "--limit", "1"]);
    let switches: serde_json::Value = serde_json::from_slice(&switches.stdout).expect("JSON");
    let switch = switches["items"][0]["name"].as_str().expect("a name");
    let cost = fabric(&base, &["what-if", "--switch", switch, "-o", "json"]);
    let cost: serde_json::Value = serde_json::from_slice(&cost.stdout).expect("JSON");
    assert_eq!(cost["proven"], true);
    let by_name = fabric(&base, &["what-if", switch, "-o", "json"]);
    let by_name: serde_json::Value = serde_json::from_slice(&by_name.stdout).expect("JSON");
    assert_eq!(by_name["after"], cost["after"], "a name alone is found");
    assert_eq!(cost["after"]["unreachablePairs"], 0, "the others reach each other: {cost}");
    assert!(cost["after"]["nicsCutOff"].as_u64() > Some(0));
    assert!(cost["after"]["links"].as_u64() < cost["before"]["links"].as_u64());
    let status = text(&fabric(&base, &["status"]).stdout);
    assert!(status.contains("No alarms."), "nothing has changed: {status}");
    let refused = fabric(&base, &["drain", switch]);
    assert_eq!(refused.status.code(), Some(2), "its NICs would be cut off: {}", text_of(&refused));
    assert!(text(&refused.stderr).contains("NICs be cut off"), "{}", text_of(&refused));
    let before = generation(&base);
    let forced = fabric(&base, &["drain", "--force", &format!("switches/{switch}")]);
    assert!(forced.status.success(), "{}", text_of(&forced));
    assert_eq!(generation(&base), before + 1, "one order, one change of tables");
    let drained = text(&fabric(&base, &["status"]).stdout);
    assert!(drained.contains("No alarms.") && drained.contains("1 switch with all links out of service"), "{drained}");
    assert!(drained.contains("more on purpose"), "{drained}");
    assert_eq!(fabric(&base, &["status", "--check"]).status.code(), Some(0), "planned work is no failure: {drained}");
    assert!(fabric(&base, &["restore", switch]).status.success());
    let whole = text(&fabric(&base, &["status"]).stdout);
    assert!(!whole.contains("Planned"), "{whole}");
    let events = text(&fabric(&base, &["events", "--since", "1h"]).stdout);
    assert!(events.contains(&format!("switches/{switch}/drain")) && events.contains("more such"), "{events}");
}

fn generation(base: &str) -> u64 {
    let status = fabric(base, &["status", "-o", "json"]);
    let status: serde_json::Value = serde_json::from_slice(&status.stdout).expect("JSON");
    status["routes"]["generation"].as_u64().expect("a number")
}

#[test]
fn status_and_explain_answer_by_their_exit_codes() {
    let (_running, base) = serve();
    assert_eq!(fabric(&base, &["status", "--check"]).status.code(), Some(0));
    let nics = fabric(&base, &["show", "nics", "-o", "json", "--limit", "100000"]);
    let nics: serde_json::Value = serde_json::from_slice(&nics.stdout).expect("JSON");
    let nics = nics["items"].as_array().expect("a list");
    let (first, last) = (&nics[0], &nics[nics.len() - 1]);
    let text_at = |nic: &serde_json::Value, key: &str| nic[key].as_str().expect("a name").to_owned();
    let ways = ["explain", &text_at(first, "name"), &text_at(last, "name")];
    assert_eq!(fabric(&base, &ways).status.code(), Some(0));
    let switch = text_at(last, "switch");
    assert!(fabric(&base, &["do", &format!("simulation/switches/{switch}"), "off"]).status.success());
    let status = fabric(&base, &["status", "--check"]);
    assert_eq!(status.status.code(), Some(5), "{}", text_of(&status));
    assert_eq!(fabric(&base, &["status"]).status.code(), Some(0), "without --check it is always 0");
    let none = fabric(&base, &ways);
    assert_eq!(none.status.code(), Some(1), "{}", text_of(&none));
    let said = text(&none.stdout).split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(said.starts_with("from ") && said.contains("NO WAY: ends at "), "{said}");
    assert!(said.contains(&format!("because {switch} is unreachable")), "{said}");
    for screen in [&["status"][..], &["explain", &switch], &["show", "nics", "-q", "state=off"], &["show", "alarms"]] {
        let shown = text(&fabric(&base, screen).stdout);
        assert!(shown.lines().all(|line| line.chars().count() <= 80), "{screen:?}: {shown}");
    }
}

#[test]
fn a_reader_that_goes_away_ends_lists_quietly() {
    use std::os::unix::process::ExitStatusExt;
    let (_running, base) = serve();
    for arguments in [&["show", "links"][..], &["show", "ports"], &["status"], &["export", "--all"], &["events"]] {
        let (reader, writer) = std::io::pipe().expect("a pipe");
        drop(reader);
        let program = env!("CARGO_BIN_EXE_philae-manager");
        let mut command = Command::new(program);
        command.args(["fabric", "--manager", &base]).args(arguments).stdout(writer).stderr(Stdio::piped());
        let output = command.output().expect("the program runs");
        assert_eq!(output.status.signal(), Some(13), "{arguments:?}: {}", text(&output.stderr));
        assert_eq!(text(&output.stderr), "", "{arguments:?}");
    }
}

#[test]
fn an_address_that_others_reach_is_refused() {
    let output = Command::new(env!("CARGO_BIN_EXE_philae-manager"))
        .args(["manager", "serve", "--simulated", "--system", "malbec", "--listen", "0.0.0.0:0"])
        .output()
        .expect("the program runs");
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("127.0.0.1:8000"), "{}", text(&output.stderr));
}

#[test]
fn documents_are_applied_from_a_file() {
    let (running, base) = serve();
    let file = running.1.path().join("fabric.yaml");
    let policy = "kind: port-policy\nname: no-autoneg\nspec:\n  selector: role=global\n  priority: 3\n  settings:\n    autoneg: false\n";
    std::fs::write(&file, policy).expect("there is room");
    let path = file.to_str().expect("plain");
    let dry = fabric(&base, &["apply", path, "--dry-run"]);
    assert!(text_of(&dry).contains("would reach 192 ports"), "{}", text_of(&dry));
    assert!(text_of(&fabric(&base, &["apply", path])).contains("reaches 192 ports"));
    assert!(text_of(&fabric(&base, &["show", "port-policies/no-autoneg"])).contains("role=global"));
    assert_eq!(fabric(&base, &["diff", path]).status.code(), Some(0));
    let exported = text(&fabric(&base, &["export"]).stdout);
    assert!(exported.contains("name: no-autoneg"), "{exported}");
    assert!(fabric(&base, &["delete", "port-policies", "no-autoneg"]).status.success());
    let diff = fabric(&base, &["diff", path]);
    assert_eq!(diff.status.code(), Some(1), "{}", text_of(&diff));
    assert!(text(&diff.stdout).contains("+ /spec/settings/autoneg: false"), "{}", text_of(&diff));
    std::fs::write(&file, &exported).expect("there is room");
    assert!(text_of(&fabric(&base, &["apply", path])).contains("reaches 192 ports"), "what was exported is applied");
    std::fs::write(&file, "kind: port-policy\nname: x\nspce: {}\n").expect("there is room");
    let wrong = fabric(&base, &["apply", path]);
    assert_eq!(wrong.status.code(), Some(2));
    assert!(text(&wrong.stderr).contains("spec"), "{}", text(&wrong.stderr));
}

fn text_of(output: &Output) -> String {
    text(&output.stdout) + &text(&output.stderr)
}

#[test]
fn what_was_changed_is_seen_undone_and_saved() {
    let (running, base) = serve();
    let file = running.1.path().join("fabric.policies.yaml");
    let path = file.to_str().expect("plain");
    let policy = |autoneg: bool| {
        format!(
            "kind: port-policy\nname: mine\nspec:\n  selector: role=global\n  priority: 3\n  settings:\n    autoneg: {autoneg}\n"
        )
    };
    for autoneg in [false, true] {
        std::fs::write(&file, policy(autoneg)).expect("there is room");
        assert!(fabric(&base, &["apply", path]).status.success());
    }
    let history = text(&fabric(&base, &["history", "port-policies", "mine"]).stdout);
    assert!(history.contains("created by") && history.contains("+ /spec/settings/autoneg: true"), "{history}");
    let past = fabric(&base, &["history", "port-policies", "mine", "-o", "json"]);
    let past: serde_json::Value = serde_json::from_slice(&past.stdout).expect("JSON");
    let first = past["items"][1]["revision"].to_string();
    let changes = text(&fabric(&base, &["changes", &first]).stdout);
    assert!(changes.contains("- /spec/settings/autoneg: false"), "{changes}");
    assert!(text(&fabric(&base, &["rollback", &first, "--dry-run"]).stdout).contains("would reach"));
    assert!(fabric(&base, &["rollback", &first]).status.success());
    let now = text(&fabric(&base, &["show", "port-policies/mine", "-o", "json"]).stdout);
    assert!(now.contains("\"autoneg\": false"), "{now}");
    let audit = text(&fabric(&base, &["audit", "-q", "kind=port-policies"]).stdout);
    assert_eq!(audit.matches("port-policy mine").count(), 3, "{audit}");
    let backup = running.1.path().join("fabric.backup");
    let saved = fabric(&base, &["backup", backup.to_str().expect("plain")]);
    assert!(saved.status.success(), "{}", text_of(&saved));
    let again = fabric(&base, &["backup", backup.to_str().expect("plain")]);
    assert!(!again.status.success(), "a backup is not written over");
    let bundle = running.1.path().join("fabric.tar");
    let written = fabric(&base, &["support", bundle.to_str().expect("plain")]);
    assert!(text(&written.stdout).contains("0 of them refusals"), "{}{}", text(&written.stdout), text(&written.stderr));
    let mut archive = tar::Archive::new(std::fs::File::open(&bundle).expect("it was written"));
    let names: Vec<String> = archive
        .entries()
        .expect("a tar file")
        .map(|entry| entry.expect("whole").path().expect("a name").display().to_string())
        .collect();
    assert!(names.contains(&"philae-support/status.json".to_owned()) && names.len() == 17, "{names:?}");
    let state = running.1.path().join("fabric.restored");
    let restored = Command::new(env!("CARGO_BIN_EXE_philae-manager"))
        .args(["manager", "restore", backup.to_str().expect("plain"), "--state"])
        .arg(&state)
        .output()
        .expect("the program runs");
    assert!(restored.status.success(), "{}", text_of(&restored));
}
