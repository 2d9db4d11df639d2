//! After any faults of agents, switches, links, cables, clocks and the manager, everything that
//! answers reaches its desired state.
//!
//! `PHILAE_FAULT_SEQUENCES=10000 cargo test --release -p philae-manager-core --test faults` runs
//! that many random sequences; a failure names its seed, and `PHILAE_FAULT_SEED=seed` replays that
//! one.

mod common;

use common::World;
use philae_agent::{SwitchControl, SwitchFault};
use philae_manager_core::{AlarmKind, DeviceState, HealthLevel, Input, Unusable};
use philae_units::{PortIndex, SwitchId};

fn any_switch(world: &mut World) -> SwitchId {
    SwitchId(world.random.below(world.fabric.wiring().switch_count() as u32))
}

fn any_link(world: &mut World) -> PortIndex {
    let links: Vec<PortIndex> = world.fabric.wiring().links().map(|(port, _)| port).collect();
    links[world.random.below(links.len() as u32) as usize]
}

fn happen(world: &mut World) {
    let switch = any_switch(world);
    let link = any_link(world);
    match world.random.below(12) {
        0..=2 => world.fabric.set_link(link, false),
        3 | 4 => world.fabric.set_link(link, true),
        5 => {
            let again = u64::from(world.random.below(3_000));
            world.disconnect(switch, again);
        }
        6 => {
            let on = !world.fabric.is_powered(switch);
            world.power(switch, on);
        }
        7 => {
            let fault = [SwitchFault::None, SwitchFault::Refuses, SwitchFault::Silent, SwitchFault::Ignores]
                [world.random.below(4) as usize];
            world.fabric.agent_mut(switch).switch_mut().fault = fault;
        }
        8 if world.random.below(4) == 0 => world.restart_manager(),
        8 => {
            // A storm: all agents at the same time.
            for switch in world.switches() {
                let again = u64::from(world.random.below(20));
                world.disconnect(switch, again);
            }
        }
        // The clock jumps: no message arrived for an hour.
        9 if world.random.below(8) == 0 => world.now_ms += 3_600_000,
        9 => world.latency_ms.1 = 1 + u64::from(world.random.below(500)),
        10 => world.control.handle(world.now_ms, Input::Maintenance(switch, world.random.below(2) == 0)),
        _ => world.control.handle(world.now_ms, Input::Drain(link, world.random.below(2) == 0)),
    }
}

fn sequence(seed: u64) -> Result<(), String> {
    let mut world = World::new(seed);
    for _ in 0..world.random.below(40) {
        happen(&mut world);
        let pause = [0, 1, 5, 50, 1_000, 20_000][world.random.below(6) as usize];
        world.run_for(pause);
    }
    // The faults stop: everything that can work does, and operators release whatever is held.
    world.latency_ms = (1, 3);
    for switch in world.switches() {
        world.fabric.agent_mut(switch).switch_mut().fault = SwitchFault::None;
        world.control.handle(world.now_ms, Input::Maintenance(switch, false));
        world.control.handle(world.now_ms, Input::ReleaseDevice(switch));
    }
    world.run_for(120_000);
    let links: Vec<PortIndex> = world.fabric.wiring().links().map(|(port, _)| port).collect();
    for link in links {
        world.control.handle(world.now_ms, Input::Drain(link, false));
        world.control.handle(world.now_ms, Input::ReleaseLink(link));
    }
    world.run_for(120_000);
    if world.fenced {
        return Err("the newest manager was told that it is not".to_owned());
    }
    world.check_converged()?;
    world.check_links()
}

#[test]
fn random_sequences_of_faults_end_converged() {
    if let Some(seed) = std::env::var("PHILAE_FAULT_SEED").ok().and_then(|seed| seed.parse().ok()) {
        sequence(seed).unwrap_or_else(|error| panic!("seed {seed}: {error}"));
        return;
    }
    let count = std::env::var("PHILAE_FAULT_SEQUENCES").ok().and_then(|count| count.parse().ok()).unwrap_or(300);
    for seed in 0..count {
        sequence(seed).unwrap_or_else(|error| panic!("seed {seed}: {error}"));
    }
}

