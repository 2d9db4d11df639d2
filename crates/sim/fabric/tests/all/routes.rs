//! Fabrics that forward by published tables. Undamaged, they are as fast as the topology's own
//! routes. Degraded, they deliver what can be reached, nothing waits in a circle, and partitions do
//! not show.

use std::ops::ControlFlow;
use std::sync::Arc;

use crate::common::{config, job, topology, without_responses};
use philae_engine::RandomStream;
use philae_fabric::{
    ExecutionOptions, FabricConfig, FabricError, Fault, FaultKind, FaultTarget, Job, RecordOptions, Resilience,
    RunOptions, Simulation,
};
use philae_nic_model::RetryParameters;
use philae_path::RoutingMode;
use philae_results::fault::DiscardCause;
use philae_results::record::{RunRecord, RunStatus};
use philae_route_tables::{FabricWiring, LinkChange, LiveLinks, Parameters, RoutePlan, VerifyReport, verify};
use philae_topology::{DragonflyDescription, FatTreeDescription, GraphDescription, SystemDescription, Topology};
use philae_units::{EndpointId, GroupId, Picoseconds, PortIndex, SwitchId};

const MODES: [RoutingMode; 3] = [RoutingMode::Minimal, RoutingMode::Valiant, RoutingMode::Adaptive];

fn dragonfly(links: u32) -> Arc<Topology> {
    topology(DragonflyDescription::uniform(6, 4, 4, links))
}

fn tree() -> Arc<Topology> {
    let text = "leaves = 4\nendpoints_per_leaf = 4\nspines = 3\ncores = { pods = 3, per_plane = 2 }\n";
    let tree: FatTreeDescription = toml::from_str(text).expect("a fat tree of three levels");
    topology(SystemDescription::from(tree))
}

/// Eight switches in a ring with chords.
fn graph() -> Arc<Topology> {
    let ring = (0..8).map(|switch| [switch, (switch + 1) % 8]);
    let links: Vec<[u32; 2]> = ring.chain([[0, 4], [1, 5], [2, 6], [3, 7]]).collect();
    topology(GraphDescription::regular(8, 3, &links))
}

fn wiring(topology: &Topology) -> Arc<FabricWiring> {
    Arc::new(FabricWiring::of(topology).expect("64 ports at most"))
}

/// Tables without these links.
fn without(topology: &Topology, dead: impl IntoIterator<Item = PortIndex>) -> RoutePlan {
    let wiring = wiring(topology);
    let mut links = LiveLinks::all(&wiring);
    for port in dead {
        links.set(&wiring, LinkChange { port, up: false });
    }
    RoutePlan::new(wiring, Some(links), Parameters::default())
}

fn fabric_links(topology: &Topology) -> Vec<PortIndex> {
    wiring(topology).links().map(|(port, _)| port).collect()
}

/// Links between two groups, each named once for both directions.
fn between(topology: &Topology, one: u32, other: u32) -> Vec<PortIndex> {
    let wiring = wiring(topology);
    let group = |port| wiring.group_of(wiring.split(port).0);
    let wanted = [GroupId(one), GroupId(other)];
    wiring.links().filter(|&(port, peer)| wanted == [group(port), group(peer)]).map(|(port, _)| port).collect()
}

fn setup(mode: RoutingMode, ordered: bool) -> FabricConfig {
    let mut config = without_responses(config("slingshot"));
    config.routing.mode = mode;
    config.nic.ordered = ordered;
    let retry = RetryParameters { packet_timeout_ns: 200_000, retry_step_ms: 1, unordered_delay_ms: 1, retries_max: 2 };
    config.resilience = Resilience { retry, reroute_ns: 5_000, pause_guard_ns: 50_000, ..Resilience::default() };
    config
}

fn options(partitions: u32) -> RunOptions {
    let time_limit = Picoseconds::from_micros(60_000_000);
    RunOptions {
        time_limit,
        execution: ExecutionOptions {
            partitions,
            far_ports_min: 0,
            block_ports_min: 0,
            block_events_min: 0,
            ..ExecutionOptions::default()
        },
        records: RecordOptions { flows: true, ..RecordOptions::default() },
        ..RunOptions::default()
    }
}

fn alltoall(topology: &Topology, bytes: &str) -> Vec<Job> {
    let nodes = 0..topology.node_count() as u32;
    vec![job("alltoall", nodes, &format!("kind = 'alltoall'\nbytes = '{bytes}'\niterations = 1"), 1)]
}

