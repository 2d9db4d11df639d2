//! Messages between two fabrics that share no switch.

use std::sync::Arc;

use crate::common::{config, job, run};
use crate::matching::{compute, ranks, send};
use philae_fabric::{ExecutionOptions, Fault, FaultKind, FaultTarget, Resilience, RunOptions};
use philae_nic_model::RetryParameters;
use philae_results::record::{RunRecord, RunStatus};
use philae_topology::{SystemDescription, Topology};
use philae_units::{Bytes, EndpointId, NodeId, Picoseconds, RankId};
use philae_workload::Op;

fn two_fabrics() -> Arc<Topology> {
    let system = SystemDescription::load("two-fabrics").expect("built in");
    Arc::new(Topology::build(&system).expect("a legal system"))
}

fn between(nodes: [u32; 2], workload: &str) -> RunRecord {
    let mut config = config("slingshot");
    config.switch.latency_spread_ns = 0;
    run(&two_fabrics(), config, RunOptions::default(), vec![job("pair", nodes, workload, 1)]).expect("it runs")
}

fn first_iteration(record: &RunRecord) -> Picoseconds {
    let row = record.iterations.iter().find(|row| row.rank.0 == 0).expect("rank 0 measures");
    row.end - row.start
}

#[test]
fn every_kind_of_message_crosses_and_is_stored_at_the_gateway() {
    let workloads = [
        "kind = 'ping-pong'\nbytes = 8",
        "kind = 'ping-pong'\nbytes = '64KiB'",
        "kind = 'one-sided'\npattern = 'one-to-many'\nwindow = 1",
        "kind = 'one-sided'\npattern = 'one-to-many'\nwindow = 1\noperation = 'get'",
        "kind = 'one-sided'\npattern = 'one-to-many'\nwindow = 1\noperation = 'fetching-amo'",
    ];
    for workload in workloads {
        let text = format!("{workload}\niterations = 3");
        let (within_fabric, between_fabrics) = (between([0, 20], &text), between([0, 70], &text));
        assert_eq!(between_fabrics.status, RunStatus::Completed, "{workload}");
        assert_eq!(between_fabrics.packets_delivered, between_fabrics.packets_injected, "{workload}");
        assert_eq!(
            between_fabrics.packets_delivered,
            2 * within_fabric.packets_delivered,
            "{workload}: every packet has two ways"
        );
        assert!(
            first_iteration(&between_fabrics) > first_iteration(&within_fabric) + Picoseconds::from_nanos(1_000),
            "{workload}"
        );
    }
}

#[test]
fn a_pair_of_gateways_is_all_that_crosses() {
    let stream = |nodes: Vec<u32>| {
        let half = nodes.len() as u32 / 2;
        let workload = format!("kind = 'shift'\nby = {half}\nbytes = '64KiB'");
        let options = RunOptions {
            time_limit: Picoseconds::from_micros(200),
            warm_up: Picoseconds::from_micros(100),
            ..RunOptions::default()
        };
        let record = run(&two_fabrics(), config("slingshot"), options, vec![job("stream", nodes, &workload, 1)]);
        record.expect("it runs").jobs[0].delivered.0 as f64 * 8.0 / 100e3
    };
    // Payload of both directions. What crosses is delivered twice: at the gateway and at its
    // destination.
    let across = stream((0..8).chain(64..72).collect());
    assert!((2.6e3..3.2e3).contains(&across), "two gateways of 400 Gb/s, both ways, twice: {across} Gb/s");
    let within = stream((0..8).chain(16..24).collect());
    assert!((6.0e3..6.4e3).contains(&within), "sixteen NICs of 400 Gb/s: {within} Gb/s");
}

/// A gateway gives up what it forwards, and the rank that waits for it is in another partition: it
/// learns of that by a timeout, the same however the run is divided.
#[test]
fn what_a_gateway_gives_up_ends_at_its_issuer() {
    let (system, timeout) = (two_fabrics(), 30_000);
    let dead = system.endpoints_of(NodeId(70)).start;
    let operations = [
        send(1, 0, 1 << 18),
        Op::Put { to: RankId(1), bytes: Bytes(4_096), class: None },
        Op::Get { from: RankId(1), bytes: Bytes(4_096), class: None },
    ];
    for op in operations {
        let seen = [1, 2, 3].map(|partitions| {
            let mut config = config("slingshot");
            let target = FaultTarget::Nic(EndpointId(dead));
            let fault = Fault { start: Picoseconds(1), until: None, target, kind: FaultKind::Down };
            let retry =
                RetryParameters { packet_timeout_ns: timeout, retry_step_ms: 0, unordered_delay_ms: 0, retries_max: 2 };
            config.resilience = Resilience { faults: vec![fault], retry, reroute_ns: 5_000, ..Resilience::default() };
            let mut job = ranks(vec![vec![vec![op], vec![compute(1)]], Vec::new()]);
            job.places[1].node = NodeId(70);
            let execution = ExecutionOptions { partitions, threads: partitions, ..ExecutionOptions::default() };
            let options =
                RunOptions { time_limit: Picoseconds::from_micros(10_000), execution, ..RunOptions::default() };
            let record = run(&system, config, options, vec![job]).expect("it runs");
            assert_eq!((record.status, record.failures.len()), (RunStatus::Completed, 1), "{op:?}");
            let (failed, finished) = (record.failures[0].failed, record.jobs[0].finished.expect("it ends"));
            assert_eq!(finished, failed + Picoseconds::from_nanos(timeout) + Picoseconds::from_micros(1), "{op:?}");
            (record.digest, failed)
        });
        assert_eq!([seen[1], seen[2]], [seen[0]; 2], "{op:?}");
    }
}