#[test]
fn a_fabric_comes_up() {
    let mut world = World::new(1);
    world.run_for(1_000);
    world.check_converged().expect("nothing is wrong");
    world.check_links().expect("all links work");
    let status = world.control.status();
    assert_eq!(status.switches[DeviceState::Synced as usize], 16);
    assert!(status.runtime.causes.is_empty() && status.configuration.causes.is_empty(), "{status:?}");
    assert_eq!(world.control.alarms(world.now_ms), []);
}

#[test]
fn a_switch_that_is_off_does_not_hold_up_the_others() {
    let mut world = World::new(2);
    world.power(SwitchId(5), false);
    world.run_for(2_000);
    assert_eq!(world.control.status().published.generation, 0, "it may still come");
    world.run_for(3_000);
    world.check_converged().expect("15 switches are enough");
    assert_eq!(world.control.device_state(SwitchId(5)), DeviceState::Unknown);
    world.power(SwitchId(5), true);
    world.run_for(2_000);
    world.check_converged().expect("the last one is there");
    world.check_links().expect("all links work");
}

#[test]
fn a_switch_that_says_so_and_does_not_is_quarantined() {
    let mut world = World::new(3);
    world.fabric.agent_mut(SwitchId(3)).switch_mut().fault = SwitchFault::Ignores;
    world.run_for(300_000);
    assert_eq!(world.control.device_state(SwitchId(3)), DeviceState::Quarantined);
    world.fabric.agent_mut(SwitchId(3)).switch_mut().fault = SwitchFault::None;
    world.run_for(60_000);
    assert_eq!(world.control.device_state(SwitchId(3)), DeviceState::Quarantined, "an operator must release it");
    world.control.handle(world.now_ms, Input::ReleaseDevice(SwitchId(3)));
    world.run_for(1_000);
    world.check_converged().expect("it does as told now");
}

#[test]
fn an_agent_takes_no_orders_of_an_older_manager() {
    let mut world = World::new(4);
    world.run_for(1_000);
    world.restart_manager();
    world.run_for(1_000);
    world.check_converged().expect("the new one finds everything as it should be");
    let before = world.fabric.agent(SwitchId(0)).switch().routes_hash();
    let stale = philae_agent::ToAgent {
        epoch: 1,
        request: 7,
        body: Some(philae_agent::ToBody::Stage(philae_agent::StageEntries { replace: true, ..Default::default() })),
    };
    let answer = world.fabric.agent_mut(SwitchId(0)).handle(0, stale).and_then(|answer| answer.body);
    let Some(philae_agent::FromBody::Ack(ack)) = answer else { panic!("an order is answered") };
    assert_eq!(ack.outcome, philae_agent::OrderOutcome::StaleEpoch as i32);
    assert_eq!(world.fabric.agent(SwitchId(0)).switch().routes_hash(), before);
}

#[test]
fn a_manager_that_starts_again_sends_nothing_where_nothing_changed() {
    let mut world = World::new(5);
    world.run_for(1_000);
    world.restart_manager();
    world.run_for(1_000);
    world.check_converged().expect("all is as it was");
    let (_, out) = world.control.messages();
    assert_eq!(out, 16, "a welcome for each agent and no more");
}

#[test]
fn exchanged_cables_are_named() {
    let mut world = World::new(6);
    world.run_for(1_000);
    let links: Vec<PortIndex> = world.fabric.wiring().links().map(|(port, _)| port).collect();
    let (one, other) = (links[0], links[30]);
    world.fabric.exchange(one, other);
    world.run_for(1_000);
    let alarms = world.control.alarms(world.now_ms);
    let cables: Vec<_> = alarms
        .iter()
        .filter_map(|alarm| match &alarm.kind {
            AlarmKind::Cable(fault) => Some(fault.clone()),
            _ => None,
        })
        .collect();
    let wiring = world.fabric.wiring();
    let far = |port| wiring.peer(port).expect("a link has two ends");
    let ends =
        |one: PortIndex, other: PortIndex| philae_manager_core::CableFault::Exchanged(one.min(other), one.max(other));
    let told = ends(one, other).min(ends(far(one), far(other)));
    assert_eq!(cables, [told].to_vec(), "both ends of the two cables say the same: it is told once");
    world.check_converged().expect("traffic does not use them");
}

