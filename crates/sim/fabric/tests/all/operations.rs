//! One-sided operations: the limits of their rate, the time of each, and the cost of the kernel's
//! path.

use crate::common::{config, job, run, topology, without_responses};
use philae_fabric::{ExecutionOptions, FabricConfig, Job, RunOptions};
use philae_nic_model::{HostParameters, NicParameters, ResponseScope, wire_bytes};
use philae_results::record::RunRecord;
use philae_topology::DragonflyDescription;
use philae_units::{Bytes, EndpointId, Picoseconds};

/// NICs of the second generation under OpenSHMEM.
fn shmem() -> FabricConfig {
    FabricConfig { nic: NicParameters::cassini_2(), host: HostParameters::cassini_2_shmem(), ..config("slingshot") }
}

/// A job of `processes` ranks on each of the first `nodes` nodes.
fn many(nodes: u32, processes: usize, workload: &str) -> Job {
    let ranks = (0..nodes).flat_map(|node| std::iter::repeat_n(node, processes));
    job("job", ranks, workload, 1)
}

/// Operations of 8 B per microsecond that complete everywhere.
fn rate(config: FabricConfig, nodes: u32, processes: usize, workload: &str) -> f64 {
    let topology = topology(DragonflyDescription::uniform(1, 2, 8, 1));
    let options = RunOptions {
        time_limit: Picoseconds::from_micros(60),
        warm_up: Picoseconds::from_micros(20),
        ..RunOptions::default()
    };
    let record = run(&topology, config, options, vec![many(nodes, processes, workload)]).expect("it runs");
    record.jobs[0].delivered.0 as f64 / 8.0 / 40.0
}

#[test]
fn the_writes_of_the_target_limit_one_to_one_and_not_one_to_many() {
    let mut config = without_responses(shmem());
    (config.nic.write_gap_ps, config.nic.operation_gap_ps) = (20_000, 8_000);
    config.host.doorbell_ns = 0;
    let to_one = rate(config.clone(), 2, 8, "kind = 'one-sided'\npattern = 'one-to-many'\nones = 8");
    assert!((48.0..=50.1).contains(&to_one), "one write in 20 ns: {to_one} per us");
    let to_many = rate(config.clone(), 5, 8, "kind = 'one-sided'\npattern = 'one-to-many'\nones = 8");
    assert!((115.0..=125.1).contains(&to_many), "one operation begun in 8 ns: {to_many} per us");
    let gets = "kind = 'one-sided'\noperation = 'get'\npattern = 'many-to-one'\nones = 8";
    let from_one = rate(config.clone(), 5, 8, gets);
    assert!((115.0..=125.1).contains(&from_one), "one answer begun in 8 ns: {from_one} per us");
    (config.nic.write_gap_ps, config.nic.operation_gap_ps) = (0, 0);
    config.host.doorbell_ns = 120;
    let free = rate(config, 2, 8, "kind = 'one-sided'\npattern = 'one-to-many'\nones = 8");
    assert!(free < 8.0 * 1_000.0 / 145.0 && free > 30.0, "cores that ring for each operation: {free} per us");
}

#[test]
fn bundles_spare_doorbells() {
    let symmetric = "kind = 'one-sided'\nwindow = 64";
    let each = rate(shmem(), 2, 2, symmetric);
    let mut bundled = shmem();
    bundled.host.bundle_max = 16;
    let together = rate(bundled, 2, 2, symmetric);
    assert!(together > 2.0 * each, "{together} bundled, {each} one by one");
}

fn first_iteration(config: FabricConfig, operation: &str) -> Picoseconds {
    let topology = topology(DragonflyDescription::uniform(1, 2, 8, 1));
    let workload =
        format!("kind = 'one-sided'\noperation = '{operation}'\npattern = 'one-to-many'\nwindow = 1\niterations = 1");
    let mut config = config;
    config.switch.latency_spread_ns = 0;
    let record: RunRecord =
        run(&topology, config, RunOptions::default(), vec![job("one", [0, 1], &workload, 1)]).expect("it runs");
    record.iterations[0].end - record.iterations[0].start
}

#[test]
fn a_response_crosses_the_fabric_as_a_packet() {
    let topology = topology(DragonflyDescription::uniform(1, 2, 8, 1));
    let edge = topology.edge_port(EndpointId(0));
    for operation in ["put", "amo"] {
        let with = |responses| {
            let mut config = shmem();
            config.nic.responses = responses;
            first_iteration(config, operation).0
        };
        let (by_switch, by_message, by_packet) =
            (with(ResponseScope::Switch), with(ResponseScope::Message), with(ResponseScope::Packet));
        assert_eq!(by_message, by_packet, "one packet");
        let FabricConfig { nic, switch, .. } = shmem();
        let wire = topology.rate(edge).serialization(Bytes(wire_bytes(&nic, 0, false).into())).0;
        // The response takes the switch and the error correction of both links, and its own bytes.
        // The target's NIC accepts the packet and sends the response as every packet; the issuer's
        // shows its event. The switches' acknowledgement comes when data are in memory.
        let more = nic.transmit_ns + nic.accept_ns + switch.latency_ns + 2 * switch.fec_ns - switch.ack_latency_ns;
        assert_eq!(by_message - by_switch, wire + u64::from(more) * 1_000, "{operation}");
    }
}

