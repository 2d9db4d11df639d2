//! Routes of a scenario come from a file, which is found, checked and pinned.

use std::ops::ControlFlow;

use philae_route_tables::{Parameters, RoutesFile};
use philae_scenario::{Scenario, ScenarioError, System, routes_without};
use tempfile::TempDir;

/// A folder that is removed when it goes out of scope.
struct Folder(TempDir);

impl Folder {
    fn new() -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        Self(folder)
    }

    /// Routes of malbec without these links.
    fn write(&self, file: &str, down: &[&str]) {
        let system = System::load("malbec").expect("a built-in system");
        let down: Vec<String> = down.iter().map(|&link| link.to_owned()).collect();
        let plan = routes_without(&system.topology, &down, Parameters::default()).expect("links of malbec");
        std::fs::write(self.0.path().join(file), RoutesFile::write(&plan, "malbec")).expect("it is written");
    }

    fn scenario(&self, system: &str, routes: &str) -> Result<Scenario, ScenarioError> {
        let path = self.0.path().join("a.toml");
        let text = format!(
            "system = '{system}'\nroutes = {routes}\n[[job]]\nname = 'a'\nnodes = 32\n\
             workload = {{ kind = 'alltoall', bytes = '1KiB', iterations = 1 }}\n"
        );
        std::fs::write(&path, text).expect("it is written");
        Scenario::load(&path)
    }
}

#[test]
fn a_file_beside_the_scenario_is_forwarded_by_and_pinned() {
    let folder = Folder::new();
    folder.write("degraded.routes", &["groups:0-1", "switches:0-1"]);
    let resolved = folder.scenario("malbec", "{ file = 'degraded.routes' }").unwrap().resolve().unwrap();
    assert_eq!(resolved.routes.as_ref().map(|plan| plan.dead_links().count()), Some(2));
    let run = |scenario: &Scenario| {
        let simulation = scenario.resolve().unwrap().simulation().unwrap();
        simulation.run(&mut |_| ControlFlow::Continue(())).unwrap()
    };
    let record = run(&resolved.scenario);
    assert_eq!((record.faults.len(), record.failures.len(), record.messages.len()), (2, 0, 32 * 31));
    // The resolved text names the file and its checksum, and gives the same run.
    let again = Scenario::parse(&resolved.to_toml(), "the text").unwrap();
    assert_eq!(run(&again).digest, record.digest);
    folder.write("degraded.routes", &["groups:0-2"]);
    let error = again.resolve().expect_err("another file").to_string();
    assert!(error.contains("have changed") && error.contains("degraded.routes"), "{error}");
}

#[test]
fn files_that_are_no_use_say_why() {
    let folder = Folder::new();
    folder.write("malbec.routes", &[]);
    std::fs::write(folder.0.path().join("text"), "no routes").unwrap();
    let whole = std::fs::read(folder.0.path().join("malbec.routes")).unwrap();
    std::fs::write(folder.0.path().join("cut"), &whole[..whole.len() / 2]).unwrap();
    for (system, file, says) in [
        ("shandy", "malbec.routes", "for the wiring of system malbec"),
        ("malbec", "text", "does not begin as a file of routes does"),
        ("malbec", "cut", "it is damaged"),
        ("malbec", "nowhere", "cannot read the routes"),
    ] {
        let scenario = folder.scenario(system, &format!("{{ file = '{file}' }}")).unwrap();
        let error = scenario.resolve().expect_err(file).to_string();
        assert!(error.contains(says) && error.contains(file), "{error}");
    }
}

#[test]
fn links_are_named_as_those_of_faults() {
    let system = System::load("malbec").expect("a built-in system");
    let without = |name: &str| routes_without(&system.topology, &[name.to_owned()], Parameters::default());
    assert_eq!(without("groups:0-1").unwrap().dead_links().count(), 1);
    let error = without("endpoint:3").expect_err("a NIC's").to_string();
    assert!(error.contains("a link between two switches would work"), "{error}");
    assert!(without("groups:0-99").expect_err("no such group").to_string().contains("would work"));
}
