//! A rollout of firmware as an operator on call sees it: what is planned, what it waits for, what
//! failed, who gives orders, and what to do next.

use std::time::Duration;

use philae_agent::UpgradeFault;
use philae_manager::{Manager, UnixClock};
use philae_manager_api::status_screen;
use philae_units::SwitchId;
use serde_json::{Value, json};

use crate::common::new_folder;
use crate::common::{NOW, ask, get, put, refused};
use crate::firmware::{Seen, assert_whole, fault, is, out, post, quick, rollout, running, start, until, want};

/// A malbec whose switches upgrade immediately and take long to restart.
fn slow_to_start() -> Manager {
    let mut manager = quick("malbec");
    manager.control_loop.fabric_mut().expect("it is simulated").set_upgrade_times(Some(10), Some(400));
    want(&mut manager, "2.2.0");
    manager
}

fn metric(manager: &mut Manager, name: &str) -> String {
    let page = get(manager, "/metrics");
    let page = page.as_str().expect("text");
    let line = page.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
    line.unwrap_or_else(|| panic!("{name}: {page}")).to_owned()
}

fn is_away(manager: &mut Manager) -> bool {
    let away = get(manager, "/api/v1/status")["reach"]["deadPlanned"] == 1;
    away && rollout(manager)["working"].to_string().contains("restarting for an upgrade (planned)")
}

#[test]
fn a_switch_that_restarts_for_an_upgrade_is_planned_and_not_dead() {
    let mut manager = slow_to_start();
    let switch = SwitchId(0);
    let name = manager.switch_name(switch);
    start(&mut manager, json!({ "soakSeconds": 0 }));
    until(&mut manager, &mut Seen::default(), is_away);
    let status = get(&mut manager, "/api/v1/status");
    assert_eq!(
        (&status["reach"]["deadSwitches"], &status["health"]["traffic"]["word"]),
        (&json!(0), &json!("HEALTHY"))
    );
    assert_eq!(status["health"]["runtime"]["word"], "HEALTHY", "{status}");
    assert_eq!(status["word"], "CONVERGING", "{status}");
    assert_eq!(metric(&mut manager, "philae_switches_dead"), "0");
    assert_eq!(metric(&mut manager, "philae_switches_dead_planned"), "1");
    let planned = status["planned"].as_array().expect("a list");
    assert_eq!(planned.len(), 1, "one line for the rollout, none for maintenance or links: {status}");
    assert_eq!((&planned[0]["kind"], &planned[0]["nics"]), (&json!("firmware"), &json!(16)), "{status}");
    assert!(planned[0]["detail"].to_string().contains("restarting for an upgrade (planned)"), "{status}");
    assert_eq!(get(&mut manager, "/api/v1/alarms")["total"], 0);
    let explained = get(&mut manager, &format!("/api/v1/explain/switch/{name}"))["answer"].clone();
    let headline = explained["headline"].as_str().expect("text");
    assert!(headline.contains("RESTARTING FOR AN UPGRADE") && !headline.contains("DEAD"), "{explained}");
    assert_eq!(explained["next"], "philae fabric firmware status", "{explained}");

    // One that does not return within the limit is dead.
    let mut manager = slow_to_start();
    fault(&mut manager, switch, UpgradeFault::Dies);
    start(&mut manager, json!({ "soakSeconds": 0, "timeoutSeconds": 1 }));
    until(&mut manager, &mut Seen::default(), is("halted"));
    let status = get(&mut manager, "/api/v1/status");
    let reach = &status["reach"];
    assert_eq!((&reach["deadSwitches"], &reach["deadPlanned"]), (&json!(1), &json!(0)), "{status}");
    assert_eq!(status["health"]["traffic"]["word"], "UNHEALTHY", "its NICs have no path: {status}");
    assert_eq!(metric(&mut manager, "philae_switches_dead"), "1");
}

/// Two switches, one link between them, two nodes at each.
pub const PAIR: &str = r#"
name = "pair"
summary = "Two switches with one link"
switch = "rosetta"
nic = "cassini-1"
congestion = "slingshot"

[graph]
switches = 2
links = [{ between = [0, 1] }]
endpoints = [{ switch = 0 }, { switch = 0 }, { switch = 1 }, { switch = 1 }]
edge = { medium = "copper", length_m = 2.0, rate_gbps = 200 }
link = { medium = "copper", length_m = 2.5, rate_gbps = 200 }
"#;

