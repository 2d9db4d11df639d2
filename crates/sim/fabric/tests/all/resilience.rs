//! Links with errors and parts that fail: nothing is lost for good, nothing happens twice, order is
//! kept where promised, and partitions do not show.

use crate::common::{config, job, run, topology, without_responses};
use crate::matching::{compute, ranks, send};
use philae_engine::RandomStream;
use philae_fabric::{
    ExecutionOptions, FabricConfig, Fault, FaultKind, FaultLaw, FaultTarget, Job, RecordOptions, Resilience, RunOptions,
};
use philae_link_layer::{FecKind, LinkParameters};
use philae_nic_model::{ResponseScope, RetryParameters};
use philae_results::fault::DiscardCause;
use philae_results::record::{RunRecord, RunStatus};
use philae_topology::{DragonflyDescription, FatTreeDescription, PortPeer, PortRole, Topology};
use philae_units::{Picoseconds, PortIndex, SwitchId};

const NODES: u32 = 6 * 4 * 4;

/// Timers short enough for a test.
fn quick_retries() -> RetryParameters {
    RetryParameters { packet_timeout_ns: 200_000, retry_step_ms: 1, unordered_delay_ms: 1, retries_max: 4 }
}

fn resilient(law: &str, ordered: bool, resilience: Resilience) -> FabricConfig {
    let mut config = config(law);
    config.nic.ordered = ordered;
    config.nic.edge_pause = law != "aries";
    config.resilience = Resilience { retry: quick_retries(), reroute_ns: 5_000, pause_guard_ns: 50_000, ..resilience };
    config
}

/// A link that loses about one frame in a hundred.
fn noisy() -> LinkParameters {
    LinkParameters { bit_errors: 6, bit_errors_per_10_to: 7, fec: FecKind::None, ..LinkParameters::slingshot() }
}

fn jobs() -> Vec<Job> {
    vec![
        job("alltoall", (0..NODES).step_by(2), "kind = 'alltoall'\nbytes = '6KiB'\niterations = 2", 1),
        job("rendezvous", (1..NODES).step_by(4), "kind = 'sendrecv-alltoall'\nbytes = '40KiB'\niterations = 1", 1),
        job("puts", (3..NODES).step_by(4), "kind = 'uniform-random'\nbytes = '30KiB'\niterations = 12", 1),
    ]
}

fn options(partitions: u32) -> RunOptions {
    RunOptions {
        time_limit: Picoseconds::from_micros(60_000_000),
        execution: ExecutionOptions {
            partitions,
            far_ports_min: 0,
            block_ports_min: 0,
            block_events_min: 0,
            ..ExecutionOptions::default()
        },
        records: RecordOptions { flows: true, ..RecordOptions::default() },
        ..RunOptions::default()
    }
}

fn dragonfly() -> std::sync::Arc<Topology> {
    topology(DragonflyDescription::uniform(6, 4, 4, 2))
}

fn port_of_role(topology: &Topology, role: PortRole, skip: usize) -> PortIndex {
    (0..topology.port_count() as u32)
        .map(PortIndex)
        .filter(|&port| topology.port(port).role == role)
        .nth(skip)
        .expect("a port of this role")
}

fn counter(record: &RunRecord, name: &str) -> u64 {
    record.counters.iter().filter(|row| row.name.as_str() == name).map(|row| row.value).sum()
}

/// Delivered operations and their bytes, which do not depend on errors and faults.
fn delivered(record: &RunRecord) -> Vec<(u16, u64, usize)> {
    let jobs = 0..record.jobs.len() as u16;
    let of = |job| record.messages.iter().filter(move |row| row.job.0 == job);
    jobs.map(|job| (job, of(job).map(|row| row.bytes.0).sum(), of(job).count())).collect()
}

fn micros(microseconds: u64) -> Picoseconds {
    Picoseconds::from_micros(microseconds)
}

