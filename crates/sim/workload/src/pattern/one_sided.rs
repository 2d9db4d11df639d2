//! Windows of one-sided operations: the operation-rate test.

use philae_units::{Bytes, RankId};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::error::{WorkloadError, at_least, message_size, not_zero};
use crate::phase::{Idle, Motif, Phase, Phased};
use crate::program::RankProgram;
use crate::quantity::Size;
use crate::workload::{Workload, iterations_text};

/// Kind of the operations.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum OneSidedOperation {
    /// Writes.
    #[default]
    Put,
    /// Reads.
    Get,
    /// Changes atomically.
    Amo,
    /// Changes atomically and reads the earlier value.
    FetchingAmo,
}

impl OneSidedOperation {
    /// Its name in scenarios and tables.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Put => "put",
            Self::Get => "get",
            Self::Amo => "amo",
            Self::FetchingAmo => "fetching-amo",
        }
    }

    /// Adds one operation on the memory of `target`.
    pub(crate) fn add(self, target: u32, bytes: Bytes, phase: &mut Phase) {
        match self {
            Self::Put => phase.put(target, bytes),
            Self::Get => phase.get(target, bytes),
            Self::Amo => phase.amo(target, bytes, false),
            Self::FetchingAmo => phase.amo(target, bytes, true),
        }
    }
}

/// Which ranks operate on the memory of which.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum OneSidedPattern {
    /// Rank `i` on rank `i + n / 2`, and vice versa.
    #[default]
    Symmetric,
    /// The first `ones` ranks on all others, in turn.
    OneToMany,
    /// All others on the first `ones` ranks: the `i`-th of the others on rank `i mod ones`.
    ManyToOne,
}

/// `one-sided`: ranks issue windows of operations, and wait for each window to complete.
///
/// One iteration is one window. Source: the SHMEM tests of the Slingshot 400 paper, section IV-C, whose code is not
/// public. Status: assumed; the patterns are published.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct OneSided {
    /// Per operation. Default 8 B. Source: the 64-bit words of SHMEM. Status: assumed.
    pub bytes: Size,
    /// Default `put`.
    pub operation: OneSidedOperation,
    /// Default `symmetric`.
    pub pattern: OneSidedPattern,
    /// Ranks on the one side of `one-to-many` and `many-to-one`: those of the first node. Default 1.
    pub ones: u32,
    /// Operations between two waits. Default 64. Source: ours. Status: assumed; enough to make the wait a small part.
    pub window: u32,
    /// Endless when absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub iterations: Option<u32>,
}

impl Default for OneSided {
    fn default() -> Self {
        Self {
            bytes: Size::bytes(8),
            operation: OneSidedOperation::default(),
            pattern: OneSidedPattern::default(),
            ones: 1,
            window: 64,
            iterations: None,
        }
    }
}

impl Workload for OneSided {
    fn check(&self, ranks: u32) -> Result<(), WorkloadError> {
        let workload = "one-sided";
        message_size(workload, "bytes", self.bytes.0)?;
        not_zero(workload, "ones", self.ones)?;
        not_zero(workload, "window", self.window)?;
        match self.pattern {
            OneSidedPattern::Symmetric if self.ones != Self::default().ones => Err(WorkloadError::Contradiction {
                workload,
                problem: format!("`ones` is {}, and the pattern `symmetric` has no such side", self.ones),
                remedy: "the patterns `one-to-many` and `many-to-one`, or no `ones`, would work",
            }),
            OneSidedPattern::Symmetric => at_least(workload, 2, ranks),
            OneSidedPattern::OneToMany | OneSidedPattern::ManyToOne => {
                at_least(workload, self.ones.saturating_add(1), ranks)
            }
        }
    }

    fn program(&self, rank: RankId, ranks: u32, _seed: u64) -> Box<dyn RankProgram> {
        let half = ranks / 2;
        let targets = match self.pattern {
            OneSidedPattern::Symmetric if rank.0 < half => Targets::One(rank.0 + half),
            OneSidedPattern::Symmetric if rank.0 < 2 * half => Targets::One(rank.0 - half),
            OneSidedPattern::OneToMany if rank.0 < self.ones => {
                Targets::InTurn { base: self.ones, count: ranks - self.ones, first: rank.0, step: self.ones }
            }
            OneSidedPattern::ManyToOne if rank.0 >= self.ones => Targets::One((rank.0 - self.ones) % self.ones),
            _ => return Box::new(Idle),
        };
        Box::new(Phased::new(Window { spec: self.clone(), targets, issued: 0 }, self.iterations))
    }

