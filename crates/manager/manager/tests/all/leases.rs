//! Leases end by the clock, and trees follow the live links.

use crate::common::new_folder;
use crate::common::{NOW, ask, assert_all_hold_what_is_wanted, edges, get, held, manager, put, refused, up};
use philae_agent::ConfigSection;
use philae_agent::items::Item;
use philae_manager::{Manager, UnixClock};
use philae_units::{PortIndex, SwitchId};
use serde_json::{Value, json};

fn partition_and_block(manager: &mut Manager, ends: u64) -> PortIndex {
    let port = edges(manager)[0];
    let name = manager.port_name(port);
    put(manager, "/api/v1/vni-partitions/tenant", json!({ "vniRanges": ["10-100"] }));
    put(
        manager,
        "/api/v1/vni-blocks/job",
        json!({
            "partition": "tenant", "vniRanges": ["10"], "edgePorts": [name], "lease": { "expiresAtSeconds": ends, "holder": "job 1" },
        }),
    );
    port
}

fn may_use(manager: &Manager, port: PortIndex) -> bool {
    let vnis = held(manager, manager.fabric.switch_of(port), ConfigSection::Vnis);
    vnis.contains_key(&u64::from(manager.fabric.number_of(port).0))
}

#[test]
fn a_block_whose_lease_is_over_is_taken_from_switches_and_from_the_disk() {
    let folder = new_folder();
    let mut first = up("malbec", Some(folder.path()));
    let port = partition_and_block(&mut first, NOW + 100);
    first.clock = UnixClock::at(NOW + 99);
    first.run();
    assert!(may_use(&first, port));
    ask(&mut first, "POST", "/api/v1/vni-blocks/job/renew", json!({ "seconds": 101 })).expect("it is not over");
    first.clock = UnixClock::at(NOW + 199);
    first.run();
    assert!(may_use(&first, port), "it was renewed");
    first.clock = UnixClock::at(NOW + 200);
    first.run();
    assert!(!may_use(&first, port));
    assert_eq!(get(&mut first, "/api/v1/vni-blocks")["items"], json!([]));
    assert_all_hold_what_is_wanted(&first);
    drop(first);
    let mut second = up("malbec", Some(folder.path()));
    assert_eq!(get(&mut second, "/api/v1/vni-blocks")["items"], json!([]));
    // A lease that ended while no manager ran ends when one begins.
    let port = partition_and_block(&mut second, NOW + 10);
    drop(second);
    let mut third = up("malbec", Some(folder.path()));
    assert!(may_use(&third, port));
    third.clock = UnixClock::at(NOW + 10);
    third.run();
    assert!(!may_use(&third, port));
}

#[test]
fn a_lease_that_is_over_cannot_be_taken_or_renewed() {
    let mut manager = manager("malbec");
    put(&mut manager, "/api/v1/vni-partitions/tenant", json!({ "vniRanges": ["10-100"] }));
    let over = json!({ "spec": { "partition": "tenant", "vniRanges": ["10"], "lease": { "expiresAtSeconds": NOW } } });
    let problem = refused(&mut manager, "PUT", "/api/v1/vni-blocks/late", over);
    assert_eq!(problem.problems[0]["code"], "expired", "{problem:?}");
    let problem = refused(&mut manager, "POST", "/api/v1/vni-partitions/tenant/renew", json!({ "seconds": 5 }));
    assert_eq!(problem.problems[0]["code"], "conflict", "{problem:?}");
    partition_and_block(&mut manager, NOW + 10);
    let problem = refused(&mut manager, "POST", "/api/v1/vni-blocks/job/renew", Value::Null);
    assert!(problem.detail.contains("seconds"), "{problem:?}");
}

/// A session, and a tree over every eighth edge port.
fn tree(manager: &mut Manager) -> Vec<PortIndex> {
    let members: Vec<PortIndex> = edges(manager).into_iter().step_by(8).collect();
    let names: Vec<String> = members.iter().map(|port| manager.port_name(*port)).collect();
    put(
        manager,
        "/api/v1/collective-sessions/job",
        json!({
            "jobId": "job", "mcastLimit": 2, "tokenHash": "0".repeat(64), "lease": { "expiresAtSeconds": NOW + 100 },
        }),
    );
    put(manager, "/api/v1/multicasts/sum", json!({ "session": "job", "address": 7, "edgePorts": names }));
    members
}