#[test]
fn thousands_of_retries_lose_repeat_and_reorder_nothing() {
    for (law, ordered) in [("slingshot", false), ("slingshot", true), ("none", true), ("aries", false), ("ecn", true)] {
        let clean = LinkParameters { bit_errors: 0, ..noisy() };
        let clean = Resilience { link: Some(clean), ..Resilience::default() };
        let clean = run(&dragonfly(), resilient(law, ordered, clean), options(1), jobs()).unwrap();
        let resilience = Resilience { link: Some(noisy()), ..Resilience::default() };
        let record = run(&dragonfly(), resilient(law, ordered, resilience), options(1), jobs()).unwrap();
        assert_eq!(record.status, RunStatus::Completed, "{law}");
        assert_eq!(delivered(&record), delivered(&clean), "{law}");
        assert_eq!((record.packets_discarded, record.packets_injected), (0, clean.packets_injected), "{law}");
        assert_eq!(record.retry_totals, Default::default(), "links repair themselves: NICs retry nothing ({law})");
        let replayed = counter(&record, "hni_llr_tx_ok_lossless_rpt");
        assert!(replayed > 2_000, "{law}: {replayed} frames were sent again");
        let total = |record: &RunRecord| record.flows.iter().map(|row| row.latency_max.0).sum::<u64>();
        assert!(total(&record) > total(&clean), "the slowest packets of flows are slower ({law})");
    }
}

#[test]
fn a_link_without_noise_changes_nothing() {
    // Where packets may be lost, the data of reads have responses too.
    let mut config = without_responses(resilient("slingshot", false, Resilience::default()));
    let link = LinkParameters { bit_errors: 0, ..LinkParameters::slingshot() };
    config.switch.fec_ns = (link.fec.latency().0 / 1_000) as u32;
    let plain = run(&dragonfly(), config.clone(), options(1), jobs()).unwrap();
    config.resilience.link = Some(link);
    let modelled = run(&dragonfly(), config, options(1), jobs()).unwrap();
    assert_eq!(format!("{:?}", plain.messages), format!("{:?}", modelled.messages));
    let finished = |record: &RunRecord| record.jobs.iter().map(|job| job.finished).collect::<Vec<_>>();
    assert_eq!(finished(&plain), finished(&modelled));
}

#[test]
fn goodput_over_a_noisy_link_is_that_of_the_closed_form() {
    // One stream over one switch: every frame crosses two noisy links.
    let pair = topology(DragonflyDescription::uniform(1, 1, 2, 1));
    let measure = |link: Option<LinkParameters>| {
        let jobs = vec![job("stream", 0..2, "kind = 'bandwidth'\nbytes = '4MiB'\niterations = 4", 1)];
        let mut config = resilient("none", false, Resilience { link, ..Resilience::default() });
        config.switch.fec_ns = 0;
        run(&pair, config, options(1), jobs).unwrap()
    };
    let clean = measure(Some(LinkParameters { bit_errors: 0, fec: FecKind::None, ..LinkParameters::slingshot() }));
    let noisy = measure(Some(LinkParameters { bit_errors: 3, ..noisy() }));
    let lost = counter(&noisy, "hni_llr_tx_replay_event") as f64;
    let again = counter(&noisy, "hni_llr_tx_ok_lossless_rpt") as f64;
    assert!(lost > 50.0, "{lost} frames were damaged");
    // Go-back-N: each loss costs the frames in flight until the sender learns of it. The two links
    // err at different times, and at each moment the slower one decides: less than the sum, no less
    // than either.
    let loop_frames = again / lost;
    let slowed = noisy.simulated.0 as f64 / clean.simulated.0 as f64;
    let frames = clean.packets_delivered as f64;
    let (both, one) = (1.0 + again / frames, 1.0 + again / frames / 2.0);
    assert!(slowed < both * 1.03 && slowed > one * 0.97, "{slowed} is not between {one} and {both}");
    // Propagation, parsing and answer of a 2 m cable: about 0.75 us of 85 ns frames.
    assert!((4.0..14.0).contains(&loop_frames), "{loop_frames} frames a loss");
}

