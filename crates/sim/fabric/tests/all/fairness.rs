//! Flows that meet at an output: their shares of it, and what they do to others.

use crate::common::{config, job, run, topology};
use philae_congestion::CongestionLaw;
use philae_fabric::{FabricConfig, RunOptions};
use philae_results::record::RunRecord;
use philae_switch::port::Fairness;
use philae_topology::{GraphDescription, Topology};
use philae_units::Picoseconds;
use std::sync::Arc;

/// Three switches in a row, with eight nodes each.
fn row() -> Arc<Topology> {
    topology(GraphDescription::regular(3, 8, &[[0, 1], [1, 2]]))
}

fn measured(hardware: FabricConfig, pairs: &[[u32; 2]]) -> RunRecord {
    // No window ends within the run, so no flow waits for its completions.
    let stream = "kind = 'one-sided'\npattern = 'one-to-many'\nbytes = '64KiB'\nwindow = 64";
    let jobs = pairs.iter().map(|pair| job("stream", *pair, stream, 1)).collect();
    let options = RunOptions {
        time_limit: Picoseconds::from_micros(400),
        warm_up: Picoseconds::from_micros(100),
        ..RunOptions::default()
    };
    run(&row(), hardware, options, jobs).expect("it runs")
}

fn shares(record: &RunRecord) -> Vec<f64> {
    let all: u64 = record.jobs.iter().map(|job| job.delivered.0).sum();
    record.jobs.iter().map(|job| job.delivered.0 as f64 / all as f64).collect()
}

/// Three flows come to the second switch over one link, one from a node of that switch. All four go
/// on over the link to the third switch.
const PARKING_LOT: [[u32; 2]; 4] = [[0, 16], [1, 17], [2, 18], [8, 19]];

#[test]
fn an_output_is_fair_to_inputs_or_to_flows() {
    let with = |fairness| {
        let mut hardware = config("none");
        hardware.switch.fairness = fairness;
        shares(&measured(hardware, &PARKING_LOT))
    };
    let by_input = with(Fairness::Input);
    assert!(by_input[3] > 0.49 && by_input[0] < 0.17, "at least half to the input of one flow: {by_input:?}");
    let by_flow = with(Fairness::Flow);
    assert!(by_flow.iter().all(|share| (share - 0.25).abs() < 0.01), "a quarter to each flow: {by_flow:?}");
}

/// Between switches, packets in transit have half of a link, however few flows they belong to. To a
/// NIC, all flows have the same.
#[test]
fn few_flows_in_transit_have_half_of_a_link_and_no_more_of_an_endpoint() {
    let with = |pairs: &[[u32; 2]]| {
        let mut hardware = config("none");
        hardware.switch.fairness = Fairness::Flow;
        shares(&measured(hardware, pairs))
    };
    let link = with(&[[0, 16], [8, 17], [9, 18], [10, 19]]);
    assert!((link[0] - 0.5).abs() < 0.01, "half to the one in transit: {link:?}");
    assert!(link[1..].iter().all(|share| (share - 1.0 / 6.0).abs() < 0.01), "a sixth to each other: {link:?}");
    let endpoint = with(&[[8, 16], [17, 16], [18, 16], [19, 16]]);
    assert!(endpoint.iter().all(|share| (share - 0.25).abs() < 0.01), "a quarter to each: {endpoint:?}");
}

#[test]
fn too_few_flow_queues_serve_in_order_of_arrival() {
    let with = |flow_queues| {
        let mut hardware = config("none");
        hardware.switch.fairness = Fairness::Flow;
        hardware.switch.flow_queues = flow_queues;
        shares(&measured(hardware, &PARKING_LOT))
    };
    let (one, enough) = (with(1), with(4));
    assert_eq!(enough, with(2_048), "four flows need four queues");
    let apart = |shares: &[f64]| shares.iter().map(|share| (share - 0.25).abs()).sum::<f64>();
    assert!(apart(&one) > apart(&enough) + 0.02, "{one:?} and {enough:?}");
}

#[test]
fn shares_of_flows_let_a_burst_fill_what_shares_of_endpoints_keep_free() {
    // Five flows to one node, and one to another, over the link between the first two switches.
    let pairs = [[0, 8], [1, 8], [2, 8], [3, 8], [4, 8], [5, 9]];
    let deepest = |flow_share_bytes| {
        let mut hardware = config("slingshot");
        hardware.switch.fairness = Fairness::Flow;
        let CongestionLaw::Slingshot(law) = &mut hardware.congestion else { panic!("the law is slingshot") };
        law.flow_share_bytes = flow_share_bytes;
        // Congestion control would end the burst.
        law.endpoint_threshold_bytes = 10_000_000;
        law.endpoint_share_bytes = 20_000;
        let record = measured(hardware, &pairs);
        (record.digest, shares(&record)[5])
    };
    let (by_endpoint, by_flow) = (deepest(0), deepest(20_000));
    assert_ne!(by_endpoint.0, by_flow.0);
    assert!(by_flow.1 < by_endpoint.1, "the bystander gets {} and {}", by_flow.1, by_endpoint.1);
}
