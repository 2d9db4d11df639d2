//! Switches with more than 64 ports: nothing but the number of ports is different.

use std::ops::ControlFlow;
use std::sync::{Arc, Mutex};

use crate::common::channels::Channels;
use crate::common::{config, job, run, run_by_reference, topology};
use crate::zero_load::assert_closed_form;
use philae_fabric::{
    Checkpoint, CheckpointSource, ExecutionOptions, ExplainTarget, FabricConfig, Fault, FaultKind, FaultTarget, Job,
    Keeper, RecordOptions, RunOptions, Simulation,
};
use philae_path::RoutingMode;
use philae_results::counter::CounterName;
use philae_results::record::RunRecord;
use philae_switch::port::Fairness;
use philae_topology::{
    DragonflyDescription, FatTreeDescription, GraphDescription, PortPeer, PortRanges, SystemDescription, Topology,
    TopologyShape,
};
use philae_units::{Picoseconds, PortIndex, SwitchId};

fn with_radix(radix: usize, wiring: impl Into<SystemDescription>) -> SystemDescription {
    SystemDescription { radix, ..wiring.into() }
}

/// Three groups of four switches, which need 81 ports each: 70 endpoints, 3 local links, 8 global
/// ones.
fn dragonfly() -> Arc<Topology> {
    topology(with_radix(128, DragonflyDescription::uniform(3, 4, 70, 16)))
}

/// Four leaves of 64 endpoints below two spines: all switches use all of their 128 ports.
fn fat_tree() -> Arc<Topology> {
    topology(with_radix(128, FatTreeDescription { links_per_pair: 32, ..FatTreeDescription::two_level(4, 64, 2) }))
}

/// A switch that joins a hundred others, which are a ring too; three endpoints on each.
fn graph() -> Arc<Topology> {
    let (spokes, ring) = ((1..=100).map(|leaf| [0, leaf]), (1..=100).map(|leaf| [leaf, leaf % 100 + 1]));
    let links: Vec<[u32; 2]> = spokes.chain(ring).collect();
    topology(with_radix(103, GraphDescription::regular(101, 3, &links)))
}

fn with_fairness(law: &str, fairness: Fairness) -> FabricConfig {
    let mut hardware = config(law);
    hardware.switch.fairness = fairness;
    hardware
}

/// As many messages as there are packets of two kinds of job, some of which meet at one output.
fn jobs(ends: u32) -> Vec<Job> {
    let step = (ends / 60).max(1) as usize;
    vec![
        job("mix", (0..ends).step_by(step), "kind = 'uniform-random'\nbytes = '20KiB'\niterations = 6", 1),
        job("incast", (1..ends).step_by(step), "kind = 'incast'\nbytes = '16KiB'\nmessages = 8\niterations = 2", 1),
    ]
}

/// A hundred inputs of one switch send to one endpoint of it.
#[test]
fn an_output_with_a_hundred_active_inputs_is_fair_to_each() {
    for radix in [101, 128, 256] {
        let mut star = GraphDescription::regular(1, 101, &[]);
        if radix == 256 {
            // The receiver is on port 150, the last sender on the last port of all.
            star.endpoints[0].port = Some(150);
            star.endpoints[100].port = Some(255);
        }
        let topology = topology(with_radix(radix, star));
        for fairness in [Fairness::Input, Fairness::Flow] {
            let stream = "kind = 'one-sided'\npattern = 'one-to-many'\nbytes = '64KiB'\nwindow = 64";
            let jobs = (1..=100).map(|from| job("stream", [from, 0], stream, 1)).collect();
            let (warm_up, time_limit) = (Picoseconds::from_micros(100), Picoseconds::from_micros(400));
            let options = RunOptions { warm_up, time_limit, ..RunOptions::default() };
            let record = run(&topology, with_fairness("none", fairness), options, jobs).expect("it runs");
            let shares: Vec<u64> = record.jobs.iter().map(|job| job.delivered.0).collect();
            let (least, most) = (shares.iter().min().expect("100"), shares.iter().max().expect("100"));
            let packets: u64 = shares.iter().sum::<u64>() / 2_048;
            assert!(packets > 3_000, "{packets} packets");
            // A turn each: no input is more than two packets ahead at both ends of the time.
            assert!(most - least <= 2 * 2_048, "{fairness:?}, {radix} ports: {least} to {most} bytes");
        }
    }
}

