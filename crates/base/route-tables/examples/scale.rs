//! Cost of routes at scale: `cargo run --release -p philae-route-tables --example scale --
//! largest`.
//!
//! Prints, for a built-in system, CPU seconds of a cold start, of the proof and of single link
//! losses, and bytes of the tables.

#![allow(clippy::disallowed_types, clippy::disallowed_methods, reason = "it measures time")]

use philae_route_tables::{FabricWiring, LinkChange, LiveLinks, Parameters, RoutePlan, verify};
use philae_topology::{SystemDescription, Topology};
use std::time::Instant;

fn main() {
    let name = std::env::args().nth(1).unwrap_or_else(|| "largest".into());
    let broken_percent: u64 = std::env::args().nth(2).map_or(0, |text| text.parse().expect("a percentage"));
    let description = SystemDescription::load(&name).expect("a built-in system or a file");
    let topology = Topology::build(&description).expect("it can be wired");
    let wiring = FabricWiring::of(&topology).expect("64 ports at most");
    drop(topology);
    let mut links = LiveLinks::all(&wiring);
    let all: Vec<_> = wiring.links().map(|(port, _)| port).collect();
    let mut random = 1_u64;
    for &port in &all {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        if (random >> 33) % 100 < broken_percent {
            links.set(&wiring, LinkChange { port, up: false });
        }
    }
    let start = Instant::now();
    let mut plan = RoutePlan::new(wiring, Some(links), Parameters::default());
    println!(
        "{name}: {} switches, cold {:.3} s, {} bytes",
        plan.wiring().switch_count(),
        start.elapsed().as_secs_f64(),
        plan.tables().bytes()
    );
    let start = Instant::now();
    println!("{:?}", verify(&plan));
    println!("proof {:.3} s", start.elapsed().as_secs_f64());
    let mut worst = 0.0_f64;
    for step in 0..200 {
        let port = all[step * 7919 % all.len()];
        for up in [false, true] {
            let start = Instant::now();
            let update = plan.update(&[LinkChange { port, up }]);
            let took = start.elapsed().as_secs_f64();
            worst = worst.max(took);
            if step < 3 {
                println!(
                    "link {} up {up}: {:.1} us, {} entries in {} switches, {} rounds",
                    port.0,
                    took * 1e6,
                    update.entries(),
                    update.rollout.switches().len(),
                    update.rollout.rounds()
                );
            }
        }
    }
    println!("worst of 400 updates {:.1} us", worst * 1e6);
}
