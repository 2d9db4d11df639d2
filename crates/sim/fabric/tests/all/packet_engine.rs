//! The packet engine in a run: a denied packet never reaches memory, a changed one travels changed.

use crate::common::{config, job, run, topology};
use philae_fabric::{ExecutionOptions, FabricConfig, Job, RecordOptions, RunOptions};
use philae_packet_engine::PacketEngine;
use philae_results::fault::DiscardCause;
use philae_results::record::{RunRecord, RunStatus};
use philae_topology::DragonflyDescription;
use philae_units::ClassId;

const PUTS: &str = "kind = 'permutation'\nbytes = '64KiB'\niterations = 2";

fn with(text: &str) -> FabricConfig {
    let engine: PacketEngine = toml::from_str(text).expect("a section");
    let mut config = FabricConfig { packet_engine: Some(engine.program().expect("a program")), ..config("slingshot") };
    config.resilience.retry.packet_timeout_ns = 100_000;
    config.resilience.retry.unordered_delay_ms = 0;
    config.resilience.retry.retry_step_ms = 0;
    config
}

/// Job 0 on nodes 0 to 3 with VNI 5, job 1 on nodes 4 to 7 with VNI 6.
fn jobs() -> Vec<Job> {
    vec![Job { vni: 5, ..job("one", 0..4, PUTS, 1) }, Job { vni: 6, ..job("other", 4..8, PUTS, 1) }]
}

fn record(config: FabricConfig, partitions: u32) -> RunRecord {
    let system = topology(DragonflyDescription::uniform(3, 2, 4, 1));
    let options = RunOptions {
        execution: ExecutionOptions { partitions, ..ExecutionOptions::default() },
        records: RecordOptions { flows: true, ..RecordOptions::default() },
        ..RunOptions::default()
    };
    run(&system, config, options, jobs()).expect("it runs")
}

#[test]
fn a_packet_of_another_virtual_network_never_reaches_memory() {
    // Only the first job's network is known: endpoints 0 to 3 are its members, and the other
    // network has no members.
    let text = "programs = ['vni-isolation']\njobs_are_members = false\n[[members]]\nvni = 5\nendpoints = [0, 1, 2, 3]";
    for partitions in [1, 3] {
        let record = record(with(text), partitions);
        assert_eq!(record.jobs[1].delivered.0, 0, "not a byte of it");
        assert!(record.discards.iter().all(|row| row.cause == DiscardCause::VniMismatch));
        assert!(!record.failures.is_empty() && record.failures.iter().all(|row| row.job.0 == 1));
        let denied: u64 = record.packet_engine.iter().filter(|row| row.what == "denied").map(|row| row.packets).sum();
        assert_eq!(denied, record.packets_discarded);
    }
    let all = record(with("programs = ['vni-isolation']"), 1);
    assert_eq!(
        (all.status, all.packets_discarded),
        (RunStatus::Completed, 0),
        "jobs are members of their own networks"
    );
}

#[test]
fn a_list_denies_at_the_egress_too_and_counts() {
    let text = "programs = ['acl']\n[[entries]]\ntable = 'acl_egress'\nmatch = { 'ip.dst' = '10.0.0.0/8' }\nactions = [{ do = 'count', counter = 'seen' }, { do = 'deny', cause = 'closed' }]";
    let denied = record(with(text), 1);
    assert!(denied.discards.iter().all(|row| row.cause == DiscardCause::AccessList));
    assert_eq!(denied.jobs.iter().map(|job| job.delivered.0).sum::<u64>(), 0);
    let seen = denied.packet_engine.iter().find(|row| row.name == "seen").expect("the counter").packets;
    assert_eq!(seen, denied.packets_discarded);
}

#[test]
fn a_tunnel_takes_bandwidth_on_the_fabric_and_none_behind_it() {
    let (plain, tunnel) = (record(with("programs = []"), 1), record(with("programs = ['vxlan-edge']"), 1));
    assert_eq!(tunnel.status, RunStatus::Completed);
    let bytes = |record: &RunRecord| record.switches.iter().map(|row| row.bytes.0).sum::<u64>();
    let (hops, more) = (tunnel.packet_hops - tunnel.packets_delivered, bytes(&tunnel) - bytes(&plain));
    assert_eq!(tunnel.packet_hops, plain.packet_hops, "the same paths");
    assert_eq!(more, 50 * hops, "50 bytes on each hop between switches");
    let several = record(with("programs = ['vxlan-edge']"), 3);
    assert_eq!(several.digest, tunnel.digest);
}

#[test]
fn a_class_that_a_table_sets_is_the_class_on_the_fabric() {
    let text = "[[tables]]\nname = 'paint'\nstage = 'ingress'\nsize = 4\nkey = [{ field = 'meta.vni', match = 'exact' }]\nentries = [{ match = { 'meta.vni' = 6 }, actions = [{ do = 'class', class = 'second' }] }]";
    let mut config = with(text);
    let classes = ["first", "second"].map(philae_traffic_class::TrafficClass::named).to_vec();
    config.classes = philae_traffic_class::ClassSet::new(classes, 8).expect("two classes");
    let record = record(config, 1);
    assert_eq!(record.status, RunStatus::Completed);
    assert!(record.packet_latency[1].count() > 0, "job 1 travels in the second class");
    assert!(record.flows.iter().all(|row| row.class == ClassId(0)), "messages keep the class that they were sent in");
}
