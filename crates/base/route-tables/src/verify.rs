//! Proof, from the tables and the live links alone, that a plan may be published.

use std::collections::BTreeMap;
use std::ops::Range;

use philae_units::{GroupId, SwitchId};

use crate::legs::{Climbs, PathFault, Walk};
use crate::links::ports;
use crate::parts::FabricParts;
use crate::plan::RoutePlan;
use crate::tables::{Destination, NO_COLUMN};
use crate::up_down;
use crate::update::Update;

/// Number of columns whose entries a proof reads at a time: one cache line of a row.
const BLOCK: usize = 8;

/// Result of a proof.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct VerifyReport {
    /// Number of entries that were followed.
    pub entries: u64,
    /// Candidate ports in them.
    pub candidates: u64,
    /// Ordered pairs of switches with edge ports between which no live path is left.
    pub unreachable_pairs: u64,
    /// Ordered pairs of groups with edge ports between which paths have two global hops or more.
    pub indirect_pairs: u64,
    /// Channel classes that paths climb through, without those up and down a tree.
    pub legs: u8,
    /// Number of switches that are reached up and down a tree.
    pub up_down: u64,
}

/// Reason why tables must not be published.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum VerifyError {
    /// A candidate port whose link does not work.
    #[error("switch {switch}: the entry towards switch {target} uses port {port}, whose link does not work")]
    DeadLink {
        /// Switch with the entry.
        switch: SwitchId,
        /// Destination of the entry.
        target: SwitchId,
        port: u32,
    },
    /// A path that comes back.
    #[error("ways towards switch {target} come back to switch {switch}")]
    Loop {
        /// Switch at which the loop was noticed.
        switch: SwitchId,
        /// Destination of the paths.
        target: SwitchId,
    },
    /// A live path exists and the tables have none.
    #[error("switch {switch} has no entry towards switch {target}, which live links reach")]
    Lost {
        switch: SwitchId,
        /// Destination that needs an entry.
        target: SwitchId,
    },
    /// An entry without a path.
    #[error("switch {switch} has an entry towards switch {target}, which no live link reaches")]
    Nowhere {
        switch: SwitchId,
        /// Destination of the entry.
        target: SwitchId,
    },
    /// Paths climb too often: channels could wait for each other in a circle.
    #[error("ways from switch {switch} towards switch {target} climb through {found} channel classes of {most}")]
    Legs {
        /// First switch of such a path.
        switch: SwitchId,
        /// Destination of the path.
        target: SwitchId,
        /// Number of classes that it needs.
        found: u8,
        /// Number of classes that there are.
        most: u8,
    },
    /// A path up and down the tree goes up after it went down.
    #[error(
        "the path towards switch {target} goes up again at switch {switch}: channels could wait for each other in a cycle"
    )]
    UpAfterDown {
        /// Switch at which it goes up again.
        switch: SwitchId,
        /// Destination of the path.
        target: SwitchId,
    },
}

/// Follows every entry of a plan.
///
/// # Errors
/// [`VerifyError`], which names the first bad entry found. An entry is bad if it leads over a dead
/// link, in a loop or nowhere, if it is missing although a live path exists, or if its paths could
/// wait for each other.
pub fn verify(plan: &RoutePlan) -> Result<VerifyReport, VerifyError> {
    let mut check = Check {
        plan,
        parts: FabricParts::of(&plan.wiring, &plan.links),
        walk: Walk::new(&plan.wiring, plan.channel_ranks()),
        onward: vec![Climbs::default(); plan.wiring.switch_count()],
        with_edge: BTreeMap::new(),
        most: 0,
        report: VerifyReport::default(),
    };
    check.prepare();
    check.live_links()?;
    for group in 0..plan.wiring.group_count() {
        check.within(GroupId::from_index(group))?;
    }
    // A row is read for eight columns at a time, because the next row is far away in memory.
    let mut block = vec![0; plan.wiring.switch_count() * BLOCK];
    for first in (0..plan.tables.groups.len()).step_by(BLOCK) {
        let columns = first..plan.tables.groups.len().min(first + BLOCK);
        for (switch, row) in plan.tables.rows.iter().enumerate() {
            let entries = &row[plan.tables.places + columns.start..plan.tables.places + columns.end];
            for (place, &mask) in entries.iter().enumerate() {
                block[place * plan.wiring.switch_count() + switch] = mask;
            }
        }
        for (column, entries) in columns.zip(block.chunks_exact(plan.wiring.switch_count())) {
            check.between(GroupId(plan.tables.groups[column]), entries)?;
        }
    }
    check.own_entries()?;
    check.report.legs += 1;
    Ok(check.report)
}

