//! The comparison on small networks.

use philae_units::Picoseconds;
use philae_workload::{Size, Span};

use super::column::{COLUMNS, Column};
use super::load::{LoadSizes, Measured, loads};
use super::network::{Network, networks};
use super::{Comparison, QUICK_LOADS, UeOrSlingshot, cell, study};
use crate::experiment::{ExperimentContext, ExperimentOutcome};
use crate::testing::{answers_its_rows, with_context};

/// 60 nodes in five groups, and 48 below six leaves.
fn small() -> Vec<Network> {
    vec![
        Network::dragonfly(("small dragonfly", "for tests"), (5, 4, 3, 1), 1).expect("a legal system"),
        Network::fat_tree(("small fat tree", "for tests"), (6, 8, 8), 1).expect("a legal system"),
    ]
}

/// A plan without its own networks, columns and sizes.
fn whole_plan() -> Comparison {
    Comparison {
        networks: Vec::new(),
        columns: Vec::new(),
        sizes: tiny(),
        chosen_loads: Vec::new(),
        left_out: Vec::new(),
    }
}

/// Runs of milliseconds.
fn tiny() -> LoadSizes {
    LoadSizes {
        message: Size::kib(16),
        uniform: (Size::kib(8), 2),
        incasts: vec![4, 1_024],
        alltoall: (Size::kib(2), 1),
        experts: (2, 8, Size::bytes(512)),
        rings: (2, 8, Size::kib(8)),
        tree: (Size::kib(4), 1),
        training: (16, 1, 100_000),
        victim: (4, 3, 2),
        aggressor: (Span::micros(20), Span::micros(500)),
        aggressive_alltoall: true,
        failure: Size::kib(256),
        ..LoadSizes::quick()
    }
}

fn run(plan: &Comparison, seeds: &[u64]) -> ExperimentOutcome {
    with_context(|context| study(&ExperimentContext { seeds, ..*context }, plan)).expect("it runs")
}

/// The columns of one cell of the outcome.
fn entries<'a>(outcome: &'a ExperimentOutcome, network: &str, load: &str) -> &'a [serde_json::Value] {
    let cells = outcome.data["cells"].as_array().expect("cells");
    let found = cells.iter().find(|cell| cell["network"] == network && cell["load"] == load).expect("the cell");
    found["columns"].as_array().expect("columns")
}

#[test]
fn every_column_of_every_load_is_a_scenario() {
    for sizes in [LoadSizes::quick(), LoadSizes::full()] {
        for network in networks().expect("legal systems") {
            for load in loads(&network, &sizes) {
                for column in COLUMNS {
                    let cell = cell((&network, &load, column), 1, (false, true)).expect("its keys exist");
                    let resolved = cell.scenario.resolve_on(&cell.system).expect(&cell.label);
                    assert_eq!(column.apply(&cell.scenario).expect("its keys exist"), cell.scenario, "{}", cell.label);
                    for (key, value) in column.keys.iter().filter(|(key, _)| *key != "class") {
                        let path = format!("/{}", key.replace('.', "/"));
                        let json = cell.scenario.to_json();
                        let found = json.pointer(&path).map(|found| found.to_string().replace('"', ""));
                        assert_eq!(found.as_deref(), Some(*value), "{}: {key}", cell.label);
                    }
                    assert!(resolved.ending_ranks() > 0, "{} ends by itself", cell.label);
                }
            }
        }
    }
}

#[test]
fn a_miniature_of_every_load_ends_in_every_column() {
    let plan = Comparison { networks: small(), columns: COLUMNS.to_vec(), ..whole_plan() };
    let outcome = run(&plan, &[1, 2]);
    answers_its_rows(&UeOrSlingshot, &outcome);
    for network in &plan.networks {
        for load in loads(network, &plan.sizes) {
            let entries = entries(&outcome, network.name, &load.name);
            assert_eq!(entries.len(), COLUMNS.len());
            for entry in entries {
                let runs = entry["runs"].as_array().expect("runs");
                assert_eq!(runs.len(), 2, "each seed: {entry}");
                assert!(runs.iter().all(|run| run["is_a_lower_bound"] == false), "{}: {entry}", load.name);
                assert!(runs[0]["slowest_messages"]["messages"].as_u64() > Some(0), "{}: {entry}", load.name);
                let sum = |run: &serde_json::Value, key: &str| run[key].as_u64().expect("a count");
                let whole = |run: &serde_json::Value| {
                    let parts = sum(run, "payload_bytes") + sum(run, "answer_bytes") + sum(run, "again_bytes");
                    load.measured == Measured::Slowdown || !load.faults.is_empty() || parts < sum(run, "sent_bytes")
                };
                assert!(runs.iter().all(whole), "headers are left: {entry}");
            }
            let cells = outcome.data["cells"].as_array().expect("cells");
            let cell = cells.iter().find(|cell| cell["network"] == network.name && cell["load"] == load.name.as_str());
            let text = cell.expect("the cell")["scenario"].as_str().expect("a text");
            philae_scenario::Scenario::parse(text, "the cell").expect("a scenario").resolve().expect("a legal one");
            assert!(load.name == "link failures" || entries.iter().any(|entry| entry["is_best"] == true));
        }
    }
}