#[test]
fn nics_of_other_switches_are_cut_off_only_by_force_and_said() {
    let folder = new_folder();
    std::fs::create_dir_all(folder.path()).expect("a folder");
    let system = folder.path().join("pair.toml");
    std::fs::write(&system, PAIR).expect("it can be written");
    let mut manager = quick(system.to_str().expect("plain"));
    want(&mut manager, "2.2.0");
    let dry = post(&mut manager, "/api/v1/firmware/start?dryRun=true", json!({ "perGroup": 2 }))["dryRun"].clone();
    assert_eq!(dry["begin"], json!([]), "{dry}");
    let reason = dry["waits"][0]["reason"].as_str().expect("text");
    assert!(reason.contains("2 NICs of other switches are cut off; --force takes it"), "{reason}");
    let forced = json!({ "perGroup": 2, "force": true, "soakSeconds": 0 });
    let dry = post(&mut manager, "/api/v1/firmware/start?dryRun=true", forced.clone())["dryRun"].clone();
    assert_eq!((&dry["begin"][0]["nics"], &dry["begin"][0]["nodesCutOff"]), (&json!(2), &json!(2)), "{dry}");
    start(&mut manager, forced);
    let all_off = |manager: &mut Manager| get(manager, "/api/v1/status")["nics"]["plannedOff"] == 4;
    until(&mut manager, &mut Seen::default(), all_off);
    let status = get(&mut manager, "/api/v1/status");
    assert_ne!(status["word"], "HEALTHY", "no NIC is on the fabric: {status}");
    let row = status["planned"].as_array().expect("a list").iter().find(|row| row["kind"] == "firmware");
    assert_eq!(row.map(|row| &row["nics"]), Some(&json!(4)), "{status}");
    until(&mut manager, &mut Seen::default(), is("done"));
    assert_eq!(running(&mut manager, "2.2.0"), 2);
    assert_whole(&mut manager);
}

#[test]
fn a_switch_whose_nics_are_leased_to_a_job_waits_for_its_end_or_for_force() {
    let mut manager = quick("malbec");
    want(&mut manager, "2.2.0");
    let (busy, idle) = (SwitchId(0), SwitchId(1));
    let (name, other) = (manager.switch_name(busy), manager.switch_name(idle));
    let port = manager.control_loop.control.edge_ports(busy).next().expect("it has NICs");
    let port = manager.port_name(port);
    put(&mut manager, "/api/v1/vni-partitions/jobs", json!({ "vniRanges": ["10-100"], "edgePorts": [port.clone()] }));
    let block = json!({ "partition": "jobs", "vniRanges": ["10"], "edgePorts": [port] });
    put(&mut manager, "/api/v1/vni-blocks/job-7", block);
    manager.run();
    let plan = json!({ "selector": format!("name={name}"), "soakSeconds": 0 });
    let dry = post(&mut manager, "/api/v1/firmware/start?dryRun=true", plan.clone())["dryRun"].clone();
    assert_eq!(dry["begin"], json!([]), "{dry}");
    let reason = dry["waits"][0]["reason"].as_str().expect("text");
    assert!(reason.contains("vni-block 'job-7' to end") && reason.contains("--force takes it"), "{reason}");
    let mut forced = plan.clone();
    forced["force"] = json!(true);
    let dry = post(&mut manager, "/api/v1/firmware/start?dryRun=true", forced)["dryRun"].clone();
    assert_eq!(dry["begin"][0]["switch"], name, "{dry}");
    let free = json!({ "selector": format!("name={other}") });
    let dry = post(&mut manager, "/api/v1/firmware/start?dryRun=true", free)["dryRun"].clone();
    assert_eq!(dry["begin"][0]["switch"], other, "NICs that no job has are no reason to wait: {dry}");
    assert_eq!((&dry["begin"][0]["nics"], &dry["begin"][0]["nodesCutOff"]), (&json!(16), &json!(16)), "{dry}");
    start(&mut manager, plan);
    for _ in 0..20 {
        manager.run();
        manager.tick_firmware();
        manager.control_loop.advance(Duration::from_millis(2));
    }
    assert!(out(&manager).is_empty() && rollout(&mut manager)["state"] == "running");
    let listed = get(&mut manager, "/api/v1/firmware/switches?state=differs&limit=1");
    assert!(listed["items"][0]["cause"].to_string().contains("it waits for vni-block 'job-7'"), "{listed}");
    ask(&mut manager, "DELETE", "/api/v1/vni-blocks/job-7", Value::Null).expect("it is there");
    until(&mut manager, &mut Seen::default(), is("done"));
    assert_eq!(running(&mut manager, "2.2.0"), 1);
}