/// The same wiring on the same switches with more ports: every message takes as long.
#[test]
fn unused_ports_change_no_time() {
    let described = |radix: usize| {
        let mut wiring = DragonflyDescription::uniform(6, 4, 4, 2);
        if radix > 64 {
            let last = (radix - 1) as u8;
            wiring.port_ranges = Some(PortRanges { edge: [0, 63], local: [64, last - 3], global: [last - 2, last] });
        }
        topology(with_radix(radix, wiring))
    };
    for (law, fairness, mode) in [
        ("none", Fairness::Input, RoutingMode::Adaptive),
        ("none", Fairness::Flow, RoutingMode::Valiant),
        ("slingshot", Fairness::Input, RoutingMode::Minimal),
        ("slingshot", Fairness::Flow, RoutingMode::Adaptive),
        ("aries", Fairness::Input, RoutingMode::Adaptive),
        ("ecn", Fairness::Input, RoutingMode::Adaptive),
        ("pfc", Fairness::Flow, RoutingMode::Adaptive),
        ("pfc", Fairness::Input, RoutingMode::Minimal),
    ] {
        let times = |radix| {
            let topology = described(radix);
            let mut hardware = with_fairness(law, fairness);
            hardware.routing.mode = mode;
            let options = RunOptions { time_limit: Picoseconds::from_micros(3_000), ..RunOptions::default() };
            let jobs = vec![
                job("mix", (0..96).step_by(2), "kind = 'uniform-random'\nbytes = '20KiB'\niterations = 10", 1),
                job("all", (1..96).step_by(2), "kind = 'alltoall'\nbytes = '9KiB'\niterations = 1", 1),
            ];
            let record = run(&topology, hardware, options, jobs).expect("it runs");
            assert!(record.packets_delivered > 15_000 && record.messages.len() > 2_700, "{law}");
            (format!("{:?}", record.messages), format!("{:?}", record.iterations), record.packet_hops)
        };
        let narrow = times(64);
        for radix in [71, 128, 192, 256] {
            assert!(narrow == times(radix), "{law}, {fairness:?}, {mode:?}: {radix} ports differ from 64");
        }
    }
}

#[test]
fn wide_systems_take_exactly_the_closed_form() {
    for system in [dragonfly(), fat_tree(), graph()] {
        let ends = system.endpoint_count() as u32;
        let mut hardware = config("slingshot");
        hardware.switch.latency_spread_ns = 0;
        hardware.routing.mode = RoutingMode::Minimal;
        hardware.switch.ack_overhead_bytes = 0;
        for fairness in [Fairness::Input, Fairness::Flow] {
            hardware.switch.fairness = fairness;
            for destination in (1..ends).step_by(ends as usize / 12).chain([63, 64, 65, ends - 1]) {
                for bytes in [8, 2_048] {
                    assert_closed_form(&system, &hardware, destination, bytes);
                }
            }
        }
    }
}

#[test]
fn random_traffic_arrives_under_every_law_and_mode() {
    for system in [dragonfly(), fat_tree(), graph()] {
        let ends = system.endpoint_count() as u32;
        for (number, law) in ["slingshot", "none", "aries", "ecn", "pfc"].into_iter().enumerate() {
            for mode in [RoutingMode::Minimal, RoutingMode::Valiant, RoutingMode::Adaptive] {
                let mut hardware = with_fairness(law, if number % 2 == 0 { Fairness::Input } else { Fairness::Flow });
                hardware.routing.mode = mode;
                if mode != RoutingMode::Minimal {
                    // Buffers for more legs than a dragonfly has.
                    hardware.switch.buffer_shared_bytes *= 2;
                }
                let options = RunOptions { time_limit: Picoseconds::from_micros(20_000), ..RunOptions::default() };
                let record = run(&system, hardware, options, jobs(ends)).expect("it runs");
                assert_eq!(record.packets_injected, record.packets_delivered, "{law}, {mode:?}");
                assert!(record.messages.len() > 1_000, "{law}, {mode:?}: {} messages", record.messages.len());
            }
        }
    }
}

