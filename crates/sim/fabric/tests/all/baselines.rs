//! What a reviewer compares with: DCQCN that marks before it pauses, and pauses alone.

use crate::common::{config, job, run, topology};
use philae_congestion::CongestionLaw;
use philae_fabric::{FabricConfig, RunOptions};
use philae_link_layer::{FecKind, LinkParameters};
use philae_results::RunSummary;
use philae_results::record::RunRecord;
use philae_switch::port::Fairness;
use philae_topology::DragonflyDescription;
use philae_units::Picoseconds;

/// An alltoall beside an incast, all on the same switches.
fn beside_an_incast(config: FabricConfig) -> RunRecord {
    let system = topology(DragonflyDescription::uniform(3, 3, 4, 1));
    let options = RunOptions { time_limit: Picoseconds::from_micros(3_000), ..RunOptions::default() };
    let victims = (0..36).filter(|node| node % 2 == 0);
    let others = (0..36).filter(|node| node % 2 == 1);
    let jobs = vec![
        job("victim", victims, "kind = 'alltoall'\nbytes = '4KiB'\niterations = 3", 1),
        job("aggressor", others, "kind = 'incast'\nbytes = '64KiB'", 1),
    ];
    run(&system, config, options, jobs).expect("it runs")
}

fn events(record: &RunRecord, kind: &str) -> u64 {
    RunSummary::of(record).congestion.get(kind).copied().unwrap_or(0)
}

/// Time of the victim's iterations, or how long the oldest one had taken.
fn victim_ps(record: &RunRecord) -> f64 {
    let iterations = RunSummary::of(record).jobs[0].iterations.expect("it begins");
    iterations.span.map_or(0.0, |span| span.mean_ps).max(iterations.incomplete_for_ps.unwrap_or(0) as f64)
}

#[test]
fn dcqcn_marks_before_it_pauses() {
    // Outputs that are fair to flows let the victim pass either way.
    let mut own = config("ecn");
    own.switch.fairness = Fairness::Input;
    let mut late = own.clone();
    let own = beside_an_incast(own);
    let CongestionLaw::Ecn(law) = &mut late.congestion else { panic!("the law is ecn") };
    (law.mark_min_bytes, law.mark_max_bytes) = (400_000, 1_600_000);
    assert!(late.congestion.marks_late().is_some_and(|said| said.contains("would work")));
    assert_eq!(config("ecn").congestion.marks_late(), None);
    let late = beside_an_incast(late);
    assert!(events(&own, "marked") > 0 && events(&own, "flow_held") > 0);
    assert_eq!(events(&late, "marked"), 0, "pauses keep every queue below 400 KB");
    assert!(events(&own, "pause_start") < events(&late, "pause_start"));
    assert!(victim_ps(&own) < victim_ps(&late), "{} and {} ps", victim_ps(&own), victim_ps(&late));
}

#[test]
fn pfc_pauses_and_does_nothing_else() {
    let pfc = beside_an_incast(config("pfc"));
    assert!(events(&pfc, "pause_start") > 0);
    assert_eq!((events(&pfc, "marked"), events(&pfc, "flow_held")), (0, 0));
    assert_eq!(pfc.packets_discarded, 0, "nothing is lost");
    for law in ["none", "ecn", "slingshot", "aries"] {
        assert_ne!(beside_an_incast(config(law)).digest, pfc.digest, "{law}");
    }
    // It is DCQCN without its rates: where no packet is marked, the two are the same.
    let mut unmarked = config("ecn");
    let CongestionLaw::Ecn(law) = &mut unmarked.congestion else { panic!("the law is ecn") };
    (law.mark_min_bytes, law.mark_max_bytes) = (1_000_000_000, 2_000_000_000);
    assert_eq!(beside_an_incast(unmarked).packet_hops, pfc.packet_hops);
}

#[test]
fn frames_that_are_sent_again_find_room_beyond_a_paused_link() {
    // A frame in five is lost. What a link has sent since then and its far end has not taken comes
    // again, paused or not.
    let system = topology(DragonflyDescription::uniform(2, 2, 8, 4));
    for law in ["pfc", "ecn"] {
        let mut config = config(law);
        let fec = FecKind::None;
        config.resilience.link =
            Some(LinkParameters { bit_errors: 6, bit_errors_per_10_to: 6, fec, ..LinkParameters::slingshot() });
        config.resilience.reroute_ns = 10_000;
        let jobs = vec![job("all", 0..32, "kind = 'uniform-random'\nbytes = '128KiB'", 1)];
        let options = RunOptions { time_limit: Picoseconds::from_micros(4_000), ..RunOptions::default() };
        let record = run(&system, config, options, jobs).expect("it runs");
        assert!(record.packets_delivered > 10_000, "{law}: {} packets", record.packets_delivered);
        assert_eq!(record.packets_discarded, 0, "{law}");
    }
}

#[test]
fn pfc_thresholds_are_checked_and_have_an_effect() {
    let with = |on, off| {
        let mut config = config("pfc");
        let CongestionLaw::Pfc(law) = &mut config.congestion else { panic!("the law is pfc") };
        (law.pause_on_bytes, law.pause_off_bytes) = (on, off);
        config
    };
    assert_ne!(beside_an_incast(with(20_000, 20_000)).digest, beside_an_incast(with(40_000, 20_000)).digest);
    let system = topology(DragonflyDescription::uniform(3, 3, 4, 1));
    for (on, off) in [(10_000, 20_000), (10_000_000, 20_000), (1_000, 500)] {
        let error = philae_fabric::check_hardware(&system, &with(on, off)).expect_err("no such thresholds");
        assert!(error.to_string().contains("pause"), "{error}");
    }
}
