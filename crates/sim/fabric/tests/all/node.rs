//! The node: a bus that its NIC's ranks share, in both directions.

use crate::common::{config, free_node as free, job, run, topology, without_responses};
use philae_fabric::{ExecutionOptions, FabricConfig, Job, RunOptions};
use philae_nic_model::{HostParameters, NicParameters, NodeParameters};
use philae_results::counter::{CounterName, CounterPlace, CounterRow};
use philae_results::record::RunRecord;
use philae_topology::DragonflyDescription;
use philae_units::Picoseconds;

fn with(node: Option<NodeParameters>) -> FabricConfig {
    let host = HostParameters::cassini_1_shmem();
    without_responses(FabricConfig { node, host, ..config("slingshot") })
}

/// Runs for 60 us and counts from 20 us on.
fn ran(config: FabricConfig, jobs: Vec<Job>) -> RunRecord {
    let topology = topology(DragonflyDescription::uniform(1, 4, 8, 1));
    let options = RunOptions {
        time_limit: Picoseconds::from_micros(60),
        warm_up: Picoseconds::from_micros(20),
        ..RunOptions::default()
    };
    run(&topology, config, options, jobs).expect("it runs")
}

/// Bytes per nanosecond of a job.
fn rate(record: &RunRecord, job: usize) -> f64 {
    record.jobs[job].delivered.0 as f64 / 40_000.0
}

/// Operations of 8 KiB between two nodes, both ways or one, in one window for the whole run.
fn windows(operation: &str, both_ways: bool, ranks: usize) -> Job {
    let pattern = if both_ways { "symmetric" } else { "one-to-many" };
    let ones = if both_ways { String::new() } else { format!("\nones = {ranks}") };
    let workload = format!(
        "kind = 'one-sided'\noperation = '{operation}'\npattern = '{pattern}'{ones}\nbytes = '8KiB'\nwindow = 512"
    );
    job(operation, [0, 1].into_iter().flat_map(|node| std::iter::repeat_n(node, ranks)), &workload, 1)
}

#[test]
fn puts_go_at_the_slower_of_link_and_bus() {
    let payload = f64::from(NicParameters::cassini_1().payload_max_bytes);
    let without = rate(&ran(with(None), vec![windows("put", false, 1)]), 0);
    assert!((24.0..25.0).contains(&without), "the link: {without} B/ns");
    let read = NodeParameters { pcie_read_mbytes: 12_000, ..free() };
    let bound = 12.0 * payload / read.answer_bytes(2_048) as f64;
    let found = rate(&ran(with(Some(read)), vec![windows("put", false, 1)]), 0);
    assert!(found <= 1.01 * bound && found > 0.97 * bound, "reads at the source: {found}, at most {bound} B/ns");
    let write = NodeParameters { pcie_write_mbytes: 12_000, buffer_bytes: 131_072, ..free() };
    let bound = 12.0 * payload / write.write_bytes(2_048) as f64;
    let found = rate(&ran(with(Some(write.clone())), vec![windows("get", false, 1)]), 0);
    assert!(found <= bound * 1.01 && found > 0.95 * bound, "writes at the destination: {found}, at most {bound} B/ns");
    let tags = NodeParameters { pcie_tags: 8, ..free() };
    let bound = 8.0 * 512.0 / f64::from(NicParameters::cassini_1().dma_read_ns);
    let found = rate(&ran(with(Some(tags)), vec![windows("put", false, 1)]), 0);
    assert!(found <= 1.01 * bound && found > 0.97 * bound, "open reads: {found}, at most {bound} B/ns");
}

