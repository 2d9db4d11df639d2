//! Ultra Ethernet's transport and laws: windows, credits, entropy, losses.

use std::sync::Arc;

use crate::common::uet::{LAWS, control, counted, iteration_us, law_of, trimmed};
use crate::common::{config, job, run, run_by_reference, topology};
use crate::zero_load::assert_closed_form;
use philae_congestion::{CongestionLaw, NsccParameters, UetLaw};
use philae_fabric::{ExecutionOptions, FabricConfig, Fault, FaultKind, FaultTarget, Job, RecordOptions, RunOptions};
use philae_nic_model::{EntropySpray, UetEncapsulation, wire_bytes};
use philae_path::RoutingMode;
use philae_results::RunSummary;
use philae_results::record::RunStatus;
use philae_topology::{DragonflyDescription, FatTreeDescription, Topology};
use philae_traffic_class::{ClassSet, TrafficClass};
use philae_units::{EndpointId, Picoseconds, SwitchId};

fn law(name: &str) -> FabricConfig {
    let congestion = match law_of(name) {
        UetLaw::Nscc(law) => CongestionLaw::Nscc(law),
        UetLaw::Rccc(law) => CongestionLaw::Rccc(law),
    };
    FabricConfig { congestion, ..config("none") }
}

/// The same where an output discards what finds this many bytes in its queue.
fn lossy(config: FabricConfig, queue: u32) -> FabricConfig {
    let class = TrafficClass { lossy: true, queue_max_bytes: Some(queue), ..TrafficClass::named("best effort") };
    let classes = ClassSet::new(vec![class], 8).expect("a class");
    FabricConfig { classes, ..config }
}

/// The same where an output trims what finds this many bytes in its queue.
fn trimming(config: FabricConfig, queue: u32) -> FabricConfig {
    let classes = vec![trimmed("best effort", queue), control()];
    FabricConfig { classes: ClassSet::new(classes, 8).expect("two classes"), ..config }
}

fn ecmp(mut config: FabricConfig, spray: EntropySpray) -> FabricConfig {
    config.routing.mode = RoutingMode::Ecmp;
    (config.routing.minimal_candidates, config.routing.nonminimal_candidates) = (1, 0);
    config.laws.uet.spray = spray;
    config
}

/// Senders choose between shortest and other paths.
fn path_aware(mut config: FabricConfig) -> FabricConfig {
    config.routing.mode = RoutingMode::EcmpNonminimal;
    (config.routing.minimal_candidates, config.routing.nonminimal_candidates) = (2, 2);
    config.laws.uet.spray = EntropySpray::PathAware;
    config
}

fn dragonfly() -> Arc<Topology> {
    topology(DragonflyDescription::uniform(3, 4, 4, 2))
}

fn incast(senders: u32, bytes: &str) -> Vec<Job> {
    let workload = format!("kind = 'incast'\nto = 'last'\nbytes = '{bytes}'\niterations = 1");
    vec![job("incast", 0..=senders, &workload, 1)]
}

#[test]
fn one_flow_fills_its_link() {
    let alone = |config| {
        let jobs = vec![job("one", [0, 40], "kind = 'incast'\nto = 'last'\nbytes = '4MiB'\niterations = 1", 1)];
        iteration_us(&run(&dragonfly(), config, RunOptions::default(), jobs).expect("it runs"), 0)
    };
    let free = alone(config("none"));
    for name in LAWS {
        let mut config = law(name);
        let full = config.uet_sizes().expect("sizes of the formats").full();
        let headers = f64::from(full) / f64::from(wire_bytes(&config.nic, config.nic.payload_max_bytes, false));
        let took = alone(config.clone());
        assert!(took < 1.03 * headers * free, "{name}: {took} us of {free}");
        config.laws.uet.encapsulation = UetEncapsulation::Nic;
        let took = alone(config);
        assert!(took < 1.03 * free, "{name}, headers of the NIC: {took} us of {free}");
    }
}

