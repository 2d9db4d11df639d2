//! A run that continues from a checkpoint ends as the uninterrupted run: the same digest and the
//! same record.

use std::io::{Cursor, Write};
use std::ops::ControlFlow;
use std::sync::{Arc, Mutex};

use crate::common::beside::{beside, dragonfly, mixture, trimming};
use crate::common::draw::{draw_config, draw_jobs, draw_topology, pick};
use crate::common::uet::LAWS;
use crate::common::{config, job, topology};
use philae_congestion::{CongestionLaw, InjectionScope};
use philae_engine::RandomStream;
use philae_fabric::{
    ActivityOptions, Checkpoint, CheckpointError, CheckpointSource, ExecutionOptions, FabricConfig, Fault, FaultKind,
    FaultLaw, FaultTarget, Job, Keeper, RecordOptions, Resilience, RunOptions, Simulation,
};
use philae_link_layer::{FecKind, LinkParameters};
use philae_nic_core::nic::MatchMode;
use philae_nic_model::{ResponseScope, RetryParameters};
use philae_packet_engine::PacketEngine;
use philae_results::counter::CounterName;
use philae_results::record::{CongestionKind, CongestionRow, RunRecord, RunStatus};
use philae_topology::{DragonflyDescription, PortRole, Topology};
use philae_traffic_class::{ClassSet, TrafficClass};
use philae_units::{JobId, Picoseconds, PortIndex, SwitchId};

/// A run that can be built again and again.
struct Case {
    name: String,
    topology: Arc<Topology>,
    config: FabricConfig,
    options: RunOptions,
    jobs: Box<dyn Fn() -> Vec<Job>>,
}

/// Saves a run at these times.
struct Times {
    coming: Vec<Picoseconds>,
    kept: Arc<Mutex<Vec<Vec<u8>>>>,
}

impl Keeper for Times {
    fn next(&self) -> Picoseconds {
        self.coming.first().copied().unwrap_or(Picoseconds::MAX)
    }

    fn keep(&mut self, source: &CheckpointSource<'_>) {
        self.coming.retain(|&time| time > source.now());
        let mut bytes = Vec::new();
        source.write("1", "a test", &mut bytes).expect("memory takes it");
        self.kept.lock().expect("no thread panics").push(bytes);
    }
}

impl Case {
    fn build(&self, threads: u32) -> Simulation {
        let options = RunOptions {
            execution: ExecutionOptions { threads, ..self.options.execution.clone() },
            ..self.options.clone()
        };
        Simulation::new(Arc::clone(&self.topology), self.config.clone(), options, (self.jobs)())
            .unwrap_or_else(|error| panic!("{}: {error}", self.name))
    }

    fn end(&self, simulation: Simulation) -> RunRecord {
        let record = simulation.run(&mut |_| ControlFlow::Continue(()));
        record.unwrap_or_else(|error| panic!("{}: {error}", self.name))
    }

    /// Runs to the end, and saves the run at these times.
    fn kept(&self, mut simulation: Simulation, times: &[Picoseconds]) -> (RunRecord, Vec<Vec<u8>>) {
        let kept = Arc::new(Mutex::new(Vec::new()));
        let mut coming = times.to_vec();
        coming.sort_unstable();
        simulation.keep(Box::new(Times { coming, kept: Arc::clone(&kept) })).expect("it can be kept");
        let record = self.end(simulation);
        let kept = std::mem::take(&mut *kept.lock().expect("no thread panics"));
        (record, kept)
    }

    fn resumed(&self, bytes: &[u8], threads: u32) -> Simulation {
        let checkpoint = Checkpoint::open(Cursor::new(bytes)).unwrap_or_else(|error| panic!("{}: {error}", self.name));
        let mut simulation = self.build(threads);
        simulation.resume(checkpoint).unwrap_or_else(|error| panic!("{}: {error}", self.name));
        simulation
    }

