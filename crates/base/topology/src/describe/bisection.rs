//! The worst balanced cut.
//!
//! A cut divides the switches, each with its endpoints, into two sides. It is balanced if the
//! endpoints of the sides differ by no more than those of one switch, the largest. Its rate counts
//! both directions. The result is the least rate if that is known, and else an upper bound: the
//! rate of a balanced cut, which is named.

use crate::{Dragonfly, FatTree, LocalWiring, PortPeer, Topology, TopologyShape};
use philae_units::{EndpointId, GroupId, SwitchId, counted};

/// Maximum number of cuts that are checked one by one.
const CUTS_MAX: u64 = 20_000_000;

/// For systems of at most this many switches every cut is checked.
const EXACT_SWITCHES_MAX: usize = 18;

/// The most switches and links that all searches breadth first may visit together.
const VISITS_MAX: usize = 20_000_000;

/// The rate of the worst balanced cut in Gb/s, both directions, and the method.
pub(super) fn bisection(topology: &Topology) -> (f64, String) {
    let cuts = Cuts::of(topology);
    if topology.switch_count() <= EXACT_SWITCHES_MAX {
        return (gbps(cuts.exact()), "exact: every balanced cut".to_owned());
    }
    let known = match topology.shape() {
        TopologyShape::FatTree(tree) => fat_tree(&cuts, topology, tree),
        TopologyShape::Dragonfly(dragonfly) => one_mesh(&cuts, topology, dragonfly),
        TopologyShape::Graph(_) => None,
    };
    if let Some((rate, method)) = known {
        return (gbps(rate), format!("exact: {method}"));
    }
    let mut bounds = vec![cuts.grown()];
    if let TopologyShape::Dragonfly(dragonfly) = topology.shape() {
        bounds.extend(match topology.group_count() {
            1 => grid(&cuts, dragonfly),
            _ => vec![groups(&cuts, topology, dragonfly)],
        });
    }
    // Of equal cuts the one by groups is the simpler.
    let (rate, cut) = bounds.into_iter().rev().min_by_key(|(rate, _)| *rate).expect("one cut at least");
    (gbps(rate), format!("upper bound: {cut}"))
}

fn gbps(rate: u64) -> f64 {
    rate as f64 / 1e3
}

/// The switches with their endpoints and links.
struct Cuts {
    /// Endpoints of each switch; one each if the system has none.
    weight: Vec<u64>,
    /// Other switches and rates in Mb/s, by switch.
    links: Vec<Vec<(usize, u64)>>,
    total: u64,
    largest: u64,
}

impl Cuts {
    fn of(topology: &Topology) -> Self {
        let count = topology.switch_count();
        let mut weight = vec![0_u64; count];
        for endpoint in (0..topology.endpoint_count()).map(EndpointId::from_index) {
            weight[topology.switch_of_endpoint(endpoint).index()] += 1;
        }
        if topology.endpoint_count() == 0 {
            weight.fill(1);
        }
        let links = (0..count).map(|switch| {
            let ports = topology.ports_of(SwitchId::from_index(switch));
            let links = ports.filter_map(|(port, found)| match found.peer {
                PortPeer::Port(other) => Some((topology.switch_of(other).index(), u64::from(topology.rate(port).0))),
                _ => None,
            });
            links.collect()
        });
        let links = links.collect();
        let (total, largest) = (weight.iter().sum(), weight.iter().copied().max().unwrap_or(0));
        Self { weight, links, total, largest }
    }

    fn is_balanced(&self, on_side: u64) -> bool {
        self.total.abs_diff(2 * on_side) <= self.largest
    }

    /// The switches that have endpoints, if all of these have as many.
    fn alike(&self) -> Option<u64> {
        let mut with = self.weight.iter().filter(|&&weight| weight > 0);
        with.all(|&weight| weight == self.largest).then(|| self.total.checked_div(self.largest)).flatten()
    }

    /// Mb/s across a cut, both directions.
    fn rate(&self, inside: &[bool]) -> u64 {
        let links = self.links.iter().enumerate().filter(|(from, _)| inside[*from]).flat_map(|(_, links)| links);
        2 * links.filter(|(to, _)| !inside[*to]).map(|(_, rate)| rate).sum::<u64>()
    }

