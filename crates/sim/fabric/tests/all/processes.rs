//! A run that several processes share ends as the run of one: the same digest, the same record, the
//! same error.
//!
//! Processes are threads here that send each other bytes. A failure prints its seed: `SWARM_SEED=n
//! cargo test --release -p philae-fabric --test all processes` runs that one alone.

use std::io::Cursor;
use std::ops::ControlFlow;
use std::sync::{Arc, Mutex};

use crate::common::channels::Channels;
use crate::common::draw::{draw_config, draw_jobs, pick};
use crate::common::{config, job, topology};
use philae_engine::RandomStream;
use philae_fabric::{
    ActivityOptions, Checkpoint, CheckpointSource, ExecutionOptions, FabricConfig, FabricError, Fault, FaultKind,
    FaultTarget, Job, Keeper, ProcessLost, RecordOptions, RunOptions, Simulation, failures,
};
use philae_link_layer::{FecKind, LinkParameters};
use philae_results::record::{RunRecord, RunStatus};
use philae_topology::{DragonflyDescription, FatTreeDescription, PortPeer, Topology};
use philae_units::{Bytes, JobId, Picoseconds, PortIndex, RankId};
use philae_workload::{Action, Op, OpHandle, Progress, RankProgram};

/// Inputs of a run.
struct Drawn {
    topology: Arc<Topology>,
    config: FabricConfig,
    options: RunOptions,
    jobs: Box<dyn Fn() -> Vec<Job> + Sync>,
}

/// A random system of several groups with random jobs, in which links err and fail.
fn drawn(seed: u64) -> Drawn {
    let mut random = RandomStream::new(seed, 0, u64::from_be_bytes(*b"fb-procs"));
    let topology = if random.below(3) > 0 {
        let (groups, switches) = (2 + random.below(5), 1 + random.below(5));
        topology(DragonflyDescription::uniform(groups, switches, 2 + random.below(4), 1 + random.below(3)))
    } else {
        topology(FatTreeDescription::three_level(2 + random.below(3), 2, 2, 2, 2 + random.below(3)))
    };
    let mut config = draw_config(&mut random);
    if random.below(3) > 0 {
        // A link that loses a frame in a hundred, or in a thousand.
        let (bit_errors, bit_errors_per_10_to) = (6, 7 + random.below(2) as u8);
        let fec = FecKind::None;
        config.resilience.link =
            Some(LinkParameters { bit_errors, bit_errors_per_10_to, fec, ..LinkParameters::slingshot() });
    }
    config.resilience.retry.packet_timeout_ns = 20_000;
    config.resilience.reroute_ns = 5_000;
    let links: Vec<PortIndex> = (0..topology.port_count() as u32)
        .map(PortIndex)
        .filter(|&port| matches!(topology.port(port).peer, PortPeer::Port(_)))
        .collect();
    for _ in 0..random.below(4) {
        let start = Picoseconds::from_nanos(u64::from(1_000 + random.below(60_000)));
        let until =
            (random.below(3) > 0).then(|| start + Picoseconds::from_nanos(u64::from(5_000 + random.below(80_000))));
        let target = FaultTarget::Link(links[random.below(links.len() as u32) as usize]);
        config.resilience.faults.push(Fault { start, until, target, kind: FaultKind::Down });
    }
    let options = RunOptions {
        seed,
        time_limit: Picoseconds::from_micros(150),
        warm_up: Picoseconds::from_micros(pick(&mut random, &[0, 5])),
        start_skew: Picoseconds::from_nanos(u64::from(random.below(3_000))),
        execution: ExecutionOptions {
            partitions: 1 + random.below(6),
            threads: 1 + random.below(2),
            thread_events_min: 0,
            far_ports_min: 0,
            block_ports_min: 0,
            block_events_min: seed % 3 * 4,
            ..ExecutionOptions::default()
        },
        records: RecordOptions {
            sample_interval: Picoseconds::from_micros(u64::from(random.below(20))),
            flows: random.below(2) == 0,
            message_rows_max: pick(&mut random, &[50, 1 << 20]),
            telemetry_every: random.below(5),
            telemetry_packets_max: pick(&mut random, &[20, 200_000]),
            class_counters: random.below(2) == 0,
            activities: Some(ActivityOptions {
                jobs: vec![JobId(0)],
                ranks_max: 5,
                from: Picoseconds::ZERO,
                until: Picoseconds::MAX,
                rows_of_rank_max: 40,
            }),
        },
    };
    let system = Arc::clone(&topology);
    let jobs = Box::new(move || draw_jobs(&mut random.clone(), &system, seed));
    Drawn { topology, config, options, jobs }
}

impl Drawn {
    fn alone(&self) -> Result<RunRecord, FabricError> {
        let (config, options) = (self.config.clone(), self.options.clone());
        let options = RunOptions {
            execution: ExecutionOptions { partitions: 1, threads: 1, ..options.execution.clone() },
            ..options
        };
        let simulation = Simulation::new(Arc::clone(&self.topology), config, options, (self.jobs)())?;
        simulation.run(&mut |_| ControlFlow::Continue(()))
    }