    /// Cuts the run at drawn times, and each remainder again. Returns the record of the whole run.
    fn check(&self, random: &mut RandomStream) -> RunRecord {
        let whole = self.end(self.build(1));
        // While packets move: ranks may wait until the end for what was lost for good.
        let busy = whole.messages.last().map_or(whole.simulated, |last| last.delivered);
        let mut draw = || Picoseconds(u64::from(random.below(1 << 20)) * (busy.0 >> 20));
        let (times, later) = ([draw(), draw()], draw());
        let (same, kept) = self.kept(self.build(1), &times);
        self.compare(&whole, &same, "while it is kept");
        assert!(!kept.is_empty(), "{}: it takes {}", self.name, whole.simulated);
        for (number, bytes) in kept.iter().enumerate() {
            let threads = 1 + random.below(self.options.execution.partitions);
            let (rest, again) = self.kept(self.resumed(bytes, threads), &[later]);
            self.compare(&whole, &rest, &format!("cut at one of {times:?}, {threads} threads"));
            if let (0, Some(again)) = (number, again.first()) {
                let rest = self.end(self.resumed(again, self.options.execution.partitions));
                self.compare(&whole, &rest, &format!("cut at one of {times:?} and at {later}"));
            }
        }
        whole
    }

    fn compare(&self, whole: &RunRecord, other: &RunRecord, how: &str) {
        let same = whole.digest == other.digest && text(whole) == text(other);
        assert!(same, "{}, {how}: {}", self.name, difference(&text(whole), &text(other)));
    }
}

/// All of a record except the memory that its process used.
fn text(record: &RunRecord) -> String {
    format!("{:?}", RunRecord { model_bytes_peak: 0, ..record.clone() })
}

fn difference(one: &str, other: &str) -> String {
    let offset =
        one.bytes().zip(other.bytes()).position(|(one, other)| one != other).unwrap_or(one.len().min(other.len()));
    let around = |text: &str| {
        let excerpt = text.bytes().skip(offset.saturating_sub(300)).take(400).collect::<Vec<u8>>();
        String::from_utf8_lossy(&excerpt).into_owned()
    };
    format!("'{}' where '{}'", around(other), around(one))
}

/// Options that record everything.
fn noted(seed: u64, partitions: u32, limit: u64) -> RunOptions {
    RunOptions {
        seed,
        time_limit: Picoseconds::from_micros(limit),
        start_skew: Picoseconds::from_micros(2),
        execution: ExecutionOptions {
            partitions,
            thread_events_min: 0,
            far_ports_min: 0,
            block_ports_min: 0,
            block_events_min: seed % 3 * 4,
            ..ExecutionOptions::default()
        },
        records: RecordOptions {
            sample_interval: Picoseconds::from_micros(5),
            flows: true,
            telemetry_every: 3,
            class_counters: true,
            activities: Some(ActivityOptions {
                jobs: vec![JobId(0), JobId(1)],
                ranks_max: 5,
                from: Picoseconds::ZERO,
                until: Picoseconds::MAX,
                rows_of_rank_max: 100,
            }),
            ..RecordOptions::default()
        },
        ..RunOptions::default()
    }
}

/// A link that loses about one frame in a hundred.
fn noisy() -> LinkParameters {
    LinkParameters { bit_errors: 6, bit_errors_per_10_to: 7, fec: FecKind::None, ..LinkParameters::slingshot() }
}

fn cables(topology: &Topology) -> impl Iterator<Item = PortIndex> {
    let is_cable = |&port: &PortIndex| matches!(topology.port(port).role, PortRole::Local | PortRole::Global);
    (0..topology.port_count() as u32).map(PortIndex).filter(is_cable)
}

