//! The measurements of a load at either fidelity.

use std::time::Instant;

use philae_results::Histogram;
use philae_topology::PROPAGATION_PER_METRE;
use philae_units::Picoseconds;
use serde_json::{Value, json};

use super::traffic::{LINK, SwitchLoad};
use crate::bench::cpu_seconds;

/// Length of every cable, in metres: copper within a rack. The results subtract it.
pub const CABLE_M: u64 = 1;

/// Crossings of one load at one fidelity. Latencies are from a header at the pins of an input to
/// the same header at the pins of an output.
#[derive(Clone, Debug)]
pub struct Crossings {
    /// Traffic that arrived after the warm-up, as a share of the capacity of the outputs' links.
    pub accepted: f64,
    /// Mean, in nanoseconds. It does not depend on the order in which an output serves waiting
    /// packets.
    pub mean_ns: f64,
    /// Median, in nanoseconds.
    pub median_ns: f64,
    /// 99th percentile, in nanoseconds.
    pub p99_ns: f64,
    /// Packets that crossed over the whole run.
    pub packets: u64,
    /// Events handled.
    pub events: u64,
    /// Digest of the event order.
    pub digest: u64,
    /// Seconds of the core's work on the run; wall time if the operating system does not report it.
    pub seconds: f64,
}

impl Crossings {
    /// From the times between the first bit on the cable into the switch and the last bit out of
    /// the cable behind it, after the warm-up. Both fidelities use this function, so rounding is
    /// the same.
    pub fn new(load: &SwitchLoad, fec_ns: u32, latency_ns: &Histogram, delivered_bytes: u64) -> Self {
        let cables = 2 * CABLE_M * PROPAGATION_PER_METRE.0;
        let around = (Picoseconds(cables) + load.slot() + Picoseconds::from_nanos(fec_ns.into())).as_nanos_f64();
        let at = |percent| latency_ns.percentile(percent).map_or(f64::NAN, |value| value as f64 - around);
        let span = load.end - load.warm_up();
        let capacity = span.as_nanos_f64() * LINK.as_gbps_f64() / 8.0 * load.pattern.outputs() as f64;
        Self {
            accepted: delivered_bytes as f64 / capacity,
            mean_ns: latency_ns.mean().map_or(f64::NAN, |mean| mean - around),
            median_ns: at(50.0),
            p99_ns: at(99.0),
            packets: 0,
            events: 0,
            digest: 0,
            seconds: f64::NAN,
        }
    }

    /// All figures that are the same on every machine.
    pub fn json(&self) -> Value {
        json!({
            "accepted_share": self.accepted,
            "latency_ns_mean": self.mean_ns,
            "latency_ns_median": self.median_ns,
            "latency_ns_p99": self.p99_ns,
            "packets": self.packets,
            "events": self.events,
            "digest": format!("{:016x}", self.digest),
        })
    }
}

/// Measures the time of the core's work.
pub struct Stopwatch {
    wall: Instant,
    cpu: Option<f64>,
}

impl Stopwatch {
    /// Starts now.
    pub fn start() -> Self {
        Self { wall: Instant::now(), cpu: cpu_seconds() }
    }

    /// Seconds of this thread, or of the clock if the operating system does not report them.
    pub fn seconds(&self) -> f64 {
        let wall = self.wall.elapsed().as_secs_f64();
        cpu_seconds().zip(self.cpu).map_or(wall, |(now, before)| now - before)
    }
}