fn run(
    topology: &Arc<Topology>,
    config: FabricConfig,
    options: RunOptions,
    jobs: Vec<Job>,
    plan: RoutePlan,
) -> Result<RunRecord, FabricError> {
    Simulation::by_tables(Arc::clone(topology), config, options, jobs, plan)?.run(&mut |_| ControlFlow::Continue(()))
}

fn delivered(record: &RunRecord) -> (usize, u64) {
    (record.messages.len(), record.messages.iter().map(|row| row.bytes.0).sum())
}

/// Number of switches that packets of a run cross if each takes a shortest path over live links.
/// One link between groups of several switches is used if that is enough.
fn shortest(topology: &Topology, plan: &RoutePlan, record: &RunRecord) -> u64 {
    let wiring = plan.wiring();
    let distances = |from: SwitchId| {
        // By switch and number of global links taken: none, one, or more.
        let mut distances = vec![[u64::MAX; 3]; wiring.switch_count()];
        distances[from.index()][0] = 0;
        let mut queue = std::collections::VecDeque::from([(from, 0)]);
        while let Some((current, globals)) = queue.pop_front() {
            let live = plan.links().of(current);
            for port in (0..64_u8).filter(|port| live >> port & 1 == 1) {
                let peer = wiring.peer(wiring.port(current, philae_units::PortId(port))).expect("a live link");
                let (next_switch, _) = wiring.split(peer);
                let is_global = wiring.is_grouped() && wiring.global(current) >> port & 1 == 1;
                let then = (globals + usize::from(is_global)).min(2);
                if distances[next_switch.index()][then] == u64::MAX {
                    distances[next_switch.index()][then] = distances[current.index()][globals] + 1;
                    queue.push_back((next_switch, then));
                }
            }
        }
        distances.into_iter().map(|[none, one, more]| [none, one, more].into_iter().find(|&hops| hops != u64::MAX))
    };
    let all: Vec<Vec<Option<u64>>> =
        (0..wiring.switch_count()).map(|switch| distances(SwitchId::from_index(switch)).collect()).collect();
    let switch = |endpoint: EndpointId| topology.switch_of_endpoint(endpoint).index();
    let hops = |row: &philae_results::record::FlowRow| all[switch(row.source)][switch(row.destination)];
    record.flows.iter().map(|row| row.packets * (hops(row).expect("it was reached") + 1)).sum()
}

#[test]
fn undamaged_tables_give_paths_as_short_as_the_topology() {
    for system in [dragonfly(1), tree(), graph()] {
        let jobs = || alltoall(&system, "6KiB");
        let config = || setup(RoutingMode::Minimal, false);
        let plan = without(&system, []);
        let own = crate::common::run(&system, config(), options(1), jobs()).unwrap();
        let tables = run(&system, config(), options(1), jobs(), plan.clone()).unwrap();
        assert_eq!(tables.status, RunStatus::Completed);
        assert_eq!(delivered(&tables), delivered(&own));
        assert_eq!((tables.packets_injected, tables.packet_hops), (own.packets_injected, own.packet_hops));
        // No packet can take fewer, so each takes just as many.
        assert_eq!(tables.packet_hops, shortest(&system, &plan, &tables));
        assert_eq!(tables.packets_discarded, 0);
    }
}

#[test]
fn with_several_links_between_groups_paths_have_one_global_link_and_a_local_hop_at_either_end() {
    // A table lists ports for a group and not for each switch of it, so it does not say which
    // gateway is next to the destination.
    let system = dragonfly(2);
    let plan = without(&system, []);
    let config = || setup(RoutingMode::Minimal, false);
    let own = crate::common::run(&system, config(), options(1), alltoall(&system, "6KiB")).unwrap();
    let tables = run(&system, config(), options(1), alltoall(&system, "6KiB"), plan.clone()).unwrap();
    assert_eq!(own.packet_hops, shortest(&system, &plan, &own));
    let more = tables.packet_hops as f64 / own.packet_hops as f64;
    assert!((1.0..1.15).contains(&more), "{more}");
}

/// Checks what a degraded fabric delivers.
fn check_degraded(
    system: &Arc<Topology>,
    plan: &RoutePlan,
    config: &FabricConfig,
    what: &str,
) -> (RunRecord, VerifyReport) {
    let report = verify(plan).expect("sound");
    let record = run(system, config.clone(), options(1), alltoall(system, "6KiB"), plan.clone())
        .unwrap_or_else(|error| panic!("{what}: {error}"));
    assert_eq!(record.faults.len(), plan.dead_links().count(), "{what}");
    if report.unreachable_pairs == 0 {
        let nodes = system.node_count();
        assert_eq!(record.status, RunStatus::Completed, "{what}");
        assert_eq!(delivered(&record).0, nodes * (nodes - 1), "{what}");
        assert_eq!((record.packets_discarded, record.failures.len()), (0, 0), "{what}: {:?}", record.discards);
    }
    (record, report)
}

