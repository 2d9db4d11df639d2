//! What applications have received: distinct from what has reached their NICs, for every transport.

use crate::common::{config, job, run, topology};
use philae_fabric::{ExecutionOptions, FabricConfig, Job, Resilience, RunOptions};
use philae_link_layer::{FecKind, LinkParameters};
use philae_nic_model::HostParameters;
use philae_results::record::{RunRecord, RunStatus};
use philae_topology::DragonflyDescription;
use philae_units::Picoseconds;

/// Eager and fetched messages, puts and gets, within nodes and between them.
fn jobs() -> Vec<Job> {
    vec![
        job("eager", (0..8).chain(0..8), "kind = 'alltoall'\nbytes = '2KiB'\niterations = 2", 1),
        job("fetched", 8..16, "kind = 'sendrecv-alltoall'\nbytes = '40KiB'\niterations = 2", 1),
        job("puts", 16..24, "kind = 'one-sided'\noperation = 'put'\nbytes = '8KiB'\nwindow = 4\niterations = 4", 1),
        job("gets", 24..32, "kind = 'one-sided'\noperation = 'get'\nbytes = '8KiB'\nwindow = 4\niterations = 4", 1),
    ]
}

fn hosts() -> [(&'static str, HostParameters); 5] {
    [
        ("MPI", HostParameters::cassini_1_mpi()),
        ("verbs", HostParameters::cassini_1_verbs()),
        ("TCP", HostParameters::cassini_1_tcp()),
        ("UDP", HostParameters::cassini_1_udp()),
        ("SHMEM", HostParameters::cassini_1_shmem()),
    ]
}

fn record(host: HostParameters, limit_us: u64) -> RunRecord {
    let config = FabricConfig { host, ..config("slingshot") };
    let options = RunOptions { time_limit: Picoseconds::from_micros(limit_us), ..RunOptions::default() };
    run(&topology(DragonflyDescription::uniform(4, 2, 4, 1)), config, options, jobs()).expect("it runs")
}

/// Messages and payload of a job that are in the record.
fn delivered(record: &RunRecord, job: u16) -> (u64, u64) {
    let of_job = record.messages.iter().filter(|row| row.job.0 == job);
    of_job.fold((0, 0), |(messages, bytes), row| (messages + 1, bytes + row.bytes.0))
}

#[test]
fn at_the_end_applications_have_all_that_was_delivered() {
    for (name, host) in hosts() {
        let record = record(host, 1_000_000);
        assert_eq!(record.status, RunStatus::Completed);
        for (number, job) in record.jobs.iter().enumerate() {
            let received = job.received.expect("packets are counted");
            let sums = (received.messages, received.bytes.0);
            assert_eq!(sums, delivered(&record, number as u16), "{name}: {}", job.name);
        }
    }
}

/// Operations that may end twice are counted once.
#[test]
fn where_packets_are_lost_applications_have_all_that_was_delivered() {
    for partitions in [1, 2, 3] {
        for (name, host) in hosts() {
            let mut config = FabricConfig { host, ..config("slingshot") };
            let noisy = LinkParameters {
                bit_errors: 6,
                bit_errors_per_10_to: 7,
                fec: FecKind::None,
                ..LinkParameters::slingshot()
            };
            config.resilience = Resilience { link: Some(noisy), reroute_ns: 5_000, ..Resilience::default() };
            let execution = ExecutionOptions { partitions, threads: partitions, ..ExecutionOptions::default() };
            let limit = Picoseconds::from_micros(10_000_000);
            let options = RunOptions { time_limit: limit, execution, ..RunOptions::default() };
            let system = topology(DragonflyDescription::uniform(4, 2, 4, 1));
            let record = run(&system, config, options, jobs()).expect("it runs");
            assert_eq!(record.status, RunStatus::Completed);
            for (number, job) in record.jobs.iter().enumerate() {
                let received = job.received.expect("packets are counted");
                let sums = (received.messages, received.bytes.0);
                assert_eq!(sums, delivered(&record, number as u16), "{name}: {}, {partitions} partitions", job.name);
            }
        }
    }
}

#[test]
fn a_run_that_stops_early_has_less_in_its_applications_than_at_its_nics() {
    for (name, host) in hosts() {
        // A core that takes ten microseconds for each message has more to do than it can.
        let slow = HostParameters { receive_overhead_ns: 10_000, ..host };
        let limit = if slow.path.is_kernel() { 400 } else { 60 };
        let record = record(slow, limit);
        assert_eq!(record.status, RunStatus::TimeLimit);
        for (number, job) in record.jobs.iter().enumerate() {
            let received = job.received.expect("packets are counted");
            assert!(received.messages <= delivered(&record, number as u16).0, "{name}: {}", job.name);
        }
        let received = record.jobs[0].received.expect("counted");
        let (messages, _) = delivered(&record, 0);
        assert!(received.messages > 0, "{name}: the first of them are there");
        assert!(received.messages < messages, "{name}: {} of {messages} messages that came", received.messages);
        // Its messages within nodes reach no NIC; this one has none.
        let (received, fetched) = (record.jobs[1].received.expect("counted"), &record.jobs[1]);
        assert!(received.bytes <= fetched.delivered, "{name}: {} of {}", received.bytes, fetched.delivered);
    }
}
