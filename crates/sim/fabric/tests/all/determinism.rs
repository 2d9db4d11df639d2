//! The same seed gives the same run, whatever the number of partitions and threads; another seed
//! gives another.

use std::sync::Arc;

use crate::common::{config, job, run, run_by_reference, topology};
use philae_congestion::{CongestionLaw, InjectionScope};
use philae_fabric::{
    ActivityOptions, ExecutionOptions, FabricConfig, FabricError, Fault, FaultKind, FaultTarget, Job, RecordOptions,
    RunOptions,
};
use philae_link_layer::{FecKind, LinkParameters};
use philae_results::record::RunRecord;
use philae_topology::{DragonflyDescription, FatTreeDescription, PortRole, Topology};
use philae_units::{JobId, Picoseconds, PortIndex};

const NODES: u32 = 6 * 4 * 4;

fn jobs() -> Vec<Job> {
    vec![
        job("victim", (0..NODES).step_by(3), "kind = 'allreduce'\nbytes = '32KiB'\niterations = 6", 1),
        job("incast", (0..NODES).skip(1).step_by(3), "kind = 'incast'\nbytes = '64KiB'", 1),
        job("mix", (0..NODES).skip(2).step_by(3), "kind = 'uniform-random'\nbytes = '20KiB'", 1),
    ]
}

/// How a run is built and run.
type Runner = fn(&Arc<Topology>, FabricConfig, RunOptions, Vec<Job>) -> Result<RunRecord, FabricError>;

/// `far_ports_min`: if it is large, there are no separate blocks; if it is 0, each group of a
/// partition is a block. `block_events_min`: if it is 0, blocks are always separate; if it is
/// large, they are together for good after a while.
fn record(law: &str, ordered: bool, seed: u64, partitions: u32, blocks: (usize, u64)) -> RunRecord {
    record_by(run, law, ordered, seed, (partitions, blocks))
}

fn record_by(
    runner: Runner,
    law: &str,
    ordered: bool,
    seed: u64,
    (partitions, (far_ports_min, block_events_min)): (u32, (usize, u64)),
) -> RunRecord {
    let topology = topology(DragonflyDescription::uniform(6, 4, 4, 2));
    let mut config = config(law.split(' ').next().expect("a name"));
    if let (CongestionLaw::Slingshot(parameters), "slingshot by port") = (&mut config.congestion, law) {
        parameters.injection_scope = InjectionScope::Port;
        (parameters.reroute_threshold_bytes, parameters.reroute_stay_ns) = (8_192, 5_000);
    }
    config.nic.ordered = ordered;
    config.nic.edge_pause = law != "aries";
    let options = RunOptions {
        seed,
        time_limit: Picoseconds::from_micros(400),
        start_skew: Picoseconds::from_micros(2),
        execution: ExecutionOptions {
            partitions,
            far_ports_min,
            block_ports_min: 0,
            block_events_min,
            ..ExecutionOptions::default()
        },
        records: RecordOptions {
            sample_interval: Picoseconds::from_micros(10),
            flows: true,
            activities: Some(ActivityOptions {
                jobs: vec![JobId(0), JobId(2)],
                ranks_max: 9,
                from: Picoseconds::ZERO,
                until: Picoseconds::MAX,
                rows_of_rank_max: 40,
            }),
            ..RecordOptions::default()
        },
        ..RunOptions::default()
    };
    runner(&topology, config, options, jobs()).expect("it runs")
}

#[test]
fn partitions_and_blocks_do_not_show_in_the_result() {
    for law in ["slingshot", "slingshot by port", "none", "aries", "ecn", "pfc", "nscc", "rccc"] {
        for ordered in [false, true] {
            let whole = (usize::MAX, 0);
            let one = record_by(run_by_reference, law, ordered, 7, (1, whole));
            let (apart, at_times, together) = ((0, 0), (0, 4), (0, u64::MAX));
            for (partitions, blocks) in [
                (1, whole),
                (1, apart),
                (1, at_times),
                (1, together),
                (2, whole),
                (2, apart),
                (2, at_times),
                (3, apart),
                (6, apart),
                (64, whole),
            ] {
                let many = record(law, ordered, 7, partitions, blocks);
                assert_eq!(one.digest, many.digest, "{law}, {partitions} partitions");
                assert_eq!(one.packet_hops, many.packet_hops);
                assert_eq!(one.simulated, many.simulated);
                assert_eq!(format!("{:?}", one.messages), format!("{:?}", many.messages));
                assert_eq!(format!("{:?}", one.iterations), format!("{:?}", many.iterations));
                assert_eq!((&one.activities, one.activities_left_out), (&many.activities, many.activities_left_out));
                assert!(!one.activities.is_empty());
                assert_eq!(format!("{:?}", one.ports), format!("{:?}", many.ports));
                assert_eq!(format!("{:?}", one.flows), format!("{:?}", many.flows));
                assert_eq!(format!("{:?}", one.class_samples), format!("{:?}", many.class_samples));
                assert_eq!(one.congestion_counts, many.congestion_counts);
            }
        }
    }
}

