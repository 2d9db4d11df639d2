//! Collectives in the switches on links that err, with parts that fail, behind the packet engine
//! and next to lossy classes. Every rank ends every operation once, with every rank's part (the
//! audit compares), whatever the partitions.

use crate::common::{config, job, run, topology};
use philae_fabric::{
    ExecutionOptions, FabricConfig, FabricError, Fault, FaultKind, FaultTarget, Job, Resilience, RunOptions,
};
use philae_link_layer::{FecKind, LinkParameters};
use philae_nic_model::RetryParameters;
use philae_packet_engine::PacketEngine;
use philae_results::counter::CounterName;
use philae_results::fault::DiscardCause;
use philae_results::record::{IterationRow, RunRecord, RunStatus};
use philae_topology::{DragonflyDescription, PortPeer, PortRole, Topology};
use philae_traffic_class::{ClassSet, TrafficClass};
use philae_units::{ClassId, EndpointId, Picoseconds, PortIndex, SwitchId};

const NODES: u32 = 4 * 3 * 4;
const RANKS: u32 = NODES / 2;
const TURNS: u32 = 20;

fn dragonfly() -> std::sync::Arc<Topology> {
    topology(DragonflyDescription::uniform(4, 3, 4, 1))
}

fn offloaded(kind: &str) -> Vec<Job> {
    let workload = format!("kind = '{kind}'\nalgorithm = 'switch-offloaded'\niterations = {TURNS}\ncompute = '2us'");
    vec![
        job("offloaded", (0..NODES).step_by(2), &workload, 1),
        job("noise", (1..NODES).step_by(2), "kind = 'uniform-random'\nbytes = '4KiB'\niterations = 100", 1),
    ]
}

fn simulate(config: FabricConfig, partitions: u32, jobs: Vec<Job>) -> Result<RunRecord, FabricError> {
    let options = RunOptions {
        start_skew: Picoseconds::from_micros(3),
        time_limit: Picoseconds::from_micros(50_000),
        execution: ExecutionOptions { partitions, ..ExecutionOptions::default() },
        ..RunOptions::default()
    };
    run(&dragonfly(), config, options, jobs)
}

fn count(record: &RunRecord, name: CounterName) -> u64 {
    record.counters.iter().filter(|row| row.name == name).map(|row| row.value).sum()
}

/// A link that loses about one frame in a hundred.
fn noisy() -> LinkParameters {
    LinkParameters { bit_errors: 6, bit_errors_per_10_to: 7, fec: FecKind::None, ..LinkParameters::slingshot() }
}

fn resilient(law: &str, resilience: Resilience) -> FabricConfig {
    let mut config = config(law);
    config.nic.edge_pause = law != "aries";
    let retry = RetryParameters { packet_timeout_ns: 200_000, retry_step_ms: 0, unordered_delay_ms: 0, retries_max: 4 };
    config.resilience = Resilience { retry, reroute_ns: 5_000, pause_guard_ns: 50_000, ..resilience };
    (config.collectives.timeout_us, config.collectives.retry_us) = (100, 100);
    config
}

/// Checks that one, two and three partitions give the same result.
fn same_for_all(config: &FabricConfig, jobs: impl Fn() -> Vec<Job>) -> RunRecord {
    let one = simulate(config.clone(), 1, jobs()).expect("it runs");
    for partitions in [2, 3] {
        let many = simulate(config.clone(), partitions, jobs()).expect("it runs");
        assert_eq!(one.digest, many.digest, "{partitions} partitions");
        assert_eq!(format!("{:?}", one.iterations), format!("{:?}", many.iterations));
        assert_eq!(format!("{:?}", one.counters), format!("{:?}", many.counters));
    }
    one
}

/// Iterations of the job with the tree.
fn of_job(record: &RunRecord) -> Vec<&IterationRow> {
    record.iterations.iter().filter(|row| row.job.0 == 0).collect()
}

/// Checks that every rank has ended every operation, once.
fn is_complete(record: &RunRecord) {
    assert_ne!(record.status, RunStatus::TimeLimit);
    let mut ended: Vec<(u32, u32)> = of_job(record).into_iter().map(|row| (row.rank.0, row.iteration)).collect();
    ended.sort_unstable();
    let all: Vec<(u32, u32)> = (0..RANKS).flat_map(|rank| (0..TURNS).map(move |turn| (rank, turn))).collect();
    assert_eq!(ended, all);
}

/// Checks that no rank ends an operation before all have begun it: the promise of an allreduce and
/// a barrier, by switches or messages.
fn no_rank_is_early(record: &RunRecord) {
    for turn in 0..TURNS {
        let of_turn = || of_job(record).into_iter().filter(|row| row.iteration == turn);
        let last_in = of_turn().map(|row| row.start).max().expect("rows");
        assert!(of_turn().all(|row| row.end > last_in), "turn {turn}");
    }
}

#[test]
fn noise_on_the_links_changes_no_result_and_breaks_no_tree() {
    for law in ["slingshot", "none", "aries", "ecn"] {
        let kinds = if law == "slingshot" { vec!["allreduce", "barrier", "broadcast"] } else { vec!["allreduce"] };
        for kind in kinds {
            let config = resilient(law, Resilience { link: Some(noisy()), ..Resilience::default() });
            let record = same_for_all(&config, || offloaded(kind));
            is_complete(&record);
            let replayed: u64 = record
                .counters
                .iter()
                .filter(|row| row.name.as_str() == "hni_llr_tx_ok_lossless_rpt")
                .map(|row| row.value)
                .sum();
            assert!(replayed > 20, "{law} {kind}: {replayed} frames were sent again");
            assert_eq!((record.packets_discarded, count(&record, CounterName::TreesGivenUp)), (0, 0), "{law} {kind}");
            assert_eq!(count(&record, CounterName::ReductionFallbacks), 0, "{law} {kind}");
        }
    }
}