/// Faults of every kind, drawn and listed, on links that err.
fn faulty(topology: &Topology, law: &str, random: &mut RandomStream) -> FabricConfig {
    let mut config = config(law);
    config.nic.edge_pause = law != "aries";
    let fault = |start_us, until, target, kind| Fault {
        start: Picoseconds::from_micros(start_us),
        until: Some(Picoseconds::from_micros(until)),
        target,
        kind,
    };
    let ports: Vec<PortIndex> = cables(topology).collect();
    let port = |random: &mut RandomStream| FaultTarget::Link(ports[random.below(ports.len() as u32) as usize]);
    let faults = vec![
        fault(12, 30, port(random), FaultKind::Down),
        fault(20, 300, port(random), FaultKind::Lanes(2)),
        fault(25, 40, FaultTarget::Switch(SwitchId(random.below(topology.switch_count() as u32))), FaultKind::Down),
    ];
    let laws = vec![FaultLaw {
        kind: FaultKind::Down,
        targets: ports.iter().step_by(3).map(|&port| FaultTarget::Link(port)).collect(),
        gap_mean: Picoseconds::from_micros(20),
        length_mean: Picoseconds::from_micros(5),
    }];
    let retry = RetryParameters { packet_timeout_ns: 10_000, retry_step_ms: 0, unordered_delay_ms: 0, retries_max: 4 };
    let link = Some(noisy());
    config.resilience = Resilience { link, retry, faults, laws, reroute_ns: 5_000, ..Resilience::default() };
    config
}

#[test]
fn random_runs_continue_from_a_checkpoint_with_the_same_result() {
    let mut whole = 0;
    for seed in 0..40 {
        let mut random = RandomStream::new(seed, 7, 0);
        let topology = draw_topology(&mut random);
        let config = draw_config(&mut random);
        let partitions = 1 + random.below(4);
        let options = noted(seed, partitions, 2_000);
        let (drawn, on) = (random.clone(), Arc::clone(&topology));
        let case = Case {
            name: format!("seed {seed}, {}, {partitions} partitions", topology.name()),
            topology,
            config,
            options,
            jobs: Box::new(move || draw_jobs(&mut drawn.clone(), &on, seed)),
        };
        whole += u32::from(case.check(&mut random).status == RunStatus::Completed);
    }
    assert!(whole > 30, "{whole} of 40 end");
}

#[test]
fn faults_errors_and_retries_continue_from_a_checkpoint() {
    let mut retries = 0;
    for seed in 0..12 {
        let mut random = RandomStream::new(seed, 8, 0);
        let topology = match seed % 3 {
            0 => topology(DragonflyDescription::uniform(6, 4, 4, 2)),
            1 => topology(DragonflyDescription::uniform(3, 8, 6, 4)),
            _ => topology(philae_topology::FatTreeDescription::three_level(4, 4, 4, 4, 4)),
        };
        let law = pick(&mut random, &["slingshot", "none", "ecn", "aries", "pfc", "nscc", "rccc"]);
        let config = faulty(&topology, law, &mut random);
        let nodes = topology.endpoint_count() as u32;
        let partitions = 1 + random.below(4);
        let case = Case {
            name: format!("seed {seed}, {}, {law}, {partitions} partitions", topology.name()),
            topology,
            config,
            options: noted(seed, partitions, 60),
            jobs: Box::new(move || {
                vec![
                    job("all", (0..nodes).step_by(2), "kind = 'uniform-random'\nbytes = '20KiB'", seed),
                    job("many", (1..nodes).step_by(2), "kind = 'incast'\nbytes = '16KiB'", seed),
                ]
            }),
        };
        let record = case.check(&mut random);
        assert!(record.packets_discarded > 0, "{}", case.name);
        retries += record.retry_totals.retries;
    }
    assert!(retries > 50, "{retries} packets were sent again");
}

