//! The worst balanced cut.
//!
//! A cut divides the switches, each with its endpoints, into two sides. It is balanced if the
//! endpoints of the sides differ by no more than those of one switch, the largest. Its rate counts
//! both directions. The result is the least rate if that is known, and else an upper bound: the
//! rate of a balanced cut, which is named. If its sides are not equal, they are named, too.

mod groups;

use crate::{Dragonfly, FatTree, LocalWiring, PortPeer, Topology, TopologyShape};
use groups::groups;
use philae_units::{EndpointId, GroupId, SwitchId};

/// For systems of at most this many switches every cut is checked. Source: ours: 131,072 cuts take
/// milliseconds. Status: assumed.
const EXACT_SWITCHES_MAX: usize = 18;

/// The most switches and links that all searches breadth first may visit together. Source: ours:
/// some tenths of a second. Status: assumed.
const VISITS_MAX: usize = 20_000_000;

/// A balanced cut.
struct Cut {
    /// Mb/s, both directions.
    rate: u64,
    /// Endpoints on one side.
    on_side: u64,
    name: String,
}

/// The rate of the worst balanced cut in Gb/s, both directions, and the method. `named` has the
/// group of each switch of a graph, if its file names groups.
pub(super) fn bisection(topology: &Topology, named: &[u32]) -> (f64, String) {
    let cuts = Cuts::of(topology);
    let (how, cut) = worst(&cuts, topology, named);
    let (less, more) = (cut.on_side.min(cuts.total - cut.on_side), cut.on_side.max(cuts.total - cut.on_side));
    let what = if topology.endpoint_count() == 0 { "switches" } else { "endpoints" };
    let sides = if less == more { String::new() } else { format!("; sides of {less} and {more} {what}") };
    (gbps(cut.rate), format!("{how}: {}{sides}", cut.name))
}

fn worst(cuts: &Cuts, topology: &Topology, named: &[u32]) -> (&'static str, Cut) {
    if topology.switch_count() <= EXACT_SWITCHES_MAX {
        return ("exact", cuts.exact());
    }
    let known = match topology.shape() {
        TopologyShape::FatTree(tree) => fat_tree(cuts, topology, tree),
        TopologyShape::Dragonfly(dragonfly) => one_mesh(cuts, topology, dragonfly),
        TopologyShape::Graph(_) => None,
    };
    if let Some(cut) = known {
        return ("exact", cut);
    }
    let mut bounds = vec![cuts.grown()];
    if let TopologyShape::Dragonfly(dragonfly) = topology.shape()
        && topology.group_count() == 1
    {
        bounds.extend(grid(cuts, dragonfly));
    }
    bounds.extend(groups(cuts, &group_of(topology, named)));
    // Of equal cuts the one by groups is the simpler.
    ("upper bound", bounds.into_iter().rev().min_by_key(|cut| cut.rate).expect("one cut at least"))
}