#[test]
fn each_packet_or_each_message_has_one_response() {
    let puts = "kind = 'one-sided'\nbytes = '20KiB'\nwindow = 4\niterations = 5";
    let run_with = |responses, operation: &str| {
        let topology = topology(DragonflyDescription::uniform(1, 2, 8, 1));
        let mut config = shmem();
        config.nic.responses = responses;
        let workload = format!("{puts}\noperation = '{operation}'\npattern = 'one-to-many'");
        run(&topology, config, RunOptions::default(), vec![job("one", [0, 1], &workload, 1)]).expect("it runs")
    };
    let packets = |responses| run_with(responses, "put").packets_delivered;
    let (messages, each) = (4 * 5, 4 * 5 * 10);
    assert_eq!(packets(ResponseScope::Switch), each);
    assert_eq!(packets(ResponseScope::Message), each + messages);
    assert_eq!(packets(ResponseScope::Packet), 2 * each);
    let get = |responses| run_with(responses, "get").digest;
    assert_eq!(get(ResponseScope::Packet), get(ResponseScope::Switch), "the data of a get is the response to it");
}

#[test]
fn responses_take_the_way_back_from_others() {
    // Both directions of a link carry puts: each packet's response takes its bytes of the other's.
    let stream = "kind = 'one-sided'\nbytes = '1MiB'\nwindow = 64";
    let rate = |responses| {
        let topology = topology(DragonflyDescription::uniform(1, 2, 8, 1));
        let mut config = shmem();
        config.nic.responses = responses;
        config.nic.write_gap_ps = 0;
        let options = RunOptions {
            time_limit: Picoseconds::from_micros(300),
            warm_up: Picoseconds::from_micros(100),
            ..RunOptions::default()
        };
        let record = run(&topology, config, options, vec![job("both", [0, 1], stream, 1)]).expect("it runs");
        record.jobs[0].delivered.0 as f64
    };
    let (alone, with) = (rate(ResponseScope::Switch), rate(ResponseScope::Packet));
    let nic = NicParameters::cassini_2();
    let (request, response) = (wire_bytes(&nic, 2_048, false), wire_bytes(&nic, 0, false));
    let expected = f64::from(request) / f64::from(request + response);
    let measured = with / alone;
    assert!((measured / expected - 1.0).abs() < 0.005, "{measured}, expected {expected}");
}

#[test]
fn an_atomic_operation_reads_before_it_writes() {
    let config = shmem();
    let (put, amo) = (first_iteration(config.clone(), "put"), first_iteration(config.clone(), "amo"));
    assert_eq!(amo - put, Picoseconds::from_nanos(u64::from(config.nic.dma_read_ns)));
    let (get, fetching) = (first_iteration(config.clone(), "get"), first_iteration(config, "fetching-amo"));
    assert!(
        fetching >= get && fetching - get < Picoseconds::from_nanos(10),
        "its operand travels too: {get} {fetching}"
    );
}

#[test]
fn one_thread_of_the_kernel_sends_as_fast_as_its_core_works() {
    let topology = topology(DragonflyDescription::uniform(1, 2, 8, 1));
    let host = HostParameters { segment_ns: 10_000, receive_overhead_ns: 0, ..HostParameters::cassini_2_tcp() };
    let per_message = host.kernel_time(131_072) + u64::from(host.send_overhead_ns) * 1_000;
    let config = FabricConfig { host, ..shmem() };
    let windows = "kind = 'bandwidth'\nbytes = '128KiB'\nwindow = 64\niterations = 1";
    let record = run(&topology, config, RunOptions::default(), vec![job("thread", [0, 1], windows, 1)]);
    let record = record.expect("it runs");
    let spent = (record.iterations[0].end - record.iterations[0].start).0;
    let least = 64 * per_message;
    assert!((least..least + 3 * per_message).contains(&spent), "64 messages of {per_message} ps in {spent} ps");
}

#[test]
fn partitions_do_not_show() {
    let digest = |partitions| {
        let topology = topology(DragonflyDescription::uniform(3, 2, 4, 1));
        let jobs = vec![many(20, 2, "kind = 'one-sided'\noperation = 'fetching-amo'\nwindow = 16\niterations = 4")];
        let options = RunOptions {
            execution: ExecutionOptions { partitions, ..ExecutionOptions::default() },
            ..RunOptions::default()
        };
        let mut config = shmem();
        config.host.bundle_max = 5;
        run(&topology, config, options, jobs).expect("it runs").digest
    };
    assert_eq!(digest(1), digest(3));
}