#[test]
fn pods_of_a_fat_tree_are_partitions_too() {
    let tree = topology(FatTreeDescription::three_level(4, 4, 4, 4, 4));
    let record = |runner: Runner, partitions| {
        let jobs = vec![job("all", 0..64, "kind = 'uniform-random'\nbytes = '20KiB'\niterations = 20", 1)];
        let options = RunOptions {
            execution: ExecutionOptions { partitions, ..ExecutionOptions::default() },
            ..RunOptions::default()
        };
        runner(&tree, config("slingshot"), options, jobs).expect("it runs")
    };
    let one = record(run_by_reference, 1);
    let all_of = |record: &RunRecord| {
        let same = RunRecord { events: 0, model_bytes_peak: 0, ..record.clone() };
        format!("{same:?}")
    };
    // Even numbers, four or more, also divide the cores.
    for partitions in [1, 2, 4, 5, 6, 8, 30] {
        let many = record(run, partitions);
        assert_eq!(one.digest, many.digest, "{partitions} partitions");
        assert!(all_of(&one) == all_of(&many), "{partitions} partitions: the same digest, another record");
    }
}

/// A run with everything in it that may cross: faults, errors on links, and retries of both kinds.
fn faulty(
    runner: Runner,
    topology: &Arc<Topology>,
    law: &str,
    seed: u64,
    (partitions, threads): (u32, u32),
) -> RunRecord {
    let mut config = config(law);
    config.nic.edge_pause = law != "aries";
    // A link that loses about one frame in a hundred.
    let noisy = LinkParameters { bit_errors: 6, bit_errors_per_10_to: 7, ..LinkParameters::slingshot() };
    config.resilience.link = Some(LinkParameters { fec: FecKind::None, ..noisy });
    config.resilience.retry.packet_timeout_ns = 20_000;
    config.resilience.reroute_ns = 5_000;
    let down = |start_us, until, port| Fault {
        start: Picoseconds::from_micros(start_us),
        until: Some(Picoseconds::from_micros(until)),
        target: FaultTarget::Link(port),
        kind: FaultKind::Down,
    };
    let fabric = (0..topology.port_count() as u32).map(PortIndex);
    let mut links = fabric.filter(|&port| matches!(topology.port(port).role, PortRole::Local | PortRole::Global));
    let ports: Vec<PortIndex> = links.by_ref().step_by(7).take(2).collect();
    config.resilience.faults = vec![down(15, 40, ports[0]), down(25, 300, ports[1])];
    let nodes = topology.endpoint_count() as u32;
    let jobs = vec![
        job("all", (0..nodes).step_by(2), "kind = 'uniform-random'\nbytes = '20KiB'", seed),
        job("many", (1..nodes).step_by(2), "kind = 'incast'\nbytes = '16KiB'", seed),
    ];
    let options = RunOptions {
        seed,
        time_limit: Picoseconds::from_micros(60),
        start_skew: Picoseconds::from_micros(2),
        execution: ExecutionOptions {
            partitions,
            threads,
            thread_events_min: 0,
            far_ports_min: 0,
            block_ports_min: 0,
            block_events_min: 0,
            ..ExecutionOptions::default()
        },
        ..RunOptions::default()
    };
    runner(topology, config, options, jobs).expect("it runs")
}

#[test]
fn threads_do_not_show_in_the_result() {
    let systems = [
        topology(DragonflyDescription::uniform(6, 4, 4, 2)),
        topology(DragonflyDescription::uniform(3, 8, 6, 4)),
        topology(FatTreeDescription::three_level(4, 4, 4, 4, 4)),
    ];
    for (number, system) in systems.iter().enumerate() {
        for law in ["slingshot", "none"] {
            for seed in [1, 2] {
                let one = faulty(run_by_reference, system, law, seed, (1, 1));
                assert!(one.packet_hops > 2_000 && one.packets_discarded > 0, "{} packet-hops", one.packet_hops);
                for cut in [(1, 1), (1, 2), (1, 3), (1, 4), (6, 2)] {
                    let many = faulty(run, system, law, seed, cut);
                    let place = format!("system {number}, {law}, seed {seed}, partitions and threads {cut:?}");
                    assert_eq!(one.digest, many.digest, "{place}");
                    assert_eq!((one.packet_hops, one.simulated), (many.packet_hops, many.simulated), "{place}");
                    assert_eq!(one.retry_totals, many.retry_totals, "{place}");
                }
            }
        }
    }
}

#[test]
fn partitions_that_are_no_time_apart_are_refused() {
    let mut description = DragonflyDescription::uniform(3, 2, 2, 1);
    description.global.length_m = 0.0;
    description.global.length_max_m = None;
    let topology_of_one = topology(description);
    let mut config = config("slingshot");
    config.switch.credit_latency_ns = 0;
    let record = |partitions| {
        let jobs = vec![job("all", 0..12, "kind = 'barrier'\niterations = 3", 1)];
        run(
            &topology_of_one,
            config.clone(),
            RunOptions {
                execution: ExecutionOptions { partitions, ..ExecutionOptions::default() },
                ..RunOptions::default()
            },
            jobs,
        )
    };
    assert!(record(1).is_ok(), "one partition waits for nobody");
    assert!(record(2).expect_err("no lookahead").to_string().contains("in no time"));
}

#[test]
fn the_seed_decides() {
    assert_eq!(record("slingshot", false, 7, 1, (0, 0)).digest, record("slingshot", false, 7, 1, (0, 0)).digest);
    assert_ne!(record("slingshot", false, 7, 1, (0, 0)).digest, record("slingshot", false, 8, 1, (0, 0)).digest);
}