#[test]
fn what_switches_wait_for_is_said_as_it_is_now() {
    let mut manager = slow_to_start();
    let name = manager.switch_name(SwitchId(0));
    start(&mut manager, json!({ "soakSeconds": 0, "atOnce": 4 }));
    until(&mut manager, &mut Seen::default(), is_away);
    let shown = rollout(&mut manager);
    let reason = shown["waits"][0]["reason"].as_str().expect("text");
    let wanted = format!("the end of wave 1 ({name} is restarting for an upgrade (planned)): the first switch with");
    assert!(reason.starts_with(&wanted), "{shown}");
    assert_eq!(shown["waits"][0]["switches"], 31, "{shown}");
    // The last switch of a later wave: the others do not wait for the limit of four.
    until(&mut manager, &mut Seen::default(), |manager| {
        rollout(manager)["working"].as_array().map(Vec::len) == Some(4)
    });
    let slow = SwitchId(8);
    fault(&mut manager, slow, UpgradeFault::Dies);
    until(&mut manager, &mut Seen::default(), |manager| {
        let shown = rollout(manager);
        let reasons = shown["waits"].to_string();
        assert!(!reasons.contains("\"at most"), "said without the wave: {shown}");
        reasons.contains("the end of wave 2") && shown["working"].as_array().is_some_and(|work| work.len() < 4)
    });
}

#[test]
fn counts_are_those_of_the_rollout_and_the_alarm_names_all_that_failed() {
    let mut manager = quick("malbec");
    want(&mut manager, "2.2.0");
    let liars = [SwitchId(0), SwitchId(8)];
    for liar in liars {
        fault(&mut manager, liar, UpgradeFault::Claims);
    }
    start(&mut manager, json!({ "soakSeconds": 0, "failuresMax": 2 }));
    until(&mut manager, &mut Seen::default(), is("halted"));
    let alarms = get(&mut manager, "/api/v1/alarms");
    let alarm = &alarms["items"][0];
    assert_eq!((&alarm["count"], &alarm["nics"]), (&json!(2), &json!(32)), "{alarms}");
    assert_eq!(alarm["nodes"].as_array().map(Vec::len), Some(32), "{alarms}");
    let detail = alarm["detail"].as_str().expect("text");
    assert!(detail.contains("links of 2 switches stay drained, 32 NICs cut off"), "{detail}");
    post(&mut manager, "/api/v1/firmware/abort", Value::Null);
    // A rollout of another group: its counts are its own.
    start(&mut manager, json!({ "soakSeconds": 0, "selector": "group=3", "atOnce": 2, "perGroup": 2 }));
    until(&mut manager, &mut Seen::default(), is("done"));
    let done = rollout(&mut manager);
    assert_eq!((&done["total"], &done["done"], &done["upgraded"]), (&json!(8), &json!(8), &json!(8)), "{done}");
    let why = done["why"].as_str().expect("text");
    assert!(why.starts_with("8 switches upgraded, 0 failed; 2 switches of earlier rollouts"), "{why}");
    assert_eq!(done["failed"][0]["rollout"], 1, "{done}");
    let detail = get(&mut manager, "/api/v1/alarms")["items"][0]["detail"].to_string();
    assert!(!detail.contains("wave 0") && !detail.contains(" left"), "none of its own is left: {detail}");
}