    /// The results of each of `count` processes.
    fn among(&self, count: u32) -> Vec<Result<Option<RunRecord>, FabricError>> {
        Channels::each(count, |process| {
            let options = RunOptions {
                execution: ExecutionOptions {
                    share: philae_fabric::Processes::share(process),
                    ..self.options.execution.clone()
                },
                ..self.options.clone()
            };
            let topology = Arc::clone(&self.topology);
            let simulation = Simulation::new(topology, self.config.clone(), options, (self.jobs)())?;
            simulation.run_among(process, &mut |_| ControlFlow::Continue(()))
        })
    }
}

/// All of a record except the number of events and the reserved memory, in which partitions show.
fn all_of(record: &RunRecord) -> String {
    format!("{:?}", RunRecord { events: 0, model_bytes_peak: 0, ..record.clone() })
}

/// A record is long: shows only the first place where two of them differ.
fn assert_equal(one: &str, many: &str, context: &str) {
    if let Some(place) = one.bytes().zip(many.bytes()).position(|(one, many)| one != many) {
        let around = |text: &str| {
            String::from_utf8_lossy(&text.as_bytes()[place.saturating_sub(200)..]).chars().take(400).collect::<String>()
        };
        panic!("{context}:\n{}\nbut\n{}", around(one), around(many));
    }
    assert_eq!(one.len(), many.len(), "{context}");
}

#[test]
fn processes_do_not_show_in_the_record() {
    #[expect(clippy::disallowed_methods, reason = "a test may be told which seed to repeat")]
    let only: Option<u64> = std::env::var("SWARM_SEED").ok().and_then(|seed| seed.parse().ok());
    let (mut retried, mut discarded, mut at_work) = (0, 0, [0; 5]);
    for seed in only.map_or(0..50, |seed| seed..seed + 1) {
        let drawn = drawn(seed);
        let one = drawn.alone();
        let most = (drawn.topology.group_count() as u32).min(4);
        for count in [1 + seed as u32 % most, most] {
            let context = format!("seed {seed}, {count} processes: {} {:?}", drawn.topology.name(), drawn.config);
            let mut results = drawn.among(count);
            at_work[count as usize] += 1;
            match (&one, results.remove(0)) {
                (Ok(one), Ok(Some(many))) => {
                    assert_eq!(one.digest, many.digest, "{context}");
                    assert_equal(&all_of(one), &all_of(&many), &context);
                    assert!(results.iter().all(|other| matches!(other, Ok(None))), "{context}");
                    retried += one.retry_totals.retries;
                    discarded += one.packets_discarded;
                }
                (Err(one), Err(many)) => assert_eq!(one.to_string(), many.to_string(), "{context}"),
                (one, many) => panic!("{context}: {one:?}\nbut {many:?}"),
            }
        }
    }
    if only.is_none() {
        assert!(discarded > 100 && retried > 100, "{discarded} packets discarded, {retried} sent again");
        assert!(at_work[1..].iter().all(|&runs| runs > 3), "{at_work:?} runs by processes");
    }
}

/// Saves a run at one time.
struct Once(Picoseconds, Arc<Mutex<Vec<u8>>>);

impl Keeper for Once {
    fn next(&self) -> Picoseconds {
        self.0
    }

    fn keep(&mut self, source: &CheckpointSource<'_>) {
        self.0 = Picoseconds::MAX;
        let mut bytes = Vec::new();
        source.write("1", "a test", &mut bytes).expect("memory takes it");
        *self.1.lock().expect("no thread panics") = bytes;
    }
}

#[test]
fn a_checkpoint_continues_with_any_number_of_processes() {
    let mut kept_runs = 0;
    for seed in 0..12 {
        let drawn = Drawn {
            options: RunOptions {
                execution: ExecutionOptions { partitions: 4, ..drawn(seed).options.execution.clone() },
                ..drawn(seed).options
            },
            ..drawn(seed)
        };
        let most = (drawn.topology.group_count() as u32).min(4);
        let kept = Arc::new(Mutex::new(Vec::new()));
        let run = |process: &mut Channels, from: Option<&[u8]>, kept_at: Picoseconds| {
            // As many partitions as the saved run.
            let share = philae_fabric::Processes::share(process);
            let options = RunOptions {
                execution: ExecutionOptions { share, threads: 1, ..drawn.options.execution.clone() },
                ..drawn.options.clone()
            };
            let topology = Arc::clone(&drawn.topology);
            let mut simulation =
                Simulation::new(topology, drawn.config.clone(), options, (drawn.jobs)()).expect("it builds");
            if let Some(bytes) = from {
                simulation
                    .resume(Checkpoint::open(Cursor::new(bytes)).expect("it is whole"))
                    .expect("it is of this run");
            } else if share.is_first() {
                simulation.keep(Box::new(Once(kept_at, Arc::clone(&kept)))).expect("it can be kept");
            } else {
                simulation.keep_with_others().expect("it can be kept");
            }
            simulation.run_among(process, &mut |_| ControlFlow::Continue(())).expect("it runs")
        };
        let Ok(one) = drawn.alone() else { continue };
        let kept_at = Picoseconds(one.simulated.0 / 3);
        let many = Channels::each(most, |process| run(process, None, kept_at)).remove(0).expect("the record");
        assert_equal(&all_of(&one), &all_of(&many), &format!("seed {seed}, kept"));
        let bytes = kept.lock().expect("no thread panics").clone();
        assert!(!bytes.is_empty(), "seed {seed}: it was kept at {kept_at}");
        for count in 1..=most {
            let rest =
                Channels::each(count, |process| run(process, Some(&bytes), kept_at)).remove(0).expect("the record");
            assert_equal(&all_of(&one), &all_of(&rest), &format!("seed {seed}, {most} and then {count} processes"));
        }
        kept_runs += 1;
    }
    assert!(kept_runs > 8, "{kept_runs} runs were kept");
}

