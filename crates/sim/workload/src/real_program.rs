//! `program`: a real program whose processes are the ranks.

use philae_units::{Picoseconds, RankId};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::error::WorkloadError;
use crate::program::RankProgram;
use crate::quantity::Span;
use crate::workload::Workload;

/// How long a process computes between two of its calls.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Computation {
    /// No time: only communication takes time.
    #[default]
    None,
    /// `time_per_call` before each call.
    Fixed,
    /// The processor time that the process needs on this machine, times `processor_percent`. Such runs cannot be repeated exactly.
    Processor,
}

/// `program`: the ranks are the processes of a program that `philae run --simulate` starts. Only that command runs it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct RealProgram {
    /// The program, for people: the command line says what runs.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub command: String,
    /// Computation between calls. Default none.
    pub computation: Computation,
    /// Computation before each call if it is fixed. Default 0.
    pub time_per_call: Span,
    /// Percent of the processor time of this machine if that counts. Default 100. Source: ours. Status: assumed.
    pub processor_percent: u32,
    /// What a poll that finds nothing takes. Default 20 ns. Source: ours, fi_cq_read of Philae's provider. Status: assumed.
    pub poll: Span,
    /// What reading a clock takes. Default 20 ns. Source: clock_gettime through the vDSO. Status: assumed.
    pub clock: Span,
    /// Whether a command has the processes.
    #[serde(skip)]
    pub is_attached: bool,
}

impl Default for RealProgram {
    fn default() -> Self {
        Self {
            command: String::new(),
            computation: Computation::None,
            time_per_call: Span::default(),
            processor_percent: 100,
            poll: Span(Picoseconds::from_nanos(20)),
            clock: Span(Picoseconds::from_nanos(20)),
            is_attached: false,
        }
    }
}

impl Workload for RealProgram {
    fn check(&self, _ranks: u32) -> Result<(), WorkloadError> {
        let remedy = "philae run --simulate SCENARIO -n RANKS PROGRAM would run it";
        let contradiction = |problem: &str, remedy| {
            Err(WorkloadError::Contradiction { workload: "program", problem: problem.to_owned(), remedy })
        };
        if !self.is_attached {
            return contradiction("its ranks are processes, and this command starts none", remedy);
        }
        if self.poll == Span::default() || self.clock == Span::default() {
            return contradiction(
                "`poll` and `clock` are at least 1 ps: a loop over them would never end",
                "20ns for both, the default, would work",
            );
        }
        let is_fixed = self.computation == Computation::Fixed;
        if !is_fixed && self.time_per_call != Span::default() {
            return contradiction(
                "`time_per_call` has no effect without `computation = \"fixed\"`",
                "that, or no `time_per_call`, would work",
            );
        }
        if self.computation != Computation::Processor && self.processor_percent != 100 {
            return contradiction(
                "`processor_percent` has no effect without `computation = \"processor\"`",
                "that, or no `processor_percent`, would work",
            );
        }
        Ok(())
    }

    fn program(&self, _rank: RankId, _ranks: u32, _seed: u64) -> Box<dyn RankProgram> {
        unreachable!("the command that attached the processes gives their programs")
    }

    fn describe(&self) -> String {
        if self.command.is_empty() { "a program".to_owned() } else { format!("program {}", self.command) }
    }

    fn iterations(&self) -> Option<u32> {
        Some(1)
    }
}
