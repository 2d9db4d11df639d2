//! Schedules under the LogGOPS model.

mod common;

use common::{goal, read};
use philae_trace::LogGops;

const NANOSECOND: u64 = 1_000;

fn published() -> LogGops {
    LogGops {
        latency: 2_500 * NANOSECOND,
        overhead: 1_500 * NANOSECOND,
        gap: 1_000 * NANOSECOND,
        gap_per_byte: 6_000_000,
        overhead_per_byte: 0,
        eager_max: 65_535,
    }
}

fn finish_ns(model: &LogGops, text: &str) -> Vec<u64> {
    let outcome = model.run(&goal(text)).expect("sends and receives").expect("it ends");
    outcome.finish.iter().map(|time| time / NANOSECOND).collect()
}

#[test]
fn the_published_reduction_finishes_when_it_should() {
    let outcome = published().run(&read("reduce8.goal")).expect("sends and receives").expect("it ends");
    let finish: Vec<u64> = outcome.finish.iter().map(|time| time / NANOSECOND).collect();
    assert_eq!(finish, [34_914, 24_776, 13_138, 13_138, 1_500, 1_500, 1_500, 1_500]);
}
