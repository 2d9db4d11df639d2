//! Rollouts of firmware on simulated switches that upgrade, fail and lie.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use philae_agent::UpgradeFault;
use philae_manager::{Manager, UnixClock, load, simulated_switches};
use philae_manager_api::status_screen;
use philae_manager_core::ControlSettings;
use philae_units::SwitchId;
use serde_json::{Value, json};

use crate::common::new_folder;
use crate::common::{NOW, ask, assert_all_hold_what_is_wanted, get, manager, put, refused};

pub fn want(manager: &mut Manager, version: &str) {
    let spec = json!({ "selector": "", "settings": { "firmware": version } });
    put(manager, "/api/v1/switch-policies/firmware", spec);
    manager.run();
}

/// A manager of a system whose simulated switches upgrade within milliseconds.
pub fn quick(system: &str) -> Manager {
    let mut manager = manager(system);
    manager.control_loop.fabric_mut().expect("it is simulated").set_upgrade_times(Some(10), Some(10));
    manager
}

pub fn fault(manager: &mut Manager, switch: SwitchId, fault: UpgradeFault) {
    let fabric = manager.control_loop.fabric_mut().expect("it is simulated");
    fabric.agent_mut(switch).switch_mut().flash.get_or_insert_default().fault = fault;
}

pub fn start(manager: &mut Manager, plan: Value) -> Value {
    ask(manager, "POST", "/api/v1/firmware/start", plan).expect("it begins")
}

pub fn post(manager: &mut Manager, path: &str, body: Value) -> Value {
    ask(manager, "POST", path, body).unwrap_or_else(|problem| panic!("{path}: {problem:?}"))
}

pub fn rollout(manager: &mut Manager) -> Value {
    get(manager, "/api/v1/firmware")["rollout"].clone()
}

/// Switches without traffic now, by the fabric's own state and not the rollout's.
pub fn out(manager: &Manager) -> BTreeSet<SwitchId> {
    let (fabric, control) = (manager.control_loop.fabric().expect("it is simulated"), &manager.control_loop.control);
    let all = (0..manager.fabric.switch_count()).map(SwitchId::from_index);
    all.filter(|&switch| {
        !fabric.is_powered(switch)
            || control.is_in_maintenance(switch)
            || control
                .fabric_ports(switch)
                .any(|port| control.is_drained(port) && control.edge_ports(switch).next().is_some())
                && control.fabric_ports(switch).all(|port| control.is_drained(port))
    })
    .collect()
}

/// Maxima over a whole run.
#[derive(Debug, Default)]
pub struct Seen {
    /// Most switches that were out at the same time.
    pub most: usize,
    /// Most switches of one group.
    pub most_of_group: usize,
}

/// Runs until a condition holds.
pub fn until(manager: &mut Manager, seen: &mut Seen, holds: impl Fn(&mut Manager) -> bool) {
    let deadline = Instant::now() + Duration::from_secs(300);
    loop {
        manager.run();
        manager.tick_firmware();
        let out = out(manager);
        let of = |switch: &SwitchId| manager.fabric.switch(*switch).group;
        let groups: BTreeSet<_> = out.iter().map(of).collect();
        let most = groups.iter().map(|group| out.iter().filter(|switch| of(switch) == *group).count()).max();
        seen.most = seen.most.max(out.len());
        seen.most_of_group = seen.most_of_group.max(most.unwrap_or(0));
        if holds(manager) {
            return;
        }
        assert!(Instant::now() < deadline, "{}", get(manager, "/api/v1/firmware"));
        manager.control_loop.advance(Duration::from_millis(1));
    }
}

pub fn is(state: &'static str) -> impl Fn(&mut Manager) -> bool {
    move |manager| rollout(manager)["state"] == state
}

pub fn running(manager: &mut Manager, version: &str) -> u64 {
    let found = get(manager, "/api/v1/firmware");
    let of = found["running"].as_array().expect("a list").iter().find(|count| count["version"] == version);
    of.map_or(0, |count| count["switches"].as_u64().expect("a number"))
}

pub fn assert_whole(manager: &mut Manager) {
    manager.run();
    let status = get(manager, "/api/v1/status");
    assert_eq!(status["links"]["carrying"], status["links"]["total"], "{status}");
    assert_eq!((&status["nics"]["off"], &status["nics"]["plannedOff"]), (&json!(0), &json!(0)), "{status}");
    assert_eq!(get(manager, "/api/v1/flaps")["total"], 0, "what is planned is no flap");
    assert_all_hold_what_is_wanted(manager);
}

