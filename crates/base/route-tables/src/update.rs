//! Updates tables when links fail or recover: only the entries that may change are computed again.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use philae_units::{GroupId, SwitchId};

use crate::distance::{UNREACHED, parts};
use crate::links::LinkChange;
use crate::plan::RoutePlan;
use crate::rollout::{Rounds, RouteRollout, StagedEntry};
use crate::tables::Destination;

/// Generation of a switch's tables, counted from 1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Generation(pub u64);

/// Changes by an update.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Update {
    /// Generation after the update.
    pub generation: Generation,
    /// Links that changed; fewer than were named if some were in that state already.
    pub links: usize,
    /// Whether everything was computed again, because a group came apart or was joined, or paths
    /// climb too far.
    pub everything: bool,
    /// New entries of each switch, and their order.
    pub rollout: RouteRollout,
}

impl Update {
    /// Number of entries that change, in all switches.
    #[must_use]
    pub fn entries(&self) -> usize {
        self.rollout.switches().iter().map(|delta| delta.entries.len()).sum()
    }
}

/// Entries before and after.
#[derive(Default)]
struct Changed {
    entries: BTreeMap<(u32, Destination), (u64, u64)>,
    /// Entries that a switch with new entries of its own gets before anything else changes: the
    /// present paths to it.
    first: Vec<(SwitchId, StagedEntry)>,
    /// Entries that are dropped at the end: own entries of switches that their group's serve again.
    last: Vec<(SwitchId, StagedEntry)>,
}

impl Changed {
    fn is_empty(&self) -> bool {
        self.entries.is_empty() && self.first.is_empty() && self.last.is_empty()
    }
}

pub fn apply(plan: &mut RoutePlan, changes: &[LinkChange]) -> Update {
    let taken: Vec<LinkChange> =
        changes.iter().filter(|&&change| plan.links.set(&plan.wiring, change)).copied().collect();
    let mut update =
        Update { generation: plan.generation, links: taken.len(), everything: false, rollout: RouteRollout::default() };
    if taken.is_empty() {
        return update;
    }
    let changed = match some(plan, &taken) {
        Some(changed) => changed,
        None => {
            update.everything = true;
            all(plan)
        }
    };
    if !changed.is_empty() {
        plan.generation.0 += 1;
    }
    update.generation = plan.generation;
    update.rollout = RouteRollout::of(plan, &changed);
    update
}

/// Computes everything again.
fn all(plan: &mut RoutePlan) -> Changed {
    let new = RoutePlan::new(plan.wiring.clone(), Some(plan.links.clone()), plan.parameters);
    let mut changed = Changed::default();
    for switch in (0..plan.wiring.switch_count()).map(SwitchId::from_index) {
        let (old_row, new_row) = (&plan.tables.rows[switch.index()], &new.tables.rows[switch.index()]);
        for (word, (&old, &new)) in old_row.iter().zip(new_row.iter()).enumerate() {
            if old != new {
                changed.entries.insert((switch.0, plan.tables.destination(word)), (old, new));
            }
        }
    }
    let switches = (0..plan.wiring.switch_count()).map(SwitchId::from_index);
    let own_entries: BTreeSet<u32> =
        plan.tables.own_entries.keys().chain(new.tables.own_entries.keys()).copied().collect();
    for target in own_entries.into_iter().map(SwitchId) {
        let was = plan.tables.own_entries.contains_key(&target.0);
        let stays = new.tables.own_entries.contains_key(&target.0);
        for switch in switches.clone() {
            let destination = Destination::Switch(target);
            let old = plan.tables.toward(&plan.wiring, switch, target);
            let ports = new.tables.toward(&plan.wiring, switch, target);
            if old != ports {
                changed.entries.insert((switch.0, destination), (old, ports));
            }
            if !was {
                changed.first.push((switch, StagedEntry { destination, ports: Some(old), round: 0 }));
            }
            if !stays {
                changed.last.push((switch, StagedEntry { destination, ports: None, round: 0 }));
            }
        }
    }
    *plan = RoutePlan { generation: plan.generation, ..new };
    changed
}

/// Computes what these links can have changed. `None` if only a full computation can tell.
fn some(plan: &mut RoutePlan, taken: &[LinkChange]) -> Option<Changed> {
    if !plan.components.are_groups() || !plan.tables.own_entries.is_empty() {
        return None;
    }
    let mut inside = BTreeSet::new();
    let mut between = BTreeSet::new();
    for change in taken {
        let other_end = plan.wiring.peer(change.port).expect("a link that changed has two ends");
        let group = |port| plan.wiring.group_of(plan.wiring.split(port).0).0;
        let (one, other) = (group(change.port), group(other_end));
        if one == other {
            inside.insert(one);
        } else {
            between.insert((one.min(other), one.max(other)));
        }
    }
    // A link of either kind may be the first or the last of a switch.
    let touched: BTreeSet<u32> =
        between.iter().flat_map(|&(one, other)| [one, other]).chain(inside.iter().copied()).collect();
    if plan.wiring.is_grouped()
        && touched.iter().any(|&group| parts(&plan.wiring, &plan.links, GroupId(group)).len() > 1)
    {
        return None;
    }
    for &group in &inside {
        plan.depths[group as usize] = plan.compute().depth(GroupId(group));
    }
    let stale = stale_columns(plan, &between);
    if plan.climbs_possible() > u32::from(plan.parameters.legs) {
        return None;
    }
    let mut changed = Changed::default();
    for &group in &inside {
        again_whole(plan, GroupId(group), &mut changed);
    }
    for &(group, column) in stale.iter().filter(|(group, _)| !inside.contains(group)) {
        let target = plan.tables.groups[column as usize];
        let word = plan.tables.places + column as usize;
        let mut entries = Vec::new();
        plan.compute().entries_towards(GroupId(group), target as usize, |switch, mask| entries.push((switch, mask)));
        for (switch, mask) in entries {
            note(plan, switch, word, mask, &mut changed);
        }
    }
    write(plan, &changed);
    Some(changed)
}

