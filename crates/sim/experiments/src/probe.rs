//! Two nodes on a quiet system: the cells behind figures of latency and bandwidth.

use std::sync::Arc;

use philae_engine::RandomStream;
use philae_results::percentile::of_sorted;
use philae_results::record::RunRecord;
use philae_scenario::{JobSection, Measure, RunTree, Scenario, System};
use philae_topology::Topology;
use philae_units::{EndpointId, NodeId, Picoseconds, RankId};
use philae_workload::{Bandwidth, Nodes, PingPong, Size, Span, WorkloadSpec};

use crate::runner::{Cell, StudyError};

/// Two nodes; both use their first NIC.
pub(crate) type Pair = [NodeId; 2];

/// The distance of the first NICs of two nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Distance {
    /// On the two ports of one tile (Rosetta's tile `t` has ports `2 t` and `2 t + 1`).
    SameTile,
    /// On two tiles of one switch.
    SameSwitch,
    /// On two switches of one group.
    SameGroup,
    /// In two groups.
    OtherGroup,
}

impl Distance {
    /// Its name in tables.
    pub const fn name(self) -> &'static str {
        match self {
            Self::SameTile => "same switch, same tile",
            Self::SameSwitch => "same switch",
            Self::SameGroup => "same group",
            Self::OtherGroup => "other group",
        }
    }

    fn of(topology: &Topology, [one, other]: Pair) -> Self {
        let place = |node: NodeId| {
            let endpoint = EndpointId(topology.endpoints_of(node).start);
            let port = topology.port_of(topology.endpoint(endpoint).port);
            (topology.switch_of_endpoint(endpoint), port.0 / 2)
        };
        let ((switch, tile), (other_switch, other_tile)) = (place(one), place(other));
        if switch == other_switch {
            return if tile == other_tile { Self::SameTile } else { Self::SameSwitch };
        }
        let same_group = topology.group_of(switch) == topology.group_of(other_switch);
        if same_group { Self::SameGroup } else { Self::OtherGroup }
    }
}

/// `count` pairs of compute nodes at this distance, drawn at random from `seed`; fewer if the
/// system has none.
pub(crate) fn pairs(topology: &Topology, distance: Distance, count: usize, seed: u64) -> Vec<Pair> {
    /// Purpose of the draws.
    const PAIRS: u64 = u64::from_be_bytes(*b"st-pairs");
    let has_nic = |node: &NodeId| topology.is_compute(*node) && !topology.endpoints_of(*node).is_empty();
    let nodes: Vec<NodeId> = (0..topology.node_count()).map(NodeId::from_index).filter(has_nic).collect();
    let mut stream = RandomStream::new(seed, distance as u64, PAIRS);
    let mut draw = |from: &[NodeId]| from[stream.below(from.len() as u32) as usize];
    let mut found = Vec::with_capacity(count);
    // A node without a partner at this distance costs a try, so that systems without any such pair
    // also end.
    for _ in 0..4 * count {
        if found.len() == count || nodes.is_empty() {
            break;
        }
        let one = draw(&nodes);
        let fits = |other: &NodeId| *other != one && Distance::of(topology, [one, *other]) == distance;
        let partners: Vec<NodeId> = nodes.iter().copied().filter(fits).collect();
        if !partners.is_empty() {
            found.push([one, draw(&partners)]);
        }
    }
    found
}

fn cell(system: &System, seed: u64, label: String, pair: Pair, workload: WorkloadSpec) -> Cell {
    let nodes = Nodes::List(pair.iter().map(|node| (node.0, node.0)).collect());
    let job = JobSection { nodes, ..JobSection::new("pair", workload) };
    // Iterations are kept for jobs whose messages are; by default these are the jobs that end.
    let measure = Measure { messages: None, ..Measure::totals() };
    let scenario = Scenario { seed, measure, jobs: vec![job], ..Scenario::on(system) };
    Cell { label, scenario, system: system.clone() }
}

/// `iterations` messages of `bytes` there and back.
pub(crate) fn ping_pong(system: &System, seed: u64, pair: Pair, bytes: u64, iterations: u32) -> Cell {
    let [one, other] = pair;
    let workload = PingPong { bytes: Size::bytes(bytes), iterations: Some(iterations), ..PingPong::default() };
    let label = format!("ping-pong {bytes} B, nodes {one} and {other}");
    cell(system, seed, label, pair, WorkloadSpec::PingPong(workload))
}