    fn describe(&self) -> String {
        let (operation, window) = (self.operation.name(), self.window);
        let pattern = match self.pattern {
            OneSidedPattern::Symmetric => "symmetric".to_owned(),
            OneSidedPattern::OneToMany => format!("{} to all others", self.ones),
            OneSidedPattern::ManyToOne => format!("all others to {}", self.ones),
        };
        format!("{operation} {window} x {}, {pattern}, {}", self.bytes.0, iterations_text(self.iterations))
    }

    fn iterations(&self) -> Option<u32> {
        self.iterations
    }
}

/// The ranks whose memory a rank operates on.
#[derive(Clone, Copy, Debug)]
enum Targets {
    /// Always the same rank.
    One(u32),
    /// `count` ranks starting at `base`, `step` further each time, so that every node gets its
    /// turn.
    InTurn { base: u32, count: u32, first: u32, step: u32 },
}

impl Targets {
    fn at(self, number: u32) -> u32 {
        match self {
            Self::One(target) => target,
            Self::InTurn { base, count, first, step } => {
                let place = (u64::from(first) + u64::from(number) * u64::from(step)) % u64::from(count);
                base + place as u32
            }
        }
    }
}

struct Window {
    spec: OneSided,
    targets: Targets,
    /// Operations so far (wrapping).
    issued: u32,
}

impl Motif for Window {
    fn step(&mut self, _iteration: u32, step: u32, phase: &mut Phase) -> bool {
        if step > 0 {
            return false;
        }
        let bytes = self.spec.bytes.0;
        for _ in 0..self.spec.window {
            let target = self.targets.at(self.issued);
            self.issued = self.issued.wrapping_add(1);
            self.spec.operation.add(target, bytes, phase);
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::semantics::{SendMode, simulate_semantics};

    fn peers(spec: &OneSided, ranks: u32) -> Vec<Vec<(u32, u64)>> {
        let programs = (0..ranks).map(|rank| spec.program(RankId(rank), ranks, 0)).collect();
        let summaries = simulate_semantics(programs, SendMode::Eager, 0, 100_000).expect("it ends");
        summaries.iter().map(|rank| rank.peers.iter().map(|(peer, &count)| (peer.0, count)).collect()).collect()
    }

    #[test]
    fn every_pattern_reaches_whom_it_names() {
        let spec = OneSided { window: 6, iterations: Some(2), ..OneSided::default() };
        assert_eq!(peers(&spec, 4), [[(2, 12)], [(3, 12)], [(0, 12)], [(1, 12)]]);
        assert_eq!(peers(&spec, 3)[2], [], "the odd one out is idle");
        let fan = OneSided { pattern: OneSidedPattern::OneToMany, ones: 2, ..spec.clone() };
        let found = peers(&fan, 8);
        assert_eq!(found[0], [(2, 4), (4, 4), (6, 4)], "the first process of each of three nodes, in turn");
        assert_eq!(found[2..], vec![Vec::new(); 6]);
        let funnel = OneSided { pattern: OneSidedPattern::ManyToOne, ones: 2, ..spec };
        assert_eq!(peers(&funnel, 6), [vec![], vec![], vec![(0, 12)], vec![(1, 12)], vec![(0, 12)], vec![(1, 12)]]);
    }

    #[test]
    fn atomic_operations_are_counted() {
        let operation = OneSidedOperation::FetchingAmo;
        let spec = OneSided { operation, window: 5, iterations: Some(3), ..OneSided::default() };
        let programs = (0..2).map(|rank| spec.program(RankId(rank), 2, 0)).collect();
        let summaries = simulate_semantics(programs, SendMode::Eager, 0, 1_000).expect("it ends");
        assert!(summaries.iter().all(|rank| rank.amos == 15 && rank.puts == 0));
    }
}
