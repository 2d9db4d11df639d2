//! A run as a timeline for a viewer: its file, and the part of the run that it shows.

use std::path::PathBuf;

use philae_fabric::ActivityOptions;
use philae_topology::Topology;
use philae_units::{JobId, Picoseconds, PortIndex};
use philae_workload::Span;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::error::{KeyLocation, ScenarioError};
use crate::job::JobSection;
use crate::observe::port_of;
use crate::resolve::PlacedJob;

/// Default of the maximum number of events of a timeline.
const EVENTS_MAX: u64 = 1_000_000;
/// Default of the ranks of each job that it shows.
const RANKS_MAX: u32 = 64;
/// Default of the links that it shows.
const LINKS: u32 = 16;

/// A timeline in Chrome's JSON trace format, for ui.perfetto.dev.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TimelineSection {
    /// The file to write, relative to the working folder; compressed if its name ends in .gz. An existing one is replaced.
    pub file: PathBuf,
    /// Jobs to show. Default: all whose messages are kept as rows (`measure.messages`).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub jobs: Vec<String>,
    /// Number of ranks to show of each job, from rank 0. Default 64.
    #[serde(default = "ranks_max")]
    pub ranks_max: u32,
    /// Number of links to show, the busiest of the run. Default 16. Needs `measure.sample_interval`.
    #[serde(default = "links")]
    pub links: u32,
    /// Output ports whose links are also shown: "switch:S/port:P".
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ports: Vec<String>,
    /// Events that end before this time are left out. Default 0.
    #[serde(default)]
    pub from: Span,
    /// Events that begin at this time or later are left out. Default: the end of the run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until: Option<Span>,
    /// Largest number of events written; the file and the command say how many were left out. Default 1,000,000.
    #[serde(default = "events_max")]
    pub events_max: u64,
}

const fn events_max() -> u64 {
    EVENTS_MAX
}

const fn ranks_max() -> u32 {
    RANKS_MAX
}

const fn links() -> u32 {
    LINKS
}

impl TimelineSection {
    /// A timeline with the defaults.
    #[must_use]
    pub fn new(file: impl Into<PathBuf>) -> Self {
        Self {
            file: file.into(),
            jobs: Vec::new(),
            ranks_max: ranks_max(),
            links: links(),
            ports: Vec::new(),
            from: Span::default(),
            until: None,
            events_max: events_max(),
        }
    }

    /// What the run must keep for it: an activity is two events, and activities take at most their
    /// share of half of the events, rank by rank.
    pub(crate) fn activities(&self, jobs: &[PlacedJob]) -> ActivityOptions {
        let shown = |job: &PlacedJob| {
            if self.jobs.is_empty() { job.record_messages } else { self.jobs.contains(&job.section.name) }
        };
        let numbered = || jobs.iter().enumerate().filter(|(_, job)| shown(job));
        let ranks: u64 = numbered().map(|(_, job)| u64::from(self.ranks_max).min(job.places.len() as u64)).sum();
        ActivityOptions {
            jobs: numbered().map(|(index, _)| JobId::from_index(index)).collect(),
            ranks_max: self.ranks_max,
            from: self.from.0,
            until: self.until.map_or(Picoseconds::MAX, |until| until.0),
            rows_of_rank_max: self.events_max / 4 / ranks.max(1),
        }
    }

    /// Checks it against a scenario, and finds its ports.
    pub(crate) fn resolve(&self, jobs: &[JobSection], topology: &Topology) -> Result<Vec<PortIndex>, ScenarioError> {
        let refuse = |key: String, found: &str, works: String| {
            Err(ScenarioError::Value {
                place: KeyLocation::of(format!("timeline.{key}")),
                found: format!("\"{found}\""),
                works,
            })
        };
        if self.file.as_os_str().is_empty() {
            return refuse("file".to_owned(), "", "the path of a file would work".to_owned());
        }
        for (name, index) in self.jobs.iter().zip(0..) {
            if !jobs.iter().any(|job| job.name == *name) {
                let names: Vec<&str> = jobs.iter().map(|job| job.name.as_str()).collect();
                return refuse(format!("jobs.{index}"), name, format!("the jobs are {}", names.join(", ")));
            }
        }
        if let Some(until) = self.until.filter(|until| until.0 <= self.from.0) {
            let works = "a time after timeline.from would work".to_owned();
            return refuse("until".to_owned(), &until.0.to_string(), works);
        }
        let mut ports = Vec::new();
        for (name, index) in self.ports.iter().zip(0..) {
            match port_of(name, topology) {
                Ok(port) => ports.push(port),
                Err(works) => return refuse(format!("ports.{index}"), name, works),
            }
        }
        Ok(ports)
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn what_does_not_exist_is_refused_with_what_does() {
        let text = "system = \"malbec\"\n[[job]]\nname = \"victim\"\nnodes = 4\n\
            workload = { kind = \"allreduce\", bytes = \"8B\", iterations = 2 }\n[timeline]\nfile = \"x.json\"\n";
        let resolved = |more: &str| {
            crate::Scenario::parse(&format!("{text}{more}"), "the text").and_then(|scenario| scenario.resolve())
        };
        assert_eq!(resolved("ports = [\"switch:0/port:0\"]").expect("it exists").timeline_ports.len(), 1);
        for (more, key, works) in [
            ("jobs = [\"victm\"]", "timeline.jobs.0", "victim"),
            ("ports = [\"endpoint:3\"]", "timeline.ports.0", "switch:S/port:P"),
            ("from = \"2us\"\nuntil = \"1us\"", "timeline.until", "after timeline.from"),
        ] {
            let error = resolved(more).expect_err("it is wrong").to_string();
            assert!(error.contains(key) && error.contains(works), "{error}");
        }
    }
}