/// A message alone takes the time of its bytes: those of the formats, or those of the NIC.
#[test]
fn a_message_takes_the_time_of_its_headers() {
    let mut latencies = Vec::new();
    for encapsulation in [UetEncapsulation::Nic, UetEncapsulation::Ip, UetEncapsulation::Udp] {
        for name in LAWS {
            let mut config = law(name);
            (config.laws.uet.encapsulation, config.switch.latency_spread_ns) = (encapsulation, 0);
            for bytes in [1, 100, 2_048] {
                assert_closed_form(&dragonfly(), &config, 40, bytes);
            }
        }
        let mut config = law("rccc");
        config.laws.uet.encapsulation = encapsulation;
        let jobs = vec![job("pair", [0, 40], "kind = 'ping-pong'\nbytes = 8\niterations = 1", 1)];
        latencies.push(iteration_us(&run(&dragonfly(), config, RunOptions::default(), jobs).expect("it runs"), 0));
    }
    assert!(latencies.is_sorted_by(|less, more| less < more), "{latencies:?}: each has longer headers");
}

/// Many senders share the link of one receiver. Its queue is short, and nothing is lost.
#[test]
fn an_incast_uses_its_link_fairly() {
    let link_us = 47.0 * 256.0 * 1.024 * 8.0 / 200.0;
    for name in LAWS {
        let records = RecordOptions { flows: true, ..RecordOptions::default() };
        let options = RunOptions { records, ..RunOptions::default() };
        let record = run(&dragonfly(), law(name), options, incast(47, "256KiB")).expect("it runs");
        let took = iteration_us(&record, 0);
        assert!(took < 1.1 * link_us, "{name}: {took} us of {link_us}");
        assert_eq!((record.packets_discarded, record.retry_totals.timeouts), (0, 0), "{name}");
        let fairness = RunSummary::of(&record).jobs[0].flow_fairness.expect("flows");
        assert!(fairness > 0.9, "{name}: {fairness}");
    }
}

/// Where switches discard, all arrives once, and sooner than the timers alone would have it.
#[test]
fn nothing_is_lost_for_good() {
    for name in LAWS {
        let record =
            run(&dragonfly(), lossy(law(name), 60_000), RunOptions::default(), incast(32, "64KiB")).expect("it runs");
        assert!(record.packets_discarded > 0, "{name}: queues overflow");
        assert!(record.retry_totals.retries > 0, "{name}: {:?}", record.retry_totals);
        let summary = RunSummary::of(&record);
        assert_eq!((summary.jobs[0].messages_undelivered, summary.operations_failed), (0, 0), "{name}");
        assert_eq!(record.messages.len(), 32, "{name}");
    }
}

/// Where switches trim, no packet is lost and no timer runs out, and an incast of any width takes
/// what its link takes.
#[test]
fn trimmed_packets_are_sent_again_at_once() {
    for name in LAWS {
        for senders in [8, 16, 47] {
            let config = trimming(law(name), 60_000);
            let record = run(&dragonfly(), config, RunOptions::default(), incast(senders, "256KiB")).expect("it runs");
            let link_us = f64::from(senders) * 256.0 * 1.024 * 8.0 / 200.0;
            let took = iteration_us(&record, 0);
            assert!(took < 1.35 * link_us, "{name}, {senders} senders: {took} us of {link_us}");
            let trims = counted(&record, "packets_trimmed", |_| true);
            assert_eq!((record.packets_discarded, record.retry_totals.timeouts), (0, 0), "{name}, {senders}");
            assert!(trims > 0 && record.retry_totals.retries == trims, "{name}, {senders}: {trims} trimmed");
            let summary = RunSummary::of(&record);
            assert_eq!((summary.jobs[0].messages_undelivered, summary.operations_failed), (0, 0), "{name}");
        }
    }
}

/// A receiver may give credit for many packets at a time. Its senders get what they want, and do
/// not hoard the rest until all flood its link.
#[test]
fn large_credits_do_not_flood_the_receiver() {
    for name in ["rccc", "nscc with credits"] {
        let count = |packets: u32| {
            let mut config = trimming(law(name), 60_000);
            match &mut config.congestion {
                CongestionLaw::Rccc(law) => law.credit_packets = packets,
                CongestionLaw::Nscc(law) => law.credit_packets = packets,
                _ => panic!("a law of Ultra Ethernet"),
            }
            let record = run(&dragonfly(), config, RunOptions::default(), incast(32, "1MiB")).expect("it runs");
            assert_eq!((RunSummary::of(&record).operations_failed, record.retry_totals.timeouts), (0, 0), "{name}");
            counted(&record, "packets_trimmed", |_| true)
        };
        let (few, many) = (count(4), count(1_024));
        assert!(few > 0 && many < 4 * few, "{name}: {few} packets are trimmed with small credits, {many} with large");
    }
}