#[test]
fn what_switches_run_is_compared_with_what_documents_want() {
    let mut manager = quick("malbec");
    assert_eq!(get(&mut manager, "/api/v1/status")["word"], "HEALTHY");
    want(&mut manager, "2.2.0");
    manager.tick_firmware();
    let status = get(&mut manager, "/api/v1/status");
    assert_eq!(status["health"]["configuration"]["word"], "DEGRADED", "{status}");
    assert_eq!((&status["firmware"]["differ"], &status["firmware"]["rollout"]), (&json!(32), &Value::Null));
    let alarms = get(&mut manager, "/api/v1/alarms");
    assert_eq!((&alarms["total"], &alarms["items"][0]["kind"]), (&json!(1), &json!("firmware")), "{alarms}");
    let detail = alarms["items"][0]["detail"].as_str().expect("text");
    assert!(detail.contains("32 of 32 switches") && detail.contains("32 run simulated-1"), "{detail}");
    assert!(alarms["items"][0]["next"].as_str().is_some_and(|next| next.contains("firmware start")), "{alarms}");
    let screen = status_screen(&status, &alarms, false);
    assert!(screen.contains("2.2.0 desired on 32, 0 run it"), "{screen}");
    let name = manager.switch_name(SwitchId(0));
    let row = get(&mut manager, &format!("/api/v1/switches/{name}"));
    assert_eq!((&row["firmware"], &row["firmwareWanted"]), (&json!("simulated-1"), &json!("2.2.0")), "{row}");
    assert_eq!(row["cause"], "it runs simulated-1, desired is 2.2.0");
    let explained = get(&mut manager, &format!("/api/v1/explain/switch/{name}"))["answer"].clone();
    assert_eq!(explained["why"], "it runs simulated-1, desired is 2.2.0", "{explained}");
    let metrics = get(&mut manager, "/metrics");
    let metrics = metrics.as_str().expect("text");
    for line in ["philae_firmware_differs 32\n", "philae_firmware_switches{version=\"simulated-1\"} 32\n"] {
        assert!(metrics.contains(line), "{line}: {metrics}");
    }
    let listed = get(&mut manager, "/api/v1/firmware/switches?state=differs&limit=3");
    assert_eq!(listed["items"].as_array().map(Vec::len), Some(3), "{listed}");
    assert!(listed["next"].is_string(), "{listed}");
}

#[test]
fn a_rollout_goes_in_waves_and_never_takes_more_than_it_may() {
    let mut manager = quick("malbec");
    want(&mut manager, "2.2.0");
    let plan = json!({ "atOnce": 4, "soakSeconds": 0 });
    let before = get(&mut manager, "/api/v1/firmware");
    let dry = post(&mut manager, "/api/v1/firmware/start?dryRun=true", plan.clone())["dryRun"].clone();
    assert_eq!(
        (dry["begin"].as_array().map(Vec::len), &dry["differ"]),
        (Some(1), &json!(32)),
        "the first alone: {dry}"
    );
    assert_eq!(get(&mut manager, "/api/v1/firmware"), before, "nothing was changed");
    start(&mut manager, plan);
    let mut seen = Seen::default();
    until(&mut manager, &mut seen, |manager| running(manager, "2.2.0") >= 1);
    let status = get(&mut manager, "/api/v1/status");
    assert_eq!(status["health"]["configuration"]["word"], "CONVERGING", "it is on its way: {status}");
    assert!(status["planned"].to_string().contains("firmware rollout 1 is running"), "{status}");
    until(&mut manager, &mut seen, is("done"));
    assert_eq!((seen.most, seen.most_of_group), (4, 1));
    let done = rollout(&mut manager);
    assert_eq!((&done["done"], &done["upgraded"], &done["failed"]), (&json!(32), &json!(32), &json!([])), "{done}");
    assert_eq!(done["wave"], 9, "one alone, then four of the four groups: {done}");
    assert_whole(&mut manager);
    assert_eq!(get(&mut manager, "/api/v1/status")["word"], "HEALTHY");
    let events = get(&mut manager, "/api/v1/events?types=firmware");
    let events = events["items"].as_array().expect("a list");
    assert_eq!(events.len(), 32 + 2, "the begin, each switch, the end: {events:?}");
    let audit = get(&mut manager, "/api/v1/audit?kind=orders");
    assert!(audit.to_string().contains("firmware/start"), "{audit}");
}

