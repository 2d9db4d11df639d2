//! Max-min fairness by progressive filling: every flow's rate grows equally until a resource on its
//! path is full.
//!
//! A flow may have a second path. It grows on the first until that is full, then on the second, and
//! stops when both are full. Adaptive routing converges to the same, because it leaves a shortest
//! path only once that is loaded.
//!
//! Invariant: no resource carries more than its capacity, and a flow stops only at a resource that
//! is full and on which no flow that is still growing has passed it.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::ops::Range;

use philae_engine::{prefetch_at, prefetch_line};

/// A resource on a path, and the part of the flow that crosses it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ResourcePart {
    /// Number of the resource.
    pub resource: u32,
    /// Bytes that cross it for each byte of the flow.
    pub fraction: f64,
}

/// The demand of a flow.
#[derive(Clone, Copy, Debug)]
pub struct Demand<'a> {
    /// Its first path.
    pub first: &'a [ResourcePart],
    /// The path that it uses in addition once the first is full; empty if there is none.
    pub second: &'a [ResourcePart],
    /// How fast its rate grows, relative to others.
    pub weight: f64,
}

/// The flows that share capacities.
pub trait Sharers {
    /// Number of flows.
    fn count(&self) -> usize;
    /// The demand of one flow.
    fn demand(&self, number: usize) -> Demand<'_>;
    /// Prefetches that demand.
    fn prefetch(&self, number: usize);
}

