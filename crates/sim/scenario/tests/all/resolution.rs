//! Defaults are filled in, and a resolved scenario is a scenario that gives the same run.

use philae_congestion::{AriesMode, AriesParameters, CongestionLaw};
use philae_path::RoutingMode;
use philae_scenario::{
    JobSection, Measure, NicChoice, Preset, Scenario, System, SystemChoice, assumptions_markdown, schema,
};
use philae_topology::{DragonflyDescription, systems};
use philae_workload::{Allocation, Incast, Nodes, Permutation, Span, Workload, WorkloadSpec};
use std::ops::ControlFlow;

fn permutation(iterations: Option<u32>) -> WorkloadSpec {
    WorkloadSpec::Permutation(Permutation { iterations, ..Permutation::default() })
}

fn small() -> System {
    let mut description: philae_topology::SystemDescription = DragonflyDescription::uniform(3, 2, 4, 1).into();
    description.name = "small".to_owned();
    System::build(description).expect("small and legal")
}

fn small_scenario(system: &System) -> Scenario {
    let mut scenario = Scenario::on(system);
    scenario.allocation = Allocation::Random;
    scenario.run.time_limit = Some(Span::micros(60));
    scenario.measure = Measure { sample_interval: Span::micros(5), ..Measure::default() };
    let victim = JobSection { nodes: Nodes::Count(6), ..JobSection::new("victim", permutation(Some(3))) };
    let aggressor = WorkloadSpec::Incast(Incast::default());
    scenario.jobs = vec![victim, JobSection { nic: NicChoice::First, ..JobSection::new("aggressor", aggressor) }];
    scenario
}

fn digest(scenario: &Scenario) -> u64 {
    let run = scenario.resolve().expect("legal").simulation().expect("buildable");
    run.run(&mut |_| ControlFlow::Continue(())).expect("a healthy run").digest
}

#[test]
fn every_built_in_system_resolves_with_the_presets_that_it_names() {
    for system in systems().iter().filter(|system| !system.name.starts_with("largest")) {
        let scenario = Scenario {
            system: SystemChoice::Named(system.name.to_owned()),
            jobs: vec![JobSection { nodes: Nodes::Count(4), ..JobSection::new("a", permutation(Some(1))) }],
            ..Scenario::default()
        };
        let resolved = scenario.resolve().unwrap_or_else(|error| panic!("{}: {error}", system.name));
        assert_eq!(resolved.config.congestion.name(), resolved.system.description.congestion, "{}", system.name);
    }
}

#[test]
fn a_resolved_scenario_reads_back_and_gives_the_same_digest() {
    let scenario = small_scenario(&small());
    let resolved = scenario.resolve().expect("legal");
    let again = Scenario::parse(&resolved.to_toml(), "the text").expect("written by us");
    assert_eq!(again, resolved.scenario);
    let resolved_again = again.resolve().expect("written by us");
    assert_eq!(resolved_again.scenario, resolved.scenario);
    assert_eq!(resolved_again.config, resolved.config);
    assert_eq!(resolved_again.options, resolved.options);
    assert_eq!(resolved_again.jobs, resolved.jobs);
    assert_eq!(digest(&again), digest(&scenario));
}

#[test]
fn the_seed_decides_and_partitions_do_not() {
    let mut scenario = small_scenario(&small());
    let first = digest(&scenario);
    scenario.run.partitions = 3;
    assert_eq!(digest(&scenario), first, "the number of partitions does not show");
    scenario.seed = 2;
    assert_ne!(digest(&scenario), first, "another seed is another run");
}

#[test]
fn jobs_that_end_are_recorded_unless_the_scenario_says_which() {
    let system = small();
    let mut scenario = small_scenario(&system);
    let recorded = |scenario: &Scenario| {
        let resolved = scenario.resolve_on(&system).expect("legal");
        resolved.jobs.iter().map(|job| job.record_messages).collect::<Vec<_>>()
    };
    assert_eq!(recorded(&scenario), [true, false]);
    scenario.measure.messages = Some(vec!["aggressor".to_owned()]);
    assert_eq!(recorded(&scenario), [false, true]);
}

#[test]
fn aries_routing_modes_set_the_bias_and_an_explicit_value_wins() {
    let system = small();
    let mut scenario = small_scenario(&system);
    scenario.hardware.switch = Preset::default().preset("aries");
    let routing = |scenario: &Scenario| scenario.resolve_on(&system).expect("legal").config.routing;
    let law =
        |mode| Preset::exactly("aries", &CongestionLaw::Aries(AriesParameters { mode, ..AriesParameters::aries() }));
    let mut before = None;
    for mode in [AriesMode::Adaptive0, AriesMode::Adaptive1, AriesMode::Adaptive2, AriesMode::Adaptive3] {
        scenario.congestion = law(mode);
        let bias = Some(routing(&scenario).nonminimal_bias_percent);
        assert!(before < bias, "each mode prefers minimal paths more than the one before");
        before = bias;
    }
    scenario.congestion = law(AriesMode::InOrder);
    assert_eq!(routing(&scenario).mode, RoutingMode::Minimal);
    scenario.routing.set("nonminimal_bias_percent", 7);
    scenario.congestion = law(AriesMode::Adaptive3);
    assert_eq!(routing(&scenario).nonminimal_bias_percent, 7);
}

