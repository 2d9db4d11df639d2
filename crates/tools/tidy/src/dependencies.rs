//! Checks that dependencies point one way: a crate may use the crates before it in [`ORDER`], never
//! one after it.

use std::collections::{BTreeMap, BTreeSet};

/// Every crate of the workspace, in the order in which they may depend on each other.
///
/// This crate is not in the list: it has no dependency inside the workspace, and no crate depends
/// on it.
pub const ORDER: [&str; 44] = [
    "workspace-hack",
    "test-support",
    "units",
    "console",
    "engine",
    "wire",
    "topology",
    "inventory",
    "link-layer",
    "packet-engine",
    "traffic-class",
    "route-tables",
    "path",
    "congestion",
    "switch",
    "nic-core",
    "nic-model",
    "workload",
    "trace",
    "results",
    "fabric",
    "fluid",
    "scenario",
    "experiments",
    "fi-sys",
    "fi-client",
    "clock",
    "cosim",
    "provider",
    "coordinator",
    "launcher",
    "shmem-codegen",
    "shmem",
    "agent",
    "manager-core",
    "agent-rpc",
    "agent-linux",
    "store",
    "policy",
    "manager-api",
    "manager-cli",
    "manager",
    "cli",
    "python",
];

/// The crates of the model itself. They compute; they do not read files, draw screens or serve
/// requests.
pub const MODEL: [&str; 17] = [
    "units",
    "engine",
    "wire",
    "topology",
    "link-layer",
    "packet-engine",
    "traffic-class",
    "route-tables",
    "path",
    "congestion",
    "switch",
    "nic-core",
    "nic-model",
    "workload",
    "trace",
    "fabric",
    "fluid",
];

/// Libraries that serve, draw or parse commands. No crate below the fabric may depend on them,
/// directly or indirectly.
pub const NOT_IN_THE_MODEL: [&str; 14] = [
    "axum",
    "clap",
    "clap_complete",
    "hyper",
    "indicatif",
    "prometheus-client",
    "pyo3",
    "rand",
    "redb",
    "reqwest",
    "rusqlite",
    "rustls",
    "tokio",
    "utoipa",
];

/// Libraries that write results. `fabric` and `fluid` reach them through `results`; no crate below
/// `results` may.
pub const ONLY_IN_RESULTS: [&str; 2] = ["arrow", "parquet"];

/// The dependencies of each crate of the workspace. Names of our own crates are without `philae-`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DependencyGraph {
    /// The workspace crates that each crate names.
    pub inside: BTreeMap<String, BTreeSet<String>>,
    /// The third-party crates that each crate names, except for those of its tests.
    pub outside: BTreeMap<String, BTreeSet<String>>,
}

impl DependencyGraph {
    /// Reads the output of `cargo metadata --no-deps`.
    ///
    /// # Panics
    /// If the output does not have cargo's documented form.
    #[must_use]
    pub fn from_metadata(metadata: &serde_json::Value) -> Self {
        let mut graph = Self::default();
        for package in metadata["packages"].as_array().expect("cargo metadata lists packages") {
            let name = package["name"].as_str().expect("a package has a name");
            let name = name.strip_prefix("philae-").unwrap_or(name).to_owned();
            let inside = graph.inside.entry(name.clone()).or_default();
            let outside = graph.outside.entry(name).or_default();
            for dependency in package["dependencies"].as_array().expect("a package lists dependencies") {
                let needed = dependency["name"].as_str().expect("a dependency has a name");
                // A dependency of tests counts inside the workspace, where it could hide a cycle,
                // but not outside: proptest is no part of what we ship.
                if let Some(needed) = needed.strip_prefix("philae-") {
                    inside.insert(needed.to_owned());
                } else if dependency["kind"].as_str() != Some("dev") {
                    outside.insert(needed.to_owned());
                }
            }
        }
        graph
    }