    /// The least rate of all balanced cuts.
    fn exact(&self) -> u64 {
        let count = self.weight.len();
        let mut between = vec![0; count * count];
        for (from, links) in self.links.iter().enumerate() {
            links.iter().filter(|(to, _)| *to != from).for_each(|(to, rate)| between[from * count + to] += 2 * rate);
        }
        let (mut inside, mut on_side, mut rate, mut worst) = (vec![false; count], 0, 0, None);
        // The last switch stays outside: the other half of the cuts are their mirror images. From
        // one cut to the next, in Gray's order, one switch changes sides.
        for number in 1_u32..1 << count.saturating_sub(1) {
            let changed = number.trailing_zeros() as usize;
            let row = || between[changed * count..][..count].iter().zip(&inside);
            let to_inside: u64 = row().filter(|(_, inside)| **inside).map(|(rate, _)| rate).sum();
            let to_outside: u64 = row().filter(|(_, inside)| !**inside).map(|(rate, _)| rate).sum();
            if inside[changed] {
                (rate, on_side) = (rate + to_inside - to_outside, on_side - self.weight[changed]);
            } else {
                (rate, on_side) = (rate + to_outside - to_inside, on_side + self.weight[changed]);
            }
            inside[changed] = !inside[changed];
            if self.is_balanced(on_side) {
                worst = Some(worst.map_or(rate, |worst: u64| worst.min(rate)));
            }
        }
        worst.unwrap_or(0)
    }

    /// The balanced cut with the first switches of `order` on one side.
    fn half(&self, order: &[usize]) -> Vec<bool> {
        let (mut inside, mut on_side) = (vec![false; self.weight.len()], 0);
        for &switch in order {
            let with = on_side + self.weight[switch];
            // The switch at the middle goes where the sides differ less, by its own endpoints at
            // most.
            if 2 * with > self.total && with + on_side > self.total {
                break;
            }
            (inside[switch], on_side) = (true, with);
            if 2 * on_side >= self.total {
                break;
            }
        }
        inside
    }

    /// The best of the cuts that grow breadth first from a switch.
    fn grown(&self) -> (u64, String) {
        let count = self.weight.len();
        let visits = count + self.links.iter().map(Vec::len).sum::<usize>();
        let step = count.div_ceil((VISITS_MAX / visits).clamp(1, count));
        let rate = |start| self.rate(&self.half(&self.breadth_first(start)));
        let worst = (0..count).step_by(step).map(rate).min().unwrap_or(0);
        (worst, "the best balanced cut that grows breadth first from a switch".to_owned())
    }

    /// The switches by their distance from `start`, and then by number.
    fn breadth_first(&self, start: usize) -> Vec<usize> {
        let (mut is_known, mut order, mut level) = (vec![false; self.weight.len()], Vec::new(), vec![start]);
        is_known[start] = true;
        while !level.is_empty() {
            let mut next = Vec::new();
            for &(to, _) in level.iter().flat_map(|&switch| &self.links[switch]) {
                if !std::mem::replace(&mut is_known[to], true) {
                    next.push(to);
                }
            }
            next.sort_unstable();
            order.append(&mut level);
            level = next;
        }
        // Other parts of a system that is not connected.
        order.extend((0..self.weight.len()).filter(|&switch| !is_known[switch]));
        order
    }
}

/// One group in which each switch is joined to each other, all alike: half of them against the
/// rest.
fn one_mesh(cuts: &Cuts, topology: &Topology, dragonfly: &Dragonfly) -> Option<(u64, String)> {
    let LocalWiring::FullMesh { .. } = dragonfly.local_links(GroupId(0)) else { return None };
    let count = cuts.weight.len();
    if topology.group_count() > 1 || cuts.alike() != Some(count as u64) {
        return None;
    }
    let inside: Vec<bool> = (0..count).map(|switch| switch < count / 2).collect();
    Some((cuts.rate(&inside), "half the switches of the one group against the other half".to_owned()))
}

/// One group whose switches are joined along columns and rows.
fn grid(cuts: &Cuts, dragonfly: &Dragonfly) -> Vec<(u64, String)> {
    let LocalWiring::Grid { columns, .. } = dragonfly.local_links(GroupId(0)) else { return Vec::new() };
    let by_rows: Vec<usize> = (0..cuts.weight.len()).collect();
    let mut by_columns = by_rows.clone();
    by_columns.sort_by_key(|switch| switch % columns as usize);
    let cut = |order: &[usize], what| (cuts.rate(&cuts.half(order)), format!("half the {what} of the one group"));
    vec![cut(&by_rows, "rows"), cut(&by_columns, "columns")]
}