#[test]
fn a_law_changes_neither_the_routing_nor_takes_modes_that_it_lacks() {
    let system = small();
    let mut scenario = small_scenario(&system);
    let routing = |scenario: &Scenario| scenario.resolve_on(&system).expect("legal").scenario.routing;
    let usual = routing(&scenario);
    for law in CongestionLaw::NAMES {
        scenario.congestion = Preset::default().preset(law);
        assert_eq!(routing(&scenario), usual, "{law}");
    }
    scenario.congestion = Preset::default().preset("aries").with("mode", "ADAPTIVE_3");
    let error = scenario.resolve_on(&system).expect_err("no such modes").to_string();
    assert!(error.contains("congestion.mode") && error.contains("routing.preset = \"aries\""), "{error}");
    scenario.routing = Preset::default().preset("aries");
    assert_eq!(scenario.resolve_on(&system).expect("legal").config.routing.nonminimal_bias_percent, 300);
}

#[test]
fn marks_that_come_after_pauses_are_warned_of() {
    let system = small();
    let mut scenario = small_scenario(&system);
    scenario.congestion = Preset::default().preset("ecn");
    let warned = |scenario: &Scenario| {
        let warnings = scenario.resolve_on(&system).expect("legal").warnings;
        warnings.iter().any(|warning| warning.contains("congestion.mark_min_bytes"))
    };
    assert!(!warned(&scenario));
    scenario.congestion.set("mark_min_bytes", 40_000);
    assert!(warned(&scenario), "at 40 KB a switch pauses");
}

#[test]
fn overrides_do_not_depend_on_their_order() {
    let text = small_scenario(&small()).resolve().expect("legal").to_toml();
    let mut overrides: Vec<(String, String)> = [
        ("job.victim.workload", "{ kind = 'barrier', iterations = 4 }"),
        ("job.victim.workload.iterations", "5"),
        ("job.victim.name", "measured"),
        ("measure.messages", "['measured']"),
        ("congestion", "{ law = 'none' }"),
        ("hardware.nic.ordered", "true"),
    ]
    .map(|(key, value)| (key.to_owned(), value.to_owned()))
    .to_vec();
    let first = Scenario::parse_with(&text, "the text", &overrides).expect("legal");
    assert_eq!(first.jobs[0].name, "measured");
    assert_eq!(first.jobs[0].workload.iterations(), Some(5));
    overrides.reverse();
    assert_eq!(Scenario::parse_with(&text, "the text", &overrides).expect("legal"), first);
}

#[test]
fn changed_values_are_named_beside_the_assumed_ones() {
    let system = small();
    let mut scenario = small_scenario(&system);
    scenario.hardware.switch.set("latency_ns", 300);
    let lines = scenario.resolve_on(&system).expect("legal").assumptions();
    assert!(lines.contains(&"switch rosetta: latency_ns = 300 (not the preset's 288)".to_owned()), "{lines:#?}");
    assert!(lines.iter().any(|line| line.starts_with("congestion law slingshot: stiffness = ")), "{lines:#?}");
}

#[test]
fn the_schema_names_every_section_and_every_kind_of_workload() {
    let schema = schema();
    for key in ["system", "hardware", "routing", "congestion", "job", "class", "run", "measure"] {
        assert!(schema["properties"].get(key).is_some(), "{key}");
    }
    let kinds = schema["$defs"]["WorkloadSpec"]["oneOf"].as_array().expect("one entry for each kind");
    assert_eq!(kinds.len(), WorkloadSpec::KINDS.len());
    for kind in kinds {
        assert!(kind.get("$ref").is_none() && kind["properties"].get("kind").is_some(), "{kind:#}");
    }
}

#[test]
fn the_committed_list_of_assumptions_is_fresh() {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../docs/simulate/assumptions.md");
    let committed = std::fs::read_to_string(path).expect("docs/simulate/assumptions.md is there");
    assert_eq!(committed, assumptions_markdown(), "philae schema --assumptions > docs/simulate/assumptions.md");
}

#[test]
fn the_committed_list_of_keys_is_fresh() {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../docs/simulate/keys.md");
    let committed = std::fs::read_to_string(path).expect("docs/simulate/keys.md is there");
    assert!(committed == philae_scenario::keys_markdown(), "philae schema --keys > docs/simulate/keys.md");
}
