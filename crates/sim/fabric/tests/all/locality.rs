//! Collectives whose partners are near send less over global links.

use crate::common::{config, job, run, topology};
use philae_fabric::{RecordOptions, RunOptions};
use philae_path::RoutingMode;
use philae_results::record::LinkRole;
use philae_topology::DragonflyDescription;
use philae_units::Picoseconds;

/// Bytes over global links, headers included, with ranks in the order of the nodes: nine groups of
/// five switches with so many nodes.
fn global_bytes(nodes: u32, collective: &str) -> f64 {
    let system = topology(DragonflyDescription::uniform(9, 5, nodes, 1));
    let mut config = config("slingshot");
    config.routing.mode = RoutingMode::Minimal;
    let records = RecordOptions { sample_interval: Picoseconds::from_micros(1_000), ..RecordOptions::default() };
    let options = RunOptions { records, ..RunOptions::default() };
    let record = run(&system, config, options, vec![job("all", 0..256, collective, 1)]).expect("it runs");
    let global = |port| record.port_info.iter().any(|info| info.index == port && info.role == LinkRole::Global);
    record.ports.iter().filter(|sample| global(sample.port)).map(|sample| sample.bytes.0 as f64).sum()
}

#[test]
fn bine_butterflies_and_trees_send_less_between_groups() {
    // The expected ratios count the messages between ranks of different groups, without headers.
    for (kind, usual, bine, most) in [
        ("allreduce\nbytes = '256KiB", "rabenseifner", "bine-rabenseifner", 0.85),
        ("allreduce\nbytes = '2KiB", "recursive-doubling", "bine", 0.90),
        ("reduce-scatter\nbytes = '1KiB", "recursive-halving", "bine", 0.90),
        ("allgather\nbytes = '1KiB", "recursive-doubling", "bine", 0.90),
    ] {
        let kind = kind.replace('\n', "'\n");
        // Groups of 30 nodes: no power of two, as in real systems.
        let [usual, bine] = [usual, bine]
            .map(|name| global_bytes(6, &format!("kind = '{kind}'\nalgorithm = '{name}'\niterations = 1")));
        assert!(bine / usual < most, "{kind}: {bine} over {usual} bytes is {}", bine / usual);
    }
}

/// MPICH's binomial tree has subtrees of neighbouring ranks, too. Its last leg, from even ranks to
/// the next ones, never leaves a group of an even number of nodes; some of a Bine tree's do. So the
/// Bine tree sends 26 messages between groups of 30, where the binomial one sends 20. Between
/// groups of 35 it sends 19, and the binomial one 27.
#[test]
fn a_bine_tree_sends_less_between_groups_of_odd_size_alone() {
    for (nodes, least, most) in [(6, 1.2, 1.4), (7, 0.6, 0.8)] {
        let [usual, bine] = ["binomial", "bine"].map(|name| {
            global_bytes(nodes, &format!("kind = 'broadcast'\nbytes = '8KiB'\nalgorithm = '{name}'\niterations = 1"))
        });
        let ratio = bine / usual;
        assert!(least < ratio && ratio < most, "groups of {}: {bine} over {usual} bytes is {ratio}", 5 * nodes);
    }
}