#[test]
fn a_rollout_halts_at_a_failure_and_goes_on_when_it_is_told_to() {
    let mut manager = quick("malbec");
    want(&mut manager, "2.2.0");
    let bad = SwitchId(2);
    let name = manager.switch_name(bad);
    fault(&mut manager, bad, UpgradeFault::Stays);
    start(&mut manager, json!({ "soakSeconds": 0 }));
    let mut seen = Seen::default();
    until(&mut manager, &mut seen, is("halted"));
    assert_eq!(seen.most, 1, "one at once unless more are allowed");
    let halted = rollout(&mut manager);
    assert_eq!((&halted["upgraded"], &halted["failed"][0]["switch"]), (&json!(2), &json!(name)), "{halted}");
    let reason = halted["failed"][0]["reason"].as_str().expect("text");
    assert!(reason.contains("reports simulated-1, not 2.2.0"), "{reason}");
    assert_eq!(halted["failed"][0]["restored"], true, "it runs what it ran");
    assert_whole(&mut manager);
    for _ in 0..50 {
        manager.run();
        manager.tick_firmware();
        manager.control_loop.advance(Duration::from_millis(2));
    }
    assert_eq!(running(&mut manager, "2.2.0"), 2, "no more are begun");
    assert_eq!(get(&mut manager, "/api/v1/status")["health"]["configuration"]["word"], "DEGRADED");
    let alarms = get(&mut manager, "/api/v1/alarms");
    let detail = alarms["items"][0]["detail"].as_str().expect("text");
    assert!(detail.contains("rollout 1 is halted") && detail.contains(&name), "{detail}");
    assert_eq!(alarms["total"], 1, "{alarms}");
    // The rollout continues without it.
    post(&mut manager, "/api/v1/firmware/resume", Value::Null);
    until(&mut manager, &mut seen, is("done"));
    assert_eq!((running(&mut manager, "2.2.0"), running(&mut manager, "simulated-1")), (31, 1));
    let alarms = get(&mut manager, "/api/v1/alarms");
    assert!(alarms.to_string().contains("firmware start"), "what is left has to be started anew: {alarms}");
    // After its repair a new rollout upgrades it.
    fault(&mut manager, bad, UpgradeFault::None);
    start(&mut manager, json!({ "soakSeconds": 0 }));
    until(&mut manager, &mut seen, is("done"));
    assert_eq!(running(&mut manager, "2.2.0"), 32);
    assert_whole(&mut manager);
    assert_eq!(get(&mut manager, "/api/v1/alarms")["total"], 0);
}

#[test]
fn a_switch_that_refuses_or_cannot_install_goes_on_with_what_it_ran() {
    for (kind, words) in [(UpgradeFault::Refuses, "no room"), (UpgradeFault::Fails, "checksum")] {
        let mut manager = quick("malbec");
        want(&mut manager, "2.2.0");
        fault(&mut manager, SwitchId(0), kind);
        start(&mut manager, json!({ "soakSeconds": 0 }));
        until(&mut manager, &mut Seen::default(), is("halted"));
        let halted = rollout(&mut manager);
        let reason = halted["failed"][0]["reason"].as_str().expect("text");
        assert!(reason.contains(words) && reason.contains("simulated-1"), "{reason}");
        assert_eq!(running(&mut manager, "2.2.0"), 0);
        assert_whole(&mut manager);
    }
}

#[test]
fn a_switch_that_does_not_come_back_is_told_as_dead_and_stays_drained() {
    let mut manager = quick("malbec");
    want(&mut manager, "2.2.0");
    let bad = SwitchId(0);
    fault(&mut manager, bad, UpgradeFault::Dies);
    start(&mut manager, json!({ "soakSeconds": 0, "timeoutSeconds": 1 }));
    until(&mut manager, &mut Seen::default(), is("halted"));
    let halted = rollout(&mut manager);
    assert!(halted["failed"][0]["reason"].as_str().is_some_and(|why| why.contains("did not come back")), "{halted}");
    let alarms = get(&mut manager, "/api/v1/alarms");
    let kinds: BTreeSet<&str> =
        alarms["items"].as_array().expect("a list").iter().filter_map(|alarm| alarm["kind"].as_str()).collect();
    assert_eq!(kinds, BTreeSet::from(["firmware", "switch"]), "{alarms}");
    // When it is back it gets its configuration. It gets no traffic before an operator orders it.
    manager.control_loop.set_power(bad, true);
    let synced = |manager: &mut Manager| {
        manager.control_loop.control.device_state(bad) == philae_manager_core::DeviceState::Synced
    };
    until(&mut manager, &mut Seen::default(), synced);
    let port = manager.control_loop.control.fabric_ports(bad).next().expect("it has links");
    assert!(manager.control_loop.control.is_drained(port));
    fault(&mut manager, bad, UpgradeFault::None);
    post(&mut manager, "/api/v1/firmware/resume", json!({ "retry": true }));
    until(&mut manager, &mut Seen::default(), is("done"));
    assert_eq!(running(&mut manager, "2.2.0"), 32);
    assert_whole(&mut manager);
}

