//! Names of formats.

use std::fmt;

/// A format of schedules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TraceFormat {
    /// GOAL as text.
    Goal,
    /// GOAL as LogGOPSim reads it.
    GoalBinary,
    /// htsim's connection matrix.
    Htsim,
    /// SimGrid's time-independent traces of MPI programs.
    Smpi,
    /// Chakra's execution traces, one file per rank.
    Chakra,
    /// ASTRA-sim's and SimAI's layers as text.
    SimAi,
    /// Traces of Philae's libfabric provider, one file per process.
    Provider,
}

impl TraceFormat {
    /// All formats.
    pub const ALL: [Self; 7] =
        [Self::Goal, Self::GoalBinary, Self::Htsim, Self::Smpi, Self::Chakra, Self::SimAi, Self::Provider];

    /// Its name in scenarios and on the command line.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Goal => "goal",
            Self::GoalBinary => "goal-binary",
            Self::Htsim => "htsim",
            Self::Smpi => "smpi",
            Self::Chakra => "chakra",
            Self::SimAi => "simai",
            Self::Provider => "provider",
        }
    }

    /// The format of that name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|format| format.name() == name)
    }
}

impl fmt::Display for TraceFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Goal => "GOAL",
            Self::GoalBinary => "binary GOAL",
            Self::Htsim => "connection matrix",
            Self::Smpi => "time-independent trace",
            Self::Chakra => "Chakra trace",
            Self::SimAi => "layers",
            Self::Provider => "provider's trace",
        })
    }
}
