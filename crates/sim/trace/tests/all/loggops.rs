//! Schedules under the LogGOPS model.

use crate::common::{goal, read};
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

#[test]
fn a_chain_of_messages_is_the_sum_of_its_parts() {
    let text = "num_ranks 2\nrank 0 {\na: send 1b to 1\n}\nrank 1 {\na: recv 1b from 0\nb: calc 100\nb requires a\n}\n";
    assert_eq!(finish_ns(&published(), text), [1_500, 1_500 + 2_500 + 1_500 + 100]);
}

#[test]
fn gaps_space_messages_and_streams_overlap() {
    let two = "num_ranks 2\nrank 0 {\nsend 1001b to 1 tag 1 STREAM\nsend 1001b to 1 tag 2\n}\nrank 1 {\nrecv 1001b from 0 tag 1\nrecv 1001b from 0 tag 2\n}\n";
    // One stream: the NIC's gap of 1000 + 1000 * 6 is longer than the overhead. The second departs
    // after it.
    assert_eq!(finish_ns(&published(), &two.replace("STREAM", ""))[0], 7_000 + 1_500);
    let free = LogGops { gap: 0, gap_per_byte: 0, ..published() };
    assert_eq!(finish_ns(&free, &two.replace("STREAM", ""))[0], 3_000, "overheads on one stream add up");
    assert_eq!(finish_ns(&free, &two.replace("STREAM", "cpu 1"))[0], 1_500, "two streams send side by side");
}

#[test]
fn a_large_message_waits_for_its_receive() {
    let model = LogGops { eager_max: 8, gap: 0, gap_per_byte: 0, ..published() };
    let text = |bytes: u64| {
        format!(
            "num_ranks 2\nrank 0 {{\nsend {bytes}b to 1\n}}\nrank 1 {{\na: calc 50000\nb: recv {bytes}b from 0\nb requires a\n}}\n"
        )
    };
    assert_eq!(finish_ns(&model, &text(8))[0], 1_500, "eager: gone at once");
    // The core is free at 50000, takes the request (o) and answers (o, L); the data takes o to
    // send, L in transit and o to receive.
    let answered = 50_000 + 1_500 + 1_500 + 2_500;
    assert_eq!(finish_ns(&model, &text(9)), [answered + 1_500, answered + 1_500 + 2_500 + 1_500]);
}

#[test]
fn ranks_that_wait_for_ever_are_named() {
    let schedule = goal("num_ranks 2\nrank 0 {\nrecv 1b from 1\n}\nrank 1 {\n}\n");
    let stuck = published().run(&schedule).expect("receives").expect_err("nobody sends");
    assert_eq!(stuck.ranks, [(0, 1)]);
}

#[test]
fn collectives_run_once_they_are_written_out() {
    let schedule = read("actions.txt");
    assert!(published().run(&schedule).is_err(), "not as they are");
    let schedule = schedule.unrolled(100_000).expect("messages");
    let outcome = published().run(&schedule).expect("messages").expect("it ends");
    assert!(outcome.finish.iter().all(|&time| time > 0));
}

#[test]
fn times_that_do_not_fit_are_refused() {
    let schedule =
        goal("num_ranks 2\nrank 0 {\nsend 1099511627776b to 1\n}\nrank 1 {\nrecv 1099511627776b from 0\n}\n");
    let slow = LogGops { gap_per_byte: 1_000_000_000_000, ..published() };
    assert!(slow.run(&schedule).expect_err("weeks").to_string().contains("2^63"));
}