/// Whole groups on one side, and a part of one more if that is what balances the sides. Groups of a
/// kind are alike, so the number of groups of each kind on one side is tried, if these are few
/// enough.
fn groups(cuts: &Cuts, topology: &Topology, dragonfly: &Dragonfly) -> (u64, String) {
    let kinds = dragonfly.kinds();
    let counts = kinds.iter().map(|kind| u64::from(kind.count)).collect::<Vec<_>>();
    let firsts: Vec<u64> = counts.iter().scan(0, |at, count| Some(std::mem::replace(at, *at + count))).collect();
    let weight_of = |group: usize| -> u64 {
        let switches = topology.switches_of(GroupId::from_index(group));
        switches.map(|switch| cuts.weight[switch as usize]).sum()
    };
    let weights: Vec<u64> = (0..topology.group_count()).map(weight_of).collect();
    // The groups of a side: the first of each kind. The last places of the last may be empty.
    let chosen = |side: &[u64]| -> Vec<usize> {
        let groups = side.iter().zip(&firsts).flat_map(|(count, first)| *first..first + count);
        groups.map(|group| group as usize).collect()
    };
    let links = |side: &[u64]| {
        let mut links = 0;
        for one in 0..kinds.len() {
            links += u64::from(dragonfly.links_between_kinds(one, one)) * side[one] * (counts[one] - side[one]);
            for other in one + 1..kinds.len() {
                let crossing = side[one] * (counts[other] - side[other]) + (counts[one] - side[one]) * side[other];
                links += u64::from(dragonfly.links_between_kinds(one, other)) * crossing;
            }
        }
        links
    };
    let sums: Vec<Vec<u64>> = counts
        .iter()
        .zip(&firsts)
        .map(|(count, first)| {
            let of_kind = &weights[*first as usize..(first + count) as usize];
            std::iter::once(0)
                .chain(of_kind.iter().scan(0, |sum, weight| {
                    Some({
                        *sum += weight;
                        *sum
                    })
                }))
                .collect()
        })
        .collect();
    let on = |side: &[u64]| side.iter().zip(&sums).map(|(count, sums)| sums[*count as usize]).sum::<u64>();

    let all = counts.iter().try_fold(1_u64, |product, count| product.checked_mul(count + 1));
    let (mut whole, mut part) = (None, None);
    if all.is_some_and(|all| all <= CUTS_MAX) {
        let largest = weights.iter().copied().max().unwrap_or(0);
        let mut side = vec![0; kinds.len()];
        loop {
            let on_side = on(&side);
            let best = match 2 * on_side <= cuts.total {
                _ if cuts.is_balanced(on_side) => Some(&mut whole),
                true if cuts.total - 2 * on_side < 2 * largest => Some(&mut part),
                _ => None,
            };
            if let Some(best) = best {
                let links = links(&side);
                if best.as_ref().is_none_or(|(least, _): &(u64, Vec<u64>)| links < *least) {
                    *best = Some((links, side.clone()));
                }
            }
            // The next number whose digits are the groups of each kind.
            let Some(digit) = (0..side.len()).find(|digit| side[*digit] < counts[*digit]) else { break };
            side[..digit].fill(0);
            side[digit] += 1;
        }
    }
    let against = |one: usize, rest: usize, part: &str| format!("{}{part} against {rest}", counted(one, "group"));
    let rate_of = |order: &[usize]| {
        let mut inside = vec![false; cuts.weight.len()];
        order.iter().for_each(|&switch| inside[switch] = true);
        cuts.rate(&inside)
    };
    let switches = |groups: &[usize]| -> Vec<usize> {
        let all = groups.iter().flat_map(|&group| topology.switches_of(GroupId::from_index(group)));
        all.map(|switch| switch as usize).collect()
    };
    let mut found = Vec::new();
    if let Some((_, side)) = whole {
        let groups = chosen(&side);
        let cut = against(groups.len(), weights.len() - groups.len(), "");
        found.push((rate_of(&switches(&groups)), cut));
    }
    let part = part.map_or_else(|| counts.iter().map(|count| count / 2).collect(), |(_, side)| side);
    let groups = chosen(&part);
    // The group that is divided: of each kind the first that is left.
    for kind in (0..kinds.len()).filter(|&kind| part[kind] < counts[kind]) {
        let divided = (firsts[kind] + part[kind]) as usize;
        let mut order = switches(&groups);
        let mut side = vec![0_i64; cuts.weight.len()];
        side.iter_mut().for_each(|side| *side = -1);
        order.iter().for_each(|&switch| side[switch] = 1);
        let mut own = switches(&[divided]);
        own.iter().for_each(|&switch| side[switch] = 0);
        // First the switches with the most links to this side.
        let pull = |switch: usize| cuts.links[switch].iter().map(|(to, rate)| side[*to] * *rate as i64).sum::<i64>();
        own.sort_by_key(|&switch| (-pull(switch), switch));
        order.extend(own);
        order.extend(
            (0..weights.len())
                .filter(|group| *group != divided && !groups.contains(group))
                .flat_map(|group| switches(&[group])),
        );
        let cut = against(groups.len(), weights.len() - groups.len() - 1, " and a part of another");
        found.push((cuts.rate(&cuts.half(&order)), cut));
    }
    found.into_iter().min_by_key(|(rate, _)| *rate).expect("one kind has a group left")
}