#[test]
fn orders_of_a_rollout_name_it_and_who_started_it() {
    let mut manager = slow_to_start();
    let name = manager.switch_name(SwitchId(0));
    start(&mut manager, json!({ "soakSeconds": 0, "selector": format!("name={name}") }));
    until(&mut manager, &mut Seen::default(), is_away);
    let by = "firmware rollout 1, started by";
    let links = get(&mut manager, "/api/v1/links?state=not-carrying");
    let link = links["items"][0].clone();
    assert!(link["cause"].as_str().is_some_and(|cause| cause.starts_with(&format!("drained by {by}"))), "{links}");
    let explained = get(&mut manager, &format!("/api/v1/explain/port/{}", link["name"].as_str().expect("text")));
    assert!(!explained.to_string().contains("operator"), "{explained}");
    until(&mut manager, &mut Seen::default(), is("done"));
    let events = get(&mut manager, "/api/v1/events?types=device,link,firmware");
    let words: Vec<&str> =
        events["items"].as_array().expect("a list").iter().filter_map(|event| event["words"].as_str()).collect();
    let all = words.join("\n");
    assert!(!all.contains("operator"), "{all}");
    for part in
        ["is maintenance: by order of", "carries no traffic: drained by", "restarting for an upgrade (planned), by"]
    {
        assert!(words.iter().any(|words| words.contains(part) && words.contains(by)), "{part}: {all}");
    }
    // An operator's order still counts as the operator's.
    post(&mut manager, &format!("/api/v1/switches/{name}/drain?force=true"), Value::Null);
    manager.run();
    let events = get(&mut manager, "/api/v1/events?types=link").to_string();
    assert!(events.contains("drained by an operator"), "{events}");
}

#[test]
fn failed_switches_are_tried_again_at_any_time() {
    let bad = SwitchId(1);
    let failed = |manager: &mut Manager| rollout(manager)["failed"] != json!([]);
    let retry = json!({ "retry": true });
    // While it runs.
    let mut manager = quick("malbec");
    want(&mut manager, "2.2.0");
    fault(&mut manager, bad, UpgradeFault::Stays);
    let none = {
        start(&mut manager, json!({ "soakSeconds": 0, "failuresMax": 9 }));
        refused(&mut manager, "POST", "/api/v1/firmware/resume", retry.clone())
    };
    assert!(none.status == 409 && none.detail.contains("nothing to retry"), "{none:?}");
    until(&mut manager, &mut Seen::default(), failed);
    fault(&mut manager, bad, UpgradeFault::None);
    let again = post(&mut manager, "/api/v1/firmware/resume", retry.clone())["rollout"].clone();
    assert_eq!(again["state"], "running", "{again}");
    assert!(again["why"].to_string().contains("1 switch failed, to be retried"), "{again}");
    until(&mut manager, &mut Seen::default(), is("done"));
    assert_eq!((running(&mut manager, "2.2.0"), &rollout(&mut manager)["number"]), (32, &json!(1)));
    assert_whole(&mut manager);
    // Paused, and done.
    for pauses in [true, false] {
        let mut manager = quick("malbec");
        want(&mut manager, "2.2.0");
        // One that stays drained blocks its group, so that the rollout is not done without it.
        fault(&mut manager, bad, if pauses { UpgradeFault::Claims } else { UpgradeFault::Stays });
        start(&mut manager, json!({ "soakSeconds": 0, "failuresMax": 9, "atOnce": 4 }));
        until(&mut manager, &mut Seen::default(), failed);
        if pauses {
            post(&mut manager, "/api/v1/firmware/pause", Value::Null);
        } else {
            until(&mut manager, &mut Seen::default(), is("done"));
            assert!(rollout(&mut manager)["next"].to_string().contains("resume --retry"));
        }
        fault(&mut manager, bad, UpgradeFault::None);
        post(&mut manager, "/api/v1/firmware/resume", retry.clone());
        until(&mut manager, &mut Seen::default(), is("done"));
        assert_eq!(running(&mut manager, "2.2.0"), 32);
        assert_whole(&mut manager);
        assert_eq!(get(&mut manager, "/api/v1/status")["word"], "HEALTHY");
    }
}

