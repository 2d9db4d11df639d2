//! Whole runs in rates: compared with hand-computed times and with packets; refusals and doubts.

use std::ops::ControlFlow;
use std::sync::Arc;

use philae_fabric::{FabricConfig, Job, RankPlace, RecordOptions, RunOptions, Simulation};
use philae_fluid::{FluidError, FluidRun, FluidSimulation, JobKind, JobTold};
use philae_nic_model::{HostParameters, NicParameters, NodeParameters, ResponseScope};
use philae_results::record::{MessageKind, RunRecord, RunStatus};
use philae_topology::{DragonflyDescription, FatTreeDescription, GraphDescription, Topology};
use philae_units::{ClassId, NodeId, Picoseconds, RankId};
use philae_workload::{Workload, WorkloadSpec};

use crate::common::{config, topology};

fn dragonfly() -> Arc<Topology> {
    topology(DragonflyDescription::uniform(4, 4, 4, 2))
}

fn job(nodes: impl IntoIterator<Item = u32>, workload: &str) -> Job {
    let spec: WorkloadSpec = toml::from_str(workload).expect("a workload");
    let places: Vec<RankPlace> = nodes.into_iter().map(|node| RankPlace { node: NodeId(node), nic: 0 }).collect();
    let ranks = places.len() as u32;
    spec.check(ranks).expect("it fits");
    Job {
        name: "job".to_owned(),
        workload: spec.describe(),
        programs: (0..ranks).map(|rank| spec.program(RankId(rank), ranks, 1)).collect(),
        places,
        start: Picoseconds::ZERO,
        class: ClassId(0),
        vni: 1,
        iterations: spec.counted_iterations(),
        offered_gbps: spec.offered_gbps(),
        record_messages: true,
    }
}

fn fluid(topology: &Arc<Topology>, config: FabricConfig, jobs: Vec<Job>) -> Result<FluidRun, FluidError> {
    FluidSimulation::new(Arc::clone(topology), config, RunOptions::default(), jobs)?
        .run(&mut |_| ControlFlow::Continue(()))
}

/// When the job finished, in packets and in rates, in picoseconds.
fn both(topology: &Arc<Topology>, law: &str, nodes: u32, workload: &str) -> (f64, f64) {
    let simulation =
        Simulation::new(Arc::clone(topology), config(law), RunOptions::default(), vec![job(0..nodes, workload)]);
    let packets = simulation.expect("builds").run(&mut |_| ControlFlow::Continue(())).expect("runs");
    let rates = fluid(topology, config(law), vec![job(0..nodes, workload)]).expect("runs").record;
    assert_eq!(rates.status, RunStatus::Completed);
    let finished = |job: &philae_results::record::JobInfo| job.finished.expect("it ends").0 as f64;
    assert_eq!(packets.jobs[0].delivered, rates.jobs[0].delivered, "every byte arrives in both");
    (finished(&packets.jobs[0]), finished(&rates.jobs[0]))
}

fn differ_by(topology: &Arc<Topology>, law: &str, nodes: u32, workload: &str) -> f64 {
    let (packets, rates) = both(topology, law, nodes, workload);
    (rates / packets - 1.0).abs()
}

#[test]
fn one_message_takes_the_time_of_an_idle_network() {
    for system in [dragonfly(), topology(FatTreeDescription::two_level(4, 4, 4))] {
        for bytes in ["8B", "4KiB", "1MiB"] {
            let workload = format!("kind = \"ping-pong\"\nbytes = \"{bytes}\"\niterations = 4");
            let off = differ_by(&system, "slingshot", 2, &workload);
            assert!(off < 0.05, "{bytes} on {}: off by {off}", system.name());
        }
    }
}