#[test]
fn a_switch_that_lies_is_found_out() {
    let mut manager = quick("malbec");
    want(&mut manager, "2.2.0");
    let bad = SwitchId(0);
    fault(&mut manager, bad, UpgradeFault::Claims);
    start(&mut manager, json!({ "soakSeconds": 0 }));
    until(&mut manager, &mut Seen::default(), is("halted"));
    let halted = rollout(&mut manager);
    let reason = halted["failed"][0]["reason"].as_str().expect("text");
    assert!(reason.contains("reports 2.2.0, but has not restarted"), "{reason}");
    assert_eq!(halted["failed"][0]["restored"], false, "it is not trusted");
    assert_eq!((out(&manager), &halted["done"]), (BTreeSet::from([bad]), &json!(0)), "{halted}");
    let status = get(&mut manager, "/api/v1/status");
    assert_eq!(
        (&status["nics"]["off"], &status["nics"]["plannedOff"]),
        (&json!(16), &json!(0)),
        "it is not on purpose"
    );
    assert_eq!(status["health"]["runtime"]["word"], "DEGRADED", "{status}");
    assert_eq!(status["health"]["traffic"]["word"], "UNHEALTHY", "16 NICs have no path: {status}");
    let metrics = get(&mut manager, "/metrics").to_string();
    assert!(metrics.contains("philae_health{word=\\\"traffic\\\"} 3"), "metrics say the same: {metrics}");
    let nics = get(&mut manager, "/api/v1/nics?state=off");
    assert_eq!(nics["items"].as_array().map(Vec::len), Some(16), "{nics}");
    // Another try makes it restart. Its report after that is trusted.
    fault(&mut manager, bad, UpgradeFault::None);
    let again = post(&mut manager, "/api/v1/firmware/resume", json!({ "retry": true }))["rollout"].clone();
    assert_eq!((&again["state"], &again["failed"]), (&json!("running"), &json!([])), "it is in work again: {again}");
    until(&mut manager, &mut Seen::default(), is("done"));
    assert_eq!(running(&mut manager, "2.2.0"), 32);
    assert_whole(&mut manager);

    let mut manager = quick("malbec");
    want(&mut manager, "2.2.0");
    fault(&mut manager, bad, UpgradeFault::Other);
    start(&mut manager, json!({ "soakSeconds": 0 }));
    until(&mut manager, &mut Seen::default(), is("halted"));
    let halted = rollout(&mut manager);
    let reason = halted["failed"][0]["reason"].as_str().expect("text");
    assert!(reason.contains("reports simulated-0, not 2.2.0"), "{reason}");
    assert_eq!((out(&manager), &halted["failed"][0]["restored"]), (BTreeSet::from([bad]), &json!(false)));
}

/// A manager that continues after another one was killed; its switches know nothing of that.
pub fn after(mut first: Manager, state: &std::path::Path) -> Manager {
    let blank = simulated_switches(&first.fabric).expect("it can be routed");
    let switches = std::mem::replace(first.control_loop.fabric_mut().expect("it is simulated"), blank);
    drop(first);
    let fabric = load("malbec").expect("a built-in system");
    let mut second = Manager::simulated(fabric, ControlSettings::default(), Some(state)).expect("it can be routed");
    *second.control_loop.fabric_mut().expect("it is simulated") = switches;
    second.clock = UnixClock::at(NOW);
    second.run();
    second
}

