//! Explained messages: parts add up to the latency, for every law, order and fault, and following
//! them changes nothing.

use std::ops::ControlFlow;
use std::sync::Arc;

use crate::common::beside::{beside, dragonfly, own_nodes, trimming, uet_job, uet_nodes};
use crate::common::{config, job, topology, without_responses};
use philae_congestion::{CongestionLaw, InjectionScope};
use philae_fabric::{
    ExecutionOptions, ExplainTarget, FabricConfig, Fault, FaultKind, FaultTarget, Job, Resilience, RunOptions,
    Simulation,
};
use philae_link_layer::{FecKind, LinkParameters};
use philae_nic_model::{RetryParameters, UetLongSend};
use philae_results::explain::{BlockerRow, PartRow, TimePart, explanations};
use philae_results::record::{MessageKind, RunRecord};
use philae_topology::{DragonflyDescription, FatTreeDescription, PortRole, Topology};
use philae_traffic_class::{ClassSet, TrafficClass};
use philae_units::{JobId, Picoseconds, PortIndex};

const NODES: u32 = 6 * 4 * 4;

fn system() -> Arc<Topology> {
    topology(DragonflyDescription::uniform(6, 4, 4, 2))
}

fn jobs() -> Vec<Job> {
    vec![
        job("alltoall", (0..NODES).step_by(4), "kind = 'alltoall'\nbytes = '6KiB'\niterations = 2", 1),
        job("fetched", (1..NODES).step_by(4), "kind = 'sendrecv-alltoall'\nbytes = '40KiB'\niterations = 1", 1),
        job("allreduce", (2..NODES).step_by(4), "kind = 'allreduce'\nbytes = '32KiB'\niterations = 3", 1),
        job("incast", (3..NODES).step_by(4), "kind = 'incast'\nbytes = '64KiB'\niterations = 3", 1),
    ]
}

fn options() -> RunOptions {
    RunOptions { time_limit: Picoseconds::from_micros(60_000_000), ..RunOptions::default() }
}

/// Runs twice: first to see which messages there are, then to explain every `each`-th of them.
fn explained(
    system: &Arc<Topology>,
    config: &FabricConfig,
    options: &RunOptions,
    jobs: fn() -> Vec<Job>,
    each: usize,
) -> (RunRecord, RunRecord) {
    let build = || Simulation::new(Arc::clone(system), config.clone(), options.clone(), jobs()).expect("it builds");
    let plain = build().run(&mut |_| ControlFlow::Continue(())).expect("it runs");
    let targets: Vec<ExplainTarget> = plain
        .messages
        .iter()
        .step_by(each)
        .map(|row| ExplainTarget { job: row.job, source: row.source, destination: row.destination, issued: row.issued })
        .collect();
    let mut again = build();
    again.explain(&targets).expect("one partition");
    let record = again.run(&mut |_| ControlFlow::Continue(())).expect("it runs again");
    assert_eq!(record.digest, plain.digest, "following messages changes nothing");
    assert_eq!(format!("{:?}", record.messages), format!("{:?}", plain.messages));
    (plain, record)
}

/// Checks that every part of every message is there, and that they add up to what the run without
/// explanations recorded.
fn add_up(plain: &RunRecord, record: &RunRecord, each: usize) {
    let explained = explanations(record);
    // Messages of one pair that are issued at one instant are one target.
    assert!(explained.len() * each * 10 >= plain.messages.len() * 9, "{} of {}", explained.len(), plain.messages.len());
    for message in &explained {
        let sum: u64 = message.parts.iter().map(|part| part.time_ps).sum();
        assert_eq!(sum, message.latency_ps, "{message:?}");
        let recorded = plain.messages.iter().any(|row| {
            (row.source.0, row.destination.0, row.issued.0)
                == (message.source_rank, message.destination_rank, message.issued_ps)
                && row.delivered.0 - row.issued.0 == message.latency_ps
        });
        assert!(recorded, "{message:?}");
    }
    // The flows' parts of a span add up to the span.
    for row in &record.explained {
        let of_part = |blocker: &&BlockerRow| (blocker.message, blocker.part) == (row.message.number, row.number);
        let blamed: u64 = record.blockers.iter().filter(of_part).map(|blocker| blocker.time.0).sum();
        assert!(blamed == 0 || blamed == row.time.0, "{row:?}");
    }
}