#[test]
fn a_bus_that_is_slower_than_the_link_limits_rates_as_it_does_packets() {
    let finished = |node: Option<NodeParameters>, workload: &str| {
        let config = || FabricConfig { node: node.clone(), ..config("slingshot") };
        let jobs = || vec![job(0..2, workload)];
        let packets = Simulation::new(dragonfly(), config(), RunOptions::default(), jobs()).expect("builds");
        let packets = packets.run(&mut |_| ControlFlow::Continue(())).expect("runs");
        let rates = fluid(&dragonfly(), config(), jobs()).expect("runs").record;
        [&packets.jobs[0], &rates.jobs[0]].map(|job| job.finished.expect("it ends").0 as f64)
    };
    for bytes in ["8B", "2KiB", "64KiB", "1MiB"] {
        for kind in ["kind = \"ping-pong\"", "kind = \"bandwidth\"\nwindow = 16"] {
            let workload = format!("{kind}\nbytes = \"{bytes}\"\niterations = 4");
            let [packets, rates] = finished(Some(NodeParameters::connectx_5()), &workload);
            assert!((rates / packets - 1.0).abs() < 0.08, "{workload}: {rates} in rates, {packets} in packets");
            let [without, rates_without] = finished(None, &workload);
            assert!(packets > without && rates > rates_without, "{workload}: the bus takes time in both");
        }
    }
}

#[test]
fn an_incast_takes_the_time_of_its_endpoints_link() {
    let workload = "kind = \"incast\"\nbytes = \"256KiB\"\niterations = 4";
    let (_, rates) = both(&dragonfly(), "slingshot", 17, workload);
    // 16 senders of 4 x 256 KiB; 2,048 bytes of payload are 2,085 on a link of 25 bytes a
    // nanosecond.
    let link = 16.0 * 4.0 * 262_144.0 / 2_048.0 * 2_085.0 / 25.0 * 1e3;
    assert!(rates > link && rates < 1.1 * link, "{rates} against {link}");
    let off = differ_by(&dragonfly(), "slingshot", 17, workload);
    assert!(off < 0.1, "off by {off}");
}

#[test]
fn streams_take_about_as_long_as_packets_do() {
    let ring = GraphDescription::regular(4, 4, &[[0, 1], [1, 2], [2, 3], [3, 0]]);
    let systems = [dragonfly(), topology(FatTreeDescription::two_level(4, 4, 4)), topology(ring)];
    let workload = "kind = \"permutation\"\nbytes = \"256KiB\"\nwindow = 2\niterations = 8";
    for system in systems {
        let off = differ_by(&system, "slingshot", 16, workload);
        assert!(off < 0.35, "{}: off by {off}", system.name());
    }
}

#[test]
fn one_sided_operations_and_reads_end() {
    for operation in ["put", "get"] {
        let workload =
            format!("kind = \"one-sided\"\noperation = \"{operation}\"\nbytes = \"64KiB\"\nwindow = 4\niterations = 8");
        let off = differ_by(&dragonfly(), "slingshot", 8, &workload);
        assert!(off < 0.25, "{operation}: off by {off}");
    }
}

/// Two ranks that change each other's memory, one operation of 8 bytes at a time.
fn one_at_a_time(operation: &str) -> String {
    format!("kind = \"one-sided\"\noperation = \"{operation}\"\nbytes = \"8B\"\nwindow = 1\niterations = 8")
}

#[test]
fn a_response_takes_the_time_that_it_takes_among_packets() {
    let mut config = config("slingshot");
    config.switch.latency_spread_ns = 0;
    config.nic.responses = ResponseScope::Message;
    for operation in ["put", "amo"] {
        let finished = |run: &RunRecord| run.jobs[0].finished.expect("it ends").0 as f64;
        let workload = one_at_a_time(operation);
        let fluid = fluid(&dragonfly(), config.clone(), vec![job(0..2, &workload)]).expect("runs");
        let packets = Simulation::new(dragonfly(), config.clone(), RunOptions::default(), vec![job(0..2, &workload)]);
        let packets = packets.expect("builds").run(&mut |_| ControlFlow::Continue(())).expect("runs");
        let (fluid, packets) = (finished(&fluid.record), finished(&packets));
        assert!((fluid / packets - 1.0).abs() < 0.001, "{operation}: {fluid} and {packets} ps");
    }
}