/// Keeps a run once.
struct Once(Picoseconds, Arc<Mutex<Vec<u8>>>);

impl Keeper for Once {
    fn next(&self) -> Picoseconds {
        if self.1.lock().expect("no thread panics").is_empty() { self.0 } else { Picoseconds::MAX }
    }

    fn keep(&mut self, source: &CheckpointSource<'_>) {
        source.write("1", "a test", &mut *self.1.lock().expect("no thread panics")).expect("memory takes it");
    }
}

fn finished(simulation: Simulation) -> RunRecord {
    simulation.run(&mut |_| ControlFlow::Continue(())).expect("it runs")
}

/// All of a record except what tells of its partitions.
fn text(record: &RunRecord) -> String {
    format!("{:?}", RunRecord { events: 0, model_bytes_peak: 0, ..record.clone() })
}

#[test]
fn threads_processes_checkpoints_and_followed_messages_do_not_show() {
    for (system, law, fairness) in [
        (dragonfly(), "slingshot", Fairness::Input),
        (dragonfly(), "none", Fairness::Flow),
        (fat_tree(), "none", Fairness::Input),
        (graph(), "pfc", Fairness::Input),
    ] {
        let ends = system.endpoint_count() as u32;
        let mut hardware = with_fairness(law, fairness);
        hardware.switch.buffer_shared_bytes *= 2;
        let mut ports = (0..system.port_count() as u32).map(PortIndex);
        let joins = |port| matches!(system.port(port).peer, PortPeer::Port(_));
        let link = ports.find(|&port| system.port_of(port).0 > 64 && joins(port)).expect("a link on a high port");
        hardware.resilience.faults = vec![Fault {
            start: Picoseconds::from_micros(5),
            until: Some(Picoseconds::from_micros(30)),
            target: FaultTarget::Link(link),
            kind: FaultKind::Down,
        }];
        hardware.resilience.reroute_ns = 2_000;
        let options = |partitions, threads| RunOptions {
            time_limit: Picoseconds::from_micros(200),
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
            records: RecordOptions { flows: true, ..RecordOptions::default() },
            ..RunOptions::default()
        };
        let build = |partitions, threads| {
            let system = Arc::clone(&system);
            Simulation::new(system, hardware.clone(), options(partitions, threads), jobs(ends)).expect("it builds")
        };
        let one = run_by_reference(&system, hardware.clone(), options(1, 1), jobs(ends)).expect("it runs");
        assert!(one.packets_delivered > 5_000, "{} packets", one.packets_delivered);
        let partitions = if matches!(system.shape(), TopologyShape::Dragonfly(_)) { 3 } else { 1 };
        for threads in 1..=partitions.min(2) {
            assert_eq!(text(&one), text(&finished(build(partitions, threads))), "{law}, {threads} threads");
        }
        // Cut while packets wait.
        let kept = Arc::new(Mutex::new(Vec::new()));
        let mut simulation = build(partitions, 1);
        simulation.keep(Box::new(Once(Picoseconds::from_micros(8), Arc::clone(&kept)))).expect("it can be kept");
        assert_eq!(text(&one), text(&finished(simulation)), "{law}, kept");
        let bytes = std::mem::take(&mut *kept.lock().expect("no thread panics"));
        let mut simulation = build(partitions, partitions.min(2));
        simulation.resume(Checkpoint::open(std::io::Cursor::new(bytes)).expect("whole")).expect("it fits");
        assert_eq!(text(&one), text(&finished(simulation)), "{law}, resumed");
        // Followed messages.
        let targets: Vec<ExplainTarget> = one
            .messages
            .iter()
            .step_by(50)
            .map(|row| ExplainTarget {
                job: row.job,
                source: row.source,
                destination: row.destination,
                issued: row.issued,
            })
            .collect();
        let mut simulation = build(1, 1);
        simulation.explain(&targets).expect("one partition");
        assert_eq!(one.digest, finished(simulation).digest, "{law}, explained");
        if partitions > 1 {
            let records = Channels::each(2, |process| {
                let share = philae_fabric::Processes::share(process);
                let execution = ExecutionOptions { share, ..options(partitions, 1).execution };
                let options = RunOptions { execution, ..options(partitions, 1) };
                let simulation = Simulation::new(Arc::clone(&system), hardware.clone(), options, jobs(ends))?;
                simulation.run_among(process, &mut |_| ControlFlow::Continue(()))
            });
            let mut whole = records.into_iter().filter_map(|record| record.expect("it runs"));
            assert_eq!(text(&one), text(&whole.next().expect("one process has the record")), "{law}, two processes");
        }
    }
}