/// The group of each switch: that of the system or, in a graph, the one that its file names.
fn group_of(topology: &Topology, named: &[u32]) -> Vec<usize> {
    let is_named = topology.group_count() == 1 && named.len() == topology.switch_count();
    let of = |switch| topology.group_of(SwitchId::from_index(switch)).index();
    (0..topology.switch_count()).map(|switch| if is_named { named[switch] as usize } else { of(switch) }).collect()
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

    /// A cut by its switches on one side.
    fn cut(&self, inside: &[bool], name: impl Into<String>) -> Cut {
        let on_side = inside.iter().zip(&self.weight).filter(|(inside, _)| **inside).map(|(_, weight)| weight).sum();
        Cut { rate: self.rate(inside), on_side, name: name.into() }
    }

    /// The balanced cut of the least rate; of equal ones, that with the most equal sides.
    fn exact(&self) -> Cut {
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
                let found = (rate, self.total.abs_diff(2 * on_side), on_side);
                worst = Some(worst.map_or(found, |worst: (u64, u64, u64)| worst.min(found)));
            }
        }
        let (rate, _, on_side) = worst.unwrap_or((0, 0, self.total));
        Cut { rate, on_side, name: "every balanced cut".to_owned() }
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
    fn grown(&self) -> Cut {
        let count = self.weight.len();
        let visits = count + self.links.iter().map(Vec::len).sum::<usize>();
        let step = count.div_ceil((VISITS_MAX / visits).clamp(1, count));
        let name = "the best balanced cut that grows breadth first from a switch";
        let from = |start| self.cut(&self.half(&self.breadth_first(start)), name);
        (0..count).step_by(step).map(from).min_by_key(|cut| cut.rate).expect("one switch at least")
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
fn one_mesh(cuts: &Cuts, topology: &Topology, dragonfly: &Dragonfly) -> Option<Cut> {
    let LocalWiring::FullMesh { .. } = dragonfly.local_links(GroupId(0)) else { return None };
    let count = cuts.weight.len();
    if topology.group_count() > 1 || cuts.alike() != Some(count as u64) {
        return None;
    }
    let inside: Vec<bool> = (0..count).map(|switch| switch < count / 2).collect();
    Some(cuts.cut(&inside, "half the switches of the one group against the other half"))
}

/// One group whose switches are joined along columns and rows.
fn grid(cuts: &Cuts, dragonfly: &Dragonfly) -> Vec<Cut> {
    let LocalWiring::Grid { columns, .. } = dragonfly.local_links(GroupId(0)) else { return Vec::new() };
    let by_rows: Vec<usize> = (0..cuts.weight.len()).collect();
    let mut by_columns = by_rows.clone();
    by_columns.sort_by_key(|switch| switch % columns as usize);
    let cut = |order: &[usize], what| cuts.cut(&cuts.half(order), format!("half the {what} of the one group"));
    vec![cut(&by_rows, "rows"), cut(&by_columns, "columns")]
}

/// Half the leaves on one side, pod after pod. Spines and cores are on the side that cuts less.
///
/// The links of a spine that cross are a concave function of the leaves of its pod on one side, and
/// so are those of the cores. The sum is least where at most one pod is divided.
fn fat_tree(cuts: &Cuts, topology: &Topology, tree: &FatTree) -> Option<Cut> {
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
    let on_side = half * cuts.largest;
    Some(Cut { rate: 2 * links * rate, on_side, name: format!("half the {what} against the rest") })
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
            let (shown, method) = bisection(topology, &[]);
            assert_eq!(shown, gbps(by_definition(topology)), "{method}: {:?}", topology.shape());
            assert_eq!((shown, method), bisection(&as_graph(topology), &[]), "{:?}", topology.shape());
        }
    }

    #[test]
    fn formulas_and_bounds_are_right_where_every_cut_can_be_tried() {
        let (mut formulas, mut bounds) = (0, 0);
        for topology in &small() {
            let cuts = Cuts::of(topology);
            let least = cuts.exact().rate;
            let known = match topology.shape() {
                TopologyShape::FatTree(tree) => fat_tree(&cuts, topology, tree),
                TopologyShape::Dragonfly(dragonfly) => one_mesh(&cuts, topology, dragonfly),
                TopologyShape::Graph(_) => None,
            };
            if let Some(Cut { rate, on_side, name }) = known {
                assert_eq!(rate, least, "{name}: {:?}", topology.shape());
                assert!(cuts.is_balanced(on_side), "{name}: {:?}", topology.shape());
                formulas += 1;
            }
            assert!(cuts.grown().rate >= least, "{:?}", topology.shape());
            for Cut { rate, on_side, name } in groups(&cuts, &group_of(topology, &[])) {
                assert!(rate >= least, "{name}: {rate} below {least}");
                assert!(cuts.is_balanced(on_side), "{name}: {on_side} of {}", cuts.total);
                bounds += 1;
            }
        }
        assert!(formulas > 15 && bounds > 15, "{formulas} formulas, {bounds} bounds");
    }

    #[test]
    fn sides_that_are_not_equal_are_named() {
        let mut graph = GraphDescription::regular(3, 0, &[[0, 1], [1, 2]]);
        graph.endpoints = [0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2].map(GraphEndpoint::on).to_vec();
        let (rate, method) = bisection(&build(graph.clone()), &[]);
        assert_eq!((rate, method.as_str()), (400.0, "exact: every balanced cut; sides of 5 and 8 endpoints"));
        graph.endpoints.clear();
        assert!(bisection(&build(graph.clone()), &[]).1.ends_with("; sides of 1 and 2 switches"));
        graph.endpoints = [0, 2].map(GraphEndpoint::on).to_vec();
        assert_eq!(bisection(&build(graph), &[]).1, "exact: every balanced cut");
    }

    #[test]
    fn groups_that_a_file_names_are_tried() {
        // A chain of cliques with numbers far from their places, and another link between all.
        let mut links: Vec<[u32; 2]> = Vec::new();
        for one in 0..24_u32 {
            links.extend((one + 1..24).filter(|other| (other - one) % 4 == 0).map(|other| [one, other]));
        }
        links.extend((0..23).map(|one| [one, one + 1]));
        let topology = build(GraphDescription::regular(24, 2, &links));
        let named: Vec<u32> = (0..24).map(|switch| switch % 4).collect();
        let (rate, method) = bisection(&topology, &named);
        assert_eq!(method, "upper bound: 2 groups against 2");
        // Of the 23 links of the chain, 11 join groups 1 and 2 or 3 and 0.
        assert_eq!(rate, 11.0 * 200.0 * 2.0);
        assert!(bisection(&topology, &[]).0 >= rate);
        // As many groups as switches: too many kinds to try them all.
        let all: Vec<u32> = (0..24).collect();
        assert!(bisection(&topology, &all).0 >= rate);
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