#[test]
fn a_rollout_goes_on_over_restarts_of_the_manager_and_keeps_its_limit() {
    let folder = new_folder();
    let mut manager = crate::common::up("malbec", Some(folder.path()));
    manager.control_loop.fabric_mut().expect("it is simulated").set_upgrade_times(Some(60), Some(60));
    want(&mut manager, "2.2.0");
    let bad = SwitchId(9);
    fault(&mut manager, bad, UpgradeFault::Claims);
    start(&mut manager, json!({ "soakSeconds": 0, "atOnce": 2, "perGroup": 2, "failuresMax": 2 }));
    let mut seen = Seen::default();
    let mut kills = 0;
    for done in [2, 9, 17, 24] {
        // Killed while switches are being installed.
        until(&mut manager, &mut seen, |manager| {
            let is_installing = manager.control_loop.fabric().is_some_and(|fabric| fabric.upgrading() > 0);
            is_installing && running(manager, "2.2.0") >= done
        });
        manager = after(manager, folder.path());
        kills += 1;
    }
    until(&mut manager, &mut seen, is("done"));
    assert_eq!((kills, seen.most), (4, 3), "two in work, and the liar that stays drained");
    assert!(seen.most_of_group <= 2, "{seen:?}");
    let done = rollout(&mut manager);
    assert_eq!(
        (&done["number"], &done["failed"][0]["switch"]),
        (&json!(1), &json!(manager.switch_name(bad))),
        "{done}"
    );
    assert_eq!(running(&mut manager, "2.2.0"), 32);
    assert_eq!(out(&manager), BTreeSet::from([bad]));
}

#[test]
fn redundancy_is_never_taken_at_both_ends() {
    let mut manager = quick("shandy");
    want(&mut manager, "2.2.0");
    // Neither the group nor the number is a limit here.
    let plan = json!({ "atOnce": 128, "perGroup": 128, "firstWave": 1, "soakSeconds": 0 });
    start(&mut manager, plan);
    let mut seen = Seen::default();
    let nodes_out = |manager: &Manager, out: &BTreeSet<SwitchId>| {
        let mut by_node: std::collections::BTreeMap<_, (BTreeSet<SwitchId>, usize)> = std::collections::BTreeMap::new();
        for nic in manager.fabric.nics() {
            let switch = manager.fabric.switch_of(nic.port);
            let entry = by_node.entry(nic.node).or_default();
            entry.0.insert(switch);
            entry.1 += usize::from(!out.contains(&switch));
        }
        let several = by_node.values().filter(|(switches, _)| switches.len() > 1);
        let (all, cut): (Vec<_>, usize) = (several.clone().collect(), several.filter(|(_, left)| *left == 0).count());
        assert!(!all.is_empty(), "nodes of this system have NICs at several switches");
        cut
    };
    until(&mut manager, &mut seen, |manager| {
        let out = out(manager);
        assert_eq!(nodes_out(manager, &out), 0, "a node lost its last NIC: {out:?}");
        assert_eq!(manager.control_loop.control.status().reach.switch_pairs, 0);
        running(manager, "2.2.0") > 1 && !out.is_empty()
    });
    assert!(seen.most > 1, "several go at once where nothing is lost by it");
    let waits = rollout(&mut manager)["waits"].clone();
    assert!(waits.to_string().contains("would lose its last NIC"), "{waits}");
    post(&mut manager, "/api/v1/firmware/abort", Value::Null);
    until(&mut manager, &mut seen, |manager| rollout(manager)["working"] == json!([]));
    assert_whole(&mut manager);
}

#[test]
fn a_switch_without_which_others_have_no_way_is_taken_only_by_force() {
    let ring = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../scenarios/systems/ring-of-five.toml");
    let mut manager = quick(ring);
    want(&mut manager, "2.2.0");
    let mut seen = Seen::default();
    // One link fails: a ring becomes a chain.
    let (port, _) = manager.control_loop.control.wiring().links().next().expect("it has links");
    manager.control_loop.fabric_mut().expect("it is simulated").set_link(port, false);
    manager.run();
    let middle = json!({ "selector": "name=x3000c0r5b0" });
    let dry = post(&mut manager, "/api/v1/firmware/start?dryRun=true", middle)["dryRun"].clone();
    assert_eq!(dry["begin"], json!([]), "the middle of the chain: {dry}");
    assert!(dry["waits"].to_string().contains("--force takes it"), "{dry}");
    start(&mut manager, json!({ "soakSeconds": 0, "perGroup": 5, "force": true }));
    until(&mut manager, &mut seen, is("done"));
    assert_eq!((seen.most, running(&mut manager, "2.2.0")), (1, 5));
}

