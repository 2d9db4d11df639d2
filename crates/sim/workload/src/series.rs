//! Workloads one after the other.

use philae_units::RankId;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::activity::Activities;
use crate::error::WorkloadError;
use crate::program::{Action, OpHandle, Progress, RankProgram, Wait};
use crate::spec::WorkloadSpec;
use crate::workload::Workload;

/// `series`: a rank that has done its part of one workload begins the next, independently of the other ranks.
///
/// Iterations are counted over all of them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Series {
    /// The workloads, at least one. All but the last have to end: they have `iterations`. None is a trace.
    pub parts: Vec<WorkloadSpec>,
}

impl Workload for Series {
    fn check(&self, ranks: u32) -> Result<(), WorkloadError> {
        let wrong = |problem: String, remedy| Err(WorkloadError::Contradiction { workload: "series", problem, remedy });
        let Some((_, before)) = self.parts.split_last() else {
            return wrong("`parts` is empty".to_owned(), "at least one workload would work");
        };
        if let Some(endless) = before.iter().find(|part| part.iterations().is_none()) {
            let problem = format!("{} never ends, so later parts would never begin", endless.kind());
            return wrong(problem, "`iterations` of that part would work");
        }
        let reads = |part: &WorkloadSpec| match part {
            WorkloadSpec::Trace(_) => true,
            WorkloadSpec::FlowSizes(sizes) => sizes.file.is_some(),
            _ => false,
        };
        if self.parts.iter().any(reads) {
            let remedy = "a separate job for the trace would work";
            return wrong("a part reads a file".to_owned(), remedy);
        }
        self.parts.iter().try_for_each(|part| part.check(ranks))
    }

    fn program(&self, rank: RankId, ranks: u32, seed: u64) -> Box<dyn RankProgram> {
        let parts = self.parts.iter().map(|part| (part.program(rank, ranks, seed), part.iterations().unwrap_or(0)));
        Box::new(Chained { parts: parts.collect(), current: 0, iterations_before: 0 })
    }

    fn describe(&self) -> String {
        self.parts.iter().map(Workload::describe).collect::<Vec<_>>().join(", then ")
    }

    fn offloads(&self, ranks: u32) -> bool {
        self.parts.iter().any(|part| part.offloads(ranks))
    }

    fn counted_iterations(&self) -> Option<u32> {
        self.parts.iter().try_fold(0_u32, |sum, part| Some(sum.saturating_add(part.counted_iterations()?)))
    }

    fn iterations(&self) -> Option<u32> {
        self.parts.iter().try_fold(0_u32, |sum, part| Some(sum.saturating_add(part.iterations()?)))
    }
}

/// Runs programs one after the other. All operations of one program end before the next begins, so
/// handles never collide.
struct Chained {
    /// Each with its iterations.
    parts: Vec<(Box<dyn RankProgram>, u32)>,
    current: usize,
    iterations_before: u32,
}

impl RankProgram for Chained {
    fn advance(&mut self, completed: Option<OpHandle>, actions: &mut Vec<Action>) -> Progress {
        let mut told = completed;
        let last = self.parts.len() - 1;
        loop {
            let from = actions.len();
            let (program, iterations) = &mut self.parts[self.current];
            let progress = program.advance(told.take(), actions);
            for action in &mut actions[from..] {
                if let Action::IterationStart(number) | Action::IterationEnd(number) = action {
                    *number += self.iterations_before;
                }
            }
            if progress == Progress::Running || self.current == last {
                return progress;
            }
            self.iterations_before += *iterations;
            self.current += 1;
        }
    }

    fn activities(&self, report: &mut Activities) {
        self.parts[self.current].0.activities(report);
    }

    fn waits_for(&self) -> Option<Wait> {
        self.parts[self.current].0.waits_for()
    }

    fn offloads(&self) -> bool {
        self.parts.iter().any(|(program, _)| program.offloads())
    }

    fn fall_back(&mut self) -> bool {
        self.parts[self.current].0.fall_back()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::semantics::{SendMode, simulate_semantics};

    fn series(text: &str) -> Series {
        match toml::from_str(text).expect("it is right") {
            WorkloadSpec::Series(series) => series,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn parts_follow_each_other_and_their_iterations_count_on() {
        let text = "kind = 'series'\n[[parts]]\nkind = 'barrier'\niterations = 3\n[[parts]]\nkind = 'allreduce'\nbytes = '1KiB'\niterations = 2\n";
        let series = series(text);
        series.check(5).expect("both can run");
        assert_eq!(series.iterations(), Some(5));
        let programs = || (0..5).map(|rank| series.program(RankId(rank), 5, 1)).collect();
        for mode in [SendMode::Eager, SendMode::Rendezvous] {
            let ranks = simulate_semantics(programs(), mode, 3, 100_000).expect("it ends");
            assert!(ranks.iter().all(|rank| rank.iterations == 5));
        }
        let mut program = series.program(RankId(0), 1, 1);
        let mut actions = Vec::new();
        while program.advance(None, &mut actions) == Progress::Running && actions.len() < 100 {}
        let begun = actions.iter().filter_map(|action| match action {
            Action::IterationStart(number) => Some(*number),
            _ => None,
        });
        assert_eq!(begun.collect::<Vec<_>>(), [0, 1, 2, 3, 4], "alone, there is nothing to wait for");
    }

    #[test]
    fn parts_that_cannot_follow_each_other_are_refused() {
        for (text, words) in [
            ("kind = 'series'\nparts = []", "empty"),
            ("kind = 'series'\n[[parts]]\nkind = 'barrier'\n[[parts]]\nkind = 'barrier'\niterations = 1", "never ends"),
            ("kind = 'series'\n[[parts]]\nkind = 'trace'\nfile = 'x.goal'", "reads a file"),
        ] {
            let error = series(text).check(4).expect_err(text).to_string();
            assert!(error.contains(words), "{error}");
        }
    }
}