/// Waits for a message that no rank sends.
struct Lonely;

impl RankProgram for Lonely {
    fn advance(&mut self, _: Option<OpHandle>, actions: &mut Vec<Action>) -> Progress {
        let op = Op::Recv { from: Some(RankId(1)), bytes: Bytes(8), tag: Some(42) };
        actions.push(Action::Start(OpHandle(0), op));
        Progress::Running
    }
}

fn on_four_groups(jobs: impl Fn() -> Vec<Job> + Sync + 'static) -> Drawn {
    let options = RunOptions { time_limit: Picoseconds::from_micros(1_000), ..RunOptions::default() };
    let topology = topology(DragonflyDescription::uniform(4, 2, 2, 1));
    Drawn { topology, config: config("slingshot"), options, jobs: Box::new(jobs) }
}

#[test]
fn ranks_that_wait_forever_are_named_whichever_process_has_them() {
    let drawn = on_four_groups(|| {
        let mut lonely = job("lonely", 5..16, "kind = 'barrier'\niterations = 1", 1);
        lonely.programs = lonely.programs.iter().map(|_| Box::new(Lonely) as Box<dyn RankProgram>).collect();
        vec![lonely]
    });
    let alone = drawn.alone().expect_err("no rank sends").to_string();
    assert!(alone.contains("11 ranks wait for messages that no rank sends"), "{alone}");
    for (process, result) in drawn.among(4).into_iter().enumerate() {
        assert_eq!(result.expect_err("no rank sends").to_string(), alone, "process {process}");
    }
}

#[test]
fn an_interrupt_in_one_process_stops_all() {
    let jobs = || vec![job("all", 0..16, "kind = 'uniform-random'\nbytes = '20KiB'", 1)];
    let mut drawn = on_four_groups(jobs);
    drawn.options.time_limit = Picoseconds::from_micros(1_000_000);
    let mut results = Channels::each(3, |process| {
        let share = philae_fabric::Processes::share(process);
        let options = RunOptions {
            execution: ExecutionOptions { share, ..drawn.options.execution.clone() },
            ..drawn.options.clone()
        };
        let topology = Arc::clone(&drawn.topology);
        let simulation = Simulation::new(topology, drawn.config.clone(), options, (drawn.jobs)())?;
        let stop = if share.number == 2 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) };
        simulation.run_among(process, &mut |_| stop)
    });
    let record = results.remove(0).expect("it runs").expect("the first has the record");
    assert_eq!(record.status, RunStatus::Interrupted);
    assert!(results.iter().all(|other| matches!(other, Ok(None))));
}

#[test]
fn more_processes_than_groups_are_refused_by_all() {
    let drawn = on_four_groups(|| vec![job("all", 0..16, "kind = 'barrier'\niterations = 1", 1)]);
    for result in drawn.among(5) {
        let error = result.expect_err("a group for each").to_string();
        assert_eq!(
            error,
            "5 processes are to share the run, and the network has 4 groups to share out: 4 processes at most would work"
        );
    }
}

#[test]
fn an_error_in_one_process_reaches_all_with_the_text_of_the_first() {
    let results = Channels::each(3, |process| {
        let number = philae_fabric::Processes::share(process).number;
        let words = (number > 0).then(|| format!("process {number} has no file"));
        failures(process, words.as_deref())
    });
    for results in results {
        let failed = results.expect("all are there").expect("two have failed");
        assert_eq!((failed.first, failed.words.as_str(), failed.is_everywhere), (1, "process 1 has no file", false));
    }
    let alike = Channels::each(3, |process| failures(process, Some("no")).expect("all are there").expect("it failed"));
    assert!(alike.iter().all(|failed| failed.is_everywhere));
}

#[test]
fn a_process_that_is_gone_is_an_error_without_a_wait() {
    let results = Channels::each(2, |process| {
        if philae_fabric::Processes::share(process).number == 1 {
            return Ok(None);
        }
        failures(process, None)
    });
    assert_eq!(results[0], Err(ProcessLost("process 1 has ended".to_owned())));
}
