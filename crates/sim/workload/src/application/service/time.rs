//! The time that a server works on a request.

use philae_engine::RandomStream;
use philae_units::Picoseconds;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::error::WorkloadError;
use crate::fixed::{ONE, ln_ratio, normal, times_exp};
use crate::quantity::Span;
use crate::random::exponential;

/// The law of service times. All are inputs: nothing here was measured.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum ServiceTime {
    /// A constant.
    Deterministic(Span),
    /// Exponential with this mean.
    Exponential(Span),
    /// Lognormal.
    Lognormal(Lognormal),
    /// One of these, with equal probability: the quantiles of a measured distribution.
    Empirical(Vec<Span>),
}

/// A lognormal law, by its mean and 99th percentile.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Lognormal {
    /// Mean.
    pub mean: Span,
    /// 99th percentile: the mean to 14 times the mean.
    pub p99: Span,
}

/// The 99th percentile of the normal distribution, with 32 fractional bits: 2.326347874. Source:
/// tables of the law. Status: published.
const NORMAL_P99: i64 = 9_991_588_038;

/// Largest time: sums of many fit into 64 bits.
const SPAN_MAX: Picoseconds = Picoseconds(3_600_000_000_000_000);

/// A law that is ready for draws.
#[derive(Clone, Debug)]
pub(super) enum Law {
    Deterministic(Picoseconds),
    Exponential(Picoseconds),
    /// The mean, and the deviation of the logarithm with 32 fractional bits.
    Lognormal(Picoseconds, i64),
    Empirical(Vec<Span>),
}

impl ServiceTime {
    pub(super) fn check(&self, workload: &'static str) -> Result<(), WorkloadError> {
        let span = |key, span: Span| {
            if span.0 <= SPAN_MAX {
                return Ok(());
            }
            Err(WorkloadError::OutOfRange {
                workload,
                key,
                found: span.0.0,
                allowed: "at most 1 hour, in picoseconds".to_owned(),
            })
        };
        match self {
            Self::Deterministic(time) => span("service_time.deterministic", *time),
            Self::Exponential(mean) => span("service_time.exponential", *mean),
            Self::Lognormal(law) => {
                span("service_time.lognormal.p99", law.p99)?;
                let (mean, p99) = (law.mean.0.0, law.p99.0.0);
                if mean > 0 && p99 >= mean && p99 / mean < 14 {
                    return Ok(());
                }
                let allowed =
                    "between the mean (above 0) and 14 times the mean (in picoseconds), the limit of a lognormal law";
                let key = "service_time.lognormal.p99";
                Err(WorkloadError::OutOfRange { workload, key, found: p99, allowed: allowed.to_owned() })
            }
            Self::Empirical(times) if times.is_empty() => {
                Err(WorkloadError::Zero { workload, key: "service_time.empirical (number of times)" })
            }
            Self::Empirical(times) => times.iter().try_for_each(|&time| span("service_time.empirical", time)),
        }
    }

    pub(super) fn law(&self) -> Law {
        match self {
            Self::Deterministic(time) => Law::Deterministic(time.0),
            Self::Exponential(mean) => Law::Exponential(mean.0),
            Self::Lognormal(law) => Law::Lognormal(law.mean.0, deviation(law.mean, law.p99)),
            Self::Empirical(times) => Law::Empirical(times.clone()),
        }
    }
}

/// The deviation `s` of the logarithm: `ln(p99 / mean) = z s - s^2 / 2`, whose smaller solution is
/// `z - sqrt(z^2 - 2 ln(p99 / mean))`.
fn deviation(mean: Span, p99: Span) -> i64 {
    let logarithm = i128::from(ln_ratio(p99.0.0, mean.0.0));
    let z = i128::from(NORMAL_P99);
    let root = (z * z - 2 * (logarithm << 32)).max(0).isqrt();
    (z - root) as i64
}

impl Law {
    pub(super) fn draw(&self, stream: &mut RandomStream) -> Picoseconds {
        match self {
            Self::Deterministic(time) => *time,
            Self::Exponential(mean) => {
                let time = (u128::from(mean.0) * u128::from(exponential(stream))) >> 32;
                Picoseconds(u64::try_from(time).unwrap_or(u64::MAX))
            }
            Self::Lognormal(mean, deviation) => {
                let square = (i128::from(*deviation) * i128::from(*deviation)) >> 33;
                let exponent = ((i128::from(normal(stream)) * i128::from(*deviation)) >> 32) - square;
                debug_assert!(exponent.abs() < i128::from(ONE) * 64);
                Picoseconds(times_exp(mean.0, exponent as i64))
            }
            Self::Empirical(times) => times[stream.below(times.len() as u32) as usize].0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawn(time: &ServiceTime) -> Vec<u64> {
        time.check("test").expect("a law");
        let (law, mut stream) = (time.law(), RandomStream::new(7, 1, 2));
        let mut draws: Vec<u64> = (0..400_000).map(|_| law.draw(&mut stream).0).collect();
        draws.sort_unstable();
        draws
    }

    fn mean(draws: &[u64]) -> f64 {
        draws.iter().sum::<u64>() as f64 / draws.len() as f64
    }

    #[test]
    fn lognormal_draws_have_the_mean_and_the_percentile_that_were_asked_for() {
        for (p99, tolerance) in [(60, 0.01), (100, 0.01), (200, 0.02), (500, 0.04)] {
            let law = Lognormal { mean: Span::micros(50), p99: Span::micros(p99) };
            let draws = drawn(&ServiceTime::Lognormal(law));
            assert!((mean(&draws) / 50e6 - 1.0).abs() < tolerance, "p99 {p99}: mean {}", mean(&draws));
            let found = draws[draws.len() * 99 / 100] as f64;
            assert!((found / (p99 as f64 * 1e6) - 1.0).abs() < tolerance, "p99 {p99}: {found}");
        }
        let same = Lognormal { mean: Span::micros(50), p99: Span::micros(50) };
        assert!(drawn(&ServiceTime::Lognormal(same)).iter().all(|&draw| draw.abs_diff(50_000_000) < 100));
    }

    #[test]
    fn the_other_laws_have_their_means_too() {
        let exponential = drawn(&ServiceTime::Exponential(Span::micros(3)));
        assert!((mean(&exponential) / 3e6 - 1.0).abs() < 0.01);
        let listed = drawn(&ServiceTime::Empirical(vec![Span::micros(1), Span::micros(2), Span::micros(9)]));
        assert!((mean(&listed) / 4e6 - 1.0).abs() < 0.01);
        assert!(listed.iter().all(|&draw| [1_000_000, 2_000_000, 9_000_000].contains(&draw)));
        assert_eq!(drawn(&ServiceTime::Deterministic(Span::micros(3)))[17], 3_000_000);
    }

    #[test]
    fn laws_that_cannot_be_are_refused() {
        let error = |text: &str| {
            let law: ServiceTime = serde_json::from_str(text).expect(text);
            law.check("service").expect_err(text).to_string()
        };
        assert!(error(r#"{ "lognormal": { "mean": "10us", "p99": "9us" } }"#).contains("14 times the mean"));
        assert!(error(r#"{ "lognormal": { "mean": "10us", "p99": "140us" } }"#).contains("14 times the mean"));
        assert!(error(r#"{ "lognormal": { "mean": 0, "p99": "140us" } }"#).contains("14 times the mean"));
        assert!(error(r#"{ "empirical": [] }"#).contains("at least 1"));
        assert!(error(r#"{ "exponential": "3601s" }"#).contains("1 hour"));
    }
}