/// Time spent on a part over all explained messages.
fn spent(record: &RunRecord, part: TimePart) -> u64 {
    record.explained.iter().filter(|row| row.part == part).map(|row| row.time.0).sum()
}

/// Time spent on a part for which a flow is named.
fn blamed(record: &RunRecord, part: TimePart) -> u64 {
    let is_part = |message, number| {
        record.explained.iter().any(|row| (row.message.number, row.number, row.part) == (message, number, part))
    };
    record.blockers.iter().filter(|row| is_part(row.message, row.part)).map(|row| row.time.0).sum()
}

/// Windows and credits hold messages at NICs. Packets are lost, and messages are deferred.
#[test]
fn parts_add_up_under_ultra_ethernet() {
    for law in ["nscc", "rccc"] {
        for (long_send, queue) in [
            (UetLongSend::Rendezvous, None),
            (UetLongSend::Deferrable, None),
            (UetLongSend::Rendezvous, Some(30_000)),
            (UetLongSend::Deferrable, Some(30_000)),
        ] {
            let mut config = config(law);
            config.laws.uet.long_send = long_send;
            if let Some(bytes) = queue {
                let class = TrafficClass::named("best effort");
                let class = TrafficClass { lossy: true, queue_max_bytes: Some(bytes), ..class };
                config.classes = ClassSet::new(vec![class], 8).expect("a class");
            }
            let (plain, record) = explained(&system(), &config, &options(), jobs, 2);
            add_up(&plain, &record, 2);
            assert!(spent(&record, TimePart::Held) > 0, "{law}, {long_send:?}");
            assert_eq!(spent(&record, TimePart::Retry) > 0, queue.is_some(), "{law}, {long_send:?}");
        }
    }
}

/// Messages of both transports in one run. Those of Ultra Ethernet wait in their NICs for their
/// law, and at the edge port for Slingshot's; the others at the edge port only.
#[test]
fn parts_add_up_with_two_transports_in_one_run() {
    let both = || {
        let incast = "kind = 'incast'\nto = 'last'\nbytes = '256KiB'\niterations = 1";
        vec![uet_job("uet", uet_nodes(), incast), job("own", own_nodes(), incast, 1)]
    };
    let mut at_ports = [0, 0];
    for law in ["nscc", "rccc"] {
        for config in [beside("slingshot", law), trimming(beside("slingshot", law), 60_000)] {
            let (plain, record) = explained(&dragonfly(), &config, &options(), both, 2);
            add_up(&plain, &record, 2);
            let held = |of_uet: bool, in_nic: bool| {
                let is_meant = |row: &&PartRow| {
                    row.part == TimePart::Held && (row.message.job.0 == 0) == of_uet && row.endpoint.is_some() == in_nic
                };
                record.explained.iter().filter(is_meant).map(|row| row.time.0).sum::<u64>()
            };
            assert!(held(true, true) > 0, "{law}: windows and credits");
            assert_eq!(held(false, true), 0, "{law}: no law in Slingshot's NICs");
            at_ports = [at_ports[0] + held(true, false), at_ports[1] + held(false, false)];
        }
    }
    assert!(at_ports.iter().all(|held| *held > 0), "{at_ports:?}: Slingshot's law at edge ports");
}

