//! Rows that need no load: sizes of topologies, limits, and the quiet latencies of Slingshot 400.

use std::sync::Arc;

use philae_congestion::{CongestionLaw, SlingshotParameters, injection_limit_bytes};
use philae_results::chart::{BarChart, BarGroup, ChartAxis};
use philae_results::format::Unit;
use philae_results::percentile::mean;
use philae_results::{StudySection, TableRow};
use philae_scenario::System;
use philae_topology::SystemDescription;
use philae_units::{Bytes, LinkRate};
use serde_json::json;

use super::text::{self, explained};
use crate::experiment::{Experiment, ExperimentContext, ExperimentOutcome};
use crate::probe::{Distance, extent, half_round_trips_ns, median, pairs, ping_pong, switches_per_packet};
use crate::runner::{Cell, StudyError};

/// The experiment.
pub struct TopologyRows;

/// The size of the experiment.
struct Scale {
    pairs: usize,
    far_pairs: usize,
    round_trips: u32,
    large: SystemDescription,
}

/// Bytes of each message. Source: Slingshot 400 paper, IV-A. Status: published.
const BYTES: u64 = 8;
/// Rate of a second-generation port, in Gb/s. Source: Slingshot 400 paper, section III. Status:
/// published.
const RATE_GBPS: u32 = 400;

impl Experiment for TopologyRows {
    fn id(&self) -> &'static str {
        "sizes"
    }

    fn aliases(&self) -> &'static [&'static str] {
        &["topology", "latency-400"]
    }

    fn title(&self) -> &'static str {
        "Sizes, limits and quiet latencies"
    }

    fn source(&self) -> &'static str {
        "De Sensi et al., SC'20 (arXiv:2008.08886), section II-B; Slingshot 400 paper, sections III-A and IV-A"
    }

    fn targets(&self) -> &'static [&'static str] {
        &[
            "largest-dragonfly",
            "address-limit",
            "injection-limit-400",
            "mpi-latency-400",
            "hop-latency-400",
            "optical-cable-400",
            "longest-path-400",
        ]
    }

    fn run(&self, context: &ExperimentContext<'_>) -> Result<ExperimentOutcome, StudyError> {
        let (pairs, far_pairs, round_trips) = if context.quick { (8, 32, 50) } else { (32, 256, 200) };
        run(context, &Scale { pairs, far_pairs, round_trips, large: second_generation("frontier")? })
    }
}

/// A first-generation system with second-generation parts: switches, NICs and links of 400 Gb/s.
fn second_generation(name: &str) -> Result<SystemDescription, StudyError> {
    let system = System::load(name).map_err(Box::new)?;
    let mut description = Arc::unwrap_or_clone(system.description);
    description.name = format!("{name}-400");
    "rosetta-2".clone_into(&mut description.switch);
    "cassini-2".clone_into(&mut description.nic);
    if let Some(dragonfly) = &mut description.dragonfly {
        for cable in [&mut dragonfly.edge, &mut dragonfly.local, &mut dragonfly.global] {
            cable.rate_gbps = f64::from(RATE_GBPS);
        }
    }
    Ok(description)
}

fn endpoints(system: &str) -> Result<f64, StudyError> {
    Ok(System::load(system).map_err(Box::new)?.topology.endpoint_count() as f64)
}

/// One pair: its median half round trip and the switches that its packets crossed.
#[derive(Clone, Copy, Debug)]
struct Quiet {
    nanoseconds: f64,
    switches: f64,
}

fn quiet(
    context: &ExperimentContext<'_>,
    system: &System,
    distances: &[(Distance, usize)],
    round_trips: u32,
) -> Result<Vec<Vec<Quiet>>, StudyError> {
    let mut cells: Vec<Cell> = Vec::new();
    let mut owners = Vec::new();
    for (owner, &(distance, count)) in distances.iter().enumerate() {
        for pair in pairs(&system.topology, distance, count, context.seed) {
            cells.push(ping_pong(system, context.seed, pair, BYTES, round_trips));
            owners.push(owner);
        }
    }
    let values = context.runner.run(&cells, |_, record| Quiet {
        nanoseconds: median(&half_round_trips_ns(record)),
        switches: switches_per_packet(record),
    })?;
    let mut found = vec![Vec::new(); distances.len()];
    for (owner, value) in owners.into_iter().zip(values) {
        found[owner].push(value);
    }
    Ok(found)
}

fn typical(quiet: &[Quiet]) -> f64 {
    median(&quiet.iter().map(|pair| pair.nanoseconds).collect::<Vec<_>>())
}

