//! Shared parts of the tests of applications.

use std::collections::VecDeque;

use philae_units::RankId;
use philae_workload::{Action, Op, Progress, RankSummary, SendMode, Workload, WorkloadSpec, simulate_semantics};

/// Numbers of ranks, one and primes among them.
pub const COUNTS: [u32; 10] = [1, 2, 3, 4, 5, 7, 8, 13, 24, 31];

/// A workload from lines that `; ` separates.
pub fn read(text: &str) -> WorkloadSpec {
    toml::from_str(&text.replace("; ", "\n")).unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// The operations of the ranks, which do not depend on when messages are received.
pub fn run(text: &str, ranks: u32) -> Vec<RankSummary> {
    let spec = read(text);
    spec.check(ranks).unwrap_or_else(|error| panic!("{text} on {ranks} ranks: {error}"));
    let run = |mode, seed| {
        let programs = (0..ranks).map(|rank| spec.program(RankId(rank), ranks, 5)).collect();
        simulate_semantics(programs, mode, seed, 20_000_000)
            .unwrap_or_else(|error| panic!("{text} on {ranks} ranks, {mode:?}: {error}"))
    };
    let (eager, rendezvous) = (run(SendMode::Eager, 1), run(SendMode::Rendezvous, 2));
    for (one, other) in eager.iter().zip(&rendezvous) {
        assert_eq!((one.sends, one.sent, one.iterations), (other.sends, other.sent, other.iterations), "{text}");
    }
    rendezvous
}

/// The reason why a workload is refused.
pub fn error(text: &str, ranks: u32) -> String {
    read(text).check(ranks).expect_err(text).to_string()
}

/// Sizes of rank 0's messages if everything completes in order.
pub fn sends_of(spec: &WorkloadSpec, ranks: u32) -> Vec<u64> {
    let mut program = spec.program(RankId(0), ranks, 0);
    let (mut sizes, mut outstanding, mut completed) = (Vec::new(), VecDeque::new(), None);
    loop {
        let mut actions = Vec::new();
        let progress = program.advance(completed, &mut actions);
        for action in actions {
            if let Action::Start(handle, op) = action {
                outstanding.push_back(handle);
                if let Op::Send { bytes, .. } = op {
                    sizes.push(bytes.0);
                }
            }
        }
        if progress == Progress::Finished {
            return sizes;
        }
        completed = outstanding.pop_front();
    }
}