#[test]
fn an_atomic_operation_takes_a_read_of_memory_longer_than_a_write() {
    let finished = |operation| {
        let run = fluid(&dragonfly(), config("slingshot"), vec![job(0..2, &one_at_a_time(operation))]);
        run.expect("runs").record.jobs[0].finished.expect("it ends").0
    };
    let read_ps = u64::from(NicParameters::cassini_1().dma_read_ns) * 1_000;
    assert_eq!(finished("amo") - finished("put"), 8 * read_ps);
    assert!(finished("fetching-amo") > finished("amo"), "its answer carries the old value");
}

#[test]
fn atomic_operations_take_the_time_of_an_idle_network_and_are_recorded() {
    for operation in ["amo", "fetching-amo"] {
        let off = differ_by(&dragonfly(), "slingshot", 2, &one_at_a_time(operation));
        assert!(off < 0.05, "{operation}: off by {off}");
        let jobs = vec![job(0..2, &one_at_a_time(operation))];
        let record = fluid(&dragonfly(), config("slingshot"), jobs).expect("runs").record;
        assert_eq!(record.messages.len(), 16, "{operation}: one row for each operation");
        for row in &record.messages {
            assert_eq!((row.kind, row.bytes.0), (MessageKind::Amo, 8), "{operation}");
            assert_eq!(row.source.0 + row.destination.0, 1, "{operation}: from the issuer to the target");
        }
        let from_first = record.messages.iter().filter(|row| row.source == RankId(0)).count();
        assert_eq!(from_first, 8, "{operation}");
    }
}

#[test]
fn the_same_run_gives_the_same_record() {
    let run = || {
        let jobs = vec![job(0..32, "kind = \"uniform-random\"\nbytes = \"32KiB\"\nwindow = 4\niterations = 10")];
        fluid(&dragonfly(), config("none"), jobs).expect("runs").record
    };
    let (one, other) = (run(), run());
    assert_eq!(one.digest, other.digest);
    assert_eq!(format!("{:?}", one.messages), format!("{:?}", other.messages));
    assert_eq!(one.messages.len(), 320);
}

#[test]
fn victims_of_an_incast_wait_under_none_and_not_under_slingshot() {
    let run = |law| {
        let victims = [0, 17, 34, 51];
        let aggressors = (0..64).filter(|node| !victims.contains(node));
        let jobs = vec![
            job(victims, "kind = \"permutation\"\nbytes = \"256KiB\"\nwindow = 2\niterations = 10"),
            job(aggressors, "kind = \"incast\"\nbytes = \"1MiB\"\niterations = 4"),
        ];
        let found = fluid(&dragonfly(), config(law), jobs).expect("runs");
        let finished = found.record.jobs[0].finished.expect("it ends").0;
        (finished, found.jobs)
    };
    let ((held, quiet), (spread, doubtful), (_, paused)) = (run("slingshot"), run("none"), run("ecn"));
    assert!(spread > 3 * held / 2, "{spread} under none, {held} under slingshot");
    assert_eq!((quiet[0].seen.kind(), quiet[1].seen.kind()), (JobKind::Beside, JobKind::Endpoint));
    assert!(quiet.iter().all(|job| job.doubt.is_none()), "{quiet:?}");
    let says = |job: &JobTold, words: &str| job.doubt.as_ref().is_some_and(|doubt| doubt.contains(words));
    assert!(says(&doubtful[0], "full buffers blocked it") && doubtful[1].doubt.is_none(), "{doubtful:?}");
    assert!(says(&paused[0], "their pauses block") && says(&paused[1], "DCQCN's cuts"), "{paused:?}");
}