#[test]
fn a_link_that_goes_down_costs_retries_and_no_message() {
    for (law, ordered) in [("slingshot", false), ("slingshot", true), ("none", false), ("ecn", true), ("aries", true)] {
        for role in [PortRole::Local, PortRole::Global, PortRole::Edge] {
            let system = dragonfly();
            let target = FaultTarget::Link(port_of_role(&system, role, 5));
            let until = Some(micros(400));
            let fault = Fault { start: micros(20), until, target, kind: FaultKind::Down };
            let clean = run(&system, resilient(law, ordered, Resilience::default()), options(1), jobs()).unwrap();
            let resilience = Resilience { faults: vec![fault], ..Resilience::default() };
            let record = run(&system, resilient(law, ordered, resilience), options(1), jobs()).unwrap();
            assert_eq!(record.status, RunStatus::Completed, "{law} {role:?}");
            assert_eq!(delivered(&record), delivered(&clean), "{law} {role:?}");
            assert_eq!(record.failures, Vec::new());
            assert!(record.packets_discarded > 0, "{law} {role:?}: the link was busy");
            assert!(record.retry_totals.retries > 0);
            assert_eq!(record.faults.len(), 1);
            let ended = record.faults[0].ended;
            assert!(ended == until || record.simulated < micros(400));
            assert!(
                record.discards.iter().all(|row| matches!(row.cause, DiscardCause::LinkDown | DiscardCause::NoRoute))
            );
        }
    }
}

#[test]
fn responses_are_lost_as_all_packets_are_and_no_operation_ends_twice_or_never() {
    let puts = "kind = 'one-sided'\nbytes = '200KiB'\nwindow = 4\niterations = 4";
    let record = |responses, ordered, faults: bool| {
        let system = dragonfly();
        let mut config = resilient("slingshot", ordered, Resilience::default());
        if faults {
            // Of a NIC that puts: what its switch discards are responses.
            let target = FaultTarget::Link(port_of_role(&system, PortRole::Edge, 0));
            let fault = Fault { start: micros(20), until: Some(micros(25)), target, kind: FaultKind::Down };
            config.resilience.faults = vec![fault];
        } else {
            config.resilience.link = Some(LinkParameters { bit_errors: 0, ..noisy() });
        }
        config.nic.responses = responses;
        run(&system, config, options(1), vec![job("puts", 0..4, puts, 1)]).expect("it runs")
    };
    for ordered in [false, true] {
        let (by_switch, clean) =
            (record(ResponseScope::Switch, ordered, false), record(ResponseScope::Packet, ordered, false));
        let struck = record(ResponseScope::Packet, ordered, true);
        let of = |record: &RunRecord| (record.status, record.iterations.len(), record.failures.len());
        assert_eq!(of(&clean), of(&by_switch));
        assert_eq!(of(&struck), of(&by_switch), "ordered {ordered}");
        assert_eq!(clean.packets_delivered, 2 * by_switch.packets_delivered, "each packet has a response");
        assert!(struck.packets_discarded > 0 && struck.retry_totals.retries > 0);
        // A put whose response was lost comes again, and is written again with the same effect.
        assert!(struck.retry_totals.repeated > 0, "ordered {ordered}: {:?}", struck.retry_totals);
    }
}

#[test]
fn a_switch_that_dies_takes_its_nics_with_it_and_traffic_continues() {
    let system = dragonfly();
    let dead = SwitchId(5);
    // The job is on other switches; its traffic passes the switch that fails.
    let nodes = || {
        (0..NODES).filter(|&node| {
            let endpoint = system.endpoints_of(philae_units::NodeId(node)).start;
            system.switch_of_endpoint(philae_units::EndpointId(endpoint)) != dead
        })
    };
    let jobs = || vec![job("alltoall", nodes(), "kind = 'alltoall'\nbytes = '16KiB'\niterations = 1", 1)];
    let fault = Fault { start: micros(15), until: None, target: FaultTarget::Switch(dead), kind: FaultKind::Down };
    let resilience = Resilience { faults: vec![fault], ..Resilience::default() };
    let clean = run(&system, resilient("slingshot", false, Resilience::default()), options(1), jobs()).unwrap();
    let record = run(&system, resilient("slingshot", false, resilience), options(1), jobs()).unwrap();
    assert_eq!(record.status, RunStatus::Completed);
    assert_eq!(delivered(&record), delivered(&clean));
    assert!(record.faults[0].packets_discarded > 0 && record.faults[0].felt_until.is_some());
}