/// A class that can have a hundredth of each link: timers wait for its queues, credits go at its
/// rate, and little more than what was discarded is sent again.
#[test]
fn a_class_with_a_low_ceiling_loses_no_message() {
    for name in LAWS {
        for kind in ["incast", "permutation"] {
            let mut config = lossy(law(name), 60_000);
            let class = TrafficClass { ceiling_percent: 1, ..config.classes.classes()[0].clone() };
            config.classes = ClassSet::new(vec![class], 8).expect("a class");
            let to = if kind == "incast" { "to = 'last'\n" } else { "" };
            let workload = format!("kind = '{kind}'\n{to}bytes = '64KiB'\niterations = 1");
            let jobs = vec![job("slow", 0..17, &workload, 1)];
            let record = run(&dragonfly(), config, RunOptions::default(), jobs).expect("it runs");
            let summary = RunSummary::of(&record);
            assert_eq!((summary.operations_failed, summary.jobs[0].messages_undelivered), (0, 0), "{name}");
            let (timeouts, lost) = (record.retry_totals.timeouts, record.packets_discarded);
            // An acknowledgement may be lost, too.
            assert!(timeouts <= 2 * lost, "{name}: {timeouts} packets were late, {lost} lost");
            let (took, link_us) = (iteration_us(&record, 0), 16.0 * 64.0 * 1.024 * 8.0 / 2.0);
            assert!(took < 4.0 * link_us, "{name}, {kind}: {took} us of {link_us}, with a timer of 2,940 us");
        }
    }
}

/// What is left of a packet takes its time on the links.
#[test]
fn what_is_left_of_a_packet_counts() {
    let took = |left: u16| {
        let mut config = trimming(law("nscc"), 60_000);
        config.laws.uet.trimmed_bytes = left;
        let record = run(&dragonfly(), config, RunOptions::default(), incast(16, "64KiB")).expect("it runs");
        (record.digest, iteration_us(&record, 0))
    };
    let (small, large) = (took(64), took(512));
    assert!(small.0 != large.0 && small.1 < large.1, "{small:?}, {large:?}");
}

/// A NIC that is gone: its messages fail after the retries, and the run ends.
#[test]
fn messages_to_a_dead_nic_fail() {
    for name in LAWS {
        let mut config = law(name);
        (config.laws.uet.retries_max, config.laws.uet.retry_timeout_ns) = (3, 20_000);
        config.resilience.reroute_ns = 10_000;
        config.resilience.faults = vec![Fault {
            start: Picoseconds::from_micros(5),
            until: None,
            target: FaultTarget::Nic(EndpointId(40)),
            kind: FaultKind::Down,
        }];
        let jobs = vec![job(
            "put",
            [0, 40],
            "kind = 'incast'\nto = 'last'\noperation = 'put'\nbytes = '1MiB'\niterations = 1",
            1,
        )];
        let options = RunOptions { time_limit: Picoseconds::from_micros(5_000), ..RunOptions::default() };
        let record = run(&dragonfly(), config, options, jobs).expect("it runs");
        assert_eq!(RunSummary::of(&record).operations_failed, 1, "{name}");
        // A window of one packet does not send each of many lost packets three times.
        let took = record.simulated.0 / 1_000_000;
        assert!((85..130).contains(&took), "{name}: four times 20 us without news take {took} us");
    }
}

/// A switch that is down for some microseconds takes packets, requests for credit and credits with
/// it. All are told again, and no message fails.
#[test]
fn messages_survive_a_switch_that_comes_back() {
    for name in LAWS {
        let mut config = law(name);
        config.laws.uet.retry_timeout_ns = 20_000;
        config.resilience.reroute_ns = 5_000;
        config.resilience.faults = vec![Fault {
            start: Picoseconds::from_micros(5),
            until: Some(Picoseconds::from_micros(30)),
            target: FaultTarget::Switch(SwitchId(4)),
            kind: FaultKind::Down,
        }];
        let jobs = vec![job("all", 0..48, "kind = 'permutation'\nbytes = '256KiB'\niterations = 2", 1)];
        let options = RunOptions { time_limit: Picoseconds::from_micros(5_000), ..RunOptions::default() };
        let record = run(&dragonfly(), config, options, jobs).expect("it runs");
        let summary = RunSummary::of(&record);
        assert!(record.packets_discarded > 0, "{name}: it carried packets");
        assert_eq!((summary.operations_failed, summary.jobs[0].messages_undelivered), (0, 0), "{name}");
    }
}

