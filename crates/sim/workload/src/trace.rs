//! A schedule from a file as a workload: the scenario reads the file, the trace crate parses its
//! format.

use std::fmt;
use std::sync::Arc;

use philae_units::RankId;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize};

use crate::error::WorkloadError;
use crate::phase::Idle;
use crate::program::RankProgram;
use crate::quantity::Size;
use crate::workload::Workload;

/// The contents of a file: a program for each of its ranks.
pub trait Recording: fmt::Debug + Send + Sync {
    /// Ranks that it has programs for.
    fn ranks(&self) -> u32;

    /// The program of one of them.
    fn program(&self, rank: RankId) -> Box<dyn RankProgram>;

    /// One line for people: `GOAL of 32 ranks, 62 tasks`.
    fn describe(&self) -> String;

    /// What the file says but the programs do not do, one sentence each.
    fn warnings(&self) -> &[String];
}

/// A recording after it has been read. Two traces are equal if their keys are, because the keys
/// determine the contents.
#[derive(Clone, Debug, Default)]
pub struct Loaded(pub Option<Arc<dyn Recording>>);

impl PartialEq for Loaded {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for Loaded {}

/// `trace`: the operations of a trace file. Ranks of the job beyond those of the file do nothing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Trace {
    /// The file, from the scenario's folder. For formats with a file for each rank, the name with `{rank}` in it.
    pub file: String,
    /// "goal", "goal-binary", "htsim", "smpi", "chakra" or "simai"; "auto" (the default) decides by name and content.
    #[serde(default = "auto")]
    pub format: String,
    /// Operations per second of a core, for traces that count operations instead of time (smpi,
    /// chakra). Without it a trace that needs it is refused.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub flops_per_second: Option<PerSecond>,
    /// Bytes per second of memory, for loads and stores without a time (chakra). Without it they
    /// take no time, with a warning.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memory_bytes_per_second: Option<PerSecond>,
    /// Size of the message with which a trigger reaches another rank (htsim, where it takes no time). Default 8 B. Source:
    /// ours. Status: assumed; the smallest message that a program would send.
    #[serde(default = "trigger_bytes")]
    pub trigger_bytes: Size,
    /// CRC-32 of the files' bytes, one after the other; a resolved scenario has it, and a run refuses changed files.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub crc32: Option<u32>,
    /// What was read; the scenario fills it in.
    #[serde(skip)]
    pub loaded: Loaded,
}

/// A rate: a whole number per second, from 1. Read from a number with or without a point
/// (`5_000_000_000`, `5e9`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct PerSecond(pub u64);

/// The largest number up to which floating point represents every whole number exactly.
const EXACT_MAX: f64 = 9_007_199_254_740_992.0;

impl<'de> Deserialize<'de> for PerSecond {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged, expecting = "a number from 1, such as 5e9 or 5_000_000_000")]
        enum Number {
            Whole(i64),
            Decimal(f64),
        }
        let wrong = |found: &dyn fmt::Display| {
            D::Error::custom(format!("{found} a second; a whole number from 1, such as 5e9, would work"))
        };
        match Number::deserialize(deserializer)? {
            Number::Whole(value) => match u64::try_from(value) {
                Ok(value @ 1..) => Ok(Self(value)),
                _ => Err(wrong(&value)),
            },
            Number::Decimal(value) if (1.0..=EXACT_MAX).contains(&value) && value.fract() == 0.0 => {
                Ok(Self(value as u64))
            }
            Number::Decimal(value) => Err(wrong(&value)),
        }
    }
}

impl JsonSchema for PerSecond {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "PerSecond".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "description": "A whole number per second, such as 5e9.", "type": "number", "minimum": 1 })
    }
}

fn auto() -> String {
    "auto".to_owned()
}

const fn trigger_bytes() -> Size {
    Size::bytes(8)
}

impl Trace {
    /// The schedule of this file, in the format that its content suggests.
    #[must_use]
    pub fn of_file(file: impl Into<String>) -> Self {
        Self {
            file: file.into(),
            format: auto(),
            flops_per_second: None,
            memory_bytes_per_second: None,
            trigger_bytes: trigger_bytes(),
            crc32: None,
            loaded: Loaded::default(),
        }
    }
}

impl Workload for Trace {
    fn check(&self, ranks: u32) -> Result<(), WorkloadError> {
        let Some(recording) = &self.loaded.0 else {
            return Err(WorkloadError::NotRead { file: self.file.clone() });
        };
        let needed = recording.ranks();
        if ranks < needed {
            return Err(WorkloadError::TraceRanks { file: self.file.clone(), needed, found: ranks });
        }
        Ok(())
    }

    fn program(&self, rank: RankId, _ranks: u32, _seed: u64) -> Box<dyn RankProgram> {
        let recording = self.loaded.0.as_ref().expect("`check` refuses a trace that was not read");
        if rank.0 < recording.ranks() { recording.program(rank) } else { Box::new(Idle) }
    }

    fn describe(&self) -> String {
        let name = self.file.rsplit(['/', '\\']).next().unwrap_or(&self.file);
        match &self.loaded.0 {
            Some(recording) => format!("trace {name}: {}", recording.describe()),
            None => format!("trace {name}"),
        }
    }

    fn iterations(&self) -> Option<u32> {
        Some(1)
    }
}