#[test]
fn no_switch_is_begun_outside_its_maintenance_window() {
    let mut manager = quick("malbec");
    want(&mut manager, "2.2.0");
    for (name, from, to) in [("tonight", NOW + 10, NOW + 100), ("next-week", NOW + 1_000, NOW + 2_000)] {
        let spec = json!({ "selector": "", "startsAtSeconds": from, "endsAtSeconds": to });
        put(&mut manager, &format!("/api/v1/maintenance-windows/{name}"), spec);
    }
    start(&mut manager, json!({ "soakSeconds": 0 }));
    let mut seen = Seen::default();
    until(&mut manager, &mut seen, |manager| rollout(manager)["waits"].to_string().contains("is not open"));
    assert_eq!(seen.most, 0, "it has not begun yet");
    assert_eq!(get(&mut manager, "/api/v1/status")["health"]["configuration"]["word"], "CONVERGING");
    manager.clock = UnixClock::at(NOW + 50);
    until(&mut manager, &mut seen, |manager| running(manager, "2.2.0") >= 2 && !out(manager).is_empty());
    // The window ends while a switch is in progress: that one is finished, and no other one begins.
    manager.clock = UnixClock::at(NOW + 100);
    until(&mut manager, &mut seen, |manager| out(manager).is_empty());
    let done = running(&mut manager, "2.2.0");
    until(&mut manager, &mut seen, |manager| {
        rollout(manager)["waits"].to_string().contains("maintenance-window 'next-week' is not open")
    });
    assert_eq!((running(&mut manager, "2.2.0"), out(&manager).len()), (done, 0));
    assert_whole(&mut manager);
    manager.clock = UnixClock::at(NOW + 1_000);
    until(&mut manager, &mut seen, is("done"));
    assert_eq!((running(&mut manager, "2.2.0"), seen.most), (32, 1));
}

#[test]
fn a_rollout_whose_last_window_is_over_waits_until_it_is_resumed() {
    let mut manager = quick("malbec");
    want(&mut manager, "2.2.0");
    let spec = json!({ "selector": "", "startsAtSeconds": NOW - 10, "endsAtSeconds": NOW + 100 });
    put(&mut manager, "/api/v1/maintenance-windows/tonight", spec);
    start(&mut manager, json!({ "soakSeconds": 0 }));
    let mut seen = Seen::default();
    until(&mut manager, &mut seen, |manager| running(manager, "2.2.0") >= 2);
    manager.clock = UnixClock::at(NOW + 101);
    until(&mut manager, &mut seen, |manager| {
        out(manager).is_empty() && rollout(manager)["waits"].to_string().contains("'tonight' ended at")
    });
    let done = running(&mut manager, "2.2.0");
    assert!(done < 32, "{done}");
    // Deleting the window's document is an operator's decision, too.
    ask(&mut manager, "DELETE", "/api/v1/maintenance-windows/tonight", Value::Null).expect("it is there");
    until(&mut manager, &mut seen, is("done"));
    assert_eq!(running(&mut manager, "2.2.0"), 32);
}

#[test]
fn a_version_that_changes_in_the_middle_is_the_one_that_all_run_in_the_end() {
    let mut manager = quick("malbec");
    want(&mut manager, "2.2.0");
    start(&mut manager, json!({ "soakSeconds": 0, "atOnce": 4 }));
    let mut seen = Seen::default();
    until(&mut manager, &mut seen, |manager| running(manager, "2.2.0") >= 5 && out(manager).len() == 4);
    want(&mut manager, "2.3.0");
    until(&mut manager, &mut seen, |manager| {
        let of_new =
            rollout(manager)["working"].as_array().expect("a list").iter().filter(|work| work["to"] == "2.3.0").count();
        assert!(running(manager, "2.3.0") > 0 || of_new <= 1, "the first of a version goes alone");
        rollout(manager)["state"] == "done"
    });
    assert_eq!((running(&mut manager, "2.3.0"), seen.most, seen.most_of_group), (32, 4, 1));
    assert_whole(&mut manager);
}

