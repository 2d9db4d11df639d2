//! Which switches may be in work together.

use std::collections::{BTreeMap, BTreeSet};

use philae_agent::PortState;
use philae_control::{Control, DeviceState, Reach};
use philae_forwarding::{LinkChange, Links, Parts};
use philae_inventory::Fabric;
use philae_units::{GroupId, SwitchId};

use super::Plan;

/// What is in work and unavailable now, and what that costs.
pub struct Rules<'a> {
    fabric: &'a Fabric,
    control: &'a Control,
    plan: &'a Plan,
    /// Switches in work, those that are about to join among them.
    out: BTreeSet<SwitchId>,
    /// Switches that carry nothing, whatever the reason.
    gone: BTreeSet<SwitchId>,
    /// Switches of each group that are in work or not well, with one of them.
    by_group: BTreeMap<GroupId, (u32, SwitchId)>,
    /// Ordered pairs of other switches without a way, with those in work out.
    lost: Option<u64>,
}

impl<'a> Rules<'a> {
    /// With these switches in work, and these that are not to be trusted.
    pub fn new(
        fabric: &'a Fabric,
        control: &'a Control,
        plan: &'a Plan,
        out: BTreeSet<SwitchId>,
        failed: impl Iterator<Item = SwitchId>,
    ) -> Self {
        let Reach { dead, arriving, set_apart, .. } = control.reach();
        let gone: BTreeSet<SwitchId> = dead.into_iter().chain(arriving).chain(set_apart).collect();
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
        let count = self.by_group.entry(group).or_insert((0, switch));
        count.0 += 1;
    }

    /// How many are in work.
    pub fn at_work(&self) -> usize {
        self.out.len()
    }

    /// Takes a switch into work.
    pub fn take(&mut self, switch: SwitchId) {
        self.out.insert(switch);
        self.lost = None;
        self.count(switch);
    }

    /// Whether a switch may be in work beside the others.
    ///
    /// # Errors
    /// With what keeps it.
    pub fn allow(&mut self, switch: SwitchId) -> Result<(), String> {
        let name = |switch: SwitchId| self.fabric.bmc_xname(switch);
        let state = self.control.device_state(switch);
        if state != DeviceState::Synced {
            return Err(format!("switches that are {}", state.name()));
        }
        let wiring = self.control.wiring();
        if wiring.is_grouped()
            && let Some((count, one)) = self.by_group.get(&wiring.group_of(switch))
            && *count >= self.plan.per_group
        {
            let group = wiring.group_of(switch);
            let why = match (self.out.contains(one), self.control.device_state(*one)) {
                (true, _) => "in work".to_owned(),
                (false, DeviceState::Synced) => "drained after its upgrade failed".to_owned(),
                (false, state) => state.name().to_owned(),
            };
            return Err(format!("group {group}: {} is {why}, and {} at once may be", name(*one), self.plan.per_group));
        }
        if let Some(node) = self.node_cut_off(switch) {
            return Err(format!("node {node} would lose its last NIC"));
        }
        let Some(plan) = self.control.plan() else { return Err("there are no tables yet".to_owned()) };
        let live = plan.links();
        let now = match self.lost {
            Some(lost) => lost,
            None => self.lost_pairs(live, None),
        };
        self.lost = Some(now);
        let then = self.lost_pairs(live, Some(switch));
        if then <= now {
            return Ok(());
        }
        let alone = Self { out: BTreeSet::new(), by_group: BTreeMap::new(), gone: self.gone.clone(), ..*self };
        let (before, after) = (alone.lost_pairs(live, None), alone.lost_pairs(live, Some(switch)));
        match (after > before, self.plan.force) {
            (true, false) => Err(format!(
                "without {} {} pairs of switches have no way; --force takes it",
                name(switch),
                after - before
            )),
            (true, true) if then <= now.max(after) => Ok(()),
            _ => Err("pairs of switches would have no way while others are in work".to_owned()),
        }
    }

    /// Ordered pairs of other switches that have no way while those in work are out, and one more.
    fn lost_pairs(&self, live: &Links, also: Option<SwitchId>) -> u64 {
        let wiring = self.control.wiring();
        let mut left = live.clone();
        for &switch in self.out.iter().chain(also.as_ref()) {
            for port in self.control.fabric_ports(switch) {
                left.set(wiring, LinkChange { port, up: false });
            }
        }
        let is_out = |switch| self.out.contains(&switch) || also == Some(switch) || self.gone.contains(&switch);
        Parts::of(wiring, &left).count(wiring, is_out).switch_pairs
    }

    /// A node that keeps a NIC when this switch alone is out, and none when the others are out too.
    fn node_cut_off(&self, switch: SwitchId) -> Option<String> {
        if self.out.is_empty() && self.gone.is_empty() {
            return None;
        }
        let nics = self.fabric.nics();
        let at = |index: u32| self.fabric.nic_at(philae_units::PortIndex(index));
        let here: BTreeSet<_> = self.fabric.ports_of(switch).filter_map(at).map(|nic| nics[nic.index()].node).collect();
        // By node: whether it has a NIC elsewhere that is up, and one that stays up.
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