fn run(context: &ExperimentContext<'_>, scale: &Scale) -> Result<ExperimentOutcome, StudyError> {
    let small = System::load("slingshot400-64").map_err(Box::new)?;
    let near = [(Distance::SameSwitch, scale.pairs), (Distance::SameGroup, scale.pairs)];
    let in_group = quiet(context, &small, &near, scale.round_trips)?;
    let large = System::build(scale.large.clone()).map_err(Box::new)?;
    let all = [near[0], near[1], (Distance::OtherGroup, scale.far_pairs)];
    let in_large = quiet(context, &large, &all, scale.round_trips)?;
    let largest = endpoints("largest")?;
    let addressable = endpoints("largest-addressable")?;
    Ok(outcome(scale, &in_group, &in_large, largest, addressable))
}

fn outcome(
    scale: &Scale,
    in_group: &[Vec<Quiet>],
    in_large: &[Vec<Quiet>],
    largest: f64,
    addressable: f64,
) -> ExperimentOutcome {
    let (one, two) = (typical(&in_group[0]), typical(&in_group[1]));
    let hop = two - one;
    let (large_one, large_two) = (typical(&in_large[0]), typical(&in_large[1]));
    let large_hop = large_two - large_one;
    // The additional time of a pair in two groups compared with as many hops over copper: its one
    // optical cable.
    let cable = |pair: &Quiet| pair.nanoseconds - large_one - (pair.switches - 1.0) * large_hop;
    let cables: Vec<f64> = in_large[2].iter().map(cable).collect();
    let (shortest_cable, longest_cable) = extent(cables.iter().copied());
    let four: Vec<Quiet> = in_large[2].iter().filter(|pair| (3.5..4.5).contains(&pair.switches)).copied().collect();
    let path = (typical(&four) - large_one) / 1e3;
    let (shortest, longest) = extent(four.iter().map(|pair| (pair.nanoseconds - large_one) / 1e3));
    let limit = match CongestionLaw::named("slingshot") {
        Some(CongestionLaw::Slingshot(parameters)) => limit_kb(&parameters),
        _ => f64::NAN,
    };
    let name = &scale.large.name;
    let findings = vec![
        explained(
            "largest-dragonfly",
            largest,
            "the built-in system `largest`, built and counted".to_owned(),
            "its wiring",
        ),
        explained(
            "address-limit",
            addressable,
            "the built-in system `largest-addressable`, built and counted".to_owned(),
            "its wiring",
        ),
        explained(
            "injection-limit-400",
            limit,
            format!("the law's own arithmetic at {RATE_GBPS} Gb/s with its published span of time"),
            "the span of time",
        ),
        explained(
            "mpi-latency-400",
            one / 1e3,
            format!("slingshot400-64, {} pairs on one switch, {BYTES} B; calibrated", in_group[0].len()),
            "the shares of host and NIC",
        ),
        explained(
            "hop-latency-400",
            hop,
            format!("slingshot400-64, {} pairs on two switches less one; calibrated", in_group[1].len()),
            "the latency of the switch",
        ),
        explained(
            "optical-cable-400",
            mean(&cables).unwrap_or(f64::NAN),
            format!(
                "{name}, {} pairs in two groups, beyond as many hops over copper: {shortest_cable:.0} to \
                 {longest_cable:.0} ns, mean",
                cables.len()
            ),
            "the length of the cable (5 to 35 m as published for Frontier, 5 ns a metre, less the copper it replaces), \
             and hardware.switch.optical_cable_ns for its retiming",
        ),
        explained(
            "longest-path-400",
            path,
            format!(
                "{name}, {} pairs with four switches between them less pairs on one switch: {shortest:.2} to \
                 {longest:.2} us by length of the cable, median",
                four.len()
            ),
            "the cable of the row above",
        ),
    ];
    let sections = vec![
        StudySection::Heading("Sizes".to_owned()),
        text::table(
            &["system", "endpoints"],
            vec![
                TableRow::from(["largest".to_owned(), format!("{largest}")]),
                TableRow::from(["largest-addressable".to_owned(), format!("{addressable}")]),
            ],
        ),
        StudySection::Heading("Quiet latency of Slingshot 400".to_owned()),
        latencies("slingshot400-64", in_group, name, in_large),
        StudySection::Bars(bars(in_group, in_large, name)),
    ];
    let data = json!({
        "largest_endpoints": largest,
        "largest_addressable_endpoints": addressable,
        "injection_limit_kb": limit,
        "one_switch_ns": one,
        "two_switches_ns": two,
        "large_system": name,
        "large_one_switch_ns": large_one,
        "large_two_switches_ns": large_two,
        "optical_cable_ns": cables,
        "four_switches_us_over_one": path,
    });
    let assumptions = vec![
        format!(
            "The publication's large dragonfly is not described; {name} is Frontier's wiring and cable lengths (5 to 35 m \
             between groups, published) with switches, NICs and links of {RATE_GBPS} Gb/s."
        ),
        "The longest minimal path has three switch-to-switch hops; pairs whose packets cross four switches on average \
         stand for it."
            .to_owned(),
    ];
    ExperimentOutcome { findings, sections, data, assumptions }
}