/// Follows the entries that an update changed, in a plan that was sound before.
///
/// If an update computed everything again, so does this. Otherwise a new loop or dead end has a
/// changed entry in it, and channel classes are bounded by hops, which the update has checked.
///
/// # Errors
/// As [`verify`].
pub fn verify_update(plan: &RoutePlan, update: &Update) -> Result<(), VerifyError> {
    if update.everything {
        return verify(plan).map(|_| ());
    }
    let mut changed = Vec::new();
    for delta in update.rollout.switches() {
        let live = plan.links.of(delta.switch);
        for entry in &delta.entries {
            let targets = targets_of(plan, delta.switch, entry.destination);
            let ports = entry.ports.unwrap_or(0);
            if ports & !live != 0 {
                let port = (ports & !live).trailing_zeros();
                let target = SwitchId(targets.start);
                return Err(VerifyError::DeadLink { switch: delta.switch, target, port });
            }
            changed.push(((targets.start, targets.end), delta.switch.0, ports));
        }
    }
    changed.sort_unstable();
    let mut walk = Walk::new(&plan.wiring, plan.channel_ranks());
    let mut parts = None;
    for changed in changed.chunk_by(|one, other| one.0 == other.0) {
        let targets = changed[0].0.0..changed[0].0.1;
        walk.begin();
        let first = SwitchId(targets.start);
        let next = |switch: u32| plan.tables.toward(&plan.wiring, SwitchId(switch), first);
        targets.clone().for_each(|target| walk.end(target, Climbs::default()));
        for &(_, switch, ports) in changed {
            if ports == 0 {
                let parts = parts.get_or_insert_with(|| FabricParts::of(&plan.wiring, &plan.links));
                let joined = |&target: &u32| parts.join(SwitchId(switch), SwitchId(target));
                if let Some(target) = targets.clone().find(joined) {
                    return Err(VerifyError::Lost { switch: SwitchId(switch), target: SwitchId(target) });
                }
                continue;
            }
            walk.from(switch, next).map_err(|fault| fault_of(fault, first.0))?;
        }
    }
    Ok(())
}

/// The switches to which an entry leads: one, or a group.
fn targets_of(plan: &RoutePlan, switch: SwitchId, destination: Destination) -> Range<u32> {
    let wiring = &plan.wiring;
    match destination {
        Destination::Place(place) => {
            let target = wiring.switches_of(wiring.group_of(switch)).start + place;
            target..target + 1
        }
        Destination::Group(group) => wiring.switches_of(group),
        Destination::Switch(target) => target.0..target.0 + 1,
    }
}

fn fault_of(fault: PathFault, target: u32) -> VerifyError {
    let target = SwitchId(target);
    match fault {
        PathFault::Loop(switch) => VerifyError::Loop { switch, target },
        PathFault::DeadEnd(switch) => VerifyError::Lost { switch, target },
    }
}

struct Check<'a> {
    plan: &'a RoutePlan,
    parts: FabricParts,
    walk: Walk<'a>,
    /// (S): how paths continue from each switch within its group, at the worst.
    onward: Vec<Climbs>,
    /// Number of switches with edge ports in each part of the fabric.
    with_edge: BTreeMap<SwitchId, u64>,
    /// Channel classes that paths may climb through.
    most: u8,
    /// Its `legs` counts climbs, one less than classes.
    report: VerifyReport,
}

