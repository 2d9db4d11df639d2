//! The published results, and the conditions for agreement.

use std::sync::OnceLock;

use philae_results::Verdict;

/// Whether a row may be used to choose parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TargetUse {
    /// It may.
    Calibrate,
    /// It may not: the model must give it by itself.
    Predict,
}

/// The condition for agreement with a published value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Tolerance {
    /// Relative, up and down, as a share (0.05 is five percent).
    Within(f64),
    /// Absolute, up and down, in the row's unit.
    Absolute(f64),
    /// Between two values, in the row's unit; infinite if one side is open. The bounds belong to
    /// the interval.
    Between(f64, f64),
    /// Between two values of which the lower does not belong to the interval.
    Above(f64, f64),
    /// Below the value, which does not belong to the interval.
    Below(f64),
    /// By a factor, up and down.
    Factor(f64),
}

/// One published result.
#[derive(Clone, Debug)]
pub struct Target {
    /// Stable name.
    pub id: &'static str,
    /// Generation of the hardware, for people.
    pub generation: &'static str,
    /// Calibrate or predict.
    pub purpose: TargetUse,
    /// The measured quantity.
    pub metric: &'static str,
    pub conditions: &'static str,
    /// The published value.
    pub value: f64,
    pub unit: &'static str,
    /// The tolerance, as in the file.
    pub tolerance_text: &'static str,
    /// The tolerance, parsed.
    pub tolerance: Tolerance,
    /// Its publication.
    pub source: &'static str,
}

impl Target {
    /// Whether a model's value agrees.
    #[must_use]
    pub fn verdict(&self, model: f64) -> Verdict {
        let agrees = match self.tolerance {
            Tolerance::Within(share) => (model - self.value).abs() <= share * self.value.abs(),
            Tolerance::Absolute(span) => (model - self.value).abs() <= span,
            Tolerance::Between(low, high) => (low..=high).contains(&model),
            Tolerance::Above(low, high) => model > low && model <= high,
            Tolerance::Below(high) => model < high,
            Tolerance::Factor(factor) => model * factor >= self.value && model <= self.value * factor,
        };
        if agrees { Verdict::Pass } else { Verdict::Gap }
    }

    /// The smallest and the largest value that agrees, in the row's unit; infinite if a side is
    /// open.
    #[must_use]
    pub fn agrees(&self) -> (f64, f64) {
        match self.tolerance {
            Tolerance::Within(share) => {
                let span = share * self.value.abs();
                (self.value - span, self.value + span)
            }
            Tolerance::Absolute(span) => (self.value - span, self.value + span),
            Tolerance::Between(low, high) | Tolerance::Above(low, high) => (low, high),
            Tolerance::Below(high) => (f64::NEG_INFINITY, high),
            Tolerance::Factor(factor) => (self.value / factor, self.value * factor),
        }
    }

    /// The row of this name.
    #[must_use]
    pub fn named(id: &str) -> Option<&'static Self> {
        targets().iter().find(|target| target.id == id)
    }
}

/// All rows, in the order of the file.
#[must_use]
pub fn targets() -> &'static [Target] {
    static TARGETS: OnceLock<Vec<Target>> = OnceLock::new();
    TARGETS.get_or_init(|| include_str!("../targets.csv").lines().skip(1).map(row).collect())
}

fn row(line: &'static str) -> Target {
    let fields: Vec<&'static str> = line.split(',').collect();
    let [id, generation, purpose, metric, conditions, value, unit, tolerance_text, source] = fields[..] else {
        panic!("a row of targets.csv has nine fields: {line}");
    };
    let value: f64 = value.parse().expect("a target's value is a number");
    Target {
        id,
        generation,
        purpose: if purpose == "calibrate" { TargetUse::Calibrate } else { TargetUse::Predict },
        metric,
        conditions,
        value,
        unit,
        tolerance_text,
        tolerance: tolerance(tolerance_text, value).expect("a target's tolerance is of a known form"),
        source,
    }
}

fn number(text: &str) -> Option<f64> {
    text.trim().trim_start_matches(['<', '>', '=', '±', '+', ' ']).trim_end_matches(['%', 'x']).trim().parse().ok()
}