#[test]
fn a_tree_continues_with_fewer_and_with_more_threads() {
    let case = |partitions| Case {
        name: format!("a tree, {partitions} partitions"),
        topology: topology(philae_topology::FatTreeDescription::three_level(4, 4, 4, 4, 4)),
        config: config("slingshot"),
        options: RunOptions {
            execution: ExecutionOptions { partitions, ..ExecutionOptions::default() },
            ..RunOptions::default()
        },
        jobs: Box::new(|| vec![job("all", 0..64, "kind = 'uniform-random'\nbytes = '20KiB'\niterations = 9", 1)]),
    };
    let begun = case(1);
    let (whole, kept) = begun.kept(begun.build(2), &[Picoseconds::from_micros(9)]);
    let head = Checkpoint::open(Cursor::new(&kept[0])).expect("it is whole").head().clone();
    assert_eq!(head.partitions, 4, "pods and cores for each thread");
    let rest = case(head.partitions);
    for threads in 1..=4 {
        rest.compare(&whole, &rest.end(rest.resumed(&kept[0], threads)), &format!("{threads} threads"));
    }
}

#[test]
fn switch_collectives_continue_where_their_trees_break() {
    let system = topology(DragonflyDescription::uniform(4, 3, 4, 1));
    for (seed, kind) in (0..12).zip(["allreduce\nbytes = '16B'", "barrier"].iter().cycle()) {
        let mut random = RandomStream::new(seed, 9, 0);
        let (kind, rest) = kind.split_once('\n').unwrap_or((kind, ""));
        let mut config = if seed < 4 { config("slingshot") } else { faulty(&system, "slingshot", &mut random) };
        config.resilience.laws.clear();
        config.resilience.retry.packet_timeout_ns = 200_000;
        (config.collectives.timeout_us, config.collectives.retry_us) = (100, 100);
        let text = format!("kind = '{kind}'\nalgorithm = 'switch-offloaded'\niterations = 20\ncompute = '2us'\n{rest}");
        let case = Case {
            name: format!("{kind}, seed {seed}"),
            topology: Arc::clone(&system),
            config,
            options: noted(seed, 1 + random.below(4), 50_000),
            jobs: Box::new(move || {
                vec![
                    job("offloaded", (0..48).step_by(2), &text, seed),
                    job("noise", (1..48).step_by(2), "kind = 'uniform-random'\nbytes = '4KiB'\niterations = 100", 1),
                ]
            }),
        };
        case.check(&mut random);
    }
}

#[test]
fn packet_engines_lossy_classes_entries_connections_and_responses_continue_from_a_checkpoint() {
    let system = topology(DragonflyDescription::uniform(3, 4, 4, 2));
    let jobs = || {
        let takes = "kind = 'incast'\noperation = 'send'\nbytes = '700B'\niterations = 12";
        vec![
            Job { vni: 5, ..job("one", (0..48).step_by(2), takes, 1) },
            Job { vni: 6, ..job("other", (1..48).step_by(2), "kind = 'alltoall'\nbytes = '5KiB'\niterations = 2", 1) },
        ]
    };
    let mut random = RandomStream::new(1, 10, 0);
    let engine: PacketEngine = toml::from_str("programs = ['vni-isolation']").expect("a section");
    let overlay = FabricConfig { packet_engine: Some(engine.program().expect("a program")), ..config("slingshot") };
    let mut entries = config("slingshot");
    (entries.nic.match_mode, entries.nic.list_entries) = (MatchMode::Hardware, 2);
    let mut hybrid = config("slingshot");
    (hybrid.nic.match_mode, hybrid.nic.list_entries) = (MatchMode::Hybrid, 3);
    let mut lossy = config("slingshot");
    let class = TrafficClass { lossy: true, queue_max_bytes: Some(9_000), ..TrafficClass::named("lossy") };
    lossy.classes = ClassSet::new(vec![class, TrafficClass::named("other")], 8).expect("a legal set");
    lossy.resilience.retry.packet_timeout_ns = 20_000;
    let mut responses = config("slingshot");
    responses.nic.responses = ResponseScope::Packet;
    let mut connections = config("slingshot");
    (connections.nic.connections_max, connections.nic.match_offload) = (8, false);
    connections.node = Some(philae_nic_model::NodeParameters::connectx_5());
    let mut lossy_responses = lossy.clone();
    lossy_responses.nic.responses = ResponseScope::Packet;
    for (name, config) in [
        ("overlay", overlay),
        ("entries", entries),
        ("hybrid", hybrid),
        ("lossy", lossy),
        ("responses", responses),
        ("lossy responses", lossy_responses),
        ("connections", connections),
    ] {
        for partitions in 1..4 {
            let case = Case {
                name: format!("{name}, {partitions} partitions"),
                topology: Arc::clone(&system),
                config: config.clone(),
                options: noted(3, partitions, 20_000),
                jobs: Box::new(jobs),
            };
            let record = case.check(&mut random);
            let count = |name| record.counters.iter().filter(|row| row.name == name).map(|row| row.value).sum::<u64>();
            match name {
                "entries" => assert!(count(CounterName::MessagesRefused) > 0),
                "lossy" | "lossy responses" => assert!(record.packets_discarded > 0),
                "connections" => assert!(count(CounterName::ConnectionsRead) > 0),
                "overlay" => assert!(!record.packet_engine.is_empty()),
                _ => {}
            }
        }
    }
}

