//! An idle fabric agrees with the closed form, for every class of pair.

use crate::common::{config, job, run, topology};
use philae_fabric::{FabricConfig, RunOptions, zero_load_latency};
use philae_nic_model::{HostParameters, NicParameters, NodeParameters};
use philae_path::RoutingMode;
use philae_topology::{DragonflyDescription, FatTreeDescription, PortPeer, Topology, TopologyShape};
use philae_units::{EndpointId, PortIndex};
use std::sync::Arc;

/// Output ports of a minimal path, as a router without any choice finds them.
fn minimal_ports(topology: &Topology, source: EndpointId, destination: EndpointId) -> Vec<PortIndex> {
    let target = topology.switch_of_endpoint(destination);
    let mut current = topology.switch_of_endpoint(source);
    let mut ports = Vec::new();
    while current != target {
        let port = match topology.shape() {
            TopologyShape::Dragonfly(shape) => {
                let (here, there) = (topology.group_of(current), topology.group_of(target));
                if here == there {
                    shape.local_next(current, target).get(0)
                } else {
                    let gateway = shape.gateways(here, there)[0];
                    let exit = topology.switch_of(gateway);
                    if exit == current { gateway } else { shape.local_next(current, exit).get(0) }
                }
            }
            TopologyShape::FatTree(tree) => tree
                .down_ports(current, topology.edge_port(destination))
                .unwrap_or_else(|| tree.up_ports(current))
                .get(0),
            TopologyShape::Graph(graph) => graph.next(current, target)[0],
        };
        ports.push(port);
        let PortPeer::Port(peer) = topology.port(port).peer else { panic!("a path goes from switch to switch") };
        current = topology.switch_of(peer);
    }
    ports.push(topology.endpoint(destination).port);
    ports
}

/// A message from the first endpoint to another and back takes the time of the closed form.
pub fn assert_closed_form(topology: &Arc<Topology>, config: &FabricConfig, destination: u32, bytes: u32) {
    let workload = format!("kind = 'ping-pong'\nbytes = {}\niterations = 1", bytes.max(1));
    let pair = vec![job("pair", [0, destination], &workload, 1)];
    let record = run(topology, config.clone(), RunOptions::default(), pair).expect("it runs");
    let ports = minimal_ports(topology, EndpointId(0), EndpointId(destination));
    let back = minimal_ports(topology, EndpointId(destination), EndpointId(0));
    let expected = zero_load_latency(topology, config, EndpointId(0), &ports, bytes.max(1))
        + zero_load_latency(topology, config, EndpointId(destination), &back, bytes.max(1));
    let turn = record.iterations.iter().find(|row| row.rank.0 == 0).expect("rank 0 measures");
    let (spent, switches) = (turn.end - turn.start, ports.len());
    assert_eq!(
        spent, expected,
        "{bytes} B, 0 -> {destination}, {switches} switches, {:?}, {:?}",
        config.node, config.host
    );
}

#[test]
fn every_pair_class_takes_exactly_the_closed_form() {
    let systems =
        [topology(DragonflyDescription::uniform(4, 3, 2, 1)), topology(FatTreeDescription::two_level(4, 2, 1))];
    // Slow links before fast ones: a switch waits for the tail.
    let mut slow = DragonflyDescription::uniform(4, 3, 2, 1);
    slow.global.rate_gbps = 40.0;
    slow.edge.rate_gbps = 300.0;
    for topology in systems.into_iter().chain([topology(slow)]) {
        for (nic, node_memory) in ["cassini", "connectx", "verbs", "tcp", "shmem"]
            .into_iter()
            .flat_map(|nic| [None, Some(0), Some(8_000)].map(|memory| (nic, memory)))
        {
            let mut config = config("slingshot");
            config.switch.latency_spread_ns = 0;
            config.routing.mode = RoutingMode::Minimal;
            config.switch.ack_overhead_bytes = 0;
            config.switch.optical_cable_ns = 100;
            if ["connectx", "verbs", "tcp"].contains(&nic) {
                config.nic = NicParameters::connectx_5();
            }
            if let Some(memory_mbytes) = node_memory {
                // Every term of the bus moves the time: tags bind reads, credits bind writes. With
                // a memory, it binds both, and copies are slower than the core.
                let bus = NodeParameters { pcie_tags: 7, pcie_posted_bytes: 3_000, ..NodeParameters::cassini_1() };
                config.node = Some(NodeParameters { memory_mbytes, memory_reserved_mbytes: memory_mbytes / 4, ..bus });
            }
            match nic {
                "verbs" => config.host = HostParameters::connectx_5_verbs(),
                "tcp" => config.host = HostParameters::connectx_5_tcp(),
                "shmem" => config.host = HostParameters::cassini_1_shmem(),
                _ => {}
            }
            for bytes in [0, 8, 192, 193, 2_048] {
                for destination in 1..topology.endpoint_count() as u32 {
                    assert_closed_form(&topology, &config, destination, bytes);
                }
            }
        }
    }
}