#[test]
fn messages_to_a_dead_nic_fail_and_say_so() {
    let system = dragonfly();
    let fault = Fault {
        start: micros(10),
        until: None,
        target: FaultTarget::Nic(philae_units::EndpointId(7)),
        kind: FaultKind::Down,
    };
    let resilience = Resilience { faults: vec![fault], ..Resilience::default() };
    let jobs = || vec![job("alltoall", 0..NODES, "kind = 'alltoall'\nbytes = '16KiB'\niterations = 1", 1)];
    let record = run(&system, resilient("slingshot", false, resilience), options(1), jobs()).unwrap();
    assert_eq!(record.status, RunStatus::Unfinished);
    assert!(record.failures.iter().all(|row| row.destination.0 == 7 || row.source.0 == 7));
    assert!(!record.failures.is_empty() && record.jobs[0].finished.is_none());
}

/// A NIC gives up a long message of which it has sent a part. Nothing more of that leaves, and its
/// sender goes on.
#[test]
fn a_send_that_is_given_up_halfway_ends() {
    let (system, bytes) = (dragonfly(), 16 << 20);
    let target = FaultTarget::Nic(philae_units::EndpointId(11));
    let fault = Fault { start: Picoseconds(1), until: None, target, kind: FaultKind::Down };
    let mut config = resilient("slingshot", false, Resilience { faults: vec![fault], ..Resilience::default() });
    config.resilience.retry =
        RetryParameters { packet_timeout_ns: 20_000, retry_step_ms: 0, unordered_delay_ms: 0, retries_max: 2 };
    // All of it is sent without a request.
    config.nic.eager_max_bytes = bytes as u32;
    let seen = [1, 2, 3].map(|partitions| {
        let jobs = vec![ranks(vec![vec![vec![send(1, 0, bytes)], vec![compute(1)]], Vec::new()])];
        let record = run(&system, config.clone(), options(partitions), jobs).unwrap();
        assert_eq!((record.status, record.failures.len()), (RunStatus::Completed, 1));
        let failed = record.failures[0].failed;
        // It would take three quarters of a millisecond to send it.
        assert!((micros(60)..micros(100)).contains(&failed), "{failed}");
        assert!(
            record.simulated >= failed + micros(1) && record.simulated < failed + micros(100),
            "{}",
            record.simulated
        );
        (record.digest, failed)
    });
    assert_eq!([seen[1], seen[2]], [seen[0]; 2]);
}

#[test]
fn lost_lanes_slow_a_link_and_a_short_flap_loses_nothing() {
    let system = topology(DragonflyDescription::uniform(2, 1, 4, 1));
    let jobs = || vec![job("stream", [0, 4], "kind = 'bandwidth'\nbytes = '1MiB'\niterations = 2", 1)];
    let target = FaultTarget::Link(port_of_role(&system, PortRole::Global, 0));
    let with = |kind, until| {
        let fault = Fault { start: micros(5), until, target, kind };
        let resilience = Resilience { faults: vec![fault], ..Resilience::default() };
        run(&system, resilient("slingshot", false, resilience), options(1), jobs()).unwrap()
    };
    let times: Vec<f64> = (0..=3).map(|lanes| with(FaultKind::Lanes(lanes), None).simulated.0 as f64).collect();
    for (lanes, expected) in [(1, 4.0 / 3.0), (2, 2.0), (3, 4.0)] {
        let slowdown = times[lanes] / times[0];
        assert!((slowdown / expected - 1.0).abs() < 0.1, "{lanes} lanes less: {slowdown} times as long");
    }
    let flap = with(FaultKind::Lanes(4), Some(micros(35)));
    assert_eq!((flap.packets_discarded, flap.retry_totals), (0, Default::default()));
    assert!(flap.faults[0].frames_replayed > 0);
    let longer = (flap.simulated.0 as f64 - times[0]) / 1e6;
    assert!((25.0..36.0).contains(&longer), "a flap of 30 us costs {longer} us");
}

