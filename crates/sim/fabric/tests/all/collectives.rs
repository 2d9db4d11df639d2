//! Collectives in the network. Every rank ends with the operands of all ranks (the audit compares),
//! whatever the partitions; the laws of conservation hold for copies; the tree waits for a late
//! rank, by partial results and retries.

use crate::common::{config, job, run, topology};
use philae_fabric::{ExecutionOptions, FabricConfig, FabricError, Job, RunOptions};
use philae_results::counter::CounterName;
use philae_results::record::RunRecord;
use philae_topology::{DragonflyDescription, FatTreeDescription, GraphDescription, SystemDescription};
use philae_traffic_class::{ClassSet, TrafficClass};
use philae_units::Picoseconds;
use philae_workload::{Action, Idle, Op, OpHandle, Progress, RankProgram};

const OFFLOADED: [&str; 3] = [
    "kind = 'allreduce'\nalgorithm = 'switch-offloaded'\nbytes = '32B'\niterations = 20",
    "kind = 'barrier'\nalgorithm = 'switch-offloaded'\niterations = 20",
    "kind = 'broadcast'\nalgorithm = 'switch-offloaded'\nbytes = '8B'\niterations = 20",
];

fn simulate(
    description: impl Into<SystemDescription>,
    config: FabricConfig,
    partitions: u32,
    jobs: Vec<Job>,
) -> Result<RunRecord, FabricError> {
    let options = RunOptions {
        start_skew: Picoseconds::from_micros(3),
        time_limit: Picoseconds::from_micros(400_000),
        execution: ExecutionOptions {
            partitions,
            far_ports_min: 0,
            block_ports_min: 0,
            block_events_min: 0,
            ..ExecutionOptions::default()
        },
        ..RunOptions::default()
    };
    run(&topology(description), config, options, jobs)
}

fn count(record: &RunRecord, name: CounterName) -> u64 {
    record.counters.iter().filter(|row| row.name == name).map(|row| row.value).sum()
}

fn longest(record: &RunRecord) -> Picoseconds {
    record.iterations.iter().map(|row| Picoseconds(row.end.0 - row.start.0)).max().expect("iterations")
}

#[test]
fn every_shape_law_and_partition_gives_every_rank_the_result() {
    let shapes: [(SystemDescription, u32); 3] = [
        (DragonflyDescription::uniform(6, 4, 4, 2).into(), 96),
        (FatTreeDescription::two_level(8, 4, 4).into(), 32),
        (GraphDescription::regular(5, 2, &[[0, 1], [1, 2], [2, 3], [3, 4], [4, 0]]).into(), 10),
    ];
    for (shape, nodes) in shapes {
        for law in ["slingshot", "none", "aries", "ecn"] {
            if law == "ecn" && shape.graph.is_some() {
                continue; // Its four legs leave too little buffer for pauses.
            }
            for workload in OFFLOADED {
                let record = |partitions| {
                    let mut config = config(law);
                    config.nic.edge_pause = law != "aries";
                    let jobs = vec![
                        job("offloaded", (0..nodes).step_by(2), workload, 1),
                        job("noise", (1..nodes).step_by(2), "kind = 'uniform-random'\nbytes = '4KiB'", 1),
                    ];
                    simulate(shape.clone(), config, partitions, jobs).expect("it runs")
                };
                let one = record(1);
                let members = u64::from(nodes.div_ceil(2));
                assert_eq!(one.iterations.len() as u64, 20 * members, "{law}: {workload}");
                assert_eq!(count(&one, CounterName::ReductionsRefused), 0);
                assert_eq!(count(&one, CounterName::ReductionRetries), 0);
                for partitions in [2, 3] {
                    let many = record(partitions);
                    assert_eq!(one.digest, many.digest, "{law}, {partitions} partitions: {workload}");
                    assert_eq!(format!("{:?}", one.iterations), format!("{:?}", many.iterations));
                    assert_eq!(format!("{:?}", one.counters), format!("{:?}", many.counters));
                }
            }
        }
    }
}

#[test]
fn a_switch_collective_beats_messages_and_no_rank_leaves_a_barrier_early() {
    let dragonfly = || DragonflyDescription::uniform(8, 8, 8, 4);
    let median = |workload: &str, ranks: u32| {
        let record = simulate(dragonfly(), config("slingshot"), 1, vec![job("job", 0..ranks, workload, 1)]);
        let record = record.expect("it runs");
        let mut spans: Vec<u64> = record.iterations.iter().map(|row| row.end.0 - row.start.0).collect();
        spans.sort_unstable();
        spans[spans.len() / 2] / 1_000
    };
    for ranks in [64, 512] {
        let software = median("kind = 'allreduce'\nalgorithm = 'recursive-doubling'\niterations = 30", ranks);
        let switches = median("kind = 'allreduce'\nalgorithm = 'switch-offloaded'\niterations = 30", ranks);
        println!("8 B allreduce of {ranks} ranks: {software} ns by messages, {switches} ns by switches");
        assert!(switches < software, "{ranks} ranks: {switches} ns against {software} ns");
    }
    let record = simulate(dragonfly(), config("slingshot"), 1, vec![job("barrier", 0..64, OFFLOADED[1], 1)]);
    let record = record.expect("it runs");
    for turn in 0..20 {
        let of_turn = || record.iterations.iter().filter(|row| row.iteration == turn);
        let last_in = of_turn().map(|row| row.start).max().expect("64 rows");
        assert!(of_turn().all(|row| row.end > last_in), "turn {turn}");
    }
}

