//! For any links that fail and recover: tables reach what live links reach, without a loop and
//! without a cycle of channels. Updated tables equal those of a cold start. No order of activation
//! leaves a loop at any moment.

use std::collections::{BTreeMap, BTreeSet};

use crate::common::{SYSTEMS, changes, wiring};
use philae_route_tables::{
    FabricWiring, ForwardingTable, LinkChange, LiveLinks, Parameters, RoutePlan, verify, verify_update,
};
use philae_units::SwitchId;
use proptest::prelude::*;

fn switches(wiring: &FabricWiring) -> impl Iterator<Item = SwitchId> + Clone + use<> {
    (0..wiring.switch_count()).map(SwitchId::from_index)
}

fn ports(mask: u64) -> impl Iterator<Item = u8> {
    (0..64_u8).filter(move |port| mask >> port & 1 == 1)
}

fn neighbour(wiring: &FabricWiring, switch: SwitchId, port: u8) -> SwitchId {
    let peer = wiring.peer(wiring.port(switch, philae_units::PortId(port))).expect("a candidate has a link");
    wiring.split(peer).0
}

/// Candidates of a switch's own table.
fn next(wiring: &FabricWiring, table: &ForwardingTable, current: SwitchId, target: SwitchId) -> u64 {
    let same = wiring.group_of(current) == wiring.group_of(target);
    table.toward(target, same.then(|| wiring.place_in_group(target)), wiring.group_of(target).index())
}

/// The first loop in the tables, found by trying every path.
fn find_loop(wiring: &FabricWiring, tables: &[ForwardingTable]) -> Option<(SwitchId, SwitchId)> {
    for target in switches(wiring).filter(|&target| wiring.edge(target) != 0) {
        let mut done = BTreeSet::new();
        for start in switches(wiring) {
            let mut open = BTreeSet::new();
            let mut stack = vec![(start, false)];
            while let Some((current, leaving)) = stack.pop() {
                if leaving {
                    open.remove(&current);
                    done.insert(current);
                    continue;
                }
                if current == target || done.contains(&current) {
                    continue;
                }
                if !open.insert(current) {
                    return Some((current, target));
                }
                stack.push((current, true));
                for port in ports(next(wiring, &tables[current.index()], current, target)) {
                    let next_switch = neighbour(wiring, current, port);
                    if open.contains(&next_switch) {
                        return Some((next_switch, target));
                    }
                    stack.push((next_switch, false));
                }
            }
        }
    }
    None
}

fn tables_of(plan: &RoutePlan) -> Vec<ForwardingTable> {
    switches(plan.wiring()).map(|switch| plan.tables().of(switch)).collect()
}

fn lost(wiring: &FabricWiring, numbers: &[u16]) -> LiveLinks {
    let mut links = LiveLinks::all(wiring);
    let numbers: Vec<(u16, bool)> = numbers.iter().map(|&number| (number, false)).collect();
    for change in changes(wiring, &numbers) {
        links.set(wiring, change);
    }
    links
}

/// Every channel (port, leg) with those for which a packet that holds it may ask next, by the
/// tables alone.
fn channels(plan: &RoutePlan) -> BTreeMap<(u32, u8), BTreeSet<(u32, u8)>> {
    let wiring = plan.wiring();
    let mut graph: BTreeMap<(u32, u8), BTreeSet<(u32, u8)>> = BTreeMap::new();
    let up_down: BTreeSet<SwitchId> =
        plan.tables().own_entries().filter(|own_entries| own_entries.1).map(|own_entries| own_entries.0).collect();
    for target in switches(wiring).filter(|&target| wiring.edge(target) != 0) {
        let kept = up_down.contains(&target).then_some(plan.parameters().legs - 1);
        let mut seen = BTreeSet::new();
        let mut stack: Vec<(SwitchId, Option<(u32, u8)>)> = switches(wiring).map(|start| (start, None)).collect();
        while let Some((current, held)) = stack.pop() {
            if current == target || !seen.insert((current, held)) {
                continue;
            }
            for port in ports(plan.tables().toward(wiring, current, target)) {
                let out = wiring.port(current, philae_units::PortId(port));
                let rank = |port: u32| {
                    let (switch, number) = wiring.split(philae_units::PortIndex(port));
                    wiring.rank(switch.index(), u32::from(number.0))
                };
                let leg = match (kept, held) {
                    (Some(leg), _) => leg,
                    (None, None) => 0,
                    (None, Some((came, leg))) => leg + u8::from(rank(out.0) <= rank(came)),
                };
                let channel = (out.0, leg);
                assert!(leg < plan.parameters().legs, "no way climbs further than there are classes");
                if let Some(held) = held {
                    graph.entry(held).or_default().insert(channel);
                }
                graph.entry(channel).or_default();
                stack.push((neighbour(wiring, current, port), Some(channel)));
            }
        }
    }
    graph
}

