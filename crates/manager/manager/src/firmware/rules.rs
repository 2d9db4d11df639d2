//! The rules for which switches may be in progress together.

use std::collections::{BTreeMap, BTreeSet};

use philae_agent::PortState;
use philae_inventory::PlannedFabric;
use philae_manager_core::{DeviceState, FabricControl, Reachability};
use philae_route_tables::{FabricParts, LinkChange, LiveLinks};
use philae_units::{GroupId, SwitchId};

use crate::firmware::{RolloutPlan, SwitchWait};
use crate::incidents::counted;

/// The switches in progress and unavailable now, and what that costs.
pub struct Rules<'a> {
    fabric: &'a PlannedFabric,
    control: &'a FabricControl,
    plan: &'a RolloutPlan,
    /// Switches in progress, including those that are about to begin.
    out: BTreeSet<SwitchId>,
    /// Other switches that carry no traffic, for whatever reason.
    gone: BTreeSet<SwitchId>,
    /// Switches of each group that are in progress or not well.
    by_group: BTreeMap<GroupId, Vec<SwitchId>>,
    /// The loss while those in progress are out.
    lost: Option<Lost>,
}

/// The loss of other switches while some are in progress.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Lost {
    /// Ordered pairs of other switches without a path.
    pairs: u64,
    /// NICs of other switches whose last link is gone.
    nics: u64,
}

impl Lost {
    /// Whether it is no more than another loss.
    const fn is_within(self, other: Self) -> bool {
        self.pairs <= other.pairs && self.nics <= other.nics
    }
}

impl<'a> Rules<'a> {
    /// The rules with these switches in progress, and these that are not trusted.
    pub fn new(
        fabric: &'a PlannedFabric,
        control: &'a FabricControl,
        plan: &'a RolloutPlan,
        out: BTreeSet<SwitchId>,
        failed: impl Iterator<Item = SwitchId>,
    ) -> Self {
        let Reachability { dead, arriving, set_apart, .. } = control.reach();
        let gone = dead.into_iter().chain(arriving).chain(set_apart);
        // Those in progress come back, so their NICs still count as present.
        let gone: BTreeSet<SwitchId> = gone.filter(|switch| !out.contains(switch)).collect();
        let switches = (0..fabric.switch_count()).map(SwitchId::from_index);
        let unwell = switches.filter(|&switch| control.device_state(switch) != DeviceState::Synced);
        let unavailable: BTreeSet<SwitchId> = unwell.chain(failed).chain(out.iter().copied()).collect();
        let mut rules = Self { fabric, control, plan, out, gone, by_group: BTreeMap::new(), lost: None };
        for switch in unavailable {
            rules.count(switch);
        }
        rules
    }

    fn count(&mut self, switch: SwitchId) {
        let group = self.control.wiring().group_of(switch);
        self.by_group.entry(group).or_default().push(switch);
    }

    /// Number of switches in progress.
    pub fn at_work(&self) -> usize {
        self.out.len()
    }

    /// Adds a switch in progress.
    pub fn take(&mut self, switch: SwitchId) {
        self.out.insert(switch);
        self.lost = None;
        self.count(switch);
    }