    /// Dependencies from an earlier crate to a later one, and crates that are missing in [`ORDER`].
    #[must_use]
    pub fn wrong_directions(&self) -> Vec<String> {
        let rank = |name: &str| ORDER.iter().position(|known| *known == name);
        let mut problems = Vec::new();
        for (from, needed) in self.inside.iter().filter(|(from, _)| *from != "tidy") {
            let Some(from_rank) = rank(from) else {
                problems.push(format!("{from} is not in the order of crates: add it where its invariant belongs"));
                continue;
            };
            for to in needed {
                match rank(to) {
                    Some(to_rank) if to_rank < from_rank => {}
                    _ => problems.push(format!("{from} must not depend on {to}, which does not come before it")),
                }
            }
        }
        problems
    }

    /// Third-party crates that the model reaches and must not, each with the path to it.
    #[must_use]
    pub fn strangers_in_the_model(&self) -> Vec<String> {
        let mut problems = Vec::new();
        for core in MODEL.iter().filter(|core| self.inside.contains_key(**core)) {
            for reached in self.reach(core) {
                for stranger in self.outside.get(&reached).into_iter().flatten() {
                    let banned = NOT_IN_THE_MODEL.contains(&stranger.as_str())
                        || (!["fabric", "fluid"].contains(core) && ONLY_IN_RESULTS.contains(&stranger.as_str()));
                    if banned {
                        problems.push(format!("{core} reaches {stranger} through {reached}"));
                    }
                }
            }
        }
        problems
    }

    /// `from` and every crate of the workspace that it needs, directly or indirectly.
    fn reach(&self, from: &str) -> BTreeSet<String> {
        let mut reached = BTreeSet::new();
        let mut waiting = vec![from.to_owned()];
        while let Some(name) = waiting.pop() {
            if reached.insert(name.clone()) {
                waiting.extend(self.inside.get(&name).into_iter().flatten().cloned());
            }
        }
        reached
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn graph(edges: &[(&str, &[&str])]) -> DependencyGraph {
        let packages: Vec<serde_json::Value> = edges
            .iter()
            .map(|(name, needed)| {
                let dependencies: Vec<serde_json::Value> =
                    needed.iter().map(|needed| serde_json::json!({ "name": needed, "kind": null })).collect();
                serde_json::json!({ "name": format!("philae-{name}"), "dependencies": dependencies })
            })
            .collect();
        DependencyGraph::from_metadata(&serde_json::json!({ "packages": packages }))
    }

    #[test]
    fn an_edge_to_an_earlier_crate_passes() {
        let good = graph(&[("units", &[]), ("engine", &["philae-units"]), ("tidy", &["serde_json"])]);
        assert!(good.wrong_directions().is_empty());
    }

    #[test]
    fn an_edge_to_a_later_crate_to_itself_or_to_the_tidy_tests_is_caught() {
        assert_eq!(graph(&[("rosetta", &["philae-fabric"])]).wrong_directions().len(), 1);
        assert_eq!(graph(&[("rosetta", &["philae-rosetta"])]).wrong_directions().len(), 1);
        assert_eq!(graph(&[("rosetta", &["philae-tidy"])]).wrong_directions().len(), 1);
    }

    #[test]
    fn a_crate_that_nobody_placed_is_caught() {
        assert_eq!(graph(&[("misc", &[])]).wrong_directions().len(), 1);
    }

    #[test]
    fn a_server_in_the_model_is_caught_at_any_distance() {
        let bad = graph(&[("topology", &["tokio"]), ("path", &["philae-topology"]), ("cli", &["clap"])]);
        assert_eq!(
            bad.strangers_in_the_model(),
            ["topology reaches tokio through topology", "path reaches tokio through topology"]
        );
    }

    #[test]
    fn only_the_fabric_may_reach_the_column_writer() {
        let bad =
            graph(&[("results", &["parquet"]), ("workload", &["philae-results"]), ("fabric", &["philae-results"])]);
        assert_eq!(bad.strangers_in_the_model(), ["workload reaches parquet through results"]);
    }

    #[test]
    fn what_only_the_tests_use_is_not_shipped() {
        let metadata = serde_json::json!({ "packages": [
            { "name": "philae-units", "dependencies": [{ "name": "tokio", "kind": "dev" }] }
        ] });
        assert!(DependencyGraph::from_metadata(&metadata).strangers_in_the_model().is_empty());
    }
}