/// The limit of the bytes in the fabric of an ingress port of this rate, in kilobytes.
fn limit_kb(parameters: &SlingshotParameters) -> f64 {
    let ps_per_byte = LinkRate::from_gbps(RATE_GBPS).serialization(Bytes(1)).0 as u32;
    f64::from(injection_limit_bytes(parameters, ps_per_byte)) / 1e3
}

/// Rows of `(system, distance)` with the results.
fn distances<'a>(
    small: &'a str,
    in_group: &'a [Vec<Quiet>],
    large: &'a str,
    in_large: &'a [Vec<Quiet>],
) -> impl Iterator<Item = (&'a str, &'static str, &'a [Quiet])> {
    const NAMES: [Distance; 3] = [Distance::SameSwitch, Distance::SameGroup, Distance::OtherGroup];
    let of = |system: &'a str, found: &'a [Vec<Quiet>]| {
        found.iter().zip(NAMES).map(move |(quiet, distance)| (system, distance.name(), quiet.as_slice()))
    };
    of(small, in_group).chain(of(large, in_large))
}

fn latencies(small: &str, in_group: &[Vec<Quiet>], large: &str, in_large: &[Vec<Quiet>]) -> StudySection {
    let row = |(system, distance, found): (&str, &str, &[Quiet])| {
        let (low, high) = extent(found.iter().map(|pair| pair.nanoseconds));
        let switches: Vec<f64> = found.iter().map(|pair| pair.switches).collect();
        text::row([
            system.to_owned(),
            distance.to_owned(),
            found.len().to_string(),
            format!("{:.2}", mean(&switches).unwrap_or(f64::NAN)),
            format!("{:.1}", typical(found)),
            format!("{low:.1}"),
            format!("{high:.1}"),
        ])
    };
    let headers = ["system", "first NICs in", "pairs", "switches", "median ns", "least ns", "most ns"];
    text::table(&headers, distances(small, in_group, large, in_large).map(row).collect())
}

fn bars(in_group: &[Vec<Quiet>], in_large: &[Vec<Quiet>], large: &str) -> BarChart {
    // Nanoseconds from the published microseconds and nanoseconds; only the large system has the
    // longest path.
    let one = text::published("mpi-latency-400") * 1e3;
    let published = |system: &str, distance: &str| match distance {
        name if name == Distance::SameSwitch.name() => Some(one),
        name if name == Distance::SameGroup.name() => Some(one + text::published("hop-latency-400")),
        _ if system == large => Some(one + text::published("longest-path-400") * 1e3),
        _ => None,
    };
    let group = |(system, distance, found): (&str, &str, &[Quiet])| BarGroup {
        label: format!("{system}, {distance}"),
        values: vec![Some(typical(found) * 1e3)],
        reference: published(system, distance).map(|nanoseconds| nanoseconds * 1e3),
    };
    BarChart {
        title: format!("Half round trip of {BYTES} B, median over pairs"),
        axis: ChartAxis::linear("half round trip", Unit::Time),
        series: Vec::new(),
        groups: distances("slingshot400-64", in_group, large, in_large).map(group).collect(),
        reference_name: "published (to another group: the longest minimal path)".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{answers_its_rows, with_context};

    #[test]
    fn a_miniature_answers_its_rows() {
        let scale = Scale {
            pairs: 2,
            far_pairs: 12,
            round_trips: 5,
            large: second_generation("shandy").expect("a built-in system"),
        };
        let outcome = with_context(|context| run(context, &scale)).expect("it runs");
        answers_its_rows(&TopologyRows, &outcome);
        let exact = |id: &str| outcome.findings.iter().find(|finding| finding.target.id == id).map(|found| found.model);
        assert_eq!(exact("largest-dragonfly"), Some(279_040.0));
        assert_eq!(exact("address-limit"), Some(261_632.0));
        assert_eq!(exact("injection-limit-400"), Some(150.0));
    }
}