/// Follows the copies of a tree from its root through the switches' sections; returns the members
/// that get one.
fn copies(manager: &Manager, address: u64, root: PortIndex) -> Vec<PortIndex> {
    let wiring = manager.control_loop.control.wiring();
    let mut got = vec![root];
    let mut todo = vec![manager.fabric.switch_of(root)];
    let mut seen = 0;
    while let Some(switch) = todo.pop() {
        seen += 1;
        assert!(seen <= manager.fabric.switch_count(), "copies run in a circle");
        let Some(Item::Multicast(part)) = held(manager, switch, ConfigSection::Multicast).remove(&address) else {
            panic!("a copy comes to {}, which has no part of the tree", manager.switch_name(switch))
        };
        for number in part.down {
            let port = wiring.port(switch, philae_units::PortId(number));
            match wiring.peer(port) {
                Some(far) => todo.push(wiring.split(far).0),
                None => got.push(port),
            }
        }
    }
    got.sort_unstable();
    got
}

#[test]
fn a_tree_goes_around_links_that_die_and_ends_with_its_session() {
    let mut manager = manager("malbec");
    let members = tree(&mut manager);
    assert_eq!(copies(&manager, 7, members[0]), members);
    // Each link of the root's switch to which the tree copies fails in turn.
    let top = manager.fabric.switch_of(members[0]);
    for _ in 0..4 {
        let Some(Item::Multicast(part)) = held(&manager, top, ConfigSection::Multicast).remove(&7) else {
            panic!("a part")
        };
        let wiring = manager.control_loop.control.wiring().clone();
        let link = part.down.iter().map(|number| wiring.port(top, philae_units::PortId(*number)));
        let Some(link) = link.clone().find(|port| wiring.peer(*port).is_some()) else { break };
        manager.control_loop.fabric_mut().expect("it is simulated").set_link(link, false);
        manager.run();
        assert_eq!(copies(&manager, 7, members[0]), members, "around {}", manager.port_name(link));
        assert_all_hold_what_is_wanted(&manager);
    }
    let explained = get(&mut manager, "/api/v1/explain/policy/multicasts/sum");
    assert_eq!((&explained["tree"]["unreached"], &explained["endsInSeconds"]), (&json!([]), &Value::Null));
    manager.clock = UnixClock::at(NOW + 100);
    manager.run();
    assert_eq!(get(&mut manager, "/api/v1/multicasts")["items"], json!([]), "its session is over");
    assert_eq!(get(&mut manager, "/api/v1/collective-sessions")["items"], json!([]));
    for switch in (0..manager.fabric.switch_count()).map(SwitchId::from_index) {
        assert!(held(&manager, switch, ConfigSection::Multicast).is_empty());
    }
}

#[test]
fn members_that_are_cut_off_are_an_alarm_until_they_are_back() {
    let mut manager = manager("malbec");
    for (name, value) in [("hold_down_ms", 0), ("flaps_isolate", 1_000)] {
        manager.control_loop.control.set(name, value).expect("they exist");
    }
    let members = tree(&mut manager);
    let lost = manager.fabric.switch_of(*members.last().expect("members"));
    let links: Vec<PortIndex> = manager.fabric.ports_of(lost).map(PortIndex).collect();
    let links: Vec<PortIndex> =
        links.into_iter().filter(|port| manager.control_loop.control.wiring().peer(*port).is_some()).collect();
    for link in &links {
        manager.control_loop.fabric_mut().expect("it is simulated").set_link(*link, false);
    }
    manager.run();
    let alarms = get(&mut manager, "/api/v1/alarms?limit=100000");
    let of_tree = |alarms: &Value| {
        alarms["items"].as_array().expect("a list").iter().filter(|alarm| alarm["kind"] == "multicast").count()
    };
    assert_eq!(of_tree(&alarms), 1, "{alarms}");
    for link in &links {
        manager.control_loop.fabric_mut().expect("it is simulated").set_link(*link, true);
    }
    manager.run();
    let alarms = get(&mut manager, "/api/v1/alarms?limit=100000");
    assert_eq!(of_tree(&alarms), 0, "{alarms}");
    assert_eq!(copies(&manager, 7, members[0]), members);
}

#[test]
fn a_session_has_no_more_trees_than_it_may_and_no_two_have_one_address() {
    let mut manager = manager("malbec");
    let members = tree(&mut manager);
    let name = manager.port_name(members[0]);
    let tree = |address: u16| json!({ "spec": { "session": "job", "address": address, "edgePorts": [name] } });
    let problem = refused(&mut manager, "PUT", "/api/v1/multicasts/second", tree(7));
    assert_eq!(problem.problems[0]["code"], "duplicate", "{problem:?}");
    ask(&mut manager, "PUT", "/api/v1/multicasts/second", tree(8)).expect("another address");
    let problem = refused(&mut manager, "PUT", "/api/v1/multicasts/third", tree(9));
    assert_eq!(problem.problems[0]["code"], "limit-exceeded", "{problem:?}");
    let problem = refused(&mut manager, "DELETE", "/api/v1/collective-sessions/job", Value::Null);
    assert_eq!(problem.problems[0]["code"], "in-use", "{problem:?}");
}