#[test]
fn a_nic_that_pauses_too_long_is_guarded_against() {
    let system = dragonfly();
    let jobs = || vec![job("incast", 0..16, "kind = 'incast'\nbytes = '64KiB'\niterations = 3", 1)];
    let with = |span: u64| {
        let target = FaultTarget::Nic(philae_units::EndpointId(0));
        let fault = Fault { start: micros(10), until: Some(micros(10 + span)), target, kind: FaultKind::Pause };
        let resilience = Resilience { faults: vec![fault], ..Resilience::default() };
        run(&system, resilient("slingshot", false, resilience), options(1), jobs()).unwrap()
    };
    assert_eq!(with(40).packets_discarded, 0, "shorter than the guard");
    let long = with(200);
    assert!(long.discards.iter().any(|row| row.cause == DiscardCause::PauseGuard && row.packets > 10));
    assert_eq!(long.status, RunStatus::Completed);
}

/// Faults of every kind at the same time, by chance.
fn storm(system: &Topology) -> Resilience {
    let links: Vec<FaultTarget> = (0..system.port_count() as u32)
        .map(PortIndex)
        .filter(|&port| matches!(system.port(port).peer, PortPeer::Port(peer) if peer > port))
        .map(FaultTarget::Link)
        .collect();
    let switches = (0..system.switch_count() as u32).map(|switch| FaultTarget::Switch(SwitchId(switch))).collect();
    let law =
        |kind, targets, gap, length| FaultLaw { kind, targets, gap_mean: micros(gap), length_mean: micros(length) };
    Resilience {
        link: Some(LinkParameters { link_down_timer_ns: 30_000, ..noisy() }),
        laws: vec![
            law(FaultKind::Down, links.clone(), 60, 50),
            law(FaultKind::Lanes(4), links.clone(), 40, 20),
            law(FaultKind::Lanes(2), links, 40, 100),
            law(FaultKind::Down, switches, 400, 60),
        ],
        ..Resilience::default()
    }
}

#[test]
fn partitions_do_not_show_when_things_fail() {
    for (number, (law, ordered)) in
        [("slingshot", false), ("slingshot", true), ("none", true), ("aries", false), ("ecn", false)]
            .into_iter()
            .enumerate()
    {
        let system = dragonfly();
        let record = |partitions| {
            let options = RunOptions { time_limit: micros(3_000), ..options(partitions) };
            let mut config = resilient(law, ordered, storm(&system));
            config.nic.responses = [ResponseScope::Switch, ResponseScope::Packet][number % 2];
            run(&system, config, options, jobs()).unwrap()
        };
        let one = record(1);
        assert!(one.packets_discarded > 0 && one.retry_totals.retries > 0);
        for partitions in [2, 3, 6] {
            let many = record(partitions);
            assert_eq!(one.digest, many.digest, "{law} ordered {ordered}, {partitions} partitions");
            assert_eq!(format!("{:?}", one.messages), format!("{:?}", many.messages));
            assert_eq!(format!("{:?}", one.flows), format!("{:?}", many.flows));
            assert_eq!((&one.discards, &one.faults), (&many.discards, &many.faults));
            assert_eq!((&one.failures, one.retry_totals), (&many.failures, many.retry_totals));
            assert_eq!(format!("{:?}", one.counters), format!("{:?}", many.counters));
        }
    }
}

#[test]
fn every_message_arrives_once_under_random_faults() {
    for seed in 0..40 {
        let mut random = RandomStream::new(seed, 9, 0);
        let system = match random.below(3) {
            0 => topology(FatTreeDescription::two_level(4, 4, 3)),
            _ => topology(DragonflyDescription::uniform(2 + random.below(4), 2 + random.below(3), 3, 2)),
        };
        let law = ["slingshot", "none", "aries", "ecn"][random.below(4) as usize];
        let ordered = random.below(2) == 0;
        let nodes = system.node_count() as u32;
        let jobs = || {
            vec![
                job("all", 0..nodes / 2, "kind = 'alltoall'\nbytes = '9KiB'\niterations = 2", seed),
                job("mix", nodes / 2..nodes, "kind = 'sendrecv-alltoall'\nbytes = '30KiB'\niterations = 2", seed),
            ]
        };
        let mut config = resilient(law, ordered, Resilience::default());
        config.nic.responses =
            [ResponseScope::Switch, ResponseScope::Message, ResponseScope::Packet][seed as usize % 3];
        let options = RunOptions { seed, ..options(1 + random.below(3)) };
        let clean = run(&system, config.clone(), options.clone(), jobs()).unwrap();
        config.resilience = Resilience { retry: quick_retries(), reroute_ns: 5_000, ..storm(&system) };
        // Enough retries for parts that fail again and again.
        config.resilience.retry.retries_max = 200;
        config.resilience.retry.retry_step_ms = 0;
        let record = run(&system, config, options, jobs()).unwrap_or_else(|error| panic!("seed {seed}: {error}"));
        assert_eq!(record.status, RunStatus::Completed, "seed {seed}");
        assert_eq!(delivered(&record), delivered(&clean), "seed {seed}");
    }
}