#[test]
fn parts_add_up_under_every_law_ordered_or_not() {
    for law in ["slingshot", "none", "ecn", "aries", "pfc"] {
        for ordered in [false, true] {
            let mut config = without_responses(config(law));
            config.nic.ordered = ordered;
            config.nic.edge_pause = law != "aries";
            (config.switch.pause_on_bytes, config.switch.pause_off_bytes) = (16_384, 8_192);
            let (plain, record) = explained(&system(), &config, &options(), jobs, 2);
            add_up(&plain, &record, 2);
            for part in
                [TimePart::Host, TimePart::Nic, TimePart::Serialisation, TimePart::Propagation, TimePart::Switch]
            {
                assert!(spent(&record, part) > 0, "{law}: {part:?}");
            }
            assert!(spent(&record, TimePart::Queueing) > 0, "{law}");
            assert_eq!((spent(&record, TimePart::Retry), spent(&record, TimePart::LinkRetry)), (0, 0), "{law}");
            let queued = spent(&record, TimePart::Queueing);
            assert_eq!(blamed(&record, TimePart::Queueing), queued, "{law}: whoever queues does so behind somebody");
            let holds = spent(&record, TimePart::Held);
            match law {
                "slingshot" => assert!(holds > 0 && blamed(&record, TimePart::Held) > holds / 2),
                // Under `ecn`, NICs send with gaps once they are told to: only then do messages
                // wait for the law.
                "ecn" => {}
                _ => assert_eq!(holds, 0, "{law} holds nobody"),
            }
            if law == "none" {
                assert!(spent(&record, TimePart::Pause) > 0, "an incast makes switches pause NICs");
                assert!(spent(&record, TimePart::Receiver) > 0, "some message waits for its receive");
                assert!(blamed(&record, TimePart::Credit) > 0, "who fills the buffer beyond is named");
            }
        }
    }
}

#[test]
fn waits_for_a_window_or_for_credit_are_due_to_the_law() {
    // 256 KiB are more than any window.
    let jobs = || vec![job("incast", 0..24, "kind = 'incast'\nbytes = '256KiB'\niterations = 1", 1)];
    for law in ["nscc", "rccc"] {
        for node in [None, Some(philae_nic_model::NodeParameters::connectx_5())] {
            let mut config = config(law);
            config.node = node;
            let (plain, record) = explained(&system(), &config, &options(), jobs, 1);
            add_up(&plain, &record, 1);
            let (held, all) =
                (spent(&record, TimePart::Held), record.explained.iter().map(|row| row.time.0).sum::<u64>());
            assert!(held > all / 4, "{law}: {held} of {all} ps");
        }
    }
}

#[test]
fn parts_add_up_where_a_context_sends_packets_again() {
    // Contexts number their packets from 0 each: those of one NIC have equal numbers.
    for law in ["nscc", "rccc"] {
        let mut config = config(law);
        let class = TrafficClass { lossy: true, queue_max_bytes: Some(8_192), ..TrafficClass::named("lossy") };
        config.classes = ClassSet::new(vec![class], 8).expect("one class");
        let (plain, record) = explained(&system(), &config, &options(), jobs, 1);
        add_up(&plain, &record, 1);
        assert!(spent(&record, TimePart::Retry) > 0, "{law}: some packets were lost");
    }
}

#[test]
fn parts_add_up_behind_a_slow_bus() {
    for law in ["slingshot", "none"] {
        let mut config = config(law);
        let (plain, record) = explained(&system(), &config, &options(), jobs, 9);
        add_up(&plain, &record, 9);
        assert_eq!(spent(&record, TimePart::Bus), 0, "{law}: without a node nothing waits for it");
        // Slower than the link each way.
        config.node = Some(philae_nic_model::NodeParameters::connectx_5());
        let (plain, record) = explained(&system(), &config, &options(), jobs, 9);
        add_up(&plain, &record, 9);
        assert!(spent(&record, TimePart::Bus) > 0, "{law}: the bus takes its time");
        assert_eq!(spent(&record, TimePart::Memory), 0, "{law}: a memory without a limit takes none");
        let slow = philae_nic_model::NodeParameters { memory_mbytes: 6_000, ..config.node.take().expect("it was set") };
        config.node = Some(slow);
        let (plain, record) = explained(&system(), &config, &options(), jobs, 9);
        add_up(&plain, &record, 9);
        assert!(spent(&record, TimePart::Memory) > 0, "{law}: a slow memory takes its time");
    }
}

#[test]
fn parts_add_up_where_nics_read_connections_and_software_goes_along_its_lists() {
    for node in [None, Some(philae_nic_model::NodeParameters::connectx_5())] {
        let mut config = config("slingshot");
        (config.nic.match_offload, config.node) = (false, node);
        let spent_without = spent(&explained(&system(), &config, &options(), jobs, 9).1, TimePart::Bus);
        (config.nic.connections_max, config.nic.connection_bytes) = (1, 375);
        let (plain, record) = explained(&system(), &config, &options(), jobs, 9);
        add_up(&plain, &record, 9);
        let spent = spent(&record, TimePart::Bus);
        assert!(spent > spent_without, "state is read over the bus: {spent} and {spent_without} ps");
    }
}