/// 32 ranks, of which one begins 250 us after the others.
fn late(timeout_us: u32, retry_us: u32, partitions: u32) -> RunRecord {
    let mut config = config("slingshot");
    config.collectives.timeout_us = timeout_us;
    config.collectives.retry_us = retry_us;
    let workload = "kind = 'allreduce'\nalgorithm = 'switch-offloaded'\nbytes = '32B'\niterations = 4";
    let mut jobs = vec![job("late", (0..96).step_by(3), workload, 1)];
    let inner = std::mem::replace(&mut jobs[0].programs[17], Box::new(Idle));
    jobs[0].programs[17] = Box::new(Late { inner, waited: false });
    simulate(DragonflyDescription::uniform(6, 4, 4, 2), config, partitions, jobs).expect("it runs")
}

/// A program that computes for 250 us before it begins.
struct Late {
    inner: Box<dyn RankProgram>,
    waited: bool,
}

impl RankProgram for Late {
    fn advance(&mut self, completed: Option<OpHandle>, actions: &mut Vec<Action>) -> Progress {
        if !self.waited && completed.is_none() {
            let op = Op::Compute { time: Picoseconds::from_micros(250) };
            actions.push(Action::Start(OpHandle(7_777), op));
            return Progress::Running;
        }
        let completed = if self.waited { completed } else { None };
        self.waited = true;
        self.inner.advance(completed, actions)
    }

    fn offloads(&self) -> bool {
        true
    }
}

#[test]
fn a_late_rank_is_waited_for_by_partial_results_or_by_retries() {
    // Long timeouts: only waiting.
    let patient = late(32_000, 32_000, 1);
    assert_eq!(count(&patient, CounterName::ReductionsPartial), 0);
    assert_eq!(count(&patient, CounterName::ReductionRetries), 0);
    // Engines run out of time at 100 us: partial results, and the late one passes alone.
    let partial = late(100, 32_000, 1);
    assert!(count(&partial, CounterName::ReductionsPartial) > 0);
    assert!(count(&partial, CounterName::ReductionsLate) > 0);
    assert_eq!(count(&partial, CounterName::ReductionRetries), 0);
    // The root runs out of time too, twice: the operation that the late rank missed starts again.
    let retried = late(50, 100, 1);
    assert_eq!(count(&retried, CounterName::ReductionRetries), 2);
    for record in [&patient, &partial, &retried] {
        assert_eq!(record.iterations.len(), 4 * 32);
        let waited = longest(record);
        assert!(waited > Picoseconds::from_micros(240) && waited < Picoseconds::from_micros(270), "{waited}");
    }
    for (timeout, retry, one) in [(100, 32_000, &partial), (50, 100, &retried)] {
        for partitions in [2, 3] {
            assert_eq!(late(timeout, retry, partitions).digest, one.digest, "{partitions} partitions");
        }
    }
}

#[test]
fn operations_that_switches_lack_are_refused_with_what_works() {
    let dragonfly = || DragonflyDescription::uniform(4, 4, 4, 2);
    let refused = |config, jobs| simulate(dragonfly(), config, 1, jobs).map(|_| ()).expect_err("refused").to_string();
    let same_node = job("both", [3, 3], OFFLOADED[0], 1);
    let error = refused(config("slingshot"), vec![same_node]);
    assert!(error.contains("endpoint 3 is in the tree twice"), "{error}");
    // Two trees through one port need 16 engines; there are 8.
    let jobs = || vec![job("one", [0, 4, 8], OFFLOADED[0], 1), job("two", [1, 5, 9], OFFLOADED[0], 1)];
    let twice = vec![job("one", [0, 4, 8], OFFLOADED[0], 1), job("two", [0, 4, 8], OFFLOADED[0], 1)];
    assert!(simulate(dragonfly(), config("slingshot"), 1, jobs()).is_err(), "the same uplinks lead to switch 0");
    let error = refused(config("slingshot"), twice);
    assert!(error.contains("job two") && error.contains("0 of 8 are free"), "{error}");
    let mut fewer = config("slingshot");
    fewer.collectives.reductions_per_tree = 4;
    assert!(simulate(dragonfly(), fewer.clone(), 1, jobs()).is_ok());
    fewer.collectives.reductions_per_tree = 9;
    let error = refused(fewer, jobs());
    assert!(error.contains("collectives.reductions_per_tree"), "{error}");
    let mut lossy = config("slingshot");
    let class = TrafficClass { lossy: true, ..TrafficClass::named("lossy") };
    lossy.classes = ClassSet::new(vec![class], 8).expect("a legal set");
    let error = refused(lossy, jobs());
    assert!(error.contains("a class with flow control"), "{error}");
}
