//! Jobs whose workload is a file.

use philae_scenario::{Scenario, load_trace};
use philae_workload::{Trace, WorkloadSpec};
use std::path::PathBuf;

fn traces() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../trace/tests/data")
}

fn scenario(workload: &str, nodes: u32) -> Scenario {
    let text = format!(
        "[system]\nname = 'tiny'\n[system.dragonfly]\nlinks_per_pair = 1\n\
         groups = [{{ name = 'c', count = 4, switches = 2, endpoints_per_switch = 4 }}]\n\
         [[job]]\nname = 'trace'\nnodes = {nodes}\nworkload = {workload}\n"
    );
    Scenario::parse(&text, "the text").expect("a scenario")
}

fn of_file(name: &str, nodes: u32) -> Scenario {
    let path = traces().join(name);
    scenario(&format!("{{ kind = 'trace', file = '{}', flops_per_second = 1_000_000_000 }}", path.display()), nodes)
}

fn digest(scenario: &Scenario) -> String {
    let resolved = scenario.resolve().unwrap_or_else(|error| panic!("{error}"));
    let record =
        resolved.simulation().expect("it builds").run(&mut |_| std::ops::ControlFlow::Continue(())).expect("it runs");
    record.digest.to_string()
}

#[test]
fn text_and_binary_of_a_schedule_run_to_the_same_digest() {
    assert_eq!(digest(&of_file("binary_tree_32.goal", 32)), digest(&of_file("binary_tree_32.bin", 32)));
}

#[test]
fn every_format_runs_and_so_does_its_resolved_scenario() {
    for (name, nodes) in [
        ("streams.goal", 3),
        ("incast.cm", 16),
        ("triggers.cm", 6),
        ("actions.txt", 8),
        ("layers.txt", 16),
        ("all_reduce_8npus_1MB.{rank}.et", 8),
    ] {
        let scenario = of_file(name, nodes);
        let resolved = scenario.resolve().unwrap_or_else(|error| panic!("{name}: {error}"));
        let again = Scenario::parse(&resolved.to_toml(), "the text").expect("a resolved scenario reads back");
        assert_eq!(digest(&scenario), digest(&again), "{name}");
    }
}

#[test]
fn a_job_that_is_too_small_or_a_file_that_changed_is_an_error() {
    let error = of_file("binary_tree_32.goal", 31).resolve().expect_err("32 ranks").to_string();
    assert!(error.contains("32 ranks and the job 31"), "{error}");
    let path = traces().join("reduce8.goal");
    let changed = format!("{{ kind = 'trace', file = '{}', crc32 = 5 }}", path.display());
    assert!(scenario(&changed, 8).resolve().expect_err("changed").to_string().contains("has changed"));
    for (workload, words) in [
        ("{ kind = 'trace', file = '/no/such.goal' }", "cannot read the trace"),
        ("{ kind = 'trace', file = '/' }", "is a folder"),
        ("{ kind = 'trace', file = 'x', format = 'otf2' }", "not a trace format"),
        ("{ kind = 'flow-sizes', file = '/no/such', load = 0.5, rate_gbps = 200 }", "cannot read the trace"),
        ("{ kind = 'flow-sizes', load = 0.5, rate_gbps = 200 }", "exactly one"),
    ] {
        let error = scenario(workload, 8).resolve().expect_err(workload).to_string();
        assert!(error.contains(words), "{workload}: {error}");
    }
}

#[test]
fn paths_are_meant_from_the_scenarios_folder() {
    let temporary = tempfile::tempdir().expect("a temporary folder");
    let folder = temporary.path();
    std::fs::create_dir_all(folder.join("traces")).expect("a temporary folder");
    std::fs::write(folder.join("traces/a.goal"), "num_ranks 1\nrank 0 {\ncalc 5\n}\n").expect("a file");
    std::fs::write(folder.join("sizes.txt"), "0 0\n1000 50\n5000 100\n").expect("a file");
    let text = "system = 'malbec'\n[[job]]\nname = 'a'\nnodes = 1\nworkload = { kind = 'trace', file = 'traces/a.goal' }\n\
        [[job]]\nname = 'b'\nnodes = 4\nworkload = { kind = 'flow-sizes', file = 'sizes.txt', load = 0.5, rate_gbps = 100, iterations = 3 }\n";
    std::fs::write(folder.join("s.toml"), text).expect("a file");
    let resolved = Scenario::load(folder.join("s.toml")).expect("a scenario").resolve().expect("both files are found");
    let WorkloadSpec::FlowSizes(sizes) = &resolved.jobs[1].section.workload else { panic!("flows") };
    assert_eq!((sizes.mean().0, &sizes.file), (1_750, &None), "the resolved scenario holds the points");
    assert!(resolved.to_toml().contains("crc32"));
}

#[test]
fn a_file_of_each_rank_is_one_trace() {
    let loaded = load_trace(&Trace::of_file(traces().join("all_reduce_8npus_1MB.{rank}.et").to_string_lossy()));
    assert_eq!(loaded.expect("eight files").files, 8);
}