/// Half the leaves on one side, pod after pod. Spines and cores are on the side that cuts less.
///
/// The links of a spine that cross are a concave function of the leaves of its pod on one side, and
/// so are those of the cores. The sum is least where at most one pod is divided.
fn fat_tree(cuts: &Cuts, topology: &Topology, tree: &FatTree) -> Option<(u64, String)> {
    let sizes = tree.description();
    let rate = cuts.links.first()?.first()?.1;
    let is_even = cuts.links.iter().flatten().all(|(_, found)| *found == rate);
    let pods = sizes.cores.map_or(1, |cores| u64::from(cores.pods));
    let leaves = u64::from(sizes.leaves);
    if !is_even || cuts.alike() != Some(pods * leaves) || topology.endpoint_count() == 0 {
        return None;
    }
    let down = u64::from(sizes.links_per_pair);
    let up = sizes.cores.map_or(0, |cores| u64::from(cores.per_plane) * u64::from(cores.links_per_pair));
    // Links of a spine that cross, if `on_side` leaves of its pod are on the side without cores.
    let crossing = |on_side: u64| (on_side * down).min((leaves - on_side) * down + if pods > 1 { up } else { 0 });
    let half = pods * leaves / 2;
    let links = u64::from(sizes.spines) * (half / leaves * crossing(leaves) + crossing(half % leaves));
    let what = if pods > 1 && pods.is_multiple_of(2) { "pods" } else { "leaves" };
    Some((2 * links * rate, format!("half the {what} against the rest")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{DragonflyDescription, FatTreeDescription, GraphDescription, GraphEndpoint, SystemDescription};

    fn build(system: impl Into<SystemDescription>) -> Topology {
        Topology::build(&system.into()).expect("it can be built")
    }

    /// The least rate of all balanced cuts, by its definition and nothing else.
    fn by_definition(topology: &Topology) -> u64 {
        let count = topology.switch_count();
        let endpoints = |switch: usize| {
            let on =
                |endpoint: &usize| topology.switch_of_endpoint(EndpointId::from_index(*endpoint)).index() == switch;
            (0..topology.endpoint_count()).filter(on).count()
        };
        let endpoints: Vec<usize> = (0..count).map(endpoints).collect();
        let largest = endpoints.iter().copied().max().expect("a switch");
        let mut least = u64::MAX;
        for side in 0_u32..1 << count {
            let is_in = |switch: usize| side >> switch & 1 == 1;
            let one: usize = (0..count).filter(|&switch| is_in(switch)).map(|switch| endpoints[switch]).sum();
            let other: usize = (0..count).filter(|&switch| !is_in(switch)).map(|switch| endpoints[switch]).sum();
            if one.abs_diff(other) > largest {
                continue;
            }
            let mut rate = 0;
            for from in 0..count {
                for (port, found) in topology.ports_of(SwitchId::from_index(from)) {
                    if let PortPeer::Port(to) = found.peer
                        && is_in(from) != is_in(topology.switch_of(to).index())
                    {
                        rate += u64::from(topology.rate(port).0);
                    }
                }
            }
            least = least.min(rate);
        }
        least
    }

    /// The same switches, links and endpoints, as a graph.
    fn as_graph(topology: &Topology) -> Topology {
        let mut links = Vec::new();
        for from in (0..topology.switch_count()).map(SwitchId::from_index) {
            for (port, found) in topology.ports_of(from) {
                if let PortPeer::Port(to) = found.peer
                    && port < to
                {
                    links.push([from.0, topology.switch_of(to).0]);
                }
            }
        }
        let mut graph = GraphDescription::regular(topology.switch_count() as u32, 0, &links);
        let all = (0..topology.endpoint_count()).map(EndpointId::from_index);
        graph.endpoints = all.map(|endpoint| GraphEndpoint::on(topology.switch_of_endpoint(endpoint).0)).collect();
        build(graph)
    }

    fn small() -> Vec<Topology> {
        let mut all = Vec::new();
        for groups in 2..=5 {
            for switches in 1..=3 {
                for links in [1, 2, 4] {
                    let dragonfly = DragonflyDescription::uniform(groups, switches, 2, links);
                    all.extend(Topology::build(&SystemDescription::from(dragonfly)));
                }
            }
        }
        all.extend((2..=7).map(|switches| build(DragonflyDescription::uniform(1, switches, 2, 0))));
        for (leaves, spines) in [(2, 1), (3, 2), (4, 2), (5, 3), (7, 2)] {
            all.push(build(FatTreeDescription::two_level(leaves, 2, spines)));
        }
        for pods in 2..=4 {
            for (leaves, spines, per_plane) in [(2, 1, 1), (2, 1, 3), (1, 2, 1), (2, 2, 1), (3, 1, 2)] {
                let tree = FatTreeDescription::three_level(pods, leaves, 2, spines, per_plane);
                all.extend(Topology::build(&SystemDescription::from(tree)));
            }
        }
        all.retain(|topology| topology.switch_count() <= 14);
        all
    }

    #[test]
    fn every_shape_agrees_with_the_definition_and_with_its_graph() {
        let all = small();
        assert!(all.len() > 30, "{} systems", all.len());
        for topology in &all {
            let (shown, method) = bisection(topology);
            assert_eq!(shown, gbps(by_definition(topology)), "{method}: {:?}", topology.shape());
            assert_eq!((shown, method), bisection(&as_graph(topology)), "{:?}", topology.shape());
        }
    }

    #[test]
    fn formulas_and_bounds_are_right_where_every_cut_can_be_tried() {
        let (mut formulas, mut bounds) = (0, 0);
        for topology in &small() {
            let cuts = Cuts::of(topology);
            let least = cuts.exact();
            let known = match topology.shape() {
                TopologyShape::FatTree(tree) => fat_tree(&cuts, topology, tree),
                TopologyShape::Dragonfly(dragonfly) => one_mesh(&cuts, topology, dragonfly),
                TopologyShape::Graph(_) => None,
            };
            if let Some((rate, method)) = known {
                assert_eq!(rate, least, "{method}: {:?}", topology.shape());
                formulas += 1;
            }
            assert!(cuts.grown().0 >= least, "{:?}", topology.shape());
            if let (TopologyShape::Dragonfly(dragonfly), true) = (topology.shape(), topology.group_count() > 1) {
                let (rate, cut) = groups(&cuts, topology, dragonfly);
                assert!(rate >= least, "{cut}: {rate} below {least}");
                bounds += 1;
            }
        }
        assert!(formulas > 15 && bounds > 15, "{formulas} formulas, {bounds} bounds");
    }

    #[test]
    fn a_half_is_balanced_whatever_the_endpoints() {
        for weight in [vec![1, 1, 1], vec![5, 1, 1, 1], vec![1, 1, 1, 5], vec![3, 3, 3, 1], vec![0, 4, 0, 4, 4]] {
            let (total, largest) = (weight.iter().sum(), weight.iter().copied().max().expect("one"));
            let cuts = Cuts { links: vec![Vec::new(); weight.len()], weight, total, largest };
            let order: Vec<usize> = (0..cuts.weight.len()).collect();
            let half = cuts.half(&order);
            let on_side = half.iter().zip(&cuts.weight).filter(|(inside, _)| **inside).map(|(_, one)| one).sum();
            assert!(cuts.is_balanced(on_side), "{:?}", cuts.weight);
        }
    }
}