#[test]
fn parts_add_up_of_answers_that_leave_before_data_are_in_memory() {
    let jobs = || vec![job("updates", 0..12, "kind = 'gups'\niterations = 1\nwindow = 256", 1)];
    let slow = philae_nic_model::NodeParameters {
        pcie_write_mbytes: 500,
        buffer_bytes: 0,
        ..philae_nic_model::NodeParameters::connectx_5()
    };
    for (node, room) in [(philae_nic_model::NodeParameters::connectx_5(), 1), (slow, 0)] {
        let mut config = config("slingshot");
        (config.node, config.nic.connections_max, config.nic.connection_bytes) = (Some(node), room, 375);
        let (plain, record) = explained(&system(), &config, &options(), jobs, 37);
        add_up(&plain, &record, 37);
    }
}

#[test]
fn parts_add_up_where_links_err_and_fail() {
    let system = system();
    let retry = RetryParameters { packet_timeout_ns: 200_000, retry_step_ms: 1, unordered_delay_ms: 1, retries_max: 8 };
    let noisy =
        LinkParameters { bit_errors: 6, bit_errors_per_10_to: 7, fec: FecKind::None, ..LinkParameters::slingshot() };
    let local = (0..system.port_count() as u32)
        .map(PortIndex)
        .find(|&port| system.port(port).role == PortRole::Local)
        .expect("a local link");
    let down = Fault {
        target: FaultTarget::Link(local),
        kind: FaultKind::Down,
        start: Picoseconds::from_micros(5),
        until: Some(Picoseconds::from_micros(400)),
    };
    for (law, ordered) in [("slingshot", false), ("slingshot", true), ("none", true), ("ecn", false)] {
        let mut config = config(law);
        config.nic.ordered = ordered;
        let base =
            Resilience { retry: retry.clone(), reroute_ns: 5_000, pause_guard_ns: 50_000, ..Resilience::default() };
        config.resilience = Resilience { link: Some(noisy.clone()), ..base.clone() };
        let (plain, record) = explained(&system, &config, &options(), jobs, 5);
        add_up(&plain, &record, 5);
        assert!(spent(&record, TimePart::LinkRetry) > 0, "{law}: links send damaged frames again");
        config.resilience = Resilience { faults: vec![down], ..base };
        let (plain, record) = explained(&system, &config, &options(), jobs, 1);
        add_up(&plain, &record, 1);
        assert!(plain.packets_discarded > 0, "the fault costs packets");
        // The receiver refuses what follows a gap in an ordered connection, which is faster.
        let least = if ordered { 20_000_000 } else { 100_000_000 };
        assert!(spent(&record, TimePart::Retry) > least, "{law}: what was lost waited for a timer");
    }
}

#[test]
fn parts_add_up_in_a_fat_tree_over_sockets_and_in_a_node() {
    let tree = topology(FatTreeDescription::two_level(4, 4, 3));
    let few = || vec![job("pairs", 0..16, "kind = 'sendrecv-alltoall'\nbytes = '20KiB'\niterations = 2", 1)];
    for host in [philae_nic_model::HostParameters::cassini_1_mpi(), philae_nic_model::HostParameters::cassini_2_tcp()] {
        let mut config = config("none");
        config.host = host;
        let (plain, record) = explained(&tree, &config, &options(), few, 1);
        add_up(&plain, &record, 1);
    }
    let jobs = || vec![job("node", [0, 0, 1], "kind = 'sendrecv-alltoall'\nbytes = '20KiB'\niterations = 2", 1)];
    let (plain, record) = explained(&system(), &config("slingshot"), &options(), jobs, 1);
    add_up(&plain, &record, 1);
    let local = |row: &&PartRow| row.message.kind == MessageKind::Local;
    assert!(record.explained.iter().any(|row| local(&row)));
    let software = [TimePart::Host, TimePart::Receiver];
    assert!(record.explained.iter().filter(local).all(|row| software.contains(&row.part)), "a copy meets no fabric");
}