/// A NIC that comes back after a message to it has failed: later messages go on.
#[test]
fn later_messages_reach_a_nic_that_comes_back() {
    for name in LAWS {
        let mut config = law(name);
        (config.laws.uet.retries_max, config.laws.uet.retry_timeout_ns) = (3, 20_000);
        config.resilience.reroute_ns = 10_000;
        config.resilience.faults = vec![Fault {
            start: Picoseconds::from_micros(5),
            until: Some(Picoseconds::from_micros(100)),
            target: FaultTarget::Nic(EndpointId(40)),
            kind: FaultKind::Down,
        }];
        let stream = "kind = 'shift'\nby = 1\nbytes = '512KiB'\nwindow = 1\niterations = 4";
        let options = RunOptions { time_limit: Picoseconds::from_micros(5_000), ..RunOptions::default() };
        let record = run(&dragonfly(), config, options, vec![job("two", [0, 40], stream, 1)]).expect("it runs");
        let summary = RunSummary::of(&record);
        assert!(matches!(record.status, RunStatus::Completed), "{name}: {:?}", record.status);
        let (failed, delivered) = (summary.operations_failed, 8 - summary.jobs[0].messages_undelivered);
        assert_eq!(failed + delivered, 8, "{name}: {failed} failed");
        assert!(failed <= 2, "{name}: {failed} failed");
        let took = record.simulated.0 / 1_000_000;
        assert!(took < 350, "{name}: {took} us");
    }
}

fn mixture() -> Vec<Job> {
    vec![
        job("victim", (0..48).step_by(3), "kind = 'allreduce'\nbytes = '32KiB'\niterations = 4", 1),
        job("incast", (0..48).skip(1).step_by(3), "kind = 'incast'\nbytes = '64KiB'", 1),
        job("mix", (0..48).skip(2).step_by(3), "kind = 'uniform-random'\nbytes = '20KiB'", 1),
    ]
}

#[test]
fn runs_repeat_on_any_number_of_partitions() {
    let configs = |name: &str| {
        vec![
            ("credits between switches", law(name)),
            ("lossy", lossy(law(name), 30_000)),
            ("ecmp", ecmp(law(name), EntropySpray::Recycled)),
            ("path-aware", path_aware(law(name))),
            ("trimming", trimming(law(name), 30_000)),
            ("trimming, ordered", {
                let mut config = trimming(law(name), 30_000);
                let mut classes = config.classes.classes().to_vec();
                classes[0].ordered = Some(true);
                config.classes = ClassSet::new(classes, 8).expect("two classes");
                config
            }),
            ("ordered", {
                let class = TrafficClass { ordered: Some(true), ..TrafficClass::named("ordered") };
                let lossy = TrafficClass { lossy: true, queue_max_bytes: Some(30_000), ..class };
                FabricConfig { classes: ClassSet::new(vec![lossy], 8).expect("a class"), ..law(name) }
            }),
        ]
    };
    for name in LAWS {
        for (what, config) in configs(name) {
            let options = |partitions| RunOptions {
                time_limit: Picoseconds::from_micros(300),
                execution: ExecutionOptions { partitions, ..ExecutionOptions::default() },
                ..RunOptions::default()
            };
            let oracle = run_by_reference(&dragonfly(), config.clone(), options(1), mixture()).expect("it runs");
            for partitions in 1..4 {
                let record = run(&dragonfly(), config.clone(), options(partitions), mixture()).expect("it runs");
                assert_eq!(record.digest, oracle.digest, "{name}, {what}, {partitions} partitions");
            }
            let seed = RunOptions { seed: 2, ..options(1) };
            let other = run(&dragonfly(), config, seed, mixture()).expect("it runs");
            assert_ne!(other.digest, oracle.digest, "{name}, {what}: another seed");
        }
    }
}