#[test]
fn a_run_that_does_not_end_is_a_bound_in_its_cell() {
    let network = small().remove(0);
    let mut plan = Comparison { networks: vec![network], columns: COLUMNS[..1].to_vec(), ..whole_plan() };
    plan.sizes.aggressor = (Span::micros(20), Span(Picoseconds(1)));
    let outcome = run(&plan, &[1]);
    let name = "allreduce 8 B beside incast";
    let entry = &entries(&outcome, "small dragonfly", name)[0];
    assert_eq!((&entry["runs"][0]["is_a_lower_bound"], &entry["mean"]), (&true.into(), &serde_json::Value::Null));
    let shown = format!("{:?}", outcome.sections);
    assert!(shown.contains("(1 of 1 runs did not end)"), "the table says so");
    assert!(shown.contains("In no column did all runs end"), "nothing is best");
}

#[test]
fn a_size_runs_its_parts_and_the_names_of_others_choose_them() {
    let whole = Comparison::whole(&LoadSizes::quick()).expect("legal systems");
    let chosen = |only: &[&str], quick| {
        let only: Vec<String> = only.iter().map(|&name| name.to_owned()).collect();
        let plan = whole.clone().chosen(&only, quick);
        let names: Vec<&str> = plan.networks.iter().map(|network| network.name).collect();
        (names, plan.loads().len(), plan.columns.len(), plan.left_out.len())
    };
    let all = whole.loads().len();
    assert_eq!(
        chosen(&[], false),
        (vec!["dragonfly-1056", "tapered-1056", "fat-tree-1024", "dragonfly-8448"], all, 7, 0)
    );
    let (networks, loads, columns, left_out) = chosen(&[], true);
    assert_eq!((networks, columns, left_out), (vec!["dragonfly-1056", "tapered-1056", "fat-tree-1024"], 7, 2));
    assert_eq!(loads, 3 * QUICK_LOADS.len(), "each name of the quick size is a load");
    // A network of the full size in the quick one's sizes.
    assert_eq!(chosen(&["dragonfly-8448", "permutation", "incast-1024"], true), (vec!["dragonfly-8448"], 2, 7, 2));
    assert_eq!(chosen(&["networks", "loads", "ue-ecmp"], true).1, all);
    assert_eq!(chosen(&["networks", "loads", "ue-ecmp"], true).2, 1);
}

#[test]
fn what_a_size_leaves_out_is_in_its_report() {
    let mut plan = Comparison { networks: small(), columns: COLUMNS[..1].to_vec(), ..whole_plan() };
    plan.chosen_loads = vec!["permutation".to_owned()];
    plan.left_out = vec!["loads: uniform".to_owned()];
    let outcome = run(&plan, &[1]);
    assert_eq!(outcome.data["left_out"][0], "loads: uniform");
    assert!(format!("{:?}", outcome.sections).contains("Not run: loads: uniform."), "the report says it");
    assert_eq!(outcome.data["cells"].as_array().map(Vec::len), Some(2), "one load on each network");
}

#[test]
fn a_loss_is_shown_in_its_cell() {
    const LOSSY: Column = Column {
        name: "lossy",
        about: "for tests",
        keys: &[
            ("congestion.law", "nscc"),
            ("routing.mode", "ecmp"),
            ("class", "[{ name = \"lossy\", lossy = true, queue_max_bytes = 8192 }]"),
        ],
    };
    let network = small().remove(1);
    let plan = Comparison { networks: vec![network], columns: vec![LOSSY], ..whole_plan() };
    let outcome = run(&plan, &[1]);
    let entry = &entries(&outcome, "small fat tree", "incast 1024")[0];
    let lost = entry["runs"][0]["packets_discarded"].as_u64().expect("a count");
    assert!(lost > 0 && entry["runs"][0]["again_bytes"].as_u64() > Some(0), "{entry}");
    assert!(format!("{:?}", outcome.sections).contains(&format!("{lost} packets lost")), "the table says so");
}

#[test]
fn explanations_change_no_run_and_reasons_add_up() {
    let network = small().remove(0);
    let load = loads(&network, &tiny()).remove(0);
    let explained = cell((&network, &load, &COLUMNS[1]), 1, (false, true)).expect("legal");
    let mut plain = explained.clone();
    plain.scenario.explain = None;
    let records = with_context(|context| {
        context.runner.run(&[explained, plain], |cell, record| {
            (record.digest, super::RunReading::of(load.measured, cell, record))
        })
    });
    let [(one, explained), (other, plain)] = &records.expect("it runs")[..] else { unreachable!("two cells") };
    assert_eq!(one, other);
    let reasons = explained.reasons.as_ref().expect("it explains");
    assert_eq!(plain.reasons, None);
    assert!(reasons.latency_ps() <= explained.time_ps, "a message takes no longer than the load");
    assert_eq!(super::RunReading { reasons: None, ..explained.clone() }, *plain);
}