#[test]
fn a_link_that_flaps_is_isolated_until_it_is_released() {
    let mut world = World::new(7);
    world.run_for(1_000);
    let link = any_link(&mut world);
    for _ in 0..3 {
        world.fabric.set_link(link, false);
        world.run_for(10);
        world.fabric.set_link(link, true);
        world.run_for(10_000);
    }
    let view = world.control.link_view(world.now_ms, link).expect("it is a link");
    assert_eq!(view.unusable.map(|(why, _)| why), Some(Unusable::Isolated), "{view:?}");
    world.run_for(10_000_000);
    assert!(world.control.link_view(world.now_ms, link).expect("it is a link").unusable.is_some());
    world.control.handle(world.now_ms, Input::ReleaseLink(link));
    world.run_for(1_000);
    world.check_links().expect("it carries traffic again");
}

#[test]
fn a_switch_that_starts_again_is_no_fault_of_its_links() {
    let mut world = World::new(8);
    world.run_for(1_000);
    for _ in 0..5 {
        world.power(SwitchId(2), false);
        world.run_for(5_000);
        world.power(SwitchId(2), true);
        world.run_for(20_000);
    }
    world.check_converged().expect("it is back");
    world.check_links().expect("none of its links is isolated");
}

/// Makes a port report that it is up and hears no neighbour, as a driver would.
fn hears_nobody(world: &mut World, port: PortIndex) {
    use philae_agent::{FromAgent, FromBody, PortReport, PortReports};
    let (switch, number) = world.fabric.wiring().split(port);
    let report = PortReport { port: u32::from(number.0), state: 1, neighbour: 0, losses: 0 };
    let body = FromBody::Ports(PortReports { number: 1, ports: vec![report] });
    let message: FromAgent = body.into();
    world.control.handle(world.now_ms, Input::Message(switch, message));
}

#[test]
fn a_link_whose_neighbour_is_no_longer_heard_is_not_trusted() {
    let mut world = World::new(11);
    world.run_for(10_000);
    let link = any_link(&mut world);
    hears_nobody(&mut world, link);
    world.control.flush(world.now_ms);
    let view = world.control.link_view(world.now_ms, link).expect("a link");
    assert_eq!(view.unusable.map(|(why, _)| why), Some(Unusable::Unheard(link)));
    let alarms = world.control.alarms(world.now_ms);
    assert!(alarms.iter().any(|alarm| alarm.kind == AlarmKind::Link(link, Unusable::Unheard(link))), "{alarms:?}");
    assert_ne!(world.control.status().configuration.health, HealthLevel::Healthy);
}

#[test]
fn links_between_living_switches_that_are_cut_part_the_fabric_and_a_dead_switch_does_not() {
    let mut world = World::new(12);
    world.run_for(10_000);
    let wiring = world.fabric.wiring().clone();
    world.power(SwitchId(5), false);
    world.run_for(1_000);
    let reach = world.control.reach();
    assert_eq!((reach.parts.len(), reach.dead.as_slice(), reach.switch_pairs), (1, &[SwitchId(5)][..], 0));
    assert_eq!(world.control.status().traffic.health, HealthLevel::Unhealthy, "its NICs have no path");
    let alarms = world.control.alarms(world.now_ms);
    let dead: Vec<_> = alarms.iter().filter(|alarm| matches!(alarm.kind, AlarmKind::Device(..))).collect();
    assert_eq!((alarms.len(), dead.len(), dead[0].nics.len()), (1, 1, 2), "{alarms:?}");
    assert_eq!(dead[0].health, HealthLevel::Unhealthy);
    world.power(SwitchId(5), true);
    world.run_for(20_000);
    assert_eq!(world.control.reach().dead, []);
    for (port, far) in wiring.links() {
        if wiring.group_of(wiring.split(port).0) != wiring.group_of(wiring.split(far).0) {
            world.fabric.set_link(port, false);
        }
    }
    world.run_for(1_000);
    let (reach, status) = (world.control.reach(), world.control.status());
    assert_eq!((reach.parts.len(), reach.switch_pairs, reach.nic_pairs), (4, 6 * 4 * 4, 6 * 8 * 8));
    assert_eq!(status.traffic.health, HealthLevel::Unhealthy);
    let alarms = world.control.alarms(world.now_ms);
    assert!(matches!(&alarms[0].kind, AlarmKind::Parted(first) if first.len() == 4), "{alarms:?}");
    assert_eq!(alarms.len(), 1, "the links are told with it: {alarms:?}");
}