#[test]
fn every_reachable_endpoint_is_reached_with_random_dead_links() {
    let mut indirect = 0;
    for (which, system) in [dragonfly(1), dragonfly(2), tree(), graph()].into_iter().enumerate() {
        let links = fabric_links(&system);
        for seed in 0..5_u64 {
            let mut random = RandomStream::new(seed, which as u64, 7);
            let count = 1 + random.below(links.len() as u32 / 5);
            let dead: Vec<PortIndex> = (0..count).map(|_| links[random.below(links.len() as u32) as usize]).collect();
            let plan = without(&system, dead);
            for mode in MODES {
                for ordered in [false, true] {
                    let what = format!("system {which}, seed {seed}, {mode:?}, ordered: {ordered}");
                    indirect += check_degraded(&system, &plan, &setup(mode, ordered), &what).1.indirect_pairs;
                }
            }
        }
    }
    assert!(indirect > 0, "some groups have lost all links between them");
}

#[test]
fn groups_without_a_direct_link_and_a_group_that_came_apart() {
    let system = dragonfly(1);
    let wiring = wiring(&system);
    // All local links of a switch, and both links that join two pairs of groups.
    let alone = SwitchId(9);
    let local = fabric_links(&system).into_iter().filter(|&port| {
        let peer = wiring.peer(port).expect("a link");
        let (one, other) = (wiring.split(port).0, wiring.split(peer).0);
        wiring.group_of(one) == wiring.group_of(other) && (one == alone || other == alone)
    });
    let dead: Vec<PortIndex> = local.chain(between(&system, 0, 1)).chain(between(&system, 3, 4)).collect();
    assert!(wiring.global(alone) != 0, "it is left with a global link");
    let plan = without(&system, dead);
    for mode in MODES {
        let (record, report) = check_degraded(&system, &plan, &setup(mode, false), &format!("{mode:?}"));
        assert!(report.indirect_pairs >= 4 && plan.tables().own_entries().count() > 0);
        assert_eq!(report.unreachable_pairs, 0);
        let least = shortest(&system, &plan, &record);
        assert!(record.packet_hops >= least, "{} of {least}", record.packet_hops);
    }
}

#[test]
fn messages_to_unreachable_endpoints_fail_and_the_rest_arrive() {
    let system = dragonfly(1);
    let wiring = wiring(&system);
    let alone = SwitchId(5);
    let dead: Vec<PortIndex> = wiring
        .links()
        .filter(|&(port, peer)| wiring.split(port).0 == alone || wiring.split(peer).0 == alone)
        .map(|(port, _)| port)
        .collect();
    let plan = without(&system, dead);
    assert!(verify(&plan).expect("sound").unreachable_pairs > 0);
    let record =
        run(&system, setup(RoutingMode::Adaptive, false), options(1), alltoall(&system, "6KiB"), plan).unwrap();
    assert_eq!(record.status, RunStatus::Unfinished);
    let switch =
        |rank: u32| system.switch_of_endpoint(EndpointId(system.endpoints_of(philae_units::NodeId(rank)).start));
    assert!(!record.failures.is_empty());
    for row in &record.failures {
        assert!(
            (switch(row.source.0) == alone) != (switch(row.destination.0) == alone),
            "{} to {}",
            row.source.0,
            row.destination.0
        );
    }
    assert!(record.discards.iter().all(|row| row.cause == DiscardCause::NoRoute), "{:?}", record.discards);
}