impl Check<'_> {
    /// Checks that candidates have live links.
    fn live_links(&mut self) -> Result<(), VerifyError> {
        let (wiring, tables) = (&self.plan.wiring, &self.plan.tables);
        for switch in (0..wiring.switch_count()).map(SwitchId::from_index) {
            let live = self.plan.links.of(switch);
            for (word, &mask) in tables.rows[switch.index()].iter().enumerate() {
                self.report.entries += u64::from(mask != 0);
                self.report.candidates += u64::from(mask.count_ones());
                if mask & !live != 0 {
                    let target = match word.checked_sub(tables.places) {
                        None => wiring.switches_of(wiring.group_of(switch)).start + word as u32,
                        Some(column) => wiring.switches_of(GroupId(tables.groups[column])).start,
                    };
                    let port = (mask & !live).trailing_zeros();
                    return Err(VerifyError::DeadLink { switch, target: SwitchId(target), port });
                }
            }
            for (&target, own_entries) in &tables.own_entries {
                let mask = own_entries.ports[switch.index()];
                self.report.entries += u64::from(mask != 0);
                self.report.candidates += u64::from(mask.count_ones());
                if mask & !live != 0 {
                    let port = (mask & !live).trailing_zeros();
                    return Err(VerifyError::DeadLink { switch, target: SwitchId(target), port });
                }
            }
        }
        Ok(())
    }

    fn prepare(&mut self) {
        for switch in (0..self.plan.wiring.switch_count()).map(SwitchId::from_index) {
            let has_edge = self.plan.wiring.edge(switch) != 0;
            *self.with_edge.entry(self.parts.part_of(switch)).or_default() += u64::from(has_edge);
        }
        let kept = self.plan.tables.own_entries.values().any(|own_entries| own_entries.up_down);
        self.most = (self.plan.parameters.legs - u8::from(kept)).max(1);
    }

    /// Follows one switch's paths to a target. There must be some exactly if live links lead there.
    fn follow(&mut self, switch: u32, target: u32, next: impl Fn(u32) -> u64) -> Result<Option<Climbs>, VerifyError> {
        let reached = self.parts.join(SwitchId(switch), SwitchId(target));
        if next(switch) == 0 && !reached {
            return Ok(None);
        }
        if next(switch) != 0 && !reached {
            return Err(VerifyError::Nowhere { switch: SwitchId(switch), target: SwitchId(target) });
        }
        let climbs = self.walk.from(switch, next).map_err(|fault| fault_of(fault, target))?;
        if climbs[0] + 1 > self.most {
            let (switch, target) = (SwitchId(switch), SwitchId(target));
            return Err(VerifyError::Legs { switch, target, found: climbs[0] + 1, most: self.most });
        }
        Ok(Some(climbs))
    }

    /// Targets of a group that the group's own entries serve.
    fn served(&self, group: GroupId) -> Vec<u32> {
        let own_entries = &self.plan.tables.own_entries;
        self.plan.wiring.switches_of(group).filter(|target| !own_entries.contains_key(target)).collect()
    }

    /// Checks the paths between switches of a group.
    fn within(&mut self, group: GroupId) -> Result<(), VerifyError> {
        let plan = self.plan;
        let (wiring, tables) = (&plan.wiring, &plan.tables);
        let served = self.served(group);
        for &target in served.iter().filter(|_| tables.column[group.index()] != NO_COLUMN) {
            self.walk.begin();
            self.walk.end(target, Climbs::default());
            let next = |switch: u32| tables.toward(wiring, SwitchId(switch), SwitchId(target));
            for &switch in served.iter().filter(|&&switch| switch != target) {
                let Some(climbs) = self.follow(switch, target, next)? else { continue };
                // If there is only one group, nothing else counts its legs.
                self.report.legs = self.report.legs.max(climbs[0]);
                let worst = &mut self.onward[switch as usize];
                worst.iter_mut().zip(climbs).for_each(|(worst, climbs)| *worst = (*worst).max(climbs));
            }
            if wiring.edge(SwitchId(target)) != 0 {
                self.count_unreachable(target);
            }
        }
        Ok(())
    }

    /// Checks the paths from outside to the switches of a group, which are one destination for its
    /// `entries` (S).
    fn between(&mut self, group: GroupId, entries: &[u64]) -> Result<(), VerifyError> {
        let plan = self.plan;
        let (wiring, tables) = (&plan.wiring, &plan.tables);
        let switches = wiring.switches_of(group);
        let served = self.served(group);
        // A switch without any working link says nothing about paths to the others.
        let live = |switch: &&u32| plan.links.of(SwitchId(**switch)) != 0;
        let Some(&first) = served.iter().find(live) else { return Ok(()) };
        self.walk.begin();
        for &target in &served {
            self.walk.end(target, self.onward[target as usize]);
        }
        let mut legs = 0;
        let home = switches.clone();
        let next = move |switch: u32| {
            // Switches of the group that are apart from the rest of it.
            if home.contains(&switch) {
                tables.toward(wiring, SwitchId(switch), SwitchId(first))
            } else {
                entries[switch as usize]
            }
        };
        let hops = plan.distances.to(group.index());
        for other in (0..wiring.group_count()).map(GroupId::from_index) {
            let others = wiring.switches_of(other);
            for switch in others.clone().filter(|switch| !served.contains(switch) || other != group) {
                match self.follow(switch, first, &next) {
                    // The worst path to one switch of the group, continued from there to another,
                    // may be no real path.
                    Err(VerifyError::Legs { .. }) => return self.one_by_one(&served),
                    climbs => legs = climbs?.map_or(legs, |climbs| legs.max(climbs[0])),
                }
            }
            let indirect = other != group && entries[others.start as usize] != 0 && hops[other.index()] > 1;
            let counts = wiring.is_grouped() && tables.column[other.index()] != NO_COLUMN;
            self.report.indirect_pairs += u64::from(indirect && counts);
        }
        self.report.legs = self.report.legs.max(legs);
        Ok(())
    }

    /// Checks the paths from everywhere to each of some switches.
    fn one_by_one(&mut self, targets: &[u32]) -> Result<(), VerifyError> {
        let plan = self.plan;
        for &target in targets.iter().filter(|&&target| plan.links.of(SwitchId(target)) != 0) {
            self.walk.begin();
            self.walk.end(target, Climbs::default());
            let next = |switch: u32| plan.tables.toward(&plan.wiring, SwitchId(switch), SwitchId(target));
            for switch in (0..plan.wiring.switch_count() as u32).filter(|&switch| switch != target) {
                let climbs = self.follow(switch, target, next)?;
                self.report.legs = climbs.map_or(self.report.legs, |climbs| self.report.legs.max(climbs[0]));
            }
        }
        Ok(())
    }

    fn count_unreachable(&mut self, target: u32) {
        let here = self.with_edge.get(&self.parts.part_of(SwitchId(target))).copied().unwrap_or(0);
        self.report.unreachable_pairs += self.with_edge.values().sum::<u64>() - here;
    }

    /// Checks the paths to switches with entries of their own.
    fn own_entries(&mut self) -> Result<(), VerifyError> {
        let plan = self.plan;
        let (wiring, tables) = (&plan.wiring, &plan.tables);
        let height = if tables.own_entries.values().any(|own_entries| own_entries.up_down) {
            up_down::heights(wiring, &plan.links)
        } else {
            Vec::new()
        };
        for (&target, own_entries) in &tables.own_entries {
            self.walk.begin();
            self.walk.end(target, Climbs::default());
            let next = |switch: u32| own_entries.ports[switch as usize];
            for switch in (0..wiring.switch_count() as u32).filter(|&switch| switch != target) {
                if !own_entries.up_down {
                    let climbs = self.follow(switch, target, next)?;
                    self.report.legs = climbs.map_or(self.report.legs, |climbs| self.report.legs.max(climbs[0]));
                    continue;
                }
                let reached = self.parts.join(SwitchId(switch), SwitchId(target));
                if !reached && next(switch) == 0 {
                    continue;
                }
                self.walk.from(switch, next).map_err(|fault| fault_of(fault, target))?;
                let goes_up = |switch: usize, port| height[wiring.neighbour(switch, port)] < height[switch];
                for port in ports(next(switch)).filter(|&port| !goes_up(switch as usize, port)) {
                    let neighbour = wiring.neighbour(switch as usize, port);
                    if ports(next(neighbour as u32)).any(|port| goes_up(neighbour, port)) {
                        let (switch, target) = (SwitchId(neighbour as u32), SwitchId(target));
                        return Err(VerifyError::UpAfterDown { switch, target });
                    }
                }
            }
            self.report.up_down += u64::from(own_entries.up_down);
            if wiring.edge(SwitchId(target)) != 0 {
                self.count_unreachable(target);
            }
        }
        Ok(())
    }
}