#[test]
fn two_transports_in_one_run_continue_from_a_checkpoint() {
    let mut random = RandomStream::new(1, 11, 0);
    for (number, law) in LAWS.into_iter().enumerate() {
        for config in [beside("slingshot", law), trimming(beside("slingshot", law), 60_000)] {
            let partitions = 1 + number as u32;
            let case = Case {
                name: format!("{law} beside slingshot, {partitions} partitions"),
                topology: dragonfly(),
                config,
                options: noted(3, partitions, 150),
                jobs: Box::new(mixture),
            };
            case.check(&mut random);
        }
    }
}

#[test]
fn flows_that_leave_their_paths_continue_from_a_checkpoint() {
    for scope in [InjectionScope::Flow, InjectionScope::Port] {
        let mut config = config("slingshot");
        config.nic.ordered = true;
        let CongestionLaw::Slingshot(law) = &mut config.congestion else { panic!("the law is slingshot") };
        law.injection_scope = scope;
        (law.reroute_threshold_bytes, law.reroute_stay_ns) = (16_384, 5_000);
        let case = Case {
            name: format!("moves, {scope:?}"),
            topology: topology(DragonflyDescription::uniform(4, 2, 4, 1)),
            config,
            options: noted(1, 2, 150),
            jobs: Box::new(|| vec![job("all", 0..32, "kind = 'permutation'\nbytes = '64KiB'", 1)]),
        };
        let whole = case.end(case.build(1));
        // A flow with this much in the fabric waits for more than a microsecond.
        let leaves = |row: &&CongestionRow| row.kind == CongestionKind::FlowMoved && row.value > 40_000;
        let times: Vec<_> = whole.congestion.iter().filter(leaves).map(|row| row.time).step_by(9).take(4).collect();
        assert_eq!(times.len(), 4, "flows leave their paths");
        let (same, kept) = case.kept(case.build(1), &times);
        case.compare(&whole, &same, "while it is kept");
        for (bytes, threads) in kept.iter().zip([1, 2, 1, 2]) {
            case.compare(&whole, &case.end(case.resumed(bytes, threads)), &format!("cut at one of {times:?}"));
        }
    }
}

fn small() -> Case {
    Case {
        name: "small".to_owned(),
        topology: topology(DragonflyDescription::uniform(3, 2, 2, 1)),
        config: config("slingshot"),
        options: RunOptions {
            execution: ExecutionOptions { partitions: 2, ..ExecutionOptions::default() },
            ..RunOptions::default()
        },
        jobs: Box::new(|| vec![job("all", 0..12, "kind = 'alltoall'\nbytes = '9KiB'\niterations = 3", 1)]),
    }
}