/// Links that one value of the entropy leads to are shared by chance; sprayed packets share all.
#[test]
fn spraying_beats_one_path_for_each_flow() {
    let tree = topology(FatTreeDescription::two_level(4, 8, 8));
    let took = |spray| {
        let jobs = vec![job("permutation", 0..32, "kind = 'permutation'\nbytes = '1MiB'\niterations = 2", 1)];
        iteration_us(&run(&tree, ecmp(law("nscc"), spray), RunOptions::default(), jobs).expect("it runs"), 0)
    };
    let (flow, oblivious, recycled) =
        (took(EntropySpray::Flow), took(EntropySpray::Oblivious), took(EntropySpray::Recycled));
    assert!(oblivious < 0.75 * flow && recycled < 0.75 * flow, "{flow}, {oblivious}, {recycled} us");
}

/// All nodes of a group send to the next group. The one link between them is not enough, and the
/// links through other groups are. Where no path is loaded, senders stay on shortest paths.
#[test]
fn senders_that_know_their_paths_go_round_a_loaded_link() {
    let dragonfly = topology(DragonflyDescription::uniform(9, 4, 4, 1));
    let took = |config: FabricConfig, workload: &str| {
        let jobs = vec![job("all", 0..144, workload, 1)];
        iteration_us(&run(&dragonfly, config, RunOptions::default(), jobs).expect("it runs"), 0)
    };
    for name in LAWS {
        let shortest = ecmp(law(name), EntropySpray::Recycled);
        let mut oblivious = path_aware(law(name));
        oblivious.laws.uet.spray = EntropySpray::Oblivious;
        let loaded = "kind = 'shift'\nby = 16\nbytes = '256KiB'\niterations = 10";
        let idle = "kind = 'shift'\nby = 16\nbytes = '4KiB'\nwindow = 1\niterations = 10";
        let of_shortest = [took(shortest.clone(), loaded), took(shortest, idle)];
        let of_oblivious = [took(oblivious.clone(), loaded), took(oblivious, idle)];
        let of_aware = [took(path_aware(law(name)), loaded), took(path_aware(law(name)), idle)];
        assert!(of_aware[0] < 0.5 * of_shortest[0], "{name}: {of_aware:?} us of {of_shortest:?}");
        assert!(of_aware[0] < of_oblivious[0], "{name}: {of_aware:?} us of {of_oblivious:?}");
        assert!(of_aware[1] < of_oblivious[1], "{name}: {of_aware:?} us of {of_oblivious:?}");
    }
}

