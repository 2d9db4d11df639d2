//! Values of a sweep that are the same, or that change nothing.

use crate::arguments::SweepAxis;
use philae_scenario::{ResolvedScenario, Scenario};
use philae_workload::Nodes;
use std::collections::BTreeMap;

/// What the results of a run depend on, as text: the scenario without its name, its threads and its
/// partitions, and with each job's count of nodes instead of a share or the rest.
pub fn content(resolved: &ResolvedScenario) -> String {
    let mut scenario = resolved.scenario.clone();
    scenario.name = None;
    (scenario.run.threads, scenario.run.partitions) = (1, 1);
    for (job, placed) in scenario.jobs.iter_mut().zip(&resolved.jobs) {
        if !matches!(job.nodes, Nodes::List(_)) {
            job.nodes = Nodes::Count(placed.nodes.len() as u32);
        }
    }
    scenario.to_toml()
}

/// The axes of a grid; the last varies fastest.
pub struct Axes<'a>(&'a [SweepAxis]);

impl<'a> Axes<'a> {
    pub fn of(axes: &'a [SweepAxis]) -> Self {
        Self(axes)
    }

    /// Number of runs from one value of an axis to its next.
    fn stride(&self, axis: usize) -> usize {
        self.0[axis + 1..].iter().map(|(_, values)| values.len()).product()
    }

    /// Refuses values of one axis that mean the same, such as `1` and `0x1`. `scenario` is that of
    /// a run before its defaults are filled in; `None` if it cannot be read.
    pub fn check(&self, scenario: impl Fn(usize) -> Option<Scenario>) -> Result<(), String> {
        for (axis, (key, values)) in self.0.iter().enumerate().filter(|(_, (_, values))| values.len() > 1) {
            let mut known: BTreeMap<String, &str> = BTreeMap::new();
            for (index, value) in values.iter().enumerate() {
                let text = scenario(index * self.stride(axis)).map(|found| found.to_json().to_string());
                if let Some(earlier) = text.and_then(|text| known.insert(text, value)) {
                    return Err(format!("--set {key}: {earlier} and {value} are the same value; each once would work"));
                }
            }
        }
        Ok(())
    }

    /// What to say of axes whose values give the same results. `content` is the same for the same
    /// run.
    pub fn alike<'c>(&self, content: impl Fn(usize) -> &'c str) -> Vec<String> {
        let total: usize = self.0.iter().map(|(_, values)| values.len()).product();
        let mut said = Vec::new();
        for (axis, (key, values)) in self.0.iter().enumerate() {
            let stride = self.stride(axis);
            // The runs with each value, in the order of the other values.
            let mut runs: Vec<Vec<&str>> = vec![Vec::new(); values.len()];
            (0..total).for_each(|run| runs[run / stride % values.len()].push(content(run)));
            let mut groups: BTreeMap<Vec<&str>, Vec<&str>> = BTreeMap::new();
            for (runs, word) in runs.into_iter().zip(values) {
                groups.entry(runs).or_default().push(word);
            }
            for group in groups.values().filter(|group| group.len() > 1) {
                said.push(if group.len() == values.len() {
                    format!("--set {key} changes nothing: its {} values give the same results", values.len())
                } else {
                    format!("--set {key}: {} give the same results", group.join(" and "))
                });
            }
        }
        said
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_with_the_same_runs_are_said() {
        let axis =
            |key: &str, values: &[&str]| (key.to_owned(), values.iter().map(|&value| value.to_owned()).collect());
        let axes = [axis("x", &["1", "2", "3"]), axis("y", &["a", "b"])];
        let said = |content: [&'static str; 6]| Axes::of(&axes).alike(|run| content[run]);
        assert_eq!(said(["1", "2", "3", "4", "5", "6"]), Vec::<String>::new());
        assert_eq!(
            said(["1", "2", "1", "2", "1", "2"]),
            ["--set x changes nothing: its 3 values give the same results"]
        );
        assert_eq!(
            said(["1", "1", "2", "2", "3", "3"]),
            ["--set y changes nothing: its 2 values give the same results"]
        );
        assert_eq!(said(["1", "2", "3", "4", "1", "2"]), ["--set x: 1 and 3 give the same results"]);
        assert_eq!(said(["1", "2", "1", "4", "1", "5"]), Vec::<String>::new(), "it does beside one of the others");
    }
}