impl Sharers for [Demand<'_>] {
    fn count(&self) -> usize {
        self.len()
    }
    fn demand(&self, number: usize) -> Demand<'_> {
        self[number]
    }
    fn prefetch(&self, number: usize) {
        prefetch_at(self, number);
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct FlowGrant {
    /// Rate over both paths.
    pub rate: f64,
    /// The part of it over the second.
    pub detoured: f64,
    /// The resource that stopped it.
    pub stopped_by: u32,
}

/// No resource: the flow crosses nothing with a capacity.
pub const NOTHING: u32 = u32::MAX;

/// Part of a capacity; demands below it cannot fill the resource.
///
/// Source: ours: one, less room for rounding. Status: derived.
const ROOM: f64 = 0.999_999;

/// Flows whose resources are prefetched together. Source: ours: several hundred cache lines, which
/// the first-level cache holds. Status: assumed.
const BATCH: usize = 16;
/// Parts of a path in a cache line.
const LINE_PARTS: usize = 64 / size_of::<ResourcePart>();

/// The highest rate that a flow could get alone.
fn most(capacities: &[f64], flow: &Demand<'_>) -> f64 {
    let on_both = |part: &&ResourcePart| {
        flow.second.is_empty() || flow.second.iter().any(|other| other.resource == part.resource)
    };
    let second = |part: &ResourcePart| flow.second.iter().find(|other| other.resource == part.resource);
    let alone = |part: &ResourcePart| {
        let least = second(part).map_or(part.fraction, |other| part.fraction.min(other.fraction));
        capacities[part.resource as usize] / least
    };
    flow.first.iter().filter(on_both).map(alone).fold(f64::INFINITY, f64::min)
}

/// A saturation level in the heap: levels are never negative and never NaN, so their bits have the
/// same order.
fn key(level: f64) -> u64 {
    level.max(0.0).to_bits()
}

/// A resource during the division: one cache line.
#[derive(Clone, Copy, Debug, Default)]
#[repr(align(64))]
struct Column {
    /// Free capacity at level `at`.
    free: f64,
    /// How fast that shrinks as the level rises.
    slope: f64,
    at: f64,
    /// The largest demand that its flows could have.
    potential: f64,
    /// Its earliest entry in the lists of the next full resources: later ones are out of date.
    expected: u64,
    /// Place of its flows in the incidence list.
    begin: u32,
    end: u32,
    full: bool,
    used: bool,
    /// Whether its potential is less than its capacity: it is never full, and is left out.
    quiet: bool,
}

// A step of a flow reads each resource on its path, and those of a large system are in no cache.
const _: () = assert!(size_of::<Column>() == 64);

impl Column {
    fn move_to(&mut self, level: f64) {
        self.free = (self.free - self.slope * (level - self.at)).max(0.0);
        self.at = level;
    }

    fn full_at(&self) -> f64 {
        if self.slope > 0.0 { self.at + self.free / self.slope } else { f64::INFINITY }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    First,
    Second,
    Stopped,
}

/// A flow that crosses a resource, and on which of its paths.
#[derive(Clone, Copy, Debug, Default)]
struct Crossing(u32);

impl Crossing {
    /// Maximum number of flows: one bit names the path.
    const FLOWS_MAX: usize = 1 << 31;

    const fn new(flow: usize, on_second: bool) -> Self {
        Self((flow as u32) << 1 | on_second as u32)
    }

    const fn flow(self) -> usize {
        (self.0 >> 1) as usize
    }

    /// The stage in which its flow grows on that path.
    const fn stage(self) -> Stage {
        if self.0 & 1 == 0 { Stage::First } else { Stage::Second }
    }
}

/// Divides capacities among flows. Keeps its memory between calls.
#[derive(Clone, Debug, Default)]
pub struct Sharing {
    columns: Vec<Column>,
    touched: Vec<u32>,
    incidence: Vec<Crossing>,
    /// The stage of each flow, in a column of its own: most flows at a full resource have stopped
    /// elsewhere.
    stages: Vec<Stage>,
    /// Level at which each flow's first path was full.
    since: Vec<f64>,
    /// Flows that grow on the resource that is being filled.
    growing: Vec<Crossing>,
    /// When the flows of the beginning would fill each resource, soonest last: one sort is faster
    /// than a heap of all.
    first_full: Vec<(u64, u32)>,
    /// The same for resources that have changed since.
    heap: BinaryHeap<Reverse<(u64, u32)>>,
}

impl Sharing {
    /// The grant of each flow from these capacities, in the order of the flows.
    pub fn share<S: Sharers + ?Sized>(&mut self, capacities: &[f64], flows: &S, grants: &mut Vec<FlowGrant>) {
        let count = flows.count();
        assert!(count <= Crossing::FLOWS_MAX, "{count} flows at once");
        self.prepare(capacities, flows);
        grants.clear();
        grants.resize(count, FlowGrant { stopped_by: NOTHING, ..FlowGrant::default() });
        while let Some((popped, resource)) = self.next_full() {
            let column = &mut self.columns[resource as usize];
            if popped != column.expected {
                continue;
            }
            column.expected = u64::MAX;
            if column.full || column.slope <= 0.0 {
                continue;
            }
            let level = column.full_at();
            if key(level) > popped {
                // Flows have left it since then: it fills later.
                column.expected = key(level);
                self.heap.push(Reverse((key(level), resource)));
                continue;
            }
            self.fill(resource, level, flows, grants);
        }
    }

    /// The resource that is full next, as far as is known.
    fn next_full(&mut self) -> Option<(u64, u32)> {
        let changed = self.heap.peek().map(|&Reverse(entry)| entry);
        match (self.first_full.last().copied(), changed) {
            (Some(first), Some(changed)) if changed < first => self.heap.pop().map(|Reverse(entry)| entry),
            (None, _) => self.heap.pop().map(|Reverse(entry)| entry),
            _ => self.first_full.pop(),
        }
    }

    fn prepare<S: Sharers + ?Sized>(&mut self, capacities: &[f64], flows: &S) {
        let count = flows.count();
        for resource in self.touched.drain(..) {
            self.columns[resource as usize] = Column::default();
        }
        self.columns.resize(capacities.len(), Column::default());
        self.heap.clear();
        self.first_full.clear();
        self.stages.clear();
        self.stages.resize(count, Stage::First);
        self.since.resize(count, 0.0);
        for number in 0..count {
            self.look_ahead(number..count, flows);
            let flow = flows.demand(number);
            let most = most(capacities, &flow);
            let paths = [(flow.first, flow.weight), (flow.second, 0.0)];
            for (part, weight) in paths.iter().flat_map(|(path, weight)| path.iter().map(move |part| (part, weight))) {
                let column = &mut self.columns[part.resource as usize];
                if !column.used {
                    column.used = true;
                    column.free = capacities[part.resource as usize];
                    column.expected = u64::MAX;
                    self.touched.push(part.resource);
                }
                column.end += 1;
                column.slope += part.fraction * weight;
                column.potential += part.fraction * most;
            }
        }
        let mut begin = 0;
        for &resource in &self.touched {
            let column = &mut self.columns[resource as usize];
            column.quiet = column.potential < ROOM * capacities[resource as usize];
            let count = if column.quiet { 0 } else { column.end };
            (column.begin, column.end) = (begin, begin);
            begin += count;
            if column.slope > 0.0 && !column.quiet {
                column.expected = key(column.full_at());
                self.first_full.push((column.expected, resource));
            }
        }
        self.first_full.sort_unstable_by(|one, other| other.cmp(one));
        self.incidence.clear();
        self.incidence.resize(begin as usize, Crossing::default());
        for number in 0..count {
            self.look_ahead(number..count, flows);
            let flow = flows.demand(number);
            for (path, on_second) in [(flow.first, false), (flow.second, true)] {
                for part in path.iter().filter(|part| part.fraction > 0.0) {
                    let column = &mut self.columns[part.resource as usize];
                    if !column.quiet {
                        self.incidence[column.end as usize] = Crossing::new(number, on_second);
                        column.end += 1;
                    }
                }
            }
        }
    }

    /// Prefetches the resources on the paths of the next flows, once for each batch of them.
    fn look_ahead<S: Sharers + ?Sized>(&self, left: Range<usize>, flows: &S) {
        if left.start.is_multiple_of(BATCH) {
            for number in left.start..left.end.min(left.start + BATCH) {
                let flow = flows.demand(number);
                for part in flow.first.iter().chain(flow.second) {
                    prefetch_at(&self.columns, part.resource as usize);
                }
            }
        }
    }

    /// A resource is full: flows that grow on it continue on their other path, or stop.
    fn fill<S: Sharers + ?Sized>(&mut self, resource: u32, level: f64, flows: &S, grants: &mut [FlowGrant]) {
        let column = &mut self.columns[resource as usize];
        column.move_to(level);
        (column.full, column.free) = (true, 0.0);
        let list = &self.incidence[column.begin as usize..column.end as usize];
        let mut growing = std::mem::take(&mut self.growing);
        growing.clear();
        // A flow whose two paths both cross the resource appears twice, and grows on one of them.
        growing.extend(list.iter().filter(|crossing| self.stages[crossing.flow()] == crossing.stage()));
        self.ask_for(&growing, flows, grants);
        for crossing in &growing {
            let number = crossing.flow();
            let flow = flows.demand(number);
            let grant = &mut grants[number];
            grant.rate = flow.weight * level;
            if crossing.stage() == Stage::First {
                self.leave(flow.first, flow.weight, level);
                let open = |part: &ResourcePart| !self.columns[part.resource as usize].full;
                if !flow.second.is_empty() && flow.second.iter().all(open) {
                    (self.stages[number], self.since[number]) = (Stage::Second, level);
                    self.join(flow.second, flow.weight, level);
                    continue;
                }
            } else {
                self.leave(flow.second, flow.weight, level);
                grant.detoured = flow.weight * (level - self.since[number]);
            }
            self.stages[number] = Stage::Stopped;
            grant.stopped_by = resource;
        }
        self.growing = growing;
    }

    /// Prefetches what these flows will touch, one step for all of them before the next step: the
    /// objects of each step are in no cache.
    fn ask_for<S: Sharers + ?Sized>(&self, growing: &[Crossing], flows: &S, grants: &[FlowGrant]) {
        for crossing in growing {
            flows.prefetch(crossing.flow());
            prefetch_at(grants, crossing.flow());
            prefetch_at(&self.since, crossing.flow());
        }
        let paths = |crossing: &Crossing| {
            let flow = flows.demand(crossing.flow());
            if crossing.stage() == Stage::First { [flow.first, flow.second] } else { [flow.second, &[]] }
        };
        for part in growing.iter().flat_map(paths).flat_map(|path| path.iter().step_by(LINE_PARTS)) {
            prefetch_line(part);
        }
        for part in growing.iter().flat_map(paths).flatten() {
            prefetch_at(&self.columns, part.resource as usize);
        }
    }

    fn leave(&mut self, path: &[ResourcePart], weight: f64, level: f64) {
        for part in path {
            let column = &mut self.columns[part.resource as usize];
            if column.quiet {
                continue;
            }
            if !column.full {
                column.move_to(level);
            }
            column.slope = (column.slope - part.fraction * weight).max(0.0);
        }
    }

    fn join(&mut self, path: &[ResourcePart], weight: f64, level: f64) {
        for part in path {
            let column = &mut self.columns[part.resource as usize];
            if column.quiet {
                continue;
            }
            column.move_to(level);
            column.slope += part.fraction * weight;
            let expected = key(column.full_at());
            if expected < column.expected {
                column.expected = expected;
                self.heap.push(Reverse((expected, part.resource)));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const fn part(resource: u32, fraction: f64) -> ResourcePart {
        ResourcePart { resource, fraction }
    }

    fn shared(capacities: &[f64], paths: &[(Vec<ResourcePart>, Vec<ResourcePart>)]) -> Vec<FlowGrant> {
        let flows: Vec<Demand<'_>> =
            paths.iter().map(|(first, second)| Demand { first, second, weight: 1.0 }).collect();
        let mut grants = Vec::new();
        Sharing::default().share(capacities, flows.as_slice(), &mut grants);
        grants
    }

    #[test]
    fn two_links_and_three_flows() {
        // The textbook's line: one flow over both links, one over each.
        let paths = [vec![part(0, 1.0), part(1, 1.0)], vec![part(0, 1.0)], vec![part(1, 1.0)]];
        let grants = shared(&[10.0, 4.0], &paths.map(|path| (path, Vec::new())));
        let rates: Vec<f64> = grants.iter().map(|grant| grant.rate).collect();
        assert_eq!(rates, [2.0, 8.0, 2.0]);
        assert_eq!([grants[0].stopped_by, grants[1].stopped_by], [1, 0]);
    }

    #[test]
    fn a_full_way_is_left_for_the_second() {
        // Two flows share a direct link of 4 and have a detour of 6 that costs twice; each may send
        // 8.
        let path = |edge| (vec![part(edge, 1.0), part(2, 1.0)], vec![part(edge, 1.0), part(3, 2.0)]);
        let grants = shared(&[8.0, 8.0, 4.0, 6.0], &[path(0), path(1)]);
        for grant in grants {
            assert!((grant.rate - 3.5).abs() < 1e-9 && (grant.detoured - 1.5).abs() < 1e-9, "{grant:?}");
            assert_eq!(grant.stopped_by, 3);
        }
    }

    /// The simple version: reads every resource at each step, and has no lists.
    fn simple(capacities: &[f64], paths: &[(Vec<ResourcePart>, Vec<ResourcePart>)]) -> Vec<FlowGrant> {
        let mut grants = vec![FlowGrant { stopped_by: NOTHING, ..FlowGrant::default() }; paths.len()];
        let mut stages = vec![(Stage::First, 0.0); paths.len()];
        let mut full = vec![false; capacities.len()];
        loop {
            let next = (0..capacities.len()).filter(|&resource| !full[resource]).filter_map(|resource| {
                let on = |path: &[ResourcePart]| -> f64 {
                    path.iter().filter(|part| part.resource as usize == resource).map(|part| part.fraction).sum()
                };
                let (mut slope, mut used) = (0.0, 0.0);
                for (((first, second), (stage, since)), grant) in paths.iter().zip(&stages).zip(&grants) {
                    match stage {
                        Stage::First => slope += on(first),
                        Stage::Second => (slope, used) = (slope + on(second), used + since * (on(first) - on(second))),
                        Stage::Stopped => {
                            used += (grant.rate - grant.detoured) * on(first) + grant.detoured * on(second)
                        }
                    }
                }
                (slope > 1e-12).then(|| ((capacities[resource] - used) / slope, resource))
            });
            let Some((level, resource)) = next.min_by(|one, other| one.0.total_cmp(&other.0)) else { return grants };
            full[resource] = true;
            for (number, (first, second)) in paths.iter().enumerate() {
                let crosses = |path: &[ResourcePart]| path.iter().any(|part| part.resource as usize == resource);
                let (stage, since) = stages[number];
                let open = !second.is_empty() && second.iter().all(|part| !full[part.resource as usize]);
                match stage {
                    Stage::First if crosses(first) && open => stages[number] = (Stage::Second, level),
                    Stage::First if crosses(first) => {
                        grants[number] = FlowGrant { rate: level, detoured: 0.0, stopped_by: resource as u32 };
                        stages[number].0 = Stage::Stopped;
                    }
                    Stage::Second if crosses(second) => {
                        grants[number] =
                            FlowGrant { rate: level, detoured: level - since, stopped_by: resource as u32 };
                        stages[number].0 = Stage::Stopped;
                    }
                    _ => {}
                }
            }
        }
    }

    proptest! {
        #[test]
        fn rates_are_those_of_the_simple_version(
            capacities in prop::collection::vec(1.0_f64..100.0, 8..9),
            picks in prop::collection::vec((prop::collection::btree_set(0_u32..8, 1..4), prop::collection::btree_set(0_u32..8, 0..3)), 1..60),
        ) {
            let parts = |picked: &std::collections::BTreeSet<u32>, fraction: f64| {
                picked.iter().map(|&resource| part(resource, fraction)).collect::<Vec<ResourcePart>>()
            };
            let paths: Vec<(Vec<ResourcePart>, Vec<ResourcePart>)> =
                picks.iter().map(|(first, second)| (parts(first, 1.0), parts(second, 1.5))).collect();
            for (fast, slow) in shared(&capacities, &paths).iter().zip(simple(&capacities, &paths)) {
                let near = |one: f64, other: f64| (one - other).abs() < 1e-6 * (1.0 + other.abs());
                prop_assert!(near(fast.rate, slow.rate) && near(fast.detoured, slow.detoured), "{:?} {:?}", fast, slow);
            }
        }

        #[test]
        fn nothing_is_overfull_and_nobody_can_be_raised_without_lowering_a_smaller_one(
            capacities in prop::collection::vec(1.0_f64..100.0, 2..12),
            picks in prop::collection::vec(prop::collection::vec((0_usize..12, 1_u8..4), 1..5), 1..40),
        ) {
            let paths: Vec<(Vec<ResourcePart>, Vec<ResourcePart>)> = picks.iter().map(|picked| {
                let mut path: Vec<ResourcePart> = picked.iter()
                    .map(|&(resource, quarter)| part((resource % capacities.len()) as u32, f64::from(quarter) / 2.0))
                    .collect();
                path.sort_by_key(|part| part.resource);
                path.dedup_by_key(|part| part.resource);
                (path, Vec::new())
            }).collect();
            let grants = shared(&capacities, &paths);
            let mut loads = vec![0.0; capacities.len()];
            for ((path, _), grant) in paths.iter().zip(&grants) {
                path.iter().for_each(|part| loads[part.resource as usize] += part.fraction * grant.rate);
            }
            for (load, capacity) in loads.iter().zip(&capacities) {
                prop_assert!(*load <= capacity * (1.0 + 1e-9), "{} of {}", load, capacity);
            }
            for ((path, _), grant) in paths.iter().zip(&grants) {
                let holds = path.iter().any(|part| {
                    let resource = part.resource as usize;
                    let largest = paths.iter().zip(&grants)
                        .filter(|((other, _), _)| other.iter().any(|found| found.resource == part.resource))
                        .map(|(_, grant)| grant.rate)
                        .fold(0.0, f64::max);
                    loads[resource] >= capacities[resource] * (1.0 - 1e-9) && grant.rate >= largest * (1.0 - 1e-9)
                });
                prop_assert!(holds, "a flow at {} is at no full resource where nobody has more", grant.rate);
            }
        }

        #[test]
        fn second_ways_overfill_nothing_either(
            capacities in prop::collection::vec(1.0_f64..100.0, 6..7),
            picks in prop::collection::vec((0_u32..6, 0_u32..6), 1..40),
        ) {
            let paths: Vec<(Vec<ResourcePart>, Vec<ResourcePart>)> = picks.iter()
                .map(|&(one, other)| (vec![part(one, 1.0)], if one == other { Vec::new() } else { vec![part(other, 1.5)] }))
                .collect();
            let grants = shared(&capacities, &paths);
            let mut loads = [0.0; 6];
            for ((first, second), grant) in paths.iter().zip(&grants) {
                first.iter().for_each(|part| loads[part.resource as usize] += part.fraction * (grant.rate - grant.detoured));
                second.iter().for_each(|part| loads[part.resource as usize] += part.fraction * grant.detoured);
            }
            for (load, capacity) in loads.iter().zip(&capacities) {
                prop_assert!(*load <= capacity * (1.0 + 1e-9), "{} of {}", load, capacity);
            }
        }
    }
}