/// Every parameter of the laws and of the transport changes a result; `long_send` does in
/// `deferrable.rs`.
#[test]
fn knobs() {
    type Change = (&'static str, fn(&mut FabricConfig));
    fn nscc(config: &mut FabricConfig) -> &mut NsccParameters {
        match &mut config.congestion {
            CongestionLaw::Nscc(law) => law,
            _ => panic!("the law is nscc"),
        }
    }
    fn rccc(config: &mut FabricConfig) -> &mut philae_congestion::RcccParameters {
        match &mut config.congestion {
            CongestionLaw::Rccc(law) => law,
            _ => panic!("the law is rccc"),
        }
    }
    let result = |config: FabricConfig| {
        let options = RunOptions { time_limit: Picoseconds::from_micros(400), ..RunOptions::default() };
        run(&dragonfly(), config, options, mixture()).expect("it runs").digest
    };
    let of_nscc: Vec<Change> = vec![
        ("target_delay_ns", |config| nscc(config).target_delay_ns = 20_000),
        ("window_max_permille", |config| nscc(config).window_max_permille = 1_000),
        ("fair_increase_permille", |config| nscc(config).fair_increase_permille = 10_000),
        ("proportional_permille", |config| nscc(config).proportional_permille = 1_000),
        ("fast_increase_permille", |config| nscc(config).fast_increase_permille = 1_000),
        ("fast_below_ns", |config| nscc(config).fast_below_ns = 100),
        ("additive_increase_permille", |config| nscc(config).additive_increase_permille = 1_000),
        ("decrease_permille", |config| nscc(config).decrease_permille = 300),
        ("decrease_max_permille", |config| nscc(config).decrease_max_permille = 100),
        ("delay_gain_permyriad", |config| nscc(config).delay_gain_permyriad = 5_000),
        ("adjust_packets", |config| nscc(config).adjust_packets = 1),
        ("quick_adaptation", |config| nscc(config).quick_adaptation = false),
        ("quick_adaptation_shift", |config| nscc(config).quick_adaptation_shift = 0),
        ("credit_packets", |config| nscc(config).credit_packets = 2),
        ("mark_min_percent", |config| nscc(config).mark_min_percent = 60),
        ("mark_max_percent", |config| nscc(config).mark_max_percent = 200),
        ("ack_bytes", |config| config.laws.uet.ack_bytes = 4_096),
        ("retry_timeout_ns", |config| config.laws.uet.retry_timeout_ns = 30_000),
        ("spray, path-aware", |config| *config = path_aware(config.clone())),
        ("shares of the entropy", |config| {
            *config = path_aware(config.clone());
            (config.routing.minimal_candidates, config.routing.nonminimal_candidates) = (1, 2);
        }),
        ("spray", |config| config.laws.uet.spray = EntropySpray::Oblivious),
        ("trimming", |config| *config = trimming(config.clone(), 40_000)),
        ("entropy_values", |config| config.laws.uet.entropy_values = 8),
        ("encapsulation", |config| config.laws.uet.encapsulation = UetEncapsulation::Ip),
        ("encapsulation, none", |config| config.laws.uet.encapsulation = UetEncapsulation::Nic),
        ("ip", |config| config.laws.uet.ip = 6),
        ("frame_gap_bytes", |config| config.laws.uet.frame_gap_bytes = 0),
    ];
    let of_rccc: Vec<Change> = vec![
        ("window_max_permille", |config| rccc(config).window_max_permille = 500),
        ("credit_packets", |config| rccc(config).credit_packets = 1),
        ("mark_min_percent", |config| rccc(config).mark_min_percent = 60),
        ("mark_max_percent", |config| rccc(config).mark_max_percent = 200),
    ];
    for (name, changes) in [("nscc", of_nscc), ("rccc", of_rccc)] {
        // Lossy, so that timers and quick adaptation act, and by entropy, so that marks do.
        let mut base = ecmp(lossy(law(name), 40_000), EntropySpray::Recycled);
        if let CongestionLaw::Nscc(law) = &mut base.congestion {
            // So that a short run has delays above the target.
            (law.target_delay_ns, law.delay_gain_permyriad) = (1_000, 1_000);
        }
        let before = result(base.clone());
        for (what, change) in changes {
            let mut changed = base.clone();
            change(&mut changed);
            assert_ne!(result(changed), before, "{what} under {name} changes nothing");
        }
    }
}

#[test]
fn what_cannot_have_it_is_refused() {
    let refused = |config: FabricConfig| {
        run(&dragonfly(), config, RunOptions::default(), mixture()).expect_err("it is refused").to_string()
    };
    let mut silent = law("nscc");
    silent.nic.responses = philae_nic_model::ResponseScope::Switch;
    assert!(refused(silent).contains("hardware.nic.responses"));
    let mut kernel = law("rccc");
    kernel.host.path = philae_nic_model::HostPath::Kernel;
    assert!(refused(kernel).contains("through the kernel"));
    let mut uncredited = law("rccc");
    let CongestionLaw::Rccc(parameters) = &mut uncredited.congestion else { panic!("the law is rccc") };
    parameters.credit_packets = 0;
    assert!(refused(uncredited).contains("congestion.credit_packets"));
    let mut reversed = law("rccc");
    let CongestionLaw::Rccc(parameters) = &mut reversed.congestion else { panic!("the law is rccc") };
    parameters.mark_max_percent = 10;
    assert!(refused(reversed).contains("congestion.mark_max_percent is 10, and mark_min_percent 20"));
    let mut without = path_aware(law("nscc"));
    without.congestion = config("slingshot").congestion;
    assert!(refused(without).contains("\"ecmp-nonminimal\" under the law \"slingshot\""));
    let other = trimming(config("none"), 60_000);
    assert!(refused(other).contains("\"none\", with `trimming` of class 'best effort'"));
    let mut long = law("nscc");
    long.laws.uet.trimmed_bytes = 10;
    assert!(refused(long).contains("hardware.uet.trimmed_bytes"));
    let mut version = law("nscc");
    version.laws.uet.ip = 5;
    assert!(refused(version).contains("hardware.uet.ip"));
    let mut none = law("nscc");
    none.laws.uet.entropy_values = 0;
    assert!(refused(none).contains("hardware.uet.entropy_values"));
}
