//! Selection tables of collectives in files of their own.

use std::ops::ControlFlow;
use std::path::Path;

use philae_scenario::{Scenario, ScenarioError};
use philae_workload::{Collective, GatherAlgorithm, WorkloadSpec};
use tempfile::TempDir;

/// A folder that is removed when it goes out of scope.
struct Folder(TempDir);

impl Folder {
    fn new() -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        Self(folder)
    }

    fn scenario(&self, selection: &str) -> Result<Scenario, ScenarioError> {
        let path = self.0.path().join("a.toml");
        let text = format!(
            "system = 'malbec'\n[[job]]\nname = 'a'\nnodes = 8\n\
             workload = {{ kind = 'gather', iterations = 1, selection = '{selection}' }}\n"
        );
        std::fs::write(&path, text).expect("it is written");
        Scenario::load(&path)
    }

    fn write(&self, name: &str, text: &str) {
        std::fs::write(self.0.path().join(name), text).expect("it is written");
    }
}

fn algorithm(scenario: &Scenario) -> GatherAlgorithm {
    let WorkloadSpec::Gather(gather) = &scenario.jobs[0].workload else { panic!("a gather") };
    let Collective::Gather { algorithm, .. } = gather.collective(8, 1) else { panic!("a gather") };
    algorithm
}

#[test]
fn a_table_comes_from_a_file_beside_the_scenario_and_is_part_of_what_is_resolved() {
    let folder = Folder::new();
    folder.write("mine.json", r#"{"collective=gather": {"algorithm=MPIR_Gather_intra_linear": {}}}"#);
    folder.write("mine.toml", "source = 'mine'\n[[gather]]\nalgorithm = 'linear'\n");
    for file in ["mine.json", "mine.toml"] {
        let scenario = folder.scenario(file).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(algorithm(&scenario), GatherAlgorithm::Linear, "{file}; MPICH's own is binomial");
        let resolved = scenario.resolve().expect("it resolves").to_toml();
        let again = Scenario::parse(&resolved, "the text").expect("it reads back without the file");
        assert_eq!(algorithm(&again), GatherAlgorithm::Linear, "{file}");
    }
}

#[test]
fn a_file_that_cannot_be_used_is_named_with_what_would_work() {
    let folder = Folder::new();
    folder.write("open.toml", "source = 'mine'\n[[gather]]\nalgorithm = 'linear'\nranks_min = 4\n");
    folder.write("none.json", "{}");
    for (file, says) in [
        ("missing.json", "missing.json"),
        ("open.toml", "gather (rule 1)"),
        ("none.json", "has no condition that Philae knows"),
    ] {
        let error = folder.scenario(file).expect_err(file).to_string();
        assert!(error.contains(says) && error.contains("would work") && error.contains("selection"), "{error}");
    }
}

#[test]
fn the_sample_scenario_of_collectives_resolves_and_runs_to_its_end() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../scenarios/collectives.toml");
    let resolved =
        Scenario::load(path).and_then(|scenario| scenario.resolve()).unwrap_or_else(|error| panic!("{error}"));
    let text = resolved.to_toml();
    for part in ["allgather", "reduce-scatter", "alltoallv", "gather", "broadcast", "scatter-ring", "factor = 8"] {
        assert!(text.contains(part), "{part}");
    }
    let record = resolved.simulation().expect("it can be built").run(&mut |_| ControlFlow::Continue(()));
    record.unwrap_or_else(|error| panic!("{error}"));
}
