//! Every parameter of every law, of routing, of the switch, the NIC and the host changes a result.

use crate::common::{config, free_node, job, run, topology};
use philae_congestion::{AriesMode, CongestionLaw, InjectionScope};
use philae_fabric::{FabricConfig, Job, RunOptions};
use philae_nic_model::{HostParameters, HostPath, NodeParameters, ResponseScope};
use philae_switch::port::Fairness;
use philae_topology::DragonflyDescription;
use philae_units::Picoseconds;

const NODES: u32 = 5 * 4 * 6;

/// A mixture that uses everything: eager, rendezvous, puts, an incast, bulk through few links,
/// several ranks per node.
fn jobs() -> Vec<Job> {
    let mut local = job("local", (0..12).chain(0..12), "kind = 'allreduce'\nbytes = '8B'\niterations = 30", 1);
    local.record_messages = true;
    vec![
        local,
        job("eager", (12..40).step_by(2), "kind = 'alltoall'\nbytes = '2KiB'\niterations = 5", 1),
        job("rendezvous", (13..41).step_by(2), "kind = 'alltoall'\nbytes = '40KiB'\niterations = 2", 1),
        job("incast", 41..90, "kind = 'incast'\nbytes = '64KiB'", 1),
        job("bulk", 90..NODES, "kind = 'shift'\nby = 7\nbytes = '100KiB'", 1),
    ]
}

fn result(config: FabricConfig) -> String {
    let topology = topology(DragonflyDescription::uniform(5, 4, 6, 2));
    let options = RunOptions { time_limit: Picoseconds::from_micros(700), ..RunOptions::default() };
    let record = run(&topology, config, options, jobs()).expect("it runs");
    format!("{:x} {:?} {}", record.digest, record.simulated, record.packets_delivered)
}