/// A fault in the middle of the run.
fn fault(target: FaultTarget, from: u64, until: u64) -> Resilience {
    let (start, until) = (Picoseconds::from_micros(from), Some(Picoseconds::from_micros(until)));
    Resilience { faults: vec![Fault { start, until, target, kind: FaultKind::Down }], ..Resilience::default() }
}

/// A link between switches that the tree of the job uses: from the switch of the root towards
/// another group.
fn link_of_the_tree(topology: &Topology) -> PortIndex {
    let root = topology.switch_of_endpoint(EndpointId(0));
    let used = |port: &PortIndex| topology.switch_of(*port) == root && topology.port(*port).role == PortRole::Local;
    (0..topology.port_count() as u32).map(PortIndex).find(used).expect("a link to the next switch")
}

#[test]
fn ranks_fall_back_to_messages_when_a_link_or_switch_of_the_tree_dies() {
    let topology = dragonfly();
    let link = FaultTarget::Link(link_of_the_tree(&topology));
    // Switch 1 is in the group of the root: the tree needs it at least for its own members.
    let switch = FaultTarget::Switch(SwitchId(1));
    for (target, cause, until) in [(link, DiscardCause::LinkDown, 20_000), (switch, DiscardCause::SwitchDown, 600)] {
        for kind in ["allreduce", "barrier", "broadcast"] {
            let config = resilient("slingshot", fault(target, 30, until));
            let record = same_for_all(&config, || offloaded(kind));
            is_complete(&record);
            if kind != "broadcast" {
                no_rank_is_early(&record);
            }
            let lost = record.discards.iter().filter(|row| row.cause == cause).map(|row| row.packets).sum::<u64>();
            assert!(lost > 0, "{kind} {target:?}: the fault takes something");
            assert_eq!(count(&record, CounterName::TreesGivenUp), 1, "{kind} {target:?}");
            assert_eq!(
                count(&record, CounterName::ReductionFallbacks),
                u64::from(RANKS),
                "all agree: {kind} {target:?}"
            );
            // The fault struck in the middle: the switches did some operations, messages the rest.
            let before = of_job(&record).into_iter().filter(|row| row.end < Picoseconds::from_micros(30)).count();
            assert!(before > RANKS as usize && before < (RANKS * (TURNS - 5)) as usize, "{kind}: {before}");
        }
    }
}

#[test]
fn every_rank_finishes_whenever_a_fault_occurs() {
    // Anything may be on its way when the link fails: arms, contributions, results.
    let topology = dragonfly();
    let used: Vec<PortIndex> = (0..topology.port_count() as u32)
        .map(PortIndex)
        .filter(|&port| {
            matches!(topology.port(port).peer, PortPeer::Port(_)) && topology.switch_of(port) == SwitchId(0)
        })
        .collect();
    let mut given_up = 0;
    for step in 0..40_u64 {
        let target = FaultTarget::Link(used[step as usize % used.len()]);
        let start = Picoseconds(3_000_000 + step * 1_337_000);
        let fault = Fault { start, until: None, target, kind: FaultKind::Down };
        let config = resilient("slingshot", Resilience { faults: vec![fault], ..Resilience::default() });
        let record = simulate(config, 1, offloaded("allreduce")).expect("it runs");
        is_complete(&record);
        no_rank_is_early(&record);
        let broken = count(&record, CounterName::TreesGivenUp);
        assert_eq!(count(&record, CounterName::ReductionFallbacks), broken * u64::from(RANKS), "step {step}");
        given_up += broken;
    }
    assert!(given_up > 10, "{given_up} of 40 links were in the tree");
}

#[test]
fn packets_of_trees_pass_the_packet_engine_by_and_others_meet_it() {
    let mut config = config("slingshot");
    let engine: PacketEngine = toml::from_str("programs = ['vxlan-edge', 'vni-isolation']").expect("a section");
    config.packet_engine = Some(engine.program().expect("a program"));
    let record = same_for_all(&config, || offloaded("allreduce"));
    is_complete(&record);
    assert!(!record.packet_engine.is_empty() && record.packets_discarded == 0);
    let plain = simulate(crate::common::config("slingshot"), 1, offloaded("allreduce")).expect("it runs");
    assert_eq!(count(&record, CounterName::ReductionResults), count(&plain, CounterName::ReductionResults));
}

#[test]
fn other_classes_may_be_lossy_and_the_trees_own_may_not() {
    let mut config = resilient("slingshot", Resilience::default());
    let lossy = TrafficClass { lossy: true, queue_max_bytes: Some(4_096), ..TrafficClass::named("lossy") };
    config.classes = ClassSet::new(vec![TrafficClass::named("tree"), lossy], 8).expect("a legal set");
    let jobs = |of_tree: u8| {
        let mut jobs = offloaded("allreduce");
        (jobs[0].class, jobs[1].class) = (ClassId(of_tree), ClassId(1));
        jobs
    };
    let record = same_for_all(&config, || jobs(0));
    is_complete(&record);
    assert_eq!(count(&record, CounterName::TreesGivenUp), 0);
    let error = simulate(config, 1, jobs(1)).map(|_| ()).expect_err("refused").to_string();
    assert!(error.contains("a class with flow control for this job") && error.contains("offloaded"), "{error}");
}
