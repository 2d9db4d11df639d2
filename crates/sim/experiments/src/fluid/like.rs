//! Errors measured on similar jobs, and the quality of the doubts.

use philae_fluid::JobObservations;
use philae_path::RoutingMode;

use super::{ErrorRow, Interval, interval};

/// Number of rows below which an interval comes from a wider kind.
///
/// Source: ours: nine tenths of fewer rows are all of them. Status: assumed.
const ROWS_MIN: usize = 12;
/// Error above which rates are wrong and not only rough, up or down.
///
/// Source: ours. Status: assumed.
pub const ERRS: f64 = 1.25;

/// The interval of a job, and the common properties of the jobs that it was measured on.
#[derive(Clone, Debug, PartialEq)]
pub struct LikeIt {
    pub interval: Interval,
    /// Their common properties.
    pub words: String,
}

const fn is_adaptive(row: &ErrorRow, mode: RoutingMode) -> bool {
    (row.routing.as_bytes()[0] == b'a') == matches!(mode, RoutingMode::Adaptive)
}

/// The narrowest kind of similar jobs with enough measurements.
///
/// `None` only if there are no rows.
#[must_use]
pub fn like(rows: &[ErrorRow], law: &str, mode: RoutingMode, seen: &JobObservations) -> Option<LikeIt> {
    let (kind, short) = (seen.kind(), seen.is_short());
    let size = if short { "messages within a round trip" } else { "longer messages" };
    let routing = if mode == RoutingMode::Adaptive { "adaptive routing" } else { "routing that is not adaptive" };
    let of_law = |row: &ErrorRow| row.law == law;
    let of_kind = |row: &ErrorRow| row.kind == kind.name();
    let of_size = |row: &ErrorRow| row.short == short;
    let of_mode = |row: &ErrorRow| is_adaptive(row, mode);
    type Narrowed<'a> = (String, Box<dyn Fn(&ErrorRow) -> bool + 'a>);
    let levels: [Narrowed<'_>; 5] = [
        (
            format!("{law}, {routing}, {size}, {}", kind.words()),
            Box::new(move |row| of_law(row) && of_mode(row) && of_size(row) && of_kind(row)),
        ),
        (format!("{law}, {size}, {}", kind.words()), Box::new(move |row| of_law(row) && of_size(row) && of_kind(row))),
        (format!("{law}, {}", kind.words()), Box::new(move |row| of_law(row) && of_kind(row))),
        (kind.words().to_owned(), Box::new(of_kind)),
        ("all jobs".to_owned(), Box::new(|_| true)),
    ];
    let found = levels.into_iter().find_map(|(words, matches)| {
        let interval = interval(rows.iter().filter(|row| matches(row)))?;
        (interval.count >= ROWS_MIN).then_some(LikeIt { interval, words })
    });
    found.or_else(|| Some(LikeIt { interval: interval(rows)?, words: "all jobs".to_owned() }))
}

/// How well the doubts of a run find the jobs with errors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DoubtScore {
    pub jobs: usize,
    /// Jobs among them that were marked as doubtful.
    pub doubted: usize,
    /// Jobs among them with an error of more than [`ERRS`].
    pub erring: usize,
    /// Jobs with both.
    pub both: usize,
}

impl DoubtScore {
    /// Counts rows.
    pub fn of<'a>(rows: impl IntoIterator<Item = &'a ErrorRow>) -> Self {
        let mut found = Self { jobs: 0, doubted: 0, erring: 0, both: 0 };
        for row in rows {
            let errs = row.ratio > ERRS || row.ratio < 1.0 / ERRS;
            found.jobs += 1;
            found.doubted += usize::from(row.doubted);
            found.erring += usize::from(errs);
            found.both += usize::from(errs && row.doubted);
        }
        found
    }

    /// For people.
    #[must_use]
    pub fn text(&self, of: &str) -> String {
        let percent = |part: usize, all: usize| if all == 0 { 0.0 } else { 100.0 * part as f64 / all as f64 };
        format!(
            "{of}: {} of {} jobs have a doubt and {} are wrong by more than a quarter; {:.0} % of the doubtful ones \
             are wrong (precision), {:.0} % of the wrong ones are doubtful (recall), {:.0} % of the others are \
             wrong",
            self.doubted,
            self.jobs,
            self.erring,
            percent(self.both, self.doubted),
            percent(self.both, self.erring),
            percent(self.erring - self.both, self.jobs - self.doubted),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::super::errors;
    use super::*;

    #[test]
    fn kinds_that_were_measured_often_have_their_own_interval_and_others_a_wider_one() {
        let rows = errors();
        let free = JobObservations { messages: 4, time: [1.0, 0.0, 0.0, 0.0], ..JobObservations::default() };
        let network = JobObservations { time: [0.0, 0.0, 1.0, 0.0], ..free };
        let of = |seen: &JobObservations| like(&rows, "none", RoutingMode::Adaptive, seen).expect("it was measured");
        let (free, network) = (of(&free), of(&network));
        assert!(free.words.contains("adaptive routing") && free.words.contains("NICs only"), "{free:?}");
        let width = |found: &LikeIt| found.interval.p95 / found.interval.p5;
        assert!(width(&free) < width(&network), "{free:?} {network:?}");
        let unknown =
            like(&rows, "of tomorrow", RoutingMode::Adaptive, &JobObservations::default()).expect("a wider kind");
        assert_eq!(unknown.words, "limited by their NICs only");
    }

    #[test]
    fn what_is_said_to_be_doubtful_errs_more_than_the_rest_of_it() {
        let rows = errors();
        for held_out in [false, true] {
            let found = DoubtScore::of(rows.iter().filter(|row| (row.scenario >= 560) == held_out));
            let precision = found.both as f64 / found.doubted as f64;
            let missed = (found.erring - found.both) as f64 / (found.jobs - found.doubted) as f64;
            assert!(4 * found.doubted < 2 * found.jobs, "doubts are for the few: {found:?}");
            assert!(precision > 4.0 * missed, "{found:?}");
        }
    }
}
