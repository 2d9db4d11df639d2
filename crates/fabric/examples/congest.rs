//! Scratch: one victim beside one aggressor.
#[path = "../tests/common/mod.rs"]
mod common;
use common::run;
use philae_cassini::*;
use philae_congestion::*;
use philae_fabric::*;
use philae_rosetta::*;
use philae_routing::*;
use philae_topology::*;
use philae_units::*;
use philae_workload::{Workload, WorkloadSpec};
use std::sync::Arc;
fn main() {
    let a: Vec<String> = std::env::args().skip(1).collect();
    let arg = |i: usize, d: &str| a.get(i).cloned().unwrap_or_else(|| d.to_owned());
    let system = SystemDescription::load(&arg(0, "shandy")).unwrap();
    let topology = Arc::new(Topology::build(&system).unwrap());
    let aries = system.switch == "aries";
    let mut config = FabricConfig {
        switch: if aries { SwitchParameters::aries() } else { SwitchParameters::rosetta() },
        nic: if aries { NicParameters::aries() } else { NicParameters::connectx_5() },
        host: if aries { HostParameters::aries_mpi() } else { HostParameters::connectx_5_mpi() },
        routing: if aries { RoutingParameters::aries() } else { RoutingParameters::slingshot() },
        congestion: CongestionLaw::named(&arg(1, "slingshot")).unwrap(),
        classes: vec!["be".into()],
    };
    if let CongestionLaw::Slingshot(p) = &mut config.congestion {
        if let Ok(v) = std::env::var("STIFF") {
            p.stiffness = v.parse().unwrap();
        }
        if let Ok(v) = std::env::var("THR") {
            p.endpoint_threshold_bytes = v.parse().unwrap();
        }
        if let Ok(v) = std::env::var("LIMIT") {
            p.injection_limit_ns = v.parse().unwrap();
        }
    }
    if let Ok(v) = std::env::var("ORD") {
        config.nic.ordered = v == "1";
    }
    let victim = arg(2, "kind='allreduce'\nbytes='8B'");
    let aggressor = arg(3, "kind='incast'\nbytes='128KiB'");
    let nodes: u32 = arg(4, "512").parse().unwrap();
    let share: f64 = arg(5, "0.5").parse().unwrap();
    let ppn: u32 = arg(6, "1").parse().unwrap();
    let us: u64 = arg(7, "1000").parse().unwrap();
    let warm: u64 = arg(8, "300").parse().unwrap();
    let iters: u32 = arg(9, "20").parse().unwrap();
    let nv = (f64::from(nodes) * share) as u32;
    let nics = topology.endpoints_of(NodeId(0)).len() as u32;
    let mk = |name: &str, nodes: Vec<u32>, w: &str, ppn: u32, start: u64, ends: bool| {
        let spec: WorkloadSpec = toml::from_str(w).unwrap();
        let ranks = nodes.len() as u32 * ppn;
        spec.check(ranks).unwrap();
        Job {
            name: name.into(),
            workload: spec.describe(),
            programs: (0..ranks).map(|r| spec.program(RankId(r), ranks, 1)).collect(),
            places: (0..ranks)
                .map(|r| RankPlace { node: NodeId(nodes[(r / ppn) as usize]), nic: ((r % ppn + r / ppn) % nics) as u8 })
                .collect(),
            start: Picoseconds::from_micros(start),
            class: ClassId(0),
            ends,
            record_messages: ends,
        }
    };
    if let Ok(v) = std::env::var("MODE") {
        config.routing.mode = match v.as_str() {
            "minimal" => RoutingMode::Minimal,
            "valiant" => RoutingMode::Valiant,
            _ => RoutingMode::Adaptive,
        };
    }
    if let Ok(v) = std::env::var("BIAS") {
        config.routing.nonminimal_bias_percent = v.parse().unwrap();
    }
    for congested in [false, true] {
        if congested && std::env::var("ISO").is_ok() {
            break;
        }
        let mut jobs = vec![mk(
            "victim",
            {
                let mut v: Vec<u32> = (0..nv).collect();
                if std::env::var("SHUF").is_ok() {
                    let mut s = philae_engine::Stream::new(1, 0, 9);
                    for i in (1..v.len()).rev() {
                        v.swap(i, s.below(i as u32 + 1) as usize);
                    }
                }
                v
            },
            &format!("{victim}\niterations={iters}"),
            std::env::var("PPNV").map_or(1, |v| v.parse().unwrap()),
            if congested { warm } else { 0 },
            true,
        )];
        if congested {
            jobs.push(mk("aggressor", (nv..nodes).collect(), &aggressor, ppn, 0, false));
        }
        let o = RunOptions {
            time_limit: Picoseconds::from_micros(us),
            start_skew: Picoseconds::from_micros(1),
            sample_interval: Picoseconds::from_micros(50),
            ..Default::default()
        };
        let t = std::time::Instant::now();
        let r = run(&topology, config.clone(), o, jobs).unwrap();
        let w = t.elapsed().as_secs_f64();
        let it: Vec<f64> = r.iterations.iter().map(|i| (i.end.0 - i.start.0) as f64 / 1e6).collect();
        let mean = it.iter().sum::<f64>() / it.len().max(1) as f64;
        let max = it.iter().copied().fold(0.0, f64::max);
        let qmax = r.ports.iter().map(|p| p.queued_bytes_max.0).max();
        let bmax = r.switches.iter().map(|s| s.buffered_bytes_max.0).max();
        let del: u64 = r
            .class_samples
            .iter()
            .filter(|s| {
                u64::from(s.interval) * 50 >= warm && u64::from(s.interval + 1) * 50 * 1_000_000 <= r.simulated.0
            })
            .map(|s| s.bytes.0)
            .sum();
        println!(
            "delivered {:.3} TB/s",
            del as f64 / (((r.simulated.0 / 50_000_000 * 50) as f64 - warm as f64) * 1e-6) / 1e12
        );
        println!(
            "{} iters {} mean {:.2} us max {:.2} us; {:?} at {}; hops {:.2}M wall {:.2}s ({:.2} Mh/s); qmax {:?} bufmax {:?}; {:?}",
            if congested { "congested" } else { "isolated" },
            it.len(),
            mean,
            max,
            r.status,
            r.simulated,
            r.packet_hops as f64 / 1e6,
            w,
            r.packet_hops as f64 / w / 1e6,
            qmax,
            bmax,
            r.congestion_counts
        );
        if congested && arg(10, "") == "v" {
            for i in 0..(us / 50) as u32 {
                let b: u64 =
                    r.class_samples.iter().filter(|s| s.interval == i && s.job.0 == 1).map(|s| s.bytes.0).sum();
                let q = r.ports.iter().filter(|p| p.interval == i).map(|p| p.queued_bytes_max.0).max().unwrap_or(0);
                println!("  {:4} us: aggressor {:.1} Gb/s, q {}", i * 50, b as f64 * 8.0 / 50e3, q);
            }
        }
    }
}