/// `windows` windows of [`WINDOW`] messages of `bytes`, each acknowledged: `osu_bw`.
pub(crate) fn bandwidth(system: &System, seed: u64, pair: Pair, bytes: u64, windows: u32) -> Cell {
    let [one, other] = pair;
    let workload =
        Bandwidth { bytes: Size::bytes(bytes), window: WINDOW, iterations: Some(windows), ..Bandwidth::default() };
    let label = format!("bandwidth {bytes} B, nodes {one} and {other}");
    cell(system, seed, label, pair, WorkloadSpec::Bandwidth(workload))
}

/// Start skews of experiments whose results depend on them: none, and a few microseconds, as a
/// barrier leaves. Each replica takes the next.
///
/// Source: ours; a barrier on 1,024 nodes takes a few microseconds. Status: assumed.
pub(crate) const START_SKEWS: [Span; 3] =
    [Span(Picoseconds::ZERO), Span(Picoseconds::from_micros(1)), Span(Picoseconds::from_micros(5))];

/// One job that never ends, measured for `window_us` after `warm_up_us` of simulated time.
pub(crate) fn streamed(
    system: &System,
    seed: u64,
    label: String,
    job: JobSection,
    (warm_up_us, window_us): (u64, u64),
) -> Cell {
    let run = RunTree {
        time_limit: Some(Span::micros(warm_up_us + window_us)),
        warm_up: Span::micros(warm_up_us),
        start_skew: Span::micros(1),
        ..RunTree::default()
    };
    let scenario = Scenario { seed, run, measure: Measure::totals(), jobs: vec![job], ..Scenario::on(system) };
    Cell { label, scenario, system: system.clone() }
}

/// These nodes, in this order.
pub(crate) fn listed(nodes: impl IntoIterator<Item = u32>) -> Nodes {
    Nodes::List(nodes.into_iter().map(|node| (node, node)).collect())
}

/// A system of second-generation parts with first-generation parts instead: Rosetta, Cassini-1, 200
/// Gb/s.
pub(crate) fn first_generation(name: &str) -> Result<System, StudyError> {
    let system = System::load(name).map_err(Box::new)?;
    let mut description = Arc::unwrap_or_clone(system.description);
    description.name = format!("{name} with first-generation parts");
    "rosetta".clone_into(&mut description.switch);
    "cassini-1".clone_into(&mut description.nic);
    if let Some(dragonfly) = &mut description.dragonfly {
        for cable in [&mut dragonfly.edge, &mut dragonfly.local, &mut dragonfly.global] {
            cable.rate_gbps = 200.0;
        }
    }
    Ok(System::build(description).map_err(Box::new)?)
}

/// Messages of a window. Source: osu_bw's default. Status: published.
pub(crate) const WINDOW: u32 = 64;

/// Half of each round trip of a ping-pong, in nanoseconds, in order.
pub(crate) fn half_round_trips_ns(record: &RunRecord) -> Vec<f64> {
    let first = record.iterations.iter().filter(|row| row.rank == RankId(0));
    first.map(|row| row.end.saturating_sub(row.start).as_nanos_f64() / 2.0).collect()
}

/// Messages per nanosecond over all windows of a bandwidth test except the first, which starts on
/// an idle system.
pub(crate) fn streamed_messages_per_ns(record: &RunRecord) -> f64 {
    let rows: Vec<_> = record.iterations.iter().filter(|row| row.rank == RankId(0)).collect();
    let counted = if rows.len() > 1 { &rows[1..] } else { &rows[..] };
    let time: f64 = counted.iter().map(|row| row.end.saturating_sub(row.start).as_nanos_f64()).sum();
    (counted.len() as u64 * u64::from(WINDOW)) as f64 / time
}

/// Switches that a packet of the run crossed, on average.
pub(crate) fn switches_per_packet(record: &RunRecord) -> f64 {
    record.packet_hops as f64 / record.packets_delivered.max(1) as f64
}

/// The median of some values, in any order; not a number if there are none.
pub(crate) fn median(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    of_sorted(&sorted, 50.0).unwrap_or(f64::NAN)
}

/// Smallest and largest; not a number if there are none.
pub(crate) fn extent(values: impl IntoIterator<Item = f64>) -> (f64, f64) {
    values.into_iter().fold((f64::NAN, f64::NAN), |(low, high), value| (low.min(value), high.max(value)))
}
