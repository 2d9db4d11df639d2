//! The memory of a node: its NICs and its cores share one bandwidth.

use crate::common::{config, free_node, job, run, run_by_reference, topology};
use philae_fabric::{ExecutionOptions, FabricConfig, Job, RankPlace, RunOptions};
use philae_nic_model::{HostParameters, NicParameters, NodeParameters};
use philae_results::record::RunRecord;
use philae_topology::{DragonflyDescription, GroupKind, Topology};
use philae_units::{NodeId, Picoseconds};
use std::sync::Arc;

/// A memory, and a bus that limits nothing. The NIC's buffer is small.
fn memory(memory_mbytes: u32) -> NodeParameters {
    NodeParameters {
        buffer_bytes: 65_536,
        buffer_pause_on_bytes: 16_384,
        buffer_pause_off_bytes: 8_192,
        memory_mbytes,
        ..free_node()
    }
}

/// Nodes with two NICs each, in neighbouring switches.
fn two_nics(groups: u32) -> Arc<Topology> {
    let kind = GroupKind { nics_per_node: 2, ..GroupKind::uniform(groups, 4, 8) };
    topology(DragonflyDescription { groups: vec![kind], ..DragonflyDescription::uniform(groups, 4, 8, 1) })
}

fn with(node: NodeParameters) -> FabricConfig {
    FabricConfig { node: Some(node), host: HostParameters::cassini_1_shmem(), ..config("slingshot") }
}

/// The same job, with its ranks on these NICs.
fn on_nics(job: Job, nics: &[u8]) -> Job {
    let places = job.places.iter().zip(nics).map(|(place, &nic)| RankPlace { nic, ..*place }).collect();
    Job { places, ..job }
}

/// One-sided operations of 8 KiB from the first node to the second, in one window for the whole
/// run, on one NIC of each.
fn stream(operation: &str, nodes: [u32; 2], nic: u8) -> Job {
    let workload = format!(
        "kind = 'one-sided'\noperation = '{operation}'\npattern = 'one-to-many'\nones = 1\nbytes = '8KiB'\nwindow = 512"
    );
    on_nics(job(operation, nodes, &workload, 1), &[nic, nic])
}

/// Runs for 60 us and counts from 20 us on.
fn ran(config: FabricConfig, jobs: Vec<Job>) -> RunRecord {
    let options = RunOptions {
        time_limit: Picoseconds::from_micros(60),
        warm_up: Picoseconds::from_micros(20),
        ..RunOptions::default()
    };
    run(&two_nics(1), config, options, jobs).expect("it runs")
}

/// Bytes per nanosecond of each job.
fn rates(record: &RunRecord) -> Vec<f64> {
    record.jobs.iter().map(|job| job.delivered.0 as f64 / 40_000.0).collect()
}

#[test]
fn nics_of_a_node_share_its_memory() {
    let both =
        |operation, node| rates(&ran(with(node), vec![stream(operation, [0, 1], 0), stream(operation, [0, 2], 1)]));
    for operation in ["put", "get"] {
        let free: f64 = both(operation, memory(0)).iter().sum();
        assert!(free > 48.0, "two links: {free} B/ns");
        let found = both(operation, memory(30_000));
        let sum: f64 = found.iter().sum();
        assert!(sum <= 30.0 * 1.03 && sum > 30.0 * 0.97, "{operation}: {sum} B/ns of 30");
        assert!((found[0] / found[1] - 1.0).abs() < 0.05, "{operation}: {found:?}");
        let reserved = NodeParameters { memory_reserved_mbytes: 12_000, ..memory(30_000) };
        let sum: f64 = both(operation, reserved).iter().sum();
        assert!(sum <= 18.0 * 1.03 && sum > 18.0 * 0.97, "{operation}: {sum} B/ns of the 18 that cores leave");
    }
    // What leaves by one NIC and what comes in by the other is in the same memory.
    let found = rates(&ran(with(memory(30_000)), vec![stream("put", [0, 1], 0), stream("put", [2, 0], 1)]));
    assert!((found.iter().sum::<f64>() - 30.0).abs() < 1.0, "{found:?}");
    // Other nodes have their own.
    let found = rates(&ran(with(memory(30_000)), vec![stream("put", [0, 1], 0), stream("put", [4, 5], 0)]));
    assert!(found.iter().all(|rate| *rate > 24.0), "{found:?}");
}

#[test]
fn copies_by_cores_take_memory_from_the_nics() {
    // Two ranks of node 0 send each other 32 KiB, one after the other: one copy at a time, read and
    // written.
    // The NICs' rate, and how long a message takes.
    let beside_copies = |copy_rate_mbytes| {
        let within = job("copies", [0, 0], "kind = 'ping-pong'\nbytes = '32KiB'\niterations = 100", 1);
        let quick = HostParameters { send_overhead_ns: 1, receive_overhead_ns: 1, ..HostParameters::cassini_1_mpi() };
        let host = HostParameters { copy_rate_mbytes, local_latency_ns: 0, ..quick };
        let config = FabricConfig { host, ..with(memory(40_000)) };
        let record = ran(config, vec![stream("put", [0, 1], 0), stream("put", [0, 2], 1), within]);
        let turn = record.iterations.iter().rfind(|row| row.job.0 == 2).expect("a turn ended");
        let rates = rates(&record);
        (rates[0] + rates[1], (turn.end - turn.start).0 as f64 / 2_000.0)
    };
    let (nics, time) = beside_copies(5_000_000);
    assert!((time / (32_768.0 / 10.0) - 1.0).abs() < 0.04, "half of 40 B/ns, read and written: {time} ns");
    assert!((nics - 20.0).abs() < 0.8, "NICs have the other half: {nics} B/ns");
    let (nics, time) = beside_copies(25_000);
    assert!((time / (32_768.0 / 10.0) - 1.0).abs() < 0.04, "the core could copy faster: {time} ns");
    assert!((nics - 20.0).abs() < 0.8, "NICs have the other half: {nics} B/ns");
    let (nics, time) = beside_copies(2_500);
    assert!((time / (32_768.0 / 2.5) - 1.0).abs() < 0.04, "the core alone: {time} ns");
    assert!((nics - 35.0).abs() < 1.2, "copies take no more than they move: {nics} B/ns");
}