#[test]
fn what_is_beyond_rates_is_said() {
    let ring = topology(GraphDescription::regular(4, 4, &[[0, 1], [1, 2], [2, 3], [3, 0]]));
    let nic = NicParameters { ordered: true, ..NicParameters::cassini_1() };
    let workload = "kind = \"shift\"\nby = 4\nbytes = \"1MiB\"\niterations = 2";
    let found = fluid(&ring, FabricConfig { nic, ..config("slingshot") }, vec![job(0..16, workload)]).expect("runs");
    let doubts = found.doubts.join("\n");
    assert!(
        doubts.contains("packets are ordered") && doubts.contains("neither a dragonfly nor a fat tree"),
        "{doubts}"
    );
    let doubt = found.jobs[0].doubt.as_deref().expect("links stop it");
    assert!(doubt.contains("links of the network limited it"), "{doubt}");
    let free = "kind = \"ping-pong\"\nbytes = \"64KiB\"\niterations = 2";
    let found = fluid(&dragonfly(), config("slingshot"), vec![job(0..2, free)]).expect("runs");
    assert!(found.doubts.is_empty() && found.jobs[0].doubt.is_none(), "{:?} {:?}", found.doubts, found.jobs);
}

#[test]
fn what_rates_cannot_stand_for_is_refused_with_what_would_work() {
    let refused = |config: FabricConfig, workload: &str| {
        let jobs = vec![job(0..4, workload)];
        FluidSimulation::new(dragonfly(), config, RunOptions::default(), jobs)
            .map(|_| ())
            .expect_err("refused")
            .to_string()
    };
    let offload = "kind = \"allreduce\"\nbytes = \"8B\"\nalgorithm = \"switch-offloaded\"\niterations = 1";
    assert!(refused(config("slingshot"), offload).contains("an algorithm of software"));
    let stream = "kind = \"permutation\"\nbytes = \"64B\"\niterations = 1";
    let tcp = FabricConfig { host: HostParameters::connectx_5_tcp(), ..config("slingshot") };
    assert!(refused(tcp, stream).contains("the kernel's path"));
    let endless = "kind = \"permutation\"\nbytes = \"64B\"";
    assert!(refused(config("slingshot"), endless).contains("time_limit"));
}

#[test]
fn no_link_carries_more_than_it_has_in_any_interval() {
    let streams = [
        "kind = \"uniform-random\"\nbytes = \"16KiB\"\nwindow = 4\niterations = 40",
        "kind = \"incast\"\nbytes = \"64KiB\"\niterations = 8",
        "kind = \"alltoall\"\nbytes = \"4KiB\"\niterations = 2",
        "kind = \"shift\"\nby = 16\nbytes = \"128KiB\"\nwindow = 2\niterations = 4",
    ];
    for system in [dragonfly(), topology(FatTreeDescription::two_level(4, 8, 2))] {
        for law in ["slingshot", "none"] {
            for interval in [300_000, 5_000_000] {
                let jobs = vec![
                    job((0..16).map(|node| 2 * node), streams[0]),
                    job((0..16).map(|node| 2 * node + 1), streams[1]),
                    job(0..32, streams[2]),
                    job(0..32, streams[3]),
                ];
                let options = RunOptions {
                    records: RecordOptions { sample_interval: Picoseconds(interval), ..RecordOptions::default() },
                    ..RunOptions::default()
                };
                let run = FluidSimulation::new(Arc::clone(&system), config(law), options, jobs).expect("builds");
                let record = run.run(&mut |_| ControlFlow::Continue(())).expect("runs").record;
                let mut busiest = 0.0_f64;
                for sample in &record.ports {
                    let rate = record.port_info.iter().find(|info| info.index == sample.port).expect("it is told").rate;
                    let share = philae_results::utilisation::share(sample.bytes.0, rate, interval).expect("a rate");
                    // One byte for rounding to whole bytes, and one for rounding ends to whole
                    // picoseconds.
                    let rounding = 2.0 / (f64::from(rate.0) * 1.25e-7 * interval as f64);
                    assert!(share <= 1.0 + rounding, "{law}, {}: {sample:?} is {share}", system.name());
                    busiest = busiest.max(share);
                }
                assert!(busiest > 0.9, "{law}, {}: a link is full at times, not only {busiest}", system.name());
            }
        }
    }
}