#[test]
fn no_damage_panics_and_all_of_it_is_refused() {
    let case = small();
    let (_, kept) = case.kept(case.build(1), &[Picoseconds::from_micros(20)]);
    let whole = &kept[0];
    let mut random = RandomStream::new(3, 3, 3);
    for _ in 0..3_000 {
        let mut damaged = whole.clone();
        for _ in 0..1 + random.below(3) {
            let place = random.below(damaged.len() as u32) as usize;
            match random.below(4) {
                0 => damaged.truncate(place.max(1)),
                1 => damaged.insert(place, random.below(256) as u8),
                _ => damaged[place] ^= 1 << random.below(8),
            }
        }
        if damaged != *whole {
            assert!(Checkpoint::open(Cursor::new(&damaged)).is_err());
        }
    }
}

#[test]
fn a_checkpoint_of_another_run_is_refused() {
    let case = small();
    let (_, kept) = case.kept(case.build(1), &[Picoseconds::from_micros(20)]);
    let refusal = |case: &Case| {
        let checkpoint = Checkpoint::open(Cursor::new(&kept[0])).expect("it is whole");
        case.build(1).resume(checkpoint).expect_err("it is of another run").to_string()
    };
    let whole = Case { options: RunOptions::default(), ..small() };
    assert_eq!(refusal(&whole), "the checkpoint has 2 partitions, the run 1: run.partitions = 2 would work");
    let larger = Case { topology: topology(DragonflyDescription::uniform(3, 2, 3, 1)), ..small() };
    assert!(refusal(&larger).contains("where the run that was built has"), "{}", refusal(&larger));
    let other = || vec![job("all", 0..12, "kind = 'alltoall'\nbytes = '9KiB'\niterations = 1", 1)];
    let shorter = Case { jobs: Box::new(other), ..small() };
    assert!(refusal(&shorter).contains("is another than when the checkpoint was written"), "{}", refusal(&shorter));
}

/// Takes this many bytes and no more: a disk that fills up.
struct Full(usize);

impl Write for Full {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        let taken = bytes.len().min(self.0);
        self.0 -= taken;
        if taken == 0 && !bytes.is_empty() { Err(std::io::ErrorKind::StorageFull.into()) } else { Ok(taken) }
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// Fails to save a run at these times. At each of them, the disk is full after each of several
/// numbers of bytes.
struct FailsAt {
    coming: Vec<Picoseconds>,
    /// How many numbers of bytes are tried at one time.
    places: usize,
    failures: Arc<Mutex<usize>>,
}

impl Keeper for FailsAt {
    fn next(&self) -> Picoseconds {
        self.coming.first().copied().unwrap_or(Picoseconds::MAX)
    }

    fn keep(&mut self, source: &CheckpointSource<'_>) {
        self.coming.retain(|&time| time > source.now());
        let whole = |source: &CheckpointSource<'_>| {
            let mut bytes = Vec::new();
            source.write("1", "a test", &mut bytes).expect("memory takes it");
            bytes
        };
        let before = whole(source);
        let step = (before.len() / self.places).max(1);
        for room in (0..before.len()).step_by(step) {
            let error = source.write("1", "a test", &mut Full(room)).expect_err("the disk is full");
            assert!(matches!(error, CheckpointError::Write(_)), "{error}");
            *self.failures.lock().expect("no thread panics") += 1;
        }
        assert!(before == whole(source), "what fails to be written changes nothing");
    }
}