#[test]
fn both_ways_share_what_requests_and_writes_share() {
    // Requests go with the writes: one way each has a direction for itself, both ways they do not.
    let node = NodeParameters {
        pcie_write_mbytes: 20_000,
        pcie_request_max_bytes: 64,
        buffer_bytes: 65_536,
        buffer_pause_on_bytes: 16_384,
        buffer_pause_off_bytes: 8_192,
        ..free()
    };
    let bound = 20.0 * 2_048.0 / (node.write_bytes(2_048) + node.request_bytes(2_048)) as f64;
    let both = rate(&ran(with(Some(node.clone())), vec![windows("get", true, 1)]), 0) / 2.0;
    // The buffer may be fuller at the end than at the beginning, or emptier.
    assert!((both - bound).abs() < 0.04 * bound, "{both} each way, at most {bound} B/ns");
    let one = rate(&ran(with(Some(node)), vec![windows("get", false, 1)]), 0);
    assert!(one > 1.2 * both, "{one} one way, {both} both ways");
}

#[test]
fn ranks_of_a_nic_share_its_bus() {
    let node = NodeParameters { pcie_read_mbytes: 12_000, ..free() };
    let bound = 12.0 * 2_048.0 / node.answer_bytes(2_048) as f64;
    for ranks in [1, 4] {
        let found = rate(&ran(with(Some(node.clone())), vec![windows("put", false, ranks)]), 0);
        assert!(found <= 1.01 * bound && found > 0.97 * bound, "{ranks} ranks: {found}, at most {bound} B/ns");
    }
    // Two jobs on the node have half each; a job on other nodes has the link.
    let jobs = vec![
        windows("put", false, 1),
        windows("put", false, 1),
        job("apart", [8, 9], "kind = 'one-sided'\npattern = 'one-to-many'\nones = 1\nbytes = '8KiB'\nwindow = 512", 1),
    ];
    let record = ran(with(Some(node)), jobs);
    let [one, other, apart] = [0, 1, 2].map(|job| rate(&record, job));
    assert!(
        (one / other - 1.0).abs() < 0.05 && one + other <= 1.01 * bound && apart <= 1.01 * bound,
        "{one} {other} {apart}"
    );
    assert!(apart > 0.97 * bound, "its own bus: {apart}");
}

/// Puts of 8 B by 16 ranks of one node to those of 4 others, per microsecond.
fn small_puts(node: Option<NodeParameters>, bundle_max: u32) -> f64 {
    let mut config = with(node);
    config.host.bundle_max = bundle_max;
    config.host.doorbell_ns = 0;
    let ranks = (0..5).flat_map(|node| std::iter::repeat_n(node, 16));
    let workload = "kind = 'one-sided'\npattern = 'one-to-many'\nones = 16\nwindow = 64";
    rate(&ran(config, vec![job("puts", ranks, workload, 1)]), 0) * 1_000.0 / 8.0
}

#[test]
fn commands_of_all_ranks_take_the_bus() {
    let node = NodeParameters { pcie_read_mbytes: 10_000, command_bytes: 64, ..free() };
    let (written, read) = (10_000.0 / node.write_bytes(64) as f64, 10_000.0 / node.answer_bytes(64) as f64);
    let without = small_puts(None, 1);
    assert!(without > 250.0, "cores alone: {without} M/s");
    let found = small_puts(Some(node.clone()), 1);
    assert!(found <= 1.01 * written && found > 0.95 * written, "{found} M/s, at most {written}");
    let bundled = small_puts(Some(node), 16);
    assert!(bundled <= 1.01 * read && bundled > 0.9 * read, "{bundled} M/s, at most {read}, less the doorbells");
}

#[test]
fn events_take_the_bus_of_the_receiver() {
    let host = HostParameters { send_overhead_ns: 5, receive_overhead_ns: 5, ..HostParameters::cassini_1_mpi() };
    let messages = |event_bytes| {
        let node = Some(NodeParameters { pcie_write_mbytes: 1_000, event_bytes, ..free() });
        let ranks = [0, 1].into_iter().flat_map(|node| std::iter::repeat_n(node, 8));
        let config = FabricConfig { host: host.clone(), node, ..config("slingshot") };
        let workload = "kind = 'bandwidth'\nbytes = '8B'\nwindow = 64\npairs = 'halves'";
        rate(&ran(config, vec![job("messages", ranks, workload, 1)]), 0) * 1_000.0 / 8.0
    };
    // A message of 8 bytes is 32 on the bus, its event 88.
    let (without, found) = (messages(0), messages(64));
    assert!(without > 2.0 * found, "{without} M/s without events, {found} with them");
    assert!(found <= 1_000.0 / (32.0 + 88.0) * 1.02, "{found} M/s");
}