/// Updates the graph of components. Returns the entries (group, column) that may change.
fn stale_columns(plan: &mut RoutePlan, between: &BTreeSet<(u32, u32)>) -> BTreeSet<(u32, u32)> {
    let mut edges = Vec::new();
    for &(one, other) in between {
        let joined = plan.wiring.switches_of(GroupId(one)).any(|switch| {
            let live = plan.links.global(&plan.wiring, switch as usize);
            crate::links::ports(live)
                .any(|port| plan.components.component(plan.wiring.neighbour(switch as usize, port)) == other as usize)
        });
        let (one, other) = (one as usize, other as usize);
        if plan.components.are_joined(one, other) != joined {
            plan.components.join(one, other, joined);
            edges.push((one, other, joined));
        }
    }
    let mut stale = BTreeSet::new();
    let mut fresh = vec![0; plan.components.count()];
    for column in 0..plan.tables.groups.len() {
        let target = plan.tables.groups[column] as usize;
        let mut mark = |component: usize| {
            if component != target {
                stale.insert((component as u32, column as u32));
            }
        };
        let old = plan.distances.to(target);
        let next_to = |one: usize, other: usize, hops: &[u8]| hops[one] != UNREACHED && hops[other] == hops[one] + 1;
        let again = edges.iter().any(|&(one, other, joined)| {
            if joined {
                return old[one].abs_diff(old[other]) > 1;
            }
            let lost = |here: usize, there: usize| {
                next_to(here, there, old)
                    && !plan.components.joined(there).any(|component| next_to(component, there, old))
            };
            lost(one, other) || lost(other, one)
        });
        for &(one, other) in between {
            for (here, there) in [(one as usize, other as usize), (other as usize, one as usize)] {
                if next_to(here, there, old) {
                    mark(there);
                }
            }
        }
        if !again {
            continue;
        }
        plan.components.distances_to(target, &mut fresh);
        for &(one, other) in between {
            for (here, there) in [(one as usize, other as usize), (other as usize, one as usize)] {
                if next_to(here, there, &fresh) {
                    mark(there);
                }
            }
        }
        for component in (0..fresh.len()).filter(|&component| fresh[component] != old[component]) {
            mark(component);
            for neighbour in plan.components.joined(component) {
                if next_to(component, neighbour, old) || next_to(component, neighbour, &fresh) {
                    mark(neighbour);
                }
            }
        }
        plan.distances.to_mut(target).copy_from_slice(&fresh);
    }
    stale
}

/// Notes all entries of a group's switches that are no longer right.
fn again_whole(plan: &RoutePlan, group: GroupId, changed: &mut Changed) {
    let switches = plan.wiring.switches_of(group);
    let width = plan.tables.width();
    let mut rows = vec![0; switches.len() * width];
    plan.compute().group(&plan.tables, group, &mut rows);
    for (switch, row) in switches.zip(rows.chunks_exact(width)) {
        for (word, &mask) in row.iter().enumerate() {
            note(plan, switch, word, mask, changed);
        }
    }
}

fn note(plan: &RoutePlan, switch: u32, word: usize, mask: u64, changed: &mut Changed) {
    let old = plan.tables.rows[switch as usize][word];
    if old != mask {
        changed.entries.insert((switch, plan.tables.destination(word)), (old, mask));
    }
}

fn write(plan: &mut RoutePlan, changed: &Changed) {
    for (&(switch, destination), &(_, mask)) in &changed.entries {
        let word = match destination {
            Destination::Place(place) => place as usize,
            Destination::Group(group) => plan.tables.places + plan.tables.column[group.index()] as usize,
            Destination::Switch(_) => unreachable!("switches apart are the business of a whole computation"),
        };
        Arc::make_mut(&mut plan.tables.rows[switch as usize])[word] = mask;
    }
}

impl RouteRollout {
    fn of(plan: &RoutePlan, changed: &Changed) -> Self {
        let rounds = Rounds::new(plan, &changed.entries);
        let begin = u8::from(!changed.first.is_empty());
        let mut entries = changed.first.clone();
        entries.extend(changed.entries.iter().map(|(&(switch, destination), &(_, ports))| {
            let switch = SwitchId(switch);
            (switch, StagedEntry { destination, ports: Some(ports), round: begin + rounds.of(switch, destination) })
        }));
        let end = entries.iter().map(|(_, entry)| entry.round + 1).max().unwrap_or(0);
        entries.extend(changed.last.iter().map(|&(switch, entry)| (switch, StagedEntry { round: end, ..entry })));
        entries.sort_by_key(|&(switch, entry)| (switch, entry.round, entry.destination));
        Self::from_entries(entries.into_iter())
    }
}
