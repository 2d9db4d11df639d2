//! The messages that a run explains: where their time went, and which flows delayed them.

use std::fmt;
use std::str::FromStr;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::error::{KeyLocation, ScenarioError};
use crate::job::JobSection;

/// Maximum number of explained messages.
pub const EXPLAINED_MAX: u32 = 1_000;

/// Messages to explain. The run is made twice, with the same seed: first to find them, then to follow them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ExplainSection {
    /// The job whose messages are explained, by its name.
    pub job: String,
    /// Number of messages, the slowest first: 1 to 1,000. Default 3.
    #[serde(default = "three")]
    #[schemars(range(min = 1, max = 1_000))]
    pub slowest: u32,
    /// One message instead: "3->7" is the slowest that rank 3 issued to rank 7, "3->7:2" the third, counted from 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
}

const fn three() -> u32 {
    3
}

/// One message of a job, as `explain.message` names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MessageName {
    /// Rank that issues it.
    pub source: u32,
    /// The other rank.
    pub destination: u32,
    /// The number among those between them, from 0 in order of issue; none: the slowest.
    pub number: Option<u32>,
}

impl FromStr for MessageName {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let parsed = || {
            let (source, rest) = text.split_once("->")?;
            let (destination, number) = match rest.split_once(':') {
                Some((destination, number)) => (destination, Some(number.trim().parse().ok()?)),
                None => (rest, None),
            };
            Some(Self { source: source.trim().parse().ok()?, destination: destination.trim().parse().ok()?, number })
        };
        parsed().ok_or_else(|| {
            format!("\"{text}\" is not a message; \"3->7\" (the slowest from rank 3 to rank 7) or \"3->7:0\" (the first) would work")
        })
    }
}

impl fmt::Display for MessageName {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}->{}", self.source, self.destination)?;
        self.number.map_or(Ok(()), |number| write!(formatter, ":{number}"))
    }
}

impl ExplainSection {
    /// The slowest messages of a job.
    #[must_use]
    pub fn slowest(job: &str, slowest: u32) -> Self {
        Self { job: job.to_owned(), slowest, message: None }
    }

    /// The one requested message, if it is one; checked when the scenario was resolved.
    #[must_use]
    pub fn one(&self) -> Option<MessageName> {
        self.message.as_ref().and_then(|text| text.parse().ok())
    }

    /// Checks it against a scenario's jobs.
    pub(crate) fn check(&self, jobs: &[JobSection]) -> Result<(), ScenarioError> {
        let refuse = |key: &str, found: String, works: String| {
            Err(ScenarioError::Value { place: KeyLocation::of(format!("explain.{key}")), found, works })
        };
        if !jobs.iter().any(|job| job.name == self.job) {
            let names: Vec<&str> = jobs.iter().map(|job| job.name.as_str()).collect();
            return refuse("job", format!("\"{}\"", self.job), format!("the jobs are {}", names.join(", ")));
        }
        if !(1..=EXPLAINED_MAX).contains(&self.slowest) {
            return refuse("slowest", self.slowest.to_string(), format!("1 to {EXPLAINED_MAX} would work"));
        }
        match self.message.as_ref().map(|text| text.parse::<MessageName>()) {
            Some(Err(_)) => {
                let works = "\"3->7\" (the slowest from rank 3 to rank 7) or \"3->7:0\" (the first) would work";
                refuse("message", format!("\"{}\"", self.message.as_deref().unwrap_or_default()), works.to_owned())
            }
            Some(Ok(_)) | None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_named_by_ranks_and_number() {
        let name = |source, destination, number| MessageName { source, destination, number };
        assert_eq!("3->7".parse(), Ok(name(3, 7, None)));
        assert_eq!(" 3 -> 7 : 2".parse(), Ok(name(3, 7, Some(2))));
        assert_eq!(name(3, 7, Some(2)).to_string(), "3->7:2");
        for wrong in ["", "3", "3-7", "a->b", "3->7:", "3->7:x", "-1->2"] {
            assert!(wrong.parse::<MessageName>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn what_does_not_exist_is_refused_with_what_does() {
        let text = "system = \"malbec\"\n[[job]]\nname = \"victim\"\nnodes = 4\n\
            workload = { kind = \"allreduce\", bytes = \"8B\", iterations = 2 }\n[explain]\n";
        let refusal = |more: &str| {
            crate::Scenario::parse(&format!("{text}{more}"), "the text")
                .and_then(|scenario| scenario.resolve())
                .expect_err("it is wrong")
                .to_string()
        };
        let error = refusal("job = \"victm\"");
        assert!(error.contains("explain.job") && error.contains("victim"), "{error}");
        let error = refusal("job = \"victim\"\nslowest = 0");
        assert!(error.contains("explain.slowest") && error.contains("from 1 up to 1000"), "{error}");
        let error = refusal("job = \"victim\"\nmessage = \"3-7\"");
        assert!(error.contains("explain.message") && error.contains("3->7:0"), "{error}");
    }
}
