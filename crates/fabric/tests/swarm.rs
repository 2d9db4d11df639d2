//! One seed draws a topology, a law, hardware and workloads; every run must complete, with all laws checked.
//!
//! A failure prints its seed: `SWARM_SEED=n cargo test --release -p philae-fabric --test swarm` runs that one alone.

mod common;

use std::sync::Arc;

use common::{config, job, run, topology};
use philae_cassini::{HostParameters, NicParameters};
use philae_engine::Stream;
use philae_fabric::{FabricConfig, Job, RunOptions};
use philae_measure::record::RunStatus;
use philae_routing::RoutingMode;
use philae_topology::{DragonflyDescription, FatTreeDescription, GraphDescription, Topology};
use philae_units::Picoseconds;

fn pick<T: Copy>(random: &mut Stream, choices: &[T]) -> T {
    choices[random.below(choices.len() as u32) as usize]
}

fn draw_topology(random: &mut Stream) -> Arc<Topology> {
    match random.below(4) {
        0 | 1 => {
            let (groups, switches) = (1 + random.below(6), 1 + random.below(5));
            let links = 1 + random.below(3);
            topology(DragonflyDescription::uniform(groups, switches, 2 + random.below(4), links))
        }
        2 => topology(FatTreeDescription::two_level(2 + random.below(6), 2 + random.below(4), 1 + random.below(4))),
        _ => {
            // A ring with chords.
            let switches = 4 + random.below(4);
            let mut links: Vec<[u32; 2]> = (0..switches).map(|at| [at, (at + 1) % switches]).collect();
            links.push([0, switches / 2]);
            topology(GraphDescription::regular(switches, 2, &links))
        }
    }
}

fn draw_config(random: &mut Stream) -> FabricConfig {
    let law = pick(random, &["slingshot", "none", "aries", "ecn"]);
    let mut config = config(law);
    config.nic = match random.below(4) {
        0 => NicParameters::connectx_5(),
        1 => NicParameters::cassini_1(),
        2 => NicParameters::cassini_2(),
        _ => NicParameters::aries(),
    };
    if random.below(2) == 0 {
        config.host = HostParameters::aries_mpi();
    }
    config.routing.mode = pick(random, &[RoutingMode::Adaptive, RoutingMode::Minimal, RoutingMode::Valiant]);
    if law == "ecn" {
        // Pauses need headroom for every leg of a graph's routes.
        config.switch.buffer_shared_bytes = 600_000;
    } else {
        config.switch.buffer_reserve_bytes = pick(random, &[4_300, 9_000, 16_384]);
        config.switch.buffer_shared_bytes = pick(random, &[0, 20_000, 212_992]);
    }
    config.nic.ordered = random.below(2) == 0;
    config.nic.edge_pause = random.below(2) == 0;
    config
}

fn draw_jobs(random: &mut Stream, topology: &Topology, seed: u64) -> Vec<Job> {
    let workloads = [
        "kind = 'incast'\nbytes = '40KiB'\niterations = 3",
        "kind = 'incast'\noperation = 'send'\nbytes = '3KiB'\niterations = 5",
        "kind = 'incast'\noperation = 'get'\nbytes = '30KiB'\niterations = 2",
        "kind = 'alltoall'\nbytes = '64B'\niterations = 2",
        "kind = 'alltoall'\nbytes = '5KiB'\niterations = 2",
        "kind = 'alltoall'\nbytes = '50KiB'\niterations = 1",
        "kind = 'allreduce'\nbytes = '40KiB'\niterations = 3",
        "kind = 'barrier'\niterations = 10",
        "kind = 'uniform-random'\nbytes = '9KiB'\niterations = 30",
        "kind = 'permutation'\noperation = 'send'\nbytes = '33KiB'\niterations = 10",
        "kind = 'broadcast'\nbytes = '20KiB'\niterations = 3",
        "kind = 'halo3d'\niterations = 3",
    ];
    let nodes = topology.node_count() as u32;
    let mut free: Vec<u32> = (0..nodes).collect();
    for at in (1..free.len()).rev() {
        free.swap(at, random.below(at as u32 + 1) as usize);
    }
    let mut jobs = Vec::new();
    while free.len() >= 2 && jobs.len() < 3 {
        let count = (2 + random.below(free.len() as u32 - 1)) as usize;
        let chosen: Vec<u32> = free.drain(..count.min(free.len())).collect();
        // Several ranks on a node now and then.
        let ranks: Vec<u32> =
            if random.below(3) == 0 { chosen.iter().chain(&chosen).copied().collect() } else { chosen };
        jobs.push(job("job", ranks, pick(random, &workloads), seed));
    }
    jobs
}

#[test]
fn whatever_is_drawn_completes() {
    #[expect(clippy::disallowed_methods, reason = "a test may be told which seed to repeat")]
    let only: Option<u64> = std::env::var("SWARM_SEED").ok().and_then(|seed| seed.parse().ok());
    for seed in only.map_or(0..150, |seed| seed..seed + 1) {
        let mut random = Stream::new(seed, 0, 0);
        let topology = draw_topology(&mut random);
        let config = draw_config(&mut random);
        let mut same_draws = random.clone();
        let jobs = draw_jobs(&mut random, &topology, seed);
        let partitions = 1 + random.below(3);
        let options = RunOptions {
            seed,
            partitions,
            start_skew: Picoseconds::from_nanos(u64::from(random.below(3_000))),
            sample_interval: Picoseconds::from_micros(u64::from(random.below(20))),
            record_flows: true,
            ..RunOptions::default()
        };
        let context = || format!("seed {seed}: {} {config:?}", topology.name());
        let record = run(&topology, config.clone(), options.clone(), jobs)
            .unwrap_or_else(|error| panic!("{}: {error}", context()));
        if seed % 3 == 0 {
            // Threads on every window, however little it has.
            let threads = 2 + (seed % 9 / 3) as u32;
            let options = RunOptions { threads, thread_events_min: 0, ..options };
            let jobs = draw_jobs(&mut same_draws, &topology, seed);
            let again = run(&topology, config.clone(), options, jobs).expect("it ran on one thread");
            assert_eq!(record.digest, again.digest, "{threads} threads, {}", context());
        }
        assert_eq!(record.status, RunStatus::Completed, "{}", context());
        assert_eq!(record.packets_injected, record.packets_delivered, "{}", context());
        for sample in &record.ports {
            let rate = topology.rate(sample.port);
            let most = record.sample_interval.0 * u64::from(rate.0) / 8_000_000 + 1;
            assert!(sample.bytes.0 <= most, "{}: a link carried more than its rate: {sample:?}", context());
            assert!(sample.stalled <= record.sample_interval, "{}: {sample:?}", context());
        }
    }
}