#[test]
fn a_rollout_that_waits_too_long_is_an_alarm_that_says_for_what() {
    let mut manager = quick("malbec");
    want(&mut manager, "2.2.0");
    let window = json!({ "selector": "", "startsAtSeconds": NOW + 1_000, "endsAtSeconds": NOW + 2_000 });
    put(&mut manager, "/api/v1/maintenance-windows/later", window);
    start(&mut manager, json!({ "soakSeconds": 0, "alarmSeconds": 1 }));
    assert_eq!(get(&mut manager, "/api/v1/alarms")["total"], 0, "not at once");
    until(&mut manager, &mut Seen::default(), |manager| get(manager, "/api/v1/alarms")["total"] == 1);
    let alarms = get(&mut manager, "/api/v1/alarms");
    let alarm = &alarms["items"][0];
    let detail = alarm["detail"].as_str().expect("text");
    assert!(alarm["kind"] == "firmware" && detail.contains("firmware rollout 1 makes no progress for"), "{alarms}");
    assert!(detail.contains("32 switches wait for: maintenance-window 'later' is not open"), "{detail}");
    assert!(alarm["sinceSeconds"].as_f64().is_some_and(|since| since >= 1.0), "{alarms}");
    let status = get(&mut manager, "/api/v1/status");
    let causes = status["health"]["configuration"]["causes"].to_string();
    assert!(causes.contains("the firmware rollout makes no progress"), "{status}");
    assert_eq!(metric(&mut manager, "philae_firmware_stuck"), "1");
    // Troubles are checked once a second.
    until(&mut manager, &mut Seen::default(), |manager| {
        get(manager, "/api/v1/alarms");
        get(manager, "/api/v1/events?types=alarm").to_string().contains("makes no progress")
    });
    manager.clock = UnixClock::at(NOW + 1_500);
    until(&mut manager, &mut Seen::default(), is("done"));
    assert_eq!(get(&mut manager, "/api/v1/alarms")["total"], 0);
    assert_eq!(metric(&mut manager, "philae_firmware_stuck"), "0");
}

#[test]
fn advice_fits_the_state_of_the_rollout() {
    let mut manager = quick("malbec");
    want(&mut manager, "2.2.0");
    start(&mut manager, json!({ "soakSeconds": 0 }));
    let again = refused(&mut manager, "POST", "/api/v1/firmware/start", json!({}));
    assert!(!again.detail.contains("resume") && again.detail.contains("firmware abort"), "{again:?}");
    let dry = post(&mut manager, "/api/v1/firmware/start?dryRun=true", json!({}))["dryRun"].clone();
    assert!(dry["current"].to_string().contains("firmware rollout 1 is running"), "{dry}");
    fault(&mut manager, SwitchId(1), UpgradeFault::Stays);
    until(&mut manager, &mut Seen::default(), is("halted"));
    let dry = post(&mut manager, "/api/v1/firmware/start?dryRun=true", json!({}))["dryRun"].clone();
    assert!(dry["current"].to_string().contains("firmware rollout 1 is halted"), "{dry}");
    assert_eq!((&dry["differ"], dry["begin"].as_array().map(Vec::len)), (&json!(31), Some(1)), "{dry}");
    let again = refused(&mut manager, "POST", "/api/v1/firmware/start", json!({}));
    assert!(again.detail.contains("resume --retry"), "{again:?}");
    // No version is desired any more: the rollout is not done, and that does not make it healthy.
    post(&mut manager, "/api/v1/firmware/resume", Value::Null);
    ask(&mut manager, "DELETE", "/api/v1/switch-policies/firmware", Value::Null).expect("it is there");
    until(&mut manager, &mut Seen::default(), is("aborted"));
    let why = rollout(&mut manager)["why"].clone();
    assert!(why.to_string().contains("no document sets the firmware"), "{why}");
    let body = json!({ "spec": { "settings": { "firmware": 9.0 } } });
    let wrong = format!("{:?}", refused(&mut manager, "PUT", "/api/v1/switch-policies/firmware", body));
    assert!(wrong.contains("in quotes") && wrong.contains("9.0"), "{wrong}");
}

#[test]
fn versions_are_listed_in_the_order_of_their_numbers() {
    let mut manager = quick("malbec");
    for (group, version) in [(0, "2.10.0"), (1, "2.9.0"), (2, "10.0.0")] {
        let spec = json!({ "selector": format!("group={group}"), "settings": { "firmware": version } });
        put(&mut manager, &format!("/api/v1/switch-policies/firmware-{group}"), spec);
    }
    manager.run();
    let wanted = get(&mut manager, "/api/v1/firmware")["wanted"].clone();
    let versions: Vec<&Value> = wanted.as_array().expect("a list").iter().map(|of| &of["version"]).collect();
    assert_eq!(versions, ["2.9.0", "2.10.0", "10.0.0"]);
    let (status, alarms) = (get(&mut manager, "/api/v1/status"), get(&mut manager, "/api/v1/alarms"));
    let screen = status_screen(&status, &alarms, false);
    assert!(screen.lines().all(|line| line.chars().count() <= 80), "{screen}");
}