#[test]
fn nothing_waits_in_a_circle_under_load_with_little_buffer() {
    for (which, system) in [dragonfly(1), graph()].into_iter().enumerate() {
        let links = fabric_links(&system);
        for (seed, mode) in MODES.into_iter().enumerate() {
            let mut random = RandomStream::new(seed as u64, which as u64, 11);
            let dead: Vec<PortIndex> =
                (0..links.len() / 6).map(|_| links[random.below(links.len() as u32) as usize]).collect();
            let plan = without(&system, dead);
            let mut config = setup(mode, seed == 1);
            config.congestion = philae_congestion::CongestionLaw::named("none").expect("a law");
            (config.switch.buffer_reserve_bytes, config.switch.buffer_shared_bytes) = (8_192, 0);
            let nodes = system.node_count() as u32;
            let jobs = vec![
                job("alltoall", 0..nodes, "kind = 'alltoall'\nbytes = '32KiB'\niterations = 1", 1),
                job("random", 0..nodes, "kind = 'uniform-random'\nbytes = '64KiB'\niterations = 8", 2),
            ];
            let record = run(&system, config, options(1), jobs, plan.clone())
                .unwrap_or_else(|error| panic!("system {which}, {mode:?}: {error}"));
            if verify(&plan).expect("sound").unreachable_pairs == 0 {
                assert_eq!(record.status, RunStatus::Completed);
                assert_eq!(record.failures.len(), 0);
            }
        }
    }
}

#[test]
fn tables_with_paths_up_and_down_a_tree_forward_packets() {
    // A ring of 24 is too long for eight classes.
    let links: Vec<[u32; 2]> = (0..24).map(|switch| [switch, (switch + 1) % 24]).collect();
    let ring = topology(GraphDescription::regular(24, 1, &links));
    let plan = without(&ring, []);
    assert!(verify(&plan).expect("sound").up_down > 0);
    for mode in MODES {
        for ordered in [false, true] {
            let record = run(&ring, setup(mode, ordered), options(1), alltoall(&ring, "32KiB"), plan.clone()).unwrap();
            assert_eq!((record.status, record.packets_discarded), (RunStatus::Completed, 0));
            assert_eq!(delivered(&record).0, 24 * 23);
        }
    }
}

#[test]
fn a_link_that_dies_while_the_tables_stay_is_left_out_by_its_switches() {
    // Two links between each two groups: the other one is left.
    let system = dragonfly(2);
    let micros = Picoseconds::from_micros;
    let fault = |until| Fault {
        start: micros(8),
        until,
        target: FaultTarget::Link(between(&system, 0, 1)[0]),
        kind: FaultKind::Down,
    };
    let mut config = setup(RoutingMode::Adaptive, false);
    config.resilience.faults = vec![fault(Some(micros(400)))];
    let record = run(&system, config.clone(), options(1), alltoall(&system, "16KiB"), without(&system, [])).unwrap();
    assert_eq!(record.status, RunStatus::Completed);
    assert!(record.packets_discarded > 0, "the link was busy");
    let named = |cause| matches!(cause, DiscardCause::LinkDown | DiscardCause::NoRoute);
    assert!(record.discards.iter().all(|row| named(row.cause)), "{:?}", record.discards);
    // The same tables with the fault forever: destinations that depend on that one port are named.
    config.routing.mode = RoutingMode::Minimal;
    config.resilience.faults = vec![fault(None)];
    let record = run(&system, config, options(1), alltoall(&system, "16KiB"), without(&system, [])).unwrap();
    assert!(record.discards.iter().any(|row| row.cause == DiscardCause::NoRoute), "{:?}", record.discards);
}

#[test]
fn other_wirings_unsound_tables_and_trees_are_refused() {
    let plan = without(&dragonfly(1), []);
    let system = dragonfly(2);
    let refused = |plan, jobs| match Simulation::by_tables(
        Arc::clone(&system),
        setup(RoutingMode::Adaptive, false),
        options(1),
        jobs,
        plan,
    ) {
        Ok(_) => panic!("it builds"),
        Err(error) => error.to_string(),
    };
    let message = refused(plan, alltoall(&system, "1KiB"));
    assert!(message.contains("another wiring"), "{message}");
    let offloading = "kind = 'allreduce'\nbytes = 32\nalgorithm = 'switch-offloaded'\niterations = 1";
    let message = refused(without(&system, []), vec![job("sum", 0..8, offloading, 1)]);
    assert!(message.contains("algorithm of software"), "{message}");
}

#[test]
fn partitions_do_not_show() {
    let system = dragonfly(2);
    let mut dead = between(&system, 0, 1);
    dead.extend(fabric_links(&system).into_iter().step_by(17));
    let plan = without(&system, dead);
    for mode in MODES {
        for ordered in [false, true] {
            let digest = |partitions| {
                let jobs = alltoall(&system, "16KiB");
                run(&system, setup(mode, ordered), options(partitions), jobs, plan.clone()).unwrap().digest
            };
            let one = digest(1);
            assert_eq!([digest(2), digest(6)], [one, one], "{mode:?}, ordered: {ordered}");
        }
    }
}