fn has_cycle(graph: &BTreeMap<(u32, u8), BTreeSet<(u32, u8)>>) -> bool {
    let mut waits: BTreeMap<(u32, u8), usize> = graph.keys().map(|&channel| (channel, 0)).collect();
    for next in graph.values().flatten() {
        *waits.get_mut(next).expect("every channel is in the graph") += 1;
    }
    let mut free: Vec<(u32, u8)> = waits.iter().filter(|wait| *wait.1 == 0).map(|wait| *wait.0).collect();
    let mut taken = 0;
    while let Some(channel) = free.pop() {
        taken += 1;
        for next in &graph[&channel] {
            let wait = waits.get_mut(next).expect("every channel is in the graph");
            *wait -= 1;
            if *wait == 0 {
                free.push(*next);
            }
        }
    }
    taken < graph.len()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    /// A cold start with any set of failed links.
    #[test]
    fn every_degraded_fabric_is_routed(which in 0..SYSTEMS, numbers in prop::collection::vec(any::<u16>(), 0..200)) {
        let wiring = wiring(which);
        let links = lost(&wiring, &numbers);
        let plan = RoutePlan::new(wiring, Some(links), Parameters::default());
        let report = verify(&plan);
        prop_assert!(report.is_ok(), "{report:?}");
        prop_assert_eq!(find_loop(plan.wiring(), &tables_of(&plan)), None);
        if plan.wiring().switch_count() <= 48 {
            prop_assert!(!has_cycle(&channels(&plan)));
        }
    }

    /// Tables that are updated step by step equal those of a cold start, and each step passes its
    /// own small proof.
    #[test]
    fn updates_are_what_a_cold_start_gives(
        which in 0..SYSTEMS,
        steps in prop::collection::vec(prop::collection::vec((any::<u16>(), any::<bool>()), 1..6), 1..40),
        wreck in prop::collection::vec(any::<u16>(), 0..30),
    ) {
        let wiring = wiring(which);
        let mut plan = RoutePlan::new(wiring.clone(), Some(lost(&wiring, &wreck)), Parameters::default());
        for step in &steps {
            let before = tables_of(&plan);
            let update = plan.update(&changes(&wiring, step));
            let cold = RoutePlan::new(wiring.clone(), Some(plan.links().clone()), Parameters::default());
            prop_assert_eq!(plan.tables(), cold.tables());
            let proof = verify_update(&plan, &update);
            prop_assert!(proof.is_ok(), "{:?}", proof);
            let mut after = before;
            for round in 0..update.rollout.rounds() {
                for delta in update.rollout.switches() {
                    after[delta.switch.index()].activate(&delta.entries, round);
                }
            }
            for switch in switches(&wiring) {
                prop_assert_eq!(after[switch.index()].hash(), plan.tables().hash_of(switch));
            }
        }
    }

    /// At any moment of a rollout, some switches have activated the round and some have not: there
    /// is no loop.
    #[test]
    fn no_moment_of_a_rollout_has_a_loop(
        which in 0..SYSTEMS,
        wreck in prop::collection::vec(any::<u16>(), 0..40),
        step in prop::collection::vec((any::<u16>(), any::<bool>()), 1..12),
        slow in any::<u64>(),
    ) {
        let wiring = wiring(which);
        let mut plan = RoutePlan::new(wiring.clone(), Some(lost(&wiring, &wreck)), Parameters::default());
        let mut tables = tables_of(&plan);
        let update = plan.update(&changes(&wiring, &step));
        for round in 0..update.rollout.rounds() {
            for late in [false, true] {
                for (number, delta) in update.rollout.switches().iter().enumerate() {
                    if (slow.rotate_left(u32::from(round) * 7) >> (number % 64) & 1 == 1) == late {
                        tables[delta.switch.index()].activate(&delta.entries, round);
                    }
                }
                let found = find_loop(&wiring, &tables);
                prop_assert!(found.is_none(), "{:?} in round {} of {:?}", found, round, update);
            }
        }
    }
}

/// The tests above would notice: both proofs catch a table with an entry that leads back.
#[test]
fn a_loop_is_found() {
    let wiring = wiring(1);
    let plan = RoutePlan::new(wiring.clone(), None, Parameters::default());
    let mut tables = tables_of(&plan);
    let (one, other, target) = (SwitchId(0), SwitchId(1), SwitchId(2));
    for (from, to) in [(one, other), (other, one)] {
        let back = ports(plan.tables().toward(&wiring, from, to)).next().expect("they are neighbours");
        tables[from.index()].set(philae_route_tables::Destination::Place(target.0), Some(1 << back));
    }
    assert!(find_loop(&wiring, &tables).is_some());
}

#[test]
fn a_ring_too_long_for_the_classes_goes_up_and_down_a_tree() {
    let plan = RoutePlan::new(wiring(6), None, Parameters::default());
    let report = verify(&plan).expect("a ring can be routed");
    assert!(report.up_down > 0, "{report:?}");
    assert_eq!(report.unreachable_pairs, 0);
    assert!(!has_cycle(&channels(&plan)));
}

#[test]
fn one_lost_link_changes_few_entries() {
    let wiring = wiring(1);
    let mut plan = RoutePlan::new(wiring.clone(), None, Parameters::default());
    let global =
        wiring.links().find(|&(port, _)| wiring.global(wiring.split(port).0) >> wiring.split(port).1.0 & 1 == 1);
    let port = global.expect("a dragonfly has global links").0;
    let update = plan.update(&[LinkChange { port, up: false }]);
    assert!(!update.everything);
    assert!(update.entries() <= 16, "8 switches on either side: {}", update.entries());
    let back = plan.update(&[LinkChange { port, up: true }]);
    assert_eq!(back.entries(), update.entries());
    assert_eq!(plan.tables(), RoutePlan::new(wiring, None, Parameters::default()).tables());
    let none = plan.update(&[LinkChange { port, up: true }]);
    assert_eq!((none.links, none.generation), (0, back.generation));
}