impl Case {
    /// Has every checkpoint fail, at `places` bytes of each, and compares the run with the one
    /// without checkpoints.
    fn fails_to_be_kept(&self, random: &mut RandomStream, places: usize) {
        let whole = self.end(self.build(1));
        let mut draw = || Picoseconds(u64::from(random.below(1 << 20)) * (whole.simulated.0 >> 20));
        let mut coming = vec![draw(), draw(), draw()];
        coming.sort_unstable();
        let failures = Arc::new(Mutex::new(0));
        let mut simulation = self.build(self.options.execution.partitions);
        let keeper = FailsAt { coming, places, failures: Arc::clone(&failures) };
        simulation.keep(Box::new(keeper)).expect("it can be kept");
        self.compare(&whole, &self.end(simulation), "after checkpoints that failed");
        assert!(*failures.lock().expect("no thread panics") > 0, "{}: no checkpoint failed", self.name);
    }
}

#[test]
fn a_disk_that_is_full_at_any_byte_changes_nothing_of_a_run() {
    // The smallest run: the test makes as many checkpoints as one has bytes.
    let tiny = Case {
        topology: topology(DragonflyDescription::uniform(2, 1, 1, 1)),
        jobs: Box::new(|| vec![job("both", 0..2, "kind = 'alltoall'\nbytes = '9KiB'\niterations = 3", 1)]),
        ..small()
    };
    tiny.fails_to_be_kept(&mut RandomStream::new(1, 11, 0), usize::MAX);
    small().fails_to_be_kept(&mut RandomStream::new(1, 11, 0), 500);
}

#[test]
fn a_full_disk_changes_nothing_of_drawn_runs() {
    for seed in 0..30 {
        let mut random = RandomStream::new(seed, 12, 0);
        let topology = draw_topology(&mut random);
        let config = if seed % 3 == 0 { faulty(&topology, "slingshot", &mut random) } else { draw_config(&mut random) };
        let partitions = 1 + random.below(4);
        let (drawn, on) = (random.clone(), Arc::clone(&topology));
        let case = Case {
            name: format!("seed {seed}, {}, {partitions} partitions", topology.name()),
            topology,
            config,
            options: noted(seed, partitions, 300),
            jobs: Box::new(move || draw_jobs(&mut drawn.clone(), &on, seed)),
        };
        case.fails_to_be_kept(&mut random, 40);
    }
}

#[test]
fn a_full_disk_changes_nothing_of_collectives_in_switches() {
    let system = topology(DragonflyDescription::uniform(4, 3, 4, 1));
    let text = "kind = 'allreduce'\nbytes = '16B'\nalgorithm = 'switch-offloaded'\niterations = 20\ncompute = '2us'";
    let case = Case {
        name: "allreduce in switches".to_owned(),
        topology: system,
        config: config("slingshot"),
        options: noted(2, 3, 50_000),
        jobs: Box::new(move || {
            vec![
                job("offloaded", (0..48).step_by(2), text, 1),
                job(
                    "noise",
                    (1..48).step_by(2),
                    "kind = 'incast'\noperation = 'send'\nbytes = '700B'\niterations = 40",
                    1,
                ),
            ]
        }),
    };
    case.fails_to_be_kept(&mut RandomStream::new(5, 13, 0), 100);
}

#[test]
fn an_interrupted_run_is_kept_where_it_stopped() {
    let case = Case {
        topology: topology(DragonflyDescription::uniform(6, 4, 4, 2)),
        jobs: Box::new(|| vec![job("all", 0..96, "kind = 'uniform-random'\nbytes = '64KiB'\niterations = 100", 1)]),
        ..small()
    };
    let whole = case.end(case.build(1));
    let kept = Arc::new(Mutex::new(Vec::new()));
    let mut simulation = case.build(1);
    simulation.keep(Box::new(Times { coming: Vec::new(), kept: Arc::clone(&kept) })).expect("it can be kept");
    let record = simulation.run(&mut |_| ControlFlow::Break(())).expect("it runs");
    assert_eq!(record.status, RunStatus::Interrupted);
    let bytes = kept.lock().expect("no thread panics")[0].clone();
    case.compare(&whole, &case.end(case.resumed(&bytes, 2)), "after an interruption");
}
