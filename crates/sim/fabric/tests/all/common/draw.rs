//! Scenarios drawn at random.

use std::sync::Arc;

use philae_congestion::{CongestionLaw, InjectionScope};
use philae_engine::RandomStream;
use philae_fabric::{FabricConfig, Job};
use philae_nic_model::{EntropySpray, HostParameters, NicParameters, NodeParameters, ResponseScope};
use philae_path::RoutingMode;
use philae_switch::port::Fairness;
use philae_topology::{DragonflyDescription, FatTreeDescription, GraphDescription, Topology};

use super::{config, job, topology};

/// Draws one of `choices`.
pub fn pick<T: Copy>(random: &mut RandomStream, choices: &[T]) -> T {
    choices[random.below(choices.len() as u32) as usize]
}

/// Draws a small system of any kind.
pub fn draw_topology(random: &mut RandomStream) -> Arc<Topology> {
    match random.below(4) {
        0 | 1 => {
            let (groups, switches) = (1 + random.below(6), 1 + random.below(5));
            let links = 1 + random.below(3);
            topology(DragonflyDescription::uniform(groups, switches, 2 + random.below(4), links))
        }
        2 => topology(FatTreeDescription::two_level(2 + random.below(6), 2 + random.below(4), 1 + random.below(4))),
        _ => {
            // A ring with chords.
            let switches = 4 + random.below(4);
            let mut links: Vec<[u32; 2]> = (0..switches).map(|switch| [switch, (switch + 1) % switches]).collect();
            links.push([0, switches / 2]);
            topology(GraphDescription::regular(switches, 2, &links))
        }
    }
}

/// Draws any law on any hardware.
pub fn draw_config(random: &mut RandomStream) -> FabricConfig {
    let law = pick(random, &["slingshot", "none", "aries", "ecn", "pfc", "nscc", "rccc"]);
    let mut config = config(law);
    config.nic = match random.below(4) {
        0 => NicParameters::connectx_5(),
        1 => NicParameters::cassini_1(),
        2 => NicParameters::cassini_2(),
        _ => NicParameters::aries(),
    };
    if random.below(2) == 0 {
        config.host = HostParameters::aries_mpi();
    }
    let modes = [RoutingMode::Adaptive, RoutingMode::Minimal, RoutingMode::Valiant, RoutingMode::Ecmp];
    config.routing.mode = pick(random, &modes);
    if law == "nscc" || law == "rccc" {
        // Without entropy in packets there are no such paths.
        if random.below(3) == 0 {
            config.routing.mode = RoutingMode::EcmpNonminimal;
        }
        let other = match config.routing.mode {
            RoutingMode::EcmpNonminimal => EntropySpray::PathAware,
            _ => EntropySpray::Oblivious,
        };
        config.laws.uet.spray = pick(random, &[EntropySpray::Recycled, other]);
    }
    if config.routing.mode == RoutingMode::Ecmp {
        (config.routing.minimal_candidates, config.routing.nonminimal_candidates) = (1, 0);
    }
    if law == "ecn" || law == "pfc" {
        // Pauses need headroom for every leg of a graph's routes.
        config.switch.buffer_shared_bytes = 600_000;
    } else {
        config.switch.buffer_reserve_bytes = pick(random, &[4_300, 9_000, 16_384]);
        config.switch.buffer_shared_bytes = pick(random, &[0, 20_000, 212_992]);
    }
    config.nic.ordered = random.below(2) == 0;
    config.nic.edge_pause = random.below(2) == 0;
    config.switch.fairness = pick(random, &[Fairness::Input, Fairness::Flow]);
    config.switch.flow_queues = pick(random, &[1, 3, 2_048]);
    if let CongestionLaw::Slingshot(law) = &mut config.congestion {
        law.flow_share_bytes = pick(random, &[0, 4_096, 49_152]);
        law.injection_scope = pick(random, &[InjectionScope::Flow, InjectionScope::Port]);
        law.injection_limit_ns = pick(random, &[200, 3_000]);
        law.reroute_threshold_bytes = pick(random, &[0, 4_096]);
        law.reroute_stay_ns = pick(random, &[0, 2_000]);
    }
    config.nic.responses = pick(random, &[ResponseScope::Switch, ResponseScope::Message, ResponseScope::Packet]);
    if config.congestion.is_ultra_ethernet() && config.nic.responses == ResponseScope::Switch {
        config.nic.responses = ResponseScope::Message;
    }
    if random.below(3) == 0 {
        // A bus that is slower than the link.
        let memory_mbytes = pick(random, &[0, 9_000, 60_000]);
        config.node = Some(NodeParameters { memory_mbytes, ..NodeParameters::connectx_5() });
    }
    config
}

/// Draws up to three jobs that end.
pub fn draw_jobs(random: &mut RandomStream, topology: &Topology, seed: u64) -> Vec<Job> {
    let workloads = [
        "kind = 'incast'\nbytes = '40KiB'\niterations = 3",
        "kind = 'incast'\noperation = 'send'\nbytes = '3KiB'\niterations = 5",
        "kind = 'incast'\noperation = 'get'\nbytes = '30KiB'\niterations = 2",
        "kind = 'alltoall'\nbytes = '64B'\niterations = 2",
        "kind = 'alltoall'\nbytes = '5KiB'\niterations = 2",
        "kind = 'alltoall'\nbytes = '50KiB'\niterations = 1",
        "kind = 'allreduce'\nbytes = '40KiB'\niterations = 3",
        "kind = 'barrier'\niterations = 10",
        "kind = 'uniform-random'\nbytes = '9KiB'\niterations = 30",
        "kind = 'permutation'\noperation = 'send'\nbytes = '33KiB'\niterations = 10",
        "kind = 'broadcast'\nbytes = '20KiB'\niterations = 3",
        "kind = 'halo3d'\niterations = 3",
    ];
    let nodes = topology.node_count() as u32;
    let mut free: Vec<u32> = (0..nodes).collect();
    for index in (1..free.len()).rev() {
        free.swap(index, random.below(index as u32 + 1) as usize);
    }
    let mut jobs = Vec::new();
    while free.len() >= 2 && jobs.len() < 3 {
        let count = (2 + random.below(free.len() as u32 - 1)) as usize;
        let chosen: Vec<u32> = free.drain(..count.min(free.len())).collect();
        // Several ranks on a node now and then.
        let ranks: Vec<u32> =
            if random.below(3) == 0 { chosen.iter().chain(&chosen).copied().collect() } else { chosen };
        jobs.push(job("job", ranks, pick(random, &workloads), seed));
    }
    jobs
}