/// Seven NICs write to one; others send small messages through the same switches. Returns the bytes
/// of both jobs, and the record.
fn slow_host(law: &str, node: NodeParameters) -> (f64, f64, RunRecord) {
    slow_host_of(config(law), node)
}

fn slow_host_of(config: FabricConfig, node: NodeParameters) -> (f64, f64, RunRecord) {
    let config = FabricConfig { node: Some(node), host: HostParameters::cassini_1_shmem(), ..config };
    let topology = topology(DragonflyDescription::uniform(2, 2, 8, 2));
    let options = RunOptions {
        time_limit: Picoseconds::from_micros(300),
        warm_up: Picoseconds::from_micros(100),
        ..RunOptions::default()
    };
    let streams = "kind = 'one-sided'\npattern = 'many-to-one'\nones = 1\nbytes = '64KiB'\nwindow = 16";
    let pairs = "kind = 'permutation'\nbytes = '2KiB'\noperation = 'send'\nwindow = 1";
    let jobs = vec![
        job("streams", [0, 16].into_iter().chain(20..26), streams, 1),
        job("beside", [1, 17, 2, 18, 3, 19], pairs, 1),
    ];
    let record = run(&topology, config, options, jobs).expect("it runs");
    let [streams, beside] = [0, 1].map(|job| record.jobs[job].delivered.0 as f64);
    (streams, beside, record)
}

/// The sum of a counter over all ports of switches.
fn counted(record: &RunRecord, name: CounterName) -> u64 {
    let at_port = |row: &&CounterRow| matches!(row.place, CounterPlace::Port(_)) && row.name == name;
    record.counters.iter().filter(at_port).map(|row| row.value).sum()
}

#[test]
fn a_slow_host_pauses_its_port_and_the_fabric_fills() {
    let slow = NodeParameters { pcie_write_mbytes: 5_000, buffer_bytes: 131_072, ..free() };
    let bound = 5.0 * 2_048.0 / slow.write_bytes(2_048) as f64 * 200_000.0;
    let (fast, quiet, record) = slow_host("none", free());
    assert!(fast > 4_600_000.0, "the link: {fast} B in 200 us");
    assert_eq!(counted(&record, CounterName::PauseReceived), 0, "a fast host pauses no port");
    let (found, spread, record) = slow_host("none", slow.clone());
    // What is in the buffer has arrived and is not written.
    let most = bound + f64::from(slow.buffer_bytes);
    assert!(found < most && found > 0.95 * bound, "{found} B, at most {bound}: the senders slow down");
    let paused = counted(&record, CounterName::TransmitPaused);
    assert!(paused > 100_000_000, "the port was stopped most of the time: {paused} ps");
    assert!(counted(&record, CounterName::PauseReceived) > 10, "and often");
    let (_, held, _) = slow_host("slingshot", slow);
    assert!(spread < 0.85 * quiet, "under none others wait too: {spread} B, {quiet} with a fast host");
    assert!(held > 0.92 * quiet, "under slingshot hardly: {held} B, {quiet} with a fast host under none");
}

/// Ultra Ethernet's targets tell their senders before the port is paused, and the host has as much
/// to do as without.
#[test]
fn a_slow_host_slows_senders_of_ultra_ethernet() {
    let slow = NodeParameters { pcie_write_mbytes: 5_000, buffer_bytes: 131_072, ..free() };
    let bound = 5.0 * 2_048.0 / slow.write_bytes(2_048) as f64 * 200_000.0;
    for law in ["nscc", "rccc"] {
        let [told, untold] = [true, false].map(|tells| {
            let mut config = config(law);
            config.laws.uet.destination_flow_control = tells;
            let (found, _, record) = slow_host_of(config, slow.clone());
            (found, counted(&record, CounterName::TransmitPaused))
        });
        assert!(told.0 > 0.95 * bound, "{law}: {told:?}, at most {bound} B");
        // The queue of the first windows takes its time in either case.
        assert!(told.1 * 10 < untold.1 * 9, "{law}: paused for {} and {} ps", told.1, untold.1);
    }
}

