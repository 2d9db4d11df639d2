//! Cores that are late by a law.

use crate::common::{config, job, run, topology};
use philae_fabric::{ExecutionOptions, FabricConfig, HostLaws, RunOptions};
use philae_nic_model::{ExponentialJitter, HostJitter, PeriodicJitter};
use philae_results::record::RunRecord;
use philae_topology::DragonflyDescription;

fn ran(jitter: Option<HostJitter>, workload: &str, ranks: u32, partitions: u32, seed: u64) -> RunRecord {
    let execution = ExecutionOptions { partitions, ..ExecutionOptions::default() };
    let options = RunOptions { seed, execution, ..RunOptions::default() };
    let config = FabricConfig { laws: HostLaws { jitter, ..HostLaws::default() }, ..config("slingshot") };
    let topology = topology(DragonflyDescription::uniform(3, 2, 8, 1));
    run(&topology, config, options, vec![job("job", 0..ranks, workload, 1)]).expect("it runs")
}

const EXPONENTIAL: HostJitter = HostJitter::Exponential(ExponentialJitter { mean_ns: 200 });

/// Times of the iterations of rank 0, in nanoseconds, shortest first.
fn iterations(record: &RunRecord) -> Vec<f64> {
    let own = record.iterations.iter().filter(|row| row.rank.0 == 0);
    let mut times: Vec<f64> = own.map(|row| (row.end - row.start).0 as f64 / 1_000.0).collect();
    times.sort_by(f64::total_cmp);
    times
}

#[test]
fn exponential_jitter_has_its_mean_and_a_tail() {
    let turns = "kind = 'ping-pong'\nbytes = '8B'\niterations = 4000";
    let mean = |times: &[f64]| times.iter().sum::<f64>() / times.len() as f64;
    let (plain, late) = (iterations(&ran(None, turns, 2, 1, 1)), iterations(&ran(Some(EXPONENTIAL), turns, 2, 1, 1)));
    // A turn has four steps: a send and a receive at each end.
    let more = mean(&late) - mean(&plain);
    assert!((more / 800.0 - 1.0).abs() < 0.05, "{more} ns more than without, at 200 a step");
    let tail = |times: &[f64]| times[times.len() * 99 / 100] - times[times.len() / 2];
    assert!(tail(&late) > tail(&plain) + 800.0, "p99 is {} ns above the median, and {}", tail(&late), tail(&plain));
}

#[test]
fn periodic_jitter_takes_its_part_of_a_computation() {
    let work = "kind = 'halo3d'\ncompute = '1ms'\niterations = 5";
    let law = |pause_ns| HostJitter::Periodic(PeriodicJitter { period_us: 20, pause_ns });
    let time = |jitter| ran(jitter, work, 8, 1, 1).simulated.0 as f64;
    let (plain, late) = (time(None), time(Some(law(5_000))));
    // 15 of 20 us are left.
    assert!((late / plain / (20.0 / 15.0) - 1.0).abs() < 0.02, "{late} ps, {plain} without");
    assert_eq!(time(Some(law(0))), plain, "pauses of no length change nothing");
}

#[test]
fn jitter_depends_on_the_seed_and_not_on_partitions() {
    let all = "kind = 'alltoall'\nbytes = '20KiB'\niterations = 2";
    for law in [EXPONENTIAL, HostJitter::Periodic(PeriodicJitter { period_us: 3, pause_ns: 700 })] {
        let digest = |partitions, seed| ran(Some(law.clone()), all, 48, partitions, seed).digest;
        assert_eq!(digest(1, 1), digest(3, 1), "{law:?}");
        assert_ne!(digest(1, 1), digest(1, 2), "{law:?}");
        assert_ne!(digest(1, 1), ran(None, all, 48, 1, 1).digest, "{law:?}");
    }
}

#[test]
fn a_core_that_is_always_paused_is_refused() {
    let topology = topology(DragonflyDescription::uniform(1, 2, 2, 1));
    let jitter = Some(HostJitter::Periodic(PeriodicJitter { period_us: 1, pause_ns: 1_000 }));
    let config = FabricConfig { laws: HostLaws { jitter, ..HostLaws::default() }, ..config("slingshot") };
    let found =
        run(&topology, config, RunOptions::default(), vec![job("a", [0, 1], "kind = 'ping-pong'\niterations = 1", 1)]);
    let text = found.expect_err("it cannot run").to_string();
    assert!(text.contains("hardware.jitter.pause_ns is 1000") && text.contains("shorter"), "{text}");
}