/// Accepted load of random traffic at full rate, as a part of the line rate.
fn accepted(system: &Arc<Topology>, fairness: Fairness) -> f64 {
    let mut hardware = with_fairness("none", fairness);
    (hardware.host.send_overhead_ns, hardware.host.doorbell_ns) = (0, 0);
    let (warm_up, time_limit) = (Picoseconds::from_micros(12), Picoseconds::from_micros(30));
    let options = RunOptions { warm_up, time_limit, ..RunOptions::default() };
    let ends = system.endpoint_count() as u32;
    let workload = "kind = 'uniform-random'\nbytes = 2048\noffered = { load = 1.0, rate_gbps = 200 }";
    let record = run(system, hardware, options, vec![job("u", 0..ends, workload, 1)]).expect("it runs");
    record.jobs[0].delivered.0 as f64 / (25.0 * (time_limit - warm_up).0 as f64 / 1e3 * f64::from(ends))
}

#[test]
fn a_fat_tree_of_wide_switches_saturates_as_one_of_half_the_ports() {
    let half = FatTreeDescription { links_per_pair: 16, ..FatTreeDescription::two_level(4, 32, 2) };
    let half = topology(half);
    for fairness in [Fairness::Input, Fairness::Flow] {
        let (narrow, wide) = (accepted(&half, fairness), accepted(&fat_tree(), fairness));
        assert!((narrow / wide - 1.0).abs() < 0.02 && wide > 0.7, "{fairness:?}: {narrow} and {wide} of the line rate");
    }
}

/// What does not fit 64 ports is refused there, and runs with more; what does not fit 256 is
/// refused.
#[test]
fn the_radix_is_a_limit_and_257_ports_are_too_many() {
    let of = |radix| Topology::build(&with_radix(radix, FatTreeDescription::two_level(2, 100, 28)));
    let refused = |radix| of(radix).expect_err("too few ports").to_string();
    assert!(refused(64).contains("needs 128 ports") && refused(64).contains("a higher radix would work"));
    assert!(refused(127).contains("it has 127"), "{}", refused(127));
    assert_eq!(refused(257), "the switch has 257 ports; 1 to 256 would work");
    let topology = Arc::new(of(128).expect("it fits"));
    let record = run(&topology, config("slingshot"), RunOptions::default(), jobs(200)).expect("it runs");
    assert_eq!(record.packets_injected, record.packets_delivered);
}

/// An engine has a bit for each child and not for each port: up to 64 children, on any port.
#[test]
fn trees_reach_any_port_and_at_most_64_children() {
    let workload = "kind = 'allreduce'\nalgorithm = 'switch-offloaded'\nbytes = '32B'\niterations = 5";
    let system = dragonfly();
    let on_switch = |switch: u32| system.switch_of_endpoint(philae_units::EndpointId(switch));
    assert_eq!(on_switch(69), SwitchId(0));
    let mut hardware = config("slingshot");
    hardware.collectives.timeout_us = 100;
    let with =
        |nodes: Vec<u32>| run(&system, hardware.clone(), RunOptions::default(), vec![job("tree", nodes, workload, 1)]);
    // Ports 40 to 69 of the first switch, with those of the switches of other groups.
    let record = with((40..70).chain((100..system.endpoint_count() as u32).step_by(9)).collect()).expect("it runs");
    let count =
        |name: CounterName| record.counters.iter().filter(|row| row.name == name).map(|row| row.value).sum::<u64>();
    assert_eq!((count(CounterName::ReductionsRefused), count(CounterName::ReductionsPartial)), (0, 0));
    assert!(count(CounterName::ReductionResults) > 0 && record.iterations.len() > 100);
    let refused = with((0..70).collect()).expect_err("69 children").to_string();
    assert!(refused.contains("69 ports of switch 0") && refused.contains("hears 64"), "{refused}");
}