/// A result, with all that parameters of links, retries and faults can change.
fn outcome(resilience: Resilience) -> String {
    let mut config = resilient("slingshot", false, Resilience::default());
    config.resilience = resilience;
    let options = RunOptions { time_limit: micros(6_000), ..options(1) };
    let record = run(&dragonfly(), config, options, jobs()).expect("it runs");
    format!("{:x} {:?} {:?} {:?}", record.digest, record.discards, record.retry_totals, record.counters)
}

/// A parameter's name and a change of it.
type Change = (&'static str, fn(&mut Resilience));

#[test]
fn every_knob_of_links_retries_and_faults_changes_a_result() {
    let system = dragonfly();
    let mut base = storm(&system);
    base.link = Some(LinkParameters { fec: FecKind::LowLatency, burst_bits: 90, flap_gap_ms: 1, ..noisy() });
    base.faults = vec![Fault {
        start: micros(15),
        until: Some(micros(200)),
        target: FaultTarget::Nic(philae_units::EndpointId(3)),
        kind: FaultKind::Pause,
    }];
    (base.retry, base.reroute_ns, base.pause_guard_ns) = (quick_retries(), 5_000, 50_000);
    let before = outcome(base.clone());
    fn link(resilience: &mut Resilience) -> &mut LinkParameters {
        resilience.link.as_mut().expect("links are modelled")
    }
    let changes: [Change; 20] = [
        ("bit_errors", |r| link(r).bit_errors = 3),
        ("bit_errors_per_10_to", |r| link(r).bit_errors_per_10_to = 8),
        ("burst_bits", |r| link(r).burst_bits = 200),
        ("fec", |r| link(r).fec = FecKind::Rs544),
        ("lanes", |r| link(r).lanes = 8),
        ("replay_entries", |r| link(r).replay_entries = 4),
        ("replay_count_max", |r| link(r).replay_count_max = 0),
        ("retry_threshold", |r| link(r).retry_threshold = 0),
        ("link_down_timer_ns", |r| link(r).link_down_timer_ns = 10_000),
        ("flap_gap_ms", |r| link(r).flap_gap_ms = 2),
        ("flap_length_us", |r| link(r).flap_length_us = 40),
        ("flap_lanes", |r| link(r).flap_lanes = 1),
        ("packet_timeout_ns", |r| r.retry.packet_timeout_ns = 400_000),
        ("retries_max", |r| r.retry.retries_max = 1),
        ("unordered_delay_ms", |r| r.retry.unordered_delay_ms = 0),
        ("reroute_ns", |r| r.reroute_ns = 50_000),
        ("pause_guard_ns", |r| r.pause_guard_ns = 500_000),
        ("laws", |r| r.laws.truncate(2)),
        ("length_mean", |r| r.laws[0].length_mean = micros(10)),
        ("faults", |r| r.faults.clear()),
    ];
    for (name, change) in changes {
        let mut changed = base.clone();
        change(&mut changed);
        assert_ne!(changed, base, "{name} is a change");
        assert_ne!(outcome(changed), before, "changing {name} changes nothing");
    }
    // Both act only on what is lost again and again, or if answers are lost.
    let again = |step| {
        let mut lost = base.clone();
        lost.laws.push(FaultLaw {
            kind: FaultKind::Down,
            targets: vec![FaultTarget::Nic(philae_units::EndpointId(9))],
            gap_mean: micros(20),
            length_mean: micros(5_000),
        });
        lost.retry = RetryParameters { retry_step_ms: step, unordered_delay_ms: 0, ..quick_retries() };
        outcome(lost)
    };
    assert_ne!(again(1), again(2), "changing retry_step_ms changes nothing");
}
