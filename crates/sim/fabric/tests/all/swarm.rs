//! One seed draws a topology, a law, hardware and workloads; every run must complete, with all laws
//! checked.
//!
//! A failure prints its seed: `SWARM_SEED=n cargo test --release -p philae-fabric --test all swarm`
//! runs that one alone.

use crate::common::draw::{draw_config, draw_jobs, draw_topology};
use crate::common::run;
use philae_engine::RandomStream;
use philae_fabric::{ExecutionOptions, RecordOptions, RunOptions};
use philae_nic_model::ResponseScope;
use philae_results::record::RunStatus;
use philae_units::Picoseconds;

#[test]
fn random_scenarios_complete() {
    #[expect(clippy::disallowed_methods, reason = "a test may be told which seed to repeat")]
    let only: Option<u64> = std::env::var("SWARM_SEED").ok().and_then(|seed| seed.parse().ok());
    for seed in only.map_or(0..150, |seed| seed..seed + 1) {
        let mut random = RandomStream::new(seed, 0, 0);
        let topology = draw_topology(&mut random);
        let config = draw_config(&mut random);
        let mut same_draws = random.clone();
        let jobs = draw_jobs(&mut random, &topology, seed);
        let partitions = 1 + random.below(3);
        let options = RunOptions {
            seed,
            start_skew: Picoseconds::from_nanos(u64::from(random.below(3_000))),
            execution: ExecutionOptions { partitions, ..ExecutionOptions::default() },
            records: RecordOptions {
                sample_interval: Picoseconds::from_micros(u64::from(random.below(20))),
                flows: true,
                ..RecordOptions::default()
            },
            ..RunOptions::default()
        };
        let context = || format!("seed {seed}: {} {config:?}", topology.name());
        let record = run(&topology, config.clone(), options.clone(), jobs)
            .unwrap_or_else(|error| panic!("{}: {error}", context()));
        if seed % 3 == 0 {
            // Threads on every window, even if it has few events.
            let threads = 2 + (seed % 9 / 3) as u32;
            let options = RunOptions {
                execution: ExecutionOptions {
                    threads,
                    thread_events_min: 0,
                    far_ports_min: 0,
                    block_ports_min: 0,
                    block_events_min: [0, 4, 24][(seed / 9 % 3) as usize],
                    ..options.execution.clone()
                },
                ..options
            };
            let jobs = draw_jobs(&mut same_draws, &topology, seed);
            let again = run(&topology, config.clone(), options, jobs).expect("it ran on one thread");
            assert_eq!(record.digest, again.digest, "{threads} threads, {}", context());
        }
        assert_eq!(record.status, RunStatus::Completed, "{}", context());
        // A rank does not wait for the responses to what it has sent, nor for credit that it no
        // longer needs.
        let may_answer = config.nic.responses != ResponseScope::Switch;
        let most = if config.congestion.is_ultra_ethernet() { 300 } else { 100 };
        let in_flight = record.packets_injected - record.packets_delivered;
        assert!(in_flight == 0 || may_answer && in_flight < most, "{in_flight} packets, {}", context());
        for sample in &record.ports {
            let rate = topology.rate(sample.port);
            let most = record.sample_interval.0 * u64::from(rate.0) / 8_000_000 + 1;
            assert!(sample.bytes.0 <= most, "{}: a link carried more than its rate: {sample:?}", context());
            assert!(sample.stalled <= record.sample_interval, "{}: {sample:?}", context());
        }
    }
}