#[test]
fn a_rollout_is_paused_resumed_and_aborted() {
    let mut manager = quick("malbec");
    let none = refused(&mut manager, "POST", "/api/v1/firmware/start", json!({}));
    assert!(none.status == 409 && none.detail.contains("settings.firmware"), "{none:?}");
    let none = refused(&mut manager, "POST", "/api/v1/firmware/pause", Value::Null);
    assert!(none.status == 409 && none.detail.contains("firmware start"), "{none:?}");
    let body = json!({ "spec": { "settings": { "firmware": "2.2.0; reboot" } } });
    let wrong = refused(&mut manager, "PUT", "/api/v1/switch-policies/firmware", body);
    assert!(wrong.status == 422 && format!("{wrong:?}").contains("this is not a version"), "{wrong:?}");
    want(&mut manager, "2.2.0");
    for plan in [
        json!({ "atOnce": 0 }),
        json!({ "atOncePercent": 101 }),
        json!({ "selector": "colour=red" }),
        json!({ "x": 1 }),
    ] {
        let problem = refused(&mut manager, "POST", "/api/v1/firmware/start", plan.clone());
        assert!((400..=422).contains(&problem.status), "{plan}: {problem:?}");
    }
    start(&mut manager, json!({ "soakSeconds": 0, "selector": "group in (0-1)", "atOncePercent": 10 }));
    let again = refused(&mut manager, "POST", "/api/v1/firmware/start", json!({}));
    assert!(again.status == 409 && again.detail.contains("rollout 1 is running"), "{again:?}");
    let mut seen = Seen::default();
    until(&mut manager, &mut seen, |manager| running(manager, "2.2.0") >= 1);
    post(&mut manager, "/api/v1/firmware/pause", Value::Null);
    until(&mut manager, &mut seen, |manager| out(manager).is_empty());
    let paused = running(&mut manager, "2.2.0");
    for _ in 0..50 {
        manager.run();
        manager.tick_firmware();
        manager.control_loop.advance(Duration::from_millis(2));
    }
    assert_eq!((running(&mut manager, "2.2.0"), &rollout(&mut manager)["state"]), (paused, &json!("paused")));
    post(&mut manager, "/api/v1/firmware/resume", Value::Null);
    until(&mut manager, &mut seen, is("done"));
    assert_eq!((running(&mut manager, "2.2.0"), seen.most), (16, 1), "a tenth of 16 is one");
    start(&mut manager, json!({ "soakSeconds": 0 }));
    until(&mut manager, &mut seen, |manager| running(manager, "2.2.0") >= 18 && !out(manager).is_empty());
    post(&mut manager, "/api/v1/firmware/abort", Value::Null);
    until(&mut manager, &mut seen, |manager| out(manager).is_empty() && rollout(manager)["working"] == json!([]));
    assert_eq!(rollout(&mut manager)["state"], "aborted");
    assert!(running(&mut manager, "2.2.0") < 32);
    assert_whole(&mut manager);
}

#[test]
fn versions_of_agents_that_are_mixed_or_not_wanted_are_told() {
    let mut manager = quick("malbec");
    let name = manager.switch_name(SwitchId(5));
    let path = format!("/api/v1/simulation/switches/{name}/firmware/upgrades");
    post(&mut manager, &path, json!({ "agent": "0.0.9" }));
    until(&mut manager, &mut Seen::default(), |manager| get(manager, "/api/v1/status")["versions"]["mixed"] == true);
    let (status, alarms) = (get(&mut manager, "/api/v1/status"), get(&mut manager, "/api/v1/alarms"));
    assert_eq!((&status["word"], &alarms["total"]), (&json!("HEALTHY"), &json!(0)), "no version is wanted: {alarms}");
    let screen = status_screen(&status, &alarms, false);
    assert!(screen.contains("Versions") && screen.contains("0.0.9 (1)"), "{screen}");
    assert_eq!(get(&mut manager, &format!("/api/v1/switches/{name}"))["agent"], "0.0.9");
    let own = env!("CARGO_PKG_VERSION");
    put(&mut manager, "/api/v1/switch-policies/agents", json!({ "selector": "", "settings": { "agent": own } }));
    manager.run();
    let alarms = get(&mut manager, "/api/v1/alarms");
    assert_eq!((&alarms["total"], &alarms["items"][0]["kind"]), (&json!(1), &json!("version")), "{alarms}");
    let metrics = get(&mut manager, "/metrics");
    assert!(metrics.as_str().expect("text").contains("philae_agents{version=\"0.0.9\"} 1\n"));
    let wrong = refused(&mut manager, "POST", &path.replace("upgrades", "explodes"), Value::Null);
    assert!(wrong.status == 400 && wrong.detail.contains("claims"), "{wrong:?}");
}

