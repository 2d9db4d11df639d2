//! Speed of the model on one case: `speed [dragonfly|fat-tree] [law] [permutation|uniform-random|incast|alltoall] [microseconds]`.
#[path = "../tests/common/mod.rs"]
mod common;
use common::{config, job, run, topology};
use philae_fabric::RunOptions;
use philae_topology::{DragonflyDescription, FatTreeDescription};
use philae_units::Picoseconds;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let argument = |index: usize, default: &str| arguments.get(index).cloned().unwrap_or_else(|| default.to_owned());
    let topology = if argument(0, "dragonfly") == "dragonfly" {
        topology(DragonflyDescription::uniform(8, 16, 8, 16))
    } else {
        topology(FatTreeDescription::two_level(32, 32, 16))
    };
    let offered = "offered = { load = 0.7, rate_gbps = 200 }";
    let workload = match argument(2, "permutation").as_str() {
        "incast" => "kind = 'incast'\nbytes = '128KiB'".to_owned(),
        "alltoall" => "kind = 'sendrecv-alltoall'\nbytes = '128KiB'".to_owned(),
        kind => format!("kind = '{kind}'\nbytes = '128KiB'\n{offered}"),
    };
    let mut config = config(&argument(1, "slingshot"));
    config.nic.payload_max_bytes = 4_096;
    let options = RunOptions {
        time_limit: Picoseconds::from_micros(argument(3, "200").parse().expect("microseconds")),
        partitions: argument(4, "1").parse().expect("partitions"),
        start_skew: Picoseconds::from_micros(2),
        ..RunOptions::default()
    };
    let start = std::time::Instant::now();
    let nodes = topology.node_count() as u32;
    let record = run(&topology, config, options, vec![job("all", 0..nodes, &workload, 1)]).expect("it runs");
    let wall = start.elapsed().as_secs_f64();
    println!(
        "{nodes} endpoints, digest {:016x}: {:.2} M events/s, {:.2} M packet-hops/s, {:.2} events/hop, {} B/endpoint, {:.2} s; {} packets, {:.2} hops each, p50 {} ns p99 {} ns, {:.1} Gb/s per endpoint",
        record.digest,
        record.events as f64 / wall / 1e6,
        record.packet_hops as f64 / wall / 1e6,
        record.events as f64 / record.packet_hops as f64,
        record.model_bytes_peak / u64::from(nodes),
        wall,
        record.packets_delivered,
        record.packet_hops as f64 / record.packets_delivered as f64,
        record.packet_latency[0].percentile(50.0).unwrap_or(0),
        record.packet_latency[0].percentile(99.0).unwrap_or(0),
        record.packets_delivered as f64 * 4096.0 * 8.0 / record.simulated.0 as f64 * 1e3 / f64::from(nodes),
    );
}
