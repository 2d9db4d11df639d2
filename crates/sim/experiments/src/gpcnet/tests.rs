//! Small runs of the whole protocol.

use std::sync::atomic::AtomicBool;

use philae_workload::{Workload, WorkloadSpec};

use super::*;

const SMALL: Effort = Effort { rings: 2, latency: 3, bandwidth: 1, allreduce: 4, alltoall: 1 };

fn with_plan<T>(nodes: u32, law: &str, look: impl FnOnce(&GpcnetPlan<'_>) -> T) -> T {
    let stop = AtomicBool::new(false);
    let runner = CellRunner::new(2, &stop, |_| {});
    let system = System::load("malbec").expect("it is built in");
    let base = Scenario { congestion: philae_scenario::Preset::default().preset(law), ..Scenario::on(&system) };
    look(&GpcnetPlan {
        system,
        base,
        nodes: Some(nodes),
        processes_per_node: 1,
        effort: Some(SMALL),
        runner: &runner,
        save: None,
    })
}

#[test]
fn the_network_test_answers_all_eight() {
    let network = with_plan(6, "slingshot", |plan| plan.network().expect("it runs"));
    let names: Vec<&str> = network.isolated.iter().map(|row| row.name.as_str()).collect();
    assert_eq!(names, Test::NETWORK.map(Test::name));
    for row in &network.isolated {
        let TestStatistics { average, percentile_99, min, max, .. } = row.summary;
        assert!(min > 0.0 && min <= average * 1.001 && average <= max * 1.001, "{row:?}");
        let worse = if row.better == Better::Lower { percentile_99 >= average } else { percentile_99 <= average * 1.1 };
        assert!(worse, "{row:?}");
    }
    // Two rings of three timed iterations on six ranks.
    assert_eq!(network.isolated[0].summary.samples, 36);
    let of = |test: Test| network.isolated[Test::NETWORK.iter().position(|&other| other == test).unwrap()].summary;
    assert!(of(Test::BandwidthSync).average < of(Test::TwoSidedBandwidth).average, "a barrier takes time");
    assert!(network.text().lines().all(|line| line.len() == 80));
}

#[test]
fn the_load_test_has_a_baseline_a_load_and_an_impact() {
    let load = with_plan(20, "slingshot", |plan| plan.load(Variant::Program).expect("it runs"));
    assert_eq!((load.congestor_nodes.len(), load.canary_nodes.len()), (16, 4));
    assert!(load.released_us >= 4_000.0);
    assert_eq!((load.isolated.len(), load.loaded.len(), load.impact.len()), (3, 3, 3));
    assert_ne!(load.isolated, load.loaded, "congestors are felt");
    assert!(load.text().contains("Congestion Impact Factor"));
    let again = with_plan(20, "slingshot", |plan| plan.load(Variant::Program).expect("it runs"));
    assert_eq!(load.loaded, again.loaded, "the same seed, the same run");
}

#[test]
fn the_papers_variant_congests_as_fig_9_does() {
    let load = with_plan(10, "none", |plan| plan.load(Variant::PaperIncast).expect("it runs"));
    assert_eq!((load.canary_nodes, load.congestor_nodes), (vec![0, 1], (2..10).collect()));
    assert_eq!(load.released_us, 4_000.0);
}

#[test]
fn too_few_and_too_many_nodes_are_refused() {
    let few = with_plan(9, "slingshot", |plan| plan.load(Variant::Program).expect_err("nine"));
    assert_eq!(few.to_string(), "the load test needs at least 10 nodes; 9 are in use");
    let many = with_plan(9_999, "slingshot", |plan| plan.network().expect_err("there are fewer"));
    assert!(many.to_string().starts_with("--nodes is 9999; the system has "));
}

#[test]
fn the_programs_loops_are_the_default_on_few_ranks_only() {
    assert_eq!((Effort::for_ranks(32), Effort::for_ranks(33)), (Effort::FULL, Effort::REDUCED));
    assert_eq!(Effort::FULL.with_iterations(200), Effort::FULL);
    let short = Effort::FULL.with_iterations(10);
    assert_eq!((short.latency, short.bandwidth, short.allreduce, short.alltoall), (10, 1, 10, 3));
}

#[test]
fn every_workload_fits_its_slices() {
    for test in Test::NETWORK {
        let spec = test.workload(&Effort::FULL, 4, 97);
        assert_eq!(spec.check(4 * 97), Ok(()), "{}", test.name());
        assert_eq!(spec.iterations(), Some(test.iterations(&Effort::FULL, 97)));
    }
    // 64 iterations up to 64 ranks, 64 * 64 / 97 on 97, and one that is not timed.
    assert_eq!(Test::Alltoall.iterations(&Effort::FULL, 97), 43);
    assert_eq!(Test::TwoSidedLatency.iterations(&Effort::FULL, 97), 12_000);
    let WorkloadSpec::Congestors(congestors) = battery::congestors(4) else { panic!("four congestors") };
    assert_eq!((congestors.slices, congestors.iterations), (4, None));
}
