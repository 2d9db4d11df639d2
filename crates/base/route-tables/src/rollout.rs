//! The order in which switches activate new entries, so that there is no loop while some have them
//! and some have not.
//!
//! Entries that only lose candidates come first: in any mixture of old and new entries, the paths
//! are old paths. Then an entry that gains candidates is activated after all entries that are
//! further on its path by the new tables.
//!
//! So a packet that meets a new entry continues by new entries, which come nearer with every hop. A
//! packet that meets old entries continues by these until it meets a new one. Neither can return to
//! a switch that it has visited.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use philae_units::{GroupId, SwitchId};

use crate::links::ports;
use crate::plan::RoutePlan;
use crate::tables::Destination;

/// A new entry of a switch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StagedEntry {
    /// Destination of the entry.
    pub destination: Destination,
    /// Candidate ports, as a mask, which is empty if no path is left. `None`: a switch that had an
    /// entry of its own is served by its group's entry again.
    pub ports: Option<u64>,
    /// Round in which it is activated, counted from 0.
    pub round: u8,
}

/// The new entries of one switch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SwitchDelta {
    pub switch: SwitchId,
    /// Its new entries.
    pub entries: Vec<StagedEntry>,
}

/// New entries by switch. The next round begins when every switch has activated the last one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RouteRollout {
    switches: Vec<SwitchDelta>,
    rounds: u8,
}

impl RouteRollout {
    pub(crate) fn from_entries(entries: impl Iterator<Item = (SwitchId, StagedEntry)>) -> Self {
        let mut rollout = Self::default();
        let mut used = BTreeSet::new();
        for (switch, entry) in entries {
            used.insert(entry.round);
            match rollout.switches.last_mut().filter(|delta| delta.switch == switch) {
                Some(delta) => delta.entries.push(entry),
                None => rollout.switches.push(SwitchDelta { switch, entries: vec![entry] }),
            }
        }
        // Rounds without entries are left out.
        let number: BTreeMap<u8, u8> = used.iter().enumerate().map(|(new, &old)| (old, new as u8)).collect();
        for entry in rollout.switches.iter_mut().flat_map(|delta| &mut delta.entries) {
            entry.round = number[&entry.round];
        }
        rollout.rounds = used.len() as u8;
        rollout
    }

    /// The switches that change, in ascending order.
    #[must_use]
    pub fn switches(&self) -> &[SwitchDelta] {
        &self.switches
    }

    /// Number of rounds: 0 if nothing changes.
    #[must_use]
    pub const fn rounds(&self) -> u8 {
        self.rounds
    }
}

/// Finds the round of each changed entry.
pub struct Rounds<'a> {
    plan: &'a RoutePlan,
    changed: &'a BTreeMap<(u32, Destination), (u64, u64)>,
    /// Rounds of the entries visited so far, changed or not. For an unchanged entry, the last round
    /// further on its path.
    known: RefCell<BTreeMap<(u32, Destination), u8>>,
}

impl<'a> Rounds<'a> {
    pub fn new(plan: &'a RoutePlan, changed: &'a BTreeMap<(u32, Destination), (u64, u64)>) -> Self {
        Self { plan, changed, known: RefCell::default() }
    }

    /// The round of an entry.
    pub fn of(&self, switch: SwitchId, destination: Destination) -> u8 {
        match self.changed.get(&(switch.0, destination)) {
            Some(&(old, new)) if new & !old == 0 => 0,
            _ => self.last(switch, destination),
        }
    }

    /// The last round of an entry and of all that are further on its path by the new tables.
    fn last(&self, switch: SwitchId, destination: Destination) -> u8 {
        let key = (switch.0, destination);
        if let Some(&round) = self.known.borrow().get(&key) {
            return round;
        }
        // If a path to one switch of a group leads through another one, this is asked again below:
        // it adds nothing.
        self.known.borrow_mut().insert(key, 0);
        let wiring = &self.plan.wiring;
        let mask = match destination {
            Destination::Switch(target) => self.plan.tables.toward(wiring, switch, target),
            _ => self.plan.tables.entry(switch, destination),
        };
        let beyond = ports(mask)
            .map(|port| {
                let neighbour = SwitchId(wiring.neighbour(switch.index(), port) as u32);
                self.onward(switch, neighbour, destination).map(|next| self.last(neighbour, next)).max().unwrap_or(0)
            })
            .max()
            .unwrap_or(0);
        let gains = self.changed.get(&key).is_some_and(|&(old, new)| new & !old != 0);
        let round = beyond.saturating_add(u8::from(gains));
        self.known.borrow_mut().insert(key, round);
        round
    }

    /// The entries of the next switch by which packets continue; none if they have arrived.
    fn onward(
        &self,
        from: SwitchId,
        neighbour: SwitchId,
        destination: Destination,
    ) -> impl Iterator<Item = Destination> + use<> {
        let wiring = &self.plan.wiring;
        let group = wiring.group_of(neighbour);
        // Within the destination group, packets continue by the entries of its switches.
        let within = |group: GroupId| {
            let here = wiring.place_in_group(neighbour);
            (0..wiring.switches_of(group).len() as u32).filter(move |&place| place != here).map(Destination::Place)
        };
        let (one, many) = match destination {
            Destination::Switch(target) => ((neighbour != target).then_some(destination), None),
            Destination::Group(goal) if group == goal => (None, Some(within(group))),
            Destination::Group(_) => (Some(destination), None),
            Destination::Place(place) if group == wiring.group_of(from) => {
                ((wiring.place_in_group(neighbour) != place).then_some(destination), None)
            }
            Destination::Place(_) => (Some(Destination::Group(wiring.group_of(from))), None),
        };
        one.into_iter().chain(many.into_iter().flatten())
    }
}