#[test]
fn a_send_costs_its_core_more_than_latency_shows() {
    let host = HostParameters::cassini_1_mpi();
    let time = |completion_ns, workload: &str| {
        let config = FabricConfig { host: host.clone(), ..with(Some(NodeParameters { completion_ns, ..free() })) };
        let topology = topology(DragonflyDescription::uniform(1, 4, 8, 1));
        let jobs = vec![job("messages", [0, 1], workload, 1)];
        run(&topology, config, RunOptions::default(), jobs).expect("it runs").simulated.0 as f64
    };
    let both = "kind = 'bandwidth'\nbytes = '8B'\nwindow = 64\nbidirectional = true\niterations = 8";
    // 8 windows of 64 messages, each of which costs its core 500 ns more.
    let more = time(500, both) - time(0, both);
    assert!((more / (8.0 * 64.0 * 500_000.0) - 1.0).abs() < 0.05, "{more} ps");
    let turns = "kind = 'ping-pong'\nbytes = '8B'\niterations = 5";
    assert!(time(500, turns) - time(0, turns) <= 500_000.0, "it is over before the answer comes");
}

#[test]
fn a_buffer_without_room_for_a_pause_is_refused() {
    let refused = |node| {
        let topology = topology(DragonflyDescription::uniform(1, 4, 8, 1));
        let found = run(&topology, with(Some(node)), RunOptions::default(), vec![windows("put", false, 1)]);
        found.expect_err("it cannot run").to_string()
    };
    let text = refused(NodeParameters { buffer_bytes: 66_000, ..NodeParameters::cassini_1() });
    assert!(text.contains("66000 bytes of buffer") && text.contains("raise hardware.node.buffer_bytes"), "{text}");
    let text = refused(NodeParameters { buffer_pause_off_bytes: 70_000, ..NodeParameters::cassini_1() });
    assert!(text.contains("hardware.node.buffer_pause_off_bytes is 70000"), "{text}");
}

#[test]
fn partitions_do_not_show() {
    let outcome = |partitions| {
        let topology = topology(DragonflyDescription::uniform(3, 2, 4, 1));
        let ranks = (0..24).flat_map(|node| [node, node]);
        let jobs = vec![
            job("puts", ranks.clone(), "kind = 'one-sided'\nwindow = 16\nbytes = '3KiB'\niterations = 4", 1),
            job("sends", ranks, "kind = 'alltoall'\nbytes = '20KiB'\niterations = 1", 1),
        ];
        let options = RunOptions {
            execution: ExecutionOptions { partitions, ..ExecutionOptions::default() },
            ..RunOptions::default()
        };
        let record = run(&topology, with(Some(NodeParameters::connectx_5())), options, jobs).expect("it runs");
        (record.digest, record.simulated)
    };
    assert_eq!(outcome(1), outcome(3));
}

#[test]
fn a_bus_without_transactions_is_refused() {
    let refused = |node| {
        let topology = topology(DragonflyDescription::uniform(1, 4, 8, 1));
        let found = run(&topology, with(Some(node)), RunOptions::default(), vec![windows("put", false, 1)]);
        found.expect_err("it cannot run").to_string()
    };
    let text = refused(NodeParameters { pcie_payload_max_bytes: 0, ..free() });
    assert!(text.contains("hardware.node.pcie_payload_max_bytes") && text.contains("at least one byte"), "{text}");
    let text = refused(NodeParameters { pcie_request_max_bytes: 0, ..free() });
    assert!(text.contains("hardware.node.pcie_request_max_bytes"), "{text}");
}