#[test]
fn an_idle_fabric_has_no_blockers() {
    let pair = || vec![job("pair", [0, 70], "kind = 'ping-pong'\nbytes = '8B'\niterations = 4", 1)];
    let (plain, record) = explained(&system(), &config("slingshot"), &options(), pair, 1);
    add_up(&plain, &record, 1);
    assert!(record.blockers.is_empty());
    let waits = [TimePart::Queueing, TimePart::Credit, TimePart::Held, TimePart::FlowQueue, TimePart::NicQueue];
    assert!(waits.iter().all(|&part| spent(&record, part) == 0));
}

#[test]
fn the_flows_of_an_incast_are_blamed_for_its_delays() {
    // The victim sends to the endpoint of an incast, over an ingress of its own.
    let both = || {
        vec![
            job("victim", [20, 0], "kind = 'permutation'\nbytes = '16KiB'\niterations = 6", 1),
            job("incast", [0, 30, 40, 50, 60, 70, 80, 90], "kind = 'incast'\nbytes = '64KiB'\niterations = 6", 1),
        ]
    };
    for law in ["slingshot", "none"] {
        let (plain, record) = explained(&system(), &config(law), &options(), both, 1);
        add_up(&plain, &record, 1);
        let slowest = explanations(&record)
            .into_iter()
            .filter(|message| message.job == "victim")
            .max_by_key(|message| message.latency_ps)
            .expect("the victim sent something");
        let of = |job: &str| -> u64 {
            slowest.held_back_by.iter().filter(|flow| flow.job == job && !flow.own).map(|flow| flow.time_ps).sum()
        };
        assert!(of("incast") * 4 > slowest.latency_ps, "{law}: {slowest:?}");
    }
}

#[test]
fn the_flows_of_a_port_are_blamed_for_what_waits_for_its_limit() {
    // Both jobs send from node 0, whose port may have one packet in the fabric.
    // Their flows go to quiet endpoints: the law holds neither.
    let both = || {
        vec![
            job("victim", [0, 70], "kind = 'ping-pong'\nbytes = '8B'\niterations = 40", 1),
            job("stream", [30, 0], "kind = 'incast'\nbytes = '64KiB'\niterations = 10", 1),
        ]
    };
    let mut config = without_responses(config("slingshot"));
    let CongestionLaw::Slingshot(law) = &mut config.congestion else { panic!("the law is slingshot") };
    (law.injection_scope, law.injection_limit_ns) = (InjectionScope::Port, 80);
    let (plain, record) = explained(&system(), &config, &options(), both, 1);
    add_up(&plain, &record, 1);
    let waits = |row: &&PartRow| row.message.job == JobId(0) && row.part == TimePart::Held;
    let mut by_stream = 0;
    for part in record.explained.iter().filter(waits) {
        let of_part = |row: &&BlockerRow| (row.message, row.part) == (part.message.number, part.number);
        let blamed = record.blockers.iter().filter(of_part).filter(|row| row.job == JobId(1));
        let blamed: u64 = blamed.map(|row| row.time.0).sum();
        assert_eq!(blamed, part.time.0, "only the stream's packets go before the victim's: {part:?}");
        by_stream += blamed;
    }
    assert!(by_stream > 0, "some message waits for the limit");
}

#[test]
fn several_partitions_and_unknown_jobs_are_refused() {
    let build = |partitions| {
        let options =
            RunOptions { execution: ExecutionOptions { partitions, ..options().execution.clone() }, ..options() };
        Simulation::new(system(), config("slingshot"), options, jobs()).expect("it builds")
    };
    let error = build(3).explain(&[]).expect_err("three partitions").to_string();
    assert!(error.contains("run.partitions") && error.contains('1'), "{error}");
    let target = ExplainTarget {
        job: JobId(9),
        source: philae_units::RankId(0),
        destination: philae_units::RankId(1),
        issued: Picoseconds::ZERO,
    };
    assert!(build(1).explain(&[target]).is_err());
}