/// Switches that are being upgraded and have a link that carries traffic.
fn carrying_in_work(manager: &Manager) -> Vec<SwitchId> {
    let (now_ms, control) = (manager.control_loop.now_ms(), &manager.control_loop.control);
    let carries = |port| control.link_view(now_ms, port).is_some_and(|link| link.unusable.is_none());
    let all = (0..manager.fabric.switch_count()).map(SwitchId::from_index);
    all.filter(|&switch| control.is_in_maintenance(switch) && control.fabric_ports(switch).any(carries)).collect()
}

#[test]
fn a_link_between_two_switches_in_work_comes_back_with_the_second_one() {
    let mut manager = quick("malbec");
    // The second switch of a group fails, and is not trusted afterwards.
    let liar = SwitchId::from_index(1);
    fault(&mut manager, liar, UpgradeFault::Claims);
    want(&mut manager, "2.2.0");
    let plan =
        json!({ "atOnce": 12, "perGroup": 4, "firstWave": 12, "failuresMax": 9, "force": true, "soakSeconds": 0 });
    start(&mut manager, plan);
    let mut seen = Seen::default();
    until(&mut manager, &mut seen, |manager| {
        let carrying = carrying_in_work(manager);
        assert!(carrying.is_empty(), "they are being upgraded and carry traffic: {carrying:?}");
        rollout(manager)["state"] == "done"
    });
    assert!(seen.most_of_group > 1, "switches with links between them were in work together: {seen:?}");
    let control = &manager.control_loop.control;
    assert!(control.fabric_ports(liar).all(|port| control.is_drained(port)), "all of its links stay drained");
    let drained = control.fabric_ports(liar).count() as u64;
    let links = get(&mut manager, "/api/v1/status")["links"].clone();
    assert_eq!(links["carrying"].as_u64(), links["total"].as_u64().map(|total| total - drained), "{links}");
}

#[test]
fn what_an_operator_drains_meanwhile_stays_drained_and_restore_is_refused() {
    let mut manager = manager("malbec");
    let switch = SwitchId::from_index(2);
    let name = manager.switch_name(switch);
    want(&mut manager, "2.2.0");
    start(&mut manager, json!({ "selector": format!("name={name}"), "soakSeconds": 0 }));
    let mut seen = Seen::default();
    until(&mut manager, &mut seen, |manager| manager.control_loop.control.is_in_maintenance(switch));
    let port = manager.control_loop.control.fabric_ports(switch).next().expect("it has links");
    let link = manager.port_name(port);
    post(&mut manager, &format!("/api/v1/links/{link}/drain"), Value::Null);
    for path in [format!("/api/v1/switches/{name}/restore"), format!("/api/v1/links/{link}/restore")] {
        let problem = refused(&mut manager, "POST", &path, Value::Null);
        assert!(problem.status == 409 && problem.detail.contains("is being upgraded"), "{path}: {problem:?}");
    }
    manager.control_loop.fabric_mut().expect("it is simulated").set_upgrade_times(Some(10), Some(10));
    until(&mut manager, &mut seen, is("done"));
    let control = &manager.control_loop.control;
    let drained: Vec<_> = control.fabric_ports(switch).filter(|&port| control.is_drained(port)).collect();
    assert_eq!(drained, [port], "the operator's, and no other");
    post(&mut manager, &format!("/api/v1/links/{link}/restore"), Value::Null);
    assert_whole(&mut manager);
}

#[test]
fn a_rollout_with_nothing_in_work_goes_on_after_a_restart() {
    let folder = new_folder();
    {
        let mut manager = crate::common::up("malbec", Some(folder.path()));
        want(&mut manager, "2.2.0");
        start(&mut manager, json!({ "atOnce": 32, "perGroup": 8, "firstWave": 32, "force": true, "soakSeconds": 0 }));
        assert_eq!(rollout(&mut manager)["state"], "running");
    }
    // No switch has reported to it yet.
    let fabric = load("malbec").expect("a built-in system");
    let mut manager =
        Manager::simulated(fabric, ControlSettings::default(), Some(folder.path())).expect("it can be routed");
    manager.clock = UnixClock::at(NOW);
    for _ in 0..5 {
        manager.tick_firmware();
        manager.control_loop.advance(Duration::from_millis(25));
    }
    assert_eq!(rollout(&mut manager)["state"], "running", "{}", rollout(&mut manager));
    manager.control_loop.fabric_mut().expect("it is simulated").set_upgrade_times(Some(10), Some(10));
    until(&mut manager, &mut Seen::default(), is("done"));
    assert_eq!(running(&mut manager, "2.2.0"), 32);
}