/// A parameter's name and a change of it.
type Change = (&'static str, fn(&mut FabricConfig));

fn each_changes(law: &str, changes: &[Change]) {
    let mut base = config(law);
    base.nic.edge_pause = law != "aries";
    let before = result(base.clone());
    for (name, change) in changes {
        let mut changed = base.clone();
        change(&mut changed);
        assert_ne!(changed, base, "{name} is a change");
        assert_ne!(result(changed), before, "changing {name} under {law} changes nothing");
    }
}

macro_rules! slingshot {
    ($field:ident = $value:expr) => {
        (stringify!($field), |config: &mut FabricConfig| {
            let CongestionLaw::Slingshot(law) = &mut config.congestion else { panic!("the law is slingshot") };
            law.$field = $value;
        })
    };
}

macro_rules! ecn {
    ($field:ident = $value:expr) => {
        (stringify!($field), |config: &mut FabricConfig| {
            let CongestionLaw::Ecn(law) = &mut config.congestion else { panic!("the law is ecn") };
            law.$field = $value;
        })
    };
}

#[test]
fn slingshot_knobs() {
    each_changes(
        "slingshot",
        &[
            slingshot!(injection_limit_ns = 1_000),
            slingshot!(endpoint_threshold_bytes = 20_000),
            slingshot!(held_window_bytes = 20_000),
            slingshot!(stiffness = 16),
            slingshot!(early_notice = false),
            slingshot!(flows_per_port = 2),
            slingshot!(endpoint_share_bytes = 16_384),
            slingshot!(flow_share_bytes = 8_192),
        ],
    );
}

#[test]
fn the_scope_of_the_injection_limit() {
    let with = |injection_scope| {
        let mut config = config("slingshot");
        let CongestionLaw::Slingshot(law) = &mut config.congestion else { panic!("the law is slingshot") };
        (law.injection_scope, law.injection_limit_ns) = (injection_scope, 300);
        result(config)
    };
    assert_ne!(with(InjectionScope::Flow), with(InjectionScope::Port), "injection_scope");
}

#[test]
fn moves_of_ordered_flows() {
    let with = |reroute_threshold_bytes, reroute_stay_ns| {
        let mut config = config("slingshot");
        config.nic.ordered = true;
        let CongestionLaw::Slingshot(law) = &mut config.congestion else { panic!("the law is slingshot") };
        (law.reroute_threshold_bytes, law.reroute_stay_ns) = (reroute_threshold_bytes, reroute_stay_ns);
        result(config)
    };
    assert_ne!(with(0, 20_000), with(8_192, 20_000), "reroute_threshold_bytes");
    assert_eq!(with(0, 20_000), with(0, 2_000), "without a threshold no flow moves");
    assert_ne!(with(8_192, 20_000), with(8_192, 2_000), "reroute_stay_ns");
}

#[test]
fn ecn_knobs() {
    // Thresholds are lowered first, and periods shortened, so that a short run triggers every
    // mechanism.
    fn lower(config: &mut FabricConfig) {
        let CongestionLaw::Ecn(law) = &mut config.congestion else { panic!("the law is ecn") };
        law.mark_min_bytes = 20_000;
        law.mark_max_bytes = 200_000;
        law.notification_gap_ns = 5_000;
        law.estimate_period_ns = 6_000;
        law.increase_period_ns = 6_000;
        law.increase_bytes = 20_000;
        law.fast_recovery_periods = 2;
    }
    let mut base = config("ecn");
    lower(&mut base);
    let before = result(base.clone());
    let changes: Vec<Change> = vec![
        ecn!(mark_min_bytes = 60_000),
        ecn!(mark_max_bytes = 100_000),
        ecn!(mark_max_permille = 900),
        ecn!(notification_gap_ns = 20_000),
        ecn!(gain_shift = 4),
        ecn!(estimate_period_ns = 2_000),
        ecn!(increase_period_ns = 20_000),
        ecn!(increase_bytes = 5_000),
        ecn!(fast_recovery_periods = 1),
        ecn!(additive_increase_mbps = 400),
        ecn!(hyper_increase_mbps = 4_000),
        ecn!(rate_min_mbps = 10_000),
        ecn!(pause_on_bytes = 30_000),
        ecn!(pause_off_bytes = 5_000),
    ];
    for (name, change) in changes {
        let mut changed = base.clone();
        change(&mut changed);
        assert_ne!(result(changed), before, "changing {name} under ecn changes nothing");
    }
}

#[test]
fn aries_knobs() {
    each_changes(
        "aries",
        &[("channel_buffer_bytes", |config| {
            let CongestionLaw::Aries(law) = &mut config.congestion else { panic!("the law is aries") };
            law.channel_buffer_bytes = 32_768;
        })],
    );
    assert_ne!(AriesMode::Adaptive0, AriesMode::InOrder, "the mode turns into routing parameters in the scenario");
}

#[test]
fn routing_knobs() {
    each_changes(
        "slingshot",
        &[
            ("mode minimal", |config| config.routing.mode = philae_path::RoutingMode::Minimal),
            ("mode valiant", |config| config.routing.mode = philae_path::RoutingMode::Valiant),
            ("minimal_candidates", |config| config.routing.minimal_candidates = 1),
            ("nonminimal_candidates", |config| config.routing.nonminimal_candidates = 1),
            ("idle_load_bytes", |config| config.routing.idle_load_bytes = 500),
            ("nonminimal_bias_percent", |config| config.routing.nonminimal_bias_percent = 0),
            ("remote_load", |config| config.routing.remote_load = false),
        ],
    );
}

#[test]
fn switch_knobs() {
    each_changes(
        "slingshot",
        &[
            ("latency_ns", |config| config.switch.latency_ns = 300),
            ("fec_ns", |config| config.switch.fec_ns = 100),
            ("latency_spread_ns", |config| config.switch.latency_spread_ns = 20),
            ("outliers_per_million", |config| config.switch.outliers_per_million = 10_000),
            ("optical_cable_ns", |config| config.switch.optical_cable_ns = 100),
            ("credit_latency_ns", |config| config.switch.credit_latency_ns = 1_500),
            ("ack_latency_ns", |config| config.switch.ack_latency_ns = 300),
            ("ack_overhead_bytes", |config| config.switch.ack_overhead_bytes = 0),
            ("buffer_reserve_bytes", |config| config.switch.buffer_reserve_bytes = 4_096),
            ("buffer_shared_bytes", |config| config.switch.buffer_shared_bytes = 16_384),
            ("pause_on_bytes", |config| {
                config.switch.pause_on_bytes = 30_000;
                config.switch.pause_off_bytes = 20_000;
            }),
            ("load_age_ns", |config| config.switch.load_age_ns = 5_000),
            ("fairness", |config| config.switch.fairness = Fairness::Input),
        ],
    );
    let mut late = config("slingshot");
    late.switch.outliers_per_million = 10_000;
    let before = result(late.clone());
    late.switch.outlier_max_ns = 400;
    assert_ne!(result(late), before, "changing outlier_max_ns changes nothing");
    let mut fair = config("slingshot");
    let before = result(fair.clone());
    fair.switch.flow_queues = 2;
    assert_ne!(result(fair), before, "changing flow_queues changes nothing");
    let mut low = config("slingshot");
    low.switch.pause_on_bytes = 30_000;
    low.switch.pause_off_bytes = 20_000;
    let before = result(low.clone());
    low.switch.pause_off_bytes = 8_000;
    assert_ne!(result(low), before, "changing pause_off_bytes changes nothing");
}

#[test]
fn nic_and_host_knobs() {
    each_changes(
        "slingshot",
        &[
            ("inline_max_bytes", |config| config.nic.inline_max_bytes = 4),
            ("command_ns", |config| config.nic.command_ns = 200),
            ("dma_read_ns", |config| config.nic.dma_read_ns = 300),
            ("transmit_ns", |config| config.nic.transmit_ns = 300),
            ("receive_ns", |config| config.nic.receive_ns = 300),
            ("accept_ns", |config| config.nic.accept_ns = 100),
            ("packet_gap_ps", |config| config.nic.packet_gap_ps = 90_000),
            ("payload_max_bytes", |config| config.nic.payload_max_bytes = 1_024),
            ("header_first_bytes", |config| config.nic.header_first_bytes = 90),
            ("header_next_bytes", |config| config.nic.header_next_bytes = 90),
            ("unit_payload_bytes", |config| {
                config.nic.unit_payload_bytes = 64;
                config.nic.unit_header_bytes = 8;
            }),
            ("frame_min_bytes", |config| config.nic.frame_min_bytes = 500),
            ("edge_gap_bytes", |config| config.nic.edge_gap_bytes = 12),
            ("ordered", |config| config.nic.ordered = true),
            ("eager_max_bytes", |config| config.nic.eager_max_bytes = 1_024),
            ("match_offload", |config| config.nic.match_offload = false),
            ("edge_pause", |config| config.nic.edge_pause = false),
            ("send_overhead_ns", |config| config.host.send_overhead_ns = 300),
            ("receive_overhead_ns", |config| config.host.receive_overhead_ns = 200),
            ("local_latency_ns", |config| config.host.local_latency_ns = 800),
            ("copy_rate_mbytes", |config| config.host.copy_rate_mbytes = 1),
            ("operation_gap_ps", |config| config.nic.operation_gap_ps = 90_000),
            ("write_gap_ps", |config| config.nic.write_gap_ps = 190_000),
            ("responses", |config| config.nic.responses = ResponseScope::Packet),
            ("doorbell_ns", |config| config.host.doorbell_ns = 100),
            ("path direct", |config| config.host.path = HostPath::Direct),
            ("path kernel", |config| config.host.path = HostPath::Kernel),
        ],
    );
    let mut kernel = config("slingshot");
    kernel.host = HostParameters::cassini_2_tcp();
    let before = result(kernel.clone());
    let changes: [Change; 2] = [
        ("segment_bytes", |config| config.host.segment_bytes = 4_096),
        ("segment_ns", |config| config.host.segment_ns = 1_000),
    ];
    for (name, change) in changes {
        let mut changed = kernel.clone();
        change(&mut changed);
        assert_ne!(result(changed), before, "changing {name} on the kernel's path changes nothing");
    }
}

/// A parameter of the node, and a change of it.
type NodeChange = (&'static str, fn(&mut NodeParameters));

#[test]
fn node_knobs() {
    let mut base = config("slingshot");
    let bus = NodeParameters { pcie_tags: 40, pcie_posted_bytes: 3_000, ..NodeParameters::cassini_1() };
    base.node = Some(NodeParameters { memory_mbytes: 40_000, memory_reserved_mbytes: 5_000, ..bus });
    let before = result(base.clone());
    let changes: [NodeChange; 18] = [
        ("pcie_read_mbytes", |node| node.pcie_read_mbytes = 10_000),
        ("pcie_write_mbytes", |node| node.pcie_write_mbytes = 9_000),
        ("pcie_header_bytes", |node| node.pcie_header_bytes = 100),
        ("pcie_answer_header_bytes", |node| node.pcie_answer_header_bytes = 300),
        ("pcie_payload_max_bytes", |node| node.pcie_payload_max_bytes = 32),
        ("pcie_request_max_bytes", |node| node.pcie_request_max_bytes = 64),
        ("pcie_tags", |node| node.pcie_tags = 10),
        ("pcie_posted_bytes", |node| node.pcie_posted_bytes = 1_000),
        ("pcie_posted_ns", |node| node.pcie_posted_ns = 900),
        ("command_bytes", |node| node.command_bytes = 3_000),
        ("event_bytes", |node| node.event_bytes = 0),
        ("buffer_bytes", |node| node.buffer_bytes = 0),
        ("buffer_pause_on_bytes", |node| node.buffer_pause_on_bytes = 50_000),
        ("completion_ns", |node| node.completion_ns = 900),
        ("buffer_pause_off_bytes", |node| node.buffer_pause_off_bytes = 60_000),
        ("memory_mbytes", |node| node.memory_mbytes = 20_000),
        ("memory_reserved_mbytes", |node| node.memory_reserved_mbytes = 0),
        ("memory_copies_percent", |node| node.memory_copies_percent = 90),
    ];
    for (name, change) in changes {
        let mut changed = base.clone();
        change(changed.node.as_mut().expect("it was set"));
        assert_ne!(result(changed), before, "changing {name} changes nothing");
    }
    let mut without_limits = base;
    without_limits.node = Some(free_node());
    assert_eq!(result(without_limits), result(config("slingshot")), "a node without limits is no node");
}

#[test]
fn bundles_of_one_sided_operations() {
    let run_with = |bundle_max: u32| {
        let topology = topology(DragonflyDescription::uniform(5, 4, 6, 2));
        let mut config = config("slingshot");
        config.host = HostParameters { bundle_max, ..HostParameters::cassini_1_shmem() };
        let workload = "kind = 'one-sided'\noperation = 'get'\nwindow = 8\niterations = 3";
        let record = run(&topology, config, RunOptions::default(), vec![job("gets", [0, 60], workload, 1)]);
        let record = record.expect("it runs");
        (record.digest, record.simulated)
    };
    assert_ne!(run_with(1), run_with(2));
    assert_eq!(run_with(8), run_with(9), "a window of 8 is one bundle of 8 at most");
}