/// Parses the forms in the file: `±5%`, `±10 ns`, `>=`, `<`, `<= +10%`, `within 2x`, `exact`,
/// `<=1.45 and >=1.25`, `>256 and <=512`, `0.85 to 0.95`.
fn tolerance(text: &str, value: f64) -> Option<Tolerance> {
    if let Some((low, high)) = text.split_once(" to ") {
        return Some(Tolerance::Between(number(low)?, number(high)?));
    }
    if let Some((one, other)) = text.split_once(" and ") {
        let (upper, lower) = if one.trim_start().starts_with('<') { (one, other) } else { (other, one) };
        let (low, high) = (number(lower)?, number(upper)?);
        let open = !lower.trim_start().starts_with(">=");
        return Some(if open { Tolerance::Above(low, high) } else { Tolerance::Between(low, high) });
    }
    match text {
        "exact" => return Some(Tolerance::Absolute(0.0)),
        ">=" => return Some(Tolerance::Between(value, f64::INFINITY)),
        "<=" => return Some(Tolerance::Between(f64::NEG_INFINITY, value)),
        "<" => return Some(Tolerance::Below(value)),
        _ => {}
    }
    if let Some(rest) = text.strip_prefix("within ") {
        return Some(Tolerance::Factor(number(rest)?));
    }
    if let Some(rest) = text.strip_prefix("<= +") {
        return Some(Tolerance::Between(f64::NEG_INFINITY, value * (1.0 + number(rest)? / 100.0)));
    }
    let rest = text.strip_prefix('±')?;
    if rest.ends_with('%') {
        return Some(Tolerance::Within(number(rest)? / 100.0));
    }
    Some(Tolerance::Absolute(number(rest.split_whitespace().next()?)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_is_understood_and_named_once() {
        let rows = targets();
        assert!(rows.len() > 40);
        for (index, target) in rows.iter().enumerate() {
            assert!(rows[..index].iter().all(|other| other.id != target.id), "{} stands twice", target.id);
            assert!(!target.source.is_empty(), "{} has a source", target.id);
        }
    }

    #[test]
    fn the_interval_of_agreement_is_the_verdicts() {
        for target in targets() {
            let (low, high) = target.agrees();
            assert!(low <= target.value && target.value <= high, "{}: {low} to {high}", target.id);
            let inside = if low.is_finite() && high.is_finite() { f64::midpoint(low, high) } else { target.value };
            let expected = if target.tolerance == Tolerance::Below(inside) { Verdict::Gap } else { Verdict::Pass };
            assert_eq!(target.verdict(inside), expected, "{}: {inside}", target.id);
            for outside in [low - 1e-3 * (1.0 + low.abs()), high + 1e-3 * (1.0 + high.abs())] {
                assert!(!outside.is_finite() || target.verdict(outside) == Verdict::Gap, "{}: {outside}", target.id);
            }
        }
    }

    #[test]
    fn verdicts_follow_the_tolerance() {
        let judge = |id: &str, model| Target::named(id).expect("a row").verdict(model);
        assert_eq!(judge("switch-latency-median", 367.0), Verdict::Pass);
        assert_eq!(judge("switch-latency-median", 368.0), Verdict::Gap);
        assert_eq!(judge("tile-indifference", -10.0), Verdict::Pass);
        assert_eq!(judge("placement-latency-8B", 1.24), Verdict::Gap);
        assert_eq!(judge("placement-latency-8B", 1.45), Verdict::Pass);
        assert_eq!(judge("placement-latency-16KiB", 1.10), Verdict::Gap);
        assert_eq!(judge("alltoall-shandy", 0.9), Verdict::Pass);
        assert_eq!(judge("heatmap-slingshot-worst", 1.43), Verdict::Pass);
        assert_eq!(judge("heatmap-slingshot-worst", 1.44), Verdict::Gap);
        assert_eq!(judge("heatmap-aries-worst", 46.5), Verdict::Pass);
        assert_eq!(judge("heatmap-aries-worst", 187.0), Verdict::Gap);
        assert_eq!(judge("half-bandwidth-400", 256.0), Verdict::Gap);
        assert_eq!(judge("half-bandwidth-400", 512.0), Verdict::Pass);
        assert_eq!(judge("lossless", 0.0), Verdict::Pass);
        assert_eq!(judge("lossless", 1.0), Verdict::Gap);
        assert_eq!(judge("fftw-crossover", 32.0), Verdict::Pass);
    }
}