    /// Whether a switch may be in progress together with the others.
    ///
    /// # Errors
    /// The reason why it must wait.
    pub fn allow(&mut self, switch: SwitchId) -> Result<(), SwitchWait> {
        let name = |switch: SwitchId| self.fabric.switch_text(switch);
        let state = self.control.device_state(switch);
        if state != DeviceState::Synced {
            return Err(SwitchWait::lasting(format!("the switch itself to be healthy: it is {}", state.name())));
        }
        let wiring = self.control.wiring();
        let group = wiring.group_of(switch);
        let others = self.by_group.get(&group).into_iter().flatten().filter(|other| **other != switch);
        if wiring.is_grouped()
            && let Some(one) = others.clone().next()
            && others.count() >= self.plan.per_group as usize
        {
            let most = match self.plan.per_group {
                1 => "one switch of a group at a time".to_owned(),
                many => format!("at most {many} switches of a group at a time"),
            };
            let why = match (self.out.contains(one), self.control.device_state(*one)) {
                (true, _) => {
                    let words = format!("{most}: {} of group {group} is in work", name(*one));
                    return Err(SwitchWait::of_wave(words));
                }
                (false, DeviceState::Synced) => "drained: its upgrade failed".to_owned(),
                (false, state) => state.name().to_owned(),
            };
            return Err(SwitchWait::lasting(format!("{most}: {} of group {group} is {why}", name(*one))));
        }
        if let Some(node) = self.node_cut_off(switch) {
            return Err(SwitchWait::of_wave(format!("node {node}: it would lose its last NIC")));
        }
        let Some(plan) = self.control.plan() else { return Err(SwitchWait::lasting("the first tables")) };
        let live = plan.links();
        let now = match self.lost {
            Some(lost) => lost,
            None => self.lost(live, None),
        };
        self.lost = Some(now);
        let then = self.lost(live, Some(switch));
        if then.is_within(now) {
            return Ok(());
        }
        let alone = Self { out: BTreeSet::new(), by_group: BTreeMap::new(), gone: self.gone.clone(), ..*self };
        let (before, after) = (alone.lost(live, None), alone.lost(live, Some(switch)));
        match (after.is_within(before), self.plan.force) {
            (false, false) => {
                let (pairs, nics) =
                    (after.pairs.saturating_sub(before.pairs), after.nics - before.nics.min(after.nics));
                let parts = [
                    (pairs > 0).then(|| format!("{} of switches have no path", counted(pairs as usize, "pair", "s"))),
                    (nics > 0).then(|| {
                        let verb = if nics == 1 { "is" } else { "are" };
                        format!("{} of other switches {verb} cut off", counted(nics as usize, "NIC", "s"))
                    }),
                ];
                let lost = parts.into_iter().flatten().collect::<Vec<_>>().join(" and ");
                Err(SwitchWait::lasting(format!("without {} {lost}; --force takes it", name(switch))))
            }
            (false, true) if then.is_within(now) || then.is_within(after) => Ok(()),
            _ => {
                Err(SwitchWait::of_wave("other switches to return: more of them at the same time would leave no path"))
            }
        }
    }

    /// The loss of others while those in progress, and one more, are out.
    fn lost(&self, live: &LiveLinks, also: Option<SwitchId>) -> Lost {
        let wiring = self.control.wiring();
        let mut left = live.clone();
        let mut beside: BTreeSet<SwitchId> = BTreeSet::new();
        for &switch in self.out.iter().chain(also.as_ref()) {
            for port in self.control.fabric_ports(switch) {
                left.set(wiring, LinkChange { port, up: false });
                beside.extend(wiring.peer(port).map(|far| wiring.split(far).0));
            }
        }
        let is_out = |switch| self.out.contains(&switch) || also == Some(switch) || self.gone.contains(&switch);
        let apart = beside.into_iter().filter(|&switch| !is_out(switch) && left.of(switch) == 0);
        let nics = apart.map(|switch| self.control.edge_ports(switch).count() as u64).sum();
        Lost { pairs: FabricParts::of(wiring, &left).count(wiring, is_out).switch_pairs, nics }
    }

    /// A node that keeps a NIC if only this switch is out, and none if the others are out too.
    fn node_cut_off(&self, switch: SwitchId) -> Option<String> {
        if self.out.is_empty() && self.gone.is_empty() {
            return None;
        }
        let nics = self.fabric.nics();
        let at = |index: u32| self.fabric.nic_at(philae_units::PortIndex(index));
        let here: BTreeSet<_> = self.fabric.ports_of(switch).filter_map(at).map(|nic| nics[nic.index()].node).collect();
        // By node, with a NIC elsewhere that is up: whether one of these stays up.
        let mut others: BTreeMap<_, bool> = BTreeMap::new();
        for nic in nics.iter().filter(|nic| here.contains(&nic.node)) {
            let its = self.fabric.switch_of(nic.port);
            if its == switch || self.control.port(nic.port).state != PortState::Up || self.gone.contains(&its) {
                continue;
            }
            *others.entry(nic.node).or_default() |= !self.out.contains(&its);
        }
        let cut = others.into_iter().find(|(_, stays)| !stays).map(|(node, _)| node);
        cut.map(|node| self.fabric.node_xname(node).to_string())
    }
}