#[test]
fn a_busy_memory_delays_copies_of_eager_data() {
    // ConnectX-5 does not match: both ends copy.
    let turn = |node: NodeParameters, beside: bool| {
        let mut config = with(node);
        (config.nic, config.host) = (NicParameters::connectx_5(), HostParameters::connectx_5_mpi());
        let mut jobs = vec![job("turns", [0, 3], "kind = 'ping-pong'\nbytes = '1KiB'\niterations = 20", 1)];
        if beside {
            jobs.push(stream("put", [4, 0], 1));
        }
        let record = run(&two_nics(1), config, RunOptions::default(), jobs).expect("it runs");
        record.iterations.iter().filter(|row| row.job.0 == 0).map(|row| (row.end - row.start).0).sum::<u64>()
    };
    let [alone, beside] = [false, true].map(|beside| turn(memory(12_000), beside));
    let [free, free_beside] = [false, true].map(|beside| turn(memory(0), beside));
    assert!(alone > free, "2 KiB of copies at 6 B/ns are slower than the core: {alone} ps, {free}");
    // Another NIC fills the memory, so that copies wait behind what it was promised.
    assert!(beside > alone + alone / 10, "{beside} ps beside a stream, {alone} alone");
    assert!(free_beside < free + free / 100, "{free_beside} ps beside a stream, {free} alone, without a limit");
}

#[test]
fn partitions_and_blocks_do_not_show() {
    let outcome = |record: RunRecord| (record.digest, record.simulated);
    let node = NodeParameters { memory_mbytes: 15_000, ..NodeParameters::cassini_1() };
    let config = FabricConfig { node: Some(node), nic: NicParameters::connectx_5(), ..config("slingshot") };
    let config = FabricConfig { host: HostParameters::connectx_5_mpi(), ..config };
    let jobs = || {
        let ranks = (0..48).flat_map(|node| [node, node]);
        let nics: Vec<u8> = (0..96).map(|rank| rank % 2).collect();
        vec![
            on_nics(
                job("puts", ranks.clone(), "kind = 'one-sided'\nwindow = 8\nbytes = '3KiB'\niterations = 3", 1),
                &nics,
            ),
            on_nics(job("sends", ranks, "kind = 'alltoall'\nbytes = '2KiB'\niterations = 1", 1), &nics),
        ]
    };
    let by_parts = |partitions, block_ports_min| {
        let execution =
            ExecutionOptions { partitions, far_ports_min: 0, block_ports_min, ..ExecutionOptions::default() };
        let options = RunOptions { execution, ..RunOptions::default() };
        outcome(run(&two_nics(3), config.clone(), options, jobs()).expect("it runs"))
    };
    let expected =
        outcome(run_by_reference(&two_nics(3), config.clone(), RunOptions::default(), jobs()).expect("it runs"));
    for (partitions, block_ports_min) in [(1, u32::MAX), (1, 1), (3, u32::MAX), (2, 1)] {
        assert_eq!(
            by_parts(partitions, block_ports_min),
            expected,
            "{partitions} partitions, blocks {block_ports_min}"
        );
    }
}

#[test]
fn a_memory_that_makes_no_sense_is_refused() {
    let refused = |node| {
        let found = run(&two_nics(1), with(node), RunOptions::default(), vec![stream("put", [0, 1], 0)]);
        found.expect_err("it cannot run").to_string()
    };
    let text = refused(NodeParameters { memory_reserved_mbytes: 501, ..memory(1_000) });
    assert!(text.contains("hardware.node.memory_reserved_mbytes is 501") && text.contains("at most half"), "{text}");
    let text = refused(NodeParameters { memory_reserved_mbytes: 1, ..memory(0) });
    assert!(text.contains("set hardware.node.memory_mbytes"), "{text}");
    let text = refused(NodeParameters { memory_copies_percent: 0, ..memory(1_000) });
    assert!(text.contains("hardware.node.memory_copies_percent is 0") && text.contains("1 to 100"), "{text}");
}

/// The nodes of the jobs above are where the tests say.
#[test]
fn nodes_have_two_nics() {
    let system = two_nics(1);
    let nics = system.endpoints_of(NodeId(0));
    let switches = nics.clone().map(|endpoint| system.switch_of_endpoint(philae_units::EndpointId(endpoint)));
    assert_eq!((nics.len(), switches.collect::<std::collections::BTreeSet<_>>().len()), (2, 2));
}
