//! The load that a network accepts does not fall where more is offered.

use crate::common::{config, job, run, topology};
use philae_fabric::RunOptions;
use philae_path::RoutingMode;
use philae_results::RunSummary;
use philae_switch::port::Fairness;
use philae_topology::DragonflyDescription;
use philae_units::Picoseconds;

/// Endpoints of a balanced dragonfly: nine groups of four switches with two endpoints each.
const ENDPOINTS: u32 = 72;

/// The part of the line rate that is accepted on nonminimal paths.
fn accepted(law: &str, fairness: Fairness, pattern: &str, load: f64) -> f64 {
    let system = topology(DragonflyDescription::uniform(9, 4, 2, 1));
    let mut hardware = config(law);
    hardware.switch.fairness = fairness;
    hardware.routing.mode = RoutingMode::Valiant;
    (hardware.host.send_overhead_ns, hardware.host.doorbell_ns) = (0, 0);
    let options = RunOptions {
        time_limit: Picoseconds::from_micros(36),
        warm_up: Picoseconds::from_micros(18),
        ..RunOptions::default()
    };
    let workload = format!("{pattern}\nbytes = '2KiB'\noffered = {{ load = {load}, rate_gbps = 200 }}");
    let record = run(&system, hardware, options, vec![job("load", 0..ENDPOINTS, &workload, 1)]).expect("it runs");
    RunSummary::of(&record).jobs[0].delivered_gbps / f64::from(ENDPOINTS) / 200.0
}

/// Theory: half of the line rate for uniform traffic, and a third for a shift by a group, whose
/// packets meet on one local link of each intermediate group.
#[test]
fn accepted_load_holds_beyond_saturation() {
    let patterns = [("kind = 'uniform-random'", 0.5, 0.9), ("kind = 'shift'\nstride = 8", 1.0 / 3.0, 0.6)];
    for law in ["none", "pfc", "ecn", "slingshot", "aries"] {
        for fairness in [Fairness::Input, Fairness::Flow] {
            for (pattern, theory, beyond) in patterns {
                let [at, above] = [theory, beyond].map(|load| accepted(law, fairness, pattern, load));
                let what = format!("{law}, fair to {fairness:?}, {pattern}: {at:.3} at saturation, {above:.3} beyond");
                println!("{what}");
                assert!(above > 0.95 * at && above > 0.85 * theory, "{what}");
            }
        }
    }
}

/// Flows in transit are fewer here than fresh ones. Turns in proportion to flows alone accepted
/// 0.49 of the line rate.
#[test]
fn packets_in_transit_have_half_of_a_link() {
    let uniform = |fairness| accepted("none", fairness, "kind = 'uniform-random'", 0.9);
    let [by_input, by_flow] = [Fairness::Input, Fairness::Flow].map(uniform);
    println!("{by_input:.4} {by_flow:.4}");
    assert!(by_flow > 0.53 && by_flow > 0.97 * by_input, "{by_flow} fair to flows, {by_input} fair to inputs");
}
