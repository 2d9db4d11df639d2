//! Time that the system of a host takes from its cores, by a named law.
//!
//! A delay depends on the seed, the rank and the time at which its core begins a step, and on
//! nothing else. So it is the same whatever else a run computes, and there is no state to save.

use philae_engine::{RandomStream, exponential_of_mean};
use philae_units::preset;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How cores are late.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "law", rename_all = "kebab-case")]
pub enum HostJitter {
    /// Each step of a core is longer by a time that is drawn from an exponential distribution.
    Exponential(ExponentialJitter),
    /// The system takes each core for a while, again and again, each core at times of its own.
    Periodic(PeriodicJitter),
}

/// Each step of a core is longer by a time that is drawn for it. A step: an operation begun, a
/// message taken, a computation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ExponentialJitter {
    /// Mean of the time by which each step of a core is longer, in nanoseconds. Law `exponential`.
    pub mean_ns: u32,
}

/// The system takes each core once in each period. A core that works then continues afterwards.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PeriodicJitter {
    /// From one pause of a core to the next, in microseconds. Law `periodic`.
    pub period_us: u32,
    /// How long a pause is, in nanoseconds. Law `periodic`.
    pub pause_ns: u32,
}

/// Apart from all other streams of a run.
const SEED: u64 = u64::from_be_bytes(*b"jitter--");

impl HostJitter {
    /// The names that a scenario may use.
    pub const NAMES: [&'static str; 2] = ["exponential", "periodic"];

    /// The law of this name with its default parameters.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        match name {
            "exponential" => Some(Self::Exponential(ExponentialJitter::steps())),
            "periodic" => Some(Self::Periodic(PeriodicJitter::ticks())),
            _ => None,
        }
    }

    /// Its name.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Exponential(_) => "exponential",
            Self::Periodic(_) => "periodic",
        }
    }

    /// By how much later a step of `span` ends that the core of a rank begins at `begins`, in
    /// picoseconds.
    #[must_use]
    pub fn delay(&self, seed: u64, rank: u32, begins: u64, span: u64) -> u64 {
        let rank = u64::from(rank);
        match self {
            Self::Exponential(law) => {
                let mut stream = RandomStream::new(seed ^ SEED, rank, begins);
                exponential_of_mean(&mut stream, (u128::from(law.mean_ns) * 1_000) << 16)
            }
            Self::Periodic(law) => {
                let (period, pause) = (u64::from(law.period_us) * 1_000_000, u64::from(law.pause_ns) * 1_000);
                let drawn = u128::from(RandomStream::new(seed ^ SEED, rank, 0).next_u64());
                let phase = ((drawn * u128::from(period)) >> 64) as u64;
                // A pause begins where the core's own time is a multiple of the period.
                let own = (begins + phase) % period;
                let wait = pause.saturating_sub(own);
                let room = period - own.max(pause);
                let free = period - pause;
                wait + span.saturating_sub(room).div_ceil(free) * pause
            }
        }
    }

    /// What makes no sense about its values: the key, what it is and what works.
    #[must_use]
    pub fn fault(&self) -> Option<(&'static str, u32, &'static str)> {
        match self {
            Self::Exponential(_) => None,
            Self::Periodic(law) if law.period_us == 0 => {
                Some(("hardware.jitter.period_us", 0, "a period has at least one microsecond"))
            }
            Self::Periodic(law) if u64::from(law.pause_ns) >= u64::from(law.period_us) * 1_000 => {
                Some(("hardware.jitter.pause_ns", law.pause_ns, "a pause is shorter than hardware.jitter.period_us"))
            }
            Self::Periodic(_) => None,
        }
    }
}

preset!(
    /// Steps that are late by chance.
    ExponentialJitter, steps, steps_provenance, {
    mean_ns = 100, Assumed, "a tenth of the time that software takes on a message; no system's is published as a law", "10 to 10000", "the tail of latencies";
});

preset!(
    /// A timer's tick.
    PeriodicJitter, ticks, ticks_provenance, {
    period_us = 1_000, Assumed, "a timer of 1,000 Hz", "1000 to 100000", "the tail of latencies";
    pause_ns = 5_000, Assumed, "half a percent of a core", "1000 to 1000000", "the tail of latencies";
});

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exponential_delays_have_the_mean_and_differ() {
        let law = HostJitter::Exponential(ExponentialJitter { mean_ns: 200 });
        let delays: Vec<u64> = (0..100_000).map(|step| law.delay(1, step % 7, u64::from(step) * 1_000, 0)).collect();
        let mean = delays.iter().sum::<u64>() as f64 / delays.len() as f64;
        assert!((mean / 200_000.0 - 1.0).abs() < 0.02, "{mean} ps");
        let late = delays.iter().filter(|delay| **delay > 600_000).count() as f64 / delays.len() as f64;
        // e to the power of -3.
        assert!((late / 0.049_787 - 1.0).abs() < 0.05, "beyond three means: {late}");
        assert_ne!(law.delay(1, 0, 5, 0), law.delay(2, 0, 5, 0), "the seed counts");
        assert_ne!(law.delay(1, 0, 5, 0), law.delay(1, 1, 5, 0), "the rank counts");
        assert_eq!(law.delay(1, 0, 5, 0), law.delay(1, 0, 5, 9_000), "the length does not");
    }

    #[test]
    fn pauses_take_their_part_of_a_core() {
        let law = HostJitter::Periodic(PeriodicJitter { period_us: 10, pause_ns: 1_000 });
        // A long computation meets all pauses: 9 us of each 10 are left.
        let span = 900_000_000;
        let delay = law.delay(1, 0, 12_345, span);
        assert!(delay.abs_diff(100_000_000) <= 1_000_000, "{delay} ps");
        // Short steps: a tenth begins within a pause, and waits half of it.
        let waits = (0..100_000_u64).map(|step| law.delay(1, 0, step * 7_919_000, 0)).sum::<u64>() as f64 / 1e5;
        assert!((waits / 50_000.0 - 1.0).abs() < 0.05, "{waits} ps");
        // Steps in a row end when one long step does: no pause counts twice, and none is lost.
        let mut now = 0;
        for _ in 0..1_000 {
            now += 900_000 + law.delay(1, 3, now, 900_000);
        }
        assert_eq!(now, span + law.delay(1, 3, 0, span));
    }

    #[test]
    fn a_core_that_is_always_paused_is_a_fault() {
        let fault = |period_us, pause_ns| HostJitter::Periodic(PeriodicJitter { period_us, pause_ns }).fault();
        assert_eq!(fault(1, 999), None);
        assert_eq!(fault(1, 1_000).map(|(key, ..)| key), Some("hardware.jitter.pause_ns"));
        assert_eq!(fault(0, 0).map(|(key, ..)| key), Some("hardware.jitter.period_us"));
    }
}
